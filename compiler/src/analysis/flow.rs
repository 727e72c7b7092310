//! The common part of the analyses of divergence and taint: the shape of a function, and the spread
//! of divergence from branches to values.

use super::affine::Scope;
use super::control::ControlDependence;
use super::cycles::{CycleId, Cycles};
use super::dominators::DominatorTree;
use super::frontier::Frontiers;
use super::join::{self, Joins, Labels};
use super::memory::{Memory, SlotAccess, Target};
use super::same::same_values;
use super::steady::Steady;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};

/// The shape of a function: everything that does not depend on the query.
pub struct Flow<'a> {
    /// The function.
    pub function: &'a Function,
    /// Its cycles.
    pub cycles: Cycles,
    /// Its dominators.
    pub dominators: DominatorTree,
    /// Its post-dominators.
    pub post: DominatorTree,
    /// Its control dependence.
    pub control: ControlDependence,
    /// Its accesses to memory.
    pub memory: Memory,
    /// The block in which each value is placed.
    home: Vec<Option<Block>>,
    predecessors: Vec<Vec<Block>>,
    /// The values whose results depend on a value: its users and, for a value stored in a local
    /// variable, the loads of that variable.
    users: Vec<Vec<Value>>,
    /// The innermost cycle in whose rounds a value can differ.
    varies: Vec<Option<CycleId>>,
    /// By value: the value that a phi always equals; any other value is itself.
    same: Vec<Value>,
    /// By cycle: the values that can differ in its iterations and are used after it.
    escaping: Vec<Vec<Value>>,
    /// By value: the stores that a load of a local variable may find.
    reaching: FxHashMap<Value, Reaching>,
    frontiers: Frontiers,
    joins: Vec<OnceCell<Joins>>,
    labels: RefCell<Labels>,
}

/// The values that a load of a local variable may find.
#[derive(Clone, Debug, Default)]
pub struct Reaching {
    /// Stores that no other store certainly overwrites before the load.
    pub stores: Vec<ReachingStore>,
    /// True if the zeroes that the variable starts with may still be there.
    pub initial: bool,
    /// The stores were too many to examine: the load may find anything.
    pub too_many: bool,
}

/// A store that a load may see.
#[derive(Clone, Copy, Debug)]
pub struct ReachingStore {
    /// The store.
    pub access: SlotAccess,
    /// The load reads exactly the bytes that it wrote.
    pub exact: bool,
    /// The load finds it, or a later one, in every execution, and no iteration of a loop lies
    /// between: the control over the store does not matter.
    pub certain: bool,
}

