//! The machine-level kinds of scalar value.

use reconverge_compiler::check::tree::{IntKind, Type};

/// A scalar type, where `long` and `long long` are the same, and so are `char` and `signed char`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub enum Kind {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    Pointer,
    F32,
    F64,
}

impl Kind {
    /// The kind of a scalar type; anything else counts as a pointer, by its address.
    pub fn of(ty: &Type) -> Kind {
        match ty {
            Type::Bool => Kind::Bool,
            Type::Int(kind) => Kind::of_int(*kind),
            Type::Float => Kind::F32,
            Type::Double => Kind::F64,
            Type::Void | Type::Pointer(_) | Type::Array(..) | Type::Struct(_) => Kind::Pointer,
        }
    }

    fn of_int(kind: IntKind) -> Kind {
        match (kind.size(), kind.signed()) {
            (1, true) => Kind::I8,
            (1, false) => Kind::U8,
            (2, true) => Kind::I16,
            (2, false) => Kind::U16,
            (4, true) => Kind::I32,
            (4, false) => Kind::U32,
            (_, true) => Kind::I64,
            (_, false) => Kind::U64,
        }
    }

    /// The kind with this number, for instructions that carry one.
    pub fn from_number(number: u32) -> Kind {
        use Kind::*;
        const ALL: [Kind; 12] = [Bool, I8, U8, I16, U16, I32, U32, I64, U64, Pointer, F32, F64];
        ALL[number as usize % ALL.len()]
    }

    /// `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64)
    }

    /// Signed integers.
    pub fn is_signed(self) -> bool {
        matches!(self, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64)
    }

    /// The kind in which arithmetic on this one happens: integers below `int` promote.
    pub fn promoted(self) -> Kind {
        match self {
            Kind::Bool | Kind::I8 | Kind::U8 | Kind::I16 | Kind::U16 => Kind::I32,
            other => other,
        }
    }

    /// The lowest and highest value of an integer kind, in the smallest type for all of them.
    pub fn range(self) -> (i128, i128) {
        match self {
            Kind::Bool => (0, 1),
            Kind::I8 => (i8::MIN.into(), i8::MAX.into()),
            Kind::U8 => (0, u8::MAX.into()),
            Kind::I16 => (i16::MIN.into(), i16::MAX.into()),
            Kind::U16 => (0, u16::MAX.into()),
            Kind::I32 => (i32::MIN.into(), i32::MAX.into()),
            Kind::U32 | Kind::Pointer => (0, u32::MAX.into()),
            Kind::I64 => (i64::MIN.into(), i64::MAX.into()),
            Kind::U64 | Kind::F32 | Kind::F64 => (0, u64::MAX.into()),
        }
    }

    /// Returns true if every value of this kind, in its slot form, is also the slot form of
    /// `wider`. 64-bit kinds take any slot: the bits are the result of C's conversion.
    pub fn fits(self, wider: Kind) -> bool {
        if matches!(wider, Kind::I64 | Kind::U64) {
            return true;
        }
        let ((low, high), (lowest, highest)) = (self.range(), wider.range());
        lowest <= low && high <= highest
    }
}
