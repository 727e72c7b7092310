//! The rules for uniform registers, whose values threads share. A datapath of its own computes them.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of Modern GPU Cores",
//! MICRO 2025, §5.3: 64 uniform registers per warp, one of which reads as zero. The paper lists no instructions of the
//! datapath; those here are the integer operations and the loads of constants that NVIDIA's disassembler shows (`UIADD3`,
//! `UIMAD`, `ULOP3`, `USHF`, `UMOV`, `ULDC`; "CUDA Binary Utilities"). An instruction that writes a uniform register has sources that
//! are the same for the warp, and no guard.
//!
//! Ours differ in one point: as scoreboards and dependence counters do, they belong to a path and not to its warp. So threads
//! that parted because a path yielded keep their own values. `--verify-annotations` checks that the threads that read one
//! together find the same value.

use crate::instruction::{Dest, Instruction, Operand, Special};
use crate::lane::ValueKind;
use crate::program::Kernel;
use crate::table::{Effect, Unit};
use crate::{Space, Width};

/// The most uniform registers of a warp: of 64, the last one reads as zero.
pub const UNIFORM_REGISTERS: u32 = 63;

/// Returns true if an instruction without a guard can write a uniform register, as far as its operation says.
pub fn may_be_uniform(instruction: &Instruction) -> bool {
    let row = instruction.op.row();
    let is_word = |kind: Option<ValueKind>| kind.is_some_and(|kind| kind.registers() == 1);
    let operates = match row.effect {
        Effect::Compute => matches!(row.unit, Unit::Integer | Unit::IntegerMultiply),
        Effect::Load => instruction.space == Space::Constant && instruction.width == Width::B32,
        _ => false,
    };
    let are_words = (0..row.sources.len()).all(|at| is_word(instruction.source_kind(at)));
    let is_same = |operand: &Operand| match operand {
        Operand::Special(special) => {
            !matches!(special, Special::TidX | Special::TidY | Special::TidZ)
        }
        Operand::Pred { .. } | Operand::Dequeue { .. } => false,
        _ => true,
    };
    operates
        && instruction.guard.is_none()
        && is_word(instruction.result_kind())
        && are_words
        && instruction.sources.iter().all(is_same)
}

/// The rules of a kernel's uniform registers; `report` is given the instruction that breaks one, none for the kernel.
pub(crate) fn check_uniform(kernel: &Kernel, report: &mut dyn FnMut(Option<usize>, String)) {
    let count = kernel.record.uniform;
    if count == 0 {
        return;
    }
    if count > UNIFORM_REGISTERS.min(kernel.registers) {
        let most = UNIFORM_REGISTERS.min(kernel.registers);
        return report(None, format!("{count} registers are uniform; at most {most} can be"));
    }
    if kernel.affine.is_some() {
        report(None, "a kernel with two streams has no uniform registers".into());
    }
    let first = kernel.first_uniform();
    for (index, instruction) in kernel.code.iter().enumerate() {
        check(instruction, first, &mut |message| report(Some(index), message));
    }
}

/// The rules of an instruction of a kernel whose registers from `first` on are uniform.
fn check(instruction: &Instruction, first: u32, report: &mut dyn FnMut(String)) {
    let reads_same = instruction.sources.iter().all(|operand| match operand {
        Operand::Reg(register) => u32::from(register.0) >= first,
        _ => true,
    });
    let words = |kind: Option<ValueKind>| kind.map_or(1, |kind| u32::from(kind.registers().max(1)));
    if let Dest::Reg(register) = instruction.dest {
        let number = u32::from(register.0);
        if number >= first && !(may_be_uniform(instruction) && reads_same) {
            report(format!(
                "r{number} is uniform: only integer words and loads of constants without a guard are written to it, \
                 from sources that are uniform too"
            ));
        } else if number < first && number + words(instruction.result_kind()) > first {
            report(format!("the registers from r{number} on are uniform in part"));
        }
    }
    for (at, source) in instruction.sources.iter().enumerate() {
        let words = words(instruction.source_kind(at));
        if let Operand::Reg(register) = source
            && u32::from(register.0) + words > first
            && words > 1
        {
            report(format!("source {at} has {words} registers, which are not uniform"));
        }
    }
}
