//! A generator of random, well-defined PTX programs, from the rows of the table of instructions: a new row is generated
//! without a change here.
//!
//! Programs are race-free and free of traps by construction. An address is masked to an area: the thread's own cells of
//! global, shared and local memory, a read-only table, or a cell that all threads change by one operation whose order does
//! not matter. Divisors are odd, loops are counted, barriers and operations of a warp stand only where all threads of the
//! block pass. At the end each thread stores all of its registers.

mod chosen;
mod control;
mod instruction;
mod memory;
mod operand;
mod text;
mod together;

use super::node::{self, Node};
use super::{BLOCKS, Random};
use control::Maker;
use std::collections::BTreeSet;
use text::Parts;
pub use text::{CELLS, REGISTERS, THREAD_BYTES, register_at};

/// A generated PTX program.
#[derive(Clone, Debug)]
pub struct PtxProgram {
    /// The seed that it was made from.
    pub seed: u64,
    body: Vec<Node>,
    functions: Vec<Vec<Node>>,
    block: [u32; 3],
    grid: [u32; 2],
    lanes: bool,
    rows: BTreeSet<&'static str>,
}

/// A text of PTX with its launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PtxCase {
    /// The text, whose first line states the launch.
    pub text: String,
    /// The seed of the input.
    pub seed: u64,
    /// Threads per block.
    pub block: [u32; 3],
    /// Blocks.
    pub grid: [u32; 2],
    /// Results depend on lanes, so warps have 32 threads.
    pub lanes: bool,
}

impl PtxProgram {
    /// The program of a seed.
    pub fn new(seed: u64) -> PtxProgram {
        let mut random = Random::new(seed);
        let block = BLOCKS[random.below(BLOCKS.len())].map(|extent| extent as u32);
        let grid = [1 + random.below(3) as u32, 1 + random.below(2) as u32];
        let mut maker = Maker::new(random, block.iter().product::<u32>().is_multiple_of(32));
        let functions = maker.functions();
        let body = maker.body();
        PtxProgram { seed, body, functions, block, grid, lanes: maker.lanes, rows: maker.rows }
    }

    /// The patterns of the rows whose instructions it has.
    pub fn rows(&self) -> &BTreeSet<&'static str> {
        &self.rows
    }

    /// The number of statements.
    pub fn size(&self) -> usize {
        let of = |nodes: &[Node]| nodes.iter().map(Node::count).sum::<usize>();
        of(&self.body) + self.functions.iter().map(|function| of(function)).sum::<usize>()
    }

    /// The program without its `index`-th statement in pre-order, or with the statement replaced by those it contains when
    /// `unwrap` is set; `None` beyond the last.
    pub fn without(&self, index: usize, unwrap: bool) -> Option<PtxProgram> {
        let mut smaller = self.clone();
        let mut left = index;
        let mut parts = std::iter::once(&mut smaller.body).chain(&mut smaller.functions);
        let removed = parts.any(|nodes| node::remove(nodes, &mut left, unwrap));
        removed.then_some(smaller)
    }

    /// Makes a failing program smaller while it fails; `fails` decides.
    pub fn shrink(&self, fails: impl Fn(&PtxProgram) -> bool) -> PtxProgram {
        let mut best = self.clone();
        let mut index = 0;
        while index < best.size() {
            let smaller = [true, false]
                .into_iter()
                .filter_map(|unwrap| best.without(index, unwrap))
                .find(&fails);
            match smaller {
                // The next statements have moved to this index.
                Some(smaller) if smaller.size() < best.size() => best = smaller,
                _ => index += 1,
            }
        }
        best
    }

    /// The text and its launch.
    pub fn case(&self) -> PtxCase {
        let PtxProgram { seed, block, grid, lanes, .. } = *self;
        let parts =
            Parts { seed, block, grid, lanes, body: &self.body, functions: &self.functions };
        let text = text::module(&parts);
        PtxCase { text, seed, block, grid, lanes }
    }
}

impl PtxCase {
    /// Reads a saved text.
    ///
    /// # Errors
    /// The first line does not state the launch.
    pub fn parse(text: &str) -> Result<PtxCase, String> {
        let line = text.lines().next().unwrap_or_default();
        let numbers: Option<Vec<u64>> = line
            .split([' ', 'x'])
            .filter(|word| word.starts_with(|first: char| first.is_ascii_digit()))
            .map(|word| word.parse().ok())
            .collect();
        let Some(&[seed, gx, gy, bx, by, bz, lanes]) = numbers.as_deref() else {
            return Err(format!("`{line}` does not state the launch"));
        };
        let short = |extent: u64| extent as u32;
        Ok(PtxCase {
            text: text.to_owned(),
            seed,
            block: [bx, by, bz].map(short),
            grid: [gx, gy].map(short),
            lanes: lanes != 0,
        })
    }

    /// Threads of the launch.
    pub fn threads(&self) -> usize {
        self.block.iter().chain(&self.grid).product::<u32>() as usize
    }

    /// The bytes of the input: a word of each register of each thread, half of them at the ends of ranges.
    pub fn input(&self) -> Vec<u8> {
        let mut random = Random::new(self.seed ^ 0x1A9);
        let word = |_| match random.below(8) {
            0..3 => random.draw(),
            3 | 4 => operand::EDGES[random.below(operand::EDGES.len())],
            5 => {
                let low = operand::EDGES_32[random.below(operand::EDGES_32.len())];
                u64::from(low) << 32 | random.draw() & 0xffff_ffff
            }
            6 => {
                let high = random.draw() << 32;
                high | u64::from(operand::EDGES_32[random.below(operand::EDGES_32.len())])
            }
            _ => random.draw() % 100,
        };
        (0..self.threads() * REGISTERS).map(word).flat_map(u64::to_le_bytes).collect()
    }
}
