//! Bypassing, prioritising and scheduling for the L1, on `tiny`: two sets of two lines of 128 bytes, two MSHRs.
//! Lines 0, 2 and 4 share a set.

use crate::support::Run;
use reconverge_simulator::observe::trace::Window;
use reconverge_simulator::{Report, load_machine};

/// A run of some code by some threads, with settings and a trace.
fn run(sets: &[(&str, &str)], threads: u32, code: &str) -> Report {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut run = Run::code(code).block(threads);
    run.machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    run.limits.trace =
        Some(Window { first: 0, end: u64::MAX, sm: None, limit: 1000, follow: None });
    run.timing()
}

/// The cycle in which a warp's instruction at a program counter issued, where it did something.
fn issue(report: &Report, warp: u64, pc: u32) -> u64 {
    let all = &report.traces[0].instructions;
    let found =
        all.iter().find(|one| (u64::from(one.warp), one.pc) == (warp, pc) && one.acted != 0);
    found.unwrap_or_else(|| panic!("warp {warp} does not issue {pc}")).issue
}

/// Loads of lines 0, 2, 4 and 0 again, each of which waits for the one before.
const AGAIN: &str = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n ld.global.b32 r1, [r0+256]\n\
                     ld.global.b32 r1, [r0+512]\n ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";

#[test]
fn a_protected_line_outlives_an_insertion() {
    // Line 4 evicts line 0, which then hits in the second level: 317 cycles (`second_level_hit` in tiny.rs).
    let plain = run(&[], 4, AGAIN);
    assert_eq!((plain.cycles, plain.statistics.l1_hits, plain.statistics.l1_bypasses), (317, 0, 0));
    // Both lines of the set are protected when line 4 comes: it bypasses, without replay and hit, 10 cycles less. Line 0 is there: a
    // hit, register 13 cycles after issue instead of 38.
    let kept = run(&[("allocation", "protection-distance")], 4, AGAIN);
    assert_eq!((kept.statistics.l1_hits, kept.statistics.l1_bypasses), (1, 1));
    assert_eq!(kept.cycles, 317 - 10 - (38 - 13));
    // For one access only: when line 4 comes, line 0 was protected up to the access of line 2, and line 2 up to that of line 4.
    let sets = [("allocation", "protection-distance"), ("protection-distance.distance", "1")];
    assert_eq!(run(&sets, 4, AGAIN).cycles, 317);
}

/// Lanes of one warp load from lines 0, 2, 4 and 6: four misses of a set of two ways.
const ONE_SET: &str = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 8\n add.i32 r0, r0, 0x10000000\n\
                       ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";

#[test]
fn an_associativity_stall_bypasses() {
    let plain = run(&[("l1.mshrs", "4")], 4, ONE_SET);
    assert!(plain.statistics.l1_stalls > 0);
    assert_eq!((plain.statistics.l1_bypasses, plain.statistics.l1_fills), (0, 4));
    // The first two lines have the ways. The others do not wait for them: they have an MSHR and bypass.
    let mrpb = run(&[("l1.mshrs", "4"), ("allocation", "mrpb")], 4, ONE_SET);
    assert_eq!(mrpb.statistics.l1_stalls, 0);
    assert_eq!((mrpb.statistics.l1_bypasses, mrpb.statistics.l1_fills), (2, 2));
    assert!(mrpb.cycles < plain.cycles);
    let sets = [("l1.mshrs", "4"), ("allocation", "mrpb"), ("mrpb.bypass", "false")];
    assert_eq!(run(&sets, 4, ONE_SET).cycles, plain.cycles);
}

#[test]
fn the_first_warp_is_served_first() {
    // Warp 0 waits for a product before it loads, one line; warp 1 has put four lines of its own into the queue by then, of which the two
    // MSHRs serve two at a time.
    let code = "mov.b32 r0, tid.x\n shl.b32 r2, r0, 8\n add.i32 r2, r2, 0x10000000\n setp.lt.u32 p0, r0, 4\n\
                @p0 mul.i32 r3, r0, 0\n @p0 add.i32 r3, r3, 0x10000000\n @!p0 ld.global.b32 r1, [r2]\n\
                @p0 ld.global.b32 r1, [r3]\n add.i32 r1, r1, r1\n exit";
    let served = |sets: &[(&str, &str)]| {
        let report = run(sets, 8, code);
        assert!(issue(&report, 1, 6) < issue(&report, 0, 7));
        let ends = |warp: u16, pc| {
            let all = &report.traces[0].instructions;
            all.iter()
                .find(|one| one.warp == warp && one.pc == pc && one.acted != 0)
                .map(|one| one.end)
        };
        (ends(0, 7), ends(1, 6))
    };
    let (first, second) = served(&[("allocation", "mrpb"), ("mrpb.bypass", "false")]);
    assert!(first < second, "warp 0 goes before the rest of warp 1");
    let (first, second) = served(&[]);
    assert!(first > second, "in the order of issue");
}

