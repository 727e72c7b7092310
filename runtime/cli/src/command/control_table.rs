//! Counts of control bits: `--emit control-bits`.

use anyhow::{Result, anyhow};
use comfy_table::{Cell, CellAlignment, Table, presets};
use reconverge_compiler::machine_code::control_report::{ControlReport, report};
use reconverge_isa::{CodeTarget, Program};

/// A count of a kernel.
type Count = fn(&ControlReport) -> usize;

/// The columns after the kernel's name.
const COLUMNS: [(&str, Count); 10] = [
    ("instructions", |it| it.instructions),
    ("stall cycles", |it| it.stall_cycles),
    ("yields", |it| it.yields),
    ("counters", |it| it.counters),
    ("waits", |it| it.waits),
    ("awaited", |it| it.awaited),
    ("falsely", |it| it.false_waits),
    ("sources", |it| it.sources),
    ("cached", |it| it.cached),
    ("bank conflicts", |it| it.bank_conflicts),
];

/// A row for each kernel.
///
/// # Errors
/// The code was compiled for no machine that checks no dependences.
pub fn table(program: &Program, target: &CodeTarget) -> Result<String> {
    let Some(control) = &target.control_bits else {
        return Err(anyhow!(
            "`--emit control-bits` counts for the latencies of a machine\n  choose one with `--control-bits MACHINE`"
        ));
    };
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(std::iter::once("kernel").chain(COLUMNS.map(|(title, _)| title)));
    for kernel in &program.kernels {
        let counts = report(kernel, &control.latencies);
        let right = |(_, count): (&str, Count)| {
            Cell::new(count(&counts)).set_alignment(CellAlignment::Right)
        };
        table.add_row(std::iter::once(Cell::new(&kernel.name)).chain(COLUMNS.map(right)));
    }
    Ok(format!("{table}\n"))
}
