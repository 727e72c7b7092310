//! Code hoisting (Muchnick, "Advanced Compiler Design and Implementation", 1997, 13.5): an
//! expression in several blocks, none of which dominates another, is computed once where their
//! paths part. That pays if both paths of the branch there compute it in any case. It also pays if
//! a thread can pass two of the blocks in turn, as in the guarded iterations of an unrolled loop.
//!
//! Only cheap expressions that cannot trap move: threads that would not have reached them compute
//! them too. An expression that instruction selection makes a part of another instruction moves
//! with that or not at all. As with other code motion, nothing moves to a place with more than a
//! [number](Knobs::most_live) of live words.

use super::edit;
use super::fold::commutes;
use super::forward::Forward;
use super::if_convert::is_cheap;
use super::knobs::Knobs;
use crate::analysis::cycles::Cycles;
use crate::analysis::liveness::words;
use crate::analysis::{DominatorTree, Liveness};
use crate::ir::{Block, Function, Kind, Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;

/// The most places examined between one block and a next.
const STEPS: usize = 8;
/// The number of instructions, in depth, that operands move along.
const DEPTH: u32 = 4;

/// Runs the pass.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let mut hoister = Hoister::new(function, knobs.most_live());
    let mut forward = Forward::new(hoister.function);
    for number in 0..hoister.groups.len() {
        if let Some(to) = hoister.destination(number) {
            let value = hoister.place(number, to);
            hoister.groups[number].places.iter().for_each(|&(_, old)| forward.replace(old, value));
            hoister.groups[number].places = vec![(to, value)];
        }
    }
    forward.apply(hoister.function)
}

/// Instructions that compute the same from the same operands.
struct Group {
    /// In reverse postorder.
    places: Vec<(Block, Value)>,
    /// The groups of the operands.
    operands: Vec<usize>,
}

struct Hoister<'a> {
    function: &'a mut Function,
    dominators: DominatorTree,
    post_dominators: DominatorTree,
    cycles: Cycles,
    liveness: Liveness,
    /// A group follows those of its operands, but for phis.
    groups: Vec<Group>,
    /// By value: something reads it that cannot take it in.
    is_read: Vec<bool>,
    /// By block: words that have been moved there.
    moved: Vec<u32>,
    /// The words alive beyond which nothing is moved.
    most_live: u32,
}

