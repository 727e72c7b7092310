//! The places at which a thread may wait for another one's writes to memory.
//!
//! A warp that waits takes nothing from its queues. They fill up, and then the tuple queue, which
//! all warps of the SM share. A warp that later needs an entry behind it gets nothing, and may be
//! the one that the first one waits for. The paper does not discuss this. Decoupling must never
//! turn a program that ends into one that does not. So a kernel keeps one stream unless each of its
//! cycles is shown to end for a thread by itself, if no other thread writes memory any more:
//!
//! - none of its exits depends on memory that threads write while the kernel runs;
//! - or an exit that every iteration passes counts towards a bound;
//! - or an exit that every iteration passes is the success of a compare-and-swap that compares with
//!   the value found in the iteration before: memory that no other thread changes is found twice.

use crate::analysis::Flow;
use crate::analysis::cycles::CycleId;
use crate::analysis::memory::Target;
use crate::ir::{Block, Function, Kind, Value};
use reconverge_isa::{Op, Space, Special};
use std::collections::BTreeSet;

/// The value that a thread finds in memory before it leaves a cycle, if it may wait there for
/// another one to change it: a load or an atomic on which an exit depends.
pub fn waits(flow: &Flow) -> Option<Value> {
    let cycles = (0..flow.cycles.all.len()).map(|index| Inside { flow, id: CycleId(index as u32) });
    cycles.filter(|cycle| !cycle.ends_alone()).find_map(|cycle| cycle.exits_by_memory())
}

/// A relation of two integers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Equal,
    NotEqual,
    /// Also "less or equal" if the flag is set.
    Less(bool),
    Greater(bool),
}

impl Relation {
    /// The relation that an operation tests; `None` for those of floating-point numbers, where a NaN
    /// differs from itself.
    fn of(op: Op) -> Option<Relation> {
        let (relation, ty) = op.row().mnemonic.strip_prefix("setp.")?.split_once('.')?;
        Some(match relation {
            _ if ty.starts_with('f') => return None,
            "eq" => Relation::Equal,
            "ne" => Relation::NotEqual,
            "lt" => Relation::Less(false),
            "le" => Relation::Less(true),
            "gt" => Relation::Greater(false),
            "ge" => Relation::Greater(true),
            _ => return None,
        })
    }

    fn inverse(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less(equal) => Relation::Greater(!equal),
            Relation::Greater(equal) => Relation::Less(!equal),
        }
    }

    /// The relation with its operands exchanged.
    fn mirrored(self) -> Relation {
        match self {
            Relation::Less(equal) => Relation::Greater(equal),
            Relation::Greater(equal) => Relation::Less(equal),
            symmetric => symmetric,
        }
    }
}

/// The change of a counter in each iteration.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Up,
    Down,
    UpByOne,
    DownByOne,
}

/// A cycle of a function.
struct Inside<'a> {
    flow: &'a Flow<'a>,
    id: CycleId,
}

