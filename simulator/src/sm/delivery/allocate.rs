//! The stages Control and Allocate, and the read ports of the register file.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.1.1 and §5.3. An instruction is in Control a cycle after its issue,
//! and in Allocate a cycle later, if the one in front has left it. It stays there until the ports of
//! both banks are free for its operands within the next three cycles. So what is held in Allocate holds
//! the instruction in Control, and that one holds issue. Where the paper is silent:
//!
//! - "The value required in the stall counter remains constant", whatever is held. So the stall count of
//!   an instruction, or of the one right behind it, which issues before anything is held, also counts
//!   the cycles for which it is held.
//! - Instructions of varying latency read in cycles that those of fixed latency leave.
//!
//! The operand cache has a value for each bank and operand position. A source with `!reuse` stays there;
//! each read of a bank by a position replaces or drops what is there, hit or not (§5.3.1).

use super::slots::Slots;
use crate::handles::{CandidateId, RegisterRow, WarpSlot};
use crate::program::control_bits::READ_CYCLES;
use crate::program::decoded::Decoded;
use crate::program::operands::Source;

/// Banks of a scheduler's register file.
pub(crate) const BANKS: usize = 2;
/// The cycles in which an instruction can read its operands.
const WINDOW: u64 = 3;
/// From issue to Allocate, if nothing is held.
pub(crate) const TO_ALLOCATE: u64 = READ_CYCLES;

/// An operand that is read: its bank.
#[derive(Clone, Copy, Debug, Default)]
struct Reads([u8; BANKS]);

/// A scheduler's stages.
#[derive(Clone, Debug)]
struct Stage {
    reads: [Slots; BANKS],
    /// By bank and operand position: the register whose value the operand cache has.
    cached: [[Option<RegisterRow>; 3]; BANKS],
    /// The cycle in which an instruction left Allocate last.
    left: u64,
}

/// The time of an instruction that has passed Allocate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocated {
    /// The cycle in which it is in Allocate for the last time.
    pub(crate) at: u64,
    /// The first cycle in which its scheduler can issue again.
    pub(crate) opens: u64,
}

/// The stages Control and Allocate of an SM.
#[derive(Clone, Debug)]
pub(crate) struct Allocate {
    /// By scheduler.
    stages: Vec<Stage>,
    /// False if a bank has as many ports as are needed.
    has_limit: bool,
    /// By candidate: the cycles for which the instruction that issued last is held, if the next one
    /// need not wait for them.
    carried: Vec<u64>,
}

impl Stage {
    /// The reads of an instruction by bank, after what the operand cache has. Updates it.
    #[inline]
    fn reads(&mut self, warp: WarpSlot, instruction: &Decoded) -> Reads {
        let mut reads = Reads::default();
        for (position, source) in instruction.sources.iter().enumerate() {
            let Source::Register { index, words } = *source else { continue };
            if instruction.control.uniform.sources >> position & 1 != 0 {
                continue;
            }
            let keeps = instruction.control.reuse >> position & 1 != 0;
            for register in index..index + u16::from(words) {
                let bank = usize::from(register) % BANKS;
                let cached = &mut self.cached[bank][position];
                reads.0[bank] += u8::from(*cached != Some(warp.row(register)));
                *cached = keeps.then_some(warp.row(register));
            }
        }
        reads
    }

    /// Reserves reads in the first window that has room for them, from a cycle on. Returns its start.
    #[inline]
    fn reserve(&mut self, reads: Reads, from: u64) -> u64 {
        let mut at = from;
        for (bank, count) in reads.0.into_iter().enumerate() {
            let slots = &self.reads[bank];
            while count != 0 && slots.left_in(at, WINDOW) < count {
                at += 1;
            }
        }
        for (bank, count) in reads.0.into_iter().enumerate() {
            (0..count).for_each(|_| self.reads[bank].take_first(at));
        }
        at
    }
}

impl Allocate {
    /// The stages of an SM's schedulers, with a number of read ports of each bank or, with 0, as many
    /// as are needed.
    pub(crate) fn new(schedulers: u32, ports: u32, candidates: usize) -> Allocate {
        let stage = Stage {
            reads: [Slots::new(ports as u8), Slots::new(ports as u8)],
            cached: [[None; 3]; BANKS],
            left: 0,
        };
        Allocate {
            stages: vec![stage; schedulers as usize],
            has_limit: ports != 0,
            carried: vec![0; candidates],
        }
    }

    /// The scheduler of a warp.
    pub(crate) fn scheduler_of(&self, warp: WarpSlot) -> usize {
        warp.index() % self.stages.len()
    }

    /// An instruction of fixed latency issues now, whose pipe is free when it is in Allocate in cycle
    /// `pipe_free` or later.
    #[inline]
    pub(crate) fn pass(
        &mut self,
        warp: WarpSlot,
        instruction: &Decoded,
        pipe_free: u64,
        now: u64,
    ) -> Allocated {
        let scheduler = self.scheduler_of(warp);
        let (stage, has_limit) = (&mut self.stages[scheduler], self.has_limit);
        let enters = (now + TO_ALLOCATE).max(stage.left + 1);
        let earliest = enters.max(pipe_free);
        let reads = stage.reads(warp, instruction);
        let at = match has_limit {
            true => {
                stage.reads.iter_mut().for_each(|slots| slots.advance(now));
                stage.reserve(reads, earliest)
            }
            false => earliest,
        };
        stage.left = at;
        // It stays in Control until it enters Allocate.
        Allocated { at, opens: enters - 1 }
    }

    /// Returns true if an instruction of varying latency can read a register of each bank that it
    /// needs in a cycle.
    pub(crate) fn can_read(&self, warp: WarpSlot, instruction: &Decoded, cycle: u64) -> bool {
        let stage = &self.stages[self.scheduler_of(warp)];
        let mut registers = instruction.operands.registers().iter();
        !self.has_limit
            || registers
                .all(|&register| stage.reads[usize::from(register) % BANKS].left(cycle) != 0)
    }

    /// The cycles from the issue of an instruction, which is held for some, to that of the next one of
    /// its path.
    #[inline]
    pub(crate) fn distance(&mut self, id: CandidateId, stall: u8, held: u64) -> u64 {
        let carried = std::mem::take(&mut self.carried[id.index()]);
        let held = held.max(carried);
        if stall == 1 && carried == 0 {
            self.carried[id.index()] = held;
            return 1;
        }
        u64::from(stall) + held
    }

    /// A block starts in the place of a candidate.
    pub(crate) fn reset(&mut self, id: CandidateId) {
        self.carried[id.index()] = 0;
    }
}
