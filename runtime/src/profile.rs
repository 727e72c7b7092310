//! The cost of each source line, as a table for people and as JSON for programs.

use crate::energy::{self, KernelEnergy, origin};
use crate::findings::Finding;
use crate::kernel_record::KernelRecord;
use crate::named::named;
use crate::numbers::grouped;
use crate::report::{Number, numbers};
use crate::source::line_text;
use crate::study::provenance::Provenance;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::wording::counted;
use reconverge_isa::{BranchTaint, Effect, Instruction, Kernel, Program, text};
use reconverge_simulator::{PER_LINE, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::LazyLock;

/// The version of the JSON's shape; raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// The cost of a kernel's launches, by source line.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelProfile {
    /// The kernel.
    pub name: String,
    /// The number of its launches.
    pub launches: usize,
    /// The statistics of all launches.
    pub statistics: Statistics,
    /// In the order of the files and lines, those that cost something.
    pub lines: Vec<LineProfile>,
    /// The branches that were executed and have a condition, in the order of the code.
    pub branches: Vec<BranchProfile>,
    /// Every instruction of the kernel, in the order of the code.
    pub instructions: Vec<InstructionProfile>,
    /// The part that belongs to no line.
    pub nowhere: Statistics,
    /// The energy of all launches; none if the costs of events are unknown.
    pub energy: Option<KernelEnergy>,
}

/// The counts of a branch of the machine code. A branch of the source may be several, when loops
/// are unrolled or conditions have parts, or none, when both paths are computed.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchProfile {
    /// The instruction's number in the kernel.
    pub instruction: u32,
    /// The file; empty if it has none.
    pub file: String,
    /// From 1; 0 if it has none.
    pub line: u32,
    /// The line's text.
    pub source: String,
    /// Its dependence, by the compiler's analysis.
    pub taint: BranchTaint,
    /// True if the threads of a warp always agree, by the compiler's analysis.
    pub uniform: bool,
    /// Each of [`PER_LINE`], and nothing else.
    pub statistics: Statistics,
}

impl BranchProfile {
    /// The share of its paths, when a warp diverged, for which compaction makes fewer warps.
    pub fn compaction_rate(&self) -> Option<f64> {
        let s = &self.statistics;
        s.programmatic_compaction_rate().or(s.data_compaction_rate())
    }

    /// The share of them that fit into fewer warps in any lanes.
    pub fn ideal_compaction_rate(&self) -> Option<f64> {
        let s = &self.statistics;
        s.programmatic_ideal_compaction_rate().or(s.data_ideal_compaction_rate())
    }

    /// `P` or `D`, nothing if the compiler makes no claim.
    fn class(&self) -> Option<&'static str> {
        match self.taint {
            BranchTaint::Unknown => None,
            BranchTaint::Programmatic => Some("P"),
            BranchTaint::Data => Some("D"),
        }
    }
}

/// The cost of a line in a kernel; inlined code counts where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct LineProfile {
    /// The file.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// Its text.
    pub source: String,
    /// Each of [`PER_LINE`], and nothing else.
    pub statistics: Statistics,
    /// The statistics of its loads.
    pub loads: Statistics,
    /// The statistics of its stores and atomics.
    pub stores: Statistics,
    /// Its part of the kernel's energy, in joules; none if the costs of events are unknown.
    pub joules: Option<f64>,
}

/// The cost of an instruction of the machine code.
#[derive(Clone, Debug, PartialEq)]
pub struct InstructionProfile {
    /// Its number in the kernel.
    pub instruction: u32,
    /// From 1; 0 if it has no line.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// Each of [`PER_LINE`], and nothing else.
    pub statistics: Statistics,
}

