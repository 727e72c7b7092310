//! The effect of each operation of the machine on uniform and affine values.
//!
//! Everything holds modulo 2 to the width, so sums, differences and products by uniform values stay
//! affine even if they wrap. Operations on single bits or on order (shifts to the right, masks,
//! comparisons, widening) need more knowledge: alignment, or that nothing can wrap.

use super::affine::{
    Base, Coefficient, Condition, Form, INDICES, Launches, Scope, Symbol, WARP, align_of, reduce,
};
use super::quotient::Steps;
use crate::ir::Type;
use reconverge_isa::planted::Planted;
use reconverge_isa::table::evaluate_lane;
use reconverge_isa::{Op, Special};

/// The fact about a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// No execution of it has been seen yet.
    Unreached,
    /// The value is its form; boxed, because most values are generic.
    Form(Box<Form>),
    /// A truth decided by values that are affine in the scope: a comparison, or logic of such.
    Predicate(Scope),
    /// Any thread may have anything.
    Generic,
}

impl Fact {
    /// A form as a fact.
    pub fn of(form: Form) -> Fact {
        if form.scope == Scope::None { Fact::Generic } else { Fact::Form(Box::new(form)) }
    }

    /// A value that all threads of a scope have in common.
    pub fn uniform(scope: Scope, ty: Type) -> Fact {
        Fact::of(Form::uniform(scope, Base::UNKNOWN, ty))
    }

    /// The form, if it has one.
    pub fn form(&self) -> Option<&Form> {
        match self {
            Fact::Form(form) => Some(form),
            _ => None,
        }
    }

    /// Among which threads the value is the same.
    pub fn agreement(&self, condition: Condition) -> Scope {
        match self {
            Fact::Unreached => Scope::Grid,
            Fact::Form(form) => form.agreement(condition),
            Fact::Predicate(_) | Fact::Generic => Scope::None,
        }
    }

    /// The fact as seen by threads of which only those of a scope agree on everything but
    /// constants.
    pub fn within(self, scope: Scope) -> Fact {
        match self {
            _ if scope == Scope::Grid => self,
            Fact::Form(form) if form.is_exact() => Fact::Form(form),
            Fact::Form(form) => Fact::of(form.within(scope)),
            Fact::Predicate(mine) if mine.min(scope) > Scope::None => {
                Fact::Predicate(mine.min(scope))
            }
            Fact::Predicate(_) => Fact::Generic,
            other => other,
        }
    }

    /// The fact without the names of values in coefficients: they may have been computed again
    /// since.
    pub fn anonymous(self) -> Fact {
        match self {
            Fact::Form(mut form) => {
                form.forget_values();
                Fact::Form(form)
            }
            other => other,
        }
    }

    /// The fact about a value that is one or the other, the same for all threads of a scope.
    pub fn meet(&self, other: &Fact, condition: Condition) -> Fact {
        match (self, other) {
            (Fact::Unreached, fact) | (fact, Fact::Unreached) => fact.clone(),
            (Fact::Form(one), Fact::Form(other)) => {
                if one == other {
                    return self.clone();
                }
                let met = one.meet(other).map(Fact::of);
                let agreement = one.agreement(condition).min(other.agreement(condition));
                match met {
                    // Two values that are both uniform in a warp.
                    Some(met) if met.agreement(condition) >= agreement => met,
                    _ if agreement > Scope::None => Fact::of(blank(one, agreement)),
                    met => met.unwrap_or(Fact::Generic),
                }
            }
            (Fact::Predicate(one), Fact::Predicate(other)) => Fact::Predicate(*one.min(other)),
            (Fact::Predicate(scope), Fact::Form(form))
            | (Fact::Form(form), Fact::Predicate(scope)) => Fact::Predicate(form.scope.min(*scope)),
            _ => Fact::Generic,
        }
    }
}

/// A uniform value of the same width of which nothing more is known.
fn blank(form: &Form, scope: Scope) -> Form {
    Form::uniform(scope, Base::UNKNOWN, type_of(form))
}

/// An operand of an operation.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The fact about it where it is read.
    pub fact: Fact,
    /// Its symbol in a coefficient.
    pub symbol: Symbol,
}

/// The context in which operations are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The assumptions about the launch.
    pub launches: Launches,
}

