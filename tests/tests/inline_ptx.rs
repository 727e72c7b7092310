//! Inline PTX in CUDA: each kernel has the same result under every model and at each level.

use reconverge::execute::ModelName;
use reconverge::{CompileOptions, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;

const THREADS: u32 = 64;

/// The output of a kernel `k(unsigned *out, const unsigned *in)`, `words` per thread.
fn results(source: &str, words: usize, model: ModelName, level: Level) -> Result<Vec<u32>, String> {
    let lowering = Options { level, verify: true, ..Options::default() };
    let options = CompileOptions { lowering, ..CompileOptions::default() };
    let shown = |error: reconverge::Error| error.to_string();
    let module = Module::compile(source, &options).map_err(shown)?;
    let target = Target::new("gtx480").map_err(shown)?.model(model);
    let mut gpu = module.load(&target).map_err(shown)?;
    let input: Vec<u32> = (0..THREADS).map(|at| at.wrapping_mul(0x9e37_79b9) ^ at).collect();
    let out = gpu.zeros::<u32>(words * THREADS as usize).map_err(shown)?;
    let given = gpu.buffer(&input).map_err(shown)?;
    gpu.launch("k", 1, THREADS, 0, &[out.into(), given.into()]).map_err(shown)?;
    Ok(gpu.read(&out))
}

/// Checks a kernel's body; `expected` is for thread `t` with the input `x`.
fn check(body: &str, expected: impl Fn(u32, u32) -> Vec<u32>) {
    let source = format!(
        "__global__ void k(unsigned *out, const unsigned *in) {{ unsigned t = threadIdx.x, x = in[t]; {body} }}"
    );
    let wanted: Vec<u32> =
        (0..THREADS).flat_map(|t| expected(t, t.wrapping_mul(0x9e37_79b9) ^ t)).collect();
    let words = wanted.len() / THREADS as usize;
    for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
        for level in [Level::None, Level::Basic, Level::Full] {
            let found = results(&source, words, model, level)
                .unwrap_or_else(|error| panic!("{model:?} {level:?}: {error}\n{source}"));
            assert_eq!(found, wanted, "{model:?} {level:?}\n{source}");
        }
    }
}

