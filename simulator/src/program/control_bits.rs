//! The dependences that the compiler has stated, as entries of a scoreboard that instructions wait for: one for each
//! dependence counter, and one for the stall count. Nothing else of an instruction is checked at issue.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4. Ours differ: counters and stall counts belong to a path and not
//! to its warp, as scoreboards do.

use reconverge_isa::control_bits::COUNTERS;
use reconverge_isa::{Effect, FixedLatencies, Kernel, Operand, Space};

use crate::handles::Resource;
use crate::machine::Machine;
use crate::program::decoded::{Control, Decoded, Entries};
use crate::program::memory_times::MemoryTimes;
use crate::program::operands::Source;
use crate::run::fault::Fault;

/// The entries beyond those of registers and predicates.
pub(crate) const ENTRIES: usize = COUNTERS as usize + 1;

/// From the issue of an instruction of fixed latency until it has read its operands, without a wait.
pub(crate) const READ_CYCLES: u64 = 2;

/// Lets instructions have their operands in a fixed time: those of operations that have a latency in `fixed` have their
/// results in a fixed time too.
pub(super) fn deliver(instructions: &mut [Decoded], fixed: &FixedLatencies, machine: &Machine) {
    let units = machine.resolved_units();
    for instruction in instructions {
        instruction.memory = memory_times(instruction, machine);
        let is_computed = instruction.collects() && !instruction.accesses_memory();
        instruction.is_fixed = is_computed && fixed.latency_of(instruction.op).is_some();
        if is_computed && let Some(unit) = units.get(usize::from(instruction.timing)) {
            instruction.need = Resource::pipe(unit.pipe);
        }
    }
}

/// Lets instructions wait for what the kernel states, in scoreboard entries from `first` on. Returns the entry of the
/// stall count.
///
/// # Errors
/// A kernel without control bits, or an instruction that waits for a counter to fall to more than 0.
pub(super) fn use_control_bits(
    instructions: &mut [Decoded],
    first: usize,
    kernel: &Kernel,
) -> Result<Entries, Fault> {
    let bad =
        |pc: usize, problem: &str| Fault::BadProgram { pc: pc as u32, problem: problem.into() };
    if kernel.record.control_bits.is_empty() {
        let problem = "the kernel has no control bits: compile it for this machine, or set `sm.dependences=scoreboard`";
        return Err(bad(0, problem));
    }
    let counter = |counter: u8| first + usize::from(counter);
    let stall = first + usize::from(COUNTERS);
    for (pc, instruction) in instructions.iter_mut().enumerate() {
        let bits = kernel.control_bits(pc);
        let mut needs: Vec<usize> = bits.waits().map(counter).chain([stall]).collect();
        if instruction.effect == Effect::Depbar {
            if kernel.code[pc].sources[0] != Operand::Imm(0) {
                return Err(bad(pc, "machines execute `depbar.le` only with a limit of 0"));
            }
            needs.push(counter(instruction.barrier));
        }
        instruction.needs = needs.into_iter().collect();
        instruction.writes = bits.write.map(counter).into_iter().collect();
        // A result is written after the sources have been read.
        let read = bits.read.filter(|read| bits.write != Some(*read));
        instruction.reads = read.map(counter).into_iter().collect();
        let next = kernel.record.control_bits.get(pc + 1).map_or(0, |next| next.wait);
        let raised = [bits.write, bits.read].into_iter().flatten();
        let is_awaited = raised.fold(0, |raised, counter| raised | 1 << counter) & next != 0;
        instruction.control = Control {
            stall: bits.cycles(),
            reuse: bits.reuse,
            rises_late: is_awaited && bits.cycles() == 1,
            reads_unforwarded: instruction.collects() && !instruction.is_fixed,
        };
    }
    Ok(std::iter::once(stall).collect())
}

/// The cycles in which a register of 32 bits passes for all lanes, which a latency includes.
const INCLUDED: u32 = 2;

/// The times of an instruction as an access on a machine; none of one that accesses no memory.
fn memory_times(instruction: &Decoded, machine: &Machine) -> MemoryTimes {
    if !instruction.accesses_memory() {
        return MemoryTimes::default();
    }
    let timing = &machine.load_store;
    let by_lane = matches!(instruction.sources[0], Source::Register { .. });
    let is_load = instruction.effect == Effect::Load;
    let bytes = instruction.width.bytes().max(4) * machine.sm.warp_width;
    // Two cycles pass in any case, as with 32 bits of 32 lanes.
    let cycles = bytes.div_ceil(timing.transfer).max(INCLUDED);
    let more = cycles - INCLUDED;
    let is_shared = instruction.space == Space::Shared;
    let apart = |is: bool| if is && by_lane { timing.address_latency } else { 0 };
    let mut sources = timing.sub_core_latency + apart(!is_shared);
    if !is_load {
        sources += 1 + apart(true) + more;
    }
    let is_constant = instruction.space == Space::Constant;
    if is_constant {
        // From immediates too (Table 2: 10 cycles).
        sources += 1;
    }
    let transfer = match instruction.space {
        Space::Constant => 0,
        // It gives twice as many bits a cycle, in no fewer than two (Table 2: 23, 23 and 25 cycles).
        Space::Shared => bytes.div_ceil(2 * timing.transfer).max(INCLUDED) - 1,
        _ if is_load => more,
        _ => 0,
    };
    let narrow = |cycles: u32| u8::try_from(cycles).unwrap_or(u8::MAX);
    MemoryTimes {
        sources: narrow(sources),
        data: if is_load { 0 } else { narrow(cycles) },
        transfer: narrow(transfer),
        cycles: match instruction.space {
            Space::Constant => 0,
            Space::Shared => INCLUDED as u8,
            _ => narrow(cycles),
        },
        by_lane,
        holds_sources: is_constant && by_lane,
    }
}
