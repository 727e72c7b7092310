//! Residency: blocks that arrive at an SM and leave it, the hardware warps that they take, and the
//! candidates for issue that represent the paths of their warps.

use crate::handles::{BlockSlot, CandidateId, WarpSlot};
use crate::mechanisms::scheduler::NextInstruction;
use reconverge_isa::Unit;
use std::ops::Range;
use std::sync::Arc;

use super::audit::{Audit, ResultId};
use super::home_accesses::HomeAccesses;
use super::unwritten::Unwritten;
use crate::block::Block;
use crate::block::path::{Carry, Lanes, NEVER, Path, Paths, SlotId, SlotState};
use crate::block::threads::Threads;
use crate::machine::{BarrierCounts, Machine};
use crate::mechanisms::divergence::slot::{Capabilities, Divergence};
use crate::mechanisms::lane_permutation::LaneMap;
use crate::mechanisms::register_file::PathAt;
use crate::mechanisms::{divergence, lane_permutation};
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::run::occupancy::{Footprint, Room, most_blocks};

/// An SM's state of a resident block.
pub(super) struct SlotContents {
    block: Block,
    occupied: bool,
    audit: Audit,
    /// Results that cannot be read yet, of a kernel that may try to.
    unwritten: Option<Box<Unwritten>>,
    /// For schemes that regroup threads.
    home: HomeAccesses,
    /// Hardware warps by the block's warps; and whether the threads of these have ended.
    hardware: Vec<WarpSlot>,
    ended: Vec<bool>,
    /// Numbers among the SM's candidates by the block's path slots.
    ids: Vec<CandidateId>,
    /// In-flight loads and atomics, and instructions that collect operands.
    outstanding: u32,
    /// The block's holdings when the SM last looked.
    held: Held,
}

impl SlotContents {
    fn new(
        divergence: Box<dyn Divergence>,
        lane_map: Arc<LaneMap>,
        barrier_counts: BarrierCounts,
    ) -> SlotContents {
        SlotContents {
            block: Block::new(divergence, lane_map, barrier_counts),
            occupied: false,
            audit: Audit::default(),
            unwritten: None,
            home: HomeAccesses::default(),
            hardware: Vec::new(),
            ended: Vec::new(),
            ids: Vec::new(),
            outstanding: 0,
            held: Held::default(),
        }
    }

    #[inline]
    pub(super) fn block(&self) -> &Block {
        &self.block
    }

    /// The block's paths.
    #[inline]
    pub(super) fn paths(&self) -> &Paths {
        &self.block.paths
    }

    /// The block's threads.
    #[inline]
    pub(super) fn threads(&self) -> &Threads {
        &self.block.threads
    }

    /// The block's divergence scheme.
    pub(super) fn divergence(&self) -> &dyn Divergence {
        &*self.block.divergence
    }

    /// The block, with the audit of its results.
    #[inline]
    pub(super) fn audited(&mut self) -> (&mut Block, &mut Audit) {
        (&mut self.block, &mut self.audit)
    }

    /// The parts of a block that the coalescer needs: the block, its hardware warps, and the
    /// accesses of its warps without regrouping.
    #[inline]
    pub(super) fn for_coalescer(&mut self) -> (&Block, &[WarpSlot], &mut HomeAccesses) {
        (&self.block, &self.hardware, &mut self.home)
    }

    pub(super) fn home_accesses(&mut self) -> &mut HomeAccesses {
        &mut self.home
    }

    /// Hardware warps by the block's warps.
    pub(super) fn hardware(&self) -> &[WarpSlot] {
        &self.hardware
    }

    /// The SM's candidates by the block's path slots.
    pub(super) fn ids(&self) -> &[CandidateId] {
        &self.ids
    }

    /// The candidate of a path slot.
    #[inline]
    pub(super) fn id(&self, slot: SlotId) -> CandidateId {
        self.ids[usize::from(slot.0)]
    }

    /// The scheme's operations on scoreboards, with the SM's candidates of path slots.
    pub(super) fn take_carried(&mut self) -> (impl Iterator<Item = Carry>, &[CandidateId]) {
        (self.block.paths.take_carried(), &self.ids)
    }

    /// Reports the hardware warps all of whose threads have ended since the last call.
    pub(super) fn end_warps(&mut self, mut notify: impl FnMut(WarpSlot)) {
        for (warp, ended) in self.ended.iter_mut().enumerate() {
            if !*ended && self.block.threads.alive[warp] == 0 {
                *ended = true;
                notify(self.hardware[warp]);
            }
        }
    }

