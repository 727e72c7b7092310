//! List scheduling within a block (Muchnick, "Advanced Compiler Design and Implementation", 1997,
//! 17.1.2). Among the instructions with available operands, the one with the [longest path](Length)
//! to the end of the block is first; when no operands are available, the one with the shortest
//! wait. Loads start early and their users are late. The machine issues in order, and the
//! instructions between a load and its use hide its latency.
//!
//! If instructions state their dependences ([`Knobs::latencies`]), a second order follows the first.
//! While an instruction waits for a result of fixed latency, a later one that need not wait is put in
//! front of it. Accesses to memory keep their order. On other machines other warps hide those
//! latencies.
//!
//! Parts of a wide load stay right after it, the instructions that join a wide store's parts right
//! in front of it.
//!
//! Accesses to memory of which one may write bytes that the other touches ([`Alias`]), barriers and
//! volatile accesses keep their order. While many words are live ([`Knobs::target_registers`]),
//! instructions that do not increase their number are first, or the order of the source continues:
//! registers cost warps.

use super::alias::{Alias, Place, Written};
use super::knobs::Knobs;
use crate::analysis::Liveness;
use crate::analysis::liveness::words;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::control_bits::MAX_STALL;
use reconverge_isa::planted::Planted;
use reconverge_isa::table::Unit;
use reconverge_isa::{Effect, FixedLatencies, Op, Space};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most instructions that are examined for one that makes no more words alive.
const MOST_LOOKS: usize = 32;

/// How far ahead an instruction is looked for that fills the wait of another one: the longest stall.
const WINDOW: usize = MAX_STALL as usize;

/// Runs the pass.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let liveness = Liveness::new(function);
    let alias = Alias::new(function);
    let blocks: Vec<Block> = function.existing_blocks().collect();
    let mut changed = false;
    for block in blocks {
        let order =
            Scheduler::new(function, &alias, &liveness, block).order(knobs.target_registers);
        changed |= order != function.instructions(block);
        function.blocks[block.index()].instructions = order;
        if let Some(latencies) = &knobs.latencies {
            let scheduler = Scheduler::new(function, &alias, &liveness, block);
            let order = scheduler.fill(latencies);
            changed |= order != function.instructions(block);
            function.blocks[block.index()].instructions = order;
        }
    }
    changed
}

/// Cycles until the result is available, beyond those that other warps hide of any operation.
fn latency(kind: &Kind) -> u32 {
    match kind.unguarded() {
        Kind::Load(access, _) => match access.space {
            Space::Shared | Space::Constant => 25,
            _ => 100,
        },
        Kind::Atomic(..) => 100,
        Kind::Collective(op, _) if op.is_matrix_access() => 25,
        Kind::Compute(op, _) | Kind::Collective(op, _) => of_operation(*op),
        _ => 1,
    }
}

fn of_operation(op: Op) -> u32 {
    let row = op.row();
    match row.unit {
        _ if row.effect == Effect::Divide => 100,
        Unit::Special | Unit::FloatDivide | Unit::DoubleDivide => 40,
        Unit::Tensor => 25,
        _ => 1,
    }
}

/// The length of a path through a block. If a slow instruction is ahead, the rest does not count.
/// Instructions with as much slow work before them keep their order, because the first steps of
/// many addresses would fill the registers before the first load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Length {
    /// Cycles of slow operations.
    slow: u32,
    /// Other operations, where there are no slow ones.
    others: u32,
}

impl Length {
    /// With an operation in front.
    fn after(self, latency: u32) -> Length {
        match (latency, self.slow) {
            (1, 0) => Length { others: self.others + 1, ..self },
            (1, _) => self,
            _ => Length { slow: self.slow + latency, others: 0 },
        }
    }
}

