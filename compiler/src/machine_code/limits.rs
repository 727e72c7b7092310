//! Waits for a counter that ends above 0 (`depbar.le`): where more results or reads share a counter than an instruction
//! needs, and end in the order of their issue.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4: of N producers on one counter, the first M have ended when it is
//! N - M. The paper does not say where compilers use it; the rules are ours:
//!
//! - All that may be in flight on the counter is of one kind that ends in order ([`InOrder`]).
//! - `depbar.le` takes an issue slot and holds its warp for four cycles, in which one more memory
//!   instruction of a sub-core ends. So it waits for [`BATCH`] producers at once, and for that many at
//!   least less than all.

use super::counters::{Allocation, Chosen, Groups, Live};
use super::graph::Graph;
use super::registers::Registers;
use reconverge_isa::{ControlBits, InOrder, Instruction, Kernel, Op, Operand, Placement};
use std::collections::BTreeMap;

/// The producers that a wait above 0 waits for, counted from the one that is awaited on; and those that it does not wait
/// for, at least.
const BATCH: usize = 4;

/// A wait for a counter that ends above 0.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    /// It stands in front of this instruction.
    pub(super) before: usize,
    pub(super) counter: u8,
    pub(super) limit: u8,
    /// The registers whose results are written then.
    pub(super) written: Registers,
    /// The registers that have been read then.
    pub(super) read: Registers,
}

/// An instruction that has raised a counter.
#[derive(Clone, Copy)]
struct Raised {
    group: usize,
    is_certain: bool,
}

/// Finds the waits that are worth an instruction. `starts` are the groups in flight at the start of each block, and
/// `counters` those of the groups.
pub(super) fn find(
    code: &[Instruction],
    common: &[bool],
    graph: &Graph,
    groups: &Groups,
    starts: Vec<Live>,
    counters: &[u8],
) -> Vec<Limit> {
    let kinds = kinds(code, common, groups);
    let mut found = Vec::new();
    for (block, live) in starts.into_iter().enumerate() {
        let mut walk = Walk { code, kinds: &kinds, counters, live, raised: BTreeMap::new() };
        for index in graph.instructions(block) {
            found.extend(walk.await_groups(index));
            walk.issue(groups, index, index - graph.instructions(block).start);
        }
    }
    found
}

/// By group: the kind of its producers, if they are of one that ends in order.
fn kinds(code: &[Instruction], common: &[bool], groups: &Groups) -> Vec<Option<InOrder>> {
    let mut kinds: Vec<Option<Option<InOrder>>> = vec![None; groups.count];
    let mut add = |group: Option<usize>, kind: Option<InOrder>| {
        let Some(group) = group else { return };
        let known = kinds[group].get_or_insert(kind);
        *known = known.filter(|_| *known == kind);
    };
    for (index, (instruction, producer)) in code.iter().zip(&groups.producers).enumerate() {
        let common = common.get(index).copied().unwrap_or(false);
        let bits = ControlBits { common, ..ControlBits::default() };
        add(producer.write, InOrder::of_result(instruction));
        if producer.read != producer.write {
            add(producer.read, InOrder::of_reads(instruction, &bits));
        }
    }
    kinds.into_iter().map(Option::flatten).collect()
}

/// Inserts the waits of an allocation into a kernel's code, for whose instructions `common` has a value each. Afterwards
/// each [`Limit::before`] is the place of the wait. No branch leads to an instruction that has one in
/// front, as it has producers in its block.
pub(super) fn insert(kernel: &mut Kernel, allocation: &mut Allocation, common: &mut Vec<bool>) {
    let before: Vec<usize> = allocation.limits.iter().map(|limit| limit.before).collect();
    let place = |at: u32| at + before.partition_point(|&it| it <= at as usize) as u32;
    for instruction in &mut kernel.code {
        let reconverge = &mut instruction.annotations.reconverge;
        *reconverge = reconverge.map(place);
        instruction.hints = instruction.hints.moved(place);
        if instruction.has_target() {
            instruction.target = place(instruction.target);
        }
    }
    for (number, limit) in allocation.limits.iter_mut().enumerate() {
        limit.before += number;
        let at = limit.before;
        let wait = Instruction {
            barrier: limit.counter,
            sources: [Operand::Imm(limit.limit.into()), Operand::None, Operand::None],
            ..Instruction::new(Op::DepbarLe)
        };
        kernel.code.insert(at, wait);
        if let Some(&line) = kernel.lines.get(at) {
            kernel.lines.insert(at, line);
        }
        if !kernel.record.placements.is_empty() {
            kernel.record.placements.insert(at, Placement::default());
        }
        allocation.chosen.insert(at, Chosen::default());
        common.insert(at, false);
    }
}

