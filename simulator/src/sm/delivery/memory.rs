//! Memory instructions in a sub-core: a queue, and the computation of addresses.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §5.4. A sub-core holds five memory instructions, a queue of four and
//! a latch, from their issue until the part that all sub-cores share takes them. It computes addresses
//! in order, of an instruction every four cycles; the shared part takes an instruction every two, of the
//! sub-cores in turn. The sources are free when the addresses are computed, and those of a store when
//! its data have been read too. The paper has latencies (its Table 2) and no stages; ours is this
//! division of them:
//!
//! - Nine cycles from issue until the addresses are there if all lanes have the same; two more if each
//!   has its own, except for shared memory, whose part computes them.
//! - A store takes one more, and two more if each lane has its own address.
//! - The data of a store are read at 512 bits a cycle, of which two cycles are in the above.
//! - The shared part takes a cycle more for addresses that differ.
//! - A load of constants from an address in a register keeps its sources until its result is there.

use std::collections::VecDeque;

use super::allocate::{Allocate, TO_ALLOCATE};
use crate::handles::{CandidateId, Token, WarpSlot};
use crate::machine::Machine;
use crate::machine::clock::NEVER;
use crate::program::code::Code;
use crate::program::memory_times::MemoryTimes;
use crate::sm::lsu::request::MemRequest;
use crate::sm::residency::Candidate;

/// A memory instruction between its issue and the shared part.
pub(crate) struct Waiting {
    pub(crate) token: Token,
    pub(crate) candidate: Candidate,
    pub(crate) id: CandidateId,
    pub(crate) warp: WarpSlot,
    pub(crate) pc: u32,
    pub(crate) request: Box<MemRequest>,
    pub(crate) issued: u64,
    pub(crate) stage: Stage,
}

/// How far a memory instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Its addresses are not being computed.
    Queued,
    /// Its addresses are there, and its sources free, in this cycle.
    Computing(u64),
    /// They are.
    Ready,
}

/// The progress of an instruction in a cycle.
pub(crate) enum Step {
    /// Its sources are free.
    Read { token: Token, candidate: Candidate, id: CandidateId, pc: u32 },
    /// The shared part takes it; true if its sub-core was full.
    Leaves(Waiting, bool),
}

/// A sub-core's queue.
struct Queue {
    waiting: VecDeque<Waiting>,
    /// The cycle from which addresses of another instruction can be computed.
    free: u64,
    /// The next cycle in which a computation can start or ends.
    next: u64,
}

/// The queues of an SM's sub-cores.
pub(crate) struct MemoryQueues {
    queues: Vec<Queue>,
    capacity: usize,
    interval: u64,
    shared_interval: u64,
    /// The cycle from which the shared part takes another instruction, and the sub-core it took one
    /// from last.
    shared_free: u64,
    last: usize,
    /// The next cycle in which something can happen.
    next: u64,
}

impl MemoryQueues {
    pub(crate) fn new(machine: &Machine) -> MemoryQueues {
        let timing = &machine.load_store;
        MemoryQueues {
            queues: (0..machine.sm.sub_cores).map(|_| Queue::new()).collect(),
            capacity: timing.sub_core_queue as usize,
            interval: timing.sub_core_interval.into(),
            shared_interval: timing.interval.into(),
            shared_free: 0,
            last: 0,
            next: NEVER,
        }
    }

    /// An instruction enters its sub-core's queue. Returns true if that has no room for another one.
    pub(crate) fn enter(&mut self, sub_core: usize, instruction: Waiting) -> bool {
        let Queue { waiting, next, .. } = &mut self.queues[sub_core];
        *next = (*next).min(instruction.issued + TO_ALLOCATE);
        self.next = self.next.min(*next);
        waiting.push_back(instruction);
        waiting.len() >= self.capacity
    }

    /// The next cycle in which something can happen.
    #[inline]
    pub(crate) fn next_event(&self) -> u64 {
        self.next
    }

    /// The shared part has room again.
    pub(crate) fn wake(&mut self, now: u64) {
        self.next = self.next.min(now);
    }

