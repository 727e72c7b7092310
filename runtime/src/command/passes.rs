//! Passes one by one: `--emit passes`, and passes run on the text of the IR.

use anyhow::{Result, anyhow, bail};
use comfy_table::{Cell, CellAlignment, Table, presets};
use reconverge_compiler::analysis::mix::Mix;
use reconverge_compiler::ir::{self, Function};
use reconverge_compiler::lower::{Options, Session};
use reconverge_compiler::pass::{self, Knobs, Pass};
use std::fmt::Write;
use std::time::Instant;

/// Reads kernels from a text and runs the passes of the options on them.
///
/// # Errors
/// What is wrong with the text, or with a kernel after a pass.
pub fn from_text(name: &str, text: &str, options: &Options) -> Result<ir::parse::Text> {
    let mut read =
        ir::parse(text).map_err(|error| anyhow!("{name}:{}: {}", error.line, error.message))?;
    for function in &mut read.functions {
        if let Some(fault) = ir::verify(function).into_iter().next() {
            bail!("{name}: {fault}");
        }
        let verified = Options { verify: true, ..options.clone() };
        Session::new(&verified, &mut |_| {})
            .optimise(function)
            .map_err(|error| anyhow!("{name}: {}", error.message))?;
    }
    Ok(read)
}

/// Runs passes on kernels and shows what each has made of the instruction mix, and its time.
pub fn table(functions: &mut [Function], options: &Options) -> String {
    let mut text = String::new();
    for function in functions {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        let titles = Mix::default().counts().map(|(title, _)| title);
        let header = std::iter::once("pass").chain(titles).chain(["all", "time, µs"]);
        table.set_header(header);
        table.add_row(row("", &Mix::of(function), None));
        for pass in options.passes().into_iter().filter_map(pass::find) {
            let micros = timed(pass, function, &options.knobs);
            table.add_row(row(pass.name, &Mix::of(function), Some(micros)));
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}\n{table}", function.name);
    }
    text
}

/// Runs a pass; the time it took in millionths of a second.
fn timed(pass: &Pass, function: &mut Function, knobs: &Knobs) -> u128 {
    let start = Instant::now();
    (pass.run)(function, knobs);
    start.elapsed().as_micros()
}

fn row(pass: &str, mix: &Mix, micros: Option<u128>) -> Vec<Cell> {
    let counts = mix.counts().map(|(_, count)| count);
    let numbers = counts.iter().map(|count| count.to_string());
    let all = counts.iter().sum::<usize>().to_string();
    let time = micros.map_or(String::new(), |micros| micros.to_string());
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let cells = numbers.chain([all, time]).map(right);
    std::iter::once(Cell::new(pass)).chain(cells).collect()
}
