//! PTX kernels with collectives and special registers: every model gives the same.

use reconverge::execute::ModelName;
use reconverge::kernel_file::{KernelFile, Level as Form};
use reconverge::{CompileOptions, Dim, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;
use reconverge_compiler::syntax::SourceMap;

const THREADS: u32 = 128;
const SHARED: u32 = 64;

/// The memory after a kernel, `words` words per thread, which start as `start`.
fn results(
    text: &str,
    words: usize,
    start: u32,
    model: ModelName,
    level: Level,
) -> Result<Vec<u32>, String> {
    let shown = |error: reconverge::Error| error.to_string();
    let mut sources = SourceMap::new();
    let file = KernelFile::of_text("kernels.ptx", text, Form::Ptx, &mut sources);
    let options = Options { level, verify: true, ..Options::default() };
    let module: Module =
        file.into_module(sources, &options).map_err(|(_, found)| format!("{found:#?}"))?;
    let target = Target::new("gtx480").map_err(shown)?.model(model);
    let mut gpu = module.load(&target).map_err(shown)?;
    let bytes: Vec<u8> = (0..words * THREADS as usize).flat_map(|_| start.to_le_bytes()).collect();
    let out = gpu.allocate(&bytes).map_err(shown)?;
    let kernel = module.kernel("k").map_err(shown)?;
    let (grid, block) = (Dim::from(1), Dim::from(THREADS));
    let parameters = u64::from(out).to_le_bytes().to_vec();
    gpu.launch_with(kernel, grid, block, SHARED, parameters, &mut |_, _| {}).map_err(shown)?;
    let left = gpu.bytes(out, bytes.len()).chunks(4);
    Ok(left.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

/// Checks a body, in which `%out` is the place of the thread's first word, and `%t` its number. `before` is in front of the kernel.
fn check_after(
    before: &str,
    body: &str,
    words: usize,
    start: u32,
    expected: impl Fn(u32) -> Vec<u32>,
) {
    let text = format!(
        ".version 8.0\n.target sm_75\n.address_size 64\n{before}\n.visible .entry k(.param .u64 p) {{\n\
         .reg .b64 %out, %base, %l<8>; .reg .b32 %t, %r<20>; .reg .b16 %h<4>; .reg .pred %p<8>;\n\
         ld.param.u64 %base, [p]; mov.u32 %t, %tid.x; mad.wide.u32 %out, %t, {}, %base;\n{body}\nret;\n}}\n",
        words * 4
    );
    let wanted: Vec<u32> = (0..THREADS).flat_map(expected).collect();
    for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
        for level in [Level::None, Level::Basic, Level::Full] {
            let found = results(&text, words, start, model, level)
                .unwrap_or_else(|error| panic!("{model:?} {level:?}: {error}\n{text}"));
            assert_eq!(found, wanted, "{model:?} {level:?}\n{text}");
        }
    }
}

fn check(body: &str, words: usize, expected: impl Fn(u32) -> Vec<u32>) {
    check_after("", body, words, 0, expected);
}

#[test]
fn barriers_of_some_threads() {
    // Two warps fill what the other two read, three times, and wait until it has been read.
    check(
        ".shared .b32 box[64]; mov.u32 %r9, 0; mov.u32 %r1, box; and.b32 %r2, %t, 63; mad.lo.u32 %r1, %r2, 4, %r1;\n\
         mov.u32 %r3, 0; setp.ge.u32 %p1, %t, 64; @%p1 bra READS;\n\
         FILLS: mad.lo.u32 %r4, %t, 10, %r3; st.shared.u32 [%r1], %r4; bar.arrive 1, 128; bar.sync 2, 128;\n\
         add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra FILLS; bra END;\n\
         READS: bar.sync 1, 128; ld.shared.u32 %r5, [%r1]; add.u32 %r9, %r9, %r5; bar.arrive 2, 128;\n\
         add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, 3; @%p2 bra READS;\n\
         END: bar.sync 0; st.global.u32 [%out], %r9;",
        1,
        |t| vec![if t < 64 { 0 } else { 3 * 10 * (t - 64) + 3 }],
    );
    // The number of a barrier in a register: each pair of warps has its own.
    check(
        ".shared .b32 s[128]; mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;\n\
         shr.u32 %r3, %t, 6; add.u32 %r3, %r3, 3; barrier.sync %r3, 64; xor.b32 %r4, %t, 63; mad.lo.u32 %r4, %r4, 4, %r1;\n\
         ld.shared.u32 %r5, [%r4]; st.global.u32 [%out], %r5;",
        1,
        |t| vec![t ^ 63],
    );
}

#[test]
fn barriers_count_lanes_that_have_ended() {
    // Lanes of both warps end; the others hand a value over, by arrivals with a reduction too.
    check(
        ".shared .b32 box[128]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 4, %r1; and.b32 %r3, %t, 7; setp.eq.u32 %p1, %r3, 5;\n\
         @%p1 exit; and.b32 %r4, %t, 32; setp.ne.u32 %p2, %r4, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r9, 0;\n\
         AGAIN: @%p2 bra READS; add.u32 %r8, %t, %r9; st.shared.u32 [%r2], %r8; bar.arrive 15, 128; bar.arrive 3, 128; bra END;\n\
         READS: bar.sync 15, 128; ld.shared.u32 %r5, [%r2+-128]; add.u32 %r6, %r6, %r5; setp.gt.u32 %p3, %t, 100; bar.red.popc.u32 %r7, 3, 128, %p3;\n\
         END: bar.sync 0; add.u32 %r9, %r9, 1; setp.lt.u32 %p4, %r9, 3; @%p4 bra AGAIN; st.global.v2.u32 [%out], {%r6, %r7};",
        2,
        |t| match (t & 7, t & 32) {
            (5, _) | (_, 0) => vec![0, 0],
            // Threads 101, 109, 117 and 125 have ended.
            _ => vec![3 * (t - 32) + 3, 27 - 4],
        },
    );
}

#[test]
fn there_are_sixteen_barriers() {
    let text = |number: u32| {
        format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .b32 %r1; mov.u32 %r1, %ntid.y; add.u32 %r1, %r1, {}; barrier.sync %r1, 128; ret;\n}}\n",
            number - 1
        )
    };
    for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
        results(&text(15), 1, 0, model, Level::Full).unwrap();
        for number in [16, 31, u32::MAX] {
            let error = results(&text(number), 1, 0, model, Level::Full).unwrap_err();
            assert!(error.contains("there is no such barrier"), "{number}: {error}");
        }
    }
}

