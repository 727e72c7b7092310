//! The mechanisms of the slot `affine`.

use super::slot::{Build, Design};
use super::{cae, decoupled, g_scalar, memoisation, none, scalar_unit, warp_approximation};
use crate::machine::Machine;
use crate::mechanisms::mechanism::{List, Mechanism};
use crate::mechanisms::prefetcher;
use crate::mechanisms::setup::Setup;

/// The mechanisms that exist.
pub(crate) static MECHANISMS: List<Build> = List::new(
    "affine",
    &[
        none::MECHANISM,
        cae::MECHANISM,
        scalar_unit::MECHANISM,
        decoupled::MECHANISM,
        g_scalar::MECHANISM,
        warp_approximation::MECHANISM,
        memoisation::MECHANISM,
    ],
);

/// The mechanism of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    if prefetcher::list::MECHANISMS.all().iter().any(|it| it.name == name && it.name != "none") {
        return Err(format!(
            "`{name}` does not fill the slot `affine` but `prefetcher`: set `prefetcher={name}`"
        ));
    }
    MECHANISMS.find(name)
}

/// Returns true if instructions have the results that they have without a mechanism, as its options
/// are by default.
pub(crate) fn is_exact(name: &str) -> bool {
    let design =
        find(name).and_then(|mechanism| (mechanism.build)(&Setup::of(&toml::Table::new())));
    design.is_ok_and(|design| design.is_exact())
}

/// The mechanism in the slot `affine`.
pub(crate) fn build(machine: &Machine) -> Result<Box<dyn Design>, String> {
    let mechanism = find(&machine.affine)?;
    (mechanism.build)(&Setup::on(machine, mechanism.name))
}
