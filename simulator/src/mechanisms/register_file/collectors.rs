//! Single-ported banks with operand collectors, for register files that keep some registers elsewhere as well.
//!
//! Source: Aamodt, Fung, Rogers, §3.3 and §3.3.1 (after Lindholm et al. and Coon et al.): a
//! collector unit for each instruction in the register-read stage, an arbiter that gives each bank
//! one access a cycle, write-backs first; the swizzled layout of Figure 3.16. A [`Storage`] decides
//! the place from which a register is read, and that of a result. Against write-after-read hazards:
//! a warp's instructions leave in program order, or only one of them collects at a time
//! ("release-on-read warpboard" of Mishkin et al.).

use crate::handles::WarpSlot;
use std::collections::VecDeque;

use super::banks::{Banks, Layout};
use super::followed::Followed;
use super::slot::{
    Destination, Leave, MAX_OPERANDS, Operands, Properties, Reader, RegisterFile, RegisterLimits,
    ResultRegisters, Shape,
};
use crate::execute::lanes::lanes_of;
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{check_range, options};
use crate::observe::statistics::Statistics;

/// The part of a register file beside the banks.
pub(super) trait Storage: Send {
    /// Every register is in its bank, and it receives no reads.
    const ONLY_BANKS: bool = false;

    /// The place of the register at a position of some operands in a cycle.
    fn locate(&self, operands: &Operands, place: usize, now: u64) -> Place;

    /// An instruction that reads some operands, and is to write a result, has issued.
    fn issued(&mut self, _operands: &Operands, _result: Option<&Destination>, _now: u64) {}

    /// An instruction that reads some operands has got a collector.
    fn collects(&mut self, _operands: &Operands, _now: u64) {}

    /// The register at a position of some operands is read. Returns the number of cycles by which
    /// it is later than others.
    fn reads(&mut self, _operands: &Operands, _place: usize, _now: u64) -> u64 {
        0
    }

    /// An instruction has read all of its operands, and so have all older ones of its warp.
    fn has_read(&mut self, _operands: &Operands, _banks: &mut Banks) {}

    /// A result is available in cycle `ready` or, if it needs a bank, as soon after it as possible.
    /// Returns that cycle.
    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64;

    /// Its properties beside those of the collectors: see [`RegisterFile::properties`].
    fn properties(&self) -> Properties {
        Properties::default()
    }

    /// The kinds of events that it receives: see [`RegisterFile::events`].
    fn events(&self) -> EventSet {
        EventSet::NONE
    }

    /// Receives an event of a kind in [`Storage::events`].
    fn on_event(&mut self, _event: &Event, _banks: &mut Banks, _effects: &mut Effects) {}

    /// See [`RegisterFile::limits`].
    fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        None
    }

    /// Returns true if values are followed independently of the options.
    fn follows_values(&self) -> bool {
        false
    }

    /// Adds its counters until a cycle, beside those of the banks.
    fn count(&self, _statistics: &mut Statistics, _cycle: u64) {}
}

/// The place of a warp's register, in the lanes that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In its bank.
    Bank,
    /// Beside the banks.
    Beside,
    /// Some lanes are in the bank, and the others beside the banks.
    Both,
    /// It cannot be read in this cycle.
    NotYet,
}

/// The options of `banked`, which other register files with banks share.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Settings {
    pub(super) banks: u32,
    pub(super) collectors: u32,
    pub(super) latches: u32,
    pub(super) ports: u32,
    pub(super) layout: Layout,
    pub(super) hazards: Hazards,
    pub(super) follow: bool,
}

impl Settings {
    /// Reads them.
    pub(super) fn new(table: &toml::Table) -> Result<Settings, String> {
        let settings: Settings = options(table)?;
        let bounds = [
            ("banks", settings.banks, 64),
            ("collectors", settings.collectors, 64),
            ("latches", settings.latches, 64),
            ("ports", settings.ports, MAX_OPERANDS as u32),
        ];
        for (key, value, most) in bounds {
            check_range(key, value, 1..=most)?;
        }
        Ok(settings)
    }
}

impl Settings {
    /// Reads them for a register file that shares them.
    pub(super) fn shared(shape: &Shape) -> Result<Settings, String> {
        Settings::new(&shape.banked)
            .map_err(|error| format!("those that it shares with `banked`: {error}"))
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            banks: 16,
            collectors: 16,
            latches: 2,
            ports: 1,
            layout: Layout::Swizzled,
            hazards: Hazards::ProgramOrder,
            follow: false,
        }
    }
}

