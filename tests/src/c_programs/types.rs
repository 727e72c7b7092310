//! C's arithmetic types, and their conversions in operations.

use crate::generate::Random;

/// An arithmetic type as an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    Bool,
    /// Bits, and whether it has a sign.
    Int(u32, bool),
    Float,
    Double,
}

/// The types of variables.
pub const TYPES: [(&str, Ty); 14] = [
    ("bool", Ty::Bool),
    ("char", Ty::Int(8, true)),
    ("signed char", Ty::Int(8, true)),
    ("unsigned char", Ty::Int(8, false)),
    ("short", Ty::Int(16, true)),
    ("unsigned short", Ty::Int(16, false)),
    ("int", Ty::Int(32, true)),
    ("unsigned int", Ty::Int(32, false)),
    ("long", Ty::Int(64, true)),
    ("unsigned long", Ty::Int(64, false)),
    ("long long", Ty::Int(64, true)),
    ("unsigned long long", Ty::Int(64, false)),
    ("float", Ty::Float),
    ("double", Ty::Double),
];

pub const INT: Ty = Ty::Int(32, true);

impl Ty {
    pub fn is_float(self) -> bool {
        matches!(self, Ty::Float | Ty::Double)
    }

    pub fn promoted(self) -> Ty {
        match self {
            Ty::Bool | Ty::Int(8 | 16, _) => INT,
            other => other,
        }
    }

    /// The type of an operation on both.
    pub fn common(self, other: Ty) -> Ty {
        match (self.promoted(), other.promoted()) {
            (Ty::Double, _) | (_, Ty::Double) => Ty::Double,
            (Ty::Float, _) | (_, Ty::Float) => Ty::Float,
            (Ty::Int(a, s), Ty::Int(b, t)) if a == b => Ty::Int(a, s && t),
            (a @ Ty::Int(m, _), b @ Ty::Int(n, _)) => {
                if m > n {
                    a
                } else {
                    b
                }
            }
            (a, _) => a,
        }
    }

    /// The statement that prints a value of this type, after promotion.
    pub fn print(self, text: &str) -> String {
        match self.promoted() {
            Ty::Float | Ty::Double => format!("show({text});\n"),
            Ty::Int(32, true) => format!("printf(\"%d\\n\", {text});\n"),
            Ty::Int(32, false) => format!("printf(\"%u\\n\", {text});\n"),
            Ty::Int(_, true) => format!("printf(\"%lld\\n\", (long long)({text}));\n"),
            _ => format!("printf(\"%llu\\n\", (unsigned long long)({text}));\n"),
        }
    }
}

/// A type with its name.
pub fn any(random: &mut Random) -> (&'static str, Ty) {
    TYPES[random.below(TYPES.len())]
}

/// A literal of any type, in parentheses where it needs them.
pub fn literal(random: &mut Random) -> (String, Ty) {
    let bits = random.draw() >> random.below(64);
    let small = bits & 0x7fff_ffff;
    match random.below(10) {
        0..=2 => (format!("{}", small % 100), INT),
        3 => (format!("{small}"), INT),
        4 => (format!("{}u", bits as u32), Ty::Int(32, false)),
        5 => (format!("{}ll", bits >> 1), Ty::Int(64, true)),
        6 => (format!("{bits:#x}ull"), Ty::Int(64, false)),
        7 => (format!("0{:o}", small % 512), INT),
        8 => (format!("{}.{}f", small % 1000, bits % 97), Ty::Float),
        _ => (format!("{}.{}e{}", small % 10, bits % 9973, bits % 9), Ty::Double),
    }
}
