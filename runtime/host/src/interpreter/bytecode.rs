//! The flat form that the interpreter runs: fixed-size instructions over numbered slots.
//!
//! A frame is a window of 64-bit slots: parameters, variables, constants, temporaries. A value is
//! always kept in the one form that its type allows: signed integers sign-extended, unsigned ones
//! and pointers zero-extended, `bool` 0 or 1, `float` as its bits below zeroes. So widening is
//! free, and comparisons need no width.

use super::arithmetic::Side;
use super::assembly_text::Site;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::{FunctionId, Type};
use reconverge_compiler::syntax::source::Span;
use std::sync::Arc;

/// A slot of the current frame. Any value is valid: a frame's window has [`WINDOW`] slots.
pub type Slot = u16;

/// Slots that an instruction can name: operands of 16 bits need no bounds check in a window of this
/// size.
pub const WINDOW: usize = 1 << 16;

/// The operation of an instruction. `a`, `b`, `c` are slots, `x` and `y` immediates; `w` is the
/// window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Op {
    /// `a = b`
    Move,
    /// `a = y:x`, 64 bits
    Const,

    /// `a = b + c`, 32 bits signed
    AddI32,
    /// unsigned
    AddU32,
    /// 64 bits
    Add64,
    /// `a = b - c`
    SubI32,
    /// unsigned
    SubU32,
    /// 64 bits
    Sub64,
    /// `a = b * c`
    MulI32,
    /// unsigned
    MulU32,
    /// 64 bits
    Mul64,
    /// `a = b / c`, a trap for `c = 0`
    DivI32,
    /// unsigned, 32 or 64 bits
    DivU,
    /// 64 bits signed
    DivI64,
    /// `a = b % c`, a trap for `c = 0`
    RemI32,
    /// unsigned, 32 or 64 bits
    RemU,
    /// 64 bits signed
    RemI64,
    /// `a = b & c`
    And,
    /// `a = b | c`
    Or,
    /// `a = b ^ c`
    Xor,
    /// `a = b << c`, 0 from 32 on
    ShlI32,
    /// unsigned
    ShlU32,
    /// 0 from 64 on
    Shl64,
    /// `a = b >> c`, arithmetic, the sign from 32 on
    ShrI32,
    /// logical, 0 from 32 on
    ShrU32,
    /// arithmetic, the sign from 64 on
    ShrI64,
    /// logical, 0 from 64 on
    ShrU64,
    /// `a = -b`
    NegI32,
    /// unsigned
    NegU32,
    /// 64 bits
    Neg64,
    /// `a = ~b`, signed or 64 bits
    Not64,
    /// unsigned 32 bits
    NotU32,

    /// `a = b + c`, `float`
    AddF32,
    /// `a = b - c`
    SubF32,
    /// `a = b * c`
    MulF32,
    /// `a = b / c`
    DivF32,
    /// `a = -b`, the sign bit only
    NegF32,
    /// `a = b + c`, `double`
    AddF64,
    /// `a = b - c`
    SubF64,
    /// `a = b * c`
    MulF64,
    /// `a = b / c`
    DivF64,
    /// `a = -b`, the sign bit only
    NegF64,

    /// `a = b == c`, integers and pointers
    Eq,
    /// `a = b != c`
    Ne,
    /// `a = b < c`, signed
    LtS,
    /// `a = b <= c`, signed
    LeS,
    /// `a = b < c`, unsigned
    LtU,
    /// `a = b <= c`, unsigned
    LeU,
    /// `a = b == c`, `float`
    EqF32,
    /// `a = b != c`
    NeF32,
    /// `a = b < c`
    LtF32,
    /// `a = b <= c`
    LeF32,
    /// `a = b == c`, `double`
    EqF64,
    /// `a = b != c`
    NeF64,
    /// `a = b < c`
    LtF64,
    /// `a = b <= c`
    LeF64,

    /// `a = (signed char) b`
    Ext8S,
    /// `a = (unsigned char) b`
    Ext8U,
    /// `a = (short) b`
    Ext16S,
    /// `a = (unsigned short) b`
    Ext16U,
    /// `a = (int) b`
    Ext32S,
    /// `a = (unsigned) b`, or the address bits of a pointer
    Ext32U,
    /// `a = (float) b`, signed
    SToF32,
    /// unsigned
    UToF32,
    /// `a = (double) b`, signed
    SToF64,
    /// unsigned
    UToF64,
    /// `a = (double) b` of a `float`
    F32ToF64,
    /// `a = (float) b` of a `double`
    F64ToF32,
    /// `a = (T) b` of a `float`; `x` is the [`Kind`](super::kind::Kind) of the integer, `y` the [`Side`]
    F32ToInt,
    /// of a `double`
    F64ToInt,

    /// Continue at `x`. `y` of every jump: the cost of the code that it jumps back over.
    Jump,
    /// Jump to `x` if `a == b`
    JumpEq,
    /// if `a != b`
    JumpNe,
    /// if `a < b`, signed
    JumpLtS,
    /// if `a <= b`, signed
    JumpLeS,
    /// if `a < b`, unsigned
    JumpLtU,
    /// if `a <= b`, unsigned
    JumpLeU,
    /// `float`s, if `a == b`
    JumpEqF32,
    /// if `a != b`
    JumpNeF32,
    /// if `a < b`
    JumpLtF32,
    /// if `a <= b`
    JumpLeF32,
    /// if not `a < b`
    JumpNotLtF32,
    /// if not `a <= b`
    JumpNotLeF32,
    /// `double`s, if `a == b`
    JumpEqF64,
    /// if `a != b`
    JumpNeF64,
    /// if `a < b`
    JumpLtF64,
    /// if `a <= b`
    JumpLeF64,
    /// if not `a < b`
    JumpNotLtF64,
    /// if not `a <= b`
    JumpNotLeF64,
    /// As `JumpLtS` at the end of loop `c` (see [`Code::loops`]), whose iterations may be run many at a time
    LoopLtS,
    /// as `JumpLeS`
    LoopLeS,
    /// as `JumpLtU`
    LoopLtU,
    /// as `JumpLeU`
    LoopLeU,
    /// as `JumpNe`
    LoopNe,
    /// To the case of table `x` that `a` selects
    Switch,

    /// The end of a thread's turn, in front of an access to volatile memory
    TakeTurns,
    /// `a = b + c * x + y`, an address
    Address,
    /// `a = b - c * x`, an address
    AddressBack,
    /// `a = (int32)(b - c) / x`, pointers
    Difference,

    /// `a = *(b + y)`, `signed char`
    Load8S,
    /// `unsigned char`, `bool`
    Load8U,
    /// `short`
    Load16S,
    /// `unsigned short`
    Load16U,
    /// `int`
    Load32S,
    /// `unsigned`, `float`
    Load32U,
    /// 64-bit integers, `double`
    Load64,
    /// a pointer
    LoadPtr,
    /// `*(b + y) = a`, one byte
    Store8,
    /// two
    Store16,
    /// four
    Store32,
    /// eight
    Store64,
    /// `a = *(b + c * x + y)`, as above
    LoadX8S,
    /// `unsigned char`, `bool`
    LoadX8U,
    /// `short`
    LoadX16S,
    /// `unsigned short`
    LoadX16U,
    /// `int`
    LoadX32S,
    /// `unsigned`, `float`
    LoadX32U,
    /// 64-bit integers, `double`
    LoadX64,
    /// a pointer
    LoadXPtr,
    /// `*(b + c * x + y) = a`, one byte
    StoreX8,
    /// two
    StoreX16,
    /// four
    StoreX32,
    /// eight
    StoreX64,
    /// Copies `x` bytes from `b` to `a`
    Copy,
    /// Clears `x` bytes at `a + y`
    Clear,
    /// In kernels, traps unless `a`, where vector `y` is read or, if `c`, written, is a multiple of `x`
    Aligned,

    /// `a = ` special value `x` (see [`SPECIALS`])
    Special,
    /// Calls function `x`; its window starts at `a`, where its arguments are and its result will be
    Call,
    /// Leaves the function with the value of `a`
    Return,
    /// Leaves the function without a value
    ReturnVoid,
    /// Makes `y` bytes of stack memory; `a` becomes their address
    Enter,
    /// `a = builtin y (b, c, x)`, a pure one; `x` is a slot
    Pure,
    /// `a = builtin y (address b, c, x)`, an atomic; `x` is a slot
    Atomic,
    /// Call `x` of the library (see [`LibraryCall`]); the arguments start at `a`, where the
    /// result will be
    Library,
    /// Launch `x`; its operands start at `a`
    Launch,
    /// Waits for others at the built-in `y`; the arguments start at `a`, where the result will be
    Collective,
    /// The `asm` statement `x`; the arguments of the built-in that it waits for start at `a`, its operands follow
    Assembly,
    /// In front of branch `y`, at which threads of a warp may diverge, to reconverge at point `x`
    Diverge,
    /// After such a branch, where it is not taken
    FallThrough,
    /// A `Switch` at which threads may diverge
    SwitchPaths,
    /// Waits for the other threads of the warp that diverged with this one, to reconverge at point `x`
    Reconverge,
}

