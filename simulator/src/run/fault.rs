//! Faults of a launch.

use std::fmt;

use reconverge_isa::Space;
use reconverge_isa::wording::counted;

use crate::block::operand_queues::QueueFault;
use crate::verify::claim::Claim;

/// Why a launch did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A thread did something that it must not.
    Trap(Trap),
    /// No thread can continue, or none ever will.
    Deadlock {
        /// The waiting paths with their reasons; at most [`MAX_WAITERS`], the first by block and
        /// thread.
        waiters: Vec<Waiter>,
        /// Paths that wait, reported or not.
        paths: usize,
        /// The wait reasons of the mechanisms that fill the queues of warps; by SM.
        mechanisms: Vec<MechanismWaiter>,
        /// Blocks of the grid that have not started.
        unstarted: u64,
    },
    /// A limit of the launch was reached.
    Limit {
        /// The kind of limit.
        limit: LimitKind,
        /// Its value.
        value: u64,
    },
    /// The watcher of the launch stopped it.
    Interrupted,
    /// One block needs more of something than an SM of the machine has.
    DoesNotFit {
        /// The resource.
        what: &'static str,
        /// The amount that one block needs.
        need: u64,
        /// The amount that an SM has.
        have: u64,
    },
    /// A run has ended and the machine has a resource left that it should not have, or lacks one: a
    /// fault of the simulator.
    Unbalanced {
        /// The problem, with its place.
        what: String,
    },
    /// The launch makes no sense on any machine; a sentence.
    BadLaunch(String),
    /// The program breaks a rule of the instruction set; a sentence.
    BadProgram {
        /// The instruction.
        pc: u32,
        /// The problem.
        problem: String,
    },
}

/// The most waiters that a deadlock names.
pub const MAX_WAITERS: usize = 64;

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// Simulated cycles.
    Cycles,
    /// Warp instructions.
    Instructions,
}

/// A thread did something that it must not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The kind.
    pub kind: TrapKind,
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The thread's index in the block: the lowest of those that trapped together.
    pub thread: [u32; 3],
    /// The instruction.
    pub pc: u32,
}

/// A forbidden action of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrapKind {
    /// An access outside of the memory that the thread may access.
    OutOfBounds {
        /// The address.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// A store or atomic.
        write: bool,
        /// The space that the address lies in, or that the instruction names.
        space: Space,
        /// Bytes that exist there (shared, local, constant).
        limit: u32,
        /// The allocation that ends or begins nearest to the address (global).
        nearest: Option<std::ops::Range<u32>>,
    },
    /// An address that is not a multiple of the access's size.
    Misaligned {
        /// The address.
        address: u32,
        /// Bytes accessed.
        size: u32,
        /// A store or atomic.
        write: bool,
    },
    /// A store or atomic to constant memory.
    WriteToConstant {
        /// The address.
        address: u32,
    },
    /// An address in a pair of registers that has more than 32 bits.
    WideAddress {
        /// The address.
        address: u64,
        /// A store or atomic.
        write: bool,
    },
    /// Host memory accessed by device code.
    HostPointer {
        /// The address.
        address: u32,
        /// A store or atomic.
        write: bool,
    },
    /// An asynchronous copy of more bytes than its instruction writes.
    CopySize {
        /// The bytes that were to be copied.
        count: u32,
        /// The bytes that the instruction writes.
        size: u32,
    },
    /// Integer division or remainder by zero.
    DivisionByZero,
    /// The program executed a trap instruction.
    Program {
        /// See `trap` in the instruction set.
        reason: u32,
    },
    /// The threads print more than is kept.
    OutputFull,
    /// A warp operation with a mask that does not name the thread's own lane, or names lanes that
    /// do not arrive with the thread.
    NotTogether {
        /// The mask.
        mask: u32,
        /// The lanes that it names, that have not ended and that are elsewhere.
        missing: u64,
    },
    /// A product of matrices without some lanes of the warp.
    NotWhole {
        /// The lanes of the warp that do not execute it together with the thread, or have ended.
        missing: u64,
    },
    /// The instruction's annotation claims something false: a fault of the compiler.
    BrokenClaim(Claim),
    /// The check of a hint found that it is false: a fault of the compiler pass that sets it.
    FalseHint {
        /// The hint.
        hint: &'static str,
        /// A sentence about the fault.
        message: String,
    },
    /// The two streams of a kernel do not fit each other.
    Queue(QueueFault),
    /// A mechanism of the machine cannot execute an instruction of the program: a fault of the
    /// compiler, or of the program's author. A sentence.
    Mechanism(String),
    /// The machine contradicts its own claims: a fault of the simulator.
    Contradiction {
        /// `reads what is not there yet` or `does not ask for every line`.
        what: &'static str,
    },
}

