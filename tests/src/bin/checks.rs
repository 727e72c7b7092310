//! Plants faults into the templates of `data/planted/kinds`, each in a shape of its own, and counts those that `--check all` finds;
//! then runs generated programs, which have none.
//!
//! `cargo run --release -p reconverge-tests --bin checks [-- --faults 2000 --programs 300]`
//!
//! The exit status is 1 when fewer than 98 of 100 are found, or anything where no fault is.

#![deny(clippy::unwrap_used)]

use anyhow::{Result, ensure};
use clap::Parser;
use rayon::prelude::*;
use reconverge::checks::Check;
use reconverge_tests::{faultless, planted};

/// Look for planted faults with `--check all`
#[derive(Parser)]
struct Arguments {
    /// Faults to plant
    #[arg(long, default_value_t = 2000)]
    faults: u64,
    /// The first fault's number, which decides its line and shape
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Generated programs without a fault
    #[arg(long, default_value_t = 300)]
    programs: u64,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let numbers = arguments.first..arguments.first + arguments.faults;
    let counted = planted::look(numbers).map_err(anyhow::Error::msg)?;
    for missed in &counted.missed {
        println!("missed: {missed}");
    }
    // Others than those of the suite.
    let seeds: Vec<u64> = (10_000..10_000 + arguments.programs).collect();
    let alarm = |&seed: &u64| {
        let source = faultless::program(seed).source();
        let found = faultless::check(&source, seed, &[Check::All]).err();
        found.map(|problem| format!("generated program {seed}: {problem}"))
    };
    let mut alarms = counted.alarms;
    alarms.extend(seeds.par_iter().filter_map(alarm).collect::<Vec<_>>());
    for alarm in &alarms {
        println!("false finding: {alarm}");
    }
    let (planted, missed) = (counted.planted, counted.missed.len());
    println!("{} false findings in {} correct programs", alarms.len(), planted + seeds.len());
    println!("{} of {planted} planted faults found", planted - missed);
    ensure!(missed * 50 <= planted, "more than 2 of 100 are missed");
    ensure!(alarms.is_empty(), "something is found where no fault is");
    Ok(())
}
