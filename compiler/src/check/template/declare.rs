//! Declarations of templates: new ones, members of class templates defined outside them, and partial
//! specialisations.

use super::kind::{Kind, arity, kind};
use crate::check::state::Checker;
use crate::check::state::functions::{CONSTRUCTOR, Pending};
use crate::check::state::scopes::{Context, Symbol, Tag, TypeMeaning};
use crate::check::state::templates::{Argument, Made, Outside, TemplateInfo};
use crate::check::tree::StructId;
use crate::check::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::rc::Rc;
use std::sync::Arc;

impl Checker {
    /// A template that is declared.
    pub(crate) fn template(&mut self, tree: &Arc<ast::Template>, owner: Option<StructId>) {
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
            Kind::Variable(declared) if owner.is_none() => self.variable_template(declared, tree),
            Kind::Variable(_) | Kind::Other => {
                let message = "unsupported: templates of anything but functions, types and variables outside structures";
                self.report(Diagnostic::error(code::UNSUPPORTED_TEMPLATE, tree.span, message));
            }
        }
    }

    /// Keeps a function, or a function template, of a class template that is defined outside it;
    /// whether this is one.
    pub(super) fn member_outside(&mut self, tree: &Arc<ast::Template>) -> bool {
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
        for (list, made) in self.templates[index].instances().to_vec() {
            if let Made::Type(QType { ty: CType::Struct(id), .. }) = made
                && self.structure(id).span == primary
            {
                self.define_outside(id, &list, &outside);
            }
        }
        true
    }

    /// Defines a function of a structure that a class template has made.
    pub(super) fn define_outside(&mut self, id: StructId, list: &[Argument], outside: &Outside) {
        let Kind::Function(declarator) = (match &outside.tree.item {
            ast::Item::Template(inner) => kind(&inner.item),
            item => kind(item),
        }) else {
            return;
        };
        let span = declarator.name_span;
        let key = self.member_key(id, &outside.name);
        let Some(known) = self.member_functions(id, &key) else {
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
    pub(super) fn define_template(
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
        let key = self.member_key(id, name);
        let known = self.member_functions(id, &key).unwrap_or_default();
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

    pub(super) fn add_template(
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
        let (name, tree, order) = (name.clone(), tree.clone(), self.scopes.order());
        let info = TemplateInfo::new(name, tree, context, owner, span, order);
        self.templates.add(info)
    }

    pub(super) fn function_template(
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
            // Declared before, or again: a definition counts, and sees the declarations in front of
            // it.
            if defines {
                self.templates[index].tree = tree.clone();
                if owner.is_none() {
                    self.templates[index].context = self.scopes.context_here();
                }
            }
            return;
        }
        let index = self.add_template(name, tree, owner, span);
        Rc::make_mut(&mut list).templates.push(index);
        self.set_functions(key, list, span);
    }

    pub(super) fn class_template(
        &mut self,
        found: &ast::StructSpecifier,
        tree: &Arc<ast::Template>,
    ) {
        let Some(name) = &found.tag else {
            return;
        };
        let known = match self.scopes.find_type(name) {
            Some(TypeMeaning::Template(index)) => Some(index),
            // The template that it is a form of is unknown too.
            Some(TypeMeaning::Tag(Tag::Poisoned)) if found.arguments.is_some() => return,
            _ => None,
        };
        if let Some(given) = &found.arguments {
            let Some(index) = known else {
                return self.report_no_template(name, found.span);
            };
            if self.check_kinds(index, given, found.span).is_none() {
                // The template's meaning for these arguments is unknown.
                return self.scopes.set(name.clone(), Symbol::Poisoned, None);
            }
            let context = self.scopes.context_here();
            self.templates[index].partial.push((tree.clone(), context));
            return;
        }
        let own = self.scopes.find_own(name).map(|entry| &entry.meaning);
        if matches!(own, Some(Symbol::Poisoned)) {
            return;
        }
        let Some(index) = known else {
            let index = self.add_template(name, tree, None, found.span);
            self.scopes.set(name.clone(), Symbol::TypeTemplate(index), Some(found.span));
            return;
        };
        let context = self.scopes.context_here();
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
                old.tree = with_defaults(tree, &old.tree);
                old.span = found.span;
                old.context = context;
            }
            _ => {}
        }
    }
}

/// A template with the default arguments of its parameters that an earlier declaration gives (C++17,
/// [temp.param]).
fn with_defaults(tree: &Arc<ast::Template>, earlier: &ast::Template) -> Arc<ast::Template> {
    use ast::TemplateParameterKind::{Type, Value};
    let merged = |(own, earlier): (&ast::TemplateParameter, &ast::TemplateParameter)| {
        let mut own = own.clone();
        match (&mut own.kind, &earlier.kind) {
            (Type(missing @ None), Type(default)) => *missing = default.clone(),
            (Value(own), Value(earlier)) if own.default.is_none() => {
                own.default = earlier.default.clone();
            }
            _ => {}
        }
        own
    };
    if tree.parameters.len() != earlier.parameters.len() {
        return tree.clone();
    }
    let parameters = tree.parameters.iter().zip(&earlier.parameters).map(merged).collect();
    Arc::new(ast::Template { parameters, item: tree.item.clone(), span: tree.span })
}
