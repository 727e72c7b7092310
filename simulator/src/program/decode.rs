//! Decoding: a kernel and its launch, resolved for execution at every instruction.
//!
//! Everything that is the same in all blocks is computed here once: operands become rows of words,
//! immediates and constants a pool of rows with one word a lane, so that every source of an
//! instruction is a slice.

use std::ops::Range;
use std::sync::Arc;

use reconverge_isa::planted::Planted;
use reconverge_isa::table::{OperandKind, Row};
use reconverge_isa::{
    BLOCK, CacheOperator, Dest, Effect, Evaluator, Instruction, Kernel, Op, Operand, Placement,
    Queue, RegisterLevel, Space, Special, Unit, ValueKind, Vectors, Width,
};

use crate::execute::source_rows::SourceRows;
use crate::handles::Resource;
use crate::mechanisms::affine::slot::Design;
use crate::mechanisms::affine::streams::check_instruction;
use crate::mechanisms::divergence::layout::Layout;
use crate::mechanisms::divergence::slot::{BlockShape, Capabilities};
use crate::mechanisms::register_file::Operands;
use crate::observe::tally::Sums;
use crate::program::code::{Code, count_computations, misfit, split};
use crate::program::decoded::{Control, Decoded, Entries, is_straight, moves_as_row, unit_index};
use crate::program::loops::Loops;
use crate::program::memory_times::MemoryTimes;
use crate::program::operands::{Source, Target};
use crate::program::regions::Regions;
use crate::run::fault::Fault;
use crate::run::request::Launch;
use crate::verify::levels::check_placement;

/// Returns true if a source or the result of an instruction has 64 bits or more. An address does not
/// count: the load/store unit takes pairs of registers at no further pass.
fn is_wide(instruction: &Decoded) -> bool {
    let is_access = matches!(instruction.effect, Effect::Load | Effect::Store | Effect::Atomic);
    let wide = |source: &Source| {
        matches!(source, Source::Register { words: 2.., .. } | Source::Pool { pair: true, .. })
    };
    matches!(instruction.target, Target::Register { words: 2.., .. })
        || instruction.sources[usize::from(is_access)..].iter().any(wide)
}

/// The registers among some sources, of no warp in particular, with the level of each source; bit
/// `i` of `last_read` marks source `i` as a last read.
fn operands(sources: &[Source; 3], last_read: u8, levels: &[RegisterLevel; 3]) -> Operands {
    let mut operands = Operands::default();
    for (place, (source, &level)) in sources.iter().zip(levels).enumerate() {
        if let Source::Register { index, words } = *source {
            let is_last = last_read >> place & 1 != 0;
            let registers = index..index + u16::from(words);
            registers.for_each(|register| operands.push(register, is_last, level));
        }
    }
    operands
}

/// Decodes and checks a kernel for a valid launch, on a machine with warps of `width` lanes,
/// for a divergence scheme and the mechanism of the slot `affine`.
pub(crate) fn decode(
    kernel: &Kernel,
    request: &Launch,
    width: u32,
    scheme: &Capabilities,
    affine: &dyn Design,
) -> Result<Code, Fault> {
    let [x, y, z] = request.block;
    let shape = BlockShape { threads: x * y * z, width };
    let mut decoder = Decoder {
        kernel,
        vectors: Vectors::detect(),
        registers: kernel.registers,
        predicates: kernel.predicates,
        code: 0..kernel.code.len(),
        bank: constant_bank(kernel, request.parameters),
        width: width as usize,
        pool: thread_rows(request.block, shape),
        shape,
        grid: request.grid,
        block: request.block,
        dynamic_shared: request.dynamic_shared,
        verify: request.verify_annotations,
        affine,
    };
    let entry = kernel.affine.map_or(kernel.code.len(), |stream| stream.entry as usize);
    if entry > kernel.code.len() {
        return Err(bad(entry, "the second stream begins outside of the code".to_string()));
    }
    let mut instructions = decoder.stream(0..entry)?;
    if let Some(stream) = kernel.affine {
        (decoder.registers, decoder.predicates) = (stream.registers, stream.predicates);
        instructions.extend(decoder.stream(entry..kernel.code.len())?);
    }
    for (pc, instruction) in instructions.iter_mut().enumerate() {
        instruction.control.common = kernel.control_bits(pc).common;
    }
    let regions = Regions::new(kernel).map_err(misfit)?;
    Ok(Code {
        vectors: decoder.vectors,
        sums: Sums::of(instructions.iter().map(Decoded::counted)),
        layout: scheme.reads_layout.then(|| Layout::of(&instructions)),
        instructions,
        loops: Loops::new(&kernel.code),
        pool: decoder.pool,
        shape,
        grid: request.grid,
        block: request.block,
        registers: (kernel.registers as usize).max(1),
        predicates: (kernel.predicates as usize).max(1),
        shared_bytes: request.shared_bytes(kernel) as usize,
        local_bytes: kernel.local_bytes.next_multiple_of(8) as usize,
        verify: request.verify_annotations,
        second_stream: kernel.affine,
        has_levels: !kernel.record.placements.is_empty(),
        regions: regions.map(Arc::new),
        has_regions: !kernel.record.regions.is_empty(),
        long_lived: kernel.record.long_lived,
        first_uniform: kernel.first_uniform() as usize,
        stated: None,
        writes_late: false,
        awaits_reads: false,
        place: 0,
    })
}

