//! One thread: its calls, its memory, and the execution of an instruction.

use crate::code::{
    Address, Atomic, Destination, Function, Instruction, Operation, Program, Slot, Source, Space,
    Special, Value, Wait, WarpKind,
};
use crate::copy::Groups;
use crate::float::Rounding;
use crate::floating::format;
use crate::form::{Compute, is_float};
use crate::integer::{exact, masked, signed};
use crate::memory::{
    Argument, CONSTANT_END, GLOBAL, GLOBAL_END, LOCAL, Memory, Print, SHARED, Window,
};
use crate::texture::Surface;
use crate::{Launch, Trap, TrapKind};
use reconverge_ptx::Span;
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::tree::{Kind, Type};

/// Bytes of local memory that a thread may have, as CUDA devices give.
const MOST_LOCAL: usize = 512 << 10;
/// Calls within each other that a thread may have.
const MOST_CALLS: usize = 4096;

/// An address in global memory.
fn in_global(address: u32) -> Address {
    let base = Source { value: Value::Constant(address.into()), bits: 64, inverted: false };
    Address { base, offset: 0, space: Space::Global }
}

/// What all threads of a block share.
pub(crate) struct Context<'a, M> {
    pub program: &'a Program,
    pub launch: &'a Launch<'a>,
    pub memory: &'a mut M,
    pub shared: Vec<u8>,
    pub block: [u32; 3],
    /// The offset of dynamic shared memory.
    pub dynamic: u32,
    /// Barriers with a count of threads.
    pub counted: CountedBarriers,
    /// Shared and local memory are this model's own.
    pub owns_windows: bool,
    /// Instructions that the launch has executed.
    pub executed: u64,
}

/// A call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Frame {
    function: usize,
    next: usize,
    registers: Vec<u64>,
    /// Offset of the frame in local memory.
    base: u32,
    /// Where the caller wants the results.
    results: Vec<Slot>,
}

/// The state of a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Done,
    Barrier {
        number: u32,
        count: Option<u32>,
        value: Option<(crate::code::Reduction, bool)>,
        result: Option<Destination>,
    },
    Warp {
        kind: WarpKind,
        mask: Option<u32>,
        values: Vec<u64>,
        results: [Option<Destination>; 2],
    },
}

/// What one instruction has led to.
pub(crate) enum Step {
    Goes,
    /// The thread waits, has ended, or has arrived at a barrier.
    Stops,
    /// The thread arrives at a barrier and goes on.
    Arrives {
        number: u32,
        count: Option<u32>,
    },
}

/// A thread of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    pub index: [u32; 3],
    /// Its number in the block.
    pub number: u32,
    pub state: State,
    /// Threads of a warp.
    pub warp: u32,
    /// `CC.CF`.
    pub carry: bool,
    frames: Vec<Frame>,
    local: Vec<u8>,
    /// Its asynchronous copies.
    pub groups: Groups,
}

impl Thread {
    /// A thread in front of the kernel's first instruction.
    pub fn new(
        index: [u32; 3],
        number: u32,
        kernel: usize,
        program: &Program,
        parameters: &[u8],
    ) -> Thread {
        let function = &program.functions[kernel];
        let mut local = vec![0; function.frame as usize];
        let count = parameters.len().min(local.len());
        local[..count].copy_from_slice(&parameters[..count]);
        let frame =
            Frame { function: kernel, registers: vec![0; function.registers], ..Frame::default() };
        let (state, carry) = (State::Running, false);
        let (frames, groups) = (vec![frame], Groups::default());
        Thread { index, number, state, warp: 32, carry, frames, local, groups }
    }

    pub fn lane(&self) -> u32 {
        self.number % self.warp
    }

    /// The registers of the function that runs.
    pub fn registers(&mut self) -> &mut [u64] {
        self.frames.last_mut().map_or(&mut [], |frame| &mut frame.registers)
    }

    pub fn is_done(&self) -> bool {
        matches!(self.state, State::Done)
    }

    /// The function and instruction that it executes next.
    pub fn place(&self) -> (usize, usize) {
        self.frames.last().map_or((0, 0), |frame| (frame.function, frame.next))
    }

    /// The place in the text of the last instruction.
    pub fn span(&self, program: &Program) -> Option<Span> {
        let (function, next) = self.place();
        let code = &program.functions.get(function)?.code;
        code.get(next.saturating_sub(1)).map(|it| it.span)
    }

