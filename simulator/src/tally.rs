//! What straight runs count: sums over the code say it for instructions that follow each other, instead of one by one.

use std::ops::Range;

use reconverge_isa::Unit;

use crate::statistics::Statistics;

/// What one execution of each instruction before a place would count, whatever lanes act.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    /// By unit: instructions.
    units: [u32; Unit::ALL.len()],
    /// Sources that are neither registers nor predicates.
    other_operands: u32,
}

impl Sums {
    /// Those of all places in some code, its end included, given the unit of each instruction and how many of its sources are neither
    /// registers nor predicates.
    pub(crate) fn of(instructions: impl Iterator<Item = (u8, u8)>) -> Vec<Sums> {
        let mut sums = vec![Sums::default()];
        let mut sum = Sums::default();
        for (unit, other_operands) in instructions {
            sum.units[usize::from(unit)] += 1;
            sum.other_operands += u32::from(other_operands);
            sums.push(sum);
        }
        sums
    }
}

/// What a straight run adds to the statistics: instructions by the sums of the code, lanes that do not act one by one.
#[derive(Default)]
pub(crate) struct Tally {
    sums: Sums,
    /// By unit: the active lanes in which instructions did not act.
    idle: [u64; Unit::ALL.len()],
    predicated_off: u64,
}

impl Tally {
    /// Counts instructions that follow each other, given the sums of their code.
    #[inline(always)]
    pub(crate) fn add(&mut self, sums: &[Sums], instructions: Range<u32>) {
        let [from, to] = [instructions.start, instructions.end].map(|pc| &sums[pc as usize]);
        for ((sum, from), to) in self.sums.units.iter_mut().zip(from.units).zip(to.units) {
            *sum += to - from;
        }
        self.sums.other_operands += to.other_operands - from.other_operands;
    }

    /// One of the instructions, of a unit, does not act in so many lanes, maybe because its guard holds in none.
    #[inline]
    pub(crate) fn idle(&mut self, unit: u8, lanes: u64, is_predicated_off: bool) {
        self.idle[usize::from(unit)] += lanes;
        self.predicated_off += u64::from(is_predicated_off);
    }

    /// Adds so many instructions, which it has been told of, to the statistics, of a path with so many active lanes.
    pub(crate) fn add_to(&self, statistics: &mut Statistics, instructions: u64, active: u64) {
        statistics.acting_lanes += instructions * active - self.idle.iter().sum::<u64>();
        statistics.other_operands += u64::from(self.sums.other_operands);
        statistics.predicated_off_instructions += self.predicated_off;
        for ((unit, instructions), idle) in (0..).zip(self.sums.units).zip(self.idle) {
            let [of_unit, lanes_of_unit] = statistics.of_unit(unit);
            *of_unit += u64::from(instructions);
            *lanes_of_unit += u64::from(instructions) * active - idle;
        }
    }
}
