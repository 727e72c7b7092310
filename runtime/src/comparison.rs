//! Runs of one program beside each other, with their agreement, as a table for people, and as JSON
//! for programs.

use crate::energy::{self, with_unit};
use crate::findings::Finding;
use crate::host::report::Outcome;
use crate::kernel_record::KernelRecord;
use crate::model_name::ModelName;
use crate::numbers::{bytes, grouped};
use crate::profile::KernelProfile;
use crate::report::{KernelReport, Number, numbers};
use crate::study::provenance::Provenance;
use crate::table::Table;
use reconverge_isa::wording::counted;
use reconverge_simulator::{EnergyTable, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON's shape; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// A run of the program with some settings.
#[derive(Clone, Debug)]
pub struct Variation {
    /// Its settings, in the order of the options: (key, value).
    pub settings: Vec<(String, String)>,
    /// The machine's name.
    pub machine: String,
    /// The provenance of its results.
    pub provenance: Provenance,
    /// The end of the program.
    pub outcome: Outcome,
    /// Its standard output.
    pub output: Vec<u8>,
    /// Its standard error.
    pub errors: Vec<u8>,
    /// Every launch that completed, with a digest of memory.
    pub records: Vec<KernelRecord>,
    /// The costs of its launches by line, and the findings, if requested.
    pub detail: Option<Detail>,
}

/// The costs of a run's launches.
#[derive(Clone, Debug)]
pub struct Detail {
    /// By kernel, in the order of the first launches.
    pub kernels: Vec<KernelProfile>,
    /// The most costly first.
    pub findings: Vec<Finding>,
}

impl Variation {
    /// Its settings, as a label.
    pub fn label(&self) -> String {
        let pairs: Vec<_> = self.settings.iter().map(|(k, v)| format!("{k}={v}")).collect();
        pairs.join(" ")
    }

    /// Returns true if the program completed.
    pub fn is_complete(&self) -> bool {
        matches!(self.outcome, Outcome::Exit(_))
    }

    /// The statistics of all launches; none if the program did not complete, or under the reference model.
    pub fn statistics(&self) -> Option<Statistics> {
        let mut all = Statistics::default();
        for record in &self.records {
            all.append(record.statistics.as_ref()?);
        }
        self.is_complete().then_some(all)
    }

    /// The error that stopped the program: the kind and the first line of the reason.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        let kind = match &self.outcome {
            Outcome::Exit(_) => return None,
            Outcome::Trap(_) => "trap",
            Outcome::Deadlock(_) => "deadlock",
            Outcome::Limit(_) => "limit",
            Outcome::Interrupted(_) => "interrupted",
            Outcome::Internal(_) => "internal error",
        };
        let (_, report) = self.outcome.report()?;
        let reason = report.message.lines().next().unwrap_or_default().to_string();
        let kernel = report.kernel.as_ref().map(|kernel| format!(" in {kernel}"));
        Some((kind, reason + &kernel.unwrap_or_default()))
    }
}

/// The runs of a program.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The program's file.
    pub program: String,
    /// In the order of the product, the last setting varying fastest.
    pub variations: Vec<Variation>,
}

impl Comparison {
    /// The first that completed: the others are compared with it.
    pub fn first(&self) -> Option<&Variation> {
        self.variations.iter().find(|variation| variation.is_complete())
    }