impl<'a> Flow<'a> {
    /// Looks at a function.
    pub fn new(function: &'a Function) -> Flow<'a> {
        Flow::with(function, None)
    }

    /// A flow with more knowledge of loads.
    pub fn with(function: &'a Function, steady: Option<&Steady>) -> Flow<'a> {
        let mut memory = Memory::new(function);
        if let Some(steady) = steady {
            let is_unwritten = |load| steady.is_unwritten(function, load);
            memory.take(function, |load| steady.is_quiet(function, load), is_unwritten);
        }
        let post = DominatorTree::post_dominators(function);
        let mut home = vec![None; function.values.len()];
        for (block, value) in function.placed() {
            home[value.index()] = Some(block);
        }
        let (cycles, dominators) = (Cycles::new(function), DominatorTree::dominators(function));
        let frontiers = Frontiers::new(function, &cycles, &dominators);
        let mut flow = Flow {
            function,
            cycles,
            dominators,
            frontiers,
            control: ControlDependence::new(function, &post),
            post,
            memory,
            home,
            predecessors: function.predecessors(),
            users: vec![Vec::new(); function.values.len()],
            varies: vec![None; function.values.len()],
            same: Vec::new(),
            escaping: Vec::new(),
            reaching: FxHashMap::default(),
            joins: vec![OnceCell::new(); function.blocks.len()],
            labels: RefCell::default(),
        };
        flow.find_users();
        flow.find_varying();
        flow.find_same();
        flow.find_escaping();
        flow.find_reaching();
        flow
    }

    /// The block of a value.
    pub fn home(&self, value: Value) -> Option<Block> {
        self.home[value.index()]
    }

    /// The predecessors of a block in control flow.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        &self.predecessors[block.index()]
    }

    /// The values whose results depend on a value.
    pub fn users(&self, value: Value) -> &[Value] {
        &self.users[value.index()]
    }

    /// The innermost cycle in whose rounds a value can differ.
    pub fn varies(&self, value: Value) -> Option<CycleId> {
        self.varies[value.index()]
    }

    /// The values that a load of a local variable may find; `None` for any other load.
    pub fn reaching(&self, load: Value) -> Option<&Reaching> {
        self.reaching.get(&load)
    }

    /// The effects of the branch at the end of a block if threads diverge at it.
    pub fn joins(&self, branch: Block) -> &Joins {
        self.joins[branch.index()].get_or_init(|| {
            let labels = &mut self.labels.borrow_mut();
            join::joins(self.function, &self.cycles, &self.frontiers, labels, branch)
        })
    }

    /// The reachable instructions, each after those that it reads but for phis.
    pub fn values(&self) -> impl Iterator<Item = (Block, Value)> + '_ {
        let blocks = self.cycles.order().iter();
        blocks.flat_map(|&block| self.function.instructions(block).iter().map(move |&v| (block, v)))
    }

    fn find_users(&mut self) {
        for (_, value) in self.function.placed() {
            self.function.kind(value).each_operand(|operand| {
                let users = &mut self.users[operand.index()];
                if users.last() != Some(&value) {
                    users.push(value);
                }
            });
        }
    }

    fn find_varying(&mut self) {
        let function = self.function;
        for at in 0..self.cycles.order().len() {
            let block = self.cycles.order()[at];
            for &value in function.instructions(block) {
                let kind = function.kind(value);
                self.varies[value.index()] = match kind {
                    _ if kind.is_leaf() => None,
                    Kind::Phi(_) if self.same(value) != value => {
                        self.varies[self.same(value).index()]
                    }
                    Kind::Compute(_, operands) => {
                        let mut deepest: Option<CycleId> = None;
                        for &operand in operands.iter() {
                            let varies = self.cycles.outwards(self.varies[operand.index()]);
                            // Cycles are numbered before those inside them.
                            let around =
                                varies.into_iter().find(|&id| self.cycles.contains(id, block));
                            deepest = deepest.max(around);
                        }
                        deepest
                    }
                    _ => self.cycles.innermost(block),
                };
            }
        }
    }

    /// Finds the values that phis always equal, and with them the iterations in which values can
    /// differ.
    fn find_same(&mut self) {
        let is_reachable = |block| self.cycles.position(block).is_some();
        let stays = |value: Value, block| {
            let mut varies = self.cycles.outwards(self.varies[value.index()]);
            varies.all(|id| self.cycles.contains(id, block))
        };
        let same = same_values(self.function, is_reachable, stays);
        let differs = |(at, &value): (usize, &Value)| value.index() != at;
        let found = same.iter().enumerate().any(differs);
        self.same = same;
        if found {
            self.find_varying();
        }
    }

    fn find_escaping(&mut self) {
        self.escaping = vec![Vec::new(); self.cycles.all.len()];
        for (block, value) in self.function.placed() {
            for at in 0..self.users[value.index()].len() {
                let user = self.users[value.index()][at];
                self.note_escape(block, value, user);
            }
        }
    }