/// The state in front of an instruction.
struct Walk<'a> {
    code: &'a [Instruction],
    kinds: &'a [Option<InOrder>],
    counters: &'a [u8],
    live: Live,
    /// By counter: the instructions of the block that have raised it since it was 0, in order.
    raised: BTreeMap<u8, Vec<Raised>>,
}

impl Walk<'_> {
    /// An instruction waits for groups: some of its waits may end above 0.
    fn await_groups(&mut self, index: usize) -> Vec<Limit> {
        let awaited = self.live.awaited(&self.code[index]);
        let mut by_counter: BTreeMap<u8, (Vec<usize>, [Registers; 2])> = BTreeMap::new();
        for (group, it) in awaited {
            let (groups, [written, read]) = by_counter.entry(self.counters[group]).or_default();
            groups.push(group);
            written.add(it.written);
            read.add(it.read);
        }
        let mut found = Vec::new();
        for (counter, (own, [written, read])) in by_counter {
            let limit = Limit { before: index, counter, limit: 0, written, read };
            match self.limited(limit, &own) {
                Some(limit) => found.push(limit),
                None => {
                    let counters = self.counters;
                    self.live.0.retain(|group, _| counters[*group] != counter);
                    self.raised.remove(&counter);
                }
            }
        }
        found
    }

    /// The wait for some groups of a counter as one that ends above 0, if that is right and worth it.
    fn limited(&mut self, mut limit: Limit, own: &[usize]) -> Option<Limit> {
        let raised = self.raised.get(&limit.counter)?;
        let last = raised.iter().rposition(|it| own.contains(&it.group))?;
        let has_all = own.iter().all(|group| raised.iter().any(|it| it.group == *group));
        let others: Vec<usize> = self
            .live
            .0
            .keys()
            .copied()
            .filter(|group| self.counters[*group] == limit.counter)
            .collect();
        let kind = self.kinds[own[0]]?;
        let is_ordered = |group: &usize| self.kinds[*group] == Some(kind);
        if !has_all || !own.iter().chain(&others).all(is_ordered) {
            return None;
        }
        let certain = |raised: &[Raised]| raised.iter().filter(|it| it.is_certain).count();
        let left = (certain(&raised[last + 1..]) + 1).saturating_sub(BATCH);
        if left < BATCH {
            return None;
        }
        limit.limit = u8::try_from(left).ok()?;
        // Those with as many younger ones have ended.
        let first = (0..raised.len()).find(|&at| certain(&raised[at + 1..]) < left)?;
        let flying: Vec<usize> = raised[first..].iter().map(|it| it.group).collect();
        let rest = raised[first..].to_vec();
        self.raised.insert(limit.counter, rest);
        for group in others.into_iter().filter(|group| !flying.contains(group)) {
            if let Some(it) = self.live.0.remove(&group) {
                limit.written.add(it.written);
                limit.read.add(it.read);
            }
        }
        for (_, it) in self.live.0.iter().filter(|(group, _)| flying.contains(group)) {
            limit.written.remove(it.written);
            limit.read.remove(it.read);
        }
        Some(limit)
    }

    fn issue(&mut self, groups: &Groups, index: usize, at: usize) {
        let (instruction, producer) = (&self.code[index], groups.producers[index]);
        self.live.issue(producer, instruction, at);
        let is_certain = InOrder::is_certain(instruction);
        let read = producer.read.filter(|read| {
            producer.write.is_none_or(|write| self.counters[write] != self.counters[*read])
        });
        for group in producer.write.into_iter().chain(read) {
            let raised = self.raised.entry(self.counters[group]).or_default();
            raised.push(Raised { group, is_certain });
        }
    }
}
