//! CUDA C++ that is not supported: found on the tokens, named at its place and cut out, so that
//! the rest can be read.

use super::brackets::{Brackets, behind_angle};
use super::source::Span;
use super::token::{Mark, Name, PACK_ATTRIBUTE, Token, TokenKind, Word};
use crate::diagnostic::{Code, Diagnostic, code};
use rustc_hash::{FxHashMap, FxHashSet};

/// Types of CUDA's parts that are not modelled.
const UNSUPPORTED_TYPES: &[&str] = &[
    "cudaGraph_t",
    "cudaMipmappedArray",
    "cudaMipmappedArray_t",
    "cudaSurfaceObject_t",
    "curandState",
    "curandState_t",
    "surface",
];

/// Functions of `std` that C and CUDA have without it, and types likewise.
const PLAIN_WITHOUT_STD: &str = "
    FILE abort abs acos asin atan atan2 atof atoi atol atoll boolalpha bsearch calloc cbrt ceil
    cerr clock clock_t clog copysign cos cosh cout dec defaultfloat difftime endl ends erf exit
    exp exp2 expm1 fabs fclose feof ferror fflush fgetc fgets fixed floor flush fma fmax fmin
    fmod fopen fprintf fputc fputs fread free fscanf fseek ftell fwrite getchar getenv hex
    hexfloat hypot int16_t int32_t int64_t int8_t internal intmax_t intptr_t isalnum isalpha isdigit
    isfinite isinf islower isnan isspace isupper labs left llabs log log10 log1p log2 malloc max
    memchr memcmp memcpy memmove memset min nearbyint noboolalpha noshowbase noshowpoint
    noshowpos nouppercase oct perror pow printf ptrdiff_t putchar puts qsort rand realloc rewind
    right rint round scanf scientific setfill setprecision setw showbase showpoint showpos sin
    sinh size_t snprintf sprintf sqrt srand sscanf strcat strchr strcmp strcpy strcspn strerror
    strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtod strtof strtok strtol
    strtoll strtoul strtoull swap tan tanh time time_t tolower toupper trunc uint16_t uint32_t
    uint64_t uint8_t uintmax_t uintptr_t uppercase
";

fn contains(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

fn is_unsupported_type(name: &str) -> bool {
    UNSUPPORTED_TYPES.contains(&name)
}

/// What to do instead of throwing.
const EXCEPTIONS: &str = "return a value that says what failed";

/// What to do without parts of CUDA and libraries, by how their names begin.
const ADVICE: &[(&str, &str)] = &[
    ("__nv_bfloat16", "include `cuda_bf16.h`"),
    ("cooperative_groups", "blocks, and tiles of a warp, are there"),
    ("cub", "write the algorithm as a kernel"),
    ("cublas", "write the algorithm as a kernel"),
    ("cuda::", "`__syncthreads()` and `__threadfence()` are there, and plain copies"),
    ("cudaGraph", "launch the kernels one after the other"),
    ("cudaSurfaceObject", "write to memory through a pointer"),
    ("cudnn", "write the algorithm as a kernel"),
    ("cufft", "write the algorithm as a kernel"),
    (
        "curand",
        "write a generator, such as a linear congruential one, or pass numbers from the host",
    ),
    ("cusparse", "write the algorithm as a kernel"),
    ("cutlass", "write the algorithm as a kernel"),
    ("nvcuda", "write the products as loops"),
    ("std::", "write it with what C has"),
    ("surf", "write to memory through a pointer"),
    ("tex", "compute the index and read memory"),
    ("thrust", "write the algorithm as a kernel"),
    ("wmma", "write the products as loops"),
];

/// What to do without something of CUDA or a library.
pub(crate) fn advice(name: &str) -> &'static str {
    let fits = |(prefix, _): &&(&str, &str)| name.starts_with(prefix);
    let longest = ADVICE.iter().filter(fits).max_by_key(|(prefix, _)| prefix.len());
    longest.map_or("", |(_, advice)| advice)
}

/// Beginnings of names of fetches from textures and surfaces.
const FETCHES: &[&str] =
    &["surf1D", "surf2D", "surf3D", "surfCubemap", "tex1D", "tex2D", "tex3D", "texCubemap"];

