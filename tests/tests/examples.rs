//! Every example, at a small size, under every model, machine and scheduler: the output and the
//! memory after each launch are the interpreter's.

mod data;

use data::{each, examples};
use reconverge::build;
use reconverge::execute::ModelName::Timing;
use reconverge::host::report::Outcome;
use reconverge_tests::oracle::{NoFiles, Trace, Variant, difference, machines_and_schedulers, run};

/// Odd sizes, so that the last block is not full.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("bfs", &["300", "4"]),
    ("bitonic", &["512"]),
    ("histogram", &["5000"]),
    ("mandelbrot", &["37", "21", "50"]),
    ("matmul_naive", &["33"]),
    ("matmul_tiled", &["20", "35", "17"]),
    ("nested_branch", &["500", "20"]),
    ("reduction", &["3001"]),
    ("saxpy", &["1000"]),
    ("spmv", &["150", "90"]),
    ("stencil2d", &["33", "19", "3"]),
    ("transpose", &["45", "38"]),
];

fn example(name: &str, arguments: &[&str], variant: &Variant) -> Result<Trace, String> {
    let program = examples().into_iter().find(|program| program.name == format!("{name}.cu"));
    let program = program.ok_or_else(|| format!("there is no {name}"))?;
    let checked = build::check(name, &program.text, &[], &mut NoFiles);
    if checked.has_errors() {
        return Err(checked.render(false));
    }
    let trace = run(&checked, variant, arguments)?;
    match trace.outcome == Outcome::Exit(0) && trace.output.contains("PASS") {
        true => Ok(trace),
        false => Err(format!("{name}: {variant:?}: {:?}\n{}", trace.outcome, trace.output)),
    }
}

#[test]
fn every_example_has_its_small_size() {
    let names: Vec<_> = ARGUMENTS.iter().map(|(name, _)| format!("{name}.cu")).collect();
    let files: Vec<_> = examples().into_iter().map(|program| program.name).collect();
    assert_eq!(names, files);
}

#[test]
fn examples_agree_with_the_interpreter() {
    let variants = machines_and_schedulers();
    each(ARGUMENTS, |(name, arguments)| {
        let expected = example(name, arguments, &Variant::reference())?;
        assert!(!expected.launches.is_empty(), "{name} launches nothing");
        for variant in &variants {
            let got = example(name, arguments, variant)?;
            if let Some(difference) = difference(&expected, &got) {
                return Err(format!("{name}: {variant:?}: {difference}"));
            }
        }
        Ok(())
    });
}

#[test]
fn timing_is_the_same_each_time() {
    let variant = Variant::new(Timing, "gtx480");
    each(ARGUMENTS, |(name, arguments)| {
        let once = example(name, arguments, &variant)?;
        let again = example(name, arguments, &variant)?;
        match once == again {
            true => Ok(()),
            false => Err(format!("{name}: two runs are not measured alike")),
        }
    });
}
