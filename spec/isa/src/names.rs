//! Names that users no longer type: each with the name that took its place.
//!
//! This is the only list of them. The code that reads a name (the assembler, the machine loader,
//! the command line) calls [`renamed`] when the name is unknown, so that the error states the new
//! name; no reader accepts an old name. `digests --names old` prints statistics under their old
//! names, to compare with a build from before the change.

/// The owner of a name. A name may be old for one kind and valid for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A mnemonic of the assembly text.
    Mnemonic,
    /// A key of a machine file and of `--set`, as a dotted path; with `=`, a value of that key.
    MachineKey,
    /// An option of the command line, with its dashes.
    Option,
    /// A statistic, as in reports and JSON.
    Statistic,
}

/// Every renamed name: (kind, old, new). A machine key that is a table means all keys in it.
pub const RENAMED: &[(NameKind, &str, &str)] = &[
    (NameKind::Mnemonic, "arm", "bssy"),
    (NameKind::Mnemonic, "meet", "bsync"),
    (NameKind::Mnemonic, "bar.or", "bar.red.or"),
    (NameKind::Mnemonic, "bar.and", "bar.red.and"),
    (NameKind::Mnemonic, "bar.count", "bar.red.popc"),
    (NameKind::MachineKey, "cores", "sms"),
    (NameKind::MachineKey, "core", "sm"),
    (NameKind::MachineKey, "lanes", "lane-permutation"),
    (NameKind::MachineKey, "execute-width", "cycle-compression"),
    (NameKind::MachineKey, "l1.pending", "l1.mshrs"),
    (NameKind::MachineKey, "l1.merges", "l1.mshr-merges"),
    (NameKind::MachineKey, "l2.pending", "l2.mshrs"),
    (NameKind::MachineKey, "l2.merges", "l2.mshr-merges"),
    (NameKind::MachineKey, "dram.groups", "dram.bank-groups"),
    (NameKind::MachineKey, "dram.queue", "dram.read-queue"),
    (NameKind::MachineKey, "dram.write-high", "dram.write-high-watermark"),
    (NameKind::MachineKey, "dram.write-low", "dram.write-low-watermark"),
    (NameKind::MachineKey, "dram.timing.ccd-short", "dram.timing.ccd-s"),
    (NameKind::MachineKey, "dram.timing.ccd-long", "dram.timing.ccd-l"),
    (NameKind::MachineKey, "dram.timing.turn", "dram.timing.turnaround"),
    (NameKind::MachineKey, "two-level.sense", "two-level.variant"),
    (NameKind::MachineKey, "multi-path.early", "multi-path.early-reconvergence"),
    (NameKind::MachineKey, "decoupled.kernels=paying", "decoupled.kernels=profitable"),
    (NameKind::Option, "--trace-core", "--trace-sm"),
    (NameKind::Statistic, "guarded_off_instructions", "predicated_off_instructions"),
    (NameKind::Statistic, "deepest_stack", "max_stack_depth"),
    (NameKind::Statistic, "deepest_affine_stack", "max_affine_stack_depth"),
    (
        NameKind::Statistic,
        "programmatic_compactable_most",
        "programmatic_compactable_three_quarters",
    ),
    (NameKind::Statistic, "programmatic_compacted_most", "programmatic_compacted_three_quarters"),
    (NameKind::Statistic, "data_compactable_most", "data_compactable_three_quarters"),
    (NameKind::Statistic, "data_compacted_most", "data_compacted_three_quarters"),
    (NameKind::Statistic, "stalls_that_pay", "stall_stall_warps"),
    (NameKind::Statistic, "stalls_in_vain", "stall_bypass_warps"),
    (NameKind::Statistic, "bypasses_amiss", "bypass_stall_warps"),
    (NameKind::Statistic, "bypasses_that_pay", "bypass_bypass_warps"),
    (NameKind::Statistic, "home_transactions", "uncompacted_transactions"),
    (NameKind::Statistic, "regrouping_transactions", "compaction_transaction_ratio"),
    (NameKind::Statistic, "predicates_two", "predicates_endpoints"),
    (NameKind::Statistic, "predicates_all", "predicates_per_lane"),
    (NameKind::Statistic, "predicate_two_rate", "predicate_endpoint_rate"),
    (NameKind::Statistic, "early_lines_left", "early_lines_skipped"),
    (NameKind::Statistic, "held_line_cycles", "locked_line_cycles"),
    (NameKind::Statistic, "most_held_lines", "max_locked_lines"),
    (NameKind::Statistic, "register_conflicts", "register_bank_conflicts"),
    (NameKind::Statistic, "shared_conflicts", "shared_bank_conflicts"),
    (NameKind::Statistic, "dram_turns", "dram_turnarounds"),
];

/// The new name of an old one; `None` for every other name.
pub fn renamed(kind: NameKind, old: &str) -> Option<&'static str> {
    let found = RENAMED.iter().find(|entry| entry.0 == kind && entry.1 == old)?;
    Some(found.2)
}

/// The old name of a name; the name itself if it has always been so.
pub fn old_name(kind: NameKind, new: &str) -> &str {
    let found = RENAMED.iter().find(|entry| entry.0 == kind && entry.2 == new);
    found.map_or(new, |entry| entry.1)
}

#[cfg(test)]
mod tests {
    use super::{NameKind, RENAMED};
    use crate::table::Op;

    #[test]
    fn no_name_is_both_old_and_new() {
        for (kind, old, _) in RENAMED {
            let again = |entry: &&(NameKind, &str, &str)| entry.0 == *kind && entry.2 == *old;
            assert_eq!(RENAMED.iter().find(again), None, "{old}");
            let same = RENAMED.iter().filter(|entry| entry.0 == *kind && entry.1 == *old);
            assert_eq!(same.count(), 1, "{old}");
        }
    }

    #[test]
    fn new_mnemonics_exist_and_old_ones_do_not() {
        for (_, old, new) in RENAMED.iter().filter(|entry| entry.0 == NameKind::Mnemonic) {
            assert!(Op::from_mnemonic(new).is_some() && Op::from_mnemonic(old).is_none(), "{old}");
        }
    }
}
