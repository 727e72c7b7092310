//! Energy: a function of the counters and of the machine file's costs of events and states. Nothing
//! is computed while a machine runs: components count, and a launch, a sample or a source line is
//! multiplied out afterwards.
//!
//! Sources: activity counters times energies from a table, with static power beside them, are the
//! model of GPUWattch (Leng et al., ISCA 2013) and AccelWattch (Kandiah et al., MICRO 2021); that
//! DRAM's power has parts for background, refresh, activation, reads and writes is equation 5.1 of
//! Rhu's dissertation, after Micron's power model. The scaling by voltage is AccelWattch's
//! (`src/accelwattch/gpgpu_sim_wrapper.cc`): its square for events, itself for leakage.
//! `docs/energy.md` has every event.

use reconverge_isa::Unit;

use crate::machine::{EventEnergies, LOCAL_CACHE_ACCESS, Machine, StatePowers};
use crate::observe::statistic::Charge;
use crate::observe::statistics::Statistics;

/// The machine's properties that the counts of events depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shape {
    clock_hz: f64,
    dram_hz: f64,
    width: u64,
    sms: u64,
    /// Chips that follow one command of DRAM.
    chips: f64,
    inactive_lane: f64,
    has_l2: bool,
    /// Warp registers of all SMs.
    registers: f64,
}

/// A part of the machine with an energy of its own in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Fetch, decoding, scheduling, the pipeline's registers.
    Frontend,
    /// The register file with the operand collector.
    RegisterFile,
    /// The units that execute.
    Execution,
    /// Shared memory.
    SharedMemory,
    /// The constant cache.
    ConstantCache,
    /// The first-level data cache.
    L1,
    /// The cache that serves local memory before it.
    LocalCache,
    /// The interconnect.
    Interconnect,
    /// The second-level cache.
    L2,
    /// Memory, its background and refreshes included.
    Dram,
    /// Leakage, clock, and SMs, busy or not.
    Static,
}

impl Component {
    /// The statistic that has its energy.
    pub fn statistic(self) -> &'static str {
        COMPONENTS.iter().find(|(component, ..)| *component == self).map_or("", |(_, name, _)| name)
    }
}

/// The measure by which the energy of an event is divided among instructions.
enum Cause {
    /// By how many of it each has itself: it is counted by instruction.
    Own,
    /// By another count.
    By(fn(&Statistics) -> u64),
    /// Not at all: no instruction causes it.
    Nothing,
}

/// The dependence of energy on voltage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scaling {
    /// As its square: capacitances are charged.
    Square,
    /// In proportion: leakage.
    Linear,
    /// Not at all: another supply.
    None,
}

/// An event, or a state that takes power.
struct Event {
    /// Its key in the machine file, with `_` for `-`.
    name: &'static str,
    component: Component,
    scaling: Scaling,
    /// The cost of one, in picojoules, or in watts for each second; none if the file has no value.
    cost: Cost,
    /// The number of events, or of seconds.
    count: fn(&Statistics, &Shape) -> f64,
    cause: Cause,
}

enum Cost {
    Picojoules(fn(&EventEnergies) -> Option<f64>),
    Watts(fn(&StatePowers) -> Option<f64>),
}

macro_rules! event {
    ($name:ident, $component:ident, $scaling:ident, |$s:ident| $count:expr, $cause:expr) => {
        Event {
            name: stringify!($name),
            component: Component::$component,
            scaling: Scaling::$scaling,
            cost: Cost::Picojoules(|events| events.$name),
            count: |$s, _| $count as f64,
            cause: $cause,
        }
    };
}

/// An event that lanes cause by executing an instruction of a unit.
macro_rules! lanes {
    ($name:ident, $lanes:ident, $instructions:ident) => {
        Event {
            name: stringify!($name),
            component: Component::Execution,
            scaling: Scaling::Square,
            cost: Cost::Picojoules(|events| events.$name),
            count: |s, shape| {
                let idle = (s.$instructions * shape.width).saturating_sub(s.$lanes);
                s.$lanes as f64 + shape.inactive_lane * idle as f64
            },
            cause: Cause::Own,
        }
    };
}

