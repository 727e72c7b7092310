//! Registers of regions in an operand staging unit: each is there or comes, memory is what the interpreter says, no launch waits
//! forever however small the unit is, and all registers are staged that are read, which the runs check.

use crate::data::each;
use reconverge::execute::ModelName;
use reconverge_simulator::{Statistics, load_machine};
use reconverge_tests::examples::{case, counted};
use reconverge_tests::oracle::Variant;
use reconverge_tests::slice::Slice;

/// Programs with loops, barriers, shared memory, local memory and divergence.
const PROGRAMS: [&str; 6] =
    ["matmul_tiled", "reduction", "histogram", "spmv", "divergence/julia", "divergence/queens"];

/// `regless` with `entries` entries.
fn regless(machine: &str, entries: &str) -> Variant {
    Variant::new(ModelName::Timing, machine)
        .set("register-file", "regless")
        .set("regless.entries", entries)
}

#[test]
fn every_register_of_a_region_is_there_or_comes() {
    each(&PROGRAMS, |program| {
        let case = case(program).map_err(|error| error.to_string())?;
        let one = |variant: Variant| counted(&case, &variant.set("sms", "1"));
        let banked = one(Variant::new(ModelName::Timing, "gtx480"))?;
        let all = one(regless("gtx480", "32768"))?;
        let few = one(regless("gtx480", "128"))?;
        let plain = one(regless("gtx480", "128").set("regless.compress", "false"))?;
        let staged =
            |s: &Statistics| s.mechanisms.get("staging_hits") + s.mechanisms.get("staging_misses");
        let moved = |s: &Statistics| {
            s.mechanisms.get("staging_misses") + s.mechanisms.get("staging_write_backs")
        };
        let facts = [
            (
                "nothing is staged elsewhere",
                banked.mechanisms.get("staged_regions") + staged(&banked) == 0,
            ),
            ("a unit with all registers", moved(&all) == 0 && all.register_line_accesses == 0),
            ("reads", all.register_reads == banked.register_reads),
            ("writes", all.register_writes == banked.register_writes),
            (
                "those that come are written",
                few.register_writes
                    == banked.register_writes + few.mechanisms.get("staging_misses"),
            ),
            (
                "those that leave are read",
                few.register_reads
                    == banked.register_reads + few.mechanisms.get("staging_write_backs"),
            ),
            (
                "regions",
                few.mechanisms.get("staged_regions") == all.mechanisms.get("staged_regions"),
            ),
            ("instructions", few.warp_instructions == banked.warp_instructions),
            ("hits and misses", staged(&few) == staged(&all)),
            // A register is a line here; a base and a stride are never two.
            ("accesses", few.register_line_accesses == moved(&few)),
            (
                "compressed",
                few.mechanisms.get("staging_compressed") <= moved(&few)
                    && plain.mechanisms.get("staging_compressed") == 0,
            ),
            (
                "what was never written does not come",
                few.mechanisms.get("staging_misses") <= staged(&few),
            ),
        ];
        match facts.into_iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((what, _)) => {
                Err(format!("{program}: {what}: {banked:?}, then {all:?}, then {few:?}"))
            }
        }
    });
}

#[test]
fn the_smallest_units_come_to_an_end() {
    let tiny = |entries: &str, banks: &str, region: &str| {
        let few = regless("tiny", entries).set("regless.banks", banks);
        few.set("regless.region", region).set("sm.warps", "128")
    };
    let fermi = |key: &str, value: &str| regless("gtx480", "64").set(key, value);
    let variants = [
        tiny("12", "1", "1"),
        tiny("24", "8", "4").set("regless.patience", "0"),
        tiny("32", "4", "256").set("banked.collectors", "1"),
        tiny("16", "2", "3").set("l1.size", "0"),
        fermi("regless.patience", "65536"),
        fermi("divergence", "convergence-barrier").convergence_barriers(),
        fermi("divergence", "dual-path"),
        fermi("divergence", "warp-subdivision").set("warp-subdivision.memory-divergence", "true"),
        fermi("scoreboard.entries", "1"),
        fermi("banked.hazards", "release-on-read"),
    ];
    let slice = Slice::of(8).unwrap();
    println!("{slice}");
    let programs = [&PROGRAMS[..], &["bfs", "nested_branch", "bitonic"]].concat();
    let runs = programs.iter().flat_map(|program| variants.iter().map(move |it| (program, it)));
    let is_chosen = |(program, variant): &(&&str, &Variant)| {
        slice.has(&format!("{program} {:?}", variant.sets))
    };
    let runs: Vec<_> = runs.filter(is_chosen).collect();
    each(&runs, |(program, variant)| {
        let case = case(program).map_err(|error| error.to_string())?;
        case.compare(std::slice::from_ref(*variant))
            .map_err(|failure| format!("{program}: {:?}: {}", failure.variant.sets, failure.what))
    });
}

#[test]
fn schemes_and_caches_that_it_does_not_go_with_are_refused() {
    for (key, value, expected) in [
        ("divergence", "capri", "whose paths may hold threads of several warps"),
        ("divergence", "block-compaction", "whose paths may hold threads of several warps"),
        ("local-cache", "affine-vector-cache", "in the slot `local-cache`"),
        ("affine", "scalar-unit", "in the slot `affine`"),
        ("affine", "decoupled", "in the slot `affine`"),
        ("regless.entries", "7", "entries"),
    ] {
        let sets = [("register-file", "regless"), (key, value)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let error = load_machine("gtx480", &sets).err().unwrap_or_default();
        assert!(error.contains(expected), "{key}={value}: {error}");
    }
}
