//! Both models give the same memory and instruction counts, on every machine and with every
//! mechanism; skipping cycles changes nothing; every issue slot has one reason.

use crate::support::{Run, avc};
use reconverge_features::is_in_part;
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{
    Machine, MechanismInfo, Model, Report, SecondLevel, Statistics, load_machine, machines,
    mechanisms,
};

/// Local memory, shared memory across a barrier, divergence, atomics of both kinds, 64-bit values,
/// bytes, a constant, a loop of a different length in each thread, and an early exit.
const EVERYTHING: &str = include_str!("kernels/everything.s");

fn kernels() -> Vec<(&'static str, Run)> {
    let at = |offset: u32| GLOBAL_BASE + offset;
    let run = |text, parameters: &[u32], bytes: usize, grid, block| {
        let mut run = Run::new(text, "tiny");
        run.parameters = parameters.to_vec();
        run.global = (0..bytes).map(|i| (i * 7 % 251) as u8).collect();
        run.constant = (0..64).collect();
        (run.grid, run.block) = (grid, block);
        run
    };
    let saxpy = [100, 2f32.to_bits(), at(0), 0, at(512), 0];
    let picture = [at(0), 0, 12, 20, 0.25f32.to_bits(), 0.2f32.to_bits()];
    vec![
        ("saxpy", run(include_str!("kernels/saxpy.s"), &saxpy, 1024, [5, 1, 1], [23, 1, 1])),
        ("alu", run(include_str!("kernels/alu.s"), &[at(0), 0, 9], 256, [3, 1, 1], [20, 1, 1])),
        (
            "collatz",
            run(include_str!("kernels/collatz.s"), &[at(0), 0, 3], 256, [2, 1, 1], [30, 1, 1]),
        ),
        (
            "mandelbrot",
            run(include_str!("kernels/mandelbrot.s"), &picture, 1024, [3, 2, 1], [4, 6, 1]),
        ),
        (
            "matmul",
            run(
                include_str!("kernels/matmul.s"),
                &[12, 0, at(0), 0, at(1024), 0, at(2048), 0],
                4096,
                [2, 3, 1],
                [6, 4, 1],
            ),
        ),
        ("everything", run(EVERYTHING, &[at(0), 0, 29], 4096, [7, 1, 1], [31, 1, 1])),
    ]
}

/// The keys that a slot is filled by: caches have some of their own.
fn keys(info: &MechanismInfo) -> Vec<String> {
    match info.slot {
        "replacement" => vec!["l1.replacement".to_string(), "l2.replacement".to_string()],
        slot @ ("granularity" | "allocation") => vec![slot.to_string(), format!("l2.{slot}")],
        _ => vec![info.setting_key().to_string()],
    }
}

/// Every mechanism as it is, or at least so that it is exact, and with each of its trials.
fn tried() -> Vec<Vec<(String, String)>> {
    let mut all = Vec::new();
    for info in mechanisms() {
        for key in keys(info) {
            for trial in [info.exactly()].into_iter().chain(info.trials.iter().copied()) {
                let first = (key.clone(), info.name.to_string());
                let rest = trial.iter().map(|(key, value)| (key.to_string(), value.to_string()));
                all.push([first].into_iter().chain(rest).collect());
            }
        }
    }
    all
}

/// Each mechanism and setting runs on one in so many machines; `--bin matrix` has all of them.
const APART: usize = 5;

/// The same on machines of today, of which an SM takes more time.
const APART_TODAY: usize = 24;

