//! Immediate dominators of a graph (Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in
//! a Flowgraph", 1979, the simple version), without recursion.
//!
//! The cost is O(m log n) for every graph. The shorter algorithm of Cooper, Harvey and Kennedy
//! walks up the tree at every edge, which is quadratic for a loop with many exits.

/// The immediate dominator of each node that can be reached from `root`, but the root; nodes are
/// numbered below `count`.
pub fn immediate_dominators(count: usize, edges: &[(u32, u32)], root: u32) -> Vec<Option<u32>> {
    let successors = Lists::new(count, edges.iter().copied());
    let predecessors = Lists::new(count, edges.iter().map(|&(from, to)| (to, from)));
    let walk = Walk::new(count, &successors, root);
    let mut forest = Forest::new(walk.nodes.len());
    let mut dominator = vec![0; walk.nodes.len()];
    // Nodes are known by their numbers in the walk from here on. The nodes with each semidominator
    // are a list through `next`.
    let mut first = vec![NONE; walk.nodes.len()];
    let mut next = vec![NONE; walk.nodes.len()];
    for at in (1..walk.nodes.len() as u32).rev() {
        let mut semi = at;
        for &from in predecessors.of(walk.nodes[at as usize]) {
            let from = walk.number[from as usize];
            if from != NONE {
                let least = forest.least(from);
                semi = semi.min(forest.semi[least as usize]);
            }
        }
        forest.semi[at as usize] = semi;
        next[at as usize] = std::mem::replace(&mut first[semi as usize], at);
        let parent = walk.parent[at as usize];
        forest.above[at as usize] = parent;
        let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
        while waiting != NONE {
            let least = forest.least(waiting);
            let below = forest.semi[least as usize] < forest.semi[waiting as usize];
            dominator[waiting as usize] = if below { least } else { parent };
            waiting = next[waiting as usize];
        }
    }
    let mut found = vec![None; count];
    for at in 1..walk.nodes.len() {
        if dominator[at] != forest.semi[at] {
            dominator[at] = dominator[dominator[at] as usize];
        }
        found[walk.nodes[at] as usize] = Some(walk.nodes[dominator[at] as usize]);
    }
    found
}

const NONE: u32 = u32::MAX;

/// For each node others, one list after the other.
struct Lists {
    start: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Lists {
        let mut start = vec![0; count + 2];
        for (of, _) in pairs.clone() {
            start[of as usize + 2] += 1;
        }
        for at in 2..start.len() {
            start[at] += start[at - 1];
        }
        let mut items = vec![0; start[count + 1] as usize];
        for (of, item) in pairs {
            let end = &mut start[of as usize + 1];
            items[*end as usize] = item;
            *end += 1;
        }
        Lists { start, items }
    }

    fn of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.items[self.start[at] as usize..self.start[at + 1] as usize]
    }
}

/// A depth-first walk.
struct Walk {
    /// In the order in which they are met.
    nodes: Vec<u32>,
    /// By node: its position in that order.
    number: Vec<u32>,
    /// By number: the number of the node that it was met from.
    parent: Vec<u32>,
}

impl Walk {
    fn new(count: usize, successors: &Lists, root: u32) -> Walk {
        let mut walk = Walk { nodes: Vec::new(), number: vec![NONE; count], parent: Vec::new() };
        if (root as usize) < count {
            let mut stack = vec![(root, 0)];
            while let Some((node, parent)) = stack.pop() {
                if walk.number[node as usize] != NONE {
                    continue;
                }
                let number = walk.nodes.len() as u32;
                walk.number[node as usize] = number;
                walk.nodes.push(node);
                walk.parent.push(parent);
                stack.extend(successors.of(node).iter().map(|&to| (to, number)));
            }
        }
        walk
    }
}

/// The part of the walk's tree that has been dealt with, with paths to its roots made short.
struct Forest {
    /// The node above; `NONE` for roots.
    above: Vec<u32>,
    /// The node with the least semidominator on the path up to below the root.
    least: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn new(count: usize) -> Forest {
        let all: Vec<u32> = (0..count as u32).collect();
        Forest { above: vec![NONE; count], least: all.clone(), semi: all, path: Vec::new() }
    }

    /// The node with the least semidominator among a node and those above it, but for the root.
    fn least(&mut self, node: u32) -> u32 {
        let mut at = node;
        // A root and its direct children have no path to shorten.
        while self.above[at as usize] != NONE
            && self.above[self.above[at as usize] as usize] != NONE
        {
            self.path.push(at);
            at = self.above[at as usize];
        }
        while let Some(at) = self.path.pop() {
            let above = self.above[at as usize] as usize;
            let (mine, theirs) = (self.least[at as usize], self.least[above]);
            if self.semi[theirs as usize] < self.semi[mine as usize] {
                self.least[at as usize] = theirs;
            }
            self.above[at as usize] = self.above[above];
        }
        self.least[node as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dominators by their definition: the nodes that cannot be reached without a node are
    /// below it.
    fn by_definition(count: usize, edges: &[(u32, u32)]) -> Vec<Option<u32>> {
        let reached = |without: Option<u32>| {
            let mut seen = vec![false; count];
            let mut pending = vec![0];
            while let Some(at) = pending.pop() {
                if Some(at) != without && !std::mem::replace(&mut seen[at as usize], true) {
                    pending.extend(edges.iter().filter(|edge| edge.0 == at).map(|edge| edge.1));
                }
            }
            seen
        };
        let all = reached(None);
        let without: Vec<Vec<bool>> = (0..count as u32).map(|node| reached(Some(node))).collect();
        let dominates = |above: usize, below: usize| above != below && !without[above][below];
        let immediate = |node: usize| {
            let above = (0..count).filter(|&at| all[at] && all[node] && dominates(at, node));
            // The lowest is below the most others.
            let depth = |node: usize| (0..count).filter(|&at| dominates(at, node)).count();
            above.max_by_key(|&at| depth(at)).map(|at| at as u32)
        };
        (0..count).map(immediate).collect()
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut state = 1u64;
        let mut draw = move |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..500 {
            let count = 1 + draw(12);
            let edges: Vec<_> =
                (0..draw(3 * count)).map(|_| (draw(count) as u32, draw(count) as u32)).collect();
            let found = immediate_dominators(count, &edges, 0);
            assert_eq!(found, by_definition(count, &edges), "{edges:?}");
        }
    }
}
