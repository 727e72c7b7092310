//! The page of `compare`: runs of programs beside each other, and where they differ.

use super::frame::render;
use super::header::Header;
use super::shown_finding::Shown;
use super::slots::{self, Reason, Segment, bar};
use anyhow::Result;
use minijinja::value::Serde;
use minijinja::{Value, context};
use reconverge::comparison::{Comparison, Variation};
use reconverge::numbers::grouped;
use reconverge::profile::{KernelProfile, LineProfile, short};
use reconverge_simulator::Statistics;
use serde::Serialize;
use std::collections::BTreeMap;

const TEMPLATE: &str = include_str!("compare.html");

/// Lines that take a smaller share of a kernel's issue slots in all configurations are left out.
const LEAST: f64 = 0.005;

/// Runs that a page is about.
pub struct Subject<'a> {
    /// The command line.
    pub command: &'a str,
    /// The programs, each with all configurations.
    pub comparisons: &'a [Comparison],
    /// For each configuration its machine without changed settings, as a complete file.
    pub machine_files: &'a [String],
    /// For each program and configuration the error that stopped the run, over its source; empty if
    /// it ended by itself.
    pub stopped: &'a [Vec<String>],
}

/// The values that the template shows.
#[derive(Serialize)]
struct Shape<'a> {
    header: Option<Header>,
    reasons: Vec<Reason>,
    programs: Vec<ProgramPart<'a>>,
}

/// A program.
#[derive(Serialize)]
struct ProgramPart<'a> {
    name: &'a str,
    titles: Vec<String>,
    rows: Vec<Vec<String>>,
    runs: Vec<RunPart<'a>>,
    kernels: Vec<KernelPart>,
}

/// A configuration of a program.
#[derive(Serialize)]
struct RunPart<'a> {
    label: String,
    stopped: &'a str,
    findings: Vec<Shown<'a>>,
}

/// A kernel in all configurations.
#[derive(Serialize)]
struct KernelPart {
    name: String,
    runs: Vec<KernelRun>,
    labels: Vec<String>,
    lines: Vec<LinePart>,
    left_out: usize,
}

/// A kernel in a configuration.
#[derive(Serialize)]
struct KernelRun {
    label: String,
    launches: usize,
    cycles: String,
    relative: String,
    bar: Vec<Segment>,
}

/// A line in all configurations.
#[derive(Serialize)]
struct LinePart {
    file: String,
    line: u32,
    source: String,
    cells: Vec<LineCell>,
}

/// A line in a configuration.
#[derive(Serialize)]
struct LineCell {
    bar: Vec<Segment>,
    slots: String,
    /// By how many percent of the first configuration's slots of the kernel it differs from that.
    change: String,
}

/// The text of the page.
///
/// # Errors
/// The template does not fit.
pub fn text(subject: &Subject) -> Result<String> {
    let mut whole = Statistics::default();
    let mut runs = Vec::new();
    for comparison in subject.comparisons {
        for (variation, file) in comparison.variations.iter().zip(subject.machine_files) {
            runs.push((variation.machine.as_str(), &variation.provenance, file.as_str()));
            profiles(variation).iter().for_each(|kernel| whole.append(&kernel.statistics));
        }
    }
    let names: Vec<&str> = subject.comparisons.iter().map(|one| one.program.as_str()).collect();
    let programs = subject.comparisons.iter().zip(subject.stopped);
    let shape = Shape {
        header: Header::common(&names.join(", "), subject.command, &runs),
        reasons: slots::legend(&whole),
        programs: programs.map(|(comparison, stopped)| program(comparison, stopped)).collect(),
    };
    render(TEMPLATE, context! { page => Value::from(Serde(&shape)), slots => slots::style() })
}

fn profiles(variation: &Variation) -> &[KernelProfile] {
    variation.detail.as_ref().map_or(&[], |detail| &detail.kernels)
}

fn program<'a>(comparison: &'a Comparison, stopped: &'a [String]) -> ProgramPart<'a> {
    let (titles, rows) = comparison.rows();
    let run = |(variation, stopped): (&'a Variation, &'a String)| {
        let findings = variation.detail.iter().flat_map(|detail| &detail.findings);
        RunPart { label: variation.label(), stopped, findings: findings.map(Shown::new).collect() }
    };
    let mut names: Vec<&str> = Vec::new();
    for kernel in comparison.variations.iter().flat_map(profiles) {
        if !names.contains(&kernel.name.as_str()) {
            names.push(&kernel.name);
        }
    }
    ProgramPart {
        name: &comparison.program,
        titles,
        rows,
        runs: comparison.variations.iter().zip(stopped).map(run).collect(),
        kernels: names.into_iter().map(|name| kernel(comparison, name)).collect(),
    }
}

