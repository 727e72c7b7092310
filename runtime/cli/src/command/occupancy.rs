//! `occupancy FILE`: how many blocks of a kernel fit on an SM, and what limits them.

use super::output;
use super::source::{SourceArguments, names_kernel, require_kernel};
use super::style::Style;
use super::target::MachineArguments;
use anyhow::{Result, bail};
use clap::Args;
use comfy_table::{Cell, CellAlignment, Table, presets};
use reconverge::fit::Fit;
use reconverge::host::device::DeviceLimits;
use reconverge::kernel_file::{KernelFile, Level, Places};
use reconverge::status;
use reconverge_compiler::check::Needed;
use reconverge_compiler::check::tree::FunctionId;
use reconverge_compiler::lower::{Lowered, dynamic_shared};
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::Kernel;
use reconverge_isa::wording::counted;
use reconverge_simulator::run::occupancy::{Resource, shared_bytes};
use reconverge_simulator::{Machine, code_target};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

/// The program and the machine.
#[derive(Args, Debug)]
pub struct OccupancyArguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    machine: MachineArguments,
    /// Threads per block; without it, a row for each size from 32 to 1024
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    block: Option<u32>,
    /// Only the kernels of this name, or instances of a template of this name; errors in the others
    /// are ignored
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "N", default_value_t = 0)]
    shared: u32,
}

