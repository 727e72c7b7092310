//! A point: one program with its arguments on one machine. Its inputs decide its identity, and its
//! outcome is one JSON file.

use super::provenance::{Provenance, digest};
use crate::build::{Checked, Refused};
use crate::execute::{self, ModelName, Setup};
use crate::host;
use crate::host::sandbox::{Input, Sandbox};
use crate::interruption::Interruption;
use crate::load_hints;
use crate::profile;
use crate::report::{Number, numbers};
use reconverge_compiler::lower::{LineOfKernel, Options};
use reconverge_simulator::{EnergyTable, Machine, Statistics, energy_table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The version of the JSON's shape; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;
// `--load-hints` reads the output of a profile, without converting it.
const _: () = assert!(profile::SCHEMA == load_hints::PROFILE);

/// The inputs of a run.
#[derive(Clone)]
pub struct Point {
    /// SHA-256 of everything that its results depend on, hexadecimal.
    pub identity: String,
    /// The provenance of its results.
    pub provenance: Provenance,
    /// The program.
    pub checked: Arc<Checked>,
    /// The options of its kernels' compilation.
    pub options: Options,
    /// The machine.
    pub machine: Machine,
    /// The machine on which a run goes before, of whose profile loads get their localities; none if there is none.
    pub profiled: Option<Machine>,
    /// The files that the program may read.
    pub allowed: Vec<PathBuf>,
}

/// The outcome of a point.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Outcome {
    /// [`SCHEMA`].
    pub schema: u32,
    /// Its provenance.
    pub provenance: Provenance,
    /// `exit`, `trap`, `deadlock`, `limit`, `refused` (it does not compile) or `internal error`.
    pub outcome: String,
    /// The exit status that `run` would have.
    pub status: u8,
    /// The error that stopped it, in full; empty if it completed with status 0.
    pub report: String,
    /// SHA-256 of standard output.
    pub output: String,
    /// SHA-256 of the digests of device memory after each launch.
    pub memory: String,
    /// Every statistic of all launches together; empty if the program did not complete.
    pub statistics: BTreeMap<String, serde_json::Number>,
    /// Every kernel with its launches together, in the order of their first launch.
    pub kernels: Vec<Kernel>,
}

/// A kernel's launches together.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The number of its launches.
    pub launches: u64,
    /// Blocks of the first launch along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block of the first launch along x, y and z.
    pub block: [u32; 3],
    /// Every statistic.
    pub statistics: BTreeMap<String, serde_json::Number>,
}

impl Outcome {
    /// Returns true if this version wrote it, or one with the same format.
    pub fn is_readable(&self) -> bool {
        self.schema == SCHEMA
    }

    /// Returns true if the program completed with status 0.
    pub fn is_good(&self) -> bool {
        self.outcome == "exit" && self.status == 0
    }

    /// The first line of the report.
    pub fn reason(&self) -> String {
        let first = self.report.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        match first {
            "" => format!("{}, status {}", self.outcome, self.status),
            first => first.trim().to_owned(),
        }
    }
}