/// An access of a warp's register, of which some bytes may be left out.
macro_rules! registers {
    ($name:ident, $accesses:ident, $saved:ident) => {
        Event {
            name: stringify!($name),
            component: Component::RegisterFile,
            scaling: Scaling::Square,
            cost: Cost::Picojoules(|events| events.$name),
            count: |s, shape| {
                in_level(s, s.$accesses) as f64 - s.$saved as f64 / (4 * shape.width) as f64
            },
            cause: Cause::Own,
        }
    };
}

/// An event of each of the chips of DRAM that follow a command.
macro_rules! chips {
    ($name:ident, $counter:ident, $cause:expr) => {
        Event {
            name: stringify!($name),
            component: Component::Dram,
            scaling: Scaling::None,
            cost: Cost::Picojoules(|events| events.$name),
            count: |s, shape| s.$counter as f64 * shape.chips,
            cause: $cause,
        }
    };
}

/// An event of the L2, if there is one: bypassing accesses are counted without it.
macro_rules! l2 {
    ($name:ident, $counter:ident) => {
        Event {
            name: stringify!($name),
            component: Component::L2,
            scaling: Scaling::Square,
            cost: Cost::Picojoules(|events| events.$name),
            count: |s, shape| if shape.has_l2 { s.$counter as f64 } else { 0.0 },
            cause: BEYOND,
        }
    };
}

macro_rules! state {
    ($name:ident, $component:ident, $scaling:ident, |$s:ident, $shape:ident| $seconds:expr) => {
        Event {
            name: stringify!($name),
            component: Component::$component,
            scaling: Scaling::$scaling,
            cost: Cost::Watts(|power| power.$name),
            count: |$s, $shape| $seconds,
            cause: Cause::Nothing,
        }
    };
}

/// Accesses of a register file with a fast part beside slow banks; 0 in any other.
fn in_parts(statistics: &Statistics, accesses: u64) -> u64 {
    if statistics.register_slow_cycles == 0 { 0 } else { accesses }
}

/// Accesses of a register file without such parts.
fn in_level(statistics: &Statistics, accesses: u64) -> u64 {
    accesses - in_parts(statistics, accesses)
}

/// Events beyond the L1 are divided by the lines that instructions requested from the L2.
const BEYOND: Cause = Cause::By(|s| s.requests);

