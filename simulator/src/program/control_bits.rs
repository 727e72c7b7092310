//! The dependences that the compiler has stated, as entries of a scoreboard that instructions wait for: one for each
//! dependence counter, and one for the stall count. Nothing else of an instruction is checked at issue.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4. Ours differ: counters and stall counts belong to a path and not
//! to its warp, as scoreboards do.
//!
//! With unlimited counters, a bound that no allocation of counters can pass, each register has one of its results and one
//! of its reads, and an instruction waits for those that it depends on. The counters that the kernel states are ignored.

use reconverge_isa::control_bits::{COUNTERS, MAX_COUNT};
use reconverge_isa::{
    ControlBits, Effect, FixedLatencies, InOrder, Instruction, Kernel, Operand, Space,
};

use crate::handles::Resource;
use crate::machine::Machine;
use crate::program::decoded::{Control, Decoded, Entries};
use crate::program::full_counters;
use crate::program::memory_times::MemoryTimes;
use crate::program::operands::{Source, Target};
use crate::run::fault::Fault;

/// From the issue of an instruction of fixed latency until it has read its operands, without a wait.
pub(crate) const READ_CYCLES: u64 = 2;

/// Lets the instructions of a kernel have their operands in a fixed time: those of operations that have a latency in `fixed`
/// have their results in a fixed time too.
pub(super) fn deliver(
    instructions: &mut [Decoded],
    kernel: &Kernel,
    fixed: &FixedLatencies,
    machine: &Machine,
) {
    let units = machine.resolved_units();
    let constant = &machine.constant;
    for (pc, instruction) in instructions.iter_mut().enumerate() {
        let operands = kernel.code.get(pc).map_or([Operand::None; 3], |code| code.sources);
        let offset = operands.iter().find_map(|operand| match operand {
            Operand::Const(offset) if constant.l0_size != 0 => Some(u32::from(*offset)),
            _ => None,
        });
        if machine.sm.uniform_registers != 0 {
            set_apart(instruction, kernel.first_uniform() as u16);
        }
        instruction.constant = offset.map(|offset| offset / constant.l0_line);
        instruction.memory = memory_times(instruction, machine);
        let is_computed = instruction.collects() && !instruction.accesses_memory();
        instruction.is_fixed = is_computed && fixed.latency_of(instruction.op).is_some();
        if is_computed
            && !instruction.control.uniform.computes
            && let Some(unit) = units.get(usize::from(instruction.timing))
        {
            instruction.need = Resource::pipe(unit.pipe);
        }
    }
}

/// Uniform registers, from one on, are in a file of their own: an instruction reads and writes them without a port of the
/// registers of threads, and computes them in the uniform datapath.
fn set_apart(instruction: &mut Decoded, first: u16) {
    for (position, source) in instruction.sources.into_iter().enumerate() {
        if let Source::Register { index, .. } = source
            && index >= first
        {
            instruction.operands.remove(index);
            instruction.control.uniform.sources |= 1 << position;
        }
    }
    if let Target::Register { index, .. } = instruction.target
        && index >= first
    {
        instruction.control.uniform.computes = instruction.effect == Effect::Compute;
        instruction.result = None;
    }
}

/// The scoreboard entries of stated dependences. Those of registers and predicates, which are first, belong to results if
/// counters are unlimited, and are not used otherwise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    /// The first entry of a counter; of reads of registers, if counters are unlimited.
    first: usize,
    /// Counters; 0 if they are unlimited.
    counters: u8,
    /// The entry of the stall count, the last one.
    stall: Entries,
    /// Some instruction waits until a counter is above 0.
    has_limits: bool,
}

impl Stated {
    /// The entries beyond the `registers` of registers and predicates.
    pub(super) fn new(registers: usize, counters: u8) -> Stated {
        let beyond = if counters == 0 { registers } else { COUNTERS.into() };
        let stall = std::iter::once(registers + beyond).collect();
        Stated { first: registers, counters, stall, has_limits: false }
    }

    /// The entry of the stall count.
    pub(crate) fn stall(&self) -> &Entries {
        &self.stall
    }

    /// The number of all entries.
    pub(super) fn all_entries(&self) -> usize {
        self.stall.iter().max().unwrap_or(0) + 1
    }

    /// Returns true if some instruction waits until a counter is above 0.
    pub(crate) fn has_limits(&self) -> bool {
        self.has_limits
    }

    /// Lets instructions wait for what the kernel states.
    ///
    /// # Errors
    /// A kernel without control bits, or one that names a counter which the machine lacks.
    pub(super) fn apply(
        &mut self,
        instructions: &mut [Decoded],
        kernel: &Kernel,
        machine: &Machine,
    ) -> Result<(), Fault> {
        if kernel.record.control_bits.is_empty() {
            let problem = "the kernel has no control bits: compile it for this machine, or set `sm.dependences=scoreboard`";
            return Err(bad(0, problem));
        }
        let full = match self.counters {
            0 => Vec::new(),
            _ => full_counters::find(kernel, instructions, machine),
        };
        let limits = (0..kernel.code.len()).filter_map(|pc| depbar(kernel, pc));
        let ordered = limits.filter(|(_, limit)| *limit != 0).fold(0, |all, (it, _)| all | 1 << it);
        for (pc, instruction) in instructions.iter_mut().enumerate() {
            let bits = kernel.control_bits(pc);
            let is_counted = bits.write.is_some_and(|write| ordered >> write & 1 != 0);
            instruction.memory.is_ordered =
                is_counted && InOrder::of_result(&kernel.code[pc]).is_some();
            instruction.control = Control {
                stall: bits.cycles(),
                reuse: bits.reuse,
                rises_late: false,
                reads_unforwarded: instruction.collects() && !instruction.is_fixed,
                ..instruction.control
            };
            match self.counters {
                0 => self.wait_for_registers(instruction),
                _ => self.wait_for_counters(instruction, bits, kernel, pc, full[pc])?,
            }
        }
        self.has_limits = instructions.iter().any(|it| it.needs.limited_count() != 0);
        Ok(())
    }

