//! Many-thread-aware prefetching: strides of loads, within a warp and from warp to warp.
//!
//! Source: Lee, Lakshminarayana, Kim, Vuduc, "Many-thread aware prefetching mechanisms for GPGPU
//! applications", MICRO 2010, the hardware scheme: a stride for each load of each warp, one for all
//! warps when several agree (stride promotion), one from warp to warp (inter-thread prefetching), a
//! prefetch cache, and throttling. Wang and Lin call it MTA and compare decoupled affine
//! computation with it (§1, §2). We have only the outline of the paper: sizes and thresholds are
//! ours, and large, because Wang and Lin provision it generously. See `spec/machine.md`.

use std::collections::BTreeMap;

use super::buffered::{self, OPTIONS, STATISTICS};
use super::slot::{Build, LoadOfWarp};
use super::strides::{Stream, WarpStrides};
use crate::mechanisms::mechanism::Mechanism;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "many-thread-prefetch",
    sentence: "detects strides of loads within a warp and across warps, and prefetches into a buffer \
               beside the L1",
    options: OPTIONS,
    trials: &[
        &[("many-thread-prefetch.degree", "2")],
        &[("many-thread-prefetch.degree", "3"), ("l1.size", "0")],
        &[("many-thread-prefetch.lines", "3")],
        &[("interconnect.queue", "1")],
        &[("divergence", "block-compaction-plus")],
        &[("divergence", "warp-subdivision"), ("warp-subdivision.memory-divergence", "true")],
    ],
    statistics: STATISTICS,
    build: &|table| {
        let mut strides = Strides::default();
        buffered::build(table, Box::new(move |load, first, _| strides.load(load, first)))
    },
};

/// Warps whose strides agree before a load has that stride in all warps.
const AGREEING: usize = 3;

/// Tables without limit.
#[derive(Debug, Default)]
struct Strides {
    warps: WarpStrides,
    /// By instruction: the stride that several warps agree on.
    promoted: BTreeMap<u32, i64>,
    /// By instruction: from warp to warp.
    between: BTreeMap<u32, Stream>,
}

impl Strides {
    /// A load of an address. Returns the stride to the next addresses, if one is known.
    fn load(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let between = self.across_warps(load, address);
        self.within_warp(load, address).or(between)
    }

    /// The stride from one execution of a warp's to its next.
    fn within_warp(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let pc = load.pc;
        let own = self.warps.load(load, address);
        match (own, self.promoted.get(&pc).copied()) {
            // The warps agree no more.
            (Some(own), Some(promoted)) if own != promoted => {
                self.promoted.remove(&pc);
            }
            (_, Some(promoted)) => return Some(promoted),
            (Some(own), None) => {
                if self.warps.with(pc, own) >= AGREEING {
                    self.promoted.insert(pc, own);
                }
            }
            (None, None) => {}
        }
        own
    }

    /// The stride from one warp of the grid to the next.
    fn across_warps(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let stream = self.between.entry(load.pc).or_insert(Stream::new(load.warp, address));
        let numbers = load.warp.wrapping_sub(stream.number) as i64;
        if numbers != 0 {
            stream.next(load.warp, address, numbers);
        }
        stream.trusted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handles::WarpSlot;

    fn load(hardware: u16, warp: u64) -> LoadOfWarp {
        LoadOfWarp { pc: 4, hardware: WarpSlot(hardware), warp }
    }

    #[test]
    fn within_a_warp_and_for_all_of_them() {
        let mut strides = Strides::default();
        // The third access of a warp has the stride of the second.
        for warp in [0, 1, 2] {
            let first = 1000 + u64::from(warp) * 17 * u64::from(warp);
            let found = [0, 1, 2, 3]
                .map(|turn| strides.within_warp(load(warp, u64::from(warp)), first + 256 * turn));
            assert_eq!(found, [None, None, Some(256), Some(256)], "warp {warp}");
        }
        // Three warps agree: a fourth has the stride at once, until one has another.
        assert_eq!(strides.within_warp(load(3, 3), 0), Some(256));
        assert_eq!([8, 16].map(|at| strides.within_warp(load(3, 3), at)), [Some(256), Some(8)]);
        assert_eq!(strides.within_warp(load(4, 4), 0), None);
        // Another block's warp in the same place starts again.
        assert_eq!(strides.within_warp(load(0, 9), 5000), None);
    }

    #[test]
    fn from_warp_to_warp() {
        let mut strides = Strides::default();
        // Warps 0, 2, 1, 5: 128 bytes per warp, in any order of arrival; another load has its own.
        let found = [0, 2, 1, 5]
            .map(|warp| strides.load(load(warp, u64::from(warp)), 4096 + 128 * u64::from(warp)));
        assert_eq!(found, [None, None, Some(128), Some(128)]);
        assert_eq!(strides.load(LoadOfWarp { pc: 5, ..load(0, 6) }, 0), None);
        // Out of step: not trusted until two differences agree again.
        assert_eq!(strides.load(load(6, 6), 9999), None);
    }
}
