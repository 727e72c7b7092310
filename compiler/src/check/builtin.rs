//! The functions that the language supplies: C's and CUDA's libraries as far as we know them.
//!
//! One row a function: every spelling, the parameters and the result, where it may be called. Rows
//! that share a spelling form an overload set, chosen by the arguments' types as C++ would
//! (`sqrt(float)` is the float one; integers go to the double one).
//!
//! The checker resolves and converts; the interpreter (`runtime/src/interpreter`) and the lowering
//! (`compiler/src/lower`) each give a row its meaning, separately: one is the other's oracle.

/// A parameter or result type of a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `void`
    V,
    /// `bool`
    B,
    /// `int` (also `cudaError_t` and other enumerations)
    I,
    /// `unsigned int`
    U,
    /// `long long`
    L,
    /// `unsigned long long`
    UL,
    /// `size_t`
    Z,
    /// `float`
    F,
    /// `double`
    D,
    /// `void*`, any pointer converts to it
    P,
    /// `const void*`, any pointer converts to it
    R,
    /// `const char*`
    S,
    /// `char*`
    C,
    /// `char**`
    PC,
    /// pointer to pointer of any kind (`cudaMalloc(&p, n)`)
    PP,
    /// the address of a `__device__` or `__constant__` variable, given by its name or as a
    /// pointer; the checker passes `AddressOf` its place
    Symbol,
    /// pointer to int
    PI,
    /// pointer to unsigned
    PU,
    /// pointer to long long
    PL,
    /// pointer to unsigned long long
    PUL,
    /// pointer to float
    PF,
    /// pointer to double
    PD,
    /// `cudaEvent_t`, an opaque pointer
    Event,
    /// pointer to `cudaEvent_t`
    PEvent,
    /// `FILE*`
    File,
    /// the name of a function of the program that compares: `int (const void*, const void*)`
    Compare,
    /// pointer to `struct timeval`
    Timeval,
    /// pointer to `struct timespec`
    Timespec,
    /// pointer to `cudaDeviceProp`
    DeviceProp,
    /// pointer to `size_t`
    PZ,
    /// `cudaStream_t`, an opaque pointer
    Stream,
    /// pointer to `cudaStream_t`
    PStream,
    /// the name of a kernel
    Kernel,
    /// any number, after integer promotion; as a result: the type of that argument
    Number,
    /// `...`: any number of further arguments after default promotion
    More,
}

/// Where a built-in may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Host code only.
    Host,
    /// Device code only.
    Device,
    /// Both.
    Both,
}

/// What is known of a built-in.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub builtin: Builtin,
    /// Every spelling.
    pub names: &'static [&'static str],
    /// Parameters.
    pub parameters: &'static [Ty],
    /// Result.
    pub result: Ty,
    /// Where it may be called.
    pub side: Side,
    /// How many trailing parameters may be left out (they are then zero; `cudaMemcpyToSymbol`'s
    /// kind is then the usual direction, `__syncwarp`'s mask all lanes).
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

