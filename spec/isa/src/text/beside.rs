//! Both streams of a kernel beside each other, as comments, in the manner of Wang and Lin's Figure 7.

use std::fmt::Write;

use super::print::print_instruction;
use crate::instruction::Instruction;
use crate::program::Kernel;

/// The wider column is cut here, so that lines stay readable.
const WIDEST: usize = 64;

/// A line of a stream: its text, and the site that it has a part in.
type Line = (String, Option<u8>);

/// The streams of a kernel beside each other, the affine one on the left. Instructions of one site
/// share a line where the order allows. Empty for a kernel with one stream.
pub fn beside(kernel: &Kernel) -> String {
    if kernel.affine.is_none() {
        return String::new();
    }
    let affine = lines(kernel, kernel.main_code().len(), kernel.affine_code());
    let main = lines(kernel, 0, kernel.main_code());
    let rows = align(&affine, &main);
    let title = "affine stream";
    let widest = affine.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
    let width = widest.clamp(title.len(), WIDEST);
    let name: String = kernel.name.chars().filter(|c| !c.is_control()).collect();
    let mut out = format!("// {name}\n// {title:<width$} | non-affine stream\n");
    for (left, right) in rows {
        let line = format!("// {left:<width$} | {right}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

fn lines(kernel: &Kernel, start: usize, code: &[Instruction]) -> Vec<Line> {
    let mut found = Vec::new();
    for (index, instruction) in (start as u32..).zip(code) {
        let named = kernel.code.iter().any(|other| {
            other.has_target()
                && (other.target == index || other.annotations.reconverge == Some(index))
        });
        if named {
            found.push((format!("L{index}:"), None));
        }
        let site = instruction.site.or(instruction.dequeues().map(|(_, site)| site));
        let bare = Instruction { annotations: Default::default(), ..*instruction };
        found.push((format!("  {}", print_instruction(&bare)), site));
    }
    found
}

/// Puts lines of the same site into one row; in between, lines are paired in order.
fn align<'a>(left: &'a [Line], right: &'a [Line]) -> Vec<(&'a str, &'a str)> {
    let mut rows = Vec::new();
    let (mut left, mut right) = (left, right);
    while !left.is_empty() || !right.is_empty() {
        let until = |lines: &[Line]| {
            lines.iter().position(|(_, site)| site.is_some()).unwrap_or(lines.len())
        };
        let (mine, others) = (until(left), until(right));
        let end = mine.max(others);
        // The lines right in front of a site go with it.
        let text = |lines: &'a [Line], count: usize, row: usize| {
            let skip = end - count;
            row.checked_sub(skip).map_or("", |at| lines[at].0.as_str())
        };
        rows.extend((0..end).map(|row| (text(left, mine, row), text(right, others, row))));
        (left, right) = (&left[mine..], &right[others..]);
        match (left.split_first(), right.split_first()) {
            (Some((one, rest)), Some((other, others))) if one.1 == other.1 => {
                rows.push((one.0.as_str(), other.0.as_str()));
                (left, right) = (rest, others);
            }
            // The streams have different layouts: the one that lags is first.
            (Some((one, rest)), _) => {
                rows.push((one.0.as_str(), ""));
                left = rest;
            }
            (None, Some((other, others))) => {
                rows.push(("", other.0.as_str()));
                right = others;
            }
            (None, None) => {}
        }
    }
    rows
}
