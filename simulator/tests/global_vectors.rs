//! Global memory in the affine vector cache, on `tiny` with warps of 32 lanes, by hand: cycles as in `tiny.rs`.

use crate::support::{Run, avc};
use reconverge_simulator::{Report, Statistics, load_machine};

/// `tiny` with warps, pipes and banks of 32 lanes, and an affine vector cache of one line that keeps global memory too;
/// 4 KiB of it have these words.
fn run_with(sets: &[(&str, &str)], word: impl Fn(u32) -> u32, code: &str) -> Report {
    let all = [
        ("sm.warp-width", "32"),
        ("sm.warps", "16"),
        ("pipes.simple.lanes", "32"),
        ("pipes.memory.lanes", "32"),
        ("local-cache", "affine-vector-cache"),
        ("affine-vector-cache.size", "128"),
        ("affine-vector-cache.ways", "1"),
        ("affine-vector-cache.global", "true"),
    ];
    let all = all.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string()));
    let text = format!(".kernel k\n.registers 8\n.predicates 2\n.local 256\n{START} {code}");
    let mut run = Run::new(&text, "tiny").block(32);
    run.global = (0..1024).flat_map(|index| word(index).to_le_bytes()).collect();
    run.machine =
        load_machine("tiny", &all.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"));
    run.timing()
}

/// Every word is its number: each line is an affine vector.
fn numbers(index: u32) -> u32 {
    index
}

fn run(code: &str) -> Report {
    run_with(&[], numbers, code)
}

/// r0: the lane; r1: its word of the first line.
const START: &str = "mov.b32 r0, tid.x\n shl.b32 r1, r0, 2\n add.i32 r1, r1, 0x10000000\n";

/// p0 in lanes 0 to 7, p1 in lane 9.
const SECTOR: &str = "setp.lt.u32 p0, r0, 8\n setp.eq.i32 p1, r0, 9\n";

/// Loads the first line, and waits for it.
const LOAD: &str = "ld.global.b32 r2, [r1]\n add.i32 r2, r2, r2\n";

/// Hits, partial hits, misses, fetches that were kept.
fn loads(s: &Statistics) -> [u64; 4] {
    [
        avc(s, "global_hits"),
        avc(s, "global_partial_hits"),
        avc(s, "global_misses"),
        avc(s, "global_fills"),
    ]
}

/// Vectors that were kept, and of these evicted and invalidated.
fn vectors(s: &Statistics) -> [u64; 3] {
    [
        avc(s, "global_vectors"),
        avc(s, "global_evicted_vectors"),
        avc(s, "global_invalidated_vectors"),
    ]
}

/// Hits, misses, fills of the first level, and lines that passed it by.
fn first_level(s: &Statistics) -> [u64; 4] {
    [s.l1_hits, s.l1_misses, s.l1_fills, s.l1_bypasses]
}

#[test]
fn a_line_that_is_affine_takes_no_way() {
    // fetch 0: mov 1 (3, 7), shl 7 (9, 13); fetch 8: add 13 (15, 19), ld 19 (21), unit 22: miss; request 22 and 5 more:
    // 27; memory activates 28, reads 38, 48, 58 and 68, has the fourth sector 78 to 86, 29 later: 115; slice 125; reply of
    // 8 + 128 bytes 125 to 141 and 5 more: 146; kept 147, register 158; fetch 20: add 158 (161, 165), ld 165 (167),
    // unit 168: hit, 179; fetch 166: add 179 (182), exit 180
    let twice = format!("{LOAD} {LOAD} exit");
    let report = run(&twice);
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), vectors(s)), (183, [1, 0, 1, 1], [1, 0, 0]));
    assert_eq!((first_level(s), s.l1_lines, s.l1_sectors_demand), ([0, 1, 0, 1], 0, 4));
    // Without the option each load takes a cycle less, and the line a way.
    let s = run_with(&[("affine-vector-cache.global", "false")], numbers, &twice);
    assert_eq!((s.cycles, loads(&s.statistics)), (181, [0; 4]));
    assert_eq!((first_level(&s.statistics), s.statistics.l1_lines), ([1, 1, 1, 0], 1));
    // So it does if it is not affine. Words are decoded all the same: a cycle more.
    let s = run_with(&[], |index| index * 3, &twice);
    assert_eq!((s.cycles, loads(&s.statistics)), (183, [0, 0, 2, 0]));
    assert_eq!((first_level(&s.statistics), vectors(&s.statistics)), ([1, 1, 1, 0], [0; 3]));
    // Without a first level all loads but those that hit here go to the next one.
    let report = run_with(&[("l1.size", "0")], numbers, &twice);
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), first_level(s)), (183, [1, 0, 1, 1], [0, 1, 0, 1]));
}

