//! Allocations by the names that the program has for them.

use crate::host::allocation::Allocation;
use crate::host::scalar::{Scalar, spell};
use reconverge_compiler::check::tree::{Module, Type};
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::wording::counted;

/// "`x`, 1000 float, allocated at main.cu:12", and where in it an address is.
pub(super) fn described(
    allocation: &Allocation,
    module: &Module,
    sources: &SourceMap,
    address: Option<u32>,
) -> String {
    let length = allocation.range.len() as u64;
    let size = |ty: &Type| ty.size(&module.structs).max(1);
    let element = allocation.element.as_ref().filter(|ty| length.is_multiple_of(size(ty)));
    let extent = match element {
        Some(ty) => format!("{} {}", length / size(ty), spell(ty, module)),
        None => counted(length, "byte"),
    };
    let (name, place) = match allocation.span {
        Some(span) => {
            let name = name(sources.slice(span)).map(|name| format!("`{name}`, "));
            let (file, line) = (sources.name(span.file), sources.line(span));
            (name.unwrap_or_default(), format!(", allocated at {file}:{line}"))
        }
        None => (String::new(), String::new()),
    };
    let Some(address) = address else {
        return format!("{name}{extent}");
    };
    let offset = u64::from(address.saturating_sub(allocation.range.start));
    let at = match element {
        Some(ty) if offset.is_multiple_of(size(ty)) => format!("element {}", offset / size(ty)),
        _ => format!("byte {offset}"),
    };
    format!("{at} of {name}{extent}{place}")
}

/// Bytes of memory as a value of a type, in hexadecimal where it is not known or has parts.
pub(super) fn value_at(ty: Option<&Type>, bytes: &[u8]) -> String {
    match ty.and_then(Scalar::of).filter(|scalar| scalar.bytes() == bytes.len()) {
        Some(scalar) => scalar.text(bytes),
        None => {
            let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
            format!("0x{digits}")
        }
    }
}

/// The variable that an allocating call is given: of `cudaMalloc((void **)&x, n)`, `x`.
fn name(call: &str) -> Option<&str> {
    let inside = &call[call.find('(')? + 1..];
    let mut depth = 0;
    let end = inside.find(|letter| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        depth < 0 || depth == 0 && letter == ','
    });
    let first = inside.get(..end.unwrap_or(inside.len()))?;
    let name = first.rsplit(['&', ')']).next()?.trim();
    let is_plain = |letter: char| letter.is_alphanumeric() || "_.->[]".contains(letter);
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_pointer() {
        assert_eq!(name("cudaMalloc(&x, n * f(4))"), Some("x"));
        assert_eq!(name("cudaMalloc((void **)&s.d[i], n)"), Some("s.d[i]"));
        assert_eq!(name("cudaMalloc( (void**) p, n)"), Some("p"));
        assert_eq!(name("cudaMalloc(&(x), 4)"), None);
        assert_eq!(name("allocate"), None);
    }
}
