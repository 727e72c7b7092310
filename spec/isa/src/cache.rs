//! Cache hints of loads and stores, which PTX states beside the operation: cache operators, eviction priorities, prefetch
//! sizes, and loads of data that nothing writes.

/// The cache hints of one access. They change no result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CacheHints {
    /// The cache operator, or the eviction priority in the L1.
    pub operator: Option<CacheOperator>,
    /// The eviction priority in the L2.
    pub level2: Option<Level2Priority>,
    /// The bytes that the L2 fetches for a load.
    pub fetch: Option<Level2Fetch>,
    /// A load of data that the kernel does not write, from a cache that need not be coherent: PTX's `.nc`.
    pub non_coherent: bool,
}

/// PTX's cache operators, and its eviction priorities in the L1, which replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // PTX's names
pub enum CacheOperator {
    Ca,
    Cg,
    Cs,
    Lu,
    Cv,
    Wb,
    Wt,
    EvictNormal,
    EvictUnchanged,
    EvictFirst,
    EvictLast,
    NoAllocate,
}

/// PTX's eviction priorities in the L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // PTX's names
pub enum Level2Priority {
    EvictNormal,
    EvictFirst,
    EvictLast,
}

/// PTX's prefetch sizes of the L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // PTX's names
pub enum Level2Fetch {
    Bytes64,
    Bytes128,
    Bytes256,
}

/// The spelling of [`CacheHints::non_coherent`].
const NON_COHERENT: &str = "nc";

/// The operators with their spelling, in encoding order from 1.
pub(crate) const OPERATORS: [(CacheOperator, &str); 12] = [
    (CacheOperator::Ca, "ca"),
    (CacheOperator::Cg, "cg"),
    (CacheOperator::Cs, "cs"),
    (CacheOperator::Lu, "lu"),
    (CacheOperator::Cv, "cv"),
    (CacheOperator::Wb, "wb"),
    (CacheOperator::Wt, "wt"),
    (CacheOperator::EvictNormal, "L1_evict_normal"),
    (CacheOperator::EvictUnchanged, "L1_evict_unchanged"),
    (CacheOperator::EvictFirst, "L1_evict_first"),
    (CacheOperator::EvictLast, "L1_evict_last"),
    (CacheOperator::NoAllocate, "L1_no_allocate"),
];

/// The priorities in the L2 with their spelling, in encoding order from 1.
pub(crate) const PRIORITIES: [(Level2Priority, &str); 3] = [
    (Level2Priority::EvictNormal, "L2_evict_normal"),
    (Level2Priority::EvictFirst, "L2_evict_first"),
    (Level2Priority::EvictLast, "L2_evict_last"),
];

/// The prefetch sizes with their spelling, in encoding order from 1.
pub(crate) const FETCHES: [(Level2Fetch, &str); 3] = [
    (Level2Fetch::Bytes64, "L2_64B"),
    (Level2Fetch::Bytes128, "L2_128B"),
    (Level2Fetch::Bytes256, "L2_256B"),
];

impl CacheHints {
    /// No hints.
    pub const NONE: CacheHints =
        CacheHints { operator: None, level2: None, fetch: None, non_coherent: false };

    /// The spellings of all hints: PTX's, with `_` for `::`.
    pub fn all_names() -> impl Iterator<Item = &'static str> {
        let operators = OPERATORS.iter().map(|(_, name)| *name);
        let level2 = PRIORITIES.iter().map(|(_, name)| *name);
        let fetches = FETCHES.iter().map(|(_, name)| *name);
        operators.chain(level2).chain(fetches).chain([NON_COHERENT])
    }

    /// The spellings of the hints that are set.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = [
            named(&OPERATORS, self.operator),
            named(&PRIORITIES, self.level2),
            named(&FETCHES, self.fetch),
            self.non_coherent.then_some(NON_COHERENT),
        ];
        names.into_iter().flatten()
    }

    /// Sets the hint of a name; returns false if no hint has it, or one of its kind is set.
    pub fn add(&mut self, name: &str) -> bool {
        if name == NON_COHERENT {
            return !std::mem::replace(&mut self.non_coherent, true);
        }
        set(&OPERATORS, &mut self.operator, name)
            || set(&PRIORITIES, &mut self.level2, name)
            || set(&FETCHES, &mut self.fetch, name)
    }

    /// Returns true if a load can have the hints.
    pub fn suit_loads(self) -> bool {
        !matches!(self.operator, Some(CacheOperator::Wb | CacheOperator::Wt))
    }

    /// Returns true if a store can have the hints.
    pub fn suit_stores(self) -> bool {
        use CacheOperator::{Ca, Cv, Lu};
        let is_of_loads = self.fetch.is_some() || self.non_coherent;
        !matches!(self.operator, Some(Ca | Lu | Cv)) && !is_of_loads
    }

    /// The hints but `nc` as 8 bits, from the lowest: 4 of the operator, 2 of the L2's priority, 2 of the prefetch size.
    pub(crate) fn bits(self) -> u8 {
        number(&OPERATORS, self.operator)
            | number(&PRIORITIES, self.level2) << 4
            | number(&FETCHES, self.fetch) << 6
    }

    /// The hints of 8 bits; `None` if no operator has the number.
    pub(crate) fn of_bits(bits: u8) -> Option<CacheHints> {
        Some(CacheHints {
            operator: item(&OPERATORS, bits & 15)?,
            level2: item(&PRIORITIES, bits >> 4 & 3)?,
            fetch: item(&FETCHES, bits >> 6)?,
            non_coherent: false,
        })
    }
}

fn named<T: PartialEq>(all: &[(T, &'static str)], hint: Option<T>) -> Option<&'static str> {
    let hint = hint?;
    all.iter().find(|(other, _)| *other == hint).map(|(_, name)| *name)
}

fn set<T: Copy>(all: &[(T, &str)], hint: &mut Option<T>, name: &str) -> bool {
    let found = all.iter().find(|(_, other)| *other == name).filter(|_| hint.is_none());
    found.inspect(|(found, _)| *hint = Some(*found)).is_some()
}

/// A hint's place from 1; 0 if it is not set.
fn number<T: PartialEq>(all: &[(T, &str)], hint: Option<T>) -> u8 {
    let place = |hint| all.iter().position(|(other, _)| *other == hint);
    hint.and_then(place).map_or(0, |place| place as u8 + 1)
}

/// The hint with a number; the outer `None` if there is none.
fn item<T: Copy>(all: &[(T, &str)], number: u8) -> Option<Option<T>> {
    match number.checked_sub(1) {
        None => Some(None),
        Some(place) => all.get(usize::from(place)).map(|(found, _)| Some(*found)),
    }
}
