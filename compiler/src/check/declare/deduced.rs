//! Functions whose result is `auto`: the values that their bodies return determine its type (C++17,
//! [dcl.spec.auto]).
//!
//! The body is checked once for its `return` statements alone, and once more as that of any
//! function. A lambda or a structure that it defines is the same type both times, because the
//! function may return it.

use crate::check::state::Checker;
use crate::check::state::body::Deduced;
use crate::check::state::functions::Pending;
use crate::check::tree::StructId;
use crate::check::types::CType;
use crate::check::value::Operand;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;

impl Checker {
    /// Deduces the type of a function's result from its body.
    pub(crate) fn deduce_result(&mut self, index: usize, pending: Pending) {
        let span = self.functions[index].span;
        self.functions[index].result = Some(CType::Void);
        self.functions.deduced.insert(index, Deduced::Nothing);
        let mark = self.reports.mark();
        self.function_body(pending, Some(index));
        self.reports.go_back(mark);
        let deduced = self.functions.deduced.remove(&index);
        let info = &mut self.functions[index];
        info.checked = None;
        info.calls.clear();
        match deduced {
            Some(Deduced::Type(ty)) => info.result = Some(ty),
            Some(Deduced::Reference(to)) => {
                info.result = Some(to.clone().pointer());
                info.reference = Some(to);
            }
            Some(Deduced::Several(one, other)) => {
                info.result = None;
                let (one, other) = (self.spell(&one), self.spell(&other));
                let message = format!(
                    "the result is `auto`, but values of the types `{one}` and `{other}` are returned"
                );
                self.report(
                    Diagnostic::error(code::BAD_RETURN, span, message)
                        .help("write the result's type"),
                );
            }
            _ => {}
        }
    }

    /// The lambda or structure at a place of the body being checked, if checking it for the type of its result has defined it
    /// without faults, which are reported when it is defined again.
    pub(crate) fn type_defined_before(&mut self, span: Span) -> Option<StructId> {
        let body = self.body.as_mut()?;
        if body.deduced.is_some() {
            return None;
        }
        // A macro may have several at one place.
        let seen = body.types.entry(span).or_default();
        *seen += 1;
        let all = self.functions.types_of_deduced.get(&(body.function, span))?;
        let id = *all.get(*seen - 1)?;
        let info = self.structure(id);
        (info.complete && !info.broken && !info.faulty).then_some(id)
    }

    /// Notes a lambda or structure that a body being checked for the type of its result defines.
    pub(crate) fn note_type_defined(&mut self, span: Span, id: StructId) {
        if let Some(body) = self.body.as_ref().filter(|body| body.deduced.is_some()) {
            let key = (body.function, span);
            self.functions.types_of_deduced.entry(key).or_default().push(id);
        }
    }

    /// Records the type in a `return` of the function being checked, for a result that is `auto`.
    /// Returns true if it is one.
    pub(crate) fn notes_returned(&mut self, value: Option<&ast::Initializer>, span: Span) -> bool {
        if self.body.as_ref().is_none_or(|body| body.deduced.is_none()) {
            return false;
        }
        let operand = match value {
            Some(ast::Initializer::Expr(value)) => self.type_of(value),
            Some(ast::Initializer::List { .. }) => {
                let message = "a list in braces does not tell the type of a result that is `auto`";
                self.report(Diagnostic::error(code::BAD_RETURN, span, message));
                None
            }
            None => return true,
        };
        let keeps = self.body.as_ref().is_some_and(|body| {
            self.functions.get(body.function).is_some_and(|info| info.keeps_reference)
        });
        if let (true, Some(operand), Some(ast::Initializer::Expr(value))) = (keeps, &operand, value)
        {
            self.note_kept(value, operand, span);
            return true;
        }
        let ty = match operand {
            Some(Operand::Place(place)) => match &place.ty.ty {
                CType::Array(element, _) => (**element).clone().pointer(),
                ty => ty.clone(),
            },
            Some(Operand::Value(value)) => value.ty,
            None => return true,
        };
        self.note_type(ty);
        true
    }

    fn note_type(&mut self, ty: CType) {
        if let Some(body) = &mut self.body {
            body.deduced = Some(match body.deduced.take() {
                Some(Deduced::Type(known)) if known != ty => Deduced::Several(known, ty),
                Some(Deduced::Several(one, other)) => Deduced::Several(one, other),
                Some(Deduced::Reference(to)) => Deduced::Several(to.ty, ty),
                _ => Deduced::Type(ty),
            });
        }
    }

    /// Records the type in a `return`, for a result that is `decltype(auto)`.
    fn note_kept(&mut self, value: &ast::Expr, operand: &Operand, span: Span) {
        let Some(is_reference) = self.is_reference_type(value, operand) else {
            return;
        };
        let gives_up = matches!(operand, Operand::Place(place) if place.expires);
        let is_place = matches!(operand, Operand::Place(_));
        let in_parentheses = match is_place && !is_reference {
            true => self.stands_in_parentheses(value),
            false => Some(false),
        };
        let is_reference = is_reference || in_parentheses == Some(true);
        let is_array = matches!(operand.ty(), CType::Array(..)) && !is_reference;
        if gives_up || is_array || in_parentheses.is_none() {
            let message = "unsupported: `decltype(auto)` of an array, of a value that is given up, or of a macro";
            let found = Diagnostic::error(code::UNSUPPORTED_CPP, span, message);
            return self.report(found.help("write the result's type"));
        }
        match operand {
            Operand::Place(place) if is_reference => {
                let to = place.ty.clone();
                if let Some(body) = &mut self.body {
                    body.deduced = Some(match body.deduced.take() {
                        Some(Deduced::Reference(known)) if known == to => Deduced::Reference(known),
                        Some(Deduced::Reference(known)) => Deduced::Several(known.ty, to.ty),
                        Some(Deduced::Type(known)) => Deduced::Several(known, to.ty),
                        Some(several @ Deduced::Several(..)) => several,
                        _ => Deduced::Reference(to),
                    });
                }
            }
            operand => self.note_type(operand.ty().clone()),
        }
    }
}
