//! The identifiers that are types, and each `<` that opens template arguments.
//!
//! C's grammar cannot be read without knowing that. Types are declared by `typedef`, `using`,
//! `struct`, `union`, `enum` and as parameters of templates, and hidden again by variables of the
//! same name; so the tokens are walked once with the scopes that braces make, and in each
//! declaration the first identifier after a complete type is the one that is declared.

use super::brackets::{behind_angle, ends_outer_angle};
use super::missing::{is_unsupported, is_unsupported_c_type};
use super::names::INLINE;
use super::words::INTEGER_TYPES;
use crate::diagnostic::{Diagnostic, code};
use reconverge_grammar::token::{Mark, Meaning, Name, Token, TokenKind, Word};
use reconverge_isa::nearest::hint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Types that every program knows without including anything.
const BUILTIN_TYPES: &str = "
    FILE char1 char2 char3 char4 clock_t cudaComputeMode cudaDeviceAttr cudaDeviceProp cudaError cudaError_t cudaEvent_t
    cudaFuncAttribute cudaFuncCache cudaGraphicsResource cudaLimit cudaMemcpyKind cudaMemoryAdvise cudaSharedCarveout
    cudaSharedMemConfig cudaStream_t dim3 double1 double2 double3 double4 float1 float2 float3 float4
    int1 int2 int3 int4 long1 long2 long3 long4 longlong1
    longlong2 longlong3 longlong4 ostream short1 short2 short3 short4 ssize_t time_t
    timespec timeval timezone uchar uchar1 uchar2 uchar3 uchar4 uint uint1 uint2 uint3 uint4
    ulong ulong1 ulong2 ulong3 ulong4 ulonglong1 ulonglong2 ulonglong3
    ulonglong4 ushort ushort1 ushort2 ushort3 ushort4
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside functions and structures.
    Outside,
    /// Statements.
    Block,
    /// Members.
    Struct,
    /// An initialiser's values.
    List,
    /// Enumerators; whether they have a scope of their own, as those of `enum class`.
    Enumerators(bool),
    Paren,
    /// After `for`, `if`, `while`, `switch`: a declaration and the head of a statement.
    Head,
    Index,
    /// Template arguments.
    Angle,
    /// Template parameters.
    Parameters,
}

/// The state of the declaration being read inside a bracket.
#[derive(Clone, Copy)]
struct Level {
    place: Place,
    /// A type has been read.
    typed: bool,
    /// The name of the current declarator has been read.
    named: bool,
    /// After `=`: an expression.
    value: bool,
    is_typedef: bool,
    /// Between the `:` and the body of a constructor.
    initialises: bool,
    /// The last bracket inside was the head of a statement, so that a statement begins.
    behind_head: bool,
    /// Template arguments after a structure's tag: its members may follow.
    of_tag: bool,
    /// After `typename`: a type follows.
    of_type: bool,
    /// The body of a lambda, after which the expression around continues.
    of_lambda: bool,
}

impl Level {
    fn new(place: Place) -> Level {
        Level {
            place,
            typed: false,
            named: false,
            value: false,
            is_typedef: false,
            initialises: false,
            behind_head: false,
            of_tag: false,
            of_type: false,
            of_lambda: false,
        }
    }

    /// A new statement or declaration begins.
    fn restart(&mut self) {
        let Level { of_tag, of_type, of_lambda, place, .. } = *self;
        *self = Level { of_tag, of_type, of_lambda, ..Level::new(place) };
    }
}

/// The names that something between braces, or a template, declares.
#[derive(Default)]
struct Scope {
    names: FxHashMap<Name, Meaning>,
    /// For namespaces and structures: the path in front of their names outside.
    path: Option<String>,
    /// For the parameters of a template: how many brackets are open around it.
    template: Option<usize>,
    /// For structures: their name, which is also that of their constructors.
    tag: Option<Name>,
}

struct Tagger<'a> {
    /// The tokens; those in front of the current one are not read any more.
    tokens: Vec<Token>,
    /// The output for the tokens in front of the current one.
    output: Vec<Token>,
    /// True if the current token is left out.
    drops: bool,
    levels: Vec<Level>,
    scopes: Vec<Scope>,
    /// The declarations of namespaces and structures, by whole names.
    exported: FxHashMap<Name, Meaning>,
    /// Other names of types, by whole names, with the whole names of the types.
    aliases: FxHashMap<Name, Name>,
    /// The names of all function templates: functions of a structure may use templates that follow
    /// them, and members are named without their structure.
    templates: FxHashSet<Name>,
    /// Functions and variables outside functions, by whole names.
    ordinary: FxHashSet<Name>,
    /// Namespaces whose names can be used without their path.
    opened: &'a [Name],
    /// Inline namespaces, by their whole names, with the namespaces around.
    inlined: FxHashMap<String, Option<String>>,
    /// Parameters that hide types, until the body begins.
    parameters: Vec<Name>,
    /// The brace in front of the members of the structure that was last named, and its tag.
    members: Option<(usize, Option<Name>)>,
    /// The brace in front of the enumerators of the enumeration that was last named, and whether they have
    /// a scope of their own.
    enumerators: Option<(usize, bool)>,
    /// The braces of the bodies of lambdas that have begun.
    bodies: Vec<usize>,
    /// The tag in front of template arguments.
    tag: Option<Name>,
    /// After `typename`.
    forced: bool,
    /// Names that can only be types, but are declared nowhere.
    unknown: Vec<Name>,
    diagnostics: Vec<Diagnostic>,
}

/// The keywords that name a type on their own.
const TYPE_WORDS: [&str; 10] =
    ["bool", "char", "double", "float", "int", "long", "short", "signed", "unsigned", "void"];

