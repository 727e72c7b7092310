//! Blocks that come to a core and leave it, and the places of their warps among the candidates.

use std::sync::Arc;

use super::audit::Audit;
use super::home_lines::HomeLines;
use super::issue::Scoreboards;
use super::{BlockSlot, Candidate, Context, Held, Sm};
use crate::block::Block;
use crate::decode::Code;
use crate::divergence;
use crate::launch::most_blocks;
use crate::machine::Machine;
use crate::occupancy::{Footprint, Room};
use crate::path::SlotId;

impl Sm {
    /// Blocks that fit beside those that are here.
    pub(crate) fn free_places(&self) -> u64 {
        let free = Room {
            blocks: self.free_block_places().count() as u64,
            warps: self.warp_used.len() as u64 - self.resident_warps,
            registers: self.free_registers,
            shared: self.free_shared,
        };
        self.footprint.blocks(&free)
    }

    /// Places that have no block.
    fn free_block_places(&self) -> impl Iterator<Item = usize> + '_ {
        let places = self.places.iter().take(self.block_places).enumerate();
        places.filter(|(_, place)| !place.occupied).map(|(index, _)| index)
    }

    /// Starts a block here in cycle `now`, given that it fits.
    pub(crate) fn start(&mut self, code: &Code, number: u64, now: u64) {
        let Some(index) = self.free_block_places().next() else {
            return;
        };
        self.account(now);
        self.quiet_until = 0;
        self.free_registers -= self.footprint.registers;
        self.free_shared -= self.footprint.shared;
        self.resident_warps += self.footprint.warps;
        self.arrivals += 1;
        let place = &mut self.places[index];
        place.occupied = true;
        place.outstanding = 0;
        place.block.start(code, number);
        place.scoreboards.reset(place.block.paths.len(), code.scoreboard_entries());
        if self.tracks_threads {
            let (warps, width) = (code.shape.warps() as usize, code.shape.width as usize);
            place.scoreboards.track_threads(warps, width);
        }
        place.audit.reset(code);
        if let Some(compact) = &mut self.compact {
            compact.start(code, index);
        }
        place.hardware.clear();
        let free = self.warp_used.iter_mut().enumerate().filter(|(_, used)| !**used);
        for (hardware, used) in free.take(self.footprint.warps as usize) {
            *used = true;
            place.hardware.push(hardware as u16);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.started_block(index, number, &place.hardware, now);
        }
        self.set_candidates(index);
        self.refresh_touched(code, index, now, now);
        if let Some(affine) = self.affine.as_mut().filter(|_| code.affine.is_some()) {
            affine.arrive(index, self.arrivals, code.shape.warps() as usize, now);
        }
    }

    /// Tells the schedulers which candidates belong to a block that has just arrived.
    pub(super) fn set_candidates(&mut self, index: usize) {
        let slots = self.slots_per_warp;
        let place = &mut self.places[index];
        place.numbers.clear();
        for (warp, &hardware) in place.hardware.iter().enumerate() {
            for k in 0..slots {
                let number = usize::from(hardware) * slots + k;
                place.numbers.push(number as u16);
                let slot = SlotId((warp * slots + k) as u16);
                self.candidates[number] = Candidate { place: index as u16, slot };
                self.front.reset(number);
                let (queue, local) = self.locals[number];
                self.queues[usize::from(queue)]
                    .set_age(usize::from(local), self.arrivals << 16 | warp as u64);
            }
        }
    }

    /// Counts the paths of a block, and the entries of its stacks, anew.
    #[cold]
    pub(super) fn census(&mut self, index: usize) {
        let place = &mut self.places[index];
        let old = std::mem::replace(&mut place.held, Held::of(&place.block));
        self.held.paths = self.held.paths + place.held.paths - old.paths;
        self.held.entries = self.held.entries + place.held.entries - old.entries;
    }

    /// Frees a block's place when its threads have ended, its instructions have started in their pipes,
    /// and its loads have come back.
    pub(super) fn free_if_done(&mut self, index: usize, context: &mut Context) {
        let place = &mut self.places[index];
        if !place.occupied || place.block.live != 0 || place.outstanding != 0 {
            return;
        }
        place.occupied = false;
        if let Some(affine) = self.affine.as_mut().filter(|_| context.code.affine.is_some()) {
            let site = affine.leave(index, context.now);
            let left = place.block.left_over(context.code, site);
            context.outcome.trap = context.outcome.trap.take().or(left.map(|it| (context.now, it)));
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.ended_block(index, context.now);
        }
        for &hardware in &place.hardware {
            self.warp_used[usize::from(hardware)] = false;
        }
        let counts = place.block.divergence.counts();
        self.statistics.uncompacted_transactions += place.home.finish();
        if let Some(compaction) = counts.compaction {
            self.compaction.add(&compaction);
        }
        if let Some(profile) = &mut self.profile {
            profile.compaction(&place.block.divergence.branches());
        }
        self.statistics.max_stack_depth =
            self.statistics.max_stack_depth.max(counts.max_stack_depth);
        self.statistics.blocks += 1;
        context.outcome.blocks_done += 1;
        self.free_registers += self.footprint.registers;
        self.free_shared += self.footprint.shared;
        self.resident_warps -= self.footprint.warps;
        if self.resident_warps == 0 {
            self.load_store.rest();
        }
    }
}