impl Op {
    /// Returns true if `x` is the label or address of a jump.
    pub fn is_jump(self) -> bool {
        (Op::Jump as u16..Op::Switch as u16).contains(&(self as u16))
    }

    /// Returns true if `x` is a slot too.
    pub fn has_third_source(self) -> bool {
        matches!(self, Op::Pure | Op::Atomic)
    }
}

/// One instruction, 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inst {
    /// Its operation.
    pub op: Op,
    /// Usually the destination.
    pub a: Slot,
    /// Usually the first source.
    pub b: Slot,
    /// Usually the second source.
    pub c: Slot,
    /// First immediate.
    pub x: u32,
    /// Second immediate.
    pub y: u32,
}

/// Special values: three each of `threadIdx`, `blockIdx`, `blockDim`, `gridDim`; then `warpSize`.
pub const SPECIALS: usize = 13;

/// An argument as the library sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentClass {
    /// An integer of up to 32 bits.
    Int,
    /// A 64-bit integer.
    Long,
    /// A `double`.
    Double,
    /// A `float`.
    Float,
    /// A pointer.
    Pointer,
}

/// A call of a library function.
#[derive(Clone, Debug)]
pub struct LibraryCall {
    /// The function.
    pub builtin: Builtin,
    /// Its arguments.
    pub arguments: Vec<ArgumentClass>,
    /// The target type of the pointer whose address is the first argument, if it is one.
    pub element: Option<Type>,
    /// The name of that pointer in the program, if it has one.
    pub pointer: Option<String>,
    /// The place of the call.
    pub span: Span,
}

