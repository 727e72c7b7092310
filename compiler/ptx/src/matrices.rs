//! The rows of products of matrices, a part of the [table](crate::table): pattern, operands and meaning.
//!
//! A form has the fragments that the PTX ISA draws for its shape.

/// The rows.
pub(crate) const ROWS: [(&str, &str, &str); 27] = [
    (
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "`a` (16 × 8) times `b` (8 × 8) plus `c`, of all lanes of a warp together; a word of `a` and `b` is two halves. Products and their sum with `c` are exact, and rounded once.",
    ),
    (
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16",
        ">d:b32*2 a:b32*2 b:b32*1 c:b32*2",
        "The same with sums of halves, two to a word.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "The same for 16 × 16 and 16 × 8.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        ">d:b32*2 a:b32*4 b:b32*2 c:b32*2",
        "The same with sums of halves, two to a word.",
    ),
    (
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "As for `.f16`.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "As for `.f16`.",
    ),
    (
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "As for `.f16`; the low 13 bits of a `.tf32` count as zero.",
    ),
    (
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "The same for 16 × 8 and 8 × 8.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "As for `.f16`, with four values to a word.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16",
        ">d:b32*2 a:b32*2 b:b32*1 c:b32*2",
        "The same with sums of halves, two to a word.",
    ),
    (
        "mma.sync.aligned.m16n8k32.row.col.f32.(e4m3|e5m2).(e4m3|e5m2).f32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "As for `.f16`, with four values to a word.",
    ),
    (
        "mma.sync.aligned.m16n8k32.row.col.f16.(e4m3|e5m2).(e4m3|e5m2).f16",
        ">d:b32*2 a:b32*4 b:b32*2 c:b32*2",
        "The same with sums of halves, two to a word.",
    ),
    (
        "mma.sync.aligned.m8n8k16.row.col[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*2 a:b32*1 b:b32*1 c:b32*2",
        "Sum of products of bytes, and `c`; wraps, or with `.satfinite` is limited to the range of `.s32`.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m16n8k32.row.col[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m8n8k32.row.col[satfinite].s32.(u4|s4).(u4|s4).s32",
        ">d:b32*2 a:b32*1 b:b32*1 c:b32*2",
        "The same of four bits.",
    ),
    (
        "mma.sync.aligned.m16n8k32.row.col[satfinite].s32.(u4|s4).(u4|s4).s32",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m16n8k64.row.col[satfinite].s32.(u4|s4).(u4|s4).s32",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.(xor|and).popc",
        ">d:b32*2 a:b32*1 b:b32*1 c:b32*2",
        "The number of bits that differ, or that both have, and `c`; wraps.",
    ),
    (
        "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.(xor|and).popc",
        ">d:b32*4 a:b32*2 b:b32*1 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.(xor|and).popc",
        ">d:b32*4 a:b32*4 b:b32*2 c:b32*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).f32.f16.f16.f32",
        ">d:b32*8 a:b32*2 b:b32*2 c:b32*8",
        "Four products, each of 8 lanes: `4i` to `4i + 3` and those 16 above. Exact, and rounded once.",
    ),
    (
        "mma.sync.aligned.m8n8k4.(row|col).(row|col).f16.f16.f16.f16",
        ">d:b32*4 a:b32*2 b:b32*2 c:b32*4",
        "The same with sums of halves, two to a word.",
    ),
    (
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
        ">d:f64*2 a:f64*1 b:f64*1 c:f64*2",
        "`a` times `b` plus `c`: each element is a chain of `fma` in the order of columns of `a`, from `c` on.",
    ),
    (
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64",
        ">d:f64*4 a:f64*2 b:f64*1 c:f64*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64",
        ">d:f64*4 a:f64*4 b:f64*2 c:f64*4",
        "The same.",
    ),
    (
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
        ">d:f64*4 a:f64*8 b:f64*4 c:f64*4",
        "The same.",
    ),
];
