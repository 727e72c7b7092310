//! Looks through the checked tree of a function for what has to be known before it is lowered.

use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Init, LocalId, Module, Place, PlaceKind, SharedId, Stmt,
    StmtKind,
};
use std::collections::BTreeSet;

/// What a function's body mentions.
#[derive(Default)]
struct Mentions {
    shared: BTreeSet<SharedId>,
    called: BTreeSet<FunctionId>,
    addressed: BTreeSet<LocalId>,
}

/// The local variables to which (or to a part of which) `&` or array decay is applied.
pub fn addressed_locals(function: &Function) -> BTreeSet<LocalId> {
    mentions(function).addressed
}

/// The shared variables that a kernel and the functions it calls mention.
pub fn reachable_shared(module: &Module, kernel: FunctionId) -> BTreeSet<SharedId> {
    let mut shared = BTreeSet::new();
    let mut seen = BTreeSet::from([kernel]);
    let mut pending = vec![kernel];
    while let Some(function) = pending.pop() {
        let found = mentions(module.function(function));
        shared.extend(found.shared);
        pending.extend(found.called.into_iter().filter(|&called| seen.insert(called)));
    }
    shared
}

fn mentions(function: &Function) -> Mentions {
    let mut found = Mentions::default();
    found.statements(&function.body);
    found
}

impl Mentions {
    fn statements(&mut self, statements: &[Stmt]) {
        statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Declare(_, init) => self.init(init),
            StmtKind::Block(statements) => self.statements(statements),
            StmtKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.statement(then);
                otherwise.iter().for_each(|otherwise| self.statement(otherwise));
            }
            StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
                self.expr(condition);
                self.statement(body);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter().for_each(|init| self.statement(init));
                condition.iter().chain(step).for_each(|value| self.expr(value));
                self.statement(body);
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                self.statement(body);
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Label(_) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn init(&mut self, init: &Init) {
        init.stores.iter().for_each(|(_, value)| self.expr(value));
    }

    fn exprs(&mut self, values: &[Expr]) {
        values.iter().for_each(|value| self.expr(value));
    }

    fn expr(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) | ExprKind::Special(_) => {}
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => {
                if let Some(local) = root(place) {
                    self.addressed.insert(local);
                }
                self.place(place);
            }
            ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Assign(place, value)
            | ExprKind::AssignOp { place, value, .. }
            | ExprKind::AssignPointerAdd { place, index: value, .. } => {
                self.expr(value);
                self.place(place);
            }
            ExprKind::Increment { place, .. } => self.place(place),
            ExprKind::Call(function, arguments) => {
                self.called.insert(*function);
                self.exprs(arguments);
            }
            ExprKind::Builtin(_, arguments) | ExprKind::Construct(arguments) => {
                self.exprs(arguments);
            }
            // Kernels launch nothing; lowering says so when it gets there.
            ExprKind::Launch(_) => {}
        }
    }

    fn place(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => {}
            PlaceKind::Shared(shared) => {
                self.shared.insert(*shared);
            }
            PlaceKind::Deref(value) | PlaceKind::Temporary(value) => self.expr(value),
            PlaceKind::Field(base, _) => self.place(base),
        }
    }
}

/// The local variable that a place is a part of.
fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(local) => Some(*local),
        PlaceKind::Field(base, _) => root(base),
        _ => None,
    }
}
