//! The affine warp: what it runs for, how its instructions issue, and what it puts into its queue.

use reconverge_isa::Effect;

use super::{AffineUnit, Content, Cursor, Entry, Running};
use crate::affine::decoupled::{AffineWarp, Batch, Broken, Event};
use crate::block::Issued;
use crate::decode::{Decoded, Target};
use crate::fault::{Trap, TrapKind};
use crate::functional::count_affine;
use crate::path::{Lanes, NEVER as NOWHERE, Path, SlotId};
use crate::sm::issue::Ready;
use crate::sm::issue::SlotUse;
use crate::sm::lsu::Load;
use crate::sm::{Context, Sm};

impl AffineUnit {
    /// Puts something into the tuple queue; the block and site if a block that it is for has ended.
    fn push(&mut self, content: Content) -> Result<(), (u64, u8)> {
        let Some(running) = &self.running else {
            return Ok(());
        };
        let mut entry = Entry { batch: running.batch, content, left: 0 };
        for (index, place) in running.places.iter().enumerate() {
            if entry.mask().has_block(index) {
                match (place, &entry.content) {
                    (Some(_), _) => entry.left += 1,
                    (None, Content::Barrier(_)) => {}
                    (None, Content::Tuple(it)) => {
                        return Err((running.warp.blocks()[index], it.site));
                    }
                }
            }
        }
        if entry.left != 0 {
            self.entries.push_back(entry);
            self.acted = true;
        }
        Ok(())
    }
}

impl Sm {
    /// Starts the affine warp for blocks that it has not run for, if it is free; whether it did.
    pub(super) fn start_batch(&mut self, affine: &mut AffineUnit, context: &Context) -> bool {
        let (code, now) = (context.code, context.now);
        let Some(stream) = code.affine else {
            return false;
        };
        if affine.running.is_some() || context.arriving {
            return false;
        }
        let known = |cursor: &&Cursor| cursor.batch.is_some();
        if affine.config.batch == Batch::Drained
            && affine.cursors.iter().flatten().any(|c| known(&c))
        {
            return false;
        }
        let waiting = affine.cursors.iter().enumerate().filter_map(|(place, cursor)| {
            let cursor = cursor.as_ref().filter(|cursor| !known(cursor))?;
            Some((cursor.arrival, place))
        });
        let mut waiting: Vec<(u64, usize)> = waiting.collect();
        waiting.sort_unstable();
        if waiting.is_empty() {
            return false;
        }
        let end = affine.first + affine.entries.len() as u64;
        for (index, &(_, place)) in waiting.iter().enumerate() {
            if let Some(cursor) = &mut affine.cursors[place] {
                cursor.batch = Some((affine.batches, index));
                cursor.next = [end; 2];
            }
        }
        let places: Vec<usize> = waiting.iter().map(|&(_, place)| place).collect();
        let blocks: Vec<u64> =
            places.iter().map(|&place| self.places[place].block.number).collect();
        let number = blocks[0];
        let warp = AffineWarp::new(code, &stream, blocks);
        let pc = stream.entry;
        affine.running = Some(Running {
            warp,
            batch: affine.batches,
            places: places.into_iter().map(Some).collect(),
        });
        affine.batches += 1;
        self.statistics.affine_batches += 1;
        let place = &mut self.places[affine.place];
        place.block.number = number;
        place.block.paths.reset(self.slots_per_warp);
        let lanes = Lanes::Warp { warp: 0, mask: 1 };
        place
            .block
            .paths
            .publish(SlotId(0), Path { pc, reconvergence_pc: NOWHERE, lanes, scoreboard: 0 });
        place.block.paths.forget_touched();
        place.scoreboards.reset(self.slots_per_warp, stream.scoreboard_entries());
        if self.tracks_threads {
            place.scoreboards.track_threads(1, code.shape.width as usize);
        }
        self.front.reset(affine.number);
        let (queue, local) = self.local(affine.number);
        // Older than all, since all others wait for it sooner or later.
        self.queues[queue].set_age(local, 0);
        let index = affine.place;
        self.refresh(code, index, SlotId(0), Some(now), now);
        true
    }

