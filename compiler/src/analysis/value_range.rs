//! Value ranges: the bounds of each integer, and its bits that are zero (Harrison, "Compiler
//! Analysis of the Value Ranges for Variables", 1977; as an abstract interpretation with widening,
//! Cousot and Cousot, 1976).
//!
//! It claims this for every launch. Numbers wrap as the machine's do: a sum that may leave its type has no
//! range. A loop's counter keeps its range because the test that leads back to the loop bounds it.

use super::dominators::DominatorTree;
use super::sparse;
use super::transfer::{Relation, relation};
use crate::ir::{Block, Function, Kind, Operands, Type, Value};
use reconverge_isa::planted::Planted;
use reconverge_isa::{Op, Special, Width};

/// The range of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least, read as a signed number of the type.
    pub low: i64,
    /// The greatest value; below the least for a value that no thread computes.
    pub high: i64,
    /// Bits that are certainly zero; those above the type's are.
    pub zeros: u64,
}

/// The most dominators at which a condition is looked for.
const STEPS: usize = 8;
/// The depth to which conditions joined by `&&` and `||` are examined.
const DEPTH: u32 = 4;
/// The most threads of a block, and one less than the most blocks of a grid along x, y and z (spec/machine.md).
const MOST_THREADS: i64 = 32768;
const LAST_BLOCK: [i64; 3] = [(1 << 31) - 2, 65534, 65534];

impl Range {
    const NONE: Range = Range { low: 1, high: 0, zeros: u64::MAX };

    /// Everything of a type.
    pub fn all(ty: Type) -> Range {
        match ty {
            Type::Pred => Range::between(0, 1, ty),
            Type::B32 => Range { low: i32::MIN.into(), high: i32::MAX.into(), zeros: !ty.mask() },
            Type::B64 | Type::B128 => Range { low: i64::MIN, high: i64::MAX, zeros: 0 },
        }
    }

    /// From one number to another, everything of the type if they do not fit into it.
    fn between(low: impl Into<i128>, high: impl Into<i128>, ty: Type) -> Range {
        let (low, high) = (low.into(), high.into());
        let (least, most): (i128, i128) = match ty {
            Type::Pred => (0, 1),
            Type::B32 => (i32::MIN.into(), i32::MAX.into()),
            Type::B64 | Type::B128 => (i64::MIN.into(), i64::MAX.into()),
        };
        if low < least || most < high {
            return Range::all(ty);
        }
        Range { low: low as i64, high: high as i64, zeros: !ty.mask() }.normal(ty)
    }

    fn of_bits(bits: u64, ty: Type) -> Range {
        let number = super::transfer::signed(bits, ty);
        Range { low: number, high: number, zeros: !(bits & ty.mask()) }
    }

    /// Returns true if it is empty: no thread computes the value.
    pub fn is_empty(&self) -> bool {
        self.low > self.high
    }

    /// Returns true if the number, read as signed, is never negative.
    pub fn is_not_negative(&self) -> bool {
        0 <= self.low && self.low <= self.high
    }

    /// The one number that it can be.
    pub fn only(&self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The range tightened by its bounds and its bits in turn.
    fn normal(mut self, ty: Type) -> Range {
        if self.is_empty() {
            return Range::NONE;
        }
        let ones = ty.mask() & !self.zeros;
        let sign = 1u64 << (ty.mask().trailing_ones() - 1);
        if ones & sign == 0 && ty != Type::Pred {
            self.low = self.low.max(0);
            self.high = self.high.min(ones as i64);
        }
        if self.low >= 0 {
            self.zeros |= !(u64::MAX.checked_shr((self.high as u64).leading_zeros()).unwrap_or(0));
        }
        if self.is_empty() { Range::NONE } else { self }
    }

    fn with_zeros(mut self, zeros: u64, ty: Type) -> Range {
        self.zeros |= zeros;
        self.normal(ty)
    }

    fn join(self, other: Range) -> Range {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Range {
                low: self.low.min(other.low),
                high: self.high.max(other.high),
                zeros: self.zeros & other.zeros,
            },
        }
    }

