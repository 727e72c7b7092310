//! Declarations of functions, and the additions of later ones to earlier ones.

use crate::check::declare::declarator::{FunctionParts, function_parts};
use crate::check::declare::specifier::Specifiers;
use crate::check::state::Checker;
use crate::check::state::functions::describe;
use crate::check::state::functions::*;
use crate::check::state::functions::{CONSTRUCTOR, DESTRUCTOR};
use crate::check::state::scopes::{
    Entry, Overloads, Role, Storage, Symbol, Tag, TypeMeaning, Variable, within,
};
use crate::check::tree::{LocalId, Sides, StructId};
use crate::check::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Words that a function's declaration may have.
const FUNCTION_WORDS: &[Word] = &[
    Word::Static,
    Word::Extern,
    Word::Inline,
    Word::ForceInline,
    Word::NoInline,
    Word::Constexpr,
    Word::Explicit,
    Word::Global,
    Word::Device,
    Word::Host,
];

/// The properties of a function in its declaration beyond its type.
#[derive(Clone, Copy, Default)]
pub(crate) struct Head {
    pub defines: bool,
    /// True if `const` follows the parameters.
    pub constant: bool,
    /// The structure of which it is a member.
    pub owner: Option<StructId>,
}

fn sides(found: &Specifiers) -> Sides {
    let kernel = found.has(Word::Global);
    let device = found.has(Word::Device);
    let host = found.has(Word::Host) || (!device && !kernel);
    // For a kernel `__device__` adds nothing.
    Sides { kernel, device: device && !kernel, host: host && !kernel }
}

