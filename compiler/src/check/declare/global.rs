//! Variables at file scope: host memory, `__device__`, `__constant__` and `__managed__` memory.

use crate::check::declare::init::{Declared, Source};
use crate::check::declare::specifier::Specifiers;
use crate::check::expr::constant::Const;
use crate::check::state::Checker;
use crate::check::state::scopes::{Entry, Role, Storage, Symbol, Variable};
use crate::check::state::variables::{GlobalInfo, NoRoom};
use crate::check::tree::{ExprKind, Global, GlobalId, GlobalSpace, Init, PlaceKind};
use crate::check::types::{CType, QType};
use crate::check::value::Lvalue;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Word;
use std::cell::Cell;
use std::rc::Rc;

impl Checker {
    pub(crate) fn global_declaration(
        &mut self,
        specifiers: &Specifiers,
        declared: &ast::InitDeclarator,
    ) {
        let Some(found) = self.describe_variable(specifiers, declared) else {
            return;
        };
        if specifiers.has(Word::Shared) {
            self.shared_variable(specifiers, found);
            return;
        }
        if found.reference {
            let message = "unsupported: references outside functions";
            self.report(Diagnostic::error(code::UNSUPPORTED_REFERENCE, found.span, message));
            self.poison_declared(found.name);
            return;
        }
        // Both sides see a reference to a texture.
        let is_texture = self.is_texture_reference(&found.ty.ty);
        if is_texture && self.check_release("texture", found.span).is_none() {
            self.poison_declared(found.name);
            return;
        }
        let is_managed = specifiers.has(Word::Managed) || is_texture;
        let space = if specifiers.has(Word::Constant) {
            GlobalSpace::Constant
        } else if specifiers.has(Word::Device) || is_managed {
            GlobalSpace::Device
        } else {
            GlobalSpace::Host
        };
        // A static member without a value is defined outside its structure.
        let is_member = self.scopes.is_among_members();
        let is_extern = specifiers.has(Word::Extern) || is_member;
        if specifiers.has(Word::Static) && !is_member && !found.quiet && !found.ty.constant {
            self.warn_unnamed(found.name, found.span, "variable", code::UNUSED_VARIABLE);
        }
        let name = found.name.clone();
        self.global_variable(found, space, is_extern);
        if is_managed {
            self.make_managed(&name);
        }
    }

    /// Returns true if the type is the one that the text for textures makes of `texture<...>`.
    pub(super) fn is_texture_reference(&self, ty: &CType) -> bool {
        match ty {
            CType::Struct(id) => self.structure(*id).path.starts_with("__texture_reference<"),
            _ => false,
        }
    }

    /// Lets host code use a `__device__` variable.
    pub(super) fn make_managed(&mut self, name: &str) {
        let found = self.scopes.find(name).map(|entry| entry.meaning.clone());
        if let Some(Symbol::Variable(variable)) = found
            && let Storage::Global(id) = variable.storage
            && let Some(global) = self.variables.get_mut(id)
        {
            global.managed = true;
        }
    }

    /// A variable of static storage: its number and type, if this defines it.
    pub(super) fn global_variable(
        &mut self,
        mut found: Declared<'_>,
        space: GlobalSpace,
        is_extern: bool,
    ) -> Option<(GlobalId, CType)> {
        let defines = !is_extern || !matches!(found.source, Source::None);
        let (id, ty) = self.global_id(&found, space, defines)?;
        found.ty = ty;
        self.set_global_symbol(&found, id, None);
        if !defines {
            return None;
        }
        let at_start = self.body.is_none();
        let outer = self.allowed.set_fills_device(space != GlobalSpace::Host);
        let init = self.variable_initialiser(&found);
        self.allowed.set_fills_device(outer);
        let Some((ty, mut init)) = init else {
            if matches!(found.ty.ty, CType::Array(_, None)) {
                self.poison_declared(found.name);
            }
            return None;
        };
        found.ty = ty;
        if space == GlobalSpace::Host {
            let place = Lvalue::new(PlaceKind::Global(id), found.ty.clone(), found.span);
            self.settle(&mut init, &place.place);
        }
        init.zero = true;
        if space != GlobalSpace::Host {
            self.require_constants(&mut init, found.name);
        }
        let constant = self.known_value(&found.ty, &init, space);
        self.set_global_symbol(&found, id, constant);
        let what = format!("`{}`", found.name);
        let size = self.object_size(&found.ty.ty, found.span, &what)?;
        if space == GlobalSpace::Host {
            if at_start {
                self.ends_with_program(id, &found.ty.ty);
            }
        } else if self.needs_destruction(&found.ty.ty) {
            let message = "unsupported: a variable of the device whose type has a destructor";
            self.report(Diagnostic::error(code::UNSUPPORTED_CLASS, found.span, message));
        }
        let is_whole = found.is_constexpr && !found.ty.ty.is_scalar();
        if is_whole {
            self.variables.note_constant(id, size);
        }
        let offset = self.place_global(space, size, found.span);
        if let Some(global) = self.variables.get_mut(id) {
            global.ty = found.ty.ty.lower();
            global.init = init;
            global.offset = offset;
            global.span = found.span;
        }
        if let Some(info) = self.variables.info_mut(id) {
            info.placed = true;
        }
        Some((id, found.ty.ty))
    }

