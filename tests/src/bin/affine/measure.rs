//! Runs every program in every configuration.

use anyhow::{Result, anyhow};
use reconverge::execute::ModelName;
use reconverge_compiler::lower::Options;
use reconverge_simulator::{Machine, MechanismInfo, mechanisms};
use reconverge_tests::study::programs::programs;
use reconverge_tests::study::{self, Run, Variant, pairs};

/// The machine, which is the paper's.
pub const MACHINE: &str = "gtx480";
/// The baseline.
pub const NONE: &str = "none";
/// The slot whose mechanisms are compared with those of `affine`.
const PREFETCHER: &str = "prefetcher";
/// Instructions are always there: what a program is bound by is asked of its data only.
pub const INSTRUCTIONS: (&str, &str) = ("instruction-cache.size", "0");
/// What makes that machine's memory answer at once, as far as SMs can tell: levels after the first that
/// take a few cycles, and room and bandwidth without limit.
pub const PERFECT: &[(&str, &str)] = &[
    ("l1.mshrs", "4096"),
    ("l1.mshr-merges", "4096"),
    ("interconnect.clock-mhz", "2800"),
    ("interconnect.latency", "16"),
    ("interconnect.bytes-per-cycle", "65536"),
    ("interconnect.queue", "4096"),
    ("interconnect.credits", "4096"),
    ("l2.clock-mhz", "2800"),
    ("l2.latency", "1"),
    ("l2.mshrs", "4096"),
    ("l2.mshr-merges", "4096"),
    ("dram.clock-mhz", "20000"),
    ("dram.latency", "1"),
    ("dram.read-queue", "4096"),
];
/// A program is memory-bound if it is so much faster then.
pub const MEMORY_BOUND: f64 = 1.5;
/// A program is regular if `decoupled` leaves at most so much of its warp instructions.
pub const REGULAR: f64 = 0.8;

/// Options beside the defaults that are measured: (mechanism, option, value), where they exist.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("scalar-unit", "detection", "tags"),
    ("many-thread-prefetch", "distance", "4"),
    ("many-thread-prefetch", "throttle", "false"),
    ("decoupled", "batch", "drained"),
    ("decoupled", "kernels", "all"),
    ("decoupled", "lookup", "idle"),
];

/// A machine that differs in one setting, on which some mechanisms are measured too, beside `none` on
/// the same.
pub struct Other {
    /// What it has.
    pub name: &'static str,
    /// Its setting.
    pub set: (&'static str, &'static str),
    mechanisms: &'static [&'static str],
}

/// What relieves the pipes, where both schedulers have one; and what keeps lines, where rows of a power of two
/// do not fall into few sets.
pub const OTHERS: &[Other] = &[
    Other {
        name: "one pipe",
        set: ("pipes.simple.count", "1"),
        mechanisms: &[NONE, "cae", "scalar-unit"],
    },
    Other {
        name: "plain sets",
        set: ("l1.hash", "none"),
        mechanisms: &[NONE, "many-thread-prefetch", "decoupled"],
    },
];

/// A machine to measure.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// `cae`, `scalar-unit, detection=tags`, `cae, one pipe`.
    pub label: String,
    /// An option is not the default, or the machine another.
    pub is_variant: bool,
    /// Of which of the other machines it is.
    other: Option<&'static str>,
    sets: Vec<(String, String)>,
}

/// The label on another machine.
pub fn on_other(name: &str, other: &str) -> String {
    format!("{name}, {other}")
}

/// The slot that a mechanism fills.
fn slot(name: &str) -> &'static str {
    let of_prefetcher = |it: &MechanismInfo| it.slot == PREFETCHER && it.name == name;
    let is_prefetcher = name != NONE && mechanisms().iter().any(of_prefetcher);
    if is_prefetcher { PREFETCHER } else { "affine" }
}

fn configurations() -> Vec<Configuration> {
    let mut variants = study::variants("affine", OPTIONS);
    let prefetchers = study::variants(PREFETCHER, OPTIONS).into_iter();
    let last = variants.iter().position(|it| it.label == "decoupled").unwrap_or(variants.len());
    variants.splice(last..last, prefetchers.filter(|it| it.label != NONE));
    let mut found: Vec<Configuration> = variants
        .into_iter()
        .map(|Variant { label, is_variant, sets }| Configuration {
            label,
            is_variant,
            other: None,
            sets,
        })
        .collect();
    for other in OTHERS {
        found.extend(other.mechanisms.iter().map(|name| Configuration {
            label: on_other(name, other.name),
            is_variant: true,
            other: Some(other.name),
            sets: pairs(&[(slot(name), name), other.set]),
        }));
    }
    found
}

/// All runs.
pub struct Results {
    pub programs: Vec<&'static str>,
    pub configurations: Vec<Configuration>,
    /// By configuration, by program.
    runs: Vec<Vec<Option<Run>>>,
    /// By program, without a mechanism, where instructions are always there: with the machine's memory,
    /// and with an ideal one.
    memories: [Vec<Option<Run>>; 2],
}

