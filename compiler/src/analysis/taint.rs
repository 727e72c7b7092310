//! Taint: true if a value depends on data and not only on the program and its launch (Rhu's
//! dissertation, §4.3 and Figure 4.20: P-branches and D-branches).
//!
//! Programmatic values are constants, parameters, indices and extents, and values computed from
//! them. So is constant memory at an address that is programmatic and uniform: the host has written
//! it before the launch, and all threads see the same, as with a parameter. Data is every other
//! load, the result of an atomic, and values computed from data.
//!
//! A value that a D-branch chooses, or that is read after a loop which data has ended, is data too.
//! The number of times that a programmatic value is computed is another question:
//! [`Taints::control`].

use super::affine::Scope;
use super::convergence::Convergence;
use super::flow::{Flow, Influence, Reaching};
use super::memory::{Origin, Target};
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Op, Space};
use std::collections::VecDeque;

/// The dependence of a value, a branch or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Taint {
    /// On data.
    Data,
    /// On parameters, constants and indices only.
    Programmatic,
}

impl Taint {
    /// The letter in reports, as in P-branch and D-branch.
    pub fn letter(self) -> char {
        match self {
            Taint::Data => 'D',
            Taint::Programmatic => 'P',
        }
    }
}

/// The taint of a function's values and branches.
pub struct Taints<'f, 'a> {
    values: Vec<Taint>,
    /// By block: the branch at its end.
    branches: Vec<Taint>,
    /// By block: the worst of the branches that decide whether it is executed.
    control: Vec<Taint>,
    influence: Influence<'f, 'a>,
}

impl<'f, 'a> Taints<'f, 'a> {
    /// Analyses a function; `convergence` knows the uniform addresses.
    pub fn new(flow: &'f Flow<'a>, convergence: &Convergence<'_, '_>) -> Taints<'f, 'a> {
        let blocks = flow.function.blocks.len();
        let mut solver = Solver {
            flow,
            function: flow.function,
            convergence,
            queue: flow.values().map(|(_, value)| value).collect(),
            queued: vec![true; flow.function.values.len()],
            parted: Vec::new(),
            answer: Taints {
                values: vec![Taint::Programmatic; flow.function.values.len()],
                branches: vec![Taint::Programmatic; blocks],
                control: vec![Taint::Programmatic; blocks],
                influence: Influence::new(flow),
            },
        };
        solver.run();
        solver.answer
    }

    /// The taint of a value where it is computed.
    pub fn value(&self, value: Value) -> Taint {
        self.values[value.index()]
    }

    /// The taint of an operand where a user reads it: after a loop that data has ended, data.
    pub fn used(&self, user: Value, operand: Value) -> Taint {
        match self.influence.temporal(user, operand) {
            Scope::Grid => self.value(operand),
            _ => Taint::Data,
        }
    }

    /// The taint of the branch at the end of a block; programmatic when it has none.
    pub fn branch(&self, block: Block) -> Taint {
        self.branches[block.index()]
    }

    /// The worst taint of the branches that decide whether, and how often, a block is executed.
    pub fn control(&self, block: Block) -> Taint {
        self.control[block.index()]
    }

    /// The spread of D-branches.
    pub fn influence(&self) -> &Influence<'f, 'a> {
        &self.influence
    }
}

struct Solver<'c, 'f, 'a> {
    flow: &'f Flow<'a>,
    function: &'a Function,
    convergence: &'c Convergence<'c, 'c>,
    queue: VecDeque<Value>,
    queued: Vec<bool>,
    /// Branches that have turned out to be D-branches.
    parted: Vec<Block>,
    answer: Taints<'f, 'a>,
}