    /// Returns true if a sub-core's queue has no room.
    pub(crate) fn is_full(&self, sub_core: usize) -> bool {
        self.queues[sub_core].waiting.len() >= self.capacity
    }

    /// Returns true if there is no instruction.
    pub(crate) fn is_empty(&self) -> bool {
        self.queues.iter().all(|queue| queue.waiting.is_empty())
    }

    /// Works on the queues in a cycle, when the load/store unit can take `room` instructions.
    pub(crate) fn step(
        &mut self,
        allocate: &Allocate,
        code: &Code,
        room: usize,
        now: u64,
        steps: &mut Vec<Step>,
    ) {
        if self.next > now {
            return;
        }
        let mut next = NEVER;
        for queue in &mut self.queues {
            if queue.next <= now {
                queue.compute(self.interval, allocate, code, now, steps);
                queue.next = queue.next_computation(now);
            }
            next = next.min(queue.next);
        }
        let left = self.hand_over(room, now, steps);
        if left != 0 && self.queues.iter().any(Queue::is_ready) {
            next = next.min(self.shared_free.max(now + 1));
        }
        self.next = next;
    }

    /// The shared part takes an instruction whose addresses are there. Returns the room that the load/store unit has left.
    fn hand_over(&mut self, room: usize, now: u64, steps: &mut Vec<Step>) -> usize {
        if self.shared_free > now || room == 0 {
            return room;
        }
        let (count, mut sub_core) = (self.queues.len(), self.last);
        for _ in 0..count {
            sub_core = if sub_core + 1 == count { 0 } else { sub_core + 1 };
            if !self.queues[sub_core].is_ready() {
                continue;
            }
            self.last = sub_core;
            self.shared_free = now + self.shared_interval;
            let was_full = self.is_full(sub_core);
            let first = self.queues[sub_core].waiting.pop_front();
            steps.extend(first.map(|first| Step::Leaves(first, was_full)));
            return room - 1;
        }
        room
    }
}

impl Queue {
    fn new() -> Queue {
        Queue { waiting: VecDeque::new(), free: 0, next: NEVER }
    }

    /// Returns true if the shared part can take its first instruction.
    fn is_ready(&self) -> bool {
        self.waiting.front().is_some_and(|first| first.stage == Stage::Ready)
    }

    /// Computes addresses, of one instruction per interval.
    fn compute(
        &mut self,
        interval: u64,
        allocate: &Allocate,
        code: &Code,
        now: u64,
        steps: &mut Vec<Step>,
    ) {
        for waiting in &mut self.waiting {
            match waiting.stage {
                Stage::Computing(end) if end <= now => {
                    waiting.stage = Stage::Ready;
                    let &mut Waiting { token, candidate, id, pc, .. } = waiting;
                    steps.push(Step::Read { token, candidate, id, pc });
                }
                Stage::Queued => {
                    let instruction = &code.instructions[waiting.pc as usize];
                    let is_due = waiting.issued + TO_ALLOCATE <= now && self.free <= now;
                    if is_due && allocate.can_read(waiting.warp, instruction, now) {
                        let MemoryTimes { sources, data, .. } = instruction.memory;
                        self.free = now + interval.max(data.into());
                        waiting.stage = Stage::Computing(now + u64::from(sources) - TO_ALLOCATE);
                    }
                    break;
                }
                _ => {}
            }
        }
    }

    /// The next cycle after `now` in which a computation can start or ends.
    fn next_computation(&self, now: u64) -> u64 {
        let mut next = NEVER;
        for waiting in &self.waiting {
            let due = match waiting.stage {
                Stage::Ready => NEVER,
                Stage::Computing(end) => end,
                Stage::Queued => self.free.max(waiting.issued + TO_ALLOCATE),
            };
            next = next.min(due.max(now + 1));
            if waiting.stage == Stage::Queued {
                break;
            }
        }
        next
    }
}

/// Cycles by which the shared part takes longer for addresses that differ.
pub(crate) const LANE_ADDRESSES: u64 = 1;
