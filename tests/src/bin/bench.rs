//! Measures how fast the examples are simulated, on one thread.
//!
//! `cargo run --release -p reconverge-tests --bin bench [-- --only NAME] [--repeat N]`
//!
//! Prints warp instructions per second of wall time spent in kernels (compilation and the host
//! program excluded), the best of some repetitions, and the ratio to what a widely used cycle
//! simulator does on such machines (27 thousand a second at best).

use anyhow::{Context, Result, bail};
use clap::Parser;
use reconverge::build::{self, Checked};
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge::host::surroundings::Surroundings;
use reconverge_compiler::lower::Options;
use reconverge_simulator::Machine;
use reconverge_tests::oracle::NoFiles;
use std::path::{Path, PathBuf};

/// Measure simulation speed on the examples
#[derive(Parser)]
struct Arguments {
    /// Only examples whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// How often each is run; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Threads that the timing model runs on
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// The machine
    #[arg(long, default_value = "gtx480")]
    machine: String,
}

/// Warp instructions a second of the simulator we compare with.
const PEER: f64 = 27_000.0;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let machine = Machine::load(&arguments.machine, &[]).map_err(anyhow::Error::msg)?;
    println!(
        "machine {}; warp instructions per second, best of {}",
        machine.name, arguments.repeat
    );
    println!(
        "{:<16} {:>12} {:>12} {:>14} {:>14} {:>9}",
        "example", "instructions", "cycles", "timing/s", "functional/s", "ratio"
    );
    let mut logs = [0.0; 2];
    let examples = examples(&arguments.only)?;
    for file in &examples {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let source = std::fs::read_to_string(file).with_context(|| format!("reading {file:?}"))?;
        let checked = build::check(&name, &source, &[], &mut NoFiles);
        let timing =
            best(&checked, &machine, ModelName::Timing, (arguments.repeat, arguments.threads))?;
        let functional = best(&checked, &machine, ModelName::Functional, (arguments.repeat, 1))?;
        println!(
            "{name:<16} {:>12} {:>12} {:>14.0} {:>14.0} {:>8.0}x",
            timing.instructions,
            timing.cycles,
            timing.speed,
            functional.speed,
            timing.speed / PEER,
        );
        logs[0] += timing.speed.ln();
        logs[1] += functional.speed.ln();
    }
    let means = logs.map(|sum| (sum / examples.len() as f64).exp());
    println!(
        "{:<16} {:>12} {:>12} {:>14.0} {:>14.0} {:>8.0}x",
        "geometric mean",
        "",
        "",
        means[0],
        means[1],
        means[0] / PEER
    );
    if let Some(peak) = peak_memory() {
        println!("peak memory of this process: {peak} MiB");
    }
    Ok(())
}

/// The example programs, sorted.
fn examples(only: &str) -> Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "cu") && name.contains(only) {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("no example's name contains `{only}`");
    }
    Ok(files)
}

/// One measurement.
struct Measured {
    instructions: u64,
    cycles: u64,
    /// Instructions a second.
    speed: f64,
}

fn best(
    checked: &Checked,
    machine: &Machine,
    model: ModelName,
    (repeat, threads): (usize, u32),
) -> Result<Measured> {
    let mut best: Option<Measured> = None;
    for _ in 0..repeat.max(1) {
        let measured = measure(checked, machine, model, threads)?;
        if best.as_ref().is_none_or(|best| best.speed < measured.speed) {
            best = Some(measured);
        }
    }
    best.context("nothing was measured")
}

fn measure(
    checked: &Checked,
    machine: &Machine,
    model: ModelName,
    threads: u32,
) -> Result<Measured> {
    let setup = Setup {
        machine,
        model,
        max_cycles: None,
        threads,
        max_operations: None,
        options: Options::default(),
        verify_annotations: false,
        profile: false,
        arguments: vec!["example".to_string()],
        surroundings: Surroundings::default(),
        digest: false,
        trace: None,
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| anyhow::anyhow!(refused.render(false)))?;
    if !matches!(execution.outcome, Outcome::Exit(0)) {
        bail!("the example ends with {:?}", execution.outcome);
    }
    let statistics = execution.records.iter().filter_map(|record| record.statistics.as_ref());
    let (mut instructions, mut cycles) = (0, 0);
    for one in statistics {
        instructions += one.warp_instructions;
        cycles += one.cycles;
    }
    Ok(Measured {
        instructions,
        cycles,
        speed: instructions as f64 / execution.kernel_time.as_secs_f64(),
    })
}

/// The most memory this process has held, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib >> 10)
}
