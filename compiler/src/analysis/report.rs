//! The answers of all analyses of a kernel, as text beside its instructions and as data.

use super::affine::{Condition, Scope};
use super::answers::{Answer, Answers, BarrierControl};
use super::races::{Proof, proofs};
use super::reason::{Step, control_reasons};
use super::taint::Taint;
use crate::ir::{Block, Function, Kind, Location, Value, print};
use serde::Serialize;
use std::fmt::Write;

/// The answers for one kernel.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelReport {
    /// The kernel.
    pub name: String,
    /// Every value that is computed; constants and the like are not listed.
    pub values: Vec<ValueReport>,
    /// Every memory address that is accessed.
    pub addresses: Vec<ValueReport>,
    /// Every conditional branch.
    pub branches: Vec<BranchReport>,
    /// Every barrier.
    pub barriers: Vec<BarrierReport>,
    /// Every hint of an instruction, in order.
    pub hints: Vec<HintReport>,
}

/// A hint of an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HintReport {
    /// The instruction, as a value.
    pub value: String,
    /// Its source line, from 1; 0 if it has none.
    pub line: u32,
    /// Its column, from 1; 0 if it has none.
    pub column: u32,
    /// The name of the hint.
    pub hint: &'static str,
    /// Its value, a number or the name of one.
    pub is: String,
}

/// The result for a value under one condition on the launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerReport {
    /// The condition: `always`, `rows` (‡) or `regular` (‡‡).
    pub condition: &'static str,
    /// Among which threads the value is the same: `none`, `warp`, `block` or `grid`.
    pub scope: &'static str,
    /// `uniform`, `affine`, `lane-affine`, `predicate` or `generic`.
    pub shape: &'static str,
    /// The affine function, if it is one.
    pub form: Option<String>,
}

/// The answers for a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueReport {
    /// Its number in the intermediate representation; of an address, of the instruction that
    /// accesses memory.
    pub value: String,
    /// The first variable of the source that it was assigned to, if one was; none of an address.
    pub name: Option<String>,
    /// The line in the source.
    pub line: u32,
    /// The column in the source.
    pub column: u32,
    /// The scope for every launch.
    pub scope: &'static str,
    /// The shape of the value.
    pub shape: &'static str,
    /// `P` or `D`.
    pub taint: char,
    /// `P` or `D`: of the control that decides how often it is computed.
    pub control_taint: char,
    /// Every answer, each better than the one before and under a stronger condition.
    pub answers: Vec<AnswerReport>,
    /// For an address, the reason why the search for races skips it: `barriers`, or `place` if that
    /// depends on the launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proved: Option<&'static str>,
}

/// Among which threads something is the same under one condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ScopeReport {
    /// The condition.
    pub condition: &'static str,
    /// The threads.
    pub scope: &'static str,
}

/// The answers for a branch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BranchReport {
    /// The block that it ends.
    pub block: String,
    /// The line in the source.
    pub line: u32,
    /// The column in the source.
    pub column: u32,
    /// The scope in which it is uniform, for every launch.
    pub uniformity: &'static str,
    /// The answers under every condition that improves them.
    pub answers: Vec<ScopeReport>,
    /// `P` or `D`: P-branch or D-branch.
    pub taint: char,
    /// `P` or `D`: of the branches above it.
    pub control_taint: char,
    /// The block at which its paths meet again; absent when they meet only at exit.
    pub reconvergence: Option<String>,
}

/// The verdict on a barrier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BarrierReport {
    /// The line in the source.
    pub line: u32,
    /// The column in the source.
    pub column: u32,
    /// `legal`: all threads of a block arrive at it together; `divergent`: some may not.
    pub verdict: &'static str,
    /// Among which threads control over it is the same, for every launch.
    pub scope: &'static str,
    /// Why it is divergent: from the branch to the source.
    pub reasons: Vec<ReasonReport>,
}

/// A link of a chain of reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonReport {
    /// The line in the source.
    pub line: u32,
    /// The column in the source.
    pub column: u32,
    /// The explanation of the step.
    pub text: String,
}

