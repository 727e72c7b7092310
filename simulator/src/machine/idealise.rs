//! Machines with ideal parts ([`Ideal`](super::Ideal)).

use super::rules::Rules;
use super::{Machine, validate};
use crate::mechanisms::code_target::demands;
use crate::mechanisms::{divergence, lane_permutation};

/// The registers per thread that the instruction set can name.
const MOST_REGISTERS: u32 = reconverge_isa::REGISTERS as u32;

/// Writes the ideals that are values of other keys.
pub(super) fn write_ideals(machine: &mut Machine) {
    let ideal = machine.ideal;
    if ideal.compaction {
        // Fung et al., "Dynamic warp formation", MICRO 2007, without their constraint that a thread keeps its lane.
        machine.divergence = divergence::list::FORMATION.to_owned();
        machine.lane_permutation = lane_permutation::list::ANY_LANE.to_owned();
    }
    if ideal.scoreboard {
        machine.scoreboard.entries = 0;
        machine.sm.dependence_counters = 0;
    }
    if ideal.barrier {
        (machine.barrier.latency, machine.barrier.interval) = (1, 0);
    }
    if ideal.instruction_cache {
        (machine.instruction_cache.size, machine.instruction_cache.l0_size) = (0, 0);
    }
    if ideal.registers {
        let sm = &mut machine.sm;
        sm.max_registers = MOST_REGISTERS;
        let of_warp = (MOST_REGISTERS * sm.warp_width).next_multiple_of(sm.register_granularity);
        sm.registers = of_warp * sm.warps_with_registers(sm.warps.into()) as u32;
    }
}

/// A machine with more ideal parts, by their keys in the table `ideal`.
///
/// # Errors
/// There is no such key, or a mechanism does not go with it.
pub fn idealised(machine: &Machine, keys: &[&str]) -> Result<Machine, String> {
    let mut machine = machine.clone();
    for key in keys {
        let ideal = machine.ideal.with(key);
        machine.ideal = ideal.ok_or_else(|| format!("there is no `ideal.{key}`"))?;
    }
    write_ideals(&mut machine);
    let mut rules = Rules::default();
    validate::validate(&machine, &mut rules);
    if let Some((_, fault)) = rules.faults.into_iter().next() {
        return Err(fault);
    }
    machine.demands = demands(&machine);
    Ok(machine)
}
