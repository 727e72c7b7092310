//! Values at the levels of a register file that the compiler fills: every read is at one level, memory is what the interpreter says,
//! and all registers are where the code says, which the runs check.

use crate::data::each;
use reconverge::execute::ModelName;
use reconverge_simulator::Statistics;
use reconverge_tests::examples::{case, counted};
use reconverge_tests::oracle::Variant;

/// Programs with loops, barriers, shared memory, local memory and divergence, in which no thread waits for another one in a loop.
const PROGRAMS: [&str; 6] =
    ["matmul_tiled", "reduction", "histogram", "spmv", "divergence/julia", "divergence/queens"];

/// `compiler-managed` with an active pool of `pool` paths for each scheduler.
fn managed(machine: &str, pool: &str) -> Variant {
    Variant::new(ModelName::Timing, machine)
        .set("register-file", "compiler-managed")
        .set("scheduler", "two-level")
        .set("two-level.variant", "active-pool")
        .set("two-level.pool", pool)
}

#[test]
fn every_read_is_at_one_level() {
    each(&PROGRAMS, |program| {
        let case = case(program).map_err(|error| error.to_string())?;
        let banked = counted(&case, &Variant::new(ModelName::Timing, "gtx480"))?;
        let three = counted(&case, &managed("gtx480", "8"))?;
        let none = managed("gtx480", "8").set("compiler-managed.entries", "0");
        let none = counted(&case, &none.set("compiler-managed.last-result", "false"))?;
        let reads = |s: &Statistics| s.register_reads + s.register_cache_reads;
        let facts = [
            ("reads", reads(&three) == reads(&banked)),
            ("no levels", [none.register_cache_reads, none.register_cache_writes] == [0, 0]),
            ("banks", none.register_reads == banked.register_reads),
            ("results", none.register_writes == banked.register_writes),
            // A result is at one level, or at two of which one is the main register file.
            ("writes", three.register_writes <= banked.register_writes),
            ("above", three.register_cache_writes <= banked.register_writes),
            ("all", three.register_writes + three.register_cache_writes >= banked.register_writes),
            ("fewer", three.register_reads < banked.register_reads),
            ("last results", three.last_result_reads < three.register_cache_reads),
            ("each is used", three.last_result_writes <= three.last_result_reads),
        ];
        match facts.into_iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((what, _)) => Err(format!("{program}: {what}: {banked:?}, then {three:?}")),
        }
    });
}

#[test]
fn the_smallest_levels_and_pools_come_to_an_end() {
    let tiny = |entries: &str| {
        let few = managed("tiny", "1").set("compiler-managed.entries", entries);
        few.set("sm.schedulers", "4").set("sm.warps", "128")
    };
    let fermi = |key: &str, value: &str| managed("gtx480", "1").set(key, value);
    let variants = [
        tiny("0"),
        tiny("1").set("banked.banks", "1").set("banked.collectors", "1"),
        fermi("divergence", "convergence-barrier").convergence_barriers(),
        fermi("divergence", "dual-path"),
        fermi("affine", "decoupled").set("decoupled.kernels", "all").set("sm.warps", "32"),
        fermi("affine", "scalar-unit"),
        fermi("scoreboard.entries", "1"),
    ];
    let programs = [&PROGRAMS[..], &["bfs", "nested_branch", "bitonic"]].concat();
    each(&programs, |program| {
        let case = case(program).map_err(|error| error.to_string())?;
        case.compare(&variants)
            .map_err(|failure| format!("{program}: {:?}: {}", failure.variant.sets, failure.what))
    });
}
