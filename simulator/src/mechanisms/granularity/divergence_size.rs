//! `divergence-size`: a miss fetches as much of its line as the instruction's memory divergence and the use of its earlier lines call for.
//!
//! Source: Aamodt, Fung, Rogers, §4.4.3, on Arunkumar, Lee, Wu, "ID-cache: instruction and memory
//! divergence based cache management for GPUs", IISWC 2016: the size of a cache line varies with
//! the level of memory divergence of a static instruction, and is predicted from the observed reuse
//! and that level. Here the fetched part of a line stands for the size, as in [`super`].
//!
//! Decisions where the text is open: an instruction's divergence is the mean number of lines per
//! access. Up to `coherent` lines it fetches whole lines, from `divergent` on the requested
//! sectors, and between them halves. The last `window` evicted lines of an instruction correct
//! this: if more than half had sectors used beside those requested first, it fetches one step more;
//! if fewer than an eighth had, one step less.

use std::collections::BTreeMap;

use super::slot::{Build, Granularity, LineShape, SectorMiss};
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "divergence-size",
    sentence: "fetches whole lines, halves or requested sectors, by the lines that the instruction touches and by their use",
    options: &[
        ("coherent", "lines up to which an instruction fetches whole lines, 1 to 64; default 2"),
        ("divergent", "lines from which on it fetches requested sectors only, 1 to 64; default 16"),
        (
            "window",
            "evicted lines of an instruction after which its size is corrected, 1 to 65535; default 64",
        ),
    ],
    trials: &[
        &[("divergence-size.window", "1")],
        &[("divergence-size.coherent", "1"), ("divergence-size.divergent", "2")],
    ],
    statistics: &[],
    build: &|table, shape| {
        let options: Options = options(table)?;
        check_range("coherent", options.coherent, 1..=64)?;
        check_range("divergent", options.divergent, 1..=64)?;
        check_range("window", options.window, 1..=65_535)?;
        Ok(Box::new(DivergenceSize {
            options,
            shape,
            instructions: BTreeMap::new(),
            places: vec![None; shape.places],
        }))
    },
};

#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    coherent: u32,
    divergent: u32,
    window: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { coherent: 2, divergent: 16, window: 64 }
    }
}

/// The part of a line that a miss fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Requested,
    Half,
    Whole,
}

impl Size {
    /// The next one, upwards or downwards, if there is one.
    fn corrected(self, by: Correction) -> Size {
        match (self, by) {
            (_, Correction::None) => self,
            (Size::Requested, Correction::More) => Size::Half,
            (_, Correction::More) => Size::Whole,
            (Size::Whole, Correction::Less) => Size::Half,
            (_, Correction::Less) => Size::Requested,
        }
    }
}

/// The correction that the use of an instruction's lines calls for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Correction {
    #[default]
    None,
    More,
    Less,
}

/// The history of an instruction.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Its misses, and the lines that the accesses touched that they are of.
    misses: u64,
    lines: u64,
    /// The evicted lines of the current window, and those of them that had more sectors used than
    /// were requested first.
    evicted: u32,
    used_more: u32,
    correction: Correction,
}

struct DivergenceSize {
    options: Options,
    shape: LineShape,
    /// By program counter.
    instructions: BTreeMap<u32, Known>,
    /// By place: the instruction that fetched the line, and the sectors that it requested.
    places: Vec<Option<(u32, u8)>>,
}

impl DivergenceSize {
    /// The part that a miss of an instruction fetches.
    fn size(&self, known: &Known) -> Size {
        let up_to = |lines: u32| known.lines <= u64::from(lines) * known.misses;
        let from = |lines: u32| known.lines >= u64::from(lines) * known.misses;
        let by_divergence = match () {
            () if up_to(self.options.coherent) => Size::Whole,
            () if from(self.options.divergent) => Size::Requested,
            () => Size::Half,
        };
        by_divergence.corrected(known.correction)
    }
}

impl Granularity for DivergenceSize {
    fn fetch(&mut self, miss: &SectorMiss) -> u8 {
        if miss.requester.warp.is_none() {
            return miss.missing;
        }
        let mut known = self.instructions.get(&miss.requester.pc).copied().unwrap_or_default();
        known.misses += 1;
        known.lines += u64::from(miss.requester.lines);
        self.instructions.insert(miss.requester.pc, known);
        let requested = match self.size(&known) {
            Size::Requested => miss.missing,
            Size::Half => {
                let half = LineShape { grain: (self.shape.sectors / 2).max(1), ..self.shape };
                half.together(miss.missing)
            }
            Size::Whole => self.shape.all(),
        };
        miss.missing | requested & !miss.valid
    }

