//! `switch`, and the statements that leave it and loops.

use super::enclose;
use crate::check::expr::convert;
use crate::check::state::Checker;
use crate::check::state::jumps::Switch;
use crate::check::tree::{Stmt, StmtKind};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// Later `break` and `continue` leave a loop.
    pub(crate) fn begin_loop(&mut self) {
        let height = self.open_cleanups();
        if let Some(body) = &mut self.body {
            body.jumps.begin_loop(height);
        }
    }

    /// Ends the loop that [`begin_loop`](Self::begin_loop) began.
    pub(crate) fn end_loop(&mut self) {
        if let Some(body) = &mut self.body {
            body.jumps.end_loop();
        }
    }

    /// `break` or `continue`.
    pub(crate) fn leave(&mut self, kind: StmtKind, span: Span) -> Option<StmtKind> {
        let is_break = matches!(kind, StmtKind::Break);
        if let Some(height) = self.body.as_ref().and_then(|body| body.jumps.target_height(&kind)) {
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
        let height = self.open_cleanups();
        let value = self.asked(condition, false, &mut out);
        let value = value.and_then(|value| {
            let value = self.scalar(value);
            let value = self.arithmetic(value);
            if value.ty.is_integer() {
                let ty = value.ty.promoted();
                return Some(convert::cast(value, &ty));
            }
            let message = format!("`switch` takes an integer, not a `{}`", self.spell(&value.ty));
            self.fail(Diagnostic::error(code::NOT_SCALAR, value.expr.span, message))
        });
        let switch = Switch::over(value.as_ref().map(|value| &value.ty), self.open_cleanups());
        self.body.as_mut()?.jumps.begin_switch(switch);
        let body = Box::new(self.scoped(body));
        let done = self.body.as_mut()?.jumps.end_switch();
        let mut after = Vec::new();
        self.end_cleanups(height, span, &mut after);
        self.close_scope();
        let done = done?;
        let default = done.default.map(|(id, _)| id);
        let kind =
            StmtKind::Switch { value: Box::new(value?.expr), cases: done.cases, default, body };
        Some(enclose(out, kind, after, span))
    }

    /// The innermost switch.
    fn innermost(&mut self) -> Option<&mut Switch> {
        self.body.as_mut()?.jumps.innermost_switch()
    }

    /// Reports a label after the declaration of an object with a destructor.
    fn check_bypass(&mut self, span: Span) {
        let open = self.open_cleanups();
        if self.innermost().is_some_and(|switch| open > switch.height) {
            let message = "this jumps past the initialisation of an object with a destructor";
            self.report(Diagnostic::error(code::MISPLACED_JUMP, span, message));
        }
    }

    pub(crate) fn case(&mut self, value: &ast::Expr, span: Span, out: &mut Vec<Stmt>) {
        let found = self.typed_constant(value, "the value of a `case`");
        self.check_bypass(span);
        let Some(switch) = self.innermost() else {
            self.report_label("case", span);
            return;
        };
        let (Some((typed, known)), Some(kind)) = (found, switch.kind) else {
            return;
        };
        let Some(known) = self.label_value(&typed, known, kind) else {
            return;
        };
        let Some(switch) = self.innermost() else {
            return;
        };
        match switch.add_case(known, value.span) {
            Ok(id) => out.push(Stmt { kind: StmtKind::Label(id), span }),
            Err(earlier) => {
                let message = format!("the value {known} has a `case` already");
                self.report(
                    Diagnostic::error(code::DUPLICATE_CASE, value.span, message)
                        .secondary(earlier, "the first one"),
                );
            }
        }
    }

    pub(crate) fn default_label(&mut self, span: Span, out: &mut Vec<Stmt>) {
        self.check_bypass(span);
        let Some(switch) = self.innermost() else {
            self.report_label("default", span);
            return;
        };
        match switch.add_default(span) {
            Ok(id) => out.push(Stmt { kind: StmtKind::Label(id), span }),
            Err(earlier) => {
                let message = "the switch has a `default` already";
                self.report(
                    Diagnostic::error(code::DUPLICATE_CASE, span, message)
                        .secondary(earlier, "the first one"),
                );
            }
        }
    }

    fn report_label(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` stands outside a switch");
        self.report(Diagnostic::error(code::MISPLACED_JUMP, span, message));
    }
}