    fn wait_for_counters(
        &self,
        instruction: &mut Decoded,
        bits: ControlBits,
        kernel: &Kernel,
        pc: usize,
        full: u8,
    ) -> Result<(), Fault> {
        let counter = |counter: u8| self.first + usize::from(counter);
        let waits: Vec<u8> = bits.waits().collect();
        // Counters that need not be 0: one that is waited for until then, or those that it raises.
        let depbar = depbar(kernel, pc);
        let limit = depbar.map_or(MAX_COUNT - 1, |(_, limit)| limit);
        let raised = (0..COUNTERS).filter(|counter| full >> counter & 1 != 0);
        let limited = depbar.map(|(counter, _)| counter).into_iter().chain(raised);
        let limited: Vec<u8> = limited.filter(|counter| !waits.contains(counter)).collect();
        let named = waits.iter().chain(&limited).copied().chain(bits.write).chain(bits.read);
        if let Some(beyond) = named.filter(|counter| *counter >= self.counters).max() {
            let problem = format!(
                "it names counter {beyond}, and the machine has {} (`sm.dependence-counters`)",
                self.counters
            );
            return Err(bad(pc, &problem));
        }
        let next = kernel.record.control_bits.get(pc + 1).map_or(0, |next| next.wait)
            | self::depbar(kernel, pc + 1).map_or(0, |(counter, _)| 1 << counter);
        let raised = [bits.write, bits.read].into_iter().flatten();
        let is_awaited = raised.fold(0, |raised, counter| raised | 1 << counter) & next != 0;
        instruction.control.rises_late = is_awaited && bits.cycles() == 1;
        let needs = limited.iter().chain(&waits).map(|&it| counter(it)).chain(self.stall.iter());
        let needs: Entries = needs.collect();
        instruction.needs = if limit == 0 { needs } else { needs.limited(limited.len(), limit) };
        instruction.writes = bits.write.map(counter).into_iter().collect();
        // A result is written after the sources have been read.
        let read = bits.read.filter(|read| bits.write != Some(*read));
        instruction.reads = read.map(counter).into_iter().collect();
        Ok(())
    }

    /// It waits for the results that it reads or overwrites, and for reads of those that it overwrites; stall counts
    /// protect results of a fixed time.
    fn wait_for_registers(&self, instruction: &mut Decoded) {
        wait_for_reads(instruction, self.first);
        instruction.needs = instruction.needs.iter().chain(self.stall.iter()).collect();
        if !instruction.varies() {
            instruction.writes = Entries::default();
        }
    }
}

/// Lets an instruction wait for reads of the registers that it overwrites, and others for its own reads if it varies.
/// The entries of reads follow those of results, of which there are `results`.
pub(super) fn wait_for_reads(instruction: &mut Decoded, results: usize) {
    let written = instruction.writes;
    // `needs` has the registers that are read, then those that are written.
    let mut needs: Vec<usize> = instruction.needs.iter().collect();
    let read = needs.iter().filter(|entry| written.iter().all(|other| other != **entry));
    let read: Entries = read.map(|entry| results + entry).collect();
    needs.extend(written.iter().map(|entry| results + entry));
    needs.sort_unstable();
    needs.dedup();
    instruction.needs = needs.into_iter().collect();
    instruction.reads = if instruction.varies() { read } else { Entries::default() };
}

/// The counter that an instruction waits for by itself, and the limit that it has to fall to, at most [`MAX_COUNT`].
pub(super) fn depbar(kernel: &Kernel, pc: usize) -> Option<(u8, u8)> {
    let is_depbar = |it: &&Instruction| it.has_counter() && it.barrier < COUNTERS;
    let instruction = kernel.code.get(pc).filter(is_depbar)?;
    match instruction.sources[0] {
        Operand::Imm(limit) => Some((instruction.barrier, limit.min(MAX_COUNT.into()) as u8)),
        _ => None,
    }
}

fn bad(pc: usize, problem: &str) -> Fault {
    Fault::BadProgram { pc: pc as u32, problem: problem.into() }
}

/// The cycles in which a register of 32 bits passes for all lanes, which a latency includes.
const INCLUDED: u32 = 2;

/// The times of an instruction as an access on a machine; none of one that accesses no memory.
fn memory_times(instruction: &Decoded, machine: &Machine) -> MemoryTimes {
    if !instruction.accesses_memory() {
        return MemoryTimes::default();
    }
    let timing = &machine.load_store;
    let is_register = matches!(instruction.sources[0], Source::Register { .. });
    let by_lane = is_register && !instruction.control.common;
    let is_copy = instruction.effect == Effect::Copy;
    let is_load = is_copy || instruction.effect == Effect::Load;
    let bytes = instruction.moved_bytes().max(4) * machine.sm.warp_width;
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
            // Its bytes go to no register.
            _ if is_copy => 0,
            Space::Shared => INCLUDED as u8,
            _ => narrow(cycles),
        },
        by_lane,
        holds_sources: is_constant && by_lane,
        is_ordered: false,
    }
}
