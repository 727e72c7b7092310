//! The measurements of a run, as a table for people and as JSON for programs.

use crate::energy::{self, EnergyReport, with_unit};
use crate::kernel_record::KernelRecord;
use crate::numbers::{bytes, grouped};
use crate::study::provenance::Provenance;
use crate::table::Table;
use reconverge_isa::wording::counted;
use reconverge_simulator::machine::{Machine, Sources};
use reconverge_simulator::{Energy, EnergyTable, Sample, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of the JSON's shape; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// Everything that `--stats` writes.
#[derive(Serialize, Debug)]
pub struct RunReport<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program's file.
    pub program: &'a str,
    /// The machine's name.
    pub machine: &'a str,
    /// The sources of its values; absent for a machine without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine_values: Option<MachineValues<'a>>,
    /// `timing`, `functional` or `reference`.
    pub model: &'a str,
    /// The provenance of the results: enough to reproduce them.
    pub provenance: &'a Provenance,
    /// True if the program ended by itself; `false` after a trap, a deadlock or a limit.
    pub complete: bool,
    /// Every launch in order; the one that stopped the program, if it had started, is the last.
    pub kernels: Vec<KernelReport<'a>>,
}

/// The sources of a machine's values.
#[derive(Serialize, Debug)]
pub struct MachineValues<'a> {
    /// The number of values with a published source.
    pub published: usize,
    /// The others by key, each with the reason for it.
    pub assumed: &'a BTreeMap<String, String>,
}

impl<'a> MachineValues<'a> {
    /// The values of a machine.
    pub fn new(sources: &'a Sources) -> MachineValues<'a> {
        MachineValues { published: sources.published.len(), assumed: &sources.assumed }
    }
}

/// One launch.
#[derive(Serialize, Debug)]
pub struct KernelReport<'a> {
    /// The kernel.
    pub name: &'a str,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// True if it completed; otherwise the numbers are those up to its stop.
    pub complete: bool,
    /// Simulated cycles; 0 without timing.
    pub cycles: u64,
    /// Instructions issued.
    pub warp_instructions: u64,
    /// Instructions times active lanes.
    pub thread_instructions: u64,
    /// Share of the issued lanes that were active.
    pub simd_efficiency: Option<f64>,
    /// A digest of device memory after the launch, hexadecimal.
    pub memory: Option<String>,
    /// Every statistic by name; see `list statistics`.
    pub stats: BTreeMap<&'static str, Number>,
    /// Its energy; absent unless the machine has `energy = "counters"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy: Option<EnergyReport>,
    /// The counts of each stretch of time; absent unless requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<SampleReport>,
}

/// The counts from the sample before until a cycle.
#[derive(Serialize, Debug)]
pub struct SampleReport {
    /// Cycles from the start of the launch.
    pub cycle: u64,
    /// The change of each counter that has changed.
    pub change: BTreeMap<&'static str, u64>,
    /// Its energy in joules; absent unless the machine has `energy = "counters"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// The mean power from the sample before on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watts: Option<f64>,
}

impl SampleReport {
    fn new(sample: &Sample, energy: Option<&EnergyTable>) -> SampleReport {
        let energy = energy.and_then(|table| table.energy(&sample.change));
        let counters = sample.change.counters().into_iter();
        SampleReport {
            cycle: sample.cycle,
            change: counters.filter(|(_, change)| *change != 0).collect(),
            joules: energy.as_ref().map(Energy::joules),
            watts: energy.as_ref().map(Energy::watts),
        }
    }
}

/// A counter stays an integer in JSON.
#[derive(Serialize, Debug)]
#[serde(untagged)]
pub enum Number {
    /// A counter.
    Counter(u64),
    /// A ratio.
    Ratio(f64),
}

impl<'a> KernelReport<'a> {
    /// The report of a record.
    pub fn new(record: &'a KernelRecord) -> KernelReport<'a> {
        let none = Statistics::default();
        let statistics = record.statistics.as_deref().unwrap_or(&none);
        let energy = record.energy.as_ref();
        KernelReport {
            name: &record.name,
            grid: record.grid,
            block: record.block,
            complete: record.complete,
            cycles: statistics.cycles,
            warp_instructions: statistics.warp_instructions,
            thread_instructions: statistics.thread_instructions,
            simd_efficiency: statistics.simd_efficiency(),
            memory: record.memory.map(|digest| format!("{digest:016x}")),
            stats: match record.statistics {
                Some(_) => numbers(statistics, energy),
                None => BTreeMap::new(),
            },
            energy: energy.and_then(|table| EnergyReport::new(statistics, table)),
            samples: record.samples.iter().map(|it| SampleReport::new(it, energy)).collect(),
        }
    }
}

/// Every statistic by name, including energy if the costs of events are known.
pub fn numbers(
    statistics: &Statistics,
    energy: Option<&EnergyTable>,
) -> BTreeMap<&'static str, Number> {
    let counters = statistics.counters().into_iter().map(|(n, v)| (n, Number::Counter(v)));
    let ratios = statistics.ratios().into_iter().map(|(n, v)| (n, Number::Ratio(v)));
    let energy = energy::figures(statistics, energy).into_iter();
    let energy = energy.map(|(name, value)| (name, Number::Ratio(value)));
    counters.chain(ratios).chain(energy).collect()
}

