//! The core that delivers operands in a fixed time, beside the numbers of Huerta, Abaie Shoushtary, Cruz,
//! González, "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025: in which cycles
//! instructions issue, counted from the first one that does.

use crate::support::Run;
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::load_machine;
use reconverge_simulator::observe::trace::{TracedInstruction, Window};

/// The machine of the paper, as far as the core is concerned; instructions are there.
const CORE: &[(&str, &str)] = &[
    ("sm.operand-delivery", "fixed-latency"),
    ("sm.dependences", "control-bits"),
    ("scheduler", "compiler-guided"),
    ("instruction-cache.size", "0"),
    ("fetch.width", "8"),
    ("fetch.buffer", "8"),
    ("fetch.policy", "room"),
    ("l1.latency", "19"),
    ("shared.latency", "12"),
    ("constant.latency", "15"),
    ("constant.size", "0"),
    ("constant.l0-size", "0"),
    ("load-store.interval", "2"),
];

/// A run of some code by some threads, with settings of the core.
fn run(code: &str, threads: u32, sets: &[(&str, &str)]) -> Run {
    let text = format!(".kernel k\n.registers 64\n.predicates 2\n.shared 4096\n{code}");
    let mut run = Run::new(&text, "h100").block(threads);
    let sets: Vec<_> =
        CORE.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string())).collect();
    run.machine = load_machine("h100", &sets).unwrap_or_else(|error| panic!("{error}"));
    run.parameters = vec![GLOBAL_BASE];
    run.constant = vec![0; 64];
    run.limits.trace =
        Some(Window { first: 0, end: u64::MAX, sm: None, limit: 1000, follow: None });
    run
}

/// The instructions of a run, in the order of issue.
fn issued(code: &str, threads: u32, sets: &[(&str, &str)]) -> Vec<TracedInstruction> {
    let report = run(code, threads, sets).timing();
    report.traces[0].instructions.clone()
}

/// The cycles between the issues of two instructions of a warp, by their places in the code.
fn between(code: &str, first: u32, second: u32) -> u64 {
    let all = issued(code, 32, &[]);
    let at = |pc: u32| all.iter().find(|it| it.pc == pc).map(|it| it.issue).expect("it issues");
    at(second) - at(first)
}

/// Table 1: when each memory instruction of a sub-core issues, with 1 to 4 sub-cores that have a warp
/// each. The first level holds none of them up.
#[test]
fn memory_instructions_issue_as_in_table_1() {
    const ENOUGH: &[(&str, &str)] = &[("load-store.queue", "64"), ("l1.mshr-merges", "64")];
    let loads: String =
        (0..12).map(|at| format!(" ld.global.b32 r{}, [r8] !stall 1 !wr 1\n", 10 + at)).collect();
    let code = format!(" mov.b32 r8, 0x10000000 !stall 5\n{loads} exit !wait 1");
    let expected: [(u32, [&[u64]; 8]); 4] = [
        (1, [&[2], &[3], &[4], &[5], &[6], &[13], &[17], &[21]]),
        (2, [&[2, 2], &[3, 3], &[4, 4], &[5, 5], &[6, 6], &[13, 15], &[17, 19], &[21, 23]]),
        (
            3,
            [
                &[2; 3],
                &[3; 3],
                &[4; 3],
                &[5; 3],
                &[6; 3],
                &[13, 15, 17],
                &[19, 21, 23],
                &[25, 27, 29],
            ],
        ),
        (
            4,
            [
                &[2; 4],
                &[3; 4],
                &[4; 4],
                &[5; 4],
                &[6; 4],
                &[13, 15, 17, 19],
                &[21, 23, 25, 27],
                &[29, 31, 33, 35],
            ],
        ),
    ];
    for (sub_cores, rows) in expected {
        let all = issued(&code, 32 * sub_cores, ENOUGH);
        let of = |pc: u32| -> Vec<u64> {
            let mut cycles: Vec<u64> =
                all.iter().filter(|it| it.pc == pc).map(|it| it.issue).collect();
            cycles.sort_unstable();
            cycles
        };
        let start = of(1)[0] - 2;
        for (row, cycles) in rows.iter().enumerate() {
            let found: Vec<u64> = of(1 + row as u32).iter().map(|cycle| cycle - start).collect();
            assert_eq!(found, *cycles, "{sub_cores} sub-cores, instruction {}", row + 1);
        }
        let each = [4, 4, 6, 8][sub_cores as usize - 1];
        for row in 8..12 {
            let before = of(row);
            let after: Vec<u64> = before.iter().map(|cycle| cycle + each).collect();
            assert_eq!(of(1 + row), after, "{sub_cores} sub-cores, instruction {}", row + 1);
        }
    }
}

