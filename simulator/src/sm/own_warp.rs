//! The slot `affine` in an SM: its mechanism's work in a cycle, and the warps that it may have of
//! its own.

use crate::handles::CandidateId;
use reconverge_isa::Effect;

use super::Sm;
use super::dispatch::Work;
use super::residency::Candidates;
use crate::block::issued::Issued;
use crate::block::path::Lanes;
use crate::mechanisms::affine::slot::{Affine, OwnIssue, OwnStart, OwnWork, Ports};
use crate::mechanisms::event::Event;
use crate::observe::slot_use::SlotUse;
use crate::run::fault::Trap;
use crate::sm::context::Context;
use crate::sm::issue::queue::blocked::BlockedSet;
use crate::sm::issue::scoreboard::{Outstanding, Writer};
use crate::sm::lsu::loads::Load;

impl Sm {
    /// Calls a hook of the mechanism, if there is one, and returns its result. Warps that may find
    /// their operands in their queues check again.
    fn call_mechanism<T>(
        &mut self,
        context: &mut Context,
        hook: impl FnOnce(&mut dyn Affine, &mut Ports) -> T,
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
            blocks: self.residency.blocks_mut(),
            lsu: &mut self.lsu,
            memory: &mut *context.memory,
            statistics: self.observer.statistics(),
            supplied: &mut supplied,
            backward: &mut context.outcome.backward,
        };
        let answer = hook(affine, &mut ports);
        for (block, warp) in supplied {
            self.wake_queued(self.residency.of_warp(block, warp), context);
        }
        Some(answer)
    }

    /// The mechanism's work in a cycle; whether a candidate's state changed.
    #[inline(never)]
    pub(super) fn step_affine(&mut self, context: &mut Context) -> bool {
        let Some(affine) = &mut self.affine else {
            return false;
        };
        affine.count(self.lsu.held_lines(), self.observer.statistics(), context.now);
        let ticked = self.call_mechanism(context, |affine, ports| affine.tick(ports));
        let Some(ticked) = ticked else {
            return false;
        };
        if let Some(start) = ticked.starts {
            self.start_own_warp(start, context);
        }
        let mut resumes = ticked.resumes;
        while resumes != 0 {
            let own = self.residency.own_warp(resumes.trailing_zeros() as usize);
            resumes &= resumes - 1;
            self.wake_queued(self.residency.of_warp(own.block, 0), context);
        }
        ticked.has_news
    }

    /// A queue has an entry or room: candidates that it blocks can issue in the next cycle.
    fn wake_queued(&mut self, candidates: Candidates, context: &Context) {
        let (code, now) = (context.code, context.now);
        let (issue, mut ports) = self.issue(code, now);
        issue.wake(candidates, BlockedSet::QUEUES, Some(now + 1), &mut ports);
    }

    /// A warp of the mechanism's own begins.
    fn start_own_warp(&mut self, start: OwnStart, context: &Context) {
        let (code, now) = (context.code, context.now);
        let own = self.residency.own_warp(start.warp);
        let index = own.block;
        self.residency.start_own_warp(start.warp, start.pc, start.block);
        let id = self.residency.slot(index).id(own.slot);
        let scheme = self.residency.scheme();
        let (scoreboards, entries) = (scheme.slots_per_warp, start.scoreboard_entries);
        self.issue.reset(index, scoreboards, entries, Outstanding::One);
        if scheme.tracks_threads {
            self.issue.track_threads(index, 1, code.shape.width as usize);
        }
        self.frontend.reset(id);
        // Older than all, since all others wait for it sooner or later.
        self.issue.set_age(id, 0);
        self.issue.raise(id, |candidate| Event::AffineWarpStarted { candidate });
        let (issue, mut ports) = self.issue(code, now);
        issue.refresh(own, Some(now), &mut ports);
    }

    /// Issues the next instruction of a warp of the mechanism's own.
    pub(super) fn issue_own_warp(
        &mut self,
        warp: usize,
        id: CandidateId,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let issued = self.call_mechanism(context, |affine, ports| affine.issue_own(warp, ports));
        let Some(OwnIssue { pc, next, work, trap }) = issued.transpose()?.flatten() else {
            return Ok(SlotUse::Idle);
        };
        let (code, now) = (context.code, context.now);
        let instruction = &code.instructions[pc as usize];
        context.outcome.instructions += 1;
        let is_control = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        let mut goes_on = now + if is_control { self.pipes.control_latency() } else { 1 };
        if let OwnWork::Unit { last, lanes: 1.. } = work {
            // The scoreboard waits for the lanes' result, this for the unit's part.
            goes_on = goes_on.max(last);
        }
        let issued = Issued::of_one_lane(pc);
        if self.observer.records() {
            self.record_issued(id, code, instruction, &issued, now, goes_on);
        }
        self.frontend.issue(id);
        self.residency.move_own_warp(warp, next);
        let own = self.residency.own_warp(warp);
        let unit = *self.pipes.unit(instruction.timing);
        let acted = Lanes::Warp { warp: 0, mask: 1 };
        let lanes = self.residency.scheme().tracks_threads.then_some((&acted, 1));
        let writer = Writer { scoreboard: 0, lanes };
        let work = match work {
            OwnWork::Nothing => None,
            OwnWork::Unit { lanes: 0, last } => {
                self.execute_at_once(id, writer, instruction, 1, last, now);
                None
            }
            OwnWork::Lanes(lanes) | OwnWork::Unit { lanes, .. } => {
                let [narrow, wide] = unit.passes;
                let each = if instruction.is_wide { wide / narrow } else { 1 };
                let passes = lanes.div_ceil(u64::from(unit.lanes)).max(1) * each;
                self.observer.statistics().execution_cycles += passes * unit.initiation;
                let operands = &instruction.operands;
                Some(Work { pc, operands, lanes: 1, passes, request: None })
            }
            OwnWork::Constants(words) => {
                let mut request = self.lsu.new_request();
                request.pc = pc;
                request.constants.extend(words);
                let (writes, result) = (instruction.writes, instruction.result().copied());
                let load = Load::new(own.block, own.slot, writes, result, 1);
                request.load = Some(self.lsu.start_load(load, &request));
                let (operands, passes) = (&instruction.operands, unit.passes[0]);
                Some(Work { pc, operands, lanes: 1, passes, request: Some(request) })
            }
        };
        if let Some(work) = work {
            let candidate = self.residency.candidate(id);
            self.collect(candidate, id, writer, instruction, work, now);
        }
        if let Some(trap) = trap {
            return Err(trap);
        }
        let (issue, mut ports) = self.issue(code, now);
        issue.refresh(own, Some(goes_on), &mut ports);
        Ok(SlotUse::Issued)
    }
}
