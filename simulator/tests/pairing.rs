//! Two instructions of a scheduler in a cycle (`sm.pairing`): cycles on `tiny`, computed by hand as in `tiny.rs`.

use crate::support::Run;
use reconverge_simulator::{Report, load_machine};

/// One block, on `tiny` with settings and with as many outstanding results and collectors as it takes.
fn run(code: &str, threads: u32, sets: &[(&str, &str)]) -> Report {
    let sets: Vec<_> =
        [("scoreboard.entries", "0"), ("sm.warps", "32"), ("banked.collectors", "16")]
            .iter()
            .chain(sets)
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
    let mut run = Run::code(code).block(threads);
    run.machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    run.timing()
}

/// Cycles, and instructions issued beside another.
fn paired(code: &str, threads: u32, pairing: &str) -> (u64, u64) {
    let report = run(code, threads, &[("sm.pairing", pairing)]);
    let s = &report.statistics;
    assert_eq!(s.slots_issued + s.paired_instructions, s.warp_instructions, "each issues once");
    (report.cycles, s.paired_instructions)
}

/// Independent instructions for two pipes.
const TWO_PIPES: &str = "add.i32 r0, r6, r7
    div.f32 r1, r6, r7
    add.i32 r2, r6, r7
    add.i32 r3, r6, r7
    exit";

#[test]
fn the_next_instruction_goes_to_another_pipe() {
    // One at a time: fetch 0: add 1, div 2; fetch 3: add 4, add 5 (8); fetch 6: exit 7; the last thing is the start in 8.
    assert_eq!(paired(TWO_PIPES, 4, "nothing"), (9, 0));
    // In pairs: fetch 0: add and div 1; fetch 2: add 3, and add 4 (7), which needs the same pipe; fetch 5: exit 6.
    assert_eq!(paired(TWO_PIPES, 4, "next-instruction"), (8, 1));
}

#[test]
fn a_dependent_instruction_does_not_pair() {
    let code = "add.i32 r0, r6, r7
        div.f32 r1, r0, r7
        exit";
    let alone = paired(code, 4, "nothing");
    assert_eq!(paired(code, 4, "next-instruction"), alone);
}

#[test]
fn nothing_issues_beside_control_flow_which_pairs_as_the_second() {
    // The branch leads to the next instruction but one.
    let code = "add.i32 r0, r6, r7
        bra over
        exit
        over: exit";
    let (_, count) = paired(code, 4, "next-instruction");
    assert_eq!(count, 1, "the branch beside the sum, and no exit beside the branch");
}

#[test]
fn another_warp_issues_beside_one() {
    // Warp 0 fetches in 0 and warp 1 in 1. Its sum, in 2, goes beside the quotient of warp 0.
    let code = "add.i32 r0, r6, r7
        div.f32 r1, r6, r7
        exit";
    let (_, count) = paired(code, 8, "other-warp");
    assert!(count >= 1);
    assert_eq!(paired(code, 4, "other-warp"), paired(code, 4, "nothing"), "there is no other warp");
}

#[test]
fn another_path_of_the_warp_issues_beside_one() {
    let code = "mov.b32 r0, tid.x
        setp.lt.s32 p0, r0, 2
        @p0 bra left !reconverge end
        add.i32 r3, r6, r7
        add.i32 r4, r6, r7
        add.i32 r5, r6, r7
        bra end
        left: div.f32 r1, r6, r7
        div.f32 r2, r6, r7
        end: exit";
    let count = |pairing| {
        let sets = [("divergence", "multi-path"), ("sm.pairing", pairing)];
        run(code, 4, &sets).statistics.paired_instructions
    };
    assert_eq!(count("nothing"), 0);
    assert!(count("other-path") > 0);
    assert_eq!(paired(code, 4, "other-path").1, 0, "a stack schedules one path of a warp");
}
