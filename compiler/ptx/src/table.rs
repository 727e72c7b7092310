//! The table of instructions: a row for each form.
//!
//! From it follow the check of a text ([`check`](crate::check())), the document `spec/ptx.md`, and the conformance tests,
//! which try every form that a row stands for.
//!
//! # Patterns
//!
//! A pattern is a mnemonic and its modifiers. `.word` is a word that has to be there, `[a|b]` one that may be, `(a|b)` one of
//! several. `<class>` stands for the words of a class ([`CLASSES`]). Words that may be left out may stand at any place, as
//! compilers write them; the others stand in the pattern's order.
//!
//! # Operands
//!
//! `name:TYPE`, the destination marked by `>`. `T` is the first type among the modifiers, `S` the second, `2T` twice as wide
//! as `T`; other types are spelled out. After a type, `+` admits wider registers; `*4` asks for four values in braces.
//! `v` before it admits the vector that `.v2` or `.v4` asks for. `!` before a name admits a complement, `[a]` is an address,
//! `a|p` a destination with a second one, a predicate, that may be left out; `#n` a constant. `?` marks what may be left out.
//! `[t,{x,y}]` is a texture with its coordinates, of type `S`; `[s,{x,y}]` a surface, whose coordinates are words. A layer `l` is
//! a word too, and `_` is ignored. `[t]` is a texture or surface alone.
//! The type `size` admits a word, or a predicate.
//! `-` before a name admits a minus. `~`, `~2` and `~4` at the end admit a selector of a byte or half, of two halves, or of
//! four bytes, such as `%r1.b0`; at a destination, of the parts that are written.

use crate::{conversions, copies, matrices};

/// A form of an instruction, with all its options.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Mnemonic and modifiers.
    pub pattern: &'static str,
    /// The operands, separated by spaces.
    pub operands: &'static str,
    /// The meaning, in one sentence or two.
    pub meaning: &'static str,
}

