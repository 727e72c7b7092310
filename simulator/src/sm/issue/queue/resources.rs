//! The resources beside results that an instruction needs to issue, and when they are busy.
//!
//! On a machine with operand collectors there is one, the room in the collectors. On one that delivers
//! operands in a fixed time (Huerta et al., MICRO 2025, §5.1.1) they are the place in the queue of
//! memory instructions and the input latch of each pipe.

use crate::handles::Resource;
use crate::machine::clock::NEVER;

/// A set of busy resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Busy(u16);

impl Busy {
    pub(super) const NOTHING: Busy = Busy(0);

    /// The resources that are busy.
    #[inline(always)]
    pub(super) fn all(self) -> impl Iterator<Item = Resource> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| Resource(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(first)
        })
    }

    #[inline(always)]
    fn set(&mut self, need: Resource, is_busy: bool) {
        let bit = 1 << need.0;
        self.0 = self.0 & !bit | if is_busy { bit } else { 0 };
    }

    /// Those that are busy until a known cycle.
    #[inline(always)]
    fn timed(self) -> Busy {
        Busy(self.0 & !0b11)
    }
}

/// The resources of a scheduler.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resources {
    busy: Busy,
    /// By resource: the cycle from which it is free, if it is known.
    free: [u64; Resource::ALL],
    /// The first cycle in which anything may issue.
    opens: u64,
    /// Nothing may issue in this cycle.
    is_closed: bool,
}

impl Resources {
    /// There is room, or none, until the next call.
    #[inline(always)]
    pub(crate) fn set_room(&mut self, room: bool) {
        self.busy.set(Resource::ROOM, !room);
    }

    /// Returns true if there is room.
    #[inline(always)]
    pub(crate) fn has_room(&self) -> bool {
        self.busy.0 & 1 << Resource::ROOM.0 == 0
    }

    /// A resource is free from a cycle on, which is not known to have come.
    #[inline(always)]
    pub(crate) fn take(&mut self, need: Resource, free: u64) {
        self.busy.set(need, true);
        self.free[need.index()] = free;
    }

    /// Nothing issues before a cycle.
    #[inline(always)]
    pub(crate) fn close(&mut self, until: u64) {
        self.opens = self.opens.max(until);
    }

    /// The first cycle in which anything may issue.
    #[inline(always)]
    pub(crate) fn opens(&self) -> u64 {
        self.opens
    }

    #[inline(always)]
    pub(super) fn busy(&self) -> Busy {
        self.busy
    }

    #[inline(always)]
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns true if a pipe is busy.
    pub(crate) fn is_pipe_busy(&self) -> bool {
        self.busy.timed() != Busy::NOTHING
    }

    /// A cycle begins.
    #[inline(always)]
    pub(super) fn ease(&mut self, now: u64) {
        self.is_closed = self.opens > now;
        if self.busy.timed() != Busy::NOTHING {
            self.busy = self.busy_at(now);
        }
    }

    /// The resources that are busy in a cycle, as far as is known now.
    #[inline(always)]
    pub(super) fn busy_at(&self, cycle: u64) -> Busy {
        let mut busy = self.busy;
        for need in busy.timed().all() {
            busy.set(need, self.free[need.index()] > cycle);
        }
        busy
    }

    /// The cycles from one on in which something that is busy then becomes free.
    pub(super) fn ends(&self, from: u64) -> impl Iterator<Item = u64> + '_ {
        let timed = self.busy_at(from).timed();
        timed.all().map(|need| self.free[need.index()]).filter(|&cycle| cycle < NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_busy_becomes_free_at_its_time() {
        let mut resources = Resources::default();
        let pipe = Resource::pipe(3);
        resources.take(pipe, 7);
        resources.set_room(false);
        assert!(!resources.has_room() && resources.is_pipe_busy());
        assert_eq!(resources.busy_at(6).all().collect::<Vec<_>>(), [Resource::ROOM, pipe]);
        assert_eq!(resources.ends(5).collect::<Vec<_>>(), [7]);
        resources.ease(7);
        assert_eq!(resources.busy().all().collect::<Vec<_>>(), [Resource::ROOM]);
        resources.set_room(true);
        assert_eq!(resources.busy(), Busy::NOTHING);
        resources.close(9);
        resources.ease(8);
        assert!(resources.is_closed() && resources.opens() == 9);
        resources.ease(9);
        assert!(!resources.is_closed());
    }
}
