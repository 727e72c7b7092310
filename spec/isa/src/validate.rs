//! The rules that every program obeys, checked on the image itself. The assembler, the encoder and
//! the decoder all call this, so text, bytes and compiled code obey the same rules.

use std::collections::BTreeSet;
use std::fmt;

use crate::cache::CacheHints;
use crate::control_rules::{check_control_bits, check_depbar, check_wait};
use crate::hints::{LOOP_FIRST, LOOP_LAST};
use crate::instruction::*;
use crate::lane::ValueKind;
use crate::levels::check_placements;
use crate::program::*;
use crate::region_rules::check_regions;
use crate::streams::check_streams;
use crate::table::{Effect, Op};
use crate::uniform_rules::check_uniform;

/// The subject of a [`Fault`]. Indices count in the program's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A variable.
    Variable(usize),
    /// A kernel as a whole.
    Kernel(usize),
    /// A parameter of a kernel.
    Parameter {
        /// The kernel.
        kernel: usize,
        /// The parameter among its parameters.
        index: usize,
    },
    /// An instruction of a kernel.
    Instruction {
        /// The kernel.
        kernel: usize,
        /// The instruction in its code.
        index: usize,
    },
}

/// A rule that a program breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The place.
    pub place: Place,
    /// The broken rule, as a sentence without its place.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Variable(index) => write!(f, "variable {index}: ")?,
            Place::Kernel(index) => write!(f, "kernel {index}: ")?,
            Place::Parameter { kernel, index } => {
                write!(f, "kernel {kernel}, parameter {index}: ")?
            }
            Place::Instruction { kernel, index } => {
                write!(f, "kernel {kernel}, instruction {index}: ")?
            }
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

/// Every rule that the program breaks; empty for a good program.
pub fn validate(program: &Program) -> Vec<Fault> {
    let mut faults = Vec::new();
    check_variables(program, &mut faults);
    let mut names = BTreeSet::new();
    for (index, kernel) in program.kernels.iter().enumerate() {
        let mut report = |message| faults.push(Fault { place: Place::Kernel(index), message });
        if !names.insert(&kernel.name) {
            report(format!("another kernel is named `{}` too", kernel.name));
        }
        check_sizes(kernel, &mut report);
        let place = |parameter| Place::Parameter { kernel: index, index: parameter };
        check_parameters(kernel, &mut |parameter, message| {
            faults.push(Fault { place: place(parameter), message });
        });
        check_code(program, index, kernel, &mut faults);
    }
    faults
}

fn check_variables(program: &Program, faults: &mut Vec<Fault>) {
    let mut names = BTreeSet::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let mut report = |message| faults.push(Fault { place: Place::Variable(index), message });
        if !names.insert(&variable.name) {
            report(format!("another variable is named `{}` too", variable.name));
        }
        if variable.image.len() as u64 > u64::from(variable.size) {
            report(format!(
                "{} initial bytes do not fit its size of {}",
                variable.image.len(),
                variable.size
            ));
        }
        let start = u64::from(variable.address);
        let end = start + u64::from(variable.size);
        let within = |base: u32, limit: u32| start >= u64::from(base) && end <= u64::from(limit);
        if !within(CONSTANT_BASE, CONSTANT_BASE + CONSTANT_SIZE) && !within(GLOBAL_BASE, GLOBAL_END)
        {
            report(format!(
                "its bytes {start:#x} to {end:#x} lie neither in global nor in constant memory"
            ));
        }
    }
}

fn check_sizes(kernel: &Kernel, report: &mut impl FnMut(String)) {
    let mut at_most = |what: &str, value: u32, limit: u32| {
        if value > limit {
            report(format!("{value} {what}; there are at most {limit}"));
        }
    };
    at_most("registers", kernel.registers, REGISTERS as u32);
    at_most("predicates", kernel.predicates, PREDICATES as u32);
    let affine = kernel.affine.unwrap_or_default();
    at_most("registers in the affine stream", affine.registers, REGISTERS as u32);
    at_most("predicates in the affine stream", affine.predicates, PREDICATES as u32);
    at_most("bytes of shared memory", kernel.shared_bytes, WINDOW_SIZE);
    at_most("bytes of local memory", kernel.local_bytes, WINDOW_SIZE);
    if !kernel.parameter_bytes.is_multiple_of(4) {
        let bytes = kernel.parameter_bytes;
        report(format!("{bytes} bytes of parameters; they are whole words of 4 bytes"));
    }
    if constant_bytes(kernel) > u64::from(CONSTANT_SIZE) {
        report(format!(
            "{} bytes of parameters and literals; the constant bank holds {CONSTANT_SIZE}",
            constant_bytes(kernel)
        ));
    }
    if kernel.code.len() > MAX_CODE {
        report(format!("{} instructions; there are at most {MAX_CODE}", kernel.code.len()));
    }
    if kernel.lines.len() != kernel.code.len() {
        report(format!("{} locations for {} instructions", kernel.lines.len(), kernel.code.len()));
    }
}

