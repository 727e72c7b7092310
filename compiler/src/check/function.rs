//! Functions: their declarations and bodies.

use super::Checker;
use super::call::describe;
use super::class::CONSTRUCTOR;
use super::constant;
use super::convert::Purpose;
use super::declarator::{FunctionParts, function_parts};
use super::expr::{Lvalue, Value};
use super::label::Labels;
use super::scope::Tag;
use super::scope::{Context, Entry, Overloads, Role, Storage, Symbol, TypeMeaning, Variable};
use super::specifier::Specifiers;
use super::switch::Jump;
use super::tree::{Expr, ExprKind, Function, FunctionId, Local, LocalId, PlaceKind};
use super::tree::{Sides, Stmt, StmtKind, StructId};
use super::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

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
    /// For a result that is a reference: what it refers to. `result` is the pointer then.
    pub reference: Option<QType>,
    /// Whether the function belongs to a structure.
    pub method: Option<Method>,
    pub launch_bound: Option<u32>,
    /// Whether it is seen in its file only, and ought to be used there.
    pub internal: bool,
    pub span: Span,
    /// Its number, once it is defined or called.
    pub id: Option<FunctionId>,
    pub defined: bool,
    /// The body of a template's instance, until the function is called.
    pub pending: Option<Pending>,
    /// The definition's place: what is wrong in there is wrong with the function.
    pub whole: Option<Span>,
    pub checked: Option<Function>,
    /// Which functions it calls, and where.
    pub calls: Vec<(usize, Span)>,
    /// Where it is called first.
    pub first_use: Option<Span>,
}

impl FunctionInfo {
    pub fn is_main(&self) -> bool {
        &*self.name == "main" && self.method.is_none()
    }

    /// The checked function.
    pub fn finish(&self) -> Function {
        self.checked.clone().unwrap_or_else(|| self.blank())
    }

    /// A function in place of one that is left out, or has no body.
    pub fn blank(&self) -> Function {
        Function {
            name: self.name.to_string(),
            sides: Sides { kernel: false, device: false, host: true },
            parameters: 0,
            result: super::tree::Type::Void,
            locals: Vec::new(),
            body: Vec::new(),
            launch_bound: None,
            span: self.span,
        }
    }

    /// Whether calls have an object in front of the arguments.
    pub fn takes_object(&self) -> bool {
        self.method.is_some_and(|method| method.kind == MethodKind::Plain)
    }
}

/// What a function is in its structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Method {
    pub owner: StructId,
    pub kind: MethodKind,
    /// Whether it leaves its object as it is.
    pub constant: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MethodKind {
    /// Called with an object.
    Plain,
    Static,
    Constructor,
}

/// A body that is not checked yet, with where its names are looked up.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub definition: Arc<ast::FunctionDefinition>,
    pub context: Context,
}

/// What a declaration says of a function beyond its type.
#[derive(Clone, Copy, Default)]
pub(super) struct Head {
    pub defines: bool,
    /// Whether `const` stands behind the parameters.
    pub constant: bool,
    /// The structure among whose members it stands.
    pub owner: Option<StructId>,
}

/// The object of a function that belongs to a structure.
#[derive(Clone, Debug)]
pub(super) enum This {
    /// Behind a pointer, the first parameter.
    Pointer(LocalId, QType),
    /// In a constructor: the variable that is returned.
    Object(LocalId, StructId),
}

/// The function whose body is being checked.
#[derive(Debug)]
pub(super) struct Body {
    pub function: usize,
    pub sides: Sides,
    /// `None` when the result's type was reported.
    pub result: Option<CType>,
    pub reference: Option<QType>,
    pub this: Option<This>,
    pub locals: Vec<Local>,
    /// How many errors there were before it: with errors inside, warnings would be guesses.
    pub errors: usize,
    /// Loops and switches around the statement being checked.
    pub jumps: Vec<Jump>,
    pub labels: Labels,
    /// How many blocks were open in front of it.
    pub base: usize,
    pub definition: Arc<ast::FunctionDefinition>,
}

