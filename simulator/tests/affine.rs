//! Kernels of two streams do what the same kernels of one stream do. Each file of `affine/` has both, and a
//! line that says how they are launched: `// launch GRID BLOCK PARAMETERS`, `@` for an address.

use std::path::Path;

use crate::support::Run;
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{Machine, Model, Report, load_machine};

fn kernels() -> Vec<(String, Run)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/affine");
    let entries = std::fs::read_dir(folder).expect("it is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it is there").path()).collect();
    files.sort();
    files.iter().map(|file| (file.display().to_string(), kernel(file))).collect()
}

fn kernel(file: &Path) -> Run {
    let text = std::fs::read_to_string(file).expect("it is there");
    let launch = text.lines().find_map(|line| line.strip_prefix("// launch"));
    let words: Vec<u32> = launch
        .expect("it says how it is launched")
        .split_whitespace()
        .map(|word| match word.strip_prefix('@') {
            Some(offset) => GLOBAL_BASE + offset.parse::<u32>().expect("it is a number"),
            None => word.parse().expect("it is a number"),
        })
        .collect();
    let (size, parameters) = words.split_at(6);
    let mut run = Run::new(&text, "gtx480");
    run.global = (0..8192u32).map(|i| (i * 7 % 251) as u8).collect();
    run.parameters = parameters.to_vec();
    run.grid = [size[0], size[1], size[2]];
    run.block = [size[3], size[4], size[5]];
    run
}