/// A block while it is being ordered. Instructions are known by their place in the old order.
struct Scheduler<'a> {
    function: &'a Function,
    /// Phis and leaves, which take no time and stay in front.
    front: Vec<Value>,
    body: Vec<Value>,
    terminator: Option<Value>,
    /// By load or store of the body: its parts, or the instructions that join them.
    attached: BTreeMap<Value, Vec<Value>>,
    /// By instruction: its successors in the dependence graph.
    after: Vec<Vec<u32>>,
    /// By instruction: its predecessors that are not scheduled yet.
    waits: Vec<u32>,
    /// By instruction: the longest path to the end of the block.
    path_length: Vec<Length>,
    /// For each value how often it is still read, in this block or, once, after it.
    uses: FxHashMap<Value, u32>,
    live: u32,
}

impl<'a> Scheduler<'a> {
    fn new(
        function: &'a Function,
        alias: &Alias,
        liveness: &Liveness,
        block: Block,
    ) -> Scheduler<'a> {
        let mut body = function.instructions(block).to_vec();
        let terminator = body.pop();
        let in_front =
            |&value: &Value| function.kind(value).is_leaf() || is_phi(function.kind(value));
        let (mut front, body): (Vec<Value>, Vec<Value>) = body.into_iter().partition(in_front);
        front.sort_by_key(|&value| !is_phi(function.kind(value)));
        let (body, attached) = attach(function, body);
        let mut uses: FxHashMap<Value, u32> = FxHashMap::default();
        for &value in body.iter().chain(attached.values().flatten()).chain(&terminator) {
            function.kind(value).each_operand(|at| *uses.entry(at).or_insert(0) += 1);
        }
        for &value in liveness.after(block) {
            *uses.entry(value).or_insert(0) += 1;
        }
        let phis = function.phis(block).map(|value| words(function, value));
        let live = liveness.words(block) + phis.sum::<u32>();
        let count = body.len();
        let mut scheduler = Scheduler {
            function,
            front,
            body,
            terminator,
            attached,
            after: vec![Vec::new(); count],
            waits: vec![0; count],
            path_length: vec![Length::default(); count],
            uses,
            live,
        };
        scheduler.depend_on_operands();
        scheduler.depend_on_memory(alias);
        scheduler.measure();
        scheduler
    }

    fn depend(&mut self, later: usize, earlier: usize) {
        self.after[earlier].push(later as u32);
        self.waits[later] += 1;
    }

    fn depend_on_operands(&mut self) {
        let places = self.body.iter().enumerate().map(|(at, &value)| (value, at));
        let mut places: FxHashMap<Value, usize> = places.collect();
        for (whole, others) in &self.attached {
            if let Some(&at) = places.get(whole) {
                places.extend(others.iter().map(|&other| (other, at)));
            }
        }
        for at in 0..self.body.len() {
            let mut operands = Vec::new();
            let attached = self.attached.get(&self.body[at]);
            for &value in attached.into_iter().flatten().chain([&self.body[at]]) {
                self.function.kind(value).each_operand(|operand| operands.push(operand));
            }
            operands.retain(|operand| places.get(operand) != Some(&at));
            for earlier in operands.iter().filter_map(|operand| places.get(operand)) {
                self.depend(at, *earlier);
            }
        }
    }

    /// Reads follow the writes of their bytes; a write follows those of the same bytes and all
    /// their reads.
    fn depend_on_memory(&mut self, alias: &Alias) {
        let mut memories: [Earlier; 3] = Default::default();
        let mut last_meeting = None;
        for at in 0..self.body.len() {
            let kind = self.function.kind(self.body[at]);
            // A vote stays after the synchronisation of its lanes, and the halves of a shuffle keep their order: lanes that are
            // elsewhere execute them in the same one.
            // All lanes of a warp are at a matrix together, and need no order among matrices.
            if matches!(kind, Kind::Collective(op, _) if !op.is_matrix()) {
                if let Some(earlier) = last_meeting {
                    self.depend(at, earlier);
                }
                last_meeting = Some(at);
            } else if kind.synchronises() && !is_matrix(kind) {
                last_meeting = Some(at);
            }
            let of =
                |access, address| Some(alias.place(self.function, access, address, |value| value));
            let (written, read, place) = match *kind.unguarded() {
                ref kind if kind.is_barrier() && Planted::BarrierPassed.is_on() => continue,
                Kind::Load(access, address) if !access.volatile => {
                    (Written::default(), Written::to(access.space), of(access, address))
                }
                Kind::Store(access, address, _) if !access.volatile => {
                    (Written::by(kind), Written::default(), of(access, address))
                }
                Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..) => {
                    (Written::ALL, Written::default(), None)
                }
                Kind::Collective(op, _) if op.is_matrix_access() => {
                    let (shared, none) = (Written::to(Space::Shared), Written::default());
                    match op.row().effect {
                        Effect::Load => (none, shared, None),
                        _ => (shared, none, None),
                    }
                }
                ref kind if kind.synchronises() => (Written::ALL, Written::default(), None),
                _ => continue,
            };
            for (class, earlier) in memories.iter_mut().enumerate() {
                let before = match (written.0[class], read.0[class]) {
                    (true, _) => earlier.before_write(alias, at, place),
                    (_, true) => earlier.before_read(alias, at, place),
                    _ => continue,
                };
                before.into_iter().for_each(|before| self.depend(at, before));
            }
        }
    }

    fn measure(&mut self) {
        for at in (0..self.body.len()).rev() {
            let later = self.after[at].iter().map(|&later| self.path_length[later as usize]);
            let longest = later.max().unwrap_or_default();
            self.path_length[at] = longest.after(latency(self.function.kind(self.body[at])));
        }
    }

    /// The new order, in which nothing that makes more words alive is moved forward while `most_live` are.
    fn order(mut self, most_live: u32) -> Vec<Value> {
        let mut order = std::mem::take(&mut self.front);
        let mut ready = Ready::default();
        for at in (0..self.body.len()).filter(|&at| self.waits[at] == 0) {
            ready.waiting.insert((0, at));
            ready.by_place.insert(at);
        }
        // The cycle at which the operands of each are available.
        let mut start = vec![0; self.body.len()];
        let mut now = 0;
        while let Some(at) = self.next(&mut ready, &mut now, most_live) {
            ready.remove(at, self.path_length[at], start[at]);
            self.put(self.body[at], &mut order);
            let there = now + latency(self.function.kind(self.body[at]));
            now += 1;
            for later in std::mem::take(&mut self.after[at]) {
                let later = later as usize;
                start[later] = there.max(start[later]);
                self.waits[later] -= 1;
                if self.waits[later] == 0 {
                    ready.waiting.insert((start[later], later));
                    ready.by_place.insert(later);
                }
            }
        }
        order.extend(self.terminator);
        order
    }

    /// The old order, but while an instruction waits for its operands, the next one that need not wait and makes no more
    /// words alive is in front of it. An induction variable, too, would need another register if it grew before its last use.
    fn fill(mut self, latencies: &FixedLatencies) -> Vec<Value> {
        let mut order = std::mem::take(&mut self.front);
        let mut accesses: BTreeSet<usize> =
            (0..self.body.len()).filter(|&at| self.is_access(at)).collect();
        let mut ready: BTreeSet<usize> =
            (0..self.body.len()).filter(|&at| self.waits[at] == 0).collect();
        // The cycle at which the operands of each are available.
        let mut start = vec![0; self.body.len()];
        let mut now = 0;
        // The first that is left never waits for others of the block to be put.
        while let Some(&first) = ready.first() {
            let access = accesses.first().copied();
            let goes = |at: &usize| {
                let in_order = access == Some(*at) || !accesses.contains(at);
                *at == first || in_order && !self.is_growth(self.body[*at])
            };
            let near = ready.range(..first + WINDOW).copied().filter(goes);
            let soonest = near.min_by_key(|&at| (now.max(start[at]), at)).unwrap_or(first);
            now = now.max(start[soonest]) + 1;
            ready.remove(&soonest);
            accesses.remove(&soonest);
            self.put(self.body[soonest], &mut order);
            let there = now - 1 + self.fixed_latency(soonest, latencies);
            for later in std::mem::take(&mut self.after[soonest]) {
                let later = later as usize;
                start[later] = there.max(start[later]);
                self.waits[later] -= 1;
                if self.waits[later] == 0 {
                    ready.insert(later);
                }
            }
        }
        order.extend(self.terminator);
        order
    }

    fn is_access(&self, at: usize) -> bool {
        let kind = self.function.kind(self.body[at]).unguarded();
        matches!(kind, Kind::Load(..) | Kind::Store(..) | Kind::Atomic(..))
    }

    /// Cycles until the result is available: fixed ones of the machine, if there are some. A product with one use, by a sum,
    /// takes none: instruction selection makes one instruction of both.
    fn fixed_latency(&self, at: usize, latencies: &FixedLatencies) -> u32 {
        let kind = self.function.kind(self.body[at]);
        let Kind::Compute(op, _) = kind.unguarded() else {
            return latency(kind);
        };
        let is_sum = |&later: &u32| {
            let user = self.function.kind(self.body[later as usize]);
            matches!(user, Kind::Compute(Op::Add | Op::AddF32 | Op::AddF64 | Op::Add64, _))
        };
        let is_product = matches!(op, Op::Mul | Op::MulF32 | Op::MulF64 | Op::Mul64);
        match latencies.latency_of(*op) {
            Some(_) if is_product && matches!(&self.after[at][..], [user] if is_sum(user)) => 0,
            Some(cycles) => cycles.into(),
            None => latency(kind),
        }
    }

    /// Puts an instruction next, with those attached to it.
    fn put(&mut self, value: Value, order: &mut Vec<Value>) {
        let start = order.len();
        order.extend(self.attached.remove(&value).unwrap_or_default());
        let is_joined = |&&at: &&Value| is_join(self.function.kind(at));
        let joins = order[start..].iter().take_while(is_joined).count();
        order.insert(start + joins, value);
        order[start..].iter().copied().for_each(|value| self.account(value));
    }

    /// The next instruction: the most urgent; while too many words are alive the most urgent of those that make no more of
    /// them alive, or else the first of the old order.
    fn next(&self, ready: &mut Ready, now: &mut u32, most_live: u32) -> Option<usize> {
        ready.arrive(now, &self.path_length);
        let mut urgent = ready.by_path_length.iter().map(|&(_, at)| at);
        let chosen = match self.live < most_live {
            true => urgent.next(),
            false => urgent.take(MOST_LOOKS).find(|&at| !self.is_growth(self.body[at])),
        };
        chosen.or_else(|| ready.by_place.first().copied())
    }

    /// Returns true if more words are live after an instruction than before it.
    fn is_growth(&self, value: Value) -> bool {
        let result = if self.uses.contains_key(&value) { words(self.function, value) } else { 0 };
        let mut freed = 0;
        self.function.kind(value).each_operand(|operand| {
            if self.uses.get(&operand) == Some(&1) {
                freed += words(self.function, operand);
            }
        });
        result > freed
    }

    /// Updates the live values after an instruction.
    fn account(&mut self, value: Value) {
        if self.uses.contains_key(&value) {
            self.live += words(self.function, value);
        }
        self.function.kind(value).each_operand(|operand| {
            let left = self.uses.entry(operand).or_insert(1);
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.live = self.live.saturating_sub(words(self.function, operand));
            }
        });
    }
}

