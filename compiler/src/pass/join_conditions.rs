//! Two conditions in one branch (the folding of a branch to a common destination, as in most
//! compilers; Muchnick, 1997, 18.4, calls the result a compound condition). It applies where a
//! branch leads to a block that only computes a second condition, cheaply and without traps, and
//! the second branch has a target in common with the first. Then both conditions are computed and
//! joined, and the warp diverges once.
//!
//! The path of each thread stays the same, and so do the points at which threads meet again.

use super::edit::PhiEdits;
use super::if_convert::is_cheap;
use crate::ir::{Block, Function, Kind, Operands, Type, Value};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;

/// The most instructions that compute the second condition, leaves not counted.
const MOST: usize = 4;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let mut predecessors: Vec<usize> = function.predecessors().iter().map(Vec::len).collect();
    let mut phis = PhiEdits::default();
    let mut changed = false;
    // The last two of several conditions in a row are joined first.
    let mut blocks = function.reverse_postorder();
    blocks.reverse();
    for block in blocks {
        while let Some(pair) = pair(function, &predecessors, &mut phis, block) {
            join(function, &mut predecessors, &mut phis, block, pair);
            changed = true;
        }
    }
    phis.finish(function);
    changed
}

/// A branch and the one that it leads to.
struct Pair {
    /// The block that computes the second condition.
    second: Block,
    /// True if it is executed where the first condition holds.
    then: bool,
    conditions: [Value; 2],
    /// The target of both: of the first if its condition is not `then`.
    common: Block,
    /// The other target of the second.
    other: Block,
    /// True if the second leads to the common target where its condition holds.
    at_truth: bool,
}

fn pair(
    function: &Function,
    predecessors: &[usize],
    phis: &mut PhiEdits,
    block: Block,
) -> Option<Pair> {
    let branch = |block: Block| match *function.kind(function.terminator(block)?) {
        Kind::Branch(condition, then, otherwise) => Some((condition, [otherwise, then])),
        _ => None,
    };
    let (first, targets) = branch(block)?;
    for then in [true, false] {
        let (second, common) = (targets[usize::from(then)], targets[usize::from(!then)]);
        if second == block || predecessors[second.index()] != 1 || !computes(function, second) {
            continue;
        }
        let Some((condition, leads)) = branch(second) else {
            continue;
        };
        let Some(at_truth) = [false, true].into_iter().find(|&at| leads[usize::from(at)] == common)
        else {
            continue;
        };
        let same = function.phis(common).collect::<Vec<_>>().into_iter().all(|phi| {
            let operand = phis.operand(function, phi, block);
            operand.is_some() && operand == phis.operand(function, phi, second)
        });
        let other = leads[usize::from(!at_truth)];
        // A block that only leads back to itself has no branch to join.
        if same && other != second && common != second {
            let conditions = [first, condition];
            return Some(Pair { second, then, conditions, common, other, at_truth });
        }
    }
    None
}

/// Returns true if a block only computes, and little.
fn computes(function: &Function, block: Block) -> bool {
    let mut work = 0;
    let Some((_, body)) = function.instructions(block).split_last() else {
        return false;
    };
    for &value in body {
        match function.kind(value) {
            kind if kind.is_leaf() => {}
            Kind::Compute(op, _) if is_cheap(*op) => work += 1,
            _ => return false,
        }
    }
    work <= MOST
}

fn join(
    function: &mut Function,
    predecessors: &mut [usize],
    phis: &mut PhiEdits,
    block: Block,
    pair: Pair,
) {
    let Pair { second, then, conditions: [first, condition], common, other, at_truth } = pair;
    let Some(branch) = function.blocks[block.index()].instructions.pop() else {
        return;
    };
    let mut body = std::mem::take(&mut function.blocks[second.index()].instructions);
    if let Some(terminator) = body.pop() {
        function.values[terminator.index()].kind = Kind::Removed;
    }
    let location = function.instruction(branch).location;
    let negated = |function: &mut Function, body: &mut Vec<Value>, value: Value| {
        let one = function.add(Kind::Constant(1), Some(Type::Pred), location);
        let kind = Kind::Compute(Op::XorPred, Operands::new(&[value, one]));
        let not = function.add(kind, Some(Type::Pred), location);
        body.extend([one, not]);
        not
    };
    // The path to the other target: the second is executed, and does not lead to the common target.
    let mut goes_on = first;
    if !then && !Planted::FirstNotNegated.is_on() {
        goes_on = negated(function, &mut body, first);
    }
    let mut leaves = condition;
    if at_truth {
        leaves = negated(function, &mut body, condition);
    }
    let both = Kind::Compute(Op::AndPred, Operands::new(&[goes_on, leaves]));
    let both = function.add(both, Some(Type::Pred), location);
    body.push(both);
    function.values[branch.index()].kind = Kind::Branch(both, other, common);
    body.push(branch);
    function.blocks[block.index()].instructions.extend(body);
    for phi in function.phis(common).collect::<Vec<_>>() {
        phis.remove(function, phi, second);
    }
    for phi in function.phis(other).collect::<Vec<_>>() {
        if let Some(value) = phis.operand(function, phi, second) {
            phis.remove(function, phi, second);
            phis.set(function, phi, block, value);
        }
    }
    predecessors[second.index()] = 0;
    predecessors[common.index()] -= 1;
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    const TEXT: &str = "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                        branch %2, b1, b3\nb1:\n  SECOND\n  branch %4, b2, b3\nb2:\n  \
                        st.global.b32 %0, %1\n  jump b3\nb3:\n  return";

    #[test]
    fn conditions_that_lead_to_one_place_are_joined() {
        let text = TEXT.replace("SECOND", "%4 = setp.gt.s32 %0, %1");
        let found = after("join-conditions", &text);
        assert!(found.contains("and.pred %2, %4"), "{found}");
        assert_eq!(found.matches("branch").count(), 1, "{found}");
    }

    #[test]
    fn a_condition_that_loads_or_divides_is_computed_where_it_was() {
        for what in ["ld.global.b32 %0", "rem.s32 %1, %0"] {
            let second = format!("%3 = {what}\n  %4 = setp.gt.s32 %3, %1");
            let text = TEXT.replace("SECOND", &second);
            assert_eq!(after("join-conditions", &text), format!("{text}\n"));
        }
    }
}
