//! Cycle counts on `tiny`, computed by hand.
//!
//! A block that is started in cycle 0 may issue in cycle 0; a run of which the last thing happens in
//! cycle n takes n + 1 cycles. `tiny`: one scheduler, 4 lanes, integer latency 4, control 2, memory 1.
//!
//! A path whose buffer is empty fetches two instructions, which can issue from the next cycle on; it is
//! empty the cycle after the second has issued. An instruction that issues in cycle t with n words of
//! register operands in different banks starts in its pipe in t + 1 + max(n, 1), and its result can be
//! used "latency" cycles after that. "add 7 (10, 14)" issues in 7, starts in 10, is there in 14.

use crate::support::Run;
use reconverge_simulator::observe::trace::{TracedInstruction, Window};
use reconverge_simulator::{Machine, load_machine};

fn cycles(code: &str) -> u64 {
    Run::code(code).timing().cycles
}

#[test]
fn nothing_but_exit() {
    // fetch 0, exit 1
    assert_eq!(cycles("exit"), 2);
}

#[test]
fn dependent_adds() {
    // fetch 0: mov 1 (3, 7), add 7 (10, 14); fetch 8: add 14 (17), exit 15; the last thing is the start
    // in 17
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    assert_eq!(cycles(code), 18);
}

#[test]
fn independent_adds() {
    // fetch 0: 1, 2; fetch 3: 4 (6), exit 5
    assert_eq!(cycles("mov.b32 r0, 1\n mov.b32 r1, 1\n mov.b32 r2, 1\n exit"), 7);
}

