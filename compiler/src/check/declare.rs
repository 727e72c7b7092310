//! Declarations of variables and types.

use super::Checker;
use super::constant::{self, Const};
use super::convert::Purpose;
use super::declarator::{direct_values, function_parts};
use super::expr::Operand;
use super::init::Source;
use super::scope::{Entry, Role, Storage, Symbol, Variable};
use super::specifier::Specifiers;
use super::tree::{Global, GlobalId, GlobalSpace, Init, LocalId, Shared, SharedId, Stmt, StmtKind};
use super::types::{CType, QType};
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::{Name, Word};
use std::cell::Cell;
use std::rc::Rc;

/// Bytes of constant memory.
const CONSTANT_BYTES: u64 = 64 << 10;

/// What the checker knows of a global variable beyond the checked tree.
#[derive(Debug, Default)]
pub(super) struct GlobalInfo {
    defined: bool,
    first_use: Option<Span>,
}

/// Words that the declaration of a variable may have.
const VARIABLE_WORDS: &[Word] = &[
    Word::Static,
    Word::Extern,
    Word::Register,
    Word::Inline,
    Word::Constexpr,
    Word::Device,
    Word::Constant,
    Word::Shared,
    Word::Managed,
];

/// A variable as its declaration describes it.
struct Declared<'a> {
    name: &'a Name,
    span: Span,
    ty: QType,
    reference: bool,
    source: Source<'a>,
    /// Whether nothing is to be said when it is never used.
    quiet: bool,
}

impl Checker {
    /// A declaration outside functions.
    pub(super) fn file_declaration(&mut self, declaration: &ast::Declaration) {
        let specifiers = self.specifiers(&declaration.specifiers);
        self.file_declarators(&specifiers, declaration);
    }

    /// What a declaration outside functions declares; static members of structures too.
    pub(super) fn file_declarators(
        &mut self,
        specifiers: &Specifiers,
        declaration: &ast::Declaration,
    ) {
        for declared in &declaration.declarators {
            if !self.type_or_function(specifiers, declared) {
                self.global_declaration(specifiers, declared);
            }
        }
    }

    /// A declaration inside a function.
    pub(super) fn block_declaration(
        &mut self,
        declaration: &ast::Declaration,
        out: &mut Vec<Stmt>,
    ) {
        let specifiers = self.specifiers(&declaration.specifiers);
        for declared in &declaration.declarators {
            if !self.type_or_function(&specifiers, declared) {
                let statement = self.local_declaration(&specifiers, declared);
                out.extend(statement.map(|kind| Stmt { kind, span: declared.declarator.span }));
            }
        }
    }

    /// Handles declarators that declare no variable; whether this is one.
    fn type_or_function(
        &mut self,
        specifiers: &Specifiers,
        declared: &ast::InitDeclarator,
    ) -> bool {
        let declarator = &declared.declarator;
        if let Some(width) = &declared.width {
            let message = "unsupported: bit-fields";
            let found = Diagnostic::error(code::UNSUPPORTED_BITFIELD, width.span, message);
            self.report(found.help("use a whole integer, with shifts and masks"));
        }
        if specifiers.has(Word::Typedef) {
            let was = std::mem::replace(&mut self.function_types, true);
            self.typedef(specifiers, declared);
            self.function_types = was;
            return true;
        }
        if let Some(parts) = function_parts(declarator) {
            self.declare_function(specifiers, declarator, &parts, super::function::Head::default());
            return true;
        }
        false
    }

    fn typedef(&mut self, specifiers: &Specifiers, declared: &ast::InitDeclarator) {
        self.refuse_storage(specifiers, "a typedef", &[Word::Typedef]);
        let declarator = &declared.declarator;
        let Some(name) = &declarator.name else {
            return;
        };
        let steps: Vec<&ast::Derived> = declarator.derived.iter().collect();
        let ty = specifiers.base.clone().and_then(|base| self.derive(base, &steps));
        if let Some(QType { ty: CType::Struct(id), .. }) = ty {
            // An unnamed structure is known by its typedef.
            let info = &mut self.structs[id.0 as usize];
            if info.name.starts_with("unnamed ") {
                info.name = name.to_string();
            }
        }
        let symbol = ty.map_or(Symbol::Poisoned, Symbol::Type);
        self.declare(name, symbol, declarator.name_span);
    }

