//! `divergence-reuse`: divergent instructions whose lines are not used again bypass the cache.
//!
//! Source: Aamodt, Fung, Rogers, §4.4.3, on Arunkumar, Lee, Wu, "ID-cache: instruction and memory divergence based cache management for GPUs", IISWC 2016 (bypassing is predicted
//! from observed reuse distances and the degree of memory divergence of a static instruction), and on Lee and Wu, "Ctrl-C: instruction-aware control
//! loop based adaptive cache bypassing for GPUs", ICCD 2016 (lines that a program counter loads are watched; without enough reuse its accesses bypass).
//!
//! Decisions where the text is open: an instruction is divergent if its accesses touch `divergent`
//! lines or more, on average. A line is reused if it is hit before it is evicted: its reuse
//! distance is within the lines of its set. When less than `reuse` percent of an instruction's last
//! `window` evicted lines were reused, its misses bypass. Every `probe`-th still allocates, so that
//! its lines are observed.

use std::collections::BTreeMap;

use super::slot::{Allocation, Build, CacheShape, LineAccess, Requester};
use crate::mechanisms::event::{Event, EventSet};
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::mechanisms::replacement::Ways;

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "divergence-reuse",
    sentence: "bypasses the cache for instructions that touch many lines which are not used again",
    options: &[
        (
            "divergent",
            "lines of an access from which on its instruction is divergent, 1 to 64; default 8",
        ),
        (
            "reuse",
            "percent of lines used again below which an instruction bypasses, 0 to 100; default 10",
        ),
        ("window", "lines of an instruction after which that is decided, 1 to 65535; default 64"),
        (
            "probe",
            "misses of an instruction that bypasses of which one does not, 1 to 65535; default 32",
        ),
    ],
    trials: &[
        &[
            ("divergence-reuse.divergent", "1"),
            ("divergence-reuse.window", "1"),
            ("divergence-reuse.reuse", "100"),
        ],
        &[
            ("divergence-reuse.divergent", "1"),
            ("divergence-reuse.window", "2"),
            ("divergence-reuse.probe", "2"),
            ("l1.mshrs", "1"),
        ],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        check_range("divergent", options.divergent, 1..=64)?;
        check_range("reuse", options.reuse, 0..=100)?;
        check_range("window", options.window, 1..=65_535)?;
        check_range("probe", options.probe, 1..=65_535)?;
        Ok(Box::new(DivergenceReuse::new(options, shape)))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    divergent: u32,
    reuse: u32,
    window: u32,
    probe: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { divergent: 8, reuse: 10, window: 64, probe: 32 }
    }
}

/// The history of an instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Its line accesses, and the lines that the accesses touched that they are of.
    accesses: u64,
    lines: u64,
    /// The evicted lines of the current window, and those of them that were reused.
    left: u32,
    reused: u32,
    /// Its lines are used again too seldom.
    is_streaming: bool,
    /// Misses that have bypassed since one did not.
    bypassed: u32,
}

struct DivergenceReuse {
    options: Options,
    ways: usize,
    /// By program counter.
    instructions: BTreeMap<u32, Known>,
    /// By set and way: the instruction that fetched the line, and true if it was reused.
    lines: Vec<Option<(u32, bool)>>,
}

impl DivergenceReuse {
    fn new(options: Options, shape: CacheShape) -> DivergenceReuse {
        let lines = vec![None; shape.sets * shape.ways];
        DivergenceReuse { options, ways: shape.ways, instructions: BTreeMap::new(), lines }
    }

    /// A line access of an instruction.
    fn accessed(&mut self, by: &Requester) {
        if by.warp.is_some() {
            let known = self.instructions.entry(by.pc).or_default();
            known.accesses += 1;
            known.lines += u64::from(by.lines);
        }
    }

    /// The line in a way, if there is one, is evicted.
    fn leaves(&mut self, set: usize, way: usize) {
        let Some((pc, was_reused)) = self.lines[set * self.ways + way].take() else {
            return;
        };
        let known = self.instructions.entry(pc).or_default();
        known.left += 1;
        known.reused += u32::from(was_reused);
        if known.left >= self.options.window {
            let share = 100 * u64::from(known.reused);
            known.is_streaming = share < u64::from(self.options.reuse) * u64::from(known.left);
            (known.left, known.reused) = (0, 0);
        }
    }
}

