//! Strongly connected components of a graph of numbered nodes (Tarjan, "Depth-first search and linear graph
//! algorithms", 1972), without recursion.

/// A search for components; a search of another part of the same graph reuses its memory.
pub struct Components {
    visits: Vec<Visit>,
    round: u32,
}

#[derive(Clone, Copy, Default)]
struct Visit {
    /// The search in which the number was given.
    round: u32,
    number: u32,
    low: u32,
    on_stack: bool,
}

/// One search.
struct Search<'a, S> {
    visits: &'a mut [Visit],
    round: u32,
    successors: S,
    found: Vec<Vec<u32>>,
    stack: Vec<u32>,
    next: u32,
}

impl Components {
    /// For a graph with this number of nodes.
    pub fn new(nodes: usize) -> Components {
        Components { visits: vec![Visit::default(); nodes], round: 0 }
    }

    /// The components that `roots` lead to, each after those that it leads to.
    pub fn find(
        &mut self,
        roots: impl IntoIterator<Item = u32>,
        successors: impl Fn(u32) -> Vec<u32>,
    ) -> Vec<Vec<u32>> {
        self.round += 1;
        let mut search = Search {
            visits: &mut self.visits,
            round: self.round,
            successors,
            found: Vec::new(),
            stack: Vec::new(),
            next: 0,
        };
        for root in roots {
            if search.visits[root as usize].round != search.round {
                search.visit(root);
            }
        }
        search.found
    }
}

impl<S: Fn(u32) -> Vec<u32>> Search<'_, S> {
    fn visit(&mut self, root: u32) {
        let mut path = vec![(root, self.enter(root))];
        while let Some((node, pending)) = path.last_mut() {
            let node = *node;
            let Some(next) = pending.pop() else {
                path.pop();
                self.finish(node);
                if let Some(&(above, _)) = path.last() {
                    let low = self.visits[node as usize].low;
                    let visit = &mut self.visits[above as usize];
                    visit.low = visit.low.min(low);
                }
                continue;
            };
            let seen = self.visits[next as usize];
            if seen.round != self.round {
                let pending = self.enter(next);
                path.push((next, pending));
            } else if seen.on_stack {
                let visit = &mut self.visits[node as usize];
                visit.low = visit.low.min(seen.number);
            }
        }
    }

    fn enter(&mut self, node: u32) -> Vec<u32> {
        let number = self.next;
        self.next += 1;
        let round = self.round;
        self.visits[node as usize] = Visit { round, number, low: number, on_stack: true };
        self.stack.push(node);
        (self.successors)(node)
    }

    fn finish(&mut self, node: u32) {
        let visit = self.visits[node as usize];
        if visit.low != visit.number {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.visits[member as usize].on_stack = false;
            component.push(member);
            if member == node {
                break;
            }
        }
        component.reverse();
        self.found.push(component);
    }
}