/// Reads and writes of one memory that later ones may have to follow, with the bytes that they
/// touch, if known.
#[derive(Default)]
struct Earlier {
    writes: Vec<(usize, Option<Place>)>,
    reads: Vec<(usize, Option<Place>)>,
}

impl Earlier {
    /// The number of writes that are distinguished.
    const MOST: usize = 64;

    /// The instructions that a read must follow.
    fn before_read(&mut self, alias: &Alias, at: usize, place: Option<Place>) -> Vec<usize> {
        self.reads.push((at, place));
        match Planted::LoadPassesStore.is_on() {
            true => Vec::new(),
            false => clashes(&self.writes, alias, place).collect(),
        }
    }

    /// The instructions that a write must follow. A write to an unknown place follows all others
    /// and represents them.
    fn before_write(&mut self, alias: &Alias, at: usize, place: Option<Place>) -> Vec<usize> {
        let place = place.filter(|_| self.writes.len() < Earlier::MOST);
        let reads = clashes(&self.reads, alias, place);
        let before: Vec<usize> = reads.chain(clashes(&self.writes, alias, place)).collect();
        if place.is_none() {
            *self = Earlier::default();
        }
        self.writes.push((at, place));
        before
    }
}

/// The instructions that may touch the bytes of a place.
fn clashes(
    earlier: &[(usize, Option<Place>)],
    alias: &Alias,
    place: Option<Place>,
) -> impl Iterator<Item = usize> {
    let clashes = move |other: &Option<Place>| match (&place, other) {
        (Some(one), Some(other)) => !alias.are_apart(one, other),
        _ => true,
    };
    earlier.iter().filter(move |(_, other)| clashes(other)).map(|&(at, _)| at)
}

