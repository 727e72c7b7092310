//! Bodies of functions: tokens until they are checked. A long one is kept in pieces of whole statements,
//! of which a reader has the syntax tree of one at a time and frees the tokens of those before.

use super::recover::{self, ROUNDS};
use super::source::Span;
use crate::diagnostic::Diagnostic;
use reconverge_grammar::token::{Mark, Name, Token, TokenKind};
use reconverge_grammar::tree::{FunctionBody, Stmt};

/// Parses a whole body. Faulty statements are reported and left out.
pub fn parse(body: &FunctionBody) -> (Vec<Stmt>, Vec<Diagnostic>) {
    let mut reading = Reading::default();
    let mut all = Vec::new();
    let mut diagnostics = Vec::new();
    for piece in &body.pieces {
        let (statements, found) = reading.piece(piece, body.span);
        diagnostics.extend(found);
        match statements {
            Some(statements) => all.extend(statements),
            None => return (Vec::new(), diagnostics),
        }
    }
    (all, diagnostics)
}

/// Parses a body piece by piece; its tokens are taken out of it.
pub(crate) fn read(body: &mut FunctionBody) -> BodyReader {
    let pieces = std::mem::take(&mut body.pieces).into_iter();
    BodyReader { pieces, span: body.span, reading: Reading::default() }
}

/// The part of a body that is being checked, as tokens.
#[derive(Debug, Default)]
pub(crate) struct Piece(Box<[Token]>);

impl Piece {
    /// Returns true if a part of the text is alone in parentheses; `None` if the places of its
    /// tokens do not show it, as in a macro.
    pub fn is_in_parentheses(&self, part: Span) -> Option<bool> {
        let only = |is_it: &dyn Fn(Span) -> bool| {
            let mut found = (0..self.0.len()).filter(|&at| is_it(self.0[at].span));
            found.next().filter(|_| found.next().is_none())
        };
        let first = only(&|span| span.file == part.file && span.start == part.start)?;
        let last = only(&|span| span.file == part.file && span.end == part.end)?;
        let before = first.checked_sub(1).and_then(|at| self.0.get(at));
        let opens = before.is_some_and(|token| token.is(Mark::LeftParen));
        Some(opens && self.0.get(last + 1).is_some_and(|token| token.is(Mark::RightParen)))
    }

    /// The names in a part of the text.
    pub fn names_in(&self, part: Span) -> impl Iterator<Item = &Name> {
        let is_inside = move |span: Span| {
            span.file == part.file && part.start <= span.start && span.end <= part.end
        };
        let inside = self.0.iter().filter(move |token| is_inside(token.span));
        inside.filter_map(|token| match &token.kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        })
    }
}

/// The state of reading the pieces of a body.
struct Reading {
    /// The number of grammar runs before the body is given up.
    rounds: usize,
    /// True if a fault was reported.
    faulty: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading { rounds: ROUNDS, faulty: false }
    }
}

impl Reading {
    /// The statements of the next piece of a body, unless it is given up, and its faults.
    fn piece(&mut self, tokens: &[Token], whole: Span) -> (Option<Vec<Stmt>>, Vec<Diagnostic>) {
        let (folded, mut found) = super::items::fold(tokens);
        let known = self.faulty;
        let statements = recover::statements(&folded, whole, &mut self.rounds, known, &mut found);
        self.faulty |= !found.is_empty();
        (statements, found)
    }
}

/// Reads a body piece by piece.
pub(crate) struct BodyReader {
    pieces: std::vec::IntoIter<Box<[Token]>>,
    span: Span,
    reading: Reading,
}

impl BodyReader {
    /// The statements of the next piece with its tokens, and its faults: faulty statements are left
    /// out. Once a body is given up, nothing more is read.
    pub fn next(&mut self) -> Option<(Vec<Stmt>, Piece, Vec<Diagnostic>)> {
        let piece = self.pieces.next()?;
        let (statements, found) = self.reading.piece(&piece, self.span);
        if statements.is_none() {
            self.pieces = Vec::new().into_iter();
        }
        Some((statements.unwrap_or_default(), Piece(piece), found))
    }

    /// All that is left, as one piece.
    pub fn rest(&mut self) -> Option<(Vec<Stmt>, Piece, Vec<Diagnostic>)> {
        let (mut statements, Piece(first), mut found) = self.next()?;
        let mut tokens = first.into_vec();
        while let Some((more, Piece(piece), faults)) = self.next() {
            statements.extend(more);
            tokens.extend(piece);
            found.extend(faults);
        }
        Some((statements, Piece(tokens.into()), found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic;
    use crate::syntax::{self, Pass, SourceMap, Target};
    use reconverge_grammar::tree::Item;

    /// The body of `f` in a program of this statement again and again, and one of its tokens in one piece.
    fn both(statement: &str) -> (FunctionBody, FunctionBody) {
        let text =
            format!("void f(int a, int b) {{ {} }}", statement.repeat(FunctionBody::PIECE / 2));
        let mut sources = SourceMap::new();
        let file = sources.add("long.cu", text);
        let syntax::Read { unit, .. } =
            syntax::parse(&mut sources, file, &mut (), &[], Target::default(), Pass::Host);
        let Some(Item::Function(function)) = unit.items.last() else {
            panic!("there is no function");
        };
        let body = function.body.clone();
        let whole = FunctionBody { pieces: vec![body.pieces.concat().into()], span: body.span };
        (body, whole)
    }

    fn shown(body: &FunctionBody) -> String {
        let (statements, found) = super::parse(body);
        format!("{statements:?} {found:?}")
    }

    #[test]
    fn pieces_are_read_as_the_whole_is() {
        for statement in [
            "a = b;",
            "if (a) b = 1; else a = 2;",
            "if (a) { b = 1; } else { a = 2; }",
            "do a++; while (a < b);",
            "do while (a) b = 1; while (b);",
            "do { a = 1; } while (b); while (a) b = 2;",
            "struct { int c; } d; for (;;) { a = 1; }",
            "int c[] = {1, 2}; { a = 1; b = 2; }",
            "switch (a) case 1: case 2: b = 1; l: a = 1;",
            "for (int i = 0; i < a; i++) if (b) a = 1; else while (a) b = 2; return;",
        ] {
            let (body, whole) = both(statement);
            assert!(body.pieces.len() > 1, "{statement}");
            assert!(body.pieces[1..].iter().all(|piece| !piece.is_empty()), "{statement}");
            assert_eq!(shown(&body), shown(&whole), "{statement}");
        }
    }

    #[test]
    fn a_fault_is_found_once_in_whichever_piece() {
        let text = |at: usize| {
            let before = "a = b;".repeat(at);
            format!(
                "void f(int a, int b) {{ {before} a = ; {} }}",
                "b = a;".repeat(FunctionBody::PIECE - at)
            )
        };
        for at in [0, FunctionBody::PIECE / 4, FunctionBody::PIECE / 2, FunctionBody::PIECE - 1] {
            let mut sources = SourceMap::new();
            let file = sources.add("long.cu", text(at));
            let target = Target::default();
            let read = syntax::parse(&mut sources, file, &mut (), &[], target, Pass::Host);
            let (_, found) = crate::check::check(read, &crate::check::CheckOptions::default());
            let errors: Vec<_> = found.iter().filter(|found| found.is_error()).collect();
            assert_eq!(errors.len(), 1, "{}", diagnostic::render(&found, &sources, false));
            assert_eq!(errors[0].primary.span.start as usize, 28 + 6 * at);
        }
    }
}
