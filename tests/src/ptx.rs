//! PTX programs under every model: what threads leave in memory must equal what the reference model of PTX leaves.

use crate::generate::ptx::{CELLS, PtxCase, THREAD_BYTES, register_at};
use crate::oracle::{self, MOST_CYCLES, Variant};
use reconverge::execute::ModelName;
use reconverge::{CompileOptions, Dim, Error, Gpu, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;
use reconverge_simulator::{Machine, code_target, load_machine};

/// The kind of a failure, so that a smaller program fails in the same manner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text does not compile.
    Refused,
    /// A model stops.
    Stopped,
    /// Memory differs.
    Differs,
}

/// A failure.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its kind.
    pub kind: Kind,
    /// The configuration, and the message or the first difference.
    pub what: String,
}

/// Some of the configurations of a seed, every third at the level of PTX.
pub fn sample(seed: u64, count: usize, only: Option<&str>) -> Vec<Variant> {
    let as_written = |(at, variant): (u64, Variant)| match (at + seed).is_multiple_of(3) {
        true => variant.level(Level::Ptx),
        false => variant,
    };
    (0..).zip(oracle::sample(seed, count, only)).map(as_written).collect()
}

/// Runs a program under the reference model and in every variant in which it has a meaning.
///
/// # Errors
/// The first failure.
pub fn compare(case: &PtxCase, variants: &[Variant]) -> Result<usize, Failure> {
    let reference = Variant::new(ModelName::Reference, "gtx480").level(Level::None);
    let refused = |what: String| Failure { kind: Kind::Refused, what };
    let build = options(&reference).map_err(refused)?;
    let options_of_base = CompileOptions { lowering: build, ..CompileOptions::default() };
    let base = Module::from_ptx(&case.text, &options_of_base)
        .map_err(|error| refused(error.to_string()))?;
    let expected = run(&base, case, &reference)?;
    let mut runs = 0;
    for variant in variants {
        let machine = load(variant).map_err(refused)?;
        if case.lanes && machine.sm.warp_width != 32 {
            continue;
        }
        let options = options(variant).map_err(refused)?;
        let module = base
            .with_options(&options)
            .map_err(|found| refused(format!("{variant:?}: {}", found[0].message)))?;
        let got = run(&module, case, variant)?;
        runs += 1;
        if let Some(what) = difference(case, &expected, &got) {
            return Err(Failure { kind: Kind::Differs, what: format!("{variant:?}: {what}") });
        }
    }
    Ok(runs)
}

fn load(variant: &Variant) -> Result<Machine, String> {
    load_machine(&variant.machine, &variant.sets)
}

/// The options of a variant's code.
fn options(variant: &Variant) -> Result<Options, String> {
    let options = Options {
        max_registers: variant.max_registers,
        spill: variant.spill,
        level: variant.level,
        convergence_barriers: variant.convergence_barriers,
        verify: true,
        ..Options::default()
    };
    Ok(options.for_run(code_target(&load(variant)?)))
}

/// Runs a program; the bytes that its threads leave, and those of common cells.
fn run(module: &Module, case: &PtxCase, variant: &Variant) -> Result<Vec<u8>, Failure> {
    let stopped = |error: Error| {
        let kind =
            if matches!(error, Error::Stopped { .. }) { Kind::Stopped } else { Kind::Refused };
        Failure { kind, what: format!("{variant:?}: {error}") }
    };
    let settings: Vec<(&str, &str)> =
        variant.sets.iter().map(|(key, value)| (&**key, &**value)).collect();
    let target = Target::with(&variant.machine, &settings).map_err(stopped)?.model(variant.model);
    let target = Target { max_cycles: Some(MOST_CYCLES), verify_annotations: true, ..target };
    let mut gpu = module.load(&target).map_err(stopped)?;
    launch(&mut gpu, case).map_err(stopped)
}

fn launch(gpu: &mut Gpu<'_>, case: &PtxCase) -> Result<Vec<u8>, Error> {
    let threads = case.threads();
    let blocks = case.grid.iter().product::<u32>() as usize;
    let sizes = [threads * THREAD_BYTES, (blocks + 1) * CELLS];
    let out = gpu.zeros::<u8>(sizes[0])?;
    let input = gpu.buffer(&case.input())?;
    let cells = gpu.zeros::<u8>(sizes[1])?;
    let mut parameters: Vec<u8> =
        [out.address(), input.address(), cells.address()].map(u64::to_le_bytes).concat();
    parameters.resize(32, 0);
    parameters.extend((0..64u32).map(|at| (at * 37 + case.seed as u32) as u8));
    let [gx, gy] = case.grid;
    gpu.launch_bytes("k", Dim([gx, gy, 1]), Dim(case.block), 0, &parameters)?;
    Ok([gpu.read(&out), gpu.read(&cells)].concat())
}

/// The first difference between two runs, in words.
fn difference(case: &PtxCase, expected: &[u8], got: &[u8]) -> Option<String> {
    let at = expected.iter().zip(got).position(|(want, have)| want != have)?;
    let own = case.threads() * THREAD_BYTES;
    let start = at / 8 * 8;
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[start..start + 8]);
        u64::from_le_bytes(word)
    };
    let place = match at.checked_sub(own) {
        Some(at) => format!("common cell {} of {}", at % CELLS / 8, at / CELLS),
        None => {
            let (thread, offset) = (at / THREAD_BYTES, at % THREAD_BYTES);
            let what = register_at(offset).unwrap_or_else(|| format!("own byte {offset}"));
            format!("{what} of thread {thread}")
        }
    };
    Some(format!("{place} is {:#x}, expected {:#x}", word(got), word(expected)))
}
