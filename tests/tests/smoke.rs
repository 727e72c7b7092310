//! A minute's worth of everything, for a first look after a change: every example and some generated kernels under
//! every model, each mechanism on one program, and what failed once.
//!
//! `cargo test -p reconverge-tests smoke::`

use crate::data::{each, programs};
use reconverge::execute::ModelName;
use reconverge_tests::examples::case;
use reconverge_tests::generate::Generated;
use reconverge_tests::matrix::{self, complaint, every_mechanism};
use reconverge_tests::oracle::{Case, Variant, sample};

#[test]
fn examples_agree_with_the_interpreter() {
    let models = [ModelName::Functional, ModelName::Timing];
    let variants = models.map(|model| Variant::new(model, "gtx480"));
    each(&matrix::programs(), |program| {
        let case = case(program).map_err(|error| error.to_string())?;
        case.compare(&variants).map_err(|failure| complaint(program, &failure))
    });
}

#[test]
fn every_mechanism_agrees_with_the_interpreter() {
    let case = case("nested_branch").unwrap();
    each(&every_mechanism(), |variant| {
        let variant = std::slice::from_ref(variant);
        case.compare(variant).map_err(|failure| complaint("nested_branch", &failure))
    });
}

#[test]
fn generated_kernels_agree_with_the_interpreter() {
    let seeds: Vec<u64> = (0..4).collect();
    each(&seeds, |&seed| {
        let case = Case::new(&Generated::new(seed).source())?;
        case.compare(&sample(seed, 16, None)).map_err(|failure| format!("seed {seed}: {failure}"))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_interpreter() {
    each(&programs("regressions"), |program| {
        let case = Case::new(&program.text)?;
        let failed = |failure| format!("{}: {failure}", program.name);
        case.compare(&sample(0, 16, None)).map_err(failed)
    });
}
