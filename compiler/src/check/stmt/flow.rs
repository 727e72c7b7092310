//! Whether the end of a function can be reached.

use crate::check::builtin::Builtin;
use crate::check::tree::{Expr, ExprKind, Stmt, StmtKind};

/// Whether control can arrive after the statements.
pub(crate) fn completes(statements: &[Stmt]) -> bool {
    let mut reached = true;
    for statement in statements {
        reached = match &statement.kind {
            // Control can come here from the head of the switch.
            StmtKind::Label(_) | StmtKind::Target(_) => true,
            _ if contains_label(statement) => passes(statement),
            _ => reached && passes(statement),
        };
    }
    reached
}

/// Whether control that enters a statement can leave it at its end.
fn passes(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Expr(value) => !ends_program(value),
        StmtKind::Block(statements) => completes(statements),
        StmtKind::If(_, yes, no) => passes(yes) || no.as_ref().is_none_or(|no| passes(no)),
        StmtKind::While(condition, body) => !is_true(condition) || breaks(body),
        StmtKind::DoWhile(body, condition) => {
            breaks(body) || (!is_true(condition) && (passes(body) || continues(body)))
        }
        StmtKind::For { condition, body, .. } => {
            condition.as_ref().is_some_and(|condition| !is_true(condition)) || breaks(body)
        }
        StmtKind::Switch { default, body, .. } => default.is_none() || breaks(body) || passes(body),
        StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(_) => false,
        StmtKind::Declare(..) | StmtKind::Label(_) | StmtKind::Target(_) => true,
    }
}

fn is_true(condition: &Expr) -> bool {
    matches!(crate::check::expr::constant::evaluate(condition),
        Some(crate::check::expr::constant::Const::Int(value)) if value != 0)
}

fn ends_program(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Builtin(Builtin::Exit | Builtin::Abort, _) => true,
        ExprKind::Comma(_, last) => ends_program(last),
        _ => false,
    }
}

/// Whether a statement contains one that `is_it`, outside loops (`into_loops`: also inside) and
/// switches (`into_switches`).
fn contains(statement: &Stmt, into: (bool, bool), is_it: &dyn Fn(&StmtKind) -> bool) -> bool {
    let inner = |statement: &Stmt| contains(statement, into, is_it);
    if is_it(&statement.kind) {
        return true;
    }
    match &statement.kind {
        StmtKind::Block(statements) => statements.iter().any(inner),
        StmtKind::If(_, yes, no) => inner(yes) || no.as_ref().is_some_and(|no| inner(no)),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
            into.0 && inner(body)
        }
        StmtKind::Switch { body, .. } => into.1 && inner(body),
        _ => false,
    }
}

/// Whether a `break` in a loop's body leaves that loop.
fn breaks(body: &Stmt) -> bool {
    contains(body, (false, false), &|kind| matches!(kind, StmtKind::Break))
}

fn continues(body: &Stmt) -> bool {
    contains(body, (false, true), &|kind| matches!(kind, StmtKind::Continue))
}

/// Whether control can come into a statement from outside: it contains a label of the switch around
/// it, or one that `goto` leads to.
fn contains_label(statement: &Stmt) -> bool {
    contains(statement, (true, true), &|kind| matches!(kind, StmtKind::Target(_)))
        || contains(statement, (true, false), &|kind| matches!(kind, StmtKind::Label(_)))
}