impl From<Step> for ReasonReport {
    fn from(step: Step) -> ReasonReport {
        let Location { line, column, .. } = step.location;
        ReasonReport { line, column, text: step.text }
    }
}

impl From<&Answer> for AnswerReport {
    fn from(answer: &Answer) -> AnswerReport {
        let form = match answer.shape {
            super::answers::Shape::Affine(form) => Some(form.to_string()),
            _ => None,
        };
        AnswerReport {
            condition: answer.condition.name(),
            scope: answer.scope.name(),
            shape: answer.shape.name(),
            form,
        }
    }
}

/// `legal`, or `divergent` and among which threads control is the same.
pub fn verdict(barrier: &BarrierControl) -> String {
    match barrier.is_legal() {
        true => "legal".to_owned(),
        false => format!("divergent: control is {}", scopes(&barrier.control)),
    }
}

/// Everything that is known of a kernel.
pub fn report(answers: &Answers) -> KernelReport {
    let function = answers.function();
    let mut report = KernelReport {
        name: function.name.clone(),
        values: Vec::new(),
        addresses: Vec::new(),
        branches: Vec::new(),
        barriers: Vec::new(),
        hints: Vec::new(),
    };
    let proofs = proofs(answers.flow);
    for (block, value) in answers.flow.values() {
        let instruction = function.instruction(value);
        let kind = &instruction.kind;
        let Location { line, column, .. } = instruction.location;
        report.hints.extend(instruction.hints.iter().map(|(hint, is)| HintReport {
            value: value.to_string(),
            line,
            column,
            hint: hint.name,
            is: hint.text(is),
        }));
        if instruction.ty.is_some() && !kind.is_leaf() {
            let found = value_report(answers, value, &answers.value(value));
            let taint = answers.taints.value(value).letter();
            let name = instruction.variable.as_deref().map(str::to_owned);
            report.values.push(ValueReport { taint, name, ..found });
        }
        if let Some(address) = kind.address() {
            let found = value_report(answers, value, &answers.used(value, address));
            let taint = answers.taints.used(value, address).letter();
            let proved = proofs.get(&value).map(|proof| proof.name());
            report.addresses.push(ValueReport { taint, proved, ..found });
        }
        if let Kind::Branch(..) = kind {
            report.branches.push(branch_report(answers, block, value));
        }
    }
    let barriers = answers.barriers();
    report.barriers = barriers.iter().map(|barrier| barrier_report(answers, barrier)).collect();
    report
}

fn value_report(answers: &Answers, value: Value, found: &[Answer]) -> ValueReport {
    let Location { line, column, .. } = answers.function().instruction(value).location;
    let block = answers.flow.home(value).unwrap_or_default();
    let always = found.first();
    ValueReport {
        value: value.to_string(),
        name: None,
        line,
        column,
        scope: always.map_or("none", |answer| answer.scope.name()),
        shape: always.map_or("generic", |answer| answer.shape.name()),
        taint: Taint::Programmatic.letter(),
        control_taint: answers.taints.control(block).letter(),
        answers: found.iter().map(AnswerReport::from).collect(),
        proved: None,
    }
}

fn branch_report(answers: &Answers, block: Block, value: Value) -> BranchReport {
    let Location { line, column, .. } = answers.function().instruction(value).location;
    let found = answers.branch(block);
    let name = |&(condition, scope): &(Condition, Scope)| ScopeReport {
        condition: condition.name(),
        scope: scope.name(),
    };
    BranchReport {
        block: block.to_string(),
        line,
        column,
        uniformity: found.first().map_or("none", |(_, scope)| scope.name()),
        answers: found.iter().map(name).collect(),
        taint: answers.taints.branch(block).letter(),
        control_taint: answers.taints.control(block).letter(),
        reconvergence: answers.flow.post.parent(block).map(|meet| meet.to_string()),
    }
}

