//! Passes over the intermediate representation: one file each, one line each in [`PASSES`].
//!
//! A pass keeps a well-formed function well-formed, and what a kernel does to memory. It can be
//! run alone on text, switched off by name, and printed after.

pub mod address_space;
pub mod cfg;
pub mod copy;
pub mod cse;
pub mod dead;
pub mod fold;
pub mod strength;

use crate::ir::{Function, Value};

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// What `--print-after` and its kin call it.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Says whether it changed anything.
    pub run: fn(&mut Function) -> bool,
}

/// Every pass.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "copy",
        doc: "replaces copies and phis of one value by that value",
        run: copy::run,
    },
    Pass {
        name: "fold",
        doc: "computes operations on constants and applies exact algebraic identities",
        run: fold::run,
    },
    Pass {
        name: "strength",
        doc: "turns products, quotients and remainders by powers of two into shifts and masks",
        run: strength::run,
    },
    Pass {
        name: "cfg",
        doc: "decides branches on constants, joins straight blocks and removes empty ones",
        run: cfg::run,
    },
    Pass {
        name: "cse",
        doc: "computes once what a dominating instruction has computed already",
        run: cse::run,
    },
    Pass {
        name: "address-space",
        doc: "proves which window of the address space an access falls in",
        run: address_space::run,
    },
    Pass { name: "dead", doc: "removes instructions whose results nobody reads", run: dead::run },
];

/// The order in which a compilation runs them.
pub const PIPELINE: &[&str] = &[
    "copy",
    "fold",
    "strength",
    "cfg",
    "copy",
    "cse",
    "fold",
    "cfg",
    "copy",
    "cse",
    "address-space",
    "dead",
];

/// The pass of a name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Replacements of values that are decided one by one and applied at once.
pub(crate) struct Forward(Vec<Value>);

impl Forward {
    pub(crate) fn new(function: &Function) -> Forward {
        Forward((0..function.values.len() as u32).map(Value).collect())
    }

    /// What stands for `value` now.
    pub(crate) fn get(&mut self, value: Value) -> Value {
        let mut at = value;
        while let Some(&next) = self.0.get(at.index()).filter(|&&next| next != at) {
            // Halving the path keeps later look-ups short.
            let further = self.0[next.index()];
            self.0[at.index()] = further;
            at = further;
        }
        at
    }

    /// Lets `with` stand for `value`; does nothing when that is so already.
    pub(crate) fn replace(&mut self, value: Value, with: Value) {
        let with = self.get(with);
        if with == value {
            return;
        }
        while self.0.len() <= value.index().max(with.index()) {
            self.0.push(Value(self.0.len() as u32));
        }
        self.0[value.index()] = with;
    }

    /// Rewrites all operands and removes what has been replaced. Says whether anything was.
    pub(crate) fn apply(&mut self, function: &mut Function) -> bool {
        let replaced = |this: &Self, value: Value| {
            this.0.get(value.index()).is_some_and(|&with| with != value)
        };
        let any = (0..self.0.len() as u32).any(|value| replaced(self, Value(value)));
        if any {
            function.replace_operands(|value| self.get(value));
            function.remove_where(|value| replaced(self, value));
        }
        any
    }
}
