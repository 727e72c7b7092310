//! `streaming-bypass`: loads with the cache operator `.cs` do not allocate in the cache.
//!
//! The hardware's half of the pass `mark-streams`, which says what it follows. The cache sees the operator with each
//! access; programs may also write it themselves (`__ldcs`).

use reconverge::extend::allocation::{Allocation, Build, LineAccess};
use reconverge::extend::replacement::Ways;
use reconverge::extend::{CacheOperator, Declaration, Mechanism, MechanismStatistics};

const BYPASSED: Declaration = Declaration::sum(
    "streaming_bypassed",
    "accesses",
    "Line misses of loads with `.cs`, which did not allocate.",
);

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "streaming-bypass",
    sentence: "loads with the cache operator `.cs` do not allocate",
    options: &[],
    trials: &[],
    statistics: &[BYPASSED],
    build: |_, _| Ok(Box::new(StreamingBypass { bypassed: 0 })),
};

struct StreamingBypass {
    bypassed: u64,
}

impl Allocation for StreamingBypass {
    fn allocates(&mut self, access: &LineAccess, _has_way: bool) -> bool {
        let streams = access.requester.hints.operator == Some(CacheOperator::Cs);
        self.bypassed += u64::from(streams);
        !streams
    }

    fn victims(&self, _access: &LineAccess, ways: Ways) -> Ways {
        ways
    }

    fn count(&self, own: &mut MechanismStatistics, _cycle: u64) {
        own.add(&BYPASSED, self.bypassed);
    }
}
