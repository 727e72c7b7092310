//! The oracle: every model's output and memory must equal the interpreter's.

use crate::generate::Generated;
use reconverge::build::{self, Checked};
use reconverge::execute::{Execution, ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_compiler::syntax::Loader;
use reconverge_simulator::Machine;

/// A loader for programs of one file.
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &str, _: &str) -> Option<(String, String)> {
        None
    }
}

/// One way to run a program.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// How kernels are run.
    pub model: ModelName,
    /// The machine.
    pub machine: &'static str,
    /// Settings of the machine.
    pub sets: &'static [(&'static str, &'static str)],
    /// Registers a thread may use.
    pub max_registers: u32,
}

/// What a run left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// How it ended.
    pub outcome: Outcome,
    /// Standard output.
    pub output: String,
    /// The digest of device memory after each launch.
    pub memory: Vec<Option<u64>>,
}

const LRR: &[(&str, &str)] = &[("scheduler", "loose-round-robin")];
const GTO: &[(&str, &str)] = &[("scheduler", "greedy-then-oldest")];
const FEWER: &[(&str, &str)] = &[("simt-stack.push-order", "fewer-threads-first")];

const fn variant(
    model: ModelName,
    machine: &'static str,
    sets: &'static [(&'static str, &'static str)],
    max_registers: u32,
) -> Variant {
    Variant { model, machine, sets, max_registers }
}

/// The oracle itself.
pub const REFERENCE: Variant = variant(ModelName::Reference, "gtx480", &[], 63);

/// What is compared with the oracle: both models, every machine and scheduler, few registers.
pub const VARIANTS: &[Variant] = &[
    variant(ModelName::Functional, "gtx480", &[], 63),
    variant(ModelName::Functional, "tiny", &[], 20),
    variant(ModelName::Functional, "gtx480", FEWER, 16),
    variant(ModelName::Timing, "gtx480", GTO, 63),
    variant(ModelName::Timing, "gtx480", LRR, 24),
    variant(ModelName::Timing, "fx5800", LRR, 63),
    variant(ModelName::Timing, "fx5800", GTO, 32),
    variant(ModelName::Timing, "tiny", LRR, 63),
    variant(ModelName::Timing, "tiny", GTO, 18),
];

/// Checks a text that has no includes.
pub fn check(name: &str, source: &str) -> Checked {
    build::check(name, source, &[], &mut NoFiles)
}

/// Runs a checked program.
///
/// # Errors
/// The compiler's diagnostics, as text.
pub fn run(checked: &Checked, variant: &Variant, arguments: &[&str]) -> Result<Trace, String> {
    let sets: Vec<_> =
        variant.sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let machine = Machine::load(variant.machine, &sets)?;
    let setup = Setup {
        machine: &machine,
        model: variant.model,
        max_cycles: Some(200_000_000),
        max_registers: variant.max_registers,
        arguments: std::iter::once("program")
            .chain(arguments.iter().copied())
            .map(str::to_string)
            .collect(),
        digest: true,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let result = execute(checked, &setup, &mut output, &mut errors, &mut |_, _| {});
    let Execution { outcome, records, .. } = result.map_err(|refused| refused.render(false))?;
    Ok(Trace {
        outcome,
        output: String::from_utf8_lossy(&output).into_owned(),
        memory: records.iter().map(|record| record.memory).collect(),
    })
}

/// Runs a program in every variant and compares with the oracle.
///
/// # Errors
/// The first difference, in words.
pub fn compare(source: &str, variants: &[Variant]) -> Result<(), String> {
    let checked = check("generated.cu", source);
    if checked.has_errors() {
        return Err(format!("does not compile:\n{}", checked.render(false)));
    }
    let expected = run(&checked, &REFERENCE, &[])?;
    if !matches!(expected.outcome, Outcome::Exit(0)) {
        return Err(format!("the oracle ends with {:?}", expected.outcome));
    }
    for variant in variants {
        let got = run(&checked, variant, &[])?;
        if let Some(difference) = difference(&expected, &got) {
            return Err(format!("{variant:?}: {difference}"));
        }
    }
    Ok(())
}

/// The first difference between two runs.
pub fn difference(expected: &Trace, got: &Trace) -> Option<String> {
    if expected.outcome != got.outcome {
        return Some(format!("outcome {:?}, expected {:?}", got.outcome, expected.outcome));
    }
    let mut lines = expected.output.lines().zip(got.output.lines());
    if let Some((want, have)) = lines.find(|(want, have)| want != have) {
        return Some(format!("printed `{have}`, expected `{want}`"));
    }
    if expected.output != got.output {
        return Some("the outputs have different lengths".to_string());
    }
    (expected.memory != got.memory).then(|| "device memory differs".to_string())
}

/// Makes a failing program smaller while it fails; `fails` decides.
pub fn shrink(program: &Generated, fails: impl Fn(&Generated) -> bool) -> Generated {
    let mut best = program.clone();
    let mut index = 0;
    while index < best.size() {
        let smaller =
            [true, false].into_iter().filter_map(|unwrap| best.without(index, unwrap)).find(&fails);
        match smaller {
            // What followed has moved to this index.
            Some(smaller) if smaller.size() < best.size() => best = smaller,
            _ => index += 1,
        }
    }
    best
}
