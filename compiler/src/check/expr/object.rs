//! Objects that expressions make, in their final place (C++17, [dcl.init], [class.temporary]).
//!
//! An expression that makes an object of a structure, by a constructor or a function with such a
//! result, is written with an object of its own: `(make(&object), object)`. An initialised object
//! replaces it: the expression is written again with its address. So nothing is copied, and an
//! address that the constructor keeps stays right. Otherwise the object of its own is the
//! temporary.
//!
//! The memory of an object is zero before its constructor is called, but where a program places it itself.

use crate::check::expr::bits::sequence;
use crate::check::state::Checker;
use crate::check::state::functions::{FunctionInfo, MethodKind};
use crate::check::tree::{
    Expr, ExprKind, FunctionId, Global, GlobalSpace, Init, LocalId, Place, PlaceKind, StmtKind,
    StructId, Type,
};
use crate::check::tree_walk::{expr_parts, place_parts};
use crate::check::types::CType;
use crate::check::value::{Lvalue, Value};
use crate::syntax::source::Span;
use reconverge_isa::CacheHints;

/// Larger results are made in the caller's place for them, as in the ABI of x86-64.
const RESULT_BYTES: u64 = 16;

/// Writes an expression again with another object in place of one of its own.
struct Replacement<'a> {
    own: &'a PlaceKind,
    by: &'a Place,
}

impl Replacement<'_> {
    fn is_own(&self, place: &Place) -> bool {
        match (&place.kind, self.own) {
            (PlaceKind::Local(one), PlaceKind::Local(other)) => one == other,
            (PlaceKind::Global(one), PlaceKind::Global(other)) => one == other,
            _ => false,
        }
    }

    /// Returns true if an expression makes all of the object of its own zero.
    fn clears(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Assign(place, zero) => {
                self.is_own(place)
                    && matches!(&zero.kind, ExprKind::Construct(parts) if parts.is_empty())
            }
            _ => false,
        }
    }

    fn expr(&mut self, value: &mut Expr) {
        if let ExprKind::AddressOf(place) = &value.kind
            && self.is_own(place)
            && let PlaceKind::Deref(pointer) = &self.by.kind
        {
            value.kind = pointer.kind.clone();
            return;
        }
        expr_parts!(self, &mut value.kind, mut);
    }

    fn place(&mut self, place: &mut Place) {
        if self.is_own(place) {
            place.kind = self.by.kind.clone();
            return;
        }
        place_parts!(self, &mut place.kind);
    }
}

/// Makes all of an object zero.
pub(crate) fn cleared(object: &Place, span: Span) -> Expr {
    let ty = object.ty.clone();
    let zero = Expr { kind: ExprKind::Construct(Vec::new()), ty: ty.clone(), span };
    let kind = ExprKind::Assign(Box::new(object.clone()), Box::new(zero));
    Expr { kind, ty, span }
}

/// A part of an object.
fn part(object: &Place, offset: u64, ty: &Type) -> Place {
    if offset == 0 && object.ty == *ty {
        return object.clone();
    }
    let kind = match &object.kind {
        PlaceKind::Field(outer, at) => PlaceKind::Field(outer.clone(), at + offset),
        _ => PlaceKind::Field(Box::new(object.clone()), offset),
    };
    Place { kind, ty: ty.clone(), ..object.clone() }
}

impl Checker {
    /// The object that `make`, given its address, makes; in an object of its own as long as nothing else takes it.
    pub(crate) fn made(
        &mut self,
        ty: CType,
        span: Span,
        make: impl FnOnce(&mut Checker, &Place) -> Option<Expr>,
    ) -> Option<Value> {
        let own = self.own_object(&ty, span);
        let made = make(self, &own)?;
        let by = sequence(cleared(&own, span), made);
        let load = Expr { kind: ExprKind::Load(own.clone()), ty: own.ty.clone(), span };
        Some(Value { expr: sequence(by, load), ty, bits: None })
    }

