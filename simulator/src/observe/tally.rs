//! Counters of straight runs: sums over the code replace counting instruction by instruction.

use std::ops::Range;

use reconverge_isa::{Effect, Unit};

use crate::execute::lanes::count_lanes;
use crate::observe::statistics::Statistics;

/// The sums that one execution of each instruction before a place would count, for any active
/// lanes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// By unit: instructions.
    units: [u32; Unit::ALL.len()],
    /// Sources that are neither registers nor predicates.
    other_operands: u32,
    loads: u32,
    stores: u32,
}

impl Sums {
    /// The sums of all places in some code, its end included, given for each instruction its unit,
    /// the number of its sources that are neither registers nor predicates, and its effect.
    pub(crate) fn of(instructions: impl Iterator<Item = (u8, u8, Effect)>) -> Vec<Sums> {
        let mut sums = vec![Sums::default()];
        let mut sum = Sums::default();
        for (unit, other_operands, effect) in instructions {
            sum.units[usize::from(unit)] += 1;
            sum.other_operands += u32::from(other_operands);
            sum.loads += u32::from(effect == Effect::Load);
            sum.stores += u32::from(effect == Effect::Store);
            sums.push(sum);
        }
        sums
    }
}

/// The most instructions that are kept before they are added to the statistics: their sums have 32
/// bits.
const MOST: u64 = 1 << 31;

/// The counts of straight runs not yet in the statistics: instructions of each unit by the sums of
/// the code, inactive lanes one by one. Runs of paths with equally many active lanes are added
/// together.
#[derive(Default)]
pub(crate) struct Tally {
    sums: Sums,
    /// By unit: the active lanes in which instructions did not act.
    idle: [u64; Unit::ALL.len()],
    predicated_off: u64,
    /// The active lanes of each of the instructions.
    active: u64,
    /// No fewer than the instructions.
    instructions: u64,
}

impl Tally {
    /// A run of at most `most` instructions begins on a path with `active` active lanes.
    #[inline(always)]
    pub(crate) fn begin(&mut self, most: u32, active: u64, statistics: &mut Statistics) {
        self.instructions += u64::from(most);
        if active != self.active || self.instructions > MOST {
            self.add_to(statistics);
            (self.active, self.instructions) = (active, u64::from(most));
        }
    }

    /// Counts instructions that follow each other, given the sums of their code.
    #[inline(always)]
    pub(crate) fn add(&mut self, sums: &[Sums], instructions: Range<u32>) {
        let [from, to] = [instructions.start, instructions.end].map(|pc| &sums[pc as usize]);
        for ((sum, from), to) in self.sums.units.iter_mut().zip(from.units).zip(to.units) {
            *sum += to - from;
        }
        self.sums.other_operands += to.other_operands - from.other_operands;
        self.sums.loads += to.loads - from.loads;
        self.sums.stores += to.stores - from.stores;
    }

    /// One of the instructions, of a unit, does not act in some lanes, maybe because its guard holds in none.
    #[inline(always)]
    pub(crate) fn idle(&mut self, unit: u8, lanes: u64, is_predicated_off: bool) {
        self.idle[usize::from(unit)] += u64::from(count_lanes(lanes));
        self.predicated_off += u64::from(is_predicated_off);
    }

    /// Adds all that was counted to the statistics.
    #[inline(never)]
    pub(crate) fn add_to(&mut self, statistics: &mut Statistics) {
        let Tally { sums, idle, predicated_off, active, .. } = std::mem::take(self);
        statistics.other_operands += u64::from(sums.other_operands);
        statistics.load_instructions += u64::from(sums.loads);
        statistics.store_instructions += u64::from(sums.stores);
        statistics.predicated_off_instructions += predicated_off;
        for ((unit, instructions), idle) in (0..).zip(sums.units).zip(idle) {
            let [of_unit, lanes_of_unit] = statistics.of_unit(unit);
            let lanes = u64::from(instructions) * active - idle;
            *of_unit += u64::from(instructions);
            *lanes_of_unit += lanes;
            statistics.acting_lanes += lanes;
        }
    }
}
