//! The functions of a program: their declarations, and the bodies that wait to be checked.

use crate::check::state::body::Deduced;
use crate::check::state::scopes::Context;
use crate::check::tree::{Expr, Function, FunctionId, Sides, StructId, Type};
use crate::check::types::{CType, QType};
use crate::syntax::CONVERSION;
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Name;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::{Index, IndexMut};
use std::rc::Rc;
use std::sync::Arc;

/// The name of a structure's constructors among its members, which nothing else has.
pub(crate) const CONSTRUCTOR: &str = "(constructor)";
/// The name of a structure's destructor among its members, which nothing else has.
pub(crate) const DESTRUCTOR: &str = "(destructor)";

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Option<Name>,
    /// True if it is a `const __restrict__` pointer.
    pub unwritten: bool,
    /// For a reference: the type that it refers to.
    pub ty: QType,
    pub reference: bool,
    /// The values that a reference may be bound to.
    pub binding: Binding,
    /// The value that is passed when a call has fewer arguments.
    pub default: DefaultArgument,
    pub span: Span,
}

/// The values that a reference may be bound to (C++17, [dcl.init.ref]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binding {
    /// `T &`: objects, and values if it is constant.
    Objects,
    /// `T &&`: values, and objects that are given up.
    Values,
}

/// A parameter's default argument.
#[derive(Clone, Debug)]
pub(crate) enum DefaultArgument {
    /// There is none: every call passes this one.
    Missing,
    /// It was reported.
    Faulty,
    /// A constant of the parameter's type.
    Value(Expr),
}

/// Returns true if a call may leave the argument out; a reported fault is not reported again.
pub(crate) fn has_default(parameter: &Option<Parameter>) -> bool {
    parameter.as_ref().is_some_and(|one| !matches!(one.default, DefaultArgument::Missing))
}

/// The kind of a function, for people.
pub(crate) fn describe(sides: Sides) -> &'static str {
    match (sides.kernel, sides.device, sides.host) {
        (true, _, _) => "the kernel",
        (_, true, true) => "the `__host__ __device__` function",
        (_, true, false) => "the `__device__` function",
        _ => "the host function",
    }
}

/// A function, defined or only declared.
#[derive(Debug)]
pub(crate) struct FunctionInfo {
    pub name: Name,
    pub sides: Sides,
    /// `None` for those whose declaration was reported.
    pub parameters: Vec<Option<Parameter>>,
    pub result: Option<CType>,
    /// For a result that is a reference: the type that it refers to. `result` is the pointer then.
    pub reference: Option<QType>,
    /// True if the result is `decltype(auto)`.
    pub keeps_reference: bool,
    /// True if the result is an rvalue reference.
    pub gives_up: bool,
    /// The function's role in its structure, if it belongs to one.
    pub method: Option<Method>,
    pub launch_bound: Option<u32>,
    /// True if constant expressions may call it.
    pub is_constexpr: bool,
    /// The structures whose friend it is.
    pub friend_of: BTreeSet<StructId>,
    /// True if only its structures declare it: then only the types of arguments find it.
    pub is_hidden: bool,
    /// True if it converts only in a cast or a test.
    pub is_explicit: bool,
    /// True if it is seen in its file only, and ought to be used there.
    pub internal: bool,
    pub span: Span,
    /// Its number, once it is defined or called.
    pub id: Option<FunctionId>,
    pub defined: bool,
    /// The body of a template's instance, until the function is called.
    pub pending: Option<Pending>,
    /// The definition's place: faults in it belong to the function.
    pub whole: Option<Span>,
    pub checked: Option<Function>,
    /// True if its checked body lacks a part with a fault.
    pub is_faulty: bool,
    /// The functions that it calls, and the places.
    pub calls: Vec<(usize, Span)>,
    /// The place of its first call.
    pub first_use: Option<Span>,
}

impl FunctionInfo {
    pub fn is_main(&self) -> bool {
        &*self.name == "main" && self.method.is_none()
    }

    /// Returns true if it converts objects of its structure into something else.
    pub fn is_conversion(&self) -> bool {
        self.method.is_some() && self.name.ends_with(CONVERSION)
    }

    /// The type of the value of a call.
    pub fn value_type(&self) -> Option<&CType> {
        self.reference.as_ref().map(|to| &to.ty).or(self.result.as_ref())
    }

    /// The checked function, which is taken out of here.
    fn finish(&mut self) -> Function {
        self.checked.take().unwrap_or_else(|| self.blank())
    }

    /// The parameters to memory that no thread writes.
    pub fn unwritten(&self) -> Vec<usize> {
        let parameters = self.parameters.iter().enumerate();
        let of_those = |one: &Option<Parameter>| one.as_ref().is_some_and(|one| one.unwritten);
        parameters.filter(|(_, one)| of_those(one)).map(|(index, _)| index).collect()
    }

