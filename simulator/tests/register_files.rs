//! Register files: cycles and counters on `tiny`, computed by hand as in `tiny.rs`, and what goes with what.

use crate::support::Run;
use reconverge_simulator::{Fault, Machine, Model, Statistics, load_machine, mechanisms};

/// A run of one warp's code under some settings.
fn run(code: &str, sets: &[(&str, &str)]) -> (u64, Statistics) {
    let mut run = Run::code(code);
    let few_warps = [("sm.warps", "16")];
    let sets = few_warps.iter().chain(sets);
    let sets: Vec<_> = sets.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    run.machine = load_machine("tiny", &sets).expect("it is a machine");
    let report = run.timing();
    (report.cycles, report.statistics)
}

/// One bank; collectors receive all operands at once that need no bank, and scoreboards have no limit.
const ONE_BANK: [(&str, &str); 3] =
    [("banked.banks", "1"), ("banked.ports", "6"), ("scoreboard.entries", "0")];

fn cached<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("register-file", "register-cache")], &ONE_BANK[..], more].concat()
}

/// Reads and writes of the cache and of banks, then what was written back and what was not.
fn levels(s: &Statistics) -> ([u64; 2], [u64; 2], [u64; 2]) {
    (
        [s.register_cache_reads, s.register_cache_writes],
        [s.register_reads, s.register_writes],
        [s.register_write_backs, s.register_write_backs_saved],
    )
}

fn values(s: &Statistics) -> [u64; 4] {
    [s.values_unread, s.values_read_once, s.values_read_twice, s.values_read_more]
}

#[test]
fn a_register_cache_needs_no_bank() {
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n add.i32 r3, r4, r5\n exit";
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: add 8 reads in 9 and 10 (11); add 9 reads in 11 and 12 (13)
    let (cycles, s) = run(code, &ONE_BANK);
    assert_eq!((cycles, levels(&s)), (14, ([0, 0], [4, 4], [0, 0])));
    // The first add reads in 9 beside the bank (10), the second one in 10 and 11 (12).
    let (cycles, s) = run(code, &cached(&[]));
    assert_eq!((cycles, levels(&s)), (13, ([2, 4], [2, 0], [0, 0])));
    assert_eq!(values(&s), [2, 2, 0, 0]);
}

#[test]
fn a_dead_value_is_not_written_back() {
    // One entry. mov 1 (3, 7) takes it, mov 2 (4, 8) evicts r0, which is in its bank in 8. fetch 3: add 8 reads both in 9, r0
    // from the bank (10, 14), and evicts r1, which is dead. mov 9 (11, 15) evicts r2, which nothing has read; fetch 10: exit 11.
    let code =
        "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1 !last 0,1\n mov.b32 r3, 3\n exit";
    let one = ("register-cache.entries", "1");
    let (cycles, s) = run(code, &cached(&[one]));
    assert_eq!((cycles, levels(&s)), (12, ([1, 4], [1, 2], [2, 1])));
    let (cycles, s) = run(code, &cached(&[one, ("register-cache.last-reads", "false")]));
    assert_eq!((cycles, levels(&s)), (12, ([1, 4], [1, 3], [3, 0])));
}

#[test]
fn a_value_is_read_from_where_it_was_until_it_is_in_its_bank() {
    // One entry. mov 1 (3, 7), mov 2 (4, 8); fetch 3: mov 4 (6, 10), add 7 reads in 8 (9). r0 is to be in its bank in 8, when
    // r1 comes: it is read from the cache.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n mov.b32 r2, 3\n add.i32 r3, r0, 1\n exit";
    let (cycles, s) = run(code, &cached(&[("register-cache.entries", "1")]));
    assert_eq!((cycles, levels(&s)), (10, ([1, 4], [0, 3], [3, 0])));
}

#[test]
fn a_warp_that_leaves_the_pool_loses_its_entries() {
    // ld 8 waits for r0 and reads it in 9: it is dead in 10, in which the warp, which waits for r2 since 8, loses r0 and r1.
    // r2 comes to an inactive warp and goes to its bank, from where the add reads it and r1; r3 stays.
    let code = "mov.b32 r0, 0x10000000\n mov.b32 r1, 5\n ld.global.b32 r2, [r0] !last 0\n\
                add.i32 r3, r2, r1\n exit";
    let pool =
        [("scheduler", "two-level"), ("two-level.variant", "active-pool"), ("two-level.pool", "1")];
    // With three entries in the scoreboard the add is fetched after ld has issued, and the warp leaves the pool then.
    for entries in ["0", "3"] {
        let (_, s) = run(code, &cached(&[&pool[..], &[("scoreboard.entries", entries)]].concat()));
        assert_eq!(levels(&s), ([1, 3], [2, 2], [1, 1]), "{entries}");
        assert_eq!(values(&s), [1, 3, 0, 0]);
    }
    // Without a pool it stays active, and all is in the cache.
    let (_, s) = run(code, &cached(&[]));
    assert_eq!(levels(&s), ([3, 4], [0, 0], [0, 0]));
}

