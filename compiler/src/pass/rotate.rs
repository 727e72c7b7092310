//! Loop rotation: a loop that tests at its start gets its test at its end and another in front
//! (Muchnick, "Advanced Compiler Design and Implementation", 1997, 18.5, loop inversion). An
//! iteration takes one jump less. Code of every iteration is then executed whenever the loop is
//! entered, so that it can be moved in front of it.
//!
//! Only the test is written twice, and both copies lead to the same two places: threads that
//! leave the loop, or never enter it, join after it as before.

use super::edit::{self, Entered, Variable};
use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most instructions a test may have, leaves not counted.
const MOST: usize = 16;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let (dominators, loops) = edit::enter_loops(function);
    let mut users = vec![Vec::new(); function.values.len()];
    for (block, value) in function.placed() {
        function.kind(value).each_operand(|operand| users[operand.index()].push((block, value)));
    }
    let predecessors = function.predecessors();
    let tests = FxHashSet::default();
    let mut rotation = Rotation { function, dominators, predecessors, users, tests };
    let mut changed = false;
    for found in &loops {
        changed |= rotation.rotate(found);
    }
    changed
}

struct Rotation<'a> {
    function: &'a mut Function,
    /// The dominators of the loops as they were. Rotating one changes only the part right below its
    /// header.
    dominators: DominatorTree,
    predecessors: Vec<Vec<Block>>,
    /// By value: where it is read.
    users: Vec<Vec<(Block, Value)>>,
    /// The blocks that have got a copy of a test: they no longer lead to the header of that loop, which is below them in the
    /// dominator tree.
    tests: FxHashSet<Block>,
}