    /// A function in place of one that is left out, or has no body.
    fn blank(&self) -> Function {
        Function {
            name: self.name.to_string(),
            sides: Sides { kernel: false, device: false, host: true },
            parameters: 0,
            result: Type::Void,
            locals: Vec::new(),
            body: Vec::new(),
            launch_bound: None,
            unwritten: Vec::new(),
            unrolled: BTreeMap::new(),
            span: self.span,
        }
    }

    /// A function that this pass over the program only declares.
    fn outline(&mut self) -> Function {
        let mut outline = self.finish();
        outline.sides = self.sides;
        outline.body.clear();
        outline
    }

    /// Returns true if calls have an object in front of the arguments.
    pub fn takes_object(&self) -> bool {
        let kind = self.method.map(|method| method.kind);
        matches!(kind, Some(MethodKind::Plain | MethodKind::Destructor))
    }
}

/// The role of a function in its structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Method {
    pub owner: StructId,
    pub kind: MethodKind,
    /// True if it leaves its object as it is.
    pub constant: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MethodKind {
    /// Called with an object.
    Plain,
    Static,
    Constructor,
    Destructor,
}

/// A body that is not checked yet, with where its names are looked up.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub definition: Arc<ast::FunctionDefinition>,
    pub context: Context,
}

/// All functions, by their indices.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    all: Vec<FunctionInfo>,
    /// The functions that have a number in the checked tree, by their numbers.
    numbered: Vec<usize>,
    /// The operators that the program defines for structures.
    operators: BTreeSet<Name>,
    /// The names of functions in namespaces and structures, without the part before `::`.
    inner: BTreeSet<Name>,
    /// The numbers of the items at file scope that declare functions with names first.
    orders: BTreeMap<usize, usize>,
    /// Bodies that are still to be checked.
    bodies: VecDeque<(Pending, Option<usize>)>,
    /// The checked bodies that constant expressions have called.
    evaluated: BTreeMap<usize, Rc<Function>>,
    /// The items that each of them names, by their order: kept where the compiler verifies itself.
    named: BTreeMap<usize, BTreeSet<usize>>,
    /// Those that initialisers of variables outside functions call.
    called_outside: BTreeSet<usize>,
    /// The one that ends the host's objects of static storage.
    end: Option<usize>,
    /// Deduced results of functions whose bodies are being checked only for them.
    pub deduced: BTreeMap<usize, Deduced>,
    /// The lambdas and structures that these bodies have defined, by function and place.
    pub types_of_deduced: BTreeMap<(usize, Span), Vec<StructId>>,
    /// The structure whose friends are being declared.
    pub befriending: Option<StructId>,
    /// The unneeded functions, once some of them have faults: they are left out.
    blank: BTreeSet<usize>,
}