/// The upper two of four lanes take the branch; both paths write r1, one of them reads r0 for the last time.
const PATHS: &str = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2\n@p0 bra L !reconverge M\n\
    add.i32 r1, r0, 1\n bra M\nL:\n mov.b32 r1, 7\nM:\n add.i32 r2, r1, r1 !last 0,1\n exit";

#[test]
fn lanes_that_paths_have_written_are_one_entry() {
    for scheme in ["simt-stack", "convergence-barrier", "dual-path"] {
        let (_, s) = run(PATHS, &cached(&[("divergence", scheme)]));
        // setp and add read r0; the last add reads r1 twice, from one entry.
        assert_eq!(levels(&s), ([4, 4], [0, 0], [0, 0]), "{scheme}");
        // Each of the values in r1 is read twice by the last add.
        assert_eq!(values(&s), [1, 0, 3, 0], "{scheme}");
    }
}

#[test]
fn a_last_read_of_a_path_is_of_its_lanes_where_paths_take_turns() {
    // The lower lanes read r0 for the last time, and the upper ones read it later. Two entries: r1 and r2 of the first path
    // evict r0, which then is dead in all lanes, or in two.
    let code = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2\n@p0 bra L !reconverge M\n\
        add.i32 r1, r0, 1 !last 0\n mov.b32 r2, 1\n mov.b32 r3, 1\n bra M\nL:\n add.i32 r1, r0, 2 !last 0\nM:\n exit";
    let machine = [("register-cache.entries", "2"), ("divergence", "multi-path")];
    let (_, s) = run(code, &cached(&machine));
    assert_eq!((s.register_write_backs > 0, s.register_cache_reads + s.register_reads), (true, 3));
}

/// Local and shared memory, a barrier, divergence, atomics, pairs and an early exit, in seven blocks.
fn everything() -> Run {
    let mut run = Run::new(include_str!("kernels/everything.s"), "tiny");
    run.parameters = vec![0x1000_0000, 0, 29];
    run.constant = (0..64).collect();
    (run.grid, run.block) = ([7, 1, 1], [31, 1, 1]);
    run
}

#[test]
fn with_every_divergence_scheme_and_affine_mechanism() {
    let mut functional = everything();
    functional.launch(Model::Functional).expect("it runs");
    let mut refused = Vec::new();
    for file in [
        "register-cache",
        "drowsy",
        "pilot",
        "compressed",
        "virtualized",
        "compiler-managed",
        "regless",
    ] {
        for other in mechanisms().iter().filter(|it| ["divergence", "affine"].contains(&it.slot)) {
            let sets = [("register-file", file), (other.slot, other.name), ("sm.warps", "16")];
            let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
            match load_machine("tiny", &sets) {
                Ok(machine) => {
                    let mut run = Run { machine, ..everything() };
                    run.timing();
                    assert_eq!(run.global, functional.global, "{file} with {}", other.name);
                }
                Err(why) => {
                    let expected = format!(
                        "`{file}` keeps registers by warp: it does not go with `{}`, whose paths may hold threads of \
                         several warps",
                        other.name
                    );
                    let staged = format!(
                        "`{file}` keeps registers in memory as the compiler cut the code: it does not go with `{}` in the \
                         slot `affine`",
                        other.name
                    );
                    match file == "regless" && other.slot == "affine" {
                        true => assert_eq!(why, staged),
                        false => {
                            assert_eq!(why, expected);
                            refused.push(other.name);
                        }
                    }
                }
            }
        }
    }
    refused.dedup();
    let schemes =
        ["block-compaction", "block-compaction-plus", "capri", "warp-formation", "large-warp"];
    assert_eq!(refused, schemes.repeat(7));
}

#[test]
fn no_value_is_lost() {
    // Everything that is read or written is at one level, whatever the size; and memory is that of the functional model.
    let start = everything();
    let mut functional = start.clone();
    functional.launch(Model::Functional).expect("it runs");
    let mut found: Option<[u64; 2]> = None;
    for entries in ["1", "2", "6", "64"] {
        let mut run = start.clone();
        let sets = cached(&[("register-cache.entries", entries)]);
        let sets: Vec<_> =
            sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let s = run.timing().statistics;
        assert_eq!(run.global, functional.global, "{entries}");
        let values = values(&s).iter().sum::<u64>();
        assert_eq!(values, s.register_cache_writes, "every result is a value");
        assert_eq!(s.register_writes, s.register_write_backs, "all warps are active");
        let all = [s.register_cache_writes, values];
        assert_eq!(*found.get_or_insert(all), all, "{entries}");
    }
}

