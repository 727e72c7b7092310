//! Shows every expression, and every number of a structure, function, variable and string, in parts of the
//! checked tree, to be replaced or remembered.

use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Global, GlobalId, Init, Place, PlaceKind, SharedId, Stmt,
    StmtKind, StringId, StructId, Type,
};
use std::sync::Arc;

/// What is done with expressions and numbers; by default nothing.
pub(crate) trait Numbers {
    /// Whether what is in the expression is to be shown too.
    fn expr(&mut self, _: &mut Expr) -> bool {
        true
    }
    fn structure(&mut self, _: &mut StructId) {}
    fn function(&mut self, _: &mut FunctionId) {}
    fn global(&mut self, _: &mut GlobalId) {}
    fn shared(&mut self, _: &mut SharedId) {}
    fn string(&mut self, _: &mut StringId) {}
}

pub(crate) fn in_function(function: &mut Function, numbers: &mut dyn Numbers) {
    in_type(&mut function.result, numbers);
    function.locals.iter_mut().for_each(|local| in_type(&mut local.ty, numbers));
    in_statements(&mut function.body, numbers);
}

pub(crate) fn in_statements(statements: &mut [Stmt], numbers: &mut dyn Numbers) {
    statements.iter_mut().for_each(|statement| in_statement(statement, numbers));
}

pub(crate) fn in_global(global: &mut Global, numbers: &mut dyn Numbers) {
    in_type(&mut global.ty, numbers);
    in_init(&mut global.init, numbers);
}

pub(crate) fn in_type(ty: &mut Type, numbers: &mut dyn Numbers) {
    match ty {
        Type::Struct(id) => numbers.structure(id),
        Type::Pointer(inner) | Type::Array(inner, _) if has_structure(inner) => {
            let mut changed = Type::clone(inner);
            in_type(&mut changed, numbers);
            *inner = Arc::new(changed);
        }
        _ => {}
    }
}

fn has_structure(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Pointer(inner) | Type::Array(inner, _) => has_structure(inner),
        _ => false,
    }
}

fn in_init(init: &mut Init, numbers: &mut dyn Numbers) {
    init.stores.iter_mut().for_each(|(_, value)| in_expr(value, numbers));
}

fn in_statement(statement: &mut Stmt, numbers: &mut dyn Numbers) {
    match &mut statement.kind {
        StmtKind::Expr(value) => in_expr(value, numbers),
        StmtKind::Declare(_, init) => in_init(init, numbers),
        StmtKind::Block(inner) => in_statements(inner, numbers),
        StmtKind::If(condition, yes, no) => {
            in_expr(condition, numbers);
            in_statement(yes, numbers);
            no.iter_mut().for_each(|no| in_statement(no, numbers));
        }
        StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
            in_expr(condition, numbers);
            in_statement(body, numbers);
        }
        StmtKind::For { init, condition, step, body } => {
            init.iter_mut().for_each(|init| in_statement(init, numbers));
            condition.iter_mut().chain(step).for_each(|value| in_expr(value, numbers));
            in_statement(body, numbers);
        }
        StmtKind::Switch { value, body, .. } => {
            in_expr(value, numbers);
            in_statement(body, numbers);
        }
        StmtKind::Return(value) => value.iter_mut().for_each(|value| in_expr(value, numbers)),
        StmtKind::Label(_)
        | StmtKind::Target(_)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue => {}
    }
}

pub(crate) fn in_exprs<'a>(
    values: impl IntoIterator<Item = &'a mut Expr>,
    numbers: &mut dyn Numbers,
) {
    values.into_iter().for_each(|value| in_expr(value, numbers));
}

fn in_expr(value: &mut Expr, numbers: &mut dyn Numbers) {
    if !numbers.expr(value) {
        return;
    }
    in_type(&mut value.ty, numbers);
    match &mut value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Special(_) => {}
        ExprKind::String(id) => numbers.string(id),
        ExprKind::Function(id) => numbers.function(id),
        ExprKind::Load(place) | ExprKind::AddressOf(place) => in_place(place, numbers),
        ExprKind::Increment { place, .. } => in_place(place, numbers),
        ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => in_expr(operand, numbers),
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. } => {
            in_exprs([&mut **left, &mut **right], numbers);
        }
        ExprKind::Conditional(condition, yes, no) => {
            in_exprs([&mut **condition, &mut **yes, &mut **no], numbers);
        }
        ExprKind::AssignOp { place, value, common, .. } => {
            in_type(common, numbers);
            in_place(place, numbers);
            in_expr(value, numbers);
        }
        ExprKind::Assign(place, value) | ExprKind::AssignPointerAdd { place, index: value, .. } => {
            in_place(place, numbers);
            in_expr(value, numbers);
        }
        ExprKind::Call(id, arguments) => {
            numbers.function(id);
            in_exprs(arguments, numbers);
        }
        ExprKind::Builtin(_, arguments) | ExprKind::Construct(arguments) => {
            in_exprs(arguments, numbers);
        }
        ExprKind::Launch(launch) => {
            numbers.function(&mut launch.kernel);
            in_exprs([&mut launch.grid, &mut launch.block, &mut launch.shared], numbers);
            in_exprs(&mut launch.arguments, numbers);
        }
    }
}

fn in_place(place: &mut Place, numbers: &mut dyn Numbers) {
    in_type(&mut place.ty, numbers);
    match &mut place.kind {
        PlaceKind::Local(_) => {}
        PlaceKind::Global(id) => numbers.global(id),
        PlaceKind::Shared(id) => numbers.shared(id),
        PlaceKind::Deref(value) | PlaceKind::Temporary(value) => in_expr(value, numbers),
        PlaceKind::Field(base, _) => in_place(base, numbers),
    }
}
