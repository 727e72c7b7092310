//! Functions that a call finds by the types of its arguments: those in the namespaces of their structures (C++17,
//! [basic.lookup.argdep]).

use crate::check::state::Checker;
use crate::check::state::scopes::{Overloads, Symbol, within};
use crate::check::state::templates::Argument;
use crate::check::tree::StructId;
use crate::check::types::CType;
use crate::check::value::Operand;
use crate::syntax::source::Span;
use crate::syntax::tree::Name;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The structures that arguments are made of, and the namespaces around them and around enumerations.
#[derive(Default)]
struct Associated {
    structures: BTreeSet<StructId>,
    namespaces: BTreeSet<String>,
}

impl Checker {
    /// The functions that a call by an unqualified name may mean: those found at its place, and
    /// those beside the structures of its arguments; `None` if one of those cannot be read.
    pub(crate) fn with_associated(
        &mut self,
        found: &Rc<Overloads>,
        name: &Name,
        operands: &[Operand],
        place: Span,
    ) -> Option<Rc<Overloads>> {
        let of_structure = |index: &usize| self.functions[*index].method.is_some();
        let is_member = found.functions.iter().any(of_structure)
            || found.templates.iter().any(|&index| self.templates[index].is_member());
        if name.contains("::") || is_member {
            return Some(found.clone());
        }
        let all = joined(found, &self.associated(name, operands, place)?);
        // A name in parentheses means only what is found at its place (C++17,
        // [basic.lookup.argdep]).
        let is_alone = all != *found && self.is_in_parentheses(place);
        Some(if is_alone { found.clone() } else { all })
    }

    /// The functions of a name in the namespaces around the structures that operands are made of; `None` if one of them
    /// cannot be read.
    pub(crate) fn associated(
        &mut self,
        name: &Name,
        operands: &[Operand],
        place: Span,
    ) -> Option<Rc<Overloads>> {
        let mut associated = Associated::default();
        for operand in operands {
            self.associate(operand.ty(), &mut associated);
        }
        self.scopes.add_inline(&mut associated.namespaces);
        let mut all = Rc::default();
        for space in associated.namespaces {
            match self.scopes.find_whole(&within(&space, name)).map(|entry| &entry.meaning) {
                Some(Symbol::Functions(list)) => {
                    let list = self.declared_up_to(self.scopes.last_associated(), list.clone());
                    let is_found = |index: &usize| {
                        !self.functions[*index].is_hidden
                            || self.functions.is_friend_of_any(*index, &associated.structures)
                    };
                    all = joined(&all, &restricted(list, is_found));
                }
                Some(Symbol::Poisoned) => {
                    self.note_poison(name, place);
                    return None;
                }
                _ => {}
            }
        }
        Some(all)
    }

    /// The functions and function templates of a list that an item at file scope, or one in front
    /// of it, declares, and all of structures.
    pub(crate) fn declared_up_to(&self, order: usize, list: Rc<Overloads>) -> Rc<Overloads> {
        let function = |index: &usize| {
            self.functions[*index].method.is_some() || self.functions.order(*index) <= order
        };
        let template = |index: &usize| {
            let info = &self.templates[*index];
            info.is_member() || info.order <= order
        };
        if list.functions.iter().all(function) && list.templates.iter().all(template) {
            return list;
        }
        Rc::new(Overloads {
            functions: list.functions.iter().copied().filter(function).collect(),
            templates: list.templates.iter().copied().filter(template).collect(),
        })
    }

    /// Functions without those that only structures declare, as their friends (C++17, [namespace.memdef]); `None` if none are
    /// left.
    pub(crate) fn without_hidden(&self, list: Rc<Overloads>) -> Option<Rc<Overloads>> {
        let list = restricted(list, |index| !self.functions[*index].is_hidden);
        (*list != Overloads::default()).then_some(list)
    }

    /// Adds the namespaces and structures of a type's parts.
    fn associate(&self, ty: &CType, found: &mut Associated) {
        match ty {
            CType::Pointer(to) => self.associate(&to.ty, found),
            CType::Array(element, _) => self.associate(&element.ty, found),
            CType::Struct(id) if found.structures.insert(*id) => {
                let info = self.structure(*id);
                found.namespaces.insert(self.scopes.namespace_around(&info.path).to_owned());
                for argument in info.made_of.iter().flat_map(|(_, arguments)| arguments) {
                    if let Argument::Type(ty) = argument {
                        self.associate(&ty.ty, found);
                    }
                }
            }
            CType::Enum(of) => {
                let path = self.enumerations.path(of.id);
                found.namespaces.insert(self.scopes.namespace_around(path).to_owned());
            }
            _ => {}
        }
    }
}

/// A list without the functions that the test excludes.
pub(crate) fn restricted(list: Rc<Overloads>, is_wanted: impl Fn(&usize) -> bool) -> Rc<Overloads> {
    if list.functions.iter().all(&is_wanted) {
        return list;
    }
    let functions = list.functions.iter().copied().filter(is_wanted).collect();
    Rc::new(Overloads { functions, templates: list.templates.clone() })
}

/// The functions of both lists, each once.
pub(crate) fn joined(one: &Rc<Overloads>, other: &Rc<Overloads>) -> Rc<Overloads> {
    if one == other || **other == Overloads::default() {
        return one.clone();
    }
    let both = |one: &[usize], other: &[usize]| -> Vec<usize> {
        one.iter().chain(other).copied().collect::<BTreeSet<_>>().into_iter().collect()
    };
    Rc::new(Overloads {
        functions: both(&one.functions, &other.functions),
        templates: both(&one.templates, &other.templates),
    })
}
