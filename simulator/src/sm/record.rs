//! Recording of an executed instruction for viewers: the instruction, and, if its block is
//! followed, the block's state.

use crate::handles::CandidateId;
use reconverge_isa::Effect;

use super::Sm;
use super::issue::scoreboard::Scoreboards;

use crate::block::Block;
use crate::block::issued::Issued;
use crate::block::path::{Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::execute::access::Access;
use crate::execute::lanes::lanes_of;
use crate::observe::steps::{BlockState, LaneAccess, PathState, Pending};
use crate::observe::trace::TracedInstruction;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;

impl Sm {
    /// Records an instruction of a candidate that was just executed, with the cycle in which its
    /// path can continue.
    #[cold]
    #[inline(never)]
    pub(super) fn record_issued(
        &mut self,
        id: CandidateId,
        code: &Code,
        instruction: &Decoded,
        issued: &Issued,
        now: u64,
        next: u64,
    ) {
        let (residency, issue, frontend) = (&self.residency, &self.issue, &self.frontend);
        let Some(recorder) = self.observer.recorder() else {
            return;
        };
        if frontend.fetches_ahead() {
            recorder.fetched(id, frontend.arrival(id).saturating_sub(frontend.latency()));
        }
        let (block, slot) = residency.place(id);
        let traced = TracedInstruction {
            block: block.number,
            warp: residency.warp_of(id).0,
            slot,
            pc: issued.pc,
            active: issued.active,
            acted: issued.mask,
            fetch: 0,
            issue: now,
            start: None,
            memory: None,
            end: next,
            has_result: issued.mask != 0 && instruction.target != Target::None,
            is_barrier: instruction.waits_at_barrier(),
        };
        recorder.issued(id, now, traced);
        if recorder.follows(block.number) {
            let candidate = residency.candidate(id);
            let index = candidate.block;
            // A warp of a mechanism's own is not the block's.
            let taken = residency.own_warp_of(candidate).is_none().then(|| Taken {
                block: residency.slot(index).block(),
                scoreboards: issue.scoreboards(index),
                slot: candidate.slot,
                code,
                instruction,
                issued,
                now,
            });
            recorder.state(|before| {
                let access = issued.access.map_or(Vec::new(), lane_accesses);
                let state = match taken {
                    Some(taken) => taken.state(before),
                    None => state_of_own_warp(before),
                };
                BlockState { access, ..state }
            });
        }
    }
}

/// The state after an instruction of a mechanism's own warp, which has one lane, given the state before.
fn state_of_own_warp(before: Option<&BlockState>) -> BlockState {
    let before = before.cloned().unwrap_or_default();
    BlockState { warp: None, threads: vec![Some(0)], scheme: Vec::new(), ..before }
}

/// The source of a recorded state.
struct Taken<'a> {
    block: &'a Block,
    scoreboards: &'a Scoreboards,
    /// The slot of the instruction's path.
    slot: SlotId,
    code: &'a Code,
    instruction: &'a Decoded,
    issued: &'a Issued<'a>,
    now: u64,
}

impl Taken<'_> {
    /// The state now, given the one before.
    fn state(&self, before: Option<&BlockState>) -> BlockState {
        let slot = self.slot;
        let (block, paths) = (self.block, &self.block.paths);
        let warp = u32::from(slot.0) / block.capabilities.slots_per_warp as u32;
        let occupied = paths.slots().filter(|&slot| paths.state(slot) != SlotState::Empty);
        let queues = block.queues.iter().flat_map(|queues| &queues.warps);
        BlockState {
            warp: Some(warp),
            threads: self.threads_before(slot, warp, before),
            scheme: block.divergence.describe(warp, paths),
            paths: occupied.map(|slot| self.path(slot, paths)).collect(),
            queues: queues
                .map(|warp| [warp.addresses.len() as u32, warp.predicates.len() as u32])
                .collect(),
            access: Vec::new(),
        }
    }

    /// The threads of the path before the instruction: as they were after the last one, or those of its warp's lanes.
    fn threads_before(
        &self,
        slot: SlotId,
        warp: u32,
        before: Option<&BlockState>,
    ) -> Vec<Option<u16>> {
        let mut held = before.iter().flat_map(|state| &state.paths);
        let held = held.find(|path| path.slot == slot.0).map(|path| &path.threads);
        match held.filter(|threads| mask(threads) == self.issued.active) {
            Some(threads) => threads.clone(),
            None => self.threads(&Lanes::Warp { warp: warp as u16, mask: self.issued.active }),
        }
    }

    /// Lanes of a warp.
    fn width(&self) -> usize {
        self.code.shape.width as usize
    }

    fn threads(&self, lanes: &Lanes) -> Vec<Option<u16>> {
        let thread = |lane| lanes.thread(lane, self.width()).map(|thread| thread.0);
        (0..self.width()).map(thread).collect()
    }

    fn path(&self, slot: SlotId, paths: &Paths) -> PathState {
        let path = paths.path(slot);
        PathState {
            slot: slot.0,
            pc: path.pc,
            reconvergence: Some(path.reconvergence_pc).filter(|&pc| pc != NEVER),
            waits: paths.state(slot) == SlotState::Waiting,
            threads: self.threads(&path.lanes),
            pending: self.pending(slot, path),
        }
    }

    fn pending(&self, slot: SlotId, path: &Path) -> Vec<Pending> {
        // Its own result, which no scoreboard has yet.
        let is_own = self.slot == slot && self.issued.mask != 0;
        let writes = |entry| is_own && self.instruction.writes.iter().any(|it| it == entry);
        let is_load = self.instruction.effect == Effect::Load;
        let entry = |entry: usize| {
            let ready = self.scoreboards.ready(path, &std::iter::once(entry).collect());
            let is_written = writes(entry);
            let cycle = ready.cycle().filter(|_| !is_written);
            let is_late = cycle.is_none_or(|cycle| cycle > self.now);
            is_late.then(|| Pending {
                is_predicate: entry >= self.code.registers,
                register: entry.checked_sub(self.code.registers).unwrap_or(entry) as u32,
                from_memory: if is_written { is_load } else { ready.is_memory() },
                cycle,
            })
        };
        (0..self.scoreboards.entries()).filter_map(entry).collect()
    }
}

fn mask(threads: &[Option<u16>]) -> u64 {
    let lanes = threads.iter().enumerate();
    lanes.fold(0, |mask, (lane, thread)| mask | u64::from(thread.is_some()) << lane)
}

fn lane_accesses(access: &Access) -> Vec<LaneAccess> {
    let spaces = [
        ("global", access.global),
        ("shared", access.shared),
        ("local", access.local),
        ("constant", access.constant),
    ];
    let of = |(space, mask): (&'static str, u64)| {
        lanes_of(mask).map(move |lane| {
            let address = access.addresses[lane];
            LaneAccess { lane: lane as u8, space, address }
        })
    };
    let mut all: Vec<LaneAccess> = spaces.into_iter().flat_map(of).collect();
    all.sort_by_key(|one| one.lane);
    all
}
