//! The control-flow graph of a kernel's machine code as SVG: blocks below each other in the order
//! of the code, with their code, coloured by the dependence of their branches. Jumps go down on the
//! right, back on the left, and are dashed where the paths of a branch meet again.
//!
//! A column, since code is tall and narrow: a layered layout of an unrolled kernel is wider than any screen, and the
//! crates that have one are young or do not route edges.

use super::edge_counts::EdgeCounts;
use minijinja::HtmlEscape;
use reconverge::findings::Evidence;
use reconverge::numbers::grouped;
use reconverge::profile::{is_branch, short};
use reconverge_compiler::machine_code::graph::Graph;
use reconverge_isa::{BranchTaint, Effect, Instruction, Kernel, text};
use serde::Serialize;
use std::fmt::Write;
use std::ops::Range;

/// Pixels: of a letter, of a line of text, around text, between blocks, between edges beside each other.
const LETTER: f64 = 7.3;
const LINE: usize = 16;
const PADDING: usize = 6;
const GAP: usize = 26;
const LANE: usize = 11;
/// Letters of a line of code that are shown.
const WIDEST: usize = 76;
/// Instructions of a block that are shown: the number of the first, and of the last.
const FIRST: usize = 14;
const LAST: usize = 4;
/// Graphs with more blocks are folded, and those with still more not drawn.
const UNFOLDED: usize = 16;
const MOST: usize = 400;

/// A kernel's graph.
#[derive(Serialize, Debug)]
pub struct GraphPart {
    /// The kernel.
    pub kernel: String,
    /// The number of blocks.
    pub blocks: usize,
    /// True if it is shown only on a click.
    pub folded: bool,
    /// True if the counts of some edges are unknown.
    pub lacks_counts: bool,
    /// The drawing; empty if it would be too large.
    pub svg: String,
}

/// A block as it is drawn.
struct Node {
    /// Its class in the style.
    class: &'static str,
    title: String,
    /// Its code, each instruction with its source line, if that is to be written.
    lines: Vec<(String, Option<u32>)>,
    /// Its position, in pixels from above.
    y: Range<usize>,
}

/// An edge as it is drawn.
struct Edge {
    from: usize,
    to: usize,
    class: &'static str,
    label: String,
    title: String,
    /// Its width in pixels.
    width: f64,
}

/// The graph of a kernel that was launched.
pub fn part(kernel: &Evidence) -> GraphPart {
    let code = &kernel.kernel.code;
    let graph = Graph::new(code);
    if graph.len() > MOST {
        return GraphPart {
            kernel: kernel.kernel.name.clone(),
            blocks: graph.len(),
            folded: true,
            lacks_counts: true,
            svg: String::new(),
        };
    }
    let threads = |index: usize| {
        let statistics = kernel.instructions.get(&(index as u32));
        statistics.map_or(0, |statistics| statistics.thread_instructions)
    };
    let ends = |block: usize| {
        let range = graph.instructions(block);
        (threads(range.start), threads(range.end - 1))
    };
    let starts = [Some(0), kernel.kernel.affine.map(|affine| affine.entry as usize)];
    let is_start = |block: usize| starts.contains(&Some(graph.instructions(block).start));
    let last = |block: usize| &code[graph.instructions(block).end - 1];
    let exits = |block: usize| last(block).op.row().effect == Effect::Exit;
    let taken = |block: usize| {
        let index = graph.instructions(block).end - 1;
        let is_branch = code[index].op.row().effect == Effect::Branch;
        let statistics = kernel.instructions.get(&(index as u32));
        is_branch.then(|| statistics.map_or(0, |statistics| statistics.taken_branch_lanes))
    };
    let counts = EdgeCounts::new(&graph, ends, taken, is_start, exits);
    let nodes = placed((0..graph.len()).map(|block| node(kernel, &graph, block)).collect());
    let most = (0..graph.len()).map(|block| ends(block).0).max().unwrap_or(0);
    let edges = edges(code, &graph, Some(&counts), most);
    GraphPart {
        kernel: kernel.kernel.name.clone(),
        blocks: graph.len(),
        folded: graph.len() > UNFOLDED,
        lacks_counts: edges.iter().any(|edge| edge.class != "meets" && edge.label.is_empty()),
        svg: drawing(&nodes, &edges),
    }
}

