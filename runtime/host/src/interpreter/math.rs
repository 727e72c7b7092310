//! The built-in functions that only compute: mathematics, integer tricks, bit casts.

use super::arithmetic::{f32_of, f64_of, slot_f32, slot_f64};
use super::directed::directed;
use super::kind::Kind;
use super::words::word;
use reconverge_compiler::check::builtin::Builtin;

/// The value of a pure built-in of up to three operands, or `None` if it is not one.
pub fn pure(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    single(builtin, a, b, c)
        .or_else(|| double(builtin, a, b, c))
        .or_else(|| integer(builtin, a, b))
        .or_else(|| word(builtin, a, b, c))
        .or_else(|| directed(builtin, a, b, c))
}

/// For a built-in that rounds to an integer: the rounding function, and the kind of its value.
pub fn rounded_first(builtin: Builtin) -> Option<(Builtin, Kind)> {
    Some(match builtin {
        Builtin::LrintF => (Builtin::RintF, Kind::F32),
        Builtin::LroundF => (Builtin::RoundF, Kind::F32),
        Builtin::LrintD => (Builtin::RintD, Kind::F64),
        Builtin::LroundD => (Builtin::RoundD, Kind::F64),
        _ => return None,
    })
}

/// Returns true if a built-in is one of these.
pub fn is_pure(builtin: Builtin) -> bool {
    pure(builtin, 0, 0, 0).is_some()
}

fn single(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    use Builtin::*;
    let (x, y) = (f32_of(a), f32_of(b));
    let value = match builtin {
        SqrtF => libm::sqrtf(x),
        RsqrtF => 1.0 / libm::sqrtf(x),
        CbrtF => libm::cbrtf(x),
        ExpF | ExpApproxF => libm::expf(x),
        Exp2F => libm::exp2f(x),
        Exp10F | Exp10ApproxF => libm::exp10f(x),
        Expm1F => libm::expm1f(x),
        LogF | LogApproxF => libm::logf(x),
        Log2F | Log2ApproxF => libm::log2f(x),
        Log10F | Log10ApproxF => libm::log10f(x),
        Log1pF => libm::log1pf(x),
        SinF | SinApproxF => libm::sinf(x),
        CosF | CosApproxF => libm::cosf(x),
        TanF | TanApproxF => libm::tanf(x),
        AsinF => libm::asinf(x),
        AcosF => libm::acosf(x),
        AtanF => libm::atanf(x),
        Atan2F => libm::atan2f(x, y),
        SinhF => libm::sinhf(x),
        CoshF => libm::coshf(x),
        TanhF => libm::tanhf(x),
        PowF | PowApproxF => libm::powf(x, y),
        ErfF => libm::erff(x),
        HypotF => libm::hypotf(x, y),
        FmodF => libm::fmodf(x, y),
        FloorF => libm::floorf(x),
        CeilF => libm::ceilf(x),
        TruncF => libm::truncf(x),
        RoundF => libm::roundf(x),
        RintF => libm::rintf(x),
        ErfcF => libm::erfcf(x),
        LgammaF => libm::lgammaf(x),
        TgammaF => libm::tgammaf(x),
        AcoshF => libm::acoshf(x),
        AsinhF => libm::asinhf(x),
        AtanhF => libm::atanhf(x),
        J0F => libm::j0f(x),
        J1F => libm::j1f(x),
        Y0F => libm::y0f(x),
        Y1F => libm::y1f(x),
        RemainderF => libm::remainderf(x, y),
        NextafterF => libm::nextafterf(x, y),
        SinpiF => reconverge_math::sinpif(x),
        CospiF => reconverge_math::cospif(x),
        ErfcxF => reconverge_math::erfcxf(x),
        ErfinvF => reconverge_math::erfinvf(x),
        ErfcinvF => reconverge_math::erfcinvf(x),
        NormcdfF => reconverge_math::normcdff(x),
        NormcdfinvF => reconverge_math::normcdfinvf(x),
        BesselI0F => reconverge_math::i0f(x),
        BesselI1F => reconverge_math::i1f(x),
        JnF => reconverge_math::jnf(a as i32, f32_of(b)),
        YnF => reconverge_math::ynf(a as i32, f32_of(b)),
        ScalbnF => libm::ldexpf(x, b as i32),
        IlogbF => return Some(libm::ilogbf(x) as u64),
        RemquoQuotientF => return Some(libm::remquof(x, y).1 as u64),
        RcbrtF => 1.0 / libm::cbrtf(x),
        RhypotF => 1.0 / libm::hypotf(x, y),
        Norm3dF => libm::hypotf(libm::hypotf(x, y), f32_of(c)),
        Rnorm3dF => 1.0 / libm::hypotf(libm::hypotf(x, y), f32_of(c)),
        FdimF => libm::fdimf(x, y),
        LogbF => logbf(x),
        SignbitF => return Some(x.is_sign_negative() as u64),
        ModfFractionF => fractionf(x),
        FrexpMantissaF => libm::frexpf(x).0,
        FrexpExponentF => return Some(if x.is_finite() { libm::frexpf(x).1 as u64 } else { 0 }),
        FminF => min_f32(x, y),
        FmaxF => max_f32(x, y),
        FmaF => libm::fmaf(x, y, f32_of(c)),
        AddRnF => x + y,
        SubRnF => x - y,
        MulRnF => x * y,
        DivRnF => x / y,
        RcpRnF => 1.0 / x,
        SaturateF => min_f32(max_f32(x, 0.0), 1.0),
        FloatToHalf => return Some(half_bits(x)),
        HalfToFloat => half_value(a),
        IntToFloatRn => a as i64 as f32,
        UIntToFloatRn => a as f32,
        // Not arithmetic: the bits of a NaN stay.
        FabsF => return Some(a & 0x7FFF_FFFF),
        CopysignF => return Some(a & 0x7FFF_FFFF | b & 0x8000_0000),
        IsnanF => return Some(x.is_nan() as u64),
        IsinfF => return Some(x.is_infinite() as u64),
        IsfiniteF => return Some(x.is_finite() as u64),
        FloatAsInt => return Some(a as i32 as u64),
        FloatAsUInt => return Some(a),
        IntAsFloat => return Some(a as u32 as u64),
        UIntAsFloat => return Some(a),
        FloatToIntRn => return Some(libm::rintf(x) as i32 as u64),
        FloatToIntRz | SaturatedInt => return Some(x as i32 as u64),
        SaturatedUInt => return Some(x as u32 as u64),
        FloatToIntRd => return Some(libm::floorf(x) as i32 as u64),
        FloatToIntRu => return Some(libm::ceilf(x) as i32 as u64),
        _ => return None,
    };
    Some(slot_f32(value))
}

