//! The text outside functions: splitting tokens into functions, declarations and templates. The
//! members of structures are read likewise.

use super::brackets::{self, Brackets};
use super::defaulted::{self, Defaulted};
use super::lambda;
use super::recover::{self, Failure};
use super::source::Span;
use crate::diagnostic::{Diagnostic, code};
use reconverge_grammar::token::{Mark, Members, Name, Token, TokenKind, Word};
use reconverge_grammar::tree::{
    Declaration, Declarator, FunctionBody, FunctionDefinition, InitDeclarator, Item, SpecifierKind,
    Specifiers, Template,
};
use std::borrow::Cow;
use std::sync::Arc;

/// The most errors that are looked for outside functions.
const ERRORS: usize = 100;

/// The items of balanced, tagged tokens, and the faults of the others. `faults` are the places
/// reported before.
pub(super) fn read(tokens: Vec<Token>, faults: Vec<Span>) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut found = Found { faults, ..Found::default() };
    let folded = match found.fold(&tokens) {
        Cow::Owned(folded) => Some(folded),
        Cow::Borrowed(_) => None,
    };
    let folded = folded.unwrap_or(tokens);
    let items = found.folded_items(&folded, false);
    (items, found.diagnostics)
}

/// The tokens of a body with the members of each structure in it read and put into one token.
pub(super) fn fold(tokens: &[Token]) -> (Cow<'_, [Token]>, Vec<Diagnostic>) {
    let mut found = Found::default();
    let folded = found.fold(tokens);
    (folded, found.diagnostics)
}

/// Further results of reading beside the items.
#[derive(Default)]
struct Found {
    /// The places of faults that earlier stages found.
    faults: Vec<Span>,
    diagnostics: Vec<Diagnostic>,
}

impl Found {
    fn items(&mut self, tokens: &[Token], members: bool) -> Vec<Item> {
        let folded = self.fold(tokens);
        self.folded_items(&folded, members)
    }

    /// The items of tokens in which the members of structures are read already.
    fn folded_items(&mut self, folded: &[Token], members: bool) -> Vec<Item> {
        let brackets = Brackets::new(folded);
        let mut reader = Reader {
            tokens: folded,
            brackets,
            members,
            items: Vec::new(),
            defaulted: Vec::new(),
            found: self,
        };
        let mut at = 0;
        while at < folded.len() && reader.found.diagnostics.len() < ERRORS {
            at = reader.item(at);
        }
        let errors = defaulted::beside_others(&reader.items, &reader.defaulted);
        reader.found.diagnostics.extend(errors);
        reader.items
    }

    /// Reads the members of structures outside functions' bodies, which fold their own.
    fn fold<'a>(&mut self, tokens: &'a [Token]) -> Cow<'a, [Token]> {
        let is_lambda = |token: &Token| token.is_word(Word::Lambda);
        if !tokens.iter().any(|token| is_structure(token) || is_lambda(token)) {
            return Cow::Borrowed(tokens);
        }
        let brackets = Brackets::new(tokens);
        let mut output = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            if is_lambda(&tokens[at]) {
                let (token, end) = match lambda::read(tokens, &brackets, at) {
                    Ok(read) => read,
                    Err((diagnostic, end)) => {
                        self.diagnostics.push(*diagnostic);
                        let kind = TokenKind::ErrorExpression;
                        (Token { kind, ..tokens[at].clone() }, end)
                    }
                };
                output.push(token);
                at = end;
                continue;
            }
            let is_scoped = at > 0 && tokens[at - 1].is_word(Word::Enum);
            if !is_structure(&tokens[at]) || is_scoped {
                output.push(tokens[at].clone());
                at += 1;
                continue;
            }
            let (keyword, brace) = (at, behind_tag(tokens, &brackets, at + 1));
            output.extend_from_slice(&tokens[at..brace]);
            at = brace;
            if tokens.get(brace).is_some_and(|token| token.is(Mark::LeftBrace)) {
                let close = brackets.partner(brace);
                let errors = self.diagnostics.len();
                let mut members = self.items(&tokens[brace + 1..close], true);
                // Attributes are written after the keyword, or after the members.
                let whole = &tokens[keyword..(close + 2).min(tokens.len())];
                if self.diagnostics.len() > errors || self.has_fault(whole, &members) {
                    members.push(Item::Faulty);
                }
                let span = tokens[brace].span.to(tokens[close].span);
                let kind = TokenKind::Members(Members(Arc::new(members)));
                output.push(Token { kind, span, first: false });
                at = close + 1;
            }
        }
        Cow::Owned(output)
    }

    /// Returns true if a fault was reported in the text of a structure that defines its objects'
    /// contents, or how they are made, copied or destroyed: all but its other functions, whose
    /// faults are theirs.
    fn has_fault(&self, tokens: &[Token], members: &[Item]) -> bool {
        self.faults.iter().any(|fault| {
            let inside = |whole: Span| {
                whole.file == fault.file && whole.start <= fault.start && fault.start < whole.end
            };
            let within = tokens.chunk_by(|one, next| one.span.file == next.span.file);
            let mut within = within.filter_map(|run| Some(run.first()?.span.to(run.last()?.span)));
            within.any(inside) && !members.iter().any(|member| is_apart(member, &inside))
        })
    }
}

