//! The checked tree: a program whose names are resolved, whose types are known and whose
//! conversions are all explicit.
//!
//! It is the only thing that the reference interpreter and the lowering to IR share, so the meaning
//! of a construct must be readable here without C's rules:
//!
//! - operands of an arithmetic [`Binary`](ExprKind::Binary) already have the same type, the
//!   result's (shifts: the left operand's type; comparisons: the result is `int` or `bool`);
//! - arrays never occur as values: they have decayed to pointers;
//! - an lvalue is a [`Place`]; reading it is [`Load`](ExprKind::Load);
//! - overloads are chosen, default arguments filled in, `sizeof` and constants folded.
//!
//! Evaluation order, fixed so that every model agrees: operands, call arguments and initialisers
//! left to right; in an assignment the right side first, then the place.

use crate::check::builtin::Builtin;
use crate::syntax::Target;
use crate::syntax::source::Span;
use reconverge_isa::CacheHints;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Index of a function in [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);
/// Index of a global variable in [`Module::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);
/// Index of a `__shared__` variable in [`Module::shared`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedId(pub u32);
/// Index of a structure or union in [`Module::structs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructId(pub u32);
/// Index of a string literal in [`Module::strings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StringId(pub u32);
/// Index of a local variable in [`Function::locals`]; parameters are first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub u32);
/// Index of a label in [`StmtKind::Switch`]'s `cases`, unique within one switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CaseId(pub u32);

/// A label that `goto` leads to, unique within a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(pub u32);

/// C's integer types other than `bool`. Sizes are LP64: `long` has 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names are C's
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
}

impl IntKind {
    /// Size in bytes: 1, 2, 4 or 8.
    pub fn size(self) -> u32 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong | LongLong | ULongLong => 8,
        }
    }

    /// Returns true if the type is signed; plain `char` is, as on x86 and in nvcc.
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong)
    }
}

/// A type, without qualifiers (the checker has used them up; `volatile` stays on [`Place`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `void`: the type of calls without a value, and the target of a `void*`.
    Void,
    /// `bool`, one byte, 0 or 1.
    Bool,
    /// Any other integer type; enumerations are `Int(IntKind::Int)`.
    Int(IntKind),
    /// 32-bit IEEE.
    Float,
    /// 64-bit IEEE.
    Double,
    /// A pointer; 8 bytes in memory, of which the upper four are zero (see ARCHITECTURE.md).
    Pointer(Arc<Type>),
    /// An array of known length; only as the type of places and as the target of pointers. No
    /// accepted type has 4 G elements, since the largest has 1 GiB.
    Array(Arc<Type>, u32),
    /// A structure or union, by value.
    Struct(StructId),
}

impl Type {
    /// `int`.
    pub const INT: Type = Type::Int(IntKind::Int);
    /// `unsigned int`.
    pub const UINT: Type = Type::Int(IntKind::UInt);
    /// `long long`.
    pub const LONG_LONG: Type = Type::Int(IntKind::LongLong);
    /// `size_t`, which is `unsigned long`.
    pub const SIZE: Type = Type::Int(IntKind::ULong);

    /// An array of this type. One that is too long was reported or will be, so that its length here
    /// only has to be too much as well.
    pub fn array_of(self, length: u64) -> Type {
        Type::Array(Arc::new(self), u32::try_from(length).unwrap_or(u32::MAX))
    }

    /// A pointer to this type.
    pub fn pointer_to(self) -> Type {
        Type::Pointer(Arc::new(self))
    }