/// Everything that costs energy, the table of `docs/energy.md`.
const EVENTS: &[Event] = &[
    event!(instruction_hit, Frontend, Square, |s| s.fetches, Cause::By(|s| s.warp_instructions)),
    event!(
        instruction_miss,
        Frontend,
        Square,
        |s| s.instruction_misses,
        Cause::By(|s| s.warp_instructions)
    ),
    event!(decode, Frontend, Square, |s| s.warp_instructions, Cause::Own),
    event!(
        schedule,
        Frontend,
        Square,
        |s| s.warp_instructions.saturating_sub(s.memory_instructions),
        Cause::Own
    ),
    event!(issue, Frontend, Square, |s| s.warp_instructions, Cause::Own),
    event!(pipeline_lane, Frontend, Square, |s| s.acting_lanes, Cause::Own),
    registers!(register_read, register_reads, register_read_bytes_saved),
    registers!(register_write, register_writes, register_write_bytes_saved),
    // The accesses of each level by an instruction are not counted.
    event!(
        register_cache_read,
        RegisterFile,
        Square,
        |s| in_level(s, s.register_cache_reads.saturating_sub(s.last_result_reads)),
        Cause::By(|s| s.register_reads)
    ),
    event!(
        register_cache_write,
        RegisterFile,
        Square,
        |s| in_level(s, s.register_cache_writes.saturating_sub(s.last_result_writes)),
        Cause::By(|s| s.register_writes)
    ),
    event!(
        fast_register_read,
        RegisterFile,
        Square,
        |s| in_parts(s, s.register_cache_reads),
        Cause::By(|s| s.register_reads)
    ),
    event!(
        fast_register_write,
        RegisterFile,
        Square,
        |s| in_parts(s, s.register_cache_writes),
        Cause::By(|s| s.register_writes)
    ),
    event!(
        slow_register_read,
        RegisterFile,
        Square,
        |s| in_parts(s, s.register_reads),
        Cause::By(|s| s.register_reads)
    ),
    event!(
        slow_register_write,
        RegisterFile,
        Square,
        |s| in_parts(s, s.register_writes),
        Cause::By(|s| s.register_writes)
    ),
    event!(
        last_result_read,
        RegisterFile,
        Square,
        |s| s.last_result_reads,
        Cause::By(|s| s.register_reads)
    ),
    event!(
        last_result_write,
        RegisterFile,
        Square,
        |s| s.last_result_writes,
        Cause::By(|s| s.register_writes)
    ),
    event!(other_operand, RegisterFile, Square, |s| s.other_operands, Cause::Own),
    lanes!(integer, integer_lanes, integer_instructions),
    lanes!(integer_multiply, integer_multiply_lanes, integer_multiply_instructions),
    lanes!(integer_divide, integer_divide_lanes, integer_divide_instructions),
    lanes!(float, float_lanes, float_instructions),
    lanes!(float_divide, float_divide_lanes, float_divide_instructions),
    lanes!(double, double_lanes, double_instructions),
    lanes!(double_divide, double_divide_lanes, double_divide_instructions),
    lanes!(special, special_lanes, special_instructions),
    lanes!(memory, memory_lanes, memory_instructions),
    lanes!(control, control_lanes, control_instructions),
    event!(affine_instruction, Execution, Square, |s| s.affine_instructions, Cause::Own),
    event!(early_line, Execution, Square, |s| s.early_lines, Cause::By(|s| s.requests)),
    event!(shared_pass, SharedMemory, Square, |s| s.shared_passes, Cause::Own),
    event!(constant_hit, ConstantCache, Square, |s| s.constant_hits, Cause::Own),
    event!(
        constant_miss,
        ConstantCache,
        Square,
        |s| s.constant_misses,
        Cause::By(|s| s.constant_hits)
    ),
    event!(l1_read_hit, L1, Square, |s| s.l1_hits, Cause::Own),
    event!(l1_read_miss, L1, Square, |s| s.l1_misses, Cause::Own),
    event!(l1_write, L1, Square, |s| s.l1_stores, Cause::Own),
    event!(l1_local_write, L1, Square, |s| s.l1_local_stores, Cause::Own),
    Event {
        name: LOCAL_CACHE_ACCESS,
        component: Component::LocalCache,
        scaling: Scaling::Square,
        cost: Cost::Picojoules(|events| events.local_cache_access),
        count: |s, _| s.mechanisms.charged(Charge::LocalCacheAccess) as f64,
        cause: Cause::By(|s| s.transactions),
    },
    event!(flit, Interconnect, Square, |s| s.request_flits + s.reply_flits, BEYOND),
    l2!(l2_read_hit, l2_hits),
    l2!(l2_read_miss, l2_misses),
    l2!(l2_write, l2_writes),
    chips!(dram_activate, dram_activates, BEYOND),
    chips!(dram_precharge, dram_precharges, BEYOND),
    chips!(dram_read, dram_reads, BEYOND),
    chips!(dram_write, dram_writes, BEYOND),
    chips!(dram_refresh, dram_refreshes, Cause::Nothing),
    state!(leakage, Static, Linear, |s, shape| shape.seconds(s)),
    state!(register_on, RegisterFile, Linear, |s, shape| shape.register_on(s)),
    state!(register_asleep, RegisterFile, Linear, |s, shape| {
        shape.register_seconds(s.mechanisms.charged(Charge::RegisterAsleep))
    }),
    state!(register_fast, RegisterFile, Linear, |s, shape| {
        shape.register_seconds(s.register_fast_cycles)
    }),
    state!(register_slow, RegisterFile, Linear, |s, shape| {
        shape.register_seconds(s.register_slow_cycles)
    }),
    state!(clock, Static, Square, |s, shape| shape.seconds(s)),
    state!(sm_active, Static, Square, |s, shape| s.active_sm_cycles as f64 / shape.clock_hz),
    state!(sm_idle, Static, Linear, |s, shape| {
        (s.cycles * shape.sms).saturating_sub(s.active_sm_cycles) as f64 / shape.clock_hz
    }),
    state!(dram_active, Dram, None, |s, shape| {
        shape.chips * s.dram_active_cycles as f64 / shape.dram_hz
    }),
    state!(dram_precharged, Dram, None, |s, shape| {
        let precharged = s.dram_capacity_cycles.saturating_sub(s.dram_active_cycles);
        shape.chips * precharged as f64 / shape.dram_hz
    }),
];