fn double(builtin: Builtin, a: u64, b: u64, c: u64) -> Option<u64> {
    use Builtin::*;
    const SIGN: u64 = 1 << 63;
    let (x, y) = (f64_of(a), f64_of(b));
    let value = match builtin {
        SqrtD => libm::sqrt(x),
        RsqrtD => 1.0 / libm::sqrt(x),
        CbrtD => libm::cbrt(x),
        ExpD => libm::exp(x),
        Exp2D => libm::exp2(x),
        Exp10D => libm::exp10(x),
        Expm1D => libm::expm1(x),
        LogD => libm::log(x),
        Log2D => libm::log2(x),
        Log10D => libm::log10(x),
        Log1pD => libm::log1p(x),
        SinD => libm::sin(x),
        CosD => libm::cos(x),
        TanD => libm::tan(x),
        AsinD => libm::asin(x),
        AcosD => libm::acos(x),
        AtanD => libm::atan(x),
        Atan2D => libm::atan2(x, y),
        SinhD => libm::sinh(x),
        CoshD => libm::cosh(x),
        TanhD => libm::tanh(x),
        PowD => libm::pow(x, y),
        ErfD => libm::erf(x),
        HypotD => libm::hypot(x, y),
        FmodD => libm::fmod(x, y),
        FloorD => libm::floor(x),
        CeilD => libm::ceil(x),
        TruncD => libm::trunc(x),
        RoundD => libm::round(x),
        RintD => libm::rint(x),
        ErfcD => libm::erfc(x),
        LgammaD => libm::lgamma(x),
        TgammaD => libm::tgamma(x),
        AcoshD => libm::acosh(x),
        AsinhD => libm::asinh(x),
        AtanhD => libm::atanh(x),
        J0D => libm::j0(x),
        J1D => libm::j1(x),
        Y0D => libm::y0(x),
        Y1D => libm::y1(x),
        RemainderD => libm::remainder(x, y),
        NextafterD => libm::nextafter(x, y),
        SinpiD => reconverge_math::sinpi(x),
        CospiD => reconverge_math::cospi(x),
        ErfcxD => reconverge_math::erfcx(x),
        ErfinvD => reconverge_math::erfinv(x),
        ErfcinvD => reconverge_math::erfcinv(x),
        NormcdfD => reconverge_math::normcdf(x),
        NormcdfinvD => reconverge_math::normcdfinv(x),
        BesselI0D => reconverge_math::i0(x),
        BesselI1D => reconverge_math::i1(x),
        JnD => reconverge_math::jn(a as i32, f64_of(b)),
        YnD => reconverge_math::yn(a as i32, f64_of(b)),
        ScalbnD => libm::ldexp(x, b as i32),
        IlogbD => return Some(libm::ilogb(x) as u64),
        RemquoQuotientD => return Some(libm::remquo(x, y).1 as u64),
        RcbrtD => 1.0 / libm::cbrt(x),
        RhypotD => 1.0 / libm::hypot(x, y),
        Norm3dD => libm::hypot(libm::hypot(x, y), f64_of(c)),
        Rnorm3dD => 1.0 / libm::hypot(libm::hypot(x, y), f64_of(c)),
        FdimD => libm::fdim(x, y),
        LogbD => logb(x),
        SignbitD => return Some(x.is_sign_negative() as u64),
        ModfFractionD => fraction(x),
        FrexpMantissaD => libm::frexp(x).0,
        FrexpExponentD => return Some(if x.is_finite() { libm::frexp(x).1 as u64 } else { 0 }),
        AddRnD => x + y,
        SubRnD => x - y,
        MulRnD => x * y,
        DivRnD => x / y,
        RcpRnD => 1.0 / x,
        FminD => min_f64(x, y),
        FmaxD => max_f64(x, y),
        FmaD => libm::fma(x, y, f64_of(c)),
        FabsD => return Some(a & !SIGN),
        CopysignD => return Some(a & !SIGN | b & SIGN),
        IsnanD => return Some(x.is_nan() as u64),
        IsinfD => return Some(x.is_infinite() as u64),
        IsfiniteD => return Some(x.is_finite() as u64),
        DoubleAsLong | LongAsDouble => return Some(a),
        _ => return None,
    };
    Some(slot_f64(value))
}

