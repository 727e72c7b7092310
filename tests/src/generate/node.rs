//! Statements as a tree, so that shrinking can take them out one by one.

use std::fmt::Write;

/// A statement of a generated kernel: text, nested statements, closing text. Parts that must stay together
/// are one text.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) head: String,
    pub(super) children: Vec<Node>,
    tail: String,
    /// The children may replace the node.
    opens: bool,
}

impl Node {
    pub(super) fn leaf(text: impl Into<String>) -> Node {
        Node { head: text.into(), children: Vec::new(), tail: String::new(), opens: false }
    }

    /// A region of PTX, such as one that a branch goes around.
    pub(super) fn region(head: impl Into<String>, children: Vec<Node>, tail: &str) -> Node {
        Node { opens: true, ..Node::nest(head, children, tail) }
    }

    pub(super) fn nest(head: impl Into<String>, children: Vec<Node>, tail: &str) -> Node {
        Node { head: head.into(), children, tail: tail.to_string(), opens: false }
    }

    pub(super) fn write(&self, out: &mut String, depth: usize) {
        for line in self.head.lines() {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{:1$}{line}", "", depth * 4);
        }
        self.children.iter().for_each(|child| child.write(out, depth + 1));
        if !self.tail.is_empty() {
            let _ = writeln!(out, "{:1$}{2}", "", depth * 4, self.tail);
        }
    }

    pub(super) fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }
}

/// Removes the `left`-th node in pre-order, or replaces it by its children when `unwrap` is set.
/// Returns true if there was one; otherwise `left` has become smaller by the number of nodes.
pub(super) fn remove(nodes: &mut Vec<Node>, left: &mut usize, unwrap: bool) -> bool {
    for index in 0..nodes.len() {
        if *left == 0 {
            let node = nodes.remove(index);
            // The body of a loop or a switch may contain `break`; only plain `if`s can be opened.
            let has_else = node.children.last().is_some_and(|last| last.head.contains("else"));
            let is_plain_if = node.head.starts_with("if") && !has_else;
            if unwrap && (is_plain_if || node.opens) {
                for (offset, child) in node.children.into_iter().enumerate() {
                    nodes.insert(index + offset, child);
                }
            }
            return true;
        }
        *left -= 1;
        if remove(&mut nodes[index].children, left, unwrap) {
            return true;
        }
    }
    false
}