/// The drawing of a kernel's graph without a run: its lines state their source line, as
/// `data-line`. Empty if it would be too large.
pub fn of_code(kernel: &Kernel) -> String {
    let graph = Graph::new(&kernel.code);
    if graph.len() > MOST {
        return String::new();
    }
    let source = |pc: usize| {
        let place = kernel.lines.get(pc).filter(|place| place.file == 0 && place.line != 0);
        place.map(|place| place.line)
    };
    let node = |block: usize| {
        let range = graph.instructions(block);
        let (class, branch) = branch_of(&kernel.code[range.end - 1]);
        Node {
            class,
            title: format!("{}{branch}", range.start),
            lines: code_lines(&kernel.code, range, source),
            y: 0..0,
        }
    };
    let nodes = placed((0..graph.len()).map(node).collect());
    drawing(&nodes, &edges(&kernel.code, &graph, None, 1))
}

/// Gives nodes their places below each other.
fn placed(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut y = PADDING;
    for node in &mut nodes {
        let height = (node.lines.len() + 1) * LINE + 2 * PADDING;
        node.y = y..y + height;
        y += height + GAP;
    }
    nodes
}

/// The class of a block that ends with an instruction, and its title's text about that.
fn branch_of(last: &Instruction) -> (&'static str, &'static str) {
    match last.annotations.taint {
        _ if !is_branch(last) => ("plain", ""),
        _ if last.annotations.uniform => ("uniform", ", uniform branch"),
        BranchTaint::Programmatic => ("programmatic", ", P-branch"),
        BranchTaint::Data => ("data", ", D-branch"),
        BranchTaint::Unknown => ("unknown", ", branch"),
    }
}

fn node(kernel: &Evidence, graph: &Graph, block: usize) -> Node {
    let range = graph.instructions(block);
    let (class, branch) = branch_of(&kernel.kernel.code[range.end - 1]);
    let statistics = kernel.instructions.get(&(range.start as u32));
    let executed = statistics.map_or(0, |statistics| statistics.warp_instructions);
    let mut lines: Vec<u32> =
        range.clone().filter_map(|pc| Some(kernel.location(pc as u32)?.line)).collect();
    lines.sort_unstable();
    let source = match (lines.first(), lines.last()) {
        (Some(first), Some(last)) if first == last => format!(", line {first}"),
        (Some(first), Some(last)) => format!(", lines {first} to {last}"),
        _ => String::new(),
    };
    let slots: u64 = range
        .clone()
        .filter_map(|pc| kernel.instructions.get(&(pc as u32)))
        .map(|statistics| statistics.issue_slots)
        .sum();
    let share = 100.0 * slots as f64 / kernel.statistics.issue_slots.max(1) as f64;
    let executed = short(executed).unwrap_or_else(|| "0".to_owned());
    Node {
        class,
        title: format!("{}{source}: {executed} times, {share:.1} % of slots{branch}", range.start),
        lines: code_lines(&kernel.kernel.code, range, |_| None),
        y: 0..0,
    }
}

