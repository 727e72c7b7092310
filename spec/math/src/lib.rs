//! The mathematical functions of CUDA that `libm` lacks, made of those that it has.
//!
//! Like `libm` itself, these functions serve every part that computes: the interpreter, the
//! constant folder and the machine. Results in `f64` are a few units in the last place from exact;
//! those in `f32` are computed in `f64` and rounded.

#![deny(clippy::unwrap_used)]

mod bessel;

pub use bessel::{i0, i1};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI, SQRT_2};

/// The quarter turn nearest to `2 * x`, modulo 4, and the rest of `x`, at most 1/4; exact.
fn quarters(x: f64) -> (u32, f64) {
    let y = libm::fmod(x.abs(), 2.0);
    let quarter = libm::rint(2.0 * y);
    (quarter as u32 % 4, y - quarter / 2.0)
}

/// Sine of `pi * x`; of whole numbers 0 with their sign.
pub fn sinpi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (quarter, rest) = quarters(x);
    let value = match quarter {
        0 | 2 if rest == 0.0 => 0.0,
        0 => libm::sin(PI * rest),
        1 => libm::cos(PI * rest),
        2 => -libm::sin(PI * rest),
        _ => -libm::cos(PI * rest),
    };
    if x.is_sign_negative() { -value } else { value }
}

/// Cosine of `pi * x`; halfway between whole numbers +0.
pub fn cospi(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let (quarter, rest) = quarters(x);
    match quarter {
        1 | 3 if rest == 0.0 => 0.0,
        0 => libm::cos(PI * rest),
        1 => -libm::sin(PI * rest),
        2 => -libm::cos(PI * rest),
        _ => libm::sin(PI * rest),
    }
}

/// `exp(x * x) * erfc(x)`.
pub fn erfcx(x: f64) -> f64 {
    /// From here on the series below is exact to the last place; `exp` overflows a little later.
    const FAR: f64 = 25.0;
    if x < FAR {
        let square = x * x;
        let power = libm::exp(square);
        if power == f64::INFINITY {
            return power;
        }
        return (power + power * libm::fma(x, x, -square)) * libm::erfc(x);
    }
    // Abramowitz and Stegun, 7.1.23.
    let step = -0.5 / x / x;
    let (mut sum, mut term) = (1.0, 1.0);
    for odd in (1..20).step_by(2) {
        term *= step * f64::from(odd);
        sum += term;
    }
    FRAC_2_SQRT_PI / 2.0 / x * sum
}

/// The positive `x` whose `erfc` is `z`, at most 1/2 (`tail`), or whose `erf` is `z`.
fn inverse(z: f64, tail: bool) -> f64 {
    // Winitzki, "A handy approximation for the error function and its inverse", 2008, for a start
    // that is right to three digits; each of Halley's steps triples them.
    const A: f64 = 0.147;
    let log = if tail { libm::log(z) + libm::log1p(1.0 - z) } else { libm::log1p(-z * z) };
    let middle = 2.0 / (PI * A) + log / 2.0;
    let mut x = libm::sqrt(libm::sqrt(middle * middle - log / A) - middle);
    for _ in 0..4 {
        let slope = FRAC_2_SQRT_PI * libm::exp(-x * x);
        let error = if tail { z - libm::erfc(x) } else { libm::erf(x) - z };
        let step = error / slope;
        if !step.is_finite() {
            break;
        }
        x -= step / (1.0 + x * step);
    }
    x
}

/// Inverse of `erf`.
pub fn erfinv(y: f64) -> f64 {
    /// Below, `erf` is a line to the last place.
    const TINY: f64 = 1e-9;
    let size = y.abs();
    if size < TINY {
        return y / FRAC_2_SQRT_PI;
    }
    let value = match size {
        0.0..=0.5 => inverse(size, false),
        1.0 => f64::INFINITY,
        // The difference is exact.
        0.5..1.0 => inverse(1.0 - size, true),
        _ => return f64::NAN,
    };
    value.copysign(y)
}

