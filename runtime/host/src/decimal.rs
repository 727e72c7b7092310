//! The exact decimal expansion of a `double`, and its correct rounding.

/// Base of the big integers: nine decimal digits a limb.
const LIMB: u64 = 1_000_000_000;

/// The decimal digits of a finite number that is not negative: `0.d₁d₂d₃… × 10^point`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Digits 0 to 9; the first is not 0. Empty for zero.
    pub digits: Vec<u8>,
    /// The position of the decimal point.
    pub point: i64,
}

impl Decimal {
    /// The exact expansion of `|value|`; of zero if it is not finite.
    pub fn exact(value: f64) -> Decimal {
        let bits = value.to_bits();
        let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7FF) as i64);
        if exponent == 0x7FF || (exponent == 0 && fraction == 0) {
            let digits = Vec::new();
            return Decimal { digits, point: 0 };
        }
        let hidden = u64::from(exponent != 0) << 52;
        let (mantissa, scale) = (fraction | hidden, exponent.max(1) - 1075);
        // Without trailing zeroes the expansion gets no longer than it must.
        let zeroes = mantissa.trailing_zeros() as i64;
        let (mantissa, scale) = (mantissa >> zeroes, scale + zeroes);
        let mut limbs = vec![mantissa % LIMB, mantissa / LIMB];
        // m / 2^k is m 5^k / 10^k.
        let (factor, step) = if scale >= 0 { (2u64, 29) } else { (5u64, 12) };
        let mut powers = scale.unsigned_abs() as u32;
        while powers > 0 {
            let now = powers.min(step);
            multiply(&mut limbs, factor.pow(now));
            powers -= now;
        }
        let digits = digits_of(&limbs);
        let point = digits.len() as i64 + scale.min(0);
        Decimal { digits, point }
    }

    /// Keeps the first `count` digits, rounding to nearest, ties to even. Digits that are not
    /// there count as zeroes; a count below zero leaves nothing.
    pub fn round(&mut self, count: i64) {
        if count >= self.digits.len() as i64 {
            return;
        }
        if count < 0 {
            self.digits.clear();
            self.point = 0;
            return;
        }
        let count = count as usize;
        let rest = self.digits.split_off(count);
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        let tie = rest[0] == 5 && rest[1..].iter().all(|&digit| digit == 0);
        if rest[0] > 5 || (rest[0] == 5 && (!tie || odd)) {
            self.increment();
        }
        if self.digits.iter().all(|&digit| digit == 0) {
            self.digits.clear();
            self.point = 0;
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    /// Digit number `index` after the point, counted from 0; negative ones are before it.
    pub fn digit(&self, index: i64) -> u8 {
        let at = self.point + index;
        let at = usize::try_from(at).ok();
        at.and_then(|at| self.digits.get(at)).copied().unwrap_or(0)
    }
}

fn multiply(limbs: &mut Vec<u64>, factor: u64) {
    let mut carry = 0;
    for limb in limbs.iter_mut() {
        let product = *limb * factor + carry;
        *limb = product % LIMB;
        carry = product / LIMB;
    }
    while carry > 0 {
        limbs.push(carry % LIMB);
        carry /= LIMB;
    }
}

fn digits_of(limbs: &[u64]) -> Vec<u8> {
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:09}")).collect();
    let text = text.trim_start_matches('0');
    text.bytes().map(|byte| byte - b'0').collect()
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn expansions_are_exact() {
        let tenth = Decimal::exact(0.1);
        let text: String = tenth.digits.iter().map(|d| (b'0' + d) as char).collect();
        assert_eq!(
            (text.as_str(), tenth.point),
            ("1000000000000000055511151231257827021181583404541015625", 0)
        );
        assert_eq!(Decimal::exact(1e300).point, 301);
        assert_eq!(Decimal::exact(f64::from_bits(1)).digits.len(), 751);
    }

    #[test]
    fn ties_go_to_even() {
        let rounded = |value, count| {
            let mut decimal = Decimal::exact(value);
            decimal.round(count);
            (decimal.digits, decimal.point)
        };
        assert_eq!(rounded(2.5, 1), (vec![2], 1));
        assert_eq!(rounded(3.5, 1), (vec![4], 1));
        assert_eq!(rounded(9.96, 2), (vec![1, 0, 0], 2));
        assert_eq!(rounded(0.5, 0), (vec![], 0));
        assert_eq!(rounded(0.75, 0), (vec![1], 1));
    }
}
