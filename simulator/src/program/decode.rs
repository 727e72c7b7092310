//! Decoding: a kernel and its launch, resolved for execution at every instruction.
//!
//! Everything that is the same in all blocks is computed here once: operands become rows of words,
//! immediates and constants a pool of rows with one word a lane, so that every source of an
//! instruction is a slice.

use std::ops::Range;
use std::sync::Arc;

use reconverge_isa::table::{OperandKind, Row};
use reconverge_isa::{
    AffineStream, Annotations, BLOCK, Dest, Effect, Evaluator, Kernel, Locality, Op, Operand,
    Placement, Queue, RegisterLevel, Space, Special, Unit, ValueKind, Vectors, Width,
};
use reconverge_planted::Planted;

use crate::block::{computes_row, is_straight};
use crate::check::Flows;
use crate::execute::{SourceRows, moves_as_row};
use crate::mechanisms::affine::{Design, check_instruction};
use crate::mechanisms::divergence::{BlockShape, Capabilities, Layout};
use crate::mechanisms::register_file::{Operands, ResultRegisters};
use crate::observe::statistics::Statistics;
use crate::observe::tally::Sums;
use crate::program::loops::Loops;
pub(crate) use crate::program::operands::{Source, Target};
use crate::program::regions::{Misfit, Regions};
use crate::run::fault::Fault;
use crate::run::launch::Launch;
use crate::verify::claim::Register;

/// The most scoreboard entries an instruction reads or writes: three sources and a result of two
/// registers each, and a guard.
const MAX_DEPENDENCES: usize = 9;

/// A short list of scoreboard entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entries {
    list: [u16; MAX_DEPENDENCES],
    count: u8,
    /// For each entry, the bit of its number's low bits.
    bits: u64,
}

impl Entries {
    fn push(&mut self, entry: usize) {
        if let Some(place) = self.list.get_mut(usize::from(self.count)) {
            *place = entry as u16;
            self.count += 1;
            self.bits |= 1 << (entry % 64);
        }
    }

    /// Returns true if an entry is among those of both.
    #[inline]
    pub(crate) fn meet(&self, other: &Entries) -> bool {
        self.bits & other.bits != 0 && self.iter().any(|one| other.iter().any(|it| it == one))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.list[..usize::from(self.count)].iter().map(|&entry| usize::from(entry))
    }
}

impl FromIterator<usize> for Entries {
    fn from_iter<T: IntoIterator<Item = usize>>(entries: T) -> Entries {
        let mut all = Entries::default();
        entries.into_iter().for_each(|entry| all.push(entry));
        all
    }
}

/// One instruction, resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    pub(crate) op: Op,
    /// The function that evaluates it on this host.
    pub(crate) evaluator: Evaluator,
    pub(crate) effect: Effect,
    /// Index in [`Unit::ALL`].
    pub(crate) unit: u8,
    /// Index in [`Machine::resolved_units`]: of its unit, or of its operation's own timing.
    pub(crate) timing: u8,
    pub(crate) space: Space,
    /// For loads, stores and atomics.
    pub(crate) width: Width,
    pub(crate) guard: Option<(u16, bool)>,
    pub(crate) target: Target,
    pub(crate) sources: [Source; 3],
    /// The rows of its sources, if all have rows and warps have the width of the fast path.
    pub(crate) rows: Option<SourceRows>,
    /// The register that it writes, if it is one; a number that none has otherwise.
    pub(crate) target_row: u32,
    /// True if it accesses memory as rows ([`moves_as_row`]).
    pub(crate) moves_as_row: bool,
    /// The number of instructions from this one on that only compute, from rows ([`computes_row`]).
    pub(crate) computations: u32,
    /// The registers among its sources, and those that it writes.
    pub(crate) operands: Operands,
    pub(crate) result: Option<ResultRegisters>,
    /// The number of its sources that are neither registers nor predicates.
    pub(crate) other_operands: u8,
    /// The queue that it takes something from or puts something into, and the site.
    pub(crate) queue: Option<(Queue, u8)>,
    /// True if the dequeued value counts as its complement.
    pub(crate) negated: bool,
    /// A barrier that the second stream has too.
    pub(crate) matched: bool,
    /// Added to addresses modulo 2³².
    pub(crate) offset: u32,
    /// For branches and `bssy`.
    pub(crate) jump: u32,
    /// For `bssy` and `bsync`.
    pub(crate) barrier: u8,
    pub(crate) annotations: Annotations,
    /// For a load: its locality in a profile.
    pub(crate) locality: Option<Locality>,
    /// The places of its registers.
    pub(crate) placement: Placement,
    /// Its result has a long latency: it arrives from memory outside the SM, or from a unit with a
    /// long latency.
    pub(crate) is_long: bool,
    /// True if a source or the result has 64 bits or more.
    pub(crate) is_wide: bool,
    /// For a `warp.sync`: the vote, shuffle, match or reduction that follows it.
    pub(crate) leads_to: Option<Op>,
    /// True if it can be part of a straight run ([`is_straight`]).
    pub(crate) is_straight: bool,
    /// True if the checker receives each of its executions: it may set or clear a mark ([`Flows`]).
    pub(crate) is_marked: bool,
    /// True if claims are to be checked, the same for all instructions of a launch. It is a field
    /// here because issue has the instruction, but not the launch.
    pub(crate) verify: bool,
    /// Scoreboard entries that must be ready before it issues: read and written ones.
    pub(crate) needs: Entries,
    /// Scoreboard entries that it writes.
    pub(crate) writes: Entries,
}

