//! `list KIND`.

use super::output::show;
use super::target;
use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use comfy_table::{ContentArrangement, Table, presets};
use reconverge::exercise::Exercise;
use reconverge::study::catalogue::EXERCISES;
use reconverge_compiler::{diagnostic::code, pass};
use reconverge_isa::hints;
use reconverge_isa::table::TABLE;
use reconverge_simulator as simulator;
use std::process::ExitCode;

/// The list to print.
#[derive(Args, Debug)]
pub struct ListArguments {
    #[arg(value_enum)]
    what: Listing,
    /// For `machine`: a machine by name, or a machine file
    #[arg(value_name = "NAME|FILE", required_if_eq("what", "machine"))]
    name: Option<String>,
    /// For `machine`: change a setting, as for `run`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = target::setting)]
    sets: Vec<(String, String)>,
    /// For `instructions`: list the PTX instructions that can be compiled, not the machine's own
    #[arg(long)]
    ptx: bool,
}

#[derive(ValueEnum, Debug, Clone, Copy)]
enum Listing {
    /// Built-in machines, for `--machine`
    Machines,
    /// A machine with all its settings, as a file that `--machine` accepts
    Machine,
    /// Mechanisms for a machine's slots, for `--set SLOT=NAME`
    Mechanisms,
    /// Statistics with their units
    Statistics,
    /// The compiler's passes and the levels they run at
    Passes,
    /// Hints of instructions, `!hint NAME VALUE` in assembly and IR
    Hints,
    /// The diagnostics' codes, for `explain`
    Codes,
    /// The exercises of the course, for `grade`
    Exercises,
    /// The machine's instructions, or with `--ptx` those of PTX
    Instructions,
}

/// Prints a list.
pub fn list(arguments: &ListArguments) -> Result<ExitCode> {
    if let (Listing::Machine, Some(name)) = (arguments.what, &arguments.name) {
        let (machine, file) = target::resolved(name, &arguments.sets)?;
        let sources = machine.tables.sources.as_ref();
        show(&sources.map_or(String::new(), |sources| format!("# {}\n", sources.summary())))?;
        show(&file)?;
        return Ok(ExitCode::SUCCESS);
    }
    ensure!(
        arguments.name.is_none() && arguments.sets.is_empty(),
        "only `list machine` takes a name and settings"
    );
    ensure!(
        !arguments.ptx || matches!(arguments.what, Listing::Instructions),
        "only `list instructions` takes `--ptx`"
    );
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    match arguments.what {
        Listing::Machines | Listing::Machine => machines(&mut table),
        Listing::Mechanisms => mechanisms(&mut table),
        Listing::Statistics => statistics(&mut table),
        Listing::Passes => {
            table.set_header(["pass", "stage", "levels", "what it does"]);
            for pass in pass::passes() {
                table.add_row([pass.name, pass.stage().name(), &pass.levels(), pass.doc]);
            }
        }
        Listing::Hints => {
            table.set_header(["hint", "value", "what it states"]);
            for hint in hints::all() {
                table.add_row([hint.name, &hint.range(), hint.sentence]);
            }
        }
        Listing::Codes => {
            table.set_header(["code", "what it is about"]);
            for code in code::ALL {
                table.add_row([code.id(), code.title()]);
            }
        }
        Listing::Exercises => exercises(&mut table)?,
        Listing::Instructions if arguments.ptx => ptx_instructions(&mut table),
        Listing::Instructions => {
            table.set_header(["instruction", "what it computes"]);
            for row in TABLE {
                table.add_row([row.mnemonic, row.doc]);
            }
        }
    }
    show(&format!("{}\n", table.trim_fmt()))?;
    Ok(ExitCode::SUCCESS)
}

fn machines(table: &mut Table) {
    table.set_header(["machine", "what it is"]);
    for machine in simulator::machines() {
        table.add_row([machine.name, machine.description]);
    }
}

fn exercises(table: &mut Table) -> Result<()> {
    table.set_header(["exercise", "page", "task", "begin with"]);
    for name in EXERCISES.names() {
        let Exercise { page, task, start, .. } = Exercise::read(&name)?;
        table.add_row([name, page, task, format!("examples/course/exercises/{start}")]);
    }
    Ok(())
}

fn ptx_instructions(table: &mut Table) {
    table.set_header(["form", "operands", "what it computes"]);
    for row in reconverge_ptx::table::GROUPS.iter().flat_map(|(_, rows)| rows.iter()) {
        table.add_row([row.pattern, row.operands, row.meaning]);
    }
}

fn mechanisms(table: &mut Table) {
    table.set_header(["slot", "mechanism", "what it does"]);
    for mechanism in simulator::mechanisms() {
        table.add_row([mechanism.slot, mechanism.name, mechanism.sentence]);
        for (option, sentence) in mechanism.options {
            table.add_row(["", &format!("{}.{option}", mechanism.name), sentence]);
        }
    }
}

fn statistics(table: &mut Table) {
    table.set_header(["statistic", "unit", "what it is", "known as"]);
    for statistic in simulator::declarations() {
        table.add_row([
            statistic.name,
            statistic.unit,
            statistic.sentence,
            statistic.alias.unwrap_or_default(),
        ]);
    }
}
