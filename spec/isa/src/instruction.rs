//! One instruction, decoded.

use crate::cache::CacheHints;
use crate::hints::Hints;
use crate::lane::ValueKind;
use crate::table::{Effect, Op};

/// A general register, 0 to 254.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reg(pub u8);

/// A predicate register, 0 to 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pred(pub u8);

/// Smallest offset of a memory instruction.
pub const MIN_OFFSET: i32 = -(1 << 23);
/// Largest offset of a memory instruction.
pub const MAX_OFFSET: i32 = (1 << 23) - 1;
/// The most instructions a kernel can have: an index fits 24 bits, all ones being "none".
pub const MAX_CODE: usize = (1 << 24) - 1;
/// The number of general registers that can be named.
pub const REGISTERS: usize = 255;
/// The number of predicate registers.
pub const PREDICATES: usize = 15;

/// The most sites of a kernel's two streams.
pub const SITES: usize = 255;

/// The number of a warp's convergence barriers.
pub const BARRIERS: u8 = 16;

/// The most groups of copies that a wait can leave pending.
pub const MAX_PENDING_GROUPS: u32 = u8::MAX as u32;

/// The reason of a `trap` whose barrier has a number that no barrier has.
pub const NO_BARRIER: u32 = 2;

/// The predicate under which an instruction acts in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// The predicate.
    pub predicate: Pred,
    /// Act where it is false.
    pub negated: bool,
}

/// The target of a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dest {
    /// Nowhere: the instruction has no result, or it is dropped (atomics).
    #[default]
    None,
    /// A register, or the first register of a pair or of four.
    Reg(Reg),
    /// A predicate.
    Pred(Pred),
}

/// The name beside an item in a table that names all of them.
fn spelling<T: PartialEq>(all: &[(T, &'static str)], item: T) -> &'static str {
    all.iter().find(|(other, _)| *other == item).map_or("", |(_, name)| name)
}

/// Values that the hardware supplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // PTX's names: thread in block, threads a block, block in grid, blocks
pub enum Special {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    /// The warp's width in lanes.
    WarpSize,
    /// Bytes of dynamic shared memory of the launch.
    DynamicShared,
}

impl Special {
    /// Its spelling.
    pub fn name(self) -> &'static str {
        spelling(&Special::ALL, self)
    }

    /// All of them with their spelling, in encoding order.
    pub const ALL: [(Special, &'static str); 14] = [
        (Special::TidX, "tid.x"),
        (Special::TidY, "tid.y"),
        (Special::TidZ, "tid.z"),
        (Special::NtidX, "ntid.x"),
        (Special::NtidY, "ntid.y"),
        (Special::NtidZ, "ntid.z"),
        (Special::CtaidX, "ctaid.x"),
        (Special::CtaidY, "ctaid.y"),
        (Special::CtaidZ, "ctaid.z"),
        (Special::NctaidX, "nctaid.x"),
        (Special::NctaidY, "nctaid.y"),
        (Special::NctaidZ, "nctaid.z"),
        (Special::WarpSize, "warpsize"),
        (Special::DynamicShared, "dynamic_smem_size"),
    ];
}

/// A source operand. At most one operand of an instruction is `Imm` or `Const`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Operand {
    /// Absent.
    #[default]
    None,
    /// A register, or the first register of a pair or of four.
    Reg(Reg),
    /// A predicate.
    Pred {
        /// The predicate.
        predicate: Pred,
        /// Read its complement.
        negated: bool,
    },
    /// 32 bits. As a 64-bit integer operand: sign-extended; as an `f64`: the upper word, the
    /// lower being zero.
    Imm(u32),
    /// Byte offset in constant bank 0 (parameters, then literals), a multiple of 4.
    Const(u16),
    /// Read only by `mov.b32`.
    Special(Special),
    /// The next value that the affine stream has put into a queue of the warp for this site. Used
    /// as the address of a load, store or atomic; in `mov.pred`; and as the condition of a branch,
    /// which is its source 0.
    Dequeue {
        /// The queue.
        queue: Queue,
        /// The site, 0 to 254.
        site: u8,
        /// Take the complement; only of predicates.
        negated: bool,
    },
}

/// The contents of a queue between the two streams of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Addresses of loads whose lines were requested early.
    Data,
    /// Addresses.
    Address,
    /// Predicates.
    Predicate,
}

impl Queue {
    /// Its spelling after `enq.` and `deq.`.
    pub fn name(self) -> &'static str {
        spelling(&Queue::ALL, self)
    }

    /// All queues with their spelling after `enq.` and `deq.`, in encoding order (from 1).
    pub const ALL: [(Queue, &'static str); 3] =
        [(Queue::Data, "data"), (Queue::Address, "addr"), (Queue::Predicate, "pred")];
}

/// The window of the address space that an access was proved to fall in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Not proved: decided by the address of each lane.
    #[default]
    Generic,
    /// Device global memory.
    Global,
    /// The block's shared memory.
    Shared,
    /// The thread's local memory.
    Local,
    /// Constant memory, read-only.
    Constant,
}

impl Space {
    /// Its spelling in mnemonics.
    pub fn name(self) -> &'static str {
        spelling(&Space::ALL, self)
    }

    /// All spaces with their spelling in mnemonics, in encoding order.
    pub const ALL: [(Space, &'static str); 5] = [
        (Space::Generic, "generic"),
        (Space::Global, "global"),
        (Space::Shared, "shared"),
        (Space::Local, "local"),
        (Space::Constant, "const"),
    ];
}

/// Width and extension of a memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// A byte, zero-extended when loaded.
    U8,
    /// A byte, sign-extended when loaded.
    S8,
    /// Two bytes, zero-extended when loaded.
    U16,
    /// Two bytes, sign-extended when loaded.
    S16,
    /// Four bytes.
    #[default]
    B32,
    /// Eight bytes, a register pair.
    B64,
    /// Sixteen bytes, four registers from a multiple of four on.
    B128,
}

