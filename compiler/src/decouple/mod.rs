//! Decoupled affine computation, the compiler's half: a kernel is taken apart into an affine stream,
//! which one warp of a core executes for all blocks of a batch, and the rest (Wang and Lin,
//! "Decoupled Affine Computation for SIMT GPUs", ISCA 2017, §3 and §4.5; `spec/decoupling.md`).
//!
//! [`values`] finds what the affine stream can compute, [`sites`] where its results are used,
//! [`build`] makes both streams, and [`verify`] proves that they agree; [`waits`] says where that is not
//! enough. The paper's compiler is
//! described in one paragraph that our copy cuts off; what is not there is ours.

pub mod build;
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
use report::Left;

/// What is done with affine computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Affine {
    /// Every warp computes for itself.
    #[default]
    None,
    /// Kernels are taken apart where that pays.
    Decoupled,
    /// Kernels are taken apart wherever they can be.
    All,
}

impl Affine {
    /// All of them with their names on the command line.
    pub const ALL: [(Affine, &'static str); 3] =
        [(Affine::None, "none"), (Affine::Decoupled, "decoupled"), (Affine::All, "all")];

    /// The one of a name.
    pub fn parse(name: &str) -> Option<Affine> {
        Affine::ALL.into_iter().find(|&(_, known)| known == name).map(|(affine, _)| affine)
    }
}

/// Takes a function without dead code apart. What there is to say of it is in the report; streams
/// there are only if something can be decoupled.
pub fn decouple(function: &Function) -> (Option<Streams>, Report) {
    let flow = Flow::new(function);
    let convergence = Convergence::new(&flow, Condition::Always);
    let (values, sites) = sites::choose(&flow, &convergence);
    let mut report = Report::new(&flow, &values, &sites);
    if sites.is_empty() {
        report.left = Some(Left::NothingToMove);
        return (None, report);
    }
    if let Some(found) = waits::waits(&flow) {
        report.left = Some(Left::Waits(function.instruction(found).location));
        return (None, report);
    }
    if sites.len() > reconverge_isa::SITES {
        report.left = Some(Left::TooManySites(sites.len()));
        return (None, report);
    }
    (Some(build::build(&flow, &values, sites)), report)
}
