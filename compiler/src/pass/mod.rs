//! Passes over the intermediate representation: one file each, one line each in [`PASSES`].
//!
//! A pass keeps a well-formed function well-formed, and a kernel's effects on memory. It can be run
//! alone on text, switched off by name, and printed after.

pub mod address_space;
pub(crate) mod alias;
pub mod cfg;
pub mod copy;
pub mod cse;
pub mod dead;
pub mod demanded_bits;
pub(crate) mod edit;
pub mod fold;
pub(crate) mod forward;
pub mod gvn;
pub mod hoist;
pub mod if_convert;
pub mod induction;
mod iteration;
pub mod join_conditions;
pub mod join_loads;
pub mod knobs;
pub mod licm;
mod memory_ssa;
pub mod narrow;
pub mod partial_unroll;
pub mod promote;
pub mod reassociate;
pub mod rotate;
pub mod schedule;
pub mod strength;
pub mod unroll;
pub mod value_range;
pub mod wide_access;

pub use knobs::Knobs;

use crate::ir::Function;

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name for `--print-after` and `--disable-pass`.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Says whether it changed anything.
    pub run: fn(&mut Function, &Knobs) -> bool,
}

impl Pass {
    /// The levels that run it, as on the command line: `-O1 -O2`.
    pub fn levels(&self) -> String {
        let runs = |level: Level| level.pipeline().contains(&self.name);
        let levels = Level::ALL.into_iter().filter(|&(level, _)| runs(level));
        levels.map(|(_, digit)| format!("-O{digit}")).collect::<Vec<_>>().join(" ")
    }
}

/// Every pass.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "copy",
        doc: "replaces copies and phis of one value by that value",
        run: |function, _| copy::run(function),
    },
    Pass {
        name: "fold",
        doc: "computes operations on constants and applies exact algebraic identities",
        run: |function, _| fold::run(function),
    },
    Pass {
        name: "value-range",
        doc: "decides comparisons, drops masks and signs by the ranges that integers lie in",
        run: |function, _| value_range::run(function),
    },
    Pass {
        name: "demanded-bits",
        doc: "drops masks and extensions that only change bits that are not read",
        run: |function, _| demanded_bits::run(function),
    },
    Pass {
        name: "narrow",
        doc: "computes addresses of 64 bits, as PTX has them, in the 32 bits that accesses use",
        run: |function, _| narrow::run(function),
    },
    Pass {
        name: "strength",
        doc: "turns products, quotients and remainders by powers of two into shifts and masks",
        run: |function, _| strength::run(function),
    },
    Pass {
        name: "cfg",
        doc: "decides branches on constants, joins straight blocks and removes empty ones",
        run: |function, _| cfg::run(function),
    },
    Pass {
        name: "cse",
        doc: "computes once what an instruction of the same block has computed already",
        run: |function, _| cse::run(function),
    },
    Pass {
        name: "gvn",
        doc: "computes and loads once what a dominating instruction has computed, loaded or stored",
        run: |function, _| gvn::run(function),
    },
    Pass {
        name: "join-loads",
        doc: "reads from registers what all paths to a load have loaded or stored last",
        run: |function, _| join_loads::run(function),
    },
    Pass {
        name: "hoist",
        doc: "computes once, where paths part, what blocks on several of them compute",
        run: hoist::run,
    },
    Pass {
        name: "promote",
        doc: "keeps local variables in registers whose every access is at a constant place",
        run: |function, _| promote::run(function),
    },
    Pass {
        name: "if-convert",
        doc: "computes small arms of a branch without effects on both paths and selects",
        run: |function, _| if_convert::run(function),
    },
    Pass {
        name: "join-conditions",
        doc: "computes two cheap conditions with a common target and branches once",
        run: |function, _| join_conditions::run(function),
    },
    Pass {
        name: "rotate",
        doc: "moves the test of a loop to its end, with a copy in front",
        run: |function, _| rotate::run(function),
    },
    Pass {
        name: "licm",
        doc: "computes before a loop what is the same in every iteration",
        run: licm::run,
    },
    Pass {
        name: "unroll",
        doc: "writes out the iterations of loops that always make the same few, of outer ones where the source asks it",
        run: unroll::run,
    },
    Pass {
        name: "reassociate",
        doc: "moves constants in addresses to their ends, where accesses add them",
        run: |function, _| reassociate::run(function),
    },
    Pass {
        name: "induction",
        doc: "lets addresses that grow evenly in a loop step from iteration to iteration",
        run: |function, _| induction::run(function),
    },
    Pass {
        name: "partial-unroll",
        doc: "writes out a few iterations of innermost loops whose test compares a counter, of outer ones where the source asks it",
        run: partial_unroll::run,
    },
    Pass {
        name: "vector-access",
        doc: "makes one access of the members of a vector, such as a float4, that is read or written as a whole",
        run: |function, _| wide_access::run_on_vectors(function),
    },
    Pass {
        name: "wide-access",
        doc: "makes one access of 64 or 128 bits of adjacent loads or stores",
        run: |function, _| wide_access::run(function),
    },
    Pass {
        name: "schedule",
        doc: "starts loads and other slow operations of a block early",
        run: schedule::run,
    },
    Pass {
        name: "address-space",
        doc: "proves which window of the address space an access falls in",
        run: |function, _| address_space::run(function),
    },
    Pass {
        name: "fuse",
        doc: "lets instruction selection make one instruction of bitwise operations on three words, and of joined conditions",
        run: |_, _| false,
    },
    Pass {
        name: "divide",
        doc: "lets instruction selection make products of quotients and remainders by constants",
        run: |_, _| false,
    },
    Pass {
        name: "dead",
        doc: "removes instructions whose results nobody reads",
        run: |function, _| dead::run(function),
    },
];

