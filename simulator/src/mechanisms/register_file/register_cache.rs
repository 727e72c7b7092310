//! `register-cache`: a few registers of each thread of an active warp, in front of the banks (register file cache, RFC).
//!
//! Source: Aamodt, Fung, Rogers, §3.6.1 (after Gebhart et al.). A result takes an entry, first in
//! first out; a source that is not there is read from its bank and takes none. An evicted value is
//! written to its bank, unless `!last` has marked its last read. A warp that becomes inactive, as
//! it does under the active pool of `two-level` when it waits for memory or at a barrier, loses its
//! entries when its issued instructions have read their operands; later results go to banks.
//!
//! Decisions where the book is open: a result whose register has an entry goes there, and the entry
//! keeps its age. The cache has the ports that the collectors need. An entry records for each lane
//! if it has the lane's value and if that is dead; values that paths of one warp have written at
//! different places are read from both. An entry is taken when its instruction starts in its pipe.
//! Until its earlier value is in its bank, that is read from the entry. When all threads of a warp
//! have ended, nothing of it is written back.

use crate::handles::WarpSlot;
use std::collections::VecDeque;

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::slot::{Build, Destination, Operands, Properties};
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistics::Statistics;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "register-cache",
    sentence: "`banked` with a few entries a thread in front, which take results; dead values are not written back",
    options: &[
        ("entries", "entries of each thread of an active warp, 1 to 64; default 6"),
        (
            "last-reads",
            "whether values are dropped that `!last` says are dead: `true` (default) or `false`",
        ),
    ],
    trials: &[
        &[("register-cache.entries", "1"), ("banked.banks", "1")],
        &[("register-cache.last-reads", "false"), ("banked.hazards", "release-on-read")],
        &[
            ("register-cache.entries", "3"),
            ("scheduler", "two-level"),
            ("two-level.variant", "active-pool"),
            ("two-level.pool", "1"),
        ],
    ],
    statistics: &[],
    build: &|table, shape| {
        let Options { entries, last_reads } = options(table)?;
        check_range("entries", entries, 1..=64)?;
        let last_reads = match (last_reads, shape.is_serial) {
            (false, _) => LastReads::Ignored,
            (true, true) => LastReads::OfWarp,
            (true, false) => LastReads::OfReaders,
        };
        let cache = Cache::new(entries as usize, last_reads);
        Ok(Box::new(Collectors::new(Settings::shared(shape)?, shape, cache)))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Options {
    entries: u32,
    last_reads: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { entries: 6, last_reads: true }
    }
}

/// The lanes whose values a last read ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastReads {
    Ignored,
    /// The values of all lanes of the warp.
    OfWarp,
    /// The values of the lanes that read: paths of the warp interleave in ways unknown to the
    /// compiler.
    OfReaders,
}

/// An entry of all threads of a warp.
#[derive(Clone, Copy, Debug)]
struct Entry {
    register: u16,
    /// The lanes whose value is present; and those among them that no longer need it.
    lanes: u64,
    dead: u64,
    /// The arrival of the latest value.
    ready: u64,
}

/// The state of a hardware warp's entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// It has none.
    #[default]
    Inactive,
    /// Results take them.
    Active,
    /// Results take them until all instructions that have issued have read.
    Leaving,
    /// All of its threads have ended: they are not needed.
    Ended,
}

/// The entries of a hardware warp.
#[derive(Clone, Debug, Default)]
struct Warp {
    state: State,
    /// Instructions that have issued and are still to read.
    reading: u32,
    /// The oldest first.
    entries: VecDeque<Entry>,
}

/// A value in flight to its bank.
#[derive(Clone, Copy, Debug)]
struct WriteBack {
    warp: WarpSlot,
    register: u16,
    lanes: u64,
    /// The cycle in which it is in its bank.
    done: u64,
}

struct Cache {
    entries: usize,
    last_reads: LastReads,
    /// By hardware warp.
    warps: Vec<Warp>,
    write_backs: Vec<WriteBack>,
    /// Registers of warps written to it, written from it to banks, and dropped because nothing reads them again.
    written: u64,
    written_back: u64,
    dropped: u64,
}

impl Cache {
    fn new(entries: usize, last_reads: LastReads) -> Cache {
        Cache {
            entries,
            last_reads,
            warps: Vec::new(),
            write_backs: Vec::new(),
            written: 0,
            written_back: 0,
            dropped: 0,
        }
    }

    fn warp(&mut self, warp: WarpSlot) -> &mut Warp {
        let warp = warp.index();
        if self.warps.len() <= warp {
            self.warps.resize_with(warp + 1, Warp::default);
        }
        &mut self.warps[warp]
    }

    /// A value has left its entry, in which it is replaced in a cycle.
    fn leaves(&mut self, warp: WarpSlot, entry: Entry, replaced: u64, banks: &mut Banks) {
        if entry.lanes == 0 {
            return;
        }
        let lanes = entry.lanes & !entry.dead;
        if lanes == 0 || self.warp(warp).state == State::Ended {
            self.dropped += 1;
            return;
        }
        let done = banks.write(warp.row(entry.register), replaced.max(entry.ready));
        self.written_back += 1;
        let now = banks.now();
        self.write_backs.retain(|other| other.done >= now);
        self.write_backs.push(WriteBack { warp, register: entry.register, lanes, done });
    }