impl Builtin {
    /// The row of this built-in.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
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
    ExpF Both ["expf", "exp", "__expf"] (F) -> F;
    /// Exponential.
    ExpD Both ["exp"] (D) -> D;
    /// Power of two.
    Exp2F Both ["exp2f", "exp2"] (F) -> F;
    /// Power of two.
    Exp2D Both ["exp2"] (D) -> D;
    /// Power of ten.
    Exp10F Both ["exp10f", "exp10", "__exp10f"] (F) -> F;
    /// Power of ten.
    Exp10D Both ["exp10"] (D) -> D;
    /// `exp(x) - 1`.
    Expm1F Both ["expm1f", "expm1"] (F) -> F;
    /// `exp(x) - 1`.
    Expm1D Both ["expm1"] (D) -> D;
    /// Natural logarithm.
    LogF Both ["logf", "log", "__logf"] (F) -> F;
    /// Natural logarithm.
    LogD Both ["log"] (D) -> D;
    /// Binary logarithm.
    Log2F Both ["log2f", "log2", "__log2f"] (F) -> F;
    /// Binary logarithm.
    Log2D Both ["log2"] (D) -> D;
    /// Decimal logarithm.
    Log10F Both ["log10f", "log10", "__log10f"] (F) -> F;
    /// Decimal logarithm.
    Log10D Both ["log10"] (D) -> D;
    /// `log(1 + x)`.
    Log1pF Both ["log1pf", "log1p"] (F) -> F;
    /// `log(1 + x)`.
    Log1pD Both ["log1p"] (D) -> D;
    /// Sine.
    SinF Both ["sinf", "sin", "__sinf"] (F) -> F;
    /// Sine.
    SinD Both ["sin"] (D) -> D;
    /// Cosine.
    CosF Both ["cosf", "cos", "__cosf"] (F) -> F;
    /// Cosine.
    CosD Both ["cos"] (D) -> D;
    /// Tangent.
    TanF Both ["tanf", "tan", "__tanf"] (F) -> F;
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
    PowF Both ["powf", "pow", "__powf"] (F, F) -> F;
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
    FmaF Both ["fmaf", "fma", "__fmaf_rn"] (F, F, F) -> F;
    /// `a * b + c` with one rounding.
    FmaD Both ["fma", "__fma_rn"] (D, D, D) -> D;
    /// Magnitude of the first, sign of the second.
    CopysignF Both ["copysignf", "copysign"] (F, F) -> F;
    /// Magnitude of the first, sign of the second.
    CopysignD Both ["copysign"] (D, D) -> D;
    /// Whether the value is a NaN.
    IsnanF Both ["isnan"] (F) -> B;
    /// Whether the value is a NaN.
    IsnanD Both ["isnan"] (D) -> B;
    /// Whether the value is an infinity.
    IsinfF Both ["isinf"] (F) -> B;
    /// Whether the value is an infinity.
    IsinfD Both ["isinf"] (D) -> B;
    /// Whether the value is neither NaN nor infinite.
    IsfiniteF Both ["isfinite"] (F) -> B;
    /// Whether the value is neither NaN nor infinite.
    IsfiniteD Both ["isfinite"] (D) -> B;
    /// Sum that is never contracted.
    AddRnF Device ["__fadd_rn"] (F, F) -> F;
    /// Difference that is never contracted.
    SubRnF Device ["__fsub_rn"] (F, F) -> F;
    /// Product that is never contracted.
    MulRnF Device ["__fmul_rn"] (F, F) -> F;
    /// Quotient.
    DivRnF Device ["__fdiv_rn", "__fdividef", "fdividef"] (F, F) -> F;
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
    FfsL Device ["__ffsll"] (L) -> I;
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
    FloatToIntRn Device ["__float2int_rn", "lrintf"] (F) -> I;
    /// To integer, towards zero, saturating.
    FloatToIntRz Device ["__float2int_rz"] (F) -> I;
    /// To integer, downwards, saturating.
    FloatToIntRd Device ["__float2int_rd"] (F) -> I;
    /// To integer, upwards, saturating.
    FloatToIntRu Device ["__float2int_ru"] (F) -> I;
    /// To float, halves to even.
    IntToFloatRn Device ["__int2float_rn"] (I) -> F;
    /// To float, halves to even.
    UIntToFloatRn Device ["__uint2float_rn"] (U) -> F;

    // Synchronisation.
    /// Waits for all threads of the block that have not returned.
    SyncThreads Device ["__syncthreads"] () -> V;
    /// Waits like `__syncthreads`; whether the value is not zero in any of the threads.
    SyncThreadsOr Device ["__syncthreads_or"] (I) -> I;
    /// Waits like `__syncthreads`; whether the value is not zero in all of the threads.
    SyncThreadsAnd Device ["__syncthreads_and"] (I) -> I;
    /// Waits like `__syncthreads`; in how many of the threads the value is not zero.
    SyncThreadsCount Device ["__syncthreads_count"] (I) -> I;
    /// Lets the lanes of the mask, each of which is to call it with the same one, go on together.
    SyncWarp Device ["__syncwarp"] (U) -> V optional 1;