impl Transfer {
    /// The value of a special register.
    pub fn register(&self, special: Special) -> Fact {
        let extents = [Special::NtidX, Special::NtidY, Special::NtidZ];
        let known = |axis: usize| self.launches.block[axis];
        if let Some(extent) = extents.iter().position(|&it| it == special).and_then(known) {
            return Fact::of(Form::constant(extent.into(), Type::B32));
        }
        if let Some(position) = INDICES.iter().position(|&index| index == special) {
            let only = position < 3 && known(position) == Some(1);
            let form = if only { Form::constant(0, Type::B32) } else { Form::index(position) };
            return Fact::of(form);
        }
        let regular = special == Special::NtidX && self.launches.condition >= Condition::Regular;
        let base = if regular { Base { constant: 0, align: 5 } } else { Base::UNKNOWN };
        Fact::of(Form::uniform(Scope::Grid, base, Type::B32))
    }

    /// The result of an operation that computes. Traps do not matter: a thread that traps has no
    /// result.
    pub fn compute(&self, op: Op, operands: &[Operand], ty: Type) -> Fact {
        if operands.iter().any(|operand| operand.fact == Fact::Unreached) {
            return Fact::Unreached;
        }
        let special = self.special(op, operands, ty);
        let uniform = self.uniform(op, operands, ty);
        match (special, uniform) {
            // Both are true; the one by which more threads agree is better.
            (_, Some(form)) if form.known().is_some() => Fact::of(form),
            (Some(fact), Some(form)) if form.scope <= fact.agreement(self.launches.condition) => {
                fact
            }
            (_, Some(form)) => Fact::of(form),
            (Some(fact), None) => fact,
            (None, None) => Fact::Generic,
        }
    }

    /// Every operation gives the same result for the same operands.
    fn uniform(&self, op: Op, operands: &[Operand], ty: Type) -> Option<Form> {
        let mut scope = Scope::Grid;
        let mut bits = [0; 3];
        let mut known = true;
        for (at, operand) in operands.iter().enumerate().take(3) {
            scope = scope.min(operand.fact.agreement(self.launches.condition));
            match operand.fact.form().and_then(|form| Some((form.known()?, form.bits))) {
                Some((value, 64)) => bits[at] = value as u64,
                Some((value, 1)) => bits[at] = value as u64 & 1,
                Some((value, _)) => bits[at] = u64::from(value as u32),
                None => known = false,
            }
        }
        if scope == Scope::None {
            return None;
        }
        let result = evaluate_lane(op, bits).filter(|_| known);
        Some(match result {
            Some(result) => Form::constant(result, ty),
            None => Form::uniform(scope, Base::UNKNOWN, ty),
        })
    }

    /// Facts beyond the general rules.
    fn special(&self, op: Op, operands: &[Operand], ty: Type) -> Option<Fact> {
        let fact = |at: usize| operands.get(at).map(|operand| &operand.fact);
        let form = |at: usize| fact(at)?.form();
        let affine = match op {
            Op::Mov | Op::Mov64 | Op::MovPred => return fact(0).cloned(),
            Op::Select | Op::Select64 => return Some(self.select(operands)),
            Op::AndPred | Op::OrPred | Op::XorPred => return self.logic(fact(0)?, fact(1)?),
            Op::Add | Op::Add64 => form(0)?.plus(form(1)?),
            Op::Sub | Op::Sub64 => form(0)?.plus(&form(1)?.times(-1)),
            Op::Mul | Op::Mul64 => self.product(&operands[0], &operands[1]),
            Op::Mad | Op::Mad64 => self.product(&operands[0], &operands[1])?.plus(form(2)?),
            Op::Mul24S | Op::Mul24U => self.product24(op, operands),
            Op::Not | Op::Not64 => self.complement(form(0)?, ty),
            Op::Shl | Op::Shl64 => self.shift_left(form(0)?, form(1)?),
            Op::ShrS32 | Op::ShrU32 | Op::ShrS64 | Op::ShrU64 => {
                let bits = u32::from(form(0)?.bits);
                let count = form(1)?.known().map(|count| count as u32).filter(|&it| it < bits)?;
                self.shift_right(form(0)?, count, is_signed(op))
            }
            Op::DivS32 | Op::DivU32 | Op::DivS64 | Op::DivU64 => {
                self.quotient(op, form(0)?, form(1)?)
            }
            Op::RemS32 | Op::RemU32 | Op::RemS64 | Op::RemU64 => {
                self.remainder(op, form(0)?, form(1)?)
            }
            Op::And | Op::And64 | Op::Or | Op::Or64 | Op::Xor | Op::Xor64 => {
                self.bitwise(op, form(0)?, form(1)?)
            }
            Op::MinS32
            | Op::MinU32
            | Op::MinS64
            | Op::MinU64
            | Op::MaxS32
            | Op::MaxU32
            | Op::MaxS64
            | Op::MaxU64 => self.smaller(op, form(0)?, form(1)?),
            Op::Abs | Op::Abs64 => self.narrowed(form(0)?, 0, i128::MAX),
            Op::Sext8 => self.narrowed(form(0)?, -128, 127),
            Op::Zext8 => self.narrowed(form(0)?, 0, 255),
            Op::Sext16 => self.narrowed(form(0)?, -32768, 32767),
            Op::Zext16 => self.narrowed(form(0)?, 0, 65535),
            Op::Sext32 => Some(self.widen(form(0)?, true)),
            Op::Zext32 => Some(self.widen(form(0)?, false)),
            Op::Low => Some(form(0)?.retyped(Type::B32, false)),
            Op::Pack => self.pack(form(0)?, form(1)?),
            _ => return self.compare(op, fact(0)?, fact(1)?),
        };
        affine.map(Fact::of)
    }

