//! Similarity of a warp's values, found by comparing them when they are written back, and execution
//! in one lane of instructions with the same, or similar, values in all lanes.
//!
//! Shared by `g-scalar` and `warp-approximation` (Aamodt, Fung, Rogers, §3.5.1 "Comparison at
//! Write-Back" and §3.5.2 "Clock-Gated SIMD Datapath"). They differ in their [`Rule`]. An
//! instruction that is executed in one lane takes one pass of its pipe, in which the other lanes do
//! nothing. Its operands are read from their banks as always, because the common parts are stored
//! there too.

use crate::handles::BlockSlot;
use reconverge_isa::table::OperandKind;
use reconverge_isa::{Effect, ValueKind};

use super::slot::{Affine, BlockView, BlockViewMut, Design, How, Takes};
use super::tags::registers_read;
use crate::block::path::Lanes;
use crate::block::threads::Threads;
use crate::execute::lanes::lanes_of;
use crate::observe::statistic::Declaration;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

pub(super) const COMMON_BYTES: Declaration = Declaration::sum(
    "common_bytes",
    "bytes",
    "Bytes that all lanes of a fully written warp register have in common, and that are stored once (`g-scalar`).",
);

/// The bits that words in some lanes have in common, from the most significant one on: their *d-similarity*.
pub(super) fn common_bits(words: &[u32], lanes: u64) -> u8 {
    let mut lanes = lanes_of(lanes);
    let first = lanes.next().and_then(|lane| words.get(lane)).copied().unwrap_or(0);
    let differ = lanes.filter_map(|lane| words.get(lane)).fold(0, |bits, word| bits | word ^ first);
    differ.leading_zeros() as u8
}

/// The known similarity of the values that an instruction has written to a register or predicate of
/// a warp.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    /// The lanes whose values were compared.
    lanes: u64,
    /// The most significant bits that they have in common; a predicate has 32 or none.
    bits: u8,
    /// The common part is stored once, not for each lane.
    once: bool,
}

/// The marks of a block's registers and predicates.
#[derive(Clone, Debug, Default)]
struct Marks {
    /// By warp, register, then predicate.
    marks: Vec<Mark>,
    registers: usize,
    entries: usize,
}

impl Marks {
    /// A block starts. Nothing is known of registers that have not been written.
    fn reset(&mut self, code: &Code) {
        self.registers = code.registers;
        self.entries = code.registers + code.predicates;
        self.marks.clear();
        self.marks.resize(code.shape.warps() as usize * self.entries, Mark::default());
    }

    fn register(&self, warp: usize, index: u16) -> Mark {
        self.marks[warp * self.entries + usize::from(index)]
    }

    fn predicate(&self, warp: usize, index: u16) -> Mark {
        self.marks[warp * self.entries + self.registers + usize::from(index)]
    }

    /// The marks of an instruction's target.
    fn of_target(&mut self, warp: usize, target: Target) -> &mut [Mark] {
        let first = warp * self.entries;
        match target {
            Target::None => &mut [],
            Target::Register { index, words } => {
                let at = first + usize::from(index);
                &mut self.marks[at..at + usize::from(words)]
            }
            Target::Predicate(index) => {
                let at = first + self.registers + usize::from(index);
                &mut self.marks[at..=at]
            }
        }
    }
}

/// The bits of a predicate that some lanes have in common: 32 or none.
fn common_truth(bits: u64, lanes: u64) -> u8 {
    if bits & lanes == 0 || bits & lanes == lanes { 32 } else { 0 }
}

/// The instructions that are executed in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// The most significant bits, of 32, that the values of each source have in common, at least.
    pub(super) bits: u8,
    /// After a divergent branch or under a guard too, where that holds in the active lanes.
    pub(super) under_divergence: bool,
    /// All results whose lanes have bytes in common are stored in fewer bytes; otherwise those of instructions that are
    /// executed in one lane are stored for that lane only.
    pub(super) compresses: bool,
    /// Only computations with floats of 32 bits; the other lanes get the result of the one.
    pub(super) approximates: bool,
}

impl Design for Rule {
    fn is_exact(&self) -> bool {
        !self.approximates || self.bits >= 32
    }

    fn of_sm(&self, _schedulers: u32, block_slots: usize) -> Option<Box<dyn Affine>> {
        Some(Box::new(Similarity { rule: *self, blocks: vec![Marks::default(); block_slots] }))
    }
}

