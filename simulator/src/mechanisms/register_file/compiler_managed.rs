//! `compiler-managed`: a last result file and an operand register file in front of the banks, which the compiler fills.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.1 (after Gebhart et al., "A compile-time managed multi-level
//! register file hierarchy"): a last result file (LRF) of one register of each thread, and an
//! operand register file (ORF) in place of the register cache. The compiler moves values in and out
//! of it, so it needs no tags. The compiler also marks where the two-level scheduler can switch a
//! warp out; by then its live values are in the main file.
//!
//! The kernel's record states the level of each read and write ([`reconverge_isa::Placement`];
//! `spec/machine.md` describes the compiler's decision). Decisions where the book is open: both
//! files have the ports that the collectors need, and a result is available when its pipe has it;
//! one that goes to the main file too is available when it is in its bank. All registers of a
//! kernel without a record are in the banks. In the text the last result file holds the last
//! instruction's result; here the compiler also selects the results that go there, so that one
//! stays until another is to replace it.

use reconverge_isa::{OPERAND_ENTRIES, RegisterLevel};

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::slot::{Build, Destination, Operands, Properties};
use crate::mechanisms::demands::ManagedLevels;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistics::Statistics;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "compiler-managed",
    sentence: "`banked` with a last result file and an operand register file in front, which the compiler fills",
    options: &[
        ("entries", "entries of each thread in the operand register file, 0 to 32; default 3"),
        ("last-result", "whether there is a last result file: `true` (default) or `false`"),
    ],
    trials: &[
        &[("compiler-managed.entries", "0"), ("banked.banks", "1")],
        &[
            ("compiler-managed.entries", "1"),
            ("compiler-managed.last-result", "false"),
            ("banked.hazards", "release-on-read"),
        ],
        &[
            ("scheduler", "two-level"),
            ("two-level.variant", "active-pool"),
            ("two-level.pool", "1"),
        ],
    ],
    statistics: &[],
    build: &|table, shape| {
        let Options { entries, last_result } = options(table)?;
        check_range("entries", entries, 0..=u32::from(OPERAND_ENTRIES))?;
        let levels = ManagedLevels { last_result, operand_entries: entries as u8 };
        let files = Files { levels, writes: 0, last_result_reads: 0, last_result_writes: 0 };
        Ok(Box::new(Collectors::new(Settings::shared(shape)?, shape, files)))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    entries: u32,
    last_result: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entries: 3, last_result: true }
    }
}

/// The files in front of the banks. Their contents follow from the code.
struct Files {
    levels: ManagedLevels,
    /// Registers of warps written to a level before the banks, and among these accesses those of the last result file.
    writes: u64,
    last_result_reads: u64,
    last_result_writes: u64,
}

impl Storage for Files {
    fn locate(&self, operands: &Operands, place: usize, _now: u64) -> Place {
        match operands.levels(place) {
            [false, false] => Place::Bank,
            _ => Place::Beside,
        }
    }

    fn reads(&mut self, operands: &Operands, place: usize, _now: u64) -> u64 {
        let [last_result, _] = operands.levels(place);
        self.last_result_reads += u64::from(last_result);
        0
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        let words = u64::from(result.words);
        match result.level {
            RegisterLevel::Main => return banks.write_all(result, ready),
            RegisterLevel::LastResult => self.last_result_writes += words,
            RegisterLevel::Operand(_) => {}
        }
        self.writes += words;
        if result.and_main { banks.write_all(result, ready) } else { ready.max(banks.now()) }
    }

    fn properties(&self) -> Properties {
        Properties { levels: Some(self.levels), by_warp: true, ..Properties::default() }
    }

    fn count(&self, statistics: &mut Statistics, _cycle: u64) {
        statistics.register_cache_writes += self.writes;
        statistics.last_result_reads += self.last_result_reads;
        statistics.last_result_writes += self.last_result_writes;
    }
}