/// A block's body without parts of wide loads and matrices, and the joins of wide stores and matrices, and these by
/// load, store and product.
fn attach(function: &Function, body: Vec<Value>) -> (Vec<Value>, BTreeMap<Value, Vec<Value>>) {
    let mut attached: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    if !body.iter().any(|&value| matches!(function.kind(value), Kind::Part(..) | Kind::Join(_))) {
        return (body, attached);
    }
    let mut owner: FxHashMap<Value, Value> = FxHashMap::default();
    let here: FxHashSet<Value> = body.iter().copied().collect();
    for &value in &body {
        match function.kind(value) {
            Kind::Part(whole, _) if here.contains(whole) => {
                owner.insert(value, *whole);
            }
            // The first store of several: the others follow.
            Kind::Store(_, _, stored)
                if here.contains(stored) && is_join(function.kind(*stored)) =>
            {
                owner.entry(*stored).or_insert(value);
            }
            kind if kind.guard().is_some() || is_matrix(kind) => kind.each_operand(|operand| {
                if here.contains(&operand) && is_join(function.kind(operand)) {
                    owner.entry(operand).or_insert(value);
                }
            }),
            _ => {}
        }
    }
    let mut rest = Vec::with_capacity(body.len());
    for value in body {
        match owner.get(&value) {
            Some(&whole) => attached.entry(whole).or_default().push(value),
            None => rest.push(value),
        }
    }
    (rest, attached)
}

