//! What the generated documents share: the programs, a run of one on a machine, means and extremes,
//! tables, and how a document is written.

pub mod document;
pub mod programs;
pub mod table;

use anyhow::{Result, anyhow};
use programs::Program;
use rayon::prelude::*;
use reconverge::comparison::Variation;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge::study::provenance::Provenance;
use reconverge_compiler::lower::Options;
use reconverge_simulator::{Machine, Statistics, mechanisms};
use std::collections::BTreeMap;

/// A mechanism with its options, on a machine that is otherwise as it is.
pub struct Variant {
    /// `cae`, `scalar-unit, detection=tags`.
    pub label: String,
    /// An option is not the default.
    pub is_variant: bool,
    /// What makes it of the machine.
    pub sets: Vec<(String, String)>,
}

/// Every mechanism of a slot as it is, and after it with each of those options that it has: (mechanism,
/// option, value).
pub fn variants(slot: &str, options: &[(&str, &str, &str)]) -> Vec<Variant> {
    let mut found = Vec::new();
    for mechanism in mechanisms().into_iter().filter(|info| info.slot == slot) {
        let usual = pairs(&[(slot, mechanism.name)]);
        let has = |option: &str| mechanism.options.iter().any(|(name, _)| *name == option);
        let own = options.iter().filter(|(name, option, _)| *name == mechanism.name && has(option));
        let label = mechanism.name.to_string();
        found.push(Variant { label, is_variant: false, sets: usual.clone() });
        found.extend(own.map(|(name, option, value)| {
            let sets = [usual.clone(), pairs(&[(&format!("{name}.{option}"), value)])].concat();
            Variant { label: format!("{name}, {option}={value}"), is_variant: true, sets }
        }));
    }
    found
}

/// Settings as a machine takes them.
pub fn pairs(sets: &[(&str, &str)]) -> Vec<(String, String)> {
    sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect()
}

/// What a run measured and left.
#[derive(Default)]
pub struct Run {
    /// Every statistic of all launches together, by name; none if the run was stopped.
    pub entries: BTreeMap<&'static str, f64>,
    /// Why it was stopped.
    pub fault: Option<String>,
    /// Standard output.
    pub output: Vec<u8>,
    /// The digest of device memory after each launch.
    pub memory: Vec<Option<u64>>,
}

impl Run {
    /// Whether output and memory are those of another run.
    pub fn agrees(&self, other: &Run) -> bool {
        (&self.output, &self.memory) == (&other.output, &other.memory)
    }
}

/// Runs a program.
///
/// # Errors
/// It does not compile, or ends with another status than 0.
pub fn run(
    program: &Program,
    machine: &Machine,
    model: ModelName,
    options: Options,
) -> Result<Run> {
    let setup = Setup {
        options,
        arguments: program.arguments.clone(),
        digest: true,
        ..Setup::new(machine, model)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(&program.checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| anyhow!("{}: {}", program.name, refused.render(false)))?;
    if let Outcome::Exit(status @ 1..) = execution.outcome {
        let text = String::from_utf8_lossy(&output);
        return Err(anyhow!("{}: exit status {status}\n{text}", program.name));
    }
    let variation = Variation {
        settings: Vec::new(),
        machine: machine.name.clone(),
        provenance: Provenance::default(),
        outcome: execution.outcome,
        output,
        errors,
        records: execution.records,
    };
    let statistics = variation.statistics();
    Ok(Run {
        entries: statistics.as_ref().map(Statistics::entries).unwrap_or_default(),
        fault: variation.fault().map(|(kind, reason)| format!("{kind}: {reason}")),
        memory: variation.records.iter().map(|record| record.memory).collect(),
        output: variation.output,
    })
}

/// Runs every program in each of some configurations, on all processors, where `run` gives one: the runs
/// by configuration, by program.
///
/// # Errors
/// Those of the first run that has one.
pub fn grid(
    configurations: usize,
    programs: &[Program],
    run: impl Fn(usize, &Program) -> Result<Option<Run>> + Sync,
) -> Result<Vec<Vec<Option<Run>>>> {
    let cells = configurations * programs.len();
    let runs: Vec<Option<Run>> = (0..cells)
        .into_par_iter()
        .map(|cell| run(cell / programs.len(), &programs[cell % programs.len()]))
        .collect::<Result<_>>()?;
    let mut runs = runs.into_iter();
    Ok((0..configurations).map(|_| runs.by_ref().take(programs.len()).collect()).collect())
}

/// The arithmetic mean of what there is of some programs.
pub fn mean(programs: &[usize], value: impl Fn(usize) -> Option<f64>) -> Option<f64> {
    let values: Vec<f64> = programs.iter().filter_map(|&program| value(program)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The largest or the smallest of some named values; of equal ones the last or the first.
pub fn extreme<'a>(
    values: impl Iterator<Item = (f64, &'a str)>,
    largest: bool,
) -> Option<(f64, &'a str)> {
    match largest {
        true => values.max_by(|a, b| a.0.total_cmp(&b.0)),
        false => values.min_by(|a, b| a.0.total_cmp(&b.0)),
    }
}
