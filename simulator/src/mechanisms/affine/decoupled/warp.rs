//! The affine warp: the affine stream of a kernel for a batch of blocks.
//!
//! Source: Wang and Lin, §4.1 and §4.4. It executes all threads of its batch in lock step under a
//! stack of its own, on tuples. A write replaces the whole value in every block that has an active
//! thread, even if other threads of it are inactive: the compiler ensures that no thread reads a
//! value that it did not compute. It has no notion of time.

use std::hash::{DefaultHasher, Hash, Hasher};

use reconverge_isa::{AffineStream, CONSTANT_BASE, Effect, Queue, Space, Width};

use super::mask::Mask;
use super::operate::{Computed, Failure, Operand, Work, operate, runs};
use super::stack::Stack;
use super::tuple::{TUPLES, Tuple, Value};
use crate::block::operand_queues::QueuedOperand;
use crate::memory::words::read;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};
use crate::run::fault::{Trap, TrapKind};

/// The value of a tuple register in a block.
#[derive(Clone, Debug, Hash)]
enum Register {
    Word(Value),
    /// The low register of a pair.
    Pair(Value),
    /// The high register of the pair before.
    High,
    /// The rest of the high word of a pair whose low word was overwritten, where that is no tuple.
    Lost,
}

/// Something for the queues of the blocks' warps.
#[derive(Clone, Debug)]
pub(crate) struct Enqueued {
    pub(crate) queue: Queue,
    pub(crate) site: u8,
    /// The threads it is for, of all blocks of the batch.
    pub(crate) mask: Mask,
    /// For addresses: the access's size, and the value by block.
    pub(crate) size: u32,
    pub(crate) space: Space,
    pub(crate) values: Vec<Value>,
    /// For predicates: the threads for which it is true.
    pub(crate) truth: Mask,
    /// The affine warp's state after it, if that is of interest.
    pub(crate) state: Option<u64>,
}

impl Enqueued {
    /// The record that one warp of a block of the batch receives.
    pub(crate) fn record(&self, code: &Code, block: usize, warp: usize) -> QueuedOperand {
        let at = block * code.shape.warps() as usize + warp;
        let mask = self.mask.lanes(at);
        let addresses = match self.values.get(block) {
            Some(value) => addresses(code, value, warp, mask),
            None => Box::default(),
        };
        let truth = self.truth.lanes(at);
        let (queue, site) = (self.queue, self.site);
        let state = self.state;
        QueuedOperand { queue, site, mask, addresses, truth, early: None, ready: true, state }
    }
}

/// The addresses of a warp's lanes, those of a mask.
pub(super) fn addresses(code: &Code, value: &Value, warp: usize, lanes: u64) -> Box<[u32]> {
    let mut addresses = vec![0; code.shape.width as usize].into_boxed_slice();
    let mut fill = |tuple: &Tuple, lanes: u64| {
        if lanes == 0 {
            return;
        }
        for (first, start, count) in runs(code, warp, tuple.period) {
            let mut address = tuple.at(start) as u32;
            for (lane, filled) in (first..).zip(&mut addresses[first..first + count]) {
                if lanes >> lane & 1 != 0 {
                    *filled = address;
                }
                address = address.wrapping_add(tuple.offsets[0] as u32);
            }
        }
    };
    let mut rest = lanes;
    for (mask, tuple) in &value.others {
        let mine = rest & mask.lanes(warp);
        fill(tuple, mine);
        rest &= !mine;
    }
    fill(&value.first, rest);
    addresses
}

/// The outcome of an instruction of the affine warp.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// It computed, or branched.
    None,
    Enqueued(Box<Enqueued>),
    /// These threads' blocks pass a barrier.
    Barrier(Mask),
    /// It read these words of constant memory.
    Constants(Vec<u32>),
}

/// An executed instruction.
#[derive(Clone, Debug)]
pub(crate) struct Executed {
    pub(crate) pc: u32,
    pub(crate) work: Work,
    pub(crate) event: Event,
}

/// The affine warp during a batch.
#[derive(Debug)]
pub(crate) struct AffineWarp {
    /// The blocks' numbers in the grid.
    blocks: Vec<u64>,
    /// By block, by register.
    registers: Vec<Vec<Register>>,
    /// By predicate.
    predicates: Vec<Mask>,
    stack: Stack,
}

