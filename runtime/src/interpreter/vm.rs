//! The machine that runs bytecode: host code and threads of kernels alike.
//!
//! All state of a suspended thread is in [`Thread`], so it waits for others by returning.

use super::arithmetic::{f32_of, f64_of, float_to_int, slot_f32, slot_f64};
use super::atomic;
use super::bytecode::{Code, Function, Inst, LibraryCall, Op};
use super::collective::{Collective, MOST_ARGUMENTS};
use super::environment::{Environment, Interrupt};
use super::kind::Kind;
use super::math;
use super::objects;
use super::reconvergence::Regions;
use super::sort::{self, Trouble};
use super::unused;
use crate::host::report::Report;
use reconverge_compiler::check::builtin::TABLE;

/// How deep comparisons may sort within comparisons.
const SORTING: u32 = 16;
/// Slots that an instruction can name: operands of 16 bits need no bounds check in this window.
const WINDOW: usize = 1 << 16;
/// What a call costs in operations.
const CALL_COST: i64 = 16;
/// Callers that a report names.
const TRACE: usize = 8;

/// A caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Frame {
    return_pc: u32,
    base: u32,
    stack: u32,
}

/// A flow of control.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    pc: u32,
    /// Where the window of the running function starts.
    base: u32,
    /// First free byte of stack memory.
    stack: u32,
    frames: Vec<Frame>,
    /// How many calls of `qsort` and `bsearch` this is inside.
    sorting: u32,
    /// The regions that it is inside.
    regions: Regions,
    /// The slots, while another thread is running.
    saved: Vec<u64>,
}

/// Why a thread stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It returned; with the value, if it has one.
    Finished(u64),
    /// It waits for others, and goes on after the call when it has its result.
    Wait(Collective),
    /// It waits at the reconvergence point of its innermost region.
    Reconverge,
    /// It used up its operations.
    Budget,
    /// It cannot go on.
    Interrupt(Interrupt),
}

/// The slots of the running thread.
#[derive(Clone, Debug)]
pub struct Registers {
    slots: Vec<u64>,
}

impl Registers {
    /// Room for frames of `slots` slots in all.
    pub fn new(slots: usize) -> Self {
        Registers { slots: vec![0; slots + WINDOW] }
    }

    fn window(&mut self, base: u32) -> Option<&mut [u64; WINDOW]> {
        self.slots.get_mut(base as usize..)?.first_chunk_mut()
    }
}

impl Thread {
    /// Prepares a call of a function; its stack memory starts at `stack`.
    pub fn start(
        &mut self,
        code: &Code,
        function: usize,
        arguments: &[u64],
        stack: u32,
        registers: &mut Registers,
        env: &impl Environment,
    ) {
        let Some(function) = code.functions.get(function) else {
            return;
        };
        self.pc = function.entry;
        self.base = 0;
        self.stack = stack;
        self.frames.clear();
        self.regions = Regions::default();
        self.saved.clear();
        let parameters = function.parameters as usize;
        let template = env.template(function.template.clone());
        let slots = &mut registers.slots;
        slots[..parameters].fill(0);
        for (slot, argument) in slots.iter_mut().zip(arguments) {
            *slot = *argument;
        }
        slots[parameters..parameters + template.len()].copy_from_slice(template);
        // Two runs of one thread must not differ in slots that were never written.
        let from = parameters + template.len();
        slots[from..from.max(function.slots as usize)].fill(0);
    }

    /// Keeps the slots while others run.
    pub fn save(&mut self, code: &Code, registers: &Registers) {
        let slots = code.function_at(self.pc).map_or(0, |f| f.slots as usize);
        let used = (self.base as usize + slots).min(registers.slots.len());
        self.saved.clear();
        self.saved.extend_from_slice(&registers.slots[..used]);
    }

    /// Puts the slots back.
    pub fn restore(&self, registers: &mut Registers) {
        registers.slots[..self.saved.len()].copy_from_slice(&self.saved);
    }

    /// The arguments of the call that it waits at; it has been saved.
    pub fn arguments(&self, call: Collective) -> [u64; MOST_ARGUMENTS] {
        let mut arguments = self.saved.get(call.slot as usize..).unwrap_or(&[]).iter();
        std::array::from_fn(|_| arguments.next().copied().unwrap_or(0))
    }

