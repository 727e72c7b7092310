//! The oracle: every model's output and memory must equal the interpreter's.

use crate::generate::Random;
use reconverge::build::{self, Checked};
use reconverge::execute::{Execution, ModelName, Setup, execute_lowered, lower};
use reconverge::host::report::Outcome;
use reconverge::kernel_file::{self, KernelFile};
use reconverge::kernel_record::KernelRecord;
use reconverge_compiler::check::CheckOptions;
use reconverge_compiler::lower::{Lowered, Options, Spill};
use reconverge_compiler::pass::Level;
use reconverge_compiler::syntax::{Loader, NotLoaded};
use reconverge_isa::CodeTarget;
use reconverge_simulator::mechanisms::divergence::Capabilities;
use reconverge_simulator::mechanisms::divergence::list::capabilities;
use reconverge_simulator::mechanisms::{lane_permutation, scheduler};
use reconverge_simulator::{
    Machine, MechanismInfo, code_target, load_machine, machines, mechanisms,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// The model that runs kernels.
    pub model: ModelName,
    /// The machine.
    pub machine: String,
    /// Settings of the machine.
    pub sets: Vec<(String, String)>,
    /// The most registers per thread, if other than the machine's.
    pub max_registers: Option<u32>,
    /// The values that are spilled first.
    pub spill: Spill,
    /// The level of optimisation of kernels.
    pub level: Level,
    /// Kernels have convergence barriers.
    pub convergence_barriers: bool,
    /// Registers keep their old values until results can be read, although control bits are proved right.
    pub distrusts_proofs: bool,
}

impl Variant {
    /// A machine as it is, with the usual number of registers.
    pub fn new(model: ModelName, machine: &str) -> Variant {
        Variant {
            model,
            machine: machine.to_string(),
            sets: Vec::new(),
            max_registers: None,
            spill: Spill::default(),
            level: Level::default(),
            convergence_barriers: false,
            distrusts_proofs: false,
        }
    }

    /// The oracle itself.
    pub fn reference() -> Variant {
        Variant::new(ModelName::Reference, "gtx480")
    }

    /// The variant with one more setting of the machine.
    pub fn set(mut self, key: &str, value: &str) -> Variant {
        self.sets.push((key.to_string(), value.to_string()));
        self
    }

    /// The variant with another limit of registers per thread.
    pub fn registers(self, max_registers: u32) -> Variant {
        Variant { max_registers: Some(max_registers), ..self }
    }

    /// The variant with another choice of the values that are spilled first.
    pub fn spill(self, spill: Spill) -> Variant {
        Variant { spill, ..self }
    }

    /// The variant with convergence barriers.
    pub fn convergence_barriers(self) -> Variant {
        Variant { convergence_barriers: true, ..self }
    }

    /// The variant at another optimisation level.
    pub fn level(self, level: Level) -> Variant {
        Variant { level, ..self }
    }
}

/// Every machine without time and with it, and every scheduler. The pairing of schedulers and
/// machines goes round with `turn`.
pub fn machines_and_schedulers(turn: usize) -> Vec<Variant> {
    let (machines, schedulers) = (machines(), scheduler::list::MECHANISMS.all());
    let timing = (0..machines.len().max(schedulers.len())).map(|at| {
        let machine = &machines[(at + turn) % machines.len()];
        let scheduler = schedulers[at % schedulers.len()].name;
        Variant::new(ModelName::Timing, &machine.name).set("scheduler", scheduler)
    });
    let functional = machines.iter().map(|it| Variant::new(ModelName::Functional, &it.name));
    functional.chain(timing).collect()
}

/// The builds of a generated kernel: at every level, and with few registers, so that spilling is
/// seen too, by both orders.
const BUILDS: [(Level, &[u32]); 4] = [
    (Level::Full, &[63]),
    (Level::Full, &[16, 12, 20, 10]),
    (Level::Basic, &[63, 18]),
    (Level::None, &[63, 24]),
];

/// The mechanisms of a slot, in the order of its registry.
fn of_slot(slot: &str) -> impl Iterator<Item = &'static MechanismInfo> {
    mechanisms().iter().filter(move |info| info.slot == slot)
}

