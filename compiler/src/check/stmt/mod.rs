//! Statements.

mod assembly;
pub(crate) mod cleanup;
pub(crate) mod flow;
pub(crate) mod label;
pub(crate) mod passed;
pub(crate) mod switch;

use crate::check::declare::init::{Declared, Source};
use crate::check::expr::convert::Purpose;
use crate::check::expr::object::void;
use crate::check::state::Checker;
use crate::check::state::functions::Binding;
use crate::check::state::scopes::Symbol;
use crate::check::tree::{Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind, StructId, UnaryOp};
use crate::check::types::CType;
use crate::check::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::sync::Arc;

impl Checker {
    /// Checks a statement and appends its checked form.
    pub(crate) fn statement(&mut self, statement: &ast::Stmt, out: &mut Vec<Stmt>) {
        let span = statement.span;
        match &statement.kind {
            ast::StmtKind::Declaration(declaration) => self.block_declaration(declaration, out),
            ast::StmtKind::Error(names) => self.poison_names(names),
            ast::StmtKind::Assertion(assertion) => self.assertion_holds(assertion),
            ast::StmtKind::Using(name) => self.using(name, span),
            ast::StmtKind::Expr(None) => {}
            ast::StmtKind::Block(statements) => {
                let kind = StmtKind::Block(self.block(statements));
                out.push(Stmt { kind, span });
            }
            ast::StmtKind::Case(value) => self.case(value, span, out),
            ast::StmtKind::Default => self.default_label(span, out),
            ast::StmtKind::Unroll(factor, body) => {
                self.unrolled(factor.as_ref(), body.span);
                self.statement(body, out);
            }
            _ => match self.flow_statement(statement) {
                Some(kind) => out.push(Stmt { kind, span }),
                None => self.note_left_out(span),
            },
        }
    }

    /// Remembers that something of the body is left out, for a fault that has to be among its errors.
    pub(crate) fn note_left_out(&mut self, span: Span) {
        if let Some(body) = &mut self.body {
            body.left_out.get_or_insert(span);
        }
    }