/// The marks of an SM's blocks.
struct Similarity {
    rule: Rule,
    /// By block slot.
    blocks: Vec<Marks>,
}

/// Returns true if an instruction reads and writes floats of 32 bits only.
fn is_float(instruction: &Decoded) -> bool {
    let row = instruction.op.row();
    let float = OperandKind::Value(ValueKind::F32);
    row.result == Some(float) && row.sources.iter().all(|(_, kind)| *kind == float)
}

/// The result of an instruction.
#[derive(Clone, Copy)]
struct Written {
    /// It is available.
    is_there: bool,
    /// It was computed in one lane.
    one_lane: bool,
}

const NOTHING_WRITTEN: Written = Written { is_there: false, one_lane: false };

impl Similarity {
    /// Returns true if an instruction of a warp is executed in one of the lanes of `mask`.
    fn takes_one_lane(
        &self,
        block: BlockView,
        instruction: &Decoded,
        warp: usize,
        mask: u64,
    ) -> bool {
        let BlockView { code, slot: place, threads } = block;
        let Rule { bits, under_divergence, approximates, .. } = self.rule;
        let computes = matches!(instruction.effect, Effect::Compute | Effect::Divide);
        let alive = threads.alive[warp];
        if !computes || mask == 0 || (mask & alive != alive && !under_divergence) {
            return false;
        }
        if approximates && !is_float(instruction) {
            return false;
        }
        let marks = &self.blocks[place.index()];
        let is_common = |mark: Mark| mask & !mark.lanes == 0 && mark.bits >= bits;
        instruction.sources.iter().all(|source| match *source {
            Source::None | Source::Pool { .. } | Source::Block(_) => true,
            Source::Register { index, words } => (index..index + u16::from(words))
                .all(|register| is_common(marks.register(warp, register))),
            Source::Predicate { index, .. } => is_common(marks.predicate(warp, index)),
            Source::Queued => false,
            Source::Thread(axis) => {
                common_bits(code.thread_row(warp, usize::from(axis)), mask) >= bits
            }
        })
    }

    /// Compares the values that an instruction has written in the lanes of `mask` of a warp.
    /// Returns the registers that had to be expanded, because the other lanes keep their values.
    /// Nothing is known about a result that is not available yet.
    fn compare(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        warp: usize,
        mask: u64,
        written: Written,
        statistics: &mut Statistics,
    ) -> u32 {
        let BlockView { code, slot: place, threads } = block;
        let Written { is_there, one_lane } = written;
        let (compresses, alive) = (self.rule.compresses, threads.alive[warp]);
        let is_whole = mask & alive == alive;
        let width = code.shape.width as usize;
        let registers = &threads.registers;
        let mut expansions = 0;
        let marks = self.blocks[place.index()].of_target(warp, instruction.target);
        for (word, mark) in marks.iter_mut().enumerate() {
            let bits = match instruction.target {
                _ if !is_there => 0,
                Target::None => 0,
                Target::Register { index, .. } => {
                    let row = (warp * code.registers + usize::from(index) + word) * width;
                    common_bits(&registers.general[row..row + width], mask)
                }
                Target::Predicate(index) => {
                    let row = registers.predicates[warp * code.predicates + usize::from(index)];
                    common_truth(row, mask)
                }
            };
            let is_register = matches!(instruction.target, Target::Register { .. });
            expansions += u32::from(mark.once && !is_whole);
            let once = is_register && is_whole && if compresses { bits >= 8 } else { one_lane };
            if once && compresses {
                statistics.mechanisms.add(&COMMON_BYTES, u64::from(bits / 8));
            }
            *mark = Mark { lanes: mask, bits, once };
        }
        expansions
    }
}

impl Affine for Similarity {
    fn watches_values(&self) -> bool {
        true
    }

    fn admit(&mut self, code: &Code, slot: BlockSlot, _arrival: u64, _now: u64) {
        self.blocks[slot.index()].reset(code);
    }

    fn approximate(
        &mut self,
        block: BlockViewMut,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        statistics: &mut Statistics,
    ) {
        let Lanes::Warp { warp, .. } = *lanes else {
            return;
        };
        let warp = usize::from(warp);
        let Target::Register { index, .. } = instruction.target else {
            return;
        };
        let BlockViewMut { code, slot: place, threads } = block;
        let block = BlockView { code, slot: place, threads };
        if !self.rule.approximates || !self.takes_one_lane(block, instruction, warp, mask) {
            return;
        }
        let width = code.shape.width as usize;
        let row = (warp * code.registers + usize::from(index)) * width;
        let words = &mut threads.registers.general[row..row + width];
        let mut others = lanes_of(mask);
        // The thread of the lowest lane represents all of them.
        let Some(one) = others.next() else {
            return;
        };
        for lane in others {
            statistics.approximated_results += 1;
            statistics.approximation_error += error(words[lane], words[one]);
            words[lane] = words[one];
        }
    }

