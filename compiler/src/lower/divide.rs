//! Quotients and remainders by constants as products (Granlund and Montgomery, "Division by Invariant Integers
//! using Multiplication", 1994, sections 4 and 5; the signed form is that of Warren, "Hacker's Delight", 2013,
//! 10-1): the quotient is the upper half of a product with a scaled reciprocal, shifted to the right.

use reconverge_isa::Op;
use reconverge_planted::Planted;

/// How a division of words by a constant is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    how: How,
    divisor: i32,
    /// The remainder is asked for, not the quotient.
    remainder: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Of an unsigned dividend: shifted to the right, multiplied, shifted again.
    Unsigned { first: u32, factor: u32, shift: u32 },
    /// The factor has 33 bits, of which the highest is left out.
    Long { factor: u32, shift: u32 },
    /// Of a signed dividend; the factor's sign is wrong if `more`.
    Signed { factor: u32, shift: u32, more: bool },
}

/// An operand of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The dividend.
    Dividend,
    /// What an earlier step has computed.
    Step(usize),
    /// A number.
    Number(u32),
}

/// A step: an operation and what it reads.
pub type Step = (Op, Vec<Part>);

impl Division {
    /// How a quotient or remainder by a constant is computed of dividends that are below `2^bits` if they are
    /// read as unsigned, and from `-2^magnitude` to below `2^magnitude`, at most 31, if they are read as signed.
    /// Nothing for what is no such operation, and for powers of two, which are shifts.
    pub fn new(op: Op, divisor: u32, bits: u32, magnitude: u32) -> Option<Division> {
        let remainder = matches!(op, Op::RemS32 | Op::RemU32);
        let unsigned = match op {
            Op::DivU32 | Op::RemU32 => true,
            Op::DivS32 | Op::RemS32 => bits < 32 && divisor as i32 > 0,
            _ => return None,
        };
        let factor = if unsigned { divisor } else { (divisor as i32).unsigned_abs() };
        if factor < 3 || factor.is_power_of_two() || (unsigned && divisor > i32::MAX as u32) {
            return None;
        }
        let how = if unsigned { unsigned_by(factor, bits) } else { signed_by(factor, magnitude) };
        Some(Division { how, divisor: divisor as i32, remainder })
    }

    /// The steps; the last one has the result.
    pub fn steps(&self) -> Vec<Step> {
        use Part::{Dividend, Number, Step};
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
                    quotient = step(Op::ShrU32, &[quotient, Number(first)]);
                }
                quotient = step(Op::MulHighU32, &[quotient, Number(factor)]);
                if shift > 0 {
                    quotient = step(Op::ShrU32, &[quotient, Number(shift)]);
                }
            }
            How::Long { factor, shift } => {
                let high = step(Op::MulHighU32, &[Dividend, Number(factor)]);
                let rest = step(Op::Sub, &[Dividend, high]);
                let half = step(Op::ShrU32, &[rest, Number(1)]);
                let sum = step(Op::Add, &[half, high]);
                quotient = step(Op::ShrU32, &[sum, Number(shift - 1)]);
            }
            How::Signed { factor, shift, more } => {
                quotient = step(Op::MulHighS32, &[Dividend, Number(factor)]);
                if more {
                    quotient = step(Op::Add, &[quotient, Dividend]);
                }
                if shift > 0 {
                    quotient = step(Op::ShrS32, &[quotient, Number(shift)]);
                }
                if !Planted::QuotientNotCorrected.is_on() {
                    let sign = step(Op::ShrU32, &[Dividend, Number(31)]);
                    quotient = step(Op::Add, &[quotient, sign]);
                }
            }
        }
        // What was divided by is the magnitude; the sign of a remainder is the dividend's.
        let negative = matches!(self.how, How::Signed { .. }) && self.divisor < 0;
        if self.remainder {
            let by = if negative { self.divisor } else { self.divisor.wrapping_neg() };
            step(Op::Mad, &[quotient, Number(by as u32), Dividend]);
        } else if negative {
            step(Op::Sub, &[Number(0), quotient]);
        }
        steps
    }
}

