//! The results of votes and shuffles: functions of all lanes of a warp that act together.
//!
//! A shuffle divides the warp into segments of `width` lanes, which is at most the warp; 0 is the
//! whole warp. CUDA leaves the value of an inactive source lane open; here it is 0, so that all
//! lanes that read one lane agree.

use crate::cache::CacheOperator;
use crate::instruction::Width;
use crate::lane::{BLOCK, WarpResult, WarpSource};
use crate::matrix_moves::transpose_matrix;
use crate::table::{Effect, Op};

/// The result in the lanes of `mask`, the lanes that act, of a warp of `lanes` lanes; `false` for an
/// operation that is not a vote or a shuffle.
pub fn evaluate_collective(
    op: Op,
    lanes: usize,
    mask: u64,
    sources: &[WarpSource; 3],
    out: &mut WarpResult,
) -> bool {
    let holds = sources[0].predicate & mask;
    match op {
        Op::VoteAny => out.predicate = if holds != 0 { !0 } else { 0 },
        Op::VoteAll => out.predicate = if holds == mask { !0 } else { 0 },
        Op::VoteBallot => out.low[..lanes].fill(holds as u32),
        op if op.is_shuffle() => {
            let [values, which, widths] = sources.each_ref().map(|source| source.low);
            for lane in (0..lanes).filter(|lane| mask >> lane & 1 != 0) {
                let from = source_lane(op, lanes as u64, lane as u64, which[lane], widths[lane]);
                let acts = from < lanes as u64 && mask >> from & 1 != 0;
                out.low[lane] = if acts { values[from as usize] } else { 0 };
            }
        }
        Op::TransposeMatrix => {
            let (Some(values), true) = (sources[0].low.first_chunk(), lanes == BLOCK) else {
                return false;
            };
            out.low[..lanes].copy_from_slice(&transpose_matrix(values));
        }
        Op::MatchAny => {
            let values = sources[0].low;
            let same = |lane: usize| {
                let like = |&other: &usize| mask >> other & 1 != 0 && values[other] == values[lane];
                (0..lanes).filter(like).fold(0, |found, other| found | 1u64 << other)
            };
            for lane in (0..lanes).filter(|lane| mask >> lane & 1 != 0) {
                out.low[lane] = same(lane) as u32;
            }
        }
        op => return reduce(op, lanes, mask, sources, out),
    }
    true
}

/// A value of all lanes that each lane's mask names and that act.
fn reduce(
    op: Op,
    lanes: usize,
    mask: u64,
    sources: &[WarpSource; 3],
    out: &mut WarpResult,
) -> bool {
    let join: fn(u32, u32) -> u32 = match op {
        Op::ReduceAdd => u32::wrapping_add,
        Op::ReduceMinS32 => |a, b| (a as i32).min(b as i32) as u32,
        Op::ReduceMinU32 => u32::min,
        Op::ReduceMaxS32 => |a, b| (a as i32).max(b as i32) as u32,
        Op::ReduceMaxU32 => u32::max,
        Op::ReduceAnd => |a, b| a & b,
        Op::ReduceOr => |a, b| a | b,
        Op::ReduceXor => |a, b| a ^ b,
        _ => return false,
    };
    let [values, masks, _] = sources.each_ref().map(|source| source.low);
    for lane in (0..lanes).filter(|lane| mask >> lane & 1 != 0) {
        let named = u64::from(masks[lane]) & mask;
        let among = (0..lanes).filter(|other| named >> other & 1 != 0);
        out.low[lane] = among.map(|other| values[other]).reduce(join).unwrap_or(0);
    }
    true
}

/// The lane that a shuffle reads in a lane; it need not exist. Five bits of `which` count, as in the PTX ISA, `shfl`;
/// six where warps have more than 32 lanes.
pub fn source_lane(op: Op, lanes: u64, lane: u64, which: u32, width: u32) -> u64 {
    let width = match u64::from(width) {
        0 => lanes,
        width => width.min(lanes),
    };
    let counted = if lanes > 32 { 64 } else { 32 };
    let (first, which) = (lane - lane % width, u64::from(which) % counted);
    match op {
        Op::ShuffleIndex => first + which % width,
        Op::ShuffleUp if which <= lane - first => lane - which,
        Op::ShuffleDown if lane + which < first + width => lane + which,
        Op::ShuffleXor if lane ^ which < first + width => lane ^ which,
        _ => lane,
    }
}

impl Op {
    /// Returns true if it is a function of a warp's lanes together, waits for them, or is not to be moved.
    pub fn is_collective(self) -> bool {
        let effect = self.row().effect;
        let is_together =
            matches!(effect, Effect::Collective | Effect::Barrier | Effect::CountedBarrier);
        is_together
            || self.is_matrix_access()
            || matches!(effect, Effect::Copy | Effect::AwaitCopies)
    }

