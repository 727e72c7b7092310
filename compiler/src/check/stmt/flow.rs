//! Reachability of a function's end, and its result there.

use crate::check::builtin::Builtin;
use crate::check::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};

/// Returns true if control can arrive after the statements.
pub(crate) fn completes(statements: &[Stmt]) -> bool {
    let mut reached = true;
    for statement in statements {
        reached = match &statement.kind {
            // Control can jump here from the head of the switch.
            StmtKind::Label(_) | StmtKind::Target(_) => true,
            _ if contains_label(statement) => passes(statement),
            _ => reached && passes(statement),
        };
    }
    reached
}

/// Returns true if control that enters a statement can leave it at its end.
fn passes(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Expr(value) => !ends_program(value),
        StmtKind::Block(statements) => completes(statements),
        StmtKind::If(_, yes, no) => passes(yes) || no.as_ref().is_none_or(|no| passes(no)),
        StmtKind::While(condition, body) => !is_true(condition) || breaks(body),
        StmtKind::DoWhile(body, condition) => {
            breaks(body) || (!is_true(condition) && (passes(body) || continues(body)))
        }
        StmtKind::For { condition, body, .. } => {
            condition.as_ref().is_some_and(|condition| !is_true(condition)) || breaks(body)
        }
        StmtKind::Switch { default, body, .. } => default.is_none() || breaks(body) || passes(body),
        StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Return(_) => false,
        StmtKind::Declare(..)
        | StmtKind::Label(_)
        | StmtKind::Target(_)
        | StmtKind::Assembly(_) => true,
    }
}

/// The variable of the function's outermost block that every `return` names, as far as names show.
pub(crate) fn returned_variable(statements: &[ast::Stmt]) -> Option<&Name> {
    let mut found = Returns::default();
    statements.iter().for_each(|statement| found.statement(statement));
    let name = found.name.filter(|_| !found.others)?;
    let count = found.declared.iter().filter(|declared| **declared == name).count();
    (count == 1).then_some(name)
}

/// The results that a function's statements return.
#[derive(Default)]
struct Returns<'a> {
    name: Option<&'a Name>,
    /// True if another value is returned somewhere, or control may jump past declarations.
    others: bool,
    /// The names of all variables.
    declared: Vec<&'a Name>,
}

impl<'a> Returns<'a> {
    fn returned(&mut self, value: Option<&'a ast::Initializer>) {
        match value {
            Some(ast::Initializer::Expr(ast::Expr { kind: ast::ExprKind::Name(name), .. })) => {
                self.others |= self.name.is_some_and(|known| known != name);
                self.name = Some(name);
            }
            _ => self.others = true,
        }
    }

    fn declaration(&mut self, declaration: &'a ast::Declaration) {
        let names = declaration.declarators.iter().filter_map(|one| one.declarator.name.as_ref());
        self.declared.extend(names);
        // A static variable does not end.
        let is_static = |one: &ast::Specifier| {
            matches!(one.kind, ast::SpecifierKind::Word(Word::Static | Word::Extern))
        };
        self.others |= declaration.specifiers.items.iter().any(is_static);
    }

    fn condition(&mut self, condition: &'a ast::Condition) {
        if let ast::Condition::Declaration(declaration) = condition {
            self.declaration(declaration);
        }
    }

    fn statement(&mut self, statement: &'a ast::Stmt) {
        use ast::StmtKind as Kind;
        match &statement.kind {
            Kind::Return(value) => self.returned(value.as_ref()),
            Kind::Declaration(declaration) => self.declaration(declaration),
            Kind::Block(inner) => inner.iter().for_each(|statement| self.statement(statement)),
            Kind::If(_, condition, yes, no) => {
                self.condition(condition);
                self.statement(yes);
                no.iter().for_each(|no| self.statement(no));
            }
            Kind::While(condition, body) | Kind::Switch(condition, body) => {
                self.condition(condition);
                self.statement(body);
            }
            Kind::Do(body, _) => self.statement(body),
            Kind::For { init, body, .. } => {
                self.statement(init);
                self.statement(body);
            }
            Kind::RangeFor(of) => {
                self.declaration(&of.array.item);
                self.statement(&of.body);
            }
            Kind::Label(_) | Kind::Goto(_) => self.others = true,
            _ => {}
        }
    }
}

fn is_true(condition: &Expr) -> bool {
    matches!(crate::check::expr::constant::evaluate(condition),
        Some(crate::check::expr::constant::Const::Int(value)) if value != 0)
}

fn ends_program(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Builtin(Builtin::Exit | Builtin::Abort, _) => true,
        ExprKind::Comma(_, last) => ends_program(last),
        _ => false,
    }
}

/// The statements inside which a search continues.
#[derive(Clone, Copy)]
struct Inside {
    loops: bool,
    switches: bool,
}

/// Returns true if a statement contains one for which `is_it` holds; `into` states where else.
fn contains(statement: &Stmt, into: Inside, is_it: &dyn Fn(&StmtKind) -> bool) -> bool {
    let inner = |statement: &Stmt| contains(statement, into, is_it);
    if is_it(&statement.kind) {
        return true;
    }
    match &statement.kind {
        StmtKind::Block(statements) => statements.iter().any(inner),
        StmtKind::If(_, yes, no) => inner(yes) || no.as_ref().is_some_and(|no| inner(no)),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) | StmtKind::For { body, .. } => {
            into.loops && inner(body)
        }
        StmtKind::Switch { body, .. } => into.switches && inner(body),
        _ => false,
    }
}

/// Returns true if a `break` in a loop's body leaves that loop.
fn breaks(body: &Stmt) -> bool {
    contains(body, Inside { loops: false, switches: false }, &|kind| {
        matches!(kind, StmtKind::Break)
    })
}

fn continues(body: &Stmt) -> bool {
    contains(body, Inside { loops: false, switches: true }, &|kind| {
        matches!(kind, StmtKind::Continue)
    })
}

/// Returns true if control can enter a statement from outside: it contains a label of the switch
/// around it, or the target of a `goto`.
fn contains_label(statement: &Stmt) -> bool {
    contains(statement, Inside { loops: true, switches: true }, &|kind| {
        matches!(kind, StmtKind::Target(_))
    }) || contains(statement, Inside { loops: true, switches: false }, &|kind| {
        matches!(kind, StmtKind::Label(_))
    })
}
