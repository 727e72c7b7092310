//! The examples with the kernels that other compilers made of them as PTX: the output and the memory after each launch are the
//! interpreter's. `tests/data/ptx/make.sh` makes the texts.

use crate::data::{each, generated_table, programs};
use reconverge::execute::ModelName::{Functional, Reference, Timing};
use reconverge::kernel_file::Level as Form;
use reconverge_compiler::pass::Level;
use reconverge_tests::examples::{DIVERGENT, EXAMPLES, own_case};
use reconverge_tests::generate::ptx::{PtxCase, PtxProgram};
use reconverge_tests::matrix::complaint;
use reconverge_tests::oracle::{Case, Trace, Variant, variants};
use reconverge_tests::ptx;
use reconverge_tests::slice::Slice;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;

/// A text with a program of its own beside it, whose kernels in CUDA give the expected results, at
/// every level and in few registers.
fn agrees_with_own_program(stem: &str) -> Result<(), String> {
    agrees_after(stem, |text| text)
}

/// The same, after a change of the text.
fn agrees_after(stem: &str, change: impl Fn(String) -> String) -> Result<(), String> {
    agrees_in(stem, &change, &compiled())?;
    agrees_in(stem, change, &[Variant::new(Reference, "gtx480")])
}

/// Configurations that compile the text.
fn compiled() -> [Variant; 7] {
    [
        Variant::new(Functional, "gtx480").level(Level::None),
        Variant::new(Functional, "gtx480").level(Level::Basic).registers(16),
        Variant::new(Functional, "gtx480").registers(12),
        Variant::new(Functional, "gtx480").level(Level::Ptx),
        Variant::new(Timing, "gtx480"),
        Variant::new(Timing, "gtx480").set("divergence", "dual-path"),
        Variant::new(Timing, "gtx480").set("affine", "decoupled"),
    ]
}

fn agrees_in(
    stem: &str,
    change: impl Fn(String) -> String,
    variants: &[Variant],
) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx");
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let (program, name) = (read(&format!("{stem}.cu"))?, format!("{stem}.ptx"));
    let text = change(read(&name)?);
    let mut case = Case::new(&program)?;
    case.compare_kernels(&name, &text, Form::Ptx, variants)
        .map_err(|failure| complaint(&name, &failure))
}

#[test]
fn guards_agree_with_branches_of_cuda() {
    each(&["guards", "masked_add"], |stem| agrees_with_own_program(stem));
}

#[test]
fn labels_may_be_in_any_order() {
    agrees_with_own_program("labels").unwrap();
}

#[test]
fn textures_agree_with_fetches_of_cuda() {
    each(&["textures", "texture_references"], |stem| agrees_with_own_program(stem));
}

#[test]
fn extern_variables_are_those_of_the_program() {
    agrees_with_own_program("extern_variable").unwrap();
}

#[test]
fn one_of_several_instances_is_told_by_its_mangled_name() {
    agrees_with_own_program("one_instance").unwrap();
    for other in ["ILi3E", "IJE"] {
        let error = agrees_after("one_instance", |text| text.replace("ILin2E", other)).unwrap_err();
        assert!(error.contains("the program has several instances of `fill`"), "{error}");
    }
}

#[test]
fn addresses_of_more_than_32_bits_trap_unless_the_code_is_optimised() {
    let of_words = |variant: &Variant| !matches!(variant.level, Level::None | Level::Ptx);
    let (words, mut whole): (Vec<_>, Vec<_>) = compiled().into_iter().partition(of_words);
    agrees_in("addresses", |text| text, &words).unwrap();
    whole.push(Variant::new(Reference, "gtx480"));
    whole.push(Variant::new(Timing, "h100").level(Level::Ptx));
    for variant in whole {
        let error = agrees_in("addresses", |text| text, &[variant]).unwrap_err();
        assert!(error.contains("memory here has addresses of 32 bits"), "{error}");
    }
}

/// The text of an example's kernels, as a compiler made them, with its name.
fn text_of(path: &str, compiler: &str) -> Result<(String, String), String> {
    let stem = path.trim_start_matches("divergence/");
    let name = format!("{stem}.{compiler}.ptx");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/ptx").join(&name);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{name}: {error}"))?;
    Ok((name, text))
}

/// Runs an example with kernels as a compiler made them, and compares with the interpreter's results.
fn traces(
    case: &mut Case,
    path: &str,
    compiler: &str,
    variants: &[Variant],
) -> Result<Vec<Trace>, String> {
    let (name, text) = text_of(path, compiler)?;
    case.trace_kernels(&name, &text, Form::Ptx, variants)
        .map_err(|failure| complaint(&name, &failure))
}

