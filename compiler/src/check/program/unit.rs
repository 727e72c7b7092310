//! The items of a program in order, and the checked tree made of them.

use crate::check::builtin::TABLE;
use crate::check::overload::associated::joined;
use crate::check::program::link;
use crate::check::state::Checker;
use crate::check::state::functions::Pending;
use crate::check::state::options::{Needed, Pass};
use crate::check::state::program::ProgramFacts;
use crate::check::state::reports::Owner;
use crate::check::state::scopes::{Symbol, Tag, TypeMeaning};
use crate::check::tree::{Module, StructId};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::is_plain_without_std;
use crate::syntax::names::{INLINE, OPENED};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::collections::BTreeMap;

impl Checker {
    /// Checks a parsed program.
    pub(crate) fn unit(&mut self, unit: ast::TranslationUnit) {
        self.define_dim3();
        self.program = ProgramFacts::new(unit.supplied, unit.single);
        for name in &unit.poisoned {
            self.stands_for_nothing(name);
        }
        self.items(&unit.items);
        // From here on the bodies that wait are owned here alone, and are freed while they are
        // checked.
        drop(unit.items);
        self.bodies();
        if !matches!(self.pass, Pass::Device(_)) {
            self.end_of_program();
            let known = self.variables.exits().len();
            self.bodies();
            self.refuse_late_objects(known);
        }
        self.reports.belong_to(None);
        self.read_templates();
        self.warn_unused_functions();
        self.refuse_recursion();
        self.require_definitions();
    }

    /// Checks the bodies that wait, and those that they lead to.
    fn bodies(&mut self) {
        while let Some((pending, function)) = self.functions.next_body() {
            self.function_body(pending, function);
        }
    }

    /// Gives a name that something unreadable declares no meaning, as a type or otherwise.
    fn stands_for_nothing(&mut self, name: &Name) {
        self.scopes.set(name.clone(), Symbol::Poisoned, None);
        self.scopes.set_tag(name.clone(), Tag::Poisoned, None);
    }

    fn items(&mut self, items: &[ast::Item]) {
        for item in items {
            self.item(item);
        }
    }

    fn item(&mut self, item: &ast::Item) {
        let order = self.scopes.begin_item();
        self.reports.belong_to(Some(Owner::Item(order)));
        let errors = self.reports.errors();
        match item {
            ast::Item::Declaration(declaration) => {
                self.program.add_item(declaration.span, order);
                self.item_declaration(declaration);
            }
            ast::Item::Function(definition) => {
                let function = self.function_definition(definition, None);
                let mut context = self.scopes.context(Vec::new());
                let method = function.and_then(|index| self.functions[index].method);
                if let Some(method) = method {
                    context = context.inside(self.structure(method.owner).path.clone());
                }
                let pending = Pending { definition: definition.clone(), context };
                self.functions.defer(pending, function);
            }
            ast::Item::Namespace(name, items) => match name {
                Some(name) => {
                    self.scopes.open_namespace(name);
                    self.items(items);
                    self.scopes.close_namespace(name);
                }
                None => self.items(items),
            },
            ast::Item::Template(template) => self.template(template, None),
            ast::Item::Instance(declaration) => self.instance_declaration(declaration),
            ast::Item::Using(name, span) => self.using(name, *span),
            ast::Item::Assertion(assertion) => self.assertion_holds(assertion),
            ast::Item::Friend(item) => self.item(item),
            ast::Item::Unreadable(name, _) => self.stands_for_nothing(name),
            ast::Item::Faulty => {}
        }
        if self.reports.errors() > errors {
            self.poison_item(item);
        }
    }

    /// Removes the meaning of a faulty item's names: a use means no other function of the name, and
    /// no template that the item is a form of.
    fn poison_item(&mut self, item: &ast::Item) {
        if self.options.needed == Needed::Everything {
            return;
        }
        let name = match item {
            ast::Item::Function(definition) => &definition.declarator.name,
            ast::Item::Template(template) => declared_by(&template.item),
            ast::Item::Instance(declaration) => {
                let first = declaration.declarators.first();
                first.map_or(&None, |first| &first.declarator.name)
            }
            ast::Item::Friend(item) => return self.poison_item(item),
            _ => &None,
        };
        let Some(name) = name else { return };
        let owner = self.owner_of(name).map(|(owner, last)| self.member_path(owner, &last));
        match owner {
            Some(path) => self.scopes.set_whole(path, Symbol::Poisoned, None),
            None if self.poison_template_of(name) => {}
            None => self.scopes.poison_nearest(name),
        }
    }

    /// If `name` is that of a class template's member, as of a specialisation, removes the meaning
    /// of the template and of the functions of its instances. Returns true if it is.
    fn poison_template_of(&mut self, name: &Name) -> bool {
        let Some((owner, _)) = name.rsplit_once("::") else {
            return false;
        };
        let Some(TypeMeaning::Template(template)) = self.scopes.find_type(owner) else {
            return false;
        };
        let is_made = |&id: &StructId| {
            self.structure(id).made_of.as_ref().is_some_and(|(of, _)| *of == template)
        };
        for id in self.structs.ids().filter(is_made).collect::<Vec<_>>() {
            let path = self.structure(id).path.clone();
            self.scopes.poison_functions_in(&path);
        }
        self.scopes.poison_nearest(&owner.into());
        true
    }

