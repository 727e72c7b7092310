//! Loads and stores of matrices in PTX, which are one instruction of a warp each: faults, checks, and banks of shared memory.

use reconverge::checks::{Check, CheckSet};
use reconverge::execute::ModelName::{self, Functional, Reference, Timing};
use reconverge::kernel_record::KernelRecord;
use reconverge::{CompileOptions, Dim, Module, Target};
use reconverge_compiler::lower::Options;
use reconverge_compiler::pass::Level;

const THREADS: u32 = 64;

/// The kernel with a body, in which `%s` is the address of 8 KiB of shared memory, of which each thread has written the 16 bytes
/// at `%own`, `%t` is its number, `%lane` its lane, and `%out` its four words.
fn kernel(start: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .b64 %out, %l; .reg .b32 %t, %lane, %s, %own, %r<20>; .reg .pred %p<4>;\n\
         .shared .align 16 .b8 box[8192];\n\
         ld.param.u64 %out, [p]; mov.u32 %t, %tid.x; mad.wide.u32 %out, %t, 16, %out; mov.u32 %s, box;\n\
         mad.lo.u32 %own, %t, 16, %s; and.b32 %lane, %t, 31;\n\
         mov.b32 %r0, 0; mov.b32 %r1, %r0; mov.b32 %r2, %r0; mov.b32 %r3, %r0;\n{start}\n{body}\n\
         st.global.v4.b32 [%out], {{%r0, %r1, %r2, %r3}};\nret;\n}}\n"
    )
}

/// Each thread writes its bytes, and all wait.
const WRITTEN: &str = "st.shared.v4.b32 [%own], {%t, %lane, %t, %t}; bar.sync 0;";

struct Run {
    words: Vec<u32>,
    record: KernelRecord,
    findings: Vec<String>,
}

fn run_on(target: Target, text: &str, level: Level) -> Result<Run, String> {
    let shown = |error: reconverge::Error| error.to_string();
    let options = CompileOptions {
        lowering: Options { level, verify: true, ..Options::default() },
        ..CompileOptions::default()
    };
    let module = Module::from_ptx(text, &options).map_err(shown)?;
    let mut gpu = module.load(&target).map_err(shown)?;
    let to = gpu.zeros::<u32>(4 * THREADS as usize).map_err(shown)?;
    let parameters = to.address().to_le_bytes();
    let record =
        gpu.launch_bytes("k", Dim::from(1), Dim::from(THREADS), 0, &parameters).map_err(shown)?;
    let findings = gpu.take_findings().shown.iter().map(|found| found.code.id().into()).collect();
    Ok(Run { words: gpu.read(&to), record, findings })
}

fn target(machine: &str, model: ModelName) -> Target {
    Target::new(machine).unwrap().model(model)
}

/// Passes of shared memory, and those beyond the least.
fn passes(body: &str) -> [u64; 2] {
    let run = |body: &str| {
        let text = kernel(WRITTEN, body);
        let found = run_on(target("a100", Timing), &text, Level::Full).unwrap();
        let found = found.record.statistics.unwrap();
        [found.shared_passes, found.shared_bank_conflicts]
    };
    let (without, with) = (run(""), run(body));
    [0, 1].map(|at| (with[at] - without[at]) / u64::from(THREADS / 32))
}

/// The address of each lane's row, so many bytes apart.
fn rows(apart: u32) -> String {
    format!("and.b32 %r9, %lane, 31; mad.lo.u32 %r9, %r9, {apart}, %s;")
}

#[test]
fn rows_of_a_matrix_are_read_in_a_pass_from_different_banks() {
    for (apart, of_a_matrix) in [(16, 1), (80, 1), (128, 8), (64, 4), (32, 2), (0, 1)] {
        for count in [1, 2, 4] {
            let registers = ["%r0", "%r1", "%r2", "%r3"][..count].join(", ");
            let expected = |needed: u64| [count as u64 * of_a_matrix, count as u64 * needed];
            for trans in ["", ".trans"] {
                let load = format!(
                    "{}ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{registers}}}, [%r9];",
                    rows(apart)
                );
                let store = format!(
                    "{}stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r9], {{{registers}}};",
                    rows(apart)
                );
                for body in [load, store] {
                    assert_eq!(passes(&body), expected(of_a_matrix - 1), "{apart} {body}");
                }
            }
        }
    }
}

#[test]
fn a_load_of_matrices_is_one_instruction() {
    let count = |body: &str| {
        let text = kernel(WRITTEN, body);
        let found = run_on(target("h100", Timing), &text, Level::Full).unwrap();
        let found = found.record.statistics.unwrap();
        [found.warp_instructions, found.load_instructions]
    };
    let one = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%own];";
    let more = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%own+512];\n\
                xor.b32 %r0, %r0, %r4;";
    let (first, both) = (count(one), count(&format!("{one}\n{more}")));
    // A load at a constant distance, and the instruction that uses a word.
    assert_eq!([both[0] - first[0], both[1] - first[1]], [4, 2]);
}

