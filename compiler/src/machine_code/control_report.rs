//! Counts of the control bits of a kernel, for comparisons: stalls, waits that others cause, operands of one bank, and the
//! use of the operand cache.
//!
//! They follow from the code, without a run: each instruction counts once. The rules of banks and the
//! operand cache are those of Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the
//! Architecture of Modern GPU Cores", MICRO 2025, §5.3; other warps are left out.

use super::graph::Graph;
use super::registers::{Registers, destination, reads};
use reconverge_isa::control_bits::{BANKS, COUNTERS};
use reconverge_isa::{FixedLatencies, Instruction, Kernel, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// The counts of a kernel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlReport {
    /// Instructions, without convergence barriers.
    pub instructions: usize,
    /// Cycles that stall counts and yields add to one cycle per instruction.
    pub stall_cycles: usize,
    /// Instructions that yield.
    pub yields: usize,
    /// Counters that are raised.
    pub counters: usize,
    /// Pairs of an instruction and a counter that it waits for.
    pub waits: usize,
    /// Pairs of an instruction and an instruction in flight on such a counter.
    pub awaited: usize,
    /// Those of them where the first does not depend on the second.
    pub false_waits: usize,
    /// Sources of instructions of fixed latency that are single registers.
    pub sources: usize,
    /// Those that are in the operand cache.
    pub cached: usize,
    /// Reads beyond the first one of a bank by one instruction of fixed latency.
    pub bank_conflicts: usize,
}

/// Counts the control bits of a kernel's first stream.
pub fn report(kernel: &Kernel, latencies: &FixedLatencies) -> ControlReport {
    let code = kernel.main_code();
    let mut found = ControlReport::default();
    let mut used = BTreeSet::new();
    for (index, instruction) in code.iter().enumerate() {
        if instruction.has_barrier() {
            continue;
        }
        let bits = kernel.control_bits(index);
        found.instructions += 1;
        found.stall_cycles += usize::from(bits.cycles()) - 1;
        found.yields += usize::from(bits.yields);
        found.waits += bits.waits().count();
        used.extend(bits.write.into_iter().chain(bits.read));
    }
    found.counters = used.len();
    let graph = Graph::new(code);
    count_waits(kernel, &graph, &mut found);
    for block in 0..graph.len() {
        let mut cache = Cache::default();
        let first = kernel.first_uniform();
        for index in graph.instructions(block) {
            let reuse = kernel.control_bits(index).reuse;
            match latencies.latency(&code[index]) {
                Some(_) => cache.read(&code[index], reuse, first, &mut found),
                None => cache = Cache::default(),
            }
        }
    }
    found
}

/// An instruction in flight on a counter: what may not be accessed before that falls.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Producer {
    written: Registers,
    read: Registers,
}

/// By counter and instruction: those in flight.
type Live = BTreeMap<(u8, usize), Producer>;

/// Follows all paths, as the wait masks clear counters.
fn count_waits(kernel: &Kernel, graph: &Graph, found: &mut ControlReport) {
    let code = kernel.main_code();
    let mut starts = vec![Live::new(); graph.len()];
    let mut pending: BTreeSet<usize> = (0..graph.len()).collect();
    while let Some(block) = pending.pop_first() {
        let mut live = starts[block].clone();
        for index in graph.instructions(block) {
            issue(kernel, index, &mut live);
        }
        for &next in graph.successors(block) {
            let before = starts[next].len();
            starts[next].extend(live.iter().map(|(&key, &producer)| (key, producer)));
            if starts[next].len() != before {
                pending.insert(next);
            }
        }
    }
    for (block, mut live) in starts.into_iter().enumerate() {
        for index in graph.instructions(block) {
            for (_, producer) in issue(kernel, index, &mut live) {
                found.awaited += 1;
                found.false_waits += usize::from(!depends(&code[index], producer));
            }
        }
    }
}