/// Every mechanism and setting, on machines in turn.
fn variants() -> Vec<(String, Machine)> {
    let mut all = Vec::new();
    for (turn, machine) in machines().into_iter().enumerate() {
        let more = [
            ("l1.hash", "xor"),
            ("l2.hash", "xor"),
            ("l1.size", "0"),
            ("l2.size", "0"),
            ("load-store.queue", "1"),
            ("interconnect.queue", "1"),
            ("dram.read-queue", "1"),
            ("dram.age-limit", "1"),
            ("dram.bank-hash", "xor"),
            ("l1.sector", "64"),
            ("l2.sector", "64"),
            ("dram.clock-mhz", "231.1"),
            ("l1.mshrs", "1"),
            ("l2.mshrs", "1"),
            ("l2.mshr-merges", "1"),
            ("sm.blocks", "1"),
            ("sm.schedulers", "3"),
            ("fetch.buffer", "1"),
            ("fetch.latency", "7"),
            ("fetch.policy", "room"),
            ("instruction-cache.size", "1024"),
            ("interconnect.credits", "1"),
            ("interconnect.latency", "97"),
            ("l2.clock-mhz", "123.457"),
            ("scoreboard.entries", "1"),
            ("scoreboard.entries", "0"),
            ("pipes.simple.lanes", "1"),
        ];
        let more = more.map(|(key, value)| vec![(key.to_string(), value.to_string())]);
        // Chips of which two sub-ranks move no less than a sector on any machine.
        let ranks = [("dram.chips", "4"), ("dram.sub-ranks", "2")];
        let ranks = ranks.map(|(key, value)| (key.to_string(), value.to_string())).to_vec();
        let every = tried().into_iter().chain(more).chain([ranks]);
        // Some settings of other machines make no sense with sub-cores, or with shared memory in the L1. It has
        // fewer SMs here, and fewer turns: cycles without an event take as long as others, for each of its partitions.
        let is_of_today = load_machine(&machine.name, &[]).unwrap().sm.sub_cores != 1;
        let (before, mut refused) = (all.len(), 0);
        let apart = if is_of_today { APART_TODAY } else { APART };
        let first = turn % apart;
        for mut sets in every.skip(first).step_by(apart) {
            if is_of_today {
                sets.push(("sms".to_string(), "4".to_string()));
            }
            // The kernels have no control bits, and mechanisms need operand collectors.
            let core = [("sm.dependences", "scoreboard"), ("sm.operand-delivery", "collectors")];
            sets.extend(core.map(|(key, value)| (key.to_string(), value.to_string())));
            if sets.iter().any(|(key, value)| key == "divergence" || value == "decoupled") {
                // Schemes with several paths a warp, and an affine warp, do not fit otherwise.
                sets.push(("sm.warps".to_string(), "16".to_string()));
            }
            if sets.iter().any(|(_, value)| value == "affine-vector-cache") {
                // Its vectors are those of warps of 32 lanes.
                let fitting = [
                    ("sm.warp-width", "32"),
                    ("l1.line", "128"),
                    ("l2.line", "128"),
                    ("l2.interleave", "256"),
                    ("sm.warps", "16"),
                ];
                sets.extend(fitting.map(|(key, value)| (key.to_string(), value.to_string())));
            }
            let label = format!("{} with {sets:?}", machine.name);
            match load_machine(&machine.name, &sets) {
                Ok(loaded) => all.push((label, loaded)),
                Err(_) if is_of_today => refused += 1,
                Err(error) => panic!("{label}: {error}"),
            }
        }
        let loaded = all.len() - before;
        assert!(loaded > 3 * refused, "{}: {refused} of {loaded} are refused", machine.name);
    }
    all
}