impl Shape {
    fn seconds(&self, statistics: &Statistics) -> f64 {
        statistics.cycles as f64 / self.clock_hz
    }

    /// Register cycles as seconds of all register files.
    fn register_seconds(&self, cycles: u64) -> f64 {
        cycles as f64 / self.registers / self.clock_hz
    }

    /// Seconds for which all registers are awake: always, unless the register file has states of
    /// less leakage.
    fn register_on(&self, s: &Statistics) -> f64 {
        let states = s.register_awake_cycles
            + s.mechanisms.charged(Charge::RegisterAsleep)
            + s.register_off_cycles
            + s.register_fast_cycles
            + s.register_slow_cycles;
        match states {
            0 => self.seconds(s),
            _ => self.register_seconds(s.register_awake_cycles),
        }
    }
}

/// The costs of a machine's events and states.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyTable {
    shape: Shape,
    /// The cost of each of [`EVENTS`], in joules per event or per second; none if the file has no
    /// value.
    costs: Vec<Option<f64>>,
}

/// The joint cost of some events of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyPart {
    /// The event or state: its key in the machine file, with `_` for `-`.
    pub name: &'static str,
    /// The component that it belongs to.
    pub component: Component,
    /// True if it is the power of a state.
    pub is_state: bool,
    /// The number of events or of seconds, summed over the parts that can be in the state.
    pub count: f64,
    /// Their cost.
    pub joules: f64,
}

/// The energy of a launch, or of some of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Energy {
    /// All parts that the machine file has a value for, in the order of its table.
    pub parts: Vec<EnergyPart>,
    /// The duration.
    pub seconds: f64,
    /// Instructions of threads.
    pub instructions: u64,
}

/// The energy of an instruction class: that of its instructions as such, without registers and
/// memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassEnergy {
    /// The class: a unit of the instruction set.
    pub unit: &'static str,
    /// Instructions.
    pub instructions: u64,
    /// Lanes in which they acted.
    pub lanes: u64,
    /// Their part of the front end's and of execution's energy.
    pub joules: f64,
}

/// The costs of events, if energy is to be computed.
pub fn energy_table(machine: &Machine) -> Option<EnergyTable> {
    let model = machine.tables.energy.as_ref()?;
    let cost = |event: &Event| {
        let joules = match event.cost {
            Cost::Picojoules(of) => of(&model.events)? * 1e-12,
            Cost::Watts(of) => of(&model.power)?,
        };
        Some(match event.scaling {
            Scaling::Square => joules * model.voltage * model.voltage,
            Scaling::Linear => joules * model.voltage,
            Scaling::None => joules,
        })
    };
    let shape = Shape {
        clock_hz: machine.clock_mhz * 1e6,
        dram_hz: machine.dram.clock_mhz * 1e6,
        width: u64::from(machine.sm.warp_width),
        sms: u64::from(machine.sms),
        chips: f64::from(machine.dram.chips / machine.dram.sub_ranks),
        inactive_lane: model.inactive_lane,
        has_l2: machine.l2.size != 0,
        registers: (machine.sm.warp_registers().max(1) * u64::from(machine.sms)) as f64,
    };
    Some(EnergyTable { shape, costs: EVENTS.iter().map(cost).collect() })
}

impl EnergyTable {
    /// Every event that has a value, with its cost.
    fn priced(&self) -> impl Iterator<Item = (&'static Event, f64)> {
        EVENTS.iter().zip(&self.costs).filter_map(|(event, cost)| Some((event, (*cost)?)))
    }

    /// The energy of some counters; none if no time was counted.
    pub fn energy(&self, statistics: &Statistics) -> Option<Energy> {
        if statistics.cycles == 0 {
            return None;
        }
        let parts = self.priced().map(|(event, cost)| {
            let count = (event.count)(statistics, &self.shape);
            EnergyPart {
                name: event.name,
                component: event.component,
                is_state: matches!(event.cost, Cost::Watts(_)),
                count,
                joules: count * cost,
            }
        });
        Some(Energy {
            parts: parts.collect(),
            seconds: self.shape.seconds(statistics),
            instructions: statistics.thread_instructions,
        })
    }

