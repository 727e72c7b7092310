//! All analyses of a kernel together: the basis of its answers.

use super::affine::{Condition, Form, Scope};
use super::collective;
use super::convergence::Convergence;
use super::flow::Flow;
use super::reason::Question;
use super::taint::{Taint, Taints};
use super::transfer::Fact;
use crate::ir::{Block, Function, Value};

/// The analyses of a function, for every condition on the launch.
pub struct Answers<'f, 'a> {
    /// The function's shape.
    pub flow: &'f Flow<'a>,
    /// By [`Condition`].
    convergence: [Convergence<'f, 'a>; 3],
    /// Programmatic or data.
    pub taints: Taints<'f, 'a>,
}

/// The result for a value or a branch under one condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The assumption about the launch.
    pub condition: Condition,
    /// Among which threads it is the same.
    pub scope: Scope,
    /// The variation across the other threads.
    pub shape: Shape,
}

/// A barrier, or an operation of the lanes of a warp together, and the control over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarrierControl {
    /// Its block.
    pub block: Block,
    /// The barrier, vote or shuffle.
    pub at: Value,
    /// Among which threads control is to be the same.
    pub needs: Scope,
    /// The scope in which all branches above it are uniform: without a condition, then under each
    /// that improves it.
    pub control: Vec<(Condition, Scope)>,
}

impl BarrierControl {
    /// Returns true if all threads of the block, or of the warp, arrive at it together in every
    /// launch.
    pub fn is_legal(&self) -> bool {
        self.is_legal_under(Condition::Always)
    }

    /// Returns true if they do in launches that fulfil a condition.
    pub fn is_legal_under(&self, known: Condition) -> bool {
        let mut fulfilled = self.control.iter().filter(|&&(condition, _)| condition <= known);
        self.control.is_empty() || fulfilled.any(|&(_, scope)| scope >= self.needs)
    }
}

impl BarrierControl {
    /// The question about control that is not as uniform as it needs.
    pub fn question(&self) -> Question {
        match self.needs {
            Scope::Warp => Question::Varies(Scope::None),
            _ => Question::Varies(Scope::Warp),
        }
    }

    /// The consequence if it is not legal.
    pub fn missing(&self) -> &'static str {
        match self.needs {
            Scope::Warp => "some lanes of a warp may not take part in this",
            _ => "some threads of a block may not reach this barrier",
        }
    }
}

/// The dependence of a value on the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Not at all, within the scope.
    Uniform,
    /// An affine function of the indices.
    Affine(Form),
    /// A truth decided by affine values: two thread numbers bound it.
    Predicate,
    /// In no known form.
    Generic,
}

impl Shape {
    /// The word in reports.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Uniform => "uniform",
            Shape::Affine(form) if form.is_lane_affine() => "lane-affine",
            Shape::Affine(_) => "affine",
            Shape::Predicate => "predicate",
            Shape::Generic => "generic",
        }
    }

    /// The amount of information in the shape: more is better.
    fn rank(&self) -> u8 {
        match self {
            Shape::Uniform => 3,
            Shape::Affine(_) => 2,
            Shape::Predicate => 1,
            Shape::Generic => 0,
        }
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Shape::Affine(form) => write!(f, "{} {form}", self.name()),
            _ => f.write_str(self.name()),
        }
    }
}

impl Answer {
    fn new(condition: Condition, fact: &Fact) -> Answer {
        let scope = fact.agreement(condition);
        let shape = match fact {
            // A remainder of `threadIdx.x` is the lane only in warps that lie in one row.
            Fact::Form(form) if form.low => Shape::Generic,
            Fact::Form(form) if form.is_lane_affine() && condition < Condition::Rows => {
                Shape::Generic
            }
            Fact::Form(form) => match scope {
                Scope::None => Shape::Affine(**form),
                Scope::Block if form.depends_on_block() => Shape::Affine(**form),
                _ => Shape::Uniform,
            },
            Fact::Unreached => Shape::Uniform,
            Fact::Predicate(_) => Shape::Predicate,
            Fact::Generic => Shape::Generic,
        };
        Answer { condition, scope, shape }
    }