#[test]
fn a_partial_hit_is_replayed_for_the_other_sectors() {
    // fetch 0: mov 1 (3, 7), shl 7 (9, 13); fetch 8: add 13 (15, 19), setp 14 (16, 20); fetch 15: setp 16 (18, 22), and ld
    // again in 19, when the scoreboard has room: 20 (22), unit 23: miss of one sector; slice 28, memory reads 39, has it 49
    // to 57; 86, 96; reply of 8 + 32 bytes 96 to 100: 105; kept 106, register 117; add 117 (120, 124), ld 124 (126), unit
    // 127: one sector hits, replay 128: three miss; slice 133; the row is open: read 134, 144 and 154, 164 to 172; 201,
    // 211; reply of 8 + 96 bytes 211 to 223: 228; kept with the first, 229, register 240; add 240 (243)
    let code = format!("{SECTOR} @p0 {LOAD} {LOAD}");
    let report = run(&format!("{code} exit"));
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), vectors(s)), (244, [0, 1, 2, 2], [1, 0, 0]));
    assert_eq!((first_level(s), s.dram_read_bytes), ([0, 2, 0, 2], 128));
    // It is one vector now, of which all is here: add 240 (243, 247), ld 247 (249), unit 250: 261; add 261 (264)
    let report = run(&format!("{code} {LOAD} exit"));
    assert_eq!((report.cycles, loads(&report.statistics)), (265, [1, 1, 2, 2]));
    // The other sectors are no vector together with the first: they go to the first level, which takes as long. From now
    // on the first sector hits here and the others there, a pass later.
    let report = run_with(&[], |index| index / 8 * 3, &format!("{code} {LOAD} exit"));
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), vectors(s)), (266, [0, 2, 3, 1], [1, 0, 0]));
    assert_eq!(first_level(s), [1, 2, 1, 1]);
}

#[test]
fn a_line_that_is_stored_to_moves_to_the_first_level() {
    // As above up to the load: 20 (22), unit 23, 1 later than in `a_line_that_is_affine_takes_no_way`: add 159 (162, 166),
    // st 160 (163), unit 164: the line moves, 165: the store; ld 166 (168), unit 169: hit in the first level, 180; add 180
    // (183, 187), ld 187 (189), unit 190: hit, 201; add 201 (204)
    let code = |store: &str| format!("{SECTOR} {LOAD} {store}\n {LOAD} {LOAD} exit");
    for store in ["@p1 st.global.b32 [r1], r0", "@p1 st.global.b32 [r1], r1"] {
        let report = run(&code(store));
        let s = &report.statistics;
        assert_eq!(
            (report.cycles, loads(s), vectors(s)),
            (205, [0, 0, 3, 1], [1, 0, 1]),
            "{store}"
        );
        assert_eq!(
            (first_level(s), s.l1_lines, avc(s, "global_moves")),
            ([2, 1, 0, 1], 1, 1),
            "{store}"
        );
    }
    // Moved vectors make room: both ways of the set have lines of local memory, one of which is written back.
    let local = "mov.b32 r4, 0x2000000\n mul.i32 r5, r0, 3\n st.local.b32 [r4], r5\n st.local.b32 [r4+8], r5\n";
    let s = run(&format!("{local} {LOAD} st.global.b32 [r1], r0\n {LOAD} exit")).statistics;
    assert_eq!((first_level(&s), s.l1_write_backs, avc(&s, "global_moves")), ([1, 1, 0, 1], 1, 1));
    // Without a first level the words that are stored to are forgotten.
    let store = code("@p1 st.global.b32 [r1], r0");
    // The store is unit 164, and takes 164 to 168 of the port; ld unit 169: three sectors hit, replay 170: one misses; slice
    // 175: hit, 185; reply of 40 bytes 185 to 189: 194; kept 195, register 206; add 206 (209, 213), ld 213 (215), unit 216:
    // all hit, 227; add 227 (230)
    let report = run_with(&[("l1.size", "0")], numbers, &store);
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), vectors(s)), (231, [1, 1, 2, 2], [1, 0, 0]));
    assert_eq!(avc(s, "global_moves"), 0);
    // Every word is stored: nothing is left of the vector. It is one again when it is fetched: of zeroes.
    let all = code("mov.b32 r3, 0\n st.global.b32 [r1], r3");
    let s = run_with(&[("l1.size", "0")], numbers, &all).statistics;
    assert_eq!((loads(&s), vectors(&s)), ([1, 0, 2, 2], [2, 0, 1]));
}

#[test]
fn an_atomic_drops_the_line() {
    // As it does in the first level. The line is not affine any more, and comes there.
    let code = format!("{SECTOR} {LOAD} @p1 atom.add.i32.global r3, [r1], r0\n {LOAD} {LOAD} exit");
    let s = run(&code).statistics;
    assert_eq!((loads(&s), vectors(&s), avc(&s, "global_moves")), ([0, 0, 3, 1], [1, 0, 1], 0));
    assert_eq!(first_level(&s), [1, 2, 1, 1]);
}

