//! The syntax tree of a PTX module.
//!
//! # What a reader needs to know
//!
//! - **Names are not resolved.** An [`OperandKind::Name`] is a register, a variable, a function, a label, a special
//!   register (`%laneid`) or the constant `WARP_SZ`. Scopes are those of `{}`: a [`Statement::Block`] opens one for
//!   registers, variables and labels; the body of a function is the outermost one; module-level names are outside.
//!   An inner declaration hides an outer one. A name may be used only after its declaration, but for labels and functions.
//! - **Registers in numbers.** `.reg .b32 %r<3>;` is one [`Variable`] with [`Variable::count`] 3: it declares `%r0`, `%r1`
//!   and `%r2`.
//! - **An instruction** is its mnemonic, the text before the first dot (`ld`), and its modifiers in the order of the text,
//!   without the dot (`global`, `v4`, `f32`; `shared::cta` is one). Every dot word is a modifier, types included.
//! - **Operands** are in the order of the text, the destination first if the instruction has one. `p|q` is one operand,
//!   [`OperandKind::Pair`]; `{a, b}` is one, [`OperandKind::Vector`]; `[a+4]` is one, [`OperandKind::Address`].
//! - **Constant expressions are evaluated**: `(1 << 4) - 1` is [`OperandKind::Constant`].
//! - **Everything has a [`Span`]** of bytes of the text. [`Statement::Location`] applies to the instructions after it in
//!   the text, up to the next one, whatever the scope.
//! - **Sections** (`.section .debug_str { … }`) and lines that begin with `@@` (the debug information of old compilers) are
//!   skipped. Empty statements (`;`) leave nothing.
//!
//! Bounds: blocks are nested at most [`MOST_BLOCKS`] deep, `{}` of operands and initialisers [`MOST_BRACES`] deep, so that
//! a reader may recurse over them.

use crate::{Constant, Span, Text};

/// The deepest nesting of blocks.
pub const MOST_BLOCKS: u32 = 64;
/// The deepest nesting of `{}` in an operand or initialiser.
pub const MOST_BRACES: u32 = 8;

/// A name at its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name; of a modifier, directive or type the text without its dot.
    pub text: Text,
    /// The place, with the dot.
    pub span: Span,
}

/// A text of PTX.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// `.version`.
    pub version: Option<Version>,
    /// The words after `.target`: `sm_75`, `debug`, `texmode_independent`, ….
    pub target: Vec<Name>,
    /// `.address_size`, in bits; 32 where the text has none.
    pub address_size: Option<AddressSize>,
    /// Files that [`Location`]s name by their numbers.
    pub files: Vec<File>,
    /// Variables of the module, in the order of the text.
    pub variables: Vec<Variable>,
    /// Kernels, functions and declarations of functions, in the order of the text.
    pub functions: Vec<Function>,
    /// `.alias NEW, OLD;`: the first name means the function with the second.
    pub aliases: Vec<(Name, Name)>,
    /// Strings of `.pragma` outside of functions.
    pub pragmas: Vec<Name>,
}

/// `.version 8.7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// 8.
    pub major: u32,
    /// 7.
    pub minor: u32,
    /// The place.
    pub span: Span,
}

/// `.address_size 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressSize {
    /// 32 or 64 in a valid module; not checked.
    pub bits: u64,
    /// The place.
    pub span: Span,
}

/// `.file 1 "saxpy.cu"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The number that locations give.
    pub number: u64,
    /// The path.
    pub path: Text,
    /// The place.
    pub span: Span,
}

/// How a name is seen by other modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// `.extern`: defined in another module. An `.extern .shared` array has the size that the launch gives.
    pub external: bool,
    /// `.visible`.
    pub visible: bool,
    /// `.weak`.
    pub weak: bool,
    /// `.common`.
    pub common: bool,
}

/// A state space of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// `.reg`: registers.
    Register,
    /// `.sreg`: special registers; no text declares any.
    Special,
    /// `.param`: parameters of kernels and functions, and inside functions the arguments of calls.
    Parameter,
    /// `.local`.
    Local,
    /// `.shared`.
    Shared,
    /// `.const`.
    Constant,
    /// `.global`.
    Global,
    /// `.tex`: textures of old texts.
    Texture,
}

