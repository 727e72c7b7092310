//! From the pieces of a program to its tokens.

use super::{Input, Preprocessor};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::lexer::{self, Kind, Piece};
use reconverge_grammar::token::{Mark, Token, TokenKind};

/// Tokens of a program with all that it includes.
const MOST_TOKENS: usize = 4_000_000;
/// The number of pieces that are made before they become tokens.
const BATCH: usize = 1 << 14;

impl Preprocessor<'_> {
    /// The tokens of the files, unless a limit is exceeded. Pieces become tokens one by one, so
    /// that at most one of both is stored at a time.
    pub(super) fn program(&mut self) -> Option<Vec<Token>> {
        let mut input = Input { frames: Vec::new(), files: true };
        let expected = self.reading.iter().map(|reading| reading.pieces.len()).sum();
        let mut tokens = Vec::with_capacity(expected);
        let mut faults = Vec::new();
        let mut pieces: Vec<Piece> = Vec::new();
        let mut before = 0;
        loop {
            let ended = self.expand(&mut input, &mut pieces, BATCH);
            if let Some(piece) = pieces.get(MOST_TOKENS - before) {
                let message = format!("a program of more than {MOST_TOKENS} tokens");
                let span = piece.span;
                self.error(code::LIMIT_TOKENS, span, message);
                self.exhausted = true;
            }
            if self.exhausted {
                return None;
            }
            // Adjacent strings are one token, and `#pragma pack` reads the piece before.
            let whole = pieces.iter().rposition(|piece| !is_string(piece)).unwrap_or(0);
            let whole = if ended { pieces.len() } else { whole };
            make_tokens(&pieces[..whole], &mut tokens, &mut faults);
            pieces.drain(..whole);
            before += whole;
            if ended {
                break;
            }
        }
        self.diagnostics.extend(faults);
        self.end_unroll();
        Some(tokens)
    }
}

/// Turns pieces into tokens and joins adjacent strings.
pub(super) fn make_tokens(pieces: &[Piece], tokens: &mut Vec<Token>, faults: &mut Vec<Diagnostic>) {
    let mut pieces = pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        let mut span = piece.span;
        let mut kind = if is_string(piece) {
            let mut bytes = lexer::string(piece, faults);
            while let Some(next) = pieces.next_if(|next| is_string(next)) {
                bytes.extend(lexer::string(next, faults));
                span = span.to(next.span);
            }
            TokenKind::String(bytes.into())
        } else {
            lexer::token(piece, faults)
        };
        if joins_launch(tokens.last(), &kind) {
            tokens.pop();
            let mark = if kind == TokenKind::Mark(Mark::Less) {
                Mark::LaunchOpen
            } else {
                Mark::LaunchClose
            };
            kind = TokenKind::Mark(mark);
        }
        tokens.push(Token { kind, span, first: piece.first });
    }
}

/// Returns true if a token makes `<<<` or `>>>` of the one before. Apart they have no other
/// meaning, and code formatters without knowledge of CUDA put a space between them.
fn joins_launch(before: Option<&Token>, kind: &TokenKind) -> bool {
    let Some(before) = before else {
        return false;
    };
    match kind {
        TokenKind::Mark(Mark::Less) => before.is(Mark::ShiftLeft),
        TokenKind::Mark(Mark::Greater) => before.is(Mark::ShiftRight),
        _ => false,
    }
}

fn is_string(piece: &Piece) -> bool {
    matches!(piece.kind, Kind::String | Kind::OpenString)
}