/// Inverse of `erfc`.
pub fn erfcinv(z: f64) -> f64 {
    match z {
        0.0 => f64::INFINITY,
        2.0 => f64::NEG_INFINITY,
        0.0..=0.5 => inverse(z, true),
        // These differences are exact.
        0.5..=1.5 => erfinv(1.0 - z),
        1.5..2.0 => -inverse(2.0 - z, true),
        _ => f64::NAN,
    }
}

/// The standard normal distribution: `erfc(-x / sqrt(2)) / 2`.
pub fn normcdf(x: f64) -> f64 {
    /// The rest of the constant beyond `FRAC_1_SQRT_2`.
    const REST: f64 = -4.833_646_656_726_457e-17;
    let at = -x * FRAC_1_SQRT_2;
    let error = libm::fma(-x, FRAC_1_SQRT_2, -at) - x * REST;
    let slope = FRAC_2_SQRT_PI * libm::exp(-at * at);
    let change = slope * error;
    let change = if change.is_finite() { change } else { 0.0 };
    0.5 * (libm::erfc(at) - change)
}

/// Inverse of `normcdf`.
pub fn normcdfinv(p: f64) -> f64 {
    -SQRT_2 * erfcinv(2.0 * p)
}

/// The highest order of a Bessel function that is computed: as many steps are taken.
const HIGHEST: u32 = 1 << 16;