/// The hazard check that keeps a result from overtaking reads of the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Hazards {
    /// A warp's instructions leave in order.
    ProgramOrder,
    /// One of a warp collects at a time.
    ReleaseOnRead,
}

/// The most operand collectors: the bits of a word.
const MAX_COLLECTORS: usize = 64;

/// An instruction that collects operands.
#[derive(Clone, Copy, Debug, Default)]
struct Collector {
    token: u32,
    warp: WarpSlot,
    is_memory: bool,
    /// Operands, and those that were read, in order.
    count: u8,
    read: u8,
    /// The collector of the next instruction of its warp, [`NONE`] if there is none.
    next_of_warp: u8,
    /// The banks that are still to be read, in order, one byte each. Used by register files without
    /// other levels.
    banks: u128,
    /// It has been given all operands, and they are not there, or the pipe takes nothing, before this cycle.
    blocked: u64,
}

/// No collector.
const NONE: u8 = u8::MAX;

/// Operand collectors over banks, with their storage.
pub(super) struct Collectors<S> {
    /// The part beside the banks.
    storage: S,
    pub(super) banks: Banks,
    settings: Settings,
    /// The counters of values, if they are counted.
    followed: Option<Box<Followed>>,
    collectors: Box<[Collector; MAX_COLLECTORS]>,
    /// By warp: the collector of its youngest instruction, [`NONE`] if it has none.
    warps: Vec<u8>,
    /// By token: the operands of the instruction.
    operands: Vec<Operands>,
    /// Tokens of instructions that wait for a collector.
    latched: VecDeque<u32>,
    /// Collectors in use.
    used: u64,
    /// Collectors with operands still to read.
    reading: u64,
    /// Collectors of instructions that need no operands and have just arrived.
    whole: u64,
    /// Collectors with the oldest instruction of its warp. Only they can leave.
    oldest: u64,
    /// Collectors that have all operands, and can leave at an unknown time.
    stuck: u64,
    /// Collectors that have all operands, and cannot leave before a cycle, with the first of these
    /// cycles.
    resting: u64,
    rest_until: u64,
    /// The collector that is served first.
    turn: u32,
}

impl<S: Storage> Collectors<S> {
    /// The collectors of a machine of that shape; they follow values if the settings or the storage
    /// require it.
    pub(super) fn new(settings: Settings, shape: &Shape, storage: S) -> Collectors<S> {
        let follows = settings.follow || storage.follows_values();
        Collectors {
            storage,
            banks: Banks::new(settings.banks, settings.layout),
            settings,
            followed: follows.then(|| Box::new(Followed::new(shape.is_serial))),
            collectors: Box::new([Collector::default(); MAX_COLLECTORS]),
            warps: Vec::new(),
            operands: Vec::new(),
            latched: VecDeque::new(),
            used: 0,
            reading: 0,
            whole: 0,
            oldest: 0,
            stuck: 0,
            resting: 0,
            rest_until: u64::MAX,
            turn: 0,
        }
    }

    /// Gives an instruction a free collector.
    fn collect(&mut self, token: u32) {
        let operands = &self.operands[token as usize];
        self.storage.collects(operands, self.banks.swept);
        let index = (!self.used).trailing_zeros();
        let Operands { warp, is_memory, .. } = *operands;
        let count = operands.registers().len() as u8;
        let place = warp.index();
        if self.warps.len() <= place {
            self.warps.resize(place + 1, NONE);
        }
        let banks = if S::ONLY_BANKS { self.banks.banks(operands) } else { 0 };
        let older = std::mem::replace(&mut self.warps[place], index as u8);
        match self.collectors.get_mut(usize::from(older)) {
            Some(older) => older.next_of_warp = index as u8,
            None => self.oldest |= 1 << index,
        }
        self.collectors[index as usize % MAX_COLLECTORS] = Collector {
            token,
            warp,
            is_memory,
            count,
            banks,
            read: 0,
            next_of_warp: NONE,
            blocked: 0,
        };
        self.used |= 1 << index;
        self.reading |= u64::from(count != 0) << index;
        self.whole |= u64::from(count == 0) << index;
    }