    /// Returns true if values of the type fit a register of the abstract machine: everything that
    /// is not `void`, an array or a structure.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Type::Void | Type::Array(..) | Type::Struct(_))
    }

    /// `bool` or any other integer type.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Bool | Type::Int(_))
    }

    /// `float` or `double`.
    pub fn is_floating(&self) -> bool {
        matches!(self, Type::Float | Type::Double)
    }

    /// Returns true if the type is a signed integer.
    pub fn is_signed(&self) -> bool {
        matches!(self, Type::Int(kind) if kind.signed())
    }

    /// Size in bytes; `void` counts 1, as GNU C has it.
    pub fn size(&self, structs: &[Struct]) -> u64 {
        match self {
            Type::Void | Type::Bool => 1,
            Type::Int(kind) => kind.size() as u64,
            Type::Float => 4,
            Type::Double | Type::Pointer(_) => 8,
            Type::Array(element, length) => {
                element.size(structs).saturating_mul(u64::from(*length))
            }
            Type::Struct(id) => structs[id.0 as usize].size,
        }
    }

    /// Alignment in bytes, a power of two.
    pub fn align(&self, structs: &[Struct]) -> u64 {
        match self {
            Type::Array(element, _) => element.align(structs),
            Type::Struct(id) => structs[id.0 as usize].align,
            scalar => scalar.size(structs),
        }
    }

    /// Returns true if a member of the type, at any depth, is declared `volatile`.
    pub fn has_volatile(&self, structs: &[Struct]) -> bool {
        match self {
            Type::Array(element, _) => element.has_volatile(structs),
            Type::Struct(id) => structs[id.0 as usize]
                .fields
                .iter()
                .any(|field| field.volatile || field.ty.has_volatile(structs)),
            _ => false,
        }
    }

    /// Alignment in bytes of a variable in shared or local memory: an array may be read as one of
    /// any other type, so that it is aligned for all, and `__align__` has nothing to add.
    pub fn variable_align(&self, structs: &[Struct]) -> u64 {
        let least = if matches!(self, Type::Array(..)) { 16 } else { 1 };
        self.align(structs).max(least)
    }
}

/// A structure or union with its layout.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The tag, or a made-up name for an anonymous one.
    pub name: String,
    /// In declaration order.
    pub fields: Vec<Field>,
    /// Bytes, a multiple of `align`.
    pub size: u64,
    /// Bytes, a power of two.
    pub align: u64,
    /// True if all fields lie at offset 0.
    pub is_union: bool,
    /// True if it is a vector of CUDA's that is accessed as a whole if all of it is read or
    /// written: `float4`. Its members have four or eight bytes, and it is aligned to 8 or 16.
    pub is_vector: bool,
}

/// One member of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Bytes from the start of the structure.
    pub offset: u64,
    /// Declared `volatile`, or an array of such elements.
    pub volatile: bool,
}

/// A whole checked program.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Structures and unions. The first is always `dim3`: `unsigned x, y, z`, 12 bytes.
    pub structs: Vec<Struct>,
    /// Functions with a body, in source order.
    pub functions: Vec<Function>,
    /// Variables of static storage: file scope, and `static` locals of host functions.
    pub globals: Vec<Global>,
    /// `__shared__` variables of all device functions.
    pub shared: Vec<Shared>,
    /// String literals, without the closing zero that their memory has.
    pub strings: Vec<Vec<u8>>,
    /// `main`, if there is one.
    pub main: Option<FunctionId>,
    /// The function that ends the host's objects of static storage: called after `main`, and by
    /// `exit`.
    pub end: Option<FunctionId>,
    /// The target of the compilation.
    pub target: Target,
}

impl Module {
    /// Structure 0.
    pub const DIM3: StructId = StructId(0);

    /// The function of an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// Finds a function by its source name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|f| f.name == name)?;
        Some(FunctionId(index as u32))
    }
}

/// The sides that run a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// `__global__`: only launched.
    pub kernel: bool,
    /// Callable from device code.
    pub device: bool,
    /// Callable from host code.
    pub host: bool,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Source name.
    pub name: String,
    /// The sides that may run it.
    pub sides: Sides,
    /// The number of parameters among `locals`.
    pub parameters: u32,
    /// `Type::Void` when it returns nothing.
    pub result: Type,
    /// Parameters, then every automatic variable of every nested block.
    pub locals: Vec<Local>,
    /// The statements of the body.
    pub body: Vec<Stmt>,
    /// The first value of `__launch_bounds__`, threads per block.
    pub launch_bound: Option<u32>,
    /// The parameters that are `const __restrict__` pointers: no thread writes their memory while
    /// it runs.
    pub unwritten: Vec<usize>,
    /// The factors of `#pragma unroll` for the loops at these places: the iterations to write one
    /// after the other, 0 for all.
    pub unrolled: BTreeMap<Span, u32>,
    /// The declarator's name.
    pub span: Span,
}