fn check_slots(label: &str, machine: &Machine, report: &Report) {
    let sum = |s: &reconverge_simulator::Statistics| {
        s.slot_reasons().iter().map(|(_, slots)| slots).sum::<u64>()
    };
    let of_one = report.cycles * u64::from(machine.sm.schedulers);
    assert_eq!(report.sms.len(), machine.sms as usize, "{label}");
    for sm in &report.sms {
        assert_eq!((sum(sm), sm.issue_slots), (of_one, of_one), "{label}");
        let issued = sm.slots_issued + sm.paired_instructions;
        assert_eq!(issued, sm.warp_instructions, "{label}");
    }
    assert_eq!(sum(&report.statistics), of_one * u64::from(machine.sms), "{label}");
    let s = &report.statistics;
    // Every read and atomic is answered, nothing else is.
    let write_backs = s.l1_write_backs + avc(s, "write_backs");
    assert_eq!(s.requests, s.replies + s.l1_stores + write_backs, "{label}");
    // Every fetch comes and is placed or bypasses the cache.
    assert_eq!(s.l2_misses, s.l2_merges + s.l2_fills + s.l2_bypasses, "{label}");
    // Every sector that was fetched was moved, and is counted once.
    let fetched = s.l2_sectors_demand
        + s.l2_sectors_not_predicted
        + s.l2_sectors_predicted_used
        + s.l2_sectors_predicted_unused;
    assert_eq!(32 * fetched, s.dram_read_bytes + s.dram_forwarded_bytes, "{label}");
    if machine.prefetcher == "none" && machine.affine != "decoupled" {
        assert_eq!(s.l1_misses, s.l1_merges + s.l1_fills + s.l1_bypasses, "{label}");
    }
    check_local(label, machine, s);
}

/// Accesses through the cache of local memory, or past it.
fn check_local(label: &str, machine: &Machine, s: &reconverge_simulator::Statistics) {
    let writes = s.l1_write_backs + avc(s, "write_backs");
    assert!(s.local_writes == writes || machine.l1.size == 0 && s.local_writes > writes, "{label}");
    assert!(s.local_fetches <= s.l1_misses - s.l1_merges, "{label}");
    let sectors = |accesses: u64, bytes: u64| (32 * accesses..=128 * accesses).contains(&bytes);
    assert!(machine.l1.line > 128 || sectors(s.local_fetches, s.local_fetch_bytes), "{label}");
    assert!(machine.l1.line > 128 || sectors(s.local_writes, s.local_write_bytes), "{label}");
    let loads =
        [s.local_loads_zero, s.local_loads_uniform, s.local_loads_affine, s.local_loads_generic];
    let stores = [
        s.local_stores_zero,
        s.local_stores_uniform,
        s.local_stores_affine,
        s.local_stores_generic,
    ];
    let (loads, stores) = (loads.iter().sum::<u64>(), stores.iter().sum::<u64>());
    let kept = ["hits", "partial_hits", "misses", "stores", "fills"].map(|name| avc(s, name));
    check_global(label, machine, s);
    if machine.local_cache == "none" {
        assert_eq!((kept, loads, stores, avc(s, "evicted_vectors")), ([0; 5], 0, 0, 0), "{label}");
        return;
    }
    // A line has one vector, or two.
    assert!((s.local_loads..=2 * s.local_loads).contains(&loads), "{label}");
    assert!((s.local_stores..=2 * s.local_stores).contains(&stores), "{label}");
    // Each load ends with a hit or goes to the first level; it may have been replayed before.
    assert_eq!(s.local_loads, avc(s, "hits") + avc(s, "misses"), "{label}");
    assert!(
        avc(s, "partial_hits") <= avc(s, "replays") && avc(s, "fills") <= avc(s, "misses") * 2,
        "{label}"
    );
    // Each store goes to either, or to both in turn.
    let replayed = avc(s, "replays") - avc(s, "partial_hits");
    let through = if machine.l1.size == 0 { s.local_writes - writes } else { s.l1_local_stores };
    assert_eq!(s.local_stores, avc(s, "stores") + through - replayed, "{label}");
    assert!(avc(s, "conflicts") <= avc(s, "evicted_vectors"), "{label}");
    assert!(avc(s, "merges") <= avc(s, "write_backs"), "{label}");
    assert!(avc(s, "write_backs") <= avc(s, "evicted_vectors"), "{label}");
    assert!(avc(s, "compressed") <= avc(s, "write_backs"), "{label}");
    // A compressed vector takes 7 or 9 bytes for one to four sectors.
    let saved = 23 * avc(s, "compressed")..=121 * avc(s, "compressed");
    assert!(saved.contains(&avc(s, "saved_bytes")), "{label}");
}

