//! The rows of asynchronous copies, a part of the [table](crate::table): pattern, operands and meaning.

/// The rows.
pub(crate) const ROWS: [(&str, &str, &str); 5] = [
    (
        "cp.async.(ca|cg).(shared|shared::cta).global[<fetch>]",
        "[a] [b] #bytes c:size?",
        "Copies 4, 8 or 16 bytes from global memory at `b` to shared memory at `a`, with `.cg` 16; with a word `c` the first `c` bytes and zeros after them, with a predicate only zeros where it holds. The bytes arrive before the end of a wait for the copy's group.",
    ),
    (
        "cp.async.(ca|cg).(shared|shared::cta).global.L2::cache_hint[<fetch>]",
        "[a] [b] #bytes c:size? policy:b64",
        "The same; the policy changes nothing.",
    ),
    ("cp.async.commit_group", "", "Makes a group of the thread's copies since its last group."),
    (
        "cp.async.wait_group",
        "#n",
        "Waits until all groups of the thread have arrived but the `n` last ones.",
    ),
    ("cp.async.wait_all", "", "Waits until all copies of the thread have arrived."),
];