    /// Returns true if each lane executes it by itself, in lane order; it is not moved across
    /// others of its kind.
    pub fn is_per_lane(self) -> bool {
        let is_of_copies = matches!(self.row().effect, Effect::Copy | Effect::AwaitCopies);
        is_of_copies
            || matches!(
                self,
                Op::Clock
                    | Op::Emit
                    | Op::Trap
                    | Op::Fence
                    | Op::Bounds
                    | Op::SmIndex
                    | Op::SmCount
                    | Op::CacheControl
                    | Op::CommitCopies
            )
    }

    /// The bytes that an asynchronous copy writes in a lane, as a width; `None` for any other operation.
    pub fn copy_width(self) -> Option<Width> {
        match self {
            Op::CopyAsync4 => Some(Width::B32),
            Op::CopyAsync8 => Some(Width::B64),
            Op::CopyAsync16 | Op::CopyAsync16Cg => Some(Width::B128),
            _ => None,
        }
    }

    /// The cache operator of an asynchronous copy; `None` for any other operation.
    pub fn copy_operator(self) -> Option<CacheOperator> {
        match self {
            Op::CopyAsync16Cg => Some(CacheOperator::Cg),
            _ => self.copy_width().map(|_| CacheOperator::Ca),
        }
    }

    /// Returns true if each lane reads a register of another one.
    pub fn is_shuffle(self) -> bool {
        matches!(self, Op::ShuffleIndex | Op::ShuffleUp | Op::ShuffleDown | Op::ShuffleXor)
    }

    /// Returns true if masks with a bit for each lane are its operand or result: 32 bits.
    pub fn names_lanes(self) -> bool {
        matches!(self, Op::WarpSync | Op::VoteBallot | Op::MatchAny)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffle(op: Op, which: u32, width: u32, mask: u64) -> Vec<u32> {
        let values: Vec<u32> = (100..108).collect();
        let (which, width) = ([which; 8], [width; 8]);
        let words = |low| WarpSource { low, high: &[], predicate: 0 };
        let mut out = WarpResult::default();
        let sources = [words(&values), words(&which), words(&width)];
        assert!(evaluate_collective(op, 8, mask, &sources, &mut out));
        (0..8).filter(|lane| mask >> lane & 1 != 0).map(|lane| out.low[lane]).collect()
    }

    #[test]
    fn shuffles_read_within_their_segment() {
        let cases = [
            (Op::ShuffleIndex, 1, 32, [101; 8]),
            (Op::ShuffleIndex, 5, 4, [101, 101, 101, 101, 105, 105, 105, 105]),
            (Op::ShuffleIndex, u32::MAX, 0, [107; 8]),
            (Op::ShuffleUp, 1, 4, [100, 100, 101, 102, 104, 104, 105, 106]),
            (Op::ShuffleUp, u32::MAX, 8, [100, 101, 102, 103, 104, 105, 106, 107]),
            // Five bits of a distance count: 33 is 1.
            (Op::ShuffleUp, 33, 4, [100, 100, 101, 102, 104, 104, 105, 106]),
            (Op::ShuffleDown, 34, 8, [102, 103, 104, 105, 106, 107, 106, 107]),
            (Op::ShuffleXor, 33, 2, [101, 100, 103, 102, 105, 104, 107, 106]),
            (Op::ShuffleDown, 2, 8, [102, 103, 104, 105, 106, 107, 106, 107]),
            (Op::ShuffleDown, 2, 4, [102, 103, 102, 103, 106, 107, 106, 107]),
            (Op::ShuffleXor, 1, 2, [101, 100, 103, 102, 105, 104, 107, 106]),
            // Segments below can be read, those above cannot.
            (Op::ShuffleXor, 4, 4, [100, 101, 102, 103, 100, 101, 102, 103]),
        ];
        for (op, which, width, expected) in cases {
            assert_eq!(shuffle(op, which, width, 0xff), expected, "{op:?} {which} {width}");
        }
    }

    #[test]
    fn a_lane_that_does_not_act_gives_zero() {
        assert_eq!(shuffle(Op::ShuffleIndex, 3, 8, 0b11), [0, 0]);
        assert_eq!(shuffle(Op::ShuffleDown, 1, 8, 0b1011), [101, 0, 0]);
    }

    #[test]
    fn votes_count_the_lanes_that_act() {
        let vote = |op, predicate, mask| {
            let source = WarpSource { predicate, ..WarpSource::default() };
            let mut out = WarpResult::default();
            let sources = [source, WarpSource::default(), WarpSource::default()];
            assert!(evaluate_collective(op, 4, mask, &sources, &mut out));
            (out.low[0], out.predicate & mask)
        };
        assert_eq!(vote(Op::VoteBallot, 0b1110, 0b0111).0, 0b0110);
        assert_eq!(vote(Op::VoteAny, 0b1000, 0b0111).1, 0);
        assert_eq!(vote(Op::VoteAny, 0b1100, 0b0111).1, 0b0111);
        assert_eq!(vote(Op::VoteAll, 0b1011, 0b0011).1, 0b0011);
        assert_eq!(vote(Op::VoteAll, 0b1011, 0b0111).1, 0);
    }
}
