//! The replay queue: loads that cannot continue wait in it, so that later ones can hit. It is the
//! re-execution queue of Mascar (Aamodt, Fung, Rogers, §5.1.2).
//!
//! They are tried again when the load/store unit's queue has nothing to do, or first if there is no
//! more room for others. While memory is saturated only the warps that own it may miss; the loads
//! of others keep waiting, behind the rest. Only loads of global memory wait here: stores, and
//! memory private to a thread, stay in order.

use crate::handles::WarpSlot;
use std::collections::VecDeque;

use super::LoadStoreUnit;
use crate::machine::clock::NEVER;
use crate::memory::coalesce::LineKind;
use crate::sm::lsu::request::{LsuPorts, MemRequest, Stall};

/// By scheduler: nothing if its warps may miss; otherwise the hardware warp that may, if one may.
pub(crate) type Owners = Vec<Option<Option<WarpSlot>>>;

/// The loads that wait.
#[derive(Debug, Default)]
pub(super) struct ReplayQueue {
    capacity: usize,
    requests: VecDeque<Box<MemRequest>>,
    owners: Owners,
}

impl ReplayQueue {
    pub(super) fn new(capacity: usize) -> ReplayQueue {
        ReplayQueue { capacity, ..ReplayQueue::default() }
    }

    /// Returns true if anything can ever wait here.
    #[inline]
    pub(super) fn exists(&self) -> bool {
        self.capacity != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    fn is_full(&self) -> bool {
        self.requests.len() >= self.capacity
    }

    /// Returns true if a load that cannot continue may wait here.
    #[inline]
    pub(super) fn takes(&self, request: &MemRequest) -> bool {
        let is_load = |kind| kind == LineKind::Load;
        self.exists()
            && !self.is_full()
            && request.next_access().is_some_and(|access| is_load(access.kind))
    }

    pub(super) fn push(&mut self, request: Box<MemRequest>) {
        self.requests.push_back(request);
    }

    fn may_miss(&self, warp: Option<WarpSlot>) -> bool {
        let Some(warp) = warp.filter(|_| !self.owners.is_empty()) else {
            return true;
        };
        let owner = self.owners[warp.index() % self.owners.len()];
        owner.is_none_or(|owner| owner == Some(warp))
    }
}

impl LoadStoreUnit {
    /// So many loads can wait beside the queue.
    pub(crate) fn set_replay_queue(&mut self, capacity: usize) {
        self.replay_queue = ReplayQueue::new(capacity);
    }

    /// Returns true if loads wait beside the queue.
    #[inline]
    pub(crate) fn has_waiting_replays(&self) -> bool {
        !self.replay_queue.is_empty()
    }

    /// Sets the owners whose loads in the replay queue may miss from now on.
    pub(crate) fn set_owners(&mut self, owners: Owners) {
        self.replay_queue.owners = owners;
    }

    /// Works on the replay queue, if it is its turn. Returns true if there was something to do.
    #[cold]
    pub(super) fn step_replay_queue(&mut self, ports: &mut LsuPorts) -> Option<bool> {
        let is_stalled = self.stall.since.is_some();
        let has_head = !self.queue.is_empty() && self.head_ready <= ports.now;
        if !self.replay_queue.is_full() && (is_stalled || has_head) {
            return None;
        }
        let mut request = self.replay_queue.requests.pop_front()?;
        let line = request.next_access().map(|access| (access.line, access.sectors));
        if !self.replay_queue.may_miss(request.warp)
            && line.is_some_and(|(line, sectors)| !self.l1.has(self.l1.line_number(line), sectors))
        {
            ports.statistics.l1_stalls += 1;
            self.replay_queue.push(request);
            return Some(true);
        }
        // The head of the queue may wait for something itself.
        let waits = std::mem::take(&mut self.stall);
        self.pass(&mut request, ports);
        let stall = std::mem::replace(&mut self.stall, waits);
        if stall.since.is_some() {
            self.replay_queue.push(request);
        } else if request.is_done() {
            self.end(request);
        } else {
            self.replay_queue.requests.push_front(request);
        }
        Some(true)
    }

    /// The head of the queue cannot continue: it moves to the replay queue if it may.
    #[cold]
    pub(super) fn push_to_replay_queue(&mut self, request: Box<MemRequest>) {
        self.stall = Stall::default();
        self.head_ready = self.queue.front().map_or(NEVER, |request| request.ready);
        self.replay_queue.push(request);
    }
}