#[test]
fn halves_of_128_bits() {
    check(
        "unsigned long long low = x, high = t * 3u, a, b;
         asm(\"{ .reg .b128 q, s; mov.b128 q, {%2, %3}; mov.b128 s, q; mov.b128 {%0, %1}, s; }\"
             : \"=l\"(a), \"=l\"(b) : \"l\"(low), \"l\"(high));
         out[2 * t] = (unsigned)a; out[2 * t + 1] = (unsigned)b;",
        |t, x| vec![x, t * 3],
    );
}

#[test]
fn special_registers_and_bits() {
    check("asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(out[t]));", |t, _| vec![t % 32]);
    check(
        "unsigned a; asm volatile (\"bfe.u32 %0, %1, %2, 8;\" : \"=r\"(a) : \"r\"(x), \"n\"(4)); out[t] = a;",
        |_, x| vec![x >> 4 & 0xff],
    );
    check(
        "unsigned a; asm(\"prmt.b32 %0, %1, %2, %3;\" : \"=r\"(a) : \"r\"(x), \"r\"(t), \"r\"(0x0123)); out[t] = a;",
        |_, x| vec![x.swap_bytes()],
    );
    check(
        "asm(\"lop3.b32 %0, %1, %2, %3, 0x96;\" : \"=r\"(out[t]) : \"r\"(x), \"r\"(t), \"r\"(0xffu));",
        |t, x| vec![x ^ t ^ 0xff],
    );
}

#[test]
fn operands_of_every_kind() {
    check(
        "float f = (float)t; double d = 0.5; unsigned short h = 3; unsigned long long l = x; \
         asm(\"add.f32 %0, %0, 0f3F800000;\" : \"+f\"(f)); \
         asm(\"{ .reg .f64 two; mov.f64 two, 0d4000000000000000; mul.f64 %0, %0, two; }\" : \"+d\"(d)); \
         asm(\"add.u16 %0, %1, %1;\" : \"=h\"(h) : \"h\"(h)); \
         asm(\"mad.wide.u32 %0, %1, %2, %0;\" : \"+l\"(l) : \"r\"(x), \"r\"(0x10001)); \
         out[4 * t] = (unsigned)f; out[4 * t + 1] = (unsigned)(d * 8); out[4 * t + 2] = h; out[4 * t + 3] = (unsigned)(l >> 32);",
        |t, x| {
            let wide = u64::from(x) * 0x10001 + u64::from(x);
            vec![t + 1, 8, 6, (wide >> 32) as u32]
        },
    );
    check(
        "int a[2] = {1, 2}; int i = 0; asm(\"add.s32 %0, %0, %[more];\" : \"+r\"(a[i++]) : [more] \"n\"(5)); \
         asm(\"mov.u32 %0, %1;\" : \"=r\"(a[1]) : \"0\"(a[1] + 7)); out[2 * t] = a[0] * 10 + i; out[2 * t + 1] = a[1];",
        |_, _| vec![61, 9],
    );
}

#[test]
fn carries_go_from_statement_to_statement() {
    check(
        "unsigned a = x, b = x ^ 0xffffffffu, low, high; \
         asm volatile(\"add.cc.u32 %0, %1, %2;\" : \"=r\"(low) : \"r\"(a), \"r\"(t + 1)); \
         asm volatile(\"addc.u32 %0, %1, 0;\" : \"=r\"(high) : \"r\"(b)); \
         out[2 * t] = low; out[2 * t + 1] = high;",
        |t, x| {
            let (low, carry) = x.overflowing_add(t + 1);
            vec![low, (!x).wrapping_add(carry.into())]
        },
    );
    check(
        "unsigned r0, r1; asm(\"{ .reg .u32 c; mad.lo.cc.u32 %0, %2, %3, %2; madc.hi.u32 %1, %2, %3, 0; }\" \
         : \"=r\"(r0), \"=r\"(r1) : \"r\"(x), \"r\"(t)); out[2 * t] = r0; out[2 * t + 1] = r1;",
        |t, x| {
            let sum = u64::from(x) * u64::from(t) + u64::from(x);
            vec![sum as u32, (sum >> 32) as u32]
        },
    );
}

#[test]
fn memory_branches_and_guards() {
    check(
        "unsigned a; asm volatile(\"ld.global.nc.u32 %0, [%1+4];\" : \"=r\"(a) : \"l\"(in + (t & 62)) : \"memory\"); \
         asm volatile(\"st.global.u32 [%0], %1;\" :: \"l\"(out + t), \"r\"(a));",
        |t, _| {
            let at = (t & 62) + 1;
            vec![at.wrapping_mul(0x9e37_79b9) ^ at]
        },
    );
    check(
        "unsigned n = 0; asm volatile(\"{\\n\\t.reg .pred p;\\n\\tLOOP:\\n\\tadd.u32 %0, %0, 1;\\n\\t\" \
         \"setp.lt.u32 p, %0, %1;\\n\\t@p bra LOOP;\\n\\t}\" : \"+r\"(n) : \"r\"(t)); out[t] = n;",
        |t, _| vec![t.max(1)],
    );
    check(
        "unsigned a = 1; asm(\"{ .reg .pred p; setp.gt.u32 p, %1, 9; @p mov.u32 %0, 5; }\" : \"+r\"(a) : \"r\"(t)); \
         if (t == 3) asm volatile(\"exit;\"); out[t] = a;",
        |t, _| {
            vec![if t == 3 {
                0
            } else if t > 9 {
                5
            } else {
                1
            }]
        },
    );
    check(
        "__shared__ unsigned s[64]; s[t] = x; unsigned long long a; unsigned b; \
         asm(\"cvta.to.shared.u64 %0, %1;\" : \"=l\"(a) : \"l\"(&s[63 - t])); asm volatile(\"bar.sync 0;\"); \
         asm volatile(\"ld.shared.u32 %0, [%1];\" : \"=r\"(b) : \"r\"((unsigned)a)); \
         unsigned old; asm volatile(\"atom.shared.add.u32 %0, [%1], 1;\" : \"=r\"(old) : \"l\"(a)); \
         out[2 * t] = b; out[2 * t + 1] = old;",
        |t, _| {
            let at = 63 - t;
            let value = at.wrapping_mul(0x9e37_79b9) ^ at;
            vec![value, value]
        },
    );
}

#[test]
fn threads_meet_in_texts() {
    check(
        "unsigned a, b, c; asm volatile(\"shfl.sync.down.b32 %0, %1, 1, 0x1f, 0xffffffff;\" : \"=r\"(a) : \"r\"(t)); \
         asm volatile(\"{ .reg .pred p; setp.eq.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }\" : \"=r\"(b) : \"r\"(t & 1)); \
         asm volatile(\"{ .reg .pred p; .reg .u32 r; shfl.sync.up.b32 r|p, %1, 2, 0, -1; selp.u32 %0, r, 99, p; }\" : \"=r\"(c) : \"r\"(t)); \
         out[3 * t] = a; out[3 * t + 1] = b; out[3 * t + 2] = c;",
        |t, _| {
            vec![
                if t % 32 == 31 { t } else { t + 1 },
                0x5555_5555,
                if t % 32 < 2 { 99 } else { t - 2 },
            ]
        },
    );
    check(
        "unsigned n; asm volatile(\"{ .reg .pred p; setp.lt.u32 p, %1, 5; bar.red.popc.u32 %0, 0, p; }\" : \"=r\"(n) : \"r\"(t)); \
         unsigned m; asm volatile(\"match.any.sync.b32 %0, %1, 0xffffffff;\" : \"=r\"(m) : \"r\"(t & 1)); \
         unsigned s; asm volatile(\"redux.sync.add.s32 %0, %1, 0xffffffff;\" : \"=r\"(s) : \"r\"(t)); \
         out[3 * t] = n; out[3 * t + 1] = m; out[3 * t + 2] = s;",
        |t, _| vec![5, 0x5555_5555 << (t & 1), t / 32 * 1024 + 496],
    );
}

#[test]
fn barriers_of_some_threads() {
    // The first warp fills what the second one reads, twice; then each warp counts among its own threads.
    check(
        "__shared__ unsigned s[32]; unsigned sum = 0, n; \
         for (unsigned i = 1; i <= 2; i++) { \
             if (t < 32) { s[t] = t * i; asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\"); \
                 asm volatile(\"bar.sync %0, %1;\" :: \"r\"(2), \"r\"(64) : \"memory\"); } \
             else { asm volatile(\"barrier.sync 1, 64;\" ::: \"memory\"); sum += s[t - 32]; \
                 asm volatile(\"bar.arrive 2, 64;\" ::: \"memory\"); } } \
         asm volatile(\"{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, %2, 32, p; }\" \
             : \"=r\"(n) : \"r\"(t), \"r\"(t / 32 + 3)); \
         unsigned d; asm(\"mov.u32 %0, %dynamic_smem_size;\" : \"=r\"(d)); \
         out[3 * t] = sum; out[3 * t + 1] = n; out[3 * t + 2] = d;",
        |t, _| {
            let read = t.saturating_sub(32);
            vec![3 * read, if t < 32 { 32 } else { 8 }, 0]
        },
    );
}

#[test]
fn barriers_in_registers() {
    // Without a barrier that has a count, all are one barrier, also for lanes that end before.
    check(
        "__shared__ unsigned s[64]; if (t % 16 == 3) return; s[t] = x; \
         asm volatile(\"bar.sync %0;\" :: \"r\"(t / 64 + 5) : \"memory\"); unsigned n, other = s[t ^ 8]; \
         asm volatile(\"{ .reg .pred p; setp.lt.u32 p, %1, 40; barrier.red.popc.u32 %0, %2, p; }\" \
             : \"=r\"(n) : \"r\"(t), \"r\"(15)); \
         out[2 * t] = other; out[2 * t + 1] = n;",
        |t, _| {
            let at = t ^ 8;
            let other = if at % 16 == 3 { 0 } else { at.wrapping_mul(0x9e37_79b9) ^ at };
            if t % 16 == 3 { vec![0, 0] } else { vec![other, 37] }
        },
    );
    // Uses with a count and without one are of the same barrier; barrier 4 in a register is the one of all threads.
    check(
        "__shared__ unsigned s[32]; unsigned read = 0; \
         for (unsigned i = 1; i < 3; i++) { \
             if (t < 32) { s[t] = t * i; asm volatile(\"bar.arrive 1, 64;\" ::: \"memory\"); \
                 asm volatile(\"bar.sync %0;\" :: \"r\"(2) : \"memory\"); } \
             else { asm volatile(\"bar.sync 1;\" ::: \"memory\"); read += s[t - 32]; \
                 asm volatile(\"bar.sync 2, 64;\" ::: \"memory\"); } } \
         asm volatile(\"bar.sync %0;\" :: \"r\"(4) : \"memory\"); out[t] = read;",
        |t, _| vec![3 * t.saturating_sub(32)],
    );
    // A register with a count may be any barrier, so that each plain use counts.
    check(
        "__shared__ unsigned s[32]; unsigned read = 0, n = 0; \
         if (t < 32) { s[t] = t; asm volatile(\"bar.arrive %0, 64;\" :: \"r\"(3) : \"memory\"); } \
         else { asm volatile(\"bar.sync 3;\" ::: \"memory\"); read = s[t - 32]; } \
         asm volatile(\"{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, 7, p; }\" : \"=r\"(n) : \"r\"(t)); \
         out[2 * t] = read; out[2 * t + 1] = n;",
        |t, _| vec![t.saturating_sub(32), 40],
    );
}

#[test]
fn a_barrier_that_does_not_exist_traps() {
    for text in ["bar.sync %0;", "bar.sync %0, 64;", "bar.arrive %0, 64;"] {
        let source = format!(
            "__global__ void k(unsigned *out, const unsigned *in) {{ asm volatile(\"{text}\" :: \"r\"(in[1] | 16)); }}"
        );
        for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
            let error = results(&source, 1, model, Level::Full).unwrap_err();
            let message = "there is no such barrier: a block has 16, 0 to 15";
            assert!(error.contains(message), "{model:?} {text}\n{error}");
        }
    }
}