    /// The energy of each class of executed instructions. Instructions of affine warps have no
    /// class.
    pub fn classes(&self, statistics: &Statistics) -> Vec<ClassEnergy> {
        let mut from = statistics.clone();
        let classes = (0..).zip(Unit::ALL).map(|(unit, (_, name))| {
            let [instructions, lanes] = from.of_unit(unit).map(|counter| *counter);
            let mut own = Statistics {
                warp_instructions: instructions,
                acting_lanes: lanes,
                ..Statistics::default()
            };
            own.of_unit(unit)
                .into_iter()
                .zip([instructions, lanes])
                .for_each(|(own, all)| *own = all);
            let joules = self
                .priced()
                .filter(|(event, _)| {
                    matches!(event.component, Component::Frontend | Component::Execution)
                })
                .map(|(event, cost)| (event.count)(&own, &self.shape) * cost);
            ClassEnergy { unit: name, instructions, lanes, joules: joules.sum() }
        });
        classes.filter(|class| class.instructions != 0).collect()
    }

    /// The cost in joules of each of some instructions or lines, given the counters of all. An
    /// event's energy is divided in proportion to the instructions' causes of it: for an access of
    /// the L2 or of memory, the lines that they requested. Energy without a cause among them, such
    /// as leakage, is in none. These shares and that energy add up to the whole.
    pub fn shares(&self, whole: &Statistics, parts: &[&Statistics]) -> Vec<f64> {
        let mut shares = vec![0.0; parts.len()];
        for (event, cost) in self.priced() {
            let weight = |part: &Statistics| match event.cause {
                Cause::Own => (event.count)(part, &self.shape),
                Cause::By(weight) => weight(part) as f64,
                Cause::Nothing => 0.0,
            };
            let joules = (event.count)(whole, &self.shape) * cost;
            let all: f64 = parts.iter().map(|part| weight(part)).sum();
            if all > 0.0 {
                for (share, part) in shares.iter_mut().zip(parts) {
                    *share += joules * (weight(part) / all);
                }
            }
        }
        shares
    }
}

impl Energy {
    /// All of it, in joules.
    pub fn joules(&self) -> f64 {
        self.parts.iter().map(|part| part.joules).sum()
    }

    /// The mean power, in watts.
    pub fn watts(&self) -> f64 {
        self.joules() / self.seconds
    }

    /// That of a component, in joules.
    pub fn of(&self, component: Component) -> f64 {
        let own = self.parts.iter().filter(|part| part.component == component);
        own.map(|part| part.joules).sum()
    }

    /// Thread instructions for each joule; none if nothing took energy.
    pub fn instructions_per_joule(&self) -> Option<f64> {
        let all = self.joules();
        (all > 0.0).then(|| self.instructions as f64 / all)
    }

    /// The energy of each component, by its title in tables, in joules.
    pub fn components(&self) -> Vec<(&'static str, f64)> {
        COMPONENTS.iter().map(|(component, _, title)| (*title, self.of(*component))).collect()
    }

    /// The figures of [`ENERGY_DECLARATIONS`](crate::ENERGY_DECLARATIONS), in that order.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        let all = self.joules();
        let states: f64 =
            self.parts.iter().filter(|part| part.is_state).map(|part| part.joules).sum();
        let mut figures = vec![("energy", all), ("energy_dynamic", all - states)];
        figures.extend(COMPONENTS.iter().map(|(component, name, _)| (*name, self.of(*component))));
        figures.push(("power", self.watts()));
        figures.extend(self.instructions_per_joule().map(|it| ("instructions_per_joule", it)));
        figures
    }
}

/// The components with the statistic that has the energy of each, and its title in tables.
const COMPONENTS: &[(Component, &str, &str)] = &[
    (Component::Frontend, "energy_frontend", "front end"),
    (Component::RegisterFile, "energy_register_file", "register file"),
    (Component::Execution, "energy_execution", "execution"),
    (Component::SharedMemory, "energy_shared_memory", "shared memory"),
    (Component::ConstantCache, "energy_constant_cache", "constant cache"),
    (Component::L1, "energy_l1", "L1"),
    (Component::LocalCache, "energy_local_cache", "local cache"),
    (Component::Interconnect, "energy_interconnect", "interconnect"),
    (Component::L2, "energy_l2", "L2"),
    (Component::Dram, "energy_dram", "DRAM"),
    (Component::Static, "energy_static", "static"),
];
