//! A block's clocks: which of its accesses are ordered by barriers, by the synchronisation of warps, and by releases.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::knowledge::{Cover, Knowledge, Ready};

/// The synchronisation between the lanes of a warp.
#[derive(Clone, Debug, Default)]
struct Warp {
    /// All actions of the warp before this time are ordered before all later ones of its lanes.
    synced: u32,
    /// By lane that knows and lane that is known, where they differ: the same between the two.
    pairs: Option<Box<[u32]>>,
    alive: u64,
    /// Lanes that have executed the fence of their next synchronisation.
    fenced: u64,
    /// Lanes whose next atomic is for their block only.
    narrow: u64,
}

/// The clocks of a block that is running. Time passes when some of its threads synchronise.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// Its number in the grid.
    pub block: u32,
    width: usize,
    pub time: u32,
    /// All actions of the block before this time are ordered before all its later ones.
    pub opened: u32,
    warps: Vec<Warp>,
    /// By thread, up to where a fence has made its accesses ready to be released: for the block, for the device.
    fences: Vec<[Cover; 2]>,
    /// The same at the last barrier, where every thread of the block could see it; times of the
    /// device's.
    fenced: Option<Arc<[u32]>>,
    fenced_since: bool,
    /// The releases that each thread has acquired since the last barrier, and those that all
    /// threads have.
    known: BTreeMap<u16, Knowledge>,
    pub known_by_all: Knowledge,
}

impl Clocks {
    pub fn start(&mut self, block: u32, width: usize, alive: impl Iterator<Item = u64>) {
        let mut warps = std::mem::take(&mut self.warps);
        warps.clear();
        warps.extend(alive.map(|alive| Warp { alive, ..Warp::default() }));
        *self = Clocks { block, width, time: 1, warps, ..Clocks::default() };
    }

    /// The lanes of a warp that have not ended.
    pub fn alive(&self, warp: u16) -> u64 {
        self.warps.get(usize::from(warp)).map_or(0, |warp| warp.alive)
    }

    pub fn end(&mut self, warp: u16, lanes: u64) {
        if let Some(warp) = self.warps.get_mut(usize::from(warp)) {
            warp.alive &= !lanes;
        }
    }

    /// Returns true if all threads have ended.
    pub fn is_over(&self) -> bool {
        self.warps.iter().all(|warp| warp.alive == 0)
    }

    /// The barrier opens.
    pub fn open(&mut self) {
        self.time = self.time.saturating_add(1);
        self.opened = self.time;
        self.warps.iter_mut().for_each(|warp| warp.pairs = None);
        for (_, known) in std::mem::take(&mut self.known) {
            self.known_by_all.join(&known);
        }
        if std::mem::take(&mut self.fenced_since) {
            self.fenced = Some(self.fences.iter().map(|[_, device]| device.until).collect());
        }
    }

    /// Lanes of a warp synchronise.
    pub fn sync(&mut self, warp: u16, lanes: u64) {
        if lanes == 0 {
            return;
        }
        self.time = self.time.saturating_add(1);
        let (time, width) = (self.time, self.width);
        let first = usize::from(warp) * width;
        if !self.known.is_empty() {
            let mut all = Knowledge::default();
            let threads = || (0..width).filter(|lane| lanes >> lane & 1 != 0);
            for lane in threads() {
                if let Some(known) = self.known.get(&((first + lane) as u16)) {
                    all.join(known);
                }
            }
            for lane in threads().filter(|_| !all.is_empty()) {
                self.known.insert((first + lane) as u16, all.clone());
            }
        }
        let Some(warp) = self.warps.get_mut(usize::from(warp)) else {
            return;
        };
        if lanes & warp.alive == warp.alive {
            (warp.synced, warp.pairs) = (time, None);
            return;
        }
        let synced = warp.synced.max(self.opened);
        let pairs = warp.pairs.get_or_insert_with(|| vec![synced; width * width].into());
        for known in 0..width {
            let together = lanes >> known & 1 != 0;
            let holders = || (0..width).filter(|lane| lanes >> lane & 1 != 0);
            let most = match together {
                true => time,
                false => holders().map(|lane| pairs[lane * width + known]).max().unwrap_or(0),
            };
            holders().for_each(|lane| pairs[lane * width + known] = most);
        }
    }

    /// The next synchronisation of these lanes of a warp orders their earlier actions.
    pub fn fence_warp(&mut self, warp: u16, lanes: u64) {
        if let Some(warp) = self.warps.get_mut(usize::from(warp)) {
            warp.fenced |= lanes;
        }
    }