/// Returns true if a place in a member is in a function whose faults are its own.
fn is_apart(member: &Item, inside: &dyn Fn(Span) -> bool) -> bool {
    match member {
        Item::Function(definition) => {
            let name = definition.declarator.name.as_deref().unwrap_or_default();
            // Without a type in front it makes or destroys objects.
            let is_typed =
                definition.specifiers.items.iter().any(
                    |one| !matches!(&one.kind, SpecifierKind::Word(word) if *word > Word::Auto),
                );
            inside(definition.body.span)
                || (inside(definition.span) && is_typed && name != "operator=")
        }
        Item::Template(template) => is_apart(&template.item, inside),
        Item::Friend(item) => is_apart(item, inside),
        _ => false,
    }
}

/// After the alignment, the tag and its arguments that follow `struct`.
fn behind_tag(tokens: &[Token], brackets: &Brackets, mut at: usize) -> usize {
    let is = |at: usize, mark: Mark| tokens.get(at).is_some_and(|token| token.is(mark));
    while let Some(TokenKind::Word(Word::Align | Word::Alignas | Word::Packed | Word::Pack)) =
        tokens.get(at).map(|token| &token.kind)
    {
        at = if is(at + 1, Mark::LeftParen) { brackets.partner(at + 1) + 1 } else { at + 1 };
    }
    if tokens.get(at).is_some_and(|token| token.name().is_some()) {
        at += 1;
    }
    if is(at, Mark::AngleOpen) { behind_angle(tokens, at) } else { at }
}

/// After the template arguments that open at `at`.
fn behind_angle(tokens: &[Token], at: usize) -> usize {
    brackets::behind_angle(tokens, at).unwrap_or(tokens.len())
}

struct Reader<'a> {
    tokens: &'a [Token],
    brackets: Brackets,
    /// True if these are the members of a structure.
    members: bool,
    items: Vec<Item>,
    /// For a structure, the functions with a parameter that are `= default`.
    defaulted: Vec<Defaulted>,
    found: &'a mut Found,
}

/// The end of an item.
enum End {
    /// After a semicolon.
    Semicolon(usize),
    /// A function: after its head, and at the brace of its body.
    Body { head: usize, brace: usize },
    /// A semicolon is missing in front of this.
    Missing(usize),
}

