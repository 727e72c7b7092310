//! The syntax tree: the program as written, with types and names not yet resolved.
//!
//! Nodes count their depth while they are built, and the grammar refuses deeper ones than
//! [`EXPRESSION_DEPTH`] and [`STATEMENT_DEPTH`], so that later stages may recurse.

use crate::span::{FileId, Span};
pub use crate::token::{IntSuffix, Name, Word};
use crate::token::{Mark, Token, TokenKind};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The deepest nesting of expressions; a chain `a + a + a` is as deep as it is long.
pub const EXPRESSION_DEPTH: u32 = 1000;
/// The deepest nesting of statements; every `else if` counts.
pub const STATEMENT_DEPTH: u32 = 200;
/// The deepest nesting of brackets.
pub const BRACKET_DEPTH: usize = 200;

/// A program: its items outside functions, in order.
#[derive(Clone, Debug, Default)]
pub struct TranslationUnit {
    /// Functions and declarations.
    pub items: Vec<Item>,
    /// Names that nothing declares outside functions, of types that are unsupported or unknown: nothing can be said of
    /// their uses.
    pub poisoned: Vec<Name>,
    /// The texts supplied with the compiler: warnings about them are not shown.
    pub supplied: BTreeSet<FileId>,
    /// The names, without namespaces, that occur once in the program's own file and nowhere else.
    pub single: BTreeSet<Name>,
    /// True if the text depends on `__CUDA_ARCH__`: host and device may see different programs.
    pub asks_for_architecture: bool,
}

impl TranslationUnit {
    /// The kernels that the program defines, templates among them, in order: name and place.
    pub fn kernels(&self) -> Vec<(Name, Span)> {
        let mut found = Vec::new();
        kernels_of(&self.items, &mut found);
        found
    }
}

fn kernels_of(items: &[Item], found: &mut Vec<(Name, Span)>) {
    for item in items {
        match item {
            Item::Function(definition) => {
                let is_kernel = definition
                    .specifiers
                    .items
                    .iter()
                    .any(|one| matches!(one.kind, SpecifierKind::Word(Word::Global)));
                if let (true, Some(name)) = (is_kernel, &definition.declarator.name) {
                    found.push((name.clone(), definition.declarator.name_span));
                }
            }
            Item::Namespace(_, items) => kernels_of(items, found),
            Item::Template(template) => {
                kernels_of(std::slice::from_ref(&template.item), found);
            }
            _ => {}
        }
    }
}

/// Something outside functions, or in a structure.
#[derive(Clone, Debug)]
pub enum Item {
    /// A function with its body.
    Function(Arc<FunctionDefinition>),
    /// A declaration.
    Declaration(Declaration),
    /// The contents of a namespace, with its name if it has one.
    Namespace(Option<Name>, Vec<Item>),
    /// A template.
    Template(Arc<Template>),
    /// `template` in front of a use of a template with its arguments, which makes it exist.
    Instance(Declaration),
    /// `using a::b;`
    Using(Name, Span),
    /// `static_assert(condition, "text")`.
    Assertion(Assertion),
    /// A structure's declaration of a friend, which belongs to the namespace around.
    Friend(Box<Item>),
    /// Among the members of a structure: a reported fault in a member, so that the contents of the
    /// structure are not known.
    Faulty,
    /// A declaration of this name, outside functions and structures, that was reported as a fault:
    /// the meaning of the name is unknown from here on.
    Unreadable(Name, Span),
}

impl Item {
    /// The names of the variables, functions and types that it declares, if it is a declaration, a function or a template of these.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        let mut item = self;
        while let Item::Template(template) = item {
            item = &template.item;
        }
        let (declared, function) = match item {
            Item::Declaration(declaration) => (declaration.declarators.as_slice(), None),
            Item::Function(definition) => (&[][..], definition.declarator.name.as_ref()),
            _ => (&[][..], None),
        };
        let declared = declared.iter().filter_map(|declared| declared.declarator.name.as_ref());
        declared.chain(function)
    }
}

/// A template: something that its arguments complete.
#[derive(Debug)]
pub struct Template {
    /// Its parameters; none for a specialisation.
    pub parameters: Vec<TemplateParameter>,
    /// The item that it makes.
    pub item: Item,
    /// From `template` to the end of the declaration.
    pub span: Span,
}