impl Function {
    /// The variable of an id.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }
}

/// A parameter or automatic variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Source name.
    pub name: Arc<str>,
    /// Never `void`. Parameters are never arrays.
    pub ty: Type,
    /// True if it must live in memory: an array, a structure, or the operand of `&`. The others are
    /// registers of the abstract machine.
    pub in_memory: bool,
    /// Declared `volatile`, or an array of such elements. The variable is in memory then, and every access to it is
    /// made.
    pub volatile: bool,
    /// The place of its declaration.
    pub span: Span,
}

/// The memory of a global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalSpace {
    /// Host memory.
    Host,
    /// `__device__`: device global memory.
    Device,
    /// `__constant__`: constant memory.
    Constant,
}

/// A variable of static storage.
#[derive(Clone, Debug)]
pub struct Global {
    /// Source name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The memory.
    pub space: GlobalSpace,
    /// True if host code may use it although it is in device memory: `__managed__`.
    pub managed: bool,
    /// For `Device` and `Constant`: byte offset from the start of device global memory
    /// (`0x1000_0000`) or constant memory (`0x0300_0000`), assigned by the checker in order of
    /// declaration, aligned to 16. For `Host`: 0, the interpreter places it.
    pub offset: u32,
    /// Its initial value, over zeroes. For `Device` and `Constant` every value is an `Int` or
    /// `Float` constant; for `Host` any constant expression, addresses included.
    pub init: Init,
    /// The place of its declaration.
    pub span: Span,
}

/// A `__shared__` variable.
#[derive(Clone, Debug)]
pub struct Shared {
    /// Source name.
    pub name: String,
    /// An array of length 0 when `dynamic`.
    pub ty: Type,
    /// `extern __shared__`: all such variables start at the same address, after the static ones,
    /// aligned to 16.
    pub dynamic: bool,
    /// The place of its declaration.
    pub span: Span,
}

/// The initial value of a variable: zeroes in all its bytes (only if `zero`), then the stores in
/// order.
#[derive(Clone, Debug, Default)]
pub struct Init {
    /// True if all bytes are cleared first (aggregates with an initialiser list; all globals).
    pub zero: bool,
    /// Values with their byte offsets; a value of structure type is copied. An expression without a
    /// value makes its part itself.
    pub stores: Vec<(u64, Expr)>,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its kind.
    pub kind: StmtKind,
    /// Its source.
    pub span: Span,
}

/// The kinds of statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluate and drop the value.
    Expr(Expr),
    /// The point of declaration of an automatic variable. Without stores and `zero`, the variable
    /// is zero at its first declaration and afterwards undefined-but-deterministic: it becomes
    /// zero again each time the declaration is passed.
    Declare(LocalId, Init),
    /// A scope; scoping is already resolved.
    Block(Vec<Stmt>),
    /// `if`; the condition is a scalar compared with zero.
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `while`.
    While(Expr, Box<Stmt>),
    /// `do … while`.
    DoWhile(Box<Stmt>, Expr),
    /// `for`; its declarations are in the block around it or in `init`.
    For {
        /// Run once before.
        init: Option<Box<Stmt>>,
        /// Absent: always true.
        condition: Option<Box<Expr>>,
        /// After each iteration and at `continue`.
        step: Option<Box<Expr>>,
        /// The loop body.
        body: Box<Stmt>,
    },
    /// `switch`; control enters the body at the label whose value equals `value`, falls through.
    Switch {
        /// A value of promoted integer type.
        value: Box<Expr>,
        /// Values (converted to `value`'s type, sign- or zero-extended to 64 bits) and labels.
        cases: Vec<(i64, CaseId)>,
        /// `default:`.
        default: Option<CaseId>,
        /// Contains a `Label` for each id.
        body: Box<Stmt>,
    },
    /// The position of a `case` or `default` label of the innermost switch.
    Label(CaseId),
    /// The position of a label that `goto` leads to.
    Target(LabelId),
    /// Goes to the [`Target`](StmtKind::Target) with this label, of which the function has one: in
    /// any block, also past declarations, whose variables keep their values (zero if they were
    /// never declared).
    Goto(LabelId),
    /// Leaves the innermost loop or switch.
    Break,
    /// Goes on with the next iteration of the innermost loop.
    Continue,
    /// `return`.
    Return(Option<Expr>),
    /// `asm`.
    Assembly(Arc<Assembly>),
}