    /// One of two values: which one, all threads of the choice's scope agree on.
    fn select(&self, operands: &[Operand]) -> Fact {
        let [choice, one, other] = operands else {
            return Fact::Generic;
        };
        if one.symbol == other.symbol {
            return one.fact.clone();
        }
        match choice.fact.form().and_then(Form::known) {
            Some(0) => return other.fact.clone(),
            Some(_) => return one.fact.clone(),
            None => {}
        }
        let met = one.fact.meet(&other.fact, self.launches.condition);
        if Planted::ChoiceIsUniform.is_on() {
            return met;
        }
        met.within(choice.fact.agreement(self.launches.condition))
    }

    fn logic(&self, one: &Fact, other: &Fact) -> Option<Fact> {
        let scope = |fact: &Fact| match fact {
            Fact::Predicate(scope) => Some(*scope),
            Fact::Form(form) => Some(form.scope),
            _ => None,
        };
        Some(Fact::Predicate(scope(one)?.min(scope(other)?)))
    }

    fn product(&self, one: &Operand, other: &Operand) -> Option<Form> {
        let (left, right) = (one.fact.form()?, other.fact.form()?);
        if let Some(factor) = right.known() {
            return Some(left.times(factor));
        }
        if let Some(factor) = left.known() {
            return Some(right.times(factor));
        }
        // A symbol that is the same in more threads keeps more.
        let (mine, others) =
            (left.agreement(self.launches.condition), right.agreement(self.launches.condition));
        let by = |form: &Form, by: &Form, symbol, scope| {
            let base = if by.depends_on_thread() || by.depends_on_block() {
                Base::UNKNOWN
            } else {
                by.base
            };
            form.times_uniform(Some(symbol), scope, base)
        };
        match (mine, others) {
            (Scope::None, Scope::None) => None,
            _ if others >= mine => Some(by(left, right, other.symbol, others)),
            _ => Some(by(right, left, one.symbol, mine)),
        }
    }

    fn product24(&self, op: Op, operands: &[Operand]) -> Option<Form> {
        let (least, most) =
            if op == Op::Mul24S { (-(1 << 23), (1 << 23) - 1) } else { (0, (1 << 24) - 1) };
        for operand in operands {
            self.narrowed(operand.fact.form()?, least, most)?;
        }
        self.product(operands.first()?, operands.get(1)?)
    }

    fn complement(&self, form: &Form, ty: Type) -> Option<Form> {
        form.times(-1).plus(&Form::constant(u64::MAX, ty))
    }

    fn shift_left(&self, form: &Form, count: &Form) -> Option<Form> {
        if let Some(count) = count.known() {
            let count = count as u32;
            return Some(if count >= form.modulus() {
                form.times(0)
            } else {
                form.times(1 << count)
            });
        }
        let scope = count.agreement(self.launches.condition);
        (scope > Scope::None).then(|| form.times_uniform(None, scope, Base::UNKNOWN))
    }

