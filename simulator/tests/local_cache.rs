//! The affine vector cache on `tiny` with warps of 32 lanes, by hand: cycles as in `tiny.rs`.

use crate::support::{Run, avc};
use reconverge_simulator::{Report, Statistics, load_machine};

/// `tiny` with warps, pipes and banks of 32 lanes, and the affine vector cache: one line, unless it is said.
fn run_with(sets: &[(&str, &str)], code: &str) -> Report {
    let all = [
        ("sm.warp-width", "32"),
        ("sm.warps", "16"),
        ("pipes.simple.lanes", "32"),
        ("pipes.memory.lanes", "32"),
        ("local-cache", "affine-vector-cache"),
        ("affine-vector-cache.size", "128"),
        ("affine-vector-cache.ways", "1"),
    ];
    let all = all.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string()));
    let text = format!(".kernel k\n.registers 8\n.predicates 2\n.local 256\n{code}");
    let mut run = Run::new(&text, "tiny").block(32);
    run.machine =
        load_machine("tiny", &all.collect::<Vec<_>>()).unwrap_or_else(|error| panic!("{error}"));
    run.timing()
}

fn run(code: &str) -> Report {
    run_with(&[], code)
}

/// r0: the lane; r1: local memory.
const START: &str = "mov.b32 r0, tid.x\n mov.b32 r1, 0x2000000\n";

/// As `START`, with p0 in lanes 0 to 15, and in r4 what is no affine vector of any lanes: three times the lane.
const HALVES: &str =
    "mov.b32 r0, tid.x\n mov.b32 r1, 0x2000000\n setp.lt.u32 p0, r0, 16\n mul.i32 r4, r0, 3\n";

const USE: &str = "add.i32 r2, r2, r2\n exit";

/// Hits, partial hits, misses, and replays of both kinds.
fn loads(s: &Statistics) -> [u64; 4] {
    [avc(s, "hits"), avc(s, "partial_hits"), avc(s, "misses"), avc(s, "replays")]
}

/// Vectors evicted, lines, conflicts, vectors written back, merges with the first level.
fn evictions(s: &Statistics) -> [u64; 5] {
    [
        avc(s, "evicted_vectors"),
        avc(s, "evicted_lines"),
        avc(s, "conflicts"),
        avc(s, "write_backs"),
        avc(s, "merges"),
    ]
}

/// Fetches from the next level and their bytes, writes to it and theirs.
fn traffic(s: &Statistics) -> [u64; 4] {
    [s.local_fetches, s.local_fetch_bytes, s.local_writes, s.local_write_bytes]
}

#[test]
fn a_hit_takes_one_more_cycle() {
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: st 8 (11), load/store unit 12; ld 9 (12), unit 13: the words are
    // there 10 and 1 later, in 24; fetch 10: add 24 (27), exit 25
    let code = format!("{START} st.local.b32 [r1], r0\n ld.local.b32 r2, [r1]\n {USE}");
    let report = run(&code);
    assert_eq!(report.cycles, 28);
    let s = &report.statistics;
    assert_eq!((loads(s), avc(s, "stores"), s.l1_hits, traffic(s)), ([1, 0, 0, 0], 1, 0, [0; 4]));
    assert_eq!((s.local_stores_affine, s.local_loads_affine), (1, 1));
    // In the first level alone, and in the first level beside the cache: as the words are no affine vector.
    let plain = run_with(&[("local-cache", "none")], &code);
    assert_eq!((plain.cycles, plain.statistics.l1_hits, plain.statistics.local_stores), (27, 1, 1));
    let generic = format!(
        "{START} mul.i32 r4, r0, 3\n st.local.b32 [r1], r4\n ld.local.b32 r2, [r1]\n {USE}"
    );
    let beside = run(&generic);
    assert_eq!(beside.cycles, run_with(&[("local-cache", "none")], &generic).cycles + 1);
    assert_eq!((loads(&beside.statistics), beside.statistics.l1_hits), ([0, 0, 1, 0], 1));
}