impl Functions {
    /// The index of a new function.
    pub fn add(&mut self, info: FunctionInfo) -> usize {
        self.all.push(info);
        self.all.len() - 1
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &FunctionInfo> {
        self.all.iter()
    }

    pub fn get(&self, index: usize) -> Option<&FunctionInfo> {
        self.all.get(index)
    }

    pub fn get_mut(&mut self, index: usize) -> Option<&mut FunctionInfo> {
        self.all.get_mut(index)
    }

    /// The number of a function that the program needs.
    pub fn number(&mut self, index: usize) -> FunctionId {
        let next = FunctionId(self.numbered.len() as u32);
        let Some(info) = self.all.get_mut(index) else {
            return next;
        };
        let id = *info.id.get_or_insert(next);
        if id == next {
            self.numbered.push(index);
        }
        id
    }

    /// The functions of the checked tree, those left out without their bodies; `concerned` are the numbers
    /// of those that the pass is about.
    pub fn finish(mut self, concerned: &[bool]) -> Vec<Function> {
        let finish = |&index: &usize| {
            let info = &mut self.all[index];
            match self.blank.contains(&index) {
                _ if !concerned[index] => info.outline(),
                true => info.blank(),
                false => info.finish(),
            }
        };
        self.numbered.iter().map(finish).collect()
    }

    /// The functions that initialisers of variables outside functions call.
    pub fn called_outside(&self) -> impl Iterator<Item = usize> {
        self.called_outside.iter().copied()
    }

    /// Leaves functions out of the checked tree.
    pub fn leave_out(&mut self, functions: BTreeSet<usize>) {
        self.blank = functions;
    }

    /// Remembers the whole name of a function.
    pub fn note_name(&mut self, whole: &str) {
        let last = whole.rsplit("::").next().unwrap_or(whole);
        if last.starts_with("operator") {
            self.operators.insert(last.into());
        }
        if last.len() < whole.len() {
            self.inner.insert(last.into());
        }
    }

    /// Records the declarer of a function: a structure whose friend it is, or the scope around
    /// structures.
    pub fn note_declared(&mut self, index: usize, is_new: bool) {
        let friend_of = self.befriending;
        let info = &mut self.all[index];
        info.is_hidden = friend_of.is_some() && (is_new || info.is_hidden);
        info.friend_of.extend(friend_of);
        if info.is_hidden {
            let last = info.name.rsplit("::").next().unwrap_or(&info.name);
            self.inner.insert(last.into());
        }
    }

    /// Returns true if a function is found by an argument with one of these structures, although no
    /// name of it is visible.
    pub fn is_friend_of_any(&self, index: usize, structures: &BTreeSet<StructId>) -> bool {
        !self.all[index].friend_of.is_disjoint(structures)
    }

    /// Remembers which item at file scope declares a function first.
    pub fn note_order(&mut self, index: usize, item: usize) {
        self.orders.insert(index, item);
    }

    /// The number of the item at file scope that declares a function first; zero for a template's
    /// instance.
    pub fn order(&self, index: usize) -> usize {
        self.orders.get(&index).copied().unwrap_or_default()
    }

    /// Returns true if a namespace or a structure has a function of this name.
    pub fn has_inner(&self, name: &Name) -> bool {
        self.inner.contains(name)
    }

    /// Returns true if the program defines a function for an operator.
    pub fn has_operator(&self, name: &Name) -> bool {
        self.operators.contains(name)
    }

    /// Remembers the items that a function names, by their order.
    pub fn note_named(&mut self, index: usize, items: BTreeSet<usize>) {
        self.named.entry(index).or_default().extend(items);
    }

    /// Returns true if a function names an item.
    pub fn names(&self, index: usize, item: usize) -> bool {
        self.named.get(&index).is_some_and(|items| items.contains(&item))
    }

    /// The function that ends the host's objects of static storage.
    pub fn end(&self) -> Option<usize> {
        self.end
    }

    /// Remembers the function that ends the host's objects of static storage.
    pub fn set_end(&mut self, index: usize) {
        self.end = Some(index);
    }

    /// Keeps a body that is to be checked.
    pub fn defer(&mut self, pending: Pending, function: Option<usize>) {
        self.bodies.push_back((pending, function));
    }

    /// Keeps a body until its function is called.
    pub fn defer_until_called(&mut self, pending: Pending, function: Option<usize>) {
        match function.and_then(|index| self.all.get_mut(index)) {
            Some(info) => info.pending = Some(pending),
            None => self.defer(pending, function),
        }
    }

    /// The index of the function of a number.
    pub fn index_of(&self, id: FunctionId) -> Option<usize> {
        self.numbered.get(id.0 as usize).copied()
    }

    /// Takes the body of a function that waits to be checked.
    pub fn take_body(&mut self, index: usize) -> Option<Pending> {
        if let Some(pending) = self.all.get_mut(index)?.pending.take() {
            return Some(pending);
        }
        let at = self.bodies.iter().position(|(_, function)| *function == Some(index))?;
        self.bodies.remove(at).map(|(pending, _)| pending)
    }

    /// The checked body of a function, which constant expressions call.
    pub fn evaluated(&mut self, index: usize) -> Option<Rc<Function>> {
        if let Some(known) = self.evaluated.get(&index) {
            return Some(known.clone());
        }
        let info = self.all.get(index).filter(|info| !info.is_faulty)?;
        let body = Rc::new(info.checked.clone()?);
        self.evaluated.insert(index, body.clone());
        Some(body)
    }

    /// The next body to be checked.
    pub fn next_body(&mut self) -> Option<(Pending, Option<usize>)> {
        self.bodies.pop_front()
    }

    /// Remembers a call, outside functions if there is no caller: a body that waits for it is checked.
    pub fn note_call(&mut self, caller: Option<usize>, callee: usize, span: Span) {
        match caller {
            Some(caller) => self.all[caller].calls.push((callee, span)),
            None => {
                self.called_outside.insert(callee);
            }
        }
        self.all[callee].first_use.get_or_insert(span);
        if let Some(pending) = self.all[callee].pending.take() {
            self.defer(pending, Some(callee));
        }
    }
}

impl Index<usize> for Functions {
    type Output = FunctionInfo;

    fn index(&self, index: usize) -> &FunctionInfo {
        &self.all[index]
    }
}

impl IndexMut<usize> for Functions {
    fn index_mut(&mut self, index: usize) -> &mut FunctionInfo {
        &mut self.all[index]
    }
}
