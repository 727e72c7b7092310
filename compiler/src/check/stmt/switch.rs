//! `switch`, and the statements that leave it and loops.

use crate::check::Checker;
use crate::check::expr::constant::wrap;
use crate::check::expr::convert;
use crate::check::tree::{CaseId, IntKind, Stmt, StmtKind};
use crate::check::types::CType;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use std::collections::BTreeMap;

/// A statement that can be left.
#[derive(Debug)]
pub(crate) enum Jump {
    /// With how many objects there are around that will end.
    Loop(usize),
    Switch(Switch),
}

/// A switch and its labels so far.
#[derive(Debug, Default)]
pub(crate) struct Switch {
    /// The type of its value; `None` when that was reported.
    kind: Option<IntKind>,
    cases: Vec<(i64, CaseId)>,
    places: BTreeMap<i64, Span>,
    default: Option<(CaseId, Span)>,
    next: u32,
    /// How many objects there are around that will end.
    height: usize,
}

impl Switch {
    fn label(&mut self) -> CaseId {
        self.next += 1;
        CaseId(self.next - 1)
    }
}

impl Checker {
    pub(crate) fn push_jump(&mut self, jump: Jump) {
        if let Some(body) = &mut self.body {
            body.jumps.push(jump);
        }
    }

    pub(crate) fn pop_jump(&mut self) -> Option<Jump> {
        self.body.as_mut()?.jumps.pop()
    }

    /// `break` or `continue`.
    pub(crate) fn leave(&mut self, kind: StmtKind, span: Span) -> Option<StmtKind> {
        let jumps = self.body.as_ref().map_or(&[][..], |body| &body.jumps);
        let is_break = matches!(kind, StmtKind::Break);
        let height = jumps.iter().rev().find_map(|jump| match jump {
            Jump::Loop(height) => Some(*height),
            Jump::Switch(switch) => is_break.then_some(switch.height),
        });
        if let Some(height) = height {
            return Some(self.leaving(height, kind, span));
        }
        let (word, place) =
            if is_break { ("break", "a loop or a switch") } else { ("continue", "a loop") };
        let message = format!("`{word}` stands outside {place}");
        self.fail(Diagnostic::error(code::MISPLACED_JUMP, span, message))
    }

    pub(crate) fn switch(
        &mut self,
        condition: &ast::Condition,
        body: &ast::Stmt,
        span: Span,
    ) -> Option<StmtKind> {
        let mut out = Vec::new();
        self.open_scope();
        let value = self.asked(condition, &mut out);
        let value = value.and_then(|value| {
            let value = self.arithmetic(value);
            if value.ty.is_integer() {
                let ty = value.ty.promoted();
                return Some(convert::cast(value, &ty));
            }
            let message = format!("`switch` takes an integer, not a `{}`", self.spell(&value.ty));
            self.fail(Diagnostic::error(code::NOT_SCALAR, value.expr.span, message))
        });
        let kind = match value.as_ref().map(|value| &value.ty) {
            Some(CType::Int(kind)) => Some(*kind),
            _ => None,
        };
        let height = self.open_cleanups();
        self.push_jump(Jump::Switch(Switch { kind, height, ..Switch::default() }));
        let body = Box::new(self.scoped(body));
        let done = self.pop_jump();
        self.close_scope();
        let Some(Jump::Switch(done)) = done else {
            return None;
        };
        let default = done.default.map(|(id, _)| id);
        let kind = StmtKind::Switch { value: value?.expr, cases: done.cases, default, body };
        if out.is_empty() {
            return Some(kind);
        }
        out.push(Stmt { kind, span });
        Some(StmtKind::Block(out))
    }

    /// The innermost switch.
    fn innermost(&mut self) -> Option<&mut Switch> {
        let jumps = &mut self.body.as_mut()?.jumps;
        jumps.iter_mut().rev().find_map(|jump| match jump {
            Jump::Switch(switch) => Some(switch),
            Jump::Loop(_) => None,
        })
    }

    /// Reports a label behind the declaration of an object with a destructor.
    fn check_bypass(&mut self, span: Span) {
        let open = self.open_cleanups();
        if self.innermost().is_some_and(|switch| open > switch.height) {
            let message = "this jumps past the initialisation of an object with a destructor";
            self.report(Diagnostic::error(code::MISPLACED_JUMP, span, message));
        }
    }

    pub(crate) fn case(&mut self, value: &ast::Expr, span: Span, out: &mut Vec<Stmt>) {
        let known = self.constant_integer(value, "the value of a `case`");
        self.check_bypass(span);
        let Some(switch) = self.innermost() else {
            self.report_label("case", span);
            return;
        };
        let (Some(known), Some(kind)) = (known, switch.kind) else {
            return;
        };
        let known = wrap(kind, known);
        if let Some(&earlier) = switch.places.get(&known) {
            let message = format!("the value {known} has a `case` already");
            self.report(
                Diagnostic::error(code::DUPLICATE_CASE, value.span, message)
                    .secondary(earlier, "the first one"),
            );
            return;
        }
        let id = switch.label();
        switch.places.insert(known, value.span);
        switch.cases.push((known, id));
        out.push(Stmt { kind: StmtKind::Label(id), span });
    }

    pub(crate) fn default_label(&mut self, span: Span, out: &mut Vec<Stmt>) {
        self.check_bypass(span);
        let Some(switch) = self.innermost() else {
            self.report_label("default", span);
            return;
        };
        if let Some((_, earlier)) = switch.default {
            let message = "the switch has a `default` already";
            self.report(
                Diagnostic::error(code::DUPLICATE_CASE, span, message)
                    .secondary(earlier, "the first one"),
            );
            return;
        }
        let id = switch.label();
        switch.default = Some((id, span));
        out.push(Stmt { kind: StmtKind::Label(id), span });
    }

    fn report_label(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` stands outside a switch");
        self.report(Diagnostic::error(code::MISPLACED_JUMP, span, message));
    }
}