    /// A variable for an object that an expression makes.
    fn own_object(&mut self, ty: &CType, span: Span) -> Place {
        let (name, ty) = ("(temporary)".to_owned(), ty.lower());
        let kind = match &mut self.body {
            Some(body) => PlaceKind::Local(body.add_made(name, ty.clone(), span)),
            None => {
                let init = Init { zero: true, stores: Vec::new() };
                let (managed, offset) = (false, 0);
                let space = GlobalSpace::Host;
                let global = Global { name, ty: ty.clone(), space, managed, offset, init, span };
                PlaceKind::Global(self.variables.add_made(global))
            }
        };
        Place { kind, ty, volatile: false, cache: CacheHints::NONE, span }
    }

    /// The expression that makes the object of an expression, and the object of its own.
    fn as_made<'a>(&self, value: &'a Expr) -> Option<(&'a Expr, &'a Place)> {
        let ExprKind::Comma(by, object) = &value.kind else {
            return None;
        };
        let ExprKind::Load(place) = &object.kind else {
            return None;
        };
        let is_own = match place.kind {
            PlaceKind::Local(id) => self.body.as_ref().is_some_and(|body| body.is_made(id)),
            PlaceKind::Global(id) => self.variables.is_made(id),
            _ => false,
        };
        is_own.then_some((by, place))
    }

    /// Returns true if an expression makes an object.
    pub(crate) fn makes_object(&self, value: &Expr) -> bool {
        self.as_made(value).is_some()
    }

    /// A value after something else: an object that it makes is made then.
    pub(crate) fn made_after(&self, first: Expr, value: Expr) -> Expr {
        if self.as_made(&value).is_none() {
            return sequence(first, value);
        }
        match value.kind {
            ExprKind::Comma(by, object) => sequence(sequence(first, *by), *object),
            kind => sequence(first, Expr { kind, ..value }),
        }
    }

    /// The object that an expression makes, as a temporary: the expression, and the object.
    pub(crate) fn made_object(&self, value: &Value) -> Option<(Expr, Lvalue)> {
        let (by, place) = self.as_made(&value.expr)?;
        let ty = value.ty.clone().plain();
        Some((by.clone(), Lvalue::new(place.kind.clone(), ty, value.expr.span)))
    }

    /// Makes a value in a place whose memory is zero, or that the program has chosen.
    pub(crate) fn make_at(&mut self, place: &Place, value: Expr) -> Expr {
        let span = value.span;
        if self.as_made(&value).is_none() {
            let ty = value.ty.clone();
            let kind = ExprKind::Assign(Box::new(place.clone()), Box::new(value));
            return Expr { kind, ty, span };
        }
        self.keep_in_memory(place);
        let ExprKind::Comma(by, object) = value.kind else {
            return value;
        };
        let ExprKind::Load(own) = object.kind else {
            return *by;
        };
        let mut by = *by;
        let mut replacement = Replacement { own: &own.kind, by: place };
        if let ExprKind::Comma(first, _) = &by.kind
            && replacement.clears(first)
            && let ExprKind::Comma(_, rest) = by.kind
        {
            by = *rest;
        }
        replacement.expr(&mut by);
        by
    }

    /// Returns true if an expression makes an object of zeroes, by a constructor that does nothing.
    pub(crate) fn makes_zeroes(&mut self, value: &Expr) -> bool {
        let Some((by, _)) = self.as_made(value) else {
            return false;
        };
        let ExprKind::Comma(_, call) = &by.kind else {
            return false;
        };
        match &call.kind {
            ExprKind::Call(function, arguments) if arguments.len() == 1 => {
                self.does_nothing(*function)
            }
            _ => false,
        }
    }

    /// Returns true if a function has an empty body, or calls only constructors that have.
    fn does_nothing(&mut self, function: FunctionId) -> bool {
        let Some(body) = self.body_of(function) else {
            return false;
        };
        body.body.iter().all(|statement| {
            let StmtKind::Expr(value) = &statement.kind else {
                return false;
            };
            let call = match &value.kind {
                ExprKind::Convert(inner) => inner,
                _ => value,
            };
            match &call.kind {
                // A member's constructor; functions do not lead to themselves so.
                ExprKind::Call(inner, arguments) if arguments.len() == 1 && *inner != function => {
                    self.does_nothing(*inner)
                }
                _ => false,
            }
        })
    }

    /// Makes the objects of an initialiser in the parts of the initialised object.
    pub(crate) fn settle(&mut self, init: &mut Init, place: &Place) {
        for (offset, value) in &mut init.stores {
            if !self.makes_object(value) {
                continue;
            }
            let at = part(place, *offset, &value.ty);
            let span = value.span;
            let nothing = Expr { kind: ExprKind::Int(0), ty: Type::INT, span };
            let made = self.make_at(&at, std::mem::replace(value, nothing));
            *value = void(made);
            init.zero = true;
        }
    }

    /// The stores of an initialiser as expressions, for a place that is zero.
    pub(crate) fn stores_into(&mut self, place: &Place, stores: Vec<(u64, Expr)>) -> Vec<Expr> {
        let store = |this: &mut Checker, (offset, value): (u64, Expr)| {
            if value.ty == Type::Void {
                return value;
            }
            let at = part(place, offset, &value.ty);
            this.make_at(&at, value)
        };
        stores.into_iter().map(|one| store(self, one)).collect()
    }

    /// Returns true if a structure, or one of its members, defines how its objects are copied or
    /// destroyed: it is passed by its address (Itanium C++ ABI, 1.1: non-trivial for the purposes
    /// of calls).
    pub(crate) fn is_passed_by_address(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.is_passed_by_address(&element.ty),
            CType::Struct(id) => {
                self.structure(*id).destroyed
                    || self.has_copy_constructor(*id)
                    || self.any_member(*id, Checker::is_passed_by_address)
            }
            _ => false,
        }
    }

    /// Returns true if constructors make objects of a type, or parts of them.
    fn is_made_by_constructors(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.is_made_by_constructors(&element.ty),
            CType::Struct(id) => {
                self.structure(*id).constructed
                    || self.any_member(*id, Checker::is_made_by_constructors)
            }
            _ => false,
        }
    }

    fn any_member(&self, id: StructId, says: fn(&Checker, &CType) -> bool) -> bool {
        self.structure(id).fields.iter().any(|field| says(self, &field.ty.ty))
    }

    /// Returns true if a function gets the address of an object that it makes, as its first
    /// parameter.
    pub(crate) fn takes_result(&self, info: &FunctionInfo) -> bool {
        if info.method.is_some_and(|method| method.kind == MethodKind::Constructor) {
            return true;
        }
        let Some(result @ CType::Struct(id)) = &info.result else {
            return false;
        };
        self.is_passed_by_address(result)
            || (self.structure(*id).size > RESULT_BYTES && self.is_made_by_constructors(result))
    }

    /// The number of parameters of a function in front of those that are written.
    pub(crate) fn hidden_parameters(&self, info: &FunctionInfo) -> usize {
        usize::from(self.takes_result(info)) + usize::from(info.takes_object())
    }

    /// The address of an object.
    pub(crate) fn address_of_place(&mut self, place: &Place, span: Span) -> Expr {
        self.keep_in_memory(place);
        let kind = match &place.kind {
            PlaceKind::Deref(pointer) => pointer.kind.clone(),
            _ => ExprKind::AddressOf(Box::new(place.clone())),
        };
        Expr { kind, ty: place.ty.clone().pointer_to(), span }
    }

    /// The object whose address is the first parameter of the function being checked.
    pub(crate) fn result_object(&self, ty: &CType, span: Span) -> Lvalue {
        let pointer = ty.clone().pointer_to();
        let place = Lvalue::new(PlaceKind::Local(LocalId(0)), pointer.clone().plain(), span);
        let load = Value::new(ExprKind::Load(place.place), pointer, span);
        Lvalue::deref(load.expr, ty.clone().plain(), span)
    }
}

/// An expression whose value nothing takes.
pub(crate) fn void(value: Expr) -> Expr {
    if value.ty == Type::Void {
        return value;
    }
    let span = value.span;
    Expr { kind: ExprKind::Convert(Box::new(value)), ty: Type::Void, span }
}
