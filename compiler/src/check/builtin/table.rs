//! The table of the built-in functions: a row for each.
//!
//! A row is a sentence, the name in [`Builtin`], where it may be called, every spelling, the parameters, the
//! result, and how many trailing parameters may be left out.

use super::ty::{Side, Ty};

/// The properties of a built-in.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The built-in.
    pub builtin: Builtin,
    /// Every spelling.
    pub names: &'static [&'static str],
    /// Parameters.
    pub parameters: &'static [Ty],
    /// Result.
    pub result: Ty,
    /// The sides that may call it.
    pub side: Side,
    /// The number of trailing parameters that are optional (they are then zero;
    /// `cudaMemcpyToSymbol`'s kind is then the usual direction, `__syncwarp`'s mask all lanes).
    pub optional: usize,
    /// One sentence.
    pub doc: &'static str,
}

macro_rules! builtins {
    ($($(#[doc = $doc:literal])+ $variant:ident $side:ident [$($name:literal),+] ($($param:ident),*) -> $result:ident $(optional $optional:literal)?;)*) => {
        /// A built-in function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Builtin { $($(#[doc = $doc])+ $variant,)* }
        /// Every built-in, in the order of the enumeration.
        pub const TABLE: &[Row] = &[$(Row {
            builtin: Builtin::$variant,
            names: &[$($name),+],
            parameters: &[$(Ty::$param),*],
            result: Ty::$result,
            side: Side::$side,
            optional: 0 $(+ $optional)?,
            doc: concat!($($doc),+),
        },)*];
    };
}

builtins! {
    // Float mathematics: `libm`'s results everywhere.
    /// Square root, correctly rounded.
    SqrtF Both ["sqrtf", "sqrt", "__fsqrt_rn"] (F) -> F;
    /// Square root, correctly rounded.
    SqrtD Both ["sqrt", "__dsqrt_rn"] (D) -> D;
    /// `1 / sqrt(x)`, each step rounded.
    RsqrtF Both ["rsqrtf", "rsqrt", "__frsqrt_rn"] (F) -> F;
    /// `1 / sqrt(x)`, each step rounded.
    RsqrtD Both ["rsqrt"] (D) -> D;
    /// Cube root.
    CbrtF Both ["cbrtf", "cbrt"] (F) -> F;
    /// Cube root.
    CbrtD Both ["cbrt"] (D) -> D;
    /// Exponential.
    ExpF Both ["expf", "exp"] (F) -> F;
    /// Exponential, as fast as it can be: the same result.
    ExpApproxF Both ["__expf"] (F) -> F;
    /// Exponential.
    ExpD Both ["exp"] (D) -> D;
    /// Power of two.
    Exp2F Both ["exp2f", "exp2"] (F) -> F;
    /// Power of two.
    Exp2D Both ["exp2"] (D) -> D;
    /// Power of ten.
    Exp10F Both ["exp10f", "exp10"] (F) -> F;
    /// Power of ten, as fast as it can be: the same result.
    Exp10ApproxF Both ["__exp10f"] (F) -> F;
    /// Power of ten.
    Exp10D Both ["exp10"] (D) -> D;
    /// `exp(x) - 1`.
    Expm1F Both ["expm1f", "expm1"] (F) -> F;
    /// `exp(x) - 1`.
    Expm1D Both ["expm1"] (D) -> D;
    /// Natural logarithm.
    LogF Both ["logf", "log"] (F) -> F;
    /// Natural logarithm, as fast as it can be: the same result.
    LogApproxF Both ["__logf"] (F) -> F;
    /// Natural logarithm.
    LogD Both ["log"] (D) -> D;
    /// Binary logarithm.
    Log2F Both ["log2f", "log2"] (F) -> F;
    /// Binary logarithm, as fast as it can be: the same result.
    Log2ApproxF Both ["__log2f"] (F) -> F;
    /// Binary logarithm.
    Log2D Both ["log2"] (D) -> D;
    /// Decimal logarithm.
    Log10F Both ["log10f", "log10"] (F) -> F;
    /// Decimal logarithm, as fast as it can be: the same result.
    Log10ApproxF Both ["__log10f"] (F) -> F;
    /// Decimal logarithm.
    Log10D Both ["log10"] (D) -> D;
    /// `log(1 + x)`.
    Log1pF Both ["log1pf", "log1p"] (F) -> F;
    /// `log(1 + x)`.
    Log1pD Both ["log1p"] (D) -> D;
    /// Sine.
    SinF Both ["sinf", "sin"] (F) -> F;
    /// Sine, as fast as it can be: the same result.
    SinApproxF Both ["__sinf"] (F) -> F;
    /// Sine.
    SinD Both ["sin"] (D) -> D;
    /// Cosine.
    CosF Both ["cosf", "cos"] (F) -> F;
    /// Cosine, as fast as it can be: the same result.
    CosApproxF Both ["__cosf"] (F) -> F;
    /// Cosine.
    CosD Both ["cos"] (D) -> D;
    /// Tangent.
    TanF Both ["tanf", "tan"] (F) -> F;
    /// Tangent, as fast as it can be: the same result.
    TanApproxF Both ["__tanf"] (F) -> F;
    /// Tangent.
    TanD Both ["tan"] (D) -> D;
    /// Arc sine.
    AsinF Both ["asinf", "asin"] (F) -> F;
    /// Arc sine.
    AsinD Both ["asin"] (D) -> D;
    /// Arc cosine.
    AcosF Both ["acosf", "acos"] (F) -> F;
    /// Arc cosine.
    AcosD Both ["acos"] (D) -> D;
    /// Arc tangent.
    AtanF Both ["atanf", "atan"] (F) -> F;
    /// Arc tangent.
    AtanD Both ["atan"] (D) -> D;
    /// Arc tangent of a quotient.
    Atan2F Both ["atan2f", "atan2"] (F, F) -> F;
    /// Arc tangent of a quotient.
    Atan2D Both ["atan2"] (D, D) -> D;
    /// Hyperbolic sine.
    SinhF Both ["sinhf", "sinh"] (F) -> F;
    /// Hyperbolic sine.
    SinhD Both ["sinh"] (D) -> D;
    /// Hyperbolic cosine.
    CoshF Both ["coshf", "cosh"] (F) -> F;
    /// Hyperbolic cosine.
    CoshD Both ["cosh"] (D) -> D;
    /// Hyperbolic tangent.
    TanhF Both ["tanhf", "tanh"] (F) -> F;
    /// Hyperbolic tangent.
    TanhD Both ["tanh"] (D) -> D;
    /// Power.
    PowF Both ["powf", "pow"] (F, F) -> F;
    /// Power, as fast as it can be: the same result.
    PowApproxF Both ["__powf"] (F, F) -> F;
    /// Power.
    PowD Both ["pow"] (D, D) -> D;
    /// Error function.
    ErfF Both ["erff", "erf"] (F) -> F;
    /// Error function.
    ErfD Both ["erf"] (D) -> D;
    /// Length of a vector of two.
    HypotF Both ["hypotf", "hypot"] (F, F) -> F;
    /// Length of a vector of two.
    HypotD Both ["hypot"] (D, D) -> D;
    /// Remainder with the sign of the dividend.
    FmodF Both ["fmodf", "fmod"] (F, F) -> F;
    /// Remainder with the sign of the dividend.
    FmodD Both ["fmod"] (D, D) -> D;
    /// Absolute value.
    FabsF Both ["fabsf", "fabs", "abs"] (F) -> F;
    /// Absolute value.
    FabsD Both ["fabs", "abs"] (D) -> D;
    /// Largest integer not above.
    FloorF Both ["floorf", "floor"] (F) -> F;
    /// Largest integer not above.
    FloorD Both ["floor"] (D) -> D;
    /// Smallest integer not below.
    CeilF Both ["ceilf", "ceil"] (F) -> F;
    /// Smallest integer not below.
    CeilD Both ["ceil"] (D) -> D;
    /// Integer part.
    TruncF Both ["truncf", "trunc"] (F) -> F;
    /// Integer part.
    TruncD Both ["trunc"] (D) -> D;
    /// Nearest integer, halves away from zero.
    RoundF Both ["roundf", "round"] (F) -> F;
    /// Nearest integer, halves away from zero.
    RoundD Both ["round"] (D) -> D;
    /// Nearest integer, halves to even.
    RintF Both ["rintf", "rint", "nearbyintf", "nearbyint"] (F) -> F;
    /// Nearest integer, halves to even.
    RintD Both ["rint", "nearbyint"] (D) -> D;
    /// The smaller; the number when one is NaN; -0 below +0.
    FminF Both ["fminf", "fmin", "min"] (F, F) -> F;
    /// The smaller; the number when one is NaN; -0 below +0.
    FminD Both ["fmin", "min"] (D, D) -> D;
    /// The larger; the number when one is NaN; -0 below +0.
    FmaxF Both ["fmaxf", "fmax", "max"] (F, F) -> F;
    /// The larger; the number when one is NaN; -0 below +0.
    FmaxD Both ["fmax", "max"] (D, D) -> D;
    /// `a * b + c` with one rounding.
    FmaF Both ["fmaf", "fma", "__fmaf_rn", "__fmaf_ieee_rn"] (F, F, F) -> F;
    /// `a * b + c` with one rounding.
    FmaD Both ["fma", "__fma_rn"] (D, D, D) -> D;
    /// Magnitude of the first, sign of the second.
    CopysignF Both ["copysignf", "copysign"] (F, F) -> F;
    /// Magnitude of the first, sign of the second.
    CopysignD Both ["copysign"] (D, D) -> D;
    /// True if the value is a NaN.
    IsnanF Both ["isnan"] (F) -> B;
    /// True if the value is a NaN.
    IsnanD Both ["isnan"] (D) -> B;
    /// True if the value is an infinity.
    IsinfF Both ["isinf"] (F) -> B;
    /// True if the value is an infinity.
    IsinfD Both ["isinf"] (D) -> B;
    /// True if the value is neither NaN nor infinite.
    IsfiniteF Both ["isfinite"] (F) -> B;
    /// True if the value is neither NaN nor infinite.
    IsfiniteD Both ["isfinite"] (D) -> B;
    /// `1 - erf(x)`.
    ErfcF Both ["erfcf", "erfc"] (F) -> F;
    /// `1 - erf(x)`.
    ErfcD Both ["erfc"] (D) -> D;
    /// Logarithm of the magnitude of the gamma function.
    LgammaF Both ["lgammaf", "lgamma"] (F) -> F;
    /// Logarithm of the magnitude of the gamma function.
    LgammaD Both ["lgamma"] (D) -> D;
    /// Gamma function.
    TgammaF Both ["tgammaf", "tgamma"] (F) -> F;
    /// Gamma function.
    TgammaD Both ["tgamma"] (D) -> D;
    /// Inverse hyperbolic cosine.
    AcoshF Both ["acoshf", "acosh"] (F) -> F;
    /// Inverse hyperbolic cosine.
    AcoshD Both ["acosh"] (D) -> D;
    /// Inverse hyperbolic sine.
    AsinhF Both ["asinhf", "asinh"] (F) -> F;
    /// Inverse hyperbolic sine.
    AsinhD Both ["asinh"] (D) -> D;
    /// Inverse hyperbolic tangent.
    AtanhF Both ["atanhf", "atanh"] (F) -> F;
    /// Inverse hyperbolic tangent.
    AtanhD Both ["atanh"] (D) -> D;
    /// Bessel function of the first kind, order 0.
    J0F Both ["j0f", "j0"] (F) -> F;
    /// Bessel function of the first kind, order 0.
    J0D Both ["j0"] (D) -> D;
    /// Bessel function of the first kind, order 1.
    J1F Both ["j1f", "j1"] (F) -> F;
    /// Bessel function of the first kind, order 1.
    J1D Both ["j1"] (D) -> D;
    /// Bessel function of the second kind, order 0.
    Y0F Both ["y0f", "y0"] (F) -> F;
    /// Bessel function of the second kind, order 0.
    Y0D Both ["y0"] (D) -> D;
    /// Bessel function of the second kind, order 1.
    Y1F Both ["y1f", "y1"] (F) -> F;
    /// Bessel function of the second kind, order 1.
    Y1D Both ["y1"] (D) -> D;
    /// `x - n * y`, n the integer nearest to `x / y`, halves to even.
    RemainderF Both ["remainderf", "remainder"] (F, F) -> F;
    /// `x - n * y`, n the integer nearest to `x / y`, halves to even.
    RemainderD Both ["remainder"] (D, D) -> D;
    /// The next value towards the second.
    NextafterF Both ["nextafterf", "nextafter"] (F, F) -> F;
    /// The next value towards the second.
    NextafterD Both ["nextafter"] (D, D) -> D;
    /// Sine of `pi * x`.
    SinpiF Both ["sinpif", "sinpi"] (F) -> F;
    /// Sine of `pi * x`.
    SinpiD Both ["sinpi"] (D) -> D;
    /// Cosine of `pi * x`.
    CospiF Both ["cospif", "cospi"] (F) -> F;
    /// Cosine of `pi * x`.
    CospiD Both ["cospi"] (D) -> D;
    /// `exp(x * x) * erfc(x)`.
    ErfcxF Both ["erfcxf", "erfcx"] (F) -> F;
    /// `exp(x * x) * erfc(x)`.
    ErfcxD Both ["erfcx"] (D) -> D;
    /// Inverse of `erf`.
    ErfinvF Both ["erfinvf", "erfinv"] (F) -> F;
    /// Inverse of `erf`.
    ErfinvD Both ["erfinv"] (D) -> D;
    /// Inverse of `erfc`.
    ErfcinvF Both ["erfcinvf", "erfcinv"] (F) -> F;
    /// Inverse of `erfc`.
    ErfcinvD Both ["erfcinv"] (D) -> D;
    /// The standard normal distribution, up to the value.
    NormcdfF Both ["normcdff", "normcdf"] (F) -> F;
    /// The standard normal distribution, up to the value.
    NormcdfD Both ["normcdf"] (D) -> D;
    /// Inverse of `normcdf`.
    NormcdfinvF Both ["normcdfinvf", "normcdfinv"] (F) -> F;
    /// Inverse of `normcdf`.
    NormcdfinvD Both ["normcdfinv"] (D) -> D;
    /// Modified Bessel function of the first kind, order 0.
    BesselI0F Both ["cyl_bessel_i0f", "cyl_bessel_i0"] (F) -> F;
    /// Modified Bessel function of the first kind, order 0.
    BesselI0D Both ["cyl_bessel_i0"] (D) -> D;
    /// Modified Bessel function of the first kind, order 1.
    BesselI1F Both ["cyl_bessel_i1f", "cyl_bessel_i1"] (F) -> F;
    /// Modified Bessel function of the first kind, order 1.
    BesselI1D Both ["cyl_bessel_i1"] (D) -> D;
    /// Bessel function of the first kind, order n; NaN beyond 65536.
    JnD Both ["jn"] (I, D) -> D;
    /// Bessel function of the first kind, order n; NaN beyond 65536.
    JnF Both ["jnf", "jn"] (I, F) -> F;
    /// Bessel function of the second kind, order n; NaN beyond 65536.
    YnD Both ["yn"] (I, D) -> D;
    /// Bessel function of the second kind, order n; NaN beyond 65536.
    YnF Both ["ynf", "yn"] (I, F) -> F;
    /// `x * 2^n`, rounded once.
    ScalbnD Both ["ldexp", "scalbn"] (D, I) -> D;
    /// `x * 2^n`, rounded once.
    ScalbnF Both ["ldexpf", "ldexp", "scalbnf", "scalbn"] (F, I) -> F;
    /// The binary exponent; `INT_MIN` for 0 and NaN, `INT_MAX` for an infinity.
    IlogbF Both ["ilogbf", "ilogb"] (F) -> I;
    /// The integer that `remquo` stores: the low bits of n, with the sign of `x / y`.
    RemquoQuotientF Both ["remquo.quotientf"] (F, F) -> I;
    /// `1 / cbrt(x)`, each step rounded.
    RcbrtF Both ["rcbrtf", "rcbrt"] (F) -> F;
    /// `1 / hypot(x, y)`, each step rounded.
    RhypotF Both ["rhypotf", "rhypot"] (F, F) -> F;
    /// Length of a vector of three: `hypot(hypot(x, y), z)`.
    Norm3dF Both ["norm3df"] (F, F, F) -> F;
    /// `1 / norm3d(x, y, z)`, each step rounded.
    Rnorm3dF Both ["rnorm3df"] (F, F, F) -> F;
    /// `x - y` if that is positive, else 0.
    FdimF Both ["fdimf", "fdim"] (F, F) -> F;
    /// The binary exponent; -infinity for 0, infinity for an infinity.
    LogbF Both ["logbf", "logb"] (F) -> F;
    /// True if the sign bit is set.
    SignbitF Both ["signbit", "__signbitf"] (F) -> B;
    /// To integer, halves to even, saturating.
    LrintF Both ["lrintf", "lrint", "llrintf", "llrint"] (F) -> L;
    /// To integer, halves away from zero, saturating.
    LroundF Both ["lroundf", "lround", "llroundf", "llround"] (F) -> L;
    /// The result of `modf`.
    ModfFractionF Both ["modf.fractionf"] (F) -> F;
    /// The result of `frexp`.
    FrexpMantissaF Both ["frexp.mantissaf"] (F) -> F;
    /// The integer that `frexp` stores.
    FrexpExponentF Both ["frexp.exponentf"] (F) -> I;
    /// Stores the sine and the cosine: (x, sine, cosine).
    SincosF Both ["sincosf", "sincos"] (F, PF, PF) -> V;
    /// Sine and cosine, as fast as they can be: the same results.
    SincosApproxF Both ["__sincosf"] (F, PF, PF) -> V;
    /// Stores `sinpi` and `cospi`: (x, sine, cosine).
    SincospiF Both ["sincospif", "sincospi"] (F, PF, PF) -> V;
    /// The mantissa in [0.5, 1), and stores the exponent.
    FrexpD Both ["frexp"] (D, PI) -> D;
    /// The mantissa in [0.5, 1), and stores the exponent.
    FrexpF Both ["frexpf", "frexp"] (F, PI) -> F;
    /// The fraction, and stores the integer part, both with the sign of the value.
    ModfF Both ["modff", "modf"] (F, PF) -> F;
    /// `remainder(x, y)`, and stores the low bits of n.
    RemquoD Both ["remquo"] (D, D, PI) -> D;
    /// `remainder(x, y)`, and stores the low bits of n.
    RemquoF Both ["remquof", "remquo"] (F, F, PI) -> F;
    /// The binary exponent; `INT_MIN` for 0 and NaN, `INT_MAX` for an infinity.
    IlogbD Both ["ilogb"] (D) -> I;
    /// The integer that `remquo` stores: the low bits of n, with the sign of `x / y`.
    RemquoQuotientD Both ["remquo.quotient"] (D, D) -> I;
    /// `1 / cbrt(x)`, each step rounded.
    RcbrtD Both ["rcbrt"] (D) -> D;
    /// `1 / hypot(x, y)`, each step rounded.
    RhypotD Both ["rhypot"] (D, D) -> D;
    /// Length of a vector of three: `hypot(hypot(x, y), z)`.
    Norm3dD Both ["norm3d"] (D, D, D) -> D;
    /// `1 / norm3d(x, y, z)`, each step rounded.
    Rnorm3dD Both ["rnorm3d"] (D, D, D) -> D;
    /// `x - y` if that is positive, else 0.
    FdimD Both ["fdim"] (D, D) -> D;
    /// The binary exponent; -infinity for 0, infinity for an infinity.
    LogbD Both ["logb"] (D) -> D;
    /// True if the sign bit is set.
    SignbitD Both ["signbit", "__signbitd"] (D) -> B;
    /// To integer, halves to even, saturating.
    LrintD Both ["lrint", "llrint"] (D) -> L;
    /// To integer, halves away from zero, saturating.
    LroundD Both ["lround", "llround"] (D) -> L;
    /// The result of `modf`.
    ModfFractionD Both ["modf.fraction"] (D) -> D;
    /// The result of `frexp`.
    FrexpMantissaD Both ["frexp.mantissa"] (D) -> D;
    /// The integer that `frexp` stores.
    FrexpExponentD Both ["frexp.exponent"] (D) -> I;
    /// Stores the sine and the cosine: (x, sine, cosine).
    SincosD Both ["sincos"] (D, PD, PD) -> V;
    /// Stores `sinpi` and `cospi`: (x, sine, cosine).
    SincospiD Both ["sincospi"] (D, PD, PD) -> V;
    /// The fraction, and stores the integer part, both with the sign of the value.
    ModfD Both ["modf"] (D, PD) -> D;
    /// Sum that is never contracted.
    AddRnF Device ["__fadd_rn"] (F, F) -> F;
    /// Difference that is never contracted.
    SubRnF Device ["__fsub_rn"] (F, F) -> F;
    /// Product that is never contracted.
    MulRnF Device ["__fmul_rn"] (F, F) -> F;
    /// Quotient.
    DivRnF Device ["__fdiv_rn", "__fdividef", "fdividef", "fdivide"] (F, F) -> F;
    /// Reciprocal.
    RcpRnF Device ["__frcp_rn"] (F) -> F;
    /// Clamped to [0, 1]; NaN gives 0.
    SaturateF Device ["__saturatef"] (F) -> F;

    // Integers.
    /// Absolute value, modulo 2³².
    AbsI Both ["abs"] (I) -> I;
    /// Absolute value, modulo 2⁶⁴.
    AbsL Both ["labs", "llabs", "abs"] (L) -> L;
    /// The smaller.
    MinI Both ["min"] (I, I) -> I;
    /// The smaller.
    MinU Both ["min", "umin"] (U, U) -> U;
    /// The smaller.
    MinL Both ["min", "llmin"] (L, L) -> L;
    /// The smaller.
    MinUL Both ["min", "ullmin"] (UL, UL) -> UL;
    /// The larger.
    MaxI Both ["max"] (I, I) -> I;
    /// The larger.
    MaxU Both ["max", "umax"] (U, U) -> U;
    /// The larger.
    MaxL Both ["max", "llmax"] (L, L) -> L;
    /// The larger.
    MaxUL Both ["max", "ullmax"] (UL, UL) -> UL;
    /// Product of the low 24 bits, sign-extended; low 32 bits of it.
    Mul24 Device ["__mul24"] (I, I) -> I;
    /// Product of the low 24 bits; low 32 bits of it.
    UMul24 Device ["__umul24"] (U, U) -> U;
    /// Upper 32 bits of the 64-bit product.
    MulHi Device ["__mulhi"] (I, I) -> I;
    /// Upper 32 bits of the 64-bit product.
    UMulHi Device ["__umulhi"] (U, U) -> U;
    /// Upper 64 bits of the 128-bit product.
    Mul64Hi Device ["__mul64hi"] (L, L) -> L;
    /// Upper 64 bits of the 128-bit product.
    UMul64Hi Device ["__umul64hi"] (UL, UL) -> UL;
    /// Number of ones.
    Popc Device ["__popc"] (U) -> I;
    /// Number of ones.
    PopcL Device ["__popcll"] (UL) -> I;
    /// Number of leading zeroes.
    Clz Device ["__clz"] (I) -> I;
    /// Number of leading zeroes.
    ClzL Device ["__clzll"] (L) -> I;
    /// Position of the lowest one, counted from 1; 0 for none.
    Ffs Device ["__ffs"] (I) -> I;
    /// Position of the lowest one, counted from 1; 0 for none.
    FindFirst Both ["ffs"] (I) -> I;
    /// Position of the lowest one, counted from 1; 0 for none.
    FfsL Device ["__ffsll"] (L) -> I;
    /// Position of the lowest one, counted from 1; 0 for none.
    FindFirstL Both ["ffsl", "ffsll"] (L) -> I;
    /// Bits in reverse order.
    Brev Device ["__brev"] (U) -> U;
    /// The bits of a float.
    FloatAsInt Device ["__float_as_int"] (F) -> I;
    /// The bits of a float.
    FloatAsUInt Device ["__float_as_uint"] (F) -> U;
    /// The float of these bits.
    IntAsFloat Device ["__int_as_float"] (I) -> F;
    /// The float of these bits.
    UIntAsFloat Device ["__uint_as_float"] (U) -> F;
    /// The bits of a double.
    DoubleAsLong Device ["__double_as_longlong"] (D) -> L;
    /// The double of these bits.
    LongAsDouble Device ["__longlong_as_double"] (L) -> D;
    /// To integer, halves to even, saturating.
    FloatToIntRn Device ["__float2int_rn"] (F) -> I;
    /// To integer, towards zero, saturating.
    FloatToIntRz Device ["__float2int_rz"] (F) -> I;
    /// To integer, downwards, saturating.
    FloatToIntRd Device ["__float2int_rd"] (F) -> I;
    /// To integer, upwards, saturating.
    FloatToIntRu Device ["__float2int_ru"] (F) -> I;
    /// The bits of the half that is nearest, halves to even.
    FloatToHalf Both ["__float_to_half"] (F) -> U;
    /// To integer, towards zero, as the device does it, on both sides.
    SaturatedInt Both ["__float_to_int"] (F) -> I;
    /// To integer, towards zero, as the device does it, on both sides.
    SaturatedUInt Both ["__float_to_uint"] (F) -> U;
    /// The float of a half's bits.
    HalfToFloat Both ["__half_to_float"] (U) -> F;
    /// To float, halves to even.
    IntToFloatRn Device ["__int2float_rn"] (I) -> F;
    /// To float, halves to even.
    UIntToFloatRn Device ["__uint2float_rn"] (U) -> F;

    /// `|x - y| + z`.
    SadI Device ["__sad"] (I, I, U) -> U;
    /// `|x - y| + z`.
    SadU Device ["__usad"] (U, U, U) -> U;
    /// `(x + y) / 2` without overflow, downwards.
    HaddI Device ["__hadd"] (I, I) -> I;
    /// `(x + y + 1) / 2` without overflow, downwards.
    RhaddI Device ["__rhadd"] (I, I) -> I;
    /// `(x + y) / 2` without overflow.
    HaddU Device ["__uhadd"] (U, U) -> U;
    /// `(x + y + 1) / 2` without overflow.
    RhaddU Device ["__urhadd"] (U, U) -> U;
    /// Bits in reverse order.
    BrevL Device ["__brevll"] (UL) -> UL;
    /// Four bytes of the two words, each chosen by three bits of a nibble of the third.
    BytePerm Device ["__byte_perm"] (U, U, U) -> U;
    /// Upper word of `(high:low) << n % 32`: (low, high, n).
    FunnelL Device ["__funnelshift_l"] (U, U, U) -> U;
    /// Upper word of `(high:low) << min(n, 32)`: (low, high, n).
    FunnelLc Device ["__funnelshift_lc"] (U, U, U) -> U;
    /// Lower word of `(high:low) >> n % 32`: (low, high, n).
    FunnelR Device ["__funnelshift_r"] (U, U, U) -> U;
    /// Lower word of `(high:low) >> min(n, 32)`: (low, high, n).
    FunnelRc Device ["__funnelshift_rc"] (U, U, U) -> U;
    /// Place of the nth one from a base on, downwards for a negative n: (mask, base, n).
    Fns Device ["__fns"] (U, U, I) -> U;
    /// Sum of the products of the bytes and the third.
    Dp4aI Device ["__dp4a"] (I, I, I) -> I;
    /// Products of the halves with the two low bytes, and the third.
    Dp2aLoI Device ["__dp2a_lo"] (I, I, I) -> I;
    /// Products of the halves with the two high bytes, and the third.
    Dp2aHiI Device ["__dp2a_hi"] (I, I, I) -> I;
    /// Sum of the products of the bytes and the third.
    Dp4aU Device ["__dp4a"] (U, U, U) -> U;
    /// Products of the halves with the two low bytes, and the third.
    Dp2aLoU Device ["__dp2a_lo"] (U, U, U) -> U;
    /// Products of the halves with the two high bytes, and the third.
    Dp2aHiU Device ["__dp2a_hi"] (U, U, U) -> U;
    /// The double of these words: (high, low).
    HiLoToDouble Device ["__hiloint2double"] (I, I) -> D;
    /// The upper word of a double.
    DoubleHigh Device ["__double2hiint"] (D) -> I;
    /// The lower word of a double.
    DoubleLow Device ["__double2loint"] (D) -> I;

    // Casts.
    /// To integer, to nearest, halves to even, saturating.
    FloatToUIntRn Device ["__float2uint_rn"] (F) -> U;
    /// To integer, towards zero, saturating.
    FloatToUIntRz Device ["__float2uint_rz"] (F) -> U;
    /// To integer, downwards, saturating.
    FloatToUIntRd Device ["__float2uint_rd"] (F) -> U;
    /// To integer, upwards, saturating.
    FloatToUIntRu Device ["__float2uint_ru"] (F) -> U;
    /// To integer, to nearest, halves to even, saturating.
    FloatToLongRn Device ["__float2ll_rn"] (F) -> L;
    /// To integer, towards zero, saturating.
    FloatToLongRz Device ["__float2ll_rz"] (F) -> L;
    /// To integer, downwards, saturating.
    FloatToLongRd Device ["__float2ll_rd"] (F) -> L;
    /// To integer, upwards, saturating.
    FloatToLongRu Device ["__float2ll_ru"] (F) -> L;
    /// To integer, to nearest, halves to even, saturating.
    FloatToULongRn Device ["__float2ull_rn"] (F) -> UL;
    /// To integer, towards zero, saturating.
    FloatToULongRz Device ["__float2ull_rz"] (F) -> UL;
    /// To integer, downwards, saturating.
    FloatToULongRd Device ["__float2ull_rd"] (F) -> UL;
    /// To integer, upwards, saturating.
    FloatToULongRu Device ["__float2ull_ru"] (F) -> UL;
    /// To integer, to nearest, halves to even, saturating.
    DoubleToIntRn Device ["__double2int_rn"] (D) -> I;
    /// To integer, towards zero, saturating.
    DoubleToIntRz Device ["__double2int_rz"] (D) -> I;
    /// To integer, downwards, saturating.
    DoubleToIntRd Device ["__double2int_rd"] (D) -> I;
    /// To integer, upwards, saturating.
    DoubleToIntRu Device ["__double2int_ru"] (D) -> I;
    /// To integer, to nearest, halves to even, saturating.
    DoubleToUIntRn Device ["__double2uint_rn"] (D) -> U;
    /// To integer, towards zero, saturating.
    DoubleToUIntRz Device ["__double2uint_rz"] (D) -> U;
    /// To integer, downwards, saturating.
    DoubleToUIntRd Device ["__double2uint_rd"] (D) -> U;
    /// To integer, upwards, saturating.
    DoubleToUIntRu Device ["__double2uint_ru"] (D) -> U;
    /// To integer, to nearest, halves to even, saturating.
    DoubleToLongRn Device ["__double2ll_rn"] (D) -> L;
    /// To integer, towards zero, saturating.
    DoubleToLongRz Device ["__double2ll_rz"] (D) -> L;
    /// To integer, downwards, saturating.
    DoubleToLongRd Device ["__double2ll_rd"] (D) -> L;
    /// To integer, upwards, saturating.
    DoubleToLongRu Device ["__double2ll_ru"] (D) -> L;
    /// To integer, to nearest, halves to even, saturating.
    DoubleToULongRn Device ["__double2ull_rn"] (D) -> UL;
    /// To integer, towards zero, saturating.
    DoubleToULongRz Device ["__double2ull_rz"] (D) -> UL;
    /// To integer, downwards, saturating.
    DoubleToULongRd Device ["__double2ull_rd"] (D) -> UL;
    /// To integer, upwards, saturating.
    DoubleToULongRu Device ["__double2ull_ru"] (D) -> UL;
    /// From integer, towards zero.
    IntToFloatRz Device ["__int2float_rz"] (I) -> F;
    /// From integer, downwards.
    IntToFloatRd Device ["__int2float_rd"] (I) -> F;
    /// From integer, upwards.
    IntToFloatRu Device ["__int2float_ru"] (I) -> F;
    /// From integer, to nearest, halves to even.
    IntToDoubleRn Device ["__int2double_rn"] (I) -> D;
    /// From integer, towards zero.
    UIntToFloatRz Device ["__uint2float_rz"] (U) -> F;
    /// From integer, downwards.
    UIntToFloatRd Device ["__uint2float_rd"] (U) -> F;
    /// From integer, upwards.
    UIntToFloatRu Device ["__uint2float_ru"] (U) -> F;
    /// From integer, to nearest, halves to even.
    UIntToDoubleRn Device ["__uint2double_rn"] (U) -> D;
    /// From integer, to nearest, halves to even.
    LongToFloatRn Device ["__ll2float_rn"] (L) -> F;
    /// From integer, towards zero.
    LongToFloatRz Device ["__ll2float_rz"] (L) -> F;
    /// From integer, downwards.
    LongToFloatRd Device ["__ll2float_rd"] (L) -> F;
    /// From integer, upwards.
    LongToFloatRu Device ["__ll2float_ru"] (L) -> F;
    /// From integer, to nearest, halves to even.
    LongToDoubleRn Device ["__ll2double_rn"] (L) -> D;
    /// From integer, towards zero.
    LongToDoubleRz Device ["__ll2double_rz"] (L) -> D;
    /// From integer, downwards.
    LongToDoubleRd Device ["__ll2double_rd"] (L) -> D;
    /// From integer, upwards.
    LongToDoubleRu Device ["__ll2double_ru"] (L) -> D;
    /// From integer, to nearest, halves to even.
    ULongToFloatRn Device ["__ull2float_rn"] (UL) -> F;
    /// From integer, towards zero.
    ULongToFloatRz Device ["__ull2float_rz"] (UL) -> F;
    /// From integer, downwards.
    ULongToFloatRd Device ["__ull2float_rd"] (UL) -> F;
    /// From integer, upwards.
    ULongToFloatRu Device ["__ull2float_ru"] (UL) -> F;
    /// From integer, to nearest, halves to even.
    ULongToDoubleRn Device ["__ull2double_rn"] (UL) -> D;
    /// From integer, towards zero.
    ULongToDoubleRz Device ["__ull2double_rz"] (UL) -> D;
    /// From integer, downwards.
    ULongToDoubleRd Device ["__ull2double_rd"] (UL) -> D;
    /// From integer, upwards.
    ULongToDoubleRu Device ["__ull2double_ru"] (UL) -> D;
    /// To float, to nearest, halves to even.
    DoubleToFloatRn Device ["__double2float_rn"] (D) -> F;
    /// To float, towards zero.
    DoubleToFloatRz Device ["__double2float_rz"] (D) -> F;
    /// To float, downwards.
    DoubleToFloatRd Device ["__double2float_rd"] (D) -> F;
    /// To float, upwards.
    DoubleToFloatRu Device ["__double2float_ru"] (D) -> F;

    // Arithmetic with a direction of rounding.
    /// Sum, rounded once towards zero.
    AddRzF Device ["__fadd_rz"] (F, F) -> F;
    /// Sum, rounded once downwards.
    AddRdF Device ["__fadd_rd"] (F, F) -> F;
    /// Sum, rounded once upwards.
    AddRuF Device ["__fadd_ru"] (F, F) -> F;
    /// Difference, rounded once towards zero.
    SubRzF Device ["__fsub_rz"] (F, F) -> F;
    /// Difference, rounded once downwards.
    SubRdF Device ["__fsub_rd"] (F, F) -> F;
    /// Difference, rounded once upwards.
    SubRuF Device ["__fsub_ru"] (F, F) -> F;
    /// Product, rounded once towards zero.
    MulRzF Device ["__fmul_rz"] (F, F) -> F;
    /// Product, rounded once downwards.
    MulRdF Device ["__fmul_rd"] (F, F) -> F;
    /// Product, rounded once upwards.
    MulRuF Device ["__fmul_ru"] (F, F) -> F;
    /// Quotient, rounded once towards zero.
    DivRzF Device ["__fdiv_rz"] (F, F) -> F;
    /// Quotient, rounded once downwards.
    DivRdF Device ["__fdiv_rd"] (F, F) -> F;
    /// Quotient, rounded once upwards.
    DivRuF Device ["__fdiv_ru"] (F, F) -> F;
    /// Reciprocal, rounded once towards zero.
    RcpRzF Device ["__frcp_rz"] (F) -> F;
    /// Reciprocal, rounded once downwards.
    RcpRdF Device ["__frcp_rd"] (F) -> F;
    /// Reciprocal, rounded once upwards.
    RcpRuF Device ["__frcp_ru"] (F) -> F;
    /// Square root, rounded once towards zero.
    SqrtRzF Device ["__fsqrt_rz"] (F) -> F;
    /// Square root, rounded once downwards.
    SqrtRdF Device ["__fsqrt_rd"] (F) -> F;
    /// Square root, rounded once upwards.
    SqrtRuF Device ["__fsqrt_ru"] (F) -> F;
    /// `x * y + z`, rounded once towards zero.
    FmaRzF Device ["__fmaf_rz", "__fmaf_ieee_rz"] (F, F, F) -> F;
    /// `x * y + z`, rounded once downwards.
    FmaRdF Device ["__fmaf_rd", "__fmaf_ieee_rd"] (F, F, F) -> F;
    /// `x * y + z`, rounded once upwards.
    FmaRuF Device ["__fmaf_ru", "__fmaf_ieee_ru"] (F, F, F) -> F;
    /// Sum, rounded once to nearest.
    AddRnD Device ["__dadd_rn"] (D, D) -> D;
    /// Sum, rounded once towards zero.
    AddRzD Device ["__dadd_rz"] (D, D) -> D;
    /// Sum, rounded once downwards.
    AddRdD Device ["__dadd_rd"] (D, D) -> D;
    /// Sum, rounded once upwards.
    AddRuD Device ["__dadd_ru"] (D, D) -> D;
    /// Difference, rounded once to nearest.
    SubRnD Device ["__dsub_rn"] (D, D) -> D;
    /// Difference, rounded once towards zero.
    SubRzD Device ["__dsub_rz"] (D, D) -> D;
    /// Difference, rounded once downwards.
    SubRdD Device ["__dsub_rd"] (D, D) -> D;
    /// Difference, rounded once upwards.
    SubRuD Device ["__dsub_ru"] (D, D) -> D;
    /// Product, rounded once to nearest.
    MulRnD Device ["__dmul_rn"] (D, D) -> D;
    /// Product, rounded once towards zero.
    MulRzD Device ["__dmul_rz"] (D, D) -> D;
    /// Product, rounded once downwards.
    MulRdD Device ["__dmul_rd"] (D, D) -> D;
    /// Product, rounded once upwards.
    MulRuD Device ["__dmul_ru"] (D, D) -> D;
    /// Quotient, rounded once to nearest.
    DivRnD Device ["__ddiv_rn", "fdivide"] (D, D) -> D;
    /// Quotient, rounded once towards zero.
    DivRzD Device ["__ddiv_rz"] (D, D) -> D;
    /// Quotient, rounded once downwards.
    DivRdD Device ["__ddiv_rd"] (D, D) -> D;
    /// Quotient, rounded once upwards.
    DivRuD Device ["__ddiv_ru"] (D, D) -> D;
    /// Reciprocal, rounded once to nearest.
    RcpRnD Device ["__drcp_rn"] (D) -> D;
    /// Reciprocal, rounded once towards zero.
    RcpRzD Device ["__drcp_rz"] (D) -> D;
    /// Reciprocal, rounded once downwards.
    RcpRdD Device ["__drcp_rd"] (D) -> D;
    /// Reciprocal, rounded once upwards.
    RcpRuD Device ["__drcp_ru"] (D) -> D;
    /// Square root, rounded once towards zero.
    SqrtRzD Device ["__dsqrt_rz"] (D) -> D;
    /// Square root, rounded once downwards.
    SqrtRdD Device ["__dsqrt_rd"] (D) -> D;
    /// Square root, rounded once upwards.
    SqrtRuD Device ["__dsqrt_ru"] (D) -> D;
    /// `x * y + z`, rounded once towards zero.
    FmaRzD Device ["__fma_rz"] (D, D, D) -> D;
    /// `x * y + z`, rounded once downwards.
    FmaRdD Device ["__fma_rd"] (D, D, D) -> D;
    /// `x * y + z`, rounded once upwards.
    FmaRuD Device ["__fma_ru"] (D, D, D) -> D;

    // Halves and bytes of a word.
    /// Absolute values of halves, modulo their width.
    VAbs2 Device ["__vabs2"] (U) -> U;
    /// Absolute values of bytes, modulo their width.
    VAbs4 Device ["__vabs4"] (U) -> U;
    /// Absolute values of halves, saturating.
    VAbsSs2 Device ["__vabsss2"] (U) -> U;
    /// Absolute values of bytes, saturating.
    VAbsSs4 Device ["__vabsss4"] (U) -> U;
    /// Absolute differences of signed halves.
    VAbsDiffS2 Device ["__vabsdiffs2"] (U, U) -> U;
    /// Absolute differences of signed bytes.
    VAbsDiffS4 Device ["__vabsdiffs4"] (U, U) -> U;
    /// Absolute differences of unsigned halves.
    VAbsDiffU2 Device ["__vabsdiffu2"] (U, U) -> U;
    /// Absolute differences of unsigned bytes.
    VAbsDiffU4 Device ["__vabsdiffu4"] (U, U) -> U;
    /// Sums of halves.
    VAdd2 Device ["__vadd2"] (U, U) -> U;
    /// Sums of bytes.
    VAdd4 Device ["__vadd4"] (U, U) -> U;
    /// Sums of signed halves, saturating.
    VAddSs2 Device ["__vaddss2"] (U, U) -> U;
    /// Sums of signed bytes, saturating.
    VAddSs4 Device ["__vaddss4"] (U, U) -> U;
    /// Sums of unsigned halves, saturating.
    VAddUs2 Device ["__vaddus2"] (U, U) -> U;
    /// Sums of unsigned bytes, saturating.
    VAddUs4 Device ["__vaddus4"] (U, U) -> U;
    /// Averages of signed halves, halves away from zero.
    VAvgS2 Device ["__vavgs2"] (U, U) -> U;
    /// Averages of signed bytes, halves away from zero.
    VAvgS4 Device ["__vavgs4"] (U, U) -> U;
    /// Averages of unsigned halves, halves upwards.
    VAvgU2 Device ["__vavgu2"] (U, U) -> U;
    /// Averages of unsigned bytes, halves upwards.
    VAvgU4 Device ["__vavgu4"] (U, U) -> U;
    /// Averages of unsigned halves, halves downwards.
    VHaddU2 Device ["__vhaddu2"] (U, U) -> U;
    /// Averages of unsigned bytes, halves downwards.
    VHaddU4 Device ["__vhaddu4"] (U, U) -> U;
    /// All ones in those halves that are equal.
    VCmpEq2 Device ["__vcmpeq2"] (U, U) -> U;
    /// All ones in those bytes that are equal.
    VCmpEq4 Device ["__vcmpeq4"] (U, U) -> U;
    /// All ones in those halves that are not equal.
    VCmpNe2 Device ["__vcmpne2"] (U, U) -> U;
    /// All ones in those bytes that are not equal.
    VCmpNe4 Device ["__vcmpne4"] (U, U) -> U;
    /// All ones in those halves that are at least (signed).
    VCmpGeS2 Device ["__vcmpges2"] (U, U) -> U;
    /// All ones in those bytes that are at least (signed).
    VCmpGeS4 Device ["__vcmpges4"] (U, U) -> U;
    /// All ones in those halves that are at least (unsigned).
    VCmpGeU2 Device ["__vcmpgeu2"] (U, U) -> U;
    /// All ones in those bytes that are at least (unsigned).
    VCmpGeU4 Device ["__vcmpgeu4"] (U, U) -> U;
    /// All ones in those halves that are greater (signed).
    VCmpGtS2 Device ["__vcmpgts2"] (U, U) -> U;
    /// All ones in those bytes that are greater (signed).
    VCmpGtS4 Device ["__vcmpgts4"] (U, U) -> U;
    /// All ones in those halves that are greater (unsigned).
    VCmpGtU2 Device ["__vcmpgtu2"] (U, U) -> U;
    /// All ones in those bytes that are greater (unsigned).
    VCmpGtU4 Device ["__vcmpgtu4"] (U, U) -> U;
    /// All ones in those halves that are at most (signed).
    VCmpLeS2 Device ["__vcmples2"] (U, U) -> U;
    /// All ones in those bytes that are at most (signed).
    VCmpLeS4 Device ["__vcmples4"] (U, U) -> U;
    /// All ones in those halves that are at most (unsigned).
    VCmpLeU2 Device ["__vcmpleu2"] (U, U) -> U;
    /// All ones in those bytes that are at most (unsigned).
    VCmpLeU4 Device ["__vcmpleu4"] (U, U) -> U;
    /// All ones in those halves that are less (signed).
    VCmpLtS2 Device ["__vcmplts2"] (U, U) -> U;
    /// All ones in those bytes that are less (signed).
    VCmpLtS4 Device ["__vcmplts4"] (U, U) -> U;
    /// All ones in those halves that are less (unsigned).
    VCmpLtU2 Device ["__vcmpltu2"] (U, U) -> U;
    /// All ones in those bytes that are less (unsigned).
    VCmpLtU4 Device ["__vcmpltu4"] (U, U) -> U;
    /// 1 in those halves that are equal.
    VSetEq2 Device ["__vseteq2"] (U, U) -> U;
    /// 1 in those bytes that are equal.
    VSetEq4 Device ["__vseteq4"] (U, U) -> U;
    /// 1 in those halves that are not equal.
    VSetNe2 Device ["__vsetne2"] (U, U) -> U;
    /// 1 in those bytes that are not equal.
    VSetNe4 Device ["__vsetne4"] (U, U) -> U;
    /// 1 in those halves that are at least (signed).
    VSetGeS2 Device ["__vsetges2"] (U, U) -> U;
    /// 1 in those bytes that are at least (signed).
    VSetGeS4 Device ["__vsetges4"] (U, U) -> U;
    /// 1 in those halves that are at least (unsigned).
    VSetGeU2 Device ["__vsetgeu2"] (U, U) -> U;
    /// 1 in those bytes that are at least (unsigned).
    VSetGeU4 Device ["__vsetgeu4"] (U, U) -> U;
    /// 1 in those halves that are greater (signed).
    VSetGtS2 Device ["__vsetgts2"] (U, U) -> U;
    /// 1 in those bytes that are greater (signed).
    VSetGtS4 Device ["__vsetgts4"] (U, U) -> U;
    /// 1 in those halves that are greater (unsigned).
    VSetGtU2 Device ["__vsetgtu2"] (U, U) -> U;
    /// 1 in those bytes that are greater (unsigned).
    VSetGtU4 Device ["__vsetgtu4"] (U, U) -> U;
    /// 1 in those halves that are at most (signed).
    VSetLeS2 Device ["__vsetles2"] (U, U) -> U;
    /// 1 in those bytes that are at most (signed).
    VSetLeS4 Device ["__vsetles4"] (U, U) -> U;
    /// 1 in those halves that are at most (unsigned).
    VSetLeU2 Device ["__vsetleu2"] (U, U) -> U;
    /// 1 in those bytes that are at most (unsigned).
    VSetLeU4 Device ["__vsetleu4"] (U, U) -> U;
    /// 1 in those halves that are less (signed).
    VSetLtS2 Device ["__vsetlts2"] (U, U) -> U;
    /// 1 in those bytes that are less (signed).
    VSetLtS4 Device ["__vsetlts4"] (U, U) -> U;
    /// 1 in those halves that are less (unsigned).
    VSetLtU2 Device ["__vsetltu2"] (U, U) -> U;
    /// 1 in those bytes that are less (unsigned).
    VSetLtU4 Device ["__vsetltu4"] (U, U) -> U;
    /// The larger of signed halves.
    VMaxS2 Device ["__vmaxs2"] (U, U) -> U;
    /// The larger of signed bytes.
    VMaxS4 Device ["__vmaxs4"] (U, U) -> U;
    /// The larger of unsigned halves.
    VMaxU2 Device ["__vmaxu2"] (U, U) -> U;
    /// The larger of unsigned bytes.
    VMaxU4 Device ["__vmaxu4"] (U, U) -> U;
    /// The smaller of signed halves.
    VMinS2 Device ["__vmins2"] (U, U) -> U;
    /// The smaller of signed bytes.
    VMinS4 Device ["__vmins4"] (U, U) -> U;
    /// The smaller of unsigned halves.
    VMinU2 Device ["__vminu2"] (U, U) -> U;
    /// The smaller of unsigned bytes.
    VMinU4 Device ["__vminu4"] (U, U) -> U;
    /// Negated halves.
    VNeg2 Device ["__vneg2"] (U) -> U;
    /// Negated bytes.
    VNeg4 Device ["__vneg4"] (U) -> U;
    /// Negated halves, saturating.
    VNegSs2 Device ["__vnegss2"] (U) -> U;
    /// Negated bytes, saturating.
    VNegSs4 Device ["__vnegss4"] (U) -> U;
    /// Sum of the absolute differences of signed halves.
    VSadS2 Device ["__vsads2"] (U, U) -> U;
    /// Sum of the absolute differences of signed bytes.
    VSadS4 Device ["__vsads4"] (U, U) -> U;
    /// Sum of the absolute differences of unsigned halves.
    VSadU2 Device ["__vsadu2"] (U, U) -> U;
    /// Sum of the absolute differences of unsigned bytes.
    VSadU4 Device ["__vsadu4"] (U, U) -> U;
    /// Differences of halves.
    VSub2 Device ["__vsub2"] (U, U) -> U;
    /// Differences of bytes.
    VSub4 Device ["__vsub4"] (U, U) -> U;
    /// Differences of signed halves, saturating.
    VSubSs2 Device ["__vsubss2"] (U, U) -> U;
    /// Differences of signed bytes, saturating.
    VSubSs4 Device ["__vsubss4"] (U, U) -> U;
    /// Differences of unsigned halves, saturating.
    VSubUs2 Device ["__vsubus2"] (U, U) -> U;
    /// Differences of unsigned bytes, saturating.
    VSubUs4 Device ["__vsubus4"] (U, U) -> U;

    // Synchronisation.
    /// Waits for all threads of the block that have not returned.
    SyncThreads Device ["__syncthreads"] () -> V;
    /// Waits like `__syncthreads`; whether the value is not zero in any of the threads.
    SyncThreadsOr Device ["__syncthreads_or"] (I) -> I;
    /// Waits like `__syncthreads`; whether the value is not zero in all of the threads.
    SyncThreadsAnd Device ["__syncthreads_and"] (I) -> I;
    /// Waits like `__syncthreads`; in how many of the threads the value is not zero.
    SyncThreadsCount Device ["__syncthreads_count"] (I) -> I;
    /// Lets the lanes of the mask, which each call it with the same one, continue together.
    SyncWarp Device ["__syncwarp"] (U) -> V optional 1;

    // Votes and shuffles, among the lanes of the mask or, without one, among arriving lanes.
    /// The mask of those lanes.
    ActiveMask Device ["__activemask"] () -> U;
    /// True if the value is not zero in some lane.
    Any Device ["__any"] (I) -> I;
    /// True if the value is not zero in all lanes.
    All Device ["__all"] (I) -> I;
    /// The lanes in which the value is not zero, a bit each.
    Ballot Device ["__ballot"] (I) -> U;
    /// True if the value is not zero in some lane.
    AnySync Device ["__any_sync"] (U, I) -> I;
    /// True if the value is not zero in all lanes.
    AllSync Device ["__all_sync"] (U, I) -> I;
    /// The lanes in which the value is not zero, a bit each.
    BallotSync Device ["__ballot_sync"] (U, I) -> U;
    /// The value of a lane of the segment: (value, lane, width of segments).
    Shfl Device ["__shfl"] (Number, I, I) -> Number optional 1;
    /// The value of the lane at this distance below, or the own.
    ShflUp Device ["__shfl_up"] (Number, U, I) -> Number optional 1;
    /// The value of the lane at this distance above, or the own.
    ShflDown Device ["__shfl_down"] (Number, U, I) -> Number optional 1;
    /// The value of the lane whose number differs in these bits, or the own.
    ShflXor Device ["__shfl_xor"] (Number, I, I) -> Number optional 1;
    /// The value of a lane of the segment: (mask, value, lane, width of segments).
    ShflSync Device ["__shfl_sync"] (U, Number, I, I) -> Number optional 1;
    /// The value of the lane at this distance below, or the own.
    ShflUpSync Device ["__shfl_up_sync"] (U, Number, U, I) -> Number optional 1;
    /// The value of the lane at this distance above, or the own.
    ShflDownSync Device ["__shfl_down_sync"] (U, Number, U, I) -> Number optional 1;
    /// The value of the lane whose number differs in these bits, or the own.
    ShflXorSync Device ["__shfl_xor_sync"] (U, Number, I, I) -> Number optional 1;
    /// The lanes that have the same value: (mask, value).
    MatchAny Device ["__match_any_sync"] (U, Number) -> U;
    /// The mask if all lanes have the same value, else 0, and stores which: (mask, value, same).
    MatchAll Device ["__match_all_sync"] (U, Number, PI) -> U;
    /// Sum over the lanes.
    ReduceAddU Device ["__reduce_add_sync"] (U, U) -> U;
    /// Sum over the lanes.
    ReduceAddI Device ["__reduce_add_sync"] (U, I) -> I;
    /// The smallest among the lanes.
    ReduceMinU Device ["__reduce_min_sync"] (U, U) -> U;
    /// The smallest among the lanes.
    ReduceMinI Device ["__reduce_min_sync"] (U, I) -> I;
    /// The largest among the lanes.
    ReduceMaxU Device ["__reduce_max_sync"] (U, U) -> U;
    /// The largest among the lanes.
    ReduceMaxI Device ["__reduce_max_sync"] (U, I) -> I;
    /// Bitwise and over the lanes.
    ReduceAnd Device ["__reduce_and_sync"] (U, U) -> U;
    /// Bitwise or over the lanes.
    ReduceOr Device ["__reduce_or_sync"] (U, U) -> U;
    /// Bitwise exclusive or over the lanes.
    ReduceXor Device ["__reduce_xor_sync"] (U, U) -> U;

    // Functions of a single thread.
    /// True if an address is one of global memory.
    IsGlobal Device ["__isGlobal"] (P) -> U;
    /// True if an address is one of shared memory.
    IsShared Device ["__isShared"] (P) -> U;
    /// True if an address is one of local memory.
    IsLocal Device ["__isLocal"] (P) -> U;
    /// True if an address is one of constant memory.
    IsConstant Device ["__isConstant"] (P) -> U;
    /// The number of an address in a state space: all addresses are generic, so it is the address.
    GenericToSpace Device ["__cvta_generic_to_shared", "__cvta_generic_to_global", "__cvta_generic_to_local", "__cvta_generic_to_constant"] (P) -> UL;
    /// A count that goes up: cycles of the core under the timing model.
    Clock64 Device ["clock64"] () -> L;
    /// Nothing here: waiting has no use.
    Nanosleep Device ["__nanosleep"] (U) -> V;
    /// Nothing here: there is no profiler that counts.
    ProfTrigger Device ["__prof_trigger"] (I) -> V;
    /// Ends the run.
    Trap Device ["__trap"] () -> V;
    /// Ends the run: there is no debugger.
    Breakpoint Device ["__brkpt"] () -> V;
    /// The effect of a failed assertion in device code: (text, file, line).
    AssertFail Both ["assert.fail"] (S, S, I) -> V;
    /// Orders memory accesses; the machine's are ordered already.
    ThreadFence Device ["__threadfence", "__threadfence_system"] () -> V;
    /// Orders memory accesses for the threads of the block.
    ThreadFenceBlock Device ["__threadfence_block"] () -> V;

    // Atomics, on global or shared memory; the result is the old value. All scopes are the machine's.
    /// Sum.
    AtomicAddI Device ["atomicAdd", "atomicAdd_block", "atomicAdd_system"] (PI, I) -> I;
    /// Sum.
    AtomicAddU Device ["atomicAdd", "atomicAdd_block", "atomicAdd_system"] (PU, U) -> U;
    /// Sum.
    AtomicAddUL Device ["atomicAdd", "atomicAdd_block", "atomicAdd_system"] (PUL, UL) -> UL;
    /// Sum.
    AtomicAddF Device ["atomicAdd", "atomicAdd_block", "atomicAdd_system"] (PF, F) -> F;
    /// Sum.
    AtomicAddD Device ["atomicAdd", "atomicAdd_block", "atomicAdd_system"] (PD, D) -> D;
    /// Difference.
    AtomicSubI Device ["atomicSub", "atomicSub_block", "atomicSub_system"] (PI, I) -> I;
    /// Difference.
    AtomicSubU Device ["atomicSub", "atomicSub_block", "atomicSub_system"] (PU, U) -> U;
    /// Exchange.
    AtomicExchI Device ["atomicExch", "atomicExch_block", "atomicExch_system"] (PI, I) -> I;
    /// Exchange.
    AtomicExchU Device ["atomicExch", "atomicExch_block", "atomicExch_system"] (PU, U) -> U;
    /// Exchange.
    AtomicExchUL Device ["atomicExch", "atomicExch_block", "atomicExch_system"] (PUL, UL) -> UL;
    /// Exchange.
    AtomicExchF Device ["atomicExch", "atomicExch_block", "atomicExch_system"] (PF, F) -> F;
    /// The smaller.
    AtomicMinI Device ["atomicMin", "atomicMin_block", "atomicMin_system"] (PI, I) -> I;
    /// The smaller.
    AtomicMinU Device ["atomicMin", "atomicMin_block", "atomicMin_system"] (PU, U) -> U;
    /// The smaller.
    AtomicMinL Device ["atomicMin", "atomicMin_block", "atomicMin_system"] (PL, L) -> L;
    /// The smaller.
    AtomicMinUL Device ["atomicMin", "atomicMin_block", "atomicMin_system"] (PUL, UL) -> UL;
    /// The larger.
    AtomicMaxI Device ["atomicMax", "atomicMax_block", "atomicMax_system"] (PI, I) -> I;
    /// The larger.
    AtomicMaxU Device ["atomicMax", "atomicMax_block", "atomicMax_system"] (PU, U) -> U;
    /// The larger.
    AtomicMaxL Device ["atomicMax", "atomicMax_block", "atomicMax_system"] (PL, L) -> L;
    /// The larger.
    AtomicMaxUL Device ["atomicMax", "atomicMax_block", "atomicMax_system"] (PUL, UL) -> UL;
    /// `old >= limit ? 0 : old + 1`.
    AtomicInc Device ["atomicInc", "atomicInc_block", "atomicInc_system"] (PU, U) -> U;
    /// `old == 0 || old > limit ? limit : old - 1`.
    AtomicDec Device ["atomicDec", "atomicDec_block", "atomicDec_system"] (PU, U) -> U;
    /// Compare and swap: (address, compare, value).
    AtomicCasI Device ["atomicCAS", "atomicCAS_block", "atomicCAS_system"] (PI, I, I) -> I;
    /// Compare and swap: (address, compare, value).
    AtomicCasU Device ["atomicCAS", "atomicCAS_block", "atomicCAS_system"] (PU, U, U) -> U;
    /// Compare and swap: (address, compare, value).
    AtomicCasUS Device ["atomicCAS", "atomicCAS_block", "atomicCAS_system"] (PUS, US, US) -> US;
    /// Stores the third if memory equals the second.
    AtomicCasUL Device ["atomicCAS", "atomicCAS_block", "atomicCAS_system"] (PUL, UL, UL) -> UL;
    /// Bitwise and.
    AtomicAndI Device ["atomicAnd", "atomicAnd_block", "atomicAnd_system"] (PI, I) -> I;
    /// Bitwise and.
    AtomicAndU Device ["atomicAnd", "atomicAnd_block", "atomicAnd_system"] (PU, U) -> U;
    /// Bitwise and.
    AtomicAndL Device ["atomicAnd", "atomicAnd_block", "atomicAnd_system"] (PL, L) -> L;
    /// Bitwise and.
    AtomicAndUL Device ["atomicAnd", "atomicAnd_block", "atomicAnd_system"] (PUL, UL) -> UL;
    /// Bitwise or.
    AtomicOrI Device ["atomicOr", "atomicOr_block", "atomicOr_system"] (PI, I) -> I;
    /// Bitwise or.
    AtomicOrU Device ["atomicOr", "atomicOr_block", "atomicOr_system"] (PU, U) -> U;
    /// Bitwise or.
    AtomicOrL Device ["atomicOr", "atomicOr_block", "atomicOr_system"] (PL, L) -> L;
    /// Bitwise or.
    AtomicOrUL Device ["atomicOr", "atomicOr_block", "atomicOr_system"] (PUL, UL) -> UL;
    /// Bitwise exclusive or.
    AtomicXorI Device ["atomicXor", "atomicXor_block", "atomicXor_system"] (PI, I) -> I;
    /// Bitwise exclusive or.
    AtomicXorU Device ["atomicXor", "atomicXor_block", "atomicXor_system"] (PU, U) -> U;
    /// Bitwise exclusive or.
    AtomicXorL Device ["atomicXor", "atomicXor_block", "atomicXor_system"] (PL, L) -> L;
    /// Bitwise exclusive or.
    AtomicXorUL Device ["atomicXor", "atomicXor_block", "atomicXor_system"] (PUL, UL) -> UL;

    // C's library, host.
    /// Formatted output on standard output; the number of bytes, in device code that of the values.
    Printf Both ["printf"] (S, More) -> I;
    /// Formatted output to a stream.
    Fprintf Host ["fprintf"] (File, S, More) -> I;
    /// Formatted output into memory.
    Sprintf Host ["sprintf"] (P, S, More) -> I;
    /// Formatted output into bounded memory.
    Snprintf Host ["snprintf"] (P, Z, S, More) -> I;
    /// A line on standard output.
    Puts Host ["puts"] (S) -> I;
    /// A character on standard output.
    Putchar Host ["putchar"] (I) -> I;
    /// Flushes output.
    Fflush Host ["fflush"] (File) -> I;
    /// Standard input (the checker resolves the identifier `stdin`).
    Stdin Host ["stdin"] () -> File;
    /// Standard output (the checker resolves the identifier `stdout`).
    Stdout Host ["stdout"] () -> File;
    /// Standard error (the checker resolves the identifier `stderr`).
    Stderr Host ["stderr"] () -> File;
    /// Opens a file: (name, mode); null where the program may not go.
    Fopen Host ["fopen"] (S, S) -> File;
    /// Closes a file.
    Fclose Host ["fclose"] (File) -> I;
    /// Reads elements: (buffer, bytes of each, number, stream); how many are whole.
    Fread Host ["fread"] (P, Z, Z, File) -> Z;
    /// Writes elements: (buffer, bytes of each, number, stream).
    Fwrite Host ["fwrite"] (R, Z, Z, File) -> Z;
    /// Reads a line with its end, at most n-1 characters; null at the end.
    Fgets Host ["fgets"] (C, I, File) -> C;
    /// Reads a character; -1 at the end.
    Fgetc Host ["fgetc", "getc"] (File) -> I;
    /// Reads a character of standard input; -1 at the end.
    Getchar Host ["getchar"] () -> I;
    /// Writes a string.
    Fputs Host ["fputs"] (S, File) -> I;
    /// Writes a character.
    Fputc Host ["fputc", "putc"] (I, File) -> I;
    /// Puts a character back, to be read next.
    Ungetc Host ["ungetc"] (I, File) -> I;
    /// Moves in a file: (stream, offset, from where).
    Fseek Host ["fseek", "fseeko"] (File, L, I) -> I;
    /// The position in the file of the next byte that is read or written.
    Ftell Host ["ftell", "ftello"] (File) -> L;
    /// Moves to the start of a file.
    Rewind Host ["rewind"] (File) -> V;
    /// True if a read has met the end.
    Feof Host ["feof"] (File) -> I;
    /// True if an operation has failed.
    Ferror Host ["ferror"] (File) -> I;
    /// Forgets that the end was met or that something has failed.
    Clearerr Host ["clearerr"] (File) -> V;
    /// Formatted input of a stream; how many values were stored, -1 at the end.
    Fscanf Host ["fscanf"] (File, S, More) -> I;
    /// Formatted input of a string.
    Sscanf Host ["sscanf"] (S, S, More) -> I;
    /// Formatted input of standard input.
    Scanf Host ["scanf"] (S, More) -> I;
    /// Prints the meaning of `errno` to standard error.
    Perror Host ["perror"] (S) -> V;
    /// The meaning of an error number.
    Strerror Host ["strerror"] (I) -> C;
    /// The address of `errno`.
    ErrnoLocation Host ["__errno_location"] () -> PI;
    /// Allocates zeroed host memory: (number, bytes of each, true for an array).
    New Host ["__new_memory"] (Z, Z, I) -> P;
    /// Frees memory that `new` allocated: (address, true for an array).
    Delete Host ["__delete_memory"] (P, I) -> V;
    /// Writes a value to a stream of C++: (stream, how it is shown, value). `<<` becomes it.
    StreamPut Host ["__stream_put"] (Ostream, I, More) -> Ostream;
    /// Changes a stream of C++: (stream, what, value). `<<` with a manipulator becomes it.
    StreamSet Host ["__stream_set"] (Ostream, I, I) -> Ostream;
    /// Allocates host memory, all zero here; null when there is none.
    Malloc Host ["malloc"] (Z) -> P;
    /// Allocates zeroed host memory.
    Calloc Host ["calloc"] (Z, Z) -> P;
    /// Allocates host memory at a multiple of a power of two: (result, alignment, bytes); 0, `EINVAL` or
    /// `ENOMEM`.
    PosixMemalign Host ["posix_memalign"] (PP, Z, Z) -> I;
    /// Allocates host memory at a multiple of a power of two: (alignment, bytes).
    AlignedAlloc Host ["aligned_alloc", "memalign"] (Z, Z) -> P;
    /// Changes an allocation's size.
    Realloc Host ["realloc"] (P, Z) -> P;
    /// Frees host memory.
    Free Host ["free"] (P) -> V;
    /// Copies bytes.
    Memcpy Host ["memcpy"] (P, P, Z) -> P;
    /// Copies bytes that may overlap.
    Memmove Host ["memmove"] (P, P, Z) -> P;
    /// Fills bytes.
    Memset Host ["memset"] (P, I, Z) -> P;
    /// Compares bytes.
    Memcmp Host ["memcmp"] (P, P, Z) -> I;
    /// Length of a string.
    Strlen Host ["strlen"] (S) -> Z;
    /// Compares strings.
    Strcmp Host ["strcmp"] (S, S) -> I;
    /// Compares at most n characters.
    Strncmp Host ["strncmp"] (S, S, Z) -> I;
    /// Copies a string.
    Strcpy Host ["strcpy"] (P, S) -> C;
    /// Copies at most n characters and fills up with zeroes.
    Strncpy Host ["strncpy"] (P, S, Z) -> C;
    /// Appends a string.
    Strcat Host ["strcat"] (P, S) -> C;
    /// Appends at most n characters.
    Strncat Host ["strncat"] (P, S, Z) -> C;
    /// The first place of a character, or null.
    Strchr Host ["strchr"] (S, I) -> C;
    /// The last place of a character, or null.
    Strrchr Host ["strrchr"] (S, I) -> C;
    /// The first place of a string in another, or null.
    Strstr Host ["strstr"] (S, S) -> C;
    /// The next part of a string between separators: (string, or null to continue; separators).
    Strtok Host ["strtok"] (C, S) -> C;
    /// A copy of a string in fresh memory.
    Strdup Host ["strdup"] (S) -> C;
    /// Compares strings, upper case like lower case.
    Strcasecmp Host ["strcasecmp"] (S, S) -> I;
    /// Compares at most n characters, upper case like lower case.
    Strncasecmp Host ["strncasecmp"] (S, S, Z) -> I;
    /// The number of characters at the start that are in the set.
    Strspn Host ["strspn"] (S, S) -> Z;
    /// The number of characters at the start that are not in the set.
    Strcspn Host ["strcspn"] (S, S) -> Z;
    /// The first place of a character of the set, or null.
    Strpbrk Host ["strpbrk"] (S, S) -> C;
    /// The first place of a byte, or null.
    Memchr Host ["memchr"] (R, I, Z) -> P;
    /// Sorts: (array, number, bytes of each, comparison); equal elements keep their order.
    Qsort Host ["qsort"] (P, Z, Z, Compare) -> V;
    /// Finds: (key, array, number, bytes of each, comparison); null when it is not there.
    Bsearch Host ["bsearch"] (R, R, Z, Z, Compare) -> P;
    /// True if a character is a letter.
    Isalpha Host ["isalpha"] (I) -> I;
    /// True if a character is a digit.
    Isdigit Host ["isdigit"] (I) -> I;
    /// True if a character is a letter or a digit.
    Isalnum Host ["isalnum"] (I) -> I;
    /// True if a character is a blank or ends a line.
    Isspace Host ["isspace"] (I) -> I;
    /// True if a character is an upper-case letter.
    Isupper Host ["isupper"] (I) -> I;
    /// True if a character is a lower-case letter.
    Islower Host ["islower"] (I) -> I;
    /// True if a character is printed, but neither letter, digit nor blank.
    Ispunct Host ["ispunct"] (I) -> I;
    /// True if a character is a hexadecimal digit.
    Isxdigit Host ["isxdigit"] (I) -> I;
    /// True if a character is printed, the blank included.
    Isprint Host ["isprint"] (I) -> I;
    /// The upper-case letter of a letter; others stay.
    Toupper Host ["toupper"] (I) -> I;
    /// The lower-case letter of a letter; others stay.
    Tolower Host ["tolower"] (I) -> I;
    /// String to int.
    Atoi Host ["atoi"] (S) -> I;
    /// String to long.
    Atol Host ["atol", "atoll"] (S) -> L;
    /// String to double.
    Atof Host ["atof"] (S) -> D;
    /// String to long: (string, place for where the number ends or null, base).
    Strtol Host ["strtol", "strtoll"] (S, PC, I) -> L;
    /// String to unsigned long.
    Strtoul Host ["strtoul", "strtoull"] (S, PC, I) -> UL;
    /// String to double: (string, place for where the number ends or null).
    Strtod Host ["strtod"] (S, PC) -> D;
    /// String to float.
    Strtof Host ["strtof"] (S, PC) -> F;
    /// The next number of the generator, 0 to `RAND_MAX` = 2³¹-1: glibc's additive feedback
    /// generator, so that programs see the numbers they are used to.
    Rand Host ["rand"] () -> I;
    /// Seeds the generator.
    Srand Host ["srand", "srandom"] (U) -> V;
    /// The next number of the same generator as a `long`.
    Random Host ["random"] () -> L;
    /// The next number of a generator whose state is the argument's.
    RandR Host ["rand_r"] (PU) -> I;
    /// The next number of the 48-bit generator, 0 to 1.
    Drand48 Host ["drand48"] () -> D;
    /// The next number of the 48-bit generator, 0 to 2³¹-1.
    Lrand48 Host ["lrand48"] () -> L;
    /// The next number of the 48-bit generator, -2³¹ to 2³¹-1.
    Mrand48 Host ["mrand48"] () -> L;
    /// Seeds the 48-bit generator.
    Srand48 Host ["srand48"] (L) -> V;
    /// Ends the program with a status.
    Exit Host ["exit"] (I) -> V;
    /// Ends the program as a failed assertion does (status 134).
    Abort Host ["abort"] () -> V;
    /// Simulated processor time in microseconds (`CLOCKS_PER_SEC` is 1000000).
    Clock Both ["clock"] () -> L;
    /// Simulated seconds since the program's start; the argument may be null.
    Time Host ["time"] (P) -> L;
    /// The difference of two times in seconds.
    Difftime Host ["difftime"] (L, L) -> D;
    /// Simulated time since the program's start: (result, anything).
    Gettimeofday Host ["gettimeofday"] (Timeval, R) -> I;
    /// Simulated time since the program's start, for every clock: (clock, result).
    ClockGettime Host ["clock_gettime"] (I, Timespec) -> I;
    /// Waiting takes no simulated time.
    Sleep Host ["sleep", "usleep"] (U) -> I;
    /// The value of an environment variable: none has one.
    Getenv Host ["getenv"] (S) -> C;

    // CUDA's runtime, host.
    /// Allocates device memory.
    CudaMalloc Host ["cudaMalloc"] (PP, Z) -> E;
    /// Frees device memory.
    CudaFree Host ["cudaFree"] (P) -> E;
    /// Allocates memory that host and device see at one address: (result, bytes, flags).
    CudaMallocManaged Host ["cudaMallocManaged"] (PP, Z, U) -> E optional 1;
    /// Allocates such memory: (result, bytes, flags).
    CudaHostAlloc Host ["cudaHostAlloc"] (PP, Z, U) -> E optional 1;
    /// Allocates such memory.
    CudaMallocHost Host ["cudaMallocHost"] (PP, Z) -> E;
    /// Frees memory that `cudaHostAlloc` or `cudaMallocHost` allocated.
    CudaFreeHost Host ["cudaFreeHost"] (P) -> E;
    /// The device's address of such memory, which is the host's: (result, address, flags).
    CudaHostGetDevicePointer Host ["cudaHostGetDevicePointer"] (PP, P, U) -> E optional 1;
    /// Says that memory will be copied often: (address, bytes, flags).
    CudaHostRegister Host ["cudaHostRegister"] (P, Z, U) -> E;
    /// Ends that.
    CudaHostUnregister Host ["cudaHostUnregister"] (P) -> E;
    /// Allocates rows whose starts are aligned: (result, bytes from row to row, bytes of a row, rows).
    CudaMallocPitch Host ["cudaMallocPitch"] (PP, PZ, Z, Z) -> E;
    /// Copies rows: (destination, its pitch, source, its pitch, bytes of a row, rows, kind, stream).
    CudaMemcpy2D Host ["cudaMemcpy2D", "cudaMemcpy2DAsync"] (P, Z, R, Z, Z, Z, I, Stream) -> E optional 1;
    /// Fills rows with a byte: (address, pitch, byte, bytes of a row, rows, stream).
    CudaMemset2D Host ["cudaMemset2D", "cudaMemset2DAsync"] (P, Z, I, Z, Z, Stream) -> E optional 1;
    /// Copies, done when it returns: (destination, source, bytes, kind, stream).
    CudaMemcpyAsync Host ["cudaMemcpyAsync"] (P, R, Z, I, Stream) -> E optional 1;
    /// Fills device memory with a byte: (address, byte, bytes, stream).
    CudaMemsetAsync Host ["cudaMemsetAsync"] (P, I, Z, Stream) -> E optional 1;
    /// Says where memory will be used: (address, bytes, device, stream).
    CudaMemPrefetchAsync Host ["cudaMemPrefetchAsync"] (R, Z, I, Stream) -> E optional 1;
    /// Says how memory will be used: (address, bytes, advice, device).
    CudaMemAdvise Host ["cudaMemAdvise"] (R, Z, I, I) -> E;
    /// Free bytes of device memory and all of them.
    CudaMemGetInfo Host ["cudaMemGetInfo"] (PZ, PZ) -> E;
    /// The address of a `__device__` or `__constant__` variable.
    CudaGetSymbolAddress Host ["cudaGetSymbolAddress"] (PP, Symbol) -> E;
    /// The bytes of such a variable.
    CudaGetSymbolSize Host ["cudaGetSymbolSize"] (PZ, Symbol) -> E;
    /// Copies into such a variable: (symbol, source, bytes, offset, kind, stream).
    CudaMemcpyToSymbolAsync Host ["cudaMemcpyToSymbolAsync"] (Symbol, P, Z, Z, I, Stream) -> E optional 1;
    /// Copies from such a variable: (destination, symbol, bytes, offset, kind, stream).
    CudaMemcpyFromSymbolAsync Host ["cudaMemcpyFromSymbolAsync"] (P, Symbol, Z, Z, I, Stream) -> E optional 1;
    /// Properties of the device, from the machine: (result, device).
    CudaGetDeviceProperties Host ["cudaGetDeviceProperties"] (DeviceProp, I) -> E;
    /// One property by its number: (result, attribute, device).
    CudaDeviceGetAttribute Host ["cudaDeviceGetAttribute"] (PI, I, I) -> E;
    /// The device that fits best: 0.
    CudaChooseDevice Host ["cudaChooseDevice"] (PI, DeviceProp) -> E;
    /// True if one device reaches the memory of another: always false.
    CudaDeviceCanAccessPeer Host ["cudaDeviceCanAccessPeer"] (PI, I, I) -> E;
    /// The version of CUDA: 12000.
    CudaGetVersion Host ["cudaDriverGetVersion", "cudaRuntimeGetVersion"] (PI) -> E;
    /// Wishes about caches and banks, which change nothing.
    CudaDeviceSetConfig Host ["cudaDeviceSetCacheConfig", "cudaThreadSetCacheConfig", "cudaDeviceSetSharedMemConfig"] (I) -> E;
    /// Wishes of a kernel about caches and banks, which change nothing.
    CudaFuncSetConfig Host ["cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig"] (Kernel, I) -> E;
    /// Sets a property of a kernel: (kernel, attribute, value); changes nothing.
    CudaFuncSetAttribute Host ["cudaFuncSetAttribute"] (Kernel, I, I) -> E;
    /// Blocks of a kernel that an SM holds: (result, kernel, threads of a block, bytes of dynamic shared
    /// memory, flags).
    CudaOccupancyBlocks Host ["cudaOccupancyMaxActiveBlocksPerMultiprocessor", "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"] (PI, Kernel, I, Z, U) -> E optional 1;
    /// The best size of a kernel's blocks: (blocks that fill the machine, threads, kernel, bytes of dynamic
    /// shared memory, most threads or 0).
    CudaOccupancyBlockSize Host ["cudaOccupancyMaxPotentialBlockSize"] (PI, PI, Kernel, Z, I) -> E optional 2;
    /// Sets a limit, which changes only later answers.
    CudaDeviceSetLimit Host ["cudaDeviceSetLimit", "cudaThreadSetLimit"] (I, Z) -> E;
    /// A limit: (result, which).
    CudaDeviceGetLimit Host ["cudaDeviceGetLimit", "cudaThreadGetLimit"] (PZ, I) -> E;
    /// Selects how the host waits, which changes nothing.
    CudaSetDeviceFlags Host ["cudaSetDeviceFlags"] (U) -> E;
    /// Starts or stops a profiler.
    CudaProfiler Host ["cudaProfilerStart", "cudaProfilerStop"] () -> E;
    /// Makes a stream: (result, flags, priority).
    CudaStreamCreate Host ["cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority"] (PStream, U, I) -> E optional 2;
    /// Frees a stream.
    CudaStreamDestroy Host ["cudaStreamDestroy"] (Stream) -> E;
    /// Waits for a stream, or queries if it is done: it is.
    CudaStreamSynchronize Host ["cudaStreamSynchronize", "cudaStreamQuery"] (Stream) -> E;
    /// Lets a stream wait for an event: (stream, event, flags).
    CudaStreamWaitEvent Host ["cudaStreamWaitEvent"] (Stream, Event, U) -> E optional 1;
    /// Tells an error and ends the program: (code, call, file, line). `checkCudaErrors` and its kin.
    CheckCuda Host ["__check_cuda"] (I, S, S, I) -> V;
    /// Copies: (destination, source, bytes, kind).
    CudaMemcpy Host ["cudaMemcpy"] (P, P, Z, I) -> E;
    /// Fills device memory with a byte.
    CudaMemset Host ["cudaMemset"] (P, I, Z) -> E;
    /// Copies into a `__device__` or `__constant__` variable: (symbol, source, bytes, offset, kind).
    CudaMemcpyToSymbol Host ["cudaMemcpyToSymbol"] (Symbol, P, Z, Z, I) -> E optional 2;
    /// Copies from such a variable: (destination, symbol, bytes, offset, kind).
    CudaMemcpyFromSymbol Host ["cudaMemcpyFromSymbol"] (P, Symbol, Z, Z, I) -> E optional 2;
    /// Waits for the device.
    CudaDeviceSynchronize Host ["cudaDeviceSynchronize", "cudaThreadSynchronize"] () -> E;
    /// Ends use of the device.
    CudaDeviceReset Host ["cudaDeviceReset", "cudaThreadExit"] () -> E;
    /// Chooses a device; only 0 exists.
    CudaSetDevice Host ["cudaSetDevice"] (I) -> E;
    /// Number of devices: 1.
    CudaGetDeviceCount Host ["cudaGetDeviceCount"] (PI) -> E;
    /// The device in use: 0.
    CudaGetDevice Host ["cudaGetDevice"] (PI) -> E;
    /// The last error, which it clears.
    CudaGetLastError Host ["cudaGetLastError"] () -> E;
    /// The last error, kept.
    CudaPeekAtLastError Host ["cudaPeekAtLastError"] () -> E;
    /// An error's sentence.
    CudaGetErrorString Host ["cudaGetErrorString"] (I) -> S;
    /// An error's name.
    CudaGetErrorName Host ["cudaGetErrorName"] (I) -> S;
    /// Makes an event.
    CudaEventCreate Host ["cudaEventCreate", "cudaEventCreateWithFlags"] (PEvent, U) -> E optional 1;
    /// Notes the simulated time: (event, stream).
    CudaEventRecord Host ["cudaEventRecord"] (Event, Stream) -> E optional 1;
    /// Waits for an event, or tests if it has passed: it has.
    CudaEventSynchronize Host ["cudaEventSynchronize", "cudaEventQuery"] (Event) -> E;
    /// Simulated milliseconds between two events: (result, start, stop).
    CudaEventElapsedTime Host ["cudaEventElapsedTime"] (PF, Event, Event) -> E;
    /// Frees an event.
    CudaEventDestroy Host ["cudaEventDestroy"] (Event) -> E;
}
