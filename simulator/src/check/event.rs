//! Events that the executor passes to the checker in the order in which they take place: at once,
//! or through the log of an epoch.

use reconverge_isa::{Effect, MAX_LANES, Op, SHARED_BASE, WarpSource};

use super::shadow::Mode;
use crate::execute::lanes::lanes_of;

/// An access of the lanes of an instruction, before it takes place.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(super) block: u64,
    pub(super) pc: u32,
    pub(super) mode: Mode,
    /// The value found in memory is irrelevant: stores, exchanges, copies of padding.
    pub(super) ignores: bool,
    /// The written bytes have no value.
    pub(super) forgets: bool,
    /// It copies bytes that may have no value.
    pub(super) copies: bool,
    /// The first register that it loads into or stores, if it is one.
    pub(super) register: Option<u16>,
    /// The lanes that access each space.
    pub(super) global: u64,
    pub(super) shared: u64,
    pub(super) local: u64,
    pub(super) addresses: &'a [u32; MAX_LANES],
    /// The warp of all lanes, if they are of one; else the threads count.
    pub(super) warp: Option<u16>,
    pub(super) threads: &'a [u16; MAX_LANES],
    values: Values<'a>,
}

/// The stored values, and the contents of shared memory.
#[derive(Clone, Copy)]
enum Values<'a> {
    Fresh { stored: &'a WarpSource<'a>, shared: &'a [u8] },
    Kept { stored: &'a [u64; MAX_LANES], shared: &'a [u64; MAX_LANES] },
}

/// The origin of an access: the thread, the place and the kind.
#[derive(Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) block: u64,
    pub(crate) pc: u32,
    pub(crate) op: Op,
    pub(crate) volatile: bool,
    pub(crate) raw: bool,
    /// The first register that it loads into or stores, if it is one.
    pub(crate) register: Option<u16>,
    /// Bytes that each lane accesses.
    pub(crate) size: u32,
}

/// The lanes that access each space.
#[derive(Clone, Copy)]
pub(crate) struct Lanes {
    pub(crate) global: u64,
    pub(crate) shared: u64,
    pub(crate) local: u64,
}

impl<'a> Seen<'a> {
    /// An access that lanes of one warp, or of several with their threads, are about to perform,
    /// with the values to store.
    pub(crate) fn new(
        instruction: Instruction,
        lanes: Lanes,
        addresses: &'a [u32; MAX_LANES],
        warp: Option<u16>,
        threads: &'a [u16; MAX_LANES],
        stored: &'a WarpSource<'a>,
        shared: &'a [u8],
    ) -> Seen<'a> {
        let Instruction { block, pc, op, volatile, raw, register, size } = instruction;
        let effect = op.row().effect;
        let strong = effect == Effect::Atomic || volatile;
        let (reads, writes) = (effect != Effect::Store, effect != Effect::Load);
        Seen {
            block,
            pc,
            mode: Mode::new(reads, writes, strong, size.trailing_zeros()),
            ignores: raw || effect == Effect::Store || matches!(op, Op::AtomExch | Op::AtomExch64),
            forgets: raw,
            copies: raw && effect == Effect::Load,
            register,
            global: lanes.global,
            shared: lanes.shared,
            local: lanes.local,
            addresses,
            warp,
            threads,
            values: Values::Fresh { stored, shared },
        }
    }

    /// The number in its block of the thread in a lane.
    #[inline]
    pub(super) fn thread(&self, at: usize, width: usize) -> usize {
        match self.warp {
            Some(warp) => usize::from(warp) * width + at,
            None => usize::from(self.threads[at]),
        }
    }

    /// Bytes of a lane's access.
    pub(super) fn size(&self) -> usize {
        self.mode.size()
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - 8 * self.size())
    }

    /// The value that a lane stores, or combines with the value in memory.
    pub(super) fn stored(&self, lane: usize) -> u64 {
        self.mask()
            & match self.values {
                Values::Fresh { stored, .. } => {
                    let word = |row: &[u32]| u64::from(row.get(lane).copied().unwrap_or(0));
                    word(stored.low) | word(stored.high) << 32
                }
                Values::Kept { stored, .. } => stored[lane],
            }
    }

    /// The value in shared memory where a lane accesses it.
    pub(super) fn shared_value(&self, lane: usize) -> u64 {
        match self.values {
            Values::Fresh { shared, .. } => {
                value(shared, self.addresses[lane].wrapping_sub(SHARED_BASE) as usize, self.size())
            }
            Values::Kept { shared, .. } => shared[lane],
        }
    }

    /// Keeps a copy to check later.
    pub(crate) fn keep(&self) -> Box<Kept> {
        let (mut stored, mut shared) = ([0; MAX_LANES], [0; MAX_LANES]);
        for lane in lanes_of(self.global | self.shared) {
            stored[lane] = self.stored(lane);
        }
        for lane in lanes_of(self.shared) {
            shared[lane] = self.shared_value(lane);
        }
        Box::new(Kept {
            block: self.block,
            pc: self.pc,
            mode: self.mode,
            ignores: self.ignores,
            forgets: self.forgets,
            copies: self.copies,
            register: self.register,
            masks: [self.global, self.shared, self.local],
            addresses: *self.addresses,
            warp: self.warp,
            threads: *self.threads,
            stored,
            shared,
        })
    }
}