#[test]
fn paths_with_room_fetch_ahead() {
    // As independent adds, but the path fetches the third mov in 1, when the first has issued, and the
    // exit in 2: mov 1, 2, 3 (5), exit 4. With a latency of 3: fetch 0: 3, 4; fetch 3: mov 6 (8); fetch 4:
    // exit 7; under `empty` fetch 5: mov 8 (10), exit 9.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 1\n mov.b32 r2, 1\n exit";
    for (policy, latency, cycles) in
        [("empty", "1", 7), ("room", "1", 6), ("empty", "3", 11), ("room", "3", 9)]
    {
        let sets = [("fetch.policy", policy), ("fetch.latency", latency)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let mut run = Run::code(code);
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        assert_eq!(run.timing().cycles, cycles, "{policy}, {latency}");
    }
}

#[test]
fn write_after_write_waits() {
    // fetch 0: multiply 1 (4, 10), mov to the same register 10 (12); fetch 11: exit 12
    assert_eq!(cycles("mul.i32 r0, r1, r2\n mov.b32 r0, 1\n exit"), 13);
}

#[test]
fn initiation_interval() {
    // A multiply occupies the simple pipe for 2 cycles. fetch 0: 1 (4), 2 (5, but the pipe is free in 6);
    // fetch 3: 4 (7, but 8), exit 5
    let code = "mul.i32 r0, r3, r4\n mul.i32 r1, r5, r6\n mul.i32 r2, r7, r3\n exit";
    assert_eq!(cycles(code), 9);
}

#[test]
fn passes_that_are_left_out() {
    // As dependent adds, but one lane of the pipe executes the four of the warp one after the other, and
    // one thread is active: mov 1 (3, 10), add 10 (13, 20), add 20 (23). An idle half: mov 1 (3, 8),
    // add 8 (11, 16), add 16 (19). Idle lanes: as with four.
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    let cases = [
        ("none", 24, [12, 0, 0, 0]),
        ("ivb-half", 20, [6, 6, 0, 0]),
        ("bcc", 18, [3, 6, 3, 0]),
        ("scc", 18, [3, 6, 3, 0]),
    ];
    for (scheme, cycles, passes) in cases {
        let sets = [("pipes.simple.lanes", "1"), ("cycle-compression", scheme)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let mut run = Run::code(code);
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        (run.grid, run.block) = ([1, 1, 1], [1, 1, 1]);
        let report = run.timing();
        let s = &report.statistics;
        let found = [
            s.execution_cycles,
            s.execution_cycles_saved_half,
            s.execution_cycles_saved_groups,
            s.execution_cycles_saved_swizzle,
        ];
        assert_eq!((report.cycles, found), (cycles, passes), "{scheme}");
    }
}

#[test]
fn a_false_guard_costs_an_issue_slot() {
    // p0 is false: fetch 0: mov 1 (no result), the add need not wait: 2 (5); fetch 3: exit 4
    assert_eq!(cycles("@p0 mov.b32 r0, 1\n add.i32 r1, r0, r0\n exit"), 6);
}

const LOAD: &str = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n add.i32 r2, r1, r1\n";

#[test]
fn load_that_misses() {
    // fetch 0: mov 1 (3, 7), ld 7 (9); load/store unit 10: miss, request of 8 bytes takes cycle 10 and 5
    // more: at the slice in 15; miss; memory activates 16, reads 26, has data 36 to 44 (32 bytes at 4 per
    // cycle), 29 later: 73; 10 of the slice: 83; reply of 8 + 32 bytes takes 5 cycles, 83 to 87, and 5
    // more: 92; replay 93, register 103; fetch 8: add 103 (106), exit 104
    let mut run = Run::code(&format!("{LOAD} exit"));
    let report = run.timing();
    assert_eq!(report.cycles, 107);
    let s = &report.statistics;
    assert_eq!((s.l1_hits, s.l1_misses, s.l2_hits, s.l2_misses), (0, 1, 0, 1));
    assert_eq!((s.dram_read_bytes, s.request_bytes, s.reply_bytes), (32, 8, 40));
    // Cycles 9 to 102 wait for memory; 2 to 6 for the first result; 0 and 8 fetch.
    assert_eq!((s.slots_memory, s.slots_arithmetic, s.slots_issued), (94, 5, 4));
    assert_eq!((s.slots_fetch, s.fetches), (2, 2));
}

#[test]
fn load_that_hits() {
    // As above until the add in 103; ld 104 (106), load/store unit 107: hit, register 117; fetch 105: add
    // 117 (120), exit 118
    let again = "ld.global.b32 r3, [r0]\n add.i32 r3, r3, r3\n";
    let report = Run::code(&format!("{LOAD}{again} exit")).timing();
    assert_eq!(report.cycles, 121);
    assert_eq!((report.statistics.l1_hits, report.statistics.l1_misses), (1, 1));
}

#[test]
fn second_sector_of_a_line() {
    // The second load wants another sector of the same line: 104 (106), unit 107, slice 112 (miss again); the
    // row is open: read 113, data 123 to 131, 160, 170, reply 170 to 174 and 5 more: 179, replay 180,
    // register 190; add 190 (193)
    let again = "ld.global.b32 r3, [r0+32]\n add.i32 r3, r3, r3\n";
    assert_eq!(cycles(&format!("{LOAD}{again} exit")), 194);
}

#[test]
fn a_load_waits_for_an_entry_of_the_pending_request_table() {
    // As `load_that_misses`; fetch 8: ld 9 (11), and fetch 10: add. The load's first look-up would be in 12. With one
    // entry it waits until the replay of the first load in 93, from 12 to 92. As above, 83 cycles from the look-up in 94 to the register in
    // 177, and add 177 (180)
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n ld.global.b32 r3, [r0+32]\n \
                add.i32 r3, r3, r1\n exit";
    let with = |entries: &str| {
        let report = Run::code(code).set("load-store.pending-requests", entries).timing();
        (report.cycles, report.statistics.pending_request_stalls)
    };
    assert_eq!(with("1"), (181, 81));
    let (cycles, stalls) = with("2");
    assert_eq!((cycles, stalls), (with("0").0, 0));
    assert!(cycles < 181, "{cycles}");
}

#[test]
fn a_merge_on_a_line_that_is_there_in_part() {
    // As above, and a third load wants the sector that is under way: fetch 105: ld 106 (108), unit 109: merges with the
    // MSHR of the second, replay 181, register 191; fetch 107: add 191 (194)
    let again = "ld.global.b32 r3, [r0+32]\n ld.global.b32 r4, [r0+36]\n add.i32 r3, r3, r4\n";
    let report = Run::code(&format!("{LOAD}{again} exit")).timing();
    assert_eq!(report.cycles, 195);
    let s = report.statistics;
    assert_eq!((s.l1_hits, s.l1_misses, s.l1_merges, s.l1_fills, s.l1_lines), (0, 3, 1, 2, 1));
    assert_eq!((s.l1_sectors_demand, s.l1_sectors_not_predicted, s.requests), (1, 1, 2));
}

#[test]
fn second_sector_of_a_coarse_line() {
    // The first load asks for the whole line. As `load_that_misses` until the reads in 26, 36, 46 and 56 (ccd-l 10); the
    // last data 66 to 74, 103; 113; the reply of 8 + 128 bytes takes 17: 113 to 129, 134; replay 135, register 145;
    // fetch 8: add 145, ld 146 (148); unit 149: hit, register 159; add 159 (162)
    let again = "ld.global.b32 r3, [r0+32]\n add.i32 r3, r3, r3\n";
    let mut run = Run::code(&format!("{LOAD}{again} exit")).set("granularity", "coarse");
    let report = run.timing();
    assert_eq!(report.cycles, 163);
    let s = report.statistics;
    let fetched = [
        s.l1_sectors_demand,
        s.l1_sectors_not_predicted,
        s.l1_sectors_predicted_used,
        s.l1_sectors_predicted_unused,
    ];
    assert_eq!((fetched, s.l1_sectors_used, s.l1_lines), ([1, 0, 1, 2], 2, 1));
    // To the second level all that the first asks for is wanted.
    assert_eq!((s.l2_sectors_demand, s.l2_sectors_used, s.dram_read_bytes), (4, 4, 128));
    // With sectors of 64 bytes the line comes in halves.
    let mut run = Run::code(&format!("{LOAD}{again} exit")).set("l1.sector", "64");
    let s = run.timing().statistics;
    assert_eq!((s.l1_hits, s.l1_misses, s.dram_read_bytes), (1, 1, 64));
}

#[test]
fn a_merge_on_a_partial_line() {
    // Loads of sectors 0 and 1, one cycle after the other, then of sector 0 again. Fine: the second sector is another
    // miss, with an MSHR of its own. Coarse: all of the line is on its way, and it merges; the third finds both places
    // for waiters taken, waits until the line is there, and hits.
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n ld.global.b32 r2, [r0+32]\n\
                ld.global.b32 r3, [r0+4]\n add.i32 r1, r1, r2\n add.i32 r1, r1, r3\n exit";
    let of = |granularity| {
        let s = Run::code(code).set("granularity", granularity).timing().statistics;
        ([s.l1_misses, s.l1_merges, s.l1_fills, s.requests, s.l1_sectors_not_predicted], s)
    };
    let (fine, s) = of("fine");
    assert_eq!(fine, [3, 1, 2, 2, 1]);
    // The line takes a way once; its second sector is filled into it.
    assert_eq!((s.l1_lines, s.l1_sectors_used, s.dram_read_bytes), (1, 2, 64));
    let (coarse, s) = of("coarse");
    assert_eq!((coarse, s.l1_hits), ([2, 1, 1, 1, 0], 1));
    assert_eq!((s.l1_sectors_predicted_used, s.l1_sectors_predicted_unused), (1, 2));
}

#[test]
fn memory_bandwidth() {
    // Four lanes, a sector each of one line: mov 1 (3, 7), shl 7 (9, 13), add 13 (15, 19), ld 19 (21); unit
    // 22, slice 27; memory activates 28, reads 38, 48, 58, 68 (one bank: ccd-l 10), last data 78 to
    // 86, 115; 125; reply of 8 + 128 bytes takes 17: 125 to 141, 146; replay 147, register 157; add
    // 157 (160)
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 5\n add.i32 r0, r0, 0x10000000\n\
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    assert_eq!(cycles(code), 161);
}

/// Two warps under `priority-allocation`: warp 0 loads lines 0 and 2, which fill set 0, warp 1 then line 4 of that set,
/// twice. The second barrier is there so that warp 0 keeps its token. The cycles from issue to register of warp 1's
/// loads, and the statistics.
fn loads_of_a_second_warp(sets: &[(&str, &str)]) -> ([u64; 2], reconverge_simulator::Statistics) {
    let code = "mov.b32 r0, tid.x\n mov.b32 r2, 0x10000000\n setp.lt.u32 p0, r0, 4\n\
                @p0 ld.global.b32 r1, [r2]\n @p0 ld.global.b32 r1, [r2+256]\n add.i32 r1, r1, r1\n\
                bar.sync\n @!p0 ld.global.b32 r1, [r2+512]\n @!p0 ld.global.b32 r1, [r2+512]\n\
                add.i32 r1, r1, r1\n bar.sync\n exit";
    let mut run = Run::code(code).block(8);
    let all = [&[("allocation", "priority-allocation")], sets].concat();
    let all: Vec<_> = all.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    run.machine = load_machine("tiny", &all).expect("it is a machine");
    run.limits.trace = Some(Window { first: 0, end: u64::MAX, sm: None, limit: 100, follow: None });
    let report = run.timing();
    let loads = report.traces[0].instructions.iter().filter(|one| one.warp == 1 && one.acted != 0);
    let took = |pc| loads.clone().find(|one| one.pc == pc).map_or(0, |one| one.end - one.issue);
    ([took(7), took(8)], report.statistics)
}

#[test]
fn a_bypass_with_an_mshr() {
    // Line 4 misses both levels, the row is open: 86 from issue to register, as above. Then it is there: issue 0
    // (2), unit 3: hit, register 13.
    let (took, s) = loads_of_a_second_warp(&[("allocation", "all")]);
    assert_eq!((took, s.l1_hits, s.l1_fills, s.l1_bypasses), ([86, 13], 1, 3, 0));
    // Warp 0 has the token, and its lines are protected: line 4 bypasses the cache. No replay (1) and no hit
    // (10) follow the reply, but a cycle: 76. So it misses again, and hits in the second level: 38 less those 10.
    let (took, s) = loads_of_a_second_warp(&[("priority-allocation.tokens", "1")]);
    assert_eq!((took, s.l1_hits, s.l1_fills, s.l1_bypasses), ([76, 28], 0, 2, 2));
    assert_eq!((s.l1_misses, s.l1_merges, s.l1_lines, s.l2_hits), (4, 0, 2, 1));
    // With a token for both warps, or none, it is as without tokens.
    for tokens in ["0", "2"] {
        let (took, s) = loads_of_a_second_warp(&[("priority-allocation.tokens", tokens)]);
        assert_eq!((took, s.l1_fills, s.l1_bypasses), ([86, 13], 3, 0), "{tokens}");
    }
}

#[test]
fn a_merge_with_a_bypassing_miss() {
    // Warp 1's two loads of line 4 go to two registers, so that the second one does not wait for the first: it issues a
    // cycle later, finds the MSHR, and both have their words when the line comes.
    let code = "mov.b32 r0, tid.x\n mov.b32 r2, 0x10000000\n setp.lt.u32 p0, r0, 4\n\
                @p0 ld.global.b32 r1, [r2]\n @p0 ld.global.b32 r1, [r2+256]\n add.i32 r1, r1, r1\n\
                bar.sync\n @!p0 ld.global.b32 r3, [r2+512]\n @!p0 ld.global.b32 r4, [r2+512]\n\
                add.i32 r1, r3, r4\n exit";
    let sets = [("allocation", "priority-allocation"), ("priority-allocation.tokens", "1")];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let mut run = Run::code(code).block(8);
    run.machine = load_machine("tiny", &sets).expect("it is a machine");
    let s = run.timing().statistics;
    assert_eq!((s.l1_misses, s.l1_merges, s.l1_fills, s.l1_bypasses), (4, 1, 2, 1));
    assert_eq!((s.l1_replays, s.requests), (2, 3));
}

#[test]
fn second_level_hit() {
    // Loads of lines 0, 2 and 4 into one register, so that each waits for the one before: they share
    // a set of two ways, and line 0 leaves the first level. A miss takes 96 from issue to register, as
    // above, and 86 when the row is open. mov 1, ld 7, ld 103, ld 189, ld (line 0) 275 (277): unit 278,
    // slice 283: hit, 293; reply 293 to 297, 302; replay 303, register 313; add 313 (316)
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n\
                ld.global.b32 r1, [r0+256]\n ld.global.b32 r1, [r0+512]\n\
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 317);
    assert_eq!((report.statistics.l2_hits, report.statistics.l2_misses), (1, 3));
}

#[test]
fn divergent_branch() {
    // fetch 0: mov 1 (3, 7), setp 7 (9, 13); fetch 8: bra 13; taken side first (control 2): fetch 15, mov
    // 16 (18, 22); reconvergence, then the other side: fetch 18, its mov writes the same register, so it
    // waits until 22; it was the last of its line: fetch 23, bra 24; fetch 26, exit 27
    let code = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 2\n @p0 bra T !reconverge J\n\
                mov.b32 r1, 1\n bra J\n T: mov.b32 r1, 2\n J: exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 28);
    // 4 instructions of 4 lanes, 3 of 2
    assert_eq!(report.statistics.thread_instructions, 22);
    assert_eq!(report.statistics.lane_slots, 28);
    assert_eq!(report.statistics.divergent_branches, 1);
}

