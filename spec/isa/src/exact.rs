//! Sums of products without rounding error.

/// The bits below 1 of [`Sum`]: the least product of two tf32 has its last bit at 2^-272.
const BELOW: i32 = 288;

/// Adds the products of `left` and the rows of `right` to the sums, each the exact sum rounded to odd, which a second
/// rounding to at most 51 bits does not notice.
pub(crate) fn add_products(left: &[f64], right: &[[f64; 8]], sums: &mut [f64; 8]) {
    let (start, mut errors) = (*sums, [0.0f64; 8]);
    for (&x, row) in left.iter().zip(right) {
        for ((sum, error), &y) in sums.iter_mut().zip(&mut errors).zip(row) {
            let product = x * y;
            let next = *sum + product;
            let part = next - *sum;
            *error += ((*sum - (next - part)) + (product - part)).abs();
            *sum = next;
        }
    }
    for (column, (sum, error)) in sums.iter_mut().zip(errors).enumerate() {
        // Nothing was lost if no error is left; that of an infinity or a NaN is a NaN.
        if error != 0.0 {
            let products = left.iter().zip(right).map(|(&x, row)| x * row[column]);
            *sum = rounded_to_odd(products.chain([start[column]]));
        }
    }
}

/// The sum of doubles that are zero or from 2^-288 to 2^300 in magnitude, with no bit below 2^-288; or infinite, or NaNs.
fn rounded_to_odd(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut special) = (Sum::default(), 0.0);
    for term in terms {
        match term.is_finite() {
            true => sum.add(term),
            false => special += term,
        }
    }
    if special == 0.0 { sum.to_odd() } else { special }
}

/// A number of 640 bits in two's complement, 288 of them below 1.
#[derive(Clone, Copy, Default)]
struct Sum([u64; 10]);

impl Sum {
    fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let exponent = (bits >> 52 & 0x7ff) as i32;
        if exponent == 0 {
            return;
        }
        let significand = u128::from(bits & ((1 << 52) - 1) | 1 << 52);
        // Trailing zeros are below the last bit that counts, if any are.
        let place = exponent - 1075 + BELOW;
        let (significand, place) = match place {
            0.. => (significand, place as usize),
            _ => (significand >> place.unsigned_abs().min(127), 0),
        };
        let shifted = significand << (place % 64);
        let words = [shifted as u64, (shifted >> 64) as u64];
        let negative = term.is_sign_negative();
        let mut carry = false;
        for (at, limb) in self.0.iter_mut().enumerate().skip(place / 64) {
            let word = words.get(at - place / 64).copied().unwrap_or(0);
            let next = match negative {
                true => borrowed_difference(*limb, word, carry),
                false => carried_sum(*limb, word, carry),
            };
            (*limb, carry) = next;
        }
    }

    fn to_odd(self) -> f64 {
        let negative = self.0[9] >> 63 != 0;
        let mut magnitude = self.0;
        if negative {
            let mut carry = true;
            for limb in &mut magnitude {
                (*limb, carry) = carried_sum(!*limb, 0, carry);
            }
        }
        let Some(top) = magnitude.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let zeros = magnitude[top].leading_zeros();
        let below = if top > 0 { magnitude[top - 1] } else { 0 };
        let whole = (u128::from(magnitude[top]) << 64 | u128::from(below)) << zeros;
        // The upper 53 bits; whatever is below makes the last one odd.
        let kept = (whole >> 75) as u64;
        let rest = whole << 53 != 0 || magnitude[..top.saturating_sub(1)].iter().any(|&it| it != 0);
        let exponent = 64 * top as i32 + 63 - zeros as i32 - BELOW;
        let bits = ((exponent + 1023) as u64) << 52 | (kept | u64::from(rest)) & ((1 << 52) - 1);
        let value = f64::from_bits(bits);
        if negative { -value } else { value }
    }
}

/// A sum with a carry, and the next carry.
fn carried_sum(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let (sum, one) = a.overflowing_add(b);
    let (sum, two) = sum.overflowing_add(carry.into());
    (sum, one | two)
}

/// A difference with a borrow, and the next borrow.
fn borrowed_difference(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let (difference, one) = a.overflowing_sub(b);
    let (difference, two) = difference.overflowing_sub(borrow.into());
    (difference, one | two)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact() {
        let sum = |terms: &[f64]| rounded_to_odd(terms.iter().copied());
        let [large, small] = [2.0f64.powi(255), 2.0f64.powi(-272)];
        assert_eq!(sum(&[large, small, -large]), small);
        assert_eq!(sum(&[large, -small, -large]), -small);
        assert_eq!(sum(&[large, -large]).to_bits(), 0);
        // Not the even neighbour.
        assert_eq!(sum(&[1.0, small]), 1.0 + f64::EPSILON);
        assert_eq!(sum(&[-1.0, -small]), -1.0 - f64::EPSILON);
        assert_eq!(sum(&[-1.0, small]), -1.0 + f64::EPSILON / 2.0);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(sum(&[f64::INFINITY, -large]), f64::INFINITY);
    }

    #[test]
    fn products_are_added_exactly() {
        let mut sums = [0.5; 8];
        let big = 2.0f64.powi(100);
        add_products(&[big, 3.0, -big], &[[1.0; 8], [0.25; 8], [1.0; 8]], &mut sums);
        assert_eq!(sums, [1.25; 8]);
        let mut sums = [-0.0; 8];
        add_products(&[-0.0], &[[1.0; 8]], &mut sums);
        assert!(sums.iter().all(|sum| sum.to_bits() == (-0.0f64).to_bits()));
    }
}
