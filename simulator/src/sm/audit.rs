//! Audits the timing model when a launch requests it. An instruction may issue only when all its
//! operands have arrived, and every line that its lanes touch must be requested from memory. Values
//! are computed at issue, so no result would show an error.
//!
//! The arrival of registers is kept apart from the scoreboards, and from an instruction's declared
//! needs: it is computed from the operands.

use std::ops::Range;

use crate::block::path::Lanes;
use crate::execute::lanes::lanes_of;
use crate::handles::{LoadId, Token};
use crate::machine::clock::NEVER;
use crate::memory::bytes::SECTOR;
use crate::memory::coalesce::LineAccess;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// Names an in-flight result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResultId {
    /// The result of a load or atomic.
    Load(LoadId),
    /// The result of an instruction that collects operands.
    Collecting(Token),
    /// The result of a mechanism's own unit, which is known at once.
    AtOnce,
}

impl ResultId {
    /// The load, if it is one's.
    pub(super) fn load(self) -> Option<LoadId> {
        match self {
            ResultId::Load(load) => Some(load),
            ResultId::Collecting(_) | ResultId::AtOnce => None,
        }
    }
}

/// The audit of a block. It goes by threads, independently of their paths and scoreboards.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// By thread, register, then predicate: the cycle of its arrival. Empty without an audit.
    there: Vec<u64>,
    /// The same: the cycle from which it can be read without being forwarded.
    written: Vec<u64>,
    width: usize,
    /// Entries of a thread, and of these the registers.
    entries: usize,
    registers: usize,
    /// In-flight results with the registers that they write.
    results: Vec<(ResultId, Vec<usize>)>,
    /// The lanes of the instruction that was issued last, and those in which it acted.
    last: Option<(Lanes, u64)>,
}

impl Audit {
    /// A block starts.
    pub(super) fn reset(&mut self, code: &Code) {
        self.width = code.shape.width as usize;
        self.registers = code.registers;
        self.entries = if code.verify { code.registers + code.predicates } else { 0 };
        for times in [&mut self.there, &mut self.written] {
            times.clear();
            times.resize(code.shape.warps() as usize * self.width * self.entries, 0);
        }
        self.results.clear();
        self.last = None;
    }

    fn is_off(&self) -> bool {
        self.there.is_empty()
    }

    /// The places of entries for the threads in some lanes.
    fn places<'a>(
        &'a self,
        lanes: &'a Lanes,
        mask: u64,
        entries: Range<usize>,
    ) -> impl Iterator<Item = usize> + 'a {
        let threads = lanes_of(mask).filter_map(|lane| lanes.thread(lane, self.width));
        threads.flat_map(move |thread| {
            entries.clone().map(move |entry| usize::from(thread.0) * self.entries + entry)
        })
    }

    fn predicate(&self, index: u16) -> Range<usize> {
        let entry = self.registers + usize::from(index);
        entry..entry + 1
    }

    /// Returns true if an instruction of a path that issues now reads a value that has not arrived.
    #[inline]
    pub(super) fn is_early(&self, lanes: &Lanes, instruction: &Decoded, now: u64) -> bool {
        !self.is_off() && self.reads_early(lanes, instruction, now)
    }

    #[cold]
    fn reads_early(&self, lanes: &Lanes, instruction: &Decoded, now: u64) -> bool {
        let times = if instruction.control.reads_unforwarded { &self.written } else { &self.there };
        let late =
            |entries| self.places(lanes, lanes.mask(), entries).any(|place| times[place] > now);
        instruction.guard.is_some_and(|(at, _)| late(self.predicate(at)))
            || instruction.sources.iter().any(|source| match *source {
                Source::Register { index, words } => late(entries(index, words)),
                Source::Predicate { index, .. } => late(self.predicate(index)),
                _ => false,
            })
    }

    /// An instruction has issued.
    pub(super) fn issued(&mut self, lanes: &Lanes, mask: u64) {
        self.last = (!self.is_off()).then(|| (lanes.clone(), mask));
    }

    /// The result of the last issued instruction is in flight, under a number of its own.
    #[inline]
    pub(super) fn loading(&mut self, instruction: &Decoded, load: ResultId) {
        if !self.is_off() {
            self.note(instruction, load);
        }
    }

    #[cold]
    fn note(&mut self, instruction: &Decoded, load: ResultId) {
        let Some((lanes, mask)) = self.last.take() else {
            return;
        };
        let entries = match instruction.target {
            Target::None => 0..0,
            Target::Register { index, words } => entries(index, words),
            Target::Predicate(index) => self.predicate(index),
        };
        let written: Vec<usize> = self.places(&lanes, mask, entries).collect();
        for &place in &written {
            (self.there[place], self.written[place]) = (NEVER, NEVER);
        }
        self.results.push((load, written));
    }

    /// A result of a path of one warp is available from a cycle on, except in some lanes.
    pub(super) fn partly_loaded(&mut self, load: ResultId, missed: u64, ready: u64) {
        let lane = |place: usize| place / self.entries % self.width;
        if let Some((_, places)) = self.results.iter_mut().find(|(known, _)| *known == load) {
            places.retain(|&place| {
                let has_missed = missed >> lane(place) & 1 != 0;
                if !has_missed {
                    (self.there[place], self.written[place]) = (ready, ready);
                }
                has_missed
            });
        }
    }

    /// A result is available from a cycle on.
    #[inline]
    pub(super) fn loaded(&mut self, load: ResultId, ready: u64) {
        if !self.is_off()
            && let Some(at) = self.results.iter().position(|(known, _)| *known == load)
        {
            let forwarded = u64::from(load == ResultId::AtOnce);
            for place in self.results.swap_remove(at).1 {
                (self.there[place], self.written[place]) = (ready, ready + forwarded);
            }
        }
    }
}

/// The entries of some registers.
fn entries(first: u16, words: u8) -> Range<usize> {
    usize::from(first)..usize::from(first) + usize::from(words)
}

/// Returns true if some line accesses cover all of some addresses of lanes.
pub(super) fn covers(
    lines: &[LineAccess],
    size: u32,
    mut addresses: impl Iterator<Item = u64>,
) -> bool {
    let base = |address: u64| address & !(u64::from(size) - 1);
    addresses.all(|address| {
        let sector = (address - base(address)) / u64::from(SECTOR);
        lines.iter().any(|line| line.line == base(address) && line.sectors >> sector & 1 != 0)
    })
}