    /// The results of the block that cannot be read yet, of a kernel that may try to, with its threads.
    #[inline(always)]
    pub(super) fn unwritten(&mut self) -> Option<(&mut Unwritten, &mut Threads)> {
        Some((self.unwritten.as_deref_mut()?, &mut self.block.threads))
    }

    /// Returns true if no result waits to be written.
    pub(super) fn is_written(&self) -> bool {
        self.unwritten.as_ref().is_none_or(|unwritten| unwritten.is_empty())
    }

    /// The result of the last issued instruction is in flight, under a number of its own.
    #[inline(always)]
    pub(super) fn expect_result(&mut self, instruction: &Decoded, id: ResultId) {
        self.audit.loading(instruction, id);
        if let Some(unwritten) = &mut self.unwritten {
            unwritten.loading(id);
        }
    }

    /// A result can be read from a cycle on.
    #[inline(always)]
    pub(super) fn know_result(&mut self, id: ResultId, ready: u64) {
        self.audit.loaded(id, ready);
        if let Some(unwritten) = &mut self.unwritten {
            unwritten.loaded(id, ready);
        }
    }

    /// An instruction enters the operand collector; it may be a load or atomic.
    #[inline(always)]
    pub(super) fn begin(&mut self, instruction: &Decoded, id: ResultId) {
        self.outstanding += 1 + u32::from(matches!(id, ResultId::Load(_)));
        if instruction.target != Target::None {
            self.expect_result(instruction, id);
        }
    }

    /// An instruction has left the operand collector, or a load has ended.
    #[inline]
    pub(super) fn end(&mut self) {
        self.outstanding -= 1;
    }
}

/// The block slots of an SM; after those of blocks there is one for each warp of a mechanism's own.
pub struct BlockSlots(Vec<SlotContents>);

impl BlockSlots {
    /// The block in a slot.
    pub(crate) fn block(&self, slot: BlockSlot) -> &Block {
        &self.0[slot.index()].block
    }

    /// The block in a slot, to be changed.
    pub(crate) fn block_mut(&mut self, slot: BlockSlot) -> &mut Block {
        &mut self.0[slot.index()].block
    }

    /// The blocks that are here, by slot.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = (BlockSlot, &Block)> {
        let slots = self.0.iter().enumerate().filter(|(_, slot)| slot.occupied);
        slots.map(|(index, slot)| (BlockSlot::of(index), &slot.block))
    }
}

/// The quantities of blocks that are integrated over time: paths, and entries of stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) paths: u64,
    pub(super) entries: u64,
}

impl Held {
    fn of(block: &Block) -> Held {
        let paths = &block.paths;
        Held { paths: u64::from(paths.occupied()), entries: block.divergence.entries(paths) }
    }
}

/// A hardware warp's path slot: whose path it may hold.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Candidate {
    /// The block slot.
    pub(super) block: BlockSlot,
    /// The path slot of the block.
    pub(super) slot: SlotId,
}

/// Consecutive path slots of a block.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    block: BlockSlot,
    slots: Range<u16>,
}

impl Candidates {
    /// Their scoreboards, if each has one.
    pub(super) fn scoreboards(&self) -> Range<usize> {
        usize::from(self.slots.start)..usize::from(self.slots.end)
    }
}

impl Iterator for Candidates {
    type Item = Candidate;