#[test]
fn figure_5_partial_read_miss() {
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: setp 7 (9, 13), and mul again in 8, when the scoreboard has room: 9
    // (11, 17); fetch 10: st of lanes 0 to 15 13 (16), unit 17: affine; st of the others 17 (20), unit 21: to the first
    // level; fetch 18: ld 19 (21), unit 22: lanes 0 to 15 hit, replay 23: the others hit in the first level, there
    // in 34; add 34 (37), exit 35
    let stores = "@p0 st.local.b32 [r1], r0\n @!p0 st.local.b32 [r1], r4\n";
    let code = format!("{HALVES} {stores} ld.local.b32 r2, [r1]\n {USE}");
    let report = run(&code);
    let s = &report.statistics;
    assert_eq!(report.cycles, 38);
    assert_eq!((loads(s), s.l1_hits, s.l1_misses), ([0, 1, 1, 1], 1, 0));
    assert_eq!((s.local_stores_affine, s.local_stores_generic, s.local_loads_generic), (1, 1, 1));
    assert_eq!(traffic(s), [0; 4]);
    // Lanes 16 to 31 were never written: the replay misses and fetches their two sectors. The fetched data are zero in these
    // lanes, and uniform: they conflict with the lanes that are there, which are written back.
    let code = format!("{HALVES} @p0 st.local.b32 [r1], r0\n ld.local.b32 r2, [r1]\n {USE}");
    let s = run(&code).statistics;
    assert_eq!((loads(&s), s.l1_misses, avc(&s, "fills")), ([0, 1, 1, 1], 1, 1));
    assert_eq!((evictions(&s), traffic(&s)), ([1, 0, 1, 1, 0], [1, 64, 1, 64]));
}

#[test]
fn a_line_of_sixteen_vectors_is_evicted_in_sixteen_cycles() {
    // Sixteen stores fill the line; the next one evicts it, a vector a cycle, before it is kept. The load of it comes as
    // much later than where there is a second line. The interconnect takes a vector a cycle.
    let wide = [("interconnect.bytes-per-cycle", "256"), ("interconnect.queue", "32")];
    let stores: String =
        (0..17).map(|word| format!("st.local.b32 [r1+{}], r0\n", 4 * word)).collect();
    let code = format!("{START} {stores} ld.local.b32 r2, [r1+64]\n {USE}");
    let two = [("affine-vector-cache.size", "256"), ("affine-vector-cache.ways", "2")];
    let cycles = |sets: &[(&str, &str)]| {
        let report = run_with(&[&wide[..], sets].concat(), &code);
        let s = report.statistics;
        assert_eq!((avc(&s, "stores"), loads(&s)), (17, [1, 0, 0, 0]));
        (s.slots_memory, evictions(&s), traffic(&s))
    };
    let (waits, evicted, bytes) = cycles(&[]);
    assert_eq!((evicted, bytes), ([16, 1, 0, 16, 0], [0, 0, 16, 2048]));
    let (without, evicted, bytes) = cycles(&two);
    assert_eq!((evicted, bytes), ([0; 5], [0; 4]));
    assert_eq!(waits, without + 16);
}

const COMPRESSED: [(&str, &str); 1] = [("affine-vector-cache.compressed-write-back", "true")];

#[test]
fn a_compressed_vector_leaves_the_port_sooner() {
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: st 8 (11), load/store unit 12; st 9 (12), unit 13: the first vector is
    // written back, 8 + 128 bytes in 17 cycles, 13 to 29; the second is kept in 14; fetch 10: ld 11 (13), unit 15: miss,
    // request 30 and 5 more: at the slice in 35, which has the line: 45; reply 17 cycles, 45 to 61, and 5 more: 66; the
    // second vector is written back in 67, and the first kept in 68. Its write takes 67 to 83 and 5 more: 88.
    let code = format!(
        "{START} st.local.b32 [r1], r0\n st.local.b32 [r1+64], r0\n ld.local.b32 r2, [r1]\n {USE}"
    );
    let plain = run(&code);
    let bytes = |s: &Statistics| [s.request_bytes, avc(s, "compressed"), avc(s, "saved_bytes")];
    assert_eq!((plain.cycles, bytes(&plain.statistics)), (89, [2 * 136 + 8, 0, 0]));
    // A base of 4 bytes, a stride of one and valid bits of 4: 8 + 9 bytes in 3 cycles, 13 to 15; the request 16 and 5 more: 21,
    // 31, reply 31 to 47 and 5 more: 52; write-back 53, of 3 cycles; kept in 54, register 65; add 65 (68), the last thing
    let report = run_with(&COMPRESSED, &code);
    let s = report.statistics;
    assert_eq!((report.cycles, bytes(&s)), (69, [2 * 17 + 8, 2, 2 * 119]));
    assert_eq!(traffic(&s), traffic(&plain.statistics));
}

