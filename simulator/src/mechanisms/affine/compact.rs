//! Executes an instruction once instead of in all lanes, if its values are equal in all lanes of a
//! warp, or grow evenly.
//!
//! Shared by `cae` and `scalar-unit`: the tags of registers, a file of registers for tagged values,
//! and units of their own. They differ in their [`Rules`]. Tags decide time only; when claims are
//! checked ([`Affine::is_broken`]) every tagged source has to agree with its tag.
//!
//! A tagged register is in the file of compact values. An instruction that executes compactly reads
//! and writes that file. For one that executes in lanes, tagged operands are expanded on the path
//! to the lanes, without bank reads. If it writes only some threads of a tagged register (after a
//! divergent branch, or guarded), the register is first expanded into the banks, as late as then:
//! the lazy expansion of Kim et al.

use crate::handles::BlockSlot;
use reconverge_isa::Effect;

use super::slot::{Affine, BlockView, Design, How};
use super::tags::{Tag, Tags, holds, registers_read, tag_of, thread_tags};
use crate::block::path::Lanes;
use crate::block::threads::Threads;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// The treatment of an instruction whose guard is known to be the same in all lanes, when all
/// threads of a warp that have not ended execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The lanes execute it, or memory answers; the result has a tag.
    Lanes(Tag),
    /// It is executed compactly.
    Compact(Tag),
    /// It is compact, and the result, a predicate, is uniform if all lanes compute the same.
    Compare,
}

/// The rules that decide which instructions are executed compactly.
pub(super) trait Rules: Send {
    /// The treatment of an instruction whose sources have tags; missing sources count as uniform.
    fn outcome(&self, instruction: &Decoded, sources: [Tag; 3]) -> Outcome;
}

/// A mechanism of this kind as a machine file describes it.
pub(super) struct CompactDesign<R> {
    pub(super) rules: R,
    /// Units of an SM; one a scheduler, by default.
    pub(super) units: Option<u32>,
}

impl<R: Rules + Copy + 'static> Design for CompactDesign<R> {
    fn of_sm(&self, schedulers: u32, block_slots: usize) -> Option<Box<dyn Affine>> {
        Some(Box::new(Compact {
            rules: Box::new(self.rules),
            free: vec![0; self.units.unwrap_or(schedulers) as usize],
            blocks: vec![Tags::default(); block_slots],
            threads: Vec::new(),
        }))
    }
}

/// The tags of an SM's blocks, and its units for compact values.
struct Compact {
    rules: Box<dyn Rules>,
    /// By unit: when it accepts an instruction.
    free: Vec<u64>,
    /// By block slot.
    blocks: Vec<Tags>,
    /// By warp of a block: the tags of its index.
    threads: Vec<[Tag; 3]>,
}

impl Compact {
    fn sources(&self, place: BlockSlot, warp: usize, instruction: &Decoded) -> [Tag; 3] {
        let tags = &self.blocks[place.index()];
        instruction.sources.map(|source| match source {
            Source::None | Source::Pool { .. } | Source::Block(_) => Tag::Uniform,
            Source::Register { index, words } => tags.of_register(warp, index, words),
            Source::Predicate { index, .. } => tags.of_predicate(warp, index),
            Source::Queued => Tag::Generic,
            Source::Thread(axis) => self.threads[warp][usize::from(axis)],
        })
    }

    /// Returns true if the guard of an instruction is known to be the same in all lanes.
    fn has_uniform_guard(&self, place: BlockSlot, lanes: &Lanes, instruction: &Decoded) -> bool {
        match (lanes, instruction.guard) {
            (_, None) => true,
            (Lanes::Mixed(_), _) => false,
            (Lanes::Warp { warp, .. }, Some((index, _))) => {
                self.blocks[place.index()].of_predicate(usize::from(*warp), index) == Tag::Uniform
            }
        }
    }