/// The output of a kernel on a machine with warps of 64 lanes.
fn in_wide_warps(body: &str, model: ModelName) -> Result<Vec<u32>, String> {
    let source = format!(
        "__global__ void k(unsigned *out) {{ unsigned t = threadIdx.x; __shared__ unsigned s[128]; {body} }}"
    );
    let shown = |error: reconverge::Error| error.to_string();
    let module = Module::compile(&source, &CompileOptions::default()).map_err(shown)?;
    let target = Target::with("gtx480", &[("sm.warp-width", "64")]);
    let mut gpu = module.load(&target.map_err(shown)?.model(model)).map_err(shown)?;
    let out = gpu.zeros::<u32>(128).map_err(shown)?;
    gpu.launch("k", 1, 128, 0, &[out.into()]).map_err(shown)?;
    Ok(gpu.read(&out))
}

#[test]
fn barriers_of_wide_warps() {
    let plain = "s[t] = t; asm volatile(\"bar.sync %0;\" :: \"r\"(t / 64 * 0 + 9) : \"memory\"); out[t] = s[127 - t];";
    let counted =
        "s[t] = t; asm volatile(\"bar.sync 1, 128;\" ::: \"memory\"); out[t] = s[127 - t];";
    for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
        let expected: Vec<u32> = (0..128).map(|t| 127 - t).collect();
        assert_eq!(in_wide_warps(plain, model), Ok(expected), "{model:?}");
        // The lanes of a warp meet by a mask, which has 32 bits.
        let error = in_wide_warps(counted, model).unwrap_err();
        assert!(
            error.contains("32 bits for lanes; warps of this machine have 64"),
            "{model:?}\n{error}"
        );
    }
}