/// An `asm` statement. Its operands are variables of its own, in no memory; statements around it fill them and read them.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The text.
    pub text: reconverge_ptx::inline::Inline,
    /// The variables, by operand; none for constants.
    pub locals: Vec<Option<LocalId>>,
}

/// An expression; `ty` is the type of its value.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// The type of the value, `Void` for none; never an array.
    pub ty: Type,
    /// Its source.
    pub span: Span,
}

/// `threadIdx` and its kin; all `unsigned int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// `threadIdx`.
    ThreadIdx(Axis),
    /// `blockIdx`.
    BlockIdx(Axis),
    /// `blockDim`.
    BlockDim(Axis),
    /// `gridDim`.
    GridDim(Axis),
    /// `warpSize`: the machine's warp width, an `int`.
    WarpSize,
}

/// A dimension of a grid or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Axis {
    X,
    Y,
    Z,
}

/// Operators of one operand; by default the operand has the result's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`, on promoted integers and floats.
    Negate,
    /// `~`, on promoted integers.
    BitNot,
    /// `!`: any scalar compared equal to zero; result `bool`.
    Not,
}

/// Operators of two operands (see the module's rules for their types).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names are C's
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOp {
    /// Returns true if the result is a truth value of the operands' order; operands are numbers of
    /// one type or pointers.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}

/// The kinds of expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer, bool or pointer constant: the value's bits, sign- or zero-extended to 64.
    Int(i64),
    /// A float or double constant. A `float` one is already rounded to `f32`.
    Float(f64),
    /// The address of a string literal's first character (host memory), type `char*`.
    String(StringId),
    /// A function of the program that the library is to call: an argument of `qsort` or `bsearch`,
    /// of type `void*`.
    Function(FunctionId),
    /// `threadIdx.x` and its kin.
    Special(Special),
    /// `__builtin_assume`: a condition that holds here; it is not evaluated, and the value is 0.
    Assume(Box<Expr>),
    /// The value of a place (of scalar or structure type).
    Load(Place),
    /// The address of a place; for an array place the type is a pointer to its element.
    AddressOf(Box<Place>),
    /// See [`UnaryOp`].
    Unary(UnaryOp, Box<Expr>),
    /// See [`BinaryOp`]. Comparisons have type `bool`; a `Convert` to `int` follows where C
    /// requires it.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `&&`: scalar operands, type `bool`, the second evaluated only if the first is not zero.
    And(Box<Expr>, Box<Expr>),
    /// `||`: scalar operands, type `bool`, the second evaluated only if the first is zero.
    Or(Box<Expr>, Box<Expr>),
    /// `c ? a : b`; both of the result's type (scalar, structure or void).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Conversion of a scalar to `ty` by C's rules; to `Void`: the value is dropped. To `bool`:
    /// compares with zero. Integer ↔ pointer: the 32 address bits, zero-extended.
    Convert(Box<Expr>),
    /// `pointer + index` or `pointer - index`, in elements: `index` is `long long` typed,
    /// `stride` the element's size in bytes. Result modulo 2³².
    PointerAdd {
        /// The pointer.
        pointer: Box<Expr>,
        /// Elements; sign-extended to `long long` by a `Convert` when it was narrower.
        index: Box<Expr>,
        /// Bytes an element.
        stride: u64,
        /// Subtract instead.
        negative: bool,
    },
    /// `a - b` of two pointers in elements of `stride` bytes; type `long`. The byte difference is
    /// the 32-bit difference, sign-extended.
    PointerDifference {
        /// Minuend.
        left: Box<Expr>,
        /// Subtrahend.
        right: Box<Expr>,
        /// Bytes an element.
        stride: u64,
    },
    /// `place = value`; the value has the place's type and is the result.
    Assign(Box<Place>, Box<Expr>),
    /// `place op= value`: the place is evaluated once, loaded, converted to `common`, combined
    /// with `value` (of type `common`; shifts: its own promoted type), converted back, stored.
    /// The result is the stored value.
    AssignOp {
        /// The operator, never a comparison.
        op: BinaryOp,
        /// The place.
        place: Box<Place>,
        /// The right side.
        value: Box<Expr>,
        /// The type in which the operation happens.
        common: Type,
    },
    /// `place += index` or `-=` for a pointer place; fields as in `PointerAdd`.
    AssignPointerAdd {
        /// A place of pointer type.
        place: Box<Place>,
        /// Elements, `long long`.
        index: Box<Expr>,
        /// Bytes an element.
        stride: u64,
        /// Subtract instead.
        negative: bool,
    },
    /// `++` and `--` on an integer, bool (`++` only), floating or pointer place.
    Increment {
        /// The place, evaluated once.
        place: Box<Place>,
        /// `--`.
        negative: bool,
        /// True if the result is the old value.
        postfix: bool,
        /// 1, or bytes an element for a pointer.
        stride: u64,
    },
    /// `a, b`.
    Comma(Box<Expr>, Box<Expr>),
    /// A call of a function of the program.
    Call(FunctionId, Vec<Expr>),
    /// A call of a built-in function; the arguments have the types of its signature.
    Builtin(Builtin, Vec<Expr>),
    /// A structure made of one value per field (`dim3(4, 4)`; the checker fills in defaults); without values, of
    /// zeroes.
    Construct(Vec<Expr>),
    /// `kernel<<<grid, block, shared, stream>>>(arguments)`, type `void`.
    Launch(Box<Launch>),
}

