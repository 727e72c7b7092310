//! Declarations of the names that a program uses.

use super::tree::{
    Expr, ExprKind, Function, FunctionId, Init, Module, Place, PlaceKind, Stmt, StmtKind,
};
use super::tree_walk::{expr_parts, place_parts, statement_parts};
use crate::syntax::source::{SourceMap, Span};

/// The place that declares the variable or function which a word of the source names; `None` if the
/// word names neither, or the function that it is in is not part of the module.
pub fn declaration(module: &Module, sources: &SourceMap, word: Span) -> Option<Span> {
    let name = sources.slice(word);
    let own = module.functions.iter().map(|function| (&*function.name, function.span));
    let locals = module.functions.iter().flat_map(|function| &function.locals);
    let declared = own
        .chain(locals.map(|local| (&*local.name, local.span)))
        .chain(module.globals.iter().map(|global| (&*global.name, global.span)))
        .chain(module.shared.iter().map(|shared| (&*shared.name, shared.span)));
    if let Some((_, span)) = declared.into_iter().find(|&(_, span)| covers(span, word)) {
        return Some(span);
    }
    let find = |function| {
        let mut finder = Finder { module, function, word, name, found: None };
        finder.function.body.iter().for_each(|statement| finder.statement(statement));
        finder.found
    };
    module.functions.iter().find_map(find)
}

fn covers(span: Span, word: Span) -> bool {
    span.file == word.file && span.start <= word.start && word.end <= span.end
}

/// Searches the body of a function for the use of a name.
struct Finder<'a> {
    module: &'a Module,
    function: &'a Function,
    word: Span,
    name: &'a str,
    found: Option<Span>,
}

impl Finder<'_> {
    fn statement(&mut self, statement: &Stmt) {
        statement_parts!(self, &statement.kind);
    }

    fn init(&mut self, init: &Init) {
        init.stores.iter().for_each(|(_, value)| self.expr(value));
    }

    fn expr(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Call(function, _) | ExprKind::Function(function) => {
                self.call(value, *function);
            }
            ExprKind::Launch(launch) => self.call(value, launch.kernel),
            _ => {}
        }
        expr_parts!(self, &value.kind);
    }

    /// A function is used in an expression, whose range covers its name and its arguments.
    fn call(&mut self, value: &Expr, function: FunctionId) {
        let function = self.module.function(function);
        let plain = function.name.split('<').next().unwrap_or_default();
        let last = plain.rsplit("::").next().unwrap_or_default();
        if last == self.name && covers(value.span, self.word) {
            self.found = Some(function.span);
        }
    }

    fn place(&mut self, place: &Place) {
        let declared = match place.kind {
            PlaceKind::Local(local) => {
                let local = self.function.local(local);
                Some((&*local.name, local.span))
            }
            PlaceKind::Global(global) => {
                let global = &self.module.globals[global.0 as usize];
                Some((&*global.name, global.span))
            }
            PlaceKind::Shared(shared) => {
                let shared = &self.module.shared[shared.0 as usize];
                Some((&*shared.name, shared.span))
            }
            _ => None,
        };
        if let Some((name, span)) = declared {
            let last = name.rsplit("::").next().unwrap_or_default();
            if last == self.name && covers(place.span, self.word) {
                self.found = Some(span);
            }
        }
        place_parts!(self, &place.kind);
    }
}
