//! Runs the full matrix: every example, on every machine, under every mechanism and every pair of mechanisms of
//! different slots, and writes the results as a part of `docs/full-run.md`. The progress appears on
//! standard error.
//!
//! `cargo run --release -p reconverge-tests --bin matrix [-- --slot SLOT --count N --seed HEX --output FILE]`

#![deny(clippy::unwrap_used)]

use anyhow::{Result, bail};
use clap::Parser;
use rayon::prelude::*;
use reconverge_simulator::mechanisms;
use reconverge_tests::document::{deliver, strings, table};
use reconverge_tests::examples::case;
use reconverge_tests::matrix::{self, Matrix, complaint};
use reconverge_tests::oracle::Variant;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Hold every example under every mechanism against the interpreter
#[derive(Parser)]
struct Arguments {
    /// Only where a mechanism of this slot is selected; may be given several times
    #[arg(long)]
    slot: Vec<String>,
    /// Only so many runs, chosen by a seed
    #[arg(long)]
    count: Option<usize>,
    /// The seed, hexadecimal; by default the commit's
    #[arg(long)]
    seed: Option<String>,
    /// Where the summary goes; `-` is standard output
    #[arg(long, default_value = "-")]
    output: PathBuf,
}

/// The progress of the runs.
struct Progress {
    all: usize,
    done: AtomicUsize,
    differ: AtomicUsize,
    start: Instant,
    /// Seconds after the start at which it was last said.
    said: AtomicU64,
}

impl Progress {
    /// Between two lines, in seconds.
    const INTERVAL: u64 = 15;

    fn new(all: usize) -> Progress {
        let (done, differ) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Progress { all, done, differ, start: Instant::now(), said: AtomicU64::new(0) }
    }

    /// So many more runs are done, of which some differ.
    fn add(&self, runs: usize, differ: usize) {
        let done = self.done.fetch_add(runs, Ordering::Relaxed) + runs;
        let differ = self.differ.fetch_add(differ, Ordering::Relaxed) + differ;
        let (now, said) = (self.start.elapsed().as_secs(), self.said.load(Ordering::Relaxed));
        let is_due = now >= said + Progress::INTERVAL
            && self.said.compare_exchange(said, now, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_due {
            let left = now * (self.all - done) as u64 / done as u64;
            let all = self.all;
            eprintln!("{done} of {all} runs, {differ} differ, after {now} s; {left} s left");
        }
    }
}

/// The outcome of a program.
struct Outcome {
    program: &'static str,
    runs: usize,
    complaints: Vec<String>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let seed = match &arguments.seed {
        Some(text) => u64::from_str_radix(text, 16)?,
        None => matrix::seed().map_err(anyhow::Error::msg)?,
    };
    let known: BTreeSet<&str> = mechanisms().iter().map(|mechanism| mechanism.slot).collect();
    if let Some(slot) = arguments.slot.iter().find(|slot| !known.contains(slot.as_str())) {
        bail!("no slot is called `{slot}`; the slots are: {}", Vec::from_iter(known).join(", "));
    }
    let matrix = Matrix::of_slots(&arguments.slot);
    let count = arguments.count.unwrap_or(matrix.cells());
    let cells: Vec<(&str, Vec<Variant>)> = match arguments.count {
        Some(count) => matrix.slice(seed, count).into_iter().collect(),
        None => matrix::programs()
            .into_iter()
            .map(|program| (program, matrix.variants.clone()))
            .collect(),
    };
    let progress = Progress::new(count);
    let outcomes: Vec<Outcome> = cells
        .par_iter()
        .map(|(program, variants)| run(program, variants, &progress))
        .collect::<Result<_>>()?;
    let complaints: Vec<String> =
        outcomes.iter().flat_map(|outcome| outcome.complaints.iter().cloned()).collect();
    let chosen = match arguments.count {
        Some(_) => format!("{count} of {} runs, chosen by the seed {seed:x}", matrix.cells()),
        None => format!("all {} runs", matrix.cells()),
    };
    let slots = match arguments.slot.as_slice() {
        [] => String::new(),
        slots => format!(" with a mechanism of {}", slots.join(", ")),
    };
    let chosen = chosen + &slots;
    println!("{count} runs, {} differ", complaints.len());
    deliver(&document(&matrix, &outcomes, &chosen), &arguments.output, &complaints)
}

/// Runs a program in each variant on its own, so that one failure does not hide others.
fn run(program: &&'static str, variants: &[Variant], progress: &Progress) -> Result<Outcome> {
    let case = case(program)?;
    let complaints: Vec<String> = variants
        .par_chunks(64)
        .flat_map_iter(|variants| {
            // Each build is compiled once for a chunk; after a failure the rest is run one by one.
            let complaints: Vec<String> = match case.compare(variants) {
                Ok(()) => Vec::new(),
                Err(_) => variants
                    .iter()
                    .filter_map(|variant| case.compare(std::slice::from_ref(variant)).err())
                    .map(|failure| complaint(program, &failure))
                    .collect(),
            };
            progress.add(variants.len(), complaints.len());
            complaints
        })
        .collect();
    Ok(Outcome { program, runs: variants.len(), complaints })
}

fn document(matrix: &Matrix, outcomes: &[Outcome], chosen: &str) -> String {
    let rows: Vec<Vec<String>> = outcomes
        .iter()
        .map(|Outcome { program, runs, complaints }| {
            vec![program.to_string(), runs.to_string(), complaints.len().to_string()]
        })
        .collect();
    let complaints: String = outcomes
        .iter()
        .flat_map(|outcome| &outcome.complaints)
        .map(|complaint| format!("- {}\n", complaint.lines().next().unwrap_or_default()))
        .collect();
    format!(
        "## The full matrix\n\n\
         Every example at a small size, on every machine, under every mechanism and every pair of mechanisms of different \
         slots: {} configurations. Output and device memory after each launch are held against the interpreter.\n\n\
         Run: {chosen}.\n\n{}\n{complaints}\nMachines refuse {} configurations, as mechanisms do not go together:\n\n{}",
        matrix.variants.len(),
        table(&strings(&["program", "runs", "differ"]), &rows),
        matrix.refused.len(),
        refused(matrix),
    )
}

/// The reasons why configurations are refused, with how many there are of each.
fn refused(matrix: &Matrix) -> String {
    let mut reasons = std::collections::BTreeMap::new();
    for (_, why) in &matrix.refused {
        *reasons.entry(why.as_str()).or_insert(0) += 1;
    }
    reasons.iter().map(|(why, count)| format!("- {count}: {why}\n")).collect()
}