/// An instruction waits and issues. Returns what it has waited for.
fn issue(kernel: &Kernel, index: usize, live: &mut Live) -> Vec<((u8, usize), Producer)> {
    let instruction = &kernel.code[index];
    let bits = kernel.control_bits(index);
    let is_awaited = |counter: u8| counter < COUNTERS && bits.wait >> counter & 1 != 0;
    let mut awaited: Vec<((u8, usize), Producer)> = live
        .iter()
        .filter(|((counter, _), _)| is_awaited(*counter))
        .map(|(&key, &producer)| (key, producer))
        .collect();
    if let (true, Operand::Imm(limit)) = (instruction.has_counter(), instruction.sources[0]) {
        // The youngest stay in flight; in a loop around, those behind it are older.
        let on_counter = live.iter().filter(|((counter, _), _)| *counter == instruction.barrier);
        let mut all: Vec<_> = on_counter.map(|(&key, &producer)| (key, producer)).collect();
        all.sort_by_key(|((_, at), _)| (*at < index, *at));
        all.truncate(all.len().saturating_sub(limit as usize));
        awaited.extend(all);
    }
    for (key, _) in &awaited {
        live.remove(key);
    }
    let (written, read, none) =
        (destination(instruction), reads(instruction), Registers::default());
    if let Some(counter) = bits.write {
        let read = if bits.read.is_none() { read } else { none };
        live.insert((counter, index), Producer { written, read });
    }
    if let Some(counter) = bits.read {
        let written = if bits.write == Some(counter) { written } else { none };
        live.insert((counter, index), Producer { written, read });
    }
    awaited
}

fn depends(instruction: &Instruction, producer: Producer) -> bool {
    let written = destination(instruction);
    let mut accessed = reads(instruction);
    accessed.add(written);
    producer.written.intersects(accessed) || producer.read.intersects(written)
}

/// The operand cache as one warp sees it: the register of each operand position and bank.
#[derive(Default)]
struct Cache([[Option<u8>; BANKS as usize]; 3]);

impl Cache {
    /// Registers from `first_uniform` on are uniform, and in no bank.
    fn read(
        &mut self,
        instruction: &Instruction,
        reuse: u8,
        first_uniform: u32,
        found: &mut ControlReport,
    ) {
        let mut reads = [0; BANKS as usize];
        for position in 0..3 {
            let kind = instruction.source_kind(position);
            let (Operand::Reg(first), Some(kind)) = (instruction.sources[position], kind) else {
                continue;
            };
            let count = kind.registers();
            if u32::from(first.0) >= first_uniform {
                continue;
            }
            for register in first.0..first.0.saturating_add(count) {
                let bank = usize::from(register % BANKS);
                let entry = &mut self.0[position][bank];
                let is_cached = *entry == Some(register);
                let keeps = reuse >> position & 1 != 0;
                *entry = keeps.then_some(register);
                reads[bank] += usize::from(!is_cached);
                found.sources += usize::from(count == 1);
                found.cached += usize::from(count == 1 && is_cached);
            }
        }
        found.bank_conflicts += reads.iter().map(|count| count.saturating_sub(1)).sum::<usize>();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::{Unit, text};

    fn counted(code: &str) -> ControlReport {
        let program = text::parse(code).unwrap_or_else(|errors| panic!("{}\n{code}", errors[0]));
        let is_fixed = |unit| matches!(unit, Unit::Integer | Unit::Float);
        let latencies = FixedLatencies::new(|row| is_fixed(row.unit).then_some(4));
        report(&program.kernels[0], &latencies)
    }

    #[test]
    fn an_instruction_waits_for_another_one_on_the_same_counter() {
        let found = counted(
            "ld.global.b32 r1, [r0] !stall 1 !wr 0\n ld.global.b32 r2, [r0+4] !stall 2 !wr 0\n \
             add.i32 r4, r1, r1 !stall 4 !wait 0\n exit !stall 1",
        );
        let counts = (found.waits, found.awaited, found.false_waits, found.counters);
        assert_eq!(counts, (1, 2, 1, 1));
        assert_eq!((found.instructions, found.stall_cycles), (4, 4));
    }

    #[test]
    fn waits_are_followed_around_loops() {
        let found = counted(
            "mov.b32 r1, 0 !stall 4\n L: add.i32 r2, r1, r1 !stall 4 !wait 3\n \
             ld.global.b32 r1, [r2] !stall 2 !wr 3\n setp.lt.s32 p0, r2, 9 !stall 4\n @p0 bra L\n exit",
        );
        assert_eq!((found.awaited, found.false_waits), (1, 0));
    }

    #[test]
    fn reads_of_one_bank_conflict_and_cached_ones_do_not() {
        let found =
            counted("fma.f32 r1, r2, r4, r6 !stall 1 !reuse 0\n fma.f32 r3, r2, r8, r5\n exit");
        assert_eq!((found.sources, found.cached, found.bank_conflicts), (6, 1, 2));
    }
}