fn is_unsupported_fetch(name: &str) -> bool {
    FETCHES.iter().any(|fetch| name.starts_with(fetch))
        && !["tex1D", "tex1Dfetch", "tex2D"].contains(&name)
}

/// Tokens without what is unsupported.
pub(super) struct Supported {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
    /// Names of types that were cut out.
    pub types: Vec<Name>,
    /// Names of other things that were cut out.
    pub names: Vec<Name>,
}

/// Where the item or statement begins that tokens end with.
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

/// The bracket that tokens end with the partner of.
fn opener(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            TokenKind::Mark(Mark::RightParen | Mark::RightBracket | Mark::RightBrace) => depth += 1,
            TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether C or CUDA has without `std::` what is called `name` there.
pub(super) fn is_plain_without_std(name: &str) -> bool {
    contains(PLAIN_WITHOUT_STD, name)
}

/// Cuts out what is unsupported from balanced tokens; what remains is balanced.
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
        cut: FxHashSet::default(),
        templates: FxHashSet::default(),
        variables: variables_like_types(&tokens),
        result: Supported {
            tokens: Vec::with_capacity(tokens.len()),
            diagnostics: Vec::new(),
            types: Vec::new(),
            names: Vec::new(),
        },
    };
    while remover.at < tokens.len() {
        remover.step();
    }
    remover.result
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

struct Remover<'a> {
    tokens: &'a [Token],
    brackets: Brackets,
    at: usize,
    /// The brackets around; none: outside functions.
    places: Vec<Place>,
    /// Where the current item outside functions begins in the result.
    item: usize,
    /// Closing brackets that are left out.
    dropped: FxHashSet<usize>,
    /// Where functions of class templates are named outside them, and where those names end.
    members: FxHashMap<usize, usize>,
    /// The colons of range-based `for` statements.
    ranges: FxHashSet<usize>,
    /// Names of the program's own types that were cut out.
    cut: FxHashSet<Name>,
    /// Names of templates, behind which `<...>` stands.
    templates: FxHashSet<Name>,
    /// Names of unsupported types that the program has given to variables.
    variables: FxHashSet<Name>,
    result: Supported,
}

