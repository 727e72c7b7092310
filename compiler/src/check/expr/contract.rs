//! Contraction: a product that a sum or difference takes as operand is not rounded by itself where
//! C allows it, within one expression (C11 6.5p8), as nvcc does for device code by default.
//!
//! The decision is made here, and the tree has [`Builtin::FmaF`] or [`Builtin::FmaD`], so that the
//! interpreter and the machine round alike. Functions that the host may call too are left alone:
//! they must give one result on both sides.

use crate::check::builtin::Builtin;
use crate::check::state::Checker;
use crate::check::tree::{BinaryOp, Expr, ExprKind, Place, PlaceKind, Type, UnaryOp};

impl Checker {
    /// Returns true if products are contracted here.
    fn contracts(&self, ty: &Type) -> bool {
        let device_only =
            self.body.as_ref().is_some_and(|body| !self.functions[body.function].sides.host);
        self.options.contract && device_only && ty.is_floating()
    }

    /// `left ± right`, contracted if one of them is a product. If both are, the first is.
    pub(super) fn contracted(&self, op: BinaryOp, left: Expr, right: Expr) -> ExprKind {
        let plain = |left, right| ExprKind::Binary(op, Box::new(left), Box::new(right));
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.contracts(&left.ty) {
            return plain(left, right);
        }
        let subtracts = op == BinaryOp::Sub;
        match (left.kind, right.kind) {
            (ExprKind::Binary(BinaryOp::Mul, a, b), kind) => {
                let right = Expr { kind, ..right };
                fused(*a, *b, if subtracts { negated(right) } else { right })
            }
            // The product is evaluated first then, which must not make a difference.
            (kind, ExprKind::Binary(BinaryOp::Mul, a, b))
                if is_still_kind(&kind) && is_still(&a) && is_still(&b) =>
            {
                let left = Expr { kind, ..left };
                fused(if subtracts { negated(*a) } else { *a }, *b, left)
            }
            (one, other) => plain(Expr { kind: one, ..left }, Expr { kind: other, ..right }),
        }
    }

    /// `place ± value` for the assignment `place ±= value`, if the value is a product; the value
    /// again if nothing is contracted.
    pub(super) fn contracted_assignment(
        &self,
        op: BinaryOp,
        place: &Place,
        common: &Type,
        value: Expr,
    ) -> Result<ExprKind, Expr> {
        let steps = matches!(op, BinaryOp::Add | BinaryOp::Sub);
        let twice = !place.volatile && is_still_place(place);
        if !steps || !twice || place.ty != *common || !self.contracts(common) {
            return Err(value);
        }
        match value.kind {
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (ty, span) = (common.clone(), value.span);
                let old = Expr { kind: ExprKind::Load(place.clone()), ty: ty.clone(), span };
                let a = if op == BinaryOp::Sub { negated(*a) } else { *a };
                let sum = Expr { kind: fused(a, *b, old), ty, span };
                Ok(ExprKind::Assign(Box::new(place.clone()), Box::new(sum)))
            }
            kind => Err(Expr { kind, ..value }),
        }
    }
}

/// `a * b + c`, rounded once.
fn fused(a: Expr, b: Expr, c: Expr) -> ExprKind {
    let builtin = if a.ty == Type::Float { Builtin::FmaF } else { Builtin::FmaD };
    ExprKind::Builtin(builtin, vec![a, b, c])
}

fn negated(value: Expr) -> Expr {
    let (ty, span) = (value.ty.clone(), value.span);
    Expr { kind: ExprKind::Unary(UnaryOp::Negate, Box::new(value)), ty, span }
}

/// Returns true if evaluating it changes nothing, so that it may happen earlier, later or twice.
/// Calls count as changes.
fn is_still(value: &Expr) -> bool {
    is_still_kind(&value.kind)
}

fn is_still_kind(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Special(_) | ExprKind::Assume(_) => true,
        ExprKind::Load(place) => !place.volatile && is_still_place(place),
        ExprKind::AddressOf(place) => is_still_place(place),
        ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => is_still(operand),
        ExprKind::Binary(_, left, right) => is_still(left) && is_still(right),
        ExprKind::PointerAdd { pointer, index, .. } => is_still(pointer) && is_still(index),
        ExprKind::Builtin(Builtin::FmaF | Builtin::FmaD, operands) => operands.iter().all(is_still),
        _ => false,
    }
}

pub(super) fn is_still_place(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Shared(_) => true,
        PlaceKind::Deref(pointer) => is_still(pointer),
        PlaceKind::Field(base, _) => is_still_place(base),
        PlaceKind::Temporary(_) => false,
    }
}