#[test]
fn a_lost_line_keeps_another_warp_from_loading() {
    // Warp 0 loads lines 0, 2, 4 and 0 again, which it has lost then. Warp 1 loads after that. The second barrier is there so
    // that warp 0 keeps its score.
    let code = "mov.b32 r0, tid.x\n mov.b32 r2, 0x10000000\n setp.lt.u32 p0, r0, 4\n\
                @p0 ld.global.b32 r1, [r2]\n @p0 ld.global.b32 r1, [r2+256]\n @p0 ld.global.b32 r1, [r2+512]\n\
                @p0 ld.global.b32 r1, [r2]\n bar.sync\n @!p0 ld.global.b32 r1, [r2+1024]\n\
                @p0 add.i32 r1, r1, r1\n bar.sync\n exit";
    let cycles = |scheduler| {
        let sets = [("scheduler", scheduler), ("ccws.gain", "50"), ("ccws.cap", "cut-off")];
        let report = run(&sets, 8, code);
        (issue(&report, 0, 6), issue(&report, 1, 8))
    };
    let (again, after) = cycles("greedy-then-oldest");
    assert!(after < again + 20, "right after the barrier: {again}, {after}");
    // The miss is found 3 cycles after the load has issued. One line of fewer than 50 instructions, times 50, times 200: the score is as high as it
    // can be, the cut-off of two warps, 200, above the base. Warp 1 is above the cut-off until it has fallen by 101.
    let (again, after) = cycles("ccws");
    assert_eq!(after, again + 3 + 101, "{again}");
}

#[test]
fn one_warp_owns_the_load_store_unit() {
    // Two warps load three lines each, and then use them.
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 7\n add.i32 r0, r0, 0x10000000\n ld.global.b32 r1, [r0]\n\
                ld.global.b32 r2, [r0+128]\n ld.global.b32 r3, [r0+256]\n add.i32 r1, r2, r3\n exit";
    let order = |sets: &[(&str, &str)]| {
        let report = run(sets, 8, code);
        let mut order = [(0, 4), (0, 5), (1, 4), (1, 5)];
        order.sort_by_key(|&(warp, pc)| issue(&report, warp, pc));
        order.map(|(warp, _)| warp)
    };
    assert_eq!(order(&[]), [0, 1, 0, 1], "in turns");
    // Memory is saturated from the first miss on: from then on warp 0 owns it until it waits for what it has loaded.
    let sets = [("scheduler", "mascar"), ("mascar.full", "1")];
    assert_eq!(order(&sets), [0, 0, 1, 1]);
}

#[test]
fn loads_that_wait_let_others_hit() {
    // Warp 0 has line 1 in the cache; then it misses four lines with two MSHRs, while warp 1 loads line 1.
    let code = "mov.b32 r0, tid.x\n mov.b32 r3, 0x10000000\n shl.b32 r2, r0, 8\n add.i32 r2, r2, r3\n\
                setp.lt.u32 p0, r0, 4\n @p0 ld.global.b32 r1, [r3+128]\n @p0 add.i32 r1, r1, r1\n bar.sync\n\
                @p0 ld.global.b32 r4, [r2]\n add.i32 r5, r0, r0\n add.i32 r5, r0, r0\n\
                @!p0 ld.global.b32 r1, [r3+128]\n add.i32 r1, r1, r4\n exit";
    let took = |entries| {
        let sets =
            [("scheduler", "mascar"), ("mascar.full", "100"), ("mascar.reexecution", entries)];
        let report = run(&sets, 8, code);
        let all = &report.traces[0].instructions;
        let load = all.iter().find(|one| one.warp == 1 && one.pc == 11 && one.acted != 0);
        load.map_or(0, |load| load.end - load.issue)
    };
    // Without, it waits behind the misses; with, it hits under them: 13 from issue to register, and up to three cycles for lines before it.
    assert!(took("0") > 50, "{}", took("0"));
    assert!((13..=16).contains(&took("4")), "{}", took("4"));
}

