//! Executing what is the same in all lanes of a warp, or grows evenly, once instead of in all lanes.
//!
//! What `cae` and `scalar-unit` share: the tags of registers, a file of registers for tagged values, and
//! units of their own. They differ in their [`Rules`]. Tags decide time only; when claims are checked
//! ([`Compact::is_broken`]) every tagged source has to hold what its tag says.
//!
//! A tagged register is in the file of compact values. An instruction that computes compactly reads and
//! writes that file; one that takes the lanes gets tagged operands expanded on their way, without reading
//! banks. If it writes a part of the threads of a tagged register (behind a divergent branch, or guarded),
//! the register has to be expanded into the banks first, as late as that: Kim et al.'s lazy expansion.

use super::tags::{Tag, Tags, holds, registers_read, tag_of, thread_tags};
use crate::block::Threads;
use crate::decode::{Code, Decoded, Source, Target};
use crate::path::Lanes;
use crate::register_file::Operands;

/// What becomes of an instruction whose guard is known to be the same in all lanes, when all threads of
/// a warp that have not ended execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The lanes execute it, or memory answers; the result has a tag.
    Lanes(Tag),
    /// It is executed compactly.
    Compact(Tag),
    /// It is, and the result, a predicate, is uniform if all lanes come to the same.
    Compare,
}

/// What is executed compactly.
pub(super) trait Rules: Send {
    /// What becomes of an instruction whose sources have tags; what is no source is uniform.
    fn outcome(&self, instruction: &Decoded, sources: [Tag; 3]) -> Outcome;
}

/// How an instruction is executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// By the unit for compact values, given that it computes.
    pub(crate) is_compact: bool,
    /// All of its sources are uniform.
    pub(crate) is_uniform: bool,
    /// Registers that are expanded first.
    pub(crate) expansions: u32,
    /// The registers that it reads from banks.
    pub(crate) operands: Operands,
}

/// The tags of a core's blocks, and its units for compact values.
pub(crate) struct Compact {
    rules: Box<dyn Rules>,
    /// One a scheduler, if nothing is said.
    units: Option<u32>,
    /// By unit: when it accepts an instruction.
    free: Vec<u64>,
    /// By place.
    blocks: Vec<Tags>,
    /// By warp of a block: the tags of its index.
    threads: Vec<[Tag; 3]>,
}

impl Compact {
    pub(super) fn new(rules: Box<dyn Rules>, units: Option<u32>) -> Compact {
        Compact { rules, units, free: Vec::new(), blocks: Vec::new(), threads: Vec::new() }
    }

    /// For a core of so many schedulers and places.
    pub(crate) fn of_core(mut self, schedulers: u32, places: usize) -> Compact {
        self.free = vec![0; self.units.unwrap_or(schedulers) as usize];
        self.blocks = vec![Tags::default(); places];
        self
    }

    /// A block starts in a place.
    pub(crate) fn start(&mut self, code: &Code, place: usize) {
        if self.threads.is_empty() {
            self.threads = thread_tags(code);
        }
        self.blocks[place].reset(code);
    }

    fn sources(&self, place: usize, warp: usize, instruction: &Decoded) -> [Tag; 3] {
        let tags = &self.blocks[place];
        instruction.sources.map(|source| match source {
            Source::None | Source::Pool { .. } | Source::Block(_) => Tag::Uniform,
            Source::Register { index, pair } => tags.of_register(warp, index, pair),
            Source::Predicate { index, .. } => tags.of_predicate(warp, index),
            Source::Queued => Tag::Generic,
            Source::Thread(axis) => self.threads[warp][usize::from(axis)],
        })
    }

    /// Whether the guard of an instruction is known to be the same in all lanes.
    pub(crate) fn has_uniform_guard(
        &self,
        place: usize,
        lanes: &Lanes,
        instruction: &Decoded,
    ) -> bool {
        match (lanes, instruction.guard) {
            (_, None) => true,
            (Lanes::Mixed(_), _) => false,
            (Lanes::Warp { warp, .. }, Some((index, _))) => {
                self.blocks[place].of_predicate(usize::from(*warp), index) == Tag::Uniform
            }
        }
    }

    /// An instruction was executed in the lanes of `mask`, some of a path's: how, as far as time is
    /// concerned.
    pub(crate) fn executed(
        &mut self,
        code: &Code,
        place: usize,
        instruction: &Decoded,
        threads: &Threads,
        (lanes, mask): (&Lanes, u64),
    ) -> How {
        let mut how = How {
            is_compact: false,
            is_uniform: false,
            expansions: 0,
            operands: instruction.operands,
        };
        let Lanes::Warp { warp, .. } = *lanes else {
            for (warp, _) in lanes.by_warp(mask, code.shape.width as usize) {
                how.expansions += self.blocks[place].write_in_part(warp, instruction.target);
            }
            return how;
        };
        let warp = usize::from(warp);
        let sources = self.sources(place, warp, instruction);
        let outcome = match self.has_uniform_guard(place, lanes, instruction) {
            true => self.rules.outcome(instruction, sources),
            false => Outcome::Lanes(Tag::Generic),
        };
        let tags = &mut self.blocks[place];
        for register in registers_read(instruction) {
            if tags.is_compact(warp, register) {
                how.operands.remove(register);
            }
        }
        // Those that end in this instruction write nothing.
        let alive = threads.alive[warp];
        if mask & alive != alive {
            how.expansions = tags.write_in_part(warp, instruction.target);
            return how;
        }
        let tag = match outcome {
            Outcome::Lanes(tag) | Outcome::Compact(tag) => tag,
            Outcome::Compare => compared(code, instruction, threads, warp),
        };
        tags.write(warp, instruction.target, tag);
        how.is_compact = !matches!(outcome, Outcome::Lanes(_));
        how.is_uniform = sources.iter().all(|tag| *tag == Tag::Uniform);
        how
    }

    /// When a unit starts an instruction that issues now: its operands are read in the next cycle, as
    /// those of an instruction without registers.
    pub(crate) fn starts(&mut self, now: u64) -> u64 {
        match self.free.iter_mut().min() {
            Some(free) => {
                let start = (now + 2).max(*free);
                *free = start + 1;
                start
            }
            None => now + 2,
        }
    }

    /// Whether something that an instruction is about to read is not as its tag says.
    pub(crate) fn is_broken(
        &self,
        code: &Code,
        place: usize,
        instruction: &Decoded,
        threads: &Threads,
        lanes: &Lanes,
    ) -> bool {
        let width = code.shape.width as usize;
        lanes.by_warp(lanes.mask(), width).any(|(warp, _)| {
            let alive = threads.alive[warp];
            let registers = &threads.registers;
            let tags = &self.blocks[place];
            // Both halves of a pair that is uniform are.
            let broken = |register: u16| {
                let row = warp * code.registers + usize::from(register);
                let word = |lane: usize| registers.general[row * width + lane];
                !holds(tags.of_register(warp, register, false), tag_of(word, alive))
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
