//! The last reads of each register: `!last`.
//!
//! A source carries the bit when, after its instruction, no thread of the warp reads the register
//! before writing it: neither one that has just executed the instruction nor one that is waiting
//! elsewhere ([`Waiting`]). A machine may then take the vector register away from all lanes.
//!
//! - An instruction that overwrites a register which it reads last carries the bit: the old value
//!   is released.
//! - A guarded instruction never carries it. If its guard is off in all lanes it does nothing, so
//!   that its read must not be the only release; nor does a guarded write end a value.
//! - Sources that read one register twice both carry it. A pair is one operand: it carries the bit
//!   when both halves are dead.

use super::assembly::Assembly;
use super::graph::Graph;
use super::liveness::Liveness;
use super::registers::{Registers, overwrites, source};
use super::waiting::Waiting;
use reconverge_isa::planted::Planted;
use reconverge_isa::{CodeTarget, Instruction};
use std::fmt;

/// The last reads of a kernel, and the counts to compare them with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastReads {
    /// By instruction: bit i is set if source i is its register's last read.
    pub bits: Vec<u8>,
    /// Sources that are registers or predicates.
    pub operands: usize,
    /// The number of them that would be last reads if each thread had its own registers: no
    /// analysis of threads that run together can find more.
    pub per_thread: usize,
    /// The most general registers that some thread of a warp still needs.
    pub most_held: u32,
    /// The most that one thread needs.
    pub most_per_thread: u32,
}

impl LastReads {
    /// Analyses finished code.
    pub fn new(code: &[Instruction]) -> LastReads {
        let graph = Graph::new(code);
        let liveness = Liveness::new(code, &graph);
        let waiting = Waiting::new(code, &graph, &liveness);
        let mut found = LastReads {
            bits: vec![0; code.len()],
            operands: 0,
            per_thread: 0,
            most_held: 0,
            most_per_thread: 0,
        };
        for block in 0..graph.len() {
            let others = waiting.needs(block);
            liveness.walk(code, &graph, block, |index, before, after| {
                found.most_per_thread = found.most_per_thread.max(before.general());
                let mut held = before;
                held.add(others.unwrap_or_default());
                found.most_held = found.most_held.max(held.general());
                found.look(code, index, after, others);
            });
        }
        found
    }

    /// Decides on the sources of one instruction.
    fn look(
        &mut self,
        code: &[Instruction],
        index: usize,
        after: Registers,
        others: Option<Registers>,
    ) {
        let instruction = &code[index];
        let mut own = after;
        own.remove(overwrites(instruction));
        let others = others.map(|mut others| {
            if Planted::MaskedWriteEnds.is_on() {
                others.remove(overwrites(instruction));
            }
            others
        });
        for number in 0..instruction.sources.len() {
            let registers = source(instruction, number);
            if registers == Registers::default() {
                continue;
            }
            self.operands += 1;
            if registers.intersects(own) {
                continue;
            }
            self.per_thread += 1;
            let shared = !Planted::OtherPathForgotten.is_on()
                && others.is_none_or(|others| registers.intersects(others));
            if !shared && instruction.guard.is_none() {
                self.bits[index] |= 1 << number;
            }
        }
    }

    /// The number of sources that are last reads.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|bits| bits.count_ones() as usize).sum()
    }
}

impl fmt::Display for LastReads {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} of {} register operands are last reads, {} if each thread had its own registers; \
             {} registers are needed at most, {} by one thread",
            self.count(),
            self.operands,
            self.per_thread,
            self.most_held,
            self.most_per_thread
        )
    }
}

/// The pass `last-read`: marks the last reads of a kernel, and returns the number of instructions that have one.
pub fn run(assembly: &mut Assembly, _: &CodeTarget) -> usize {
    annotate(assembly.main_code());
    assembly.main_code().iter().filter(|it| it.annotations.last_read != 0).count()
}

/// Marks the last reads of finished code.
pub fn annotate(code: &mut [Instruction]) {
    let found = LastReads::new(code);
    for (instruction, bits) in code.iter_mut().zip(found.bits) {
        instruction.annotations.last_read = bits;
    }
}
