//! Measures the speed of simulation, and the memory that it takes.
//!
//! `cargo run --release -p reconverge-tests --bin bench [-- [speed | threads | scale | host-code | host-instructions | against] [--only NAME]]`
//!
//! `speed` (the default): warp instructions per second of wall time spent in
//! kernels (compilation and the host program excluded) on the examples, and the ratio to what a
//! widely used cycle simulator does on such machines (27 thousand a second at best); and memory for
//! each simulated thread on the machine: what a launch holds at most under the timing model, the
//! machine's caches and queues with it, beside the program's data. `threads`: how much faster several threads are. `scale`: whether
//! cost grows linearly with a program's size. `host-code`: which part of a run under the functional model is the host
//! program, not its launches. `host-instructions`: what the host executes within launches for each warp
//! instruction, counted by valgrind; unlike times it does not depend on what else the host does. `against`: speeds
//! beside those of another build of this program (`--build PATH`), which take turns in one run. With `--images` `speed` also
//! runs the kernels of `tests/bench/*.bin`, which an earlier compiler made (tests/bench/README.md): what the simulator gains
//! is then not mixed with what better code gives away in instructions that are cheap to simulate.

#![deny(clippy::unwrap_used)]

mod against;
mod host;
mod measure;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Parser, ValueEnum};
use measure::Task;
use reconverge::build::{self, Checked};
use reconverge::execute::ModelName;
use reconverge::named::Named;
use reconverge_simulator::{Machine, load_machine};
use reconverge_tests::oracle::NoFiles;

/// Measure how fast programs are simulated
#[derive(Parser)]
struct Arguments {
    /// The measurement
    #[arg(value_enum, default_value_t = What::Speed)]
    what: What,
    /// Only examples whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// How often each is run; the fastest counts
    #[arg(long, default_value_t = 3)]
    repeat: usize,
    /// Threads that the timing model runs on; for `threads`, those that are compared with one
    #[arg(long)]
    threads: Option<u32>,
    /// The machine
    #[arg(long, default_value = "gtx480")]
    machine: String,
    /// Changes of the machine, as `run` takes them
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Kernels as an earlier compiler made them (tests/bench) beside those of today, for `speed`
    #[arg(long)]
    images: bool,
    /// Another build of this program, for `against`
    #[arg(long, value_name = "PATH")]
    build: Option<PathBuf>,
    /// One model only, for `host-instructions`; there `once` runs under valgrind
    #[arg(long, value_parser = ModelName::read)]
    model: Option<ModelName>,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// The examples under both models, and the memory for each thread
    Speed,
    /// The examples on several threads beside one
    Threads,
    /// saxpy of 1, 4, 16 and 64 million elements
    Scale,
    /// The time of host programs beside that of their launches under the functional model
    HostCode,
    /// The host's instructions for each warp instruction, where valgrind is
    HostInstructions,
    /// The speeds of this build and another one, in turns
    Against,
    /// Each example once under one model, and nothing printed but its warp instructions
    Once,
}

/// Warp instructions a second of the simulator we compare with.
const PEER: f64 = 27_000.0;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let sets = arguments.set.iter().map(|set| {
        let (key, value) = set.split_once('=').with_context(|| format!("`{set}` has no `=`"))?;
        Ok((key.to_string(), value.to_string()))
    });
    let sets = sets.collect::<Result<Vec<_>>>()?;
    let machine = load_machine(&arguments.machine, &sets).map_err(anyhow::Error::msg)?;
    if let What::Once = arguments.what {
        return host::once(&arguments, &machine);
    }
    println!("machine {}, {} SMs; best of {}", machine.name, machine.sms, arguments.repeat);
    match arguments.what {
        What::HostInstructions => host::instructions(&arguments, &machine)?,
        What::Against => against::speeds(&arguments)?,
        What::Once => {}
        What::Speed => speed(&arguments, &machine)?,
        What::Threads => threads(&arguments, &machine)?,
        What::Scale => scale(&arguments, &machine)?,
        What::HostCode => host_code(&arguments, &machine)?,
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory of this process: {peak} MiB");
    }
    Ok(())
}

