//! The rows of conversions to and from types of tensor cores, a part of the [table](crate::table): pattern, operands and meaning.

/// The rows.
pub(crate) const ROWS: [(&str, &str, &str); 5] = [
    (
        "cvt.rna[satfinite].tf32.f32",
        ">d:b32 a:f32",
        "Rounded to 11 significant bits, the low 13 bits zero: to nearest, halves away from zero. With `.satfinite` no result is infinite.",
    ),
    (
        "cvt.(rn|rz)[satfinite][relu].tf32.f32",
        ">d:b32 a:f32",
        "The same in these directions; with `.relu` negative results become 0.",
    ),
    (
        "cvt.rn.satfinite[relu].(e4m3x2|e5m2x2).f32",
        ">d:b16 a:f32 b:f32",
        "Both rounded to nearest even and limited to finite values; `a` goes to the upper byte. With `.relu` negative results become 0. A NaN gives `0x7f`.",
    ),
    (
        "cvt.rn.satfinite[relu].(e4m3x2|e5m2x2).f16x2",
        ">d:b16 a:b32",
        "The same of both halves of `a`.",
    ),
    (
        "cvt.rn[relu].f16x2.(e4m3x2|e5m2x2)",
        ">d:b32 a:b16",
        "Both exact; the upper byte gives the upper half. With `.relu` negative results become 0.",
    ),
];
