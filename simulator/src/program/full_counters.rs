//! Instructions that could raise a dependence counter beyond its end.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4: a counter is between 0 and 63. The paper does not say what happens
//! at the end of the range. Ours: an instruction that would raise a counter of 63 waits until it has
//! fallen. So code need not be written for it, and nothing is lost: 64 results of a warp are in flight.
//!
//! Most code cannot get there, because a register is awaited before it is overwritten. So paths through
//! the code are followed here, and only instructions that may find a full counter look at it. Reads of
//! sources end before more than a sub-core's queue are outstanding; they count if that is long.

use reconverge_isa::control_bits::{COUNTERS, MAX_COUNT};
use reconverge_isa::{Effect, Kernel};

use crate::machine::Machine;
use crate::program::control_bits::depbar;
use crate::program::decoded::Decoded;

/// The most that is outstanding on each counter; beyond [`MAX_COUNT`] it does not matter how much.
type Counts = [u8; COUNTERS as usize];

/// A queue of so many memory instructions cannot fill a counter with reads, with what else reads.
const SHORT_QUEUE: u32 = 32;

/// By instruction: the counters, a bit each, that it may have to wait for before it raises them.
pub(super) fn find(kernel: &Kernel, instructions: &[Decoded], machine: &Machine) -> Vec<u8> {
    let counts_reads = machine.load_store.sub_core_queue > SHORT_QUEUE;
    let raised = |pc: usize| {
        let bits = kernel.control_bits(pc);
        let instruction = &instructions[pc];
        let is_long = counts_reads || instruction.memory.holds_sources;
        let read = bits.read.filter(|read| is_long && bits.write != Some(*read));
        bits.write.into_iter().chain(read).filter(|counter| *counter < COUNTERS)
    };
    let mut before: Vec<Option<Counts>> = vec![None; instructions.len()];
    let mut pending = vec![(0, Counts::default())];
    let mut full = vec![0; instructions.len()];
    while let Some((pc, counts)) = pending.pop() {
        let Some(instruction) = instructions.get(pc) else { continue };
        let known = before[pc];
        let mut counts = known.map_or(counts, |known| larger(known, counts));
        if known == Some(counts) {
            continue;
        }
        before[pc] = Some(counts);
        wait(kernel, pc, &mut counts);
        for counter in raised(pc) {
            let count = &mut counts[usize::from(counter)];
            if *count >= MAX_COUNT {
                full[pc] |= 1 << counter;
            }
            *count = (*count + 1).min(MAX_COUNT + 1);
        }
        let jumps = instruction.effect == Effect::Branch;
        let ends = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        if jumps {
            pending.push((instruction.jump as usize, counts));
        }
        if !ends || instruction.is_conditional() {
            pending.push((pc + 1, counts));
        }
    }
    full
}

fn larger(one: Counts, other: Counts) -> Counts {
    let mut all = one;
    all.iter_mut().zip(other).for_each(|(one, other)| *one = other.max(*one));
    all
}

/// An instruction waits for counters. The one in front of it may have raised one since.
fn wait(kernel: &Kernel, pc: usize, counts: &mut Counts) {
    let mut fall = |counter: u8, limit: u8| {
        let count = &mut counts[usize::from(counter)];
        *count = (*count).min(limit + 1);
    };
    kernel.control_bits(pc).waits().for_each(|counter| fall(counter, 0));
    if let Some((counter, limit)) = depbar(kernel, pc) {
        fall(counter, limit);
    }
}