    /// A result goes to an entry, in which it is in cycle `ready`.
    fn allocate(&mut self, result: &Destination, register: u16, ready: u64, banks: &mut Banks) {
        self.written += 1;
        let most = self.entries;
        let entries = &mut self.warp(result.warp).entries;
        if let Some(entry) = entries.iter_mut().find(|entry| entry.register == register) {
            entry.lanes |= result.lanes;
            entry.dead &= !result.lanes;
            entry.ready = ready;
            return;
        }
        let oldest = if entries.len() == most { entries.pop_front() } else { None };
        entries.push_back(Entry { register, lanes: result.lanes, dead: 0, ready });
        if let Some(oldest) = oldest {
            self.leaves(result.warp, oldest, ready, banks);
        }
    }

    /// The entries of a result's registers lose their values.
    fn bypass(&mut self, result: &Destination) {
        for register in result.registers() {
            let entries = &mut self.warp(result.warp).entries;
            if let Some(entry) = entries.iter_mut().find(|entry| entry.register == register) {
                entry.lanes &= !result.lanes;
            }
        }
    }

    /// A warp becomes active, or inactive.
    fn set_active(&mut self, warp: WarpSlot, active: bool, banks: &mut Banks) {
        let Warp { state, reading, entries } = self.warp(warp);
        match (*state, active) {
            (State::Ended, false) | (State::Inactive, false) => {}
            (State::Ended, true) => {
                // Another block's warp has its place.
                entries.clear();
                *state = State::Active;
            }
            (State::Inactive | State::Active | State::Leaving, true) => *state = State::Active,
            (State::Active | State::Leaving, false) => {
                *state = State::Leaving;
                if *reading == 0 {
                    self.flush(warp, banks);
                }
            }
        }
    }

    /// A warp loses its entries.
    fn flush(&mut self, warp: WarpSlot, banks: &mut Banks) {
        let state = self.warp(warp);
        state.state = State::Inactive;
        for entry in std::mem::take(&mut state.entries) {
            self.leaves(warp, entry, banks.now(), banks);
        }
    }
}

impl Storage for Cache {
    fn locate(&self, operands: &Operands, place: usize, now: u64) -> Place {
        let register = operands.registers()[place];
        let entries = self.warps.get(operands.warp.index()).into_iter();
        let here = entries.flat_map(|warp| &warp.entries).filter(|it| it.register == register);
        let is_leaving =
            |it: &&WriteBack| (it.warp, it.register) == (operands.warp, register) && it.done >= now;
        let leaving = self.write_backs.iter().filter(is_leaving).map(|it| it.lanes);
        let lanes = here.map(|entry| entry.lanes).chain(leaving).fold(0, |all, lanes| all | lanes);
        match operands.lanes & !lanes {
            0 => Place::Beside,
            rest if rest == operands.lanes => Place::Bank,
            _ => Place::Both,
        }
    }

    fn issued(&mut self, operands: &Operands, _result: Option<&Destination>, _now: u64) {
        self.warp(operands.warp).reading += 1;
    }

    fn has_read(&mut self, operands: &Operands, banks: &mut Banks) {
        let dead = match self.last_reads {
            LastReads::Ignored => 0,
            LastReads::OfWarp => !0,
            LastReads::OfReaders => operands.lanes,
        };
        let Warp { state, reading, entries } = self.warp(operands.warp);
        *reading -= 1;
        for (place, register) in operands.registers().iter().enumerate() {
            if operands.is_last(place)
                && let Some(entry) = entries.iter_mut().find(|entry| entry.register == *register)
            {
                entry.dead |= dead;
            }
        }
        if *state == State::Leaving && *reading == 0 {
            self.flush(operands.warp, banks);
        }
    }

    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        match self.warp(result.warp).state {
            State::Inactive => return banks.write_all(result, ready),
            State::Active | State::Leaving | State::Ended => {}
        }
        let ready = ready.max(banks.now());
        for register in result.registers() {
            self.allocate(result, register, ready, banks);
        }
        ready
    }

    fn follows_values(&self) -> bool {
        true
    }

    fn properties(&self) -> Properties {
        Properties { by_warp: true, ..Properties::default() }
    }

    fn events(&self) -> EventSet {
        EventSet::THREADS_ENDED.and(EventSet::ACTIVE_CHANGED).and(EventSet::BYPASSED)
    }

    fn on_event(&mut self, event: &Event, banks: &mut Banks, _effects: &mut Effects) {
        match *event {
            Event::ThreadsEnded { warp, .. } => self.warp(warp).state = State::Ended,
            Event::ActiveChanged { warp, active, .. } => self.set_active(warp, active, banks),
            Event::Bypassed { result, .. } => self.bypass(result),
            _ => {}
        }
    }

    fn count(&self, statistics: &mut Statistics, _cycle: u64) {
        statistics.register_cache_writes += self.written;
        statistics.register_write_backs += self.written_back;
        statistics.register_write_backs_saved += self.dropped;
    }
}
