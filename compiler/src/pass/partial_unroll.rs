//! Partial unrolling of loops whose trip count is known when they are entered at the earliest
//! (Muchnick, "Advanced Compiler Design and Implementation", 1997, 17.4.3): a *main loop* makes
//! several iterations for each test, as long as enough are left; the loop as it was, the *remainder
//! loop*, makes the rest.
//!
//! A loop qualifies if its one exit is a comparison at its end, of a counter that steps by a
//! constant with an invariant limit. On request of the source, the step may also be any invariant
//! value, as in a loop over a grid. Loops with barriers, votes or shuffles stay as they are: their
//! results depend on the participating threads.
//!
//! For machines of today the remainder loop of eight or more iterations is unrolled again, by half the factor, so that its
//! loads overlap too. nvcc does so for today's GPUs: a loop of 16 iterations, then 8, then 4, then one at a time.
//! There a constant trip count also has a remainder rather than a factor of less than half of that for its size.
//!
//! F iterations are left if `counter < limit - (F-1)·step`: the main loop is entered, and
//! continues, as long as that holds. That is exact because it is entered only for limits for which
//! neither side overflows, and for steps that lead towards the limit.

use super::edit::{self, Entered};
use super::iteration::{Copied, Iteration, Outside, Tested, hints, rename_outside};
use super::knobs::Knobs;
use super::unroll::ASKED;
use crate::ir::{Block, Function, Kind, Location, Operands, Type, Value, result_type};
use reconverge_isa::Op;
use reconverge_isa::planted::Planted;
use rustc_hash::FxHashMap;
use std::ops::RangeInclusive;

/// Factors by default, each with the most instructions of an iteration.
const FACTORS: [(u32, usize); 3] = [(8, 10), (4, 32), (2, 48)];

/// The least factor of a main loop whose remainder loop is unrolled too.
const LEAST_WITH_REMAINDER: u32 = 8;

/// Runs the pass.
pub fn run(function: &mut Function, knobs: &Knobs) -> bool {
    let mut unrolled = unroll_loops(function, knobs, None);
    let changed = !unrolled.is_empty();
    if !knobs.is_of_today {
        return changed;
    }
    loop {
        unrolled.retain(|(_, factor)| *factor >= LEAST_WITH_REMAINDER);
        if unrolled.is_empty() {
            return changed;
        }
        unrolled.iter_mut().for_each(|(_, factor)| *factor /= 2);
        unrolled = unroll_loops(function, knobs, Some(&unrolled));
    }
}

/// Factors by the headers of loops.
type Headers = Vec<(Block, u32)>;

/// Unrolls the loops that qualify; with `remainders` only those, by their factors. Returns the headers of unrolled loops,
/// which are now those of their remainder loops.
fn unroll_loops(function: &mut Function, knobs: &Knobs, remainders: Option<&Headers>) -> Headers {
    let (_, loops) = edit::enter_loops(function);
    let hints = hints(function);
    let predecessors = function.predecessors();
    let mut home = vec![Block::ENTRY; function.values.len()];
    for (block, value) in function.placed() {
        home[value.index()] = block;
    }
    let mut inner = vec![false; function.blocks.len()];
    let mut chosen: Vec<(&Entered, Counted, u32)> = Vec::new();
    let mut refused = Vec::new();
    for found in &loops {
        // Inner loops are first. An outer one is unrolled only on request of the source, and its
        // inner ones then stay.
        let is_outer = found.blocks.iter().any(|block| inner[block.index()]);
        inner[found.header.index()] = true;
        let entering = &predecessors[found.header.index()];
        if let Some(tested) = Tested::of(function, found, entering)
            && let test = tested.location(function)
            && let hint = hints.get(&test).copied()
            && (!is_outer || hint.is_some())
            && let Some(counted) = Counted::new(function, &home, found, tested)
        {
            if let Some(remainders) = remainders {
                let own = remainders.iter().find(|(header, _)| *header == found.header);
                chosen.extend(own.map(|&(_, factor)| (found, counted, factor)));
                continue;
            }
            if let Some(trips) =
                counted.trips(function).filter(|&trips| hint == Some(0) && trips > ASKED.0.into())
            {
                let trips = u32::try_from(trips).unwrap_or(u32::MAX);
                refused.push((
                    test,
                    trips,
                    size_of(function, found).saturating_mul(trips as usize),
                ));
            }
            match counted.factor(function, found, hint, knobs) {
                Ok(Some(factor)) => {
                    chosen.retain(|(inner, ..)| !found.contains(inner.header));
                    chosen.push((found, counted, factor));
                }
                Ok(None) => {}
                Err((factor, size)) => refused.push((test, factor, size)),
            }
        }
    }
    for (test, factor, size) in refused {
        function.refuse_unrolling(test, factor, size);
    }
    if chosen.is_empty() {
        return Headers::new();
    }
    let unrolled = chosen.iter().map(|(found, _, factor)| (found.header, *factor)).collect();
    let mut owner = vec![None; function.blocks.len()];
    for (found, ..) in &chosen {
        found.blocks.iter().for_each(|block| owner[block.index()] = Some(found.header));
    }
    let mut escapes = vec![false; function.values.len()];
    for (block, value) in function.placed() {
        let own = owner[block.index()];
        function.kind(value).each_operand(|operand| {
            escapes[operand.index()] |= owner[home[operand.index()].index()] != own;
        });
    }
    let mut unroller = Unroller { function, escapes, owner, joined: Outside::default() };
    for (found, counted, factor) in &chosen {
        unroller.unroll(found, counted, *factor);
    }
    let Unroller { owner, joined, .. } = unroller;
    rename_outside(function, &owner, &joined);
    function.remove_unreachable();
    unrolled
}

