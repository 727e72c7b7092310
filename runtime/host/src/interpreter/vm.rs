//! The machine that runs bytecode: host code and threads of kernels alike.
//!
//! All state of a suspended thread is in [`Thread`], so it waits for others by returning.

use super::assembly::{AssemblyFault, InStatement, Step};
use super::assembly_text;
use super::atomic;
use super::bytecode::{Code, Function, Inst, LibraryCall, Op, WINDOW};
use super::collective::{Collective, MOST_ARGUMENTS};
use super::environment::{Environment, Interrupt};
use super::math;
use super::objects;
use super::operations::{compute, divide, element};
use super::reconvergence::Regions;
use super::rows::Rows;
use super::sort::{self, Trouble};
use super::straight::{End, Straight};
use super::unused;
use crate::report::Report;
use reconverge_compiler::check::builtin::TABLE;
use reconverge_compiler::wording::counted;

/// The depth to which comparisons may sort within comparisons.
const SORTING: u32 = 16;
/// The cost of a turn of an `asm` statement, in operations.
const ASSEMBLY_TURN: i64 = 1 << 14;
/// The cost of a call, in operations.
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
    /// The start of the running function's window.
    base: u32,
    /// First free byte of stack memory.
    stack: u32,
    frames: Vec<Frame>,
    /// The number of calls of `qsort` and `bsearch` around it.
    sorting: u32,
    /// The regions that it is inside.
    regions: Regions,
    /// The slots, while another thread is running.
    saved: Vec<u64>,
    /// The state of `asm` statements.
    assembly: InStatement,
}

/// Why a thread stopped.
#[derive(Clone, Debug)]
pub enum Stop {
    /// It returned; with the value, if it has one.
    Finished(u64),
    /// It waits for others, and continues after the call when it has its result.
    Wait(Collective),
    /// It waits at the reconvergence point of its innermost region.
    Reconverge,
    /// It used up its operations.
    Budget,
    /// It cannot continue.
    Interrupt(Interrupt),
}

/// The slots of the running thread.
#[derive(Clone, Debug)]
pub struct Registers {
    /// The slots that frames have needed so far.
    slots: Vec<u64>,
    /// The most slots.
    most: usize,
    rows: Rows,
}

impl Registers {
    /// Room for frames of `slots` slots in all.
    pub fn new(slots: usize) -> Self {
        Registers { slots: vec![0; WINDOW], most: slots + WINDOW, rows: Rows::default() }
    }

    /// The slots of a frame that begins at `base`; `None` if there is no room for it.
    fn window(&mut self, base: u32) -> Option<&mut [u64; WINDOW]> {
        let end = base as usize + WINDOW;
        if end > self.slots.len() {
            self.grow(end)?;
        }
        self.slots.get_mut(base as usize..)?.first_chunk_mut()
    }

    /// Few programs nest calls deeply: the others do not pay for clearing all slots that there may be.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) -> Option<()> {
        if end > self.most {
            return None;
        }
        self.slots.resize(end.max(2 * self.slots.len()).min(self.most), 0);
        Some(())
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
        self.assembly = InStatement::default();
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

    /// Its position: the return addresses of its callers, outermost first, then its own next
    /// instruction.
    pub fn place(&self) -> Vec<u32> {
        let callers = self.frames.iter().map(|frame| frame.return_pc);
        callers.chain([self.pc]).chain(self.assembly.place()).collect()
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
        report.notes.push(format!("and {}", counted(more as u64, "more call")));
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
    address: u32,
    size: u64,
    write: bool,
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

/// Returns true if nothing depends on the value of an instruction of the running function.
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
    call: &LibraryCall,
    first: usize,
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
        Err(Trouble::Fault((address, size, write))) => {
            Err(fault(code, thread, here, env, address, size, write))
        }
        Err(Trouble::Stop(Stop::Interrupt(interrupt))) => {
            Err(interrupted(code, thread, here, interrupt))
        }
        Err(Trouble::Stop(stop)) => Err(stop),
    }
}