#[test]
fn barriers_count_lanes_that_have_ended() {
    check(
        "__shared__ unsigned s[32]; unsigned read = 0, n = 0; if (t % 8 == 5) return; \
         if (t < 32) { s[t] = t + 1; asm volatile(\"bar.arrive 15, 64; bar.arrive 3, 64;\" ::: \"memory\"); } \
         else { asm volatile(\"barrier.sync 15, 64;\" ::: \"memory\"); read = s[t - 32]; \
             asm volatile(\"{ .reg .pred p; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, %2, 64, p; }\" \
                 : \"=r\"(n) : \"r\"(t), \"r\"(3)); } \
         out[3 * t] = read; out[3 * t + 1] = n; out[3 * t + 2] = 1;",
        |t, _| match (t % 8, t / 32) {
            (5, _) => vec![0, 0, 0],
            (_, 0) => vec![0, 0, 1],
            _ => vec![t - 31, 7, 1],
        },
    );
}

#[test]
fn statements_share_blocks_and_registers() {
    // A block around a loop, with registers of several types; the inner block hides `a`.
    check(
        "unsigned sum = 0; \
         asm volatile(\"{ .reg .u32 a, r<4>; .reg .u64 wide; .reg .f32 f; .reg .pred odd; .reg .u16 h;\"); \
         asm volatile(\"mov.u32 r3, %0; mul.wide.u32 wide, %0, 65537; mov.u16 h, 5;\" :: \"r\"(x)); \
         asm volatile(\"cvt.rn.f32.u32 f, %0; and.b32 a, %0, 1; setp.eq.u32 odd, a, 1;\" :: \"r\"(t)); \
         for (unsigned i = 0; i < 3; i++) { \
             asm volatile(\"{ .reg .u32 a; add.u32 a, r3, %0; mov.u32 r0, a; }\" :: \"r\"(i)); \
             asm volatile(\"@odd add.u32 r0, r0, 100; add.u32 %0, %0, r0; add.f32 f, f, 0f3F800000;\" : \"+r\"(sum)); } \
         unsigned high, whole, half; \
         asm volatile(\"shr.u64 wide, wide, 32; cvt.u32.u64 %0, wide; cvt.rzi.u32.f32 %1, f; cvt.u32.u16 %2, h; }\" \
             : \"=r\"(high), \"=r\"(whole), \"=r\"(half)); \
         out[4 * t] = sum; out[4 * t + 1] = high; out[4 * t + 2] = whole; out[4 * t + 3] = half;",
        |t, x| {
            let each = if t % 2 == 1 { 100 } else { 0 };
            let sum = (0..3u32).fold(0u32, |sum, i| sum.wrapping_add(x.wrapping_add(i + each)));
            vec![sum, ((u64::from(x) * 65537) >> 32) as u32, t + 3, 5]
        },
    );
    // Registers without a block, a declaration that is passed again, and one in a branch that is not taken by all.
    check(
        "unsigned n = 0; \
         for (unsigned i = 0; i < 2; i++) { \
             asm volatile(\".reg .u32 c;\"); asm volatile(\"add.u32 c, c, %1; add.u32 %0, %0, c;\" : \"+r\"(n) : \"r\"(t)); } \
         if (t & 1) { asm volatile(\".reg .u32 late; mov.u32 late, 7;\"); } \
         unsigned m; asm volatile(\"mov.u32 %0, late;\" : \"=r\"(m)); \
         out[2 * t] = n; out[2 * t + 1] = m;",
        |t, _| vec![2 * t, if t % 2 == 1 { 7 } else { 0 }],
    );
    // A carry chain in a block of its own, in a function that is called twice.
    let source = "__device__ unsigned high(unsigned a, unsigned b) { \
             asm(\"{ .reg .u32 low, carry;\"); asm volatile(\"add.cc.u32 low, %0, %1;\" :: \"r\"(a), \"r\"(b)); \
             asm volatile(\"addc.u32 carry, 0, 0;\"); unsigned r; \
             asm volatile(\"shl.b32 low, low, 1; add.u32 %0, low, carry; }\" : \"=r\"(r)); return r; } \
         __global__ void k(unsigned *out, const unsigned *in) \
         { unsigned t = threadIdx.x; out[t] = high(in[t], in[t]) + high(t, ~0u); }";
    for (model, level) in [(ModelName::Reference, Level::None), (ModelName::Timing, Level::Full)] {
        let wanted: Vec<u32> = (0..THREADS)
            .map(|t| {
                let x = t.wrapping_mul(0x9e37_79b9) ^ t;
                let of = |a: u32, b: u32| {
                    let (low, carry) = a.overflowing_add(b);
                    (low << 1).wrapping_add(carry.into())
                };
                of(x, x).wrapping_add(of(t, u32::MAX))
            })
            .collect();
        assert_eq!(results(source, 1, model, level).unwrap(), wanted, "{model:?}");
    }
}