/// Settings of a machine.
type Sets = Vec<(&'static str, &'static str)>;

/// Settings that fill a slot with a mechanism, such that it is exact.
fn filled(info: &MechanismInfo) -> Sets {
    [&[(info.setting_key(), info.name)], info.exactly()].concat()
}

/// A mechanism as it is and with one of its trials, if it has any; they go round.
fn tried(info: &MechanismInfo, turn: usize) -> impl Iterator<Item = Sets> + use<> {
    let trial = info.trials.get(turn % info.trials.len().max(1));
    let trial = trial.map(|trial| [filled(info), trial.to_vec()].concat());
    std::iter::once(filled(info)).chain(trial)
}

/// The divergence schemes that regroup threads of several warps, or the others, with their
/// capabilities.
fn schemes(regroups: bool) -> impl Iterator<Item = (&'static MechanismInfo, Capabilities)> {
    let all = of_slot("divergence");
    let all = all.filter_map(|info| Some((capabilities(info.name)?, info)));
    all.filter(move |(scheme, _)| scheme.regroups == regroups).map(|(scheme, info)| (info, scheme))
}

/// A scheme without time or with it, on a machine, in warps of a width, all of which go round.
fn scheme(turn: usize, sets: &[(&str, &str)]) -> Variant {
    let machine = ["gtx480", "fx5800", "tiny"][turn % 3];
    let variant = match turn / 3 % 3 {
        0 => Variant::new(ModelName::Functional, machine),
        _ => Variant::new(ModelName::Timing, machine),
    };
    // A scheduler has room for a limited number of paths, and a warp may have several.
    let variant = variant.set("sm.schedulers", "4");
    let variant = variant.set("sm.predication", ["false", "true"][turn / 2 % 2]);
    let variant = match (machine, turn / 9 % 3) {
        ("tiny", _) => variant.set("sm.warps", "64"),
        (_, 0) => variant.set("sm.warp-width", "8").set("sm.warps", "32"),
        _ => variant,
    };
    sets.iter().fold(variant, |variant, (key, value)| variant.set(key, value))
}

/// The variants that a generated program is compared with: every machine and scheduler, every
/// divergence scheme, warps of other widths and another order of paths, and in these every build.
/// The pairing of machines and builds goes round with `turn`.
pub fn variants(turn: u64) -> Vec<Variant> {
    let functional =
        |width: &str| Variant::new(ModelName::Functional, "gtx480").set("sm.warp-width", width);
    let mut variants = machines_and_schedulers(turn as usize);
    let widths: Vec<&MechanismInfo> = of_slot("cycle-compression").collect();
    let narrow = Variant::new(ModelName::Timing, "fx5800").set("pipes.simple.lanes", "5");
    variants.push(narrow.set("cycle-compression", widths[turn as usize % widths.len()].name));
    variants.push(functional("64"));
    variants.push(functional("8"));
    variants.extend(regrouping(turn));
    variants.extend(streams(turn));
    let turn = turn as usize;
    let mut at = turn;
    for (info, capabilities) in schemes(false) {
        for sets in tried(info, turn) {
            variants.push(scheme(at, &sets));
            at += 1;
        }
        if capabilities.executes_convergence_barriers
            && let Some(sets) = tried(info, turn / 2).nth(turn % 2)
        {
            variants.push(scheme(turn / 3, &sets).convergence_barriers());
        }
    }
    variants.extend(["affine", "register-file", "prefetcher"].map(|it| of_turn(it, turn)));
    let stated = Variant::new(ModelName::Timing, "h100")
        .set("sm.operand-delivery", "fixed-latency")
        .set("sm.dependences", "control-bits")
        .set("sm.predication", ["true", "false"][turn / 3 % 2])
        .set("sm.dependence-counters", ["6", "0", "6", "1", "6", "2"][turn / 4 % 6]);
    let stated = Variant { distrusts_proofs: (turn / 2).is_multiple_of(2), ..stated };
    variants.push(stated.set("scheduler", ["compiler-guided", "greedy-then-oldest"][turn % 2]));
    variants.push(caches(turn).set("l2.between-launches", ["kept", "flushed"][turn / 4 % 2]));
    variants.push(of_turn("allocation", turn).set("l1.size", "2048").set("l1.ways", "2"));
    let build = |(at, variant): (usize, Variant)| {
        let (level, registers) = BUILDS[(at + turn) % BUILDS.len()];
        let next = turn / BUILDS.len();
        let spill = if (next / 4).is_multiple_of(2) { Spill::Cheapest } else { Spill::AffineFirst };
        variant.level(level).registers(registers[next % registers.len()]).spill(spill)
    };
    let local = of_turn("local-cache", turn).registers(10).set("sm.warp-width", "32");
    let local = ["l1.line", "l2.line"].iter().fold(local, |local, key| local.set(key, "128"));
    variants.into_iter().enumerate().map(build).chain([local]).collect()
}

