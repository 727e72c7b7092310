//! Cycle counts on `tiny`, computed by hand.
//!
//! A block that is started in cycle 0 may issue in cycle 0; a run of which the last thing happens in
//! cycle n takes n + 1 cycles. `tiny`: one scheduler, 4 lanes, integer latency 4, control 2, memory
//! 1 (the load/store unit has the addresses one cycle after issue).

mod support;

use support::Run;

fn cycles(code: &str) -> u64 {
    Run::code(code).timing().cycles
}

#[test]
fn nothing_but_exit() {
    // exit 0
    assert_eq!(cycles("exit"), 1);
}

#[test]
fn dependent_adds() {
    // mov 0, add 4, add 8, exit 9
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    assert_eq!(cycles(code), 10);
}

#[test]
fn independent_adds() {
    // 0, 1, 2, exit 3
    assert_eq!(cycles("mov.b32 r0, 1\n mov.b32 r1, 1\n mov.b32 r2, 1\n exit"), 4);
}

#[test]
fn write_after_write_waits() {
    // multiply 0 (6 until done), mov to the same register 6, exit 7
    assert_eq!(cycles("mul.i32 r0, r1, r2\n mov.b32 r0, 1\n exit"), 8);
}

#[test]
fn initiation_interval() {
    // A multiply occupies the simple pipe for 2 cycles: 0, 2, 4; exit needs the same pipe: 6
    assert_eq!(cycles("mul.i32 r0, r6, r6\n mul.i32 r1, r6, r6\n mul.i32 r2, r6, r6\n exit"), 7);
}

#[test]
fn a_false_guard_costs_an_issue_slot() {
    // p0 is false: mov 0 (no result), the add need not wait: 1, exit 2
    assert_eq!(cycles("@p0 mov.b32 r0, 1\n add.i32 r1, r0, r0\n exit"), 3);
}

const LOAD: &str = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n add.i32 r2, r1, r1\n";

#[test]
fn load_that_misses() {
    // mov 0, ld 4; load/store unit 5: miss, request of 8 bytes takes cycle 5 and 5 more: at the
    // slice in 10; miss; memory activates 11, reads 21, has data 31 to 39 (32 bytes at 4 a cycle), 29
    // later: 68; 10 of the slice: 78; reply of 8 + 32 bytes takes 5 cycles, 78 to 82, and 5 more: 87; register
    // 88. add 88, exit 89
    let mut run = Run::code(&format!("{LOAD} exit"));
    let report = run.timing();
    assert_eq!(report.cycles, 90);
    let s = &report.statistics;
    assert_eq!((s.l1_hits, s.l1_misses, s.l2_hits, s.l2_misses), (0, 1, 0, 1));
    assert_eq!((s.dram_read_bytes, s.request_bytes, s.reply_bytes), (32, 8, 40));
    // Cycles 5 to 87 wait for memory; 1 to 3 for the first result.
    assert_eq!((s.slots_memory, s.slots_arithmetic, s.slots_issued), (83, 3, 4));
}

#[test]
fn load_that_hits() {
    // As above until the add in 88; ld 89, load/store unit 90: hit, register 100; add 100, exit 101
    let again = "ld.global.b32 r3, [r0]\n add.i32 r3, r3, r3\n";
    let report = Run::code(&format!("{LOAD}{again} exit")).timing();
    assert_eq!(report.cycles, 102);
    assert_eq!((report.statistics.l1_hits, report.statistics.l1_misses), (1, 1));
}

#[test]
fn second_sector_of_a_line() {
    // The second load wants another sector of the same line: 89, unit 90, slice 95 (miss again); the
    // row is open: read 96, data 106 to 114, 143, 153, reply 153 to 157 and 5 more: 162, register 163;
    // add 163, exit 164
    let again = "ld.global.b32 r3, [r0+32]\n add.i32 r3, r3, r3\n";
    assert_eq!(cycles(&format!("{LOAD}{again} exit")), 165);
}

#[test]
fn memory_bandwidth() {
    // Four lanes, a sector each of one line: mov 0, shl 4, add 8, ld 12; unit 13, slice 18; memory
    // activates 19, reads 29, 39, 49, 59 (one bank: ccd-long 10), last data 69 to 77, 106; 116; reply
    // of 8 + 128 bytes takes 17: 116 to 132, 137; register 138; add 138, exit 139
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 5\n add.i32 r0, r0, 0x10000000\n\
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    assert_eq!(cycles(code), 140);
}