#[test]
fn statements_declare_shared_memory() {
    // The addresses in 32 and 64 bits; a second variable in an inner block; sizes of shared memory, labels with `%=`.
    check(
        "__shared__ unsigned own[8]; own[t % 8] = 1; unsigned n = 0, other, all, dynamic; \
         asm volatile(\".shared .align 8 .b8 buffer[256];\"); \
         asm volatile(\"{ .shared .u32 one; .reg .u32 p; .reg .u64 q; .reg .u32 q32; mov.u32 p, buffer; mad.lo.u32 p, %0, 4, p;\" \
             \"st.shared.u32 [p], %1; mov.u64 q, one; st.shared.u32 [q], 9;\" :: \"r\"(t), \"r\"(x) : \"memory\"); \
         __syncthreads(); \
         asm volatile(\"xor.b32 p, p, 4; ld.shared.u32 %0, [p]; ld.shared.u32 p, [one]; ld.shared.u32 q32, [buffer+252];\" \
             \"add.u32 %0, %0, p; }\" : \"=r\"(other) :: \"memory\"); \
         for (unsigned i = 0; i < 2; i++) \
             asm volatile(\"{ .reg .pred p; L%=: add.u32 %0, %0, 1; setp.lt.u32 p, %0, %1; @p bra L%=; }\" : \"+r\"(n) : \"r\"(t)); \
         asm(\"mov.u32 %0, %total_smem_size; mov.u32 %1, %dynamic_smem_size;\" : \"=r\"(all), \"=r\"(dynamic)); \
         out[3 * t] = other; out[3 * t + 1] = n; out[3 * t + 2] = all - dynamic;",
        |t, _| {
            let at = t ^ 1;
            let other = at.wrapping_mul(0x9e37_79b9) ^ at;
            vec![other.wrapping_add(9), t.max(1) + 1, 304]
        },
    );
}