/// A parameter of a template.
#[derive(Clone, Debug)]
pub struct TemplateParameter {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// A type, or the type of the value that it takes.
    pub kind: TemplateParameterKind,
    /// The place in the text.
    pub span: Span,
}

/// The kinds of template parameter.
#[derive(Clone, Debug)]
pub enum TemplateParameterKind {
    /// `typename T = default`.
    Type(Option<TypeName>),
    /// `int N = default`.
    Value(Box<Parameter>),
}

/// An argument of a template.
#[derive(Clone, Debug)]
pub enum TemplateArgument {
    /// A type.
    Type(TypeName),
    /// A value.
    Value(Expr),
}

/// `static_assert(condition, "text")`.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The condition that has to hold.
    pub condition: Expr,
    /// The message if it does not.
    pub text: Option<Arc<[u8]>>,
    /// All of it.
    pub span: Span,
}

/// A member that a constructor initialises in front of its body.
#[derive(Clone, Debug)]
pub struct MemberInitializer {
    /// The member's or base's name.
    pub name: Name,
    /// Its values: a list in braces, or values in parentheses.
    pub values: Vec<Expr>,
    /// Braces or parentheses.
    pub enclosure: Enclosure,
    /// The span of the name.
    pub span: Span,
}

/// The brackets around the values that initialise an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosure {
    /// `(values)`
    Parentheses,
    /// `{values}`, in which conversions may not narrow.
    Braces,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    /// Words and result type.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// The part between the `:` and the body of a constructor.
    pub initializers: Vec<MemberInitializer>,
    /// True if `const` follows the parameters.
    pub constant: bool,
    /// The body, unread.
    pub body: FunctionBody,
    /// From the first word to the last brace.
    pub span: Span,
}

/// The body of a function as tokens; the compiler parses it when it is needed.
#[derive(Clone, Debug)]
pub struct FunctionBody {
    /// The text between the braces, in pieces of whole statements; identifiers are tagged.
    pub pieces: Vec<Box<[Token]>>,
    /// From brace to brace.
    pub span: Span,
}

impl FunctionBody {
    /// The fewest tokens of a piece that is not the last. Few hand-written functions are that long.
    pub const PIECE: usize = 1 << 14;

    /// The body that has these tokens between its braces.
    pub fn new(tokens: &[Token], span: Span) -> FunctionBody {
        let mut pieces = Vec::new();
        let mut rest = tokens;
        while let Some(end) = end_of_piece(rest) {
            pieces.push(rest[..end].into());
            rest = &rest[end..];
        }
        pieces.push(rest.into());
        FunctionBody { pieces, span }
    }

    /// A body without statements.
    pub fn empty(span: Span) -> FunctionBody {
        FunctionBody { pieces: Vec::new(), span }
    }
}

/// The end of the first piece of a body's remaining tokens, unless that is the last piece.
fn end_of_piece(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        let TokenKind::Mark(mark) = token.kind else {
            continue;
        };
        match mark {
            Mark::LeftParen | Mark::LeftBracket | Mark::LeftBrace => depth += 1,
            Mark::RightParen | Mark::RightBracket | Mark::RightBrace => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        let is_long = at + 1 >= FunctionBody::PIECE;
        if depth == 0 && is_long && separates(mark, tokens.get(at + 1)?) {
            return Some(at + 1);
        }
    }
    None
}

/// Returns true if, outside of brackets, a statement ends with this mark and the next begins with this token.
fn separates(mark: Mark, next: &Token) -> bool {
    match (mark, &next.kind) {
        (Mark::Semicolon, kind) => !matches!(kind, TokenKind::Word(Word::Else | Word::While)),
        // The members of a structure are never followed by one of these.
        (Mark::RightBrace, TokenKind::Word(word)) => {
            matches!(word, Word::If | Word::For | Word::Switch | Word::Return)
        }
        _ => false,
    }
}

/// A declaration of any number of things.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Words and the type that the declarators start from.
    pub specifiers: Specifiers,
    /// The declared things; none for a mere `struct s { ... };`.
    pub declarators: Vec<InitDeclarator>,
    /// True if `const` follows the parameters of the declared function.
    pub constant: bool,
    /// From the first word to the semicolon.
    pub span: Span,
}

/// The words and the type in front of declarators.
#[derive(Clone, Debug)]
pub struct Specifiers {
    /// In the order they were written.
    pub items: Vec<Specifier>,
    /// All of them.
    pub span: Span,
}

