//! From the checked tree to a program image.
//!
//! [`tree`] makes SSA of a kernel, the [passes](crate::pass) improve it, [`select`] chooses
//! instructions, [`allocate`] assigns registers and [`emit`] lays everything out.

mod allocate;
mod annotate;
mod builtin;
mod cast;
mod check;
mod convert;
mod copies;
mod edges;
mod emit;
mod error;
mod expr;
mod hops;
mod interval;
mod label;
mod layout;
mod library;
mod machine;
mod order;
mod place;
pub mod print;
mod select;
mod simd;
mod spill;
mod ssa;
mod stmt;
mod together;
mod tree;
mod walk;

pub use allocate::{FEWEST_REGISTERS, Spill};
pub use error::{LowerError, LowerErrorKind, Result};

use crate::analysis::strips::Strips;
use crate::analysis::{DominatorTree, Loops};
use crate::check::tree::{FunctionId, Module};
use crate::decouple::report::Left;
use crate::decouple::{self, Affine, Report, Streams};
use crate::ir::{Function, verify};
use crate::machine_code::{armed, last_read, meetings};
use crate::pass::{self, Knobs, Level};
use crate::syntax::source::{FileId, SourceMap, Span};
use copies::Cycles;
use reconverge_isa::{AffineStream, Instruction, Kernel, LOCAL_BASE, Location, Program};
use std::collections::BTreeSet;

/// How to compile.
#[derive(Clone, Debug)]
pub struct Options {
    /// The most general registers a thread may use; what does not fit is kept in local memory.
    pub max_registers: u32,
    /// What is kept there first.
    pub spill: Spill,
    /// How much is optimised.
    pub level: Level,
    /// What is chosen about passes.
    pub knobs: Knobs,
    /// Passes to run instead of the level's, by name, in order.
    pub passes: Option<Vec<String>>,
    /// Passes that are left out, by name.
    pub disabled: BTreeSet<String>,
    /// Passes behind which the intermediate representation is printed, by name; `lower` prints
    /// what the passes start from.
    pub print_after: BTreeSet<String>,
    /// Add the arm/meet form of reconvergence to `!reconverge`.
    pub convergence_barriers: bool,
    /// What is done with affine computation.
    pub affine: Affine,
    /// Check the compiler's own work behind every pass and after register allocation.
    pub verify: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            max_registers: 63,
            spill: Spill::default(),
            level: Level::default(),
            knobs: Knobs::default(),
            passes: None,
            disabled: BTreeSet::new(),
            print_after: BTreeSet::new(),
            convergence_barriers: false,
            affine: Affine::None,
            verify: cfg!(debug_assertions),
        }
    }
}

impl Options {
    /// The names of the passes to run, in order.
    pub fn passes(&self) -> Vec<&str> {
        let chosen = match &self.passes {
            Some(names) => names.iter().map(String::as_str).collect(),
            None => self.level.pipeline().to_vec(),
        };
        chosen.into_iter().filter(|name| !self.disabled.contains(*name)).collect()
    }
}

/// The intermediate representation of a kernel at some point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// Behind which pass.
    pub pass: &'static str,
    /// The kernel.
    pub kernel: String,
    /// Its text.
    pub text: String,
}

impl std::fmt::Display for Dump {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "; {} behind `{}`\n{}", self.kernel, self.pass, self.text)
    }
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The program image.
    pub program: Program,
    /// Its kernels after the passes.
    pub ir: Vec<Function>,
    /// What was asked to be printed, in the order in which it happened.
    pub dumps: Vec<Dump>,
    /// What was taken apart, by kernel, if that was asked for.
    pub decoupled: Vec<Report>,
}

/// Is told the name of each step of a compilation when the step is done.
pub type Watch<'a> = dyn FnMut(&'static str) + 'a;

/// Compiles all kernels of a program.
pub fn lower(
    module: &Module,
    sources: &SourceMap,
    options: &Options,
) -> std::result::Result<Lowered, Vec<LowerError>> {
    lower_watched(module, sources, options, &mut |_| {})
}

