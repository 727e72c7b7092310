//! If-conversion of small arms (Allen, Kennedy, Porterfield and Warren, "Conversion of Control
//! Dependence to Data Dependence", 1983): both arms are computed and the phis after them become
//! selections. The warp then does not diverge, which costs it both paths anyway.
//!
//! An arm may only compute, at most [`MOST`] instructions of the cheap units; an arm that loads,
//! divides or writes stays, because a thread that does not take it must not do that.

use super::edit::PhiEdits;
use crate::ir::{Block, Function, Instruction, Kind, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::table::Unit;
use reconverge_isa::{Effect, Op};

/// The most instructions of both arms together, leaves not counted.
const MOST: usize = 4;
/// The most selections.
const MOST_SELECTED: usize = 2;

/// Runs the pass.
pub fn run(function: &mut Function) -> bool {
    let predecessors = function.predecessors().iter().map(Vec::len).collect();
    let mut conversion = Conversion { predecessors, phis: PhiEdits::default() };
    let mut changed = false;
    // Inner branches are first, so that their results can be an arm of an outer one.
    let mut blocks = function.reverse_postorder();
    blocks.reverse();
    for block in blocks {
        let Some(shape) = conversion.shape(function, block) else {
            continue;
        };
        if let Some(phis) = conversion.selections(function, &shape) {
            conversion.convert(function, &shape, &phis);
            changed = true;
        }
    }
    conversion.phis.finish(function);
    changed
}

struct Conversion {
    /// By block, how many there are.
    predecessors: Vec<usize>,
    phis: PhiEdits,
}

/// A branch with its arms and the block where they join.
struct Shape {
    block: Block,
    condition: Value,
    arms: Vec<Block>,
    /// The predecessors of the join when the condition holds and when not.
    predecessors_of_join: [Block; 2],
    join: Block,
}

impl Conversion {
    fn shape(&self, function: &Function, block: Block) -> Option<Shape> {
        let &Kind::Branch(condition, then, otherwise) = function.kind(function.terminator(block)?)
        else {
            return None;
        };
        // The target of an arm of one block; not back to its predecessor.
        let leads_to = |arm: Block| {
            let only = self.predecessors[arm.index()] == 1;
            let &Kind::Jump(join) = function.kind(function.terminator(arm)?) else {
                return None;
            };
            (only && join != arm).then_some(join)
        };
        let (join, arms) = match (leads_to(then), leads_to(otherwise)) {
            (Some(one), Some(other)) if one == other => (one, vec![then, otherwise]),
            (Some(join), _) if join == otherwise => (join, vec![then]),
            (_, Some(join)) if join == then => (join, vec![otherwise]),
            _ => return None,
        };
        let predecessor = |target: Block| if target == join { block } else { target };
        let predecessors_of_join = [predecessor(then), predecessor(otherwise)];
        (join != block).then_some(Shape { block, condition, arms, predecessors_of_join, join })
    }

    /// The selection for each phi of the join; `None` when the arms are not worth it.
    fn selections(&mut self, function: &Function, shape: &Shape) -> Option<Vec<(Value, Kind)>> {
        let mut work = 0;
        for &arm in &shape.arms {
            let (_, body) = function.instructions(arm).split_last()?;
            for &value in body {
                work += match function.kind(value) {
                    Kind::Compute(op, _) if is_cheap(*op) => 1,
                    kind if kind.is_leaf() => 0,
                    _ => return None,
                };
            }
        }
        let mut found = Vec::new();
        let mut selected = 0;
        for phi in function.phis(shape.join) {
            let then = self.phis.operand(function, phi, shape.predecessors_of_join[0])?;
            let otherwise = self.phis.operand(function, phi, shape.predecessors_of_join[1])?;
            let kind = select(function, function.ty(phi), shape.condition, then, otherwise)?;
            selected += (then != otherwise) as usize;
            found.push((phi, kind));
        }
        (work <= MOST && selected <= MOST_SELECTED).then_some(found)
    }

    fn convert(&mut self, function: &mut Function, shape: &Shape, phis: &[(Value, Kind)]) {
        let Some(branch) = function.blocks[shape.block.index()].instructions.pop() else {
            return;
        };
        let mut moved = Vec::new();
        for &arm in &shape.arms {
            let mut body = std::mem::take(&mut function.blocks[arm.index()].instructions);
            if let Some(jump) = body.pop() {
                function.values[jump.index()].kind = Kind::Removed;
            }
            moved.extend(body);
            self.predecessors[arm.index()] = 0;
        }
        for (phi, kind) in phis {
            let Instruction { ty, location, variable, .. } = function.instruction(*phi);
            let (ty, location, variable) = (*ty, *location, variable.clone());
            let selected = function.add(kind.clone(), ty, location);
            function.values[selected.index()].variable = variable;
            moved.push(selected);
            shape
                .predecessors_of_join
                .iter()
                .for_each(|&predecessor| self.phis.remove(function, *phi, predecessor));
            self.phis.set(function, *phi, shape.block, selected);
        }
        function.values[branch.index()].kind = Kind::Jump(shape.join);
        moved.push(branch);
        function.blocks[shape.block.index()].instructions.extend(moved);
        // Two paths have become one.
        self.predecessors[shape.join.index()] -= 1;
    }
}

/// Returns true if computing it in any case costs little and cannot trap.
pub(super) fn is_cheap(op: Op) -> bool {
    use Unit::{Float, Integer, IntegerMultiply};
    let row = op.row();
    if row.effect == Effect::Divide {
        return Planted::DivisionIsSafe.is_on();
    }
    matches!(row.unit, Integer | IntegerMultiply | Float)
}

/// `condition ? then : otherwise` as one instruction; a copy when both are the same.
fn select(
    function: &Function,
    ty: Type,
    condition: Value,
    then: Value,
    otherwise: Value,
) -> Option<Kind> {
    let constant = |value: Value| function.constant(value);
    let (op, operands) = match ty {
        Type::B32 if Planted::SidesSwapped.is_on() => {
            (Op::Select, vec![condition, otherwise, then])
        }
        Type::B32 => (Op::Select, vec![condition, then, otherwise]),
        Type::B64 => (Op::Select64, vec![condition, then, otherwise]),
        Type::Pred if then == otherwise => (Op::MovPred, vec![then]),
        Type::Pred if constant(then) == Some(1) => (Op::OrPred, vec![condition, otherwise]),
        Type::Pred if constant(otherwise) == Some(0) => (Op::AndPred, vec![condition, then]),
        Type::Pred | Type::B128 => return None,
    };
    Some(Kind::Compute(op, Operands::new(&operands)))
}

#[cfg(test)]
mod tests {
    use crate::pass::tests::after;

    #[test]
    fn two_cheap_arms_become_a_selection() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                    branch %2, b1, b2\nb1:\n  %3 = add.i32 %0, %1\n  jump b3\nb2:\n  \
                    %4 = mul.i32 %0, %1\n  jump b3\nb3:\n  %5 = phi.b32 b1 %3, b2 %4\n  \
                    st.global.b32 %0, %5\n  return";
        assert_eq!(
            after("if-convert", text),
            "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
             %3 = add.i32 %0, %1\n  %4 = mul.i32 %0, %1\n  %11 = sel.b32 %2, %3, %4\n  jump b3\n\
             b3:\n  %5 = phi.b32 b0 %11\n  st.global.b32 %0, %5\n  return\n"
        );
    }

    #[test]
    fn an_arm_that_loads_or_divides_stays() {
        for arm in ["ld.global.b32 %0", "div.s32 %0, %0"] {
            let text = format!(
                "  %0 = special tid.x\n  %1 = const.pred true\n  branch %1, b1, b2\nb1:\n  \
                 %2 = {arm}\n  jump b2\nb2:\n  %3 = phi.b32 b0 %0, b1 %2\n  \
                 st.global.b32 %0, %3\n  return"
            );
            assert_eq!(after("if-convert", &text), format!("{text}\n"));
        }
    }

    #[test]
    fn truth_values_become_their_connection() {
        let text = "  %0 = const.b32 1\n  %1 = setp.lt.s32 %0, %0\n  %2 = const.pred false\n  \
                    branch %1, b1, b2\nb1:\n  %3 = setp.gt.s32 %0, %0\n  jump b2\nb2:\n  \
                    %4 = phi.pred b0 %2, b1 %3\n  branch %4, b3, b4\nb3:\n  return\nb4:\n  return";
        assert!(after("if-convert", text).contains("and.pred %1, %3"));
    }
}