/// The amount of work that the compiler puts into the code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The output of lowering, for inspection and debugging.
    None,
    /// Folding, common subexpressions, dead code and a clean control-flow graph.
    Basic,
    /// Everything.
    #[default]
    Full,
    /// PTX unchanged: the instructions of the text, one after the other.
    Ptx,
}

impl Level {
    /// The levels of code from every source, with the digit after `-O`.
    pub const ALL: [(Level, &'static str); 3] =
        [(Level::None, "0"), (Level::Basic, "1"), (Level::Full, "2")];
    /// The level of PTX alone, with the word after `-O`.
    const OF_PTX: (Level, &'static str) = (Level::Ptx, "ptx");

    fn named() -> impl Iterator<Item = (Level, &'static str)> {
        Level::ALL.into_iter().chain([Level::OF_PTX])
    }

    /// The level of a digit or word.
    pub fn parse(word: &str) -> Option<Level> {
        Level::named().find(|&(_, name)| name == word).map(|(level, _)| level)
    }

    /// The digit or word after `-O`.
    pub fn name(self) -> &'static str {
        Level::named().find(|&(level, _)| level == self).map_or("", |(_, name)| name)
    }

    /// The passes of a compilation, in order.
    pub fn pipeline(self) -> &'static [&'static str] {
        match self {
            Level::None => NONE,
            Level::Basic => BASIC,
            Level::Full => FULL,
            Level::Ptx => PTX,
        }
    }
}

/// Only the result of SSA construction: a phi of one value after a branch would be taken for one
/// that the branch decides, and the analyses would warn of barriers that are sound.
const NONE: &[&str] = &["copy", "vector-access"];

/// An access of a vector is one access of the text.
const PTX: &[&str] = &["vector-access"];

const BASIC: &[&str] = &[
    "copy",
    "fold",
    "strength",
    "cfg",
    "promote",
    "copy",
    "narrow",
    "cse",
    "fold",
    "cfg",
    "copy",
    "cse",
    "address-space",
    "dead",
    "vector-access",
];

/// Cleaning and numbering are first. Then loops get their shape and are written out from the
/// inside, and their remaining invariant code moves out. The order within blocks is last.
const FULL: &[&str] = &[
    "copy",
    "fold",
    "value-range",
    "strength",
    "cfg",
    "promote",
    "copy",
    "narrow",
    "address-space",
    "gvn",
    "fold",
    "cfg",
    "if-convert",
    "cfg",
    "copy",
    "if-convert",
    "cfg",
    "copy",
    "join-conditions",
    "cfg",
    "copy",
    "rotate",
    "copy",
    "gvn",
    "join-loads",
    "copy",
    "unroll",
    "copy",
    "fold",
    "cfg",
    "promote",
    "copy",
    "gvn",
    "unroll",
    "copy",
    "fold",
    "value-range",
    "strength",
    "cfg",
    "promote",
    "copy",
    "fold",
    "cfg",
    "if-convert",
    "cfg",
    "copy",
    "demanded-bits",
    "reassociate",
    "fold",
    "gvn",
    "licm",
    "dead",
    "induction",
    "dead",
    "partial-unroll",
    "dead",
    "cfg",
    "copy",
    "fold",
    "value-range",
    "demanded-bits",
    "reassociate",
    "fold",
    "gvn",
    "join-loads",
    "copy",
    "hoist",
    "dead",
    "address-space",
    "vector-access",
    "wide-access",
    "dead",
    "schedule",
    "fuse",
    "divide",
];

/// The pass of a name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ir::{parse::parse, verify};

    /// The blocks of a kernel after a pass, as text; the first label is left out in both.
    pub(crate) fn after(pass: &str, blocks: &str) -> String {
        after_with(pass, blocks, &Knobs::default())
    }

    /// The function after a pass with other knobs.
    pub(crate) fn after_with(pass: &str, blocks: &str, knobs: &Knobs) -> String {
        let mut function = parse(&format!("kernel k {{\nb0:\n{blocks}\n}}")).unwrap();
        let mut function = function.functions.remove(0);
        assert_eq!(verify(&function), []);
        (find(pass).unwrap().run)(&mut function, knobs);
        assert_eq!(verify(&function), []);
        let text = function.to_string();
        let start = text.find("b0:\n").unwrap();
        text[start + 4..].trim_end_matches("}\n").to_string()
    }

    #[test]
    fn every_name_of_a_pipeline_is_a_pass() {
        for (level, _) in Level::ALL {
            for name in level.pipeline() {
                assert!(find(name).is_some(), "there is no pass `{name}`");
            }
        }
        assert!(PASSES.iter().all(|pass| !pass.levels().is_empty()));
    }
}
