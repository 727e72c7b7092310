//! Single-ported banks: where a register lies, and which accesses each bank has.

use super::slot::{Destination, Operands, RegisterCounts};
use crate::handles::RegisterRow;

/// The mapping of registers to banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Layout {
    /// Register modulo banks.
    Naive,
    /// Register + warp modulo banks.
    Swizzled,
}

/// The banks, with the slots that write-backs take, and their counts.
pub(super) struct Banks {
    count: u32,
    /// One less than that if it is a power of two above 1, otherwise 0.
    mask: u32,
    layout: Layout,
    /// By cycle from `swept` on, modulo its length, a power of two: banks that a write-back takes, or an access of several
    /// cycles.
    taken: Vec<u64>,
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
            mask: if count.is_power_of_two() { count - 1 } else { 0 },
            layout,
            taken: vec![0; 64],
            swept: 0,
            busy: 1,
            counts: RegisterCounts::default(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// The bank of a register.
    #[inline]
    pub(super) fn bank(&self, row: RegisterRow) -> u8 {
        let place = match self.layout {
            Layout::Naive => u32::from(row.register),
            Layout::Swizzled => u32::from(row.register) + u32::from(row.warp.0),
        };
        // A division takes long.
        let bank = if self.mask != 0 { place & self.mask } else { place % self.count };
        bank as u8
    }

    /// The banks of the registers that an instruction reads, in their order: a byte each, the first one lowest.
    #[inline]
    pub(super) fn banks(&self, operands: &Operands) -> u128 {
        if self.mask == 0 {
            let banks = operands.registers().iter().map(|&it| self.bank(operands.warp.row(it)));
            return banks.rev().fold(0, |all, bank| all << 8 | u128::from(bank));
        }
        // The bits of a mask leave room for sums: bytes are added at once.
        const EACH: u128 = 0x0101_0101_0101_0101_0101_0101_0101_0101;
        let turn = match self.layout {
            Layout::Naive => 0,
            Layout::Swizzled => u32::from(operands.warp.0) & self.mask,
        };
        let mask = EACH * u128::from(self.mask);
        ((operands.low_bytes() & mask) + EACH * u128::from(turn)) & mask
    }

    /// The present cycle.
    pub(super) fn now(&self) -> u64 {
        self.swept
    }

    /// Forgets the write-backs of cycles before `now`.
    #[inline]
    pub(super) fn sweep(&mut self, now: u64) {
        if now == self.swept {
            return;
        }
        let place = self.place(self.swept);
        self.taken[place] = 0;
        self.swept += 1;
        // Mostly that was all.
        if self.swept != now {
            self.sweep_more(now);
        }
    }

    #[inline(never)]
    fn sweep_more(&mut self, now: u64) {
        let over = (now - self.swept).min(self.taken.len() as u64);
        for cycle in self.swept..self.swept + over {
            let place = self.place(cycle);
            self.taken[place] = 0;
        }
        self.swept = now;
    }

    /// The place of a cycle.
    #[inline]
    fn place(&self, cycle: u64) -> usize {
        cycle as usize & (self.taken.len() - 1)
    }

    /// The banks that are taken in a cycle from the current one on.
    #[inline]
    pub(super) fn taken_in(&self, cycle: u64) -> u64 {
        match cycle - self.swept < self.taken.len() as u64 {
            true => self.taken[self.place(cycle)],
            false => 0,
        }
    }

    /// Returns true if a bank is not in use for an access that begins in a cycle.
    #[inline]
    pub(super) fn is_free(&self, bank: u8, cycle: u64) -> bool {
        let is_free = |cycle| self.taken_in(cycle) >> bank & 1 == 0;
        match self.busy {
            1 => is_free(cycle),
            busy => (cycle..cycle + busy).all(is_free),
        }
    }

    /// A bank is in use for an access that begins in a cycle.
    #[inline]
    pub(super) fn occupy(&mut self, bank: u8, cycle: u64) {
        let busy = self.busy;
        let end = cycle + busy;
        if end - self.swept > self.taken.len() as u64 {
            self.grow(end);
        }
        let mut take = |cycle| {
            let place = self.place(cycle);
            self.taken[place] |= 1 << bank;
        };
        match busy {
            1 => take(cycle),
            _ => (cycle..end).for_each(take),
        }
    }

    /// Makes room for cycles before `end`.
    #[cold]
    fn grow(&mut self, end: u64) {
        let known: Vec<(u64, u64)> = (self.swept..self.swept + self.taken.len() as u64)
            .map(|cycle| (cycle, self.taken_in(cycle)))
            .collect();
        let length = (end - self.swept).next_power_of_two();
        self.taken = vec![0; length as usize];
        for (cycle, banks) in known {
            let place = self.place(cycle);
            self.taken[place] = banks;
        }
    }

    /// Writes a register to its bank from cycle `ready` on, as soon as the bank has no other
    /// access. Returns the cycle in which it is available.
    #[inline]
    pub(super) fn write(&mut self, row: RegisterRow, ready: u64) -> u64 {
        self.counts.writes += 1;
        self.access(row, ready)
    }

    /// Reads a register from its bank as a write-back, whose other lanes are to be written: the cycle in which it has been read.
    pub(super) fn expand(&mut self, row: RegisterRow, ready: u64) -> u64 {
        self.counts.reads += 1;
        self.access(row, ready)
    }

    /// Uses the bank of a register as soon as it has no other access, from cycle `ready` on: the last cycle of the access.
    #[inline]
    fn access(&mut self, row: RegisterRow, ready: u64) -> u64 {
        let mut cycle = ready.max(self.swept);
        let bank = self.bank(row);
        if self.busy == 1 {
            // Equal to the loop below, in fewer steps.
            while self.taken_in(cycle) >> bank & 1 != 0 {
                cycle += 1;
            }
            if cycle - self.swept >= self.taken.len() as u64 {
                self.grow(cycle + 1);
            }
            let place = self.place(cycle);
            self.taken[place] |= 1 << bank;
        } else {
            while !self.is_free(bank, cycle) {
                cycle += 1;
            }
            self.occupy(bank, cycle);
            cycle += self.busy - 1;
        }
        #[cfg(test)]
        self.log.push((cycle, bank, u32::MAX));
        cycle
    }

    /// Writes all registers of a result to their banks, one after the other: the cycle of the last one.
    #[inline]
    pub(super) fn write_all(&mut self, result: &Destination, ready: u64) -> u64 {
        if result.words == 1 {
            return self.write(result.warp.row(result.register), ready);
        }
        let registers = result.registers();
        registers.fold(ready.max(self.swept), |cycle, register| {
            self.write(result.warp.row(register), cycle)
        })
    }
}
