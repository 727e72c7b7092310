//! Runs random kernels against the oracle on all processors until the time is over. Programs are numbered: a range of
//! seeds is the same programs in the same configurations everywhere.
//!
//! `cargo run --release -p reconverge-tests --bin fuzz -- --seconds 60 [--seed N] [--count N]`;
//! with `--streams`, kernels of affine addresses and programmatic control;
//! with `--frontend`, broken programs against lexer, preprocessor, parser and checker;
//! with `--mutants`, inputs of every format changed at random, those that are accepted run;
//! with `--ptx`, programs of PTX against the reference model of PTX;
//! with `--clang`, kernels that clang, where it is installed, compiles to PTX, against the interpreter;
//! with `--c-programs`, programs of plain C against the system's compiler;
//! with `--cpp`, C++ programs of overloads, templates and namespaces against the system's C++ compiler;
//! with `--csmith`, programs of Csmith on the host and in kernels against the system's C++ compiler;
//! with `--check`, kernels of both kinds under all checks, which must find nothing.

#![deny(clippy::unwrap_used)]

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Parser};
use reconverge::checks::Check;
use reconverge_tests::c_programs;
use reconverge_tests::clang::Clang;
use reconverge_tests::cpp_programs::{self, CppProgram};
use reconverge_tests::csmith::{self, Tried};
use reconverge_tests::faultless;
use reconverge_tests::frontend::{self, Corpus, attempt};
use reconverge_tests::generate::Generated;
use reconverge_tests::generate::ptx::PtxProgram;
use reconverge_tests::mutants;
use reconverge_tests::oracle::{compare, sample};
use reconverge_tests::ptx;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ScopedJoinHandle;
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
    /// Configurations of compiler and machine that each program runs in, at random; those of `oracle::variants` at most
    #[arg(long, default_value_t = 8)]
    configurations: usize,
    /// Threads; by default as many as there are processors
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Print the program of the first seed and stop
    #[arg(long)]
    print: bool,
    #[command(flatten)]
    kind: Kind,
    /// Only ways to run a program that have a setting with this value
    #[arg(long)]
    only: Option<String>,
    /// Where shrunk failures are saved; of the front end `tests/data/frontend`, mutants `tests/data/mutants`
    #[arg(long)]
    save: Option<PathBuf>,
}

/// The kind of input to generate; by default kernels of all kinds.
#[derive(Args)]
#[group(multiple = false)]
struct Kind {
    /// Kernels that lean on affine addresses and programmatic control
    #[arg(long)]
    streams: bool,
    /// Compare random programs of PTX with the reference model of PTX instead
    #[arg(long)]
    ptx: bool,
    /// Compare random kernels, as clang compiles them to PTX, with the interpreter instead; needs clang and a CUDA toolkit
    #[arg(long)]
    clang: bool,
    /// Compare random programs of plain C with the system's C compiler instead
    #[arg(long)]
    c_programs: bool,
    /// Compare random C++ programs of the host with the system's C++ compiler instead
    #[arg(long)]
    cpp: bool,
    /// Compare programs of Csmith, where it is installed, on the host and in a kernel with the system's C++ compiler instead
    #[arg(long)]
    csmith: bool,
    /// Give broken programs to the front end instead
    #[arg(long)]
    frontend: bool,
    /// Run kernels of both kinds under `--check all`, which must find nothing
    #[arg(long)]
    check: bool,
    /// Change inputs of every format at random, and run those that are accepted
    #[arg(long)]
    mutants: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.kind.frontend {
        return read_broken(&arguments);
    }
    if arguments.kind.mutants {
        return run_mutants(&arguments);
    }
    let generate = match &arguments.kind {
        Kind { check: true, .. } => faultless::program,
        Kind { streams: true, .. } => Generated::streams,
        Kind { clang: true, .. } => Generated::portable,
        _ => Generated::new,
    };
    if arguments.kind.csmith {
        return csmith_programs(&arguments);
    }
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    if arguments.kind.ptx {
        return ptx_programs(&arguments, end);
    }
    if arguments.print && arguments.kind.cpp {
        print!("{}", CppProgram::new(arguments.seed).source());
        return Ok(());
    }
    if arguments.print {
        print!("{}", generate(arguments.seed).source());
        return Ok(());
    }
    if arguments.kind.c_programs {
        return plain_c(&arguments, end);
    }
    if arguments.kind.cpp {
        return cpp(&arguments, end);
    }
    if arguments.kind.clang {
        return kernels_of_clang(&arguments, end);
    }
    kernels(&arguments, end, |seed| {
        let program = generate(seed);
        let (runs, problem) = arguments.attempt(&program);
        if let Err(problem) = problem {
            println!("seed {seed}: {problem}");
            save(&arguments, &program)?;
            return Ok((runs, false));
        }
        Ok((runs, true))
    })
}

/// The work done so far.
#[derive(Default)]
struct Tally {
    programs: u64,
    runs: usize,
    failures: u64,
}

