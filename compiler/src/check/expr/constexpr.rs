//! Calls of `constexpr` functions in constant expressions (C++17, [expr.const]): the checked tree of the
//! function is interpreted, if its variables are numbers.

use super::constant::{self, Const};
use crate::check::state::Checker;
use crate::check::tree::{
    BinaryOp, CaseId, Expr, ExprKind, FunctionId, LocalId, Place, PlaceKind, Stmt, StmtKind, Type,
};
use std::collections::BTreeMap;

/// How many expressions and statements the evaluation of one constant may take.
const STEPS: u32 = 1 << 20;
/// How deep calls may be nested in one constant, as clang has it.
const DEPTH: u32 = 512;

/// The values of a function's variables.
type Frame = BTreeMap<LocalId, Const>;

/// What follows a statement.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Const>),
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
            ExprKind::Load(place) => frame.get(&local(place)?).copied(),
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
                // What has no value yet gets one before it is read.
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
            StmtKind::Goto(_) => return None,
        }
        Some(Flow::Next)
    }

    /// A loop; `before`: the condition stands before the body.
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

    /// The body of a switch from a label on, which stands in its outermost block.
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