#[test]
fn a_drowsy_register_wakes_up_before_it_is_accessed() {
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n exit";
    let drowsy = |wake| {
        let sets = [
            ("banked.ports", "6"),
            ("scoreboard.entries", "0"),
            ("register-file", "drowsy"),
            ("drowsy.wake", wake),
        ];
        let (cycles, s) = run(code, &sets);
        let drowsy = s.mechanisms.get("register_drowsy_cycles");
        let all = [s.register_awake_cycles, drowsy, s.register_off_cycles];
        assert_eq!(all.iter().sum::<u64>(), 8192 * cycles, "each register is in one state");
        (cycles, all[0], all[1])
    };
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: add 8 reads both in 9 (10, 14), exit 9. Four accesses of a cycle each; the fifth,
    // of the add's result, comes after the end. The block has 8 registers, for 10 cycles.
    assert_eq!(drowsy("0"), (11, 4, 76));
    // The add has a collector in 9, and reads in 10 (11, 15). An access takes two cycles.
    assert_eq!(drowsy("1"), (12, 8, 80));
    // Too late for the results of 3 and 4: mov (3, 10), mov (4, 11); add 11 has a collector in 12, reads in 19 (20, 27): four accesses
    // of 8 cycles, and the first cycle, 20, of the fifth.
    assert_eq!(drowsy("7"), (21, 33, 127));
}

#[test]
fn a_register_is_awake_until_all_that_woke_it_have_read_it() {
    // Both adds have collectors before the first has read: r0 wakes once, in 9, and is read in 17 and 18.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r0\n add.i32 r3, r0, 1\n exit";
    let sets = [("scoreboard.entries", "0"), ("register-file", "drowsy"), ("drowsy.wake", "8")];
    let (_, s) = run(code, &sets);
    // Results of the moves: 9 each. mov (3, 11), mov (4, 12). The first add has a collector in 12, the second one in 13; r0 is awake
    // from 20 on, is read in 20 and 21 by the first and in 22 by the second, since it has one bank: 12 to 22. The adds' results
    // wake their registers 2 cycles and 1 before the end.
    assert_eq!(s.register_awake_cycles, 2 * 9 + 11 + 2 + 1);
}

/// Runs code for a grid of blocks of one warp each on the one SM of `tiny` under `pilot`.
fn piloted(code: &str, blocks: u32, sets: &[(&str, &str)]) -> (u64, Statistics) {
    let all = [("register-file", "pilot"), ("scoreboard.entries", "0"), ("banked.ports", "6")];
    let sets = all.iter().chain(sets);
    let sets: Vec<_> = sets.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let mut run = Run::code(code).grid(blocks);
    run.machine = load_machine("tiny", &sets).expect("it is a machine");
    let report = run.timing();
    (report.cycles, report.statistics)
}

#[test]
fn a_slow_bank_is_in_use_for_the_whole_of_an_access() {
    // Nothing is fast. mov 1 (3): its bank is written in 7, 8 and 9; mov 2 (4): 8 to 10. fetch 3: add 10 has a collector in 11, reads
    // both in 11 to 13 (14), exit 11.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n exit";
    let (cycles, s) = piloted(code, 1, &[("pilot.fast", "0")]);
    assert_eq!((cycles, levels(&s)), (15, ([0, 0], [2, 3], [0, 0])));
    // One bank: the results are written in 7 to 9 and 10 to 12; add 12 reads in 13 to 15 and 16 to 18 (19).
    let (cycles, s) = piloted(code, 1, &[("pilot.fast", "0"), ("banked.banks", "1")]);
    assert_eq!((cycles, levels(&s)), (20, ([0, 0], [2, 3], [0, 0])));
    // All three are fast: as on a file of one cycle.
    let (cycles, s) = piloted(code, 1, &[]);
    assert_eq!((cycles, levels(&s)), (11, ([2, 3], [0, 0], [0, 0])));
    let (cycles, _) = piloted(code, 1, &[("pilot.fast", "0"), ("pilot.slow", "1")]);
    assert_eq!(cycles, 11);
}

#[test]
fn the_first_block_chooses_the_fast_registers() {
    // The pilot accesses r5 four times, and r0 and r1 once each; it has r0 in the fast part. Blocks are resident one at a time.
    let code = "mov.b32 r5, 1\n add.i32 r5, r5, r5\n mov.b32 r0, 2\n mov.b32 r1, 2\n exit";
    let one = [("pilot.fast", "1"), ("sm.blocks", "1")];
    let (_, s) = piloted(code, 1, &one);
    assert_eq!(levels(&s), ([0, 1], [2, 3], [0, 0]));
    // The second block has r5 there.
    let (_, s) = piloted(code, 2, &one);
    assert_eq!(levels(&s), ([2, 1 + 2], [2, 3 + 2], [0, 0]));
}

/// Runs code on a machine with 16 banks, whose collectors receive all operands at once.
fn with_ports(code: &str, sets: &[(&str, &str)]) -> (u64, Statistics) {
    let ports = [("banked.ports", "6"), ("scoreboard.entries", "0")];
    run(code, &[&ports[..], sets].concat())
}

