//! The rows of instructions of matrices, a part of the [table](crate::table).
//!
//! All lanes of a warp act together, and words of fragments are those of the PTX ISA ([`crate::matrix`]).

/// The table: some rows, and those of matrices.
macro_rules! with_matrices {
    ({ $($rows:tt)* }) => { isa! {
    $($rows)*

    // Matrices of 8 rows of 8 elements of 16 bits in shared memory, which a whole warp accesses: lane `8i + r` gives the address of
    // row r of matrix i, 16 bytes. Word i of a lane is of matrix i.
    /// Loads a matrix: lane l gets elements `2(l mod 4)` and `2(l mod 4) + 1` of row `l / 4`.
    0x370 LoadMatrix "ldmatrix.x1" Memory load [(address: u32) -> u32 {}];
    /// Loads two matrices.
    0x371 LoadMatrix2 "ldmatrix.x2" Memory load [(address: u32) -> u64 {}];
    /// Loads four matrices.
    0x372 LoadMatrix4 "ldmatrix.x4" Memory load [(address: u32) -> quad {}];
    /// Loads a matrix transposed: lane l gets element `l / 4` of rows `2(l mod 4)` and `2(l mod 4) + 1`.
    0x373 LoadMatrixTransposed "ldmatrix.x1.trans" Memory load [(address: u32) -> u32 {}];
    /// Loads two matrices, each transposed.
    0x374 LoadMatrix2Transposed "ldmatrix.x2.trans" Memory load [(address: u32) -> u64 {}];
    /// Loads four matrices, each transposed.
    0x375 LoadMatrix4Transposed "ldmatrix.x4.trans" Memory load [(address: u32) -> quad {}];
    /// Stores a matrix: lane l has elements `2(l mod 4)` and `2(l mod 4) + 1` of row `l / 4`.
    0x376 StoreMatrix "stmatrix.x1" Memory store [(address: u32, value: u32) {}];
    /// Stores two matrices.
    0x377 StoreMatrix2 "stmatrix.x2" Memory store [(address: u32, value: u64) {}];
    /// Stores four matrices.
    0x378 StoreMatrix4 "stmatrix.x4" Memory store [(address: u32, value: quad) {}];
    /// Stores a matrix transposed: lane l has element `l / 4` of rows `2(l mod 4)` and `2(l mod 4) + 1`.
    0x379 StoreMatrixTransposed "stmatrix.x1.trans" Memory store [(address: u32, value: u32) {}];
    /// Stores two matrices, each transposed.
    0x37a StoreMatrix2Transposed "stmatrix.x2.trans" Memory store [(address: u32, value: u64) {}];
    /// Stores four matrices, each transposed.
    0x37b StoreMatrix4Transposed "stmatrix.x4.trans" Memory store [(address: u32, value: quad) {}];
    /// Transposes a matrix of 8 rows of 8 elements of 16 bits, which a whole warp holds as after `ldmatrix.x1`.
    0x37c TransposeMatrix "movmatrix.trans.b16" Integer collective [(value: u32) -> u32 {}];

    /// `a` (16 × 8, f16) times `b` (8 × 8, f16), plus `c` (f32).
    0x300 MmaM16N8K8F32F16F16 "mma.m16n8k8.f32.f16.f16" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 8, f16) times `b` (8 × 8, f16), plus `c` (f16).
    0x301 MmaM16N8K8F16F16F16 "mma.m16n8k8.f16.f16.f16" Tensor collective [(a: u64, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 16, f16) times `b` (16 × 8, f16), plus `c` (f32).
    0x302 MmaM16N8K16F32F16F16 "mma.m16n8k16.f32.f16.f16" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 16, f16) times `b` (16 × 8, f16), plus `c` (f16).
    0x303 MmaM16N8K16F16F16F16 "mma.m16n8k16.f16.f16.f16" Tensor collective [(a: quad, b: u64, c: u64) -> u64 {}];
    /// `a` (16 × 8, bf16) times `b` (8 × 8, bf16), plus `c` (f32).
    0x304 MmaM16N8K8F32Bf16Bf16 "mma.m16n8k8.f32.bf16.bf16" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, bf16) times `b` (16 × 8, bf16), plus `c` (f32).
    0x305 MmaM16N8K16F32Bf16Bf16 "mma.m16n8k16.f32.bf16.bf16" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 4, tf32) times `b` (4 × 8, tf32), plus `c` (f32).
    0x306 MmaM16N8K4F32Tf32Tf32 "mma.m16n8k4.f32.tf32.tf32" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 8, tf32) times `b` (8 × 8, tf32), plus `c` (f32).
    0x307 MmaM16N8K8F32Tf32Tf32 "mma.m16n8k8.f32.tf32.tf32" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (8 × 16, s8) times `b` (16 × 8, s8), plus `c` (s32).
    0x308 MmaM8N8K16S32S8S8 "mma.m8n8k16.s32.s8.s8" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, s8) times `b` (16 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x309 MmaM8N8K16S32S8S8Sat "mma.m8n8k16.s32.s8.s8.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, s8) times `b` (16 × 8, u8), plus `c` (s32).
    0x30a MmaM8N8K16S32S8U8 "mma.m8n8k16.s32.s8.u8" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, s8) times `b` (16 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x30b MmaM8N8K16S32S8U8Sat "mma.m8n8k16.s32.s8.u8.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, u8) times `b` (16 × 8, s8), plus `c` (s32).
    0x30c MmaM8N8K16S32U8S8 "mma.m8n8k16.s32.u8.s8" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, u8) times `b` (16 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x30d MmaM8N8K16S32U8S8Sat "mma.m8n8k16.s32.u8.s8.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, u8) times `b` (16 × 8, u8), plus `c` (s32).
    0x30e MmaM8N8K16S32U8U8 "mma.m8n8k16.s32.u8.u8" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 16, u8) times `b` (16 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x30f MmaM8N8K16S32U8U8Sat "mma.m8n8k16.s32.u8.u8.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 16, s8) times `b` (16 × 8, s8), plus `c` (s32).
    0x310 MmaM16N8K16S32S8S8 "mma.m16n8k16.s32.s8.s8" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, s8) times `b` (16 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x311 MmaM16N8K16S32S8S8Sat "mma.m16n8k16.s32.s8.s8.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, s8) times `b` (16 × 8, u8), plus `c` (s32).
    0x312 MmaM16N8K16S32S8U8 "mma.m16n8k16.s32.s8.u8" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, s8) times `b` (16 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x313 MmaM16N8K16S32S8U8Sat "mma.m16n8k16.s32.s8.u8.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, u8) times `b` (16 × 8, s8), plus `c` (s32).
    0x314 MmaM16N8K16S32U8S8 "mma.m16n8k16.s32.u8.s8" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, u8) times `b` (16 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x315 MmaM16N8K16S32U8S8Sat "mma.m16n8k16.s32.u8.s8.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, u8) times `b` (16 × 8, u8), plus `c` (s32).
    0x316 MmaM16N8K16S32U8U8 "mma.m16n8k16.s32.u8.u8" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, u8) times `b` (16 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x317 MmaM16N8K16S32U8U8Sat "mma.m16n8k16.s32.u8.u8.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, s8) times `b` (32 × 8, s8), plus `c` (s32).
    0x318 MmaM16N8K32S32S8S8 "mma.m16n8k32.s32.s8.s8" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, s8) times `b` (32 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x319 MmaM16N8K32S32S8S8Sat "mma.m16n8k32.s32.s8.s8.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, s8) times `b` (32 × 8, u8), plus `c` (s32).
    0x31a MmaM16N8K32S32S8U8 "mma.m16n8k32.s32.s8.u8" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, s8) times `b` (32 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x31b MmaM16N8K32S32S8U8Sat "mma.m16n8k32.s32.s8.u8.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, u8) times `b` (32 × 8, s8), plus `c` (s32).
    0x31c MmaM16N8K32S32U8S8 "mma.m16n8k32.s32.u8.s8" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, u8) times `b` (32 × 8, s8), plus `c` (s32), limited to the range of `s32`.
    0x31d MmaM16N8K32S32U8S8Sat "mma.m16n8k32.s32.u8.s8.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, u8) times `b` (32 × 8, u8), plus `c` (s32).
    0x31e MmaM16N8K32S32U8U8 "mma.m16n8k32.s32.u8.u8" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, u8) times `b` (32 × 8, u8), plus `c` (s32), limited to the range of `s32`.
    0x31f MmaM16N8K32S32U8U8Sat "mma.m16n8k32.s32.u8.u8.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (8 × 32, s4) times `b` (32 × 8, s4), plus `c` (s32).
    0x320 MmaM8N8K32S32S4S4 "mma.m8n8k32.s32.s4.s4" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, s4) times `b` (32 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x321 MmaM8N8K32S32S4S4Sat "mma.m8n8k32.s32.s4.s4.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, s4) times `b` (32 × 8, u4), plus `c` (s32).
    0x322 MmaM8N8K32S32S4U4 "mma.m8n8k32.s32.s4.u4" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, s4) times `b` (32 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x323 MmaM8N8K32S32S4U4Sat "mma.m8n8k32.s32.s4.u4.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, u4) times `b` (32 × 8, s4), plus `c` (s32).
    0x324 MmaM8N8K32S32U4S4 "mma.m8n8k32.s32.u4.s4" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, u4) times `b` (32 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x325 MmaM8N8K32S32U4S4Sat "mma.m8n8k32.s32.u4.s4.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, u4) times `b` (32 × 8, u4), plus `c` (s32).
    0x326 MmaM8N8K32S32U4U4 "mma.m8n8k32.s32.u4.u4" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 32, u4) times `b` (32 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x327 MmaM8N8K32S32U4U4Sat "mma.m8n8k32.s32.u4.u4.sat" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 32, s4) times `b` (32 × 8, s4), plus `c` (s32).
    0x328 MmaM16N8K32S32S4S4 "mma.m16n8k32.s32.s4.s4" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, s4) times `b` (32 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x329 MmaM16N8K32S32S4S4Sat "mma.m16n8k32.s32.s4.s4.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, s4) times `b` (32 × 8, u4), plus `c` (s32).
    0x32a MmaM16N8K32S32S4U4 "mma.m16n8k32.s32.s4.u4" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, s4) times `b` (32 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x32b MmaM16N8K32S32S4U4Sat "mma.m16n8k32.s32.s4.u4.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, u4) times `b` (32 × 8, s4), plus `c` (s32).
    0x32c MmaM16N8K32S32U4S4 "mma.m16n8k32.s32.u4.s4" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, u4) times `b` (32 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x32d MmaM16N8K32S32U4S4Sat "mma.m16n8k32.s32.u4.s4.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, u4) times `b` (32 × 8, u4), plus `c` (s32).
    0x32e MmaM16N8K32S32U4U4 "mma.m16n8k32.s32.u4.u4" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 32, u4) times `b` (32 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x32f MmaM16N8K32S32U4U4Sat "mma.m16n8k32.s32.u4.u4.sat" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 64, s4) times `b` (64 × 8, s4), plus `c` (s32).
    0x330 MmaM16N8K64S32S4S4 "mma.m16n8k64.s32.s4.s4" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, s4) times `b` (64 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x331 MmaM16N8K64S32S4S4Sat "mma.m16n8k64.s32.s4.s4.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, s4) times `b` (64 × 8, u4), plus `c` (s32).
    0x332 MmaM16N8K64S32S4U4 "mma.m16n8k64.s32.s4.u4" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, s4) times `b` (64 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x333 MmaM16N8K64S32S4U4Sat "mma.m16n8k64.s32.s4.u4.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, u4) times `b` (64 × 8, s4), plus `c` (s32).
    0x334 MmaM16N8K64S32U4S4 "mma.m16n8k64.s32.u4.s4" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, u4) times `b` (64 × 8, s4), plus `c` (s32), limited to the range of `s32`.
    0x335 MmaM16N8K64S32U4S4Sat "mma.m16n8k64.s32.u4.s4.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, u4) times `b` (64 × 8, u4), plus `c` (s32).
    0x336 MmaM16N8K64S32U4U4 "mma.m16n8k64.s32.u4.u4" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 64, u4) times `b` (64 × 8, u4), plus `c` (s32), limited to the range of `s32`.
    0x337 MmaM16N8K64S32U4U4Sat "mma.m16n8k64.s32.u4.u4.sat" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (8 × 128, b1) times `b` (128 × 8, b1), plus `c` (s32); a product is 1 where bits differ.
    0x338 MmaM8N8K128S32B1B1Xor "mma.m8n8k128.s32.b1.b1.xor" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (8 × 128, b1) times `b` (128 × 8, b1), plus `c` (s32); a product is 1 where both bits are.
    0x339 MmaM8N8K128S32B1B1And "mma.m8n8k128.s32.b1.b1.and" Tensor collective [(a: u32, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 128, b1) times `b` (128 × 8, b1), plus `c` (s32); a product is 1 where bits differ.
    0x33a MmaM16N8K128S32B1B1Xor "mma.m16n8k128.s32.b1.b1.xor" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 128, b1) times `b` (128 × 8, b1), plus `c` (s32); a product is 1 where both bits are.
    0x33b MmaM16N8K128S32B1B1And "mma.m16n8k128.s32.b1.b1.and" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 256, b1) times `b` (256 × 8, b1), plus `c` (s32); a product is 1 where bits differ.
    0x33c MmaM16N8K256S32B1B1Xor "mma.m16n8k256.s32.b1.b1.xor" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 256, b1) times `b` (256 × 8, b1), plus `c` (s32); a product is 1 where both bits are.
    0x33d MmaM16N8K256S32B1B1And "mma.m16n8k256.s32.b1.b1.and" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 16, e4m3) times `b` (16 × 8, e4m3), plus `c` (f32).
    0x33e MmaM16N8K16F32E4m3E4m3 "mma.m16n8k16.f32.e4m3.e4m3" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, e4m3) times `b` (16 × 8, e5m2), plus `c` (f32).
    0x33f MmaM16N8K16F32E4m3E5m2 "mma.m16n8k16.f32.e4m3.e5m2" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, e5m2) times `b` (16 × 8, e4m3), plus `c` (f32).
    0x340 MmaM16N8K16F32E5m2E4m3 "mma.m16n8k16.f32.e5m2.e4m3" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, e5m2) times `b` (16 × 8, e5m2), plus `c` (f32).
    0x341 MmaM16N8K16F32E5m2E5m2 "mma.m16n8k16.f32.e5m2.e5m2" Tensor collective [(a: u64, b: u32, c: quad) -> quad {}];
    /// `a` (16 × 16, e4m3) times `b` (16 × 8, e4m3), plus `c` (f16).
    0x342 MmaM16N8K16F16E4m3E4m3 "mma.m16n8k16.f16.e4m3.e4m3" Tensor collective [(a: u64, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 16, e4m3) times `b` (16 × 8, e5m2), plus `c` (f16).
    0x343 MmaM16N8K16F16E4m3E5m2 "mma.m16n8k16.f16.e4m3.e5m2" Tensor collective [(a: u64, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 16, e5m2) times `b` (16 × 8, e4m3), plus `c` (f16).
    0x344 MmaM16N8K16F16E5m2E4m3 "mma.m16n8k16.f16.e5m2.e4m3" Tensor collective [(a: u64, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 16, e5m2) times `b` (16 × 8, e5m2), plus `c` (f16).
    0x345 MmaM16N8K16F16E5m2E5m2 "mma.m16n8k16.f16.e5m2.e5m2" Tensor collective [(a: u64, b: u32, c: u64) -> u64 {}];
    /// `a` (16 × 32, e4m3) times `b` (32 × 8, e4m3), plus `c` (f32).
    0x346 MmaM16N8K32F32E4m3E4m3 "mma.m16n8k32.f32.e4m3.e4m3" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, e4m3) times `b` (32 × 8, e5m2), plus `c` (f32).
    0x347 MmaM16N8K32F32E4m3E5m2 "mma.m16n8k32.f32.e4m3.e5m2" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, e5m2) times `b` (32 × 8, e4m3), plus `c` (f32).
    0x348 MmaM16N8K32F32E5m2E4m3 "mma.m16n8k32.f32.e5m2.e4m3" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, e5m2) times `b` (32 × 8, e5m2), plus `c` (f32).
    0x349 MmaM16N8K32F32E5m2E5m2 "mma.m16n8k32.f32.e5m2.e5m2" Tensor collective [(a: quad, b: u64, c: quad) -> quad {}];
    /// `a` (16 × 32, e4m3) times `b` (32 × 8, e4m3), plus `c` (f16).
    0x34a MmaM16N8K32F16E4m3E4m3 "mma.m16n8k32.f16.e4m3.e4m3" Tensor collective [(a: quad, b: u64, c: u64) -> u64 {}];
    /// `a` (16 × 32, e4m3) times `b` (32 × 8, e5m2), plus `c` (f16).
    0x34b MmaM16N8K32F16E4m3E5m2 "mma.m16n8k32.f16.e4m3.e5m2" Tensor collective [(a: quad, b: u64, c: u64) -> u64 {}];
    /// `a` (16 × 32, e5m2) times `b` (32 × 8, e4m3), plus `c` (f16).
    0x34c MmaM16N8K32F16E5m2E4m3 "mma.m16n8k32.f16.e5m2.e4m3" Tensor collective [(a: quad, b: u64, c: u64) -> u64 {}];
    /// `a` (16 × 32, e5m2) times `b` (32 × 8, e5m2), plus `c` (f16).
    0x34d MmaM16N8K32F16E5m2E5m2 "mma.m16n8k32.f16.e5m2.e5m2" Tensor collective [(a: quad, b: u64, c: u64) -> u64 {}];
    /// `a` (8 × 4, f64) times `b` (4 × 8, f64), plus `c` (f64): each element is a chain of `fma` from `c` on.
    0x34e MmaM8N8K4F64F64F64 "mma.m8n8k4.f64.f64.f64" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, row), each plus `c` (f32); the first four words.
    0x34f MmaM8N8K4F32F16F16RowRowLow "mma.m8n8k4.f32.f16.f16.row.row.low" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, row), each plus `c` (f32); the last four words.
    0x350 MmaM8N8K4F32F16F16RowRowHigh "mma.m8n8k4.f32.f16.f16.row.row.high" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, row), each plus `c` (f16).
    0x351 MmaM8N8K4F16F16F16RowRow "mma.m8n8k4.f16.f16.f16.row.row" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, col), each plus `c` (f32); the first four words.
    0x352 MmaM8N8K4F32F16F16RowColLow "mma.m8n8k4.f32.f16.f16.row.col.low" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, col), each plus `c` (f32); the last four words.
    0x353 MmaM8N8K4F32F16F16RowColHigh "mma.m8n8k4.f32.f16.f16.row.col.high" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, row) and `b` (4 × 8, f16, col), each plus `c` (f16).
    0x354 MmaM8N8K4F16F16F16RowCol "mma.m8n8k4.f16.f16.f16.row.col" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, row), each plus `c` (f32); the first four words.
    0x355 MmaM8N8K4F32F16F16ColRowLow "mma.m8n8k4.f32.f16.f16.col.row.low" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, row), each plus `c` (f32); the last four words.
    0x356 MmaM8N8K4F32F16F16ColRowHigh "mma.m8n8k4.f32.f16.f16.col.row.high" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, row), each plus `c` (f16).
    0x357 MmaM8N8K4F16F16F16ColRow "mma.m8n8k4.f16.f16.f16.col.row" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, col), each plus `c` (f32); the first four words.
    0x358 MmaM8N8K4F32F16F16ColColLow "mma.m8n8k4.f32.f16.f16.col.col.low" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, col), each plus `c` (f32); the last four words.
    0x359 MmaM8N8K4F32F16F16ColColHigh "mma.m8n8k4.f32.f16.f16.col.col.high" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    /// Four products of `a` (8 × 4, f16, col) and `b` (4 × 8, f16, col), each plus `c` (f16).
    0x35a MmaM8N8K4F16F16F16ColCol "mma.m8n8k4.f16.f16.f16.col.col" Tensor collective [(a: u64, b: u64, c: quad) -> quad {}];
    } };
}
