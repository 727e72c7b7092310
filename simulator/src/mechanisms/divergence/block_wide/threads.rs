//! A set of threads of a block: the active mask of a block-wide stack's entry.

use crate::block::path::Lanes;
use crate::execute::lanes::lanes_of;

/// By warp, the lanes whose threads are in the set; a lane is a thread's place in its warp.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Threads(Vec<u64>);

impl Threads {
    /// An empty set for `warps` warps.
    pub(crate) fn none(warps: usize) -> Threads {
        Threads(vec![0; warps])
    }

    /// By warp, the lanes.
    pub(crate) fn masks(&self) -> &[u64] {
        &self.0
    }

    /// The lanes of one warp.
    pub(crate) fn of(&self, warp: usize) -> u64 {
        self.0.get(warp).copied().unwrap_or(0)
    }

    /// Adds lanes of a warp.
    pub(crate) fn add(&mut self, warp: usize, lanes: u64) {
        if let Some(mask) = self.0.get_mut(warp) {
            *mask |= lanes;
        }
    }

    /// Adds the threads that some lanes carry, of those in `mask`.
    pub(crate) fn add_lanes(&mut self, lanes: &Lanes, mask: u64, width: usize) {
        match lanes {
            Lanes::Warp { warp, mask: active } => self.add(usize::from(*warp), active & mask),
            Lanes::Mixed(threads) => {
                let carried =
                    lanes_of(mask).filter_map(|lane| threads.get(lane).copied().flatten());
                for thread in carried {
                    let thread = usize::from(thread.0);
                    self.add(thread / width, 1 << (thread % width));
                }
            }
        }
    }

    /// Takes the threads of another set out.
    pub(crate) fn remove_all(&mut self, other: &Threads) {
        for (mask, less) in self.0.iter_mut().zip(&other.0) {
            *mask &= !less;
        }
    }

    /// The number of threads.
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|mask| mask.count_ones()).sum()
    }

    /// The number of warps with a thread.
    pub(crate) fn warps(&self) -> u32 {
        self.0.iter().filter(|&&mask| mask != 0).count() as u32
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&mask| mask == 0)
    }

    /// Takes all of them out.
    pub(crate) fn take(&mut self) -> Threads {
        let none = Threads::none(self.0.len());
        std::mem::replace(self, none)
    }
}
