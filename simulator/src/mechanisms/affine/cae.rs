//! Compact affine execution: each warp computes uniform and affine values once, on a unit for them.
//!
//! Sources: Collange, Defour, Zhang, "Dynamic detection of uniform and affine vectors in GPGPU
//! computations", 2010, for the tags; Kim et al., "Microarchitectural mechanisms to exploit value
//! structure in SIMT architectures", ISCA 2013 (FG-SIMT), for units, branches and lazy expansion;
//! both as Aamodt, Fung and Rogers describe them (§3.5.1 with Table 3.1, §3.5.2). Wang and Lin call
//! it CAE and compare decoupled affine computation with it (§2, §5). `spec/machine.md` has the
//! differences.

use reconverge_isa::{Effect, Op, Space, Unit};

use super::compact::{CompactDesign, Outcome, Rules};
use super::slot::{Build, units};
use super::tags::Tag;
use super::tags::Tag::{Affine, Generic, Uniform};
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::program::decoded::{Decoded, unit_index};
use crate::program::operands::Target;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "cae",
    sentence: "compact affine execution: tags each warp register uniform, affine or vector, and executes \
               instructions on tagged operands once instead of in all lanes",
    options: &[(
        "units",
        "affine units of an SM, each starting one instruction per cycle, 1 to 16; default: one per \
         scheduler",
    )],
    trials: &[
        &[("cae.units", "1"), ("pipes.simple.lanes", "2")],
        &[("divergence", "dual-path"), ("scoreboard.entries", "0")],
        &[("divergence", "multi-path")],
        &[("divergence", "multi-path"), ("cycle-compression", "scc")],
        &[("divergence", "block-compaction"), ("lane-permutation", "balanced")],
        &[("divergence", "warp-formation")],
        &[("divergence", "warp-subdivision"), ("warp-subdivision.memory-divergence", "true")],
        &[("banked.hazards", "release-on-read"), ("sm.schedulers", "3")],
    ],
    statistics: &[],
    build: &|table| {
        let options: Options = options(table)?;
        units(options.units)?;
        Ok(Box::new(CompactDesign { rules: Table, units: options.units }))
    },
};

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    units: Option<u32>,
}

/// Table 3.1, and its extension to operations that it lacks.
#[derive(Clone, Copy)]
struct Table;

impl Rules for Table {
    fn outcome(&self, instruction: &Decoded, sources: [Tag; 3]) -> Outcome {
        let computes = matches!(instruction.effect, Effect::Compute | Effect::Divide);
        if !computes {
            // A word that is broadcast.
            let broadcast = instruction.effect == Effect::Load
                && !instruction.op.is_matrix()
                && matches!(instruction.space, Space::Constant | Space::Shared)
                && sources[0] == Uniform;
            return Outcome::Lanes(if broadcast { Uniform } else { Generic });
        }
        match result(instruction.op, sources) {
            Generic if compares_affine(instruction, sources) => Outcome::Compare,
            Generic => Outcome::Lanes(Generic),
            tag => Outcome::Compact(tag),
        }
    }
}

/// The tag of a result.
fn result(op: Op, sources: [Tag; 3]) -> Tag {
    let [a, b, c] = sources;
    match op {
        _ if sources == [Uniform; 3] => Uniform,
        Op::Mov => a,
        Op::Add | Op::Sub => sum(a, b),
        Op::Mul => product(a, b),
        Op::Mad => sum(product(a, b), c),
        Op::Shl => shifted(a, b),
        _ => Generic,
    }
}

/// The table's +.
fn sum(a: Tag, b: Tag) -> Tag {
    match (a, b) {
        (Uniform, Uniform) => Uniform,
        (Uniform, Affine) | (Affine, Uniform) => Affine,
        _ => Generic,
    }
}

/// The table's ×.
fn product(a: Tag, b: Tag) -> Tag {
    if (a, b) == (Uniform, Uniform) { Uniform } else { Generic }
}

/// The table's <<.
fn shifted(a: Tag, b: Tag) -> Tag {
    match (a, b) {
        (Uniform, Uniform) => Uniform,
        (Affine, Uniform) => Affine,
        _ => Generic,
    }
}

/// Returns true if integers are compared, one of them uniform and the other affine.
fn compares_affine(instruction: &Decoded, [a, b, condition]: [Tag; 3]) -> bool {
    instruction.unit == unit_index(Unit::Integer)
        && matches!(instruction.target, Target::Predicate(_))
        && matches!((a, b), (Uniform, Affine) | (Affine, Uniform))
        && condition == Uniform
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_3_1() {
        let tags = [Uniform, Affine, Generic];
        let table = |op: Op| tags.map(|a| tags.map(|b| result(op, [a, b, Uniform])));
        let (u, a, v) = (Uniform, Affine, Generic);
        assert_eq!(table(Op::Add), [[u, a, v], [a, v, v], [v, v, v]]);
        assert_eq!(table(Op::Mul), [[u, v, v], [v, v, v], [v, v, v]]);
        assert_eq!(table(Op::Shl), [[u, v, v], [a, v, v], [v, v, v]]);
    }
}
