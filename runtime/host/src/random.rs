//! `rand`: glibc's additive feedback generator (its `TYPE_3`), so that programs that were written
//! against it see the numbers they are used to.

/// Values kept: `r[i] = r[i-3] + r[i-31]`.
const DEGREE: usize = 31;
/// Values thrown away after seeding.
const DISCARD: usize = 310;

/// The state of `rand`.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u32; DEGREE],
    next: usize,
}

impl Random {
    /// The generator after `srand(seed)`; a program that never seeds has seed 1.
    pub fn new(seed: u32) -> Self {
        let mut state = [0; DEGREE];
        state[0] = seed.max(1);
        for i in 1..DEGREE {
            // 16807 r mod (2^31 - 1) of the signed value, as glibc's own `srandom_r` has it.
            let word = state[i - 1] as i32 as i64;
            let mut next = 16807 * (word % 127773) - 2836 * (word / 127773);
            if next < 0 {
                next += 0x7FFF_FFFF;
            }
            state[i] = next as u32;
        }
        let mut random = Random { state, next: 3 };
        for _ in 0..DISCARD {
            random.step();
        }
        random
    }

    fn step(&mut self) -> u32 {
        let three_back = self.state[(self.next + DEGREE - 3) % DEGREE];
        let value = self.state[self.next].wrapping_add(three_back);
        self.state[self.next] = value;
        self.next = (self.next + 1) % DEGREE;
        value
    }

    /// The next number, 0 to 2³¹-1.
    pub fn rand(&mut self) -> i32 {
        (self.step() >> 1) as i32
    }
}

/// `rand_r`: the next number, and the next state in place of this one.
pub fn rand_r(state: &mut u32) -> i32 {
    let mut part = |bits: u32| {
        *state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
        (*state >> 16) & ((1 << bits) - 1)
    };
    let (high, middle, low) = (part(11), part(10), part(10));
    ((high << 20) ^ (middle << 10) ^ low) as i32
}

/// `drand48` and its kin: a linear congruential generator of 48 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random48(u64);

impl Random48 {
    /// The generator after `srand48(seed)`; a program that never seeds has the state 0.
    pub fn new(seed: u32) -> Self {
        Random48((seed as u64) << 16 | 0x330E)
    }

    /// The next number of 48 bits.
    pub fn step(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & ((1 << 48) - 1);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_glibcs() {
        let mut random = Random::new(1);
        let first: Vec<i32> = (0..5).map(|_| random.rand()).collect();
        assert_eq!(first, [1804289383, 846930886, 1681692777, 1714636915, 1957747793]);
        assert_eq!(Random::new(0).rand(), 1804289383);
        let mut random = Random::new(42);
        assert_eq!([random.rand(), random.rand()], [71876166, 708592740]);
    }
}
