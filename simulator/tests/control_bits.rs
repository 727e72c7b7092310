//! Dependences stated by the compiler (`sm.dependences=control-bits`): cycles on `tiny`, computed by hand as in `tiny.rs`.
//!
//! An instruction of fixed latency that issues in cycle t starts in its pipe in t + 2, whatever it
//! reads; its result can be read "latency" cycles after that, and nothing waits for it.

use crate::support::Run;
use reconverge_isa::{FixedLatencies, GLOBAL_BASE, Op};
use reconverge_simulator::{Fault, Model, fixed_latencies, load_machine};

fn run(code: &str) -> Run {
    with_counters(code, "6")
}

/// Code on a machine with some dependence counters.
fn with_counters(code: &str, counters: &str) -> Run {
    let sets = [
        ("sm.operand-delivery", "fixed-latency"),
        ("sm.dependences", "control-bits"),
        ("scoreboard.entries", "0"),
        ("sm.dependence-counters", counters),
    ];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    let mut run = Run::code(code);
    run.machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    run
}

fn cycles(code: &str) -> u64 {
    run(code).timing().cycles
}

#[test]
fn the_compiler_receives_the_latencies() {
    let machine = run("exit !stall 1").machine;
    let latencies: FixedLatencies = fixed_latencies(&machine);
    // Two cycles to read, and the latency of the unit; 64 bits take two passes.
    let expected = [
        (Op::Add, Some(6)),
        (Op::Add64, Some(7)),
        (Op::AddF32, Some(7)),
        (Op::AddF64, Some(12)),
        (Op::Branch, Some(1)),
        (Op::Load, None),
        (Op::Store, None),
        (Op::DivF32, None),
        (Op::BarrierOr, None),
    ];
    for (op, latency) in expected {
        assert_eq!(latencies.latency_of(op), latency, "{op:?}");
    }
}

#[test]
fn a_stall_count_separates_instructions() {
    // fetch 0: mov 1 (3, 7), add 7; fetch 8: exit 9
    assert_eq!(cycles("mov.b32 r0, 1 !stall 6\n add.i32 r1, r0, r0\n exit"), 10);
    // fetch 0: mov 1, add 2; fetch 3: exit 4
    assert_eq!(cycles("mov.b32 r0, 1 !stall 1\n add.i32 r1, r7, r7\n exit"), 5);
    // The warp leaves a cycle out: mov 1, add 3; fetch 4: exit 5
    assert_eq!(cycles("mov.b32 r0, 1 !yield\n add.i32 r1, r7, r7\n exit"), 6);
}

#[test]
fn a_run_with_checks_finds_a_stall_that_is_too_small() {
    let launch = |stall: u8| {
        let code = format!("mov.b32 r0, 1 !stall {stall}\n add.i32 r1, r0, r0\n exit");
        run(&code).launch(Model::Timing).map(|report| report.cycles)
    };
    assert_eq!(launch(6), Ok(10));
    let fault = launch(5).expect_err("the result is there a cycle later").to_string();
    assert!(fault.contains("reads what is not there yet"), "{fault}");
}

#[test]
fn an_instruction_issues_when_the_latch_of_its_pipe_will_be_free() {
    // A double operation takes its pipe for 4 cycles: the first, issued in 1, from 3 to 6. So the second issues in 5.
    // fetch 0: 1, 5; fetch 6: 7, exit 8
    let code =
        "add.f64 r0:1, r2:3, r2:3 !stall 1\n add.f64 r4:5, r2:3, r2:3\n mov.b32 r6, 1\n exit";
    assert_eq!(cycles(code), 9);
}

#[test]
fn counters_hold_back_those_that_wait_for_them() {
    let after = |access: &str, rest: &str| {
        cycles(&format!("mov.b32 r6, 0x1000000 !stall 7\n {access}\n {rest}\n exit"))
    };
    let load = |rest: &str| after("ld.shared.b32 r0, [r6] !stall 2 !wr 0", rest);
    let (free, written) = (load("add.i32 r1, r7, r7"), load("add.i32 r1, r7, r7 !wait 0"));
    assert!(free < written, "{free}, {written}");
    assert_eq!(load("add.i32 r1, r7, r7 !wait 2"), free, "another counter");
    let depbar = load("depbar.le sb0, 0 !stall 4\n add.i32 r1, r7, r7");
    assert!(depbar > written, "it also takes a slot: {depbar}");
    // The store issues in 8. It has read both operands 12 cycles later, and is served in 22.
    let store = |rest: &str| after("st.shared.b32 [r6], r7 !stall 2 !rd 1", rest);
    let add = "add.i32 r1, r7, r7 !stall 9";
    let (free, read) = (store(add), store(&format!("{add} !wait 1")));
    assert_eq!((free, read), (23, 20 + 9 + 1));
}

/// Cycles of code whose instructions are fetched at once.
fn fetched_at_once(code: &str) -> u64 {
    let mut run = Run::new(&format!(".kernel k\n.registers 24\n{code}"), "tiny");
    let sets = [
        ("sm.operand-delivery", "fixed-latency"),
        ("sm.dependences", "control-bits"),
        ("scoreboard.entries", "0"),
        ("fetch.width", "8"),
        ("fetch.buffer", "8"),
    ];
    let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
    run.machine = load_machine("tiny", &sets).unwrap_or_else(|error| panic!("{error}"));
    run.timing().cycles
}