    /// Its meaning, in words.
    pub fn sentence(&self) -> String {
        let threads = match self.scope {
            Scope::None => None,
            Scope::Warp => Some("the same in all threads of a warp"),
            Scope::Block => Some("the same in all threads of a block"),
            Scope::Grid => Some("the same in all threads of the grid"),
        };
        let said = match (threads, &self.shape) {
            (None, Shape::Affine(form)) if form.is_lane_affine() => {
                format!("an affine function of the lane, {form}")
            }
            (None, Shape::Affine(form)) => {
                format!("an affine function of the thread's position, {form}")
            }
            (None, Shape::Predicate) => {
                "a condition on affine values, which differs from thread to thread".to_owned()
            }
            (None, _) => "different from thread to thread, by no known rule".to_owned(),
            (Some(threads), Shape::Affine(form)) => format!("{threads}, {form}"),
            (Some(threads), _) => threads.to_owned(),
        };
        match self.condition {
            Condition::Always => said,
            condition => format!("{said} {}", condition.sentence()),
        }
    }

    fn rank(&self) -> (Scope, u8) {
        (self.scope, self.shape.rank())
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} {}{}", self.scope.name(), self.shape, self.condition.mark())
    }
}

impl<'f, 'a> Answers<'f, 'a> {
    /// Analyses the function of a flow.
    pub fn new(flow: &'f Flow<'a>) -> Answers<'f, 'a> {
        let convergence = Condition::ALL.map(|condition| Convergence::new(flow, condition));
        let taints = Taints::new(flow, &convergence[0]);
        Answers { flow, convergence, taints }
    }

    /// The function.
    pub fn function(&self) -> &'a Function {
        self.flow.function
    }

    /// Convergence under a condition.
    pub fn convergence(&self, condition: Condition) -> &Convergence<'f, 'a> {
        &self.convergence[condition as usize]
    }

    /// The results for a value: without a condition, then under each condition that improves them.
    pub fn value(&self, value: Value) -> Vec<Answer> {
        self.better(|convergence| convergence.fact(value).clone())
    }

    /// The answers for an operand at its use.
    pub fn used(&self, user: Value, operand: Value) -> Vec<Answer> {
        self.better(|convergence| convergence.used(user, operand))
    }

    /// The scope in which the branch at the end of a block is uniform: without a condition, then
    /// under each that improves it.
    pub fn branch(&self, block: Block) -> Vec<(Condition, Scope)> {
        self.scopes(|convergence| convergence.branch(block))
    }

    /// The answers for all branches that decide if a block is executed.
    pub fn control(&self, block: Block) -> Vec<(Condition, Scope)> {
        self.scopes(|convergence| convergence.control(block))
    }

    fn better(&self, fact: impl Fn(&Convergence<'f, 'a>) -> Fact) -> Vec<Answer> {
        let mut answers: Vec<Answer> = Vec::new();
        for convergence in &self.convergence {
            let answer = Answer::new(convergence.condition, &fact(convergence));
            if answers.last().is_none_or(|last| answer.rank() > last.rank()) {
                answers.push(answer);
            }
        }
        answers
    }

    fn scopes(&self, scope: impl Fn(&Convergence<'f, 'a>) -> Scope) -> Vec<(Condition, Scope)> {
        let mut scopes: Vec<(Condition, Scope)> = Vec::new();
        for convergence in &self.convergence {
            let found = scope(convergence);
            if scopes.last().is_none_or(|&(_, last)| found > last) {
                scopes.push((convergence.condition, found));
            }
        }
        scopes
    }

    /// Barriers and warp operations at which threads must arrive together, with the scope in which
    /// control over each is uniform. If it is less than needed, some threads may wait for others
    /// that never arrive, or act without them.
    pub fn barriers(&self) -> Vec<BarrierControl> {
        self.flow.values().filter_map(|(block, at)| self.barrier(block, at)).collect()
    }

    /// Such an instruction with the control over it.
    pub fn barrier(&self, block: Block, at: Value) -> Option<BarrierControl> {
        let needs = collective::needs(self.function(), block, at)?;
        Some(BarrierControl { block, at, needs, control: self.control(block) })
    }

    /// The taint of a value and of the control over it.
    pub fn taint(&self, value: Value) -> (Taint, Taint) {
        let block = self.flow.home(value).unwrap_or_default();
        (self.taints.value(value), self.taints.control(block))
    }
}
