//! The instances of templates for lists of arguments: functions and types, each once.

use super::kind::{Kind, kind};
use crate::check::declare::declarator::function_parts;
use crate::check::declare::function::Head;
use crate::check::state::Checker;
use crate::check::state::functions::{FunctionInfo, Pending};
use crate::check::state::scopes::Context;
use crate::check::state::templates::{Argument, Made};
use crate::check::tree::StructId;
use crate::check::types::{CType, QType};
use crate::check::value::Operand;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::TemplateArgument;
use std::sync::Arc;

/// The deepest chain of instances that lead to further instances.
pub(super) const DEPTH: u32 = 100;

/// The most instances of all templates of a program.
pub(super) const INSTANCES: usize = 10_000;

impl Checker {
    pub(super) fn instance(&self, index: usize, list: &[Argument]) -> Option<Made> {
        self.templates[index].instance(list).cloned()
    }

    pub(super) fn check_depth(&mut self, name: &str, span: Span) -> Option<()> {
        let many = self.templates.made();
        if self.scopes.depth() >= DEPTH || many >= INSTANCES {
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
    pub(crate) fn instantiate_function(
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
            if self.allowed.is_unevaluated() {
                return self.declared_instance(index, &tree, &list);
            }
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

    /// The function that a template without a body makes of arguments, for its type alone.
    fn declared_instance(
        &mut self,
        index: usize,
        tree: &ast::Template,
        list: &[Argument],
    ) -> Option<usize> {
        let ast::Item::Declaration(declaration) = &tree.item else {
            return None;
        };
        let declarator = &declaration.declarators.first()?.declarator;
        let context = self.templates[index].context.clone().with(self.bound(tree, list));
        let (specifiers, constant) = (&declaration.specifiers, declaration.constant);
        let (info, _) =
            self.instance_info(index, list, specifiers, declarator, constant, &context)?;
        Some(self.functions.add(info))
    }

    /// Returns the declaration of a template's instance for its arguments, and true if its result is `auto`.
    fn instance_info(
        &mut self,
        index: usize,
        list: &[Argument],
        specifiers: &ast::Specifiers,
        declarator: &ast::Declarator,
        constant: bool,
        context: &Context,
    ) -> Option<(FunctionInfo, bool)> {
        let owner = self.templates[index].owner;
        let template = &self.templates[index].name;
        let makes = owner.is_some_and(|owner| self.structure(owner).tag.as_ref() == Some(template));
        let short = match makes {
            // A constructor is known by its name.
            true => template.to_string(),
            false => format!("{template}<{}>", self.spell_arguments(list)),
        };
        let aside = self.scopes.enter(context);
        let info = function_parts(declarator).and_then(|parts| {
            let specifiers = self.head_specifiers(specifiers, declarator, !makes);
            let head = Head { defines: true, constant, owner };
            let name = short.as_str().into();
            let info = self.function_info(&specifiers, declarator, &parts, head, owner, &name)?;
            Some((info, specifiers.is_auto))
        });
        self.scopes.leave(aside);
        info
    }

    pub(super) fn make_function(
        &mut self,
        index: usize,
        list: Vec<Argument>,
        definition: Arc<ast::FunctionDefinition>,
        context: Context,
    ) -> Option<usize> {
        let context = context.deeper(self.scopes.depth());
        let ast::FunctionDefinition { specifiers, declarator, constant, .. } = &*definition;
        let (mut info, is_auto) =
            self.instance_info(index, &list, specifiers, declarator, *constant, &context)?;
        info.defined = true;
        info.whole = Some(definition.span);
        info.pending = Some(Pending { definition, context });
        let pending = info.pending.clone().filter(|_| is_auto);
        let made = self.functions.add(info);
        self.templates.note_instance(index, list, Made::Function(made));
        if let Some(pending) = pending {
            self.deduce_result(made, pending);
        }
        Some(made)
    }

    /// The function of a template that a call with these arguments means.
    pub(crate) fn instance_for(
        &mut self,
        index: usize,
        explicit: Option<&[TemplateArgument]>,
        operands: &[Operand],
        place: Span,
    ) -> Option<usize> {
        let list = self.deduce(index, explicit, operands, None, place)?;
        self.instantiate_function(index, list, place)
    }

    /// The type that a class template makes of arguments, or that a type template denotes.
    pub(crate) fn instantiate_type(
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
        let (tree, list_of_tree, context) = self.form_for(index, &list, span)?;
        // Choosing the form may have made it.
        if let Some(Made::Type(made)) = self.instance(index, &list) {
            return Some(made);
        }
        let scope = self.bound(&tree, &list_of_tree);
        let context = context.with(scope).deeper(self.scopes.depth());
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
                self.templates.note_instance(index, list, Made::Type(ty.clone()?));
                ty
            }
        }
    }

    pub(super) fn alias(&mut self, declaration: &ast::Declaration) -> Option<QType> {
        let base = self.specifiers(&declaration.specifiers).base?;
        let steps: Vec<&ast::Derived> =
            declaration.declarators.first()?.declarator.derived.iter().collect();
        self.derive(base, &steps)
    }

    pub(super) fn make_struct_of(
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
        self.templates.note_instance(index, list.clone(), made);
        let info = self.structure_mut(id);
        info.span = Some(found.span);
        info.tag = Some(tag);
        info.made_of = Some((index, list));
        if is_defined {
            let layout = self.placing(&found.layout);
            let owner = std::mem::take(&mut self.body);
            self.define_struct(id, &members, layout, context);
            self.body = owner;
        }
        self.scopes.leave(aside);
        id
    }
}
