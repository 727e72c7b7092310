//! The affine warp's operations on the values of a block.
//!
//! Sums, and products with a scalar, act on the parts of tuples (Wang and Lin, §3, equations 2 and
//! 3). Operations on scalars are computed once. Comparisons, and with them minimum, maximum and
//! absolute value, are made for each thread and have predicates or divergent tuples as results. For
//! the others (masks, shifts to the right, quotients, conversions) the compiler has proved that the
//! result is a tuple again for all indices. They are computed here for each thread of the block,
//! including inactive ones, and the tuple with these values is searched for. The hardware would use
//! the proved form instead, which is not known here.

use reconverge_isa::{Effect, MAX_LANES, Op, WarpResult, WarpSource, evaluate_warp};

use super::mask::{Level, Mask};
use super::tuple::{Tuple, Value, fit};
use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// A source of an operation in a block.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Absent,
    Value(Value),
    Predicate(Mask),
}

/// A result in a block.
#[derive(Clone, Debug)]
pub(crate) enum Computed {
    Value(Value),
    Predicate(Mask),
}

/// The reasons why the affine warp cannot execute an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A value would need this many tuples.
    TooMany(usize),
    /// The result is no tuple.
    NoTuple,
    /// A thread of the block divides by zero.
    DivisionByZero(u32),
}

/// The work of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Lanes of arithmetic: four for each tuple, one for each comparison of a single thread.
    pub(crate) lanes: u64,
    /// Lanes that the predicate expansion unit can compare: one for a block, or two for a warp.
    pub(crate) compared_lanes: u64,
    /// Cycles in which that unit does it, a block or a warp in each.
    pub(crate) compared: u64,
    /// Warps whose predicate was the same for the whole block, was found by two comparisons, or took one
    /// for each lane.
    pub(crate) classes: [u64; 3],
}

/// Parts of a tuple that are computed side by side: the base and the offset along each dimension.
const PARTS: u64 = 4;

/// A thread's index from its warp and lane.
pub(crate) fn index(code: &Code, warp: usize, lane: usize) -> [u32; 3] {
    [0, 1, 2].map(|axis| code.thread_row(warp, axis)[lane])
}

/// The lanes of a warp in runs: threads of one row of the block within one period of tuples. Each run with its first lane and
/// that lane's index, and how many lanes it has.
pub(super) fn runs(
    code: &Code,
    warp: usize,
    period: u32,
) -> impl Iterator<Item = (usize, [u32; 3], usize)> + use<'_> {
    let lanes = code.shape.mask(warp as u32).count_ones() as usize;
    let mut first = 0;
    std::iter::from_fn(move || {
        if first >= lanes {
            return None;
        }
        let start = index(code, warp, first);
        let row = code.block[0] - start[0];
        let rest = start[0].checked_rem(period).map_or(row, |place| row.min(period - place));
        let run = (first, start, (rest as usize).clamp(1, lanes - first));
        first += run.2;
        Some(run)
    })
}

