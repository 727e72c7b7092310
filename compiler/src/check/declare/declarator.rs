//! Declarators: from the specifiers' type to the declared thing's.

use crate::check::expr::constant::Const;
use crate::check::state::Checker;
use crate::check::state::functions::Binding;
use crate::check::types::{CType, Opaque, QType, TYPE_DEPTH};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Word;
use std::sync::Arc;

/// The type of a declared object.
pub(crate) struct ObjectType {
    /// For a reference: the type that it refers to.
    pub ty: QType,
    pub reference: bool,
    /// The values that a reference may be bound to.
    pub binding: Binding,
}

/// The parts of a function's declarator.
pub(crate) struct FunctionParts<'a> {
    pub parameters: &'a [ast::Parameter],
    pub variadic: bool,
    /// The declarator part that makes the result's type out of the specifiers'.
    pub result: &'a [ast::Derived],
}

/// The parameters, if a declarator declares a function.
pub(crate) fn function_parts(declarator: &ast::Declarator) -> Option<FunctionParts<'_>> {
    let (first, result) = declarator.derived.split_first()?;
    match &first.kind {
        ast::DerivedKind::Function { parameters, variadic } => {
            Some(FunctionParts { parameters, variadic: *variadic, result })
        }
        _ => None,
    }
}

/// The values of `x(values)`.
pub(crate) fn direct_values(declarator: &ast::Declarator) -> Option<(&[ast::Expr], Span)> {
    declarator.derived.iter().find_map(|step| match &step.kind {
        ast::DerivedKind::Values(values) => Some((values.as_slice(), step.span)),
        _ => None,
    })
}

fn without_values(steps: &[ast::Derived]) -> Vec<&ast::Derived> {
    let is_type = |step: &&ast::Derived| !matches!(step.kind, ast::DerivedKind::Values(_));
    steps.iter().filter(is_type).collect()
}

impl Checker {
    /// The type that declarator steps make of `base`; an array without a bound may only be the
    /// outermost.
    pub(crate) fn derive(&mut self, base: QType, steps: &[&ast::Derived]) -> Option<QType> {
        let mut ty = base;
        for (index, step) in steps.iter().enumerate().rev() {
            ty = self.derive_step(ty, step, index == 0)?;
            if ty.ty.depth() > TYPE_DEPTH {
                let message =
                    format!("the type is built of more than {TYPE_DEPTH} pointers and arrays");
                return self.fail(Diagnostic::error(code::LIMIT_NESTING, step.span, message));
            }
        }
        Some(ty)
    }

    fn derive_step(&mut self, ty: QType, step: &ast::Derived, outermost: bool) -> Option<QType> {
        let refers = matches!(ty.ty, CType::Reference(..));
        match &step.kind {
            ast::DerivedKind::Pointer(_) | ast::DerivedKind::Array(_) if refers => {
                let text = self.spell(&ty.ty);
                let message = format!("no pointer or array can be made of the reference `{text}`");
                self.fail(Diagnostic::error(code::BAD_DECLARATION, step.span, message))
            }
            ast::DerivedKind::Pointer(words) => {
                let has = |word| words.contains(&word);
                Some(ty.pointer().plain().qualified(has(Word::Const), has(Word::Volatile)))
            }
            ast::DerivedKind::Array(bound) => {
                let length = match bound {
                    Some(bound) => Some(self.array_bound(bound)?),
                    None if outermost => None,
                    None => {
                        let message = "only the outermost bound of an array may be left out";
                        return self.fail(Diagnostic::error(code::BAD_BOUND, step.span, message));
                    }
                };
                if ty.ty.is_void() {
                    let message = "an array cannot have elements of type `void`";
                    return self.fail(Diagnostic::error(code::BAD_DECLARATION, step.span, message));
                }
                self.object_size(&ty.ty, step.span, "the element")?;
                Some(CType::Array(Arc::new(ty), length).plain())
            }
            ast::DerivedKind::Reference | ast::DerivedKind::RvalueReference => {
                if ty.ty.is_void() || !outermost {
                    let message = "no reference can be made to `void`, and nothing of a reference";
                    return self.fail(Diagnostic::error(code::BAD_DECLARATION, step.span, message));
                }
                Some(ty.reference(matches!(step.kind, ast::DerivedKind::RvalueReference)))
            }
            ast::DerivedKind::Function { .. } if self.allowed.function_types() => {
                Some(CType::Opaque(Opaque::Function).plain())
            }
            ast::DerivedKind::Function { .. } => self.refuse_function_pointer(step.span),
            ast::DerivedKind::Values(_) => Some(ty),
        }
    }

