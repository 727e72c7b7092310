//! An entry in the list of a slot's interchangeable mechanisms.
//!
//! A *slot* is a replaceable part of the machine. Each slot is a folder beside this file: `slot.rs` has its trait and
//! types and imports no mechanism, `list.rs` lists the mechanisms, and each mechanism has a file. `registry.rs` joins
//! the lists of all slots.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::sync::{PoisonError, RwLock};

use reconverge_isa::nearest::hint;

use crate::observe::statistic::Declaration;

/// Settings of a machine: dotted paths and values.
pub type Settings = &'static [(&'static str, &'static str)];

/// One implementation of a slot.
pub struct Mechanism<Build: 'static> {
    /// Its key in machine files and settings.
    pub name: &'static str,
    /// Its effect, in one sentence.
    pub sentence: &'static str,
    /// Its options, each with a sentence; they are keys of a table named like the mechanism.
    pub options: &'static [(&'static str, &'static str)],
    /// Settings with which tests try it, in addition to none: of its options, and of other parts of
    /// the machine that affect it. Each is tried on every shipped machine.
    pub trials: &'static [Settings],
    /// Its own statistics; see [`MechanismStatistics`](crate::observe::mechanism_statistics::MechanismStatistics).
    pub statistics: &'static [Declaration],
    /// Constructs it from its table of options.
    pub build: Build,
}

/// The mechanisms of a slot: those of this crate, then those of extensions ([`crate::extension`]).
pub struct List<Build: 'static> {
    /// The slot: its key in machine files.
    slot: &'static str,
    shipped: &'static [Mechanism<Build>],
    added: RwLock<Vec<&'static Mechanism<Build>>>,
}

impl<Build> List<Build> {
    pub(crate) const fn new(
        slot: &'static str,
        shipped: &'static [Mechanism<Build>],
    ) -> List<Build> {
        List { slot, shipped, added: RwLock::new(Vec::new()) }
    }

    /// The slot: its key in machine files.
    pub fn slot(&self) -> &'static str {
        self.slot
    }

    /// All mechanisms.
    pub fn all(&self) -> Vec<&'static Mechanism<Build>> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.shipped.iter().chain(added.iter().copied()).collect()
    }

    /// Finds a mechanism by name.
    pub(crate) fn find(&self, name: &str) -> Result<&'static Mechanism<Build>, String> {
        let is_meant = |mechanism: &&Mechanism<Build>| mechanism.name == name;
        let added = || {
            let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
            added.iter().copied().find(is_meant)
        };
        self.shipped.iter().find(is_meant).or_else(added).ok_or_else(|| {
            let names: Vec<&str> = self.all().iter().map(|mechanism| mechanism.name).collect();
            format!(
                "unknown {} `{name}`; known: {}{}",
                self.slot,
                names.join(", "),
                hint(name, names.iter().copied())
            )
        })
    }

    /// Adds a mechanism of an extension, whose name no mechanism of any slot may have: options are tables with that name.
    pub(crate) fn add(&self, mechanism: &'static Mechanism<Build>) {
        self.added.write().unwrap_or_else(PoisonError::into_inner).push(mechanism);
    }
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Refuses a value of an option that is out of its range.
pub fn check_range<T: PartialOrd + Display>(
    key: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), String> {
    let (low, high) = (range.start(), range.end());
    match range.contains(&value) {
        true => Ok(()),
        false => Err(format!("`{key}` is {value}; it must be a whole number from {low} to {high}")),
    }
}

/// Reads a mechanism's options, which may be absent, and refuses unknown ones.
pub fn options<T: serde::de::DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    table.clone().try_into().map_err(|error: toml::de::Error| error.message().to_string())
}
