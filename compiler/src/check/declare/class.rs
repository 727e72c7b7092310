//! Structures with functions: their members, and how their objects start.

use crate::check::declare::declarator::function_parts;
use crate::check::declare::function::Head;
use crate::check::declare::init::Source;
use crate::check::expr::bits::sequence;
use crate::check::expr::convert::Purpose;
use crate::check::expr::object::{cleared, void};
use crate::check::overload::associated::restricted;
use crate::check::overload::program::{Call, Passing, Viable};
use crate::check::state::Checker;
use crate::check::state::functions::Pending;
use crate::check::state::scopes::Symbol;
use crate::check::state::structs::{FieldInfo, Placing};
use crate::check::tree::{Expr, ExprKind, StructId};
use crate::check::types::{CType, QType};
use crate::check::value::{Lvalue, Operand, Value};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Enclosure, Name, Word};
use std::sync::Arc;

/// The name of a structure's constructors among its members, which nothing else has.
pub(crate) const CONSTRUCTOR: &str = "(constructor)";
/// The most elements of an array that a constructor initialises.
pub(crate) const ELEMENTS: u64 = 4096;

/// The definition of a function without parameters that returns nothing and has an empty body.
pub(crate) fn nothing_done(name: Name, words: Vec<Word>, span: Span) -> ast::FunctionDefinition {
    let word = |word: Word| ast::Specifier { kind: ast::SpecifierKind::Word(word), span };
    let items = std::iter::once(Word::Void).chain(words).map(word).collect();
    let function = ast::DerivedKind::Function { parameters: Vec::new(), variadic: false };
    ast::FunctionDefinition {
        specifiers: ast::Specifiers { items, span },
        declarator: ast::Declarator {
            name: Some(name),
            name_span: span,
            arguments: None,
            derived: vec![ast::Derived { kind: function, span }],
            span,
        },
        initializers: Vec::new(),
        constant: false,
        body: ast::FunctionBody::empty(span),
        span,
    }
}

/// Returns true if a member declares a function and holds no value.
pub(crate) fn declares_functions(member: &ast::Declaration) -> bool {
    let is_typedef = member
        .specifiers
        .items
        .iter()
        .any(|specifier| matches!(specifier.kind, ast::SpecifierKind::Word(Word::Typedef)));
    let first = member.declarators.first();
    !is_typedef && first.is_some_and(|first| function_parts(&first.declarator).is_some())
}

/// Returns true if a member is an operator, or a function that makes, copies or destroys objects:
/// those are called without being named.
fn is_special(member: &ast::Item) -> bool {
    let (specifiers, declarator) = match member {
        ast::Item::Function(definition) => (&definition.specifiers, &definition.declarator),
        ast::Item::Declaration(declaration) => match declaration.declarators.first() {
            Some(first) => (&declaration.specifiers, &first.declarator),
            None => return false,
        },
        ast::Item::Template(template) => return is_special(&template.item),
        _ => return false,
    };
    let name = declarator.name.as_deref().unwrap_or_default();
    let is_typed = specifiers
        .items
        .iter()
        .any(|one| !matches!(&one.kind, ast::SpecifierKind::Word(word) if *word > Word::Auto));
    !is_typed || name.starts_with('~') || name.starts_with("operator")
}

/// A member that a list of values or an initialiser starts.
enum Start<'a> {
    /// Zeroes, or the value of its own type's initialiser.
    Default,
    Values(&'a ast::MemberInitializer),
    Initializer(Arc<ast::Initializer>),
}

