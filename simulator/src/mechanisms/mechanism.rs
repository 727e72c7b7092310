//! An entry in the list of a slot's interchangeable mechanisms.
//!
//! A *slot* is a replaceable part of the machine. Each slot is a folder beside this file: `slot.rs` has its trait and
//! types and imports no mechanism, `list.rs` lists the mechanisms, and each mechanism has a file. `registry.rs` joins
//! the lists of all slots.

use std::fmt::Display;
use std::ops::RangeInclusive;

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

/// Finds a mechanism of a slot by name.
pub(crate) fn find<Build>(
    slot: &str,
    list: &'static [Mechanism<Build>],
    name: &str,
) -> Result<&'static Mechanism<Build>, String> {
    list.iter().find(|mechanism| mechanism.name == name).ok_or_else(|| {
        let names: Vec<&str> = list.iter().map(|mechanism| mechanism.name).collect();
        format!(
            "unknown {slot} `{name}`; known: {}{}",
            names.join(", "),
            hint(name, names.iter().copied())
        )
    })
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Refuses a value of an option that is out of its range.
pub(crate) fn check_range<T: PartialOrd + Display>(
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
pub(crate) fn options<T: serde::de::DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    table.clone().try_into().map_err(|error: toml::de::Error| error.message().to_string())
}