/// A core's places for blocks.
pub(super) fn places(machine: &Machine, footprint: Footprint) -> Result<Vec<BlockSlot>, String> {
    let scheme = divergence::find(&machine.divergence)?;
    let options = machine.options(scheme.name);
    let lane_map = Arc::new(machine.lane_map()?);
    let mut first = Some((scheme.build)(&options)?);
    let blocks = most_blocks(&footprint, machine);
    let sibling = first.as_ref().and_then(|first| first.sibling());
    (0..blocks)
        .map(|_| {
            let sibling = sibling.as_ref().and_then(|sibling| sibling.sibling());
            let divergence = match first.take().or(sibling) {
                Some(divergence) => divergence,
                None => (scheme.build)(&options)?,
            };
            Ok(BlockSlot {
                block: Block::new(divergence, lane_map.clone(), machine.barrier.counts),
                occupied: false,
                scoreboards: Scoreboards::default(),
                audit: Audit::default(),
                home: HomeLines::default(),
                hardware: Vec::new(),
                numbers: Vec::new(),
                outstanding: 0,
                held: Held::default(),
            })
        })
        .collect()
}

/// The place that stands for the affine warp, whose first candidate has a number.
pub(super) fn affine_place(machine: &Machine, number: usize) -> Result<BlockSlot, String> {
    let scheme = divergence::find(&machine.divergence)?;
    let divergence = (scheme.build)(&machine.options(scheme.name))?;
    let lane_map = Arc::new(machine.lane_map()?);
    let mut block = Block::new(divergence, lane_map, machine.barrier.counts);
    let slots = block.capabilities.slots_per_warp;
    block.paths.reset(slots);
    Ok(BlockSlot {
        block,
        occupied: false,
        scoreboards: Scoreboards::default(),
        audit: Audit::default(),
        home: HomeLines::default(),
        hardware: vec![(number / slots) as u16],
        numbers: (number..number + slots).map(|number| number as u16).collect(),
        outstanding: 0,
        held: Held::default(),
    })
}

/// The scheduler of each candidate, and its number there: hardware warps in turn.
pub(super) fn locals(warps: usize, slots: usize, schedulers: usize) -> Vec<(u16, u16)> {
    let candidates = (0..warps * slots).map(|number| {
        let (hardware, slot) = (number / slots, number % slots);
        ((hardware % schedulers) as u16, (hardware / schedulers * slots + slot) as u16)
    });
    candidates.collect()
}

/// The number of each candidate of the schedulers.
pub(super) fn numbers(locals: &[(u16, u16)], schedulers: usize) -> Vec<u16> {
    let place = |&(queue, local): &(u16, u16)| usize::from(local) * schedulers + usize::from(queue);
    let mut numbers = vec![0; locals.iter().map(|local| place(local) + 1).max().unwrap_or(0)];
    for (number, local) in locals.iter().enumerate() {
        numbers[place(local)] = number as u16;
    }
    numbers
}