#[test]
fn barriers_of_some_threads_reduce() {
    // Each pair of warps counts and joins its own values, five times; the last result is of the last iteration.
    check(
        "shr.u32 %r1, %t, 6; add.u32 %r1, %r1, 2; mov.u32 %r2, 0; mov.u32 %r9, 0;\n\
         AGAIN: add.u32 %r3, %t, %r2; and.b32 %r3, %r3, 7; setp.lt.u32 %p1, %r3, %r1;\n\
         bar.red.popc.u32 %r4, %r1, 64, %p1; mad.lo.u32 %r9, %r9, 3, %r4;\n\
         setp.lt.u32 %p2, %r3, 8; bar.red.and.pred %p3, %r1, 64, %p2; bar.red.or.pred %p4, %r1, 64, !%p2;\n\
         selp.u32 %r5, 1, 0, %p3; selp.u32 %r6, 1, 0, %p4; setp.ne.u32 %p5, %t, 70;\n\
         bar.red.and.pred %p6, %r1, 64, %p5; selp.u32 %r7, 1, 0, %p6;\n\
         add.u32 %r2, %r2, 1; setp.lt.u32 %p7, %r2, 5; @%p7 bra AGAIN;\n\
         st.global.v4.u32 [%out], {%r9, %r5, %r6, %r7};",
        4,
        |t| {
            let each = 8 * (t / 64 + 2);
            vec![each * (1 + 3 + 9 + 27 + 81), 1, 0, u32::from(t < 64)]
        },
    );
}

