//! Decoupled affine computation, the compiler's half: a kernel is split into an affine stream,
//! which one warp of an SM executes for all blocks of a batch, and the rest (Wang and Lin,
//! "Decoupled Affine Computation for SIMT GPUs", ISCA 2017, §3 and §4.5; `spec/decoupling.md`).
//!
//! [`gates`] makes selections of phis where threads meet, [`values`] finds what the affine stream
//! can compute, [`sites`] where its results are used, [`build`] makes both streams, and [`verify`]
//! proves that they agree; [`waits`] finds the places where that is not enough, and [`profit`]
//! decides if it pays. The paper describes its compiler in one paragraph, which our copy cuts off;
//! the rest is designed here.

pub mod build;
pub mod gates;
pub mod profit;
pub mod report;
pub mod shape;
pub mod sites;
pub mod values;
pub mod verify;
pub mod waits;

pub use build::Streams;
pub use report::Report;

use crate::analysis::convergence::Convergence;
use crate::analysis::{Condition, Flow};
use crate::ir::Function;
use reconverge_isa::Instruction;
use report::Reason;

/// Splits a function without dead code into two streams, if something can be decoupled. The report
/// lists the decoupled sites, or the reason why there are none.
pub fn decouple(function: &Function) -> (Option<Streams>, Report) {
    let ungated = gates::with_leaves_first(function);
    let flow = Flow::new(&ungated);
    let wait = waits::waits(&flow);
    let gated = gates::gated(&flow);
    let flow = Flow::new(&gated.function);
    let convergence = Convergence::new(&flow, Condition::Always);
    let (values, sites) = sites::choose(&flow, &convergence);
    let mut report = Report::new(&flow, &values, &sites);
    if sites.is_empty() {
        report.not_decoupled = Some(Reason::NothingToMove);
        return (None, report);
    }
    if let Some(found) = wait {
        report.not_decoupled = Some(Reason::Waits(function.instruction(found).location));
        return (None, report);
    }
    if sites.len() > reconverge_isa::SITES {
        report.not_decoupled = Some(Reason::TooManySites(sites.len()));
        return (None, report);
    }
    (Some(build::build(function, &flow, &gated.before, &values, sites)), report)
}

/// The code of a stream that begins at instruction `entry` of its kernel: targets and reconvergence points
/// move with it.
pub fn relocated(code: Vec<Instruction>, entry: u32) -> impl Iterator<Item = Instruction> {
    code.into_iter().map(move |mut instruction| {
        if instruction.has_target() {
            instruction.target += entry;
            let reconverge = &mut instruction.annotations.reconverge;
            *reconverge = reconverge.map(|at| at + entry);
        }
        instruction.hints = instruction.hints.moved(|at| at + entry);
        instruction
    })
}