/// Launches of one kernel are shown as one column beyond this many columns.
const MAX_COLUMNS: usize = 4;

/// A column of the table: launches of a kernel, added up.
struct Column {
    title: String,
    statistics: Statistics,
}

/// The table of a run: a column a launch, or a column a kernel when there are many launches.
/// `machine` is the one whose cycles were simulated, `None` without timing. Empty without statistics.
pub fn table(records: &[KernelRecord], machine: Option<&Machine>) -> Table {
    let columns = columns(records);
    if columns.is_empty() {
        return Table::default();
    }
    let titles = columns.iter().map(|column| column.title.clone());
    let titles: Vec<String> = std::iter::once("kernel".to_owned()).chain(titles).collect();
    let mut rows = Vec::new();
    let mut push = |title: String, value: &dyn Fn(&Statistics) -> Option<String>| {
        let cells = columns
            .iter()
            .map(|column| value(&column.statistics).unwrap_or_else(|| "-".to_string()));
        rows.push(std::iter::once(title).chain(cells).collect());
    };
    if let Some(machine) = machine {
        push(format!("cycles of {}", machine.name), &|s| Some(grouped(s.cycles)));
        push(time_title(machine), &|s| Some(time(s.cycles, machine)));
    }
    for row in ROWS.iter().filter(|row| machine.is_some() || !row.needs_time) {
        push(row.title.to_owned(), &row.value);
    }
    if machine.is_some() {
        energy_rows(&mut rows, &columns, energy::table_of(records));
        slot_rows(&mut rows, &columns);
    }
    Table { figures: 1..titles.len(), titles, rows }
}

fn columns(records: &[KernelRecord]) -> Vec<Column> {
    let measured: Vec<_> =
        records.iter().filter_map(|r| Some((r, r.statistics.as_deref()?))).collect();
    if measured.len() <= MAX_COLUMNS {
        return measured
            .into_iter()
            .map(|(record, statistics)| Column {
                title: title(record),
                statistics: statistics.clone(),
            })
            .collect();
    }
    let mut columns: Vec<(&str, usize, Statistics)> = Vec::new();
    let stopped = records.iter().find(|record| !record.complete);
    for (record, statistics) in measured {
        match columns.iter_mut().find(|(name, ..)| *name == record.name) {
            Some((_, launches, sum)) => {
                *launches += 1;
                sum.append(statistics);
            }
            None => columns.push((&record.name, 1, statistics.clone())),
        }
    }
    columns
        .into_iter()
        .map(|(name, launches, statistics)| {
            let last = stopped.is_some_and(|record| record.name == name);
            let stopped = if last { "\nthe last stopped" } else { "" };
            Column {
                title: format!("{name}\n{}{stopped}", counted(launches as u64, "launch")),
                statistics,
            }
        })
        .collect()
}

/// The kernel, its launch, and whether it was stopped.
fn title(record: &KernelRecord) -> String {
    let stopped = if record.complete { "" } else { "\nstopped" };
    format!("{}\n{} × {}{stopped}", record.name, shape(record.grid), shape(record.block))
}

/// `128`, `16×16`.
pub fn shape([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}×{y}"),
        _ => format!("{x}×{y}×{z}"),
    }
}

/// A row of the table.
struct Row {
    title: &'static str,
    needs_time: bool,
    value: fn(&Statistics) -> Option<String>,
}

const ROWS: &[Row] = &[
    Row {
        title: "warp instructions",
        needs_time: false,
        value: |s| Some(grouped(s.warp_instructions)),
    },
    Row {
        title: "thread instructions",
        needs_time: false,
        value: |s| Some(grouped(s.thread_instructions)),
    },
    Row {
        title: "IPC (warp instructions)",
        needs_time: true,
        value: |s| Some(format!("{:.3}", s.ipc()?)),
    },
    Row { title: "SIMD efficiency", needs_time: false, value: |s| percent(s.simd_efficiency()) },
    Row { title: "L1 hit rate", needs_time: true, value: |s| percent(s.l1_hit_rate()) },
    Row { title: "L2 hit rate", needs_time: true, value: |s| percent(s.l2_hit_rate()) },
    Row { title: "DRAM read", needs_time: true, value: |s| Some(bytes(s.dram_read_bytes)) },
    Row { title: "DRAM written", needs_time: true, value: |s| Some(bytes(s.dram_write_bytes)) },
    Row { title: "occupancy", needs_time: true, value: |s| percent(s.occupancy()) },
];

