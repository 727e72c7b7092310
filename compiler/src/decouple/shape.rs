//! The affine warp's operations on tuples and their permitted operands (Wang and Lin, 2017, §3 and
//! §4.6), as far as the compiler can know before the run.
//!
//! A value of the affine stream is a sum of a base and of offsets for each dimension of
//! `threadIdx`, perhaps with a quotient of `threadIdx.x` by a constant, different in each block.
//! The result of a choice among such values (`min`, `max`, `abs`, a selection) is several of them,
//! each for some threads: a divergent tuple, of at most [`TUPLES`]. Repeated choices by one
//! predicate add no further ones.

use crate::analysis::affine::Form;
use crate::ir::Value;
use reconverge_isa::table::OperandKind;
use reconverge_isa::{Effect, Op, Unit, ValueKind};

/// The most tuples that a value has in a block; the paper leaves the number open.
pub const TUPLES: u8 = 4;

/// The divisors of `threadIdx.x` in the tuples of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Periods {
    /// Nothing.
    None,
    /// All that divide it divide it by this.
    One(u32),
    /// Some by one number, some by another.
    Several,
}

impl Periods {
    fn and(self, other: Periods) -> Periods {
        match (self, other) {
            (Periods::None, periods) | (periods, Periods::None) => periods,
            (one, other) if one == other => one,
            _ => Periods::Several,
        }
    }
}

/// The form of a value that the affine stream computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The most tuples that the threads have that are alike in all of `by`.
    pub alike: u8,
    /// Predicates that threads with different tuples may differ in, none twice.
    pub by: [Option<Value>; 2],
    /// Equal in all threads of a block, and known to the machine as such.
    pub scalar: bool,
    /// The divisors of its tuples' quotients.
    pub periods: Periods,
    /// For 64 bits: only the low word is right.
    pub low: bool,
}

impl Shape {
    /// Equal in all threads of a block.
    pub const SCALAR: Shape =
        Shape { alike: 1, by: [None; 2], scalar: true, periods: Periods::None, low: false };
    /// One sum for all threads of a block; of a truth: some threads or others.
    pub const TUPLE: Shape = Shape { scalar: false, ..Shape::SCALAR };

    /// The most tuples of it in a block.
    pub fn tuples(self) -> u8 {
        self.alike.saturating_mul(1 << self.by.iter().flatten().count())
    }

    /// The shape with `tuples` tuples of which no predicates are known.
    fn of(self, tuples: u8) -> Shape {
        Shape { alike: tuples, by: [None; 2], ..self }
    }

    /// The predicates of two shapes; nothing if they are too many.
    fn by_both(self, other: Shape) -> Option<[Option<Value>; 2]> {
        let mut by: Vec<Value> = self.by.into_iter().chain(other.by).flatten().collect();
        by.sort_unstable();
        by.dedup();
        (by.len() <= 2).then(|| [by.first().copied(), by.get(1).copied()])
    }

    /// The shape with only those predicates that are kept, whose truth is that at which the tuples
    /// were chosen.
    pub fn kept_by(self, keeps: impl Fn(Value) -> bool) -> Shape {
        if self.by.iter().flatten().all(|&value| keeps(value)) {
            return self;
        }
        let mut kept = Shape { by: [None; 2], ..self };
        for value in self.by.into_iter().flatten() {
            match keeps(value) {
                true => kept.by[0] = Some(value),
                false => kept.alike = kept.alike.saturating_mul(2),
            }
        }
        kept
    }

    /// One or the other, the same one in all threads of a block.
    pub fn either(self, other: Shape) -> Shape {
        let most = self.tuples().max(other.tuples());
        let joined = Shape {
            scalar: self.scalar && other.scalar,
            periods: self.periods.and(other.periods),
            low: self.low || other.low,
            ..self
        };
        let by = self.by_both(other);
        let known = by.map(|by| Shape { alike: self.alike.max(other.alike), by, ..joined });
        known.filter(|known| known.tuples() <= most).unwrap_or(joined.of(most))
    }

    /// One in some threads, the other in others.
    pub fn both(self, other: Shape) -> Result<Shape, Why> {
        let either = self.either(other);
        let tuples = self.tuples().saturating_add(other.tuples());
        within(Shape { scalar: false, ..either.of(tuples) })
    }

