//! The measurements of a launch.

use crate::causes::Launched;
use reconverge_compiler::syntax::Span;
use reconverge_simulator::observe::trace::Trace;
use reconverge_simulator::{EnergyTable, Profile, Sample, Statistics};
use std::sync::Arc;

/// The measurements of one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelRecord {
    /// The kernel.
    pub name: String,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// The launch in the program, or the kernel if no program launches it.
    pub span: Span,
    /// True if it completed. Otherwise the other fields are the measurements until it stopped,
    /// without a digest.
    pub complete: bool,
    /// Counters; under the functional model only those that do not need time, none under the
    /// reference model. Launches with the same values share them.
    pub statistics: Option<Arc<Statistics>>,
    /// The cost of each instruction, if requested; none under the reference model.
    pub profile: Option<Box<Profile>>,
    /// Bytes of device memory that were allocated at the launch.
    pub allocated: u64,
    /// A digest of all live device memory after the launch, if requested.
    pub memory: Option<u64>,
    /// The record for viewers: of each SM, or of the requested one.
    pub traces: Vec<Trace>,
    /// The counts of each stretch of time, if requested.
    pub samples: Vec<Sample>,
    /// The costs of events, if the machine reports energy.
    pub energy: Option<EnergyTable>,
    /// Its cycles without causes of lost time, if that is requested and it has some.
    pub what_if: Option<Box<Launched>>,
}
