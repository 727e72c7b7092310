//! Evaluating an operation in the lanes of a warp, by its row in the table, with the host's vector
//! instructions.

use std::ops::Range;

use crate::lane::{BLOCK, BlockSource, Padded, WarpResult, WarpSource, Words};
#[cfg(target_arch = "x86_64")]
use crate::table::AVX2;
use crate::table::{Effect, EvaluateHere, Op, PORTABLE};
use crate::vectors::Vectors;

/// The result of a computing operation in the lanes of `mask` of a warp of `lanes` lanes (other
/// lanes of the result hold anything); `false` for an operation that does not compute. Sources hold
/// `lanes` words each (predicates none); absent ones are empty. The result does not depend on
/// `vectors`.
pub fn evaluate_warp(
    vectors: Vectors,
    op: Op,
    lanes: usize,
    mask: u64,
    sources: [WarpSource; 3],
    out: &mut WarpResult,
) -> bool {
    if !matches!(op.row().effect, Effect::Compute | Effect::Divide) {
        return false;
    }
    let lanes = lanes.min(crate::MAX_LANES);
    let evaluator = Evaluator::new(op, vectors);
    out.predicate = evaluate_part(evaluator, 0..lanes, mask, &sources, out);
    if lanes > BLOCK {
        out.predicate |= evaluate_part(evaluator, BLOCK..lanes, mask, &sources, out) << BLOCK;
    }
    true
}

/// The evaluator of an operation on this host.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator(EvaluateHere);

impl Evaluator {
    /// The evaluator of an operation with some vector instructions. The result does not depend on
    /// `vectors`.
    pub fn new(op: Op, vectors: Vectors) -> Evaluator {
        #[cfg(target_arch = "x86_64")]
        if vectors.has_avx2() {
            return Evaluator(AVX2[op as usize]);
        }
        let _ = vectors;
        Evaluator(PORTABLE[op as usize])
    }

    /// The result of a computing operation in the lanes of `mask` of a warp of [`BLOCK`] lanes, as its words and its predicate;
    /// other lanes hold anything, and so do all of an operation that does not compute.
    #[inline(always)]
    pub fn block(
        self,
        mask: u32,
        sources: &[BlockSource; 3],
        low: &mut Words,
        high: &mut Words,
    ) -> u32 {
        self.lanes(BLOCK, mask, sources, low, high)
    }

    /// The same for the first `lanes` lanes of a block.
    #[inline(always)]
    fn lanes(
        self,
        lanes: usize,
        mask: u32,
        sources: &[BlockSource; 3],
        low: &mut Words,
        high: &mut Words,
    ) -> u32 {
        // SAFETY: `new` takes a function only if the host was found to have the instructions that
        // it is compiled for.
        #[expect(unsafe_code, reason = "a function for certain hosts cannot be called otherwise")]
        unsafe {
            (self.0)(lanes, mask, sources, low, high)
        }
    }
}

/// Evaluates the block at the beginning of a range of lanes; the result is its predicate.
#[inline(always)]
fn evaluate_part(
    evaluator: Evaluator,
    lanes: Range<usize>,
    mask: u64,
    sources: &[WarpSource; 3],
    out: &mut WarpResult,
) -> u64 {
    let [a, b, c] = sources;
    let start = lanes.start;
    let Some((low, high)) = out.block(start) else {
        return 0;
    };
    let (lanes, mask) = (lanes.len(), (mask >> start) as u32);
    let predicate = match (a.block(start), b.block(start), c.block(start)) {
        (Some(a), Some(b), Some(c)) => evaluator.lanes(lanes, mask, &[a, b, c], low, high),
        _ => {
            let mut padded = [Padded::EMPTY; 3];
            for (padded, source) in padded.iter_mut().zip(sources) {
                padded.copy(source, start);
            }
            let sources = padded.each_ref().map(Padded::block);
            evaluator.lanes(lanes, mask, &sources, low, high)
        }
    };
    u64::from(predicate)
}
