//! Variables in functions: automatic, static and `__shared__` ones.

use crate::check::declare::init::{Declared, Source};
use crate::check::declare::specifier::Specifiers;
use crate::check::expr::constant::Const;
use crate::check::expr::convert::Purpose;
use crate::check::state::Checker;
use crate::check::state::functions::Binding;
use crate::check::state::scopes::{Entry, Role, Storage, Symbol, Variable};
use crate::check::tree::{
    Expr, GlobalSpace, Init, LocalId, PlaceKind, Shared, Stmt, StmtKind, Type,
};
use crate::check::types::CType;
use crate::check::value::Lvalue;
use crate::diagnostic::{Diagnostic, code};
use crate::syntax::source::Span;
use crate::syntax::tree as ast;
use crate::syntax::tree::Word;
use std::cell::Cell;
use std::rc::Rc;

impl Checker {
    /// A `__shared__` variable.
    pub(super) fn shared_variable(&mut self, specifiers: &Specifiers, found: Declared<'_>) {
        let is_extern = specifiers.has(Word::Extern);
        let unsized_array = matches!(found.ty.ty, CType::Array(_, None));
        let fault = if self.body.is_some() && !self.in_device_code() {
            Some("a `__shared__` variable cannot be in a host function")
        } else if found.reference {
            Some("a `__shared__` variable cannot be a reference")
        } else if !matches!(found.source, Source::None) {
            Some("a `__shared__` variable cannot have an initialiser")
        } else if self.needs_destruction(&found.ty.ty) {
            Some("a `__shared__` variable cannot have a destructor")
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
        let id = self.variables.add_shared(Shared {
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
            is_rvalue: false,
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
    pub(crate) fn local_declaration(
        &mut self,
        specifiers: &Specifiers,
        declared: &ast::InitDeclarator,
    ) -> Option<StmtKind> {
        let Some(found) = self.describe_variable(specifiers, declared) else {
            self.note_left_out(declared.declarator.span);
            return None;
        };
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
            return self.static_local(specifiers, found);
        }
        if self.is_result(&found) {
            return self.result_variable(found);
        }
        self.declared_local(found, declared.declarator.name_span)
    }

    /// An automatic variable, which ends with its block.
    pub(crate) fn declared_local(&mut self, found: Declared<'_>, span: Span) -> Option<StmtKind> {
        let ty = found.ty.ty.clone();
        let is_object = !found.reference;
        let statement = self.automatic(found)?;
        if let (true, StmtKind::Declare(id, _)) = (is_object, &statement) {
            let local = self.body.as_ref().and_then(|body| body.local(*id));
            let ty = match (&ty, local.map(|local| &local.ty)) {
                (CType::Array(element, None), Some(Type::Array(_, length))) => {
                    CType::Array(element.clone(), Some(u64::from(*length)))
                }
                _ => ty,
            };
            let place = Lvalue::new(PlaceKind::Local(*id), ty.clone().plain(), span);
            self.will_end(place.place, &ty);
        }
        Some(statement)
    }

    /// A static variable of a function. Returns its initialisation at the declaration, if it does
    /// not start with a constant.
    fn static_local(&mut self, specifiers: &Specifiers, found: Declared<'_>) -> Option<StmtKind> {
        let (device, host) = (self.in_device_code(), self.in_host_code());
        let fault = if device && host {
            Some("unsupported: static variables in functions of both sides")
        } else if found.reference {
            Some("unsupported: static references")
        } else {
            None
        };
        if let Some(message) = fault {
            self.poison_declared(found.name);
            return self.fail(Diagnostic::error(code::UNSUPPORTED_C, found.span, message));
        }
        let space = if device { GlobalSpace::Device } else { GlobalSpace::Host };
        self.warn_hidden(found.name, found.span);
        let mark = self.open_temporaries();
        let span = found.span;
        let (id, ty) = self.global_variable(found, space, specifiers.has(Word::Extern))?;
        if space != GlobalSpace::Host || self.check_destruction(&ty, span).is_none() {
            return None;
        }
        let place = Lvalue::new(PlaceKind::Global(id), ty.clone().plain(), span);
        let init = &mut self.variables.get_mut(id)?.init;
        let is_dynamic =
            init.stores.iter().any(|(_, value)| !crate::check::declare::init::is_static(value));
        let made = match is_dynamic {
            true => std::mem::take(&mut init.stores),
            false => Vec::new(),
        };
        if !is_dynamic && !self.needs_destruction(&ty) {
            return None;
        }
        let made = self.stores_into(&place.place, made);
        Some(self.static_start(id, &ty, made, mark, span))
    }

    pub(super) fn automatic(&mut self, mut found: Declared<'_>) -> Option<StmtKind> {
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
        let init = self.variable_initialiser(&found);
        let Some((ty, mut init)) = init else {
            self.note_left_out(found.span);
            // The variable still exists if its type is known.
            if !is_whole {
                self.poison_declared(found.name);
            }
            return None;
        };
        found.ty = ty;
        let body = self.body.as_mut()?;
        body.complete_local(id, &found.ty.ty);
        if found.ty.is_volatile() {
            body.make_volatile(id);
        }
        let known = self.known_value(&found.ty, &init, GlobalSpace::Host);
        let earlier = self.scopes.find_own(found.name).is_some();
        if !is_whole || !earlier || known.is_some() {
            self.declare_local(&found, id, known, known.is_some() && earlier);
        }
        let place = Lvalue::new(PlaceKind::Local(id), found.ty.clone(), found.span);
        self.settle(&mut init, &place.place);
        if found.is_constexpr
            && !found.ty.ty.is_scalar()
            && let Some(bytes) = self.size_of(&found.ty.ty)
        {
            self.body.as_mut()?.note_constant(id, init.clone(), bytes);
        }
        Some(StmtKind::Declare(id, init))
    }

    /// Returns true if a variable is the one that every `return` of its function returns: it is
    /// made in the caller's place for the result (C++17, [class.copy.elision]).
    fn is_result(&self, found: &Declared<'_>) -> bool {
        let Some(body) = &self.body else {
            return false;
        };
        body.named_result.as_ref() == Some(found.name)
            && !found.reference
            && !found.ty.volatile
            && body.result.as_ref() == Some(&found.ty.ty)
            && self.scopes.depth_of_blocks() == body.base + 1
    }

    fn result_variable(&mut self, found: Declared<'_>) -> Option<StmtKind> {
        let known =
            Declared { source: Source::None, ty: found.ty.clone(), reference: true, ..found };
        self.declare_local(&known, LocalId(0), None, false);
        let init = self.variable_initialiser(&found);
        let place = self.result_object(&found.ty.ty, found.span).place;
        let made = self.stores_into(&place, init?.1.stores);
        let statement = |value: Expr| Stmt { span: value.span, kind: StmtKind::Expr(value) };
        Some(StmtKind::Block(made.into_iter().map(statement).collect()))
    }

    pub(super) fn local_reference(&mut self, found: Declared<'_>) -> Option<StmtKind> {
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
        let mark = self.open_temporaries();
        let address =
            operand.and_then(|operand| self.bind(&found.ty, found.binding, operand, &why));
        self.extend_temporary(mark);
        self.declare_local(&found, id, None, false);
        let init = Init { zero: false, stores: vec![(0, address?)] };
        Some(StmtKind::Declare(id, init))
    }

    pub(super) fn declare_local(
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
            is_rvalue: found.reference && found.binding != Binding::Objects,
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
}
