//! The effects of evaluating an expression.

use reconverge_compiler::check::tree::{Expr, ExprKind, Place, PlaceKind};

/// Returns true if an expression assigns to any local variable directly. Slots of variables that
/// were read before must then be saved first.
pub(super) fn writes_variable(expr: &Expr) -> bool {
    let place = match &expr.kind {
        ExprKind::Assign(place, _) => Some(place),
        ExprKind::AssignOp { place, .. } => Some(place),
        ExprKind::AssignPointerAdd { place, .. } => Some(place),
        ExprKind::Increment { place, .. } => Some(place),
        _ => None,
    };
    if place.is_some_and(|place| matches!(place.kind, PlaceKind::Local(_))) {
        return true;
    }
    any_child(expr, &mut writes_variable)
}

/// Returns true if evaluating a place assigns to a local variable.
pub(super) fn place_writes_variable(place: &Place) -> bool {
    any_in_place(place, &mut writes_variable)
}

/// Returns true if evaluating a place can change any memory at all.
pub(super) fn place_has_effects(place: &Place) -> bool {
    any_in_place(place, &mut has_effects)
}

fn has_effects(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Assign(..)
        | ExprKind::AssignOp { .. }
        | ExprKind::AssignPointerAdd { .. }
        | ExprKind::Increment { .. }
        | ExprKind::Call(..)
        | ExprKind::Builtin(..)
        | ExprKind::Launch(_) => true,
        _ => any_child(expr, &mut has_effects),
    }
}

fn any_in_place(place: &Place, test: &mut impl FnMut(&Expr) -> bool) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Shared(_) => false,
        PlaceKind::Deref(expr) | PlaceKind::Temporary(expr) => test(expr),
        PlaceKind::Field(base, _) => any_in_place(base, test),
    }
}

/// Returns true if a test holds for any direct operand.
fn any_child(expr: &Expr, test: &mut impl FnMut(&Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => false,
        ExprKind::Function(_) | ExprKind::Special(_) | ExprKind::Assume(_) => false,
        ExprKind::Load(place) => any_in_place(place, test),
        ExprKind::AddressOf(place) => any_in_place(place, test),
        ExprKind::Increment { place, .. } => any_in_place(place, test),
        ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => test(operand),
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right) => test(left) || test(right),
        ExprKind::PointerDifference { left, right, .. } => test(left) || test(right),
        ExprKind::PointerAdd { pointer, index, .. } => test(pointer) || test(index),
        ExprKind::Conditional(condition, yes, no) => test(condition) || test(yes) || test(no),
        ExprKind::Assign(place, value) => any_in_place(place, test) || test(value),
        ExprKind::AssignOp { place, value, .. } => any_in_place(place, test) || test(value),
        ExprKind::AssignPointerAdd { place, index, .. } => any_in_place(place, test) || test(index),
        ExprKind::Call(_, operands)
        | ExprKind::Builtin(_, operands)
        | ExprKind::Construct(operands) => operands.iter().any(test),
        ExprKind::Launch(launch) => [&launch.grid, &launch.block, &launch.shared, &launch.stream]
            .into_iter()
            .chain(&launch.arguments)
            .any(test),
    }
}