    /// The numbers that are in both.
    fn meet(self, low: i64, high: i64, ty: Type) -> Range {
        Range { low: self.low.max(low), high: self.high.min(high), ..self }.normal(ty)
    }

    /// The greatest when the bits are read as unsigned.
    fn most_unsigned(&self, ty: Type) -> u64 {
        if self.is_not_negative() { self.high as u64 } else { ty.mask() & !self.zeros }
    }

    /// Zero bits at the low end.
    fn trailing(&self) -> u32 {
        self.zeros.trailing_ones()
    }
}

/// The ranges of a function's values.
pub struct Ranges<'a> {
    view: View<'a>,
    facts: Vec<Range>,
}

impl<'a> Ranges<'a> {
    /// Analyses a function.
    pub fn new(function: &'a Function) -> Ranges<'a> {
        let mut home = vec![Block::ENTRY; function.values.len()];
        function.placed().for_each(|(block, value)| home[value.index()] = block);
        let (dominators, predecessors) =
            (DominatorTree::dominators(function), function.predecessors());
        let view = View { function, dominators, predecessors, home };
        let facts = sparse::solve(function, Range::NONE, |facts, value| view.of(facts, value));
        Ranges { view, facts }
    }

    /// The range of a value in a block, if the block is reached.
    pub fn at(&self, value: Value, block: Block) -> Range {
        let ty = self.view.function.ty(value);
        let fact = self.facts.get(value.index()).copied().unwrap_or(Range::all(ty));
        let fact = self.view.under(block, value, fact);
        // An operation that is never computed needs no claim.
        if fact.is_empty() { Range::all(ty) } else { fact }
    }
}

/// The inputs of facts.
struct View<'a> {
    function: &'a Function,
    dominators: DominatorTree,
    predecessors: Vec<Vec<Block>>,
    /// By value, its block.
    home: Vec<Block>,
}