/// Accesses of global memory through that cache, or past it.
fn check_global(label: &str, machine: &Machine, s: &Statistics) {
    let vectors = [
        avc(s, "global_vectors"),
        avc(s, "global_evicted_vectors"),
        avc(s, "global_invalidated_vectors"),
    ];
    let loads = [avc(s, "global_hits"), avc(s, "global_partial_hits"), avc(s, "global_misses")];
    let options = machine.tables.options.get("affine-vector-cache");
    let global = options.and_then(|options| options.get("global"));
    if global.and_then(toml::Value::as_bool) != Some(true) {
        let others = [avc(s, "global_fills"), avc(s, "global_moves")];
        assert_eq!((vectors, loads, others), ([0; 3], [0; 3], [0; 2]), "{label}");
        return;
    }
    // Each load ends with a hit or goes to the first level, where it hits, merges, or is fetched; of what is fetched no
    // more is kept than passes the first level by.
    let [hits, partial_hits, misses] = loads;
    assert_eq!(s.l1_hits + s.l1_misses, avc(s, "misses") + misses, "{label}");
    assert!(avc(s, "global_fills") <= s.l1_bypasses, "{label}");
    assert!(partial_hits <= hits + misses, "{label}");
    if s.atomic_instructions == 0 {
        let stores = if machine.l1.size == 0 { s.l1_stores - s.local_writes } else { s.l1_stores };
        let others = stores + s.local_loads + s.local_stores;
        assert_eq!(s.transactions - others, hits + misses, "{label}");
    }
    // A fetched vector may leave again; a fetch brings one or two vectors.
    assert!(vectors[1] + vectors[2] <= vectors[0], "{label}");
    assert!(avc(s, "global_moves") <= vectors[2], "{label}");
    assert!(vectors[0] <= 2 * avc(s, "global_fills"), "{label}");
}

/// The statistics of a kernel on a machine with settings.
fn counted(run: &mut Run, machine: &str, sets: &[(&str, &str)]) -> Statistics {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    run.machine = load_machine(machine, &sets).expect("it is a machine");
    run.timing().statistics
}

/// Whole lines are fetched by `coarse`, and by any granularity if a sector is a line.
#[test]
fn coarse_is_fine_with_sectors_as_large_as_lines() {
    for (name, mut run) in kernels() {
        for machine in ["tiny", "gtx480"] {
            let fetching =
                |granularity| [("granularity", granularity), ("l2.granularity", granularity)];
            let sectors = [("l1.sector", "128"), ("l2.sector", "128")];
            let coarse = counted(&mut run, machine, &fetching("coarse"));
            for granularity in ["coarse", "fine"] {
                let sets = [fetching(granularity), sectors].concat();
                assert!(
                    counted(&mut run, machine, &sets) == coarse,
                    "{name} on {machine}, {granularity}"
                );
            }
        }
    }
}

/// The bytes that come to an SM are those of the sectors that its first level fetched.
#[test]
fn replies_bring_the_sectors_that_are_counted() {
    let all = mechanisms();
    for granularity in all.iter().filter(|mechanism| mechanism.slot == "granularity") {
        for sector in ["32", "64"] {
            // The results of atomics come too.
            for (name, mut run) in kernels().into_iter().filter(|(name, _)| *name != "everything") {
                let sets = [("granularity", granularity.name), ("l1.sector", sector)];
                let s = counted(&mut run, "tiny", &sets);
                let fetched = s.l1_sectors_demand
                    + s.l1_sectors_not_predicted
                    + s.l1_sectors_predicted_used
                    + s.l1_sectors_predicted_unused;
                assert_eq!(s.reply_bytes, 8 * s.replies + 32 * fetched, "{name}, {sets:?}");
            }
        }
    }
}

