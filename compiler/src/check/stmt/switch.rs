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
    Loop,
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
        if jumps.iter().any(|jump| is_break || matches!(jump, Jump::Loop)) {
            return Some(kind);
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
        self.push_jump(Jump::Switch(Switch { kind, ..Switch::default() }));
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
            Jump::Loop => None,
        })
    }

    pub(crate) fn case(&mut self, value: &ast::Expr, span: Span, out: &mut Vec<Stmt>) {
        let known = self.constant_integer(value, "the value of a `case`");
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
