//! The usual causes of lost issue slots, by reason, and the remedies.

/// By the name of a reason: its usual cause, and the remedy.
const CAUSES: &[(&str, &str)] = &[
    ("issued", "These slots did work. `SIMD efficiency` says how many of their lanes were active."),
    (
        "metadata",
        "The register file `virtualized` marks last reads by instructions of their own. Longer stretches between branches \
         need fewer of them.",
    ),
    (
        "register read",
        "Instructions wait in operand collectors, or for read ports, because several read one bank. Fewer operands per \
         instruction help, and a machine with more collectors or ports shows how much.",
    ),
    (
        "throttled",
        "More warps run than there are physical registers for. A smaller block, or fewer registers per thread, leaves room.",
    ),
    (
        "pipe busy",
        "The pipe of the next instructions is full: the kernel is bound by that unit. `--profile` shows which lines use it.",
    ),
    (
        "load/store full",
        "The queue of the load/store unit is full: accesses touch many lines, meet in banks, or are simply many. The findings \
         `uncoalesced`, `bank-conflicts` and `load-store-bound` tell these apart.",
    ),
    (
        "arithmetic",
        "Every path waits for a pipe's result. More independent work per thread, or more resident warps, fills these slots.",
    ),
    (
        "control",
        "Every path waits until a branch is decided, or until the stall count of its last instruction has passed. Fewer \
         branches, or more resident warps, fill these slots.",
    ),
    (
        "fetch",
        "No path has its next instruction. Either the instruction cache misses, or paths fetch one after the other. \
         `--what-if` shows what a cache that always hits would gain.",
    ),
    (
        "memory",
        "Every path waits for a load or an atomic; a scoreboard that is full of loads counts here too. The findings \
         `latency-bound`, `memory-bound` and `thrashing` tell the cases apart.",
    ),
    (
        "copies",
        "Every path waits for asynchronous copies. Another stage of copies in flight hides more of their latency.",
    ),
    (
        "scoreboard",
        "The scoreboard has no entry for the next result, while arithmetic results hold them. Fewer results in flight per \
         warp, or more warps, help; `--what-if` shows what an unlimited scoreboard would gain.",
    ),
    ("early load", "The affine stream has not issued the load that this path is about to use."),
    (
        "dequeue",
        "The affine stream has not sent the address or predicate that this path is about to use.",
    ),
    ("enqueue", "The queue from the affine stream is full: the other paths are slower than it."),
    (
        "barrier",
        "Every path waits at a barrier of its block. Equal work for all warps before a barrier, or several small blocks per \
         SM, help.",
    ),
    (
        "inactive",
        "Paths are ready, but the scheduler does not run them: they are outside its active pool, or throttled.",
    ),
    (
        "idle",
        "The scheduler has no path: the grid is too small, its last blocks are uneven, or threads have ended. The finding \
         `few-blocks` says when the grid is the cause.",
    ),
];

/// A reason as a word of the command line: `load-store-full`.
pub(super) fn word(reason: &str) -> String {
    reason.replace([' ', '/'], "-")
}

/// A reason by its [`word`], its usual cause, and the remedy; `None` if there is no such reason.
pub fn explanation(of: &str) -> Option<(&'static str, &'static str)> {
    CAUSES.iter().copied().find(|(reason, _)| word(reason) == of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_simulator::Statistics;

    #[test]
    fn every_reason_is_explained() {
        let reasons = Statistics::default().slot_reasons().map(|(name, _)| name);
        assert_eq!(reasons.to_vec(), CAUSES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    }
}
