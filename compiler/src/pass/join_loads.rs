//! Loads of values that each path to them has just loaded or stored: a phi of these values replaces
//! a load (the fully redundant part of load elimination in Lo, Chow, Kennedy, Liu and Tu, "Register
//! Promotion by Sparse Partial Redundancy Elimination of Loads and Stores", PLDI 1998). Memory that
//! arms of a branch change, or that an iteration stores for the next one, is then read from
//! registers. No load is added on any path.
//!
//! A load whose [version](super::memory_ssa) is a block where paths meet is looked up at the end of each block before
//! it, where the version is an instruction's or, again, a meeting's. The address has to be computed before the paths part:
//! it is the same at all places then.

use super::forward::Forward;
use super::memory_ssa::{self, Load, MemorySsa, Versions};
use crate::analysis::DominatorTree;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// The most blocks before joins that are examined, for all loads.
const MOST_LOOKS: usize = 1 << 16;
/// So many meetings may follow one another.
const DEEPEST: usize = 16;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let dominators = DominatorTree::dominators(function);
    let memory = MemorySsa::new(function, &dominators);
    let in_parts = function.loaded_in_parts();
    let mut home = vec![Block::ENTRY; function.values.len()];
    let mut known: FxHashMap<(Load, Versions), Vec<(Block, Value)>> = FxHashMap::default();
    let mut loads = Vec::new();
    let mut forward = Forward::new(function);
    for block in function.reverse_postorder() {
        let mut versions = memory.start(block);
        for &value in function.instructions(block) {
            home[value.index()] = block;
            memory_ssa::pass(function.kind(value), value, &mut versions);
            let found = memory.known(function, &mut forward, &versions, value);
            let Some((load, versions, found)) = found.filter(|_| !in_parts[value.index()]) else {
                continue;
            };
            known.entry((load, versions)).or_default().push((block, found));
            if found == value {
                loads.push((value, load, versions));
            }
        }
    }
    let predecessors = function.predecessors();
    let mut joiner = Joiner {
        function,
        dominators,
        memory,
        predecessors,
        home,
        known,
        forward,
        looks: 0,
        open: Vec::new(),
        met: FxHashMap::default(),
    };
    for (value, load, versions) in loads {
        if let Some(meeting) = joiner.meeting(versions)
            && let Some(same) = joiner.value_at(value, meeting, load)
        {
            joiner.forward.replace(value, same);
        }
    }
    let Joiner { function, mut forward, .. } = joiner;
    forward.apply(function)
}

struct Joiner<'a> {
    function: &'a mut Function,
    dominators: DominatorTree,
    memory: MemorySsa,
    predecessors: Vec<Vec<Block>>,
    /// By value: where it is computed.
    home: Vec<Block>,
    /// The results of loads of some versions from an instruction of a block on.
    known: FxHashMap<(Load, Versions), Vec<(Block, Value)>>,
    forward: Forward,
    looks: usize,
    /// The meetings that are being looked up.
    open: Vec<Block>,
    /// The results of loads at the start of blocks where paths meet.
    met: FxHashMap<(Block, Load), Value>,
}

