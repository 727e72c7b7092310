//! Tests the tester: plants one fault after the other in the compiler and the simulator, and counts
//! the generated programs that it takes to find each.
//!
//! `cargo run --release -p reconverge-tests --features planted-faults --bin faults [-- --only NAME]`
//!
//! The exit status is 1 when a fault survives the number of programs that it is allowed.

#![deny(clippy::unwrap_used)]

use anyhow::{Result, bail};
use clap::Parser;
use reconverge_isa::planted::{FAULTS, Row};
use reconverge_tests::faults::{Cases, Found, hunt};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Look for every planted fault with generated programs
#[derive(Parser)]
struct Arguments {
    /// Only faults whose name contains this
    #[arg(long, default_value = "")]
    only: String,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let rows: Vec<&Row> = FAULTS.iter().filter(|row| row.name.contains(&arguments.only)).collect();
    if rows.is_empty() {
        bail!("no fault's name contains `{}`", arguments.only);
    }
    // A panic is one way to notice a fault; its message is of no interest.
    std::panic::set_hook(Box::new(|_| {}));
    let found = hunt_all(&rows).into_iter().collect::<Result<Vec<_>, _>>();
    drop(std::panic::take_hook());
    let found = found.map_err(anyhow::Error::msg)?;
    println!("{:<22} {:<40} {:>7} {:>7}  noticed by", "fault", "planted in", "kernels", "limit");
    let mut survivors = Vec::new();
    for (row, found) in rows.iter().zip(&found) {
        let (kernels, how) = match found {
            Some(found) => (found.kernels.to_string(), found.how.as_str()),
            None => {
                survivors.push(row);
                ("-".to_string(), "nothing: it survives")
            }
        };
        println!("{:<22} {:<40} {kernels:>7} {:>7}  {how}", row.name, row.place, row.within);
    }
    println!("\n{} of {} faults found", rows.len() - survivors.len(), rows.len());
    for row in &survivors {
        println!("survivor: {} ({}): {}", row.name, row.place, row.sentence);
    }
    match survivors.len() {
        0 => Ok(()),
        survivors => bail!("{survivors} faults survive"),
    }
}

/// Hunts on all processors; the answers come in the order of `rows`.
fn hunt_all(rows: &[&Row]) -> Vec<Result<Option<Found>, String>> {
    let cases = Cases::new(rows.iter().map(|row| row.within).max().unwrap_or(0));
    let found = Mutex::new(vec![Ok(None); rows.len()]);
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((at, row)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            rows.get(at).map(|row| (at, row))
        } {
            let answer = hunt(row, &cases);
            if let Ok(mut found) = found.lock() {
                found[at] = answer;
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap_or_default()
}