impl Checker {
    /// Fills in the members of a structure: first those that hold values, so that its size is known
    /// in the others.
    pub(crate) fn define_struct(
        &mut self,
        id: StructId,
        members: &[ast::Item],
        layout: Option<Placing>,
        context: crate::check::state::scopes::Context,
    ) {
        let path = self.structure(id).path.clone();
        let mark = self.reports.mark();
        self.structure_mut(id).context = context.clone().inside(path.clone());
        let closing = self.scopes.open_members(path);
        if self.structure(id).made_of.is_some()
            && let Some(tag) = self.structure(id).tag.clone()
        {
            // Inside a class template its name alone is the type being made.
            self.scopes.set(tag, Symbol::Type(CType::Struct(id).plain()), None);
        }
        self.define_fields(id, members, layout.unwrap_or_default());
        if layout.is_none() {
            self.structure_mut(id).broken = true;
        }
        for member in members {
            let errors = self.reports.errors();
            self.member_function(id, member);
            if self.reports.errors() > errors {
                self.structure_mut(id).faulty = true;
                if is_special(member) {
                    self.structure_mut(id).broken = true;
                }
                self.poison_member(id, member);
            }
        }
        self.implicit_destructor(id);
        self.scopes.close_members(closing);
        // An item that was read and belongs to no template has its faults now.
        self.structure_mut(id).unsure =
            self.structure(id).made_of.is_none() || self.reports.is_unsure_since(&mark);
    }

    /// Members that have destructors give one to their structure.
    fn implicit_destructor(&mut self, id: StructId) {
        let info = self.structure(id);
        let members = info.fields.iter().any(|field| self.needs_destruction(&field.ty.ty));
        let (Some(span), false) = (info.span, info.destroyed || !members) else {
            return;
        };
        // An unnamed one has a name that no program can write.
        let tag = info.tag.clone().unwrap_or_else(|| info.name.as_str().into());
        self.structure_mut(id).tag = Some(tag.clone());
        let sides = self.sides_of_destruction(id);
        let words = [(sides.device, Word::Device), (sides.host, Word::Host)];
        let words = words.into_iter().filter_map(|(runs, word)| runs.then_some(word)).collect();
        let definition = Arc::new(nothing_done(format!("~{tag}").into(), words, span));
        self.member_function(id, &ast::Item::Function(definition));
    }

    fn member_function(&mut self, id: StructId, member: &ast::Item) {
        match member {
            ast::Item::Declaration(declaration) if declares_functions(declaration) => {
                for declared in &declaration.declarators {
                    let declarator = &declared.declarator;
                    let Some(parts) = function_parts(declarator) else {
                        continue;
                    };
                    let constant = declaration.constant;
                    let head = Head { defines: false, constant, owner: Some(id) };
                    let specifiers =
                        self.function_specifiers(&declaration.specifiers, declarator, Some(id));
                    let index = self.declare_function(&specifiers, declarator, &parts, head);
                    self.note_constructor(id, index);
                }
            }
            ast::Item::Declaration(_) => {}
            ast::Item::Function(definition) => {
                let index = self.function_definition(definition, Some(id));
                self.note_constructor(id, index);
                let context = self.structure(id).context.clone();
                let pending = Pending { definition: definition.clone(), context };
                self.defer_body(pending, index, self.structure(id).made_of.is_some());
            }
            ast::Item::Template(template) => {
                self.template(template, Some(id));
            }
            ast::Item::Friend(item) => self.friend(id, item),
            ast::Item::Assertion(assertion) => self.assertion_holds(assertion),
            ast::Item::Using(..) => {}
            ast::Item::Instance(declaration) => {
                let message = "a template is made to exist outside structures";
                let span = declaration.span;
                self.report(Diagnostic::error(code::BAD_DECLARATION, span, message));
            }
            ast::Item::Namespace(..) | ast::Item::Unreadable(..) | ast::Item::Faulty => {}
        }
    }

    /// Functions that a structure declares its friends belong to the namespace around; names in
    /// them are looked up in the structure (C++17, [class.friend]).
    fn friend(&mut self, id: StructId, item: &ast::Item) {
        let context = self.structure(id).context.clone();
        let aside = self.scopes.enter(&context);
        let outer = self.functions.befriending.replace(id);
        match item {
            ast::Item::Function(definition) => {
                let index = self.function_definition(definition, None);
                let pending = Pending { definition: definition.clone(), context };
                self.defer_body(pending, index, self.structure(id).made_of.is_some());
            }
            ast::Item::Declaration(declaration) => self.file_declaration(declaration),
            _ => {}
        }
        self.functions.befriending = outer;
        self.scopes.leave(aside);
    }

