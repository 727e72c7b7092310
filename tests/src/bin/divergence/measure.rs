//! Runs every program in every configuration.

use crate::programs::{Kind, Program, programs};
use anyhow::{Result, anyhow};
use reconverge::comparison::Variation;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge::host::surroundings::Surroundings;
use reconverge_compiler::lower::Options;
use reconverge_simulator::{Machine, MechanismInfo, Statistics, mechanisms};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The baseline of the schemes.
pub const STACK: &str = "simt-stack";
/// The machine of the schemes, which is the dissertation's.
pub const MACHINE: &str = "gtx480";
/// What makes that machine's widths those of the intra-warp paper.
pub const NARROW: &[(&str, &str)] =
    &[("core.warp-width", "16"), ("pipes.simple.lanes", "4"), ("pipes.special.lanes", "4")];
/// The schemes under which lanes are permuted: for speed, and for compaction rates, as in the dissertation.
pub const PERMUTED: &[(Group, &str)] =
    &[(Group::Lanes, "capri"), (Group::Rates, "block-compaction")];

/// Options beside the defaults that are measured: (scheme, option, value), where they exist.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("simt-stack", "push-order", "fewer-threads-first"),
    ("dual-path", "scheduling", "constrained"),
    ("dual-path", "scoreboard", "optimistic"),
    ("dual-path", "path-forwarding", "true"),
    ("dual-path", "compaction", "capri"),
    ("warp-subdivision", "threshold", "3"),
    ("warp-subdivision", "threshold", "10"),
    ("warp-subdivision", "threshold", "100"),
    ("capri", "history", "sticky"),
    ("capri", "history", "counter2"),
    ("capri", "history", "none"),
    ("capri", "entries", "2"),
    ("multi-path", "early", "true"),
];

/// What a row of a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A scheme of the slot `divergence`.
    Scheme,
    /// A permutation of the slot `lanes`, under `capri`.
    Lanes,
    /// The same under `block-compaction`, which compacts wherever it can.
    Rates,
    /// A scheme of the slot `execute-width`, on a narrow machine.
    Width,
}

/// A machine to measure.
#[derive(Clone, Debug)]
pub struct Configuration {
    pub group: Group,
    /// `dual-path`, `dual-path, scheduling=constrained`, `balanced`, `scc`.
    pub label: String,
    /// An option is not the default.
    pub is_variant: bool,
    pub sets: Vec<(String, String)>,
}

