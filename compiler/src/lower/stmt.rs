//! Lowers statements to control flow.

use super::error::{LowerError, Result};
use super::place::{Mode, Where};
use super::tree::{Lowerer, Storage};
use crate::check::tree::{self, CaseId, Expr, ExprKind, Init, LocalId, Stmt, StmtKind};
use crate::ir::{Access, Block, Type, Value};
use crate::ptx;
use crate::syntax::source::Span;
use reconverge_isa::{Op, Space, Width};
use std::collections::BTreeMap;

/// Returns true if constructors of the program's own make an object, or all elements of an array:
/// members that they do not set have no value.
fn is_constructed(ty: &tree::Type, init: &Init) -> bool {
    let mut element = ty;
    while let tree::Type::Array(of, _) = element {
        element = of;
    }
    let makes_whole = |value: &Expr| match &value.kind {
        ExprKind::Call(_, arguments) if value.ty == tree::Type::Void => {
            matches!(arguments.first().map(|this| &this.ty), Some(tree::Type::Pointer(to)) if **to == *element)
        }
        _ => false,
    };
    !init.stores.is_empty() && init.stores.iter().all(|(_, value)| makes_whole(value))
}

impl Lowerer<'_> {
    pub fn statements(&mut self, statements: &[Stmt]) -> Result<()> {
        statements.iter().try_for_each(|statement| self.statement(statement))
    }

    pub fn statement(&mut self, statement: &Stmt) -> Result<()> {
        self.check_size(statement.span)?;
        self.locate(statement.span);
        let test = match &statement.kind {
            StmtKind::While(test, _) | StmtKind::DoWhile(_, test) => Some(test),
            StmtKind::For { condition, .. } => condition.as_deref(),
            _ => None,
        };
        if let (Some(test), Some(rounds)) = (test, self.unroll_hint(statement.span)) {
            let location = self.location(test.span);
            self.builder.unroll(location, rounds);
        }
        match &statement.kind {
            StmtKind::Expr(value) => self.effect(value),
            StmtKind::Declare(local, init) => self.declare(*local, init, statement.span),
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::If(condition, then, otherwise) => {
                self.if_statement(condition, then, otherwise.as_deref())
            }
            StmtKind::While(condition, body) => self.for_loop(Some(condition), None, body),
            StmtKind::DoWhile(body, condition) => self.do_loop(body, condition),
            StmtKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.statement(init)?;
                }
                self.for_loop(condition.as_deref(), step.as_deref(), body)
            }
            StmtKind::Switch { value, cases, default, body } => {
                self.switch(value, cases, *default, body)
            }
            StmtKind::Label(label) => self.label(*label, statement.span),
            StmtKind::Target(label) => {
                self.target(*label);
                Ok(())
            }
            StmtKind::Goto(label) => self.goto(*label, statement.span),
            StmtKind::Break => {
                let target = self.frame().breaks.last().copied();
                self.leave(target, statement.span)
            }
            StmtKind::Continue => {
                let target = self.frame().continues.last().copied();
                self.leave(target, statement.span)
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            StmtKind::Assembly(of) => self.assembly(of, statement.span),
        }
    }

    /// An `asm` statement: its operands are in registers.
    fn assembly(&mut self, of: &tree::Assembly, span: Span) -> Result<()> {
        let mut variables = Vec::new();
        for &local in &of.locals {
            variables.push(match local.map(|local| self.storage(local)).transpose()? {
                Some(Storage::Registers(parts)) => parts.first().copied(),
                _ => None,
            });
        }
        let operands: Vec<Option<Value>> = variables
            .iter()
            .zip(&of.text.registers)
            .map(|(variable, register)| {
                let variable = variable.filter(|_| register.is_some_and(|it| it.read))?;
                Some(self.builder.read(variable))
            })
            .collect();
        let (carry, shared) = (self.carry(), self.shared.of_texts());
        let found = self.with_builder(|builder| {
            ptx::inline::translate(&of.text, builder, &operands, carry, shared)
        });
        let found = found.map_err(|(message, help)| {
            let what = if help.is_empty() { message } else { format!("{message}: {help}") };
            LowerError::unsupported(span, format!("`asm`: {what}"))
        })?;
        for ((variable, value), register) in variables.iter().zip(found).zip(&of.text.registers) {
            if let (Some(variable), Some(value), true) =
                (*variable, value, register.is_some_and(|register| register.written))
            {
                self.builder.write(variable, value);
            }
        }
        Ok(())
    }

    fn leave(&mut self, target: Option<Block>, span: Span) -> Result<()> {
        let target =
            target.ok_or_else(|| LowerError::unsupported(span, "a jump out of nothing"))?;
        self.builder.jump(target);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Expr>) -> Result<()> {
        let values = match value {
            Some(value) => self.values(value)?,
            None => Vec::new(),
        };
        for (variable, value) in self.frame().result.clone().into_iter().zip(values) {
            self.builder.write(variable, value);
        }
        match self.frame().exit {
            Some(exit) => self.builder.jump(exit),
            None => self.builder.end_thread(),
        }
        Ok(())
    }

    /// A declaration: the variable becomes zero, then gets its initial value. A variable in memory
    /// is zero already when its declaration is passed for the first time.
    fn declare(&mut self, local: LocalId, init: &Init, span: Span) -> Result<()> {
        let data = self.frame().function.local(local);
        if let Storage::Slot(slot) = self.storage(local)? {
            let is_again = self.loops > 0 && (init.zero || init.stores.is_empty());
            if is_again || init.zero && self.all_zeroes {
                let address = self.builder.slot_address(slot);
                let constructed = self.all_zeroes && is_constructed(&data.ty, init);
                let is_raw = !init.zero || constructed;
                self.clear_memory(address, &data.ty, is_raw)?;
            }
        } else if init.zero || !init.stores.is_empty() {
            self.clear(local)?;
        } else {
            self.forget(local)?;
        }
        let mut place = self.local_place(local)?;
        if let Where::Memory { mode, .. } = &mut place {
            // The stores carry no members' names.
            mode.volatile |= data.ty.has_volatile(&self.module.structs);
        }
        for (offset, value) in &init.stores {
            if value.ty == crate::check::tree::Type::Void {
                self.effect(value)?;
                continue;
            }
            let values = self.values(value)?;
            let part = self.part(place.clone(), *offset, &value.ty, span)?;
            self.store_values(&part, &value.ty, values, span)?;
        }
        Ok(())
    }

    /// Zeroes an object in local memory: piece by piece when it is small, else in a loop of words
    /// and a rest. With `raw` it has no value then.
    pub(super) fn clear_memory(
        &mut self,
        start: Value,
        ty: &crate::check::tree::Type,
        raw: bool,
    ) -> Result<()> {
        const MOST_PIECES: u64 = 32;
        let size = ty.size(&self.module.structs);
        let align = ty.align(&self.module.structs);
        let width = match align {
            8.. => Width::B64,
            4 => Width::B32,
            2 => Width::U16,
            _ => Width::U8,
        };
        let step = width.bytes() as u64;
        let access = Access { space: Space::Local, width, raw, ..Access::default() };
        let zero = self.builder.zero(Type::of_width(width));
        if size / step <= MOST_PIECES {
            for piece in 0..size / step {
                let at = self.offset(start, piece * step);
                self.builder.store(access, at, zero);
            }
            return Ok(());
        }
        let (body, done) = (self.builder.block(), self.builder.block());
        let at = self.builder.variable(Type::B32);
        self.builder.write(at, start);
        self.builder.jump(body);
        self.builder.enter(body);
        let address = self.builder.read(at);
        self.builder.store(access, address, zero);
        let step = self.builder.word(step as u32);
        let next = self.builder.compute(Op::Add, &[address, step]);
        self.builder.write(at, next);
        let end = self.offset(start, size);
        let more = self.builder.compute(Op::SetNotEqualI32, &[next, end]);
        self.builder.branch(more, body, done);
        self.builder.seal(body);
        self.builder.enter_sealed(done);
        Ok(())
    }

    fn if_statement(
        &mut self,
        condition: &Expr,
        then: &Stmt,
        otherwise: Option<&Stmt>,
    ) -> Result<()> {
        let (then_block, join) = (self.builder.block(), self.builder.block());
        let other_block = if otherwise.is_some() { self.builder.block() } else { join };
        self.condition(condition, then_block, other_block)?;
        self.builder.enter_sealed(then_block);
        self.statement(then)?;
        self.builder.jump(join);
        if let Some(otherwise) = otherwise {
            self.builder.enter_sealed(other_block);
            self.statement(otherwise)?;
            self.builder.jump(join);
        }
        self.builder.enter_sealed(join);
        Ok(())
    }

    fn for_loop(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
    ) -> Result<()> {
        let header = self.builder.block();
        let (inside, exit) = (self.builder.block(), self.builder.block());
        let next = if step.is_some() { self.builder.block() } else { header };
        self.builder.jump(header);
        self.builder.enter(header);
        self.loops += 1;
        match condition {
            Some(condition) => self.condition(condition, inside, exit)?,
            None => self.builder.jump(inside),
        }
        self.builder.enter_sealed(inside);
        self.loop_body(body, next, exit)?;
        self.builder.jump(next);
        if let Some(step) = step {
            self.builder.enter_sealed(next);
            self.effect(step)?;
            self.builder.jump(header);
        }
        self.loops -= 1;
        self.builder.seal(header);
        self.builder.enter_sealed(exit);
        Ok(())
    }

    fn do_loop(&mut self, body: &Stmt, condition: &Expr) -> Result<()> {
        let (start, test, exit) =
            (self.builder.block(), self.builder.block(), self.builder.block());
        self.builder.jump(start);
        self.builder.enter(start);
        self.loops += 1;
        self.loop_body(body, test, exit)?;
        self.builder.jump(test);
        self.builder.enter_sealed(test);
        self.condition(condition, start, exit)?;
        self.loops -= 1;
        self.builder.seal(start);
        self.builder.enter_sealed(exit);
        Ok(())
    }

    fn loop_body(&mut self, body: &Stmt, next: Block, exit: Block) -> Result<()> {
        self.frame().breaks.push(exit);
        self.frame().continues.push(next);
        let result = self.statement(body);
        self.frame().breaks.pop();
        self.frame().continues.pop();
        result
    }

    fn label(&mut self, label: CaseId, span: Span) -> Result<()> {
        let labels = self.frame().labels.last();
        let Some(&block) = labels.and_then(|labels| labels.get(&label)) else {
            return Err(LowerError::unsupported(span, "a label outside its switch"));
        };
        self.builder.jump(block);
        self.builder.enter_sealed(block);
        Ok(())
    }

    /// The dispatch is first, so that every label knows its predecessors when it is reached: the
    /// dispatch and the statement before.
    fn switch(
        &mut self,
        value: &Expr,
        cases: &[(i64, CaseId)],
        default: Option<CaseId>,
        body: &Stmt,
    ) -> Result<()> {
        let exit = self.builder.block();
        let mut labels = BTreeMap::new();
        for label in cases.iter().map(|&(_, label)| label).chain(default) {
            labels.entry(label).or_insert_with(|| self.builder.block());
        }
        let selector = self.scalar(value)?;
        let wide = value.ty.size(&self.module.structs) == 8;
        let mut sorted: Vec<(i64, Block)> =
            cases.iter().map(|(value, label)| (*value, labels[label])).collect();
        // Signed order for every type: dispatch only has to agree with itself.
        sorted.sort_by_key(|&(value, _)| if wide { value } else { value as i32 as i64 });
        let otherwise = default.map_or(exit, |label| labels[&label]);
        self.dispatch(selector, wide, &sorted, otherwise);
        self.frame().labels.push(labels);
        self.frame().breaks.push(exit);
        // Statements before the first label are never reached.
        let result = self.statement(body);
        self.frame().breaks.pop();
        self.frame().labels.pop();
        result?;
        self.builder.jump(exit);
        self.builder.enter_sealed(exit);
        Ok(())
    }

    /// Goes to the block of the case that equals the selector: few cases are compared one by one,
    /// many by halves.
    fn dispatch(&mut self, selector: Value, wide: bool, cases: &[(i64, Block)], otherwise: Block) {
        const ONE_BY_ONE: usize = 4;
        let (ty, equal, less) = if wide {
            (Type::B64, Op::SetEqualI64, Op::SetLessS64)
        } else {
            (Type::B32, Op::SetEqualI32, Op::SetLessS32)
        };
        if cases.len() > ONE_BY_ONE {
            let (low, high) = cases.split_at(cases.len() / 2);
            let (below, above) = (self.builder.block(), self.builder.block());
            let pivot = self.builder.constant(ty, high[0].0 as u64);
            let test = self.builder.compute(less, &[selector, pivot]);
            self.builder.branch(test, below, above);
            self.builder.enter_sealed(below);
            self.dispatch(selector, wide, low, otherwise);
            self.builder.enter_sealed(above);
            self.dispatch(selector, wide, high, otherwise);
            return;
        }
        for &(value, target) in cases {
            let next = self.builder.block();
            let constant = self.builder.constant(ty, value as u64);
            let test = self.builder.compute(equal, &[selector, constant]);
            self.builder.branch_to_case(test, value, target, next);
            self.builder.enter_sealed(next);
        }
        self.builder.jump(otherwise);
    }

    fn local_place(&mut self, local: LocalId) -> Result<Where> {
        Ok(match self.storage(local)? {
            Storage::Registers(variables) => {
                let data = self.frame().function.local(local);
                Where::Registers(variables, self.leaves(&data.ty, data.span)?)
            }
            Storage::Slot(slot) => {
                let address = self.builder.slot_address(slot);
                let volatile = self.frame().function.local(local).volatile;
                let mode = Mode { volatile, ..Mode::default() };
                Where::Memory { address, space: Space::Local, mode }
            }
            Storage::None => Where::Values(Vec::new(), Vec::new()),
        })
    }

    /// The storage of a local variable.
    pub fn local(&mut self, local: LocalId) -> Result<Where> {
        self.local_place(local)
    }
}
