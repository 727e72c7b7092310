//! Order through memory: the accesses that a thread releases by a fence and then an atomic or
//! volatile write, and that others acquire when they read that place.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::clock::Clocks;
use super::knowledge::{Knowledge, Ready};
use super::shadow::Entry;

/// One release at a place.
#[derive(Clone, Debug)]
struct Release {
    version: u32,
    thread: u16,
    warp: u16,
    ready: Ready,
    /// The time of the release: the thread's strong writes up to then are ordered too.
    at: u32,
}

/// A place in memory where threads have released something.
#[derive(Clone, Debug, Default)]
struct Place {
    /// By block.
    releases: BTreeMap<u32, Vec<Release>>,
    version: u32,
    /// The accesses that the releasing threads had acquired.
    joined: Knowledge,
}

/// All places of a launch.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    numbers: BTreeMap<u64, u32>,
    places: Vec<Place>,
}

impl Places {
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.places.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// A thread reads a place by an atomic or a volatile load.
    pub fn acquire(&self, key: u64, thread: usize, clocks: &mut Clocks) {
        let Some(&number) = self.numbers.get(&key) else {
            return;
        };
        if let Some(place) = self.places.get(number as usize) {
            let known = clocks.known_mut(thread);
            known.join(&place.joined);
            known.learn(number, place.version);
        }
    }

    /// A thread writes a place by an atomic or a volatile store.
    pub fn release(&mut self, key: u64, warp: u16, thread: usize, clocks: &mut Clocks) {
        let Some(ready) = clocks.ready(thread) else {
            return;
        };
        let number = *self.numbers.entry(key).or_insert_with(|| {
            self.places.push(Place::default());
            self.places.len() as u32 - 1
        });
        let Some(place) = self.places.get_mut(number as usize) else {
            return;
        };
        place.joined.join(&clocks.known_by_all);
        if let Some(known) = clocks.known(thread) {
            place.joined.join(known);
        }
        let releases = place.releases.entry(clocks.block).or_default();
        let thread = thread as u16;
        let last = releases.iter_mut().rfind(|release| release.thread == thread);
        match last {
            // Repeated attempts at a lock add nothing new.
            Some(last) if ready.adds_nothing_to(&last.ready) => {
                last.at = clocks.time;
            }
            _ => {
                let (version, at) = (place.version, clocks.time);
                releases.push(Release { version, thread, warp, ready, at });
                place.version += 1;
            }
        }
        clocks.tick();
    }

    /// Returns true if acquired releases order an action of an entry's warp before an action of a
    /// block's thread now. `earlier` is the earlier thread, and `lane` its lane.
    pub fn orders(
        &self,
        entry: &Entry,
        earlier: usize,
        lane: usize,
        thread: usize,
        clocks: &Clocks,
    ) -> bool {
        let covers = |known: &Knowledge| {
            known.iter().any(|(number, version)| {
                let place = self.places.get(number as usize);
                let releases = place.and_then(|place| place.releases.get(&entry.block));
                let own = entry.block == clocks.block;
                let old = |release: &&Release| release.version < version;
                releases.is_some_and(|all| {
                    all.iter().filter(old).any(|it| it.has(entry, earlier, lane, own))
                })
            })
        };
        covers(&clocks.known_by_all) || clocks.known(thread).is_some_and(covers)
    }
}

impl Release {
    /// Returns true if it covers the action of a thread, for a thread of its own block or of any
    /// block. `lane` is the lane of that thread.
    fn has(&self, entry: &Entry, thread: usize, lane: usize, own: bool) -> bool {
        let Ready { covers, lanes, fenced } = &self.ready;
        let cover = covers[usize::from(!own)];
        let is_self = thread == usize::from(self.thread);
        let strong = entry.mode.is_strong() && entry.mode.writes() && entry.time <= self.at;
        let is_in = |times: &Option<Arc<[u32]>>, at: usize| {
            let until = times.as_ref().and_then(|times| times.get(at));
            until.is_some_and(|&until| entry.time < until)
        };
        let of_warp = entry.warp == self.warp && cover.until != 0;
        entry.time < cover.opened
            || of_warp && (entry.time < cover.synced || is_in(lanes, lane))
            || is_self && (entry.time < cover.until || strong)
            || is_in(fenced, thread)
    }
}
