//! Asynchronous copies in PTX: what arrives under every model, when it arrives with time, what traps, and what is counted.

use reconverge::checks::{Check, CheckSet};
use reconverge::execute::ModelName::{self, Functional, Reference, Timing};
use reconverge::kernel_record::KernelRecord;
use reconverge::{CompileOptions, Dim, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;

const MODELS: [ModelName; 3] = [Reference, Functional, Timing];
const LEVELS: [Level; 3] = [Level::None, Level::Basic, Level::Full];
const THREADS: u32 = 96;
/// Words of the input: four per thread, and as many behind them.
const WORDS: u32 = 8 * THREADS;

/// The kernel with a body, in which `%in` and `%out` are the thread's four words, `%s` is its 32 bytes of shared memory, and `%t` its number.
fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q) {{\n\
         .reg .b64 %in, %out, %base, %l<4>; .reg .b32 %t, %s, %r<20>; .reg .pred %p<4>;\n\
         .shared .align 16 .b8 box[{}];\n\
         ld.param.u64 %base, [p]; ld.param.u64 %out, [q]; mov.u32 %t, %tid.x; mad.wide.u32 %in, %t, 16, %base;\n\
         mad.wide.u32 %out, %t, 16, %out; mov.u32 %s, box; mad.lo.u32 %s, %t, 32, %s;\n{body}\nret;\n}}\n",
        32 * THREADS
    )
}

fn word(at: u32) -> u32 {
    at.wrapping_mul(0x9e37_79b9) ^ 0x5bd1
}

struct Run {
    words: Vec<u32>,
    record: KernelRecord,
    findings: Vec<&'static str>,
}

fn run_on(target: Target, body: &str, level: Level) -> Result<Run, String> {
    let shown = |error: reconverge::Error| error.to_string();
    let options = CompileOptions {
        lowering: Options { level, verify: true, ..Options::default() },
        ..CompileOptions::default()
    };
    let module = Module::from_ptx(&kernel(body), &options).map_err(shown)?;
    let mut gpu = module.load(&target).map_err(shown)?;
    let input: Vec<u32> = (0..WORDS).map(word).collect();
    let from = gpu.buffer(&input).map_err(shown)?;
    let to = gpu.zeros::<u32>(4 * THREADS as usize).map_err(shown)?;
    let parameters = [from.address(), to.address()].map(u64::to_le_bytes).concat();
    let record =
        gpu.launch_bytes("k", Dim::from(1), Dim::from(THREADS), 0, &parameters).map_err(shown)?;
    let findings = gpu.take_findings().shown.iter().map(|found| found.code.id()).collect();
    Ok(Run { words: gpu.read(&to), record, findings })
}

fn run(body: &str, model: ModelName, level: Level) -> Result<Run, String> {
    run_on(Target::new("a100").map_err(|error| error.to_string())?.model(model), body, level)
}

/// Checks what each thread finds in its four words, under every model.
fn check(body: &str, expected: impl Fn(u32) -> [u32; 4]) {
    let wanted: Vec<u32> = (0..THREADS).flat_map(expected).collect();
    for model in MODELS {
        for level in LEVELS {
            let found = run(body, model, level)
                .unwrap_or_else(|error| panic!("{model:?} {level:?}: {error}\n{body}"));
            assert_eq!(found.words, wanted, "{model:?} {level:?}\n{body}");
        }
    }
    // A machine whose code states its dependences, and one that regroups threads.
    for machine in ["a6000", "gtx480"] {
        let target = Target::new(machine).unwrap();
        assert_eq!(run_on(target, body, Level::Full).unwrap().words, wanted, "{machine}\n{body}");
    }
    let settings = &[("divergence", "warp-formation")];
    let target = Target::with("gtx480", settings).unwrap();
    assert_eq!(run_on(target, body, Level::Full).unwrap().words, wanted, "{settings:?}\n{body}");
}

