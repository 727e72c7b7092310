//! Write-back: results of pipes and of loads go to registers, and whoever waits for them learns it.

use reconverge_planted::Planted;

use super::audit::ResultId;
use super::issue::Ready;
use super::lsu::{Load, LoadId, PartialHit};
use super::operand_collector::{Flight, Token};
use super::residency::Candidate;
use super::{Context, Sm};
use crate::path::SlotId;
use crate::trace::End;

impl Sm {
    /// Tells those concerned what has come from memory; whether a candidate's state changed.
    pub(super) fn write_back(&mut self, context: &mut Context) -> bool {
        let mut has_news = false;
        if let Some(hit) = self.lsu.take_partial_hit() {
            self.write_partly(&hit, context);
            has_news = true;
        }
        for number in self.frontend.take_filled() {
            let (queue, local) = self.issue.local(number);
            // Another path may stand there by now.
            if queue.waits_for_instructions(local) {
                let Candidate { block, slot } = self.residency.candidate(number);
                self.refresh(context.code, usize::from(block), slot, None, context.now);
            }
            has_news = true;
        }
        while let Some((id, load, ready)) = self.lsu.take_finished() {
            self.write_load(id, &load, ready, context);
            has_news = true;
        }
        has_news
    }

    /// A load has ended.
    fn write_load(&mut self, id: LoadId, load: &Load, ready: u64, context: &mut Context) {
        let index = usize::from(load.block);
        let candidate = Candidate { block: load.block, slot: SlotId(load.slot) };
        let slots = self.residency.scheme.slots_per_warp;
        let resident = self.residency.slots.get_mut(index);
        let warp = resident.hardware[usize::from(load.slot) / slots];
        let written = self.collector.write(warp, load.result, ready, context.now);
        resident.audit.loaded(ResultId::Load(id), written);
        if let Some(recorder) = &mut self.observer.recorder {
            recorder.loaded(id, written);
        }
        resident.outstanding -= 1;
        let times = (Ready::pending(id), Ready::loaded(written));
        self.resolve(context.code, candidate, &load.writes, times, context.now);
        if self.residency.scheme.wants_misses {
            let block = self.residency.slots.block_mut(index);
            block.divergence.loaded(candidate.slot, id.0, &mut block.paths);
            self.refresh_parted(context.code, candidate, context.now);
        }
        self.free_if_done(index, context);
    }

    /// Of a load some lanes have hit in the first-level cache: they have their registers, and the scheme may
    /// let them go on without the others.
    #[cold]
    fn write_partly(&mut self, hit: &PartialHit, context: &Context) {
        let &PartialHit { load: id, missed, ready } = hit;
        let &Load { block, slot, result, .. } = self.lsu.load(id);
        let candidate = Candidate { block, slot: SlotId(slot) };
        let slots = self.residency.scheme.slots_per_warp;
        let index = usize::from(block);
        let pending = Ready::pending(id);
        let boards = self.issue.scoreboards(index);
        if !boards.awaits_beside(pending, missed) {
            return;
        }
        let resident = self.residency.slots.get_mut(index);
        let warp = resident.hardware[usize::from(slot) / slots];
        let written = self.collector.write(warp, result, ready, context.now);
        boards.come(pending, missed, Ready::loaded(written));
        resident.audit.partly_loaded(ResultId::Load(id), missed, written);
        let block = &mut resident.block;
        block.divergence.missed(candidate.slot, id.0, missed, &mut block.paths);
        self.refresh_parted(context.code, candidate, context.now);
    }

    /// Lets instructions read operands and start in their pipes, whose results are then known.
    pub(super) fn step_collector(&mut self, context: &mut Context) -> bool {
        if self.collector.next_event() > context.now {
            return false;
        }
        self.collector.step(context.now, &mut self.pipes, self.lsu.room());
        let left = self.collector.take_left();
        for &token in &left {
            if let Some(flight) = self.collector.end(token) {
                self.start_pipe(token, flight, context);
            }
        }
        self.collector.reuse(left);
        true
    }

    /// An instruction starts in its pipe, or joins the queue of the load/store unit.
    fn start_pipe(&mut self, token: Token, flight: Flight, context: &mut Context) {
        let now = context.now;
        let unit = *self.pipes.unit(flight.unit);
        let index = usize::from(flight.candidate.block);
        self.residency.slots.get_mut(index).outstanding -= 1;
        if let Some(mut request) = flight.request {
            request.ready = now + unit.latency;
            if let Some(recorder) = &mut self.observer.recorder {
                request.traced = recorder.starts(token, now, End::InMemory(request.ready));
            }
            self.lsu.push(request);
        } else {
            let end = now + unit.latency + (flight.passes - 1) * unit.initiation;
            let written = self.collector.write(flight.warp, flight.result, end, now);
            if let Some(recorder) = &mut self.observer.recorder {
                recorder.starts(token, now, End::Known(written));
            }
            let early = u64::from(Planted::ResultEarly.is_on());
            let ready = Ready::computed(written - early);
            let id = ResultId::Collecting(token);
            self.residency.slots.get_mut(index).audit.loaded(id, written);
            let pending = Ready::collecting(token);
            self.resolve(context.code, flight.candidate, &flight.writes, (pending, ready), now);
        }
        self.refresh_readers(context.code, flight.candidate, now);
        self.free_if_done(index, context);
    }
}
