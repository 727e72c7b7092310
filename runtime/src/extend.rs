//! Mechanisms, machines and passes of other crates, and their place in the provenance of results. `docs/extend.md`
//! describes how such a crate is made.

pub use crate::findings::{Cost, Evidence, Found, Place as FoundAt, Rule};
pub use crate::study::provenance::tool;
pub use reconverge_compiler::pass::{Knobs, LoadAnalysis, Pass, Place, Work};
pub use reconverge_compiler::{analysis, ir};
pub use reconverge_simulator::extension::*;

use crate::findings;
use reconverge_compiler::pass::added;
use reconverge_simulator::extension;

/// The mechanisms, machines and passes that a crate adds.
pub struct Extension {
    name: &'static str,
    simulated: extension::Extension,
    passes: Vec<(Pass, Place)>,
    rules: Vec<&'static dyn Rule>,
}

/// A method that adds a mechanism, for each slot.
macro_rules! slots {
    ($($slot:ident),*) => {
        $(
            #[doc = concat!("Adds a mechanism of the slot [`", stringify!($slot), "`].")]
            pub fn $slot(self, mechanism: Mechanism<$slot::Build>) -> Extension {
                Extension { simulated: self.simulated.$slot(mechanism), ..self }
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
            simulated: extension::Extension::new(name, version),
            passes: Vec::new(),
            rules: Vec::new(),
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

    /// Adds a machine: the text of a machine file, which may start from another machine by `base`.
    pub fn machine(self, name: &'static str, text: &'static str) -> Extension {
        Extension { simulated: self.simulated.machine(name, text), ..self }
    }

    /// Adds a hint, which passes set and mechanisms read, and a check of its claim for `--verify-annotations`.
    pub fn hint(self, hint: Hint, check: Option<BuildCheck>) -> Extension {
        Extension { simulated: self.simulated.hint(hint, check), ..self }
    }

    /// Adds a pass to `-O2`, after one that `list passes` names.
    pub fn pass(mut self, pass: Pass, place: Place) -> Extension {
        self.passes.push((pass, place));
        self
    }

    /// Adds an analysis of loads, which `-O2` runs after all passes over the intermediate representation. It sets hints, so
    /// `--emit analysis` shows its results. A hint that no extension declares is an error of the compilation. `doc` describes
    /// the analysis in `list passes`.
    pub fn analysis(
        self,
        name: &'static str,
        doc: &'static str,
        analysis: LoadAnalysis,
    ) -> Extension {
        self.pass(Pass { name, doc, work: Work::Loads(analysis) }, added::last_over_ir())
    }

    /// Adds a statistic that several mechanisms of the extension count, or a quotient of such. A statistic of one mechanism
    /// stands in its record instead.
    pub fn statistic(self, statistic: Declaration) -> Extension {
        Extension { simulated: self.simulated.statistic(statistic), ..self }
    }

    /// Adds a rule that turns measurements of a run into a finding.
    pub fn finding(mut self, rule: &'static dyn Rule) -> Extension {
        self.rules.push(rule);
        self
    }

    /// Installs it in this process.
    ///
    /// # Errors
    /// See [`extension::Extension::install`] and [`added::check`]; or a finding of the name exists. Nothing is installed then.
    pub fn install(self) -> Result<(), String> {
        let named = |fault: String| format!("extension `{}`: {fault}", self.name);
        added::check(&self.passes).map_err(named)?;
        for (at, rule) in self.rules.iter().enumerate() {
            let name = rule.name();
            check_name(name).map_err(named)?;
            let known = findings::rules().into_iter().chain(self.rules[..at].iter().copied());
            if known.into_iter().any(|other| other.name() == name) {
                return Err(named(format!("a finding `{name}` exists")));
            }
        }
        self.simulated.install()?;
        added::add(self.name, self.passes)?;
        findings::add(self.rules);
        Ok(())
    }
}
