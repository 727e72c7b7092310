//! Every example, at a small size, under every model, machine and scheduler: the output and the
//! memory after each launch are the interpreter's.

mod data;

use data::{Program, divergent, each, examples};
use reconverge::build;
use reconverge::execute::ModelName::Functional;
use reconverge::execute::ModelName::Timing;
use reconverge::host::report::Outcome;
use reconverge_simulator::divergence;
use reconverge_tests::oracle::{Trace, Variant, difference, machines_and_schedulers, run};

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

/// Those of `examples/divergence`.
const DIVERGENT: &[(&str, &[&str])] = &[
    ("back_propagation", &["40"]),
    ("binary_search", &["300", "100"]),
    ("bitonic_block", &["1"]),
    ("breadth_first", &["300", "4"]),
    ("classes", &["500"]),
    ("collatz", &["300"]),
    ("insertion_sort", &["200"]),
    ("interpreter", &["150", "30"]),
    ("julia", &["37", "21", "20"]),
    ("one_side", &["400", "4"]),
    ("queens", &["5"]),
    ("ray_trace", &["19", "13"]),
    ("sorting_network", &["2"]),
    ("string_match", &["700"]),
    ("triangular", &["2"]),
    ("two_sides", &["400", "6"]),
];

fn example(
    programs: &[Program],
    name: &str,
    arguments: &[&str],
    variant: &Variant,
) -> Result<Trace, String> {
    let program = programs.iter().find(|program| program.name == format!("{name}.cu"));
    let program = program.ok_or_else(|| format!("there is no {name}"))?;
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
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
    for (arguments, programs) in [(ARGUMENTS, examples()), (DIVERGENT, divergent())] {
        let names: Vec<_> = arguments.iter().map(|(name, _)| format!("{name}.cu")).collect();
        let files: Vec<_> = programs.into_iter().map(|program| program.name).collect();
        assert_eq!(names, files);
    }
}

/// Holds every program under every variant against the interpreter.
fn agree(programs: &[Program], sizes: &[(&str, &[&str])], variants: &[Variant]) {
    each(sizes, |(name, arguments)| {
        let expected = example(programs, name, arguments, &Variant::reference())?;
        assert!(!expected.launches.is_empty(), "{name} launches nothing");
        for variant in variants {
            let got = example(programs, name, arguments, variant)?;
            if let Some(difference) = difference(&expected, &got) {
                return Err(format!("{name}: {variant:?}: {difference}"));
            }
        }
        Ok(())
    });
}

#[test]
fn examples_agree_with_the_interpreter() {
    agree(&examples(), ARGUMENTS, &machines_and_schedulers());
}

/// Under every divergence scheme too.
#[test]
fn divergent_programs_agree_with_the_interpreter() {
    let mut variants = machines_and_schedulers();
    for scheme in divergence::MECHANISMS {
        let models = [(Functional, "gtx480"), (Timing, "gtx480"), (Timing, "fx5800")];
        let on = |(model, machine)| Variant::new(model, machine).set("divergence", scheme.name);
        variants.extend(models.map(on));
    }
    agree(&divergent(), DIVERGENT, &variants);
}

/// With kernels taken apart into two streams, in all room that there is for warps and in less, with queues that
/// are soon full and with long ones. With 47 warps, and with long queues, blocks have ended before the
/// expansion unit had seen that it was through with them, which was taken for streams that disagree.
#[test]
fn both_streams_agree_with_the_interpreter() {
    let on = |model, machine| {
        Variant::new(model, machine).set("affine", "decoupled").set("decoupled.kernels", "all")
    };
    let queues = |addresses: &str, tuples: &str| {
        let variant = on(Timing, "gtx480").set("decoupled.address-queue", addresses);
        variant.set("decoupled.tuple-queue", tuples)
    };
    let variants = [
        on(Functional, "gtx480"),
        on(Timing, "gtx480"),
        on(Timing, "gtx480").set("sm.warps", "47"),
        on(Timing, "gtx480").set("decoupled.batch", "drained").set("l1.hash", "xor"),
        on(Timing, "fx5800").set("divergence", "dual-path"),
        queues("1", "1"),
        queues("32", "64"),
    ];
    agree(&examples(), ARGUMENTS, &variants);
    agree(&divergent(), DIVERGENT, &variants);
}

#[test]
fn timing_is_the_same_each_time() {
    let variant = Variant::new(Timing, "gtx480");
    for (sizes, programs) in [(ARGUMENTS, examples()), (DIVERGENT, divergent())] {
        each(sizes, |(name, arguments)| {
            let once = example(&programs, name, arguments, &variant)?;
            let again = example(&programs, name, arguments, &variant)?;
            match once == again {
                true => Ok(()),
                false => Err(format!("{name}: two runs are not measured alike")),
            }
        });
    }
}
