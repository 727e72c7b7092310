//! If-conversion of small arms (Allen, Kennedy, Porterfield and Warren, "Conversion of Control
//! Dependence to Data Dependence", 1983): both arms are computed and the phis after them become
//! selections. The warp then does not diverge, which costs it both paths anyway.
//!
//! The pass `if-convert` takes arms that only compute, at most [`MOST`] instructions of the cheap
//! units. An arm that loads, divides or writes stays, because a thread that does not take it must
//! not do that.
//!
//! The pass `predicate` runs for machines whose code has guards (`sm.predication`). It also takes arms that
//! access memory: their accesses receive the branch's condition as their guard, and a guarded load whose
//! other value is that of the other arm needs no selection. The CUDA C Programming Guide, release 4.2,
//! §5.4.2, states when: "if the number of instructions controlled by the branch condition is less than or equal to a
//! certain threshold: If the compiler determines that the condition is likely to produce many divergent warps,
//! this threshold is 7, otherwise it is 4". Here this counts for each arm, and a branch may diverge unless
//! the convergence analysis proves that it does not.

use super::edit::PhiEdits;
use super::knobs::Knobs;
use super::{cfg, copy};
use crate::analysis::affine::{Condition, Scope};
use crate::analysis::convergence::Convergence;
use crate::analysis::flow::Flow;
use crate::ir::{Block, Function, Guarded, Instruction, Kind, Location, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::table::Unit;
use reconverge_isa::{Effect, Op, Width};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// The most instructions of both arms together, leaves not counted.
const MOST: usize = 4;
/// The most selections.
const MOST_SELECTED: usize = 2;
/// The most instructions of an arm that is predicated, if the branch may diverge and if not.
const MOST_PREDICATED: [usize; 2] = [7, 4];

/// Runs the pass `if-convert`.
pub fn run(function: &mut Function) -> bool {
    convert(function, None)
}

/// Runs the pass `predicate`: the predicated arms of one branch can be an arm of another one.
pub fn predicate(function: &mut Function, knobs: &Knobs) -> bool {
    let mut changed = false;
    for _ in 0..2 {
        if !knobs.predication || !predicate_once(function) {
            break;
        }
        cfg::run(function);
        copy::run(function);
        changed = true;
    }
    changed
}

fn predicate_once(function: &mut Function) -> bool {
    let flow = Flow::new(function);
    let convergence = Convergence::new(&flow, Condition::Always);
    let diverges = |block: usize| convergence.branch(Block(block as u32)) == Scope::None;
    let diverges = (0..function.blocks.len()).map(diverges).collect();
    convert(function, Some(diverges))
}

fn convert(function: &mut Function, diverges: Option<Vec<bool>>) -> bool {
    let predecessors = function.predecessors().iter().map(Vec::len).collect();
    let mut conversion = Conversion { predecessors, phis: PhiEdits::default(), diverges };
    let mut changed = false;
    // Inner branches are first, so that their results can be an arm of an outer one.
    let mut blocks = function.reverse_postorder();
    blocks.reverse();
    for block in blocks {
        let Some(shape) = conversion.shape(function, block) else {
            continue;
        };
        if let Some(plan) = conversion.plan(function, &shape) {
            conversion.convert(function, &shape, plan);
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
    /// By block, if accesses may have guards: true if the branch at its end may diverge.
    diverges: Option<Vec<bool>>,
}

/// A branch with its arms and the block where they join.
struct Shape {
    block: Block,
    condition: Value,
    /// Each arm, and true if it is taken where the condition holds.
    arms: Vec<(Block, bool)>,
    /// The predecessors of the join when the condition holds and when not.
    predecessors_of_join: [Block; 2],
    join: Block,
}

/// A value in place of a phi.
enum Chosen {
    /// A guarded load.
    Load(Value),
    /// A selection.
    Selection(Kind),
}

/// The future of the instructions of a shape.
struct Plan {
    /// The value that replaces each phi of the join.
    phis: Vec<(Value, Chosen)>,
    /// The accesses that receive guards, and the results of loads where these are false.
    guarded: FxHashMap<Value, Option<Value>>,
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
            (Some(one), Some(other)) if one == other => {
                (one, vec![(then, true), (otherwise, false)])
            }
            (Some(join), _) if join == otherwise => (join, vec![(then, true)]),
            (_, Some(join)) if join == then => (join, vec![(otherwise, false)]),
            _ => return None,
        };
        let predecessor = |target: Block| if target == join { block } else { target };
        let predecessors_of_join = [predecessor(then), predecessor(otherwise)];
        (join != block).then_some(Shape { block, condition, arms, predecessors_of_join, join })
    }

    /// Plans a shape; `None` when the arms are not worth it.
    fn plan(&mut self, function: &Function, shape: &Shape) -> Option<Plan> {
        let (mut work, mut accesses) = ([0; 2], Vec::new());
        for (work, &(arm, _)) in work.iter_mut().zip(&shape.arms) {
            let (_, body) = function.instructions(arm).split_last()?;
            for &value in body {
                *work += match function.kind(value) {
                    Kind::Compute(op, _) if is_cheap(*op) => 1,
                    kind if kind.is_leaf() => 0,
                    kind if self.diverges.is_some() && takes_guard(kind) => {
                        accesses.push(value);
                        1
                    }
                    _ => return None,
                };
            }
        }
        let is_short = match &self.diverges {
            None => work[0] + work[1] <= MOST,
            Some(diverges) => {
                let most = MOST_PREDICATED[usize::from(!diverges[shape.block.index()])];
                work.iter().all(|&work| work <= most)
            }
        };
        if !is_short {
            return None;
        }
        let mut plan = Plan { phis: Vec::new(), guarded: FxHashMap::default() };
        let mut selected = 0;
        for phi in function.phis(shape.join) {
            let then = self.phis.operand(function, phi, shape.predecessors_of_join[0])?;
            let otherwise = self.phis.operand(function, phi, shape.predecessors_of_join[1])?;
            if let Some(load) = plan.merges(function, shape, &accesses, [then, otherwise]) {
                plan.phis.push((phi, Chosen::Load(load)));
                continue;
            }
            let kind = select(function, function.ty(phi), shape.condition, then, otherwise)?;
            selected += (then != otherwise) as usize;
            plan.phis.push((phi, Chosen::Selection(kind)));
        }
        for access in accesses {
            if let Entry::Vacant(entry) = plan.guarded.entry(access) {
                entry.insert(any_result(function, access)?);
            }
        }
        (selected <= MOST_SELECTED).then_some(plan)
    }

    fn convert(&mut self, function: &mut Function, shape: &Shape, mut plan: Plan) {
        let Some(branch) = function.blocks[shape.block.index()].instructions.pop() else {
            return;
        };
        let mut moved = Vec::new();
        for &(arm, holds) in &shape.arms {
            let mut body = std::mem::take(&mut function.blocks[arm.index()].instructions);
            if let Some(jump) = body.pop() {
                function.values[jump.index()].kind = Kind::Removed;
            }
            let mut guard = Guard { condition: shape.condition, holds, negated: None };
            for value in body {
                if let Some(other) = plan.guarded.remove(&value) {
                    guard.put(function, value, other, &mut moved);
                }
                moved.push(value);
            }
            self.predecessors[arm.index()] = 0;
        }
        for (phi, chosen) in plan.phis {
            let Instruction { ty, location, variable, .. } = function.instruction(phi);
            let (ty, location, variable) = (*ty, *location, variable.clone());
            let selected = match chosen {
                Chosen::Load(load) => load,
                Chosen::Selection(kind) => {
                    let selected = function.add(kind, ty, location);
                    moved.push(selected);
                    selected
                }
            };
            function.values[selected.index()].variable = variable;
            shape
                .predecessors_of_join
                .iter()
                .for_each(|&predecessor| self.phis.remove(function, phi, predecessor));
            self.phis.set(function, phi, shape.block, selected);
        }
        function.values[branch.index()].kind = Kind::Jump(shape.join);
        moved.push(branch);
        function.blocks[shape.block.index()].instructions.extend(moved);
        // Two paths have become one.
        self.predecessors[shape.join.index()] -= 1;
    }
}

impl Plan {
    /// The guarded load that replaces a phi, if one can: its other value is the phi's from elsewhere. Two loads stay
    /// apart, because the second would wait for the result of the first.
    fn merges(
        &mut self,
        function: &Function,
        shape: &Shape,
        accesses: &[Value],
        [then, otherwise]: [Value; 2],
    ) -> Option<Value> {
        let is_load = |value: Value| {
            matches!(function.kind(value), Kind::Load(..)) && accesses.contains(&value)
        };
        let (load, other) = match (is_load(then), is_load(otherwise)) {
            (true, false) => (then, otherwise),
            (false, true) => (otherwise, then),
            _ => return None,
        };
        // The arms are placed one after the other.
        let (arm, _) = *shape.arms.last()?;
        let is_late = load == then && function.instructions(arm).contains(&other);
        if is_late || self.guarded.contains_key(&load) {
            return None;
        }
        self.guarded.insert(load, Some(other));
        Some(load)
    }
}

/// The guard of the accesses of an arm.
struct Guard {
    condition: Value,
    /// They run where the condition is this.
    holds: bool,
    /// The condition's opposite, once there is one.
    negated: Option<Value>,
}

impl Guard {
    /// Guards an access; new instructions are placed in front of it.
    fn put(
        &mut self,
        function: &mut Function,
        access: Value,
        otherwise: Option<Value>,
        placed: &mut Vec<Value>,
    ) {
        let location = function.instruction(access).location;
        let holds =
            if self.holds { self.condition } else { self.negation(function, location, placed) };
        let kind = &mut function.values[access.index()].kind;
        let plain = std::mem::replace(kind, Kind::Removed);
        *kind = Kind::Guarded(Box::new(Guarded { access: plain, holds, otherwise }));
    }

    fn negation(
        &mut self,
        function: &mut Function,
        location: Location,
        placed: &mut Vec<Value>,
    ) -> Value {
        if let Some(negated) = self.negated {
            return negated;
        }
        let one = function.add(Kind::Constant(1), Some(Type::Pred), location);
        let kind = Kind::Compute(Op::XorPred, Operands::new(&[self.condition, one]));
        let negated = function.add(kind, Some(Type::Pred), location);
        placed.extend([one, negated]);
        self.negated = Some(negated);
        negated
    }
}

/// Returns true if an instruction of an arm may receive a guard.
fn takes_guard(kind: &Kind) -> bool {
    match kind {
        Kind::Load(access, _) | Kind::Store(access, ..) => {
            !access.volatile && access.width != Width::B128
        }
        _ => false,
    }
}

/// A result of a guarded access where its guard is false, which nothing reads: a load's address takes no further register.
/// `None` if there is no such value.
fn any_result(function: &Function, access: Value) -> Option<Option<Value>> {
    match *function.kind(access) {
        Kind::Load(_, address) if function.ty(access) == function.ty(address) => {
            Some(Some(address))
        }
        Kind::Load(..) => None,
        _ => Some(None),
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
    use crate::pass::Knobs;
    use crate::pass::tests::{after, after_with};

    fn predicated(text: &str) -> String {
        after_with("predicate", text, &Knobs { predication: true, ..Knobs::default() })
    }

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

    #[test]
    fn a_guarded_load_takes_the_value_of_the_other_arm() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                    branch %2, b1, b2\nb1:\n  %3 = ld.global.b32 %0\n  jump b2\nb2:\n  \
                    %4 = phi.b32 b0 %1, b1 %3\n  st.global.b32 %0, %4\n  return";
        assert_eq!(
            predicated(text),
            "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
             %3 = @%2 ld.global.b32 %0 else %1\n  st.global.b32 %0, %3\n  return\n"
        );
    }

    #[test]
    fn loads_of_both_arms_do_not_wait_for_each_other() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                    branch %2, b1, b2\nb1:\n  %3 = ld.global.b32 %0\n  jump b3\nb2:\n  \
                    %4 = ld.global.b32 %1\n  jump b3\nb3:\n  %5 = phi.b32 b1 %3, b2 %4\n  \
                    st.global.b32 %0, %5\n  return";
        assert_eq!(
            predicated(text),
            "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
             %3 = @%2 ld.global.b32 %0 else %0\n  %11 = const.pred true\n  \
             %12 = xor.pred %2, %11\n  %4 = @%12 ld.global.b32 %1 else %1\n  \
             %13 = sel.b32 %2, %3, %4\n  st.global.b32 %0, %13\n  return\n"
        );
    }

    #[test]
    fn an_arm_is_predicated_up_to_the_threshold() {
        // The branch may diverge, or not.
        for (source, most) in [("special tid.x", 7), ("special ctaid.x", 4)] {
            for products in [most - 1, most] {
                let arm: String =
                    (0..products).map(|at| format!("  %{} = mul.i32 %0, %1\n", 10 + at)).collect();
                let text = format!(
                    "  %0 = {source}\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                     branch %2, b2, b1\nb1:\n{arm}  st.global.b32 %0, %1\n  jump b2\nb2:\n  return"
                );
                let is_guarded = predicated(&text).contains("@%");
                assert_eq!(is_guarded, products < most, "{source}, {products}");
            }
        }
    }

    #[test]
    fn code_for_other_machines_keeps_its_branches() {
        let text = "  %0 = special tid.x\n  %1 = const.b32 7\n  %2 = setp.lt.s32 %0, %1\n  \
                    branch %2, b2, b1\nb1:\n  st.global.b32 %0, %1\n  jump b2\nb2:\n  return";
        assert_eq!(after("predicate", text), format!("{text}\n"));
    }
}
