//! Walking through the lanes of a mask.

/// The set lanes of a mask in ascending order.
#[inline(always)]
pub(crate) fn lanes_of(mask: u64) -> LanesOf {
    LanesOf(mask)
}

/// See [`lanes_of`].
#[derive(Clone)]
pub(crate) struct LanesOf(u64);

impl Iterator for LanesOf {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lane)
    }
}

/// The number of lanes in a mask. Without the processor's own instruction, which not every host
/// has, counting bits takes twenty instructions; most masks are of a whole warp of 32 lanes.
#[inline]
pub(crate) fn count_lanes(mask: u64) -> u32 {
    const WARP: u64 = u32::MAX as u64;
    match mask {
        0 => 0,
        WARP => 32,
        _ => count(mask),
    }
}

/// Out of line: otherwise lanes are counted before the comparisons are made.
#[inline(never)]
fn count(mask: u64) -> u32 {
    mask.count_ones()
}
