//! Putting arguments into a macro's text.

use super::{EXPANSION_USE, Frame, Input, Preprocessor};
use crate::diagnostic::code;
use crate::syntax::lexer::{self, Kind, Piece};
use reconverge_grammar::token::Name;
use std::sync::Arc;

/// A use of a macro while its text is put together.
struct Use<'a> {
    name: &'a Piece,
    function_like: bool,
    /// Parameters, `__VA_ARGS__` included.
    parameters: Vec<Name>,
    variadic: bool,
    arguments: Vec<Vec<Piece>>,
    /// The arguments with macros expanded in them, as far as they are needed.
    expanded: Vec<Option<Vec<Piece>>>,
    output: Vec<Piece>,
}

impl Use<'_> {
    /// The index of the parameter that `piece` is.
    fn parameter(&self, piece: &Piece) -> Option<usize> {
        if !piece.is_name() {
            return None;
        }
        let index = self.parameters.iter().position(|name| *name == piece.text)?;
        (index < self.arguments.len()).then_some(index)
    }

    /// A piece of the macro's text, placed where the macro is used.
    fn located(&self, piece: &Piece) -> Piece {
        Piece { span: self.name.span, first: false, ..piece.clone() }
    }
}

impl Preprocessor<'_> {
    /// The text of the macro used at `name` with its arguments in it.
    pub(super) fn substitute(&mut self, name: &Piece, arguments: Vec<Vec<Piece>>) -> Vec<Piece> {
        let Some(found) = self.macros.get(&name.text) else {
            return Vec::new();
        };
        let body = found.body.clone();
        let mut here = Use {
            name,
            function_like: found.parameters.is_some(),
            parameters: found.parameters.clone().unwrap_or_default(),
            variadic: found.variadic,
            expanded: vec![None; arguments.len()],
            arguments,
            output: Vec::new(),
        };
        if here.variadic {
            here.parameters.push(self.interner.name("__VA_ARGS__"));
        }
        let mut rest = body.as_slice();
        while !rest.is_empty() && !self.exhausted && here.output.len() <= EXPANSION_USE {
            rest = self.substitute_next(&mut here, rest);
        }
        here.output.retain(|piece| piece.kind != Kind::Space);
        space_like(&mut here.output, 0, name);
        here.output
    }

    /// Substitutes the next piece of a macro's text, or applies the operator there. Returns the
    /// rest.
    fn substitute_next<'a>(&mut self, here: &mut Use, body: &'a [Piece]) -> &'a [Piece] {
        let Some((piece, rest)) = body.split_first() else {
            return body;
        };
        let next = rest.first();
        if piece.is("#")
            && here.function_like
            && let Some(index) = next.and_then(|next| here.parameter(next))
        {
            let mut string = stringized(here.name, &here.arguments[index]);
            string.spaced = piece.spaced;
            if self.count_text(&string.text, here.name) {
                here.output.push(string);
            }
            return &rest[1..];
        }
        if piece.is("##")
            && let Some(right) = next
        {
            self.paste_operand(here, right);
            return &rest[1..];
        }
        let pasted = next.is_some_and(|next| next.is("##"));
        match here.parameter(piece) {
            Some(index) if pasted => {
                // A placemarker represents nothing, so that `##` has an operand to join.
                if here.arguments[index].is_empty() {
                    here.output.push(placemarker(here.name));
                }
                let start = here.output.len();
                here.output.extend(here.arguments[index].iter().cloned());
                space_like(&mut here.output, start, piece);
            }
            Some(index) => {
                let start = here.output.len();
                self.put_argument(here, index);
                space_like(&mut here.output, start, piece);
            }
            None => here.output.push(here.located(piece)),
        }
        rest
    }

    fn put_argument(&mut self, here: &mut Use, index: usize) {
        if here.expanded[index].is_none() {
            here.expanded[index] = Some(self.expand_argument(&here.arguments[index]));
        }
        here.output.extend(here.expanded[index].iter().flatten().cloned());
    }

    /// Joins the operand after `##` to the last output.
    fn paste_operand(&mut self, here: &mut Use, right: &Piece) {
        let Some(index) = here.parameter(right) else {
            let right = here.located(right);
            return self.paste(&mut here.output, vec![right]);
        };
        let argument = here.arguments[index].clone();
        let is_rest = here.variadic && index + 1 == here.parameters.len();
        let comma = here.output.last().is_some_and(|last| last.is(","));
        if !(is_rest && comma) {
            return self.paste(&mut here.output, argument);
        }
        // GNU's `, ## __VA_ARGS__`: no comma when there is nothing after it.
        if argument.is_empty() {
            here.output.pop();
        }
        here.output.extend(argument);
    }

    fn expand_argument(&mut self, argument: &[Piece]) -> Vec<Piece> {
        self.depth += 1;
        let frame = Frame { of: None, pieces: argument.to_vec(), at: 0 };
        let start = self.use_start;
        let output = match argument.first() {
            Some(first) if !self.count(argument.len(), first) => Vec::new(),
            _ => self.expand_all(Input { frames: vec![frame], files: false }),
        };
        self.use_start = start;
        self.depth -= 1;
        output
    }

    /// Joins the last piece of `output` and the first of `right` into one.
    fn paste(&mut self, output: &mut Vec<Piece>, right: Vec<Piece>) {
        let mut right = right.into_iter();
        let Some(second) = right.next() else {
            return;
        };
        match output.pop() {
            Some(first) if first.kind != Kind::Space => {
                let joined = self.joined(first, second);
                output.extend(joined);
            }
            _ => output.push(second),
        }
        output.extend(right);
    }

    fn joined(&mut self, first: Piece, second: Piece) -> Vec<Piece> {
        let text = format!("{}{}", first.text, second.text);
        if !self.count_text(&text, &first) {
            return vec![first];
        }
        let mut ignored = Vec::new();
        let pieces = lexer::split(first.span.file, &text, &mut self.interner, &mut ignored);
        if let [piece] = pieces.as_slice() {
            return vec![Piece { kind: piece.kind, text: piece.text.clone(), ..first }];
        }
        let message = format!(
            "`##` joins `{}` and `{}` to `{text}`, which is not one token",
            first.text, second.text,
        );
        self.error(code::BAD_MACRO, first.span, message);
        vec![first, second]
    }
}

/// Gives the piece at `start` the space in front of the piece that it replaces; the others keep
/// theirs.
fn space_like(output: &mut [Piece], start: usize, replaced: &Piece) {
    if let Some(first) = output.get_mut(start) {
        first.spaced = replaced.spaced || replaced.first;
        first.first = false;
    }
}

/// `#argument`.
fn stringized(name: &Piece, argument: &[Piece]) -> Piece {
    let mut text = String::from("\"");
    for (at, piece) in argument.iter().enumerate() {
        if at > 0 && (piece.spaced || piece.first) {
            text.push(' ');
        }
        let quoted = matches!(piece.kind, Kind::String | Kind::Char);
        for character in piece.text.chars() {
            if quoted && matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
    }
    text.push('"');
    Piece { kind: Kind::String, text: Arc::from(text), first: false, ..name.clone() }
}

/// A piece that is left out in the end.
fn placemarker(like: &Piece) -> Piece {
    Piece { kind: Kind::Space, text: Arc::from(""), ..like.clone() }
}
