//! Jumps past initialisers: into the scope of a variable from outside of it. C++ refuses them; here
//! the variable keeps its value, zero at first.

use crate::check::state::Checker;
use crate::check::tree::{LabelId, LocalId, Stmt, StmtKind};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use std::collections::BTreeMap;

/// The initialised variables that are in scope at a place, the innermost last.
type Scope = Vec<LocalId>;

#[derive(Default)]
struct Places {
    open: Scope,
    labels: BTreeMap<LabelId, Scope>,
    jumps: Vec<(LabelId, Span, Scope)>,
    /// The number of variables in scope at each `switch` around.
    switches: Vec<usize>,
    /// Labels of a `switch`, and the variables that are initialised between it and them.
    cases: Vec<(Span, LocalId)>,
}

impl Places {
    fn scope(&mut self, statements: &[Stmt]) {
        let before = self.open.len();
        statements.iter().for_each(|statement| self.statement(statement));
        self.open.truncate(before);
    }

    fn statement(&mut self, statement: &Stmt) {
        let one = std::slice::from_ref;
        match &statement.kind {
            StmtKind::Declare(local, init) if init.zero || !init.stores.is_empty() => {
                self.open.push(*local);
            }
            StmtKind::Block(inner) => self.scope(inner),
            StmtKind::If(_, then, otherwise) => {
                self.scope(one(then));
                otherwise.iter().for_each(|other| self.scope(one(other)));
            }
            StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => self.scope(one(body)),
            StmtKind::For { init, body, .. } => {
                let before = self.open.len();
                match init.as_deref() {
                    Some(Stmt { kind: StmtKind::Block(inner), .. }) => {
                        inner.iter().for_each(|statement| self.statement(statement));
                    }
                    init => init.into_iter().for_each(|statement| self.statement(statement)),
                }
                self.scope(one(body));
                self.open.truncate(before);
            }
            StmtKind::Switch { body, .. } => {
                self.switches.push(self.open.len());
                self.scope(one(body));
                self.switches.pop();
            }
            StmtKind::Label(_) => {
                let outside = self.switches.last().copied().unwrap_or(0);
                let first = self.open.get(outside);
                self.cases.extend(first.map(|&local| (statement.span, local)));
            }
            StmtKind::Target(label) => {
                self.labels.insert(*label, self.open.clone());
            }
            StmtKind::Goto(label) => {
                self.jumps.push((*label, statement.span, self.open.clone()));
            }
            _ => {}
        }
    }
}

impl Checker {
    /// Warns of jumps past initialisers in a body that is whole.
    pub(crate) fn warn_of_passed(&mut self, statements: &[Stmt]) {
        let mut places = Places::default();
        places.scope(statements);
        let Places { labels, jumps, cases, .. } = places;
        let passed = jumps.into_iter().filter_map(|(label, span, from)| {
            let there = labels.get(&label)?;
            let first = there.iter().find(|local| !from.contains(local))?;
            Some((span, *first))
        });
        let all: Vec<(Span, LocalId)> = passed.chain(cases).collect();
        for (span, local) in all {
            let variable = self.body.as_ref().and_then(|body| body.local(local)).cloned();
            let Some(variable) = variable else {
                continue;
            };
            let message = format!("this jumps past the initialiser of `{}`", variable.name);
            let found = Diagnostic::warning(code::PASSED_INITIALISER, span, message)
                .secondary(variable.span, "initialised here")
                .help("C++ refuses this, and so does nvcc; here the variable keeps what it holds, zero at first");
            self.report(found);
        }
    }
}
