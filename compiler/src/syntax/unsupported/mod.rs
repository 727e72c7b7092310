//! CUDA C++ that is not supported: found on the tokens, named at its place and cut out, so that
//! the rest can be read.

mod attribute;
mod class;
pub(super) mod known;
mod statement;
mod template;

use super::brackets::{Brackets, behind_angle};
use super::source::Span;
use crate::diagnostic::{Code, Diagnostic, code};
use known::{advice, is_unsupported_type};
use reconverge_grammar::token::{Mark, Meaning, Name, Token, TokenKind, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// The replacement for throwing.
const EXCEPTIONS: &str = "return a value that says what failed";

/// Tokens without unsupported constructs.
pub(super) struct Supported {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Names of types that are not there, and of structures that were cut out of other structures and of functions.
    pub types: Vec<Name>,
}

/// Cuts unsupported constructs out of balanced tokens; the remaining ones are balanced.
pub(super) fn remove(tokens: Vec<Token>) -> Supported {
    let brackets = Brackets::new(&tokens);
    let mut remover = Remover {
        tokens: &tokens,
        brackets,
        at: 0,
        places: Vec::new(),
        item: 0,
        dropped: FxHashSet::default(),
        members: FxHashMap::default(),
        ranges: FxHashSet::default(),
        colons: FxHashSet::default(),
        lambdas: FxHashSet::default(),
        thrown: FxHashSet::default(),
        catches: tokens.iter().any(|token| token.is_word(Word::Try)),
        results: FxHashSet::default(),
        mutable: FxHashSet::default(),
        templates: FxHashSet::default(),
        variables: variables_like_types(&tokens),
        result: Supported {
            tokens: Vec::with_capacity(tokens.len()),
            diagnostics: Vec::new(),
            types: Vec::new(),
        },
    };
    while remover.at < tokens.len() {
        remover.step();
    }
    remover.result
}

/// The start of the item or statement that tokens end with.
fn statement_start(tokens: &[Token]) -> usize {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket) => depth += 1,
            TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket) => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return at + 1,
            },
            TokenKind::Mark(Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace) if depth == 0 => {
                return at + 1;
            }
            _ => {}
        }
    }
    0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Namespace,
    Struct,
    /// In a function.
    Body,
    /// In parentheses or an initialiser.
    Other,
}

/// A name with the meaning that its declaration gives it.
struct Declared {
    name: Name,
    meaning: Meaning,
}

struct Remover<'a> {
    tokens: &'a [Token],
    brackets: Brackets,
    at: usize,
    /// The brackets around; none: outside functions.
    places: Vec<Place>,
    /// The start of the current item outside functions in the result.
    item: usize,
    /// Closing brackets that are left out.
    dropped: FxHashSet<usize>,
    /// The positions at which functions of class templates are named outside them, and the ends of
    /// those names.
    members: FxHashMap<usize, usize>,
    /// The colons of range-based `for` statements.
    ranges: FxHashSet<usize>,
    /// The places where `::` is two colons.
    colons: FxHashSet<usize>,
    /// The braces of the bodies of lambdas, the arrows in front of their results, and where they are `mutable`.
    lambdas: FxHashSet<usize>,
    results: FxHashSet<usize>,
    mutable: FxHashSet<usize>,
    /// The semicolons after the operands of `throw`.
    thrown: FxHashSet<usize>,
    /// True if the program has handlers of exceptions.
    catches: bool,
    /// Names of templates, which `<...>` follows.
    templates: FxHashSet<Name>,
    /// Names of unsupported types that the program has given to variables.
    variables: FxHashSet<Name>,
    result: Supported,
}

