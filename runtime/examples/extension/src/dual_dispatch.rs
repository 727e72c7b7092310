//! `dual-dispatch`: an instruction of another warp issues beside the first one, but nothing beside double precision.
//!
//! Source: NVIDIA, "NVIDIA's next generation CUDA compute architecture: Fermi", 2009, "Dual warp scheduler": most instructions
//! are issued in pairs of two warps, and "double precision instructions do not support dual dispatch with any other
//! operation". The paper has a scheduler for each of the two; here one scheduler picks both.

use reconverge::extend::pairing::{Build, First, Pairing};
use reconverge::extend::scheduler::NextInstruction;
use reconverge::extend::{CandidateSet, Declaration, Mechanism, MechanismStatistics, Unit};

const ALONE: Declaration = Declaration::sum(
    "dual_dispatch_alone",
    "instructions",
    "Ready instructions of other warps that double precision kept from issuing.",
);

pub(crate) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "dual-dispatch",
    sentence: "an instruction of another warp issues beside it, but none beside double precision",
    options: &[],
    trials: &[],
    statistics: &[ALONE],
    build: &|_| Ok(Some(Box::new(DualDispatch { alone: 0 }))),
};

struct DualDispatch {
    alone: u64,
}

impl Pairing for DualDispatch {
    fn partners(&mut self, first: &First) -> CandidateSet {
        !first.warp
    }

    fn pairs(&mut self, first: &First, second: &NextInstruction) -> bool {
        let is_double = |it: &NextInstruction| matches!(it.unit, Unit::Double | Unit::DoubleDivide);
        let is_alone = is_double(&first.instruction) || is_double(second);
        self.alone += u64::from(is_alone);
        !is_alone
    }

    fn count(&self, own: &mut MechanismStatistics) {
        own.add(&ALONE, self.alone);
    }
}
