//! The meaning of expressions: values and objects.

use crate::check::expr::constant::Const;
use crate::check::state::structs::Bits;
use crate::check::tree::{Expr, ExprKind, Place, PlaceKind};
use crate::check::types::{CType, QType};
use crate::syntax::source::Span;
use reconverge_isa::CacheHints;

/// A value with its type.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub expr: Expr,
    pub ty: CType,
    /// For the value of a bit-field: how many bits it has.
    pub bits: Option<u32>,
}

impl Value {
    pub fn new(kind: ExprKind, ty: CType, span: Span) -> Value {
        Value { expr: Expr { kind, ty: ty.lower(), span }, ty, bits: None }
    }

    pub fn int(value: i64, ty: CType, span: Span) -> Value {
        Value::new(ExprKind::Int(value), ty, span)
    }
}

/// Something that has an address.
#[derive(Clone, Debug)]
pub(crate) struct Lvalue {
    pub place: Place,
    pub ty: QType,
    /// Its known contents.
    pub constant: Option<Const>,
    /// For a bit-field: where it is in the bytes of the place.
    pub bits: Option<Bits>,
    /// True if the program gives it up: `std::move` of an object.
    pub expires: bool,
    /// For a member that is aligned to less than its type: to how many bytes.
    pub align: Option<u64>,
}

impl Lvalue {
    pub fn new(kind: PlaceKind, ty: QType, span: Span) -> Lvalue {
        let place =
            Place { kind, ty: ty.ty.lower(), volatile: ty.volatile, cache: CacheHints::NONE, span };
        Lvalue { place, ty, constant: None, bits: None, expires: false, align: None }
    }

    /// The target of a pointer.
    pub fn deref(pointer: Expr, to: QType, span: Span) -> Lvalue {
        Lvalue::new(PlaceKind::Deref(Box::new(pointer)), to, span)
    }
}

/// The meaning of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Value(Value),
    Place(Lvalue),
}

impl Operand {
    /// The type, without decay.
    pub fn ty(&self) -> &CType {
        match self {
            Operand::Value(value) => &value.ty,
            Operand::Place(place) => &place.ty.ty,
        }
    }

    /// Returns true if a program may define operators for its type.
    pub fn may_have_operators(&self) -> bool {
        matches!(self.ty(), CType::Struct(_) | CType::Enum(_))
    }

    pub fn span(&self) -> Span {
        match self {
            Operand::Value(value) => value.expr.span,
            Operand::Place(place) => place.place.span,
        }
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand::Value(value)
    }
}

impl From<Lvalue> for Operand {
    fn from(place: Lvalue) -> Operand {
        Operand::Place(place)
    }
}