    fn note_escape(&mut self, block: Block, value: Value, user: Value) {
        let Some(to) = self.home[user.index()] else { return };
        if self.cycles.innermost(to) == self.cycles.innermost(block) {
            return;
        }
        let left: Vec<CycleId> = self
            .cycles
            .outwards(self.varies[value.index()])
            .take_while(|&id| !self.cycles.contains(id, to))
            .collect();
        for id in left {
            let escaping = &mut self.escaping[id.0 as usize];
            if escaping.last() != Some(&value) {
                escaping.push(value);
            }
        }
    }

    fn find_reaching(&mut self) {
        /// The most pairs of a load and a store of one variable that are examined.
        const MOST: usize = 1 << 20;
        let mut found = Vec::new();
        for slot in self.memory.slots() {
            if slot.escapes {
                continue;
            }
            let too_many = slot.loads.len() * slot.stores.len() > MOST;
            for load in &slot.loads {
                let reaching = if too_many {
                    Reaching { too_many, ..Reaching::default() }
                } else {
                    self.reaching_of(load, &slot.stores)
                };
                found.push((load.at, reaching));
            }
        }
        for (load, reaching) in found {
            for store in &reaching.stores {
                self.users[store.access.address.index()].push(load);
                if let Some(stored) = store.access.stored {
                    self.users[stored.index()].push(load);
                }
            }
            self.reaching.insert(load, reaching);
        }
    }

    /// Returns true if one access is executed on every path to another, just before it.
    fn precedes(&self, first: &SlotAccess, then: &SlotAccess) -> bool {
        let ((one, at), (other, behind)) = (first.place, then.place);
        if one == other { at < behind } else { self.dominators.dominates(one, other) }
    }

    fn reaching_of(&self, load: &SlotAccess, stores: &[SlotAccess]) -> Reaching {
        let covers = |store: &&SlotAccess| {
            let known = store.offset.is_some() && store.offset == load.offset;
            known && store.width.bytes() == load.width.bytes() && self.precedes(store, load)
        };
        // Among the stores that certainly precede the load, each precedes the next.
        let mut last: Option<&SlotAccess> = None;
        for store in stores.iter().filter(covers) {
            if last.is_none_or(|last| self.precedes(last, store)) {
                last = Some(store);
            }
        }
        let mut reaching = Reaching { initial: last.is_none(), ..Reaching::default() };
        for store in stores.iter().filter(|store| store.overlaps(load)) {
            let is_last = last.is_some_and(|last| last.at == store.at);
            let killed = last.is_some_and(|last| !is_last && self.precedes(store, last));
            if killed || !self.may_precede(store, load) {
                continue;
            }
            let mut around = self.cycles.around(store.place.0);
            let certain = is_last && around.all(|id| self.cycles.contains(id, load.place.0));
            reaching.stores.push(ReachingStore {
                access: *store,
                exact: store.is_aligned_with(load),
                certain,
            });
        }
        reaching
    }

    fn may_precede(&self, store: &SlotAccess, load: &SlotAccess) -> bool {
        let ((one, at), (other, behind)) = (store.place, load.place);
        if one == other && at > behind {
            return self.cycles.innermost(one).is_some();
        }
        one == other || self.cycles.may_reach(one, other)
    }

    /// The memory that a load reads.
    pub fn target(&self, load: Value) -> Target {
        match self.function.kind(load).unguarded() {
            Kind::Load(..) if self.memory.is_unwritten(load) => Target::Constant,
            Kind::Load(access, address) => self.memory.target(access.space, *address),
            _ => Target::Own,
        }
    }

    /// The value that a phi always is, if there is one, alone or with other phis; otherwise the value
    /// itself.
    pub fn same(&self, value: Value) -> Value {
        self.same.get(value.index()).copied().unwrap_or(value)
    }

    /// The natural loop that a block is the header of.
    pub fn headed(&self, block: Block) -> Option<CycleId> {
        let is_header = |&id: &CycleId| {
            let cycle = self.cycles.get(id);
            cycle.header == block && cycle.is_natural()
        };
        self.cycles.innermost(block).filter(is_header)
    }