/// The names of unsupported types that follow another type, as in `float half = 0.5f;`.
fn variables_like_types(tokens: &[Token]) -> FxHashSet<Name> {
    let declared = |three: &[Token]| {
        let behind_type = match &three[0].kind {
            TokenKind::TypeWord(_) | TokenKind::Name(_) => true,
            kind => *kind == TokenKind::Mark(Mark::Star),
        };
        let ends =
            [Mark::Assign, Mark::Semicolon, Mark::Comma, Mark::LeftBracket, Mark::RightParen];
        let name = three[1].name().filter(|name| is_unsupported_type(name));
        name.filter(|_| behind_type && ends.iter().any(|&end| three[2].is(end))).cloned()
    };
    tokens.windows(3).filter_map(declared).collect()
}

impl Remover<'_> {
    fn token(&self, at: usize) -> Option<&TokenKind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    fn is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    fn is_word(&self, at: usize, word: Word) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    fn name(&self, at: usize) -> Option<Name> {
        self.tokens.get(at).and_then(Token::name).cloned()
    }

    fn span(&self, at: usize) -> Span {
        let last = self.tokens.len() - 1;
        self.tokens[at.min(last)].span
    }

    fn report(&mut self, code: Code, span: Span, message: &str, help: &str) {
        self.result.diagnostics.push(Diagnostic::error(code, span, message).advice(help));
    }

    fn put(&mut self, kind: TokenKind, span: Span) {
        self.result.tokens.push(Token { kind, span, first: false });
    }

    fn keep(&mut self) {
        self.result.tokens.push(self.tokens[self.at].clone());
        self.at += 1;
    }

    /// After the group that opens at `at`, if one does.
    fn behind_group(&self, at: usize) -> usize {
        match self.token(at) {
            Some(TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace)) => {
                self.brackets.partner(at) + 1
            }
            _ => at,
        }
    }

    /// After the `<...>` that opens at `at`, if there is one that looks like template arguments.
    fn behind_angle(&self, at: usize) -> usize {
        behind_angle(self.tokens, at).unwrap_or(at)
    }

    /// After the item that begins at `at`: its semicolon, or its braces.
    fn behind_item(&self, at: usize) -> usize {
        let mut here = at;
        while let Some(kind) = self.token(here) {
            match kind {
                TokenKind::Mark(Mark::Semicolon) => return here + 1,
                TokenKind::Mark(Mark::LeftBrace) => {
                    let end = self.behind_group(here);
                    return if self.is(end, Mark::Semicolon) { end + 1 } else { end };
                }
                TokenKind::Mark(Mark::RightBrace | Mark::RightParen | Mark::RightBracket) => {
                    return here;
                }
                _ => here = self.behind_group(here).max(here + 1),
            }
        }
        here
    }

    /// The position after the semicolon of the statement that begins at `at`, or in front of the
    /// end of its block.
    fn behind_statement(&self, at: usize) -> usize {
        let mut here = at;
        while let Some(kind) = self.token(here) {
            match kind {
                TokenKind::Mark(Mark::Semicolon) => return here + 1,
                TokenKind::Mark(Mark::RightBrace | Mark::RightParen | Mark::RightBracket) => {
                    return here;
                }
                _ => here = self.behind_group(here).max(here + 1),
            }
        }
        here
    }

    fn names_in(&self, range: std::ops::Range<usize>) -> Vec<Name> {
        self.tokens[range.start..range.end.min(self.tokens.len())]
            .iter()
            .filter_map(|token| token.name().cloned())
            .collect()
    }

    fn step(&mut self) {
        if self.is_outside() && self.at_item_start() {
            self.item = self.result.tokens.len();
        }
        match self.tokens[self.at].kind.clone() {
            TokenKind::Mark(mark) => self.mark(mark),
            TokenKind::Word(word) => self.word(word),
            TokenKind::Specifier(Word::Extern)
                if matches!(self.token(self.at + 1), Some(TokenKind::String(_))) =>
            {
                self.linkage();
            }
            TokenKind::Specifier(Word::Extern) if self.is_word(self.at + 1, Word::Template) => {
                self.at += 1;
            }
            TokenKind::Specifier(Word::Volatile) if self.is_after_parameters() => {
                self.class(
                    "`volatile` member functions",
                    "access the members that are `volatile` one by one",
                );
                self.at += 1;
            }
            TokenKind::Name(name) => self.identifier(&name),
            _ => self.keep(),
        }
    }

    /// Returns true outside of functions and structures.
    fn is_outside(&self) -> bool {
        self.places.iter().all(|&place| place == Place::Namespace)
    }

    fn at_item_start(&self) -> bool {
        match self.result.tokens.last() {
            None => true,
            Some(last) => {
                let marks = [Mark::Semicolon, Mark::RightBrace, Mark::LeftBrace];
                marks.iter().any(|&mark| last.is(mark))
            }
        }
    }

    /// `extern "C"`, alone or with braces. Alone it declares as `extern` does.
    fn linkage(&mut self) {
        let brace = self.at + 2;
        if !self.is(brace, Mark::LeftBrace) {
            self.keep();
        }
        self.at = brace;
        if self.is(brace, Mark::LeftBrace) {
            self.dropped.insert(self.brackets.partner(brace));
            self.at += 1;
        }
    }

    fn mark(&mut self, mark: Mark) {
        match mark {
            Mark::LeftBracket if self.starts_lambda() => self.lambda(),
            Mark::Arrow if self.results.contains(&self.at) => {
                self.put(TokenKind::Word(Word::LambdaResult), self.span(self.at));
                self.at += 1;
            }
            Mark::LeftBracket if self.binds() => self.binding(self.at),
            Mark::Arrow if self.ends_parameters() && self.result_behind() => {}
            Mark::LeftParen if self.is(self.at + 1, Mark::LeftBrace) && self.holds_statements() => {
                self.report(
                    code::UNSUPPORTED_C,
                    self.span(self.at),
                    "unsupported: statements in an expression",
                    "write a function",
                );
                self.cut_expression(self.behind_group(self.at));
            }
            Mark::Scope if self.is(self.at + 1, Mark::Star) => self.member_pointer(),
            Mark::Dot | Mark::Arrow if self.is(self.at + 1, Mark::Star) => self.member_pointer(),
            Mark::LeftBracket if self.is(self.at + 1, Mark::LeftBracket) => {
                // An attribute: `[[nodiscard]]`.
                let end = self.behind_group(self.at);
                self.attributes(self.at + 2, end.saturating_sub(2));
                self.note_unused(end);
                self.at = end;
            }
            Mark::LeftParen | Mark::LeftBracket => {
                self.places.push(Place::Other);
                self.keep();
            }
            Mark::LeftBrace => {
                let place = self.brace_place();
                self.places.push(place);
                self.keep();
            }
            Mark::Semicolon if self.thrown.contains(&self.at) => {
                self.put(TokenKind::Mark(Mark::RightParen), self.span(self.at));
                self.keep();
            }
            Mark::RightBrace if self.dropped.contains(&self.at) => self.at += 1,
            Mark::RightParen | Mark::RightBracket | Mark::RightBrace => {
                self.places.pop();
                self.keep();
            }
            Mark::Scope if self.colons.contains(&self.at) => {
                self.put(TokenKind::Mark(Mark::Colon), self.span(self.at));
                self.put(TokenKind::Mark(Mark::Colon), self.span(self.at));
                self.at += 1;
            }
            Mark::Colon if self.ranges.contains(&self.at) => {
                self.put(TokenKind::Mark(Mark::In), self.span(self.at));
                self.at += 1;
            }
            _ => self.keep(),
        }
    }

    fn brace_place(&self) -> Place {
        if self.lambdas.contains(&self.at) {
            return Place::Body;
        }
        let before = self.result.tokens.last();
        let inside = self.places.last();
        if inside == Some(&Place::Other) {
            return Place::Other;
        }
        let mut last = self.result.tokens.iter().rev().peekable();
        last.next_if(|token| token.name().is_some());
        if last.next().is_some_and(|token| token.is_word(Word::Namespace)) {
            return Place::Namespace;
        }
        if self.structure_keyword(self.result.tokens.len()).is_some() {
            return Place::Struct;
        }
        let block = before.is_none_or(|before| before.kind.may_precede_block());
        if block { Place::Body } else { Place::Other }
    }

    fn word(&mut self, word: Word) {
        match word {
            Word::Attribute => self.attribute(),
            // With a condition or without one; braces after it hold the body.
            Word::Noexcept if self.is(self.at + 1, Mark::LeftParen) => {
                let end = self.behind_group(self.at + 1);
                if self.ends_parameters() {
                    self.at = end;
                } else {
                    // An operator.
                    self.cpp("`noexcept(...)` as a value", "write `true` or `false`");
                    self.cut_expression(end);
                }
            }
            Word::Noexcept => self.at += 1,
            Word::Mutable if self.mutable.contains(&self.at) => self.keep(),
            Word::Mutable => self.at += 1,
            Word::Virtual => {
                self.class(
                    "virtual functions",
                    "choose with a `switch` over a member that says the kind",
                );
                self.at += 1;
            }
            Word::Template => self.template(),
            Word::Operator if matches!(self.token(self.at + 1), Some(TokenKind::String(_))) => {
                self.cpp("literals of one's own", "write a function and call it");
                self.drop_item();
                self.at = self.behind_item(self.at);
            }
            Word::Using if self.is_word(self.at + 1, Word::Enum) => {
                self.cpp(
                    "`using enum`",
                    "write the enumeration's name and `::` in front of its values",
                );
                self.at = self.behind_statement(self.at);
            }
            Word::Case => self.case(),
            Word::Goto if self.is(self.at + 1, Mark::Star) => {
                self.report(
                    code::UNSUPPORTED_C,
                    self.span(self.at),
                    "unsupported: `goto` to a computed place",
                    "choose the label with a `switch`",
                );
                self.cut_statement(self.behind_statement(self.at));
            }
            Word::Asm => self.assembly(),
            Word::Decltype => self.type_of(),
            Word::Struct | Word::Union => self.structure(),
            Word::For => self.for_loop(),
            // An exception ends the program, so that no handler is ever reached.
            Word::Try => self.at += 1,
            Word::Catch => {
                let block = self.behind_group(self.at + 1);
                self.at = self.behind_group(block);
            }
            // `a(const a &) = delete;`
            Word::Delete
                if self.is(self.at + 1, Mark::Semicolon)
                    && self.result.tokens.last().is_some_and(|last| last.is(Mark::Assign)) =>
            {
                self.keep();
            }
            Word::Throw if self.throws() => {
                let span = self.span(self.at);
                self.put(TokenKind::Name("__throw_object".into()), span);
                self.put(TokenKind::Mark(Mark::LeftParen), span);
                self.thrown.insert(self.behind_statement(self.at) - 1);
                self.at += 1;
            }
            Word::Throw | Word::Delete => {
                match word {
                    Word::Delete => self.cpp("`delete`", "give memory back with `free`"),
                    _ => self.cpp("this form of `throw`", EXCEPTIONS),
                }
                self.cut_statement(self.behind_statement(self.at));
            }
            Word::New => self.allocation(),
            Word::Typeid | Word::Wchar => {
                self.cpp(&format!("`{}`", word.text()), "");
                self.cut_expression(self.behind_group(self.at + 1));
            }
            Word::DynamicCast => {
                self.cpp("`dynamic_cast`", "keep in a member what kind of object it is");
                let value = self.behind_angle(self.at + 1);
                self.cut_expression(self.behind_group(value));
            }
            _ => self.keep(),
        }
    }

    fn identifier(&mut self, name: &Name) {
        if let Some(&last) = self.members.get(&self.at)
            && let Some(member) = self.name(last)
        {
            let span = self.span(self.at).to(self.span(last));
            self.put(TokenKind::Name(format!("{name}::{member}").into()), span);
            self.at = last + 1;
            return;
        }
        if self.catches && ["std::__throw", "::__throw_end"].contains(&&**name) {
            let name = format!("{}_to_handler", name.trim_start_matches("::"));
            self.put(TokenKind::Name(name.into()), self.span(self.at));
            self.at += 1;
            return;
        }
        if self.word_like(name) {
            return;
        }
        let behind = self.behind_angle(self.at + 1);
        if &**name == "texture" {
            self.check_texture(behind);
        }
        let is_type = is_unsupported_type(name) && !self.variables.contains(name);
        if is_type && !self.is_member() {
            let message = format!("unsupported: the type `{name}`");
            self.report(code::UNSUPPORTED_FUNCTION, self.span(self.at), &message, advice(name));
            self.result.types.push(name.clone());
            self.keep();
            self.at = behind;
        } else if self.templates.contains(name.rsplit("::").next().unwrap_or(name)) {
            self.keep();
        } else if behind > self.at + 1 && !self.is_member() {
            self.instance(name, behind);
        } else {
            self.keep();
        }
    }

    /// Handles a name that is a word at its place. Returns true if this was one.
    fn word_like(&mut self, name: &Name) -> bool {
        let last = self.result.tokens.last();
        match &**name {
            // After parameters, and after the name of a structure.
            "override" | "final" => {
                let is_word = last.is_some_and(|last| {
                    last.is(Mark::RightParen)
                        || last.kind == TokenKind::Specifier(Word::Const)
                        || (last.name().is_some() && &**name == "final")
                });
                let ends = [Mark::Semicolon, Mark::LeftBrace, Mark::Colon, Mark::Assign];
                if !is_word || !ends.iter().any(|&mark| self.is(self.at + 1, mark)) {
                    return false;
                }
                self.at += 1;
            }
            "concept" if last.is_some_and(|last| last.is(Mark::Greater)) => {
                let help = "write the template without it, and a `static_assert` in it";
                let span = self.span(self.at);
                self.report(code::UNSUPPORTED_TEMPLATE, span, "unsupported: concepts", help);
                let name = self.name(self.at + 1);
                self.cut_declaration(name.map(|name| Declared { name, meaning: Meaning::Other }));
                self.at = self.behind_item(self.at);
            }
            "requires" if last.is_some_and(|last| last.is(Mark::Greater)) => {
                let help = "write the template without it, and a `static_assert` in it";
                let span = self.span(self.at);
                self.report(code::UNSUPPORTED_TEMPLATE, span, "unsupported: `requires`", help);
                let end = self.behind_item(self.at);
                // Other functions of the name are not meant where this one would be.
                self.cut_declaration(self.template_name(self.at + 1, end));
                self.at = end;
            }
            "_Generic" if self.is(self.at + 1, Mark::LeftParen) => {
                let help = "write a function with overloads";
                let span = self.span(self.at);
                self.report(code::UNSUPPORTED_C, span, "unsupported: `_Generic`", help);
                self.cut_expression(self.behind_group(self.at + 1));
            }
            "__int128" => {
                let span = self.span(self.at);
                let help = "write two `unsigned long long`";
                self.report(code::UNSUPPORTED_C, span, "unsupported: `__int128`", help);
                // A type without a meaning; `unsigned` in front of it adds none.
                self.result.types.push(name.clone());
                self.result.tokens.pop_if(|last| {
                    let sign = [Word::Signed, Word::Unsigned];
                    matches!(last.kind, TokenKind::TypeWord(word) if sign.contains(&word))
                });
                self.keep();
                if let Some(TokenKind::TypeWord(Word::Signed | Word::Unsigned)) =
                    self.token(self.at)
                {
                    self.at += 1;
                }
            }
            _ => return false,
        }
        true
    }

    /// Returns true if the current token follows a function's parameters, and perhaps `const`.
    fn is_after_parameters(&self) -> bool {
        let mut before = self.result.tokens.iter().rev();
        let last = before.find(|token| token.kind != TokenKind::Specifier(Word::Const));
        last.is_some_and(|last| last.is(Mark::RightParen))
    }

    fn is_member(&self) -> bool {
        let before = self.result.tokens.last();
        before.is_some_and(|before| before.is(Mark::Dot) || before.is(Mark::Arrow))
    }
}
