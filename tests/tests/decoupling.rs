//! Kernels decoupled into an affine and a non-affine stream: the moved values, and that both
//! streams are well made.

use crate::data::{Program, divergent, each, examples, programs};
use insta::{Settings, assert_snapshot};
use reconverge::build::{self, Checked};
use reconverge_compiler::decouple::report::Reason;
use reconverge_compiler::lower::{Lowered, Options, Spill};
use reconverge_compiler::pass::Level;
use reconverge_isa::{CodeTarget, Decoupling, Instruction, Queue, text, validate};
use reconverge_tests::generate::Generated;

fn check(program: &Program) -> Checked {
    build::check(&program.name, &program.text, &[], &mut program.loader())
}

fn at(level: Level) -> Options {
    Options { level, verify: true, ..Options::default() }
}

/// Loops stay as they are written, as in the paper's figures.
fn rolled() -> Options {
    Options { unroll: 1, ..at(Level::Full) }
}

fn lower(checked: &Checked, options: &Options, decoupling: Decoupling) -> Result<Lowered, String> {
    let target = CodeTarget { decoupling, ..options.target };
    checked.lower(&Options { target, ..options.clone() }).map_err(|error| error.render(false))
}

/// The faults of a program's streams.
fn examine(
    name: &str,
    checked: &Checked,
    options: &Options,
    decoupling: Decoupling,
) -> Result<Lowered, String> {
    let whole = lower(checked, options, Decoupling::Never)?;
    let lowered = lower(checked, options, decoupling)?;
    let faults = validate(&lowered.program);
    if let Some(fault) = faults.first() {
        return Err(format!("{name}: {fault}"));
    }
    let beside: String = lowered.program.kernels.iter().map(text::beside).collect();
    let read = text::parse(&(beside + &text::print(&lowered.program)));
    if read.as_ref() != Ok(&lowered.program) {
        return Err(format!("{name}: the text is not read back: {:?}", read.err()));
    }
    let reports = lowered.decoupled.iter();
    for ((kernel, before), report) in
        lowered.program.kernels.iter().zip(&whole.program.kernels).zip(reports)
    {
        if kernel.affine.is_none() != report.not_decoupled.is_some() {
            return Err(format!("{name}: {}: the report is about another kernel", kernel.name));
        }
        if kernel.affine.is_none() && kernel != before {
            return Err(format!("{name}: {} is not decoupled and yet changed", kernel.name));
        }
        let [whole, main, _] = report.weight;
        if kernel.affine.is_some() && main > whole {
            return Err(format!("{name}: {} is longer than it was", kernel.name));
        }
    }
    Ok(lowered)
}

/// The reports and both streams beside each other.
fn shown(program: &Program) -> String {
    let [lowered, paying] = [Decoupling::Always, Decoupling::WhereProfitable]
        .map(|affine| examine(&program.name, &check(program), &rolled(), affine).unwrap());
    let mut shown = String::new();
    for (index, kernel) in lowered.program.kernels.iter().enumerate() {
        let [report, other] = [&lowered, &paying].map(|lowered| &lowered.decoupled[index]);
        shown += &report.text(&lowered.program.files);
        if other.not_decoupled != report.not_decoupled {
            let text = other.text(&paying.program.files);
            shown += &format!("unless asked for, {}\n", text.lines().next().unwrap_or_default());
        }
        shown += &text::beside(kernel).replace("// ", "  | ");
    }
    shown
}

#[test]
fn what_moves_and_why_the_rest_does_not() {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for program in programs("decoupling") {
            let name = program.name.trim_end_matches(".cu");
            assert_snapshot!(format!("{name}@streams"), shown(&program));
        }
    });
}

/// The streams of Figure 4's kernel are Figure 7's, except for the test in front of the loop and
/// our optimiser's form of the addresses.
#[test]
fn figure_7() {
    let programs = programs("decoupling");
    let program = programs.iter().find(|program| program.name == "figure4.cu").unwrap();
    let lowered =
        examine(&program.name, &check(program), &rolled(), Decoupling::WhereProfitable).unwrap();
    let kernel = &lowered.program.kernels[0];
    let main: Vec<String> = kernel.main_code().iter().map(bare).collect();
    assert_eq!(
        main,
        [
            "@!deq.pred 0 bra L5",
            "ld.global.b32 r0, [deq.data 1]",
            "add.i32 r0, r0, 1",
            "st.global.b32 [deq.addr 2], r0",
            "@deq.pred 3 bra L1",
            "exit",
        ]
    );
    let queues: Vec<Queue> =
        kernel.affine_code().iter().filter_map(Instruction::enqueues).collect();
    assert_eq!(queues, [Queue::Predicate, Queue::Data, Queue::Address, Queue::Predicate]);
}

fn bare(instruction: &Instruction) -> String {
    Instruction { annotations: Default::default(), ..*instruction }.to_string()
}

/// The affine warp does not execute the code for spilled predicates, which stopped the run.
#[test]
fn predicates_of_the_affine_stream_are_not_spilled() {
    let programs = programs("regressions");
    let program = programs.iter().find(|program| program.name == "spilled-predicates.cu").unwrap();
    let options = Options {
        level: Level::Basic,
        target: CodeTarget { decoupling: Decoupling::Always, ..CodeTarget::default() },
        max_registers: Some(18),
        spill: Spill::AffineFirst,
        verify: true,
        ..Options::default()
    };
    let lowered = check(program).lower(&options).map_err(|error| error.render(false)).unwrap();
    assert_eq!(lowered.decoupled[0].not_decoupled, Some(Reason::Registers));
}

#[test]
fn examples_are_taken_apart() {
    let programs: Vec<Program> = examples().into_iter().chain(divergent()).collect();
    each(&programs, |program| {
        for (level, _) in Level::ALL {
            for affine in [Decoupling::WhereProfitable, Decoupling::Always] {
                examine(&program.name, &check(program), &at(level), affine)?;
            }
        }
        Ok(())
    });
}

/// Loads that are asked for early, of all in the regular examples: the paper has 79.8 % of requests.
#[test]
fn most_loads_of_regular_programs_are_early() {
    let regular =
        ["matmul_naive.cu", "saxpy.cu", "transpose.cu", "stencil2d.cu", "matmul_tiled.cu"];
    let (mut all, mut early) = (0, 0);
    for program in examples().iter().filter(|program| regular.contains(&program.name.as_str())) {
        let options = at(Level::Full);
        let lowered =
            examine(&program.name, &check(program), &options, Decoupling::WhereProfitable);
        for report in &lowered.unwrap().decoupled {
            let global = |access: &reconverge_compiler::decouple::report::Access| {
                access.name == "load" && access.space == reconverge_isa::Space::Global
            };
            let (count, asked, _) = report.count(global);
            (all, early) = (all + count, early + asked);
        }
    }
    assert_eq!(all, early);
}

#[test]
fn generated_kernels_are_taken_apart() {
    for seed in 0..60 {
        let generate = if seed % 3 == 0 { Generated::new } else { Generated::streams };
        let level = Level::ALL[seed as usize % 3].0;
        let source = generate(7_000 + seed).source();
        let checked = reconverge_tests::oracle::check("generated.cu", &source);
        if let Err(problem) = examine("generated.cu", &checked, &at(level), Decoupling::Always) {
            panic!("seed {seed}: {problem}\n{source}");
        }
    }
}