    // Votes and shuffles, of the lanes of the mask, or without one of those that come together.
    /// Those lanes.
    ActiveMask Device ["__activemask"] () -> U;
    /// Whether the value is not zero in any lane.
    Any Device ["__any"] (I) -> I;
    /// Whether the value is not zero in all lanes.
    All Device ["__all"] (I) -> I;
    /// The lanes in which the value is not zero, a bit each.
    Ballot Device ["__ballot"] (I) -> U;
    /// Whether the value is not zero in any lane.
    AnySync Device ["__any_sync"] (U, I) -> I;
    /// Whether the value is not zero in all lanes.
    AllSync Device ["__all_sync"] (U, I) -> I;
    /// The lanes in which the value is not zero, a bit each.
    BallotSync Device ["__ballot_sync"] (U, I) -> U;
    /// The value of a lane of the segment: (value, lane, width of segments).
    Shfl Device ["__shfl"] (Number, I, I) -> Number optional 1;
    /// The value of the lane that is so many below, or the own.
    ShflUp Device ["__shfl_up"] (Number, U, I) -> Number optional 1;
    /// The value of the lane that is so many above, or the own.
    ShflDown Device ["__shfl_down"] (Number, U, I) -> Number optional 1;
    /// The value of the lane whose number differs in these bits, or the own.
    ShflXor Device ["__shfl_xor"] (Number, I, I) -> Number optional 1;
    /// The value of a lane of the segment: (mask, value, lane, width of segments).
    ShflSync Device ["__shfl_sync"] (U, Number, I, I) -> Number optional 1;
    /// The value of the lane that is so many below, or the own.
    ShflUpSync Device ["__shfl_up_sync"] (U, Number, U, I) -> Number optional 1;
    /// The value of the lane that is so many above, or the own.
    ShflDownSync Device ["__shfl_down_sync"] (U, Number, U, I) -> Number optional 1;
    /// The value of the lane whose number differs in these bits, or the own.
    ShflXorSync Device ["__shfl_xor_sync"] (U, Number, I, I) -> Number optional 1;
    /// Orders memory accesses; the machine's are ordered already.
    ThreadFence Device ["__threadfence", "__threadfence_block", "__threadfence_system"] () -> V;

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
    /// Formatted output on standard output; the number of bytes.
    Printf Host ["printf"] (S, More) -> I;
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
    /// Where in the file the next byte is read or written.
    Ftell Host ["ftell", "ftello"] (File) -> L;
    /// Moves to the start of a file.
    Rewind Host ["rewind"] (File) -> V;
    /// Whether a read has met the end.
    Feof Host ["feof"] (File) -> I;
    /// Whether something has failed.
    Ferror Host ["ferror"] (File) -> I;
    /// Forgets that the end was met or that something has failed.
    Clearerr Host ["clearerr"] (File) -> V;
    /// Formatted input of a stream; how many values were stored, -1 at the end.
    Fscanf Host ["fscanf"] (File, S, More) -> I;
    /// Formatted input of a string.
    Sscanf Host ["sscanf"] (S, S, More) -> I;
    /// Formatted input of standard input.
    Scanf Host ["scanf"] (S, More) -> I;
    /// Says on standard error what `errno` means.
    Perror Host ["perror"] (S) -> V;
    /// What an error number means.
    Strerror Host ["strerror"] (I) -> C;
    /// Where `errno` is.
    ErrnoLocation Host ["__errno_location"] () -> PI;
    /// Allocates host memory, all zero here; null when there is none.
    Malloc Host ["malloc"] (Z) -> P;
    /// Allocates zeroed host memory.
    Calloc Host ["calloc"] (Z, Z) -> P;
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
    /// The next part of a string between separators: (string or null to go on, separators).
    Strtok Host ["strtok"] (C, S) -> C;
    /// A copy of a string in fresh memory.
    Strdup Host ["strdup"] (S) -> C;
    /// Compares strings, upper case like lower case.
    Strcasecmp Host ["strcasecmp"] (S, S) -> I;
    /// Compares at most n characters, upper case like lower case.
    Strncasecmp Host ["strncasecmp"] (S, S, Z) -> I;
    /// How many characters at the start are in the set.
    Strspn Host ["strspn"] (S, S) -> Z;
    /// How many characters at the start are not in the set.
    Strcspn Host ["strcspn"] (S, S) -> Z;
    /// The first place of a character of the set, or null.
    Strpbrk Host ["strpbrk"] (S, S) -> C;
    /// The first place of a byte, or null.
    Memchr Host ["memchr"] (R, I, Z) -> P;
    /// Sorts: (array, number, bytes of each, comparison); equal elements keep their order.
    Qsort Host ["qsort"] (P, Z, Z, Compare) -> V;
    /// Finds: (key, array, number, bytes of each, comparison); null when it is not there.
    Bsearch Host ["bsearch"] (R, R, Z, Z, Compare) -> P;
    /// Whether a character is a letter.
    Isalpha Host ["isalpha"] (I) -> I;
    /// Whether a character is a digit.
    Isdigit Host ["isdigit"] (I) -> I;
    /// Whether a character is a letter or a digit.
    Isalnum Host ["isalnum"] (I) -> I;
    /// Whether a character is a blank or ends a line.
    Isspace Host ["isspace"] (I) -> I;
    /// Whether a character is an upper-case letter.
    Isupper Host ["isupper"] (I) -> I;
    /// Whether a character is a lower-case letter.
    Islower Host ["islower"] (I) -> I;
    /// Whether a character is printed, but neither letter, digit nor blank.
    Ispunct Host ["ispunct"] (I) -> I;
    /// Whether a character is a hexadecimal digit.
    Isxdigit Host ["isxdigit"] (I) -> I;
    /// Whether a character is printed, the blank included.
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
    Clock Host ["clock"] () -> L;
    /// Simulated seconds since the program's start; the argument may be null.
    Time Host ["time"] (P) -> L;
    /// The difference of two times in seconds.
    Difftime Host ["difftime"] (L, L) -> D;
    /// Simulated time since the program's start: (result, anything).
    Gettimeofday Host ["gettimeofday"] (Timeval, R) -> I;
    /// The same, whatever the clock: (clock, result).
    ClockGettime Host ["clock_gettime"] (I, Timespec) -> I;
    /// Waiting takes no simulated time.
    Sleep Host ["sleep", "usleep"] (U) -> I;
    /// The value of an environment variable: none has one.
    Getenv Host ["getenv"] (S) -> C;

