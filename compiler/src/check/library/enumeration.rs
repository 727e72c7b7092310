//! The enumerations of CUDA's headers.

use crate::check::tree::IntKind;
use crate::check::types::{CType, Enumeration};

/// Enumerations by number, each with the beginnings of its enumerators' names.
const ENUMERATIONS: &[(&str, &[&str])] = &[
    (ERROR, &["cudaError", "cudaSuccess"]),
    ("cudaComputeMode", &["cudaComputeMode"]),
    ("cudaDeviceAttr", &["cudaDevAttr"]),
    ("cudaFuncAttribute", &["cudaFuncAttribute"]),
    ("cudaFuncCache", &["cudaFuncCache"]),
    ("cudaLimit", &["cudaLimit"]),
    ("cudaMemcpyKind", &["cudaMemcpy"]),
    ("cudaMemoryAdvise", &["cudaMemAdvise"]),
    (CARVEOUT, &["cudaSharedmemCarveout"]),
    ("cudaSharedMemConfig", &["cudaSharedMemBankSize"]),
];

const ERROR: &str = "cudaError";

/// The only one with a negative value.
const CARVEOUT: &str = "cudaSharedCarveout";

/// The names of the enumerations by number: those of the program have the numbers that follow.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ENUMERATIONS.iter().map(|(name, _)| *name)
}

/// The enumeration that a type's name means.
pub(crate) fn named(name: &str) -> Option<CType> {
    let name = if name == "cudaError_t" { ERROR } else { name };
    names().position(|known| known == name).map(of_number)
}

/// The type of a constant of the headers: its enumeration, or `int`.
pub(crate) fn type_of_constant(name: &str) -> CType {
    let is_of = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    let number = ENUMERATIONS.iter().position(|(_, prefixes)| is_of(prefixes));
    number.map_or(CType::INT, of_number)
}

/// `cudaError_t`.
pub(crate) fn error() -> CType {
    of_number(0)
}

fn of_number(number: usize) -> CType {
    let nonnegative = ENUMERATIONS[number].0 != CARVEOUT;
    CType::Enum(Enumeration {
        id: number as u32,
        kind: IntKind::Int,
        is_scoped: false,
        nonnegative,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_constants() {
        assert_eq!(Some(error()), named("cudaError_t"));
        for (name, ty) in [
            ("cudaSuccess", "cudaError"),
            ("cudaErrorUnknown", "cudaError"),
            ("cudaMemcpyDeviceToHost", "cudaMemcpyKind"),
            ("cudaSharedmemCarveoutMaxL1", "cudaSharedCarveout"),
        ] {
            assert_eq!(Some(type_of_constant(name)), named(ty), "{name}");
        }
        assert_eq!(type_of_constant("cudaStreamNonBlocking"), CType::INT);
        assert_eq!(named("cudaStream_t"), None);
    }
}
