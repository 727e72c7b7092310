//! The oracle: every model's output and memory must equal the interpreter's.

use crate::generate::Generated;
use reconverge::build::{self, Checked};
use reconverge::execute::{Execution, ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge::simulated::KernelRecord;
use reconverge_compiler::lower::{Options, Spill};
use reconverge_compiler::pass::Level;
use reconverge_compiler::syntax::{Loader, NotLoaded};
use reconverge_simulator::{Machine, MachineInfo, machines, scheduler};

/// A loader for programs of one file.
pub struct NoFiles;

impl Loader for NoFiles {
    fn load(&mut self, _: &str, _: &str) -> Result<(String, String), NotLoaded> {
        Err(NotLoaded::Missing)
    }
}

/// One way to run a program.
#[derive(Clone, Debug)]
pub struct Variant {
    /// How kernels are run.
    pub model: ModelName,
    /// The machine.
    pub machine: String,
    /// Settings of the machine.
    pub sets: Vec<(String, String)>,
    /// Registers a thread may use.
    pub max_registers: u32,
    /// What is spilled first.
    pub spill: Spill,
    /// How much kernels are optimised.
    pub level: Level,
}

impl Variant {
    /// A machine as it is, with the usual number of registers.
    pub fn new(model: ModelName, machine: &str) -> Variant {
        Variant {
            model,
            machine: machine.to_string(),
            sets: Vec::new(),
            max_registers: 63,
            spill: Spill::default(),
            level: Level::default(),
        }
    }

    /// The oracle itself.
    pub fn reference() -> Variant {
        Variant::new(ModelName::Reference, "gtx480")
    }

    /// The same with another setting.
    pub fn set(mut self, key: &str, value: &str) -> Variant {
        self.sets.push((key.to_string(), value.to_string()));
        self
    }

    /// The same with another number of registers.
    pub fn registers(self, max_registers: u32) -> Variant {
        Variant { max_registers, ..self }
    }

    /// The same with another choice of what is spilled.
    pub fn spill(self, spill: Spill) -> Variant {
        Variant { spill, ..self }
    }

    /// The same with another level of optimisation.
    pub fn level(self, level: Level) -> Variant {
        Variant { level, ..self }
    }
}

/// Every machine without time, and with time under every scheduler.
pub fn machines_and_schedulers() -> Vec<Variant> {
    let mut variants = Vec::new();
    for MachineInfo { name, .. } in machines() {
        variants.push(Variant::new(ModelName::Functional, &name));
        variants.extend(scheduler::MECHANISMS.iter().map(|scheduler| {
            Variant::new(ModelName::Timing, &name).set("scheduler", scheduler.name)
        }));
    }
    variants
}

/// What generated programs are compared with: everything above, each with another number of
/// registers, so that spilling is seen too, by both orders, and every level of optimisation.
pub fn variants() -> Vec<Variant> {
    let registers = [63, 16, 24, 20, 63, 18, 32].into_iter().cycle();
    let levels = [Level::Full, Level::Full, Level::Basic, Level::Full, Level::None].into_iter();
    let spills = [Spill::Cheapest, Spill::AffineFirst].into_iter().cycle();
    let choices = registers.zip(levels.cycle()).zip(spills);
    let mut variants: Vec<_> = machines_and_schedulers()
        .into_iter()
        .zip(choices)
        .map(|(variant, ((registers, level), spill))| {
            variant.registers(registers).level(level).spill(spill)
        })
        .collect();
    let fewer = Variant::new(ModelName::Functional, "gtx480");
    variants.push(fewer.set("simt-stack.push-order", "fewer-threads-first").registers(16));
    variants
}

/// What a run left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// How it ended.
    pub outcome: Outcome,
    /// Standard output.
    pub output: String,
    /// Every launch: what it measured, and the digest of device memory after it.
    pub launches: Vec<KernelRecord>,
}

/// Checks a text that has no includes.
pub fn check(name: &str, source: &str) -> Checked {
    build::check(name, source, &[], &mut NoFiles)
}

/// Runs a checked program.
///
/// # Errors
/// The compiler's diagnostics, as text.
pub fn run(checked: &Checked, variant: &Variant, arguments: &[&str]) -> Result<Trace, String> {
    let machine = Machine::load(&variant.machine, &variant.sets)?;
    let setup = Setup {
        machine: &machine,
        model: variant.model,
        max_cycles: Some(200_000_000),
        max_operations: None,
        options: Options {
            max_registers: variant.max_registers,
            spill: variant.spill,
            level: variant.level,
            ..Options::default()
        },
        verify_annotations: true,
        arguments: std::iter::once("program")
            .chain(arguments.iter().copied())
            .map(str::to_string)
            .collect(),
        digest: true,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let result = execute(checked, &setup, &mut output, &mut errors, &mut |_, _| {});
    let Execution { outcome, records, .. } = result.map_err(|refused| refused.render(false))?;
    Ok(Trace { outcome, output: String::from_utf8_lossy(&output).into_owned(), launches: records })
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
    let expected = run(&checked, &Variant::reference(), &[])?;
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
    let memory = |trace: &Trace| -> Vec<_> {
        trace.launches.iter().map(|launch| (launch.name.clone(), launch.memory)).collect()
    };
    (memory(expected) != memory(got)).then(|| "device memory differs".to_string())
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
