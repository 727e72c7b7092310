//! Counts of block-wide schemes, by hand.

use crate::support::Run;
use reconverge_simulator::{Statistics, load_machine};

/// Every other thread goes each way, in eight warps of four lanes; each side loads and stores a word.
const EVERY_OTHER: &str = "
    mov.b32 r0, tid.x
    and.b32 r1, r0, 1
    setp.eq.i32 p0, r1, 0
    shl.b32 r2, r0, 2
    add.i32 r2, r2, c[0]
@p0 bra even !P !reconverge meet
    ld.global.b32 r3, [r2]
    add.i32 r3, r3, 1
    st.global.b32 [r2], r3
    bra meet
even:
    ld.global.b32 r3, [r2]
    add.i32 r3, r3, 2
    st.global.b32 [r2], r3
meet:
    exit";

/// The same with words of shared memory.
const IN_SHARED: &str = "
    mov.b32 r0, tid.x
    and.b32 r1, r0, 1
    setp.eq.i32 p0, r1, 0
    shl.b32 r2, r0, 2
    add.i32 r2, r2, 0x01000000
@p0 bra even !P !reconverge meet
    st.shared.b32 [r2], r0
    bra meet
even:
    st.shared.b32 [r2], r0
meet:
    exit";

#[test]
fn banks_of_regrouped_threads() {
    // Eight warps of four lanes, of each of which two threads go each way. Regrouped they are four warps a
    // way. Under `balanced` each has threads of the same places of two warps, whose words lie in the same banks,
    // unless a word lies in the bank of its thread's lane.
    let cases = [
        ("identity", "word", (16, 16)),
        ("balanced", "word", (16, 16)),
        ("balanced", "thread", (8, 16)),
        ("odd-even", "thread", (8, 16)),
        ("identity", "thread", (16, 16)),
    ];
    for (lanes, mapping, expected) in cases {
        let sets = [
            ("divergence", "block-compaction"),
            ("lane-permutation", lanes),
            ("shared.bank-mapping", mapping),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let text = format!(".kernel k\n.shared 128\n.registers 8\n.predicates 1\n{IN_SHARED}");
        let mut run = Run::new(&text, "tiny").block(32);
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let s = run.timing().statistics;
        let found = (s.shared_passes, s.uncompacted_shared_passes);
        assert_eq!(found, expected, "{lanes} {mapping}");
        let ratio = found.0 as f64 / found.1 as f64;
        assert_eq!(s.compaction_shared_pass_ratio(), Some(ratio), "{lanes} {mapping}");
    }
}

fn statistics(sets: &[(&str, &str)]) -> Statistics {
    let sets: Vec<(String, String)> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let text = format!(".kernel k\n.param out 0 8\n.registers 8\n.predicates 1\n{EVERY_OTHER}");
    let mut run = Run::new(&text, "tiny").block(32);
    run.parameters = vec![reconverge_isa::GLOBAL_BASE, 0];
    run.machine = load_machine("tiny", &sets).expect("it is a machine");
    let statistics = run.timing().statistics;
    let expected: Vec<u32> = (0..32).map(|thread| 2 - (thread & 1)).collect();
    assert_eq!(run.words()[..32], expected, "{sets:?}");
    statistics
}

#[test]
fn compaction_rates_depend_on_lanes() {
    // Warps after compaction of the sixteen that the two sides come with, and whether that is fewer.
    let cases = [
        ("identity", 16, 0),
        ("odd-even", 8, 2),
        ("flip-odd", 8, 2),
        ("rotate-odd-1", 8, 2),
        ("xor-half-odd", 16, 0),
        ("warp-id", 8, 2),
        ("reverse-warp-id", 8, 2),
        ("balanced", 8, 2),
        ("ideal", 8, 2),
    ];
    for (lanes, after, compacted) in cases {
        let s = statistics(&[("divergence", "block-compaction"), ("lane-permutation", lanes)]);
        assert_eq!((s.programmatic_paths, s.data_paths), (2, 0), "{lanes}");
        assert_eq!(s.programmatic_compactable_half, 2, "{lanes}");
        assert_eq!(s.programmatic_compacted_half, compacted, "{lanes}");
        let warps = (s.warps_before_compaction, s.warps_after_compaction, s.warps_ideal);
        assert_eq!(warps, (16, after, 8), "{lanes}");
        // Eight at the branch, and those of the side that jumps to the reconvergence point.
        assert_eq!((s.stalled_warps, s.bypassed_warps), (8 + after / 2, 0), "{lanes}");
        let decisions = if compacted == 0 { (0, 8) } else { (8, 0) };
        assert_eq!((s.stall_stall_warps, s.stall_bypass_warps), decisions, "{lanes}");
        // A line of 128 bytes holds the words of all.
        assert_eq!(s.uncompacted_transactions, 32, "{lanes}");
        assert_eq!(s.transactions, 2 * after, "{lanes}");
        let rate = f64::from(compacted as u32) / 2.0;
        assert_eq!(s.programmatic_compaction_rate(), Some(rate), "{lanes}");
    }
}

#[test]
fn the_missing_side_of_an_if_is_no_path() {
    // Lanes 0 of eight warps write; the other 24 threads go to the reconvergence point, where there is nothing to compact.
    let text = ".kernel k\n.param out 0 8\n.registers 8\n.predicates 1\n
    mov.b32 r0, tid.x
    and.b32 r1, r0, 3
    setp.ne.i32 p0, r1, 0
    shl.b32 r2, r0, 2
    add.i32 r2, r2, c[0]
@p0 bra meet !P !reconverge meet
    st.global.b32 [r2], r0
meet:
    exit";
    for (lanes, after) in [("identity", 8), ("flip-odd", 4), ("balanced", 2), ("ideal", 2)] {
        let sets = [("divergence", "block-compaction"), ("lane-permutation", lanes)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        let mut run = Run::new(text, "tiny").block(32);
        run.parameters = vec![reconverge_isa::GLOBAL_BASE, 0];
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let s = run.timing().statistics;
        assert_eq!(s.programmatic_paths, 1, "{lanes}");
        let warps = (s.warps_before_compaction, s.warps_after_compaction, s.warps_ideal);
        assert_eq!(warps, (8, after, 2), "{lanes}");
    }
}

#[test]
fn a_prediction_is_right_or_wrong() {
    // The branch is unknown: all stall, in vain. Those of the jump have no decision to make.
    let s = statistics(&[("divergence", "capri")]);
    let decisions = |s: &Statistics| {
        [s.stall_stall_warps, s.stall_bypass_warps, s.bypass_stall_warps, s.bypass_bypass_warps]
    };
    assert_eq!(decisions(&s), [0, 8, 0, 0]);
    assert_eq!((s.stalled_warps, s.bypassed_warps), (8, 0));
    let s = statistics(&[("divergence", "capri"), ("lane-permutation", "balanced")]);
    assert_eq!(decisions(&s), [8, 0, 0, 0]);
    assert_eq!(s.compaction_prediction_accuracy(), Some(1.0));
    // Nobody forms warps: nothing is counted.
    let s = statistics(&[("divergence", "simt-stack"), ("lane-permutation", "balanced")]);
    assert_eq!((decisions(&s), s.uncompacted_transactions, s.programmatic_paths), ([0; 4], 0, 0));
}

/// Threads leave a loop at different times, in each warp of four all at different ones.
const LEAVING: &str = "
.kernel k
.param out 0 8
.registers 8
.predicates 1
    mov.b32 r0, tid.x
    mul.i32 r1, r0, 5
    shr.u32 r4, r0, 2
    add.i32 r1, r1, r4
    and.b32 r1, r1, 7
    shl.b32 r2, r0, 2
    add.i32 r2, r2, c[0]
    mov.b32 r3, 0
again:
    add.i32 r3, r3, 1
    setp.le.s32 p0, r3, r1
@p0 bra again !P !reconverge out
out:
    st.global.b32 [r2], r3
    exit";

#[test]
fn who_leaves_a_loop_without_waiting_meets_the_others_behind_it() {
    for (history, lanes) in [
        ("latest", "identity"),
        ("sticky", "identity"),
        ("counter2", "identity"),
        ("none", "identity"),
        ("latest", "flip-odd"),
        ("counter2", "balanced"),
        ("latest", "ideal"),
    ] {
        let sets =
            [("divergence", "capri"), ("capri.history", history), ("lane-permutation", lanes)];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        // Blocks of one SM share their table: those that come later are predicted otherwise.
        let mut run = Run::new(LEAVING, "tiny").grid(4).block(32);
        run.parameters = vec![reconverge_isa::GLOBAL_BASE, 0];
        run.machine = load_machine("tiny", &sets).expect("it is a machine");
        let statistics = run.timing().statistics;
        let expected: Vec<u32> = (0..32).map(|thread| (thread * 5 + thread / 4) % 8 + 1).collect();
        assert_eq!(run.words()[..32], expected, "{history} {lanes}");
        if lanes == "identity" {
            // A store for each of the eight warps.
            assert_eq!(statistics.transactions, 4 * 8, "{history}");
        }
    }
}