    #[inline]
    fn next(&mut self) -> Option<Candidate> {
        let slot = SlotId(self.slots.next()?);
        Some(Candidate { block: self.block, slot })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl ExactSizeIterator for Candidates {}

/// The blocks of an SM.
pub(super) struct Residency {
    /// The capabilities of the blocks' divergence scheme.
    scheme: Capabilities,
    slots: BlockSlots,
    /// The number of them for blocks.
    block_slots: usize,
    /// By hardware warp and path slot.
    candidates: Vec<Candidate>,
    footprint: Footprint,
    /// By hardware warp.
    warp_used: Vec<bool>,
    sub_cores: usize,
    free_registers: u64,
    free_shared: u64,
    /// The number of blocks that have arrived here, which gives their ages.
    arrivals: u64,
    resident_warps: u64,
    /// The holdings of all resident blocks.
    held: Held,
}

impl Residency {
    /// Without blocks.
    pub(super) fn new(machine: &Machine, footprint: Footprint) -> Result<Residency, String> {
        let slots = block_slots(machine, footprint)?;
        let scheme = slots.first().map(|slot| slot.block.capabilities).unwrap_or_default();
        let warps = machine.sm.warps as usize;
        Ok(Residency {
            scheme,
            block_slots: slots.len(),
            slots: BlockSlots(slots),
            candidates: vec![Candidate::default(); warps * scheme.slots_per_warp],
            footprint,
            warp_used: vec![false; warps],
            sub_cores: machine.sm.sub_cores as usize,
            free_registers: u64::from(machine.sm.registers),
            free_shared: u64::from(machine.sm.shared_memory),
            arrivals: 0,
            resident_warps: 0,
            held: Held::default(),
        })
    }

    /// Adds a block slot with candidates for a warp that belongs to a mechanism.
    pub(super) fn add_own_warp(&mut self, machine: &Machine) -> Result<(), String> {
        let divergence = divergence::list::build(machine)?;
        let (first, slots) = (self.candidates.len(), self.scheme.slots_per_warp);
        let mut own = SlotContents::new(
            divergence,
            Arc::new(lane_permutation::list::map(machine)?),
            machine.barrier.counts,
        );
        own.block.paths.reset(slots);
        own.hardware = vec![WarpSlot((first / slots) as u16)];
        own.ids = (first..first + slots).map(|index| CandidateId(index as u16)).collect();
        let block = BlockSlot::of(self.slots.0.len());
        self.candidates
            .extend((0..slots).map(|slot| Candidate { block, slot: SlotId(slot as u16) }));
        self.slots.0.push(own);
        Ok(())
    }

    /// The capabilities of the blocks' divergence scheme.
    #[inline]
    pub(super) fn scheme(&self) -> &Capabilities {
        &self.scheme
    }

    /// The block slots.
    #[inline]
    pub(super) fn blocks(&self) -> &BlockSlots {
        &self.slots
    }

    /// The block slots, with blocks to be changed.
    #[inline]
    pub(super) fn blocks_mut(&mut self) -> &mut BlockSlots {
        &mut self.slots
    }

    /// A block slot.
    #[inline]
    pub(super) fn slot(&self, slot: BlockSlot) -> &SlotContents {
        &self.slots.0[slot.index()]
    }

    /// A block slot, to be changed.
    #[inline]
    pub(super) fn slot_mut(&mut self, slot: BlockSlot) -> &mut SlotContents {
        &mut self.slots.0[slot.index()]
    }

    /// Block slots that can take blocks.
    pub(super) fn block_slots(&self) -> usize {
        self.block_slots
    }

    /// All block slots.
    pub(super) fn all_slots(&self) -> usize {
        self.slots.0.len()
    }

    /// Hardware warps that blocks can take.
    pub(super) fn warps(&self) -> usize {
        self.warp_used.len()
    }

    /// Hardware warps that blocks have taken.
    pub(super) fn resident_warps(&self) -> u64 {
        self.resident_warps
    }

    /// The holdings of all resident blocks.
    pub(super) fn held(&self) -> Held {
        self.held
    }

    pub(super) fn candidates(&self) -> usize {
        self.candidates.len()
    }

    #[inline]
    pub(super) fn candidate(&self, id: CandidateId) -> Candidate {
        self.candidates[id.index()]
    }

    /// The index of the mechanism's own warp that a candidate belongs to, if it does.
    #[inline]
    pub(super) fn own_warp_of(&self, candidate: Candidate) -> Option<usize> {
        candidate.block.index().checked_sub(self.block_slots)
    }

    /// The candidate of a warp of a mechanism's own, given that there is one.
    pub(super) fn own_warp(&self, warp: usize) -> Candidate {
        Candidate { block: BlockSlot::of(self.block_slots + warp), slot: SlotId(0) }
    }

    /// The hardware warp of a candidate.
    #[inline]
    pub(super) fn warp_of(&self, id: CandidateId) -> WarpSlot {
        WarpSlot(self.scheme.warp_of(id.index()) as u16)
    }

    /// The hardware warp of a path slot of a block.
    #[inline]
    pub(super) fn hardware_of(&self, Candidate { block, slot }: Candidate) -> WarpSlot {
        let warp = self.scheme.warp_of(usize::from(slot.0));
        self.slots.0[block.index()].hardware[warp]
    }

    /// The block of a candidate, and the candidate's slot among those of its hardware warp.
    pub(super) fn place(&self, id: CandidateId) -> (&Block, u16) {
        let block = self.candidate(id).block;
        (self.slots.block(block), (id.index() % self.scheme.slots_per_warp) as u16)
    }

    /// The slot of a candidate among those of its hardware warp.
    #[inline]
    pub(super) fn slot_of_warp(&self, candidate: Candidate) -> u16 {
        match self.scheme.slots_per_warp {
            1 => 0,
            slots => candidate.slot.0 % slots as u16,
        }
    }

    /// The PC of a candidate's path.
    pub(super) fn next_pc(&self, id: CandidateId) -> u32 {
        let Candidate { block, slot } = self.candidate(id);
        self.slots.block(block).paths.path(slot).pc
    }

    /// The position of the path of a block's candidate; none for a mechanism's own warp, or without
    /// a path that can continue.
    pub(super) fn path_at(&self, candidate: Candidate) -> Option<PathAt> {
        if self.own_warp_of(candidate).is_some() {
            return None;
        }
        let paths = &self.slots.block(candidate.block).paths;
        let (warp, slot) = (self.hardware_of(candidate), self.slot_of_warp(candidate));
        (paths.state(candidate.slot) == SlotState::Runnable).then(|| {
            let path = paths.path(candidate.slot);
            PathAt { warp, slot, lanes: path.lanes.mask(), pc: path.pc }
        })
    }

    /// The runnable path of a candidate of a block, with its next instruction.
    pub(super) fn next_of<'c>(
        &self,
        id: CandidateId,
        code: &'c Code,
    ) -> Option<(PathAt, &'c Decoded)> {
        let path = self.path_at(self.candidate(id))?;
        Some((path, code.instructions.get(path.pc as usize)?))
    }

    /// The next instruction of a candidate, as its scheduler sees it.
    pub(super) fn next_instruction(&self, id: CandidateId, code: &Code) -> Option<NextInstruction> {
        let (path, instruction) = self.next_of(id, code)?;
        Some(NextInstruction {
            pc: path.pc,
            unit: Unit::ALL.get(usize::from(instruction.unit))?.0,
            effect: instruction.effect,
            active: path.lanes,
            accesses_cache: instruction.accesses_cache(),
            hints: instruction.hints,
        })
    }

    /// Returns true if an event of a path slot concerns no other.
    #[inline]
    pub(super) fn concerns_itself(&self) -> bool {
        self.scheme.slots_per_warp == 1 && !self.scheme.regroups
    }

    /// The candidates that an event of one of them can concern: those of its warp, or of its block
    /// when paths are regrouped.
    #[inline]
    pub(super) fn concerned(&self, Candidate { block, slot }: Candidate) -> Candidates {
        if self.scheme.regroups {
            let slots = self.slots.block(block).paths.len() as u16;
            return Candidates { block, slots: 0..slots };
        }
        self.of_warp(block, self.scheme.warp_of(usize::from(slot.0)))
    }

    /// The candidates of a warp of the block in a slot.
    #[inline]
    pub(super) fn of_warp(&self, block: BlockSlot, warp: usize) -> Candidates {
        let slots = self.scheme.slots_per_warp;
        Candidates { block, slots: (warp * slots) as u16..((warp + 1) * slots) as u16 }
    }

    /// Blocks that fit beside those that are here.
    pub(super) fn room(&self) -> u64 {
        let free = Room {
            blocks: self.free_slots().count() as u64,
            warps: self.warp_used.len() as u64 - self.resident_warps,
            registers: self.free_registers,
            shared: self.free_shared,
        };
        self.footprint.blocks(&free)
    }

    /// Slots that have no block.
    fn free_slots(&self) -> impl Iterator<Item = usize> + '_ {
        let slots = self.slots.0.iter().take(self.block_slots).enumerate();
        slots.filter(|(_, slot)| !slot.occupied).map(|(index, _)| index)
    }