    /// The range of a value that no wrap disturbs when it is read as signed or unsigned.
    pub(super) fn range_as(&self, form: &Form, signed: bool) -> Option<(i128, i128)> {
        let (least, most) = form.range(&self.launches)?;
        let bits = u32::from(form.bits);
        let half = 1i128 << (bits - 1);
        let fits =
            if signed { -half <= least && most < half } else { 0 <= least && most < 2 * half };
        fits.then_some((least, most))
    }

    /// The form of a value that is known to lie in a range.
    fn narrowed(&self, form: &Form, least: i128, most: i128) -> Option<Form> {
        let (from, to) = self.range_as(form, true)?;
        (least <= from && to <= most).then_some(*form)
    }

    /// The bits of a value below 2^log, as a form: even if other bits wrap, these are the bits of
    /// the sum of the parts' low bits.
    fn low_bits(&self, form: &Form, log: u32) -> Option<Form> {
        let by = 1i128 << log;
        let rest = |position: usize, term: Coefficient| match term {
            Coefficient::Constant(factor) => Some(i128::from(factor).rem_euclid(by)),
            term => {
                (u32::from(align_of(position, term, self.launches.condition)) >= log).then_some(0)
            }
        };
        let mut others = (1..).zip(&form.terms[1..]);
        let others = others.all(|(position, &term)| rest(position, term) == Some(0));
        if !others || log >= form.modulus() || u32::from(form.base.align) < log {
            return None;
        }
        let steps = Steps {
            near: rest(0, form.near)?,
            far: rest(0, form.terms[0])?,
            period: form.period,
            base: i128::from(form.base.constant).rem_euclid(by),
        };
        let quotient = steps.quotient(by, self.launches.threads)?;
        let zero = Form::constant(0, type_of(form));
        steps.replace(&zero).plus(&quotient.replace(&zero).times((by as i64).wrapping_neg()))
    }

    /// The quotient by a positive constant, rounded down, of a value that does not wrap.
    fn floor(&self, form: &Form, by: i64, signed: bool) -> Option<Form> {
        let (least, most) = self.range_as(form, signed)?;
        let by = i128::from(by);
        if least.div_euclid(by) == most.div_euclid(by) {
            return Some(Form::constant(least.div_euclid(by) as u64, type_of(form)));
        }
        let floor = || {
            let quotient = Steps::of(form)?.quotient(by, self.launches.threads)?;
            let mut floor = quotient.replace(form);
            for term in &mut floor.terms[1..] {
                *term = term.over(by as i64)?;
            }
            Some(floor)
        };
        floor().or_else(|| {
            let uniform = self.warp_step(form).is_some_and(|step| by % step == 0);
            uniform.then(|| blank(form, form.scope.min(Scope::Warp)))
        })
    }

    /// The quotient by 2^count, rounded down.
    fn shift_right(&self, form: &Form, count: u32, signed: bool) -> Option<Form> {
        if count == 0 {
            return Some(*form);
        }
        if form.low {
            return None;
        }
        if count < 63
            && let Some(floor) = self.floor(form, 1 << count, signed)
        {
            return Some(floor);
        }
        // Wrapped bits are lost, but threads with the same other bits lose the same.
        self.uniform_from(form, count, count)
    }

    /// The form of a value that depends only on the bits from `lowest` on, if they are the same in
    /// all threads of a scope; for sums of other forms than the thread's number, on those from
    /// `of_sums` on.
    fn uniform_from(&self, form: &Form, lowest: u32, of_sums: u32) -> Option<Form> {
        let low = self.low_bits(form, of_sums);
        let high = low.and_then(|low| form.plus(&low.times(-1)));
        let scope = high.map_or(Scope::None, |high| high.agreement(self.launches.condition));
        let fits = |step: i128| step.count_ones() == 1 && step.trailing_zeros() <= lowest;
        let numbered = self.warp_step(form).is_some_and(fits);
        let scope = if numbered { scope.max(form.scope.min(Scope::Warp)) } else { scope };
        (scope > Scope::None).then(|| blank(form, scope))
    }

