//! Claims for the machine about values and branches, beside the operations. They hold for every
//! launch, so that `run --verify-annotations` can check each.

use crate::analysis::convergence::Convergence;
use crate::analysis::taint::{Taint, Taints};
use crate::analysis::transfer::Fact;
use crate::analysis::{Condition, Flow, Scope};
use crate::ir::{Block, Function, Value};
use reconverge_isa::{BranchTaint, ValueClass};

/// The claims about a function; nothing is claimed of values and blocks that were added later.
pub struct Claims {
    classes: Vec<ValueClass>,
    branches: Vec<(bool, BranchTaint)>,
}

impl Claims {
    /// Analyses a function.
    pub fn new(function: &Function) -> Claims {
        let flow = Flow::new(function);
        let convergence = Convergence::new(&flow, Condition::Always);
        let taints = Taints::new(&flow, &convergence);
        let mut claims = Claims {
            classes: vec![ValueClass::Unknown; function.values.len()],
            branches: vec![(false, BranchTaint::Unknown); function.blocks.len()],
        };
        for (_, value) in flow.values() {
            claims.classes[value.index()] = class(convergence.fact(value));
        }
        for &block in flow.cycles.order() {
            let taint = match taints.branch(block) {
                Taint::Programmatic => BranchTaint::Programmatic,
                Taint::Data => BranchTaint::Data,
            };
            claims.branches[block.index()] = (convergence.branch(block) >= Scope::Warp, taint);
        }
        claims
    }

    /// Claims nothing.
    pub fn none() -> Claims {
        Claims { classes: Vec::new(), branches: Vec::new() }
    }

    /// Among the active threads of a warp, how a value differs.
    pub fn class(&self, value: Value) -> ValueClass {
        self.classes.get(value.index()).copied().unwrap_or(ValueClass::Unknown)
    }

    /// Returns true if all active threads of a warp take the same path at the end of a block, and
    /// the branch's dependence.
    pub fn branch(&self, block: Block) -> (bool, BranchTaint) {
        self.branches.get(block.index()).copied().unwrap_or((false, BranchTaint::Unknown))
    }
}

fn class(fact: &Fact) -> ValueClass {
    match fact {
        _ if fact.agreement(Condition::Always) >= Scope::Warp => ValueClass::Uniform,
        Fact::Form(form) if !form.low && form.period == 1 => ValueClass::Affine,
        _ => ValueClass::Unknown,
    }
}
