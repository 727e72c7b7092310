//! The strides that loads are found to have.

use std::collections::BTreeMap;

use crate::prefetcher::LoadOfWarp;

/// How often a stride is seen before it is trusted: two differences that agree, of three accesses.
const TRUSTED: u8 = 2;
/// Warps whose strides agree before a load has that stride in all warps.
const AGREEING: usize = 3;

/// What is known of one stream of accesses.
#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// The number of its last access: of a warp in the grid, or 0.
    number: u64,
    address: u64,
    stride: i64,
    /// Differences in a row that were the stride.
    seen: u8,
}

impl Stream {
    fn new(number: u64, address: u64) -> Stream {
        Stream { number, address, ..Stream::default() }
    }

    /// The next access, so many numbers further.
    fn next(&mut self, number: u64, address: u64, numbers: i64) {
        let difference = address.wrapping_sub(self.address) as i64;
        let stride = if difference % numbers == 0 { difference / numbers } else { 0 };
        if stride != 0 && stride == self.stride {
            self.seen = (self.seen + 1).min(TRUSTED);
        } else {
            (self.stride, self.seen) = (stride, u8::from(stride != 0));
        }
        (self.number, self.address) = (number, address);
    }

    fn trusted(&self) -> Option<i64> {
        (self.seen >= TRUSTED).then_some(self.stride)
    }
}

/// Tables without limit.
#[derive(Debug, Default)]
pub(super) struct Strides {
    /// By instruction and hardware warp: from one execution to the next.
    warps: BTreeMap<(u32, u16), Stream>,
    /// By instruction: what several warps agree on.
    promoted: BTreeMap<u32, i64>,
    /// By instruction: from warp to warp.
    between: BTreeMap<u32, Stream>,
}

impl Strides {
    /// A load of an address; the stride to what will be wanted, if one is known.
    pub(super) fn load(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let between = self.across_warps(load, address);
        self.within_warp(load, address).or(between)
    }

    /// The stride from one execution of a warp's to its next.
    fn within_warp(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let LoadOfWarp { pc, hardware, warp } = load;
        let stream = self.warps.entry((pc, hardware)).or_insert(Stream::new(warp, address));
        if stream.number != warp {
            // Another block's warp runs there by now.
            *stream = Stream::new(warp, address);
        } else if stream.address != address {
            stream.next(warp, address, 1);
        }
        let own = stream.trusted();
        match (own, self.promoted.get(&pc).copied()) {
            // The warps agree no more.
            (Some(own), Some(promoted)) if own != promoted => {
                self.promoted.remove(&pc);
            }
            (_, Some(promoted)) => return Some(promoted),
            (Some(own), None) => {
                let all = self.warps.range((pc, 0)..=(pc, u16::MAX));
                let agree = all.filter(|(_, stream)| stream.trusted() == Some(own)).count();
                if agree >= AGREEING {
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

    fn load(hardware: u16, warp: u64) -> LoadOfWarp {
        LoadOfWarp { pc: 4, hardware, warp }
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
        // Warps 0, 2, 1, 5: 128 bytes a warp, in whatever order they come; another load has its own.
        let found = [0, 2, 1, 5]
            .map(|warp| strides.load(load(warp, u64::from(warp)), 4096 + 128 * u64::from(warp)));
        assert_eq!(found, [None, None, Some(128), Some(128)]);
        assert_eq!(strides.load(LoadOfWarp { pc: 5, ..load(0, 6) }, 0), None);
        // Out of step: not trusted until two differences agree again.
        assert_eq!(strides.load(load(6, 6), 9999), None);
    }
}
