//! Slot `affine`: what a core makes of values that are the same in all threads, or grow evenly from
//! thread to thread.
//!
//! Source of the comparison: Wang and Lin, "Decoupled affine computation for SIMT GPUs", ISCA 2017,
//! beside Aamodt, Fung, Rogers, §3.5. The mechanisms have little in common but what they compete for, and
//! each kind has an interface of its own: [`Affine`] says which. All decide time only, never a value. A
//! core asks once where an instruction issues whether it has any.

mod cae;
mod compact;
pub(crate) mod decoupled;
mod none;
mod prefetch;
mod scalar_unit;
mod tags;

use crate::machine::Machine;
use crate::mechanism::{self, Mechanism};
pub(crate) use compact::{Compact, How};
use decoupled::Decoupled;
pub(crate) use prefetch::{Found, LoadOfWarp, Prefetcher};

/// Constructs a mechanism from its options.
pub(crate) type Build = fn(&toml::Table) -> Result<Affine, String>;

/// The mechanisms that exist.
pub(crate) static MECHANISMS: &[Mechanism<Build>] = &[
    none::MECHANISM,
    cae::MECHANISM,
    scalar_unit::MECHANISM,
    prefetch::MECHANISM,
    decoupled::MECHANISM,
];

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("affine", MECHANISMS, name)
}

/// What fills the slot of a core, or of the functional model.
pub(crate) enum Affine {
    /// Nothing.
    None,
    /// Instructions on compact values are executed once instead of in all lanes.
    Compact(Box<Compact>),
    /// Lines of loads are asked for early.
    Prefetch(Box<Prefetcher>),
    /// An affine warp for each core.
    Decoupled(Decoupled),
}

impl Affine {
    /// Whether it works on a machine whose other mechanisms exist; the error is a sentence.
    pub(crate) fn check(&self, machine: &Machine) -> Result<(), String> {
        match self {
            Affine::None | Affine::Compact(_) | Affine::Prefetch(_) => Ok(()),
            Affine::Decoupled(decoupled) => decoupled.check(machine),
        }
    }
}

/// Refuses numbers of units that there cannot be.
fn units(units: Option<u32>) -> Result<(), String> {
    match units {
        Some(count) if !(1..=16).contains(&count) => {
            Err(format!("`units` is {count}; it must be 1 to 16"))
        }
        _ => Ok(()),
    }
}

/// For a mechanism without options.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct NoOptions {}