/// Performs an operation for the active threads of a block.
pub(crate) fn operate(
    code: &Code,
    instruction: &Decoded,
    operands: &[Operand; 3],
    active: &Mask,
    work: &mut Work,
) -> Result<Computed, Failure> {
    let op = instruction.op;
    if let Some(result) = predicate_logic(op, operands) {
        work.lanes += 1;
        return Ok(Computed::Predicate(result));
    }
    // The unit compares tuples; another condition is for the logic on predicates.
    if let (Some((comparison, by)), [a, b, with @ Operand::Predicate(_)]) = (op.parts(), operands) {
        let [first, second, _] = instruction.sources;
        let sources = [first, second, Source::None];
        let compares = Decoded { op: comparison, sources, ..*instruction };
        let operands = [a.clone(), b.clone(), Operand::Absent];
        let computed = operate(code, &compares, &operands, active, work)?;
        let Computed::Predicate(holds) = computed else {
            return Ok(computed);
        };
        // A comparison joins its result with the condition.
        work.compared_lanes += 1;
        let joined = [Operand::Predicate(holds), with.clone(), Operand::Absent];
        return predicate_logic(by, &joined).map(Computed::Predicate).ok_or(Failure::NoTuple);
    }
    let mut evaluator = Evaluator::new(code, instruction);
    let mut regions = vec![(active.clone(), [Tuple::default(); 3])];
    for (at, operand) in operands.iter().enumerate() {
        if let Operand::Value(value) = operand
            && !(is_select(op) && at == 0)
        {
            let refined = regions.into_iter().flat_map(|(mask, tuples)| {
                value.regions(&mask).into_iter().map(move |(mask, tuple)| {
                    let mut tuples = tuples;
                    tuples[at] = tuple;
                    (mask, tuples)
                })
            });
            regions = refined.collect();
        }
    }
    if instruction.effect == Effect::Divide {
        for (mask, tuples) in &regions {
            evaluator.check_divisor(mask, tuples)?;
        }
    }
    if matches!(instruction.target, Target::Predicate(_)) {
        return Ok(Computed::Predicate(evaluator.compare(&regions, active, work)));
    }
    let mut results = Vec::with_capacity(regions.len());
    for (mask, tuples) in regions {
        match (&operands[0], op) {
            (Operand::Predicate(chosen), _) if is_select(op) => {
                let sides = [(mask.and(chosen), tuples[1]), (mask.without(chosen), tuples[2])];
                results.extend(sides.into_iter().filter(|(mask, _)| !mask.is_empty()));
            }
            _ => evaluator.region(mask, &tuples, &mut results, work)?,
        }
    }
    work.lanes += PARTS * results.len() as u64;
    Value::from_regions(results).map(Computed::Value).map_err(Failure::TooMany)
}

fn is_select(op: Op) -> bool {
    matches!(op, Op::Select | Op::Select64)
}

/// The choice of one of two values by a comparison, or of a value and its negation.
fn is_choice(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        MinS32 | MaxS32 | MinU32 | MaxU32 | MinS64 | MaxS64 | MinU64 | MaxU64 | Abs | Abs64
    )
}

/// Operations on predicates only.
fn predicate_logic(op: Op, operands: &[Operand; 3]) -> Option<Mask> {
    match (op, operands) {
        (Op::MovPred, [Operand::Predicate(a), ..]) => Some(a.clone()),
        (Op::AndPred, [Operand::Predicate(a), Operand::Predicate(b), _]) => Some(a.and(b)),
        (Op::OrPred, [Operand::Predicate(a), Operand::Predicate(b), _]) => Some(a.or(b)),
        (Op::XorPred, [Operand::Predicate(a), Operand::Predicate(b), _]) => Some(a.xor(b)),
        _ => None,
    }
}

/// On the parts of tuples, modulo 2^64; nothing if it cannot be done so.
fn by_parts(op: Op, [a, b, c]: &[Tuple; 3]) -> Option<Tuple> {
    let product = |a: &Tuple, b: &Tuple| match (a.as_scalar(), b.as_scalar()) {
        (Some(factor), _) => Some(b.times(factor)),
        (_, Some(factor)) => Some(a.times(factor)),
        _ => None,
    };
    match op {
        Op::Mov | Op::Mov64 | Op::Low => Some(*a),
        Op::Add | Op::Add64 => a.plus(b),
        Op::Sub | Op::Sub64 => a.plus(&b.times(u64::MAX)),
        Op::Mul | Op::Mul64 => product(a, b),
        Op::Mad | Op::Mad64 => product(a, b)?.plus(c),
        Op::Shl | Op::Shl64 => {
            let width = if op == Op::Shl { 32 } else { 64 };
            let factor = b.as_scalar().map(|n| if n < width { 1 << n } else { 0 })?;
            Some(a.times(factor))
        }
        Op::Not | Op::Not64 => a.times(u64::MAX).plus(&Tuple::scalar(u64::MAX)),
        _ => None,
    }
}

