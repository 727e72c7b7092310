//! Looks through the checked tree of a function for what has to be known before it is lowered.

use crate::check::tree::{
    Expr, ExprKind, Function, FunctionId, Init, LabelId, LocalId, Module, Place, PlaceKind,
    SharedId, Stmt, StmtKind,
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

/// The label of every `goto` in a function.
pub fn jumps(function: &Function) -> Vec<LabelId> {
    let mut found = Vec::new();
    each(&function.body, &mut |statement| {
        if let StmtKind::Goto(label) = statement.kind {
            found.push(label);
        }
    });
    found
}

/// The local variables whose declarations control may pass by: those in a `switch`, and all when
/// there is a `goto`.
pub fn jumped_over(function: &Function) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut declared = |statement: &Stmt| {
        if let StmtKind::Declare(local, _) = statement.kind {
            found.insert(local);
        }
    };
    if !jumps(function).is_empty() {
        each(&function.body, &mut declared);
        return found;
    }
    each(&function.body, &mut |statement| {
        if let StmtKind::Switch { body, .. } = &statement.kind {
            each(std::slice::from_ref(body), &mut declared);
        }
    });
    found
}

/// Shows every statement, those inside of others too.
fn each(statements: &[Stmt], show: &mut dyn FnMut(&Stmt)) {
    for statement in statements {
        show(statement);
        match &statement.kind {
            StmtKind::Block(inner) => each(inner, show),
            StmtKind::If(_, then, otherwise) => {
                each(std::slice::from_ref(then), show);
                otherwise.iter().for_each(|other| each(std::slice::from_ref(other), show));
            }
            StmtKind::For { init, body, .. } => {
                init.iter().for_each(|init| each(std::slice::from_ref(init), show));
                each(std::slice::from_ref(body), show);
            }
            StmtKind::While(_, body)
            | StmtKind::DoWhile(body, _)
            | StmtKind::Switch { body, .. } => {
                each(std::slice::from_ref(body), show);
            }
            _ => {}
        }
    }
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
            StmtKind::Label(_)
            | StmtKind::Target(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue => {}
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
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::String(_) => {}
            ExprKind::Function(_) | ExprKind::Special(_) => {}
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