impl Rotation<'_> {
    fn rotate(&mut self, found: &Entered) -> bool {
        let (header, before) = (found.header, found.preheader);
        if self.tests.contains(&header) || !self.is_test(found) {
            return false;
        }
        let copies = self.copy_test(header, before);
        self.tests.insert(before);
        let targets: Vec<Block> = self.function.successors(header).collect();
        for target in targets {
            self.predecessors[target.index()].push(before);
            self.predecessors[target.index()].sort();
            self.extend_phis(target, header, before, &copies);
        }
        self.predecessors[header.index()].retain(|&at| at != before);
        let values: Vec<Value> = self.function.instructions(header).to_vec();
        for &value in &values {
            if let Kind::Phi(incoming) = &mut self.function.values[value.index()].kind {
                incoming.retain(|&(from, _)| from != before);
            }
        }
        for value in values {
            if let Some(&copy) = copies.get(&value) {
                self.merge(header, value, before, copy);
            }
        }
        true
    }

    /// Returns true if the header decides about another iteration, does nothing that must not be
    /// repeated elsewhere, and no other block decides right before it.
    fn is_test(&self, found: &Entered) -> bool {
        let leaves = |block: Block| {
            let mut targets = self.function.successors(block);
            targets.any(|target| !found.contains(target))
        };
        let mut latches = self.predecessors[found.header.index()].iter();
        let decided = latches.any(|&at| at != found.preheader && leaves(at));
        let stays = |block: Block| self.function.successors(block).any(|at| found.contains(at));
        let values = self.function.instructions(found.header).iter();
        let mut kinds = values.map(|&value| self.function.kind(value));
        let work = kinds
            .clone()
            .filter(|kind| matches!(kind.unguarded(), Kind::Compute(..) | Kind::Load(..)));
        leaves(found.header)
            && stays(found.header)
            && !decided
            && work.count() <= MOST
            && kinds.all(|kind| kind.is_removable() || matches!(kind, Kind::Branch(..)))
    }

    /// Copies the test into the preheader. Returns the replacement of each value there.
    fn copy_test(&mut self, header: Block, before: Block) -> FxHashMap<Value, Value> {
        let function = &mut *self.function;
        let mut copies = FxHashMap::default();
        if let Some(jump) = function.blocks[before.index()].instructions.pop() {
            function.values[jump.index()].kind = Kind::Removed;
        }
        for value in function.instructions(header).to_vec() {
            let instruction = function.instruction(value).clone();
            let copy = match instruction.kind.clone() {
                Kind::Phi(incoming) => {
                    let entering = incoming.iter().find(|(from, _)| *from == before);
                    entering.map_or(value, |&(_, operand)| operand)
                }
                mut kind => {
                    kind.map_operands(|operand| *copies.get(&operand).unwrap_or(&operand));
                    let copy = function.add_copy(kind.clone(), &instruction);
                    function.blocks[before.index()].instructions.push(copy);
                    self.users.resize(function.values.len(), Vec::new());
                    kind.each_operand(|at| self.users[at.index()].push((before, copy)));
                    copy
                }
            };
            copies.insert(value, copy);
        }
        copies
    }

    /// Gives the phis of `target` an operand for the new edge from `before`.
    fn extend_phis(
        &mut self,
        target: Block,
        header: Block,
        before: Block,
        copies: &FxHashMap<Value, Value>,
    ) {
        for phi in self.function.phis(target).collect::<Vec<_>>() {
            let Kind::Phi(incoming) = &mut self.function.values[phi.index()].kind else {
                continue;
            };
            let along = incoming.iter().find(|(from, _)| *from == header).copied();
            if let Some((_, value)) = along {
                let value = *copies.get(&value).unwrap_or(&value);
                incoming.push((before, value));
                incoming.sort();
                self.users[value.index()].push((target, phi));
            }
        }
    }

    /// Redirects readers of `value`, of the header, outside of it to a merge of it and the copy in
    /// the preheader.
    fn merge(&mut self, header: Block, value: Value, before: Block, copy: Value) {
        let instruction = self.function.instruction(value);
        let (ty, location) = (instruction.ty, instruction.location);
        if ty.is_none() {
            return;
        }
        let mut at_end = FxHashMap::default();
        at_end.insert(header, if Planted::ValueBeforeLoop.is_on() { copy } else { value });
        at_end.insert(before, copy);
        let mut variable = Variable {
            predecessors: &self.predecessors,
            dominators: &self.dominators,
            header,
            ty,
            location,
            at_end,
            phis: Vec::new(),
        };
        for (block, user) in std::mem::take(&mut self.users[value.index()]) {
            let is_phi = matches!(self.function.kind(user), Kind::Phi(_));
            if block == header && !is_phi {
                self.users[value.index()].push((block, user));
                continue;
            }
            let mut kind =
                std::mem::replace(&mut self.function.values[user.index()].kind, Kind::Removed);
            let mut read = Vec::new();
            let mut look_up = |from: Block| {
                let now = variable.read(self.function, from);
                read.push(now);
                now
            };
            match &mut kind {
                Kind::Phi(incoming) => {
                    for (from, operand) in incoming.iter_mut().filter(|at| at.1 == value) {
                        *operand = look_up(*from);
                    }
                }
                kind => kind.map_operands(|at| if at == value { look_up(block) } else { at }),
            }
            self.function.values[user.index()].kind = kind;
            self.users.resize(self.function.values.len(), Vec::new());
            read.into_iter().for_each(|at| self.users[at.index()].push((block, user)));
        }
        for (block, phi) in variable.phis {
            let kind = self.function.kind(phi);
            kind.each_operand(|at| self.users[at.index()].push((block, phi)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    const LOOP: &str = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = special tid.x\n  jump b1\n\
        b1:\n  %3 = phi.b32 b0 %0, b2 %6\n  %4 = add.i32 %3, %1\n  %5 = setp.lt.s32 %4, %2\n  \
        branch %5, b2, b3\nb2:\n  %6 = add.i32 %4, %3\n  jump b1\nb3:\n  \
        st.global.b32 %3, %4\n  return";

    #[test]
    fn values_of_the_test_join_after_it() {
        assert_eq!(
            after("rotate", LOOP),
            "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = special tid.x\n  \
             %12 = add.i32 %0, %1\n  %13 = setp.lt.s32 %12, %2\n  branch %13, b2, b3\n\
             b1:\n  %3 = phi.b32 b2 %6\n  %4 = add.i32 %3, %1\n  \
             %5 = setp.lt.s32 %4, %2\n  branch %5, b2, b3\n\
             b2:\n  %17 = phi.b32 b0 %12, b1 %4\n  %15 = phi.b32 b0 %0, b1 %3\n  \
             %6 = add.i32 %17, %15\n  jump b1\n\
             b3:\n  %18 = phi.b32 b0 %12, b1 %4\n  %16 = phi.b32 b0 %0, b1 %3\n  \
             st.global.b32 %16, %18\n  return\n"
        );
    }

    #[test]
    fn a_loop_that_tests_at_its_end_stays() {
        let text = "  %0 = const.pred true\n  jump b1\nb1:\n  branch %0, b2, b3\nb2:\n  \
                    branch %0, b1, b3\nb3:\n  return";
        assert_eq!(after("rotate", text), format!("{text}\n"));
    }

    /// The header of the outer loop only leads to the test of the inner one, and gets a copy of it.
    /// It does not become a test itself: the blocks below it are no longer reached through the
    /// inner header.
    #[test]
    fn a_header_with_a_copy_of_a_test_stays() {
        let text = "  %0 = const.b32 0\n  %1 = const.b32 1\n  %2 = special tid.x\n  jump b1\n\
            b1:\n  %3 = phi.b32 b0 %0, b4 %8\n  jump b2\n\
            b2:\n  %4 = phi.b32 b1 %3, b6 %6\n  %5 = setp.lt.s32 %4, %2\n  branch %5, b3, b5\n\
            b3:\n  %6 = add.i32 %4, %1\n  %7 = setp.lt.s32 %6, %1\n  branch %7, b6, b4\n\
            b4:\n  %8 = add.i32 %6, %3\n  jump b1\n\
            b5:\n  return\nb6:\n  jump b2";
        let rotated = after("rotate", text);
        assert!(rotated.contains("b1:\n  %3 = phi.b32 b0 %0, b4 %8\n"), "{rotated}");
        assert!(rotated.contains("  %8 = add.i32 %6, %3\n"), "{rotated}");
    }
}
