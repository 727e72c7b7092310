//! Deduction: the arguments of a function template that follow from those of a call (C++17,
//! [temp.deduct.call]), and whether types have the form that a declaration gives.

use super::*;
use crate::check::Checker;
use crate::check::declare::declarator::function_parts;
use crate::check::expr::Operand;
use crate::check::scope::TypeMeaning;
use crate::check::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};

impl Checker {
    /// The arguments that follow from those of a call.
    pub(super) fn deduce(
        &mut self,
        index: usize,
        explicit: Option<&[TemplateArgument]>,
        operands: &[Operand],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let tree = self.templates[index].tree.clone();
        let written = self.written_arguments(index, explicit.unwrap_or_default(), span)?;
        let mut found: Vec<Option<Argument>> = vec![None; tree.parameters.len()];
        for (slot, argument) in found.iter_mut().zip(written) {
            *slot = Some(argument);
        }
        let (Kind::Function(declarator), names) = (kind(&tree.item), names(&tree)) else {
            return None;
        };
        let parameters = function_parts(declarator)?.parameters;
        let explicit = found.clone();
        for (parameter, operand) in parameters.iter().zip(operands) {
            let derived = &parameter.declarator.derived;
            let refers =
                derived.first().is_some_and(|one| matches!(one.kind, ast::DerivedKind::Reference));
            let ty = match operand {
                Operand::Place(place) if refers => place.ty.clone(),
                operand => match operand.ty() {
                    CType::Array(element, _) => QType::clone(element).pointer().plain(),
                    ty => ty.clone().plain(),
                },
            };
            let derived = if refers { &derived[1..] } else { &derived[..] };
            // What the parameter's type names is looked up where the template stands.
            let aside = self.scopes.enter(&self.templates[index].context.clone());
            let fits =
                self.unify(&names, &parameter.specifiers, derived, &ty, &explicit, &mut found);
            self.scopes.leave(aside);
            if !fits {
                let message = format!(
                    "`{}` cannot be made for an argument of type `{}`",
                    self.templates[index].name,
                    self.spell(operand.ty())
                );
                return self.fail(
                    Diagnostic::error(code::NO_MATCHING_CALL, operand.span(), message)
                        .secondary(parameter.span, "it does not follow what this stands for"),
                );
            }
        }
        self.complete_arguments(index, found, span)
    }

    /// Whether a type has the form that a declaration gives; its parts become arguments. Those that
    /// `fixed` has are not deduced: the argument is converted.
    pub(super) fn unify(
        &mut self,
        names: &[Option<Name>],
        specifiers: &ast::Specifiers,
        derived: &[ast::Derived],
        ty: &QType,
        fixed: &[Option<Argument>],
        found: &mut [Option<Argument>],
    ) -> bool {
        if !mentions(names, specifiers) && !bounds_mention(names, derived) {
            return true;
        }
        let mut ty = ty.clone();
        for step in derived {
            ty = match (&step.kind, &ty.ty) {
                (ast::DerivedKind::Pointer(_), CType::Pointer(to)) => QType::clone(to),
                (ast::DerivedKind::Array(bound), CType::Array(element, length)) => {
                    if let (Some(bound), Some(length)) = (bound, length)
                        && let ast::ExprKind::Name(name) = &bound.kind
                        && let Some(at) = position(names, name)
                    {
                        let length = Argument::Value(*length as i64, CType::LONG_LONG);
                        if !settle(&mut found[at], length) {
                            return false;
                        }
                    }
                    QType::clone(element)
                }
                (ast::DerivedKind::Pointer(_), _) if is_fixed(names, specifiers, fixed) => {
                    return true;
                }
                (ast::DerivedKind::Reference | ast::DerivedKind::Values(_), _) => continue,
                _ => return false,
            };
        }
        let has = |word: ast::Word| {
            specifiers
                .items
                .iter()
                .any(|one| matches!(one.kind, ast::SpecifierKind::Word(found) if found == word))
        };
        let (constant, volatile) = (has(ast::Word::Const), has(ast::Word::Volatile));
        for specifier in &specifiers.items {
            match &specifier.kind {
                ast::SpecifierKind::Named(name) => {
                    let Some(at) = position(names, name) else {
                        continue;
                    };
                    if fixed.get(at).is_some_and(Option::is_some) {
                        continue;
                    }
                    let rest = QType {
                        ty: ty.ty.clone(),
                        constant: ty.constant && !constant,
                        volatile: ty.volatile && !volatile,
                    };
                    let rest = if rest.ty == CType::Null { return false } else { rest };
                    if !settle(&mut found[at], Argument::Type(rest)) {
                        return false;
                    }
                }
                ast::SpecifierKind::Template(name, arguments) => {
                    let template = match self.scopes.find_type(name) {
                        Some(TypeMeaning::Template(template)) => template,
                        // Inside a class template its name is the type being made.
                        Some(TypeMeaning::Type(QType { ty: CType::Struct(id), .. })) => {
                            match self.structure(id).made_of {
                                Some((template, _)) => template,
                                None => return false,
                            }
                        }
                        _ => return false,
                    };
                    let CType::Struct(id) = ty.ty else {
                        return false;
                    };
                    let Some((made_of, list)) = self.structure(id).made_of.clone() else {
                        return false;
                    };
                    let Some((seen_as, list)) = self.seen_as(template, made_of, list) else {
                        return false;
                    };
                    if seen_as != template
                        || !self.unify_arguments(names, arguments, &list, fixed, found)
                    {
                        return false;
                    }
                }
                _ => {}
            }
        }
        true
    }