/// The four words of a thread in shared memory, after a wait.
const SHOW: &str = "ld.shared.v4.b32 {%r8, %r9, %r10, %r11}, [%s]; st.global.v4.b32 [%out], {%r8, %r9, %r10, %r11};";

#[test]
fn bytes_arrive() {
    let own = |t: u32| [0, 1, 2, 3].map(|at| word(4 * t + at));
    let end = format!("cp.async.wait_all;\n{SHOW}");
    check(&format!("cp.async.cg.shared.global [%s], [%in], 16;\n{end}"), own);
    check(
        &format!(
            "cp.async.ca.shared::cta.global.L2::128B [%s+8], [%in+8], 8; cp.async.ca.shared.global [%s], [%in], 4;\n{end}"
        ),
        |t| [word(4 * t), 0, word(4 * t + 2), word(4 * t + 3)],
    );
    let hinted =
        "mov.b64 %l1, 0; cp.async.ca.shared.global.L2::cache_hint [%s], [%in], 16, 12, %l1;";
    check(&format!("{hinted}\n{end}"), |t| [word(4 * t), word(4 * t + 1), word(4 * t + 2), 0]);
}

#[test]
fn what_is_not_read_is_zero() {
    // From none of the bytes to all of them: a copy of none reads nothing, wherever its address is.
    let body = format!(
        "rem.u32 %r1, %t, 17; setp.eq.u32 %p1, %r1, 0; mov.b64 %l1, 5; selp.b64 %in, %l1, %in, %p1;\n\
         mov.b32 %r2, 7; st.shared.v4.b32 [%s], {{%r2, %r2, %r2, %r2}};\n\
         cp.async.ca.shared.global [%s], [%in], 16, %r1; cp.async.commit_group; cp.async.wait_group 0;\n{SHOW}"
    );
    check(&body, |t| {
        let (count, mut bytes) = ((t % 17) as usize, [0; 16]);
        let words = [0, 1, 2, 3].map(|at| word(4 * t + at).to_le_bytes());
        bytes[..count].copy_from_slice(&words.as_flattened()[..count]);
        [0, 1, 2, 3].map(|at| u32::from_le_bytes(bytes.as_chunks::<4>().0[at]))
    });
    let ignored = format!(
        "and.b32 %r1, %t, 3; setp.eq.u32 %p1, %r1, 1;\n\
         cp.async.ca.shared.global [%s], [%in], 8, %p1; cp.async.ca.shared.global [%s+8], [%in+8], 8, !%p1; cp.async.wait_all;\n{SHOW}"
    );
    check(&ignored, |t| {
        let keeps = |at: u32| if (t & 3 == 1) == (at > 1) { word(4 * t + at) } else { 0 };
        [0, 1, 2, 3].map(keeps)
    });
}

#[test]
fn threads_wait_for_their_own_groups() {
    // Guards, and groups of which some threads have more: odd threads commit twice as often, and wait for the older half.
    let body = "and.b32 %r1, %t, 1; setp.ne.u32 %p1, %r1, 0; mov.u32 %r2, 0;\n\
         NEXT: mad.wide.u32 %l1, %r2, 4, %in; mad.lo.u32 %r3, %r2, 4, %s;\n\
         @%p1 cp.async.ca.shared.global [%r3+16], [%l1], 4; @%p1 cp.async.commit_group;\n\
         cp.async.ca.shared.global [%r3], [%l1], 4; cp.async.commit_group;\n\
         add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 4; @%p2 bra NEXT;\n\
         cp.async.wait_group 4; ld.shared.b32 %r4, [%s]; ld.shared.b32 %r5, [%s+4];\n\
         @!%p1 cp.async.wait_group 0; @!%p1 ld.shared.b32 %r4, [%s+8]; @!%p1 ld.shared.b32 %r5, [%s+12];\n\
         cp.async.wait_all; ld.shared.b32 %r6, [%s+16]; ld.shared.b32 %r7, [%s+28];\n\
         st.global.v4.b32 [%out], {%r4, %r5, %r6, %r7};";
    check(body, |t| match t & 1 {
        1 => [word(4 * t), word(4 * t + 1), word(4 * t), word(4 * t + 3)],
        _ => [word(4 * t + 2), word(4 * t + 3), 0, 0],
    });
}