/// Reads, writes and expansions of compressed registers; and the bytes that reads and writes left out.
fn compression(s: &Statistics) -> ([u64; 3], [u64; 2]) {
    (
        [
            s.mechanisms.get("register_compressed_reads"),
            s.mechanisms.get("register_compressed_writes"),
            s.mechanisms.get("register_expansions"),
        ],
        [s.register_read_bytes_saved, s.register_write_bytes_saved],
    )
}

#[test]
fn compressed_registers_are_read_in_part_and_later() {
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n exit";
    let compressed = |compress, decompress| {
        let latencies = [("compressed.compress", compress), ("compressed.decompress", decompress)];
        with_ports(code, &[&[("register-file", "compressed")], &latencies[..]].concat())
    };
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: add 8 reads both in 9 (10). Each register has one value: 4 bytes of 16.
    let (cycles, s) = compressed("0", "0");
    assert_eq!((cycles, compression(&s)), (11, ([2, 3, 0], [24, 36])));
    assert_eq!([s.register_reads, s.register_writes], [2, 3]);
    // Five cycles later.
    assert_eq!(compressed("0", "5").0, 16);
    // mov 1 (3, 8), mov 2 (4, 9); add 9 reads in 10 (12), and its block is over in that cycle.
    let (cycles, s) = compressed("1", "1");
    assert_eq!((cycles, compression(&s)), (13, ([2, 3, 0], [24, 36])));
    // A bank has 8 chunks of 2 bytes. r0 takes two chunks from 3 on, and r1 two others from 4 on, when their results are known.
    assert_eq!(
        s.mechanisms.get("register_gated_cycles"),
        16 * 8 * 13 - 2 * (12 - 3) - 2 * (12 - 4)
    );
}

#[test]
fn values_in_a_row_are_base_and_deltas() {
    // 0 to 3: a base of four bytes and a delta of one byte for each lane, or three bytes that are the same and one byte for each.
    // 8 of 16 bytes, in four chunks of two.
    let code = "mov.b32 r0, tid.x\n add.i32 r1, r0, 0\n exit";
    for encoding in ["base-delta-immediate", "common-bytes"] {
        let sets = [("register-file", "compressed"), ("compressed.encoding", encoding)];
        assert_eq!(compression(&with_ports(code, &sets).1), ([1, 2, 0], [8, 16]), "{encoding}");
    }
    // In eight chunks of two bytes 7 bytes are as 8; in sixteen of one they are less.
    let sets = [
        ("register-file", "compressed"),
        ("compressed.encoding", "common-bytes"),
        ("compressed.chunks", "16"),
    ];
    assert_eq!(compression(&with_ports(code, &sets).1), ([1, 2, 0], [9, 18]));
}

#[test]
fn a_compressed_register_that_some_threads_write_is_expanded() {
    // Two of four lanes write r0, which had one value: it is read (12 bytes less) and written in full. 0, 1, 7, 7 is compressed again.
    let code = "mov.b32 r2, tid.x\n mov.b32 r0, 7\n setp.lt.u32 p0, r2, 2\n@p0 mov.b32 r0, r2\n add.i32 r1, r0, 0\n exit";
    let (_, s) = with_ports(code, &[("register-file", "compressed")]);
    assert_eq!(compression(&s), ([3, 3, 1], [8 + 8 + 12, 8 + 12 + 8]));
    assert_eq!([s.register_reads, s.register_writes], [4, 4]);
}

#[test]
fn values_and_live_registers_are_followed_if_that_is_asked_for() {
    // mov 1, mov 2, add 8 reads both for the last time, exit 9: r0 is live for 7 cycles, r1 for 6, r2 for one.
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1 !last 0,1\n exit";
    let (cycles, s) = with_ports(code, &[("banked.follow", "true")]);
    assert_eq!((cycles, values(&s)), (11, [1, 2, 0, 0]));
    assert_eq!([s.register_live_cycles, s.max_live_registers], [14, 2]);
    assert_eq!(s.values_read_once_share(), Some(2.0 / 3.0));
    // A warp of 8 registers is there for 10 cycles.
    assert_eq!([s.registers, s.resident_warp_cycles], [8, 10]);
    assert_eq!(s.live_register_share(), Some(14.0 / 80.0));
    let (cycles, s) = with_ports(code, &[]);
    assert_eq!((cycles, values(&s), s.register_live_cycles), (11, [0; 4], 0));
    assert_eq!((s.values_read_once_share(), s.live_register_share()), (None, None));
}

/// A machine with 16 registers of warps, of which some percent are physical.
fn virtualized<'a>(physical: &'a str, more: &[(&'a str, &'a str)]) -> Machine {
    let sets = [
        ("register-file", "virtualized"),
        ("virtualized.physical", physical),
        ("sm.registers", "64"),
        ("sm.warps", "16"),
        ("scoreboard.entries", "0"),
        ("banked.ports", "6"),
    ];
    let sets = sets.iter().chain(more);
    let sets: Vec<_> = sets.map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine("tiny", &sets).expect("it is a machine")
}