impl View<'_> {
    fn of(&self, facts: &[Range], value: Value) -> Range {
        let function = self.function;
        let ty = function.ty(value);
        match function.kind(value) {
            Kind::Constant(bits) => Range::of_bits(*bits, ty),
            Kind::Special(special) => self.special(*special),
            Kind::Load(access, _) => match access.width {
                Width::U8 => Range::between(0, 0xff, ty),
                Width::S8 => Range::between(-0x80, 0x7f, ty),
                Width::U16 => Range::between(0, 0xffff, ty),
                Width::S16 => Range::between(-0x8000, 0x7fff, ty),
                _ => Range::all(ty),
            },
            Kind::Phi(incoming) => {
                let old = facts[value.index()];
                let operands = incoming.iter().map(|&(from, operand)| {
                    let fact = self.under(from, operand, facts[operand.index()]);
                    self.after_branch(from, self.home[value.index()], operand, fact)
                });
                widened(old, operands.fold(old, Range::join), ty)
            }
            Kind::Compute(op, operands) => {
                if operands.iter().any(|operand| facts[operand.index()].is_empty()) {
                    return Range::NONE;
                }
                self.compute(facts, *op, operands, ty)
            }
            _ => Range::all(ty),
        }
    }

    fn special(&self, special: Special) -> Range {
        let threads = match self.function.max_threads {
            0 => MOST_THREADS,
            threads => i64::from(threads).min(MOST_THREADS),
        };
        let (low, high) = match special {
            Special::TidX | Special::TidY | Special::TidZ => (0, threads - 1),
            Special::NtidX | Special::NtidY | Special::NtidZ => (1, threads),
            Special::CtaidX => (0, LAST_BLOCK[0]),
            Special::CtaidY => (0, LAST_BLOCK[1]),
            Special::CtaidZ => (0, LAST_BLOCK[2]),
            Special::NctaidX => (1, LAST_BLOCK[0] + 1),
            Special::NctaidY => (1, LAST_BLOCK[1] + 1),
            Special::NctaidZ => (1, LAST_BLOCK[2] + 1),
            Special::WarpSize => (1, reconverge_isa::MAX_LANES as i64),
            Special::DynamicShared => (0, i64::from(reconverge_isa::WINDOW_SIZE)),
        };
        Range::between(low, high, Type::B32)
    }

    fn compute(&self, facts: &[Range], op: Op, operands: &Operands, ty: Type) -> Range {
        let fact = |at: usize| facts[operands[at].index()];
        let [a, b] = [0, 1].map(|at| if at < operands.len() { fact(at) } else { Range::NONE });
        let source = self.function.ty(operands[0]);
        match op {
            Op::Mov | Op::Mov64 | Op::MovPred => a,
            Op::Select | Op::Select64 => b.join(fact(2)),
            Op::Sext32 => {
                Range::between(a.low, a.high, ty).with_zeros(a.zeros & source.mask() >> 1, ty)
            }
            Op::Zext32 if a.is_not_negative() => a,
            Op::Zext32 => Range::between(0, source.mask(), ty).with_zeros(a.zeros, ty),
            Op::Low if Range::between(a.low, a.high, ty) != Range::all(ty) => {
                Range::between(a.low, a.high, ty).with_zeros(a.zeros & ty.mask(), ty)
            }
            Op::Low => Range::all(ty).with_zeros(a.zeros & ty.mask(), ty),
            Op::Sext8 => narrowed(a, -0x80, 0x7f, ty),
            Op::Zext8 => narrowed(a, 0, 0xff, ty),
            Op::Sext16 => narrowed(a, -0x8000, 0x7fff, ty),
            Op::Zext16 => narrowed(a, 0, 0xffff, ty),
            Op::Abs | Op::Abs64 => {
                let most = i128::from(a.low).abs().max(i128::from(a.high).abs());
                Range::between(0, most, ty)
            }
            Op::Mul | Op::Mul64 if operands[0] == operands[1] => square(a, ty),
            Op::Popc | Op::Clz | Op::Ffs => Range::between(0, 32, ty),
            Op::Popc64 | Op::Clz64 | Op::Ffs64 => Range::between(0, 64, ty),
            _ if operands.len() == 2 => binary(op, a, b, ty),
            _ => Range::all(ty),
        }
    }

    /// The range of a value in a block, from the conditions on the paths to it.
    fn under(&self, block: Block, value: Value, mut fact: Range) -> Range {
        let mut at = block;
        for _ in 0..STEPS {
            if let [only] = self.predecessors[at.index()][..] {
                fact = self.after_branch(only, at, value, fact);
            }
            match self.dominators.parent(at) {
                Some(above) => at = above,
                None => break,
            }
        }
        fact
    }

    /// The range of a value after the branch from a block to the next.
    fn after_branch(&self, from: Block, to: Block, value: Value, fact: Range) -> Range {
        match self.function.terminator(from).map(|at| self.function.kind(at)) {
            Some(&Kind::Branch(condition, then, otherwise)) if then != otherwise => {
                self.assume(condition, to == then, value, fact, DEPTH)
            }
            _ => fact,
        }
    }

    /// The range of a value when a condition holds, or when it does not.
    fn assume(
        &self,
        condition: Value,
        truth: bool,
        value: Value,
        fact: Range,
        depth: u32,
    ) -> Range {
        if depth == 0 {
            return fact;
        }
        let Kind::Compute(op, operands) = self.function.kind(condition) else {
            return fact;
        };
        match op {
            Op::XorPred if self.function.constant(operands[1]) == Some(1) => {
                return self.assume(operands[0], !truth, value, fact, depth - 1);
            }
            Op::AndPred | Op::OrPred if truth == (*op == Op::AndPred) => {
                let fact = self.assume(operands[0], truth, value, fact, depth - 1);
                return self.assume(operands[1], truth, value, fact, depth - 1);
            }
            _ => {}
        }
        let Some((relation, Some(signed))) = relation(*op) else {
            return fact;
        };
        let relation = if truth { relation } else { relation.negated() };
        if operands[0] == value {
            self.bounded(fact, relation, signed, operands[1])
        } else if operands[1] == value {
            self.bounded(fact, relation.swapped(), signed, operands[0])
        } else {
            fact
        }
    }

    /// The range of a number in this relation with another. Only prior knowledge of the other
    /// counts: facts that change later would have to be followed.
    fn bounded(&self, fact: Range, relation: Relation, signed: bool, other: Value) -> Range {
        let ty = self.function.ty(other);
        let all = Range::all(ty);
        let other = match *self.function.kind(other) {
            Kind::Constant(bits) => Range::of_bits(bits, ty),
            Kind::Special(special) => self.special(special),
            _ => all,
        };
        let beyond = i64::from(Planted::LimitPassed.is_on());
        match relation {
            Relation::Equal if other == all => fact,
            Relation::Equal => fact.meet(other.low, other.high, ty),
            Relation::NotEqual => match other.only() {
                Some(number) if number == fact.low => {
                    fact.meet(number.saturating_add(1), i64::MAX, ty)
                }
                Some(number) if number == fact.high => {
                    fact.meet(i64::MIN, number.saturating_sub(1), ty)
                }
                _ => fact,
            },
            Relation::Less if signed || other.is_not_negative() => {
                let least = if signed { i64::MIN } else { 0 };
                fact.meet(least, other.high.saturating_sub(1), ty)
            }
            Relation::LessEqual if signed || other.is_not_negative() => {
                fact.meet(if signed { i64::MIN } else { 0 }, other.high, ty)
            }
            Relation::Greater if signed || (fact.is_not_negative() && other.is_not_negative()) => {
                fact.meet(other.low.saturating_add(1), i64::MAX, ty)
            }
            Relation::GreaterEqual
                if signed || (fact.is_not_negative() && other.is_not_negative()) =>
            {
                fact.meet(other.low.saturating_add(beyond), i64::MAX, ty)
            }
            _ => fact,
        }
    }
}

