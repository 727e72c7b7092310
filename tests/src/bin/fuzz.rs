//! Runs random kernels against the oracle until the time is over.
//!
//! `cargo run --release -p reconverge-tests --bin fuzz -- --seconds 60 [--seed N] [--count N]`

use anyhow::{Context, Result, bail};
use clap::Parser;
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
    /// Where shrunk failures are saved
    #[arg(long, default_value = "tests/data/regressions")]
    save: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.print {
        print!("{}", Generated::new(arguments.seed).source());
        return Ok(());
    }
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut programs, mut runs, mut failures) = (0, 0, 0);
    while programs < arguments.count && Instant::now() < end {
        let program = Generated::new(arguments.seed.wrapping_add(programs));
        programs += 1;
        let variants = variants(program.seed);
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

/// Shrinks a failure and saves it as a test.
fn save(arguments: &Arguments, program: &Generated, variants: &[Variant]) -> Result<()> {
    let small = shrink(program, |candidate| compare(&candidate.source(), variants).is_err());
    std::fs::create_dir_all(&arguments.save)?;
    let file = arguments.save.join(format!("seed-{}.cu", program.seed));
    std::fs::write(&file, small.source()).with_context(|| format!("cannot write {file:?}"))?;
    println!("  shrunk from {} to {} statements: {}", program.size(), small.size(), file.display());
    Ok(())
}
