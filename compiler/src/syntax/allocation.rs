//! `new` and `delete`, as calls that the checker knows.
//!
//! `new T(values)` becomes `__new(T(values))`, `new T[n]` becomes `__new_array((T *)0, n)`, `delete
//! p` becomes `__delete(p)` and `delete[] p` `__delete_array(p)`; `new (p) T(values)` becomes
//! `__new_at(p, T(values))`. Other forms are left alone and reported later.

use super::brackets::behind_angle;
use reconverge_grammar::token::{Mark, Name, Token, TokenKind, Word};

/// Rewrites balanced tokens.
pub(super) fn rewrite(tokens: Vec<Token>) -> Vec<Token> {
    let is_word = |token: &Token| token.is_word(Word::New) || token.is_word(Word::Delete);
    if !tokens.iter().any(is_word) {
        return tokens;
    }
    let mut rewriter =
        Rewriter { result: Vec::with_capacity(tokens.len()), tokens: &tokens, depth: 0 };
    rewriter.range(0, tokens.len());
    rewriter.result
}

/// The deepest nesting in each other; deeper ones are reported as unsupported.
const DEPTH: u32 = 100;

struct Rewriter<'t> {
    tokens: &'t [Token],
    depth: u32,
    result: Vec<Token>,
}

impl Rewriter<'_> {
    fn is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    fn range(&mut self, begin: usize, end: usize) {
        let mut at = begin;
        while at < end {
            let before = self.result.last();
            let is_operator = before.is_some_and(|before| before.is_word(Word::Operator));
            let rewrites = !is_operator && self.depth < DEPTH;
            self.depth += 1;
            let found = match &self.tokens[at].kind {
                TokenKind::Word(Word::New) if rewrites => self.allocation(at),
                TokenKind::Word(Word::Delete) if rewrites => self.release(at),
                _ => None,
            };
            self.depth -= 1;
            at = found.unwrap_or_else(|| {
                self.result.push(self.tokens[at].clone());
                at + 1
            });
        }
    }

    /// Puts a token of ours where the one at `at` is.
    fn put(&mut self, kind: TokenKind, at: usize) {
        let Token { span, first, .. } = self.tokens[at];
        self.result.push(Token { kind, span, first: first && self.result.is_empty() });
    }

    fn mark(&mut self, mark: Mark, at: usize) {
        self.put(TokenKind::Mark(mark), at);
    }

    fn call(&mut self, name: &str, at: usize) {
        let first = self.tokens[at].first;
        self.put(TokenKind::Name(Name::from(name)), at);
        if let Some(last) = self.result.last_mut() {
            last.first = first;
        }
        self.mark(Mark::LeftParen, at);
    }

    /// The token after the bracket that closes the one at `open`.
    fn behind(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace) => {
                    depth += 1
                }
                TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at + 1;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The end of a type's name that begins at `at`.
    fn type_end(&self, at: usize) -> usize {
        let mut end = at;
        let mut named = false;
        while let Some(token) = self.tokens.get(end) {
            match &token.kind {
                TokenKind::Specifier(_) | TokenKind::Word(Word::Struct | Word::Union) => {}
                TokenKind::TypeWord(_) => named = true,
                TokenKind::Name(_) if !named => {
                    named = true;
                    if let Some(behind) = behind_angle(self.tokens, end + 1) {
                        end = behind;
                        continue;
                    }
                }
                _ => break,
            }
            end += 1;
        }
        while self.is(end, Mark::Star) {
            end += 1;
        }
        if named { end } else { at }
    }

    /// Reads `new T...` at `at`; the token after it.
    fn allocation(&mut self, at: usize) -> Option<usize> {
        // `new (place) T`
        let has_brackets = self.is(at + 1, Mark::LeftParen);
        let placed = has_brackets && !self.is_nothrow(at + 1);
        let begin = if has_brackets { self.behind(at + 1) } else { at + 1 };
        let end = self.type_end(begin);
        if begin == end {
            return None;
        }
        let is_array = self.is(end, Mark::LeftBracket);
        let has_values = self.is(end, Mark::LeftParen) || self.is(end, Mark::LeftBrace);
        let group = if is_array || has_values { self.behind(end) } else { end };
        if is_array && (self.is(group, Mark::LeftBracket) || self.is(group, Mark::LeftBrace)) {
            return None;
        }
        let is_empty = has_values && group == end + 2;
        if has_values && !is_empty && end == begin + 1 {
            self.new_call(at, placed, "__new", "__new_at");
            self.range(begin, group);
        } else if has_values && !is_empty {
            // `new int *(value)`: a cast to a type that takes several tokens.
            self.new_call(at, placed, "__new", "__new_at");
            self.mark(Mark::LeftParen, at);
            self.range(begin, end);
            self.mark(Mark::RightParen, at);
            self.range(end, group);
        } else {
            match (is_array, is_empty) {
                (true, _) => self.new_call(at, placed, "__new_array", "__new_at_array"),
                (false, true) => self.new_call(at, placed, "__new_zero", "__new_at_zero"),
                (false, false) => self.new_call(at, placed, "__new_zero", "__new_at_default"),
            }
            self.mark(Mark::LeftParen, at);
            self.range(begin, end);
            self.mark(Mark::Star, at);
            self.mark(Mark::RightParen, at);
            let suffix =
                reconverge_grammar::token::IntSuffix { decimal: true, ..Default::default() };
            self.put(TokenKind::Int { value: 0, suffix }, at);
            if is_array {
                self.mark(Mark::Comma, at);
                self.range(end + 1, group - 1);
            }
        }
        self.mark(Mark::RightParen, at);
        let has_zeroes = is_array && self.is(group, Mark::LeftParen);
        Some(if has_zeroes { self.behind(group) } else { group })
    }

    /// Returns true if the brackets at `open` hold `std::nothrow` alone, and no place. An object
    /// that does not fit the memory still ends the program.
    fn is_nothrow(&self, open: usize) -> bool {
        let names = self.tokens[open + 1..self.behind(open).max(open + 2) - 1].iter();
        let mut names = names.filter(|token| !token.is(Mark::Scope)).map(Token::name);
        let first = names.next().flatten().map(|name| &**name);
        let last = match first {
            Some("std") => names.next().flatten().map(|name| &**name),
            first => first,
        };
        last == Some("nothrow") && names.next().is_none()
    }

    /// The call that replaces the `new` at `at`, with the place that is given first.
    fn new_call(&mut self, at: usize, placed: bool, name: &str, name_at: &str) {
        self.call(if placed { name_at } else { name }, at);
        if placed {
            self.range(at + 2, self.behind(at + 1).saturating_sub(1));
            self.mark(Mark::Comma, at);
        }
    }

    /// Reads `delete p` or `delete[] p` at `at`; the token after it.
    fn release(&mut self, at: usize) -> Option<usize> {
        let is_array = self.is(at + 1, Mark::LeftBracket) && self.is(at + 2, Mark::RightBracket);
        let begin = if is_array { at + 3 } else { at + 1 };
        let mut end = begin;
        while let Some(token) = self.tokens.get(end) {
            match token.kind {
                TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket) => end = self.behind(end),
                TokenKind::Mark(
                    Mark::Semicolon | Mark::Comma | Mark::RightParen | Mark::RightBrace,
                ) => break,
                _ => end += 1,
            }
        }
        if begin == end {
            return None;
        }
        self.call(if is_array { "__delete_array" } else { "__delete" }, at);
        self.range(begin, end);
        self.mark(Mark::RightParen, at);
        Some(end)
    }
}
