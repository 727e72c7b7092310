//! Types in C's spelling, for people.

use crate::check::state::Checker;
use crate::check::tree::IntKind;
use crate::check::types::{CType, Opaque, QType};

fn name_of(kind: IntKind) -> &'static str {
    use IntKind::*;
    match kind {
        Char => "char",
        SChar => "signed char",
        UChar => "unsigned char",
        Short => "short",
        UShort => "unsigned short",
        Int => "int",
        UInt => "unsigned int",
        Long => "long",
        ULong => "unsigned long",
        LongLong => "long long",
        ULongLong => "unsigned long long",
    }
}

impl Checker {
    /// A type in C's spelling.
    pub(crate) fn spell(&self, ty: &CType) -> String {
        self.spell_around(ty, false, false, String::new())
    }

    /// A type with its qualifiers in C's spelling.
    pub(crate) fn spell_qualified(&self, ty: &QType) -> String {
        self.spell_around(&ty.ty, ty.constant, ty.volatile, String::new())
    }

    fn spell_around(&self, ty: &CType, constant: bool, volatile: bool, inner: String) -> String {
        let mut words = String::new();
        if constant {
            words.push_str("const ");
        }
        if volatile {
            words.push_str("volatile ");
        }
        match ty {
            CType::Pointer(to) => {
                let mut mark = format!("*{words}{inner}");
                if inner.is_empty() {
                    mark.truncate(mark.trim_end().len());
                }
                let mark = match to.ty {
                    CType::Array(..) => format!("({mark})"),
                    _ => mark,
                };
                self.spell_around(&to.ty, to.constant, to.volatile, mark)
            }
            CType::Array(element, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                let inner = format!("{inner}[{length}]");
                self.spell_around(&element.ty, element.constant, element.volatile, inner)
            }
            CType::Reference(to, is_rvalue) => {
                let mark = if *is_rvalue { "&&" } else { "&" };
                let mark = match to.ty {
                    CType::Array(..) => format!("({mark}{inner})"),
                    _ => format!("{mark}{inner}"),
                };
                self.spell_around(&to.ty, to.constant, to.volatile, mark)
            }
            base => {
                let space = if inner.is_empty() { "" } else { " " };
                format!("{words}{}{space}{inner}", self.base_name(base))
            }
        }
    }

    fn base_name(&self, ty: &CType) -> &str {
        match ty {
            CType::Bool => "bool",
            CType::Int(kind) => name_of(*kind),
            CType::Enum(of) => self.enumerations.path(of.id),
            CType::Float => "float",
            CType::Double => "double",
            CType::Null => "nullptr_t",
            CType::Opaque(Opaque::File) => "FILE",
            CType::Opaque(Opaque::Ostream) => "std::ostream",
            CType::Opaque(Opaque::Function) => "function",
            CType::Opaque(Opaque::Event) => "struct CUevent_st",
            CType::Opaque(Opaque::Stream) => "struct CUstream_st",
            CType::Struct(id) => &self.structs[*id].name,
            CType::Void | CType::Pointer(_) | CType::Array(..) | CType::Reference(..) => "void",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn spelling() {
        let checker = Checker::default();
        let text = |ty: &CType| checker.spell(ty);
        let char_pointer = CType::CHAR.constant().pointer();
        assert_eq!(text(&char_pointer), "const char *");
        let array = CType::Array(Arc::new(char_pointer.clone().plain()), Some(3));
        assert_eq!(text(&array), "const char *[3]");
        let rows = CType::Array(Arc::new(CType::Float.plain()), Some(4)).plain().pointer();
        assert_eq!(text(&rows), "float (*)[4]");
        assert_eq!(text(&CType::INT.pointer_to().constant().pointer()), "int *const *");
        let rows = CType::Array(Arc::new(CType::Float.plain()), Some(4)).plain();
        assert_eq!(text(&rows.reference(false).ty), "float (&)[4]");
        assert_eq!(text(&CType::INT.constant().reference(true).ty), "const int &&");
    }
}
