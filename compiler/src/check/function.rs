//! Functions: their declarations and bodies.

use super::Checker;
use super::call::describe;
use super::constant;
use super::convert::Purpose;
use super::declarator::{FunctionParts, function_parts};
use super::expr::Value;
use super::label::Labels;
use super::scope::{Entry, Storage, Symbol, Variable};
use super::specifier::Specifiers;
use super::switch::Jump;
use super::tree::{Expr, ExprKind, Function, FunctionId, Local, LocalId, Sides};
use super::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};
use std::cell::Cell;
use std::rc::Rc;

/// What a kernel's parameters may take together.
const PARAMETER_BYTES: u64 = 4096;

/// Words that a function's declaration may have.
const FUNCTION_WORDS: &[Word] = &[
    Word::Static,
    Word::Extern,
    Word::Inline,
    Word::ForceInline,
    Word::NoInline,
    Word::Constexpr,
    Word::Global,
    Word::Device,
    Word::Host,
];

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub name: Option<Name>,
    /// For a reference: what it refers to.
    pub ty: QType,
    pub reference: bool,
    /// What is passed when a call has fewer arguments.
    pub default: Default,
    pub span: Span,
}

/// A parameter's default argument.
#[derive(Clone, Debug)]
pub(super) enum Default {
    /// There is none: every call passes this one.
    Missing,
    /// It was reported.
    Faulty,
    /// A constant of the parameter's type.
    Value(Expr),
}

/// A function, defined or only declared.
#[derive(Debug)]
pub(super) struct FunctionInfo {
    pub name: Name,
    pub sides: Sides,
    /// `None` for those whose declaration was reported.
    pub parameters: Vec<Option<Parameter>>,
    pub result: Option<CType>,
    pub launch_bound: Option<u32>,
    pub span: Span,
    /// Its number, if the program defines it somewhere.
    pub id: Option<FunctionId>,
    defined: bool,
    pub checked: Option<Function>,
    /// Which functions it calls, and where.
    pub calls: Vec<(usize, Span)>,
    /// Where it is called first.
    pub first_use: Option<Span>,
}

impl FunctionInfo {
    pub fn is_main(&self) -> bool {
        &*self.name == "main"
    }
}

/// The function whose body is being checked.
#[derive(Debug)]
pub(super) struct Body {
    pub function: usize,
    pub sides: Sides,
    /// `None` when the result's type was reported.
    pub result: Option<CType>,
    pub locals: Vec<Local>,
    /// How many errors there were before it: with errors inside, warnings would be guesses.
    pub errors: usize,
    /// Loops and switches around the statement being checked.
    pub jumps: Vec<Jump>,
    pub labels: Labels,
}

fn sides(found: &Specifiers) -> Sides {
    let kernel = found.has(Word::Global);
    let device = found.has(Word::Device);
    let host = found.has(Word::Host) || (!device && !kernel);
    Sides { kernel, device, host: host && !kernel }
}

/// Whether an expression is a string, perhaps converted.
fn is_string(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::String(_) => true,
        ExprKind::Convert(inner) => is_string(inner),
        _ => false,
    }
}

/// The last character of a body.
fn closing_brace(body: Span) -> Span {
    Span::new(body.file, body.end.saturating_sub(1), body.end)
}

