//! Deduction: the arguments of a function template that follow from those of a call (C++17,
//! [temp.deduct.call]), and whether types have the form that a declaration gives.

use super::kind::{Kind, kind, names};
use crate::check::declare::declarator::function_parts;
use crate::check::state::Checker;
use crate::check::state::scopes::{Scope, Symbol, TypeMeaning};
use crate::check::state::templates::Argument;
use crate::check::types::{CType, QType};
use crate::check::value::Operand;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument};

/// The arguments of a template that are being found.
pub(super) struct Deduction {
    /// The names of the template's parameters.
    names: Vec<Option<Name>>,
    /// The arguments that are written: these are not deduced, since an argument of the call is converted.
    fixed: Vec<Option<Argument>>,
    /// The arguments found so far, by parameter.
    found: Vec<Option<Argument>>,
}

impl Deduction {
    /// Nothing is known of a template's arguments.
    pub(super) fn new(tree: &ast::Template) -> Deduction {
        let names = names(tree);
        Deduction { fixed: Vec::new(), found: vec![None; names.len()], names }
    }

    /// The arguments found, by parameter.
    pub(super) fn found(self) -> Vec<Option<Argument>> {
        self.found
    }

    /// The parameters without any known property: an expression that depends on them has no value
    /// yet.
    pub(super) fn unknown(&self) -> Scope {
        let mut scope = Scope::default();
        for name in self.names.iter().flatten() {
            scope.bind(name.clone(), Symbol::Poisoned);
        }
        scope
    }

    /// All arguments, if each has been found.
    pub(super) fn complete(self) -> Option<Vec<Argument>> {
        self.found.into_iter().collect()
    }

    /// The position of the parameter of a name.
    fn position(&self, name: &Name) -> Option<usize> {
        self.names.iter().position(|known| known.as_ref() == Some(name))
    }

    /// The position of the parameter that an expression names.
    fn named_by(&self, expr: &ast::Expr) -> Option<usize> {
        match &expr.kind {
            ast::ExprKind::Name(name) => self.position(name),
            _ => None,
        }
    }

    fn is_fixed(&self, at: usize) -> bool {
        self.fixed.get(at).is_some_and(Option::is_some)
    }

    /// Gives a parameter its argument; `false` if it has another.
    fn settle(&mut self, at: usize, argument: Argument) -> bool {
        let slot = &mut self.found[at];
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

    /// Returns true if a written type depends on the parameters.
    fn is_mentioned(&self, pattern: Pattern) -> bool {
        self.is_mentioned_by(pattern.specifiers)
            || pattern.derived.iter().any(|step| match &step.kind {
                ast::DerivedKind::Array(Some(bound)) => self.named_by(bound).is_some(),
                _ => false,
            })
    }

    fn is_mentioned_by(&self, specifiers: &ast::Specifiers) -> bool {
        specifiers.items.iter().any(|one| match &one.kind {
            ast::SpecifierKind::Named(name) => self.position(name).is_some(),
            ast::SpecifierKind::Template(_, arguments) => {
                arguments.iter().any(|argument| match argument {
                    TemplateArgument::Type(ty) => self.is_mentioned(Pattern::of(ty)),
                    TemplateArgument::Value(value) => self.named_by(value).is_some(),
                })
            }
            _ => false,
        })
    }

    /// Returns true if a written type depends only on arguments that are given.
    fn is_settled(&self, specifiers: &ast::Specifiers) -> bool {
        specifiers.items.iter().any(|one| match &one.kind {
            ast::SpecifierKind::Named(name) => {
                self.position(name).is_some_and(|at| self.is_fixed(at))
            }
            _ => false,
        })
    }
}

/// A type as a declaration writes it, from whose form arguments follow.
#[derive(Clone, Copy)]
struct Pattern<'a> {
    specifiers: &'a ast::Specifiers,
    /// From the name outwards, without a reference.
    derived: &'a [ast::Derived],
    /// True if a type has to have its qualifiers: arguments of templates are not converted as those
    /// of calls are.
    exact: bool,
}

