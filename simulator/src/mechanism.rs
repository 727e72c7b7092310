//! What a registry of interchangeable mechanisms holds.
//!
//! A *slot* is a place of the machine that can be filled in several ways. Each slot is a folder of
//! this crate with one file per mechanism; its `mod.rs` has the trait and the list. Everything
//! that needs to know which mechanisms exist reads the list.

use reconverge_isa::nearest::hint;

/// Settings of a machine: dotted paths and values.
pub type Settings = &'static [(&'static str, &'static str)];

/// One way to fill a slot.
pub struct Mechanism<Build: 'static> {
    /// Its key in machine files and settings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub sentence: &'static str,
    /// Its options, each with a sentence; they are keys of a table named like the mechanism.
    pub options: &'static [(&'static str, &'static str)],
    /// Settings with which tests try it, beside none: of its options, and of what else of the machine matters to
    /// it. Each is tried on every shipped machine.
    pub trials: &'static [Settings],
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
    /// Settings with which tests try it; see [`Mechanism::trials`]. Those that name mechanisms that do not exist
    /// are left out, so that one can be removed without the trials of others.
    pub trials: Vec<Settings>,
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
            trials: mechanism.trials.to_vec(),
        })
    }
    let all = infos("divergence", crate::divergence::MECHANISMS)
        .chain(infos("lane-permutation", crate::lane_permutation::MECHANISMS))
        .chain(infos("scheduler", crate::scheduler::MECHANISMS))
        .chain(infos("cycle-compression", crate::cycle_compression::MECHANISMS))
        .chain(infos("affine", crate::affine::MECHANISMS))
        .chain(infos("prefetcher", crate::prefetcher::MECHANISMS))
        .chain(infos("local-cache", crate::local_cache::MECHANISMS))
        .chain(infos("register-file", crate::register_file::MECHANISMS))
        .chain(infos("granularity", crate::granularity::MECHANISMS))
        .chain(infos("allocation", crate::allocation::MECHANISMS))
        .chain(infos("replacement", crate::replacement::MECHANISMS))
        .chain(infos("dram-scheduler", crate::dram_scheduler::MECHANISMS))
        .chain(infos("block-scheduler", crate::block_scheduler::MECHANISMS));
    let mut all: Vec<MechanismInfo> = all.collect();
    let known: Vec<(&str, &str)> = all.iter().map(|info| (info.slot, info.name)).collect();
    let is_slot = |key: &str| known.iter().any(|(slot, _)| *slot == key);
    for info in &mut all {
        let exists = |set: &(&'static str, &'static str)| !is_slot(set.0) || known.contains(set);
        info.trials.retain(|trial| trial.iter().all(exists));
    }
    all
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Reads a mechanism's options, which may be absent, and refuses unknown ones.
pub(crate) fn options<T: serde::de::DeserializeOwned>(table: &toml::Table) -> Result<T, String> {
    table.clone().try_into().map_err(|error: toml::de::Error| error.message().to_string())
}