impl Decoded {
    /// Returns true if it accesses the L1, or may: a generic address can be in shared memory too.
    pub(crate) fn accesses_cache(&self) -> bool {
        matches!(self.effect, Effect::Load | Effect::Store | Effect::Atomic)
            && matches!(self.space, Space::Global | Space::Local | Space::Generic)
    }

    /// The registers that it writes.
    #[inline]
    pub(crate) fn result(&self) -> Option<&ResultRegisters> {
        self.result.as_ref()
    }

    /// Computes [`Decoded::result`].
    fn find_result(&self) -> Option<ResultRegisters> {
        let Placement { result: level, and_main, .. } = self.placement;
        match self.target {
            Target::Register { index: register, words } => {
                Some(ResultRegisters { register, words, level, and_main, is_long: self.is_long })
            }
            _ => None,
        }
    }

    /// The lower (0) or upper (1) half of a load or store of sixteen bytes, at the same address.
    pub(crate) fn half(&self, at: u16) -> Decoded {
        let mut half = Decoded { width: Width::B64, rows: None, target_row: u32::MAX, ..*self };
        if let Target::Register { index, .. } = self.target {
            half.target = Target::Register { index: index + 2 * at, words: 2 };
            half.result = half.find_result();
        }
        if let Source::Register { index, .. } = self.sources[1] {
            half.sources[1] = Source::Register { index: index + 2 * at, words: 2 };
        }
        half
    }

    /// Its unit, the number of its sources that are no register or predicate, and its effect.
    fn counted(&self) -> (u8, u8, Effect) {
        (self.unit, self.other_operands, self.effect)
    }

    /// Returns true if control may both take it and continue.
    pub(crate) fn is_conditional(&self) -> bool {
        self.guard.is_some() || self.dequeues()
    }

    /// Returns true if it accesses memory.
    #[inline]
    pub(crate) fn accesses_memory(&self) -> bool {
        matches!(self.effect, Effect::Load | Effect::Store | Effect::Atomic)
    }

    /// Returns true if it passes the operand collector to a pipe; control flow and enqueues read no
    /// registers there.
    #[inline(always)]
    pub(crate) fn collects(&self) -> bool {
        use Effect::{Barrier, Branch, Bssy, Bsync, Enqueue, Exit};
        !matches!(self.effect, Branch | Exit | Barrier | Bssy | Bsync | Enqueue)
    }

    /// Returns true if it may have to wait for the other one of two streams.
    #[inline]
    pub(crate) fn concerns_stream(&self) -> bool {
        self.queue.is_some() | self.matched
    }

    /// Returns true if it takes something from a queue.
    pub(crate) fn dequeues(&self) -> bool {
        self.queue.is_some() && self.effect != Effect::Enqueue
    }
}

