//! `std::swap`, of any two objects of one type.

use crate::check::state::Checker;
use crate::check::tree::{Expr, ExprKind};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// `swap(a, b)`: three assignments through a temporary; each operand is evaluated once.
    pub(crate) fn swap(&mut self, arguments: &[ast::Expr], span: Span) -> Option<Value> {
        let operands = self.operands(arguments)?;
        self.swap_operands(arguments, operands, span)
    }

    /// Swaps operands that have been checked.
    pub(crate) fn swap_operands(
        &mut self,
        arguments: &[ast::Expr],
        operands: Vec<Operand>,
        span: Span,
    ) -> Option<Value> {
        let [first, second] = arguments else {
            return self.report_count("swap", 2, 2, arguments.len(), span, None);
        };
        let Ok([Operand::Place(a), Operand::Place(b)]) = <[Operand; 2]>::try_from(operands) else {
            let message = "`swap` takes two objects".to_owned();
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
        };
        let is_object = matches!(a.ty.ty, CType::Array(..) | CType::Void | CType::Opaque(_))
            || a.is_part()
            || b.is_part();
        if a.ty.ty != b.ty.ty || is_object || a.ty.is_constant() || b.ty.is_constant() {
            let (a, b) = (self.spell_qualified(&a.ty), self.spell_qualified(&b.ty));
            let message = format!("`swap` takes two objects of one type, not `{a}` and `{b}`");
            return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
        }
        let mut steps: Vec<Expr> = Vec::new();
        let a = self.once(a, first, &mut steps)?;
        let b = self.once(b, second, &mut steps)?;
        let given_up = |place: &Lvalue| Lvalue { expires: true, constant: None, ..place.clone() };
        let old = self.copied_object(given_up(&a).into(), span)?;
        let (keep, kept) = self.materialise(old)?;
        steps.push(keep);
        steps.push(self.assigned_in_swap(&a, given_up(&b), span)?);
        steps.push(self.assigned_in_swap(&b, given_up(&kept), span)?);
        let last = steps.pop()?;
        let all = steps.into_iter().rev().fold(last, |behind, step| {
            let ty = behind.ty.clone();
            Expr { kind: ExprKind::Comma(Box::new(step), Box::new(behind)), ty, span }
        });
        let all = Expr { ty: CType::Void.lower(), span, kind: ExprKind::Convert(Box::new(all)) };
        Some(Value { expr: all, ty: CType::Void, bits: None })
    }

    /// A place that can be evaluated again: a variable, or the target of a temporary.
    fn once(
        &mut self,
        place: Lvalue,
        written: &ast::Expr,
        steps: &mut Vec<Expr>,
    ) -> Option<Lvalue> {
        if matches!(written.kind, ast::ExprKind::Name(_)) {
            return Some(place);
        }
        let ty = place.ty.clone();
        let address = self.address(place, written.span);
        let (keep, pointer) = self.hold(address)?;
        steps.push(keep);
        let pointer = self.load(pointer.into());
        Some(Lvalue::deref(pointer.expr, ty, written.span))
    }

    fn assigned_in_swap(&mut self, to: &Lvalue, from: Lvalue, span: Span) -> Option<Expr> {
        let (to, from) = (Operand::from(to.clone()), Operand::from(from));
        if let Some(made) = self.assigned_object(&to, &from, span) {
            let made = made?;
            return Some(self.load(made).expr);
        }
        let Operand::Place(to) = to else {
            return None;
        };
        let value = self.load(from).expr;
        let ty = value.ty.clone();
        Some(Expr { kind: ExprKind::Assign(Box::new(to.place), Box::new(value)), ty, span })
    }
}
