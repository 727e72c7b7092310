//! What stands outside functions: splitting tokens into functions and declarations.

use super::brackets::Brackets;
use super::recover::{self, Failure};
use super::source::Span;
use super::token::{Mark, Name, Token, TokenKind, Word};
use super::tree::{FunctionBody, FunctionDefinition, Item};
use crate::diagnostic::{Diagnostic, code};

/// How many errors are looked for outside functions.
const ERRORS: usize = 100;

/// The items of balanced, tagged tokens, what is wrong with the others, and the names in those.
pub(super) fn read(tokens: Vec<Token>) -> (Vec<Item>, Vec<Diagnostic>, Vec<Name>) {
    let brackets = Brackets::new(&tokens);
    let mut reader = Reader {
        tokens: &tokens,
        brackets,
        items: Vec::new(),
        diagnostics: Vec::new(),
        poisoned: Vec::new(),
    };
    let mut at = 0;
    while at < tokens.len() && reader.diagnostics.len() < ERRORS {
        at = reader.item(at);
    }
    (reader.items, reader.diagnostics, reader.poisoned)
}

struct Reader<'a> {
    tokens: &'a [Token],
    brackets: Brackets,
    items: Vec<Item>,
    diagnostics: Vec<Diagnostic>,
    poisoned: Vec<Name>,
}

/// Where an item ends.
enum End {
    /// Behind a semicolon.
    Semicolon(usize),
    /// At the brace of a function's body.
    Body(usize),
    /// A semicolon is missing in front of this.
    Missing(usize),
}

impl Reader<'_> {
    /// Reads the item at `at`; where the next one begins.
    fn item(&mut self, at: usize) -> usize {
        if self.tokens[at].is(Mark::Semicolon) {
            return at + 1;
        }
        match self.end(at) {
            End::Semicolon(end) => self.declaration(at, end),
            End::Missing(end) => {
                self.missing_semicolon(end);
                self.with_semicolon(at, end);
                end
            }
            End::Body(brace) => self.function(at, brace),
        }
    }

    fn end(&self, start: usize) -> End {
        let mut at = start;
        let mut members = false;
        let mut value = false;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Mark(Mark::Semicolon) => return End::Semicolon(at + 1),
                TokenKind::Mark(Mark::Assign) => value = true,
                TokenKind::Word(Word::Struct | Word::Union | Word::Enum) => members = true,
                TokenKind::Mark(Mark::LeftBrace) => {
                    let behind_parameters = self
                        .before(at)
                        .is_some_and(|before| before.is(Mark::RightParen) && at > start);
                    if !value && behind_parameters && !(members && self.is_align(at)) {
                        return End::Body(at);
                    }
                    let close = self.brackets.partner(at);
                    if members && !value && self.starts_item(close + 1) {
                        return End::Missing(close + 1);
                    }
                    members = false;
                    at = close;
                }
                TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket) => {
                    at = self.brackets.partner(at);
                }
                _ => {}
            }
            at += 1;
        }
        End::Missing(at)
    }

    /// Whether the parentheses in front of the brace at `at` belong to `__align__(16)`.
    fn is_align(&self, at: usize) -> bool {
        let open = self.brackets.partner(at - 1);
        self.before(open)
            .is_some_and(|before| before.is_word(Word::Align) || before.is_word(Word::Alignas))
    }

    /// Whether a new item certainly begins at `at`.
    fn starts_item(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.first
                && matches!(
                    token.kind,
                    TokenKind::Specifier(_)
                        | TokenKind::TypeWord(_)
                        | TokenKind::TypeName(_)
                        | TokenKind::Word(Word::Struct | Word::Union | Word::Enum | Word::Using)
                )
        })
    }

    fn before(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    fn whole(&self, start: usize, end: usize) -> Span {
        let last = end.saturating_sub(1).max(start).min(self.tokens.len() - 1);
        self.tokens[start].span.to(self.tokens[last].span)
    }

    fn missing_semicolon(&mut self, at: usize) {
        if let Some(before) = self.before(at)
            && !before.is_repair()
        {
            let message = format!("expected `;` after {}", before.describe());
            let span = before.span.after();
            self.diagnostics.push(
                Diagnostic::error(code::EXPECTED_SEMICOLON, span, message).help("put `;` here"),
            );
        }
    }

    fn declaration(&mut self, start: usize, end: usize) -> usize {
        match recover::declaration(&self.tokens[start..end], self.whole(start, end)) {
            Ok(tree) => self.items.push(Item::Declaration(tree)),
            Err(failure) => return self.failed(start, end, end, failure),
        }
        end
    }

    /// Reads a declaration whose semicolon is missing, and reported.
    fn with_semicolon(&mut self, start: usize, end: usize) {
        let mut tokens = self.tokens[start..end].to_vec();
        let whole = self.whole(start, end);
        tokens.push(Token {
            kind: TokenKind::Mark(Mark::Semicolon),
            span: whole.after(),
            first: false,
        });
        match recover::declaration(&tokens, whole) {
            Ok(tree) => self.items.push(Item::Declaration(tree)),
            Err(_) => self.poison(start, end),
        }
    }

    fn function(&mut self, start: usize, brace: usize) -> usize {
        let close = self.brackets.partner(brace);
        let end = close + 1;
        match recover::header(&self.tokens[start..brace], self.whole(start, brace)) {
            Ok((specifiers, declarator)) => {
                let body = FunctionBody {
                    tokens: self.tokens[brace + 1..close].to_vec(),
                    span: self.whole(brace, end),
                };
                self.items.push(Item::Function(FunctionDefinition {
                    specifiers,
                    declarator,
                    body,
                    span: self.whole(start, end),
                }));
            }
            Err(failure) => return self.failed(start, brace, end, failure),
        }
        end
    }

    /// Reports what is wrong with `start..head`, of an item that ends at `end`. A missing
    /// semicolon in it splits it in two.
    fn failed(&mut self, start: usize, head: usize, end: usize, failure: Failure) -> usize {
        let at = start + failure.at;
        if failure.wants_semicolon && at > start && at < head && self.starts_item(at) {
            self.diagnostics.push(*failure.diagnostic);
            self.with_semicolon(start, at);
            return at;
        }
        // Between a head and its body no semicolon is missing.
        let diagnostic = if failure.wants_semicolon && at >= head {
            let span = self.whole(start, head);
            Diagnostic::error(code::BAD_DECLARATOR, span, "this is not a declaration")
        } else {
            *failure.diagnostic
        };
        if !self.tokens[start..head].iter().any(Token::is_repair) {
            self.diagnostics.push(diagnostic);
        }
        self.poison(start, head);
        end
    }

    fn poison(&mut self, start: usize, end: usize) {
        let names = self.tokens[start..end].iter();
        self.poisoned.extend(names.filter_map(|token| token.name().cloned()));
    }
}