    /// Writes a result.
    pub fn write(&mut self, to: Option<Destination>, value: u64) {
        let (Some(to), Some(frame)) = (to, self.frames.last_mut()) else {
            return;
        };
        let value = masked(value, to.bits);
        let value = match to.signed && to.width > to.bits {
            true => masked(signed(value, to.bits) as u64, to.width),
            false => value,
        };
        frame.registers[to.register] = value;
    }

    pub fn value<M: Memory>(&self, source: Source, context: &Context<M>) -> u64 {
        let frame = self.frames.last();
        let bits = match source.value {
            Value::Register(at) => frame.map_or(0, |frame| frame.registers[at]),
            Value::Constant(bits) => bits,
            Value::Frame(offset) => u64::from(LOCAL + frame.map_or(0, |frame| frame.base) + offset),
            Value::Dynamic => u64::from(SHARED + context.dynamic),
            Value::Special(special) => self.special(special, context),
        };
        masked(bits, source.bits) ^ u64::from(source.inverted)
    }

    fn special<M: Memory>(&self, special: Special, context: &Context<M>) -> u64 {
        let launch = context.launch;
        let threads: u32 = launch.block.iter().product();
        let (lane, below) = (self.lane(), (1_u64 << self.lane()) - 1);
        let own = 1_u64 << lane;
        match special {
            Special::Thread(axis) => self.index[axis].into(),
            Special::Threads(axis) => launch.block[axis].into(),
            Special::Block(axis) => context.block[axis].into(),
            Special::Blocks(axis) => launch.grid[axis].into(),
            Special::Lane => lane.into(),
            Special::Warp => u64::from(self.number / self.warp),
            Special::Warps => u64::from(threads.div_ceil(self.warp)),
            Special::LanesEqual => own,
            Special::LanesBelow => below,
            Special::LanesUpTo => below | own,
            Special::LanesAbove => !(below | own) & 0xffff_ffff,
            Special::LanesFrom => !below & 0xffff_ffff,
            Special::Clock => context.executed,
            Special::ClockHigh => context.executed >> 32,
            Special::DynamicShared => launch.dynamic_shared.into(),
            Special::TotalShared => u64::from(context.dynamic + launch.dynamic_shared),
            Special::One => 1,
            Special::Zero => 0,
        }
    }

    /// Executes the next instruction.
    pub fn step<M: Memory>(&mut self, context: &mut Context<M>) -> Result<Step, Trap> {
        let program = context.program;
        let (function, next) = self.place();
        let instruction = &program.functions[function].code[next];
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
        context.executed += 1;
        if let Some((predicate, negated)) = instruction.guard {
            let holds = self.frames.last().is_some_and(|it| it.registers[predicate] != 0);
            if holds == negated {
                return Ok(Step::Goes);
            }
        }
        self.execute(instruction, context).map_err(|message| Trap {
            kind: TrapKind::Fault,
            span: Some(instruction.span),
            block: context.block,
            thread: Some(self.index),
            message,
        })
    }

