//! Cycle counts of the affine warp, its queues and its units on `tiny`, computed by hand as in `tiny.rs`.
//!
//! One path fetches a cycle: the warps in order, the affine warp last. "mov 2 (4, 8)": issues in 2, starts in
//! its pipe in 4, is there in 8. The units see an enqueued entry in the next cycle; the address
//! unit then computes the block's start in one cycle, and gives a line of a warp in each of the next. An
//! entry can be dequeued a cycle after that.

use crate::support::Run;
use reconverge_simulator::{Report, load_machine};

/// Runs a kernel of two streams, each but for its `exit`, on `tiny` with some settings.
fn run(threads: u32, main: &str, affine: &str, sets: &[(&str, &str)]) -> Report {
    let text = format!(
        ".kernel k\n.registers 8\n.predicates 2\n.shared 64\n.affine A\n{main}\n exit\nA: {affine}\n exit"
    );
    let mut run = Run::new(&text, "tiny").block(threads);
    let all = [("affine", "decoupled"), ("sm.warps", "64")];
    let sets = all.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string()));
    run.machine = load_machine("tiny", &sets.collect::<Vec<_>>()).expect("it is a machine");
    run.timing()
}

#[test]
fn an_early_load() {
    // Fetch 0: the warp, whose load waits; fetch 1: mov 2 (4, 8), enq 8. Start 9, line 10: a miss, which is
    // at the unit as early as in "load that misses" of `tiny.rs`: the line comes in 92. ld 93 (95), unit 96:
    // hit, register 106; add 106 (109), exit after fetch 107 in 108; the last thing is the start in 109
    let load = "ld.global.b32 r1, [deq.data 0]\n add.i32 r2, r1, r1";
    let report = run(4, load, "mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]", &[]);
    let s = &report.statistics;
    assert_eq!(report.cycles, 110);
    assert_eq!((s.l1_hits, s.l1_misses), (1, 0));
    assert_eq!((s.early_lines, s.early_hits, s.early_loads, s.memory_loads), (1, 0, 1, 1));
    // From 10 to 93; the line is held from 11 until it is read in 96.
    assert_eq!(s.early_load_cycles, 83);
    assert_eq!((s.locked_line_cycles, s.max_locked_lines), (85, 1));
    // The tuple is in its queue from 9 until it is found to be expanded, in 11; the address from 11 to 93.
    assert_eq!((s.tuple_queue_cycles, s.warp_queue_cycles), (3, 83));
    assert_eq!((s.expansion_cycles, s.expansion_stalls), (2, 0));
    // Cycles 11 to 92 wait for the line, 97 to 105 and others for the register.
    assert_eq!((s.slots_early_load, s.slots_issued), (82, 6));
    assert_eq!((s.affine_batches, s.affine_instructions, s.warp_instructions), (1, 3, 6));
}

#[test]
fn two_lines_of_a_set_that_may_hold_one() {
    // The first as before. The second is enqueued in 10 and started in 11, but `tiny` has two ways: its line
    // waits until the first has been read, in 96. It is asked for in the same cycle; its row is open, which saves
    // the activation, and it comes 72 cycles later, in 168. ld 169 (171), unit 172, register 182; add 182
    // (185); the last thing is its start. Without a port of its own the unit asks in 97
    for (lookup, later) in [("own-port", 0), ("idle", 1)] {
        let report = run(
            4,
            "ld.global.b32 r1, [deq.data 0]\n ld.global.b32 r2, [deq.data 1]\n add.i32 r2, r1, r2",
            "mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]\n enq.data.global.b32 1, [r0+256]",
            &[("decoupled.lookup", lookup)],
        );
        let s = &report.statistics;
        assert_eq!(report.cycles, 186 + later);
        assert_eq!((s.early_lines, s.early_lines_skipped, s.max_locked_lines), (2, 0, 1));
        assert_eq!(s.early_load_cycles, 83 + (169 - 96));
        // From 12 to 95.
        assert_eq!(s.expansion_stalls, 84);
    }
}

#[test]
fn a_line_that_does_not_wait() {
    // As before, but in 12 the unit gives the second address without its line. The load issues in 94, behind the
    // first, and misses in 97: the line is asked for a cycle later than in 96, and comes in 169. Replay 170,
    // register 180; add 180 (183).
    let main =
        "ld.global.b32 r1, [deq.data 0]\n ld.global.b32 r2, [deq.data 1]\n add.i32 r2, r1, r2";
    let affine =
        "mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]\n enq.data.global.b32 1, [r0+256]";
    let report = run(4, main, affine, &[("decoupled.full", "skip")]);
    let s = &report.statistics;
    assert_eq!((s.early_lines, s.early_lines_skipped, s.expansion_stalls), (1, 1, 0));
    assert_eq!((s.l1_hits, s.l1_misses), (1, 1));
    assert_eq!(report.cycles, 184);
}