/// Bytes of parameters and literals, in 64 bits because both are input.
fn constant_bytes(kernel: &Kernel) -> u64 {
    if kernel.literals.is_empty() {
        return u64::from(kernel.parameter_bytes);
    }
    u64::from(kernel.parameter_bytes).next_multiple_of(8) + 4 * kernel.literals.len() as u64
}

fn check_parameters(kernel: &Kernel, report: &mut impl FnMut(usize, String)) {
    let end = |parameter: &Parameter| u64::from(parameter.offset) + u64::from(parameter.size);
    for (index, parameter) in kernel.parameters.iter().enumerate() {
        if end(parameter) > u64::from(kernel.parameter_bytes) {
            report(
                index,
                format!(
                    "parameter `{}` does not fit the {} parameter bytes",
                    parameter.name, kernel.parameter_bytes
                ),
            );
        }
    }
    // Parameters that begin earlier are first; one without bytes overlaps nothing.
    let parameters = kernel.parameters.iter().enumerate();
    let mut sorted: Vec<_> = parameters.filter(|(_, parameter)| parameter.size != 0).collect();
    sorted.sort_by_key(|(_, parameter)| parameter.offset);
    let mut before: Option<&Parameter> = None;
    for (index, parameter) in sorted {
        match before {
            Some(other) if end(other) > u64::from(parameter.offset) => report(
                index,
                format!(
                    "parameter `{}` begins at byte {}, but `{}` has bytes {} to {}",
                    parameter.name,
                    parameter.offset,
                    other.name,
                    other.offset,
                    end(other) - 1
                ),
            ),
            _ => {}
        }
        before = before.filter(|other| end(other) > end(parameter)).or(Some(parameter));
    }
}

fn check_code(program: &Program, number: usize, kernel: &Kernel, faults: &mut Vec<Fault>) {
    for (index, instruction) in kernel.code.iter().enumerate() {
        let place = Place::Instruction { kernel: number, index };
        let mut report = |message| faults.push(Fault { place, message });
        check_shape(instruction, &mut report);
        check_in_kernel(kernel, index, instruction, &mut report);
        let location = kernel.lines.get(index).copied().unwrap_or_default();
        if location.line != 0 && location.file as usize >= program.files.len() {
            report(format!("its location names file {}", location.file));
        }
    }
    let starts = std::iter::once(0).chain(kernel.affine.map(|affine| affine.entry as usize));
    for index in falls_off(&kernel.code, starts) {
        let place = Place::Instruction { kernel: number, index };
        faults.push(Fault {
            place,
            message: "control runs past the last instruction; end the path with `exit`".into(),
        });
    }
    let mut report = |index, message| {
        let place = match index {
            Some(index) => Place::Instruction { kernel: number, index },
            None => Place::Kernel(number),
        };
        faults.push(Fault { place, message });
    };
    check_streams(kernel, &mut report);
    check_placements(kernel, &mut report);
    check_regions(kernel, &mut report);
    check_control_bits(kernel, &mut report);
    check_uniform(kernel, &mut report);
    if kernel.record.long_lived > kernel.registers {
        report(None, "more registers live long than there are".into());
    }
    if kernel.code.is_empty() {
        faults.push(Fault {
            place: Place::Kernel(number),
            message: "it has no code; the least is `exit`".into(),
        });
    }
}

