//! Loop-invariant code motion (Aho, Lam, Sethi and Ullman, "Compilers", 2006, 9.5.5): a loop's
//! instructions on values of outside are computed once before it instead of in each iteration.
//!
//! Instructions that can trap, loads and divisions, move only when every path through the loop
//! executes them, loads also only when nothing in the loop may write their memory. A moved value
//! occupies a register during the whole loop, so values move only while at most a
//! [number](Knobs::most_live) of words is live.

use super::alias::{Alias, Writes};
use super::edit::{self, Entered};
use super::knobs::Knobs;
use crate::analysis::liveness::words;
use crate::analysis::{DominatorTree, Liveness};
use crate::ir::{Block, Function, Kind, Type, Value};
use reconverge_isa::Effect;
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// The most predicates moved out of a loop; there are few registers for them.
const MOST_PREDICATES: u32 = 2;

/// Runs the pass.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let (dominators, loops) = edit::enter_loops(function);
    if loops.is_empty() {
        return false;
    }
    let liveness = Liveness::new(function);
    let order = function.reverse_postorder();
    let mut position = vec![0; function.blocks.len()];
    order.iter().enumerate().for_each(|(at, block)| position[block.index()] = at);
    let mut home = vec![Block::ENTRY; function.values.len()];
    for (block, value) in function.placed() {
        home[value.index()] = block;
    }
    let alias = Alias::new(function);
    let mut motion = Motion { function, dominators, alias, home, most_live: knobs.most_live() };
    let mut changed = false;
    for found in &loops {
        let phis = motion.function.phis(found.header).map(|phi| words(motion.function, phi));
        let words = liveness.words(found.header) + phis.sum::<u32>();
        let mut blocks = found.blocks.clone();
        blocks.sort_by_key(|block| position[block.index()]);
        changed |= motion.empty(found, &blocks, words);
    }
    changed
}

struct Motion<'a> {
    function: &'a mut Function,
    dominators: DominatorTree,
    alias: Alias,
    home: Vec<Block>,
    /// The words alive through a loop from which on nothing is moved out of it.
    most_live: u32,
}

/// The state of the work on a loop.
struct State {
    /// The number of reads of each value in the loop by instructions that stay there.
    uses: FxHashMap<Value, u32>,
    live: u32,
    predicates: u32,
    writes: Writes,
    /// The lowest block above all those from which the loop is left or the next iteration begins:
    /// its dominators are executed in every iteration.
    common_end: Option<Block>,
}