/// The number of instructions of an iteration.
fn size_of(function: &Function, found: &Entered) -> usize {
    let values = found.blocks.iter().flat_map(|&block| function.instructions(block));
    let counts = |kind: &Kind| !kind.is_leaf() && !matches!(kind, Kind::Phi(_));
    values.filter(|&&value| counts(function.kind(value))).count()
}

/// Comparisons of whole numbers: a row for each type, signed ones in the even rows; in a row `==`, `!=`, `<`, `>=`, `>`, `<=`.
const COMPARISONS: [[Op; 6]; 4] = [
    [
        Op::SetEqualI32,
        Op::SetNotEqualI32,
        Op::SetLessS32,
        Op::SetGreaterEqualS32,
        Op::SetGreaterS32,
        Op::SetLessEqualS32,
    ],
    [
        Op::SetEqualI32,
        Op::SetNotEqualI32,
        Op::SetLessU32,
        Op::SetGreaterEqualU32,
        Op::SetGreaterU32,
        Op::SetLessEqualU32,
    ],
    [
        Op::SetEqualI64,
        Op::SetNotEqualI64,
        Op::SetLessS64,
        Op::SetGreaterEqualS64,
        Op::SetGreaterS64,
        Op::SetLessEqualS64,
    ],
    [
        Op::SetEqualI64,
        Op::SetNotEqualI64,
        Op::SetLessU64,
        Op::SetGreaterEqualU64,
        Op::SetGreaterU64,
        Op::SetLessEqualU64,
    ],
];

/// A place in a row of [`COMPARISONS`].
type Relation = usize;
const DIFFERS: Relation = 1;
const LESS: Relation = 2;
const AT_LEAST: Relation = 3;
const GREATER: Relation = 4;
const AT_MOST: Relation = 5;

/// The row and the place in it of a comparison.
fn comparison(op: Op) -> Option<(usize, Relation)> {
    let place = |row: &[Op; 6]| row.iter().position(|&other| other == op);
    COMPARISONS.iter().enumerate().find_map(|(row, ops)| Some((row, place(ops)?)))
}

/// The relation that holds where another does not.
fn inverted(relation: Relation) -> Relation {
    relation ^ 1
}

/// The relation of the operands exchanged.
fn exchanged(relation: Relation) -> Relation {
    [0, DIFFERS, GREATER, AT_MOST, LESS, AT_LEAST][relation]
}

/// A loop whose test compares a counter.
struct Counted {
    tested: Tested,
    /// The initial value of the counter, a phi of the header, and its value in the next iteration,
    /// which the test compares.
    start: Value,
    next: Value,
    /// The limit of the comparison; defined before the loop or a leaf.
    limit: Value,
    /// 1 if the step is a variable.
    step: i64,
    /// The step of the counter towards the limit, if it is no constant; defined where the limit may
    /// be. Its negative, if the flag is set.
    variable: Option<(Value, bool)>,
    /// The loop continues if this holds of the next counter and the limit.
    relation: Relation,
    row: usize,
}