#[test]
fn faults_are_those_of_the_lanes_that_give_addresses() {
    let all = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r9];";
    let one = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r9];";
    let stored = "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r9], {%r0, %r1};";
    let wild = "mov.b32 %r9, %own; setp.lt.u32 %p1, %lane, 20; @!%p1 mov.b32 %r9, 5;";
    for (body, message) in [
        (format!("add.u32 %r9, %own, 8; {all}"), "misaligned read of 16 bytes"),
        (format!("add.u32 %r9, %own, 8; {stored}"), "misaligned write of 16 bytes"),
        (format!("add.u32 %r9, %own, 65536; {one}"), "out-of-bounds read"),
        (format!("add.u32 %r9, %own, 65536; {stored}"), "out-of-bounds write"),
        (format!("cvt.u32.u64 %r9, %out; {one}"), "out-of-bounds read"),
        (format!("{wild} {all}"), "out-of-bounds read"),
        (format!("mov.b32 %r9, %own; setp.lt.u32 %p1, %t, 40; @%p1 {one}"), "matrix instruction"),
        (
            "setp.lt.u32 %p1, %t, 40; @%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;".into(),
            "matrix instruction",
        ),
    ] {
        let text = kernel(WRITTEN, &body);
        for model in [Functional, Timing] {
            for machine in ["a100", "gtx480"] {
                let error = run_on(target(machine, model), &text, Level::Full).err();
                let error = error.unwrap_or_default();
                // Without a scheme that defers paths, lanes that are elsewhere are named.
                let together = message == "matrix instruction" && machine == "gtx480";
                let message = if together { "does not execute it together" } else { message };
                assert!(error.contains(message), "{machine} {model:?} {body}: {error}");
            }
        }
        assert!(run_on(target("a100", Reference), &text, Level::Full).is_err(), "{body}");
    }
    // Other lanes need no address.
    for body in [format!("{wild} {one}"), format!("{wild} {stored}")] {
        let text = kernel(WRITTEN, &body);
        for model in [Reference, Functional, Timing] {
            run_on(target("a100", model), &text, Level::Full).unwrap();
        }
    }
}

#[test]
fn checks_see_sixteen_bytes_of_each_row() {
    let own = "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%own];";
    let other = "xor.b32 %r9, %own, 512; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r9];";
    let stored =
        "xor.b32 %r9, %own, 512; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], {%t, %t, %t, %t};";
    let early = WRITTEN.trim_end_matches("bar.sync 0;");
    let part = "st.shared.v2.b32 [%own], {%t, %t}; st.shared.b32 [%own+8], %t; bar.sync 0;";
    let none: [&str; 0] = [];
    for model in [Functional, Timing] {
        let checked = |start: &str, body: &str, check: Check| {
            let mut target = target("a100", model);
            target.checks = CheckSet::new(&[check]);
            run_on(target, &kernel(start, body), Level::Full).unwrap().findings
        };
        for body in [own, other, stored] {
            assert_eq!(checked(WRITTEN, body, Check::Races), none, "{model:?} {body}");
            assert_eq!(checked(WRITTEN, body, Check::Init), none, "{model:?} {body}");
        }
        assert_eq!(checked(early, own, Check::Races), none, "{model:?}");
        for body in [other, stored] {
            assert_eq!(checked(early, body, Check::Races), ["R0101"], "{model:?} {body}");
        }
        assert_eq!(checked(part, own, Check::Init), ["R0103"], "{model:?}");
        assert_eq!(checked("", &format!("{stored} bar.sync 0; {own}"), Check::Init), none);
    }
}

/// All machines and levels move the same words, by paths of one warp and of regrouped threads.
#[test]
fn matrices_move_alike_everywhere() {
    let start = "mad.lo.u32 %r4, %t, 0x01000193, 77; mad.lo.u32 %r5, %r4, 3, 1; mad.lo.u32 %r6, %r5, 5, 1; xor.b32 %r7, %r4, %r6;\n\
                 st.shared.v4.b32 [%own], {%r4, %r5, %r6, %r7}; bar.sync 0;";
    let body = "setp.lt.u32 %p1, %lane, 11; @%p1 bra MERGED; add.u32 %r8, %r8, 1; MERGED:\n\
                xor.b32 %r9, %own, 512;\n\
                ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r0, %r1, %r2, %r3}, [%own];\n\
                movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\n\
                stmatrix.sync.aligned.m8n8.x2.shared.b16 [%own+1024], {%r1, %r2};\n\
                stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%own+2048], {%r3, %r0}; bar.sync 0;\n\
                ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r4, %r5}, [%r9+1024];\n\
                ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r9+2048]; xor.b32 %r0, %r0, %r4; xor.b32 %r3, %r3, %r5;";
    let text = kernel(start, body);
    let wanted = run_on(target("a100", Reference), &text, Level::None).unwrap().words;
    for level in [Level::None, Level::Basic, Level::Full] {
        for (machine, model) in
            [("a100", Functional), ("a100", Timing), ("h100", Timing), ("gtx480", Timing)]
        {
            let found = run_on(target(machine, model), &text, level).unwrap().words;
            assert_eq!(found, wanted, "{machine} {model:?} {level:?}");
        }
    }
    for scheme in ["warp-formation", "dual-path"] {
        let target = Target::with("gtx480", &[("divergence", scheme)]).unwrap();
        assert_eq!(run_on(target, &text, Level::Full).unwrap().words, wanted, "{scheme}");
    }
}