    fn execute<M: Memory>(
        &mut self,
        instruction: &Instruction,
        context: &mut Context<M>,
    ) -> Result<Step, String> {
        match &instruction.operation {
            Operation::Nothing => {}
            Operation::Compute { compute, sources, results } => {
                self.compute(compute, sources, results, context);
            }
            Operation::Join { parts, result } => {
                let mut joined = 0;
                for &(part, width) in parts.iter().rev() {
                    joined = joined << width | self.value(part, context);
                }
                self.write(Some(*result), joined);
            }
            Operation::Split { source, parts, width } => {
                let value = self.value(*source, context);
                for (at, &part) in parts.iter().enumerate() {
                    self.write(part, value >> (at as u32 * width));
                }
            }
            Operation::Load { address, bytes, results } => {
                self.load_all(address, *bytes, results, context)?;
            }
            Operation::Store { address, bytes, sources } => {
                self.store_all(address, *bytes, sources, context)?;
            }
            Operation::Atomic { operation, of, address, sources, result } => {
                self.atomic(*operation, *of, address, sources, *result, context)?;
            }
            Operation::Copy(copy) => self.start_copy(copy, context)?,
            Operation::Phase(phase) => self.act(phase, context)?,
            Operation::Commit => self.groups.commit(),
            Operation::Await { pending, all } => self.await_copies(*pending, *all, context)?,
            Operation::Texture(fetch) => {
                let handle = self.value(fetch.handle, context);
                let coordinates = fetch.coordinates.iter().map(|&it| self.value(it, context));
                let coordinates: Vec<u64> = coordinates.collect();
                let found = fetch.channels(handle, &coordinates, &mut |address, bytes| {
                    self.global(address, bytes, context)
                })?;
                for (&result, value) in fetch.results.iter().zip(found) {
                    self.write(result, value);
                }
            }
            Operation::TextureSize(size) => {
                let handle = self.value(size.handle, context);
                let read = &mut |address, bytes| self.global(address, bytes, context);
                let found = size.elements(handle, read)?;
                self.write(size.result, found);
            }
            Operation::Surface(surface) => self.surface(surface, context)?,
            Operation::IsIn { space, source, result } => {
                let address = self.value(*source, context);
                let window = Window::of(address as u32);
                let holds = address >> 32 == 0
                    && match space {
                        Space::Shared => matches!(window, Window::Shared(_)),
                        Space::Local | Space::Parameter => matches!(window, Window::Local(_)),
                        Space::Constant => {
                            address < u64::from(CONSTANT_END) && window == Window::Constant
                        }
                        Space::Global | Space::Generic => {
                            (GLOBAL.into()..GLOBAL_END.into()).contains(&address)
                        }
                    };
                self.write(*result, holds.into());
            }
            Operation::Branch(to) => self.jump(*to),
            Operation::BranchIndex { index, targets } => {
                let index = self.value(*index, context);
                let to = usize::try_from(index).ok().and_then(|at| targets.get(at));
                let count = targets.len();
                self.jump(*to.ok_or_else(|| format!("target {index} of a list of {count}"))?);
            }
            Operation::Call { function, arguments, results } => {
                self.call(*function, arguments, results, context.program)?;
            }
            Operation::Print { format, arguments, result } => {
                self.print(*format, *arguments, *result, context)?;
            }
            Operation::Return => return Ok(self.leave(context.program)),
            Operation::Exit => {
                self.state = State::Done;
                return Ok(Step::Stops);
            }
            Operation::Trap(message) => return Err((*message).to_owned()),
            Operation::Require(holds, message) => {
                if self.value(*holds, context) == 0 {
                    return Err((*message).to_owned());
                }
            }
            Operation::Wait(wait) => return self.wait(wait, context),
        }
        Ok(Step::Goes)
    }

    /// Reads global memory.
    fn global<M: Memory>(
        &self,
        address: u32,
        bytes: u32,
        context: &mut Context<M>,
    ) -> Result<u64, String> {
        let address = self.address(&in_global(address), bytes, context)?;
        self.read_value(address, bytes, context)
    }

    /// A load or store of a surface.
    fn surface<M: Memory>(
        &mut self,
        surface: &Surface,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let handle = self.value(surface.handle, context);
        let coordinates = surface.coordinates.iter().map(|&it| self.value(it, context));
        let coordinates: Vec<u64> = coordinates.collect();
        let read = &mut |address, bytes| self.global(address, bytes, context);
        let place = surface.address(handle, &coordinates, read)?;
        let Some(place) = place else {
            surface.results.iter().for_each(|&result| self.write(result, 0));
            return Ok(());
        };
        let mut values = Vec::new();
        for at in 0..surface.results.len() as u32 {
            values.push(self.global(
                place.wrapping_add(at * surface.bytes),
                surface.bytes,
                context,
            )?);
        }
        for (&result, value) in surface.results.iter().zip(values) {
            self.write(result, value);
        }
        for (at, &source) in (0u32..).zip(&surface.sources) {
            let to = in_global(place.wrapping_add(at * surface.bytes));
            self.store_all(&to, surface.bytes, &[source], context)?;
        }
        Ok(())
    }