/// A granularity in each level of caches, and how much a miss fetches at least.
fn caches(turn: usize) -> Variant {
    let all: Vec<&MechanismInfo> = of_slot("granularity").collect();
    let first = of_turn("granularity", turn).set("l1.sector", ["64", "32"][turn % 2]);
    first.set("l2.granularity", all[turn / 2 % all.len()].name)
}

/// A mechanism of a slot, with time; they and the machines go round.
fn of_turn(slot: &str, turn: usize) -> Variant {
    let all = of_slot(slot).filter(|info| info.name != "none" && info.name != STREAMS);
    let machine = ["gtx480", "fx5800", "tiny"][turn % 3];
    let variant = Variant::new(ModelName::Timing, machine).set("sm.warps", "32");
    let all: Vec<&MechanismInfo> = all.collect();
    let sets = |turn| all.iter().flat_map(move |info| tried(info, turn)).collect::<Vec<Sets>>();
    // The number of settings does not depend on the turn. Trials go round more slowly, so that each
    // is met.
    let count = sets(0).len().max(1);
    let sets = sets(turn / 3 / count).get(turn / 3 % count).cloned().unwrap_or_default();
    sets.iter().fold(variant, |variant, (key, value)| variant.set(key, value))
}

/// The mechanism that executes kernels of two streams, whose settings differ from all others'.
const STREAMS: &str = "decoupled";

/// Two streams: an affine warp beside the others, in blocks of few and of many warps.
fn streams(turn: u64) -> Vec<Variant> {
    if of_slot("affine").all(|info| info.name != STREAMS) {
        return Vec::new();
    }
    let decoupled = |model, machine| {
        Variant::new(model, machine).set("affine", STREAMS).set("decoupled.kernels", "all")
    };
    let width = ["8", "32", "64", "16"][turn as usize % 4];
    let machine = ["gtx480", "tiny", "fx5800"][turn as usize % 3];
    let schedulers = scheduler::list::MECHANISMS.all();
    let scheduler = schedulers[turn as usize % schedulers.len()].name;
    let mut variants = vec![
        decoupled(ModelName::Functional, "gtx480"),
        // The affine warp takes the place of one.
        decoupled(ModelName::Timing, machine).set("scheduler", scheduler).set("sm.warps", "32"),
        decoupled(ModelName::Functional, "gtx480").set("sm.warp-width", width),
        crowded(turn as usize, decoupled(ModelName::Timing, "gtx480")),
    ];
    // It goes with two schemes only.
    let other = "dual-path";
    if capabilities(other).is_some() {
        variants.push(decoupled(ModelName::Functional, "fx5800").set("divergence", other));
        variants.push(decoupled(ModelName::Timing, "gtx480").set("divergence", other));
    }
    variants
}

