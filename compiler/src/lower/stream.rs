//! Machine code of one instruction stream: a whole kernel, or one of the two it is decoupled into.

use super::allocate::{self, BankedFile, FEWEST_REGISTERS};
use super::annotate::Claims;
use super::copies::Cycles;
use super::error::{LowerError, LowerErrorKind, Result, internal, nowhere};
use super::options::Options;
use super::{check, edges, emit, order, select, uniform};
use crate::analysis::live_ranges::LiveRanges;
use crate::analysis::{DominatorTree, Loops};
use crate::decouple::profit::Cost;
use crate::ir::{Function, Value};
use crate::pass::{Level, Rule};
use reconverge_isa::{CONSTANT_BASE, ControlPart, Instruction, LOCAL_BASE, Location};

/// The parts of a stream.
pub struct Source<'a> {
    /// A function without dead code.
    pub function: &'a Function,
    /// The claims about its branches and values.
    pub claims: &'a Claims,
    /// Literals that the constant bank holds already.
    pub literals: Vec<u32>,
    /// The rules that instruction selection uses.
    pub rules: Vec<Rule>,
}

/// The finished code of a function.
pub struct Stream {
    pub code: Vec<Instruction>,
    pub lines: Vec<Location>,
    /// By instruction: its value in the function, if it is just that.
    pub values: Vec<Option<Value>>,
    pub literals: Vec<u32>,
    pub registers: u32,
    pub predicates: u32,
    /// How many of the registers, the last ones, are uniform.
    pub uniform: u32,
    pub local_bytes: u32,
    pub cost: Cost,
}

/// Makes the machine code of a stream; `cycles` decides, given the number of registers in use, the
/// form of copies in a cycle.
pub fn generate(
    source: Source,
    options: &Options,
    cycles: impl Fn(u32) -> Cycles,
    watch: &mut dyn FnMut(&'static str),
) -> Result<Stream> {
    let mut function = source.function.clone();
    edges::split_critical_edges(&mut function);
    let dominators = DominatorTree::dominators(&function);
    let loops = Loops::new(&function, &dominators);
    let order = order::order(&function, &loops);
    watch("order");
    let Source { claims, literals, rules, .. } = source;
    let asked = select::Asked {
        sums: options.level != Level::Ptx,
        fuse: rules.contains(&Rule::Fuse),
        divide: rules.contains(&Rule::Divide),
    };
    let mut code = select::select(&function, &order, &dominators, &loops, claims, literals, asked);
    code.raw_spills = options.keep_unset;
    watch("select");
    let limit = options.register_limit(&function);
    let too_few = || {
        let (name, given) = (&function.name, limit);
        let needed = match given < FEWEST_REGISTERS {
            true => format!("{FEWEST_REGISTERS} are needed at least"),
            false => "this kernel needs more".to_owned(),
        };
        let message =
            format!("`{name}` cannot be compiled for {given} registers per thread; {needed}");
        LowerError::new(LowerErrorKind::Registers, nowhere(), message)
    };
    let live_ranges = LiveRanges::new(&function);
    let control = options.required().control_bits;
    if control.is_some_and(|it| it.uniform != 0 && it.does(ControlPart::Uniform)) {
        uniform::choose(&mut code, &function);
        watch("uniform");
    }
    let banked = control.filter(|control| control.does(ControlPart::Banks));
    let target = options.required();
    let unit = (target.register_granularity / target.warp_width.max(1)).max(1);
    let banked = banked.as_ref().map(|control| &control.latencies);
    let banked = banked.map(|latencies| BankedFile { latencies, unit });
    let allocation = allocate::allocate(&mut code, &live_ranges, limit, options.spill, banked)
        .ok_or_else(too_few)?;
    if options.verify {
        check::check(&code, &allocation).map_err(internal)?;
    }
    if code.local_bytes >= CONSTANT_BASE - LOCAL_BASE {
        let message = format!("`{}` needs more local memory than there is", function.name);
        return Err(LowerError::new(LowerErrorKind::Memory, nowhere(), message));
    }
    watch("allocate");
    let emitted = emit::emit(&code, &allocation, &function, claims, cycles(allocation.general));
    let (lines, [weight, in_loops]) = emitted.ok_or_else(too_few)?;
    watch("emit");
    let instructions: Vec<Instruction> =
        lines.iter().map(|(instruction, _)| *instruction).collect();
    let needed = instructions.iter().map(Instruction::registers_needed);
    let registers = needed.fold(allocation.general + allocation.uniform, u32::max);
    Ok(Stream {
        code: instructions,
        lines: lines.iter().map(|(_, (location, _))| *location).collect(),
        values: lines.iter().map(|(_, (_, value))| *value).collect(),
        literals: code.literals,
        registers,
        predicates: allocation.predicates,
        uniform: allocation.uniform,
        local_bytes: code.local_bytes,
        cost: Cost { weight, in_loops },
    })
}