impl Reader<'_> {
    fn is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    fn is_word(&self, at: usize, word: Word) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    fn report(&mut self, found: Diagnostic) {
        self.found.diagnostics.push(found);
    }

    /// Reads the item at `at`; where the next one begins.
    fn item(&mut self, at: usize) -> usize {
        match &self.tokens[at].kind {
            TokenKind::Mark(Mark::Semicolon) => at + 1,
            TokenKind::Unreadable(name, _) => {
                self.items.push(Item::Unreadable(name.clone(), self.tokens[at].span));
                at + 1
            }
            TokenKind::Word(Word::Public | Word::Private | Word::Protected)
                if self.members && self.is(at + 1, Mark::Colon) =>
            {
                at + 2
            }
            TokenKind::Word(Word::Namespace) => self.namespace(at),
            TokenKind::Word(Word::Template) => self.template(at),
            TokenKind::Word(Word::Friend) if self.members => self.friend(at),
            TokenKind::Word(Word::StaticAssert) => self.assertion(at),
            TokenKind::Word(Word::Using) if !self.is(at + 2, Mark::Assign) => self.using(at),
            _ if self.members && self.names_destructor(at) => self.destructor(at),
            _ => self.declared(at),
        }
    }

    /// A function or a declaration.
    fn declared(&mut self, at: usize) -> usize {
        match self.end(at) {
            End::Semicolon(end) => self.declaration(at, end),
            End::Missing(end) => {
                self.missing_semicolon(end);
                self.with_semicolon(at, end);
                end
            }
            End::Body { head, brace } => self.function(at, head, brace),
        }
    }

    fn end(&self, start: usize) -> End {
        let mut at = start;
        let mut value = false;
        // After the parameters, if this is the head of a function.
        let mut head = None;
        while let Some(token) = self.tokens.get(at) {
            match token.kind {
                TokenKind::Mark(Mark::Semicolon) => return End::Semicolon(at + 1),
                TokenKind::Mark(Mark::Assign) => value = true,
                TokenKind::Mark(Mark::Colon) if head.is_some() && !value => {
                    if let Some(brace) = self.behind_initializers(at + 1) {
                        return End::Body { head: head.unwrap_or(at), brace };
                    }
                }
                TokenKind::Mark(Mark::LeftBrace) => {
                    if let (false, Some(head)) = (value, head) {
                        return End::Body { head, brace: at };
                    }
                    at = self.brackets.partner(at);
                    head = None;
                }
                TokenKind::Mark(Mark::LeftParen) => {
                    let is_align = self.before(at).is_some_and(|before| {
                        let words = [Word::Align, Word::Alignas, Word::Pack];
                        words.iter().any(|&word| before.is_word(word))
                    });
                    at = self.brackets.partner(at);
                    head = (at > start && !is_align).then_some(at + 1);
                }
                TokenKind::Mark(Mark::LeftBracket) => at = self.brackets.partner(at),
                TokenKind::Mark(Mark::AngleOpen) => at = behind_angle(self.tokens, at) - 1,
                // After the parameters of a function that does not change its object.
                TokenKind::Specifier(Word::Const) => {}
                TokenKind::Members(_) if self.starts_item(at + 1) => return End::Missing(at + 1),
                _ => head = None,
            }
            at += 1;
        }
        End::Missing(at)
    }

    /// The brace of the body after a constructor's initialisers.
    fn behind_initializers(&self, start: usize) -> Option<usize> {
        let mut at = start;
        loop {
            self.tokens.get(at)?.name()?;
            let open = if self.is(at + 1, Mark::AngleOpen) {
                behind_angle(self.tokens, at + 1)
            } else {
                at + 1
            };
            if !self.is(open, Mark::LeftParen) && !self.is(open, Mark::LeftBrace) {
                return None;
            }
            at = self.brackets.partner(open) + 1;
            if self.is(at, Mark::LeftBrace) {
                return Some(at);
            }
            if !self.is(at, Mark::Comma) {
                return None;
            }
            at += 1;
        }
    }

    /// Returns true if a new item certainly begins at `at`.
    fn starts_item(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.first
                && matches!(
                    token.kind,
                    TokenKind::Specifier(_)
                        | TokenKind::TypeWord(_)
                        | TokenKind::TypeName(_)
                        | TokenKind::Word(
                            Word::Struct
                                | Word::Union
                                | Word::Enum
                                | Word::Using
                                | Word::Template
                                | Word::Namespace
                        )
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
            let what = match before.kind {
                TokenKind::Members(_) => "`}`".to_owned(),
                _ => before.describe(),
            };
            let message = format!("expected `;` after {what}");
            let span = before.span.after();
            let found = Diagnostic::error(code::EXPECTED_SEMICOLON, span, message);
            self.report(found.help("put `;` here"));
        }
    }

    /// `namespace a { ... }`
    fn namespace(&mut self, at: usize) -> usize {
        let name = self.tokens.get(at + 1).and_then(Token::name).cloned();
        let brace = at + 1 + usize::from(name.is_some());
        if !self.is(brace, Mark::LeftBrace) {
            let message = "`namespace` is followed by a name and what it holds in braces";
            let span = self.tokens[at].span;
            self.report(Diagnostic::error(code::UNEXPECTED, span, message));
            return brace;
        }
        let close = self.brackets.partner(brace);
        let items = self.found.items(&self.tokens[brace + 1..close], false);
        self.items.push(Item::Namespace(name, items));
        close + 1
    }

    /// `using a::b;`
    fn using(&mut self, at: usize) -> usize {
        let end = self.behind_semicolon(at);
        if let Some(name) = self.tokens.get(at + 1).and_then(Token::name).cloned() {
            self.items.push(Item::Using(name, self.whole(at, end)));
        }
        end
    }

    fn behind_semicolon(&self, start: usize) -> usize {
        let mut at = start;
        while at < self.tokens.len() && !self.is(at, Mark::Semicolon) {
            at = self.brackets.partner(at).max(at) + 1;
        }
        (at + 1).min(self.tokens.len())
    }

    fn assertion(&mut self, at: usize) -> usize {
        let end = self.behind_semicolon(at);
        match recover::assertion(&self.tokens[at..end], self.whole(at, end)) {
            Ok(tree) => self.items.push(Item::Assertion(tree)),
            Err(diagnostic) => self.report(*diagnostic),
        }
        end
    }

    fn template(&mut self, at: usize) -> usize {
        if !self.is(at + 1, Mark::AngleOpen) {
            return self.instance(at);
        }
        let behind = behind_angle(self.tokens, at + 1);
        let list = &self.tokens[at + 2..(behind - 1).max(at + 2)];
        let parameters = match recover::parameters(list, self.whole(at, behind)) {
            Ok(parameters) => Some(parameters),
            Err(failure) => {
                self.report(*failure.diagnostic);
                None
            }
        };
        if behind >= self.tokens.len() {
            return behind;
        }
        let before = self.items.len();
        let end = self.item(behind);
        match (self.items.pop_if_behind(before), parameters) {
            (Some(item @ Item::Unreadable(..)), _) => self.items.push(item),
            // The contents of its head are unknown: it cannot be distinguished from others of its
            // name.
            (Some(item), Some(_)) if self.is_repaired(at, &item, end) => match named(&item) {
                Some((name, span)) if !self.members => {
                    self.items.push(Item::Unreadable(name.clone(), span));
                }
                _ => self.poison(behind, end),
            },
            (Some(item), Some(parameters)) => {
                let span = self.whole(at, end);
                self.items.push(Item::Template(Arc::new(Template { parameters, item, span })));
            }
            (Some(_), None) => self.poison(behind, end),
            (None, _) => {}
        }
        end
    }

    /// Returns true if the text of a template before its body has an expression that was reported.
    fn is_repaired(&self, start: usize, item: &Item, end: usize) -> bool {
        let mut tokens = self.tokens[start..end].iter();
        let body = match item {
            Item::Function(definition) => Some(definition.body.span),
            _ => None,
        };
        let is_body = |token: &Token| {
            body.is_some_and(|body| body.file == token.span.file && body.start <= token.span.start)
        };
        tokens.by_ref().take_while(|token| !is_body(token)).any(Token::is_repair)
    }

    /// `template __global__ void f<int>(int *);`
    fn instance(&mut self, at: usize) -> usize {
        let end = self.behind_semicolon(at);
        if at + 1 >= end {
            return end;
        }
        match recover::declaration(&self.tokens[at + 1..end], self.whole(at, end)) {
            Ok(tree) => self.items.push(Item::Instance(tree)),
            Err(failure) => {
                self.report(*failure.diagnostic);
                self.poison(at, end);
            }
        }
        end
    }

    /// A function that belongs to the namespace around; a structure that is one changes nothing.
    fn friend(&mut self, at: usize) -> usize {
        if self.is_word(at + 1, Word::Struct) || at + 1 >= self.tokens.len() {
            return self.behind_semicolon(at);
        }
        let before = self.items.len();
        let end = self.item(at + 1);
        if let Some(item) = self.items.pop_if_behind(before) {
            self.items.push(Item::Friend(Box::new(item)));
        }
        end
    }

    /// The position of the `~` of a destructor that begins at `at`.
    fn tilde(&self, at: usize) -> usize {
        let words = |token: &&Token| matches!(token.kind, TokenKind::Specifier(_));
        at + self.tokens[at..].iter().take_while(words).count()
    }

    fn names_destructor(&self, at: usize) -> bool {
        self.is(self.tilde(at), Mark::Tilde)
    }

    /// `~a() {...}` or `~a();`, as a function whose name is `~a`. One that does nothing is the same as none.
    fn destructor(&mut self, at: usize) -> usize {
        let tilde = self.tilde(at);
        let (name, open) = (self.tokens.get(tilde + 1).and_then(Token::name), tilde + 2);
        let (Some(name), true) = (name.cloned(), self.is(open, Mark::LeftParen)) else {
            let end = self.behind_semicolon(at);
            let message = "`~` and the name of the structure begin a destructor here";
            let span = self.tokens[tilde].span;
            self.report(Diagnostic::error(code::BAD_DECLARATOR, span, message));
            return end;
        };
        let head = self.brackets.partner(open) + 1;
        let span = self.tokens[tilde].span.to(self.tokens[tilde + 1].span);
        let mut tokens = self.tokens[at..tilde].to_vec();
        tokens.push(Token { kind: TokenKind::Name(format!("~{name}").into()), span, first: false });
        tokens.extend_from_slice(&self.tokens[open..head.min(self.tokens.len())]);
        if self.is(head, Mark::LeftBrace) {
            let close = self.brackets.partner(head);
            if close > head + 1 {
                self.destructor_body(at, &tokens, head, close);
            }
            return close + 1;
        }
        let end = self.behind_semicolon(at);
        if self.is_default(at, end) {
            if self.is_word(end - 2, Word::Delete) {
                let message = "unsupported: deleted destructors";
                let span = self.whole(at, end);
                self.report(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message));
            }
            return end;
        }
        if !self.is(head, Mark::Semicolon) {
            let message = "expected the body of the destructor or `;`";
            let span = self.whole(at, head);
            self.report(Diagnostic::error(code::BAD_DECLARATOR, span, message));
            return end;
        }
        match headed(recover::header(&tokens, self.whole(at, head)), self.whole(at, end)) {
            Ok(tree) => self.items.push(Item::Declaration(tree)),
            Err(failure) => self.report(*failure.diagnostic),
        }
        end
    }

    /// A destructor with a body between braces.
    fn destructor_body(&mut self, at: usize, head: &[Token], open: usize, close: usize) {
        match recover::header(head, self.whole(at, open)) {
            Ok((specifiers, declarator)) => {
                let span = self.whole(open, close + 1);
                let body = FunctionBody::new(&self.tokens[open + 1..close], span);
                self.items.push(Item::Function(Arc::new(FunctionDefinition {
                    specifiers,
                    declarator,
                    initializers: Vec::new(),
                    constant: false,
                    body,
                    span: self.whole(at, close + 1),
                })));
            }
            Err(failure) => self.report(*failure.diagnostic),
        }
    }

    /// The tokens of a function's head without the parts that only functions in structures have:
    /// the tokens, and true if the function leaves its object as it is.
    fn head(&self, start: usize, end: usize) -> (Vec<Token>, bool) {
        let mut tokens = self.tokens[start..end].to_vec();
        let mut constant = false;
        while tokens.last().is_some_and(|last| last.kind == TokenKind::Specifier(Word::Const)) {
            tokens.pop();
            constant = true;
        }
        (conversion(tokens), constant)
    }

    fn declaration(&mut self, start: usize, end: usize) -> usize {
        if self.is_default(start, end) {
            self.default_constructor(start, end);
            if self.members && self.is_word(end - 2, Word::Default) {
                let span = self.whole(start, end);
                self.defaulted.extend(Defaulted::new(&self.tokens[start..end - 3], span));
            }
            return end;
        }
        let (tokens, constant) = self.head(start, end - 1);
        let mut tokens = if self.members { unnamed_fields(tokens) } else { tokens };
        tokens.push(self.tokens[end - 1].clone());
        let whole = self.whole(start, end);
        let read = match self.constructor(&tokens, whole) {
            Some(read) => read,
            None => recover::declaration(&tokens, whole),
        };
        match read {
            Ok(tree) => self.items.push(Item::Declaration(Declaration { constant, ..tree })),
            Err(failure) => return self.failed(start, end, end, failure),
        }
        end
    }

    /// `S(const S &) = default;` and `= delete` only repeat the rule that holds without them.
    fn is_default(&self, start: usize, end: usize) -> bool {
        let Some(word) = end.checked_sub(2).filter(|word| *word > start) else {
            return false;
        };
        (self.is_word(word, Word::Default) || self.is_word(word, Word::Delete))
            && self.is(word - 1, Mark::Assign)
    }

    /// `S() = default;` beside other constructors: objects may start without values, on both sides.
    fn default_constructor(&mut self, start: usize, end: usize) {
        let head = end - 3;
        let empty = head
            .checked_sub(2)
            .filter(|&open| self.is(open, Mark::LeftParen) && self.is(open + 1, Mark::RightParen));
        let is_specifier = |token: &Token| matches!(token.kind, TokenKind::Specifier(_));
        let unnamed = |open: usize| {
            let mut before = self.tokens[start..open].iter().filter(|token| !is_specifier(token));
            matches!(before.next().map(|token| &token.kind), Some(TokenKind::Name(_)))
                && before.next().is_none()
        };
        if !self.members
            || !self.is_word(end - 2, Word::Default)
            || !empty.is_some_and(|open| open > start && unnamed(open))
        {
            return;
        }
        let sided = |word: Word| Token {
            kind: TokenKind::Specifier(word),
            span: self.tokens[start].span,
            first: false,
        };
        let plain = self.tokens[start..head].iter().filter(|token| !is_specifier(token)).cloned();
        let tokens: Vec<Token> =
            [sided(Word::Host), sided(Word::Device)].into_iter().chain(plain).collect();
        let whole = self.whole(start, end);
        if let Ok((specifiers, declarator)) = recover::header(&tokens, whole) {
            self.items.push(Item::Function(Arc::new(FunctionDefinition {
                specifiers,
                declarator,
                initializers: Vec::new(),
                constant: false,
                body: FunctionBody::empty(whole),
                span: whole,
            })));
        }
    }

    /// A constructor that is only declared: a head without a type.
    fn constructor(&self, tokens: &[Token], whole: Span) -> Option<Result<Declaration, Failure>> {
        let is_word = |token: &&Token| matches!(token.kind, TokenKind::Specifier(_));
        let first = tokens.iter().find(|token| !is_word(token))?;
        let unnamed = matches!(first.kind, TokenKind::Name(_));
        if !self.members || !unnamed || tokens.len() < 2 {
            return None;
        }
        Some(headed(recover::header(&tokens[..tokens.len() - 1], whole), whole))
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

    fn function(&mut self, start: usize, head: usize, brace: usize) -> usize {
        let close = self.brackets.partner(brace);
        let end = close + 1;
        let colon = (head..brace).find(|&at| self.is(at, Mark::Colon));
        let (tokens, constant) = self.head(start, colon.unwrap_or(brace));
        let initializers = match colon {
            Some(colon) => {
                recover::initializers(&self.tokens[colon + 1..brace], self.whole(colon, brace))
            }
            None => Ok(Vec::new()),
        };
        let initializers = match initializers {
            Ok(initializers) => initializers,
            Err(failure) => return self.failed(start, brace, end, Failure { at: 0, ..failure }),
        };
        match recover::header(&tokens, self.whole(start, brace)) {
            Ok((specifiers, declarator)) => {
                let span = self.whole(brace, end);
                let body =
                    FunctionBody::new(self.tokens.get(brace + 1..close).unwrap_or_default(), span);
                self.items.push(Item::Function(Arc::new(FunctionDefinition {
                    specifiers,
                    declarator,
                    initializers,
                    constant,
                    body,
                    span: self.whole(start, end),
                })));
            }
            Err(failure) => return self.failed(start, brace, end, failure),
        }
        end
    }

    /// Reports the fault in `start..head`, of an item that ends at `end`. A missing semicolon in it
    /// splits it in two.
    fn failed(&mut self, start: usize, head: usize, end: usize, failure: Failure) -> usize {
        let at = start + failure.at;
        if failure.wants_semicolon && at > start && at < head && self.starts_item(at) {
            self.report(*failure.diagnostic);
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
            self.report(diagnostic);
        }
        self.poison(start, head);
        end
    }

    /// Poisons the names that `start..end` may have been meant to declare. The types that it uses
    /// stay valid, except for a template of which it is a specialisation. Nothing is declared after
    /// `^=` and its kin. Structures with such members are not known themselves.
    fn poison(&mut self, start: usize, end: usize) {
        if self.members {
            return;
        }
        let mut after_struct = false;
        let tokens = self.tokens[start..end].iter();
        let declared = tokens.take_while(|token| !changes_object(token)).filter_map(|token| {
            let is_tag = std::mem::replace(&mut after_struct, is_structure(token));
            match &token.kind {
                TokenKind::Name(name) | TokenKind::TemplateName(name) => Some((name, token.span)),
                TokenKind::TemplateType(name) if is_tag => Some((name, token.span)),
                _ => None,
            }
        });
        let items = declared.map(|(name, span)| Item::Unreadable(name.clone(), span));
        self.items.extend(items);
    }
}