macro_rules! bessel {
    ($($(#[doc = $doc:literal])+ $name:ident $of:path, $ty:ident;)*) => {
        $($(#[doc = $doc])+ pub fn $name(order: i32, x: $ty) -> $ty {
            if order.unsigned_abs() > HIGHEST { $ty::NAN } else { $of(order, x) }
        })*
    };
}

bessel! {
    /// Bessel function of the first kind; NaN for orders beyond 65536.
    jn libm::jn, f64;
    /// Bessel function of the first kind; NaN for orders beyond 65536.
    jnf libm::jnf, f32;
    /// Bessel function of the second kind; NaN for orders beyond 65536.
    yn libm::yn, f64;
    /// Bessel function of the second kind; NaN for orders beyond 65536.
    ynf libm::ynf, f32;
}

macro_rules! single {
    ($($(#[doc = $doc:literal])+ $name:ident $of:ident;)*) => {
        $($(#[doc = $doc])+ pub fn $name(x: f32) -> f32 { $of(f64::from(x)) as f32 })*
    };
}

single! {
    /// Sine of `pi * x`.
    sinpif sinpi;
    /// Cosine of `pi * x`.
    cospif cospi;
    /// `exp(x * x) * erfc(x)`.
    erfcxf erfcx;
    /// Inverse of `erf`.
    erfinvf erfinv;
    /// Inverse of `erfc`.
    erfcinvf erfcinv;
    /// The standard normal distribution.
    normcdff normcdf;
    /// Inverse of `normcdf`.
    normcdfinvf normcdfinv;
    /// Modified Bessel function of the first kind, order 0.
    i0f i0;
    /// Modified Bessel function of the first kind, order 1.
    i1f i1;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        let error = ((value - expected) / expected).abs();
        assert!(error < 2e-15, "{value:e}, expected {expected:e}");
    }

    #[test]
    fn values_are_those_of_tables() {
        close(sinpi(0.1), 0.30901699437494745);
        close(sinpi(0.4), 0.9510565162951536);
        close(sinpi(0.7), 0.8090169943749475);
        close(sinpi(-1.2), 0.587785252292473);
        close(sinpi(5.3), -0.8090169943749471);
        close(sinpi(100.125), 0.3826834323650898);
        close(cospi(0.1), 0.9510565162951535);
        close(cospi(0.3), 0.5877852522924731);
        close(cospi(0.7), -0.587785252292473);
        close(cospi(-1.2), -0.8090169943749475);
        close(cospi(5.3), -0.5877852522924736);
        close(cospi(100.125), 0.9238795325112867);
        close(erfcx(-3.0), 16205.988853999586);
        close(erfcx(-0.5), 1.952360489182557);
        close(erfcx(0.5), 0.6156903441929259);
        close(erfcx(3.0), 0.17900115118138996);
        close(erfcx(12.0), 0.04685422101489376);
        close(erfcx(24.9), 0.022639987776049506);
        close(erfcx(25.0), 0.02254957243264136);
        close(erfcx(30.0), 0.01879588886141675);
        close(erfcx(100000000.0), 5.641895835477562e-09);
        close(erfinv(1e-12), 8.86226925452758e-13);
        close(erfinv(0.01), 0.008862501280950598);
        close(erfinv(0.3), 0.2724627147267543);
        close(erfinv(-0.5), -0.4769362762044699);
        close(erfinv(0.7), 0.7328690779592167);
        close(erfinv(0.999), 2.3267537655135246);
        close(erfinv(0.9999999999999999), 5.8635847487551676);
        close(erfcinv(9.332636185032189e-302), 26.25464242249641);
        close(erfcinv(1e-100), 15.065574702592645);
        close(erfcinv(1e-10), 4.572824967389486);
        close(erfcinv(0.1), 1.163087153676674);
        close(erfcinv(0.5), 0.4769362762044699);
        close(erfcinv(0.9), 0.08885599049425767);
        close(erfcinv(1.3), -0.2724627147267544);
        close(erfcinv(1.75), -0.8134198475976185);
        close(erfcinv(1.999), -2.3267537655135464);
        close(normcdf(-37.0), 5.725571222524577e-300);
        close(normcdf(-20.0), 2.7536241186062337e-89);
        close(normcdf(-5.0), 2.866515718791939e-07);
        close(normcdf(-1.0), 0.15865525393145705);
        close(normcdf(0.5), 0.6914624612740131);
        close(normcdf(3.0), 0.9986501019683699);
        close(normcdfinv(1e-300), -37.0470962993612);
        close(normcdfinv(1e-10), -6.361340902404057);
        close(normcdfinv(0.025), -1.9599639845400543);
        close(normcdfinv(0.4), -0.2533471031357997);
        close(normcdfinv(0.6), 0.2533471031357997);
        close(normcdfinv(0.975), 1.9599639845400538);
    }

    #[test]
    fn ends_and_zeroes() {
        assert_eq!(sinpi(-3.0).to_bits(), (-0.0f64).to_bits());
        assert_eq!(sinpi(1e300).to_bits(), 0);
        assert_eq!((sinpi(2.5), sinpi(-0.5), sinpi(1.5)), (1.0, -1.0, -1.0));
        assert_eq!((cospi(1.0), cospi(4.0), cospi(-7.0)), (-1.0, 1.0, -1.0));
        assert_eq!(cospi(-2.5).to_bits(), 0);
        assert!(sinpi(f64::INFINITY).is_nan() && cospi(f64::NAN).is_nan());
        assert_eq!((erfcx(f64::INFINITY), erfcx(f64::NEG_INFINITY)), (0.0, f64::INFINITY));
        assert_eq!((erfinv(1.0), erfinv(-1.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert_eq!(erfinv(-0.0).to_bits(), (-0.0f64).to_bits());
        assert!(erfinv(1.5).is_nan() && erfcinv(-0.1).is_nan() && erfcinv(f64::NAN).is_nan());
        assert_eq!((erfcinv(0.0), erfcinv(2.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert_eq!((normcdf(f64::INFINITY), normcdf(f64::NEG_INFINITY)), (1.0, 0.0));
        assert_eq!((normcdfinv(1.0), normcdfinv(0.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert!(normcdfinv(2.0).is_nan() && normcdf(f64::NAN).is_nan());
    }

    #[test]
    fn inverses_undo() {
        for step in 1..2000 {
            let y = f64::from(step) / 2000.0;
            close(libm::erf(erfinv(y)), y);
            close(libm::erfc(erfcinv(y)), y);
        }
    }
}