    /// The type of a declared variable, before its initialiser completes it; a name whose type
    /// was reported stands for nothing.
    fn describe_variable<'a>(
        &mut self,
        specifiers: &Specifiers,
        declared: &'a ast::InitDeclarator,
    ) -> Option<Declared<'a>> {
        let declarator = &declared.declarator;
        self.refuse_storage(specifiers, "a variable", VARIABLE_WORDS);
        let Some(name) = &declarator.name else {
            let message = "the declaration lacks a name";
            return self.fail(Diagnostic::error(code::BAD_DECLARATOR, declarator.span, message));
        };
        let base = specifiers.base.clone();
        let found = base.and_then(|base| self.object(base, declarator, &format!("`{name}`")));
        let source = match (&declared.init, direct_values(declarator)) {
            (Some(init), _) => Source::Initializer(init),
            (None, Some((values, span))) => Source::Values(values, span),
            (None, None) => Source::None,
        };
        let mut found = match found {
            Some(found) => found,
            None => {
                self.poison_declared(name);
                self.check_source(&source);
                return None;
            }
        };
        let mut source = source;
        if specifiers.is_auto && !found.reference {
            let Some((value, rest)) = self.deduce_auto(&source, declarator.name_span) else {
                self.poison_declared(name);
                return None;
            };
            found.ty = rest.plain().qualified(found.ty.constant, found.ty.volatile);
            source = Source::Value(Box::new(value));
        } else if specifiers.is_auto {
            let expr = match (&source, direct_values(declarator)) {
                (Source::Initializer(ast::Initializer::Expr(expr)), _) => Some(expr),
                (_, Some(([expr], _))) => Some(expr),
                _ => None,
            };
            let operand = expr.and_then(|expr| self.operand(expr));
            let Some(operand) = operand else {
                self.poison_declared(name);
                return None;
            };
            let (constant, volatile) = (found.ty.constant, found.ty.volatile);
            found.ty = match &operand {
                Operand::Place(place) => place.ty.clone().qualified(constant, volatile),
                Operand::Value(value) => value.ty.clone().plain().qualified(constant, volatile),
            };
        }
        Some(Declared {
            name,
            span: declarator.name_span,
            ty: found.ty,
            reference: found.reference,
            source,
            quiet: specifiers.has(Word::MaybeUnused),
        })
    }

    fn poison_declared(&mut self, name: &Name) {
        self.scopes.set(name.clone(), Symbol::Poisoned, None);
    }

    /// The type that `auto` stands for, and the value that tells it.
    fn deduce_auto(
        &mut self,
        source: &Source<'_>,
        span: Span,
    ) -> Option<(super::expr::Value, CType)> {
        let expr = match source {
            Source::Initializer(ast::Initializer::Expr(expr)) => Some(expr),
            Source::Values([expr], _) => Some(expr),
            _ => None,
        };
        let Some(expr) = expr else {
            let message = "`auto` takes its type from an initialiser, but there is none";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, span, message));
        };
        let operand = self.operand(expr)?;
        let value = match operand.ty() {
            CType::Struct(_) => self.copied_object(operand, expr.span)?,
            _ => self.load(operand),
        };
        if value.ty.is_void() {
            let message = "the initialiser has no value";
            return self.fail(Diagnostic::error(code::BAD_DECLARATION, expr.span, message));
        }
        let ty = value.ty.clone();
        Some((value, ty))
    }

    fn global_declaration(&mut self, specifiers: &Specifiers, declared: &ast::InitDeclarator) {
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
        let is_managed = specifiers.has(Word::Managed) || self.is_texture_reference(&found.ty.ty);
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

    /// Whether the type is what the text for textures makes of `texture<...>`.
    fn is_texture_reference(&self, ty: &CType) -> bool {
        match ty {
            CType::Struct(id) => self.structure(*id).path.starts_with("__texture_reference<"),
            _ => false,
        }
    }

    /// Lets host code use a `__device__` variable.
    fn make_managed(&mut self, name: &str) {
        let found = self.scopes.find(name).map(|entry| entry.meaning.clone());
        if let Some(Symbol::Variable(variable)) = found
            && let Storage::Global(id) = variable.storage
            && let Some(global) = self.globals.get_mut(id.0 as usize)
        {
            global.managed = true;
        }
    }

    /// A variable of static storage.
    fn global_variable(&mut self, mut found: Declared<'_>, space: GlobalSpace, is_extern: bool) {
        let defines = !is_extern || !matches!(found.source, Source::None);
        let Some((id, ty)) = self.global_id(&found, space, defines) else {
            return;
        };
        found.ty = ty;
        self.set_global_symbol(&found, id, None);
        if !defines {
            return;
        }
        let at_start = self.body.is_none();
        let init = self.initialiser(&found.ty, &found.source, found.name, found.span);
        let Some((ty, mut init)) = init else {
            if matches!(found.ty.ty, CType::Array(_, None)) {
                self.poison_declared(found.name);
            }
            return;
        };
        found.ty = ty;
        init.zero = true;
        if space != GlobalSpace::Host {
            self.require_constants(&mut init, found.name);
        } else if !at_start {
            self.require_static(&init, found.name);
        }
        let constant = self.known_value(&found.ty, &init, space);
        self.set_global_symbol(&found, id, constant);
        let what = format!("`{}`", found.name);
        let Some(size) = self.object_size(&found.ty.ty, found.span, &what) else {
            return;
        };
        let offset = self.place_global(space, size, found.span);
        let global = &mut self.globals[id.0 as usize];
        global.ty = found.ty.ty.lower();
        global.init = init;
        global.offset = offset;
        global.span = found.span;
    }

    /// The number of a variable: that of an earlier declaration, if there is one.
    fn global_id(
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
                let id = GlobalId(self.globals.len() as u32);
                self.globals.push(Global {
                    managed: false,
                    name: found.name.to_string(),
                    ty: found.ty.ty.lower(),
                    space,
                    offset: 0,
                    init: Init { zero: true, stores: Vec::new() },
                    span: found.span,
                });
                self.global_infos.push(GlobalInfo { defined: defines, first_use: None });
                Some((id, found.ty.clone()))
            }
        }
    }

    fn merge_global(
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
        let info = self.global_infos.get_mut(id.0 as usize)?;
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
        let same_space = self.globals.get(id.0 as usize)?.space == space;
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

    fn set_global_symbol(&mut self, found: &Declared<'_>, id: GlobalId, constant: Option<Const>) {
        let variable = Variable {
            name: found.name.clone(),
            ty: found.ty.clone(),
            storage: Storage::Global(id),
            reference: false,
            constant,
            span: found.span,
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: Role::Quiet,
        };
        let symbol = Symbol::Variable(Rc::new(variable));
        self.scopes.set(found.name.clone(), symbol, Some(found.span));
    }

    /// Where in its memory a device variable lies.
    fn place_global(&mut self, space: GlobalSpace, size: u64, span: Span) -> u32 {
        let (end, limit) = match space {
            GlobalSpace::Host => return 0,
            GlobalSpace::Device => (&mut self.device_end, super::layout::SIZE_LIMIT),
            GlobalSpace::Constant => (&mut self.constant_end, CONSTANT_BYTES),
        };
        let offset = end.next_multiple_of(16);
        let total = offset + size;
        if total > limit {
            let message = format!(
                "the variables up to here take {total} bytes of their memory, which has {limit}"
            );
            self.report(Diagnostic::error(code::LIMIT_SIZE, span, message));
            return 0;
        }
        *end = total;
        offset as u32
    }

    /// Replaces the values of a device variable's initialiser by what they are.
    fn require_constants(&mut self, init: &mut Init, name: &str) {
        for (_, value) in &mut init.stores {
            match constant::evaluate(value) {
                Some(known) => value.kind = known.kind(),
                None => {
                    let message =
                        format!("the initialiser of the device variable `{name}` is not constant");
                    self.report(Diagnostic::error(code::NOT_CONSTANT, value.span, message));
                    return;
                }
            }
        }
    }

    /// Reports a static variable of a function that does not start with a constant.
    fn require_static(&mut self, init: &Init, name: &str) {
        let bad = init.stores.iter().find(|(_, value)| !super::init::is_static(value));
        if let Some((_, value)) = bad {
            let message =
                format!("the initialiser of the static variable `{name}` is not constant");
            self.report(Diagnostic::error(code::NOT_CONSTANT, value.span, message));
        }
    }

    /// What a constant variable holds, if that is known now.
    fn known_value(&self, ty: &QType, init: &Init, space: GlobalSpace) -> Option<Const> {
        if !ty.constant || ty.volatile || !ty.ty.is_arithmetic() || space != GlobalSpace::Host {
            return None;
        }
        match init.stores.as_slice() {
            [(0, value)] => constant::evaluate(value),
            _ => None,
        }
    }

    /// A `__shared__` variable.
    fn shared_variable(&mut self, specifiers: &Specifiers, found: Declared<'_>) {
        let is_extern = specifiers.has(Word::Extern);
        let unsized_array = matches!(found.ty.ty, CType::Array(_, None));
        let fault = if self.body.is_some() && !self.in_device_code() {
            Some("a `__shared__` variable cannot be in a host function")
        } else if found.reference {
            Some("a `__shared__` variable cannot be a reference")
        } else if !matches!(found.source, Source::None) {
            Some("a `__shared__` variable cannot have an initialiser")
        } else if is_extern && !unsized_array {
            Some("an `extern __shared__` variable is an array without a bound")
        } else if !is_extern && unsized_array {
            Some("a `__shared__` array without a bound has to be `extern`")
        } else {
            None
        };
        if let Some(message) = fault {
            let found_fault = Diagnostic::error(code::BAD_SHARED, found.span, message);
            let found_fault = self.note_side(found_fault);
            self.report(found_fault);
            self.poison_declared(found.name);
            return;
        }
        if !is_extern
            && self.object_size(&found.ty.ty, found.span, "the `__shared__` variable").is_none()
        {
            self.poison_declared(found.name);
            return;
        }
        let earlier = self.scopes.find_own(found.name).cloned();
        if let (true, Some(Entry { meaning: Symbol::Variable(earlier), .. })) = (is_extern, earlier)
            && matches!(earlier.storage, Storage::Shared(_))
            && earlier.ty == found.ty
        {
            return;
        }
        let id = SharedId(self.shared.len() as u32);
        self.shared.push(Shared {
            name: found.name.to_string(),
            ty: found.ty.ty.lower(),
            dynamic: is_extern,
            span: found.span,
        });
        let variable = Variable {
            name: found.name.clone(),
            ty: found.ty,
            storage: Storage::Shared(id),
            reference: false,
            constant: None,
            span: found.span,
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: if self.body.is_none() || found.quiet { Role::Quiet } else { Role::Local },
        };
        self.warn_hidden(found.name, found.span);
        self.declare(found.name, Symbol::Variable(Rc::new(variable)), found.span);
    }

    /// A variable declared in a function; the statement for it, if it is an automatic one.
    pub(super) fn local_declaration(
        &mut self,
        specifiers: &Specifiers,
        declared: &ast::InitDeclarator,
    ) -> Option<StmtKind> {
        let found = self.describe_variable(specifiers, declared)?;
        if specifiers.has(Word::Shared) {
            self.shared_variable(specifiers, found);
            return None;
        }
        for word in [Word::Constant, Word::Device, Word::Managed] {
            if let Some(span) = specifiers.find(word) {
                let message =
                    format!("a `{}` variable has to be declared outside functions", word.text());
                self.report(Diagnostic::error(code::BAD_DEVICE_VARIABLE, span, message));
                self.poison_declared(found.name);
                return None;
            }
        }
        if specifiers.has(Word::Static) || specifiers.has(Word::Extern) {
            self.static_local(specifiers, found);
            return None;
        }
        self.automatic(found)
    }

    fn static_local(&mut self, specifiers: &Specifiers, found: Declared<'_>) {
        let (device, host) = (self.in_device_code(), self.in_host_code());
        let fault = if device && host {
            Some("unsupported: static variables in functions of both sides")
        } else if found.reference {
            Some("unsupported: static references")
        } else {
            None
        };
        if let Some(message) = fault {
            self.report(Diagnostic::error(code::UNSUPPORTED_C, found.span, message));
            self.poison_declared(found.name);
            return;
        }
        let space = if device { GlobalSpace::Device } else { GlobalSpace::Host };
        self.warn_hidden(found.name, found.span);
        self.global_variable(found, space, specifiers.has(Word::Extern));
    }

    fn automatic(&mut self, mut found: Declared<'_>) -> Option<StmtKind> {
        if found.reference {
            return self.local_reference(found);
        }
        // The name is known in its own initialiser, as in C, if its type is complete by then.
        let id = self.add_local(found.name, &found.ty.ty, found.span)?;
        let is_whole = !matches!(found.ty.ty, CType::Array(_, None));
        if is_whole {
            let what = format!("`{}`", found.name);
            if self.object_size(&found.ty.ty, found.span, &what).is_none() {
                self.poison_declared(found.name);
                self.check_source(&found.source);
                return None;
            }
        }
        if let Source::Value(_) = found.source {
            // `auto` has read its initialiser already.
        } else if is_whole {
            self.declare_local(&found, id, None, false);
        }
        let init = self.initialiser(&found.ty, &found.source, found.name, found.span);
        let Some((ty, init)) = init else {
            // The variable exists all the same, if its type is known.
            if !is_whole {
                self.poison_declared(found.name);
            }
            return None;
        };
        found.ty = ty;
        if let Some(local) = self.body.as_mut()?.locals.get_mut(id.0 as usize) {
            local.ty = found.ty.ty.lower();
        }
        let known = self.known_value(&found.ty, &init, GlobalSpace::Host);
        let earlier = self.scopes.find_own(found.name).is_some();
        if !is_whole || !earlier || known.is_some() {
            self.declare_local(&found, id, known, known.is_some() && earlier);
        }
        Some(StmtKind::Declare(id, init))
    }

    fn local_reference(&mut self, found: Declared<'_>) -> Option<StmtKind> {
        let pointer = found.ty.clone().pointer();
        let id = self.add_local(found.name, &pointer, found.span)?;
        let source = match &found.source {
            Source::Initializer(ast::Initializer::Expr(expr)) => Some(expr),
            Source::Values([expr], _) => Some(expr),
            _ => None,
        };
        let Some(source) = source else {
            let message =
                format!("the reference `{}` has to be initialised with an object", found.name);
            self.poison_declared(found.name);
            return self.fail(Diagnostic::error(code::BAD_INITIALISER, found.span, message));
        };
        let why = Purpose::Initialise(found.name.to_string());
        let operand = self.object_operand(source);
        let address = operand.and_then(|operand| self.bind(&found.ty, operand, &why));
        self.declare_local(&found, id, None, false);
        let init = Init { zero: false, stores: vec![(0, address?)] };
        Some(StmtKind::Declare(id, init))
    }

    fn declare_local(
        &mut self,
        found: &Declared<'_>,
        id: LocalId,
        constant: Option<Const>,
        again: bool,
    ) {
        let variable = Variable {
            name: found.name.clone(),
            ty: found.ty.clone(),
            storage: Storage::Local(id),
            reference: found.reference,
            constant,
            span: found.span,
            uses: Cell::new(0),
            sets: Cell::new(0),
            role: if found.quiet || self.is_constructed(&found.ty.ty) {
                Role::Quiet
            } else {
                Role::Local
            },
        };
        let symbol = Symbol::Variable(Rc::new(variable));
        if !again {
            self.warn_hidden(found.name, found.span);
        }
        if again {
            self.scopes.set(found.name.clone(), symbol, Some(found.span));
        } else {
            self.declare(found.name, symbol, found.span);
        }
    }

    /// Remembers where a variable is used first.
    pub(super) fn note_global_use(&mut self, id: GlobalId, span: Span) {
        if let Some(info) = self.global_infos.get_mut(id.0 as usize) {
            info.first_use.get_or_insert(span);
        }
    }

    /// Reports what is used but defined nowhere.
    pub(super) fn require_definitions(&mut self) {
        let mut missing = Vec::new();
        for (global, info) in self.globals.iter().zip(&self.global_infos) {
            if let (false, Some(place)) = (info.defined, info.first_use) {
                missing.push((place, global.name.clone(), global.span));
            }
        }
        for info in &self.functions {
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
