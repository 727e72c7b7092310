//! C's functions for time, which is simulated, and for random numbers.

use super::environment::HostEnvironment;
use super::random::{self, Random48, rand_r};
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;

const NANOSECONDS: u64 = 1_000_000_000;

impl HostEnvironment<'_> {
    /// Calls a function for time or random numbers; `None` for others. `left` are the remaining
    /// operations.
    pub(super) fn time_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
        left: i64,
    ) -> Result<Option<u64>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b) = (get(0), get(1));
        Ok(Some(match builtin {
            Clock => self.clock(left) / 1000,
            Time => {
                let seconds = self.clock(left) / NANOSECONDS;
                if a != 0 {
                    self.bytes(a as u32, 8, true)?.copy_from_slice(&seconds.to_le_bytes());
                }
                seconds
            }
            Difftime => (a.wrapping_sub(b) as i64 as f64).to_bits(),
            Gettimeofday => self.put_time(a as u32, 1000, left)?,
            ClockGettime => self.put_time(b as u32, 1, left)?,
            // Nobody waits.
            Sleep | Getenv => 0,
            Rand | Random => self.random.rand() as u64,
            Srand => {
                self.random = random::Random::new(a as u32);
                0
            }
            RandR => {
                let mut state = [0; 4];
                state.copy_from_slice(self.bytes(a as u32, 4, true)?);
                let mut next = u32::from_le_bytes(state);
                let number = rand_r(&mut next);
                self.bytes(a as u32, 4, true)?.copy_from_slice(&next.to_le_bytes());
                number as u64
            }
            Drand48 => (self.random48.step() as f64 / (1u64 << 48) as f64).to_bits(),
            Lrand48 => self.random48.step() >> 17,
            Mrand48 => (self.random48.step() >> 16) as i32 as u64,
            Srand48 => {
                self.random48 = Random48::new(a as u32);
                0
            }
            _ => return Ok(None),
        }))
    }

    /// Stores seconds and, in units of `unit` nanoseconds, the rest.
    fn put_time(&mut self, at: u32, unit: u64, left: i64) -> Result<u64, Interrupt> {
        if at == 0 {
            return Ok(0);
        }
        let now = self.clock(left);
        let place = self.bytes(at, 16, true)?;
        place[..8].copy_from_slice(&(now / NANOSECONDS).to_le_bytes());
        place[8..].copy_from_slice(&(now % NANOSECONDS / unit).to_le_bytes());
        Ok(0)
    }
}