    pub(crate) fn refuse_function_pointer<T>(&mut self, span: Span) -> Option<T> {
        let message = "unsupported: pointers to functions";
        self.fail(
            Diagnostic::error(code::UNSUPPORTED_FUNCTION_POINTER, span, message).help(
                "make the function a template argument, or choose what to call with a `switch`",
            ),
        )
    }

    fn array_bound(&mut self, bound: &ast::Expr) -> Option<u64> {
        let value = self.constant_value(bound)?;
        if !value.ty.is_integer() {
            let message =
                format!("the bound has the type `{}`, not an integer", self.spell(&value.ty));
            return self.fail(Diagnostic::error(code::BAD_BOUND, bound.span, message));
        }
        let Some(Const::Int(length)) = self.evaluate(&value.expr) else {
            let message = "the array's bound is not constant";
            return self.fail(
                Diagnostic::error(code::NOT_CONSTANT, bound.span, message).help(
                    "declare the bound `const` with a constant value, or allocate the memory",
                ),
            );
        };
        let unsigned = !value.expr.ty.is_signed();
        if length == 0 || (length < 0 && !unsigned) {
            let message = format!("an array cannot have {length} elements");
            return self.fail(Diagnostic::error(code::BAD_BOUND, bound.span, message));
        }
        Some(length as u64)
    }

    /// The type of a declared object.
    pub(crate) fn object(
        &mut self,
        base: QType,
        declarator: &ast::Declarator,
        what: &str,
    ) -> Option<ObjectType> {
        let ty = self.derive(base, &without_values(&declarator.derived))?;
        let reference = matches!(ty.ty, CType::Reference(..));
        let binding = match ty.ty {
            CType::Reference(_, true) => Binding::Values,
            _ => Binding::Objects,
        };
        let ty = ty.referred();
        if ty.ty.is_void() {
            let message = format!("{what} cannot have the type `void`");
            let place = declarator.span;
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, place, message));
        }
        Some(ObjectType { ty, reference, binding })
    }

    /// The type of a declared object that is no reference.
    pub(crate) fn object_type(
        &mut self,
        base: QType,
        declarator: &ast::Declarator,
        what: &str,
    ) -> Option<QType> {
        if function_parts(declarator).is_some() {
            let message = format!("{what} cannot be a function");
            let place = declarator.name_span;
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CLASS, place, message));
        }
        let found = self.object(base, declarator, what)?;
        if found.reference {
            let message = format!("unsupported: {what} that is a reference");
            let place = declarator.name_span;
            let found = Diagnostic::error(code::UNSUPPORTED_REFERENCE, place, message);
            return self.fail(found.help("keep a pointer"));
        }
        Some(found.ty)
    }

    /// The type of a parameter: arrays are pointers.
    pub(crate) fn parameter_type(
        &mut self,
        base: QType,
        declarator: &ast::Declarator,
    ) -> Option<ObjectType> {
        let mut found = self.object(base, declarator, "a parameter")?;
        if !found.reference
            && let CType::Array(element, _) = &found.ty.ty
        {
            found.ty = QType::clone(element).pointer().plain();
        }
        Some(found)
    }

    /// The type that a cast, `sizeof` or an argument of a template names.
    pub(crate) fn type_name(&mut self, name: &ast::TypeName) -> Option<QType> {
        let specifiers = self.specifiers(&name.specifiers);
        self.refuse_storage(&specifiers, "a type", &[]);
        let steps = without_values(&name.declarator.derived);
        self.derive(specifiers.base?, &steps)
    }
}
