//! Templates: the arguments they are given or that follow from a call, and what they make.
//!
//! A template is kept as syntax. Each list of arguments makes it once, in the scope in which it was
//! declared, with its parameters standing for the arguments; a function's body when it is called.

mod arguments;
mod declare;
mod deduce;
mod instantiate;
mod order;
mod specialise;

use crate::check::Checker;
use crate::check::declare::declarator::function_parts;
use crate::check::scope::{Context, Overloads, Symbol};
use crate::check::tree::StructId;
use crate::check::types::{CType, QType};
use crate::diagnostic::Diagnostic;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::rc::Rc;
use std::sync::Arc;

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Type(QType),
    Value(i64, CType),
    /// A function, by its name.
    Function(Name, Rc<Overloads>),
}

/// A template.
#[derive(Debug)]
pub(crate) struct TemplateInfo {
    pub name: Name,
    tree: Arc<ast::Template>,
    context: Context,
    /// The structure that a function template belongs to.
    owner: Option<StructId>,
    /// What it has made: the number of a function or a structure.
    instances: Vec<(Vec<Argument>, Made)>,
    /// Forms of a class template for some arguments.
    partial: Vec<(Arc<ast::Template>, Context)>,
    /// Functions of a class template that are defined outside it.
    outside: Vec<Outside>,
    pub span: Span,
}

/// A function of a class template that is defined outside it.
#[derive(Clone, Debug)]
struct Outside {
    /// With the parameters of the class template.
    tree: Arc<ast::Template>,
    /// Its name in the structure.
    name: Name,
    context: Context,
}

#[derive(Clone, Debug)]
enum Made {
    Function(usize),
    Type(QType),
}

impl TemplateInfo {
    /// Whether what it makes belongs to a structure.
    pub fn is_member(&self) -> bool {
        self.owner.is_some()
    }

    /// What is wrong with the text of bodies of which nothing was made.
    pub fn unread(&self) -> Vec<Diagnostic> {
        if !self.instances.is_empty() {
            return Vec::new();
        }
        let outside = self.outside.iter().map(|outside| &outside.tree.item);
        std::iter::once(&self.tree.item).chain(outside).flat_map(faults_in).collect()
    }
}

/// What is wrong with the text of a function's body.
fn faults_in(item: &ast::Item) -> Vec<Diagnostic> {
    match item {
        ast::Item::Function(definition) => definition.body.parse().1,
        _ => Vec::new(),
    }
}

/// What a template makes.
enum Kind<'a> {
    Function(&'a ast::Declarator),
    Struct(&'a ast::StructSpecifier),
    Alias,
    Other,
}

fn kind(item: &ast::Item) -> Kind<'_> {
    match item {
        ast::Item::Function(definition) => Kind::Function(&definition.declarator),
        ast::Item::Declaration(declaration) => match declaration.declarators.first() {
            Some(first) if function_parts(&first.declarator).is_some() => {
                Kind::Function(&first.declarator)
            }
            Some(_) if is_typedef(declaration) => Kind::Alias,
            Some(_) => Kind::Other,
            None => {
                let structs = declaration.specifiers.items.iter().find_map(|one| match &one.kind {
                    ast::SpecifierKind::Struct(found) => Some(&**found),
                    _ => None,
                });
                structs.map_or(Kind::Other, Kind::Struct)
            }
        },
        _ => Kind::Other,
    }
}

fn is_typedef(declaration: &ast::Declaration) -> bool {
    let word = ast::Word::Typedef;
    let is = |one: &ast::Specifier| matches!(one.kind, ast::SpecifierKind::Word(w) if w == word);
    declaration.specifiers.items.iter().any(is)
}

/// How many parameters the function that a template makes has.
fn arity(item: &ast::Item) -> Option<usize> {
    match kind(item) {
        Kind::Function(declarator) => Some(function_parts(declarator)?.parameters.len()),
        _ => None,
    }
}

impl Checker {
    /// Does something whose faults are no faults of the program.
    pub(crate) fn silently<T>(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let (count, errors) = (self.diagnostics.len(), self.errors);
        let uses = self.poison_uses.len();
        let found = attempt(self);
        let failed = self.errors > errors;
        self.diagnostics.truncate(count);
        self.poison_uses.truncate(uses);
        self.errors = errors;
        found.filter(|_| !failed)
    }

    /// The functions of a name with arguments.
    pub(crate) fn templates_of(&mut self, name: &Name, span: Span) -> Option<Rc<Overloads>> {
        match self.symbol_of(name) {
            Some(Symbol::Functions(list)) => Some(list),
            Some(Symbol::Poisoned) => None,
            _ => {
                self.report_unknown(name, span, "the function template ");
                None
            }
        }
    }
}

/// The names of a template's parameters.
fn names(tree: &ast::Template) -> Vec<Option<Name>> {
    tree.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}
