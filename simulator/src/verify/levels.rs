//! Checks that registers can be at the levels of a register file at which the code puts them.

use reconverge_isa::{OPERAND_ENTRIES, RegisterLevel};

use crate::mechanisms::register_file::ManagedLevels;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Source;
use crate::run::fault::Fault;

impl Decoded {
    /// The levels of its sources and of its result, with the words of each.
    fn levels(&self) -> impl Iterator<Item = (RegisterLevel, u8)> {
        let words = self.sources.map(|source| match source {
            Source::Register { words, .. } => words,
            _ => 0,
        });
        let result = self.result().map_or(0, |result| result.words);
        let sources = self.placement.sources.into_iter().zip(words);
        sources.chain([(self.placement.result, result)])
    }

    /// Checks that each level is one that some register file has.
    pub(crate) fn check_placement(&self) -> Result<(), String> {
        let most = ManagedLevels { last_result: true, operand_entries: OPERAND_ENTRIES };
        match self.levels().all(|(level, words)| most.has(level, words)) {
            true => Ok(()),
            false => Err("a register is said to be where there is no place for it".to_string()),
        }
    }
}

impl Code {
    /// Checks that a register file has the levels at which the code puts registers; otherwise the
    /// launch does not fit it.
    pub(crate) fn check_levels(&self, levels: ManagedLevels) -> Result<(), Fault> {
        for (pc, instruction) in (0..).zip(&self.instructions) {
            let mut missing =
                instruction.levels().filter(|&(level, words)| !levels.has(level, words));
            if let Some((level, _)) = missing.next() {
                let what = match level {
                    RegisterLevel::LastResult => "a last result file".to_string(),
                    _ => format!(
                        "more than {} entries of the operand register file",
                        levels.operand_entries
                    ),
                };
                let problem = format!(
                    "the code was compiled for a register file with {what}: compile it for this machine, or change `compiler-managed`"
                );
                return Err(Fault::BadProgram { pc, problem });
            }
        }
        Ok(())
    }

    /// Returns true if claims on which registers are staged, of which there are some, are to be
    /// checked.
    #[inline]
    pub(crate) fn checks_regions(&self) -> bool {
        self.verify && self.has_regions
    }

    /// Returns true if claims on where registers are, of which there are some, are to be checked.
    #[inline]
    pub(crate) fn checks_levels(&self) -> bool {
        self.verify && self.has_levels
    }
}
