//! Slot `lane-permutation`: which physical lane a thread of a warp sits in.
//!
//! Source: Rhu's dissertation, §4.3 (SIMD lane permutation). Compaction can put two threads into
//! one warp only if they have different lanes, and programs tend to send the threads of one place
//! of all warps along the same path. A permutation is fixed when a warp starts. Nothing visible to
//! a program depends on it: a lane that instructions name is a thread's *place* in its warp,
//! registers are kept by place, and arbitration between threads goes by their numbers (§4.5.2, the
//! second method). So physical lanes exist only in this map and its users: the units that form
//! warps, and those that execute a warp in parts.

use crate::execute::lanes::lanes_of;
use crate::mechanisms::setup::Setup;

/// Constructs the map of warps of a width from a permutation's options.
pub type Build = &'static (dyn Fn(&Setup, usize) -> Result<LaneMap, String> + Sync);

/// The physical lane of each place of each warp. Warps are numbered within their block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneMap {
    pub(super) width: usize,
    /// By warp, modulo the warps that are here, and place; empty for the identity.
    lanes: Vec<u8>,
    /// By warp and physical lane, the place.
    places: Vec<u8>,
    ideal: bool,
}

impl LaneMap {
    /// Every thread in the lane of its place.
    pub fn identity(width: usize) -> LaneMap {
        LaneMap { width, lanes: Vec::new(), places: Vec::new(), ideal: false }
    }

    /// The map for a formation that may put each thread into any lane.
    pub(super) fn ideal(width: usize) -> LaneMap {
        LaneMap { ideal: true, ..LaneMap::identity(width) }
    }

    /// The lanes that a function of warp and place gives, which repeat after `period` warps. For each
    /// warp the function is a permutation.
    pub(super) fn new(
        width: usize,
        period: usize,
        lane: impl Fn(usize, usize) -> usize,
    ) -> LaneMap {
        let mut map = LaneMap::identity(width);
        map.lanes = vec![0; period * width];
        map.places = vec![0; period * width];
        for warp in 0..period {
            for place in 0..width {
                let lane = lane(warp, place) % width;
                map.lanes[warp * width + place] = lane as u8;
                map.places[warp * width + lane] = place as u8;
            }
        }
        map
    }

    /// The lanes that result from XOR with a mask for each warp, which is less than the width. Only
    /// widths that are powers of two have such.
    pub(super) fn xor(
        name: &str,
        width: usize,
        mask: impl Fn(usize) -> usize,
    ) -> Result<LaneMap, String> {
        if !width.is_power_of_two() {
            return Err(format!(
                "`lanes = \"{name}\"` needs a warp width that is a power of two, not {width}"
            ));
        }
        // Masks are functions of the warp modulo the width or modulo 2.
        Ok(LaneMap::new(width, width.max(2), |warp, place| place ^ mask(warp)))
    }

    /// Returns true if threads may be put into any lane when warps are formed.
    pub fn is_ideal(&self) -> bool {
        self.ideal
    }

    /// Returns true if every thread sits in the lane of its place.
    #[inline]
    pub fn is_identity(&self) -> bool {
        self.lanes.is_empty()
    }

    /// All lanes.
    pub fn full(&self) -> u64 {
        if self.width >= 64 { !0 } else { (1 << self.width) - 1 }
    }

    /// The physical lanes of some places of a warp.
    #[inline]
    pub fn physical(&self, warp: usize, places: u64) -> u64 {
        self.map(&self.lanes, warp, places)
    }

    /// The places that some physical lanes of a warp hold.
    #[inline]
    pub fn logical(&self, warp: usize, lanes: u64) -> u64 {
        self.map(&self.places, warp, lanes)
    }

    /// The physical lane of a place of a warp.
    #[inline]
    pub fn lane(&self, warp: usize, place: usize) -> usize {
        match self.lanes.get(self.row(warp) + place) {
            Some(&lane) if !self.is_identity() => usize::from(lane),
            _ => place,
        }
    }

    /// The place that a physical lane of a warp holds.
    #[inline]
    pub fn place(&self, warp: usize, lane: usize) -> usize {
        match self.places.get(self.row(warp) + lane) {
            Some(&place) if !self.is_identity() => usize::from(place),
            _ => lane,
        }
    }

    fn row(&self, warp: usize) -> usize {
        match self.lanes.len() {
            0 => 0,
            entries => warp * self.width % entries,
        }
    }

    #[inline]
    fn map(&self, table: &[u8], warp: usize, lanes: u64) -> u64 {
        // Full and empty masks do not change.
        if table.is_empty() || lanes == 0 || lanes == self.full() {
            return lanes;
        }
        let row = &table[self.row(warp)..][..self.width];
        lanes_of(lanes).fold(0, |mapped, lane| mapped | 1 << row[lane])
    }
}
