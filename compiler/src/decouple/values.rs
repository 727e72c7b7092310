//! The values that the affine stream can compute, and the control that it can follow.
//!
//! Both depend on each other: a value needs the control above it, control needs its conditions. The
//! control that can be followed starts as all there is and only shrinks; for each state of it,
//! values are found as the greatest solution, so that loops do not spoil themselves.

use super::shape::{Operand, Shape, Why, compute};
use crate::analysis::affine::Form;
use crate::analysis::convergence::Convergence;
use crate::analysis::transfer::Fact;
use crate::analysis::{Flow, Scope};
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Space, Special};

/// The obstacle that keeps a value out of the affine stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The value at fault.
    pub at: Value,
    /// The reason.
    pub why: Why,
    /// It decides if the instruction in question is executed.
    pub control: bool,
}

/// The state of a value so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unreached,
    Known(Shape),
    Not(Obstacle),
}

/// The values that the affine stream can compute.
pub struct Values<'f, 'a> {
    flow: &'f Flow<'a>,
    convergence: &'f Convergence<'f, 'a>,
    function: &'a Function,
    states: Vec<State>,
    /// By block: why control cannot be followed to it.
    blocked: Vec<Option<Obstacle>>,
}

impl<'f, 'a> Values<'f, 'a> {
    /// Analyses a function, of which the blocks that are `banned` are not to be followed into.
    pub fn new(
        flow: &'f Flow<'a>,
        convergence: &'f Convergence<'f, 'a>,
        banned: &[Option<Value>],
    ) -> Values<'f, 'a> {
        let obstacle = |at: Value| Obstacle { at, why: Why::OtherPath, control: true };
        let mut values = Values {
            flow,
            convergence,
            function: flow.function,
            states: Vec::new(),
            blocked: banned.iter().map(|ban| ban.map(obstacle)).collect(),
        };
        loop {
            values.states = vec![State::Unreached; values.function.values.len()];
            values.solve();
            if !values.block() {
                return values;
            }
        }
    }

    /// The shape of an operand where it is read, or why it has none.
    pub fn used(&self, user: Value, operand: Value) -> Result<Shape, Obstacle> {
        match self.state(user, operand) {
            State::Known(shape) => Ok(shape),
            State::Not(obstacle) => Err(obstacle),
            // Nothing reaches it, so that it does not matter.
            State::Unreached => Ok(Shape::SCALAR),
        }
    }

    /// Succeeds if the affine stream can reach a block as the threads do.
    pub fn follows(&self, block: Block) -> Result<(), Obstacle> {
        self.blocked[block.index()].map_or(Ok(()), Err)
    }