/// The rules that need the kernel: entities that an instruction names must exist.
fn check_in_kernel(
    kernel: &Kernel,
    index: usize,
    instruction: &Instruction,
    report: &mut impl FnMut(String),
) {
    let stream = kernel.affine.filter(|affine| index >= affine.entry as usize);
    let (registers, predicates, whose) = match stream {
        Some(affine) => (affine.registers, affine.predicates, "affine stream"),
        None => (kernel.registers, kernel.predicates, "kernel"),
    };
    let needed = instruction.registers_needed();
    if needed > registers {
        report(format!("r{} is used, but the {whose} has {registers} registers", needed - 1));
    }
    let needed = instruction.predicates_needed();
    if needed > predicates {
        report(format!("p{} is used, but the {whose} has {predicates} predicates", needed - 1));
    }
    if let Some((first, last)) = instruction.hints.around()
        && !(first as usize..=last as usize).contains(&index)
    {
        report("the loop of the load does not go around it".into());
    }
    if instruction.hints.places().any(|at| at as usize >= kernel.code.len()) {
        report("a hint names an instruction outside the kernel".into());
    }
    if instruction.has_target() {
        let points = [
            ("target", Some(instruction.target)),
            ("reconvergence point", instruction.annotations.reconverge),
        ];
        for (what, point) in points {
            if point.is_some_and(|point| point as usize >= kernel.code.len()) {
                report(format!("the {what} lies outside the kernel"));
            }
        }
    }
    if instruction.op.row().effect == Effect::Bssy
        && let Some(meet) = kernel.code.get(instruction.target as usize)
        && (meet.op.row().effect != Effect::Bsync || meet.barrier != instruction.barrier)
    {
        report(format!("the target is not `bsync b{}`", instruction.barrier));
    }
    for end in constant_ends(instruction) {
        if u64::from(end) > constant_bytes(kernel) {
            report(format!(
                "constant bytes up to {end} are read, but parameters and literals end at {}",
                constant_bytes(kernel)
            ));
        }
    }
}

/// The ends of an instruction's constant operands in the bank.
pub(crate) fn constant_ends(instruction: &Instruction) -> impl Iterator<Item = u32> + '_ {
    let sources = instruction.sources.iter().enumerate();
    sources.filter_map(|(index, operand)| match operand {
        Operand::Const(offset) => {
            let words = instruction.source_kind(index)?.registers().max(1);
            Some(u32::from(*offset) + 4 * u32::from(words))
        }
        _ => None,
    })
}

/// The reachable instructions after which control would run past the end.
fn falls_off(code: &[Instruction], starts: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut reached = vec![false; code.len()];
    let mut faults = Vec::new();
    let mut work: Vec<usize> = starts.collect();
    while let Some(index) = work.pop() {
        let Some(instruction) = code.get(index) else {
            continue;
        };
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        let effect = instruction.op.row().effect;
        if effect == Effect::Branch {
            work.push(instruction.target as usize);
        }
        let goes_on =
            instruction.is_conditional() || !matches!(effect, Effect::Branch | Effect::Exit);
        if goes_on && index + 1 == code.len() {
            faults.push(index);
        } else if goes_on {
            work.push(index + 1);
        }
    }
    faults
}

/// The rules of an instruction by itself: operands fit the row, unused fields are empty.
pub(crate) fn check_shape(instruction: &Instruction, report: &mut impl FnMut(String)) {
    check_dest(instruction, report);
    for index in 0..instruction.sources.len() {
        check_source(instruction, index, report);
    }
    let immediates = instruction.sources.iter().filter(|operand| {
        matches!(operand, Operand::Imm(_) | Operand::Const(_) | Operand::Special(_))
    });
    if immediates.count() > 1 {
        report("more than one source is an immediate or a constant".into());
    }
    if let Some(guard) = instruction.guard {
        check_predicate(guard.predicate, report);
    }
    check_memory(instruction, report);
    check_barrier(instruction, report);
    check_depbar(instruction, report);
    check_wait(instruction, report);
    check_site(instruction, report);
    check_annotations(instruction, report);
}

fn check_barrier(instruction: &Instruction, report: &mut impl FnMut(String)) {
    if instruction.has_barrier() {
        if instruction.barrier >= BARRIERS {
            report(format!("convergence barriers end at b{}", BARRIERS - 1));
        }
        if instruction.guard.is_some() {
            report("`bssy` and `bsync` take no guard".into());
        }
    } else if instruction.barrier != 0 && !instruction.has_counter() {
        report("only `bssy` and `bsync` have a convergence barrier".into());
    }
}

fn check_register(register: Reg, kind: ValueKind, report: &mut impl FnMut(String)) {
    if kind.registers() == 2 && !register.0.is_multiple_of(2) {
        report(format!("r{} begins a pair, but pairs begin at even registers", register.0));
    } else if kind.registers() == 4 && !register.0.is_multiple_of(4) {
        report(format!("r{} begins four registers, but those begin at multiples of 4", register.0));
    } else if usize::from(register.0) + usize::from(kind.registers()) > REGISTERS {
        report(format!("registers end at r{}", REGISTERS - 1));
    }
}

