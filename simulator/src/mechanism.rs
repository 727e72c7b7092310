//! What a registry of interchangeable mechanisms holds.
//!
//! A *slot* is a place of the machine that can be filled in several ways. Each slot is a folder of
//! this crate with one file per mechanism; its `mod.rs` has the trait and the list. Everything
//! that needs to know which mechanisms exist reads the list.

use reconverge_isa::nearest::hint;

/// One way to fill a slot.
pub struct Mechanism<Build: 'static> {
    /// Its key in machine files and settings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Its options, each with a sentence; they are keys of a table named like the mechanism.
    pub options: &'static [(&'static str, &'static str)],
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

/// A line of `list mechanisms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechanismInfo {
    /// The slot: its key in machine files.
    pub slot: &'static str,
    /// The mechanism's name.
    pub name: &'static str,
    /// One sentence.
    pub sentence: &'static str,
    /// Options with their sentences.
    pub options: &'static [(&'static str, &'static str)],
}

/// Every mechanism of every slot, in the order of the registries.
pub fn mechanisms() -> Vec<MechanismInfo> {
    fn infos<Build>(
        slot: &'static str,
        list: &'static [Mechanism<Build>],
    ) -> impl Iterator<Item = MechanismInfo> {
        list.iter().map(move |mechanism| MechanismInfo {
            slot,
            name: mechanism.name,
            sentence: mechanism.sentence,
            options: mechanism.options,
        })
    }
    infos("divergence", crate::divergence::MECHANISMS)
        .chain(infos("lane-permutation", crate::lane_permutation::MECHANISMS))
        .chain(infos("scheduler", crate::scheduler::MECHANISMS))
        .chain(infos("cycle-compression", crate::cycle_compression::MECHANISMS))
        .chain(infos("affine", crate::affine::MECHANISMS))
        .chain(infos("register-file", crate::register_file::MECHANISMS))
        .chain(infos("replacement", crate::replacement::MECHANISMS))
        .collect()
}

/// Reads a mechanism's options, which may be absent, and refuses unknown ones.
pub(crate) fn options<T: serde::de::DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    table.clone().try_into().map_err(|error: toml::de::Error| error.message().to_string())
}