/// Cycles of a load by its width, 32, 64 and 128 bits, until its address register can be overwritten and
/// until its result can be read.
struct Times {
    space: &'static str,
    address: &'static str,
    /// The register of the address; empty if it is a constant.
    source: &'static str,
    war: [u64; 3],
    raw: [u64; 3],
}

/// Table 2: from the issue of a memory instruction to that of one that overwrites a source (WAR), and of
/// one that needs its result (RAW, WAW).
#[test]
fn memory_instructions_take_the_times_of_table_2() {
    // The first access brings the line.
    let prologue = " mov.b32 r8, 0x10000000 !stall 5\n mov.b32 r9, 0x1000000 !stall 5\n \
                    mov.b32 r10, 0x3000000 !stall 5\n \
                    ld.global.b32 r20, [r8] !stall 2 !wr 0\n add.i32 r20, r20, r20 !wait 0 !stall 6\n";
    // Overwriting a source, and waiting for the result.
    let war = |access: &str, source: &str| {
        let written = if access.starts_with("ld") { "!wr 1" } else { "" };
        let code = format!(
            "{prologue} {access} !stall 2 !rd 2 {written}\n mov.b32 {source}, 1 !wait 2\n exit !wait 1"
        );
        between(&code, 5, 6)
    };
    let raw = |access: &str| {
        let code = format!("{prologue} {access} !stall 2 !wr 1\n mov.b32 r30, 1 !wait 1\n exit");
        between(&code, 5, 6)
    };
    let wide = |bits: u32| match bits {
        32 => ("b32", "r12"),
        64 => ("b64", "r12:13"),
        _ => ("b128", "r12:15"),
    };
    // By 32, 64 and 128 bits: the address and its register, WAR, RAW/WAW. An address that all lanes
    // share is a constant here, so that a load with it overwrites nothing.
    let loads = [
        Times { space: "global", address: "c[0]", source: "", war: [9; 3], raw: [29, 31, 35] },
        Times { space: "global", address: "r8", source: "r8", war: [11; 3], raw: [32, 34, 38] },
        Times { space: "shared", address: "0x1000000", source: "", war: [9; 3], raw: [23, 23, 25] },
        Times { space: "shared", address: "r9", source: "r9", war: [9; 3], raw: [24, 24, 26] },
    ];
    for load in loads {
        for (at, bits) in [32, 64, 128].into_iter().enumerate() {
            let (width, register) = wide(bits);
            let access = format!("ld.{}.{width} {register}, [{}]", load.space, load.address);
            assert_eq!(raw(&access), load.raw[at], "RAW of {access}");
            if !load.source.is_empty() {
                assert_eq!(war(&access, load.source), load.war[at], "WAR of {access}");
            }
        }
    }
    let stores = [
        ("global", "c[0]", [10, 12, 16]),
        ("global", "r8", [14, 16, 20]),
        ("shared", "0x1000000", [10, 12, 16]),
        ("shared", "r9", [12, 14, 18]),
    ];
    for (space, address, of_source) in stores {
        for (at, bits) in [32, 64, 128].into_iter().enumerate() {
            let (width, register) = wide(bits);
            let access = format!("st.{space}.{width} [{address}], {register}");
            assert_eq!(war(&access, "r12"), of_source[at], "WAR of {access}");
        }
    }
    assert_eq!(raw("ld.const.b32 r12, [0x3000000]"), 26);
    for access in ["ld.const.b32 r12, [r10]", "ld.const.b64 r12:13, [r10]"] {
        assert_eq!((war(access, "r10"), raw(access)), (29, 29), "{access}");
    }
}

/// The front end of the paper: instruction buffers of three entries, and a cache of each sub-core with a stream
/// buffer of eight lines.
const FRONT_END: &[(&str, &str)] = &[
    ("instruction-cache.size", "131072"),
    ("instruction-cache.l0-size", "16384"),
    ("instruction-cache.l0-latency", "12"),
    ("instruction-cache.l0-interval", "1"),
    ("instruction-cache.stream-buffer", "8"),
    ("fetch.width", "1"),
    ("fetch.latency", "2"),
    ("fetch.buffer", "3"),
    ("fetch.policy", "greedy"),
];