/// Registers of a stream, at least 1.
fn registers(stream: &AffineStream) -> usize {
    (stream.registers as usize).max(1)
}

/// Predicates of a stream, at least 1.
fn predicates(stream: &AffineStream) -> usize {
    (stream.predicates as usize).max(1)
}

/// Entries of a stream's scoreboard: registers, then predicates.
pub(super) fn scoreboard_entries(stream: &AffineStream) -> usize {
    registers(stream) + predicates(stream)
}

impl AffineWarp {
    /// All state zero, all threads at the beginning of the affine stream.
    pub(crate) fn new(code: &Code, stream: &AffineStream, blocks: Vec<u64>) -> AffineWarp {
        let count = blocks.len();
        let zero = vec![Register::Word(Value::default()); registers(stream)];
        AffineWarp {
            registers: vec![zero; count],
            predicates: vec![Mask::none(code.shape, count); predicates(stream)],
            stack: Stack::new(stream.entry, Mask::all(code.shape, count)),
            blocks,
        }
    }

    /// Its PC; none when all threads have ended.
    pub(crate) fn pc(&self) -> Option<u32> {
        self.stack.top().map(|top| top.pc)
    }

    /// The blocks of the batch.
    pub(crate) fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// The most entries that its stack has held.
    pub(crate) fn deepest(&self) -> usize {
        self.stack.deepest()
    }