/// Tokens for no warp, or for all, are none.
#[test]
fn tokens_for_none_or_all_change_nothing() {
    let mut runs = kernels();
    for (name, run) in &mut runs {
        for machine in ["tiny", "gtx480-ch6"] {
            let plain = counted(run, machine, &[]);
            for tokens in ["0", "1024"] {
                let sets = [
                    ("allocation", "priority-allocation"),
                    ("priority-allocation.tokens", tokens),
                    ("dram-scheduler", if tokens == "0" { "fp-frfcfs" } else { "fr-fcfs" }),
                ];
                let with = counted(run, machine, &sets);
                assert!(with == plain, "{name} on {machine} with {tokens} tokens");
            }
        }
    }
}

/// Launches one after the other on a second level that is kept, which the host writes before each: memory is what it would be without, and
/// all sums hold for each launch by itself.
#[test]
fn a_second_level_that_is_kept_matters_for_time_alone() {
    let is_of_l2 = |sets: &Vec<(String, String)>| sets[0].0.starts_with("l2.");
    let one = |key: &str, value: &str| vec![(key.to_string(), value.to_string())];
    let more =
        [one("l2.hash", "xor"), one("l2.sector", "64"), one("instruction-cache.size", "1024")];
    let all = tried().into_iter().filter(is_of_l2).chain(more);
    for (number, mut sets) in all.enumerate() {
        sets.extend(one("l2.between-launches", "kept"));
        let machines = ["tiny", "gtx480"].into_iter().enumerate();
        for (_, machine) in machines.filter(|(at, _)| is_in_part(number + at, 4)) {
            let label = format!("{machine} with {sets:?}");
            let machine = load_machine(machine, &sets).unwrap_or_else(|e| panic!("{label}: {e}"));
            let launches = |threads: u32, skip: bool| {
                let mut second_level = SecondLevel::of(&machine).expect("it keeps it");
                let all = kernels().into_iter().chain(kernels()).map(|(name, mut run)| {
                    run.machine = machine.clone();
                    (run.limits.threads, run.limits.skip) = (threads, skip);
                    run.limits.oversubscribe = true;
                    let mut functional = run.clone();
                    functional.launch(Model::Functional).expect("it is good");
                    second_level.written(GLOBAL_BASE..GLOBAL_BASE + run.global.len() as u32);
                    let report = run.after(&mut second_level);
                    assert!(run.global == functional.global, "{name} on {label}");
                    check_slots(&format!("{name} on {label}"), &machine, &report);
                    report
                });
                all.collect::<Vec<_>>()
            };
            let alone = launches(1, true);
            assert!(alone == launches(3, false), "{label}");
            let hits = |from: usize| alone[from].statistics.l2_hits;
            assert!(hits(6) > 0, "{label}");
        }
    }
}

/// The numbers of threads that differ: there are never more than processors.
fn threads() -> Vec<u32> {
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get() as u32);
    let mut counts: Vec<u32> = [2, 4, 8].map(|count: u32| count.min(processors)).to_vec();
    counts.dedup();
    counts
}

#[test]
fn models_agree() {
    let kernels = kernels();
    let variants = variants();
    let processors = std::thread::available_parallelism().map_or(1, |count| count.get());
    // Threads of their own: a worker of a pool that waits for a launch in another pool takes over further launches
    // meanwhile, on the same stack.
    std::thread::scope(|scope| {
        for first in 0..processors {
            let (kernels, variants) = (&kernels, &variants);
            scope.spawn(move || {
                let numbered = variants.iter().enumerate();
                for (at, (label, machine)) in numbered.skip(first).step_by(processors) {
                    let chosen =
                        kernels.iter().enumerate().filter(|(kernel, _)| is_in_part(at + kernel, 4));
                    for (_, (name, start)) in chosen {
                        models_agree_on(&format!("{name} on {label}"), machine, start);
                    }
                }
            });
        }
    });
}

