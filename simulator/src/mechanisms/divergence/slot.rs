//! Slot `divergence`: decides which threads execute together.
//!
//! A scheme is owned by a block, because compaction regroups threads of several warps. It sees
//! control flow only: the SM executes instructions, counts barriers and keeps time. The sketch
//! of how schemes other than the stack fit is in `spec/machine.md`.

use super::counts::CompactionCounts;
use super::layout::Layout;
use crate::block::opening::Opening;
use crate::block::path::{Path, Paths, SlotId, SlotState};
use crate::mechanisms::mechanism::check_range;
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;
use crate::observe::scheme_state::SchemeState;
use reconverge_isa::Annotations;
use reconverge_isa::planted::Planted;
use std::hash::Hasher;

/// Constructs a scheme from its options.
pub type Build = &'static (dyn Fn(&Setup) -> Result<Box<dyn Divergence>, String> + Sync);

/// Size of a block and how it falls into warps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockShape {
    /// Threads of the block, at least 1.
    pub threads: u32,
    /// Lanes of a warp, 1 to 64.
    pub width: u32,
}

impl BlockShape {
    /// Warps of the block.
    pub fn warps(self) -> u32 {
        self.threads.div_ceil(self.width)
    }

    /// The lanes of a warp that carry threads.
    pub fn mask(self, warp: u32) -> u64 {
        let first = warp.saturating_mul(self.width);
        let count = match Planted::RaggedWarpFull.is_on() {
            true => self.width,
            false => self.threads.saturating_sub(first).min(self.width),
        };
        if count >= 64 { !0 } else { (1 << count) - 1 }
    }
}

/// Checks the option `slots`.
pub(super) fn slots_in_range(slots: u32) -> Result<usize, String> {
    check_range("slots", slots, 1..=32)?;
    Ok(slots as usize)
}

/// A step of a path that its scheme must know.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// The path is at its `reconvergence_pc`.
    Reconverged,
    /// A branch at which the active lanes disagree, or any branch if the scheme needs all. The
    /// path's `pc` is still the branch's.
    Branch {
        /// The active lanes that go to the target; the others continue at `pc + 1`.
        taken: u64,
        /// The target.
        target: u32,
        /// It has a guard.
        conditional: bool,
        /// The compiler's annotations: the point where the paths meet, class, taint.
        annotations: Annotations,
    },
    /// Lanes whose threads have ended; the path's `pc` is the exit's, and the others continue after
    /// it.
    Exit {
        /// A non-empty subset of the active lanes.
        lanes: u64,
    },
    /// The path is at a barrier; the block has counted its threads as arrived.
    Barrier,
    /// The path is at a `bssy`; only if the scheme executes convergence barriers.
    Arm {
        /// The barrier.
        barrier: u8,
        /// The place of its `bsync`.
        place: u32,
    },
    /// The path is at a `bsync`; it issues that when the others have arrived.
    Meet {
        /// The barrier.
        barrier: u8,
    },
    /// The path has executed an instruction whose result has a long latency, and has moved past it.
    /// Only if the scheme needs it.
    LongLatency,
    /// The path has moved to the next instruction, which is not its `reconvergence_pc`. Only if the
    /// scheme needs it.
    Next,
}

/// A scheme's numbers that are not visible in the paths it publishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DivergenceCounts {
    /// The most entries that one warp's stack has held.
    pub max_stack_depth: u64,
    /// The counts of a scheme that forms warps.
    pub compaction: Option<CompactionCounts>,
}

/// The scheme's capabilities and the steps that it receives: constant from its construction on, so
/// callers query them once. [`Capabilities::default`] is a scheme with one path per warp that
/// receives only divergent branches, exits, barriers and reconvergence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Slots of a warp: the number of its paths that can be candidates at once, at least 1.
    pub slots_per_warp: usize,
    /// It receives [`Step::Branch`] also when all active lanes agree.
    pub receives_every_branch: bool,
    /// It receives [`Step::LongLatency`]: after loads and atomics of global and local memory,
    /// divisions, roots and elementary functions.
    pub receives_long_latency: bool,
    /// It receives [`Divergence::missed`] and [`Divergence::loaded`]; only schemes that track
    /// threads and whose paths have threads of one warp.
    pub receives_misses: bool,
    /// It receives [`Step::Next`], after every instruction but branches, exits and barriers, which
    /// have steps of their own.
    pub receives_every_step: bool,
    /// Pending results are known by threads: a path waits for a register if one of its own threads
    /// does. Then there is nothing to carry between scoreboards, and paths may take any slot.
    pub tracks_threads: bool,
    /// A path of a warp runs until it ends, reconverges or waits at a barrier before another path
    /// of the warp runs, as `!last` assumes. A last read then releases its register in all lanes of
    /// the warp, otherwise only in those of its own path.
    pub is_serial: bool,
    /// Threads become one path only at the reconvergence points that the compiler names. The
    /// compiler's claims about uniform or affine values among the active threads depend on that:
    /// elsewhere threads may be in different iterations of a loop. If false, such claims are not
    /// checked, and no mechanism may rely on them.
    pub reconverges_as_compiled: bool,
    /// Paths may hold threads of several warps, or take scoreboards of another warp's slots. A
    /// register that has arrived is then looked up in all scoreboards of the block.
    pub regroups: bool,
    /// It receives [`Step::Arm`] and [`Step::Meet`], and moves paths past these instructions.
    /// Otherwise they are removed before a kernel runs.
    pub executes_convergence_barriers: bool,
    /// It receives the kernel's [`Layout`] by [`Divergence::learn`].
    pub reads_layout: bool,
    /// A path that spins keeps no other thread of its warp from going on, wherever that has left
    /// it: a spin lock that threads of one warp share is passed on.
    pub independent_progress: bool,
    /// The formation of paths, or a prediction for a branch, depends on time: the timing model may
    /// execute other warp instructions than the functional one.
    pub depends_on_time: bool,
}

