//! Random programs of plain C that print all they compute, and the output of the system's compiler
//! for them.
//!
//! A program is one function with the structures and macros that it needs; many share one file, so
//! that the system's compiler is started once for them. Behaviour that C leaves open does not
//! occur: divisors are not zero, counts of shifts are below the width, floating-point numbers fit
//! the integers that they become, and no expression has two side effects that are not in an order.
//! Signed integers wrap (`-fwrapv`).

mod expression;
mod format;
mod layout;
mod macros;
mod statement;
mod types;

use crate::generate::Random;
use crate::oracle::NoFiles;
use anyhow::{Context, Result, ensure};
use reconverge::build;
use reconverge::execute::{ModelName, Setup, execute};
use reconverge_compiler::diagnostic::Diagnostic;
use reconverge_simulator::load_machine;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The flags under which C has the meaning of our language: integers wrap, nothing is contracted.
const FLAGS: [&str; 4] = ["-w", "-fwrapv", "-O0", "-ffp-contract=off"];

/// The beginning of every file.
const HEAD: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <limits.h>
#include <stdbool.h>
static void show(double x) { printf("%a\n", x != x ? 0 : x); }
static int whole(double x) { return x > -1e6 && x < 1e6 ? (int)x : 0; }
"#;

/// The program of a seed: its declarations at file scope, and the function `program_SEED`.
pub fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let (mut outside, mut body) = (String::new(), format!("printf(\"== {seed}\\n\");\n"));
    match random.below(10) {
        0..=4 => statement::program(&mut random, seed, &mut outside, &mut body),
        5 | 6 => layout::program(&mut random, seed, &mut outside, &mut body),
        7 | 8 => format::program(&mut random, &mut body),
        _ => macros::program(&mut random, seed, &mut outside, &mut body),
    }
    format!("{outside}static void program_{seed}(void)\n{{\n{body}}}\n")
}

/// A file with the programs of `count` seeds.
pub fn file(first: u64, count: u64) -> String {
    let mut text = HEAD.to_owned();
    let seeds = first..first + count;
    seeds.clone().for_each(|seed| text += &program(seed));
    text += "int main(void)\n{\n";
    for seed in seeds {
        let _ = writeln!(text, "program_{seed}();");
    }
    text + "return 0;\n}\n"
}

/// True if there is a C compiler.
pub fn has_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|found| found.status.success())
}

/// The result of the system's compiler for a file.
fn theirs(text: &str, folder: &Path, name: &str) -> Result<String> {
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(format!("{name}.bin")));
    std::fs::write(&source, text)?;
    let output = Command::new("cc").args(FLAGS).arg("-o").arg(&binary).arg(&source).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cc refuses {}:\n{said}", source.display());
    let output = Command::new(&binary).output()?;
    ensure!(output.status.success(), "{} ends with {}", binary.display(), output.status);
    let _ = (std::fs::remove_file(source), std::fs::remove_file(binary));
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Our result for it.
fn ours(text: &str) -> Result<String> {
    let machine = load_machine("tiny", &[]).map_err(anyhow::Error::msg)?;
    let mut checked = build::check("programs.cu", text, &[], &mut NoFiles);
    checked.diagnostics.retain(Diagnostic::is_error);
    ensure!(!checked.has_errors(), "we refuse it:\n{}", checked.render(false));
    let setup = Setup {
        max_operations: Some(1 << 32),
        arguments: vec!["programs.cu".to_owned()],
        ..Setup::new(&machine, ModelName::Reference)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let execution = execute(&checked, &setup, &mut output, &mut errors, &mut |_, _| {})
        .map_err(|refused| anyhow::anyhow!("we refuse it:\n{}", refused.render(false)))?;
    let status = execution.outcome.status();
    ensure!(status == 0, "{}", execution.outcome.render(&checked.sources, false));
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// Compares the results of both for the programs of `count` seeds, with files in `folder`.
///
/// # Errors
/// The first difference, with its program.
pub fn compare(first: u64, count: u64, folder: &Path) -> Result<()> {
    let text = file(first, count);
    let theirs = theirs(&text, folder, &format!("programs-{first}"))?;
    let ours = ours(&text).with_context(|| format!("seeds {first} to {}", first + count - 1))?;
    let mut seed = String::new();
    let (mut a, mut b) = (ours.lines(), theirs.lines());
    for line in 1.. {
        let (ours, theirs) = (a.next(), b.next());
        if let Some(found) = ours.and_then(|line| line.strip_prefix("== ")) {
            seed = found.to_owned();
        }
        if ours.is_none() && theirs.is_none() {
            break;
        }
        ensure!(
            ours == theirs,
            "program {seed}, line {line} of the output: ours {ours:?}, theirs {theirs:?}\n{}",
            program(seed.parse().unwrap_or(first))
        );
    }
    Ok(())
}