    /// One in the threads of a predicate, the other in others: choosing by the same predicate once more makes no more
    /// tuples.
    fn chosen(self, condition: Value, other: Shape) -> Result<Shape, Why> {
        let either = Shape { scalar: false, ..self.either(other) };
        let sum = self.tuples().saturating_add(other.tuples());
        let by = self.by_both(other).map(|by| Shape { by, ..either });
        let by =
            by.and_then(|known| known.by_both(Shape { by: [Some(condition), None], ..either }));
        let known = by.map(|by| Shape { alike: self.alike.max(other.alike), by, ..either });
        within(known.filter(|known| known.tuples() <= sum).unwrap_or(either.of(sum)))
    }

    /// The sum: tuples are added each with each.
    fn plus(self, other: Shape) -> Result<Shape, Why> {
        let either = self.either(other);
        let both = self.periods != Periods::None && other.periods != Periods::None;
        if both && either.periods == Periods::Several {
            return Err(Why::Periods);
        }
        let tuples = self.tuples().saturating_mul(other.tuples());
        let alike = self.alike.saturating_mul(other.alike);
        within(match self.by_both(other) {
            Some(by) => Shape { alike, by, ..either },
            None => either.of(tuples),
        })
    }
}

fn within(shape: Shape) -> Result<Shape, Why> {
    if shape.tuples() <= TUPLES { Ok(shape) } else { Err(Why::TooMany) }
}

/// Why the affine stream does not compute a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is loaded from memory.
    Loaded,
    /// An atomic returns it.
    Atomic,
    /// An access has a guard.
    Guarded,
    /// It depends on the values of other threads.
    Collective,
    /// The operation has no form for operands that differ in a block.
    Operation(Op),
    /// Quotients or remainders by different numbers do not add up to one.
    Periods,
    /// There would be more than [`TUPLES`].
    TooMany,
    /// It is chosen where threads of a block reconverge after different paths.
    Choice,
    /// Threads of a block carry it out of a loop after different trip counts.
    Iterations,
    /// Both paths of a branch at which a block may diverge have addresses or branches to decouple, and
    /// it is on the lighter one.
    OtherPath,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Why::Loaded => f.write_str("is loaded"),
            Why::Atomic => f.write_str("an atomic returns"),
            Why::Guarded => f.write_str("has a guard"),
            Why::Collective => f.write_str("depends on other threads"),
            Why::Operation(op) => {
                write!(
                    f,
                    "`{}` makes of operands that are no tuples or differ in the block",
                    op.row().mnemonic
                )
            }
            Why::Periods => f.write_str("has quotients or remainders by different numbers"),
            Why::TooMany => write!(f, "would have more than {TUPLES} tuples"),
            Why::Choice => f.write_str("is chosen where threads reconverge after different paths"),
            Why::Iterations => {
                f.write_str("threads carry out of a loop after different trip counts")
            }
            Why::OtherPath => f.write_str("is on the lighter path of a branch"),
        }
    }
}

/// An operand where it is read.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// It.
    pub value: Value,
    /// Its shape.
    pub shape: Shape,
    /// For a truth value: it is the same in the block.
    pub agreed: bool,
}