    /// Removes the meaning of all functions of a faulty member's name.
    pub(crate) fn poison_member(&mut self, id: StructId, member: &ast::Item) {
        match member {
            ast::Item::Friend(item) => self.poison_item(item),
            _ if self.options.needed == Needed::Everything => {}
            _ => {
                if let Some(name) = declared_by(member) {
                    let path = self.member_path(id, name);
                    self.scopes.set_whole(path, Symbol::Poisoned, None);
                }
            }
        }
    }

    /// The whole name of a member of a structure.
    fn member_path(&self, owner: StructId, name: &Name) -> Name {
        let key = self.member_key(owner, name);
        format!("{}::{key}", self.structure(owner).path).into()
    }

    /// `using a::b;`, `using namespace a;` and the records of `inline namespace a`, as `names`
    /// writes them.
    pub(crate) fn using(&mut self, name: &Name, span: Span) {
        if let Some(space) = name.strip_suffix(OPENED) {
            return self.scopes.use_namespace(space);
        }
        if let Some(space) = name.strip_suffix(INLINE) {
            return self.scopes.inline_namespace(&space.into());
        }
        let Some(last) = name.rsplit("::").next().map(Name::from) else {
            return;
        };
        // Names that are visible everywhere have lost their `std::`.
        let is_built_in = is_plain_without_std(name)
            || &**name == "__move"
            || TABLE.iter().any(|row| row.names.contains(&&**name));
        if is_built_in && self.symbol_of(name).is_none() {
            return;
        }
        if let Some(mut meaning) = self.symbol_of(name) {
            let own = self.scopes.find_own(&last).map(|entry| &entry.meaning);
            if let (Some(Symbol::Functions(own)), Symbol::Functions(list)) = (own, &mut meaning) {
                *list = joined(own, list);
            }
            self.scopes.set(last, meaning, Some(span));
        } else if let Some(tag) = self.scopes.find_tag(name) {
            self.scopes.set_tag(last, tag, Some(span));
        } else {
            self.report_unknown(name, span, "");
        }
    }

    /// `static_assert`.
    pub(crate) fn assertion_holds(&mut self, assertion: &ast::Assertion) {
        let Some(known) = self.constant_integer(&assertion.condition, "what is asserted") else {
            return;
        };
        if known == 0 {
            let text = assertion.text.as_deref().map(String::from_utf8_lossy);
            let message = match text {
                Some(text) => format!("the static assertion fails: {text}"),
                None => "the static assertion fails".to_owned(),
            };
            self.report(Diagnostic::error(code::ASSERTION_FAILS, assertion.span, message));
        }
    }

    /// The module with the data for linking it to the other pass.
    pub(crate) fn into_pass(self) -> link::Pass {
        let structs = self.structs.iter().map(|info| info.span).collect();
        let sized = self.structs.sized().clone();
        link::Pass { structs, sized, module: self.module() }
    }

    /// The checked tree.
    pub(crate) fn module(mut self) -> Module {
        let main = self.functions.iter().find(|info| info.is_main()).and_then(|info| info.id);
        let end = self.functions.end().and_then(|index| self.functions[index].id);
        self.name_kernels();
        let structs = self.structs.ids().map(|id| self.lower_struct(id)).collect();
        let concerned: Vec<bool> =
            (0..self.functions.len()).map(|index| self.concerns(index)).collect();
        let functions = self.functions.finish(&concerned);
        let (globals, shared) = self.variables.finish();
        let strings = self.literals.finish();
        let target = self.options.target;
        Module { structs, functions, globals, shared, strings, main, end, target }
    }

    /// Parameters distinguish kernels of one name.
    fn name_kernels(&mut self) {
        let mut counts: BTreeMap<Name, usize> = BTreeMap::new();
        for info in self.functions.iter().filter(|info| info.sides.kernel && info.id.is_some()) {
            *counts.entry(info.name.clone()).or_default() += 1;
        }
        for index in 0..self.functions.len() {
            let info = &self.functions[index];
            if info.sides.kernel && counts.get(&info.name).is_some_and(|count| *count > 1) {
                let name = self.signature(info);
                if let Some(checked) = &mut self.functions[index].checked {
                    checked.name = name;
                }
            }
        }
    }
}

/// The name that the item of a template declares.
fn declared_by(item: &ast::Item) -> &Option<Name> {
    match item {
        ast::Item::Function(definition) => &definition.declarator.name,
        ast::Item::Template(inner) => declared_by(&inner.item),
        ast::Item::Declaration(declaration) => match declaration.declarators.first() {
            Some(first) => &first.declarator.name,
            None => {
                let tag = declaration.specifiers.items.iter().find_map(|one| match &one.kind {
                    ast::SpecifierKind::Struct(found) => Some(&found.tag),
                    _ => None,
                });
                tag.unwrap_or(&None)
            }
        },
        _ => &None,
    }
}