    /// Tags the result of an instruction that was executed in the lanes of `mask`, some of a
    /// path's. Returns how it is executed, if a unit for compact values executes it, and then if
    /// all of its sources are uniform.
    fn tag(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
    ) -> (How, Option<bool>) {
        let BlockView { code, slot: place, threads } = block;
        let mut how = How::in_lanes(instruction);
        let Lanes::Warp { warp, .. } = *lanes else {
            for (warp, _) in lanes.by_warp(mask, code.shape.width as usize) {
                how.expansions +=
                    self.blocks[place.index()].write_in_part(warp, instruction.target);
            }
            return (how, None);
        };
        let warp = usize::from(warp);
        let sources = self.sources(place, warp, instruction);
        let outcome = match self.has_uniform_guard(place, lanes, instruction) {
            true => self.rules.outcome(instruction, sources),
            false => Outcome::Lanes(Tag::Generic),
        };
        let tags = &mut self.blocks[place.index()];
        for register in registers_read(instruction) {
            if tags.is_compact(warp, register) {
                how.operands.remove(register);
            }
        }
        // Threads that end in this instruction write nothing.
        let alive = threads.alive[warp];
        if mask & alive != alive {
            how.expansions = tags.write_in_part(warp, instruction.target);
            return (how, None);
        }
        let tag = match outcome {
            Outcome::Lanes(tag) | Outcome::Compact(tag) => tag,
            Outcome::Compare => compared(code, instruction, threads, warp),
        };
        tags.write(warp, instruction.target, tag);
        let is_compact = !matches!(outcome, Outcome::Lanes(_));
        (how, is_compact.then(|| sources.iter().all(|tag| *tag == Tag::Uniform)))
    }

    /// Does so and counts it.
    fn count_tag(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        statistics: &mut Statistics,
    ) -> (How, bool) {
        let (how, is_uniform) = self.tag(block, instruction, lanes, mask);
        statistics.compact_expansions += u64::from(how.expansions);
        match is_uniform {
            Some(true) => statistics.compact_uniform_instructions += 1,
            Some(false) => statistics.compact_affine_instructions += 1,
            None => {}
        }
        (how, is_uniform.is_some())
    }

    /// The cycle in which a unit starts an instruction that issues now: its operands are read in
    /// the next cycle, as those of an instruction without registers.
    fn starts(&mut self, now: u64) -> u64 {
        match self.free.iter_mut().min() {
            Some(free) => {
                let start = (now + 2).max(*free);
                *free = start + 1;
                start
            }
            None => now + 2,
        }
    }
}

impl Affine for Compact {
    fn watches_values(&self) -> bool {
        true
    }

    fn admit(&mut self, code: &Code, slot: BlockSlot, _arrival: u64, _now: u64) {
        if self.threads.is_empty() {
            self.threads = thread_tags(code);
        }
        self.blocks[slot.index()].reset(code);
    }

    fn executed(
        &mut self,
        block: BlockView,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        now: u64,
        statistics: &mut Statistics,
    ) -> Option<How> {
        let (mut how, is_compact) = self.count_tag(block, instruction, lanes, mask, statistics);
        how.starts = is_compact.then(|| self.starts(now));
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
        if instruction.effect == Effect::Branch {
            let known = instruction.guard.is_some()
                && self.has_uniform_guard(block.slot, lanes, instruction);
            statistics.compact_branches += u64::from(known);
        } else if mask != 0 && instruction.target != Target::None {
            self.count_tag(block, instruction, lanes, mask, statistics);
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
        lanes.by_warp(lanes.mask(), width).any(|(warp, _)| {
            let alive = threads.alive[warp];
            let registers = &threads.registers;
            let tags = &self.blocks[place.index()];
            // Both halves of a pair that is uniform are.
            let broken = |register: u16| {
                let row = warp * code.registers + usize::from(register);
                let word = |lane: usize| registers.general[row * width + lane];
                !holds(tags.of_register(warp, register, 1), tag_of(word, alive))
            };
            let parted = |index: u16| {
                let bits =
                    registers.predicates[warp * code.predicates + usize::from(index)] & alive;
                tags.of_predicate(warp, index) == Tag::Uniform && bits != 0 && bits != alive
            };
            registers_read(instruction).any(broken)
                || instruction.guard.is_some_and(|(index, _)| parted(index))
                || instruction.sources.iter().any(|source| match *source {
                    Source::Predicate { index, .. } => parted(index),
                    _ => false,
                })
        })
    }
}

/// The tag of a predicate that a warp has just computed.
fn compared(code: &Code, instruction: &Decoded, threads: &Threads, warp: usize) -> Tag {
    let Target::Predicate(index) = instruction.target else {
        return Tag::Generic;
    };
    let alive = threads.alive[warp];
    let bits = threads.registers.predicates[warp * code.predicates + usize::from(index)] & alive;
    if bits == 0 || bits == alive { Tag::Uniform } else { Tag::Generic }
}