impl<'a> Pattern<'a> {
    fn of(ty: &'a ast::TypeName) -> Pattern<'a> {
        Pattern { specifiers: &ty.specifiers, derived: &ty.declarator.derived, exact: true }
    }

    fn has(&self, word: ast::Word) -> bool {
        let is = |one: &ast::Specifier| matches!(one.kind, ast::SpecifierKind::Word(found) if found == word);
        self.specifiers.items.iter().any(is)
    }

    /// Returns true if a type has the qualifiers in front of the pattern's name, if it has to.
    fn fits_qualifiers(&self, ty: &QType) -> bool {
        !self.exact
            || self.has(ast::Word::Const) <= ty.is_constant()
                && self.has(ast::Word::Volatile) <= ty.volatile
    }

    /// Returns true if a pointer has the qualifiers after a `*` of the pattern, if it has to.
    fn fits_pointer(&self, words: &[ast::Word], ty: &QType) -> bool {
        !self.exact
            || words.contains(&ast::Word::Const) == ty.constant
                && words.contains(&ast::Word::Volatile) == ty.volatile
    }
}

impl Checker {
    /// The arguments that follow from those of a call; from a `result` too in a specialisation, which names
    /// it.
    pub(super) fn deduce(
        &mut self,
        index: usize,
        explicit: Option<&[TemplateArgument]>,
        operands: &[Operand],
        result: Option<&QType>,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let tree = self.templates[index].tree.clone();
        let written = self.written_arguments(index, explicit.unwrap_or_default(), span)?;
        let mut deduction = Deduction::new(&tree);
        for (slot, argument) in deduction.found.iter_mut().zip(written) {
            *slot = Some(argument);
        }
        deduction.fixed = deduction.found.clone();
        let Kind::Function(declarator) = kind(&tree.item) else {
            return None;
        };
        let parts = function_parts(declarator)?;
        let parameters = parts.parameters;
        let specifiers = match &tree.item {
            ast::Item::Function(definition) => &definition.specifiers,
            ast::Item::Declaration(declaration) => &declaration.specifiers,
            _ => return None,
        };
        // Names in a parameter's type are looked up at the template's place.
        let context = self.templates[index].context.clone().with(deduction.unknown());
        if let Some(result) = result {
            let pattern = Pattern { specifiers, derived: parts.result, exact: false };
            let aside = self.scopes.enter(&context);
            let fits = self.unify(&mut deduction, pattern, result);
            self.scopes.leave(aside);
            if !fits {
                return None;
            }
        }
        for (parameter, operand) in parameters.iter().zip(operands) {
            let aside = self.scopes.enter(&context);
            let fits = self.unify_parameter(&mut deduction, &tree, parameter, operand);
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
        self.complete_arguments(index, deduction.found, span)
    }

    /// Returns true if an argument of a call has the form of a parameter.
    fn unify_parameter(
        &mut self,
        deduction: &mut Deduction,
        tree: &ast::Template,
        parameter: &ast::Parameter,
        operand: &Operand,
    ) -> bool {
        use ast::DerivedKind::{Array, Reference, RvalueReference};
        let derived = &parameter.declarator.derived;
        let first = derived.first().map(|first| &first.kind);
        let refers = matches!(first, Some(Reference | RvalueReference));
        let ty = match self.object_of(operand).filter(|_| refers) {
            // `T &&` of a template's own `T` stands for objects too: `T` is a reference then.
            Some(place) if is_forwarding(tree, parameter) && !place.expires => {
                place.ty.clone().reference(false)
            }
            Some(place) => place.ty.clone(),
            None => match operand.ty() {
                CType::Array(element, _) => QType::clone(element).pointer().plain(),
                ty => ty.clone().plain(),
            },
        };
        // A parameter that is an array is a pointer, and its own bound has no effect.
        let (derived, ty) = match ty.ty.pointee() {
            _ if refers => (&derived[1..], ty),
            Some(to) if matches!(first, Some(Array(_))) => (&derived[1..], to.clone()),
            _ => (&derived[..], ty),
        };
        let pattern = Pattern { specifiers: &parameter.specifiers, derived, exact: false };
        self.unify(deduction, pattern, &ty)
    }

    /// Returns true if a type has the form of a pattern; its parts become arguments.
    fn unify(&mut self, deduction: &mut Deduction, pattern: Pattern, ty: &QType) -> bool {
        if !deduction.is_mentioned(pattern) {
            return true;
        }
        let mut ty = ty.clone();
        for step in pattern.derived {
            ty = match (&step.kind, &ty.ty) {
                (ast::DerivedKind::Pointer(words), CType::Pointer(to))
                    if pattern.fits_pointer(words, &ty) =>
                {
                    QType::clone(to)
                }
                (ast::DerivedKind::Array(bound), CType::Array(element, length)) => {
                    if let (Some(bound), Some(length)) = (bound, length)
                        && let Some(at) = deduction.named_by(bound)
                    {
                        let length = Argument::Value(*length as i64, CType::LONG_LONG);
                        if !deduction.settle(at, length) {
                            return false;
                        }
                    }
                    QType::clone(element)
                }
                (ast::DerivedKind::Pointer(_), _) if deduction.is_settled(pattern.specifiers) => {
                    return true;
                }
                (ast::DerivedKind::Reference, CType::Reference(to, false))
                | (ast::DerivedKind::RvalueReference, CType::Reference(to, true)) => {
                    QType::clone(to)
                }
                (ast::DerivedKind::Values(_), _) => continue,
                _ => return false,
            };
        }
        let items = &pattern.specifiers.items;
        pattern.fits_qualifiers(&ty)
            && items.iter().all(|specifier| match &specifier.kind {
                ast::SpecifierKind::Named(name) => unify_name(deduction, pattern, name, &ty),
                ast::SpecifierKind::Template(name, arguments) => {
                    self.unify_template(deduction, name, arguments, &ty)
                }
                _ => true,
            })
    }

    /// Returns true if a type was made by the template that a pattern names, of arguments that have
    /// the form of the pattern's.
    fn unify_template(
        &mut self,
        deduction: &mut Deduction,
        name: &Name,
        arguments: &[TemplateArgument],
        ty: &QType,
    ) -> bool {
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
        if self.is_transparent(template) {
            return true;
        }
        let CType::Struct(id) = ty.ty else {
            return false;
        };
        let Some((made_of, list)) = self.structure(id).made_of.clone() else {
            return false;
        };
        let Some((seen_as, list)) = self.seen_as(template, made_of, list) else {
            return false;
        };
        seen_as == template && self.unify_arguments(deduction, arguments, &list)
    }

    /// Returns true if a template is another name for something that is no class template with
    /// arguments, as `enable_if_t` is: nothing can be deduced from it (C++17, [temp.deduct.type]).
    fn is_transparent(&mut self, template: usize) -> bool {
        let tree = self.templates[template].tree.clone();
        let (Kind::Alias, ast::Item::Declaration(alias)) = (kind(&tree.item), &tree.item) else {
            return false;
        };
        let aside = self.scopes.enter(&self.templates[template].context.clone());
        let names_class = alias.specifiers.items.iter().any(|one| match &one.kind {
            ast::SpecifierKind::Template(name, _) => match self.scopes.find_type(name) {
                Some(TypeMeaning::Template(target)) => {
                    matches!(kind(&self.templates[target].tree.item), Kind::Struct(_))
                }
                _ => false,
            },
            _ => false,
        });
        self.scopes.leave(aside);
        let derived = |one: &ast::InitDeclarator| !one.declarator.derived.is_empty();
        !names_class || alias.declarators.iter().any(derived)
    }

    /// The template that has made a type, and the arguments: those of `template`, if that is another
    /// name for it.
    fn seen_as(
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
        let mut deduction = Deduction::new(&tree);
        let aside = self.scopes.enter(&self.templates[template].context.clone());
        let is_same = matches!(self.scopes.find_type(target), Some(TypeMeaning::Template(at)) if at == made_of)
            && alias.declarators.iter().all(|one| one.declarator.derived.is_empty())
            && self.unify_arguments(&mut deduction, patterns, &list);
        self.scopes.leave(aside);
        let found = deduction.complete();
        Some((template, found.filter(|_| is_same)?))
    }

    /// Returns true if arguments have the form of others, as far as it is known. Nothing follows
    /// from an argument without a value before the parameters are known; the caller compares it
    /// then.
    pub(super) fn unify_arguments(
        &mut self,
        deduction: &mut Deduction,
        patterns: &[TemplateArgument],
        list: &[Argument],
    ) -> bool {
        patterns.len() <= list.len()
            && patterns.iter().zip(list).all(|(pattern, argument)| match (pattern, argument) {
                (TemplateArgument::Type(pattern), Argument::Type(ty)) => {
                    self.unify_type_argument(deduction, pattern, ty)
                }
                (TemplateArgument::Value(pattern), argument) => {
                    if let Some(at) = deduction.named_by(pattern) {
                        return deduction.settle(at, argument.clone());
                    }
                    let known =
                        self.silently(|this| this.constant_integer(pattern, "a template argument"));
                    known.is_none_or(
                        |known| matches!(argument, Argument::Value(value, _) if known == *value),
                    )
                }
                _ => false,
            })
    }

    fn unify_type_argument(
        &mut self,
        deduction: &mut Deduction,
        written: &ast::TypeName,
        ty: &QType,
    ) -> bool {
        let pattern = Pattern::of(written);
        if deduction.is_mentioned(pattern) {
            return self.unify(deduction, pattern, ty);
        }
        let known = self.silently(|this| this.type_name(written));
        known.is_none_or(|known| known == *ty)
    }
}

/// Returns true if a parameter is `T &&` of a parameter `T` of the template itself (C++17,
/// [temp.deduct.call]).
fn is_forwarding(tree: &ast::Template, parameter: &ast::Parameter) -> bool {
    let [ast::Specifier { kind: ast::SpecifierKind::Named(name), .. }] =
        parameter.specifiers.items.as_slice()
    else {
        return false;
    };
    let [ast::Derived { kind: ast::DerivedKind::RvalueReference, .. }] =
        parameter.declarator.derived.as_slice()
    else {
        return false;
    };
    tree.parameters.iter().any(|one| one.name.as_ref() == Some(name))
}

/// Makes a type, without the qualifiers that a pattern has, the argument of the parameter that the pattern
/// names; `false` if it has another.
fn unify_name(deduction: &mut Deduction, pattern: Pattern, name: &Name, ty: &QType) -> bool {
    let Some(at) = deduction.position(name).filter(|&at| !deduction.is_fixed(at)) else {
        return true;
    };
    deduction.settle(at, Argument::Type(without(pattern, ty)))
}

/// A type without the qualifiers that a pattern has; an array's are its elements'.
fn without(pattern: Pattern, ty: &QType) -> QType {
    let inner = match &ty.ty {
        CType::Array(element, length) => CType::Array(without(pattern, element).into(), *length),
        other => other.clone(),
    };
    QType {
        ty: inner,
        constant: ty.constant && !pattern.has(ast::Word::Const),
        volatile: ty.volatile && !pattern.has(ast::Word::Volatile),
    }
}
