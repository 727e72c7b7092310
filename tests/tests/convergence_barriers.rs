//! Convergence barriers: where the compiler puts them, and that a machine with a stack does not notice.

use crate::data::{difference, each, examples, programs};
use reconverge::build::Checked;
use reconverge::execute::{ModelName, Setup, execute_lowered};
use reconverge::host::report::Outcome;
use reconverge::kernel_record::KernelRecord;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::machine_code::{barrier_check, convergence_barriers};
use reconverge_compiler::pass::Level;
use reconverge_isa::{Kernel, Op, binary, convergence, text};
use reconverge_simulator::load_machine;
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::{Trace, check};
use reconverge_tests::slice::Slice;
use std::fs;
use std::path::Path;

/// The code of a kernel without anything around it.
fn code(kernel: &Kernel) -> String {
    kernel.code.iter().map(|instruction| format!("{instruction}\n")).collect()
}

fn stripped(kernel: &Kernel) -> Kernel {
    convergence::strip(kernel).map_or_else(|| kernel.clone(), |stripped| stripped.kernel)
}

#[test]
fn barriers_stand_where_the_cases_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/convergence_barriers");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    each(&paths, |path| {
        let name = path.file_name().unwrap().to_string_lossy();
        let source = fs::read_to_string(path).unwrap();
        let program = text::parse(&source).map_err(|errors| format!("{name}: {}", errors[0]))?;
        let expected = &program.kernels[0];
        barrier_check::check(&expected.code).map_err(|fault| format!("{name}: {fault}"))?;
        let mut found = stripped(expected);
        convergence_barriers::insert(&mut found);
        match difference(&code(expected), &code(&found)) {
            Some(difference) => Err(format!("{name}: {difference}")),
            None => Ok(()),
        }
    });
}

/// `depth` branches, each in a side of the one before.
fn nest(depth: usize) -> Kernel {
    let open = |level: usize| format!("@p0 bra J{level} !reconverge J{level}\nadd.i32 r0, r0, 1\n");
    let close = |level: usize| format!("J{level}: add.i32 r1, r1, 1\n");
    let opened: String = (0..depth).map(open).collect();
    let closed: String = (0..depth).rev().map(close).collect();
    text::parse(&format!("{opened}{closed}exit")).unwrap().kernels[0].clone()
}

#[test]
fn what_is_nested_too_deep_meets_further_out() {
    for (depth, armed_branches) in [(1, 1), (16, 16), (17, 16), (40, 16)] {
        let mut kernel = nest(depth);
        convergence_barriers::insert(&mut kernel);
        let count = |op| kernel.code.iter().filter(|instruction| instruction.op == op).count();
        assert_eq!((count(Op::Bssy), count(Op::Bsync)), (armed_branches, armed_branches));
        let first = kernel.code.iter().find(|instruction| instruction.op == Op::Bssy);
        assert_eq!(first.map(|arm| arm.barrier), Some(0), "the outermost is b0");
        assert_eq!(barrier_check::check(&kernel.code), Ok(()));
        assert_eq!(stripped(&kernel), nest(depth));
    }
}

fn generated(count: u64) -> impl Iterator<Item = (String, Checked)> {
    let program = |seed| check("generated.cu", &Generated::new(seed).source());
    (0..count).map(move |seed| (format!("seed {seed}"), program(seed)))
}

fn lower(checked: &Checked, level: Level, convergence_barriers: bool) -> Result<Lowered, String> {
    let options = Options { level, convergence_barriers, ..Options::default() };
    checked.lower(&options).map_err(|error| error.render(false))
}

/// Complains unless barriers are right, survive text and bytes, and come off without a trace.
fn comes_off(with: &Lowered, without: &Lowered) -> Result<usize, String> {
    let read = text::parse(&text::print(&with.program)).map_err(|errors| errors[0].to_string())?;
    let bytes = binary::encode(&with.program).map_err(|faults| faults[0].to_string())?;
    let decoded = binary::decode(&bytes).map_err(|error| error.to_string())?;
    if read != with.program || decoded != with.program {
        return Err("text or bytes lose something".into());
    }
    let mut arms = 0;
    for (with, without) in with.program.kernels.iter().zip(&without.program.kernels) {
        barrier_check::check(&with.code)?;
        if let Some(difference) = difference(&code(without), &code(&stripped(with))) {
            return Err(difference);
        }
        if stripped(with) != *without {
            return Err("more than the code changes".into());
        }
        arms += with.code.iter().filter(|instruction| instruction.op == Op::Bssy).count();
    }
    Ok(arms)
}

#[test]
fn barriers_are_right_in_every_program() {
    let folders = ["run", "trap", "golden"].into_iter().flat_map(programs);
    let files = folders.chain(examples()).map(|program| (program.name.clone(), program.check()));
    let slice = Slice::of(8).unwrap();
    println!("{slice}");
    let generated = generated(200).filter(|(name, _)| slice.has(name));
    let sources: Vec<_> = files.chain(generated).collect();
    each(&sources, |(name, checked)| {
        for level in [Level::None, Level::Full] {
            let (with, without) = (lower(checked, level, true)?, lower(checked, level, false)?);
            let arms = comes_off(&with, &without).map_err(|what| format!("{name}: {what}"))?;
            if arms == 0 && name.as_str() == "nested_branch.cu" {
                return Err(format!("{name}: nothing is armed"));
            }
        }
        Ok(())
    });
}

/// The result of a program on a machine.
fn run(checked: &Checked, lowered: &Lowered, model: ModelName) -> Result<Trace, String> {
    let machine = load_machine("tiny", &[])?;
    let setup = Setup {
        max_cycles: Some(200_000),
        max_operations: Some(2_000_000),
        verify_annotations: true,
        digest: true,
        ..Setup::new(&machine, model)
    };
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let result =
        execute_lowered(checked, lowered, &setup, &mut output, &mut errors, &mut |_, _| {});
    let execution = result.map_err(|refused| refused.render(false))?;
    let output = String::from_utf8_lossy(&output).into_owned();
    Ok(Trace { outcome: execution.outcome, output, launches: execution.records })
}

/// The result: the end as text and without the numbers of instructions, which barriers move.
fn numberless(checked: &Checked, trace: Trace) -> (String, String, Vec<KernelRecord>) {
    let end = match &trace.outcome {
        Outcome::Exit(status) => status.to_string(),
        other => other.render(&checked.sources, false),
    };
    let mut parts = end.split(" instruction ");
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text += " instruction ";
        text += part.trim_start_matches(|digit: char| digit.is_ascii_digit());
    }
    (text, trace.output, trace.launches)
}

#[test]
fn a_stack_does_not_notice_barriers() {
    let files = ["golden", "trap"].into_iter().flat_map(programs);
    let files = files.filter(|program| program.allows("machines", "tiny"));
    let files = files.map(|program| (program.name.clone(), program.check()));
    let all: Vec<_> = files.chain(generated(24)).collect();
    each(&all, |(name, checked)| {
        let with = lower(checked, Level::default(), true)?;
        let without = lower(checked, Level::default(), false)?;
        for model in [ModelName::Functional, ModelName::Timing] {
            // Memory, every statistic, cycles among them, and the place of the fault that stops the
            // program.
            let expected = numberless(checked, run(checked, &without, model)?);
            if numberless(checked, run(checked, &with, model)?) != expected {
                return Err(format!("{name}: barriers change something"));
            }
        }
        Ok(())
    });
}
