//! Profiles: the cost of each instruction of a kernel.
//!
//! Some statistics are counted per instruction. The actions of an issuing instruction are its own.
//! A lost issue slot belongs to the next instruction of the path that the slot's reason stands for:
//! among the paths with that reason, the one that is known to resume first, or else the oldest. So
//! a slot that waits for memory is counted where the value is used, not where it was loaded. Slots
//! of a scheduler without paths belong to no instruction. The effects of warp formation belong to
//! the branch after which warps are formed. The counts of all instructions and of none add up to
//! the statistics.

use std::collections::BTreeMap;

use reconverge_isa::{Effect, Space};

use crate::mechanisms::divergence::CompactionCounts;
use crate::observe::slot_use::{SlotUse, count_slots};
use crate::observe::statistic::key;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;

/// Stands for no instruction.
pub(crate) const NOWHERE: u32 = u32::MAX;

macro_rules! per_line {
    (
        issue { $($issued:ident)* }
        lookup { $($looked:ident)* }
        others { $($name:ident $(= $key:literal)?)* }
        ratios { $($ratio:ident)* }
    ) => {
        /// The counters of an instruction.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) struct Row {
            $(pub(crate) $issued: u64,)*
            $(pub(crate) $looked: u64,)*
            $(pub(crate) $name: u64,)*
        }

        /// The counters that may change when an instruction issues: an instruction's share of them
        /// is the difference between two moments, and the fewer there are, the faster is a run with
        /// a profile.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct AtIssue {
            $($issued: u64,)*
        }

        impl AtIssue {
            /// The counters of the same names.
            pub(crate) fn of(statistics: &Statistics) -> AtIssue {
                AtIssue { $($issued: statistics.$issued,)* }
            }
        }

        /// The counters that may change when a line of an instruction is looked up in the L1.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct AtLookup {
            $($looked: u64,)*
        }

        impl AtLookup {
            /// The counters of the same names.
            pub(crate) fn of(statistics: &Statistics) -> AtLookup {
                AtLookup { $($looked: statistics.$looked,)* }
            }
        }

        impl Row {
            /// The counters of the same names.
            pub(crate) fn of(statistics: &Statistics) -> Row {
                Row {
                    $($issued: statistics.$issued,)*
                    $($looked: statistics.$looked,)*
                    $($name: statistics.$name,)*
                }
            }

            /// Adds the counts since a moment at which an instruction issued.
            pub(crate) fn add_issue(&mut self, before: &AtIssue, after: &Statistics) {
                $(self.$issued += after.$issued - before.$issued;)*
            }

            /// Adds the counts since a moment at which a line was looked up.
            pub(crate) fn add_lookup(&mut self, before: &AtLookup, after: &Statistics) {
                $(self.$looked += after.$looked - before.$looked;)*
            }

            fn merge(&mut self, other: &Row) {
                $(self.$issued += other.$issued;)*
                $(self.$looked += other.$looked;)*
                $(self.$name += other.$name;)*
            }

            fn statistics(&self) -> Statistics {
                Statistics {
                    $($issued: self.$issued,)*
                    $($looked: self.$looked,)*
                    $($name: self.$name,)*
                    ..Statistics::default()
                }
            }
        }

        /// The statistics, counters first, that a profile has for each instruction and line.
        pub const PER_LINE: &[&str] = &[
            $(stringify!($issued),)*
            $(stringify!($looked),)*
            $(key!($name $($key)?),)*
            $(stringify!($ratio),)*
        ];
    };
}

per_line! {
    issue {
        warp_instructions
        affine_instructions
        thread_instructions
        lane_slots
        predicated_off_instructions
        acting_lanes
        other_operands
        branches
        divergent_branches
        taken_branch_lanes
        schedulable_paths
        barriers
        collectives
        load_instructions
        store_instructions
        atomic_instructions
        atomic_operations
        atomic_conflicts
        copy_instructions
        copied_bytes
        memory_accesses
        transactions
        shared_passes
        shared_bank_conflicts
    }
    lookup {
        l1_hits
        l1_misses
    }
    others {
        programmatic_paths
        programmatic_compactable_quarter
        programmatic_compactable_half
        programmatic_compactable_three_quarters
        programmatic_compactable_all
        programmatic_compacted_quarter
        programmatic_compacted_half
        programmatic_compacted_three_quarters
        programmatic_compacted_all
        data_paths
        data_compactable_quarter
        data_compactable_half
        data_compactable_three_quarters
        data_compactable_all
        data_compacted_quarter
        data_compacted_half
        data_compacted_three_quarters
        data_compacted_all
        warps_before_compaction
        warps_after_compaction
        warps_ideal
        issue_slots
        slots_issued
        slots_register_file = "slots_metadata"
        slots_register_read
        slots_throttled
        slots_pipe_busy
        slots_load_store_full
        slots_arithmetic
        slots_fetch
        slots_memory
        slots_copies
        slots_control
        slots_scoreboard
        slots_early_load
        slots_dequeue
        slots_enqueue
        slots_barrier
        slots_inactive
        slots_idle
    }
    ratios {
        simd_efficiency
        branch_divergence
        path_count
        programmatic_compaction_rate
        programmatic_ideal_compaction_rate
        data_compaction_rate
        data_ideal_compaction_rate
        transactions_per_access
        passes_per_access
        l1_hit_rate
    }
}