    /// Lets instructions leave that have all operands; when the next of them can.
    fn leave(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64 {
        if self.rest_until <= now {
            (self.resting, self.rest_until) = (0, u64::MAX);
        }
        let whole = self.used & !self.reading;
        let waiting = whole & self.oldest & !self.stuck & !self.resting;
        let mut waiting = waiting.rotate_right(self.turn);
        // If there is no room for one memory instruction, there is none for the others.
        let mut is_full = false;
        while waiting != 0 {
            let index = (waiting.trailing_zeros() + self.turn) % MAX_COLLECTORS as u32;
            waiting &= waiting - 1;
            let collector = &mut self.collectors[index as usize];
            let left = if collector.blocked > now {
                Leave::NotBefore(collector.blocked)
            } else if is_full && collector.is_memory {
                Leave::NotBefore(u64::MAX)
            } else {
                leave(collector.token)
            };
            match left {
                Leave::Left => {
                    let (next, warp) = (collector.next_of_warp, collector.warp);
                    let operands = &self.operands[collector.token as usize];
                    self.used &= !(1 << index);
                    self.oldest &= !(1 << index);
                    self.storage.has_read(operands, &mut self.banks);
                    if next == NONE {
                        self.warps[warp.index()] = NONE;
                        continue;
                    }
                    self.oldest |= 1 << next;
                    // The next instruction of the warp leaves in this cycle if its turn is later.
                    let turns = |index: u32| index.wrapping_sub(self.turn) % MAX_COLLECTORS as u32;
                    let next = u32::from(next);
                    if whole >> next & 1 != 0 && turns(next) > turns(index) {
                        waiting |= 1 << turns(next);
                    }
                }
                Leave::NotBefore(u64::MAX) => {
                    is_full = true;
                    self.stuck |= 1 << index;
                }
                Leave::NotBefore(cycle) => {
                    collector.blocked = cycle;
                    self.resting |= 1 << index;
                    self.rest_until = self.rest_until.min(cycle);
                }
            }
        }
        self.rest_until
    }

    /// Gives each bank to a collector, in the cycle up to which write-backs are forgotten.
    fn read(&mut self) {
        if S::ONLY_BANKS && self.settings.ports == 1 && self.banks.busy == 1 {
            self.read_banks();
        } else {
            self.read_anything();
        }
        self.turn = (self.turn + 1) % 64;
    }

    /// The same if every register is in its bank, and a collector receives one operand per cycle.
    #[inline]
    fn read_banks(&mut self) {
        let mut taken = self.banks.taken_in(self.banks.swept);
        let mut reading = self.reading;
        let (mut reads, mut conflicts) = (0, 0);
        for place in lanes_of(self.reading.rotate_right(self.turn)) {
            let index = (place + self.turn as usize) % MAX_COLLECTORS;
            let collector = &mut self.collectors[index];
            let bank = collector.banks as u8;
            if taken >> bank & 1 != 0 {
                conflicts += 1;
                continue;
            }
            taken |= 1 << bank;
            reads += 1;
            #[cfg(test)]
            self.banks.log.push((self.banks.swept, bank, collector.token));
            collector.banks >>= 8;
            collector.read += 1;
            if collector.read == collector.count {
                reading &= !(1 << index);
            }
        }
        self.reading = reading;
        self.banks.counts.reads += reads;
        self.banks.counts.conflicts += conflicts;
    }

    /// The same for any register file.
    fn read_anything(&mut self) {
        let banks = &mut self.banks;
        let mut taken = banks.taken_in(banks.swept);
        let mut reading = self.reading.rotate_right(self.turn);
        while reading != 0 {
            let index = (reading.trailing_zeros() + self.turn) as usize % MAX_COLLECTORS;
            reading &= reading - 1;
            let collector = &mut self.collectors[index];
            let operands = &self.operands[collector.token as usize];
            for _ in 0..self.settings.ports {
                let at = usize::from(collector.read);
                if collector.read == collector.count {
                    break;
                }
                let place = self.storage.locate(operands, at, banks.swept);
                if place == Place::NotYet {
                    break;
                }
                if place != Place::Beside {
                    let bank = banks.bank(operands.row(at));
                    if taken >> bank & 1 != 0 || banks.busy > 1 && !banks.is_free(bank, banks.swept)
                    {
                        banks.counts.conflicts += 1;
                        break;
                    }
                    taken |= 1 << bank;
                    if banks.busy > 1 {
                        banks.occupy(bank, banks.swept);
                        collector.blocked = banks.swept + banks.busy;
                    }
                    banks.counts.reads += 1;
                    #[cfg(test)]
                    banks.log.push((banks.swept, bank, collector.token));
                }
                banks.counts.cache_reads += u64::from(place != Place::Bank);
                let later = self.storage.reads(operands, at, banks.swept);
                if later != 0 {
                    collector.blocked = collector.blocked.max(banks.swept + 1 + later);
                }
                collector.read += 1;
            }
            if collector.read == collector.count {
                self.reading &= !(1 << index);
            }
        }
    }
}

impl<S: Storage> Collectors<S> {
    /// Returns true if it admits every instruction at any time.
    fn admits_all(&self) -> bool {
        self.settings.hazards == Hazards::ProgramOrder
    }

