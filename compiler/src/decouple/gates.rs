//! Values chosen where threads of a block meet, as a function of the conditions that parted them, for the affine
//! stream alone (gated single assignment: Ballance, Maccabe and Ottenstein, "The program dependence web", 1990; the
//! conversion of control to data dependence by Allen, Kennedy, Porterfield and Warren, 1983).
//!
//! A phi at which threads arrive by different paths becomes a selection by the conditions of the
//! branches between its dominating block and its own, computed in front of the first of these
//! branches. The phi's operands on the paths are computed there too, if they are integer arithmetic
//! that cannot trap: the affine stream then needs none of the paths. The non-affine stream is made
//! of the original function, so that the gates cost the warps nothing, even for long paths.

use crate::analysis::convergence::Convergence;
use crate::analysis::{Condition, Flow, Scope};
use crate::ir::{Block, Function, Kind, Location, Operands, Type, Value};
use reconverge_isa::table::Unit;
use reconverge_isa::{Effect, Op};
use std::collections::BTreeMap;

/// The most instructions that gates add to a block, the most blocks examined for a phi, and the
/// longest chain of operands: compilation stays in proportion to the code.
const MOST: usize = 64;

/// A function whose leaves are all in its first block, so that they are available wherever they are
/// needed.
pub fn with_leaves_first(function: &Function) -> Function {
    let mut moved = function.clone();
    let is_leaf = |value: &Value| function.kind(*value).is_leaf();
    let mut first: Vec<Value> = function.placed().map(|(_, value)| value).filter(is_leaf).collect();
    for block in &mut moved.blocks {
        block.instructions.retain(|value| !is_leaf(value));
    }
    let entry = &mut moved.blocks[Block::ENTRY.index()].instructions;
    first.append(entry);
    *entry = first;
    moved
}

/// A function with gates.
pub struct Gated {
    /// The function. All values keep their numbers and, but for phis that have become selections, their places.
    pub function: Function,
    /// By value of a path: the value computed for it in front of the paths, in the same round of
    /// all loops.
    pub before: BTreeMap<Value, Value>,
}

/// A function in which phis at joins of different paths are selections, where that can be done; `flow` is of one
/// that has its leaves first.
pub fn gated(flow: &Flow) -> Gated {
    let convergence = Convergence::new(flow, Condition::Always);
    let mut gating = Gating {
        flow,
        function: flow.function.clone(),
        new: Vec::new(),
        at: Block::ENTRY,
        here: BTreeMap::new(),
        before: BTreeMap::new(),
        depth: 0,
    };
    for &join in flow.cycles.order() {
        if convergence.influence().join(join) < Scope::Block {
            gating.join(join);
        }
    }
    Gated { function: gating.function, before: gating.before }
}

/// The value of a phi if control reaches some block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gate {
    /// Control does not reach the phi from there.
    Never,
    /// This value, there in front of the paths.
    Is(Value),
}

struct Gating<'f, 'a> {
    flow: &'f Flow<'a>,
    function: Function,
    /// The instructions added for the current join.
    new: Vec<Value>,
    /// The current join, and by value its counterpart in front of the paths to the join.
    at: Block,
    here: BTreeMap<Value, Value>,
    /// [`Gated::before`].
    before: BTreeMap<Value, Value>,
    /// The depth to which operands of operands are being followed.
    depth: usize,
}

/// A phi's place: its block, and the block that dominates it.
#[derive(Clone, Copy)]
struct Region<'p> {
    from: Block,
    to: Block,
    incoming: &'p [(Block, Value)],
}

impl Gating<'_, '_> {
    /// Turns the phis of a block into selections, those that can be.
    fn join(&mut self, join: Block) {
        self.at = join;
        self.here.clear();
        let phis: Vec<Value> = self.function.phis(join).collect();
        let (mut added, mut gated) = (Vec::new(), Vec::new());
        for &phi in &phis {
            let (values, known) = (self.function.values.len(), self.here.clone());
            match self.phi(phi) {
                Some(value) if added.len() + self.new.len() <= MOST => {
                    added.append(&mut self.new);
                    if let Some(copy) = copied(self.function.ty(phi)) {
                        let kind = Kind::Compute(copy, Operands::new(&[value]));
                        self.function.values[phi.index()].kind = kind;
                        gated.push(phi);
                    }
                }
                _ => {
                    self.new.clear();
                    self.function.values.truncate(values);
                    self.here = known;
                }
            }
        }
        let instructions = &mut self.function.blocks[join.index()].instructions;
        instructions.retain(|value| !gated.contains(value));
        let kept = phis.len() - gated.len();
        instructions.splice(kept..kept, gated);
        if let Some(above) = self.flow.dominators.parent(join) {
            let around = |block: Block| self.flow.cycles.innermost(block);
            let is_of_round =
                |value: Value| self.flow.home(value).map(around) == Some(around(above));
            self.before.extend(self.here.iter().filter(|&(&value, _)| is_of_round(value)));
            let instructions = &mut self.function.blocks[above.index()].instructions;
            let end = instructions.len().saturating_sub(1);
            instructions.splice(end..end, added);
        }
    }

