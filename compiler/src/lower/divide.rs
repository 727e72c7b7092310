//! Quotients and remainders by constants as products (Granlund and Montgomery, "Division by Invariant Integers
//! using Multiplication", 1994, sections 4 and 5; the signed form is that of Warren, "Hacker's Delight", 2013,
//! 10-1): the quotient is the upper half of a product with a scaled reciprocal, shifted to the right.

use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// The computation of a division by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    ops: &'static Ops,
    how: How,
    divisor: i64,
    /// True for the remainder, false for the quotient.
    remainder: bool,
}

/// The operations of one width.
#[derive(Debug, PartialEq, Eq)]
struct Ops {
    bits: u32,
    high_signed: Op,
    high_unsigned: Op,
    shr_signed: Op,
    shr_unsigned: Op,
    add: Op,
    sub: Op,
    mad: Op,
}

const WORD: Ops = Ops {
    bits: 32,
    high_signed: Op::MulHighS32,
    high_unsigned: Op::MulHighU32,
    shr_signed: Op::ShrS32,
    shr_unsigned: Op::ShrU32,
    add: Op::Add,
    sub: Op::Sub,
    mad: Op::Mad,
};
const PAIR: Ops = Ops {
    bits: 64,
    high_signed: Op::MulHighS64,
    high_unsigned: Op::MulHighU64,
    shr_signed: Op::ShrS64,
    shr_unsigned: Op::ShrU64,
    add: Op::Add64,
    sub: Op::Sub64,
    mad: Op::Mad64,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// For an unsigned dividend: shifted to the right, multiplied, shifted again.
    Unsigned { first: u32, factor: u64, shift: u32 },
    /// The factor has one bit more than the width, the highest, which is left out.
    Long { factor: u64, shift: u32 },
    /// For a signed dividend; the factor's sign is wrong if `more`.
    Signed { factor: u64, shift: u32, more: bool },
}

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The dividend.
    Dividend,
    /// The result of an earlier step.
    Step(usize),
    /// The bits of a number.
    Number(u64),
}

/// A step: an operation and its operands.
pub type Step = (Op, Vec<Part>);

impl Division {
    /// The computation of a quotient or remainder by a constant, for dividends below `2^bits` if
    /// they are read as unsigned, and from `-2^magnitude` to below `2^magnitude`, less than the
    /// width, if they are read as signed. `None` for other operations, and for powers of two, which
    /// are shifts.
    pub fn new(op: Op, divisor: u64, bits: u32, magnitude: u32) -> Option<Division> {
        use Op::*;
        let (ops, is_signed, remainder) = match op {
            DivS32 | RemS32 => (&WORD, true, op == RemS32),
            DivU32 | RemU32 => (&WORD, false, op == RemU32),
            DivS64 | RemS64 => (&PAIR, true, op == RemS64),
            DivU64 | RemU64 => (&PAIR, false, op == RemU64),
            _ => return None,
        };
        let wide = 64 - ops.bits;
        let divisor = ((divisor << wide) as i64) >> wide;
        let unsigned = !is_signed || (bits < ops.bits && divisor > 0);
        let factor = divisor.unsigned_abs();
        if factor < 3 || factor.is_power_of_two() || (unsigned && divisor < 0) {
            return None;
        }
        let (bits, magnitude) = (bits.min(ops.bits), magnitude.min(ops.bits - 1));
        let how = match unsigned {
            true => unsigned_by(factor, bits, ops.bits),
            false => signed_by(factor, magnitude, ops.bits),
        };
        Some(Division { ops, how, divisor, remainder })
    }

    /// Bits of the dividend and of the steps' results: 32 or 64.
    pub fn bits(&self) -> u32 {
        self.ops.bits
    }

