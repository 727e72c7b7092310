//! The instruction of another path of the same warp, in schemes that let several paths of a warp be scheduled.

use super::slot::{Build, First, Pairing};
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "other-path",
    sentence: "an instruction of another path of the warp issues beside it",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Some(Box::new(OtherPath)))
    },
};

struct OtherPath;

impl Pairing for OtherPath {
    fn partners(&mut self, first: &First) -> CandidateSet {
        first.warp & !(1 << first.candidate)
    }
}
