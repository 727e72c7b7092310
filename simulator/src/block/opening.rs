//! The threads that a barrier of a block lets continue.

use crate::block::path::Lanes;
use crate::execute::lanes::lanes_of;

/// The threads that a barrier of the block lets continue.
#[derive(Clone, Copy, Debug)]
pub enum Opening<'a> {
    /// All that wait.
    All,
    /// Those of some lanes of each warp: others wait at other barriers.
    Lanes {
        /// The lanes, by warp.
        by_warp: &'a [u64],
        /// Lanes per warp.
        width: usize,
    },
}

impl Opening<'_> {
    /// Returns true if it lets the threads of a warp's lanes continue, which wait together.
    pub fn has(self, warp: usize, mask: u64) -> bool {
        match self {
            Opening::All => true,
            Opening::Lanes { by_warp, .. } => {
                by_warp.get(warp).is_some_and(|lanes| mask & !lanes == 0)
            }
        }
    }

    /// The lanes of a path whose threads it lets continue.
    pub fn part(self, lanes: &Lanes) -> u64 {
        let Opening::Lanes { by_warp, width } = self else {
            return lanes.mask();
        };
        let has = |&lane: &usize| {
            let thread = lanes.thread(lane, width).map(|thread| usize::from(thread.0));
            thread.is_some_and(|thread| self.has(thread / width, 1 << (thread % width)))
        };
        match *lanes {
            Lanes::Warp { warp, mask } => mask & by_warp.get(usize::from(warp)).unwrap_or(&0),
            Lanes::Mixed(_) => {
                lanes_of(lanes.mask()).filter(has).fold(0, |all, lane| all | 1 << lane)
            }
        }
    }
}