    /// The template that has made a type, and the arguments: those of `template`, if that is another
    /// name for it.
    pub(super) fn seen_as(
        &mut self,
        template: usize,
        made_of: usize,
        list: Vec<Argument>,
    ) -> Option<(usize, Vec<Argument>)> {
        let tree = self.templates[template].tree.clone();
        let (Kind::Alias, ast::Item::Declaration(alias)) = (kind(&tree.item), &tree.item) else {
            return Some((made_of, list));
        };
        let target = alias.specifiers.items.iter().find_map(|one| match &one.kind {
            ast::SpecifierKind::Template(name, arguments) => Some((name, arguments)),
            _ => None,
        });
        let (target, patterns) = target?;
        let names = names(&tree);
        let mut found = vec![None; names.len()];
        let aside = self.scopes.enter(&self.templates[template].context.clone());
        let is_same = matches!(self.scopes.find_type(target), Some(TypeMeaning::Template(at)) if at == made_of)
            && alias.declarators.iter().all(|one| one.declarator.derived.is_empty())
            && self.unify_arguments(&names, patterns, &list, &[], &mut found);
        self.scopes.leave(aside);
        let found: Option<Vec<Argument>> = found.into_iter().collect();
        Some((template, found.filter(|_| is_same)?))
    }

    /// Whether arguments have the form that others give.
    pub(super) fn unify_arguments(
        &mut self,
        names: &[Option<Name>],
        patterns: &[TemplateArgument],
        list: &[Argument],
        fixed: &[Option<Argument>],
        found: &mut [Option<Argument>],
    ) -> bool {
        patterns.len() <= list.len()
            && patterns.iter().zip(list).all(|(pattern, argument)| match (pattern, argument) {
                (TemplateArgument::Type(pattern), Argument::Type(ty)) => {
                    let derived = &pattern.declarator.derived;
                    if !mentions(names, &pattern.specifiers) {
                        let known = self.silently(|this| this.type_name(pattern));
                        return known.as_ref() == Some(ty);
                    }
                    let constant = ty.constant;
                    let plain = pattern.specifiers.items.len() == 1 || derived.is_empty();
                    (constant || plain || !derived.is_empty())
                        && has_const_if_asked(&pattern.specifiers, derived, ty)
                        && self.unify(names, &pattern.specifiers, derived, ty, fixed, found)
                }
                (TemplateArgument::Value(pattern), argument) => match &pattern.kind {
                    ast::ExprKind::Name(name) if position(names, name).is_some() => {
                        let at = position(names, name).unwrap_or(0);
                        settle(&mut found[at], argument.clone())
                    }
                    _ => {
                        let known = self
                            .silently(|this| this.constant_integer(pattern, "a template argument"));
                        matches!(argument, Argument::Value(value, _) if known == Some(*value))
                    }
                },
                _ => false,
            })
    }
}

/// Whether a type depends on the parameters.
pub(super) fn mentions(names: &[Option<Name>], specifiers: &ast::Specifiers) -> bool {
    specifiers.items.iter().any(|one| match &one.kind {
        ast::SpecifierKind::Named(name) => position(names, name).is_some(),
        ast::SpecifierKind::Template(_, arguments) => {
            arguments.iter().any(|argument| match argument {
                TemplateArgument::Type(ty) => {
                    mentions(names, &ty.specifiers) || bounds_mention(names, &ty.declarator.derived)
                }
                TemplateArgument::Value(value) => {
                    matches!(&value.kind, ast::ExprKind::Name(name) if position(names, name).is_some())
                }
            })
        }
        _ => false,
    })
}

pub(super) fn bounds_mention(names: &[Option<Name>], derived: &[ast::Derived]) -> bool {
    derived.iter().any(|step| match &step.kind {
        ast::DerivedKind::Array(Some(bound)) => {
            matches!(&bound.kind, ast::ExprKind::Name(name) if position(names, name).is_some())
        }
        _ => false,
    })
}

/// Whether what a declaration says depends only on arguments that are given.
pub(super) fn is_fixed(
    names: &[Option<Name>],
    specifiers: &ast::Specifiers,
    fixed: &[Option<Argument>],
) -> bool {
    specifiers.items.iter().any(|one| match &one.kind {
        ast::SpecifierKind::Named(name) => {
            position(names, name).is_some_and(|at| fixed.get(at).is_some_and(Option::is_some))
        }
        _ => false,
    })
}

/// `const T` is a form of constant types only.
pub(super) fn has_const_if_asked(
    specifiers: &ast::Specifiers,
    derived: &[ast::Derived],
    ty: &QType,
) -> bool {
    let asks = specifiers
        .items
        .iter()
        .any(|one| matches!(one.kind, ast::SpecifierKind::Word(ast::Word::Const)));
    !asks || !derived.is_empty() || ty.constant
}

/// Gives a parameter its argument; `false` if it has another.
pub(super) fn settle(slot: &mut Option<Argument>, argument: Argument) -> bool {
    match slot {
        None => {
            *slot = Some(argument);
            true
        }
        Some(Argument::Value(known, _)) => {
            matches!(argument, Argument::Value(value, _) if value == *known)
        }
        Some(known) => argument == *known,
    }
}
