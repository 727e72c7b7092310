//! The answers of the analyses, line by line: `//= ` after a store says what the stored value is, after
//! an `if` or a loop what its branches are, after a barrier what the verdict on it is.

use crate::data::{Program, each, programs};
use reconverge::build;
use reconverge_compiler::analysis::{Answers, Flow, report};
use reconverge_compiler::ir::{self, Function, Kind};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::{self, Level};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const MARK: &str = "//= ";

/// The facts about stores, branches and barriers, by line and in order.
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
    // As written: other passes may move and merge the instructions of a line.
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

/// W0501 is where it is marked, whatever has been optimised.
#[test]
fn warnings_are_where_they_are_marked() {
    const WARNED: &str = "//~";
    let all = programs("analysis");
    let program = all.iter().find(|program| program.name == "warnings.cu").unwrap();
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
    let expected: BTreeSet<u32> = (1..)
        .zip(program.text.lines())
        .filter(|(_, line)| line.trim_end().ends_with(WARNED))
        .map(|(number, _)| number)
        .collect();
    for (level, digit) in Level::ALL {
        let options = Options { level, ..Options::default() };
        let lowered =
            checked.lower(&options).unwrap_or_else(|error| panic!("{}", error.render(false)));
        let text = build::warnings(&lowered, &checked.sources, false);
        let at = text.lines().filter_map(|line| line.split_once("warnings.cu:"));
        let lines = at.filter_map(|(_, place)| place.split(':').next()?.parse().ok());
        assert_eq!(lines.collect::<BTreeSet<u32>>(), expected, "-O{digit}: {text}");
    }
}

/// Control flow that source text cannot have: the text after `;= ` is the analysis's answer for the
/// instruction.
#[test]
fn every_instruction_is_answered_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/analysis");
    let mut paths: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ir"));
    paths.sort();
    assert!(!paths.is_empty());
    let complaints: Vec<String> = paths.iter().flat_map(|path| marked(path)).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The lines of a text whose answer differs from the mark.
fn marked(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let module = ir::parse::parse(&text).unwrap_or_else(|error| panic!("{path:?}: {error:?}"));
    let mut found: BTreeMap<(usize, String), String> = BTreeMap::new();
    for (kernel, function) in module.functions.iter().enumerate() {
        let flow = Flow::new(function);
        for line in report::text(&Answers::new(&flow), &|_| None).lines() {
            let (left, answer) = line.split_once(';').unwrap_or((line, ""));
            found.insert((kernel, left.trim().to_owned()), answer.trim().to_owned());
        }
    }
    let mut kernel = 0;
    let mut complaints = Vec::new();
    for line in text.lines() {
        kernel += usize::from(line.starts_with('}'));
        let Some((left, expected)) = line.split_once(";= ") else { continue };
        let got = found.get(&(kernel, left.trim().to_owned())).map_or("nothing", String::as_str);
        if got != expected {
            complaints
                .push(format!("{path:?}: `{}`: expected `{expected}`, got `{got}`", left.trim()));
        }
    }
    complaints
}
