//! The places where threads that diverged at a branch meet again, on every machine.
//!
//! Each successor of the branch is followed with a label of its own. A block that two labels reach
//! is a *join*: two disjoint paths lead to it, and its phis choose by the branch. It gets a label of
//! its own for the blocks after it (as in Rosemann, Moll and Hack, "An Abstract Interpretation for
//! SPMD Divergence on Reducible Control Flow Graphs", 2021, and LLVM's uniformity analysis). A loop
//! around the branch is followed to its header once. Threads at the header stay in the loop
//! and may leave it at any exit in a later iteration, so the header's label goes to all exits. At
//! an exit that also has another label, threads meet that left in different iterations: values of
//! the loop differ there although they were uniform inside (*temporal divergence*).
//!
//! An irreducible cycle has no header to count rounds at. If a branch inside it, or two paths into
//! different entries, part the threads, everything in it differs.

use super::cycles::{CycleId, Cycles};
use super::frontier::Frontiers;
use crate::ir::{Block, Function};
use std::collections::BTreeSet;

/// The effects of a branch on the blocks after it if its threads diverge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Joins {
    /// Blocks that two disjoint paths from the branch meet in, sorted.
    pub blocks: Vec<Block>,
    /// Cycles whose rounds threads leave at different times, each with a block outside where those
    /// threads meet; sorted.
    pub crossed: Vec<(CycleId, Block)>,
    /// Irreducible cycles in which threads can be in different rounds; sorted.
    pub broken: Vec<CycleId>,
}

/// The labels of blocks; keeping them from walk to walk saves clearing them.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// By block: the walk that gave the label, and the label.
    label: Vec<(u32, Block)>,
    walk: u32,
}

/// The joins of the branch at the end of a block. The cost is at most the size of the code between
/// the branch and the place where all its paths have met; frontiers save most of it.
pub fn joins(
    function: &Function,
    cycles: &Cycles,
    frontiers: &Frontiers,
    labels: &mut Labels,
    branch: Block,
) -> Joins {
    labels.label.resize(function.blocks.len(), (0, Block::ENTRY));
    labels.walk += 1;
    let (walk, label) = (labels.walk, &mut labels.label);
    Follower { function, cycles, frontiers, walk, label }.joins(branch)
}

struct Follower<'a> {
    function: &'a Function,
    cycles: &'a Cycles,
    frontiers: &'a Frontiers,
    label: &'a mut [(u32, Block)],
    walk: u32,
}

/// One branch being followed.
struct Walk {
    branch: Block,
    /// The blocks still to follow, in their order.
    pending: BTreeSet<(u32, Block)>,
    /// Loops around the branch whose headers were reached.
    reached: Vec<CycleId>,
    found: Joins,
}

