//! The number of times that the edges of a control-flow graph were taken, in threads.
//!
//! The counts are the threads that executed each instruction, and those that took each branch.
//! Threads are not lost between instructions: those that enter a block execute its first
//! instruction, and those that execute its last one leave it, unless it ends them. That determines
//! the edges. Edges that it does not determine have no count, and neither has a graph in which it
//! does not hold, because a launch was stopped or a mechanism issues instructions differently.

use reconverge_compiler::machine_code::graph::Graph;

/// Edges with how many threads have taken each; `None` where that is not known.
#[derive(Debug, Default, PartialEq)]
pub struct EdgeCounts(Vec<((usize, usize), Option<u64>)>);

impl EdgeCounts {
    /// Threads that went from a block to another.
    pub fn of(&self, from: usize, to: usize) -> Option<u64> {
        let found = self.0.iter().find(|(edge, _)| *edge == (from, to));
        found.and_then(|(_, count)| *count)
    }

    /// Counts the edges of a graph. `threads` gives the threads that executed the first and the
    /// last instruction of a block, `taken` those that took the branch at its end, if there is one.
    /// `entered` gives the blocks in which threads start, and `left` those in which they may end.
    pub fn new(
        graph: &Graph,
        threads: impl Fn(usize) -> (u64, u64),
        taken: impl Fn(usize) -> Option<u64>,
        entered: impl Fn(usize) -> bool,
        left: impl Fn(usize) -> bool,
    ) -> EdgeCounts {
        let edges: Vec<(usize, usize)> = (0..graph.len())
            .flat_map(|block| graph.successors(block).iter().map(move |&next| (block, next)))
            .collect();
        let mut sums = Vec::new();
        for block in 0..graph.len() {
            let those = |is: &dyn Fn(&(usize, usize)) -> bool| -> Vec<usize> {
                (0..edges.len()).filter(|&at| is(&edges[at])).collect()
            };
            let (first, last) = threads(block);
            if !entered(block) {
                sums.push((those(&|&(_, to)| to == block), first));
            }
            if let (Some(taken), &[target, _]) = (taken(block), graph.successors(block)) {
                sums.push((those(&|&edge| edge == (block, target)), taken));
            }
            if !left(block) {
                sums.push((those(&|&(from, _)| from == block), last));
            }
        }
        let counts = solved(&sums, edges.len()).unwrap_or_else(|| vec![None; edges.len()]);
        EdgeCounts(edges.into_iter().zip(counts).collect())
    }
}

/// Solves sums of some unknown numbers for each of them; `None` if they contradict each other.
fn solved(sums: &[(Vec<usize>, u64)], unknowns: usize) -> Option<Vec<Option<u64>>> {
    let mut found: Vec<Option<u64>> = vec![None; unknowns];
    loop {
        let mut has_changed = false;
        for (parts, sum) in sums {
            let known: u64 = parts.iter().filter_map(|&part| found[part]).sum();
            let mut open = parts.iter().filter(|&&part| found[part].is_none());
            match (open.next(), open.next()) {
                (None, _) if known != *sum => return None,
                (Some(&only), None) => {
                    found[only] = Some(sum.checked_sub(known)?);
                    has_changed = true;
                }
                _ => {}
            }
        }
        if !has_changed {
            return Some(found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_say_what_their_parts_are() {
        // A loop: in from outside 0, around 1, out 2.
        let sums = [(vec![0, 1], 50), (vec![1, 2], 50), (vec![2], 10)];
        assert_eq!(solved(&sums, 3), Some(vec![Some(10), Some(40), Some(10)]));
        assert_eq!(solved(&[(vec![0, 1], 5)], 2), Some(vec![None, None]));
        assert_eq!(solved(&[(vec![0], 5), (vec![0], 6)], 1), None);
        assert_eq!(solved(&[(vec![0], 7), (vec![0, 1], 6)], 2), None);
    }
}
