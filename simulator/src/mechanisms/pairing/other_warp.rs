//! The instruction of another warp of the scheduler.

use super::slot::{Build, First, Pairing};
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "other-warp",
    sentence: "an instruction of another warp of the scheduler issues beside it",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Some(Box::new(OtherWarp)))
    },
};

struct OtherWarp;

impl Pairing for OtherWarp {
    fn partners(&mut self, first: &First) -> CandidateSet {
        !first.warp
    }
}
