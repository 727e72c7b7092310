//! Sub-cores, shared memory that is carved out of the first level, and the latency of a launch: cycles on `tiny`, computed by
//! hand as in `tiny.rs`.

use crate::support::Run;
use reconverge_simulator::run::occupancy::Footprint;
use reconverge_simulator::{Machine, Model, Report, load_machine, mechanisms};

fn tiny(sets: &[(&str, &str)]) -> Result<Machine, String> {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine("tiny", &sets)
}

/// So many threads in one block, on a changed `tiny`.
fn run(code: &str, threads: u32, sets: &[(&str, &str)]) -> Report {
    let mut run = Run::code(code).block(threads);
    run.machine = tiny(sets).unwrap_or_else(|error| panic!("{error}"));
    run.timing()
}

/// Two schedulers that share an SM's parts, and two with parts of their own.
const SHARED: [(&str, &str); 2] = [("sm.schedulers", "2"), ("sm.sub-cores", "1")];
const APART: [(&str, &str); 2] = [("sm.schedulers", "2"), ("sm.sub-cores", "2")];

#[test]
fn each_has_pipes_of_its_own() {
    // The pipe is free again after ten cycles. One warp: fetch 0: multiply 1 (4), exit 2.
    let code = "mul.i32 r0, r3, r5\n exit";
    let long = |parts: [(&'static str, &'static str); 2]| {
        [parts[0], parts[1], ("units.integer-multiply.initiation", "10")]
    };
    assert_eq!(run(code, 4, &long(SHARED)).cycles, 5);
    // Two warps share the pipe: the second has its operands in 5, and starts in 14.
    assert_eq!(run(code, 8, &long(SHARED)).cycles, 15);
    // With a pipe and a fetch each, two are as one.
    assert_eq!(run(code, 8, &long(APART)).cycles, 5);
}

#[test]
fn each_has_a_register_file_of_its_own() {
    // One bank, which the collectors read in turn. A warp alone: fetch 0: add 1 collects from 2 on, add 2 from 3 on; reads in 2
    // to 5, and the last start in 6.
    let code = "add.i32 r0, r3, r4\n add.i32 r1, r5, r6\n exit";
    let one_bank =
        |parts: [(&'static str, &'static str); 2]| [parts[0], parts[1], ("banked.banks", "1")];
    assert_eq!(run(code, 4, &one_bank(SHARED)).cycles, 7);
    // Two warps: four collectors, each of which reads its first operand before one reads its second: in 2 to 9. The last
    // start is in 10, before the first result, in 11, needs the bank.
    let shared = run(code, 8, &one_bank(SHARED));
    assert_eq!((shared.cycles, shared.statistics.register_reads), (11, 8));
    let apart = run(code, 8, &one_bank(APART));
    assert_eq!((apart.cycles, apart.statistics.register_reads), (7, 8));
    assert_eq!(apart.statistics.register_writes, shared.statistics.register_writes);
}

#[test]
fn each_fetches() {
    // Four exits: with one fetch a cycle the fourth warp fetches in 3 and exits in 4, with four they do in 0 and 1.
    let schedulers = |parts| [("sm.schedulers", "4"), ("sm.sub-cores", parts)];
    assert_eq!(run("exit", 16, &schedulers("1")).cycles, 5);
    assert_eq!(run("exit", 16, &schedulers("2")).cycles, 3);
    assert_eq!(run("exit", 16, &schedulers("4")).cycles, 2);
}

#[test]
fn registers_are_kept_in_each() {
    // Eight registers of four lanes for a warp. A block of five warps takes three warps' in one of two sub-cores: of both.
    let sm = tiny(&APART).unwrap().sm;
    assert_eq!(Footprint::new(&sm, 17, 8, 0).registers, 6 * 32);
    let sm = tiny(&SHARED).unwrap().sm;
    assert_eq!(Footprint::new(&sm, 17, 8, 0).registers, 5 * 32);
    // A block of one warp keeps 32 of 64 registers in each sub-core: one block at a time. Blocks are given out every five
    // cycles. Four exits: 1, 6, 11, 16. Without sub-cores there are two at a time: 1, 2 and 6, 7.
    for (parts, cycles) in [("1", 8), ("2", 17)] {
        let sets = [("sm.schedulers", "2"), ("sm.sub-cores", parts), ("sm.registers", "64")];
        let mut run = Run::code("exit").grid(4);
        run.machine = tiny(&sets).unwrap();
        assert_eq!(run.timing().cycles, cycles, "{parts}");
    }
}

#[test]
fn a_launch_takes_its_time() {
    // fetch 100, exit 101
    let report = run("exit", 4, &[("sm.launch-latency", "100")]);
    assert_eq!((report.cycles, report.statistics.slots_idle), (102, 100));
}

/// Loads of so many lines, twice.
fn loads(lines: u32) -> String {
    let once: String =
        (0..lines).map(|line| format!(" ld.global.b32 r1, [r0+{}]\n", 128 * line)).collect();
    format!("mov.b32 r0, 0x10000000\n{once}{once} exit")
}

