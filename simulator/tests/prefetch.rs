//! Prefetchers on `tiny`, with counts by hand.

use crate::support::Run;
use reconverge_simulator::{Machine, Statistics, load_machine};

fn machine(sets: &[(&str, &str)]) -> Machine {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// Prefetches; of these useful, late and unused ones.
fn prefetches(s: &Statistics) -> [u64; 4] {
    ["prefetches", "prefetches_useful", "prefetches_late", "prefetches_unused"]
        .map(|name| s.mechanisms.get(name))
}

/// Eight rounds, in each of which a warp loads from the next 256 bytes and waits for it.
const STRIDE: &str = "mov.b32 r0, 0x10000000\n mov.b32 r1, 0\n L0:\n ld.global.b32 r2, [r0]\n\
                      add.i32 r3, r3, r2\n add.i32 r0, r0, 256\n add.i32 r1, r1, 1\n\
                      setp.lt.s32 p0, r1, 8\n @p0 bra L0\n exit";

#[test]
fn a_stride_of_a_warp() {
    let without = Run::code(STRIDE).timing();
    let mut run = Run::code(STRIDE);
    run.machine = machine(&[("prefetcher", "many-thread-prefetch")]);
    let with = run.timing();
    // Two differences are known with the third load, which asks for the fourth's line, and so on; what the
    // eighth asks for nobody wants. The fourth line comes with the third; the fourth load is so fast then that
    // it is too early for the fifth, while whose line is waited for the sixth comes; and so on.
    assert_eq!(prefetches(&with.statistics), [6, 3, 2, 1]);
    let s = &with.statistics;
    assert_eq!(
        (s.mechanisms.get("prefetch_hits"), s.l1_misses, s.l1_hits, s.l1_merges),
        (3, 8, 0, 2)
    );
    // Three of eight misses take as long as hits, which is 76 cycles less in the same row; the others share
    // memory with prefetches.
    assert_eq!(without.statistics.l1_misses, 8);
    assert!(with.cycles + 3 * 70 < without.cycles, "{} and {}", with.cycles, without.cycles);
    // Three strides ahead: what the third to fifth load ask for the sixth to eighth want. Two prefetches an
    // access: the third asks for two, the others for one more each.
    let three = |key: &str, value: &str| {
        let mut run = Run::code(STRIDE);
        run.machine = machine(&[("prefetcher", "many-thread-prefetch"), (key, value)]);
        let [all, useful, late, unused] = prefetches(&run.timing().statistics);
        [all, useful + late, unused]
    };
    assert_eq!(three("many-thread-prefetch.distance", "3"), [6, 3, 3]);
    assert_eq!(three("many-thread-prefetch.degree", "2"), [7, 5, 2]);
}

#[test]
fn a_stride_of_a_warp_without_other_warps() {
    let with = |sets: &[(&str, &str)]| {
        let mut run = Run::code(STRIDE);
        run.machine = machine(sets);
        prefetches(&run.timing().statistics)
    };
    // One warp: what other warps do cannot matter.
    assert_eq!(with(&[("prefetcher", "stride")]), with(&[("prefetcher", "many-thread-prefetch")]));
    assert_eq!(with(&[("prefetcher", "stride"), ("stride.distance", "3")])[0], 6);
}

#[test]
fn the_line_after_a_load() {
    let with = |distance: &str| {
        let mut run = Run::code(STRIDE);
        run.machine = machine(&[("prefetcher", "next-line"), ("next-line.distance", distance)]);
        let [all, useful, late, unused] = prefetches(&run.timing().statistics);
        [all, useful + late, unused]
    };
    // Lines have 128 bytes. The loads are two lines apart: what each of them asks for the next one wants, but for what
    // the last one asks for. One line after a load nothing is wanted.
    assert_eq!(with("2"), [8, 7, 1]);
    assert_eq!(with("1"), [8, 0, 8]);
}

#[test]
fn a_stride_from_warp_to_warp() {
    // Five warps of four threads, a line each: the third load knows the stride, and asks for the fourth's, that one
    // for the fifth's, and that for one that nobody wants. Two misses can be pending, so that the
    // first level is full when the third load comes; the line that it asks for is under way when the fourth load
    // is served, and so on.
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 5\n add.i32 r0, r0, 0x10000000\n\
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    let mut run = Run::code(code).block(20);
    run.machine = machine(&[("prefetcher", "many-thread-prefetch")]);
    let report = run.timing();
    assert_eq!(prefetches(&report.statistics), [3, 0, 2, 1]);
    assert_eq!(report.statistics.mechanisms.get("prefetch_hits"), 0);
    // No warp loads twice: without a look at others there is no stride.
    run.machine = machine(&[("prefetcher", "stride")]);
    assert_eq!(prefetches(&run.timing().statistics), [0; 4]);
}

#[test]
fn an_atomic_drops_what_is_there() {
    // As in the first test, and in each round an atomic on the line behind: it drops what was prefetched there.
    let code = STRIDE
        .replace("add.i32 r3, r3, r2\n", "add.i32 r3, r3, r2\n atom.add.i32 r4, [r0+256], r2\n");
    let mut run = Run::code(&code);
    run.global[0] = 1;
    let plain = {
        let mut plain = run.clone();
        plain.timing();
        plain.global
    };
    run.machine = machine(&[("prefetcher", "many-thread-prefetch")]);
    let report = run.timing();
    assert_eq!(run.global, plain);
    let [all, useful, late, unused] = prefetches(&report.statistics);
    assert_eq!((all, useful + late + unused), (6, 6));
    assert_eq!(useful, 0, "dropped before it could be used");
}
