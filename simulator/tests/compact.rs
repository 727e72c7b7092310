//! The slot `affine` on `tiny`, with cycles and counts computed by hand (`tiny.rs` says how: "add 7 (10,
//! 14)" issues in 7, starts in 10, is there in 14). An instruction on compact values that issues in t
//! starts in t + 2, if a unit is free.

use crate::support::Run;
use reconverge_simulator::{Machine, Report, Statistics, load_machine};

fn machine(sets: &[(&str, &str)]) -> Machine {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"))
}

fn report(code: &str, sets: &[(&str, &str)]) -> Report {
    let mut run = Run::code(code);
    run.machine = machine(sets);
    run.timing()
}

/// Uniform and affine instructions, branches, expansions.
fn compact(s: &Statistics) -> [u64; 4] {
    [
        s.compact_uniform_instructions,
        s.compact_affine_instructions,
        s.compact_branches,
        s.compact_expansions,
    ]
}

#[test]
fn operands_come_from_the_file_of_compact_values() {
    // Without: mov 1 (3, 7), add 7 (10, 14), add 14 (17), exit 15. With: mov 1 (3, 7), add 7 (9, 13), add 13
    // (15), exit 14; the last thing is exit. A pipe of one lane makes each start three cycles later, but for
    // compact values.
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    for (affine, lanes, cycles, uniform) in
        [("none", "4", 18, 0), ("none", "1", 24, 0), ("cae", "4", 15, 3), ("cae", "1", 15, 3)]
    {
        let report = report(code, &[("affine", affine), ("pipes.simple.lanes", lanes)]);
        assert_eq!(report.cycles, cycles, "{affine}, {lanes} lanes");
        assert_eq!(compact(&report.statistics), [uniform, 0, 0, 0]);
    }
}

#[test]
fn tags_follow_the_table() {
    // r0 affine; r1 = r0 << 2 affine; r2 = r1 + 5 affine; r3 = 7 * 7 uniform; r4 = r0 * r3 vector, by the
    // table; r5 = r4 + r3 vector; r6 = r1 + r2 vector; r3 * 2 + r1 affine; r0 - 1 affine.
    let code = "mov.b32 r0, tid.x\n shl.b32 r1, r0, 2\n add.i32 r2, r1, 5\n mov.b32 r3, 7\n mul.i32 r3, r3, 7\n\
                mul.i32 r4, r0, r3\n add.i32 r5, r4, r3\n add.i32 r6, r1, r2\n\
                mad.i32 r7, r3, 2, r1\n sub.i32 r7, r0, 1\n exit";
    let cae = report(code, &[("affine", "cae")]);
    assert_eq!(compact(&cae.statistics), [2, 5, 0, 0]);
    // Only r3 is the same in all threads.
    let tags = [("affine", "scalar-unit"), ("scalar-unit.detection", "tags")];
    assert_eq!(compact(&report(code, &tags).statistics), [2, 0, 0, 0]);
    // And nothing is claimed to be.
    let claims = report(code, &[("affine", "scalar-unit")]);
    assert_eq!(compact(&claims.statistics), [0; 4]);
    let claimed = code.replace("mov.b32 r3, 7\n", "mov.b32 r3, 7 !uniform\n");
    let claims = report(&claimed, &[("affine", "scalar-unit")]);
    assert_eq!(compact(&claims.statistics), [1, 0, 0, 0]);
    let claimed = claimed.replace("mul.i32 r3, r3, 7\n", "mul.i32 r3, r3, 7 !uniform\n");
    let claims = report(&claimed, &[("affine", "scalar-unit")]);
    assert_eq!(compact(&claims.statistics), [2, 0, 0, 0]);
}

#[test]
fn pairs_are_uniform_or_vectors() {
    // Compact: mov, pack, shl and low of uniform pairs, mov of tid.x, which makes the pair a vector.
    let code = "mov.b32 r4, 5\n pack.b64 r0:1, r4, r4\n shl.b64 r0:1, r0:1, 1\n low.b64 r2, r0:1\n\
                mov.b32 r0, tid.x\n add.i64 r6:7, r0:1, r0:1\n add.i32 r1, r1, r2\n exit";
    // The upper half is still uniform, so that the last add is.
    assert_eq!(compact(&report(code, &[("affine", "cae")]).statistics), [5, 1, 0, 0]);
}

