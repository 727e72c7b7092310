//! `compile --emit analysis` and `--emit analysis-json`.

use anyhow::Result;
use reconverge_compiler::analysis::report::{self, KernelReport};
use reconverge_compiler::analysis::{Answers, Flow};
use reconverge_compiler::ir::{Function, Location};
use reconverge_compiler::lower::Lowered;
use reconverge_compiler::machine_code::LastReads;
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::Kernel;
use serde::Serialize;

/// The version of the JSON's shape.
const SCHEMA: u32 = 1;

/// The kernels with the answers of all analyses beside their instructions.
pub fn text(lowered: &Lowered, sources: &SourceMap) -> String {
    let source = |location: Location| {
        let name = lowered.program.files.get(location.file as usize)?;
        let file = sources.files().find(|&file| sources.name(file) == name)?;
        Some(sources.line_text(file, location.line).to_owned())
    };
    let each = |(function, kernel): (&Function, &Kernel)| {
        let flow = Flow::new(function);
        let registers = LastReads::new(&kernel.code);
        format!("{}; {registers}\n", report::text(&Answers::new(&flow), &source))
    };
    lowered.ir.iter().zip(&lowered.program.kernels).map(each).collect::<Vec<_>>().join("\n")
}

#[derive(Serialize)]
struct Analysis<'a> {
    schema: u32,
    program: &'a str,
    kernels: Vec<KernelAnalysis>,
}

#[derive(Serialize)]
struct KernelAnalysis {
    #[serde(flatten)]
    answers: KernelReport,
    registers: RegisterReport,
}

/// The registers of the machine code that the kernel becomes.
#[derive(Serialize)]
struct RegisterReport {
    /// Sources that are registers or predicates.
    operands: usize,
    /// The number of last reads among them.
    last_reads: usize,
    /// The number of last reads if each thread had registers of its own.
    last_reads_per_thread: usize,
    /// The most general registers that a warp needs at once.
    most_held: u32,
    /// The most that one of its threads needs.
    most_held_per_thread: u32,
}

impl From<LastReads> for RegisterReport {
    fn from(found: LastReads) -> RegisterReport {
        RegisterReport {
            operands: found.operands,
            last_reads: found.count(),
            last_reads_per_thread: found.per_thread,
            most_held: found.most_held,
            most_held_per_thread: found.most_per_thread,
        }
    }
}

/// The results of the analyses as JSON.
pub fn json(program: &str, lowered: &Lowered) -> Result<String> {
    let each = |(function, kernel): (&Function, &Kernel)| {
        let flow = Flow::new(function);
        let registers = LastReads::new(&kernel.code).into();
        KernelAnalysis { answers: report::report(&Answers::new(&flow)), registers }
    };
    let kernels = lowered.ir.iter().zip(&lowered.program.kernels).map(each).collect();
    let mut text = serde_json::to_string_pretty(&Analysis { schema: SCHEMA, program, kernels })?;
    text.push('\n');
    Ok(text)
}
