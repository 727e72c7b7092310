//! Executions of instructions by place in the code, which are added to the statistics together.

use reconverge_isa::{BranchTaint, Effect};

use crate::block::issued::Issued;
use crate::execute::lanes::count_lanes;
use crate::observe::statistics::Statistics;
use crate::program::decoded::Decoded;

/// The executions of each instruction that are not yet in the statistics. Instructions that compute,
/// access memory or branch, in whatever lanes, depend on nothing else there.
#[derive(Default)]
pub(crate) struct Executions {
    /// By place. Empty if each execution is to be counted by itself.
    executed: Vec<Executed>,
    /// Lanes of a warp.
    width: u64,
}

/// The executions of an instruction.
struct Executed {
    count: u64,
    /// The sums of paths that could be scheduled, of active lanes, and of those in which it acted.
    paths: u64,
    active: u64,
    acting: u64,
    /// Those without a lane in which it acted.
    predicated_off: u64,
    unit: u8,
    other_operands: u8,
    is_counted: bool,
    effect: Effect,
    taint: BranchTaint,
}

impl Executions {
    /// No executions of some instructions yet, in warps of `width` lanes.
    pub(crate) fn of(instructions: &[Decoded], width: u32) -> Executions {
        let executed = instructions.iter().map(|instruction| Executed {
            count: 0,
            paths: 0,
            active: 0,
            acting: 0,
            predicated_off: 0,
            unit: instruction.unit,
            other_operands: instruction.other_operands,
            is_counted: matches!(
                instruction.effect,
                Effect::Compute | Effect::Load | Effect::Store | Effect::Branch
            ),
            effect: instruction.effect,
            taint: instruction.annotations.taint,
        });
        Executions { executed: executed.collect(), width: u64::from(width) }
    }

    /// Returns true if it counts nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.executed.is_empty()
    }

    /// Counts an execution, if it is to be counted here.
    #[inline(always)]
    pub(crate) fn count(&mut self, issued: &Issued) -> bool {
        let Some(executed) = self.executed.get_mut(issued.pc as usize) else {
            return false;
        };
        if !executed.is_counted || issued.divergent {
            return false;
        }
        let active = u64::from(count_lanes(issued.active));
        executed.count += 1;
        executed.paths += issued.paths;
        executed.active += active;
        match issued.mask & issued.active {
            0 => executed.predicated_off += 1,
            mask if mask == issued.active => executed.acting += active,
            mask => executed.acting += u64::from(count_lanes(mask)),
        }
        true
    }

    /// Adds the counts to the statistics.
    #[cold]
    pub(crate) fn add_to(&mut self, statistics: &mut Statistics) {
        for executed in &mut self.executed {
            let count = std::mem::take(&mut executed.count);
            let active = std::mem::take(&mut executed.active);
            let acting = std::mem::take(&mut executed.acting);
            let predicated_off = std::mem::take(&mut executed.predicated_off);
            let [of_unit, lanes_of_unit] = statistics.of_unit(executed.unit);
            *of_unit += count;
            *lanes_of_unit += acting;
            statistics.acting_lanes += acting;
            statistics.other_operands += count * u64::from(executed.other_operands);
            statistics.warp_instructions += count;
            statistics.schedulable_paths += std::mem::take(&mut executed.paths);
            statistics.thread_instructions += active;
            statistics.lane_slots += count * self.width;
            match executed.effect {
                Effect::Load => statistics.load_instructions += count,
                Effect::Store => statistics.store_instructions += count,
                Effect::Branch => {
                    statistics.branches += count;
                    statistics.taken_branch_lanes += acting;
                    match executed.taint {
                        BranchTaint::Unknown => {}
                        BranchTaint::Programmatic => statistics.programmatic_branches += count,
                        BranchTaint::Data => statistics.data_branches += count,
                    }
                    continue;
                }
                _ => {}
            }
            statistics.predicated_off_instructions += predicated_off;
        }
    }
}