/// Code whose warps have two registers, then one, in blocks of one warp.
fn two_then_one(blocks: u32, machine: Machine) -> Run {
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1 !last 0,1\n exit";
    Run { machine, ..Run::code(code).grid(blocks) }
}

#[test]
fn registers_are_given_out_at_writes_and_given_back_after_last_reads() {
    let report = two_then_one(1, virtualized("100", &[("virtualized.subarrays", "16")])).timing();
    // mov 1, mov 2, add 8 reads in 9 and leaves in 10; exit 9. r0 takes the first physical register in 1, r1 the second one in 2,
    // and r2 the third one in 8. r0 and r1 are free in 10, r2 is so when the warp has ended and its instruction has read, in 10 too.
    let s = report.statistics;
    assert_eq!((report.cycles, s.mechanisms.get("renames"), s.slots_throttled), (11, 3, 0));
    assert_eq!([s.register_awake_cycles, s.register_off_cycles], [9 + 8 + 2, 16 * 11 - 19]);
    // In one subarray all are awake from 1 to 10.
    let report = two_then_one(1, virtualized("100", &[("virtualized.subarrays", "1")])).timing();
    assert_eq!(report.statistics.register_awake_cycles, 16 * 9);
}

#[test]
fn a_register_that_is_read_and_written_keeps_its_physical_one() {
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, 1 !last 0\n add.i32 r0, r0, 1 !last 0\n exit";
    let mut run = Run { machine: virtualized("100", &[]), ..Run::code(code) };
    assert_eq!(run.timing().statistics.mechanisms.get("renames"), 1);
}

#[test]
fn registers_below_the_threshold_are_a_blocks_from_its_start() {
    let machine =
        virtualized("100", &[("virtualized.threshold", "2"), ("virtualized.subarrays", "16")]);
    let s = two_then_one(1, machine).timing().statistics;
    // r0 and r1 from 0 to 10, r2 from 8 to 10.
    assert_eq!((s.mechanisms.get("renames"), s.register_awake_cycles), (1, 10 + 10 + 2));
}

#[test]
fn all_but_the_oldest_block_leave_what_it_may_need() {
    // Both blocks are there from the start; each may have 8 registers.
    let whole = two_then_one(2, virtualized("100", &[])).timing();
    assert_eq!((whole.cycles, whole.statistics.slots_throttled), (13, 0));
    // With 8 registers, the second block gets none until the first one's add leaves, in 10; then it issues as the first one did: mov 11,
    // mov 12, add 18, which leaves in 20.
    let half = two_then_one(2, virtualized("50", &[])).timing();
    assert_eq!((half.cycles, half.statistics.slots_throttled > 0), (21, true));
    // With 10, it gets two. Its add is ready in 10 and waits for the first block, which is over in 11 now that they share the fetches: it
    // issues in 12, two cycles later.
    let more = two_then_one(2, virtualized("63", &[])).timing();
    assert_eq!(more.cycles, 15);
    assert_eq!(
        [whole, half, more].map(|report| report.statistics.mechanisms.get("renames")),
        [6; 3]
    );
}

#[test]
fn metadata_instructions_take_issue_slots() {
    // Two for four instructions. The first takes the slot in 1, and all is a cycle later: mov 2, mov 3. The second one is ready with
    // the add, and takes its slot in 9: add 10 leaves in 12.
    let report = two_then_one(1, virtualized("100", &[("virtualized.metadata", "2")])).timing();
    assert_eq!((report.cycles, report.statistics.slots_register_file), (13, 2));
    // A loop in one group reads it once; one of two groups reads each of them every time.
    let code = "mov.b32 r0, 5\nL:\n add.i32 r0, r0, -1\n setp.ne.i32 p0, r0, 0\n@p0 bra L\n exit";
    for (metadata, slots) in [("8", 1), ("3", 2 + 2 * 4)] {
        let machine = virtualized("100", &[("virtualized.metadata", metadata)]);
        let s = Run { machine, ..Run::code(code) }.timing().statistics;
        assert_eq!(s.slots_register_file, slots, "{metadata}");
    }
}

#[test]
fn a_block_that_can_never_fit_is_refused() {
    let fault = two_then_one(1, virtualized("25", &[])).launch(Model::Timing);
    assert_eq!(
        fault,
        Err(Fault::DoesNotFit { what: "physical registers of warps", need: 8, have: 4 })
    );
}

#[test]
fn a_block_waits_for_registers_that_are_not_renamed() {
    // Half of each warp's registers are not renamed. The first block has 4 of 10 registers and may need 4 more; the second one's
    // 4 are not there before it is over.
    let sets = [("virtualized.threshold", "4")];
    let report = two_then_one(2, virtualized("63", &sets)).timing();
    let alone = two_then_one(1, virtualized("63", &sets)).timing();
    assert_eq!(report.statistics.max_live_registers, 0);
    assert!(report.cycles >= 2 * alone.cycles - 3, "{} {}", report.cycles, alone.cycles);
    assert_eq!(report.statistics.slots_throttled, 0);
}

