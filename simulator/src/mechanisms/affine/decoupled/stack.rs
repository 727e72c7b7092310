//! The affine SIMT stack (Wang and Lin, §4.4): entries of {program counter, reconvergence point,
//! threads}, the threads at two levels ([`Mask`]), as `simt-stack` has them for a warp.
//!
//! The paper's text ends in the middle of this. The order of paths and the treatment of loops are
//! those of `simt-stack` with `taken-first`, so that both streams follow the same path.

use super::mask::Mask;
use crate::block::path::NEVER;

/// Threads that continue from a program counter to a reconvergence point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) pc: u32,
    pub(crate) reconvergence_pc: u32,
    pub(crate) mask: Mask,
}

/// The stack; its last entry is the one that runs, and it is empty when all threads have ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    entries: Vec<Entry>,
    deepest: usize,
}

impl Stack {
    /// All of some threads at a program counter.
    pub(crate) fn new(pc: u32, mask: Mask) -> Stack {
        Stack { entries: vec![Entry { pc, reconvergence_pc: NEVER, mask }], deepest: 1 }
    }

    /// The entry that runs.
    pub(crate) fn top(&self) -> Option<&Entry> {
        self.entries.last()
    }

    /// The state that decides where threads continue.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The most entries that there have been.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// Goes on at a program counter.
    pub(crate) fn go(&mut self, pc: u32) {
        if let Some(top) = self.entries.last_mut() {
            top.pc = pc;
        }
        self.settle();
    }

    /// A branch of the threads that run: `taken` of them go to the target, the others on.
    pub(crate) fn branch(&mut self, taken: Mask, target: u32, reconverge: Option<u32>) {
        let Some(Entry { pc, reconvergence_pc, mask }) = self.entries.pop() else {
            return;
        };
        let rest = mask.without(&taken);
        let reconverge = reconverge.unwrap_or(NEVER);
        if taken.is_empty() || rest.is_empty() {
            let pc = if rest.is_empty() { target } else { pc + 1 };
            self.entries.push(Entry { pc, reconvergence_pc, mask });
        } else {
            if reconverge != NEVER && reconverge != reconvergence_pc {
                self.entries.push(Entry { pc: reconverge, reconvergence_pc, mask });
            }
            // A side whose PC is the reconvergence point is not kept, so that loops do not grow the
            // stack.
            let sides =
                [(pc + 1, rest), (target, taken)].into_iter().filter(|(pc, _)| *pc != reconverge);
            self.entries.extend(sides.map(|(pc, mask)| Entry {
                pc,
                reconvergence_pc: reconverge,
                mask,
            }));
            self.deepest = self.deepest.max(self.entries.len());
        }
        self.settle();
    }

    /// The threads that run have ended.
    pub(crate) fn exit(&mut self) {
        if let Some(Entry { mask, .. }) = self.entries.pop() {
            for entry in &mut self.entries {
                entry.mask = entry.mask.without(&mask);
            }
        }
        self.settle();
    }

    /// Goes on with the next entry that has threads and something to do before its reconvergence point.
    fn settle(&mut self) {
        while self
            .entries
            .last()
            .is_some_and(|top| top.pc == top.reconvergence_pc || top.mask.is_empty())
        {
            self.entries.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mechanisms::divergence::slot::BlockShape;

    #[test]
    fn sides_run_one_after_the_other_and_meet() {
        let shape = BlockShape { threads: 8, width: 4 };
        let all = Mask::all(shape, 1);
        let mut some = Mask::none(shape, 1);
        some.set(1, 0b0011);
        let at = |stack: &Stack| stack.top().map(|top| (top.pc, top.mask.clone()));
        let mut stack = Stack::new(10, all.clone());
        stack.branch(some.clone(), 20, Some(30));
        assert_eq!(at(&stack), Some((20, some.clone())));
        // All take one path.
        stack.branch(some.clone(), 25, Some(29));
        assert_eq!(at(&stack), Some((25, some.clone())));
        stack.go(30);
        assert_eq!(at(&stack), Some((11, all.without(&some))));
        stack.go(30);
        assert_eq!(at(&stack), Some((30, all.clone())));
        assert_eq!(stack.deepest(), 3);
        // A side that ends is not there where the others meet.
        stack.branch(some.clone(), 40, Some(50));
        stack.exit();
        assert_eq!(at(&stack), Some((31, all.without(&some))));
        stack.go(50);
        assert_eq!(at(&stack), Some((50, all.without(&some))));
        stack.exit();
        assert!(stack.top().is_none());
    }

    #[test]
    fn a_loop_with_divergent_exits_does_not_grow() {
        let shape = BlockShape { threads: 4, width: 4 };
        let mut stack = Stack::new(1, Mask::all(shape, 1));
        for thread in 0..3 {
            let mut leaves = Mask::none(shape, 1);
            leaves.set(0, 1 << thread);
            let top = stack.top().map(|top| top.mask.clone()).unwrap_or(leaves.clone());
            // The staying threads are the taken ones.
            stack.branch(top.without(&leaves), 0, Some(2));
            assert_eq!(stack.top().map(|top| top.pc), Some(0));
            stack.go(1);
        }
        assert_eq!(stack.deepest(), 2);
    }
}