impl Counted {
    fn new(
        function: &Function,
        home: &[Block],
        found: &Entered,
        tested: Tested,
    ) -> Option<Counted> {
        let mut values = found.blocks.iter().flat_map(|&block| function.instructions(block));
        let meets = |value: &Value| {
            matches!(
                function.kind(*value),
                Kind::Collective(..) | Kind::Matched(..) | Kind::Enqueue(..) | Kind::Dequeue(..)
            )
        };
        if values.any(meets) {
            return None;
        }
        let &Kind::Compute(op, operands) = function.kind(tested.condition) else {
            return None;
        };
        let (row, relation) = comparison(op)?;
        let relation = if tested.stays { relation } else { inverted(relation) };
        let is_fixed =
            |value: Value| !found.contains(home[value.index()]) || function.kind(value).is_leaf();
        let &[x, y] = &operands[..] else {
            return None;
        };
        let (next, limit, relation) = match (is_fixed(x), is_fixed(y)) {
            (false, true) => (x, y, relation),
            (true, false) => (y, x, exchanged(relation)),
            _ => return None,
        };
        let (sum, subtracts) = match function.kind(next) {
            Kind::Compute(Op::Add | Op::Add64, sum) => (sum, false),
            Kind::Compute(Op::Sub | Op::Sub64, sum) => (sum, true),
            _ => return None,
        };
        let start = |counter: Value| {
            let Kind::Phi(incoming) = function.kind(counter) else {
                return None;
            };
            let from = |block: Block| incoming.iter().find(|at| at.0 == block).map(|at| at.1);
            let is_counter =
                home[counter.index()] == found.header && from(tested.latch) == Some(next);
            from(found.preheader).filter(|_| is_counter)
        };
        let steps = [(sum[0], sum[1]), (sum[1], sum[0])];
        // The minuend is the first.
        let steps = &steps[..if subtracts { 1 } else { 2 }];
        let (start, by) = steps.iter().find_map(|&(counter, by)| Some((start(counter)?, by)))?;
        let goes_down = matches!(relation, GREATER | AT_LEAST);
        let (step, variable) = match function.constant(by) {
            Some(_) if subtracts => return None,
            Some(step) if row < 2 => (i64::from(step as u32 as i32), None),
            Some(step) => (step as i64, None),
            None if is_fixed(by) => (1, Some((by, goes_down != subtracts))),
            None => return None,
        };
        let towards = match relation {
            _ if variable.is_some() => relation != DIFFERS,
            LESS | AT_MOST => step > 0,
            DIFFERS => step.abs() == 1,
            GREATER | AT_LEAST => step < 0,
            _ => false,
        };
        // So that no factor moves the step near the ends of its type.
        let is_small = step.unsigned_abs() < 1 << 16;
        (towards && is_small).then_some(Counted {
            tested,
            start,
            next,
            limit,
            step,
            variable,
            relation,
            row,
        })
    }

    /// Subtraction and addition of the counter's type.
    fn arithmetic(&self) -> (Op, Op) {
        if self.bits() == 32 { (Op::Sub, Op::Add) } else { (Op::Sub64, Op::Add64) }
    }

    /// The number of iterations of the main loop for each test, if it is to be made.
    ///
    /// # Errors
    /// The requested factor, and the number of instructions, too many, that it would make.
    fn factor(
        &self,
        function: &Function,
        found: &Entered,
        hint: Option<u32>,
        knobs: &Knobs,
    ) -> Result<Option<u32>, (u32, usize)> {
        let size = size_of(function, found);
        let trips = self.trips(function);
        let fits = |factor: u32| trips.is_none_or(|trips| i128::from(factor) < trips);
        Ok(match hint {
            // The tests in front of the main loop cost more than most such loops gain.
            None | Some(0) if self.variable.is_some() => None,
            // Instructions are scheduled block by block: copies of several blocks do not group
            // loads.
            None | Some(0) if found.blocks.len() > 1 => None,
            None | Some(0) => {
                let factors = FACTORS.iter().filter(|(factor, most)| {
                    size <= *most && *factor <= knobs.unroll && fits(*factor)
                });
                let divides =
                    |factor: u32| trips.is_none_or(|trips| trips % i128::from(factor) == 0);
                let Some(&(first, _)) = factors.clone().next() else { return Ok(None) };
                let even = factors.map(|&(factor, _)| factor).find(|factor| divides(*factor));
                let few = |even: u32| knobs.is_of_today && 2 * even < first;
                Some(even.filter(|even| !few(*even)).unwrap_or(first))
            }
            Some(factor) => {
                let whole = size.saturating_mul(factor as usize);
                if factor > 1 && fits(factor) && (factor > ASKED.0 || whole > ASKED.1) {
                    return Err((factor, whole));
                }
                (factor > 1 && fits(factor)).then_some(factor)
            }
        })
    }

