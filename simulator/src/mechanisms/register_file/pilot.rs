//! `pilot`: a few registers of each warp are in a fast part, the others in banks that take several cycles an access (pilot
//! register file).
//!
//! Source: Aamodt, Fung, Rogers, §3.6.4 (after Abdel-Majeed et al.). The slow part has
//! near-threshold SRAM of low energy. The same registers are in the fast part for all warps, four
//! of each: those that a pilot block accesses most. A warp's registers keep their places from its
//! start to its end.
//!
//! Decisions where the source is open: the pilot of an SM is the first block that starts there.
//! Warps that start before its end have their lowest registers in the fast part. Reads and writes
//! count alike, and among equal registers the lower one is taken. The fast part has enough ports; a
//! bank of the slow part is in use for the whole of an access.
//!
//! Energies (`energy-model`): an access of the slow part takes 7.03 pJ and one of the fast part 7.65 pJ
//! where one of a file without parts takes 14.9 pJ; the slow part leaks 13.4 mW and the fast part
//! 7.28 mW of the file's 33.8 mW (Abdel-Majeed et al., "Pilot register file: energy efficient
//! partitioned register file for GPUs", HPCA 2017: 256 KB, of which 32 KB are fast). Machine files
//! have these ratios times their own values. The low-power mode of the fast part of inactive warps,
//! 5.25 pJ an access, is not modelled.

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::slot::{Build, Destination, Operands, Properties};
use crate::handles::{RegisterRow, WarpSlot};
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistics::Statistics;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "pilot",
    sentence: "the registers that a pilot block accesses most are fast, banks take several cycles for the others",
    options: &[
        ("fast", "registers of each warp in the fast part, 0 to 64; default 4"),
        ("slow", "cycles of an access to a bank, 1 to 64; default 3"),
    ],
    trials: &[
        &[("pilot.fast", "0"), ("pilot.slow", "5"), ("banked.banks", "1")],
        &[("pilot.slow", "1"), ("banked.hazards", "release-on-read")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let Options { fast, slow } = options(table)?;
        check_range("fast", fast, 0..=64)?;
        check_range("slow", slow, 1..=64)?;
        let fast_registers = (u64::from(fast) * u64::from(shape.warps)).min(shape.registers);
        let parts = [fast_registers, shape.registers - fast_registers];
        let pilot = Pilot { parts, ..Pilot::new(fast as usize) };
        let mut file = Collectors::new(Settings::shared(shape)?, shape, pilot);
        file.banks.busy = slow.into();
        Ok(Box::new(file))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    fast: u32,
    slow: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { fast: 4, slow: 3 }
    }
}

/// The accesses of the pilot block.
#[derive(Debug, Default)]
struct Profile {
    /// Its start, and its warps that have not ended.
    start: u64,
    warps: Vec<WarpSlot>,
    /// By register.
    accesses: Vec<u64>,
}

struct Pilot {
    count: usize,
    /// The pilot block; nothing before it has started and after it has ended.
    profile: Option<Profile>,
    has_started: bool,
    /// The fast registers of warps that start.
    fast: Vec<u16>,
    /// By hardware warp: which are.
    warps: Vec<Vec<u16>>,
    writes: u64,
    /// Warp registers of the fast part, and of the slow one.
    parts: [u64; 2],
}

impl Pilot {
    fn new(count: usize) -> Pilot {
        Pilot {
            count,
            profile: None,
            has_started: false,
            fast: (0..count as u16).collect(),
            warps: Vec::new(),
            writes: 0,
            parts: [0; 2],
        }
    }

    fn is_fast(&self, row: RegisterRow) -> bool {
        self.warps.get(row.warp.index()).is_some_and(|fast| fast.contains(&row.register))
    }

    /// A warp arrives.
    fn start(&mut self, warp: WarpSlot, now: u64) {
        // Warps of one block start in one cycle, those of others in others.
        if !self.has_started {
            self.has_started = true;
            self.profile = Some(Profile { start: now, ..Profile::default() });
        }
        if let Some(profile) = self.profile.as_mut().filter(|profile| profile.start == now) {
            profile.warps.push(warp);
        }
        let warp = warp.index();
        if self.warps.len() <= warp {
            self.warps.resize_with(warp + 1, Vec::new);
        }
        self.warps[warp].clone_from(&self.fast);
    }

    /// The block of a warp has ended.
    fn release(&mut self, warp: WarpSlot) {
        let Some(profile) = &mut self.profile else {
            return;
        };
        profile.warps.retain(|other| *other != warp);
        if profile.warps.is_empty() {
            let accesses = std::mem::take(&mut profile.accesses);
            let mut registers: Vec<u16> = (0..accesses.len() as u16).collect();
            registers.sort_by_key(|&register| std::cmp::Reverse(accesses[usize::from(register)]));
            registers.truncate(self.count);
            self.fast = registers;
            self.profile = None;
        }
    }

    /// A register of a warp is accessed.
    fn note(&mut self, row: RegisterRow) {
        let Some(profile) =
            self.profile.as_mut().filter(|profile| profile.warps.contains(&row.warp))
        else {
            return;
        };
        let register = usize::from(row.register);
        if profile.accesses.len() <= register {
            profile.accesses.resize(register + 1, 0);
        }
        profile.accesses[register] += 1;
    }
}

impl Storage for Pilot {
    fn locate(&self, operands: &Operands, place: usize, _now: u64) -> Place {
        match self.is_fast(operands.row(place)) {
            true => Place::Beside,
            false => Place::Bank,
        }
    }

    fn reads(&mut self, operands: &Operands, place: usize, _now: u64) -> u64 {
        self.note(operands.row(place));
        0
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        let mut cycle = ready.max(banks.now());
        for register in result.registers() {
            self.note(result.warp.row(register));
            if self.is_fast(result.warp.row(register)) {
                self.writes += 1;
            } else {
                cycle = banks.write(result.warp.row(register), cycle);
            }
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
            Event::WarpArrived { warp, now, .. } => self.start(warp, now),
            Event::WarpReleased { warp, .. } => self.release(warp),
            _ => {}
        }
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        statistics.register_cache_writes += self.writes;
        let [fast, slow] = self.parts.map(|registers| registers * cycle);
        statistics.register_fast_cycles += fast;
        statistics.register_slow_cycles += slow;
    }
}
