//! `#pragma unroll`: how many iterations of the loop after it are written one after the other.
//!
//! The pragma becomes `UNROLL (factor)` in front of the loop, so that the factor is an expression
//! that the checker evaluates at the loop: a macro, a parameter of a template, any constant.

use super::{Before, Input, Preprocessor, Unroll};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::lexer::{self, Kind, Piece};
use crate::syntax::source::Span;

/// Stands for `#pragma unroll` in front of a loop; its factor follows in parentheses.
const UNROLL_WORD: &str = "#pragma unroll";

impl Preprocessor<'_> {
    /// Reads the rest of a `#pragma unroll`.
    pub(super) fn begin_unroll(&mut self, place: Span, rest: &[Piece]) {
        let factor = self.expand_pragma(rest);
        self.unroll = Some(Unroll { factor, place, before: Before::NextOfFile });
    }

    /// `#pragma nounroll`.
    pub(super) fn begin_no_unroll(&mut self, like: &Piece) {
        let text = self.interner.name("1");
        let one = Piece { kind: Kind::Number, text, first: false, ..like.clone() };
        self.unroll =
            Some(Unroll { factor: vec![one], place: like.span, before: Before::NextOfFile });
    }

    /// Notes that a piece of the file was read after a pragma.
    pub(super) fn meet_unroll(&mut self, next: Span) {
        if let Some(unroll) = &mut self.unroll
            && unroll.before == Before::NextOfFile
        {
            unroll.before = Before::At(next);
        }
    }

    /// Puts a pragma's request in front of the loop that begins with the last piece; warns if none
    /// does.
    pub(super) fn place_unroll(&mut self, output: &mut Vec<Piece>) {
        let Some(last) = output.last() else {
            return;
        };
        let is_before = |unroll: &mut Unroll| match unroll.before {
            Before::NextOfFile => false,
            Before::At(span) => (span.file, span.start) == (last.span.file, last.span.start),
            Before::Next => true,
        };
        let Some(unroll) = self.unroll.take_if(is_before) else {
            return;
        };
        if !last.is_name() || !["for", "while", "do"].contains(&&*last.text) {
            return self.warn_of_unroll(unroll.place);
        }
        let Some(keyword) = output.pop() else {
            return;
        };
        let place = unroll.place;
        let put = |this: &mut Self, kind: Kind, text: &str| Piece {
            kind,
            text: this.interner.name(text),
            span: place,
            spaced: false,
            first: false,
        };
        let word = put(self, Kind::Name, UNROLL_WORD);
        output.push(Piece { first: keyword.first, ..word });
        output.push(put(self, Kind::Mark, "("));
        output.extend(unroll.factor.into_iter().map(|piece| Piece { first: false, ..piece }));
        output.push(put(self, Kind::Mark, ")"));
        output.push(Piece { first: false, ..keyword });
    }

    /// Warns of a pragma at the end of the program.
    pub(super) fn end_unroll(&mut self) {
        if let Some(unroll) = self.unroll.take() {
            self.warn_of_unroll(unroll.place);
        }
    }

    fn warn_of_unroll(&mut self, place: Span) {
        let message = "`#pragma unroll` is not in front of a loop, and does nothing";
        self.diagnostics.push(
            Diagnostic::warning(code::UNROLL, place, message)
                .help("put it directly before `for`, `while` or `do`"),
        );
    }

    /// `_Pragma("...")`: the directive that the string is the text of.
    pub(super) fn pragma_operator(&mut self, name: &Piece, input: &mut Input) -> bool {
        if !input.files {
            // In an argument, it is a pragma where the argument is put.
            return false;
        }
        let pieces = [self.read(input), self.read(input), self.read(input)];
        let [Some(open), Some(text), Some(close)] = &pieces else {
            return self.refuse_pragma(name);
        };
        if !open.is("(") || text.kind != Kind::String || !close.is(")") {
            return self.refuse_pragma(name);
        }
        let inner = text.text.split_once('"').map_or("", |(_, inner)| inner);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let inner = inner.replace("\\\"", "\"").replace("\\\\", "\\");
        let mut ignored = Vec::new();
        let mut rest = lexer::split(name.span.file, &inner, &mut self.interner, &mut ignored);
        for piece in &mut rest {
            piece.span = name.span;
        }
        self.pragma(name.span, &rest);
        if let Some(unroll) = &mut self.unroll
            && unroll.before == Before::NextOfFile
        {
            unroll.before = Before::Next;
        }
        true
    }

    fn refuse_pragma(&mut self, name: &Piece) -> bool {
        let message = "`_Pragma` takes a string in parentheses";
        self.error(code::BAD_DIRECTIVE, name.span, message);
        true
    }
}