    /// The bits of a constant as the comparison takes them.
    fn number(&self, bits: u64) -> i128 {
        match self.row {
            0 => i128::from(bits as u32 as i32),
            1 => i128::from(bits as u32),
            2 => i128::from(bits as i64),
            _ => i128::from(bits),
        }
    }

    fn bits(&self) -> u32 {
        if self.row < 2 { 32 } else { 64 }
    }

    /// The numbers of the comparison's type.
    fn range(&self) -> RangeInclusive<i128> {
        match self.row {
            0 => i32::MIN.into()..=i32::MAX.into(),
            1 => 0..=u32::MAX.into(),
            2 => i64::MIN.into()..=i64::MAX.into(),
            _ => 0..=u64::MAX.into(),
        }
    }

    /// The number of executions of the body, if start and limit are constants.
    fn trips(&self, function: &Function) -> Option<i128> {
        let number = |value: Value| Some(self.number(function.constant(value)?));
        if self.variable.is_some() {
            return None;
        }
        let step = i128::from(self.step);
        let (start, limit) = (number(self.start)?, number(self.limit)?);
        let beyond = match self.relation {
            AT_MOST => limit + 1,
            AT_LEAST => limit - 1,
            _ => limit,
        };
        let distance = if step > 0 { beyond - start } else { start - beyond };
        let distance = match self.relation {
            DIFFERS => distance.rem_euclid(1 << self.bits()),
            _ => distance,
        };
        (distance > 0).then(|| (distance - 1) / step.abs() + 1)
    }

    /// The limits for which the main loop's tests are exact: neither the limit moved by all iterations but one, nor the counter
    /// moved past the limit by less than a step, leaves the type.
    fn room(&self, factor: u32) -> RangeInclusive<i128> {
        let (step, others) = (i128::from(self.step), i128::from(factor) - 1);
        let range = self.range();
        match self.relation {
            DIFFERS => range,
            _ if step > 0 => range.start() + others * step..=range.end() - step,
            _ => range.start() - step..=range.end() + others * step,
        }
    }
}

/// The places of a main loop's tests, and the number of its iterations.
#[derive(Clone, Copy)]
struct Places {
    before: Block,
    latch: Block,
    factor: u32,
}

struct Unroller<'a> {
    function: &'a mut Function,
    /// By value: true if it is read outside of its loop.
    escapes: Vec<bool>,
    /// By block: the header of the unrolled loop that it, or its original, is in.
    owner: Vec<Option<Block>>,
    /// The replacement of a loop's value after it, with the loop's header.
    joined: Outside,
}