/// Tagged tokens.
pub(super) struct Tagged {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Types that are used but declared nowhere.
    pub unknown: Vec<Name>,
}

/// Tags the identifiers of balanced tokens. `poisoned` are types whose declarations were refused,
/// `opened` the namespaces of `using namespace`.
pub(super) fn tag(tokens: Vec<Token>, poisoned: &[Name], opened: &[Name]) -> Tagged {
    let builtin = BUILTIN_TYPES.split_whitespace().chain(INTEGER_TYPES.split_whitespace());
    let builtin = builtin.map(|name| (Name::from(name), Meaning::Type));
    let poisoned = poisoned.iter().map(|name| (name.clone(), Meaning::Type));
    let file = Scope { names: builtin.chain(poisoned).collect(), ..Scope::default() };
    let templates = function_templates(&tokens);
    let mut tagger = Tagger {
        output: Vec::with_capacity(tokens.len()),
        tokens,
        drops: false,
        levels: vec![Level::new(Place::Outside)],
        scopes: vec![file],
        exported: FxHashMap::default(),
        aliases: FxHashMap::default(),
        templates,
        ordinary: FxHashSet::default(),
        opened,
        inlined: FxHashMap::default(),
        parameters: Vec::new(),
        members: None,
        enumerators: None,
        bodies: Vec::new(),
        tag: None,
        forced: false,
        unknown: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut at = 0;
    while at < tagger.tokens.len() {
        let next = tagger.token(at);
        tagger.finish(at, next);
        at = next;
    }
    let Tagger { output: tokens, diagnostics, unknown, .. } = tagger;
    Tagged { tokens, diagnostics, unknown }
}

/// The names of the function templates that a program declares.
fn function_templates(tokens: &[Token]) -> FxHashSet<Name> {
    let mut names = FxHashSet::default();
    for (at, token) in tokens.iter().enumerate() {
        let opens = tokens.get(at + 1).is_some_and(|next| next.is(Mark::Less));
        if !token.is_word(Word::Template) || !opens {
            continue;
        }
        let ends = |token: &Token| {
            [Mark::LeftBrace, Mark::Semicolon, Mark::RightBrace].iter().any(|&mark| token.is(mark))
        };
        let Some(behind) = behind_angle(tokens, at + 1) else {
            continue;
        };
        let rest = &tokens[behind..];
        let end = rest.iter().position(ends).unwrap_or(rest.len());
        let called = rest[..end].windows(2).find(|pair| pair[1].is(Mark::LeftParen));
        names.extend(called.and_then(|pair| pair[0].name()).cloned());
    }
    names
}

impl Tagger<'_> {
    fn level(&mut self) -> &mut Level {
        // The outermost level stays: brackets are balanced.
        if self.levels.is_empty() {
            self.levels.push(Level::new(Place::Outside));
        }
        let last = self.levels.len() - 1;
        &mut self.levels[last]
    }

    /// Returns true outside of all functions' bodies.
    fn outside_functions(&self) -> bool {
        self.levels.iter().all(|level| level.place != Place::Block)
    }

    /// The meaning of a name here.
    fn meaning(&self, name: &Name) -> Option<Meaning> {
        if let Some(outermost) = name.strip_prefix("::") {
            return self.scopes.first()?.names.get(outermost).copied();
        }
        let qualified = name.contains("::");
        for (at, scope) in self.scopes.iter().enumerate().rev() {
            if let Some(&found) = scope.names.get(name) {
                return Some(found);
            }
            // A namespace that was open before, or a part of one that is open.
            let exported = |path| self.exported.get(format!("{path}::{name}").as_str());
            if let Some(&found) = self.paths(at).find_map(exported) {
                return Some(found);
            }
        }
        if qualified && let Some(&found) = self.exported.get(name) {
            return Some(found);
        }
        let opened = |space: &Name| self.exported.get(format!("{space}::{name}").as_str());
        if let Some(&found) = self.opened.iter().find_map(opened) {
            return Some(found);
        }
        // A member of a name's replacement.
        let (owner, last) = name.rsplit_once("::")?;
        let of = self.aliased(owner)?;
        self.exported.get(format!("{of}::{last}").as_str()).copied()
    }

    /// The paths of a scope: one, or for `namespace a::b` also that of `a`; the inner one first.
    fn paths(&self, scope: usize) -> impl Iterator<Item = &str> {
        let around = self.scopes[..scope].iter().rev().find_map(|scope| scope.path.as_ref());
        let around = around.map_or(0, String::len);
        let is_whole = |path: &&str| path.matches('<').count() == path.matches('>').count();
        let paths = std::iter::successors(self.scopes[scope].path.as_deref(), |path| {
            path.rsplit_once("::").map(|(front, _)| front)
        });
        paths.take_while(move |path| path.len() > around).filter(is_whole)
    }

    /// The whole names that a name may be short for here, nearest first.
    fn candidates<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        let around = (0..self.scopes.len()).rev().flat_map(|scope| self.paths(scope));
        let around = around.map(move |path| format!("{path}::{name}"));
        let opened = self.opened.iter().map(move |space| format!("{space}::{name}"));
        around.chain(std::iter::once(name.to_owned())).chain(opened)
    }

    /// The whole name of the type that another name denotes.
    fn aliased(&self, name: &str) -> Option<&Name> {
        let known = |name: String| self.aliases.get(name.as_str());
        let mut found = self.candidates(name).find_map(known)?;
        // One that is made of itself does not end.
        for _ in 0..8 {
            let Some(next) = self.aliases.get(found) else {
                break;
            };
            found = next;
        }
        Some(found)
    }

    /// Remembers that `name`, declared here, is another name of the type `target`.
    fn alias(&mut self, name: &Name, target: &Name) {
        let known = |name: &String| self.exported.contains_key(name.as_str());
        let whole = self.candidates(target).find(known).map_or_else(|| target.clone(), Name::from);
        let name = self.whole_here(name);
        if name != whole {
            self.aliases.insert(name, whole);
        }
    }

    /// The name of the type that was read last, without its arguments.
    fn last_type(&self) -> Option<Name> {
        let mut depth = 0usize;
        for token in self.output.iter().rev() {
            match &token.kind {
                TokenKind::Mark(Mark::AngleClose) => depth += 1,
                TokenKind::Mark(Mark::AngleOpen) => depth = depth.checked_sub(1)?,
                TokenKind::TypeName(name) | TokenKind::TemplateType(name) if depth == 0 => {
                    return Some(name.clone());
                }
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn is_type(&self, name: &Name) -> bool {
        matches!(self.meaning(name), Some(Meaning::Type | Meaning::TypeTemplate))
    }

    /// Gives a name a meaning in the innermost scope that is not of a template's parameters.
    fn declare(&mut self, name: &Name, meaning: Meaning) {
        let in_template = self.scopes.last().is_some_and(|scope| scope.template.is_some());
        let meaning = match meaning {
            Meaning::Type if in_template => Meaning::TypeTemplate,
            other => other,
        };
        let scope = self.scopes.iter_mut().rev().find(|scope| scope.template.is_none());
        if let Some(scope) = scope {
            let mut path = scope.path.clone();
            scope.names.insert(name.clone(), meaning);
            while let Some(space) = path {
                self.exported.insert(format!("{space}::{name}").into(), meaning);
                path = self.inlined.get(&space).cloned().flatten();
                if let (None, Some(file)) = (&path, self.scopes.first_mut())
                    && self.inlined.contains_key(&space)
                {
                    file.names.insert(name.clone(), meaning);
                }
            }
        }
    }

    /// Gives a template's parameter a meaning.
    fn declare_parameter(&mut self, name: &Name, meaning: Meaning) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(name.clone(), meaning);
        }
    }

    /// The tokens in `at..next` are tagged.
    fn finish(&mut self, at: usize, next: usize) {
        let first = at + usize::from(std::mem::take(&mut self.drops));
        let end = next.min(self.tokens.len());
        self.output.extend_from_slice(&self.tokens[first.min(end)..end]);
    }

    /// The token in front of the current one.
    fn before(&self) -> Option<&Token> {
        self.output.last()
    }

    fn next_is(&self, at: usize, mark: Mark) -> bool {
        self.tokens.get(at + 1).is_some_and(|next| next.is(mark))
    }

    /// Tags the token at `at`; the index of the next one to tag.
    fn token(&mut self, at: usize) -> usize {
        match self.tokens[at].kind.clone() {
            TokenKind::TypeWord(word) => self.type_word(at, word),
            TokenKind::Specifier(Word::Typedef) => self.level().is_typedef = true,
            TokenKind::Word(Word::Template) if self.next_is(at, Mark::Less) => {
                return self.template(at + 1);
            }
            // `a.template f<int>()`
            TokenKind::Word(Word::Template)
                if self.before().is_some_and(|it| it.is(Mark::Dot) || it.is(Mark::Arrow)) =>
            {
                self.drops = true;
            }
            TokenKind::Word(Word::Typename) => return self.typename(at),
            TokenKind::Word(Word::Struct) if self.level().place == Place::Parameters => {
                return self.typename(at);
            }
            TokenKind::Word(Word::Struct | Word::Union | Word::Enum) => return self.tagged(at),
            TokenKind::Word(Word::Namespace) => return self.namespace(at),
            TokenKind::Word(Word::Using) => {
                if let Some(name) = self.tokens.get(at + 1).and_then(Token::name).cloned() {
                    return self.using(at, &name);
                }
            }
            TokenKind::Word(Word::StaticCast | Word::ReinterpretCast | Word::ConstCast)
                if self.next_is(at, Mark::Less) =>
            {
                self.open_angle(at + 1, Place::Angle);
                return at + 2;
            }
            TokenKind::Word(Word::Decltype | Word::Typeof) => {
                let level = self.level();
                level.typed |= !level.value;
            }
            TokenKind::Word(Word::Lambda) => self.begin_lambda(at),
            TokenKind::Name(name) => return self.name(at, &name),
            TokenKind::Mark(mark) => return self.mark(at, mark),
            TokenKind::ErrorStatement(_) => self.level().restart(),
            TokenKind::Unreadable(name, meaning) => self.declare(&name, meaning),
            _ => {}
        }
        at + 1
    }

    /// Remembers where the body of a lambda begins, which has the word at `at`.
    fn begin_lambda(&mut self, at: usize) {
        let mut depth = 0usize;
        for (body, token) in self.tokens.iter().enumerate().skip(at + 1) {
            match token.kind {
                TokenKind::Mark(Mark::LeftBrace) if depth == 0 => {
                    self.bodies.push(body);
                    return;
                }
                TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace) => {
                    depth += 1
                }
                TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
        }
    }

    /// The parameters of a template are known until its declaration ends.
    fn template(&mut self, at: usize) -> usize {
        self.scopes.push(Scope { template: Some(self.levels.len()), ..Scope::default() });
        self.open_angle(at, Place::Parameters);
        at + 1
    }

    /// `typename`: a parameter of a template, or in front of a name that would otherwise be no
    /// type.
    fn typename(&mut self, at: usize) -> usize {
        if self.level().place == Place::Parameters && !self.level().value {
            self.tokens[at].kind = TokenKind::Word(Word::Typename);
            if let Some(name) = self.tokens.get(at + 1).and_then(Token::name).cloned()
                && !name.contains("::")
            {
                self.declare_parameter(&name, Meaning::Type);
                return at + 2;
            }
            let ends = [Mark::Assign, Mark::Comma, Mark::Greater];
            if ends.iter().any(|&end| self.next_is(at, end)) {
                // A parameter without a name.
                return at + 1;
            }
        }
        self.drops = true;
        self.forced = true;
        at + 1
    }

    fn namespace(&mut self, at: usize) -> usize {
        let name = self.tokens.get(at + 1).and_then(Token::name).cloned();
        let brace = at + 1 + usize::from(name.is_some());
        if !self.tokens.get(brace).is_some_and(|token| token.is(Mark::LeftBrace)) {
            return at + 1;
        }
        let outer = self.scopes.iter().rev().find_map(|scope| scope.path.clone());
        let path = match (&name, outer) {
            (Some(name), Some(outer)) => Some(format!("{outer}::{name}")),
            (Some(name), None) => Some(name.to_string()),
            (None, outer) => outer,
        };
        self.levels.push(Level::new(Place::Outside));
        self.scopes.push(Scope { path, ..Scope::default() });
        brace + 1
    }

    /// `using a = type;` makes a type; `using a::b;` gives a name without its path.
    fn using(&mut self, at: usize, name: &Name) -> usize {
        if let Some(space) = name.strip_suffix(INLINE) {
            let around = self.scopes.iter().rev().find_map(|scope| scope.path.clone());
            let whole = around.iter().map(String::as_str).chain([space]).collect::<Vec<_>>();
            self.inlined.insert(whole.join("::"), around);
            return at + 2;
        }
        if self.next_is(at + 1, Mark::Assign) {
            self.declare(name, Meaning::Type);
            let first = self.tokens[at + 3..].iter().find(|token| !token.is_word(Word::Typename));
            if let Some(target) = first.and_then(Token::name).cloned() {
                self.alias(name, &target);
            }
        } else {
            let last: Name = name.rsplit("::").next().unwrap_or(name).into();
            let is_ordinary = |whole: String| self.ordinary.contains(whole.as_str());
            if let Some(meaning) = self.meaning(name) {
                self.declare(&last, meaning);
            } else if self.candidates(name).any(is_ordinary) {
                self.hide(&last);
            }
        }
        at + 2
    }

    /// `struct`, `union` or `enum` with its tag, which becomes a type.
    fn tagged(&mut self, at: usize) -> usize {
        self.level().typed = true;
        let is_enum = self.tokens[at].is_word(Word::Enum);
        let mut at = at + 1;
        let is_scoped =
            is_enum && self.tokens.get(at).is_some_and(|token| token.is_word(Word::Struct));
        at += usize::from(is_scoped);
        while let Some(TokenKind::Word(Word::Align | Word::Alignas | Word::Packed | Word::Pack)) =
            self.tokens.get(at).map(|token| &token.kind)
        {
            if !self.next_is(at, Mark::LeftParen) {
                at += 1;
                continue;
            }
            let mut depth = 0usize;
            while let Some(token) = self.tokens.get(at) {
                if let Some(name) = token.name().cloned()
                    && self.is_type(&name)
                {
                    self.tokens[at].kind = TokenKind::TypeName(name);
                }
                let token = &self.tokens[at];
                at += 1;
                depth += usize::from(token.is(Mark::LeftParen));
                if token.is(Mark::RightParen) {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
            }
        }
        let mut tag = None;
        if let Some(name) = self.tokens.get(at).and_then(Token::name).cloned() {
            let arguments = self.next_is(at, Mark::Less);
            // A specialisation, or a use, of a template that is known.
            let is_known = name.contains("::") && self.is_type(&name);
            if !arguments && !is_known && self.declares_tag(at, &name) {
                self.declare(&name, Meaning::Type);
            }
            at += 1;
            if arguments && !is_enum {
                self.tokens[at - 1].kind = TokenKind::TemplateType(name.clone());
                self.tag = Some(name);
                self.open_angle(at, Place::Angle);
                self.level().of_tag = true;
                return at + 1;
            }
            tag = Some(name);
        }
        if is_enum {
            self.enumerators = self.behind_base(at).map(|brace| (brace, is_scoped));
        } else {
            self.members = Some((at, tag));
        }
        at
    }

    /// Returns true if the tag at `at` becomes the meaning of its name: a mere use does not, and
    /// beside a variable of the same name the name keeps its meaning (C++17, [basic.lookup.elab],
    /// [basic.scope.hiding]).
    fn declares_tag(&self, at: usize, name: &Name) -> bool {
        let ends = [Mark::LeftBrace, Mark::Semicolon, Mark::Colon];
        if !ends.iter().any(|&end| self.next_is(at, end)) {
            let is_ordinary = |whole: String| self.ordinary.contains(whole.as_str());
            return self.meaning(name).is_none() && !self.candidates(name).any(is_ordinary);
        }
        let scope = self.scopes.iter().rev().find(|scope| scope.template.is_none());
        let is_hidden = scope.is_some_and(|scope| scope.names.get(name) == Some(&Meaning::Other));
        !is_hidden && !self.ordinary.contains(&self.whole_here(name))
    }

    /// The whole name of something that is declared here.
    fn whole_here(&self, name: &Name) -> Name {
        let scope = self.scopes.iter().rev().find(|scope| scope.template.is_none());
        match scope.and_then(|scope| scope.path.as_ref()) {
            Some(path) => format!("{path}::{name}").into(),
            None => name.clone(),
        }
    }

    /// The brace in front of the enumerators of an enumeration that has its tag in front of `at`;
    /// the type of its values may be between.
    fn behind_base(&self, at: usize) -> Option<usize> {
        let is_type = |token: &&Token| {
            let kind = &token.kind;
            token.name().is_some()
                || matches!(kind, TokenKind::TypeWord(_) | TokenKind::Specifier(_))
        };
        let colon = self.tokens.get(at)?.is(Mark::Colon);
        let base =
            if colon { 1 + self.tokens[at + 1..].iter().take_while(is_type).count() } else { 0 };
        self.tokens.get(at + base)?.is(Mark::LeftBrace).then_some(at + base)
    }

    fn type_word(&mut self, at: usize, word: Word) {
        if self.is_functional(at + 1) {
            self.tokens[at].kind = TokenKind::CastWord(word);
        } else if !self.level().value {
            self.level().typed = true;
        }
    }

    fn name(&mut self, at: usize, name: &Name) -> usize {
        let forced = std::mem::replace(&mut self.forced, false);
        let is_member = self.before().is_some_and(|before| {
            before.is(Mark::Dot) || before.is(Mark::Arrow) || before.is_word(Word::Goto)
        });
        if is_member && self.calls_template(at, name) {
            self.tokens[at].kind = TokenKind::TemplateName(name.clone());
            self.open_angle(at + 1, Place::Angle);
            return at + 2;
        }
        if is_member || self.is_constructor(at, name) {
            return at + 1;
        }
        // `a<int>::name`: a member that is no type, independently of the name's meaning outside.
        let is_scoped = self.before().is_some_and(|before| before.is(Mark::Scope));
        if is_scoped && !forced && !self.next_is(at, Mark::Less) {
            return at + 1;
        }
        let level = *self.level();
        let meaning = self.meaning(name);
        if matches!(level.place, Place::Enumerators(_)) && !level.value {
            if meaning.is_some() {
                self.declare(name, Meaning::Other);
            }
            return at + 1;
        }
        let declares = level.typed && !level.named && !level.value && level.place != Place::Angle;
        if self.next_is(at, Mark::Less) {
            let meaning = match meaning {
                None if !declares && self.calls_template(at, name) => {
                    Some(Meaning::FunctionTemplate)
                }
                other => other,
            };
            match meaning {
                Some(Meaning::TypeTemplate) => return self.template_type(at, name, forced),
                Some(Meaning::FunctionTemplate) => {
                    self.tokens[at].kind = TokenKind::TemplateName(name.clone());
                    if declares {
                        self.level().named = true;
                    }
                    self.open_angle(at + 1, Place::Angle);
                    return at + 2;
                }
                _ => {}
            }
        }
        let is_type = forced || self.is_type(name) || self.is_unknown_type(at, name, &level);
        if declares && !forced {
            self.level().named = true;
            if level.is_typedef {
                self.declare(name, Meaning::Type);
                if let Some(target) = self.last_type() {
                    self.alias(name, &target);
                }
            } else if level.place == Place::Parameters {
                self.declare_parameter(name, Meaning::Other);
            } else if self.declares_template(at) {
                self.declare(name, Meaning::FunctionTemplate);
            } else if is_type
                || (meaning == Some(Meaning::FunctionTemplate)
                    && !self.next_is(at, Mark::LeftParen))
            {
                self.hide(name);
            }
            if level.place == Place::Outside && !level.is_typedef {
                self.ordinary.insert(self.whole_here(name));
            }
        } else if is_type && self.is_functional(at + 1) {
            self.tokens[at].kind = TokenKind::CastName(name.clone());
        } else if is_type {
            self.tokens[at].kind = TokenKind::TypeName(name.clone());
            if !level.value {
                self.level().typed = true;
            }
        }
        at + 1
    }

    /// Returns true if the name at `at`, of a member or of a later declaration, is that of a
    /// function template with its arguments. There must be one of the name, and a possible list of
    /// arguments in front of a call must follow.
    fn calls_template(&self, at: usize, name: &Name) -> bool {
        if !self.next_is(at, Mark::Less) || !self.templates.contains(name) {
            return false;
        }
        let Some(close) = behind_angle(&self.tokens, at + 1) else {
            return false;
        };
        let is_list = !self.tokens[at + 1..close]
            .iter()
            .any(|token| token.is(Mark::AndAnd) || token.is(Mark::OrOr));
        is_list && self.tokens.get(close).is_some_and(|token| token.is(Mark::LeftParen))
    }

    /// Returns true if the function or variable whose name is at `at` is a template.
    fn declares_template(&self, at: usize) -> bool {
        let of_template = |scope: &Scope| scope.template == Some(self.levels.len());
        let marks =
            [Mark::LeftParen, Mark::Assign, Mark::LeftBrace, Mark::LeftBracket, Mark::Semicolon];
        self.scopes.last().is_some_and(of_template)
            && marks.iter().any(|&mark| self.next_is(at, mark))
    }

    /// Returns true if the name at `at` is that of the structure around, in front of a
    /// constructor's parameters, or `a::a` outside it.
    fn is_constructor(&mut self, at: usize, name: &Name) -> bool {
        if !self.next_is(at, Mark::LeftParen) || self.level().typed || self.level().value {
            return false;
        }
        let own = match self.level().place {
            Place::Struct => {
                let inner = self.scopes.iter().rev().find(|scope| scope.template.is_none());
                inner.is_some_and(|scope| scope.tag.as_ref() == Some(name))
            }
            Place::Outside => {
                let mut parts = name.rsplit("::");
                let last = parts.next().map(|last| last.strip_prefix('~').unwrap_or(last));
                parts.next() == last && last.is_some()
            }
            _ => false,
        };
        if own {
            let level = self.level();
            (level.typed, level.named) = (true, true);
        }
        own
    }

    /// A class template with its arguments.
    fn template_type(&mut self, at: usize, name: &Name, forced: bool) -> usize {
        let close = behind_angle(&self.tokens, at + 1).unwrap_or(self.tokens.len());
        // The tokens after arguments that end with those around belong to these.
        let is_inner = ends_outer_angle(&self.tokens, at + 1);
        let behind = self.tokens.get(close).filter(|_| !is_inner);
        let scope = behind.is_some_and(|token| token.is(Mark::Scope));
        let member = self.tokens.get(close + 1).and_then(Token::name);
        let forced = forced
            || (scope && member.is_some_and(|one| self.is_type(&format!("{name}::{one}").into())));
        let name = name.clone();
        self.tokens[at].kind = if scope && !forced {
            TokenKind::TemplateScope(name)
        } else if !is_inner && self.is_functional(close) {
            TokenKind::TemplateCast(name)
        } else {
            if !self.level().value {
                self.level().typed = true;
            }
            TokenKind::TemplateType(name)
        };
        self.open_angle(at + 1, Place::Angle);
        self.level().of_type = forced;
        at + 2
    }

    fn open_angle(&mut self, at: usize, place: Place) {
        self.tokens[at].kind = TokenKind::Mark(Mark::AngleOpen);
        self.levels.push(Level::new(place));
    }

    /// Closes template arguments at the first `>` of a mark of several; the rest of the mark is next.
    fn close_part(&mut self, at: usize, rest: Mark) -> usize {
        let token = &mut self.tokens[at];
        let (span, first) = (token.span, token.first);
        *token = Token { kind: TokenKind::Mark(rest), span, first: false };
        let kind = TokenKind::Mark(Mark::AngleClose);
        self.output.push(Token { kind, span, first });
        if self.levels.pop().is_some_and(|inner| inner.of_tag) {
            self.tag = None;
        }
        at
    }

    /// Closes template arguments at `at`.
    fn close_angle(&mut self, at: usize) {
        self.tokens[at].kind = TokenKind::Mark(Mark::AngleClose);
        let inner = *self.level();
        self.levels.pop();
        if inner.of_tag {
            self.members = Some((at + 1, self.tag.take()));
        }
        if self.next_is(at, Mark::Scope)
            && let Some(name) = self.tokens.get(at + 2).and_then(Token::name).cloned()
        {
            if inner.of_type {
                self.tokens[at + 2].kind = TokenKind::TypeName(name);
                if !self.level().value {
                    self.level().typed = true;
                }
            } else {
                // Declared outside its structure, or used: no type in either case.
                self.level().named |= self.level().typed;
            }
        }
    }

    /// Returns true if the name at `at`, which is no type, is in a place for types only: in `name
    /// other`, `name *other = ...`, or `(name *)`. It is reported, and from now on it is a type.
    fn is_unknown_type(&mut self, at: usize, name: &Name, level: &Level) -> bool {
        let mut next = at + 1;
        while self.tokens.get(next).is_some_and(|token| token.is(Mark::Star)) {
            next += 1;
        }
        let stars = next > at + 1;
        if self.tokens.get(next).is_some_and(|token| token.is(Mark::And) || token.is(Mark::AndAnd))
            && self.outside_functions()
        {
            next += 1;
        }
        let ends = |at: usize, marks: &[Mark]| {
            self.tokens.get(at).is_some_and(|token| marks.iter().any(|&mark| token.is(mark)))
        };
        let named = self.tokens.get(next).is_some_and(|token| token.name().is_some());
        let in_parameters = self.outside_functions()
            && level.place == Place::Paren
            && !self.levels.iter().any(|level| level.value);
        let behind = |marks: &[Mark]| {
            self.before().is_some_and(|token| marks.iter().any(|&mark| token.is(mark)))
        };
        let starts = if in_parameters {
            behind(&[Mark::LeftParen, Mark::Comma]) || self.is_behind_specifier()
        } else {
            self.starts_statement(level)
        };
        // In a function, `a * b` may be a product; outside there are only declarations.
        let declares = named
            && (!stars
                || self.outside_functions()
                || ends(next + 1, &[Mark::Assign, Mark::Semicolon]));
        let is_cast = stars && behind(&[Mark::LeftParen]) && ends(next, &[Mark::RightParen]);
        let free = !level.typed && !level.value;
        if !(is_cast || (free && starts && declares)) {
            return false;
        }
        let (code, message) = if name.contains("::") {
            let message = format!("unsupported: `{name}`, a name in a namespace");
            (code::UNSUPPORTED_NAMESPACE, message)
        } else if is_unsupported(name) {
            (code::UNSUPPORTED_FUNCTION, format!("unsupported: the type `{name}`"))
        } else if is_unsupported_c_type(name) {
            (code::UNSUPPORTED_C, format!("unsupported: the library type `{name}`"))
        } else {
            let near = self.nearest_type(name);
            (code::UNKNOWN_TYPE, format!("`{name}` is not the name of a type{near}"))
        };
        let found = Diagnostic::error(code, self.tokens[at].span, message);
        self.diagnostics.push(found.advice(super::unsupported::known::advice(name)));
        self.unknown.push(name.clone());
        if let Some(outermost) = self.scopes.first_mut() {
            outermost.names.insert(name.clone(), Meaning::Type);
        }
        true
    }

    /// The end of a message about a name that is no type: the type that was most likely meant.
    fn nearest_type(&self, name: &str) -> String {
        let is_type = |meaning: &Meaning| matches!(meaning, Meaning::Type | Meaning::TypeTemplate);
        let declared = self.scopes.iter().flat_map(|scope| &scope.names);
        let declared =
            declared.filter(|(known, meaning)| is_type(meaning) && !self.unknown.contains(known));
        let declared: BTreeSet<&str> = declared.map(|(known, _)| &**known).collect();
        hint(name, TYPE_WORDS.into_iter().chain(declared))
    }

    fn is_behind_specifier(&self) -> bool {
        self.before().is_some_and(|before| matches!(before.kind, TokenKind::Specifier(_)))
    }

    /// A variable hides the type of the same name.
    fn hide(&mut self, name: &Name) {
        if self.outside_functions() && self.level().place == Place::Paren {
            self.parameters.push(name.clone());
        } else {
            self.declare(name, Meaning::Other);
        }
    }

    /// Returns true if the type that ends in front of `end` is the start of a functional cast, as
    /// in `float(x)`, and not of a declaration.
    fn is_functional(&self, end: usize) -> bool {
        let behind = |mark: Mark| self.tokens.get(end).is_some_and(|token| token.is(mark));
        if !behind(Mark::LeftParen) && !behind(Mark::LeftBrace) {
            return false;
        }
        // The body of a lambda behind its result.
        if self.bodies.last() == Some(&end) {
            return false;
        }
        let Some(level) = self.levels.last() else {
            return false;
        };
        let in_brackets = matches!(level.place, Place::Paren | Place::Angle);
        if level.typed && !level.value && !in_brackets {
            return false;
        }
        if level.place == Place::Angle && !level.value && self.opens_parameters(end) {
            return false;
        }
        // `float (*)[4]` in a cast, in `sizeof` or as an argument of a template.
        let marks = [Mark::Star, Mark::And, Mark::AndAnd];
        let derives =
            self.tokens.get(end + 1).is_some_and(|token| marks.iter().any(|&mark| token.is(mark)));
        if derives && self.next_is(end + 1, Mark::RightParen) {
            return false;
        }
        let in_expression = self.levels.iter().any(|level| {
            matches!(level.place, Place::Block | Place::Index | Place::Angle | Place::List)
        }) || self.levels.iter().any(|level| level.value);
        let starts = self.starts_statement(level);
        let holds_values = matches!(level.place, Place::Block | Place::Head);
        in_expression && (!starts || (holds_values && self.makes_value(end)))
    }

    /// Returns true if a bracket after a type in template arguments opens the parameters of a
    /// function's type, as in `a<int(float)>`, and not a value, as in `a<int(4)>`.
    fn opens_parameters(&self, open: usize) -> bool {
        let at = |at: usize| self.tokens.get(at).map(|token| &token.kind);
        match (at(open), at(open + 1)) {
            (Some(TokenKind::Mark(Mark::LeftParen)), Some(first)) => match first {
                TokenKind::Mark(Mark::RightParen) => true,
                TokenKind::Name(name) if self.is_type(name) => {
                    let value = [Mark::LeftParen, Mark::LeftBrace, Mark::Scope];
                    !value.iter().any(|&mark| self.next_is(open + 1, mark))
                }
                TokenKind::TypeWord(_) => ![Mark::LeftParen, Mark::LeftBrace]
                    .iter()
                    .any(|&mark| self.next_is(open + 1, mark)),
                TokenKind::Specifier(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// Returns true if the text in brackets after a type at the start of a statement cannot declare
    /// anything, so that a value is made: `T(1);`, `T(a, b).f();`.
    fn makes_value(&self, open: usize) -> bool {
        let is = |at: usize, mark: Mark| self.tokens.get(at).is_some_and(|token| token.is(mark));
        if is(open, Mark::LeftBrace) {
            return true;
        }
        let is_step = |token: &&Token| {
            token.is(Mark::Star)
                || token.is(Mark::And)
                || token.kind == TokenKind::Specifier(Word::Const)
        };
        let at = open + 1 + self.tokens[open + 1..].iter().take_while(is_step).count();
        let starts_type = |token: &Token| match &token.kind {
            TokenKind::Name(name) => self.is_type(name),
            kind => matches!(kind, TokenKind::TypeWord(_) | TokenKind::Specifier(_)),
        };
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(TokenKind::Mark(Mark::LeftParen)) => false,
            Some(TokenKind::Name(_)) if is(at + 1, Mark::RightParen) => {
                is(at + 2, Mark::Dot) || is(at + 2, Mark::Arrow)
            }
            Some(TokenKind::Name(_)) if is(at + 1, Mark::LeftParen) => {
                !is(at + 2, Mark::RightParen) && !self.tokens.get(at + 2).is_some_and(starts_type)
            }
            Some(TokenKind::Name(_)) => !is(at + 1, Mark::LeftBracket),
            _ => true,
        }
    }

    fn starts_statement(&self, level: &Level) -> bool {
        let declares =
            matches!(level.place, Place::Outside | Place::Block | Place::Struct | Place::Head);
        if !declares || level.value {
            return false;
        }
        match self.before().map(|before| &before.kind) {
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

    /// Tags a mark; the index of the next token to tag.
    fn mark(&mut self, at: usize, mark: Mark) -> usize {
        match mark {
            Mark::LeftParen => self.open_paren(at),
            Mark::LeftBracket => self.levels.push(Level::new(Place::Index)),
            Mark::LeftBrace => self.open_brace(at),
            Mark::RightParen | Mark::RightBracket => self.close(),
            Mark::RightBrace => self.close_brace(),
            Mark::Semicolon => {
                self.level().restart();
                self.end_template();
                if self.outside_functions() {
                    self.parameters.clear();
                }
            }
            // After `?` the colon is none of a label.
            Mark::Assign | Mark::Question | Mark::In => self.level().value = true,
            // The underlying type of an enumeration follows its tag.
            Mark::Colon if self.level().typed && !self.level().named => {}
            Mark::Colon if !self.level().value => {
                // After a label a statement begins; after a member's name follows its width, after
                // parameters a constructor's initialisers.
                let outside = matches!(self.level().place, Place::Struct | Place::Outside);
                let access = self.before().is_some_and(|before| {
                    matches!(
                        before.kind,
                        TokenKind::Word(Word::Public | Word::Private | Word::Protected)
                    )
                });
                if outside && !access {
                    self.level().value = true;
                    self.level().initialises =
                        self.before().is_some_and(|before| before.is(Mark::RightParen));
                } else {
                    self.level().restart();
                }
            }
            Mark::Comma => self.comma(),
            Mark::Greater if self.in_angle() => self.close_angle(at),
            Mark::ShiftRight if self.in_angle() => return self.close_part(at, Mark::Greater),
            Mark::LaunchClose if self.in_angle() => return self.close_part(at, Mark::ShiftRight),
            _ => {}
        }
        at + 1
    }

    fn in_angle(&mut self) -> bool {
        matches!(self.level().place, Place::Angle | Place::Parameters)
    }

    fn comma(&mut self) {
        let level = self.level();
        if level.initialises {
            return;
        }
        let declares =
            matches!(level.place, Place::Outside | Place::Block | Place::Struct | Place::Head);
        if declares {
            level.named = false;
            level.value = false;
        } else {
            level.restart();
        }
    }

    fn open_paren(&mut self, at: usize) {
        let outer = *self.level();
        let is_head = self.before().is_some_and(|before| {
            matches!(
                before.kind,
                TokenKind::Word(Word::For | Word::If | Word::While | Word::Switch)
            )
        });
        let mut level = Level::new(if is_head { Place::Head } else { Place::Paren });
        // Values, no parameters: `__launch_bounds__(a / (b * c))`.
        level.value = self.before().is_some_and(|before| {
            let bounds = [
                Word::LaunchBounds,
                Word::Align,
                Word::Alignas,
                Word::Pack,
                Word::Decltype,
                Word::Typeof,
            ];
            bounds.iter().any(|&word| before.is_word(word))
        });
        // In `int (*f)(int)` the name is in parentheses; `a<int(b)>` has the type of a function.
        let is_function = outer.place == Place::Angle && self.opens_parameters(at);
        if outer.typed && !outer.named && !outer.value && !is_head && !is_function {
            level.typed = true;
            level.is_typedef = outer.is_typedef;
        }
        self.levels.push(level);
    }

    fn open_brace(&mut self, at: usize) {
        let outer = *self.level();
        let members = self.members.take().filter(|(brace, _)| *brace == at);
        let enumerators = self.enumerators.take().filter(|(brace, _)| *brace == at);
        let of_lambda = self.bodies.pop_if(|body| *body == at).is_some();
        let place = if of_lambda {
            Place::Block
        } else if members.is_some() {
            Place::Struct
        } else if let Some((_, is_scoped)) = enumerators {
            Place::Enumerators(is_scoped)
        } else if self.opens_block(&outer) {
            Place::Block
        } else {
            Place::List
        };
        self.levels.push(Level { of_lambda, ..Level::new(place) });
        match place {
            Place::Struct => self.open_struct(members.and_then(|(_, tag)| tag)),
            Place::Enumerators(true) => self.scopes.push(Scope::default()),
            Place::Block => {
                self.scopes.push(Scope::default());
                for name in std::mem::take(&mut self.parameters) {
                    self.declare(&name, Meaning::Other);
                }
            }
            _ => {}
        }
    }

    fn open_struct(&mut self, tag: Option<Name>) {
        let outer = self.scopes.iter().rev().find_map(|scope| scope.path.clone());
        let path = tag.as_ref().map(|tag| match outer {
            Some(outer) => format!("{outer}::{tag}"),
            None => tag.to_string(),
        });
        // Inside, the tag alone is the type whose members these are.
        let meaning = tag.as_ref().and_then(|tag| self.meaning(tag));
        let meaning = meaning.filter(|found| *found != Meaning::Other).unwrap_or(Meaning::Type);
        let mut scope = Scope { path, tag, ..Scope::default() };
        if let Some(tag) = &scope.tag {
            scope.names.insert(tag.clone(), meaning);
        }
        self.scopes.push(scope);
    }

    fn opens_block(&self, outer: &Level) -> bool {
        let holds_functions = matches!(outer.place, Place::Outside | Place::Block | Place::Struct);
        if !holds_functions || (outer.value && !outer.initialises) {
            return false;
        }
        self.before().is_none_or(|before| {
            // A function that does not change its object.
            before.kind == TokenKind::Specifier(Word::Const) || before.kind.may_precede_block()
        })
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
        let has_scope = !matches!(inner.place, Place::List | Place::Enumerators(false));
        if has_scope && self.scopes.len() > 1 {
            // Parameters of a template that were never used up.
            while self.scopes.len() > 2
                && self.scopes.last().is_some_and(|scope| scope.template.is_some())
            {
                self.scopes.pop();
            }
            self.scopes.pop();
        }
        if inner.of_lambda {
            return;
        }
        if matches!(inner.place, Place::Block | Place::Outside) {
            self.level().restart();
        }
        if inner.place == Place::Block {
            self.end_template();
        }
    }

    /// The declaration of a template ends here.
    fn end_template(&mut self) {
        let here = self.levels.len();
        while self.scopes.last().is_some_and(|scope| scope.template == Some(here)) {
            self.scopes.pop();
        }
    }
}
