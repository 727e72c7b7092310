//! Convergence and variance: the threads among which each value and each branch is the same, and
//! its shape where it is not (Asanović and others, "Convergence and scalarization for data-parallel
//! architectures", 2013; book §3.4.4 and §3.5).
//!
//! Everything starts out uniform; facts only get worse until nothing changes (the answer is the
//! greatest fixed point, so that loops do not spoil themselves). Threads part at branches whose
//! condition differs; [`join`](super::join) finds the places at which they meet, and the values of
//! loops that they leave in different rounds.
//!
//! A claim is about threads that execute one dynamic instance of an instruction: those whose rounds
//! of all loops around it are the same. A machine may execute fewer of them at once, never others.

use super::affine::{Base, Condition, Form, Launches, Scope, Symbol};
use super::collective::{grouped, is_broadcast, is_even, is_reduction, is_shuffle, passes_on};
use super::flow::{Flow, Influence, Reaching};
use super::memory::Target;
use super::transfer::{Fact, Operand, Transfer};
use crate::ir::{Block, Function, Guarded, Kind, Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;
use std::collections::VecDeque;

/// The values and branches with the threads in which they are uniform.
pub struct Convergence<'f, 'a> {
    /// The assumption about the launch.
    pub condition: Condition,
    facts: Vec<Fact>,
    /// By block: the scope in which the branch at its end is uniform.
    branches: Vec<Scope>,
    /// By block: the scope in which all branches that decide its execution are uniform.
    control: Vec<Scope>,
    influence: Influence<'f, 'a>,
}

impl<'f, 'a> Convergence<'f, 'a> {
    /// Analyses a function for some launches, those that fulfil a condition for example.
    pub fn new(flow: &'f Flow<'a>, launches: impl Into<Launches>) -> Convergence<'f, 'a> {
        let function = flow.function;
        let blocks = function.blocks.len();
        let launches = launches.into().at_most(function.max_threads);
        let condition = launches.condition;
        let mut solver = Solver {
            flow,
            function,
            transfer: Transfer { launches },
            queue: flow.values().map(|(_, value)| value).collect(),
            queued: vec![true; function.values.len()],
            parted: Vec::new(),
            stray: Vec::new(),
            grouped: vec![false; blocks],
            collectives: collectives(flow),
            answer: Convergence {
                condition,
                facts: vec![Fact::Unreached; function.values.len()],
                branches: vec![Scope::Grid; blocks],
                control: vec![Scope::Grid; blocks],
                influence: Influence::new(flow),
            },
        };
        solver.run();
        solver.answer
    }

    /// The fact about a value where it is computed.
    pub fn fact(&self, value: Value) -> &Fact {
        &self.facts[value.index()]
    }

    /// The fact about an operand where a user reads it: threads that left a loop in different
    /// iterations have different values.
    pub fn used(&self, user: Value, operand: Value) -> Fact {
        self.fact(operand).clone().within(self.influence.temporal(user, operand))
    }

    /// Among which threads a value is the same.
    pub fn scope(&self, value: Value) -> Scope {
        self.fact(value).agreement(self.condition)
    }

    /// Among which threads an operand is the same where a user reads it.
    pub fn scope_used(&self, user: Value, operand: Value) -> Scope {
        self.used(user, operand).agreement(self.condition)
    }

    /// The scope in which the branch at the end of a block is uniform; `Grid` when it has none.
    pub fn branch(&self, block: Block) -> Scope {
        self.branches[block.index()]
    }

    /// The scope in which all branches that decide a block's execution are uniform.
    pub fn control(&self, block: Block) -> Scope {
        self.control[block.index()]
    }

    /// The spread of the parting of threads.
    pub fn influence(&self) -> &Influence<'f, 'a> {
        &self.influence
    }
}

struct Solver<'f, 'a> {
    flow: &'f Flow<'a>,
    function: &'a Function,
    transfer: Transfer,
    queue: VecDeque<Value>,
    queued: Vec<bool>,
    /// Branches whose scope has gone down.
    parted: Vec<Block>,
    /// Blocks with barriers under control that is not uniform in the block. Threads that have passed
    /// none of them have all passed the same barriers.
    stray: Vec<Block>,
    /// By block, and only where there are votes or shuffles: the threads of a warp that execute it in
    /// one round may do so in several groups.
    grouped: Vec<bool>,
    /// Collective operations of threads.
    collectives: Vec<(Block, Value)>,
    answer: Convergence<'f, 'a>,
}

impl Solver<'_, '_> {
    fn run(&mut self) {
        loop {
            while let Some(value) = self.queue.pop_front() {
                self.queued[value.index()] = false;
                self.visit(value);
            }
            let mut dirty = Vec::new();
            for branch in std::mem::take(&mut self.parted) {
                let scope = self.answer.branches[branch.index()];
                self.answer.influence.part(branch, scope, &mut dirty);
                self.group(branch, scope, &mut dirty);
            }
            self.answer.influence.spread(&mut dirty);
            if dirty.is_empty() {
                self.decide(&mut dirty);
            }
            if dirty.is_empty() {
                return;
            }
            dirty.into_iter().for_each(|value| self.enqueue(value));
        }
    }

    fn enqueue(&mut self, value: Value) {
        if !std::mem::replace(&mut self.queued[value.index()], true) {
            self.queue.push_back(value);
        }
    }

    /// Votes and shuffles where the threads that part at a branch may be in several groups.
    fn group(&mut self, branch: Block, scope: Scope, dirty: &mut Vec<Value>) {
        if scope >= Scope::Warp || self.collectives.is_empty() {
            return;
        }
        for block in grouped(self.flow, branch) {
            self.grouped[block.index()] = true;
        }
        let is_grouped = |&&(block, _): &&(Block, Value)| self.grouped[block.index()];
        dirty.extend(self.collectives.iter().filter(is_grouped).map(|&(_, value)| value));
    }

    /// Facts that depend on control: loads of local and shared variables, and results of barriers.
    fn decide(&mut self, dirty: &mut Vec<Value>) {
        let branches = &self.answer.branches;
        let control = self.flow.control.fold(Scope::Grid, |branch| branches[branch.index()]);
        let changed = control != self.answer.control;
        self.answer.control = control;
        let barriers =
            self.flow.values().filter(|&(_, value)| self.function.kind(value).is_barrier());
        let mut stray: Vec<Block> = barriers.map(|(block, _)| block).collect();
        stray.retain(|block| self.answer.control[block.index()] < Scope::Block);
        let unchanged = stray == self.stray;
        for (_, value) in self.flow.values() {
            let kind = self.function.kind(value);
            let again = match kind.unguarded() {
                Kind::Load(..) => match self.flow.target(value) {
                    Target::Slot(_) => changed,
                    Target::Shared => !unchanged,
                    _ => false,
                },
                Kind::Collective(op, _) => changed && (kind.is_barrier() || is_shuffle(*op)),
                _ => false,
            };
            if again {
                dirty.push(value);
            }
        }
        self.stray = stray;
    }

    fn visit(&mut self, value: Value) {
        if let Kind::Branch(condition, ..) = *self.function.kind(value) {
            let scope = match Planted::ConditionAtDefinition.is_on() {
                true => self.answer.scope(condition),
                false => self.answer.scope_used(value, condition),
            };
            if let Some(block) = self.flow.home(value)
                && scope < self.answer.branches[block.index()]
            {
                self.answer.branches[block.index()] = scope;
                self.parted.push(block);
            }
            return;
        }
        let Some(ty) = self.function.instruction(value).ty else {
            return;
        };
        let found = self.evaluate(value, ty).within(self.answer.influence.round(value));
        // Only going down makes an end certain.
        let found = self.answer.facts[value.index()].meet(&found, self.condition());
        if found != self.answer.facts[value.index()] {
            self.answer.facts[value.index()] = found;
            let flow = self.flow;
            flow.users(value).iter().for_each(|&user| self.enqueue(user));
        }
    }

    fn evaluate(&self, value: Value, ty: Type) -> Fact {
        match self.function.kind(value) {
            Kind::Constant(bits) => {
                Fact::of(Form::constant(super::transfer::signed(*bits, ty) as u64, ty))
            }
            Kind::Address(_, offset) => {
                // Windows start at multiples of 64 KiB.
                let base = Base { constant: i64::from(*offset), align: 16 };
                Fact::of(Form::uniform(Scope::Grid, base, ty))
            }
            Kind::Special(special) => self.transfer.register(*special),
            Kind::Slot(_) | Kind::Parameter { .. } => Fact::uniform(Scope::Grid, ty),
            Kind::Compute(op, operands) => {
                let operand = |&operand: &Value| Operand {
                    fact: self.answer.used(value, operand),
                    symbol: symbol(self.function, operand),
                };
                let operands: Vec<Operand> = operands.iter().map(operand).collect();
                self.transfer.compute(*op, &operands, ty)
            }
            Kind::Load(access, address) if !access.volatile => self.load(value, *address, ty),
            Kind::Guarded(guarded) => self.guarded(value, guarded, ty),
            Kind::Phi(incoming) => self.phi(value, incoming),
            Kind::Part(whole, _) => match self.answer.used(value, *whole) {
                Fact::Unreached => Fact::Unreached,
                fact => Fact::uniform(fact.agreement(self.condition()), ty),
            },
            Kind::Join(parts) => {
                let agree = |&part: &Value| self.answer.scope_used(value, part);
                Fact::uniform(parts.iter().map(agree).min().unwrap_or(Scope::None), ty)
            }
            Kind::Collective(op, operands) => self.collective(value, *op, operands, ty),
            Kind::Atomic(..) if Planted::AtomicIsUniform.is_on() => Fact::uniform(Scope::Warp, ty),
            _ => Fact::Generic,
        }
    }

    /// Threads that vote together have the same result.
    fn collective(&self, value: Value, op: Op, operands: &[Value], ty: Type) -> Fact {
        let block = self.flow.home(value).unwrap_or_default();
        let used = |at: usize| match operands.get(at) {
            Some(&operand) => self.answer.scope_used(value, operand),
            None => Scope::Grid,
        };
        let alone = if self.grouped[block.index()] { Scope::None } else { Scope::Warp };
        let operand = || self.answer.used(value, operands[0]);
        let is_one = |fact: &Fact| {
            *fact == Fact::Unreached || fact.agreement(self.condition()) >= Scope::Warp
        };
        if passes_on(self.function, op, operands) || self.shuffles_all(block, op, operands) {
            let fact = Some(operand()).filter(is_one);
            if let Some(fact) = fact {
                return fact;
            }
        }
        let scope = match op {
            Op::VoteAny | Op::VoteAll => used(0).max(alone),
            Op::VoteBallot => alone,
            Op::ShuffleIndex if is_broadcast(self.function, operands[2]) => used(1).min(alone),
            Op::MatchAny => used(0).min(alone),
            op if is_reduction(op) => used(1).min(alone),
            _ if self.function.kind(value).is_barrier()
                && self.answer.control[block.index()] >= Scope::Block =>
            {
                match op {
                    Op::BarrierOr | Op::BarrierAnd => used(0).max(Scope::Block),
                    _ => Scope::Block,
                }
            }
            _ => Scope::None,
        };
        Fact::uniform(scope, ty)
    }

    /// Returns true if a shuffle certainly reads an active lane: all lanes of all warps exist and
    /// arrive here together, and no segment is cut off at the end of a warp. An inactive lane
    /// yields 0.
    fn shuffles_all(&self, block: Block, op: Op, operands: &[Value]) -> bool {
        self.condition() >= Condition::Regular
            && is_shuffle(op)
            && is_even(self.function, operands[2])
            && !self.grouped[block.index()]
            && self.answer.control[block.index()] >= Scope::Warp
    }

    fn condition(&self) -> Condition {
        self.transfer.launches.condition
    }

    fn phi(&self, phi: Value, incoming: &[(Block, Value)]) -> Fact {
        let mut met = Fact::Unreached;
        for &(from, operand) in incoming {
            if operand != phi && self.flow.cycles.position(from).is_some() {
                met = met.meet(&self.answer.used(phi, operand), self.condition());
            }
        }
        met.within(self.answer.influence.choice(phi))
    }

    /// A guarded access chooses its result as a phi does, by its guard in the place of control.
    fn guarded(&self, value: Value, guarded: &Guarded, ty: Type) -> Fact {
        let (Kind::Load(access, address), Some(other)) = (&guarded.access, guarded.otherwise)
        else {
            return Fact::Generic;
        };
        if access.volatile {
            return Fact::Generic;
        }
        let loaded = self.load(value, *address, ty);
        let met = loaded.meet(&self.answer.used(value, other), self.condition());
        met.within(self.answer.scope_used(value, guarded.holds))
    }

    fn load(&self, load: Value, address: Value, ty: Type) -> Fact {
        let address = self.answer.used(load, address);
        if address == Fact::Unreached {
            return Fact::Unreached;
        }
        let scope = address.agreement(self.condition());
        let scope = match self.flow.target(load) {
            Target::Slot(_) => return self.slot_load(load, scope, ty),
            Target::Own if Planted::OwnMemoryIsUniform.is_on() => scope.min(Scope::Warp),
            Target::Own => Scope::None,
            Target::Constant => scope,
            // Between barriers no thread writes: every read finds the same, whenever it is.
            Target::Shared if self.flow.memory.is_quiet(load) && !self.is_astray(load) => {
                scope.min(Scope::Block)
            }
            // The lanes of a warp read at the same time.
            Target::Shared | Target::Global => scope.min(Scope::Warp),
        };
        Fact::uniform(scope, ty)
    }

    /// Returns true if threads may arrive at a load that have not all passed the same barriers.
    fn is_astray(&self, load: Value) -> bool {
        let block = self.flow.home(load).unwrap_or_default();
        let reaches = |from: Block| from == block || self.flow.cycles.may_reach(from, block);
        self.stray.iter().any(|&from| reaches(from))
    }

    /// A thread loads from a local variable the value that it stored. Two threads load values
    /// stored in the same instance if they executed the same stores.
    fn slot_load(&self, load: Value, scope: Scope, ty: Type) -> Fact {
        let Some(Reaching { stores, initial, too_many: false }) = self.flow.reaching(load) else {
            return Fact::Generic;
        };
        let condition = self.condition();
        let (mut met, mut scope) = (Fact::Unreached, scope);
        for store in stores {
            let Some(stored) = store.access.stored else { continue };
            let (at, block) = (store.access.at, store.access.place.0);
            scope = scope.min(self.answer.scope_used(at, store.access.address));
            if !store.certain && !Planted::StoreIsCertain.is_on() {
                scope = scope.min(self.answer.control[block.index()]);
            }
            let stored = self.answer.used(at, stored);
            let whole = matches!(store.access.width.bytes(), 4 | 8);
            let found = match stored {
                Fact::Unreached => continue,
                // Extension and parts of values keep nothing but that threads agree.
                stored if !(store.exact && whole) => Fact::uniform(stored.agreement(condition), ty),
                stored if store.certain => stored,
                stored => stored.anonymous(),
            };
            met = met.meet(&found, condition);
        }
        if *initial {
            met = met.meet(&Fact::of(Form::constant(0, ty)), condition);
        }
        met.within(scope)
    }
}

/// The collective operations of threads, in the order of blocks.
fn collectives(flow: &Flow) -> Vec<(Block, Value)> {
    let is_collective =
        |&(_, value): &(Block, Value)| matches!(flow.function.kind(value), Kind::Collective(..));
    flow.values().filter(is_collective).collect()
}

/// The symbol of a value in a coefficient.
fn symbol(function: &Function, value: Value) -> Symbol {
    match *function.kind(value) {
        Kind::Special(special) => Symbol::Special(special),
        Kind::Parameter { offset, .. } => Symbol::Parameter(offset),
        Kind::Compute(Op::Mul, ref operands) => {
            match (function.kind(operands[0]), function.kind(operands[1])) {
                (&Kind::Special(one), &Kind::Special(other))
                    if Symbol::is_layer(Symbol::Special(one), Symbol::Special(other)) =>
                {
                    Symbol::Layer
                }
                _ => Symbol::Value(value),
            }
        }
        _ => Symbol::Value(value),
    }
}
