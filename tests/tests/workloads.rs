//! The workloads at size `test`: each is in the catalogue with all that it says, passes, and is the same under the
//! functional and the timing model as in the interpreter, with every claim of the compiler checked.

use crate::data::{each, programs_in};
use reconverge::build::{self, Checked};
use reconverge::execute::ModelName::{Functional, Timing};
use reconverge::host::report::Outcome;
use reconverge::study::catalogue::Library;
use reconverge_tests::examples::{Beside, folder};
use reconverge_tests::matrix::complaint;
use reconverge_tests::oracle::{Case, Variant, run};
use reconverge_tests::slice::Slice;

#[test]
fn the_catalogue_is_complete() {
    let library = Library::built_in().expect("it can be read");
    let names: Vec<String> = programs_in(&folder().join("workloads"))
        .iter()
        .map(|program| program.name.trim_end_matches(".cu").to_owned())
        .collect();
    let known: Vec<String> = library.entries().keys().cloned().collect();
    assert_eq!(names, known);
    for (name, entry) in library.entries() {
        assert!(
            ![&entry.title, &entry.origin, &entry.pattern].iter().any(|text| text.is_empty()),
            "{name}"
        );
        assert!(!entry.sources.is_empty(), "{name}");
        for source in &entry.sources {
            let known = ["P3", "P4", "P5", "P6", "DAC", "BCC", "AVC", "book"];
            assert!(known.contains(&source.as_str()), "{name}: {source}");
        }
        for size in ["test", "small", "full"] {
            assert!(entry.size(size).is_ok(), "{name}: {size}");
        }
        assert!(
            entry.paper.is_some() != entry.paper_missing.is_some(),
            "{name}: paper or why there is none"
        );
        assert!(entry.file.is_none() && entry.inputs.is_empty(), "{name}");
    }
}

#[test]
fn workloads_agree_with_the_interpreter() {
    let library = Library::built_in().expect("it can be read");
    let slice = Slice::of(2).unwrap();
    println!("the timing model: {slice}");
    let names: Vec<&String> = library.entries().keys().collect();
    each(&names, |name| {
        let entry = library.entry(name).map_err(|why| why.to_string())?;
        let models = if slice.has(name) { &[Functional, Timing][..] } else { &[Functional] };
        let variants: Vec<_> = models.iter().map(|&model| Variant::new(model, "gtx480")).collect();
        if entry.forward_progress {
            return makes_progress(&library, name);
        }
        let (checked, arguments) = program(&library, name)?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let case = Case::program(checked, &arguments).map_err(|error| error.to_string())?;
        if !case.expected().output.contains("PASS") {
            return Err(format!("it does not pass:\n{}", case.expected().output));
        }
        if entry.schedule_dependent.is_none() {
            return case.compare(&variants).map_err(|failure| complaint(name, &failure));
        }
        for variant in &variants {
            let got = case.trace(variant)?;
            if got.output != case.expected().output {
                return Err(format!("{variant:?} prints\n{}", got.output));
            }
        }
        Ok(())
    });
}

/// A workload as its size `test` compiles it, and its arguments.
fn program(library: &Library, name: &str) -> Result<(Checked, Vec<String>), String> {
    let words =
        library.entry(name).and_then(|entry| entry.size("test")).map_err(|why| why.to_string())?;
    let (macros, arguments): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("-D"));
    let define = |word: &String| {
        let (name, value) = word[2..].split_once('=').unwrap_or((&word[2..], "1"));
        (name.to_owned(), value.to_owned())
    };
    let macros: Vec<(String, String)> = macros.iter().map(define).collect();
    let source = library.source(name).map_err(|why| why.to_string())?;
    let mut loader = Beside(folder().join("workloads"));
    let checked = build::check(&source.name, &source.text, &macros, &mut loader);
    Ok((checked, arguments))
}

/// Warps that spin are held back: fewer instructions are issued until the locks of Figure 3.5 and of a hash table are
/// released than where the greedy go first, and the programs end and pass under both. Without a delay a single lock
/// leaves so many slots idle that it does not matter who goes first.
#[test]
fn fewer_instructions_spin_where_spinning_warps_back_off() {
    let library = Library::built_in().expect("it can be read");
    each(&[("spin_lock", ["4", "64"]), ("bucket_locks", ["512", "8"])], |(name, arguments)| {
        let (checked, _) = program(&library, name)?;
        let issued = |scheduler: &str| {
            let variant = Variant::new(Timing, "gtx480")
                .set("divergence", "convergence-barrier")
                .set("scheduler", scheduler)
                .set("spin-backoff.delay", "100")
                .convergence_barriers();
            let trace = run(&checked, &variant, arguments)?;
            if !trace.output.contains("PASS") {
                return Err(format!("under {scheduler} it does not pass:\n{}", trace.output));
            }
            let counted = trace.launches.iter().filter_map(|launch| launch.statistics.as_ref());
            Ok(counted.map(|statistics| statistics.warp_instructions).sum::<u64>())
        };
        let (greedy, backing_off) = (issued("greedy-then-oldest")?, issued("spin-backoff")?);
        println!("{name}: {greedy} instructions, {backing_off} where spinning warps back off");
        match backing_off < greedy {
            true => Ok(()),
            false => Err(format!("{backing_off} instructions are issued, {greedy} by the greedy")),
        }
    });
}

/// A program that spins on locks passes where lanes are independent, and is reported as a deadlock
/// under a stack. The interpreter, which runs a thread to its end, would spin forever.
fn makes_progress(library: &Library, name: &str) -> Result<(), String> {
    let (checked, arguments) = program(library, name)?;
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for model in [Functional, Timing] {
        let stack = Variant::new(model, "gtx480");
        let independent =
            stack.clone().set("divergence", "convergence-barrier").convergence_barriers();
        let passed = run(&checked, &independent, &arguments)?;
        if !passed.output.contains("PASS") {
            return Err(format!("it does not pass:\n{}", passed.output));
        }
        let outcome = run(&checked, &stack, &arguments)?.outcome;
        if !matches!(outcome, Outcome::Deadlock(_)) {
            return Err(format!("under a stack it ends with {outcome:?}"));
        }
    }
    Ok(())
}
