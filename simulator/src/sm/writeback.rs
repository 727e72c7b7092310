//! Write-back: results of loads and of pipes go to the register file, and are handed on as [`Written`].

use reconverge_isa::planted::Planted;

use super::audit::ResultId;
use super::observe::Observer;
use super::operand_collector::{Flight, OperandCollector};
use super::residency::{Candidate, Residency};
use crate::handles::{LoadId, Token, WarpSlot};
use crate::mechanisms::event::EventSet;
use crate::mechanisms::register_file::{Destination, ResultRegisters};
use crate::observe::trace::End;
use crate::program::decoded::Decoded;
use crate::sm::issue::ports::Written;
use crate::sm::issue::scoreboard::Ready;
use crate::sm::lsu::loads::Load;
use crate::sm::lsu::request::PartialHit;

/// The ports of write-back: the register file, and the components that track results in flight.
pub(super) struct WritePorts<'a> {
    pub(super) now: u64,
    pub(super) collector: &'a mut OperandCollector,
    pub(super) residency: &'a mut Residency,
    pub(super) observer: &'a mut Observer,
}

impl WritePorts<'_> {
    /// Writes a result of a candidate's instruction to the register file. Returns the cycle of its
    /// arrival.
    #[inline(always)]
    fn write(
        &mut self,
        candidate: Candidate,
        warp: WarpSlot,
        result: Option<&Destination>,
        ready: u64,
    ) -> u64 {
        let Some(result) = result else {
            return ready;
        };
        if self.collector.events().has(EventSet::WRITING) {
            self.raise_writing(candidate, warp, result);
        }
        self.collector.write(warp, result, ready, self.now)
    }

    /// The same in some lanes of a hardware warp.
    #[inline(always)]
    fn write_lanes(
        &mut self,
        candidate: Candidate,
        warp: WarpSlot,
        lanes: u64,
        result: Option<&ResultRegisters>,
        ready: u64,
    ) -> u64 {
        let result = result.map(|result| self.collector.destination(warp, lanes, result));
        self.write(candidate, warp, result.as_ref(), ready)
    }

    #[cold]
    fn raise_writing(&mut self, candidate: Candidate, warp: WarpSlot, result: &Destination) {
        let of_block = self.residency.scheme().warp_of(usize::from(candidate.slot.0));
        let threads = self.residency.slot(candidate.block).threads();
        self.collector.raise_writing(warp, result, threads, of_block);
    }

    /// A load has ended; its last word arrives in cycle `ready`.
    #[inline]
    pub(super) fn load<'a>(&mut self, id: LoadId, load: &'a Load, ready: u64) -> Written<'a> {
        let candidate = Candidate { block: load.block, slot: load.slot };
        let warp = self.residency.hardware_of(candidate);
        let result = load.result.as_ref();
        let written = self.write_lanes(candidate, warp, load.lanes, result, ready);
        let resident = self.residency.slot_mut(load.block);
        let candidate_id = resident.id(candidate.slot);
        resident.audited().1.loaded(ResultId::Load(id), written);
        resident.end();
        if let Some(recorder) = self.observer.recorder() {
            recorder.loaded(id, written);
        }
        let (pending, ready) = (Ready::pending(id), Ready::loaded(written));
        Written { candidate, id: candidate_id, writes: &load.writes, pending, ready }
    }

    /// Some lanes of a load have hit in the L1: they have their registers, and the scheme may let
    /// them continue without the others.
    #[cold]
    pub(super) fn part_of_load<'a>(&mut self, hit: &PartialHit, load: &'a Load) -> Written<'a> {
        let &PartialHit { load: id, missed, ready } = hit;
        let candidate = Candidate { block: load.block, slot: load.slot };
        let warp = self.residency.hardware_of(candidate);
        let lanes = load.lanes & !missed;
        let written = self.write_lanes(candidate, warp, lanes, load.result.as_ref(), ready);
        let resident = self.residency.slot_mut(load.block);
        let candidate_id = resident.id(candidate.slot);
        let (block, audit) = resident.audited();
        audit.partly_loaded(ResultId::Load(id), missed, written);
        block.missed(candidate.slot, id, missed);
        let (pending, ready) = (Ready::pending(id), Ready::loaded(written));
        Written { candidate, id: candidate_id, writes: &load.writes, pending, ready }
    }

    /// An instruction that does not pass the operand collector starts in cycle `start`; its result
    /// arrives in cycle `end`.
    #[inline(always)]
    pub(super) fn at_once(
        &mut self,
        candidate: Candidate,
        instruction: &Decoded,
        start: u64,
        end: u64,
    ) {
        let resident = self.residency.slot_mut(candidate.block);
        resident.expect_result(instruction, ResultId::AtOnce);
        resident.know_result(ResultId::AtOnce, end);
        if let Some(recorder) = self.observer.recorder() {
            let token = self.collector.token();
            recorder.collects(token, None);
            recorder.starts(token, start, End::Known(end));
            self.collector.give_back(token);
        }
    }

    /// An instruction has started in its pipe; its result arrives in cycle `end`.
    #[inline(always)]
    pub(super) fn computed<'a>(
        &mut self,
        token: Token,
        flight: &Flight,
        instruction: &'a Decoded,
        end: u64,
    ) -> Written<'a> {
        let (&Flight { candidate, warp, lanes, .. }, writes) = (flight, &instruction.writes);
        let written = self.write_lanes(candidate, warp, lanes, instruction.result(), end);
        if let Some(recorder) = self.observer.recorder() {
            recorder.starts(token, self.now, End::Known(written));
        }
        let early = u64::from(Planted::ResultEarly.is_on());
        let (pending, ready) = (Ready::collecting(token), Ready::computed(written - early));
        let resident = self.residency.slot_mut(flight.candidate.block);
        resident.audited().1.loaded(ResultId::Collecting(token), written);
        let &Flight { candidate, id, .. } = flight;
        Written { candidate, id, writes, pending, ready }
    }
}