    /// Returns true if all operands of a phi along some reachable edges are one value: then it does
    /// not matter which of the edges control takes. The phi itself is another value, the one of the
    /// iteration before.
    fn is_one_value(&self, phi: Value, along: impl Fn(Block) -> bool) -> bool {
        are_one(self.operands(phi, along))
    }

    /// Returns true if all operands of a phi but the phi itself are one value: then it is always
    /// that value.
    fn is_always_one_value(&self, phi: Value) -> bool {
        are_one(self.operands(phi, |_| true).filter(|&value| value != phi))
    }

    /// The operands that a phi can receive along some edges.
    fn operands(&self, phi: Value, along: impl Fn(Block) -> bool) -> impl Iterator<Item = Value> {
        let incoming = match self.function.kind(phi) {
            Kind::Phi(incoming) => incoming.as_slice(),
            _ => &[],
        };
        let reachable = move |from: Block| self.cycles.position(from).is_some() && along(from);
        let values = incoming.iter().filter(move |&&(from, _)| reachable(from));
        values.map(|&(_, value)| self.same(value))
    }
}

fn are_one(mut values: impl Iterator<Item = Value>) -> bool {
    values.next().is_none_or(|first| values.all(|value| value == first))
}

/// The scope in which control enters a block from the same predecessor.
#[derive(Clone, Copy, PartialEq, Eq)]
struct JoinScope {
    /// Into the header of a natural loop: out of the predecessors in front of the loop.
    entering: Scope,
    /// Out of those in the loop.
    repeating: Scope,
}

impl JoinScope {
    const BEST: JoinScope = JoinScope { entering: Scope::Grid, repeating: Scope::Grid };

    fn both(self) -> Scope {
        self.entering.min(self.repeating)
    }

    /// The weaker of both.
    fn and(self, other: JoinScope) -> JoinScope {
        JoinScope {
            entering: self.entering.min(other.entering),
            repeating: self.repeating.min(other.repeating),
        }
    }
}

/// The spread of branches at which threads part (or, for taint, that depend on data). Every level
/// only goes down.
pub struct Influence<'f, 'a> {
    flow: &'f Flow<'a>,
    /// By block: the scope in which all threads certainly entered from the same predecessor, among
    /// those that execute one instance of the block.
    join: Vec<JoinScope>,
    /// By cycle: among which threads all are in the same round of an irreducible one.
    round: Vec<Scope>,
    /// By cycle: the blocks after it where threads meet that left in different iterations.
    crossing: Vec<Vec<(Block, Scope)>>,
    /// For a user and an operand: the scope in which the operand is of the same iteration.
    temporal: FxHashMap<(Value, Value), Scope>,
    changed: Vec<CycleId>,
    /// Marks for walks: the walk, and its result.
    region: Vec<(u32, Scope)>,
    walk: u32,
}

impl<'f, 'a> Influence<'f, 'a> {
    /// Nothing has parted yet.
    pub fn new(flow: &'f Flow<'a>) -> Influence<'f, 'a> {
        let cycles = flow.cycles.all.len();
        let blocks = flow.function.blocks.len();
        Influence {
            flow,
            join: vec![JoinScope::BEST; blocks],
            round: vec![Scope::Grid; cycles],
            crossing: vec![Vec::new(); cycles],
            temporal: FxHashMap::default(),
            changed: Vec::new(),
            region: vec![(0, Scope::Grid); blocks],
            walk: 0,
        }
    }

    /// The scope in which all threads certainly entered a block from the same predecessor.
    pub fn join(&self, block: Block) -> Scope {
        self.join[block.index()].both()
    }