#[test]
fn a_register_written_in_part_is_expanded() {
    // mov 1 (3, 7), mov 2 (4, 8), setp 8 (10, 14): half of the lanes. The add writes a part of r0: it reads
    // nothing from banks, 14 (16), and takes a pass to expand r0 and one for itself: 21. add 21 (24).
    // exit 22. Without: setp 8 (10, 14), add 14 (16, 20), add 20 (23), exit 21.
    let code = "mov.b32 r0, 7\n mov.b32 r1, tid.x\n setp.lt.s32 p0, r1, 2\n\
                @p0 add.i32 r0, r0, 1\n add.i32 r2, r0, r0\n exit";
    let without = report(code, &[]);
    let with = report(code, &[("affine", "cae")]);
    assert_eq!((without.cycles, with.cycles), (24, 25));
    assert_eq!(compact(&with.statistics), [1, 2, 0, 1]);
}

#[test]
fn a_predicate_on_which_lanes_agree_is_uniform() {
    // tid.x < 4 in all lanes: the guard is known, so that the add is uniform, and the branch as well.
    let code = "mov.b32 r0, 7\n mov.b32 r1, tid.x\n setp.lt.s32 p0, r1, 4\n\
                @p0 add.i32 r0, r0, 1\n @!p0 bra L0\n add.i32 r2, r0, r0\n L0:\n exit";
    let with = report(code, &[("affine", "cae")]);
    assert_eq!(compact(&with.statistics), [3, 2, 1, 0]);
}

#[test]
fn nothing_is_compact_behind_a_divergent_branch() {
    // Lanes 0 and 1 skip the first add, which writes a part of r0 and expands it; where all are together
    // again the mov is uniform, and makes r0 compact.
    let code = "mov.b32 r0, 7\n mov.b32 r1, tid.x\n setp.lt.s32 p0, r1, 2\n\
                @p0 bra L0 !reconverge L0\n add.i32 r0, r0, 1\n add.i32 r0, r0, 1\n L0:\n mov.b32 r0, 1\n add.i32 r0, r0, 1\n exit";
    let with = report(code, &[("affine", "cae")]);
    assert_eq!(compact(&with.statistics), [3, 2, 0, 1]);
}

#[test]
fn words_that_are_broadcast_are_uniform() {
    // A load of one word of shared memory; of global memory only if it is claimed, for the scalar unit.
    let code = "mov.b32 r0, 0x1000000\n ld.shared.b32 r1, [r0]\n add.i32 r2, r1, 1\n\
                mov.b32 r3, 0x10000000\n ld.global.b32 r4, [r3]\n add.i32 r5, r4, 1\n exit";
    assert_eq!(compact(&report(code, &[("affine", "cae")]).statistics), [3, 0, 0, 0]);
    let claimed = code.replace('\n', " !uniform\n");
    let scalar = report(&claimed, &[("affine", "scalar-unit")]);
    assert_eq!(compact(&scalar.statistics), [4, 0, 0, 0]);
}

#[test]
fn one_scalar_pipe_is_shared_by_the_schedulers() {
    // Two warps of two schedulers fetch in turn. Warp 0: mov 1 (3, 7), mov 2 (4), add 7 (9), exit 8. Warp 1:
    // mov 2 (5, 9), since in 4 the pipe is taken, mov 3 (6), add 9 (11), exit 10; with two pipes all but the
    // first a cycle earlier.
    let code = "mov.b32 r0, 1\n mov.b32 r2, 2\n add.i32 r1, r0, r0\n exit";
    let two = |units: &'static str| {
        let mut run = Run::code(code).block(8);
        run.machine = machine(&[
            ("affine", "scalar-unit"),
            ("scalar-unit.detection", "tags"),
            ("scalar-unit.units", units),
            ("sm.schedulers", "2"),
        ]);
        run.timing()
    };
    let (one, both) = (two("1"), two("2"));
    assert_eq!(compact(&one.statistics), [6, 0, 0, 0]);
    assert_eq!((one.cycles, both.cycles), (11, 10));
}
