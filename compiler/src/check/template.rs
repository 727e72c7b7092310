//! Templates: the arguments they are given or that follow from a call, and what they make.
//!
//! A template is kept as syntax. Each list of arguments makes it once, in the scope in which it was
//! declared, with its parameters standing for the arguments; a function's body when it is called.

use super::Checker;
use super::class::CONSTRUCTOR;
use super::declarator::function_parts;
use super::expr::Operand;
use super::function::{Head, Pending};
use super::scope::{Context, Overloads, Scope, Symbol, TypeMeaning};
use super::tree::StructId;
use super::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, TemplateArgument, TemplateParameterKind};
use std::rc::Rc;
use std::sync::Arc;

/// How deep making a template may lead to making another.
const DEPTH: u32 = 100;
/// How much all templates of a program may make.
const INSTANCES: usize = 10_000;

/// An argument of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    Type(QType),
    Value(i64, CType),
    /// A function, by its name.
    Function(Name, Rc<Overloads>),
}

/// A template.
#[derive(Debug)]
pub(super) struct TemplateInfo {
    pub name: Name,
    tree: Arc<ast::Template>,
    context: Context,
    /// The structure that a function template belongs to.
    owner: Option<StructId>,
    /// What it has made: the number of a function or a structure.
    instances: Vec<(Vec<Argument>, Made)>,
    /// Forms of a class template for some arguments.
    partial: Vec<(Arc<ast::Template>, Context)>,
    /// Functions of a class template that are defined outside it.
    outside: Vec<Outside>,
    pub span: Span,
}

/// A function of a class template that is defined outside it.
#[derive(Clone, Debug)]
struct Outside {
    /// With the parameters of the class template.
    tree: Arc<ast::Template>,
    /// Its name in the structure.
    name: Name,
    context: Context,
}

#[derive(Clone, Debug)]
enum Made {
    Function(usize),
    Type(QType),
}

impl TemplateInfo {
    /// Whether what it makes belongs to a structure.
    pub fn is_member(&self) -> bool {
        self.owner.is_some()
    }

    /// What is wrong with the text of bodies of which nothing was made.
    pub fn unread(&self) -> Vec<Diagnostic> {
        if !self.instances.is_empty() {
            return Vec::new();
        }
        let outside = self.outside.iter().map(|outside| &outside.tree.item);
        std::iter::once(&self.tree.item).chain(outside).flat_map(faults_in).collect()
    }
}

impl TemplateInfo {
    /// Whether this function template says more of its parameters than the other: the other could
    /// take what this one takes, whatever that is, but not the other way round (C++17,
    /// [temp.func.order]).
    pub fn is_more_special(&self, other: &TemplateInfo) -> bool {
        other.covers(self) && !self.covers(other)
    }

    /// Whether the parameters of the other's function have the form of this one's.
    fn covers(&self, other: &TemplateInfo) -> bool {
        let (Kind::Function(one), Kind::Function(two)) =
            (kind(&self.tree.item), kind(&other.tree.item))
        else {
            return false;
        };
        let (Some(one), Some(two)) = (function_parts(one), function_parts(two)) else {
            return false;
        };
        let names = names(&self.tree);
        let mut found = vec![None; names.len()];
        one.parameters.iter().zip(two.parameters).all(|(one, two)| {
            let form = Form::of(&two.specifiers, &two.declarator.derived);
            Form::of(&one.specifiers, &one.declarator.derived).takes(&names, &form, &mut found)
        })
    }
}

/// What is wrong with the text of a function's body.
fn faults_in(item: &ast::Item) -> Vec<Diagnostic> {
    match item {
        ast::Item::Function(definition) => definition.body.parse().1,
        _ => Vec::new(),
    }
}

/// A type as it is written, places left out.
#[derive(Clone, PartialEq, Eq)]
struct Form {
    /// Pointers and arrays from the name outwards; references say nothing here.
    steps: Vec<&'static str>,
    constant: bool,
    /// What stands for the type, and the arguments behind it.
    base: String,
    arguments: Vec<Form>,
}

impl Form {
    fn of(specifiers: &ast::Specifiers, derived: &[ast::Derived]) -> Form {
        let step = |step: &ast::Derived| match &step.kind {
            ast::DerivedKind::Pointer(_) => Some("*"),
            ast::DerivedKind::Array(_) => Some("[]"),
            _ => None,
        };
        let mut form = Form {
            steps: derived.iter().filter_map(step).collect(),
            constant: false,
            base: String::new(),
            arguments: Vec::new(),
        };
        for one in &specifiers.items {
            match &one.kind {
                ast::SpecifierKind::Word(ast::Word::Const) => form.constant = true,
                ast::SpecifierKind::Word(word) => form.base.push_str(word.text()),
                ast::SpecifierKind::Named(name) => form.base.push_str(name),
                ast::SpecifierKind::Template(name, arguments) => {
                    form.base.push_str(name);
                    form.arguments = arguments.iter().map(Form::of_argument).collect();
                }
                _ => form.base.push('?'),
            }
        }
        form
    }

