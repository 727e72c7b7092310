//! Allocations by the names that the program has for them.

use crate::host::allocation::Allocation;
use crate::host::memory::plural;
use reconverge_compiler::syntax::SourceMap;

/// "`x`, 4000 bytes, allocated at main.cu:12", and where in it an address is.
pub(super) fn described(
    allocation: &Allocation,
    sources: &SourceMap,
    address: Option<u32>,
) -> String {
    let bytes = plural(allocation.range.len() as u64, "byte");
    let (name, place) = match allocation.span {
        Some(span) => {
            let name = name(sources.slice(span)).map(|name| format!("`{name}`, "));
            let (file, line) = (sources.name(span.file), sources.line(span));
            (name.unwrap_or_default(), format!(", allocated at {file}:{line}"))
        }
        None => (String::new(), String::new()),
    };
    match address {
        None => format!("{name}{bytes}"),
        Some(address) => {
            let offset = address.saturating_sub(allocation.range.start);
            format!("byte {offset} of {name}{bytes}{place}")
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
