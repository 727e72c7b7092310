//! Vectors such as `float4`, which are accessed as a whole.

use super::tree::{Expr, Init, Module, Place, Stmt, Struct, Type};
use super::tree::{ExprKind, PlaceKind, StmtKind};
use super::tree_walk::{expr_parts, place_parts, statement_parts};
use crate::syntax::source::Span;

impl Type {
    /// The most aligned one of the vectors in an object that are accessed as a whole.
    pub fn vector<'s>(&self, structs: &'s [Struct]) -> Option<&'s Struct> {
        match self {
            Type::Array(element, _) => element.vector(structs),
            Type::Struct(id) => {
                let data = &structs[id.0 as usize];
                let inner = || {
                    let fields = data.fields.iter().filter(|_| !data.is_union);
                    fields.filter_map(|field| field.ty.vector(structs)).max_by_key(|it| it.align)
                };
                if data.is_vector { Some(data) } else { inner() }
            }
            _ => None,
        }
    }
}

/// The vector that is read or written where a range of the source begins.
pub fn accessed_at(module: &Module, at: Span) -> Option<&Struct> {
    let mut search = Search { module, at, found: None };
    for function in &module.functions {
        function.body.iter().for_each(|statement| search.statement(statement));
    }
    search.found
}

struct Search<'t> {
    module: &'t Module,
    at: Span,
    found: Option<&'t Struct>,
}

impl<'t> Search<'t> {
    fn note(&mut self, span: Span, ty: &Type) {
        if (span.file, span.start) == (self.at.file, self.at.start) {
            self.found = self.found.or(ty.vector(&self.module.structs));
        }
    }

    fn statement(&mut self, statement: &'t Stmt) {
        statement_parts!(self, &statement.kind);
    }

    fn init(&mut self, init: &'t Init) {
        init.stores.iter().for_each(|(_, value)| self.expr(value));
    }

    fn expr(&mut self, value: &'t Expr) {
        self.note(value.span, &value.ty);
        expr_parts!(self, &value.kind);
    }

    fn place(&mut self, place: &'t Place) {
        self.note(place.span, &place.ty);
        place_parts!(self, &place.kind);
    }
}