#[test]
fn shared_memory_is_carved_out_of_the_cache() {
    // Four sets of four lines. A block takes 1024 bytes of shared memory, which is as much as there can be of it: two ways,
    // or eight lines, are left.
    let sets = [
        ("l1.size", "2048"),
        ("l1.ways", "4"),
        ("sm.shared-memory", "1024"),
        ("l1.carve-outs", "[0, 512, 1024]"),
    ];
    let text = |shared: u32, lines| {
        format!(".kernel k\n.registers 8\n.predicates 2\n.shared {shared}\n{}", loads(lines))
    };
    for (shared, lines, hits) in
        [(1024, 8, 8), (1024, 12, 0), (512, 12, 0), (256, 12, 0), (0, 16, 16), (0, 20, 0)]
    {
        let mut run = Run::new(&text(shared, lines), "tiny");
        run.machine = tiny(&sets).unwrap();
        // All blocks that fit count, not those of the grid: four of 256 bytes need 1024.
        assert_eq!(run.timing().statistics.l1_hits, hits, "{shared} {lines}");
    }
    // One block on an SM: 256 bytes are in 512, and 12 lines are left.
    let mut run = Run::new(&text(256, 12), "tiny");
    run.machine = tiny(&[&sets[..], &[("sm.blocks", "1")]].concat()).unwrap();
    assert_eq!(run.timing().statistics.l1_hits, 12);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let error = |sets: &[(&str, &str)]| tiny(sets).expect_err("it is bad");
    assert!(
        error(&[("sm.sub-cores", "2")]).contains("must be a multiple of the 2 of `sm.sub-cores`")
    );
    assert!(error(&[("sm.schedulers", "3"), ("sm.sub-cores", "3")]).contains("a power of two"));
    let found = error(&[APART[0], APART[1], ("register-file", "virtualized")]);
    assert!(found.contains("does not go with `sm.sub-cores` above 1"), "{found}");
    for carve_outs in
        ["[0, 100, 16384]", "[0, 256]", "[256, 0]", "[0, 16384]", "[-1]", "[\"a\"]", "3"]
    {
        let found = error(&[("l1.carve-outs", carve_outs)]);
        assert!(found.contains("`l1.carve-outs`"), "{carve_outs}: {found}");
    }
}

#[test]
fn as_many_threads_as_one_likes() {
    let sets = [
        ("sms", "5"),
        ("sm.schedulers", "4"),
        ("sm.sub-cores", "4"),
        ("l2.partitions", "3"),
        ("l2.size", "1536"),
    ];
    let code = "mov.b32 r0, ctaid.x\n shl.b32 r0, r0, 4\n add.i32 r0, r0, 0x10000000\n \
                ld.global.b32 r1, [r0]\n add.i32 r1, r1, 1\n st.global.b32 [r0], r1\n exit";
    let reports = [1, 2, 3, 16, 32].map(|threads| {
        let mut run = Run::code(code).block(8).grid(40);
        run.machine = tiny(&sets).unwrap_or_else(|error| panic!("{error}"));
        (run.limits.threads, run.limits.oversubscribe) = (threads, true);
        (run.timing(), run.global)
    });
    assert!(reports.iter().all(|report| *report == reports[0]));
}

/// A loop that lanes leave at different times, shared memory, a barrier, loads, stores and an atomic.
const ALL_SORTS: &str = "mov.b32 r0, tid.x\n shl.b32 r1, r0, 2\n add.i32 r1, r1, 0x10000000\n \
    ld.global.b32 r2, [r1]\n and.b32 r3, r0, 7\nloop:\n setp.eq.i32 p0, r3, 0\n @p0 bra out !reconverge out\n \
    mad.i32 r2, r2, r0, r3\n sub.i32 r3, r3, 1\n bra loop\nout:\n shl.b32 r4, r0, 2\n \
    add.i32 r4, r4, 0x1000000\n st.shared.b32 [r4], r2\n bar.sync\n ld.shared.b32 r5, [r4]\n \
    st.global.b32 [r1+1024], r5\n mov.b32 r6, 0x10000000\n atom.add.i32.global r6, [r6+2048], r5\n exit";

#[test]
fn everything_completes_with_the_smallest_parts() {
    let small = [
        ("sm.schedulers", "4"),
        ("sm.sub-cores", "4"),
        ("banked.banks", "1"),
        ("banked.collectors", "1"),
        ("banked.latches", "1"),
        ("load-store.queue", "1"),
        ("l1.mshrs", "1"),
        ("l1.mshr-merges", "1"),
        ("scoreboard.entries", "1"),
        ("interconnect.credits", "1"),
    ];
    let global: Vec<u8> = (0..4096u32).map(|byte| (byte % 251) as u8).collect();
    let mut expected = Run::code(ALL_SORTS).block(40).grid(1);
    expected.global.clone_from(&global);
    expected.launch(Model::Functional).unwrap_or_else(|fault| panic!("{fault}"));
    let (mut ran, mut refused) = (0, Vec::new());
    for mechanism in mechanisms() {
        // Only for kernels of two streams.
        if mechanism.name == "decoupled" {
            continue;
        }
        let chosen =
            [&small[..], mechanism.exactly(), &[(mechanism.setting_key(), mechanism.name)]]
                .concat();
        match tiny(&chosen) {
            Err(why) => refused.push((mechanism.name, why)),
            Ok(machine) => {
                let mut run = Run::code(ALL_SORTS).block(40).grid(1);
                (run.machine, run.global) = (machine, global.clone());
                run.timing();
                assert_eq!(run.global, expected.global, "{}", mechanism.name);
                ran += 1;
            }
        }
    }
    // A refusal has a sentence about its cause.
    assert!(refused.iter().all(|(name, why)| why.contains(name)), "{refused:?}");
    assert!(
        ran > 60 && refused.iter().any(|(name, _)| *name == "virtualized"),
        "{ran} {refused:?}"
    );
}
