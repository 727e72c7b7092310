//! A machine's requirements on compiled code: the one place where a machine becomes a [`CodeTarget`].

use reconverge_isa::{
    AccessCost, CodeTarget, ControlParts, ControlTarget, Decoupling, Effect, FixedLatencies,
    RegisterLevels, StagingLimits, Unit, Width,
};

use reconverge_isa::control_bits::COUNTERS;

use crate::machine::{Dependences, Machine, RegisterAllocation};
use crate::mechanisms::demands::{Demands, ManagedLevels, Streams};
use crate::mechanisms::event::EventSet;
use crate::mechanisms::register_file::{self, Properties};
use crate::mechanisms::{affine, scheduler};
use crate::program::control_bits::READ_CYCLES;
use crate::program::decoded::unit_index;
use crate::program::regions::RegionCapacity;

/// The requirements of a machine and its mechanisms on compiled code.
pub fn code_target(machine: &Machine) -> CodeTarget {
    let (sm, demands) = (&machine.sm, machine.demands);
    let granularity = sm.register_granularity;
    // Warps of a block that is rounded up as a whole take any number, of those in whole units.
    let (registers, register_granularity) = match sm.register_allocation {
        RegisterAllocation::Warp => (sm.registers, granularity),
        RegisterAllocation::Block => (sm.registers / granularity * granularity, 1),
    };
    CodeTarget {
        max_registers: sm.max_registers,
        target_registers: sm.target_registers,
        registers,
        register_granularity,
        register_warps: sm.warps_with_registers(1) as u32,
        warp_width: sm.warp_width,
        decoupling: match demands.streams {
            Streams::One => Decoupling::Never,
            Streams::TwoWhereProfitable => Decoupling::WhereProfitable,
            Streams::TwoOfAll => Decoupling::Always,
        },
        // Schemes execute convergence barriers if the code has them, and do without otherwise.
        convergence_barriers: false,
        predication: sm.predication,
        load_hints: demands.load_hints,
        lifetimes: demands.lifetimes,
        levels: demands.levels.map(|levels| register_levels(machine, levels)),
        regions: demands.regions.map(region_limits),
        control_bits: (sm.dependences == Dependences::ControlBits).then(|| control_target(machine)),
    }
}

/// The requirements of a machine on control bits. Code for one with unlimited counters names those of a usual one.
pub fn control_target(machine: &Machine) -> ControlTarget {
    let counters = match machine.sm.dependence_counters {
        0 => COUNTERS,
        some => some as u8,
    };
    let without = ControlParts::default();
    let uniform = machine.sm.uniform_registers;
    ControlTarget { latencies: fixed_latencies(machine), counters, uniform, without }
}

/// The latencies for which the compiler states dependences: those of arithmetic that always takes the same time, from issue
/// to the issue of an instruction that reads the result. Control flow reads its operands at issue.
pub fn fixed_latencies(machine: &Machine) -> FixedLatencies {
    let units = machine.resolved_units();
    FixedLatencies::new(|row| match row.effect {
        Effect::Branch | Effect::Exit | Effect::Bssy | Effect::Bsync | Effect::Depbar => Some(1),
        Effect::AwaitCopies => Some(1),
        Effect::Barrier | Effect::CountedBarrier => row.result.is_none().then_some(1),
        Effect::Compute | Effect::Collective => {
            let is_fixed = matches!(
                row.unit,
                Unit::Integer | Unit::IntegerMultiply | Unit::Float | Unit::Double
            );
            let timing = machine.timing(row.op).unwrap_or(unit_index(row.unit));
            let unit = units.get(usize::from(timing)).filter(|_| is_fixed)?;
            let mut kinds = row.sources.iter().map(|(_, kind)| kind).chain(&row.result);
            let is_wide = kinds.any(|kind| kind.value(Width::B32).registers() > 1);
            let passes = unit.passes[usize::from(is_wide)];
            Some(READ_CYCLES + passes.saturating_sub(1) * unit.initiation + unit.latency)
        }
        _ => None,
    })
}

/// The levels that the compiler fills, with their costs. If the machine file has no energies of the main register
/// file, each saved access of it counts alike; accesses of a level without energies cost nothing.
fn register_levels(machine: &Machine, levels: ManagedLevels) -> RegisterLevels {
    let ManagedLevels { last_result, operand_entries } = levels;
    let counted = RegisterLevels { last_result, ..RegisterLevels::counted(operand_entries) };
    let energies = machine.tables.event_energies.as_ref();
    let Some(events) = energies.filter(|it| it.register_read.or(it.register_write).is_some())
    else {
        return counted;
    };
    let cost = |read: Option<f64>, write: Option<f64>| AccessCost {
        read: read.unwrap_or(0.0),
        write: write.unwrap_or(0.0),
    };
    RegisterLevels {
        main_cost: cost(events.register_read, events.register_write),
        last_result_cost: cost(events.last_result_read, events.last_result_write),
        operand_cost: cost(events.register_cache_read, events.register_cache_write),
        ..counted
    }
}

/// The limits of a code region on a machine whose register file holds registers of regions only.
fn region_limits(capacity: RegionCapacity) -> StagingLimits {
    let RegionCapacity { region_registers: registers, banks, bank_entries, .. } = capacity;
    StagingLimits { registers, banks, bank_registers: bank_entries }
}

/// The demands of a machine on the compiler, for [`Machine::demands`].
pub(crate) fn demands(machine: &Machine) -> Demands {
    let file = register_file::list::build(machine, true)
        .map_or_else(|_| Properties::default(), |file| file.properties());
    Demands {
        load_hints: scheduler::list::build(machine)
            .is_ok_and(|scheduler| scheduler.events().has(EventSet::IN_LOOP)),
        lifetimes: file.needs_lifetimes,
        levels: file.levels,
        regions: file.regions,
        streams: affine::list::build(machine).map_or(Streams::One, |affine| affine.streams()),
    }
}