    /// The number of a variable: that of an earlier declaration, if there is one.
    pub(super) fn global_id(
        &mut self,
        found: &Declared<'_>,
        space: GlobalSpace,
        defines: bool,
    ) -> Option<(GlobalId, QType)> {
        let earlier = self.scopes.find_own(found.name).cloned();
        match earlier {
            Some(Entry { meaning: Symbol::Variable(variable), .. }) => {
                self.merge_global(found, &variable, space, defines)
            }
            Some(Entry { meaning: Symbol::Poisoned, .. }) => None,
            Some(Entry { span, .. }) => {
                self.report_redefinition(found.name, found.span, span);
                None
            }
            None => {
                let global = Global {
                    managed: false,
                    name: found.name.to_string(),
                    ty: found.ty.ty.lower(),
                    space,
                    offset: 0,
                    init: Init { zero: true, stores: Vec::new() },
                    span: found.span,
                };
                let info = GlobalInfo { defined: defines, first_use: None, placed: false };
                Some((self.variables.add(global, info), found.ty.clone()))
            }
        }
    }

    pub(super) fn merge_global(
        &mut self,
        found: &Declared<'_>,
        earlier: &Variable,
        space: GlobalSpace,
        defines: bool,
    ) -> Option<(GlobalId, QType)> {
        let Storage::Global(id) = earlier.storage else {
            self.report_redefinition(found.name, found.span, Some(earlier.span));
            return None;
        };
        let info = self.variables.info_mut(id)?;
        if info.defined && defines {
            self.report_redefinition(found.name, found.span, Some(earlier.span));
            return None;
        }
        info.defined |= defines;
        let ty = match (&earlier.ty.ty, &found.ty.ty) {
            (a, b) if a == b && earlier.ty == found.ty => Some(found.ty.clone()),
            (CType::Array(a, None), CType::Array(b, _)) if a == b => Some(found.ty.clone()),
            (CType::Array(a, _), CType::Array(b, None)) if a == b => Some(earlier.ty.clone()),
            _ => None,
        };
        let same_space = self.variables.get(id)?.space == space;
        if let (Some(ty), true) = (&ty, same_space) {
            return Some((id, ty.clone()));
        }
        let (old, new) = (self.spell_qualified(&earlier.ty), self.spell_qualified(&found.ty));
        let message = format!("`{}` was declared differently", found.name);
        let (old, new) = if ty.is_none() {
            (format!("here as `{old}`"), format!("here as `{new}`"))
        } else {
            ("here in another memory".to_owned(), String::new())
        };
        self.fail(
            Diagnostic::error(code::CONFLICTING, found.span, message)
                .label(new)
                .secondary(earlier.span, old),
        )
    }

    pub(super) fn set_global_symbol(
        &mut self,
        found: &Declared<'_>,
        id: GlobalId,
        constant: Option<Const>,
    ) {
        let variable = Variable {
            name: found.name.clone(),
            ty: found.ty.clone(),
            storage: Storage::Global(id),
            reference: false,
            is_rvalue: false,
            constant,
            span: found.span,
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: Role::Quiet,
        };
        let symbol = Symbol::Variable(Rc::new(variable));
        self.scopes.set(found.name.clone(), symbol, Some(found.span));
    }

    /// The position of a device variable in its memory.
    pub(super) fn place_global(&mut self, space: GlobalSpace, size: u64, span: Span) -> u32 {
        self.variables.place(space, size).unwrap_or_else(|NoRoom { total, limit }| {
            let message = format!(
                "the variables up to here take {total} bytes of their memory, which has {limit}"
            );
            self.report(Diagnostic::error(code::LIMIT_SIZE, span, message));
            0
        })
    }

    /// Replaces the expressions of a device variable's initialiser by their values.
    pub(super) fn require_constants(&mut self, init: &mut Init, name: &str) {
        // A constructor that does nothing leaves zeroes.
        init.stores.retain(|(_, value)| !self.makes_zeroes(value));
        for (_, value) in &mut init.stores {
            let known = self.evaluate(value).map(|known| known.kind());
            let address = |this: &mut Self| this.device_address(value).map(i64::from);
            match known.or_else(|| address(self).map(ExprKind::Int)) {
                Some(kind) => value.kind = kind,
                None => {
                    let message =
                        format!("the initialiser of the device variable `{name}` is not constant");
                    self.report(Diagnostic::error(code::NOT_CONSTANT, value.span, message));
                    return;
                }
            }
        }
    }

    /// The value of a constant variable, if it is known now.
    pub(super) fn known_value(
        &mut self,
        ty: &QType,
        init: &Init,
        space: GlobalSpace,
    ) -> Option<Const> {
        if !ty.constant || ty.volatile || !ty.ty.is_arithmetic() || space != GlobalSpace::Host {
            return None;
        }
        match init.stores.as_slice() {
            [(0, value)] => self.evaluate(value),
            _ => None,
        }
    }

    /// Remembers where a variable is used first.
    pub(crate) fn note_global_use(&mut self, id: GlobalId, span: Span) {
        if let Some(info) = self.variables.info_mut(id) {
            info.first_use.get_or_insert(span);
        }
    }

    /// Reports functions and variables that are used but defined nowhere.
    pub(crate) fn require_definitions(&mut self) {
        let mut missing = Vec::new();
        for (global, info) in self.variables.iter() {
            if let (false, Some(place)) = (info.defined, info.first_use) {
                missing.push((place, global.name.clone(), global.span));
            }
        }
        for info in self.functions.iter() {
            if let (false, Some(place)) = (info.defined, info.first_use) {
                missing.push((place, info.name.to_string(), info.span));
            }
        }
        for (place, name, declared) in missing {
            let message = format!("`{name}` is used, but defined nowhere in the program");
            self.report(
                Diagnostic::error(code::UNDEFINED, place, message)
                    .secondary(declared, "only declared here"),
            );
        }
    }
}
