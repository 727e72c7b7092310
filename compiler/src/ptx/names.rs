//! Names of kernels.

use reconverge_ptx::tree::Module;
use std::collections::BTreeMap;

/// The names of a module's kernels, in order: the one that C++ mangled, `saxpy` of `_Z5saxpyifPfS_`, where no other kernel has
/// the same; else as it is written.
pub fn of_kernels(module: &Module) -> Vec<String> {
    let written = || module.functions.iter().filter(|it| it.is_entry).map(|it| &*it.name.text);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in written() {
        *counts.entry(source_name(name)).or_default() += 1;
    }
    written()
        .map(|name| match source_name(name) {
            short if counts.get(short) == Some(&1) => short.to_owned(),
            _ => name.to_owned(),
        })
        .collect()
}

/// The name that C++ mangled into this one, without namespaces and template arguments; the name itself if it is not mangled.
pub fn source_name(mangled: &str) -> &str {
    let Some(mut rest) = mangled.strip_prefix("_Z") else {
        return mangled;
    };
    let nested = rest.strip_prefix('N');
    rest = nested.unwrap_or(rest).trim_start_matches(['L', 'K']);
    let mut last = None;
    while let Some((name, after)) = counted(rest) {
        last = Some(name);
        rest = after.trim_start_matches('L');
        if nested.is_none() {
            break;
        }
    }
    // The last part of a nested name is the function's own, unless it has template arguments of its own; both end it.
    last.unwrap_or(mangled)
}

/// `5saxpy…`: the name, and what follows.
fn counted(text: &str) -> Option<(&str, &str)> {
    let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let length: usize = text[..digits].parse().ok()?;
    Some((text.get(digits..digits + length)?, &text[digits + length..]))
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn mangled_names_are_told_from_others() {
        for (mangled, name) in [
            ("_Z5saxpyifPfS_", "saxpy"),
            ("saxpy", "saxpy"),
            ("_ZN2ns4nameEPf", "name"),
            ("_ZL5limit", "limit"),
            ("_Z3sumIfEvPT_", "sum"),
            ("_ZN12_GLOBAL__N_14fillEPi", "fill"),
            ("_Z99x", "_Z99x"),
            ("_Z", "_Z"),
        ] {
            assert_eq!(source_name(mangled), name, "{mangled}");
        }
    }
}