    /// Succeeds if it can follow the branch at the end of a block.
    pub fn branch(&self, block: Block) -> Result<(), Obstacle> {
        self.follows(block)?;
        let Some(terminator) = self.function.terminator(block) else {
            return Ok(());
        };
        match *self.function.kind(terminator) {
            Kind::Branch(condition, ..) => self.used(terminator, condition).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Returns true if the threads of a thread block may diverge at the branch at the end of a
    /// block.
    pub fn may_diverge(&self, block: Block) -> bool {
        self.convergence.branch(block) < Scope::Block
    }

    fn solve(&mut self) {
        let order: Vec<Value> = self.flow.values().map(|(_, value)| value).collect();
        loop {
            let mut changed = false;
            for &value in &order {
                let state = self.evaluate(value);
                if self.states[value.index()] != state {
                    self.states[value.index()] = state;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Marks the blocks that a value decides which cannot be computed. Returns true if there are
    /// new ones.
    fn block(&mut self) -> bool {
        let mut changed = false;
        let mut pending: Vec<Block> = self.flow.cycles.order().to_vec();
        while let Some(branch) = pending.pop() {
            let decided = self.flow.control.decided(branch);
            if decided.is_empty() {
                continue;
            }
            let Err(obstacle) = self.branch(branch) else {
                continue;
            };
            for &block in decided {
                if self.blocked[block.index()].is_none() {
                    self.blocked[block.index()] = Some(Obstacle { control: true, ..obstacle });
                    changed = true;
                    pending.push(block);
                }
            }
        }
        changed
    }

    fn state(&self, user: Value, operand: Value) -> State {
        let state = self.states[operand.index()];
        let iterations = self.convergence.influence().temporal(user, operand);
        match state {
            State::Known(_) if iterations < Scope::Block => {
                State::Not(Obstacle { at: operand, why: Why::Iterations, control: false })
            }
            state => state,
        }
    }

    fn evaluate(&self, value: Value) -> State {
        let kind = self.function.kind(value);
        let not = |why| State::Not(Obstacle { at: value, why, control: false });
        match kind {
            Kind::Special(Special::TidX | Special::TidY | Special::TidZ) => {
                return State::Known(Shape::TUPLE);
            }
            kind if kind.is_leaf() => return State::Known(Shape::SCALAR),
            _ => {}
        }
        let block = self.flow.home(value).unwrap_or_default();
        if let Some(obstacle) = self.blocked[block.index()] {
            return State::Not(obstacle);
        }
        if self.convergence.influence().round(value) < Scope::Block {
            return not(Why::Iterations);
        }
        match kind {
            Kind::Compute(op, operands) => {
                let mut read = Vec::new();
                for &operand in operands.iter() {
                    match self.state(value, operand) {
                        State::Known(shape) => read.push(self.operand(value, operand, shape)),
                        other => return other,
                    }
                }
                let proved = agreed(self.convergence.fact(value));
                match compute(*op, &read, proved.as_ref()) {
                    Ok(shape) => State::Known(shape),
                    Err(why) => not(why),
                }
            }
            Kind::Load(access, address) if access.space == Space::Constant && !access.volatile => {
                match self.state(value, *address) {
                    State::Known(shape) if shape.scalar => State::Known(Shape::SCALAR),
                    State::Known(_) => not(Why::Loaded),
                    other => other,
                }
            }
            Kind::Guarded(_) => not(Why::Guarded),
            Kind::Load(..) | Kind::Part(..) | Kind::Join(_) => not(Why::Loaded),
            Kind::Atomic(..) => not(Why::Atomic),
            Kind::Phi(incoming) => self.phi(value, block, incoming),
            _ => not(Why::Collective),
        }
    }

    fn operand(&self, user: Value, operand: Value, shape: Shape) -> Operand {
        let agreement = self.convergence.scope_used(user, operand);
        Operand { value: operand, shape, agreed: agreement >= Scope::Block }
    }

    fn phi(&self, phi: Value, block: Block, incoming: &[(Block, Value)]) -> State {
        let not = |why| State::Not(Obstacle { at: phi, why, control: false });
        if self.convergence.influence().join(block) < Scope::Block {
            return not(Why::Choice);
        }
        let mut joined = State::Unreached;
        for &(from, operand) in incoming {
            if self.flow.cycles.position(from).is_none() {
                continue;
            }
            if let Err(obstacle) = self.branch(from) {
                return State::Not(Obstacle { control: false, ..obstacle });
            }
            joined = match (joined, self.state(phi, operand)) {
                (State::Unreached, state) | (state, State::Unreached) => state,
                (State::Known(one), State::Known(other)) => State::Known(one.either(other)),
                (State::Not(obstacle), _) | (_, State::Not(obstacle)) => State::Not(obstacle),
            };
        }
        // A predicate that a loop computes anew is another one in each round.
        let around = self.flow.cycles.innermost(block);
        let keeps = |value: Value| {
            let home = self.flow.home(value);
            home.is_some_and(|home| around.is_none_or(|id| !self.flow.cycles.contains(id, home)))
        };
        if let State::Known(shape) = joined {
            joined = State::Known(shape.kept_by(keeps));
        }
        // A grown state does not shrink, so that the iteration ends.
        match (joined, self.states[phi.index()]) {
            (State::Known(one), State::Known(before)) => State::Known(one.either(before)),
            (_, State::Not(obstacle)) => State::Not(obstacle),
            (joined, _) => joined,
        }
    }
}

/// The form of a fact that the threads of a block have in common.
fn agreed(fact: &Fact) -> Option<Form> {
    fact.form().filter(|form| form.scope >= Scope::Block).copied()
}