fn models_agree_on(label: &str, machine: &Machine, start: &Run) {
    let mut functional = Run { machine: machine.clone(), ..start.clone() };
    let mut timing = functional.clone();
    let mut slow = functional.clone();
    slow.limits.skip = false;
    let counts = functional.launch(Model::Functional).unwrap_or_else(|f| panic!("{label}: {f}"));
    let timed = timing.launch(Model::Timing).unwrap_or_else(|f| panic!("{label}: {f}"));
    let stepped = slow.launch(Model::Timing).unwrap_or_else(|f| panic!("{label}: {f}"));
    assert_eq!(functional.global, timing.global, "{label}");
    assert_eq!(timed, stepped, "{label}");
    check_slots(label, machine, &timed);
    for threads in threads() {
        let mut parallel = Run { machine: machine.clone(), ..start.clone() };
        parallel.limits.threads = threads;
        let report = parallel.timing();
        assert_eq!(report, timed, "{label} in {threads} threads");
        assert_eq!(parallel.global, timing.global, "{label} in {threads} threads");
    }
    let (f, t) = (&counts.statistics, &timed.statistics);
    assert_eq!(f.thread_instructions, t.thread_instructions, "{label}");
    assert_eq!(f.blocks, t.blocks, "{label}");
    let scheme =
        reconverge_simulator::mechanisms::divergence::list::capabilities(&machine.divergence)
            .expect("it was loaded");
    if !scheme.depends_on_time {
        assert_eq!(f.warp_instructions, t.warp_instructions, "{label}");
        assert_eq!(f.divergent_branches, t.divergent_branches, "{label}");
        assert_eq!(f.max_stack_depth, t.max_stack_depth, "{label}");
    }
}

/// Without trace and samples, SMs are built only when a block comes to them.
#[test]
fn an_sm_without_a_block_counts_as_if_it_were_built() {
    let mut runs = kernels();
    // It has seven blocks, and `gtx480` fifteen SMs.
    let everything = runs.len() - 1;
    for (turn, sets) in tried().into_iter().enumerate() {
        let at = if turn % 8 == 0 { turn / 8 % runs.len() } else { everything };
        let (name, run) = &mut runs[at];
        let Ok(machine) = load_machine("gtx480", &sets) else { continue };
        assert!(run.grid.iter().product::<u32>() < machine.sms, "{name}");
        let mut whole = Run { machine, ..run.clone() };
        // Samples are taken of all SMs.
        let mut less = whole.clone();
        less.limits.sampling = None;
        let (expected, found) = (whole.timing(), less.timing());
        let label = format!("{name} with {sets:?}");
        assert_eq!(found.cycles, expected.cycles, "{label}");
        assert_eq!(found.statistics, expected.statistics, "{label}");
        assert_eq!(found.sms, expected.sms, "{label}");
        assert_eq!(found.profile, expected.profile, "{label}");
        assert_eq!(less.global, whole.global, "{label}");
    }
}

#[test]
fn machines_agree() {
    for (name, start) in kernels() {
        let results: Vec<Vec<u8>> = machines()
            .iter()
            .map(|machine| {
                // The kernels have no control bits.
                let set = [("sm.dependences".to_string(), "scoreboard".to_string())];
                let machine = load_machine(&machine.name, &set).expect("it is shipped");
                let mut run = Run { machine, ..start.clone() };
                run.timing();
                run.global
            })
            .collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{name}");
        assert_ne!(results[0], start.global, "{name} does something");
    }
}

#[test]
fn everything_is_right() {
    // The results of the kernel, thread by thread.
    let (_, mut run) = kernels().pop().expect("it is the last");
    let before = run.words();
    run.timing();
    let after = run.words();
    let mut sum = 0u32;
    for thread in 0..7 * 31u32 {
        let (block, x) = (thread / 31, thread % 31);
        if x >= 29 {
            continue;
        }
        // Turns of the loop, the neighbour's word through shared memory, a byte of constant memory.
        let turns = (0..x % 5).fold(x, |value, turn| value.wrapping_mul(3).wrapping_add(turn));
        let neighbour = (28 - x) * 5 + block;
        let expected = turns.wrapping_add(neighbour).wrapping_add(x % 8);
        assert_eq!(after[64 + thread as usize], expected, "thread {thread}");
        sum = sum.wrapping_add(x);
    }
    assert_eq!(after[0], before[0].wrapping_add(sum));
}