/// A kernel launch. Its operands: the addresses of grid and block, the shared bytes, the stream, then
/// the arguments; a structure is given by its address.
#[derive(Clone, Debug)]
pub struct LaunchSite {
    /// The kernel.
    pub kernel: FunctionId,
    /// For each argument: where it goes in the parameter block, its bytes, and whether it is a
    /// structure.
    pub arguments: Vec<(u32, u32, bool)>,
    /// Size of the parameter block.
    pub size: u32,
    /// The launch.
    pub span: Span,
}

impl LaunchSite {
    /// Operands before the arguments.
    pub const CONFIGURATION: usize = 4;

    /// The number of operands.
    pub fn operands(&self) -> usize {
        LaunchSite::CONFIGURATION + self.arguments.len()
    }
}

/// A `switch`.
#[derive(Clone, Debug, Default)]
pub struct SwitchTable {
    /// Values in ascending order, and where they go.
    pub cases: Vec<(i64, u32)>,
    /// The target of all other values.
    pub otherwise: u32,
}

/// The number of a row: a value for each iteration. The sources of a row have lower numbers.
pub type Row = usize;

/// The action of an instruction of the path on rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It makes row `to` of `b` and `c`.
    Value,
    /// Like `Value`, unless `c` is zero.
    Divide,
    /// It loads row `to` from the addresses in row `at`, which it makes of `b` and `c`.
    Load,
    /// It stores row `to` at the addresses that it makes row `at` of, from `b` and `c`.
    Store,
    /// It compares `b` and `c`, and jumps if this is true; otherwise the path is left.
    Test(bool),
}