#[test]
fn copies_see_what_was_stored_and_added_before() {
    // An atomic of another thread, a store of its own, and a copy of both after a barrier.
    let body = format!(
        "xor.b32 %r1, %t, 1; mad.wide.u32 %l1, %r1, 16, %base; atom.global.add.u32 %r2, [%l1], 5; st.global.u32 [%l1+4], %t;\n\
         membar.gl; bar.sync 0; cp.async.cg.shared.global [%s], [%in], 16; cp.async.wait_all;\n{SHOW}"
    );
    check(&body, |t| [word(4 * t).wrapping_add(5), t ^ 1, word(4 * t + 2), word(4 * t + 3)]);
}

#[test]
fn bytes_arrive_later_with_time() {
    // Without a wait, the old bytes are read: the load from shared memory overtakes the copy.
    let body = format!("cp.async.cg.shared.global [%s], [%in], 16;\n{SHOW}");
    assert!(run(&body, Timing, Level::Full).unwrap().words.iter().all(|&word| word == 0));
    let end = format!("{body}\ncp.async.wait_all;\n{SHOW}");
    let waited = run(&end, Timing, Level::Full).unwrap();
    assert_eq!(waited.words, (0..4 * THREADS).map(word).collect::<Vec<_>>());
    let statistics = waited.record.statistics.unwrap();
    assert_eq!(statistics.copy_instructions, u64::from(THREADS / 32));
    assert_eq!(statistics.copied_bytes, u64::from(16 * THREADS));
    // DRAM is far: three schedulers, each with a warp, lose as many cycles at least.
    assert!(statistics.slots_copies > 3 * 200, "{}", statistics.slots_copies);
    assert!(statistics.l1_misses > 0);
}

#[test]
fn wrong_copies_trap() {
    for (body, message) in [
        (
            "mov.u32 %r1, 9; cp.async.ca.shared.global [%s], [%in], 8, %r1;",
            "asynchronous copy of 9 bytes by an instruction that writes 8 bytes",
        ),
        ("cp.async.ca.shared.global [%s+4], [%in], 8;", "misaligned write of 8 bytes"),
        ("cp.async.ca.shared.global [%s], [%in+4], 16;", "misaligned read of 16 bytes"),
        ("cp.async.ca.shared.global [%s+65536], [%in], 4;", "out-of-bounds write of 4 bytes"),
        ("cp.async.ca.shared.global [%s], [%in+16777216], 16, 5;", "out-of-bounds read of 5 bytes"),
        ("cp.async.ca.shared.global [%in], [%in], 4;", "out-of-bounds write of 4 bytes"),
    ] {
        let body = format!("{body} cp.async.wait_all;");
        for model in [Functional, Timing] {
            let error = run(&body, model, Level::Full).err().unwrap_or_default();
            assert!(error.contains(message), "{model:?} {body}: {error}");
        }
        assert!(run(&body, Reference, Level::Full).is_err(), "{body}");
    }
    for (body, message) in [
        ("cp.async.ca.shared.global [%s], [%in], 12;", "cannot copy 12 bytes"),
        ("cp.async.cg.shared.global [%s], [%in], 8;", "`cp.async.cg` 16"),
        ("cp.async.ca.shared.global [%s], [%in], 8, 9;", "more than the 8 bytes"),
        ("cp.async.bulk.commit_group;", "asynchronous copies are of 4, 8 or 16 bytes"),
    ] {
        let error = run(body, Functional, Level::Full).err().unwrap_or_default();
        assert!(error.contains(message), "{body}: {error}");
    }
}