fn is_matrix(kind: &Kind) -> bool {
    matches!(kind, Kind::Collective(op, _) if op.is_matrix())
}

fn is_join(kind: &Kind) -> bool {
    matches!(kind, Kind::Join(_))
}

/// Instructions without unscheduled predecessors.
#[derive(Default)]
struct Ready {
    /// Their operands are not there yet, with the time when they are.
    waiting: BTreeSet<(u32, usize)>,
    /// Their operands are available, with the path to the end of the block, longest first.
    by_path_length: BTreeSet<(Reverse<Length>, usize)>,
    /// All, by their old places.
    by_place: BTreeSet<usize>,
}

impl Ready {
    /// Finds the instructions whose operands are available; if there are none, waits for the first.
    fn arrive(&mut self, now: &mut u32, path_length: &[Length]) {
        if self.by_path_length.is_empty()
            && let Some(&(start, _)) = self.waiting.first()
        {
            *now = start.max(*now);
        }
        while let Some(&(start, at)) = self.waiting.first()
            && start <= *now
        {
            self.waiting.pop_first();
            self.by_path_length.insert((Reverse(path_length[at]), at));
        }
    }

    fn remove(&mut self, at: usize, path_length: Length, start: u32) {
        self.by_place.remove(&at);
        self.by_path_length.remove(&(Reverse(path_length), at));
        self.waiting.remove(&(start, at));
    }
}

fn is_phi(kind: &Kind) -> bool {
    matches!(kind, Kind::Phi(_))
}

#[cfg(test)]
mod tests {
    use crate::pass::Knobs;
    use crate::pass::tests::{after, after_with};
    use reconverge_isa::FixedLatencies;

