//! A memory instruction in the load/store unit, and the ports through which the unit reaches the rest.

use crate::handles::{LoadId, WarpSlot};
use crate::mechanisms::allocation::access::Requester;
use crate::memory::coalesce::{LineAccess, Lines};
use crate::memory::link::Link;
use crate::observe::profile::Rows;
use crate::observe::statistics::Statistics;
use crate::observe::trace::TraceId;
use reconverge_isa::Hints;

/// A memory instruction in the queue.
#[derive(Debug, Default)]
pub(crate) struct MemRequest {
    /// The instruction that it is of.
    pub(crate) pc: u32,
    /// The hints of that instruction.
    pub(crate) hints: Hints,
    /// The hardware warp that waits for it.
    pub(crate) warp: Option<WarpSlot>,
    /// The load that it is, unless it is a store.
    pub(crate) load: Option<LoadId>,
    /// The arrival of its addresses.
    pub(crate) ready: u64,
    pub(crate) shared_passes: u32,
    /// Addresses of different words of constant memory.
    pub(crate) constants: Vec<u32>,
    pub(crate) lines: Lines,
    /// The lanes that need each line, if it matters which of them miss; and those that have missed.
    pub(crate) lanes: Vec<u64>,
    pub(super) missed: u64,
    /// Its number in a trace.
    pub(crate) traced: Option<TraceId>,
    /// The lines, by number, that were requested early and are held until it reads them.
    pub(crate) held: Vec<u64>,
    pub(super) next_line: usize,
}

impl MemRequest {
    pub(super) fn parts(&self) -> u32 {
        let lines = self.constants.len() + self.lines.accesses.len();
        self.shared_passes + lines as u32
    }

    /// Returns true if all parts are served.
    #[inline]
    pub(super) fn is_done(&self) -> bool {
        self.parts() as usize == self.next_line
    }

    /// The line that is next, of global memory, unless something else is.
    pub(super) fn next_access(&self) -> Option<&LineAccess> {
        let is_line = self.shared_passes == 0 && self.constants.is_empty();
        let access = self.lines.accesses.get(self.next_line).filter(|_| is_line);
        access.filter(|_| self.lines.is_global(self.next_line))
    }

    /// Empties it for reuse; fields that the next instruction sets in any case stay.
    pub(super) fn clear(&mut self) {
        let MemRequest {
            pc: _,
            hints: _,
            warp: _,
            load,
            ready: _,
            shared_passes,
            constants,
            lines,
            lanes,
            missed,
            traced,
            held,
            next_line,
        } = self;
        (*load, *traced) = (None, None);
        (*shared_passes, *missed, *next_line) = (0, 0, 0);
        constants.clear();
        lines.clear();
        lanes.clear();
        held.clear();
    }
}

/// A load all of whose lines have been looked up, of which some lanes missed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartialHit {
    pub(crate) load: LoadId,
    /// Lanes that wait for lines which were not there.
    pub(crate) missed: u64,
    /// The arrival of the data of the other lanes.
    pub(crate) ready: u64,
}

/// The cycle since which the head of the queue waits for a reply or, if it needs room, for room
/// towards memory.
#[derive(Debug, Default)]
pub(crate) struct Stall {
    pub(super) since: Option<u64>,
    pub(super) needs_room: bool,
    /// It waits for an entry of the pending request table.
    pub(super) needs_entry: bool,
}

impl Stall {
    /// The head waits from the next cycle on; the caller counts this one.
    pub(super) fn begin(&mut self, room: bool, now: u64) {
        *self = Stall { since: Some(now + 1), needs_room: room, needs_entry: false };
    }

    /// The same for an entry of the pending request table.
    pub(super) fn begin_for_entry(&mut self, now: u64) {
        *self = Stall { since: Some(now + 1), needs_room: false, needs_entry: true };
    }

    /// Adds the cycles before this one, which are not yet counted.
    pub(super) fn count(&self, now: u64, statistics: &mut Statistics) {
        let cycles = self.since.map_or(0, |since| now.saturating_sub(since));
        match self.needs_entry {
            true => statistics.pending_request_stalls += cycles,
            false => statistics.l1_stalls += cycles,
        }
    }

    /// The item that it waits for may be there.
    pub(super) fn end(&mut self, ports: &mut LsuPorts) {
        if self.since.is_some() {
            self.count(ports.now, ports.statistics);
            *self = Stall::default();
        }
    }
}

/// The ports of the load/store unit in a cycle.
pub(crate) struct LsuPorts<'a> {
    pub(crate) now: u64,
    /// The SM's number.
    pub(crate) sm: usize,
    pub(crate) memory: &'a mut Link,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) profile: Option<&'a mut Rows>,
}

impl LsuPorts<'_> {
    /// No warp in particular of this SM.
    pub(super) fn nobody(&self) -> Requester {
        Requester::of(self.sm as u16)
    }
}