    /// Issues the next instruction of the affine warp.
    pub(in crate::sm) fn issue_affine(
        &mut self,
        number: usize,
        context: &mut Context,
    ) -> Result<SlotUse, Box<Trap>> {
        let Some(mut affine) = self.affine.take() else {
            return Ok(SlotUse::Idle);
        };
        let done = self.step_affine_warp(&mut affine, number, context);
        let ended = affine.running.as_ref().is_some_and(|running| running.warp.pc().is_none());
        if ended && let Some(running) = affine.running.take() {
            let deepest = running.warp.deepest() as u64;
            self.statistics.max_affine_stack_depth =
                self.statistics.max_affine_stack_depth.max(deepest);
            for place in running.places.into_iter().flatten() {
                self.look_whether_over(&mut affine, place, context.code, context.now);
            }
        }
        affine.wake_at(context.now + 1);
        self.affine = Some(affine);
        done?;
        let next = self.affine_next;
        let index = usize::from(self.candidates[number].place);
        self.refresh(context.code, index, SlotId(0), Some(next), context.now);
        Ok(SlotUse::Issued)
    }

    fn step_affine_warp(
        &mut self,
        affine: &mut AffineUnit,
        number: usize,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let (code, now) = (context.code, context.now);
        let Some(running) = &mut affine.running else {
            return Ok(());
        };
        let searching = context.epoch.searching;
        let executed = running.warp.step(code, context.port.constant(), searching)?;
        let turned = running.warp.pc().is_some_and(|pc| pc <= executed.pc);
        let instruction = &code.instructions[executed.pc as usize];
        count_affine(&mut self.statistics, &executed);
        context.outcome.instructions += 1;
        let is_control = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        self.affine_next = now + if is_control { self.control_latency } else { 1 };
        if self.recorder.is_some() {
            let issued = Issued {
                pc: executed.pc,
                active: 1,
                paths: 1,
                mask: 1,
                divergent: false,
                progress: false,
                backward: false,
            };
            self.record_issue(number, instruction, &issued, (now, self.affine_next));
        }
        self.front.issue(number);
        let paths = &mut self.places[affine.place].block.paths;
        match running.warp.pc() {
            Some(pc) => {
                paths.step(SlotId(0), pc);
            }
            None => {
                paths.clear(SlotId(0));
                paths.forget_touched();
            }
        }
        let pushed = match executed.event {
            Event::Enqueued(enqueued) => affine.push(Content::Tuple(enqueued)),
            Event::Barrier(mask) => affine.push(Content::Barrier(mask)),
            Event::Constants(words) => {
                self.load_affine(number, (executed.pc, instruction), words, now);
                Ok(())
            }
            Event::None if is_control => Ok(()),
            Event::None => {
                let unit = self.units[usize::from(instruction.unit)];
                let [narrow, wide] = unit.passes;
                let each = if instruction.is_wide() { wide / narrow } else { 1 };
                let passes = executed.work.lanes.div_ceil(u64::from(unit.lanes)).max(1) * each;
                self.statistics.execution_cycles += passes * unit.initiation;
                let token = self.flights.token();
                let pending = Ready::collecting(token);
                let acted = Lanes::Warp { warp: 0, mask: 1 };
                let acted = self.tracks_threads.then_some((&acted, 1));
                let works = (passes, instruction.operands, now);
                self.enter(number, (0, acted), instruction, (token, pending, None), works);
                Ok(())
            }
        };
        self.tuple_room = affine.has_room();
        if turned && searching {
            self.note_turn(affine, context);
        }
        pushed.map_err(|(block, site)| {
            Box::new(Trap {
                kind: TrapKind::Affine(Broken::Left { warp: 0, site }),
                block: code.block_index(block),
                thread: [0; 3],
                pc: executed.pc,
            })
        })
    }

    /// A load from constant memory of the affine warp.
    fn load_affine(
        &mut self,
        number: usize,
        (pc, instruction): (u32, &Decoded),
        words: Vec<u32>,
        now: u64,
    ) {
        let place = self.candidates[number].place;
        let mut request = self.load_store.new_request();
        request.pc = pc;
        request.constants.extend(words);
        let load = Load::new(place, 0, instruction.writes, instruction.result());
        let load = self.load_store.new_load(load, &request);
        request.load = Some(load);
        self.places[usize::from(place)].outstanding += 1;
        let passes = self.units[usize::from(instruction.unit)].passes[0];
        let acted = Lanes::Warp { warp: 0, mask: 1 };
        let acted = self.tracks_threads.then_some((&acted, 1));
        let token = self.flights.token();
        let pending = Ready::pending(load);
        let works = (passes, instruction.operands, now);
        self.enter(number, (0, acted), instruction, (token, pending, Some(request)), works);
        debug_assert!(instruction.target != Target::None);
    }
}
