//! Functions that nvcc has for one side only, and this compiler for both.
//!
//! The list was made with nvcc 13.5, by a call of every built-in function on either side.

use crate::check::state::Checker;
use crate::check::state::options::Pass;
use crate::check::tree::Sides;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;

/// Functions of the host's library, and the replacement in device code.
const OF_THE_HOST: &[(&str, &str)] = &[
    ("ffs", "write `__ffs`"),
    ("ffsl", "write `__ffsll`"),
    ("ffsll", "write `__ffsll`"),
    ("isgreater", "write `a > b`, which no NaN fulfils either"),
    ("isgreaterequal", "write `a >= b`, which no NaN fulfils either"),
    ("isless", "write `a < b`, which no NaN fulfils either"),
    ("islessequal", "write `a <= b`, which no NaN fulfils either"),
    ("islessgreater", "write `a < b || a > b`"),
    ("isnormal", "write `isfinite(a) && fabs(a) >= DBL_MIN`, or with `FLT_MIN` for a float"),
    ("isunordered", "write `isnan(a) || isnan(b)`"),
    ("memmove", "write `memcpy` where nothing overlaps, or a loop"),
];

/// Functions of the device.
const OF_THE_DEVICE: &[&str] = &[
    "__builtin_assume",
    "__cosf",
    "__dsqrt_rn",
    "__exp10f",
    "__expf",
    "__fma_rn",
    "__fmaf_ieee_rn",
    "__fmaf_rn",
    "__frsqrt_rn",
    "__fsqrt_rn",
    "__log10f",
    "__log2f",
    "__logf",
    "__powf",
    "__sincosf",
    "__sinf",
    "__tanf",
    "cyl_bessel_i0",
    "cyl_bessel_i0f",
    "cyl_bessel_i1",
    "cyl_bessel_i1f",
    "norm",
    "norm3d",
    "norm3df",
    "norm4d",
    "norm4df",
    "normf",
    "rhypot",
    "rhypotf",
    "rnorm",
    "rnorm3d",
    "rnorm3df",
    "rnorm4d",
    "rnorm4df",
    "rnormf",
];

impl Checker {
    /// Reports a call of a built-in function on a side on which nvcc has none.
    pub(crate) fn check_side_of_nvcc(&mut self, name: &str, place: Span) -> Option<()> {
        if self.allowed.is_unevaluated() {
            return Some(());
        }
        let device = self.in_device_code() && !matches!(self.pass, Pass::Host);
        let host = self.in_host_code() && !matches!(self.pass, Pass::Device(_));
        if let Some(help) = instead(name)
            && device
        {
            if !self.in_host_code() {
                let sides = Sides { kernel: false, device: false, host: true };
                return self.check_call_sides(name, sides, None, place);
            }
            let message =
                format!("`{name}` is a host function, which device code cannot call under nvcc");
            self.advise(Diagnostic::warning(code::ONE_SIDED, place, message).help(help));
        } else if OF_THE_DEVICE.binary_search(&name).is_ok() && host {
            let message =
                format!("`{name}` is a device function, which host code cannot call under nvcc");
            self.advise(Diagnostic::warning(code::ONE_SIDED, place, message));
        }
        Some(())
    }
}

/// The replacement in device code for a function of the host's library.
pub(crate) fn instead(name: &str) -> Option<&'static str> {
    let at = OF_THE_HOST.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(OF_THE_HOST[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(OF_THE_HOST.is_sorted() && OF_THE_DEVICE.is_sorted());
        assert!(instead("ffs").is_some() && instead("__ffs").is_none());
    }
}
