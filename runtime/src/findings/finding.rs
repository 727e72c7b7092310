//! The result of a rule about a kernel, and the definition of a rule.

use super::evidence::Evidence;
use crate::causes::Gain;
use reconverge_compiler::syntax::Span;
use serde::Serialize;

/// Something that costs a kernel time, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// The kernel.
    pub kernel: String,
    /// The file; empty if it is about no line.
    pub file: String,
    /// From 1; 0 if it is about no line.
    pub line: u32,
    /// The line's text.
    pub source: String,
    /// The measurement, in a sentence without a full stop.
    pub message: String,
    /// The share of the kernel's time that it takes of a resource.
    pub cost: Cost,
    /// The advice, in a sentence.
    pub advice: String,
    /// The cost in cycles of the kernel: its share of the cycles of all launches.
    pub cycles: f64,
    /// The measured gain without the cause, under `--what-if`.
    pub gain: Option<Gain>,
}

/// The measured cost of a finding: a share of a machine resource's capacity in the kernel's cycles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// From 0 to 1.
    pub share: f64,
    /// The resource, in words.
    pub of: &'static str,
}

impl Cost {
    /// So many of a kernel's issue slots.
    pub fn slots(slots: f64, evidence: &Evidence) -> Cost {
        let all = evidence.statistics.issue_slots.max(1);
        Cost { share: slots / all as f64, of: "the issue slots" }
    }

    /// A share of the cycles of all SMs' load/store units, each with `a_cycle` accesses per cycle.
    pub fn load_store(accesses: f64, a_cycle: u32, evidence: &Evidence) -> Cost {
        let cycles = evidence.statistics.cycles * u64::from(evidence.machine.sms * a_cycle.max(1));
        Cost { share: accesses / cycles.max(1) as f64, of: "the load/store units' cycles" }
    }
}

/// The place of a finding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// At an instruction of the kernel, by its number.
    Instruction(u32),
    /// At a launch, or at the kernel if no program launches it.
    Launch(Span),
}

/// A finding of a rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The place.
    pub place: Place,
    /// As [`Finding::message`].
    pub message: String,
    /// As [`Finding::cost`].
    pub cost: Cost,
    /// As [`Finding::advice`].
    pub advice: String,
}

/// A rule that turns measurements of a kernel into words. Every figure that it states is a counter
/// of the run or a result of the compiler's analyses; its thresholds are in its file and in
/// `docs/findings.md`.
pub trait Rule: Sync {
    /// Its name: that of its file, with hyphens.
    fn name(&self) -> &'static str;

    /// The key of the cause that `--what-if` runs the kernel without ([`CAUSES`](crate::causes::CAUSES)); none by default.
    fn cause(&self) -> Option<&'static str> {
        None
    }

    /// The findings about a kernel, in any order.
    fn find(&self, evidence: &Evidence) -> Vec<Found>;
}
