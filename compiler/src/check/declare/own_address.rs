//! Addresses of parts of an object in its constructor. A constructor returns its object, which then lies
//! elsewhere: an address that the object, or anything else that stays, keeps of it is refused.

use crate::check::state::Checker;
use crate::check::state::body::This;
use crate::check::tree::{Expr, ExprKind, LocalId, Place, PlaceKind};
use crate::check::tree_walk::{expr_parts, place_parts};
use crate::diagnostic::{Diagnostic, code};

/// Looks for the address of a variable, or of a part of one, in an expression.
struct Addresses {
    of: LocalId,
    found: bool,
}

impl Addresses {
    fn expr(&mut self, value: &Expr) {
        match &value.kind {
            ExprKind::AddressOf(place) => {
                self.found |= root(place) == Some(self.of);
                self.place(place);
            }
            // What is loaded through an address is another value.
            ExprKind::Load(_) => {}
            kind => expr_parts!(self, kind),
        }
    }

    fn place(&mut self, place: &Place) {
        place_parts!(self, &place.kind);
    }
}

/// The variable that a place is a part of.
fn root(place: &Place) -> Option<LocalId> {
    match &place.kind {
        PlaceKind::Local(id) => Some(*id),
        PlaceKind::Field(base, _) => root(base),
        PlaceKind::Deref(pointer) => match &pointer.kind {
            ExprKind::AddressOf(inner) => root(inner),
            ExprKind::PointerAdd { pointer, .. } => match &pointer.kind {
                ExprKind::AddressOf(inner) => root(inner),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

impl Checker {
    /// The variable that holds the object of the constructor being checked.
    fn own_object(&self) -> Option<LocalId> {
        match self.body.as_ref()?.this.as_ref()? {
            This::Object(local, _) => Some(*local),
            This::Pointer(..) => None,
        }
    }

    /// Refuses a value that is stored in `place` if it holds an address of the object of the constructor being
    /// checked.
    pub(crate) fn refuse_own_address(&mut self, value: &Expr, place: &Place) -> Option<()> {
        let Some(of) = self.own_object() else {
            return Some(());
        };
        // Another variable of the constructor ends with it.
        if root(place).is_some_and(|root| root != of) {
            return Some(());
        }
        let mut addresses = Addresses { of, found: false };
        addresses.expr(value);
        if !addresses.found {
            return Some(());
        }
        let message = "unsupported: a constructor that keeps an address of its own object";
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_CLASS, value.span, message)
                .help("keep an index, or set the address in a function that is called later"),
        )
    }
}