/// One specifier.
#[derive(Clone, Debug)]
pub struct Specifier {
    /// Its kind.
    pub kind: SpecifierKind,
    /// The place in the text.
    pub span: Span,
}

/// The kinds of specifier.
#[derive(Clone, Debug)]
pub enum SpecifierKind {
    /// `const`, `static`, `__global__`, `unsigned`, `float`, ...
    Word(Word),
    /// A type's name.
    Named(Name),
    /// A class template with its arguments.
    Template(Name, Vec<TemplateArgument>),
    /// The type of that name in a structure: `typename a<int>::type`.
    Member(Box<Specifier>, Name),
    /// A structure or union.
    Struct(Box<StructSpecifier>),
    /// An enumeration.
    Enum(Box<EnumSpecifier>),
    /// `__launch_bounds__(...)`.
    LaunchBounds(Vec<Expr>),
    /// Says where things lie.
    Layout(Layout),
    /// `decltype(value)`.
    Decltype(Box<Expr>),
    /// `typeof(value)`.
    Typeof(Box<Expr>),
    /// `typeof(type)`.
    TypeofType(Box<TypeName>),
}

/// A statement about the layout of a structure, its members or a variable.
#[derive(Clone, Debug)]
pub enum Layout {
    /// `__align__(n)`, `alignas(n)` or the attribute `aligned(n)`: the least alignment in bytes.
    Align(Vec<Expr>),
    /// The attribute `packed`: members are aligned to one byte, bit-fields to one bit.
    Packed,
    /// `#pragma pack(n)`: the greatest alignment of members in bytes.
    Pack(Box<Expr>),
}

/// A structure or union, defined or only named.
#[derive(Clone, Debug)]
pub struct StructSpecifier {
    /// True if it is a union.
    pub is_union: bool,
    /// The layout statements between keyword and tag, or after the members.
    pub layout: Vec<Layout>,
    /// Its tag.
    pub tag: Option<Name>,
    /// The arguments after the tag: of a specialisation, or in a use.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// Its members, when it is defined here.
    pub members: Option<Arc<Vec<Item>>>,
    /// The span of the keyword and the tag.
    pub span: Span,
}

/// An enumeration, defined or only named.
#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    /// True if it is an `enum class`, whose enumerators are visible only after its tag.
    pub is_scoped: bool,
    /// Its tag.
    pub tag: Option<Name>,
    /// The integer type that holds it, if given.
    pub base: Option<Specifiers>,
    /// Its enumerators, when it is defined here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// The span of the keyword and the tag.
    pub span: Span,
}

/// A constant of an enumeration.
#[derive(Clone, Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Name,
    /// Its value, if given.
    pub value: Option<Expr>,
    /// The span of the name.
    pub span: Span,
}

/// A declared entity: its name, with the part that derives its type from the specifiers' type.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The name; abstract declarators (of casts, of unnamed parameters) have none.
    pub name: Option<Name>,
    /// The span of the name, or of the whole declarator if there is none.
    pub name_span: Span,
    /// Arguments after the name: of a specialisation of a function template.
    pub arguments: Option<Vec<TemplateArgument>>,
    /// From the name outwards: `*a[3]` is an array of pointers, so the array is first.
    pub derived: Vec<Derived>,
    /// All of it.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Its kind.
    pub kind: DerivedKind,
    /// The place in the text.
    pub span: Span,
}

