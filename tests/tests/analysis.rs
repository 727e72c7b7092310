//! What the analyses answer, line by line: `//= ` after a store says what the stored value is, after
//! an `if` or a loop what its branches are, after a barrier what the verdict on it is.

mod data;

use data::{Program, each, programs};
use reconverge::build;
use reconverge_compiler::analysis::{Answers, Flow, report};
use reconverge_compiler::ir::{self, Function, Kind};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass;
use std::collections::BTreeMap;

const MARK: &str = "//= ";

/// By line, what is known of its stores, branches and barriers, in order.
fn answers(function: &Function) -> BTreeMap<u32, Vec<String>> {
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    let mut found: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for (block, value) in flow.values() {
        let text = match *function.kind(value) {
            Kind::Store(_, _, stored) => {
                let taint = answers.taints.used(value, stored).letter();
                format!("{} {taint}", report::all(&answers.used(value, stored)))
            }
            Kind::Branch(..) => {
                let taint = answers.taints.branch(block).letter();
                format!("branch {} {taint}", report::scopes(&answers.branch(block)))
            }
            Kind::Collective(..) => match answers.barrier(block, value) {
                Some(barrier) => report::verdict(&barrier),
                None => continue,
            },
            _ => continue,
        };
        found.entry(function.instruction(value).location.line).or_default().push(text);
    }
    found
}

fn compare(program: &Program) -> Result<(), String> {
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
    // As it was written: other passes may move and merge what a line does.
    let others = pass::PASSES.iter().filter(|pass| pass.name != "copy");
    let disabled = others.map(|pass| pass.name.to_owned()).collect();
    let options = Options { disabled, ..Options::default() };
    let lowered = checked.lower(&options).map_err(|error| error.render(false))?;
    let found: BTreeMap<u32, Vec<String>> = lowered.ir.iter().flat_map(answers).collect();
    let marked = (1..)
        .zip(program.text.lines())
        .filter_map(|(number, line)| line.split_once(MARK).map(|(_, expected)| (number, expected)));
    let mut complaints = Vec::new();
    for (line, expected) in marked {
        let got = found.get(&line).map_or(String::new(), |all| all.join(" / "));
        if got != expected {
            complaints.push(format!("{}:{line}: expected `{expected}`, got `{got}`", program.name));
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

#[test]
fn every_line_is_answered_right() {
    each(&programs("analysis"), compare);
}

/// Control flow that source text cannot have: the answers beside the instructions are golden.
#[test]
fn every_instruction_is_answered_right() {
    let text = include_str!("../data/analysis/jump_into_loop.ir");
    let module = ir::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
    let kernels = module.functions.iter().map(|function| {
        let flow = Flow::new(function);
        report::text(&Answers::new(&flow), &|_| None)
    });
    insta::assert_snapshot!("jump_into_loop@analysis", kernels.collect::<String>());
}
