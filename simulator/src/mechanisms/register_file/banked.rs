//! `banked`: single-ported banks with operand collectors.
//!
//! Source: Aamodt, Fung, Rogers, §3.3 and §3.3.1; Figures 3.14 and 3.17 are tests below.

use super::banks::Banks;
use super::collectors::{Collectors, Place, Settings, Storage};
use super::slot::{Build, Destination, Operands};
use crate::mechanisms::mechanism::Mechanism;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "banked",
    sentence: "single-ported banks with operand collectors, and an arbiter that prefers write-backs",
    options: &[
        ("banks", "register banks, 1 to 64; default 16"),
        ("collectors", "operand collectors, 1 to 64; default 16"),
        ("latches", "issued instructions that can wait for a collector, 1 to 64; default 2"),
        ("ports", "operands that a collector receives per cycle, 1 to 6; default 1"),
        ("layout", "`swizzled` (register + warp modulo banks) or `naive` (register modulo banks)"),
        (
            "follow",
            "whether values by number of reads, and live registers, are counted: `true` or `false` (default)",
        ),
        ("hazards", "write after read: `program-order` (leaving) or `release-on-read` (issuing)"),
    ],
    trials: &[
        &[("banked.collectors", "1")],
        &[("banked.banks", "1")],
        &[("banked.hazards", "release-on-read")],
    ],
    statistics: &[],
    build: &|table, shape| Ok(Box::new(Collectors::new(Settings::new(table)?, shape, InBanks))),
};

/// Every register is in its bank.
struct InBanks;

impl Storage for InBanks {
    const ONLY_BANKS: bool = true;

    #[inline]
    fn locate(&self, _operands: &Operands, _place: usize, _now: u64) -> Place {
        Place::Bank
    }

    #[inline]
    fn write(&mut self, result: &Destination, ready: u64, banks: &mut Banks) -> u64 {
        banks.write_all(result, ready)
    }
}

#[cfg(test)]
mod tests {
    use super::super::banks::Layout;
    use super::super::collectors::Hazards;
    use super::super::slot::{Leave, Reader, RegisterFile, Shape};
    use super::*;
    use crate::handles::WarpSlot;

    /// Instructions as (cycle of issue, warp, sources, result), executed in one cycle each: accesses
    /// as (cycle, bank, warp, register), reads with their issue number.
    fn run(settings: Settings, program: &[(u64, u16, &[u16], u16)]) -> Vec<(u64, u8, char, usize)> {
        let mut file = Collectors::new(settings, &Shape::default(), InBanks);
        for now in 0..20 {
            let mut left = Vec::new();
            file.step(now, &mut |token| {
                left.push(token);
                Leave::Left
            });
            for token in left {
                let (_, warp, _, result) = program[token as usize];
                let result = Destination {
                    warp: WarpSlot(warp),
                    register: result,
                    words: 1,
                    lanes: !0,
                    ..Destination::default()
                };
                file.write(&result, now + 1, now);
            }
            for (token, (cycle, warp, sources, _)) in program.iter().enumerate() {
                if *cycle == now {
                    assert!(file.has_room(), "cycle {now}");
                    let mut operands = Operands::default();
                    sources
                        .iter()
                        .for_each(|&register| operands.push(register, false, Default::default()));
                    let reader = Reader { warp: WarpSlot(*warp), lanes: !0, ..Reader::default() };
                    file.enter(token as u32, &operands, reader, None, now);
                }
            }
        }
        let mut log: Vec<_> = file
            .banks
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
        let mut file = Collectors::new(settings, &Shape::default(), InBanks);
        let mut left = Vec::new();
        for (token, registers) in [(0, [0, 4, 8].as_slice()), (1, &[1])] {
            let mut operands = Operands::default();
            registers
                .iter()
                .for_each(|&register| operands.push(register, false, Default::default()));
            file.enter(token, &operands, Reader::default(), None, 0);
        }
        for now in 1..10 {
            file.step(now, &mut |token| {
                left.push((now, token));
                Leave::Left
            });
        }
        assert_eq!(left, [(4, 0), (4, 1)]);
        let one = Settings { hazards: Hazards::ReleaseOnRead, ..settings };
        let mut file = Collectors::new(one, &Shape::default(), InBanks);
        let reader = Reader { warp: WarpSlot(7), lanes: !0, ..Reader::default() };
        file.enter(0, &Operands::default(), reader, None, 0);
        assert!(!file.admits(WarpSlot(7)) && file.admits(WarpSlot(8)));
    }
}