#[test]
fn what_the_first_level_adds_goes_as_words() {
    // Lanes 0 to 15 are here, the others in the first level: 9 bytes and two sectors, and not four sectors.
    let stores = "@p0 st.local.b32 [r1], r0\n @!p0 st.local.b32 [r1], r4\n";
    let evict = "st.local.b32 [r1+64], r0\n exit";
    let s = run_with(&COMPRESSED, &format!("{HALVES} {stores} {evict}")).statistics;
    assert_eq!(
        (evictions(&s), avc(&s, "compressed"), avc(&s, "saved_bytes")),
        ([1, 1, 0, 1, 1], 1, 55)
    );
    assert_eq!((traffic(&s), s.request_bytes), ([0, 0, 1, 128], 8 + 9 + 64));
    // Lane 0 is here and all others in the first level: the words alone are less.
    let stores = stores.replace("@p0", "@p1").replace("@!p0", "@!p1");
    let code = format!("{HALVES} setp.eq.i32 p1, r0, 0\n {stores} {evict}");
    let s = run_with(&COMPRESSED, &code).statistics;
    assert_eq!(
        (evictions(&s), avc(&s, "compressed"), avc(&s, "saved_bytes")),
        ([1, 1, 0, 1, 1], 0, 0)
    );
    assert_eq!(s.request_bytes, 8 + 128);
}

#[test]
fn what_was_fetched_is_kept_if_it_is_affine() {
    // The vector is evicted by the store of another line, and fetched: 128 bytes, affine. The second load hits.
    let code = format!(
        "{START} st.local.b32 [r1], r0\n st.local.b32 [r1+64], r0\n ld.local.b32 r2, [r1]\n {USE}"
    );
    let s = run(&code).statistics;
    // The other line makes room in turn.
    assert_eq!((evictions(&s), avc(&s, "fills")), ([2, 2, 0, 2, 0], 1));
    assert_eq!((loads(&s), traffic(&s)), ([0, 0, 1, 0], [1, 128, 2, 256]));
    let again = code.replace(USE, &format!("ld.local.b32 r3, [r1]\n add.i32 r2, r2, r3\n {USE}"));
    // The second load misses too, and merges; a third one, after both have come, hits.
    let s = run(&again).statistics;
    assert_eq!((loads(&s), s.l1_merges, avc(&s, "fills")), ([0, 0, 2, 0], 1, 1));
    let third = again.replace(USE, &format!("ld.local.b32 r4, [r1]\n add.i32 r2, r2, r4\n {USE}"));
    assert_eq!(loads(&run(&third).statistics), [1, 0, 2, 0]);
    // Arrived data that are not an affine vector go to the L1.
    let generic =
        code.replace("st.local.b32 [r1], r0", "mul.i32 r0, r0, 3\n st.local.b32 [r1], r0");
    let s = run_with(&[("l1.size", "128"), ("l1.ways", "1")], &generic).statistics;
    assert_eq!((avc(&s, "fills"), s.l1_fills), (0, 1), "{:?}", traffic(&s));
}

#[test]
fn conflicts_evict_the_older_vector_with_what_the_first_level_has() {
    // Lanes 0 to 15 hold their number; then lanes 16 to 31 hold 7, another base and stride: lanes 0 to 15 are written
    // back. The first level has nothing of the line.
    let conflict = "@p0 st.local.b32 [r1], r0\n mov.b32 r2, 7\n @!p0 st.local.b32 [r1], r2\n exit";
    let s = run(&format!("{HALVES} {conflict}")).statistics;
    assert_eq!((evictions(&s), traffic(&s)), ([1, 0, 1, 1, 0], [0, 0, 1, 64]));
    // No conflict: all lanes are overwritten, or the base and the stride are the same.
    let over = "@p0 st.local.b32 [r1], r0\n mov.b32 r2, 7\n st.local.b32 [r1], r2\n exit";
    let s = run(&format!("{HALVES} {over}")).statistics;
    assert_eq!((evictions(&s), avc(&s, "stores")), ([0; 5], 2));
    let both = "@p0 st.local.b32 [r1], r0\n @!p0 st.local.b32 [r1], r0\n ld.local.b32 r2, [r1]\n";
    let s = run(&format!("{HALVES} {both} {USE}")).statistics;
    assert_eq!((evictions(&s), loads(&s)), ([0; 5], [1, 0, 0, 0]));
    // The first level has lanes 16 to 31: both are written together when the vector is evicted by another line, and
    // neither is left; the load fetches all.
    let merge =
        "@p0 st.local.b32 [r1], r0\n @!p0 st.local.b32 [r1], r4\n st.local.b32 [r1+64], r0\n";
    let s = run(&format!("{HALVES} {merge} ld.local.b32 r2, [r1]\n {USE}")).statistics;
    assert_eq!((evictions(&s), traffic(&s)), ([1, 1, 0, 1, 1], [1, 128, 1, 128]));
    assert_eq!((s.l1_local_stores, s.l1_fills, s.l1_write_backs), (1, 1, 0));
}

