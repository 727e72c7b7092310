//! Execution: the next instruction of a candidate's path takes effect when it issues; time follows.

use reconverge_isa::Effect;

use super::residency::{BlockSlot, Candidate, Residency};
use crate::block::issued::Issued;
use crate::block::path::{Lanes, SlotId};
use crate::execute::Executor;
use crate::mechanisms::affine::slot::Affine;
use crate::memory::device::GlobalPort;
use crate::observe::count::count;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::run::fault::Trap;
use crate::run::livelock::Key;
use crate::run::stuck::fingerprint;
use crate::sm::context::Outcome;

/// The ports of execution, beside the blocks.
pub(super) struct ExecutionPorts<'e, 'a, 'm> {
    pub(super) now: u64,
    pub(super) executor: &'e mut Executor,
    pub(super) global: &'a mut GlobalPort<'m>,
    pub(super) affine: Option<&'a mut (dyn Affine + 'static)>,
    pub(super) statistics: &'a mut Statistics,
    pub(super) outcome: &'a mut Outcome,
    /// A livelock is being searched for.
    pub(super) searching: bool,
    /// A later stage needs the lanes of the path.
    pub(super) keeps_lanes: bool,
    /// A later stage needs the values that predicates are computed from.
    pub(super) keeps_compared: bool,
}

/// An instruction that was executed and is to pass through the pipeline.
pub(super) struct Executed<'e, 'c> {
    pub(super) instruction: &'c Decoded,
    pub(super) issued: Issued<'e>,
    /// The lanes of its path before it, if a stage needs them.
    pub(super) lanes: Option<Lanes>,
    /// The scoreboard of its path before it.
    pub(super) scoreboard: u16,
    /// A digest of the sources of an instruction that writes a predicate, if a scheduler receives
    /// it.
    pub(super) compared: Option<u64>,
}

impl Executed<'_, '_> {
    /// Returns true if it did anything.
    #[inline]
    fn acts(&self) -> bool {
        self.issued.mask != 0 || self.instruction.effect == Effect::Branch
    }

    /// Returns true if it is control flow with an effect, after which its path continues later.
    #[inline]
    pub(super) fn is_control(&self) -> bool {
        self.acts() && !self.instruction.collects()
    }

    /// Returns true if it goes through the operand collector to a pipe.
    #[inline]
    pub(super) fn collects(&self) -> bool {
        self.acts() && self.instruction.collects()
    }

    /// The lanes of its path, with those in which it acted.
    #[inline]
    pub(super) fn acted(&self) -> Option<(&Lanes, u64)> {
        self.lanes.as_ref().map(|lanes| (lanes, self.issued.mask))
    }
}

impl Residency {
    /// Executes the next instruction of a candidate's path; nothing if that has to wait for an atomic which takes place
    /// at the epoch's end.
    #[inline(always)]
    pub(super) fn execute<'e, 'c>(
        &mut self,
        code: &'c Code,
        Candidate { block: place, slot }: Candidate,
        ports: ExecutionPorts<'e, '_, '_>,
    ) -> Result<Option<Executed<'e, 'c>>, Box<Trap>> {
        let ExecutionPorts { now, executor, global, mut affine, statistics, outcome, .. } = ports;
        let index = usize::from(place);
        let resident = self.slot_mut(index);
        let (block, audit) = resident.audited();
        let pc = block.paths.path(slot).pc;
        let instruction = &code.instructions[pc as usize];
        if instruction.queue.is_some() {
            block.present(code, slot)?;
        }
        let path = block.paths.path(slot);
        let scoreboard = path.scoreboard;
        if audit.is_early(&path.lanes, instruction, now) {
            return Err(block.contradiction(code, slot, "reads what is not there yet"));
        }
        if code.verify
            && let Some(affine) = &affine
            && affine.is_broken(code, index, instruction, &block.threads, &path.lanes)
        {
            return Err(block.contradiction(code, slot, "has a tag that is wrong"));
        }
        if must_wait(resident, slot, code, executor, global) {
            return Ok(None);
        }
        if let Some(log) = global.log() {
            (log.now, log.place) = (now, place);
        }
        if let Some(affine) = &mut affine
            && affine.watches_operands()
        {
            raise_operands(
                code,
                (resident, slot),
                instruction,
                executor,
                (&mut **affine, statistics),
            );
        }
        let (block, audit) = resident.audited();
        // After the step the slot may have other lanes.
        let keeps = code.verify || ports.keeps_lanes;
        let lanes = keeps.then(|| block.paths.path(slot).lanes.clone());
        let compared = (ports.keeps_compared && matches!(instruction.target, Target::Predicate(_)))
            .then(|| {
                let lanes = &block.paths.path(slot).lanes;
                executor.digest(code, instruction, &block.threads.registers, lanes)
            });
        let issued = block.step(code, slot, now, executor, global)?;
        if let Some(lanes) = &lanes {
            audit.issued(lanes, issued.mask);
            if let Some(affine) = &mut affine {
                let written = (code, index, &mut block.threads);
                affine.approximate(written, instruction, (lanes, issued.mask), statistics);
            }
        }
        if let Some(affine) = &mut affine {
            affine.issued(instruction.queue.is_some(), issued.progress, now);
        }
        outcome.instructions += 1;
        count(statistics, code, instruction, &issued);
        if issued.progress | issued.changed {
            outcome.progress = true;
            outcome.backward.clear();
        } else if issued.backward && ports.searching {
            note_turn(code, (resident, slot), global, outcome);
        }
        Ok(Some(Executed { instruction, issued, lanes, scoreboard, compared }))
    }
}

/// Notifies a mechanism of the operands that the instruction of a slot's path is about to read.
#[cold]
fn raise_operands(
    code: &Code,
    (resident, slot): (&BlockSlot, SlotId),
    instruction: &Decoded,
    executor: &mut Executor,
    (affine, statistics): (&mut dyn Affine, &mut Statistics),
) {
    let block = resident.block();
    let lanes = &block.paths.path(slot).lanes;
    let registers = &block.threads.registers;
    let mask = executor.guard(code, instruction, registers, lanes, lanes.mask());
    let sources = executor.sources(code, instruction, registers, lanes);
    affine.reads(instruction, sources, mask, statistics);
}

/// Tells the livelock watch of a backward branch that a slot's path has taken.
#[cold]
fn note_turn(
    code: &Code,
    (resident, slot): (&BlockSlot, SlotId),
    global: &mut GlobalPort,
    outcome: &mut Outcome,
) {
    // A state is whole when nothing is still to be written to registers.
    if global.log().is_none_or(|log| !log.has_atomic_of(log.place)) {
        let block = resident.block();
        let state = fingerprint(code, block, slot);
        let pc = block.paths.path(slot).pc;
        outcome.backward.push((Key::Path(block.number, slot), (pc, state)));
    }
}

/// Returns true if the next instruction of a slot's path is a load that must see an atomic which
/// takes place at the epoch's end.
#[inline]
fn must_wait(
    resident: &BlockSlot,
    slot: SlotId,
    code: &Code,
    executor: &mut Executor,
    global: &mut GlobalPort,
) -> bool {
    let Some(log) = global.log().filter(|log| log.has_atomics()) else {
        return false;
    };
    let block = resident.block();
    let path = block.paths.path(slot);
    let instruction = &code.instructions[path.pc as usize];
    if instruction.effect != Effect::Load {
        return false;
    }
    let (lanes, threads) = (&path.lanes, &block.threads);
    let mask = executor.guard(code, instruction, &threads.registers, lanes, lanes.mask());
    executor.awaits(code, instruction, threads, (lanes, mask), log)
}
