//! `streaming-bypass`: loads that a thread executes once do not allocate in the cache.
//!
//! The hardware's half of the pass `mark-streams`, which names the paper. Each access carries the hints of its
//! instruction.

use super::mark_streams::EXECUTIONS;
use reconverge::extend::allocation::{Allocation, Build, LineAccess};
use reconverge::extend::replacement::Ways;
use reconverge::extend::{Declaration, Mechanism, MechanismStatistics};

const BYPASSED: Declaration = Declaration::sum(
    "streaming_bypassed",
    "accesses",
    "Line misses of loads that a thread executes once, which did not allocate.",
);

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "streaming-bypass",
    sentence: "loads that a thread executes once do not allocate",
    options: &[],
    trials: &[],
    statistics: &[BYPASSED],
    build: &|_, _| Ok(Box::new(StreamingBypass { bypassed: 0 })),
};

struct StreamingBypass {
    bypassed: u64,
}

impl Allocation for StreamingBypass {
    fn allocates(&mut self, access: &LineAccess, _has_way: bool) -> bool {
        let streams = access.requester.hints.get(&EXECUTIONS) == Some(1);
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
