//! Golden outputs: every form that `compile` writes, and the measurements of a run on `tiny`.
//!
//! `INSTA_UPDATE=new cargo test -p reconverge-tests golden::` writes `.snap.new` files to read
//! before they take the place of the old ones.

use crate::data::{Program, programs};
use insta::{Settings, assert_snapshot};
use reconverge::build::{self, Checked};
use reconverge::execute::ModelName;
use reconverge::report::KernelReport;
use reconverge_compiler::analysis::{Answers, Flow, report};
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_compiler::{analysis::graphviz::graphviz, check, ir, syntax};
use reconverge_isa::text;
use reconverge_tests::oracle::{Variant, run};

fn each_program(form: &str, text: impl Fn(&Program) -> String) {
    let mut settings = Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for program in programs("golden") {
            let name = program.name.trim_end_matches(".cu");
            assert_snapshot!(format!("{name}@{form}"), text(&program));
        }
    });
}

fn checked(program: &Program) -> Checked {
    build::check(&program.name, &program.text, &[], &mut program.loader())
}

fn lowered(program: &Program) -> Lowered {
    checked(program).lower(&Options::default()).map_err(|error| error.render(false)).unwrap()
}

#[test]
fn syntax_tree() {
    each_program("ast", |program| {
        let target = syntax::Target::default();
        let (tree, checked) =
            build::parse(&program.name, &program.text, &[], &mut program.loader(), target);
        syntax::print(&tree, &checked.sources)
    });
}

/// Loads and stores such as `__ldcg` are in the code with the cache hints of their names.
#[test]
fn cache_hints_of_the_source_reach_the_code() {
    let program = programs("run").into_iter().find(|program| program.name.ends_with("hints.cu"));
    let code = text::print(&lowered(&program.unwrap()).program);
    for hint in ["nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt"] {
        let found = code.matches(&format!(" !cache {hint}\n")).count();
        let expected = if ["cs", "cg"].contains(&hint) { 2.. } else { 1.. };
        assert!(expected.contains(&found), "{hint}: {found}\n{code}");
    }
}

#[test]
fn checked_tree() {
    each_program("tree", |program| check::print::print(&checked(program).module.unwrap()));
}

#[test]
fn intermediate_representation() {
    each_program("ir", |program| {
        let lowered = lowered(program);
        ir::print::module(&lowered.program.files, &lowered.program.variables, &lowered.ir)
    });
}

#[test]
fn control_flow_graph() {
    each_program("cfg", |program| lowered(program).ir.iter().map(graphviz).collect());
}

#[test]
fn analysis() {
    each_program("analysis", |program| {
        let lowered = lowered(program);
        let lines: Vec<_> = program.text.lines().collect();
        let source = |at: ir::Location| Some(lines.get(at.line as usize - 1)?.to_string());
        let text = |function| report::text(&Answers::new(&Flow::new(function)), &source);
        lowered.ir.iter().map(text).collect()
    });
}

#[test]
fn analysis_as_data() {
    each_program("analysis-json", |program| {
        let lowered = lowered(program);
        let kernels: Vec<_> = lowered
            .ir
            .iter()
            .map(|function| report::report(&Answers::new(&Flow::new(function))))
            .collect();
        serde_json::to_string_pretty(&kernels).unwrap()
    });
}

#[test]
fn assembly() {
    each_program("asm", |program| text::print(&lowered(program).program));
}

#[test]
fn statistics() {
    each_program("stats", |program| {
        let variant = Variant::new(ModelName::Timing, "tiny");
        let trace = run(&checked(program), &variant, &[]).unwrap();
        let kernels: Vec<_> = trace.launches.iter().map(KernelReport::new).collect();
        serde_json::to_string_pretty(&kernels).unwrap()
    });
}
