//! The rows of products of matrices, a part of the [table](crate::table): pattern, operands and meaning.
//!
//! A form has the fragments that the PTX ISA draws for its shape.

/// The rows.
pub(crate) const ROWS: [(&str, &str, &str); 60] = [
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
    (
        "wmma.load.(a|b).sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)[global|shared|shared::cta].f16",
        ">d:b32*8 [p] stride:u32?",
        "All lanes load a fragment of a matrix together, from rows or columns `stride` elements apart; they follow each other without `stride`. Its layout in registers is that of `mma`, and the last registers may repeat the first.",
    ),
    (
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k16[global|shared|shared::cta].bf16",
        ">d:b32*4 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.a.sync.aligned.(row|col).m8n32k16[global|shared|shared::cta].bf16",
        ">d:b32*2 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.a.sync.aligned.(row|col).m32n8k16[global|shared|shared::cta].bf16",
        ">d:b32*8 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.b.sync.aligned.(row|col).m8n32k16[global|shared|shared::cta].bf16",
        ">d:b32*8 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.b.sync.aligned.(row|col).m32n8k16[global|shared|shared::cta].bf16",
        ">d:b32*2 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k8[global|shared|shared::cta].tf32",
        ">d:b32*4 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.(a|b).sync.aligned.(row|col).m16n16k16[global|shared|shared::cta].(u8|s8)",
        ">d:b32*2 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.a.sync.aligned.(row|col).m8n32k16[global|shared|shared::cta].(u8|s8)",
        ">d:b32*1 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.a.sync.aligned.(row|col).m32n8k16[global|shared|shared::cta].(u8|s8)",
        ">d:b32*4 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.b.sync.aligned.(row|col).m8n32k16[global|shared|shared::cta].(u8|s8)",
        ">d:b32*4 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.b.sync.aligned.(row|col).m32n8k16[global|shared|shared::cta].(u8|s8)",
        ">d:b32*1 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.(a|b).sync.aligned.(row|col).m8n8k4[global|shared|shared::cta].f64",
        ">d:f64*1 [p] stride:u32?",
        "The same.",
    ),
    (
        "wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)[global|shared|shared::cta].f16",
        ">d:b32*4 [p] stride:u32?",
        "The same of the addend.",
    ),
    (
        "wmma.load.c.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)[global|shared|shared::cta].(f32|s32)",
        ">d:b32*8 [p] stride:u32?",
        "The same of the addend.",
    ),
    (
        "wmma.load.c.sync.aligned.(row|col).m16n16k8[global|shared|shared::cta].f32",
        ">d:b32*8 [p] stride:u32?",
        "The same of the addend.",
    ),
    (
        "wmma.load.c.sync.aligned.(row|col).m8n8k4[global|shared|shared::cta].f64",
        ">d:f64*2 [p] stride:u32?",
        "The same of the addend.",
    ),
    (
        "wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)[global|shared|shared::cta].f16",
        "[p] d:b32*4 stride:u32?",
        "Stores a fragment of a result, as `wmma.load.c` loads it.",
    ),
    (
        "wmma.store.d.sync.aligned.(row|col).(m16n16k16|m8n32k16|m32n8k16)[global|shared|shared::cta].(f32|s32)",
        "[p] d:b32*8 stride:u32?",
        "The same.",
    ),
    (
        "wmma.store.d.sync.aligned.(row|col).m16n16k8[global|shared|shared::cta].f32",
        "[p] d:b32*8 stride:u32?",
        "The same.",
    ),
    (
        "wmma.store.d.sync.aligned.(row|col).m8n8k4[global|shared|shared::cta].f64",
        "[p] d:f64*2 stride:u32?",
        "The same.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f32.f32",
        ">d:b32*8 a:b32*8 b:b32*8 c:b32*8",
        "`a` times `b` plus `c`: the sums of `mma`, two for each shape.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f16.f16",
        ">d:b32*4 a:b32*8 b:b32*8 c:b32*4",
        "The same with sums of halves, two to a word.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f32.f16",
        ">d:b32*8 a:b32*8 b:b32*8 c:b32*4",
        "The same with a `c` of halves.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).(m16n16k16|m8n32k16|m32n8k16).f16.f32",
        ">d:b32*4 a:b32*8 b:b32*8 c:b32*8",
        "The sums of `.f32`, rounded to halves.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16.f32.bf16.bf16.f32",
        ">d:b32*8 a:b32*4 b:b32*4 c:b32*8",
        "As for `.f16`.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n32k16.f32.bf16.bf16.f32",
        ">d:b32*8 a:b32*2 b:b32*8 c:b32*8",
        "As for `.f16`.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m32n8k16.f32.bf16.bf16.f32",
        ">d:b32*8 a:b32*8 b:b32*2 c:b32*8",
        "As for `.f16`.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k8.f32.tf32.tf32.f32",
        ">d:b32*8 a:b32*4 b:b32*4 c:b32*8",
        "As for `.f16`; the low 13 bits of a `.tf32` count as zero.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m16n16k16[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*8 a:b32*2 b:b32*2 c:b32*8",
        "Sum of products of bytes, and `c`; wraps, or with `.satfinite` is limited to the range of `.s32`.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n32k16[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*8 a:b32*1 b:b32*4 c:b32*8",
        "The same.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m32n8k16[satfinite].s32.(u8|s8).(u8|s8).s32",
        ">d:b32*8 a:b32*4 b:b32*1 c:b32*8",
        "The same.",
    ),
    (
        "wmma.mma.sync.aligned.(row|col).(row|col).m8n8k4[rn].f64.f64.f64.f64",
        ">d:f64*2 a:f64*1 b:f64*1 c:f64*2",
        "Each element is a chain of `fma` from `c` on.",
    ),
];