/// The same, telling of each step: the passes by their names.
pub fn lower_watched(
    module: &Module,
    sources: &SourceMap,
    options: &Options,
    watch: &mut Watch,
) -> std::result::Result<Lowered, Vec<LowerError>> {
    let mut errors = Vec::new();
    let mut lowered = Lowered::default();
    lowered.program.files = sources.files().map(|file| sources.name(file).to_owned()).collect();
    match layout::variables(module) {
        Ok(variables) => lowered.program.variables = variables,
        Err(error) => errors.push(error),
    }
    for (index, function) in module.functions.iter().enumerate() {
        if !function.sides.kernel {
            continue;
        }
        let id = FunctionId(index as u32);
        if let Err(error) = lower_kernel(module, sources, options, id, &mut lowered, watch) {
            errors.push(error);
        }
    }
    if errors.is_empty() { Ok(lowered) } else { Err(errors) }
}

fn lower_kernel(
    module: &Module,
    sources: &SourceMap,
    options: &Options,
    id: FunctionId,
    lowered: &mut Lowered,
    watch: &mut Watch,
) -> Result<()> {
    let span = module.function(id).span;
    let mut function = tree::kernel(module, sources, id)?;
    watch("lower");
    optimise_watched(&mut function, options, &mut lowered.dumps, watch)
        .and_then(|()| assemble_reported(&function, options, watch))
        .map(|(kernel, report)| {
            lowered.program.kernels.push(kernel);
            lowered.decoupled.extend(report);
        })
        .map_err(|error| LowerError { span, ..error })?;
    lowered.ir.push(function);
    Ok(())
}

/// The span of errors that are about a whole kernel; who knows the kernel's puts it there.
fn nowhere() -> Span {
    Span::new(FileId(0), 0, 0)
}

fn internal(message: String) -> LowerError {
    LowerError::new(LowerErrorKind::Internal, nowhere(), message)
}

/// Runs the passes. Errors have no place.
pub fn optimise(function: &mut Function, options: &Options, dumps: &mut Vec<Dump>) -> Result<()> {
    optimise_watched(function, options, dumps, &mut |_| {})
}

fn optimise_watched(
    function: &mut Function,
    options: &Options,
    dumps: &mut Vec<Dump>,
    watch: &mut Watch,
) -> Result<()> {
    after(function, "lower", options, dumps)?;
    for pass in options.passes().into_iter().filter_map(pass::find) {
        (pass.run)(function, &options.knobs);
        watch(pass.name);
        after(function, pass.name, options, dumps)?;
    }
    Ok(())
}

fn after(
    function: &Function,
    pass: &'static str,
    options: &Options,
    dumps: &mut Vec<Dump>,
) -> Result<()> {
    if options.print_after.contains(pass) {
        let (kernel, text) = (function.name.clone(), function.to_string());
        dumps.push(Dump { pass, kernel, text });
    }
    if options.verify
        && let Some(fault) = verify(function).into_iter().next()
    {
        return Err(internal(format!("behind `{pass}`: {fault}")));
    }
    Ok(())
}

/// Turns a well-formed function into machine code. Errors have no place.
pub fn assemble(function: &Function, options: &Options) -> Result<Kernel> {
    assemble_watched(function, options, &mut |_| {})
}

fn assemble_watched(function: &Function, options: &Options, watch: &mut Watch) -> Result<Kernel> {
    Ok(assemble_reported(function, options, watch)?.0)
}