/// The cache operator of an access; an asynchronous copy has it in its operation.
fn cache_operator(instruction: &Instruction) -> Option<CacheOperator> {
    instruction.op.copy_operator().or(instruction.annotations.cache.operator)
}

fn bad(pc: usize, problem: String) -> Fault {
    Fault::BadProgram { pc: pc as u32, problem }
}

/// Notes for each `warp.sync` the vote, shuffle, match or reduction that follows it.
fn pair_synchronisations(instructions: &mut [Decoded]) {
    let mut operation = None;
    for instruction in instructions.iter_mut().rev() {
        match instruction.effect {
            Effect::Collective if instruction.op == Op::WarpSync => {
                instruction.leads_to = operation.take();
            }
            Effect::Collective if !instruction.op.is_per_lane() => {
                operation = Some(instruction.op);
            }
            _ if instruction.op.is_matrix_access() => operation = Some(instruction.op),
            Effect::Branch | Effect::Exit | Effect::Barrier | Effect::CountedBarrier => {
                operation = None;
            }
            _ => {}
        }
    }
}

/// Execution never runs past the end: the last instruction cannot fall through.
fn check_end(start: usize, instructions: &[Decoded]) -> Result<(), Fault> {
    let ends = |last: &Decoded| {
        matches!(last.effect, Effect::Exit | Effect::Branch) && !last.is_conditional()
    };
    match instructions.last() {
        None => Err(bad(start, "the kernel has no code".to_string())),
        Some(last) if ends(last) => Ok(()),
        Some(_) => Err(bad(
            start + instructions.len() - 1,
            "the code does not end in an unconditional exit or branch".to_string(),
        )),
    }
}

fn thread_rows(block: [u32; 3], shape: BlockShape) -> Vec<u32> {
    let width = shape.width as usize;
    let mut rows = vec![0; shape.warps() as usize * 3 * width];
    for thread in 0..shape.threads {
        let (warp, lane) = (thread as usize / width, thread as usize % width);
        for (axis, index) in split(thread, block).into_iter().enumerate() {
            let index = if axis == 2 && Planted::FlatBlock.is_on() { 0 } else { index };
            rows[(warp * 3 + axis) * width + lane] = index;
        }
    }
    rows
}

/// Constant bank 0: parameters, then literals.
fn constant_bank(kernel: &Kernel, parameters: &[u8]) -> Vec<u8> {
    let mut bank = parameters.to_vec();
    bank.resize(kernel.literal_offset() as usize, 0);
    for literal in &kernel.literals {
        bank.extend(literal.to_le_bytes());
    }
    bank
}

struct Decoder<'a> {
    kernel: &'a Kernel,
    vectors: Vectors,
    /// The properties of the current stream.
    registers: u32,
    predicates: u32,
    code: Range<usize>,
    bank: Vec<u8>,
    width: usize,
    pool: Vec<u32>,
    shape: BlockShape,
    grid: [u32; 3],
    block: [u32; 3],
    dynamic_shared: u32,
    verify: bool,
    /// The mechanism that executes the second stream, if there is one.
    affine: &'a dyn Design,
}