/// Returns true if two functions have parameters of the same types; the qualifiers of copies do not
/// count.
pub(crate) fn same_parameters(a: &[Option<Parameter>], b: &[Option<Parameter>]) -> bool {
    let same = |a: &Option<Parameter>, b: &Option<Parameter>| match (a, b) {
        (Some(a), Some(b)) => {
            let same_type = if a.reference { a.ty == b.ty } else { a.ty.ty == b.ty.ty };
            a.reference == b.reference && a.binding == b.binding && same_type
        }
        // Parameters with reported faults are the same if both have them.
        (a, b) => a.is_none() == b.is_none(),
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

impl Checker {
    /// The head of a definition: the function, unless its body is not to be checked.
    pub(crate) fn function_definition(
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
        self.functions.number(index);
        let info = self.functions.get_mut(index)?;
        if std::mem::replace(&mut info.defined, true) {
            let (name, earlier) = (info.name.clone(), info.span);
            self.report_redefinition(&name, declarator.name_span, Some(earlier));
            return None;
        }
        info.span = declarator.name_span;
        info.whole = Some(definition.span);
        if specifiers.is_auto {
            let context = self.scopes.context_here();
            let definition = Arc::new(definition.clone());
            self.deduce_result(index, Pending { definition, context });
        }
        Some(index)
    }

    /// The specifiers in front of a function's name; a constructor's name needs none.
    pub(crate) fn function_specifiers(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        owner: Option<StructId>,
    ) -> Specifiers {
        let name = declarator.name.clone().unwrap_or_else(|| "".into());
        let owner = owner.or_else(|| Some(self.owner_of(&name)?.0));
        let makes = owner.is_some_and(|owner| {
            self.is_constructor(owner, &name) || self.is_destructor(owner, &name)
        });
        self.head_specifiers(specifiers, declarator, !makes)
    }

    /// The specifiers in front of a function's name; `decltype` in it may name the parameters.
    pub(crate) fn head_specifiers(
        &mut self,
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        typed: bool,
    ) -> Specifiers {
        let is_decltype =
            |one: &ast::Specifier| matches!(one.kind, ast::SpecifierKind::Decltype(_));
        let parts = function_parts(declarator);
        let Some(parts) = parts.filter(|_| specifiers.items.iter().any(is_decltype)) else {
            return self.specifiers_of(specifiers, typed);
        };
        self.open_scope();
        // Their faults are the function's, which reads them once more.
        let mark = self.reports.mark();
        let parameters = self.parameters(&parts, false);
        self.reports.go_back(mark);
        for parameter in parameters.iter().flatten() {
            self.name_parameter(parameter);
        }
        let found = self.specifiers_of(specifiers, typed);
        self.close_scope();
        found
    }

    /// Declares a parameter for its type.
    fn name_parameter(&mut self, parameter: &Parameter) {
        let Some(name) = &parameter.name else { return };
        let variable = Variable {
            name: name.clone(),
            ty: parameter.ty.clone(),
            storage: Storage::Local(LocalId(u32::MAX)),
            reference: parameter.reference,
            is_rvalue: parameter.reference && parameter.binding != Binding::Objects,
            constant: None,
            span: parameter.span,
            uses: Cell::new(1),
            sets: Cell::new(0),
            role: Role::Quiet,
        };
        let symbol = Symbol::Variable(Rc::new(variable));
        self.scopes.set(name.clone(), symbol, Some(parameter.span));
    }

    /// The structure in front of a name like `a::f`, and the name after it.
    pub(crate) fn owner_of(&self, name: &str) -> Option<(StructId, Name)> {
        let (owner, last) = name.rsplit_once("::")?;
        let id = match self.scopes.find_type(owner)? {
            TypeMeaning::Tag(Tag::Struct(id)) => id,
            TypeMeaning::Type(QType { ty: CType::Struct(id), .. }) => id,
            _ => return None,
        };
        Some((id, last.into()))
    }

    /// The name of a structure's functions among its members.
    pub(crate) fn member_key(&self, owner: StructId, name: &Name) -> Name {
        match () {
            _ if self.is_constructor(owner, name) => CONSTRUCTOR.into(),
            _ if self.is_destructor(owner, name) => DESTRUCTOR.into(),
            _ => name.clone(),
        }
    }

    fn is_destructor(&self, owner: StructId, name: &str) -> bool {
        let last = name.rsplit("::").next().unwrap_or(name);
        last.strip_prefix('~').is_some_and(|tag| self.structure(owner).tag.as_deref() == Some(tag))
    }

    fn is_constructor(&self, owner: StructId, name: &str) -> bool {
        let last = name.rsplit("::").next().unwrap_or(name);
        self.structure(owner).tag.as_deref() == Some(last)
    }

    /// A declaration of a function, merged with earlier ones.
    pub(crate) fn declare_function(
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
        let key = match (&path, owner) {
            (Some(path), Some(owner)) => {
                format!("{path}::{}", self.member_key(owner, &short)).into()
            }
            _ => self.path_of_function(&name),
        };
        if outside.is_some() && self.scopes.find_whole(&key).is_none() {
            let owner = owner?;
            self.report_no_member(owner, &short, span);
            return None;
        }
        self.add_overload(key, info, head.defines)
    }

    /// The whole name of a function that is no member; a friend belongs to the namespace around.
    fn path_of_function(&self, name: &Name) -> Name {
        match self.functions.befriending {
            Some(id) => {
                let space = self.scopes.namespace_around(&self.structure(id).path);
                within(space, name).into()
            }
            None => self.scopes.qualify(name),
        }
    }

    /// Refuses a constructor that takes one object of its structure by value: to pass it would take a copy, which the
    /// constructor makes (C++17, [class.copy.ctor]).
    fn refuse_object_by_value(
        &mut self,
        owner: StructId,
        parameters: &[Option<Parameter>],
    ) -> Option<()> {
        let Some((Some(first), rest)) = parameters.split_first() else { return Some(()) };
        let is_copied = !first.reference && first.ty.ty == CType::Struct(owner);
        if !is_copied || !rest.iter().all(has_default) {
            return Some(());
        }
        let message = "a constructor cannot take an object of its own class by value";
        let error = Diagnostic::error(code::BAD_DECLARATOR, first.span, message);
        self.fail(error.help("take a reference to a constant one: `const T &`"))
    }

    /// The role of a function in its structure.
    fn method_kind(&self, owner: StructId, specifiers: &Specifiers, short: &Name) -> MethodKind {
        if self.is_constructor(owner, short) {
            MethodKind::Constructor
        } else if self.is_destructor(owner, short) {
            MethodKind::Destructor
        } else if specifiers.has(Word::Static) || self.is_static(owner, short) {
            MethodKind::Static
        } else {
            MethodKind::Plain
        }
    }

    /// The properties of a function from its declaration.
    pub(crate) fn function_info(
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
            kind: self.method_kind(owner, specifiers, short),
            constant: head.constant,
        });
        let kind = method.map(|method| method.kind);
        let is_made = kind == Some(MethodKind::Constructor);
        let result = match owner.filter(|_| is_made) {
            Some(owner) => Some(CType::Struct(owner).plain()),
            None if kind == Some(MethodKind::Destructor) => Some(CType::Void.plain()),
            None => self.result_type(specifiers, parts, span),
        };
        let gives_up = matches!(&result, Some(QType { ty: CType::Reference(_, true), .. }));
        let (result, reference) = match result {
            Some(found @ QType { ty: CType::Reference(..), .. }) => {
                let to = found.referred();
                (Some(to.clone().pointer()), Some(to))
            }
            found => (found.map(|found| found.ty), None),
        };
        self.open_scope();
        let parameters = self.parameters(parts, head.defines);
        self.check_defaults(&parameters);
        self.close_scope();
        if let Some(owner) = owner.filter(|_| is_made) {
            self.refuse_object_by_value(owner, &parameters)?;
        }
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
        if &*name == "main" && self.scopes.is_outermost() {
            self.check_main(sides, result.as_ref(), &parameters, span);
        }
        Some(FunctionInfo {
            name,
            sides,
            parameters,
            result,
            reference,
            keeps_reference: specifiers.keeps_reference,
            gives_up,
            method,
            launch_bound: specifiers.launch_bound,
            is_constexpr: specifiers.has(Word::Constexpr),
            is_explicit: specifiers.has(Word::Explicit),
            friend_of: BTreeSet::new(),
            is_hidden: false,
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
            is_faulty: false,
            calls: Vec::new(),
            first_use: None,
        })
    }

    /// Returns true if a function of a structure was declared `static`.
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
            Some(Entry { meaning: Symbol::Poisoned, .. }) => return Some(self.functions.add(info)),
            Some(Entry { span: earlier, .. }) => {
                self.report_redefinition(&key, span, earlier);
                return None;
            }
            None => Rc::default(),
        };
        let same = |&&index: &&usize| {
            let known = &self.functions[index];
            let constant = |info: &FunctionInfo| info.method.is_some_and(|method| method.constant);
            // Conversions differ by their target type.
            let is_same_conversion = !info.is_conversion()
                || (&known.result, &known.reference, known.gives_up)
                    == (&info.result, &info.reference, info.gives_up);
            same_parameters(&known.parameters, &info.parameters)
                && constant(known) == constant(&info)
                && is_same_conversion
        };
        if let Some(&index) = list.functions.iter().find(same) {
            self.functions.note_declared(index, false);
            return self.merge_function(index, info, defines);
        }
        if info.is_main() && !list.functions.is_empty() {
            self.report_redefinition(&key, span, None);
            return None;
        }
        let index = self.functions.add(info);
        self.functions.note_declared(index, true);
        self.functions.note_order(index, self.scopes.order());
        Rc::make_mut(&mut list).functions.push(index);
        self.set_functions(key, list, span);
        Some(index)
    }

    /// Binds a whole name to functions.
    pub(crate) fn set_functions(&mut self, key: Name, list: Rc<Overloads>, span: Span) {
        self.functions.note_name(&key);
        self.scopes.set_whole(key, Symbol::Functions(list), Some(span));
    }

    /// Merges a further declaration into the known one.
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
            // Default arguments are written in one declaration and hold in all.
            for (known, other) in parameters.iter_mut().zip(&old.parameters) {
                if let (Some(known), Some(other)) = (known, other)
                    && matches!(known.default, DefaultArgument::Missing)
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
        defines.then(|| self.functions.add(new))
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

    /// The type of a result.
    fn result_type(
        &mut self,
        specifiers: &Specifiers,
        parts: &FunctionParts<'_>,
        span: Span,
    ) -> Option<QType> {
        let base = specifiers.base.clone()?;
        if specifiers.is_auto && !parts.result.is_empty() {
            let message = "unsupported: functions whose result is a pointer or reference to `auto`";
            return self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message));
        }
        let steps: Vec<&ast::Derived> = parts.result.iter().collect();
        let found = self.derive(base, &steps)?;
        if let CType::Array(..) = found.ty {
            let message = "a function cannot return an array";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, span, message));
        }
        if let CType::Opaque(_) = found.ty {
            self.report_incomplete(&found.ty, span, "the result");
            return None;
        }
        Some(found)
    }
}
