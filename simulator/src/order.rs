//! Another order of a kernel's threads than the usual one, which a GPU might choose too: of blocks, of warps instruction by
//! instruction, and of the paths of a warp.

/// An order, which is the same in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Orders with other seeds are others.
    pub seed: u64,
    /// Which of them. 0 is the usual one turned round, as far as that goes; in the others chance decides who has a turn, of
    /// at most 1, 8, 64 or 512 instructions.
    pub number: u32,
}

/// Who has a turn, and for how long.
pub(crate) struct Turns {
    /// Of a turn, in instructions.
    most: u32,
    state: u64,
    /// Numbers of blocks that have not started, the next one last.
    waiting: Vec<u64>,
}

impl Turns {
    /// Those of an order of so many blocks.
    pub fn new(order: Order, blocks: u64) -> Turns {
        let most = [512, 1, 8, 64][order.number as usize % 4];
        let mut turns = Turns { most, state: order.seed, waiting: (0..blocks).collect() };
        turns.state = turns.random() ^ u64::from(order.number);
        if order.number != 0 {
            for last in (1..turns.waiting.len()).rev() {
                let other = turns.below(last + 1);
                turns.waiting.swap(last, other);
            }
        }
        turns
    }

    /// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.state;
        number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ number >> 31
    }

    /// A number below a limit, 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.random().checked_rem(limit as u64).unwrap_or(0) as usize
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