/// Evaluates an instruction for the threads of a block.
struct Evaluator<'a> {
    code: &'a Code,
    instruction: &'a Decoded,
    wide: bool,
    /// Once it evaluates for threads.
    rows: Option<Box<Rows>>,
}

/// By source and lane: words of operands; and a result.
#[derive(Default)]
struct Rows {
    low: [Row; 3],
    high: [Row; 3],
    result: WarpResult,
}

/// Words by lane.
struct Row([u32; MAX_LANES]);

impl Default for Row {
    fn default() -> Row {
        Row([0; MAX_LANES])
    }
}

fn is_pair(source: Source) -> bool {
    matches!(source, Source::Register { words: 2.., .. } | Source::Pool { pair: true, .. })
}

impl<'a> Evaluator<'a> {
    fn new(code: &'a Code, instruction: &'a Decoded) -> Evaluator<'a> {
        Evaluator {
            code,
            instruction,
            wide: matches!(instruction.target, Target::Register { words: 2.., .. }),
            rows: None,
        }
    }

    fn rows(&mut self) -> &mut Rows {
        self.rows.get_or_insert_default()
    }

    /// Evaluates the rows for some lanes.
    fn evaluate(&mut self, lanes: usize, mask: u64) {
        let Rows { low, high, result } = &mut **self.rows.get_or_insert_default();
        let sources = [0, 1, 2].map(|at| {
            let source = self.instruction.sources[at];
            if source == Source::None {
                return WarpSource::default();
            }
            let high = if is_pair(source) { &high[at].0[..lanes] } else { &[] };
            WarpSource { low: &low[at].0[..lanes], high, predicate: 0 }
        });
        evaluate_warp(self.code.vectors, self.instruction.op, lanes, mask, sources, result);
    }

    fn put(&mut self, at: usize, lane: usize, value: u64) {
        let rows = self.rows();
        rows.low[at].0[lane] = value as u32;
        rows.high[at].0[lane] = (value >> 32) as u32;
    }

    /// The value that was computed in a lane.
    fn got(&mut self, lane: usize) -> u64 {
        let wide = self.wide;
        let result = &self.rows().result;
        let high = if wide { u64::from(result.high[lane]) << 32 } else { 0 };
        u64::from(result.low[lane]) | high
    }

    /// The lanes of which it has computed that a predicate holds.
    fn holds(&mut self) -> u64 {
        self.rows().result.predicate
    }

    /// Evaluates a warp's lanes.
    fn warp(&mut self, warp: usize, lanes: u64, tuples: &[Tuple; 3]) {
        for (at, tuple) in tuples.iter().enumerate() {
            if self.instruction.sources[at] == Source::None {
                continue;
            }
            for (first, start, count) in runs(self.code, warp, tuple.period) {
                let mut value = tuple.at(start);
                for lane in first..first + count {
                    self.put(at, lane, value);
                    value = value.wrapping_add(tuple.offsets[0]);
                }
            }
        }
        self.evaluate(self.code.shape.width as usize, lanes);
    }

    /// Evaluates once an operation that is equal for all threads.
    fn once(&mut self, tuples: &[Tuple; 3]) -> bool {
        let scalars = tuples.map(|tuple| tuple.as_scalar());
        let [Some(a), Some(b), Some(c)] = scalars else {
            return false;
        };
        [a, b, c].into_iter().enumerate().for_each(|(at, value)| self.put(at, 0, value));
        self.evaluate(1, 1);
        true
    }

    fn narrowed(&self, tuple: Tuple) -> Tuple {
        if self.wide { tuple } else { tuple.word() }
    }

    /// The result for the threads of a region, in which every operand is one tuple.
    fn region(
        &mut self,
        mask: Mask,
        tuples: &[Tuple; 3],
        results: &mut Vec<(Mask, Tuple)>,
        work: &mut Work,
    ) -> Result<(), Failure> {
        let op = self.instruction.op;
        if let Some(tuple) = by_parts(op, tuples) {
            results.push((mask, self.narrowed(tuple)));
        } else if self.once(tuples) {
            results.push((mask, Tuple::scalar(self.got(0))));
        } else if is_choice(op) {
            let other = match op {
                Op::Abs | Op::Abs64 => tuples[0].times(u64::MAX),
                _ => tuples[1],
            };
            let chosen = self.choose(&mask, tuples, work);
            let sides = [(mask.and(&chosen), tuples[0]), (mask.without(&chosen), other)];
            let sides = sides.into_iter().filter(|(mask, _)| !mask.is_empty());
            results.extend(sides.map(|(mask, tuple)| (mask, self.narrowed(tuple))));
        } else {
            let found = self.found(tuples).or_else(|| match op {
                // If it wraps, only the lower half is needed, and it is correct as it is.
                Op::Sext32 | Op::Zext32 => Some(tuples[0]),
                _ => None,
            });
            results.push((mask, found.ok_or(Failure::NoTuple)?));
        }
        Ok(())
    }

    /// The tuple that gives the results of all threads of the block, if there is one.
    fn found(&mut self, tuples: &[Tuple; 3]) -> Option<Tuple> {
        let shape = self.code.shape;
        let mut values = Vec::new();
        for warp in 0..shape.warps() {
            let lanes = shape.mask(warp);
            self.warp(warp as usize, lanes, tuples);
            values.extend(lanes_of(lanes).map(|lane| self.got(lane)));
        }
        fit(self.code.block, &values, self.wide)
    }

    /// The threads whose result is the first operand.
    fn choose(&mut self, mask: &Mask, tuples: &[Tuple; 3], work: &mut Work) -> Mask {
        let mut chosen = mask.clone();
        for warp in mask.occupied() {
            let lanes = mask.lanes(warp);
            self.warp(warp, lanes, tuples);
            work.lanes += u64::from(lanes.count_ones());
            let first = lanes_of(lanes).filter(|&lane| {
                let first = self.narrowed(tuples[0]).at(index(self.code, warp, lane));
                self.got(lane) == if self.wide { first } else { first & 0xffff_ffff }
            });
            let first = first.fold(0, |all, lane| all | 1 << lane);
            chosen.set(warp, first);
        }
        chosen
    }

    fn check_divisor(&mut self, mask: &Mask, tuples: &[Tuple; 3]) -> Result<(), Failure> {
        let divisor = tuples[1];
        let limit = if self.wide { u64::MAX } else { 0xffff_ffff };
        for warp in mask.occupied() {
            let is_zero = |lane: &usize| divisor.at(index(self.code, warp, *lane)) & limit == 0;
            if let Some(lane) = lanes_of(mask.lanes(warp)).find(is_zero) {
                let thread = warp as u32 * self.code.shape.width + lane as u32;
                return Err(Failure::DivisionByZero(thread));
            }
        }
        Ok(())
    }

    /// Compares for the threads of regions that part the active ones (the paper's §4.3).
    fn compare(&mut self, regions: &[(Mask, [Tuple; 3])], active: &Mask, work: &mut Work) -> Mask {
        if let [(mask, tuples)] = regions
            && self.once(tuples)
        {
            work.compared_lanes += 1;
            work.compared += 1;
            work.classes[0] += mask.occupied().count() as u64;
            return if self.holds() & 1 != 0 { mask.clone() } else { mask.without(mask) };
        }
        let mut holds = active.without(active);
        for warp in active.occupied() {
            let mut all = 0;
            let mut parts = regions.iter().filter(|(mask, _)| mask.level(warp) != Level::None);
            let two = match (parts.clone().count(), parts.next()) {
                (1, Some((_, tuples))) => self.takes_two(warp, tuples),
                _ => false,
            };
            for (mask, tuples) in regions {
                let lanes = mask.lanes(warp);
                if lanes != 0 {
                    self.warp(warp, lanes, tuples);
                    all |= self.holds() & lanes;
                }
            }
            holds.set(warp, all);
            if two {
                work.compared_lanes += 2;
                work.compared += 1;
            } else {
                work.lanes += u64::from(self.code.shape.width);
            }
            work.classes[if two { 1 } else { 2 }] += 1;
        }
        holds
    }

    /// Returns true if the comparisons of a warp's first and last thread decide those of all
    /// between. Both operands must lie between theirs without wrapping, and so must the difference,
    /// with both of its ends on one side. That holds in one row where an offset is monotonic, and
    /// in whole rows where all offsets have one sign.
    fn takes_two(&self, warp: usize, tuples: &[Tuple; 3]) -> bool {
        let pair = is_pair(self.instruction.sources[0]);
        let range = range_of(self.instruction.op, pair);
        // Along a run values are monotonic, so those at its ends bound the others.
        let period = match [tuples[0].period, tuples[1].period] {
            [0, period] | [period, 0] => period,
            [a, b] if a == b => a,
            _ => 1,
        };
        let mut ends = Vec::new();
        for (_, start, count) in runs(self.code, warp, period) {
            let [x, y, z] = start;
            ends.push(start);
            if count > 1 {
                ends.push([x + count as u32 - 1, y, z]);
            }
        }
        let [a, b] = [tuples[0], tuples[1]].map(|tuple| exact(&tuple, &ends, pair, range.0 < 0));
        let inside = |values: &[i128]| {
            let ends = [values[0], values[values.len() - 1]];
            ends.iter().all(|end| (range.0..=range.1).contains(end)) && is_bounded(values)
        };
        let difference: Vec<i128> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
        let signs = [difference[0].signum(), difference[difference.len() - 1].signum()];
        inside(&a) && inside(&b) && is_bounded(&difference) && signs[0] == signs[1]
    }
}