/// Programs by seed, on all threads: how often each ran, and false if it failed.
fn kernels(
    arguments: &Arguments,
    end: Instant,
    attempt: impl Fn(u64) -> Result<(usize, bool)> + Sync,
) -> Result<()> {
    let tally = Mutex::new(Tally::default());
    let next = || {
        let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
        let is_left = tally.programs < arguments.count && Instant::now() < end;
        is_left.then(|| {
            tally.programs += 1;
            arguments.seed.wrapping_add(tally.programs - 1)
        })
    };
    let work = || -> Result<()> {
        while let Some(seed) = next() {
            let (runs, is_right) = attempt(seed)?;
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.runs += runs;
            tally.failures += u64::from(!is_right);
        }
        Ok(())
    };
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok());
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads.map_or(1, NonZero::get)).map(|_| scope.spawn(work)).collect();
        let joined =
            |worker: ScopedJoinHandle<_>| worker.join().unwrap_or_else(|why| resume_unwind(why));
        workers.into_iter().try_for_each(joined)
    })?;
    let Tally { programs, runs, failures } =
        tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    let first = arguments.seed;
    let last = first.wrapping_add(programs).wrapping_sub(1);
    println!("seeds {first} to {last}: {programs} programs, {runs} runs, {failures} failures");
    ensure!(failures == 0, "{failures} programs differ from the oracle, or have findings");
    Ok(())
}

/// Random kernels that clang compiles to PTX.
fn kernels_of_clang(arguments: &Arguments, end: Instant) -> Result<()> {
    match Clang::find() {
        Ok(clang) => {
            kernels(arguments, end, |seed| arguments.by_clang(&clang, &Generated::portable(seed)))
        }
        Err(why) => {
            eprintln!("SKIPPED: kernels of clang are not tested: {why}");
            Ok(())
        }
    }
}

/// Random programs of PTX.
fn ptx_programs(arguments: &Arguments, end: Instant) -> Result<()> {
    if arguments.print {
        print!("{}", PtxProgram::new(arguments.seed).case().text);
        return Ok(());
    }
    kernels(arguments, end, |seed| {
        let program = PtxProgram::new(seed);
        let variants = ptx::sample(seed, arguments.configurations, arguments.only.as_deref());
        let failure = match ptx::compare(&program.case(), &variants) {
            Ok(runs) => return Ok((runs, true)),
            Err(failure) => failure,
        };
        println!("seed {seed}: {}", failure.what);
        let fails = |smaller: &PtxProgram| {
            let found = ptx::compare(&smaller.case(), &variants);
            found.is_err_and(|found| found.kind == failure.kind)
        };
        let small = program.shrink(fails);
        let name = format!("seed-{seed}.ptx");
        let text = small.case().text;
        let file = arguments.keep("tests/data/ptx_regressions", &name, text.as_bytes())?;
        let (before, after) = (program.size(), small.size());
        println!("  shrunk from {before} to {after} statements: {}", file.display());
        if let Err(failure) = ptx::compare(&small.case(), &variants) {
            println!("  then {}", failure.what);
        }
        Ok((0, false))
    })
}

impl Arguments {
    /// Runs a program. Returns the number of runs, and the fault.
    fn attempt(&self, program: &Generated) -> (usize, Result<(), String>) {
        if self.kind.check {
            return (1, faultless::check(&program.source(), program.seed, &[Check::All]));
        }
        let variants = sample(program.seed, self.configurations, self.only.as_deref());
        (variants.len(), compare(&program.source(), &variants))
    }

    /// Runs a program with clang's kernels. Returns the number of runs, and false if it failed; its source is saved then, and
    /// its PTX beside it.
    fn by_clang(&self, clang: &Clang, program: &Generated) -> Result<(usize, bool)> {
        let seed = program.seed;
        let variants = ptx::sample(seed, self.configurations, self.only.as_deref());
        let problem = match clang.compare(program, &variants) {
            Ok(runs) => return Ok((runs, true)),
            Err(problem) => problem,
        };
        println!("seed {seed}: {problem}");
        let small = program.shrink(|smaller| clang.compare(smaller, &variants).is_err());
        let source = small.source();
        let folder = "target/clang";
        let file = self.keep(folder, &format!("seed-{seed}.cu"), source.as_bytes())?;
        if let Ok(text) = clang.compiled(&source) {
            self.keep(folder, &format!("seed-{seed}.ptx"), text.as_bytes())?;
        }
        println!(
            "  shrunk from {} to {} statements: {}",
            program.size(),
            small.size(),
            file.display()
        );
        Ok((0, false))
    }

    /// Saves a failure's input, in a folder unless `--save` names one: where.
    fn keep(&self, folder: &str, name: &str, input: &[u8]) -> Result<PathBuf> {
        let folder = self.save.clone().unwrap_or_else(|| PathBuf::from(folder));
        std::fs::create_dir_all(&folder)?;
        let file = folder.join(name);
        std::fs::write(&file, input).with_context(|| format!("cannot write {file:?}"))?;
        Ok(file)
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
        let small = frontend::shrink(&input, &problem, attempt);
        let name = format!("seed-{seed}.cu");
        let file = arguments.keep("tests/data/frontend", &name, small.as_bytes())?;
        println!("seed {seed}: {problem:?}\n  {} bytes: {}", small.len(), file.display());
    }
    println!("{inputs} inputs, {failures} failures");
    if failures > 0 {
        bail!("{failures} inputs break the front end");
    }
    Ok(())
}