impl Decoder<'_> {
    /// Decodes one of the streams.
    fn stream(&mut self, code: Range<usize>) -> Result<Vec<Decoded>, Fault> {
        self.code = code.clone();
        let mut instructions = code
            .clone()
            .map(|pc| {
                let placement = self.kernel.placement(pc);
                let decoded = self.decode(&self.kernel.code[pc], placement);
                decoded.map_err(|problem| bad(pc, problem))
            })
            .collect::<Result<Vec<_>, _>>()?;
        check_end(code.start, &instructions)?;
        count_computations(&mut instructions);
        pair_synchronisations(&mut instructions);
        Ok(instructions)
    }

    fn is_second(&self) -> bool {
        self.kernel.affine.is_some_and(|stream| self.code.start == stream.entry as usize)
    }

    fn decode(
        &mut self,
        from: &reconverge_isa::Instruction,
        placement: Placement,
    ) -> Result<Decoded, String> {
        let row = from.op.row();
        let width = match (row.effect, row.result) {
            (Effect::Atomic, Some(OperandKind::Value(kind))) if kind.registers() == 2 => Width::B64,
            (Effect::Atomic, _) if accesses_two_bytes(from.op) => Width::U16,
            (Effect::Atomic, _) => Width::B32,
            _ => from.op.copy_width().unwrap_or(from.width),
        };
        let dequeues = from.dequeues();
        let mut sources = [Source::None; 3];
        for (i, source) in sources.iter_mut().enumerate() {
            let given = from.sources[i];
            *source = match row.sources.get(i).zip(from.source_kind(i)) {
                None if given == Operand::None => Source::None,
                None if i == 0 && row.effect == Effect::Branch && dequeues.is_some() => {
                    Source::Queued
                }
                None => return Err(format!("`{}` has no source {}", row.mnemonic, i + 1)),
                Some(_) if row.effect == Effect::Atomic && i == 2 && given == Operand::None => {
                    Source::None
                }
                Some(((name, _), kind)) => self
                    .source(given, kind, from.op)
                    .map_err(|problem| format!("source `{name}`: {problem}"))?,
            };
        }
        let guard = from.guard.map(|g| (u16::from(g.predicate.0), g.negated));
        if let Some((index, _)) = guard {
            self.predicate(index)?;
            if matches!(row.effect, Effect::Barrier | Effect::CountedBarrier) {
                return Err("a barrier takes no guard".to_string());
            }
        }
        if from.op.names_lanes() && self.width > 32 {
            return Err(format!(
                "`{}` has 32 bits for lanes; warps of this machine have {}",
                row.mnemonic, self.width
            ));
        }
        self.check_matrix(from)?;
        check_instruction(self.kernel, from, self.is_second(), |second| {
            self.affine.check_second_stream(second)
        })?;
        if from.has_target() {
            self.place(from.target, "target")?;
        }
        if let Some(reconverge) = from.annotations.reconverge {
            self.place(reconverge, "reconvergence point")?;
        }
        let result = row.result.map(|kind| kind.value(width));
        let mut decoded = Decoded {
            op: from.op,
            evaluator: Evaluator::new(from.op, self.vectors),
            effect: row.effect,
            unit: unit_index(row.unit),
            timing: unit_index(row.unit),
            space: if row.effect == Effect::Copy { Space::Global } else { from.space },
            width,
            guard,
            target: self.target(from.dest, result)?,
            operands: operands(&sources, from.annotations.last_read, &placement.sources),
            other_operands: sources.iter().filter(|source| source.is_other()).count() as u8,
            sources,
            moves_as_row: false,
            computations: 0,
            rows: self.rows(&sources, row.effect),
            target_row: u32::MAX,
            queue: dequeues.or(from.enqueues().zip(from.site)),
            negated: matches!(from.sources[0], Operand::Dequeue { negated: true, .. }),
            matched: row.effect == Effect::Barrier && from.site.is_some(),
            offset: from.offset as u32,
            jump: from.target,
            barrier: barrier(from),
            annotations: from.annotations,
            hints: from.hints.with_operator(cache_operator(from)),
            placement,
            is_long: is_long(row, from.space),
            is_wide: false,
            result: None,
            leads_to: None,
            is_straight: false,
            is_marked: false,
            verify: self.verify,
            needs: Entries::default(),
            writes: Entries::default(),
            reads: Entries::default(),
            control: Control::default(),
            is_fixed: false,
            need: Resource::NOTHING,
            constant: None,
            memory: MemoryTimes::default(),
        };
        self.complete(&mut decoded)?;
        Ok(decoded)
    }

    /// Matrices are those of a whole warp.
    fn check_matrix(&self, from: &reconverge_isa::Instruction) -> Result<(), String> {
        let name = from.op.row().mnemonic;
        match (from.op.is_matrix(), from.guard) {
            (true, Some(_)) => Err(format!("`{name}` takes no guard")),
            (true, None) if self.width != BLOCK => Err(format!(
                "`{name}` acts on matrices of a warp of {BLOCK} lanes; warps of this machine have {}",
                self.width
            )),
            _ if !from.op.is_matrix_access() => Ok(()),
            _ if (from.space, from.width) != (Space::Shared, Width::B128) => {
                Err(format!("`{name}` is for shared memory and rows of 16 bytes: `.shared.b128`"))
            }
            _ if from.pair_address || from.dequeues().is_some() => {
                Err(format!("`{name}` takes addresses of a word, and none from a queue"))
            }
            _ => Ok(()),
        }
    }

    /// Fills in the fields that follow from the rest of an instruction.
    fn complete(&self, decoded: &mut Decoded) -> Result<(), String> {
        if let Target::Register { index, words: 1 } = decoded.target {
            decoded.target_row = u32::from(index);
        }
        decoded.is_wide = is_wide(decoded);
        decoded.need = if decoded.collects() { Resource::ROOM } else { Resource::NOTHING };
        decoded.result = decoded.find_result();
        decoded.is_straight = is_straight(decoded);
        decoded.moves_as_row = moves_as_row(decoded);
        check_placement(decoded)?;
        self.dependences(decoded);
        Ok(())
    }

    /// The rows of an instruction's sources.
    fn rows(&self, sources: &[Source; 3], effect: Effect) -> Option<SourceRows> {
        let is_access = matches!(effect, Effect::Load | Effect::Store | Effect::Atomic);
        SourceRows::of(sources, is_access).filter(|_| self.width == BLOCK)
    }

    fn place(&self, pc: u32, what: &str) -> Result<(), String> {
        if self.code.contains(&(pc as usize)) {
            Ok(())
        } else {
            Err(format!("{what} {pc} is outside of the code"))
        }
    }

    fn register(&self, index: u16, words: u8) -> Result<(), String> {
        let last = u32::from(index) + u32::from(words) - 1;
        if last >= self.registers {
            return Err(format!("the kernel has no register {last}"));
        }
        if !index.is_multiple_of(u16::from(words)) {
            return Err(format!("register {index} does not start {words} registers"));
        }
        Ok(())
    }

    fn predicate(&self, index: u16) -> Result<(), String> {
        if u32::from(index) < self.predicates {
            Ok(())
        } else {
            Err(format!("the kernel has no predicate {index}"))
        }
    }

    fn target(&self, dest: Dest, result: Option<ValueKind>) -> Result<Target, String> {
        match (dest, result) {
            (Dest::None, _) => Ok(Target::None),
            (Dest::Reg(reg), Some(kind)) if kind != ValueKind::Predicate => {
                let (index, words) = (u16::from(reg.0), kind.registers());
                self.register(index, words)?;
                Ok(Target::Register { index, words })
            }
            (Dest::Pred(pred), Some(ValueKind::Predicate)) => {
                self.predicate(u16::from(pred.0))?;
                Ok(Target::Predicate(u16::from(pred.0)))
            }
            _ => Err("the result does not fit the operation".to_string()),
        }
    }

    fn source(&mut self, from: Operand, kind: ValueKind, op: Op) -> Result<Source, String> {
        let pair = kind.registers() == 2;
        let value = kind != ValueKind::Predicate;
        match from {
            Operand::Reg(reg) if value => {
                let index = u16::from(reg.0);
                self.register(index, kind.registers())?;
                Ok(Source::Register { index, words: kind.registers() })
            }
            Operand::Pred { predicate, negated } if !value => {
                let index = u16::from(predicate.0);
                self.predicate(index)?;
                Ok(Source::Predicate { index, negated })
            }
            Operand::Imm(word) if value && kind != ValueKind::Quad => {
                let (low, high) = match kind {
                    ValueKind::F64 => (0, word),
                    _ if Planted::ImmediateUnsigned.is_on() => (word, 0),
                    _ => (word, (word as i32 >> 31) as u32),
                };
                Ok(self.pooled(low, high, pair))
            }
            Operand::Const(offset) if value && kind != ValueKind::Quad => {
                let low = self.bank_word(u32::from(offset))?;
                let high = if pair { self.bank_word(u32::from(offset) + 4)? } else { 0 };
                Ok(self.pooled(low, high, pair))
            }
            Operand::Special(special) if op == Op::Mov => Ok(self.special(special)),
            Operand::Dequeue { queue, .. } if value != (queue == Queue::Predicate) => {
                Ok(Source::Queued)
            }
            _ => Err("not an operand of this kind".to_string()),
        }
    }

    fn bank_word(&self, offset: u32) -> Result<u32, String> {
        let start = offset as usize;
        let word = self.bank.get(start..start + 4);
        let Some(Ok(bytes)) = word.map(<[u8; 4]>::try_from) else {
            return Err(format!("constant {offset:#x} is outside of the bank"));
        };
        Ok(u32::from_le_bytes(bytes))
    }

    fn special(&mut self, special: Special) -> Source {
        let word = match special {
            Special::TidX => return Source::Thread(0),
            Special::TidY => return Source::Thread(1),
            Special::TidZ => return Source::Thread(2),
            Special::CtaidX => return Source::Block(0),
            Special::CtaidY => return Source::Block(1),
            Special::CtaidZ => return Source::Block(2),
            Special::NtidX => self.block[0],
            Special::NtidY => self.block[1],
            Special::NtidZ => self.block[2],
            Special::NctaidX => self.grid[0],
            Special::NctaidY => self.grid[1],
            Special::NctaidZ => self.grid[2],
            Special::WarpSize => self.width as u32,
            Special::DynamicShared => self.dynamic_shared,
        };
        self.pooled(word, 0, false)
    }

    fn pooled(&mut self, low: u32, high: u32, pair: bool) -> Source {
        if !pair {
            let low = self.row(&[low]);
            return Source::Pool { low, high: low, pair };
        }
        let low = self.row(&[low, high]);
        Source::Pool { low, high: low + 1, pair }
    }

    /// The index of the first of pool rows each full of a word, one after the other.
    fn row(&mut self, words: &[u32]) -> u32 {
        let (first, count) = (3 * self.shape.warps() as usize, self.pool.len() / self.width);
        let has = |row: usize| {
            let mut rows = self.pool[row * self.width..].iter().step_by(self.width);
            words.iter().all(|word| rows.next() == Some(word))
        };
        let found = (first..count).find(|&row| has(row));
        let row = found.unwrap_or_else(|| {
            let rows = words.iter().flat_map(|&word| std::iter::repeat_n(word, self.width));
            self.pool.extend(rows);
            count
        });
        row as u32
    }

    /// Fills in which scoreboard entries an instruction needs and writes.
    fn dependences(&self, decoded: &mut Decoded) {
        let predicate = |index: u16| self.registers.max(1) as usize + usize::from(index);
        let mut needs = Entries::default();
        for source in decoded.sources {
            match source {
                Source::Register { index, words } => {
                    (0..u16::from(words)).for_each(|i| needs.push(usize::from(index + i)));
                }
                Source::Predicate { index, .. } => needs.push(predicate(index)),
                _ => {}
            }
        }
        if let Some((index, _)) = decoded.guard {
            needs.push(predicate(index));
        }
        let mut writes = Entries::default();
        match decoded.target {
            Target::None => {}
            // The entry after the last register's is a predicate's.
            Target::Register { index, .. } if Planted::ScoreboardOffByOne.is_on() => {
                writes.push(usize::from(index) + 1);
            }
            Target::Register { index, words } => {
                (0..u16::from(words)).for_each(|i| writes.push(usize::from(index + i)));
            }
            Target::Predicate(index) => writes.push(predicate(index)),
        }
        writes.iter().for_each(|entry| needs.push(entry));
        decoded.needs = needs;
        decoded.writes = writes;
    }
}

/// The convergence barrier of an instruction, or the groups that its wait for copies leaves pending.
fn barrier(from: &reconverge_isa::Instruction) -> u8 {
    match (from.op.row().effect, from.sources[0]) {
        (Effect::AwaitCopies, Operand::Imm(pending)) => pending as u8,
        _ => from.barrier,
    }
}

/// Returns true if the result of an instruction of a space has a long latency.
fn is_long(row: &Row, space: Space) -> bool {
    match row.effect {
        Effect::Load => matches!(space, Space::Generic | Space::Global | Space::Local),
        Effect::Atomic => space != Space::Shared,
        Effect::Divide => true,
        Effect::Compute => {
            matches!(row.unit, Unit::FloatDivide | Unit::DoubleDivide | Unit::Special)
        }
        _ => false,
    }
}

/// Returns true for atomics on two bytes.
fn accesses_two_bytes(op: Op) -> bool {
    matches!(op, Op::AtomCas16 | Op::AtomAddF16 | Op::AtomAddBf16)
}