/// The result shape of an operation on its operands; `proved` is the form that the analysis proves
/// for the result, the same in all threads of a block.
pub fn compute(op: Op, operands: &[Operand], proved: Option<&Form>) -> Result<Shape, Why> {
    let row = op.row();
    let integer = matches!(row.unit, Unit::Integer | Unit::IntegerMultiply | Unit::IntegerDivide);
    let refused = Err(Why::Operation(op));
    if !integer || !matches!(row.effect, Effect::Compute | Effect::Divide) {
        return refused;
    }
    let shape = |at: usize| operands.get(at).map_or(Shape::SCALAR, |operand| operand.shape);
    if operands.iter().all(|operand| operand.shape.scalar && !operand.shape.low) {
        return Ok(Shape::SCALAR);
    }
    let low = operands.iter().any(|operand| operand.shape.low);
    match op {
        Op::Mov | Op::Mov64 | Op::MovPred => Ok(shape(0)),
        Op::AndPred | Op::OrPred | Op::XorPred => Ok(Shape::TUPLE),
        Op::Select | Op::Select64 => {
            if operands.first().is_some_and(|choice| choice.agreed) {
                Ok(shape(1).either(shape(2)))
            } else {
                match operands.first() {
                    Some(choice) => shape(1).chosen(choice.value, shape(2)),
                    None => refused,
                }
            }
        }
        Op::Add | Op::Add64 | Op::Sub | Op::Sub64 => shape(0).plus(shape(1)),
        Op::Mul | Op::Mul64 if shape(0).scalar || shape(1).scalar => shape(0).plus(shape(1)),
        Op::Mad | Op::Mad64 if shape(0).scalar || shape(1).scalar => {
            shape(0).plus(shape(1))?.plus(shape(2))
        }
        Op::Shl | Op::Shl64 if shape(1).scalar => Ok(shape(0)),
        Op::Sext32 | Op::Zext32 => {
            let whole = shape(0).tuples() == 1 && proved.is_some_and(|form| !form.low);
            Ok(Shape { low: !whole, ..shape(0) })
        }
        Op::Low => Ok(Shape { low: false, ..shape(0) }),
        Op::MinS32 | Op::MinU32 | Op::MaxS32 | Op::MaxU32 => shape(0).both(shape(1)),
        Op::MinS64 | Op::MinU64 | Op::MaxS64 | Op::MaxU64 if !low => shape(0).both(shape(1)),
        Op::Abs => shape(0).both(shape(0)),
        Op::Abs64 if !low => shape(0).both(shape(0)),
        _ if row.mnemonic.starts_with("setp.") && !low => Ok(Shape::TUPLE),
        // The machine examines the shape of the result; here a form is known to exist.
        _ if !low && operands.iter().all(|operand| operand.shape.tuples() == 1) => match proved {
            Some(form) if !form.low && row.result.is_some_and(|kind| kind != PREDICATE) => {
                Ok(of_form(form))
            }
            _ => refused,
        },
        _ => refused,
    }
}

const PREDICATE: OperandKind = OperandKind::Value(ValueKind::Predicate);

/// The shape of a value of which the analysis knows the form.
fn of_form(form: &Form) -> Shape {
    let periods = match form.period {
        1 => Periods::None,
        period => Periods::One(period),
    };
    Shape { periods, scalar: !form.depends_on_thread(), ..Shape::SCALAR }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(condition: u32, then: Shape, otherwise: Shape) -> Result<Shape, Why> {
        then.chosen(Value(condition), otherwise)
    }

    #[test]
    fn choosing_by_one_predicate_again_makes_no_more_tuples() {
        let once = chosen(1, Shape::TUPLE, Shape::TUPLE).unwrap();
        assert_eq!(once.tuples(), 2);
        let again = chosen(1, once.plus(Shape::SCALAR).unwrap(), once).unwrap();
        assert_eq!(again, once);
        assert_eq!(once.either(Shape::TUPLE), once);
        assert_eq!(once.plus(once).unwrap().tuples(), 2);
        let by_two = chosen(2, once, once).unwrap();
        assert_eq!(by_two.tuples(), 4);
        assert_eq!(chosen(1, by_two, once).unwrap(), by_two);
        assert_eq!(chosen(3, by_two, once), Err(Why::TooMany));
        // Nothing is known about tuples that were chosen by other predicates.
        let lesser = Shape::TUPLE.both(Shape::TUPLE).unwrap();
        assert_eq!(chosen(1, lesser, lesser).unwrap().tuples(), 4);
        assert_eq!(lesser.plus(once).unwrap().tuples(), 4);
        assert_eq!(lesser.plus(lesser).unwrap().tuples(), 4);
    }

    #[test]
    fn a_predicate_of_another_round_is_another_one() {
        let once = chosen(1, Shape::TUPLE, Shape::TUPLE).unwrap();
        let later = once.kept_by(|_| false);
        assert_eq!((later.tuples(), later.by), (2, [None; 2]));
        let again = chosen(1, later, later).unwrap();
        assert_eq!(again.tuples(), 4);
        assert_eq!(chosen(1, again.kept_by(|_| false), again), Err(Why::TooMany));
        let by_two = chosen(2, once, once).unwrap().kept_by(|value| value == Value(2));
        assert_eq!((by_two.alike, by_two.tuples()), (2, 4));
    }
}