    /// The difference of a completed variation from the first completed one.
    pub fn difference(&self, variation: &Variation) -> Option<String> {
        let first = self.first()?;
        if variation.fault().is_some() {
            return None;
        }
        if variation.outcome != first.outcome {
            let Outcome::Exit(status) = variation.outcome else { return None };
            return Some(format!("exit status {status}"));
        }
        if variation.output != first.output {
            let lines =
                |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_string).collect();
            let (expected, found): (Vec<String>, Vec<String>) =
                (lines(&first.output), lines(&variation.output));
            let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
            return Some(format!("other output from line {} on", same + 1));
        }
        let launches = |of: &Variation| of.records.len();
        if launches(variation) != launches(first) {
            return Some(format!(
                "{}, not {}",
                counted(launches(variation) as u64, "launch"),
                launches(first)
            ));
        }
        let mut pairs = (1..).zip(first.records.iter().zip(&variation.records));
        let (number, (_, record)) = pairs.find(|(_, (a, b))| a.memory != b.memory)?;
        Some(format!("other memory after launch {number}, {}", record.name))
    }

    /// The result of a variation in a word or a sentence.
    fn verdict(&self, variation: &Variation) -> String {
        match (variation.fault(), self.difference(variation)) {
            (Some((kind, reason)), _) => format!("{kind}: {}", shortened(&reason)),
            (None, Some(difference)) => difference,
            (None, None) => match variation.outcome {
                Outcome::Exit(0) => "same".to_string(),
                _ => format!("same, exit status {}", variation.outcome.status()),
            },
        }
    }
}

/// The most characters of a reason in the columns of the table.
const REASON: usize = 60;

fn shortened(text: &str) -> String {
    match text.char_indices().nth(REASON) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// A figure of the table.
struct Metric {
    title: &'static str,
    needs_time: bool,
    /// True if it is also shown relative to the first run.
    relative: bool,
    /// True if it is shown only where the costs of events are known.
    needs_energy: bool,
    value: fn(&Statistics, Option<&EnergyTable>) -> Option<f64>,
    text: fn(f64) -> String,
}

fn count(value: f64) -> String {
    grouped(value as u64)
}

fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

const METRICS: &[Metric] = &[
    Metric {
        title: "cycles",
        needs_time: true,
        relative: true,
        needs_energy: false,
        value: |s, _| Some(s.cycles as f64),
        text: count,
    },
    Metric {
        title: "warp\ninstructions",
        needs_time: false,
        relative: true,
        needs_energy: false,
        value: |s, _| Some(s.warp_instructions as f64),
        text: count,
    },
    Metric {
        title: "lanes\nactive",
        needs_time: false,
        relative: false,
        needs_energy: false,
        value: |s, _| s.simd_efficiency(),
        text: percent,
    },
    Metric {
        title: "branches\nsplit",
        needs_time: false,
        relative: false,
        needs_energy: false,
        value: |s, _| s.branch_divergence(),
        text: percent,
    },
    Metric {
        title: "idle\nissue slots",
        needs_time: true,
        relative: true,
        needs_energy: false,
        value: |s, _| Some((s.issue_slots - s.slots_issued) as f64),
        text: count,
    },
    Metric {
        title: "arithmetic\npipe cycles",
        needs_time: true,
        relative: true,
        needs_energy: false,
        value: |s, _| Some(s.execution_cycles as f64),
        text: count,
    },
    Metric {
        title: "line\naccesses",
        needs_time: true,
        relative: true,
        needs_energy: false,
        value: |s, _| Some(s.transactions as f64),
        text: count,
    },
    Metric {
        title: "L1\nhits",
        needs_time: true,
        relative: false,
        needs_energy: false,
        value: |s, _| s.l1_hit_rate(),
        text: percent,
    },
    Metric {
        title: "DRAM",
        needs_time: true,
        relative: true,
        needs_energy: false,
        value: |s, _| Some((s.dram_read_bytes + s.dram_write_bytes) as f64),
        text: |value| bytes(value as u64),
    },
    Metric {
        title: "energy",
        needs_time: true,
        relative: true,
        needs_energy: true,
        value: |s, energy| Some(energy?.energy(s)?.joules()),
        text: |value| with_unit(value, "J"),
    },
    Metric {
        title: "power",
        needs_time: true,
        relative: true,
        needs_energy: true,
        value: |s, energy| Some(energy?.energy(s)?.watts()),
        text: |value| with_unit(value, "W"),
    },
];

/// The table: a row a variation; below a figure, its share of that of the program's first variation.
pub fn table(comparisons: &[Comparison], model: ModelName) -> Table {
    let several = comparisons.len() > 1;
    let first = comparisons.iter().find_map(|comparison| comparison.variations.first());
    let keys = first.map_or(&[][..], |variation| &variation.settings);
    let titles = several.then(|| "program".to_string()).into_iter();
    let shown = Shown { model, energy: comparisons.iter().any(Comparison::tells_of_energy) };
    let titles: Vec<String> = titles.chain(titles_of(keys, shown)).collect();
    let mut rows = Vec::new();
    for comparison in comparisons {
        for variation in &comparison.variations {
            let program = several.then(|| comparison.program.clone());
            let settings = variation.settings.iter().map(|(_, value)| value.clone());
            let (figures, verdict) = comparison.row_texts(variation, shown);
            let row = program.into_iter().chain(settings).chain(figures).chain([verdict]);
            rows.push(row.collect());
        }
    }
    let words = usize::from(several) + keys.len();
    Table { figures: words..titles.len() - 1, titles, rows }
}

/// The titles of the table.
fn titles_of(keys: &[(String, String)], shown: Shown) -> Vec<String> {
    let keys = keys.iter().map(|(key, _)| key.replace('.', ".\n"));
    let metrics = metrics(shown).map(|metric| metric.title.to_string());
    keys.chain(metrics).chain(["output,\nmemory".to_string()]).collect()
}

/// The figures of a table: those that the model counts, and energy.
#[derive(Clone, Copy)]
struct Shown {
    model: ModelName,
    energy: bool,
}

/// The figures of the table.
fn metrics(shown: Shown) -> impl Iterator<Item = &'static Metric> {
    let is_shown = move |metric: &&Metric| {
        let counts = match shown.model {
            ModelName::Timing => true,
            ModelName::Functional => !metric.needs_time,
            ModelName::Reference => false,
        };
        counts && (shown.energy || !metric.needs_energy)
    };
    METRICS.iter().filter(is_shown)
}

