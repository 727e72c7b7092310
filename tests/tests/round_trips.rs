//! Printed forms can be read again: IR text, assembly text and binaries, of every program that
//! the tests have.

use crate::data::{difference, each, examples, programs};
use reconverge::build::Checked;
use reconverge_compiler::ir;
use reconverge_compiler::lower::{FEWEST_REGISTERS, Lowered, Options};
use reconverge_compiler::pass::{Level, PASSES, Stage};
use reconverge_isa::{binary, text};
use reconverge_tests::generate::Generated;
use reconverge_tests::oracle::check;
use reconverge_tests::slice::Slice;

/// The fewest registers too, so that spilled code is among them.
const REGISTERS: [u32; 2] = [63, FEWEST_REGISTERS];

fn sources() -> Vec<(String, Checked)> {
    let folders = ["run", "trap", "golden"].into_iter().flat_map(programs);
    let files = folders.chain(examples()).map(|program| {
        let checked = program.check();
        (program.name, checked)
    });
    let generated = (0..60).map(|seed| {
        (format!("seed {seed}"), check("generated.cu", &Generated::new(seed).source()))
    });
    files.chain(generated).collect()
}

fn same(what: &str, first: &str, second: &str) -> Result<(), String> {
    match difference(first, second) {
        Some(difference) => Err(format!("{what} changes: {difference}")),
        None => Ok(()),
    }
}

fn ir_text(lowered: &Lowered) -> Result<(), String> {
    let program = &lowered.program;
    let first = ir::print::module(&program.files, &program.variables, &lowered.ir);
    let read = ir::parse::parse(&first).map_err(|errors| format!("the IR text: {}", errors[0]))?;
    for function in &read.functions {
        if let Some(fault) = ir::verify(function).into_iter().next() {
            return Err(format!("the IR that was read is not well formed: {fault}"));
        }
    }
    let again = ir::print::module(&read.files, &read.variables, &read.functions);
    same("the IR text", &first, &again)?;
    let formatted = ir::format::format(&first).map_err(|errors| errors[0].to_string())?;
    same("the IR text, formatted,", &first, &formatted)
}

fn images(lowered: &Lowered) -> Result<(), String> {
    let first = text::print(&lowered.program);
    let read = text::parse(&first).map_err(|errors| format!("assembly: {}", errors[0]))?;
    if read != lowered.program {
        return Err("the assembly text loses something".to_string());
    }
    let bytes = binary::encode(&read).map_err(|faults| format!("{:?}", faults[0]))?;
    let decoded = binary::decode(&bytes).map_err(|error| format!("binary: {error}"))?;
    same("the assembly text", &first, &text::print(&decoded))?;
    let formatted = text::format(&first).map_err(|errors| errors[0].to_string())?;
    same("the assembly text, formatted,", &first, &formatted)?;
    match binary::encode(&decoded) {
        Ok(again) if again == bytes => Ok(()),
        _ => Err("the binary changes".to_string()),
    }
}

#[test]
fn what_is_printed_is_read_again() {
    let sources = sources();
    assert!(sources.len() > 140, "{} programs", sources.len());
    let slice = Slice::of(4).unwrap();
    println!("{slice}");
    each(&sources, |(name, checked)| {
        for turn in slice.turns(name, REGISTERS.len() as u64) {
            let max_registers = REGISTERS[turn as usize];
            let options = Options { max_registers: Some(max_registers), ..Options::default() };
            let lowered = checked.lower(&options).map_err(|error| error.render(false))?;
            ir_text(&lowered)
                .and_then(|()| images(&lowered))
                .map_err(|e| format!("{name}: {e}"))?;
        }
        Ok(())
    });
}

/// The text after each pass over the IR (`--print-after all`).
fn after_passes(checked: &Checked, level: Level) -> Result<(), String> {
    let passes = PASSES.iter().filter(|pass| pass.stage() == Stage::Ir).map(|pass| pass.name);
    let print_after = passes.chain(["lower"]).map(str::to_owned).collect();
    let options = Options { level, print_after, print_settled: true, ..Options::default() };
    let lowered = checked.lower(&options).map_err(|error| error.render(false))?;
    let program = &lowered.program;
    let head = ir::print::module(&program.files, &program.variables, &[]);
    let mut before = "";
    for dump in &lowered.dumps {
        if dump.text == before {
            continue;
        }
        let first = format!("{head}\n{}", dump.text);
        let read = ir::parse::parse(&first)
            .map_err(|errors| format!("after `{}`: {}", dump.pass, errors[0]))?;
        let again = ir::print::module(&read.files, &read.variables, &read.functions);
        same(&format!("the text after `{}`", dump.pass), &first, &again)?;
        before = &dump.text;
    }
    Ok(())
}

#[test]
fn the_text_after_each_pass_is_read_again() {
    let programs = examples();
    each(&programs, |program| {
        let checked = program.check();
        for (level, name) in Level::ALL {
            after_passes(&checked, level).map_err(|e| format!("{} -O{name}: {e}", program.name))?;
        }
        Ok(())
    });
}
