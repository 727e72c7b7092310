//! Early loads: lines that a mechanism requests before the load that will read them issues. They
//! stay in the L1, *pinned*, until then.
//!
//! At most one way less than a set has are pinned, so that every other load finds a way; and at
//! most as many as the mechanism's limits allow.

use super::{L1, LineWaiter};
use crate::handles::PinId;
use crate::memory::bytes::LineSectors;
use crate::memory::mshr::{Merge, Outstanding, Placement};
use crate::memory::packet::Waiter;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::lsu::request::LsuPorts;

/// The most lines that a mechanism pins at a time.
#[derive(Clone, Copy, Debug)]
pub struct PinLimits {
    /// Ways of a set; all but one if that is less, or this is nothing.
    pub ways: Option<u16>,
    /// Lines of the cache, if there is a limit.
    pub lines: Option<u32>,
}

/// The outcome of an early request for a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pin {
    /// The line is present, and pinned.
    Here,
    /// It is in flight, and will be pinned.
    Requested,
    /// There are too few ways for all lines of the load: it will request this one itself.
    Declined,
    /// Not while other loads have the most lines pinned.
    Held,
    /// Not now.
    Blocked,
    /// Not before there is room towards memory.
    NeedsRoom,
}

impl LoadStoreUnit {
    /// Returns true if lines can be pinned: a set must have a way beside those that are.
    pub fn can_pin(&self) -> bool {
        !self.l1.cache.is_absent() && self.l1.ways > 1
    }

    /// Asks early for sectors of a line, given its address, for a load that has lines `own` already; and pins it.
    pub(crate) fn pin(
        &mut self,
        address: u64,
        sectors: u8,
        load: PinId,
        limits: PinLimits,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Pin {
        // The requested line may be that of the queue's head.
        self.lacks_way = None;
        self.l1.pin(address, sectors, load, limits, own, ports)
    }

    /// Returns true if a line, given its address, cannot be pinned before one of the lines `pinned`
    /// is read, which are pinned for loads that have not issued. The lines `own` among them are
    /// pinned for the same load.
    pub fn is_held_up(
        &self,
        address: u64,
        pinned: impl Iterator<Item = u64>,
        own: &[u64],
        limits: PinLimits,
    ) -> bool {
        let (line, cache) = (self.l1.line_number(address), &self.l1.cache);
        let is_here = |other: &u64| cache.set(*other) == cache.set(line);
        let mut pinned: Vec<u64> = pinned.collect();
        pinned.sort_unstable();
        pinned.dedup();
        let is_short = limits.lines.is_some_and(|most| pinned.len() >= most as usize)
            && own.len() != pinned.len();
        let in_set = pinned.iter().filter(|other| is_here(other)).count();
        let own = own.iter().filter(|other| is_here(other)).count();
        let is_full = in_set >= usize::from(self.l1.pinned_ways(limits)) && own != in_set;
        cache.holders(line) == 0 && (is_full || is_short)
    }

    /// Early loads of which a line has arrived, once for each line.
    pub fn take_arrived(&mut self) -> Option<PinId> {
        self.l1.arrived.pop()
    }

    /// Lines that are pinned.
    pub(crate) fn pinned(&self) -> u64 {
        self.l1.pinned_lines()
    }

    /// Returns true if a line has arrived or was unpinned since the last call.
    pub fn take_eased(&mut self) -> bool {
        std::mem::take(&mut self.eased)
    }

    /// Returns true if a load or store accesses the cache in this cycle.
    pub fn is_busy(&self) -> bool {
        self.busy
    }
}

impl L1 {
    /// Lines that are pinned.
    pub(super) fn pinned_lines(&self) -> u64 {
        self.pinned.iter().map(|lines| u64::from(*lines)).sum()
    }

    /// The most ways of a set whose lines are pinned.
    fn pinned_ways(&self, limits: PinLimits) -> u16 {
        limits.ways.unwrap_or(u16::MAX).min(self.ways - 1)
    }

    fn pin(
        &mut self,
        address: u64,
        sectors: u8,
        load: PinId,
        limits: PinLimits,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Pin {
        let line = self.line_number(address);
        let set = self.cache.set(line);
        let (is_own, is_pinned) = (own.contains(&line), self.cache.holders(line) != 0);
        if !is_pinned {
            if self.pinned[set] >= self.pinned_ways(limits) {
                let own = own.iter().filter(|other| self.cache.set(**other) == set).count();
                let all_are_own = own as u16 == self.pinned[set];
                return if all_are_own { Pin::Declined } else { Pin::Held };
            }
            if let Some(most) = limits.lines {
                let lines = self.pinned_lines();
                if lines >= u64::from(most) {
                    let all_are_own = own.len() as u64 == lines;
                    return if all_are_own { Pin::Declined } else { Pin::Held };
                }
            }
            if self.pinned[set] + self.reserved[set] >= self.ways {
                return Pin::Blocked;
            }
        }
        let by = ports.nobody();
        let valid = self.cache.lookup(line, sectors, by);
        let missing = sectors & !valid;
        if missing != 0 {
            let accepts = ports.memory.accepts();
            let evicts =
                !is_pinned && self.cache.would_evict(line, by, Placement::Always).is_some();
            if evicts && !accepts {
                return Pin::NeedsRoom;
            }
            let waiter = LineWaiter::EarlyLoad(load);
            match self.mshrs.merge(line, missing, waiter) {
                Merge::Merged(mshr) if self.mshrs.get(mshr).placement == Placement::Bypass => {
                    self.mshrs.get_mut(mshr).placement = Placement::Always;
                    self.held_early[mshr.0 as usize] = true;
                }
                Merge::Merged(_) => {}
                _ if !accepts => return Pin::NeedsRoom,
                Merge::Full => return Pin::Blocked,
                Merge::New { .. } if !self.mshrs.has_free() => return Pin::Blocked,
                Merge::New { awaits } => {
                    let way = self.cache.find(line);
                    let sectors = self.sectors_to_fetch(line, way, missing, valid, awaits, by);
                    let (requested, first, placement) = (missing, missing, Placement::Always);
                    let miss = Outstanding { line, sectors, requested, first, by, placement };
                    let mshr = self.mshrs.add(miss, waiter);
                    self.held_early[mshr.0 as usize] = true;
                    self.request(LineSectors { line, sectors }, by, Waiter::Miss(mshr), ports);
                }
            }
        }
        if !is_own {
            own.push(line);
            self.pinned[set] += u16::from(!is_pinned);
            if let Some(evicted) = self.cache.hold(line, by) {
                self.write_back(&evicted, ports);
            }
        }
        if missing == 0 { Pin::Here } else { Pin::Requested }
    }

    /// The line at an address has been read: it is no longer pinned for a load that has pinned
    /// `own`. Returns true if it was.
    #[cold]
    pub(crate) fn unpin(&mut self, address: u64, own: &mut Vec<u64>) -> bool {
        let line = self.line_number(address);
        let Some(at) = own.iter().position(|other| *other == line) else {
            return false;
        };
        own.swap_remove(at);
        self.cache.release(line);
        let set = self.cache.set(line);
        self.pinned[set] -= u16::from(self.cache.holders(line) == 0);
        true
    }
}
