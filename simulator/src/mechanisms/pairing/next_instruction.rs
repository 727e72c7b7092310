//! The next instruction of the same path: dual issue, as GPGPU-Sim has it (`gpgpu_max_insn_issue_per_warp 2` with
//! `gpgpu_dual_issue_diff_exec_units 1`).

use super::slot::{Build, First, Pairing};
use crate::mechanisms::event::CandidateSet;
use crate::mechanisms::mechanism::{Mechanism, NoOptions, options};

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "next-instruction",
    sentence: "the next instruction of the same path issues beside it: dual issue",
    options: &[],
    trials: &[],
    statistics: &[],
    build: &|table| {
        options::<NoOptions>(table)?;
        Ok(Some(Box::new(NextInstruction)))
    },
};

struct NextInstruction;

impl Pairing for NextInstruction {
    fn partners(&mut self, first: &First) -> CandidateSet {
        1 << first.candidate
    }
}