impl Space {
    /// All of them with their spelling, without the dot.
    pub const ALL: [(Space, &'static str); 8] = [
        (Space::Register, "reg"),
        (Space::Special, "sreg"),
        (Space::Parameter, "param"),
        (Space::Local, "local"),
        (Space::Shared, "shared"),
        (Space::Constant, "const"),
        (Space::Global, "global"),
        (Space::Texture, "tex"),
    ];

    /// The spelling, without the dot.
    pub fn name(self) -> &'static str {
        Space::ALL.iter().find(|(space, _)| *space == self).map_or("", |(_, name)| name)
    }
}

/// The meaning of a value's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// `.pred`.
    Predicate,
    /// `.bN`: bits without a meaning.
    Bits,
    /// `.uN`.
    Unsigned,
    /// `.sN`.
    Signed,
    /// `.f16`, `.f32`, `.f64`: IEEE 754.
    Float,
    /// `.f16x2`: two halves, the first in the low bits.
    FloatPair,
    /// `.bf16`.
    Brain,
    /// `.bf16x2`.
    BrainPair,
    /// `.u16x2`.
    UnsignedPair,
    /// `.s16x2`.
    SignedPair,
    /// `.texref`, `.samplerref` or `.surfref`: a reference without a size.
    Reference,
    /// A type of tensor instructions: `.tf32`, `.e4m3`, `.e5m2x2`, ….
    Tensor,
}

/// A fundamental type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Type {
    /// The meaning of its bits.
    pub kind: Kind,
    /// Its width: 1 for predicates, 0 for references.
    pub bits: u8,
    /// The spelling, without the dot.
    pub name: &'static str,
}

impl Type {
    /// The type that is spelled so, without the dot.
    pub fn find(name: &str) -> Option<Type> {
        TYPES.iter().copied().find(|ty| ty.name == name)
    }

    /// Bytes in memory.
    pub fn bytes(self) -> u32 {
        u32::from(self.bits).div_ceil(8)
    }
}

const fn ty(kind: Kind, bits: u8, name: &'static str) -> Type {
    Type { kind, bits, name }
}

/// Every type.
pub const TYPES: &[Type] = &[
    ty(Kind::Predicate, 1, "pred"),
    ty(Kind::Bits, 8, "b8"),
    ty(Kind::Bits, 16, "b16"),
    ty(Kind::Bits, 32, "b32"),
    ty(Kind::Bits, 64, "b64"),
    ty(Kind::Bits, 128, "b128"),
    ty(Kind::Unsigned, 8, "u8"),
    ty(Kind::Unsigned, 16, "u16"),
    ty(Kind::Unsigned, 32, "u32"),
    ty(Kind::Unsigned, 64, "u64"),
    ty(Kind::Signed, 8, "s8"),
    ty(Kind::Signed, 16, "s16"),
    ty(Kind::Signed, 32, "s32"),
    ty(Kind::Signed, 64, "s64"),
    ty(Kind::Float, 16, "f16"),
    ty(Kind::Float, 32, "f32"),
    ty(Kind::Float, 64, "f64"),
    ty(Kind::FloatPair, 32, "f16x2"),
    ty(Kind::Brain, 16, "bf16"),
    ty(Kind::BrainPair, 32, "bf16x2"),
    ty(Kind::UnsignedPair, 32, "u16x2"),
    ty(Kind::SignedPair, 32, "s16x2"),
    ty(Kind::Reference, 0, "texref"),
    ty(Kind::Reference, 0, "samplerref"),
    ty(Kind::Reference, 0, "surfref"),
    ty(Kind::Tensor, 32, "tf32"),
    ty(Kind::Tensor, 8, "e4m3"),
    ty(Kind::Tensor, 8, "e5m2"),
    ty(Kind::Tensor, 16, "e4m3x2"),
    ty(Kind::Tensor, 16, "e5m2x2"),
];