/// Bounds that keep moving jump, so that there is an end. The last stop in front of a type's own bounds is that of
/// a counter that a test has bounded.
fn widened(old: Range, new: Range, ty: Type) -> Range {
    if old.is_empty() || new == old {
        return new;
    }
    const STOPS: [i64; 9] = [1, 7, 31, 127, 0x3ff, 0x7fff, 0xffff, 0xff_ffff, 0xfff_ffff];
    let all = Range::all(ty);
    let last = [all.high.saturating_sub(1), all.high];
    let stop = |bound: i64| STOPS.iter().chain(&last).copied().find(|&stop| bound <= stop);
    let high = if new.high > old.high { stop(new.high).unwrap_or(all.high) } else { new.high };
    let low = match new.low {
        low if low >= old.low => low,
        low if low >= 0 => 0,
        // The distance from -1 grows as that of positive numbers from 0 does.
        low => stop(!low).map_or(all.low, |stop| !stop),
    };
    Range { low, high, zeros: new.zeros }
}

/// So many ones.
fn low_mask(count: u32) -> u64 {
    1u64.checked_shl(count).unwrap_or(0).wrapping_sub(1)
}

fn narrowed(a: Range, low: i64, high: i64, ty: Type) -> Range {
    if low <= a.low && a.high <= high { a } else { Range::between(low, high, ty) }
}