/// The same, with what there is to say of how the kernel was taken apart, if that was asked for.
fn assemble_reported(
    function: &Function,
    options: &Options,
    watch: &mut Watch,
) -> Result<(Kernel, Option<Report>)> {
    let mut function = function.clone();
    // Selection relies on both, whatever passes are disabled.
    pass::dead::run(&mut function);
    // Splitting edges makes each of many ways out of a loop one of its own, which takes longer to
    // look at and says no more.
    let claims = annotate::Claims::new(&function);
    watch("claims");
    let whole = stream(&function, &claims, Vec::new(), options, Holds::Numbers, watch)?;
    let (streams, report) = match options.affine {
        Affine::None => (None, None),
        Affine::Decoupled | Affine::All => {
            let (streams, mut report) = decouple::decouple(&function);
            watch("decouple");
            let streams = match streams {
                Some(streams) => both(&streams, &claims, &whole, options, &mut report, watch)?,
                None => None,
            };
            (streams, Some(report))
        }
    };
    let (main, affine) = match streams {
        Some((main, affine)) => (main, Some(affine)),
        None => (whole, None),
    };
    let mut code = main.code;
    last_read::annotate(&mut code);
    watch("last-read");
    let mut lines = main.lines;
    let entry = code.len() as u32;
    let stream = affine.as_ref().map(|affine| AffineStream {
        entry,
        registers: affine.registers,
        predicates: affine.predicates,
    });
    let literals = affine.as_ref().map_or(main.literals, |affine| affine.literals.clone());
    if let Some(affine) = affine {
        code.extend(affine.code.into_iter().map(|instruction| behind(instruction, entry)));
        lines.extend(affine.lines);
    }
    let mut kernel = Kernel {
        name: function.name.clone(),
        parameter_bytes: select::parameter_bytes(&function),
        parameters: function.parameters,
        literals,
        registers: main.registers,
        predicates: main.predicates,
        shared_bytes: function.shared_bytes,
        local_bytes: main.local_bytes,
        max_threads: function.max_threads,
        affine: stream,
        code,
        lines,
    };
    // Schemes that need them do not run two streams.
    if options.convergence_barriers && kernel.affine.is_none() {
        meetings::insert(&mut kernel);
        if options.verify {
            armed::check(&kernel.code).map_err(internal)?;
        }
    }
    Ok((kernel, report))
}

/// Both streams of a function, if they are better than the whole.
fn both(
    streams: &Streams,
    claims: &annotate::Claims,
    whole: &Stream,
    options: &Options,
    report: &mut Report,
    watch: &mut Watch,
) -> Result<Option<(Stream, Stream)>> {
    let faults = verify(&streams.main)
        .into_iter()
        .chain(verify(&streams.affine))
        .chain(decouple::verify::verify(&streams.main, &streams.affine, &streams.parting));
    if let Some(fault) = faults.into_iter().next() {
        return Err(internal(format!("behind `decouple`: {fault}")));
    }
    let main = stream(&streams.main, claims, Vec::new(), options, Holds::Numbers, watch)?;
    // What the affine stream is told is of no use to it, and it has registers of its own.
    let own = Options { max_registers: reconverge_isa::REGISTERS as u32, ..options.clone() };
    let nothing = annotate::Claims::none();
    let literals = main.literals.clone();
    let affine = match stream(&streams.affine, &nothing, literals, &own, Holds::Tuples, watch) {
        Err(error) if error.kind == LowerErrorKind::Registers => {
            report.left = Some(Left::Registers);
            return Ok(None);
        }
        affine => affine?,
    };
    report.weight = [whole.weight, main.weight, affine.weight];
    report.instructions = [whole.code.len(), main.code.len(), affine.code.len()];
    // A load or store of local memory there is one of a spilled register, and a guard on anything but a branch
    // is one of a spilled predicate.
    let spills = affine.code.iter().any(|instruction| {
        instruction.is_memory() && instruction.space != reconverge_isa::Space::Constant
            || instruction.guard.is_some() && !instruction.has_target()
    });
    let early = report.count(|access| access.name == "load").1;
    let constants = select::parameter_bytes(&streams.main).next_multiple_of(8) as usize
        + 4 * affine.literals.len();
    report.left = if spills {
        Some(Left::Registers)
    } else if constants > reconverge_isa::CONSTANT_SIZE as usize {
        Some(Left::Constants)
    } else if main.weight > whole.weight || (main.weight == whole.weight && early == 0) {
        Some(Left::NotShorter)
    } else if options.affine == Affine::Decoupled && is_marginal(whole, &main) {
        let saved = whole.weight.saturating_sub(main.weight);
        Some(Left::OutsideOfLoops(saved, whole.weight))
    } else {
        None
    };
    Ok(report.left.is_none().then_some((main, affine)))
}

