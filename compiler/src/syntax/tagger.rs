//! Which identifiers are types.
//!
//! C's grammar cannot be read without knowing that. Types are declared by `typedef`, `using`,
//! `struct`, `union` and `enum`, and hidden again by variables of the same name; so the tokens are
//! walked once with the scopes that braces make, and in each declaration the first identifier
//! behind a complete type is the one that is declared.

use super::token::{Mark, Name, Token, TokenKind, Word};
use crate::diagnostic::{Diagnostic, code};
use rustc_hash::FxHashMap;

/// Types that every program knows without including anything.
const BUILTIN_TYPES: &str = "
    FILE char1 char2 char3 char4 clock_t cudaDeviceAttr cudaDeviceProp cudaError cudaError_t cudaEvent_t
    cudaFuncCache cudaLimit cudaMemcpyKind cudaSharedMemConfig cudaStream_t dim3 double1 double2 double3 double4 float1 float2 float3 float4
    int1 int16_t int2 int3 int32_t int4 int64_t int8_t intptr_t long1 long2 long3 long4 longlong1
    longlong2 longlong3 longlong4 ptrdiff_t short1 short2 short3 short4 size_t ssize_t time_t
    timespec timeval timezone uchar uchar1 uchar2 uchar3 uchar4 uint uint1 uint16_t uint2 uint3 uint32_t uint4 uint64_t
    uint8_t uintptr_t ulong ulong1 ulong2 ulong3 ulong4 ulonglong1 ulonglong2 ulonglong3
    ulonglong4 ushort ushort1 ushort2 ushort3 ushort4
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Statements or declarations.
    Block,
    /// Members.
    Struct,
    /// Enumerators or an initialiser's values.
    List,
    Paren,
    /// Behind `for`, `if`, `while`, `switch`: a declaration and the head of a statement.
    Head,
    Index,
}

/// What is known inside a bracket about the declaration being read.
#[derive(Clone, Copy)]
struct Level {
    place: Place,
    /// A type has been read.
    typed: bool,
    /// The name of the current declarator has been read.
    named: bool,
    /// Behind `=`: an expression.
    value: bool,
    is_typedef: bool,
    /// The last bracket inside was the head of a statement, so that a statement begins.
    behind_head: bool,
    /// Inside the `<...>` of `static_cast` and its kin.
    in_angle: bool,
}

impl Level {
    fn new(place: Place) -> Level {
        Level {
            place,
            typed: false,
            named: false,
            value: false,
            is_typedef: false,
            behind_head: false,
            in_angle: false,
        }
    }

    /// A new statement or declaration begins.
    fn restart(&mut self) {
        *self = Level::new(self.place);
    }
}

struct Tagger {
    tokens: Vec<Token>,
    levels: Vec<Level>,
    /// For every open block its names: whether each is a type.
    scopes: Vec<FxHashMap<Name, bool>>,
    /// Parameters that hide types, until the body begins.
    parameters: Vec<Name>,
    /// The brace in front of the members of the structure that was last named.
    members: Option<usize>,
    /// Names that can only be types, but are declared nowhere.
    unknown: Vec<Name>,
    diagnostics: Vec<Diagnostic>,
}

/// Tagged tokens.
pub(super) struct Tagged {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Types that are used but declared nowhere.
    pub unknown: Vec<Name>,
}