    /// The value of a phi of the original function at the current join.
    fn phi(&mut self, phi: Value) -> Option<Value> {
        let flow = self.flow;
        let (to, Kind::Phi(incoming)) = (flow.home(phi)?, flow.function.kind(phi)) else {
            return None;
        };
        if flow.function.ty(phi) == Type::B128 {
            return None;
        }
        let from = flow.dominators.parent(to)?;
        if flow.cycles.innermost(from) != flow.cycles.innermost(to) {
            return None;
        }
        let region = Region { from, to, incoming };
        match self.after(region, from, &mut BTreeMap::new())? {
            Gate::Is(value) => Some(value),
            Gate::Never => None,
        }
    }

    /// The value of the phi if control reaches the end of a block; none if that is unknown.
    fn after(
        &mut self,
        region: Region,
        block: Block,
        known: &mut BTreeMap<Block, Option<Gate>>,
    ) -> Option<Gate> {
        if let Some(gate) = known.get(&block) {
            return *gate;
        }
        if known.len() >= MOST {
            return None;
        }
        // Nothing is known about a path that returns here.
        known.insert(block, None);
        let function = self.flow.function;
        let terminator = function.terminator(block)?;
        let gate = match *function.kind(terminator) {
            Kind::Jump(target) => self.edge(region, block, target, known)?,
            Kind::Branch(condition, then, otherwise) => {
                let then = self.edge(region, block, then, known)?;
                let otherwise = self.edge(region, block, otherwise, known)?;
                match (then, otherwise) {
                    (Gate::Never, gate) | (gate, Gate::Never) => gate,
                    (one, other) if one == other => one,
                    (Gate::Is(then), Gate::Is(otherwise)) => {
                        let condition = self.value(condition)?;
                        Gate::Is(self.select(condition, then, otherwise)?)
                    }
                }
            }
            _ => Gate::Never,
        };
        known.insert(block, Some(gate));
        Some(gate)
    }

    /// The value of the phi if control passes an edge.
    fn edge(
        &mut self,
        region: Region,
        block: Block,
        target: Block,
        known: &mut BTreeMap<Block, Option<Gate>>,
    ) -> Option<Gate> {
        let flow = self.flow;
        if target == region.to {
            let (_, operand) = region.incoming.iter().find(|(from, _)| *from == block)?;
            return self.value(*operand).map(Gate::Is);
        }
        // From elsewhere control reaches the phi only through its dominating block, once more.
        if target == region.from || !flow.dominators.dominates(region.from, target) {
            return Some(Gate::Never);
        }
        let around = flow.cycles.innermost(region.from);
        if flow.cycles.innermost(target) == around {
            return self.after(region, target, known);
        }
        // Out of the loop, or into another one.
        let is_inside = around.is_none_or(|id| flow.cycles.contains(id, target));
        (!is_inside).then_some(Gate::Never)
    }

    /// A value of the original function that is available in front of the paths to the current
    /// join: as it is, or computed once more. A value that dominates the join and is not in it is
    /// available.
    fn value(&mut self, value: Value) -> Option<Value> {
        let flow = self.flow;
        let home = flow.home(value)?;
        if home != self.at && flow.dominators.dominates(home, self.at) {
            return Some(value);
        }
        if let Some(&known) = self.here.get(&value) {
            return Some(known);
        }
        if self.depth >= MOST {
            return None;
        }
        self.depth += 1;
        let made = self.computed(value, home);
        self.depth -= 1;
        let made = made?;
        self.here.insert(value, made);
        Some(made)
    }