#[test]
fn a_load_that_ends_does_not_shorten_a_branch() {
    // mov 1, ld 7 (register 93, known in 92); 9 dependent multiplies 9, 18, ..., 81 (each starts 3 cycles
    // after its issue, 6 more until it is done); movs 82, 84, 85, 87, 88, 90; bra 91 (control 2); fetch
    // 93, exit 94
    let code = format!(
        "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n {} {} bra E\n E: exit",
        "mul.i32 r2, r2, r2\n".repeat(9),
        [3, 4, 5, 6, 7, 0].map(|register| format!("mov.b32 r{register}, 1\n")).concat(),
    );
    let mut run = Run::code(&code);
    run.machine = tiny_with("scoreboard.entries", "0");
    assert_eq!(run.timing().cycles, 95);
}

fn tiny_with(key: &str, value: &str) -> Machine {
    load_machine("tiny", &[(key.to_string(), value.to_string())]).expect("it is shipped")
}

#[test]
fn scoreboard_entries() {
    // Three entries. fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: mov 4 (6, 10), no entry for the fourth;
    // fetch 5, 6: discarded, until the first mov is done; fetch 7: mov 8 (10, 14), no entry for the fifth:
    // that of the second mov is free in 8; fetch 9: mov 10 (12), exit 11
    let code =
        "mov.b32 r0, 1\n mov.b32 r1, 1\n mov.b32 r2, 1\n mov.b32 r3, 1\n mov.b32 r4, 1\n exit";
    let report = Run::code(code).timing();
    assert_eq!((report.cycles, report.statistics.refetches), (13, 2));
    // No limit. fetch 0: mov 1, 2; fetch 3: mov 4, 5; fetch 6: mov 7, exit 8
    let mut run = Run::code(code);
    run.machine = tiny_with("scoreboard.entries", "0");
    let report = run.timing();
    assert_eq!((report.cycles, report.statistics.refetches), (10, 0));
}

