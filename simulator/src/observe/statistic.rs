//! The declaration of a statistic.

/// A statistic's declaration: everything but its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The name, as in reports and JSON.
    pub name: &'static str,
    /// The unit that it counts.
    pub unit: &'static str,
    /// One sentence.
    pub sentence: &'static str,
    /// The name that users of GPGPU-Sim know, if there is one.
    pub alias: Option<&'static str>,
    /// The kind in its declaration.
    pub kind: Kind,
}

impl Declaration {
    /// A counter whose parts are added.
    pub const fn sum(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
    ) -> Declaration {
        Declaration { name, unit, sentence, alias: None, kind: Kind::Sum }
    }

    /// A counter of which the largest part counts.
    pub const fn max(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
    ) -> Declaration {
        Declaration { name, unit, sentence, alias: None, kind: Kind::Max }
    }

    /// A quotient of two counters of the same mechanism.
    pub const fn quotient(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
        [of, by]: [&'static Declaration; 2],
    ) -> Declaration {
        let kind = Kind::Quotient { of: of.name, by: by.name };
        Declaration { name, unit, sentence, alias: None, kind }
    }

    /// Returns true if it is counted, not computed.
    pub fn is_counter(&self) -> bool {
        matches!(self.kind, Kind::Sum | Kind::Max)
    }
}

/// The computation of a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A counter; parts are added.
    Sum,
    /// A counter; the largest part counts.
    Max,
    /// Computed from counters of the machine.
    Ratio,
    /// The quotient of two counters that the same mechanism declares: their names.
    Quotient {
        /// The dividend.
        of: &'static str,
        /// The divisor; the quotient is absent if it is zero.
        by: &'static str,
    },
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

/// The uses of issue slots, as people read them: an instruction that issues, or the reason why none
/// did.
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