    /// Gives the call its result; it has been saved.
    pub fn answer(&mut self, call: Collective, result: u64) {
        if let Some(slot) = self.saved.get_mut(call.slot as usize) {
            *slot = result;
        }
    }

    /// Where it is: what its callers go on with, outermost first, then its own next instruction.
    pub fn place(&self) -> Vec<u32> {
        let callers = self.frames.iter().map(|frame| frame.return_pc);
        callers.chain([self.pc]).collect()
    }

    /// The next instruction.
    pub fn pc(&self) -> u32 {
        self.pc
    }

    /// The regions that it is inside.
    pub fn regions(&self) -> &Regions {
        &self.regions
    }

    /// Leaves the innermost region.
    pub fn reconverge(&mut self) {
        self.regions.leave();
    }
}

/// The report of something that went wrong at an instruction, with the callers.
fn place(code: &Code, thread: &Thread, pc: u32, mut report: Report) -> Report {
    report.span = report.span.or(code.span(pc));
    if report.function.is_none() {
        report.function = code.function_at(pc).map(|f| f.name.clone());
    }
    for frame in thread.frames.iter().rev().take(TRACE) {
        if let Some(span) = code.span(frame.return_pc.saturating_sub(1)) {
            report.labels.push((span, "called from here".to_owned()));
        }
    }
    let more = thread.frames.len().saturating_sub(TRACE);
    if more > 0 {
        report.notes.push(format!("and {more} more calls"));
    }
    report
}

#[cold]
#[inline(never)]
fn trap(code: &Code, thread: &Thread, pc: u32, report: Report) -> Stop {
    Stop::Interrupt(Interrupt::trap(place(code, thread, pc, report)))
}

#[cold]
#[inline(never)]
fn fault(
    code: &Code,
    thread: &Thread,
    pc: u32,
    env: &impl Environment,
    (address, size, write): (u32, u64, bool),
) -> Stop {
    let fault = env.explain(address, size, write);
    let mut report = Report::new(fault.message).with_code(fault.code);
    report.help = objects::help(code, pc).or(fault.help);
    report.labels.extend(fault.allocation);
    trap(code, thread, pc, report)
}

#[cold]
#[inline(never)]
fn interrupted(code: &Code, thread: &Thread, pc: u32, interrupt: Interrupt) -> Stop {
    let Interrupt::Failure(mut failure) = interrupt else {
        return Stop::Interrupt(interrupt);
    };
    let report = failure.report_mut();
    // A kernel's failure has its own place; the host's gets that of the call.
    if report.kernel.is_none() {
        *report = place(code, thread, pc, std::mem::take(report));
    } else if let Some(span) = code.span(pc) {
        report.labels.push((span, "launched here".to_owned()));
    }
    Stop::Interrupt(Interrupt::Failure(failure))
}

/// Whether nothing depends on the value of an instruction of the running function.
#[cold]
#[inline(never)]
fn nothing_depends(code: &Code, thread: &Thread, pc: u32) -> bool {
    let callers = thread.frames.iter().map(|frame| frame.return_pc);
    unused::is_unused(code, &callers.chain([pc]).collect::<Vec<_>>())
}

#[cold]
#[inline(never)]
fn exhausted(code: &Code, thread: &Thread, pc: u32) -> Stop {
    let function = code.function_at(pc).map_or("?", |f| f.name.as_str());
    let depth = thread.frames.len();
    let (message, help) = if depth == 0 {
        let message = format!("stack exhausted in '{function}': its local variables do not fit");
        (message, "allocate large arrays with `malloc`, or declare them `static`")
    } else {
        let message = format!("stack exhausted in '{function}', {depth} calls deep");
        (message, "look for recursion that does not end, or for very large local variables")
    };
    trap(code, thread, pc, Report::new(message).with_help(help))
}

