//! Lines of global memory in the cache of the slot `local-cache`, if it keeps some: Algorithm 1 of
//! the affine vector cache (AVC §4.3) for the other memory spaces of its conclusion. The rest is
//! ours (`spec/machine.md`).
//!
//! A line is a vector, and arrives by sectors. None is dirty: a line that is stored to moves to the
//! L1, where stores are written through.

use super::local::{Fill, Local};
use super::{L1, LineAccessed, LineWaiter};
use crate::handles::LoadId;
use crate::mechanisms::allocation::Requester;
use crate::mechanisms::local_cache::{Outcome, Space, Transaction};
use crate::mechanisms::prefetcher::slot::Prefetcher;
use crate::memory::bytes::{LineSectors, SECTOR};
use crate::memory::device::GlobalView;
use crate::memory::mshr::{FetchedSectors, MshrId, Placement};
use crate::sm::lsu::request::LsuPorts;

/// Words of a sector.
const WORDS: u32 = SECTOR / 4;

/// The lanes whose words lie in some sectors of a line.
fn lanes_of(sectors: u8) -> u32 {
    let lanes = |sector: u32| ((1 << WORDS) - 1) << (WORDS * sector);
    (0..4).filter(|sector| sectors >> sector & 1 != 0).fold(0, |all, sector| all | lanes(sector))
}

/// The sectors in which the words of some lanes lie.
fn sectors_of(lanes: u32) -> u8 {
    (0..4).filter(|sector| lanes & lanes_of(1 << sector) != 0).fold(0, |all, it| all | 1 << it)
}

impl L1 {
    /// The slot `local-cache`, if it keeps lines of global memory.
    fn keeper(&mut self) -> Option<&mut Local> {
        self.local.as_mut().filter(|local| local.cache.keeps_global())
    }

    /// Sectors of a line that are kept as a vector, if it is of global memory.
    pub(super) fn kept_sectors(&self, line: u64) -> u8 {
        match &self.local {
            Some(local) if local.cache.keeps_global() && !self.is_local(line) => {
                sectors_of(local.cache.valid(line))
            }
            _ => 0,
        }
    }

    /// Loads sectors of a line of global memory, given its number.
    #[inline(always)]
    pub(super) fn load_global(
        &mut self,
        of: LineSectors,
        load: LoadId,
        by: Requester,
        prefetcher: Option<&mut (dyn Prefetcher + 'static)>,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        match self.local {
            None => self.load_line(of, load, LineWaiter::Load(load), by, prefetcher, ports),
            Some(_) => self.load_kept(of, load, by, prefetcher, ports),
        }
    }

    /// The same beside a cache of the slot: Algorithm 1. If some of the sectors are kept, it is
    /// replayed for the others.
    #[inline(never)]
    fn load_kept(
        &mut self,
        of: LineSectors,
        load: LoadId,
        by: Requester,
        prefetcher: Option<&mut (dyn Prefetcher + 'static)>,
        ports: &mut LsuPorts,
    ) -> LineAccessed {
        let (LineSectors { line, sectors }, waiter) = (of, LineWaiter::Load(load));
        let Some(local) = self.keeper() else {
            return self.load_line(of, load, waiter, by, prefetcher, ports);
        };
        let found = sectors_of(local.cache.load(line, lanes_of(sectors)));
        let rest = sectors & !found;
        if rest == 0 {
            local.cache.observe(Outcome::Hit(Space::Global));
            return LineAccessed::Done(ports.now + self.latency_of(line));
        }
        if found != 0 {
            local.cache.observe(Outcome::PartialHit(Space::Global));
            return LineAccessed::Rest(rest);
        }
        let done = self.load_line(of, load, waiter, by, prefetcher, ports);
        if matches!(done, LineAccessed::Sent | LineAccessed::Done(_)) {
            self.observe_local(Outcome::Miss(Space::Global));
        }
        done
    }

    /// A line of global memory has arrived, in the cycle in which the SM may see it. Returns true
    /// if it is kept as a vector, and the L1 gets nothing. It is kept if all arrived words are
    /// affine together with the stored ones of the line, and the L1 has no way for it.
    // Out of line: every cycle of the load/store unit would pass by it, on machines without the slot too.
    #[inline(never)]
    pub(super) fn fill_global(
        &mut self,
        entry: MshrId,
        global: GlobalView,
        ports: &mut LsuPorts,
    ) -> bool {
        let miss = *self.mshrs.get(entry);
        let (line, lanes) = (miss.line, lanes_of(miss.sectors));
        let address = (line << self.line_shift) as u32;
        let has_way = self.cache.find(line).is_some();
        let is_early = |waiter: &LineWaiter| matches!(waiter, LineWaiter::EarlyLoad(_));
        let is_early = self.mshrs.waiters(entry).iter().any(is_early);
        let Some(local) = self.keeper() else {
            return false;
        };
        let part_lanes = local.cache.part_lanes();
        let transaction = Transaction::new(&global.line(address), lanes, part_lanes);
        let is_affine = transaction.affine == lanes && local.cache.fits(line, &transaction);
        if !is_affine || has_way || is_early {
            self.forget(line, miss.sectors);
            return false;
        }
        self.pass_by(&miss, ports);
        let ready = ports.now + 1;
        if let Some(local) = &mut self.local {
            // The first waiter supplies the words, and each takes a cycle.
            let mut transaction = transaction;
            self.mshrs.finish(entry, |waiter| {
                if let LineWaiter::Load(load) = waiter {
                    local.fills.push_back(Fill { line, transaction, load: Some(load), ready });
                    transaction = transaction.within(0);
                }
            });
            self.next_replay = self.next_replay.min(local.next());
        }
        true
    }

    /// Sectors of a line of global memory, given its number, are about to be stored to. If any is
    /// kept, all kept sectors of the line move to the L1, if that has a way for it. Returns true if
    /// they moved, which takes the pass.
    #[inline]
    pub(super) fn move_vector(
        &mut self,
        LineSectors { line, sectors }: LineSectors,
        by: Requester,
        ports: &mut LsuPorts,
    ) -> bool {
        let kept = self.kept_sectors(line);
        if kept & sectors == 0 || self.cache.is_absent() {
            return false;
        }
        let (way, has_way) = (self.cache.find(line), self.has_way(self.cache.set(line)));
        let room = has_way || way.is_some();
        if !room || !self.cache.allocates(line, way, by, has_way) {
            return false;
        }
        self.forget(line, kept);
        let fetched = FetchedSectors { sectors: kept, used: 0, first: kept };
        let filled = self.cache.fill(line, fetched, false, Placement::IfAllowed, by);
        if let Some(evicted) = filled.evicted {
            self.write_back(&evicted, ports);
        }
        self.observe_local(Outcome::Moved);
        true
    }

    /// Sectors of a line of global memory, given its number, are accessed elsewhere: they are not kept any more.
    #[inline]
    pub(super) fn forget(&mut self, line: u64, sectors: u8) {
        let Some(local) = self.keeper() else {
            return;
        };
        let lanes = lanes_of(sectors);
        local.cache.clear(line, lanes);
        for fill in local.fills.iter_mut().filter(|fill| fill.line == line) {
            fill.transaction = fill.transaction.within(!lanes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_lanes_are_a_sector() {
        assert_eq!([lanes_of(0), lanes_of(0b0101), lanes_of(0xff)], [0, 0x00ff_00ff, u32::MAX]);
        assert!((0..16).all(|sectors| sectors_of(lanes_of(sectors)) == sectors));
    }
}