fn integer(builtin: Builtin, a: u64, b: u64) -> Option<u64> {
    use Builtin::*;
    let (x, y) = (a as i64, b as i64);
    Some(match builtin {
        AbsI => (a as i32).wrapping_abs() as u64,
        AbsL => x.wrapping_abs() as u64,
        // Slots keep their sign, so one comparison serves both widths.
        MinI | MinL => x.min(y) as u64,
        MinU | MinUL => a.min(b),
        MaxI | MaxL => x.max(y) as u64,
        MaxU | MaxUL => a.max(b),
        Mul24 => (low24(a).wrapping_mul(low24(b)) as i32) as u64,
        UMul24 => ((a & 0xFF_FFFF) * (b & 0xFF_FFFF)) as u32 as u64,
        MulHi => ((x.wrapping_mul(y) >> 32) as i32) as u64,
        UMulHi => (a as u32 as u64 * (b as u32 as u64)) >> 32,
        Mul64Hi => ((x as i128 * y as i128) >> 64) as u64,
        UMul64Hi => ((a as u128 * b as u128) >> 64) as u64,
        Popc => (a as u32).count_ones() as u64,
        PopcL => a.count_ones() as u64,
        Clz => (a as u32).leading_zeros() as u64,
        ClzL => a.leading_zeros() as u64,
        Ffs | FindFirst => first_set(a as u32 as u64),
        FfsL | FindFirstL => first_set(a),
        Brev => (a as u32).reverse_bits() as u64,
        ThreadFence | ThreadFenceBlock | Nanosleep | ProfTrigger => 0,
        _ => return None,
    })
}

