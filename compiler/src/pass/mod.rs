//! All passes, in the order of their stages: over the intermediate representation (a file each in this folder), rules of
//! instruction selection, and over machine code (a file each in [`crate::machine_code`]). One row each in [`PASSES`].
//!
//! A pass keeps a well-formed function well-formed, and a kernel's effects on memory. It can be chosen
//! and switched off by name, and printed after.

pub mod added;
pub mod address_space;
pub mod addresses;
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

pub use added::{Place, passes};
pub use knobs::Knobs;

use crate::analysis::{Answers, Flow};
use crate::ir::{Function, Kind, Value};
use crate::machine_code::{
    Assembly, control_bits, convergence_barriers, dependence_check, hints, last_read, lifetimes,
    placement, staging,
};
use reconverge_isa::{CodeTarget, Hint, Kernel};

/// A pass.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Its name for `--print-after` and `--disable-pass`.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// Its effect.
    pub work: Work,
}

/// The effect of a pass.
#[derive(Clone, Copy, Debug)]
pub enum Work {
    /// Changes the intermediate representation; returns true if it changed anything.
    Ir(fn(&mut Function, &Knobs) -> bool),
    /// Sets hints of the loads of the intermediate representation.
    Loads(LoadAnalysis),
    /// Lets instruction selection use a rule.
    Selection(Rule),
    /// Changes or annotates machine code.
    Code(CodePass),
}

/// An analysis of a load, guarded or not: the hints that it has, with their values.
pub type LoadAnalysis = fn(&Answers, Value) -> Vec<(Hint, i32)>;

/// Gives each load the hints that an analysis finds.
///
/// # Errors
/// A hint is not declared, or has no such value.
fn set_hints(function: &mut Function, analysis: LoadAnalysis) -> Result<(), String> {
    let flow = Flow::new(function);
    let answers = Answers::new(&flow);
    let loads = function.placed().map(|(_, value)| value);
    let loads = loads.filter(|value| matches!(function.kind(*value).unguarded(), Kind::Load(..)));
    let found: Vec<_> = loads.map(|value| (value, analysis(&answers, value))).collect();
    for (value, hints) in found {
        for (hint, is) in hints {
            function.values[value.index()].hints.set(&hint, is)?;
        }
    }
    Ok(())
}

/// A rule of instruction selection that makes other instructions than one for each operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Bitwise operations on three words, and joined conditions, become one instruction.
    Fuse,
    /// Quotients and remainders by constants become products.
    Divide,
}

/// A pass over machine code.
#[derive(Clone, Copy, Debug)]
pub struct CodePass {
    /// Returns true if the code for a machine needs the pass.
    pub is_required: fn(&CodeTarget) -> bool,
    /// Runs it, and returns the number of instructions that it added, changed or annotated.
    pub run: fn(&mut Assembly, &CodeTarget) -> usize,
    /// Checks its result for a machine, in tests; the error states the fault.
    pub verify: fn(&Kernel, &CodeTarget) -> Result<(), String>,
}

/// The stages of a compilation that have passes, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The intermediate representation is optimised.
    Ir,
    /// Instructions are selected.
    Selection,
    /// Machine code is finished for its machine.
    Code,
}

impl Stage {
    /// The name in tables and messages.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Ir => "IR",
            Stage::Selection => "instruction selection",
            Stage::Code => "machine code",
        }
    }
}

