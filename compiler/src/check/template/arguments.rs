//! The arguments of templates: those that are written, and the defaults for the others.

use crate::check::state::Checker;
use crate::check::state::scopes::{Context, Overloads, Scope, Symbol};
use crate::check::state::templates::Argument;
use crate::check::types::CType;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument, TemplateParameterKind};
use reconverge_isa::wording::{counted, verb};
use std::rc::Rc;

impl Checker {
    /// The arguments of a template that are written, and its defaults for the others.
    pub(crate) fn template_arguments(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let found = self.written_arguments(index, given, span)?;
        self.complete_arguments(index, found.into_iter().map(Some).collect(), span)
    }

    /// The arguments that are written.
    pub(super) fn written_arguments(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<Vec<Argument>> {
        self.check_kinds(index, given, span)?;
        let mut found = Vec::new();
        for argument in given {
            found.push(match argument {
                TemplateArgument::Type(ty) => Argument::Type(self.type_name(ty)?),
                TemplateArgument::Value(value) => self.value_argument(value)?,
            });
        }
        Some(found)
    }

    /// Reports arguments that a template has no parameters for, or others.
    pub(super) fn check_kinds(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<()> {
        let tree = self.templates[index].tree.clone();
        let name = self.templates[index].name.clone();
        if given.len() > tree.parameters.len() {
            let most = tree.parameters.len();
            let most = counted(most as u64, "template argument");
            let (given, are) = (given.len(), verb(given.len() as u64, "is", "are"));
            let message = format!("`{name}` takes {most}, but {given} {are} given");
            return self.fail(Diagnostic::error(code::WRONG_ARGUMENTS, span, message));
        }
        for (argument, parameter) in given.iter().zip(&tree.parameters) {
            match (argument, &parameter.kind) {
                (TemplateArgument::Type(_), TemplateParameterKind::Type(_))
                | (TemplateArgument::Value(_), TemplateParameterKind::Value(_)) => {}
                (TemplateArgument::Type(_), _) => {
                    let message = format!("`{name}` takes a value here, not a type");
                    return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
                }
                (TemplateArgument::Value(value), _) => {
                    let message = format!("`{name}` takes a type here, not a value");
                    return self.fail(Diagnostic::error(code::TYPE_MISMATCH, value.span, message));
                }
            }
        }
        Some(())
    }

    pub(super) fn value_argument(&mut self, value: &ast::Expr) -> Option<Argument> {
        if let Some(function) = self.function_argument(value) {
            return function;
        }
        if let ast::ExprKind::Name(name) = &value.kind
            && let Some(Symbol::Variable(variable)) = self.symbol_of(name)
            && matches!(variable.ty.ty, CType::Struct(_))
        {
            let message = "unsupported: template arguments that are objects";
            return self.fail(
                Diagnostic::error(code::UNSUPPORTED_TEMPLATE, value.span, message)
                    .help("pass the object to the function"),
            );
        }
        let (typed, known) = self.typed_constant(value, "a template argument")?;
        Some(Argument::Value(known, typed.ty))
    }

    /// An argument that names a function, as it is or with `&`.
    pub(super) fn function_argument(&mut self, value: &ast::Expr) -> Option<Option<Argument>> {
        match &value.kind {
            ast::ExprKind::Unary(ast::UnaryOp::AddressOf, inner) => self.function_argument(inner),
            ast::ExprKind::Name(name) => match self.symbol_of(name) {
                Some(Symbol::Functions(list)) => Some(Some(Argument::Function(name.clone(), list))),
                _ => None,
            },
            ast::ExprKind::Template(name, given)
                if !matches!(self.symbol_of(name), Some(Symbol::VariableTemplate(_))) =>
            {
                let made = self
                    .named_instance(name, given, value.span)
                    .and_then(|(index, list)| self.instantiate_function(index, list, value.span));
                Some(made.map(|made| {
                    let list = Overloads { functions: vec![made], templates: Vec::new() };
                    Argument::Function(self.functions[made].name.clone(), Rc::new(list))
                }))
            }
            _ => None,
        }
    }

    /// Defaults for the arguments that are missing, and values in the types of their parameters.
    pub(super) fn complete_arguments(
        &mut self,
        index: usize,
        found: Vec<Option<Argument>>,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let tree = self.templates[index].tree.clone();
        let context = self.templates[index].context.clone();
        match self.complete_parameters(&tree, &context, found, span)? {
            Ok(whole) => Some(whole),
            Err(missing) => {
                let name = self.templates[index].name.clone();
                let which = missing.as_deref().unwrap_or("a parameter");
                let message =
                    format!("the template argument `{which}` of `{name}` is not known here");
                self.fail(
                    Diagnostic::error(code::NO_MATCHING_CALL, span, message)
                        .secondary(self.templates[index].span, "declared here")
                        .help(format!("write it: `{name}<...>`")),
                )
            }
        }
    }

    /// The arguments of all parameters of a template, or the parameter that has none; `None`: a fault was
    /// reported.
    pub(super) fn complete_parameters(
        &mut self,
        tree: &ast::Template,
        context: &Context,
        found: Vec<Option<Argument>>,
        span: Span,
    ) -> Option<Result<Vec<Argument>, Option<Name>>> {
        let mut whole = Vec::new();
        let mut scope = Scope::default();
        for (at, parameter) in tree.parameters.iter().enumerate() {
            let given = found.get(at).cloned().flatten();
            let aside = self.scopes.enter(&context.clone().with(scope.clone()));
            let argument = self.complete_argument(parameter, given, span);
            self.scopes.leave(aside);
            let Some(argument) = argument? else {
                return Some(Err(parameter.name.clone()));
            };
            bind(&mut scope, parameter, &argument);
            whole.push(argument);
        }
        Some(Ok(whole))
    }

    /// `None`: a fault was reported; `Some(None)`: there is no argument.
    pub(super) fn complete_argument(
        &mut self,
        parameter: &ast::TemplateParameter,
        given: Option<Argument>,
        span: Span,
    ) -> Option<Option<Argument>> {
        match &parameter.kind {
            TemplateParameterKind::Type(default) => match (given, default) {
                (Some(given), _) => Some(Some(given)),
                (None, Some(default)) => Some(Some(Argument::Type(self.type_name(default)?))),
                (None, None) => Some(None),
            },
            TemplateParameterKind::Value(value) => {
                let given = match (given, &value.default) {
                    (Some(given), _) => Some(given),
                    (None, Some(ast::Initializer::Expr(default))) => {
                        Some(self.value_argument(default)?)
                    }
                    (None, _) => None,
                };
                match given {
                    Some(given) => self.fitted_value(parameter, value, given, span).map(Some),
                    None => Some(None),
                }
            }
        }
    }

    /// A value or function as the argument of a parameter that takes one, in the parameter's type.
    fn fitted_value(
        &mut self,
        parameter: &ast::TemplateParameter,
        value: &ast::Parameter,
        given: Argument,
        span: Span,
    ) -> Option<Argument> {
        let was = self.allowed.set_function_types(true);
        let specifiers = self.specifiers(&value.specifiers);
        let ty = specifiers.base.and_then(|base| self.parameter_type(base, &value.declarator));
        self.allowed.set_function_types(was);
        let ty = ty?.ty.ty;
        if specifiers.is_auto && !matches!(&given, Argument::Value(_, ty) if *ty == CType::INT) {
            let message =
                "unsupported: `auto` in a template's parameter, where the argument is no `int`";
            let found = Diagnostic::error(code::UNSUPPORTED_TEMPLATE, span, message);
            return self.fail(found.secondary(parameter.span, "declared here"));
        }
        let known = match given {
            Argument::Value(known, _) => known,
            Argument::Function(..) if ty.is_function() => return Some(given),
            _ => 0,
        };
        if ty.is_function() || !matches!(given, Argument::Value(..)) {
            let message = match ty.is_function() {
                true => "the template takes a function here".to_owned(),
                false => format!("the template takes a `{}` here", self.spell(&ty)),
            };
            let found = Diagnostic::error(code::TYPE_MISMATCH, span, message);
            return self.fail(found.secondary(parameter.span, "declared here"));
        }
        let known = match (&ty, ty.kind()) {
            (CType::Bool, _) => i64::from(known != 0),
            (_, Some(kind)) => crate::check::expr::constant::wrap(kind, known),
            _ => {
                let message = "unsupported: template parameters that are no integers";
                let place = parameter.span;
                return self.fail(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, place, message));
            }
        };
        Some(Argument::Value(known, ty))
    }

    pub(super) fn spell_arguments(&self, list: &[Argument]) -> String {
        let text = |argument: &Argument| match argument {
            Argument::Type(ty) => self.spell_qualified(ty),
            Argument::Function(name, _) => name.to_string(),
            Argument::Value(value, CType::Bool) => (*value != 0).to_string(),
            Argument::Value(value, _) => value.to_string(),
        };
        let texts: Vec<String> = list.iter().map(text).collect();
        texts.join(", ")
    }

    pub(super) fn bound(&self, tree: &ast::Template, list: &[Argument]) -> Scope {
        let mut scope = Scope::default();
        for (parameter, argument) in tree.parameters.iter().zip(list) {
            bind(&mut scope, parameter, argument);
        }
        scope
    }
}

pub(super) fn bind(scope: &mut Scope, parameter: &ast::TemplateParameter, argument: &Argument) {
    let Some(name) = &parameter.name else {
        return;
    };
    let meaning = match argument {
        Argument::Type(ty) => Symbol::Type(ty.clone()),
        Argument::Value(value, ty) => Symbol::Enumerator(*value, ty.clone()),
        Argument::Function(_, list) => Symbol::Functions(list.clone()),
    };
    scope.bind(name.clone(), meaning);
}
