//! Checks that registers can be at the levels of a register file at which the code puts them.

use reconverge_isa::{OPERAND_ENTRIES, RegisterLevel};

use crate::mechanisms::demands::ManagedLevels;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Source;
use crate::run::fault::Fault;

/// The levels of an instruction's sources and of its result, with the words of each.
fn levels_of(instruction: &Decoded) -> impl Iterator<Item = (RegisterLevel, u8)> {
    let words = instruction.sources.map(|source| match source {
        Source::Register { words, .. } => words,
        _ => 0,
    });
    let result = instruction.result().map_or(0, |result| result.words);
    let sources = instruction.placement.sources.into_iter().zip(words);
    sources.chain([(instruction.placement.result, result)])
}

/// Checks that each level of an instruction is one that some register file has.
pub(crate) fn check_placement(instruction: &Decoded) -> Result<(), String> {
    let most = ManagedLevels { last_result: true, operand_entries: OPERAND_ENTRIES };
    match levels_of(instruction).all(|(level, words)| most.has(level, words)) {
        true => Ok(()),
        false => Err("a register is said to be where there is no place for it".to_string()),
    }
}

/// Checks that a register file has the levels at which the code puts registers; otherwise the launch does not fit it.
pub(crate) fn check_levels(code: &Code, levels: ManagedLevels) -> Result<(), Fault> {
    for (pc, instruction) in (0..).zip(&code.instructions) {
        let mut missing =
            levels_of(instruction).filter(|&(level, words)| !levels.has(level, words));
        if let Some((level, _)) = missing.next() {
            let what = match level {
                RegisterLevel::LastResult => "a last result file".to_string(),
                _ => format!(
                    "more than {} entries of the operand register file",
                    levels.operand_entries
                ),
            };
            let problem = format!(
                "the code was compiled for a register file with {what}: compile it for this machine, or change the options of its `register-file`"
            );
            return Err(Fault::BadProgram { pc, problem });
        }
    }
    Ok(())
}