fn pairs(sets: &[(&str, &str)]) -> Vec<(String, String)> {
    sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

fn configurations() -> Vec<Configuration> {
    let all = mechanisms();
    let of = |slot: &'static str| all.iter().filter(move |info: &&MechanismInfo| info.slot == slot);
    let mut found = Vec::new();
    for scheme in of("divergence") {
        let sets = vec![("divergence".to_string(), scheme.name.to_string())];
        let has = |option: &str| scheme.options.iter().any(|(name, _)| *name == option);
        let variants =
            OPTIONS.iter().filter(|(name, option, _)| *name == scheme.name && has(option));
        found.push(Configuration {
            group: Group::Scheme,
            label: scheme.name.to_string(),
            is_variant: false,
            sets: sets.clone(),
        });
        found.extend(
            variants.map(|(name, option, value)| Configuration {
                group: Group::Scheme,
                label: format!("{name}, {option}={value}"),
                is_variant: true,
                sets: sets
                    .iter()
                    .cloned()
                    .chain(pairs(&[(&format!("{name}.{option}"), value)]))
                    .collect(),
            }),
        );
    }
    let exists = |name: &str| of("divergence").any(|scheme| scheme.name == name);
    for &(group, scheme) in PERMUTED.iter().filter(|(_, scheme)| exists(scheme)) {
        found.extend(of("lanes").map(|lanes| Configuration {
            group,
            label: lanes.name.to_string(),
            is_variant: false,
            sets: pairs(&[("divergence", scheme), ("lanes", lanes.name)]),
        }));
    }
    found.extend(of("execute-width").map(|width| Configuration {
        group: Group::Width,
        label: width.name.to_string(),
        is_variant: false,
        sets: pairs(NARROW).into_iter().chain(pairs(&[("execute-width", width.name)])).collect(),
    }));
    found
}

/// A run.
#[derive(Default)]
pub struct Run {
    /// Permutations are measured on divergent programs only.
    is_missing: bool,
    /// Every statistic of all launches together, by name; none if it was stopped.
    pub entries: BTreeMap<&'static str, f64>,
    /// Why it was stopped.
    pub fault: Option<String>,
    output: Vec<u8>,
    memory: Vec<Option<u64>>,
}

/// All runs.
pub struct Results {
    pub programs: Vec<(&'static str, Kind)>,
    pub configurations: Vec<Configuration>,
    /// By configuration, by program.
    pub runs: Vec<Vec<Run>>,
}

/// Runs everything, on all processors.
pub fn measure(only: &str) -> Result<Results> {
    let programs = programs(only)?;
    let configurations = configurations();
    let machines: Vec<Machine> = configurations
        .iter()
        .map(|configuration| {
            Machine::load(MACHINE, &configuration.sets)
                .map_err(|error| anyhow!("{}: {error}", configuration.label))
        })
        .collect::<Result<_>>()?;
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let count = programs.len() * machines.len();
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                break;
            }
            let (number, program) = (index / programs.len(), &programs[index % programs.len()]);
            let group = configurations[number].group;
            let permutes = matches!(group, Group::Lanes | Group::Rates);
            let run = match permutes && program.kind == Kind::None {
                true => Ok(Run { is_missing: true, ..Run::default() }),
                false => run(program, &machines[number], group),
            };
            if let Ok(mut done) = done.lock() {
                done.insert(index, run);
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let done = done.into_inner().map_err(|_| anyhow!("a run has panicked"))?;
    let mut runs: Vec<Vec<Run>> = configurations.iter().map(|_| Vec::new()).collect();
    for (index, run) in done {
        runs[index / programs.len()].push(run.map_err(|error| anyhow!("{error}"))?);
    }
    let programs = programs.iter().map(|program| (program.name, program.kind)).collect();
    Ok(Results { programs, configurations, runs })
}

fn run(program: &Program, machine: &Machine, group: Group) -> Result<Run, String> {
    // Rates of compaction need no time.
    let model = if group == Group::Rates { ModelName::Functional } else { ModelName::Timing };
    let setup = Setup {
        machine,
        model,
        max_cycles: None,
        threads: 1,
        max_operations: None,
        options: Options::default(),
        verify_annotations: false,
        profile: false,
        arguments: program.arguments.clone(),
        surroundings: Surroundings::default(),
        digest: true,
        trace: None,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(&program.checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| refused.render(false))?;
    if let Outcome::Exit(status @ 1..) = execution.outcome {
        let text = String::from_utf8_lossy(&output);
        return Err(format!("{}: exit status {status}\n{text}", program.name));
    }
    let variation = Variation {
        settings: Vec::new(),
        machine: machine.name.clone(),
        outcome: execution.outcome,
        output,
        errors,
        records: execution.records,
    };
    let statistics = variation.statistics();
    Ok(Run {
        is_missing: false,
        entries: statistics.as_ref().map(Statistics::entries).unwrap_or_default(),
        fault: variation.fault().map(|(kind, reason)| format!("{kind}: {reason}")),
        memory: variation.records.iter().map(|record| record.memory).collect(),
        output: variation.output,
    })
}

impl Results {
    /// The number of a configuration.
    pub fn find(&self, group: Group, label: &str) -> Option<usize> {
        let is = |one: &Configuration| one.group == group && one.label == label;
        self.configurations.iter().position(is)
    }

    /// What a configuration is held against: the stack, or the narrow machine without compression.
    fn baseline(&self, configuration: usize) -> Option<usize> {
        match self.configurations[configuration].group {
            Group::Scheme | Group::Lanes | Group::Rates => self.find(Group::Scheme, STACK),
            Group::Width => self.find(Group::Width, "none"),
        }
    }

    /// A statistic of a run.
    pub fn value(&self, configuration: usize, program: usize, name: &str) -> Option<f64> {
        self.runs[configuration][program].entries.get(name).copied()
    }

    /// A counter by that of another configuration.
    pub fn relative(&self, of: usize, to: usize, program: usize, name: &str) -> Option<f64> {
        let to = self.value(to, program, name)?;
        (to != 0.0).then_some(self.value(of, program, name)? / to)
    }

    /// How often as fast as the baseline.
    pub fn speed(&self, configuration: usize, program: usize) -> Option<f64> {
        let relative =
            self.relative(configuration, self.baseline(configuration)?, program, "cycles")?;
        Some(1.0 / relative)
    }

    /// The programs of a kind.
    pub fn of(&self, kinds: &[Kind]) -> Vec<usize> {
        (0..self.programs.len()).filter(|&at| kinds.contains(&self.programs[at].1)).collect()
    }

    /// The harmonic mean of speeds, as the dissertation has it, over the programs that ended.
    pub fn mean_speed(&self, configuration: usize, programs: &[usize]) -> Option<f64> {
        let speeds: Vec<f64> =
            programs.iter().filter_map(|&program| self.speed(configuration, program)).collect();
        let inverse: f64 = speeds.iter().map(|speed| 1.0 / speed).sum();
        (!speeds.is_empty()).then(|| speeds.len() as f64 / inverse)
    }

    /// The arithmetic mean of what there is.
    pub fn mean(&self, programs: &[usize], value: impl Fn(usize) -> Option<f64>) -> Option<f64> {
        let values: Vec<f64> = programs.iter().filter_map(|&program| value(program)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The mean of a counter by that of the baseline.
    pub fn mean_relative(&self, of: usize, programs: &[usize], name: &str) -> Option<f64> {
        let to = self.baseline(of)?;
        self.mean(programs, |program| self.relative(of, to, program, name))
    }

    /// Runs whose output or memory are not the baseline's.
    pub fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (configuration, runs) in self.runs.iter().enumerate() {
            let Some(baseline) = self.baseline(configuration) else { continue };
            for (program, run) in runs.iter().enumerate() {
                let right = &self.runs[baseline][program];
                if run.fault.is_none()
                    && !run.is_missing
                    && (&run.output, &run.memory) != (&right.output, &right.memory)
                {
                    let (label, name) =
                        (&self.configurations[configuration].label, self.programs[program].0);
                    found.push(format!("{name} under {label}"));
                }
            }
        }
        found
    }
}
