//! Structures that cannot be read, which are cut out.

use super::{Declared, Place, Remover};
use crate::diagnostic::code;
use reconverge_grammar::token::{Mark, Meaning, TokenKind, Word};

impl Remover<'_> {
    pub(super) fn class(&mut self, what: &str, help: &str) {
        let message = format!("unsupported: {what}");
        self.report(code::UNSUPPORTED_CLASS, self.span(self.at), &message, help);
    }

    /// A structure that inherits is cut out.
    pub(super) fn structure(&mut self) {
        let begin = self.at;
        if self.result.tokens.last().is_some_and(|last| last.is_word(Word::Enum)) {
            return self.keep();
        }
        let mut name = begin + 1;
        while let Some(TokenKind::Word(Word::Align | Word::Alignas | Word::Attribute)) =
            self.token(name)
        {
            name = self.behind_group(name + 1);
        }
        let behind = self.behind_angle(name + 1);
        let inherits = self.is(behind, Mark::Colon) && self.places.last() != Some(&Place::Other);
        let Some(tag) = self.name(name).filter(|_| inherits) else {
            return self.keep();
        };
        self.class("inheritance", "make what it inherits from a member");
        let is_template = self.templates.contains(&tag);
        let meaning = if is_template { Meaning::TypeTemplate } else { Meaning::Type };
        self.cut_declaration(Some(Declared { name: tag, meaning }));
        self.at = self.behind_item(begin);
    }

    /// Takes back the kept tokens of the declaration of a name. Outside functions and structures
    /// the name has no meaning from here on; a structure or a function around is faulty itself.
    pub(super) fn cut_declaration(&mut self, declared: Option<Declared>) {
        self.drop_item();
        match declared {
            Some(Declared { name, meaning }) if self.is_outside() => {
                let span = self.span(self.at);
                self.put(TokenKind::Unreadable(name, meaning), span);
                self.put(TokenKind::Mark(Mark::Semicolon), span);
            }
            Some(Declared { name, meaning: Meaning::Type | Meaning::TypeTemplate }) => {
                self.result.types.push(name)
            }
            _ => {}
        }
    }

    /// Takes back the kept tokens of the item outside functions.
    pub(super) fn drop_item(&mut self) {
        if self.is_outside() {
            self.result.tokens.truncate(self.item);
        }
    }
}
