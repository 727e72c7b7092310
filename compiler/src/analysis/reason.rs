//! Reasons: the shortest chain from an answer back to the source of divergence or data.
//!
//! The chain goes backwards, breadth first, from a value to its causes. These are operands that are
//! as bad as it, and the stores that a load may see. They are also the branch that chooses among a
//! phi's operands, and the branch by which threads leave a loop in different iterations.

use super::affine::{Condition, Scope};
use super::answers::Answers;
use super::cycles::CycleId;
use super::flow::Influence;
use super::memory::Target;
use super::taint::Taint;
use crate::ir::{Block, Function, Kind, Location, Value};
use reconverge_isa::{Op, Special};
use std::collections::{BTreeMap, VecDeque};

/// The question to explain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Why the threads of more than this scope do not agree; with no condition on the launch.
    Varies(Scope),
    /// Why it depends on data.
    Data,
}

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The location in the source.
    pub location: Location,
    /// The explanation of the step.
    pub text: String,
}

/// The chain from a value to its source, the value's own place not included; the last step is the
/// source. Empty when the question's answer for the value is no.
pub fn reasons(answers: &Answers, question: Question, value: Value) -> Vec<Step> {
    let asked = Asked { answers, question };
    if asked.is_bad(value) { asked.search(vec![value]) } else { Vec::new() }
}

/// The chain for an operand at its use.
pub fn reasons_used(
    answers: &Answers,
    question: Question,
    user: Value,
    operand: Value,
) -> Vec<Step> {
    let asked = Asked { answers, question };
    if !asked.is_bad_used(user, operand) {
        return Vec::new();
    }
    let mut causes = Vec::new();
    asked.operand(user, operand, "comes from here", &mut causes);
    let mut chain = asked.first(causes);
    // A value computed exactly where it is read needs no step.
    if chain.first().is_some_and(|step| {
        step.text == "comes from here" && step.location == asked.step(user, "").location
    }) {
        chain.remove(0);
    }
    chain
}

/// Why control over a block is not the same for all threads of more than a scope, or depends on data.
pub fn control_reasons(answers: &Answers, question: Question, block: Block) -> Vec<Step> {
    let asked = Asked { answers, question };
    let mut causes = Vec::new();
    asked.control(block, "decides whether this is executed", &mut causes);
    asked.first(causes)
}

/// A value that causes the property of another.
struct Cause {
    value: Value,
    step: Step,
}

struct Asked<'q, 'f, 'a> {
    answers: &'q Answers<'f, 'a>,
    question: Question,
}

