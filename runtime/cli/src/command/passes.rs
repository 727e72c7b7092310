//! Passes one by one: `--emit passes`.

use comfy_table::{Cell, CellAlignment, Table, presets};
use reconverge_compiler::analysis::mix::Mix;
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::{self, Knobs, Pass};
use std::fmt::Write;
use std::time::Instant;

/// Runs passes on kernels and shows the instruction mix after each and, on request, its time.
pub fn table(functions: &mut [Function], options: &Options, times: bool) -> String {
    let mut text = String::new();
    for function in functions {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        let titles = Mix::default().counts().map(|(title, _)| title);
        let time = times.then_some("time, µs");
        let header = std::iter::once("pass").chain(titles).chain(["all"]).chain(time);
        table.set_header(header);
        table.add_row(row("", &Mix::of(function), times.then(String::new)));
        for pass in options.passes().into_iter().filter_map(pass::find) {
            let micros = timed(pass, function, &options.knobs());
            let time = times.then(|| micros.to_string());
            table.add_row(row(pass.name, &Mix::of(function), time));
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

fn row(pass: &str, mix: &Mix, time: Option<String>) -> Vec<Cell> {
    let counts = mix.counts().map(|(_, count)| count);
    let numbers = counts.iter().map(|count| count.to_string());
    let all = counts.iter().sum::<usize>().to_string();
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let cells = numbers.chain([all]).chain(time).map(right);
    std::iter::once(Cell::new(pass)).chain(cells).collect()
}