/// Returns true if a source or the result of an instruction has 64 bits or more.
fn is_wide(instruction: &Decoded) -> bool {
    let wide = |source: &Source| {
        matches!(source, Source::Register { words: 2.., .. } | Source::Pool { pair: true, .. })
    };
    matches!(instruction.target, Target::Register { words: 2.., .. })
        || instruction.sources.iter().any(wide)
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

/// Regions that do not fit are the program's fault.
fn misfit(Misfit { pc, problem }: Misfit) -> Fault {
    Fault::BadProgram { pc, problem }
}

/// A kernel, decoded for a launch.
#[derive(Debug)]
pub struct Code {
    /// The host's vector instructions that evaluate operations.
    pub(crate) vectors: Vectors,
    pub(crate) instructions: Vec<Decoded>,
    /// By place in them, the end included: the sums of those before it.
    pub(crate) sums: Vec<Sums>,
    /// The layout for divergence schemes; only if the launch's reads it.
    pub(crate) layout: Option<Layout>,
    /// Loops around loads.
    pub(crate) loops: Loops,
    /// Rows of `width` words: those of thread indices, `(warp * 3 + axis) * width + lane`, then a row for each constant.
    pub(crate) pool: Vec<u32>,
    pub(crate) shape: BlockShape,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// General registers of a thread, at least 1.
    pub(crate) registers: usize,
    /// Predicate registers of a warp, at least 1.
    pub(crate) predicates: usize,
    /// Bytes of a block's shared memory, dynamic included.
    pub(crate) shared_bytes: usize,
    /// Bytes of a thread's local memory.
    pub(crate) local_bytes: usize,
    /// True if claims are to be checked.
    pub(crate) verify: bool,
    /// The second stream, which begins after the last instruction of the first one.
    pub(crate) second_stream: Option<AffineStream>,
    /// True if it states the levels of registers.
    pub(crate) has_levels: bool,
    /// Its regions, of a kernel that has some; and of one that has none for machines which need them.
    pub(crate) regions: Option<Arc<Regions>>,
    /// True if the kernel has some.
    pub(crate) has_regions: bool,
    /// Registers below it live long.
    pub(crate) long_lived: u32,
    /// Its start in memory, in bytes from that of all code: a multiple of the largest line.
    pub(crate) place: u64,
}

impl Code {
    /// Sets the regions of the code to a kernel's, for a register file that stages registers in
    /// `banks` banks of `bank_entries` each; a region that it cannot hold rejects the launch.
    pub(crate) fn stage(
        &mut self,
        kernel: &Kernel,
        banks: u32,
        bank_entries: u32,
    ) -> Result<(), Fault> {
        let regions = match self.regions.take() {
            Some(regions) => (*regions).clone(),
            None => Regions::single(kernel),
        };
        let fitted = regions.fitted(kernel, banks, bank_entries).map_err(misfit)?;
        self.regions = Some(Arc::new(fitted));
        Ok(())
    }

    /// The statistics of a launch that has not begun: the resources of its blocks and threads.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics {
            registers: self.registers as u64,
            shared_bytes: self.shared_bytes as u64,
            ..Statistics::default()
        }
    }

    /// Decodes and checks a kernel for a valid launch, on a machine with warps of `width` lanes,
    /// for a divergence scheme and the mechanism of the slot `affine`.
    pub(crate) fn new(
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
            place: 0,
        })
    }

    /// Marks the instructions whose executions the checker receives, because they may set or clear a mark.
    pub(crate) fn mark(&mut self, flows: &Flows) {
        for (pc, instruction) in self.instructions.iter_mut().enumerate() {
            instruction.is_marked = flows.is_marked(pc, instruction);
            instruction.is_straight &= !instruction.is_marked;
        }
        count_computations(&mut self.instructions);
    }

    /// The counted properties of each instruction.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (u8, u8, Effect)> {
        self.instructions.iter().map(Decoded::counted)
    }

    /// The next instructions that only compute: `count` of them, at least one, follow from a place
    /// on. Limited to `most`, and to those before `end` if that is later.
    #[inline(always)]
    pub(crate) fn computations(&self, (pc, count): (u32, u32), most: u32, end: u32) -> &[Decoded] {
        let further = (count - 1).min(most - 1).min(end.wrapping_sub(pc + 1));
        self.instructions.get(pc as usize..(pc + 1 + further) as usize).unwrap_or_default()
    }

    /// The indices along an axis of the threads of a warp, by lane.
    pub(crate) fn thread_row(&self, warp: usize, axis: usize) -> &[u32] {
        let width = self.shape.width as usize;
        &self.pool[(warp * 3 + axis) * width..][..width]
    }

    /// A thread's index in the block from its number.
    pub(crate) fn thread_index(&self, thread: u32) -> [u32; 3] {
        split(thread, self.block)
    }

    /// The row of a block's registers that has its index along the first axis.
    #[inline(always)]
    pub(crate) fn block_row(&self) -> usize {
        self.shape.warps() as usize * self.registers
    }

    /// A block's index in the grid from its number.
    pub(crate) fn block_index(&self, block: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(u64::from);
        [block % x, block / x % y, block / x / y].map(|i| i as u32)
    }

    /// Entries of one scoreboard: general registers, then predicates.
    pub(crate) fn scoreboard_entries(&self) -> usize {
        self.registers + self.predicates
    }

    /// The register of a scoreboard entry.
    pub(crate) fn register(&self, entry: usize) -> Register {
        match entry.checked_sub(self.registers) {
            None => Register::General(entry as u16),
            Some(predicate) => Register::Predicate(predicate as u16),
        }
    }

    /// The scoreboard entry of a predicate.
    pub(crate) fn predicate_entry(&self, index: u16) -> usize {
        self.registers + usize::from(index)
    }

    /// The scoreboard entries that a source is read from.
    pub(crate) fn source_entries(&self, source: Source) -> Range<usize> {
        match source {
            Source::Register { index, words } => general_entries(index, words),
            Source::Predicate { index, .. } => one(self.predicate_entry(index)),
            _ => 0..0,
        }
    }

    /// The scoreboard entries that a result is written to.
    pub(crate) fn target_entries(&self, target: Target) -> Range<usize> {
        match target {
            Target::None => 0..0,
            Target::Register { index, words } => general_entries(index, words),
            Target::Predicate(index) => one(self.predicate_entry(index)),
        }
    }
}