/// The values of threads as the first one's and exact differences.
fn exact(tuple: &Tuple, indices: &[[u32; 3]], wide: bool, signed: bool) -> Vec<i128> {
    let part =
        |part: u64| i128::from(if wide { part as i64 } else { i64::from(part as u32 as i32) });
    let mut first = None;
    let values = indices.iter().map(|&index| {
        let (start, base) = *first.get_or_insert_with(|| {
            let value = tuple.at(index);
            let base = match (signed, wide) {
                (true, _) => part(value),
                (false, true) => i128::from(value),
                (false, false) => i128::from(value as u32),
            };
            (index, base)
        });
        let steps = (0..3).map(|axis| {
            part(tuple.offsets[axis]) * (i128::from(index[axis]) - i128::from(start[axis]))
        });
        let periods = i128::from(tuple.periods(index[0])) - i128::from(tuple.periods(start[0]));
        base + steps.sum::<i128>() + part(tuple.jump) * periods
    });
    values.collect()
}

/// Returns true if all values lie between the first and the last.
fn is_bounded(values: &[i128]) -> bool {
    let ends = [values[0], values[values.len() - 1]];
    let range = ends[0].min(ends[1])..=ends[0].max(ends[1]);
    values.iter().all(|value| range.contains(value))
}

/// The numbers that a comparison compares.
fn range_of(op: Op, wide: bool) -> (i128, i128) {
    use Op::*;
    let unsigned = matches!(
        op,
        SetLessU32
            | SetLessEqualU32
            | SetGreaterU32
            | SetGreaterEqualU32
            | SetLessU64
            | SetLessEqualU64
            | SetGreaterU64
            | SetGreaterEqualU64
    );
    match (unsigned, wide) {
        (true, false) => (0, i128::from(u32::MAX)),
        (true, true) => (0, i128::from(u64::MAX)),
        (false, false) => (i128::from(i32::MIN), i128::from(i32::MAX)),
        (false, true) => (i128::from(i64::MIN), i128::from(i64::MAX)),
    }
}