impl Motion<'_> {
    /// Moves out of a loop all instructions that can be moved; `blocks` are in reverse postorder.
    fn empty(&mut self, found: &Entered, blocks: &[Block], live: u32) -> bool {
        let mut uses = FxHashMap::default();
        for &value in blocks.iter().flat_map(|&block| self.function.instructions(block)) {
            self.function.kind(value).each_operand(|at| *uses.entry(at).or_insert(0) += 1);
        }
        let leaves = |block: &Block| {
            let mut targets = self.function.successors(*block);
            targets.any(|target| target == found.header || !found.contains(target))
        };
        let mut ends = blocks.iter().copied().filter(leaves);
        let first = ends.next();
        let common = |one, other| self.dominators.common(one, other);
        let common_end = first.and_then(|first| ends.try_fold(first, common));
        let writes = Writes::of(self.function, blocks);
        let mut state = State { uses, live, predicates: 0, writes, common_end };
        let mut changed = false;
        for &block in blocks {
            let instructions =
                std::mem::take(&mut self.function.blocks[block.index()].instructions);
            let mut kept = Vec::with_capacity(instructions.len());
            let mut moved = Vec::new();
            for value in instructions {
                if self.is_invariant(found, block, value, &state) && self.pays(value, &mut state) {
                    self.home[value.index()] = found.preheader;
                    moved.push(value);
                } else {
                    kept.push(value);
                }
            }
            self.function.blocks[block.index()].instructions = kept;
            changed |= !moved.is_empty();
            edit::place_last(self.function, found.preheader, &moved);
        }
        changed
    }

    /// Returns true if it gives the same before the loop, and may be executed there.
    fn is_invariant(&self, found: &Entered, block: Block, value: Value, state: &State) -> bool {
        let kind = self.function.kind(value);
        let always = || state.common_end.is_some_and(|end| self.dominators.dominates(block, end));
        let allowed = match kind.unguarded() {
            Kind::Phi(_) => false,
            Kind::Compute(op, _) => {
                op.row().effect != Effect::Divide || always() || Planted::DivisionLeavesLoop.is_on()
            }
            Kind::Load(access, address) => {
                let place = self.alias.place(self.function, *access, *address, |value| value);
                let (writes, space) = (&state.writes, access.space);
                let written =
                    self.alias.may_change(self.function, writes, space, &place, |value| value);
                !access.volatile && (!written || Planted::LoadLeavesLoop.is_on()) && always()
            }
            kind => kind.is_leaf(),
        };
        let mut outside = true;
        if allowed {
            kind.each_operand(|at| outside &= !found.contains(self.home[at.index()]));
        }
        allowed && outside
    }

    /// Returns true if there is a register for it. Operands without another reader become free.
    fn pays(&mut self, value: Value, state: &mut State) -> bool {
        let kind = self.function.kind(value);
        if kind.is_leaf() {
            return true;
        }
        let is_predicate = self.function.ty(value) == Type::Pred;
        if state.live >= self.most_live || (is_predicate && state.predicates >= MOST_PREDICATES) {
            return false;
        }
        state.predicates += is_predicate as u32;
        state.live += words(self.function, value);
        kind.each_operand(|at| {
            let left = state.uses.entry(at).or_insert(1);
            *left = left.saturating_sub(1);
            if *left == 0 {
                state.live = state.live.saturating_sub(words(self.function, at));
            }
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    /// A loop that tests at its end, with `body` in it.
    fn around(body: &str) -> String {
        format!(
            "  %0 = special tid.x\n  %1 = const.b32 0\n  jump b1\nb1:\n  \
             %2 = phi.b32 b0 %1, b1 %90\n{body}  %90 = add.i32 %2, %0\n  \
             %91 = setp.lt.s32 %90, %0\n  branch %91, b1, b2\nb2:\n  return"
        )
    }

    fn before_the_loop(body: &str) -> String {
        let text = after("licm", &around(body));
        text.split("  jump b1").next().unwrap_or_default().to_string()
    }

    #[test]
    fn sums_of_outside_values_move() {
        let moved = before_the_loop("  %3 = mul.i32 %0, %0\n  st.global.b32 %3, %2\n");
        assert!(moved.contains("%3 = mul.i32 %0, %0"));
    }

    #[test]
    fn a_load_moves_when_nothing_writes() {
        let load = "  %3 = ld.global.b32 %0\n";
        assert!(before_the_loop(&format!("{load}  st.shared.b32 %3, %2\n")).contains("ld.global"));
        assert!(!before_the_loop(&format!("{load}  st.global.b32 %3, %2\n")).contains("ld."));
        assert!(!before_the_loop(&format!("{load}  bar.sync\n")).contains("ld."));
        let beside = "  %3 = ld.global.b32 %0\n  %4 = const.b32 4\n  %5 = add.i32 %0, %4\n";
        let stored = |what: &str| before_the_loop(&format!("{beside}  st.global.{what} %5, %2\n"));
        assert!(stored("b32").contains("ld.global"));
        let overlapping = beside.replace("b32 4", "b32 -4");
        let text = format!("{overlapping}  %6 = ld.global.b64 %5\n  st.global.b64 %5, %6\n");
        assert!(!before_the_loop(&text).contains("%3 = ld."));
    }

    #[test]
    fn what_can_trap_moves_only_when_every_round_does_it() {
        let text = "  %0 = special tid.x\n  %1 = const.pred true\n  jump b1\nb1:\n  \
                    %2 = div.s32 %0, %0\n  branch %1, b2, b3\nb2:\n  %3 = div.u32 %0, %0\n  \
                    %4 = mul.i32 %0, %0\n  st.global.b32 %2, %3\n  st.global.b32 %2, %4\n  \
                    jump b1\nb3:\n  return";
        let moved = after("licm", text);
        let moved = moved.split("  jump b1").next().unwrap_or_default();
        assert!(moved.contains("div.s32") && moved.contains("mul.i32"));
        assert!(!moved.contains("div.u32"));
    }
}
