//! The analyses as a layer over the source: what is known of each word that kernels compute, branch or access memory with.

use reconverge_compiler::analysis::access::with_names;
use reconverge_compiler::analysis::answers::{Answer, Shape};
use reconverge_compiler::analysis::taint::Taint;
use reconverge_compiler::analysis::{Answers, Condition, Flow, Scope};
use reconverge_compiler::ir::{Block, Function, Kind, Value};
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
    /// How it differs from thread to thread: `uniform` in a warp at least, `affine`, `condition` on affine values, or `divergent`.
    class: &'static str,
    /// `P`, depends on parameters and indices only, or `D`, on data in memory.
    taint: char,
    /// The same in words.
    text: String,
}

/// The marks of a kernel on the file that is edited, in the order of the source.
pub fn of_kernel(function: &Function, lowered: &Lowered, sources: &SourceMap) -> Vec<Mark> {
    let Some(file) = main_file(lowered, sources) else {
        return Vec::new();
    };
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    let mut found: BTreeMap<(u32, u32), (u8, Mark)> = BTreeMap::new();
    for (block, value) in flow.values() {
        let location = function.instruction(value).location;
        if location.file != 0 || location.line == 0 {
            continue;
        }
        let Some((rank, mark)) = known(&answers, block, value) else {
            continue;
        };
        let Some(span) = sources.token_at(file, location.line, location.column) else {
            continue;
        };
        let length = sources.slice(span).chars().count() as u32;
        let mark = Mark { line: location.line, column: location.column, length, ..mark };
        // The last instruction of a token is the whole of what the token stands for; a branch or an access says more.
        let place = (location.line, location.column);
        match found.get(&place) {
            Some((other, _)) if *other > rank => {}
            _ => {
                found.insert(place, (rank, mark));
            }
        }
    }
    found.into_values().map(|(_, mark)| mark).collect()
}

/// The file that is edited: the first of the program's.
fn main_file(lowered: &Lowered, sources: &SourceMap) -> Option<FileId> {
    let name = lowered.program.files.first()?;
    sources.files().find(|&file| sources.name(file) == name)
}

/// The result for an instruction, and its weight for the token; `None` if there is none.
fn known(answers: &Answers, block: Block, value: Value) -> Option<(u8, Mark)> {
    let function = answers.function();
    let instruction = function.instruction(value);
    let mark = |what, class, taint: Taint, text| Mark {
        line: 0,
        column: 0,
        length: 0,
        what,
        class,
        taint: taint.letter(),
        text,
    };
    let of = |what, found: &[Answer], taint| {
        let class = found.first().map_or("divergent", class);
        let sentences: Vec<String> = found.iter().map(Answer::sentence).collect();
        mark(what, class, taint, with_names(function, &sentences.join("; ")))
    };
    let address = match &instruction.kind {
        Kind::Branch(..) => {
            let scope = answers.convergence(Condition::Always).branch(block);
            let (class, text) = match scope {
                Scope::None => ("divergent", "may diverge within a warp".to_owned()),
                scope => ("uniform", format!("uniform in the {}", scope.name())),
            };
            return Some((3, mark("branch", class, answers.taints.branch(block), text)));
        }
        Kind::Load(_, address) | Kind::Store(_, address, _) => Some(*address),
        Kind::Atomic(_, _, operands) => operands.first().copied(),
        Kind::Special(..) => None,
        kind if kind.is_leaf() => return None,
        _ => None,
    };
    if let Some(address) = address {
        let taint = answers.taints.used(value, address);
        return Some((2, of("address", &answers.used(value, address), taint)));
    }
    instruction
        .ty
        .is_some()
        .then(|| (1, of("value", &answers.value(value), answers.taints.value(value))))
}

/// The word for an answer.
fn class(answer: &Answer) -> &'static str {
    match (answer.shape, answer.scope) {
        (Shape::Uniform, _) => "uniform",
        (Shape::Affine(_), _) => "affine",
        (_, Scope::Warp | Scope::Block | Scope::Grid) => "uniform",
        (Shape::Predicate, _) => "condition",
        (Shape::Generic, _) => "divergent",
    }
}