impl Follower<'_> {
    fn joins(&mut self, branch: Block) -> Joins {
        let mut walk =
            Walk { branch, pending: BTreeSet::new(), reached: Vec::new(), found: Joins::default() };
        let cycles = self.cycles;
        let irreducible = cycles.around(branch).filter(|&id| !cycles.get(id).is_natural()).last();
        match irreducible {
            Some(id) => {
                walk.branch = cycles.get(id).header;
                self.break_cycle(id, &mut walk);
            }
            None => {
                for to in self.function.successors(branch) {
                    self.visit(to, to, &mut walk);
                }
            }
        }
        self.follow(irreducible, &mut walk);
        self.finish(irreducible, walk)
    }

    fn follow(&mut self, inside: Option<CycleId>, walk: &mut Walk) {
        let cycles = self.cycles;
        while let Some(&(key, block)) = walk.pending.first() {
            let unit = self.unit(block, walk);
            let broken = unit.is_some_and(|id| walk.found.broken.contains(&id));
            // All paths have met once one place is left.
            if walk.pending.len() == 1 && !broken {
                return;
            }
            walk.pending.remove(&(key, block));
            let label = self.label[block.index()].1;
            let own = |id: CycleId| cycles.contains(id, walk.branch) && Some(id) != inside;
            let headed = cycles.innermost(block).filter(|&id| cycles.get(id).header == block);
            if let Some(id) = headed.filter(|&id| own(id)) {
                walk.reached.push(id);
                self.leave(id, label, walk);
            } else if let Some(id) = unit {
                if broken {
                    self.break_cycle(id, walk);
                } else {
                    self.leave(id, label, walk);
                }
            } else if let Some(frontier) = self.frontiers.of(block) {
                // The blocks between are reached only from here: no other label reaches them.
                frontier.iter().for_each(|&to| self.visit(to, label, walk));
            } else {
                for to in self.function.successors(block) {
                    self.visit(to, label, walk);
                }
            }
        }
    }

    /// The outermost cycle around a block that the branch is not in. Threads that enter it
    /// together leave it together, as far as this branch is concerned.
    fn unit(&self, block: Block, walk: &Walk) -> Option<CycleId> {
        let cycles = self.cycles;
        cycles.around(block).take_while(|&id| !cycles.contains(id, walk.branch)).last()
    }

    fn leave(&mut self, id: CycleId, label: Block, walk: &mut Walk) {
        let cycles = self.cycles;
        for &exit in &cycles.get(id).exits {
            self.visit(exit, label, walk);
        }
    }

    /// Threads are in different rounds of an irreducible cycle: every block of it and every exit
    /// is where they meet.
    fn break_cycle(&mut self, id: CycleId, walk: &mut Walk) {
        let cycles = self.cycles;
        walk.found.broken.push(id);
        walk.found.blocks.extend(cycles.blocks(id));
        let inner = (id.0..).map(CycleId).take_while(|inner| {
            let all = &cycles.all;
            all.get(inner.0 as usize).is_some_and(|cycle| cycles.contains(id, cycle.header))
        });
        let inner: Vec<CycleId> = inner.collect();
        for &exit in &cycles.get(id).exits {
            self.visit(exit, exit, walk);
            walk.found.blocks.push(exit);
            walk.found.crossed.extend(inner.iter().map(|&inner| (inner, exit)));
        }
    }

    /// Control reaches a block with a label.
    fn visit(&mut self, to: Block, label: Block, walk: &mut Walk) {
        let cycles = self.cycles;
        let unit = self.unit(to, walk);
        // A cycle is one place, its header.
        let place = unit.map_or(to, |id| cycles.get(id).header);
        let known = &mut self.label[place.index()];
        if known.0 != self.walk {
            *known = (self.walk, label);
        } else if known.1 == label {
            return;
        } else {
            known.1 = place;
            match unit.filter(|&id| !cycles.get(id).is_natural()) {
                Some(id) => walk.found.broken.push(id),
                None => walk.found.blocks.push(place),
            }
        }
        let own = cycles
            .innermost(place)
            .filter(|&id| cycles.get(id).header == place && cycles.contains(id, walk.branch));
        // A header that control returns to is left after all blocks of its loop.
        let position = cycles.position(place).unwrap_or(u32::MAX / 4);
        let key = own.map_or(2 * position, |id| 2 * cycles.end(id) - 1);
        walk.pending.insert((key, place));
    }

    fn finish(&self, inside: Option<CycleId>, walk: Walk) -> Joins {
        let Walk { reached, mut found, .. } = walk;
        found.blocks.sort();
        found.blocks.dedup();
        for id in reached {
            let outside = found.blocks.iter().filter(|&&block| !self.cycles.contains(id, block));
            found.crossed.extend(outside.map(|&block| (id, block)));
        }
        found.broken.extend(inside);
        found.broken.sort();
        found.broken.dedup();
        found.crossed.sort();
        found.crossed.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::DominatorTree;
    use crate::analysis::random::{Random, graph};
    use crate::ir::parse::parse;

    #[test]
    fn frontiers_change_nothing() {
        let mut random = Random(3);
        let mut known = 0;
        for round in 0..4000 {
            let function = graph(&mut random, round % 8 == 0);
            let cycles = Cycles::new(&function);
            let dominators = DominatorTree::dominators(&function);
            let frontiers = Frontiers::new(&function, &cycles, &dominators);
            let none = Frontiers::default();
            let labels = &mut Labels::default();
            for &branch in cycles.order() {
                if function.successors(branch).count() == 2 {
                    let fast = super::joins(&function, &cycles, &frontiers, labels, branch);
                    let slow = super::joins(&function, &cycles, &none, labels, branch);
                    assert_eq!(fast, slow, "{branch:?} of {function}");
                    known += usize::from(frontiers.of(branch).is_some());
                }
            }
        }
        assert!(known > 4000, "hardly any frontier is known: {known}");
    }

    fn joins(branch: u32, blocks: &str) -> (Vec<u32>, Vec<(u32, u32)>) {
        let text = format!("kernel k {{\nb0:\n %0 = const.pred true\n {blocks}\n}}");
        let function = parse(&text).unwrap().functions.remove(0);
        let cycles = Cycles::new(&function);
        let dominators = DominatorTree::dominators(&function);
        let frontiers = Frontiers::new(&function, &cycles, &dominators);
        let labels = &mut Labels::default();
        let found = super::joins(&function, &cycles, &frontiers, labels, Block(branch));
        let header = |id| cycles.get(id).header.0;
        let crossed = found.crossed.iter().map(|&(id, block)| (header(id), block.0)).collect();
        (found.blocks.iter().map(|block| block.0).collect(), crossed)
    }

    #[test]
    fn arms_meet_once() {
        let nest = "branch %0, b1, b4\nb1:\n branch %0, b2, b3\nb2:\n jump b3\nb3:\n jump b4\nb4:\n return";
        assert_eq!(joins(0, nest), (vec![4], vec![]));
        assert_eq!(joins(1, nest), (vec![3], vec![]));
    }

    #[test]
    fn an_early_return_joins_nothing() {
        assert_eq!(joins(0, "branch %0, b1, b2\nb1:\n return\nb2:\n return"), (vec![], vec![]));
    }

    #[test]
    fn a_loop_is_left_in_different_rounds() {
        let text = "jump b1\nb1:\n branch %0, b2, b3\nb2:\n jump b1\nb3:\n return";
        assert_eq!(joins(1, text), (vec![3], vec![(1, 3)]));
    }

    #[test]
    fn a_break_meets_the_regular_exit_behind_it() {
        let text = "jump b1\nb1:\n branch %0, b2, b4\nb2:\n branch %0, b3, b5\nb3:\n jump b1\n\
                    b4:\n jump b6\nb5:\n jump b6\nb6:\n return";
        // Threads reach b5 in different rounds, and those that stayed reach b4 together.
        assert_eq!(joins(2, text), (vec![5, 6], vec![(1, 5), (1, 6)]));
    }

    #[test]
    fn a_continue_meets_at_the_latch() {
        let text = "jump b1\nb1:\n branch %0, b2, b5\nb2:\n branch %0, b3, b4\nb3:\n jump b4\n\
                    b4:\n jump b1\nb5:\n return";
        assert_eq!(joins(2, text), (vec![4], vec![]));
    }

    #[test]
    fn two_entries_break_a_cycle() {
        let text = "branch %0, b1, b2\nb1:\n jump b2\nb2:\n branch %0, b1, b3\nb3:\n return";
        // Either entry may count as the header.
        assert_eq!(joins(0, text), (vec![1, 2, 3], vec![(2, 3)]));
        assert_eq!(joins(2, text), (vec![1, 2, 3], vec![(2, 3)]));
    }
}
