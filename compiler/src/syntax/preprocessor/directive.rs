//! The directives.

use super::{
    Conditional, Frame, INCLUDE_DEPTH, INCLUDE_TOTAL, Input, Macro, NotLoaded, Preprocessor, header,
};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::lexer::{Kind, Piece};
use crate::syntax::source::Span;
use reconverge_grammar::token::Name;

/// The cost of including a file in addition to its length, in bytes.
const INCLUDE_COST: usize = 1024;
/// The note about a file that is not found.
const MISSING: &str = "it was looked for beside the including file and in the directories of `-I`";

impl Preprocessor<'_> {
    /// Reads the directive after the `#` at `hash`, to the end of its line.
    pub(super) fn directive(&mut self, hash: Span) {
        let line = self.line();
        let Some((name, rest)) = line.split_first() else {
            return;
        };
        let span = hash.to(name.span);
        match &*name.text {
            "if" => self.open_conditional(span, rest, Preprocessor::condition),
            "ifdef" => self.open_conditional(span, rest, Preprocessor::is_defined),
            "ifndef" => {
                self.open_conditional(span, rest, |this, span, rest| !this.is_defined(span, rest))
            }
            "elif" => self.else_if(span, rest),
            "else" => self.else_part(span),
            "endif" => self.end_conditional(span),
            _ if self.conditionals.last().is_some_and(|open| !open.active) => {}
            "define" => self.define(span, rest),
            "undef" => {
                if let Some(name) = self.macro_name(span, rest) {
                    self.macros.remove(&name);
                }
            }
            "include" => self.include(span, rest),
            "error" => self.message(span, rest, true),
            "warning" => self.message(span, rest, false),
            "pragma" => self.pragma(span, rest),
            "line" | "ident" => {}
            _ if name.kind == Kind::Number => {}
            _ => {
                let message = format!("`#{}` is not a directive", name.text);
                self.error(code::BAD_DIRECTIVE, span, message);
            }
        }
    }

    /// The rest of the line.
    fn line(&mut self) -> Vec<Piece> {
        let Some(reading) = self.reading.last_mut() else {
            return Vec::new();
        };
        let rest = &reading.pieces[reading.at..];
        let count = rest.iter().take_while(|piece| !piece.first).count();
        let line = rest[..count].to_vec();
        reading.at += count;
        line
    }

    fn open_conditional(
        &mut self,
        span: Span,
        rest: &[Piece],
        holds: impl FnOnce(&mut Self, Span, &[Piece]) -> bool,
    ) {
        let outer = self.conditionals.last().is_none_or(|open| open.active);
        let active = outer && holds(self, span, rest);
        self.conditionals.push(Conditional {
            span,
            active,
            done: active || !outer,
            in_else: false,
        });
    }

    fn else_if(&mut self, span: Span, rest: &[Piece]) {
        let wanted = match self.innermost() {
            Some(open) if !open.in_else => !open.done,
            _ => return self.unbalanced(span, "`#elif` without `#if`"),
        };
        let active = wanted && self.condition(span, rest);
        if let Some(open) = self.innermost() {
            open.active = active;
            open.done |= active;
        }
    }

    fn else_part(&mut self, span: Span) {
        match self.innermost() {
            Some(open) if !open.in_else => {
                open.active = !open.done;
                open.done = true;
                open.in_else = true;
            }
            _ => self.unbalanced(span, "`#else` without `#if`"),
        }
    }

    fn end_conditional(&mut self, span: Span) {
        if self.innermost().is_some() {
            self.conditionals.pop();
        } else {
            self.unbalanced(span, "`#endif` without `#if`");
        }
    }

    /// The conditional that was opened last in this file.
    fn innermost(&mut self) -> Option<&mut Conditional> {
        let outside = self.reading.last().map_or(0, |file| file.conditionals);
        self.conditionals.get_mut(outside..)?.last_mut()
    }

    fn unbalanced(&mut self, span: Span, message: &str) {
        self.error(code::UNBALANCED_CONDITIONAL, span, message);
    }

    fn is_defined(&mut self, span: Span, rest: &[Piece]) -> bool {
        self.macro_name(span, rest).is_some_and(|name| self.has_macro(&name))
    }

    pub(super) fn has_macro(&mut self, name: &str) -> bool {
        self.note(name);
        self.macros.contains_key(name) || matches!(name, "__LINE__" | "__FILE__" | "__COUNTER__")
    }

    fn macro_name(&mut self, span: Span, rest: &[Piece]) -> Option<Name> {
        match rest.first() {
            Some(name) if name.is_name() => Some(name.text.clone()),
            _ => {
                self.error(code::BAD_DIRECTIVE, span, "the name of a macro is missing");
                None
            }
        }
    }

    fn define(&mut self, span: Span, rest: &[Piece]) {
        let Some(name) = self.macro_name(span, rest) else {
            return;
        };
        let at = rest[0].span;
        if &*name == "defined" {
            return self.error(code::BAD_MACRO, at, "`defined` cannot be a macro");
        }
        let mut body = &rest[1..];
        let mut parameters = None;
        let mut variadic = false;
        if body.first().is_some_and(|open| open.is("(") && !open.spaced) {
            let Some(close) = body.iter().position(|piece| piece.is(")")) else {
                return self.error(code::BAD_MACRO, at, "the parameters have no closing `)`");
            };
            match self.parameters(&body[1..close]) {
                Some((names, rest)) => (parameters, variadic) = (Some(names), rest),
                None => return,
            }
            body = &body[close + 1..];
        }
        let found = Macro { parameters, variadic, body: body.to_vec(), predefined: false };
        if self.check_body(&found) {
            self.insert(name, at, found);
        }
    }

    /// The names between the parentheses, and whether `...` is the last.
    fn parameters(&mut self, pieces: &[Piece]) -> Option<(Vec<Name>, bool)> {
        let mut names: Vec<Name> = Vec::new();
        if pieces.is_empty() {
            return Some((names, false));
        }
        let parts: Vec<&[Piece]> = pieces.split(|piece| piece.is(",")).collect();
        for (index, part) in parts.iter().enumerate() {
            match part {
                [dots] if dots.is("...") && index + 1 == parts.len() => return Some((names, true)),
                [name] if name.is_name() && !names.contains(&name.text) => {
                    names.push(name.text.clone());
                }
                _ => {
                    let span = part.first().unwrap_or(&pieces[0]).span;
                    let message = "the parameters of a macro are distinct names, separated by `,`";
                    self.error(code::BAD_MACRO, span, message);
                    return None;
                }
            }
        }
        Some((names, false))
    }

    /// `#` is in front of a parameter, `##` between two tokens.
    fn check_body(&mut self, found: &Macro) -> bool {
        let ends = [found.body.first(), found.body.last()];
        if let Some(end) = ends.into_iter().flatten().find(|piece| piece.is("##")) {
            let message = "`##` needs a token on either side";
            self.error(code::BAD_MACRO, end.span, message);
            return false;
        }
        let Some(parameters) = &found.parameters else {
            return true;
        };
        for (at, piece) in found.body.iter().enumerate() {
            let next = found.body.get(at + 1);
            let right = next.is_some_and(|next| {
                parameters.contains(&next.text) || (found.variadic && &*next.text == "__VA_ARGS__")
            });
            if piece.is("#") && !right {
                let message = "`#` needs a parameter of the macro behind it";
                self.error(code::BAD_MACRO, piece.span, message);
                return false;
            }
        }
        true
    }

    fn insert(&mut self, name: Name, span: Span, found: Macro) {
        if let Some(old) = self.macros.get(&name)
            && !old.predefined
            && !same(old, &found)
        {
            let mut warning = Diagnostic::warning(
                code::MACRO_REDEFINED,
                span,
                format!("the macro `{name}` is defined again with a different text"),
            );
            if let Some(first) = old.body.first() {
                warning = warning.secondary(first.span, "its text until here");
            }
            self.diagnostics.push(warning);
        }
        self.macros.insert(name, found);
    }

    fn message(&mut self, span: Span, rest: &[Piece], is_error: bool) {
        let text = match rest {
            [only] if only.kind == Kind::String => only.text.trim_matches('"').to_owned(),
            [first, .., last] => {
                let whole = first.span.to(last.span);
                self.sources.slice(whole).to_owned()
            }
            [only] => only.text.to_string(),
            [] => if is_error { "#error" } else { "#warning" }.to_owned(),
        };
        self.diagnostics.push(if is_error {
            Diagnostic::error(code::ERROR_DIRECTIVE, span, text)
        } else {
            Diagnostic::warning(code::WARNING_DIRECTIVE, span, text)
        });
    }

    pub(super) fn pragma(&mut self, span: Span, rest: &[Piece]) {
        match rest.split_first() {
            Some((word, rest)) if &*word.text == "unroll" => self.begin_unroll(word.span, rest),
            Some((word, _)) if &*word.text == "nounroll" => self.begin_no_unroll(word),
            Some((word, rest)) if &*word.text == "pack" => self.packing(span, rest),
            Some((word, _)) if ["ms_struct", "scalar_storage_order"].contains(&&*word.text) => {
                let message = format!("unsupported: `#pragma {}`", word.text);
                self.error(code::UNSUPPORTED_C, span, message);
            }
            _ => {}
        }
        if rest.first().is_some_and(|word| &*word.text == "once")
            && let Some(reading) = self.reading.last()
        {
            self.once.insert(self.sources.name(reading.file).to_owned());
        }
    }

    /// The text of a pragma with macros expanded in it.
    pub(super) fn expand_pragma(&mut self, rest: &[Piece]) -> Vec<Piece> {
        let frame = Frame { of: None, pieces: rest.to_vec(), at: 0 };
        self.expand_all(Input { frames: vec![frame], files: false })
    }

    fn include(&mut self, span: Span, rest: &[Piece]) {
        let Some(name) = self.include_name(rest) else {
            let message = "`#include` needs a file name in `\"...\"` or `<...>`";
            return self.error(code::BAD_DIRECTIVE, span, message);
        };
        let span = match rest {
            [first, .., last] => first.span.to(last.span),
            [first] => first.span,
            [] => span,
        };
        if self.reading.len() >= INCLUDE_DEPTH {
            let message = format!("`{name}` is included {INCLUDE_DEPTH} files deep");
            return self.too_many_includes(span, message);
        }
        let including = match self.reading.last() {
            Some(reading) => self.sources.name(reading.file).to_owned(),
            None => String::new(),
        };
        let supplied = header::text(&name);
        if header::is_supplied(&name) && !supplied.is_some_and(|supplied| supplied.yields) {
            return supplied.into_iter().for_each(|supplied| self.open_supplied(supplied));
        }
        match (self.loader.load(&including, &name), supplied) {
            (Err(_), Some(supplied)) => self.open_supplied(supplied),
            (loaded, _) => self.open_loaded(&name, span, loaded),
        }
    }

    /// Reads a text that replaces a header, once.
    fn open_supplied(&mut self, supplied: &header::Supplied) {
        if self.once.insert(supplied.name.to_owned()) {
            let file = self.sources.add_supplied(supplied.name, supplied.text);
            self.open(file);
        }
    }

    /// Reads a file, or reports why it cannot be read.
    fn open_loaded(&mut self, name: &str, span: Span, loaded: Result<(String, String), NotLoaded>) {
        match loaded {
            Ok((resolved, _)) if self.once.contains(&resolved) => {}
            Ok((resolved, text)) => {
                self.included += text.len() + INCLUDE_COST;
                if self.included > INCLUDE_TOTAL {
                    let message = format!("`{name}` is one file too many to include");
                    return self.too_many_includes(span, message);
                }
                let file = self.sources.add(resolved, text);
                self.open(file);
            }
            Err(_) if header::is_unsupported(name) => {
                let message = format!("unsupported: the library of `{name}`");
                let found = Diagnostic::warning(code::MISSING_INCLUDE, span, message);
                self.diagnostics.push(found);
            }
            Err(reason) => {
                let (what, note) = match &reason {
                    NotLoaded::Missing => ("is not found", MISSING.to_owned()),
                    NotLoaded::Unreadable(why) => ("cannot be read", why.clone()),
                };
                let message = format!("the file `{name}` {what}");
                let found = match reason {
                    NotLoaded::Missing => Diagnostic::warning(code::MISSING_INCLUDE, span, message),
                    NotLoaded::Unreadable(_) => {
                        Diagnostic::error(code::BAD_DIRECTIVE, span, message)
                    }
                };
                self.diagnostics.push(found.note(note));
            }
        }
    }

    /// Reports that includes have no end, and stops reading.
    fn too_many_includes(&mut self, span: Span, message: String) {
        self.error(code::LIMIT_INCLUDE, span, message);
        self.exhausted = true;
    }

    fn include_name(&mut self, rest: &[Piece]) -> Option<String> {
        let expanded;
        let mut pieces = rest;
        if pieces.first()?.kind == Kind::Name {
            expanded = self.expand_line(pieces);
            pieces = &expanded;
        }
        let first = pieces.first()?;
        if first.kind == Kind::String {
            return Some(first.text.trim_matches('"').to_owned());
        }
        let last = pieces.iter().rposition(|piece| piece.is(">"))?;
        if !first.is("<") || last == 0 {
            return None;
        }
        let inner =
            Span::new(first.span.file, first.span.end, pieces[last].span.start.max(first.span.end));
        let name = self.sources.slice(inner).trim();
        (!name.is_empty()).then(|| name.to_owned())
    }
}

fn same(a: &Macro, b: &Macro) -> bool {
    a.parameters == b.parameters
        && a.variadic == b.variadic
        && a.body.len() == b.body.len()
        && a.body.iter().zip(&b.body).all(|(a, b)| a.text == b.text)
}