/// `qsort` or `bsearch`, its arguments in the slots from `first` on: every comparison is a run of
/// its own, in the slots after them.
#[cold]
#[inline(never)]
fn sorting<E: Environment>(
    code: &Code,
    registers: &mut Registers,
    thread: &Thread,
    env: &mut E,
    left: &mut i64,
    (call, first): (&LibraryCall, usize),
) -> Result<u64, Stop> {
    let here = thread.pc.saturating_sub(1);
    if thread.sorting >= SORTING {
        let message = format!("comparisons that sort within comparisons, {SORTING} deep");
        return Err(trap(code, thread, here, Report::new(message)));
    }
    let start = thread.base as usize + first;
    let mut arguments = [0; sort::MOST_ARGUMENTS];
    let slots = registers.slots.get(start..start + call.arguments.len()).unwrap_or(&[]);
    arguments[..slots.len()].copy_from_slice(slots);
    let Some(function) = code.functions.get(sort::comparison(call.builtin, &arguments)) else {
        return Ok(0);
    };
    let base = (start + call.arguments.len()) as u32;
    let mut compare = |env: &mut E, one: u32, other: u32| {
        let mut inner = Thread {
            pc: function.entry,
            base,
            stack: thread.stack,
            sorting: thread.sorting + 1,
            ..Thread::default()
        };
        let Some(w) = registers.window(base) else {
            return Err(exhausted(code, thread, function.entry));
        };
        (w[0], w[1]) = (one.into(), other.into());
        fill(w, function, env);
        // A comparison cannot be taken up again later: it gets all that is left.
        let reserve = env.set_reserve(0);
        let given = left.saturating_add(reserve).saturating_sub(CALL_COST);
        let mut budget = given;
        let stop = run(code, registers, &mut inner, env, &mut budget);
        env.set_reserve(reserve);
        *left -= CALL_COST + given - budget;
        match stop {
            Stop::Finished(value) => Ok(value as i32),
            Stop::Interrupt(Interrupt::Failure(mut failure)) => {
                if let Some(span) = code.span(here) {
                    failure.report_mut().labels.push((span, "called from here".to_owned()));
                }
                Err(Stop::Interrupt(Interrupt::Failure(failure)))
            }
            other => Err(other),
        }
    };
    let mut done = sort::run(call.builtin, &arguments, env, &mut compare);
    while matches!(done, Err(Trouble::Fault(_))) && env.noticed(code.span(here)) {
        done = sort::run(call.builtin, &arguments, env, &mut compare);
    }
    match done {
        Ok(value) => Ok(value),
        Err(Trouble::Fault(access)) => Err(fault(code, thread, here, env, access)),
        Err(Trouble::Stop(Stop::Interrupt(interrupt))) => {
            Err(interrupted(code, thread, here, interrupt))
        }
        Err(Trouble::Stop(stop)) => Err(stop),
    }
}

/// The address of an element.
#[inline(always)]
fn element(base: u64, index: u64, stride: u32, offset: u32) -> u32 {
    (base as u32).wrapping_add((index as u32).wrapping_mul(stride)).wrapping_add(offset)
}

/// `<`; its negation is not `>=`, because of NaN.
/// What a shift gives by the count in `register`'s low 32 bits: nothing is left beyond `most`.
#[inline(always)]
fn shifted<T: Default>(register: u64, most: u32, shift: impl Fn(u32) -> T) -> T {
    let count = register as u32;
    if count > most { T::default() } else { shift(count) }
}

#[inline(always)]
fn is_less<T: PartialOrd>(left: T, right: T) -> bool {
    left < right
}

/// The meaning of `<=`.
#[inline(always)]
fn is_at_most<T: PartialOrd>(left: T, right: T) -> bool {
    left <= right
}

/// One of the operations that trap on a zero divisor; `None` is the trap.
#[inline(always)]
fn divide(op: Op, left: u64, right: u64) -> Option<u64> {
    if right == 0 {
        return None;
    }
    let (signed, by) = (left as i64, right as i64);
    Some(match op {
        Op::DivI32 => (left as i32).wrapping_div(right as i32) as u64,
        Op::RemI32 => (left as i32).wrapping_rem(right as i32) as u64,
        Op::DivI64 => signed.wrapping_div(by) as u64,
        Op::RemI64 => signed.wrapping_rem(by) as u64,
        Op::DivU => left / right,
        _ => left % right,
    })
}

/// Gives the variables of a function their first values.
fn fill(w: &mut [u64; WINDOW], function: &Function, env: &impl Environment) {
    let template = env.template(function.template.clone());
    let from = function.parameters as usize;
    if let Some(slots) = w.get_mut(from..from + template.len()) {
        slots.copy_from_slice(template);
    }
}