    fn of_argument(argument: &TemplateArgument) -> Form {
        match argument {
            TemplateArgument::Type(ty) => Form::of(&ty.specifiers, &ty.declarator.derived),
            TemplateArgument::Value(value) => {
                let base = match &value.kind {
                    ast::ExprKind::Name(name) => name.to_string(),
                    ast::ExprKind::Int(value, _) => value.to_string(),
                    _ => "?".to_owned(),
                };
                Form { steps: Vec::new(), constant: false, base, arguments: Vec::new() }
            }
        }
    }

    /// Whether another form is one of this, with its parameters standing for parts of the other.
    fn takes(&self, names: &[Option<Name>], other: &Form, found: &mut [Option<Form>]) -> bool {
        let parameter = names.iter().position(|name| name.as_deref() == Some(self.base.as_str()));
        let Some(at) = parameter else {
            return self.steps == other.steps
                && self.base == other.base
                && self.constant == other.constant
                && self.arguments.len() == other.arguments.len()
                && self
                    .arguments
                    .iter()
                    .zip(&other.arguments)
                    .all(|(one, two)| one.takes(names, two, found));
        };
        let Some(steps) = other.steps.strip_prefix(self.steps.as_slice()) else {
            return false;
        };
        if self.constant && !other.constant {
            return false;
        }
        let constant = other.constant && !self.constant;
        let rest = Form { steps: steps.to_vec(), constant, ..other.clone() };
        match &found[at] {
            Some(known) => *known == rest,
            None => {
                found[at] = Some(rest);
                true
            }
        }
    }
}

/// What a template makes.
enum Kind<'a> {
    Function(&'a ast::Declarator),
    Struct(&'a ast::StructSpecifier),
    Alias,
    Other,
}

fn kind(item: &ast::Item) -> Kind<'_> {
    match item {
        ast::Item::Function(definition) => Kind::Function(&definition.declarator),
        ast::Item::Declaration(declaration) => match declaration.declarators.first() {
            Some(first) if function_parts(&first.declarator).is_some() => {
                Kind::Function(&first.declarator)
            }
            Some(_) if is_typedef(declaration) => Kind::Alias,
            Some(_) => Kind::Other,
            None => {
                let structs = declaration.specifiers.items.iter().find_map(|one| match &one.kind {
                    ast::SpecifierKind::Struct(found) => Some(&**found),
                    _ => None,
                });
                structs.map_or(Kind::Other, Kind::Struct)
            }
        },
        _ => Kind::Other,
    }
}

fn is_typedef(declaration: &ast::Declaration) -> bool {
    let word = ast::Word::Typedef;
    let is = |one: &ast::Specifier| matches!(one.kind, ast::SpecifierKind::Word(w) if w == word);
    declaration.specifiers.items.iter().any(is)
}

/// How many parameters the function that a template makes has.
fn arity(item: &ast::Item) -> Option<usize> {
    match kind(item) {
        Kind::Function(declarator) => Some(function_parts(declarator)?.parameters.len()),
        _ => None,
    }
}

