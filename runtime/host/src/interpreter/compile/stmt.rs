//! Statements and function bodies.

use super::builder::{Builder, Home, Label};
use super::place::Location;
use crate::interpreter::assembly_text::{self, Site};
use crate::interpreter::bytecode::{Op, Slot, SwitchTable};
use crate::interpreter::collective::MOST_ARGUMENTS;
use reconverge_compiler::check::tree::{
    Assembly, CaseId, Expr, Init, LabelId, LocalId, Stmt, StmtKind, Type,
};
use reconverge_ptx::inline::Register;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Builder<'_> {
    /// Moves the parameters to where they live, then the statements.
    pub(super) fn function_body(&mut self) {
        let Some(function) = self.function else {
            return;
        };
        // A jump may pass by a declaration; the variable is zero nevertheless.
        if self.memory > 0 && function.body.iter().any(has_jump) {
            self.emit(Op::Clear, self.frame(), 0, 0, self.memory as u32, 0);
        }
        for index in 0..function.parameters {
            if let Home::Memory(offset) = self.home(LocalId(index)) {
                let base = self.frame();
                let ty = &function.locals[index as usize].ty;
                self.store(Location::Memory { base, offset }, ty, index as u16);
            }
        }
        self.statements(&function.body);
        self.span = function.span;
    }

    /// The stores of a global's initialiser.
    pub(super) fn initialise_global(&mut self, index: usize, init: &Init) {
        let base = self.statics.globals[index];
        for (offset, value) in &init.stores {
            self.span = value.span;
            let base = self.constant(base as u64);
            self.store_initial(base, *offset as u32, value);
        }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        self.span = statement.span;
        // The slots and memory of an expression are free again after its statement.
        let (mark, memory) = (self.mark(), self.memory);
        self.statement_kind(&statement.kind);
        self.release(mark);
        self.memory = memory;
    }

    fn statement_kind(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(expr) => self.discard(expr),
            StmtKind::Declare(local, init) => self.declare(*local, init),
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::If(condition, yes, no) => self.if_else(condition, yes, no.as_deref()),
            StmtKind::While(condition, body) => {
                self.loop_statement(None, Some(condition), None, body, true)
            }
            StmtKind::DoWhile(body, condition) => {
                self.loop_statement(None, Some(condition), None, body, false)
            }
            StmtKind::For { init, condition, step, body } => self.loop_statement(
                init.as_deref(),
                condition.as_deref(),
                step.as_deref(),
                body,
                true,
            ),
            StmtKind::Switch { value, cases, default, body } => {
                self.switch(value, cases, *default, body)
            }
            StmtKind::Label(case) => {
                let label = self.scopes.cases.last().and_then(|cases| cases.get(case));
                if let Some(&label) = label {
                    self.place_label(label);
                }
            }
            StmtKind::Target(target) => {
                let label = self.label_of(*target);
                self.place_label(label);
            }
            StmtKind::Goto(target) => {
                let label = self.label_of(*target);
                self.jump(label);
            }
            StmtKind::Break => {
                if let Some(&label) = self.scopes.breaks.last() {
                    self.jump(label);
                }
            }
            StmtKind::Continue => {
                if let Some(&label) = self.scopes.continues.last() {
                    self.jump(label);
                }
            }
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::Assembly(of) => self.assembly(of),
        }
    }

    /// The operands are in consecutive slots, after the arguments of the built-in that the statement waits for.
    fn assembly(&mut self, of: &Assembly) {
        let site = Site::new(&of.text);
        let first = self.temporary();
        let slots: Vec<Slot> =
            (1..assembly_text::slots(site.operands)).map(|_| self.temporary()).collect();
        let slots = slots.get(MOST_ARGUMENTS - 1..).unwrap_or(&[]);
        let registers = of.text.registers.iter().zip(&of.locals);
        let operands: Vec<(Register, Slot)> = registers
            .filter_map(|(register, local)| match local.map(|local| self.home(local)) {
                Some(Home::Slot(slot)) => Some(((*register)?, slot)),
                _ => None,
            })
            .collect();
        for ((register, home), &slot) in operands.iter().zip(slots) {
            match register.read {
                true => self.emit(Op::Move, slot, *home, 0, 0, 0),
                false => self.emit(Op::Const, slot, 0, 0, 0, 0),
            }
        }
        self.code.assemblies.push(Arc::new(site));
        let number = self.code.assemblies.len() as u32 - 1;
        self.emit(Op::Assembly, first, 0, 0, number, 0);
        for ((register, home), &slot) in operands.iter().zip(slots) {
            if register.written {
                self.emit(Op::Move, *home, slot, 0, 0, 0);
            }
        }
    }

    /// The target of a `goto`, which may be known later.
    fn label_of(&mut self, target: LabelId) -> Label {
        match self.scopes.targets.get(&target) {
            Some(&label) => label,
            None => {
                let label = self.label();
                self.scopes.targets.insert(target, label);
                label
            }
        }
    }

    fn declare(&mut self, local: LocalId, init: &Init) {
        let Some(function) = self.function else {
            return;
        };
        let ty = &function.local(local).ty;
        match self.home(local) {
            Home::Slot(slot) => match init.stores.last() {
                Some((_, value)) => self.value_into(value, slot),
                None => {
                    let zero = self.constant(0);
                    self.move_to(slot, zero);
                }
            },
            Home::Memory(at) => self.declare_in_memory(at, ty, init),
        }
    }

    fn declare_in_memory(&mut self, at: u32, ty: &Type, init: &Init) {
        let base = self.frame();
        if init.zero || init.stores.is_empty() {
            let size = self.size(ty);
            self.emit(Op::Clear, base, 0, 0, size, at);
        }
        for (offset, value) in &init.stores {
            self.store_initial(base, at.wrapping_add(*offset as u32), value);
        }
    }

    /// Stores the initial value of a part; an expression without a value makes it itself.
    fn store_initial(&mut self, base: Slot, offset: u32, value: &Expr) {
        if value.ty == Type::Void {
            return self.discard(value);
        }
        let mark = self.mark();
        let slot = self.value(value);
        self.store(Location::Memory { base, offset }, &value.ty, slot);
        self.release(mark);
    }

    fn if_else(&mut self, condition: &Expr, yes: &Stmt, no: Option<&Stmt>) {
        let (other, end) = (self.label(), self.label());
        self.branch(condition, other, false);
        self.statement(yes);
        if no.is_some() {
            self.jump(end);
        }
        self.place_label(other);
        if let Some(no) = no {
            self.statement(no);
        }
        self.place_label(end);
    }

    /// A loop; its condition is at the end, so that an iteration has one jump.
    fn loop_statement(
        &mut self,
        init: Option<&Stmt>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        test_first: bool,
    ) {
        if let Some(init) = init {
            self.statement(init);
        }
        let (top, next, test, end) = (self.label(), self.label(), self.label(), self.label());
        if test_first && condition.is_some() {
            self.jump(test);
        }
        self.place_label(top);
        self.scopes.breaks.push(end);
        self.scopes.continues.push(next);
        self.statement(body);
        self.scopes.breaks.pop();
        self.scopes.continues.pop();
        self.place_label(next);
        if let Some(step) = step {
            self.span = step.span;
            self.discard(step);
        }
        self.place_label(test);
        match condition {
            Some(condition) => self.branch(condition, top, true),
            None => self.jump(top),
        }
        self.place_label(end);
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[(i64, CaseId)],
        default: Option<CaseId>,
        body: &Stmt,
    ) {
        let slot = self.value(value);
        let end = self.label();
        let mut labels = BTreeMap::new();
        for case in cases.iter().map(|&(_, case)| case).chain(default) {
            let label = self.label();
            labels.insert(case, label);
        }
        let otherwise = default.map_or(end, |case| labels[&case]);
        let table = SwitchTable {
            cases: cases.iter().map(|(v, case)| (*v, labels[case].0)).collect(),
            otherwise: otherwise.0,
        };
        let number = self.add_switch(table);
        self.emit(Op::Switch, slot, 0, 0, number, 0);
        self.scopes.breaks.push(end);
        self.scopes.cases.push(labels);
        self.statement(body);
        self.scopes.cases.pop();
        self.scopes.breaks.pop();
        self.place_label(end);
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        let Some(value) = value else {
            return self.emit(Op::ReturnVoid, 0, 0, 0, 0, 0);
        };
        if value.ty == Type::Void {
            self.discard(value);
            return self.emit(Op::ReturnVoid, 0, 0, 0, 0, 0);
        }
        let slot = self.value(value);
        if value.ty.is_scalar() {
            return self.emit(Op::Return, slot, 0, 0, 0, 0);
        }
        // The address of the result is the slot after the parameters.
        let to = self.function.map_or(0, |function| function.parameters) as u16;
        let size = self.size(&value.ty);
        self.emit(Op::Copy, to, slot, 0, size, 0);
        self.emit(Op::ReturnVoid, 0, 0, 0, 0, 0);
    }
}

/// Returns true if control may jump past a declaration.
fn has_jump(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Switch { .. } | StmtKind::Goto(_) => true,
        StmtKind::Block(statements) => statements.iter().any(has_jump),
        StmtKind::If(_, yes, no) => has_jump(yes) || no.as_deref().is_some_and(has_jump),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => has_jump(body),
        StmtKind::For { init, body, .. } => has_jump(body) || init.as_deref().is_some_and(has_jump),
        _ => false,
    }
}
