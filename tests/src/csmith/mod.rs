//! Programs of Csmith (Yang and others, "Finding and Understanding Bugs in C Compilers", 2011) in its C++ mode, on the host and
//! in a kernel in which each group of lanes has start values of its own, against the system's compiler.
//!
//! Csmith keeps its variables and functions at file scope. Here they become the members of a
//! structure, so that each thread has a program of its own: variables with their initialisers,
//! functions on both sides, and the body of `main` as a member `run`. `volatile` is left out:
//! Csmith gives structures `volatile` operators then, which the language does not have.

use crate::generate::Random;
use crate::oracle::NoFiles;
use anyhow::{Context, Result, bail, ensure};
use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge::host::report::Outcome;
use reconverge_compiler::check::CheckOptions;
use reconverge_compiler::diagnostic::{Diagnostic, code};
use reconverge_compiler::pass::Level;
use reconverge_simulator::load_machine;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const HEAD: &str = include_str!("head.h");
const TAIL: &str = include_str!("tail.cu");

/// The options of Csmith: programs that fit a kernel, of which most end soon.
const OPTIONS: [&str; 13] = [
    "--lang-cpp",
    "--cpp11",
    "--concise",
    "--no-volatiles",
    "--no-volatile-pointers",
    "--no-packed-struct",
    "--max-funcs",
    "4",
    "--max-block-depth",
    "2",
    "--max-array-len-per-dim",
    "5",
    "--seed",
];
/// The flags under which C++ has the meaning of our language: integers wrap, and memory has no
/// types.
const FLAGS: [&str; 5] = ["-w", "-O0", "-fwrapv", "-fno-strict-aliasing", "-std=c++17"];
/// The longest run of the system's compiler's program; about one in ten does not end.
const LONGEST: Duration = Duration::from_millis(200);
/// The number of its variables that depend on the group of lanes.
const STARTS: u32 = 6;

/// The outcome of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// Both results are the same.
    Same,
    /// It does not end soon.
    Endless,
    /// With all functions in place it is too large for a kernel.
    TooLarge,
}

/// True if Csmith and a compiler are installed.
pub fn is_installed() -> bool {
    let works = |name: &str| {
        let found = Command::new(name).arg("--version").output();
        found.is_ok_and(|found| found.status.success())
    };
    works("csmith") && works("c++")
}

/// The program of a seed.
///
/// # Errors
/// Csmith cannot be run, or writes something unforeseen.
pub fn source(seed: u64) -> Result<String> {
    // It leaves a file in the folder that it is called in.
    let folder = std::env::temp_dir();
    let mut command = Command::new("csmith");
    let output = command.args(OPTIONS).arg(seed.to_string()).current_dir(folder).output()?;
    ensure!(output.status.success(), "csmith ends with {}", output.status);
    let text = String::from_utf8(output.stdout)?;
    converted(&text).with_context(|| format!("in Csmith's program of seed {seed}"))
}

/// Csmith's program as a structure between [`HEAD`] and [`TAIL`].
fn converted(text: &str) -> Result<String> {
    let (_, text) = text.split_once("#include \"csmith.h\"").context("no `#include`")?;
    let (declared, main) = text.split_once("int main (").context("no `main`")?;
    let (mut types, mut members, mut starts) = (String::new(), String::new(), String::new());
    let mut random = Random::new(1);
    let mut count = 0;
    let mut in_type = false;
    for line in declared.lines() {
        in_type |= ["struct ", "union "].iter().any(|word| line.starts_with(word));
        if in_type {
            let _ = writeln!(types, "{line}");
            in_type = !line.starts_with('}');
            continue;
        }
        let Some(member) = line.strip_prefix("static ") else {
            let _ = writeln!(members, "    {line}");
            continue;
        };
        if member.contains(" func_") && !member.contains('=') {
            // Members need no declaration before they are used.
            if !member.ends_with(';') {
                let _ = writeln!(members, "    BOTH {}", member.trim_start_matches("inline "));
            }
            continue;
        }
        let _ = writeln!(members, "    {member}");
        if let Some(name) = plain_number(member)
            && count < STARTS
        {
            count += 1;
            let factor = random.below(1 << 16) << 1 | 1;
            let _ = writeln!(starts, "        {name} += start * {factor}u;");
        }
    }
    let body = run(main)?;
    Ok(format!(
        "{HEAD}\n{types}\nstruct Program {{\n    BOTH Program() {{}}\n    uint64_t sum = 1;\n    \
         BOTH void add(uint64_t value) {{ sum = (sum ^ value) * 0x9e3779b97f4a7c15u + (sum >> 29); }}\n\
         {members}    BOTH uint64_t run(uint32_t start)\n    {{\n{starts}{body}        return sum;\n    }}\n}};\n\n{TAIL}"
    ))
}