#[test]
fn checks_know_when_copies_arrive() {
    let right = "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; xor.b32 %r1, %s, 32; ld.shared.b32 %r2, [%r1];";
    let wrong = [
        // Its own copy, before the wait; then another one's, before the wait, and before the barrier.
        ("cp.async.commit_group; ld.shared.b32 %r2, [%s]; cp.async.wait_group 0;", "R0112"),
        ("bar.sync 0; xor.b32 %r1, %s, 32; ld.shared.b32 %r2, [%r1]; cp.async.wait_all;", "R0112"),
        ("cp.async.wait_all; xor.b32 %r1, %s, 32; st.shared.b32 [%r1], %r1;", "R0110"),
        // A store that the copy may overwrite, and a second copy to the same bytes.
        ("st.shared.b32 [%s], %t; cp.async.wait_all;", "R0112"),
        ("cp.async.ca.shared.global [%s], [%in+4], 4; cp.async.wait_all;", "R0112"),
    ];
    for model in [Functional, Timing] {
        let checked = |body: &str| {
            let start = "mov.b32 %r2, 0; cp.async.ca.shared.global [%s], [%in], 4;";
            let body = format!("{start}\n{body}\nst.global.b32 [%out], %r2;");
            let mut target = Target::new("a100").unwrap().model(model);
            target.checks = CheckSet::new(&[Check::Races]);
            run_on(target, &body, Level::Full).unwrap().findings
        };
        assert_eq!(checked(right), Vec::<&str>::new(), "{model:?}");
        for (body, code) in wrong {
            assert_eq!(checked(body), [code], "{model:?}\n{body}");
        }
    }
}

/// `%r1` is the address of a barrier, which thread 0 has made for so many arrivals.
fn with_barrier(arrivals: u32, body: &str) -> String {
    format!(
        ".shared .b64 phases; mov.u32 %r1, phases; setp.ne.u32 %p1, %t, 0; @%p1 bra MADE;\n\
         mbarrier.init.shared.b64 [%r1], {arrivals};\nMADE: bar.sync 0;\n{body}"
    )
}

#[test]
fn threads_hand_over_by_barriers_in_memory() {
    // Warps copy a row each, arrive with their copies, and read the row of another warp, three times.
    let body = with_barrier(
        THREADS,
        "mov.u32 %r2, 0; mov.u32 %r3, 0; add.u32 %r4, %s, 1024; setp.ge.u32 %p2, %t, 64; @%p2 sub.u32 %r4, %r4, 3072;\n\
         NEXT: mad.wide.u32 %l1, %r2, 4, %in; mad.lo.u32 %r5, %r2, 4, %s;\n\
         cp.async.ca.shared.global [%r5], [%l1], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r1]; and.b32 %r6, %r2, 1;\n\
         WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r1], %r6; @!%p3 bra WAIT;\n\
         mad.lo.u32 %r5, %r2, 4, %r4; ld.shared.b32 %r7, [%r5]; xor.b32 %r3, %r3, %r7;\n\
         add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 3; @%p3 bra NEXT;\n\
         mov.u32 %r8, 0; st.global.v4.b32 [%out], {%r3, %r2, %r8, %r8};",
    );
    check(&body, |t| {
        let other = 4 * ((t + 32) % THREADS);
        [word(other) ^ word(other + 1) ^ word(other + 2), 3, 0, 0]
    });
    for model in [Functional, Timing] {
        let mut target = Target::new("a100").unwrap().model(model);
        target.checks = CheckSet::new(&[Check::Races, Check::Init]);
        assert_eq!(run_on(target, &body, Level::Full).unwrap().findings, Vec::<&str>::new());
    }
}

