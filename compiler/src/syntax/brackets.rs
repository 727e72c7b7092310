//! Brackets: their pairs, and the repair when one is missing.

use super::source::{SourceMap, Span};
use crate::diagnostic::{Diagnostic, code};
use reconverge_grammar::token::{Mark, Token, TokenKind, Word};
use reconverge_grammar::tree::BRACKET_DEPTH;

/// The bracket that closes `open`.
fn closer(open: Mark) -> Option<Mark> {
    match open {
        Mark::LeftParen => Some(Mark::RightParen),
        Mark::LeftBracket => Some(Mark::RightBracket),
        Mark::LeftBrace => Some(Mark::RightBrace),
        _ => None,
    }
}

fn is_closer(mark: Mark) -> bool {
    matches!(mark, Mark::RightParen | Mark::RightBracket | Mark::RightBrace)
}

/// The position after the template arguments that open at `at`; `None` if none open there, or they
/// end nowhere. On tokens that are not tagged yet every `<` and `>` outside of parentheses counts.
pub(super) fn behind_angle(tokens: &[Token], at: usize) -> Option<usize> {
    Some(angle_end(tokens, at)?.0)
}

/// Returns true if the mark that ends the template arguments that open at `at` also ends those
/// around them, as in `f<g<int>>(x)`.
pub(super) fn ends_outer_angle(tokens: &[Token], at: usize) -> bool {
    angle_end(tokens, at).is_some_and(|(_, angles)| angles < 0)
}

/// Returns true for the end of a value, behind which `<` compares.
fn is_value(token: &Token) -> bool {
    let is_literal = matches!(
        token.kind,
        TokenKind::Int { .. } | TokenKind::Float { .. } | TokenKind::Char(_) | TokenKind::String(_)
    );
    is_literal || token.is(Mark::RightParen) || token.is(Mark::RightBracket)
}

/// After the template arguments that open at `at`, and how many are open there: less than none if those
/// around end there too.
fn angle_end(tokens: &[Token], at: usize) -> Option<(usize, i32)> {
    let tagged = tokens.get(at)?.is(Mark::AngleOpen);
    if !tagged && !tokens[at].is(Mark::Less) {
        return None;
    }
    let mut parens = 0usize;
    let mut angles = 0i32;
    for (here, token) in tokens.iter().enumerate().skip(at) {
        let TokenKind::Mark(mark) = token.kind else {
            continue;
        };
        match mark {
            Mark::AngleOpen => angles += 1,
            Mark::AngleClose => angles -= 1,
            _ if tagged => continue,
            Mark::LeftParen | Mark::LeftBracket => parens += 1,
            Mark::RightParen | Mark::RightBracket if parens > 0 => parens -= 1,
            _ if parens > 0 => continue,
            Mark::Less if here > at && is_value(&tokens[here - 1]) => continue,
            Mark::Less => angles += 1,
            Mark::Greater => angles -= 1,
            Mark::ShiftRight => angles -= 2,
            Mark::LaunchClose => angles -= 3,
            Mark::Semicolon | Mark::LaunchOpen => return None,
            Mark::LeftBrace | Mark::RightBrace | Mark::RightParen | Mark::RightBracket => {
                return None;
            }
            _ => continue,
        }
        if angles <= 0 {
            return Some((here + 1, angles));
        }
    }
    None
}

/// An opening bracket that waits for its closing one.
struct Open {
    mark: Mark,
    span: Span,
    /// After `for`: it may contain two semicolons.
    is_for: bool,
    /// After `for`, `if`, `while` or `switch`.
    is_head: bool,
    /// A function's body: items that only occur outside functions cannot be in it.
    is_body: bool,
}

struct Balancer<'a> {
    sources: &'a SourceMap,
    output: Vec<Token>,
    open: Vec<Open>,
    diagnostics: Vec<Diagnostic>,
}

/// Reports brackets without partner and adds or drops some so that all have one. `None`: they are
/// nested too deep.
pub(super) fn balance(
    tokens: Vec<Token>,
    sources: &SourceMap,
) -> (Option<Vec<Token>>, Vec<Diagnostic>) {
    let mut balancer = Balancer {
        sources,
        output: Vec::with_capacity(tokens.len()),
        open: Vec::new(),
        diagnostics: Vec::new(),
    };
    for token in tokens {
        if balancer.open.len() > BRACKET_DEPTH {
            let message = format!("brackets are nested more than {BRACKET_DEPTH} deep");
            let found = Diagnostic::error(code::LIMIT_NESTING, token.span, message);
            balancer.diagnostics.push(found);
            return (None, balancer.diagnostics);
        }
        balancer.token(token);
    }
    balancer.close_down_to(0);
    (Some(balancer.output), balancer.diagnostics)
}