    /// The lanes among the synchronising ones that have executed the corresponding fence.
    pub fn take_fenced(&mut self, warp: u16, lanes: u64) -> u64 {
        let Some(warp) = self.warps.get_mut(usize::from(warp)) else {
            return 0;
        };
        let fenced = warp.fenced & lanes;
        warp.fenced &= !lanes;
        fenced
    }

    /// The next atomic of lanes of a warp is for their block only.
    pub fn narrow_atomic(&mut self, warp: u16, lanes: u64) {
        if let Some(warp) = self.warps.get_mut(usize::from(warp)) {
            warp.narrow |= lanes;
        }
    }

    /// Returns true if the atomic that a lane of a warp executes now is for its block only.
    pub fn take_narrow(&mut self, warp: u16, lane: usize) -> bool {
        let Some(warp) = self.warps.get_mut(usize::from(warp)) else {
            return false;
        };
        let is_narrow = warp.narrow >> lane & 1 != 0;
        warp.narrow &= !(1 << lane);
        is_narrow
    }

    /// Threads of a warp execute a fence, for the block or for the device.
    pub fn fence(&mut self, warp: u16, lanes: u64, device: bool) {
        self.time = self.time.saturating_add(1);
        let threads = self.warps.len() * self.width;
        self.fences.resize(threads, Default::default());
        self.fenced_since |= device;
        for lane in (0..self.width).filter(|lane| lanes >> lane & 1 != 0) {
            let synced = self.synced(warp);
            let cover = Cover { until: self.time, opened: self.opened, synced };
            let marks = &mut self.fences[usize::from(warp) * self.width + lane];
            marks[0] = cover;
            if device {
                marks[1] = cover;
            }
        }
    }

    fn synced(&self, warp: u16) -> u32 {
        self.warps.get(usize::from(warp)).map_or(0, |warp| warp.synced)
    }

    /// The accesses that a thread may release; none without a fence.
    pub fn ready(&self, thread: usize) -> Option<Ready> {
        let covers = self.fences.get(thread).copied().unwrap_or_default();
        let ready = covers[0].until != 0 || self.fenced.is_some();
        ready.then(|| {
            let (warp, lane) = (thread / self.width, thread % self.width);
            let pairs = self.warps.get(warp).and_then(|warp| warp.pairs.as_ref());
            let row = |pairs: &[u32]| pairs[lane * self.width..][..self.width].into();
            let lanes = pairs.map(|pairs| row(pairs));
            Ready { covers, lanes, fenced: self.fenced.clone() }
        })
    }

    /// Returns true if any thread has executed a fence, so that a release is possible.
    pub fn has_fences(&self) -> bool {
        !self.fences.is_empty()
    }

    /// Returns true if a lane's action at a time is ordered before another lane's action now, both
    /// of one warp.
    #[inline]
    pub fn is_synced(&self, warp: u16, before: usize, now: usize, time: u32) -> bool {
        let Some(warp) = self.warps.get(usize::from(warp)) else {
            return false;
        };
        let pairs = || warp.pairs.as_ref().map_or(0, |pairs| pairs[now * self.width + before]);
        before == now || time < warp.synced || time < pairs()
    }

    /// The releases that a thread has acquired since the last barrier.
    pub fn known(&self, thread: usize) -> Option<&Knowledge> {
        self.known.get(&(thread as u16))
    }

    /// The same, for additions.
    pub fn known_mut(&mut self, thread: usize) -> &mut Knowledge {
        self.known.entry(thread as u16).or_default()
    }

    /// A release takes place: later actions of its thread are not part of it.
    pub fn tick(&mut self) {
        self.time = self.time.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_have_the_clocks_that_they_synchronised_with() {
        let mut clocks = Clocks::default();
        clocks.start(0, 4, [0b1111].into_iter());
        let start = clocks.time;
        clocks.sync(0, 0b0011);
        assert!(clocks.is_synced(0, 0, 1, start) && clocks.is_synced(0, 1, 0, start));
        assert!(!clocks.is_synced(0, 0, 2, start) && !clocks.is_synced(0, 2, 0, start));
        // Lane 2 is ordered after lane 0 through lane 1.
        clocks.sync(0, 0b0110);
        assert!(clocks.is_synced(0, 0, 2, start) && !clocks.is_synced(0, 2, 0, start));
        let now = clocks.time;
        clocks.sync(0, 0b1111);
        assert!(clocks.is_synced(0, 3, 0, now) && clocks.is_synced(0, 0, 3, now));
        assert!(!clocks.is_synced(0, 0, 3, clocks.time));
    }
}
