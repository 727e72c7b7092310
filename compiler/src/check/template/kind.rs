//! The kind of entity that a template makes, by its text.

use crate::check::declare::declarator::function_parts;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;

/// The kind of entity that a template makes.
pub(super) enum Kind<'a> {
    Function(&'a ast::Declarator),
    Struct(&'a ast::StructSpecifier),
    Alias,
    Variable(&'a ast::InitDeclarator),
    Other,
}

/// The entity that the item of a template makes.
pub(super) fn kind(item: &ast::Item) -> Kind<'_> {
    match item {
        ast::Item::Function(definition) => Kind::Function(&definition.declarator),
        ast::Item::Declaration(declaration) => match declaration.declarators.first() {
            Some(first) if function_parts(&first.declarator).is_some() => {
                Kind::Function(&first.declarator)
            }
            Some(_) if is_typedef(declaration) => Kind::Alias,
            Some(first) if declaration.declarators.len() == 1 => Kind::Variable(first),
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

/// The number of parameters of a template's function.
pub(super) fn arity(item: &ast::Item) -> Option<usize> {
    match kind(item) {
        Kind::Function(declarator) => Some(function_parts(declarator)?.parameters.len()),
        _ => None,
    }
}

/// The names of a template's parameters.
pub(super) fn names(tree: &ast::Template) -> Vec<Option<Name>> {
    tree.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}
