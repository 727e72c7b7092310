//! Types as the checker sees them: with qualifiers, and with the few kinds that the checked tree
//! has no need of.

pub(crate) mod layout;
pub(crate) mod placement;
mod spell;
pub(crate) mod supplied;

use crate::check::tree::{IntKind, StructId, Type};
use std::sync::Arc;

/// The most pointers and arrays that a type may be built of, typedefs seen through.
pub(crate) const TYPE_DEPTH: u32 = 250;

/// Types of the library that programs only hold pointers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Opaque {
    File,
    Event,
    Stream,
    /// `std::ostream`.
    Ostream,
    /// A function, to which typedefs and parameters of templates may point.
    Function,
}

/// An enumeration; the checked tree holds its values as integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Enumeration {
    /// Its number among the enumerations of the program.
    pub id: u32,
    /// The integer type that holds its values.
    pub kind: IntKind,
    /// True if it is an `enum class`, which converts to integers by casts alone.
    pub is_scoped: bool,
    /// True if it names no integer type and has no negative value: a bit-field of it is unsigned.
    pub nonnegative: bool,
}

/// A type without its outermost qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CType {
    Void,
    Bool,
    Int(IntKind),
    Enum(Enumeration),
    Float,
    Double,
    /// The type of `nullptr`.
    Null,
    Pointer(Arc<QType>),
    /// Without a length until its initialiser gives it.
    Array(Arc<QType>, Option<u64>),
    Struct(StructId),
    Opaque(Opaque),
    /// A reference, which names of types and arguments of templates stand for; to an rvalue if
    /// true. Expressions have the type that it refers to.
    Reference(Arc<QType>, bool),
}

/// A type with its outermost qualifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QType {
    pub ty: CType,
    pub constant: bool,
    pub volatile: bool,
}

impl CType {
    pub const CHAR: CType = CType::Int(IntKind::Char);
    pub const INT: CType = CType::Int(IntKind::Int);
    pub const UINT: CType = CType::Int(IntKind::UInt);
    pub const LONG: CType = CType::Int(IntKind::Long);
    pub const LONG_LONG: CType = CType::Int(IntKind::LongLong);
    pub const SIZE: CType = CType::Int(IntKind::ULong);

    pub fn plain(self) -> QType {
        QType { ty: self, constant: false, volatile: false }
    }

    pub fn constant(self) -> QType {
        QType { ty: self, constant: true, volatile: false }
    }

    pub fn pointer_to(self) -> CType {
        self.plain().pointer()
    }

    /// Returns true if this is `bool`, an integer type or an enumeration.
    pub fn is_integer(&self) -> bool {
        matches!(self, CType::Bool | CType::Int(_) | CType::Enum(_))
    }

    pub fn is_enumeration(&self) -> bool {
        matches!(self, CType::Enum(_))
    }

    /// Returns true if values convert to no number without a cast.
    pub fn is_scoped_enumeration(&self) -> bool {
        matches!(self, CType::Enum(Enumeration { is_scoped: true, .. }))
    }

    /// The integer type that holds the values of an integer type or of an enumeration.
    pub fn kind(&self) -> Option<IntKind> {
        match self {
            CType::Int(kind) | CType::Enum(Enumeration { kind, .. }) => Some(*kind),
            _ => None,
        }
    }