#[test]
fn a_limit_of_held_lines() {
    // Two lines of two sets. The second is asked for two cycles after the first and comes ten after it, as bursts of
    // a bank group are ten apart: ld 103 (105), unit 106, register 116; add 116 (119). If one line may be held, the second waits until the
    // first has been read, as if they were of one set.
    let main =
        "ld.global.b32 r1, [deq.data 0]\n ld.global.b32 r2, [deq.data 1]\n add.i32 r2, r1, r2";
    let affine =
        "mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]\n enq.data.global.b32 1, [r0+128]";
    let of = |sets: &[(&str, &str)]| {
        let report = run(4, main, affine, sets);
        let s = &report.statistics;
        (report.cycles, s.max_locked_lines, s.expansion_stalls)
    };
    assert_eq!(of(&[]), (120, 2, 0));
    assert_eq!(of(&[("decoupled.held-lines", "1")]), (186, 1, 84));
}

#[test]
fn blocks_and_affine_warps() {
    // Two blocks of a warp each. One affine warp for both, fetched in 2: mov 3 (5, 10) computes eight parts with
    // four lanes; enq 10; starts 11 and 13, addresses 12 and 14; ld 15 (17), unit 18. For a block at a time: mov 3 (5, 9),
    // enq 9, exit 10; it begins for the second block in 11, is fetched in 12, mov 13 (15, 19), enq 19, start
    // 20, address 21, ld 22, unit 25. With two affine warps the second one is fetched in 3: mov 4 (6, 10), enq 10,
    // when the first block's start is computed; start 12, address 13, ld 14, unit 17.
    let text = ".kernel k\n.registers 8\n.predicates 2\n.shared 64\n.affine A\n \
                ld.shared.b32 r1, [deq.addr 0]\n exit\nA: mov.b32 r0, 0x1000000\n \
                enq.addr.shared.b32 0, [r0]\n exit";
    let of = |warps: &str, batch: &str| {
        let mut run = Run::new(text, "tiny").grid(2);
        let sets = [
            ("affine", "decoupled"),
            ("sm.warps", "64"),
            ("decoupled.warps", warps),
            ("decoupled.batch", batch),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let report = run.timing();
        (report.cycles, report.statistics.affine_batches, report.statistics.affine_instructions)
    };
    assert_eq!(of("1", "resident"), (19, 1, 3));
    assert_eq!(of("1", "block"), (26, 2, 6));
    assert_eq!(of("2", "block"), (18, 2, 6));
}

#[test]
fn lines_of_one_load_that_no_set_can_hold() {
    // Four threads, four lines of one set: one is held, the others are left to the load. mov 2 (4, 8), shl 8
    // (10, 14), add 14 (16, 20), enq 20; start 21, lines 22 to 25; the first comes in 104
    let report = run(
        4,
        "ld.global.b32 r1, [deq.data 0]\n add.i32 r2, r1, r1",
        "mov.b32 r0, tid.x\n shl.b32 r0, r0, 8\n add.i32 r0, r0, 0x10000000\n enq.data.global.b32 0, [r0]",
        &[("decoupled.load-lines", "4")],
    );
    let s = &report.statistics;
    assert_eq!((s.early_lines, s.early_lines_skipped, s.early_load_cycles), (1, 3, 105 - 22));
    assert_eq!((s.l1_hits, s.l1_misses, s.expansion_cycles), (1, 3, 5));
}

#[test]
fn a_load_of_as_many_lines_as_threads() {
    // As before, but four lines are more than three: the unit gives them in 22 to 25 and asks for none. The load issues
    // in 26, and the unit asks for the lines in 29 to 32.
    let affine = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 8\n add.i32 r0, r0, 0x10000000\n enq.data.global.b32 0, [r0]";
    let report = run(4, "ld.global.b32 r1, [deq.data 0]\n add.i32 r2, r1, r1", affine, &[]);
    let s = &report.statistics;
    assert_eq!((s.early_lines, s.early_lines_skipped, s.early_loads, s.memory_loads), (0, 4, 0, 1));
    assert_eq!((s.l1_hits, s.l1_misses, s.expansion_cycles), (0, 4, 5));
    assert_eq!((s.max_locked_lines, s.expansion_stalls), (0, 0));
    // Three threads may request three lines.
    let report = run(3, "ld.global.b32 r1, [deq.data 0]\n add.i32 r2, r1, r1", affine, &[]);
    let s = &report.statistics;
    assert_eq!((s.early_lines, s.early_lines_skipped, s.early_loads), (1, 2, 1));
}

#[test]
fn a_barrier_holds_early_loads_back() {
    let affine = "bar.sync 1\n mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]";
    let load = "bar.sync 1\n ld.global.b32 r1, [deq.data 0]\n add.i32 r2, r1, r1";
    // The warp passes the barrier in 1, before the affine warp comes there in 2: mov 3 (5, 9), enq 9, line
    // 11: a cycle later than without.
    let report = run(4, load, affine, &[]);
    assert_eq!((report.cycles, report.statistics.expansion_stalls), (111, 0));
    // The warp comes to the barrier in 34. The start is computed in 11, the line asked for in 35: it comes
    // in 117; ld 118 (120), unit 121, register 131; add 131 (134).
    let late = "mov.b32 r0, 7\n mul.i32 r0, r0, r0\n mul.i32 r0, r0, r0\n setp.eq.i32 p0, r0, 3\n\
                @p0 bra L !reconverge L\nL: ";
    let report = run(4, &format!("{late}{load}"), affine, &[]);
    let s = &report.statistics;
    assert_eq!(report.cycles, 135);
    assert_eq!((s.early_load_cycles, s.expansion_stalls), (118 - 35, 24));
}

#[test]
fn a_full_tuple_queue() {
    // With room for one: enq 8; start 9, address 10, found to be done in 11; enq 12; enq 16; loads 11, 15
    // and 19, a cycle after their addresses; the last one's operands: 21, unit 22, register 27.
    let report = run(
        4,
        "ld.shared.b32 r1, [deq.addr 0]\n ld.shared.b32 r2, [deq.addr 1]\n ld.shared.b32 r3, [deq.addr 2]",
        "mov.b32 r0, 0x1000000\n enq.addr.shared.b32 0, [r0]\n enq.addr.shared.b32 1, [r0+4]\n\
         enq.addr.shared.b32 2, [r0+8]",
        &[("decoupled.tuple-queue", "1")],
    );
    let s = &report.statistics;
    assert_eq!(report.cycles, 23);
    assert_eq!((s.tuple_queue_cycles, s.warp_queue_cycles, s.expansion_cycles), (9, 3, 6));
}

#[test]
fn predicates_by_class() {
    // Two warps of four lanes. Fetch 2: mov 3 (5, 9), setp 9 (11); enq when it is there, the first warp's
    // predicate a cycle later, and its branch after another one; the warps take turns: exits 19 and 20.
    // A comparison for the block, two for each warp: one pass of four lanes, the result is there in 15. Two for
    // the first warp, four for the other one: two passes, 16.
    // The expansion unit starts in 11 too, and compares for the block in one cycle, for a warp in each of two: 15 and 16. If
    // the lanes compare for the other warp they take one pass, 15, and the unit one cycle.
    let cycles = |affine: &str, classes: [u64; 3]| {
        let affine = format!("{affine}\n enq.pred 0, p0");
        ["lanes", "expansion-unit"].map(|by| {
            let sets = [("decoupled.comparisons", by)];
            let report = run(8, "@deq.pred 0 bra L !reconverge L\nL:", &affine, &sets);
            let s = &report.statistics;
            let found = [s.predicates_scalar, s.predicates_endpoints, s.predicates_per_lane];
            assert_eq!(found, classes);
            report.cycles
        })
    };
    assert_eq!(cycles("mov.b32 r0, 3\n setp.lt.s32 p0, r0, 4", [2, 0, 0]), [21, 21]);
    assert_eq!(cycles("mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 8", [0, 2, 0]), [21, 22]);
    assert_eq!(cycles("mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 6", [0, 1, 1]), [22, 21]);
}

#[test]
fn comparisons_one_after_the_other() {
    // Both are of a warp each of four, so that the unit is busy for four cycles with the first one: setp 9 (11 to 14), there
    // in 18; setp 10 (15 to 18), 22. On the lanes both take two passes: 11 and 13, the second there in 18.
    let affine =
        "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 16\n setp.lt.s32 p1, r0, 17\n enq.pred 0, p1";
    let cycles = |by: &str| {
        let sets = [("decoupled.comparisons", by)];
        let report = run(16, "@deq.pred 0 bra L !reconverge L\nL:", affine, &sets);
        assert_eq!(report.statistics.predicates_endpoints, 8);
        report.cycles
    };
    assert_eq!(cycles("expansion-unit") - cycles("lanes"), 22 - 18);
}

#[test]
fn one_run_for_the_blocks_of_a_batch() {
    // `tiny` holds four blocks; six are two batches, or three of at most two. The affine warp executes
    // three instructions for each.
    let kernel = |sets: &[(&str, &str)]| {
        let text = ".kernel k\n.registers 2\n.affine A\n ld.shared.b32 r1, [deq.addr 0]\n exit\n\
                    A: mov.b32 r0, 0x1000000\n enq.addr.shared.b32 0, [r0]\n exit";
        let mut run = Run::new(&text.replace(".affine", ".shared 64\n.affine"), "tiny").grid(6);
        let all = [("affine", "decoupled"), ("sm.warps", "64")];
        let sets = all.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string()));
        run.machine = load_machine("tiny", &sets.collect::<Vec<_>>()).expect("it is a machine");
        let s = run.timing().statistics;
        assert_eq!(s.affine_instructions, 3 * s.affine_batches);
        (s.affine_batches, s.warp_instructions)
    };
    assert_eq!(kernel(&[]), (2, 12 + 6));
    assert_eq!(kernel(&[("sm.blocks", "2"), ("decoupled.batch", "drained")]), (3, 12 + 9));
}