    fn flow_statement(&mut self, statement: &ast::Stmt) -> Option<StmtKind> {
        let span = statement.span;
        match &statement.kind {
            ast::StmtKind::Expr(Some(value)) => {
                Some(StmtKind::Expr(self.unused_value(value)?.expr))
            }
            ast::StmtKind::If(true, ast::Condition::Expr(condition), yes, no) => {
                self.constant_if(condition, yes, no.as_deref())
            }
            ast::StmtKind::If(_, condition, yes, no) => {
                self.if_statement(condition, yes, no.as_deref(), span)
            }
            ast::StmtKind::While(condition, body) => self.while_statement(condition, body, span),
            ast::StmtKind::Do(body, condition) => {
                let body = self.loop_body(body);
                let test = self.whole_condition(condition)?;
                Some(StmtKind::DoWhile(Box::new(body), test))
            }
            ast::StmtKind::For { init, condition, step, body } => {
                self.for_statement(init, condition.as_ref(), step.as_ref(), body, span)
            }
            ast::StmtKind::RangeFor(of) => self.range_for(of, span),
            ast::StmtKind::Switch(condition, body) => self.switch(condition, body, span),
            ast::StmtKind::Assembly(statement) => self.assembly(statement, span),
            ast::StmtKind::Label(name) => self.target(name, span),
            ast::StmtKind::Goto(name) => self.goto(name, span),
            ast::StmtKind::Break => self.leave(StmtKind::Break, span),
            ast::StmtKind::Continue => self.leave(StmtKind::Continue, span),
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span),
            _ => None,
        }
    }

    /// Records the factor of `#pragma unroll` for a loop.
    fn unrolled(&mut self, factor: Option<&ast::Expr>, at: Span) {
        let Some(asked) = factor else {
            return self.note_unrolled(at, 0);
        };
        let Some(known) = self.constant_integer(asked, "the factor of `#pragma unroll`") else {
            return;
        };
        match u32::try_from(known) {
            Ok(known @ 1..) if i32::try_from(known).is_ok() => self.note_unrolled(at, known),
            _ => {
                let message = format!(
                    "`#pragma unroll {known}` does nothing: a factor is from 1 to 2147483647"
                );
                self.report(Diagnostic::warning(code::UNROLL, asked.span, message));
            }
        }
    }

    fn note_unrolled(&mut self, at: Span, factor: u32) {
        if let Some(body) = &mut self.body {
            body.unrolled.insert(at, factor);
        }
    }

    /// Names in a faulty statement may be declared by it.
    fn poison_names(&mut self, names: &[Name]) {
        for name in names {
            if self.scopes.find(name).is_none() {
                self.scopes.set(name.clone(), Symbol::Poisoned, None);
            }
        }
    }

    pub(crate) fn block(&mut self, statements: &[ast::Stmt]) -> Vec<Stmt> {
        let mut out = Vec::new();
        self.open_scope();
        let height = self.open_cleanups();
        statements.iter().for_each(|statement| self.statement(statement, &mut out));
        if let Some(last) = statements.last() {
            self.end_cleanups(height, last.span, &mut out);
        }
        self.close_scope();
        out
    }

    /// A statement that is a scope by itself.
    pub(crate) fn scoped(&mut self, statement: &ast::Stmt) -> Stmt {
        let mut out = self.block(std::slice::from_ref(statement));
        match (out.pop(), out.is_empty()) {
            (Some(only), true) => only,
            (last, _) => {
                out.extend(last);
                Stmt { kind: StmtKind::Block(out), span: statement.span }
            }
        }
    }

    pub(crate) fn loop_body(&mut self, body: &ast::Stmt) -> Stmt {
        self.begin_loop();
        let body = self.scoped(body);
        self.end_loop();
        body
    }

    /// The expression of a condition, and the declaration of the variable it declares.
    pub(crate) fn asked(
        &mut self,
        condition: &ast::Condition,
        tests: bool,
        out: &mut Vec<Stmt>,
    ) -> Option<Value> {
        match condition {
            ast::Condition::Expr(value) => {
                let mark = self.open_temporaries();
                let value = self.value(value)?;
                if self.open_temporaries() == mark {
                    return Some(value);
                }
                let value = if tests { self.truth_value(value) } else { self.scalar(value) };
                let expr = self.full_expression(mark, value.expr);
                Some(Value { expr, ..value })
            }
            ast::Condition::Declaration(declaration) => {
                self.block_declaration(declaration, out);
                let declared = declaration.declarators.first()?;
                let name = declared.declarator.name.as_ref()?;
                let span = declared.declarator.name_span;
                let operand = self.name(name, span)?;
                Some(self.load(operand))
            }
        }
    }

    /// The condition of an `if` or `while`, after the declaration of the variable it declares.
    fn tested(&mut self, condition: &ast::Condition) -> (Vec<Stmt>, Option<Expr>) {
        let mut out = Vec::new();
        let test = self.asked(condition, true, &mut out);
        let mark = self.open_temporaries();
        let test = test.and_then(|test| self.condition(test, "the condition"));
        (out, test.map(|test| self.full_expression(mark, test)))
    }

    /// A condition with the destructors of the objects that end after it.
    fn whole_condition(&mut self, condition: &ast::Expr) -> Option<Expr> {
        let mark = self.open_temporaries();
        let test = self.value(condition)?;
        let test = self.condition(test, "the condition")?;
        Some(self.full_expression(mark, test))
    }

    fn if_statement(
        &mut self,
        condition: &ast::Condition,
        yes: &ast::Stmt,
        no: Option<&ast::Stmt>,
        span: Span,
    ) -> Option<StmtKind> {
        self.open_scope();
        let height = self.open_cleanups();
        let (before, test) = self.tested(condition);
        let yes = Box::new(self.scoped(yes));
        let no = no.map(|no| Box::new(self.scoped(no)));
        let mut after = Vec::new();
        self.end_cleanups(height, span, &mut after);
        self.close_scope();
        Some(enclose(before, StmtKind::If(test?, yes, no), after, span))
    }

    /// `if constexpr`: only the side that is taken is checked.
    fn constant_if(
        &mut self,
        condition: &ast::Expr,
        yes: &ast::Stmt,
        no: Option<&ast::Stmt>,
    ) -> Option<StmtKind> {
        let known = self.constant_integer(condition, "the condition of `if constexpr`")?;
        let (side, other) = if known != 0 { (Some(yes), no) } else { (no, Some(yes)) };
        other.into_iter().for_each(|other| self.note_uses_in(other.span));
        Some(StmtKind::Block(side.map(|side| self.scoped(side)).into_iter().collect()))
    }

    fn while_statement(
        &mut self,
        condition: &ast::Condition,
        body: &ast::Stmt,
        span: Span,
    ) -> Option<StmtKind> {
        self.open_scope();
        let height = self.open_cleanups();
        self.begin_loop();
        let (mut out, test) = self.tested(condition);
        let body = self.scoped(body);
        let leave = self.leaving(height, StmtKind::Break, span);
        let mut after = Vec::new();
        self.end_cleanups(height, span, &mut after);
        self.end_loop();
        self.close_scope();
        let test = test?;
        if out.is_empty() {
            return Some(StmtKind::While(test, Box::new(body)));
        }
        // The variable is made again in each iteration, so that the test moves into the body.
        let place = test.span;
        let kind = ExprKind::Unary(UnaryOp::Not, Box::new(test));
        let failed = Expr { kind, ty: CType::Bool.lower(), span: place };
        let leave = Box::new(Stmt { kind: leave, span: place });
        out.push(Stmt { kind: StmtKind::If(failed, leave, None), span: place });
        out.push(body);
        out.extend(after);
        let body = Stmt { kind: StmtKind::Block(out), span };
        let always = Value::int(1, CType::Bool, place).expr;
        Some(StmtKind::While(always, Box::new(body)))
    }

    fn for_statement(
        &mut self,
        init: &ast::Stmt,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
    ) -> Option<StmtKind> {
        let mut before = Vec::new();
        self.open_scope();
        let height = self.open_cleanups();
        self.statement(init, &mut before);
        let test = condition.map(|condition| self.whole_condition(condition));
        let step = step.map(|step| self.unused_value(step));
        let body = Box::new(self.loop_body(body));
        let mut after = Vec::new();
        self.end_cleanups(height, span, &mut after);
        self.close_scope();
        let condition = test.map_or(Some(None), |test| test.map(|test| Some(Box::new(test))));
        let step = step.map_or(Some(None), |step| step.map(|step| Some(Box::new(step.expr))));
        let (condition, step) = (condition?, step?);
        let init = if before.len() == 1 { before.pop().map(Box::new) } else { None };
        Some(enclose(before, StmtKind::For { init, condition, step, body }, after, span))
    }

    /// `for (item : range)`, over arrays, and over objects with functions `begin` and `end`.
    fn range_for(&mut self, of: &ast::RangeFor, span: Span) -> Option<StmtKind> {
        let refused = match &of.range {
            ast::Initializer::Expr(range) => match self.type_of(range)?.ty() {
                CType::Array(_, Some(_)) => Ok(&of.array),
                CType::Struct(id) if self.is_range(*id) => Ok(&of.object),
                ty => Err(format!("a `{}`", self.spell(ty))),
            },
            ast::Initializer::List { .. } => Ok(&of.array),
        };
        self.open_scope();
        let height = self.open_cleanups();
        let mut before = Vec::new();
        let looped = match refused {
            Ok(how) => self.range_loop(of, how, &mut before),
            Err(what) => {
                let message = format!("unsupported: range-based `for` over {what}");
                self.report(
                    Diagnostic::error(code::UNSUPPORTED_CPP, of.range.span(), message).help(
                        "arrays can be gone through, and objects with functions `begin` and `end`",
                    ),
                );
                let names =
                    of.array.item.declarators.iter().filter_map(|one| one.declarator.name.as_ref());
                names.for_each(|name| self.scopes.set(name.clone(), Symbol::Poisoned, None));
                self.loop_body(&of.body);
                None
            }
        };
        let mut after = Vec::new();
        self.end_cleanups(height, span, &mut after);
        self.close_scope();
        Some(enclose(before, looped?, after, span))
    }

    /// Returns true if a structure has functions for the start and end of its elements.
    fn is_range(&self, id: StructId) -> bool {
        ["begin", "end"].iter().all(|name| self.member_functions(id, name).is_some())
    }

    fn range_loop(
        &mut self,
        of: &ast::RangeFor,
        how: &ast::RangeLoop,
        before: &mut Vec<Stmt>,
    ) -> Option<StmtKind> {
        match &of.range {
            ast::Initializer::Expr(_) => self.block_declaration(&of.setup, before),
            ast::Initializer::List { elements, span, .. } => {
                self.listed_range(of, elements, *span, before)?;
            }
        }
        how.start.iter().for_each(|start| self.block_declaration(start, before));
        let condition = self.whole_condition(&how.condition);
        let step = self.unused_value(&how.step);
        self.begin_loop();
        self.open_scope();
        let height = self.open_cleanups();
        let mut body = Vec::new();
        self.block_declaration(&how.item, &mut body);
        match &of.body.kind {
            // Declarations in the braces belong to the block of the item, which they hide.
            ast::StmtKind::Block(statements) => {
                let kind = StmtKind::Block(self.block(statements));
                body.push(Stmt { kind, span: of.body.span });
            }
            _ => body.push(self.scoped(&of.body)),
        }
        self.end_cleanups(height, of.body.span, &mut body);
        self.close_scope();
        self.end_loop();
        let body = Box::new(Stmt { kind: StmtKind::Block(body), span: of.body.span });
        Some(StmtKind::For {
            init: None,
            condition: Some(Box::new(condition?)),
            step: Some(Box::new(step?.expr)),
            body,
        })
    }

    /// An array for the elements of a list that a range-based `for` goes through.
    fn listed_range(
        &mut self,
        of: &ast::RangeFor,
        elements: &[ast::InitializerElement],
        span: Span,
        before: &mut Vec<Stmt>,
    ) -> Option<()> {
        let declared = of.setup.declarators.first()?;
        let name = declared.declarator.name.as_ref()?;
        let mut types = Vec::new();
        for element in elements {
            match &element.value {
                ast::Initializer::Expr(value) if element.designators.is_empty() => {
                    let operand = self.type_of(value)?;
                    types.push(match operand.ty() {
                        CType::Array(element, _) => (**element).clone().pointer(),
                        ty => ty.clone(),
                    });
                }
                other => {
                    let message = "unsupported: lists in a list that a `for` goes through";
                    let found = Diagnostic::error(code::UNSUPPORTED_CPP, other.span(), message);
                    return self.fail(found);
                }
            }
        }
        let Some(first) = types.first() else {
            let message = "a `for` goes through an empty list, whose elements have no type";
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
        };
        if let Some(other) = types.iter().find(|ty| *ty != first) {
            let (one, other) = (self.spell(first), self.spell(other));
            let message = format!("the list has elements of the types `{one}` and `{other}`");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
        }
        let count = elements.len() as u64;
        let array = CType::Array(Arc::new(first.clone().plain()), Some(count)).plain();
        let list = ast::Initializer::List { elements: elements.to_vec(), span, depth: 1 };
        let (mark, begin) = (self.open_temporaries(), before.len());
        let found = Declared {
            name,
            span,
            ty: array,
            reference: false,
            binding: Binding::Objects,
            source: Source::Initializer(&list),
            is_constexpr: false,
            quiet: true,
        };
        let kind = self.declared_local(found, span)?;
        before.push(Stmt { kind, span });
        self.end_declaration(mark, begin, span, before);
        Some(())
    }

    fn return_statement(
        &mut self,
        value: Option<&ast::Initializer>,
        span: Span,
    ) -> Option<StmtKind> {
        if self.notes_returned(value, span) {
            return Some(StmtKind::Return(None));
        }
        let mark = self.open_temporaries();
        let body = self.body.as_ref()?;
        let result = body.result.clone();
        let info = self.functions.get(body.function)?;
        let (name, declared, gives_up) = (info.name.to_string(), info.span, info.gives_up);
        let why = Purpose::Return(name.clone(), declared);
        if let Some(to) = body.reference.clone()
            && let Some(ast::Initializer::Expr(value)) = value
        {
            let operand = self.object_operand(value)?;
            let binding = if gives_up { Binding::Values } else { Binding::Objects };
            let address = self.bind(&to, binding, operand, &why)?;
            let address = self.full_expression(mark, address);
            return Some(self.returning(Some(address), span));
        }
        let given = match value {
            None => None,
            Some(value) => Some(self.returned(value, result.as_ref())?),
        };
        let result = result?;
        match given {
            None if result.is_void() => Some(self.leaving(0, StmtKind::Return(None), span)),
            None => {
                let message =
                    format!("`{name}` returns `{}`, but no value is given", self.spell(&result));
                self.fail(
                    Diagnostic::error(code::BAD_RETURN, span, message)
                        .secondary(declared, "declared here"),
                )
            }
            Some(value) if result.is_void() => {
                if value.ty.is_void() {
                    // `return f();` of a void function: the call, then the return.
                    let value = self.full_expression(mark, value.expr);
                    return Some(self.returning(Some(value), span));
                }
                let message = format!(
                    "`{name}` returns nothing, but a value of type `{}` is given",
                    self.spell(&value.ty)
                );
                self.fail(
                    Diagnostic::error(code::BAD_RETURN, value.expr.span, message)
                        .secondary(declared, "declared here with the result `void`"),
                )
            }
            Some(value) => {
                let why = Purpose::Return(name, declared);
                let value = self.convert_or_construct(value, &result, &why)?;
                let value = match self.body.as_ref()?.makes {
                    true => self.made_result(value, &result, span),
                    false => value.expr,
                };
                let value = self.full_expression(mark, value);
                Some(self.returning(Some(value), span))
            }
        }
    }

    /// Makes a function's result in its caller's place.
    fn made_result(&mut self, value: Value, result: &CType, span: Span) -> Expr {
        let object = self.result_object(result, span);
        match &value.expr.kind {
            // The variable that is the result.
            ExprKind::Load(place) if self.is_named_result(place) => {
                Value::new(
                    ExprKind::Convert(Box::new(Value::int(0, CType::INT, span).expr)),
                    CType::Void,
                    span,
                )
                .expr
            }
            _ => void(self.make_at(&object.place, value.expr)),
        }
    }

    /// Returns true if a place is the variable that is the function's result.
    fn is_named_result(&self, place: &Place) -> bool {
        let is_result = |pointer: &Expr| match &pointer.kind {
            ExprKind::Load(Place { kind: PlaceKind::Local(id), .. }) => id.0 == 0,
            _ => false,
        };
        self.body.as_ref().is_some_and(|body| body.makes)
            && matches!(&place.kind, PlaceKind::Deref(pointer) if is_result(pointer))
    }

    /// Returns true if a place is a variable or parameter of the function being checked.
    fn is_own(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) => true,
            // A parameter that is passed by its address.
            PlaceKind::Deref(pointer) => {
                let (Some(body), ExprKind::Load(held)) = (&self.body, &pointer.kind) else {
                    return false;
                };
                let info = &self.functions[body.function];
                let PlaceKind::Local(id) = held.kind else {
                    return false;
                };
                let number = (id.0 as usize).checked_sub(self.hidden_parameters(info));
                let parameter = number.and_then(|number| info.parameters.get(number));
                parameter.is_some_and(|one| one.as_ref().is_some_and(|one| !one.reference))
            }
            _ => false,
        }
    }

    /// The value after `return`; a list makes a structure of the result's type.
    pub(crate) fn returned(
        &mut self,
        value: &ast::Initializer,
        result: Option<&CType>,
    ) -> Option<Value> {
        let (elements, span) = match value {
            ast::Initializer::Expr(value) => {
                let mut operand = self.operand(value)?;
                if let (ast::ExprKind::Name(_), Operand::Place(place)) = (&value.kind, &mut operand)
                    && self.is_own(&place.place)
                {
                    // It ends here (C++17, [class.copy.elision]).
                    place.expires = true;
                }
                let is_result = matches!(&operand, Operand::Place(place)
                    if self.is_named_result(&place.place));
                if is_result || Some(operand.ty()) != result {
                    return Some(self.load(operand));
                }
                return self.copied_object(operand, value.span);
            }
            ast::Initializer::List { elements, span, .. } => (elements, *span),
        };
        if let Some(CType::Struct(id)) = result
            && self.structure(*id).constructed
        {
            return self.constructed_by_list(*id, elements, span);
        }
        if let Some(made) = self.value_of_parts(result, elements, span) {
            return made;
        }
        let operands = self.listed_operands(elements, "here")?;
        let mut values = Vec::new();
        for operand in operands {
            values.push(self.copied_object(operand, span)?);
        }
        match result? {
            CType::Struct(id) => {
                let values = self.listed_members(*id, values)?;
                self.make_struct(*id, values, span)
            }
            ty if values.len() == 1 && ty.is_arithmetic() => {
                self.convert_listed(values.pop()?, ty, &Purpose::Plain)
            }
            _ if values.len() == 1 => values.pop(),
            ty => {
                let message = format!("`{}` takes one value, not a list", self.spell(ty));
                self.fail(Diagnostic::error(code::BAD_INITIALISER, span, message))
            }
        }
    }
}

/// A statement after the declarations that it needs and before the destructors of their objects.
pub(super) fn enclose(
    mut before: Vec<Stmt>,
    kind: StmtKind,
    after: Vec<Stmt>,
    span: Span,
) -> StmtKind {
    if before.is_empty() && after.is_empty() {
        return kind;
    }
    before.push(Stmt { kind, span });
    before.extend(after);
    StmtKind::Block(before)
}
