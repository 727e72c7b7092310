//! Calls of `constexpr` functions in constant expressions (C++17, [expr.const]): the checked tree of the
//! function is interpreted, if its variables are numbers.

use super::constant::{self, Const};
use crate::check::builtin::Builtin;
use crate::check::state::Checker;
use crate::check::tree::{
    BinaryOp, CaseId, Expr, ExprKind, FunctionId, GlobalId, LocalId, Place, PlaceKind, Stmt,
    StmtKind, Type,
};
use std::collections::BTreeMap;

/// The most expressions and statements that the evaluation of one constant may take.
const STEPS: u32 = 1 << 20;
/// The deepest nesting of calls in one constant, as clang has it.
const DEPTH: u32 = 512;

/// The values of a function's variables.
type Frame = BTreeMap<LocalId, Const>;

/// The control flow after a statement.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Const>),
}

/// A variable of which a constant may be a part.
enum Root {
    Global(GlobalId),
    Local(LocalId),
}

/// The evaluation of one constant.
struct Evaluation<'c> {
    checker: &'c mut Checker,
    steps: u32,
    depth: u32,
}

impl Checker {
    /// The value of a constant expression, in which `constexpr` functions may be called.
    pub(crate) fn evaluate(&mut self, value: &Expr) -> Option<Const> {
        constant::evaluate(value).or_else(|| {
            let mut evaluation = Evaluation { checker: self, steps: 0, depth: 0 };
            evaluation.expr(value, &mut Frame::new())
        })
    }
}