#[test]
fn phases_count_arrivals_and_bytes() {
    // One thread by itself: pending arrivals, phases by state and by parity, bytes, and an arrival for good.
    let steps = "mov.u32 %r2, 0; @%p1 bra END;\n\
         mbarrier.arrive.noComplete.shared.b64 %l1, [%r1], 2; mbarrier.pending_count.b64 %r3, %l1;\n\
         mbarrier.test_wait.shared.b64 %p2, [%r1], %l1; selp.u32 %r4, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r4;\n\
         mbarrier.arrive.release.cta.shared::cta.b64 %l2, [%r1]; mbarrier.pending_count.b64 %r5, %l2; mad.lo.u32 %r3, %r3, 16, %r5;\n\
         mbarrier.test_wait.acquire.cta.shared.b64 %p2, [%r1], %l1; selp.u32 %r4, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r4;\n\
         mbarrier.test_wait.parity.shared.b64 %p2, [%r1], 1; selp.u32 %r4, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r4;\n\
         mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 100; mbarrier.arrive.shared.b64 _, [%r1], 2;\n\
         mbarrier.arrive_drop.expect_tx.shared.b64 %l1, [%r1], 28; mbarrier.pending_count.b64 %r5, %l1; mad.lo.u32 %r3, %r3, 16, %r5;\n\
         mbarrier.try_wait.shared.b64 %p2, [%r1], %l1, 1000; selp.u32 %r4, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r4;\n\
         mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 128;\n\
         mbarrier.try_wait.parity.shared.b64 %p2, [%r1], 1; selp.u32 %r4, 1, 0, %p2; mad.lo.u32 %r2, %r2, 2, %r4;\n\
         mbarrier.arrive.shared.b64 %l1, [%r1]; mbarrier.pending_count.b64 %r5, %l1; mad.lo.u32 %r3, %r3, 16, %r5;\n\
         mbarrier.inval.shared.b64 [%r1]; ld.shared.b32 %r6, [%r1]; st.global.v4.b32 [%out], {%r2, %r3, %r6, %r6};\nEND:";
    check(&with_barrier(3, steps), |t| match t {
        // Before and after the third arrival, the other parity, before and after the last byte.
        0 => [0b01001, 0x3112, 0, 0],
        _ => [0; 4],
    });
}

#[test]
fn a_phase_that_cannot_end_is_reported() {
    let body = with_barrier(
        THREADS + 1,
        "mbarrier.arrive.shared.b64 %l1, [%r1];\nWAIT: mbarrier.test_wait.shared.b64 %p2, [%r1], %l1; @!%p2 bra WAIT;",
    );
    for model in [Functional, Timing] {
        let error = run(&body, model, Level::Full).err().unwrap_or_default();
        assert!(error.contains("deadlock"), "{model:?}: {error}");
    }
}

/// A product whose tiles come in stages, with its checks.
#[test]
fn products_in_stages() {
    let file = reconverge_tests::examples::folder().join("tensor/product.cu");
    let text = std::fs::read_to_string(&file).unwrap();
    let checked =
        reconverge::build::check("product.cu", &text, &[], &mut reconverge_tests::oracle::NoFiles);
    for stages in ["2", "3", "4"] {
        let arguments = ["64", "128", "192", stages].map(str::to_owned);
        for model in [Reference, Functional, Timing] {
            let machine = reconverge_simulator::load_machine("a100", &[]).unwrap();
            let mut setup = reconverge::execute::Setup::new(&machine, model);
            setup.arguments.extend_from_slice(&arguments);
            setup.checks = match model {
                Functional => CheckSet::new(&[Check::Races, Check::Init]),
                _ => CheckSet::default(),
            };
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            let run = reconverge::execute::execute(
                &checked,
                &setup,
                &mut output,
                &mut errors,
                &mut |_, _| {},
            );
            let run = run.unwrap_or_else(|refused| panic!("{}", refused.render(false)));
            let output = String::from_utf8_lossy(&output);
            assert!(run.status() == 0 && output.contains("PASS"), "{model:?} {stages}: {output}");
            assert!(run.findings.shown.is_empty(), "{:?}", run.findings.shown);
            if model == Timing {
                let mut launches = run.records.iter().filter_map(|it| it.statistics.as_ref());
                // Both factors once for each block of the other's.
                let bytes = 2 * (64 + 64) * 192 * 2;
                assert_eq!(launches.next().unwrap().copied_bytes, bytes);
            }
        }
    }
}
