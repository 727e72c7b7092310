//! Programs in which threads of a warp wait for each other: `progress` says of each under which
//! divergence schemes it completes, and under which it is a deadlock, which is reported and never a
//! hang; or under which it ends with another output, or in a trap, because it counts on more than a scheme gives.
//! Every scheme is in one of the lists, with its options as they are, on `gtx480` with what `set` changes; it is the same whether programs
//! have convergence barriers, and under decoupled affine computation.

use crate::data::each;
use reconverge::execute::ModelName;
use reconverge::host::report::Outcome;
use reconverge_simulator::mechanisms::divergence::list::capabilities;
use reconverge_tests::oracle::{Compiled, Variant, check};
use reconverge_tests::slice::Slice;
use std::path::Path;

/// The rest of each line of a comment's key.
fn lines<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let found = text.lines().filter_map(move |line| line.strip_prefix("// ")?.strip_prefix(key));
    found.map(|rest| rest.trim_start_matches(": "))
}

/// The words after a comment's key.
fn words<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    lines(text, key).flat_map(str::split_whitespace).collect()
}

/// A program, which is compiled once for all runs that share a build.
struct Case {
    name: String,
    text: String,
    compiled: Compiled,
}

impl Case {
    fn read(path: &Path) -> Case {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("the program is there");
        let checked = check(&name, &text);
        assert!(!checked.has_errors(), "{}", checked.render(false));
        Case { name, text, compiled: Compiled::new(checked) }
    }
}

fn outcome(case: &Case, scheme: &str, variant: Variant) -> Result<(), String> {
    let Case { name, text, compiled } = case;
    let sets = words(text, "set").into_iter().filter_map(|set| set.split_once('='));
    let variant = sets.fold(variant, |variant, (key, value)| variant.set(key, value));
    let variant = variant.set("divergence", scheme);
    let label = format!("{name}: {variant:?}");
    let trace = compiled.run(&variant, &[]).map_err(|error| format!("{label}: {error}"))?;
    let said = trace.outcome.render(&compiled.checked.sources, false);
    let is_in = |list| words(text, list).contains(&scheme);
    let ends = trace.outcome == Outcome::Exit(0);
    let out = lines(text, "out").eq(trace.output.lines());
    let lists = ["completes", "deadlock", "breaks", "traps"].map(is_in);
    let expected = match lists {
        [true, false, false, false] => ends && out,
        [false, true, false, false] => {
            let names = lines(text, "names").all(|line| said.contains(line));
            matches!(trace.outcome, Outcome::Deadlock(_)) && names
        }
        [false, false, true, false] => ends && !out,
        [false, false, false, true] => matches!(trace.outcome, Outcome::Trap(_)),
        _ => return Err(format!("{name} does not say what becomes of it under {scheme}")),
    };
    if expected {
        Ok(())
    } else {
        Err(format!("{label}: {:?}\n{}{said}", trace.outcome, trace.output))
    }
}

/// A deadlock advises schemes that let a spin lock within a warp end: those are the ones under
/// which it does.
#[test]
fn schemes_that_progress_independently_run_a_spin_lock() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("progress/spin_lock.cu");
    let text = std::fs::read_to_string(path).expect("the program is there");
    let mut complete = words(&text, "completes");
    let schemes = reconverge_simulator::mechanisms::divergence::list::MECHANISMS
        .iter()
        .map(|scheme| scheme.name);
    let mut independent: Vec<&str> = schemes
        .filter(|name| capabilities(name).is_some_and(|can| can.independent_progress))
        .collect();
    complete.sort_unstable();
    independent.sort_unstable();
    assert_eq!(independent, complete);
}

#[test]
fn progress_is_as_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("progress");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let files: Vec<Case> = files.iter().map(|path| Case::read(path)).collect();
    let schemes = reconverge_simulator::mechanisms::divergence::list::MECHANISMS;
    let models = [ModelName::Functional, ModelName::Timing];
    let models = models.map(|model| Variant::new(model, "gtx480"));
    let [functional, timing] = models.clone().map(Variant::convergence_barriers);
    let [first, second] = models;
    let ways = [first, second, functional, timing];
    let cases = files.iter().flat_map(|file| schemes.iter().map(move |scheme| (file, scheme.name)));
    let cases = cases.flat_map(|(file, name)| ways.iter().map(move |way| (file, name, way)));
    // Queues between two streams change nothing of it.
    let decoupled =
        ways.clone().map(|way| way.set("affine", "decoupled").set("decoupled.kernels", "all"));
    let beside = files.iter().flat_map(|file| ["simt-stack", "dual-path"].map(|name| (file, name)));
    let beside = beside.flat_map(|(file, name)| decoupled.iter().map(move |way| (file, name, way)));
    let slice = Slice::of(2).unwrap();
    println!("{slice}");
    let is_chosen = |(case, scheme, way): &(&Case, &str, &Variant)| {
        slice.has(&format!("{} {scheme} {way:?}", case.name))
    };
    let cases: Vec<_> = cases.chain(beside).filter(is_chosen).collect();
    each(&cases, |(file, scheme, way)| outcome(file, scheme, (*way).clone()));
}
