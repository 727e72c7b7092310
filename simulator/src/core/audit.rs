//! Looks whether the timing model does what it says, when a launch asks for its claims to be checked:
//! an instruction issues only when everything that it reads is there, and memory is asked for every
//! line that its lanes touch. Values are computed at issue, so that no result would show it.
//!
//! When registers are there is kept apart from the scoreboards, and from what an instruction is said
//! to need: from its operands.

use super::load_store::{LineKind, LoadId};
use crate::decode::{Code, Decoded, Source, Target};
use crate::memory::coalesce::LineAccess;
use crate::memory::{NEVER, SECTOR};

/// The audit of a block.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// By scoreboard, register, then predicate: the cycle in which it is there. Empty when nobody
    /// asked for an audit.
    there: Vec<u64>,
    /// Entries of a scoreboard, and of these the registers.
    entries: usize,
    registers: usize,
    /// Loads under way with what they write.
    loads: Vec<(LoadId, Vec<usize>)>,
}

impl Audit {
    /// A block starts.
    pub(super) fn reset(&mut self, code: &Code, scoreboards: usize) {
        self.registers = code.registers;
        self.entries = if code.verify { code.registers + code.predicates } else { 0 };
        self.there.clear();
        self.there.resize(scoreboards * self.entries, 0);
        self.loads.clear();
    }

    fn is_off(&self) -> bool {
        self.there.is_empty()
    }

    fn words(&self, scoreboard: u16, first: u16, pair: bool) -> std::ops::Range<usize> {
        let first = usize::from(scoreboard) * self.entries + usize::from(first);
        first..first + 1 + usize::from(pair)
    }

    fn predicate(&self, scoreboard: u16, index: u16) -> usize {
        usize::from(scoreboard) * self.entries + self.registers + usize::from(index)
    }

    /// Whether an instruction that issues now reads what is not there yet.
    pub(super) fn is_early(&self, scoreboard: u16, instruction: &Decoded, now: u64) -> bool {
        if self.is_off() {
            return false;
        }
        let late = |entry: usize| self.there[entry] > now;
        let guard = instruction.guard.is_some_and(|(at, _)| late(self.predicate(scoreboard, at)));
        guard
            || instruction.sources.iter().any(|source| match *source {
                Source::Register { index, pair } => self.words(scoreboard, index, pair).any(late),
                Source::Predicate { index, .. } => late(self.predicate(scoreboard, index)),
                _ => false,
            })
    }

    /// The entries that an instruction writes.
    fn written(&self, scoreboard: u16, instruction: &Decoded) -> Vec<usize> {
        match instruction.target {
            Target::None => Vec::new(),
            Target::Register { index, pair } => self.words(scoreboard, index, pair).collect(),
            Target::Predicate(index) => vec![self.predicate(scoreboard, index)],
        }
    }

    /// A result is under way, under a number of its own.
    pub(super) fn loading(&mut self, scoreboard: u16, instruction: &Decoded, load: LoadId) {
        if !self.is_off() {
            let written = self.written(scoreboard, instruction);
            written.iter().for_each(|&entry| self.there[entry] = NEVER);
            self.loads.push((load, written));
        }
    }

    /// A result is there from a cycle on.
    pub(super) fn loaded(&mut self, load: LoadId, ready: u64) {
        if let Some(at) = self.loads.iter().position(|(known, _)| *known == load) {
            for entry in self.loads.swap_remove(at).1 {
                self.there[entry] = ready;
            }
        }
    }
}

/// Whether some line accesses cover all of some addresses of lanes.
pub(super) fn covers(
    lines: &[(LineAccess, LineKind)],
    size: u32,
    mut addresses: impl Iterator<Item = u64>,
) -> bool {
    let base = |address: u64| address & !(u64::from(size) - 1);
    addresses.all(|address| {
        let sector = (address - base(address)) / u64::from(SECTOR);
        let mut lines = lines.iter().map(|(line, _)| line);
        lines.any(|line| line.line == base(address) && line.sectors >> sector & 1 != 0)
    })
}