#[test]
fn half_precision_and_video() {
    check(
        "unsigned a; asm(\"fma.rn.f16x2 %0, %1, %2, %3;\" : \"=r\"(a) : \"r\"(0x40003c00u), \"r\"(0x42004000u), \"r\"(0x3c003c00u)); \
         unsigned b; asm(\"vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;\" : \"=r\"(b) : \"r\"(0x01020304u), \"r\"(0x05050505u), \"r\"(t)); \
         unsigned c; asm(\"vadd.u32.u32.u32.sat %0.h1, %1.h1, %2.b0, %3;\" : \"=r\"(c) : \"r\"(0xfffe0000u), \"r\"(t), \"r\"(x)); \
         out[3 * t] = a; out[3 * t + 1] = b; out[3 * t + 2] = c;",
        |t, x| vec![0x4700_4200, 10 + t, (0xfffe + t).min(0xffff) << 16 | x & 0xffff],
    );
}

#[test]
fn wrong_statements_are_refused() {
    let refused = |statement: &str| {
        let source = format!("__global__ void k(int *out, float f) {{ short s = 1; {statement} }}");
        let found = Module::compile(&source, &CompileOptions::default());
        found.err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (statement, message) in [
        ("asm(\"mov.u32 %0, 1\" : \"=r\"(*out));", "`}` where"),
        (
            "asm(\"wgmma.fence.sync.aligned;\");",
            "`wgmma` cannot be compiled: of the instructions for tensor cores there are `mma` and `wmma`",
        ),
        ("asm(\"mov.u32 %0, 1;\" : \"=r\"(f));", "a `float` does not suit the constraint `=r`"),
        ("asm(\"mov.u32 %0, 1;\" : \"=r\"(s));", "a `short` does not suit the constraint `=r`"),
        ("asm(\"mov.u32 %0, 1;\" : \"r\"(*out));", "has neither `=` nor `+`"),
        ("asm(\"mov.u32 %1, 1;\" : \"=r\"(*out));", "there is no operand `%1`"),
        ("asm(\"mov.u32 %0, 1;\" : \"=x\"(*out));", "there is no constraint `=x`"),
        (
            "asm(\"mov.b128 %0, 1;\" : \"=q\"(*out));",
            "the constraint `=q` is for values of 128 bits, and there is no such type",
        ),
        (
            "asm(\".reg .b128 q;\"); asm(\"mov.b128 q, {1, 2};\");",
            "`q` is a `.b128` register of an earlier `asm` statement, which only that one can use",
        ),
        (
            "asm(\"{ .reg .u32 a;\");",
            "no `asm` statement of the function closes the block that this one opens",
        ),
        ("asm(\"}\");", "the text closes a brace that it does not open"),
        (
            "asm(\".reg .v2 .u32 v;\"); asm(\"mov.u32 %0, v.x;\" : \"=r\"(*out));",
            "`v` is a vector register of an earlier `asm` statement, which only that one can use",
        ),
        (
            "asm(\"L:\"); asm(\"bra L;\");",
            "`L` is a label of an earlier `asm` statement, which only that one can use",
        ),
        (
            "asm(\".shared .b32 s;\"); asm(\"mov.u32 %0, s+4;\" : \"=r\"(*out));",
            "`s` with an offset is an address only in brackets",
        ),
        ("asm(\".shared .align 128 .b8 s[8];\");", "`.align 128` in `asm` is more than 16"),
        ("asm(\".extern .shared .b8 s[];\");", "`s` has no size"),
        ("asm(\"add.u32 %0, %0, %1;\" : \"=r\"(*out) : \"n\"(s));", "constant"),
    ] {
        let found = refused(statement);
        assert!(found.contains(message), "{statement}\n{found}");
        assert!(found.contains("E0505") || message == "constant", "{found}");
    }
}