impl Balancer<'_> {
    fn token(&mut self, token: Token) {
        match token.kind {
            TokenKind::Mark(mark) if closer(mark).is_some() => self.open(mark, &token),
            TokenKind::Mark(mark) if is_closer(mark) => return self.close(mark, token),
            TokenKind::Mark(Mark::Semicolon) => {
                // A statement ends here, so that parentheses and brackets should have ended before.
                let inside = self.open.iter().rposition(|open| {
                    open.mark == Mark::LeftBrace || (open.mark == Mark::LeftParen && open.is_for)
                });
                self.close_down_to(inside.map_or(0, |at| at + 1));
            }
            TokenKind::Specifier(Word::Global | Word::Device) if self.at_margin(&token) => {
                // Never inside a function: the body before was not closed.
                if let Some(body) = self.open.iter().position(|open| open.is_body) {
                    self.close_down_to(body);
                }
            }
            _ => {}
        }
        self.output.push(token);
    }

    fn at_margin(&self, token: &Token) -> bool {
        token.first && self.sources.position(token.span).column == 1
    }

    fn open(&mut self, mark: Mark, token: &Token) {
        if mark == Mark::LeftBrace {
            self.close_head();
        }
        let before = self.output.last();
        let is_body = mark == Mark::LeftBrace
            && before.is_some_and(|before| before.is(Mark::RightParen))
            && self.open.iter().all(|open| !open.is_body);
        self.open.push(Open {
            mark,
            span: token.span,
            is_for: before.is_some_and(|before| before.is_word(Word::For)),
            is_head: before.is_some_and(|before| {
                matches!(
                    before.kind,
                    TokenKind::Word(Word::For | Word::If | Word::While | Word::Switch)
                )
            }),
            is_body,
        });
    }

    /// In front of a block: the condition before it ends here.
    fn close_head(&mut self) {
        let value_before = self.output.last().is_some_and(|before| {
            matches!(before.kind, TokenKind::Name(_) | TokenKind::Int { .. })
                || before.is(Mark::RightParen)
        });
        if value_before && self.open.last().is_some_and(|open| open.is_head) {
            self.close_down_to(self.open.len() - 1);
        }
    }

    fn close(&mut self, mark: Mark, token: Token) {
        let partner = self.open.iter().rposition(|open| closer(open.mark) == Some(mark));
        // A parenthesis does not close one outside its block.
        let block = self.open.iter().rposition(|open| open.mark == Mark::LeftBrace);
        match partner {
            Some(at) if mark == Mark::RightBrace || block.is_none_or(|block| at > block) => {
                self.close_down_to(at + 1);
                self.open.pop();
                self.output.push(token);
            }
            _ => self.diagnostics.push(Diagnostic::error(
                code::UNOPENED,
                token.span,
                format!("this `{}` closes nothing", mark.text()),
            )),
        }
    }

    /// Closes all but the outer `depth` brackets, with a report each.
    fn close_down_to(&mut self, depth: usize) {
        for open in self.open.split_off(depth).into_iter().rev() {
            let Some(mark) = closer(open.mark) else {
                continue;
            };
            let end = self.output.last().map_or(open.span, |last| last.span);
            let found = Diagnostic::error(
                code::UNCLOSED,
                open.span,
                format!("this `{}` is never closed", open.mark.text()),
            );
            let end = end.after();
            self.diagnostics.push(
                found.secondary(end, format!("`{}` is missing here at the latest", mark.text())),
            );
            self.output.push(Token { kind: TokenKind::Mark(mark), span: end, first: false });
        }
    }
}

/// For every bracket of balanced tokens its partner; for every token the bracket it is in. Both are numbers of
/// 32 bits, which are enough for all tokens of a program.
pub(super) struct Brackets {
    partner: Vec<u32>,
    /// [`OUTSIDE`] outside of all brackets.
    parent: Vec<u32>,
}

/// In place of the bracket around a token that is in none.
const OUTSIDE: u32 = u32::MAX;

impl Brackets {
    pub fn new(tokens: &[Token]) -> Self {
        let mut partner: Vec<u32> = (0..tokens.len() as u32).collect();
        let mut parent = Vec::with_capacity(tokens.len());
        let mut open: Vec<u32> = Vec::new();
        for (at, token) in (0u32..).zip(tokens) {
            let around = |open: &[u32]| open.last().copied().unwrap_or(OUTSIDE);
            let TokenKind::Mark(mark) = token.kind else {
                parent.push(around(&open));
                continue;
            };
            if is_closer(mark) {
                let opener = open.pop().unwrap_or(at);
                partner[opener as usize] = at;
                partner[at as usize] = opener;
            }
            parent.push(around(&open));
            if closer(mark).is_some() {
                open.push(at);
            }
        }
        Brackets { partner, parent }
    }

    /// The partner of the bracket at `at`; other tokens are their own.
    pub fn partner(&self, at: usize) -> usize {
        self.partner.get(at).map_or(at, |&partner| partner as usize)
    }

    /// The opening bracket around the token at `at`.
    pub fn parent(&self, at: usize) -> Option<usize> {
        self.parent.get(at).filter(|&&parent| parent != OUTSIDE).map(|&parent| parent as usize)
    }
}