/// Compiles and shows, for each kernel, how many blocks fit on an SM.
pub fn occupancy(arguments: &OccupancyArguments, style: Style) -> Result<ExitCode> {
    arguments.machine.warn(style)?;
    let machine = arguments.machine.machine()?;
    let Compiled { name, lowered, dynamic } = match compiled(arguments, &machine, style)? {
        Ok(compiled) => compiled,
        Err(status) => return Ok(status),
    };
    if lowered.program.kernels.is_empty() {
        bail!("`{name}` has no kernels");
    }
    let kernels = &lowered.program.kernels;
    let is_chosen = |kernel: &&Kernel| {
        arguments.kernel.as_deref().is_none_or(|wanted| names_kernel(wanted, &kernel.name))
    };
    let chosen: Vec<&Kernel> = kernels.iter().filter(is_chosen).collect();
    let mut text = String::new();
    for kernel in chosen {
        if !text.is_empty() {
            text.push('\n');
        }
        text += &headline(kernel, &machine, arguments.shared);
        if let (Some(variable), 0) = (dynamic.get(&kernel.name), arguments.shared) {
            style.note(&format!(
                "`{}` uses dynamic shared memory, `{variable}`: give its bytes per block with `--shared N`; the rows \
                 below count none",
                kernel.name
            ));
        }
        text += &match arguments.block {
            Some(threads) => one(kernel, &machine, threads, arguments.shared)?,
            None => all(kernel, &machine, arguments.shared),
        };
    }
    output::show(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Compiled kernels.
struct Compiled {
    /// The name of their file.
    name: String,
    lowered: Lowered,
    /// Kernels of CUDA source that use dynamic shared memory, each with a variable in it.
    dynamic: BTreeMap<String, String>,
}

/// Compiles the kernels; if the file is faulty, reports it and returns the status.
fn compiled(
    arguments: &OccupancyArguments,
    machine: &Machine,
    style: Style,
) -> Result<std::result::Result<Compiled, ExitCode>> {
    let wrong = Ok(Err(ExitCode::from(status::FOUND)));
    let options = arguments.source.options.lowering();
    let options = options.for_run(code_target(machine));
    let level = Level::of(&arguments.source.file);
    if level != Level::Source {
        let mut sources = SourceMap::new();
        let mut file = KernelFile::read(&arguments.source.file, level, &mut sources)?;
        style.kernel_file(&file, &sources);
        if file.has_errors() {
            return wrong;
        }
        if let Some(wanted) = &arguments.kernel {
            file.retain(|kernel| names_kernel(wanted, kernel))?;
        }
        return match file.lower(&options, Places::AsSaid, &sources) {
            Ok(lowered) => Ok(Ok(Compiled { name: file.name, lowered, dynamic: BTreeMap::new() })),
            Err(refused) => {
                style.refused(&refused);
                wrong
            }
        };
    }
    let needed = arguments.kernel.clone().map_or(Needed::Kernels, Needed::Kernel);
    let (name, checked) = arguments.source.check(needed)?;
    style.diagnostics(&checked.diagnostics, &checked.sources);
    if checked.module.is_none() {
        return wrong;
    }
    let mut dynamic = BTreeMap::new();
    if let Some(module) = &checked.module {
        if let Some(wanted) = &arguments.kernel {
            require_kernel(wanted, module)?;
        }
        for (index, kernel) in module.functions.iter().enumerate().filter(|it| it.1.sides.kernel) {
            let found = dynamic_shared(module, FunctionId(index as u32));
            dynamic.extend(found.map(|variable| (kernel.name.to_string(), variable.to_owned())));
        }
    }
    match checked.lower(&options) {
        Ok(lowered) => Ok(Ok(Compiled { name, lowered, dynamic })),
        Err(refused) => {
            style.refused(&refused);
            wrong
        }
    }
}

/// The kernel's resources, for any block size.
fn headline(kernel: &Kernel, machine: &Machine, dynamic: u32) -> String {
    format!(
        "{} on {}: {} registers per thread, {} bytes of shared memory per block\n",
        kernel.name,
        machine.name,
        machine.registers_of(kernel),
        shared_bytes(kernel, dynamic)
    )
}

fn fit(kernel: &Kernel, machine: &Machine, threads: u32, dynamic: u32) -> Fit {
    Fit::new(machine, threads.into(), machine.registers_of(kernel), shared_bytes(kernel, dynamic))
}

fn percent(fit: &Fit) -> String {
    format!("{:.1} %", 100.0 * fit.share())
}

fn right(text: impl ToString) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn table(titles: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(titles);
    table
}

/// Every limit of one size of blocks.
fn one(kernel: &Kernel, machine: &Machine, threads: u32, dynamic: u32) -> Result<String> {
    let bound = kernel.max_threads;
    if bound != 0 && threads > bound {
        bail!("--block {threads}: `{}` has launch bounds of {bound} threads", kernel.name);
    }
    let fit = fit(kernel, machine, threads, dynamic);
    let each = format!("a block of {threads}");
    let mut table = table(&["", &each, "per SM", "allows", "lacks for one more"]);
    for limit in &fit.limits {
        let unit = if limit.resource == Resource::Shared { " B" } else { "" };
        let missing = limit.missing(fit.blocks);
        table.add_row([
            Cell::new(limit.resource.name()),
            right(format!("{}{unit}", limit.takes)),
            right(format!("{}{unit}", limit.has)),
            right(limit.blocks().map_or("-".to_string(), |blocks| blocks.to_string())),
            right(if missing == 0 { "-".to_string() } else { format!("{missing}{unit}") }),
        ]);
    }
    let mut text = format!("{table}\n");
    // Writing to a string does not fail.
    let _ = match fit.blocks {
        0 => writeln!(text, "no block fits, for want of {}", fit.reasons(", ")),
        blocks => writeln!(
            text,
            "{} per SM, {} of {} warps: occupancy {}, limited by {}",
            counted(blocks, "block"),
            fit.warps,
            fit.capacity,
            percent(&fit),
            fit.reasons(", ")
        ),
    };
    Ok(text)
}

/// A row for each number of whole warps that a launch may request.
fn all(kernel: &Kernel, machine: &Machine, dynamic: u32) -> String {
    let titles =
        ["threads", "registers", "shared memory", "blocks", "warps", "occupancy", "limited by"];
    let mut table = table(&titles);
    let most = match kernel.max_threads {
        0 => DeviceLimits::default().threads,
        bound => bound.min(DeviceLimits::default().threads),
    };
    for threads in (32..=most).step_by(32) {
        let fit = fit(kernel, machine, threads, dynamic);
        let taken = |resource| {
            let limit = fit.limits.iter().find(|limit| limit.resource == resource);
            limit.map_or(0, |limit| limit.takes)
        };
        table.add_row([
            right(threads),
            right(taken(Resource::Registers)),
            right(format!("{} B", taken(Resource::Shared))),
            right(fit.blocks),
            right(fit.warps),
            right(percent(&fit)),
            Cell::new(fit.reasons(", ")),
        ]);
    }
    format!("{table}\n")
}