fn load(machine: &str, sets: &[(&str, &str)]) -> Machine {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine(machine, &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// The memory that the kernel of one stream leaves, and the run of the one of two.
fn both(run: &Run) -> (Vec<u8>, Run) {
    let mut plain = run.clone();
    plain.program.kernels.truncate(1);
    plain.launch(Model::Functional).unwrap_or_else(|fault| panic!("{fault}"));
    assert_ne!(plain.global, run.global, "it does something");
    let mut split = run.clone();
    split.program.kernels.remove(0);
    (plain.global, split)
}

#[test]
fn two_streams_do_what_one_does() {
    for (name, run) in kernels() {
        let (expected, split) = both(&run);
        for width in ["32", "8", "5", "64"] {
            for divergence in ["simt-stack", "dual-path"] {
                let sets =
                    [("affine", "decoupled"), ("divergence", divergence), ("sm.warp-width", width)];
                let mut split = Run { machine: load("gtx480", &sets), ..split.clone() };
                let report = split.launch(Model::Functional);
                let report = report.unwrap_or_else(|fault| panic!("{name} in {width}: {fault}"));
                assert!(split.global == expected, "{name} in warps of {width}");
                assert_ne!(report.statistics.affine_instructions, 0);
            }
        }
    }
}

/// Settings under which both streams run with time.
const SETTINGS: &[&[(&str, &str)]] = &[
    &[],
    &[("divergence", "dual-path")],
    &[("divergence", "dual-path"), ("dual-path.scoreboard", "optimistic")],
    &[("divergence", "dual-path"), ("dual-path.scheduling", "constrained")],
    &[("scheduler", "loose-round-robin")],
    &[("scheduler", "oldest-first")],
    &[("scheduler", "greedy-then-oldest"), ("sm.schedulers", "3")],
    &[("scheduler", "two-level")],
    &[("scheduler", "two-level"), ("two-level.variant", "active-pool"), ("two-level.pool", "2")],
    &[("decoupled.tuple-queue", "1"), ("decoupled.address-queue", "1")],
    &[("decoupled.predicate-queue", "1"), ("decoupled.tuple-queue", "2")],
    &[("decoupled.batch", "drained"), ("sm.blocks", "2")],
    &[("decoupled.lookup", "idle")],
    &[("sm.blocks", "1")],
    &[("l1.size", "0")],
    &[("l1.ways", "1"), ("l1.size", "4096")],
    &[("l1.ways", "2"), ("l1.size", "512")],
    &[("l1.mshrs", "1"), ("interconnect.queue", "1"), ("interconnect.credits", "1")],
    &[("l1.line", "32"), ("l1.hash", "xor")],
    &[("load-store.queue", "1"), ("sm.warp-width", "8")],
    &[("sm.warp-width", "5")],
    &[("scoreboard.entries", "1"), ("instruction-cache.size", "1024")],
    &[("banked.hazards", "release-on-read"), ("pipes.simple.lanes", "3")],
    &[("interconnect.latency", "97"), ("l2.size", "0")],
];

#[test]
fn time_changes_nothing() {
    for (name, run) in kernels() {
        let (expected, split) = both(&run);
        for machine in ["gtx480", "fx5800", "tiny"] {
            for sets in SETTINGS {
                let label = format!("{name} on {machine} with {sets:?}");
                let mut all = vec![("affine", "decoupled"), ("sm.warps", "32")];
                all.extend(sets.iter().copied());
                let split = Run { machine: load(machine, &all), ..split.clone() };
                let mut timed = split.clone();
                let report = timed.launch(Model::Timing);
                let report = report.unwrap_or_else(|fault| panic!("{label}: {fault}"));
                assert!(timed.global == expected, "{label}");
                let mut functional = split.clone();
                let counts = functional.launch(Model::Functional);
                let counts = counts.unwrap_or_else(|fault| panic!("{label}: {fault}")).statistics;
                let (f, t) = (&counts, &report.statistics);
                assert_eq!(f.thread_instructions, t.thread_instructions, "{label}");
                assert_eq!(
                    f.warp_instructions - f.affine_instructions,
                    t.warp_instructions - t.affine_instructions,
                    "{label}"
                );
                assert_eq!(f.predicates(), t.predicates(), "{label}");
                check_slots(&label, &split.machine, &report);
                let mut slow = split.clone();
                slow.limits.skip = false;
                assert_eq!(slow.timing(), report, "{label}, every cycle");
                for threads in [2, 4, 8] {
                    let mut parallel = split.clone();
                    parallel.limits.threads = threads;
                    assert_eq!(parallel.timing(), report, "{label} in {threads} threads");
                }
            }
        }
    }
}

fn check_slots(label: &str, machine: &Machine, report: &Report) {
    let all = report.cycles * u64::from(machine.sm.schedulers);
    for sm in &report.sms {
        let sum: u64 = sm.slot_reasons().iter().map(|(_, slots)| slots).sum();
        assert_eq!((sum, sm.issue_slots), (all, all), "{label}");
        assert_eq!(sm.slots_issued, sm.warp_instructions, "{label}");
    }
}

/// A run of one block of two streams, given without the affine one's `exit`.
fn streams(main: &str, affine: &str, sets: &[(&str, &str)]) -> Run {
    let text = format!(
        ".kernel k\n.registers 4\n.predicates 2\n.shared 64\n.affine A\n{main}\n exit\nA: {affine}\n exit"
    );
    let mut run = Run::new(&text, "tiny").block(6);
    let all = [("affine", "decoupled"), ("sm.warps", "32")];
    run.machine = load("tiny", &all.iter().chain(sets).copied().collect::<Vec<_>>());
    run
}

#[test]
fn streams_that_disagree_are_found_out() {
    let enqueue = "mov.b32 r0, 0x1000000\n enq.addr.shared.b32 0, [r0]";
    let dequeue = "ld.shared.b32 r1, [deq.addr 0]";
    let message = |main: &str, affine: &str| streams(main, affine, &[]).fault().to_string();
    let has = |message: String, text: &str| assert!(message.contains(text), "{message}");
    let twice = "setp.eq.i32 p0, r1, 1\n @!p0 bra L !reconverge E";
    let twice = format!("L: {dequeue}\n add.i32 r1, r1, 1\n {twice}\nE:");
    // Shared memory is zero: the first turn makes it 1, and there is no other.
    streams(&twice, enqueue, &[]).timing();
    has(
        message(&twice.replace("r1, 1\n @!p0", "r1, 2\n @!p0"), enqueue),
        "warp 0 dequeues at site 0, and the affine stream has ended without enqueueing for it",
    );
    let threads = "mov.b32 r3, tid.x\n setp.lt.s32 p0, r3, 2\n @p0 bra E !reconverge E\n";
    has(
        message(&format!("{threads}{dequeue}\nE:"), enqueue),
        "dequeues at site 0 for lanes 0xc what was enqueued for lanes 0xf",
    );
    let other = format!("{enqueue}\n enq.addr.shared.b32 1, [r0]");
    has(
        message(&format!("ld.shared.b32 r1, [deq.addr 1]\n {dequeue}"), &other),
        "dequeues deq.addr at site 1 what was enqueued at site 0",
    );
    let never = format!("setp.eq.i32 p0, r1, 0\n @p0 bra E !reconverge E\n{dequeue}\nE:");
    let fault = streams(&never, enqueue, &[]).launch(Model::Functional).expect_err("it is left");
    has(fault.to_string(), "warp 0 has not dequeued what was enqueued for it at site 0");
    let fault = streams(&never, enqueue, &[]).launch(Model::Timing).expect_err("it is left");
    has(fault.to_string(), "has not dequeued what was enqueued for it at site 0");
    let square = "mov.b32 r0, tid.x\n mul.i32 r0, r0, r0\n enq.addr.shared.b32 0, [r0]";
    has(message(dequeue, square), "the value is no affine tuple");
    let zero = "mov.b32 r0, 0\n div.u32 r0, 7, r0\n enq.addr.shared.b32 0, [r0]";
    has(message(dequeue, zero), "integer division by zero, in block (0,0,0) thread (0,0,0)");
}

#[test]
fn machines_that_do_not_fit_are_refused() {
    let refused = |sets: &[(&str, &str)]| {
        let all = [("affine", "decoupled")];
        let sets = all.iter().chain(sets).map(|(key, value)| (key.to_string(), value.to_string()));
        load_machine("gtx480", &sets.collect::<Vec<_>>()).expect_err("it is refused")
    };
    let help = "set `divergence` to `simt-stack` or `dual-path`";
    assert!(refused(&[("divergence", "capri")]).ends_with(help));
    assert!(refused(&[("divergence", "multi-path")]).ends_with(help));
    assert!(
        refused(&[("lane-permutation", "balanced")])
            .ends_with("set `lane-permutation` to `identity`")
    );
    assert!(refused(&[("sm.warps", "256")]).ends_with("set `sm.warps` to at most 254"));
    assert!(
        refused(&[("decoupled.tuple-queue", "0")])
            .contains("it must be a whole number from 1 to 1024")
    );
    let mut run = streams("ld.shared.b32 r1, [deq.addr 0]", "enq.addr.shared.b32 0, [r0]", &[]);
    run.machine = load("tiny", &[]);
    let fault = run.launch(Model::Timing).expect_err("it is refused").to_string();
    assert!(fault.contains("set `affine=decoupled`, or compile it as one stream"), "{fault}");
}

#[test]
fn a_deadlock_says_what_the_affine_warp_waits_for() {
    let message = |main: &str, affine: &str, sets: &[(&str, &str)]| {
        let mut run = streams(main, affine, sets);
        run.limits.cycles = 1_000_000;
        let fault = run.launch(Model::Timing).expect_err("it gets nowhere");
        // Whatever cycles are jumped over.
        let mut slow = streams(main, affine, sets);
        slow.limits.skip = false;
        assert_eq!(slow.launch(Model::Timing).expect_err("it gets nowhere"), fault);
        fault.to_string()
    };
    let of = |lines: &[&str]| {
        let lines = lines.iter().map(|line| format!("\n  {line}"));
        format!("deadlock: no thread can make progress{}", lines.collect::<String>())
    };
    let wants = |warp: u32, more: u32, site: u8| {
        let thread = warp * 4;
        format!(
            "block (0,0,0) warp {warp} thread ({thread},0,0) and {more} more at instruction 0: waits \
             for what the affine warp is to enqueue for site {site}"
        )
    };
    let full = |pc: u32, queue: &str| {
        of(&[
            &wants(0, 3, 9),
            &wants(1, 1, 9),
            "the affine warp of SM 0, for block (0,0,0) and those with it, at instruction 8: waits for room \
             in the tuple queue, which is full with 1",
            &format!(
                "the expansion of instruction {pc} for block (0,0,0): waits for room in the {queue} queue of \
                 warp 0, which is full with 1"
            ),
        ])
    };
    // The first dequeue is enqueued last, and does not fit into the queues.
    let load = |site: u8| format!("ld.shared.b32 r1, [deq.addr {site}]\n");
    let main = format!("@deq.pred 9 bra L !reconverge L\nL: {}{}{}", load(1), load(2), load(3));
    let affine = "mov.b32 r0, 0x1000000\n enq.addr.shared.b32 1, [r0]\n enq.addr.shared.b32 2, [r0]\n\
                  enq.addr.shared.b32 3, [r0]\n setp.eq.i32 p0, r0, 0\n enq.pred 9, p0";
    let short = [("decoupled.address-queue", "1"), ("decoupled.tuple-queue", "1")];
    assert_eq!(message(&main, affine, &short), full(7, "address"));
    let branch = |site: u8| format!("@deq.pred {site} bra L{site} !reconverge L{site}\nL{site}: ");
    let main = format!("{}{}{}", load(9), branch(1), branch(2));
    let affine = "setp.eq.i32 p0, r0, 0\n enq.pred 1, p0\n enq.pred 2, p0\n mov.b32 r0, 0x1000000\n\
                  enq.addr.shared.b32 9, [r0]";
    let short = [("decoupled.predicate-queue", "1"), ("decoupled.tuple-queue", "1")];
    assert_eq!(message(&main, affine, &short), full(6, "predicate"));
    // A load behind a barrier that the threads have before it.
    let (main, early) = ("ld.global.b32 r1, [deq.data 0]", "enq.data.global.b32 0, [r0]");
    assert_eq!(
        message(
            &format!("{main}\n bar.sync 1"),
            &format!("mov.b32 r0, 0x10000000\n bar.sync 1\n {early}"),
            &[]
        ),
        of(&[
            &wants(0, 3, 0),
            &wants(1, 1, 0),
            "the expansion of instruction 5 for block (0,0,0): waits for warp 0 to pass a barrier that stands \
             before this load",
        ])
    );
    // One of two lines of a set can be held, and its reader does not read it.
    let spins = |warp: u32, more: u32| {
        let thread = warp * 4;
        format!(
            "block (0,0,0) warp {warp} thread ({thread},0,0) and {more} more at instruction 0: spins on \
             memory that no one changes"
        )
    };
    assert_eq!(
        message(
            &format!("L: bra L\n {main}\n ld.global.b32 r1, [deq.data 1]"),
            &format!("mov.b32 r0, 0x10000000\n {early}\n enq.data.global.b32 1, [r0+256]"),
            &[]
        ),
        of(&[
            &spins(0, 3),
            &spins(1, 1),
            "the expansion of instruction 6 for block (0,0,0): waits for lines of the first-level cache, for \
             warp 0, in place of lines that are held for other loads",
        ])
    );
}

/// A warp that waits to dequeue, while the one that keeps the queues full spins, is stuck as well.
#[test]
fn spinning_keeps_the_affine_warp_from_going_on() {
    // The second warp goes on when the first one's branch has been taken: which comes for it only behind what
    // the first one leaves in its queue.
    let main = "mov.b32 r0, tid.x\n mov.b32 r2, 0x1000000\n setp.lt.s32 p0, r0, 4\n\
                @!p0 bra M !reconverge M\n\
                L: ld.shared.b32 r1, [r2]\n setp.eq.i32 p1, r1, 0\n @p1 bra L !reconverge M\n\
                M: ld.shared.b32 r1, [deq.addr 1]\n ld.shared.b32 r1, [deq.addr 2]\n\
                mov.b32 r0, 1\n st.shared.b32 [r2], r0";
    let affine =
        "mov.b32 r0, 0x1000000\n enq.addr.shared.b32 1, [r0]\n enq.addr.shared.b32 2, [r0]";
    streams(main, affine, &[]).timing();
    let mut run = streams(main, affine, &[("decoupled.address-queue", "1")]);
    run.limits.cycles = 1_000_000;
    run.limits.patience = 10_000;
    let fault = run.launch(Model::Timing).expect_err("it gets nowhere").to_string();
    for part in [
        "warp 0 thread (0,0,0) and 3 more at instruction 4: spins on memory that no one changes",
        "warp 1 thread (4,0,0) and 1 more at instruction 8: waits for what the affine warp is to enqueue",
        "waits for room in the address queue of warp 0, which is full with 1",
    ] {
        assert!(fault.contains(part), "{part}: {fault}");
    }
}

/// The fault of streams that get nowhere in either model: under `timing`, where that says more, that one.
fn endless(main: &str, affine: &str, sets: &[(&str, &str)]) -> String {
    let mut run = streams(main, affine, sets);
    run.limits.cycles = 1_000_000;
    run.limits.instructions = 1_000_000;
    run.limits.patience = 10_000;
    let fault = |run: &Run, model| run.clone().launch(model).expect_err("it gets nowhere");
    let functional = fault(&run, Model::Functional).to_string();
    assert!(functional.starts_with("deadlock"), "{functional}");
    let timing = fault(&run, Model::Timing);
    run.limits.skip = false;
    assert_eq!(fault(&run, Model::Timing), timing, "every cycle");
    run.limits.threads = 4;
    assert_eq!(fault(&run, Model::Timing), timing, "in four threads");
    timing.to_string()
}

fn has_all(fault: &str, parts: &[&str]) {
    for part in parts {
        assert!(fault.contains(part), "{part}: {fault}");
    }
}

/// A loop in both streams whose every turn is the same, for all warps or for some.
#[test]
fn an_affine_warp_that_turns() {
    let turns = "the affine warp of SM 0, for block (0,0,0) and those with it, at instruction";
    let spins =
        "warp 0 thread (0,0,0) and 3 more at instruction 0: spins on memory that no one changes";
    let sets: [&[(&str, &str)]; 3] = [
        &[],
        &[("decoupled.tuple-queue", "1"), ("decoupled.predicate-queue", "1")],
        &[("divergence", "dual-path")],
    ];
    for sets in sets {
        // Without anything that comes from one for the other, and with.
        has_all(&endless("L: bra L", "M: bra M", sets), &[turns, spins]);
        let main = "L: @deq.pred 0 bra L !reconverge E\nE:";
        let affine = "setp.eq.i32 p0, r3, 0\nM: enq.pred 0, p0\n @p0 bra M !reconverge F\nF:";
        has_all(&endless(main, affine, sets), &[turns, spins]);
        // Every third turn is the same.
        let affine = "setp.eq.i32 p0, r3, 0\n mov.b32 r0, 0\nM: enq.pred 0, p0\n add.i32 r0, r0, 1\n\
                      rem.u32 r0, r0, 3\n @p0 bra M !reconverge F\nF:";
        has_all(&endless(main, affine, sets), &[turns, spins]);
        // The second warp waits for what the affine warp would enqueue behind the first one's loop.
        let main = "@deq.pred 0 bra L !reconverge E\n ld.shared.b32 r1, [deq.addr 2]\n bra E\n\
                    L: @deq.pred 1 bra L !reconverge E\nE:";
        let affine = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 4\n enq.pred 0, p0\n\
                      @p0 bra M !reconverge F\n mov.b32 r0, 0x1000000\n enq.addr.shared.b32 2, [r0]\n bra F\n\
                      M: enq.pred 1, p0\n @p0 bra M !reconverge F\nF:";
        let waits = "warp 1 thread (4,0,0) and 1 more at instruction 1: waits for what the affine warp is to \
                     enqueue for site 2";
        has_all(
            &endless(main, affine, sets),
            &[turns, &spins.replace("instruction 0", "instruction 3"), waits],
        );
        // It waits as well if nothing is enqueued in the loop.
        let main = main.replace("@deq.pred 1 bra L", "bra L");
        let affine = affine.replace("enq.pred 1, p0\n", "");
        has_all(&endless(&main, &affine, sets), &[turns, waits]);
    }
    // All threads have ended.
    let fault = endless("", "M: bra M", &[]);
    has_all(&fault, &["progress\n  the affine warp of SM 0", "turns in a loop"]);
}

/// A counter in the affine stream, or in the other one, makes every turn another one.
#[test]
fn long_loops_of_both_streams_are_no_livelocks() {
    let affine = "mov.b32 r0, 9000\nM: add.i32 r0, r0, -1\n setp.gt.s32 p0, r0, 0\n enq.pred 0, p0\n\
                  @p0 bra M !reconverge F\nF:";
    let run = |main: &str, affine: &str| {
        let mut run = streams(main, affine, &[]);
        run.limits.patience = 100;
        run.clone().launch(Model::Functional).unwrap_or_else(|fault| panic!("{fault}"));
        run.timing();
    };
    run("L: @deq.pred 0 bra L !reconverge E\nE:", affine);
    // Nothing comes for long.
    run(
        "L: @deq.pred 0 bra L !reconverge E\nE:",
        &format!(
            "mov.b32 r1, 9000\nN: add.i32 r1, r1, -1\n setp.gt.s32 p1, r1, 0\n @p1 bra N !reconverge G\nG: {affine}"
        ),
    );
    // The affine warp turns as the other ones do, who do not turn for ever.
    let main = "mov.b32 r0, 9000\nL: add.i32 r0, r0, -1\n setp.gt.s32 p0, r0, 0\n\
                @deq.pred 0 bra Q !reconverge Q\nQ: @p0 bra L !reconverge E\nE:";
    let affine = "setp.eq.i32 p0, r3, 0\nM: enq.pred 0, p0\n @p0 bra M !reconverge F\nF:";
    let mut run = streams(main, affine, &[]);
    run.limits.patience = 100;
    let fault = run.launch(Model::Timing).expect_err("the streams disagree").to_string();
    has_all(&fault, &["has not dequeued what was enqueued for it at site 0"]);
}

/// An early load waits for a line in place of one that is held for a warp that spins; the other warp waits for an
/// address after it in its queue.
#[test]
fn spinning_keeps_lines_held() {
    let main = "mov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 4\n @!p0 bra M !reconverge M\n\
                L: bra L\n M: ld.global.b32 r1, [deq.data 0]\n ld.global.b32 r1, [deq.data 1]\n\
                ld.global.b32 r1, [deq.data 2]";
    let affine = "mov.b32 r0, 0x10000000\n enq.data.global.b32 0, [r0]\n\
                  enq.data.global.b32 1, [r0+256]\n enq.data.global.b32 2, [r0+512]";
    streams(&main.replace("bra L\n", "bra M\n"), affine, &[]).timing();
    for lookup in ["own-port", "idle"] {
        let fault = endless(main, affine, &[("decoupled.lookup", lookup)]);
        has_all(
            &fault,
            &[
                "warp 0 thread (0,0,0) and 3 more at instruction 3: spins on memory that no one changes",
                "warp 1 thread (4,0,0) and 1 more at instruction 5: waits for what the affine warp is to enqueue \
             for site 1",
                "waits for lines of the first-level cache, for warp 0, in place of lines that are held for other loads",
            ],
        );
    }
}

/// Blocks that come when others spin are not run for where batches drain first.
#[test]
fn blocks_that_have_to_wait_for_the_last_batch() {
    // The second block ends at once, the first spins until the third one has come.
    let text = ".kernel k\n.param out 0 8\n.registers 4\n.predicates 2\n.shared 64\n.affine A\n\
                ld.shared.b32 r0, [deq.addr 1]\n mov.b32 r0, ctaid.x\n setp.eq.i32 p0, r0, 1\n\
                @p0 bra E !reconverge E\n\
                setp.eq.i32 p0, r0, 2\n mov.b32 r2, c[0]\n @p0 bra S !reconverge E\n\
                L: ld.global.b32 r1, [r2]\n setp.eq.i32 p1, r1, 0\n @p1 bra L !reconverge E\n bra E\n\
                S: st.global.b32 [r2], r0\n E: exit\n\
                A: mov.b32 r0, 0x1000000\n enq.addr.shared.b32 1, [r0]\n exit";
    let run = |batch: &str| {
        let mut run = Run::new(text, "tiny").grid(3);
        let sets = [("affine", "decoupled"), ("sm.warps", "32"), ("sm.blocks", "2")];
        let sets = [sets.as_slice(), &[("sms", "1"), ("decoupled.batch", batch)]].concat();
        run.machine = load("tiny", &sets);
        run.parameters = vec![GLOBAL_BASE, 0];
        run.limits.cycles = 1_000_000;
        run.limits.patience = 10_000;
        run.launch(Model::Timing)
    };
    run("resident").unwrap_or_else(|fault| panic!("{fault}"));
    let fault = run("drained").expect_err("it gets nowhere").to_string();
    let expected = "the affine warp of SM 0, before it runs for block (2,0,0): waits for 1 of its last \
                    blocks to end";
    assert!(fault.ends_with(expected), "{fault}");
}

/// The address unit finds that it has given an entry to all warps of a block when it looks for the next one.
/// Until then it may serve another block that could not go on, and the block may have ended.
#[test]
fn a_block_may_end_before_the_unit_has_seen_that_an_entry_is_through() {
    // Each warp comes to its loads after other turns; each load takes four lines, which all have.
    let text = ".kernel k\n.param turns 0 4\n.registers 2\n.predicates 1\n.affine A\n\
                mov.b32 r0, tid.y\n mov.b32 r1, ctaid.x\n mad.i32 r0, r1, 29, r0\n\
                mul.i32 r0, r0, c[0]\n and.b32 r0, r0, 7\n\
                L: add.i32 r0, r0, -1\n setp.gt.s32 p0, r0, 0\n @p0 bra L !reconverge E\n\
                E: ld.global.b32 r0, [deq.data 1]\n ld.global.b32 r0, [deq.data 2]\n exit\n\
                A: mov.b32 r0, tid.x\n shl.b32 r0, r0, 7\n add.i32 r0, r0, 0x10000000\n\
                enq.data.global.b32 1, [r0]\n enq.data.global.b32 2, [r0]\n exit";
    let sets = [("affine", "decoupled"), ("sm.warps", "32"), ("sms", "1")];
    for turns in 0..8 {
        let mut run = Run { block: [4, 8, 1], ..Run::new(text, "tiny").grid(16) };
        let cache = [("l1.size", "4096"), ("l1.ways", "4"), ("decoupled.address-queue", "1")];
        run.machine = load("tiny", &[sets, cache].concat());
        run.parameters = vec![turns];
        run.timing();
    }
}