/// A little-endian number of at most 8 bytes; 0 outside of the memory.
pub(super) fn value(bytes: &[u8], offset: usize, size: usize) -> u64 {
    let bytes = bytes.get(offset..offset + size).unwrap_or_default();
    bytes.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

/// A [`Seen`] that owns its contents.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    block: u64,
    pc: u32,
    mode: Mode,
    ignores: bool,
    forgets: bool,
    copies: bool,
    register: Option<u16>,
    masks: [u64; 3],
    addresses: [u32; MAX_LANES],
    warp: Option<u16>,
    threads: [u16; MAX_LANES],
    stored: [u64; MAX_LANES],
    shared: [u64; MAX_LANES],
}

/// A part of the asynchronous copies of an instruction: what some lanes read from global memory, or are to write to shared
/// memory.
#[derive(Clone, Copy)]
pub(crate) struct CopyPart {
    pub(crate) block: u64,
    pub(crate) pc: u32,
    pub(crate) lanes: u64,
    /// Bytes of each lane, at most 8.
    pub(crate) size: u32,
    pub(crate) writes: bool,
    pub(crate) addresses: [u32; MAX_LANES],
    pub(crate) warp: Option<u16>,
    pub(crate) threads: [u16; MAX_LANES],
    /// The values that are to be written, and those in shared memory.
    pub(crate) stored: [u64; MAX_LANES],
    pub(crate) shared: [u64; MAX_LANES],
}

impl Default for CopyPart {
    fn default() -> CopyPart {
        CopyPart {
            block: 0,
            pc: 0,
            lanes: 0,
            size: 0,
            writes: false,
            addresses: [0; MAX_LANES],
            warp: None,
            threads: [0; MAX_LANES],
            stored: [0; MAX_LANES],
            shared: [0; MAX_LANES],
        }
    }
}

impl Kept {
    /// The access of a part of asynchronous copies.
    pub(crate) fn copying(part: &CopyPart) -> Kept {
        let &CopyPart { block, pc, lanes, size, writes, warp, .. } = part;
        Kept {
            block,
            pc,
            mode: Mode::new(!writes, writes, false, size.trailing_zeros()),
            ignores: writes,
            forgets: false,
            copies: false,
            register: None,
            masks: if writes { [0, lanes, 0] } else { [lanes, 0, 0] },
            addresses: part.addresses,
            warp,
            threads: part.threads,
            stored: part.stored,
            shared: part.shared,
        }
    }

    pub(crate) fn seen(&self) -> Seen<'_> {
        let [global, shared, local] = self.masks;
        Seen {
            block: self.block,
            pc: self.pc,
            mode: self.mode,
            ignores: self.ignores,
            forgets: self.forgets,
            copies: self.copies,
            register: self.register,
            global,
            shared,
            local,
            addresses: &self.addresses,
            warp: self.warp,
            threads: &self.threads,
            values: Values::Kept { stored: &self.stored, shared: &self.shared },
        }
    }
}

/// The threads for which a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The threads of the block.
    Block,
    /// All threads.
    Device,
    /// The lanes that synchronise next.
    Warp,
    /// No one: the next atomic is for the threads of the block only.
    Atomic,
}

impl Scope {
    /// Decodes the operand of `fence`.
    pub(crate) fn of(word: u32) -> Scope {
        match word {
            0 => Scope::Block,
            2 => Scope::Warp,
            3 => Scope::Atomic,
            _ => Scope::Device,
        }
    }
}

/// Actions of a block's threads other than memory accesses.
#[derive(Clone, Debug)]
pub(crate) enum CheckEvent {
    /// A path arrives at the barrier: its lanes by warp.
    Arrive { pc: u32, lanes: Vec<(u16, u64)> },
    /// The barrier opens.
    Open,
    /// Lanes of a warp arrive at a barrier with a count.
    Count { number: u8, warp: u16, lanes: u64 },
    /// A barrier with a count opens: the lanes that continue, by warp.
    Opened { number: u8, lanes: Vec<u64> },
    /// Lanes of a warp synchronise, each with those that it names.
    Sync { pc: u32, warp: u16, lanes: u64, named: Vec<u32> },
    /// Lanes of a warp take values from lanes, each from the one that is given for it.
    Take { pc: u32, warp: u16, lanes: u64, from: Vec<u8> },
    /// Lanes of a warp execute a fence.
    Fence { warp: u16, lanes: u64, scope: Scope },
    /// Lanes execute an instruction that may set or clear marks of their registers: its lanes by warp.
    Moved { pc: u32, lanes: Vec<(u16, u64)> },
    /// A thread is about to access an address that lies outside of its object, where accesses begin less than `count` bytes after
    /// `start`.
    Outside { pc: u32, thread: u16, address: u32, start: u32, count: u32 },
    /// Asynchronous copies start: their accesses of shared memory, which take place until a wait for them ends.
    Copy(Box<Kept>),
    /// Lanes of a warp end their groups of copies.
    Commit { warp: u16, lanes: u64 },
    /// A wait of lanes of a warp ends: all of their groups of copies have arrived but the last `pending` ones.
    Awaited { warp: u16, lanes: u64, pending: u32 },
    /// Lanes of a warp end.
    End { pc: u32, warp: u16, lanes: u64 },
}

/// An event that waits in a log to be checked.
#[derive(Debug)]
pub(crate) enum Waiting {
    Access(Box<Kept>),
    Other(u64, CheckEvent),
}
