//! The target of a program's check.

use crate::check::tree::Sides;
use crate::syntax::Target;
use crate::syntax::tree::Name;
use std::collections::BTreeSet;

/// Options for the meaning of a program, where C leaves a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// True if `a * b + c` in device code is rounded once.
    pub contract: bool,
    /// True if a constant in braces that does not fit its type is an error in host code, not a
    /// warning.
    pub narrowing_is_error: bool,
    /// The parts of the program that have to be without faults.
    pub needed: Needed,
    /// The target of the compilation.
    pub target: Target,
}

/// The parts of a program that have to be without faults. In the others a fault is a warning, and
/// the faulty function cannot be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Needed {
    /// All of it.
    #[default]
    Everything,
    /// `main` and everything it reaches; all of it if there is no `main`.
    Program,
    /// The kernels and everything they reach; all of it if there are none.
    Kernels,
    /// The kernels of one name, or the instances of a template of that name, and everything they
    /// reach.
    Kernel(String),
}

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            contract: true,
            narrowing_is_error: true,
            needed: Needed::Everything,
            target: Target::default(),
        }
    }
}

/// The functions that a pass over the program compiles.
#[derive(Clone, Debug, Default)]
pub(crate) enum Pass {
    /// All of them: the program is the same in both passes.
    #[default]
    Whole,
    /// The functions that the host runs.
    Host,
    /// The functions that the device runs. The kernels of these names are needed, or those of the
    /// options.
    Device(Option<BTreeSet<Name>>),
}

impl Pass {
    /// Returns true if the pass concerns a function that runs on these sides.
    pub fn concerns(&self, sides: Sides) -> bool {
        match self {
            Pass::Whole => true,
            Pass::Host => sides.host,
            Pass::Device(_) => sides.kernel || sides.device,
        }
    }
}