/// The instructions of a block, those in the middle of a long one left out, each with the line of the source that is to be
/// written to the drawing.
fn code_lines(
    code: &[Instruction],
    range: Range<usize>,
    source: impl Fn(usize) -> Option<u32>,
) -> Vec<(String, Option<u32>)> {
    let line = |pc: usize| {
        let text = format!("{pc:>4}  {}", text::print_instruction(&code[pc]));
        (cut(&text, WIDEST), source(pc))
    };
    if range.len() <= FIRST + LAST + 1 {
        return range.map(line).collect();
    }
    let (start, end) = (range.start, range.end);
    let more = format!("      … {} more", end - start - FIRST - LAST);
    let first = (start..start + FIRST).map(line);
    first.chain([(more, None)]).chain((end - LAST..end).map(line)).collect()
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// The edges of a graph, with the counts of a run, which are at most `most`.
fn edges(code: &[Instruction], graph: &Graph, counts: Option<&EdgeCounts>, most: u64) -> Vec<Edge> {
    let number = |block: usize| graph.instructions(block).start;
    let mut edges = Vec::new();
    for from in 0..graph.len() {
        for &to in graph.successors(from) {
            let count = counts.and_then(|counts| counts.of(from, to));
            let label = count.map(|count| short(count).unwrap_or_else(|| "0".to_owned()));
            let threads = match (counts, count) {
                (None, _) => String::new(),
                (_, None) => ": not known how many threads".to_owned(),
                (_, Some(count)) => format!(": {} threads", grouped(count)),
            };
            let share = count.unwrap_or(0) as f64 / most.max(1) as f64;
            edges.push(Edge {
                from,
                to,
                class: if count == Some(0) { "never" } else { "goes" },
                label: label.unwrap_or_default(),
                title: format!("{} to {}{threads}", number(from), number(to)),
                width: 1.0 + 3.0 * share.sqrt(),
            });
        }
        let last = &code[graph.instructions(from).end - 1];
        let meets = last.annotations.reconverge.filter(|_| is_branch(last));
        if let Some(to) = meets.and_then(|at| graph.starting_at(at as usize)) {
            edges.push(Edge {
                from,
                to,
                class: "meets",
                label: String::new(),
                title: format!("the paths of {} meet at {}", number(from), number(to)),
                width: 1.0,
            });
        }
    }
    edges
}

/// Returns true if an edge leads from a block to the one below it.
fn is_short(edge: &Edge) -> bool {
    edge.to == edge.from + 1 && edge.class != "meets"
}

/// For each edge that is drawn beside the blocks its lane, from 0 next to them: short edges are nearer, and those of one
/// lane do not overlap.
fn lanes(edges: &[&Edge]) -> Vec<usize> {
    let span = |edge: &Edge| (edge.from.min(edge.to), edge.from.max(edge.to));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&at| {
        let (low, high) = span(edges[at]);
        (high - low, low, at)
    });
    let mut taken: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut found = vec![0; edges.len()];
    for at in order {
        let (low, high) = span(edges[at]);
        let is_free = |lane: &Vec<(usize, usize)>| lane.iter().all(|&(a, b)| high < a || b < low);
        let lane = taken.iter().position(is_free).unwrap_or(taken.len());
        if lane == taken.len() {
            taken.push(Vec::new());
        }
        taken[lane].push((low, high));
        found[at] = lane;
    }
    found
}

