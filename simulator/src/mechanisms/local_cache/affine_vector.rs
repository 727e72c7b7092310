//! Restricted affine vectors (AVC §2.3): base plus a stride that is 0 or a power of two, the base a multiple of the
//! stride; and the units that encode and decode them (§5.2).

use crate::execute::lanes::lanes_of;

/// Lanes of a vector.
pub const LANES: usize = 32;

/// The bits of log2(stride) are three, and one of their values means a stride of 0: strides are 0
/// and 1 to 64.
const UNIFORM: u8 = 7;

/// The words of a vector as base and stride: lane `i` has `base + i * stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AffineVector {
    base: u32,
    /// The logarithm of the stride, or [`UNIFORM`].
    log_stride: u8,
}

impl AffineVector {
    /// Encodes the words of some lanes, if they are a restricted affine vector. The lowest bit in which the words of
    /// the first pair of neighbours (2i, 2i+1) differ whose lanes are both there is the stride; without such a pair it is
    /// taken for 0. The base follows from the first lane, and the candidate is decoded and compared.
    pub fn encode(words: &[u32; LANES], lanes: u32) -> Option<AffineVector> {
        let pairs = lanes & lanes >> 1 & 0x5555_5555;
        let differ = match pairs {
            0 => 0,
            _ => {
                let first = pairs.trailing_zeros() as usize;
                words[first] ^ words[first + 1]
            }
        };
        let log_stride = match differ.trailing_zeros() {
            _ if lanes == 0 => return None,
            32 => UNIFORM,
            log if log < u32::from(UNIFORM) => log as u8,
            _ => return None,
        };
        let first = lanes.trailing_zeros();
        let zero = AffineVector { base: 0, log_stride };
        let base = words[first as usize].wrapping_sub(zero.word(first));
        let candidate = AffineVector { base, log_stride };
        let is_aligned = candidate.is_uniform() || base & ((1 << log_stride) - 1) == 0;
        let equals = |lane: usize| candidate.word(lane as u32) == words[lane];
        (is_aligned && lanes_of(lanes.into()).all(equals)).then_some(candidate)
    }

    /// The word of a lane.
    pub fn word(self, lane: u32) -> u32 {
        let distance = if self.is_uniform() { 0 } else { lane << self.log_stride };
        self.base.wrapping_add(distance)
    }

    /// Returns true if all lanes have the same word.
    pub fn is_uniform(self) -> bool {
        self.log_stride == UNIFORM
    }

    /// Returns true if all lanes have 0.
    pub fn is_zero(self) -> bool {
        self.is_uniform() && self.base == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of random numbers (xorshift).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 16) as u32
        }
    }

    fn vector(base: u32, stride: u32) -> [u32; 32] {
        std::array::from_fn(|lane| base.wrapping_add(lane as u32 * stride))
    }

    /// The paper's definition for some lanes: uniform, or (β + i) × 2^σ with σ up to 6.
    fn is_restricted(words: &[u32; 32], lanes: u32) -> bool {
        let of = |base: u32, stride| {
            (0..32).all(|lane| lanes >> lane & 1 == 0 || words[lane] == vector(base, stride)[lane])
        };
        let first = lanes.trailing_zeros() as usize;
        of(words[first], 0)
            || (0..7).any(|log| {
                let base = words[first].wrapping_sub((first as u32) << log);
                base.is_multiple_of(1 << log) && of(base, 1 << log)
            })
    }

    #[test]
    fn decoding_undoes_encoding() {
        let mut random = Random(0x5eed_cafe_f00d_1234);
        for _ in 0..20_000 {
            let stride: u32 = [0, 1, 2, 4, 8, 16, 32, 64][random.next() as usize % 8];
            let base = random.next() & !stride.saturating_sub(1);
            let lanes = random.next() | 0b11 << (random.next() % 16 * 2);
            let mut words = vector(base, stride);
            let kept = words;
            for lane in (0..32).filter(|lane| lanes >> lane & 1 == 0) {
                words[lane] = random.next();
            }
            let found = AffineVector::encode(&words, lanes).expect("it is affine");
            for lane in (0..32).filter(|lane| lanes >> lane & 1 != 0) {
                assert_eq!(found.word(lane as u32), kept[lane], "{base} {stride} {lanes:#x}");
            }
        }
    }

    #[test]
    fn it_accepts_exactly_the_restricted_affine_vectors() {
        let mut random = Random(0x1234_5678_9abc_def1);
        let (mut accepted, mut refused) = (0, 0);
        for _ in 0..50_000 {
            // Near misses: any stride, any base, now and then a lane that is off by a power of two.
            let mut words = vector(random.next() % 4096, random.next() % 130);
            if random.next().is_multiple_of(4) {
                words[random.next() as usize % 32] ^= 1 << (random.next() % 8);
            }
            let lanes = match random.next() % 3 {
                0 => u32::MAX,
                1 => random.next() | random.next(),
                _ => random.next() & random.next() & random.next(),
            };
            if lanes == 0 {
                continue;
            }
            let has_pair = lanes & lanes >> 1 & 0x5555_5555 != 0;
            let first = words[lanes.trailing_zeros() as usize];
            let uniform = (0..32).all(|lane| lanes >> lane & 1 == 0 || words[lane] == first);
            let expected = if has_pair { is_restricted(&words, lanes) } else { uniform };
            let found = AffineVector::encode(&words, lanes);
            assert_eq!(found.is_some(), expected, "{words:?} {lanes:#x}");
            *(if expected { &mut accepted } else { &mut refused }) += 1;
        }
        assert!(accepted > 1000 && refused > 1000, "{accepted} {refused}");
    }

    #[test]
    fn forms() {
        let encode = |base, stride, lanes| AffineVector::encode(&vector(base, stride), lanes);
        let all = u32::MAX;
        assert!(encode(0, 0, all).expect("zero").is_zero());
        let seven = encode(7, 0, all).expect("uniform");
        assert!(seven.is_uniform() && !seven.is_zero());
        assert!(!encode(0, 64, all).expect("the largest stride").is_uniform());
        // A stride of 128 has no code, 3 is no power of two, and 5 is no multiple of 2.
        assert_eq!([encode(0, 128, all), encode(0, 3, all), encode(5, 2, all)], [None; 3]);
        // An odd multiple of the stride: neighbours differ in more bits than one.
        assert!(encode(1, 1, all).is_some() && encode(12, 4, all).is_some());
        // Bases wrap; one lane is uniform; lanes that are no neighbours have no stride.
        assert!(encode(0xffff_fff0, 1, all).is_some());
        assert!(encode(3, 3, 0b100).expect("one lane").is_uniform());
        assert_eq!((encode(0, 1, 0b101), encode(0, 1, 0b110)), (None, None));
        assert_eq!(encode(0, 1, 0), None);
    }
}
