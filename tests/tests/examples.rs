//! Every example, at a small size, under every model, on every machine and under every scheduler, which go round: the output
//! and the memory after each launch are the interpreter's. A commit runs a third of them; `.ci/full slices` all, and
//! `--bin matrix` every scheduler on every machine.

use crate::data::{divergent, each, examples};
use reconverge::execute::ModelName::Functional;
use reconverge::execute::ModelName::Timing;
use reconverge_simulator::mechanisms::divergence;
use reconverge_tests::examples::{DIVERGENT, EXAMPLES, case};
use reconverge_tests::matrix::{complaint, programs};
use reconverge_tests::oracle::{Variant, machines_and_schedulers};
use reconverge_tests::slice::Slice;

#[test]
fn every_example_has_its_small_size() {
    for (known, programs) in [(EXAMPLES, examples()), (DIVERGENT, divergent())] {
        let names = known.iter().map(|(path, _)| path.trim_start_matches("divergence/"));
        let names: Vec<_> = names.map(|name| format!("{name}.cu")).collect();
        let files: Vec<_> = programs.into_iter().map(|program| program.name).collect();
        assert_eq!(names, files);
    }
}

/// Holds programs under the variants of their turns against the interpreter.
fn agree<'a>(
    paths: impl Iterator<Item = &'a str>,
    variants: impl Fn(usize) -> Vec<Variant> + Sync,
) {
    let slice = Slice::of(3).unwrap();
    println!("{slice}");
    let chosen = paths.enumerate().filter(|(_, path)| slice.has(path));
    each(&Vec::from_iter(chosen), |(turn, path)| {
        let case = case(path).map_err(|error| error.to_string())?;
        case.compare(&variants(*turn)).map_err(|failure| complaint(path, &failure))
    });
}

#[test]
fn examples_agree_with_the_interpreter() {
    agree(EXAMPLES.iter().map(|(path, _)| *path), machines_and_schedulers);
}

/// Under every divergence scheme too.
#[test]
fn divergent_programs_agree_with_the_interpreter() {
    let variants = |turn| {
        let mut variants = machines_and_schedulers(turn);
        for scheme in divergence::list::MECHANISMS.all() {
            let models = [(Functional, "gtx480"), (Timing, "gtx480"), (Timing, "fx5800")];
            let on = |(model, machine)| Variant::new(model, machine).set("divergence", scheme.name);
            variants.extend(models.map(on));
        }
        variants
    };
    agree(DIVERGENT.iter().map(|(path, _)| *path), variants);
}

/// With kernels decoupled into two streams, in all room that there is for warps and in less, with queues that
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
    agree(programs().into_iter(), |_| variants.to_vec());
}

#[test]
fn timing_is_the_same_each_time() {
    let variant = Variant::new(Timing, "gtx480");
    each(&programs(), |path| {
        let case = case(path).map_err(|error| error.to_string())?;
        match case.trace(&variant)? == case.trace(&variant)? {
            true => Ok(()),
            false => Err(format!("{path}: two runs are not measured alike")),
        }
    });
}