fn speed(arguments: &Arguments, machine: &Machine) -> Result<()> {
    println!("speeds in warp instructions per second");
    print!(
        "{:<16} {:>12} {:>12} {:>12} {:>14} {:>9} {:>12}",
        "example", "instructions", "cycles", "timing/s", "functional/s", "ratio", "bytes/thread"
    );
    match arguments.images {
        true => println!(" {:>14} {:>12} {:>14}", "of the image", "timing/s", "functional/s"),
        false => println!(),
    }
    let mut logs = [0.0; 4];
    let examples = examples(&arguments.only)?;
    for example in &examples {
        let measure = |model, threads, image| {
            let task = Task { image, ..task(machine, model, threads, &[]) };
            task.best(&example.checked, arguments.repeat)
        };
        let both = |image| {
            let timing = measure(ModelName::Timing, arguments.threads.unwrap_or(1), image)?;
            anyhow::Ok((timing, measure(ModelName::Functional, 1, image)?))
        };
        let (timing, functional) = both(None)?;
        let bytes = timing.bytes as f64 / timing.threads;
        print!(
            "{:<16} {:>12} {:>12} {:>12.0} {:>14.0} {:>8.0}x {bytes:>12.0}",
            example.name,
            timing.instructions,
            timing.cycles,
            timing.speed(),
            functional.speed(),
            timing.speed() / PEER,
        );
        let mut speeds = [timing.speed(), functional.speed(), 1.0, 1.0];
        if arguments.images {
            let (timing, functional) = both(Some(&example.image()))?;
            speeds[2..].copy_from_slice(&[timing.speed(), functional.speed()]);
            let [.., of_timing, of_functional] = speeds;
            print!(" {:>14} {of_timing:>12.0} {of_functional:>14.0}", timing.instructions);
        }
        println!();
        logs = std::array::from_fn(|at| logs[at] + f64::ln(speeds[at]));
    }
    let means = logs.map(|sum| (sum / examples.len() as f64).exp());
    let [timing, functional, of_timing, of_functional] = means;
    print!(
        "{:<16} {:>12} {:>12} {timing:>12.0} {functional:>14.0} {:>8.0}x",
        "geometric mean",
        "",
        "",
        timing / PEER
    );
    match arguments.images {
        true => println!(" {:>12} {:>14} {of_timing:>12.0} {of_functional:>14.0}", "", ""),
        false => println!(),
    }
    Ok(())
}

fn threads(arguments: &Arguments, machine: &Machine) -> Result<()> {
    let count = arguments.threads.unwrap_or(2);
    println!(
        "{:<16} {:>12} {:>12} {:>9}",
        "example",
        "1 thread",
        format!("{count} threads"),
        "ratio"
    );
    let mut log = 0.0;
    let examples = examples(&arguments.only)?;
    for example in &examples {
        let [one, many] = [1, count].map(|threads| {
            let task = task(machine, ModelName::Timing, threads, &[]);
            task.best(&example.checked, arguments.repeat)
        });
        let (one, many) = (one?.speed(), many?.speed());
        println!("{:<16} {one:>12.0} {many:>12.0} {:>8.2}x", example.name, many / one);
        log += (many / one).ln();
    }
    let mean = (log / examples.len() as f64).exp();
    println!("{:<16} {:>12} {:>12} {mean:>8.2}x", "geometric mean", "", "");
    Ok(())
}

fn host_code(arguments: &Arguments, machine: &Machine) -> Result<()> {
    println!("milliseconds under the functional model, and the part of the host program in them");
    println!("{:<16} {:>12} {:>12} {:>9}", "example", "launches", "host program", "part");
    for example in &examples(&arguments.only)? {
        let task = task(machine, ModelName::Functional, 1, &[]);
        let (mut launches, mut host) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..arguments.repeat.max(1) {
            let measured = task.best(&example.checked, 1)?;
            launches = launches.min(measured.seconds);
            host = host.min(measured.host_seconds);
        }
        let part = 100.0 * host / (host + launches);
        let [launches, host] = [launches, host].map(|seconds| seconds * 1e3);
        println!("{:<16} {launches:>12.1} {host:>12.1} {part:>8.0}%", example.name);
    }
    Ok(())
}

fn scale(arguments: &Arguments, machine: &Machine) -> Result<()> {
    println!(
        "{:<16} {:>12} {:>12} {:>9} {:>15}",
        "elements", "instructions", "cycles", "seconds", "ns/instruction"
    );
    for example in examples("saxpy")? {
        for millions in [1u64, 4, 16, 64] {
            let elements = millions << 20;
            let program = [elements.to_string()];
            let measured =
                task(machine, ModelName::Timing, arguments.threads.unwrap_or(1), &program)
                    .best(&example.checked, arguments.repeat)?;
            println!(
                "{elements:<16} {:>12} {:>12} {:>9.2} {:>15.0}",
                measured.instructions,
                measured.cycles,
                measured.seconds,
                1e9 / measured.speed()
            );
        }
    }
    Ok(())
}

/// The measurement of an example under a model.
fn task<'a>(
    machine: &'a Machine,
    model: ModelName,
    threads: u32,
    arguments: &'a [String],
) -> Task<'a> {
    Task { machine, model, threads, arguments, image: None }
}

/// An example program.
struct Example {
    name: String,
    checked: Checked,
}

impl Example {
    /// The file with its kernels as an earlier compiler made them.
    fn image(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
        folder.join(format!("{}.bin", self.name))
    }
}

/// The example programs, sorted.
fn examples(only: &str) -> Result<Vec<Example>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut files: Vec<PathBuf> = Vec::new();
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
    let examples = files.into_iter().map(|file| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let source = std::fs::read_to_string(&file).with_context(|| format!("reading {file:?}"))?;
        Ok(Example { checked: build::check(&name, &source, &[], &mut NoFiles), name })
    });
    examples.collect()
}

/// The most memory this process has held, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib >> 10)
}
