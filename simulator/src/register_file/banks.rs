//! Single-ported banks: where a register lies, and which accesses each bank has.

use std::collections::VecDeque;

use super::{Destination, RegisterCounts};

/// Where registers lie in banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Layout {
    /// Register modulo banks.
    Naive,
    /// Register + warp modulo banks.
    Swizzled,
}

/// The banks: which of them write-backs take, and what was counted.
pub(super) struct Banks {
    count: u32,
    layout: Layout,
    /// By cycle from `swept` on: banks that a write-back takes, or an access of several cycles.
    pub(super) writes: VecDeque<u64>,
    pub(super) swept: u64,
    /// Cycles of an access.
    pub(super) busy: u64,
    pub(super) counts: RegisterCounts,
    #[cfg(test)]
    pub(super) log: Vec<(u64, u8, u32)>,
}

impl Banks {
    /// So many banks.
    pub(super) fn new(count: u32, layout: Layout) -> Banks {
        Banks {
            count,
            layout,
            writes: VecDeque::new(),
            swept: 0,
            busy: 1,
            counts: RegisterCounts::default(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// The bank of a register.
    #[inline]
    pub(super) fn bank(&self, warp: u16, register: u16) -> u8 {
        let place = match self.layout {
            Layout::Naive => u32::from(register),
            Layout::Swizzled => u32::from(register) + u32::from(warp),
        };
        // Mostly a power of two: a division takes long.
        let bank = match self.count.is_power_of_two() {
            true => place & (self.count - 1),
            false => place % self.count,
        };
        bank as u8
    }

    /// The present cycle.
    pub(super) fn now(&self) -> u64 {
        self.swept
    }

    /// Forgets the write-backs of cycles before `now`.
    pub(super) fn sweep(&mut self, now: u64) {
        let over = self.writes.len().min((now - self.swept) as usize);
        self.writes.drain(..over);
        self.swept = now;
    }

    /// Whether a bank is not in use for an access that begins in a cycle.
    #[inline]
    pub(super) fn is_free(&self, bank: u8, cycle: u64) -> bool {
        let first = cycle - self.swept;
        let taken =
            |ahead: u64| self.writes.get(ahead as usize).is_some_and(|all| all >> bank & 1 != 0);
        !(first..first + self.busy).any(taken)
    }

    /// A bank is in use for an access that begins in a cycle.
    #[inline]
    pub(super) fn occupy(&mut self, bank: u8, cycle: u64) {
        let first = (cycle - self.swept) as usize;
        let end = first + self.busy as usize;
        if self.writes.len() < end {
            self.writes.resize(end, 0);
        }
        (first..end).for_each(|ahead| self.writes[ahead] |= 1 << bank);
    }

    /// Writes a register to its bank from cycle `ready` on or as soon after it as the bank has no other access: the
    /// cycle in which it is there.
    pub(super) fn write(&mut self, warp: u16, register: u16, ready: u64) -> u64 {
        self.counts.writes += 1;
        self.access(warp, register, ready)
    }

    /// Reads a register from its bank as a write-back, whose other lanes are to be written: the cycle in which it has been read.
    pub(super) fn expand(&mut self, warp: u16, register: u16, ready: u64) -> u64 {
        self.counts.reads += 1;
        self.access(warp, register, ready)
    }

    /// Uses the bank of a register as soon as it has no other access, from cycle `ready` on: the last cycle of the access.
    fn access(&mut self, warp: u16, register: u16, ready: u64) -> u64 {
        let now = self.swept;
        let mut cycle = ready.max(now);
        let bank = self.bank(warp, register);
        while !self.is_free(bank, cycle) {
            cycle += 1;
        }
        self.occupy(bank, cycle);
        let cycle = cycle + self.busy - 1;
        #[cfg(test)]
        self.log.push((cycle, bank, u32::MAX));
        cycle
    }

    /// Writes all registers of a result to their banks, one after the other: the cycle of the last one.
    pub(super) fn write_all(&mut self, result: &Destination, ready: u64) -> u64 {
        let registers = result.registers();
        registers
            .fold(ready.max(self.swept), |cycle, register| self.write(result.warp, register, cycle))
    }
}
