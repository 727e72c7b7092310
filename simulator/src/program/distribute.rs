//! The pipes of operations that may take one of two, as `or` in a machine file's table `operations` says.

use reconverge_isa::Effect;

use crate::machine::Machine;
use crate::program::decoded::Decoded;

/// Lets the instructions of operations that may take one of two pipes take one: between two branches the one that has less
/// to do, with all that has no choice.
pub(crate) fn distribute(instructions: &mut [Decoded], machine: &Machine) {
    if machine.operations().values().all(|timing| timing.or.is_none()) {
        return;
    }
    let units = machine.resolved_units();
    // The pipe, and the cycles that the instruction takes it.
    let load = |timing: u8, instruction: &Decoded| {
        let unit = &units[usize::from(timing)];
        (unit.pipe, unit.passes[usize::from(instruction.is_wide)] * unit.initiation)
    };
    let ends = |instruction: &Decoded| matches!(instruction.effect, Effect::Branch | Effect::Exit);
    for straight in instructions.split_inclusive_mut(ends) {
        // By pipe: the cycles that it is taken.
        let mut taken = vec![0; machine.pipes.len()];
        let mut free = Vec::new();
        for instruction in straight {
            match machine.other_timing(instruction.op) {
                Some(other) => free.push((instruction, other)),
                None if instruction.collects() => {
                    let (pipe, cycles) = load(instruction.timing, instruction);
                    taken[pipe] += cycles;
                }
                None => {}
            }
        }
        for (instruction, other) in free {
            let until = |timing: u8| {
                let (pipe, cycles) = load(timing, instruction);
                taken[pipe] + cycles
            };
            if until(other) < until(instruction.timing) {
                instruction.timing = other;
            }
            let (pipe, cycles) = load(instruction.timing, instruction);
            taken[pipe] += cycles;
        }
    }
}
