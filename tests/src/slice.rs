//! Slices of long lists of runs: each commit runs a part of the list, so that all are run in a few commits. `.ci/full
//! slices` runs all.

use crate::matrix::seed;
use reconverge::study::provenance::digest;

/// The variable that chooses all runs of every list.
pub const ALL: &str = "RECONVERGE_ALL";

/// A part of a list, chosen by the commit.
pub struct Slice {
    /// `None`: the whole list.
    chosen: Option<(u64, u64)>,
}

impl Slice {
    /// One of `parts` parts; all if [`ALL`] or `RECONVERGE_BLESS` is set.
    ///
    /// # Errors
    /// The seed is no hexadecimal number.
    pub fn of(parts: u64) -> Result<Slice, String> {
        let is_set = |name: &str| std::env::var_os(name).is_some();
        let all = is_set(ALL) || is_set("RECONVERGE_BLESS");
        Ok(Slice { chosen: if all { None } else { Some((seed()?, parts)) } })
    }

    /// Returns true if a run of this name belongs to the part.
    pub fn has(&self, name: &str) -> bool {
        !self.turns(name, 1).is_empty()
    }

    /// The numbers below `count` of the runs of one program that belong to the part: with as many runs as parts, one.
    pub fn turns(&self, name: &str, count: u64) -> Vec<u64> {
        let Some((seed, parts)) = self.chosen else { return (0..count).collect() };
        let digest = digest(format!("{seed:x} {name}").as_bytes());
        let number = u64::from_str_radix(&digest[..8], 16).unwrap_or_default();
        (0..count).filter(|turn| turn % parts == number % parts).collect()
    }

    /// Returns true if it is the whole list.
    pub fn is_all(&self) -> bool {
        self.chosen.is_none()
    }
}

impl std::fmt::Display for Slice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.chosen {
            None => f.write_str("all runs"),
            Some((seed, parts)) => write!(f, "a part of {parts}, {}={seed:x}", crate::matrix::SEED),
        }
    }
}
