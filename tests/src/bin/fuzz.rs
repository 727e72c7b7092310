//! Runs random kernels against the oracle until the time is over.
//!
//! `cargo run --release -p reconverge-tests --bin fuzz -- --seconds 60 [--seed N] [--count N]`;
//! with `--streams`, kernels of affine addresses and programmatic control;
//! with `--frontend`, broken programs against lexer, preprocessor, parser and checker;
//! with `--c-programs`, programs of plain C against the system's compiler.

#![deny(clippy::unwrap_used)]

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use reconverge_tests::c_programs;
use reconverge_tests::frontend::{self, Corpus, attempt};
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::{Variant, compare, shrink, variants};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compare random kernels under every model with the interpreter
#[derive(Parser)]
struct Arguments {
    /// How long to run
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The first seed; each program has the next one
    #[arg(long, default_value_t = 1_000_000)]
    seed: u64,
    /// At most so many programs
    #[arg(long, default_value_t = u64::MAX)]
    count: u64,
    /// Print the program of the first seed and stop
    #[arg(long)]
    print: bool,
    /// Kernels that lean on affine addresses and programmatic control
    #[arg(long)]
    streams: bool,
    /// Compare random programs of plain C with the system's C compiler instead
    #[arg(long)]
    c_programs: bool,
    /// Give broken programs to the front end instead
    #[arg(long)]
    frontend: bool,
    /// Only ways to run a program that have a setting with this value
    #[arg(long)]
    only: Option<String>,
    /// Where shrunk failures are saved; of the front end `tests/data/frontend`
    #[arg(long)]
    save: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.frontend {
        return read_broken(&arguments);
    }
    let generate = if arguments.streams { Generated::streams } else { Generated::new };
    if arguments.print {
        print!("{}", generate(arguments.seed).source());
        return Ok(());
    }
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    if arguments.c_programs {
        return plain_c(&arguments, end);
    }
    let (mut programs, mut runs, mut failures) = (0, 0, 0);
    while programs < arguments.count && Instant::now() < end {
        let program = generate(arguments.seed.wrapping_add(programs));
        programs += 1;
        let mut variants = variants(program.seed);
        if let Some(value) = &arguments.only {
            variants.retain(|variant| variant.sets.iter().any(|(_, other)| other == value));
        }
        runs += variants.len();
        if let Err(problem) = compare(&program.source(), &variants) {
            failures += 1;
            println!("seed {}: {problem}", program.seed);
            save(&arguments, &program, &variants)?;
        }
    }
    println!("{programs} programs, {runs} runs, {failures} failures");
    if failures > 0 {
        bail!("{failures} programs differ from the oracle");
    }
    Ok(())
}

impl Arguments {
    fn folder(&self, otherwise: &str) -> Result<PathBuf> {
        let folder = self.save.clone().unwrap_or_else(|| PathBuf::from(otherwise));
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// Reads broken programs until the time is over.
fn read_broken(arguments: &Arguments) -> Result<()> {
    let corpus = Corpus::load()?;
    if arguments.print {
        print!("{}", corpus.input(arguments.seed));
        return Ok(());
    }
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut inputs, mut failures) = (0, 0);
    // An exhausted stack ends the process: the input is found here then.
    let last = std::env::temp_dir().join("reconverge-frontend-last.cu");
    std::panic::set_hook(Box::new(|_| {}));
    while inputs < arguments.count && Instant::now() < end {
        let seed = arguments.seed.wrapping_add(inputs);
        let input = corpus.input(seed);
        std::fs::write(&last, &input)?;
        inputs += 1;
        let Err(problem) = attempt(&input) else {
            continue;
        };
        failures += 1;
        let small = frontend::shrink(&input, &problem);
        let file = arguments.folder("tests/data/frontend")?.join(format!("seed-{seed}.cu"));
        std::fs::write(&file, &small).with_context(|| format!("cannot write {file:?}"))?;
        println!("seed {seed}: {problem:?}\n  {} bytes: {}", small.len(), file.display());
    }
    println!("{inputs} inputs, {failures} failures");
    if failures > 0 {
        bail!("{failures} inputs break the front end");
    }
    Ok(())
}

/// Programs of plain C, many in a file.
fn plain_c(arguments: &Arguments, end: Instant) -> Result<()> {
    const FILE: u64 = 100;
    ensure!(c_programs::has_compiler(), "there is no `cc`");
    let folder = std::env::temp_dir().join(format!("c-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let mut programs = 0;
    while programs < arguments.count && Instant::now() < end {
        let count = FILE.min(arguments.count - programs);
        c_programs::compare(arguments.seed.wrapping_add(programs), count, &folder)?;
        programs += count;
    }
    std::fs::remove_dir_all(folder)?;
    println!("{programs} programs of plain C, no difference");
    Ok(())
}

/// Shrinks a failure and saves it as a test.
fn save(arguments: &Arguments, program: &Generated, variants: &[Variant]) -> Result<()> {
    let small = shrink(program, |candidate| compare(&candidate.source(), variants).is_err());
    let folder = arguments.folder("tests/data/regressions")?;
    let file = folder.join(format!("seed-{}.cu", program.seed));
    std::fs::write(&file, small.source()).with_context(|| format!("cannot write {file:?}"))?;
    println!("  shrunk from {} to {} statements: {}", program.size(), small.size(), file.display());
    Ok(())
}
