//! `g-scalar`, `warp-approximation` and `memoisation` on `tiny`, with cycles and counts computed by hand (`tiny.rs` says
//! how: "add 7 (10, 14)" issues in 7, starts in 10, is there in 14).

use crate::support::Run;
use reconverge_simulator::{Model, Report, Statistics, load_machine};

fn prepared(code: &str, sets: &[(&str, &str)]) -> Run {
    let mut run = Run::code(code);
    let sets: Vec<(String, String)> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    run.machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    run
}

fn report(code: &str, sets: &[(&str, &str)]) -> Report {
    prepared(code, sets).timing()
}

/// Instructions executed in one lane, those of them under divergence, bytes in common, expansions.
fn one_lane(s: &Statistics) -> [u64; 4] {
    [
        s.one_lane_instructions,
        s.one_lane_divergent_instructions,
        s.mechanisms.get("common_bytes"),
        s.compact_expansions,
    ]
}

#[test]
fn what_is_the_same_in_all_lanes_takes_one_pass() {
    // Four lanes: mov 1 (3, 7), add 7 (10, 14), add 14 (17), exit 15. A pipe of one lane takes four passes each, so that
    // a result comes three cycles later: mov 1 (3, 10), add 10 (13, 20), add 20 (23); of one of the lanes it takes one.
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    for (affine, lanes, cycles, acting, expected) in [
        ("none", "4", 18, 12, [0; 4]),
        ("none", "1", 24, 12, [0; 4]),
        ("g-scalar", "4", 18, 3, [3, 0, 12, 0]),
        ("g-scalar", "1", 18, 3, [3, 0, 12, 0]),
    ] {
        let report = report(code, &[("affine", affine), ("pipes.simple.lanes", lanes)]);
        assert_eq!(report.cycles, cycles, "{affine}, {lanes} lanes");
        assert_eq!(report.statistics.integer_lanes, acting);
        assert_eq!(one_lane(&report.statistics), expected);
    }
}

#[test]
fn under_divergence_the_active_lanes_count() {
    // r0 is 7 in all lanes: four bytes in common; r1 is 0 to 3: three. Lanes 2 and 3 add to r0: what they have is the same, before
    // and after. The first of these adds takes a pass more, since r0 was stored once and the other lanes keep it. The last add has
    // 7 and 9 in its source; its results, 8 and 10, have three bytes in common.
    let code = "mov.b32 r0, 7\n mov.b32 r1, tid.x\n setp.lt.s32 p0, r1, 2\n@p0 bra L0 !reconverge L0\n\
        add.i32 r0, r0, 1\n add.i32 r0, r0, 1\nL0:\n add.i32 r2, r0, 1\n exit";
    let without = report(code, &[]);
    let with = report(code, &[("affine", "g-scalar")]);
    assert_eq!(one_lane(&with.statistics), [3, 2, 10, 1]);
    assert_eq!(with.cycles, without.cycles + 1);
    let prior = report(code, &[("affine", "g-scalar"), ("g-scalar.divergent", "false")]);
    assert_eq!(one_lane(&prior.statistics), [1, 0, 10, 1]);
    // So it is under a guard.
    let guarded = "mov.b32 r0, 7\n mov.b32 r1, tid.x\n setp.lt.s32 p0, r1, 2\n\
        @p0 add.i32 r2, r0, 1\n @p0 add.i32 r3, r2, 1\n add.i32 r3, r2, 1\n exit";
    let guarded = report(guarded, &[("affine", "g-scalar")]);
    assert_eq!(one_lane(&guarded.statistics), [3, 2, 10, 0]);
}

#[test]
fn what_comes_later_is_not_compared() {
    // Loads are compared when they are written; what an atomic finds is a vector, and so is what is computed from it.
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n add.i32 r2, r1, 1\n\
        atom.add.i32.global r3, [r0], 0\n add.i32 r4, r3, 1\n exit";
    let s = report(code, &[("affine", "g-scalar")]).statistics;
    assert_eq!(s.one_lane_instructions, 2);
}