impl Hoister<'_> {
    fn new(function: &mut Function, most_live: u32) -> Hoister<'_> {
        let moved = vec![0; function.blocks.len()];
        Hoister {
            dominators: DominatorTree::dominators(function),
            post_dominators: DominatorTree::post_dominators(function),
            cycles: Cycles::new(function),
            liveness: Liveness::new(function),
            groups: groups(function),
            is_read: read_by_others(function),
            moved,
            most_live,
            function,
        }
    }

    /// The block in which a group is to be computed instead, if any.
    fn destination(&self, number: usize) -> Option<Block> {
        let places = &self.groups[number].places;
        let &[(first, value), _, ..] = &places[..] else {
            return None;
        };
        if !self.is_movable(value) || places.iter().any(|&(_, value)| !self.is_read[value.index()])
        {
            return None;
        }
        let common = |one, &(other, _): &(Block, Value)| self.dominators.common(one, other);
        let to = places.iter().try_fold(first, common)?;
        let cycle = self.cycles.innermost(to);
        let near =
            |&(block, _): &(Block, Value)| block != to && self.cycles.innermost(block) == cycle;
        let live = places.iter().map(|&(block, _)| self.liveness.words(block)).max()?;
        let live = live.max(self.liveness.words(to)) + self.moved[to.index()];
        let fits = live + words(self.function, value) <= self.most_live;
        let goes = fits && places.iter().all(near) && self.pays(to, places);
        (goes && self.is_available(number, to, 0)).then_some(to)
    }

    /// Returns true if threads that do not need it may compute it. There are few registers for
    /// predicates.
    fn is_movable(&self, value: Value) -> bool {
        match self.function.kind(value) {
            Kind::Compute(op, _) => is_cheap(*op) && self.function.ty(value) != Type::Pred,
            Kind::Load(..) => Planted::LoadIsHoisted.is_on(),
            _ => false,
        }
    }

    /// Returns true if a thread passes two of the places in turn, or each path of the branch has
    /// one in any case.
    fn pays(&self, to: Block, places: &[(Block, Value)]) -> bool {
        let follows = |pair: &[(Block, Value)]| {
            let parent = |&at: &Block| self.post_dominators.parent(at);
            let mut later = std::iter::successors(parent(&pair[0].0), parent).take(STEPS);
            let is_below = |at| at != to && self.dominators.dominates(to, at);
            later.any(|at| is_below(at) && self.dominators.dominates(at, pair[1].0))
        };
        let always = |side: Block| {
            let is_whole = |&(block, _): &(Block, Value)| {
                self.dominators.dominates(side, block)
                    && self.post_dominators.dominates(block, side)
            };
            places.iter().any(is_whole)
        };
        let both = || {
            let mut sides = self.function.successors(to);
            sides.all(|side| self.dominators.parent(side) == Some(to) && always(side))
        };
        places.windows(2).any(follows) || both()
    }

    /// Returns true if a group has a value in a block, or can be computed there.
    fn is_available(&self, number: usize, to: Block, depth: u32) -> bool {
        let group = &self.groups[number];
        let mut places = group.places.iter();
        let is_there = |&(block, _): &(Block, Value)| self.dominators.dominates(block, to);
        let is_leaf = |&(_, value): &(Block, Value)| self.function.kind(value).is_leaf();
        let here = depth > 0 && places.clone().any(|at| is_there(at) || is_leaf(at));
        let moves = |&(_, value): &(Block, Value)| self.is_movable(value);
        here || depth < DEPTH
            && places.all(moves)
            && group.operands.iter().all(|&at| self.is_available(at, to, depth + 1))
    }

    /// The value of a group at the end of a block, computed there if need be.
    fn place(&mut self, number: usize, to: Block) -> Value {
        let group = &self.groups[number];
        let mut places = group.places.iter();
        if let Some(&(_, value)) = places.find(|at| self.dominators.dominates(at.0, to)) {
            return value;
        }
        let (_, like) = group.places[0];
        let operands = group.operands.clone();
        let mut operands = operands.into_iter().map(|at| self.place(at, to)).collect::<Vec<_>>();
        let instruction = self.function.instruction(like).clone();
        let mut kind = instruction.kind;
        operands.reverse();
        kind.map_operands(|old| operands.pop().unwrap_or(old));
        let is_leaf = kind.is_leaf();
        let value = self.function.add(kind, instruction.ty, instruction.location);
        self.function.values[value.index()].variable = instruction.variable;
        edit::place_last(self.function, to, &[value]);
        if !is_leaf {
            self.moved[to.index()] += words(self.function, value);
        }
        self.groups[number].places.push((to, value));
        value
    }
}

/// The instructions that compute the same, in reverse postorder. Each instruction without a known
/// duplicate is a group of its own.
fn groups(function: &Function) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: FxHashMap<(Kind, Option<Type>), usize> = FxHashMap::default();
    let mut numbers = vec![usize::MAX; function.values.len()];
    for block in function.reverse_postorder() {
        for &value in function.instructions(block) {
            let instruction = function.instruction(value);
            let mut operands = Vec::new();
            let mut kind = instruction.kind.clone();
            let is_alike = kind.is_leaf()
                || matches!(kind, Kind::Compute(..))
                || matches!(kind, Kind::Load(..)) && Planted::LoadIsHoisted.is_on();
            if is_alike {
                kind.each_operand(|operand| operands.push(numbers[operand.index()]));
                kind.map_operands(|operand| Value(numbers[operand.index()] as u32));
                if let Kind::Compute(op, inputs) = &mut kind
                    && commutes(*op)
                {
                    inputs[..2].sort();
                }
            }
            let next = groups.len();
            let number = match is_alike {
                true => *known.entry((kind, instruction.ty)).or_insert(next),
                false => next,
            };
            if number == next {
                groups.push(Group { places: Vec::new(), operands });
            }
            groups[number].places.push((block, value));
            numbers[value.index()] = number;
        }
    }
    groups
}