fn check_predicate(predicate: Pred, report: &mut impl FnMut(String)) {
    if usize::from(predicate.0) >= PREDICATES {
        report(format!("predicates end at p{}", PREDICATES - 1));
    }
}

fn check_dest(instruction: &Instruction, report: &mut impl FnMut(String)) {
    // A load of a volatile object is made for its own sake, and lanes elsewhere may wait for a
    // vote or shuffle.
    let may_drop = matches!(
        instruction.op.row().effect,
        Effect::Load
            | Effect::Atomic
            | Effect::Barrier
            | Effect::CountedBarrier
            | Effect::Collective
    );
    match (instruction.result_kind(), instruction.dest) {
        (None, Dest::None) => {}
        (None, _) => report("it has no result".into()),
        (Some(_), Dest::None) if may_drop => {}
        (Some(_), Dest::None) => report(
            "its result goes nowhere; only that of an access to memory, a barrier or a vote may"
                .into(),
        ),
        (Some(ValueKind::Predicate), Dest::Pred(predicate)) => check_predicate(predicate, report),
        (Some(ValueKind::Predicate), _) => report("its result is a predicate".into()),
        (Some(kind), Dest::Reg(register)) => check_register(register, kind, report),
        (Some(_), Dest::Pred(_)) => report("its result is a register".into()),
    }
}

fn check_source(instruction: &Instruction, index: usize, report: &mut impl FnMut(String)) {
    let operand = instruction.sources[index];
    if let Operand::Dequeue { queue, site, negated } = operand {
        check_dequeue(instruction, index, queue, negated, report);
        return check_site_number(site, report);
    }
    let Some(kind) = instruction.source_kind(index) else {
        if operand != Operand::None {
            report(format!("it has no source {index}"));
        }
        return;
    };
    match (kind, operand) {
        (_, Operand::None) => report(format!("source {index} is missing")),
        (ValueKind::Predicate, Operand::Pred { predicate, .. }) => {
            check_predicate(predicate, report)
        }
        (ValueKind::Predicate, _) => report(format!("source {index} must be a predicate")),
        (_, Operand::Pred { .. }) => report(format!("source {index} cannot be a predicate")),
        (_, Operand::Reg(register)) => check_register(register, kind, report),
        (ValueKind::Quad, Operand::Const(_) | Operand::Imm(_) | Operand::Special(_)) => {
            report(format!("source {index} must be four registers"))
        }
        (_, Operand::Const(offset)) if !offset.is_multiple_of(4) => {
            report(format!("constant offset {offset} is not a multiple of 4"))
        }
        (_, Operand::Special(_)) if instruction.op != Op::Mov => {
            report("only mov.b32 reads a special value".into())
        }
        (_, Operand::Const(_) | Operand::Imm(_) | Operand::Special(_)) => {}
        (_, Operand::Dequeue { .. }) => {}
    }
}

fn check_memory(instruction: &Instruction, report: &mut impl FnMut(String)) {
    let effect = instruction.op.row().effect;
    let memory = instruction.has_address();
    if memory && !(MIN_OFFSET..=MAX_OFFSET).contains(&instruction.offset) {
        report(format!(
            "the offset {} does not lie between {MIN_OFFSET} and {MAX_OFFSET}",
            instruction.offset
        ));
    }
    if !memory && (instruction.offset != 0 || instruction.space != Space::Generic) {
        report("it does not access memory, but has a space or an offset".into());
    }
    let in_register = matches!(instruction.sources[0], Operand::Reg(_));
    if instruction.pair_address && !(instruction.is_memory() && in_register) {
        report("only a load, store or atomic can have a pair of registers as its address".into());
    }
    if instruction.dequeues().is_some() && instruction.offset != 0 {
        report("an address from a queue takes no offset; it is enqueued with it".into());
    }
    if !instruction.has_width() && instruction.width != Width::B32 {
        report("only loads, stores and enqueued addresses have a width".into());
    }
    if matches!(effect, Effect::Store | Effect::Atomic) && instruction.space == Space::Constant {
        report("constant memory cannot be written".into());
    }
    if instruction.op.is_matrix_access() {
        check_matrix_access(instruction, report);
    }
}