/// The reciprocal `2^p / d`, rounded up, is exact enough for dividends below `2^bits` if it exceeds the exact one by no
/// more than `2^(p - bits) / d`.
fn unsigned_by(divisor: u32, bits: u32) -> How {
    let reciprocal = |divisor: u64, bits: u32| {
        (32..64).find_map(|power| {
            let factor = (1u128 << power).div_ceil(u128::from(divisor));
            let error = factor * u128::from(divisor) - (1u128 << power);
            let exact = error << bits <= 1u128 << power;
            exact.then_some((factor, power - 32)).filter(|_| factor < 1 << 33)
        })
    };
    let even = divisor.trailing_zeros();
    let short = |(factor, shift): (u128, u32), first: u32| {
        (factor < 1 << 32).then_some(How::Unsigned { first, factor: factor as u32, shift })
    };
    let plain = reciprocal(divisor.into(), bits);
    let shifted = || reciprocal((divisor >> even).into(), bits.saturating_sub(even));
    let found = plain.and_then(|found| short(found, 0));
    let found = found.or_else(|| shifted().and_then(|found| short(found, even)));
    let (factor, shift) = plain.unwrap_or((0, 1));
    found.unwrap_or(How::Long { factor: factor as u32, shift })
}

/// The same for dividends whose magnitude is at most `2^bits`; the factor is below 2^32.
fn signed_by(divisor: u32, bits: u32) -> How {
    let divisor = u128::from(divisor);
    let found = (32..64).find_map(|power| {
        let factor = (1u128 << power) / divisor + 1;
        let error = factor * divisor - (1u128 << power);
        (error << bits <= 1u128 << power).then_some((factor, power - 32))
    });
    let (factor, shift) = found.unwrap_or((0, 0));
    How::Signed { factor: factor as u32, shift, more: factor >= 1 << 31 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_isa::table::evaluate_lane;

    fn evaluate(division: &Division, dividend: u32) -> u32 {
        let mut results: Vec<u32> = Vec::new();
        for (op, parts) in division.steps() {
            let mut bits = [0; 3];
            for (bits, part) in bits.iter_mut().zip(parts) {
                *bits = u64::from(match part {
                    Part::Dividend => dividend,
                    Part::Step(at) => results[at],
                    Part::Number(number) => number,
                });
            }
            results.push(evaluate_lane(op, bits).unwrap() as u32);
        }
        *results.last().unwrap()
    }

    #[test]
    fn products_are_the_quotients_of_every_kind_of_dividend() {
        let mut divisors: Vec<u32> =
            (3..1200).chain([1 << 20 | 1, 0x7fff_ffff, 0x7fff_fffe]).collect();
        divisors.extend([641, 6_700_417, 1_000_000_007, 0x5555_5555, 0x4000_0001]);
        let negative: Vec<u32> = divisors.iter().map(|&divisor| divisor.wrapping_neg()).collect();
        divisors.extend(negative);
        let mut tried = 0;
        for divisor in divisors {
            let near = |at: u32| [at.wrapping_sub(1), at, at.wrapping_add(1)];
            let most = u32::MAX - u32::MAX % divisor;
            let half = i32::MAX as u32 - i32::MAX as u32 % divisor.min(i32::MAX as u32);
            let ends = [0, divisor, 1 << 31, most, half, half.wrapping_neg(), 0x1234_5678];
            for dividend in ends.into_iter().flat_map(near) {
                for op in [Op::DivU32, Op::RemU32, Op::DivS32, Op::RemS32] {
                    for (bits, magnitude) in [(32, 31), (31, 31), (32, 16), (10, 10)] {
                        let small = i64::from(dividend as i32).abs() < 1 << magnitude;
                        let fits = u64::from(dividend) < 1 << bits && (small || magnitude == 31);
                        let division = Division::new(op, divisor, bits, magnitude).filter(|_| fits);
                        if let Some(division) = division {
                            let right = evaluate_lane(op, [dividend.into(), divisor.into(), 0]);
                            let found = evaluate(&division, dividend);
                            assert_eq!(
                                Some(u64::from(found)),
                                right,
                                "{dividend} {op:?} {divisor} of {bits} bits: {division:?}"
                            );
                            tried += 1;
                        }
                    }
                }
            }
        }
        assert!(tried > 100_000, "{tried}");
    }

    #[test]
    fn small_dividends_take_two_steps() {
        let steps = |op, divisor, bits| {
            Division::new(op, divisor, bits, bits.min(31)).unwrap().steps().len()
        };
        assert_eq!(steps(Op::DivU32, 7, 32), 5);
        assert_eq!(steps(Op::DivU32, 7, 31), 2);
        assert_eq!(steps(Op::DivU32, 14, 32), 3);
        assert_eq!(steps(Op::DivS32, 7, 31), 2);
        assert_eq!(steps(Op::DivS32, 7, 32), 5);
        assert_eq!(Division::new(Op::DivU32, 8, 32, 31), None);
    }
}