impl Comparison {
    /// Returns true if the costs of events are known for some run.
    fn tells_of_energy(&self) -> bool {
        self.variations.iter().any(|variation| energy::table_of(&variation.records).is_some())
    }

    /// The table of a program under the timing model: titles and rows.
    pub fn rows(&self) -> (Vec<String>, Vec<Vec<String>>) {
        let keys = self.variations.first().map_or(&[][..], |variation| &variation.settings);
        let shown = Shown { model: ModelName::Timing, energy: self.tells_of_energy() };
        let row = |variation: &Variation| {
            let settings = variation.settings.iter().map(|(_, value)| value.clone());
            let (figures, verdict) = self.row_texts(variation, shown);
            settings.chain(figures).chain([verdict]).collect()
        };
        (titles_of(keys, shown), self.variations.iter().map(row).collect())
    }

    /// A line of the table: the figures, and the verdict on the run.
    fn row_texts(&self, variation: &Variation, shown: Shown) -> (Vec<String>, String) {
        let first = self.first().and_then(Variation::statistics);
        let leads = self.first().map(Variation::label);
        let statistics = variation.statistics();
        let is_first = leads.as_ref() == Some(&variation.label());
        let of_first = self.first().and_then(|first| energy::table_of(&first.records));
        let table = energy::table_of(&variation.records);
        let figures = metrics(shown).map(|metric| {
            let value = statistics.as_ref().and_then(|all| (metric.value)(all, table));
            let text = value.map_or("-".to_string(), metric.text);
            let relative =
                first.as_ref().and_then(|all| (metric.value)(all, of_first)).and_then(|first| {
                    (metric.relative && !is_first && first != 0.0).then_some(value? / first)
                });
            let below = relative.map(|relative| format!("\n× {relative:.3}"));
            text + &below.unwrap_or_default()
        });
        let verdict = match is_first {
            true => "the first".to_string(),
            false => self.verdict(variation),
        };
        (figures.collect(), verdict)
    }
}