/// The profiles of a run, by kernel in the order of the first launches.
pub fn kernels(
    records: &[KernelRecord],
    program: &Program,
    sources: &SourceMap,
) -> Vec<KernelProfile> {
    let mut found: Vec<(&Kernel, KernelProfile, ByInstruction)> = Vec::new();
    for record in records {
        let (Some(profile), Some(statistics), Some(kernel)) =
            (&record.profile, &record.statistics, program.kernel(&record.name))
        else {
            continue;
        };
        let at = found.iter().position(|(other, ..)| other.name == kernel.name);
        let at = at.unwrap_or_else(|| {
            let none = KernelProfile {
                name: record.name.clone(),
                launches: 0,
                statistics: Statistics::default(),
                lines: Vec::new(),
                branches: Vec::new(),
                instructions: Vec::new(),
                nowhere: Statistics::default(),
                energy: None,
            };
            found.push((kernel, none, ByInstruction::new()));
            found.len() - 1
        });
        let (_, whole, instructions) = &mut found[at];
        whole.launches += 1;
        whole.statistics.append(statistics);
        whole.nowhere.merge(&profile.nowhere);
        for (&pc, statistics) in &profile.instructions {
            instructions.entry(pc).or_default().merge(statistics);
        }
    }
    let place = |file: u32, line: u32| {
        let file = program.files.get(file as usize).cloned().unwrap_or_default();
        let source = line_text(sources, &file, line);
        (file, source)
    };
    let finished = found.into_iter().map(|(kernel, mut profile, instructions)| {
        let lines = by_line(kernel, &instructions, &mut profile.nowhere);
        let table = energy::table_of(records);
        let energy = table
            .and_then(|table| KernelEnergy::new(table, kernel, &profile.statistics, &instructions));
        let lines = lines.into_iter().map(|((file, line), [statistics, loads, stores])| {
            let joules = energy.as_ref().map(|energy| energy.of_line(kernel, file, line));
            let (file, source) = place(file, line);
            LineProfile { file, line, source, statistics, loads, stores, joules }
        });
        let lines = lines.collect();
        let branches = instructions.iter().filter_map(|(&instruction, statistics)| {
            let at = instruction as usize;
            let code = kernel.code.get(at).filter(|code| is_branch(code))?;
            if statistics.branches == 0 {
                return None;
            }
            let location = kernel.lines.get(at).filter(|location| location.line != 0);
            let (file, source) =
                location.map(|location| place(location.file, location.line)).unwrap_or_default();
            Some(BranchProfile {
                instruction,
                file,
                line: location.map_or(0, |location| location.line),
                source,
                taint: code.annotations.taint,
                uniform: code.annotations.uniform,
                statistics: statistics.clone(),
            })
        });
        let each = (0..).zip(&kernel.code).map(|(instruction, code)| InstructionProfile {
            instruction,
            line: kernel.lines.get(instruction as usize).map_or(0, |location| location.line),
            text: text::print_instruction(code),
            statistics: instructions.get(&instruction).cloned().unwrap_or_default(),
        });
        KernelProfile {
            lines,
            branches: branches.collect(),
            instructions: each.collect(),
            energy,
            ..profile
        }
    });
    finished.collect()
}

/// By number of the instruction.
pub type ByInstruction = BTreeMap<u32, Statistics>;

/// By file and line: everything, loads, and stores and atomics.
pub type Lines = BTreeMap<(u32, u32), [Statistics; 3]>;

/// Adds up instructions by their source lines; those without one, into `nowhere`.
pub fn by_line(kernel: &Kernel, instructions: &ByInstruction, nowhere: &mut Statistics) -> Lines {
    let mut lines = Lines::new();
    for (&pc, statistics) in instructions {
        let Some(line) = origin(kernel, pc) else {
            nowhere.merge(statistics);
            continue;
        };
        let [all, loads, stores] = lines.entry(line).or_default();
        all.merge(statistics);
        match kernel.code.get(pc as usize).map(|code| code.op.row().effect) {
            Some(Effect::Load) => loads.merge(statistics),
            Some(Effect::Store | Effect::Atomic) => stores.merge(statistics),
            _ => {}
        }
    }
    lines
}

