//! `banked`: single-ported banks with operand collectors.
//!
//! Source: Aamodt, Fung, Rogers, §3.3 and §3.3.1 (after Lindholm et al. and Coon et al.): a collector
//! unit for each instruction in the register-read stage, an arbiter that gives each bank one access a
//! cycle, write-backs first; the swizzled layout of Figure 3.16; Figures 3.14 and 3.17 are tests below.
//! Against write-after-read hazards: a warp's instructions leave in program order, or only one of them
//! collects at a time ("release-on-read warpboard" of Mishkin et al.).

use std::collections::VecDeque;

use super::{Build, Leave, MAX_OPERANDS, Operands, RegisterCounts, RegisterFile};
use crate::mechanism::{Mechanism, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "banked",
    sentence: "single-ported banks with operand collectors, and an arbiter that prefers write-backs",
    options: &[
        ("banks", "register banks, 1 to 64; default 16"),
        ("collectors", "operand collectors, 1 to 64; default 16"),
        ("latches", "issued instructions that can wait for a collector, 1 to 64; default 2"),
        ("ports", "operands that a collector receives per cycle, 1 to 6; default 1"),
        ("layout", "`swizzled` (register + warp modulo banks) or `naive` (register modulo banks)"),
        ("hazards", "write after read: `program-order` (leaving) or `release-on-read` (issuing)"),
    ],
    trials: &[
        &[("banked.collectors", "1")],
        &[("banked.banks", "1")],
        &[("banked.hazards", "release-on-read")],
    ],
    build: |table| {
        let settings: Settings = options(table)?;
        let bounds = [
            ("banks", settings.banks, 64),
            ("collectors", settings.collectors, 64),
            ("latches", settings.latches, 64),
            ("ports", settings.ports, MAX_OPERANDS as u32),
        ];
        for (key, value, most) in bounds {
            if !(1..=most).contains(&value) {
                return Err(format!(
                    "`{key}` is {value}; it must be a whole number from 1 to {most}"
                ));
            }
        }
        Ok(Box::new(Banked::new(settings)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Settings {
    banks: u32,
    collectors: u32,
    latches: u32,
    ports: u32,
    layout: Layout,
    hazards: Hazards,
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
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Layout {
    Naive,
    Swizzled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Hazards {
    ProgramOrder,
    ReleaseOnRead,
}

/// An instruction that collects operands.
#[derive(Clone, Copy, Debug, Default)]
struct Collector {
    token: u32,
    warp: u16,
    /// Banks of the operands, and how many there are.
    banks: [u8; MAX_OPERANDS],
    count: u8,
    /// Operands that were read, in order.
    read: u8,
    /// How many instructions of its warp have got a collector before it.
    number: u32,
    /// It has all operands, and the pipe takes nothing before this cycle.
    blocked: u64,
}

struct Banked {
    settings: Settings,
    collectors: Vec<Collector>,
    /// By warp: instructions that have got a collector, and those of them that have left.
    warps: Vec<[u32; 2]>,
    /// Instructions that wait for a collector.
    latched: VecDeque<(u32, Operands)>,
    /// Collectors in use.
    used: u64,
    /// Those of them that are still to read.
    reading: u64,
    /// Those that need no operands and have just come.
    whole: u64,
    /// Which collector is asked first.
    turn: u32,
    /// By cycle from `swept` on: banks that a write-back takes.
    writes: VecDeque<u64>,
    swept: u64,
    counts: RegisterCounts,
    #[cfg(test)]
    log: Vec<(u64, u8, u32)>,
}

impl Banked {
    fn new(settings: Settings) -> Banked {
        Banked {
            settings,
            collectors: vec![Collector::default(); settings.collectors as usize],
            warps: Vec::new(),
            latched: VecDeque::new(),
            used: 0,
            reading: 0,
            whole: 0,
            turn: 0,
            writes: VecDeque::new(),
            swept: 0,
            counts: RegisterCounts::default(),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    #[inline]
    fn bank(&self, warp: u16, register: u16) -> u8 {
        let place = match self.settings.layout {
            Layout::Naive => u32::from(register),
            Layout::Swizzled => u32::from(register) + u32::from(warp),
        };
        (place % self.settings.banks) as u8
    }

    /// Forgets the write-backs of cycles before `now`.
    fn sweep(&mut self, now: u64) {
        let over = self.writes.len().min((now - self.swept) as usize);
        self.writes.drain(..over);
        self.swept = now;
    }

    /// Gives an instruction a free collector.
    fn collect(&mut self, token: u32, operands: Operands) {
        let index = (!self.used).trailing_zeros();
        let mut banks = [0; MAX_OPERANDS];
        for (bank, &register) in banks.iter_mut().zip(operands.registers()) {
            *bank = self.bank(operands.warp, register);
        }
        let (warp, count) = (operands.warp, operands.registers().len() as u8);
        if self.warps.len() <= usize::from(warp) {
            self.warps.resize(usize::from(warp) + 1, [0; 2]);
        }
        let [entered, _] = &mut self.warps[usize::from(warp)];
        let number = *entered;
        *entered = entered.wrapping_add(1);
        self.collectors[index as usize] =
            Collector { token, warp, banks, count, read: 0, number, blocked: 0 };
        self.used |= 1 << index;
        self.reading |= u64::from(count != 0) << index;
        self.whole |= u64::from(count == 0) << index;
    }

    /// Lets instructions leave that have all operands; when the next of them can.
    fn leave(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64 {
        let mut next = u64::MAX;
        let mut waiting = self.used & !self.reading;
        waiting = waiting.rotate_right(self.turn);
        while waiting != 0 {
            let index = (waiting.trailing_zeros() + self.turn) % 64;
            waiting &= waiting - 1;
            let collector = &mut self.collectors[index as usize];
            let [_, left] = &mut self.warps[usize::from(collector.warp)];
            // With release-on-read it is the only one of its warp.
            if collector.number != *left {
                continue;
            }
            if collector.blocked > now {
                next = next.min(collector.blocked);
                continue;
            }
            match leave(collector.token) {
                Leave::Left => {
                    self.used &= !(1 << index);
                    *left = left.wrapping_add(1);
                }
                Leave::NotBefore(cycle) => {
                    collector.blocked = if cycle == u64::MAX { 0 } else { cycle };
                    next = next.min(cycle);
                }
            }
        }
        next
    }

    /// Gives each bank to a collector, in the cycle up to which write-backs are forgotten.
    fn read(&mut self) {
        let mut taken = self.writes.front().copied().unwrap_or(0);
        let mut reading = self.reading.rotate_right(self.turn);
        while reading != 0 {
            let index = (reading.trailing_zeros() + self.turn) % 64;
            reading &= reading - 1;
            let collector = &mut self.collectors[index as usize];
            for _ in 0..self.settings.ports {
                if collector.read == collector.count {
                    break;
                }
                let bank = collector.banks[usize::from(collector.read)];
                if taken >> bank & 1 != 0 {
                    self.counts.conflicts += 1;
                    break;
                }
                taken |= 1 << bank;
                collector.read += 1;
                self.counts.reads += 1;
                #[cfg(test)]
                self.log.push((self.swept, bank, collector.token));
            }
            if collector.read == collector.count {
                self.reading &= !(1 << index);
            }
        }
        self.turn = (self.turn + 1) % 64;
    }
}

impl Banked {
    /// Whether all collectors are used. The first one that is free always is next.
    fn is_full(&self) -> bool {
        self.used.trailing_ones() == self.settings.collectors
    }
}

impl RegisterFile for Banked {
    #[inline]
    fn has_room(&self) -> bool {
        self.latched.len() < self.settings.latches as usize
    }

    fn admits(&self, warp: u16) -> bool {
        self.settings.hazards == Hazards::ProgramOrder || {
            let mut used = self.collectors.iter().enumerate();
            !used.any(|(i, collector)| self.used >> i & 1 != 0 && collector.warp == warp)
                && self.latched.iter().all(|(_, operands)| operands.warp != warp)
        }
    }

    fn enter(&mut self, token: u32, operands: Operands) {
        self.latched.push_back((token, operands));
    }

    fn step(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64 {
        if self.is_empty() {
            return u64::MAX;
        }
        self.sweep(now);
        let before = self.used;
        let next = self.leave(now, leave);
        let someone_left = self.used != before;
        while !self.is_full()
            && let Some((token, operands)) = self.latched.pop_front()
        {
            self.collect(token, operands);
        }
        let was_reading = self.reading;
        self.read();
        // Who has all operands now leaves in the next cycle.
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

    fn write(&mut self, warp: u16, register: u16, words: u8, ready: u64, now: u64) -> u64 {
        self.sweep(now);
        let mut cycle = ready.max(now);
        for register in register..register + u16::from(words) {
            let bank = self.bank(warp, register);
            let ahead = |cycle: u64| (cycle - now) as usize;
            while self.writes.get(ahead(cycle)).is_some_and(|banks| banks >> bank & 1 != 0) {
                cycle += 1;
            }
            if self.writes.len() <= ahead(cycle) {
                self.writes.resize(ahead(cycle) + 1, 0);
            }
            self.writes[ahead(cycle)] |= 1 << bank;
            self.counts.writes += 1;
            #[cfg(test)]
            self.log.push((cycle, bank, u32::MAX));
        }
        cycle
    }

    fn is_reading(&self) -> bool {
        self.reading != 0
    }

    fn is_empty(&self) -> bool {
        self.used == 0 && self.latched.is_empty()
    }

    fn counts(&self) -> RegisterCounts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions as (cycle of issue, warp, sources, result), executed in one cycle each: accesses
    /// as (cycle, bank, warp, register), reads with their issue number.
    fn run(settings: Settings, program: &[(u64, u16, &[u16], u16)]) -> Vec<(u64, u8, char, usize)> {
        let mut file = Banked::new(settings);
        for now in 0..20 {
            let mut left = Vec::new();
            file.step(now, &mut |token| {
                left.push(token);
                Leave::Left
            });
            for token in left {
                let (_, warp, _, result) = program[token as usize];
                file.write(warp, result, 1, now + 1, now);
            }
            for (token, (cycle, warp, sources, _)) in program.iter().enumerate() {
                if *cycle == now {
                    assert!(file.has_room(), "cycle {now}");
                    let mut operands = Operands::default().of(*warp);
                    sources.iter().for_each(|&register| operands.push(register, false));
                    file.enter(token as u32, operands);
                }
            }
        }
        let mut log: Vec<_> = file
            .log
            .iter()
            .map(|&(cycle, bank, token)| match token {
                u32::MAX => (cycle, bank, 'w', 0),
                token => (cycle, bank, 'r', token as usize),
            })
            .collect();
        log.sort_unstable();
        log
    }

    #[test]
    fn figure_3_17() {
        // i1: add r1, r2, r5 of warps 1 to 3; i2: mad r4, r3, r7, r1 of warp 0. Four banks.
        let settings = Settings { banks: 4, collectors: 4, ports: 1, ..Settings::default() };
        let program: [(u64, u16, &[u16], u16); 4] =
            [(0, 1, &[2, 5], 1), (1, 2, &[2, 5], 1), (2, 3, &[2, 5], 1), (3, 0, &[3, 7, 1], 4)];
        let expected = [
            (1, 3, 'r', 0), // w1:r2
            (2, 0, 'r', 1), // w2:r2
            (2, 2, 'r', 0), // w1:r5
            (3, 1, 'r', 2), // w3:r2
            (3, 3, 'r', 1), // w2:r5
            (4, 0, 'r', 2), // w3:r5
            (4, 2, 'w', 0), // w1:r1
            (4, 3, 'r', 3), // w0:r3
            (5, 3, 'w', 0), // w2:r1, before w0:r7
            (6, 0, 'w', 0), // w3:r1
            (6, 3, 'r', 3), // w0:r7
            // After the figure's end: r1 of warp 0, then its result.
            (7, 1, 'r', 3),
            (9, 0, 'w', 0),
        ];
        assert_eq!(run(settings, &program), expected);
    }

    #[test]
    fn figure_3_14() {
        // i1: mad r2, r5, r4, r6; i2: add r5, r5, r1. One instruction reads at a time, all of its
        // operands at once; another one waits after it.
        let settings = Settings {
            banks: 4,
            collectors: 1,
            latches: 1,
            ports: 3,
            layout: Layout::Naive,
            ..Settings::default()
        };
        let program: [(u64, u16, &[u16], u16); 3] =
            [(0, 3, &[5, 4, 6], 2), (1, 0, &[5, 1], 5), (3, 1, &[5, 1], 5)];
        let expected = [
            (1, 0, 'r', 0), // w3:r4
            (1, 1, 'r', 0), // w3:r5
            (1, 2, 'r', 0), // w3:r6
            (2, 1, 'r', 1), // w0:r5
            (3, 1, 'r', 1), // w0:r1
            (3, 2, 'w', 0), // i1
            (4, 1, 'r', 2), // w1:r5
            (5, 1, 'w', 0), // i2 of warp 0, before w1:r1
            (6, 1, 'r', 2), // w1:r1
            // After the figure's end.
            (8, 1, 'w', 0),
        ];
        assert_eq!(run(settings, &program), expected);
    }

    #[test]
    fn instructions_of_a_warp_leave_in_order() {
        // The second has its operand first: r4 and r8 share a bank.
        let settings = Settings { banks: 4, collectors: 4, ports: 1, ..Settings::default() };
        let mut file = Banked::new(settings);
        let mut left = Vec::new();
        for (token, registers) in [(0, [0, 4, 8].as_slice()), (1, &[1])] {
            let mut operands = Operands::default();
            registers.iter().for_each(|&register| operands.push(register, false));
            file.enter(token, operands);
        }
        for now in 1..10 {
            file.step(now, &mut |token| {
                left.push((now, token));
                Leave::Left
            });
        }
        assert_eq!(left, [(4, 0), (4, 1)]);
        let one = Settings { hazards: Hazards::ReleaseOnRead, ..settings };
        let mut file = Banked::new(one);
        file.enter(0, Operands::default().of(7));
        assert!(!file.admits(7) && file.admits(8));
    }
}
