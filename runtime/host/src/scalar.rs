//! The scalar parts of values that kernels receive and return.

use reconverge_compiler::check::tree::{IntKind, Module, Struct, Type};

/// A type of number, with C's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names are Rust's
pub enum Scalar {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// Every scalar type with its name in C and its name in `.npy` files.
    pub const ALL: [(Scalar, &'static str, &'static str); 11] = [
        (Scalar::Bool, "bool", "|b1"),
        (Scalar::I8, "char", "|i1"),
        (Scalar::U8, "unsigned char", "|u1"),
        (Scalar::I16, "short", "<i2"),
        (Scalar::U16, "unsigned short", "<u2"),
        (Scalar::I32, "int", "<i4"),
        (Scalar::U32, "unsigned int", "<u4"),
        (Scalar::I64, "long long", "<i8"),
        (Scalar::U64, "unsigned long long", "<u8"),
        (Scalar::F32, "float", "<f4"),
        (Scalar::F64, "double", "<f8"),
    ];

    /// Its name in C.
    pub fn name(self) -> &'static str {
        Scalar::ALL[self as usize].1
    }

    /// Its size in bytes, which is its alignment too.
    pub fn bytes(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// Returns true if it is `float` or `double`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// The scalar of a type of the language.
    pub fn of(ty: &Type) -> Option<Scalar> {
        Some(match ty {
            Type::Bool => Scalar::Bool,
            Type::Float => Scalar::F32,
            Type::Double => Scalar::F64,
            Type::Int(kind) => match (kind.size(), kind.signed()) {
                (1, true) => Scalar::I8,
                (1, false) => Scalar::U8,
                (2, true) => Scalar::I16,
                (2, false) => Scalar::U16,
                (4, true) => Scalar::I32,
                (4, false) => Scalar::U32,
                (_, true) => Scalar::I64,
                (_, false) => Scalar::U64,
            },
            _ => return None,
        })
    }

    /// Returns true if values of the other type have the same bits for the same numbers, except for
    /// the sign.
    pub fn agrees(self, other: Scalar) -> bool {
        self.bytes() == other.bytes() && self.is_float() == other.is_float()
    }

    /// The value of some bits as text: the shortest that reads back as the same.
    pub fn text(self, bytes: &[u8]) -> String {
        let bits = bits(bytes);
        match self {
            Scalar::Bool => (bits & 0xFF != 0).to_string(),
            Scalar::I8 => (bits as i8).to_string(),
            Scalar::I16 => (bits as i16).to_string(),
            Scalar::I32 => (bits as i32).to_string(),
            Scalar::I64 => (bits as i64).to_string(),
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => bits.to_string(),
            Scalar::F32 => f32::from_bits(bits as u32).to_string(),
            Scalar::F64 => f64::from_bits(bits).to_string(),
        }
    }
}

fn bits(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    for (to, from) in all.iter_mut().zip(bytes) {
        *to = *from;
    }
    u64::from_le_bytes(all)
}

/// A part of a value that is a number or a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name as one writes it after the whole: `.v[2].x`, or nothing.
    pub path: String,
    /// Bytes from the start of the whole.
    pub offset: usize,
    /// Its type; `Err` holds the target of a pointer.
    pub ty: Result<Scalar, Type>,
}

/// The most scalars that a value may have.
const MOST_PARTS: usize = 4096;

/// The scalar parts of a type in order; of a union those of its first member. `None` when there are
/// too many to be written one by one.
pub fn parts(ty: &Type, structs: &[Struct]) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    collect(ty, structs, String::new(), 0, &mut found)?;
    Some(found)
}

fn collect(
    ty: &Type,
    structs: &[Struct],
    path: String,
    offset: usize,
    found: &mut Vec<Part>,
) -> Option<()> {
    if found.len() >= MOST_PARTS {
        return None;
    }
    match ty {
        Type::Struct(id) => {
            let data = &structs[id.0 as usize];
            let count = if data.is_union { 1 } else { data.fields.len() };
            for field in data.fields.iter().take(count) {
                let path = format!("{path}.{}", field.name);
                collect(&field.ty, structs, path, offset + field.offset as usize, found)?;
            }
        }
        Type::Array(element, length) => {
            let size = element.size(structs) as usize;
            for index in 0..*length as usize {
                let path = format!("{path}[{index}]");
                collect(element, structs, path, offset + index * size, found)?;
            }
        }
        Type::Pointer(to) => found.push(Part { path, offset, ty: Err((**to).clone()) }),
        other => {
            let ty = Ok(Scalar::of(other)?);
            found.push(Part { path, offset, ty });
        }
    }
    Some(())
}

/// The spelling of a type in C.
pub fn spell(ty: &Type, module: &Module) -> String {
    match ty {
        Type::Void => "void".to_owned(),
        Type::Int(IntKind::SChar) => "signed char".to_owned(),
        Type::Int(IntKind::Long) => "long".to_owned(),
        Type::Int(IntKind::ULong) => "unsigned long".to_owned(),
        Type::Pointer(to) => match &**to {
            Type::Pointer(_) => format!("{}*", spell(to, module)),
            Type::Array(..) => format!("{} (*)", spell(to, module)),
            to => format!("{} *", spell(to, module)),
        },
        Type::Array(element, length) => format!("{}[{length}]", spell(element, module)),
        Type::Struct(id) => module.structs[id.0 as usize].name.clone(),
        scalar => Scalar::of(scalar).map_or("", Scalar::name).to_owned(),
    }
}