    /// For a multiple of the thread's number in its block plus a uniform value: the least divisor
    /// by which the value's quotient, rounded down, is uniform in a warp for every shape of the
    /// block. Threads are assigned to warps, of 32 at most, by that number.
    ///
    /// Over the integers the value is 32·f·w + f·l + b in lane l of warp w, and the number 32·|f|.
    fn warp_step(&self, form: &Form) -> Option<i128> {
        if form.low || !self.launches.narrow {
            return None;
        }
        let factor = i128::from(form.thread_number(&self.launches)?);
        let step = factor.abs() * i128::from(WARP);
        let digits = (step.count_ones() == 1).then(|| step.trailing_zeros());
        let is_multiple = |(position, term): (usize, &Coefficient)| match term {
            Coefficient::Constant(factor) => i128::from(*factor) % step == 0,
            term => digits.is_some_and(|digits| {
                u32::from(align_of(position, *term, self.launches.condition)) >= digits
            }),
        };
        let align = u32::from(form.base.align);
        let congruent = align >= 64 || digits.is_some_and(|digits| digits <= align);
        let rest = i128::from(form.base.constant).rem_euclid(step);
        let last = factor * i128::from(WARP - 1);
        let stays = (0..step).contains(&(rest + last)) && congruent;
        ((3..).zip(&form.terms[3..]).all(is_multiple) && stays).then_some(step)
    }

    fn quotient(&self, op: Op, form: &Form, by: &Form) -> Option<Form> {
        let by = self.divisor(op, form, by)?;
        match power(by) {
            Some(count) => self.shift_right(form, count, is_signed(op)),
            None => self.floor(form, by, is_signed(op)),
        }
    }

    fn remainder(&self, op: Op, form: &Form, by: &Form) -> Option<Form> {
        let by = self.divisor(op, form, by)?;
        match power(by) {
            Some(_) => self.and(form, by - 1),
            None => form.plus(&self.floor(form, by, is_signed(op))?.times(-by)),
        }
    }

    /// A constant by which the quotient is rounded down: C rounds towards zero, which is that for
    /// numbers that are not negative.
    fn divisor(&self, op: Op, form: &Form, by: &Form) -> Option<i64> {
        let by = by.known().filter(|&by| by > 0 && !form.low)?;
        let down = !is_signed(op) || self.range_as(form, true)?.0 >= 0;
        down.then_some(by)
    }

    fn bitwise(&self, op: Op, one: &Form, other: &Form) -> Option<Form> {
        if one.low || other.low {
            return None;
        }
        let sum = self.fits_below(one, other) || self.fits_below(other, one);
        if sum && !matches!(op, Op::And | Op::And64) {
            return one.plus(other);
        }
        let (form, constant) = match (one.known(), other.known()) {
            (_, Some(constant)) => (one, constant),
            (Some(constant), _) => (other, constant),
            _ => return None,
        };
        let value = Form::constant(constant as u64, type_of(form));
        match op {
            Op::And | Op::And64 => self.and(form, constant),
            Op::Xor | Op::Xor64 if constant == -1 => form.times(-1).plus(&value),
            // Low bits that are set, or turned round.
            _ => {
                let low = self.low_bits(form, mask(constant)?)?;
                let times = if matches!(op, Op::Or | Op::Or64) { -1 } else { -2 };
                form.plus(&low.times(times))?.plus(&value)
            }
        }
    }

    /// Returns true if a value only has bits below those of another one, so that an or of them is a
    /// sum.
    fn fits_below(&self, form: &Form, other: &Form) -> bool {
        let align = other.align(self.launches.condition) + u8::from(Planted::OrIsSum.is_on());
        self.range_as(form, false).is_some_and(|(_, most)| most < 1 << align)
    }

    fn and(&self, form: &Form, constant: i64) -> Option<Form> {
        let log = match mask(constant) {
            Some(log) => {
                let range = self.range_as(form, false);
                if range.is_some_and(|(_, most)| most < 1 << log) {
                    return Some(*form);
                }
                return self.low_bits(form, log);
            }
            None => match mask(!constant) {
                Some(log) => log,
                None => return self.high_bits(form, constant),
            },
        };
        if u32::from(form.align(self.launches.condition)) >= log {
            return Some(*form);
        }
        match self.low_bits(form, log) {
            Some(low) => form.plus(&low.times(-1)),
            None => self.uniform_from(form, log, log),
        }
    }

    /// The bits of a value from the lowest that is set in a constant on: threads that agree on
    /// those bits agree on the result.
    fn high_bits(&self, form: &Form, constant: i64) -> Option<Form> {
        let zeros = constant.trailing_zeros();
        let warp = zeros.min(WARP.trailing_zeros());
        self.uniform_from(form, zeros, warp).filter(|_| constant != 0)
    }