/// The two halves of a lane of a matrix whose element is `of(row, column)`; the first is the low one.
fn fragment(lane: u32, of: impl Fn(u32, u32) -> u32) -> u32 {
    let (row, column) = (lane >> 2, (lane & 3) << 1);
    of(row, column) | of(row, column + 1) << 16
}

/// Each thread stores a row of 8 different halves, and gives the address of the row of thread `t ^ 5`.
const ROWS: &str = ".shared .align 16 .b16 box[1024]; mov.u32 %r1, box; mad.lo.u32 %r2, %t, 16, %r1;\n\
     mul.lo.u32 %r3, %t, 0x80008; add.u32 %r3, %r3, 0x10000; add.u32 %r4, %r3, 0x20002; add.u32 %r5, %r4, 0x20002;\n\
     add.u32 %r6, %r5, 0x20002; st.shared.v4.b32 [%r2], {%r3, %r4, %r5, %r6};\n\
     xor.b32 %r7, %t, 5; mad.lo.u32 %r7, %r7, 16, %r1; cvt.u64.u32 %l1, %r7; bar.sync 0;\n";

/// The half in a column of the row that a thread gives.
fn half(thread: u32, column: u32) -> u32 {
    (thread ^ 5) * 8 + column
}

#[test]
fn matrices_are_loaded_by_their_rows() {
    let loaded = |t: u32, matrix: u32| {
        let first = (t & !31) + 8 * matrix;
        fragment(t & 31, |row, column| half(first + row, column))
    };
    let transposed = |t: u32, matrix: u32| {
        let first = (t & !31) + 8 * matrix;
        fragment(t & 31, |row, column| half(first + column, row))
    };
    let body = |instruction: &str| {
        format!(
            "{ROWS}mov.b32 %r8, 0; mov.b32 %r9, 0; mov.b32 %r10, 0; mov.b32 %r11, 0;\n{instruction}\n\
             st.global.v4.b32 [%out], {{%r8, %r9, %r10, %r11}};"
        )
    };
    let all = |of: &dyn Fn(u32, u32) -> u32, count: u32, t: u32| {
        (0..4).map(|matrix| if matrix < count { of(t, matrix) } else { 0 }).collect::<Vec<_>>()
    };
    for (instruction, count, of) in [
        (
            "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r8, %r9, %r10, %r11}, [%r7];",
            4,
            &loaded as &dyn Fn(u32, u32) -> u32,
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r8, %r9, %r10, %r11}, [%r7];",
            4,
            &transposed,
        ),
        ("ldmatrix.sync.aligned.m8n8.x2.b16 {%r8, %r9}, [%l1];", 2, &loaded),
        ("ldmatrix.sync.aligned.x2.m8n8.shared.b16 {%r8, %r9}, [%l1];", 2, &loaded),
        (
            "sub.s32 %r7, %r7, 48; ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r8, %r9}, [%r7+48];",
            2,
            &transposed,
        ),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%l1];", 1, &loaded),
        ("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 %r8, [%r7];", 1, &transposed),
        // The destinations are the address; no row changes before all lanes have read.
        (
            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r7}, [%r7]; st.shared.v4.b32 [%r2], {%r7, %r7, %r7, %r7}; mov.b32 %r8, %r7;",
            1,
            &loaded,
        ),
        (
            "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r9}, [%r7]; movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r9; mov.b32 %r9, 0;",
            1,
            &transposed,
        ),
    ] {
        check(&body(instruction), 4, |t| all(of, count, t));
    }
}