#[test]
fn tables_of_renamed_registers_take_what_the_book_says() {
    // 128 KB of registers, 48 warps, 63 registers per thread: 3.8 KB; with a threshold 1 KB.
    let bytes = |threshold: &str| {
        let mut run = Run::new(".kernel k\n.registers 63\n exit", "gtx480");
        let sets = [
            ("register-file", "virtualized"),
            ("virtualized.physical", "100"),
            ("virtualized.threshold", threshold),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        run.machine = load_machine("gtx480", &sets).expect("it is a machine");
        assert_eq!((run.machine.sm.registers * 4, run.machine.sm.warps), (128 << 10, 48));
        run.timing().statistics.mechanisms.get("rename_table_bits") / 8
    };
    assert_eq!([bytes("0"), bytes("46")], [3780, 1020]);
}

#[test]
fn with_few_physical_registers_every_block_ends() {
    let mut functional = everything();
    functional.launch(Model::Functional).expect("it runs");
    // A block of 8 warps has 112 registers. There is room for four blocks.
    let mut found = Vec::new();
    for physical in ["100", "50", "34", "25"] {
        for scheduler in ["loose-round-robin", "greedy-then-oldest", "youngest-first", "two-level"]
        {
            let sets = [
                ("register-file", "virtualized"),
                ("virtualized.physical", physical),
                ("sm.registers", "1792"),
                ("scheduler", scheduler),
                ("two-level.variant", "active-pool"),
                ("two-level.pool", "1"),
            ];
            let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
            let machine = load_machine("tiny", &sets).expect("it is a machine");
            let mut run = Run { machine, ..everything() };
            let s = run.timing().statistics;
            assert_eq!(run.global, functional.global, "{physical} {scheduler}");
            if scheduler == "loose-round-robin" {
                found.push((s.mechanisms.get("renames"), s.slots_throttled > 0));
            }
        }
    }
    let renames = found[0].0;
    assert_eq!(found, [(renames, false), (renames, true), (renames, true), (renames, true)]);
}

#[test]
fn with_all_physical_registers_cycles_are_those_of_banks() {
    let banked = everything().timing();
    let machine = load_machine(
        "tiny",
        &[
            ("register-file".to_string(), "virtualized".to_string()),
            ("virtualized.physical".to_string(), "100".to_string()),
        ],
    );
    let virtualized = Run { machine: machine.expect("it is a machine"), ..everything() }.timing();
    assert_eq!(banked.cycles, virtualized.cycles);
}

/// With one bank, and registers at the levels that the code says.
fn managed<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("register-file", "compiler-managed")], &ONE_BANK[..], more].concat()
}

/// Reads and writes of the last result file.
fn last_results(s: &Statistics) -> [u64; 2] {
    [s.last_result_reads, s.last_result_writes]
}

#[test]
fn registers_are_where_the_code_says() {
    // As with a register cache: fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: add 8 reads in 9 beside the bank (10), add 9 reads in
    // 10 and 11 (12). The sums go to the bank.
    let code = "mov.b32 r0, 1 !write lrf\n mov.b32 r1, 2 !write orf0\n add.i32 r2, r0, r1 !read lrf,orf0\n\
        add.i32 r3, r4, r5\n exit";
    let (cycles, s) = run(code, &managed(&[]));
    assert_eq!((cycles, levels(&s), last_results(&s)), (13, ([2, 2], [2, 2], [0, 0]), [1, 1]));
    // On a machine without these levels the code runs as any other.
    let (cycles, s) = run(code, &ONE_BANK);
    assert_eq!((cycles, levels(&s), last_results(&s)), (14, ([0, 0], [4, 4], [0, 0]), [0, 0]));
    // And code that says nothing runs as on that machine.
    let plain = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n add.i32 r3, r4, r5\n exit";
    let (cycles, s) = run(plain, &managed(&[]));
    assert_eq!((cycles, levels(&s), last_results(&s)), (14, ([0, 0], [4, 4], [0, 0]), [0, 0]));
}

#[test]
fn a_result_at_both_levels_is_there_when_it_is_in_its_bank() {
    // A pair takes two passes, mov 1 (3, 8), and is written to its bank in two cycles, 8 and 9: add 9 reads in 10 (11). At the upper
    // level alone it is there in 8: add 8 reads in 9 (10).
    let code = |main| {
        format!(
            "mov.b64 r0:1, 1 !write orf0{main}\n add.i64 r2:3, r0:1, 1 !read orf0 !write orf0\n exit"
        )
    };
    let (cycles, s) = run(&code(",main"), &managed(&[]));
    assert_eq!((cycles, levels(&s)), (12, ([2, 4], [0, 2], [0, 0])));
    let (cycles, s) = run(&code(""), &managed(&[]));
    assert_eq!((cycles, levels(&s)), (11, ([2, 4], [0, 0], [0, 0])));
}