impl Allocation for DivergenceReuse {
    fn events(&self) -> EventSet {
        EventSet::LINE_HIT
            .and(EventSet::LINE_MISSED)
            .and(EventSet::LINE_PLACED)
            .and(EventSet::LINE_DROPPED)
    }

    fn on_event(&mut self, event: &Event) {
        match *event {
            Event::LineHit { access, way } => {
                self.accessed(&access.requester);
                if let Some((_, is_reused)) = &mut self.lines[access.set * self.ways + way] {
                    *is_reused = true;
                }
            }
            Event::LineMissed { access } => self.accessed(&access.requester),
            Event::LinePlaced { access, way } => {
                self.leaves(access.set, way);
                let by = &access.requester;
                self.lines[access.set * self.ways + way] = by.warp.map(|_| (by.pc, false));
            }
            Event::LineDropped { set, way } => self.leaves(set, way),
            _ => {}
        }
    }

    fn allocates(&mut self, access: &LineAccess, has_way: bool) -> bool {
        let by = &access.requester;
        let known = by.warp.and_then(|_| self.instructions.get_mut(&by.pc));
        let Some(known) = known.filter(|known| known.is_streaming) else {
            return true;
        };
        if known.lines < u64::from(self.options.divergent) * known.accesses {
            return true;
        }
        if known.bypassed + 1 < self.options.probe {
            known.bypassed += 1;
            return false;
        }
        // A miss that waits for a way tries again.
        if has_way {
            known.bypassed = 0;
        }
        true
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::mechanisms::allocation::Level;

    fn cache(options: &str) -> DivergenceReuse {
        let options = options.parse::<toml::Table>().expect("it is TOML").try_into();
        let shape = CacheShape { level: Level::First, sets: 2, ways: 2 };
        DivergenceReuse::new(options.expect("they are options"), shape)
    }

    fn access(lines: u8) -> LineAccess {
        let requester = Requester { warp: Some(WarpSlot(0)), pc: 5, lines, ..Requester::NONE };
        LineAccess { requester, line: 0, set: 1 }
    }

    /// Lines are placed in one way after the other; the list states which of them are reused.
    fn pass(cache: &mut DivergenceReuse, lines: u8, reused: &[bool]) {
        for is_reused in reused {
            cache.on_event(&Event::LineMissed { access: &access(lines) });
            cache.on_event(&Event::LinePlaced { access: &access(lines), way: 0 });
            if *is_reused {
                cache.on_event(&Event::LineHit { access: &access(lines), way: 0 });
            }
        }
    }

    #[test]
    fn a_divergent_instruction_without_reuse_bypasses_until_a_probe_is_used_again() {
        let mut cache = cache("window = 2\nprobe = 3\nreuse = 60");
        pass(&mut cache, 8, &[false, true]);
        assert!(cache.allocates(&access(8), true), "one line has left");
        pass(&mut cache, 8, &[true]);
        // One of two lines was reused: less than 60 %.
        let found: Vec<bool> = (0..6).map(|_| cache.allocates(&access(8), true)).collect();
        assert_eq!(found, [false, false, true, false, false, true]);
        // A miss that waits for a way tries again, with the same answer.
        assert_eq!(
            [true, true, false, false].map(|way| cache.allocates(&access(8), way)),
            [false, false, true, true]
        );
        pass(&mut cache, 8, &[true, true]);
        assert!((0..6).all(|_| cache.allocates(&access(8), true)));
    }

    #[test]
    fn one_that_touches_few_lines_never_does() {
        let mut cache = cache("window = 1\nreuse = 100");
        pass(&mut cache, 7, &[false, false, false]);
        assert!((0..6).all(|_| cache.allocates(&access(7), true)));
        pass(&mut cache, 64, &[false]);
        assert!(!cache.allocates(&access(64), true), "its mean is 21");
    }
}
