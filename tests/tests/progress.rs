//! Programs in which threads of a warp wait for each other. Under each divergence scheme a program completes, is stopped
//! as a deadlock (never a hang), ends with another output, or traps, because it counts on more than the scheme gives:
//! `tests/data/progress.toml`. The machine is `gtx480` with the settings `set` of the program's head. Outcomes are the same
//! with and without convergence barriers, and under decoupled affine computation.

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

/// The outcomes of programs by divergence scheme.
struct Outcomes(toml::Table);

impl Outcomes {
    fn read() -> Outcomes {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/progress.toml");
        Outcomes(std::fs::read_to_string(path).unwrap().parse().unwrap())
    }

    /// The outcome of a program under a scheme.
    fn of(&self, program: &str, scheme: &str) -> Option<&str> {
        let own = self.0.get(scheme).and_then(toml::Value::as_table);
        let names = |programs: &toml::Value| {
            programs.as_array().is_some_and(|it| it.iter().any(|it| it.as_str() == Some(program)))
        };
        let named = own.and_then(|own| own.iter().find(|(_, programs)| names(programs)));
        if let Some((outcome, _)) = named {
            return Some(outcome);
        }
        let like = match own {
            Some(own) => own.get("like")?.as_str()?,
            None if capabilities(scheme)?.independent_progress => "convergence-barrier",
            None => "simt-stack",
        };
        self.of(program, like)
    }
}

#[test]
fn outcomes_are_of_programs_and_schemes() {
    let Outcomes(all) = Outcomes::read();
    for (scheme, own) in all {
        assert!(capabilities(&scheme).is_some(), "there is no scheme `{scheme}`");
        for (outcome, programs) in own.as_table().expect("a table") {
            let known = ["completes", "deadlock", "breaks", "traps", "like"];
            assert!(known.contains(&outcome.as_str()), "`{scheme}` has a key `{outcome}`");
            for program in programs.as_array().into_iter().flatten() {
                let file = format!("progress/{}.cu", program.as_str().expect("a name"));
                assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&file).exists(), "{file}");
            }
        }
    }
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

fn outcome(case: &Case, scheme: &str, variant: Variant, outcomes: &Outcomes) -> Result<(), String> {
    let Case { name, text, compiled } = case;
    let sets = words(text, "set").into_iter().filter_map(|set| set.split_once('='));
    let variant = sets.fold(variant, |variant, (key, value)| variant.set(key, value));
    let variant = variant.set("divergence", scheme);
    let label = format!("{name}: {variant:?}");
    let trace = compiled.run(&variant, &[]).map_err(|error| format!("{label}: {error}"))?;
    let said = trace.outcome.render(&compiled.checked.sources, false);
    let ends = trace.outcome == Outcome::Exit(0);
    let out = lines(text, "out").eq(trace.output.lines());
    let program = name.trim_end_matches(".cu");
    let expected = match outcomes.of(program, scheme) {
        Some("completes") => ends && out,
        Some("deadlock") => {
            let names = lines(text, "names").all(|line| said.contains(line));
            matches!(trace.outcome, Outcome::Deadlock(_)) && names
        }
        Some("breaks") => ends && !out,
        Some("traps") => matches!(trace.outcome, Outcome::Trap(_)),
        _ => {
            return Err(format!(
                "tests/data/progress.toml does not say how {name} ends under {scheme}"
            ));
        }
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
    let outcomes = Outcomes::read();
    for scheme in reconverge_simulator::mechanisms::divergence::list::MECHANISMS.all() {
        let independent = capabilities(scheme.name).is_some_and(|can| can.independent_progress);
        let completes = outcomes.of("spin_lock", scheme.name) == Some("completes");
        assert_eq!(independent, completes, "{}", scheme.name);
    }
}

#[test]
fn progress_is_as_stated() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("progress");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    let files: Vec<Case> = files.iter().map(|path| Case::read(path)).collect();
    let outcomes = Outcomes::read();
    let schemes = reconverge_simulator::mechanisms::divergence::list::MECHANISMS.all();
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
    // Nor does it matter if paths of a warp switch before they wait.
    let switched = ways.clone().map(|way| way.set("convergence-barrier.switch", "long-latency"));
    let switches = files
        .iter()
        .flat_map(|file| switched.iter().map(move |way| (file, "convergence-barrier", way)));
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let is_chosen = |(case, scheme, way): &(&Case, &str, &Variant)| {
        slice.has(&format!("{} {scheme} {way:?}", case.name))
    };
    let cases: Vec<_> = cases.chain(beside).chain(switches).filter(is_chosen).collect();
    each(&cases, |(file, scheme, way)| outcome(file, scheme, (*way).clone(), &outcomes));
}
