//! Kernels of two streams do what the same kernels of one stream do. Each file of `affine/` has both, and a
//! line that says how they are launched: `// launch GRID BLOCK PARAMETERS`, `@` for an address.

mod support;

use std::path::Path;

use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{Machine, Model, Report};
use support::Run;

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
    Machine::load(machine, &sets).unwrap_or_else(|error| panic!("{error}"))
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
                let sets = [
                    ("affine", "decoupled"),
                    ("divergence", divergence),
                    ("core.warp-width", width),
                ];
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
    &[("scheduler", "greedy-then-oldest"), ("core.schedulers", "3")],
    &[("scheduler", "two-level")],
    &[("scheduler", "two-level"), ("two-level.sense", "active-pool"), ("two-level.pool", "2")],
    &[("decoupled.tuple-queue", "1"), ("decoupled.address-queue", "1")],
    &[("decoupled.predicate-queue", "1"), ("decoupled.tuple-queue", "2")],
    &[("decoupled.batch", "drained"), ("core.blocks", "2")],
    &[("core.blocks", "1")],
    &[("l1.size", "0")],
    &[("l1.ways", "1"), ("l1.size", "4096")],
    &[("l1.ways", "2"), ("l1.size", "512")],
    &[("l1.pending", "1"), ("interconnect.queue", "1"), ("interconnect.credits", "1")],
    &[("l1.line", "32"), ("l1.hash", "xor")],
    &[("load-store.queue", "1"), ("core.warp-width", "8")],
    &[("core.warp-width", "5")],
    &[("scoreboard.entries", "1"), ("instruction-cache.size", "512")],
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
                let mut all = vec![("affine", "decoupled"), ("core.warps", "32")];
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
    let all = report.cycles * u64::from(machine.core.schedulers);
    for core in &report.cores {
        let sum: u64 = core.slot_reasons().iter().map(|(_, slots)| slots).sum();
        assert_eq!((sum, core.issue_slots), (all, all), "{label}");
        assert_eq!(core.slots_issued, core.warp_instructions, "{label}");
    }
}
