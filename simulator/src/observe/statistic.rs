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
    /// The statistic of the machine that it follows in lists; without it, it follows all of them.
    pub after: Option<&'static str>,
    /// The value of the energy model that it is multiplied with, if any.
    pub charge: Option<Charge>,
}

/// Counters of mechanisms that the energy model multiplies with a value of the machine file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Accesses of the slot `local-cache`.
    LocalCacheAccess,
    /// Cycles, summed over warp registers, in which a register keeps its value at a lower leakage.
    RegisterAsleep,
}

impl Declaration {
    /// A counter whose parts are added.
    pub const fn sum(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
    ) -> Declaration {
        Declaration::of(name, unit, sentence, Kind::Sum)
    }

    /// A counter of which the largest part counts.
    pub const fn max(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
    ) -> Declaration {
        Declaration::of(name, unit, sentence, Kind::Max)
    }

    /// A quotient of counters of the same mechanism: the sum of some by another one.
    pub const fn quotient(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
        of: &'static [&'static Declaration],
        by: &'static Declaration,
    ) -> Declaration {
        Declaration::of(name, unit, sentence, Kind::Quotient { of, by })
    }

    pub(crate) const fn of(
        name: &'static str,
        unit: &'static str,
        sentence: &'static str,
        kind: Kind,
    ) -> Declaration {
        Declaration { name, unit, sentence, alias: None, kind, after: None, charge: None }
    }

    /// Lists it after a statistic of the machine, and after those that others list there.
    pub const fn after(self, name: &'static str) -> Declaration {
        Declaration { after: Some(name), ..self }
    }

    /// Has the energy model multiply it.
    pub const fn charges(self, charge: Charge) -> Declaration {
        Declaration { charge: Some(charge), ..self }
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
    /// A quotient of counters that the same mechanism declares.
    Quotient {
        /// The dividend is their sum.
        of: &'static [&'static Declaration],
        /// The divisor; the quotient is absent if it is zero.
        by: &'static Declaration,
    },
    /// Computed from counters and the machine file's energies, where the machine has them.
    Energy,
}

/// The statistics of the machine, by name, with those of mechanisms in their places.
pub(crate) fn in_order<T>(
    machine: impl IntoIterator<Item = (&'static str, T)>,
    own: impl IntoIterator<Item = (&'static Declaration, T)>,
) -> Vec<(&'static str, T)> {
    let mut all: Vec<_> = machine.into_iter().map(|(name, value)| (name, value, None)).collect();
    for (declaration, value) in own {
        let Declaration { name, after, .. } = *declaration;
        let found = after.and_then(|after| all.iter().position(|(name, ..)| *name == after));
        let first = found.map_or(all.len(), |found| found + 1);
        let others =
            all[first..].iter().take_while(|(.., other)| after.is_some() && *other == after);
        all.insert(first + others.count(), (name, value, after));
    }
    all.into_iter().map(|(name, value, _)| (name, value)).collect()
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

macro_rules! key {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
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

pub(crate) use {alias, key, kind, merge};

/// The uses of issue slots, as people read them: an instruction that issues, or the reason why none
/// did.
pub const SLOT_REASONS: [&str; 18] = [
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
    "copies",
    "scoreboard",
    "early load",
    "dequeue",
    "enqueue",
    "barrier",
    "inactive",
    "idle",
];