    /// The scope in which a phi certainly chooses the same value. All threads in the first
    /// iteration of a loop enter from in front of it, and in any other one from inside. So threads
    /// that entered by different edges agree if those edges carry one value.
    pub fn choice(&self, phi: Value) -> Scope {
        let flow = self.flow;
        let block = flow.home(phi).unwrap_or_default();
        let join = self.join[block.index()];
        if join.both() == Scope::Grid || flow.is_always_one_value(phi) {
            return Scope::Grid;
        }
        let Some(id) = flow.headed(block) else {
            return join.both();
        };
        let inside = |from| flow.cycles.contains(id, from);
        let scope = |join, is_one: bool| if is_one { Scope::Grid } else { join };
        let entering = scope(join.entering, flow.is_one_value(phi, |from| !inside(from)));
        entering.min(scope(join.repeating, flow.is_one_value(phi, inside)))
    }

    /// The effect of divergence at a branch on a block in which the threads meet. Threads return to
    /// a loop's header on different paths only because of the loop's own branches, and enter it on
    /// different paths only because of branches in front of it.
    fn joined(&self, branch: Block, block: Block, scope: Scope, broken: bool) -> JoinScope {
        let all = JoinScope { entering: scope, repeating: scope };
        match self.flow.headed(block).filter(|_| !broken) {
            Some(id) if self.flow.cycles.contains(id, branch) => {
                JoinScope { entering: Scope::Grid, ..all }
            }
            Some(_) => JoinScope { repeating: Scope::Grid, ..all },
            None => all,
        }
    }

    /// The scope in which an operand is of the same iteration of all loops that it varies in.
    pub fn temporal(&self, user: Value, operand: Value) -> Scope {
        self.temporal.get(&(user, operand)).copied().unwrap_or(Scope::Grid)
    }

    /// Among which threads a value in an irreducible cycle belongs to the same round.
    pub fn round(&self, value: Value) -> Scope {
        let around = self.flow.cycles.outwards(self.flow.varies(value));
        around.map(|id| self.round[id.0 as usize]).min().unwrap_or(Scope::Grid)
    }

    /// Threads that only agree in a scope part at the branch of a block. Values that may be affected
    /// are added to `dirty`; [`Influence::spread`] adds the rest.
    pub fn part(&mut self, branch: Block, scope: Scope, dirty: &mut Vec<Value>) {
        let flow = self.flow;
        let joins = flow.joins(branch);
        for &block in &joins.blocks {
            let broken = joins.broken.iter().any(|&id| flow.cycles.contains(id, block));
            let before = self.join[block.index()];
            let after = before.and(self.joined(branch, block, scope, broken));
            if after != before && !Planted::JoinsIgnored.is_on() {
                self.join[block.index()] = after;
                dirty.extend(flow.function.phis(block));
            }
        }
        for &id in &joins.broken {
            if scope < self.round[id.0 as usize] {
                self.round[id.0 as usize] = scope;
                for &block in flow.cycles.blocks(id) {
                    dirty.extend(flow.function.instructions(block));
                }
            }
        }
        for &(id, block) in &joins.crossed {
            let crossing = &mut self.crossing[id.0 as usize];
            match crossing.iter_mut().find(|(at, _)| *at == block) {
                Some((_, known)) if *known <= scope => continue,
                Some((_, known)) => *known = scope,
                None => crossing.push((block, scope)),
            }
            self.changed.push(id);
        }
    }

    /// Propagates the findings of [`Influence::part`] about loops to the uses after them.
    pub fn spread(&mut self, dirty: &mut Vec<Value>) {
        let mut changed = std::mem::take(&mut self.changed);
        if Planted::NoTemporalDivergence.is_on() {
            return;
        }
        changed.sort();
        changed.dedup();
        for id in changed {
            let mut crossing = self.crossing[id.0 as usize].clone();
            crossing.sort_by_key(|&(block, scope)| (scope, block));
            for at in 0..self.flow.escaping[id.0 as usize].len() {
                let value = self.flow.escaping[id.0 as usize][at];
                self.spread_value(id, value, &crossing, dirty);
            }
        }
    }