/// An instruction of the path.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its action.
    pub action: Action,
    /// The instruction.
    pub inst: Inst,
    /// See [`Action`].
    pub to: Row,
    /// See [`Action`].
    pub at: Row,
    /// The first source.
    pub b: Row,
    /// The second source.
    pub c: Row,
}

/// A slot that advances in each iteration by an operation with a constant slot.
#[derive(Clone, Copy, Debug)]
pub struct Induction {
    /// The operation.
    pub inst: Inst,
    /// The row of its values at the beginning of iterations.
    pub row: Row,
}

/// A slot in which something is summed up.
#[derive(Clone, Copy, Debug)]
pub struct Sum {
    /// The operation.
    pub inst: Inst,
    /// Its operand other than the slot.
    pub row: Row,
}

/// A loop whose iterations may be run many at a time.
#[derive(Clone, Debug, Default)]
pub struct RowLoop {
    /// Slots that stay, and their rows.
    pub constants: Vec<(Slot, Row)>,
    /// Slots that advance by a step.
    pub inductions: Vec<Induction>,
    /// The steps that decide if there is another iteration, with their sources.
    pub first: Vec<Step>,
    /// The rest of the path.
    pub steps: Vec<Step>,
    /// Slots in which something is summed up.
    pub sums: Vec<Sum>,
    /// The rows that slots hold after an iteration.
    pub results: Vec<(Slot, Row)>,
    /// Rows in all.
    pub rows: Row,
}

/// A compiled function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Source name.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// First instruction.
    pub entry: u32,
    /// Slots that the caller fills: parameters, and the result's address if it is a structure.
    pub parameters: u32,
    /// Slots in all.
    pub slots: u32,
    /// The initial values of the slots from `parameters` on: a range of [`Code::templates`].
    pub template: std::ops::Range<usize>,
    /// By parameter: the size of a structure, which is given by its address.
    pub structures: Vec<Option<u32>>,
}

/// A compiled module.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The side that it is compiled for.
    pub side: Side,
    /// Instructions of all functions.
    pub instructions: Vec<Inst>,
    /// The source place of each.
    pub spans: Vec<Span>,
    /// By function id; then the one that initialises the host's globals.
    pub functions: Vec<Function>,
    /// Variables (zero) and constants of all frames.
    pub templates: Vec<u64>,
    /// Template entries that hold the address of a `__shared__` variable: (entry, variable).
    pub shared: Vec<(usize, u32)>,
    /// Library calls.
    pub library: Vec<LibraryCall>,
    /// Launches.
    pub launches: Vec<LaunchSite>,
    /// The `asm` statements.
    pub assemblies: Vec<Arc<Site>>,
    /// Switches.
    pub switches: Vec<SwitchTable>,
    /// The names of vectors that are accessed as a whole.
    pub vectors: Vec<String>,
    /// Loops whose iterations may be run many at a time.
    pub loops: Vec<RowLoop>,
}

impl Code {
    /// The function an instruction belongs to.
    pub fn function_at(&self, pc: u32) -> Option<&Function> {
        let next = self.functions.partition_point(|f| f.entry <= pc);
        self.functions.get(next.checked_sub(1)?)
    }

    /// The source of an instruction.
    pub fn span(&self, pc: u32) -> Option<Span> {
        self.spans.get(pc as usize).copied()
    }
}