/// An operation of two integers.
fn binary(op: Op, a: Range, b: Range, ty: Type) -> Range {
    use Op::*;
    let all = Range::all(ty);
    let [al, ah, bl, bh] = [a.low, a.high, b.low, b.high].map(i128::from);
    let both = a.is_not_negative() && b.is_not_negative();
    match op {
        Add | Add64 => Range::between(al + bl, ah + bh, ty)
            .with_zeros(low_mask(a.trailing().min(b.trailing())), ty),
        Sub | Sub64 => Range::between(al - bh, ah - bl, ty)
            .with_zeros(low_mask(a.trailing().min(b.trailing())), ty),
        Mul | Mul64 => product(a, b, ty),
        And | And64 => {
            let mut found = all;
            for one in [a, b].into_iter().filter(Range::is_not_negative) {
                found = found.meet(0, one.high, ty);
            }
            found.with_zeros(a.zeros | b.zeros, ty)
        }
        Or | Or64 | Xor | Xor64 => all.with_zeros(a.zeros & b.zeros, ty),
        Shl | Shl64 | ShrU32 | ShrU64 | ShrS32 | ShrS64 => shift(op, a, b, ty),
        DivS32 | DivS64 | DivU32 | DivU64 if both => {
            Range::between(al / bh.max(1), ah / bl.max(1), ty)
        }
        DivU32 | DivU64 if a.is_not_negative() => Range::between(0, ah, ty),
        DivS32 | DivS64 if b.low > 0 => Range::between(al.min(0), ah.max(0), ty),
        RemU32 | RemU64 | RemS32 | RemS64 if both => Range::between(0, ah.min((bh - 1).max(0)), ty),
        RemS32 | RemS64 if b.low > 0 => {
            let most = bh - 1;
            Range::between(al.min(0).max(-most), ah.max(0).min(most), ty)
        }
        RemS32 | RemS64 if a.is_not_negative() => Range::between(0, ah, ty),
        RemU32 | RemU64 if b.is_not_negative() => Range::between(0, (bh - 1).max(0), ty),
        RemU32 | RemU64 if a.is_not_negative() => Range::between(0, ah, ty),
        MinS32 | MinS64 => Range::between(al.min(bl), ah.min(bh), ty),
        MaxS32 | MaxS64 => Range::between(al.max(bl), ah.max(bh), ty),
        MinU32 | MinU64 if both => Range::between(al.min(bl), ah.min(bh), ty),
        MinU32 | MinU64 if a.is_not_negative() => Range::between(0, ah, ty),
        MinU32 | MinU64 if b.is_not_negative() => Range::between(0, bh, ty),
        MaxU32 | MaxU64 if both => Range::between(al.max(bl), ah.max(bh), ty),
        MulHighU32 | MulHighU64 => {
            let product = u128::from(a.most_unsigned(ty)) * u128::from(b.most_unsigned(ty));
            let most = product >> ty.mask().trailing_ones();
            i128::try_from(most).map_or(all, |most| Range::between(0, most, ty))
        }
        _ => all,
    }
}

/// A number times itself: not negative unless it wraps.
fn square(a: Range, ty: Type) -> Range {
    let [low, high] = [a.low, a.high].map(|end| i128::from(end) * i128::from(end));
    let least = if a.low <= 0 && a.high >= 0 { 0 } else { low.min(high) };
    Range::between(least, low.max(high), ty)
}

fn product(a: Range, b: Range, ty: Type) -> Range {
    let corners =
        [a.low, a.high].map(|one| [b.low, b.high].map(|other| i128::from(one) * i128::from(other)));
    let [[first, second], [third, fourth]] = corners;
    let least = first.min(second).min(third).min(fourth);
    let most = first.max(second).max(third).max(fourth);
    let zeros = low_mask((a.trailing() + b.trailing()).min(64));
    Range::between(least, most, ty).with_zeros(zeros, ty)
}

