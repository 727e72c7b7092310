//! Threads of the blocks of a batch, at two levels (Wang and Lin, §4.4): each warp has all of its
//! threads, none, or some; only the last kind keeps a mask of threads.

use crate::mechanisms::divergence::slot::BlockShape;

/// A warp's share of a set of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    #[default]
    None,
    All,
    /// Some lanes, neither none nor all.
    Some(u64),
}

/// A set of threads of some blocks of one shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Mask {
    shape: BlockShape,
    /// By block and warp.
    levels: Vec<Level>,
}

impl Mask {
    /// No thread.
    pub(crate) fn none(shape: BlockShape, blocks: usize) -> Mask {
        Mask { shape, levels: vec![Level::None; blocks * shape.warps() as usize] }
    }

    /// All threads.
    pub(crate) fn all(shape: BlockShape, blocks: usize) -> Mask {
        Mask { shape, levels: vec![Level::All; blocks * shape.warps() as usize] }
    }

    /// Warps of a block.
    fn warps(&self) -> usize {
        self.shape.warps() as usize
    }

    /// A warp's level, counted over all blocks.
    pub(crate) fn level(&self, warp: usize) -> Level {
        self.levels[warp]
    }

    /// The lanes of a warp, counted over all blocks.
    pub(crate) fn lanes(&self, warp: usize) -> u64 {
        match self.levels[warp] {
            Level::None => 0,
            Level::All => self.full(warp),
            Level::Some(lanes) => lanes,
        }
    }

    /// The lanes that a warp has at all.
    fn full(&self, warp: usize) -> u64 {
        self.shape.mask((warp % self.warps()) as u32)
    }

    /// Sets the lanes of a warp.
    pub(crate) fn set(&mut self, warp: usize, lanes: u64) {
        let full = self.full(warp);
        self.levels[warp] = match lanes & full {
            0 => Level::None,
            lanes if lanes == full => Level::All,
            lanes => Level::Some(lanes),
        };
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.levels.iter().all(|level| *level == Level::None)
    }

    /// The warps, counted over all blocks, that have threads.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.levels.len()).filter(|&warp| self.levels[warp] != Level::None)
    }

    /// Returns true if a block has threads.
    pub(crate) fn has_block(&self, block: usize) -> bool {
        self.of(block).iter().any(|level| *level != Level::None)
    }

    fn of(&self, block: usize) -> &[Level] {
        &self.levels[block * self.warps()..(block + 1) * self.warps()]
    }

    /// The threads of one block.
    pub(crate) fn block(&self, block: usize) -> Mask {
        Mask { shape: self.shape, levels: self.of(block).to_vec() }
    }

    /// Replaces the threads of one block.
    pub(crate) fn set_block(&mut self, block: usize, threads: &Mask) {
        let warps = self.warps();
        self.levels[block * warps..(block + 1) * warps].copy_from_slice(&threads.levels);
    }

    /// The first thread of a block's set.
    pub(crate) fn first(&self) -> Option<u32> {
        let warp = self.occupied().next()?;
        Some(warp as u32 * self.shape.width + self.lanes(warp).trailing_zeros())
    }

    /// Applies a function to the lanes of both sets, warp by warp; warps that are full or empty in
    /// both need no masks.
    fn merge(&self, other: &Mask, of: impl Fn(u64, u64) -> u64) -> Mask {
        let mut merged = self.clone();
        for warp in 0..self.levels.len() {
            merged.set(warp, of(self.lanes(warp), other.lanes(warp)));
        }
        merged
    }

    pub(crate) fn and(&self, other: &Mask) -> Mask {
        self.merge(other, |a, b| a & b)
    }

    pub(crate) fn without(&self, other: &Mask) -> Mask {
        self.merge(other, |a, b| a & !b)
    }

    pub(crate) fn or(&self, other: &Mask) -> Mask {
        self.merge(other, |a, b| a | b)
    }

    pub(crate) fn xor(&self, other: &Mask) -> Mask {
        self.merge(other, |a, b| a ^ b)
    }

    pub(crate) fn complement(&self) -> Mask {
        self.merge(self, |a, _| !a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_kept_at_the_level_that_suffices() {
        let shape = BlockShape { threads: 10, width: 4 };
        let mut mask = Mask::none(shape, 2);
        assert!(mask.is_empty());
        mask.set(2, 0b11);
        mask.set(3, 0b0110);
        mask.set(5, 0b1111);
        // The last warp of a block has two threads.
        assert_eq!(mask.level(2), Level::All);
        assert_eq!(mask.level(3), Level::Some(0b0110));
        assert_eq!((mask.level(5), mask.lanes(5)), (Level::All, 0b11));
        assert_eq!(mask.occupied().collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(mask.block(1).first(), Some(1));
        assert_eq!(mask.complement().or(&mask), Mask::all(shape, 2));
        assert_eq!(mask.complement().and(&mask), Mask::none(shape, 2));
        assert_eq!(mask.xor(&mask), Mask::none(shape, 2));
        assert_eq!(Mask::all(shape, 2).without(&mask), mask.complement());
        let mut other = Mask::none(shape, 2);
        other.set_block(1, &mask.block(1));
        assert_eq!(other.occupied().collect::<Vec<_>>(), [3, 5]);
        assert!(!other.has_block(0) && other.has_block(1));
    }
}
