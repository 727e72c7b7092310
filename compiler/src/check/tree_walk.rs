//! The parts of statements, expressions and places of the checked tree, for a walk through all of
//! it.
//!
//! Each macro shows the parts to methods of a walker, `statement`, `init`, `expr` and `place`; with `mut`
//! after, as `&mut`.

/// The statements, initialisers and expressions that a kind of statement is made of.
macro_rules! statement_parts {
    ($walker:expr, $kind:expr) => {
        match $kind {
            StmtKind::Expr(value) => $walker.expr(value),
            StmtKind::Declare(_, init) => $walker.init(init),
            StmtKind::Block(inner) => {
                for statement in inner {
                    $walker.statement(statement);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                $walker.expr(condition);
                $walker.statement(then);
                if let Some(otherwise) = otherwise {
                    $walker.statement(otherwise);
                }
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                $walker.expr(condition);
                $walker.statement(body);
            }
            StmtKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    $walker.statement(init);
                }
                for value in condition.into_iter().chain(step) {
                    $walker.expr(value);
                }
                $walker.statement(body);
            }
            StmtKind::Switch { value, body, .. } => {
                $walker.expr(value);
                $walker.statement(body);
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    $walker.expr(value);
                }
            }
            StmtKind::Label(_)
            | StmtKind::Target(_)
            | StmtKind::Goto(_)
            | StmtKind::Assembly(_)
            | StmtKind::Break
            | StmtKind::Continue => {}
        }
    };
}

/// The expressions and places that a kind of expression is made of.
macro_rules! expr_parts {
    ($walker:expr, $kind:expr $(, $mut:tt)?) => {
        match $kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => {}
            ExprKind::Function(_) | ExprKind::Special(_) | ExprKind::Assume(_) => {}
            ExprKind::Load(place) => $walker.place(place),
            ExprKind::AddressOf(place) => $walker.place(place),
            ExprKind::Increment { place, .. } => $walker.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => $walker.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. } => {
                $walker.expr(left);
                $walker.expr(right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                $walker.expr(condition);
                $walker.expr(yes);
                $walker.expr(no);
            }
            ExprKind::Assign(place, value)
            | ExprKind::AssignOp { place, value, .. }
            | ExprKind::AssignPointerAdd { place, index: value, .. } => {
                $walker.place(place);
                $walker.expr(value);
            }
            ExprKind::Call(_, values)
            | ExprKind::Builtin(_, values)
            | ExprKind::Construct(values) => {
                for value in values {
                    $walker.expr(value);
                }
            }
            ExprKind::Launch(launch) => {
                $walker.expr(&$($mut)? launch.grid);
                $walker.expr(&$($mut)? launch.block);
                $walker.expr(&$($mut)? launch.shared);
                $walker.expr(&$($mut)? launch.stream);
                for value in &$($mut)? launch.arguments {
                    $walker.expr(value);
                }
            }
        }
    };
}

/// The expression or place that a kind of place is made of.
macro_rules! place_parts {
    ($walker:expr, $kind:expr) => {
        match $kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) | PlaceKind::Shared(_) => {}
            PlaceKind::Deref(value) | PlaceKind::Temporary(value) => $walker.expr(value),
            PlaceKind::Field(base, _) => $walker.place(base),
        }
    };
}

pub(crate) use {expr_parts, place_parts, statement_parts};