#[test]
fn matrices_are_stored_as_they_are_loaded() {
    // Matrices are loaded, stored elsewhere with their rows in another order, and read row by row.
    for (load, store, transposes) in
        [("", "", false), (".trans", ".trans", false), ("", ".trans", true)]
    {
        for (count, words) in [(1, "{%r8}"), (2, "{%r8, %r9}"), (4, "{%r8, %r9, %r10, %r11}")] {
            let body = format!(
                "{ROWS}.shared .align 16 .b16 other[1024]; mov.u32 %r12, other; xor.b32 %r13, %t, 3;\n\
                 mad.lo.u32 %r13, %r13, 16, %r12; mad.lo.u32 %r14, %t, 16, %r12;\n\
                 mov.b32 %r8, 0; mov.b32 %r9, 0; mov.b32 %r10, 0; mov.b32 %r11, 0; st.shared.v4.b32 [%r14], {{%r8, %r9, %r10, %r11}}; bar.sync 0;\n\
                 ldmatrix.sync.aligned.m8n8.x{count}{load}.shared.b16 {words}, [%r7];\n\
                 stmatrix.sync.aligned.m8n8.x{count}{store}.shared.b16 [%r13], {words}; bar.sync 0;\n\
                 ld.shared.v4.b32 {{%r8, %r9, %r10, %r11}}, [%r14]; st.global.v4.b32 [%out], {{%r8, %r9, %r10, %r11}};"
            );
            check(&body, 4, |t| {
                // The row that this thread reads is that of thread `t ^ 3`, of its matrix.
                let (from, lane) = (t ^ 3, (t ^ 3) & 31);
                if lane / 8 >= count {
                    return vec![0; 4];
                }
                let first = from & !7;
                let at = |column: u32| match transposes {
                    true => half(first + column, from & 7),
                    false => half(from, column),
                };
                (0..4).map(|pair| at(2 * pair) | at(2 * pair + 1) << 16).collect()
            });
        }
    }
}

/// Triton's `tl.dot` for `sm_75` loads by `ldmatrix`. Products and sums of small integers are exact.
#[test]
fn a_product_of_triton_is_exact() {
    let text = include_str!("../data/ptx/python/triton_dot.ptx");
    let (m, n, k) = (20usize, 30usize, 40usize);
    let entry = |row: usize, column: usize| ((7 * row + 5 * column) % 17) as i32 - 8;
    // The half of a small integer.
    let half = |value: i32| {
        let magnitude = value.unsigned_abs() as u16;
        let shift = magnitude.checked_ilog2().unwrap_or(0);
        let bits = (15 + shift as u16) << 10 | (magnitude << (10 - shift)) & 0x3ff;
        let sign = u16::from(value < 0) << 15;
        if value == 0 { 0 } else { sign | bits }
    };
    let halves = |rows: usize, columns: usize| -> Vec<u8> {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        all.flat_map(|(row, column)| half(entry(row, column)).to_le_bytes()).collect()
    };
    let expected = |row: usize, column: usize| -> f32 {
        (0..k).map(|at| entry(row, at) * entry(at, column)).sum::<i32>() as f32
    };
    for model in [ModelName::Reference, ModelName::Functional, ModelName::Timing] {
        let module = Module::from_ptx(text, &CompileOptions::default()).unwrap();
        let mut gpu = module.load(&Target::new("gtx480").unwrap().model(model)).unwrap();
        let (a, b) = (gpu.buffer(&halves(m, k)).unwrap(), gpu.buffer(&halves(k, n)).unwrap());
        let c = gpu.zeros::<f32>(m * n).unwrap();
        let addresses = [a.address(), b.address(), c.address()];
        let mut parameters = addresses.map(u64::to_le_bytes).concat();
        parameters.extend([m, n, k].map(|size| (size as u32).to_le_bytes()).concat());
        parameters.resize(56, 0);
        gpu.launch_bytes("dot", Dim([2, 2, 1]), Dim([128, 1, 1]), 1024, &parameters).unwrap();
        let found = gpu.read(&c);
        for (at, &value) in found.iter().enumerate() {
            assert_eq!(value, expected(at / n, at % n), "{model:?}: element {at}");
        }
    }
}