/// A kernel launch; evaluated in the order of the fields.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The kernel to launch.
    pub kernel: FunctionId,
    /// The grid, of type `dim3`.
    pub grid: Expr,
    /// The block, of type `dim3`.
    pub block: Expr,
    /// Bytes of dynamic shared memory, `size_t`; the constant 0 when absent.
    pub shared: Expr,
    /// A pointer; the constant 0 when absent.
    pub stream: Expr,
    /// Converted to the parameters' types.
    pub arguments: Vec<Expr>,
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Place {
    /// The object.
    pub kind: PlaceKind,
    /// The type of the object.
    pub ty: Type,
    /// Accesses may not be removed, repeated or reordered among volatile ones.
    pub volatile: bool,
    /// Cache hints of the accesses, as `__ldcg` states them.
    pub cache: CacheHints,
    /// Its source.
    pub span: Span,
}

/// The kinds of lvalue.
#[derive(Clone, Debug)]
pub enum PlaceKind {
    /// An automatic variable or parameter.
    Local(LocalId),
    /// A variable of static storage.
    Global(GlobalId),
    /// A `__shared__` variable.
    Shared(SharedId),
    /// The target of a pointer; `a[i]` is `Deref(PointerAdd(a, i))`.
    Deref(Box<Expr>),
    /// A member: the base is of structure type, `offset` bytes into it.
    Field(Box<Place>, u64),
    /// A structure value that has no object of its own, so that its members can be read.
    Temporary(Box<Expr>),
}