/// Tags the identifiers of balanced tokens. `poisoned` are types whose declarations were refused.
pub(super) fn tag(tokens: Vec<Token>, poisoned: &[Name]) -> Tagged {
    let builtin = BUILTIN_TYPES.split_whitespace().map(|name| (Name::from(name), true));
    let poisoned = poisoned.iter().map(|name| (name.clone(), true));
    let mut tagger = Tagger {
        tokens,
        levels: vec![Level::new(Place::Block)],
        scopes: vec![builtin.chain(poisoned).collect()],
        parameters: Vec::new(),
        members: None,
        unknown: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut at = 0;
    while at < tagger.tokens.len() {
        at = tagger.token(at);
    }
    let Tagger { tokens, diagnostics, unknown, .. } = tagger;
    Tagged { tokens, diagnostics, unknown }
}

impl Tagger {
    fn level(&mut self) -> &mut Level {
        // The outermost level stays: brackets are balanced.
        if self.levels.is_empty() {
            self.levels.push(Level::new(Place::Block));
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    fn is_type(&self, name: &Name) -> bool {
        let found = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        found.copied().unwrap_or(false)
    }

    fn declare(&mut self, name: &Name, is_type: bool) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.clone(), is_type);
        }
    }

    fn before(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    fn next_is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.is(mark))
    }

    /// Tags the token at `at`; the index of the next one to tag.
    fn token(&mut self, at: usize) -> usize {
        match self.tokens[at].kind.clone() {
            TokenKind::TypeWord(word) => self.type_word(at, word),
            TokenKind::Specifier(Word::Typedef) => self.level().is_typedef = true,
            TokenKind::Word(Word::Struct | Word::Union | Word::Enum) => return self.tagged(at),
            TokenKind::Word(Word::Using) => {
                if let Some(name) = self.tokens.get(at + 1).and_then(Token::name).cloned() {
                    self.declare(&name, true);
                    return at + 2;
                }
            }
            TokenKind::Word(Word::StaticCast | Word::ReinterpretCast | Word::ConstCast) => {
                self.level().in_angle = true;
            }
            TokenKind::Name(name) => self.name(at, &name),
            TokenKind::Mark(mark) => self.mark(at, mark),
            TokenKind::ErrorStatement(_) => self.level().restart(),
            _ => {}
        }
        at + 1
    }

    /// `struct`, `union` or `enum` with its tag, which becomes a type.
    fn tagged(&mut self, at: usize) -> usize {
        self.level().typed = true;
        let is_enum = self.tokens[at].is_word(Word::Enum);
        let mut at = at + 1;
        while matches!(
            self.tokens.get(at).map(|token| &token.kind),
            Some(TokenKind::Word(Word::Align | Word::Alignas))
        ) && self.next_is(at, Mark::LeftParen)
        {
            while self.tokens.get(at).is_some_and(|token| !token.is(Mark::RightParen)) {
                at += 1;
            }
            at += 1;
        }
        if let Some(name) = self.tokens.get(at).and_then(Token::name).cloned() {
            self.declare(&name, true);
            at += 1;
        }
        if !is_enum {
            self.members = Some(at);
        }
        at
    }

    fn type_word(&mut self, at: usize, word: Word) {
        if self.is_functional(at) {
            self.tokens[at].kind = TokenKind::CastWord(word);
        } else if !self.level().value {
            self.level().typed = true;
        }
    }

    fn name(&mut self, at: usize, name: &Name) {
        let is_member = self.before(at).is_some_and(|before| {
            before.is(Mark::Dot) || before.is(Mark::Arrow) || before.is_word(Word::Goto)
        });
        if is_member {
            return;
        }
        let level = *self.level();
        let is_type = self.is_type(name) || self.is_unknown_type(at, name, &level);
        if level.typed && !level.named && !level.value && !level.in_angle {
            self.level().named = true;
            if level.is_typedef {
                self.declare(name, true);
            } else if is_type {
                self.hide(name);
            }
        } else if is_type && self.is_functional(at) {
            self.tokens[at].kind = TokenKind::CastName(name.clone());
        } else if is_type {
            self.tokens[at].kind = TokenKind::TypeName(name.clone());
            if !level.value {
                self.level().typed = true;
            }
        }
    }

    /// Whether the name at `at`, which is no type, stands where only a type can: in `name other`,
    /// `name *other = ...`, or `(name *)`. It is reported, and from now on it is a type.
    fn is_unknown_type(&mut self, at: usize, name: &Name, level: &Level) -> bool {
        let mut next = at + 1;
        while self.tokens.get(next).is_some_and(|token| token.is(Mark::Star)) {
            next += 1;
        }
        let stars = next > at + 1;
        let ends = |at: usize, marks: &[Mark]| {
            self.tokens.get(at).is_some_and(|token| marks.iter().any(|&mark| token.is(mark)))
        };
        let named = self.tokens.get(next).is_some_and(|token| token.name().is_some());
        let in_parameters = self.scopes.len() == 1
            && level.place == Place::Paren
            && !self.levels.iter().any(|level| level.value);
        let behind = |marks: &[Mark]| at > 0 && ends(at - 1, marks);
        let starts = if in_parameters {
            behind(&[Mark::LeftParen, Mark::Comma]) || self.is_behind_specifier(at)
        } else {
            self.starts_statement(at, level)
        };
        // In a function, `a * b` may be a product; outside there are only declarations.
        let declares = named
            && (!stars
                || self.scopes.len() == 1
                || ends(next + 1, &[Mark::Assign, Mark::Semicolon]));
        let is_cast = stars && behind(&[Mark::LeftParen]) && ends(next, &[Mark::RightParen]);
        let free = !level.typed && !level.value;
        if !(is_cast || (free && starts && declares)) {
            return false;
        }
        let message = format!("`{name}` is not the name of a type");
        let found = Diagnostic::error(code::UNKNOWN_TYPE, self.tokens[at].span, message);
        self.diagnostics.push(found);
        self.unknown.push(name.clone());
        if let Some(outermost) = self.scopes.first_mut() {
            outermost.insert(name.clone(), true);
        }
        true
    }

    fn is_behind_specifier(&self, at: usize) -> bool {
        self.before(at).is_some_and(|before| matches!(before.kind, TokenKind::Specifier(_)))
    }

    /// A variable hides the type of the same name.
    fn hide(&mut self, name: &Name) {
        let in_parameters = self.scopes.len() == 1 && self.level().place == Place::Paren;
        if in_parameters {
            self.parameters.push(name.clone());
        } else {
            self.declare(name, false);
        }
    }

    /// Whether the type at `at` is the start of a functional cast, as in `float(x)`, and not of a
    /// declaration.
    fn is_functional(&self, at: usize) -> bool {
        let parenthesis = self.next_is(at, Mark::LeftParen);
        if !parenthesis && !self.next_is(at, Mark::LeftBrace) {
            return false;
        }
        let Some(level) = self.levels.last() else {
            return false;
        };
        if level.typed && !level.value && !level.in_angle && level.place != Place::Paren {
            return false;
        }
        // `float (*)[4]` in a cast or in `sizeof`.
        let star = self.tokens.get(at + 2).is_some_and(|token| token.is(Mark::Star));
        if star && self.next_is(at + 2, Mark::RightParen) {
            return false;
        }
        let in_expression = self
            .levels
            .iter()
            .skip(1)
            .any(|level| matches!(level.place, Place::Block | Place::Index))
            || self.levels.iter().any(|level| level.value);
        in_expression && !self.starts_statement(at, level)
    }

    fn starts_statement(&self, at: usize, level: &Level) -> bool {
        if !matches!(level.place, Place::Block | Place::Struct | Place::Head) || level.value {
            return false;
        }
        match self.before(at).map(|before| &before.kind) {
            None => true,
            Some(TokenKind::Mark(mark)) => match mark {
                Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace | Mark::Colon => true,
                Mark::LeftParen => level.place == Place::Head,
                Mark::RightParen => level.behind_head,
                _ => false,
            },
            Some(TokenKind::Word(word)) => matches!(word, Word::Else | Word::Do),
            Some(
                TokenKind::Specifier(_) | TokenKind::TypeWord(_) | TokenKind::ErrorStatement(_),
            ) => true,
            _ => false,
        }
    }

    fn mark(&mut self, at: usize, mark: Mark) {
        match mark {
            Mark::LeftParen => self.open_paren(at),
            Mark::LeftBracket => self.levels.push(Level::new(Place::Index)),
            Mark::LeftBrace => self.open_brace(at),
            Mark::RightParen | Mark::RightBracket => self.close(),
            Mark::RightBrace => self.close_brace(),
            Mark::Semicolon => {
                self.level().restart();
                if self.scopes.len() == 1 {
                    self.parameters.clear();
                }
            }
            // Behind `?` the colon is none of a label.
            Mark::Assign | Mark::Question => self.level().value = true,
            Mark::Colon if !self.level().value => {
                // Behind a label a statement begins; behind a member's name stands its width.
                let in_struct = self.level().place == Place::Struct;
                if in_struct {
                    self.level().value = true;
                } else {
                    self.level().restart();
                }
            }
            Mark::Comma => self.comma(),
            Mark::Greater if self.level().in_angle => {
                self.level().in_angle = false;
                self.level().typed = false;
            }
            _ => {}
        }
    }

    fn comma(&mut self) {
        let level = self.level();
        if matches!(level.place, Place::Block | Place::Struct | Place::Head) {
            level.named = false;
            level.value = false;
        } else {
            level.restart();
        }
    }

    fn open_paren(&mut self, at: usize) {
        let outer = *self.level();
        let is_head = self.before(at).is_some_and(|before| {
            matches!(
                before.kind,
                TokenKind::Word(Word::For | Word::If | Word::While | Word::Switch)
            )
        });
        let mut level = Level::new(if is_head { Place::Head } else { Place::Paren });
        // In `int (*f)(int)` the name stands in parentheses.
        if outer.typed && !outer.named && !outer.value && !is_head {
            level.typed = true;
            level.is_typedef = outer.is_typedef;
        }
        self.levels.push(level);
    }

    fn open_brace(&mut self, at: usize) {
        let outer = *self.level();
        let place = if self.members == Some(at) {
            Place::Struct
        } else if self.opens_block(at, &outer) {
            Place::Block
        } else {
            Place::List
        };
        self.levels.push(Level::new(place));
        if place != Place::List {
            self.scopes.push(FxHashMap::default());
        }
        if place == Place::Block {
            for name in std::mem::take(&mut self.parameters) {
                self.declare(&name, false);
            }
        }
    }

    fn opens_block(&self, at: usize, outer: &Level) -> bool {
        if outer.place != Place::Block || outer.value {
            return false;
        }
        match self.before(at).map(|before| &before.kind) {
            None | Some(TokenKind::ErrorStatement(_)) => true,
            Some(TokenKind::Mark(mark)) => matches!(
                mark,
                Mark::RightParen
                    | Mark::Semicolon
                    | Mark::LeftBrace
                    | Mark::RightBrace
                    | Mark::Colon
            ),
            Some(TokenKind::Word(word)) => matches!(word, Word::Else | Word::Do),
            _ => false,
        }
    }

    fn close(&mut self) {
        let inner = *self.level();
        if self.levels.len() > 1 {
            self.levels.pop();
        }
        let outer = self.level();
        outer.behind_head = inner.place == Place::Head;
        // The name of `int (*f)(int)` was inside.
        if inner.named && outer.typed && !outer.named && !outer.value {
            outer.named = true;
        }
    }

    fn close_brace(&mut self) {
        let inner = *self.level();
        if self.levels.len() > 1 {
            self.levels.pop();
        }
        if inner.place != Place::List && self.scopes.len() > 1 {
            self.scopes.pop();
        }
        if inner.place == Place::Block {
            self.level().restart();
        }
    }
}
