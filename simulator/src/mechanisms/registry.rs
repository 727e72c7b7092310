//! The mechanisms of all slots. `mechanism.rs` has the definition of a mechanism, because every
//! mechanism imports it.

use crate::mechanisms::mechanism::{List, Settings};
use crate::observe::declarations::ENERGY_DECLARATIONS;
use crate::observe::statistic::{Declaration, in_order};
use crate::observe::statistics::{COUNTERS, RATIOS};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

/// A line of `list mechanisms`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MechanismInfo {
    /// The slot: its key in machine files.
    pub slot: &'static str,
    /// The mechanism's name.
    pub name: &'static str,
    /// One sentence.
    pub sentence: &'static str,
    /// The statistics of its own.
    pub statistics: &'static [Declaration],
    /// Options with their sentences.
    pub options: &'static [(&'static str, &'static str)],
    /// Settings with which tests try it; see [`Mechanism::trials`](crate::Mechanism::trials). Settings with names of missing
    /// mechanisms are left out, so that one can be removed without the trials of others.
    pub trials: Vec<Settings>,
    /// True if instructions have the results that they have without it. If not, they have under its
    /// trials.
    pub is_exact: bool,
}

impl MechanismInfo {
    /// A key of machine files that the mechanism is a value of. Caches have a replacement policy each; the key is that of
    /// the L1.
    pub fn setting_key(&self) -> &'static str {
        match self.slot {
            "pairing" => "sm.pairing",
            "replacement" => "l1.replacement",
            slot => slot,
        }
    }

    /// Settings under which instructions have the results that they have without it: none, if that is always so.
    pub fn exactly(&self) -> Settings {
        if self.is_exact { &[] } else { self.trials.first().copied().unwrap_or(&[]) }
    }
}

/// Every statistic that there may be: counters of the machine and of mechanisms, ratios, energy.
pub fn declarations() -> impl Iterator<Item = &'static Declaration> {
    static ALL: LazyLock<Vec<&Declaration>> = LazyLock::new(|| {
        let named = |all: &'static [Declaration]| all.iter().map(|it| (it.name, it));
        let own = |counters| {
            let own = statistics().iter().filter(move |it| it.is_counter() == counters);
            own.map(|it| (it, it))
        };
        let counters = in_order(named(COUNTERS), own(true));
        let ratios = in_order(named(RATIOS), own(false));
        counters
            .into_iter()
            .chain(ratios)
            .chain(named(ENERGY_DECLARATIONS))
            .map(|it| it.1)
            .collect()
    });
    ALL.iter().copied()
}

/// The statistics that mechanisms declare, in the order of the registries. Several mechanisms may declare the same one.
pub(crate) fn statistics() -> &'static [Declaration] {
    static ALL: LazyLock<Vec<Declaration>> = LazyLock::new(|| {
        let mut all: Vec<Declaration> = Vec::new();
        let own = mechanisms().iter().flat_map(|mechanism| mechanism.statistics);
        let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
        for declaration in own.chain(added.iter()) {
            if !all.contains(declaration) {
                all.push(*declaration);
            }
        }
        all
    });
    &ALL
}

/// The statistics that extensions declare by themselves.
static ADDED: Mutex<Vec<Declaration>> = Mutex::new(Vec::new());

/// Adds statistics that the mechanisms of an extension share.
pub(crate) fn add_statistics(declarations: Vec<Declaration>) {
    ADDED.lock().unwrap_or_else(PoisonError::into_inner).extend(declarations);
}

/// The statistics that extensions have declared by themselves.
pub(crate) fn added_statistics() -> Vec<Declaration> {
    ADDED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Every mechanism of every slot, in the order of the registries.
pub fn mechanisms() -> &'static [MechanismInfo] {
    static ALL: LazyLock<Vec<MechanismInfo>> = LazyLock::new(|| {
        LISTED.store(true, Ordering::Relaxed);
        all()
    });
    &ALL
}

/// Mechanisms were listed, or a machine was loaded: none can be added any more.
static LISTED: AtomicBool = AtomicBool::new(false);

/// Returns true if [`mechanisms`] was called.
pub(crate) fn is_listed() -> bool {
    LISTED.load(Ordering::Relaxed)
}

/// The statistics that no mechanism declares.
pub(crate) fn own_statistics() -> impl Iterator<Item = &'static Declaration> {
    COUNTERS.iter().chain(RATIOS).chain(ENERGY_DECLARATIONS)
}

/// The mechanisms that are known now.
pub(crate) fn all() -> Vec<MechanismInfo> {
    fn infos<Build>(list: &'static List<Build>) -> impl Iterator<Item = MechanismInfo> {
        list.all().into_iter().map(|mechanism| MechanismInfo {
            slot: list.slot(),
            name: mechanism.name,
            sentence: mechanism.sentence,
            statistics: mechanism.statistics,
            options: mechanism.options,
            trials: mechanism.trials.to_vec(),
            is_exact: true,
        })
    }
    let all = infos(&crate::mechanisms::divergence::list::MECHANISMS)
        .chain(infos(&crate::mechanisms::lane_permutation::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::scheduler::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::cycle_compression::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::affine::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::pairing::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::prefetcher::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::local_cache::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::register_file::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::granularity::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::allocation::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::replacement::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::dram_scheduler::list::MECHANISMS))
        .chain(infos(&crate::mechanisms::block_scheduler::list::MECHANISMS));
    let mut all: Vec<MechanismInfo> = all.collect();
    let known: Vec<(&str, &str)> = all.iter().map(|info| (info.slot, info.name)).collect();
    let is_slot = |key: &str| known.iter().any(|(slot, _)| *slot == key);
    for info in &mut all {
        let exists = |set: &(&'static str, &'static str)| !is_slot(set.0) || known.contains(set);
        info.trials.retain(|trial| trial.iter().all(exists));
        if info.slot == "affine" {
            info.is_exact = crate::mechanisms::affine::list::is_exact(info.name);
        }
    }
    all
}
