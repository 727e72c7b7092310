//! `#pragma pack`: the largest alignment of the members of the structures that follow.
//!
//! The pragma becomes an attribute after the keyword of each structure, so that the stages after
//! the preprocessor find it where the structure is.

use super::Preprocessor;
use crate::diagnostic::code;
use crate::syntax::lexer::{Kind, Piece};
use crate::syntax::source::Span;
use crate::syntax::words::PACK_ATTRIBUTE;
use reconverge_grammar::token::Name;

/// The alignment set by `#pragma pack`, in bytes; `None` is the types' own alignment.
#[derive(Default)]
pub(super) struct Packing {
    now: Option<u32>,
    /// The values saved by `push`, with the names that it was given.
    saved: Vec<(Option<Name>, Option<u32>)>,
}

impl Preprocessor<'_> {
    /// Reads the arguments of `#pragma pack`: `()`, `(n)`, `(push)`, `(push, n)`, `(pop)`, and the
    /// last three with a name, as gcc does.
    pub(super) fn packing(&mut self, span: Span, rest: &[Piece]) {
        let pieces = self.expand_pragma(rest);
        let inside = match pieces.as_slice() {
            [open, inside @ .., close] if open.is("(") && close.is(")") => inside,
            _ => return self.refuse_packing(span),
        };
        let words: Vec<&Piece> = inside.iter().filter(|piece| !piece.is(",")).collect();
        if inside.len() != (2 * words.len()).saturating_sub(1) {
            return self.refuse_packing(span);
        }
        let (action, rest) = match words.split_first() {
            Some((first, rest)) if ["push", "pop"].contains(&&*first.text) => {
                (Some(&*first.text), rest)
            }
            _ => (None, &words[..]),
        };
        let (name, rest) = match rest.split_first() {
            Some((name, rest)) if name.is_name() && action.is_some() => {
                (Some(name.text.clone()), rest)
            }
            _ => (None, rest),
        };
        let bytes = match rest {
            [] => None,
            [bytes] => match bytes.text.parse::<u32>() {
                Ok(0) => Some(None),
                Ok(bytes) if bytes.is_power_of_two() && bytes <= 16 => Some(Some(bytes)),
                _ => return self.refuse_packing(span),
            },
            _ => return self.refuse_packing(span),
        };
        match (action, bytes) {
            (Some("push"), bytes) => {
                self.packing.saved.push((name, self.packing.now));
                self.packing.now = bytes.unwrap_or(self.packing.now);
            }
            (Some(_), None) => {
                let saved = &self.packing.saved;
                let at = match &name {
                    Some(_) => saved.iter().rposition(|(known, _)| *known == name),
                    None => saved.len().checked_sub(1),
                };
                let Some(at) = at else {
                    return self.refuse_packing(span);
                };
                self.packing.now = self.packing.saved[at].1;
                self.packing.saved.truncate(at);
            }
            (Some(_), Some(_)) => self.refuse_packing(span),
            (None, bytes) => self.packing.now = bytes.flatten(),
        }
    }

    fn refuse_packing(&mut self, span: Span) {
        let message = "unsupported: this form of `#pragma pack`";
        self.error(code::BAD_DIRECTIVE, span, message);
    }

    /// Puts the attribute after the keyword of a structure that was read last.
    pub(super) fn pack(&mut self, output: &mut Vec<Piece>) {
        let Some(bytes) = self.packing.now else {
            return;
        };
        let Some((last, before)) = output.split_last() else {
            return;
        };
        let is_structure = ["struct", "union", "class"].contains(&&*last.text) && last.is_name();
        // A parameter of a template, a scoped enumeration, or a mere name of a structure.
        let is_other = before.last().is_some_and(|before| {
            before.is("<") || before.is(",") || ["enum", "friend"].contains(&&*before.text)
        });
        if !is_structure || is_other {
            return;
        }
        let piece = last.clone();
        let mut put = |kind: Kind, text: &str| {
            let text = self.interner.name(text);
            output.push(Piece { kind, text, first: false, ..piece.clone() });
        };
        put(Kind::Name, "__attribute__");
        put(Kind::Mark, "(");
        put(Kind::Mark, "(");
        put(Kind::Name, PACK_ATTRIBUTE);
        put(Kind::Mark, "(");
        put(Kind::Number, &bytes.to_string());
        put(Kind::Mark, ")");
        put(Kind::Mark, ")");
        put(Kind::Mark, ")");
    }
}
