//! `S(S &&) = default;` and its kin beside another function of the structure that copies or moves.
//! A structure has one function to copy its objects and one to move them; without a function this
//! is done member by member. So it cannot have one of each.

use super::source::Span;
use crate::diagnostic::{Diagnostic, code};
use reconverge_grammar::token::{Name, Token, TokenKind};
use reconverge_grammar::tree::{Declarator, DerivedKind, Item, Parameter, SpecifierKind};

const ASSIGNMENT: &str = "operator=";

/// A constructor or `operator=` that takes something and is defaulted.
pub(super) struct Defaulted {
    /// Its name.
    name: Name,
    /// The structure.
    of: Name,
    span: Span,
}

impl Defaulted {
    /// The function that the tokens up to `= default` declare, if it is such a function.
    pub fn new(tokens: &[Token], span: Span) -> Option<Defaulted> {
        let is_specifier = |token: &Token| matches!(token.kind, TokenKind::Specifier(_));
        let is_assignment = |token: &Token| token.name().is_some_and(|name| &**name == ASSIGNMENT);
        let at = tokens.iter().position(is_assignment);
        let at = at.or_else(|| tokens.iter().position(|token| !is_specifier(token)))?;
        let name = tokens[at].name()?.clone();
        let of = tokens[at + 1..].iter().find_map(Token::name)?.clone();
        (name == of || &*name == ASSIGNMENT).then_some(Defaulted { name, of, span })
    }
}

/// An error for each function that is defaulted beside one of the same kind of its own.
pub(super) fn beside_others(items: &[Item], defaulted: &[Defaulted]) -> Vec<Diagnostic> {
    let complain = |function: &Defaulted| {
        let mut others = items.iter().flat_map(declarators);
        let other = others.find(|other| copies(other, function))?;
        let message = "unsupported: `= default` of copying or moving beside the other of one's own";
        let error = Diagnostic::error(code::UNSUPPORTED_CLASS, function.span, message);
        let error = error.secondary(other.name_span, "this would be called for both");
        Some(error.help("write what it does: copy or move the members"))
    };
    defaulted.iter().filter_map(complain).collect()
}

fn declarators(item: &Item) -> Vec<&Declarator> {
    match item {
        Item::Function(definition) => vec![&definition.declarator],
        Item::Declaration(tree) => tree.declarators.iter().map(|one| &one.declarator).collect(),
        _ => Vec::new(),
    }
}

/// Returns true if a function has the name of a defaulted one, and takes an object of the structure
/// too.
fn copies(function: &Declarator, defaulted: &Defaulted) -> bool {
    let parameters = function.derived.iter().find_map(|step| match &step.kind {
        DerivedKind::Function { parameters, .. } => parameters.first(),
        _ => None,
    });
    let takes = |parameter: &Parameter| {
        parameter.specifiers.items.iter().any(|one| match &one.kind {
            SpecifierKind::Named(of) | SpecifierKind::Template(of, _) => *of == defaulted.of,
            _ => false,
        })
    };
    function.name.as_ref() == Some(&defaulted.name) && parameters.is_some_and(takes)
}
