//! The mechanisms of all slots. What a mechanism is (`mechanism.rs`) stays apart from it, since every mechanism
//! imports that.

use crate::mechanism::{Mechanism, Settings};
use std::sync::LazyLock;

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
    /// Whether instructions have the results that they have without it. If not, they have under its trials.
    pub is_exact: bool,
}

impl MechanismInfo {
    /// Settings under which instructions have the results that they have without it: none, if that is always so.
    pub fn exactly(&self) -> Settings {
        if self.is_exact { &[] } else { self.trials.first().copied().unwrap_or(&[]) }
    }
}

/// Every mechanism of every slot, in the order of the registries.
pub fn mechanisms() -> &'static [MechanismInfo] {
    static ALL: LazyLock<Vec<MechanismInfo>> = LazyLock::new(all);
    &ALL
}

fn all() -> Vec<MechanismInfo> {
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
            is_exact: true,
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
        if info.slot == "affine" {
            info.is_exact = crate::affine::is_exact(info.name);
        }
    }
    all
}