/// By value: true if an instruction reads it that does not take it in, as a sum takes in a product,
/// an access a constant that is added to its address, and a bitwise operation another one.
fn read_by_others(function: &Function) -> Vec<bool> {
    let mut home = vec![Block::ENTRY; function.values.len()];
    function.placed().for_each(|(block, value)| home[value.index()] = block);
    let mut read = vec![false; function.values.len()];
    for (block, value) in function.placed() {
        let kind = function.kind(value);
        let mut index = 0;
        kind.each_operand(|operand| {
            let here = home[operand.index()] == block;
            let takes = match function.kind(operand) {
                Kind::Compute(inner, inputs) => takes_in(function, kind, index, *inner, inputs),
                _ => false,
            };
            let is_address =
                index == 0 && matches!(kind.unguarded(), Kind::Load(..) | Kind::Store(..));
            read[operand.index()] |= !(takes && (here || is_address));
            index += 1;
        });
    }
    read
}

/// Returns true if instruction selection can make one instruction of a reader and an operation that
/// it reads.
fn takes_in(function: &Function, reader: &Kind, index: usize, inner: Op, inputs: &[Value]) -> bool {
    use Op::*;
    let is_logic = |op: Op| matches!(op, And | Or | Xor | Not);
    match reader.unguarded() {
        Kind::Compute(Add | Add64, _) => matches!(inner, Mul | Mul64 | Shl | Shl64),
        Kind::Compute(op, _) => is_logic(*op) && is_logic(inner),
        Kind::Load(..) | Kind::Store(..) => {
            index == 0 && inner == Add && function.constant(inputs[1]).is_some()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    /// Two guarded blocks in turn, with their instructions.
    fn guarded(first: &str, second: &str) -> String {
        format!(
            "  %0 = special tid.x\n  %1 = param.b32 0\n  %2 = setp.lt.s32 %0, %1\n  \
             %3 = setp.gt.s32 %0, %1\n  branch %2, b1, b2\nb1:\n{first}  jump b2\nb2:\n  \
             branch %3, b3, b4\nb3:\n{second}  jump b4\nb4:\n  return"
        )
    }

    fn before_the_branch(text: &str) -> String {
        after("hoist", text).split("  branch").next().unwrap_or_default().to_string()
    }

    #[test]
    fn what_two_guarded_blocks_compute_is_computed_before() {
        let text = guarded(
            "  %10 = mul.i32 %0, %1\n  %11 = sub.i32 %10, %0\n  st.global.b32 %0, %11\n",
            "  %12 = mul.i32 %1, %0\n  %13 = sub.i32 %12, %0\n  st.shared.b32 %0, %13\n",
        );
        let found = after("hoist", &text);
        assert_eq!(found.matches("mul.i32").count(), 1, "{found}");
        assert_eq!(found.matches("sub.i32").count(), 1, "{found}");
        assert!(before_the_branch(&text).contains("sub.i32"), "{found}");
    }

    #[test]
    fn a_product_moves_with_its_sum_only() {
        let block = |number: u32, addend: &str| {
            format!(
                "  %{number} = mul.i32 %0, %1\n  %{sum} = add.i32 %{number}, %{addend}\n  \
                 st.global.b32 %0, %{sum}\n",
                sum = number + 1
            )
        };
        let differ = guarded(&block(10, "0"), &block(20, "1"));
        assert_eq!(after("hoist", &differ), format!("{differ}\n"));
        let same = guarded(&block(10, "0"), &block(20, "0"));
        assert!(before_the_branch(&same).contains("mul.i32"));
        assert!(before_the_branch(&same).contains("add.i32"));
    }

    #[test]
    fn both_sides_of_a_branch_count_one_does_not() {
        let sides = |second: &str| {
            format!(
                "  %0 = special tid.x\n  %1 = param.b32 0\n  %2 = setp.lt.s32 %0, %1\n  \
                 branch %2, b1, b2\nb1:\n  %3 = sub.i32 %0, %1\n  st.global.b32 %3, %0\n  \
                 jump b3\nb2:\n{second}  jump b3\nb3:\n  return"
            )
        };
        let same = sides("  %4 = sub.i32 %0, %1\n  st.global.b32 %4, %1\n");
        assert!(before_the_branch(&same).contains("sub.i32"));
        let other = sides("  %4 = sub.i32 %1, %0\n  st.global.b32 %4, %1\n");
        assert_eq!(after("hoist", &other), format!("{other}\n"));
    }

    #[test]
    fn what_can_trap_stays() {
        for op in ["div.u32 %0, %1", "ld.global.b32 %0"] {
            let block =
                |number: u32| format!("  %{number} = {op}\n  st.shared.b32 %0, %{number}\n");
            let text = guarded(&block(10), &block(11));
            assert_eq!(after("hoist", &text), format!("{text}\n"));
        }
    }
}