#[test]
fn a_warp_leaves_the_pool_where_a_strand_begins() {
    let pool =
        [("scheduler", "two-level"), ("two-level.variant", "active-pool"), ("two-level.pool", "1")];
    // Two blocks of one warp; a load that takes long, and its use.
    let cycles = |strand: &str| {
        let code = format!(
            "mov.b32 r0, ctaid.x !write lrf\n shl.b32 r0, r0, 11 !read lrf !write lrf\n\
             add.i32 r0, r0, 0x10000000 !read lrf !write lrf\n ld.global.b32 r1, [r0] !read lrf\n\
             add.i32 r2, r1, 1{strand}\n exit"
        );
        let sets = managed(&pool);
        let sets: Vec<_> =
            sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let machine = load_machine("tiny", &sets).expect("it is a machine");
        Run { machine, ..Run::code(&code).grid(2) }.timing().cycles
    };
    // Where no strand begins the first warp keeps its place until its load is there, and the second one waits.
    let (one, two) = (cycles(" !strand"), cycles(""));
    assert!(two > one + one / 2, "{one} and {two}");
}

#[test]
fn a_register_that_is_not_where_the_code_says_is_a_fault_of_the_compiler() {
    let cases = [
        ("add.i32 r1, r0, 1 !read lrf\n exit", "`r0` is in the last result file; it is not"),
        (
            "mov.b32 r0, 1 !write orf1\n add.i32 r1, r0, 1\n exit",
            "`r0` is in the main register file; it is not",
        ),
        // Another result has the entry.
        (
            "mov.b32 r0, 1 !write orf1\n mov.b32 r2, 1 !write orf1\n add.i32 r1, r0, 1 !read orf1\n exit",
            "`r0` is in the operand register file from entry 1 on; it is not",
        ),
        // The register has another value by now.
        (
            "mov.b32 r0, 1 !write lrf,main\n mov.b32 r0, 2\n add.i32 r1, r0, 1 !read lrf\n exit",
            "`r0` is in the last result file; it is not",
        ),
        // A strand begins, and half of the lanes have written.
        (
            "mov.b32 r0, 1 !write lrf,main\n add.i32 r1, r0, 1 !read lrf !strand\n exit",
            "`r0` is in the last result file; it is not",
        ),
        (
            "mov.b32 r0, tid.x !write lrf\n setp.lt.u32 p0, r0, 2 !read lrf\n@p0 bra L !reconverge L\n\
             mov.b32 r0, 7 !write orf0,main\nL:\n add.i32 r1, r0, 1 !read orf0\n exit",
            "`r0` is in the operand register file from entry 0 on; it is not",
        ),
    ];
    for (code, expected) in cases {
        let fault = Run::code(code).fault().to_string();
        assert!(fault.contains(expected), "{code}: {fault}");
    }
    let good = "mov.b64 r0:1, 1 !write orf0\n add.i64 r2:3, r0:1, 1 !read orf0 !write orf2,main\n\
        add.i64 r2:3, r2:3, 1 !read orf2\n add.i64 r4:5, r2:3, 1 !strand\n exit";
    Run::code(good).timing();
}

