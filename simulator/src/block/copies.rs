//! The asynchronous copies of a block: those in flight, and the groups of each thread.
//!
//! Source: the PTX ISA, "Asynchronous Copy". A group has the copies of a thread between two of its commits. A thread waits
//! until all of its groups have arrived but the last ones that it has committed. Copies arrive in any order.

use crate::execute::lanes::lanes_of;
use crate::handles::LoadId;

/// The most bytes that a lane copies.
pub(crate) const MOST_BYTES: usize = 16;

/// The bytes that a lane copies to an offset in shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopiedLane {
    pub(crate) thread: u16,
    pub(crate) offset: u32,
    /// As many as the width of the instruction.
    pub(crate) bytes: [u8; MOST_BYTES],
}

/// Copies in flight: of lanes of one warp that one instruction has started, all for groups of one number.
#[derive(Debug, Default)]
struct InFlight {
    warp: u16,
    /// The places of the threads in their warp.
    lanes: u64,
    /// The number of groups that each thread had committed before.
    group: u32,
    /// Its load; `None` until it is dispatched.
    load: Option<LoadId>,
    /// Bytes of each lane.
    size: usize,
    copied: Vec<CopiedLane>,
}

/// By thread, the groups that it has committed; as long as the last thread with one needs.
#[derive(Debug, Default)]
pub(crate) struct Groups(Vec<u32>);

impl Groups {
    /// No thread has committed a group.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The groups of a thread.
    pub(crate) fn of(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// A thread ends its group.
    pub(crate) fn commit(&mut self, thread: usize) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = self.0[thread].saturating_add(1);
    }

    /// Returns true if a thread that waits for all but its last `left` groups waits for a group, by its number.
    pub(crate) fn awaits(&self, thread: usize, group: u32, left: u32) -> bool {
        group.saturating_add(left) < self.of(thread)
    }
}

/// The asynchronous copies of a block.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Lanes of a warp.
    width: usize,
    committed: Groups,
    in_flight: Vec<InFlight>,
    spare: Vec<InFlight>,
}

impl Copies {
    /// The block starts, with warps of `width` lanes.
    pub(crate) fn reset(&mut self, width: usize) {
        self.width = width;
        self.committed.clear();
        self.spare.append(&mut self.in_flight);
    }

    /// Where the copies of the current instruction begin: the last ones, which have no load.
    fn own(&self) -> usize {
        self.in_flight.iter().rposition(|it| it.load.is_some()).map_or(0, |at| at + 1)
    }

    /// A lane of the current instruction copies `size` bytes, which arrive later.
    pub(crate) fn start(&mut self, copied: CopiedLane, size: usize) {
        let (warp, lane) =
            (usize::from(copied.thread) / self.width, usize::from(copied.thread) % self.width);
        let (warp, group) = (warp as u16, self.committed.of(copied.thread.into()));
        let own = self.own();
        let known =
            self.in_flight[own..].iter_mut().find(|it| it.warp == warp && it.group == group);
        if let Some(known) = known {
            known.lanes |= 1 << lane;
            known.copied.push(copied);
            return;
        }
        let mut new = self.spare.pop().unwrap_or_default();
        new.copied.clear();
        new.copied.push(copied);
        let copied = new.copied;
        let lanes = 1 << lane;
        self.in_flight.push(InFlight { warp, lanes, group, load: None, size, copied });
    }

    /// The lanes of the current instruction.
    pub(crate) fn current(&self) -> impl Iterator<Item = &CopiedLane> + Clone {
        self.in_flight[self.own()..].iter().flat_map(|it| &it.copied)
    }

    /// The current instruction is a load from now on.
    pub(crate) fn dispatch(&mut self, load: LoadId) {
        let own = self.own();
        self.in_flight[own..].iter_mut().for_each(|it| it.load = Some(load));
    }

    /// A load has ended: the bytes that it copies are in shared memory.
    pub(crate) fn arrive(&mut self, load: LoadId, shared: &mut [u8]) {
        for at in (0..self.in_flight.len()).rev() {
            if self.in_flight[at].load == Some(load) {
                let over = self.in_flight.remove(at);
                for lane in &over.copied {
                    write(shared, lane, over.size);
                }
                self.spare.push(over);
            }
        }
    }

    /// Lanes of a warp end their groups.
    pub(crate) fn commit(&mut self, warp: usize, lanes: u64) {
        lanes_of(lanes).for_each(|lane| self.committed.commit(warp * self.width + lane));
    }

    /// Returns true if a copy is in flight that lanes of a warp wait for: one of a group that is not among the last `pending`
    /// ones that its thread has committed.
    pub(crate) fn has_awaited(&self, warp: usize, lanes: u64, pending: u32) -> bool {
        self.in_flight.iter().any(|it| {
            let awaits = |lane| self.committed.awaits(warp * self.width + lane, it.group, pending);
            usize::from(it.warp) == warp && lanes_of(it.lanes & lanes).any(awaits)
        })
    }
}

/// Writes the bytes of a lane to shared memory, which has them.
pub(crate) fn write(shared: &mut [u8], lane: &CopiedLane, size: usize) -> bool {
    let offset = lane.offset as usize;
    let (Some(to), Some(from)) = (shared.get_mut(offset..offset + size), lane.bytes.get(..size))
    else {
        return false;
    };
    let changed = to != from;
    to.copy_from_slice(from);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(thread: u16, byte: u8) -> CopiedLane {
        CopiedLane { thread, offset: 4 * u32::from(thread), bytes: [byte; MOST_BYTES] }
    }

    #[test]
    fn a_wait_is_for_the_older_groups_of_each_thread() {
        let (mut copies, mut shared) = (Copies::default(), vec![0; 64]);
        copies.reset(4);
        // Threads 0 and 5 copy; 0 commits two groups with a copy each, 5 one with both.
        for (load, byte) in [(LoadId(0), 1), (LoadId(1), 2)] {
            copies.start(lane(0, byte), 4);
            copies.start(lane(5, byte), 4);
            copies.dispatch(load);
            copies.commit(0, 1);
        }
        copies.commit(1, 0b10);
        assert!(copies.has_awaited(0, 1, 1) && !copies.has_awaited(0, 1, 2));
        assert!(copies.has_awaited(1, 0b10, 0) && !copies.has_awaited(1, 0b01, 0));
        copies.arrive(LoadId(0), &mut shared);
        assert_eq!((shared[0], shared[20]), (1, 1));
        assert!(copies.has_awaited(0, 1, 0) && !copies.has_awaited(0, 1, 1));
        assert!(copies.has_awaited(1, 0b10, 0) && !copies.has_awaited(1, 0b10, 1));
        copies.arrive(LoadId(1), &mut shared);
        assert!((shared[0], shared[20]) == (2, 2) && !copies.has_awaited(1, 0b10, 0));
    }
}