/// Runs everything, on all processors.
pub fn measure(only: &str) -> Result<Results> {
    let programs = programs(only)?;
    let configurations = configurations();
    let load = |label: &str, sets: &[(String, String)]| {
        Machine::load(MACHINE, sets).map_err(|error| anyhow!("{label}: {error}"))
    };
    let mut machines: Vec<Machine> =
        configurations.iter().map(|one| load(&one.label, &one.sets)).collect::<Result<_>>()?;
    for memory in [&[], PERFECT] {
        let sets = pairs(&[memory, &[INSTRUCTIONS]].concat());
        machines.push(load("another memory", &sets)?);
    }
    let mut runs = study::grid(machines.len(), &programs, |number, program| {
        study::run(program, &machines[number], ModelName::Timing, Options::default()).map(Some)
    })?;
    let perfect = runs.pop().unwrap_or_default();
    let memories = [runs.pop().unwrap_or_default(), perfect];
    let programs = programs.iter().map(|program| program.name).collect();
    Ok(Results { programs, configurations, runs, memories })
}

/// What a program is bound by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Memory,
    Compute,
}

impl Results {
    /// The number of a configuration.
    pub fn find(&self, label: &str) -> Option<usize> {
        self.configurations.iter().position(|configuration| configuration.label == label)
    }

    /// Why a run was stopped.
    pub fn fault(&self, configuration: usize, program: usize) -> Option<&str> {
        self.runs[configuration][program].as_ref()?.fault.as_deref()
    }

    /// A statistic of a run, if there is such a one.
    pub fn value(&self, configuration: usize, program: usize, name: &str) -> Option<f64> {
        self.runs[configuration][program].as_ref()?.entries.get(name).copied()
    }

    /// A statistic of the baseline.
    pub fn without(&self, program: usize, name: &str) -> Option<f64> {
        self.value(self.find(NONE)?, program, name)
    }

    /// A counter by that of the baseline, on the same machine.
    pub fn relative(&self, configuration: usize, program: usize, name: &str) -> Option<f64> {
        let without = match self.configurations[configuration].other {
            Some(other) => self.value(self.find(&on_other(NONE, other))?, program, name)?,
            None => self.without(program, name)?,
        };
        (without != 0.0).then_some(self.value(configuration, program, name)? / without)
    }

    /// How often as fast as the baseline.
    pub fn speed(&self, configuration: usize, program: usize) -> Option<f64> {
        Some(1.0 / self.relative(configuration, program, "cycles")?)
    }

    /// How often as fast the baseline is with an ideal memory, where instructions are always there.
    pub fn perfect(&self, program: usize) -> Option<f64> {
        let cycles = |runs: &[Option<Run>]| runs[program].as_ref()?.entries.get("cycles").copied();
        let [usual, perfect] = &self.memories;
        Some(cycles(usual)? / cycles(perfect)?)
    }

    /// What a program is bound by.
    pub fn bound(&self, program: usize) -> Option<Bound> {
        let perfect = self.perfect(program)?;
        Some(if perfect >= MEMORY_BOUND { Bound::Memory } else { Bound::Compute })
    }

    /// The programs that are bound by something, or all.
    pub fn of(&self, bound: Option<Bound>) -> Vec<usize> {
        let all = 0..self.programs.len();
        all.filter(|&program| bound.is_none() || self.bound(program) == bound).collect()
    }

    /// Those that a configuration of `decoupled` has decoupled.
    pub fn decoupled(&self) -> Vec<usize> {
        let Some(at) = self.find("decoupled") else {
            return Vec::new();
        };
        let all = 0..self.programs.len();
        all.filter(|&p| self.value(at, p, "affine_instructions").is_some_and(|n| n > 0.0)).collect()
    }

    /// Those of them that lose at least a fifth of their warp instructions: whose addresses and control are regular.
    pub fn regular(&self) -> Vec<usize> {
        let mut programs = self.decoupled();
        if let Some(at) = self.find("decoupled") {
            let left = |program| self.relative(at, program, "warp_instructions");
            programs.retain(|&program| left(program).is_some_and(|left| left <= REGULAR));
        }
        programs
    }

    /// The geometric mean of what there is, as the paper has it of speeds.
    pub fn geometric(
        &self,
        programs: &[usize],
        value: impl Fn(usize) -> Option<f64>,
    ) -> Option<f64> {
        let logarithm = |program: usize| value(program).filter(|it| *it > 0.0).map(f64::ln);
        study::mean(programs, logarithm).map(f64::exp)
    }

    /// Runs whose output or memory are not the baseline's.
    pub fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        let Some(none) = self.find(NONE) else {
            return vec!["there is no baseline".to_string()];
        };
        let mut check = |label: &str, runs: &[Option<Run>]| {
            for (program, run) in runs.iter().enumerate() {
                if let (Some(run), Some(right)) = (run, &self.runs[none][program])
                    && run.fault.is_none()
                    && !run.agrees(right)
                {
                    found.push(format!("{} under {label}", self.programs[program]));
                }
            }
        };
        for (configuration, runs) in self.configurations.iter().zip(&self.runs) {
            check(&configuration.label, runs);
        }
        self.memories.iter().for_each(|runs| check("another memory", runs));
        found
    }
}
