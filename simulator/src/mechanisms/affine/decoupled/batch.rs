//! The affine warps in time: the blocks that they run for, the issue of their instructions, and the
//! entries of their queues.

use crate::handles::BlockSlot;
use reconverge_isa::Effect;

use super::operate::Work;
use super::unit::{AffineUnit, Content, Cursor, Entry, Running};
use super::warp::{AffineWarp, Event, scoreboard_entries};
use super::without_time::count;
use super::{Batch, Comparisons};
use crate::block::operand_queues::QueueFault;
use crate::mechanisms::affine::slot::{OwnIssue, OwnStart, OwnWork, Ports};
use crate::run::fault::{Trap, TrapKind};

impl AffineUnit {
    /// Puts something into a context's tuple queue; the block and site if a block that it is for has ended.
    fn push(&mut self, context: usize, content: Content) -> Result<(), (u64, u8)> {
        let context = &mut self.contexts[context];
        let Some(running) = &context.running else {
            return Ok(());
        };
        let mut entry = Entry { batch: running.batch, age: self.enqueued, content, left: 0 };
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
            context.entries.push_back(entry);
            self.enqueued += 1;
            self.acted = true;
        }
        Ok(())
    }

    /// Starts an affine warp that is free for blocks that none has run for.
    pub(super) fn start_batch(&mut self, ports: &mut Ports) -> Option<OwnStart> {
        let stream = ports.code.second_stream?;
        let context = self.contexts.iter().position(|context| context.running.is_none())?;
        if ports.arriving {
            return None;
        }
        let known = |cursor: &&Cursor| cursor.batch.is_some();
        if self.config.batch == Batch::Drained && self.cursors.iter().flatten().any(|c| known(&c)) {
            return None;
        }
        let waiting = self.cursors.iter().enumerate().filter_map(|(place, cursor)| {
            let cursor = cursor.as_ref().filter(|cursor| !known(cursor))?;
            Some((cursor.arrival, BlockSlot::of(place)))
        });
        let mut waiting: Vec<(u64, BlockSlot)> = waiting.collect();
        waiting.sort_unstable();
        if self.config.batch == Batch::Block {
            waiting.truncate(1);
        }
        let end = self.contexts[context].end();
        for (index, &(_, place)) in waiting.iter().enumerate() {
            if let Some(cursor) = &mut self.cursors[place.index()] {
                cursor.batch = Some((self.batches, index));
                cursor.context = context;
                (cursor.next, cursor.found) = ([end; 2], [false; 2]);
            }
        }
        let number = |&(_, place): &(u64, BlockSlot)| ports.blocks.block(place).number;
        let blocks: Vec<u64> = waiting.iter().map(number).collect();
        let block = *blocks.first()?;
        self.contexts[context].running = Some(Running {
            warp: AffineWarp::new(ports.code, &stream, blocks),
            batch: self.batches,
            places: waiting.into_iter().map(|(_, place)| Some(place)).collect(),
        });
        self.batches += 1;
        ports.statistics.affine_batches += 1;
        let scoreboard_entries = scoreboard_entries(&stream);
        Some(OwnStart { warp: context, pc: stream.entry, block, scoreboard_entries })
    }

    /// Ends the batch of a context if its affine warp has ended.
    pub(super) fn end_batch(&mut self, context: usize, ports: &mut Ports) {
        let running = &mut self.contexts[context].running;
        let ended = running.as_ref().is_some_and(|running| running.warp.pc().is_none());
        if ended && let Some(running) = running.take() {
            let deepest = running.warp.deepest() as u64;
            let statistics = &mut ports.statistics;
            statistics.max_affine_stack_depth = statistics.max_affine_stack_depth.max(deepest);
            for place in running.places.into_iter().flatten() {
                self.look_whether_over(place, ports);
            }
        }
    }

    /// The cycles of a computation. The unit's comparisons begin as those of an instruction without
    /// registers would on the lanes; it makes the comparisons of one instruction after those of the
    /// other.
    fn takes(&mut self, work: &Work, now: u64) -> OwnWork {
        if work.compared == 0 || self.config.comparisons == Comparisons::Lanes {
            return OwnWork::Lanes(work.lanes + work.compared_lanes);
        }
        self.compares_until = self.compares_until.max(now + 2) + work.compared;
        OwnWork::Unit { last: self.compares_until - 1, lanes: work.lanes }
    }

    /// Executes the next instruction of the affine warp of a context.
    pub(super) fn step_warp(
        &mut self,
        context: usize,
        ports: &mut Ports,
    ) -> Result<Option<OwnIssue>, Box<Trap>> {
        let code = ports.code;
        let Some(running) = &mut self.contexts[context].running else {
            return Ok(None);
        };
        let executed = running.warp.step(code, ports.constant, ports.searching)?;
        let (pc, next) = (executed.pc, running.warp.pc());
        let instruction = &code.instructions[pc as usize];
        count(ports.statistics, &executed);
        let is_control = matches!(instruction.effect, Effect::Branch | Effect::Exit);
        let mut work = OwnWork::Nothing;
        let pushed = match executed.event {
            Event::Enqueued(enqueued) => self.push(context, Content::Tuple(enqueued)),
            Event::Barrier(mask) => self.push(context, Content::Barrier(mask)),
            Event::Constants(words) => {
                work = OwnWork::Constants(words);
                Ok(())
            }
            Event::None => {
                if !is_control {
                    work = self.takes(&executed.work, ports.now);
                }
                Ok(())
            }
        };
        self.contexts[context].had_room = self.has_room(context);
        if ports.searching && next.is_some_and(|next| next <= pc) {
            self.note_turn(context, ports);
        }
        let trap = pushed.err().map(|(block, site)| {
            Box::new(Trap {
                kind: TrapKind::Queue(QueueFault::Left { warp: 0, site }),
                block: code.block_index(block),
                thread: [0; 3],
                pc,
            })
        });
        Ok(Some(OwnIssue { pc, next, work, trap }))
    }
}