fn sides(found: &Specifiers) -> Sides {
    let kernel = found.has(Word::Global);
    let device = found.has(Word::Device);
    let host = found.has(Word::Host) || (!device && !kernel);
    // Of a kernel `__device__` says nothing more.
    Sides { kernel, device: device && !kernel, host: host && !kernel }
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
    /// The head of a definition: the function, unless its body is not to be checked.
    pub(super) fn function_definition(
        &mut self,
        definition: &ast::FunctionDefinition,
        owner: Option<StructId>,
    ) -> Option<usize> {
        let declarator = &definition.declarator;
        let Some(parts) = function_parts(declarator) else {
            let message = "this is not the head of a function";
            return self.fail(Diagnostic::error(code::BAD_DECLARATOR, declarator.span, message));
        };
        let head = Head { defines: true, constant: definition.constant, owner };
        let specifiers = self.function_specifiers(&definition.specifiers, declarator, owner);
        let index = self.declare_function(&specifiers, declarator, &parts, head)?;
        self.number(index);
        let info = self.functions.get_mut(index)?;
        if std::mem::replace(&mut info.defined, true) {
            let (name, earlier) = (info.name.clone(), info.span);
            self.report_redefinition(&name, declarator.name_span, Some(earlier));
            return None;
        }
        info.span = declarator.name_span;
        info.whole = Some(definition.span);
        Some(index)
    }

    /// What stands in front of a function's name; nothing needs to in front of a constructor's.
    pub(super) fn function_specifiers(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        owner: Option<StructId>,
    ) -> Specifiers {
        let name = declarator.name.clone().unwrap_or_else(|| "".into());
        let owner = owner.or_else(|| Some(self.owner_of(&name)?.0));
        let makes = owner.is_some_and(|owner| self.is_constructor(owner, &name));
        self.specifiers_of(specifiers, !makes)
    }

    /// The structure in front of a name like `a::f`, and the name behind it.
    fn owner_of(&self, name: &str) -> Option<(StructId, Name)> {
        let (owner, last) = name.rsplit_once("::")?;
        let id = match self.scopes.find_type(owner)? {
            TypeMeaning::Tag(Tag::Struct(id)) => id,
            TypeMeaning::Type(QType { ty: CType::Struct(id), .. }) => id,
            _ => return None,
        };
        Some((id, last.into()))
    }

    fn is_constructor(&self, owner: StructId, name: &str) -> bool {
        let last = name.rsplit("::").next().unwrap_or(name);
        self.structure(owner).tag.as_deref() == Some(last)
    }

    /// The number of a function that the program needs.
    pub(super) fn number(&mut self, index: usize) -> FunctionId {
        let next = FunctionId(self.numbered.len() as u32);
        match self.functions.get_mut(index) {
            Some(info) => {
                let id = *info.id.get_or_insert(next);
                if id == next {
                    self.numbered.push(index);
                }
                id
            }
            None => next,
        }
    }

    /// A declaration of a function, merged with earlier ones.
    pub(super) fn declare_function(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ast::Declarator,
        parts: &FunctionParts<'_>,
        head: Head,
    ) -> Option<usize> {
        let name = declarator.name.clone()?;
        let span = declarator.name_span;
        let outside = self.owner_of(&name).filter(|_| head.owner.is_none());
        let (owner, short) = match (&outside, head.owner) {
            (Some((owner, last)), _) => (Some(*owner), last.clone()),
            (None, owner) => (owner, name.clone()),
        };
        let path = owner.map(|owner| self.structure(owner).path.clone());
        let entered = match (&outside, &path) {
            (Some(_), Some(path)) => {
                let context = self.scopes.context(Vec::new()).inside(path.clone());
                Some(self.scopes.enter(&context))
            }
            _ => None,
        };
        let info = self.function_info(specifiers, declarator, parts, head, owner, &short);
        if let Some(aside) = entered {
            self.scopes.leave(aside);
        }
        let info = info?;
        let key = match (&path, info.method.map(|method| method.kind)) {
            (Some(path), Some(MethodKind::Constructor)) => format!("{path}::{CONSTRUCTOR}").into(),
            (Some(path), _) => format!("{path}::{short}").into(),
            (None, _) => self.scopes.qualify(&name),
        };
        if outside.is_some() && self.scopes.find_whole(&key).is_none() {
            let owner = owner?;
            self.report_no_member(owner, &short, span);
            return None;
        }
        self.add_overload(key, info, head.defines)
    }

    /// What a declaration says of a function.
    pub(super) fn function_info(
        &mut self,
        specifiers: &Specifiers,
        declarator: &ast::Declarator,
        parts: &FunctionParts<'_>,
        head: Head,
        owner: Option<StructId>,
        short: &Name,
    ) -> Option<FunctionInfo> {
        let span = declarator.name_span;
        self.refuse_storage(specifiers, "a function", FUNCTION_WORDS);
        let method = owner.map(|owner| Method {
            owner,
            kind: if self.is_constructor(owner, short) {
                MethodKind::Constructor
            } else if specifiers.has(Word::Static) || self.is_static(owner, short) {
                MethodKind::Static
            } else {
                MethodKind::Plain
            },
            constant: head.constant,
        });
        let is_made = method.is_some_and(|method| method.kind == MethodKind::Constructor);
        let (result, reference) = match owner.filter(|_| is_made) {
            Some(owner) => (Some(CType::Struct(owner)), None),
            None => self.result_type(specifiers, parts, span),
        };
        self.open_scope();
        let parameters = self.parameters(parts, head.defines);
        self.check_defaults(&parameters);
        self.close_scope();
        let sides = sides(specifiers);
        let name: Name = match owner {
            Some(owner) => format!("{}::{short}", self.structure(owner).name).into(),
            None => short.clone(),
        };
        self.check_kernel(specifiers, &name, result.as_ref(), &parameters, span);
        if parts.variadic {
            let message = "unsupported: functions with `...`";
            let found = Diagnostic::error(code::UNSUPPORTED_C, span, message);
            self.report(found.help("pass the values as an array, or write overloads"));
        }
        if &*name == "main" && self.scopes.paths.is_empty() {
            self.check_main(sides, result.as_ref(), &parameters, span);
        }
        Some(FunctionInfo {
            name,
            sides,
            parameters,
            result,
            reference,
            method,
            launch_bound: specifiers.launch_bound,
            internal: specifiers.has(Word::Static)
                && !specifiers.has(Word::MaybeUnused)
                && !sides.kernel
                && owner.is_none(),
            span,
            id: None,
            defined: false,
            pending: None,
            whole: None,
            checked: None,
            calls: Vec::new(),
            first_use: None,
        })
    }

    /// Whether a function of a structure was declared `static`.
    fn is_static(&self, owner: StructId, short: &str) -> bool {
        let Some(list) = self.member_functions(owner, short) else {
            return false;
        };
        let is_static = |&index: &usize| {
            let method = self.functions[index].method;
            method.is_some_and(|method| method.kind == MethodKind::Static)
        };
        list.functions.iter().any(is_static)
    }

    /// Adds a function to those of its name, or to an earlier declaration of it.
    fn add_overload(&mut self, key: Name, info: FunctionInfo, defines: bool) -> Option<usize> {
        let span = info.span;
        let mut list = match self.scopes.find_whole(&key).cloned() {
            Some(Entry { meaning: Symbol::Functions(list), .. }) => list,
            Some(Entry { meaning: Symbol::Poisoned, .. }) => return Some(self.add_function(info)),
            Some(Entry { span: earlier, .. }) => {
                self.report_redefinition(&key, span, earlier);
                return None;
            }
            None => Rc::default(),
        };
        let same = |&&index: &&usize| {
            let known = &self.functions[index];
            let constant = |info: &FunctionInfo| info.method.is_some_and(|method| method.constant);
            same_parameters(&known.parameters, &info.parameters)
                && constant(known) == constant(&info)
        };
        if let Some(&index) = list.functions.iter().find(same) {
            return self.merge_function(index, info, defines);
        }
        if info.is_main() && !list.functions.is_empty() {
            self.report_redefinition(&key, span, None);
            return None;
        }
        let index = self.add_function(info);
        Rc::make_mut(&mut list).functions.push(index);
        self.set_functions(key, list, span);
        Some(index)
    }

    /// Makes a whole name stand for functions.
    pub(super) fn set_functions(&mut self, key: Name, list: Rc<Overloads>, span: Span) {
        let last = key.rsplit("::").next().unwrap_or(&key);
        if last.starts_with("operator") {
            self.operators.insert(last.into());
        }
        let paths = std::mem::take(&mut self.scopes.paths);
        self.scopes.set_in_file(key, Symbol::Functions(list), Some(span));
        self.scopes.paths = paths;
    }

    pub(super) fn add_function(&mut self, info: FunctionInfo) -> usize {
        self.functions.push(info);
        self.functions.len() - 1
    }

    /// Brings a further declaration together with what is known.
    fn merge_function(&mut self, index: usize, new: FunctionInfo, defines: bool) -> Option<usize> {
        let old = self.functions.get_mut(index)?;
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

    /// The type of a result; for a reference, the pointer and what it refers to.
    fn result_type(
        &mut self,
        specifiers: &Specifiers,
        parts: &FunctionParts<'_>,
        span: Span,
    ) -> (Option<CType>, Option<QType>) {
        let Some(base) = specifiers.base.clone() else {
            return (None, None);
        };
        if specifiers.is_auto {
            let message = "unsupported: functions whose result is `auto`";
            self.report(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
            return (None, None);
        }
        let is_reference = |step: &ast::Derived| matches!(step.kind, ast::DerivedKind::Reference);
        let (refers, steps) = match parts.result.split_first() {
            Some((first, rest)) if is_reference(first) => (true, rest),
            _ => (false, parts.result),
        };
        let steps: Vec<&ast::Derived> = steps.iter().collect();
        let Some(found) = self.derive(base, &steps) else {
            return (None, None);
        };
        if refers {
            return (Some(found.clone().pointer()), Some(found));
        }
        if let CType::Array(..) = found.ty {
            let message = "a function cannot return an array";
            self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
            return (None, None);
        }
        if let CType::Opaque(_) = found.ty {
            self.report_incomplete(&found.ty, span, "the result");
            return (None, None);
        }
        (Some(found.ty), None)
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
        // Compilers of CUDA's first years took `__device__` beside it, and programs have it.
        if let Some(place) = specifiers.find(Word::Host) {
            let message = "`__global__` and `__host__` exclude each other";
            self.report(Diagnostic::error(code::BAD_DECLARATION, place, message));
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

    /// Checks the body of a function; the function is missing when there is no sense in that.
    pub(super) fn function_body(&mut self, pending: &Pending, function: Option<usize>) {
        let aside = self.scopes.enter(&pending.context);
        let outer = self.body.take();
        self.body_inside(&pending.definition, function);
        self.body = outer;
        self.scopes.leave(aside);
    }

    fn body_inside(&mut self, definition: &Arc<ast::FunctionDefinition>, function: Option<usize>) {
        let (statements, faults) = definition.body.parse();
        let errors = self.errors;
        self.owner = function.map(super::needed::Owner::Function);
        faults.into_iter().for_each(|fault| self.report(fault));
        let Some(index) = function else {
            return;
        };
        let Some(info) = self.functions.get(index) else {
            return;
        };
        let (sides, result, parameters) =
            (info.sides, info.result.clone(), info.parameters.clone());
        let (reference, method) = (info.reference.clone(), info.method);
        let returned = match method.map(|method| method.kind) {
            Some(MethodKind::Constructor) => Some(CType::Void),
            _ => result,
        };
        self.body = Some(Body {
            function: index,
            sides,
            result: returned.clone(),
            reference,
            this: None,
            locals: Vec::new(),
            errors,
            jumps: Vec::new(),
            labels: Labels::default(),
            base: self.scopes.depth_of_blocks(),
            definition: definition.clone(),
        });
        self.open_scope();
        let mut body = Vec::new();
        if let Some(method) = method.filter(|method| method.kind == MethodKind::Plain) {
            self.declare_this(method, definition.span);
        }
        parameters.iter().for_each(|parameter| self.declare_parameter(parameter.as_ref()));
        self.poison_parameters(&definition.declarator, &parameters);
        if let Some(method) = method.filter(|method| method.kind == MethodKind::Constructor) {
            self.begin_constructor(method.owner, definition, &mut body);
        }
        statements.iter().for_each(|statement| self.statement(statement, &mut body));
        self.finish_labels();
        self.close_scope();
        self.end_constructor(closing_brace(definition.body.span), &mut body);
        let returns = returned.is_some_and(|result| !result.is_void());
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

    /// The first parameter of a function that belongs to a structure.
    fn declare_this(&mut self, method: Method, span: Span) {
        let mut target = CType::Struct(method.owner).plain();
        target.constant = method.constant;
        let pointer = target.clone().pointer();
        let local = self.add_local("this", &pointer, span);
        if let (Some(local), Some(body)) = (local, &mut self.body) {
            body.this = Some(This::Pointer(local, target));
        }
    }

    /// What a constructor does in front of its body: the object, and its members.
    fn begin_constructor(
        &mut self,
        owner: StructId,
        definition: &ast::FunctionDefinition,
        out: &mut Vec<Stmt>,
    ) {
        let ty = CType::Struct(owner);
        let span = definition.declarator.name_span;
        let Some(local) = self.add_local("*this", &ty, span) else {
            return;
        };
        let init = self.member_initialisers(owner, &definition.initializers, span);
        out.push(Stmt { kind: StmtKind::Declare(local, init), span });
        if let Some(body) = &mut self.body {
            body.this = Some(This::Object(local, owner));
        }
    }

    /// What a constructor returns: the object.
    pub(super) fn constructed(&mut self, span: Span) -> Option<Expr> {
        let Some(This::Object(local, owner)) = self.body.as_ref()?.this.clone() else {
            return None;
        };
        let place = Lvalue::new(PlaceKind::Local(local), CType::Struct(owner).plain(), span);
        Some(self.load(place.into()).expr)
    }

    fn end_constructor(&mut self, span: Span, out: &mut Vec<Stmt>) {
        if let Some(object) = self.constructed(span) {
            out.push(Stmt { kind: StmtKind::Return(Some(object)), span });
        }
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
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: Role::Parameter,
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
        if info.parameters.iter().any(Option::is_none) {
            // The numbers of its variables are those of other parameters; it cannot be run.
            return;
        }
        info.checked = Some(Function {
            name: info.name.to_string(),
            sides: info.sides,
            parameters: info.parameters.len() as u32 + u32::from(info.takes_object()),
            result: info.result.as_ref().map_or(super::tree::Type::Void, CType::lower),
            locals: body.locals,
            body: statements,
            launch_bound: info.launch_bound,
            span: info.span,
        });
    }

    /// Remembers a call; the number of the called function.
    pub(super) fn note_call(&mut self, index: usize, span: Span) -> Option<FunctionId> {
        self.functions.get(index)?;
        let id = self.number(index);
        if !self.unevaluated {
            if let Some(body) = &self.body {
                let caller = body.function;
                self.functions[caller].calls.push((index, span));
            }
            self.functions[index].first_use.get_or_insert(span);
            if let Some(pending) = self.functions[index].pending.take() {
                self.bodies.push_back((pending, Some(index)));
            }
        }
        Some(id)
    }
}