/// The rules of loads and stores of matrices.
fn check_matrix_access(instruction: &Instruction, report: &mut impl FnMut(String)) {
    if (instruction.space, instruction.width) != (Space::Shared, Width::B128) {
        report("rows of matrices are `.shared.b128`".into());
    }
    let Annotations { volatile, raw, cache, .. } = instruction.annotations;
    if instruction.pair_address || volatile || raw || cache != CacheHints::NONE {
        report("a load or store of matrices has an address of a word, and no hints".into());
    }
    if instruction.guard.is_some() {
        report("all lanes load and store matrices together, without a guard".into());
    }
    if instruction.dequeues().is_some() {
        report("the address of a row of a matrix comes from no queue".into());
    }
}

/// The rules of operands from a queue.
fn check_dequeue(
    instruction: &Instruction,
    index: usize,
    queue: Queue,
    negated: bool,
    report: &mut impl FnMut(String),
) {
    let effect = instruction.op.row().effect;
    let fits = index == 0
        && match queue {
            Queue::Data => effect == Effect::Load,
            Queue::Address => instruction.is_memory(),
            Queue::Predicate => effect == Effect::Branch || instruction.op == Op::MovPred,
        };
    if !fits {
        report(match queue {
            Queue::Data => "only the address of a load can be `deq.data`".into(),
            Queue::Address => {
                "only the address of a load, store or atomic can be `deq.addr`".into()
            }
            Queue::Predicate => "only `bra` and `mov.pred` read `deq.pred`".into(),
        });
    }
    if negated && queue != Queue::Predicate {
        report("only a predicate has a complement".into());
    }
    if instruction.guard.is_some() {
        report("an instruction that dequeues takes no guard".into());
    }
}

/// The rules of a site by itself.
fn check_site(instruction: &Instruction, report: &mut impl FnMut(String)) {
    match (instruction.op.row().effect, instruction.site) {
        (Effect::Enqueue | Effect::Barrier, Some(site)) => check_site_number(site, report),
        (Effect::Enqueue, None) => report("it enqueues for no site".into()),
        (_, Some(_)) => report("only what enqueues and barriers have a site".into()),
        (_, None) => {}
    }
}

fn check_site_number(site: u8, report: &mut impl FnMut(String)) {
    if usize::from(site) >= SITES {
        report(format!("sites end at {}", SITES - 1));
    }
}

fn check_annotations(instruction: &Instruction, report: &mut impl FnMut(String)) {
    let Annotations { reconverge, last_read, class, uniform, taint, volatile, raw, cache } =
        instruction.annotations;
    let branch = instruction.op.row().effect == Effect::Branch;
    let claims = reconverge.is_some() || uniform || taint != BranchTaint::Unknown;
    if !branch && claims {
        report("only branches have a reconvergence point, `!uni`, `!P` or `!D`".into());
    }
    if volatile && !matches!(instruction.op.row().effect, Effect::Load | Effect::Store) {
        report("only loads and stores are `!volatile`".into());
    }
    if raw && !matches!(instruction.op.row().effect, Effect::Load | Effect::Store) {
        report("only loads and stores are `!raw`".into());
    }
    let suits = match instruction.op.row().effect {
        Effect::Load => cache.suit_loads(),
        Effect::Store => cache.suit_stores(),
        _ => cache == CacheHints::NONE,
    };
    if !suits {
        let names: Vec<&str> = cache.names().collect();
        report(format!("it cannot have the cache hints `{}`", names.join(",")));
    }
    for (hint, _) in instruction.hints.iter() {
        if hint.loads_only && instruction.op.row().effect != Effect::Load {
            report(format!("only loads have `!hint {}`", hint.name));
        }
    }
    let ends = [&LOOP_FIRST, &LOOP_LAST].map(|hint| instruction.hints.get(hint).is_some());
    if ends[0] != ends[1] {
        report("`!hint loop-first` and `!hint loop-last` need each other".into());
    }
    if !instruction.has_target() && instruction.target != 0 {
        report("only branches and `bssy` have a target".into());
    }
    if class != ValueClass::Unknown && instruction.result_kind().is_none() {
        report("it has no result that could be uniform or affine".into());
    }
    for bit in 0..8 {
        let source = instruction.sources.get(bit).copied().unwrap_or_default();
        let register = matches!(source, Operand::Reg(_) | Operand::Pred { .. });
        if last_read >> bit & 1 != 0 && !register {
            report(format!("source {bit} is no register to be read last"));
        }
    }
}
