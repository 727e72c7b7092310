//! Regions: finished code cut into parts of basic blocks that each need few registers, for a machine that brings the registers of a
//! region in before the region begins.
//!
//! Source: Aamodt, Fung, Rogers, §3.6.5 (after Kloosterman et al., RegLess): regions "are
//! contiguous instructions within a single basic block. The boundary between regions is selected so
//! as to limit the number of live registers." A region never has a load from outside the SM
//! together with its use. This follows from the purpose of regions: a waiting warp must keep no
//! registers staged.
//!
//! The text leaves open how boundaries are found, and here is so.
//!
//! - A region is as long as its block, its strand ([`super::strands`]), [`LONGEST`] instructions and the limits let it be, from where the one
//!   before it ends. An instruction that needs more than the limits is a region by itself.
//! - A register is held from the region's beginning, if it is preloaded, or from its first write to
//!   the last instruction of the region that accesses it, which marks it as evictable. All
//!   registers of a pair or of four are held until none is accessed any more, or the region ends.
//! - Preloaded are the registers that the region reads before it writes them; and those that it
//!   writes first, if the write may leave lanes alone whose value is needed: under a guard, or
//!   while other threads of the warp wait ([`Waiting`]).
//! - Erased at the beginning of a block are the registers that were needed at the end of a block
//!   before it, and are needed no more.

use super::assembly::Assembly;
use super::graph::Graph;
use super::liveness::Liveness;
use super::registers::Registers;
use super::strands;
use super::waiting::Waiting;
use reconverge_isa::planted::Planted;
use reconverge_isa::region_rules::{accessed, occupancy, result_registers, source_registers};
use reconverge_isa::{CodeTarget, EVICTS_RESULT, Instruction, Region, RegisterSet, StagingLimits};
use std::ops::Range;

/// The most instructions of a region, so that the time to find its end is bounded.
const LONGEST: usize = 128;

/// Returns true if a region with such needs is within the limits.
fn hold(limits: &StagingLimits, region: &Range<usize>, code: &[Instruction], plan: &Plan) -> bool {
    let code = &code[region.clone()];
    let most = |banks: u32| occupancy(code, &plan.preloads, &plan.evictions, banks as usize);
    let total = most(1).into_iter().max().unwrap_or(0);
    // If all registers fit into one bank, the banks need not be counted.
    total <= limits.registers
        && (total <= limits.bank_registers
            || most(limits.banks).into_iter().all(|count| count <= limits.bank_registers))
}

/// The pass `regions`: cuts a kernel into regions within the machine's limits, and returns their number.
pub fn run(assembly: &mut Assembly, target: &CodeTarget) -> usize {
    let Some(limits) = &target.regions else {
        return 0;
    };
    let kernel = &mut assembly.kernel;
    let (regions, evictions) = cut(kernel.main_code(), limits);
    kernel.record.regions = regions;
    kernel.record.evictions = evictions;
    kernel.record.evictions.resize(kernel.code.len(), 0);
    kernel.record.regions.len()
}

/// Cuts code into regions: these, and by instruction the registers that it evicts.
pub fn cut(code: &[Instruction], limits: &StagingLimits) -> (Vec<Region>, Vec<u8>) {
    let graph = Graph::new(code);
    let liveness = Liveness::new(code, &graph);
    let waiting = Waiting::new(code, &graph, &liveness);
    let begins = strands::begins(code, &graph);
    let (mut regions, mut evictions) = (Vec::new(), Vec::with_capacity(code.len()));
    for block in 0..graph.len() {
        let all = graph.instructions(block);
        let mut after = vec![Registers::default(); all.len()];
        liveness.walk(code, &graph, block, |at, _, live| after[at - all.start] = live);
        let needs = Block { code, first: all.start, after, others: waiting.needs(block) };
        let mut start = all.start;
        while start < all.end {
            let bound = (start + 1..all.end).find(|&at| begins[at]).unwrap_or(all.end);
            let (end, plan) = needs.longest(start, bound.min(start + LONGEST), limits);
            let erasures = match start == all.start {
                true => erased(&graph, &liveness, &waiting, block),
                false => Vec::new(),
            };
            let Plan { preloads, evictions: bits } = plan;
            regions.push(Region { start: start as u32, preloads, erasures });
            evictions.extend(bits);
            start = end;
        }
    }
    (regions, evictions)
}