impl Checker {
    /// A template that is declared.
    pub(super) fn template(&mut self, tree: &Arc<ast::Template>, owner: Option<StructId>) {
        if tree.parameters.is_empty() {
            return self.specialisation(tree);
        }
        if owner.is_none() && self.member_outside(tree) {
            return;
        }
        match kind(&tree.item) {
            Kind::Function(declarator) => {
                let Some(name) = declarator.name.clone() else {
                    return;
                };
                self.function_template(&name, tree, owner, declarator.name_span);
            }
            Kind::Struct(found) => self.class_template(found, tree),
            Kind::Alias => {
                if let ast::Item::Declaration(declaration) = &tree.item
                    && let Some(first) = declaration.declarators.first()
                    && let Some(name) = &first.declarator.name
                {
                    let index = self.add_template(name, tree, None, first.declarator.name_span);
                    let symbol = Symbol::TypeTemplate(index);
                    self.scopes.set(name.clone(), symbol, Some(tree.span));
                }
            }
            Kind::Other => {
                let message = "unsupported: templates of anything but functions and types";
                self.report(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, tree.span, message));
            }
        }
    }

    /// Keeps a function, or a function template, of a class template that is defined outside it;
    /// whether this is one.
    fn member_outside(&mut self, tree: &Arc<ast::Template>) -> bool {
        let item = match &tree.item {
            ast::Item::Template(inner) => &inner.item,
            item => item,
        };
        let Kind::Function(declarator) = kind(item) else {
            return false;
        };
        let Some((owner, name)) = declarator.name.as_ref().and_then(|name| name.rsplit_once("::"))
        else {
            return false;
        };
        let Some(TypeMeaning::Template(index)) = self.scopes.find_type(owner) else {
            return false;
        };
        let context = self.scopes.context_here();
        let outside = Outside { tree: tree.clone(), name: name.into(), context };
        self.templates[index].outside.push(outside.clone());
        let primary = Some(self.templates[index].span);
        for (list, made) in self.templates[index].instances.clone() {
            if let Made::Type(QType { ty: CType::Struct(id), .. }) = made
                && self.structure(id).span == primary
            {
                self.define_outside(id, &list, &outside);
            }
        }
        true
    }

    /// Defines a function of a structure that a class template has made.
    fn define_outside(&mut self, id: StructId, list: &[Argument], outside: &Outside) {
        let Kind::Function(declarator) = (match &outside.tree.item {
            ast::Item::Template(inner) => kind(&inner.item),
            item => kind(item),
        }) else {
            return;
        };
        let span = declarator.name_span;
        let makes = self.structure(id).tag.as_ref() == Some(&outside.name);
        let key = if makes { CONSTRUCTOR } else { &*outside.name };
        let Some(known) = self.member_functions(id, key) else {
            return self.report_no_member(id, &outside.name, span);
        };
        let path = self.structure(id).path.clone();
        let bound = self.bound(&outside.tree, list);
        let context = outside.context.clone().with(bound).inside(path);
        let aside = self.scopes.enter(&context);
        let found = match &outside.tree.item {
            ast::Item::Function(definition) => {
                let mut definition = ast::FunctionDefinition::clone(definition);
                definition.declarator.name = Some(outside.name.clone());
                let index = self.function_definition(&definition, Some(id));
                let pending = Pending { definition: Arc::new(definition), context };
                self.defer_body(pending, index, true);
                index.is_none_or(|index| known.functions.contains(&index))
            }
            ast::Item::Template(inner) => {
                let index = self.define_template(id, inner, &outside.name, context);
                known.templates.contains(&index)
            }
            // Only declared again.
            _ => true,
        };
        self.scopes.leave(aside);
        if !found {
            let structure = self.structure(id).name.clone();
            let message =
                format!("no `{}` declared in `{structure}` has these parameters", outside.name);
            let mut report = Diagnostic::error(code::CONFLICTING, span, message);
            for &index in known.functions.iter().take(4) {
                report = report.secondary(self.functions[index].span, "declared here");
            }
            self.report(report);
        }
    }

    /// Gives a function template of a structure its body; its number.
    fn define_template(
        &mut self,
        id: StructId,
        tree: &Arc<ast::Template>,
        name: &Name,
        context: Context,
    ) -> usize {
        let ast::Item::Function(definition) = &tree.item else {
            return usize::MAX;
        };
        let mut definition = ast::FunctionDefinition::clone(definition);
        definition.declarator.name = Some(name.clone());
        let tree = Arc::new(ast::Template {
            parameters: tree.parameters.clone(),
            item: ast::Item::Function(Arc::new(definition)),
            span: tree.span,
        });
        let key = if self.structure(id).tag.as_ref() == Some(name) { CONSTRUCTOR } else { &**name };
        let known = self.member_functions(id, key).unwrap_or_default();
        let fits = |&&index: &&usize| {
            let other = &self.templates[index].tree;
            other.parameters.len() == tree.parameters.len()
                && arity(&other.item) == arity(&tree.item)
                && !matches!(other.item, ast::Item::Function(_))
        };
        match known.templates.iter().find(fits).copied() {
            Some(index) => {
                self.templates[index].tree = tree;
                self.templates[index].context = context;
                index
            }
            None => usize::MAX,
        }
    }

    fn add_template(
        &mut self,
        name: &Name,
        tree: &Arc<ast::Template>,
        owner: Option<StructId>,
        span: Span,
    ) -> usize {
        let context = match owner {
            Some(owner) => self.structure(owner).context.clone(),
            None => self.scopes.context_here(),
        };
        self.templates.push(TemplateInfo {
            name: name.clone(),
            tree: tree.clone(),
            context,
            owner,
            instances: Vec::new(),
            partial: Vec::new(),
            outside: Vec::new(),
            span,
        });
        self.templates.len() - 1
    }

    fn function_template(
        &mut self,
        name: &Name,
        tree: &Arc<ast::Template>,
        owner: Option<StructId>,
        span: Span,
    ) {
        let made = owner.filter(|owner| self.structure(*owner).tag.as_ref() == Some(name));
        let key = match made {
            Some(owner) => {
                let info = self.structure_mut(owner);
                (info.constructed, info.starts) = (true, true);
                format!("{}::{CONSTRUCTOR}", info.path).into()
            }
            None => self.scopes.qualify(name),
        };
        let mut list = match self.scopes.find_whole(&key).map(|entry| entry.meaning.clone()) {
            Some(Symbol::Functions(list)) => list,
            Some(Symbol::Poisoned) => return,
            Some(_) => return self.report_redefinition(name, span, None),
            None => Rc::default(),
        };
        let defines = matches!(tree.item, ast::Item::Function(_));
        let declared = |&&index: &&usize| {
            let other = &self.templates[index].tree;
            let known = matches!(other.item, ast::Item::Function(_));
            other.parameters.len() == tree.parameters.len()
                && arity(&other.item) == arity(&tree.item)
                && (!known || !defines)
        };
        if let Some(&index) = list.templates.iter().find(declared) {
            // Declared before, or again: what is defined counts.
            if defines {
                self.templates[index].tree = tree.clone();
            }
            return;
        }
        let index = self.add_template(name, tree, owner, span);
        Rc::make_mut(&mut list).templates.push(index);
        self.set_functions(key, list, span);
    }

    fn class_template(&mut self, found: &ast::StructSpecifier, tree: &Arc<ast::Template>) {
        let Some(name) = &found.tag else {
            return;
        };
        let known = match self.scopes.find_type(name) {
            Some(TypeMeaning::Template(index)) => Some(index),
            _ => None,
        };
        if found.arguments.is_some() {
            let Some(index) = known else {
                return self.report_no_template(name, found.span);
            };
            let context = self.scopes.context_here();
            self.templates[index].partial.push((tree.clone(), context));
            return;
        }
        let Some(index) = known else {
            let index = self.add_template(name, tree, None, found.span);
            self.scopes.set(name.clone(), Symbol::TypeTemplate(index), Some(found.span));
            return;
        };
        let old = &mut self.templates[index];
        let defined = match kind(&old.tree.item) {
            Kind::Struct(old) => old.members.is_some(),
            _ => true,
        };
        match (defined, found.members.is_some()) {
            (true, true) => {
                let earlier = old.span;
                self.report_redefinition(name, found.span, Some(earlier));
            }
            (false, true) => {
                old.tree = tree.clone();
                old.span = found.span;
            }
            _ => {}
        }
    }

    fn report_no_template(&mut self, name: &str, span: Span) {
        let message = format!("there is no template `{name}` to be specialised");
        self.report(Diagnostic::error(code::UNKNOWN_TYPE, span, message));
    }

    /// `template <>`: what a template makes of certain arguments, said anew.
    fn specialisation(&mut self, tree: &Arc<ast::Template>) {
        match kind(&tree.item) {
            Kind::Function(declarator) => self.function_specialisation(tree, declarator),
            Kind::Struct(found) => {
                let (Some(name), Some(given)) = (&found.tag, &found.arguments) else {
                    let message = "a specialisation names the arguments it is for";
                    let found = Diagnostic::error(code::BAD_DECLARATION, tree.span, message);
                    return self.report(found);
                };
                let Some(TypeMeaning::Template(index)) = self.scopes.find_type(name) else {
                    return self.report_no_template(name, found.span);
                };
                let Some(list) = self.template_arguments(index, given, found.span) else {
                    return;
                };
                if self.instance(index, &list).is_some() {
                    return self.report_redefinition(name, found.span, None);
                }
                let members = found.members.clone().unwrap_or_default();
                let context = self.scopes.context_here();
                let is_defined = found.members.is_some();
                self.make_struct_of(index, list, found, members, context, is_defined);
            }
            _ => {
                let message = "unsupported: specialisations of anything but functions and types";
                self.report(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, tree.span, message));
            }
        }
    }

    fn function_specialisation(&mut self, tree: &Arc<ast::Template>, declarator: &ast::Declarator) {
        let Some((index, list)) = self.specialised(&tree.item, declarator) else {
            return;
        };
        let ast::Item::Function(definition) = &tree.item else {
            // Only declared: the definition counts.
            return;
        };
        if self.instance(index, &list).is_some() {
            return self.report_redefinition(
                &self.templates[index].name.clone(),
                declarator.name_span,
                None,
            );
        }
        let context = self.scopes.context_here();
        self.make_function(index, list, definition.clone(), context);
    }

    /// The template and the arguments that a declaration of one of its functions means.
    fn specialised(
        &mut self,
        item: &ast::Item,
        declarator: &ast::Declarator,
    ) -> Option<(usize, Vec<Argument>)> {
        let name = declarator.name.clone()?;
        let specifiers = match item {
            ast::Item::Function(definition) => &definition.specifiers,
            ast::Item::Declaration(declaration) => &declaration.specifiers,
            _ => return None,
        };
        let parts = function_parts(declarator)?;
        let specifiers = self.specifiers(specifiers);
        let head = Head { defines: false, constant: false, owner: None };
        let info = self.function_info(&specifiers, declarator, &parts, head, None, &name)?;
        let operands: Vec<Operand> = info
            .parameters
            .iter()
            .map(|parameter| {
                let parameter = parameter.as_ref()?;
                let null = super::expr::Value::int(1, CType::INT, parameter.span);
                let place =
                    super::expr::Lvalue::deref(null.expr, parameter.ty.clone(), parameter.span);
                Some(Operand::Place(place))
            })
            .collect::<Option<_>>()?;
        let list = match self.scopes.find(&name).map(|entry| entry.meaning.clone()) {
            Some(Symbol::Functions(list)) => list,
            _ => {
                self.report_no_template(&name, declarator.name_span);
                return None;
            }
        };
        for &index in &list.templates {
            let given = declarator.arguments.as_deref();
            let found =
                self.silently(|this| this.deduce(index, given, &operands, declarator.name_span));
            if let Some(found) = found {
                return Some((index, found));
            }
        }
        self.report_no_template(&name, declarator.name_span);
        None
    }

    /// `template` in front of a use, which makes it exist.
    pub(super) fn instance_declaration(&mut self, declaration: &ast::Declaration) {
        let Some(first) = declaration.declarators.first() else {
            self.specifiers(&declaration.specifiers);
            return;
        };
        let item = ast::Item::Declaration(declaration.clone());
        let found = match (&first.declarator.name, &first.declarator.arguments) {
            // With all arguments written, the parameters say nothing new.
            (Some(name), Some(given)) if function_parts(&first.declarator).is_none() => {
                self.named_instance(name, given, first.declarator.name_span)
            }
            _ => self.specialised(&item, &first.declarator),
        };
        let Some((index, list)) = found else {
            return;
        };
        if let Some(made) = self.instantiate_function(index, list, first.declarator.name_span) {
            self.note_call(made, first.declarator.name_span);
        }
    }

    /// The first function template of a name that takes the arguments.
    fn named_instance(
        &mut self,
        name: &Name,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<(usize, Vec<Argument>)> {
        let list = self.templates_of(name, span)?;
        let (&first, rest) = list.templates.split_first()?;
        for &index in rest {
            let found = self.silently(|this| this.template_arguments(index, given, span));
            if let Some(found) = found {
                return Some((index, found));
            }
        }
        Some((first, self.template_arguments(first, given, span)?))
    }

    fn instance(&self, index: usize, list: &[Argument]) -> Option<Made> {
        let made = self.templates[index].instances.iter().find(|(known, _)| known == list);
        made.map(|(_, made)| made.clone())
    }

    /// The arguments of a template that are written, and its defaults for the others.
    pub(super) fn template_arguments(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let found = self.written_arguments(index, given, span)?;
        self.complete_arguments(index, found.into_iter().map(Some).collect(), span)
    }

    /// The arguments that are written.
    fn written_arguments(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<Vec<Argument>> {
        let tree = self.templates[index].tree.clone();
        let name = self.templates[index].name.clone();
        if given.len() > tree.parameters.len() {
            let most = tree.parameters.len();
            let message =
                format!("`{name}` takes {most} template arguments, but {} are given", given.len());
            return self.fail(Diagnostic::error(code::WRONG_ARGUMENTS, span, message));
        }
        let mut found = Vec::new();
        for (argument, parameter) in given.iter().zip(&tree.parameters) {
            found.push(match (argument, &parameter.kind) {
                (TemplateArgument::Type(ty), TemplateParameterKind::Type(_)) => {
                    Argument::Type(self.type_name(ty)?)
                }
                (TemplateArgument::Value(value), TemplateParameterKind::Value(_)) => {
                    self.value_argument(value)?
                }
                (TemplateArgument::Type(_), _) => {
                    let message = format!("`{name}` takes a value here, not a type");
                    return self.fail(Diagnostic::error(code::TYPE_MISMATCH, span, message));
                }
                (TemplateArgument::Value(value), _) => {
                    let message = format!("`{name}` takes a type here, not a value");
                    return self.fail(Diagnostic::error(code::TYPE_MISMATCH, value.span, message));
                }
            });
        }
        Some(found)
    }

    fn value_argument(&mut self, value: &ast::Expr) -> Option<Argument> {
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
        let known = self.constant_integer(value, "a template argument")?;
        Some(Argument::Value(known, CType::LONG_LONG))
    }

    /// An argument that names a function, as it is or with `&`.
    fn function_argument(&mut self, value: &ast::Expr) -> Option<Option<Argument>> {
        match &value.kind {
            ast::ExprKind::Unary(ast::UnaryOp::AddressOf, inner) => self.function_argument(inner),
            ast::ExprKind::Name(name) => match self.symbol_of(name) {
                Some(Symbol::Functions(list)) => Some(Some(Argument::Function(name.clone(), list))),
                _ => None,
            },
            ast::ExprKind::Template(name, given) => {
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
    fn complete_arguments(
        &mut self,
        index: usize,
        found: Vec<Option<Argument>>,
        span: Span,
    ) -> Option<Vec<Argument>> {
        let tree = self.templates[index].tree.clone();
        let context = self.templates[index].context.clone();
        let mut whole = Vec::new();
        let mut scope = Scope::default();
        for (at, parameter) in tree.parameters.iter().enumerate() {
            let given = found.get(at).cloned().flatten();
            let aside = self.scopes.enter(&context.clone().with(scope.clone()));
            let argument = self.complete_argument(parameter, given, span);
            self.scopes.leave(aside);
            let Some(argument) = argument? else {
                let name = self.templates[index].name.clone();
                let which = parameter.name.as_deref().unwrap_or("a parameter");
                let message =
                    format!("the template argument `{which}` of `{name}` is not known here");
                return self.fail(
                    Diagnostic::error(code::NO_MATCHING_CALL, span, message)
                        .secondary(self.templates[index].span, "declared here")
                        .help(format!("write it: `{name}<...>`")),
                );
            };
            bind(&mut scope, parameter, &argument);
            whole.push(argument);
        }
        Some(whole)
    }

    /// `None`: a fault was reported; `Some(None)`: there is no argument.
    fn complete_argument(
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
                let Some(given) = given else {
                    return Some(None);
                };
                let was = std::mem::replace(&mut self.function_types, true);
                let base = self.specifiers(&value.specifiers).base;
                let ty = base.and_then(|base| self.parameter_type(base, &value.declarator));
                self.function_types = was;
                let ty = ty?.ty.ty;
                let known = match given {
                    Argument::Value(known, _) => known,
                    Argument::Function(..) if ty.is_function() => return Some(Some(given)),
                    _ => 0,
                };
                if ty.is_function() || !matches!(given, Argument::Value(..)) {
                    let message = match ty.is_function() {
                        true => "the template takes a function here".to_owned(),
                        false => format!("the template takes a `{}` here", self.spell(&ty)),
                    };
                    return self.fail(
                        Diagnostic::error(code::TYPE_MISMATCH, span, message)
                            .secondary(parameter.span, "declared here"),
                    );
                }
                let known = match &ty {
                    CType::Bool => i64::from(known != 0),
                    CType::Int(kind) => super::constant::wrap(*kind, known),
                    _ => {
                        let message = "unsupported: template parameters that are no integers";
                        let span = parameter.span;
                        return self.fail(Diagnostic::error(
                            code::UNSUPPORTED_TEMPLATE,
                            span,
                            message,
                        ));
                    }
                };
                Some(Some(Argument::Value(known, ty)))
            }
        }
    }

    fn spell_arguments(&self, list: &[Argument]) -> String {
        let text = |argument: &Argument| match argument {
            Argument::Type(ty) => self.spell_qualified(ty),
            Argument::Function(name, _) => name.to_string(),
            Argument::Value(value, CType::Bool) => (*value != 0).to_string(),
            Argument::Value(value, _) => value.to_string(),
        };
        let texts: Vec<String> = list.iter().map(text).collect();
        texts.join(", ")
    }

    fn bound(&self, tree: &ast::Template, list: &[Argument]) -> Scope {
        let mut scope = Scope::default();
        for (parameter, argument) in tree.parameters.iter().zip(list) {
            bind(&mut scope, parameter, argument);
        }
        scope
    }

    fn check_depth(&mut self, name: &str, span: Span) -> Option<()> {
        let many = self.templates.iter().map(|info| info.instances.len()).sum::<usize>();
        if self.scopes.depth >= DEPTH || many >= INSTANCES {
            let message = if many >= INSTANCES {
                format!("templates are made for more than {INSTANCES} lists of arguments")
            } else {
                format!("making the template `{name}` leads to making others {DEPTH} deep")
            };
            return self.fail(Diagnostic::error(code::LIMIT_NESTING, span, message));
        }
        Some(())
    }

    /// The function that a template makes of arguments.
    pub(super) fn instantiate_function(
        &mut self,
        index: usize,
        list: Vec<Argument>,
        span: Span,
    ) -> Option<usize> {
        if let Some(Made::Function(made)) = self.instance(index, &list) {
            return Some(made);
        }
        let name = self.templates[index].name.clone();
        self.check_depth(&name, span)?;
        let tree = self.templates[index].tree.clone();
        let ast::Item::Function(definition) = &tree.item else {
            let message = format!("the template `{name}` is used, but its body is not given above");
            return self.fail(
                Diagnostic::error(code::UNDEFINED, span, message)
                    .secondary(self.templates[index].span, "only declared here"),
            );
        };
        let scope = self.bound(&tree, &list);
        let context = self.templates[index].context.clone().with(scope);
        self.make_function(index, list, definition.clone(), context)
    }

    fn make_function(
        &mut self,
        index: usize,
        list: Vec<Argument>,
        definition: Arc<ast::FunctionDefinition>,
        context: Context,
    ) -> Option<usize> {
        let owner = self.templates[index].owner;
        let template = &self.templates[index].name;
        let makes = owner.is_some_and(|owner| self.structure(owner).tag.as_ref() == Some(template));
        let short = match makes {
            // A constructor is known by its name.
            true => template.to_string(),
            false => format!("{template}<{}>", self.spell_arguments(&list)),
        };
        let aside = self.scopes.enter(&context);
        let info = function_parts(&definition.declarator).and_then(|parts| {
            let specifiers = self.specifiers_of(&definition.specifiers, !makes);
            let head = Head { defines: true, constant: definition.constant, owner };
            let name = short.as_str().into();
            self.function_info(&specifiers, &definition.declarator, &parts, head, owner, &name)
        });
        self.scopes.leave(aside);
        let mut info = info?;
        info.defined = true;
        info.whole = Some(definition.span);
        info.pending = Some(Pending { definition, context: context.deeper(self.scopes.depth) });
        let made = self.add_function(info);
        self.templates[index].instances.push((list, Made::Function(made)));
        Some(made)
    }

    /// The function of a template that a call with these arguments means.
    pub(super) fn instance_for(
        &mut self,
        index: usize,
        explicit: Option<&[TemplateArgument]>,
        operands: &[Operand],
        place: Span,
    ) -> Option<usize> {
        let list = self.deduce(index, explicit, operands, place)?;
        self.instantiate_function(index, list, place)
    }

    /// The arguments that follow from those of a call.
    fn deduce(
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
    fn unify(
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
    fn unify_arguments(
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

    /// The type that a class template makes of arguments, or a type template stands for.
    pub(super) fn instantiate_type(
        &mut self,
        index: usize,
        given: &[TemplateArgument],
        span: Span,
    ) -> Option<QType> {
        let list = self.template_arguments(index, given, span)?;
        if let Some(Made::Type(made)) = self.instance(index, &list) {
            return Some(made);
        }
        let name = self.templates[index].name.clone();
        self.check_depth(&name, span)?;
        let (tree, list_of_tree, context) = self.form_for(index, &list)?;
        let scope = self.bound(&tree, &list_of_tree);
        let context = context.with(scope).deeper(self.scopes.depth);
        match kind(&tree.item) {
            Kind::Struct(found) => {
                let members = found.members.clone();
                let is_defined = members.is_some();
                let members = members.unwrap_or_default();
                let is_primary = Arc::ptr_eq(&tree, &self.templates[index].tree);
                let given = list.clone();
                let id = self.make_struct_of(index, list, found, members, context, is_defined);
                if is_primary && is_defined {
                    for outside in self.templates[index].outside.clone() {
                        self.define_outside(id, &given, &outside);
                    }
                }
                Some(CType::Struct(id).plain())
            }
            _ => {
                let ast::Item::Declaration(declaration) = &tree.item else {
                    return None;
                };
                let aside = self.scopes.enter(&context);
                let ty = self.alias(declaration);
                self.scopes.leave(aside);
                self.templates[index].instances.push((list, Made::Type(ty.clone()?)));
                ty
            }
        }
    }

    fn alias(&mut self, declaration: &ast::Declaration) -> Option<QType> {
        let base = self.specifiers(&declaration.specifiers).base?;
        let steps: Vec<&ast::Derived> =
            declaration.declarators.first()?.declarator.derived.iter().collect();
        self.derive(base, &steps)
    }

    /// The form of a class template that holds for arguments: a partial specialisation, or itself.
    fn form_for(
        &mut self,
        index: usize,
        list: &[Argument],
    ) -> Option<(Arc<ast::Template>, Vec<Argument>, Context)> {
        for (tree, context) in self.templates[index].partial.clone().into_iter().rev() {
            let Kind::Struct(ast::StructSpecifier { arguments: Some(patterns), .. }) =
                kind(&tree.item)
            else {
                continue;
            };
            let names = names(&tree);
            let mut found = vec![None; names.len()];
            let aside = self.scopes.enter(&context);
            let fits = self.unify_arguments(&names, patterns, list, &[], &mut found);
            self.scopes.leave(aside);
            if fits && let Some(found) = found.into_iter().collect::<Option<Vec<_>>>() {
                return Some((tree, found, context));
            }
        }
        let info = &self.templates[index];
        Some((info.tree.clone(), list.to_vec(), info.context.clone()))
    }

    fn make_struct_of(
        &mut self,
        index: usize,
        list: Vec<Argument>,
        found: &ast::StructSpecifier,
        members: Arc<Vec<ast::Item>>,
        context: Context,
        is_defined: bool,
    ) -> StructId {
        let template = &self.templates[index];
        let tag = template.name.clone();
        let name = format!("{tag}<{}>", self.spell_arguments(&list));
        let aside = self.scopes.enter(&context);
        let id = self.announce_struct(name, found.is_union);
        let made = Made::Type(CType::Struct(id).plain());
        self.templates[index].instances.push((list.clone(), made));
        let info = self.structure_mut(id);
        info.span = Some(found.span);
        info.tag = Some(tag);
        info.made_of = Some((index, list));
        if is_defined {
            let align = found.align.as_ref().and_then(|values| self.alignment(values));
            let owner = std::mem::take(&mut self.body);
            self.define_struct(id, &members, align, context);
            self.body = owner;
        }
        self.scopes.leave(aside);
        id
    }

    /// Does something whose faults are no faults of the program.
    pub(super) fn silently<T>(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let (count, errors) = (self.diagnostics.len(), self.errors);
        let found = attempt(self);
        let failed = self.errors > errors;
        self.diagnostics.truncate(count);
        self.errors = errors;
        found.filter(|_| !failed)
    }

    /// The functions of a name with arguments.
    pub(super) fn templates_of(&mut self, name: &Name, span: Span) -> Option<Rc<Overloads>> {
        match self.symbol_of(name) {
            Some(Symbol::Functions(list)) => Some(list),
            Some(Symbol::Poisoned) => None,
            _ => {
                self.report_unknown(name, span, "the function template ");
                None
            }
        }
    }
}

/// The names of a template's parameters.
fn names(tree: &ast::Template) -> Vec<Option<Name>> {
    tree.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}

fn position(names: &[Option<Name>], name: &Name) -> Option<usize> {
    names.iter().position(|known| known.as_ref() == Some(name))
}

fn bind(scope: &mut Scope, parameter: &ast::TemplateParameter, argument: &Argument) {
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

/// Whether a type depends on the parameters.
fn mentions(names: &[Option<Name>], specifiers: &ast::Specifiers) -> bool {
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

fn bounds_mention(names: &[Option<Name>], derived: &[ast::Derived]) -> bool {
    derived.iter().any(|step| match &step.kind {
        ast::DerivedKind::Array(Some(bound)) => {
            matches!(&bound.kind, ast::ExprKind::Name(name) if position(names, name).is_some())
        }
        _ => false,
    })
}

/// Whether what a declaration says depends only on arguments that are given.
fn is_fixed(
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
fn has_const_if_asked(specifiers: &ast::Specifiers, derived: &[ast::Derived], ty: &QType) -> bool {
    let asks = specifiers
        .items
        .iter()
        .any(|one| matches!(one.kind, ast::SpecifierKind::Word(ast::Word::Const)));
    !asks || !derived.is_empty() || ty.constant
}

/// Gives a parameter its argument; `false` if it has another.
fn settle(slot: &mut Option<Argument>, argument: Argument) -> bool {
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
