//! `streaming-bypass`: loads whose lines nobody reads again do not allocate in the cache.
//!
//! The compiler's half of the mechanism is the hint of a load's locality, from a profile (`!locality`); the cache reads it
//! with each access. After Jia, Shaw, Martonosi, "Characterizing and improving the use of demand-fetched caches in GPUs",
//! ICS 2012, which chooses loads that bypass the L1 at compile time.

use reconverge::extend::{Locality, Mechanism};
use reconverge::extend::allocation::{Allocation, Build, LineAccess};
use reconverge::extend::replacement::Ways;

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "streaming-bypass",
    sentence: "loads that stream, by the profile's hint, do not allocate",
    options: &[],
    trials: &[],
    statistics: &[],
    build: |_, _| Ok(Box::new(StreamingBypass)),
};

struct StreamingBypass;

impl Allocation for StreamingBypass {
    fn allocates(&mut self, access: &LineAccess, _has_way: bool) -> bool {
        access.requester.locality != Some(Locality::Poor)
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }
}
