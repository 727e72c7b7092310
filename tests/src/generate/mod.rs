//! A generator of random, well-defined CUDA programs.
//!
//! Programs are race-free and free of traps by construction: indices are masked to the array's
//! size, divisors are odd or guarded, and loops are counted. Barriers are only at places that every
//! thread of the block passes, and each thread writes its own cells. All variables are declared at
//! the top, so a program stays valid when any statement is removed; that is the step of shrinking.

mod expression;
mod leaf;
mod node;
mod object;
mod overlap;
pub mod ptx;
mod random;
mod statement;
mod streams;
mod text;
mod warp;

use node::Node;
pub use random::Random;
use statement::Maker;
use streams::Streams;

/// The focus of a generated kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Expressions of all types in a row.
    Straight,
    /// Nested branches, loops, break, continue, switch, early return.
    Divergent,
    /// Shared memory and barriers.
    Barriers,
    /// Integer atomics on global and shared memory.
    Atomics,
    /// Index arithmetic over one- to three-dimensional, ragged blocks.
    Affine,
    /// Loops of constant length, some with `#pragma unroll`.
    Unrolled,
    /// Votes and shuffles, and barriers that count.
    Together,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 7] = [
        Mode::Straight,
        Mode::Divergent,
        Mode::Barriers,
        Mode::Atomics,
        Mode::Affine,
        Mode::Unrolled,
        Mode::Together,
    ];
}

/// True if one of two barriers at which threads wait together on purpose follows a source that ends here.
pub fn ends_before_paired_barrier(source: &str) -> bool {
    text::BEFORE_BARRIERS.iter().any(|before| source.ends_with(before))
}

/// Blocks: whole warps, ragged ones, less than one, and of two and three dimensions.
const BLOCKS: [[usize; 3]; 12] = [
    [32, 1, 1],
    [64, 1, 1],
    [96, 1, 1],
    [25, 1, 1],
    [61, 1, 1],
    [1, 1, 1],
    [8, 8, 1],
    [13, 5, 1],
    [32, 2, 1],
    [4, 3, 5],
    [7, 2, 5],
    [2, 16, 2],
];

/// A generated program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The seed that it was made from.
    pub seed: u64,
    /// Its focus; none for [`Generated::streams`].
    pub mode: Option<Mode>,
    body: Vec<Node>,
    block: [usize; 3],
    grid: [usize; 2],
}

impl Generated {
    /// The program of a seed.
    pub fn new(seed: u64) -> Generated {
        Generated::of_seed(seed, false)
    }

    /// The program of a seed without conversions that C++ leaves undefined, and without functions that libraries round
    /// differently.
    pub fn portable(seed: u64) -> Generated {
        Generated::of_seed(seed, true)
    }

    fn of_seed(seed: u64, portable: bool) -> Generated {
        let mut random = Random::new(seed);
        let mode = Mode::ALL[random.below(Mode::ALL.len())];
        let block = BLOCKS[random.below(BLOCKS.len())];
        let grid = [1 + random.below(3), 1 + random.below(2)];
        let mut maker = Maker::new(seed, random, mode);
        maker.portable = portable;
        let body = maker.body();
        Generated { seed, mode: Some(mode), body, block, grid }
    }

    /// The program of a seed that exercises a decoupled affine warp.
    pub fn streams(seed: u64) -> Generated {
        let mut random = Random::new(seed);
        let block = BLOCKS[random.below(BLOCKS.len())];
        let grid = [1 + random.below(3), 1 + random.below(2)];
        let body = Streams::new(random, block, grid).body();
        Generated { seed, mode: None, body, block, grid }
    }

    /// The number of statements.
    pub fn size(&self) -> usize {
        self.body.iter().map(Node::count).sum()
    }

    /// The program without its `index`-th statement (in pre-order), or with the statement replaced
    /// by those it contains when `unwrap` is set; `None` beyond the last.
    pub fn without(&self, index: usize, unwrap: bool) -> Option<Generated> {
        let mut smaller = self.clone();
        let mut left = index;
        node::remove(&mut smaller.body, &mut left, unwrap).then_some(smaller)
    }

    /// Makes a failing program smaller while it fails; `fails` decides.
    pub fn shrink(&self, fails: impl Fn(&Generated) -> bool) -> Generated {
        let mut best = self.clone();
        let mut index = 0;
        while index < best.size() {
            let smaller = [true, false]
                .into_iter()
                .filter_map(|unwrap| best.without(index, unwrap))
                .find(&fails);
            match smaller {
                // The next nodes have moved to this index.
                Some(smaller) if smaller.size() < best.size() => best = smaller,
                _ => index += 1,
            }
        }
        best
    }

    /// The source text.
    pub fn source(&self) -> String {
        let mut body = String::new();
        self.body.iter().for_each(|node| node.write(&mut body, 1));
        let threads: usize = self.block.iter().product();
        let total = threads * self.grid[0] * self.grid[1];
        let [bx, by, bz] = self.block;
        let [gx, gy] = self.grid;
        let head = format!(
            "// seed {seed}, {mode}\n\
             #include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n\
             #define THREADS {threads}\n#define TOTAL {total}\n",
            seed = self.seed,
            mode = self.mode.map_or("Streams".to_string(), |mode| format!("{mode:?}")),
        );
        let (frame, end, main) = match self.mode {
            Some(_) => (text::frame(), text::END, text::MAIN),
            None => (streams::frame(), streams::END, streams::MAIN),
        };
        let main = main
            .replace("GRID", &format!("dim3({gx}, {gy})"))
            .replace("BLOCK", &format!("dim3({bx}, {by}, {bz})"));
        format!("{head}{frame}{body}{end}}}\n{main}")
    }
}