/// Whether a kernel spends its time in loops of which nothing is spared: less than a tenth of the whole is, and all of
/// that before and behind them. Two streams start later, and their first fetches are more.
fn is_marginal(whole: &Stream, main: &Stream) -> bool {
    let saved = whole.weight.saturating_sub(main.weight);
    whole.in_loops != 0
        && main.in_loops >= whole.in_loops
        && saved.saturating_mul(10) < whole.weight
}

/// An instruction of a stream that lies behind others.
fn behind(mut instruction: Instruction, entry: u32) -> Instruction {
    if instruction.has_target() {
        instruction.target += entry;
        let meet = &mut instruction.annotations.reconverge;
        *meet = meet.map(|meet| meet + entry);
    }
    instruction
}

/// The finished code of a function.
struct Stream {
    code: Vec<Instruction>,
    lines: Vec<Location>,
    literals: Vec<u32>,
    registers: u32,
    predicates: u32,
    local_bytes: u32,
    /// How many instructions there are, ten times as many for each loop around.
    weight: u64,
    /// Those of them that are in loops.
    in_loops: u64,
}

/// What registers hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Numbers,
    /// As in the affine warp.
    Tuples,
}

/// Makes machine code of a function without dead code; some literals are there already.
fn stream(
    function: &Function,
    claims: &annotate::Claims,
    literals: Vec<u32>,
    options: &Options,
    holds: Holds,
    watch: &mut Watch,
) -> Result<Stream> {
    let mut function = function.clone();
    edges::split_critical_edges(&mut function);
    let dominators = DominatorTree::dominators(&function);
    let loops = Loops::new(&function, &dominators);
    let order = order::order(&function, &loops);
    watch("order");
    let mut code = select::select(&function, &order, &dominators, &loops, claims, literals);
    watch("select");
    let allocation = allocate::allocate(
        &mut code,
        &Strips::new(&function),
        options.max_registers,
        options.spill,
    );
    let too_few = || {
        let message = format!(
            "`{}` cannot be compiled for {} registers a thread; {FEWEST_REGISTERS} are needed at least",
            function.name, options.max_registers
        );
        LowerError::new(LowerErrorKind::Registers, nowhere(), message)
    };
    let allocation = allocation.ok_or_else(too_few)?;
    if options.verify {
        check::check(&code, &allocation).map_err(internal)?;
    }
    if code.local_bytes >= reconverge_isa::CONSTANT_BASE - LOCAL_BASE {
        let message = format!("`{}` needs more local memory than there is", function.name);
        return Err(LowerError::new(LowerErrorKind::Memory, nowhere(), message));
    }
    watch("allocate");
    let meet = DominatorTree::post_dominators(&function);
    let cycles = match holds {
        Holds::Numbers => Cycles::Exchange,
        Holds::Tuples => Cycles::Through(allocation.general.next_multiple_of(2)),
    };
    let emitted = emit::emit(&code, &allocation, &meet, claims, cycles);
    let (lines, [weight, in_loops]) = emitted.ok_or_else(too_few)?;
    watch("emit");
    let instructions: Vec<Instruction> =
        lines.iter().map(|(instruction, _)| *instruction).collect();
    let needed = instructions.iter().map(Instruction::registers_needed);
    let registers = needed.fold(allocation.general, u32::max);
    Ok(Stream {
        code: instructions,
        lines: lines.into_iter().map(|(_, location)| location).collect(),
        literals: code.literals,
        registers,
        predicates: allocation.predicates,
        local_bytes: code.local_bytes,
        weight,
        in_loops,
    })
}