/// Classes of words that patterns name.
pub const CLASSES: &[(&str, &str)] = &[
    ("int", "u16|s16|u32|s32|u64|s64"),
    ("wide", "u16|s16|u32|s32"),
    ("carried", "u32|s32|u64|s64"),
    ("signed", "s16|s32|s64"),
    ("bits", "b16|b32|b64"),
    ("rounding", "rn|rz|rm|rp"),
    ("word", "u32|s32"),
    ("test", "eq|ne|lt|le|gt|ge"),
    ("half", "f16|f16x2"),
    ("brain", "bf16|bf16x2"),
    ("whole", "rni|rzi|rmi|rpi"),
    ("any", "b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64"),
    ("stored", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"),
    ("number", "u8|u16|u32|u64|s8|s16|s32|s64"),
    ("cmp", "eq|ne|lt|le|gt|ge|lo|ls|hi|hs"),
    ("ordered", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"),
    ("compared", "b16|b32|b64|u16|u32|u64|s16|s32|s64"),
    ("combine", "and|or|xor"),
    ("scope", "cta|cluster|gpu|sys"),
    ("space", "const|global|local|shared|shared::cta"),
    ("cache", "ca|cg|cs|lu|cv"),
    (
        "level1",
        "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate",
    ),
    ("level2", "L2::evict_normal|L2::evict_first|L2::evict_last"),
    ("fetch", "L2::64B|L2::128B|L2::256B"),
    ("order", "relaxed|acquire|release|acq_rel"),
];

const fn row(pattern: &'static str, operands: &'static str, meaning: &'static str) -> Row {
    Row { pattern, operands, meaning }
}

/// Every form, by group.
pub const GROUPS: &[(&str, &[Row])] = &[
    ("Integers", INTEGERS),
    ("Floating point", FLOATS),
    ("Half precision", HALVES),
    ("Comparison and selection", COMPARISONS),
    ("Logic and shifts", LOGIC),
    ("Video", VIDEO),
    ("Moves and conversions", MOVES),
    ("Conversions for tensor cores", &CONVERSIONS),
    ("Memory", MEMORY),
    ("Asynchronous copies", &COPIES),
    ("Control", CONTROL),
    ("Threads together", TOGETHER),
    ("Matrices", &MATRICES),
];

const INTEGERS: &[Row] = &[
    row("add.<int>", ">d:T a:T b:T", "Sum; wraps."),
    row("add.sat.s32", ">d:T a:T b:T", "Sum, limited to the range of `.s32`."),
    row("add.s32.sat", ">d:T a:T b:T", "As `add.sat.s32`."),
    row("sub.<int>", ">d:T a:T b:T", "Difference; wraps."),
    row("sub.sat.s32", ">d:T a:T b:T", "Difference, limited to the range of `.s32`."),
    row("sub.s32.sat", ">d:T a:T b:T", "As `sub.sat.s32`."),
    row("add.cc.<carried>", ">d:T a:T b:T", "Sum; the carry goes to `CC.CF`."),
    row("addc[cc].<carried>", ">d:T a:T b:T", "Sum with the carry of `CC.CF`."),
    row("sub.cc.<carried>", ">d:T a:T b:T", "Difference; the borrow goes to `CC.CF`."),
    row("subc[cc].<carried>", ">d:T a:T b:T", "Difference with the borrow of `CC.CF`."),
    row("mul.(lo|hi).<int>", ">d:T a:T b:T", "Low or high half of the product."),
    row("mul.wide.<wide>", ">d:2T a:T b:T", "The whole product."),
    row("mad.(lo|hi).<int>", ">d:T a:T b:T c:T", "Low or high half of the product, and `c`."),
    row("mad.wide.<wide>", ">d:2T a:T b:T c:2T", "The whole product, and `c`."),
    row(
        "mad.hi.sat.s32",
        ">d:T a:T b:T c:T",
        "High half of the product, and `c`, limited to the range of `.s32`.",
    ),
    row(
        "mad.(lo|hi).cc.<carried>",
        ">d:T a:T b:T c:T",
        "Half of the product, and `c`; the carry goes to `CC.CF`.",
    ),
    row(
        "madc.(lo|hi)[cc].<carried>",
        ">d:T a:T b:T c:T",
        "Half of the product, `c`, and the carry of `CC.CF`.",
    ),
    row(
        "mul24.(lo|hi).(u32|s32)",
        ">d:T a:T b:T",
        "Bits 0 to 31, or 16 to 47, of the product of the low 24 bits.",
    ),
    row(
        "mad24.(lo|hi).(u32|s32)",
        ">d:T a:T b:T c:T",
        "Bits 0 to 31, or 16 to 47, of the product of the low 24 bits, and `c`.",
    ),
    row(
        "mad24.hi.sat.s32",
        ">d:T a:T b:T c:T",
        "Bits 16 to 47 of the product of the low 24 bits, and `c`, limited to the range of `.s32`.",
    ),
    row("sad.<int>", ">d:T a:T b:T c:T", "The larger less the smaller, and `c`."),
    row("div.<int>", ">d:T a:T b:T", "Quotient, towards zero; all ones for a zero divisor."),
    row(
        "rem.<int>",
        ">d:T a:T b:T",
        "Remainder, with the sign of the dividend; the dividend for a zero divisor.",
    ),
    row("abs.<signed>", ">d:T a:T", "Magnitude; the least integer is its own."),
    row("neg.<signed>", ">d:T a:T", "Negation; wraps."),
    row("min.<int>", ">d:T a:T b:T", "The smaller."),
    row("max.<int>", ">d:T a:T b:T", "The larger."),
    row("popc.(b32|b64)", ">d:u32 a:T", "How many bits are 1."),
    row("clz.(b32|b64)", ">d:u32 a:T", "Zero bits above the highest 1."),
    row(
        "bfind[shiftamt].<carried>",
        ">d:u32 a:T",
        "The place of the highest bit that is 1, or of negative numbers 0; all ones if there is none. With `.shiftamt` the distance from the top.",
    ),
    row(
        "fns.b32",
        ">d:u32 mask:b32 base:b32 n:s32",
        "The place of the `n`th 1 of the mask from `base` on; all ones if there is none.",
    ),
    row("brev.(b32|b64)", ">d:T a:T", "The bits in the other order."),
    row(
        "bfe.<carried>",
        ">d:T a:T b:u32 c:u32",
        "`c` bits from place `b` on, sign-extended for signed types. The low 8 bits of both count.",
    ),
    row(
        "bfi.(b32|b64)",
        ">f:T a:T b:T c:u32 d:u32",
        "`b` with the low `d` bits of `a` from place `c` on. The low 8 bits of both count.",
    ),
    row("szext.(clamp|wrap).(u32|s32)", ">d:T a:T b:u32", "The low `b` bits, extended."),
    row("bmsk.(clamp|wrap).b32", ">d:T a:u32 b:u32", "`b` ones from place `a` on."),
    row(
        "dp4a.(u32|s32).(u32|s32)",
        ">d:b32 a:b32 b:b32 c:b32",
        "Sum of the products of four bytes, and `c`; the types say whether the bytes of `a` and of `b` are signed.",
    ),
    row(
        "dp2a.(lo|hi).(u32|s32).(u32|s32)",
        ">d:b32 a:b32 b:b32 c:b32",
        "Sum of the products of the halves of `a` and the two low or high bytes of `b`, and `c`.",
    ),
];

const FLOATS: &[Row] = &[
    row(
        "testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64)",
        ">p:pred a:T",
        "True if the value is of that kind.",
    ),
    row("copysign.(f32|f64)", ">d:T a:T b:T", "`b` with the sign of `a`."),
    row("add[<rounding>][ftz][sat].f32", ">d:T a:T b:T", "Sum, rounded once."),
    row("add[<rounding>].f64", ">d:T a:T b:T", "Sum, rounded once."),
    row("sub[<rounding>][ftz][sat].f32", ">d:T a:T b:T", "Difference, rounded once."),
    row("sub[<rounding>].f64", ">d:T a:T b:T", "Difference, rounded once."),
    row("mul[<rounding>][ftz][sat].f32", ">d:T a:T b:T", "Product, rounded once."),
    row("mul[<rounding>].f64", ">d:T a:T b:T", "Product, rounded once."),
    row("fma.<rounding>[ftz][sat].f32", ">d:T a:T b:T c:T", "Product and sum, rounded once."),
    row("fma.<rounding>.f64", ">d:T a:T b:T c:T", "Product and sum, rounded once."),
    row(
        "mad[<rounding>][ftz][sat].f32",
        ">d:T a:T b:T c:T",
        "As `fma`; without a rounding, to nearest.",
    ),
    row("mad[<rounding>].f64", ">d:T a:T b:T c:T", "As `fma`."),
    row("div[approx|full][ftz].f32", ">d:T a:T b:T", "Quotient, correctly rounded here."),
    row("div.<rounding>[ftz].f32", ">d:T a:T b:T", "Quotient, rounded once."),
    row("div[<rounding>].f64", ">d:T a:T b:T", "Quotient, rounded once."),
    row("abs[ftz].f32", ">d:T a:T", "Magnitude: the sign bit is cleared, of NaNs too."),
    row("abs.f64", ">d:T a:T", "Magnitude: the sign bit is cleared, of NaNs too."),
    row("neg[ftz].f32", ">d:T a:T", "Negation: the sign bit is inverted, of NaNs too."),
    row("neg.f64", ">d:T a:T", "Negation: the sign bit is inverted, of NaNs too."),
    row(
        "min[ftz][NaN].f32",
        ">d:T a:T b:T",
        "The smaller, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row("min.f64", ">d:T a:T b:T", "The smaller, -0 below +0; a number rather than a NaN."),
    row(
        "max[ftz][NaN].f32",
        ">d:T a:T b:T",
        "The larger, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row("max.f64", ">d:T a:T b:T", "The larger, -0 below +0; a number rather than a NaN."),
    row("rcp[approx][ftz].f32", ">d:T a:T", "Reciprocal, correctly rounded here."),
    row("rcp.<rounding>[ftz].f32", ">d:T a:T", "Reciprocal, rounded once."),
    row("rcp[<rounding>].f64", ">d:T a:T", "Reciprocal, rounded once."),
    row(
        "rcp.approx.ftz.f64",
        ">d:T a:T",
        "Reciprocal whose low 32 bits are zero: the correctly rounded one, cut off. Subnormals count as zeroes.",
    ),
    row("sqrt[approx][ftz].f32", ">d:T a:T", "Square root, correctly rounded here."),
    row("sqrt.<rounding>[ftz].f32", ">d:T a:T", "Square root, rounded once."),
    row("sqrt[<rounding>].f64", ">d:T a:T", "Square root, rounded once."),
    row("rsqrt[approx][ftz].f32", ">d:T a:T", "Reciprocal of the square root, each step rounded."),
    row(
        "rsqrt.approx.ftz.f64",
        ">d:T a:T",
        "Reciprocal of the square root, each step rounded, whose low 32 bits are cut off.",
    ),
    row("rsqrt[approx].f64", ">d:T a:T", "Reciprocal of the square root, each step rounded."),
    row("sin[approx][ftz].f32", ">d:T a:T", "Sine, as of libm."),
    row("cos[approx][ftz].f32", ">d:T a:T", "Cosine, as of libm."),
    row("lg2[approx][ftz].f32", ">d:T a:T", "Binary logarithm, as of libm."),
    row("ex2[approx][ftz].f32", ">d:T a:T", "Power of two, as of libm."),
    row("tanh.approx.f32", ">d:T a:T", "Hyperbolic tangent, as of libm."),
];

const HALVES: &[Row] = &[
    row("add[rn][ftz][sat].<half>", ">d:T a:T b:T", "Sum, rounded once."),
    row("add[rn].<brain>", ">d:T a:T b:T", "Sum, rounded once."),
    row("sub[rn][ftz][sat].<half>", ">d:T a:T b:T", "Difference, rounded once."),
    row("sub[rn].<brain>", ">d:T a:T b:T", "Difference, rounded once."),
    row("mul[rn][ftz][sat].<half>", ">d:T a:T b:T", "Product, rounded once."),
    row("mul[rn].<brain>", ">d:T a:T b:T", "Product, rounded once."),
    row("fma.rn[ftz][sat].<half>", ">d:T a:T b:T c:T", "Product and sum, rounded once."),
    row(
        "fma.rn[ftz].relu.<half>",
        ">d:T a:T b:T c:T",
        "Product and sum, rounded once; negative results become 0.",
    ),
    row(
        "fma.rn[relu].<brain>",
        ">d:T a:T b:T c:T",
        "Product and sum, rounded once; with `.relu` negative results become 0.",
    ),
    row("abs[ftz].<half>", ">d:T a:T", "Magnitude: the sign bit is cleared, of NaNs too."),
    row("abs.<brain>", ">d:T a:T", "Magnitude: the sign bit is cleared, of NaNs too."),
    row("neg[ftz].<half>", ">d:T a:T", "Negation: the sign bit is inverted, of NaNs too."),
    row("neg.<brain>", ">d:T a:T", "Negation: the sign bit is inverted, of NaNs too."),
    row(
        "min[ftz][NaN].<half>",
        ">d:T a:T b:T",
        "The smaller, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row(
        "min[NaN].<brain>",
        ">d:T a:T b:T",
        "The smaller, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row(
        "max[ftz][NaN].<half>",
        ">d:T a:T b:T",
        "The larger, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row(
        "max[NaN].<brain>",
        ">d:T a:T b:T",
        "The larger, -0 below +0; a number rather than a NaN, with `.NaN` a NaN.",
    ),
    row("ex2.approx.<half>", ">d:T a:T", "Power of two: that of single precision, rounded."),
    row("ex2.approx.ftz.<brain>", ">d:T a:T", "Power of two: that of single precision, rounded."),
    row(
        "tanh.approx.(f16|f16x2|bf16|bf16x2)",
        ">d:T a:T",
        "Hyperbolic tangent: that of single precision, rounded.",
    ),
    row(
        "setp.<ordered>[ftz].f16",
        ">p|q:pred a:T b:T",
        "True if `a` compares so with `b`; `q` is for the complement of the comparison.",
    ),
    row(
        "setp.<ordered>.bf16",
        ">p|q:pred a:T b:T",
        "True if `a` compares so with `b`; `q` is for the complement of the comparison.",
    ),
    row(
        "setp.<ordered>[ftz].f16x2",
        ">p|q:pred a:T b:T",
        "True if the lower halves compare so; `q` is for the upper ones.",
    ),
    row(
        "setp.<ordered>.bf16x2",
        ">p|q:pred a:T b:T",
        "True if the lower halves compare so; `q` is for the upper ones.",
    ),
    row(
        "set.<ordered>[ftz].(u16|s16|u32|s32|f16).f16",
        ">d:T a:S b:S",
        "All ones, or 1.0 for `.f16`, where `a` compares so with `b`, else 0.",
    ),
    row(
        "set.<ordered>.(u16|s16|u32|s32|bf16).bf16",
        ">d:T a:S b:S",
        "All ones, or 1.0 for `.bf16`, where `a` compares so with `b`, else 0.",
    ),
    row(
        "set.<ordered>[ftz].(f16x2|u32|s32).f16x2",
        ">d:T a:S b:S",
        "Each half: all ones, or 1.0 for `.f16x2`, where the halves compare so, else 0.",
    ),
    row(
        "set.<ordered>.(bf16x2|u32|s32).bf16x2",
        ">d:T a:S b:S",
        "Each half: all ones, or 1.0 for `.bf16x2`, where the halves compare so, else 0.",
    ),
    row(
        "set.<cmp>.(f16|bf16).<compared>",
        ">d:T a:S b:S",
        "1.0 where `a` compares so with `b`, else 0.",
    ),
    row(
        "set.<ordered>[ftz].(f16|bf16).(f32|f64)",
        ">d:T a:S b:S",
        "1.0 where `a` compares so with `b`, else 0.",
    ),
    row("set.<ordered>.bf16.f16", ">d:T a:S b:S", "1.0 where `a` compares so with `b`, else 0."),
    row(
        "setp.<ordered>.<combine>[ftz].f16",
        ">p|q:pred a:T b:T !c:pred",
        "True if `a` compares so with `b`, joined with `c`; `q` is for the complement of the comparison.",
    ),
    row(
        "setp.<ordered>.<combine>.bf16",
        ">p|q:pred a:T b:T !c:pred",
        "True if `a` compares so with `b`, joined with `c`; `q` is for the complement of the comparison.",
    ),
    row(
        "setp.<ordered>.<combine>[ftz].f16x2",
        ">p|q:pred a:T b:T !c:pred",
        "True if the lower halves compare so, joined with `c`; `q` is for the upper ones.",
    ),
    row(
        "setp.<ordered>.<combine>.bf16x2",
        ">p|q:pred a:T b:T !c:pred",
        "True if the lower halves compare so, joined with `c`; `q` is for the upper ones.",
    ),
    row(
        "set.<ordered>.<combine>[ftz].(u16|s16|u32|s32|f16).f16",
        ">d:T a:S b:S !c:pred",
        "All ones, or 1.0 for `.f16`, where `a` compares so with `b`, joined with `c`, else 0.",
    ),
    row(
        "set.<ordered>.<combine>.(u16|s16|u32|s32|bf16).bf16",
        ">d:T a:S b:S !c:pred",
        "All ones, or 1.0 for `.bf16`, where `a` compares so with `b`, joined with `c`, else 0.",
    ),
    row(
        "set.<ordered>.<combine>[ftz].(f16x2|u32|s32).f16x2",
        ">d:T a:S b:S !c:pred",
        "Each half: all ones, or 1.0 for `.f16x2`, where the halves compare so, joined with `c`, else 0.",
    ),
    row(
        "set.<ordered>.<combine>.(bf16x2|u32|s32).bf16x2",
        ">d:T a:S b:S !c:pred",
        "Each half: all ones, or 1.0 for `.bf16x2`, where the halves compare so, joined with `c`, else 0.",
    ),
    row(
        "set.<cmp>.<combine>.(f16|bf16).<compared>",
        ">d:T a:S b:S !c:pred",
        "1.0 where `a` compares so with `b`, joined with `c`, else 0.",
    ),
    row(
        "set.<ordered>.<combine>[ftz].(f16|bf16).(f32|f64)",
        ">d:T a:S b:S !c:pred",
        "1.0 where `a` compares so with `b`, joined with `c`, else 0.",
    ),
    row(
        "set.<ordered>.<combine>.bf16.f16",
        ">d:T a:S b:S !c:pred",
        "1.0 where `a` compares so with `b`, joined with `c`, else 0.",
    ),
];

const COMPARISONS: &[Row] = &[
    row(
        "setp.<cmp>.<compared>",
        ">p|q:pred a:T b:T",
        "True if `a` compares so with `b`; `q` is the complement.",
    ),
    row(
        "setp.<ordered>[ftz].f32",
        ">p|q:pred a:T b:T",
        "True if `a` compares so with `b`; with `u` at the end also if one is a NaN. `q` is the complement.",
    ),
    row("setp.<ordered>.f64", ">p|q:pred a:T b:T", "As `setp` of `.f32`."),
    row(
        "setp.<cmp>.<combine>.<compared>",
        ">p|q:pred a:T b:T !c:pred",
        "The comparison joined with `c`; `q` is its complement joined with `c`.",
    ),
    row(
        "setp.<ordered>.<combine>[ftz].f32",
        ">p|q:pred a:T b:T !c:pred",
        "The comparison joined with `c`; `q` is its complement joined with `c`.",
    ),
    row(
        "setp.<ordered>.<combine>.f64",
        ">p|q:pred a:T b:T !c:pred",
        "The comparison joined with `c`; `q` is its complement joined with `c`.",
    ),
    row(
        "set.<cmp>.(u32|s32|f32).<compared>",
        ">d:T a:S b:S",
        "All ones, or 1.0 for `.f32`, where `a` compares so with `b`, else 0.",
    ),
    row(
        "set.<ordered>[ftz].(u32|s32|f32).f32",
        ">d:T a:S b:S",
        "All ones, or 1.0 for `.f32`, where `a` compares so with `b`, else 0.",
    ),
    row("set.<ordered>.(u32|s32|f32).f64", ">d:T a:S b:S", "As `set` of `.f32`."),
    row(
        "set.<cmp>.<combine>.(u32|s32|f32).<compared>",
        ">d:T a:S b:S !c:pred",
        "As `set`, of the comparison joined with `c`.",
    ),
    row(
        "set.<ordered>.<combine>[ftz].(u32|s32|f32).f32",
        ">d:T a:S b:S !c:pred",
        "As `set`, of the comparison joined with `c`.",
    ),
    row(
        "set.<ordered>.<combine>.(u32|s32|f32).f64",
        ">d:T a:S b:S !c:pred",
        "As `set`, of the comparison joined with `c`.",
    ),
    row("selp.<any>", ">d:T a:T b:T !c:pred", "`a` if `c` holds, else `b`."),
    row("slct.<any>.s32", ">d:T a:T b:T c:S", "`a` if `c` is not negative, else `b`."),
    row(
        "slct[ftz].<any>.f32",
        ">d:T a:T b:T c:S",
        "`a` if `c` is at least 0, else, and for a NaN, `b`.",
    ),
];

const LOGIC: &[Row] = &[
    row("and.(pred|b16|b32|b64)", ">d:T !a:T !b:T", "Bitwise and."),
    row("or.(pred|b16|b32|b64)", ">d:T !a:T !b:T", "Bitwise or."),
    row("xor.(pred|b16|b32|b64)", ">d:T !a:T !b:T", "Bitwise exclusive or."),
    row("not.(pred|b16|b32|b64)", ">d:T a:T", "Complement."),
    row("cnot.<bits>", ">d:T a:T", "1 if `a` is 0, else 0."),
    row(
        "lop3.b32",
        ">d:T a:T b:T c:T #table",
        "The function of three bits whose table is given, bit by bit.",
    ),
    row(
        "lop3.(or|and).b32",
        ">d|p:T a:T b:T c:T #table !q:pred",
        "As `lop3`; `p` is whether the result is not zero, joined with `q`.",
    ),
    row(
        "shf.(l|r).(clamp|wrap).b32",
        ">d:T a:T b:T c:u32",
        "The upper word of `b:a` shifted left, or the lower word of it shifted right, by `c` limited to 32 or modulo 32.",
    ),
    row("shl.<bits>", ">d:T a:T b:u32", "Shifted left; 0 from the width on."),
    row(
        "shr.<compared>",
        ">d:T a:T b:u32",
        "Shifted right, signs into what is free for signed types; from the width on nothing but the sign is left.",
    ),
    row(
        "prmt.b32[f4e|b4e|rc8|ecl|ecr|rc16]",
        ">d:T a:T b:T c:T",
        "Four bytes of `b:a`, chosen by the digits of `c`, bit 3 of which spreads the sign; or by the mode's rule.",
    ),
];

const VIDEO: &[Row] = &[
    row(
        "vadd.<word>.<word>.<word>[sat]",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "Sum of the selected parts; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vadd.<word>.<word>.<word>[sat].(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "Sum of the selected parts; then the second operation with `c`.",
    ),
    row(
        "vsub.<word>.<word>.<word>[sat]",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "Difference of the selected parts; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vsub.<word>.<word>.<word>[sat].(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "Difference of the selected parts; then the second operation with `c`.",
    ),
    row(
        "vabsdiff.<word>.<word>.<word>[sat]",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "Magnitude of the difference of the selected parts; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vabsdiff.<word>.<word>.<word>[sat].(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "Magnitude of the difference of the selected parts; then the second operation with `c`.",
    ),
    row(
        "vmin.<word>.<word>.<word>[sat]",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "The smaller of the selected parts; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vmin.<word>.<word>.<word>[sat].(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "The smaller of the selected parts; then the second operation with `c`.",
    ),
    row(
        "vmax.<word>.<word>.<word>[sat]",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "The larger of the selected parts; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vmax.<word>.<word>.<word>[sat].(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "The larger of the selected parts; then the second operation with `c`.",
    ),
    row(
        "vshl.<word>.<word>.u32[sat].(clamp|wrap)",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "Selected parts of `a` shifted left by those of `b`, limited to 32 or modulo 32; with a selector at `d` the result replaces that part of `c`.",
    ),
    row(
        "vshl.<word>.<word>.u32[sat].(clamp|wrap).(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "Selected parts of `a` shifted left by those of `b`, limited to 32 or modulo 32; then the second operation with `c`.",
    ),
    row(
        "vshr.<word>.<word>.u32[sat].(clamp|wrap)",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "Selected parts of `a` shifted right by those of `b`, limited to 32 or modulo 32; with a selector at `d` the result replaces that part of `c`.",
    ),
    row(
        "vshr.<word>.<word>.u32[sat].(clamp|wrap).(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "Selected parts of `a` shifted right by those of `b`, limited to 32 or modulo 32; then the second operation with `c`.",
    ),
    row(
        "vmad.<word>.<word>.<word>[po][sat][shr7|shr15]",
        ">d:b32 -a:b32~ -b:b32~ -c:b32",
        "Product and `c`, with `.po` and 1, shifted right. Either the product or `c` may have a minus.",
    ),
    row(
        "vset.<word>.<word>.<test>",
        ">d:b32~ a:b32~ b:b32~ c:b32?",
        "1 where the selected parts compare so, else 0; with a selector at `d` it replaces that part of `c`.",
    ),
    row(
        "vset.<word>.<word>.<test>.(add|min|max)",
        ">d:b32 a:b32~ b:b32~ c:b32",
        "1 where the selected parts compare so, else 0; then the second operation with `c`.",
    ),
    row(
        "vadd2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Sums of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vadd2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Sums of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vsub2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Differences of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vsub2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Differences of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vavrg2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Rounded averages of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vavrg2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Rounded averages of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vabsdiff2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Magnitudes of differences of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vabsdiff2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "Magnitudes of differences of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vmin2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "The smaller of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vmin2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "The smaller of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vmax2.<word>.<word>.<word>[sat]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "The larger of halves of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vmax2.<word>.<word>.<word>.add",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "The larger of halves of `b:a`, all added to `c`.",
    ),
    row(
        "vset2.<word>.<word>.<test>[add]",
        ">d:b32~2 a:b32~2 b:b32~2 c:b32",
        "1 where halves of `b:a` compare so, else 0; parts that `d` does not select are those of `c`. With `.add` all are added to `c`.",
    ),
    row(
        "vadd4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Sums of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vadd4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Sums of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vsub4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Differences of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vsub4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Differences of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vavrg4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Rounded averages of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vavrg4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Rounded averages of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vabsdiff4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Magnitudes of differences of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vabsdiff4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "Magnitudes of differences of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vmin4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "The smaller of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vmin4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "The smaller of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vmax4.<word>.<word>.<word>[sat]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "The larger of bytes of `b:a`; parts that `d` does not select are those of `c`.",
    ),
    row(
        "vmax4.<word>.<word>.<word>.add",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "The larger of bytes of `b:a`, all added to `c`.",
    ),
    row(
        "vset4.<word>.<word>.<test>[add]",
        ">d:b32~4 a:b32~4 b:b32~4 c:b32",
        "1 where bytes of `b:a` compare so, else 0; parts that `d` does not select are those of `c`. With `.add` all are added to `c`.",
    ),
];

const MOVES: &[Row] = &[
    row("mov.pred", ">d:T a:T", "A copy."),
    row(
        "mov.<any>",
        ">d:M a:M",
        "A copy; the address of a variable; a special register; or a vector's elements, put into one value or taken out of one, the first in the low bits.",
    ),
    row(
        "mov.b128",
        ">d:M a:M",
        "A copy; or two values of 64 bits, put into one register or taken out of one, the first in the low bits.",
    ),
    row(
        "cvt[sat].<number>.<number>",
        ">d:T+ a:S+",
        "The integer, cut to the width, or limited to the range with `.sat`.",
    ),
    row(
        "cvt.<whole>[ftz][sat].<number>.f32",
        ">d:T+ a:S+",
        "Rounded to an integer, limited to the range. A NaN gives 0 for types of up to 32 bits, else the highest bit alone.",
    ),
    row(
        "cvt.<whole>[sat].<number>.(f16|f64)",
        ">d:T+ a:S+",
        "Rounded to an integer, limited to the range. A NaN gives 0 from `.f16` to types of up to 32 bits, else the highest bit alone.",
    ),
    row(
        "cvt.<rounding>[sat].f16.<number>",
        ">d:T+ a:S+",
        "The half nearest to the integer, in the direction given.",
    ),
    row(
        "cvt.<rounding>[ftz][sat].f32.<number>",
        ">d:T+ a:S+",
        "The float nearest to the integer, in the direction given.",
    ),
    row(
        "cvt.<rounding>[sat].f64.<number>",
        ">d:T+ a:S+",
        "The float nearest to the integer, in the direction given.",
    ),
    row("cvt[ftz].f32.f16", ">d:T a:S", "Exact."),
    row("cvt.f64.(f16|f32)", ">d:T a:S", "Exact."),
    row("cvt.<rounding>[ftz][sat].f16.f32", ">d:T a:S", "Rounded once."),
    row("cvt.(rn|rz)[ftz].relu.f16.f32", ">d:T a:S", "Rounded once; negative results become 0."),
    row("cvt.<rounding>[sat].f16.f64", ">d:T a:S", "Rounded once."),
    row("cvt[<whole>][sat].f16.f16", ">d:T a:S", "The same, or rounded to an integer."),
    row(
        "cvt.(rn|rz)[ftz][relu].f16x2.f32",
        ">d:T a:S b:S",
        "Both rounded; `a` goes to the upper half. With `.relu` negative results become 0.",
    ),
    row("cvt.f32.bf16", ">d:T a:S", "Exact."),
    row(
        "cvt.(rn|rz)[relu].bf16.f32",
        ">d:T a:S",
        "Rounded once; with `.relu` negative results become 0.",
    ),
    row(
        "cvt.(rn|rz)[relu].bf16x2.f32",
        ">d:T a:S b:S",
        "Both rounded; `a` goes to the upper half. With `.relu` negative results become 0.",
    ),
    row(
        "cvt.pack.sat.(u16|s16).s32",
        ">d:u32 a:s32 b:s32",
        "Both limited to the range; `a` goes to the upper half.",
    ),
    row(
        "cvt.pack.sat.(u8|s8|u4|s4|u2|s2).s32.b32",
        ">d:u32 a:s32 b:s32 c:b32",
        "Both limited to the range, `a` above `b`, and above them the low bits of `c`.",
    ),
    row("cvt.<rounding>[ftz][sat].f32.f64", ">d:T a:S", "Rounded once."),
    row(
        "cvt[<whole>][ftz][sat].f32.f32",
        ">d:T a:S",
        "The same, a NaN with its bits; or rounded to an integer.",
    ),
    row(
        "cvt[<whole>][sat].f64.f64",
        ">d:T a:S",
        "The same, a NaN with its bits; or rounded to an integer.",
    ),
    row(
        "cvta.(global|shared|shared::cta|local|const|param).u64",
        ">d:T a:T",
        "The generic address of an address in that window: the same number, as all addresses here are generic.",
    ),
    row(
        "cvta.to.(global|shared|shared::cta|local|const|param).u64",
        ">d:T a:T",
        "The address in that window of a generic address: the same number.",
    ),
    row(
        "isspacep.(global|shared|shared::cta|local|const)",
        ">p:pred a:b64",
        "True if a generic address is in that window.",
    ),
];

const MEMORY: &[Row] = &[
    row(
        "ld[weak|volatile|relaxed|acquire][<scope>][<space>][<cache>][nc][<fetch>][v2|v4].<stored>",
        ">d:vT+ [a]",
        "Loads; values below the register's width are extended.",
    ),
    row(
        "ld[weak|volatile|relaxed|acquire][<scope>][<space>][nc][<level1>][<level2>][<fetch>][v2|v4].<stored>",
        ">d:vT+ [a]",
        "Loads, with eviction priorities in place of a cache operator.",
    ),
    row(
        "ld[weak][<space>][<cache>][nc][<fetch>].b128",
        ">d:T [a]",
        "Loads 16 bytes, whose address is a multiple of 16.",
    ),
    row(
        "ld[weak][<space>][nc][<level1>][<level2>][<fetch>].b128",
        ">d:T [a]",
        "Loads 16 bytes, with eviction priorities in place of a cache operator.",
    ),
    row(
        "ld.mmio.relaxed.sys[global].<stored>",
        ">d:vT+ [a]",
        "As `ld.relaxed.sys`: there are no memory-mapped devices.",
    ),
    row("ld.param[v2|v4].<stored>", ">d:vT+ [a]", "Loads a parameter, or a result of a call."),
    row("ld.param.b128", ">d:T [a]", "Loads 16 bytes of a parameter, or of a result of a call."),
    row(
        "ldu[global][v2|v4].<stored>",
        ">d:vT+ [a]",
        "Loads; that the address is the same in all threads is a promise that changes nothing.",
    ),
    row("ldu[global].b128", ">d:T [a]", "As `ld.b128`."),
    row(
        "st[weak|volatile|relaxed|release][<scope>][global|local|shared|shared::cta][wb|cg|cs|wt][v2|v4].<stored>",
        "[a] b:vT+",
        "Stores the low bits.",
    ),
    row(
        "st[weak|volatile|relaxed|release][<scope>][global|local|shared|shared::cta][<level1>][<level2>][v2|v4].<stored>",
        "[a] b:vT+",
        "Stores the low bits, with eviction priorities in place of a cache operator.",
    ),
    row(
        "st[weak][global|local|shared|shared::cta][wb|cg|cs|wt].b128",
        "[a] b:T",
        "Stores 16 bytes, whose address is a multiple of 16.",
    ),
    row(
        "st[weak][global|local|shared|shared::cta][<level1>][<level2>].b128",
        "[a] b:T",
        "Stores 16 bytes, with eviction priorities in place of a cache operator.",
    ),
    row(
        "st.mmio.relaxed.sys[global].<stored>",
        "[a] b:vT+",
        "As `st.relaxed.sys`: there are no memory-mapped devices.",
    ),
    row("st.param[v2|v4].<stored>", "[a] b:vT+", "Stores an argument of a call, or a result."),
    row("st.param.b128", "[a] b:T", "Stores 16 bytes of an argument of a call, or of a result."),
    row("prefetch[global|local].(L1|L2)", "[a]", "An instruction, which no machine uses yet."),
    row(
        "prefetch.global.(L2::evict_last|L2::evict_normal)",
        "[a]",
        "An instruction, which no machine uses yet.",
    ),
    row("prefetchu.L1", "[a]", "An instruction, which no machine uses yet."),
    row(
        "applypriority[global].L2::evict_normal",
        "[a] #size",
        "An instruction, which no machine uses yet.",
    ),
    row(
        "discard[global].L2",
        "[a] #size",
        "An instruction, which no machine uses yet; memory keeps its bytes.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].(add|min|max).(u32|s32|u64|s64)",
        ">d:T [a] b:T",
        "Sum, smaller or larger of what is in memory and `b`; `d` is what was there.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].add[noftz].(f32|f64)",
        ">d:T [a] b:T",
        "Sum of what is in memory and `b`, rounded to nearest.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].add.noftz.(f16|f16x2|bf16|bf16x2)",
        ">d:T [a] b:T",
        "Sum of what is in memory and `b`, each half rounded to nearest.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].(inc|dec).u32",
        ">d:T [a] b:T",
        "Counts up to `b` and then from 0, or down and then from `b`.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].(and|or|xor|exch).(b32|b64)",
        ">d:T [a] b:T",
        "Bitwise operation, or exchange.",
    ),
    row(
        "atom[<order>][<scope>][global|shared|shared::cta].cas.(b16|b32|b64)",
        ">d:T [a] b:T c:T",
        "Stores `c` if `b` is in memory.",
    ),
    row(
        "red[relaxed|release][<scope>][global|shared|shared::cta].(add|min|max).(u32|s32|u64|s64)",
        "[a] b:T",
        "As `atom`, without a result.",
    ),
    row(
        "red[relaxed|release][<scope>][global|shared|shared::cta].add[noftz].(f32|f64)",
        "[a] b:T",
        "As `atom`, without a result.",
    ),
    row(
        "red[relaxed|release][<scope>][global|shared|shared::cta].add.noftz.(f16|f16x2|bf16|bf16x2)",
        "[a] b:T",
        "As `atom`, without a result.",
    ),
    row(
        "red[relaxed|release][<scope>][global|shared|shared::cta].(inc|dec).u32",
        "[a] b:T",
        "As `atom`, without a result.",
    ),
    row(
        "red[relaxed|release][<scope>][global|shared|shared::cta].(and|or|xor).(b32|b64)",
        "[a] b:T",
        "As `atom`, without a result.",
    ),
    row(
        "tex.1d.v4.(u32|s32|f32).s32",
        ">d:vT [t,{x}]",
        "The channels of element `x` of a texture, each extended to a word; zeroes beyond its end, and for channels that it lacks.",
    ),
    row(
        "tex.1d.v4.(u32|s32|f32).f32",
        ">d:vT [t,{x}]",
        "The channels at a coordinate: of an element, or filtered; what is outside is up to the texture's address mode.",
    ),
    row("tex.2d.v4.(u32|s32|f32).f32", ">d:vT [t,{x,y}]", "The same at two coordinates."),
    row("tex.3d.v4.(u32|s32|f32).f32", ">d:vT [t,{x,y,z,_}]", "The same at three coordinates."),
    row(
        "tex.a1d.v4.(u32|s32|f32).f32",
        ">d:vT [t,{l,x}]",
        "The same in layer `l`; beyond the last it is the last.",
    ),
    row(
        "tex.a2d.v4.(u32|s32|f32).f32",
        ">d:vT [t,{l,x,y,_}]",
        "The same in layer `l`; beyond the last it is the last.",
    ),
    row(
        "tex.cube.v4.(u32|s32|f32).f32",
        ">d:vT [t,{x,y,z,_}]",
        "The same in the face of a cube to which a vector points.",
    ),
    row(
        "tex.acube.v4.(u32|s32|f32).f32",
        ">d:vT [t,{l,x,y,z}]",
        "The same in cube `l`; beyond the last it is the last.",
    ),
    row(
        "tld4.(r|g|b|a).2d.v4.(u32|s32|f32).f32",
        ">d:vT [t,{x,y}]",
        "A channel of the four elements that a filter takes: left below, right below, right above, left above.",
    ),
    row("txq.(width|height|depth).b32", ">d:T [t]", "The elements of a texture along an axis."),
    row(
        "suld.b.1d[ca|cg|cs|cv][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        ">d:vT+ [s,{x}]",
        "Loads from a surface, `x` in bytes. Outside, `.trap` ends the run, `.clamp` takes the nearest element, `.zero` gives 0.",
    ),
    row(
        "suld.b.2d[ca|cg|cs|cv][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        ">d:vT+ [s,{x,y}]",
        "The same at other places of a surface.",
    ),
    row(
        "suld.b.3d[ca|cg|cs|cv][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        ">d:vT+ [s,{x,y,z,_}]",
        "The same at other places of a surface.",
    ),
    row(
        "suld.b.a1d[ca|cg|cs|cv][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        ">d:vT+ [s,{l,x}]",
        "The same at other places of a surface.",
    ),
    row(
        "suld.b.a2d[ca|cg|cs|cv][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        ">d:vT+ [s,{l,x,y,_}]",
        "The same at other places of a surface.",
    ),
    row(
        "sust.b.1d[wb|cg|cs|wt][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        "[s,{x}] a:vT+",
        "Stores to a surface, `x` in bytes. Outside, `.trap` ends the run, `.clamp` takes the nearest element, `.zero` stores nothing.",
    ),
    row(
        "sust.b.2d[wb|cg|cs|wt][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        "[s,{x,y}] a:vT+",
        "The same at other places of a surface.",
    ),
    row(
        "sust.b.3d[wb|cg|cs|wt][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        "[s,{x,y,z,_}] a:vT+",
        "The same at other places of a surface.",
    ),
    row(
        "sust.b.a1d[wb|cg|cs|wt][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        "[s,{l,x}] a:vT+",
        "The same at other places of a surface.",
    ),
    row(
        "sust.b.a2d[wb|cg|cs|wt][v2|v4].(b8|b16|b32|b64).(trap|clamp|zero)",
        "[s,{l,x,y,_}] a:vT+",
        "The same at other places of a surface.",
    ),
    row("suq.(width|height|depth).b32", ">d:T [t]", "The elements of a surface along an axis."),
    row(
        "membar.(cta|gl|sys)",
        "",
        "An instruction, which only checks of a run use: memory is sequentially consistent here.",
    ),
    row(
        "fence.proxy.alias",
        "",
        "An instruction, which only checks of a run use: memory is sequentially consistent here.",
    ),
    row(
        "fence[sc|acq_rel].(cta|cluster|gpu|sys)",
        "",
        "An instruction, which only checks of a run use: memory is sequentially consistent here.",
    ),
];

const CONTROL: &[Row] = &[
    row("bra[uni]", "label", "Goes to a label. `.uni` is a promise that changes nothing."),
    row(
        "brx.idx[uni]",
        "i:u32 table",
        "Goes to the label with that index in a list of `.branchtargets`; beyond it to the last.",
    ),
    row("call[uni]", "call", "Calls a `.func` by its name; its code is put in the call's place."),
    row("ret[uni]", "", "Returns from a `.func`; in a kernel it ends the thread."),
    row("exit", "", "Ends the thread."),
    row("trap", "", "Ends the run."),
    row("brkpt", "", "Ends the run, as a breakpoint."),
    row("nanosleep.u32", "t:T", "A hint; waits for nothing here."),
    row("pmevent", "#a", "Does nothing here."),
    row("pmevent.mask", "#a", "Does nothing here."),
];

const TOGETHER: &[Row] = &[
    row(
        "bar[cta].sync",
        "a:u32 b:u32?",
        "Waits for all threads of the block that have not ended, whatever the number `a`. With `b` waits until `b` threads are at barrier `a`.",
    ),
    row("barrier[cta].sync[aligned]", "a:u32 b:u32?", "As `bar.sync`."),
    row(
        "bar[cta].arrive",
        "a:u32 b:u32",
        "Counts the thread at barrier `a`, which opens at `b` threads; does not wait.",
    ),
    row("barrier[cta].arrive[aligned]", "a:u32 b:u32", "As `bar.arrive`."),
    row(
        "bar[cta].red.popc.u32",
        ">d:T a:u32 b:u32? !c:pred",
        "As `bar.sync`; the result is the number of threads for which `c` holds.",
    ),
    row("barrier[cta].red.popc[aligned].u32", ">d:T a:u32 b:u32? !c:pred", "As `bar.red`."),
    row(
        "bar[cta].red.(and|or).pred",
        ">p:pred a:u32 b:u32? !c:pred",
        "As `bar.sync`; the result is true if `c` holds for all threads, or for any.",
    ),
    row("barrier[cta].red.(and|or)[aligned].pred", ">p:pred a:u32 b:u32? !c:pred", "As `bar.red`."),
    row(
        "bar.warp.sync",
        "mask:b32",
        "Waits for the lanes of the mask; traps if they are not together.",
    ),
    row(
        "shfl.(up|down|bfly|idx).b32",
        ">d|p:T a:T b:u32 c:u32",
        "A word of another lane of the warp; `p` is whether that lane is in range. A lane that does not act gives 0.",
    ),
    row(
        "shfl.sync.(up|down|bfly|idx).b32",
        ">d|p:T a:T b:u32 c:u32 mask:b32",
        "As `shfl`, of the lanes of the mask, which have to be together.",
    ),
    row(
        "vote.(all|any|uni).pred",
        ">p:pred !a:pred",
        "True if `a` holds for all lanes, for any, or is the same in all.",
    ),
    row("vote.ballot.b32", ">d:T !a:pred", "The lanes for which `a` holds, a bit each."),
    row(
        "vote.sync.(all|any|uni).pred",
        ">p:pred !a:pred mask:b32",
        "As `vote`, of the lanes of the mask.",
    ),
    row(
        "vote.sync.ballot.b32",
        ">d:T !a:pred mask:b32",
        "As `vote.ballot`, of the lanes of the mask.",
    ),
    row("vote.(all|any|uni).sync.pred", ">p:pred !a:pred mask:b32", "As `vote.sync`."),
    row("vote.ballot.sync.b32", ">d:T !a:pred mask:b32", "As `vote.sync.ballot`."),
    row(
        "match.any.sync.(b32|b64)",
        ">d:b32 a:T mask:b32",
        "The lanes of the mask that have the same value, a bit each.",
    ),
    row(
        "match.all.sync.(b32|b64)",
        ">d|p:b32 a:T mask:b32",
        "The lanes of the mask that have not ended, if all of them have the same value, else 0; `p` is whether they have.",
    ),
    row("activemask.b32", ">d:T", "The lanes that act together with this one, a bit each."),
    row(
        "redux.sync.(add|min|max).(u32|s32)",
        ">d:T a:T mask:b32",
        "Sum, smallest or largest of the values of the lanes of the mask.",
    ),
    row(
        "redux.sync.(and|or|xor).b32",
        ">d:T a:T mask:b32",
        "Bitwise operation on the values of the lanes of the mask.",
    ),
    row(
        "ldmatrix.sync.aligned.m8n8.(x1|x2|x4)[trans][shared|shared::cta].b16",
        ">d:vb32 [a]",
        "Loads 1, 2 or 4 matrices of 8 rows of 8 halves. Lane `8m + r` has the address of row `r` of matrix `m`; lane `l` gets elements `2(l mod 4)` and the next one of row `l / 4` of each, with `.trans` of the matrix transposed.",
    ),
    row(
        "ldmatrix.sync.aligned.(x1|x2|x4).m8n8[trans][shared|shared::cta].b16",
        ">d:vb32 [a]",
        "The same in an order that NVIDIA's assembler also reads.",
    ),
    row(
        "stmatrix.sync.aligned.m8n8.(x1|x2|x4)[trans][shared|shared::cta].b16",
        "[a] b:vb32",
        "Stores matrices as `ldmatrix` loads them.",
    ),
    row(
        "movmatrix.sync.aligned.m8n8.trans.b16",
        ">d:b32 a:b32",
        "A matrix as `ldmatrix` gives it, transposed.",
    ),
];

/// Conversions for tensor cores.
const CONVERSIONS: [Row; conversions::ROWS.len()] = rows(conversions::ROWS);

/// Products of matrices.
const MATRICES: [Row; matrices::ROWS.len()] = rows(matrices::ROWS);

/// Asynchronous copies.
const COPIES: [Row; copies::ROWS.len()] = rows(copies::ROWS);

/// Rows of another file.
const fn rows<const N: usize>(from: [(&'static str, &'static str, &'static str); N]) -> [Row; N] {
    let mut rows = [row("", "", ""); N];
    let mut at = 0;
    while at < N {
        let (pattern, operands, meaning) = from[at];
        rows[at] = row(pattern, operands, meaning);
        at += 1;
    }
    rows
}
