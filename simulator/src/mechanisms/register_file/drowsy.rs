//! `drowsy`: banks whose registers are awake only while they are accessed (tri-modal register file).
//!
//! Source: Aamodt, Fung, Rogers, §3.6.2 (after Abdel-Majeed and Annavaram). A register that no thread has is off. One that is
//! allocated is drowsy: it keeps its value at a lower leakage, and has to be awake to be accessed. It is put to sleep right after
//! each access.
//!
//! The source leaves open, and here is so: the wake-up time, an option; all operands of an instruction are woken when it gets its
//! collector, and each sleeps again in the cycle after it was read, unless another instruction in a collector reads it too. A result's
//! register is woken in time, from when the time of the result is known: the start in the pipe, or the end of a load.
//!
//! Leakage (`energy-model`): a drowsy register leaks a tenth of one that is awake, one that is off nothing. The source
//! (Abdel-Majeed and Annavaram, "Warped register file", HPCA 2013) has 90 % less leakage with almost all registers drowsy or off,
//! and gives no shares of the two; that a register which is off leaks nothing is our choice.

use crate::handles::RegisterRow;
use std::collections::BTreeMap;

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::slot::{Build, Destination, Operands, Properties, entry};
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistic::{Charge, Declaration};
use crate::observe::statistics::Statistics;

const DROWSY_CYCLES: Declaration = Declaration::sum(
    "register_drowsy_cycles",
    "register cycles",
    "Cycles, summed over warp registers, in which the register was allocated and drowsy.",
)
.after("register_awake_cycles")
.charges(Charge::RegisterAsleep);

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "drowsy",
    sentence: "`banked` whose registers sleep between accesses, and are off while no thread has them",
    options: &[("wake", "cycles until a drowsy register is awake, 0 to 64; default 1")],
    trials: &[
        &[("drowsy.wake", "0")],
        &[("drowsy.wake", "7"), ("banked.collectors", "1"), ("banked.hazards", "release-on-read")],
    ],
    statistics: &[DROWSY_CYCLES],
    build: &|table, shape| {
        let Options { wake } = options(table)?;
        check_range("wake", wake, 0..=64)?;
        let drowsy = Drowsy { wake: wake.into(), all: shape.registers, ..Drowsy::default() };
        Ok(Box::new(Collectors::new(Settings::shared(shape)?, shape, drowsy)))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    wake: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { wake: 1 }
    }
}

/// A register of a warp.
#[derive(Clone, Copy, Debug, Default)]
struct Register {
    /// Outstanding reads for which it was woken.
    reads: u16,
    /// Since when it has been waking up for them.
    since: u64,
}

#[derive(Debug, Default)]
struct Drowsy {
    /// Cycles until a register is awake.
    wake: u64,
    /// Warp registers that there are.
    all: u64,
    /// By hardware warp and register.
    warps: Vec<Vec<Register>>,
    /// Warp registers that are allocated, and since when.
    allocated: u64,
    since: u64,
    /// Warp registers times cycles in which they were allocated until then.
    allocated_cycles: u64,
    awake: Awake,
}

/// Warp registers that are awake, or waking up. Results are known before they are written, so a
/// change is recorded at its cycle: counts until a cycle do not change later.
#[derive(Debug, Default)]
struct Awake {
    /// Their number from cycle `since` on, and registers times cycles until then.
    registers: i64,
    since: u64,
    cycles: u64,
    /// By cycle: how many more, or fewer, there are from then on.
    changes: BTreeMap<u64, i64>,
}

impl Awake {
    /// One is awake from a cycle on, which is not before `now`.
    fn begin(&mut self, cycle: u64, now: u64) {
        self.advance(now);
        *self.changes.entry(cycle).or_default() += 1;
    }

    /// One is so no longer from a cycle on, which is not before `now`.
    fn end(&mut self, cycle: u64, now: u64) {
        self.advance(now);
        *self.changes.entry(cycle).or_default() -= 1;
    }

    /// Counts the time that has passed.
    fn advance(&mut self, now: u64) {
        while let Some(change) = self.changes.first_entry().filter(|change| *change.key() <= now) {
            let (at, more) = change.remove_entry();
            self.cycles += self.registers as u64 * (at - self.since);
            (self.registers, self.since) = (self.registers + more, at);
        }
    }

    /// Registers times cycles until a cycle.
    fn until(&self, cycle: u64) -> u64 {
        let (mut registers, mut since, mut cycles) = (self.registers, self.since, self.cycles);
        for (&at, more) in self.changes.range(..cycle) {
            cycles += registers as u64 * (at - since);
            (registers, since) = (registers + more, at);
        }
        cycles + registers as u64 * cycle.saturating_sub(since)
    }
}

impl Drowsy {
    fn register(&mut self, row: RegisterRow) -> &mut Register {
        entry(&mut self.warps, row)
    }

    /// So many registers are allocated from a cycle on.
    fn allocate(&mut self, allocated: u64, now: u64) {
        self.allocated_cycles += self.allocated * (now - self.since);
        (self.allocated, self.since) = (allocated, now);
    }
}

impl Storage for Drowsy {
    fn locate(&self, operands: &Operands, place: usize, now: u64) -> Place {
        let registers = self.warps.get(operands.warp.index());
        let index = usize::from(operands.registers()[place]);
        let since = registers.and_then(|all| all.get(index)).map_or(0, |register| register.since);
        if now < since + self.wake { Place::NotYet } else { Place::Bank }
    }

    fn collects(&mut self, operands: &Operands, now: u64) {
        for &index in operands.registers() {
            let register = self.register(operands.warp.row(index));
            register.reads += 1;
            if register.reads == 1 {
                register.since = now;
                self.awake.begin(now, now);
            }
        }
    }

    fn reads(&mut self, operands: &Operands, place: usize, now: u64) -> u64 {
        let register = self.register(operands.row(place));
        register.reads -= 1;
        if register.reads == 0 {
            self.awake.end(now + 1, now);
        }
        0
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        let awake = ready.max(banks.now() + self.wake);
        let mut cycle = awake;
        for register in result.registers() {
            cycle = banks.write(result.warp.row(register), cycle);
            let now = banks.now();
            self.awake.begin(awake - self.wake, now);
            self.awake.end(cycle + 1, now);
        }
        cycle
    }

    fn properties(&self) -> Properties {
        Properties { by_warp: true, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::WARP_ARRIVED.and(EventSet::WARP_RELEASED)
    }

    fn on_event(&mut self, event: &Event, _banks: &mut Banks, _effects: &mut Effects) {
        match *event {
            Event::WarpArrived { registers, now, .. } => {
                self.allocate(self.allocated + u64::from(registers), now);
            }
            Event::WarpReleased { registers, now, .. } => {
                self.allocate(self.allocated - u64::from(registers), now);
            }
            _ => {}
        }
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        let allocated = self.allocated_cycles + self.allocated * (cycle - self.since);
        let awake = self.awake.until(cycle);
        statistics.register_awake_cycles += awake;
        statistics.mechanisms.add(&DROWSY_CYCLES, allocated.saturating_sub(awake));
        statistics.register_off_cycles += self.all * cycle - allocated;
    }
}
