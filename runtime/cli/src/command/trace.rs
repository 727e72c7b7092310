//! The options of traces.

use super::options::named;
use super::output;
use super::style::Style;
use anyhow::{Result, ensure};
use clap::Args;
use reconverge::execute::ModelName;
use reconverge::kernel_record::KernelRecord;
use reconverge::named::Named;
use reconverge::trace::{self, Format, Selection};
use reconverge_isa::Program;
use reconverge_simulator::Machine;
use std::ops::Range;
use std::path::PathBuf;

/// The trace file, its form, and the instructions to record.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reports")]
pub struct TraceArguments {
    /// Write the pipeline stages of each instruction with their cycles, for a viewer; `-` is standard output
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The viewer that the trace is for
    #[arg(long, value_parser = named::<Format>(), default_value = Format::Perfetto.name(), requires = "trace")]
    trace_format: Format,
    /// Record instructions that issue from cycle A of a launch until before cycle B; `A..` and `..B`
    /// are allowed
    #[arg(long, value_name = "A..B", value_parser = cycles, requires = "trace")]
    trace_cycles: Option<Range<u64>>,
    /// Record one SM, by its number
    #[arg(long, value_name = "N", requires = "trace")]
    trace_sm: Option<u32>,
    /// Record launches of one kernel
    #[arg(long, value_name = "NAME", requires = "trace")]
    trace_kernel: Option<String>,
}

fn cycles(text: &str) -> Result<Range<u64>, String> {
    let (first, end) = text.split_once("..").ok_or("expected A..B")?;
    let number = |text: &str, empty| match text.trim() {
        "" => Ok(empty),
        text => text.parse().map_err(|_| format!("`{text}` is no cycle")),
    };
    let range = number(first, 0)?..number(end, u64::MAX)?;
    if range.is_empty() { Err("there is no cycle in it".to_owned()) } else { Ok(range) }
}

impl TraceArguments {
    /// The selection to record, if a trace is requested.
    pub fn selection(&self) -> Option<Selection> {
        self.trace.as_ref().map(|_| Selection {
            cycles: self.trace_cycles.clone().unwrap_or(0..u64::MAX),
            sm: self.trace_sm,
            kernel: self.trace_kernel.clone(),
            follow: None,
        })
    }

    /// True if a trace is written that can hold counters over time.
    pub fn is_for_perfetto(&self) -> bool {
        self.trace.is_some() && self.trace_format == Format::Perfetto
    }

    /// The kernel whose launches are recorded, if not all are.
    pub fn kernel(&self) -> Option<&str> {
        self.trace_kernel.as_deref()
    }

    /// Reports faults before a long run.
    pub fn check(&self, model: ModelName, machine: &Machine) -> Result<()> {
        let Some(file) = &self.trace else {
            return Ok(());
        };
        ensure!(
            model == ModelName::Timing,
            "--trace needs --model timing: there are no cycles under `{}`",
            model.name()
        );
        if let Some(sm) = self.trace_sm {
            let sms = machine.sms;
            ensure!(sm < sms, "--trace-sm {sm}: the machine has SMs 0 to {}", sms - 1);
        }
        output::check(file)
    }

    /// Writes the trace, and reports where it is incomplete.
    pub fn write(
        &self,
        program: &Program,
        machine: &Machine,
        records: &[KernelRecord],
        style: Style,
    ) -> Result<()> {
        let (Some(file), Some(selection)) = (&self.trace, self.selection()) else {
            return Ok(());
        };
        let text = trace::write(self.trace_format, &selection, program, machine, records);
        output::write(file, text.as_bytes())?;
        for note in trace::notes(&selection, records) {
            style.note(&note);
        }
        Ok(())
    }
}