    /// The uses of a value that lie after a place where threads of different iterations meet. Such a
    /// place matters if the value is live there: if it is between the cycle and a use.
    fn spread_value(
        &mut self,
        id: CycleId,
        value: Value,
        crossing: &[(Block, Scope)],
        dirty: &mut Vec<Value>,
    ) {
        let flow = self.flow;
        let Some(&(_, worst)) = crossing.first() else {
            return;
        };
        let mut uses = self.uses_behind(id, value);
        uses.retain(|&(user, from, _)| {
            let certain = self.certainly_behind(id, crossing, from);
            self.differs(user, value, certain, dirty);
            certain > worst
        });
        if uses.is_empty() {
            return;
        }
        let live = self.mark_live(id, &uses);
        for &(block, scope) in crossing {
            let mut pending = vec![block];
            while let Some(at) = pending.pop() {
                let mark = &mut self.region[at.index()];
                if mark.0 == live && scope < mark.1 {
                    mark.1 = scope;
                    pending.extend(flow.function.successors(at));
                }
            }
        }
        for (user, from, to) in uses {
            let met = |at: Block| {
                let mark = self.region[at.index()];
                if mark.0 == live { mark.1 } else { Scope::Grid }
            };
            let mut scope = met(from);
            if to != from {
                // A phi is where threads meet, if its block is.
                let here = crossing.iter().filter(|(block, _)| *block == to);
                scope = here.map(|&(_, scope)| scope).fold(scope, Scope::min);
            }
            self.differs(user, value, scope, dirty);
        }
    }

    /// An operand is of the same iteration only in a scope.
    fn differs(&mut self, user: Value, operand: Value, scope: Scope, dirty: &mut Vec<Value>) {
        let known = self.temporal.get(&(user, operand)).copied().unwrap_or(Scope::Grid);
        if scope < known {
            self.temporal.insert((user, operand), scope);
            dirty.push(user);
        }
    }

    /// The scope in which a use of a value is of the same iteration, if that needs no walk: all
    /// paths to it lead through a place where threads of different iterations meet. The worst of
    /// these places are examined, up to a few.
    fn certainly_behind(&self, id: CycleId, crossing: &[(Block, Scope)], from: Block) -> Scope {
        const MOST: usize = 4;
        let flow = self.flow;
        let header = flow.cycles.get(id).header;
        let leads_through = |&&(block, _): &&(Block, Scope)| {
            flow.dominators.dominates(header, block) && flow.dominators.dominates(block, from)
        };
        let found = crossing.iter().take(MOST).find(leads_through);
        found.map_or(Scope::Grid, |&(_, scope)| scope)
    }

    /// The users of a value outside a cycle: where the value must be live, and where it is read. They
    /// differ for phis, which read at the end of the predecessor.
    fn uses_behind(&self, id: CycleId, value: Value) -> Vec<(Value, Block, Block)> {
        let flow = self.flow;
        let mut uses = Vec::new();
        for &user in flow.users(value) {
            let Some(to) = flow.home(user).filter(|&to| !flow.cycles.contains(id, to)) else {
                continue;
            };
            match flow.function.kind(user) {
                Kind::Phi(incoming) => {
                    let reads = incoming.iter().filter(|(_, operand)| *operand == value);
                    uses.extend(reads.map(|&(from, _)| (user, from, to)));
                }
                _ => uses.push((user, to, to)),
            }
        }
        uses
    }

    /// Marks the blocks outside a cycle in which a value of it is live up to its uses.
    fn mark_live(&mut self, id: CycleId, uses: &[(Value, Block, Block)]) -> u32 {
        self.walk += 1;
        let flow = self.flow;
        let mut pending: Vec<Block> = uses.iter().map(|&(_, from, _)| from).collect();
        while let Some(block) = pending.pop() {
            if self.region[block.index()].0 != self.walk && !flow.cycles.contains(id, block) {
                self.region[block.index()] = (self.walk, Scope::Grid);
                pending.extend(&flow.predecessors[block.index()]);
            }
        }
        self.walk
    }
}
