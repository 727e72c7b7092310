//! The rules for a kernel's control bits, and for the instructions that wait for a counter or for copies.

use crate::control_bits::{COUNTERS, ControlBits, MAX_COUNT, MAX_STALL};
use crate::instruction::{Instruction, MAX_PENDING_GROUPS, Operand};
use crate::program::Kernel;
use crate::table::Effect;

/// The rules of a kernel's control bits; `report` is given the instruction that breaks one, none for the kernel.
pub(crate) fn check_control_bits(kernel: &Kernel, report: &mut dyn FnMut(Option<usize>, String)) {
    let bits = &kernel.record.control_bits;
    if bits.is_empty() {
        return;
    }
    if bits.len() != kernel.code.len() {
        let (count, code) = (bits.len(), kernel.code.len());
        report(None, format!("{count} sets of control bits for {code} instructions"));
        return;
    }
    if bits.iter().all(|bits| *bits == ControlBits::default()) {
        report(None, "its control bits are all defaults; leave them out".into());
    }
    let second = kernel.main_code().len();
    for (index, (bits, instruction)) in bits.iter().zip(&kernel.code).enumerate() {
        if *bits == ControlBits::default() {
            continue;
        }
        if index >= second {
            report(Some(index), "the affine stream has no control bits".into());
            continue;
        }
        check(*bits, instruction, &mut |message| report(Some(index), message));
        let first = kernel.first_uniform();
        let is_uniform = |at: &usize| matches!(instruction.sources.get(*at), Some(Operand::Reg(it)) if u32::from(it.0) >= first);
        if let Some(at) = (0..3).filter(|at| bits.reuse >> at & 1 != 0).find(is_uniform) {
            report(Some(index), format!("source {at} is a uniform register, which no cache keeps"));
        }
    }
}

fn check(bits: ControlBits, instruction: &Instruction, report: &mut dyn FnMut(String)) {
    if instruction.has_barrier() {
        return report(
            "machines may leave `bssy` and `bsync` out, so they have no control bits".into(),
        );
    }
    if bits.stall > MAX_STALL {
        report(format!("a stall of {}; the most is {MAX_STALL}", bits.stall));
    }
    for counter in [bits.write, bits.read].into_iter().flatten() {
        if counter >= COUNTERS {
            report(no_counter(counter));
        }
    }
    if bits.wait >> COUNTERS != 0 {
        report(no_counter(7 - bits.wait.leading_zeros() as u8));
    }
    if bits.write.is_some() && instruction.result_kind().is_none() {
        report("it has no result, so no counter can fall when that is written".into());
    }
    let register = |at: usize| {
        matches!(instruction.sources.get(at), Some(Operand::Reg(_) | Operand::Pred { .. }))
    };
    if bits.read.is_some() && !(0..3).any(register) && instruction.guard.is_none() {
        report("it reads no register, so no counter can fall when that is read".into());
    }
    if bits.common && (!is_access(instruction) || !register(0)) {
        report("it accesses no address in a register that threads could have in common".into());
    }
    for at in (0..8).filter(|at| bits.reuse >> at & 1 != 0) {
        if !matches!(instruction.sources.get(at), Some(Operand::Reg(_))) {
            report(format!("source {at} is no general register to be reused"));
        }
    }
}

fn is_access(instruction: &Instruction) -> bool {
    matches!(instruction.op.row().effect, Effect::Load | Effect::Store | Effect::Atomic)
}

/// The rules of `depbar.le` by itself.
pub(crate) fn check_depbar(instruction: &Instruction, report: &mut dyn FnMut(String)) {
    if instruction.op.row().effect != Effect::Depbar {
        return;
    }
    if instruction.barrier >= COUNTERS {
        report(no_counter(instruction.barrier));
    }
    match instruction.sources[0] {
        Operand::Imm(limit) if limit <= u32::from(MAX_COUNT) => {}
        Operand::Imm(limit) => report(format!("a limit of {limit}; counters end at {MAX_COUNT}")),
        _ => report("the limit of `depbar.le` is an immediate".into()),
    }
    if instruction.guard.is_some() {
        report("`depbar.le` takes no guard".into());
    }
}

/// The rules of `cp.async.wait` by itself.
pub(crate) fn check_wait(instruction: &Instruction, report: &mut dyn FnMut(String)) {
    if instruction.op.row().effect != Effect::AwaitCopies {
        return;
    }
    match instruction.sources[0] {
        Operand::Imm(pending) if pending <= MAX_PENDING_GROUPS => {}
        Operand::Imm(pending) => {
            report(format!("it leaves {pending} groups pending; the most is {MAX_PENDING_GROUPS}"))
        }
        _ => report("the number of groups that it leaves pending is an immediate".into()),
    }
    if instruction.guard.is_some() {
        report("`cp.async.wait` takes no guard".into());
    }
}

fn no_counter(counter: u8) -> String {
    format!("there is no counter {counter}; dependence counters end at {}", COUNTERS - 1)
}