#[test]
fn second_level_hit() {
    // Loads of lines 0, 2 and 4 into one register, so that each waits for the one before: they share
    // a set of two ways, and line 0 leaves the first level. A miss takes 84 from issue to register, as
    // above, and 74 when the row is open. mov 0, ld 4, ld 88, ld 162, ld (line 0) 236: unit 237, slice
    // 242: hit, 252; reply 252 to 256, 261; register 262; add 262, exit 263
    let code = "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n\
                ld.global.b32 r1, [r0+256]\n ld.global.b32 r1, [r0+512]\n\
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 264);
    assert_eq!((report.statistics.l2_hits, report.statistics.l2_misses), (1, 3));
}

#[test]
fn divergent_branch() {
    // mov 0, setp 4, bra 8; taken side first: mov 10 (control 2); reconvergence, then the other
    // side: its mov writes the same register, so it waits until 14; bra 15; exit 17
    let code = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 2\n @p0 bra T !reconverge J\n\
                mov.b32 r1, 1\n bra J\n T: mov.b32 r1, 2\n J: exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 18);
    // 4 instructions of 4 lanes, 3 of 2
    assert_eq!(report.statistics.thread_instructions, 22);
    assert_eq!(report.statistics.lane_slots, 28);
    assert_eq!(report.statistics.divergent_branches, 1);
}

#[test]
fn a_load_that_ends_does_not_shorten_a_branch() {
    // mov 0, ld 4 (register 88, known in 87); 14 dependent multiplies 5, 11, ..., 83; mov 85 (the pipe
    // is busy in 84), bra 86, exit 88
    let code = format!(
        "mov.b32 r0, 0x10000000\n ld.global.b32 r1, [r0]\n {} mov.b32 r3, 1\n bra E\n E: exit",
        "mul.i32 r2, r2, r2\n".repeat(14)
    );
    assert_eq!(cycles(&code), 89);
}

#[test]
fn barrier_of_two_warps() {
    // Warp 0 arrives in 0, warp 1 in 1; both go on at 1 + 2 = 3, one issues 3, the other 4
    let mut run = Run::code("bar.sync\n exit").block(8);
    assert_eq!(run.timing().cycles, 5);
}

#[test]
fn shared_memory_without_conflict() {
    // mov 0, shl 4, or 8, ld 12, pass 13, register 18; add 18, exit 19
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 2\n or.b32 r0, r0, 0x1000000\n\
                ld.shared.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    assert_eq!(cycles(code), 20);
}

#[test]
fn shared_memory_with_conflicts() {
    // Four words in one of four banks: passes 13 to 16, register 21; add 21, exit 22
    let code = "mov.b32 r0, tid.x\n shl.b32 r0, r0, 4\n or.b32 r0, r0, 0x1000000\n\
                ld.shared.b32 r1, [r0]\n add.i32 r1, r1, r1\n exit";
    let report = Run::code(code).timing();
    assert_eq!(report.cycles, 23);
    assert_eq!((report.statistics.shared_passes, report.statistics.shared_conflicts), (4, 3));
}

#[test]
fn atomics_on_one_address() {
    // mov 0, atom 4, unit 5; request of 8 + 4 * 8 bytes takes 5 cycles, 5 to 9, and 5 more: 14;
    // miss: memory 14 + 1 + 10 + 10 + 8 + 29 = 72; four operations of 4 cycles: 88; slice 98; reply of 40 bytes
    // 98 to 102, 107; register 108; add 108, exit 109
    let code = "mov.b32 r0, 0x10000000\n atom.add.i32.global r1, [r0], 1\n\
                add.i32 r1, r1, r1\n exit";
    let mut run = Run::code(code);
    let report = run.timing();
    assert_eq!(report.cycles, 110);
    assert_eq!(run.words()[0], 4);
    assert_eq!(report.statistics.atomic_operations, 4);
}

#[test]
fn stores_do_not_wait() {
    // mov 0, st 4, exit 5; the store: unit 5, 8 + 32 bytes take 5 cycles, 5 to 9, at the slice in
    // 14: the last thing that happens
    let mut run = Run::code("mov.b32 r0, 0x10000000\n st.global.b32 [r0], r0\n exit");
    assert_eq!(run.timing().cycles, 15);
}

#[test]
fn blocks_take_turns_for_places() {
    // `tiny` holds 4 blocks; a block a cycle starts. exits: blocks 0 to 3 in 0 to 3; blocks are given
    // out every 5 cycles, the interconnect's latency: block 4 in 5
    let mut run = Run::code("exit").grid(5);
    let report = run.timing();
    assert_eq!(report.cycles, 6);
    assert_eq!(report.statistics.blocks, 5);
}