impl Width {
    /// Its spelling in mnemonics.
    pub fn name(self) -> &'static str {
        spelling(&Width::ALL, self)
    }

    /// All widths with their spelling in mnemonics, in encoding order.
    pub const ALL: [(Width, &'static str); 7] = [
        (Width::U8, "u8"),
        (Width::S8, "s8"),
        (Width::U16, "u16"),
        (Width::S16, "s16"),
        (Width::B32, "b32"),
        (Width::B64, "b64"),
        (Width::B128, "b128"),
    ];

    /// Size in bytes; also the alignment that an access needs.
    pub fn bytes(self) -> u32 {
        match self {
            Width::U8 | Width::S8 => 1,
            Width::U16 | Width::S16 => 2,
            Width::B32 => 4,
            Width::B64 => 8,
            Width::B128 => 16,
        }
    }
}

/// The compiler's class of a result across the threads of a warp (a hint; absent is `Unknown`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueClass {
    /// No claim.
    #[default]
    Unknown,
    /// Uniform: one value in all active threads.
    Uniform,
    /// `base + stride · thread`.
    Affine,
}

/// The compiler's knowledge of a branch's condition (the dissertation, §4.3: P-branch, D-branch).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BranchTaint {
    /// No claim.
    #[default]
    Unknown,
    /// Depends on parameters, constants and ids only.
    Programmatic,
    /// Depends on loaded data.
    Data,
}

/// Information from the compiler for the machine, beside the operation itself. None of it changes
/// results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Annotations {
    /// The place where the paths of a branch meet again: the index of the first instruction of the
    /// immediate post-dominator; `None` when they meet only at exit.
    pub reconverge: Option<u32>,
    /// Bit i: source i is the register's last read.
    pub last_read: u8,
    /// The class of the result.
    pub class: ValueClass,
    /// The branch is uniform: all active threads agree.
    pub uniform: bool,
    /// Programmatic or data-dependent branch.
    pub taint: BranchTaint,
    /// The load or store is one that the program declares `volatile`.
    pub volatile: bool,
    /// For checkers of initialisation: the load copies bytes that may have no value, such as padding, a part of a union, or a
    /// member of a structure that is copied whole; the store leaves its bytes without a value, as a declaration does.
    pub raw: bool,
    /// The cache hints of a load or store that the program states.
    pub cache: CacheHints,
}

/// One instruction. The operation's row lists the fields that it uses ([`Op::row`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// The operation.
    pub op: Op,
    /// Absent: acts in all lanes.
    pub guard: Option<Guard>,
    /// The result.
    pub dest: Dest,
    /// Sources in the order of the row; loads: (address); stores: (address, value); atomics:
    /// (address, value) and for compare-and-swap (address, value, compare).
    pub sources: [Operand; 3],
    /// Loads, stores, atomics, enqueued addresses: which window.
    pub space: Space,
    /// Loads, stores and enqueued addresses: width. Atomics leave it `B32`; their row has the size.
    pub width: Width,
    /// Loads, stores, atomics, enqueued addresses: added to the address, -2²³ to 2²³-1.
    pub offset: i32,
    /// Loads, stores, atomics: source 0 is a pair of registers, an address of 64 bits. The sum with
    /// the offset must fit 32 bits, or the access traps.
    pub pair_address: bool,
    /// Branches: index of the target instruction in the kernel. `bssy`: index of the `bsync`.
    pub target: u32,
    /// `bssy` and `bsync`: the convergence barrier, 0 to 15. `depbar.le`: the dependence counter, 0 to 5.
    pub barrier: u8,
    /// Enqueues: which dequeue it is for. Barriers of a kernel with two streams: which barrier of
    /// the other stream is the same one. 0 to 254.
    pub site: Option<u8>,
    /// Facts beside the operation.
    pub annotations: Annotations,
    /// Hints for mechanisms.
    pub hints: Hints,
}

