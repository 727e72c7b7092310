//! The mechanisms of the slot `register-file`.

use super::slot::Build;
use super::{
    banked, compiler_managed, compressed, drowsy, pilot, register_cache, regless, virtualized,
};
use crate::mechanisms::mechanism::{self, Mechanism};

/// The mechanism whose options, those of banks and collectors, all of the slot share.
pub(crate) const SHARED: &str = banked::MECHANISM.name;

/// The register files that exist.
pub static MECHANISMS: &[Mechanism<Build>] = &[
    banked::MECHANISM,
    register_cache::MECHANISM,
    drowsy::MECHANISM,
    pilot::MECHANISM,
    compressed::MECHANISM,
    virtualized::MECHANISM,
    compiler_managed::MECHANISM,
    regless::MECHANISM,
];

/// The register file of a name.
pub(crate) fn find(name: &str) -> Result<&'static Mechanism<Build>, String> {
    mechanism::find("register-file", MECHANISMS, name)
}