/// The kinds of step of a declarator.
#[derive(Clone, Debug)]
pub enum DerivedKind {
    /// `*`, with its qualifiers.
    Pointer(Vec<Word>),
    /// `&`.
    Reference,
    /// `&&`.
    RvalueReference,
    /// `[bound]`.
    Array(Option<Box<Expr>>),
    /// `(parameters)`.
    Function {
        /// The parameters.
        parameters: Vec<Parameter>,
        /// True if `...` follows them.
        variadic: bool,
    },
    /// `(values)`: the initialiser of `dim3 grid(4, 4);`.
    Values(Vec<Expr>),
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Words and type.
    pub specifiers: Specifiers,
    /// Name and type.
    pub declarator: Declarator,
    /// Default argument.
    pub default: Option<Initializer>,
    /// All of it.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Debug)]
pub struct InitDeclarator {
    /// The declared thing.
    pub declarator: Declarator,
    /// The layout statements after the declarator.
    pub layout: Vec<Layout>,
    /// Its initialiser.
    pub init: Option<Initializer>,
    /// The width of a bit-field.
    pub width: Option<Expr>,
}

/// A lambda.
#[derive(Debug)]
pub struct Lambda {
    /// The default capture of variables that it names but does not list: true by reference, false
    /// by copy; `None`: they are not captured.
    pub default: Option<bool>,
    /// True if it captures `this`.
    pub of_this: bool,
    /// The listed captures.
    pub captures: Vec<Capture>,
    /// The template parameters for its parameters of type `auto`.
    pub parameters: Vec<TemplateParameter>,
    /// The function that it is.
    pub definition: Arc<FunctionDefinition>,
    /// The names in its body, in order.
    pub names: Vec<Name>,
}

/// A variable that a lambda captures.
#[derive(Clone, Debug)]
pub struct Capture {
    /// Its name inside the lambda.
    pub name: Name,
    /// True if it refers to the variable outside, and is no copy.
    pub by_reference: bool,
    /// Its initialiser, if it is not the variable of its name.
    pub value: Option<Expr>,
    /// The place in the capture list.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Initializer {
    /// A value.
    Expr(Expr),
    /// Values in braces.
    List {
        /// The elements.
        elements: Vec<InitializerElement>,
        /// The place in the text.
        span: Span,
        /// The depth to which lists are nested.
        depth: u32,
    },
}

impl Initializer {
    /// The place in the text.
    pub fn span(&self) -> Span {
        match self {
            Initializer::Expr(value) => value.span,
            Initializer::List { span, .. } => *span,
        }
    }
}

/// An element of an initialiser in braces.
#[derive(Clone, Debug)]
pub struct InitializerElement {
    /// `.x` and `[3]` in front of `=`.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initializer,
}

/// One designator.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `.name`.
    Member(Name, Span),
    /// `[index]`.
    Index(Box<Expr>),
}

/// A type as casts and `sizeof` write it.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// Words and type.
    pub specifiers: Specifiers,
    /// The declarator that makes the type, without a name.
    pub declarator: Declarator,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// The place in the text.
    pub span: Span,
    /// The depth of the statements nested in it.
    pub(crate) depth: u32,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression, or nothing but a semicolon.
    Expr(Option<Expr>),
    /// A declaration.
    Declaration(Declaration),
    /// A block.
    Block(Vec<Stmt>),
    /// `if`; `true`: `if constexpr`, of which only the side taken is compiled.
    If(bool, Condition, Box<Stmt>, Option<Box<Stmt>>),
    /// `static_assert`.
    Assertion(Assertion),
    /// `using a::b;`
    Using(Name),
    /// `while`.
    While(Condition, Box<Stmt>),
    /// `do`.
    Do(Box<Stmt>, Expr),
    /// `for`.
    For {
        /// A declaration or an expression.
        init: Box<Stmt>,
        /// Absent: always true.
        condition: Option<Expr>,
        /// After each iteration.
        step: Option<Expr>,
        /// The repeated statement.
        body: Box<Stmt>,
    },
    /// `for (item : range)`.
    RangeFor(Box<RangeFor>),
    /// `#pragma unroll`, with its factor if it has one, and the loop.
    Unroll(Option<Expr>, Box<Stmt>),
    /// `switch`.
    Switch(Condition, Box<Stmt>),
    /// `case value:`, without the statement after it.
    Case(Expr),
    /// `default:`.
    Default,
    /// `name:`.
    Label(Name),
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return(Option<Initializer>),
    /// `goto`.
    Goto(Name),
    /// `asm`.
    Assembly(Box<Assembly>),
    /// Something reported already, with the names in it.
    Error(Arc<[Name]>),
}

/// An `asm` statement.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The text.
    pub text: Arc<[u8]>,
    /// The place of the text.
    pub place: Span,
    /// The sections after the colons: outputs, inputs, and clobbered names.
    pub sections: Vec<Vec<AssemblyOperand>>,
}

/// An operand of an `asm` statement: `[name] "constraint"(value)`.
#[derive(Clone, Debug)]
pub struct AssemblyOperand {
    /// The name that the text may use.
    pub name: Option<Name>,
    /// The constraint.
    pub constraint: Arc<[u8]>,
    /// The value; a clobbered name has none.
    pub value: Option<Expr>,
    /// The operand.
    pub span: Span,
}