impl Asked<'_, '_, '_> {
    fn function(&self) -> &Function {
        self.answers.function()
    }

    fn step(&self, at: Value, text: impl Into<String>) -> Step {
        Step { location: self.function().instruction(at).location, text: text.into() }
    }

    fn is_bad(&self, value: Value) -> bool {
        match self.question {
            Question::Varies(scope) => {
                self.answers.convergence(Condition::Always).scope(value) <= scope
            }
            Question::Data => self.answers.taints.value(value) == Taint::Data,
        }
    }

    fn is_bad_used(&self, user: Value, operand: Value) -> bool {
        let convergence = self.answers.convergence(Condition::Always);
        match self.question {
            Question::Varies(scope) => convergence.scope_used(user, operand) <= scope,
            Question::Data => self.answers.taints.used(user, operand) == Taint::Data,
        }
    }

    fn is_bad_branch(&self, block: Block) -> bool {
        match self.question {
            Question::Varies(scope) => {
                self.answers.convergence(Condition::Always).branch(block) <= scope
            }
            Question::Data => self.answers.taints.branch(block) == Taint::Data,
        }
    }

    /// Returns true if this much agreement, in the spread of branches, is as bad as that of the
    /// question.
    fn is_bad_spread(&self, scope: Scope) -> bool {
        match self.question {
            Question::Varies(asked) => scope <= asked,
            Question::Data => scope < Scope::Grid,
        }
    }

    fn influence(&self) -> &Influence<'_, '_> {
        match self.question {
            Question::Varies(_) => self.answers.convergence(Condition::Always).influence(),
            Question::Data => self.answers.taints.influence(),
        }
    }

    /// The shortest chain that starts with one of some causes.
    fn first(&self, causes: Vec<Cause>) -> Vec<Step> {
        let chains = causes.into_iter().map(|cause| {
            let mut chain = vec![cause.step];
            chain.extend(self.search(vec![cause.value]));
            chain
        });
        chains.min_by_key(Vec::len).unwrap_or_default()
    }

    /// Breadth first from some values to the nearest source.
    fn search(&self, starts: Vec<Value>) -> Vec<Step> {
        let mut parents: BTreeMap<Value, Option<(Value, Step)>> = BTreeMap::new();
        let mut queue = VecDeque::new();
        for start in starts {
            parents.insert(start, None);
            queue.push_back(start);
        }
        let mut end = None;
        while let Some(value) = queue.pop_front() {
            if let Some(text) = self.source(value) {
                end = Some((value, self.step(value, text)));
                break;
            }
            for cause in self.causes(value) {
                parents.entry(cause.value).or_insert_with(|| {
                    queue.push_back(cause.value);
                    Some((value, cause.step))
                });
            }
        }
        let Some((mut at, source)) = end else {
            return Vec::new();
        };
        let mut chain = vec![source];
        while let Some(Some((parent, step))) = parents.get(&at) {
            // A leaf is reported at its first use; its reader's place is more useful.
            if chain.len() > 1 || !self.function().kind(at).is_leaf() {
                chain.push(step.clone());
            } else {
                chain[0].location = self.function().instruction(*parent).location;
            }
            at = *parent;
        }
        chain.reverse();
        // Several instructions of one token repeat the same text.
        chain.dedup();
        chain
    }

    /// The name of a source, if the value is one.
    fn source(&self, value: Value) -> Option<String> {
        match (self.question, self.function().kind(value).unguarded()) {
            (Question::Varies(_), Kind::Special(special)) => Some(special_text(*special)),
            (_, Kind::Atomic(..)) => {
                Some("an atomic gives each thread the value before its update".to_owned())
            }
            (Question::Varies(_), Kind::Collective(op, _)) => self.vote_source(value, *op),
            (Question::Varies(_), Kind::Load(access, _)) if access.volatile => {
                Some("volatile memory may change between two threads".to_owned())
            }
            (Question::Varies(_), Kind::Load(_, address)) => self.load_source(value, *address),
            (Question::Data, Kind::Collective(op, _)) if op.is_matrix_access() => {
                Some("what memory holds is data".to_owned())
            }
            (Question::Data, Kind::Load(..)) => match self.answers.flow.target(value) {
                Target::Slot(_) if self.answers.flow.reaching(value).is_some() => None,
                _ => Some("what memory holds is data".to_owned()),
            },
            _ => None,
        }
    }

    /// The reason why a collective operation gives threads different results.
    fn vote_source(&self, value: Value, op: Op) -> Option<String> {
        let text = match (op, self.answers.convergence(Condition::Always).scope(value)) {
            (op, _) if op.row().result.is_none() => return None,
            (Op::SmIndex | Op::SmCount, _) => "blocks run on different SMs",
            (op, _) if op.is_matrix() => "each lane gets other elements of a matrix",
            (Op::Clock, _) => "threads read the clock at different times",
            (_, Scope::Block) => "each block has its own vote",
            (_, Scope::Warp) => "each warp has its own vote or broadcast",
            (Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor, _) => {
                "a shuffle gives each lane another lane's value"
            }
            (Op::MatchAny, _) => "each lane gets the mask of the lanes with its value",
            (Op::VoteAny | Op::VoteAll | Op::VoteBallot, _) => {
                "lanes that arrive on different paths vote separately"
            }
            _ => "threads that arrive on different paths vote separately",
        };
        Some(text.to_owned())
    }

    /// Why a load is less uniform than its address, if it is.
    fn load_source(&self, load: Value, address: Value) -> Option<String> {
        if self.is_bad_used(load, address) {
            return None;
        }
        match self.answers.flow.target(load) {
            Target::Slot(_) | Target::Constant => None,
            Target::Own => Some("each thread has its own memory there".to_owned()),
            Target::Shared => Some("other warps may write it between two reads".to_owned()),
            Target::Global => Some("other threads may write it between two reads".to_owned()),
        }
    }

    /// The values that cause the property of this one.
    fn causes(&self, value: Value) -> Vec<Cause> {
        let mut causes = Vec::new();
        match self.function().kind(value) {
            Kind::Phi(incoming) => {
                for &(_, operand) in incoming {
                    self.operand(value, operand, "is the value on one of the paths", &mut causes);
                }
                self.join(value, &mut causes);
            }
            Kind::Load(_, address) => {
                self.operand(value, *address, "is loaded from this address", &mut causes);
                self.stores(value, &mut causes);
            }
            kind => {
                kind.each_operand(|operand| {
                    self.operand(value, operand, "is computed from this", &mut causes);
                });
                if matches!(kind, Kind::Collective(..)) {
                    let block = self.answers.flow.home(value).unwrap_or_default();
                    self.control(block, "this branch decides who takes part", &mut causes);
                }
            }
        }
        let around = self.answers.flow.cycles.outwards(self.answers.flow.varies(value));
        if self.is_bad_spread(self.influence().round(value)) {
            for id in around.filter(|&id| !self.answers.flow.cycles.get(id).is_natural()) {
                self.rounds(id, &mut causes);
            }
        }
        causes
    }

    fn operand(&self, user: Value, operand: Value, text: &str, causes: &mut Vec<Cause>) {
        if !self.is_bad_used(user, operand) {
            return;
        }
        if self.is_bad(operand) {
            causes.push(Cause { value: operand, step: self.step(operand, text) });
        } else {
            // The value is fine where it is computed: threads leave its loop in different rounds.
            self.exits(operand, causes);
        }
    }

    /// The branches by which threads leave the loops of a value at different times.
    fn exits(&self, value: Value, causes: &mut Vec<Cause>) {
        let flow = self.answers.flow;
        let around: Vec<CycleId> = flow.cycles.outwards(flow.varies(value)).collect();
        for &block in flow.cycles.order() {
            if self.is_bad_branch(block)
                && flow.joins(block).crossed.iter().any(|(id, _)| around.contains(id))
            {
                self.branch(block, "threads leave the loop here in different iterations", causes);
            }
        }
    }

    fn rounds(&self, id: CycleId, causes: &mut Vec<Cause>) {
        for &block in self.answers.flow.cycles.order() {
            if self.is_bad_branch(block) && self.answers.flow.joins(block).broken.contains(&id) {
                self.branch(block, "threads enter this loop at different places", causes);
            }
        }
    }

    /// The branches that choose among the operands of a phi.
    fn join(&self, phi: Value, causes: &mut Vec<Cause>) {
        let flow = self.answers.flow;
        let block = flow.home(phi).unwrap_or_default();
        if !self.is_bad_spread(self.influence().choice(phi)) {
            return;
        }
        for &branch in flow.cycles.order() {
            if self.is_bad_branch(branch) && flow.joins(branch).blocks.contains(&block) {
                self.branch(branch, "this branch decides which value it is", causes);
            }
        }
    }

    /// The stores that a load of a local variable may see.
    fn stores(&self, load: Value, causes: &mut Vec<Cause>) {
        let Some(reaching) = self.answers.flow.reaching(load) else {
            return;
        };
        for store in &reaching.stores {
            let at = store.access.at;
            let read = [Some(store.access.address), store.access.stored];
            for operand in read.into_iter().flatten() {
                self.operand(at, operand, "is stored here", causes);
            }
            if !store.certain {
                let block = store.access.place.0;
                self.control(block, "this branch decides whether it is stored", causes);
            }
        }
    }

    /// The bad branches that decide, directly or through others, if a block is executed.
    fn control(&self, block: Block, text: &str, causes: &mut Vec<Cause>) {
        let control = &self.answers.flow.control;
        let mut seen = vec![block];
        let mut at = 0;
        while let Some(&decided) = seen.get(at) {
            at += 1;
            for &branch in control.deciders(decided) {
                if !seen.contains(&branch) {
                    seen.push(branch);
                }
                if self.is_bad_branch(branch) {
                    self.branch(branch, text, causes);
                }
            }
        }
    }

    fn branch(&self, block: Block, text: &str, causes: &mut Vec<Cause>) {
        let Some(branch) = self.function().terminator(block) else {
            return;
        };
        if let Kind::Branch(condition, ..) = *self.function().kind(branch) {
            let step = self.step(branch, text);
            if self.is_bad(condition) {
                causes.push(Cause { value: condition, step });
            } else {
                let mut exits = Vec::new();
                self.exits(condition, &mut exits);
                causes.extend(exits);
            }
        }
    }
}

fn special_text(special: Special) -> String {
    let axis = special.name().chars().last().unwrap_or('x');
    match special {
        Special::TidX | Special::TidY | Special::TidZ => {
            format!("`threadIdx.{axis}` differs from thread to thread")
        }
        Special::CtaidX | Special::CtaidY | Special::CtaidZ => {
            format!("`blockIdx.{axis}` differs from block to block")
        }
        _ => format!("`{}`", special.name()),
    }
}