#[test]
fn similar_operands_give_one_result() {
    // The floats are 1000 to 1003: of the bits of 0x447a0000, 0x447a4000, 0x447a8000 and 0x447ac000 the first 16 are the same. The
    // product is exact in lane 0 (2000), and is what the others get in place of 2002, 2004 and 2006; the sum
    // then is of a value that is the same in all lanes. Integers and the conversion are exact.
    let code = "mov.b32 r0, tid.x\n add.i32 r0, r0, 1000\n cvt.f32.s32 r1, r0\n mul.f32 r2, r1, 2.0\n\
        add.f32 r2, r2, 1.0\n mov.b32 r3, tid.x\n shl.b32 r3, r3, 2\n add.i32 r3, r3, 0x10000000\n\
        st.global.b32 [r3], r2\n exit";
    let stored = |threshold: &str| {
        let sets = [("affine", "warp-approximation"), ("warp-approximation.threshold", threshold)];
        let mut run = prepared(code, &sets);
        let report = run.timing();
        let words = run.global.chunks_exact(4).take(4);
        let words: Vec<f32> = words
            .map(|word| f32::from_le_bytes(word.try_into().expect("it has four bytes")))
            .collect();
        (words, report.statistics)
    };
    let exact = vec![2001.0, 2003.0, 2005.0, 2007.0];
    let mut functional = prepared(code, &[("affine", "warp-approximation")]);
    functional.launch(Model::Functional).expect("it runs");
    assert_eq!(functional.global[..4], 2001f32.to_le_bytes());
    assert_eq!(functional.global[12..16], 2007f32.to_le_bytes(), "there is no time, and no error");
    for threshold in ["16", "31"] {
        let (words, s) = stored(threshold);
        assert_eq!((words, s.approximation_error), (exact.clone(), 0), "{threshold}");
        assert_eq!((s.one_lane_instructions, s.approximated_results), (0, 0));
    }
    let (words, s) = stored("15");
    assert_eq!(words, [2001.0; 4]);
    assert_eq!((s.one_lane_instructions, s.approximated_results), (2, 6));
    // 2/2002, 4/2004 and 6/2006.
    assert_eq!(s.approximation_error, 999 + 1996 + 2991);
}

#[test]
fn a_result_that_is_kept_does_not_take_the_pipe() {
    // Two adds of the same operands. A pipe of one lane: mov 1 (3, 10), add 10 (13, 20), and the other one, 11, has read in 14
    // but starts in 17, when the pipe is free; with its result kept it leaves in 15.
    let code = "mov.b32 r0, 1\n add.i32 r1, r0, r0\n add.i32 r2, r0, r0\n exit";
    let sets = |affine| [("affine", affine), ("pipes.simple.lanes", "1")];
    let (without, with) = (report(code, &sets("none")), report(code, &sets("memoisation")));
    assert_eq!((without.cycles, with.cycles), (18, 16));
    assert_eq!(
        (
            with.statistics.mechanisms.get("reuse_lookups"),
            with.statistics.mechanisms.get("reuse_hits")
        ),
        (3, 1)
    );
    assert_eq!((without.statistics.integer_lanes, with.statistics.integer_lanes), (12, 8));
    // The lanes that act are part of what is kept, and so are the operands of each of them.
    let code = "mov.b32 r0, 1\n add.i32 r1, r0, r0\n mov.b32 r2, tid.x\n setp.lt.s32 p0, r2, 2\n\
        @p0 add.i32 r3, r0, r0\n add.i32 r3, r2, r2\n @p0 add.i32 r4, r0, r0\n exit";
    let s = report(code, &[("affine", "memoisation")]).statistics;
    assert_eq!((s.mechanisms.get("reuse_lookups"), s.mechanisms.get("reuse_hits")), (7, 1));
    // One entry is that of the latest instruction.
    let one = [("affine", "memoisation"), ("memoisation.entries", "1")];
    assert_eq!(report(code, &one).statistics.mechanisms.get("reuse_hits"), 0);
    // Another warp finds what the first one has computed: all but the indices of its threads.
    let code = "mov.b32 r0, 3\n mul.i32 r1, r0, r0\n mov.b32 r2, tid.x\n exit";
    let mut two = prepared(code, &[("affine", "memoisation")]).block(8);
    let s = two.timing().statistics;
    assert_eq!((s.mechanisms.get("reuse_lookups"), s.mechanisms.get("reuse_hits")), (6, 2));
}