#[test]
fn so_many_warps_run() {
    let code = "mov.b32 r0, tid.x\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    let issues = |sets: &[(&str, &str)]| {
        let report = run(sets, 8, code);
        let of = |warp| [0, 1, 2].map(|pc| issue(&report, warp, pc));
        (of(0), of(1))
    };
    let (first, second) = issues(&[]);
    assert!(second[0] < first[2], "warps take turns");
    let one = [("allocation", "pcal"), ("pcal.learn", "none"), ("pcal.warps", "1")];
    let (first, second) = issues(&one);
    assert!(first[2] < second[0], "one after the other");
}

#[test]
fn reads_of_warps_that_miss_go_by_the_second_level() {
    // The fourth load hits in the second level without it: 317 cycles. By its first access warp 0 is all-miss: the others go by the slice, and the
    // fourth one reads line 0 from memory, where its row is open. Register 86 cycles after issue instead of 38.
    let medic = |sets: &[(&str, &str)]| {
        let run =
            run(&[&[("l2.allocation", "medic"), ("medic.sample", "1")], sets].concat(), 4, AGAIN);
        (run.cycles, run.statistics.l2_hits, run.statistics.l2_bypasses)
    };
    assert_eq!(medic(&[]), (317 + 86 - 38, 0, 3));
    // It is sampled again by the fourth access, which hits.
    assert_eq!(medic(&[("medic.interval", "3")]), (317, 1, 2));
    assert_eq!(medic(&[("medic.bypass", "false")]), (317, 1, 0));
}

#[test]
fn what_goes_by_does_not_wait_for_atomics() {
    // Warp 1 misses, and is all-miss. Then warp 0 adds to one word in four lanes, which takes the slice 16 cycles, and warp 1 loads.
    let code = "mov.b32 r0, tid.x\n mov.b32 r2, 0x10000000\n setp.lt.u32 p0, r0, 4\n @p0 ld.global.b32 r1, [r2]\n\
                @!p0 ld.global.b32 r1, [r2+512]\n add.i32 r1, r1, r1\n bar.sync\n @p0 atom.add.i32.global r3, [r2], r0\n\
                @!p0 ld.global.b32 r3, [r2+1024]\n add.i32 r3, r3, r3\n exit";
    let took = |bypass: &str| {
        let sets = [("l2.allocation", "medic"), ("medic.sample", "1"), ("medic.bypass", bypass)];
        let report = run(&sets, 8, code);
        let all = &report.traces[0].instructions;
        let load = all.iter().find(|one| one.warp == 1 && one.pc == 8 && one.acted != 0);
        load.map_or(0, |load| load.end - load.issue)
    };
    // Its request comes a cycle after that of warp 0, and would be looked at when the slice is free again.
    assert_eq!(took("false") - took("true"), 16 - 1);
}

/// Two warps load in a loop, each thread from a line of its own; the first thread goes round so often as the first number says, the others as
/// the second says. The cache has four lines.
fn in_a_loop(rounds: [u32; 2]) -> String {
    format!(
        "mov.b32 r0, tid.x\n shl.b32 r2, r0, 7\n add.i32 r2, r2, 0x10000000\n setp.eq.i32 p0, r0, 0\n\
         mov.b32 r5, {}\n @p0 mov.b32 r5, {}\n mov.b32 r3, 0\n\
         A: ld.global.b32 r1, [r2] !loop A B !scattered\n add.i32 r6, r1, r1\n add.i32 r3, r3, 1\n\
         setp.lt.u32 p0, r3, r5\n B: @p0 bra A !reconverge C\n C: add.i32 r1, r1, r1\n exit",
        rounds[1], rounds[0]
    )
}

