//! Blocks that are followed: the state after each instruction.

use crate::support::Run;
use reconverge_simulator::observe::steps::{BlockState, LaneAccess, Pending};
use reconverge_simulator::observe::trace::{Trace, Window};
use reconverge_simulator::{load_machine, mechanisms};

/// Threads 0 and 1 of each warp load, the others do not; then all store.
const CODE: &str = "mov.b32 r0, tid.x\n and.b32 r1, r0, 3\n setp.lt.s32 p0, r1, 2\n\
    shl.b32 r2, r0, 2\n add.i32 r2, r2, 0x10000000\n @!p0 bra L7 !reconverge L7\n\
    ld.global.b32 r3, [r2]\nL7:\n st.global.b32 [r2], r3\n exit";

fn window(limit: u32, block: u64) -> Option<Window> {
    Some(Window { first: 0, end: u64::MAX, sm: None, limit, follow: Some(block) })
}

/// The trace of a block of two, of eight threads each.
fn followed(run: Run, limit: u32, block: u64) -> Trace {
    let mut run = run.grid(2).block(8);
    run.limits.trace = window(limit, block);
    let mut traces = run.timing().traces;
    assert_eq!(traces.len(), 1);
    traces.remove(0)
}

/// The scheme's state in warps of `width` lanes, in a line.
fn scheme(state: &BlockState, width: u32) -> String {
    let place = |pc: u32| if pc == u32::MAX { "-".to_owned() } else { format!("@{pc}") };
    let text: String = state.scheme.iter().map(|state| state.text(width, &place)).collect();
    text.trim().to_owned()
}

#[test]
fn a_block_is_followed() {
    let trace = followed(Run::code(CODE), 1000, 1);
    assert_eq!(trace.instructions.len(), trace.states.len());
    assert!(trace.instructions.iter().all(|one| one.block == 1) && trace.full.is_none());
    let of_warp = |pc: u32, warp: u32| {
        let all = trace.instructions.iter().zip(&trace.states);
        let mut all = all.filter(|(one, state)| one.pc == pc && state.warp == Some(warp));
        all.next().map(|(_, state)| state).expect("it has issued")
    };
    let first = of_warp(0, 1);
    assert_eq!(first.threads, [Some(4), Some(5), Some(6), Some(7)]);
    assert_eq!(scheme(first, 4), "[- @1/1111*]");
    let of = |state: &BlockState| {
        state.paths.iter().find(|path| path.slot == 1).expect("it is there").clone()
    };
    let pending = Pending { is_predicate: false, register: 0, from_memory: false, cycle: None };
    assert_eq!(of(first).pending, [pending]);
    let branch = of_warp(5, 1);
    assert_eq!(scheme(branch, 4), "[- @7/1111][@7 @6/1100*]");
    let path = of(branch);
    assert_eq!((path.pc, path.reconvergence, path.waits), (6, Some(7), false));
    assert_eq!(path.threads, [Some(4), Some(5), None, None]);
    let load = of_warp(6, 1);
    assert_eq!(load.threads, [Some(4), Some(5), None, None]);
    let lane = |lane: u8, address| LaneAccess { lane, space: "global", address };
    assert_eq!(load.access, [lane(0, 0x1000_0010), lane(1, 0x1000_0014)]);
    assert!(of(load).pending.iter().any(|it| it.register == 3 && it.from_memory));
    assert_eq!(scheme(load, 4), "[- @7/1111*]");
    assert_eq!(trace.states.last().map(|state| state.paths.len()), Some(0));
}

#[test]
fn it_can_be_followed_under_every_scheme() {
    for scheme in mechanisms().iter().filter(|info| info.slot == "divergence") {
        let sets = [("divergence", scheme.name), ("sm.warps", "8")];
        let sets = sets.map(|(key, value)| (key.to_owned(), value.to_owned()));
        let machine = load_machine("tiny", &sets).expect("it is a machine");
        let run = || Run { machine: machine.clone(), ..Run::code(CODE) };
        let plain = run().grid(2).block(8).timing();
        let mut run = run().grid(2).block(8);
        run.limits.trace = window(1000, 0);
        let report = run.timing();
        assert_eq!(report.statistics, plain.statistics, "{}", scheme.name);
        let trace = &report.traces[0];
        assert_eq!(trace.states.len(), trace.instructions.len(), "{}", scheme.name);
        assert!(trace.states.len() >= 18, "{}: {}", scheme.name, trace.states.len());
        let lanes = |threads: &[Option<u16>]| threads.iter().flatten().count() as u32;
        for (one, state) in trace.instructions.iter().zip(&trace.states) {
            assert_eq!(lanes(&state.threads), one.active.count_ones(), "{}: {one:?}", scheme.name);
        }
        let described = trace.states.iter().any(|state| !state.scheme.is_empty());
        assert!(described, "{} describes nothing", scheme.name);
    }
}

#[test]
fn no_more_is_recorded_than_was_asked_for() {
    let trace = followed(Run::code(CODE), 5, 0);
    assert_eq!((trace.instructions.len(), trace.states.len()), (5, 5));
    assert!(trace.full.is_some() && trace.stalls.is_empty());
    assert!(followed(Run::code(CODE), 5, 2).states.is_empty());
}

#[test]
fn threads_of_wide_warps_are_named_by_their_warps() {
    let machine = |scheme: &str| {
        let sets = [("divergence".to_owned(), scheme.to_owned())];
        load_machine("fx5800", &sets).expect("it is a machine")
    };
    let mut run = Run::code(CODE).block(64);
    run.machine = machine("block-compaction");
    run.limits.trace = window(1000, 0);
    let report = run.timing();
    let mut states = report.traces.iter().flat_map(|trace| &trace.states);
    let both = |text: &str| text.contains(&"0".repeat(32)) && text.contains(&"1".repeat(32));
    assert!(states.any(|state| both(&scheme(state, 32))));
}