    /// A value that has to be computed in front of the paths to the current join.
    fn computed(&mut self, value: Value, home: Block) -> Option<Value> {
        let flow = self.flow;
        match flow.function.kind(value) {
            Kind::Compute(op, operands) if is_pure(*op) => {
                let mut read = Vec::new();
                for &operand in operands.iter() {
                    read.push(self.value(operand)?);
                }
                let kind = Kind::Compute(*op, Operands::new(&read));
                self.add(kind, flow.function.ty(value), flow.function.instruction(value).location)
            }
            Kind::Phi(_) if home != self.at => self.phi(value),
            _ => None,
        }
    }

    fn add(&mut self, kind: Kind, ty: Type, location: Location) -> Option<Value> {
        if self.new.len() >= MOST {
            return None;
        }
        let added = self.function.add(kind, Some(ty), location);
        self.new.push(added);
        Some(added)
    }

    /// The selection of one of two values.
    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Option<Value> {
        let ty = self.function.ty(then);
        let location = self.function.instruction(condition).location;
        let op = match ty {
            Type::B32 => Op::Select,
            Type::B64 => Op::Select64,
            Type::Pred => return self.select_truth(condition, then, otherwise, location),
            Type::B128 => return None,
        };
        let operands = Operands::new(&[condition, then, otherwise]);
        self.add(Kind::Compute(op, operands), ty, location)
    }

    /// Selects between predicates, for which there is no instruction.
    fn select_truth(
        &mut self,
        condition: Value,
        then: Value,
        otherwise: Value,
        location: Location,
    ) -> Option<Value> {
        let known = |value: Value| self.function.constant(value).map(|bits| bits != 0);
        let (mine, others) = (known(then), known(otherwise));
        let mut make = |op: Op, operands: [Value; 2]| {
            self.add(Kind::Compute(op, Operands::new(&operands)), Type::Pred, location)
        };
        match (mine, others) {
            (Some(true), Some(false)) => Some(condition),
            (Some(true), _) => make(Op::OrPred, [condition, otherwise]),
            (_, Some(false)) => make(Op::AndPred, [condition, then]),
            // (c and a) or (b and not c), where one half is nothing or `c`'s contrary is all.
            (Some(false), _) => {
                let both = make(Op::AndPred, [condition, otherwise])?;
                make(Op::XorPred, [both, otherwise])
            }
            (_, Some(true)) => {
                // c implies a: the contrary of (c and not a), which is c and (c and a) not alike.
                let both = make(Op::AndPred, [condition, then])?;
                let unlike = make(Op::XorPred, [both, condition])?;
                make(Op::XorPred, [unlike, otherwise])
            }
            (None, None) => {
                // b, but for the threads of c where a and b are not alike.
                let unlike = make(Op::XorPred, [then, otherwise])?;
                let there = make(Op::AndPred, [condition, unlike])?;
                make(Op::XorPred, [otherwise, there])
            }
        }
    }
}

/// The copy of a value of a type, if there is one.
pub fn copied(ty: Type) -> Option<Op> {
    match ty {
        Type::Pred => Some(Op::MovPred),
        Type::B32 => Some(Op::Mov),
        Type::B64 => Some(Op::Mov64),
        Type::B128 => None,
    }
}

