//! The analyses as a layer over the source: the facts about each word with which kernels compute,
//! branch or access memory.

use reconverge::meaning::{Meaning, assigned, meaning};
use reconverge_compiler::analysis::access::with_names;
use reconverge_compiler::analysis::answers::{Answer, Shape};
use reconverge_compiler::analysis::taint::Taint;
use reconverge_compiler::analysis::{Answers, Condition, Flow, Scope};
use reconverge_compiler::ir::{Block, Function, Kind, Location, Value};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::{FileId, SourceMap};
use serde::Serialize;
use std::collections::BTreeMap;

/// The results for a word of the source.
#[derive(Serialize, Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its line and column, from 1, the column in characters.
    line: u32,
    column: u32,
    /// Its characters.
    length: u32,
    /// Its kind: `branch`, `address` or `value`.
    what: &'static str,
    /// The variation from thread to thread: `uniform` in a warp at least, `affine`, `condition` on
    /// affine values, or `divergent`.
    class: &'static str,
    /// `P`, depends on parameters and indices only, or `D`, on data in memory.
    taint: char,
    /// The variation in words.
    text: String,
}

/// The marks of a kernel on the file that is edited, in the order of the source.
pub fn of_kernel(function: &Function, lowered: &Lowered, sources: &SourceMap) -> Vec<Mark> {
    let Some(file) = main_file(lowered, sources) else {
        return Vec::new();
    };
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    let mut blocks: BTreeMap<Value, Block> = BTreeMap::new();
    let mut words: BTreeMap<(u32, u32), Vec<Value>> = BTreeMap::new();
    let mut found: BTreeMap<(u32, u32), Mark> = BTreeMap::new();
    for (block, value) in flow.values() {
        let instruction = function.instruction(value);
        let Location { file: number, line, column } = instruction.location;
        if number != 0 || line == 0 || is_silent(&instruction.kind) {
            continue;
        }
        blocks.insert(value, block);
        words.entry((line, column)).or_default().push(value);
        // A variable is marked where the line assigns to it.
        let (Some(name), Some(mark)) = (&instruction.variable, of_value(&answers, value)) else {
            continue;
        };
        let text = sources.line_text(file, line);
        if let Some(at) = assigned(text, name) {
            let column = text[..at].chars().count() as u32 + 1;
            let length = name.chars().count() as u32;
            found.insert((line, column), Mark { line, column, length, ..mark });
        }
    }
    for ((line, column), values) in words {
        let Some(word) = sources.token_at(file, line, column) else {
            continue;
        };
        let mark = match meaning(&answers, sources, word, &values) {
            Some(Meaning::Whole(value)) => {
                blocks.get(&value).and_then(|&it| known(&answers, it, value))
            }
            Some(Meaning::Operand(user, operand)) => Some(of_operand(&answers, user, operand)),
            None => None,
        };
        if let Some(mark) = mark {
            let length = sources.slice(word).chars().count() as u32;
            found.insert((line, column), Mark { line, column, length, ..mark });
        }
    }
    found.into_values().collect()
}

/// Returns true if an instruction of this kind gets no mark.
fn is_silent(kind: &Kind) -> bool {
    kind.is_leaf() && !matches!(kind, Kind::Special(_))
}

/// The file that is edited: the first of the program's.
fn main_file(lowered: &Lowered, sources: &SourceMap) -> Option<FileId> {
    let name = lowered.program.files.first()?;
    sources.files().find(|&file| sources.name(file) == name)
}

/// The mark of an instruction, if it gets one.
fn known(answers: &Answers, block: Block, value: Value) -> Option<Mark> {
    let kind = &answers.function().instruction(value).kind;
    let address = match kind {
        Kind::Branch(..) => {
            let scope = answers.convergence(Condition::Always).branch(block);
            let (class, text) = match scope {
                Scope::None => ("divergent", "may diverge within a warp".to_owned()),
                scope => ("uniform", format!("uniform in the {}", scope.name())),
            };
            return Some(mark("branch", class, answers.taints.branch(block), text));
        }
        kind => kind.address(),
    };
    match address {
        Some(address) => Some(Mark { what: "address", ..of_operand(answers, value, address) }),
        None => of_value(answers, value),
    }
}

/// The mark of an instruction's result, if it has one.
fn of_value(answers: &Answers, value: Value) -> Option<Mark> {
    answers.function().instruction(value).ty?;
    Some(said(answers, &answers.value(value), answers.taints.value(value)))
}

/// The mark of an operand where an instruction reads it.
fn of_operand(answers: &Answers, user: Value, operand: Value) -> Mark {
    said(answers, &answers.used(user, operand), answers.taints.used(user, operand))
}

fn said(answers: &Answers, found: &[Answer], taint: Taint) -> Mark {
    let class = found.first().map_or("divergent", class);
    let sentences: Vec<String> = found.iter().map(Answer::sentence).collect();
    mark("value", class, taint, with_names(answers.function(), &sentences.join("; ")))
}

/// A mark whose place is still to be said.
fn mark(what: &'static str, class: &'static str, taint: Taint, text: String) -> Mark {
    Mark { line: 0, column: 0, length: 0, what, class, taint: taint.letter(), text }
}

/// The word for an answer.
fn class(answer: &Answer) -> &'static str {
    match (answer.shape, answer.scope) {
        (Shape::Uniform, _) | (_, Scope::Warp | Scope::Block | Scope::Grid) => "uniform",
        (Shape::Affine(_), _) => "affine",
        (Shape::Predicate, _) => "condition",
        (Shape::Generic, _) => "divergent",
    }
}