/// The registers that its threads or waiting ones need at the end of some block before this one,
/// and that none needs when this one begins.
fn erased(graph: &Graph, liveness: &Liveness, waiting: &Waiting, block: usize) -> Vec<u8> {
    let Some(others) = waiting.needs(block) else {
        return Vec::new();
    };
    let mut before = Registers::default();
    for &from in graph.predecessors(block) {
        before.add(liveness.live_out(graph, from));
        before.add(waiting.needs(from).unwrap_or_default());
    }
    before.remove(liveness.live_in(block));
    before.remove(others);
    (0..=u8::MAX).filter(|&register| before.intersects(one(register.into()))).collect()
}

fn one(register: u16) -> Registers {
    Registers::of(usize::from(register)..usize::from(register) + 1)
}

/// A block that is cut.
struct Block<'a> {
    code: &'a [Instruction],
    /// Its first instruction; and by instruction, the registers that its threads need after it.
    first: usize,
    after: Vec<Registers>,
    /// The needs of threads that wait meanwhile, if known.
    others: Option<Registers>,
}

/// The annotations of a region.
#[derive(Debug)]
struct Plan {
    preloads: Vec<u8>,
    /// By instruction of it.
    evictions: Vec<u8>,
}

impl Block<'_> {
    /// The end of the longest region from an instruction on, at most to another one, that is within the limits. A longer one holds
    /// each register at least as long, so that the end is found by halving.
    fn longest(&self, start: usize, bound: usize, limits: &StagingLimits) -> (usize, Plan) {
        let (mut good, mut bad) = (start + 1, bound + 1);
        let mut best = self.plan(start..good);
        while good + 1 < bad {
            // Most regions are short: first twice as long, then halves.
            let next = if bad > bound {
                (start + 2 * (good - start)).min(bound)
            } else {
                good.midpoint(bad)
            };
            let plan = self.plan(start..next);
            if hold(limits, &(start..next), self.code, &plan) {
                (good, best) = (next, plan);
                if next == bound {
                    break;
                }
            } else {
                bad = next;
            }
        }
        (good, best)
    }

    /// The annotations of a region with these instructions.
    fn plan(&self, region: Range<usize>) -> Plan {
        let code = &self.code[region.clone()];
        let (mut seen, mut preloads) = (RegisterSet::default(), RegisterSet::default());
        let mut last = [0usize; 256];
        for (at, instruction) in code.iter().enumerate() {
            for register in (0..3).flat_map(|number| source_registers(instruction, number)) {
                if seen.insert(register) {
                    preloads.insert(register);
                }
            }
            for register in result_registers(instruction) {
                let is_kept = self.keeps(region.start + at, register);
                if seen.insert(register) && is_kept {
                    preloads.insert(register);
                }
            }
            accessed(instruction).for_each(|register| last[usize::from(register)] = at);
        }
        let is_over = |registers: Range<u16>, at: usize| {
            !registers.is_empty()
                && registers.into_iter().all(|register| last[usize::from(register)] == at)
        };
        let evictions = code.iter().enumerate().map(|(at, instruction)| {
            let sources =
                (0..3).filter(|&number| is_over(source_registers(instruction, number), at));
            let bits = sources.fold(0, |bits, number| bits | 1 << number);
            let result = is_over(result_registers(instruction), at);
            bits | if result { EVICTS_RESULT } else { 0 }
        });
        Plan {
            preloads: preloads.iter().map(|register| register as u8).collect(),
            evictions: evictions.collect(),
        }
    }

    /// Returns true if some thread needs the old value of a register that an instruction writes.
    fn keeps(&self, at: usize, register: u16) -> bool {
        let register = one(register);
        let guarded = self.code[at].guard.is_some();
        let others = self.others.is_none_or(|others| register.intersects(others));
        guarded && register.intersects(self.after[at - self.first])
            || others && !Planted::OtherLanesNotStaged.is_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::text::{parse, print_kernel};

    /// The code with its regions, an instruction a line.
    fn staged(text: &str, limits: &StagingLimits) -> Vec<String> {
        let mut program = parse(text).expect("it is good");
        let (regions, evictions) = cut(&program.kernels[0].code, limits);
        (program.kernels[0].record.regions, program.kernels[0].record.evictions) =
            (regions, evictions);
        let text = print_kernel(&program, &program.kernels[0]);
        parse(&text).expect("the regions obey the rules");
        let lines = text.lines().filter(|line| line.starts_with("  ") && !line.contains("    ."));
        lines.map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn a_region_ends_where_it_would_hold_too_much() {
        let text = "mov.b32 r0, 1\n mov.b32 r1, 2\n mov.b32 r2, 3\n add.i32 r0, r0, r1\n add.i32 r0, r0, r2\n exit";
        let one = staged(text, &StagingLimits::of(3));
        assert_eq!(
            one,
            [
                "mov.b32 r0, 1 !region",
                "mov.b32 r1, 2",
                "mov.b32 r2, 3",
                "add.i32 r0, r0, r1 !evict 1",
                "add.i32 r0, r0, r2 !evict 0,1,result",
                "exit"
            ]
        );
        // The last two hold r2 from the beginning on: they are three registers together.
        let two = staged(text, &StagingLimits::of(2));
        assert_eq!(
            two,
            [
                "mov.b32 r0, 1 !region !evict result",
                "mov.b32 r1, 2 !evict result",
                "mov.b32 r2, 3 !evict result",
                "add.i32 r0, r0, r1 !region !preload r0,r1 !evict 0,1,result",
                "add.i32 r0, r0, r2 !region !preload r0,r2 !evict 0,1,result",
                "exit"
            ]
        );
        // Registers 0 and 2 are in one bank of two.
        let limits = StagingLimits { registers: 3, banks: 2, bank_registers: 1 };
        assert_eq!(
            staged(text, &limits)[3],
            "add.i32 r0, r0, r1 !region !preload r0,r1 !evict 0,1,result"
        );
    }

    #[test]
    fn a_load_and_its_use_are_in_two_regions() {
        let text = "ld.global.b32 r1, [r0]\n add.i32 r0, r0, 1\n add.i32 r1, r1, r0\n exit";
        assert_eq!(
            staged(text, &StagingLimits::of(16)),
            [
                "ld.global.b32 r1, [r0] !region !preload r0 !evict result",
                "add.i32 r0, r0, 1 !evict 0,result",
                "add.i32 r1, r1, r0 !region !preload r0,r1 !evict 0,1,result",
                "exit"
            ]
        );
    }

    #[test]
    fn a_write_that_leaves_lanes_alone_is_preloaded() {
        // r1 is read by all lanes at L, also by those that do not go through the middle; r2 is not.
        let text = "mov.b32 r1, 1\n@p0 bra L !reconverge L\n mov.b32 r1, 2\n mov.b32 r2, 3\n mov.b32 r1, r2\nL:\n\
            add.i32 r0, r1, 1\n@p0 mov.b32 r3, 1\n@p0 mov.b32 r0, 1\n st.global.b32 [r0], r1\n exit";
        let lines = staged(text, &StagingLimits::of(16));
        assert_eq!(lines[2], "mov.b32 r1, 2 !region !preload r1");
        // r0 is overwritten in all lanes before the guard; r3 is needed by none.
        assert_eq!(lines[5], "add.i32 r0, r1, 1 !region !preload r1");
    }

    #[test]
    fn what_is_needed_on_one_way_only_is_erased_on_the_other() {
        let text = "mov.b32 r0, 1\n mov.b32 r1, 2\n@p0 bra L !uni !reconverge L\n st.global.b32 [r0], r1\nL:\n exit";
        assert_eq!(staged(text, &StagingLimits::of(16))[4], "exit !region !erase r0,r1");
    }
}