fn shift(op: Op, a: Range, count: Range, ty: Type) -> Range {
    let all = Range::all(ty);
    let bits = i64::from(ty.mask().trailing_ones());
    let known = count.only().filter(|&count| (0..bits).contains(&count)).map(|count| count as u32);
    match (op, known) {
        (Op::Shl | Op::Shl64, Some(count)) => {
            let by = 1i128 << count;
            let range = Range::between(i128::from(a.low) * by, i128::from(a.high) * by, ty);
            range.with_zeros(a.zeros << count | low_mask(count), ty)
        }
        (Op::ShrU32 | Op::ShrU64, Some(count)) if !a.is_not_negative() => {
            let most = (a.most_unsigned(ty) & ty.mask()) >> count;
            let zeros = (a.zeros & ty.mask()) >> count | !(ty.mask() >> count);
            Range::between(0, most, ty).with_zeros(zeros, ty)
        }
        (Op::ShrU32 | Op::ShrU64 | Op::ShrS32 | Op::ShrS64, Some(count)) => {
            let range = Range::between(a.low >> count, a.high >> count, ty);
            let zeros =
                if a.is_not_negative() { a.zeros >> count | !(u64::MAX >> count) } else { 0 };
            range.with_zeros(zeros, ty)
        }
        (Op::ShrU32 | Op::ShrU64 | Op::ShrS32 | Op::ShrS64, None) if a.is_not_negative() => {
            Range::between(0, a.high, ty)
        }
        (Op::ShrS32 | Op::ShrS64, None) => Range::between(a.low, a.high.max(-1), ty),
        _ => all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::parse::parse;

    fn bounds(text: &str, value: u32) -> (i64, i64) {
        let function = parse(text).unwrap().functions.remove(0);
        let ranges = Ranges::new(&function);
        let home = function.placed().find(|(_, at)| *at == Value(value)).unwrap().0;
        let found = ranges.at(Value(value), home);
        (found.low, found.high)
    }

    const LOOP: &str = "kernel k {\nb0:\n %0 = param.b32 0\n %1 = const.b32 0\n %2 = const.b32 STEP\n \
                        %3 = setp.lt.s32 %1, %0\n branch %3, b1, b3\nb1:\n \
                        %5 = phi.b32 b0 %1, b2 %6\n %6 = add.i32 %5, %2\n jump b2\nb2:\n \
                        %8 = setp.lt.s32 %6, %0\n branch %8, b1, b3\nb3:\n return\n}";

    #[test]
    fn a_counter_that_a_test_bounds_is_not_negative_unless_it_may_wrap() {
        let one = LOOP.replace("STEP", "1");
        assert_eq!(bounds(&one, 5), (0, i64::from(i32::MAX) - 1));
        // From the greatest number but one it steps over the limit.
        let two = LOOP.replace("STEP", "2");
        assert_eq!(bounds(&two, 5), (i64::from(i32::MIN), i64::from(i32::MAX) - 1));
    }

    #[test]
    fn a_halved_number_stays_above_its_test() {
        let text = "kernel k {\nb0:\n %0 = special ntid.x\n %1 = const.b32 0\n %2 = const.b32 2\n \
                    jump b1\nb1:\n %4 = phi.b32 b0 %0, b2 %7\n %5 = setp.gt.s32 %4, %1\n \
                    branch %5, b2, b3\nb2:\n %7 = div.s32 %4, %2\n jump b1\nb3:\n return\n}";
        assert_eq!(bounds(text, 7), (0, 16384));
    }

    #[test]
    fn operations_keep_their_numbers_within_their_ranges() {
        // Every operation on pairs of a few numbers, against its range.
        let samples: [i32; 9] = [i32::MIN, -200, -7, -1, 0, 1, 6, 1000, i32::MAX];
        let ops = reconverge_isa::table::TABLE.iter().filter(|row| {
            let word = |index| crate::ir::source_type(row.op, index) == Some(Type::B32);
            crate::ir::computes(row.op) && row.sources.len() == 2 && word(0) && word(1)
        });
        for row in ops.filter(|row| crate::ir::result_type(row.op) == Some(Type::B32)) {
            for (one, other) in samples.into_iter().flat_map(|one| samples.map(|two| (one, two))) {
                for (three, four) in
                    samples.into_iter().flat_map(|one| samples.map(|two| (one, two)))
                {
                    let a = Range::between(one.min(other), one.max(other), Type::B32);
                    let b = Range::between(three.min(four), three.max(four), Type::B32);
                    let range = binary(row.op, a, b, Type::B32);
                    for (x, y) in [(one, three), (one, four), (other, three), (other, four)] {
                        if row.effect == reconverge_isa::Effect::Divide && y == 0 {
                            continue;
                        }
                        let bits = [x as u32 as u64, y as u32 as u64, 0];
                        let bits = reconverge_isa::table::evaluate_lane(row.op, bits).unwrap();
                        let number = i64::from(bits as u32 as i32);
                        assert!(
                            range.low <= number && number <= range.high && bits & range.zeros == 0,
                            "{}: {x}, {y} gives {number}, not within {range:?}",
                            row.mnemonic
                        );
                    }
                }
            }
        }
    }
}
