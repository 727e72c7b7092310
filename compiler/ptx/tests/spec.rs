//! `spec/ptx.md` is what the table of instructions says.

use reconverge_ptx::{check, example, form, parse, spec};
use std::path::Path;

#[test]
fn the_document_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/ptx.md");
    let made = spec::document();
    if std::env::var_os("RECONVERGE_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == made,
        "spec/ptx.md is stale; refresh it with\n    RECONVERGE_BLESS=1 cargo test -p reconverge-ptx"
    );
}

/// Each choice of modifiers that a row stands for is found in that row, or in an earlier one, and has operands that pass the check.
#[test]
fn every_form_passes_the_check() {
    let (mut count, mut wrong) = (0, Vec::new());
    for form in form::all() {
        for modifiers in form.samples() {
            let Some(instruction) = example::instruction(form, &modifiers) else {
                continue;
            };
            let text = format!(
                ".version 8.0\n.target sm_75\n.address_size 64\n.entry k() {{\n{}\n{instruction};\n}}\n",
                example::declarations()
            );
            let module = parse(&text).unwrap_or_else(|error| panic!("{instruction}: {error:?}"));
            wrong.extend(
                check(&module).into_iter().map(|it| format!("{instruction}: {}", it.message)),
            );
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 1000, "{count} forms");
}
