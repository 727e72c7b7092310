//! Runs every program in every configuration.

use anyhow::{Result, anyhow};
use reconverge::execute::ModelName;
use reconverge_compiler::lower::Options;
use reconverge_simulator::Machine;
use reconverge_tests::study::programs::{Kind, programs};
use reconverge_tests::study::{self, Run, Variant, pairs};

/// The baseline of the schemes.
pub const STACK: &str = "simt-stack";
/// The machine of the schemes, which is the dissertation's.
pub const MACHINE: &str = "gtx480";
/// What makes that machine's widths those of the intra-warp paper.
pub const NARROW: &[(&str, &str)] =
    &[("sm.warp-width", "16"), ("pipes.simple.lanes", "4"), ("pipes.special.lanes", "4")];
/// The schemes under which lanes are permuted: for speed, and for compaction rates, as in the dissertation.
pub const PERMUTED: &[(Group, &str)] =
    &[(Group::Lanes, "capri"), (Group::Rates, "block-compaction")];

/// Options beside the defaults that are measured: (scheme, option, value), where they exist.
const OPTIONS: &[(&str, &str, &str)] = &[
    ("simt-stack", "push-order", "fewer-threads-first"),
    ("dual-path", "scheduling", "constrained"),
    ("dual-path", "scoreboard", "optimistic"),
    ("dual-path", "path-forwarding", "true"),
    ("warp-subdivision", "threshold", "3"),
    ("warp-subdivision", "threshold", "10"),
    ("warp-subdivision", "threshold", "100"),
    ("warp-subdivision", "memory-divergence", "true"),
    ("capri", "history", "sticky"),
    ("capri", "history", "counter2"),
    ("capri", "history", "none"),
    ("capri", "entries", "2"),
    ("capri", "paths", "2"),
    ("block-compaction", "paths", "2"),
    ("multi-path", "early-reconvergence", "true"),
];

/// What a row of a table is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A scheme of the slot `divergence`.
    Scheme,
    /// A permutation of the slot `lane-permutation`, under `capri`.
    Lanes,
    /// A permutation of the slot `lane-permutation`, under `block-compaction`, which compacts wherever it can.
    Rates,
    /// A scheme of the slot `cycle-compression`, on a narrow machine.
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

fn configurations() -> Vec<Configuration> {
    let of = |group| {
        move |Variant { label, is_variant, sets }| Configuration { group, label, is_variant, sets }
    };
    // The same under more settings.
    let with = |sets: &[(&str, &str)], variant: Variant| Variant {
        sets: [pairs(sets), variant.sets].concat(),
        ..variant
    };
    let schemes = study::variants("divergence", OPTIONS).into_iter();
    let mut found: Vec<Configuration> = schemes.map(of(Group::Scheme)).collect();
    for &(group, scheme) in PERMUTED {
        let lanes = study::variants("lane-permutation", &[]).into_iter();
        found.extend(lanes.map(|it| with(&[("divergence", scheme)], it)).map(of(group)));
    }
    let widths = study::variants("cycle-compression", &[]).into_iter();
    found.extend(widths.map(|it| with(NARROW, it)).map(of(Group::Width)));
    found
}

/// All runs.
pub struct Results {
    pub programs: Vec<(&'static str, Kind)>,
    pub configurations: Vec<Configuration>,
    /// By configuration, by program, where it was measured.
    pub runs: Vec<Vec<Option<Run>>>,
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
    let runs = study::grid(machines.len(), &programs, |number, program| {
        let group = configurations[number].group;
        // Permutations are measured on divergent programs only, rates of compaction need no time.
        let model = match group {
            Group::Lanes | Group::Rates if program.kind == Kind::None => return Ok(None),
            Group::Rates => ModelName::Functional,
            _ => ModelName::Timing,
        };
        study::run(program, &machines[number], model, Options::default()).map(Some)
    })?;
    let programs = programs.iter().map(|program| (program.name, program.kind)).collect();
    Ok(Results { programs, configurations, runs })
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
        self.runs[configuration][program].as_ref()?.entries.get(name).copied()
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

    /// The mean of a counter by that of the baseline.
    pub fn mean_relative(&self, of: usize, programs: &[usize], name: &str) -> Option<f64> {
        let to = self.baseline(of)?;
        study::mean(programs, |program| self.relative(of, to, program, name))
    }

    /// Runs whose output or memory are not the baseline's.
    pub fn complaints(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (configuration, runs) in self.runs.iter().enumerate() {
            let Some(baseline) = self.baseline(configuration) else { continue };
            for (program, run) in runs.iter().enumerate() {
                if let (Some(run), Some(right)) = (run, &self.runs[baseline][program])
                    && run.fault.is_none()
                    && !run.agrees(right)
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
