//! Address expansion: from an affine tuple to the lines and masks of each warp.
//!
//! Source: Wang and Lin, §4.2, Figures 10 and 11. An accumulator moves along the threads of a
//! block. In each cycle it gives the address of a line and a mask of the elements that threads
//! access, in units of the access's size. Then it grows by as many offsets as there were threads.
//! Where threadIdx.y or .z steps, or a period of threadIdx.x ends, it adds an adjustment, the same
//! for all threads; if the next address is in the same line, the mask grows. The paper shows
//! aligned offsets up to a line. Here base and offset are arbitrary, so a warp may begin or end
//! inside a line, and the lines of neighbouring threads may be any distance apart. Shared and local
//! memory are not accessed in such lines, so a warp's first address and offsets are enough.

use crate::memory::bytes::Bytes;
use crate::program::code::Code;

use super::mask::Mask;
use super::tuple::{Tuple, Value};

/// The step of the expansion unit in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Gives the address of a line and the bytes of it that are accessed.
    Line(u32, Bytes),
    /// Gives a warp's first address and offsets, for memory that is not accessed in lines.
    Whole,
}

/// The address of a thread, and which thread that is.
#[derive(Clone, Debug)]
struct Accumulator {
    tuple: Tuple,
    address: u32,
    index: [u32; 3],
}

impl Accumulator {
    /// The number of threads, this one included, before an adjustment.
    fn run(&self, [width, ..]: [u32; 3]) -> u32 {
        let row = width - self.index[0];
        match self.tuple.period {
            0 => row,
            period => row.min(period - self.index[0] % period),
        }
    }

    /// Advances by `threads` threads of a run; after its last one by an adjustment.
    fn advance(&mut self, threads: u32, block: [u32; 3]) {
        let step = self.tuple.offsets[0] as u32;
        let whole = threads == self.run(block);
        self.address = self.address.wrapping_add(step.wrapping_mul(threads));
        self.index[0] += threads;
        if !whole {
            return;
        }
        let mut adjustment = 0u32;
        let jump = |jumps: u32| (self.tuple.jump as u32).wrapping_mul(jumps);
        if self.index[0].is_multiple_of(self.tuple.period) {
            adjustment = jump(1);
        }
        if self.index[0] == block[0] {
            adjustment = adjustment.wrapping_sub(jump(self.tuple.periods(block[0])));
        }
        for axis in [0, 1] {
            if self.index[axis] == block[axis] {
                let [back, next] = [self.tuple.offsets[axis], self.tuple.offsets[axis + 1]];
                let back = (back as u32).wrapping_mul(block[axis]);
                adjustment = adjustment.wrapping_add(next as u32).wrapping_sub(back);
                self.index[axis] = 0;
                self.index[axis + 1] += 1;
            }
        }
        self.address = self.address.wrapping_add(adjustment);
    }

    /// Expands the next lanes of a warp, those of a mask.
    fn expand(
        &mut self,
        lanes: u32,
        mask: u64,
        size: u32,
        line: u32,
        block: [u32; 3],
        steps: &mut Vec<Step>,
    ) {
        let step = i64::from(self.tuple.offsets[0] as u32 as i32);
        let mut lane = 0;
        while lane < lanes {
            let start = self.address & !(line - 1);
            let offset = i64::from(self.address - start);
            // Threads whose access begins in this line.
            let here = match step {
                0 => i64::from(lanes),
                1.. => (i64::from(line) - offset + step - 1) / step,
                _ => offset / -step + 1,
            };
            let run = self.run(block).min(lanes - lane);
            let threads = here.min(i64::from(run)) as u32;
            let mut bytes = Bytes::default();
            for thread in 0..threads {
                if mask >> (lane + thread) & 1 != 0 {
                    let from = (offset + step * i64::from(thread)) as u64;
                    bytes.insert(from, (from + u64::from(size)).min(u64::from(line)));
                }
            }
            if bytes != Bytes::default() {
                match steps.last_mut() {
                    // An adjustment may lead on in the same line.
                    Some(Step::Line(last, known)) if *last == start => known.join(&bytes),
                    _ => steps.push(Step::Line(start, bytes)),
                }
            }
            self.advance(threads, block);
            lane += threads;
        }
    }
}

/// The expansion of a value for the warps of a block, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Expansion {
    accumulators: Vec<(Option<Mask>, Accumulator)>,
    /// The next warp.
    warp: usize,
}

impl Expansion {
    /// Starts with the first thread of the block.
    pub(crate) fn new(value: &Value) -> Expansion {
        let start = |tuple: &Tuple| Accumulator {
            tuple: *tuple,
            address: tuple.base as u32,
            index: [0; 3],
        };
        let mut accumulators: Vec<_> =
            value.others.iter().map(|(mask, tuple)| (Some(mask.clone()), start(tuple))).collect();
        accumulators.push((None, start(&value.first)));
        Expansion { accumulators, warp: 0 }
    }

    /// The steps that it takes to expand the next warp for some of its lanes.
    pub(crate) fn next(&mut self, code: &Code, lanes: u64, size: u32, line: u32) -> Vec<Step> {
        let (warp, mut rest) = (self.warp, lanes);
        self.warp += 1;
        let count = code.shape.mask(warp as u32).count_ones();
        let mut steps = Vec::new();
        for (mask, accumulator) in &mut self.accumulators {
            let part = rest & mask.as_ref().map_or(!0, |mask| mask.lanes(warp));
            rest &= !part;
            accumulator.expand(count, part, size, line, code.block, &mut steps);
        }
        steps
    }
}
