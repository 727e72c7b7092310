//! Mechanisms outside of Reconverge's own crates, each with its source at the head of its file.

mod barrier_aware;
mod dual_dispatch;
mod mark_streams;
mod ship;
mod streaming_bypass;
mod stride_ahead;

pub use mark_streams::EXECUTIONS;

use reconverge::extend::Extension;

/// Five mechanisms, a pass and a hint that one of them needs, and a machine that has a small first-level cache.
pub fn extension() -> Extension {
    Extension::new("lab", "0.1.0")
        .scheduler(barrier_aware::MECHANISM)
        .replacement(ship::MECHANISM)
        .allocation(streaming_bypass::MECHANISM)
        .prefetcher(stride_ahead::MECHANISM)
        .pairing(dual_dispatch::MECHANISM)
        .hint(mark_streams::EXECUTIONS, Some(|| Box::<mark_streams::CountExecutions>::default()))
        .pass(mark_streams::PASS, mark_streams::PLACE)
        .machine("lab-small-l1", "base = \"gtx480\"\nname = \"lab-small-l1\"\n[l1]\nsize = 8192\n")
}
