//! Which registers are on their way, and when they arrive.
//!
//! A path may issue when everything that it reads or writes is there (read after write, write after
//! write). Writes happen at issue, so there is no write-after-read hazard.

use crate::decode::Entries;

/// When a register is there: a cycle, whether memory brings it, or a load whose end is not known.
/// Ordered by time; an unknown end is later than every cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ready(u64);

/// From here on the number means a load.
const PENDING: u64 = 1 << 63;

impl Ready {
    pub(crate) const NOW: Ready = Ready(0);

    pub(crate) fn computed(cycle: u64) -> Ready {
        Ready(cycle << 1)
    }

    pub(crate) fn loaded(cycle: u64) -> Ready {
        Ready(cycle << 1 | 1)
    }

    /// A load brings it, at a time that is not known.
    pub(crate) fn pending(load: u32) -> Ready {
        Ready(PENDING | u64::from(load) << 1 | 1)
    }

    /// An instruction that still collects operands computes it.
    pub(crate) fn collecting(token: u32) -> Ready {
        Ready(PENDING | u64::from(token) << 1)
    }

    /// The cycle, if it is known.
    pub(crate) fn cycle(self) -> Option<u64> {
        (self.0 < PENDING).then_some(self.0 >> 1)
    }

    /// Whether memory brings it.
    pub(crate) fn is_memory(self) -> bool {
        self.0 & 1 != 0
    }
}

/// The scoreboards of a block: one per slot, each with an entry per register.
#[derive(Debug, Default)]
pub(crate) struct Scoreboards {
    ready: Vec<Ready>,
    entries: usize,
}

impl Scoreboards {
    pub(crate) fn reset(&mut self, scoreboards: usize, entries: usize) {
        self.entries = entries;
        self.ready.clear();
        self.ready.resize(scoreboards * entries, Ready::NOW);
    }

    /// When all of some entries are there.
    #[inline]
    pub(crate) fn ready(&self, scoreboard: u16, needs: &Entries) -> Ready {
        let row = &self.ready[usize::from(scoreboard) * self.entries..][..self.entries];
        needs.iter().map(|entry| row[entry]).max().unwrap_or(Ready::NOW)
    }

    /// Some entries are being written.
    #[inline]
    pub(crate) fn write(&mut self, scoreboard: u16, entries: &Entries, ready: Ready) {
        let row = &mut self.ready[usize::from(scoreboard) * self.entries..][..self.entries];
        for entry in entries.iter() {
            row[entry] = ready;
        }
    }

    /// When something comes has become known: entries that still wait for it, in any of some scoreboards
    /// (a scheme may have copied them), are there at `ready`.
    pub(crate) fn resolve(
        &mut self,
        scoreboards: std::ops::Range<usize>,
        entries: &Entries,
        pending: Ready,
        ready: Ready,
    ) {
        for scoreboard in scoreboards {
            let row = &mut self.ready[scoreboard * self.entries..][..self.entries];
            for entry in entries.iter() {
                if row[entry] == pending {
                    row[entry] = ready;
                }
            }
        }
    }
}
