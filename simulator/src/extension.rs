//! Mechanisms and machines of other crates.
//!
//! An [`Extension`] names what a crate adds, and is installed once, before the first machine is loaded. From then on
//! its mechanisms fill slots by name like those of this crate: machine files and settings name them, lists and messages
//! show them, and their options, statistics and ranges are checked the same way. This module is the part of the crate
//! for such uses: what it exports stays as it is within a minor version.

pub use crate::handles::WarpSlot;
pub use crate::machine::Machine;
pub use crate::mechanisms::event::{
    CandidateSet, Event, EventSet, InstructionHints, IssuedInstruction, LeaveReason, Stall,
};
pub use crate::mechanisms::mechanism::{List, Mechanism, Settings, check_range, options};
pub use crate::mechanisms::setup::Setup;
pub use crate::mechanisms::{
    allocation, block_scheduler, cycle_compression, divergence, dram_scheduler, granularity,
    lane_permutation, local_cache, pairing, prefetcher, register_file, replacement, scheduler,
};
pub use crate::observe::mechanism_statistics::MechanismStatistics;
pub use crate::observe::statistic::{Declaration, Kind};
pub use crate::program::loops::LoopPlace;
pub use crate::verify::hints::{BuildCheck, CheckHint, ExecutingThread, Execution, FalseHint};
pub use reconverge_isa::hints::check_name;
pub use reconverge_isa::{CacheOperator, Effect, Hint, HintValues, Hints, Locality, Space, Unit};
pub use toml::Table;

use crate::machine::load;
use crate::mechanisms::registry;
use crate::verify::hints as checks;
use reconverge_isa::hints;
use std::sync::{Mutex, PoisonError};

/// The mechanisms and machines that a crate adds.
///
/// ```
/// use reconverge_simulator::extension::scheduler::{Build, Scheduler, View, oldest};
/// use reconverge_simulator::extension::{CandidateSet, Extension, Mechanism};
///
/// /// The oldest candidate, in every second cycle.
/// struct Lazy;
///
/// impl Scheduler for Lazy {
///     fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
///         (view.now % 2 == 0).then(|| oldest(ready, view.ages))?
///     }
/// }
///
/// const LAZY: Mechanism<Build> = Mechanism {
///     name: "lazy",
///     sentence: "the oldest ready path, in every second cycle",
///     options: &[],
///     trials: &[],
///     statistics: &[],
///     build: &|_| Ok(Box::new(Lazy)),
/// };
///
/// Extension::new("my-lab", "0.1.0").scheduler(LAZY).install()?;
/// let sets = [("scheduler".to_owned(), "lazy".to_owned())];
/// assert_eq!(reconverge_simulator::load_machine("tiny", &sets)?.scheduler, "lazy");
/// # Ok::<(), String>(())
/// ```
pub struct Extension {
    name: &'static str,
    version: &'static str,
    mechanisms: Vec<Added>,
    machines: Vec<(&'static str, &'static str)>,
    hints: Vec<(Hint, Option<BuildCheck>)>,
    statistics: Vec<Declaration>,
}

/// A mechanism to be added.
struct Added {
    slot: &'static str,
    name: &'static str,
    statistics: &'static [Declaration],
    add: Box<dyn FnOnce() + Send>,
}

/// An extension that is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Installed {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

/// Adds a mechanism to its slot at any time, also after machines were loaded: for code that is written while the process
/// runs, such as a class of Python. Lists do not show it, and it has no options. Its name stands in machine files, so it
/// has to state the code, for example by a digest: provenance has nothing else of it.
///
/// # Errors
/// The name is not lower-case words with hyphens, or is taken; the mechanism has options, or a statistic that was not
/// declared before.
pub fn add_late<Build: Send + Sync>(
    list: &'static List<Build>,
    mechanism: Mechanism<Build>,
) -> Result<(), String> {
    // Names are compared and added by one thread at a time.
    let _one = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    let name = mechanism.name;
    check_name(name)?;
    let is_taken = registry::all().iter().any(|info| info.name == name);
    if is_taken || load::keys().contains(name) {
        return Err(format!("a mechanism or a key of machine files `{name}` exists"));
    }
    if !mechanism.options.is_empty() {
        return Err(format!("`{name}` has options; a mechanism that is added late has none"));
    }
    let known = registry::statistics();
    if let Some(own) = mechanism.statistics.iter().find(|own| !known.contains(own)) {
        return Err(format!("`{name}` declares the statistic `{}` too late", own.name));
    }
    list.add(Box::leak(Box::new(mechanism)));
    Ok(())
}

static INSTALLED: Mutex<Vec<Installed>> = Mutex::new(Vec::new());

