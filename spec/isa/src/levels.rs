//! The rules for a kernel's record of its registers' places.

use crate::instruction::{Dest, Instruction, Operand};
use crate::placement::{OPERAND_ENTRIES, Placement, RegisterLevel};
use crate::program::Kernel;

/// The rules of a kernel's placements; `report` is given the instruction that breaks one, none for the kernel.
pub(crate) fn check_placements(kernel: &Kernel, report: &mut dyn FnMut(Option<usize>, String)) {
    let placements = &kernel.record.placements;
    if placements.is_empty() {
        return;
    }
    if placements.len() != kernel.code.len() {
        let (count, code) = (placements.len(), kernel.code.len());
        report(None, format!("{count} placements for {code} instructions"));
        return;
    }
    if placements.iter().all(|placement| *placement == Placement::default()) {
        report(None, "its placements say nothing; leave them out".into());
    }
    let second = kernel.affine.map_or(kernel.code.len(), |affine| affine.entry as usize);
    for (index, (placement, instruction)) in placements.iter().zip(&kernel.code).enumerate() {
        if index >= second && *placement != Placement::default() {
            report(Some(index), "the affine stream's registers have no levels".into());
            continue;
        }
        check_placement(placement, instruction, &mut |message| report(Some(index), message));
    }
}

fn check_placement(
    placement: &Placement,
    instruction: &Instruction,
    report: &mut dyn FnMut(String),
) {
    for (number, level) in placement.sources.into_iter().enumerate() {
        let words = match instruction.sources[number] {
            Operand::Reg(_) => instruction.source_kind(number).map_or(0, |kind| kind.registers()),
            _ => 0,
        };
        check_level(level, words, &format!("source {number}"), report);
    }
    let words = match instruction.dest {
        Dest::Reg(_) => instruction.result_kind().map_or(0, |kind| kind.registers()),
        _ => 0,
    };
    check_level(placement.result, words, "the result", report);
    if placement.result != RegisterLevel::Main && instruction.guard.is_some() {
        report("a result under a guard is kept in the main register file".into());
    }
    if placement.result == RegisterLevel::Main && placement.and_main {
        report("the result is in the main register file anyway".into());
    }
}

fn check_level(level: RegisterLevel, words: u8, what: &str, report: &mut dyn FnMut(String)) {
    let fits = match level {
        RegisterLevel::Main => true,
        RegisterLevel::LastResult => words == 1,
        RegisterLevel::Operand(entry) => {
            matches!(words, 1 | 2) && entry.saturating_add(words) <= OPERAND_ENTRIES
        }
    };
    if !fits {
        report(match (level, words) {
            (_, 0) => format!("{what} is no general register and has no level"),
            (RegisterLevel::LastResult, _) => {
                format!("{what} has {words} registers; the last result file has one")
            }
            (_, 4) => format!("{what} has four registers, which are in the main register file"),
            _ => format!(
                "{what}: entries of the operand register file end at {}",
                OPERAND_ENTRIES - 1
            ),
        });
    }
}