/// Returns true if an instruction is a branch with a condition.
pub fn is_branch(code: &Instruction) -> bool {
    code.op.row().effect == Effect::Branch && code.is_conditional()
}

/// Everything that `--profile-json` writes.
#[derive(Serialize, Debug)]
pub struct ProfileReport<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The program's file.
    pub program: &'a str,
    /// The machine's name.
    pub machine: &'a str,
    /// `timing` or `functional`.
    pub model: &'a str,
    /// The provenance of the results: enough to reproduce them.
    pub provenance: &'a Provenance,
    /// True if the program ended by itself; `false` after a trap, a deadlock or a limit.
    pub complete: bool,
    /// The most expensive parts in words, most expensive first; none under the functional model.
    pub findings: &'a [Finding],
    /// Every kernel that was launched, in the order of the first launches.
    pub kernels: Vec<KernelLines<'a>>,
}

/// A kernel's part of the JSON. The figures are statistics by name; see `list statistics`.
#[derive(Serialize, Debug)]
pub struct KernelLines<'a> {
    /// The kernel.
    pub name: &'a str,
    /// The number of its launches.
    pub launches: usize,
    /// Cycles of all launches; 0 without timing.
    pub cycles: u64,
    /// Energy of all launches: that of the lines and `nowhere_joules`; absent unless the machine has `energy = "counters"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// The part of it that belongs to no line: leakage and other energy that no instruction causes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nowhere_joules: Option<f64>,
    /// The sum of the lines and `nowhere`.
    pub total: BTreeMap<&'static str, Number>,
    /// The part that belongs to no line.
    pub nowhere: BTreeMap<&'static str, Number>,
    /// In the order of the files and lines, those that cost something.
    pub lines: Vec<Line<'a>>,
    /// The branches that were executed and have a condition, in the order of the code.
    pub branches: Vec<Branch<'a>>,
}

/// A branch's part of the JSON.
#[derive(Serialize, Debug)]
pub struct Branch<'a> {
    /// The instruction's number in the kernel.
    pub instruction: u32,
    /// The file; null if it has none.
    pub file: Option<&'a str>,
    /// From 1; null if it has none.
    pub line: Option<u32>,
    /// `P` if it depends on parameters, constants and ids only, `D` if on loaded data, null if the
    /// compiler makes no claim.
    pub class: Option<&'static str>,
    /// True if the threads of a warp always agree, by the compiler's analysis.
    pub uniform: bool,
    /// The number of its executions.
    pub executed: u64,
    /// The number of times that the branch diverged.
    pub divergent: u64,
    /// Active lanes by all lanes, on average.
    pub active: Option<f64>,
    /// Paths of the warp that could be scheduled when it was executed, on average.
    pub paths: Option<f64>,
    /// The share of its paths, when a warp diverged, for which compaction makes fewer warps, and
    /// the share that fit into fewer; null unless the scheme forms warps.
    pub compaction_rate: Option<f64>,
    /// See above.
    pub ideal_compaction_rate: Option<f64>,
    /// Warps of these paths without compaction.
    pub warps_before_compaction: u64,
    /// With it.
    pub warps_after_compaction: u64,
    /// At least.
    pub warps_ideal: u64,
}

/// A line's part of the JSON.
#[derive(Serialize, Debug)]
pub struct Line<'a> {
    /// The file.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// Its text.
    pub source: &'a str,
    /// Its part of the energy; absent unless the machine has `energy = "counters"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joules: Option<f64>,
    /// Its cost.
    pub stats: BTreeMap<&'static str, Number>,
}

