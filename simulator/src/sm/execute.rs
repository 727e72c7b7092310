//! Execution: the next instruction of a candidate's path takes effect when it issues; time follows.

use reconverge_isa::Effect;

use super::residency::{Candidate, Residency, SlotContents};
use crate::block::Block;
use crate::block::issued::Issued;
use crate::block::path::{Lanes, SlotId};
use crate::execute::Executor;
use crate::mechanisms::affine::slot::{Affine, BlockViewMut};
use crate::memory::device::GlobalPort;
use crate::memory::log::Log;
use crate::observe::count::count;
use crate::observe::executions::Executions;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::run::fault::Trap;
use crate::run::livelock::{BackwardBranch, Key};
use crate::run::stuck::fingerprint;
use crate::sm::context::Outcome;
use crate::sm::unwritten::ReadTime;

/// The ports of execution, beside the blocks.
pub(super) struct ExecutionPorts<'e, 'a, 'm> {
    pub(super) now: u64,
    pub(super) executor: &'e mut Executor,
    pub(super) global: &'a mut GlobalPort<'m>,
    pub(super) affine: Option<&'a mut (dyn Affine + 'static)>,
    pub(super) statistics: &'a mut Statistics,
    /// The executions of each instruction.
    pub(super) executions: &'a mut Executions,
    pub(super) outcome: &'a mut Outcome,
    /// A livelock is being searched for.
    pub(super) searching: bool,
    /// A later stage needs the lanes of the path.
    pub(super) keeps_lanes: bool,
    /// A later stage needs the values that predicates are computed from.
    pub(super) keeps_compared: bool,
    /// When the instruction reads its operands, if registers are written late.
    pub(super) read_time: Option<ReadTime>,
}

/// An instruction that was executed and is to pass through the pipeline.
pub(super) struct Executed<'e, 'c> {
    pub(super) instruction: &'c Decoded,
    pub(super) issued: Issued<'e>,
    /// The scoreboard of its path before it.
    pub(super) scoreboard: u16,
}

/// The state before an instruction, as far as later stages need it. It is apart from [`Executed`],
/// which thus has nothing to drop and stays in registers.
#[derive(Default)]
pub(super) struct StateBefore {
    /// The lanes of its path.
    pub(super) lanes: Option<Lanes>,
    /// A digest of the sources of an instruction that writes a predicate, if a scheduler receives
    /// it.
    pub(super) compared: Option<u64>,
}

impl Executed<'_, '_> {
    /// Returns true if it passes the register file. All straight instructions but branches do.
    #[inline(always)]
    pub(super) fn collects<const STRAIGHT: bool>(&self) -> bool {
        match STRAIGHT {
            true => self.instruction.effect != Effect::Branch,
            false => self.instruction.collects(),
        }
    }

    /// Returns true if it is control flow that did anything. A wait for a counter holds its path by its stall
    /// count only, and one for copies is over.
    #[inline(always)]
    pub(super) fn is_control(&self, collects: bool) -> bool {
        let waits = matches!(self.instruction.effect, Effect::Depbar | Effect::AwaitCopies);
        !collects && self.acts() && !waits
    }

    /// Returns true if it did anything.
    #[inline]
    pub(super) fn acts(&self) -> bool {
        self.issued.mask != 0 || self.instruction.effect == Effect::Branch
    }
}

/// Executes the next instruction of a candidate's path; nothing if that has to wait for an atomic which takes place
/// at the epoch's end. `STRAIGHT` is for instructions that concern no other path, and of which no mechanism is notified;
/// the others leave in `before` the state that later stages need.
#[inline(always)]
pub(super) fn execute<'e, 'c, const STRAIGHT: bool>(
    residency: &mut Residency,
    code: &'c Code,
    candidate: Candidate,
    mut ports: ExecutionPorts<'e, '_, '_>,
    before: &mut Option<StateBefore>,
) -> Result<Option<Executed<'e, 'c>>, Box<Trap>> {
    let Candidate { block: place, slot } = candidate;
    let resident = residency.slot_mut(place);
    let path = resident.paths().path(slot);
    let (pc, scoreboard) = (path.pc, path.scoreboard);
    let instruction = &code.instructions[pc as usize];
    // First, since all that follows reads registers: whether a load must wait depends on its address.
    if !STRAIGHT && let Some(time) = ports.read_time {
        write_due(resident, code, slot, instruction, time);
    }
    if !STRAIGHT {
        prepare(resident, code, candidate, instruction, &ports)?;
    }
    if (!STRAIGHT || instruction.effect != Effect::Compute)
        && let Some(log) = ports.global.log()
    {
        let reads = matches!(instruction.effect, Effect::Load | Effect::Copy);
        let may_wait = !STRAIGHT && reads && log.has_atomics();
        if may_wait && must_wait(resident, slot, code, ports.executor, log) {
            return Ok(None);
        }
        (log.now, log.place) = (ports.now, place);
    }
    if !STRAIGHT {
        raise_operands(resident, code, slot, instruction, &mut ports);
    }
    let (block, audit) = resident.audited();
    if !STRAIGHT {
        *before = Some(state_before(block, code, slot, instruction, &mut ports));
    }
    let ExecutionPorts { now, executor, global, affine, statistics, executions, outcome, .. } =
        ports;
    let issued = block.step::<STRAIGHT>(code, slot, now, executor, global)?;
    let lanes = match STRAIGHT {
        true => None,
        false => before.as_ref().and_then(|before| before.lanes.as_ref()),
    };
    if let Some(lanes) = lanes {
        audit.issued(lanes, issued.mask);
    }
    if !STRAIGHT && let Some(affine) = affine {
        if let Some(lanes) = lanes {
            let written = BlockViewMut { code, slot: place, threads: &mut block.threads };
            affine.approximate(written, instruction, lanes, issued.mask, statistics);
        }
        affine.issued(instruction.queue.is_some(), issued.progress, now);
    }
    if !STRAIGHT && let Some((unwritten, threads)) = resident.unwritten() {
        unwritten.after(&mut threads.registers, issued.mask, code.shape.width as usize);
    }
    outcome.instructions += 1;
    if !(STRAIGHT && executions.count(&issued)) {
        count_singly(statistics, code, instruction, issued);
    }
    if issued.progress | issued.changed {
        outcome.progress = true;
        outcome.backward.clear();
    } else if !STRAIGHT && issued.backward && ports.searching && resident.is_written() {
        note_turn(code, resident.block(), slot, global, outcome);
    }
    Ok(Some(Executed { instruction, issued, scoreboard }))
}