/// Everything in short supply: one SM, a cache of one set, and queues of few entries, with the ways in turn in which affine
/// warps share blocks and lines.
fn crowded(turn: usize, variant: Variant) -> Variant {
    let of = |values: [&'static str; 3], turn: usize| values[turn % 3];
    variant
        .set("sms", "1")
        .set("sm.warps", "32")
        .set("l1.size", "512")
        .set("decoupled.tuple-queue", of(["1", "2", "1"], turn))
        .set("decoupled.address-queue", "1")
        .set("decoupled.predicate-queue", "1")
        .set("decoupled.warps", of(["8", "1", "2"], turn))
        .set("decoupled.batch", of(["block", "resident", "drained"], turn / 3))
        .set("decoupled.order", of(["block", "entry", "block"], turn / 9))
        .set("decoupled.full", of(["wait", "skip", "wait"], turn / 2))
        .set("decoupled.held-ways", of(["3", "1", "2"], turn / 4))
        .set("decoupled.comparisons", of(["expansion-unit", "lanes", "expansion-unit"], turn / 5))
        .set("decoupled.load-lines", of(["31", "32", "1"], turn / 7))
}

/// Every scheme that regroups threads of several warps, with narrow warps, so that blocks have many,
/// and in turn under every permutation of lanes, with and without time.
fn regrouping(turn: u64) -> Vec<Variant> {
    let mut variants = Vec::new();
    let permutations = lane_permutation::list::MECHANISMS.all();
    let sets: Vec<Sets> = schemes(true).flat_map(|(info, _)| tried(info, turn as usize)).collect();
    for (at, sets) in (turn as usize..).zip(&sets) {
        let lanes = permutations[at % permutations.len()].name;
        let (model, width) = match at % 3 {
            0 => (ModelName::Timing, "4"),
            1 => (ModelName::Functional, "4"),
            _ => (ModelName::Functional, "8"),
        };
        let machine = if at % 2 == 0 { "tiny" } else { "gtx480" };
        let mut variant = Variant::new(model, machine).set("sm.schedulers", "4");
        for (key, value) in sets {
            variant = variant.set(key, value);
        }
        // The last of several settings of a key counts.
        variants.push(variant.set("lane-permutation", lanes).set("sm.warp-width", width));
    }
    variants
}

/// Some of [`variants`] at random, by the program's seed; all of them if there are no more. With
/// `only`, of those that have a setting with this value.
pub fn sample(seed: u64, count: usize, only: Option<&str>) -> Vec<Variant> {
    let mut variants = variants(seed);
    if let Some(value) = only {
        variants.retain(|variant| variant.sets.iter().any(|(_, other)| other == value));
    }
    let mut random = Random::new(seed);
    while variants.len() > count {
        variants.remove(random.below(variants.len()));
    }
    variants
}

/// The results of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The outcome.
    pub outcome: Outcome,
    /// Standard output.
    pub output: String,
    /// Every launch: its measurements, and the digest of device memory after it.
    pub launches: Vec<KernelRecord>,
}

/// Checks a text that has no includes.
pub fn check(name: &str, source: &str) -> Checked {
    build::check(name, source, &[], &mut NoFiles)
}

/// The most cycles or instructions of a kernel. Generated programs take less than a thousandth, except for a few
/// programs on the smallest machine: one in loops of spilled values takes 142 million cycles there.
pub const MOST_CYCLES: u64 = 1_000_000_000;

fn setup<'a>(variant: &Variant, machine: &'a Machine, arguments: &[&str]) -> Setup<'a> {
    let arguments = std::iter::once("program").chain(arguments.iter().copied());
    Setup {
        max_cycles: Some(MOST_CYCLES),
        options: Options {
            max_registers: variant.max_registers,
            spill: variant.spill,
            level: variant.level,
            convergence_barriers: variant.convergence_barriers,
            verify: true,
            ..Options::default()
        },
        verify_annotations: true,
        distrusts_proofs: variant.distrusts_proofs,
        arguments: arguments.map(str::to_string).collect(),
        digest: true,
        ..Setup::new(machine, variant.model)
    }
}

/// Runs a checked program.
///
/// # Errors
/// The compiler's diagnostics, as text.
pub fn run(checked: &Checked, variant: &Variant, arguments: &[&str]) -> Result<Trace, String> {
    let machine = load_machine(&variant.machine, &variant.sets)?;
    let lowered = lower(checked, &setup(variant, &machine, arguments));
    let lowered = lowered.map_err(|refused| refused.render(false))?;
    run_lowered(checked, &lowered, variant, arguments)
}