impl Capabilities {
    /// Returns true if the scheme receives instructions that are neither branches nor exits nor
    /// barriers.
    pub(crate) fn receives_steps(&self) -> bool {
        self.receives_long_latency | self.receives_every_step
    }

    /// Returns true if the scheme receives instructions at which no lanes part, or their lanes.
    pub(crate) fn receives_instructions(&self) -> bool {
        self.receives_steps() | self.receives_every_branch | self.tracks_threads
    }

    /// The warp of a path slot: of a block by its slots, of an SM by its candidates.
    #[inline]
    pub(crate) fn warp_of(&self, slot: usize) -> usize {
        match self.slots_per_warp {
            // Most schemes have one, and a division takes long.
            1 => slot,
            slots => slot / slots,
        }
    }
}

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities {
            slots_per_warp: 1,
            receives_every_branch: false,
            receives_long_latency: false,
            receives_misses: false,
            receives_every_step: false,
            tracks_threads: false,
            is_serial: false,
            reconverges_as_compiled: true,
            regroups: false,
            executes_convergence_barriers: false,
            reads_layout: false,
            independent_progress: false,
            depends_on_time: false,
        }
    }
}

/// A divergence scheme, for one block.
pub trait Divergence: Observe + Send {
    /// The scheme's capabilities and the steps that it receives.
    fn capabilities(&self) -> Capabilities;

    /// Receives the layout of the code, before a block starts; only if
    /// [`Capabilities::reads_layout`].
    fn learn(&mut self, _layout: &Layout) {}

    /// The scheme of another block of the same SM, with the parts that an SM has once; `None` if
    /// blocks share nothing.
    fn sibling(&self) -> Option<Box<dyn Divergence>> {
        None
    }

    /// A block starts: publishes the first paths, at instruction 0.
    fn start(&mut self, shape: BlockShape, paths: &mut Paths);

    /// The path of a slot did something. Afterwards no slot may hold a runnable path at its own
    /// `reconvergence_pc`.
    fn advance(&mut self, slot: SlotId, step: Step, paths: &mut Paths);

    /// The path of a slot is about to act together with the others of its warps. A scheme that
    /// regroups threads removes it from its slot until the others on the same path have arrived and
    /// are back in their own warps; then the path executes its instruction again. False when all
    /// have arrived.
    fn assemble(&mut self, _slot: SlotId, _paths: &mut Paths) -> bool {
        false
    }

    /// The path of a slot needs lanes of its warp that are elsewhere. Lets another side of its
    /// branch run first, which may end or arrive here; the path executes its instruction again when
    /// it is back. False if no side could.
    fn defer(&mut self, _slot: SlotId, _paths: &mut Paths) -> bool {
        false
    }

    /// The path of a slot is at a `warp.sync` at which lanes of its warp may wait. Paths that let others run at this place join it, and
    /// it executes the instruction again. False if there are none.
    fn join(&mut self, _slot: SlotId, _paths: &mut Paths) -> bool {
        false
    }

    /// The path of a slot has met lanes that paths of its warp waited for: those that let others run first may try again.
    fn retry(&mut self, _slot: SlotId, _paths: &mut Paths) {}

    /// Some lanes of a load issued in a slot's warp hit in the L1, and these missed.
    fn missed(&mut self, _slot: SlotId, _load: u32, _lanes: u64, _paths: &mut Paths) {}

    /// A load has arrived that some lanes had missed.
    fn loaded(&mut self, _slot: SlotId, _load: u32, _paths: &mut Paths) {}

    /// A barrier of the block opens: threads that wait there continue. The threads of a path wait at one barrier unless the
    /// scheme regroups threads. A scheme that keeps waiting paths outside of the slots overrides this.
    fn release(&mut self, opening: Opening, paths: &mut Paths) {
        for slot in paths.slots() {
            let opens = paths.state(slot) == SlotState::Waiting
                && opening.part(&paths.path(slot).lanes) != 0;
            if opens && paths.resume(slot) {
                self.advance(slot, Step::Reconverged, paths);
            }
        }
    }
}

/// Observation of a scheme: by the livelock watch, reports of deadlocks, statistics and tests.
/// Nothing here changes the execution.
pub trait Observe {
    /// Adds the state that decides the future of a slot's path, beside the path itself, to a hash.
    fn fingerprint(&self, slot: SlotId, hash: &mut dyn Hasher);

    /// Threads of the slot's warp that wait for the slot's path to meet them, as lanes.
    fn waiting_for(&self, slot: SlotId) -> u64;

    /// Paths that wait at a barrier of the block outside of the slots.
    fn parked(&self) -> Vec<Path> {
        Vec::new()
    }

    /// The state for a warp: one, or one for each part of the block that has a state of its own. Tests compare its text
    /// with the papers' figures.
    fn describe(&self, _warp: u32, _paths: &Paths) -> Vec<SchemeState> {
        Vec::new()
    }

    /// Entries of all stacks or tables of the block now, those of the paths in slots included.
    fn entries(&self, _paths: &Paths) -> u64 {
        0
    }

    /// The counts of warp formation, by branch.
    fn branches(&self) -> Vec<(u32, CompactionCounts)> {
        Vec::new()
    }

    /// The scheme's own numbers since the last [`Divergence::start`].
    fn counts(&self) -> DivergenceCounts {
        DivergenceCounts::default()
    }

    /// Adds the counters of its own that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)) since
    /// the last [`Divergence::start`].
    fn count(&self, _own: &mut MechanismStatistics) {}
}
