//! Faulty programs: errors are on the lines that a `//~ error` comment marks, and on no others;
//! `snapshots` has the texts.

use crate::data::{Program, each, programs};
use reconverge::build::Checked;
use reconverge_compiler::diagnostic::Diagnostic;
use std::collections::BTreeSet;

const MARK: &str = "//~ error";

fn marked(program: &Program) -> BTreeSet<u32> {
    let lines = (1..).zip(program.text.lines());
    lines.filter(|(_, line)| line.contains(MARK)).map(|(number, _)| number).collect()
}

fn found(checked: &Checked) -> BTreeSet<u32> {
    let errors = checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    errors.map(|error: &Diagnostic| checked.sources.position(error.primary.span).line).collect()
}

#[test]
fn errors_are_on_the_marked_lines() {
    each(&programs("diagnostics"), |program| {
        let checked = program.check();
        let (marked, found) = (marked(program), found(&checked));
        let missing: Vec<_> = marked.difference(&found).collect();
        let surplus: Vec<_> = found.difference(&marked).collect();
        if missing.is_empty() && surplus.is_empty() {
            return Ok(());
        }
        let name = &program.name;
        Err(format!(
            "{name}: no error on lines {missing:?}, errors on lines {surplus:?}:\n{}",
            checked.render(false)
        ))
    });
}

#[test]
fn a_program_with_errors_has_no_module() {
    each(&programs("diagnostics"), |program| match program.check().module {
        None => Ok(()),
        Some(_) => Err(format!("{} compiles", program.name)),
    });
}

#[test]
fn what_is_said() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::allow_duplicates! {
            for program in programs("diagnostics") {
                let name = program.name.trim_end_matches(".cu");
                insta::assert_snapshot!(format!("diagnostics@{name}"), shortened(&program.check().render(false)));
            }
        }
    });
}

/// Lines of more than 200 characters are cut: the deep and long programs quote themselves.
fn shortened(text: &str) -> String {
    let cut = |line: &str| match line.char_indices().nth(200) {
        Some((end, _)) => format!("{}…\n", &line[..end]),
        None => format!("{line}\n"),
    };
    text.lines().map(cut).collect()
}