impl Solver<'_, '_, '_> {
    fn run(&mut self) {
        loop {
            while let Some(value) = self.queue.pop_front() {
                self.queued[value.index()] = false;
                self.visit(value);
            }
            let mut dirty = Vec::new();
            for branch in std::mem::take(&mut self.parted) {
                self.answer.influence.part(branch, Scope::None, &mut dirty);
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

    /// Facts that depend on control: loads of local variables, and the participants of a vote.
    fn decide(&mut self, dirty: &mut Vec<Value>) {
        let branches = &self.answer.branches;
        let best = Taint::Programmatic;
        let control = self.flow.control.fold(best, |branch| branches[branch.index()]);
        if control != self.answer.control {
            self.answer.control = control;
            let values = self.flow.values().map(|(_, value)| value);
            dirty.extend(values.filter(|&value| match self.function.kind(value) {
                Kind::Collective(..) => true,
                _ => matches!(self.flow.target(value), Target::Slot(_)),
            }));
        }
    }

    fn visit(&mut self, value: Value) {
        if let Kind::Branch(condition, ..) = *self.function.kind(value) {
            if self.answer.used(value, condition) == Taint::Data
                && let Some(block) = self.flow.home(value)
                && self.answer.branches[block.index()] != Taint::Data
            {
                self.answer.branches[block.index()] = Taint::Data;
                self.parted.push(block);
            }
            return;
        }
        if self.answer.values[value.index()] != Taint::Data && self.is_data(value) {
            self.answer.values[value.index()] = Taint::Data;
            let flow = self.flow;
            flow.users(value).iter().for_each(|&user| self.enqueue(user));
        }
    }

    fn is_data(&self, value: Value) -> bool {
        if self.answer.influence.round(value) < Scope::Grid {
            return true;
        }
        let data = |operand: Value| self.answer.used(value, operand) == Taint::Data;
        match self.function.kind(value) {
            Kind::Compute(_, operands) => operands.iter().any(|&operand| data(operand)),
            Kind::Part(whole, _) => data(*whole),
            Kind::Join(parts) => parts.iter().any(|&part| data(part)),
            Kind::Load(access, address) => {
                access.volatile || data(*address) || self.loads_data(value, *address)
            }
            Kind::Atomic(..) | Kind::Guarded(_) => true,
            Kind::Collective(Op::Clock | Op::SmIndex | Op::SmCount, _) => true,
            Kind::Collective(op, _) if op.is_matrix_access() => true,
            Kind::Collective(_, operands) => {
                let block = self.flow.home(value).unwrap_or_default();
                self.answer.control[block.index()] == Taint::Data
                    || operands.iter().any(|&operand| data(operand))
            }
            Kind::Phi(incoming) => {
                let reachable = |from: Block| self.flow.cycles.position(from).is_some();
                incoming.iter().any(|&(from, operand)| reachable(from) && data(operand))
                    || self.answer.influence.choice(value) < Scope::Grid
            }
            _ => false,
        }
    }

    /// Returns true if a load from a programmatic address finds data.
    fn loads_data(&self, load: Value, address: Value) -> bool {
        let Kind::Load(access, _) = self.function.kind(load) else {
            return false;
        };
        if let Target::Slot(_) = self.flow.target(load) {
            return self.stores_data(load);
        }
        let constant = access.space == Space::Constant
            || self.flow.memory.origin(address) == Origin::Window(Space::Constant);
        !constant || self.convergence.scope_used(load, address) < Scope::Grid
    }

    /// Returns true if the values that a load of a local variable finds were data, or were stored
    /// where data decided.
    fn stores_data(&self, load: Value) -> bool {
        let Some(Reaching { stores, too_many: false, .. }) = self.flow.reaching(load) else {
            return true;
        };
        stores.iter().any(|store| {
            let (at, block) = (store.access.at, store.access.place.0);
            let read = [Some(store.access.address), store.access.stored];
            let data = |operand| self.answer.used(at, operand) == Taint::Data;
            read.into_iter().flatten().any(data)
                || (!store.certain && self.answer.control[block.index()] == Taint::Data)
        })
    }
}
