//! Parameters of functions and their default arguments.

use crate::check::declare::declarator::FunctionParts;
use crate::check::expr::constant;
use crate::check::expr::convert::Purpose;
use crate::check::state::Checker;
use crate::check::state::functions::{DefaultArgument, Parameter};
use crate::check::tree::{Expr, ExprKind};
use crate::check::types::CType;
use crate::check::value::Value;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::tree as ast;
use crate::syntax::tree::Word;

impl Checker {
    pub(super) fn parameters(
        &mut self,
        parts: &FunctionParts<'_>,
        defines: bool,
    ) -> Vec<Option<Parameter>> {
        if let [only] = parts.parameters
            && self.is_void(only)
        {
            return Vec::new();
        }
        parts.parameters.iter().map(|parameter| self.parameter(parameter, defines)).collect()
    }

    /// `(void)`: no parameters.
    pub(super) fn is_void(&self, parameter: &ast::Parameter) -> bool {
        parameter.declarator.name.is_none()
            && parameter.declarator.derived.is_empty()
            && matches!(
                parameter.specifiers.items.as_slice(),
                [ast::Specifier { kind: ast::SpecifierKind::Word(Word::Void), .. }]
            )
    }

    pub(super) fn parameter(
        &mut self,
        parameter: &ast::Parameter,
        defines: bool,
    ) -> Option<Parameter> {
        let specifiers = self.specifiers(&parameter.specifiers);
        self.refuse_storage(&specifiers, "a parameter", &[Word::Register]);
        let declarator = &parameter.declarator;
        if specifiers.is_auto {
            let message = "unsupported: parameters of type `auto`";
            return self.fail(Diagnostic::error(
                code::UNSUPPORTED_TEMPLATE,
                parameter.span,
                message,
            ));
        }
        let found = self.parameter_type(specifiers.base?, declarator)?;
        let default = match &parameter.default {
            None => DefaultArgument::Missing,
            Some(_) if found.reference => {
                self.refuse_default(parameter, "of references");
                DefaultArgument::Faulty
            }
            Some(default) => self.default_argument(parameter, default, &found.ty.ty),
        };
        if !found.reference && (defines || matches!(found.ty.ty, CType::Opaque(_))) {
            self.object_size(&found.ty.ty, declarator.name_span, "the parameter")?;
        }
        let is_restricted = matches!(declarator.derived.as_slice(),
            [ast::Derived { kind: ast::DerivedKind::Pointer(words), .. }] if words.contains(&Word::Restrict));
        let unwritten = is_restricted && found.ty.ty.pointee().is_some_and(|to| to.constant);
        Some(Parameter {
            unwritten,
            name: declarator.name.clone(),
            ty: found.ty,
            reference: found.reference,
            binding: found.binding,
            default,
            span: declarator.name_span,
        })
    }

    /// A default argument, which must be a constant: calls have nothing else in common.
    pub(super) fn default_argument(
        &mut self,
        parameter: &ast::Parameter,
        default: &ast::Initializer,
        ty: &CType,
    ) -> DefaultArgument {
        let ast::Initializer::Expr(expr) = default else {
            self.refuse_default(parameter, "in braces");
            return DefaultArgument::Faulty;
        };
        let name = parameter.declarator.name.as_deref().unwrap_or("a parameter");
        let why = Purpose::Initialise(name.to_owned());
        let value = self.value(expr).and_then(|value| self.convert(value, ty, &why));
        let Some(Value { expr, .. }) = value else {
            return DefaultArgument::Faulty;
        };
        if let Some(known) = constant::evaluate(&expr) {
            return DefaultArgument::Value(Expr { kind: known.kind(), ..expr });
        }
        if is_string(&expr) {
            return DefaultArgument::Value(expr);
        }
        self.refuse_default(parameter, "that are not constants");
        DefaultArgument::Faulty
    }

    pub(super) fn refuse_default(&mut self, parameter: &ast::Parameter, which: &str) {
        let span = parameter.default.as_ref().map_or(parameter.span, |default| default.span());
        let message = format!("unsupported: default arguments {which}");
        self.report(Diagnostic::error(code::UNSUPPORTED_DEFAULT_ARGUMENT, span, message));
    }

    /// Reports parameters without a default argument after one that has it.
    pub(super) fn check_defaults(&mut self, parameters: &[Option<Parameter>]) {
        let mut behind = false;
        for parameter in parameters.iter().flatten() {
            let missing = matches!(parameter.default, DefaultArgument::Missing);
            if missing && behind {
                let message = "this parameter needs a default argument, as one before it has";
                self.report(Diagnostic::error(code::BAD_DECLARATION, parameter.span, message));
            }
            behind |= !missing;
        }
    }
}

/// Returns true if an expression is a string, perhaps converted.
fn is_string(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(_) => true,
        ExprKind::Convert(inner) => is_string(inner),
        _ => false,
    }
}
