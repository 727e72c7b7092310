//! How many paths of a warp can be scheduled, and the options of divergence schemes.

use crate::support::Run;
use reconverge_simulator::{Model, load_machine};

/// Lane 0 goes to B, the others to C.
const SIDES: &str = "mov.b32 r0, tid.x\n setp.eq.i32 p0, r0, 0\n @p0 bra B !reconverge G\n\
    add.i32 r1, r0, 1\n add.i32 r2, r0, 2\n bra G\n\
    B: add.i32 r1, r0, 1\n\
    G: exit";

/// A machine with a scheme, on which a scheduler has candidates for all of its paths.
fn under(scheme: &str) -> Run {
    let sets = [("divergence", scheme), ("sm.warps", "16")];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    Run { machine, ..Run::code(SIDES) }
}

#[test]
fn paths_at_each_issue() {
    // Equation 3.1 of the dissertation. Without time a path runs as long as it can: 3 instructions with
    // one path; B's with two; then 3 of C, which is alone, and the exit. Under dual-path C, the fall-through
    // path, keeps the first slot: its 3 have two paths. A subdivided warp does not
    // meet at G: B's path exits while there are two, C's alone.
    let functional = |scheme| under(scheme).launch(Model::Functional).expect("it ends").statistics;
    let expected = [
        ("dual-path", 3 + 2 * 3 + 1 + 1, 3 + 3 + 1 + 1),
        ("multi-path", 3 + 2 + 3 + 1, 3 + 1 + 3 + 1),
        ("warp-subdivision", 3 + 2 + 2 + 3 + 1, 3 + 1 + 1 + 3 + 1),
    ];
    for (scheme, paths, instructions) in expected {
        let statistics = functional(scheme);
        let counts = (statistics.schedulable_paths, statistics.warp_instructions);
        assert_eq!(counts, (paths, instructions), "{scheme}");
        let average = paths as f64 / instructions as f64;
        assert_eq!(statistics.path_count(), Some(average), "{scheme}");
    }
    for scheme in ["simt-stack", "convergence-barrier", "thread-frontiers", "likely-convergence"] {
        assert_eq!(functional(scheme).path_count(), Some(1.0), "{scheme}");
    }
}

#[test]
fn paths_over_time() {
    // As "a trace has these cycles" in `tiny.rs`: the exit issues in cycle 15, so that there is a path,
    // which is one entry of the stack, at the end of cycles 0 to 14.
    let code = "mov.b32 r0, 1\n add.i32 r0, r0, r0\n add.i32 r0, r0, r0\n exit";
    let statistics = Run::code(code).timing().statistics;
    assert_eq!((statistics.path_cycles, statistics.stack_entry_cycles), (15, 15));
}

#[test]
fn two_sides_over_time() {
    // Whatever the scheme, there is a path as long as there is a thread; two only while two sides run.
    let single = under("simt-stack").timing();
    let dual = under("dual-path").timing();
    assert!(dual.cycles < single.cycles, "{} and {}", dual.cycles, single.cycles);
    let (single, dual) = (single.statistics, dual.statistics);
    assert_eq!(single.warp_instructions, dual.warp_instructions);
    assert_eq!(single.thread_instructions, dual.thread_instructions);
    assert!(dual.path_count() > single.path_count());
    assert_eq!(single.max_stack_depth, 3, "G, C, and B on it");
    assert_eq!(dual.max_stack_depth, 2, "G, and both sides");
}

/// Fetches of a program on a machine that gives a warp no time to fetch ahead.
fn fetches(code: &str, scheme: &str) -> u64 {
    let sets = [("divergence", scheme), ("sm.warps", "16"), ("scoreboard.entries", "0")];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    let statistics = Run { machine, ..Run::code(code) }.timing().statistics;
    assert_eq!((statistics.divergent_branches, statistics.refetches), (1, 0), "{scheme}");
    statistics.fetches
}

#[test]
fn a_branch_with_one_side_is_not_fetched_anew() {
    let body = "add.i32 r1, r0, 1\n add.i32 r2, r0, 2\n add.i32 r3, r0, 3\n";
    let head = "mov.b32 r0, tid.x\n setp.eq.i32 p0, r0, 0\n";
    // The side is the fall-through path, or the path that is jumped to; the branch is the first or the second
    // instruction of a fetch, so that the next one is in the buffer or not.
    for pad in ["", "mov.b32 r4, 1\n"] {
        let falls = format!("{head}{pad} @p0 bra G !reconverge G\n {body} G: {body} exit");
        let jumps = format!(
            "{head}{pad} bra A\n B: {body} bra G\n A: @p0 bra B !reconverge G\n G: {body} exit"
        );
        for code in [falls, jumps] {
            assert_eq!(fetches(&code, "dual-path"), fetches(&code, "simt-stack"), "{code}");
        }
    }
}

#[test]
fn a_branch_with_two_sides_is_not_fetched_anew() {
    // Both sides and what follows begin with a fetch; what follows the side that arrives last is in its
    // buffer.
    for pad in ["", "mov.b32 r4, 1\n"] {
        let code = format!("{pad}{SIDES}");
        assert!(fetches(&code, "dual-path") <= fetches(&code, "simt-stack"), "{code}");
    }
}

#[test]
fn options_that_are_wrong() {
    let cases = [
        (
            "multi-path",
            "slots",
            "0",
            "options of `multi-path`: `slots` is 0; it must be a whole number from 1 to 32",
        ),
        (
            "multi-path",
            "slots",
            "4",
            "`sm.warps` gives each scheduler 512 paths; at most 128: with `multi-path`, set it to \
             at most 32",
        ),
        (
            "dual-path",
            "scheduling",
            "neither",
            "options of `dual-path`: unknown variant `neither`, expected `both` or `constrained`",
        ),
    ];
    for (scheme, option, value, expected) in cases {
        let sets = [
            ("divergence".to_string(), scheme.to_string()),
            (format!("{scheme}.{option}"), value.to_string()),
        ];
        let error = load_machine("tiny", &sets).expect_err("it is wrong");
        assert!(error.starts_with(expected), "{error}");
    }
}