#[test]
fn instruction_cache() {
    // Lines of 4 instructions. The first line is asked for in 0, above all data: as a load's miss, with
    // two sectors: request 0 and 5 more: slice 5; memory activates 6, reads 16 and 26, last data 36 to
    // 44, 73; 83; reply of 8 + 64 bytes takes 9 cycles, 83 to 91, and 5 more: 96; fetch 96: exit 97
    let mut run = Run::code("exit");
    run.machine = tiny_with("instruction-cache.size", "512");
    let report = run.timing();
    assert_eq!((report.cycles, report.statistics.instruction_misses), (98, 1));
}

#[test]
fn lines_of_instructions() {
    // Packets and misses of code of five instructions: in lines of 64 bytes two lines of instructions of 16, one of
    // those of 8; in lines of 256, of which the second level's have half, one that is asked for in two parts.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 1\n mov.b32 r2, 1\n mov.b32 r3, 1\n exit";
    let cases = [("64", "16", (2, 2)), ("64", "8", (1, 1)), ("256", "16", (2, 1))];
    for (line, bytes, expected) in cases {
        let mut run = Run::code(code);
        let sets = [
            ("instruction-cache.size", "1024"),
            ("instruction-cache.line", line),
            ("instruction-cache.instruction-bytes", bytes),
            ("scoreboard.entries", "0"),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let statistics = run.timing().statistics;
        assert_eq!(
            (statistics.requests, statistics.instruction_misses),
            expected,
            "{line} {bytes}"
        );
    }
}

/// Four lanes store to lines of their own.
const FOUR_LINES: &str = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 7\n add.i32 r0, r0, 0x10000000\n\
    st.global.b32 [r0], r0\n exit";

#[test]
fn lines_of_a_cycle() {
    // The store's lines leave the unit from the same cycle on, so many a cycle.
    for (width, cycles) in [("1", 4), ("2", 2), ("3", 2), ("4", 1), ("16", 1)] {
        let mut run = Run::code(FOUR_LINES);
        run.machine = tiny_with("load-store.lines-per-cycle", width);
        run.limits.trace =
            Some(Window { first: 0, end: u64::MAX, sm: None, limit: 100, follow: None });
        let report = run.timing();
        let store = report.traces[0].instructions[3];
        assert_eq!(store.end - store.memory.expect("it is a store"), cycles, "{width}");
        assert_eq!(report.statistics.transactions, 4, "{width}");
    }
}

#[test]
fn parts_of_warps() {
    // Two warps whose lanes 0 and 1 access one line, and 2 and 3 another; all lanes read one word of shared
    // memory. With `rotate-odd-1` the second warp's halves are lanes 3 and 0, and 1 and 2.
    let code = "mov.b32 r0, tid.x\n and.b32 r1, r0, 2\n shl.b32 r1, r1, 6\n\
        add.i32 r1, r1, 0x10000000\n ld.global.b32 r2, [r1]\n ld.shared.b32 r3, [0x01000000]\n exit";
    let cases = [
        ("1", "identity", (4, 2)),
        ("2", "identity", (4, 4)),
        ("2", "rotate-odd-1", (6, 4)),
        ("4", "identity", (8, 8)),
        ("64", "identity", (8, 8)),
    ];
    for (parts, lanes, expected) in cases {
        let sets = [("load-store.warp-parts", parts), ("lane-permutation", lanes)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let mut run = Run::code(code).block(8);
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let statistics = run.timing().statistics;
        let found = (statistics.transactions, statistics.shared_passes);
        assert_eq!(found, expected, "{parts} {lanes}");
    }
}

#[test]
fn barrier_of_two_warps() {
    // Fetches 0 and 1. Warp 0 arrives in 1, warp 1 in 2; both go on at 2 + 2 = 4, with the exit in their
    // buffers: one issues 4, the other 5
    let mut run = Run::code("bar.sync\n exit").block(8);
    assert_eq!(run.timing().cycles, 6);
}

#[test]
fn shared_memory_without_conflict() {
    // mov 1 (3, 7), shl 7 (9, 13), or 13 (15, 19), ld 19 (21), pass 22, register 27; add 27 (30), exit 28
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 2\n or.b32 r0, r0, 0x1000000\n\
                ld.shared.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    assert_eq!(cycles(code), 31);
}

#[test]
fn shared_memory_with_conflicts() {
    // Four words in one of four banks: passes 22 to 25, register 30; add 30 (33), exit 31
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 4\n or.b32 r0, r0, 0x1000000\n\
                ld.shared.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 34);
    assert_eq!((report.statistics.shared_passes, report.statistics.shared_bank_conflicts), (4, 3));
}

#[test]
fn atomics_on_one_address() {
    // mov 1, atom 7 (9), unit 10; request of 8 + 4 * 8 bytes takes 5 cycles, 10 to 14, and 5 more: 19;
    // miss: memory 19 + 1 + 10 + 10 + 8 + 29 = 77; four operations of 4 cycles: 93; slice 103; reply of 40
    // bytes 103 to 107, 112; register 113; add 113 (116)
    let code = "mov.b32 r0, 0x10000000\n atom.add.i32.global r1, [r0], 1\n\
                add.i32 r1, r1, r1\n exit";
    let mut run = Run::code(code);
    let report = run.timing();
    assert_eq!(report.cycles, 117);
    assert_eq!(run.words()[0], 4);
    assert_eq!(report.statistics.atomic_operations, 4);
}

#[test]
fn atomics_without_a_second_level() {
    // As above until 77, when the data is there; operations and reply as above. The sector is written to memory, where
    // the write is the last thing that happens.
    let code = "mov.b32 r0, 0x10000000\n atom.add.i32.global r1, [r0], 1\n\
                add.i32 r1, r1, r1\n exit";
    let report = Run::code(code).set("l2.size", "0").timing();
    let s = &report.statistics;
    assert_eq!((s.dram_read_bytes, s.dram_write_bytes, s.l2_bypasses), (32, 32, 1));
    assert_eq!(s.slots_memory, Run::code(code).timing().statistics.slots_memory);
}

#[test]
fn stores_do_not_wait() {
    // mov 1, st 7 (10); the store: unit 11, 8 + 32 bytes take 5 cycles, 11 to 15, at the slice in 20: the
    // last thing that happens
    let mut run = Run::code("mov.b32 r0, 0x10000000\n st.global.b32 [r0], r0\n exit");
    assert_eq!(run.timing().cycles, 21);
}

#[test]
fn blocks_take_turns_for_places() {
    // `tiny` holds 4 blocks; a block a cycle starts. exits: blocks 0 to 3 in 1 to 4; blocks are given
    // out every 5 cycles, the interconnect's latency: block 4 starts in 5, exits in 6
    let mut run = Run::code("exit").grid(5);
    let report = run.timing();
    assert_eq!(report.cycles, 7);
    assert_eq!(report.statistics.blocks, 5);
}

/// The stages of the traced instructions, as letters with first cycles, and the last one's end.
fn stages(run: &mut Run) -> Vec<String> {
    run.limits.trace = Some(Window { first: 0, end: u64::MAX, sm: None, limit: 100, follow: None });
    let report = run.timing();
    let text = |one: &TracedInstruction| {
        let stages = one.stages().into_iter();
        let text: String =
            stages.map(|(stage, at, _)| format!("{}{at} ", stage.letter())).collect();
        format!("{text}{}", one.last())
    };
    report.traces[0].instructions.iter().map(text).collect()
}

#[test]
fn a_trace_has_these_cycles() {
    // As in "dependent adds"
    let mut run = Run::code("mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit");
    let adds =
        ["F0 I1 O2 X3 W7 8", "F0 I7 O8 X10 W14 15", "F8 I14 O15 X17 W21 22", "F8 I15 X16 17"];
    assert_eq!(stages(&mut run), adds);
    // As in "load that misses": its address is at the load/store unit in 10, the register there in 103
    let load = stages(&mut Run::code(&format!("{LOAD} exit")));
    assert_eq!(load[1], "F0 I7 O8 X9 M10 W103 104");
    // As in "stores do not wait": the store has left the unit in 12
    let mut run = Run::code("mov.b32 r0, 0x10000000\n st.global.b32 [r0], r0\n exit");
    assert_eq!(stages(&mut run)[1], "F0 I7 O8 X10 M11 12");
    // As in "barrier of two warps"; the exits are in the same buffers
    let barriers = ["F0 I1 B2 4", "F1 I2 B3 4", "F0 I4 X5 6", "F1 I5 X6 7"];
    assert_eq!(stages(&mut Run::code("bar.sync\n exit").block(8)), barriers);
}