    /// Takes in a block, which must fit. Returns its slot, and the number of blocks that have
    /// arrived.
    pub(super) fn admit(&mut self, code: &Code, number: u64) -> Option<(BlockSlot, u64)> {
        let index = self.free_slots().next()?;
        self.free_registers -= self.footprint.registers;
        self.free_shared -= self.footprint.shared;
        self.resident_warps += self.footprint.warps;
        self.arrivals += 1;
        let slots = self.scheme.slots_per_warp;
        let slot = &mut self.slots.0[index];
        slot.occupied = true;
        slot.outstanding = 0;
        slot.block.start(code, number);
        slot.audit.reset(code);
        slot.unwritten = code.writes_late.then(Box::default);
        slot.hardware.clear();
        slot.ended.clear();
        slot.ended.resize(self.footprint.warps as usize, false);
        slot.ids.clear();
        let taken = free_warps(&self.warp_used, self.sub_cores, self.footprint.warps as usize);
        for (warp, hardware) in taken.into_iter().enumerate() {
            self.warp_used[hardware] = true;
            slot.hardware.push(WarpSlot(hardware as u16));
            for k in 0..slots {
                let candidate = hardware * slots + k;
                slot.ids.push(CandidateId(candidate as u16));
                let slot = SlotId((warp * slots + k) as u16);
                self.candidates[candidate] = Candidate { block: BlockSlot::of(index), slot };
            }
        }
        Some((BlockSlot::of(index), self.arrivals))
    }