    fn placed(&mut self, place: usize, by: &Requester, sectors: u8) {
        if let Some(of) = self.places.get_mut(place) {
            *of = by.warp.map(|_| (by.pc, sectors));
        }
    }

    fn evicted(&mut self, place: usize, _line: u64, used: u8) {
        let Some((pc, requested)) = self.places.get_mut(place).and_then(Option::take) else {
            return;
        };
        let Some(known) = self.instructions.get_mut(&pc) else {
            return;
        };
        known.evicted += 1;
        known.used_more += u32::from(used & !requested != 0);
        if known.evicted < self.options.window {
            return;
        }
        known.correction = match known.used_more {
            more if more * 2 > known.evicted => Correction::More,
            more if more * 8 < known.evicted => Correction::Less,
            _ => Correction::None,
        };
        (known.evicted, known.used_more) = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;
    use crate::mechanisms::setup::Setup;

    const SHAPE: LineShape = LineShape { places: 4, sectors: 4, grain: 1 };

    fn build(options: &str) -> Box<dyn Granularity> {
        (MECHANISM.build)(&Setup::of(&options.parse().expect("it is TOML")), SHAPE)
            .expect("it is good")
    }

    fn by(lines: u8) -> Requester {
        Requester { warp: Some(WarpSlot(0)), pc: u32::from(lines), lines, ..Requester::NONE }
    }

    /// The sectors that a miss of sector 2 fetches, by the lines that its instruction touches.
    fn fetched(granularity: &mut dyn Granularity, lines: u8) -> u8 {
        let requester = by(lines);
        granularity.fetch(&SectorMiss {
            requester,
            line: 0,
            missing: 0b0100,
            valid: 0,
            later: false,
        })
    }

    #[test]
    fn the_more_lines_an_instruction_touches_the_less_it_fetches() {
        let mut granularity = build("");
        let sizes = [1, 2, 3, 15, 16, 32].map(|lines| fetched(&mut *granularity, lines));
        assert_eq!(sizes, [0b1111, 0b1111, 0b1100, 0b1100, 0b0100, 0b0100]);
        // Valid sectors are not fetched again, and a fetch that no warp waits for stays as
        // requested.
        let mut miss =
            SectorMiss { requester: by(1), line: 0, missing: 1, valid: 0b1000, later: true };
        assert_eq!(granularity.fetch(&miss), 0b0111);
        miss.requester = Requester::NONE;
        assert_eq!(granularity.fetch(&miss), 1);
    }

    #[test]
    fn the_mean_of_an_instruction_counts() {
        let mut granularity = build("");
        let mut fetch = |lines| {
            let requester = Requester { pc: 7, ..by(lines) };
            granularity.fetch(&SectorMiss {
                requester,
                line: 0,
                missing: 1,
                valid: 0,
                later: false,
            })
        };
        // 1, then 33 in two: 16 and a half; then 35 in three.
        assert_eq!([1, 32, 2].map(&mut fetch), [0b1111, 0b0001, 0b0011]);
    }

    #[test]
    fn the_use_of_lines_corrects_the_size() {
        let mut granularity = build("window = 2");
        let evict = |granularity: &mut dyn Granularity, lines: u8, used: [u8; 2]| {
            for used in used {
                granularity.placed(1, &by(lines), 0b0100);
                granularity.evicted(1, 9, used);
            }
            fetched(granularity, lines)
        };
        (1..33).for_each(|lines| {
            fetched(&mut *granularity, lines);
        });
        assert_eq!(
            evict(&mut *granularity, 32, [0b0110, 0b1100]),
            0b1100,
            "half, not the requested sectors"
        );
        assert_eq!(evict(&mut *granularity, 32, [0b0100, 0b1100]), 0b0100, "as before");
        assert_eq!(evict(&mut *granularity, 1, [0b0100, 0b0100]), 0b1100, "half, not all");
        assert_eq!(evict(&mut *granularity, 8, [0b0100, 0b0100]), 0b0100);
    }
}
