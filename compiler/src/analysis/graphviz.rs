//! The control-flow graph as Graphviz text, with the place where every branch meets again.

use super::DominatorTree;
use crate::ir::{Function, Kind};
use std::fmt::Write;

/// One digraph. A solid edge is control flow; a dashed one leads from a branch to its immediate
/// post-dominator, where the machine reconverges; a branch whose paths meet only at the end
/// of the kernel leads to `exit`.
pub fn graphviz(function: &Function) -> String {
    let meet = DominatorTree::post_dominators(function);
    let mut text =
        format!("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", function.name);
    let mut exit = false;
    for block in function.existing_blocks() {
        let count = function.instructions(block).len();
        // Writing to a string does not fail.
        let plural = if count == 1 { "" } else { "s" };
        let _ = write!(text, "  {block} [label=\"{block}: {count} instruction{plural}");
        let last = function.terminator(block).map(|value| function.instruction(value));
        let line = last.map_or(0, |instruction| instruction.location.line);
        if line != 0 {
            let _ = write!(text, "\\nends at line {line}");
        }
        text.push_str("\"];\n");
        match last.map(|instruction| &instruction.kind) {
            Some(Kind::Jump(target)) => {
                let _ = writeln!(text, "  {block} -> {target};");
            }
            Some(Kind::Branch(condition, then, otherwise)) => {
                let _ = writeln!(text, "  {block} -> {then} [label=\"{condition}\"];");
                let _ = writeln!(text, "  {block} -> {otherwise} [label=\"!{condition}\"];");
                let point = meet.parent(block).map_or("exit".to_owned(), |at| at.to_string());
                exit |= meet.parent(block).is_none();
                let _ = writeln!(
                    text,
                    "  {block} -> {point} [style=dashed, constraint=false, label=\"reconverge\"];"
                );
            }
            _ => {}
        }
    }
    if exit {
        text.push_str("  exit [shape=ellipse];\n");
    }
    text.push_str("}\n");
    text
}