#[test]
fn code_for_levels_that_the_machine_lacks_is_refused() {
    let refused = |code: &str, key: &str, value: &str| {
        let sets = [("register-file", "compiler-managed"), (key, value)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let machine = load_machine("tiny", &sets).expect("it is a machine");
        Run { machine, ..Run::code(code) }.fault().to_string()
    };
    let code = "mov.b32 r0, 1 !write orf2\n exit";
    assert!(refused(code, "compiler-managed.entries", "2").contains("more than 2 entries"));
    let code = "mov.b32 r0, 1 !write lrf\n exit";
    assert!(refused(code, "compiler-managed.last-result", "false").contains("a last result file"));
}

/// A unit of one bank with so many entries.
fn staged(entries: &str) -> [(&str, &str); 5] {
    [
        ("register-file", "regless"),
        ("regless.banks", "1"),
        ("regless.entries", entries),
        ("banked.ports", "6"),
        ("scoreboard.entries", "0"),
    ]
}

/// Regions; registers that were there and that came; that were written back and that were not; compressed ones, and accesses.
fn staging(s: &Statistics) -> [u64; 7] {
    [
        s.mechanisms.get("staged_regions"),
        s.mechanisms.get("staging_hits"),
        s.mechanisms.get("staging_misses"),
        s.mechanisms.get("staging_write_backs"),
        s.mechanisms.get("staging_erasures"),
        s.mechanisms.get("staging_compressed"),
        s.register_line_accesses,
    ]
}

#[test]
fn registers_of_a_region_come_before_it_begins() {
    let code = "mov.b32 r0, 1 !region !evict result\n mov.b32 r1, 2 !evict result\n mov.b32 r2, 3 !evict result\n\
        mov.b32 r3, 4 !region !evict result\n\
        add.i32 r4, r0, r3 !last 0,1 !region !preload r0,r3 !evict 0,1,result\n exit";
    // fetch 0: mov 1 (3, 7), mov 2 (4, 8); fetch 3: mov 4 (6, 10), mov 5 (7, 11); fetch 6: add 11 reads in 12 and 13 (14). The
    // regions begin in the cycle after their paths come: 5 and 6.
    let (cycles, s) = run(code, &staged("5"));
    assert_eq!((cycles, staging(&s), s.slots_throttled), (15, [3, 2, 0, 0, 5, 0, 0], 0));
    assert_eq!(levels(&s).1, [2, 5]);
    // The sum needs an entry in 11: r1 leaves, which was written before r2. Its bank, which r3 is written to in 11, is read in 12, and
    // by the add in 13 and 14 (15).
    let (cycles, s) = run(code, &staged("4"));
    assert_eq!((cycles, staging(&s), s.slots_throttled), (16, [3, 2, 0, 1, 4, 1, 1], 0));
    assert_eq!(levels(&s).1, [3, 5]);
    // r3 takes the entry of r0 in 5; that is read in 9, since its bank is written to in 7 and 8, and goes to the first level in 10. The
    // last region holds three registers, and finds room when the third and the fourth mov have left in 7. r0 takes the entry of
    // r1, which is read in 12, after writes in 10 and 11, and goes in 13; the load of r0 goes in 14 and hits (24). It is written in 24:
    // add 25 takes the entry of r2, which is read in 25, and reads in 26 and 27 (28).
    let plain = [&staged("3")[..], &[("regless.compress", "false")]].concat();
    let (cycles, s) = run(code, &plain);
    assert_eq!((cycles, staging(&s)), (29, [3, 1, 1, 3, 2, 0, 4]));
    assert_eq!((levels(&s).1, s.l1_hits, s.l1_misses, s.l1_local_stores), ([5, 6], 1, 0, 3));
    // A base and a stride take a quarter of a sector: of that of r0 and r1 the rest is fetched.
    let (cycles, s) = run(code, &staged("3"));
    assert_eq!((staging(&s), s.l1_hits, s.l1_misses), ([3, 1, 1, 3, 2, 4, 4], 0, 1));
    assert!(cycles > 29);
}

#[test]
fn code_without_regions_is_staged_instruction_by_instruction() {
    let code = "mov.b32 r0, 1\n mov.b32 r1, 2\n add.i32 r2, r0, r1\n add.i32 r3, r4, r5\n exit";
    let (cycles, s) = run(code, &staged("8"));
    assert_eq!((cycles, staging(&s)), (14, [5, 2, 0, 0, 4, 0, 0]));
}

#[test]
fn a_region_waits_for_what_comes_from_far_without_entries() {
    // Two blocks of one warp, and entries for one region of two registers beside a load. The first warp keeps none but that of the load
    // while it waits, so that the second one goes on meanwhile.
    let code = "mov.b32 r0, ctaid.x !region\n shl.b32 r0, r0, 11\n add.i32 r0, r0, 0x10000000\n\
        ld.global.b32 r1, [r0] !evict 0,result\n add.i32 r2, r1, 1 !region !preload r1 !evict 0,result\n exit";
    let cycles = |entries: &str| {
        let sets = staged(entries).map(|(key, value)| (key.to_string(), value.to_string()));
        let machine = load_machine("tiny", &sets).expect("it is a machine");
        Run { machine, ..Run::code(code).grid(2) }.timing().cycles
    };
    let (many, few) = (cycles("16"), cycles("3"));
    assert!(few < many + 40, "{many} and {few}");
}

#[test]
fn a_register_that_is_not_staged_is_a_fault_of_the_compiler() {
    let divergent = |preload: &str| {
        format!(
            "mov.b32 r0, tid.x !region\n mov.b32 r1, 5\n setp.lt.u32 p0, r0, 2\n@p0 bra L !reconverge L\n\
             mov.b32 r1, 7 !region{preload}\nL:\n add.i32 r2, r1, 1 !region !preload r1\n exit"
        )
    };
    let erased = "mov.b32 r0, 1 !region\n add.i32 r1, r1, 1 !region !preload r1 !erase r0\n\
        add.i32 r1, r0, 1 !region !preload r0\n exit";
    for (code, register) in [(divergent(""), "r1"), (erased.to_string(), "r0")] {
        let fault = Run::code(&code).fault().to_string();
        let expected = format!(
            "`{register}` is read here, but the region has not brought it in, or its value was lost"
        );
        assert!(fault.contains(&expected), "{code}: {fault}");
    }
    Run::code(&divergent(" !preload r1")).timing();
}

#[test]
fn a_region_that_no_bank_holds_is_refused() {
    let sets = [("register-file", "regless"), ("regless.entries", "4"), ("regless.banks", "2")];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let machine = load_machine("tiny", &sets).expect("it is a machine");
    let fault = Run { machine, ..Run::code("add.i32 r0, r2, r4\n exit") }.fault().to_string();
    let expected = "needs 3 registers of one bank of the operand staging unit, which has 2";
    assert!(fault.contains(expected), "{fault}");
}