impl<'a> KernelLines<'a> {
    /// The lines of a kernel's profile.
    pub fn new(kernel: &'a KernelProfile) -> KernelLines<'a> {
        let lines = kernel.lines.iter().map(|line| Line {
            file: &line.file,
            line: line.line,
            source: &line.source,
            joules: line.joules,
            stats: kept(&line.statistics),
        });
        KernelLines {
            name: &kernel.name,
            launches: kernel.launches,
            cycles: kernel.statistics.cycles,
            joules: kernel.energy.as_ref().map(|energy| energy.joules),
            nowhere_joules: kernel.energy.as_ref().map(|energy| energy.nowhere),
            total: kept(&kernel.statistics),
            nowhere: kept(&kernel.nowhere),
            lines: lines.collect(),
            branches: kernel.branches.iter().map(Branch::new).collect(),
        }
    }
}

impl<'a> Branch<'a> {
    fn new(branch: &'a BranchProfile) -> Branch<'a> {
        let has_line = branch.line != 0;
        Branch {
            instruction: branch.instruction,
            file: has_line.then_some(branch.file.as_str()),
            line: has_line.then_some(branch.line),
            class: branch.class(),
            uniform: branch.uniform,
            executed: branch.statistics.branches,
            divergent: branch.statistics.divergent_branches,
            active: branch.statistics.simd_efficiency(),
            paths: branch.statistics.path_count(),
            compaction_rate: branch.compaction_rate(),
            ideal_compaction_rate: branch.ideal_compaction_rate(),
            warps_before_compaction: branch.statistics.warps_before_compaction,
            warps_after_compaction: branch.statistics.warps_after_compaction,
            warps_ideal: branch.statistics.warps_ideal,
        }
    }
}

/// The statistics that are kept by line.
fn kept(statistics: &Statistics) -> BTreeMap<&'static str, Number> {
    let mut all = numbers(statistics, None);
    all.retain(|name, _| PER_LINE.contains(name));
    all
}

/// Columns that the table fits in where it is for no terminal.
pub const WIDTH: usize = 120;

/// So many lines of a kernel are marked: those that cost the most.
const HOTTEST: usize = 3;

/// The subject of a row of the table.
struct Part<'a> {
    all: &'a Statistics,
    loads: &'a Statistics,
    stores: &'a Statistics,
    kernel: &'a Statistics,
    /// Its share of the kernel's energy, if the costs of events are known.
    energy: Option<f64>,
}

/// A column of the table: its title, true if it needs time, and its figure for a row.
struct Column {
    title: &'static str,
    needs_time: bool,
    value: fn(&Part) -> Option<String>,
}

const COLUMNS: &[Column] = &[
    Column { title: "slots", needs_time: true, value: |p| share(p.all.issue_slots, p.kernel) },
    Column { title: "issued", needs_time: true, value: |p| share(p.all.slots_issued, p.kernel) },
    Column { title: "mostly lost to", needs_time: true, value: |p| reason(p.all, p.kernel) },
    Column { title: "energy", needs_time: true, value: |p| hundredths(p.energy) },
    Column { title: "instr.", needs_time: false, value: |p| short(p.all.thread_instructions) },
    Column { title: "lanes", needs_time: false, value: |p| hundredths(p.all.simd_efficiency()) },
    Column { title: "split", needs_time: false, value: |p| hundredths(p.all.branch_divergence()) },
    Column { title: "loads", needs_time: true, value: |p| mean(p.loads.transactions_per_access()) },
    Column {
        title: "stores",
        needs_time: true,
        value: |p| mean(p.stores.transactions_per_access()),
    },
    Column { title: "passes", needs_time: true, value: |p| mean(p.all.passes_per_access()) },
    Column { title: "L1", needs_time: true, value: |p| hundredths(p.all.l1_hit_rate()) },
];

/// The meaning of the columns, below the tables.
const LEGEND: &str = "\
slots: % of the kernel's issue slots; issued: those that issued; mostly lost to: the first reason of the others
instr.: instructions of threads; lanes: % of them active; split: % of branches that diverge
loads, stores: line accesses of a load, of a store or an atomic, of global or local memory; passes: of shared memory,
for each that the words need; L1: % of line loads that hit; *: the hottest
branch: its number in the code; class: P depends on parameters and ids only, D on loaded data\n";

