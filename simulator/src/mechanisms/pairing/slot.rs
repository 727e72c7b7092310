//! Slot `pairing`: which instruction a scheduler issues beside another one, in the same cycle.

use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::scheduler::NextInstruction;
use crate::mechanisms::setup::Setup;
use crate::observe::mechanism_statistics::MechanismStatistics;

/// Constructs a mechanism for an SM from its options; `None` for one that issues nothing beside another instruction.
pub type Build = &'static (dyn Fn(&Setup) -> Result<Option<Box<dyn Pairing>>, String> + Sync);

/// The first instruction of a pair. It has issued, and is not control flow.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// The scheduler, from 0.
    pub scheduler: usize,
    /// Its candidate there.
    pub candidate: usize,
    /// The candidates of its warp, itself included.
    pub warp: CandidateSet,
    /// The instruction.
    pub instruction: NextInstruction,
}

/// Decides on the second instruction of an SM's schedulers. The SM lets only such instructions issue as are ready in the
/// cycle, go to another pipe than the first one or are control flow, and are known to be in the instruction buffer. The
/// scheduler picks one of them.
pub trait Pairing: Send {
    /// The candidates whose instructions may issue beside the first one, as far as their warps are concerned.
    fn partners(&mut self, first: &First) -> CandidateSet;

    /// Returns true if an instruction of one of these candidates may issue beside the first one.
    fn pairs(&mut self, _first: &First, _second: &NextInstruction) -> bool {
        true
    }

    /// Adds the counters that it declares ([`Mechanism::statistics`](crate::Mechanism::statistics)).
    fn count(&self, _own: &mut MechanismStatistics) {}
}