    /// The steps; the last one has the result.
    pub fn steps(&self) -> Vec<Step> {
        use Part::{Dividend, Number, Step};
        let ops = self.ops;
        let count = |shift: u32| Number(shift.into());
        let mut steps: Vec<self::Step> = Vec::new();
        let mut step = |op: Op, parts: &[Part]| {
            steps.push((op, parts.to_vec()));
            Step(steps.len() - 1)
        };
        let mut quotient;
        match self.how {
            How::Unsigned { first, factor, shift } => {
                quotient = Dividend;
                if first > 0 {
                    quotient = step(ops.shr_unsigned, &[quotient, count(first)]);
                }
                quotient = step(ops.high_unsigned, &[quotient, Number(factor)]);
                if shift > 0 {
                    quotient = step(ops.shr_unsigned, &[quotient, count(shift)]);
                }
            }
            How::Long { factor, shift } => {
                let high = step(ops.high_unsigned, &[Dividend, Number(factor)]);
                let rest = step(ops.sub, &[Dividend, high]);
                let half = step(ops.shr_unsigned, &[rest, count(1)]);
                let sum = step(ops.add, &[half, high]);
                quotient = step(ops.shr_unsigned, &[sum, count(shift - 1)]);
            }
            How::Signed { factor, shift, more } => {
                quotient = step(ops.high_signed, &[Dividend, Number(factor)]);
                if more {
                    quotient = step(ops.add, &[quotient, Dividend]);
                }
                if shift > 0 {
                    quotient = step(ops.shr_signed, &[quotient, count(shift)]);
                }
                if !Planted::QuotientNotCorrected.is_on() {
                    let sign = step(ops.shr_unsigned, &[Dividend, count(ops.bits - 1)]);
                    quotient = step(ops.add, &[quotient, sign]);
                }
            }
        }
        // The division was by the magnitude; the sign of a remainder is the dividend's.
        let negative = matches!(self.how, How::Signed { .. }) && self.divisor < 0;
        if self.remainder {
            let by = if negative { self.divisor } else { self.divisor.wrapping_neg() };
            step(ops.mad, &[quotient, Number(cut(by as u64, ops.bits)), Dividend]);
        } else if negative {
            step(ops.sub, &[Number(0), quotient]);
        }
        steps
    }
}

/// The lowest bits.
fn cut(number: u64, bits: u32) -> u64 {
    number & u64::MAX >> (64 - bits)
}

/// The reciprocal `2^p / d`, rounded up, is exact enough for dividends below `2^bits` if it exceeds the exact one by no
/// more than `2^(p - bits) / d`.
fn unsigned_by(divisor: u64, bits: u32, width: u32) -> How {
    let reciprocal = |divisor: u64, bits: u32| {
        (width..2 * width).find_map(|power| {
            let factor = (1u128 << power).div_ceil(u128::from(divisor));
            let error = factor * u128::from(divisor) - (1u128 << power);
            let exact = error << bits <= 1u128 << power;
            exact.then_some((factor, power - width)).filter(|_| factor >> (width + 1) == 0)
        })
    };
    let even = divisor.trailing_zeros();
    let short = |(factor, shift): (u128, u32), first: u32| {
        (factor >> width == 0).then_some(How::Unsigned { first, factor: factor as u64, shift })
    };
    let plain = reciprocal(divisor, bits);
    let shifted = || reciprocal(divisor >> even, bits.saturating_sub(even));
    let found = plain.and_then(|found| short(found, 0));
    let found = found.or_else(|| shifted().and_then(|found| short(found, even)));
    let (factor, shift) = plain.unwrap_or((0, 1));
    found.unwrap_or(How::Long { factor: cut(factor as u64, width), shift })
}