    pub fn is_floating(&self) -> bool {
        matches!(self, CType::Float | CType::Double)
    }

    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || self.is_floating()
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self, CType::Pointer(_))
    }

    /// Returns true if values can be compared with zero.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer() || *self == CType::Null
    }

    /// Returns true if this is a function, or a pointer to one.
    pub fn is_function(&self) -> bool {
        let of = self.pointee().map_or(self, |to| &to.ty);
        *of == CType::Opaque(Opaque::Function)
    }

    pub fn is_void(&self) -> bool {
        *self == CType::Void
    }

    /// The target type of a pointer.
    pub fn pointee(&self) -> Option<&QType> {
        match self {
            CType::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The type in which the checked tree holds values of this one.
    pub fn lower(&self) -> Type {
        match self {
            CType::Void | CType::Opaque(_) => Type::Void,
            CType::Bool => Type::Bool,
            CType::Int(kind) | CType::Enum(Enumeration { kind, .. }) => Type::Int(*kind),
            CType::Float => Type::Float,
            CType::Double => Type::Double,
            CType::Null => Type::Void.pointer_to(),
            CType::Pointer(to) => to.ty.lower().pointer_to(),
            CType::Array(element, length) => element.ty.lower().array_of(length.unwrap_or(0)),
            CType::Struct(id) => Type::Struct(*id),
            CType::Reference(to, _) => to.ty.lower().pointer_to(),
        }
    }

    /// The number of pointers and arrays that the type is built of.
    pub fn depth(&self) -> u32 {
        let mut depth = 0;
        let mut ty = self;
        while let CType::Pointer(inner) | CType::Array(inner, _) = ty {
            depth += 1;
            ty = &inner.ty;
        }
        depth
    }

    /// The type after the integer promotions.
    pub fn promoted(&self) -> CType {
        match self {
            CType::Bool => CType::INT,
            CType::Int(kind) if kind.size() < 4 => CType::INT,
            CType::Enum(of) => CType::Int(of.kind).promoted(),
            other => other.clone(),
        }
    }
}

impl QType {
    pub fn pointer(self) -> CType {
        CType::Pointer(Arc::new(self))
    }

    /// A reference to the type; one to a reference refers to rvalues only if both do (C++17,
    /// [dcl.ref]).
    pub fn reference(self, is_rvalue: bool) -> QType {
        match self.ty {
            CType::Reference(to, inner) => CType::Reference(to, inner && is_rvalue).plain(),
            _ => CType::Reference(Arc::new(self), is_rvalue).plain(),
        }
    }

    /// The type that a reference refers to, or the type itself.
    pub fn referred(self) -> QType {
        match self.ty {
            CType::Reference(to, _) => Arc::unwrap_or_clone(to),
            _ => self,
        }
    }

    /// The type with more qualifiers; those of an array are its elements', and a reference has none.
    pub fn qualified(self, constant: bool, volatile: bool) -> QType {
        if (!constant && !volatile) || matches!(self.ty, CType::Reference(..)) {
            return self;
        }
        if let CType::Array(element, length) = &self.ty {
            let element = QType::clone(element).qualified(constant, volatile);
            return CType::Array(Arc::new(element), *length).plain();
        }
        QType {
            constant: self.constant || constant,
            volatile: self.volatile || volatile,
            ty: self.ty,
        }
    }

    /// Returns true if every access to objects of the type must be made.
    pub fn is_volatile(&self) -> bool {
        match &self.ty {
            CType::Array(element, _) => self.volatile || element.is_volatile(),
            _ => self.volatile,
        }
    }

    /// Returns true if objects of the type may not be written.
    pub fn is_constant(&self) -> bool {
        match &self.ty {
            CType::Array(element, _) => element.is_constant(),
            _ => self.constant,
        }
    }
}

/// The type in which an operation on two numbers happens.
pub(crate) fn common(a: &CType, b: &CType) -> CType {
    if *a == CType::Double || *b == CType::Double {
        return CType::Double;
    }
    if *a == CType::Float || *b == CType::Float {
        return CType::Float;
    }
    match (a.promoted(), b.promoted()) {
        (CType::Int(a), CType::Int(b)) => CType::Int(common_integer(a, b)),
        _ => CType::INT,
    }
}

fn rank(kind: IntKind) -> u32 {
    use IntKind::*;
    match kind {
        Char | SChar | UChar => 0,
        Short | UShort => 1,
        Int | UInt => 2,
        Long | ULong => 3,
        LongLong | ULongLong => 4,
    }
}

fn unsigned(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Int => IntKind::UInt,
        IntKind::Long => IntKind::ULong,
        IntKind::LongLong => IntKind::ULongLong,
        other => other,
    }
}

fn common_integer(a: IntKind, b: IntKind) -> IntKind {
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if rank(high) == rank(low) {
        return if high.signed() { low } else { high };
    }
    let keeps_sign = high.signed() && (low.signed() || high.size() > low.size());
    if keeps_sign || !high.signed() { high } else { unsigned(high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions() {
        use IntKind::*;
        let int = CType::Int;
        assert_eq!(common(&int(Char), &int(UShort)), CType::INT);
        assert_eq!(common(&int(Int), &int(UInt)), CType::UINT);
        assert_eq!(common(&int(UInt), &int(Long)), CType::LONG);
        assert_eq!(common(&int(ULong), &int(LongLong)), int(ULongLong));
        assert_eq!(common(&int(ULong), &int(Int)), int(ULong));
        assert_eq!(common(&CType::Bool, &CType::Float), CType::Float);
        assert_eq!(common(&CType::Float, &CType::Double), CType::Double);
    }
}