/// The name of a variable that is a number and may change.
fn plain_number(member: &str) -> Option<&str> {
    let (ty, rest) = member.split_once(' ')?;
    let (name, _) = rest.trim_start().split_once(" = ")?;
    let is_number = ty.ends_with("_t") && ["int", "uint"].iter().any(|word| ty.starts_with(word));
    (is_number && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
        .then_some(name)
}

/// The body of `main`: it calls the first function, and adds up all variables.
fn run(main: &str) -> Result<String> {
    let (before, rest) = main.split_once("crc32_gentab();").context("no `crc32_gentab`")?;
    let (body, _) = rest.split_once("platform_main_end").context("no `platform_main_end`")?;
    let mut text = String::new();
    let counters = before.lines().filter(|line| line.trim().starts_with("int i"));
    for line in counters.chain(body.lines()) {
        if let Some(rest) = line.trim().strip_prefix("transparent_crc(") {
            let (value, _) = rest.split_once(", \"").context("no name behind a value")?;
            let _ = writeln!(text, "        add({value});");
        } else if !line.contains("print_hash_value") {
            let _ = writeln!(text, "        {}", line.trim());
        }
    }
    Ok(text)
}

/// The result of the system's compiler for a program; `None` if it does not end soon.
fn theirs(text: &str, folder: &Path, seed: u64) -> Result<Option<String>> {
    let file = |extension: &str| folder.join(format!("csmith-{seed}.{extension}"));
    let (source, binary, printed) = (file("cpp"), file("bin"), file("out"));
    std::fs::write(&source, text)?;
    let done = Command::new("c++").args(FLAGS).arg("-o").arg(&binary).arg(&source).output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "c++ refuses {}:\n{said}", source.display());
    let output = std::fs::File::create(&printed)?;
    let mut child = Command::new(&binary).stdout(Stdio::from(output)).spawn()?;
    let end = Instant::now() + LONGEST;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if Instant::now() > end {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let text = std::fs::read_to_string(&printed)?;
    for path in [source, binary, printed] {
        std::fs::remove_file(path)?;
    }
    match status {
        Some(status) => {
            ensure!(status.success(), "what c++ makes of it ends with {status}");
            Ok(Some(text))
        }
        None => Ok(None),
    }
}

/// Compares both results for the program of a seed, with files in `folder`. Optimisation levels and
/// warp widths go round with the seed.
///
/// # Errors
/// A difference, or a program that we refuse.
pub fn compare(seed: u64, folder: &Path) -> Result<Tried> {
    let text = source(seed)?;
    let Some(theirs) = theirs(&text, folder, seed)? else {
        return Ok(Tried::Endless);
    };
    let width = ["8", "32", "64"][seed as usize % 3];
    let set = ("sm.warp-width".to_owned(), width.to_owned());
    let machine = load_machine("tiny", &[set]).map_err(anyhow::Error::msg)?;
    // C converts values in braces without a check.
    let options = CheckOptions { narrowing_is_error: false, ..CheckOptions::default() };
    let mut checked = build::check_with("csmith.cu", &text, &[], &mut NoFiles, options);
    checked.diagnostics.retain(Diagnostic::is_error);
    ensure!(!checked.has_errors(), "we refuse it:\n{}", checked.render(false));
    let mut setup = Setup::new(&machine, ModelName::Functional);
    setup.options.level = [Level::Full, Level::Basic, Level::None][seed as usize / 3 % 3];
    setup.max_operations = Some(1 << 32);
    setup.max_cycles = Some(1 << 32);
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = match execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {}) {
        Ok(run) => run,
        Err(refused) => {
            let limits = [code::LIMIT_KERNEL, code::LIMIT_MEMORY];
            let is_large = |found: &Diagnostic| limits.contains(&found.code);
            if refused.diagnostics.iter().any(is_large) {
                return Ok(Tried::TooLarge);
            }
            bail!("we refuse it:\n{}", refused.render(false));
        }
    };
    ensure!(run.outcome == Outcome::Exit(0), "{}", run.outcome.render(&checked.sources, false));
    let ours = String::from_utf8_lossy(&output);
    let lines = ours.lines().zip(theirs.lines());
    for (ours, theirs) in lines {
        ensure!(ours == theirs, "ours prints `{ours}`, theirs `{theirs}`");
    }
    ensure!(ours.len() == theirs.len(), "one prints more than the other");
    Ok(Tried::Same)
}