/// A declaration of one name: registers, a variable, or a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// How other modules see it.
    pub linkage: Linkage,
    /// Where it is.
    pub space: Space,
    /// The alignment that `.align` gives, in bytes.
    pub align: Option<u64>,
    /// Elements of a vector: 2, 4 or 8 for `.v2`, `.v4`, `.v8`; 1 without.
    pub vector: u8,
    /// The type of an element.
    pub ty: Type,
    /// The name; `_` for parameters of declarations without one.
    pub name: Name,
    /// The number in `%r<5>`: 5 names, `%r0` to `%r4`.
    pub count: Option<u64>,
    /// The dimensions of an array, the outermost first. `None` is `[]`, whose size the initialiser or the launch says.
    pub dimensions: Vec<Option<u64>>,
    /// The initial value: a constant, a name, `generic(name)`, or a [`OperandKind::Vector`] of those. Elements without one are
    /// zero.
    pub initialiser: Option<Operand>,
    /// `.ptr` of a kernel's parameter: the space that it points into, and its alignment.
    pub pointer: Option<Pointer>,
    /// `.attribute(.managed)`.
    pub managed: bool,
    /// The whole declaration.
    pub span: Span,
}

/// `.ptr .global .align 16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// `.const`, `.global`, `.local` or `.shared`; generic without.
    pub space: Option<Space>,
    /// Bytes; 4 where the text has none.
    pub align: Option<u64>,
}

/// A kernel (`.entry`) or a function (`.func`).
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// How other modules see it.
    pub linkage: Linkage,
    /// A kernel.
    pub is_entry: bool,
    /// Results of a function, in the parentheses before its name: `.reg` or `.param`.
    pub results: Vec<Variable>,
    /// The name.
    pub name: Name,
    /// Parameters: of a kernel `.param`, of a function `.param` or `.reg`.
    pub parameters: Vec<Variable>,
    /// `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnreg`, `.noreturn`, ….
    pub directives: Vec<Directive>,
    /// The body; `None` of a declaration.
    pub body: Option<Block>,
    /// The head: from the linkage to the name.
    pub span: Span,
}

/// A directive between a function's head and its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// The name without its dot: `maxntid`. For `.pragma` the strings are in `strings`.
    pub name: Name,
    /// The numbers that follow.
    pub values: Vec<u64>,
    /// The strings of `.pragma`.
    pub strings: Vec<Name>,
}

/// The statements between `{` and `}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// In the order of the text.
    pub statements: Vec<Statement>,
    /// Blocks that are nested in it, at the deepest place.
    pub depth: u32,
    /// With the braces.
    pub span: Span,
}

/// A statement of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// A declaration of one name.
    Variable(Variable),
    /// `NAME:`.
    Label(Name),
    /// An instruction.
    Instruction(Instruction),
    /// A scope of its own.
    Block(Block),
    /// `NAME: .branchtargets A, B;`: the targets of `brx.idx`, by index.
    BranchTargets(Name, Vec<Name>),
    /// `NAME: .calltargets f, g;`: functions that an indirect call may call.
    CallTargets(Name, Vec<Name>),
    /// `NAME: .callprototype (results) _ (parameters);`: the signature of an indirect call.
    CallPrototype {
        /// The prototype's name.
        name: Name,
        /// Its results.
        results: Vec<Variable>,
        /// Its parameters.
        parameters: Vec<Variable>,
    },
    /// `.loc`.
    Location(Location),
    /// `.pragma "nounroll";`.
    Pragma(Vec<Name>),
}

/// `.loc FILE LINE COLUMN`: where the instructions that follow come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The number of a [`File`].
    pub file: u64,
    /// From 1; 0 where the compiler gives no line.
    pub line: u64,
    /// From 1; 0 where the compiler gives no column.
    pub column: u64,
    /// The call, for inlined code.
    pub inlined: Option<Inlined>,
    /// The place.
    pub span: Span,
}

/// `function_name LABEL+OFFSET, inlined_at FILE LINE COLUMN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// The name of the function.
    pub function: Option<InlinedFunction>,
    /// The call that was inlined.
    pub at: CallSite,
}

