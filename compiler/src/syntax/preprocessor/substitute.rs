//! Putting arguments into a macro's text.

use super::{Frame, Input, Preprocessor};
use crate::diagnostic::code;
use crate::syntax::lexer::{self, Kind, Piece};
use std::sync::Arc;

impl Preprocessor<'_> {
    /// The text of the macro used at `name` with its arguments in it.
    pub(super) fn substitute(&mut self, name: &Piece, arguments: Vec<Vec<Piece>>) -> Vec<Piece> {
        let Some(found) = self.macros.get(&name.text) else {
            return Vec::new();
        };
        let mut names: Vec<_> = found.parameters.clone().unwrap_or_default();
        if found.variadic {
            names.push(self.interner.name("__VA_ARGS__"));
        }
        let variadic = found.variadic;
        let body = found.body.clone();
        let function_like = found.parameters.is_some();
        let argument_of = |piece: &Piece| {
            let index = names.iter().position(|name| piece.is_name() && *name == piece.text)?;
            Some((index, arguments.get(index)?))
        };
        let mut expanded: Vec<Option<Vec<Piece>>> = vec![None; arguments.len()];
        let mut output: Vec<Piece> = Vec::new();
        let mut at = 0;
        while let Some(piece) = body.get(at) {
            let next = body.get(at + 1);
            at += 1;
            let located = Piece { span: name.span, first: false, ..piece.clone() };
            if piece.is("#") && function_like {
                if let Some((_, argument)) = next.and_then(argument_of) {
                    output.push(self.stringized(name, argument));
                    at += 1;
                    continue;
                }
            }
            if piece.is("##") && !output.is_empty() {
                let Some(right) = next else { continue };
                at += 1;
                let right_text = match argument_of(right) {
                    Some((index, argument)) => {
                        let is_rest = variadic && index + 1 == names.len();
                        let comma = output.last().is_some_and(|last| last.is(","));
                        if is_rest && comma {
                            // GNU's `, ## __VA_ARGS__`: no comma when there is nothing behind it.
                            if argument.is_empty() {
                                output.pop();
                            } else {
                                output.extend(argument.iter().cloned());
                            }
                            continue;
                        }
                        argument.clone()
                    }
                    None => vec![Piece { span: name.span, first: false, ..right.clone() }],
                };
                self.paste(&mut output, right_text);
                continue;
            }
            let pasted = next.is_some_and(|next| next.is("##"));
            match argument_of(piece) {
                Some((_, argument)) if pasted => {
                    // A placemarker stands in for nothing, so that `##` has something to join.
                    if argument.is_empty() {
                        output.push(placemarker(&located));
                    }
                    output.extend(argument.iter().cloned());
                }
                Some((index, argument)) => {
                    if expanded[index].is_none() {
                        expanded[index] = Some(self.expand_argument(argument));
                    }
                    output.extend(expanded[index].iter().flatten().cloned());
                }
                None => output.push(located),
            }
            if self.exhausted || output.len() > super::EXPANSION_USE {
                break;
            }
        }
        output.retain(|piece| piece.kind != Kind::Space);
        output
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

    /// `#argument`.
    fn stringized(&mut self, name: &Piece, argument: &[Piece]) -> Piece {
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

    /// Joins the last piece of `output` and the first of `right` into one.
    fn paste(&mut self, output: &mut Vec<Piece>, right: Vec<Piece>) {
        let mut right = right.into_iter();
        let Some(second) = right.next() else {
            return;
        };
        let Some(first) = output.pop() else {
            return;
        };
        if first.kind == Kind::Space {
            output.push(second);
        } else {
            let joined = format!("{}{}", first.text, second.text);
            let mut ignored = Vec::new();
            let pieces = lexer::split(first.span.file, &joined, &mut self.interner, &mut ignored);
            match <[Piece; 1]>::try_from(pieces) {
                Ok([piece]) => output.push(Piece { kind: piece.kind, text: piece.text, ..first }),
                Err(_) => {
                    let message = format!(
                        "`##` joins `{}` and `{}` to `{joined}`, which is not one token",
                        first.text, second.text,
                    );
                    self.error(code::BAD_MACRO, first.span, message);
                    output.push(first);
                    output.push(second);
                }
            }
        }
        output.extend(right);
    }
}

/// A piece that is left out in the end.
fn placemarker(like: &Piece) -> Piece {
    Piece { kind: Kind::Space, text: Arc::from(""), ..like.clone() }
}