/// A path that waits in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiter {
    /// The block's index in the grid.
    pub block: [u32; 3],
    /// The warp in the block, of the path's first thread.
    pub warp: u32,
    /// The path's first thread, as an index in the block.
    pub thread: [u32; 3],
    /// The number of the path's threads.
    pub threads: u32,
    /// Its instruction.
    pub pc: u32,
    /// Its wait reason.
    pub reason: WaitReason,
}

/// The wait reason of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// Other threads of its block at a barrier.
    Barrier {
        /// Threads of the block that have not arrived and have not ended.
        missing: u32,
        /// Threads among these that are of the same warp and wait for this path.
        same_warp: u32,
    },
    /// Threads of its block at a barrier with a count.
    CountedBarrier {
        /// The barrier.
        number: u8,
        /// Threads that its count lacks.
        missing: u32,
    },
    /// The second stream to enqueue something for it.
    Dequeue {
        /// The site.
        site: u8,
    },
    /// Memory to change, in a loop whose every turn is the same.
    Spin {
        /// Threads of the same warp that wait for this path to leave the loop.
        holds_back: u32,
    },
}

/// Stands in sentences about the waits of mechanisms for the number of the instruction.
pub(crate) const PC: &str = "{pc}";

/// A mechanism of the machine, or a part of one, that waits in a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechanismWaiter {
    /// Its SM; 0 in the functional model.
    pub sm: usize,
    /// The instruction of the second stream that waits, or that has caused the wait; for a stream
    /// that does not end, one that it executes again and again.
    pub pc: u32,
    /// A sentence about the wait, in which `{pc}` stands for the instruction.
    pub(crate) sentence: String,
}

impl Fault {
    /// The fault with other numbers for instructions.
    pub(crate) fn moved(mut self, place: impl Fn(u32) -> u32) -> Fault {
        match &mut self {
            Fault::Trap(trap) => {
                trap.pc = place(trap.pc);
                if let TrapKind::BrokenClaim(Claim::LastRead { released, .. }) = &mut trap.kind {
                    *released = place(*released);
                }
            }
            Fault::Deadlock { waiters, mechanisms, .. } => {
                waiters.iter_mut().for_each(|waiter| waiter.pc = place(waiter.pc));
                mechanisms.iter_mut().for_each(|waiter| waiter.pc = place(waiter.pc));
            }
            Fault::BadProgram { pc, .. } => *pc = place(*pc),
            Fault::Limit { .. }
            | Fault::Interrupted
            | Fault::DoesNotFit { .. }
            | Fault::Unbalanced { .. }
            | Fault::BadLaunch(_) => {}
        }
        self
    }
}

impl fmt::Display for TrapKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verb = |write: bool| if write { "write" } else { "read" };
        match self {
            TrapKind::OutOfBounds { address, size, write, space, limit, nearest } => {
                write!(f, "out-of-bounds {} of {}", verb(*write), bytes(*size))?;
                out_of_bounds(f, *address, *space, *limit, nearest.as_ref())
            }
            TrapKind::Misaligned { address, size, write } => {
                write!(
                    f,
                    "misaligned {} of {} at address {address:#010x}",
                    verb(*write),
                    bytes(*size)
                )
            }
            TrapKind::BrokenClaim(claim) => claim.fmt(f),
            TrapKind::FalseHint { hint, message } => write!(f, "hint `{hint}` is false: {message}"),
            TrapKind::Queue(fault) => fault.fmt(f),
            TrapKind::Mechanism(problem) => f.write_str(problem),
            TrapKind::Contradiction { what } => {
                write!(f, "the machine contradicts itself: this instruction {what}")
            }
            TrapKind::NotTogether { mask, missing: 0 } => {
                write!(f, "warp operation whose mask {mask:#010x} does not name the thread's lane")
            }
            TrapKind::NotTogether { mask, missing } => write!(
                f,
                "warp operation whose mask {mask:#010x} names lane {}, which does not execute it \
                 together with this thread",
                missing.trailing_zeros()
            ),
            TrapKind::NotWhole { missing } => write!(
                f,
                "matrix instruction without lane {}: all 32 lanes of a warp have to execute it together",
                missing.trailing_zeros()
            ),
            TrapKind::WriteToConstant { address } => {
                write!(f, "write to constant memory at address {address:#010x}")
            }
            TrapKind::WideAddress { address, write } => write!(
                f,
                "{} at address {address:#x}, which has more than 32 bits; memory here has \
                 addresses of 32 bits",
                verb(*write)
            ),
            TrapKind::HostPointer { address, write } => write!(
                f,
                "{} of host memory at address {address:#010x} by device code",
                verb(*write)
            ),
            TrapKind::Program { reason: 0 } => write!(f, "trap"),
            TrapKind::Program { reason: 1 } => write!(f, "breakpoint"),
            TrapKind::Program { reason: reconverge_isa::NO_BARRIER } => {
                write!(f, "there is no such barrier: a block has 16, 0 to 15")
            }
            TrapKind::Program { .. } => write!(f, "an assertion failed"),
            TrapKind::CopySize { count, size } => write!(
                f,
                "asynchronous copy of {} by an instruction that writes {}",
                bytes(*count),
                bytes(*size)
            ),
            TrapKind::OutputFull => write!(f, "too much is printed"),
            TrapKind::DivisionByZero => write!(f, "integer division by zero"),
        }
    }
}