impl Joiner<'_> {
    /// The block where paths meet whose writes a load reads.
    fn meeting(&self, versions: Versions) -> Option<Block> {
        // A load from an unknown window reads the values of several versions.
        let mut read = versions.into_iter().filter(|&version| version != 0);
        let only = read.next()?;
        if read.next().is_some() { None } else { self.memory.meeting(only) }
    }

    /// The result of a load with this version: a phi at the start of the block where paths meet, of
    /// the known values at the end of each.
    fn value_at(&mut self, like: Value, meeting: Block, load: Load) -> Option<Value> {
        if let Some(&value) = self.met.get(&(meeting, load)) {
            return Some(value);
        }
        let home = self.home[load.address.index()];
        let is_older = home != meeting && self.dominators.dominates(home, meeting);
        // A meeting that is being looked up is the header of a loop on whose paths nothing may be written.
        if !is_older || self.open.len() >= DEEPEST || self.open.contains(&meeting) {
            return None;
        }
        self.open.push(meeting);
        let from = self.predecessors[meeting.index()].clone();
        let values = from.iter().map(|&from| Some((from, self.value_after(like, from, load)?)));
        let values: Option<Vec<(Block, Value)>> = values.collect();
        self.open.pop();
        let mut values = values?;
        values.sort();
        if Planted::OnePathForAll.is_on() {
            let (_, first) = values[0];
            values.iter_mut().for_each(|(_, value)| *value = first);
        }
        let phi = self.add_phi(like, meeting, values);
        self.met.insert((meeting, load), phi);
        Some(phi)
    }

    /// The result of a load at the end of a block.
    fn value_after(&mut self, like: Value, block: Block, load: Load) -> Option<Value> {
        self.looks += 1;
        if self.looks > MOST_LOOKS {
            return None;
        }
        let end = self.memory.end(block);
        let versions = self.memory.seen(self.function, &mut self.forward, load, &end);
        let places = self.known.get(&(load, versions)).map_or(&[][..], |places| places);
        let found = places.iter().find(|&&(at, _)| self.dominators.dominates(at, block));
        match found {
            Some(&(_, value)) => Some(self.forward.get(value)),
            None => {
                let meeting = self.meeting(versions)?;
                self.value_at(like, meeting, load)
            }
        }
    }

    /// Puts a phi at the start of a block, with the type and the names of a load.
    fn add_phi(&mut self, like: Value, block: Block, values: Vec<(Block, Value)>) -> Value {
        let like = self.function.instruction(like).clone();
        let phi = self.function.add(Kind::Phi(values), like.ty, like.location);
        self.function.values[phi.index()].variable = like.variable;
        self.function.blocks[block.index()].instructions.insert(0, phi);
        phi
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    /// A branch, the arms of which contain something, and a load below.
    fn diamond(above: &str, arms: [&str; 2], below: &str) -> String {
        let [then, otherwise] = arms;
        let text = format!(
            "  %0 = special tid.x\n  %1 = const.pred true\n{above}  branch %1, b1, b2\nb1:\n{then}  \
             jump b3\nb2:\n{otherwise}  jump b3\nb3:\n{below}  %9 = ld.global.b32 %0\n  \
             st.shared.b32 %0, %9\n  return"
        );
        after("join-loads", &text)
    }

    #[test]
    fn a_load_joins_what_arms_have_stored_and_loaded() {
        let text = diamond(
            "  %2 = ld.shared.b32 %0\n",
            [
                "  st.global.b32 %0, %2\n",
                "  %3 = ld.global.b32 %0\n  st.global.b32 %3, %3\n  %4 = ld.global.b32 %0\n",
            ],
            "",
        );
        assert!(text.contains("phi.b32 b1 %2, b2 %4") && !text.contains("%9 = ld"), "{text}");
    }

    #[test]
    fn what_an_arm_does_not_know_is_loaded() {
        let stored = "  st.global.b32 %0, %0\n";
        for (arm, below) in [
            // Anything may have been stored there, or by another thread.
            ("  st.global.b32 %1, %0\n", ""),
            ("  bar.sync\n", ""),
            // A part of it is stored.
            ("  st.global.u8 %0, %0\n", ""),
            ("  st.global.b32 %0, %0\n", "  bar.sync\n"),
        ] {
            let arm = arm.replace("%1, %0", "%2, %0");
            let text = diamond("  %2 = ld.shared.b32 %0\n", [stored, &arm], below);
            assert!(text.contains("%9 = ld.global"), "{text}");
        }
    }

    #[test]
    fn an_iteration_gives_the_next_one_what_it_stores() {
        let text = |pointer: &str| {
            let text = format!(
                "  %0 = special tid.x\n  %1 = const.pred true\n  %2 = const.b32 4\n  \
                 st.global.b32 %0, %2\n  jump b1\nb1:\n  %3 = phi.b32 b0 %0, b1 %6\n  \
                 %4 = ld.global.b32 {pointer}\n  %5 = add.i32 %4, %2\n  \
                 st.global.b32 {pointer}, %5\n  %6 = add.i32 %3, %2\n  branch %1, b1, b2\nb2:\n  \
                 return"
            );
            after("join-loads", &text)
        };
        assert!(text("%0").contains("phi.b32 b0 %2, b1 %5"), "{}", text("%0"));
        // Another address in each iteration.
        assert!(text("%3").contains("%4 = ld.global.b32 %3"));
    }
}
