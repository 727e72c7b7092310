//! Passes one by one: `--emit passes`.

use anyhow::{Result, anyhow};
use comfy_table::{Cell, CellAlignment, Table, presets};
use reconverge_compiler::analysis::mix::Mix;
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::{Form, Lowered, Options, Session, Step};
use std::fmt::Write;
use std::time::Instant;

/// Compiles kernels from their unoptimised intermediate representation. Shows the instruction mix after each pass over it, the
/// instructions after each pass over machine code and, on request, their times.
///
/// # Errors
/// A kernel does not fit into registers or local memory.
pub fn table(lowered: &Lowered, options: &Options, times: bool) -> Result<String> {
    let mut text = String::new();
    for function in &lowered.ir {
        let (ir, code) = tables(function, lowered, options, times)?;
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name}\n{ir}\n{name}, machine code\n{code}", name = function.name);
    }
    Ok(text)
}

/// The tables of one kernel: of its intermediate representation and of its machine code.
fn tables(
    function: &Function,
    lowered: &Lowered,
    options: &Options,
    times: bool,
) -> Result<(Table, Table)> {
    let counted = Mix::default().counts().map(|(title, _)| title);
    let mut ir = titled(counted.into_iter().chain(["all"]), times);
    ir.add_row(row("", &counts(function), times.then(String::new)));
    let mut code = titled(["instructions", "changed"], times);
    let mut last = Instant::now();
    let mut watch = |step: Step| {
        let time = || times.then(|| last.elapsed().as_micros().to_string());
        match step.form {
            Form::Ir(function) => _ = ir.add_row(row(step.name, &counts(function), time())),
            Form::Code(kernel, changed) => {
                let name = if changed.is_some() { step.name } else { "" };
                let counts = [Some(kernel.code.len()), changed];
                let counts = counts.map(|it| it.map_or(String::new(), |count| count.to_string()));
                _ = code.add_row(row(name, &counts, time()));
            }
            Form::None => {}
        }
        last = Instant::now();
    };
    let program = &lowered.program;
    let session = Session::new(options, &mut watch);
    session
        .lower_functions(vec![function.clone()], program.files.clone(), program.variables.clone())
        .map_err(|errors| {
            anyhow!("{}", errors.first().map_or("", |(_, error)| error.message.as_str()))
        })?;
    Ok((ir, code))
}

/// A table with a column for each count.
fn titled(counts: impl IntoIterator<Item = &'static str>, times: bool) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    let time = times.then_some("time, µs");
    table.set_header(std::iter::once("pass").chain(counts).chain(time));
    table
}

/// The instruction mix of a function, and the number of its instructions.
fn counts(function: &Function) -> Vec<String> {
    let counts = Mix::of(function).counts().map(|(_, count)| count);
    let all = counts.iter().sum::<usize>();
    counts.iter().chain([&all]).map(ToString::to_string).collect()
}

fn row(pass: &str, counts: &[String], time: Option<String>) -> Vec<Cell> {
    let right = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    let cells = counts.iter().cloned().chain(time).map(right);
    std::iter::once(Cell::new(pass)).chain(cells).collect()
}
