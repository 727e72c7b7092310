//! Findings: the causes of a run's time, in words: the line, the measured cost, and advice.
//!
//! Each rule has a file of its own and examines one kernel at a time ([`Evidence`]). Findings are
//! ordered by their measured cost, in cycles: the share of a resource's time, times the cycles of
//! the kernel's launches.

mod bank_conflicts;
mod contended_atomics;
mod copies_awaited;
mod divergence;
mod evidence;
mod few_blocks;
mod finding;
mod latency_bound;
mod load_store_bound;
mod lost_slots;
mod low_occupancy;
mod memory_bound;
mod reasons;
mod spills;
mod thrashing;
mod tree;
mod uncoalesced;

pub use evidence::Evidence;
pub use finding::{Cost, Finding, Found, Place, Rule};
pub use reasons::explanation;

use crate::kernel_record::KernelRecord;
use crate::source::line_text;
use crate::{causes, what_if};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::syntax::SourceMap;
use reconverge_simulator::Machine;
use std::fmt::Write;
use std::sync::{PoisonError, RwLock};

/// All rules, in the order in which findings of equal cost are named.
pub const RULES: &[&dyn Rule] = &[
    &uncoalesced::Uncoalesced,
    &bank_conflicts::BankConflicts,
    &contended_atomics::ContendedAtomics,
    &thrashing::Thrashing,
    &divergence::Divergence,
    &tree::Tree,
    &few_blocks::FewBlocks,
    &low_occupancy::LowOccupancy,
    &spills::Spills,
    &latency_bound::LatencyBound,
    &copies_awaited::CopiesAwaited,
    &memory_bound::MemoryBound,
    &load_store_bound::LoadStoreBound,
    &lost_slots::FETCH,
    &lost_slots::SCOREBOARD,
    &lost_slots::ARITHMETIC,
    &lost_slots::CONTROL,
    &lost_slots::BARRIER,
    &lost_slots::QUEUES,
];

/// The rules of extensions.
static ADDED: RwLock<Vec<&'static dyn Rule>> = RwLock::new(Vec::new());

/// Every rule: [`RULES`], then those of extensions.
pub fn rules() -> Vec<&'static dyn Rule> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    RULES.iter().chain(added.iter()).copied().collect()
}

/// Adds rules of an extension.
pub(crate) fn add(rules: Vec<&'static dyn Rule>) {
    ADDED.write().unwrap_or_else(PoisonError::into_inner).extend(rules);
}

/// The most findings that are shown of a run to a person.
pub const MOST: usize = 5;

/// Findings that cost a smaller share of the cycles of all launches are not shown: the kernel hardly matters.
pub const LEAST: f64 = 0.01;

/// The findings about launches that have profiles, most expensive first.
pub fn findings(
    records: &[KernelRecord],
    lowered: &Lowered,
    machine: &Machine,
    sources: &SourceMap,
) -> Vec<Finding> {
    let kernels = Evidence::of_kernels(records, lowered, machine);
    let cycles: u64 = kernels.iter().map(|kernel| kernel.statistics.cycles).sum();
    let (mut all, rules) = (Vec::new(), rules());
    for kernel in &kernels {
        let known = all.len();
        for rule in &rules {
            let found = rule.find(kernel).into_iter();
            let gain = rule.cause().and_then(|cause| what_if::gain(&kernel.launches, cause));
            all.extend(found.map(|found| Finding {
                gain: gain.clone(),
                ..finding(kernel, rule.name(), found, lowered, sources)
            }));
        }
        if all.len() == known {
            let most = lost_slots::most(kernel);
            all.extend(most.map(|found| finding(kernel, "lost-slots", found, lowered, sources)));
        }
    }
    all.retain(|finding: &Finding| finding.cycles >= LEAST * cycles as f64);
    // The sort is stable.
    all.sort_by(|one, other| other.cycles.total_cmp(&one.cycles));
    all
}

/// A finding with the place in the source.
fn finding(
    kernel: &Evidence,
    rule: &'static str,
    found: Found,
    lowered: &Lowered,
    sources: &SourceMap,
) -> Finding {
    let (file, line) = match found.place {
        Place::Instruction(pc) => {
            let location = kernel.location(pc);
            let file = location.and_then(|at| lowered.program.files.get(at.file as usize));
            (file.cloned().unwrap_or_default(), location.map_or(0, |at| at.line))
        }
        Place::Launch(span) => (sources.name(span.file).to_owned(), sources.line(span)),
    };
    let source = if line == 0 { String::new() } else { line_text(sources, &file, line) };
    Finding {
        rule,
        kernel: kernel.kernel.name.clone(),
        file,
        line,
        source: source.trim_start().to_owned(),
        message: found.message,
        cost: found.cost,
        advice: found.advice,
        cycles: found.cost.share * kernel.statistics.cycles as f64,
        gain: None,
    }
}

/// Columns that the text fits in, where words allow.
const WIDTH: usize = 120;

/// The most costly findings as text, at most [`MOST`]; nothing for none.
pub fn text(findings: &[Finding]) -> String {
    let mut text = String::new();
    if findings.is_empty() {
        return text;
    }
    text += "findings, the most costly first:\n";
    let mut said: Vec<&str> = Vec::new();
    let mut gains: Vec<(&str, &str)> = Vec::new();
    for finding in findings.iter().take(MOST) {
        let place = match finding.line {
            0 => format!("`{}`", finding.kernel),
            line => format!("{}:{line}", finding.file),
        };
        let mut cost = format!(
            "cost: {:.1} % of {} of `{}`.",
            100.0 * finding.cost.share,
            finding.cost.of,
            finding.kernel
        );
        // A gain is the kernel's, and said once, as advice is.
        if let Some(gain) = &finding.gain
            && !gains.contains(&(&finding.kernel, gain.cause))
        {
            gains.push((&finding.kernel, gain.cause));
            cost += &format!(" {}", causes::sentence(gain));
        }
        if !said.contains(&finding.advice.as_str()) {
            said.push(&finding.advice);
            cost += &format!(" Try: {}.", finding.advice);
        }
        wrap(&mut text, "  ", "    ", &format!("{place}: {}", finding.message));
        if !finding.source.is_empty() {
            let source: String = finding.source.chars().take(WIDTH - 6).collect();
            let _ = writeln!(text, "      {}", source.trim_end());
        }
        wrap(&mut text, "    ", "    ", &cost);
    }
    text
}

/// Adds words in lines, the first of which begins with `first`, the others with `rest`.
fn wrap(text: &mut String, first: &str, rest: &str, words: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    // A number and its unit stay together.
    let words = words.replace(" %", "\u{a0}%");
    for word in words.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            text.push_str(&line);
            text.push('\n');
            line = rest.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(&word.replace('\u{a0}', " "));
        is_empty = false;
    }
    text.push_str(&line);
    text.push('\n');
}