impl Instruction {
    /// An instruction with nothing but its operation.
    pub fn new(op: Op) -> Instruction {
        Instruction {
            op,
            guard: None,
            dest: Dest::None,
            sources: [Operand::None; 3],
            space: Space::Generic,
            width: Width::B32,
            offset: 0,
            pair_address: false,
            target: 0,
            barrier: 0,
            site: None,
            annotations: Annotations::default(),
            hints: Hints::NONE,
        }
    }
    /// The kind of value that source `index` is read as; `None` where the row has no such source.
    pub fn source_kind(&self, index: usize) -> Option<ValueKind> {
        let (_, kind) = self.op.row().sources.get(index)?;
        match index {
            0 if self.pair_address => Some(ValueKind::U64),
            _ => Some(kind.value(self.width)),
        }
    }

    /// The kind of value that the result is written as.
    pub fn result_kind(&self) -> Option<ValueKind> {
        Some(self.op.row().result?.value(self.width))
    }

    /// Returns true if it names a convergence barrier.
    pub fn has_barrier(&self) -> bool {
        matches!(self.op.row().effect, Effect::Bssy | Effect::Bsync)
    }

    /// Returns true if it names a dependence counter.
    pub fn has_counter(&self) -> bool {
        self.op.row().effect == Effect::Depbar
    }

    /// Returns true if it names another instruction as its target.
    pub fn has_target(&self) -> bool {
        matches!(self.op.row().effect, Effect::Branch | Effect::Bssy)
    }

    /// Returns true if it reads or writes memory.
    pub fn is_memory(&self) -> bool {
        let effect = self.op.row().effect;
        matches!(effect, Effect::Load | Effect::Store | Effect::Atomic)
    }

    /// Returns true if it has an address: it reads or writes memory, or enqueues an address.
    pub fn has_address(&self) -> bool {
        self.is_memory() || matches!(self.op, Op::EnqueueData | Op::EnqueueAddress)
    }

    /// Returns true if it has a width of its own; an atomic's is its row's.
    pub fn has_width(&self) -> bool {
        self.has_address() && self.op.row().effect != Effect::Atomic
    }

    /// The queue that it puts something into.
    pub fn enqueues(&self) -> Option<Queue> {
        match self.op {
            Op::EnqueueData => Some(Queue::Data),
            Op::EnqueueAddress => Some(Queue::Address),
            Op::EnqueuePredicate => Some(Queue::Predicate),
            _ => None,
        }
    }

    /// The queue that it takes something from, and the site.
    pub fn dequeues(&self) -> Option<(Queue, u8)> {
        match self.sources[0] {
            Operand::Dequeue { queue, site, .. } => Some((queue, site)),
            _ => None,
        }
    }

    /// Returns true if control may both take a branch and continue, or may pass an `exit`.
    pub fn is_conditional(&self) -> bool {
        self.guard.is_some() || self.op.row().effect == Effect::Branch && self.dequeues().is_some()
    }

    /// The bytes that a lane's access touches: 0 without a memory access.
    pub fn access_bytes(&self) -> u32 {
        match self.op.row().effect {
            Effect::Load | Effect::Store => self.width.bytes(),
            Effect::Enqueue if self.has_address() => self.width.bytes(),
            Effect::Atomic => self.result_kind().map_or(0, |kind| 4 * u32::from(kind.registers())),
            _ => 0,
        }
    }

    /// One more than the highest general register that it names, 0 for none.
    pub fn registers_needed(&self) -> u32 {
        let end = |register: Reg, kind: Option<ValueKind>| {
            u32::from(register.0) + kind.map_or(1, |kind| u32::from(kind.registers().max(1)))
        };
        let sources = self.sources.iter().enumerate();
        let read = sources.filter_map(|(index, operand)| match operand {
            Operand::Reg(register) => Some(end(*register, self.source_kind(index))),
            _ => None,
        });
        let written = match self.dest {
            Dest::Reg(register) => end(register, self.result_kind()),
            _ => 0,
        };
        read.fold(written, u32::max)
    }

    /// One more than the highest predicate that it names, 0 for none.
    pub fn predicates_needed(&self) -> u32 {
        let read = self.sources.iter().filter_map(|operand| match operand {
            Operand::Pred { predicate, .. } => Some(*predicate),
            _ => None,
        });
        let written = match self.dest {
            Dest::Pred(predicate) => Some(predicate),
            _ => None,
        };
        let guard = self.guard.map(|guard| guard.predicate);
        let all = read.chain(written).chain(guard);
        all.map(|predicate| u32::from(predicate.0) + 1).max().unwrap_or(0)
    }
}