    /// Minimum and maximum of ranges that do not overlap.
    fn smaller(&self, op: Op, one: &Form, other: &Form) -> Option<Form> {
        let signed = matches!(op, Op::MinS32 | Op::MinS64 | Op::MaxS32 | Op::MaxS64);
        let least = matches!(op, Op::MinS32 | Op::MinS64 | Op::MinU32 | Op::MinU64);
        let (a, b) = (self.range_as(one, signed)?, self.range_as(other, signed)?);
        let first = match (a.1 <= b.0, b.1 <= a.0) {
            (true, _) => least,
            (_, true) => !least,
            _ if Planted::MinimumIsFirst.is_on() => true,
            _ => return None,
        };
        Some(if first { *one } else { *other })
    }

    /// A word as a pair: affine when it cannot have wrapped, otherwise only its low word is.
    fn widen(&self, form: &Form, signed: bool) -> Form {
        let scope = form.agreement(self.launches.condition);
        if self.range_as(form, signed).is_some() || Planted::NothingWraps.is_on() {
            return form.retyped(Type::B64, false);
        }
        if scope == Scope::None || form.depends_on_thread() {
            return form.retyped(Type::B64, true);
        }
        let base = if form.depends_on_block() { Base::UNKNOWN } else { form.base };
        // A known base would have had a range; the congruence survives below 32 bits.
        let base = Base { align: base.align.min(32), ..base };
        Form::uniform(scope, base, Type::B64)
    }

    fn pack(&self, low: &Form, high: &Form) -> Option<Form> {
        match high.known() {
            Some(0) => Some(self.widen(low, false)),
            _ => Some(low.retyped(Type::B64, true)),
        }
    }

    fn compare(&self, op: Op, one: &Fact, other: &Fact) -> Option<Fact> {
        let (relation, signed) = relation(op)?;
        let scope = |fact: &Fact| fact.form().filter(|form| !form.low).map(|form| form.scope);
        let (mine, others) = (scope(one)?, scope(other)?);
        let Some(signed) = signed else {
            return Some(Fact::Predicate(mine.min(others)));
        };
        let (left, right) = (one.form()?, other.form()?);
        let decided = match relation {
            Relation::Equal | Relation::NotEqual => self.same(left, right),
            _ => self.ordered(relation, left, right, signed),
        };
        Some(decided.unwrap_or(Fact::Predicate(mine.min(others))))
    }

    /// Equality of two values is uniform wherever their difference is.
    fn same(&self, left: &Form, right: &Form) -> Option<Fact> {
        let difference = left.plus(&right.times(-1))?;
        let scope = difference.agreement(self.launches.condition);
        (scope > Scope::None).then(|| Fact::uniform(scope, Type::Pred))
    }

    /// The order of two values may be known from their ranges, or change only between warps.
    fn ordered(&self, relation: Relation, left: &Form, right: &Form, signed: bool) -> Option<Fact> {
        let (below, least, most) =
            (relation.holds(-1), self.range_as(left, signed), self.range_as(right, signed));
        if let (Some(a), Some(b)) = (least, most) {
            let truth = |truth: bool| Some(Fact::of(Form::constant(u64::from(truth), Type::Pred)));
            if a.1 < b.0 {
                return truth(below);
            }
            if b.1 < a.0 {
                return truth(relation.holds(1));
            }
        }
        let warp = match (least, most) {
            (Some(_), _) if !right.depends_on_thread() => {
                self.splits_no_warp(left, right, relation, signed)
            }
            (_, Some(_)) if !left.depends_on_thread() => {
                self.splits_no_warp(right, left, relation.swapped(), signed)
            }
            _ => false,
        };
        let scope = left.scope.min(right.scope).min(Scope::Warp);
        warp.then(|| Fact::uniform(scope, Type::Pred))
    }

