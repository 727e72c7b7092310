//! The stride of each load of each warp.

use crate::handles::WarpSlot;
use std::collections::BTreeMap;

use super::slot::LoadOfWarp;

/// The number of equal differences before a stride is trusted: two, of three accesses.
const TRUSTED: u8 = 2;

/// One stream of accesses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stream {
    /// The number of its last access: of a warp in the grid, or 0.
    pub(super) number: u64,
    address: u64,
    stride: i64,
    /// Differences in a row that were the stride.
    seen: u8,
}

impl Stream {
    pub(super) fn new(number: u64, address: u64) -> Stream {
        Stream { number, address, ..Stream::default() }
    }

    /// The next access, `numbers` numbers further.
    pub(super) fn next(&mut self, number: u64, address: u64, numbers: i64) {
        let difference = address.wrapping_sub(self.address) as i64;
        let stride = if difference % numbers == 0 { difference / numbers } else { 0 };
        if stride != 0 && stride == self.stride {
            self.seen = (self.seen + 1).min(TRUSTED);
        } else {
            (self.stride, self.seen) = (stride, u8::from(stride != 0));
        }
        (self.number, self.address) = (number, address);
    }

    pub(super) fn trusted(&self) -> Option<i64> {
        (self.seen >= TRUSTED).then_some(self.stride)
    }
}

/// By instruction and hardware warp: the stride from one execution to the next. Without limit.
#[derive(Debug, Default)]
pub(super) struct WarpStrides(BTreeMap<(u32, WarpSlot), Stream>);

impl WarpStrides {
    /// A load of an address; the stride to the warp's next execution of it, if one is known.
    pub(super) fn load(&mut self, load: LoadOfWarp, address: u64) -> Option<i64> {
        let LoadOfWarp { pc, hardware, warp } = load;
        let stream = self.0.entry((pc, hardware)).or_insert(Stream::new(warp, address));
        if stream.number != warp {
            // Another block's warp runs there by now.
            *stream = Stream::new(warp, address);
        } else if stream.address != address {
            stream.next(warp, address, 1);
        }
        stream.trusted()
    }

    /// The number of warps with a stride at an instruction.
    pub(super) fn with(&self, pc: u32, stride: i64) -> usize {
        let all = self.0.range((pc, WarpSlot(0))..=(pc, WarpSlot(u16::MAX)));
        all.filter(|(_, stream)| stream.trusted() == Some(stride)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_access_of_a_warp_has_the_stride_of_the_second() {
        let mut strides = WarpStrides::default();
        let load = |warp: u64| LoadOfWarp { pc: 4, hardware: WarpSlot(0), warp };
        let found = [0, 256, 512, 512, 768].map(|at| strides.load(load(0), at));
        assert_eq!(found, [None, None, Some(256), Some(256), Some(256)]);
        assert_eq!((strides.with(4, 256), strides.with(4, 8), strides.with(5, 256)), (1, 0, 0));
        // Another block's warp in the same place starts again.
        assert_eq!(strides.load(load(9), 1024), None);
    }
}
