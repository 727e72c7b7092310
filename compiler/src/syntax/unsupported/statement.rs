//! Statements and expressions that cannot be read, which are cut out.

use super::{Declared, Place, Remover, statement_start};
use crate::diagnostic::code;
use crate::syntax::lambda;
use reconverge_grammar::token::{Mark, Meaning, Name, TokenKind, Word};

impl Remover<'_> {
    /// Leaves out tokens up to `end`, with an error statement in their place.
    pub(super) fn cut_statement(&mut self, end: usize) {
        let names = self.names_in(self.at..end);
        let span = self.span(self.at);
        if self.places.last() == Some(&Place::Body) {
            self.put(TokenKind::ErrorStatement(names.into()), span);
        }
        self.at = end;
    }

    /// Leaves out tokens up to `end`, with an error expression in their place.
    pub(super) fn cut_expression(&mut self, end: usize) {
        let span = self.span(self.at);
        self.put(TokenKind::ErrorExpression, span);
        self.at = end;
    }

    /// Returns true if the bracket here follows `auto`.
    pub(super) fn binds(&self) -> bool {
        let mut before = self.result.tokens.iter().rev().peekable();
        before.next_if(|last| last.is(Mark::And) || last.is(Mark::AndAnd));
        before.next().is_some_and(|last| last.kind == Word::Auto.token())
    }

    pub(super) fn ends_parameters(&self) -> bool {
        let mut before = self.result.tokens.iter().rev();
        let last = before.find(|token| token.kind != TokenKind::Specifier(Word::Const));
        last.is_some_and(|last| last.is(Mark::RightParen))
    }

    /// Returns true if the braces in the parenthesis here hold statements, and are no list.
    pub(super) fn holds_statements(&self) -> bool {
        let close = self.brackets.partner(self.at + 1);
        self.tokens[self.at..close].iter().any(|token| token.is(Mark::Semicolon))
    }

    /// `a::*b` and `a.*b`: the expression or declaration around is cut out.
    pub(super) fn member_pointer(&mut self) {
        self.report(
            code::UNSUPPORTED_CPP,
            self.span(self.at),
            "unsupported: pointers to members",
            "choose the member with a `switch`",
        );
        if self.places.last() == Some(&Place::Body) {
            let start = statement_start(&self.result.tokens);
            self.result.tokens.truncate(start);
            self.cut_statement(self.behind_statement(self.at));
        } else if let Some((name, behind)) = self.declared_pointer() {
            let words = &self.result.tokens[self.item..];
            let is_typedef =
                words.iter().any(|one| one.kind == TokenKind::Specifier(Word::Typedef));
            let meaning = if is_typedef { Meaning::Type } else { Meaning::Other };
            self.places.retain(|&place| place == Place::Namespace);
            self.cut_declaration(Some(Declared { name, meaning }));
            self.at = self.behind_item(behind);
        } else {
            self.at += 2;
        }
    }

    /// The name of the pointer to a member that is declared here outside functions and structures, and where it ends:
    /// `int a::*p`, or `int (a::*p)(int)`.
    fn declared_pointer(&self) -> Option<(Name, usize)> {
        let name = self.name(self.at + 2)?;
        let behind = self.at + 3;
        let takes_parameters = self.is(behind, Mark::RightParen)
            && self.is(behind + 1, Mark::LeftParen)
            && self.places.iter().filter(|&&place| place != Place::Namespace).count() == 1
            && self.places.last() == Some(&Place::Other);
        match takes_parameters {
            true => Some((name, behind + 1)),
            false => self.is_outside().then_some((name, behind)),
        }
    }

    /// `case 1 ... 3:`
    pub(super) fn case(&mut self) {
        let mut at = self.at + 1;
        while self.token(at).is_some() {
            if self.is(at, Mark::Ellipsis) {
                let help = "write a `case` for each value, or an `if`";
                self.report(
                    code::UNSUPPORTED_C,
                    self.span(at),
                    "unsupported: ranges of cases",
                    help,
                );
                // The first value represents all.
                let end = (at..self.tokens.len()).find(|&at| self.is(at, Mark::Colon));
                while self.at < at {
                    self.keep();
                }
                self.at = end.unwrap_or(at + 1);
                return;
            }
            let ends = [Mark::Colon, Mark::Semicolon, Mark::LeftBrace, Mark::RightBrace];
            if ends.iter().any(|&mark| self.is(at, mark)) {
                break;
            }
            at = self.behind_group(at).max(at + 1);
        }
        self.keep();
    }

    /// `auto [a, b] = ...;`, whose bracket is at `open`.
    pub(super) fn binding(&mut self, open: usize) {
        let help = "declare the variables one by one";
        self.report(
            code::UNSUPPORTED_CPP,
            self.span(open),
            "unsupported: declarations of several names in brackets",
            help,
        );
        let end = self.behind_statement(open);
        // The kept tokens of it are words and `auto`.
        while self.result.tokens.last().is_some_and(|last| {
            matches!(last.kind, TokenKind::Specifier(_) | TokenKind::TypeWord(_))
                || last.is(Mark::And)
                || last.is(Mark::AndAnd)
        }) {
            self.result.tokens.pop();
        }
        self.cut_statement(end);
    }

    /// `auto f(...) -> type`: the type moves to the place of `auto`. Returns true if this is that.
    pub(super) fn result_behind(&mut self) -> bool {
        if self.places.contains(&Place::Body) || self.places.last() == Some(&Place::Other) {
            return false;
        }
        let mut end = self.at + 1;
        while let Some(kind) = self.token(end) {
            match kind {
                TokenKind::Mark(Mark::Semicolon | Mark::LeftBrace | Mark::Assign) => break,
                _ => end = self.behind_group(end).max(end + 1),
            }
        }
        let kept = &self.result.tokens;
        let start = statement_start(kept);
        let auto = kept[start..].iter().position(|token| token.kind == Word::Auto.token());
        let (Some(auto), false) = (auto, end == self.at + 1) else {
            return false;
        };
        let ty = self.tokens[self.at + 1..end].to_vec();
        let at = start + auto;
        self.result.tokens.splice(at..at + 1, ty);
        self.at = end;
        true
    }

    /// `decltype(auto)` becomes a word. `decltype((x))` is a reference, which is refused.
    pub(super) fn type_of(&mut self) {
        let open = self.at + 1;
        let end = self.behind_group(open);
        let is_auto = self.token(open + 1) == Some(&Word::Auto.token());
        if is_auto && end == open + 3 {
            let span = self.span(self.at).to(self.span(end - 1));
            self.put(Word::DecltypeAuto.token(), span);
            self.at = end;
            return;
        }
        let is_enclosed = self.is(open + 1, Mark::LeftParen)
            && self.brackets.partner(open + 1) + 2 == end
            && (open + 2..end - 2).all(|at| self.names_object(at));
        if is_enclosed {
            self.cpp(
                "`decltype` of what is a reference",
                "write the type, or `auto &` in front of an initialiser",
            );
        }
        self.keep();
    }

    /// Returns true if the token at `at` can be one of an expression that names an object.
    fn names_object(&self, at: usize) -> bool {
        let marks = [Mark::Dot, Mark::Arrow, Mark::Scope];
        self.name(at).is_some()
            || self.is_word(at, Word::This)
            || marks.iter().any(|&mark| self.is(at, mark))
    }

    pub(super) fn cpp(&mut self, what: &str, help: &str) {
        let message = format!("unsupported: {what}");
        self.report(code::UNSUPPORTED_CPP, self.span(self.at), &message, help);
    }

    /// `asm` in a function. `volatile` is dropped: the text is executed in place anyway. The `::` of `asm("" :: "r"(x))`
    /// is two colons.
    pub(super) fn assembly(&mut self) {
        let mut open = self.at + 1;
        while let Some(TokenKind::Specifier(Word::Volatile | Word::Inline)) = self.token(open) {
            open += 1;
        }
        let is_statement = self.is(open, Mark::LeftParen) && !self.is_outside();
        if !is_statement {
            self.report(
                code::ASM,
                self.span(self.at),
                "unsupported: assembly outside functions, and `asm goto`",
                "write an `asm` statement in a device function",
            );
            self.drop_item();
            self.cut_statement(self.behind_statement(self.at).max(self.at + 1));
            return;
        }
        self.keep();
        let close = self.brackets.partner(open);
        self.at = open;
        let mut inside = open + 1;
        while inside < close {
            if self.is(inside, Mark::Scope) {
                self.colons.insert(inside);
            }
            inside = self.behind_group(inside).max(inside + 1);
        }
    }

    /// The colon of a range-based `for` is a mark of its own, unlike that of a bit-field.
    pub(super) fn for_loop(&mut self) {
        let open = self.at + 1;
        let close = self.brackets.partner(open);
        let mut inside = open + 1;
        let mut colon = None;
        while inside < close {
            match self.token(inside) {
                Some(TokenKind::Mark(Mark::Semicolon | Mark::Question)) => return self.keep(),
                Some(TokenKind::Mark(Mark::Colon)) => colon = colon.or(Some(inside)),
                _ => {}
            }
            inside = self.behind_group(inside).max(inside + 1);
        }
        self.ranges.extend(colon);
        self.keep();
    }

    /// `new type(values)` or `new type[count]`.
    pub(super) fn allocation(&mut self) {
        if self.result.tokens.last().is_some_and(|last| last.is_word(Word::Operator)) {
            self.cpp("own `operator new`", "give objects their memory where they are made");
            let start = statement_start(&self.result.tokens);
            self.result.tokens.truncate(start);
            self.at = self.behind_item(self.at);
            return;
        }
        self.cpp("`new`", "declare a variable or an array, or allocate with `malloc` on the host");
        let mut end = self.at + 1;
        while matches!(
            self.token(end),
            Some(
                TokenKind::Name(_)
                    | TokenKind::TypeWord(_)
                    | TokenKind::Specifier(_)
                    | TokenKind::Mark(Mark::Star | Mark::Scope)
            )
        ) {
            end = self.behind_angle(end + 1);
        }
        self.cut_expression(self.behind_group(end));
    }

    /// Returns true if the `throw` here is a statement that throws an object.
    pub(super) fn throws(&self) -> bool {
        let begins = self.result.tokens.last().is_none_or(|last| last.kind.may_precede_block());
        let end = self.behind_statement(self.at);
        begins && end > self.at + 2 && self.is(end - 1, Mark::Semicolon)
    }

    /// Returns true if the `[` here begins a lambda: no operand that could be indexed is in front.
    pub(super) fn starts_lambda(&self) -> bool {
        let mut behind = self.brackets.partner(self.at) + 1;
        while matches!(self.token(behind), Some(TokenKind::Specifier(Word::Device | Word::Host))) {
            behind += 1;
        }
        let has_body = self.is(behind, Mark::LeftParen) || self.is(behind, Mark::LeftBrace);
        let in_front = match self.result.tokens.last().map(|last| &last.kind) {
            Some(TokenKind::Mark(mark)) => !matches!(
                mark,
                Mark::RightParen | Mark::RightBracket | Mark::RightBrace | Mark::Semicolon
            ),
            Some(TokenKind::Word(word)) => *word == Word::Return,
            _ => false,
        };
        has_body && in_front
    }

    /// Marks the parts of a lambda.
    pub(super) fn lambda(&mut self) {
        let found = lambda::parts(self.tokens, self.at, |at| self.brackets.partner(at));
        let (span, open) = (self.span(self.at), self.at);
        match found {
            Some(parts) => {
                self.lambdas.insert(parts.body);
                let between = self.brackets.partner(open) + 1..parts.body;
                let mut at = between.start;
                while at < between.end {
                    if self.is(at, Mark::Arrow) {
                        self.results.insert(at);
                    } else if self.is_word(at, Word::Mutable) {
                        self.mutable.insert(at);
                    }
                    at = self.behind_group(at).max(at + 1);
                }
                self.put(TokenKind::Word(Word::Lambda), span);
                self.places.push(Place::Other);
                self.keep();
            }
            None => {
                self.report(code::UNEXPECTED, span, "expected the body of a lambda", "");
                self.cut_expression(self.behind_group(open));
            }
        }
    }
}
