//! Hints of loads for schedulers and caches: the innermost loop around each, and the relation between
//! the addresses of a warp's threads in it. The locality in a profile is added with the source lines.
//!
//! Sources: Aamodt, Fung, Rogers, §5.1.2, for divergence-aware warp scheduling, which needs the
//! number of lines that a warp touches in loads in loops; §4.4.5, for coordinated cache bypassing,
//! which marks each load by a profile. Only loads from global, local and generic memory have hints:
//! others do not pass the cache.

use super::assembly::Assembly;
use crate::analysis::access::{self, Neighbours};
use crate::analysis::affine::WARP;
use crate::analysis::{Answers, Flow};
use crate::ir::{Function, Value};
use reconverge_isa::{AccessPattern, CodeTarget, Effect, Instruction, Space};
use std::collections::BTreeMap;

/// The pass `hints`: annotates the loads of a kernel, and returns their number.
pub fn run(assembly: &mut Assembly, _: &CodeTarget) -> usize {
    let Assembly { function, kernel, values } = assembly;
    if kernel.affine.is_none() {
        patterns(function, &mut kernel.code, values);
    }
    loops(&mut kernel.code);
    kernel.code.iter().filter(|instruction| is_cached(instruction)).count()
}

/// Returns true if an instruction is a load that passes the L1.
pub(crate) fn is_cached(instruction: &Instruction) -> bool {
    let is_cached = matches!(instruction.space, Space::Global | Space::Local | Space::Generic);
    instruction.op.row().effect == Effect::Load && is_cached
}

/// Records the patterns of loads; `values` gives each instruction's value in the function.
/// Instructions that are not exactly one load there have no pattern.
fn patterns(function: &Function, code: &mut [Instruction], values: &[Option<Value>]) {
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    for (instruction, value) in code.iter_mut().zip(values) {
        if !is_cached(instruction) {
            continue;
        }
        let found = value.and_then(|value| access::neighbours(&answers, value));
        let pattern = found.map(|(neighbours, width)| match neighbours {
            Neighbours::Same => AccessPattern::Same,
            Neighbours::Apart(step) => apart(step.unsigned_abs()),
            // One repetition has so many lines; the warp's threads share them.
            Neighbours::Repeated(step, period) => {
                let period = u64::from(period);
                let bytes = step.unsigned_abs().saturating_mul(period.saturating_sub(1));
                let lines = (access::LINE * period).saturating_sub(width);
                apart((bytes.min(lines) / (u64::from(WARP) - 1)).max(1))
            }
            Neighbours::ApartBy(_) | Neighbours::Uneven | Neighbours::Unknown => {
                AccessPattern::Scattered
            }
        });
        instruction.hints.set_pattern(pattern);
    }
}

/// Neighbouring threads so many bytes apart.
fn apart(bytes: u64) -> AccessPattern {
    AccessPattern::Apart(bytes.min(u64::from(u16::MAX)) as u16)
}

/// Notes the innermost loop around each load. A loop is the code from the target of a branch
/// backwards to the last such branch to it, if the target leads there; the layout keeps loops
/// together.
fn loops(code: &mut [Instruction]) {
    // By first instruction, the last one.
    let mut found: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, branch) in code.iter().enumerate() {
        let target = branch.target as usize;
        if branch.op.row().effect == Effect::Branch && target <= index && leads(code, target, index)
        {
            found.insert(target, index);
        }
    }
    // Inner loops last: they are shorter.
    let mut found: Vec<(usize, usize)> = found.into_iter().collect();
    found.sort_by_key(|(first, last)| std::cmp::Reverse(last - first));
    for (first, last) in found {
        for load in code[first..=last].iter_mut().filter(|load| is_cached(load)) {
            load.hints.set_around(first as u32, last as u32);
        }
    }
}

/// Returns true if control may go from one instruction to a later one without leaving the code
/// between them.
fn leads(code: &[Instruction], from: usize, to: usize) -> bool {
    let mut reached = vec![false; to + 1 - from];
    let mut pending = vec![from];
    while let Some(at) = pending.pop() {
        if !(from..=to).contains(&at) || std::mem::replace(&mut reached[at - from], true) {
            continue;
        }
        let effect = code[at].op.row().effect;
        if effect == Effect::Branch {
            pending.push(code[at].target as usize);
        }
        if code[at].is_conditional() || !matches!(effect, Effect::Branch | Effect::Exit) {
            pending.push(at + 1);
        }
    }
    reached[to - from]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_know_their_innermost_loop() {
        let text = ".kernel k\n.registers 4\n.predicates 1\n A: ld.global.b32 r1, [r0]\n B: ld.global.b32 r2, [r0]\n\
                    ld.shared.b32 r3, [r0]\n @p0 bra B\n ld.local.b32 r1, [r0]\n @p0 bra A\n ld.global.b32 r1, [r0]\n exit";
        let mut code =
            reconverge_isa::text::parse(text).expect("it is good").kernels.remove(0).code;
        loops(&mut code);
        let around: Vec<_> = code.iter().map(|load| load.hints.around()).collect();
        let (outer, inner) = (Some((0, 5)), Some((1, 3)));
        assert_eq!(around, [outer, inner, None, None, outer, None, None, None]);
    }

    #[test]
    fn a_jump_back_is_no_loop_where_nothing_leads_to_it() {
        // The last block, placed after the exit, jumps back to the middle; it is no loop.
        let text = ".kernel k\n.registers 4\n.predicates 1\n @p0 bra C\n B: ld.global.b32 r1, [r0]\n exit\n C: mov.b32 r0, 0\n bra B";
        let mut code =
            reconverge_isa::text::parse(text).expect("it is good").kernels.remove(0).code;
        loops(&mut code);
        assert!(code.iter().all(|load| load.hints.around().is_none()));
    }
}