    /// Computes results from sources: mostly few of these, and for matrices many.
    fn compute<M: Memory>(
        &mut self,
        compute: &Compute,
        sources: &[Source],
        results: &[Option<Destination>],
        context: &mut Context<M>,
    ) {
        let (mut few, mut many) = ([0; 6], Vec::new());
        let values = match few.get_mut(..sources.len()) {
            Some(few) => few,
            None => {
                many.resize(sources.len(), 0);
                many.as_mut_slice()
            }
        };
        for (value, &source) in values.iter_mut().zip(sources) {
            *value = self.value(source, context);
        }
        let mut carry = self.carry;
        let found = compute(values, &mut carry);
        self.carry = carry;
        for (&result, value) in results.iter().zip(found) {
            self.write(result, value);
        }
    }

    fn jump(&mut self, to: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = to;
        }
    }

    fn wait<M: Memory>(&mut self, wait: &Wait, context: &Context<M>) -> Result<Step, String> {
        match wait {
            Wait::Barrier { number, count, arrives, reduction, result } => {
                let number = self.value(*number, context) as u32;
                let [width, height, depth] = context.launch.block;
                let count = match count {
                    Some(count) => Some(self.value(*count, context) as u32),
                    // Uses with and without a count are of one barrier.
                    None if context.counted.has(number) => {
                        Some((width * height * depth).next_multiple_of(32))
                    }
                    None => None,
                };
                if number > 15 {
                    return Err("there is no such barrier: a block has 16, 0 to 15".to_owned());
                }
                if *arrives {
                    return Ok(Step::Arrives { number, count });
                }
                let value =
                    reduction.map(|(kind, source)| (kind, self.value(source, context) != 0));
                self.state = State::Barrier { number, count, value, result: *result };
            }
            Wait::Warp { kind, mask, sources, results } => {
                let mask = mask.map(|mask| self.value(mask, context) as u32);
                if mask.is_some_and(|mask| mask >> self.lane() & 1 == 0) {
                    return Err("the mask leaves out the thread that executes this".to_owned());
                }
                let values = sources.iter().map(|&source| self.value(source, context)).collect();
                self.state = State::Warp { kind: *kind, mask, values, results: *results };
            }
        }
        Ok(Step::Stops)
    }

    /// The address of an access.
    pub fn address<M: Memory>(
        &self,
        address: &Address,
        bytes: u32,
        context: &Context<M>,
    ) -> Result<u32, String> {
        let at = self.value(address.base, context).wrapping_add(address.offset as u64);
        let Ok(short) = u32::try_from(at) else {
            return Err(format!(
                "the address {at:#x} has more than 32 bits; memory here has addresses of 32 bits"
            ));
        };
        if !short.is_multiple_of(bytes) {
            return Err(format!("misaligned access of {bytes} bytes at address {at:#x}"));
        }
        let window = Window::of(short);
        let fits = match address.space {
            Space::Generic => true,
            Space::Shared => matches!(window, Window::Shared(_)),
            Space::Local | Space::Parameter => matches!(window, Window::Local(_)),
            Space::Constant => window == Window::Constant,
            Space::Global => matches!(window, Window::Global | Window::Constant),
        };
        match fits {
            true => Ok(short),
            false => Err(format!("the address {at:#x} is outside its state space")),
        }
    }

    pub fn read<M: Memory>(
        &self,
        address: u32,
        bytes: &mut [u8],
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let (memory, at, name) = match Window::of(address) {
            Window::Shared(at) if context.owns_windows => (&context.shared, at as usize, "shared"),
            Window::Local(at) if context.owns_windows => (&self.local, at as usize, "local"),
            _ => return context.memory.load(address, bytes),
        };
        match memory.get(at..at + bytes.len()) {
            Some(found) => bytes.copy_from_slice(found),
            None => return Err(outside("read", bytes.len(), at, name)),
        }
        Ok(())
    }

    pub fn write_memory<M: Memory>(
        &mut self,
        address: u32,
        bytes: &[u8],
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let (memory, at, name) = match Window::of(address) {
            Window::Shared(at) if context.owns_windows => {
                (&mut context.shared, at as usize, "shared")
            }
            Window::Local(at) if context.owns_windows => (&mut self.local, at as usize, "local"),
            _ => return context.memory.store(address, bytes),
        };
        match memory.get_mut(at..at + bytes.len()) {
            Some(place) => place.copy_from_slice(bytes),
            None => return Err(outside("write", bytes.len(), at, name)),
        }
        Ok(())
    }

    pub fn read_value<M: Memory>(
        &self,
        address: u32,
        bytes: u32,
        context: &mut Context<M>,
    ) -> Result<u64, String> {
        let mut found = [0; 8];
        self.read(address, &mut found[..bytes as usize], context)?;
        Ok(u64::from_le_bytes(found))
    }

    fn load_all<M: Memory>(
        &mut self,
        address: &Address,
        bytes: u32,
        results: &[Option<Destination>],
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let from = self.address(address, bytes * results.len() as u32, context)?;
        // Every element is read before a register changes: the address may be one of them.
        let mut values = Vec::with_capacity(results.len());
        for at in 0..results.len() as u32 {
            values.push(self.read_value(from + at * bytes, bytes, context)?);
        }
        for (&result, value) in results.iter().zip(values) {
            self.write(result, value);
        }
        Ok(())
    }

    fn store_all<M: Memory>(
        &mut self,
        address: &Address,
        bytes: u32,
        sources: &[Source],
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let to = self.address(address, bytes * sources.len() as u32, context)?;
        let values = sources.iter().flat_map(|&source| {
            self.value(source, context).to_le_bytes().into_iter().take(bytes as usize)
        });
        let values: Vec<u8> = values.collect();
        self.write_memory(to, &values, context)
    }

    fn atomic<M: Memory>(
        &mut self,
        operation: Atomic,
        of: Type,
        address: &Address,
        sources: &[Source],
        result: Option<Destination>,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let at = self.address(address, of.bytes(), context)?;
        if !matches!(Window::of(at), Window::Shared(_) | Window::Global) {
            return Err("atomics need global or shared memory".to_owned());
        }
        let old = self.read_value(at, of.bytes(), context)?;
        let values: Vec<u64> = sources.iter().map(|&it| self.value(it, context)).collect();
        let new = changed(operation, of, old, &values);
        self.write_memory(at, &new.to_le_bytes()[..of.bytes() as usize], context)?;
        self.write(result, old);
        Ok(())
    }

    fn slot_bytes(&self, slot: Slot) -> Vec<u8> {
        let frame = self.frames.last();
        match slot {
            Slot::Constant(bits) => bits.to_le_bytes().to_vec(),
            Slot::Register(at) => {
                frame.map_or(0, |frame| frame.registers[at]).to_le_bytes().to_vec()
            }
            Slot::Frame { offset, size } => {
                let from = (frame.map_or(0, |frame| frame.base) + offset) as usize;
                self.local[from..from + size as usize].to_vec()
            }
        }
    }

    fn fill(&mut self, slot: Slot, bytes: &[u8]) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        match slot {
            Slot::Constant(_) => {}
            Slot::Register(at) => {
                let mut value = [0; 8];
                let count = bytes.len().min(8);
                value[..count].copy_from_slice(&bytes[..count]);
                frame.registers[at] = u64::from_le_bytes(value);
            }
            Slot::Frame { offset, size } => {
                let (at, count) = ((frame.base + offset) as usize, bytes.len().min(size as usize));
                self.local[at..at + count].copy_from_slice(&bytes[..count]);
            }
        }
    }

    fn call(
        &mut self,
        number: usize,
        arguments: &[Slot],
        results: &[Slot],
        program: &Program,
    ) -> Result<(), String> {
        let function: &Function = &program.functions[number];
        if function.parameters.len() != arguments.len() || function.results.len() < results.len() {
            return Err(format!("`{}` has other parameters or results", function.name));
        }
        let values: Vec<Vec<u8>> = arguments.iter().map(|&slot| self.slot_bytes(slot)).collect();
        let base = self.local.len();
        self.local.resize(base + function.frame as usize, 0);
        if self.local.len() > MOST_LOCAL || self.frames.len() >= MOST_CALLS {
            return Err("the thread's stack is full".to_owned());
        }
        self.frames.push(Frame {
            function: number,
            next: 0,
            registers: vec![0; function.registers],
            base: base as u32,
            results: results.to_vec(),
        });
        for (&parameter, value) in function.parameters.iter().zip(&values) {
            self.fill(parameter, value);
        }
        Ok(())
    }

    /// Returns from a function, or ends the thread.
    fn leave(&mut self, program: &Program) -> Step {
        if self.frames.len() == 1 {
            self.state = State::Done;
            return Step::Stops;
        }
        let (function, _) = self.place();
        let results = &program.functions[function].results;
        let values: Vec<Vec<u8>> = results.iter().map(|&slot| self.slot_bytes(slot)).collect();
        if let Some(frame) = self.frames.pop() {
            self.local.truncate(frame.base as usize);
            for (slot, value) in frame.results.into_iter().zip(values) {
                self.fill(slot, &value);
            }
        }
        Step::Goes
    }

    fn print<M: Memory>(
        &mut self,
        format: Slot,
        arguments: Slot,
        result: Option<Slot>,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let address = |bytes: Vec<u8>| {
            let mut value = [0; 8];
            let count = bytes.len().min(8);
            value[..count].copy_from_slice(&bytes[..count]);
            u64::from_le_bytes(value) as u32
        };
        let (format, mut from) =
            (address(self.slot_bytes(format)), address(self.slot_bytes(arguments)));
        let mut found = Vec::new();
        for argument in self.arguments(format, context)? {
            let bytes = argument.bytes();
            from = from.next_multiple_of(bytes);
            found.push((argument, self.read_value(from, bytes, context)?));
            from += bytes;
        }
        let count = found.len() as u64;
        let [x, y, _] = context.launch.grid;
        let [bx, by, bz] = context.block.map(u64::from);
        let block = (bz * u64::from(y) + by) * u64::from(x) + bx;
        context.memory.print(block, self.number, Print { format, arguments: found })?;
        if let Some(result) = result {
            self.fill(result, &count.to_le_bytes()[..4]);
        }
        Ok(())
    }

    /// The types of the arguments that a format names.
    fn arguments<M: Memory>(
        &self,
        format: u32,
        context: &mut Context<M>,
    ) -> Result<Vec<Argument>, String> {
        let (mut text, mut at) = (Vec::new(), format);
        loop {
            let mut byte = [0];
            self.read(at, &mut byte, context)?;
            if byte[0] == 0 {
                return Ok(named(&text));
            }
            text.push(byte[0]);
            at += 1;
        }
    }
}