impl Unroller<'_> {
    fn unroll(&mut self, found: &Entered, counted: &Counted, factor: u32) {
        let trips = counted.trips(self.function);
        // Nothing is left for the loop as it was.
        let is_whole = trips.is_some_and(|trips| trips % i128::from(factor) == 0)
            && (self.function.constant(counted.limit))
                .is_some_and(|bits| counted.room(factor).contains(&counted.number(bits)));
        let limit = self.before(found.preheader, counted.limit);
        let step = counted.variable.map(|(step, is_negated)| {
            let step = self.before(found.preheader, step);
            match is_negated {
                false => step,
                true => {
                    let zero = self.constant(found.preheader, counted, 0);
                    let location = counted.tested.location(self.function);
                    self.compute(found.preheader, counted.arithmetic().0, &[zero, step], location)
                }
            }
        });
        let original = Iteration::of(self.function, found, counted.tested.latch);
        let mut starts = FxHashMap::default();
        for (phi, _) in original.ends() {
            let own = self.function.instruction(phi).clone();
            starts.insert(phi, self.function.add(own.kind, own.ty, own.location));
        }
        let first = original.copy(self.function, starts.clone());
        let (main, mut latch) = (first.blocks[&found.header], first.blocks[&counted.tested.latch]);
        let mut end = first;
        for _ in 1..factor {
            let next = original.copy(self.function, original.after(&end));
            edit::set_terminator(self.function, latch, Kind::Jump(next.blocks[&found.header]));
            latch = next.blocks[&counted.tested.latch];
            end = next;
        }
        let (rest, join) = (self.function.add_block(), self.function.add_block());
        self.owner.resize(self.function.blocks.len(), Some(found.header));
        for (block, to) in [(rest, join), (join, counted.tested.exit)] {
            let jump =
                self.function.add(Kind::Jump(to), None, counted.tested.location(self.function));
            self.function.blocks[block.index()].instructions.push(jump);
        }
        for (at, (phi, ending)) in original.ends().enumerate() {
            let (own, ending) = (starts[&phi], end.value(ending));
            self.function.blocks[main.index()].instructions.insert(at, own);
            self.change_phi(own, |incoming| {
                incoming.retain(|(from, _)| *from == found.preheader);
                incoming.push((latch, ending));
            });
            self.change_phi(phi, |incoming| incoming.push((rest, ending)));
        }
        self.join(counted, &original, &end, rest, join);
        let next = end.value(counted.next);
        let places = Places { before: found.preheader, latch, factor };
        let [enters, goes_on] = match counted.relation {
            DIFFERS => self.distances(places, counted, limit, next),
            _ => match step {
                Some(step) => self.variable_limits(places, counted, limit, next, step),
                None => self.limits(places, counted, limit, next),
            },
        };
        edit::set_terminator(self.function, latch, Kind::Branch(goes_on, main, rest));
        if is_whole {
            edit::set_terminator(self.function, found.preheader, Kind::Jump(main));
            return;
        }
        edit::set_terminator(
            self.function,
            found.preheader,
            Kind::Branch(enters, main, found.header),
        );
        let left = self.compare(counted, rest, counted.relation, [next, limit]);
        if !Planted::RemainderForgotten.is_on() {
            edit::set_terminator(self.function, rest, Kind::Branch(left, found.header, join));
        }
    }

    /// The tests for entering the main loop, and for its next iteration with another value of the
    /// counter: true as long as it is before the limit moved towards it.
    fn limits(&mut self, at: Places, counted: &Counted, limit: Value, next: Value) -> [Value; 2] {
        let Places { before, latch, factor } = at;
        let location = counted.tested.location(self.function);
        let (subtract, add) = counted.arithmetic();
        let by = self.constant(
            before,
            counted,
            i128::from(counted.step) * i128::from(1 - i64::from(factor)),
        );
        let near = self.compute(before, add, &[limit, by], location);
        let near = if Planted::MainLoopTooLong.is_on() { limit } else { near };
        let left = self.compare(counted, before, counted.relation, [counted.start, near]);
        let room = counted.room(factor);
        let low = self.constant(before, counted, *room.start());
        let most = self.constant(before, counted, room.end() - room.start());
        let distance = self.compute(before, subtract, &[limit, low], location);
        let is_apart = COMPARISONS[counted.row | 1][AT_MOST];
        let is_apart = self.compute(before, is_apart, &[distance, most], location);
        let enters = self.compute(before, Op::AndPred, &[left, is_apart], location);
        [enters, self.compare(counted, latch, counted.relation, [next, near])]
    }

    /// The limits if the step is a variable. The main loop is entered only if the step leads
    /// towards the limit and is so small that the steps of all its iterations fit into a quarter of
    /// the type. In addition, neither the limit moved by all of them but one, nor the counter when
    /// it passes the limit, may leave the type.
    fn variable_limits(
        &mut self,
        at: Places,
        counted: &Counted,
        limit: Value,
        next: Value,
        step: Value,
    ) -> [Value; 2] {
        let Places { before, latch, factor } = at;
        let location = counted.tested.location(self.function);
        let (subtract, add) = counted.arithmetic();
        let multiply = if counted.bits() == 32 { Op::Mul } else { Op::Mul64 };
        let less = self.constant(before, counted, -1);
        let less = self.compute(before, add, &[step, less], location);
        let most = (1 << (counted.bits() - 2)) / i128::from(factor);
        let most = self.constant(before, counted, most);
        let fits = COMPARISONS[counted.row | 1][LESS];
        let fits = self.compute(before, fits, &[less, most], location);
        let others = self.constant(before, counted, i128::from(factor) - 1);
        let others = self.compute(before, multiply, &[step, others], location);
        let (back, (above, below)) = match counted.relation {
            LESS | AT_MOST => (subtract, (others, step)),
            _ => (add, (step, others)),
        };
        let near = self.compute(before, back, &[limit, others], location);
        let near = if Planted::MainLoopTooLong.is_on() { limit } else { near };
        let left = self.compare(counted, before, counted.relation, [counted.start, near]);
        let start = self.constant(before, counted, *counted.range().start());
        let start = self.compute(before, add, &[start, above], location);
        let low = self.compare(counted, before, AT_LEAST, [limit, start]);
        let end = self.constant(before, counted, *counted.range().end());
        let end = self.compute(before, subtract, &[end, below], location);
        let high = self.compare(counted, before, AT_MOST, [limit, end]);
        let mut enters = fits;
        for test in [low, high, left] {
            enters = self.compute(before, Op::AndPred, &[enters, test], location);
        }
        [enters, self.compare(counted, latch, counted.relation, [next, near])]
    }

    /// A value that stays the same in the loop, in front of it: leaves may be within.
    fn before(&mut self, preheader: Block, value: Value) -> Value {
        if !self.function.kind(value).is_leaf() {
            return value;
        }
        let leaf = self.function.instruction(value).clone();
        self.put(preheader, leaf.kind, leaf.ty, leaf.location)
    }

    /// The limits by the distance of the counter from a limit that it meets.
    fn distances(
        &mut self,
        at: Places,
        counted: &Counted,
        limit: Value,
        next: Value,
    ) -> [Value; 2] {
        let (subtract, _) = counted.arithmetic();
        let location = counted.tested.location(self.function);
        [(at.before, counted.start), (at.latch, next)].map(|(block, counter)| {
            let operands = if counted.step > 0 { [limit, counter] } else { [counter, limit] };
            let distance = self.compute(block, subtract, &operands, location);
            let most = self.constant(block, counted, i128::from(at.factor) - 1);
            self.compute(block, COMPARISONS[counted.row | 1][GREATER], &[distance, most], location)
        })
    }

    /// A value read after the loop is that of either of both.
    fn join(
        &mut self,
        counted: &Counted,
        original: &Iteration,
        end: &Copied,
        rest: Block,
        join: Block,
    ) {
        let header = self.owner[counted.tested.latch.index()];
        let escaping = original.values().filter(|value| self.escapes[value.index()]);
        for (at, value) in escaping.enumerate() {
            let own = self.function.instruction(value);
            let (ty, location) = (own.ty, own.location);
            let mut incoming = vec![(counted.tested.latch, value), (rest, end.value(value))];
            incoming.sort();
            let phi = self.function.add(Kind::Phi(incoming), ty, location);
            self.function.blocks[join.index()].instructions.insert(at, phi);
            self.joined.extend(header.map(|header| (value, (header, phi))));
        }
        counted.tested.leave_from(self.function, join);
        let test = &mut self.function.values[counted.tested.test.index()].kind;
        test.map_blocks(|to| if to == counted.tested.exit { join } else { to });
    }

    fn change_phi(&mut self, phi: Value, change: impl FnOnce(&mut Vec<(Block, Value)>)) {
        if let Kind::Phi(incoming) = &mut self.function.values[phi.index()].kind {
            change(incoming);
            incoming.sort();
        }
    }

    /// Puts an instruction at the end of a block.
    fn put(&mut self, block: Block, kind: Kind, ty: Option<Type>, location: Location) -> Value {
        let value = self.function.add(kind, ty, location);
        edit::place_last(self.function, block, &[value]);
        value
    }

    fn compute(&mut self, block: Block, op: Op, operands: &[Value], location: Location) -> Value {
        let kind = Kind::Compute(op, Operands::new(operands));
        self.put(block, kind, result_type(op), location)
    }

    /// A number of the counter's type.
    fn constant(&mut self, block: Block, counted: &Counted, number: i128) -> Value {
        let ty = if counted.bits() == 32 { Type::B32 } else { Type::B64 };
        let location = counted.tested.location(self.function);
        self.put(block, Kind::Constant(number as u64 & ty.mask()), Some(ty), location)
    }

    fn compare(
        &mut self,
        counted: &Counted,
        block: Block,
        relation: Relation,
        operands: [Value; 2],
    ) -> Value {
        let location = counted.tested.location(self.function);
        self.compute(block, COMPARISONS[counted.row][relation], &operands, location)
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::{Function, parse::parse, verify};
    use crate::pass::Knobs;

    /// A loop from the first parameter to the second.
    fn counted(body: &str, step: &str, test: &str) -> String {
        format!(
            "  %0 = param.b32 0\n  %1 = param.b32 4\n  %2 = const.b32 {step}\n  jump b1\nb1:\n  \
             %3 = phi.b32 b0 %0, b1 %4\n{body}  %4 = add.i32 %3, %2\n  \
             %5 = {test}\n  branch %5, b1, b2 !7:5\nb2:\n  st.global.b32 %3, %4\n  return"
        )
    }

    fn unrolled(blocks: &str, hint: &str, unroll: u32) -> (bool, Function) {
        unrolled_with(blocks, hint, Knobs { unroll, ..Knobs::default() })
    }

    fn unrolled_with(blocks: &str, hint: &str, knobs: Knobs) -> (bool, Function) {
        let text =
            format!("kernel k {{\n  param \"a\" 0 4\n  param \"b\" 4 4\n{hint}b0:\n{blocks}\n}}");
        let mut function = parse(&text).unwrap().functions.remove(0);
        assert_eq!(verify(&function), []);
        let changed = super::run(&mut function, &knobs);
        assert_eq!(verify(&function), []);
        (changed, function)
    }

    #[test]
    fn a_main_loop_comes_before_the_loop() {
        let text = counted("", "1", "setp.lt.s32 %4, %1");
        let (_, function) = unrolled(&text, "  unroll 2 !7:5\n", 16);
        let text = function.to_string();
        let main = "b3:\n\
             \x20 %11 = phi.b32 b0 %0, b4 %15\n\
             \x20 %12 = add.i32 %11, %2\n\
             \x20 %13 = setp.lt.s32 %12, %1\n\
             \x20 jump b4 !7:5\n\
             b4:\n\
             \x20 %15 = add.i32 %12, %2\n\
             \x20 %16 = setp.lt.s32 %15, %1\n\
             \x20 %30 = setp.lt.s32 %15, %23 !7:5\n\
             \x20 branch %30, b3, b5 !7:5\n\
             b5:\n\
             \x20 %31 = setp.lt.s32 %15, %10 !7:5\n\
             \x20 branch %31, b1, b6 !7:5\n\
             b6:\n\
             \x20 %20 = phi.b32 b1 %3, b5 %12\n\
             \x20 %21 = phi.b32 b1 %4, b5 %15\n\
             \x20 jump b2 !7:5\n\
             }\n";
        let before = "\x20 %22 = const.b32 -1 !7:5\n\
             \x20 %23 = add.i32 %10, %22 !7:5\n\
             \x20 %24 = setp.lt.s32 %0, %23 !7:5\n\
             \x20 %25 = const.b32 0x80000001 !7:5\n\
             \x20 %26 = const.b32 -3 !7:5\n\
             \x20 %27 = sub.i32 %10, %25 !7:5\n\
             \x20 %28 = setp.le.u32 %27, %26 !7:5\n\
             \x20 %29 = and.pred %24, %28 !7:5\n\
             \x20 branch %29, b3, b1\n";
        assert!(text.ends_with(main) && text.contains(before), "{text}");
    }

    #[test]
    fn tests_of_all_forms_are_counted() {
        for (step, test) in [
            ("1", "setp.lt.s32 %4, %1"),
            ("3", "setp.le.u32 %4, %1"),
            ("3", "setp.gt.s32 %1, %4"),
            ("4294967295", "setp.gt.s32 %4, %1"),
            ("4294967291", "setp.ge.u32 %4, %1"),
            ("1", "setp.ne.i32 %4, %1"),
            ("4294967295", "setp.ne.i32 %4, %1"),
        ] {
            assert!(unrolled(&counted("", step, test), "", 16).0, "{step} {test}");
        }
        for (step, test) in [
            // Away from the limit, or past it.
            ("4294967295", "setp.lt.s32 %4, %1"),
            ("1", "setp.gt.s32 %4, %1"),
            ("2", "setp.ne.i32 %4, %1"),
            ("1", "setp.eq.i32 %4, %1"),
            ("65536", "setp.lt.s32 %4, %1"),
            // Not the next counter, or a limit that changes.
            ("1", "setp.lt.s32 %3, %1"),
            ("1", "setp.lt.s32 %4, %3"),
        ] {
            assert!(!unrolled(&counted("", step, test), "", 16).0, "{step} {test}");
        }
    }

    #[test]
    fn a_step_that_is_no_constant_is_unrolled_where_that_is_asked_for() {
        let text = counted("  st.global.b32 %0, %3\n", "1", "setp.lt.s32 %4, %1")
            .replace("%2 = const.b32 1", "%2 = special ntid.x");
        assert!(!unrolled(&text, "", 16).0);
        let (changed, function) = unrolled(&text, "  unroll 4 !7:5\n", 16);
        let stores = function.to_string().matches("st.global.b32 %0").count();
        assert_eq!((changed, stores), (true, 5));
        // The direction of the step is tested when the loop is entered.
        for (add, test) in
            [("add.i32", "setp.gt.s32"), ("sub.i32", "setp.ge.s32"), ("sub.i32", "setp.lt.u32")]
        {
            let other = text.replace("add.i32", add).replace("setp.lt.s32", test);
            let (changed, function) = unrolled(&other, "  unroll 4 !7:5\n", 16);
            let stores = function.to_string().matches("st.global.b32 %0").count();
            assert_eq!((changed, stores), (true, 5), "{add} {test}");
        }
        let differs = text.replace("setp.lt.s32", "setp.ne.i32");
        assert!(!unrolled(&differs, "  unroll 4 !7:5\n", 16).0);
    }

    #[test]
    fn what_others_take_part_in_stays() {
        let test = "setp.lt.s32 %4, %1";
        assert!(unrolled(&counted("  st.global.b32 %0, %3\n", "1", test), "", 16).0);
        assert!(!unrolled(&counted("  bar.sync\n", "1", test), "  unroll 4 !7:5\n", 16).0);
    }

    #[test]
    fn the_factor_is_that_of_the_source_or_goes_by_size() {
        let text =
            |stores| counted(&"  st.global.b32 %0, %3\n".repeat(stores), "1", "setp.lt.s32 %4, %1");
        let stores = |stores: usize, hint: &str, unroll| {
            let (_, function) = unrolled(&text(stores), hint, unroll);
            function.to_string().matches("st.global.b32 %0").count() / stores
        };
        // The remainder loop is one more.
        assert_eq!(stores(1, "", 16), 9);
        assert_eq!(stores(1, "", 4), 5);
        assert_eq!(stores(1, "", 1), 1);
        assert_eq!(stores(20, "", 16), 5);
        assert_eq!(stores(40, "", 16), 3);
        assert_eq!(stores(60, "", 16), 1);
        assert_eq!(stores(1, "  unroll 1 !7:5\n", 16), 1);
        assert_eq!(stores(60, "  unroll 7 !7:5\n", 1), 8);
    }

    #[test]
    fn a_known_trip_count_leaves_no_remainder_if_it_can() {
        let known = |start: u32, end: u32| {
            let text = counted("  st.global.b32 %0, %3\n", "1", "setp.lt.s32 %4, %1")
                .replace("param.b32 0", &format!("const.b32 {start}"))
                .replace("param.b32 4", &format!("const.b32 {end}"));
            unrolled(&text, "", 16).1.to_string().matches("st.global.b32 %0").count()
        };
        assert_eq!(known(0, 64), 8);
        assert_eq!(known(0, 68), 4);
        assert_eq!(known(0, 67), 9);
        assert_eq!(known(1 << 31, (1 << 31) + 24), 8);
        assert_eq!(known((1 << 31) - 66, (1 << 31) - 2), 8);
        // The counter would overflow in the main loop's last test: it is not entered.
        assert_eq!(known((1 << 31) - 65, (1 << 31) - 1), 9);
    }

    #[test]
    fn a_remainder_of_seven_iterations_makes_four_at_once_on_a_machine_of_today() {
        let text =
            |stores| counted(&"  st.global.b32 %0, %3\n".repeat(stores), "1", "setp.lt.s32 %4, %1");
        let copies = |stores: usize, hint: &str| {
            let knobs = Knobs { is_of_today: true, ..Knobs::default() };
            let (_, function) = unrolled_with(&text(stores), hint, knobs);
            assert_eq!(verify(&function), []);
            function.to_string().matches("st.global.b32 %0").count() / stores
        };
        assert_eq!(copies(1, ""), 8 + 4 + 1);
        assert_eq!(copies(20, ""), 4 + 1, "a remainder of three");
        assert_eq!(copies(1, "  unroll 16 !7:5\n"), 16 + 8 + 4 + 1);
    }
}
