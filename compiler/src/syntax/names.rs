//! Names of several tokens become one: `a::b`, `operator+`, `if constexpr`.
//!
//! `using namespace a;` becomes a `using` of a name that ends with [`OPENED`], and `inline
//! namespace a` has one of a name that ends with [`INLINE`] in front. Read over here is `namespace
//! b = a;`.

use super::source::FileId;
use super::unsupported::known::is_plain_without_std;
use reconverge_grammar::token::{Mark, Name, Token, TokenKind, Word};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The end of the name of an opened namespace: words, which no name holds.
pub(crate) const OPENED: &str = "::namespace";
/// The end of the name of a namespace that belongs to the one around.
pub(crate) const INLINE: &str = "::inline";

/// Tokens with whole names.
pub(super) struct Joined {
    pub tokens: Vec<Token>,
    /// The namespaces that `using namespace` opens anywhere, in order.
    pub opened: Vec<Name>,
}

/// Joins the tokens of names.
pub(super) fn join(tokens: Vec<Token>) -> Joined {
    let mut joiner = Joiner {
        tokens: &tokens,
        at: 0,
        output: Vec::with_capacity(tokens.len()),
        opened: Vec::new(),
        aliases: FxHashMap::default(),
    };
    while joiner.at < tokens.len() {
        joiner.step();
    }
    Joined { tokens: joiner.output, opened: joiner.opened }
}

/// The names, without the part before `::`, that occur as one token only in `file`.
pub(super) fn single(tokens: &[Token], file: FileId) -> BTreeSet<Name> {
    let mut seen: FxHashMap<&str, (&Token, bool)> = FxHashMap::default();
    for token in tokens {
        if let Some(name) = token.name() {
            let last = name.rsplit("::").next().unwrap_or(name);
            seen.entry(last).and_modify(|(_, again)| *again = true).or_insert((token, false));
        }
    }
    let once = |(name, (token, again)): (&str, (&Token, bool))| {
        (!again && token.span.file == file).then(|| Name::from(name))
    };
    seen.into_iter().filter_map(once).collect()
}

struct Joiner<'a> {
    tokens: &'a [Token],
    at: usize,
    output: Vec<Token>,
    opened: Vec<Name>,
    /// Other names of namespaces.
    aliases: FxHashMap<Name, Name>,
}

/// The operators that a program may define, but for calls and indices.
fn is_operator(mark: Mark) -> bool {
    use Mark::*;
    matches!(
        mark,
        Plus | Minus
            | Star
            | Slash
            | Percent
            | And
            | Or
            | Caret
            | Tilde
            | Not
            | AndAnd
            | OrOr
            | PlusPlus
            | MinusMinus
            | ShiftLeft
            | ShiftRight
            | Less
            | Greater
            | LessEqual
            | GreaterEqual
            | Equal
            | NotEqual
            | Assign
            | PlusAssign
            | MinusAssign
            | StarAssign
            | SlashAssign
            | PercentAssign
            | AndAssign
            | OrAssign
            | CaretAssign
            | ShiftLeftAssign
            | ShiftRightAssign
            | Arrow
            | Comma
    )
}