    fn executed(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        _now: u64,
        statistics: &mut Statistics,
    ) -> Option<How> {
        let mut how = How::in_lanes(instruction);
        let is_there = instruction.effect != Effect::Atomic;
        let Lanes::Warp { warp, .. } = *lanes else {
            for (warp, mask) in lanes.by_warp(mask, block.code.shape.width as usize) {
                how.expansions +=
                    self.compare(block, instruction, warp, mask, NOTHING_WRITTEN, statistics);
            }
            statistics.compact_expansions += u64::from(how.expansions);
            return Some(how);
        };
        let warp = usize::from(warp);
        let one_lane = self.takes_one_lane(block, instruction, warp, mask);
        if one_lane {
            how.takes = Takes::OneLane;
            let alive = block.threads.alive[warp];
            statistics.one_lane_instructions += 1;
            statistics.one_lane_divergent_instructions += u64::from(mask & alive != alive);
        }
        let written = Written { is_there, one_lane };
        how.expansions = self.compare(block, instruction, warp, mask, written, statistics);
        statistics.compact_expansions += u64::from(how.expansions);
        Some(how)
    }

    fn controlled(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        statistics: &mut Statistics,
    ) {
        // The result of a barrier arrives when it opens.
        for (warp, mask) in lanes.by_warp(mask, block.code.shape.width as usize) {
            let expansions =
                self.compare(block, instruction, warp, mask, NOTHING_WRITTEN, statistics);
            statistics.compact_expansions += u64::from(expansions);
        }
    }

    fn is_broken(
        &self,
        code: &Code,
        place: BlockSlot,
        instruction: &Decoded,
        threads: &Threads,
        lanes: &Lanes,
    ) -> bool {
        let width = code.shape.width as usize;
        let marks = &self.blocks[place.index()];
        lanes.by_warp(lanes.mask(), width).any(|(warp, _)| {
            let (alive, registers) = (threads.alive[warp], &threads.registers);
            registers_read(instruction).any(|register| {
                let row = (warp * code.registers + usize::from(register)) * width;
                let mark = marks.register(warp, register);
                common_bits(&registers.general[row..row + width], mark.lanes & alive) < mark.bits
            }) || instruction.sources.iter().any(|source| match *source {
                Source::Predicate { index, .. } => {
                    let row = registers.predicates[warp * code.predicates + usize::from(index)];
                    let mark = marks.predicate(warp, index);
                    common_truth(row, mark.lanes & alive) < mark.bits
                }
                _ => false,
            })
        })
    }
}

/// The relative error of the result that a lane is given: in millionths, a million at most.
fn error(own: u32, given: u32) -> u64 {
    if own == given {
        return 0;
    }
    let (own, given) = (f64::from(f32::from_bits(own)), f64::from(f32::from_bits(given)));
    let error = ((given - own) / own).abs();
    // Infinite, or not a number: unrelated to the right result.
    if error < 1.0 { (error * 1e6).round() as u64 } else { 1_000_000 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_in_common() {
        let words = [0xff00_0001, 0xff00_0000, 0x0000_0000, 0xff00_0001];
        let expected =
            [(0b0001, 32), (0b1001, 32), (0b0011, 31), (0b0101, 0), (0b1111, 0), (0, 32)];
        for (lanes, bits) in expected {
            assert_eq!(common_bits(&words, lanes), bits, "{lanes:b}");
        }
    }

    #[test]
    fn errors_are_relative() {
        let bits = |value: f32| value.to_bits();
        for (own, given, millionths) in [
            (2.0, 2.0, 0),
            (2.0, 1.5, 250_000),
            (-4.0, -4.25, 62_500),
            (1.0, -1.0, 1_000_000),
            (0.0, 1.0, 1_000_000),
            (f32::NAN, 1.0, 1_000_000),
            (f32::INFINITY, 1.0, 1_000_000),
        ] {
            assert_eq!(error(bits(own), bits(given)), millionths, "{own} {given}");
        }
    }
}