    /// Counts the paths of a block, and the entries of its stacks.
    #[cold]
    pub(super) fn census(&mut self, slot: BlockSlot) {
        let slot = &mut self.slots.0[slot.index()];
        let old = std::mem::replace(&mut slot.held, Held::of(&slot.block));
        self.held.paths = self.held.paths + slot.held.paths - old.paths;
        self.held.entries = self.held.entries + slot.held.entries - old.entries;
    }

    /// Returns true if the threads of the block in a slot have ended, its instructions have started
    /// in their pipes, and its loads have returned.
    #[inline]
    pub(super) fn is_done(&self, slot: BlockSlot) -> bool {
        let slot = &self.slots.0[slot.index()];
        slot.occupied && slot.block.live == 0 && slot.outstanding == 0
    }

    /// Frees a slot and the hardware warps of its block.
    pub(super) fn release(&mut self, slot: BlockSlot) {
        let slot = &mut self.slots.0[slot.index()];
        slot.occupied = false;
        for &hardware in &slot.hardware {
            self.warp_used[hardware.index()] = false;
        }
        self.free_registers += self.footprint.registers;
        self.free_shared += self.footprint.shared;
        self.resident_warps -= self.footprint.warps;
    }

    /// A warp of a mechanism's own begins at an instruction, for a block by which reports name it.
    pub(super) fn start_own_warp(&mut self, warp: usize, pc: u32, block: u64) {
        let own = &mut self.slots.0[self.block_slots + warp].block;
        own.number = block;
        own.paths.reset(self.scheme.slots_per_warp);
        let lanes = Lanes::Warp { warp: 0, mask: 1 };
        let path = Path { pc, reconvergence_pc: NEVER, lanes, scoreboard: 0 };
        own.paths.publish(SlotId(0), path);
        own.paths.forget_touched();
    }

    /// A warp of a mechanism's own continues at an instruction, or ends.
    pub(super) fn move_own_warp(&mut self, warp: usize, pc: Option<u32>) {
        let paths = &mut self.slots.0[self.block_slots + warp].block.paths;
        match pc {
            Some(pc) => {
                paths.step(SlotId(0), pc);
            }
            None => {
                paths.clear(SlotId(0));
                paths.forget_touched();
            }
        }
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(super) fn unbalanced(&self, machine: &Machine) -> Option<&'static str> {
        let sm = &machine.sm;
        let faults = [
            (self.warp_used.iter().any(|used| *used), "warps that no block has given back"),
            (self.resident_warps != 0, "warps counted that are not there"),
            (self.held != Held::default(), "paths or entries of stacks that no block has"),
            (self.free_registers != u64::from(sm.registers), "registers not given back"),
            (self.free_shared != u64::from(sm.shared_memory), "shared memory not given back"),
            (self.slots.0.iter().any(|slot| slot.occupied), "a block in a slot"),
            (self.slots.0.iter().any(|slot| slot.outstanding != 0), "instructions under way"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}

/// So many hardware warps that no block has taken, each the lowest of the sub-core that has the most of them.
fn free_warps(used: &[bool], sub_cores: usize, count: usize) -> Vec<usize> {
    let mut free = vec![Vec::new(); sub_cores];
    let all = used.iter().enumerate().rev().filter(|(_, used)| !**used);
    all.for_each(|(warp, _)| free[warp % sub_cores].push(warp));
    let mut next = || {
        let most = (0..sub_cores).rev().max_by_key(|&at| free[at].len())?;
        free[most].pop()
    };
    (0..count).filter_map(|_| next()).collect()
}

/// An SM's slots for blocks.
fn block_slots(machine: &Machine, footprint: Footprint) -> Result<Vec<SlotContents>, String> {
    let lane_map = Arc::new(lane_permutation::list::map(machine)?);
    let mut first = Some(divergence::list::build(machine)?);
    let sibling = first.as_ref().and_then(|first| first.sibling());
    (0..most_blocks(&footprint, machine))
        .map(|_| {
            let sibling = sibling.as_ref().and_then(|sibling| sibling.sibling());
            let divergence = match first.take().or(sibling) {
                Some(divergence) => divergence,
                None => divergence::list::build(machine)?,
            };
            Ok(SlotContents::new(divergence, lane_map.clone(), machine.barrier.counts))
        })
        .collect()
}
