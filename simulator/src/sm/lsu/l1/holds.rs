//! Held lines: a mechanism may request a line before the load that reads it issues, and hold it in
//! the L1 until then. A line with a holder is not evicted.
//!
//! At most one way less than a set has are held, so that every other load finds a way; and at
//! most as many as the mechanism's limits allow. [`LoadStoreUnit::hold_line`] requests and holds a
//! line; [`LoadStoreUnit::take_arrived`] and [`LoadStoreUnit::take_eased`] report progress; the
//! load's access releases the line.

use super::{L1, LineWaiter};
use crate::handles::HolderId;
use crate::memory::bytes::LineSectors;
use crate::memory::mshr::{Merge, Outstanding, Placement};
use crate::memory::packet::Waiter;
use crate::sm::lsu::LoadStoreUnit;
use crate::sm::lsu::request::LsuPorts;

/// The most lines that a mechanism holds at a time.
#[derive(Clone, Copy, Debug)]
pub struct HoldLimits {
    /// Ways of a set; all but one if that is less, or this is nothing.
    pub ways: Option<u16>,
    /// Lines of the cache, if there is a limit.
    pub lines: Option<u32>,
}

/// The outcome of a request to hold a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The line is present.
    Here,
    /// It is in flight.
    Requested,
    /// There are too few ways for all lines of the load: it will request this one itself.
    Declined,
    /// Not while other loads hold as many lines as the limits allow.
    Full,
    /// Not now.
    Blocked,
    /// Not before there is room towards memory.
    NeedsRoom,
}

impl LoadStoreUnit {
    /// Returns true if lines can be held: a set must have a way beside those that are.
    pub fn can_hold_lines(&self) -> bool {
        !self.l1.cache.is_absent() && self.l1.ways > 1
    }

    /// Requests sectors of a line, given its address, and holds it for a load that holds the lines `own` already.
    pub(crate) fn hold_line(
        &mut self,
        address: u64,
        sectors: u8,
        load: HolderId,
        limits: HoldLimits,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Hold {
        // The requested line may be that of the queue's head.
        self.lacks_way = None;
        self.l1.hold_line(address, sectors, load, limits, own, ports)
    }

    /// Returns true if a line, given its address, cannot be held before one of the lines `held` is
    /// read. The lines `own` among them are held for the same load.
    pub fn is_held_up(
        &self,
        address: u64,
        held: impl Iterator<Item = u64>,
        own: &[u64],
        limits: HoldLimits,
    ) -> bool {
        let (line, cache) = (self.l1.line_number(address), &self.l1.cache);
        let is_here = |other: &u64| cache.set(*other) == cache.set(line);
        let mut held: Vec<u64> = held.collect();
        held.sort_unstable();
        held.dedup();
        let is_short =
            limits.lines.is_some_and(|most| held.len() >= most as usize) && own.len() != held.len();
        let in_set = held.iter().filter(|other| is_here(other)).count();
        let own = own.iter().filter(|other| is_here(other)).count();
        let is_full = in_set >= usize::from(self.l1.most_held_ways(limits)) && own != in_set;
        cache.holders(line) == 0 && (is_full || is_short)
    }

    /// A load of which a held line has arrived, once for each line.
    pub fn take_arrived(&mut self) -> Option<HolderId> {
        self.l1.arrived.pop()
    }

    /// Lines that are held.
    pub(crate) fn held_lines(&self) -> u64 {
        self.l1.held_lines()
    }

    /// Returns true if a line has arrived or was released since the last call.
    pub fn take_eased(&mut self) -> bool {
        std::mem::take(&mut self.eased)
    }

    /// Returns true if a load or store accesses the cache in this cycle.
    pub fn is_busy(&self) -> bool {
        self.busy
    }
}

impl L1 {
    /// Lines that are held.
    pub(super) fn held_lines(&self) -> u64 {
        self.held.iter().map(|lines| u64::from(*lines)).sum()
    }

    /// The most ways of a set whose lines are held.
    fn most_held_ways(&self, limits: HoldLimits) -> u16 {
        limits.ways.unwrap_or(u16::MAX).min(self.ways - 1)
    }

    fn hold_line(
        &mut self,
        address: u64,
        sectors: u8,
        load: HolderId,
        limits: HoldLimits,
        own: &mut Vec<u64>,
        ports: &mut LsuPorts,
    ) -> Hold {
        let line = self.line_number(address);
        let set = self.cache.set(line);
        let (is_own, is_held) = (own.contains(&line), self.cache.holders(line) != 0);
        if !is_held {
            if self.held[set] >= self.most_held_ways(limits) {
                let own = own.iter().filter(|other| self.cache.set(**other) == set).count();
                let all_are_own = own as u16 == self.held[set];
                return if all_are_own { Hold::Declined } else { Hold::Full };
            }
            if let Some(most) = limits.lines {
                let lines = self.held_lines();
                if lines >= u64::from(most) {
                    let all_are_own = own.len() as u64 == lines;
                    return if all_are_own { Hold::Declined } else { Hold::Full };
                }
            }
            if self.held[set] + self.reserved[set] >= self.ways {
                return Hold::Blocked;
            }
        }
        let by = ports.nobody();
        let valid = self.cache.lookup(line, sectors, by);
        let missing = sectors & !valid;
        if missing != 0 {
            let accepts = ports.memory.accepts();
            let evicts = !is_held && self.cache.would_evict(line, by, Placement::Always).is_some();
            if evicts && !accepts {
                return Hold::NeedsRoom;
            }
            let waiter = LineWaiter::EarlyLoad(load);
            match self.mshrs.merge(line, missing, waiter) {
                Merge::Merged(mshr) if self.mshrs.get(mshr).placement == Placement::Bypass => {
                    self.mshrs.get_mut(mshr).placement = Placement::Always;
                    self.held_early[mshr.0 as usize] = true;
                }
                Merge::Merged(_) => {}
                _ if !accepts => return Hold::NeedsRoom,
                Merge::Full => return Hold::Blocked,
                Merge::New { .. } if !self.mshrs.has_free() => return Hold::Blocked,
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
            self.held[set] += u16::from(!is_held);
            if let Some(evicted) = self.cache.hold(line, by) {
                self.write_back(&evicted, ports);
            }
        }
        if missing == 0 { Hold::Here } else { Hold::Requested }
    }

    /// The line at an address has been read: it is no longer held for a load that has held
    /// `own`. Returns true if it was.
    #[cold]
    pub(crate) fn release_line(&mut self, address: u64, own: &mut Vec<u64>) -> bool {
        let line = self.line_number(address);
        let Some(at) = own.iter().position(|other| *other == line) else {
            return false;
        };
        own.swap_remove(at);
        self.cache.release(line);
        let set = self.cache.set(line);
        self.held[set] -= u16::from(self.cache.holders(line) == 0);
        true
    }
}
