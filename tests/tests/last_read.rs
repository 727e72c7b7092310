//! Last reads. Each kernel of `tests/data/last_read` carries the right `!last` bits: the analysis finds
//! exactly these, a run that checks claims finds nothing wrong with them, and finds each further bit
//! to be wrong, but those of sources that a comment calls `unseen`.

use crate::data::{Program, each, examples, generated_table};
use reconverge::build;
use reconverge_compiler::lower::Options;
use reconverge_compiler::machine_code::LastReads;
use reconverge_isa::{GLOBAL_BASE, Instruction, Kernel, Operand, text};
use reconverge_simulator::{
    Claim, DeviceMemory, Fault, Launch, Limits, Model, TrapKind, launch, load_machine,
};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

struct Case {
    name: String,
    kernel: Kernel,
    /// By instruction, the sources of which no run tells whether they are read again.
    unseen: Vec<Vec<usize>>,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/last_read");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let case = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let source = fs::read_to_string(path).unwrap();
        let program = text::parse(&source).unwrap_or_else(|errors| panic!("{name}: {}", errors[0]));
        let is_code = |line: &&str| {
            let code = line.split("//").next().unwrap_or_default().trim();
            !code.is_empty() && !code.ends_with(':')
        };
        let unseen = |line: &str| {
            let list = line.split_once("// unseen ").map_or("", |(_, list)| list);
            list.split(',').filter_map(|number| number.trim().parse().ok()).collect()
        };
        let unseen = source.lines().filter(is_code).map(unseen).collect();
        Case { name, kernel: program.kernels[0].clone(), unseen }
    };
    paths.iter().map(case).collect()
}

/// The faults of one warp of four threads, by model and by which path of a branch runs first.
fn faults(kernel: &Kernel) -> Vec<Fault> {
    let mut found = Vec::new();
    for order in ["taken-first", "fewer-threads-first"] {
        for model in [Model::Functional, Model::Timing] {
            let set = [("simt-stack.push-order".to_string(), order.to_string())];
            let machine = load_machine("tiny", &set).unwrap();
            let mut global = vec![0; 64];
            let allocation = GLOBAL_BASE..GLOBAL_BASE + 64;
            let mut memory = DeviceMemory {
                global: &mut global,
                allocations: std::slice::from_ref(&allocation),
                constant: &[],
                emitted: Default::default(),
                checker: None,
                second_level: None,
            };
            let request = Launch {
                grid: [1; 3],
                block: [4, 1, 1],
                dynamic_shared: 0,
                parameters: &[],
                model,
                limits: Limits::default(),
                verify_annotations: true,
                profile: false,
                control_bits_proved: false,
            };
            let end =
                launch(kernel, &request, &mut memory, &machine, &mut |_| ControlFlow::Continue(()));
            found.extend(end.err().map(|stopped| stopped.fault));
        }
    }
    found
}

fn is_last_read(fault: &Fault) -> bool {
    let Fault::Trap(trap) = fault else { return false };
    matches!(trap.kind, TrapKind::BrokenClaim(Claim::LastRead { .. }))
}

#[test]
fn the_analysis_finds_the_bits_of_the_cases() {
    each(&cases(), |Case { name, kernel, .. }| {
        let found = LastReads::new(&kernel.code);
        for (index, instruction) in kernel.code.iter().enumerate() {
            let mut with = *instruction;
            with.annotations.last_read = found.bits[index];
            if with != *instruction {
                return Err(format!(
                    "{name}: instruction {index}: expected `{instruction}`, got `{with}`"
                ));
            }
        }
        Ok(())
    });
}

#[test]
fn runs_find_nothing_wrong_with_the_bits() {
    each(&cases(), |Case { name, kernel, .. }| match faults(kernel).first() {
        None => Ok(()),
        Some(fault) => Err(format!("{name}: {fault}")),
    });
}

/// The sources that are registers and carry no bit, by instruction and number.
fn without(code: &[Instruction]) -> Vec<(usize, usize)> {
    let of = |(index, instruction): (usize, &Instruction)| {
        let instruction = *instruction;
        (0..3).filter_map(move |number| {
            let source = instruction.sources[number];
            let register = matches!(source, Operand::Reg(_) | Operand::Pred { .. });
            let bit = instruction.annotations.last_read >> number & 1 != 0;
            (register && !bit).then_some((index, number))
        })
    };
    code.iter().enumerate().flat_map(of).collect()
}

#[test]
fn runs_find_every_other_bit_to_be_wrong() {
    each(&cases(), |Case { name, kernel, unseen }| {
        let mut complaints = Vec::new();
        for (index, number) in without(&kernel.code) {
            let mut wrong = kernel.clone();
            wrong.code[index].annotations.last_read |= 1 << number;
            let seen = faults(&wrong).iter().any(is_last_read);
            if seen == unseen[index].contains(&number) {
                let what = if seen { "seen" } else { "not seen" };
                let instruction = kernel.code[index];
                complaints.push(format!("{name}: `{instruction}`: {number} is {what} to be wrong"));
            }
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
    });
}

#[test]
fn the_fault_names_the_register_and_both_instructions() {
    let text = "mov.b32 r0, tid.x\n setp.lt.u32 p0, r0, 2 !last 0\n @p0 bra T !reconverge J\n bra J\n\
                T: add.i32 r1, r0, 1\n J: exit";
    let program = text::parse(text).unwrap();
    let found = faults(&program.kernels[0]);
    assert_eq!(found.len(), 4);
    assert_eq!(
        found[0].to_string(),
        "`r0` is read here, but the compiler claims that instruction 1 was the last to read it in \
         this warp, in block (0,0,0) thread (0,0,0) at instruction 4"
    );
}

/// An example's kernels together.
fn row(program: &Program) -> String {
    let checked = build::check(&program.name, &program.text, &[], &mut program.loader());
    let lowered = checked.lower(&Options::default()).map_err(|error| error.render(false)).unwrap();
    let all: Vec<_> =
        lowered.program.kernels.iter().map(|kernel| LastReads::new(&kernel.code)).collect();
    let sum = |of: fn(&LastReads) -> usize| all.iter().map(of).sum::<usize>();
    let (operands, alone) = (sum(|one| one.operands), sum(|one| one.per_thread));
    let last = sum(LastReads::count);
    let percent = last * 100 / alone.max(1);
    let name = program.name.trim_end_matches(".cu");
    format!("| {name} | {operands} | {alone} | {last} | {percent} % |\n")
}

#[test]
fn the_table_of_the_examples_is_fresh() {
    let rows: String = examples().iter().map(row).collect();
    generated_table(
        "spec/analysis.md",
        "tests/tests/last_read.rs",
        &format!(
            "| example | register operands | last, for one thread | `!last` | of those |\n\
             | --- | ---: | ---: | ---: | ---: |\n{rows}"
        ),
    );
}