/// The computation for dividends whose magnitude is at most `2^bits`; the factor has no more bits
/// than the width.
fn signed_by(divisor: u64, bits: u32, width: u32) -> How {
    let divisor = u128::from(divisor);
    let found = (width..2 * width).find_map(|power| {
        let factor = (1u128 << power) / divisor + 1;
        let error = factor * divisor - (1u128 << power);
        (error << bits <= 1u128 << power).then_some((factor, power - width))
    });
    let (factor, shift) = found.unwrap_or((0, 0));
    How::Signed { factor: factor as u64, shift, more: factor >> (width - 1) != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::table::evaluate_lane;

    fn evaluate(division: &Division, dividend: u64) -> u64 {
        let mut results: Vec<u64> = Vec::new();
        for (op, parts) in division.steps() {
            let mut bits = [0; 3];
            for (bits, part) in bits.iter_mut().zip(parts) {
                *bits = match part {
                    Part::Dividend => dividend,
                    Part::Step(at) => results[at],
                    Part::Number(number) => number,
                };
            }
            results.push(evaluate_lane(op, bits).unwrap());
        }
        *results.last().unwrap()
    }

    /// Tries divisors, and their negatives, with dividends near their multiples and the ends of the type, which all
    /// are cut to the width; how many.
    fn try_all(width: u32, ops: [Op; 4], divisors: Vec<u64>) -> usize {
        let (all, signed_max) = (cut(u64::MAX, width), cut(u64::MAX, width) >> 1);
        let mut tried = 0;
        for divisor in divisors.into_iter().flat_map(|one| [one, cut(one.wrapping_neg(), width)]) {
            let near = |at: u64| [at.wrapping_sub(1), at, at.wrapping_add(1)];
            let half = signed_max - signed_max % divisor.min(signed_max);
            let most = all - all % divisor;
            let ends =
                [0, divisor, signed_max + 1, most, half, half.wrapping_neg(), 0x1234_5678_9abc];
            for dividend in ends.into_iter().flat_map(near).map(|number| cut(number, width)) {
                let signed = ((dividend << (64 - width)) as i64) >> (64 - width);
                for op in ops {
                    for (bits, magnitude) in
                        [(width, width - 1), (width - 1, width - 1), (width, 16), (10, 10)]
                    {
                        let small = i128::from(signed).abs() < 1 << magnitude;
                        let fits =
                            u128::from(dividend) < 1 << bits && (small || magnitude == width - 1);
                        let division = Division::new(op, divisor, bits, magnitude).filter(|_| fits);
                        if let Some(division) = division {
                            assert_eq!(
                                Some(evaluate(&division, dividend)),
                                evaluate_lane(op, [dividend, divisor, 0]),
                                "{dividend} {op:?} {divisor} of {bits} bits: {division:?}"
                            );
                            tried += 1;
                        }
                    }
                }
            }
        }
        tried
    }

    #[test]
    fn products_are_the_quotients_of_every_kind_of_dividend() {
        use Op::*;
        let small = (3..1200u64).chain([641, 6_700_417, 1_000_000_007, 0x4000_0001, 0x5555_5555]);
        let words = small.clone().chain([1 << 20 | 1, 0x7fff_ffff, 0x7fff_fffe]);
        let tried = try_all(32, [DivU32, RemU32, DivS32, RemS32], words.collect());
        assert!(tried > 100_000, "{tried}");
        let most = i64::MAX as u64;
        let ends = [most, most - 1, most / 3, 1 << 32 | 1, (1 << 62) + 1, 1 << 40 | 1 << 7];
        let tens = (1..19).map(|power| 10u64.pow(power));
        let pairs = small.chain(tens).chain(ends);
        let tried = try_all(64, [DivU64, RemU64, DivS64, RemS64], pairs.collect());
        assert!(tried > 100_000, "{tried}");
    }

    #[test]
    fn small_dividends_take_two_steps() {
        let steps =
            |op, divisor, bits| Division::new(op, divisor, bits, bits).unwrap().steps().len();
        assert_eq!(steps(Op::DivU32, 7, 32), 5);
        assert_eq!(steps(Op::DivU32, 7, 31), 2);
        assert_eq!(steps(Op::DivU32, 14, 32), 3);
        assert_eq!(steps(Op::DivS32, 7, 31), 2);
        assert_eq!(steps(Op::DivS32, 7, 32), 5);
        assert_eq!(steps(Op::DivU64, 7, 64), 5);
        // The upper half of the product with a reciprocal of 64 bits is the quotient of a word.
        assert_eq!(steps(Op::DivU64, 7, 32), 1);
        assert_eq!(steps(Op::DivS64, 10, 64), 4);
        assert_eq!(Division::new(Op::DivU32, 8, 32, 31), None);
        assert_eq!(Division::new(Op::DivS64, 8, 64, 63), None);
    }
}