#[test]
fn a_line_of_the_cache_is_evicted() {
    // The cache's line has the vectors of 2 KiB: the first two loads share it. The third evicts both, without a write, and
    // the fourth finds its line in the next level. add 158 (161, 165), ld 165 (167), unit 168, slice 173; the row is open:
    // read 174, the fourth sector 214 to 222; 251, 261; reply to 277: 282; kept 283, register 294; add 294 (297, 301), ld
    // 301 (303), unit 304, slice 309, another bank: 131 later, as at first (27 to 158): register 440; add 440 (443, 447), ld
    // 447 (449), unit 450, slice 455: hit, 465; reply to 481: 486; kept 487, register 498; add 498 (501)
    let at = |offset: u32| LOAD.replace("r1]", &format!("r1+{offset}]"));
    let report = run(&format!("{LOAD} {} {} {LOAD} exit", at(128), at(2048)));
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), vectors(s)), (502, [0, 0, 4, 4], [4, 3, 0]));
    assert_eq!(
        (avc(s, "evicted_lines"), avc(s, "evicted_vectors"), avc(s, "write_backs")),
        (2, 0, 0)
    );
    assert_eq!((s.l2_hits, s.request_bytes), (1, 32));
    // A second line, in another set: the fourth load hits.
    let two = [("affine-vector-cache.size", "256")];
    let code = format!("{LOAD} {} {} {LOAD} exit", at(128), at(2048));
    let s = run_with(&two, numbers, &code).statistics;
    assert_eq!((loads(&s), vectors(&s), avc(&s, "evicted_lines")), ([1, 0, 3, 3], [3, 0, 0], 0));
    // A vector of local memory makes room too. It is written back first.
    let local = "mov.b32 r4, 0x2000000\n st.local.b32 [r4], r0\n";
    let s = run(&format!("{local} {LOAD} exit")).statistics;
    assert_eq!((avc(&s, "stores"), avc(&s, "write_backs"), avc(&s, "evicted_vectors")), (1, 1, 1));
    assert_eq!((vectors(&s), s.local_write_bytes), ([1, 0, 0], 128));
}

#[test]
fn loads_that_wait_for_a_line_take_a_cycle_each() {
    // Two loads of a line into two registers: the second one merges, and has its words a cycle after the first, as when the
    // line comes to the first level.
    let code = "ld.global.b32 r2, [r1]\n ld.global.b32 r3, [r1]\n add.i32 r2, r2, r3\n exit";
    let report = run(code);
    let s = &report.statistics;
    assert_eq!((report.cycles, loads(s), s.l1_merges), (163, [0, 0, 2, 1], 1));
    let off = run_with(&[("affine-vector-cache.global", "false")], numbers, code);
    assert_eq!((off.cycles, off.statistics.l1_merges, off.statistics.l1_replays), (162, 1, 2));
}

#[test]
fn vectors_of_sixteen_words() {
    // Each half is affine, and both together are not.
    let rows = |index: u32| index % 16 + index / 16 * 80;
    let twice = format!("{LOAD} {LOAD} exit");
    let s = run_with(&[], rows, &twice).statistics;
    assert_eq!((loads(&s), s.l1_fills), ([0, 0, 2, 0], 1));
    let halves = [("affine-vector-cache.vector-words", "16")];
    let s = run_with(&halves, rows, &twice).statistics;
    assert_eq!((loads(&s), vectors(&s), s.l1_fills), ([1, 0, 1, 1], [2, 0, 0], 0));
    // One half is: the first level has a way for the line anyway.
    let one = |index: u32| if index % 32 < 16 { index } else { index * 3 };
    let s = run_with(&halves, one, &twice).statistics;
    assert_eq!((loads(&s), vectors(&s), s.l1_fills), ([0, 0, 2, 0], [0; 3], 1));
}

#[test]
fn words_are_those_of_memory_when_the_line_comes() {
    // Memory's line is no vector when the load misses. The store behind it makes it one, and is in memory when the line
    // comes.
    let code = "setp.eq.i32 p0, r0, 31\n ld.global.b32 r2, [r1]\n @p0 st.global.b32 [r1], r0\n\
                add.i32 r2, r2, r2\n ld.global.b32 r2, [r1]\n add.i32 r2, r2, r2\n exit";
    let word = |index: u32| if index == 31 { 7 } else { index };
    let s = run_with(&[], word, code).statistics;
    assert_eq!((loads(&s), vectors(&s)), ([1, 0, 1, 1], [1, 0, 0]));
}
