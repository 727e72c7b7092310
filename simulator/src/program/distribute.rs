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
    let ends = |instruction: &Decoded| matches!(instruction.effect, Effect::Branch | Effect::Exit);
    for straight in instructions.split_inclusive_mut(ends) {
        // By pipe: the cycles that it is taken.
        let mut taken = vec![0; machine.pipes.len()];
        let load = |timing: u8, is_wide: bool| {
            let unit = &units[usize::from(timing)];
            (unit.pipe, unit.passes[usize::from(is_wide)] * unit.initiation)
        };
        let choice = |it: &Decoded| machine.other_timing(it.op);
        for fixed in straight.iter().filter(|it| it.collects() && choice(it).is_none()) {
            let (pipe, cycles) = load(fixed.timing, fixed.is_wide);
            taken[pipe] += cycles;
        }
        for instruction in straight {
            let Some(other) = choice(instruction) else { continue };
            let [own, second] =
                [instruction.timing, other].map(|timing| load(timing, instruction.is_wide));
            let takes_second = taken[second.0] + second.1 < taken[own.0] + own.1;
            let (pipe, cycles) = if takes_second { second } else { own };
            taken[pipe] += cycles;
            instruction.timing = if takes_second { other } else { instruction.timing };
        }
    }
}
