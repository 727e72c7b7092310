//! Latencies of the machines of today: what was measured on a device, from the issue of an instruction to that of the next one which
//! needs its result, is what a chain of instructions takes for each of them. The files subtract the cycles that the core takes;
//! here nothing is subtracted. The compiler states the dependences.

use reconverge_compiler::machine_code::control_bits;
use reconverge_isa::{GLOBAL_BASE, Kernel};
use reconverge_simulator::{
    DeviceMemory, Launch, Limits, Machine, Model, Report, code_target, launch, load_machine,
};
use std::ops::ControlFlow;

/// A launch of a kernel under the timing model.
struct Run {
    kernel: Kernel,
    machine: Machine,
    blocks: u32,
    threads: u32,
    /// Global memory, one allocation.
    global: Vec<u8>,
    limits: Limits,
}

impl Run {
    /// A block of a warp of a kernel given as assembly, with 4 KiB of memory.
    fn new(text: &str, machine: Machine) -> Run {
        let text = format!(".kernel k\n.registers 8\n.predicates 2\n.shared 4096\n{text}");
        let program = reconverge_isa::text::parse(&text).expect("it is assembly");
        let kernel = program.kernels.into_iter().next().expect("it has a kernel");
        let (limits, global) = (Limits::default(), vec![0; 4096]);
        Run { kernel, machine, blocks: 1, threads: 32, global, limits }
    }

    fn timing(&mut self) -> Report {
        let mut kernel = self.kernel.clone();
        if let Some(target) = code_target(&self.machine).control_bits {
            let common = vec![false; kernel.code.len()];
            control_bits::choose(&mut kernel, common, &target);
        }
        let allocation = GLOBAL_BASE..GLOBAL_BASE + self.global.len() as u32;
        let mut memory = DeviceMemory {
            global: &mut self.global,
            allocations: std::slice::from_ref(&allocation),
            constant: &[],
            emitted: Default::default(),
            checker: None,
            second_level: None,
        };
        let request = Launch {
            grid: [self.blocks, 1, 1],
            block: [self.threads, 1, 1],
            dynamic_shared: 0,
            parameters: &[],
            model: Model::Timing,
            limits: self.limits,
            verify_annotations: true,
            profile: false,
            control_bits_proved: false,
        };
        launch(&kernel, &request, &mut memory, &self.machine, &mut |_| ControlFlow::Continue(()))
            .unwrap_or_else(|stopped| panic!("{}", stopped.fault))
    }
}

/// Global memory whose first word is its own address.
fn pointing_to_itself() -> Vec<u8> {
    let mut global = vec![0; 4096];
    global[..4].copy_from_slice(&reconverge_isa::GLOBAL_BASE.to_le_bytes());
    global
}