fn kernel(comparison: &Comparison, name: &str) -> KernelPart {
    let found = |variation| -> Option<&KernelProfile> {
        profiles(variation).iter().find(|kernel| kernel.name == name)
    };
    let all: Vec<(String, Option<&KernelProfile>)> = comparison
        .variations
        .iter()
        .map(|variation| (variation.label(), found(variation)))
        .collect();
    let profiles = || all.iter().filter_map(|(_, profile)| *profile);
    let longest = profiles().map(|profile| profile.statistics.issue_slots).max().unwrap_or(0);
    let first = profiles().next().map_or(0, |profile| profile.statistics.cycles);
    let runs = all.iter().map(|(label, profile)| KernelRun {
        label: label.clone(),
        launches: profile.map_or(0, |profile| profile.launches),
        cycles: profile.map_or("-".to_owned(), |profile| grouped(profile.statistics.cycles)),
        relative: profile.filter(|_| first != 0).map_or(String::new(), |profile| {
            format!("{:.3}", profile.statistics.cycles as f64 / first as f64)
        }),
        bar: profile.map_or(Vec::new(), |profile| {
            bar(&profile.statistics, longest, profile.statistics.issue_slots)
        }),
    });
    let (lines, left_out) = lines(&all);
    KernelPart {
        name: name.to_owned(),
        runs: runs.collect(),
        labels: all.iter().map(|(label, _)| label.clone()).collect(),
        lines,
        left_out,
    }
}

/// The lines of a kernel that matter in some configuration, and how many do not.
fn lines(all: &[(String, Option<&KernelProfile>)]) -> (Vec<LinePart>, usize) {
    let mut places = BTreeMap::<(&str, u32), Vec<Option<&LineProfile>>>::new();
    for (at, (_, profile)) in all.iter().enumerate() {
        for line in profile.iter().flat_map(|profile| &profile.lines) {
            let found = places.entry((&line.file, line.line)).or_default();
            found.resize(all.len(), None);
            found[at] = Some(line);
        }
    }
    let count = places.len();
    let whole = |at: usize| all[at].1.map_or(0, |profile| profile.statistics.issue_slots);
    let slots = |line: &Option<&LineProfile>| line.map_or(0, |line| line.statistics.issue_slots);
    places.retain(|_, lines| {
        let mut parts = lines.iter().enumerate();
        parts.any(|(at, line)| slots(line) as f64 >= LEAST * whole(at).max(1) as f64)
    });
    let hottest = places.values().flatten().map(slots).max().unwrap_or(0);
    let first = (0..all.len()).find(|&at| all[at].1.is_some()).unwrap_or(0);
    let part = |((file, number), lines): (&(&str, u32), &Vec<Option<&LineProfile>>)| {
        let cell = |(at, line): (usize, &Option<&LineProfile>)| {
            let change = slots(line) as f64 - slots(&lines[first]) as f64;
            let is_compared = at != first && all[at].1.is_some();
            LineCell {
                bar: line.map_or(Vec::new(), |line| bar(&line.statistics, hottest, whole(at))),
                slots: short(slots(line)).unwrap_or_else(|| "0".to_owned()),
                change: match is_compared {
                    true => signed(100.0 * change / whole(first).max(1) as f64),
                    false => String::new(),
                },
            }
        };
        let source = lines.iter().flatten().next().map_or("", |line| line.source.trim_start());
        LinePart {
            file: (*file).to_owned(),
            line: *number,
            source: source.chars().take(200).collect(),
            cells: lines.iter().enumerate().map(cell).collect(),
        }
    };
    let shown: Vec<LinePart> = places.iter().map(part).collect();
    let left_out = count - shown.len();
    (shown, left_out)
}

/// A number with its sign and a digit, 0 without a sign.
fn signed(number: f64) -> String {
    match format!("{number:+.1}").as_str() {
        "+0.0" | "-0.0" => "0.0".to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_has_no_sign() {
        assert_eq!([0.04, -0.04, 0.06, -1.0].map(super::signed), ["0.0", "0.0", "+0.1", "-1.0"]);
    }
}
