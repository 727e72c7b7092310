//! Products of matrices by `mma.sync`: every form of the table under every model, with random and edge operands; fragments
//! against matrices laid out as the PTX ISA draws them; rounding against values worked out by hand.

use reconverge::execute::ModelName::{self, Functional, Reference, Timing};
use reconverge::{CompileOptions, Dim, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;
use reconverge_ptx::form::{self, Form, Operand};
use reconverge_tests::generate::Random;
use std::fmt::Write;

/// Threads of a block: two warps.
const THREADS: usize = 64;
/// Blocks.
const BLOCKS: usize = 3;

/// A product, with the words of a lane of each operand.
struct Product {
    spelled: String,
    types: [&'static str; 4],
    rows: usize,
    k: usize,
    words: [usize; 4],
}

impl Product {
    fn of(form: &Form, words: &[&'static str]) -> Product {
        let named = [
            "f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8", "u4", "s4", "b1", "e4m3",
            "e5m2",
        ];
        let types: Vec<&str> = words.iter().copied().filter(|word| named.contains(word)).collect();
        let shape = words.iter().find_map(|word| word.strip_prefix('m')?.split_once("n8k"));
        let (rows, k) = shape.unwrap();
        let each = if types[0] == "f64" { 2 } else { 1 };
        let count = |operand: &Operand| operand.count * each;
        Product {
            spelled: format!("mma.{}", words.join(".")),
            types: types.try_into().unwrap(),
            rows: rows.parse().unwrap(),
            k: k.parse().unwrap(),
            words: [0, 1, 2, 3].map(|at| count(&form.operands[at])),
        }
    }

    fn is_of_quad_pairs(&self) -> bool {
        self.k == 4 && self.types[1] == "f16"
    }

    /// A kernel in which each thread loads its words of `a`, `b` and `c`, and stores those of the result.
    fn kernel(&self) -> String {
        let is_wide = self.types[0] == "f64";
        let (ty, bytes, each) = if is_wide { ("f64", 8, 2) } else { ("b32", 4, 1) };
        let input: usize = self.words[1..].iter().sum();
        let mut text = format!(
            ".version 8.4\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {{\n\
             .reg .b64 %in, %out; .reg .b32 %t, %n, %c; .reg .{ty} %v<40>;\n\
             ld.param.u64 %in, [p]; ld.param.u64 %out, [q]; mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %c, %ctaid.x;\n\
             mad.lo.u32 %t, %c, %n, %t;\n\
             mad.wide.u32 %in, %t, {}, %in; mad.wide.u32 %out, %t, {}, %out;\n",
            4 * input,
            4 * self.words[0]
        );
        let mut next = 0;
        let mut operands = Vec::new();
        for (at, words) in self.words.iter().enumerate() {
            let registers: Vec<String> =
                (next..next + words / each).map(|register| format!("%v{register}")).collect();
            next += words / each;
            if at == 0 {
                operands.push(format!("{{{}}}", registers.join(", ")));
                continue;
            }
            let first: usize = self.words[1..at].iter().sum();
            for (place, register) in registers.iter().enumerate() {
                let offset = 4 * first + bytes * place;
                let _ = writeln!(text, "ld.global.{ty} {register}, [%in+{offset}];");
            }
            operands.push(format!("{{{}}}", registers.join(", ")));
        }
        let _ = writeln!(text, "{} {};", self.spelled, operands.join(", "));
        for place in 0..self.words[0] / each {
            let _ = writeln!(text, "st.global.{ty} [%out+{}], %v{place};", bytes * place);
        }
        text + "ret;\n}\n"
    }

    /// The results of threads whose words are `input`, thread after thread.
    fn run(
        &self,
        input: &[u32],
        model: ModelName,
        level: Level,
        machine: &str,
    ) -> Result<Vec<u32>, String> {
        launch(&self.kernel(), input, self.words[0], model, level, machine, THREADS)
    }
}

fn launch(
    text: &str,
    input: &[u32],
    words: usize,
    model: ModelName,
    level: Level,
    machine: &str,
    threads: usize,
) -> Result<Vec<u32>, String> {
    let shown = |error: reconverge::Error| error.to_string();
    let options = CompileOptions {
        lowering: Options { level, verify: true, ..Options::default() },
        ..CompileOptions::default()
    };
    let module = Module::from_ptx(text, &options).map_err(shown)?;
    let mut gpu = module.load(&Target::new(machine).map_err(shown)?.model(model)).map_err(shown)?;
    let from = gpu.buffer(input).map_err(shown)?;
    let to = gpu.zeros::<u32>(words * threads * BLOCKS).map_err(shown)?;
    let parameters = [from.address(), to.address()].map(u64::to_le_bytes).concat();
    let (grid, block) = (Dim([BLOCKS as u32, 1, 1]), Dim([threads as u32, 1, 1]));
    gpu.launch_bytes("k", grid, block, 0, &parameters).map_err(shown)?;
    Ok(gpu.read(&to))
}

/// Every form with every choice of its words.
fn products() -> Vec<Product> {
    let forms = form::all().into_iter().filter(|form| form.mnemonic() == "mma");
    let each = |form: &'static Form| {
        form.samples().into_iter().map(move |words| Product::of(form, &words))
    };
    let found: Vec<Product> = forms.flat_map(each).collect();
    assert!(found.len() > 70, "{}", found.len());
    found
}

/// A word of elements of a type: random bits, or edge values, or values close to each other.
fn word(random: &mut Random, ty: &str, high: bool, kind: usize) -> u32 {
    let bits = random.draw() as u32;
    let edges: &[u32] = match ty {
        "f16" => &[0, 0x8000, 1, 0x3c00, 0xbc00, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c01],
        "bf16" => &[0, 0x8000, 1, 0x3f80, 0xbf80, 0x7f7f, 0xff7f, 0x7f80, 0x7fc0, 0x3380, 0x80],
        "tf32" | "f32" => &[
            0,
            0x8000_0000,
            1,
            0x3f80_0000,
            0xbf80_0000,
            0x7f7f_ffff,
            0xff7f_e000,
            0x7f80_0000,
            0x7fc0_0000,
            0x3380_0000,
            0x0080_0000,
            0x3f80_2000,
            0x3f80_1fff,
        ],
        "f64" if high => {
            &[0, 0x8000_0000, 0x3ff0_0000, 0xbff0_0000, 0x7fef_ffff, 0x7ff0_0000, 0x7ff8_0000]
        }
        "e4m3" => &[0, 0x80, 1, 0x38, 0xb8, 0x7e, 0xfe, 0x7f],
        "e5m2" => &[0, 0x80, 1, 0x3c, 0xbc, 0x7b, 0x7c, 0xfc, 0x7e],
        "s32" => &[0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7fff_ff00],
        _ => &[0, u32::MAX, 0x8080_8080, 0x7f7f_7f7f, 0x8888_8888, 0x7777_7777],
    };
    let width = match ty {
        "f16" | "bf16" => 16,
        "e4m3" | "e5m2" => 8,
        _ => 32,
    };
    match kind {
        0 => bits,
        1 => (0..32 / width)
            .fold(0, |all, at| all | edges[random.below(edges.len())] << (at * width)),
        // Magnitudes near 1, whose sums are rounded.
        _ => match ty {
            "f16" => bits & 0x83ff_83ff | 0x3800_3800 & !(bits >> 3 & 0x0400_0400),
            "bf16" => bits & 0x80ff_80ff | 0x3f00_3f00,
            "tf32" | "f32" => bits & 0x80ff_ffff | 0x3f00_0000,
            "f64" if high => bits & 0x801f_ffff | 0x3fe0_0000,
            "e4m3" => bits & 0x8f8f_8f8f | 0x3030_3030,
            "e5m2" => bits & 0x8787_8787 | 0x3838_3838,
            _ => bits,
        },
    }
}

#[test]
fn every_product_is_the_same_in_all_models() {
    for product in products() {
        let mut random = Random::new(7);
        let input: Vec<u32> = (0..THREADS * BLOCKS)
            .flat_map(|thread| {
                let kind = thread / THREADS;
                let of = |(&count, ty): (&usize, &'static str)| (0..count).map(move |at| (at, ty));
                let words = product.words[1..].iter().zip(product.types[1..].iter().copied());
                words.flat_map(of).map(move |(at, ty)| (at, ty, kind)).collect::<Vec<_>>()
            })
            .map(|(at, ty, kind)| word(&mut random, ty, at % 2 == 1, kind))
            .collect();
        let wanted = product.run(&input, Reference, Level::None, "h100").unwrap();
        assert!(wanted.iter().any(|&word| word != 0), "{}", product.spelled);
        for (model, level) in [
            (Functional, Level::None),
            (Functional, Level::Full),
            (Timing, Level::Basic),
            (Timing, Level::Full),
        ] {
            let found = product.run(&input, model, level, "h100");
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", product.spelled));
            let differs = (0..found.len()).find(|&at| found[at] != wanted[at]);
            if let Some(at) = differs {
                let (thread, place) = (at / product.words[0], at % product.words[0]);
                panic!(
                    "{} {model:?} {level:?}: word {place} of thread {thread} is {:#x}, not {:#x}",
                    product.spelled, found[at], wanted[at]
                );
            }
        }
    }
}

/// The row and column of element `i` of `a` that a lane holds, by the case distinctions of the PTX ISA.
fn place_of_a(product: &Product, lane: usize, i: usize) -> [usize; 2] {
    let (group, thread) = (lane >> 2, lane % 4);
    let upper = |is: bool| if is { group } else { group + 8 };
    match (product.types[1], product.rows, product.k) {
        ("f64", 8, 4) => [group, thread],
        ("f64" | "tf32", 16, 4) => [upper(i == 0), thread],
        ("f64" | "tf32", 16, 8) => {
            [upper(i == 0 || i == 2), if i < 2 { thread } else { thread + 4 }]
        }
        ("f64", 16, 16) => [
            upper(i.is_multiple_of(2)),
            if i.is_multiple_of(2) { 2 * i + thread } else { 2 * i - 2 + thread },
        ],
        ("f16" | "bf16", 16, 8) => [upper(i < 2), 2 * thread + (i & 1)],
        ("f16" | "bf16", 16, 16) => {
            [upper(i < 2 || (4..6).contains(&i)), 2 * thread + (i & 1) + if i < 4 { 0 } else { 8 }]
        }
        ("u8" | "s8", 8, 16) => [group, 4 * thread + i],
        (_, 16, 16) => [upper(i < 4), 4 * thread + (i & 3)],
        ("u8" | "s8" | "e4m3" | "e5m2", 16, 32) => [
            upper(i < 4 || (8..12).contains(&i)),
            4 * thread + (i & 3) + if i < 8 { 0 } else { 16 },
        ],
        ("u4" | "s4", 8, 32) => [group, 8 * thread + i],
        ("u4" | "s4", 16, 32) => [upper(i < 8), 8 * thread + (i & 7)],
        ("u4" | "s4", 16, 64) => [
            upper(i < 8 || (16..24).contains(&i)),
            8 * thread + (i & 7) + if i < 16 { 0 } else { 32 },
        ],
        (_, 8, 128) => [group, 32 * thread + i],
        (_, 16, 128) => [upper(i < 32), 32 * thread + (i & 31)],
        (_, 16, 256) => [
            upper(i < 32 || (64..96).contains(&i)),
            32 * thread + (i & 31) + if i < 64 { 0 } else { 128 },
        ],
        _ => panic!("{}", product.spelled),
    }
}

/// The same of `b`.
fn place_of_b(product: &Product, lane: usize, i: usize) -> [usize; 2] {
    let (group, thread) = (lane >> 2, lane % 4);
    let row = match (product.types[1], product.k) {
        ("f64" | "tf32", 4) => thread,
        ("f64" | "tf32", 8) => {
            if i == 0 {
                thread
            } else {
                thread + 4
            }
        }
        ("f64", 16) => 4 * i + thread,
        ("f16" | "bf16", 8) => 2 * thread + i,
        ("f16" | "bf16", 16) => 2 * thread + (i & 1) + if i < 2 { 0 } else { 8 },
        ("u4" | "s4", 32) => 8 * thread + i,
        ("u4" | "s4", 64) => 8 * thread + (i & 7) + if i < 8 { 0 } else { 32 },
        (_, 16) => 4 * thread + i,
        (_, 32) => 4 * thread + (i & 3) + if i < 4 { 0 } else { 16 },
        (_, 128) => 32 * thread + i,
        (_, 256) => 32 * thread + (i & 31) + if i < 32 { 0 } else { 128 },
        _ => panic!("{}", product.spelled),
    };
    [row, group]
}

/// The bits of an element that is a small integer, and the bits that it takes.
fn element(ty: &str, value: i64) -> (u64, usize) {
    let single = u64::from((value as f32).to_bits());
    match ty {
        "f64" => ((value as f64).to_bits(), 64),
        "f32" | "tf32" => (single, 32),
        "bf16" => (single >> 16, 16),
        "f16" => (half(value), 16),
        "e5m2" => (half(value) >> 8, 8),
        "e4m3" => {
            // The upper bits of a half with another bias.
            let sign = if value < 0 { 0x80 } else { 0 };
            let magnitude = half(value.abs()) >> 7;
            (sign | if value == 0 { 0 } else { magnitude - (8 << 3) }, 8)
        }
        "s32" => (value as u32 as u64, 32),
        "u8" | "s8" => (value as u8 as u64, 8),
        "u4" | "s4" => (value as u64 & 15, 4),
        _ => (value as u64 & 1, 1),
    }
}

/// The half that is a small integer.
fn half(value: i64) -> u64 {
    let magnitude = value.unsigned_abs();
    let shift = magnitude.checked_ilog2().unwrap_or(0);
    let bits = u64::from(15 + shift) << 10 | (magnitude << (10 - shift)) & 0x3ff;
    if value == 0 { 0 } else { bits | u64::from(value < 0) << 15 }
}

/// A small integer for a place of a matrix that a type can hold.
fn entry(ty: &str, row: usize, column: usize) -> i64 {
    let value = ((row * 7 + column * 5 + row * column) % 11) as i64;
    match ty {
        "b1" => value & 1,
        "u8" | "u4" => value,
        "e5m2" => value % 4 - 1,
        "s4" => value - 5,
        _ => value - 4,
    }
}

#[test]
fn fragments_hold_the_matrices_of_the_ptx_isa() {
    for product in products() {
        if product.is_of_quad_pairs() {
            continue;
        }
        let mut lanes = Vec::new();
        for lane in 0..32 {
            let mut words = Vec::new();
            for (operand, ty) in
                [(1, product.types[1]), (2, product.types[2]), (3, product.types[3])]
            {
                let bits = element(ty, 0).1;
                let mut all = vec![0u32; product.words[operand]];
                for i in 0..product.words[operand] * 32 / bits {
                    let value = match operand {
                        1 => {
                            let [row, column] = place_of_a(&product, lane, i);
                            entry(ty, row, column)
                        }
                        2 => {
                            let [row, column] = place_of_b(&product, lane, i);
                            entry(ty, row + 3, column)
                        }
                        _ => {
                            let [row, column] = place_of_c(lane, i);
                            (row * 8 + column) as i64
                        }
                    };
                    let (element, at) = (element(ty, value).0, i * bits);
                    all[at / 32] |= (element << (at % 32)) as u32;
                    if bits == 64 {
                        all[at / 32 + 1] = (element >> 32) as u32;
                    }
                }
                words.extend(all);
            }
            lanes.push(words);
        }
        let input: Vec<u32> = (0..THREADS * BLOCKS).flat_map(|t| lanes[t % 32].clone()).collect();
        let found = product.run(&input, Functional, Level::Full, "h100").unwrap();
        let (result, bits) = (product.types[0], element(product.types[0], 0).1);
        for lane in 0..32 {
            let mut wanted = vec![0u32; product.words[0]];
            for i in 0..product.words[0] * 32 / bits {
                let [row, column] = place_of_c(lane, i);
                let sum: i64 = (0..product.k)
                    .map(|k| {
                        let a = entry(product.types[1], row, k);
                        let b = entry(product.types[2], k + 3, column);
                        match (product.types[1], product.spelled.contains("xor")) {
                            ("b1", true) => a ^ b,
                            _ => a * b,
                        }
                    })
                    .sum();
                let (element, at) = (element(result, sum + (row * 8 + column) as i64).0, i * bits);
                wanted[at / 32] |= (element << (at % 32)) as u32;
                if bits == 64 {
                    wanted[at / 32 + 1] = (element >> 32) as u32;
                }
            }
            let own = &found[lane * product.words[0]..(lane + 1) * product.words[0]];
            assert_eq!(own, wanted, "{} lane {lane}", product.spelled);
        }
    }
}

/// The row and column of element `i` of the result that a lane holds.
fn place_of_c(lane: usize, i: usize) -> [usize; 2] {
    let row = if i < 2 { lane >> 2 } else { (lane >> 2) + 8 };
    [row, 2 * (lane % 4) + (i & 1)]
}

/// `m8n8k4`: the elements of the quad pairs, by the layouts of CUTLASS (`mma_traits_sm70.hpp`), which are those of the PTX ISA.
#[test]
fn quad_pairs_hold_the_matrices_of_the_ptx_isa() {
    for product in products().iter().filter(|product| product.is_of_quad_pairs()) {
        let by_row = product.spelled.split('.').filter(|word| ["row", "col"].contains(word));
        let by_row: Vec<bool> = by_row.map(|word| word == "row").collect();
        let thread_of = |lane: usize| (lane / 4 % 4, lane % 4 + lane / 16 * 4);
        let entry = |pair: usize, row: usize, column: usize| {
            ((row * 3 + column * 5 + pair * 7) % 9) as i64 - 4
        };
        let single = |i: usize, t: usize| {
            let row = (t & 1) + 4 * (t >> 2) + (i & 2);
            [row, 2 * (t >> 1 & 1) + (i & 1) + 4 * (i >> 2)]
        };
        let place = |ty: &str, t: usize, i: usize| if ty == "f16" { [t, i] } else { single(i, t) };
        let mut lanes = Vec::new();
        for lane in 0..32 {
            let (pair, t) = thread_of(lane);
            let a = (0..4).map(|v| match by_row[0] {
                true => entry(pair, t, v),
                false => entry(pair, t / 4 * 4 + v, t % 4),
            });
            let b = (0..4).map(|v| match by_row[1] {
                false => entry(pair + 1, v, t),
                true => entry(pair + 1, t % 4, t / 4 * 4 + v),
            });
            let halves: Vec<u64> = a.chain(b).map(half).collect();
            let mut words: Vec<u32> =
                halves.chunks(2).map(|pair| (pair[0] | pair[1] << 16) as u32).collect();
            let c: Vec<u64> = (0..8)
                .map(|i| {
                    let [row, column] = place(product.types[3], t, i);
                    element(product.types[3], (row * 8 + column) as i64).0
                })
                .collect();
            match product.types[3] {
                "f16" => words.extend(c.chunks(2).map(|it| (it[0] | it[1] << 16) as u32)),
                _ => words.extend(c.iter().map(|&it| it as u32)),
            }
            lanes.push(words);
        }
        let input: Vec<u32> = (0..THREADS * BLOCKS).flat_map(|t| lanes[t % 32].clone()).collect();
        for (model, machine) in [(Reference, "v100"), (Functional, "v100"), (Timing, "v100")] {
            let found = product.run(&input, model, Level::Full, machine).unwrap();
            for lane in 0..32 {
                let (pair, t) = thread_of(lane);
                let wanted: Vec<u64> = (0..8)
                    .map(|i| {
                        let [row, column] = place(product.types[0], t, i);
                        let sum: i64 =
                            (0..4).map(|k| entry(pair, row, k) * entry(pair + 1, k, column)).sum();
                        element(product.types[0], sum + (row * 8 + column) as i64).0
                    })
                    .collect();
                let wanted: Vec<u32> = match product.types[0] {
                    "f16" => wanted.chunks(2).map(|it| (it[0] | it[1] << 16) as u32).collect(),
                    _ => wanted.iter().map(|&it| it as u32).collect(),
                };
                let own = &found[lane * product.words[0]..(lane + 1) * product.words[0]];
                assert_eq!(own, wanted, "{} {model:?} lane {lane}", product.spelled);
            }
        }
    }
}

/// Row 0 of `a` times columns of ones and `c`, by hand: the exact sum is rounded once, to the nearest.
#[test]
fn sums_are_rounded_once() {
    let find = |spelled: &str| products().into_iter().find(|it| it.spelled == spelled).unwrap();
    let product = find("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32");
    // 2^-24 is half of the last place of 1: a tie, to even; with 2^-14 times 2^-14 it is above the middle.
    let (tiny, small, one) = (1u32, 0x0400, 0x3c00);
    for (row, c, wanted) in [
        ([tiny, 0], 0x3f80_0000u32, 0x3f80_0000u32),
        ([tiny, tiny], 0x3f80_0000, 0x3f80_0001),
        ([tiny, 0], 0x3f80_0001, 0x3f80_0002),
        ([small, 0], 0x3f80_0000, 0x3f80_0200),
        ([0x7bff, 0xfbff], 0x3380_0000, 0x3380_0000),
        ([0x7c00, one], 0, 0x7f80_0000),
        ([0x7c00, 0xfc00], 0, 0x7fff_ffff),
        ([0x8000, 0x8000], 0x8000_0000, 0x0000_0000),
    ] {
        let lane = |lane: usize| {
            let a = if lane == 0 { row[0] | row[1] << 16 } else { 0 };
            [a, 0, 0x3c00_3c00, c, c, c, c]
        };
        let input: Vec<u32> = (0..THREADS * BLOCKS).flat_map(|thread| lane(thread % 32)).collect();
        for model in [Reference, Functional] {
            let found = product.run(&input, model, Level::Full, "a100").unwrap();
            assert_eq!(found[0], wanted, "{model:?} {row:x?} {c:#x}");
        }
    }
}

#[test]
fn a_warp_without_some_lanes_traps() {
    let product = &products()[0];
    let input = vec![0; product.words[1..].iter().sum::<usize>() * THREADS * BLOCKS];
    for model in [Reference, Functional, Timing] {
        for (text, threads) in [
            (product.kernel(), 48),
            (product.kernel().replace("mma.sync", "setp.lt.u32 %p, %t, 9; @%p mma.sync"), 64),
        ] {
            let text = text.replace(".reg .b64", ".reg .pred %p; .reg .b64");
            let found =
                launch(&text, &input, product.words[0], model, Level::Full, "a100", threads);
            let error = found.unwrap_err();
            assert!(error.contains("matrix instruction"), "{model:?}: {error}");
        }
    }
}

#[test]
fn a_machine_without_tensor_cores_names_one_with_them() {
    let product = &products()[0];
    let input = vec![0; product.words[1..].iter().sum::<usize>() * THREADS * BLOCKS];
    let error = product.run(&input, Timing, Level::Full, "gtx480").unwrap_err();
    assert!(error.contains("`gtx480` has no tensor cores"), "{error}");
    assert!(error.contains("a100") && error.contains("h100"), "{error}");
    let error = product.run(&input, Timing, Level::Full, "v100").unwrap_err();
    assert!(error.contains("a6000") && !error.contains("gtx480"), "{error}");
    product.run(&input, Functional, Level::Full, "gtx480").unwrap();
}

/// The cycles and the other counters of a kernel whose warps each have a chain of products, 16 in each iteration.
fn chain(machine: &str, warps: usize, rounds: u32) -> [u64; 4] {
    let step = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, \
                {%f0, %f1, %f2, %f3};\n";
    let text = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {{\n\
         .reg .b64 %out; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b32 %t, %n; .reg .pred %p;\n\
         ld.param.u64 %out, [p]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x; mad.wide.u32 %out, %t, 16, %out;\n\
         ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%out]; mov.b32 %r4, %r0; mov.b32 %r5, %r1;\n\
         mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;\n\
         AGAIN: {}sub.u32 %n, %n, 1; setp.ne.u32 %p, %n, 0; @%p bra AGAIN;\n\
         st.global.v4.f32 [%out], {{%f0, %f1, %f2, %f3}};\nret;\n}}\n",
        step.repeat(16)
    );
    let module = Module::from_ptx(&text, &CompileOptions::default()).unwrap();
    let mut gpu = module.load(&Target::new(machine).unwrap()).unwrap();
    let out = gpu.zeros::<u32>(4 * 32 * warps).unwrap();
    let mut parameters = out.address().to_le_bytes().to_vec();
    parameters.extend(rounds.to_le_bytes());
    let (grid, block) = (Dim([1, 1, 1]), Dim([32 * warps as u32, 1, 1]));
    let record = gpu.launch_bytes("k", grid, block, 0, &parameters).unwrap();
    let found = record.statistics.unwrap();
    [
        found.cycles,
        found.tensor_instructions,
        found.tensor_half_operations,
        found.tensor_busy_cycles,
    ]
}

/// A chain advances by the latency of its instruction; the loop around it takes some cycles more, and moves no accumulators.
/// Chains of four warps in a sub-core take the pipe for longer than that, and wait for each other.
#[test]
fn chains_take_the_times_of_the_machine() {
    for (machine, latency, initiation) in [("a100", 25, 8), ("h100", 24, 8), ("a6000", 33, 16)] {
        for warps in [1, 4, 16] {
            let [short, long] = [4, 12].map(|rounds| chain(machine, warps, rounds));
            let each = (long[0] - short[0]) as f64 / 128.0;
            let least = latency.max(initiation * warps as u64 / 4) as f64;
            let most = if warps > 4 { 1.5 * least } else { least + 2.0 };
            let range = least..most;
            assert!(range.contains(&each), "{machine}, {warps} warps: {each}, not {range:?}");
            let instructions = 12 * 16 * warps as u64;
            let operations = instructions * 2 * 16 * 8 * 16;
            assert_eq!(long[1..], [instructions, operations, instructions * initiation]);
        }
    }
}

/// Triton's `tl.dot` for `sm_80`, by a kernel of examples/triton/dot.py with tiles of 32 by 32: products of small integers.
#[test]
fn products_of_triton_are_exact() {
    let value = |row: usize, column: usize| ((7 * row + 5 * column) % 17) as i64 - 8;
    for (text, ty, shared) in [
        (include_str!("../data/ptx/python/triton_mma_fp16.ptx"), "f16", 4096),
        (include_str!("../data/ptx/python/triton_mma_bf16.ptx"), "bf16", 4096),
        (include_str!("../data/ptx/python/triton_mma_tf32.ptx"), "tf32", 8192),
        (include_str!("../data/ptx/python/triton_mma_int8.ptx"), "s8", 4096),
        // Three stages, whose tiles come by asynchronous copies.
        (include_str!("../data/ptx/python/triton_mma_fp16_stages.ptx"), "f16", 8192),
        (include_str!("../data/ptx/python/triton_mma_bf16_stages.ptx"), "bf16", 8192),
        (include_str!("../data/ptx/python/triton_mma_tf32_stages.ptx"), "tf32", 16384),
        (include_str!("../data/ptx/python/triton_mma_int8_stages.ptx"), "s8", 4096),
    ] {
        let stages = text.contains("cp.async");
        let (m, n, k) = if stages { (48, 80, 128) } else { (40, 70, 96) };
        let matrix = |rows: usize, columns: usize| -> Vec<u8> {
            let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let bytes = |(row, column)| {
                let (bits, size) = element(ty, value(row, column));
                bits.to_le_bytes().into_iter().take(size / 8)
            };
            places.flat_map(bytes).collect()
        };
        for (model, level) in [
            (Reference, Level::None),
            (Functional, Level::None),
            (Functional, Level::Full),
            (Timing, Level::Full),
        ] {
            let options = CompileOptions {
                lowering: Options { level, verify: true, ..Options::default() },
                ..CompileOptions::default()
            };
            let module = Module::from_ptx(text, &options).unwrap();
            let mut gpu = module.load(&Target::new("a100").unwrap().model(model)).unwrap();
            let a = gpu.buffer(&matrix(m, k)).unwrap();
            let b = gpu.buffer(&matrix(k, n)).unwrap();
            let c = gpu.zeros::<u32>(m * n).unwrap();
            let addresses = [a.address(), b.address(), c.address()];
            let mut parameters = addresses.map(u64::to_le_bytes).concat();
            parameters.extend([m, n, k].map(|size| (size as u32).to_le_bytes()).concat());
            parameters.resize(56, 0);
            let grid = Dim([m.div_ceil(32) as u32, n.div_ceil(32) as u32, 1]);
            let record =
                gpu.launch_bytes("dot", grid, Dim([128, 1, 1]), shared, &parameters).unwrap();
            for (at, word) in gpu.read(&c).into_iter().enumerate() {
                let sum: i64 =
                    (0..k).map(|inner| value(at / n, inner) * value(inner, at % n)).sum();
                let wanted = if ty == "s8" { sum as u32 } else { (sum as f32).to_bits() };
                assert_eq!(word, wanted, "{ty} {model:?} {level:?}: element {at}");
            }
            if model == Timing {
                let statistics = record.statistics.unwrap();
                assert!(statistics.tensor_instructions > 0, "{ty}");
                assert_eq!(statistics.copied_bytes > 0, stages, "{ty}");
            }
        }
    }
}
