//! The rows of asynchronous copies and of barriers in memory, a part of the [table](crate::table): pattern, operands and meaning.

/// The rows.
pub(crate) const ROWS: [(&str, &str, &str); 16] = [
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
    (
        "cp.async.mbarrier.arrive[noinc][shared|shared::cta].b64",
        "[a]",
        "Waits for all copies of the thread, and arrives at the barrier; without `.noinc` the phase expects one arrival more.",
    ),
    (
        "mbarrier.init[shared|shared::cta].b64",
        "[a] count:u32",
        "Makes a barrier whose phases expect so many arrivals.",
    ),
    ("mbarrier.inval[shared|shared::cta].b64", "[a]", "Ends the use of a barrier: it is 0."),
    (
        "mbarrier.arrive[noComplete][release|relaxed][cta|cluster][shared|shared::cta].b64",
        ">state:b64 [a] count:u32?",
        "Arrives once, or so many times. The state is the barrier from before.",
    ),
    (
        "mbarrier.arrive.expect_tx[release|relaxed][cta|cluster][shared|shared::cta].b64",
        ">state:b64 [a] bytes:u32",
        "Expects so many bytes more in this phase, and arrives.",
    ),
    (
        "mbarrier.arrive_drop[noComplete][release|relaxed][cta|cluster][shared|shared::cta].b64",
        ">state:b64 [a] count:u32?",
        "Arrives, and is not expected from the next phase on.",
    ),
    (
        "mbarrier.arrive_drop.expect_tx[release|relaxed][cta|cluster][shared|shared::cta].b64",
        ">state:b64 [a] bytes:u32",
        "Expects so many bytes more in this phase, arrives, and is not expected from the next phase on.",
    ),
    (
        "mbarrier.(test_wait|try_wait)[acquire|relaxed][cta|cluster][shared|shared::cta].b64",
        ">p:pred [a] state:b64 hint:u32?",
        "True if the phase of the state is over. It does not wait.",
    ),
    (
        "mbarrier.(test_wait|try_wait).parity[acquire|relaxed][cta|cluster][shared|shared::cta].b64",
        ">p:pred [a] parity:u32 hint:u32?",
        "True if the phase of this parity is over: the barrier's has the other one.",
    ),
    (
        "mbarrier.pending_count.b64",
        ">d:u32 state:b64",
        "The arrivals that were pending before the one that gave the state.",
    ),
    (
        "mbarrier.(expect_tx|complete_tx)[relaxed][cta|cluster][shared|shared::cta].b64",
        "[a] bytes:u32",
        "Adds to the bytes that are pending in this phase, or takes from them.",
    ),
];