fn barrier_report(answers: &Answers, barrier: &BarrierControl) -> BarrierReport {
    let Location { line, column, .. } = answers.function().instruction(barrier.at).location;
    let reasons = match barrier.is_legal() {
        true => Vec::new(),
        false => control_reasons(answers, barrier.question(), barrier.block),
    };
    BarrierReport {
        line,
        column,
        verdict: if barrier.is_legal() { "legal" } else { "divergent" },
        scope: barrier.control.first().map_or("none", |(_, scope)| scope.name()),
        reasons: reasons.into_iter().map(ReasonReport::from).collect(),
    }
}

/// The column at which the answers begin, in characters.
const COLUMN: usize = 48;

/// The kernel's instructions with the answers beside them, under their source lines; `source` gives
/// the text of a line. Text after `;` is a comment: the output can be read back as IR.
pub fn text(answers: &Answers, source: &dyn Fn(Location) -> Option<String>) -> String {
    let function = answers.function();
    let mut text = print::header(function);
    let mut line = (u32::MAX, 0);
    let proofs = proofs(answers.flow);
    for block in function.existing_blocks() {
        beside(&mut text, &format!("{block}:"), &block_answer(answers, block));
        for &value in function.instructions(block) {
            let location = function.instruction(value).location;
            let here = (location.file, location.line);
            if here != line && location.line != 0 {
                line = here;
                if let Some(source) = source(location) {
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "; {:>5} | {source}", location.line);
                }
            }
            let instruction = print::instruction(function, value);
            let answer = instruction_answer(answers, block, value, proofs.get(&value));
            beside(&mut text, &instruction, &answer);
        }
    }
    text.push_str("}\n");
    text
}

fn beside(text: &mut String, left: &str, answer: &str) {
    text.push_str(left);
    if !answer.is_empty() {
        let width = left.chars().count();
        let _ = write!(text, "{:1$} ; {answer}", "", COLUMN.saturating_sub(width));
    }
    text.push('\n');
}

fn block_answer(answers: &Answers, block: Block) -> String {
    if answers.flow.cycles.position(block).is_none() {
        return "cannot be reached".to_owned();
    }
    let taint = answers.taints.control(block).letter();
    format!("control {} {taint}", scopes(&answers.control(block)))
}

/// `none, block‡`.
pub fn scopes(found: &[(Condition, Scope)]) -> String {
    let each =
        |(condition, scope): &(Condition, Scope)| format!("{}{}", scope.name(), condition.mark());
    found.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// `none affine 4*tid.x, warp uniform‡`.
pub fn all(found: &[Answer]) -> String {
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn instruction_answer(
    answers: &Answers,
    block: Block,
    value: Value,
    proof: Option<&Proof>,
) -> String {
    let function: &Function = answers.function();
    let kind = function.kind(value);
    if answers.flow.cycles.position(block).is_none() {
        return String::new();
    }
    let own =
        |value| format!("{} {}", all(&answers.value(value)), answers.taints.value(value).letter());
    let used = |operand| {
        let taint = answers.taints.used(value, operand).letter();
        format!("{} {taint}", all(&answers.used(value, operand)))
    };
    let proof = proof.map_or(String::new(), |proof| format!("; {}", proof.text()));
    match kind.unguarded() {
        Kind::Constant(_) | Kind::Address(..) | Kind::Slot(_) | Kind::Parameter { .. } => {
            String::new()
        }
        Kind::Load(_, address) => format!("{}; at {}{proof}", own(value), used(*address)),
        Kind::Store(_, address, stored) => {
            format!("{}; at {}{proof}", used(*stored), used(*address))
        }
        Kind::Atomic(_, _, operands) => match operands.first() {
            Some(&address) => format!("{}; at {}", own(value), used(address)),
            None => own(value),
        },
        Kind::Branch(..) => {
            let taint = answers.taints.branch(block).letter();
            let meet = answers.flow.post.parent(block);
            let meet = meet.map_or("exit".to_owned(), |meet| meet.to_string());
            format!("branch {} {taint}; meets at {meet}", scopes(&answers.branch(block)))
        }
        _ => {
            let own = function.instruction(value).ty.map(|_| own(value));
            let verdict = answers.barrier(block, value).map(|barrier| verdict(&barrier));
            let both: Vec<String> = own.into_iter().chain(verdict).collect();
            both.join("; ")
        }
    }
}