/// Changes inputs of every format until the time is over.
fn run_mutants(arguments: &Arguments) -> Result<()> {
    let corpus = Arc::new(mutants::Corpus::load()?);
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let (mut seeds, mut tried, mut accepted, mut failures) = (0, 0, 0, 0);
    std::panic::set_hook(Box::new(|_| {}));
    while seeds < arguments.count && Instant::now() < end {
        let seed = arguments.seed.wrapping_add(seeds);
        seeds += 1;
        let (walk, result) = mutants::attempt(&corpus, seed);
        tried += walk.tried;
        accepted += walk.accepted;
        let Err(problem) = result else { continue };
        failures += 1;
        let format = mutants::format_of(seed);
        let again = |text: &str| mutants::attempt_one(&corpus, format, text.as_bytes());
        let input = match std::str::from_utf8(&walk.input) {
            Ok(text) => frontend::shrink(text, &problem, again).into_bytes(),
            Err(_) => walk.input,
        };
        let name = format!("seed-{seed}.{}", format.ending());
        let file = arguments.keep("tests/data/mutants", &name, &input)?;
        println!("seed {seed}: {problem:?}\n  {} bytes: {}", input.len(), file.display());
    }
    let (first, last) = (arguments.seed, arguments.seed.wrapping_add(seeds).wrapping_sub(1));
    println!(
        "seeds {first} to {last}: {tried} mutants, {accepted} accepted and run, {failures} failures"
    );
    ensure!(failures == 0, "{failures} mutants break something");
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

/// C++ programs of the host, on all threads.
fn cpp(arguments: &Arguments, end: Instant) -> Result<()> {
    ensure!(cpp_programs::has_compiler(), "there is no `c++`");
    let folder = std::env::temp_dir().join(format!("cpp-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let total = Mutex::new(cpp_programs::Tried::default());
    let compare = |program: &CppProgram, name: &str| cpp_programs::compare(program, &folder, name);
    let done = kernels(arguments, end, |seed| {
        let program = CppProgram::new(seed);
        let name = format!("seed-{seed}");
        let problem = match compare(&program, &name) {
            Ok(tried) => {
                let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                total.add(tried);
                return Ok((1, true));
            }
            Err(problem) => problem,
        };
        let small = program.shrink(|fewer| compare(fewer, &name).is_err());
        let file =
            arguments.keep("target/cpp", &format!("{name}.cu"), small.source().as_bytes())?;
        let problem = compare(&small, &name).err().unwrap_or(problem).to_string();
        let first = problem.lines().next().unwrap_or_default();
        println!("seed {seed}: {first}\n  {}", file.display());
        Ok((1, false))
    });
    std::fs::remove_dir_all(folder)?;
    println!("{}", total.into_inner().unwrap_or_else(PoisonError::into_inner));
    done
}

/// Programs of Csmith; `--print` shows one again.
fn csmith_programs(arguments: &Arguments) -> Result<()> {
    ensure!(csmith::is_installed(), "there is no `csmith`, or no `c++`");
    if arguments.print {
        print!("{}", csmith::source(arguments.seed)?);
        return Ok(());
    }
    let end = Instant::now() + Duration::from_secs(arguments.seconds);
    let folder = std::env::temp_dir().join(format!("csmith-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (mut tried, mut same, mut endless, mut large, mut failures) = (0, 0, 0, 0, 0);
    while tried < arguments.count && Instant::now() < end {
        let seed = arguments.seed.wrapping_add(tried);
        tried += 1;
        match csmith::compare(seed, &folder) {
            Ok(Tried::Same) => same += 1,
            Ok(Tried::Endless) => endless += 1,
            Ok(Tried::TooLarge) => large += 1,
            Err(problem) => {
                failures += 1;
                println!("seed {seed}: {problem:#}");
            }
        }
    }
    let last = arguments.seed.wrapping_add(tried).wrapping_sub(1);
    println!(
        "seeds {} to {last}: {same} programs alike, {endless} that do not end soon, {large} too large, {failures} failures",
        arguments.seed
    );
    std::fs::remove_dir_all(folder)?;
    ensure!(failures == 0, "{failures} programs fail");
    Ok(())
}

/// Shrinks a failure and saves it as a test.
fn save(arguments: &Arguments, program: &Generated) -> Result<()> {
    let small = program.shrink(|candidate| arguments.attempt(candidate).1.is_err());
    let name = format!("seed-{}.cu", program.seed);
    let file = arguments.keep("tests/data/regressions", &name, small.source().as_bytes())?;
    println!("  shrunk from {} to {} statements: {}", program.size(), small.size(), file.display());
    Ok(())
}
