//! The forms of kernels: their intermediate representation after each pass, machine code, and its graph.

use super::layer::{self, Mark};
use super::lines::{self, CodeLine};
use reconverge_compiler::ir::Function;
use reconverge_compiler::lower::{Dump, Lowered};
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::{Kernel, text};
use reconverge_report::page::flow_graph;
use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// Bytes of the representations of all kernels after all passes that are shown.
const MOST: usize = 12 << 20;
/// Lines of a representation that is compared with the one before; of longer ones no differences are shown.
const COMPARED: usize = 20_000;

/// A kernel.
#[derive(Serialize)]
pub struct KernelForms {
    name: String,
    /// The code after each pass, in order; the first is the input of the passes.
    passes: Vec<AfterPass>,
    assembly: Vec<CodeLine>,
    /// The graph of the machine code, as SVG; empty if it is too large.
    graph: String,
    /// The analyses' results over the source.
    layer: Vec<Mark>,
}

/// The representation after a pass.
#[derive(Serialize)]
pub struct AfterPass {
    pass: &'static str,
    /// True if it differs from the previous one.
    changed: bool,
    /// Its lines with those that the pass has removed; none if nothing has changed.
    rows: Vec<Row>,
    /// Why there are no rows, or no differences; empty if nothing is missing.
    missing: String,
}

/// 1 for a line that the pass has added, -1 for one that it has removed, else 0; the text, and the line of the program.
#[derive(Serialize)]
struct Row(i8, String, u32);

/// The forms of all kernels.
pub fn of_kernels(lowered: &Lowered, sources: &SourceMap) -> Vec<KernelForms> {
    let mut left = MOST;
    let program = &lowered.program;
    let each = |(kernel, function): (&Kernel, &Function)| KernelForms {
        name: kernel.name.clone(),
        passes: passes(lowered.dumps.iter().filter(|dump| dump.kernel == kernel.name), &mut left),
        assembly: lines::of_assembly(&text::print_kernel(program, kernel)),
        graph: flow_graph::of_code(kernel),
        layer: layer::of_kernel(function, lowered, sources),
    };
    program.kernels.iter().zip(&lowered.ir).map(each).collect()
}

fn passes<'a>(dumps: impl Iterator<Item = &'a Dump>, left: &mut usize) -> Vec<AfterPass> {
    let mut before: Option<&str> = None;
    let after = |dump: &'a Dump| {
        let changed = before != Some(&dump.text);
        let mut after =
            AfterPass { pass: dump.pass, changed, rows: Vec::new(), missing: String::new() };
        if changed && dump.text.len() > *left {
            after.missing =
                format!("not shown: the representations are more than {} MiB", MOST >> 20);
        } else if changed {
            *left -= dump.text.len();
            after.rows = rows(before, &dump.text);
            if before.is_some() && dump.text.lines().count() > COMPARED {
                after.missing = format!("differences are not shown of more than {COMPARED} lines");
            }
        }
        before = Some(&dump.text);
        after
    };
    dumps.map(after).collect()
}

fn rows(before: Option<&str>, now: &str) -> Vec<Row> {
    let row = |tag: i8, text: &str| {
        let text = text.strip_suffix('\n').unwrap_or(text);
        Row(tag, text.to_owned(), lines::of_ir(text))
    };
    match before {
        Some(before) if now.lines().count() <= COMPARED => {
            let differences = TextDiff::from_lines(before, now);
            let tag = |tag| match tag {
                ChangeTag::Equal => 0,
                ChangeTag::Insert => 1,
                ChangeTag::Delete => -1,
            };
            differences.iter_all_changes().map(|it| row(tag(it.tag()), it.value())).collect()
        }
        _ => now.lines().map(|line| row(0, line)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_compiler::pass::Stage;

    #[test]
    fn passes_are_compared_with_the_one_before() {
        let dump = |pass, text: &str| Dump {
            pass,
            stage: Stage::Ir,
            kernel: "k".to_owned(),
            text: text.to_owned(),
        };
        let dumps =
            [dump("lower", "a !1:2\nb\n"), dump("copy", "a !1:2\nb\n"), dump("cse", "a !1:2\nc\n")];
        let found = passes(dumps.iter(), &mut 1000);
        let tags = |after: &AfterPass| {
            after.rows.iter().map(|row| (row.0, row.1.clone())).collect::<Vec<_>>()
        };
        assert_eq!(tags(&found[0]), [(0, "a !1:2".to_owned()), (0, "b".to_owned())]);
        assert_eq!(found[0].rows[0].2, 1);
        assert!(!found[1].changed && found[1].rows.is_empty());
        let expected =
            [(0, "a !1:2"), (-1, "b"), (1, "c")].map(|(tag, text)| (tag, text.to_owned()));
        assert_eq!(tags(&found[2]), expected);
        let found = passes(dumps.iter(), &mut 12);
        assert!(found[2].rows.is_empty() && found[2].missing.contains("12 MiB"));
    }
}