/// A machine with settings.
fn with(machine: &str, sets: &[(&str, &str)]) -> Machine {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    load_machine(machine, &sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A machine with settings whose instructions are always there.
fn fetched(machine: &str, sets: &[(&str, &str)]) -> Machine {
    with(
        machine,
        &[&[("instruction-cache.size", "0"), ("instruction-cache.l0-size", "0")], sets].concat(),
    )
}

/// Cycles per instruction of a chain, after its start.
fn each(machine: &str, begin: &str, link: &str) -> u64 {
    let of = |count: usize| {
        let links = format!("{link}\n").repeat(count);
        let mut run = Run::new(&format!("{begin}\n{links} exit"), fetched(machine, &[]));
        run.global = pointing_to_itself();
        run.timing().cycles
    };
    let (short, long) = (of(17), of(21));
    assert_eq!((long - short) % 4, 0, "{machine}: {link}");
    (long - short) / 4
}

#[test]
fn operations_take_what_was_measured() {
    let of = |machine: &str, mnemonic: &str| match mnemonic.ends_with("64") {
        true => each(machine, "mov.b32 r0, 0\n mov.b32 r1, 0", &format!("{mnemonic} r0:1, r0:1")),
        false => each(machine, "mov.b32 r0, 0", &format!("{mnemonic} r0, r0")),
    };
    let measured = [
        ("sqrt.f32", 55),
        ("rsqrt.f32", 39),
        ("exp.f32", 41),
        ("exp.approx.f32", 43),
        ("log.f32", 87),
        ("sin.f32", 177),
        ("sin.approx.f32", 23),
        ("tanh.f32", 61),
        ("sqrt.f64", 92),
        ("exp.f64", 149),
        ("log.f64", 290),
        ("sin.f64", 236),
    ];
    for (mnemonic, cycles) in measured {
        assert_eq!((mnemonic, of("h100", mnemonic)), (mnemonic, cycles));
        assert_eq!(of("h200", mnemonic), cycles);
    }
    // Others take what their unit takes, and all of them do where nothing is said.
    assert_eq!((of("h100", "log2.f32"), of("h100", "exp2.f32")), (17, 17));
    assert_eq!((of("v100", "sin.f32"), of("v100", "exp2.f32")), (14, 14));
    let set = [("operations.sqrt-f32.latency", "100")];
    assert_eq!(with("h100", &set).operations()[&reconverge_isa::Op::SqrtF32].latency, 100);
}

#[test]
fn chains_take_what_was_measured() {
    const ADD: (&str, &str) = ("mov.b32 r1, 0", "add.i32 r0, r0, r1");
    const MULTIPLY: (&str, &str) = ("mov.b32 r1, 1", "mul.i32 r0, r0, r1");
    const FLOAT: (&str, &str) = ("mov.b32 r1, 0", "add.f32 r0, r0, r1");
    const DOUBLE: (&str, &str) = ("mov.b32 r2, 0", "add.f64 r0:1, r0:1, r2:3");
    const SPECIAL: (&str, &str) = ("mov.b32 r0, 0", "exp2.f32 r0, r0");
    const SHARED: (&str, &str) =
        ("mov.b32 r0, 0x1000000\n st.shared.b32 [r0], r0", "ld.shared.b32 r0, [r0]");
    // The first load misses, and is in both chains.
    const FIRST_LEVEL: (&str, &str) = ("mov.b32 r0, 0x10000000", "ld.global.b32 r0, [r0]");
    let measured = [
        ("v100", [4, 5, 4, 8, 14, 19, 28]),
        ("a100", [4, 5, 4, 8, 14, 29, 38]),
        ("h100", [4, 4, 4, 8, 17, 23, 32]),
        ("h200", [4, 4, 4, 8, 17, 23, 32]),
    ];
    for (machine, expected) in measured {
        let chains = [ADD, MULTIPLY, FLOAT, DOUBLE, SPECIAL, SHARED, FIRST_LEVEL];
        let found = chains.map(|(begin, link)| each(machine, begin, link));
        assert_eq!(found, expected, "{machine}");
    }
}

#[test]
fn second_level_hits_take_what_was_measured() {
    // Two lines are loaded, and an atomic drops the first one from the first level. Then one of them is loaded again: the second hits in
    // the first level, and the first in the second level, which takes longer by the difference of what was measured. So does a line
    // that is in memory only, of a closed row; but for where the clocks stand.
    let measured = [
        ("v100", 28, 193, None),
        ("a100", 38, 262, Some(466)),
        // Memory was measured by lines at random places, whose banks have other rows open.
        ("h100", 32, 276, None),
        ("h200", 32, 276, None),
    ];
    for (machine, first, second, memory) in measured {
        let of = |offset: u32| {
            let text = format!(
                "mov.b32 r0, 0x10000000\n \
                 ld.global.b32 r2, [r0]\n ld.global.b32 r5, [r0+128]\n add.i32 r2, r2, r5\n \
                 atom.add.i32.global r3, [r2], 0\n sub.i32 r3, r3, r2\n add.i32 r2, r2, r3\n \
                 ld.global.b32 r4, [r2+{offset}]\n add.i32 r4, r4, r4\n exit"
            );
            let mut run = Run::new(&text, fetched(machine, &[]));
            run.threads = 1;
            run.global = pointing_to_itself();
            let report = run.timing();
            (report.cycles, report.statistics.l1_hits)
        };
        let ((miss, no_hits), (hit, hits)) = (of(0), of(128));
        assert_eq!((no_hits, hits), (0, 1), "{machine}");
        assert_eq!(miss - hit, second - first, "{machine}");
        if let Some(memory) = memory {
            let found = of(2048).0 - hit + first;
            assert!(found.abs_diff(memory) <= 2, "{machine}: {found}");
        }
    }
}

#[test]
fn barriers_take_what_was_measured() {
    let each = |machine: &str, warps: u32, sets: &[(&str, &str)]| {
        let of = |count: usize| {
            let barriers = "bar.sync\n".repeat(count);
            let mut run = Run::new(&format!("{barriers} exit"), fetched(machine, sets));
            run.threads = 32 * warps;
            run.timing().cycles
        };
        (of(36) - of(4)) as f64 / 32.0
    };
    // 12 cycles, and 2 for each warp that arrives; half a cycle is lost, since two instructions are fetched at once.
    for machine in ["h100", "h200"] {
        for warps in [1, 2, 4, 8, 16, 32] {
            let (measured, ours) = (12 + 2 * warps, each(machine, warps, &[]));
            assert!((ours - f64::from(measured)).abs() <= 0.5, "{machine}, {warps}: {ours}");
        }
    }
    // Where a machine says nothing, those who wait go on as after a branch, and all arrive at once.
    let plain = each("gtx480", 8, &[]);
    let control = with("gtx480", &[]).units["control"].latency;
    let said = each("gtx480", 8, &[("barrier.latency", &control.to_string())]);
    assert!((plain - said).abs() < 1e-9, "{plain} {said}");
    assert!(each("gtx480", 8, &[("barrier.interval", "9")]) >= 72.0);
}

#[test]
fn a_slice_answers_no_more_than_its_replies_in_its_latency() {
    // Each SM loads the same 32 lines, of the only slice.
    let cycles = |replies: &str| {
        let text = "mov.b32 r0, tid.x\n and.b32 r0, r0, 31\n \
                    shl.b32 r1, r0, 7\n add.i32 r1, r1, 0x10000000\n ld.global.b32 r2, [r1]\n exit";
        let sets = [("l2.partitions", "1"), ("l2.size", "655360"), ("l2.replies", replies)];
        let mut run = Run::new(text, with("h200", &sets));
        run.blocks = 132;
        run.global = vec![0; 32 * 128];
        run.timing().cycles
    };
    let [one, four, all] = ["1", "4", "128"].map(cycles);
    assert!(one > 3 * four && four > 3 * all, "{one} {four} {all}");
}

#[test]
fn a_miss_of_instructions_brings_the_lines_after_it() {
    let run = |machine: &str, prefetch: &str, count: usize| {
        let code = "add.i32 r0, r0, r0\n".repeat(count);
        let sets = [
            ("instruction-cache.l0-size", "0"),
            ("instruction-cache.launch-prefetch", "0"),
            ("instruction-cache.interval", "0"),
            ("instruction-cache.prefetch", prefetch),
        ];
        let machine = with(machine, &sets);
        let report = Run::new(&format!("{code} exit"), machine).timing();
        (report.cycles, report.statistics.instruction_misses, report.statistics.requests)
    };
    // 1,023 additions and an end are 128 lines, each of which is brought once.
    let (alone, misses, requests) = run("h200", "0", 1023);
    assert_eq!((misses, requests), (128, 128));
    let (together, misses, requests) = run("h200", "16", 1023);
    assert_eq!(requests, 128);
    assert!(misses < 128 && together < alone / 4, "{misses} {together} {alone}");
    // The code ends before what would be fetched; and nothing is said of other machines.
    assert_eq!(run("h200", "16", 7).2, 1);
    assert_eq!(run("h200", "16", 8).2, 2);
    assert_eq!(with("gtx480", &[]).instruction_cache.lines_ahead, 0);
}

#[test]
fn a_kernel_begins_with_its_first_instructions_under_way() {
    let run = |sets: &[(&str, &str)], count: usize| {
        let code: String = (0..count).map(|at| format!("mov.b32 r{}, 1\n", at % 8)).collect();
        let none =
            [("l0-size", "0"), ("prefetch", "0"), ("launch-prefetch", "0"), ("interval", "0")];
        let keys: Vec<_> = none.iter().map(|(key, _)| format!("instruction-cache.{key}")).collect();
        let mut all: Vec<(&str, &str)> =
            keys.iter().map(String::as_str).zip(none.iter().map(|(_, value)| *value)).collect();
        all.extend(sets);
        let report = Run::new(&format!("{code} exit"), with("h200", &all)).timing();
        (report.cycles, report.statistics)
    };
    // 128 lines: one after the other, all at once, and 18 cycles apart.
    let (alone, each) = run(&[], 1023);
    let whole = ("instruction-cache.launch-prefetch", "65536");
    let (together, all) = run(&[whole], 1023);
    let (apart, paced) = run(&[whole, ("instruction-cache.interval", "18")], 1023);
    assert_eq!([each.requests, all.requests, paced.requests], [128; 3]);
    assert!(together < alone / 4 && together < apart, "{together} {alone} {apart}");
    assert!((127 * 18 + 300..127 * 18 + 1400).contains(&apart), "{apart}");
    // Half of them at the beginning, of the rest each when it is wanted.
    let (half, some) = run(&[("instruction-cache.launch-prefetch", "8192")], 1023);
    assert_eq!(some.requests, 128);
    assert!(half > alone / 2 && half < alone * 2 / 3, "{half} {alone}");
    // No more than the code has; and what comes first is waited for as before.
    let (_, short) = run(&[whole], 7);
    assert_eq!((short.requests, short.first_fetch_cycles), (1, each.first_fetch_cycles));
    // No more than the cache holds, so none if it always hits.
    let (empty, hits) = run(&[whole, ("instruction-cache.size", "0")], 0);
    assert_eq!((hits.requests, hits.first_fetch_cycles), (0, 0));
    let (missing, first) = run(&[], 0);
    assert!(first.first_fetch_cycles > 300, "{}", first.first_fetch_cycles);
    assert!(missing - first.first_fetch_cycles < 10 + empty, "{missing} {empty}");
}

#[test]
fn nothing_is_fetched_behind_the_branch_of_a_loop() {
    let run = |past: &str| {
        let of = |op: &str| (2..6).map(|r| format!("{op} r{r}, r{r}, r{r}\n")).collect::<String>();
        let work = of("add.f32") + &of("mul.f32");
        let text = format!(
            "mov.b32 r1, 0\nloop:\n{work} add.i32 r1, r1, 1\n setp.lt.s32 p0, r1, 50\n \
             @p0 bra loop\n exit"
        );
        let mut run = Run::new(&text, fetched("h100", &[("fetch.past-branches", past)]));
        run.threads = 1024;
        let statistics = run.timing().statistics;
        (statistics.fetches, statistics.warp_instructions, statistics.cycles)
    };
    let ((fetches, instructions, cycles), (all, _, slower)) = (run("false"), run("true"));
    assert_eq!(fetches, instructions);
    assert!(all > instructions * 21 / 20 && slower > cycles, "{all} {slower} {cycles}");
}

#[test]
fn threads_of_the_host_change_nothing() {
    let text = "mov.b32 r0, ctaid.x\n shl.b32 r0, r0, 7\n add.i32 r0, r0, 0x10000000\n \
                ld.global.b32 r1, [r0]\n mov.b32 r2, tid.x\n add.i32 r1, r1, r2\n bar.sync\n \
                st.global.b32 [r0], r1\n mov.b32 r3, 0x10000000\n atom.add.i32.global r3, [r3+64], r2\n exit";
    for name in ["v100", "a100", "h100", "h200", "a6000"] {
        let reports = [1, 2, 3, 16].map(|threads| {
            let mut run = Run::new(text, with(name, &[]));
            (run.blocks, run.threads) = (200, 100);
            run.global = vec![1; 200 * 128];
            (run.limits.threads, run.limits.oversubscribe) = (threads, true);
            (run.timing(), run.global)
        });
        assert!(reports.iter().all(|report| *report == reports[0]), "{name}");
        // Blocks that are given out in turn come to every SM.
        assert!(reports[0].0.sms.iter().all(|sm| sm.blocks != 0), "{name}");
    }
}

/// Cycles of sums whose two sources are in one bank; with `uniform` the last register, one of them, is uniform.
fn sums_of_one_bank(uniform: bool) -> u64 {
    let directive = if uniform { ".uniform 1\n" } else { "" };
    let sums = "add.i32 r1, r5, r7\n add.i32 r3, r5, r7\n".repeat(8);
    let text = format!("{directive}mov.b32 r5, tid.x\n mov.b32 r7, 3\n {sums} exit");
    let sets = [("sm.dependences", "control-bits"), ("sm.uniform-registers", "63")];
    Run::new(&text, fetched("a6000", &sets)).timing().cycles
}

#[test]
fn a_uniform_source_takes_no_port_of_a_bank() {
    let (own, uniform) = (sums_of_one_bank(false), sums_of_one_bank(true));
    assert!(uniform < own, "{uniform} cycles with a uniform register, {own} without");
}

#[test]
fn the_uniform_datapath_takes_no_pipe() {
    let of = |dest: &str| {
        let sums = format!("add.i32 {dest}, r7, 1\n").repeat(16);
        let text = format!(".uniform 2\nmov.b32 r7, 3\n {sums} exit");
        // The pipe of 16 lanes takes a warp every second cycle.
        Run::new(&text, fetched("a6000", &[])).timing().cycles
    };
    let (own, uniform) = (of("r1"), of("r6"));
    assert!(uniform + 8 <= own, "{uniform} cycles in the uniform datapath, {own} in the pipe");
}

#[test]
fn a_register_that_is_not_uniform_is_found() {
    // A divergent branch writes different constants; the code claims that the register is uniform.
    let text = ".uniform 1\nmov.b32 r0, tid.x\n setp.lt.s32 p0, r0, 7\n mov.b32 r7, 1\n \
                @p0 bra L !reconverge M\n mov.b32 r7, 2\n bra M\nL: mov.b32 r7, 3\nM: add.i32 r1, r0, r7\n exit";
    let found = std::panic::catch_unwind(|| Run::new(text, with("a6000", &[])).timing());
    let fault = found.expect_err("the claim is false");
    let fault = fault.downcast_ref::<String>().cloned().unwrap_or_default();
    assert!(fault.contains("a uniform register is read here"), "{fault}");
}
