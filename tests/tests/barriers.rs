//! Barriers that the threads of a warp do not reach together: the reference model, with either setting of
//! `barrier.counts`, lets the same threads go on as the machine does under schemes by which threads wait at
//! reconvergence points. Where barriers count threads, these schemes may find a deadlock instead, never
//! another result.

use crate::data::each;
use reconverge::execute::ModelName;
use reconverge::host::report::Outcome;
use reconverge_compiler::pass::Level;
use reconverge_tests::barriers::program;
use reconverge_tests::oracle::{Variant, check, run};

/// Schemes that make threads wait at reconvergence points.
const SCHEMES: [&str; 4] = ["simt-stack", "dual-path", "multi-path", "likely-convergence"];
/// Programs that are tried.
const PROGRAMS: u64 = 60;

fn compare(seed: u64, counts: &str) -> Result<(), String> {
    let text = program(seed);
    let checked = check("barriers.cu", &text);
    if checked.has_errors() {
        return Err(checked.render(false));
    }
    let width = ["4", "8", "32"][seed as usize % 3];
    let set = |variant: Variant| variant.set("barrier.counts", counts).set("sm.warp-width", width);
    let expected = run(&checked, &set(Variant::reference()), &[])?;
    if expected.outcome != Outcome::Exit(0) {
        return Err(format!(
            "{text}\nseed {seed}, {counts}: the reference ends with {:?}",
            expected.outcome
        ));
    }
    for (at, scheme) in (seed as usize..).zip(SCHEMES) {
        for model in [ModelName::Functional, ModelName::Timing] {
            let level = [Level::Full, Level::None, Level::Basic][at % 3];
            let variant = Variant::new(model, "gtx480").level(level);
            let variant = set(variant).set("divergence", scheme).set("sm.schedulers", "4");
            let found = run(&checked, &variant, &[])?;
            let stuck = counts == "threads" && matches!(found.outcome, Outcome::Deadlock(_));
            if !stuck && (&found.outcome, &found.output) != (&expected.outcome, &expected.output) {
                let outcome = &found.outcome;
                return Err(format!(
                    "{text}\nseed {seed}: {variant:?} ends with {outcome:?}, another result"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn the_reference_lets_the_same_threads_go_on() {
    let settings = ["threads", "warps"];
    let cases: Vec<_> =
        (0..PROGRAMS).flat_map(|seed| settings.map(|counts| (seed, counts))).collect();
    each(&cases, |&(seed, counts)| compare(seed, counts));
}
