//! The examples with the kernels that other compilers made of them as PTX: the output and the memory after each launch are the
//! interpreter's. `tests/data/ptx/make.sh` makes the texts.

use crate::data::{each, programs};
use reconverge::execute::ModelName::{Functional, Reference, Timing};
use reconverge::kernel_file::Level as Form;
use reconverge_compiler::pass::Level;
use reconverge_tests::examples::{DIVERGENT, EXAMPLES, own_case};
use reconverge_tests::generate::ptx::{PtxCase, PtxProgram};
use reconverge_tests::matrix::complaint;
use reconverge_tests::oracle::{Case, Variant, sample, variants};
use reconverge_tests::ptx;
use std::path::Path;

/// A text with a program of its own beside it, whose kernels in CUDA give what is expected, at every level and in few
/// registers.
fn agrees_with_own_program(stem: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx");
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let (program, name) = (read(&format!("{stem}.cu"))?, format!("{stem}.ptx"));
    let text = read(&name)?;
    let mut case = Case::new(&program)?;
    let variants = [
        Variant::new(Functional, "gtx480").level(Level::None),
        Variant::new(Functional, "gtx480").level(Level::Basic).registers(16),
        Variant::new(Functional, "gtx480").registers(12),
        Variant::new(Timing, "gtx480"),
        Variant::new(Timing, "gtx480").set("divergence", "dual-path"),
        Variant::new(Timing, "gtx480").set("affine", "decoupled"),
        Variant::new(Reference, "gtx480"),
    ];
    case.compare_kernels((&name, &text, Form::Ptx), &variants)
        .map_err(|failure| complaint(&name, &failure))
}

#[test]
fn guards_agree_with_branches_of_cuda() {
    each(&["guards", "masked_add"], |stem| agrees_with_own_program(stem));
}

#[test]
fn an_access_uses_the_low_32_bits_of_its_address() {
    agrees_with_own_program("addresses").unwrap();
}

/// Compares an example's kernels, as a compiler made them, with the interpreter's results.
fn agrees(path: &str, compiler: &str) -> Result<(), String> {
    let stem = path.trim_start_matches("divergence/");
    let name = format!("{stem}.{compiler}.ptx");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx").join(&name);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"))?;
    let mut case = own_case(path).map_err(|error| error.to_string())?;
    let variants = [
        Variant::new(Functional, "gtx480").level(Level::None),
        Variant::new(Functional, "gtx480").level(Level::Basic),
        Variant::new(Timing, "gtx480"),
        // From the syntax tree, by code that shares nothing with the compiler.
        Variant::new(Reference, "gtx480"),
    ];
    case.compare_kernels((&name, &text, Form::Ptx), &variants)
        .map_err(|failure| complaint(&name, &failure))
}

#[test]
fn kernels_of_nvcc_agree_with_the_interpreter() {
    let paths: Vec<&str> = EXAMPLES.iter().chain(DIVERGENT).map(|(path, _)| *path).collect();
    each(&paths, |path| agrees(path, "nvcc"));
}

#[test]
fn kernels_of_clang_agree_with_the_interpreter() {
    let paths: Vec<&str> = EXAMPLES.iter().chain(DIVERGENT).map(|(path, _)| *path).collect();
    each(&paths, |path| agrees(path, "clang"));
}

/// `fuzz --ptx` goes on from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..60;
/// Each program runs in so many of the ways that `variants` has, which are others for each.
const CONFIGURATIONS: usize = 3;

#[test]
fn random_programs_agree_with_the_reference_model() {
    let seeds: Vec<_> = SEEDS.collect();
    each(&seeds, |&seed| {
        let case = PtxProgram::new(seed).case();
        let compared = ptx::compare(&case, &sample(seed, CONFIGURATIONS, None));
        compared.map(|_| ()).map_err(|failure| format!("seed {seed}: {}", failure.what))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_reference_model() {
    each(&programs("ptx_regressions"), |program| {
        let case = PtxCase::parse(&program.text)?;
        let compared = ptx::compare(&case, &variants(case.seed));
        compared.map(|_| ()).map_err(|failure| format!("{}: {}", program.name, failure.what))
    });
}