/// Returns true if it can be computed wherever its operands are, and may be computed by the affine
/// stream.
fn is_pure(op: Op) -> bool {
    let row = op.row();
    row.effect == Effect::Compute && matches!(row.unit, Unit::Integer | Unit::IntegerMultiply)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    /// The text of a function with gates, whose threads meet in `b9`.
    fn join(blocks: &str) -> String {
        let text = format!(
            "kernel k {{\nb0:\n %0 = special tid.x\n %1 = special tid.y\n %2 = const.b32 7\n \
             %3 = setp.lt.s32 %0, %2\n %4 = setp.lt.s32 %1, %2\n %5 = const.pred false\n \
             %6 = const.pred true\n{blocks}\n}}"
        );
        let mut function =
            parse(&text).unwrap_or_else(|errors| panic!("{errors:?}")).functions.remove(0);
        function = with_leaves_first(&function);
        let gated = gated(&Flow::new(&function)).function;
        assert_eq!(crate::ir::verify(&gated), []);
        gated.to_string()
    }

    #[test]
    fn what_paths_compute_is_computed_where_they_meet() {
        let found = join(
            " branch %3, b1, b9\nb1:\n %7 = add.i32 %0, %2\n %8 = ld.global.b32 %7\n \
             st.global.b32 %7, %8\n jump b9\nb9:\n %9 = phi.b32 b0 %0, b1 %7\n \
             st.global.b32 %9, %1\n return",
        );
        assert!(
            found.contains("= add.i32 %0, %2\n") && found.contains("= sel.b32 %3, "),
            "{found}"
        );
        assert!(!found.contains("phi"), "{found}");
    }

    #[test]
    fn truth_values_of_nested_paths_are_joined() {
        // a && b, with something in the inner path that the warps have to do.
        let found = join(
            " branch %3, b1, b9\nb1:\n branch %4, b2, b9\nb2:\n st.global.b32 %0, %1\n jump b9\nb9:\n \
             %9 = phi.pred b0 %5, b1 %5, b2 %6\n branch %9, b10, b11\nb10:\n \
             st.global.b32 %1, %1\n jump b11\nb11:\n return",
        );
        assert!(found.contains("and.pred %3, %4"), "{found}");
    }

    #[test]
    fn what_is_loaded_divided_or_counted_stays_a_phi() {
        for made in ["ld.global.b32 %0", "div.s32 %2, %0", "mul.f32 %0, %2"] {
            let found = join(&format!(
                " branch %3, b1, b9\nb1:\n %7 = {made}\n jump b9\nb9:\n %9 = phi.b32 b0 %0, b1 %7\n \
                 st.global.b32 %9, %1\n return"
            ));
            assert!(found.contains("%9 = phi"), "{found}");
        }
        let found = join(
            " branch %3, b1, b9\nb1:\n %7 = phi.b32 b0 %0, b1 %8\n %8 = add.i32 %7, %2\n \
             %10 = setp.lt.s32 %8, %1\n branch %10, b1, b9\nb9:\n %9 = phi.b32 b0 %0, b1 %8\n \
             st.global.b32 %9, %1\n return",
        );
        assert!(found.contains("%9 = phi"), "{found}");
    }

    /// All eight ways in which a selection of truth values can be made, for all values.
    #[test]
    fn truth_is_selected_as_the_table_says() {
        let name = |known: Option<bool>, or: &str| match known {
            Some(true) => "%6".to_owned(),
            Some(false) => "%5".to_owned(),
            None => or.to_owned(),
        };
        for then in [None, Some(false), Some(true)] {
            for otherwise in [None, Some(false), Some(true)] {
                let text = "kernel k {\nb0:\n %0 = special tid.x\n %1 = special tid.y\n %2 = special tid.z\n \
                     %3 = setp.lt.s32 %0, %0\n %4 = setp.lt.s32 %1, %1\n %5 = const.pred false\n \
                     %6 = const.pred true\n %7 = setp.lt.s32 %2, %2\n return\n}";
                let function = parse(text).unwrap().functions.remove(0);
                let flow = Flow::new(&function);
                let value = |name: String| Value(name[1..].parse().unwrap());
                let mut gating = Gating {
                    flow: &flow,
                    function: function.clone(),
                    new: Vec::new(),
                    at: Block::ENTRY,
                    here: BTreeMap::new(),
                    before: BTreeMap::new(),
                    depth: 0,
                };
                let (a, b) = (value(name(then, "%4")), value(name(otherwise, "%7")));
                let made = gating.select_truth(Value(3), a, b, Location::default()).unwrap();
                for bits in 0..8u32 {
                    let mut truth = BTreeMap::from([
                        (Value(3), bits & 1 != 0),
                        (Value(4), bits & 2 != 0),
                        (Value(7), bits & 4 != 0),
                        (Value(5), false),
                        (Value(6), true),
                    ]);
                    for &new in &gating.new {
                        let Kind::Compute(op, operands) = gating.function.kind(new) else {
                            panic!("it computes");
                        };
                        let [one, other] = [truth[&operands[0]], truth[&operands[1]]];
                        let result = match op {
                            Op::AndPred => one & other,
                            Op::OrPred => one | other,
                            _ => one ^ other,
                        };
                        truth.insert(new, result);
                    }
                    let expected = if truth[&Value(3)] { truth[&a] } else { truth[&b] };
                    assert_eq!(truth[&made], expected, "{then:?} {otherwise:?} {bits}");
                }
            }
        }
    }
}
