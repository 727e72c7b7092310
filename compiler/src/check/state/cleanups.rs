//! The objects of a function whose destructors are still to be called.

use crate::check::tree::{LabelId, Place};
use crate::check::types::CType;
use crate::syntax::source::Span;

/// The first label of those that represent `goto` statements until the body is known.
pub(crate) const FIRST_GOTO: u32 = 1 << 31;

/// An object with a destructor whose lifetime has begun.
#[derive(Clone, Debug)]
pub(crate) struct Cleanup {
    /// Tells it from others of its function.
    number: u32,
    pub place: Place,
    pub ty: CType,
    /// For a temporary that is not always made: true if it was.
    pub flag: Option<Place>,
}

/// A `goto`: the place of its label decides which objects it destroys.
#[derive(Debug)]
pub(crate) struct PendingGoto {
    pub label: LabelId,
    /// The objects there, outermost first.
    pub open: Vec<Cleanup>,
    pub span: Span,
}

/// The objects of a function whose destructors are still to be called.
#[derive(Debug, Default)]
pub(crate) struct Cleanups {
    /// Variables and members, outermost first.
    open: Vec<Cleanup>,
    /// The temporaries of the expression being checked.
    temporaries: Vec<Cleanup>,
    /// The number of open operands that may not be evaluated.
    conditional: u32,
    /// The number of the next one.
    next: u32,
    gotos: Vec<PendingGoto>,
    /// The numbers of the objects at each label.
    labels: Vec<(LabelId, Vec<u32>)>,
}

impl Cleanups {
    fn cleanup(&mut self, place: Place, ty: CType, flag: Option<Place>) -> Cleanup {
        self.next += 1;
        Cleanup { number: self.next - 1, place, ty, flag }
    }

    /// Adds a variable or member whose lifetime begins.
    pub fn push(&mut self, place: Place, ty: CType) {
        let cleanup = self.cleanup(place, ty, None);
        self.open.push(cleanup);
    }

    /// Variables and members, outermost first.
    pub fn open(&self) -> &[Cleanup] {
        &self.open
    }

    /// Forgets all variables and members but the first `height`.
    pub fn truncate(&mut self, height: usize) {
        self.open.truncate(height);
    }

    /// Adds a temporary of the expression being checked.
    pub fn push_temporary(&mut self, place: Place, ty: CType, flag: Option<Place>) {
        let cleanup = self.cleanup(place, ty, flag);
        self.temporaries.push(cleanup);
    }

    /// The temporaries of the expression being checked.
    pub fn temporaries(&self) -> &[Cleanup] {
        &self.temporaries
    }

    /// Takes the temporaries made since there were `mark` of them.
    pub fn take_temporaries(&mut self, mark: usize) -> Vec<Cleanup> {
        self.temporaries.split_off(mark.min(self.temporaries.len()))
    }

    /// The temporary made last since there were `mark` of them lives as long as a variable.
    pub fn extend_temporary(&mut self, mark: usize) {
        if self.temporaries.len() > mark {
            self.open.extend(self.temporaries.pop());
        }
    }

    /// The following parts are not evaluated each time that their expression is.
    pub fn enter_conditional(&mut self) {
        self.conditional += 1;
    }

    /// Ends a section that [`enter_conditional`](Self::enter_conditional) began.
    pub fn leave_conditional(&mut self) {
        self.conditional -= 1;
    }

    /// Returns true if the part being checked may not be evaluated although its expression is.
    pub fn is_conditional(&self) -> bool {
        self.conditional > 0
    }

    /// Remembers which objects exist at a label.
    pub fn note_label(&mut self, label: LabelId) {
        let open = self.open.iter().map(|cleanup| cleanup.number).collect();
        self.labels.push((label, open));
    }

    /// Adds a `goto`. Returns the label that represents it until the body is known.
    pub fn add_goto(&mut self, label: LabelId, span: Span) -> LabelId {
        let number = self.gotos.len() as u32;
        self.gotos.push(PendingGoto { label, open: self.open.clone(), span });
        LabelId(FIRST_GOTO + number)
    }

    /// Takes the `goto` statements of the body.
    pub fn take_gotos(&mut self) -> Vec<PendingGoto> {
        std::mem::take(&mut self.gotos)
    }

    /// The number of objects at a `goto` that exist at its label too, and the number that exist
    /// there in all.
    pub fn shared_with_label(&self, jump: &PendingGoto) -> (usize, usize) {
        let there = self.labels.iter().find(|(label, _)| *label == jump.label);
        let there = there.map_or(&[][..], |(_, open)| open);
        let same = jump.open.iter().zip(there).take_while(|(here, there)| here.number == **there);
        (same.count(), there.len())
    }
}
