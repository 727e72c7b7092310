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