    /// Bodies of templates' instances wait until the function is called.
    pub(crate) fn defer_body(&mut self, pending: Pending, index: Option<usize>, waits: bool) {
        match waits {
            true => self.functions.defer_until_called(pending, index),
            false => self.functions.defer(pending, index),
        }
    }

    fn note_constructor(&mut self, id: StructId, index: Option<usize>) {
        let made = index.and_then(|index| self.functions.get(index)).and_then(|info| info.method);
        if made.is_some_and(|method| {
            method.kind == crate::check::state::functions::MethodKind::Destructor
        }) {
            self.structure_mut(id).destroyed = true;
        }
        if made.is_some_and(|method| {
            method.kind == crate::check::state::functions::MethodKind::Constructor
        }) {
            let info = self.structure_mut(id);
            info.constructed = true;
            info.starts = true;
        }
    }

    /// Returns true if objects of a type start with more than zeroes.
    pub(crate) fn starts(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.starts(&element.ty),
            CType::Struct(id) => {
                let info = self.structure(*id);
                info.starts || info.fields.iter().any(|field| field.default.is_some())
            }
            _ => false,
        }
    }

    /// The stores that start an object for which no values are given; it holds zeroes before.
    pub(crate) fn default_stores(
        &mut self,
        ty: &CType,
        offset: u64,
        span: Span,
        out: &mut Vec<(u64, Expr)>,
    ) -> Option<()> {
        match ty {
            CType::Array(element, Some(length)) if self.starts(&element.ty) => {
                self.check_constructed_elements(*length, span)?;
                let size = self.size_of(&element.ty)?;
                for index in 0..*length {
                    self.default_stores(&element.ty, offset + index * size, span, out)?;
                }
                Some(())
            }
            CType::Struct(id) if self.structure(*id).constructed => {
                let made = self.construct_struct(*id, Vec::new(), Enclosure::Parentheses, span)?;
                out.push((offset, made.expr));
                Some(())
            }
            CType::Struct(StructId(0)) => {
                let ones = self.make_struct(StructId(0), Vec::new(), span)?;
                out.push((offset, ones.expr));
                Some(())
            }
            CType::Struct(id) => self.default_members(*id, |_| true, offset, span, out),
            _ => Some(()),
        }
    }

    /// Refuses an array with more elements than constructors are called for one by one.
    pub(super) fn check_constructed_elements(&mut self, length: u64, span: Span) -> Option<()> {
        if length <= ELEMENTS {
            return Some(());
        }
        let message =
            format!("unsupported: an array of {length} elements that a constructor makes");
        self.fail(Diagnostic::error(code::UNSUPPORTED_CPP, span, message))
    }

    /// The stores that start those members of an object for which no values are given.
    pub(super) fn default_members(
        &mut self,
        id: StructId,
        left_out: impl Fn(usize) -> bool,
        offset: u64,
        span: Span,
        out: &mut Vec<(u64, Expr)>,
    ) -> Option<()> {
        let is_dim3 = id == StructId(0);
        if !is_dim3 && !self.starts(&CType::Struct(id)) {
            return Some(());
        }
        for (index, field) in self.structure(id).fields.clone().into_iter().enumerate() {
            if self.structure(id).is_union && index > 0 {
                break;
            }
            if !left_out(index) {
                continue;
            }
            if is_dim3 {
                out.push((offset + field.offset, Value::int(1, CType::UINT, span).expr));
                continue;
            }
            let start = match &field.default {
                Some(default) => Start::Initializer(default.clone()),
                None => Start::Default,
            };
            let field = FieldInfo { offset: offset + field.offset, ..field };
            self.start_member(id, field, start, None, span, out)?;
        }
        Some(())
    }

    /// The expressions that make the members of an object in a constructor, or all of it by another
    /// constructor.
    pub(crate) fn member_initialisers(
        &mut self,
        id: StructId,
        given: &[ast::MemberInitializer],
        object: &Lvalue,
        span: Span,
    ) -> Vec<Expr> {
        if let [only] = given
            && self.structure(id).tag.as_ref() == Some(&only.name)
        {
            return self.delegated(id, only, object).into_iter().collect();
        }
        let mut out = Vec::new();
        for one in given {
            if self.find_member(id, &one.name).is_none() {
                self.report_no_member(id, &one.name, one.span);
            }
        }
        for field in self.structure(id).fields.clone() {
            let listed = given.iter().find(|one| *one.name == *field.name);
            let start = match (listed, &field.default) {
                (Some(listed), _) => Start::Values(listed),
                (None, Some(default)) => Start::Initializer(default.clone()),
                (None, None) => Start::Default,
            };
            let mark = self.open_temporaries();
            let mut stores = Vec::new();
            // A fault is reported; the other members are still checked.
            self.start_member(id, field, start, Some(object), span, &mut stores);
            let mut made = self.stores_into(&object.place, stores);
            if let Some(last) = made.pop() {
                // The initialiser is an expression of its own.
                made.push(self.full_expression(mark, void(last)));
            }
            out.append(&mut made);
        }
        out
    }

    /// `: same(values)`: another constructor makes the object.
    fn delegated(
        &mut self,
        id: StructId,
        given: &ast::MemberInitializer,
        object: &Lvalue,
    ) -> Option<Expr> {
        let mark = self.open_temporaries();
        let operands = self.operands(&given.values)?;
        let made = self.construct_struct(id, operands, given.enclosure, given.span)?;
        let made = self.make_at(&object.place, made.expr);
        Some(self.full_expression(mark, void(made)))
    }

    /// The initial value of a member; `object` is the one that a constructor makes.
    fn start_member(
        &mut self,
        owner: StructId,
        field: FieldInfo,
        start: Start<'_>,
        object: Option<&Lvalue>,
        span: Span,
        out: &mut Vec<(u64, Expr)>,
    ) -> Option<()> {
        let (name, ty, offset) = (&*field.name, &field.ty.ty, field.offset);
        let qualified = ty.clone().plain();
        let init = match start {
            Start::Default => return self.default_stores(ty, offset, span, out),
            Start::Values(given) if given.values.is_empty() => {
                return self.default_stores(ty, offset, span, out);
            }
            Start::Values(given) if self.is_listed(ty, given) => {
                let element = |value: &ast::Expr| ast::InitializerElement {
                    designators: Vec::new(),
                    value: ast::Initializer::Expr(value.clone()),
                };
                let elements = given.values.iter().map(element).collect();
                let list = ast::Initializer::List { elements, span: given.span, depth: 1 };
                self.initialiser(&qualified, &Source::Initializer(&list), name, given.span)?.1
            }
            Start::Values(given) => {
                let source = Source::Values(&given.values, given.span);
                self.initialiser(&qualified, &source, name, given.span)?.1
            }
            Start::Initializer(init) => {
                let context = self.structure(owner).context.clone();
                let aside = self.scopes.enter(&context);
                let outer = self.allowed.set_initialised(object.is_none().then_some(owner));
                let found =
                    self.initialiser(&qualified, &Source::Initializer(&init), name, init.span());
                self.allowed.set_initialised(outer);
                self.scopes.leave(aside);
                found?.1
            }
        };
        let null = Value::int(0, CType::INT, span);
        let stand_in = || Lvalue::deref(null.expr, CType::Struct(owner).plain(), span);
        let base = object.cloned().unwrap_or_else(stand_in);
        let place = self.field(base, field.clone(), span);
        if place.is_part() && ty.is_scalar() {
            for (_, value) in init.stores {
                let value = Value { expr: value, ty: ty.clone(), bits: None };
                self.initial_part(&place, offset, value, object.is_some(), out)?;
            }
            return Some(());
        }
        out.extend(init.stores.into_iter().map(|(at, value)| (offset + at, value)));
        Some(())
    }

    /// Returns true if the values of an initialiser are a list of those of a member's parts.
    fn is_listed(&mut self, ty: &CType, given: &ast::MemberInitializer) -> bool {
        given.enclosure == Enclosure::Braces && !self.is_one_of(ty, &given.values)
    }

    /// Returns true if this is one value, of a type.
    fn is_one_of(&mut self, ty: &CType, values: &[ast::Expr]) -> bool {
        let [only] = values else {
            return false;
        };
        let given = self.silently(|this| this.type_of(only));
        given.is_some_and(|given| given.ty() == ty)
    }

    /// An object made by a constructor.
    pub(crate) fn construct_struct(
        &mut self,
        id: StructId,
        operands: Vec<Operand>,
        enclosure: Enclosure,
        span: Span,
    ) -> Option<Value> {
        let ty = CType::Struct(id);
        if let [only] = operands.as_slice()
            && *only.ty() == ty
            && (matches!(only, Operand::Value(_)) || !self.has_copy_constructor(id))
        {
            let only = only.clone();
            return self.copied_object(only, span);
        }
        let name: Name = self.structure(id).name.as_str().into();
        let Some(list) = self.member_functions(id, CONSTRUCTOR) else {
            self.note_poison(&name, span);
            return None;
        };
        let call = Call::new(&name, &list, operands, span, span).enclosed(enclosure);
        let made = self.call_overloaded(call)?;
        Some(self.load(made))
    }

    /// Returns true if a structure defines how its objects are copied.
    pub(crate) fn has_copy_constructor(&self, id: StructId) -> bool {
        let Some(list) = self.member_functions(id, CONSTRUCTOR) else {
            return false;
        };
        list.functions.iter().any(|&index| {
            let parameters = &self.functions[index].parameters;
            let first = parameters.first().and_then(Option::as_ref);
            first.is_some_and(|first| first.reference && first.ty.ty == CType::Struct(id))
                && parameters.iter().skip(1).all(crate::check::state::functions::has_default)
        })
    }

    /// Returns true if a structure defines the assignment to its objects.
    fn has_assignment(&self, id: StructId) -> bool {
        let Some(list) = self.member_functions(id, "operator=") else {
            return false;
        };
        list.functions.iter().any(|&index| {
            let first = self.functions[index].parameters.first().and_then(Option::as_ref);
            first.is_some_and(|first| first.ty.ty == CType::Struct(id))
        })
    }

    /// The value of an object of structure type, where C++ makes a copy of it.
    pub(crate) fn copied_object(&mut self, operand: Operand, span: Span) -> Option<Value> {
        if let (CType::Struct(id), Operand::Place(_)) = (operand.ty().clone(), &operand) {
            if self.has_copy_constructor(id) {
                return self.construct_struct(id, vec![operand], Enclosure::Parentheses, span);
            }
            if self.any_structure(operand.ty(), Checker::has_copy_constructor)
                && let Operand::Place(place) = operand
            {
                return self.copied_members(place, id, span);
            }
        }
        Some(self.load(operand))
    }

    /// Returns true if a property holds for a structure or for one that it contains.
    fn any_structure(&self, ty: &CType, holds: fn(&Checker, StructId) -> bool) -> bool {
        match ty {
            CType::Array(element, _) => self.any_structure(&element.ty, holds),
            CType::Struct(id) => {
                let fields = &self.structure(*id).fields;
                holds(self, *id)
                    || fields.iter().any(|field| self.any_structure(&field.ty.ty, holds))
            }
            _ => false,
        }
    }

    /// A copy of an object of a structure that leaves to its members how they are copied.
    fn copied_members(&mut self, mut from: Lvalue, id: StructId, span: Span) -> Option<Value> {
        self.refuse_union(id, "copied", span)?;
        let before = self.steady(&mut from.place)?;
        let copy = self.made(CType::Struct(id), span, |this, object| {
            let whole =
                Expr { kind: ExprKind::Load(from.place.clone()), ty: from.place.ty.clone(), span };
            let mut all = this.make_at(object, whole);
            let to = Lvalue::new(object.kind.clone(), CType::Struct(id).plain(), span);
            for field in this.structure(id).fields.clone() {
                if !this.any_structure(&field.ty.ty, Checker::has_copy_constructor) {
                    continue;
                }
                let (to, from) = (
                    this.field(to.clone(), field.clone(), span),
                    this.field(from.clone(), field, span),
                );
                for (to, from) in this.elements(to, from, span)? {
                    let value = this.copied_object(from.into(), span)?;
                    all = sequence(all, cleared(&to.place, span));
                    all = sequence(all, this.make_at(&to.place, value.expr));
                }
            }
            Some(void(all))
        })?;
        let expr = match before {
            Some(before) => self.made_after(before, copy.expr),
            None => copy.expr,
        };
        Some(Value { expr, ..copy })
    }

    /// Returns true if objects of a type are copied, assigned and destroyed as bytes.
    pub(crate) fn is_trivially_copyable(&self, ty: &CType) -> bool {
        !self.needs_destruction(ty)
            && !self.any_structure(ty, Checker::has_copy_constructor)
            && !self.any_structure(ty, Checker::has_assignment)
    }

    fn refuse_union(&mut self, id: StructId, what: &str, span: Span) -> Option<()> {
        if !self.structure(id).is_union {
            return Some(());
        }
        let name = self.structure(id).name.clone();
        let message = format!(
            "unsupported: the union `{name}`, whose members say how they are {what}, is {what}"
        );
        self.fail(Diagnostic::error(code::UNSUPPORTED_CLASS, span, message))
    }

    /// The elements of two arrays, in pairs; any other value is its own element.
    fn elements(&mut self, to: Lvalue, from: Lvalue, span: Span) -> Option<Vec<(Lvalue, Lvalue)>> {
        let CType::Array(element, Some(length)) = to.ty.ty.clone() else {
            return Some(vec![(to, from)]);
        };
        self.check_constructed_elements(length, span)?;
        let size = self.size_of(&element.ty)?;
        let mut all = Vec::new();
        for index in 0..length {
            let one = FieldInfo {
                name: String::new(),
                ty: QType::clone(&element),
                offset: index * size,
                bits: None,
                default: None,
            };
            let to = self.field(to.clone(), one.clone(), span);
            let from = self.field(from.clone(), one, span);
            all.extend(self.elements(to, from, span)?);
        }
        Some(all)
    }

    /// An assignment to an object whose structure or members define assignment; `None` if none
    /// does.
    pub(crate) fn assigned_object(
        &mut self,
        to: &Operand,
        from: &Operand,
        span: Span,
    ) -> Option<Option<Operand>> {
        let operands = [to.clone(), from.clone()];
        if let Some(made) = self.operator("=", &operands, span) {
            return Some(made);
        }
        let (Operand::Place(to), CType::Struct(id)) = (to, to.ty()) else {
            return None;
        };
        if from.ty() != &to.ty.ty || !self.any_structure(&to.ty.ty, Checker::has_assignment) {
            return None;
        }
        Some(self.assigned_members(to.clone(), from.clone(), *id, span))
    }

    /// Assigns the members of an object one after the other.
    fn assigned_members(
        &mut self,
        mut to: Lvalue,
        from: Operand,
        id: StructId,
        span: Span,
    ) -> Option<Operand> {
        self.refuse_union(id, "assigned", span)?;
        let mut all = Vec::new();
        let mut from = match from {
            Operand::Place(from) => from,
            Operand::Value(value) => {
                let (set, object) = self.materialise(value)?;
                all.push(set);
                Lvalue { expires: true, ..object }
            }
        };
        all.extend(self.steady(&mut from.place)?);
        all.extend(self.steady(&mut to.place)?);
        for field in self.structure(id).fields.clone() {
            let (to, from) = (
                self.field(to.clone(), field.clone(), span),
                self.field(from.clone(), field, span),
            );
            for (to, from) in self.elements(to, from, span)? {
                all.push(self.assigned_member(to, from, span)?);
            }
        }
        let ty = to.ty.clone();
        let address = self.address(to, span);
        let all = all.into_iter().rev().fold(address.expr, |rest, first| sequence(first, rest));
        Some(Lvalue::deref(all, ty, span).into())
    }

    fn assigned_member(&mut self, to: Lvalue, from: Lvalue, span: Span) -> Option<Expr> {
        let operands = (Operand::from(to.clone()), Operand::from(from.clone()));
        if let Some(made) = self.assigned_object(&operands.0, &operands.1, span) {
            let made = made?;
            return Some(self.load(made).expr);
        }
        let value = self.load(from.into());
        if to.is_part() {
            return Some(self.store_part(to, value, span)?.expr);
        }
        let ty = value.expr.ty.clone();
        let kind = ExprKind::Assign(Box::new(to.place), Box::new(value.expr));
        Some(Expr { kind, ty, span })
    }

    /// A value made of another by a constructor that takes just that.
    pub(crate) fn converted_by_constructor(
        &mut self,
        value: &Value,
        id: StructId,
        explicit: bool,
    ) -> Option<Value> {
        if !self.structure(id).constructed {
            return None;
        }
        let list = self.member_functions(id, CONSTRUCTOR)?;
        let list = restricted(list, |index| explicit || !self.functions[*index].is_explicit);
        let span = value.expr.span;
        let operands = vec![Operand::Value(value.clone())];
        let name: Name = self.structure(id).name.as_str().into();
        let call = Call::new(&name, &list, operands, span, span);
        let mut viable = self.viable(&call);
        if !explicit {
            // An implicit conversion has one step that the program defines (C++17, [over.best.ics]).
            viable.retain(Viable::is_standard);
        }
        if viable.is_empty() {
            return None;
        }
        let made = self.call_viable(call, &viable)?;
        Some(self.load(made))
    }

    /// A structure converted by a function of its own into a value of the type, or, for `None`,
    /// into a number or pointer. Explicit functions take part if `explicit` is true (C++17,
    /// [over.match.conv]).
    pub(crate) fn converted_by_function(
        &mut self,
        value: &Value,
        to: Option<&CType>,
        explicit: bool,
    ) -> Option<Value> {
        let CType::Struct(id) = value.ty else {
            return None;
        };
        let list = self.member_functions(id, crate::syntax::CONVERSION)?;
        let cost = |index: usize| {
            let info = &self.functions[index];
            let ty = info.value_type().filter(|_| explicit || !info.is_explicit)?;
            match to {
                None => ty.is_scalar().then_some(0),
                Some(to) if ty == to => Some(0),
                Some(to) => {
                    let from = Value { expr: value.expr.clone(), ty: ty.clone(), bits: None };
                    self.fit(&from, to).map(|fit| 1 + fit as u32)
                }
            }
        };
        let ranked: Vec<(u32, usize)> =
            list.functions.iter().filter_map(|&index| Some((cost(index)?, index))).collect();
        let least = ranked.iter().map(|(cost, _)| *cost).min()?;
        let mut best = ranked.iter().filter(|(cost, _)| *cost == least).map(|(_, index)| *index);
        let (index, span) = (best.next()?, value.expr.span);
        if let Some(other) = best.next() {
            return self.report_conversions(value, [index, other]);
        }
        let object = Operand::Value(value.clone());
        let made =
            self.call_resolved(index, Some(object), Vec::new(), Passing::Call, span, span)?;
        let made = self.load(made);
        match to {
            Some(to) => self.convert(made, to, &Purpose::Plain),
            None => Some(made),
        }
    }

    /// Reports that two functions of a structure convert it equally well.
    fn report_conversions<T>(&mut self, value: &Value, functions: [usize; 2]) -> Option<T> {
        let message = format!("`{}` converts in several ways here", self.spell(&value.ty));
        let found = Diagnostic::error(code::AMBIGUOUS, value.expr.span, message)
            .help("write the type that is meant: `(int)x`");
        let spans = functions.map(|index| self.functions[index].span);
        self.fail(spans.into_iter().fold(found, |found, span| found.secondary(span, "one of them")))
    }
}
