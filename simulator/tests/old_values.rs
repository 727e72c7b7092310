//! Control bits that are wrong, on a machine that checks nothing: what an instruction reads that issues too early
//! (Huerta et al., MICRO 2025, §4).

use crate::support::Run;
use reconverge_isa::GLOBAL_BASE;
use reconverge_simulator::{Model, load_machine};

/// The first word of memory after some code, in which `r8` is the address of that word.
fn stored(code: &str) -> u32 {
    let mut run = prepared(code);
    run.verifies = false;
    run.launch(Model::Timing).unwrap_or_else(|fault| panic!("{fault}"));
    u32::from_le_bytes(run.global[..4].try_into().unwrap_or_default())
}

/// A run of such code.
fn prepared(code: &str) -> Run {
    let sets = [
        ("sm.operand-delivery", "fixed-latency"),
        ("sm.dependences", "control-bits"),
        ("instruction-cache.size", "0"),
        ("fetch.width", "8"),
        ("fetch.buffer", "8"),
        ("fetch.policy", "room"),
    ];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let text = format!(
        ".kernel k\n.registers 32\n.predicates 2\n.shared 1024\n mov.b32 r8, c[0] !stall 8\n{code}\n exit !wait 0,1,2,3,4,5"
    );
    let mut run = Run::new(&text, "h100").block(32);
    run.machine = load_machine("h100", &sets).unwrap_or_else(|error| panic!("{error}"));
    run.parameters = vec![GLOBAL_BASE];
    run.global = 7u32.to_le_bytes().repeat(1024);
    run
}

/// Listing 2: with a stall count of 1 the sum is 1 * 1 + 1, with one of 4 it is 5 * 1 + 1.
#[test]
fn a_stall_count_that_is_too_small_reads_the_old_value() {
    let sum = |stall: u32| {
        stored(&format!(
            " mov.b32 r1, 1 !stall 1\n mov.b32 r2, 2 !stall 1\n mov.b32 r3, 3 !stall 8\n \
             add.i32 r1, r2, r3 !stall {stall}\n mad.i32 r5, r1, r1, r1 !stall 8\n st.global.b32 [r8], r5 !stall 2"
        ))
    };
    assert_eq!([1, 3, 4, 5].map(sum), [2, 2, 30, 30]);
}

/// Listing 3: a result is forwarded to instructions of fixed latency only.
#[test]
fn a_store_reads_a_result_a_cycle_later_than_a_move() {
    let code = |stall: u32, rest: &str| {
        stored(&format!(" mov.b32 r1, 1 !stall 8\n mov.b32 r1, 2 !stall {stall}\n{rest}"))
    };
    let copied = " mov.b32 r2, r1 !stall 8\n st.global.b32 [r8], r2 !stall 2";
    assert_eq!([3, 4].map(|stall| code(stall, copied)), [1, 2]);
    let direct = " st.global.b32 [r8], r1 !stall 2";
    assert_eq!([4, 5].map(|stall| code(stall, direct)), [1, 2]);
}

#[test]
fn a_counter_that_is_forgotten_reads_the_old_value() {
    let code = |stall: u32, wait: &str| {
        stored(&format!(
            " mov.b32 r1, 3 !stall 8\n ld.global.b32 r1, [r8+64] !stall {stall} !wr 0\n \
             add.i32 r2, r1, 1 {wait} !stall 8\n st.global.b32 [r8], r2 !stall 2"
        ))
    };
    assert_eq!([code(2, "!wait 0"), code(2, ""), code(1, "!wait 0")], [8, 4, 4]);
}

#[test]
fn a_limit_that_is_too_large_reads_the_old_value() {
    let code = |limit: u32| {
        format!(
            " mov.b32 r9, 0x1000000 !stall 8\n mov.b32 r1, 9 !stall 1\n mov.b32 r2, 3 !stall 8\n \
             st.shared.b32 [r9], r1 !stall 15\n mov.b32 r10, 0 !stall 15\n \
             ld.shared.b32 r2, [r9] !stall 1 !wr 0\n ld.shared.b32 r3, [r9+4] !stall 2 !wr 0\n \
             depbar.le sb0, {limit} !stall 4\n add.i32 r2, r2, 1 !stall 8\n st.global.b32 [r8], r2 !stall 2"
        )
    };
    assert_eq!([0, 1, 2].map(|limit| stored(&code(limit))), [10, 10, 4]);
    // A run with checks stops there.
    let launch = |limit: u32| prepared(&code(limit)).launch(Model::Timing).map(|_| ());
    assert_eq!(launch(1), Ok(()));
    let fault = launch(2).expect_err("the first load is outstanding").to_string();
    assert!(fault.contains("reads what is not there yet"), "{fault}");
}

#[test]
fn a_predicate_has_its_old_value() {
    let code = |stall: u32| {
        stored(&format!(
            " mov.b32 r1, 1 !stall 8\n setp.eq.i32 p0, r1, 0 !stall 8\n setp.eq.i32 p0, r1, 1 !stall {stall}\n \
             @p0 mov.b32 r1, 5 !stall 8\n st.global.b32 [r8], r1 !stall 2"
        ))
    };
    assert_eq!([3, 4].map(code), [1, 5]);
}

/// The older of two results for a register arrives last, so that it stays.
#[test]
fn results_are_written_in_the_order_of_their_arrival() {
    let code = |wait: &str| {
        stored(&format!(
            " ld.global.b32 r1, [r8+64] !stall 2 !wr 0\n mov.b32 r1, 2 {wait} !stall 15\n mov.b32 r2, 0 !wait 0 !stall 15\n \
             st.global.b32 [r8], r1 !stall 2"
        ))
    };
    assert_eq!([code(""), code("!wait 0")], [7, 2]);
}

/// A conflict of operands delays the reader too, so that it still has what the stall count promises.
#[test]
fn what_is_held_keeps_its_distance() {
    let code = |stall: u32| {
        stored(&format!(
            " mov.b32 r1, 1 !stall 1\n mov.b32 r2, 1 !stall 1\n mov.b32 r4, 1 !stall 1\n mov.b32 r6, 1 !stall 8\n \
             mad.i32 r10, r2, r4, r6 !stall 1\n mad.i32 r12, r2, r4, r6 !stall 1\n mad.i32 r1, r2, r4, r6 !stall {stall}\n \
             add.i32 r3, r1, r1 !stall 8\n st.global.b32 [r8], r3 !stall 2"
        ))
    };
    assert_eq!([3, 4].map(code), [2, 4]);
}

/// A load waits for an atomic that takes place later, at an address that is computed in between.
#[test]
fn a_load_waits_for_an_atomic_by_its_new_address() {
    let code = " mov.b32 r1, 1 !stall 1\n mov.b32 r9, 0 !stall 8\n atom.add.i32.global r2, [r8], r1 !stall 2 !wr 0\n \
                add.i32 r9, r8, 0 !stall 5\n ld.global.b32 r3, [r9] !stall 2 !wr 1\n \
                st.global.b32 [r8], r3 !wait 0,1 !stall 2";
    assert_eq!(stored(code), 7 + 32);
}
