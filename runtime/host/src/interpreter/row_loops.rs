//! Finds loops that can run many iterations at a time (see [`rows`](super::rows)).
//!
//! An innermost loop qualifies under three conditions. One path through its body has only
//! operations on slots, loads and stores. The decision for another iteration follows from slots
//! that advance by a constant step. Every other value that an iteration takes from the one before
//! is summed up and read nowhere else. Branches that leave the path are tests; an iteration that
//! fails one is left to the instructions themselves.

use super::bytecode::{Action, Code, Induction, Inst, Op, Row, RowLoop, Slot, Step, Sum};
use std::collections::BTreeMap;
use std::ops::Range;

/// Instructions on the path through a body, at most.
const MOST_STEPS: usize = 128;
/// The most instructions that are examined in search of a path.
const MOST_LOOKS: usize = 1024;

/// Finds such loops, and marks the jumps at their ends.
pub fn find(code: &mut Code) {
    for end in 0..code.instructions.len() {
        let inst = code.instructions[end];
        let Some(marked) = marked(inst.op).filter(|_| inst.x as usize <= end) else {
            continue;
        };
        let mut looks = MOST_LOOKS;
        let path = path(&code.instructions, inst.x as usize, end, &mut looks);
        let found = path.and_then(|path| Analysis::new(&path).finish(inst));
        if let (Some(found), Ok(number)) = (found, Slot::try_from(code.loops.len())) {
            code.loops.push(found);
            code.instructions[end] = Inst { op: marked, c: number, ..inst };
        }
    }
}

/// The marked form of a jump that can end such a loop.
fn marked(op: Op) -> Option<Op> {
    Some(match op {
        Op::JumpLtS => Op::LoopLtS,
        Op::JumpLeS => Op::LoopLeS,
        Op::JumpLtU => Op::LoopLtU,
        Op::JumpLeU => Op::LoopLeU,
        Op::JumpNe => Op::LoopNe,
        _ => return None,
    })
}

/// The number of slots that an operation on slots or memory reads: `b` and `c`, or `b`, or none.
/// `None` for operations with other effects.
fn sources(op: Op) -> Option<usize> {
    let number = op as u16;
    let among = |range: Range<Op>| (range.start as u16..range.end as u16).contains(&number);
    Some(match op {
        Op::Const => 0,
        Op::Move | Op::NegF32 | Op::NegF64 => 1,
        _ if among(Op::NegI32..Op::AddF32) || among(Op::Ext8S..Op::Jump) => 1,
        _ if among(Op::Move..Op::Ext8S) || among(Op::Address..Op::Load8S) => 2,
        _ if among(Op::Load8S..Op::LoadX8S) => 1,
        _ if among(Op::LoadX8S..Op::Copy) => 2,
        _ => return None,
    })
}

fn action(op: Op) -> Action {
    match op {
        Op::DivI32 | Op::DivU | Op::DivI64 | Op::RemI32 | Op::RemU | Op::RemI64 => Action::Divide,
        Op::Store8 | Op::Store16 | Op::Store32 | Op::Store64 => Action::Store,
        Op::StoreX8 | Op::StoreX16 | Op::StoreX32 | Op::StoreX64 => Action::Store,
        op if (Op::Load8S as u16..Op::Copy as u16).contains(&(op as u16)) => Action::Load,
        _ => Action::Value,
    }
}

/// The instructions from `at` to the jump at `end`, without that and without plain jumps; each
/// branch with true if it is taken. At a branch the fall-through path is preferred, as long as it
/// has only operations on slots and memory.
fn path(code: &[Inst], from: usize, end: usize, looks: &mut usize) -> Option<Vec<(Inst, bool)>> {
    let (mut path, mut at) = (Vec::new(), from);
    while at < end && path.len() <= MOST_STEPS {
        *looks = looks.checked_sub(1)?;
        let inst = code[at];
        let target = inst.x as usize;
        match inst.op {
            Op::Jump if target > at && target <= end => at = target,
            Op::Jump => return None,
            op if op.is_jump() && target > at => {
                let (mut rest, taken) = match self::path(code, at + 1, end, looks) {
                    Some(rest) => (rest, false),
                    None if target <= end => (self::path(code, target, end, looks)?, true),
                    None => return None,
                };
                path.push((inst, taken));
                path.append(&mut rest);
                return (path.len() <= MOST_STEPS).then_some(path);
            }
            op => {
                sources(op)?;
                path.push((inst, false));
                at += 1;
            }
        }
    }
    (at == end && path.len() <= MOST_STEPS).then_some(path)
}