/// Huerta et al., Listing 1: the second instruction waits for the port of the even bank.
#[test]
fn operands_of_one_bank_wait_for_its_port() {
    let cycles = |x: u32, y: u32| {
        fetched_at_once(&format!(
            "fma.f32 r11, r10, r12, r14 !stall 1\n fma.f32 r13, r16, r{x}, r{y}\n mov.b32 r0, 1\n exit"
        ))
    };
    // fetch 0: 1, 2, 3, exit 4
    assert_eq!([cycles(19, 21), cycles(18, 21), cycles(18, 20)], [5, 6, 7]);
}

/// Huerta et al., Listing 4, with even registers only where the paper has any, so that each miss
/// costs a cycle: the second instruction waits 1 cycle for 2 reads; the third 1 if it hits, or 2.
#[test]
fn the_operand_cache_goes_by_bank_and_position() {
    let cycles = |second: &str, third: &str| {
        fetched_at_once(&format!(
            "fma.f32 r1, r2, r4, r6 !stall 1 !reuse 0\n fma.f32 r5, {second}\n fma.f32 r11, {third}\n \
             mov.b32 r0, 1\n exit"
        ))
    };
    // fetch 0: 1, 2, 3, 4; fetch 5: exit 6; and the waits
    let third = "r2, r12, r14";
    assert_eq!(cycles("r2, r8, r10", third), 7 + 1 + 2, "the hit makes it unavailable");
    assert_eq!(cycles("r2, r8, r10 !reuse 0", third), 7 + 1 + 1, "it is kept again");
    assert_eq!(cycles("r7, r2, r8", third), 7 + 1 + 1, "another position, and another bank");
    assert_eq!(cycles("r4, r7, r8", third), 7 + 1 + 2, "another register of the bank");
}

#[test]
fn a_counter_is_shared_by_several_loads() {
    let both = |second: &str, counters: &str| {
        let code = format!(
            "ld.global.b32 r0, [c[0]] !stall 2 !wr 0\n ld.shared.b32 r1, [0x1000000] !stall 2 !wr {second}\n \
             add.i32 r2, r1, r1 !wait {second}\n exit"
        );
        let mut run = with_counters(&code, counters);
        run.parameters = vec![GLOBAL_BASE];
        let report = run.timing();
        report.statistics.slots_memory
    };
    let (shared, own) = (both("0", "6"), both("1", "6"));
    assert!(shared > own, "the shared load need not wait for the global one");
    assert_eq!(both("0", "0"), own, "unlimited counters: registers have their own");
}

#[test]
fn unlimited_counters_protect_results_and_sources() {
    let cycles = |code: &str, counters: &str| {
        let code = format!("mov.b32 r6, 0x1000000 !stall 7\n {code}\n exit");
        with_counters(&code, counters).timing().cycles
    };
    for code in [
        // Read and write after write, then write after read of an address and of a guard.
        "ld.shared.b32 r0, [r6] !stall 2 !wr 0\n add.i32 r1, r0, r7 !wait 0",
        "ld.shared.b32 r0, [r6] !stall 2 !wr 0\n mov.b32 r0, 1 !wait 0",
        "st.shared.b32 [r6], r7 !stall 2 !rd 0\n mov.b32 r7, 1 !wait 0",
        "@!p0 st.shared.b32 [r6], r7 !stall 2 !rd 0\n setp.lt.s32 p0, r7, r7 !wait 0",
    ] {
        assert_eq!(cycles(code, "0"), cycles(code, "6"), "{code}");
    }
}

#[test]
fn a_counter_that_the_machine_lacks_is_refused() {
    let launch = |counter: u8| {
        let code = format!("ld.shared.b32 r0, [0x1000000] !stall 2 !wr {counter}\n exit");
        with_counters(&code, "2").launch(Model::Timing).map(|report| report.cycles)
    };
    assert!(launch(1).is_ok());
    let fault = launch(2).expect_err("there are counters 0 and 1").to_string();
    assert!(fault.contains("names counter 2, and the machine has 2"), "{fault}");
}

#[test]
fn a_run_with_checks_finds_addresses_that_differ() {
    let launch = |address: &str| {
        let code = format!(
            "mov.b32 r1, {address} !stall 6\n mul.i32 r1, r1, 4 !stall 15\n \
             add.i32 r1, r1, 0x1000000 !stall 7\n ld.shared.b32 r0, [r1] !stall 2 !wr 0 !common\n exit"
        );
        run(&code).launch(Model::Timing).map(|_| ())
    };
    assert_eq!(launch("ntid.x"), Ok(()));
    let fault = launch("tid.x").expect_err("threads differ").to_string();
    assert!(fault.contains("access of one address"), "{fault}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |key: &str, value: &str| {
        let sets = [
            ("sm.operand-delivery", "fixed-latency"),
            ("sm.dependences", "control-bits"),
            ("scoreboard.entries", "0"),
            (key, value),
        ];
        let sets = sets.map(|(key, value)| (key.to_string(), value.to_string()));
        load_machine("tiny", &sets).expect_err("it does not go")
    };
    for (key, value) in [
        ("register-file", "compressed"),
        ("sm.pairing", "other-warp"),
        ("cycle-compression", "bcc"),
        ("divergence", "warp-formation"),
    ] {
        let fault = refused(key, value);
        let refusal = "`sm.operand-delivery=fixed-latency` does not go with";
        assert!(fault.contains(refusal), "{fault}");
        assert!(fault.contains(key), "{fault}");
    }
    let fault = refused("scoreboard.entries", "3");
    assert_eq!(fault, "`scoreboard.entries=3` goes with `sm.dependences=scoreboard` only");
    let fault = |code: &str| -> Fault { run(code).launch(Model::Timing).expect_err("it is bad") };
    let problem = fault("mov.b32 r0, 1\n exit").to_string();
    assert!(problem.contains("has no control bits"), "{problem}");
}
