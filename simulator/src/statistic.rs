//! What there is to say of a statistic.

use crate::statistics::Statistics;

/// What is known of a statistic beside its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name, as in reports and JSON.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// One sentence.
    pub sentence: &'static str,
    /// The name that users of GPGPU-Sim know, if there is one.
    pub alias: Option<&'static str>,
    /// How it was declared.
    pub kind: Kind,
}

/// How a statistic comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A counter; parts are added.
    Sum,
    /// A counter; the largest part counts.
    Max,
    /// Computed from counters.
    Ratio,
    /// Computed from counters and the machine file's energies, where the machine has them.
    Energy,
}

// Parts of the macro that declares statistics.
macro_rules! merge {
    (sum, $into:expr, $from:expr) => {
        $into += $from
    };
    (max, $into:expr, $from:expr) => {
        $into = $into.max($from)
    };
}

macro_rules! kind {
    (sum) => {
        Kind::Sum
    };
    (max) => {
        Kind::Max
    };
}

macro_rules! alias {
    () => {
        None
    };
    ($alias:literal) => {
        Some($alias)
    };
}

pub(crate) use {alias, kind, merge};

/// What issue slots go to, as people read it: an instruction that issues, or why none did.
pub const SLOT_REASONS: [&str; 17] = [
    "issued",
    "metadata",
    "register read",
    "throttled",
    "pipe busy",
    "load/store full",
    "arithmetic",
    "control",
    "fetch",
    "memory",
    "scoreboard",
    "early load",
    "dequeue",
    "enqueue",
    "barrier",
    "inactive",
    "idle",
];

impl Statistics {
    /// Where the issue slots went, in the order of [`SLOT_REASONS`]: (name, slots). They add up to `issue_slots`.
    pub fn slot_reasons(&self) -> [(&'static str, u64); SLOT_REASONS.len()] {
        let slots = [
            self.slots_issued,
            self.slots_metadata,
            self.slots_register_read,
            self.slots_throttled,
            self.slots_pipe_busy,
            self.slots_load_store_full,
            self.slots_arithmetic,
            self.slots_control,
            self.slots_fetch,
            self.slots_memory,
            self.slots_scoreboard,
            self.slots_early_load,
            self.slots_dequeue,
            self.slots_enqueue,
            self.slots_barrier,
            self.slots_inactive,
            self.slots_idle,
        ];
        std::array::from_fn(|reason| (SLOT_REASONS[reason], slots[reason]))
    }
}