/// Slots that an instruction reads, and the one that it writes.
fn accesses(inst: &Inst) -> (Vec<Slot>, Option<Slot>) {
    if inst.op.is_jump() {
        return (vec![inst.a, inst.b], None);
    }
    let mut read = [inst.b, inst.c][..sources(inst.op).unwrap_or(0)].to_vec();
    if action(inst.op) == Action::Store {
        read.push(inst.a);
        return (read, None);
    }
    (read, Some(inst.a))
}

/// The state of a path's analysis while its steps are made.
struct Analysis<'a> {
    path: &'a [(Inst, bool)],
    /// The places where each slot is written.
    writes: BTreeMap<Slot, Vec<usize>>,
    /// The number of its reads.
    reads: BTreeMap<Slot, usize>,
    /// The rows that slots hold now.
    now: BTreeMap<Slot, Row>,
    made: RowLoop,
}

impl<'a> Analysis<'a> {
    fn new(path: &'a [(Inst, bool)]) -> Self {
        let (mut writes, mut reads) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
        for (at, (inst, _)) in path.iter().enumerate() {
            let (read, written) = accesses(inst);
            read.into_iter().for_each(|slot| *reads.entry(slot).or_default() += 1);
            if let Some(slot) = written {
                writes.entry(slot).or_default().push(at);
            }
        }
        Analysis { path, writes, reads, now: BTreeMap::new(), made: RowLoop::default() }
    }

    fn row(&mut self) -> Row {
        self.made.rows += 1;
        self.made.rows - 1
    }

    /// The row of a slot's value here; `None` if iterations cannot have it side by side.
    fn source(&mut self, slot: Slot) -> Option<Row> {
        if let Some(&row) = self.now.get(&slot) {
            return Some(row);
        }
        match self.writes.get(&slot).map(Vec::as_slice) {
            None => {
                let row = self.row();
                self.made.constants.push((slot, row));
                self.now.insert(slot, row);
                Some(row)
            }
            Some(&[write]) => {
                let inst = self.path[write].0;
                let steps = sources(inst.op) == Some(2) && action(inst.op) == Action::Value;
                if !steps || inst.b != slot || self.writes.contains_key(&inst.c) {
                    return None;
                }
                let row = self.row();
                self.made.inductions.push(Induction { inst, row });
                self.now.insert(slot, row);
                Some(row)
            }
            Some(_) => None,
        }
    }

    /// The slot that an instruction adds to its own, if nothing else reads the sum.
    fn summand(&self, at: usize) -> Option<Slot> {
        let inst = &self.path[at].0;
        if sources(inst.op) != Some(2) || action(inst.op) != Action::Value {
            return None;
        }
        let other = match (inst.b == inst.a, inst.c == inst.a) {
            (true, false) => inst.c,
            (false, true) => inst.b,
            _ => return None,
        };
        let alone = self.writes.get(&inst.a).is_some_and(|all| all.len() == 1)
            && self.reads.get(&inst.a) == Some(&1)
            && self.writes.contains_key(&other);
        (alone && !self.now.contains_key(&inst.a)).then_some(other)
    }

    fn step(&mut self, at: usize) -> Option<()> {
        let (inst, taken) = self.path[at];
        if let Some(other) = self.summand(at) {
            let row = self.source(other)?;
            self.made.sums.push(Sum { inst, row });
            return Some(());
        }
        if inst.op == Op::Move {
            let row = self.source(inst.b)?;
            self.now.insert(inst.a, row);
            return Some(());
        }
        let action = match inst.op.is_jump() {
            true => Action::Test(taken),
            false => action(inst.op),
        };
        let (first, second) = match action {
            Action::Test(_) => (inst.a, inst.b),
            _ => (inst.b, inst.c),
        };
        let count = if inst.op.is_jump() { 2 } else { sources(inst.op)? };
        let b = if count > 0 { self.source(first)? } else { 0 };
        let c = if count > 1 { self.source(second)? } else { b };
        let stored = if action == Action::Store { self.source(inst.a)? } else { 0 };
        let at = if matches!(action, Action::Load | Action::Store) { self.row() } else { 0 };
        let to = match action {
            Action::Store => stored,
            Action::Test(_) => 0,
            _ => self.row(),
        };
        if !matches!(action, Action::Store | Action::Test(_)) {
            self.now.insert(inst.a, to);
        }
        self.made.steps.push(Step { action, inst, to, at, b, c });
        Some(())
    }