/// Warps of one scheduler, which execute 32 independent instructions after a barrier, the exit included: for
/// each cycle from the first issue on, the warp that issues. `second` are the control bits of the second
/// instruction, and `before` the instructions in front of the barrier.
fn timeline(second: &str, before: usize, front_end: &[(&str, &str)]) -> Vec<Option<u16>> {
    let body: String = (0..31)
        .map(|at| {
            let bits = if at == 1 { second } else { "!stall 1" };
            format!(" mov.b32 r{}, 1 {bits}\n", at % 16)
        })
        .collect();
    // The youngest arrives last, so that it has issued last.
    let start =
        " mov.b32 r20, tid.x !stall 5\n setp.lt.u32 p0, r20, 96 !stall 15\n @p0 bra ALL !stall 1\n";
    let delay = " mov.b32 r21, 1 !stall 15\n".repeat(before - 3);
    let code = format!("{start}{delay}ALL: bar.sync !stall 1\n{body} exit");
    let one = [("sm.schedulers", "1"), ("sm.sub-cores", "1")];
    let all = issued(&code, 128, &[&one[..], front_end].concat());
    let measured = before as u32 + 1..=before as u32 + 32;
    let all: Vec<_> = all.iter().filter(|it| measured.contains(&it.pc)).collect();
    let first = all[0].issue;
    let last = all.iter().map(|it| it.issue).max().unwrap_or(0);
    let warp_at = |cycle: u64| all.iter().find(|it| it.issue == cycle).map(|it| it.warp);
    (first..=last).map(warp_at).collect()
}

/// A timeline as runs of cycles.
fn runs(runs: &[(Option<u16>, usize)]) -> Vec<Option<u16>> {
    runs.iter().flat_map(|&(warp, cycles)| std::iter::repeat_n(warp, cycles)).collect()
}

/// Figure 4 (a): the youngest warp misses in the instruction cache after 16 instructions. The next one has the
/// line in time. Here the stream buffer of the miss before ends there, with its eighth line.
#[test]
fn a_warp_that_misses_in_the_instruction_cache_lets_another_go_as_in_figure_4a() {
    let [w0, w1, w2, w3] = [0, 1, 2, 3].map(Some);
    let expected = [(w3, 16), (w2, 32), (w3, 16), (w1, 32), (w0, 32)];
    assert_eq!(timeline("!stall 1", 7 * 8 - 1, FRONT_END), runs(&expected));
}

/// Figure 4 (b): the second instruction of each warp has a stall count. The paper says four, and shows four
/// cycles without an issue; by its Listing 2 a stall count of four leaves three.
#[test]
fn warps_take_turns_at_stall_counts_as_in_figure_4b() {
    let [w0, w1, w2, w3] = [0, 1, 2, 3].map(Some);
    let before = [(w3, 2), (w2, 2), (w1, 2), (w3, 30), (w2, 30), (w1, 30), (w0, 2)];
    let with = |bubbles: usize| runs(&[&before[..], &[(None, bubbles), (w0, 30)]].concat());
    for front_end in [&[], FRONT_END] {
        assert_eq!(timeline("!stall 5", 13, front_end), with(4));
        assert_eq!(timeline("!stall 4", 13, front_end), with(3));
    }
}

/// Figure 4 (c): the second instruction of each warp yields.
#[test]
fn warps_take_turns_at_yields_as_in_figure_4c() {
    let [w0, w1, w2, w3] = [0, 1, 2, 3].map(Some);
    let expected = [(w3, 2), (w2, 2), (w3, 30), (w2, 30), (w1, 2), (w0, 2), (w1, 30), (w0, 30)];
    for front_end in [&[], FRONT_END] {
        assert_eq!(timeline("!stall 1 !yield", 13, front_end), runs(&expected));
    }
}

/// Listing 2: between two reads of the clock, a stall count of 1 takes 5 cycles, and one of 4 takes 8.
#[test]
fn a_stall_count_takes_as_long_as_in_listing_2() {
    let elapsed = |stall: u32| {
        let code = format!(
            " mov.b32 r14, 1 !stall 1\n mov.b32 r20, 1 !stall 1\n add.f32 r1, r2, r3 !stall {stall}\n \
             fma.f32 r5, r4, r6, r8 !stall 1\n mov.b32 r20, 1 !stall 1\n mov.b32 r24, 1\n exit"
        );
        between(&code, 0, 5)
    };
    assert_eq!((elapsed(1), elapsed(4)), (5, 8));
}

