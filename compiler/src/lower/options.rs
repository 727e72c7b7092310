//! The options of a compilation, and its result.

use super::allocate::{FEWEST_REGISTERS, Spill};
use super::ssa::Unset;
use crate::analysis::{Launches, Steady};
use crate::decouple::Report;
use crate::ir::{Function, Unheeded, Value};
use crate::pass::{self, Knobs, Level, Pass, Stage};
use reconverge_isa::{CodeTarget, ControlPart, ControlParts, ControlTarget, Locality, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The options of a compilation.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The machine's requirements on the code; [`Options::required`] adds the requests below.
    pub target: CodeTarget,
    /// The most general registers per thread, if other than the machine's; values that do not fit
    /// are kept in local memory.
    pub max_registers: Option<u32>,
    /// The values to keep there first.
    pub spill: Spill,
    /// The level of optimisation.
    pub level: Level,
    /// The most iterations that are written out without a request in the source
    /// ([`Knobs::unroll`]).
    pub unroll: u32,
    /// Registers per thread that scheduling and code motion fill; by default the machine's
    /// requirement.
    pub target_registers: Option<u32>,
    /// Passes to run instead of the level's, by name, in order. The level's passes over machine code follow if there
    /// are none among these.
    pub passes: Option<Vec<String>>,
    /// Passes that are left out, by name.
    pub disabled: BTreeSet<String>,
    /// Passes after which the code is printed, by name: the intermediate representation or the machine code. `lower` prints
    /// the input of the passes over the first, and `emit` that of the passes over the second.
    pub print_after: BTreeSet<String>,
    /// Number the values and blocks of these texts without gaps, as `--emit ir` does.
    pub print_settled: bool,
    /// Add convergence barriers (`bssy` and `bsync`) to `!reconverge`, required or not.
    pub convergence_barriers: bool,
    /// The parts of the work on control bits that are left out.
    pub control_bits_without: ControlParts,
    /// Compile fences to instructions, which only notify a checker of the run.
    pub fences: bool,
    /// State before each access the object that its address was made from, in instructions that
    /// only notify a checker of the run.
    pub bounds: bool,
    /// Report also reads of variables that only on some ways have no value.
    pub maybe_unset: bool,
    /// Keep variables in local memory that on some paths are read without a value, and store zeroes
    /// there even if it holds them, so that a check of the run sees the reads that find no value.
    pub keep_unset: bool,
    /// State for each load its innermost loop and the pattern of its addresses, required or not: hints for
    /// schedulers and caches.
    pub load_hints: bool,
    /// A profile's localities of the loads of source lines; none for others.
    pub localities: BTreeMap<LineOfKernel, Locality>,
    /// Keep the intermediate representation of all kernels, not only of those with barriers.
    pub keep_ir: bool,
    /// Check the compiler's own work after every pass and after register allocation.
    pub verify: bool,
}

/// A line of the source, in a kernel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineOfKernel {
    /// The kernel's name.
    pub kernel: String,
    /// The file's name without its folders: facts about a line hold wherever the file is compiled.
    pub file: String,
    /// From 1.
    pub line: u32,
}

impl LineOfKernel {
    /// A line of a file, whose path is given.
    pub fn new(kernel: &str, path: &str, line: u32) -> LineOfKernel {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        LineOfKernel { kernel: kernel.to_owned(), file: file.to_owned(), line }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            target: CodeTarget::default(),
            max_registers: None,
            spill: Spill::default(),
            level: Level::default(),
            unroll: Knobs::default().unroll,
            target_registers: None,
            passes: None,
            disabled: BTreeSet::new(),
            print_after: BTreeSet::new(),
            print_settled: false,
            convergence_barriers: false,
            control_bits_without: ControlParts::default(),
            fences: false,
            bounds: false,
            maybe_unset: false,
            keep_unset: false,
            load_hints: false,
            localities: BTreeMap::new(),
            keep_ir: true,
            verify: cfg!(debug_assertions),
        }
    }
}

impl Options {
    /// The options for a run on a machine that has these requirements: the intermediate
    /// representation is kept only of kernels that need it.
    pub fn for_run(self, target: CodeTarget) -> Options {
        Options { target, keep_ir: false, ..self }
    }