/// The names of unsupported types that stand behind another type, as in `float half = 0.5f;`.
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

    /// Behind the group that opens at `at`, if one does.
    fn behind_group(&self, at: usize) -> usize {
        match self.token(at) {
            Some(TokenKind::Mark(Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace)) => {
                self.brackets.partner(at) + 1
            }
            _ => at,
        }
    }

    /// Behind the `<...>` that opens at `at`, if there is one that looks like template arguments.
    fn behind_angle(&self, at: usize) -> usize {
        behind_angle(self.tokens, at).unwrap_or(at)
    }

    /// Behind the item that begins at `at`: its semicolon, or its braces.
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

    /// Behind the semicolon of the statement that begins at `at`, or in front of what closes its
    /// block.
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

    /// Leaves out tokens up to `end`, with an error statement in their place.
    fn cut_statement(&mut self, end: usize) {
        let names = self.names_in(self.at..end);
        let span = self.span(self.at);
        if self.places.last() == Some(&Place::Body) {
            self.put(TokenKind::ErrorStatement(names.into()), span);
        }
        self.at = end;
    }

    /// Leaves out tokens up to `end`, with an error expression in their place.
    fn cut_expression(&mut self, end: usize) {
        let span = self.span(self.at);
        self.put(TokenKind::ErrorExpression, span);
        self.at = end;
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
            TokenKind::Name(name) => self.identifier(&name),
            _ => self.keep(),
        }
    }

    /// Whether this is outside functions and structures.
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
            Mark::RightBrace if self.dropped.contains(&self.at) => self.at += 1,
            Mark::RightParen | Mark::RightBracket | Mark::RightBrace => {
                self.places.pop();
                self.keep();
            }
            Mark::Colon if self.ranges.contains(&self.at) => {
                self.put(TokenKind::Mark(Mark::In), self.span(self.at));
                self.at += 1;
            }
            _ => self.keep(),
        }
    }

    /// Whether the bracket here stands behind `auto`.
    fn binds(&self) -> bool {
        let mut before = self.result.tokens.iter().rev().peekable();
        before.next_if(|last| last.is(Mark::And) || last.is(Mark::AndAnd));
        before.next().is_some_and(|last| last.kind == Word::Auto.token())
    }

    fn ends_parameters(&self) -> bool {
        let mut before = self.result.tokens.iter().rev();
        let last = before.find(|token| token.kind != TokenKind::Specifier(Word::Const));
        last.is_some_and(|last| last.is(Mark::RightParen))
    }

    /// Whether the braces in the parenthesis here hold statements, and are no list.
    fn holds_statements(&self) -> bool {
        let close = self.brackets.partner(self.at + 1);
        self.tokens[self.at..close].iter().any(|token| token.is(Mark::Semicolon))
    }

    /// `a::*b` and `a.*b`: what it is a part of is cut out.
    fn member_pointer(&mut self) {
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
        } else {
            self.at += 2;
        }
    }

    fn brace_place(&self) -> Place {
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
        let block = match before.map(|before| &before.kind) {
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
        };
        if block { Place::Body } else { Place::Other }
    }

    fn word(&mut self, word: Word) {
        match word {
            Word::Attribute => self.attribute(),
            Word::Noexcept => self.at = self.behind_group(self.at + 1),
            Word::Mutable | Word::Explicit => self.at += 1,
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
            Word::Struct | Word::Union => self.structure(),
            Word::For => self.for_loop(),
            Word::Try => {
                self.cpp("exceptions", EXCEPTIONS);
                self.at += 1;
            }
            Word::Catch => {
                let block = self.behind_group(self.at + 1);
                self.at = self.behind_group(block);
            }
            Word::Throw | Word::Delete => {
                match word {
                    Word::Delete => self.cpp("`delete`", "give memory back with `free`"),
                    _ => self.cpp("exceptions", EXCEPTIONS),
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

    /// `case 1 ... 3:`
    fn case(&mut self) {
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
                // The first value stands for all.
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
    fn binding(&mut self, open: usize) {
        let help = "declare the variables one by one";
        self.report(
            code::UNSUPPORTED_CPP,
            self.span(open),
            "unsupported: declarations of several names in brackets",
            help,
        );
        let end = self.behind_statement(open);
        // What was kept of it are words and `auto`.
        while self.result.tokens.last().is_some_and(|last| {
            matches!(last.kind, TokenKind::Specifier(_) | TokenKind::TypeWord(_))
                || last.is(Mark::And)
                || last.is(Mark::AndAnd)
        }) {
            self.result.tokens.pop();
        }
        self.cut_statement(end);
    }

    /// `auto f(...) -> type`: the type goes where `auto` stands; whether this is that.
    fn result_behind(&mut self) -> bool {
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

    /// `__attribute__((...))`.
    fn attribute(&mut self) {
        let end = self.behind_group(self.at + 1);
        self.attributes(self.at + 3, end.saturating_sub(2));
        self.note_unused(end);
        self.at = end;
    }

    /// Attributes are hints, which are left out, but for those that change where members lie.
    fn attributes(&mut self, begin: usize, end: usize) {
        let mut found = Vec::new();
        let mut at = begin;
        while at < end {
            let behind = self.behind_group(at + 1);
            if let Some(name) = self.name(at) {
                self.layout_attribute(at, &name, &mut found);
            }
            at = behind.max(at + 1);
        }
        if found.is_empty() {
            return;
        }
        let kept = &self.result.tokens;
        let brace = kept.last().filter(|last| last.is(Mark::RightBrace)).and_then(|_| opener(kept));
        match brace.map(|brace| (self.structure_keyword(brace), brace)) {
            // Behind the members of a structure it says something of the structure.
            Some((Some(keyword), _)) => {
                let behind = keyword + 1..keyword + 1;
                self.result.tokens.splice(behind, found);
            }
            Some((None, _)) => {
                let message = "unsupported: attributes of the layout of an enumeration";
                self.report(code::UNSUPPORTED_C, self.span(self.at), message, "name its type");
            }
            None if self.is_behind_enum() => {
                let message = "unsupported: attributes of the layout of an enumeration";
                self.report(code::UNSUPPORTED_C, self.span(self.at), message, "name its type");
            }
            None => self.result.tokens.extend(found),
        }
    }

    fn is_behind_enum(&self) -> bool {
        self.result.tokens.last().is_some_and(|last| last.is_word(Word::Enum))
    }

    /// What an attribute at `at` says about layout, as tokens of ours.
    fn layout_attribute(&mut self, at: usize, name: &str, found: &mut Vec<Token>) {
        let span = self.span(at);
        let plain = name.strip_prefix("gnu::").unwrap_or(name).trim_matches('_');
        let mut put = |kind: TokenKind| found.push(Token { kind, span, first: false });
        let word = match plain {
            "packed" => return put(TokenKind::Word(Word::Packed)),
            "aligned" => Word::Align,
            PACK_ATTRIBUTE => Word::Pack,
            "mode"
            | "vector_size"
            | "ext_vector_type"
            | "ms_struct"
            | "scalar_storage_order"
            | "transparent_union"
            | "warn_if_not_aligned" => {
                let message = format!("unsupported: the attribute `{name}`");
                let help = "of the attributes of layouts there are `packed` and `aligned`";
                return self.report(code::UNSUPPORTED_C, span, &message, help);
            }
            _ => return,
        };
        put(TokenKind::Word(word));
        if self.is(at + 1, Mark::LeftParen) {
            found.extend_from_slice(&self.tokens[at + 1..self.behind_group(at + 1)]);
            return;
        }
        // Without a value: the largest alignment of any type of x86-64.
        let suffix = super::token::IntSuffix { decimal: true, ..Default::default() };
        put(TokenKind::Mark(Mark::LeftParen));
        put(TokenKind::Int { value: 16, suffix });
        put(TokenKind::Mark(Mark::RightParen));
    }

    /// The keyword of the structure whose members begin at `brace` of what was kept.
    fn structure_keyword(&self, brace: usize) -> Option<usize> {
        let kept = &self.result.tokens;
        let mut at = brace;
        if at > 0 && (kept[at - 1].is(Mark::Greater) || kept[at - 1].is(Mark::ShiftRight)) {
            let mut depth = 0usize;
            while at > 0 {
                at -= 1;
                match kept[at].kind {
                    TokenKind::Mark(Mark::Greater) => depth += 1,
                    TokenKind::Mark(Mark::ShiftRight) => depth += 2,
                    TokenKind::Mark(Mark::Less) => depth = depth.saturating_sub(1),
                    TokenKind::Mark(Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace) => {
                        return None;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
        }
        if at > 0 && kept[at - 1].name().is_some() {
            at -= 1;
        }
        while at > 0 {
            let last = &kept[at - 1];
            if last.is_word(Word::Struct) || last.is_word(Word::Union) {
                let is_enum = at > 1 && kept[at - 2].is_word(Word::Enum);
                return (!is_enum).then_some(at - 1);
            }
            // `struct __align__(16) name {`
            at = match last.kind {
                TokenKind::Word(Word::Packed) => at - 1,
                TokenKind::Mark(Mark::RightParen) => {
                    let open = opener(&kept[..at])?;
                    let word = &kept[open.checked_sub(1)?];
                    let words = [Word::Align, Word::Alignas, Word::Pack];
                    words.iter().any(|&one| word.is_word(one)).then_some(open - 1)?
                }
                _ => return None,
            };
        }
        None
    }

    /// Puts a word in place of attributes that say that something may go unused, in front of the
    /// declaration that they belong to.
    fn note_unused(&mut self, end: usize) {
        let names = ["maybe_unused", "unused", "__unused__"];
        let says = |name: Name| names.contains(&&*name);
        let span = self.span(self.at);
        let declares = self.is_outside() || self.places.last() == Some(&Place::Body);
        if !declares || !(self.at..end).any(|at| self.name(at).is_some_and(says)) {
            return;
        }
        let kept = &self.result.tokens;
        let is_behind = kept.last().is_some_and(|last| {
            last.name().is_some() || last.is(Mark::RightParen) || last.is(Mark::RightBracket)
        });
        let at = if is_behind { statement_start(kept) } else { kept.len() };
        let labels = self.is(end + 1, Mark::Colon) || self.is(end, Mark::Semicolon);
        let words = [Word::Template, Word::Struct, Word::Union, Word::Enum, Word::Using];
        let is_other = |token: &Token| words.iter().any(|&word| token.is_word(word));
        let around = if is_behind { kept.get(at) } else { kept.last() };
        if around.is_some_and(is_other) || (labels && !is_behind) {
            return;
        }
        let kind = TokenKind::Specifier(Word::MaybeUnused);
        self.result.tokens.insert(at, Token { kind, span, first: false });
    }

    fn cpp(&mut self, what: &str, help: &str) {
        let message = format!("unsupported: {what}");
        self.report(code::UNSUPPORTED_CPP, self.span(self.at), &message, help);
    }

    /// Templates are kept, and remembered, but for those with packs or templates as parameters.
    fn template(&mut self) {
        let begin = self.at;
        let span = self.span(begin);
        let declared = self.behind_angle(begin + 1);
        let end = self.behind_item(declared);
        let name = self.template_name(declared, end);
        if let Some((name, _)) = &name {
            self.templates.insert(name.clone());
        }
        self.note_member(begin, declared);
        let parameters = begin + 1..declared;
        let what = if parameters.clone().any(|at| self.is(at, Mark::Ellipsis)) {
            "templates with packs of parameters"
        } else if parameters.clone().any(|at| self.is_word(at, Word::Template)) {
            "templates with templates as parameters"
        } else {
            return self.keep();
        };
        let help = "write it for the number of parameters that is used";
        self.report(code::UNSUPPORTED_TEMPLATE, span, &format!("unsupported: {what}"), help);
        if let Some((name, is_type)) = name {
            self.templates.remove(&name);
            let list = if is_type { &mut self.result.types } else { &mut self.result.names };
            list.push(name);
        }
        self.drop_item();
        self.at = end.max(begin + 1);
    }

    /// Remembers the `a<T>::f` of a function of a class template that is defined outside it, which
    /// becomes a name without arguments: they are the template's parameters.
    fn note_member(&mut self, begin: usize, declared: usize) {
        let mut at = declared;
        while self.is_word(at, Word::Template) {
            at = self.behind_angle(at + 1).max(at + 1);
        }
        let found = loop {
            let behind = self.behind_angle(at + 1);
            let named = self.name(at).is_some() && behind > at + 1;
            match self.token(at) {
                Some(TokenKind::Name(_)) if named && self.is(behind, Mark::Scope) => {
                    if self.name(behind + 1).is_some() && self.is(behind + 2, Mark::LeftParen) {
                        break (at, behind);
                    }
                    at = behind + 1;
                }
                Some(TokenKind::Name(_)) => at = behind,
                Some(TokenKind::Mark(Mark::Star | Mark::And | Mark::Scope))
                | Some(TokenKind::Specifier(_) | TokenKind::TypeWord(_))
                | Some(TokenKind::Word(Word::Typename)) => at += 1,
                _ => return,
            }
        };
        if self.members.contains_key(&found.0) {
            return;
        }
        let mut parameters = Vec::new();
        let mut last = None;
        let mut here = begin + 2;
        while here < declared {
            match self.token(here) {
                Some(TokenKind::Name(name)) => last = Some(name.clone()),
                Some(TokenKind::Mark(Mark::Comma)) => parameters.extend(last.take()),
                _ => {}
            }
            here = self.behind_group(here).max(here + 1);
        }
        parameters.extend(last);
        let names = self.names_in(found.0 + 2..found.1);
        let of_names = found.1 - found.0 - 3 == 2 * names.len().max(1) - 1;
        if names == parameters && of_names && !names.is_empty() {
            self.members.insert(found.0, found.1 + 1);
            return;
        }
        let message = "unsupported: functions of specialisations defined outside them";
        let help = "define the function among the members";
        self.report(code::UNSUPPORTED_TEMPLATE, self.span(found.0), message, help);
        self.members.insert(found.0, found.1 + 1);
    }

    /// What a template in `declared..end` declares, and whether it is a type.
    fn template_name(&self, declared: usize, end: usize) -> Option<(Name, bool)> {
        let is_type = matches!(
            self.token(declared),
            Some(TokenKind::Word(Word::Struct | Word::Union | Word::Using))
        );
        if is_type {
            let mut name = declared + 1;
            while name < end && self.name(name).is_none() {
                // Attributes hold names too.
                name = self.behind_group(name).max(name + 1);
            }
            return Some((self.name(name)?, true));
        }
        let named = (declared..end).find(|&at| {
            (self.is(at, Mark::LeftParen) && self.names_function(at))
                || self.is(at, Mark::Assign)
                || self.is(at, Mark::LeftBrace)
        });
        Some((self.name(named?.checked_sub(1)?)?, false))
    }

    fn names_function(&self, open: usize) -> bool {
        let name = open.checked_sub(1).and_then(|at| self.name(at));
        name.is_some_and(|name| &*name != "__launch_bounds__")
    }

    fn class(&mut self, what: &str, help: &str) {
        let message = format!("unsupported: {what}");
        self.report(code::UNSUPPORTED_CLASS, self.span(self.at), &message, help);
    }

    /// A structure that inherits is cut out.
    fn structure(&mut self) {
        let begin = self.at;
        if self.result.tokens.last().is_some_and(|last| last.is_word(Word::Enum)) {
            return self.keep();
        }
        let mut name = begin + 1;
        while let Some(TokenKind::Word(Word::Align | Word::Alignas | Word::Attribute)) =
            self.token(name)
        {
            name = self.behind_group(name + 1);
        }
        let behind = self.behind_angle(name + 1);
        let inherits = self.is(behind, Mark::Colon) && self.places.last() != Some(&Place::Other);
        let Some(tag) = self.name(name).filter(|_| inherits) else {
            return self.keep();
        };
        self.class("inheritance", "make what it inherits from a member");
        self.templates.remove(&tag);
        self.cut.insert(tag.clone());
        self.result.types.push(tag);
        self.drop_item();
        self.at = self.behind_item(begin);
    }

    /// Takes back what was kept of the item outside functions.
    fn drop_item(&mut self) {
        if self.is_outside() {
            self.result.tokens.truncate(self.item);
        }
    }

    fn assembly(&mut self) {
        let help = "write the function of CUDA that does this, or plain code";
        self.report(
            code::UNSUPPORTED_ASM,
            self.span(self.at),
            "unsupported: inline assembly",
            help,
        );
        self.drop_item();
        self.cut_statement(self.behind_statement(self.at).max(self.at + 1));
    }

    /// The colon of a range-based `for` is a mark of its own, unlike that of a bit-field.
    fn for_loop(&mut self) {
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
    fn allocation(&mut self) {
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

    /// Whether the `[` here begins a lambda: nothing that could be indexed stands in front.
    fn starts_lambda(&self) -> bool {
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

    fn lambda(&mut self) {
        self.report(
            code::UNSUPPORTED_LAMBDA,
            self.span(self.at),
            "unsupported: lambdas",
            "write a function",
        );
        let mut end = self.behind_group(self.at);
        while let Some(kind) = self.token(end) {
            match kind {
                TokenKind::Mark(Mark::LeftBrace) => {
                    end = self.behind_group(end);
                    break;
                }
                TokenKind::Mark(Mark::LeftParen) => end = self.behind_group(end),
                TokenKind::Mark(Mark::Semicolon | Mark::RightBrace | Mark::RightParen) => break,
                _ => end += 1,
            }
        }
        self.cut_expression(end);
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
        } else if behind > self.at + 1 && self.cut.contains(name) {
            // Of a template that was cut out; what stands for nothing has no arguments.
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

    /// Names that are words where they stand; whether this was one.
    fn word_like(&mut self, name: &Name) -> bool {
        let last = self.result.tokens.last();
        match &**name {
            // Behind parameters, and behind the name of a structure.
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
                self.result.names.extend(self.name(self.at + 1));
                self.drop_item();
                self.at = self.behind_item(self.at);
            }
            "requires" if last.is_some_and(|last| last.is(Mark::Greater)) => {
                let help = "write the template without it, and a `static_assert` in it";
                let span = self.span(self.at);
                self.report(code::UNSUPPORTED_TEMPLATE, span, "unsupported: `requires`", help);
                let end = self.behind_item(self.at);
                // Other functions of the name are not meant where this one would be.
                let name = self.template_name(self.at + 1, end).map(|(name, _)| name);
                self.result.names.extend(name);
                self.drop_item();
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
                // A type that stands for nothing; `unsigned` in front of it says nothing more.
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

    /// Reports a `texture<...>` whose arguments name dimensions that are not modelled.
    fn check_texture(&mut self, behind: usize) {
        let dimensions = ["cudaTextureType1D", "cudaTextureType2D"];
        for at in self.at + 2..behind {
            let is_other = match self.token(at) {
                Some(TokenKind::Name(name)) => {
                    name.starts_with("cudaTextureType") && !dimensions.contains(&&**name)
                }
                Some(TokenKind::Int { value, .. }) => {
                    self.is(at - 1, Mark::Comma) && !(1..=2).contains(value)
                }
                _ => false,
            };
            // The second argument only.
            let commas = (self.at + 2..at).filter(|&at| self.is(at, Mark::Comma)).count();
            if is_other && commas == 1 {
                let message = "unsupported: textures that are 3-D, layered or cubes";
                self.report(code::UNSUPPORTED_FUNCTION, self.span(at), message, advice("tex3D"));
            }
        }
    }

    /// `name<...>` of a template that is declared nowhere, if it cannot be a comparison.
    fn instance(&mut self, name: &Name, behind: usize) {
        let begins = match self.result.tokens.last().map(|last| &last.kind) {
            None | Some(TokenKind::Specifier(_) | TokenKind::ErrorStatement(_)) => true,
            Some(TokenKind::Mark(Mark::LeftParen | Mark::Comma)) => self.is_parameter(),
            Some(TokenKind::Mark(mark)) => {
                matches!(mark, Mark::Semicolon | Mark::LeftBrace | Mark::RightBrace)
            }
            _ => false,
        };
        let of_type = matches!(
            self.token(self.at + 2),
            Some(TokenKind::TypeWord(_) | TokenKind::Specifier(_))
        );
        let span = self.span(self.at);
        let (code, what) = if name.contains("::") {
            (code::UNSUPPORTED_NAMESPACE, "a name in a namespace")
        } else {
            (code::UNSUPPORTED_TEMPLATE, "a template")
        };
        let message = format!("unsupported: `{name}<...>`, {what}");
        if is_unsupported_fetch(name) {
            let message = format!("unsupported: `{name}`");
            self.report(code::UNSUPPORTED_FUNCTION, span, &message, advice(name));
            self.cut_expression(behind);
        } else if begins && self.declares(behind) {
            self.report(code, span, &message, advice(name));
            self.result.types.push(name.clone());
            self.keep();
            self.at = behind;
        } else if (of_type || name.contains("::")) && self.is(behind, Mark::LeftParen) {
            self.report(code, span, &message, advice(name));
            self.cut_expression(behind);
        } else {
            self.keep();
        }
    }

    /// Whether this is directly in the parentheses of a function's parameters.
    fn is_parameter(&self) -> bool {
        self.places.last() == Some(&Place::Other)
            && self.places.iter().filter(|&&place| place == Place::Other).count() == 1
            && !self.places.contains(&Place::Body)
    }

    fn is_member(&self) -> bool {
        let before = self.result.tokens.last();
        before.is_some_and(|before| before.is(Mark::Dot) || before.is(Mark::Arrow))
    }

    /// Whether a declarator stands at `at`.
    fn declares(&self, at: usize) -> bool {
        let mut here = at;
        while matches!(
            self.token(here),
            Some(
                TokenKind::Mark(Mark::Star | Mark::And | Mark::AndAnd)
                    | TokenKind::Specifier(Word::Const)
            )
        ) {
            here += 1;
        }
        let named = matches!(self.token(here), Some(TokenKind::Name(_)));
        let ends = self.is(here, Mark::RightParen) || self.is(here, Mark::Comma);
        let starts = match self.result.tokens.last().map(|last| &last.kind) {
            None => true,
            Some(TokenKind::Mark(mark)) => matches!(
                mark,
                Mark::Semicolon
                    | Mark::LeftBrace
                    | Mark::RightBrace
                    | Mark::LeftParen
                    | Mark::Comma
                    | Mark::Less
            ),
            Some(TokenKind::Specifier(_)) => true,
            Some(TokenKind::ErrorStatement(_)) => true,
            _ => false,
        };
        starts && (named || (ends && here > at))
    }
}