/// §5.3: a load whose data arrive with a result of fixed latency in one bank is delayed by a cycle; two
/// results of fixed latency that arrive together are not.
#[test]
fn results_of_fixed_latency_precede_loads_at_the_write_port() {
    // The load issues in cycle 0 and has its data in 24. Additions that issue in 20 have their results then.
    let cycles = |register: u32| {
        let code = format!(
            " mov.b32 r9, 0x1000000 !stall 5\n ld.shared.b32 r12, [r9] !stall 15 !wr 0\n \
             mov.b32 r1, 1 !stall 5\n add.i32 r{register}, r2, r2 !stall 1\n add.i32 r30, r12, r12 !wait 0\n exit"
        );
        between(&code, 1, 4)
    };
    assert_eq!((cycles(14), cycles(15)), (25, 24));
}

/// §4: a counter rises a cycle after issue, so an instruction right behind does not see it.
#[test]
fn a_counter_rises_a_cycle_after_issue() {
    let load = |stall: u32, wait: &str| {
        let code = format!(
            " mov.b32 r9, 0x1000000 !stall 5\n ld.shared.b32 r12, [r9] !stall {stall} !wr 0\n \
             mov.b32 r1, 1 {wait}\n exit !wait 0"
        );
        between(&code, 1, 2)
    };
    assert_eq!([load(1, ""), load(1, "!wait 0"), load(2, "!wait 0")], [1, 1, 24]);
    // If something else keeps it until then, it sees the counter.
    let code = " mov.b32 r9, 0x1000000 !stall 5\n ld.shared.b32 r13, [r9] !stall 2 !wr 1\n \
                ld.shared.b32 r12, [r9] !stall 1 !wr 0\n mov.b32 r1, 1 !wait 0,1\n exit";
    // Its addresses are computed four cycles after those of the load that issued two cycles before.
    assert_eq!(between(code, 2, 3), 24 + 4 - 2);
}

/// §4: `depbar.le` waits until so many of a counter's loads are outstanding at most. Those of shared memory end in 24 cycles,
/// and each address is computed four cycles after the one before.
#[test]
fn depbar_waits_for_the_first_of_a_counters_loads() {
    let code = |limit: u32, read: &str| {
        format!(
            " mov.b32 r9, 0x1000000 !stall 5\n ld.shared.b32 r12, [r9] !stall 1 {read}\n \
             ld.shared.b32 r13, [r9+4] !stall 1 {read}\n ld.shared.b32 r14, [r9+8] !stall 2 {read}\n \
             depbar.le sb0, {limit} !stall 4\n add.i32 r1, r20, r20 !stall 1\n exit !wait 0,1"
        )
    };
    let cycles = |limit: u32| between(&code(limit, "!wr 0"), 1, 4);
    assert_eq!([0, 1, 2, 3].map(cycles), [32, 28, 24, 4]);
    // The sources of these are read when their addresses are computed.
    let read = |limit: u32| between(&code(limit, "!rd 0 !wr 1"), 1, 4);
    assert_eq!([0, 1, 2].map(read), [17, 13, 9]);
    // It holds the next instruction by its stall count.
    assert_eq!(between(&code(2, "!wr 0"), 1, 5), 24 + 4);
    // Right behind a load it does not see that yet.
    let early = code(2, "!wr 0").replace("!stall 2", "!stall 1");
    assert_eq!(between(&early, 1, 4), 3);
}

/// A counter ends at 63: the instruction that would raise it further waits. All loads wait for one line.
#[test]
fn the_sixty_fourth_load_of_a_counter_waits() {
    const ENOUGH: &[(&str, &str)] = &[("load-store.queue", "128"), ("l1.mshr-merges", "128")];
    let loads = |counters: u32| -> String {
        let load = |at: u32| {
            format!(" ld.global.b32 r{}, [r8] !stall 1 !wr {}\n", 10 + at % 50, at % counters)
        };
        (0..70).map(load).collect()
    };
    let at = |counters: u32| {
        let loads = loads(counters);
        let code = format!(" mov.b32 r8, 0x10000000 !stall 5\n{loads} exit !wait 0,1");
        let all = issued(&code, 32, ENOUGH);
        let of = |pc: u32| all.iter().find(|it| it.pc == pc).map_or(0, |it| it.issue);
        [63, 64].map(|number| of(number) - of(1))
    };
    let ([one, next], [free, after]) = (at(1), at(2));
    assert_eq!((one, after), (free, free + 4));
    assert!(next > one + 100, "{one} {next}");
}