    /// The requirements on the code: the machine's, and those that these options add or replace. Every step of a
    /// compilation reads them here.
    pub fn required(&self) -> CodeTarget {
        let Options { target, max_registers, target_registers, .. } = *self;
        CodeTarget {
            max_registers: max_registers.unwrap_or(target.max_registers),
            target_registers: target_registers.unwrap_or(target.target_registers),
            convergence_barriers: target.convergence_barriers || self.convergence_barriers,
            load_hints: target.load_hints || self.load_hints,
            control_bits: target.control_bits.map(|control| ControlTarget {
                without: control.without.and(self.control_bits_without),
                ..control
            }),
            ..target
        }
    }

    /// The choices about passes.
    pub fn knobs(&self) -> Knobs {
        let CodeTarget { target_registers, control_bits, predication, .. } = self.required();
        let is_of_today = control_bits.is_some();
        let control_bits = control_bits.filter(|control| control.does(ControlPart::Scheduling));
        let latencies = control_bits.map(|control| control.latencies);
        Knobs { unroll: self.unroll, target_registers, latencies, is_of_today, predication }
    }

    /// The most general registers per thread of a kernel: its blocks fit an SM if it states their
    /// size, and no more than it states itself. A bound that leaves too few registers for any
    /// kernel is ignored, and all are where the options give a number.
    pub fn register_limit(&self, kernel: &Function) -> u32 {
        let required = self.required();
        let most = required.max_registers;
        if self.max_registers.is_some() {
            return most;
        }
        let (threads, blocks) = (kernel.max_threads, kernel.min_blocks.max(1));
        let of_blocks = required.registers_with_blocks(threads, blocks);
        let bounds = [(threads, of_blocks), (kernel.max_registers, kernel.max_registers)];
        let bounds = bounds.into_iter().filter(|&(stated, _)| stated != 0).map(|(_, bound)| bound);
        bounds.filter(|&bound| bound >= FEWEST_REGISTERS).fold(most, u32::min)
    }

    /// The passes to run, in order.
    pub fn passes(&self) -> Vec<&'static Pass> {
        let mut chosen: Vec<&Pass> = match &self.passes {
            Some(names) => names.iter().filter_map(|name| pass::find(name)).collect(),
            None => self.level.pipeline().filter_map(pass::find).collect(),
        };
        if chosen.iter().all(|pass| pass.stage() != Stage::Code) {
            chosen.extend(pass::CODE.iter().filter_map(|name| pass::find(name)));
        }
        chosen.retain(|pass| !self.disabled.contains(pass.name));
        chosen
    }
}

/// The code of a kernel at some point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// After which pass; `lower` or `emit` before the first of a stage.
    pub pass: &'static str,
    /// The form of the text: the intermediate representation or machine code.
    pub stage: Stage,
    /// The kernel.
    pub kernel: String,
    /// Its text.
    pub text: String,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// The program image.
    pub program: Program,
    /// Its kernels after the passes; empty functions in place of those that are not kept
    /// ([`Options::keep_ir`]).
    pub ir: Vec<Function>,
    /// By kernel and instruction: its value in `ir`, if it is just that. Nothing is known of
    /// kernels that are not kept, have two streams or convergence barriers.
    pub values: Vec<Vec<Option<Value>>>,
    /// By kernel: the properties that all launches in the program share, as far as the program
    /// shows them.
    pub launched: Vec<Launches>,
    /// By kernel: the facts about its loads, if it has a barrier.
    pub steady: Vec<Steady>,
    /// The reads of variables that have no value, in the order of kernels.
    pub unset: Vec<Unset>,
    /// Loops that `#pragma unroll` would make too large, in the order of kernels.
    pub unheeded: Vec<Unheeded>,
    /// The requested dumps, in the order in which they were made.
    pub dumps: Vec<Dump>,
    /// The reports on decoupling, by kernel, if requested.
    pub decoupled: Vec<Report>,
    /// By kernel: the most registers per thread that it was compiled for.
    pub register_limits: Vec<u32>,
}