/// The name that a template's item declares.
fn named(item: &Item) -> Option<(&Name, Span)> {
    let declarator = match item {
        Item::Function(definition) => &definition.declarator,
        Item::Declaration(declaration) => &declaration.declarators.first()?.declarator,
        _ => return None,
    };
    Some((declarator.name.as_ref()?, declarator.name_span))
}

/// Returns true if a structure's tag follows.
fn is_structure(token: &Token) -> bool {
    token.is_word(Word::Struct) || token.is_word(Word::Union)
}

/// Returns true if this is an assignment that no declaration has.
fn changes_object(token: &Token) -> bool {
    let TokenKind::Mark(mark) = token.kind else {
        return false;
    };
    matches!(
        mark,
        Mark::PlusAssign
            | Mark::MinusAssign
            | Mark::StarAssign
            | Mark::SlashAssign
            | Mark::PercentAssign
            | Mark::AndAssign
            | Mark::OrAssign
            | Mark::CaretAssign
            | Mark::ShiftLeftAssign
            | Mark::ShiftRightAssign
    )
}

/// The declaration of a function of which only the head is written, without a type.
fn headed(
    head: Result<(Specifiers, Declarator), Failure>,
    span: Span,
) -> Result<Declaration, Failure> {
    head.map(|(specifiers, declarator)| Declaration {
        specifiers,
        declarators: vec![InitDeclarator {
            declarator,
            layout: Vec::new(),
            init: None,
            width: None,
        }],
        constant: false,
        span,
    })
}

