//! Inline PTX in CUDA: each kernel has the same result under every model and at each level.

use reconverge::execute::ModelName;
use reconverge::{CompileOptions, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;

const THREADS: u32 = 64;

/// The output of a kernel `k(unsigned *out, const unsigned *in)`, `words` per thread.
fn results(source: &str, words: usize, how: (ModelName, Level)) -> Result<Vec<u32>, String> {
    let (model, level) = how;
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
            let found = results(&source, words, (model, level))
                .unwrap_or_else(|error| panic!("{model:?} {level:?}: {error}\n{source}"));
            assert_eq!(found, wanted, "{model:?} {level:?}\n{source}");
        }
    }
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
            "`wgmma` cannot be compiled: there are no tensor cores",
        ),
        ("asm(\"mov.u32 %0, 1;\" : \"=r\"(f));", "a `float` does not suit the constraint `=r`"),
        ("asm(\"mov.u32 %0, 1;\" : \"=r\"(s));", "a `short` does not suit the constraint `=r`"),
        (
            "asm(\"mov.u32 %0, %%total_smem_size;\" : \"=r\"(*out));",
            "`%total_smem_size` is not supported in `asm`",
        ),
        ("asm(\"mov.u32 %0, 1;\" : \"r\"(*out));", "has neither `=` nor `+`"),
        ("asm(\"mov.u32 %1, 1;\" : \"=r\"(*out));", "there is no operand `%1`"),
        ("asm(\"mov.u32 %0, 1;\" : \"=q\"(*out));", "there is no constraint `=q`"),
        ("asm(\"add.u32 %0, %0, %1;\" : \"=r\"(*out) : \"n\"(s));", "constant"),
    ] {
        let found = refused(statement);
        assert!(found.contains(message), "{statement}\n{found}");
        assert!(found.contains("E0505") || message == "constant", "{found}");
    }
}