/// `time at 700 MHz`.
fn time_title(machine: &Machine) -> String {
    format!("time at {} MHz", machine.clock_mhz)
}

/// The time of a number of cycles: `76.3 µs`.
fn time(cycles: u64, machine: &Machine) -> String {
    with_unit(cycles as f64 / (machine.clock_mhz * 1e6), "s")
}

/// The rows of the table of a run with time, but for its issue slots: titles, and values of some launches together.
pub fn figures(
    statistics: &Statistics,
    energy: Option<&EnergyTable>,
    machine: &Machine,
) -> Vec<(String, String)> {
    let value = |row: &Row| (row.value)(statistics).unwrap_or_else(|| "-".to_string());
    let times = [
        ("cycles".to_owned(), grouped(statistics.cycles)),
        (time_title(machine), time(statistics.cycles, machine)),
    ];
    let rows = times.into_iter().chain(ROWS.iter().map(|row| (row.title.to_owned(), value(row))));
    let energy = energy_figures(statistics, energy).into_iter();
    let energy = energy.filter(|(.., is_nothing)| !is_nothing);
    // Each is alone there: nothing is indented.
    let alone = |title: String| match title.strip_prefix("  ") {
        Some(component) => format!("energy: {component}"),
        None => title,
    };
    rows.chain(energy.map(|(title, value, _)| (alone(title), value))).collect()
}

/// A row of energy: its title, its value, and whether that is next to nothing.
type EnergyRow = (String, String, bool);

/// The rows of energy of some launches together; none if the costs of events are unknown.
fn energy_figures(statistics: &Statistics, energy: Option<&EnergyTable>) -> Vec<EnergyRow> {
    let Some(energy) = energy.and_then(|table| table.energy(statistics)) else {
        return Vec::new();
    };
    let all = energy.joules();
    let mut rows = vec![
        ("energy".to_owned(), with_unit(all, "J"), false),
        ("power".to_owned(), with_unit(energy.watts(), "W"), false),
        (
            "thread instructions per J".to_owned(),
            energy.instructions_per_joule().map_or("-".to_owned(), |it| with_unit(it, "")),
            false,
        ),
    ];
    for (index, (title, joules)) in energy.components().into_iter().enumerate() {
        let title = if index == 0 { format!("energy: {title}") } else { format!("  {title}") };
        let share = if all > 0.0 { joules / all } else { 0.0 };
        let text = percent(Some(share)).unwrap_or_default();
        rows.push((title, text, index != 0 && share < 0.0005));
    }
    rows
}

/// The energy of launches, if the costs of events are known.
fn energy_rows(table: &mut Vec<Vec<String>>, columns: &[Column], energy: Option<&EnergyTable>) {
    let all: Vec<_> = columns.iter().map(|it| energy_figures(&it.statistics, energy)).collect();
    let Some(longest) = all.iter().max_by_key(|rows| rows.len()) else { return };
    for (index, (title, ..)) in longest.iter().enumerate() {
        if all.iter().all(|rows| rows.get(index).is_none_or(|(.., is_nothing)| *is_nothing)) {
            continue;
        }
        let cells = all
            .iter()
            .map(|rows| rows.get(index).map_or("-", |(_, value, _)| value.as_str()).to_owned());
        table.push(std::iter::once(title.clone()).chain(cells).collect());
    }
}

/// The use of the issue slots, in percent of all; without the reasons that cost no launch 0.05 % of
/// them.
fn slot_rows(table: &mut Vec<Vec<String>>, columns: &[Column]) {
    let reasons: Vec<_> = columns.iter().map(|c| c.statistics.slot_reasons()).collect();
    let Some(first) = reasons.first() else { return };
    for (index, (name, _)) in first.iter().enumerate() {
        let title = if index == 0 { format!("issue slots: {name}") } else { format!("  {name}") };
        let shares = columns.iter().zip(&reasons).map(|(column, reasons)| {
            let whole = column.statistics.issue_slots;
            (whole != 0).then(|| reasons[index].1 as f64 / whole as f64)
        });
        let shares: Vec<_> = shares.collect();
        if index != 0 && shares.iter().all(|share| share.unwrap_or(0.0) < 0.0005) {
            continue;
        }
        let cells =
            shares.into_iter().map(|share| percent(share).unwrap_or_else(|| "-".to_string()));
        table.push(std::iter::once(title).chain(cells).collect());
    }
}

fn percent(share: Option<f64>) -> Option<String> {
    Some(format!("{:.1} %", share? * 100.0))
}