    // CUDA's runtime, host. Results `I` are `cudaError_t`.
    /// Allocates device memory.
    CudaMalloc Host ["cudaMalloc"] (PP, Z) -> I;
    /// Frees device memory.
    CudaFree Host ["cudaFree"] (P) -> I;
    /// Allocates memory that host and device see at one address: (result, bytes, flags).
    CudaMallocManaged Host ["cudaMallocManaged"] (PP, Z, U) -> I optional 1;
    /// Allocates such memory: (result, bytes, flags).
    CudaHostAlloc Host ["cudaHostAlloc"] (PP, Z, U) -> I optional 1;
    /// Allocates such memory.
    CudaMallocHost Host ["cudaMallocHost"] (PP, Z) -> I;
    /// Frees what `cudaHostAlloc` or `cudaMallocHost` has allocated.
    CudaFreeHost Host ["cudaFreeHost"] (P) -> I;
    /// The device's address of such memory, which is the host's: (result, address, flags).
    CudaHostGetDevicePointer Host ["cudaHostGetDevicePointer"] (PP, P, U) -> I optional 1;
    /// Says that memory will be copied often: (address, bytes, flags).
    CudaHostRegister Host ["cudaHostRegister"] (P, Z, U) -> I;
    /// Ends that.
    CudaHostUnregister Host ["cudaHostUnregister"] (P) -> I;
    /// Allocates rows whose starts are aligned: (result, bytes from row to row, bytes of a row, rows).
    CudaMallocPitch Host ["cudaMallocPitch"] (PP, PZ, Z, Z) -> I;
    /// Copies rows: (destination, its pitch, source, its pitch, bytes of a row, rows, kind, stream).
    CudaMemcpy2D Host ["cudaMemcpy2D", "cudaMemcpy2DAsync"] (P, Z, R, Z, Z, Z, I, Stream) -> I optional 1;
    /// Fills rows with a byte: (address, pitch, byte, bytes of a row, rows, stream).
    CudaMemset2D Host ["cudaMemset2D", "cudaMemset2DAsync"] (P, Z, I, Z, Z, Stream) -> I optional 1;
    /// Copies, done when it returns: (destination, source, bytes, kind, stream).
    CudaMemcpyAsync Host ["cudaMemcpyAsync"] (P, R, Z, I, Stream) -> I optional 1;
    /// Fills device memory with a byte: (address, byte, bytes, stream).
    CudaMemsetAsync Host ["cudaMemsetAsync"] (P, I, Z, Stream) -> I optional 1;
    /// Says where memory will be used: (address, bytes, device, stream).
    CudaMemPrefetchAsync Host ["cudaMemPrefetchAsync"] (R, Z, I, Stream) -> I optional 1;
    /// Says how memory will be used: (address, bytes, advice, device).
    CudaMemAdvise Host ["cudaMemAdvise"] (R, Z, I, I) -> I;
    /// Free bytes of device memory and all of them.
    CudaMemGetInfo Host ["cudaMemGetInfo"] (PZ, PZ) -> I;
    /// The address of a `__device__` or `__constant__` variable.
    CudaGetSymbolAddress Host ["cudaGetSymbolAddress"] (PP, Symbol) -> I;
    /// The bytes of such a variable.
    CudaGetSymbolSize Host ["cudaGetSymbolSize"] (PZ, Symbol) -> I;
    /// Copies into such a variable: (symbol, source, bytes, offset, kind, stream).
    CudaMemcpyToSymbolAsync Host ["cudaMemcpyToSymbolAsync"] (Symbol, P, Z, Z, I, Stream) -> I optional 1;
    /// Copies from such a variable: (destination, symbol, bytes, offset, kind, stream).
    CudaMemcpyFromSymbolAsync Host ["cudaMemcpyFromSymbolAsync"] (P, Symbol, Z, Z, I, Stream) -> I optional 1;
    /// Properties of the device, from the machine: (result, device).
    CudaGetDeviceProperties Host ["cudaGetDeviceProperties"] (DeviceProp, I) -> I;
    /// One property by its number: (result, attribute, device).
    CudaDeviceGetAttribute Host ["cudaDeviceGetAttribute"] (PI, I, I) -> I;
    /// The device that fits best: 0.
    CudaChooseDevice Host ["cudaChooseDevice"] (PI, DeviceProp) -> I;
    /// Whether one device reaches the memory of another: it does not.
    CudaDeviceCanAccessPeer Host ["cudaDeviceCanAccessPeer"] (PI, I, I) -> I;
    /// The version of CUDA: 12000.
    CudaGetVersion Host ["cudaDriverGetVersion", "cudaRuntimeGetVersion"] (PI) -> I;
    /// Wishes about caches and banks, which change nothing.
    CudaDeviceSetConfig Host ["cudaDeviceSetCacheConfig", "cudaThreadSetCacheConfig", "cudaDeviceSetSharedMemConfig"] (I) -> I;
    /// The same for a kernel.
    CudaFuncSetConfig Host ["cudaFuncSetCacheConfig", "cudaFuncSetSharedMemConfig"] (Kernel, I) -> I;
    /// Sets a property of a kernel: (kernel, attribute, value); changes nothing.
    CudaFuncSetAttribute Host ["cudaFuncSetAttribute"] (Kernel, I, I) -> I;
    /// Sets a limit, which changes nothing but what is answered.
    CudaDeviceSetLimit Host ["cudaDeviceSetLimit", "cudaThreadSetLimit"] (I, Z) -> I;
    /// A limit: (result, which).
    CudaDeviceGetLimit Host ["cudaDeviceGetLimit", "cudaThreadGetLimit"] (PZ, I) -> I;
    /// How the host waits, which changes nothing.
    CudaSetDeviceFlags Host ["cudaSetDeviceFlags"] (U) -> I;
    /// Where a profiler starts and stops.
    CudaProfiler Host ["cudaProfilerStart", "cudaProfilerStop"] () -> I;
    /// Makes a stream: (result, flags, priority).
    CudaStreamCreate Host ["cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority"] (PStream, U, I) -> I optional 2;
    /// Frees a stream.
    CudaStreamDestroy Host ["cudaStreamDestroy"] (Stream) -> I;
    /// Waits for a stream, or asks whether it is done: it is.
    CudaStreamSynchronize Host ["cudaStreamSynchronize", "cudaStreamQuery"] (Stream) -> I;
    /// Lets a stream wait for an event: (stream, event, flags).
    CudaStreamWaitEvent Host ["cudaStreamWaitEvent"] (Stream, Event, U) -> I optional 1;
    /// Tells an error and ends the program: (code, call, file, line). `checkCudaErrors` and its kin.
    CheckCuda Host ["__check_cuda"] (I, S, S, I) -> V;
    /// Copies: (destination, source, bytes, kind).
    CudaMemcpy Host ["cudaMemcpy"] (P, P, Z, I) -> I;
    /// Fills device memory with a byte.
    CudaMemset Host ["cudaMemset"] (P, I, Z) -> I;
    /// Copies into a `__device__` or `__constant__` variable: (symbol, source, bytes, offset, kind).
    CudaMemcpyToSymbol Host ["cudaMemcpyToSymbol"] (Symbol, P, Z, Z, I) -> I optional 2;
    /// Copies from such a variable: (destination, symbol, bytes, offset, kind).
    CudaMemcpyFromSymbol Host ["cudaMemcpyFromSymbol"] (P, Symbol, Z, Z, I) -> I optional 2;
    /// Waits for the device.
    CudaDeviceSynchronize Host ["cudaDeviceSynchronize", "cudaThreadSynchronize"] () -> I;
    /// Ends use of the device.
    CudaDeviceReset Host ["cudaDeviceReset", "cudaThreadExit"] () -> I;
    /// Chooses a device; only 0 exists.
    CudaSetDevice Host ["cudaSetDevice"] (I) -> I;
    /// Number of devices: 1.
    CudaGetDeviceCount Host ["cudaGetDeviceCount"] (PI) -> I;
    /// The device in use: 0.
    CudaGetDevice Host ["cudaGetDevice"] (PI) -> I;
    /// The last error, which it clears.
    CudaGetLastError Host ["cudaGetLastError"] () -> I;
    /// The last error, kept.
    CudaPeekAtLastError Host ["cudaPeekAtLastError"] () -> I;
    /// An error's sentence.
    CudaGetErrorString Host ["cudaGetErrorString"] (I) -> S;
    /// An error's name.
    CudaGetErrorName Host ["cudaGetErrorName"] (I) -> S;
    /// Makes an event.
    CudaEventCreate Host ["cudaEventCreate", "cudaEventCreateWithFlags"] (PEvent, U) -> I optional 1;
    /// Notes the simulated time: (event, stream).
    CudaEventRecord Host ["cudaEventRecord"] (Event, Stream) -> I optional 1;
    /// Waits for an event, or asks whether it is over: it is.
    CudaEventSynchronize Host ["cudaEventSynchronize", "cudaEventQuery"] (Event) -> I;
    /// Simulated milliseconds between two events: (result, start, stop).
    CudaEventElapsedTime Host ["cudaEventElapsedTime"] (PF, Event, Event) -> I;
    /// Frees an event.
    CudaEventDestroy Host ["cudaEventDestroy"] (Event) -> I;
}