/// The types of the arguments that the text of a format names.
fn named(text: &[u8]) -> Vec<Argument> {
    let mut found = Vec::new();
    let mut rest = text.iter();
    while rest.any(|&byte| byte == b'%') {
        let mut is_long = false;
        // Up to the letter that ends the conversion.
        for byte in rest.by_ref() {
            match byte {
                b'*' => found.push(Argument::Int),
                b'l' | b'j' | b'z' | b't' => is_long = true,
                b'%' => break,
                b'e' | b'f' | b'g' | b'a' | b'E' | b'F' | b'G' | b'A' => {
                    found.push(Argument::Double);
                    break;
                }
                b'p' | b's' => {
                    found.push(Argument::Long);
                    break;
                }
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' => {
                    found.push(if is_long { Argument::Long } else { Argument::Int });
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

fn outside(verb: &str, count: usize, at: usize, name: &str) -> String {
    format!("out-of-bounds {verb} of {count} bytes at offset {at} of {name} memory")
}

/// The value that an atomic operation leaves in memory.
fn changed(operation: Atomic, of: Type, old: u64, values: &[u64]) -> u64 {
    let value = values[0];
    if is_float(of) && matches!(operation, Atomic::Add | Atomic::Least | Atomic::Greatest) {
        let format = format(of);
        let one = |a: u64, b: u64| match operation {
            Atomic::Add => format.add(a, b, Rounding::Nearest),
            _ => format.least_of(a, b, operation == Atomic::Greatest, false),
        };
        return match of.kind {
            Kind::FloatPair | Kind::BrainPair => {
                one(old & 0xffff, value & 0xffff) | one(old >> 16, value >> 16) << 16
            }
            _ => one(old, value),
        };
    }
    match operation {
        Atomic::And => old & value,
        Atomic::Or => old | value,
        Atomic::Xor => old ^ value,
        Atomic::Add => old.wrapping_add(value),
        Atomic::Increment if old >= value => 0,
        Atomic::Increment => old + 1,
        Atomic::Decrement if old == 0 || old > value => value,
        Atomic::Decrement => old - 1,
        Atomic::Least => exact(old, of).min(exact(value, of)) as u64,
        Atomic::Greatest => exact(old, of).max(exact(value, of)) as u64,
        Atomic::Exchange => value,
        Atomic::CompareExchange if old == value => values[1],
        Atomic::CompareExchange => old,
    }
}
