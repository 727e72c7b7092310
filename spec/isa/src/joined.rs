//! Comparisons that are joined with another condition: `setp.lt.and.s32` is `setp.lt.s32` and `and.pred`.

use crate::Op;

/// Each comparison of words with its forms joined by `and.pred` and by `or.pred`.
const JOINED: [[Op; 3]; 10] = [
    [Op::SetEqualI32, Op::SetEqualAndI32, Op::SetEqualOrI32],
    [Op::SetNotEqualI32, Op::SetNotEqualAndI32, Op::SetNotEqualOrI32],
    [Op::SetLessS32, Op::SetLessAndS32, Op::SetLessOrS32],
    [Op::SetLessEqualS32, Op::SetLessEqualAndS32, Op::SetLessEqualOrS32],
    [Op::SetGreaterS32, Op::SetGreaterAndS32, Op::SetGreaterOrS32],
    [Op::SetGreaterEqualS32, Op::SetGreaterEqualAndS32, Op::SetGreaterEqualOrS32],
    [Op::SetLessU32, Op::SetLessAndU32, Op::SetLessOrU32],
    [Op::SetLessEqualU32, Op::SetLessEqualAndU32, Op::SetLessEqualOrU32],
    [Op::SetGreaterU32, Op::SetGreaterAndU32, Op::SetGreaterOrU32],
    [Op::SetGreaterEqualU32, Op::SetGreaterEqualAndU32, Op::SetGreaterEqualOrU32],
];

impl Op {
    /// The comparison of an operation and the operation that joins it with its third source, if it
    /// is of that kind.
    pub fn parts(self) -> Option<(Op, Op)> {
        JOINED.iter().find_map(|&[comparison, and, or]| match self {
            _ if self == and => Some((comparison, Op::AndPred)),
            _ if self == or => Some((comparison, Op::OrPred)),
            _ => None,
        })
    }

    /// A comparison joined with a third source by `and.pred` or `or.pred`, as one operation.
    pub fn joined(self, by: Op) -> Option<Op> {
        let &[_, and, or] = JOINED.iter().find(|row| row[0] == self)?;
        match by {
            Op::AndPred => Some(and),
            Op::OrPred => Some(or),
            _ => None,
        }
    }

    /// The comparison of words that holds where this one does not.
    pub fn complement(self) -> Option<Op> {
        use Op::*;
        Some(match self {
            SetEqualI32 => SetNotEqualI32,
            SetNotEqualI32 => SetEqualI32,
            SetLessS32 => SetGreaterEqualS32,
            SetLessEqualS32 => SetGreaterS32,
            SetGreaterS32 => SetLessEqualS32,
            SetGreaterEqualS32 => SetLessS32,
            SetLessU32 => SetGreaterEqualU32,
            SetLessEqualU32 => SetGreaterU32,
            SetGreaterU32 => SetLessEqualU32,
            SetGreaterEqualU32 => SetLessU32,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Op;
    use crate::table::{TABLE, evaluate_lane};

    #[test]
    fn joined_comparisons_do_what_their_parts_do() {
        let numbers = [0, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
        let joined = TABLE.iter().filter_map(|row| Some((row.op, row.op.parts()?)));
        let mut count = 0;
        for (op, (comparison, by)) in joined {
            assert_eq!(comparison.joined(by), Some(op));
            let complement = comparison.complement().unwrap();
            for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
                let holds = evaluate_lane(comparison, [a, b, 0]).unwrap();
                assert_eq!(evaluate_lane(complement, [a, b, 0]), Some(1 - holds));
                for p in [0, 1] {
                    assert_eq!(evaluate_lane(op, [a, b, p]), evaluate_lane(by, [holds, p, 0]));
                }
            }
            count += 1;
        }
        assert_eq!(count, 20);
        assert_eq!(Op::SetLessF32.complement(), None);
    }
}
