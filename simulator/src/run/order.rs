//! Another order of a kernel's threads than the usual one, which a GPU might choose too: of blocks, of warps instruction by
//! instruction, and of the paths of a warp.

use crate::random::Random;

/// An order, which is the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Orders with other seeds are others.
    pub seed: u64,
    /// The number of the order. 0 is the usual one reversed, as far as possible; in the others
    /// chance decides the turns, of at most 1, 8, 64 or 512 instructions.
    pub number: u32,
}

/// The order and length of turns.
pub(crate) struct Turns {
    /// The most instructions of a turn.
    most: u32,
    random: Random,
    /// Numbers of blocks that have not started, the next one last.
    waiting: Vec<u64>,
}

impl Turns {
    /// The turns of an order with `blocks` blocks.
    pub fn new(order: Order, blocks: u64) -> Turns {
        let most = [512, 1, 8, 64][order.number as usize % 4];
        let mut seeds = Random::new(order.seed);
        seeds.advance();
        let mut random = Random::new(seeds.number() ^ u64::from(order.number));
        let mut waiting: Vec<u64> = (0..blocks).collect();
        if order.number != 0 {
            random.shuffle(&mut waiting);
        }
        Turns { most, random, waiting }
    }

    /// A number below a limit, 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    /// The length of a turn.
    pub fn length(&mut self) -> u32 {
        1 + self.below(self.most as usize) as u32
    }

    /// The next block that starts.
    pub fn next_block(&mut self) -> Option<u64> {
        self.waiting.pop()
    }

    /// Blocks that have not started.
    pub fn waiting(&self) -> u64 {
        self.waiting.len() as u64
    }
}