impl Evaluation<'_> {
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps <= STEPS).then_some(())
    }

    fn expr(&mut self, value: &Expr, frame: &mut Frame) -> Option<Const> {
        self.step()?;
        match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => constant::evaluate(value),
            ExprKind::Load(place) => {
                let known = local(place).and_then(|id| frame.get(&id).copied());
                known.or_else(|| self.part(place, frame))
            }
            ExprKind::Builtin(builtin, arguments) => self.extreme(*builtin, arguments, frame),
            ExprKind::Convert(inner) => {
                let from = self.expr(inner, frame)?;
                match value.ty {
                    Type::Void => Some(from),
                    _ => constant::convert(from, &inner.ty, &value.ty),
                }
            }
            ExprKind::Unary(op, inner) => constant::unary(*op, self.expr(inner, frame)?, &value.ty),
            ExprKind::Binary(op, a, b) => {
                let (left, right) = (self.expr(a, frame)?, self.expr(b, frame)?);
                constant::binary(*op, left, right, &a.ty, &b.ty)
            }
            ExprKind::And(a, b) => {
                let holds = self.expr(a, frame)?.is_true() && self.expr(b, frame)?.is_true();
                Some(Const::Int(holds.into()))
            }
            ExprKind::Or(a, b) => {
                let holds = self.expr(a, frame)?.is_true() || self.expr(b, frame)?.is_true();
                Some(Const::Int(holds.into()))
            }
            ExprKind::Conditional(condition, yes, no) => {
                let taken = if self.expr(condition, frame)?.is_true() { yes } else { no };
                self.expr(taken, frame)
            }
            ExprKind::Comma(first, second) => {
                self.expr(first, frame)?;
                self.expr(second, frame)
            }
            ExprKind::Assign(place, value) => {
                let value = self.expr(value, frame)?;
                frame.insert(local(place)?, value);
                Some(value)
            }
            ExprKind::AssignOp { op, place, value, common } => {
                let right = self.expr(value, frame)?;
                let at = local(place)?;
                let left = constant::convert(*frame.get(&at)?, &place.ty, common)?;
                let result = constant::binary(*op, left, right, common, &value.ty)?;
                let result = constant::convert(result, common, &place.ty)?;
                frame.insert(at, result);
                Some(result)
            }
            ExprKind::Increment { place, negative, postfix, .. } => {
                let at = local(place)?;
                let old = *frame.get(&at)?;
                let one = match old {
                    Const::Int(_) => Const::Int(1),
                    Const::Float(_) => Const::Float(1.0),
                };
                let op = if *negative { BinaryOp::Sub } else { BinaryOp::Add };
                let new = constant::binary(op, old, one, &place.ty, &place.ty)?;
                frame.insert(at, new);
                Some(if *postfix { old } else { new })
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments, frame),
            _ => None,
        }
    }

    /// The value of a part of a `constexpr` array or structure.
    fn part(&mut self, place: &Place, frame: &mut Frame) -> Option<Const> {
        let (root, offset) = self.whole(place, frame)?;
        let (init, bytes) = match root {
            Root::Global(id) => self.checker.variables.constant(id)?,
            // Variables of a called function have no values here.
            Root::Local(id) if self.depth == 0 => self.checker.body.as_ref()?.constant(id)?,
            Root::Local(_) => return None,
        };
        let size = place.ty.is_scalar().then(|| place.ty.size(&[]))?;
        let end = offset.checked_add(size).filter(|end| *end <= bytes && !place.volatile)?;
        if let Some((_, value)) = init.stores.iter().rev().find(|(at, _)| *at == offset) {
            let value = (value.ty == place.ty).then(|| value.clone())?;
            return self.expr(&value, &mut Frame::new());
        }
        let is_apart = |(at, value): &(u64, Expr)| {
            *at >= end || (value.ty.is_scalar() && at + value.ty.size(&[]) <= offset)
        };
        let is_zero = init.zero && init.stores.iter().all(is_apart);
        constant::convert(Const::Int(0), &Type::INT, &place.ty).filter(|_| is_zero)
    }

    /// The variable that a place is a part of, and where in it the place begins, in bytes.
    fn whole(&mut self, place: &Place, frame: &mut Frame) -> Option<(Root, u64)> {
        match &place.kind {
            PlaceKind::Global(id) => Some((Root::Global(*id), 0)),
            PlaceKind::Local(id) => Some((Root::Local(*id), 0)),
            PlaceKind::Field(of, offset) => {
                let (root, start) = self.whole(of, frame)?;
                Some((root, start + offset))
            }
            PlaceKind::Deref(pointer) => self.pointed(pointer, frame),
            _ => None,
        }
    }

    /// The variable that a pointer points into, and where in it, in bytes.
    fn pointed(&mut self, pointer: &Expr, frame: &mut Frame) -> Option<(Root, u64)> {
        self.step()?;
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.whole(place, frame),
            ExprKind::Convert(inner) => self.pointed(inner, frame),
            ExprKind::PointerAdd { pointer, index, stride, negative } => {
                let (root, start) = self.pointed(pointer, frame)?;
                let Const::Int(count) = self.expr(index, frame)? else {
                    return None;
                };
                let bytes = i64::try_from(*stride).ok()?.checked_mul(count)?;
                let bytes = if *negative { bytes.checked_neg()? } else { bytes };
                Some((root, start.checked_add_signed(bytes)?))
            }
            _ => None,
        }
    }

    /// `std::min` and `std::max` of two numbers; not of those that have no order, or whose order has no meaning.
    fn extreme(
        &mut self,
        builtin: Builtin,
        arguments: &[Expr],
        frame: &mut Frame,
    ) -> Option<Const> {
        use Builtin::*;
        let op = match builtin {
            MinI | MinU | MinL | MinUL | FminF | FminD => BinaryOp::Less,
            MaxI | MaxU | MaxL | MaxUL | FmaxF | FmaxD => BinaryOp::Greater,
            _ => return None,
        };
        let [one, other] = arguments else {
            return None;
        };
        let (a, b) = (self.expr(one, frame)?, self.expr(other, frame)?);
        let holds = |op, left, right| {
            constant::binary(op, left, right, &one.ty, &other.ty).map(Const::is_true)
        };
        if holds(op, a, b)? {
            return Some(a);
        }
        let is_same = matches!((a, b), (Const::Int(a), Const::Int(b)) if a == b)
            || matches!((a, b), (Const::Float(a), Const::Float(b)) if a.to_bits() == b.to_bits());
        (is_same || holds(op, b, a)?).then_some(b)
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        frame: &mut Frame,
    ) -> Option<Const> {
        let mut inner = Frame::new();
        for (number, argument) in (0..).zip(arguments) {
            inner.insert(LocalId(number), self.expr(argument, frame)?);
        }
        if self.depth == DEPTH {
            return None;
        }
        let body = self.checker.constexpr_body(function)?;
        self.depth += 1;
        let flow = self.statements(&body.body, &mut inner);
        self.depth -= 1;
        match flow? {
            Flow::Return(value) => value,
            _ => None,
        }
    }

    fn statements(&mut self, statements: &[Stmt], frame: &mut Frame) -> Option<Flow> {
        for statement in statements {
            match self.statement(statement, frame)? {
                Flow::Next => {}
                other => return Some(other),
            }
        }
        Some(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt, frame: &mut Frame) -> Option<Flow> {
        self.step()?;
        match &statement.kind {
            StmtKind::Expr(value) => {
                self.expr(value, frame)?;
            }
            StmtKind::Declare(id, init) => match init.stores.as_slice() {
                [(0, value)] => {
                    let value = self.expr(value, frame)?;
                    frame.insert(*id, value);
                }
                // A variable without a value gets one before it is read.
                _ => {
                    frame.remove(id);
                }
            },
            StmtKind::Block(inner) => return self.statements(inner, frame),
            StmtKind::If(condition, yes, no) => {
                if self.expr(condition, frame)?.is_true() {
                    return self.statement(yes, frame);
                }
                if let Some(no) = no {
                    return self.statement(no, frame);
                }
            }
            StmtKind::While(condition, body) => {
                return self.repeat(Some(condition), true, body, None, frame);
            }
            StmtKind::DoWhile(body, condition) => {
                return self.repeat(Some(condition), false, body, None, frame);
            }
            StmtKind::For { init, condition, step, body } => {
                if let Some(init) = init {
                    self.statement(init, frame)?;
                }
                return self.repeat(condition.as_deref(), true, body, step.as_deref(), frame);
            }
            StmtKind::Switch { value, cases, default, body } => {
                let Const::Int(value) = self.expr(value, frame)? else {
                    return None;
                };
                let case = cases.iter().find(|(known, _)| *known == value).map(|(_, id)| *id);
                return match case.or(*default) {
                    Some(label) => self.switched(body, label, frame),
                    None => Some(Flow::Next),
                };
            }
            StmtKind::Label(_) | StmtKind::Target(_) => {}
            StmtKind::Break => return Some(Flow::Break),
            StmtKind::Continue => return Some(Flow::Continue),
            StmtKind::Return(None) => return Some(Flow::Return(None)),
            StmtKind::Return(Some(value)) => {
                return Some(Flow::Return(Some(self.expr(value, frame)?)));
            }
            StmtKind::Goto(_) | StmtKind::Assembly(_) => return None,
        }
        Some(Flow::Next)
    }

    /// A loop; `before`: the condition precedes the body.
    fn repeat(
        &mut self,
        condition: Option<&Expr>,
        before: bool,
        body: &Stmt,
        step: Option<&Expr>,
        frame: &mut Frame,
    ) -> Option<Flow> {
        let mut tested = before;
        loop {
            if let (true, Some(condition)) = (tested, condition)
                && !self.expr(condition, frame)?.is_true()
            {
                return Some(Flow::Next);
            }
            tested = true;
            match self.statement(body, frame)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Some(Flow::Next),
                leaves => return Some(leaves),
            }
            if let Some(step) = step {
                self.expr(step, frame)?;
            }
        }
    }

    /// The body of a switch from a label on, which is in its outermost block.
    fn switched(&mut self, body: &Stmt, label: CaseId, frame: &mut Frame) -> Option<Flow> {
        let StmtKind::Block(statements) = &body.kind else {
            return None;
        };
        let is_label = |one: &Stmt| matches!(one.kind, StmtKind::Label(id) if id == label);
        let at = statements.iter().position(is_label)?;
        Some(match self.statements(&statements[at..], frame)? {
            Flow::Break => Flow::Next,
            other => other,
        })
    }
}

/// The variable of the function that a place is.
fn local(place: &Place) -> Option<LocalId> {
    match place.kind {
        PlaceKind::Local(id) if place.ty.is_scalar() && !place.volatile => Some(id),
        _ => None,
    }
}