    /// A hash of the state that decides its later actions and records: they depend on nothing else.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = DefaultHasher::new();
        self.blocks.hash(&mut hash);
        self.stack.entries().hash(&mut hash);
        self.registers.hash(&mut hash);
        self.predicates.hash(&mut hash);
        hash.finish()
    }

    /// Executes the next instruction, which must exist. While `searching` for a livelock, its
    /// records carry the state of the warp.
    pub(crate) fn step(
        &mut self,
        code: &Code,
        constant: &[u8],
        searching: bool,
    ) -> Result<Executed, Box<Trap>> {
        let mut executed = self.execute(code, constant)?;
        if searching && let Event::Enqueued(enqueued) = &mut executed.event {
            enqueued.state = Some(self.fingerprint());
        }
        Ok(executed)
    }

    fn execute(&mut self, code: &Code, constant: &[u8]) -> Result<Executed, Box<Trap>> {
        let Some(top) = self.stack.top() else {
            return Ok(Executed { pc: 0, work: Work::default(), event: Event::None });
        };
        let (pc, mask) = (top.pc, top.mask.clone());
        let instruction = &code.instructions[pc as usize];
        let mut work = Work { lanes: 1, ..Work::default() };
        let mut event = Event::None;
        match instruction.effect {
            Effect::Branch => {
                let taken = match instruction.guard {
                    None => mask,
                    Some((index, negated)) => {
                        let holds = &self.predicates[usize::from(index)];
                        if negated { mask.without(holds) } else { mask.and(holds) }
                    }
                };
                self.stack.branch(taken, instruction.jump, instruction.annotations.reconverge);
                return Ok(Executed { pc, work, event });
            }
            Effect::Exit => {
                self.stack.exit();
                return Ok(Executed { pc, work, event });
            }
            Effect::Barrier => event = Event::Barrier(mask),
            Effect::Enqueue => {
                event = Event::Enqueued(self.enqueue(code, instruction, mask, pc)?)
            }
            Effect::Load => {
                let words = self.load(code, instruction, &mask, constant, pc)?;
                event = Event::Constants(words);
            }
            _ => {
                work = Work::default();
                for block in 0..self.blocks.len() {
                    if mask.has_block(block) {
                        self.compute(code, instruction, block, &mask.block(block), pc, &mut work)?;
                    }
                }
            }
        }
        self.stack.go(pc + 1);
        Ok(Executed { pc, work, event })
    }

    fn compute(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        block: usize,
        active: &Mask,
        pc: u32,
        work: &mut Work,
    ) -> Result<(), Box<Trap>> {
        let trap = |failure| self.trap(code, block, active, pc, failure);
        let mut operands = [Operand::Absent, Operand::Absent, Operand::Absent];
        for (operand, source) in operands.iter_mut().zip(instruction.sources) {
            *operand = self.source(code, block, source).map_err(trap)?;
        }
        let computed = operate(code, instruction, &operands, active, work).map_err(trap)?;
        match (instruction.target, computed) {
            (Target::Register { index, words }, Computed::Value(value)) => {
                self.write(block, usize::from(index), words > 1, value);
            }
            (Target::Predicate(index), Computed::Predicate(holds)) => {
                self.predicates[usize::from(index)].set_block(block, &holds);
            }
            _ => {}
        }
        Ok(())
    }

    fn source(&self, code: &Code, block: usize, source: Source) -> Result<Operand, Failure> {
        let scalar = |value| Ok(Operand::Value(Value::of(Tuple::scalar(value))));
        match source {
            Source::None => Ok(Operand::Absent),
            Source::Register { index, words } => {
                self.read(block, usize::from(index), words > 1).map(Operand::Value)
            }
            Source::Pool { low, high, pair } => {
                let word =
                    |row: u32| u64::from(code.pool[row as usize * code.shape.width as usize]);
                scalar(word(low) | if pair { word(high) << 32 } else { 0 })
            }
            Source::Predicate { index, negated } => {
                let holds = self.predicates[usize::from(index)].block(block);
                Ok(Operand::Predicate(if negated { holds.complement() } else { holds }))
            }
            Source::Thread(axis) => Ok(Operand::Value(Value::of(Tuple::thread(usize::from(axis))))),
            Source::Block(axis) => {
                scalar(u64::from(code.block_index(self.blocks[block])[usize::from(axis)]))
            }
            Source::Queued => Err(Failure::NoTuple),
        }
    }

    fn read(&self, block: usize, index: usize, pair: bool) -> Result<Value, Failure> {
        let registers = &self.registers[block];
        let high = |value: &Value| {
            let all = std::iter::once(&value.first).chain(value.others.iter().map(|(_, t)| t));
            let scalar = all.into_iter().all(|tuple| tuple.as_scalar().is_some());
            scalar
                .then(|| value.map(|tuple| Tuple::scalar(tuple.base >> 32)))
                .ok_or(Failure::NoTuple)
        };
        match (&registers[index], pair) {
            (Register::Word(value), false) | (Register::Pair(value), true) => Ok(value.clone()),
            (Register::Pair(value), false) => Ok(value.map(Tuple::word)),
            (Register::High, false) => match &registers[index - 1] {
                Register::Pair(value) => high(value),
                _ => Err(Failure::NoTuple),
            },
            (Register::Word(_), true) => {
                let [low, high] =
                    [self.read(block, index, false)?, self.read(block, index + 1, false)?];
                match (low.others.as_slice(), low.first.as_scalar(), high.first.as_scalar()) {
                    ([], Some(low), Some(word)) if high.others.is_empty() => {
                        Ok(Value::of(Tuple::scalar(low | word << 32)))
                    }
                    _ => Err(Failure::NoTuple),
                }
            }
            (Register::High, true) | (Register::Lost, _) => Err(Failure::NoTuple),
        }
    }

    fn write(&mut self, block: usize, index: usize, pair: bool, value: Value) {
        // The rest of pairs of which only one register is written.
        let before = index.checked_sub(1);
        let left = before.filter(|_| matches!(self.registers[block][index], Register::High));
        if let Some(before) = left
            && let Ok(low) = self.read(block, before, false)
        {
            self.registers[block][before] = Register::Word(low);
        }
        let last = index + usize::from(pair);
        if matches!(self.registers[block].get(last + 1), Some(Register::High)) {
            let high = self.read(block, last + 1, false);
            self.registers[block][last + 1] = high.map_or(Register::Lost, Register::Word);
        }
        if pair {
            self.registers[block][index] = Register::Pair(value);
            self.registers[block][index + 1] = Register::High;
        } else {
            self.registers[block][index] = Register::Word(value);
        }
    }

    /// The entries that an instruction enqueues.
    fn enqueue(
        &self,
        code: &Code,
        instruction: &Decoded,
        mask: Mask,
        pc: u32,
    ) -> Result<Box<Enqueued>, Box<Trap>> {
        let (queue, site) = instruction.queue.unwrap_or((Queue::Predicate, 0));
        let mut values = Vec::new();
        let mut truth = mask.without(&mask);
        for block in 0..self.blocks.len() {
            let source = self.source(code, block, instruction.sources[0]);
            let active = mask.has_block(block);
            match source {
                Ok(Operand::Value(value)) => {
                    let offset = Tuple::scalar(u64::from(instruction.offset));
                    let moved = value.map(|tuple| tuple.plus(&offset).unwrap_or(*tuple).word());
                    values.push(moved);
                }
                Ok(Operand::Predicate(holds)) => truth.set_block(block, &holds),
                Err(failure) if active => {
                    return Err(self.trap(code, block, &mask.block(block), pc, failure));
                }
                Ok(Operand::Absent) | Err(_) => values.push(Value::default()),
            }
        }
        let (size, space) = (instruction.width.bytes(), instruction.space);
        Ok(Box::new(Enqueued { queue, site, mask, size, space, values, truth, state: None }))
    }

    /// Loads from constant memory at scalar addresses; the words that were read.
    fn load(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        mask: &Mask,
        constant: &[u8],
        pc: u32,
    ) -> Result<Vec<u32>, Box<Trap>> {
        let mut words = Vec::new();
        for block in (0..self.blocks.len()).filter(|&block| mask.has_block(block)) {
            let active = &mask.block(block);
            let scalar = match self.source(code, block, instruction.sources[0]) {
                Ok(Operand::Value(value)) if value.others.is_empty() => value.first.as_scalar(),
                _ => None,
            };
            let Some(base) = scalar else {
                return Err(self.trap(code, block, active, pc, Failure::NoTuple));
            };
            let address = (base as u32).wrapping_add(instruction.offset);
            let size = instruction.width.bytes();
            let offset = address.wrapping_sub(CONSTANT_BASE) as usize;
            let is_inside =
                offset.checked_add(size as usize).is_some_and(|end| end <= constant.len());
            if !is_inside || !address.is_multiple_of(size) {
                let kind = match is_inside {
                    true => TrapKind::Misaligned { address, size, write: false },
                    false => TrapKind::OutOfBounds {
                        address,
                        size,
                        write: false,
                        space: Space::Constant,
                        limit: constant.len() as u32,
                        nearest: None,
                    },
                };
                return Err(self.trap_of(code, block, active, pc, kind));
            }
            if let Target::Register { index, words } = instruction.target {
                let pair = words > 1;
                let value = read(constant, offset, instruction.width);
                let value = if pair { value } else { value & 0xffff_ffff };
                self.write(block, usize::from(index), pair, Value::of(Tuple::scalar(value)));
            }
            words.push(address & !3);
            if instruction.width == Width::B64 {
                words.push((address & !3) + 4);
            }
        }
        words.sort_unstable();
        words.dedup();
        Ok(words)
    }

    fn trap(
        &self,
        code: &Code,
        block: usize,
        active: &Mask,
        pc: u32,
        failure: Failure,
    ) -> Box<Trap> {
        let kind = match failure {
            Failure::TooMany(tuples) => TrapKind::Mechanism(format!(
                "the affine warp cannot hold this value: it would take {tuples} tuples of at most {TUPLES}"
            )),
            Failure::NoTuple => TrapKind::Mechanism(
                "the affine warp cannot compute this: the value is no affine tuple".to_string(),
            ),
            Failure::DivisionByZero(_) => TrapKind::DivisionByZero,
        };
        let mut trap = self.trap_of(code, block, active, pc, kind);
        if let Failure::DivisionByZero(thread) = failure {
            trap.thread = code.thread_index(thread);
        }
        trap
    }

    fn trap_of(
        &self,
        code: &Code,
        block: usize,
        active: &Mask,
        pc: u32,
        kind: TrapKind,
    ) -> Box<Trap> {
        Box::new(Trap {
            kind,
            block: code.block_index(self.blocks[block]),
            thread: code.thread_index(active.first().unwrap_or(0)),
            pc,
        })
    }
}