/// §5.4: a constant operand whose line is not in the cache of its sub-core delays the issue by 79 cycles. §5.1.1: for
/// four of them no other warp issues either.
#[test]
fn a_miss_of_a_constant_operand_delays_issue() {
    const CONSTANTS: &[(&str, &str)] = &[
        ("constant.l0-size", "2048"),
        ("constant.l0-latency", "79"),
        ("sm.schedulers", "1"),
        ("sm.sub-cores", "1"),
    ];
    let code = " mov.b32 r1, 1 !stall 1\n mov.b32 r2, c[0] !stall 1\n mov.b32 r3, c[0]\n exit";
    let all = issued(code, 32, CONSTANTS);
    let at: Vec<u64> = all.iter().map(|it| it.issue - all[0].issue).collect();
    assert_eq!(at[..3], [0, 1 + 79, 2 + 79]);
    // A warp that misses keeps another one from issuing for four cycles.
    let moves: String = (0..60).map(|at| format!(" mov.b32 r{}, 1 !stall 2\n", at % 16)).collect();
    let code = format!(
        " mov.b32 r20, tid.x !stall 5\n setp.lt.u32 p0, r20, 32 !stall 15\n @p0 bra FREE !stall 1\n \
         mov.b32 r1, 1 !stall 15\n mov.b32 r2, c[0] !stall 1\n exit\n FREE: {moves} exit"
    );
    let all = issued(&code, 64, CONSTANTS);
    let free: Vec<u64> =
        all.iter().filter(|it| it.warp == 0 && it.pc > 5).map(|it| it.issue).collect();
    let longest = free.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert_eq!(longest, Some(1 + 4), "{free:?}");
}

/// §7.5: a scoreboard of this core also waits for reads, since instructions of varying latency read their sources late.
/// Table 2: a store has read its data after 14 cycles, a load its address after 11. With two entries, a third result
/// waits for the first.
#[test]
fn a_scoreboard_protects_sources_that_are_read_late() {
    const SCOREBOARD: (&str, &str) = ("sm.dependences", "scoreboard");
    let distance = |code: &str, entries: &str, [first, second]: [u32; 2]| {
        let all = issued(code, 32, &[SCOREBOARD, ("scoreboard.entries", entries)]);
        let at = |pc: u32| all.iter().find(|it| it.pc == pc).map(|it| it.issue).expect("it issues");
        at(second) - at(first)
    };
    let addresses = " mov.b32 r8, 0x10000000\n mov.b32 r9, 1\n";
    let overwritten = |access: &str, register: &str| {
        format!("{addresses}{access}\n mov.b32 {register}, 2\n exit")
    };
    let store = " st.global.b32 [r8], r9";
    assert_eq!(distance(&overwritten(store, "r9"), "0", [2, 3]), 14);
    assert_eq!(distance(&overwritten(" ld.global.b32 r10, [r8]", "r8"), "0", [2, 3]), 11);
    assert_eq!(distance(&overwritten(store, "r10"), "0", [2, 3]), 1);
    let results = format!(
        "{addresses} ld.shared.b32 r10, [0x1000000]\n mov.b32 r11, 2\n mov.b32 r12, 2\n mov.b32 r13, 2\n exit"
    );
    assert_eq!(distance(&results, "0", [3, 5]), 2);
    assert!(distance(&results, "2", [3, 5]) > 2, "the load has one of two entries");
}

/// A pipe of 16 lanes takes logic every other cycle; additions, which may take that of products too, fill cycles between
/// (`rate_shift_xor` and `rate_add_xor` of an H100: 2.00 and 3.87 per SM). All are in the line that is fetched first.
#[test]
fn additions_take_the_pipe_that_is_free() {
    let length = |pair: [&str; 2]| {
        let code: String =
            (0..7).map(|at| format!(" {} r{}, r1, 3 !stall 1\n", pair[at % 2], 10 + at)).collect();
        between(&format!(" xor.b32 r1, r1, r1 !stall 8\n{code} exit"), 1, 7)
    };
    assert_eq!(length(["xor.b32", "and.b32"]), 12);
    assert_eq!(length(["add.i32", "xor.b32"]), 6);
    assert_eq!(length(["add.i32", "sub.i32"]), 6);
    assert_eq!(length(["mul.i32", "add.i32"]), 6);
}

/// A shuffle takes 24 cycles (`latency_shuffle` of an H100), and the memory pipe for four of them.
#[test]
fn a_shuffle_takes_the_memory_pipe() {
    let shuffles: String =
        (0..3).map(|at| format!(" shfl.idx r{}, r1, r1, 32 !stall 2 !wr 0\n", 2 + at)).collect();
    let code = format!(" mov.b32 r1, 1 !stall 8\n{shuffles} mov.b32 r9, r4 !wait 0\n exit");
    assert_eq!(between(&code, 1, 4), 24 + 2 * 4);
}
