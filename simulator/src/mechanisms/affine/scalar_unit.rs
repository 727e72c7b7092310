//! A scalar pipe and scalar registers beside the vectors, as of AMD's GCN.
//!
//! Source: Aamodt, Fung, Rogers, §3.5.1 (detection by the compiler) and §3.5.2 (scalar register
//! file, dedicated scalar pipeline). A result that is the same in all threads of a warp is computed
//! once, from scalar registers, and stays in one. `spec/machine.md` has the differences.

use reconverge_isa::{Effect, Space, ValueClass};
use serde::Deserialize;

use super::compact::{CompactDesign, Outcome, Rules};
use super::slot::{Build, units};
use super::tags::Tag;
use crate::mechanisms::mechanism::{Mechanism, options};
use crate::program::decoded::Decoded;

/// The list's entry.
pub(super) const MECHANISM: Mechanism<Build> = Mechanism {
    name: "scalar-unit",
    sentence: "executes instructions that are uniform in a warp once, on a scalar pipe",
    options: &[
        (
            "detection",
            "how uniform instructions are found: `compiler`, by its annotation `!uniform`; or `tags`, \
             by tags of their source registers; default `compiler`",
        ),
        (
            "units",
            "scalar pipes of an SM, each starting one instruction per cycle, 1 to 16; default 1",
        ),
    ],
    trials: &[
        &[("scalar-unit.detection", "tags")],
        &[("scalar-unit.units", "2"), ("divergence", "warp-subdivision")],
        &[("divergence", "capri"), ("sm.warp-width", "4")],
    ],
    statistics: &[],
    build: &|table| {
        let Options { detection, units: count } = options(table)?;
        units(count)?;
        Ok(Box::new(CompactDesign { rules: detection, units: Some(count.unwrap_or(1)) }))
    },
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    #[serde(default)]
    detection: Detection,
    units: Option<u32>,
}

/// The source of knowledge about uniform values.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Detection {
    #[default]
    Compiler,
    Tags,
}

impl Rules for Detection {
    fn outcome(&self, instruction: &Decoded, sources: [Tag; 3]) -> Outcome {
        let is_claimed = instruction.annotations.class == ValueClass::Uniform;
        if sources != [Tag::Uniform; 3] || (matches!(self, Detection::Compiler) && !is_claimed) {
            return Outcome::Lanes(Tag::Generic);
        }
        match instruction.effect {
            Effect::Compute | Effect::Divide => Outcome::Compact(Tag::Uniform),
            Effect::Load if instruction.op.is_matrix() => Outcome::Lanes(Tag::Generic),
            // All lanes load from one address, at one time.
            Effect::Load => Outcome::Lanes(match (self, instruction.space) {
                (_, Space::Constant | Space::Shared) => Tag::Uniform,
                (Detection::Compiler, Space::Global) => Tag::Uniform,
                _ => Tag::Generic,
            }),
            _ => Outcome::Lanes(Tag::Generic),
        }
    }
}
