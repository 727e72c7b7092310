//! Enumerations: their values, and the integer type that holds them (C++17, [dcl.enum]).

use crate::check::expr::constant::wrap;
use crate::check::expr::narrow::{number, range};
use crate::check::library::enumeration;
use crate::check::state::Checker;
use crate::check::state::scopes::{Symbol, Tag};
use crate::check::tree::IntKind;
use crate::check::types::{CType, Enumeration, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;

/// An enumerator whose value is known, as a number of any type.
struct Known<'a> {
    name: &'a Name,
    span: Span,
    value: i128,
}

impl Checker {
    pub(super) fn enum_specifier(&mut self, found: &ast::EnumSpecifier) -> Option<QType> {
        let base = match &found.base {
            Some(base) => self.specifiers(base).base.map(|base| base.ty),
            None => Some(CType::INT),
        };
        let Some(enumerators) = &found.enumerators else {
            return self.named_enumeration(found);
        };
        let kind = match base {
            Some(CType::Bool) => return self.refuse_bool(found.span),
            base => base.as_ref().and_then(CType::kind).unwrap_or(IntKind::Int),
        };
        let path = found.tag.as_ref().map(|tag| self.scopes.qualify(tag));
        let id = self.enumerations.add(path, self.body.is_some());
        let is_scoped = found.is_scoped;
        let mut of = Enumeration { id, kind, is_scoped, nonnegative: false };
        if let Some(tag) = &found.tag {
            let earlier = self.scopes.find_own_tag(tag);
            if let Some(earlier) = earlier {
                self.report_redefinition(tag, found.span, earlier.span);
            }
            self.scopes.set_tag(tag.clone(), Tag::Enum(of), Some(found.span));
        }
        let known = self.enumerators(enumerators, found, kind);
        if !is_scoped && found.base.is_none() {
            of.kind = self.kind_of_values(&known, found.span);
            of.nonnegative = known.iter().all(|known| known.value >= 0);
        }
        self.give_type(&known, found, of);
        if let Some(tag) = &found.tag {
            self.scopes.set_tag(tag.clone(), Tag::Enum(of), Some(found.span));
        }
        Some(CType::Enum(of).plain())
    }

    fn refuse_bool<T>(&mut self, span: Span) -> Option<T> {
        let message = "unsupported: an enumeration of the type `bool`";
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_CPP, span, message)
                .help("write `unsigned char` after the enumeration's name"),
        )
    }

    /// `enum color` without values.
    fn named_enumeration(&mut self, found: &ast::EnumSpecifier) -> Option<QType> {
        let tag = found.tag.as_deref().unwrap_or_default();
        let declared = found.tag.as_ref().and_then(|tag| self.scopes.find_tag(tag));
        match (declared, enumeration::named(tag)) {
            (Some(Tag::Enum(of)), _) => Some(CType::Enum(of).plain()),
            (Some(Tag::Poisoned), _) => {
                self.note_poison(found.tag.as_ref()?, found.span);
                None
            }
            (None, Some(supplied)) => Some(supplied.plain()),
            _ => {
                let message = format!("there is no enumeration `{tag}`");
                self.fail(Diagnostic::error(code::UNKNOWN_TYPE, found.span, message))
            }
        }
    }

    /// Declares the values of an enumeration, in order; `kind` is its type if that is fixed.
    fn enumerators<'a>(
        &mut self,
        enumerators: &'a [ast::Enumerator],
        of: &ast::EnumSpecifier,
        kind: IntKind,
    ) -> Vec<Known<'a>> {
        let is_fixed = of.is_scoped || of.base.is_some();
        let path = of.tag.as_ref().map(|tag| self.scopes.qualify(tag));
        let mut all = Vec::new();
        let mut next = Some(0);
        for enumerator in enumerators {
            if let Some(value) = &enumerator.value {
                let closing = path.clone().map(|path| self.scopes.open_members(path));
                let known = self.typed_constant(value, "an enumerator's value");
                next = known.map(|(typed, known)| number(known, &typed.ty));
                if let Some(closing) = closing {
                    self.scopes.close_members(closing);
                }
            }
            if let Some(value) = next.filter(|value| is_fixed && !fits(*value, kind)) {
                let span = enumerator.value.as_ref().map_or(enumerator.span, |value| value.span);
                let ty = self.spell(&CType::Int(kind));
                let message =
                    format!("`{}` is {value}, which `{ty}` does not hold", enumerator.name);
                self.report(
                    Diagnostic::error(code::NARROWED, span, message)
                        .help("write a larger type after the enumeration's name: `: long long`"),
                );
                next = None;
            }
            let symbol = match next {
                Some(value) if is_fixed => enumerator_of(value, kind),
                Some(value) => enumerator_of(value, least(&[value]).unwrap_or(IntKind::Long)),
                None => Symbol::Poisoned,
            };
            self.declare_enumerator(&enumerator.name, symbol, enumerator.span, of);
            all.extend(next.map(|value| {
                let (name, span) = (&enumerator.name, enumerator.span);
                Known { name, span, value }
            }));
            next = next.map(|value| value + 1);
        }
        all
    }

    /// Declares `red`, unless the enumeration is scoped, and `color::red`.
    fn declare_enumerator(
        &mut self,
        name: &Name,
        symbol: Symbol,
        span: Span,
        of: &ast::EnumSpecifier,
    ) {
        if let Some(tag) = &of.tag {
            let path = self.scopes.qualify(tag);
            let closing = self.scopes.open_members(path);
            self.declare(name, symbol.clone(), span);
            self.scopes.close_members(closing);
        }
        if !of.is_scoped {
            self.declare(name, symbol, span);
        }
    }

    /// The type of an enumeration that names none: the first that holds all values.
    fn kind_of_values(&mut self, known: &[Known], span: Span) -> IntKind {
        let values: Vec<i128> = known.iter().map(|known| known.value).collect();
        least(&values).unwrap_or_else(|| {
            let message = "no integer type holds all values of this enumeration";
            self.report(Diagnostic::error(code::NARROWED, span, message));
            IntKind::Long
        })
    }

    /// Makes the enumeration the type of its enumerators, which it is behind its braces.
    fn give_type(&mut self, known: &[Known], found: &ast::EnumSpecifier, of: Enumeration) {
        let path = found.tag.as_ref().map(|tag| self.scopes.qualify(tag));
        for Known { name, span, value } in known {
            let symbol = Symbol::Enumerator(wrap(of.kind, *value as i64), CType::Enum(of));
            if let Some(path) = path.clone() {
                let closing = self.scopes.open_members(path);
                self.scopes.set((*name).clone(), symbol.clone(), Some(*span));
                self.scopes.close_members(closing);
            }
            if !of.is_scoped {
                self.scopes.set((*name).clone(), symbol, Some(*span));
            }
        }
    }
}

fn enumerator_of(value: i128, kind: IntKind) -> Symbol {
    Symbol::Enumerator(wrap(kind, value as i64), CType::Int(kind))
}

/// The first type from `int` on that holds all values.
fn least(values: &[i128]) -> Option<IntKind> {
    let kinds = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong];
    kinds.into_iter().find(|&kind| values.iter().all(|&value| fits(value, kind)))
}

fn fits(value: i128, kind: IntKind) -> bool {
    let range = range(&CType::Int(kind), None);
    range.is_some_and(|(low, high)| (low..=high).contains(&value))
}