/// The legend without time.
const SHORT_LEGEND: &str = "\
instr.: instructions of threads; lanes: % of them active; split: % of branches that diverge
*: the hottest; branch: its number in the code; class: P depends on parameters and ids only, D on loaded data\n";

fn hundredths(share: Option<f64>) -> Option<String> {
    share.map(|share| format!("{:.1}", share * 100.0))
}

fn share(slots: u64, kernel: &Statistics) -> Option<String> {
    hundredths((slots != 0).then(|| slots as f64 / kernel.issue_slots.max(slots) as f64))
}

/// The first reason of the slots that a line lost, with its share of the kernel's slots.
fn reason(statistics: &Statistics, kernel: &Statistics) -> Option<String> {
    let lost = statistics.slot_reasons().into_iter().skip(1).filter(|(_, slots)| *slots != 0);
    // The first of equal ones.
    let (name, slots) = lost.rev().max_by_key(|(_, slots)| *slots)?;
    Some(format!("{name} {}", share(slots, kernel)?))
}

/// `987`, `12.3 k`, `4.56 M`; nothing for none.
pub fn short(number: u64) -> Option<String> {
    const UNITS: [&str; 5] = ["", " k", " M", " G", " T"];
    let (mut value, mut unit) = (number as f64, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = match (unit, value) {
        (0, _) => 0,
        (_, value) if value < 9.995 => 2,
        (_, value) if value < 99.95 => 1,
        _ => 0,
    };
    (number != 0).then(|| format!("{value:.digits$}{}", UNITS[unit]))
}

fn mean(value: Option<f64>) -> Option<String> {
    value.map(|value| format!("{value:.1}"))
}

named! {
    /// The rows of a table.
    pub enum Rows {
        Lines "lines" "Source lines",
        Asm "asm" "Instructions of the machine's code, of each kernel, below its source lines",
    }
}

/// The table of each kernel: a row per source line, in order, with the source beside it; then a row
/// per instruction, if requested. Rows have the width `width` if their figures permit it.
pub fn table(kernels: &[KernelProfile], rows: Rows, timing: bool, width: usize) -> String {
    let mut text = String::new();
    for kernel in kernels {
        let _ = write!(text, "{}: {}", kernel.name, counted(kernel.launches as u64, "launch"));
        if timing {
            let slots = grouped(kernel.statistics.issue_slots);
            let _ =
                write!(text, ", {} cycles, {slots} issue slots", grouped(kernel.statistics.cycles));
        }
        text.push('\n');
        text += &kernel_table(kernel, timing, width);
        text += &branch_table(kernel, width);
        if rows == Rows::Asm {
            text += &instruction_table(kernel, timing, width);
        }
    }
    match (kernels.is_empty(), timing) {
        (true, _) => text,
        (_, true) => text + LEGEND + energy::legend(kernels.iter().any(|one| one.energy.is_some())),
        (_, false) => text + SHORT_LEGEND,
    }
}

/// The columns that have a figure in some of the rows.
fn columns<'c>(parts: &[Part], timing: bool) -> Vec<&'c Column> {
    let has_figure = |column: &&Column| parts.iter().any(|part| (column.value)(part).is_some());
    COLUMNS.iter().filter(|column| timing || !column.needs_time).filter(has_figure).collect()
}

/// The figures of a row.
fn figures<'r>(part: &'r Part, columns: &'r [&Column]) -> impl Iterator<Item = String> + 'r {
    columns.iter().map(|column| (column.value)(part).unwrap_or_default())
}

/// A row for each instruction, in the order of the code.
fn instruction_table(kernel: &KernelProfile, timing: bool, width: usize) -> String {
    // Loads and stores are apart by themselves.
    let parts = kernel.instructions.iter().map(|one| {
        let (all, none): (_, &Statistics) = (&one.statistics, &NONE);
        let is_load = all.load_instructions != 0;
        let (loads, stores) = if is_load { (all, none) } else { (none, all) };
        let of_one = |energy: &KernelEnergy| energy.instructions.get(&one.instruction).copied();
        let energy = kernel.energy.as_ref().and_then(of_one);
        Part {
            all,
            loads,
            stores,
            kernel: &kernel.statistics,
            energy: energy::share(energy, &kernel.energy),
        }
    });
    let parts: Vec<Part> = parts.collect();
    let columns = columns(&parts, timing);
    let titles = ["line", "number"].into_iter().chain(columns.iter().map(|column| column.title));
    let mut rows: Vec<Vec<String>> = vec![titles.map(str::to_string).collect()];
    let mut texts = vec![String::new()];
    for (one, part) in kernel.instructions.iter().zip(&parts) {
        let line = if one.line == 0 { "-".to_string() } else { one.line.to_string() };
        let front = [line, one.instruction.to_string()].into_iter();
        rows.push(front.chain(figures(part, &columns)).collect());
        texts.push(format!("  {}", one.text));
    }
    lay_out(&rows, &texts, width)
}

/// Nothing counted.
static NONE: LazyLock<Statistics> = LazyLock::new(Statistics::default);

fn kernel_table(kernel: &KernelProfile, timing: bool, width: usize) -> String {
    let cost = |line: &LineProfile| match line.statistics.issue_slots {
        0 => line.statistics.warp_instructions,
        slots => slots,
    };
    let mut hottest: Vec<usize> = (0..kernel.lines.len()).collect();
    hottest.sort_by_key(|&index| std::cmp::Reverse(cost(&kernel.lines[index])));
    hottest.truncate(HOTTEST);
    let whole = &kernel.statistics;
    let parts: Vec<Part> = kernel
        .lines
        .iter()
        .map(|line| Part {
            all: &line.statistics,
            loads: &line.loads,
            stores: &line.stores,
            kernel: whole,
            energy: energy::share(line.joules, &kernel.energy),
        })
        .collect();
    let columns = columns(&parts, timing);
    let mut rows: Vec<Vec<String>> = vec![
        std::iter::once("line")
            .chain(columns.iter().map(|column| column.title))
            .map(str::to_string)
            .collect(),
    ];
    let mut sources = vec![" ".to_string()];
    let mut file = kernel.lines.first().map_or("", |line| line.file.as_str());
    if !file.is_empty() {
        sources[0] = format!("  {file}");
    }
    let least = kernel.lines.iter().map(|line| indentation(&line.source)).min().unwrap_or(0);
    for (index, (line, part)) in kernel.lines.iter().zip(&parts).enumerate() {
        if line.file != file {
            file = &line.file;
            rows.push(Vec::new());
            sources.push(format!("  {file}"));
        }
        let number = std::iter::once(line.line.to_string());
        rows.push(number.chain(figures(part, &columns)).collect());
        let mark = if hottest.contains(&index) { '*' } else { ' ' };
        let source = line.source.replace('\t', "    ");
        sources.push(format!("{mark} {}", source.get(least..).unwrap_or(&source)));
    }
    if kernel.nowhere != Statistics::default() || kernel.energy.is_some() {
        let energy = kernel.energy.as_ref().map(|energy| energy.nowhere);
        let part = Part {
            all: &kernel.nowhere,
            loads: &NONE,
            stores: &NONE,
            kernel: whole,
            energy: energy::share(energy, &kernel.energy),
        };
        rows.push(std::iter::once("-".to_string()).chain(figures(&part, &columns)).collect());
        sources.push("  (no line)".to_string());
    }
    lay_out(&rows, &sources, width)
}

/// So many branches are shown: those that diverge the most.
const MOST_BRANCHES: usize = 10;

/// A row for each branch that ever diverged; nothing if none did.
fn branch_table(kernel: &KernelProfile, width: usize) -> String {
    let divergent = |branch: &&BranchProfile| branch.statistics.divergent_branches != 0;
    let mut shown: Vec<&BranchProfile> = kernel.branches.iter().filter(divergent).collect();
    let all = shown.len();
    if all == 0 {
        return String::new();
    }
    shown.sort_by_key(|branch| std::cmp::Reverse(branch.statistics.divergent_branches));
    shown.truncate(MOST_BRANCHES);
    shown.sort_by_key(|branch| branch.instruction);
    let mut titles = vec!["line", "branch", "class", "executed", "split", "lanes"];
    let any = |it: fn(&Statistics) -> bool| shown.iter().any(|branch| it(&branch.statistics));
    let has_paths = any(|s| s.schedulable_paths > s.warp_instructions);
    let forms_warps = any(|s| s.warps_before_compaction != 0);
    if has_paths {
        titles.push("paths");
    }
    if forms_warps {
        titles.extend(["rate", "at best", "warps", "formed", "at least"]);
    }
    let mut rows = vec![titles.into_iter().map(str::to_string).collect::<Vec<_>>()];
    let mut sources = vec![match all - shown.len() {
        0 => String::new(),
        more => format!("  ({more} more diverge less often)"),
    }];
    for branch in shown {
        let s = &branch.statistics;
        let line = if branch.line == 0 { "-".to_string() } else { branch.line.to_string() };
        let mut row = vec![
            line,
            branch.instruction.to_string(),
            branch.class().unwrap_or("-").to_string(),
            grouped(s.branches),
            hundredths(s.branch_divergence()).unwrap_or_default(),
            hundredths(s.simd_efficiency()).unwrap_or_default(),
        ];
        if has_paths {
            row.push(mean(s.path_count()).unwrap_or_default());
        }
        if forms_warps {
            let rates = [branch.compaction_rate(), branch.ideal_compaction_rate()];
            row.extend(rates.map(|rate| hundredths(rate).unwrap_or_default()));
            let warps = [s.warps_before_compaction, s.warps_after_compaction, s.warps_ideal];
            row.extend(warps.map(grouped));
        }
        rows.push(row);
        sources.push(format!("  {}", branch.source.trim_start()));
    }
    let mut text = lay_out(&rows, &sources, width);
    if has_paths {
        text += "paths: paths of the warp that could be scheduled, on average\n";
    }
    if forms_warps {
        text += "rate: % of its paths that compaction makes fewer warps of; at best: in any lanes; \
                 warps: of these paths without\ncompaction; formed: with it; at least: in any lanes\n";
    }
    text
}

/// Blanks in front of a line's text.
fn indentation(source: &str) -> usize {
    let source = source.replace('\t', "    ");
    source.len() - source.trim_start_matches(' ').len()
}

/// Rows with right-aligned figures, then the source as far as there is room.
fn lay_out(rows: &[Vec<String>], sources: &[String], width: usize) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let used: usize = widths.iter().map(|width| width + 2).sum();
    let mut text = String::new();
    for (row, source) in rows.iter().zip(sources) {
        let mut line = String::new();
        for (column, width) in widths.iter().enumerate() {
            let figure = row.get(column).map_or("", String::as_str);
            let _ = write!(line, "{figure:>width$}  ");
        }
        line.extend(source.chars().take(width.saturating_sub(used).max(20)));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_keep_three_digits() {
        let texts = [1, 999, 1000, 9994, 9996, 99_949, 99_950, 999_499, 999_500, 4_560_000];
        let wanted = [
            "1", "999", "1.00 k", "9.99 k", "10.0 k", "99.9 k", "100 k", "999 k", "1.00 M",
            "4.56 M",
        ];
        assert_eq!(texts.map(|number| short(number).unwrap()), wanted);
        assert_eq!(short(0), None);
    }

    #[test]
    fn rows_fit_the_terminal() {
        let row = ["12", "33.1"].map(str::to_string).to_vec();
        let text = lay_out(&[row.clone(), row], &["x".repeat(200), "  y".to_string()], WIDTH);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.ends_with("12  33.1    y\n"), "{text}");
    }
}