fn run_lowered(
    checked: &Checked,
    lowered: &Lowered,
    variant: &Variant,
    arguments: &[&str],
) -> Result<Trace, String> {
    let machine = load_machine(&variant.machine, &variant.sets)?;
    let setup = setup(variant, &machine, arguments);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let result =
        execute_lowered(checked, lowered, &setup, &mut output, &mut errors, &mut |_, _| {});
    let Execution { outcome, records, .. } = result.map_err(|refused| refused.render(false))?;
    Ok(Trace { outcome, output: String::from_utf8_lossy(&output).into_owned(), launches: records })
}

/// Runs a program in every variant and compares with the oracle.
///
/// # Errors
/// The first difference, in words.
pub fn compare(source: &str, variants: &[Variant]) -> Result<(), String> {
    Case::new(source)?.compare(variants).map_err(|failure| failure.to_string())
}

/// A run that is not as it should be.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The variant that failed.
    pub variant: Variant,
    /// The diagnostic, or the first difference.
    pub what: String,
}

impl Failure {
    /// The fault, in a line.
    pub fn short(&self) -> String {
        self.what.lines().next().unwrap_or_default().to_string()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{:?}: {}", self.variant, self.what)
    }
}

/// The options that decide how a program is compiled.
type Build = (Level, Option<u32>, Spill, bool, CodeTarget);

/// A checked program and its compiled forms, each made once.
pub struct Compiled {
    /// The checked program.
    pub checked: Checked,
    builds: Mutex<Vec<(Build, Arc<Lowered>)>>,
}

impl Compiled {
    /// A program that has not been compiled yet.
    pub fn new(checked: Checked) -> Compiled {
        Compiled { checked, builds: Mutex::default() }
    }

    /// Runs the program in one variant.
    ///
    /// # Errors
    /// The diagnostics, as text, if it is refused.
    pub fn run(&self, variant: &Variant, arguments: &[&str]) -> Result<Trace, String> {
        run_lowered(&self.checked, &*self.build(variant)?, variant, arguments)
    }

    /// Compiles the program for a variant if that has not been done.
    fn build(&self, variant: &Variant) -> Result<Arc<Lowered>, String> {
        let Variant { level, max_registers, spill, convergence_barriers, .. } = *variant;
        let machine = load_machine(&variant.machine, &variant.sets)?;
        let target = code_target(&machine);
        let build = (level, max_registers, spill, convergence_barriers, target);
        if let Some((_, lowered)) = held(&self.builds).iter().find(|(known, _)| *known == build) {
            return Ok(lowered.clone());
        }
        let lowered = lower(&self.checked, &setup(variant, &machine, &[]));
        let lowered = Arc::new(lowered.map_err(|refused| refused.render(false))?);
        held(&self.builds).push((build, lowered.clone()));
        Ok(lowered)
    }
}

/// A program with its arguments and its expected trace.
pub struct Case {
    program: Compiled,
    arguments: Vec<String>,
    expected: Trace,
    /// It has masks of lanes, which exist for up to 32 lanes.
    masks: bool,
    /// Variants that agree with the oracle, so that another test need not run them again.
    agreed: Mutex<BTreeSet<String>>,
}

impl Case {
    /// Asks the oracle.
    ///
    /// # Errors
    /// The program does not compile, or does not end well.
    pub fn new(source: &str) -> Result<Case, String> {
        Case::with_options(source, CheckOptions::default())
    }

    /// The same, with options for the checker.
    ///
    /// # Errors
    /// As of [`Case::new`].
    pub fn with_options(source: &str, options: CheckOptions) -> Result<Case, String> {
        let checked = build::check_with("generated.cu", source, &[], &mut NoFiles, options);
        let case = Case::program(checked, &[])?;
        Ok(Case { masks: source.contains("_sync("), ..case })
    }