#[test]
fn a_row_of_a_matrix_is_aligned() {
    let text = |by: u32| {
        format!(
            ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
             .reg .b32 %r<4>; .shared .align 16 .b8 box[1024]; mov.u32 %r1, box;\n\
             ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r2}}, [%r1+{by}]; st.shared.b32 [%r1], %r2; ret;\n}}\n"
        )
    };
    for model in [ModelName::Reference, ModelName::Functional] {
        results(&text(16), 1, 0, model, Level::Full).unwrap();
        for by in [1, 2, 4, 8] {
            let error = results(&text(by), 1, 0, model, Level::Full).unwrap_err();
            assert!(error.contains("misaligned"), "{by}: {error}");
        }
    }
}

#[test]
fn atomics_on_half_precision() {
    // All sums are exact, so their order does not matter.
    check_after(
        "",
        "mov.b32 %r1, 0x3c004000; red.global.add.noftz.f16x2 [%base], %r1; mov.b16 %h1, 0x3f80;\n\
         red.global.add.noftz.bf16 [%base+4], %h1; bar.sync 0; ld.global.u32 %r2, [%base]; ld.global.u16 %r3, [%base+4];\n\
         bar.sync 0; st.global.u32 [%out], %r2; st.global.u32 [%out+4], %r3;",
        2,
        0,
        |_| vec![0x5800_5c00, 0x4300],
    );
    check(
        "mov.b16 %h1, 0x3c00; setp.ne.u32 %p1, %t, 5; @%p1 bra END; atom.global.add.noftz.f16 %h2, [%out+2], %h1;\n\
         atom.global.add.noftz.f16 %h2, [%out+2], %h1; cvt.u32.u16 %r1, %h2; st.global.u32 [%out+4], %r1; END:",
        2,
        |t| if t == 5 { vec![0x4000_0000, 0x3c00] } else { vec![0, 0] },
    );
}

#[test]
fn special_registers() {
    check_after(
        ".extern .shared .align 16 .b8 more[];",
        ".shared .b32 fixed[5]; st.shared.u32 [fixed], %t; mov.u32 %r1, %dynamic_smem_size; mov.u32 %r2, %total_smem_size;\n\
         mov.u32 %r3, %tid.w; mov.u32 %r4, %ntid.w; mov.u32 %r5, %smid; mov.u32 %r7, %nsmid; setp.lt.u32 %p1, %r5, %r7; selp.u32 %r5, 1, 0, %p1; mov.u32 %r6, %lanemask_lt; st.shared.u32 [more], %t;\n\
         st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4}; st.global.v2.u32 [%out+16], {%r5, %r6};",
        8,
        0,
        |t| vec![SHARED, 32 + SHARED, 0, 1, 1, (1 << (t % 32)) - 1, 0, 0],
    );
}

#[test]
fn blocks_know_their_sm() {
    let text = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\
                .reg .b64 %out; .reg .b32 %b, %s; ld.param.u64 %out, [p]; mov.u32 %b, %ctaid.x;\n\
                mad.wide.u32 %out, %b, 4, %out; mov.u32 %s, %smid; st.global.u32 [%out], %s; ret; }";
    let module = Module::from_ptx(text, &CompileOptions::default()).unwrap();
    for (model, expected) in [
        (ModelName::Reference, [0, 0, 0]),
        (ModelName::Functional, [0, 0, 0]),
        (ModelName::Timing, [0, 1, 2]),
    ] {
        let mut gpu = module.load(&Target::new("gtx480").unwrap().model(model)).unwrap();
        let out = gpu.zeros::<u32>(3).unwrap();
        gpu.launch_bytes("k", 3, 32, 0, &out.address().to_le_bytes()).unwrap();
        assert_eq!(gpu.read(&out), expected, "{model:?}");
    }
}