#[test]
fn as_many_warps_are_in_a_loop_as_fit_into_the_cache() {
    // When warp 1 issues its first load, and when warp 0 issues its branches back, all but the first of which wait for a load.
    let of = |capacity: &str, code: &str| {
        let sets = [("scheduler", "divergence-aware"), ("divergence-aware.capacity", capacity)];
        let report = run(&sets, 8, code);
        let all = report.traces[0].instructions.iter();
        let branches = all.filter(|one| (one.warp, one.pc) == (0, 11)).map(|one| one.issue);
        (issue(&report, 1, 7), branches.collect::<Vec<_>>())
    };
    // Four lines for each warp: warp 1 is held back until warp 0 is out of the loop, and issues in the next cycle.
    let (first, branches) = of("100", &in_a_loop([2, 2]));
    assert_eq!((first, branches.len()), (branches[1] + 1, 2));
    // With room for eight lines it is not held back, nor where nothing is known of loops.
    let (first, branches) = of("200", &in_a_loop([2, 2]));
    assert!(first < branches[0], "{first} {branches:?}");
    let (first, branches) = of("100", &in_a_loop([2, 2]).replace("!loop A B !scattered", ""));
    assert!(first < branches[0], "{first} {branches:?}");
    // With room for five: after the first round one thread of warp 0 is left, which takes one line; the four of warp 1 fit beside it.
    let (first, branches) = of("125", &in_a_loop([3, 1]));
    assert_eq!((first, branches.len()), (branches[0] + 1, 3));
}

/// Loads of lines 0, 2, 4 and 0 again, marked as a profile has it.
fn marked(mark: &str) -> String {
    AGAIN.replace("[r0+512]", &format!("[r0+512] {mark}"))
}

#[test]
fn loads_of_poor_locality_bypass_and_moderate_ones_in_some_blocks() {
    let of = |mark: &str, threshold: &str| {
        let sets = [("allocation", "coordinated"), ("coordinated.threshold", threshold)];
        let report = run(&sets, 4, &marked(mark));
        (report.cycles, report.statistics.l1_hits, report.statistics.l1_bypasses)
    };
    // As where line 0 is protected: line 4 bypasses, 10 cycles less, and line 0 is hit.
    let bypassed = (317 - 10 - (38 - 13), 1, 1);
    assert_eq!(of("!poor", "8"), bypassed);
    assert_eq!(of("!moderate", "0"), bypassed, "no block uses the cache");
    assert_eq!(of("!moderate", "1"), (317, 0, 0), "the first block does");
    assert_eq!(of("!good", "0"), (317, 0, 0));
    assert_eq!(of("", "0"), (317, 0, 0));
}

// The D tests: what goes by the divergence of instructions.

#[test]
fn an_instruction_whose_lines_are_not_used_again_bypasses() {
    // One instruction loads lines 0, 2, 4 and 6, each after the one before. Line 4 evicts line 0, which was not hit: line 6 bypasses,
    // without replay and hit, 10 cycles less.
    let code = "mov.b32 r0, 0x10000000\n mov.b32 r3, 0\n A: ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n\
                add.i32 r0, r0, 256\n add.i32 r3, r3, 1\n setp.lt.u32 p0, r3, 4\n @p0 bra A !reconverge C\n C: exit";
    let of = |divergent: &str| {
        let sets = [
            ("allocation", "divergence-reuse"),
            ("divergence-reuse.window", "1"),
            ("divergence-reuse.divergent", divergent),
        ];
        let report = run(&sets, 4, code);
        (report.cycles, report.statistics.l1_fills, report.statistics.l1_bypasses)
    };
    let plain = run(&[], 4, code);
    assert_eq!((plain.statistics.l1_fills, plain.statistics.l1_bypasses), (4, 0));
    assert_eq!(of("1"), (plain.cycles - 10, 3, 1));
    assert_eq!(of("2"), (plain.cycles, 4, 0), "its accesses touch one line");
}

#[test]
fn an_instruction_that_touches_one_line_fetches_all_of_it() {
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n ld.global.b32 r2, [r0+32]\n\
                add.i32 r2, r2, r2\n exit";
    let of = |sets: &[(&str, &str)]| {
        let report = run(sets, 4, code);
        let all = &report.traces[0].instructions;
        let took = |pc| all.iter().find(|one| one.pc == pc).map_or(0, |one| one.end - one.issue);
        (took(1), took(3), report.statistics.dram_read_bytes)
    };
    let (first, second, bytes) = of(&[]);
    assert!(second > 13 && bytes == 64, "{first} {second} {bytes}");
    // The line takes memory three bursts more, each 10 cycles after the one before, and the interconnect 12 cycles for its other three sectors. The second load
    // hits: 13 cycles.
    assert_eq!(of(&[("granularity", "divergence-size")]), (first + 30 + 12, 13, 128));
}