impl Pass {
    /// Runs it, if it is a pass over the intermediate representation. Returns false otherwise.
    ///
    /// # Errors
    /// It is an analysis of an extension that sets a hint which is not declared, or has no such value; the message names all
    /// three.
    pub fn run(&self, function: &mut Function, knobs: &Knobs) -> Result<bool, String> {
        match self.work {
            Work::Ir(run) => {
                run(function, knobs);
            }
            Work::Loads(analysis) => set_hints(function, analysis).map_err(|fault| {
                let extension = added::extension_of(self.name);
                format!("extension `{extension}`: analysis `{}`: {fault}", self.name)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The stage in which it works.
    pub fn stage(&self) -> Stage {
        match self.work {
            Work::Ir(_) | Work::Loads(_) => Stage::Ir,
            Work::Selection(_) => Stage::Selection,
            Work::Code(_) => Stage::Code,
        }
    }

    /// The levels that run it, as on the command line: `-O1 -O2`.
    pub fn levels(&self) -> String {
        let runs = |level: Level| level.pipeline().any(|name| name == self.name);
        let levels = Level::ALL.into_iter().filter(|&(level, _)| runs(level));
        levels.map(|(_, digit)| format!("-O{digit}")).collect::<Vec<_>>().join(" ")
    }
}

/// Every pass.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "copy",
        doc: "replaces copies and phis of one value by that value",
        work: Work::Ir(|function, _| copy::run(function)),
    },
    Pass {
        name: "fold",
        doc: "computes operations on constants and applies exact algebraic identities",
        work: Work::Ir(|function, _| fold::run(function)),
    },
    Pass {
        name: "addresses",
        doc: "takes the low words of addresses of 64 bits, without a check of the upper ones",
        work: Work::Ir(|function, _| addresses::run(function)),
    },
    Pass {
        name: "value-range",
        doc: "decides comparisons, drops masks and signs by the ranges that integers lie in",
        work: Work::Ir(|function, _| value_range::run(function)),
    },
    Pass {
        name: "demanded-bits",
        doc: "drops masks and extensions that only change bits that are not read",
        work: Work::Ir(|function, _| demanded_bits::run(function)),
    },
    Pass {
        name: "narrow",
        doc: "computes addresses of 64 bits, as PTX has them, in the 32 bits that accesses use",
        work: Work::Ir(|function, _| narrow::run(function)),
    },
    Pass {
        name: "strength",
        doc: "turns products, quotients and remainders by powers of two into shifts and masks",
        work: Work::Ir(|function, _| strength::run(function)),
    },
    Pass {
        name: "cfg",
        doc: "decides branches on constants, joins straight blocks and removes empty ones",
        work: Work::Ir(|function, _| cfg::run(function)),
    },
    Pass {
        name: "cse",
        doc: "computes once what an instruction of the same block has computed already",
        work: Work::Ir(|function, _| cse::run(function)),
    },
    Pass {
        name: "gvn",
        doc: "computes and loads once what a dominating instruction has computed, loaded or stored",
        work: Work::Ir(|function, _| gvn::run(function)),
    },
    Pass {
        name: "join-loads",
        doc: "reads from registers what all paths to a load have loaded or stored last",
        work: Work::Ir(|function, _| join_loads::run(function)),
    },
    Pass {
        name: "hoist",
        doc: "computes once, where paths part, what blocks on several of them compute",
        work: Work::Ir(hoist::run),
    },
    Pass {
        name: "promote",
        doc: "keeps local variables in registers whose every access is at a constant place",
        work: Work::Ir(|function, _| promote::run(function)),
    },
    Pass {
        name: "if-convert",
        doc: "computes small arms of a branch without effects on both paths and selects",
        work: Work::Ir(|function, _| if_convert::run(function)),
    },
    Pass {
        name: "predicate",
        doc: "guards the accesses of short arms of a branch and computes the rest on both paths, for machines with predication",
        work: Work::Ir(if_convert::predicate),
    },
    Pass {
        name: "join-conditions",
        doc: "computes two cheap conditions with a common target and branches once",
        work: Work::Ir(|function, _| join_conditions::run(function)),
    },
    Pass {
        name: "rotate",
        doc: "moves the test of a loop to its end, with a copy in front",
        work: Work::Ir(|function, _| rotate::run(function)),
    },
    Pass {
        name: "licm",
        doc: "computes before a loop what is the same in every iteration",
        work: Work::Ir(licm::run),
    },
    Pass {
        name: "unroll",
        doc: "writes out the iterations of loops that always make the same few, of outer ones where the source asks it",
        work: Work::Ir(unroll::run),
    },
    Pass {
        name: "reassociate",
        doc: "moves constants in addresses to their ends, where accesses add them",
        work: Work::Ir(|function, _| reassociate::run(function)),
    },
    Pass {
        name: "induction",
        doc: "lets addresses that grow evenly in a loop step from iteration to iteration",
        work: Work::Ir(|function, _| induction::run(function)),
    },
    Pass {
        name: "partial-unroll",
        doc: "writes out a few iterations of innermost loops whose test compares a counter, of outer ones where the source asks it",
        work: Work::Ir(partial_unroll::run),
    },
    Pass {
        name: "vector-access",
        doc: "makes one access of the members of a vector, such as a float4, that is read or written as a whole",
        work: Work::Ir(wide_access::run_on_vectors),
    },
    Pass {
        name: "wide-access",
        doc: "makes one access of 64 or 128 bits of adjacent loads or stores",
        work: Work::Ir(wide_access::run),
    },
    Pass {
        name: "schedule",
        doc: "starts loads and other slow operations of a block early",
        work: Work::Ir(schedule::run),
    },
    Pass {
        name: "address-space",
        doc: "proves which window of the address space an access falls in",
        work: Work::Ir(|function, _| address_space::run(function)),
    },
    Pass {
        name: "dead",
        doc: "removes instructions whose results nobody reads",
        work: Work::Ir(|function, _| dead::run(function)),
    },
    Pass {
        name: "fuse",
        doc: "lets instruction selection make one instruction of bitwise operations on three words, and of joined conditions",
        work: Work::Selection(Rule::Fuse),
    },
    Pass {
        name: "divide",
        doc: "lets instruction selection make products of quotients and remainders by constants",
        work: Work::Selection(Rule::Divide),
    },
    Pass {
        name: "lifetimes",
        doc: "numbers registers by how long they live, for register files that rename only the short-lived",
        work: Work::Code(CodePass {
            is_required: |target| target.lifetimes,
            run: lifetimes::run,
            verify: |_, _| Ok(()),
        }),
    },
    Pass {
        name: "last-read",
        doc: "marks each register's last reads, where a register file may release it",
        work: Work::Code(CodePass {
            is_required: |_| true,
            run: last_read::run,
            verify: |_, _| Ok(()),
        }),
    },
    Pass {
        name: "barriers",
        doc: "adds convergence barriers (`bssy` and `bsync`) where `--convergence-barriers` requests them",
        work: Work::Code(CodePass {
            is_required: |target| target.convergence_barriers,
            run: convergence_barriers::run,
            verify: |kernel, _| convergence_barriers::verify(kernel),
        }),
    },
    Pass {
        name: "hints",
        doc: "annotates loads with their loop and address pattern, for schedulers and caches that use them",
        work: Work::Code(CodePass {
            is_required: |target| target.load_hints,
            run: hints::run,
            verify: |_, _| Ok(()),
        }),
    },
    Pass {
        name: "placement",
        doc: "places values at the levels of a register file that the compiler manages",
        work: Work::Code(CodePass {
            is_required: |target| target.levels.is_some(),
            run: placement::run,
            verify: |_, _| Ok(()),
        }),
    },
    Pass {
        name: "regions",
        doc: "cuts code into regions of few registers, for register files that stage them",
        work: Work::Code(CodePass {
            is_required: |target| target.regions.is_some(),
            run: staging::run,
            verify: |_, _| Ok(()),
        }),
    },
    Pass {
        name: "control-bits",
        doc: "states dependences as stall counts, counters and reuse, for machines that check none",
        work: Work::Code(CodePass {
            is_required: |target| target.control_bits.is_some(),
            run: control_bits::run,
            verify: dependence_check::verify,
        }),
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

    /// The passes of a compilation, in order. Those over machine code are the same at all levels: the machine decides
    /// which of them run.
    pub fn pipeline(self) -> impl Iterator<Item = &'static str> {
        let optimisations = match self {
            Level::None => NONE,
            Level::Basic => BASIC,
            Level::Full => FULL,
            Level::Ptx => PTX,
        };
        let mut passes = [optimisations, CODE].concat();
        if self == Level::Full {
            added::insert(&mut passes);
        }
        passes.into_iter()
    }
}

/// The passes over machine code. Registers are renumbered before anything names them; barriers are added before hints, placements
/// and regions, which refer to positions in the code. Control bits are last: they depend on all instructions.
pub const CODE: &[&str] =
    &["lifetimes", "last-read", "barriers", "hints", "placement", "regions", "control-bits"];

/// Only the result of SSA construction: a phi of one value after a branch would be taken for one
/// that the branch decides, and the analyses would warn of barriers that are sound.
const NONE: &[&str] = &["copy", "vector-access"];

/// An access of a vector is one access of the text.
const PTX: &[&str] = &["vector-access"];

const BASIC: &[&str] = &[
    "copy",
    "addresses",
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
    "addresses",
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
    "predicate",
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
    PASSES.iter().find(|pass| pass.name == name).or_else(|| added::find(name))
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
        assert_eq!(find(pass).unwrap().run(&mut function, knobs), Ok(true));
        assert_eq!(verify(&function), []);
        let text = function.to_string();
        let start = text.find("b0:\n").unwrap();
        text[start + 4..].trim_end_matches("}\n").to_string()
    }

    #[test]
    fn every_name_of_a_pipeline_is_a_pass() {
        for (level, _) in Level::named() {
            let passes = level.pipeline().map(|name| find(name).ok_or(name).unwrap());
            assert!(passes.map(Pass::stage).is_sorted(), "{level:?}");
        }
        assert!(PASSES.iter().map(Pass::stage).is_sorted());
        let code = PASSES.iter().filter(|pass| pass.stage() == Stage::Code);
        assert_eq!(code.map(|pass| pass.name).collect::<Vec<_>>(), CODE);
        assert!(PASSES.iter().all(|pass| !pass.levels().is_empty()));
    }
}