    /// Asks the oracle about a program with arguments, which has no masks of lanes.
    ///
    /// # Errors
    /// The program does not compile, or does not end well.
    pub fn program(checked: Checked, arguments: &[&str]) -> Result<Case, String> {
        if checked.has_errors() {
            return Err(format!("does not compile:\n{}", checked.render(false)));
        }
        let expected = run(&checked, &Variant::reference(), arguments)?;
        let arguments = arguments.iter().map(|argument| argument.to_string()).collect();
        match expected.outcome {
            Outcome::Exit(0) => Ok(Case {
                program: Compiled::new(checked),
                arguments,
                expected,
                masks: false,
                agreed: Mutex::default(),
            }),
            outcome => Err(format!("the oracle ends with {outcome:?}")),
        }
    }

    /// The oracle's result.
    pub fn expected(&self) -> &Trace {
        &self.expected
    }

    /// Runs the program in one variant.
    ///
    /// # Errors
    /// It is refused.
    pub fn trace(&self, variant: &Variant) -> Result<Trace, String> {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        self.program.run(variant, &arguments)
    }

    /// Runs the program in every variant. Each build is compiled once, and each variant is run once.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn compare(&self, variants: &[Variant]) -> Result<(), Failure> {
        let wide = |variant: &&Variant| {
            let mut sets = variant.sets.iter();
            sets.any(|(key, value)| key == "sm.warp-width" && value == "64")
        };
        for variant in variants.iter().filter(|variant| !(self.masks && wide(variant))) {
            let name = format!("{variant:?}");
            if held(&self.agreed).contains(&name) {
                continue;
            }
            let result = self.program.build(variant).and_then(|build| self.run(variant, &build));
            result.map_err(|what| Failure { variant: variant.clone(), what })?;
            held(&self.agreed).insert(name);
        }
        Ok(())
    }

    /// Runs the program in every variant with the kernels of a file in the place of its own.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn compare_kernels(
        &mut self,
        name: &str,
        text: &str,
        level: kernel_file::Level,
        variants: &[Variant],
    ) -> Result<(), Failure> {
        self.trace_kernels(name, text, level, variants).map(drop)
    }

    /// The results of the program in every variant with the kernels of a file in the place of its own.
    ///
    /// # Errors
    /// The first difference, in words.
    pub fn trace_kernels(
        &mut self,
        name: &str,
        text: &str,
        level: kernel_file::Level,
        variants: &[Variant],
    ) -> Result<Vec<Trace>, Failure> {
        let checked = &mut self.program.checked;
        let file = KernelFile::of_text(name, text, level, &mut checked.sources);
        checked.set_kernels(vec![file]);
        let trace = |variant: &Variant| {
            let result = self.with_kernels(variant);
            result.map_err(|what| Failure { variant: variant.clone(), what })
        };
        let traces = variants.iter().map(trace).collect();
        self.program.checked.set_kernels(Vec::new());
        traces
    }

    fn with_kernels(&self, variant: &Variant) -> Result<Trace, String> {
        let machine = load_machine(&variant.machine, &variant.sets)?;
        let setup = setup(variant, &machine, &[]);
        let lowered =
            lower(&self.program.checked, &setup).map_err(|refused| refused.render(false))?;
        self.run(variant, &lowered)
    }

    fn run(&self, variant: &Variant, lowered: &Lowered) -> Result<Trace, String> {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let got = run_lowered(&self.program.checked, lowered, variant, &arguments)?;
        match difference(&self.expected, &got) {
            None => Ok(got),
            Some(_) if got.outcome != self.expected.outcome => {
                Err(got.outcome.render(&self.program.checked.sources, false))
            }
            Some(difference) if self.arguments.is_empty() => {
                Err(self.printed(variant, lowered).unwrap_or(difference))
            }
            Some(difference) => Err(difference),
        }
    }

    /// The first difference in the print-out of a generated program.
    fn printed(&self, variant: &Variant, lowered: &Lowered) -> Option<String> {
        let expected = run(&self.program.checked, &Variant::reference(), &["print"]).ok()?;
        let got = run_lowered(&self.program.checked, lowered, variant, &["print"]).ok()?;
        difference(&expected, &got)
    }
}

/// Locks a value. A test that panicked while it held the lock has left the value whole.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
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