impl Joiner<'_> {
    fn kind(&self, at: usize) -> Option<&TokenKind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    fn is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(mark))
    }

    fn is_word(&self, at: usize, word: Word) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is_word(word))
    }

    fn plain(&self, at: usize) -> Option<&Name> {
        match self.kind(at)? {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Puts one token in place of those up to `end`.
    fn replace(&mut self, end: usize, kind: TokenKind) {
        let first = &self.tokens[self.at];
        let last = &self.tokens[end - 1];
        self.output.push(Token { kind, span: first.span.to(last.span), first: first.first });
        self.at = end;
    }

    fn step(&mut self) {
        let at = self.at;
        match &self.tokens[at].kind {
            TokenKind::Word(Word::Class) => self.replace(at + 1, TokenKind::Word(Word::Struct)),
            TokenKind::Word(Word::If) if self.is_constexpr(at + 1) => {
                self.replace(at + 2, TokenKind::Word(Word::IfConstexpr));
            }
            // `a<int>::template b<int>`
            TokenKind::Word(Word::Template) if self.behind_scope() => self.at += 1,
            TokenKind::Word(Word::Friend) => self.friend(),
            TokenKind::Word(Word::Operator) => self.operator(),
            TokenKind::Word(Word::Namespace) => self.namespace(),
            TokenKind::Word(Word::Using) if self.is_word(at + 1, Word::Namespace) => self.open(),
            // A name of the outermost namespace.
            TokenKind::Mark(Mark::Scope)
                if !self.behind_angle()
                    && !self.is(at + 1, Mark::Star)
                    && !self.is_between_operands(at) =>
            {
                self.outermost();
            }
            TokenKind::Name(_) => self.name(),
            // `a<T>::~a() {`
            TokenKind::Mark(Mark::Tilde) if self.behind_scope() => match self.plain(at + 1) {
                Some(name) if self.is(at + 2, Mark::LeftParen) => {
                    self.replace(at + 2, TokenKind::Name(format!("~{name}").into()));
                }
                _ => self.replace(at + 1, self.tokens[at].kind.clone()),
            },
            _ => self.replace(at + 1, self.tokens[at].kind.clone()),
        }
    }

    /// `::a`, a name of the outermost namespace; one with a path needs nothing in front.
    fn outermost(&mut self) {
        let (path, end) = self.path(self.at + 1);
        if path.is_empty() || path.contains("::") {
            self.at += 1;
            return;
        }
        self.replace(end, TokenKind::Name(format!("::{path}").into()));
    }

    /// Returns true if the last token closes template arguments, as in `a<int>::b`.
    fn behind_angle(&self) -> bool {
        self.output.last().is_some_and(|last| {
            last.is(Mark::Greater) || last.is(Mark::ShiftRight) || last.is(Mark::LaunchClose)
        })
    }

    /// Returns true for the `::` of `asm("" :: "r"(x))`, which is two colons.
    fn is_between_operands(&self, at: usize) -> bool {
        let marks = [Mark::Colon, Mark::LeftBracket, Mark::RightParen];
        matches!(self.tokens.get(at + 1).map(|token| &token.kind), Some(TokenKind::String(_)))
            || marks.iter().any(|&mark| self.is(at + 1, mark))
    }

    fn behind_scope(&self) -> bool {
        self.output.last().is_some_and(|last| last.is(Mark::Scope))
    }

    fn is_constexpr(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(TokenKind::Specifier(Word::Constexpr)))
    }

    /// `friend` moves in front of the words around it.
    fn friend(&mut self) {
        self.replace(self.at + 1, TokenKind::Word(Word::Friend));
        let is_word = |token: &&Token| matches!(token.kind, TokenKind::Specifier(_));
        let words = self.output.iter().rev().skip(1).take_while(is_word).count();
        let last = self.output.len() - 1;
        self.output[last - words..].rotate_right(1);
    }

    /// `operator+` and its kin; one that names a type stays as it is.
    fn operator(&mut self) {
        let (end, text) = match self.kind(self.at + 1) {
            Some(TokenKind::Mark(Mark::LeftParen)) if self.is(self.at + 2, Mark::RightParen) => {
                (self.at + 3, "()")
            }
            Some(TokenKind::Mark(Mark::LeftBracket))
                if self.is(self.at + 2, Mark::RightBracket) =>
            {
                (self.at + 3, "[]")
            }
            Some(TokenKind::Mark(mark)) if is_operator(*mark) => (self.at + 2, mark.text()),
            _ => return self.replace(self.at + 1, TokenKind::Word(Word::Operator)),
        };
        self.replace(end, TokenKind::Name(format!("operator{text}").into()));
    }

    /// `namespace a = b;` is remembered; `namespace a::b {` is kept with its name in one.
    fn namespace(&mut self) {
        let name = self.plain(self.at + 1).cloned();
        if let Some(alias) = name
            && self.is(self.at + 2, Mark::Assign)
        {
            let (path, end) = self.path(self.at + 3);
            self.aliases.insert(alias, path);
            self.at = end + usize::from(self.is(end, Mark::Semicolon));
            return;
        }
        if let Some(name) = self.plain(self.at + 1)
            && self
                .output
                .last()
                .is_some_and(|last| last.kind == TokenKind::Specifier(Word::Inline))
        {
            let name = TokenKind::Name(format!("{name}{INLINE}").into());
            self.output.pop();
            let (span, first) = (self.tokens[self.at].span, self.tokens[self.at].first);
            let kinds = [TokenKind::Word(Word::Using), name, TokenKind::Mark(Mark::Semicolon)];
            self.output.extend(kinds.map(|kind| Token { kind, span, first }));
        }
        self.replace(self.at + 1, TokenKind::Word(Word::Namespace));
    }

    /// `using namespace a;`
    fn open(&mut self) {
        // `using namespace ::a;`
        let is_outermost = self.is(self.at + 2, Mark::Scope);
        let (path, end) = self.path(self.at + 2 + usize::from(is_outermost));
        if path.is_empty() {
            self.at = end + usize::from(self.is(end, Mark::Semicolon));
            return;
        }
        if !self.opened.contains(&path) {
            self.opened.push(path.clone());
        }
        self.replace(self.at + 1, TokenKind::Word(Word::Using));
        let start = if is_outermost { "::" } else { "" };
        self.replace(end, TokenKind::Name(format!("{start}{path}{OPENED}").into()));
    }

    /// The names joined by `::` from `at` on, and where they end.
    fn path(&self, at: usize) -> (Name, usize) {
        if let Some(name) = self.plain(at)
            && !self.is(at + 1, Mark::Scope)
        {
            return (self.aliases.get(name).unwrap_or(name).clone(), at + 1);
        }
        let mut text = String::new();
        let mut end = at;
        while let Some(name) = self.plain(end) {
            let name = if end == at { self.aliases.get(name).unwrap_or(name) } else { name };
            text.push_str(name);
            end += 1;
            let destroys = self.is(end, Mark::Scope) && self.is(end + 1, Mark::Tilde);
            if let (true, Some(last)) = (destroys, self.plain(end + 2)) {
                text.push_str("::~");
                text.push_str(last);
                end += 3;
                break;
            }
            // `a::template b<int>`
            let is_template = self.is(end, Mark::Scope)
                && self.is_word(end + 1, Word::Template)
                && self.plain(end + 2).is_some();
            end += usize::from(is_template);
            // An operator that names a type is left alone.
            let goes_on = (is_template || self.is(end, Mark::Scope))
                && (self.plain(end + 1).is_some() || self.is_word(end + 1, Word::Operator));
            if !goes_on {
                break;
            }
            text.push_str("::");
            end += 1;
        }
        (text.into(), end)
    }

    fn name(&mut self) {
        let (path, end) = self.path(self.at);
        if &*path == "std::move" {
            // Programs have functions called `move`.
            return self.replace(end, TokenKind::Name("__move".into()));
        }
        if let Some(plain) = path.strip_prefix("std::")
            && is_plain_without_std(plain)
        {
            // A call with a path does not find functions by the types of its arguments.
            if ["min", "max", "swap"].contains(&plain) && self.is(end, Mark::LeftParen) {
                return self.replace(end, TokenKind::Name(format!("::{plain}").into()));
            }
            return self.replace(end, TokenKind::Name(plain.into()));
        }
        if let Some(owner) = path.strip_suffix("::") {
            // `a::operator+`: the operator is named next.
            let owner = Name::from(owner);
            let first = self.at;
            self.at = end;
            self.operator();
            if let Some(last) = self.output.last_mut()
                && let TokenKind::Name(operator) = &last.kind
            {
                last.kind = TokenKind::Name(format!("{owner}::{operator}").into());
                last.span = self.tokens[first].span.to(last.span);
            }
            return;
        }
        self.replace(end, TokenKind::Name(path));
    }
}