/// Compares an example's kernels, as a compiler made them, with the interpreter's results.
fn agrees(path: &str, compiler: &str) -> Result<(), String> {
    let mut case = own_case(path).map_err(|error| error.to_string())?;
    let variants = [
        Variant::new(Functional, "gtx480").level(Level::None),
        Variant::new(Functional, "gtx480").level(Level::Basic),
        Variant::new(Functional, "gtx480").level(Level::Ptx),
        // From the syntax tree, by code that shares nothing with the compiler.
        Variant::new(Reference, "gtx480"),
    ];
    traces(&mut case, path, compiler, &variants).map(drop)
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

/// `fuzz --ptx` continues from here; these are always the same.
const SEEDS: std::ops::Range<u64> = 0..60;
/// The number of `variants` in which each program runs; they differ from program to program.
const CONFIGURATIONS: usize = 3;

#[test]
fn random_programs_agree_with_the_reference_model() {
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    let seeds: Vec<_> = SEEDS.filter(|seed| slice.has(&seed.to_string())).collect();
    each(&seeds, |&seed| {
        let case = PtxProgram::new(seed).case();
        let compared = ptx::compare(&case, &ptx::sample(seed, CONFIGURATIONS, None));
        compared.map(|_| ()).map_err(|failure| format!("seed {seed}: {}", failure.what))
    });
}

#[test]
fn programs_that_failed_once_agree_with_the_reference_model() {
    let slice = Slice::of(6).unwrap();
    println!("{slice}");
    let mut programs = programs("ptx_regressions");
    programs.retain(|program| slice.has(&program.name));
    each(&programs, |program| {
        let case = PtxCase::parse(&program.text)?;
        let compiled = variants(case.seed);
        let as_written = compiled.iter().map(|variant| variant.clone().level(Level::Ptx));
        let all: Vec<Variant> = as_written.chain(compiled.iter().cloned()).collect();
        let compared = ptx::compare(&case, &all);
        compared.map(|_| ()).map_err(|failure| format!("{}: {}", program.name, failure.what))
    });
}

/// The cycles and warp instructions of all launches of a run.
type Sums = [u64; 2];

/// The runs of an example that the table compares.
#[derive(Clone, Copy)]
struct Row {
    cuda: Sums,
    nvcc: Sums,
    clang: Sums,
    /// nvcc's PTX at the level of PTX.
    as_written: Sums,
    /// CUDA and nvcc's PTX where every fetch hits.
    without_misses: [Sums; 2],
}

fn sums(trace: &Trace) -> Sums {
    let measured = trace.launches.iter().filter_map(|launch| launch.statistics.as_ref());
    measured.fold([0; 2], |[cycles, instructions], it| {
        [cycles + it.cycles, instructions + it.warp_instructions]
    })
}

fn row(path: &str) -> Result<Row, String> {
    let mut case = own_case(path).map_err(|error| error.to_string())?;
    let full = Variant::new(Timing, "gtx480");
    let hits = full.clone().set("instruction-cache.size", "0");
    let as_written = full.clone().level(Level::Ptx);
    let (cuda, cuda_hits) = (sums(&case.trace(&full)?), sums(&case.trace(&hits)?));
    let nvcc = traces(&mut case, path, "nvcc", &[full.clone(), as_written, hits])?;
    let clang = traces(&mut case, path, "clang", &[full])?;
    Ok(Row {
        cuda,
        nvcc: sums(&nvcc[0]),
        clang: sums(&clang[0]),
        as_written: sums(&nvcc[1]),
        without_misses: [cuda_hits, sums(&nvcc[2])],
    })
}

/// The results agree with the interpreter's under the timing model too.
#[test]
fn the_table_of_cycles_is_fresh() {
    let paths: Vec<&str> = EXAMPLES.iter().chain(DIVERGENT).map(|(path, _)| *path).collect();
    let found = Mutex::new(BTreeMap::new());
    each(&paths, |path| {
        let row = row(path)?;
        found.lock().unwrap().insert(*path, row);
        Ok(())
    });
    let found = found.into_inner().unwrap();
    let mut table = String::from(
        "| example | CUDA | nvcc | clang | nvcc, `-O ptx` | nvcc / CUDA | clang / CUDA | `-O ptx` / nvcc \
         | nvcc / CUDA, every fetch hits | warp instructions, nvcc / CUDA |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    let mut logarithms = [0.0; 5];
    for path in &paths {
        let Row { cuda, nvcc, clang, as_written, without_misses: [cuda_hits, nvcc_hits] } =
            found[path];
        let ratio = |one: u64, other: u64| one as f64 / other as f64;
        let ratios = [
            ratio(nvcc[0], cuda[0]),
            ratio(clang[0], cuda[0]),
            ratio(as_written[0], nvcc[0]),
            ratio(nvcc_hits[0], cuda_hits[0]),
            ratio(nvcc[1], cuda[1]),
        ];
        let cycles = [cuda, nvcc, clang, as_written].map(|sums| sums[0].to_string()).join(" | ");
        let shown = ratios.map(|ratio| format!("{ratio:.2}")).join(" | ");
        table += &format!("| {path} | {cycles} | {shown} |\n");
        logarithms.iter_mut().zip(ratios).for_each(|(sum, ratio)| *sum += ratio.ln());
    }
    let means = logarithms.map(|sum| format!("{:.2}", (sum / paths.len() as f64).exp()));
    table += &format!("| geometric mean | | | | | {} |\n", means.join(" | "));
    generated_table("docs/ptx.md", "tests/tests/ptx.rs", &table);
}