/// The bits of the half nearest to a float: counted in steps of a half of that size.
fn half_bits(x: f32) -> u64 {
    let size = f64::from(x.abs());
    let sign = u64::from(x.is_sign_negative()) << 15;
    if x.is_nan() {
        return 0x7FFF;
    }
    if size >= 65520.0 {
        return sign | 0x7C00;
    }
    let mut exponent = -14;
    while size >= 2f64.powi(exponent + 1) {
        exponent += 1;
    }
    // 1024 steps and more in the normal ones, whose exponent counts the first 1024 once too often.
    let steps = (size / 2f64.powi(exponent - 10)).round_ties_even() as u64;
    sign | ((((exponent + 14) as u64) << 10) + steps)
}

fn half_value(bits: u64) -> f32 {
    let (exponent, fraction) = ((bits >> 10 & 31) as i32, (bits & 1023) as f32);
    let size = match exponent {
        31 if fraction == 0.0 => f32::INFINITY,
        31 => return f32::NAN,
        0 => fraction * 2f32.powi(-24),
        _ => (1024.0 + fraction) * 2f32.powi(exponent - 25),
    };
    if bits & 0x8000 != 0 { -size } else { size }
}

fn low24(slot: u64) -> i64 {
    (slot as i64) << 40 >> 40
}

fn first_set(bits: u64) -> u64 {
    if bits == 0 {
        return 0;
    }
    bits.trailing_zeros() as u64 + 1
}

macro_rules! extremes {
    ($min:ident, $max:ident, $float:ty) => {
        fn $min(x: $float, y: $float) -> $float {
            if x.is_nan() {
                return y;
            }
            // Among two equal ones, the negative: they differ only if they are zeroes.
            if y.is_nan() || x < y || (x == y && x.is_sign_negative()) {
                return x;
            }
            y
        }

        fn $max(x: $float, y: $float) -> $float {
            if x.is_nan() {
                return y;
            }
            if y.is_nan() || x > y || (x == y && x.is_sign_positive()) {
                return x;
            }
            y
        }
    };
}

extremes!(min_f32, max_f32, f32);
extremes!(min_f64, max_f64, f64);

macro_rules! pieces {
    ($logb:ident, $ilogb:path, $fraction:ident, $trunc:path, $float:ty) => {
        fn $logb(x: $float) -> $float {
            match x {
                0.0 => <$float>::NEG_INFINITY,
                _ if x.is_finite() => $ilogb(x) as $float,
                _ => x.abs(),
            }
        }

        fn $fraction(x: $float) -> $float {
            let rest = if x.is_infinite() { 0.0 } else { x - $trunc(x) };
            rest.copysign(x)
        }
    };
}

pieces!(logbf, libm::ilogbf, fractionf, libm::truncf, f32);
pieces!(logb, libm::ilogb, fraction, libm::trunc, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeroes_are_ordered_and_nans_lose() {
        assert_eq!(min_f32(0.0, -0.0).to_bits(), (-0.0f32).to_bits());
        assert_eq!(max_f32(-0.0, 0.0).to_bits(), 0);
        assert_eq!(max_f64(f64::NAN, -1.0), -1.0);
        let both = pure(Builtin::FminF, 0xFFC0_0000, 0xFFC0_0001, 0);
        assert_eq!(both, Some(0x7FFF_FFFF));
    }

    #[test]
    fn integers() {
        let call = |builtin, a: i64, b: i64| pure(builtin, a as u64, b as u64, 0).unwrap() as i64;
        assert_eq!(call(Builtin::AbsI, i32::MIN as i64, 0), i32::MIN as i64);
        assert_eq!(call(Builtin::MulHi, -1, 1), -1);
        assert_eq!(call(Builtin::Mul24, -1, 3), -3);
        assert_eq!(call(Builtin::Clz, -1, 0), 0);
        assert_eq!(call(Builtin::Ffs, 8, 0), 4);
        assert_eq!(call(Builtin::UMulHi, 0xFFFF_FFFF, 2), 1);
    }
}