fn out_of_bounds(
    f: &mut fmt::Formatter,
    address: u32,
    space: Space,
    limit: u32,
    nearest: Option<&std::ops::Range<u32>>,
) -> fmt::Result {
    let window = match space {
        Space::Shared => ("shared", reconverge_isa::SHARED_BASE),
        Space::Local => ("local", reconverge_isa::LOCAL_BASE),
        Space::Constant => ("constant", reconverge_isa::CONSTANT_BASE),
        Space::Generic | Space::Global => {
            write!(f, " at address {address:#010x}")?;
            return match nearest {
                None if address < 0x1_0000 => write!(f, ", a null pointer"),
                None => write!(f, ", outside of every allocation"),
                Some(range) if address < range.start => {
                    let before = range.start - address;
                    let size = bytes(range.len() as u32);
                    write!(f, ", {} before an allocation of {size}", bytes(before))
                }
                Some(range) => {
                    let offset = address - range.start;
                    let size = bytes(range.len() as u32);
                    write!(f, ", offset {offset} of an allocation of {size}")
                }
            };
        }
    };
    let offset = i64::from(address) - i64::from(window.1);
    write!(f, " at offset {offset} of {} of {} memory", bytes(limit), window.0)
}

/// `1 byte`, `2 bytes`.
fn bytes(count: u32) -> String {
    counted(count.into(), "byte")
}

/// `1 thread`, `2 threads`.
fn threads(count: u32) -> String {
    counted(count.into(), "thread")
}

impl fmt::Display for WaitReason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WaitReason::Barrier { missing, same_warp: 0 } => {
                write!(f, "waits at a barrier for {} of its block", threads(*missing))
            }
            WaitReason::Barrier { missing, same_warp } => write!(
                f,
                "waits at a barrier for {} of its block, of which {same_warp} of its own warp \
                 cannot go on before it",
                threads(*missing)
            ),
            WaitReason::CountedBarrier { number, missing } => {
                write!(
                    f,
                    "waits at barrier {number} for {}",
                    counted((*missing).into(), "more thread")
                )
            }
            WaitReason::Dequeue { site } => {
                write!(f, "waits for what the affine warp is to enqueue for site {site}")
            }
            WaitReason::Spin { holds_back: 0 } => write!(f, "spins on memory that no one changes"),
            WaitReason::Spin { holds_back } => write!(
                f,
                "spins on memory that no one changes and holds back {} of its own warp",
                threads(*holds_back)
            ),
        }
    }
}

/// An index in a grid or block: `(3,0,0)`.
pub(crate) fn index([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

impl fmt::Display for Waiter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (block, thread) = (index(self.block), index(self.thread));
        write!(f, "block {block} warp {} thread {thread}", self.warp)?;
        if self.threads > 1 {
            write!(f, " and {} more", self.threads - 1)?;
        }
        write!(f, " at instruction {}: {}", self.pc, self.reason)
    }
}

impl fmt::Display for MechanismWaiter {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.sentence.replace(PC, &self.pc.to_string()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Fault::Trap(trap) => {
                let (block, thread) = (index(trap.block), index(trap.thread));
                let (kind, pc) = (&trap.kind, trap.pc);
                write!(f, "{kind}, in block {block} thread {thread} at instruction {pc}")
            }
            Fault::Deadlock { waiters, paths, mechanisms, unstarted } => {
                write!(f, "deadlock: no thread can make progress")?;
                for waiter in waiters {
                    write!(f, "\n  {waiter}")?;
                }
                let more = paths.saturating_sub(waiters.len());
                if more > 0 {
                    write!(f, "\n  and {more} more")?;
                }
                mechanisms.iter().try_for_each(|waiter| write!(f, "\n  {waiter}"))?;
                match unstarted {
                    0 => Ok(()),
                    1 => write!(f, "\n  1 block has not started"),
                    unstarted => write!(f, "\n  {unstarted} blocks have not started"),
                }
            }
            Fault::Limit { limit, value } => {
                let what = match limit {
                    LimitKind::Cycles => "cycles",
                    LimitKind::Instructions => "warp instructions",
                };
                write!(f, "the limit of {value} {what} was reached")
            }
            Fault::Interrupted => write!(f, "interrupted"),
            Fault::DoesNotFit { what, need, have } => {
                write!(f, "a block needs {need} {what}, an SM has {have}")
            }
            Fault::Unbalanced { what } => {
                write!(f, "the machine contradicts itself: when all is over, {what}")
            }
            Fault::BadLaunch(problem) => write!(f, "bad launch: {problem}"),
            Fault::BadProgram { pc, problem } => {
                write!(f, "bad program: instruction {pc}: {problem}")
            }
        }
    }
}

impl std::error::Error for Fault {}
