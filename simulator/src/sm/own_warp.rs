//! The slot `affine` in an SM: what its mechanism does in a cycle, and the warp that it may have of its own.

use reconverge_isa::Effect;

use super::{Context, SlotUse, Sm};
use crate::affine::{OwnIssue, OwnStart, OwnWork, Ports};
use crate::block::Issued;
use crate::decode::Decoded;
use crate::fault::Trap;
use crate::path::{Lanes, SlotId};
use crate::sm::lsu::{Load, MemRequest};

impl Sm {
    /// Calls a hook of the mechanism, if there is one; what it answers, and which warps may find in their queues what
    /// they wait for.
    fn call_mechanism<T>(
        &mut self,
        context: &mut Context,
        hook: impl FnOnce(&mut dyn crate::affine::Affine, &mut Ports) -> T,
    ) -> Option<T> {
        let affine = self.affine.as_deref_mut()?;
        let mut supplied = Vec::new();
        let constant = context.port.constant();
        let log = &context.port.deferred_log();
        let mut ports = Ports {
            code: context.code,
            now: context.now,
            sm: self.index,
            arriving: context.arriving,
            searching: context.epoch.searching,
            constant,
            has_atomic: &|block| log.is_some_and(|log| log.has_atomic_of(block)),
            blocks: &mut self.residency.slots,
            lsu: &mut self.lsu,
            memory: &mut *context.memory,
            statistics: &mut self.observer.statistics,
            supplied: &mut supplied,
            backward: &mut context.outcome.backward,
        };
        let answer = hook(affine, &mut ports);
        for (block, warp) in supplied {
            self.refresh_queued(context, block, warp);
        }
        Some(answer)
    }

    /// What the mechanism does in a cycle; whether a candidate's state changed.
    pub(super) fn step_affine(&mut self, context: &mut Context) -> bool {
        let Some(affine) = &mut self.affine else {
            return false;
        };
        affine.count(self.lsu.pinned(), &mut self.observer.statistics, context.now);
        let ticked = self.call_mechanism(context, |affine, ports| affine.tick(ports));
        let Some(ticked) = ticked else {
            return false;
        };
        if let Some(start) = ticked.starts {
            self.start_own_warp(start, context);
        }
        if ticked.resumes {
            self.refresh_queued(context, self.residency.block_slots(), 0);
        }
        ticked.has_news
    }

    /// The mechanism's own warp begins.
    fn start_own_warp(&mut self, start: OwnStart, context: &Context) {
        let (code, now) = (context.code, context.now);
        let index = self.residency.block_slots();
        self.residency.start_own_warp(start.pc, start.block);
        let number = usize::from(self.residency.slots.get(index).numbers[0]);
        let scheme = self.residency.scheme;
        let boards = self.issue.scoreboards(index);
        boards.reset(scheme.slots_per_warp, start.scoreboard_entries);
        if scheme.tracks_threads {
            boards.track_threads(1, code.shape.width as usize);
        }
        self.frontend.reset(number);
        // Older than all, since all others wait for it sooner or later.
        self.issue.set_age(number, 0);
        self.refresh(code, index, SlotId(0), Some(now), now);
    }

    /// Path slots of a warp that wait for a queue look again; they can issue in the next cycle.
    fn refresh_queued(&mut self, context: &Context, index: usize, warp: usize) {
        let slots = self.residency.scheme.slots_per_warp;
        for slot in warp * slots..(warp + 1) * slots {
            let number = usize::from(self.residency.slots.get(index).numbers[slot]);
            let (queue, local) = self.issue.local(number);
            if queue.waits_for_queue(local) {
                queue.delay(local, context.now + 1);
                self.refresh(context.code, index, SlotId(slot as u16), None, context.now);
            }
        }
    }

    /// Issues the next instruction of the mechanism's own warp.
    pub(super) fn issue_own_warp(
        &mut self,
        number: usize,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let issued = self.call_mechanism(context, |affine, ports| affine.issue_own(ports));
        let Some(OwnIssue { pc, next, work, trap }) = issued.transpose()?.flatten() else {
            return Ok(SlotUse::Idle);
        };
        let (code, now) = (context.code, context.now);
        let instruction = &code.instructions[pc as usize];
        context.outcome.instructions += 1;
        let is_control = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        let goes_on = now + if is_control { self.pipes.control_latency() } else { 1 };
        if self.observer.recorder.is_some() {
            self.record_issue(number, instruction, &Issued::of_one_lane(pc), (now, goes_on));
        }
        self.frontend.issue(number);
        self.residency.move_own_warp(next);
        match work {
            OwnWork::Nothing => {}
            OwnWork::Lanes(lanes) => {
                let unit = *self.pipes.unit(instruction.unit);
                let [narrow, wide] = unit.passes;
                let each = if instruction.is_wide() { wide / narrow } else { 1 };
                let passes = lanes.div_ceil(u64::from(unit.lanes)).max(1) * each;
                self.observer.statistics.execution_cycles += passes * unit.initiation;
                self.enter_own(number, instruction, None, (passes, now));
            }
            OwnWork::Constants(words) => {
                let index = self.residency.block_slots() as u16;
                let mut request = self.lsu.new_request();
                request.pc = pc;
                request.constants.extend(words);
                let load = Load::new(index, 0, instruction.writes, instruction.result());
                request.load = Some(self.lsu.start_load(load, &request));
                let passes = self.pipes.unit(instruction.unit).passes[0];
                self.enter_own(number, instruction, Some(request), (passes, now));
            }
        }
        if let Some(trap) = trap {
            return Err(trap);
        }
        let index = self.residency.block_slots();
        self.refresh(code, index, SlotId(0), Some(goes_on), now);
        Ok(SlotUse::Issued)
    }

    /// An instruction of the mechanism's own warp enters the operand collector.
    fn enter_own(
        &mut self,
        number: usize,
        instruction: &Decoded,
        request: Option<Box<MemRequest>>,
        (passes, now): (u64, u64),
    ) {
        let acted = Lanes::Warp { warp: 0, mask: 1 };
        let acted = self.residency.scheme.tracks_threads.then_some((&acted, 1));
        let token = self.collector.token();
        let works = (passes, instruction.operands, now);
        self.enter(number, (0, acted), instruction, (token, request), works);
    }
}