impl Inside<'_> {
    fn function(&self) -> &Function {
        self.flow.function
    }

    fn contains(&self, block: Block) -> bool {
        self.flow.cycles.contains(self.id, block)
    }

    fn holds(&self, value: Value) -> bool {
        self.flow.home(value).is_some_and(|block| self.contains(block))
    }

    /// The blocks with an exit, each with its condition and whether it is left when that is true.
    fn exits(&self) -> impl Iterator<Item = (Block, Value, bool)> + '_ {
        let function = self.function();
        self.flow.cycles.blocks(self.id).iter().filter_map(move |&block| {
            let terminator = function.kind(function.terminator(block)?);
            let &Kind::Branch(condition, one, other) = terminator else {
                return None;
            };
            let leaves = !self.contains(one);
            (leaves || !self.contains(other)).then_some((block, condition, leaves))
        })
    }

    /// Returns true if a thread is sure to leave if no other thread writes memory.
    fn ends_alone(&self) -> bool {
        let cycle = self.flow.cycles.get(self.id);
        let preceding = self.flow.predecessors(cycle.header).iter();
        let latches: Vec<Block> = preceding.copied().filter(|&from| self.contains(from)).collect();
        let always = |block: Block| {
            latches.iter().all(|&latch| self.flow.dominators.dominates(block, latch))
        };
        cycle.is_natural()
            && self.exits().any(|(block, condition, leaves)| {
                always(block) && self.ends_by(condition, leaves).unwrap_or(false)
            })
    }

    /// Returns true if a condition that every iteration tests ends the cycle, and false if it does
    /// not; `None` if that is unknown.
    fn ends_by(&self, condition: Value, leaves: bool) -> Option<bool> {
        let &Kind::Compute(op, operands) = self.function().kind(condition) else {
            return None;
        };
        let tested = Relation::of(op)?;
        let stays = if leaves { tested.inverse() } else { tested };
        let (one, other) = (operands[0], operands[1]);
        Some(
            self.counts(one, stays, other)
                || self.counts(other, stays.mirrored(), one)
                || (stays == Relation::NotEqual
                    && (self.succeeds(one, other) || self.succeeds(other, one))),
        )
    }

    /// Returns true if `counter` advances until it no longer has the relation to `bound`.
    fn counts(&self, counter: Value, stays: Relation, bound: Value) -> bool {
        let Some(step) = self.step(counter) else {
            return false;
        };
        let by_one = matches!(step, Step::UpByOne | Step::DownByOne);
        let up = matches!(step, Step::Up | Step::UpByOne);
        match stays {
            // The greatest number is below nothing, the least one above nothing.
            Relation::Less(false) if up && by_one => true,
            Relation::Greater(false) if !up && by_one => true,
            Relation::Less(_) => up && self.is_fixed(bound),
            Relation::Greater(_) => !up && self.is_fixed(bound),
            Relation::NotEqual => by_one && self.is_fixed(bound),
            Relation::Equal => false,
        }
    }

    /// The change of a counter of the cycle in each iteration, perhaps after the addition of a
    /// value that is always the same.
    fn step(&self, counter: Value) -> Option<Step> {
        let function = self.function();
        let is_outside = |value: Value| !self.holds(value) || function.kind(value).is_leaf();
        let mut phi = counter;
        while let &Kind::Compute(Op::Add | Op::Add64, operands) = function.kind(phi) {
            phi = match (is_outside(operands[0]), is_outside(operands[1])) {
                (false, true) => operands[0],
                (true, false) => operands[1],
                _ => return None,
            };
        }
        let mut steps = self.carried(phi)?.map(|next| self.step_between(next, phi));
        let first = steps.next()??;
        steps.all(|step| step == Some(first)).then_some(first)
    }

    /// The values that a phi of the header has after an iteration.
    fn carried(&self, phi: Value) -> Option<impl Iterator<Item = Value> + '_> {
        let header = self.flow.cycles.get(self.id).header;
        let Kind::Phi(incoming) = self.function().kind(phi) else {
            return None;
        };
        let inside = incoming.iter().filter(|(from, _)| self.contains(*from));
        (self.flow.home(phi) == Some(header)).then_some(inside.map(|&(_, value)| value))
    }

    fn step_between(&self, next: Value, phi: Value) -> Option<Step> {
        let &Kind::Compute(op, operands) = self.function().kind(next) else {
            return None;
        };
        let by = match op {
            Op::Add | Op::Add64 if operands[0] == phi => operands[1],
            Op::Add | Op::Add64 if operands[1] == phi => operands[0],
            _ => return None,
        };
        let signed = self.function().constant(by).map(|bits| match op {
            Op::Add64 => bits as i64,
            _ => i64::from(bits as u32 as i32),
        });
        match signed {
            Some(0) => None,
            Some(1) => Some(Step::UpByOne),
            Some(-1) => Some(Step::DownByOne),
            Some(by) => Some(if by > 0 { Step::Up } else { Step::Down }),
            None => self.is_extent(by).then_some(Step::Up),
        }
    }

    /// Returns true if a value is a number of threads or blocks, which is never zero, or a product
    /// of such.
    fn is_extent(&self, value: Value) -> bool {
        use Special::{NctaidX, NctaidY, NctaidZ, NtidX, NtidY, NtidZ, WarpSize};
        match *self.function().kind(value) {
            Kind::Special(NtidX | NtidY | NtidZ | NctaidX | NctaidY | NctaidZ | WarpSize) => true,
            Kind::Compute(Op::Mul, operands) => operands.iter().all(|&factor| {
                matches!(self.function().kind(factor), Kind::Special(_)) && self.is_extent(factor)
            }),
            _ => false,
        }
    }

    /// Returns true if `found` is the result of a compare-and-swap with `compared`, which is the
    /// result of the iteration before. The new value does not matter: an equal one changes nothing.
    fn succeeds(&self, found: Value, compared: Value) -> bool {
        let Kind::Atomic(Op::AtomCas | Op::AtomCas64, _, operands) = self.function().kind(found)
        else {
            return false;
        };
        let again = self.carried(compared).is_some_and(|mut next| next.all(|next| next == found));
        operands[2] == compared
            && self.holds(found)
            && again
            && self.is_fixed(operands[0])
            && self.writes().all(|write| write == found)
    }

    /// Returns true if a value is the same in each iteration if no other thread writes memory.
    fn is_fixed(&self, value: Value) -> bool {
        let mut pending = vec![value];
        let mut seen = BTreeSet::new();
        while let Some(value) = pending.pop() {
            if !self.holds(value) || !seen.insert(value) {
                continue;
            }
            let kind = self.function().kind(value);
            let is_fixed = match kind {
                Kind::Load(access, _) => {
                    let never_written = self.flow.target(value) == Target::Constant;
                    !access.volatile && (never_written || self.writes().next().is_none())
                }
                kind => kind.is_leaf() || matches!(kind, Kind::Compute(..)),
            };
            if !is_fixed {
                return false;
            }
            kind.each_operand(|operand| pending.push(operand));
        }
        true
    }

    /// The cycle's writes to memory.
    fn writes(&self) -> impl Iterator<Item = Value> + '_ {
        let function = self.function();
        let blocks = self.flow.cycles.blocks(self.id).iter();
        blocks.flat_map(|&block| function.instructions(block)).copied().filter(|&value| {
            matches!(function.kind(value).unguarded(), Kind::Store(..) | Kind::Atomic(..))
        })
    }

    /// The first load or atomic of memory that others may write on which an exit depends, through values
    /// or through the branches that decide about it.
    fn exits_by_memory(&self) -> Option<Value> {
        let mut pending: Vec<Value> = Vec::new();
        let mut decided = BTreeSet::new();
        for (block, condition, _) in self.exits() {
            pending.push(condition);
            self.decisions(block, &mut decided, &mut pending);
        }
        let mut seen = BTreeSet::new();
        while let Some(value) = pending.pop() {
            if !self.holds(value) || !seen.insert(value) {
                continue;
            }
            let kind = self.function().kind(value);
            if let Kind::Phi(incoming) = kind {
                let inside = || incoming.iter().filter(|(from, _)| self.contains(*from));
                // With one predecessor in the cycle there is no choice after the first iteration.
                if inside().count() > 1 {
                    inside()
                        .for_each(|&(from, _)| self.decisions(from, &mut decided, &mut pending));
                }
            }
            if let Some(reaching) = self.flow.reaching(value) {
                pending.extend(reaching.stores.iter().filter_map(|store| store.access.stored));
            }
            kind.each_operand(|operand| pending.push(operand));
        }
        seen.into_iter().find(|&value| self.may_change(value))
    }

    /// Adds the conditions of the cycle's branches that decide, directly or through others, if a
    /// block is executed.
    fn decisions(&self, block: Block, decided: &mut BTreeSet<Block>, pending: &mut Vec<Value>) {
        let mut blocks = vec![block];
        while let Some(block) = blocks.pop() {
            if !decided.insert(block) {
                continue;
            }
            let deciders = self.flow.control.deciders(block).iter().copied();
            for decider in deciders.filter(|&decider| self.contains(decider)) {
                let terminator = self.function().terminator(decider);
                if let Some(&Kind::Branch(condition, ..)) =
                    terminator.map(|value| self.function().kind(value))
                {
                    pending.push(condition);
                }
                blocks.push(decider);
            }
        }
    }

    /// Returns true if a value is read from a place where other threads may write at that time.
    fn may_change(&self, value: Value) -> bool {
        match self.function().kind(value).unguarded() {
            Kind::Atomic(..) => true,
            Kind::Load(access, _) if access.volatile => true,
            Kind::Load(access, _) => match self.flow.target(value) {
                Target::Constant => false,
                Target::Slot(_) => {
                    self.flow.reaching(value).is_none_or(|reaching| reaching.too_many)
                }
                Target::Shared => !self.flow.memory.is_quiet(value),
                Target::Own => access.space != Space::Local,
                Target::Global => true,
            },
            _ => false,
        }
    }
}