fn same_parameters(a: &[Option<Parameter>], b: &[Option<Parameter>]) -> bool {
    let same = |a: &Option<Parameter>, b: &Option<Parameter>| match (a, b) {
        (Some(a), Some(b)) => {
            let same_type = if a.reference { a.ty == b.ty } else { a.ty.ty == b.ty.ty };
            a.reference == b.reference && same_type
        }
        // One was reported already.
        _ => true,
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

impl Checker {
    /// Numbers the functions that have a body.
    pub(super) fn number_functions(&mut self, unit: &ast::TranslationUnit) {
        for item in &unit.items {
            if let ast::Item::Function(definition) = item
                && let Some(name) = &definition.declarator.name
            {
                let next = FunctionId(self.definitions.len() as u32);
                self.definitions.entry(name.clone()).or_insert(next);
            }
        }
    }

    /// The head of a definition: the function, unless its body is not to be checked.
    pub(super) fn function_definition(
        &mut self,
        definition: &ast::FunctionDefinition,
    ) -> Option<usize> {
        let specifiers = self.specifiers(&definition.specifiers);
        let declarator = &definition.declarator;
        let Some(parts) = function_parts(declarator) else {
            let message = "this is not the head of a function";
            return self.fail(Diagnostic::error(code::BAD_DECLARATOR, declarator.span, message));
        };
        let index = self.declare_function(&specifiers, declarator, &parts, true)?;
        let info = self.functions.get_mut(index)?;
        if std::mem::replace(&mut info.defined, true) {
            let (name, earlier) = (info.name.clone(), info.span);
            self.report_redefinition(&name, declarator.name_span, Some(earlier));
            return None;
        }
        info.span = declarator.name_span;
        Some(index)
    }

    /// A declaration of a function, merged with earlier ones.
    pub(super) fn declare_function(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ast::Declarator,
        parts: &FunctionParts<'_>,
        defines: bool,
    ) -> Option<usize> {
        let name = declarator.name.clone()?;
        let span = declarator.name_span;
        self.refuse_storage(specifiers, "a function", FUNCTION_WORDS);
        let result = self.result_type(specifiers, parts, span);
        self.open_scope();
        let parameters = self.parameters(parts, defines);
        self.check_defaults(&parameters);
        self.close_scope();
        let sides = sides(specifiers);
        self.check_kernel(specifiers, &name, result.as_ref(), &parameters, span);
        if parts.variadic {
            let message = "unsupported: functions with `...`";
            self.report(Diagnostic::error(code::UNSUPPORTED_C, span, message));
        }
        if &*name == "main" {
            self.check_main(sides, result.as_ref(), &parameters, span);
        }
        let id = self.definitions.get(&name).copied();
        let info = FunctionInfo {
            name: name.clone(),
            sides,
            parameters,
            result,
            launch_bound: specifiers.launch_bound,
            span,
            id,
            defined: false,
            checked: None,
            calls: Vec::new(),
            first_use: None,
        };
        match self.scopes.find_in_file(&name).cloned() {
            Some(Entry { meaning: Symbol::Function(index), .. }) => {
                self.merge_function(index, info, defines)
            }
            Some(Entry { meaning: Symbol::Poisoned, .. }) => Some(self.add_function(info)),
            Some(Entry { span: earlier, .. }) => {
                self.report_redefinition(&name, span, earlier);
                None
            }
            None => {
                let index = self.add_function(info);
                self.scopes.set_in_file(name, Symbol::Function(index), Some(span));
                Some(index)
            }
        }
    }

    fn add_function(&mut self, info: FunctionInfo) -> usize {
        self.functions.push(info);
        self.functions.len() - 1
    }

    /// Brings a further declaration together with what is known.
    fn merge_function(&mut self, index: usize, new: FunctionInfo, defines: bool) -> Option<usize> {
        let old = self.functions.get_mut(index)?;
        if !same_parameters(&old.parameters, &new.parameters) {
            let message =
                format!("unsupported: overloading; `{}` has other parameters above", new.name);
            let found = Diagnostic::error(code::UNSUPPORTED_OVERLOAD, new.span, message)
                .secondary(old.span, "declared here");
            self.report(found);
            return defines.then(|| self.add_function(new));
        }
        let results_differ =
            matches!((&old.result, &new.result), (Some(old), Some(new)) if old != new);
        let what = if results_differ {
            "with another result"
        } else if old.sides != new.sides {
            "with other qualifiers"
        } else {
            // The names of the parameters are those of the definition.
            let mut parameters = new.parameters;
            if !defines || old.defined {
                std::mem::swap(&mut old.parameters, &mut parameters);
            }
            // Default arguments stand in one declaration and hold in all.
            for (known, other) in parameters.iter_mut().zip(&old.parameters) {
                if let (Some(known), Some(other)) = (known, other)
                    && matches!(known.default, Default::Missing)
                {
                    known.default = other.default.clone();
                }
            }
            old.parameters = parameters;
            old.launch_bound = old.launch_bound.or(new.launch_bound);
            return Some(index);
        };
        let message = format!("`{}` was declared {what}", new.name);
        let kind = (describe(old.sides), describe(new.sides));
        let found = Diagnostic::error(code::CONFLICTING, new.span, message)
            .label(format!("here it is {}", kind.1.replace("the ", "a ")))
            .secondary(old.span, format!("here it is {}", kind.0.replace("the ", "a ")));
        let found = if results_differ { self.note_results(found, index, &new) } else { found };
        self.report(found);
        defines.then(|| self.add_function(new))
    }

    fn note_results(&self, mut found: Diagnostic, old: usize, new: &FunctionInfo) -> Diagnostic {
        let text = |ty: &Option<CType>| {
            let ty = ty.as_ref().map_or(String::new(), |ty| self.spell(ty));
            format!("here it returns `{ty}`")
        };
        found.primary.text = text(&new.result);
        if let Some(label) = found.secondary.first_mut() {
            label.text = text(&self.functions[old].result);
        }
        found
    }

    fn result_type(
        &mut self,
        specifiers: &Specifiers,
        parts: &FunctionParts<'_>,
        span: Span,
    ) -> Option<CType> {
        let base = specifiers.base.clone()?;
        if specifiers.is_auto {
            let message = "unsupported: functions whose result is `auto`";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        }
        let steps: Vec<&ast::Derived> = parts.result.iter().collect();
        let ty = self.derive(base, &steps)?.ty;
        if let CType::Array(..) = ty {
            let message = "a function cannot return an array";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, span, message));
        }
        if let CType::Opaque(_) = ty {
            self.report_incomplete(&ty, span, "the result");
            return None;
        }
        Some(ty)
    }

    fn parameters(&mut self, parts: &FunctionParts<'_>, defines: bool) -> Vec<Option<Parameter>> {
        if let [only] = parts.parameters
            && self.is_void(only)
        {
            return Vec::new();
        }
        parts.parameters.iter().map(|parameter| self.parameter(parameter, defines)).collect()
    }

    /// `(void)`: no parameters.
    fn is_void(&self, parameter: &ast::Parameter) -> bool {
        parameter.declarator.name.is_none()
            && parameter.declarator.derived.is_empty()
            && matches!(
                parameter.specifiers.items.as_slice(),
                [ast::Specifier { kind: ast::SpecifierKind::Word(Word::Void), .. }]
            )
    }

    fn parameter(&mut self, parameter: &ast::Parameter, defines: bool) -> Option<Parameter> {
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
            None => Default::Missing,
            Some(_) if found.reference => {
                self.refuse_default(parameter, "of references");
                Default::Faulty
            }
            Some(default) => self.default_argument(parameter, default, &found.ty.ty),
        };
        if defines || matches!(found.ty.ty, CType::Opaque(_)) {
            self.object_size(&found.ty.ty, declarator.name_span, "the parameter")?;
        }
        Some(Parameter {
            name: declarator.name.clone(),
            ty: found.ty,
            reference: found.reference,
            default,
            span: declarator.name_span,
        })
    }

    /// A default argument, which must be a constant: calls have nothing else in common.
    fn default_argument(
        &mut self,
        parameter: &ast::Parameter,
        default: &ast::Initializer,
        ty: &CType,
    ) -> Default {
        let ast::Initializer::Expr(expr) = default else {
            self.refuse_default(parameter, "in braces");
            return Default::Faulty;
        };
        let name = parameter.declarator.name.as_deref().unwrap_or("a parameter");
        let why = Purpose::Initialise(name.to_owned());
        let value = self.value(expr).and_then(|value| self.convert(value, ty, &why));
        let Some(Value { expr, .. }) = value else {
            return Default::Faulty;
        };
        if let Some(known) = constant::evaluate(&expr) {
            return Default::Value(Expr { kind: known.kind(), ..expr });
        }
        if is_string(&expr) {
            return Default::Value(expr);
        }
        self.refuse_default(parameter, "that are not constants");
        Default::Faulty
    }

    fn refuse_default(&mut self, parameter: &ast::Parameter, which: &str) {
        let span = parameter.default.as_ref().map_or(parameter.span, |default| default.span());
        let message = format!("unsupported: default arguments {which}");
        self.report(Diagnostic::error(code::UNSUPPORTED_DEFAULT_ARGUMENT, span, message));
    }

    /// Reports parameters without a default argument behind one that has it.
    fn check_defaults(&mut self, parameters: &[Option<Parameter>]) {
        let mut behind = false;
        for parameter in parameters.iter().flatten() {
            let missing = matches!(parameter.default, Default::Missing);
            if missing && behind {
                let message = "this parameter needs a default argument, as one before it has";
                self.report(Diagnostic::error(code::BAD_DECLARATION, parameter.span, message));
            }
            behind |= !missing;
        }
    }

    fn check_kernel(
        &mut self,
        specifiers: &Specifiers,
        name: &str,
        result: Option<&CType>,
        parameters: &[Option<Parameter>],
        span: Span,
    ) {
        if !specifiers.has(Word::Global) {
            return;
        }
        for word in [Word::Device, Word::Host] {
            if let Some(place) = specifiers.find(word) {
                let message = format!("`__global__` and `{}` exclude each other", word.text());
                self.report(Diagnostic::error(code::BAD_DECLARATION, place, message));
            }
        }
        if let Some(result) = result
            && !result.is_void()
        {
            let message = format!(
                "the kernel `{name}` returns `{}`, but kernels return `void`",
                self.spell(result)
            );
            self.report(Diagnostic::error(code::KERNEL_RETURN, span, message));
        }
        for parameter in parameters.iter().flatten() {
            if parameter.reference {
                let message = "a kernel's parameter cannot be a reference";
                self.report(Diagnostic::error(
                    code::UNSUPPORTED_REFERENCE,
                    parameter.span,
                    message,
                ));
            }
        }
        let sizes = parameters.iter().flatten().filter_map(|each| self.size_of(&each.ty.ty));
        let total = sizes.fold(0u64, |sum, size| sum.saturating_add(size));
        if total > PARAMETER_BYTES {
            let message = format!(
                "the parameters of `{name}` take {total} bytes, the limit is {PARAMETER_BYTES}"
            );
            self.report(Diagnostic::error(code::LIMIT_SIZE, span, message));
        }
    }

    fn check_main(
        &mut self,
        sides: Sides,
        result: Option<&CType>,
        parameters: &[Option<Parameter>],
        span: Span,
    ) {
        let is_char_array = |ty: &CType| {
            let inner = ty.pointee().and_then(|to| to.ty.pointee());
            inner.is_some_and(|to| to.ty == CType::CHAR)
        };
        let fits = match parameters {
            [] => true,
            [Some(count), Some(values)] => {
                count.ty.ty == CType::INT && !count.reference && is_char_array(&values.ty.ty)
            }
            // What is missing was reported.
            parameters => parameters.len() == 2 && parameters.iter().any(Option::is_none),
        };
        let returns_int = result.is_none_or(|result| *result == CType::INT);
        if !fits || !returns_int || !sides.host || sides.device {
            let message =
                "`main` has to be a host function `int main()` or `int main(int, char **)`";
            self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
        }
    }

    /// Checks the body of a function; `header` is missing when there is no sense in that.
    pub(super) fn function_body(
        &mut self,
        definition: &ast::FunctionDefinition,
        header: Option<usize>,
    ) {
        let (statements, faults) = definition.body.parse();
        let errors = self.errors;
        faults.into_iter().for_each(|fault| self.report(fault));
        let Some(index) = header else {
            return;
        };
        let Some(info) = self.functions.get(index) else {
            return;
        };
        let (sides, result, parameters) =
            (info.sides, info.result.clone(), info.parameters.clone());
        self.body = Some(Body {
            function: index,
            sides,
            result: result.clone(),
            locals: Vec::new(),
            errors,
            jumps: Vec::new(),
            labels: Labels::default(),
        });
        self.open_scope();
        parameters.iter().for_each(|parameter| self.declare_parameter(parameter.as_ref()));
        self.poison_parameters(&definition.declarator, &parameters);
        let mut body = Vec::new();
        statements.iter().for_each(|statement| self.statement(statement, &mut body));
        self.finish_labels();
        self.close_scope();
        let returns = result.is_some_and(|result| !result.is_void());
        let is_main = self.functions[index].is_main();
        if returns && self.errors == errors && !is_main && super::flow::completes(&body) {
            let end = closing_brace(definition.body.span);
            let name = &self.functions[index].name;
            let message = format!("`{name}` can end without returning a value");
            let found = Diagnostic::warning(code::MISSING_RETURN, end, message)
                .secondary(self.functions[index].span, "declared here with a result");
            self.report(found);
        }
        self.finish_body(body);
    }

    /// Parameters whose types were reported stand for nothing.
    fn poison_parameters(&mut self, declarator: &ast::Declarator, found: &[Option<Parameter>]) {
        let Some(parts) = function_parts(declarator) else {
            return;
        };
        for (parameter, found) in parts.parameters.iter().zip(found) {
            if let (None, Some(name)) = (found, &parameter.declarator.name) {
                self.scopes.set(name.clone(), Symbol::Poisoned, None);
            }
        }
    }

    fn declare_parameter(&mut self, parameter: Option<&Parameter>) {
        let Some(parameter) = parameter else {
            return;
        };
        let ty = if parameter.reference {
            parameter.ty.clone().pointer()
        } else {
            parameter.ty.ty.clone()
        };
        let name = parameter.name.clone();
        let id = self.add_local(name.as_deref().unwrap_or("(unnamed)"), &ty, parameter.span);
        let (Some(id), Some(name)) = (id, name) else {
            return;
        };
        let variable = Variable {
            name: name.clone(),
            ty: parameter.ty.clone(),
            storage: Storage::Local(id),
            reference: parameter.reference,
            constant: None,
            span: parameter.span,
            used: Cell::new(false),
            quiet: true,
        };
        self.declare(&name, Symbol::Variable(Rc::new(variable)), parameter.span);
    }

    /// A new variable of the function being checked.
    pub(super) fn add_local(&mut self, name: &str, ty: &CType, span: Span) -> Option<LocalId> {
        let ty = ty.lower();
        let body = self.body.as_mut()?;
        let id = LocalId(body.locals.len() as u32);
        let in_memory = !ty.is_scalar();
        body.locals.push(Local { name: name.to_owned(), ty, in_memory, span });
        Some(id)
    }

    fn finish_body(&mut self, statements: Vec<super::tree::Stmt>) {
        let Some(body) = self.body.take() else {
            return;
        };
        let info = &mut self.functions[body.function];
        info.checked = Some(Function {
            name: info.name.to_string(),
            sides: info.sides,
            parameters: info.parameters.len() as u32,
            result: info.result.as_ref().map_or(super::tree::Type::Void, CType::lower),
            locals: body.locals,
            body: statements,
            launch_bound: info.launch_bound,
            span: info.span,
        });
    }

    /// Remembers a call; the number of the called function.
    pub(super) fn note_call(&mut self, index: usize, span: Span) -> Option<FunctionId> {
        let id = self.functions.get(index)?.id;
        if !self.unevaluated {
            if let Some(body) = &self.body {
                let caller = body.function;
                self.functions[caller].calls.push((index, span));
            }
            self.functions[index].first_use.get_or_insert(span);
        }
        // A function without a body is reported at the end.
        Some(id.unwrap_or(FunctionId(u32::MAX)))
    }
}