    #[test]
    fn loads_start_before_what_uses_the_first() {
        let text = "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n  %2 = add.i32 %1, %1\n  \
                    %3 = add.i32 %0, %0\n  %4 = ld.global.b32 %3\n  %5 = add.i32 %2, %4\n  \
                    st.global.b32 %0, %5\n  return";
        assert_eq!(
            after("schedule", text),
            "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n  %3 = add.i32 %0, %0\n  \
             %4 = ld.global.b32 %3\n  %2 = add.i32 %1, %1\n  %5 = add.i32 %2, %4\n  \
             st.global.b32 %0, %5\n  return\n"
        );
    }

    #[test]
    fn as_many_loads_start_before_the_first_use_as_there_are_registers() {
        // A sum of 40 words.
        let mut text = "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n".to_owned();
        for at in (2..80).step_by(2) {
            let (load, sum) = (at, at + 1);
            text += &format!(
                "  %{load} = ld.global.b32 %0\n  %{sum} = add.i32 %{}, %{load}\n",
                sum - 2
            );
        }
        text += "  st.global.b32 %0, %79\n  return";
        let loads_before_a_sum = |target_registers| {
            let knobs = Knobs { target_registers, ..Knobs::default() };
            let text = after_with("schedule", &text, &knobs);
            text.split("add").next().unwrap().matches("ld.").count()
        };
        assert_eq!(loads_before_a_sum(8), 8);
        assert_eq!(loads_before_a_sum(Knobs::default().target_registers), 20);
        assert_eq!(loads_before_a_sum(32), 32);
        assert_eq!(loads_before_a_sum(254), 40);
    }

    #[test]
    fn a_load_passes_a_store_beside_it() {
        let order = |constant: u32| {
            let text = format!(
                "  %0 = special tid.x\n  %1 = const.b32 {constant}\n  %2 = add.i32 %0, %1\n  \
                 st.global.b32 %0, %0\n  %3 = ld.global.b32 %2\n  st.shared.b32 %0, %3\n  return"
            );
            let text = after("schedule", &text);
            text.find("ld.global") < text.find("st.global")
        };
        assert!(order(4));
        assert!(!order(3));
    }

    #[test]
    fn others_fill_the_wait_for_a_result_of_fixed_latency() {
        let text = "  %0 = special tid.x\n  %5 = special tid.y\n  %1 = add.i32 %0, %5\n  \
                    %6 = sub.i32 %0, %5\n  %2 = add.i32 %1, %0\n  %4 = add.i32 %2, %0\n  \
                    %3 = mul.i32 %6, %5\n  st.global.b32 %4, %3\n  return";
        let order = |latency: u64| {
            let latencies = Some(FixedLatencies::new(|_| Some(latency)));
            let text = after_with("schedule", text, &Knobs { latencies, ..Knobs::default() });
            let results = text.lines().filter_map(|line| line.trim().split(' ').next());
            results.map(str::to_owned).filter(|it| it.starts_with('%')).collect::<Vec<_>>()
        };
        assert_eq!(order(1), ["%0", "%5", "%1", "%6", "%2", "%4", "%3"]);
        assert_eq!(order(4), ["%0", "%5", "%1", "%6", "%2", "%3", "%4"]);
    }

    #[test]
    fn many_stores_keep_their_order() {
        let mut text = "  %0 = special tid.x\n  %1 = ld.global.b32 %0\n".to_owned();
        for _ in 0..200 {
            text += "  st.global.b32 %0, %1\n";
        }
        text += "  return";
        assert_eq!(after("schedule", &text), format!("{text}\n"));
    }

    #[test]
    fn loads_stay_after_what_may_write_and_barriers() {
        for write in ["st.global.b32 %0, %0", "st.generic.b32 %0, %0", "bar.sync"] {
            let text = format!(
                "  %0 = special tid.x\n  {write}\n  %1 = ld.global.b32 %0\n  \
                 st.shared.b32 %0, %1\n  return"
            );
            assert_eq!(after("schedule", &text), format!("{text}\n"));
        }
    }
}