/// Runs a thread until it stops, at latest when `budget` operations are used up. A straight piece
/// of code counts when it is jumped back over, so a stop can be late by the length of a function.
#[expect(clippy::too_many_lines, reason = "a table: a case for each operation of the bytecode")]
pub fn run<E: Environment>(
    code: &Code,
    registers: &mut Registers,
    thread: &mut Thread,
    env: &mut E,
    budget: &mut i64,
) -> Stop {
    let mut left = *budget;
    let mut pc = thread.pc;
    let instructions = code.instructions.as_slice();
    let Some(mut w) = registers.window(thread.base) else {
        return exhausted(code, thread, pc);
    };

    macro_rules! stop {
        ($stop:expr) => {{
            thread.pc = pc;
            *budget = left;
            return $stop;
        }};
    }
    loop {
        let Some(inst @ &Inst { op, a, b, c, x, y }) = instructions.get(pc as usize) else {
            let report = Report::new("the interpreter ran off its code; this is our mistake");
            stop!(trap(code, thread, pc, report))
        };
        let (a, b, c) = (a as usize, b as usize, c as usize);
        pc = pc.wrapping_add(1);

        macro_rules! int32 {
            ($method:ident) => {
                w[a] = (w[b] as i32).$method(w[c] as i32) as u64
            };
        }
        macro_rules! uint32 {
            ($method:ident) => {
                w[a] = (w[b] as u32).$method(w[c] as u32) as u64
            };
        }
        macro_rules! f32s {
            ($operator:tt) => {
                w[a] = slot_f32(f32_of(w[b]) $operator f32_of(w[c]))
            };
        }
        macro_rules! f64s {
            ($operator:tt) => {
                w[a] = slot_f64(f64_of(w[b]) $operator f64_of(w[c]))
            };
        }
        macro_rules! jump {
            ($taken:expr) => {
                if $taken {
                    pc = x;
                    left -= y as i64;
                    if left < 0 {
                        stop!(Stop::Budget)
                    }
                }
            };
        }
        // An access has failed, or is to be made again.
        macro_rules! failed {
            ($access:expr) => {{
                if !env.noticed(code.span(pc - 1)) {
                    stop!(fault(code, thread, pc - 1, env, $access))
                }
                pc -= 1;
                continue;
            }};
        }
        macro_rules! load {
            ($address:expr, $size:literal, $value:expr) => {{
                let address = $address;
                match env.load::<$size>(address) {
                    Some(bytes) => w[a] = $value(bytes),
                    None if env.is_device() && nothing_depends(code, thread, pc - 1) => w[a] = 0,
                    None => failed!((address, $size, false)),
                }
            }};
        }
        macro_rules! store {
            ($address:expr, $size:literal, $type:ty) => {{
                let address = $address;
                if env.store::<$size>(address, (w[a] as $type).to_le_bytes()).is_none() {
                    failed!((address, $size, true))
                }
            }};
        }
        macro_rules! plain {
            () => {
                (w[b] as u32).wrapping_add(y)
            };
        }
        macro_rules! indexed {
            () => {
                element(w[b], w[c], x, y)
            };
        }
        let i8s = |bytes| i8::from_le_bytes(bytes) as u64;
        let u8s = |bytes| u8::from_le_bytes(bytes) as u64;
        let i16s = |bytes| i16::from_le_bytes(bytes) as u64;
        let u16s = |bytes| u16::from_le_bytes(bytes) as u64;
        let i32s = |bytes| i32::from_le_bytes(bytes) as u64;
        let u32s = |bytes| u32::from_le_bytes(bytes) as u64;
        let pointers = |bytes| u64::from_le_bytes(bytes) as u32 as u64;

        match op {
            Op::Move => w[a] = w[b],
            Op::Const => w[a] = (y as u64) << 32 | x as u64,
            Op::AddI32 => int32!(wrapping_add),
            Op::AddU32 => uint32!(wrapping_add),
            Op::Add64 => w[a] = w[b].wrapping_add(w[c]),
            Op::SubI32 => int32!(wrapping_sub),
            Op::SubU32 => uint32!(wrapping_sub),
            Op::Sub64 => w[a] = w[b].wrapping_sub(w[c]),
            Op::MulI32 => int32!(wrapping_mul),
            Op::MulU32 => uint32!(wrapping_mul),
            Op::Mul64 => w[a] = w[b].wrapping_mul(w[c]),
            Op::DivI32 | Op::DivU | Op::DivI64 | Op::RemI32 | Op::RemU | Op::RemI64 => {
                match divide(op, w[b], w[c]) {
                    Some(value) => w[a] = value,
                    None if env.is_device() && nothing_depends(code, thread, pc - 1) => w[a] = 0,
                    None if env.noticed(code.span(pc - 1)) => pc -= 1,
                    None => {
                        let report = Report::new("integer division by zero");
                        stop!(trap(code, thread, pc - 1, report))
                    }
                }
            }
            Op::And => w[a] = w[b] & w[c],
            Op::Or => w[a] = w[b] | w[c],
            Op::Xor => w[a] = w[b] ^ w[c],
            Op::ShlI32 => w[a] = shifted(w[c], 31, |count| (w[b] as i32) << count) as u64,
            Op::ShlU32 => w[a] = shifted(w[c], 31, |count| (w[b] as u32) << count) as u64,
            Op::Shl64 => w[a] = shifted(w[c], 63, |count| w[b] << count),
            Op::ShrI32 => w[a] = ((w[b] as i32) >> (w[c] as u32).min(31)) as u64,
            Op::ShrU32 => w[a] = shifted(w[c], 31, |count| (w[b] as u32) >> count) as u64,
            Op::ShrI64 => w[a] = ((w[b] as i64) >> (w[c] as u32).min(63)) as u64,
            Op::ShrU64 => w[a] = shifted(w[c], 63, |count| w[b] >> count),
            Op::NegI32 => w[a] = (w[b] as i32).wrapping_neg() as u64,
            Op::NegU32 => w[a] = (w[b] as u32).wrapping_neg() as u64,
            Op::Neg64 => w[a] = w[b].wrapping_neg(),
            Op::Not64 => w[a] = !w[b],
            Op::NotU32 => w[a] = !w[b] as u32 as u64,

            Op::AddF32 => f32s!(+),
            Op::SubF32 => f32s!(-),
            Op::MulF32 => f32s!(*),
            Op::DivF32 => f32s!(/),
            Op::NegF32 => w[a] = (w[b] ^ 1 << 31) as u32 as u64,
            Op::AddF64 => f64s!(+),
            Op::SubF64 => f64s!(-),
            Op::MulF64 => f64s!(*),
            Op::DivF64 => f64s!(/),
            Op::NegF64 => w[a] = w[b] ^ 1 << 63,

            Op::Eq => w[a] = (w[b] == w[c]) as u64,
            Op::Ne => w[a] = (w[b] != w[c]) as u64,
            Op::LtS => w[a] = ((w[b] as i64) < w[c] as i64) as u64,
            Op::LeS => w[a] = (w[b] as i64 <= w[c] as i64) as u64,
            Op::LtU => w[a] = (w[b] < w[c]) as u64,
            Op::LeU => w[a] = (w[b] <= w[c]) as u64,
            Op::EqF32 => w[a] = (f32_of(w[b]) == f32_of(w[c])) as u64,
            Op::NeF32 => w[a] = (f32_of(w[b]) != f32_of(w[c])) as u64,
            Op::LtF32 => w[a] = (f32_of(w[b]) < f32_of(w[c])) as u64,
            Op::LeF32 => w[a] = (f32_of(w[b]) <= f32_of(w[c])) as u64,
            Op::EqF64 => w[a] = (f64_of(w[b]) == f64_of(w[c])) as u64,
            Op::NeF64 => w[a] = (f64_of(w[b]) != f64_of(w[c])) as u64,
            Op::LtF64 => w[a] = (f64_of(w[b]) < f64_of(w[c])) as u64,
            Op::LeF64 => w[a] = (f64_of(w[b]) <= f64_of(w[c])) as u64,

            Op::Ext8S => w[a] = w[b] as i8 as u64,
            Op::Ext8U => w[a] = w[b] as u8 as u64,
            Op::Ext16S => w[a] = w[b] as i16 as u64,
            Op::Ext16U => w[a] = w[b] as u16 as u64,
            Op::Ext32S => w[a] = w[b] as i32 as u64,
            Op::Ext32U => w[a] = w[b] as u32 as u64,
            Op::SToF32 => w[a] = slot_f32(w[b] as i64 as f32),
            Op::UToF32 => w[a] = slot_f32(w[b] as f32),
            Op::SToF64 => w[a] = slot_f64(w[b] as i64 as f64),
            Op::UToF64 => w[a] = slot_f64(w[b] as f64),
            Op::F32ToF64 => w[a] = slot_f64(f32_of(w[b]) as f64),
            Op::F64ToF32 => w[a] = slot_f32(f64_of(w[b]) as f32),
            Op::F32ToInt => w[a] = float_to_int(f32_of(w[b]) as f64, Kind::from_number(x)),
            Op::F64ToInt => w[a] = float_to_int(f64_of(w[b]), Kind::from_number(x)),

            Op::Jump => jump!(true),
            Op::JumpEq => jump!(w[a] == w[b]),
            Op::JumpNe => jump!(w[a] != w[b]),
            Op::JumpLtS => jump!((w[a] as i64) < w[b] as i64),
            Op::JumpLeS => jump!(w[a] as i64 <= w[b] as i64),
            Op::JumpLtU => jump!(w[a] < w[b]),
            Op::JumpLeU => jump!(w[a] <= w[b]),
            Op::JumpEqF32 => jump!(f32_of(w[a]) == f32_of(w[b])),
            Op::JumpNeF32 => jump!(f32_of(w[a]) != f32_of(w[b])),
            Op::JumpLtF32 => jump!(f32_of(w[a]) < f32_of(w[b])),
            Op::JumpLeF32 => jump!(f32_of(w[a]) <= f32_of(w[b])),
            Op::JumpNotLtF32 => jump!(!is_less(f32_of(w[a]), f32_of(w[b]))),
            Op::JumpNotLeF32 => jump!(!is_at_most(f32_of(w[a]), f32_of(w[b]))),
            Op::JumpEqF64 => jump!(f64_of(w[a]) == f64_of(w[b])),
            Op::JumpNeF64 => jump!(f64_of(w[a]) != f64_of(w[b])),
            Op::JumpLtF64 => jump!(f64_of(w[a]) < f64_of(w[b])),
            Op::JumpLeF64 => jump!(f64_of(w[a]) <= f64_of(w[b])),
            Op::JumpNotLtF64 => jump!(!is_less(f64_of(w[a]), f64_of(w[b]))),
            Op::JumpNotLeF64 => jump!(!is_at_most(f64_of(w[a]), f64_of(w[b]))),
            Op::Switch | Op::SwitchPaths => {
                if let Some(table) = code.switches.get(x as usize) {
                    let value = w[a] as i64;
                    let found = table.cases.binary_search_by_key(&value, |&(value, _)| value);
                    pc = found.map_or(table.otherwise, |at| table.cases[at].1);
                }
                if op == Op::SwitchPaths {
                    thread.regions.note(pc);
                }
            }

            Op::Address => w[a] = element(w[b], w[c], x, y) as u64,
            Op::AddressBack => {
                let index = (w[c] as u32).wrapping_neg() as u64;
                w[a] = element(w[b], index, x, 0) as u64;
            }
            Op::Difference => {
                let bytes = (w[b] as u32).wrapping_sub(w[c] as u32) as i32 as i64;
                w[a] = bytes.checked_div(x as i64).unwrap_or(0) as u64;
            }
            Op::Load8S => load!(plain!(), 1, i8s),
            Op::Load8U => load!(plain!(), 1, u8s),
            Op::Load16S => load!(plain!(), 2, i16s),
            Op::Load16U => load!(plain!(), 2, u16s),
            Op::Load32S => load!(plain!(), 4, i32s),
            Op::Load32U => load!(plain!(), 4, u32s),
            Op::Load64 => load!(plain!(), 8, u64::from_le_bytes),
            Op::LoadPtr => load!(plain!(), 8, pointers),
            Op::Store8 => store!(plain!(), 1, u8),
            Op::Store16 => store!(plain!(), 2, u16),
            Op::Store32 => store!(plain!(), 4, u32),
            Op::Store64 => store!(plain!(), 8, u64),
            Op::LoadX8S => load!(indexed!(), 1, i8s),
            Op::LoadX8U => load!(indexed!(), 1, u8s),
            Op::LoadX16S => load!(indexed!(), 2, i16s),
            Op::LoadX16U => load!(indexed!(), 2, u16s),
            Op::LoadX32S => load!(indexed!(), 4, i32s),
            Op::LoadX32U => load!(indexed!(), 4, u32s),
            Op::LoadX64 => load!(indexed!(), 8, u64::from_le_bytes),
            Op::LoadXPtr => load!(indexed!(), 8, pointers),
            Op::StoreX8 => store!(indexed!(), 1, u8),
            Op::StoreX16 => store!(indexed!(), 2, u16),
            Op::StoreX32 => store!(indexed!(), 4, u32),
            Op::StoreX64 => store!(indexed!(), 8, u64),
            Op::Copy | Op::Clear | Op::Aligned => {
                if let Err(access) = objects::execute(env, inst, w[a] as u32, w[b] as u32) {
                    failed!(access)
                }
                left -= x as i64 / 8;
            }

            Op::Special => w[a] = env.special(x),
            Op::Call => {
                let base = thread.base.wrapping_add(a as u32);
                let Some(function) = code.functions.get(x as usize) else {
                    continue;
                };
                let frame = Frame { return_pc: pc, base: thread.base, stack: thread.stack };
                let Some(window) = registers.window(base) else {
                    stop!(exhausted(code, thread, function.entry))
                };
                w = window;
                thread.frames.push(frame);
                thread.base = base;
                fill(w, function, env);
                pc = function.entry;
                left -= CALL_COST;
                if left < 0 {
                    stop!(Stop::Budget)
                }
            }
            Op::TakeTurns => {
                if env.takes_turns() {
                    stop!(Stop::Budget)
                }
            }
            Op::Return | Op::ReturnVoid => {
                // Without a value the result is zero: also of `main`, when it ends without one.
                w[0] = if op == Op::Return { w[a] } else { 0 };
                let Some(frame) = thread.frames.pop() else {
                    let value = w[0];
                    stop!(Stop::Finished(value))
                };
                thread.base = frame.base;
                thread.stack = frame.stack;
                pc = frame.return_pc;
                let Some(window) = registers.window(frame.base) else {
                    stop!(exhausted(code, thread, pc))
                };
                w = window;
            }
            Op::Enter => {
                let start = (thread.stack as u64).next_multiple_of(16);
                let top = start + y as u64;
                if !env.grow_stack(top) {
                    stop!(exhausted(code, thread, pc - 1))
                }
                w[a] = start;
                thread.stack = top as u32;
            }
            Op::Pure => {
                let (row, third) = (TABLE.get(y as usize), w[x as u16 as usize]);
                let value = row.and_then(|row| math::pure(row.builtin, w[b], w[c], third));
                w[a] = value.unwrap_or(0);
            }
            Op::Atomic => {
                let (address, third) = (w[b] as u32, w[x as u16 as usize]);
                match atomic::step(env, y, address, w[c], third) {
                    Some(old) => w[a] = old,
                    None => failed!((address, atomic::size(y), true)),
                }
            }
            Op::Library => {
                let Some(call) = code.library.get(x as usize) else {
                    continue;
                };
                if sort::calls_back(call.builtin) {
                    thread.pc = pc;
                    let result = sorting(code, registers, thread, env, &mut left, (call, a));
                    let Some(window) = registers.window(thread.base) else {
                        stop!(exhausted(code, thread, pc))
                    };
                    w = window;
                    match result {
                        Ok(value) => w[a] = value,
                        Err(stop) => stop!(stop),
                    }
                    continue;
                }
                let arguments = w.get(a..a + call.arguments.len()).unwrap_or(&[]);
                match env.library(call, arguments, left) {
                    Ok(value) => w[a] = value,
                    Err(interrupt) => stop!(interrupted(code, thread, pc - 1, interrupt)),
                }
            }
            Op::Launch => {
                let Some(site) = code.launches.get(x as usize) else {
                    continue;
                };
                let operands = w.get(a..a + site.operands()).unwrap_or(&[]);
                if let Err(interrupt) = env.launch(site, operands) {
                    stop!(interrupted(code, thread, pc - 1, interrupt))
                }
            }
            Op::Collective => {
                let Some(row) = TABLE.get(y as usize) else {
                    continue;
                };
                stop!(Stop::Wait(Collective { builtin: row.builtin, slot: thread.base + a as u32 }))
            }
            Op::Diverge => thread.regions.enter(thread.frames.len(), x, y),
            Op::FallThrough => thread.regions.note(u32::MAX),
            Op::Reconverge => {
                if thread.regions.end_at(thread.frames.len(), x) {
                    stop!(Stop::Reconverge)
                }
            }
        }
    }
}