/// The extensions of this process, in the order of their installation.
pub fn installed() -> Vec<Installed> {
    INSTALLED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// A method that adds a mechanism, for each slot.
macro_rules! slots {
    ($($slot:ident),*) => {
        $(
            #[doc = concat!("Adds a mechanism of the slot [`", stringify!($slot), "`].")]
            pub fn $slot(self, mechanism: Mechanism<$slot::Build>) -> Extension {
                self.with(&$slot::list::MECHANISMS, mechanism)
            }
        )*
    };
}

impl Extension {
    /// An extension that adds nothing yet. Name and version are those of its crate: `env!("CARGO_PKG_NAME")` and
    /// `env!("CARGO_PKG_VERSION")`.
    pub fn new(name: &'static str, version: &'static str) -> Extension {
        Extension {
            name,
            version,
            mechanisms: Vec::new(),
            machines: Vec::new(),
            hints: Vec::new(),
            statistics: Vec::new(),
        }
    }

    slots!(
        allocation,
        block_scheduler,
        cycle_compression,
        divergence,
        dram_scheduler,
        granularity,
        lane_permutation,
        local_cache,
        pairing,
        prefetcher,
        register_file,
        replacement,
        scheduler
    );

    fn with<Build: Send + Sync>(
        mut self,
        list: &'static List<Build>,
        mechanism: Mechanism<Build>,
    ) -> Extension {
        let (name, statistics) = (mechanism.name, mechanism.statistics);
        let add = Box::new(move || list.add(Box::leak(Box::new(mechanism))));
        self.mechanisms.push(Added { slot: list.slot(), name, statistics, add });
        self
    }

    /// Adds a machine: the text of a machine file, which may start from another machine by `base`.
    pub fn machine(mut self, name: &'static str, text: &'static str) -> Extension {
        self.machines.push((name, text));
        self
    }

    /// Adds a hint, which passes set and mechanisms read, and a check of its claim for `--verify-annotations`.
    pub fn hint(mut self, hint: Hint, check: Option<BuildCheck>) -> Extension {
        self.hints.push((hint, check));
        self
    }

    /// Adds a statistic that several mechanisms of the extension count, or a quotient of such.
    pub fn statistic(mut self, statistic: Declaration) -> Extension {
        self.statistics.push(statistic);
        self
    }

    /// Installs it in this process.
    ///
    /// # Errors
    /// A machine has been loaded or mechanisms were listed before; a name is not lower-case words with hyphens, or is
    /// taken; a statistic's name is taken by another one. Nothing is installed then.
    pub fn install(self) -> Result<(), String> {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        let named = |fault: String| format!("extension `{}`: {fault}", self.name);
        self.check(&installed).map_err(named)?;
        let declared = self.hints.iter().map(|(hint, _)| *hint).collect();
        hints::declare(declared).map_err(named)?;
        for (hint, check) in &self.hints {
            if let Some(build) = *check {
                checks::add(hint.name, build);
            }
        }
        installed.push(Installed { name: self.name, version: self.version });
        self.mechanisms.into_iter().for_each(|added| (added.add)());
        registry::add_statistics(self.statistics);
        for (name, text) in self.machines {
            load::add(name, text);
        }
        Ok(())
    }

    fn check(&self, installed: &[Installed]) -> Result<(), String> {
        if registry::is_listed() {
            return Err("install it before the first machine is loaded".to_owned());
        }
        check_name(self.name)?;
        if installed.iter().any(|other| other.name == self.name) {
            return Err("an extension of this name is installed".to_owned());
        }
        let (known, keys) = (registry::all(), load::keys());
        let mut statistics: Vec<Declaration> = registry::own_statistics().copied().collect();
        statistics.extend(known.iter().flat_map(|info| info.statistics));
        statistics.extend(registry::added_statistics());
        for (at, added) in self.mechanisms.iter().enumerate() {
            let Added { slot, name, .. } = *added;
            check_name(name)?;
            let earlier = self.mechanisms[..at].iter().map(|other| other.name);
            if known.iter().map(|info| info.name).chain(earlier).any(|other| other == name) {
                return Err(format!("a mechanism `{name}` exists; rename that of slot `{slot}`"));
            }
            if keys.contains(name) {
                return Err(format!(
                    "`{name}` is a key of machine files, so options of a mechanism cannot have it"
                ));
            }
        }
        let own = self.mechanisms.iter().flat_map(|added| added.statistics);
        for own in own.chain(&self.statistics) {
            if statistics.iter().any(|other| other.name == own.name && other != own) {
                return Err(format!("another statistic is called `{}`", own.name));
            }
            statistics.push(*own);
        }
        for (at, (name, _)) in self.machines.iter().enumerate() {
            check_name(name)?;
            let earlier = self.machines[..at].iter().map(|(other, _)| *other);
            if load::names().into_iter().chain(earlier).any(|other| other == *name) {
                return Err(format!("a machine `{name}` exists"));
            }
        }
        Ok(())
    }
}
