//! Resolved code: registers by number, branches by place.

use crate::form::Compute;
use crate::mbarrier::Phase;
use crate::texture::{Fetch, Size, Surface};
use crate::{Refusal, resolve};
use reconverge_ptx::Span;
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::tree::{self, Kind, Type};

/// The kernels of a module, ready to run.
#[derive(Debug)]
pub struct Program {
    pub(crate) functions: Vec<Function>,
}

impl Program {
    /// Resolves a module. `address` gives the address of a `.global` or `.const` variable.
    ///
    /// # Errors
    /// The first construct that has no meaning in this model.
    pub fn new(
        module: &tree::Module,
        address: &dyn Fn(&str) -> Option<u32>,
    ) -> Result<Program, Refusal> {
        resolve::module(module, address)
    }

    /// Bytes of statically allocated shared memory of a kernel; `None` if there is no such kernel.
    pub fn static_shared(&self, kernel: &str) -> Option<u32> {
        self.kernel(kernel).map(|at| self.functions[at].shared)
    }

    pub(crate) fn kernel(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|it| it.is_entry && it.name == name)
    }
}

/// A function with a body.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub name: String,
    pub is_entry: bool,
    pub code: Vec<Instruction>,
    /// The number of registers.
    pub registers: usize,
    /// Bytes of its local variables and parameters.
    pub frame: u32,
    pub parameters: Vec<Slot>,
    pub results: Vec<Slot>,
    /// Of a kernel: bytes of static shared memory.
    pub shared: u32,
    /// Its own barriers with a count of threads.
    pub counted: CountedBarriers,
}

/// The place of a parameter, result, argument or variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Register(usize),
    /// Bytes in the frame.
    Frame {
        offset: u32,
        size: u32,
    },
    /// An argument that is a number.
    Constant(u64),
}

#[derive(Debug)]
pub(crate) struct Instruction {
    /// The predicate, and true if the instruction executes where it is false.
    pub guard: Option<(usize, bool)>,
    pub operation: Operation,
    pub span: Span,
}

/// A source operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    pub value: Value,
    /// The bits that count.
    pub bits: u32,
    /// `!p`
    pub inverted: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Register(usize),
    Constant(u64),
    Special(Special),
    /// The generic address of a place in the frame.
    Frame(u32),
    /// The generic address of dynamic shared memory.
    Dynamic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
    Warp,
    Warps,
    LanesEqual,
    LanesBelow,
    LanesUpTo,
    LanesAbove,
    LanesFrom,
    Clock,
    ClockHigh,
    DynamicShared,
    TotalShared,
    One,
    Zero,
}

/// A destination: a register, and how a result fills it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    pub register: usize,
    /// The register's width.
    pub width: u32,
    /// The result's width.
    pub bits: u32,
    /// The result's sign fills the register.
    pub signed: bool,
}

impl Destination {
    pub fn of(register: usize, width: u32, of: Type) -> Destination {
        let bits = u32::from(of.bits).min(width);
        Destination { register, width, bits, signed: of.kind == Kind::Signed }
    }
}

/// An address: a source and bytes after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub base: Source,
    pub offset: i64,
    pub space: Space,
}

/// The state space that an access names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Constant,
    /// Parameters, which live in the frame.
    Parameter,
}

/// An operation of `atom` and `red`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Atomic {
    And,
    Or,
    Xor,
    Add,
    Increment,
    Decrement,
    Least,
    Greatest,
    Exchange,
    CompareExchange,
}

pub(crate) enum Operation {
    Nothing,
    Compute {
        compute: Compute,
        sources: Vec<Source>,
        results: Vec<Option<Destination>>,
    },
    /// `mov.b64 %rd, {%r1, %r2}`: parts, the lowest first, each with its width.
    Join {
        parts: Vec<(Source, u32)>,
        result: Destination,
    },
    /// `mov.b64 {%r1, %r2}, %rd`.
    Split {
        source: Source,
        parts: Vec<Option<Destination>>,
        width: u32,
    },
    Load {
        address: Address,
        bytes: u32,
        results: Vec<Option<Destination>>,
    },
    Store {
        address: Address,
        bytes: u32,
        sources: Vec<Source>,
    },
    Atomic {
        operation: Atomic,
        of: Type,
        address: Address,
        sources: Vec<Source>,
        result: Option<Destination>,
    },
    /// An asynchronous copy, which takes place when it is awaited.
    Copy(Box<Copy>),
    /// Ends the group of the copies so far.
    Commit,
    /// Waits for all groups but the last ones; with `all` also for copies without a group.
    Await {
        pending: usize,
        all: bool,
    },
    /// An instruction of a barrier in shared memory.
    Phase(Box<Phase>),
    /// The channels of an element of a texture.
    Texture(Box<Fetch>),
    /// The elements of a texture or surface along an axis.
    TextureSize(Size),
    /// A load or store of a surface.
    Surface(Box<Surface>),
    /// True where the address is in the space.
    IsIn {
        space: Space,
        source: Source,
        result: Option<Destination>,
    },
    Branch(usize),
    BranchIndex {
        index: Source,
        targets: Vec<usize>,
    },
    Call {
        function: usize,
        arguments: Vec<Slot>,
        results: Vec<Slot>,
    },
    Print {
        format: Slot,
        arguments: Slot,
        result: Option<Slot>,
    },
    Return,
    Exit,
    Trap(&'static str),
    /// Traps unless the source holds.
    Require(Source, &'static str),
    Wait(Wait),
}

/// An asynchronous copy to shared memory.
pub(crate) struct Copy {
    pub to: Address,
    pub from: Address,
    /// Bytes that are written.
    pub bytes: u32,
    pub count: Count,
}

/// The bytes of an asynchronous copy that are read; the others are zeros.
pub(crate) enum Count {
    All,
    /// A number of them.
    First(Source),
    /// None where a predicate holds.
    Ignored(Source),
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Operation")
    }
}

/// A reduction over threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduction {
    And,
    Or,
    Xor,
    Add,
    Least,
    Greatest,
    /// The number of threads whose value is true.
    Count,
}

/// An instruction at which threads meet.
#[derive(Clone, Debug)]
pub(crate) enum Wait {
    /// A barrier of the block.
    Barrier {
        number: Source,
        count: Option<Source>,
        /// The thread does not wait.
        arrives: bool,
        reduction: Option<(Reduction, Source)>,
        result: Option<Destination>,
    },
    /// Threads of a warp.
    Warp {
        kind: WarpKind,
        /// The threads that take part; `None` without `.sync`.
        mask: Option<Source>,
        sources: Vec<Source>,
        results: [Option<Destination>; 2],
    },
}

/// What threads of a warp do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WarpKind {
    Barrier,
    Active,
    Elect,
    VoteAll,
    VoteAny,
    VoteUniform,
    Ballot,
    MatchAny,
    MatchAll,
    ShuffleUp,
    ShuffleDown,
    ShuffleButterfly,
    ShuffleIndex,
    Reduce(Reduction, Type),
}