    /// Returns true if `left ∘ right` is uniform in each warp: `left` is a known function of the
    /// indices that does not wrap, and `right` has no thread indices.
    ///
    /// Over the integers the difference is D = M·t + b + c·r, where r runs from 0 to 31 in a warp,
    /// c > 0, M = 32·c and 0 ≤ b < M. It crosses zero inside a warp only when t = -1 and
    /// b + 31·c ≥ M, which is b ≥ c.
    fn splits_no_warp(&self, left: &Form, right: &Form, relation: Relation, signed: bool) -> bool {
        let Some(factor) = left.terms[0].constant().filter(|&factor| factor != 0) else {
            return false;
        };
        // Warps are runs of `threadIdx.x`, or of the number of the thread in its block.
        let others = match left.thread_number(&self.launches) {
            Some(_) if self.launches.narrow => 3,
            _ if self.launches.condition >= Condition::Rows => 1,
            _ => return false,
        };
        let step = i128::from(factor).abs();
        let period = step * i128::from(WARP);
        let digits = (period.count_ones() == 1).then(|| period.trailing_zeros());
        let multiple = |(position, term): (usize, &Coefficient)| match term {
            Coefficient::Constant(factor) => i128::from(*factor) % period == 0,
            term => digits.is_some_and(|digits| {
                u32::from(align_of(position, *term, self.launches.condition)) >= digits
            }),
        };
        let known = u32::from(right.base.align);
        let congruent = known >= 64 || digits.is_some_and(|digits| digits <= known.min(32));
        if left.period != 1
            || !(others..).zip(&left.terms[others..]).all(multiple)
            || !right.terms.iter().all(|term| term.is_zero())
            || !congruent
        {
            return false;
        }
        let mut bound = i128::from(right.base.constant);
        if !signed && bound < 0 {
            bound += 1 << right.bits;
        }
        // D < 0 or D ≤ 0, the latter being D - 1 < 0; with c < 0, the complement of -D - 1 < 0.
        let inclusive = relation.holds(0) == relation.holds(-1);
        let distance = i128::from(left.base.constant) - bound - i128::from(inclusive);
        let distance = if factor > 0 { distance } else { -distance - 1 };
        distance.rem_euclid(period) < step
    }
}

fn type_of(form: &Form) -> Type {
    match form.bits {
        1 => Type::Pred,
        32 => Type::B32,
        _ => Type::B64,
    }
}

/// The logarithm of a constant plus one, when it is a mask of low bits.
fn mask(constant: i64) -> Option<u32> {
    (constant > 0 && constant & constant.wrapping_add(1) == 0)
        .then(|| constant.trailing_ones())
        .filter(|&log| log < 32)
}

/// The logarithm of a power of two.
fn power(constant: i64) -> Option<u32> {
    (constant > 0 && constant & (constant - 1) == 0).then(|| constant.trailing_zeros())
}

fn is_signed(op: Op) -> bool {
    matches!(op, Op::ShrS32 | Op::ShrS64 | Op::DivS32 | Op::DivS64 | Op::RemS32 | Op::RemS64)
}

/// The relation that a comparison tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// Returns true if it holds between numbers whose difference has this sign.
    fn holds(self, sign: i32) -> bool {
        match self {
            Relation::Equal => sign == 0,
            Relation::NotEqual => sign != 0,
            Relation::Less => sign < 0,
            Relation::LessEqual => sign <= 0,
            Relation::Greater => sign > 0,
            Relation::GreaterEqual => sign >= 0,
        }
    }

    /// The relation that holds when this one does not.
    pub(super) fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::Less => Relation::GreaterEqual,
            Relation::LessEqual => Relation::Greater,
            Relation::Greater => Relation::LessEqual,
            Relation::GreaterEqual => Relation::Less,
        }
    }

    /// The relation with the operands exchanged.
    pub(super) fn swapped(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessEqual => Relation::GreaterEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterEqual => Relation::LessEqual,
            same => same,
        }
    }
}

/// The relation of a comparison, and whether its integers are signed; `None` for floats.
pub(super) fn relation(op: Op) -> Option<(Relation, Option<bool>)> {
    use Relation::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let mnemonic = op.row().mnemonic.strip_prefix("setp.")?;
    // A third part joins it with another condition.
    let (name, kind) = mnemonic.split_once('.').filter(|(_, kind)| !kind.contains('.'))?;
    let relation = match name {
        "eq" => Equal,
        "ne" => NotEqual,
        "lt" => Less,
        "le" => LessEqual,
        "gt" => Greater,
        "ge" => GreaterEqual,
        _ => return None,
    };
    let signed = match kind.as_bytes().first()? {
        b'f' => None,
        first => Some(*first != b'u'),
    };
    Some((relation, signed))
}

/// The representative of bits that a fact of a type uses.
pub(super) fn signed(bits: u64, ty: Type) -> i64 {
    match ty {
        Type::Pred => bits as i64 & 1,
        Type::B32 => reduce(bits as i64, 32),
        Type::B64 | Type::B128 => bits as i64,
    }
}