/// Counts an instruction by itself. Inlined, the addresses of its many counters would be computed in each cycle, before
/// the loop over the schedulers.
#[inline(never)]
fn count_singly(statistics: &mut Statistics, code: &Code, instruction: &Decoded, issued: Issued) {
    count(statistics, code, instruction, &issued);
}

/// Writes the results that the next instruction of a slot's path can read, which reads its operands at a time.
#[cold]
fn write_due(
    resident: &mut SlotContents,
    code: &Code,
    slot: SlotId,
    instruction: &Decoded,
    time: ReadTime,
) {
    let &Lanes::Warp { warp, .. } = &resident.paths().path(slot).lanes else { return };
    if let Some((unwritten, threads)) = resident.unwritten() {
        unwritten.before(&mut threads.registers, code, instruction, usize::from(warp), time);
    }
}

/// The state before an instruction: after the step the slot may have other lanes.
#[inline]
fn state_before(
    block: &Block,
    code: &Code,
    slot: SlotId,
    instruction: &Decoded,
    ports: &mut ExecutionPorts,
) -> StateBefore {
    let lanes = &block.paths.path(slot).lanes;
    let compares = ports.keeps_compared && matches!(instruction.target, Target::Predicate(_));
    let registers = &block.threads.registers;
    StateBefore {
        lanes: (code.verify || ports.keeps_lanes).then(|| lanes.clone()),
        compared: compares.then(|| ports.executor.digest(code, instruction, registers, lanes)),
    }
}

/// Presents the next instruction of a candidate's path to the queues between two streams, and checks that its operands are there
/// and its tags right.
#[inline(never)]
fn prepare(
    resident: &mut SlotContents,
    code: &Code,
    Candidate { block: place, slot }: Candidate,
    instruction: &Decoded,
    ports: &ExecutionPorts,
) -> Result<(), Box<Trap>> {
    let (block, audit) = resident.audited();
    if instruction.queue.is_some() {
        block.present(code, slot)?;
    }
    let lanes = &block.paths.path(slot).lanes;
    if audit.is_early(lanes, instruction, ports.now) {
        return Err(block.contradiction(code, slot, "reads what is not there yet"));
    }
    if code.verify
        && let Some(affine) = &ports.affine
        && affine.is_broken(code, place, instruction, &block.threads, lanes)
    {
        return Err(block.contradiction(code, slot, "has a tag that is wrong"));
    }
    Ok(())
}

/// Passes the operands that a slot's path is about to read to a mechanism that receives them.
#[inline]
fn raise_operands(
    resident: &SlotContents,
    code: &Code,
    slot: SlotId,
    instruction: &Decoded,
    ports: &mut ExecutionPorts,
) {
    let Some(affine) = ports.affine.as_mut().filter(|affine| affine.watches_operands()) else {
        return;
    };
    let block = resident.block();
    let lanes = &block.paths.path(slot).lanes;
    let registers = &block.threads.registers;
    let mask = ports.executor.guard(code, instruction, registers, lanes, lanes.mask());
    let sources = ports.executor.sources(code, instruction, registers, lanes);
    affine.reads(instruction, sources, mask, ports.statistics);
}

/// Reports to the livelock watch a backward branch that a slot's path has taken.
#[cold]
fn note_turn(
    code: &Code,
    block: &Block,
    slot: SlotId,
    global: &mut GlobalPort,
    outcome: &mut Outcome,
) {
    // A state is whole when nothing is still to be written to registers.
    if global.log().is_none_or(|log| !log.has_atomic_of(log.place)) {
        let (pc, state) = (block.paths.path(slot).pc, fingerprint(code, block, slot));
        let key = Key::Path(block.number, slot);
        outcome.backward.push(BackwardBranch { key, pc, state });
    }
}

/// Returns true if the next instruction of a slot's path, a load, must see an atomic which takes place at the epoch's end.
#[cold]
fn must_wait(
    resident: &SlotContents,
    slot: SlotId,
    code: &Code,
    executor: &mut Executor,
    log: &Log,
) -> bool {
    let block = resident.block();
    let (path, threads) = (block.paths.path(slot), &block.threads);
    let instruction = &code.instructions[path.pc as usize];
    let lanes = &path.lanes;
    let mask = executor.guard(code, instruction, &threads.registers, lanes, lanes.mask());
    executor.awaits(code, instruction, threads, lanes, mask, log)
}