    /// Returns true if all collectors are used. The first one that is free always is next.
    fn is_full(&self) -> bool {
        self.used.trailing_ones() == self.settings.collectors
    }
}

impl<S: Storage> RegisterFile for Collectors<S> {
    #[inline]
    fn has_room(&self) -> bool {
        self.latched.len() < self.settings.latches as usize
    }

    fn admits(&self, warp: WarpSlot) -> bool {
        self.admits_all() || {
            let mut used = self.collectors.iter().enumerate();
            !used.any(|(i, collector)| self.used >> i & 1 != 0 && collector.warp == warp)
                && self.latched.iter().all(|&token| self.operands[token as usize].warp != warp)
        }
    }

    fn properties(&self) -> Properties {
        let own = self.storage.properties();
        let by_warp = own.by_warp || self.followed.is_some();
        Properties { admits_all: self.admits_all(), by_warp, ..own }
    }

    fn events(&self) -> EventSet {
        match self.followed {
            Some(_) => self.storage.events().and(Followed::EVENTS),
            None => self.storage.events(),
        }
    }

    fn on_event(&mut self, event: &Event, effects: &mut Effects) {
        if let Event::ActiveChanged { now, .. }
        | Event::RegisterLoaded { now, .. }
        | Event::CycleEnded { now } = *event
        {
            self.banks.sweep(now);
        }
        if let Some(followed) = &mut self.followed {
            followed.on_event(event);
        }
        self.storage.on_event(event, &mut self.banks, effects);
    }

    fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        self.storage.limits()
    }

    fn enter(
        &mut self,
        token: u32,
        registers: &Operands,
        reader: Reader,
        result: Option<&ResultRegisters>,
        now: u64,
    ) -> bool {
        let place = token as usize;
        if self.operands.len() <= place {
            self.operands.resize(place + 1, Operands::default());
        }
        let operands = &mut self.operands[place];
        *operands = registers.read_by(reader);
        let result = result.map(|result| result.of(reader.warp, reader.lanes));
        if let Some(followed) = &mut self.followed {
            followed.issued(operands, result.as_ref(), now);
        }
        self.storage.issued(operands, result.as_ref(), now);
        self.latched.push_back(token);
        self.has_room()
    }

    fn step(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64 {
        if self.is_empty() {
            return u64::MAX;
        }
        self.banks.sweep(now);
        let before = self.used;
        let next = self.leave(now, leave);
        let someone_left = self.used != before;
        while !self.is_full()
            && let Some(token) = self.latched.pop_front()
        {
            self.collect(token);
        }
        let was_reading = self.reading;
        self.read();
        // An instruction that has all operands now leaves in the next cycle.
        let is_full = self.is_full();
        if was_reading != 0
            || self.whole != 0
            || someone_left && !self.is_empty()
            || !is_full && !self.latched.is_empty()
        {
            self.whole = 0;
            return now + 1;
        }
        next
    }

    fn wake(&mut self) {
        self.stuck = 0;
    }

    fn write(&mut self, result: &Destination, ready: u64, now: u64) -> u64 {
        self.banks.sweep(now);
        if let Some(followed) = &mut self.followed {
            followed.write(result);
        }
        self.storage.write(result, ready, &mut self.banks)
    }

    fn is_reading(&self) -> bool {
        self.reading != 0
    }

    fn is_empty(&self) -> bool {
        self.used == 0 && self.latched.is_empty()
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        self.banks.counts.add_to(statistics);
        if let Some(followed) = &self.followed {
            followed.count(statistics, cycle);
        }
        self.storage.count(statistics, cycle);
    }
}