/// Gives bit-fields without a name an empty one, so that the grammar can distinguish their colon
/// from that of an enumeration.
fn unnamed_fields(tokens: Vec<Token>) -> Vec<Token> {
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let before = output.last().map(|before| &before.kind);
        let is_unnamed = match before {
            Some(TokenKind::TypeWord(_) | TokenKind::Specifier(_)) => true,
            Some(TokenKind::Mark(Mark::Comma)) => true,
            Some(TokenKind::TypeName(_)) => {
                let word = output.len().checked_sub(2).map(|at| &output[at]);
                !word.is_some_and(|word| word.is_word(Word::Enum) || word.is_word(Word::Struct))
            }
            _ => false,
        };
        if token.is(Mark::Colon) && is_unnamed {
            let kind = TokenKind::Name("".into());
            output.push(Token { kind, span: token.span, first: false });
        }
        output.push(token);
    }
    output
}

/// `operator T *()` as `T *(operator)()`: a function whose name is its result's type.
fn conversion(tokens: Vec<Token>) -> Vec<Token> {
    let Some(at) = tokens.iter().position(|token| token.is_word(Word::Operator)) else {
        return tokens;
    };
    let Some(open) = (at..tokens.len()).find(|&here| tokens[here].is(Mark::LeftParen)) else {
        return tokens;
    };
    let mut output = tokens[..at].to_vec();
    output.extend_from_slice(&tokens[at + 1..open]);
    let name = Token { kind: TokenKind::Name(CONVERSION.into()), ..tokens[at].clone() };
    output.push(name);
    output.extend_from_slice(&tokens[open..]);
    output
}

/// The name of the functions that convert a structure into something else.
pub const CONVERSION: &str = "operator type";

/// Takes back the last element.
trait PopBehind<T> {
    /// The last element, if there are more than `count`.
    fn pop_if_behind(&mut self, count: usize) -> Option<T>;
}

impl<T> PopBehind<T> for Vec<T> {
    fn pop_if_behind(&mut self, count: usize) -> Option<T> {
        if self.len() > count { self.pop() } else { None }
    }
}