/// A profile that is being made: a row for each instruction, and one for none.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    nowhere: Row,
}

impl Rows {
    /// Zero counts for a kernel of `instructions` instructions.
    pub(crate) fn new(instructions: usize) -> Rows {
        Rows { rows: vec![Row::default(); instructions], nowhere: Row::default() }
    }

    /// The row of an instruction, or of [`NOWHERE`].
    pub(crate) fn row(&mut self, pc: u32) -> &mut Row {
        self.rows.get_mut(pc as usize).unwrap_or(&mut self.nowhere)
    }

    /// Adds issue slots to an instruction.
    pub(crate) fn slots(&mut self, pc: u32, slot_use: SlotUse, slots: u64) {
        let row = self.row(pc);
        count_slots!(slot_use, row, slots);
    }

    /// Adds the counts of a block's scheme for its branches, by instruction.
    pub(crate) fn compaction(&mut self, branches: &[(u32, CompactionCounts)]) {
        for (pc, counts) in branches {
            let mut statistics = Statistics::default();
            counts.add_to(&mut statistics);
            self.row(*pc).merge(&Row::of(&statistics));
        }
    }

    /// Takes another SM's into account.
    pub(crate) fn merge(&mut self, other: &Rows) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            row.merge(other);
        }
        self.nowhere.merge(&other.nowhere);
    }

    /// The profile of a kernel.
    pub(crate) fn finish(&self, code: &Code) -> Profile {
        let rows = (0..).zip(&self.rows).zip(&code.instructions);
        let rows = rows.filter(|((_, row), _)| **row != Row::default());
        let whole = |row: &Row, instruction: &Decoded| {
            let mut statistics = row.statistics();
            follow(&mut statistics, instruction);
            statistics
        };
        Profile {
            instructions: rows.map(|((pc, row), code)| (pc, whole(row, code))).collect(),
            nowhere: self.nowhere.statistics(),
        }
    }
}

/// Adds counts that follow from an instruction's counters and its kind: those of its unit, and its
/// requests to registers and memory. They attribute energy.
fn follow(statistics: &mut Statistics, instruction: &Decoded) {
    let issued = statistics.warp_instructions - statistics.affine_instructions;
    let acted = statistics.warp_instructions - statistics.predicated_off_instructions;
    let lanes = statistics.acting_lanes;
    let [of_unit, lanes_of_unit] = statistics.of_unit(instruction.unit);
    (*of_unit, *lanes_of_unit) = (issued, lanes);
    let result = instruction.result().map_or(0, |result| u64::from(result.words));
    statistics.register_reads = acted * instruction.operands.registers().len() as u64;
    statistics.register_writes = acted * result;
    match (instruction.effect, instruction.space) {
        (Effect::Load, Space::Constant) => statistics.constant_hits = acted,
        (Effect::Store, Space::Local) => statistics.l1_local_stores = statistics.transactions,
        (Effect::Store, _) => statistics.l1_stores = statistics.transactions,
        _ => {}
    }
    statistics.requests = match instruction.effect {
        Effect::Load => statistics.l1_misses,
        _ => statistics.transactions,
    };
}

/// The costs of a kernel's instructions; only the counters in [`PER_LINE`] are kept for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// By number of the instruction, those that cost something.
    pub instructions: BTreeMap<u32, Statistics>,
    /// The counters of no instruction: issue slots of schedulers that had no path.
    pub nowhere: Statistics,
}

impl Profile {
    /// The profile of the kernel whose instruction `origin(pc)` is the instruction `pc` here.
    pub(crate) fn moved(self, origin: impl Fn(u32) -> u32) -> Profile {
        let mut instructions = BTreeMap::<u32, Statistics>::new();
        for (pc, statistics) in self.instructions {
            instructions.entry(origin(pc)).or_default().merge(&statistics);
        }
        Profile { instructions, ..self }
    }
}
