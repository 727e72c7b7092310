//! The source with the costs of its lines, and, for each line, its machine code and the results of
//! the analyses.

use super::slots::{Segment, bar, hundredths};
use reconverge::findings::{Evidence, Finding};
use reconverge::profile::{by_line, short};
use reconverge::why::{self, ByLine};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::text;
use reconverge_simulator::Statistics;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Lines without code that are shown around those with code, and stretches of them so short that they are shown too.
const AROUND: usize = 2;
const SHORTEST_FOLD: usize = 4;
/// The longest stretch of lines without code that is in the page at all, folded.
const LONGEST_FOLD: usize = 500;
/// Characters of a line that are shown.
const LONGEST_LINE: usize = 400;

/// A file of the source.
#[derive(Serialize, Debug)]
pub struct FilePart {
    /// Its name.
    pub name: String,
    /// Its lines, in stretches.
    pub stretches: Vec<Stretch>,
}

/// Lines that follow each other.
#[derive(Serialize, Debug)]
pub struct Stretch {
    /// True if they are shown only on a click, because no code is near.
    pub folded: bool,
    /// The first and the last.
    pub range: (usize, usize),
    /// None if they are too many.
    pub lines: Vec<Line>,
}

/// A line of the source.
#[derive(Serialize, Debug)]
pub struct Line {
    /// From 1.
    pub number: usize,
    /// The target of links.
    pub anchor: String,
    /// Its text.
    pub text: String,
    /// Its cost; none if it has no code.
    pub cost: Option<LineCost>,
}

/// The cost of a line, and its code.
#[derive(Serialize, Debug)]
pub struct LineCost {
    /// Its issue slots by reason; the whole length is the hottest line of all.
    pub bar: Vec<Segment>,
    /// Percent of the issue slots of all launches.
    pub slots: String,
    /// Percent of lanes that were active.
    pub lanes: Option<String>,
    /// Line accesses of a load, on average.
    pub loads: Option<String>,
    /// Line accesses of a store or an atomic.
    pub stores: Option<String>,
    /// By kernel.
    pub code: Vec<LineCode>,
}

/// A kernel's code for a line.
#[derive(Serialize, Debug)]
pub struct LineCode {
    /// The kernel.
    pub kernel: String,
    /// Its instructions.
    pub instructions: Vec<InstructionCost>,
    /// Values and addresses with their answers.
    pub forms: Vec<(String, String)>,
    /// The output of `--why`.
    pub why: String,
}

/// The cost of an instruction.
#[derive(Serialize, Debug)]
pub struct InstructionCost {
    number: usize,
    text: String,
    bar: Vec<Segment>,
    slots: String,
    executed: Option<String>,
    lanes: Option<String>,
    accesses: Option<String>,
    passes: Option<String>,
}

/// The target of links to a line; none if its file is not shown.
pub fn anchor(file: &str, line: u32, files: &[String]) -> Option<String> {
    let file = files.iter().position(|name| name == file)?;
    Some(format!("line-{file}-{line}"))
}

/// Number of the file and line.
type Place = (u32, u32);

/// The files of which some code was launched, in the order in which the program names them, with the lines that findings
/// are about.
pub fn files(
    kernels: &[Evidence],
    lowered: &Lowered,
    sources: &SourceMap,
    findings: &[Finding],
) -> Vec<FilePart> {
    let mut lines = BTreeMap::<Place, [Statistics; 3]>::new();
    for kernel in kernels {
        let mut nowhere = Statistics::default();
        for (place, parts) in by_line(kernel.kernel, &kernel.instructions, &mut nowhere) {
            let into = lines.entry(place).or_default();
            into.iter_mut().zip(&parts).for_each(|(into, part)| into.merge(part));
        }
    }
    let scale = Scale {
        whole: kernels.iter().map(|kernel| kernel.statistics.issue_slots).sum(),
        hottest: lines.values().map(|[all, ..]| all.issue_slots).max().unwrap_or(0),
    };
    let mut code = code(kernels, lowered, sources, scale);
    let mut found = Vec::new();
    for (number, name) in (0..).zip(&lowered.program.files) {
        let Some(file) = sources.files().find(|&file| sources.name(file) == name) else {
            continue;
        };
        let of_file = (number, 0)..=(number, u32::MAX);
        let costs: BTreeMap<usize, LineCost> = code
            .extract_if(of_file, |_, _| true)
            .map(|(place, code)| {
                let none = Default::default();
                let parts = lines.get(&place).unwrap_or(&none);
                (place.1 as usize, cost(parts, code, scale))
            })
            .collect();
        let named = findings.iter().filter(|finding| finding.file == *name && finding.line != 0);
        let mut kept: BTreeSet<usize> = named.map(|finding| finding.line as usize).collect();
        kept.extend(costs.keys());
        if kept.is_empty() {
            continue;
        }
        let text = |line: usize| shown(sources.line_text(file, line as u32).trim_end());
        // After the last line end there is no line.
        let count = sources.line_count(file);
        let count = count - usize::from(sources.line_text(file, count as u32).is_empty());
        let files = &lowered.program.files;
        let anchor = |line: usize| anchor(name, line as u32, files).unwrap_or_default();
        found.push(FilePart {
            name: name.clone(),
            stretches: stretches(costs, &kept, count, &text, &anchor),
        });
    }
    found
}

