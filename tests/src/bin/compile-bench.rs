//! Measures how compile time grows with the length of a kernel, for several kinds of kernels.
//!
//! `cargo run --release -p reconverge-tests --bin compile-bench [-- --only KIND] [--lines N,N,..]
//! [--steps] [--limit RATIO]`, or `-- --ptx FILE..` for how fast PTX is read and compiled
//!
//! Times are those that the processor spent, where the system tells, so that other work on the
//! machine counts little. The growth of a line is how much longer than the line above it took, over how much longer
//! n log n steps take: 1 is exactly n log n. Memory is the most that the process held meanwhile,
//! where the system tells.

#![deny(clippy::unwrap_used)]

use anyhow::{Context, Result, bail};
use clap::Parser;
use reconverge::build;
use reconverge_compiler::check;
use reconverge_compiler::lower::{self, Options};
use reconverge_compiler::pass::Level;
use reconverge_compiler::ptx;
use reconverge_compiler::syntax::{self, SourceMap, Target};
use reconverge_tests::large::{KINDS, Kind};
use reconverge_tests::oracle::NoFiles;
use std::path::PathBuf;
use std::time::Duration;

/// Measure how compile time grows
#[derive(Parser)]
struct Arguments {
    /// Only these kinds, by a part of their names
    #[arg(long, default_value = "")]
    only: String,
    /// How many lines the kernels have
    #[arg(long, value_delimiter = ',', default_value = "500,1000,2000,5000,10000,20000,50000")]
    lines: Vec<usize>,
    /// The level of optimisation
    #[arg(long, default_value = "2")]
    level: String,
    /// The most registers per thread may use
    #[arg(long, default_value_t = 63)]
    max_registers: u32,
    /// How often each is measured; the fastest counts
    #[arg(long, default_value_t = 1)]
    repeat: usize,
    /// Show the steps that took longest
    #[arg(long)]
    steps: bool,
    /// Fail if from the first size to the last the growth is above this
    #[arg(long)]
    limit: Option<f64>,
    /// Print the program of the kind with the first size, and stop
    #[arg(long)]
    print: bool,
    /// Measure these PTX texts instead, all together
    #[arg(long, value_name = "FILE", num_args = 1..)]
    ptx: Vec<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let kinds: Vec<&Kind> =
        KINDS.iter().filter(|kind| kind.name.contains(&arguments.only)).collect();
    if kinds.is_empty() {
        bail!("no kind's name contains `{}`", arguments.only);
    }
    if arguments.print {
        kinds.iter().for_each(|kind| print!("{}", (kind.source)(arguments.lines[0])));
        return Ok(());
    }
    let known = Level::ALL.into_iter().find(|(_, name)| *name == arguments.level);
    let (level, _) = known.context("there is no such level")?;
    let max_registers = Some(arguments.max_registers);
    let options = Options { level, max_registers, ..Options::default() };
    if !arguments.ptx.is_empty() {
        return ptx_texts(&arguments.ptx, &options, arguments.repeat, arguments.steps);
    }
    println!(
        "{:<10} {:>7} {:>10} {:>10} {:>7} {:>7}  steps",
        "kind", "lines", "ms", "us/line", "growth", "MiB"
    );
    let mut slow = Vec::new();
    for kind in kinds {
        let mut points: Vec<Point> = Vec::new();
        for &lines in &arguments.lines {
            let source = (kind.source)(lines);
            let measured = best(kind.name, &source, &options, arguments.repeat)?;
            let lines = source.lines().count();
            let seconds = measured.total().as_secs_f64();
            let point = Point { lines, seconds };
            let growth = points.last().map(|&last| growth(last, point));
            println!(
                "{:<10} {lines:>7} {:>10.1} {:>10.2} {:>7} {:>7}  {}",
                kind.name,
                seconds * 1e3,
                seconds * 1e6 / lines as f64,
                growth.map_or(String::new(), |growth| format!("{growth:.2}")),
                measured.peak.map_or(String::new(), |peak| peak.to_string()),
                if arguments.steps { measured.slowest(8) } else { measured.slowest(2) },
            );
            points.push(point);
        }
        if let (Some(&first), Some(&last)) = (points.first(), points.last()) {
            let whole = growth(first, last);
            if arguments.limit.is_some_and(|limit| whole > limit) {
                slow.push(format!("{} grows by {whole:.2} times n log n", kind.name));
            }
        }
    }
    if !slow.is_empty() {
        bail!("{}", slow.join("; "));
    }
    Ok(())
}