/// Executes an `asm` statement. Returns the reason if the thread stops.
#[cold]
#[inline(never)]
fn assembly<E: Environment>(
    code: &Code,
    thread: &mut Thread,
    w: &mut [u64; WINDOW],
    env: &mut E,
    inst: &Inst,
    pc: &mut u32,
    left: &mut i64,
) -> Option<Stop> {
    let site = code.assemblies.get(inst.x as usize)?;
    let first = inst.a as usize;
    let slots = w.get_mut(first..first + assembly_text::slots(site.operands))?;
    let here = *pc - 1;
    match thread.assembly.step(site, slots, env, *left) {
        Ok(Step::Done) => None,
        Ok(Step::Exit) => Some(Stop::Finished(0)),
        Ok(Step::Again) => {
            // The statement continues from where it stopped.
            (*left, *pc) = (*left - ASSEMBLY_TURN, here);
            (*left <= 0 || env.takes_turns()).then_some(Stop::Budget)
        }
        Ok(Step::Waits(builtin)) => {
            *pc = here;
            Some(Stop::Wait(Collective { builtin, slot: thread.base + inst.a as u32 }))
        }
        Err(AssemblyFault::Access(address, size, write)) => {
            Some(fault(code, thread, here, env, address, size, write))
        }
        Err(AssemblyFault::Other(message)) => Some(trap(code, thread, here, Report::new(message))),
    }
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
    let mut rows = std::mem::take(&mut registers.rows);
    let Some(mut w) = registers.window(thread.base) else {
        return exhausted(code, thread, pc);
    };

    macro_rules! stop {
        ($stop:expr) => {{
            thread.pc = pc;
            *budget = left;
            registers.rows = rows;
            return $stop;
        }};
    }
    loop {
        let straight = Straight { instructions, loops: &code.loops, rows: &mut rows };
        let (at, end) = straight.run(pc as usize, &mut left, w, env);
        pc = at as u32;
        if let End::Budget = end {
            stop!(Stop::Budget)
        }
        // An access that failed only for the checker is not reported twice.
        if env.noticed(code.span(pc)) {
            continue;
        }
        let Some(inst) = instructions.get(pc as usize) else {
            let report = Report::new("the interpreter ran off its code; this is our mistake");
            stop!(trap(code, thread, pc, report))
        };
        pc = pc.wrapping_add(1);

        // Operands are read where they are needed: reading all of them first costs every operation.
        macro_rules! a {
            () => {
                w[inst.a as usize]
            };
        }
        macro_rules! b {
            () => {
                w[inst.b as usize]
            };
        }
        macro_rules! c {
            () => {
                w[inst.c as usize]
            };
        }
        // An access has failed, or is to be made again.
        macro_rules! failed {
            ($access:expr) => {{
                if !env.noticed(code.span(pc - 1)) {
                    let (address, size, write) = $access;
                    stop!(fault(code, thread, pc - 1, env, address, size, write))
                }
                pc -= 1;
                continue;
            }};
        }
        macro_rules! load {
            ($address:expr, $size:literal, $value:expr) => {{
                let address = $address;
                match env.load::<$size>(address) {
                    Some(bytes) => a!() = $value(bytes),
                    None if env.is_device() && nothing_depends(code, thread, pc - 1) => a!() = 0,
                    None => failed!((address, $size, false)),
                }
            }};
        }
        macro_rules! store {
            ($address:expr, $size:literal, $type:ty) => {{
                let address = $address;
                if env.store::<$size>(address, (a!() as $type).to_le_bytes()).is_none() {
                    failed!((address, $size, true))
                }
            }};
        }
        macro_rules! plain {
            () => {
                (b!() as u32).wrapping_add(inst.y)
            };
        }
        macro_rules! indexed {
            () => {
                element(b!(), c!(), inst.x, inst.y)
            };
        }
        let i8s = |bytes| i8::from_le_bytes(bytes) as u64;
        let u8s = |bytes| u8::from_le_bytes(bytes) as u64;
        let i16s = |bytes| i16::from_le_bytes(bytes) as u64;
        let u16s = |bytes| u16::from_le_bytes(bytes) as u64;
        let i32s = |bytes| i32::from_le_bytes(bytes) as u64;
        let u32s = |bytes| u32::from_le_bytes(bytes) as u64;
        let pointers = |bytes| u64::from_le_bytes(bytes) as u32 as u64;

        match inst.op {
            // These have been executed: nothing stops there.
            Op::Jump => pc = inst.x,
            op if op.is_jump() => {
                if compute(op, a!(), b!(), inst) != 0 {
                    pc = inst.x;
                }
            }
            Op::DivI32 | Op::DivU | Op::DivI64 | Op::RemI32 | Op::RemU | Op::RemI64 => {
                match divide(inst.op, b!(), c!()) {
                    Some(value) => a!() = value,
                    None if env.is_device() && nothing_depends(code, thread, pc - 1) => a!() = 0,
                    None if env.noticed(code.span(pc - 1)) => pc -= 1,
                    None => {
                        let report = Report::new("integer division by zero");
                        stop!(trap(code, thread, pc - 1, report))
                    }
                }
            }

            Op::Switch | Op::SwitchPaths => {
                if let Some(table) = code.switches.get(inst.x as usize) {
                    let value = a!() as i64;
                    let found = table.cases.binary_search_by_key(&value, |&(value, _)| value);
                    pc = found.map_or(table.otherwise, |at| table.cases[at].1);
                }
                if inst.op == Op::SwitchPaths {
                    thread.regions.note(pc);
                }
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
                if let Err(access) = objects::execute(env, inst, a!() as u32, b!() as u32) {
                    failed!(access)
                }
                left -= inst.x as i64 / 8;
            }

            Op::Special => a!() = env.special(inst.x),
            Op::Call => {
                let base = thread.base.wrapping_add(inst.a as u32);
                let Some(function) = code.functions.get(inst.x as usize) else {
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
                w[0] = if inst.op == Op::Return { a!() } else { 0 };
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
                let top = start + inst.y as u64;
                if !env.grow_stack(top) {
                    stop!(exhausted(code, thread, pc - 1))
                }
                a!() = start;
                thread.stack = top as u32;
            }
            Op::Pure => {
                let (row, third) = (TABLE.get(inst.y as usize), w[inst.x as u16 as usize]);
                let value = row.and_then(|row| math::pure(row.builtin, b!(), c!(), third));
                a!() = value.unwrap_or(0);
            }
            Op::Atomic => {
                let (address, third) = (b!() as u32, w[inst.x as u16 as usize]);
                match atomic::step(env, inst.y, address, c!(), third) {
                    Some(old) => a!() = old,
                    None => failed!((address, atomic::size(inst.y), true)),
                }
            }
            Op::Library => {
                let Some(call) = code.library.get(inst.x as usize) else {
                    continue;
                };
                if sort::calls_back(call.builtin) {
                    thread.pc = pc;
                    let result =
                        sorting(code, registers, thread, env, &mut left, call, inst.a as usize);
                    let Some(window) = registers.window(thread.base) else {
                        stop!(exhausted(code, thread, pc))
                    };
                    w = window;
                    match result {
                        Ok(value) => a!() = value,
                        Err(stop) => stop!(stop),
                    }
                    continue;
                }
                let arguments =
                    w.get(inst.a as usize..inst.a as usize + call.arguments.len()).unwrap_or(&[]);
                match env.library(call, arguments, left) {
                    Ok(value) => a!() = value,
                    Err(interrupt) => stop!(interrupted(code, thread, pc - 1, interrupt)),
                }
            }
            Op::Launch => {
                let Some(site) = code.launches.get(inst.x as usize) else {
                    continue;
                };
                let operands =
                    w.get(inst.a as usize..inst.a as usize + site.operands()).unwrap_or(&[]);
                if let Err(interrupt) = env.launch(site, operands) {
                    stop!(interrupted(code, thread, pc - 1, interrupt))
                }
            }
            Op::Collective => {
                let Some(row) = TABLE.get(inst.y as usize) else {
                    continue;
                };
                stop!(Stop::Wait(Collective {
                    builtin: row.builtin,
                    slot: thread.base + inst.a as u32
                }))
            }
            Op::Assembly => {
                if let Some(stop) = assembly(code, thread, w, env, inst, &mut pc, &mut left) {
                    stop!(stop)
                }
            }
            Op::Diverge => thread.regions.enter(thread.frames.len(), inst.x, inst.y),
            Op::FallThrough => thread.regions.note(u32::MAX),
            Op::Reconverge => {
                if thread.regions.end_at(thread.frames.len(), inst.x) {
                    stop!(Stop::Reconverge)
                }
            }
            op => a!() = compute(op, b!(), c!(), inst),
        }
    }
}