/// Everything that `compare --json` writes.
#[derive(Serialize, Debug)]
pub struct CompareReport<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `timing`, `functional` or `reference`.
    pub model: &'a str,
    /// True if all runs of each program completed with the same output and memory.
    pub agree: bool,
    /// The programs in the order in which they were given.
    pub programs: Vec<ProgramReport<'a>>,
}

/// A program's part of the JSON.
#[derive(Serialize, Debug)]
pub struct ProgramReport<'a> {
    /// The program's file.
    pub program: &'a str,
    /// True if all completed with the same output and memory.
    pub agree: bool,
    /// The variations, in the order of the product.
    pub variations: Vec<Row<'a>>,
}

impl<'a> CompareReport<'a> {
    /// The report of some programs.
    pub fn new(comparisons: &'a [Comparison], model: &'a str) -> CompareReport<'a> {
        let program = |one: &'a Comparison| ProgramReport {
            program: &one.program,
            agree: one.agrees(),
            variations: one.variations.iter().map(|variation| one.row(variation)).collect(),
        };
        CompareReport {
            schema: SCHEMA,
            model,
            agree: comparisons.iter().all(Comparison::agrees),
            programs: comparisons.iter().map(program).collect(),
        }
    }
}

/// A variation's part of the JSON.
#[derive(Serialize, Debug)]
pub struct Row<'a> {
    /// Its settings.
    pub settings: BTreeMap<&'a str, &'a str>,
    /// The machine's name.
    pub machine: &'a str,
    /// The provenance of the results: enough to reproduce them.
    pub provenance: &'a Provenance,
    /// `exit`, `trap`, `deadlock`, `limit` or `internal error`.
    pub outcome: &'static str,
    /// The exit status that `run` would have.
    pub status: u8,
    /// True if output and memory are those of the first that completed; null if it did not complete
    /// itself.
    pub agrees: Option<bool>,
    /// The error that stopped it, or the difference.
    pub reason: Option<String>,
    /// Every statistic of all launches together, by name; empty if it did not complete, or under the reference model.
    pub stats: BTreeMap<&'static str, Number>,
    /// Counters divided by those of the first that completed, where they are not zero there.
    pub relative: BTreeMap<&'static str, f64>,
    /// Every launch that completed.
    pub kernels: Vec<KernelReport<'a>>,
}

impl Comparison {
    /// A variation's part of the JSON.
    pub fn row<'a>(&self, variation: &'a Variation) -> Row<'a> {
        let fault = variation.fault();
        let difference = self.difference(variation);
        let statistics = variation.statistics();
        let first = self.first().and_then(Variation::statistics);
        let relative = statistics.iter().zip(&first).flat_map(|(statistics, first)| {
            let pairs = statistics.counters().into_iter().zip(first.counters());
            pairs.filter(|(_, (_, first))| *first != 0)
        });
        Row {
            settings: variation.settings.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
            machine: &variation.machine,
            provenance: &variation.provenance,
            outcome: fault.as_ref().map_or("exit", |(kind, _)| kind),
            status: variation.outcome.status(),
            agrees: fault.is_none().then(|| difference.is_none()),
            reason: fault.map(|(_, reason)| reason).or(difference),
            stats: statistics
                .as_ref()
                .map(|all| numbers(all, energy::table_of(&variation.records)))
                .unwrap_or_default(),
            relative: relative
                .map(|((name, value), (_, first))| (name, value as f64 / first as f64))
                .collect(),
            kernels: variation.records.iter().map(KernelReport::new).collect(),
        }
    }

    /// Returns true if all completed with the same status, output and memory.
    pub fn agrees(&self) -> bool {
        let agrees = |variation| self.row(variation).agrees == Some(true);
        self.variations.iter().all(agrees)
    }
}
