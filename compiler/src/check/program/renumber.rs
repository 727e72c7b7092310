//! Shows every expression, and every number of a structure, function, variable and string, in parts of the
//! checked tree, to be replaced or remembered.

use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Global, GlobalId, Init, Place, PlaceKind, SharedId, Stmt,
    StmtKind, StringId, StructId, Type,
};
use crate::check::tree_walk::{expr_parts, place_parts, statement_parts};
use std::sync::Arc;

/// The treatment of expressions and numbers; by default none.
pub(crate) trait Numbers {
    /// Returns true to visit the parts of the expression too.
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
    statements.iter_mut().for_each(|statement| Walk(numbers).statement(statement));
}

pub(crate) fn in_global(global: &mut Global, numbers: &mut dyn Numbers) {
    in_type(&mut global.ty, numbers);
    Walk(numbers).init(&mut global.init);
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

pub(crate) fn in_exprs(values: &mut [Expr], numbers: &mut dyn Numbers) {
    values.iter_mut().for_each(|value| Walk(numbers).expr(value));
}

fn has_structure(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Pointer(inner) | Type::Array(inner, _) => has_structure(inner),
        _ => false,
    }
}

/// Goes through the tree.
struct Walk<'n>(&'n mut dyn Numbers);

impl Walk<'_> {
    fn init(&mut self, init: &mut Init) {
        init.stores.iter_mut().for_each(|(_, value)| self.expr(value));
    }

    fn statement(&mut self, statement: &mut Stmt) {
        statement_parts!(self, &mut statement.kind);
    }

    fn expr(&mut self, value: &mut Expr) {
        if !self.0.expr(value) {
            return;
        }
        in_type(&mut value.ty, self.0);
        match &mut value.kind {
            ExprKind::String(id) => self.0.string(id),
            ExprKind::Function(id) | ExprKind::Call(id, _) => self.0.function(id),
            ExprKind::Launch(launch) => self.0.function(&mut launch.kernel),
            ExprKind::AssignOp { common, .. } => in_type(common, self.0),
            _ => {}
        }
        expr_parts!(self, &mut value.kind, mut);
    }

    fn place(&mut self, place: &mut Place) {
        in_type(&mut place.ty, self.0);
        match &mut place.kind {
            PlaceKind::Global(id) => self.0.global(id),
            PlaceKind::Shared(id) => self.0.shared(id),
            _ => {}
        }
        place_parts!(self, &mut place.kind);
    }
}
