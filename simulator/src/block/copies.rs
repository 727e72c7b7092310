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

/// The asynchronous copies of a block.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Lanes of a warp.
    width: usize,
    /// By thread, the groups that it has committed; empty before the first commit.
    committed: Vec<u32>,
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

    fn groups(&self, thread: usize) -> u32 {
        self.committed.get(thread).copied().unwrap_or(0)
    }

    /// A lane of the current instruction copies `size` bytes, which arrive later.
    pub(crate) fn start(&mut self, copied: CopiedLane, size: usize) {
        let (warp, lane) =
            (usize::from(copied.thread) / self.width, usize::from(copied.thread) % self.width);
        let (warp, group) = (warp as u16, self.groups(copied.thread.into()));
        // Those of the current instruction are the last ones, and have no load.
        let own = self.in_flight.iter_mut().rev().take_while(|it| it.load.is_none());
        let known = own.into_iter().find(|it| it.warp == warp && it.group == group);
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
        let own = self.in_flight.iter().rev().take_while(|it| it.load.is_none());
        own.flat_map(|it| &it.copied)
    }

    /// The current instruction is a load from now on.
    pub(crate) fn dispatch(&mut self, load: LoadId) {
        let own = self.in_flight.iter_mut().rev().take_while(|it| it.load.is_none());
        own.into_iter().for_each(|it| it.load = Some(load));
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
    pub(crate) fn commit(&mut self, warp: usize, lanes: u64, threads: usize) {
        self.committed.resize(threads, 0);
        let own = self.committed.get_mut(warp * self.width..).unwrap_or_default();
        for lane in lanes_of(lanes) {
            if let Some(groups) = own.get_mut(lane) {
                *groups = groups.saturating_add(1);
            }
        }
    }

    /// Returns true if a copy is in flight that lanes of a warp wait for: one of a group that is not among the last `pending`
    /// ones that its thread has committed.
    pub(crate) fn has_awaited(&self, warp: usize, lanes: u64, pending: u32) -> bool {
        self.in_flight.iter().any(|it| {
            let group = it.group.saturating_add(pending);
            let is_older = |lane: usize| group < self.groups(warp * self.width + lane);
            usize::from(it.warp) == warp && lanes_of(it.lanes & lanes).any(is_older)
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
            copies.commit(0, 1, 8);
        }
        copies.commit(1, 0b10, 8);
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