impl Point {
    /// The setup of a run on a machine.
    fn setup<'a>(&self, machine: &'a Machine, interruption: &Interruption) -> Setup<'a> {
        let name = std::iter::once(self.provenance.program.clone());
        let sandbox = Sandbox {
            input: Input::Empty,
            directory: PathBuf::new(),
            allowed: self.allowed.clone(),
            read_only: true,
            closed: None,
        };
        Setup {
            options: self.options.clone(),
            arguments: name.chain(self.provenance.arguments.iter().cloned()).collect(),
            sandbox,
            digest: true,
            interruption: interruption.clone(),
            ..Setup::new(machine, ModelName::Timing)
        }
    }

    /// The options with the localities of loads that a run on a machine has shown. If that run
    /// stops, the point stops too, with a note.
    fn with_localities(
        &self,
        machine: &Machine,
        interruption: &Interruption,
    ) -> Result<Options, Refused<'_>> {
        let setup = Setup { profile: true, digest: false, ..self.setup(machine, interruption) };
        let lowered = execute::lower_once(&self.checked, &setup)?;
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let (checked, watch) = (&self.checked, &mut |_: &str, _: &_| {});
        let ran =
            execute::execute_lowered(checked, &lowered, &setup, &mut output, &mut errors, watch)?;
        let kernels = profile::kernels(&ran.records, &lowered.program, &checked.sources);
        let lines = kernels.iter().flat_map(|kernel| {
            kernel.lines.iter().map(|line| {
                let counts = (line.statistics.l1_hits, line.statistics.l1_misses);
                (LineOfKernel::new(&kernel.name, &line.file, line.line), counts)
            })
        });
        let localities = load_hints::localities(lines);
        Ok(Options { load_hints: true, localities, ..self.options.clone() })
    }

    /// Runs it. None if it was interrupted.
    pub fn run(&self, interruption: &Interruption) -> Option<Outcome> {
        let mut setup = self.setup(&self.machine, interruption);
        let (mut output, mut errors) = (Vec::new(), Vec::new());
        let hinted = match &self.profiled {
            Some(machine) => self.with_localities(machine, interruption),
            None => Ok(self.options.clone()),
        };
        let done = hinted.and_then(|options| {
            setup.options = options;
            let (output, errors) = (&mut output, &mut errors);
            execute::execute(&self.checked, &setup, output, errors, &mut |_, _| {})
        });
        let execution = match done {
            Ok(execution) => execution,
            Err(refused) => {
                let report = refused.render(false);
                return Some(self.failed("refused", crate::status::COMPILE, report));
            }
        };
        let ended = &execution.outcome;
        let kind = match ended {
            host::report::Outcome::Interrupted(_) => return None,
            host::report::Outcome::Exit(_) => "exit",
            host::report::Outcome::Trap(_) => "trap",
            host::report::Outcome::Deadlock(_) => "deadlock",
            host::report::Outcome::Limit(_) => "limit",
            host::report::Outcome::Internal(_) => "internal error",
        };
        let report = match kind {
            "exit" if ended.status() == 0 => String::new(),
            "exit" => String::from_utf8_lossy(&output).into_owned(),
            _ => ended.render(&self.checked.sources, false),
        };
        if kind != "exit" {
            return Some(self.failed(kind, ended.status(), report));
        }
        let memory: Vec<_> = execution.records.iter().map(|record| record.memory).collect();
        let energy = energy_table(&self.machine);
        let mut all = Statistics::default();
        let mut kernels: Vec<(Kernel, Statistics)> = Vec::new();
        for record in &execution.records {
            let Some(statistics) = record.statistics.as_deref() else { continue };
            all.append(statistics);
            match kernels.iter_mut().find(|(kernel, _)| kernel.name == record.name) {
                Some((kernel, sum)) => {
                    kernel.launches += 1;
                    sum.append(statistics);
                }
                None => {
                    let kernel = Kernel {
                        name: record.name.clone(),
                        launches: 1,
                        grid: record.grid,
                        block: record.block,
                        statistics: BTreeMap::new(),
                    };
                    kernels.push((kernel, statistics.clone()));
                }
            }
        }
        let kernels = kernels
            .into_iter()
            .map(|(kernel, sum)| Kernel { statistics: written(&sum, energy.as_ref()), ..kernel });
        Some(Outcome {
            output: digest(&output),
            memory: digest(format!("{memory:?}").as_bytes()),
            statistics: written(&all, energy.as_ref()),
            kernels: kernels.collect(),
            ..self.failed("exit", ended.status(), report)
        })
    }

    fn failed(&self, outcome: &str, status: u8, report: String) -> Outcome {
        Outcome {
            schema: SCHEMA,
            provenance: self.provenance.clone(),
            outcome: outcome.to_owned(),
            status,
            report,
            output: String::new(),
            memory: String::new(),
            statistics: BTreeMap::new(),
            kernels: Vec::new(),
        }
    }
}

fn written(
    statistics: &Statistics,
    energy: Option<&EnergyTable>,
) -> BTreeMap<String, serde_json::Number> {
    let number = |(name, number): (&'static str, Number)| {
        let number = match number {
            Number::Counter(value) => Some(value.into()),
            Number::Ratio(value) => serde_json::Number::from_f64(value),
        };
        Some((name.to_owned(), number?))
    };
    numbers(statistics, energy).into_iter().filter_map(number).collect()
}
