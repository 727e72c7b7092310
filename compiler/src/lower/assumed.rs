//! A kernel's assumptions about its launches: the `__builtin_assume` among the statements of its
//! body. Those in branches or loops are left out, because they hold only where control reaches
//! them.

use crate::analysis::{Condition, Launches, affine::WARP};
use crate::check::tree::{
    Axis, BinaryOp, Expr, ExprKind, Function, Special, Stmt, StmtKind, UnaryOp,
};

/// The launches that a kernel assumes.
pub fn launches(kernel: &Function) -> Launches {
    each(&kernel.body, Launches::default())
}

fn each(statements: &[Stmt], known: Launches) -> Launches {
    statements.iter().fold(known, |known, statement| match &statement.kind {
        StmtKind::Block(inner) => each(inner, known),
        StmtKind::Expr(value) => match &plain(value).kind {
            ExprKind::Assume(condition) => known.and(&assumed(condition)),
            _ => known,
        },
        _ => known,
    })
}

/// The launches for which a condition holds, as far as is known.
fn assumed(condition: &Expr) -> Launches {
    match &plain(condition).kind {
        ExprKind::And(one, other) => assumed(one).and(&assumed(other)),
        ExprKind::Unary(UnaryOp::Not, value) => equal(value, 0),
        ExprKind::Binary(BinaryOp::Equal, one, other) => {
            match (&plain(one).kind, &plain(other).kind) {
                (_, &ExprKind::Int(number)) => equal(one, number),
                (&ExprKind::Int(number), _) => equal(other, number),
                _ => Launches::default(),
            }
        }
        _ => Launches::default(),
    }
}

/// The launches for which a value is a number.
fn equal(value: &Expr, number: i64) -> Launches {
    match (&plain(value).kind, u32::try_from(number)) {
        (_, Ok(0)) if is_rest_of_warp(value) => Condition::Rows.into(),
        (&ExprKind::Special(Special::BlockDim(axis)), Ok(extent @ 1..)) => {
            let mut block = [None; 3];
            block[axis as usize] = Some(extent);
            Launches::of_block(block)
        }
        _ => Launches::default(),
    }
}

/// Returns true if a value is 0 only if `blockDim.x` is a multiple of the warp.
fn is_rest_of_warp(value: &Expr) -> bool {
    let ExprKind::Binary(op, extent, number) = &plain(value).kind else { return false };
    let ExprKind::Int(number) = plain(number).kind else { return false };
    let warp = i64::from(WARP);
    let fits = match op {
        BinaryOp::Rem => number != 0 && number % warp == 0,
        BinaryOp::And => number & (warp - 1) == warp - 1,
        _ => false,
    };
    fits && matches!(plain(extent).kind, ExprKind::Special(Special::BlockDim(Axis::X)))
}

/// An expression without the conversions around it, none of which changes a small number.
fn plain(value: &Expr) -> &Expr {
    match &value.kind {
        ExprKind::Convert(inner) if !inner.ty.is_floating() => plain(inner),
        _ => value,
    }
}
