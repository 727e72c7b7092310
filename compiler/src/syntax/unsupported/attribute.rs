//! Attributes: those that change where members lie become words, the others are hints.

use super::{Place, Remover, statement_start};
use crate::diagnostic::code;
use crate::syntax::words::PACK_ATTRIBUTE;
use reconverge_grammar::token::{Mark, Name, Token, TokenKind, Word};

/// The bracket that tokens end with the partner of.
fn opener(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => depth += 1,
            TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

impl Remover<'_> {
    /// `__attribute__((...))`.
    pub(super) fn attribute(&mut self) {
        let end = self.behind_group(self.at + 1);
        self.attributes(self.at + 3, end.saturating_sub(2));
        self.note_unused(end);
        self.at = end;
    }

    /// Attributes are hints, which are left out, but for those that change where members lie.
    pub(super) fn attributes(&mut self, begin: usize, end: usize) {
        let mut found = Vec::new();
        let mut at = begin;
        while at < end {
            let behind = self.behind_group(at + 1);
            if let Some(name) = self.name(at) {
                self.layout_attribute(at, &name, &mut found);
            }
            at = behind.max(at + 1);
        }
        if found.is_empty() {
            return;
        }
        let kept = &self.result.tokens;
        let brace = kept.last().filter(|last| last.is(Mark::RightBrace)).and_then(|_| opener(kept));
        match brace.map(|brace| (self.structure_keyword(brace), brace)) {
            // After the members of a structure it is an attribute of the structure, and it goes
            // after those in front of the members.
            Some((Some(_), brace)) => {
                let tag = self.tag_start(brace).unwrap_or(brace);
                self.result.tokens.splice(tag..tag, found);
            }
            Some((None, _)) => {
                let message = "unsupported: attributes of the layout of an enumeration";
                self.report(code::UNSUPPORTED_C, self.span(self.at), message, "name its type");
            }
            None if self.is_behind_enum() => {
                let message = "unsupported: attributes of the layout of an enumeration";
                self.report(code::UNSUPPORTED_C, self.span(self.at), message, "name its type");
            }
            None => self.result.tokens.extend(found),
        }
    }

    pub(super) fn is_behind_enum(&self) -> bool {
        self.result.tokens.last().is_some_and(|last| last.is_word(Word::Enum))
    }

    /// The layout statement of an attribute at `at`, as tokens of ours.
    pub(super) fn layout_attribute(&mut self, at: usize, name: &str, found: &mut Vec<Token>) {
        let span = self.span(at);
        let plain = name.strip_prefix("gnu::").unwrap_or(name).trim_matches('_');
        let mut put = |kind: TokenKind| found.push(Token { kind, span, first: false });
        let word = match plain {
            "packed" => return put(TokenKind::Word(Word::Packed)),
            "aligned" => Word::Align,
            PACK_ATTRIBUTE => Word::Pack,
            "mode"
            | "vector_size"
            | "ext_vector_type"
            | "ms_struct"
            | "scalar_storage_order"
            | "transparent_union"
            | "warn_if_not_aligned" => {
                let message = format!("unsupported: the attribute `{name}`");
                let help = "of the attributes of layouts there are `packed` and `aligned`";
                return self.report(code::UNSUPPORTED_C, span, &message, help);
            }
            _ => return,
        };
        put(TokenKind::Word(word));
        if self.is(at + 1, Mark::LeftParen) {
            found.extend_from_slice(&self.tokens[at + 1..self.behind_group(at + 1)]);
            return;
        }
        // Without a value: the largest alignment of any type of x86-64.
        let suffix = reconverge_grammar::token::IntSuffix { decimal: true, ..Default::default() };
        put(TokenKind::Mark(Mark::LeftParen));
        put(TokenKind::Int { value: 16, suffix });
        put(TokenKind::Mark(Mark::RightParen));
    }

    /// The start of the tag, if there is one, of the structure whose members begin at `brace` of
    /// the kept tokens.
    fn tag_start(&self, brace: usize) -> Option<usize> {
        let kept = &self.result.tokens;
        let mut at = brace;
        if at > 0 && (kept[at - 1].is(Mark::Greater) || kept[at - 1].is(Mark::ShiftRight)) {
            let mut depth = 0usize;
            while at > 0 {
                at -= 1;
                match kept[at].kind {
                    TokenKind::Mark(Mark::Greater) => depth += 1,
                    TokenKind::Mark(Mark::ShiftRight) => depth += 2,
                    TokenKind::Mark(Mark::Less) => depth = depth.saturating_sub(1),
                    TokenKind::Mark(Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace) => {
                        return None;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
        let is_named = at > 0 && kept[at - 1].name().is_some();
        Some(at - usize::from(is_named))
    }

    /// The keyword of the structure whose members begin at `brace` of the kept tokens.
    pub(super) fn structure_keyword(&self, brace: usize) -> Option<usize> {
        let kept = &self.result.tokens;
        let mut at = self.tag_start(brace)?;
        while at > 0 {
            let last = &kept[at - 1];
            if last.is_word(Word::Struct) || last.is_word(Word::Union) {
                let is_enum = at > 1 && kept[at - 2].is_word(Word::Enum);
                return (!is_enum).then_some(at - 1);
            }
            // `struct __align__(16) name {`
            at = match last.kind {
                TokenKind::Word(Word::Packed) => at - 1,
                TokenKind::Mark(Mark::RightParen) => {
                    let open = opener(&kept[..at])?;
                    let word = &kept[open.checked_sub(1)?];
                    let words = [Word::Align, Word::Alignas, Word::Pack];
                    words.iter().any(|&one| word.is_word(one)).then_some(open - 1)?
                }
                _ => return None,
            };
        }
        None
    }

    /// Replaces attributes that allow something to be unused by a word in front of the declaration
    /// that they belong to.
    pub(super) fn note_unused(&mut self, end: usize) {
        let names = ["maybe_unused", "unused", "__unused__"];
        let says = |name: Name| names.contains(&&*name);
        let span = self.span(self.at);
        let declares = self.is_outside() || self.places.last() == Some(&Place::Body);
        if !declares || !(self.at..end).any(|at| self.name(at).is_some_and(says)) {
            return;
        }
        let kept = &self.result.tokens;
        let is_behind = kept.last().is_some_and(|last| {
            last.name().is_some() || last.is(Mark::RightParen) || last.is(Mark::RightBracket)
        });
        let at = if is_behind { statement_start(kept) } else { kept.len() };
        let labels = self.is(end + 1, Mark::Colon) || self.is(end, Mark::Semicolon);
        let words = [Word::Template, Word::Struct, Word::Union, Word::Enum, Word::Using];
        let is_other = |token: &Token| words.iter().any(|&word| token.is_word(word));
        let around = if is_behind { kept.get(at) } else { kept.last() };
        if around.is_some_and(is_other) || (labels && !is_behind) {
            return;
        }
        let kind = TokenKind::Specifier(Word::MaybeUnused);
        self.result.tokens.insert(at, Token { kind, span, first: false });
    }
}
