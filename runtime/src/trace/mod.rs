//! Traces of runs for viewers: the stages of each instruction in each cycle.

mod konata;
mod perfetto;

use crate::kernel_record::KernelRecord;
use crate::named::named;
use reconverge_isa::{Kernel, Program, text};
use reconverge_simulator::Machine;
use reconverge_simulator::observe::trace::{TracedInstruction, Window};
use std::ops::Range;

/// The most instructions of a trace; each SM may have as large a part of them as the others.
pub const MOST_INSTRUCTIONS: u64 = 200_000;

named! {
    /// For which viewer.
    pub enum Format {
        Perfetto "perfetto" "JSON of the trace event format, which Perfetto and Chrome show",
        Konata "konata" "The log of Konata, a viewer of pipelines (`Kanata 0004`)",
    }
}

/// The parts of a run to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Instructions that issue in these cycles of their launch.
    pub cycles: Range<u64>,
    /// The SM to record; all SMs if there is none.
    pub sm: Option<u32>,
    /// The kernel to record; all kernels if there is none.
    pub kernel: Option<String>,
    /// If set, of one block of one launch, with the block's states.
    pub follow: Option<Follow>,
}

/// A block that is followed through a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    /// The launch of the kernel, from 0.
    pub launch: usize,
    /// The block's number in the grid.
    pub block: u64,
    /// The most instructions.
    pub most: u32,
}

impl Selection {
    /// The record of a kernel's launch, after other launches.
    pub fn window(
        &self,
        kernel: &str,
        machine: &Machine,
        earlier: &[KernelRecord],
    ) -> Option<Window> {
        let wanted = self.kernel.as_deref().is_none_or(|wanted| wanted == kernel);
        if let Some(follow) = self.follow {
            let number = earlier.iter().filter(|record| record.name == kernel).count();
            return (wanted && number == follow.launch).then_some(Window {
                first: self.cycles.start,
                end: self.cycles.end,
                sm: None,
                limit: follow.most,
                follow: Some(follow.block),
            });
        }
        let traces = earlier.iter().flat_map(|record| &record.traces);
        let recorded: u64 = traces.map(|trace| trace.instructions.len() as u64).sum();
        let sms = if self.sm.is_some() { 1 } else { u64::from(machine.sms.max(1)) };
        let limit = MOST_INSTRUCTIONS.saturating_sub(recorded) / sms;
        wanted.then_some(Window {
            first: self.cycles.start,
            end: self.cycles.end,
            sm: self.sm,
            limit: limit as u32,
            follow: None,
        })
    }
}

/// Writes the trace of some launches.
pub fn write(
    format: Format,
    selection: &Selection,
    program: &Program,
    machine: &Machine,
    records: &[KernelRecord],
) -> String {
    let launches = launches(selection, program, machine, records);
    match format {
        Format::Perfetto => perfetto::write(machine, &launches),
        Format::Konata => konata::write(machine, &launches),
    }
}

/// Notes for the reader of a trace: that it is empty, or incomplete.
pub fn notes(selection: &Selection, records: &[KernelRecord]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut instructions = 0;
    for (number, record) in records.iter().enumerate() {
        let traces = &record.traces;
        instructions += traces.iter().map(|trace| trace.instructions.len()).sum::<usize>();
        let full = traces.iter().enumerate().filter_map(|(sm, trace)| Some((trace.full?, sm)));
        if let Some((cycle, sm)) = full.min() {
            let sm = selection.sm.unwrap_or(sm as u32);
            notes.push(format!(
                "the trace has no room for all of launch {number}, `{}`: it lacks instructions and stalls from \
                 cycle {cycle} on (SM {sm}); a trace holds {MOST_INSTRUCTIONS} instructions, the same number \
                 for each SM. Choose fewer with --trace-cycles, --trace-sm or --trace-kernel",
                record.name
            ));
            break;
        }
    }
    if instructions == 0 && notes.is_empty() {
        notes.push("the trace is empty: no instruction of what was chosen issued".to_owned());
    }
    notes
}

/// A launch that was recorded.
struct Launch<'a> {
    number: usize,
    record: &'a KernelRecord,
    program: &'a Program,
    kernel: &'a Kernel,
    /// The cycle of the trace in which it begins: launches follow each other.
    begin: u64,
    cycles: u64,
    /// Each with its SM.
    traces: Vec<(usize, &'a reconverge_simulator::observe::trace::Trace)>,
}

impl Launch<'_> {
    /// The text of the instruction at a place of the kernel.
    fn text(&self, pc: u32) -> String {
        let instruction = self.kernel.code.get(pc as usize);
        instruction.map(text::print_instruction).unwrap_or_default()
    }

    /// The source line of the instruction at a place of the kernel.
    fn source(&self, pc: u32) -> String {
        let location = self.kernel.lines.get(pc as usize).copied().unwrap_or_default();
        match self.program.files.get(location.file as usize) {
            Some(file) if location.line != 0 => format!("{file}:{}", location.line),
            _ => String::new(),
        }
    }

    /// Lanes in which an instruction acted, and those of its path.
    fn lanes(traced: &TracedInstruction) -> String {
        format!("{} of {}", traced.acted.count_ones(), traced.active.count_ones())
    }
}

fn launches<'a>(
    selection: &Selection,
    program: &'a Program,
    machine: &Machine,
    records: &'a [KernelRecord],
) -> Vec<Launch<'a>> {
    let mut begin = 0;
    let mut launches = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let cycles = record.statistics.as_ref().map_or(0, |statistics| statistics.cycles);
        if let Some(kernel) = program.kernel(&record.name)
            && !(record.traces.is_empty() && record.samples.is_empty())
        {
            let sms = match selection.sm {
                Some(sm) => sm as usize..sm as usize + 1,
                None => 0..machine.sms as usize,
            };
            let traces = sms.zip(&record.traces).collect();
            launches.push(Launch { number, record, program, kernel, begin, cycles, traces });
        }
        begin += cycles;
    }
    launches
}