/// The whole of lengths and percentages, in issue slots.
#[derive(Clone, Copy)]
struct Scale {
    whole: u64,
    hottest: u64,
}

/// A line as far as it is shown.
fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => {
            let more = text[end..].chars().count();
            format!("{}… ({more} more characters)", &text[..end])
        }
        None => text.to_owned(),
    }
}

/// The kernels' code for each line.
fn code(
    kernels: &[Evidence],
    lowered: &Lowered,
    sources: &SourceMap,
    scale: Scale,
) -> BTreeMap<Place, Vec<LineCode>> {
    let mut found = BTreeMap::<Place, Vec<LineCode>>::new();
    for kernel in kernels {
        let same = |other: &reconverge_isa::Kernel| other.name == kernel.kernel.name;
        let index = lowered.program.kernels.iter().position(same);
        let function = index.and_then(|index| lowered.ir.get(index));
        let mut known: ByLine =
            function.map(|function| why::of_lines(function, lowered, sources)).unwrap_or_default();
        let mut of_kernel = BTreeMap::<Place, Vec<InstructionCost>>::new();
        for (number, instruction) in kernel.kernel.code.iter().enumerate() {
            let Some(location) = kernel.location(number as u32) else { continue };
            let none = Statistics::default();
            let statistics = kernel.instructions.get(&(number as u32)).unwrap_or(&none);
            let place = (location.file, location.line);
            let text = text::print_instruction(instruction);
            of_kernel.entry(place).or_default().push(InstructionCost {
                number,
                text,
                bar: bar(statistics, scale.hottest, scale.whole),
                slots: hundredths(statistics.issue_slots, scale.whole),
                executed: short(statistics.warp_instructions),
                lanes: percent(statistics.simd_efficiency()),
                accesses: tenths(statistics.transactions_per_access()),
                passes: tenths(statistics.passes_per_access()),
            });
        }
        for (place, instructions) in of_kernel {
            let known = known.remove(&place).unwrap_or_default();
            found.entry(place).or_default().push(LineCode {
                kernel: kernel.kernel.name.clone(),
                instructions,
                forms: known.forms,
                why: known.why,
            });
        }
    }
    found
}

fn cost([all, loads, stores]: &[Statistics; 3], code: Vec<LineCode>, scale: Scale) -> LineCost {
    LineCost {
        bar: bar(all, scale.hottest, scale.whole),
        slots: format!("{:.1}", 100.0 * all.issue_slots as f64 / scale.whole.max(1) as f64),
        lanes: percent(all.simd_efficiency()),
        loads: tenths(loads.transactions_per_access()),
        stores: tenths(stores.transactions_per_access()),
        code,
    }
}

fn percent(share: Option<f64>) -> Option<String> {
    Some(format!("{:.1}", 100.0 * share?))
}

fn tenths(value: Option<f64>) -> Option<String> {
    Some(format!("{:.1}", value?))
}

/// The lines of a file in stretches: those near lines that are to be shown, and between them those that are folded.
fn stretches(
    mut costs: BTreeMap<usize, LineCost>,
    kept: &BTreeSet<usize>,
    count: usize,
    text: &dyn Fn(usize) -> String,
    anchor: &dyn Fn(usize) -> String,
) -> Vec<Stretch> {
    let is_near = |line: usize| {
        let near = line.saturating_sub(AROUND)..=line + AROUND;
        kept.range(near).next().is_some()
    };
    let mut near: Vec<bool> = (1..=count).map(is_near).collect();
    for stretch in near.chunk_by_mut(|one, other| one == other) {
        if stretch.len() < SHORTEST_FOLD {
            stretch.fill(true);
        }
    }
    let mut found = Vec::new();
    let mut first = 1;
    for same in near.chunk_by(|one, other| one == other) {
        let (range, folded) = ((first, first + same.len() - 1), !same[0]);
        first += same.len();
        let line = |number: usize| Line {
            number,
            anchor: anchor(number),
            text: text(number),
            cost: costs.remove(&number),
        };
        let too_many = folded && same.len() > LONGEST_FOLD;
        let lines = if too_many { Vec::new() } else { (range.0..=range.1).map(line).collect() };
        found.push(Stretch { folded, range, lines });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_far_from_code_are_folded() {
        let cost = || cost(&Default::default(), Vec::new(), Scale { whole: 1, hottest: 1 });
        let costs = BTreeMap::from([(4, cost()), (5, cost()), (700, cost())]);
        let kept = BTreeSet::from([4, 5, 700]);
        let found =
            stretches(costs, &kept, 701, &|line| line.to_string(), &|line| line.to_string());
        let told: Vec<_> = found.iter().map(|it| (it.folded, it.range, it.lines.len())).collect();
        let expected = [(false, (1, 7), 7), (true, (8, 697), 0), (false, (698, 701), 4)];
        assert_eq!(told, expected);
        let with_cost = found.iter().flat_map(|it| &it.lines).filter(|line| line.cost.is_some());
        assert_eq!(with_cost.map(|line| line.number).collect::<Vec<_>>(), [4, 5, 700]);
    }

    #[test]
    fn long_lines_are_cut() {
        assert_eq!(shown("äb"), "äb");
        let cut = shown(&"ä".repeat(LONGEST_LINE + 3));
        assert!(cut.ends_with("ä… (3 more characters)"), "{cut}");
    }
}