/// A `for` over the elements of a range, as the loop that it is short for (C++17, [stmt.ranged]), whose
/// variables have names that no program can write.
#[derive(Clone, Debug)]
pub struct RangeFor {
    /// The range.
    pub range: Initializer,
    /// `auto &&range = ...;`
    pub setup: Declaration,
    /// The loop over the elements of an array, by an index.
    pub array: RangeLoop,
    /// The loop over those of an object, by its functions `begin` and `end`.
    pub object: RangeLoop,
    /// The repeated statement.
    pub body: Stmt,
}

/// The parts of the loop that a range-based `for` is.
#[derive(Clone, Debug)]
pub struct RangeLoop {
    /// `unsigned long index = 0;`, or `auto begin = range.begin();` and `auto end = range.end();`
    pub start: Vec<Declaration>,
    /// `index < sizeof(range) / sizeof(range[0])`, or `begin != end`
    pub condition: Expr,
    /// `++index`, or `++begin`
    pub step: Expr,
    /// `item = range[index];`, or `item = *begin;`
    pub item: Declaration,
}

/// The condition of `if`, `while` and `switch`.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A value.
    Expr(Expr),
    /// A variable declared here, whose value it is.
    Declaration(Box<Declaration>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The place in the text.
    pub span: Span,
    /// The depth of the expressions nested in it.
    pub(crate) depth: u32,
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `~`
    BitNot,
    /// `*`
    Deref,
    /// `&`
    AddressOf,
    /// `++` in front
    PreIncrement,
    /// `--` in front
    PreDecrement,
    /// `++` after
    PostIncrement,
    /// `--` after
    PostDecrement,
}

impl UnaryOp {
    /// The spelling.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Deref => "*",
            UnaryOp::AddressOf => "&",
            UnaryOp::PreIncrement | UnaryOp::PostIncrement => "++",
            UnaryOp::PreDecrement | UnaryOp::PostDecrement => "--",
        }
    }
}

/// Operators of two operands, except assignments and the comma.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are C's
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl BinaryOp {
    /// The spelling.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Less => "<",
            Greater => ">",
            LessEqual => "<=",
            GreaterEqual => ">=",
            Equal => "==",
            NotEqual => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            And => "&&",
            Or => "||",
        }
    }
}

/// The ways to write a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastStyle {
    /// `(type)value`
    C,
    /// `static_cast<type>(value)`
    Static,
    /// `reinterpret_cast<type>(value)`
    Reinterpret,
    /// `const_cast<type>(value)`
    Const,
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer literal.
    Int(u64, IntSuffix),
    /// A floating literal; `true`: of type `float`.
    Float(f64, bool),
    /// A character literal.
    Char(i8),
    /// A string literal.
    String(Arc<[u8]>),
    /// `true` or `false`.
    Bool(bool),
    /// `nullptr`.
    Nullptr,
    /// An identifier.
    Name(Name),
    /// `this`.
    This,
    /// A function template with arguments.
    Template(Name, Vec<TemplateArgument>),
    /// A function template of a structure with arguments: `a.b<int>`, of which this holds `a.b`.
    MemberTemplate(Box<Expr>, Vec<TemplateArgument>),
    /// A member of a structure that is a template with arguments: `a<int>::b`.
    Scoped(Box<Specifier>, Name),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `=`, or with an operator `+=` and its kin.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A conversion.
    Cast(CastStyle, Box<TypeName>, Box<Expr>),
    /// `type(values)`.
    Construct(Box<Specifiers>, Vec<Expr>, Enclosure),
    /// `sizeof value`.
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`.
    SizeofType(Box<TypeName>),
    /// `alignof value`.
    AlignofExpr(Box<Expr>),
    /// `alignof(type)`.
    AlignofType(Box<TypeName>),
    /// `__is_class(type)` and its kin: a property of a type.
    TypeProperty(Word, Box<TypeName>),
    /// `(type){values}`.
    Literal(Box<TypeName>, Box<Initializer>),
    /// `{values}` as an argument.
    List(Box<Initializer>),
    /// `[captures](parameters) {...}`.
    Lambda(Arc<Lambda>),
    /// `f(values)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `k<<<configuration>>>(values)`.
    Launch(Box<Expr>, Vec<Expr>, Vec<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a.name`, or with `arrow` `a->name`.
    Member {
        /// The structure or the pointer to it.
        base: Box<Expr>,
        /// The member's name.
        name: Name,
        /// The span of the name.
        name_span: Span,
        /// True if it is `->`.
        arrow: bool,
    },
    /// Something reported already.
    Error,
}