#[test]
fn what_is_overwritten_elsewhere_is_not_written_back() {
    // The first level has a dirty line that is overwritten in the cache. Lines of the first level's only way take turns:
    // when the other one comes, nothing is left to be written.
    let stores = "st.local.b32 [r1], r4\n st.local.b32 [r1], r0\n st.local.b32 [r1+4], r4\n exit";
    let small = [("l1.size", "128"), ("l1.ways", "1")];
    let s = run_with(&small, &format!("{HALVES} {stores}")).statistics;
    assert_eq!((s.l1_lines, s.l1_write_backs, traffic(&s)), (2, 0, [0; 4]));
    // The other way round: the cache forgets lanes that are no affine vector any more.
    let stores = "st.local.b32 [r1], r0\n @!p0 st.local.b32 [r1], r4\n ld.local.b32 r2, [r1]\n";
    let s = run(&format!("{HALVES} {stores} {USE}")).statistics;
    assert_eq!((loads(&s), s.l1_hits, evictions(&s)), ([0, 1, 1, 1], 1, [0; 5]));
}

#[test]
fn wide_accesses_are_several_vectors_and_narrow_ones_are_generic() {
    // r2:3 is the lane as 64 bits: an affine vector and one of zeroes.
    let wide = "cvt.u64.u32 r2:3, r0\n st.local.b64 [r1], r2:3\n ld.local.b64 r4:5, [r1]\n add.i64 r4:5, r4:5, r4:5\n exit";
    let s = run(&format!("{START} {wide}")).statistics;
    assert_eq!((s.local_stores, s.local_stores_affine, s.local_stores_zero), (2, 1, 1));
    assert_eq!((s.local_loads_affine, s.local_loads_zero, loads(&s)), (1, 1, [2, 0, 0, 0]));
    let narrow = "st.local.u8 [r1], r0\n ld.local.u8 r2, [r1]\n";
    let s = run(&format!("{START} {narrow} {USE}")).statistics;
    assert_eq!((s.local_stores_generic, s.local_loads_generic, loads(&s)), (1, 1, [0, 0, 1, 0]));
    // A byte of words that were kept: the words go to the first level.
    let within = "st.local.b32 [r1], r0\n st.local.u8 [r1], r0\n ld.local.b32 r2, [r1]\n";
    let s = run(&format!("{START} {within} {USE}")).statistics;
    assert_eq!((loads(&s), s.l1_hits, s.l1_local_stores), ([0, 0, 1, 0], 1, 1));
}

#[test]
fn vectors_of_sixteen_words() {
    // Blocks of 16 by 16: the lane's column and a row's base, affine in each half and not in the whole.
    let rows = "and.b32 r2, r0, 15\n and.b32 r3, r0, 16\n mul.i32 r3, r3, 5\n add.i32 r2, r2, r3\n";
    let code = format!("{START} {rows} st.local.b32 [r1], r2\n ld.local.b32 r2, [r1]\n {USE}");
    let halves = [("affine-vector-cache.vector-words", "16")];
    let s = run(&code).statistics;
    assert_eq!((s.local_stores_generic, loads(&s)), (1, [0, 0, 1, 0]));
    let s = run_with(&halves, &code).statistics;
    assert_eq!((s.local_stores, s.local_stores_affine, loads(&s)), (1, 2, [1, 0, 0, 0]));
    // One half is affine: the store and the load of the other go to the first level, in a pass of their own.
    let mixed = format!(
        "{HALVES} sel.b32 r2, p0, r0, r4\n st.local.b32 [r1], r2\n ld.local.b32 r2, [r1]\n {USE}"
    );
    let s = run_with(&halves, &mixed).statistics;
    assert_eq!((s.local_stores_affine, s.local_stores_generic), (1, 1));
    assert_eq!((avc(&s, "stores"), s.l1_local_stores, loads(&s)), (1, 1, [0, 1, 1, 2]));
}

#[test]
fn machines_that_do_not_fit_are_refused() {
    let refusal = |machine: &str, sets: &[(&str, &str)]| {
        let sets = [&[("local-cache", "affine-vector-cache")], sets].concat();
        let sets: Vec<_> = sets.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        load_machine(machine, &sets).expect_err("it does not fit")
    };
    assert!(refusal("tiny", &[]).contains("`sm.warp-width` is 4"));
    assert!(refusal("gtx480", &[("l1.line", "64")]).contains("`l1.line` 64"));
    let lanes = refusal("gtx480", &[("lane-permutation", "balanced")]);
    assert!(lanes.contains("set `lane-permutation` to `identity`"), "{lanes}");
    let sizes =
        [("size", "1000"), ("size", "0"), ("ways", "0"), ("vector-words", "8"), ("latency", "65")];
    for (option, value) in sizes {
        let error = refusal("gtx480", &[(&format!("affine-vector-cache.{option}"), value)]);
        assert!(error.contains(&format!("`{option}` is {value}")), "{error}");
    }
}