    /// The loop that the jump `end` closes.
    fn finish(mut self, end: Inst) -> Option<RowLoop> {
        (0..self.path.len()).try_for_each(|at| self.step(at))?;
        let slots = [end.a, end.b];
        // A sum may not decide.
        if slots.iter().any(|slot| self.made.sums.iter().any(|sum| sum.inst.a == *slot)) {
            return None;
        }
        let [b, c] = [self.source(end.a)?, self.source(end.b)?];
        let mut needed = vec![false; self.made.rows];
        needed[b] = true;
        needed[c] = true;
        for step in self.made.steps.iter().rev() {
            if !matches!(step.action, Action::Store | Action::Test(_)) && needed[step.to] {
                if step.action != Action::Value {
                    return None;
                }
                needed[step.b] = true;
                needed[step.c] = true;
            }
        }
        let is_first = |step: &Step| step.action == Action::Value && needed[step.to];
        let (mut first, steps) = self.made.steps.iter().partition::<Vec<_>, _>(|it| is_first(it));
        first.push(Step { action: Action::Test(true), inst: end, to: 0, at: 0, b, c });
        let written = |slot: &Slot| self.writes.contains_key(slot);
        let results = self.now.iter().filter(|(slot, _)| written(slot));
        let results = results.map(|(&slot, &row)| (slot, row)).collect();
        Some(RowLoop { first, steps, results, ..self.made })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inst(op: Op, a: Slot, b: Slot, c: Slot) -> Inst {
        Inst { op, a, b, c, x: 4, y: 0 }
    }

    fn jump(op: Op, a: Slot, b: Slot, to: u32) -> Inst {
        Inst { op, a, b, c: 0, x: to, y: 0 }
    }

    fn found(instructions: Vec<Inst>) -> Vec<RowLoop> {
        let mut code = Code { instructions, ..Code::default() };
        find(&mut code);
        let marks = code.instructions.iter().filter(|inst| inst.op == Op::LoopLtS);
        assert_eq!(marks.count(), code.loops.len());
        code.loops
    }

    #[test]
    fn a_product_of_vectors_is_found() {
        // for (; i < n; i += one) sum += a[i] * b[i];
        let (i, n, one, sum, a, b) = (0, 1, 2, 3, 4, 5);
        let all = found(vec![
            inst(Op::LoadX32U, 8, a, i),
            inst(Op::LoadX32U, 9, b, i),
            inst(Op::MulF32, 8, 8, 9),
            inst(Op::AddF32, sum, sum, 8),
            inst(Op::AddI32, i, i, one),
            jump(Op::JumpLtS, i, n, 0),
        ]);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((one.inductions.len(), one.sums.len()), (1, 1));
        // The counter's next value and the comparison are first.
        assert_eq!((one.first.len(), one.steps.len()), (2, 3));
        let results: Vec<_> = one.results.iter().map(|(slot, _)| *slot).collect();
        assert_eq!(results, [i, 8, 9]);
    }

    #[test]
    fn what_is_read_of_the_iteration_before_is_not() {
        let end = || vec![inst(Op::AddI32, 0, 0, 2), jump(Op::JumpLtS, 0, 1, 0)];
        let with = |body: Vec<Inst>| found([body, end()].concat()).len();
        assert_eq!(with(vec![inst(Op::MulI32, 3, 0, 0)]), 1);
        // A Fibonacci number needs both before it.
        let fibonacci =
            vec![inst(Op::AddI32, 8, 3, 4), inst(Op::Move, 3, 4, 0), inst(Op::Move, 4, 8, 0)];
        assert_eq!(with(fibonacci), 0);
        // A sum that is stored in each iteration.
        let running = vec![
            inst(Op::LoadX32S, 8, 5, 0),
            inst(Op::AddI32, 3, 3, 8),
            inst(Op::StoreX32, 3, 5, 0),
        ];
        assert_eq!(with(running), 0);
        // A limit that is loaded decides too late.
        let moved = vec![inst(Op::LoadX32S, 1, 5, 0)];
        assert_eq!(with(moved), 0);
        assert_eq!(with(vec![inst(Op::Library, 8, 0, 0)]), 0);
    }

    #[test]
    fn the_path_goes_around_calls() {
        // if (a[i] != n) call(); in front of the step.
        let all = found(vec![
            inst(Op::LoadX32S, 8, 5, 0),
            jump(Op::JumpEq, 8, 1, 3),
            inst(Op::Library, 9, 0, 0),
            inst(Op::AddI32, 0, 0, 2),
            jump(Op::JumpLtS, 0, 1, 0),
        ]);
        let tests = all[0].steps.iter().filter(|step| step.action == Action::Test(true));
        assert_eq!(tests.count(), 1);
    }
}