fn drawing(nodes: &[Node], edges: &[Edge]) -> String {
    let beside = |is_back: bool| -> Vec<&Edge> {
        edges.iter().filter(|it| !is_short(it) && (it.to <= it.from) == is_back).collect()
    };
    let (back, forth) = (beside(true), beside(false));
    let (back_lanes, forth_lanes) = (lanes(&back), lanes(&forth));
    let room = |lanes: &[usize]| lanes.iter().max().map_or(0, |most| most + 1) * LANE + 66;
    let code = nodes.iter().flat_map(|node| &node.lines).map(|(line, _)| line);
    let texts = code.chain(nodes.iter().map(|node| &node.title));
    let letters = texts.map(|line| line.chars().count()).max().unwrap_or(0);
    let left = room(&back_lanes);
    let right = left + (letters as f64 * LETTER) as usize + 2 * PADDING;
    let width = right + room(&forth_lanes);
    let height = nodes.last().map_or(0, |node| node.y.end) + PADDING;
    let mut svg = format!(
        "<svg class=\"graph\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    // Above all edges.
    let mut labels = String::new();
    for edge in edges.iter().filter(|edge| is_short(edge)) {
        let x = (left + right) / 2;
        let (from, to) = (nodes[edge.from].y.end, nodes[edge.to].y.start);
        let path = format!("M{x} {from}V{}", to - 5);
        arrow(&mut svg, edge, &path, &format!("M{x} {to}l-4 -7h8z"));
        label(&mut labels, edge, x + 8, from + 17, "start");
    }
    for (edge, lane) in back.iter().zip(&back_lanes) {
        let turn = left - 20 - lane * LANE;
        let (from, to) = (nodes[edge.from].y.end - 8, nodes[edge.to].y.start + 8);
        let path = format!("M{left} {from}H{turn}V{to}H{}", left - 5);
        arrow(&mut svg, edge, &path, &format!("M{left} {to}l-7 -4v8z"));
        label(&mut labels, edge, left - 24 - lane * LANE, from - 4, "end");
    }
    for (edge, lane) in forth.iter().zip(&forth_lanes) {
        let turn = right + 20 + lane * LANE;
        let meets = usize::from(edge.class == "meets") * 8;
        let (from, to) = (nodes[edge.from].y.end - 8 - meets, nodes[edge.to].y.start + 8 + meets);
        let path = format!("M{right} {from}H{turn}V{to}H{}", right + 5);
        arrow(&mut svg, edge, &path, &format!("M{right} {to}l7 -4v8z"));
        label(&mut labels, edge, right + 24 + lane * LANE, from + 4, "start");
    }
    svg += &labels;
    for node in nodes {
        block(&mut svg, node, left, right);
    }
    svg + "</svg>"
}

// Writing to a string does not fail.

fn arrow(svg: &mut String, edge: &Edge, path: &str, head: &str) {
    let Edge { class, title, width, .. } = edge;
    let _ = writeln!(
        svg,
        "<g class=\"{class}\"><title>{}</title><path d=\"{path}\" style=\"stroke-width:{width:.1}\"/>\
         <path class=\"head\" d=\"{head}\"/></g>",
        HtmlEscape(title)
    );
}

fn label(svg: &mut String, edge: &Edge, x: usize, y: usize, anchor: &str) {
    if !edge.label.is_empty() {
        let text = HtmlEscape(&edge.label);
        let _ = writeln!(
            svg,
            "<text class=\"count\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>"
        );
    }
}

fn block(svg: &mut String, node: &Node, left: usize, right: usize) {
    let Node { class, title, lines, y } = node;
    let (width, height) = (right - left, y.len());
    let x = left + PADDING;
    let _ = writeln!(
        svg,
        "<g class=\"block {class}\"><rect x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"3\"/>\
         <text class=\"title\" x=\"{x}\" y=\"{}\">{}</text>",
        y.start,
        y.start + PADDING + 11,
        HtmlEscape(title)
    );
    for (number, (line, source)) in (2..).zip(lines) {
        let y = y.start + PADDING + number * LINE - 5;
        let source = source.map_or(String::new(), |line| format!(" data-line=\"{line}\""));
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" xml:space=\"preserve\"{source}>{}</text>",
            HtmlEscape(line)
        );
    }
    svg.push_str("</g>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_a_lane_do_not_overlap() {
        let edge = |from, to| Edge {
            from,
            to,
            class: "goes",
            label: String::new(),
            title: String::new(),
            width: 1.0,
        };
        let all = [edge(0, 9), edge(1, 3), edge(4, 6), edge(2, 5)];
        let found = lanes(&all.iter().collect::<Vec<_>>());
        assert_eq!(found, [2, 0, 0, 1]);
    }

    #[test]
    fn long_code_is_cut() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
    }
}
