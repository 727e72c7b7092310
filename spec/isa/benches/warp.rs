//! Nanoseconds per warp instruction of `evaluate_warp`: `cargo bench -p reconverge-isa`.

use std::hint::black_box;
use std::time::Instant;

use reconverge_isa::{MAX_LANES, Op, Vectors, WarpResult, WarpSource, evaluate_warp};

const LANES: usize = 32;
const ROUNDS: u32 = 200_000;
/// The machine does other things too: the best of several runs is the evaluation's own time.
const REPEATS: usize = 7;

fn main() {
    let words = |seed: u32| -> [u32; MAX_LANES] {
        std::array::from_fn(|lane| 0x3f80_0000 + seed * 7919 + 65_537 * lane as u32)
    };
    let (low, high) = ([1, 2, 3].map(words), [4, 5, 6].map(words));
    let operations = [
        "mov.b32",
        "add.i32",
        "mul.i32",
        "mad.i32",
        "shl.b32",
        "sel.b32",
        "setp.lt.s32",
        "setp.lt.f32",
        "add.i64",
        "mul.i64",
        "setp.lt.s64",
        "add.f32",
        "mul.f32",
        "min.f32",
        "fma.f32",
        "floor.f32",
        "rint.f32",
        "cvt.f32.s32",
        "cvt.s32.f32",
        "add.f64",
        "fma.f64",
        "floor.f64",
        "div.f32",
        "div.s32",
        "sqrt.f32",
        "sin.f32",
        "exp.f32",
    ];
    println!("ns per warp instruction of {LANES} lanes, portably and with what this host has");
    let only = std::env::args().nth(1).filter(|word| !word.starts_with("--"));
    for name in operations {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let op = Op::from_mnemonic(name).expect("it is a mnemonic of the table");
        let sources = [0, 1, 2].map(|index| WarpSource {
            low: &low[index][..LANES],
            high: &high[index][..LANES],
            predicate: 0x5555_5555,
        });
        let times = [Vectors::PORTABLE, Vectors::detect()].map(|vectors| {
            (0..REPEATS).map(|_| measure(vectors, op, sources)).fold(f64::MAX, f64::min)
        });
        println!("{name:>12} {:9.1} {:9.1}", times[0], times[1]);
    }
}

fn measure(vectors: Vectors, op: Op, sources: [WarpSource; 3]) -> f64 {
    let mut out = WarpResult::default();
    let start = Instant::now();
    for _ in 0..ROUNDS {
        evaluate_warp(
            vectors,
            black_box(op),
            LANES,
            u64::from(u32::MAX),
            black_box(sources),
            &mut out,
        );
        black_box(&out);
    }
    start.elapsed().as_nanos() as f64 / f64::from(ROUNDS)
}
