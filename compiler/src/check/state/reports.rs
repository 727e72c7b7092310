//! The faults of a program, each with its owner.

use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree::Name;

/// The owner of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A function, by its index.
    Function(usize),
    /// Something outside functions, by its order.
    Item(usize),
}

/// A use of something whose declaration could not be read.
#[derive(Clone, Debug)]
pub(crate) struct PoisonUse {
    /// The owner of the use.
    pub owner: Option<Owner>,
    pub name: Name,
    pub span: Span,
    /// True if the fault is certainly the program's: one in a template's instance for these
    /// arguments is not.
    pub is_sure: bool,
}

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// Each with its owner.
    found: Vec<(Option<Owner>, Diagnostic)>,
    /// The number of errors among them.
    errors: usize,
    /// The owner of the faults being reported.
    owner: Option<Owner>,
    poison_uses: Vec<PoisonUse>,
    /// The findings in bodies that had to be checked during an attempt, which may be undone.
    kept: Vec<(Option<Owner>, Diagnostic)>,
    kept_uses: Vec<PoisonUse>,
    /// The places of faults that were found while reading the program.
    reading: Vec<Span>,
}

/// The state at some time, which an attempt restores.
pub(crate) struct Mark {
    found: usize,
    errors: usize,
    poison_uses: usize,
}

impl Reports {
    /// A record with only the faults of reading the program.
    pub fn after_reading(faults: Vec<Span>) -> Reports {
        Reports { reading: faults, ..Reports::default() }
    }

    /// Adds a diagnostic for the current owner.
    pub fn add(&mut self, found: Diagnostic) {
        self.errors += usize::from(found.is_error());
        self.found.push((self.owner, found));
    }

    /// The number of errors.
    pub fn errors(&self) -> usize {
        self.errors
    }

    /// The owner of diagnostics that are added now.
    pub fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// Later findings belong to `owner`.
    pub fn belong_to(&mut self, owner: Option<Owner>) {
        self.owner = owner;
    }

    /// Records a use of a name whose declaration is faulty: the user becomes faulty too.
    pub fn note_poison(&mut self, name: &Name, span: Span, is_sure: bool) {
        self.errors += 1;
        let (owner, name) = (self.owner, name.clone());
        self.poison_uses.push(PoisonUse { owner, name, span, is_sure });
    }

    /// Returns true if a finding since then may not be the program's.
    pub fn is_unsure_since(&self, mark: &Mark) -> bool {
        self.found[mark.found..].iter().any(|(_, found)| is_ours(found))
            || self.poison_uses[mark.poison_uses..].iter().any(|one| !one.is_sure)
    }

    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark { found: self.found.len(), errors: self.errors, poison_uses: self.poison_uses.len() }
    }

    /// Goes back to a mark, but keeps the first fault since that the program may not have: of an
    /// unsupported construct, of a limit, or of a name whose declaration is faulty. Returns true if
    /// there was an error.
    pub fn go_back_surely(&mut self, mark: Mark) -> bool {
        let is_ours = |(_, found): &&(Option<Owner>, Diagnostic)| is_ours(found);
        let fault = self.found[mark.found..].iter().find(is_ours).cloned();
        let uses = &self.poison_uses[mark.poison_uses..];
        let poison = uses.iter().find(|one| !one.is_sure).cloned();
        let failed = self.go_back(mark);
        match (fault, poison) {
            (Some((_, fault)), _) => self.add(fault),
            (None, Some(one)) => self.note_poison(&one.name, one.span, false),
            (None, None) => {}
        }
        failed
    }

    /// Forgets the diagnostics since a mark. Returns true if an error was among them.
    pub fn go_back(&mut self, mark: Mark) -> bool {
        let failed = self.errors > mark.errors;
        self.found.truncate(mark.found);
        self.poison_uses.truncate(mark.poison_uses);
        self.errors = mark.errors;
        failed
    }

    /// Starts an empty record for a body that is checked in the midst of another. Returns the
    /// previous record, which [`resume`](Self::resume) takes.
    pub fn suspend(&mut self) -> Reports {
        let inner = Reports { reading: self.reading.clone(), ..Reports::default() };
        std::mem::replace(self, inner)
    }

    /// Continues with the previous record, and keeps the diagnostics of the body.
    pub fn resume(&mut self, outer: Reports) {
        let mut inner = std::mem::replace(self, outer);
        self.kept.append(&mut inner.kept);
        self.kept.append(&mut inner.found);
        self.kept_uses.append(&mut inner.kept_uses);
        self.kept_uses.append(&mut inner.poison_uses);
    }

    /// The places of faults that were found while reading the program.
    pub fn of_reading(&self) -> &[Span] {
        &self.reading
    }

    /// All that was found, which is judged now.
    pub fn take(&mut self) -> (Vec<(Option<Owner>, Diagnostic)>, Vec<PoisonUse>) {
        self.found.append(&mut self.kept);
        self.poison_uses.append(&mut self.kept_uses);
        (std::mem::take(&mut self.found), std::mem::take(&mut self.poison_uses))
    }
}

/// Returns true if another compiler may find no fault where this one was found.
fn is_ours(found: &Diagnostic) -> bool {
    let id = found.code.id();
    let kinds = ["E05", "E07"];
    // Variables have to be declared in front of a template; functions of arguments and members need not.
    let is_variable = found.code == code::UNDECLARED
        && found.message.starts_with('`')
        && !found.message.contains("::");
    kinds.iter().any(|kind| id.starts_with(kind)) || is_variable || found.code == code::NOT_CONSTANT
}
