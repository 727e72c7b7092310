//! Templates: their names, the functions of class templates outside them, and uses of templates that are declared nowhere.

use super::known::{advice, is_unsupported_fetch};
use super::{Declared, Place, Remover};
use crate::diagnostic::code;
use reconverge_grammar::token::{Mark, Meaning, Name, TokenKind, Word};

impl Remover<'_> {
    /// Templates are kept, and remembered, but for those with packs or templates as parameters.
    pub(super) fn template(&mut self) {
        let begin = self.at;
        let span = self.span(begin);
        let declared = self.behind_angle(begin + 1);
        let end = self.behind_item(declared);
        let name = self.template_name(declared, end);
        if let Some(Declared { name, .. }) = &name {
            self.templates.insert(name.clone());
        }
        self.note_member(begin, declared);
        let parameters = begin + 1..declared;
        let what = if parameters.clone().any(|at| self.is(at, Mark::Ellipsis)) {
            "templates with packs of parameters"
        } else if parameters.clone().any(|at| self.is_word(at, Word::Template)) {
            "templates with templates as parameters"
        } else {
            return self.keep();
        };
        let help = "write it for the number of parameters that is used";
        self.report(code::UNSUPPORTED_TEMPLATE, span, &format!("unsupported: {what}"), help);
        self.cut_declaration(name);
        self.at = end.max(begin + 1);
    }

    /// Remembers the `a<T>::f` of a function of a class template that is defined outside it, which
    /// becomes a name without arguments: they are the template's parameters.
    pub(super) fn note_member(&mut self, begin: usize, declared: usize) {
        let mut at = declared;
        while self.is_word(at, Word::Template) {
            at = self.behind_angle(at + 1).max(at + 1);
        }
        let found = loop {
            let behind = self.behind_angle(at + 1);
            let named = self.name(at).is_some() && behind > at + 1;
            match self.token(at) {
                Some(TokenKind::Name(_)) if named && self.is(behind, Mark::Scope) => {
                    if self.name(behind + 1).is_some() && self.is(behind + 2, Mark::LeftParen) {
                        break (at, behind);
                    }
                    at = behind + 1;
                }
                Some(TokenKind::Name(_)) => at = behind,
                Some(TokenKind::Mark(Mark::Star | Mark::And | Mark::Scope))
                | Some(TokenKind::Specifier(_) | TokenKind::TypeWord(_))
                | Some(TokenKind::Word(Word::Typename)) => at += 1,
                _ => return,
            }
        };
        if self.members.contains_key(&found.0) {
            return;
        }
        let mut parameters = Vec::new();
        let mut last = None;
        let mut here = begin + 2;
        while here < declared {
            match self.token(here) {
                Some(TokenKind::Name(name)) => last = Some(name.clone()),
                Some(TokenKind::Mark(Mark::Comma)) => parameters.extend(last.take()),
                _ => {}
            }
            here = self.behind_group(here).max(here + 1);
        }
        parameters.extend(last);
        let names = self.names_in(found.0 + 2..found.1);
        let of_names = found.1 - found.0 - 3 == 2 * names.len().max(1) - 1;
        if names == parameters && of_names && !names.is_empty() {
            self.members.insert(found.0, found.1 + 1);
            return;
        }
        let message = "unsupported: functions of specialisations defined outside them";
        let help = "define the function among the members";
        self.report(code::UNSUPPORTED_TEMPLATE, self.span(found.0), message, help);
        self.members.insert(found.0, found.1 + 1);
    }

    /// The name that a template in `declared..end` declares, with its meaning.
    pub(super) fn template_name(&self, declared: usize, end: usize) -> Option<Declared> {
        let is_type = matches!(
            self.token(declared),
            Some(TokenKind::Word(Word::Struct | Word::Union | Word::Using))
        );
        if is_type {
            let mut name = declared + 1;
            while name < end && self.name(name).is_none() {
                // Attributes hold names too.
                name = self.behind_group(name).max(name + 1);
            }
            return Some(Declared { name: self.name(name)?, meaning: Meaning::TypeTemplate });
        }
        let named = (declared..end).find(|&at| {
            (self.is(at, Mark::LeftParen) && self.names_function(at))
                || self.is(at, Mark::Assign)
                || self.is(at, Mark::LeftBrace)
        });
        let name = self.name(named?.checked_sub(1)?)?;
        Some(Declared { name, meaning: Meaning::FunctionTemplate })
    }

    pub(super) fn names_function(&self, open: usize) -> bool {
        let name = open.checked_sub(1).and_then(|at| self.name(at));
        name.is_some_and(|name| &*name != "__launch_bounds__")
    }

    /// Reports a `texture<...>` whose arguments name dimensions that are not modelled.
    pub(super) fn check_texture(&mut self, behind: usize) {
        let dimensions = ["cudaTextureType1D", "cudaTextureType2D"];
        for at in self.at + 2..behind {
            let is_other = match self.token(at) {
                Some(TokenKind::Name(name)) => {
                    name.starts_with("cudaTextureType") && !dimensions.contains(&&**name)
                }
                Some(TokenKind::Int { value, .. }) => {
                    self.is(at - 1, Mark::Comma) && !(1..=2).contains(value)
                }
                _ => false,
            };
            // The second argument only.
            let commas = (self.at + 2..at).filter(|&at| self.is(at, Mark::Comma)).count();
            if is_other && commas == 1 {
                let message = "unsupported: textures that are 3-D, layered or cubes";
                self.report(code::UNSUPPORTED_FUNCTION, self.span(at), message, advice("tex3D"));
            }
        }
    }

    /// `name<...>` of a template that is declared nowhere, if it cannot be a comparison.
    pub(super) fn instance(&mut self, name: &Name, behind: usize) {
        let begins = match self.result.tokens.last().map(|last| &last.kind) {
            None | Some(TokenKind::Specifier(_) | TokenKind::ErrorStatement(_)) => true,
            Some(TokenKind::Mark(Mark::LeftParen | Mark::Comma)) => self.is_parameter(),
            Some(TokenKind::Mark(mark)) => {
                matches!(mark, Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace)
            }
            _ => false,
        };
        let of_type = matches!(
            self.token(self.at + 2),
            Some(TokenKind::TypeWord(_) | TokenKind::Specifier(_))
        );
        let span = self.span(self.at);
        let (code, what) = if name.contains("::") {
            (code::UNSUPPORTED_NAMESPACE, "a name in a namespace")
        } else {
            (code::UNSUPPORTED_TEMPLATE, "a template")
        };
        let message = format!("unsupported: `{name}<...>`, {what}");
        if is_unsupported_fetch(name) {
            let message = format!("unsupported: `{name}`");
            self.report(code::UNSUPPORTED_FUNCTION, span, &message, advice(name));
            self.cut_expression(behind);
        } else if begins && self.declares(behind) {
            self.report(code, span, &message, advice(name));
            self.result.types.push(name.clone());
            self.keep();
            self.at = behind;
        } else if (of_type || name.contains("::")) && self.is(behind, Mark::LeftParen) {
            self.report(code, span, &message, advice(name));
            self.cut_expression(behind);
        } else {
            self.keep();
        }
    }

    /// Returns true if this is directly in the parentheses of a function's parameters.
    pub(super) fn is_parameter(&self) -> bool {
        self.places.last() == Some(&Place::Other)
            && self.places.iter().filter(|&&place| place == Place::Other).count() == 1
            && !self.places.contains(&Place::Body)
    }

    /// Returns true if a declarator is at `at`.
    pub(super) fn declares(&self, at: usize) -> bool {
        let mut here = at;
        while matches!(
            self.token(here),
            Some(
                TokenKind::Mark(Mark::Star | Mark::And | Mark::AndAnd)
                    | TokenKind::Specifier(Word::Const)
            )
        ) {
            here += 1;
        }
        let named = matches!(self.token(here), Some(TokenKind::Name(_)));
        let ends = self.is(here, Mark::RightParen) || self.is(here, Mark::Comma);
        let starts = match self.result.tokens.last().map(|last| &last.kind) {
            None => true,
            Some(TokenKind::Mark(mark)) => matches!(
                mark,
                Mark::Semicolon
                    | Mark::LeftBrace
                    | Mark::RightBrace
                    | Mark::LeftParen
                    | Mark::Comma
                    | Mark::Less
            ),
            Some(TokenKind::Specifier(_)) => true,
            Some(TokenKind::ErrorStatement(_)) => true,
            _ => false,
        };
        starts && (named || (ends && here > at))
    }
}