fn one(entry: usize) -> Range<usize> {
    entry..entry + 1
}

fn general_entries(index: u16, words: u8) -> Range<usize> {
    usize::from(index)..usize::from(index) + usize::from(words)
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
            Effect::Branch | Effect::Exit | Effect::Barrier => operation = None,
            _ => {}
        }
    }
}

/// Says of each instruction how many from it on only compute.
fn count_computations(instructions: &mut [Decoded]) {
    let mut computations = 0;
    for instruction in instructions.iter_mut().rev() {
        computations = if computes_row(instruction) { computations + 1 } else { 0 };
        instruction.computations = computations;
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

fn split(number: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    [number % x, number / x % y, number / x / y]
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
            _ => from.width,
        };
        let dequeues = from.dequeues();
        let mut sources = [Source::None; 3];
        for (i, source) in sources.iter_mut().enumerate() {
            let given = from.sources[i];
            *source = match row.sources.get(i) {
                None if given == Operand::None => Source::None,
                None if i == 0 && row.effect == Effect::Branch && dequeues.is_some() => {
                    Source::Queued
                }
                None => return Err(format!("`{}` has no source {}", row.mnemonic, i + 1)),
                Some(_) if row.effect == Effect::Atomic && i == 2 && given == Operand::None => {
                    Source::None
                }
                Some((name, kind)) => self
                    .source(given, kind.value(width), from.op)
                    .map_err(|problem| format!("source `{name}`: {problem}"))?,
            };
        }
        let guard = from.guard.map(|g| (u16::from(g.predicate.0), g.negated));
        if let Some((index, _)) = guard {
            self.predicate(index)?;
            if row.effect == Effect::Barrier {
                return Err("a barrier takes no guard".to_string());
            }
        }
        if from.op.names_lanes() && self.width > 32 {
            return Err(format!(
                "`{}` has 32 bits for lanes; warps of this machine have {}",
                row.mnemonic, self.width
            ));
        }
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
            space: from.space,
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
            barrier: from.barrier,
            annotations: from.annotations,
            locality: from.hints.locality,
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
        };
        self.complete(&mut decoded)?;
        Ok(decoded)
    }

    /// Fills in the fields that follow from the rest of an instruction.
    fn complete(&self, decoded: &mut Decoded) -> Result<(), String> {
        if let Target::Register { index, words: 1 } = decoded.target {
            decoded.target_row = u32::from(index);
        }
        decoded.is_wide = is_wide(decoded);
        decoded.result = decoded.find_result();
        decoded.is_straight = is_straight(decoded);
        decoded.moves_as_row = moves_as_row(decoded);
        decoded.check_placement()?;
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

/// A unit's place in [`Unit::ALL`].
pub(crate) fn unit_index(unit: Unit) -> u8 {
    let index = Unit::ALL.iter().position(|(known, _)| *known == unit);
    index.unwrap_or(0) as u8
}

/// Returns true for atomics on two bytes.
fn accesses_two_bytes(op: Op) -> bool {
    matches!(op, Op::AtomCas16 | Op::AtomAddF16 | Op::AtomAddBf16)
}