/// Prints how many megabytes of PTX are read, translated and compiled per second.
fn ptx_texts(files: &[PathBuf], options: &Options, repeat: usize, all_steps: bool) -> Result<()> {
    let texts = files.iter().map(|file| {
        let text = std::fs::read_to_string(file);
        text.with_context(|| format!("reading {}", file.display()))
    });
    let texts: Vec<String> = texts.collect::<Result<_>>()?;
    let mut best: Option<[Duration; 3]> = None;
    let mut slowest = String::new();
    for _ in 0..repeat.max(1) {
        let mut times = [Duration::ZERO; 3];
        let mut steps: Vec<(&'static str, Duration)> = Vec::new();
        for (file, text) in files.iter().zip(&texts) {
            let failed = |found| anyhow::anyhow!("{}: {found}", file.display());
            let mut sources = SourceMap::new();
            let id = sources.add("text.ptx", text);
            let start = now();
            let module = ptx::read(&sources, id).map_err(|it| failed(format!("{it:?}")))?;
            let read = now();
            let translated = ptx::translate(&module, &sources, id, &[]);
            let translated = translated.map_err(|it| failed(format!("{it:?}")))?;
            let built = now();
            let mut last = built;
            let mut watch = |lower::Step { name: step, .. }: lower::Step| {
                let time = now();
                match steps.iter_mut().find(|(name, _)| *name == step) {
                    Some((_, sum)) => *sum += time.saturating_sub(last),
                    None => steps.push((step, time.saturating_sub(last))),
                }
                last = time;
            };
            let ptx::Translated { functions, files, variables, .. } = translated;
            let session = lower::Session::new(options, &mut watch);
            let lowered = session.lower_functions(functions, files, variables);
            lowered.map_err(|it| failed(format!("{it:?}")))?;
            let ends = [start, read, built, now()];
            let each = ends.windows(2).map(|pair| pair[1].saturating_sub(pair[0]));
            times.iter_mut().zip(each).for_each(|(sum, time)| *sum += time);
        }
        if best.is_none_or(|best| times.iter().sum::<Duration>() < best.iter().sum()) {
            best = Some(times);
            let measured = Measured { steps, peak: None };
            slowest = measured.slowest(if all_steps { 12 } else { 3 });
        }
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    let [read, translated, compiled] = best.unwrap_or_default();
    println!("{} texts, {:.2} MB", texts.len(), bytes as f64 / 1e6);
    println!("read and check          {:>8.2} MB/s", rate(read));
    println!("translate to IR         {:>8.2} MB/s", rate(translated));
    println!("both                    {:>8.2} MB/s", rate(read + translated));
    println!("passes and machine code {:>8.2} MB/s  {slowest}", rate(compiled));
    Ok(())
}

/// The time of a compilation.
#[derive(Clone, Copy)]
struct Point {
    lines: usize,
    seconds: f64,
}

/// The growth of the time, relative to n log n.
fn growth(first: Point, last: Point) -> f64 {
    let work = |point: Point| point.lines as f64 * (point.lines.max(2) as f64).ln();
    (last.seconds / first.seconds) / (work(last) / work(first))
}

/// One compilation.
struct Measured {
    /// In the order in which they were first done.
    steps: Vec<(&'static str, Duration)>,
    /// MiB.
    peak: Option<u64>,
}

impl Measured {
    fn total(&self) -> Duration {
        self.steps.iter().map(|&(_, time)| time).sum()
    }

    fn slowest(&self, count: usize) -> String {
        let mut steps = self.steps.clone();
        steps.sort_by_key(|&(_, time)| std::cmp::Reverse(time));
        let text =
            |&(name, time): &(&str, Duration)| format!("{name} {:.1}", time.as_secs_f64() * 1e3);
        steps.iter().take(count).map(text).collect::<Vec<_>>().join(", ")
    }
}

fn best(name: &str, source: &str, options: &Options, repeat: usize) -> Result<Measured> {
    let mut best = measure(name, source, options)?;
    for _ in 1..repeat {
        let again = measure(name, source, options)?;
        if again.total() < best.total() {
            best = again;
        }
    }
    Ok(best)
}

fn measure(name: &str, source: &str, options: &Options) -> Result<Measured> {
    reset_peak_memory();
    let mut steps: Vec<(&'static str, Duration)> = Vec::new();
    let mut start = now();
    let mut done = |step: &'static str| {
        let time = now().saturating_sub(start);
        match steps.iter_mut().find(|(name, _)| *name == step) {
            Some((_, sum)) => *sum += time,
            None => steps.push((step, time)),
        }
        start = now();
    };
    let (tree, parsed) = build::parse(name, source, &[], &mut NoFiles, Target::default());
    if parsed.has_errors() {
        bail!("{}", parsed.render(false));
    }
    done("parse");
    let read = syntax::Read { unit: tree, diagnostics: Vec::new() };
    let (module, diagnostics) = check::check(read, &check::CheckOptions::default());
    let module = module.with_context(|| format!("{name}: {diagnostics:?}"))?;
    done("check");
    let lowered = lower::Session::new(options, &mut |step: lower::Step| done(step.name))
        .lower(&module, &parsed.sources);
    let lowered = lowered.map_err(|errors| anyhow::anyhow!("{name}: {errors:?}"))?;
    done("lower");
    build::warnings(&lowered, &parsed.sources, false);
    done("warnings");
    Ok(Measured { steps, peak: peak_memory() })
}

/// The time that this thread has computed.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Lets the system forget how much memory the process has held; elsewhere than on Linux the
/// measure only grows.
fn reset_peak_memory() {
    // Without the permission the peak is that of all measurements so far.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory this process has held, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib >> 10)
}
