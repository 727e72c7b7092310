//! Memoisation: the results of an SM's latest instructions are kept with their operands. If any
//! warp executes the same operation on the same operands later, it takes the result from there.
//!
//! Ours: the book has no text on it. It is the exact reuse of results, for whole warp instructions:
//! the operation, the active lanes and the operands of each of them have to be the same, and then
//! the results are too. `spec/machine.md` has the decisions.

use reconverge_isa::{Effect, Op, WarpSource};

use super::slot::{Affine, BlockView, Build, Design, How, Takes};
use crate::block::path::Lanes;
use crate::execute::lanes::lanes_of;
use crate::mechanisms::mechanism::{Mechanism, check_range, options};
use crate::observe::statistic::Declaration;
use crate::observe::statistics::Statistics;
use crate::program::decoded::Decoded;

/// The list's entry.
const LOOKUPS: Declaration = Declaration::sum(
    "reuse_lookups",
    "instructions",
    "Instructions that were looked up among the results kept by `memoisation`.",
);
const HITS: Declaration = Declaration::sum(
    "reuse_hits",
    "instructions",
    "Instructions among these that were found, and did not take their pipe.",
);

const HIT_RATE: Declaration = Declaration::quotient(
    "reuse_rate",
    "ratio",
    "Share of the instructions looked up by `memoisation` that were found.",
    &[&HITS],
    &LOOKUPS,
);

pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "memoisation",
    sentence: "keeps the results of an SM's latest instructions: one with the same operands does not take its pipe",
    options: &[("entries", "results that an SM keeps, 1 to 4096; default 64")],
    trials: &[
        &[("memoisation.entries", "1"), ("pipes.simple.lanes", "2")],
        &[("memoisation.entries", "1024"), ("divergence", "warp-formation")],
        &[("divergence", "multi-path"), ("cycle-compression", "bcc")],
    ],
    statistics: &[LOOKUPS, HITS, HIT_RATE],
    build: &|table| {
        let Memoisation { entries } = options(table)?;
        check_range("entries", entries, 1..=4096)?;
        Ok(Box::new(Memoisation { entries }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Memoisation {
    entries: u32,
}

impl Default for Memoisation {
    fn default() -> Memoisation {
        Memoisation { entries: 64 }
    }
}

impl Design for Memoisation {
    fn of_sm(&self, _schedulers: u32, _block_slots: usize) -> Option<Box<dyn Affine>> {
        Some(Box::new(Buffer { most: self.entries as usize, entries: Vec::new(), is_found: false }))
    }
}

/// The inputs from which an instruction computes its result.
#[derive(Debug, PartialEq, Eq)]
struct Operation {
    op: Op,
    lanes: u64,
    /// The words of its sources in these lanes, and predicates.
    operands: Vec<u32>,
}

/// The operations whose results are kept.
struct Buffer {
    most: usize,
    /// The least recently used first.
    entries: Vec<Operation>,
    /// The state of the current instruction.
    is_found: bool,
}

impl Affine for Buffer {
    fn watches_values(&self) -> bool {
        true
    }

    fn watches_operands(&self) -> bool {
        true
    }

    fn reads(
        &mut self,
        instruction: &Decoded,
        sources: [WarpSource; 3],
        lanes: u64,
        statistics: &mut Statistics,
    ) {
        self.is_found = false;
        if lanes == 0 || !matches!(instruction.effect, Effect::Compute | Effect::Divide) {
            return;
        }
        let mut operands = Vec::new();
        for WarpSource { low, high, predicate } in sources {
            for words in [low, high] {
                operands.extend(lanes_of(lanes).filter_map(|lane| words.get(lane)));
            }
            let truth = predicate & lanes;
            operands.extend([truth as u32, (truth >> 32) as u32]);
        }
        let operation = Operation { op: instruction.op, lanes, operands };
        statistics.mechanisms.add(&LOOKUPS, 1);
        let place = self.entries.iter().rposition(|entry| *entry == operation);
        self.is_found = place.is_some();
        statistics.mechanisms.add(&HITS, u64::from(self.is_found));
        if let Some(place) = place {
            self.entries.remove(place);
        } else if self.entries.len() == self.most {
            self.entries.remove(0);
        }
        self.entries.push(operation);
    }

    fn executed(
        &mut self,
        _block: BlockView,
        instruction: &Decoded,
        _lanes: &Lanes,
        _mask: u64,
        _now: u64,
        _statistics: &mut Statistics,
    ) -> Option<How> {
        let takes = if self.is_found { Takes::NoPipe } else { Takes::Lanes };
        Some(How { takes, ..How::in_lanes(instruction) })
    }
}
