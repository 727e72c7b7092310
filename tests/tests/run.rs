//! Programs and their output: `data/run` ends as its comments state under every model, `data/trap`
//! is stopped as its comments state.

use crate::data::{Program, difference, each, programs, trimmed};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::sandbox::{Input, Sandbox};
use reconverge_simulator::load_machine;
use reconverge_tests::slice::Slice;
use std::path::Path;

const MACHINES: [&str; 3] = ["gtx480", "tiny", "fx5800"];
/// For programs that name no limit: far more than any needs.
const MAX_CYCLES: u64 = 50_000_000;

/// A folder of its own for the files that a run writes, and its input.
fn sandbox(program: &Program, folder: &str) -> Sandbox {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run").join(folder);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    let allowed = vec![directory.clone()];
    Sandbox {
        input: Input::Text(program.input().into_bytes()),
        directory,
        allowed,
        read_only: false,
        closed: None,
    }
}

/// The output of a run at the command line.
struct Seen {
    status: i32,
    output: String,
    errors: String,
}

fn run(program: &Program, model: ModelName, machine: &str) -> Result<Seen, String> {
    let folder = format!("{}-{}-{machine}", program.name, model.name());
    let machine = load_machine(machine, &[])?;
    let options = program.words("options").unwrap_or_default();
    let option = |name: &str| {
        let value = options.iter().skip_while(|word| *word != name).nth(1);
        value.map(|word| word.parse().unwrap())
    };
    let setup = Setup {
        max_cycles: Some(option("--max-cycles").unwrap_or(MAX_CYCLES)),
        max_operations: option("--max-operations"),
        max_output: option("--max-output"),
        verify_annotations: true,
        arguments: std::iter::once(program.name.clone())
            .chain(program.words("args").unwrap_or_default())
            .collect(),
        sandbox: sandbox(program, &folder),
        ..Setup::new(&machine, model)
    };
    let checked = program.check();
    if checked.has_errors() {
        return Err(format!("does not compile:\n{}", checked.render(false)));
    }
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| format!("is refused:\n{}", refused.render(false)))?;
    let mut errors = String::from_utf8_lossy(&errors).into_owned();
    errors += &execution.outcome.render(&checked.sources, false);
    let output = String::from_utf8_lossy(&output).into_owned();
    Ok(Seen { status: execution.outcome.status().into(), output, errors })
}

/// Complains when a run differs from the program's comments.
fn compare(program: &Program, model: ModelName, machine: &str) -> Result<(), String> {
    if !program.allows("machines", machine) || !program.allows("models", model.name()) {
        return Ok(());
    }
    let complain = |what: String| format!("{} ({}, {machine}): {what}", program.name, model.name());
    let seen = run(program, model, machine).map_err(complain)?;
    if !program.statuses().contains(&seen.status) {
        let what =
            format!("status {}, expected {:?}\n{}", seen.status, program.statuses(), seen.errors);
        return Err(complain(what));
    }
    if let Some(what) = difference(&program.output(), &trimmed(&seen.output)) {
        return Err(complain(what));
    }
    match program.all("err").into_iter().find(|text| !seen.errors.contains(text)) {
        Some(text) => Err(complain(format!("standard error lacks `{text}`:\n{}", seen.errors))),
        None => Ok(()),
    }
}

/// Each program on each of these machines.
fn every(folder: &str, model: ModelName, machines: &[&str]) {
    let programs = programs(folder);
    let pairs: Vec<_> = programs
        .iter()
        .flat_map(|program| machines.iter().map(move |machine| (program, *machine)))
        .collect();
    each(&pairs, |(program, machine)| compare(program, model, machine));
}

/// A program with the machine of its turn, of those that it allows.
fn in_turn(program: &Program, turn: usize) -> Option<(&Program, &'static str)> {
    let allowed = MACHINES.into_iter().filter(|machine| program.allows("machines", machine));
    let allowed = Vec::from_iter(allowed);
    Some((program, *allowed.get(turn % allowed.len().max(1))?))
}

/// Each program with time on one of the machines that it allows, which go round.
fn timed(folder: &str) {
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let mut programs = programs(folder);
    programs.retain(|program| slice.has(&program.name));
    let on = |(turn, program)| in_turn(program, turn);
    let pairs = Vec::from_iter(programs.iter().enumerate().filter_map(on));
    each(&pairs, |(program, machine)| compare(program, ModelName::Timing, machine));
}

#[test]
fn programs_under_the_reference_model() {
    every("run", ModelName::Reference, &MACHINES[..1]);
}

#[test]
fn programs_under_the_functional_model() {
    every("run", ModelName::Functional, &MACHINES);
}

#[test]
fn programs_under_the_timing_model() {
    timed("run");
}

#[test]
fn traps_under_the_reference_model() {
    every("trap", ModelName::Reference, &MACHINES[..1]);
}

#[test]
fn traps_under_the_functional_model() {
    every("trap", ModelName::Functional, &MACHINES);
}

#[test]
fn traps_under_the_timing_model() {
    timed("trap");
}