/// The place of a function's name in the section `.debug_str`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlinedFunction {
    /// A label of the section.
    pub label: Name,
    /// The number of bytes after it.
    pub offset: u64,
}

/// The place of a call that was inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The number of its file.
    pub file: u64,
    /// Its line.
    pub line: u64,
    /// Its column.
    pub column: u64,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `@p` or `@!p`.
    pub guard: Option<Guard>,
    /// The word before the first dot: `ld`.
    pub mnemonic: Name,
    /// The words after dots, in order: `global`, `v4`, `f32`.
    pub modifiers: Vec<Name>,
    /// In order, the destination first.
    pub operands: Vec<Operand>,
    /// From the guard to the semicolon.
    pub span: Span,
}

impl Instruction {
    /// The instruction's name with its modifiers, as it is written: `ld.global.v4.f32`.
    pub fn spelled(&self) -> String {
        let mut spelled = self.mnemonic.text.to_string();
        for modifier in &self.modifiers {
            spelled.push('.');
            spelled.push_str(&modifier.text);
        }
        spelled
    }
}

/// A condition in front of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The instruction executes where the predicate is false.
    pub negated: bool,
    /// The register.
    pub predicate: Name,
}

/// An operand, or an initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its form.
    pub kind: OperandKind,
    /// The place.
    pub span: Span,
}

/// Returns true for selectors: `b0` of `%r1.b0`, but not `x` of `%tid.x`.
fn is_selector(part: &str) -> bool {
    let digits = part.strip_prefix(['b', 'h']).unwrap_or_default();
    !digits.is_empty() && digits.chars().all(|it| it.is_ascii_digit())
}

impl Operand {
    /// The selector of bytes or halves: `b0` of `%r1.b0` and of `-%r1.b0`.
    pub fn selector(&self) -> Option<&str> {
        match &self.kind {
            OperandKind::Part(_, part) if is_selector(part) => Some(part),
            OperandKind::Minus(inner) => inner.selector(),
            _ => None,
        }
    }

    /// The operand without its sign and its selector of bytes or halves.
    pub fn bare(&self) -> Operand {
        let kind = match &self.kind {
            OperandKind::Part(name, part) if is_selector(part) => OperandKind::Name(name.clone()),
            OperandKind::Minus(inner) => return inner.bare(),
            kind => kind.clone(),
        };
        Operand { kind, span: self.span }
    }

    /// Returns true if it has a minus sign.
    pub fn is_negated(&self) -> bool {
        matches!(self.kind, OperandKind::Minus(_))
    }
}

/// The form of an operand.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// A register, variable, function, label, special register, or `WARP_SZ`.
    Name(Text),
    /// `%tid.x`, `%v.y`, and of video instructions `%r.b0`, `%r.h1`: a name, and the word after the dot.
    Part(Text, Text),
    /// `_`: no destination, or no source.
    Sink,
    /// A constant, evaluated.
    Constant(Constant),
    /// `!%p`.
    Not(Text),
    /// `-%r`, of video instructions; the operand is a name or part.
    Minus(Box<Operand>),
    /// `variable+4`, `%rd1+-8`: a name, and bytes after it.
    Offset(Text, i64),
    /// In an initialiser: `generic(variable)+4`, the generic address of a variable, and bytes after it.
    Generic(Text, i64),
    /// In an initialiser: `0xFF00(value)`, the bits of the mask, moved down to bit 0.
    Mask(u64, Box<Operand>),
    /// `p|q`: two destinations. Each is a name or a sink.
    Pair(Box<Operand>, Box<Operand>),
    /// `{a, b}`.
    Vector(Vec<Operand>),
    /// `[a]`: a name, an offset or a constant.
    Address(Box<Operand>),
    /// `[a, b]`, `[texture, sampler, {x, y}]`, `[map, {x, y}]`: an address with parts.
    Texture(Vec<Operand>),
    /// `(a, b)` of a `call`.
    List(Vec<Operand>),
}
