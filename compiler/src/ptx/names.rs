//! Names of kernels.

use reconverge_ptx::tree::{Function, Module};
use std::collections::BTreeMap;

/// A module's kernels with their names, in order: the one that C++ mangled, `saxpy` of `_Z5saxpyifPfS_`, where no other kernel has
/// the same; else with template arguments, `tiled<1>` of `_Z5tiledILi1EEvPf`, where no other has the same; else as it is written.
pub fn of_kernels(module: &Module) -> Vec<(String, &Function)> {
    let kernels = || module.functions.iter().filter(|it| it.is_entry);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in kernels().map(|kernel| &*kernel.name.text) {
        *counts.entry(source_name(name).to_owned()).or_default() += 1;
        if let Some(instance) = instance_name(name) {
            *counts.entry(instance).or_default() += 1;
        }
    }
    let is_single = |name: &String| counts.get(name) == Some(&1);
    kernels()
        .map(|kernel| {
            let name = &*kernel.name.text;
            let short = Some(source_name(name).to_owned()).filter(is_single);
            let instance = || instance_name(name).filter(is_single);
            (short.or_else(instance).unwrap_or_else(|| name.to_owned()), kernel)
        })
        .collect()
}

/// The name that C++ mangled into this one with its template arguments, as the compiler of CUDA source spells them: `f<float, 3>`.
/// `None` if there are none, or if one is neither a number nor a type with a name.
pub fn instance_name(mangled: &str) -> Option<String> {
    let (name, behind) = split(mangled)?;
    let (arguments, _) = arguments(behind)?;
    Some(format!("{name}{arguments}"))
}

/// `Li3EfE…`: template arguments in their brackets, and what follows.
fn arguments(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('I')?;
    let mut found = Vec::new();
    while !rest.starts_with('E') {
        let (argument, after) = match rest.strip_prefix('L') {
            Some(literal) => literal_argument(literal)?,
            None => type_argument(rest)?,
        };
        found.push(argument);
        rest = after;
    }
    Some((format!("<{}>", found.join(", ")), &rest[1..]))
}

/// `3Box…` or `3BoxIiE…`: a name, with its template arguments if there are any, and what follows.
fn with_arguments(text: &str) -> Option<(String, &str)> {
    let (name, after) = counted(text)?;
    match after.starts_with('I') {
        true => {
            let (arguments, after) = arguments(after)?;
            Some((format!("{name}{arguments}"), after))
        }
        false => Some((name.to_owned(), after)),
    }
}

/// `2ns3BoxE…`: a name in namespaces or classes, and what follows.
fn nested_name(text: &str) -> Option<(String, &str)> {
    let (mut name, mut rest) = with_arguments(text)?;
    while !rest.starts_with('E') {
        let (part, after) = with_arguments(rest)?;
        name = format!("{name}::{part}");
        rest = after;
    }
    Some((name, &rest[1..]))
}

/// `i3E…`: the number of a constant, and what follows.
fn literal_argument(text: &str) -> Option<(String, &str)> {
    let (ty, rest) = type_argument(text)?;
    let (digits, after) = rest.split_once('E')?;
    let (sign, digits) = match digits.strip_prefix('n') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    if digits.is_empty() || !digits.chars().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let number = match (ty.as_str(), digits) {
        ("bool", "0") => "false".to_owned(),
        ("bool", "1") => "true".to_owned(),
        _ => format!("{sign}{digits}"),
    };
    Some((number, after))
}

/// `PKf…`: a type, and what follows.
fn type_argument(text: &str) -> Option<(String, &str)> {
    if let Some(to) = text.strip_prefix('P') {
        let (to, after) = type_argument(to)?;
        let space = if to.ends_with('*') { "" } else { " " };
        return Some((format!("{to}{space}*"), after));
    }
    if let Some(constant) = text.strip_prefix('K') {
        let (of, after) = type_argument(constant)?;
        // `K` before a pointer is about the pointer itself, which is written after it.
        return (!of.ends_with('*')).then(|| (format!("const {of}"), after));
    }
    if let Some(nested) = text.strip_prefix('N') {
        return nested_name(nested);
    }
    if text.starts_with(|it: char| it.is_ascii_digit()) {
        return with_arguments(text);
    }
    let name = match text.chars().next()? {
        'b' => "bool",
        'c' => "char",
        'a' => "signed char",
        'h' => "unsigned char",
        's' => "short",
        't' => "unsigned short",
        'i' => "int",
        'j' => "unsigned int",
        'l' => "long",
        'm' => "unsigned long",
        'x' => "long long",
        'y' => "unsigned long long",
        'f' => "float",
        'd' => "double",
        _ => return None,
    };
    Some((name.to_owned(), &text[1..]))
}

/// The name that C++ mangled into this one, without namespaces and template arguments; the name itself if it is not mangled.
pub fn source_name(mangled: &str) -> &str {
    split(mangled).map_or(mangled, |(name, _)| name)
}

/// The name that C++ mangled into this one, and the text behind it; `None` if it is not mangled.
fn split(mangled: &str) -> Option<(&str, &str)> {
    let mut rest = mangled.strip_prefix("_Z")?;
    let nested = rest.strip_prefix('N');
    rest = nested.unwrap_or(rest).trim_start_matches(['L', 'K']);
    let mut last = None;
    while let Some((name, after)) = counted(rest) {
        last = Some((name, after));
        rest = after.trim_start_matches('L');
        if nested.is_none() {
            break;
        }
    }
    // The last part of a nested name is the function's own, unless it has template arguments of its own; both end it.
    last
}

/// `5saxpy…`: the name, and what follows.
fn counted(text: &str) -> Option<(&str, &str)> {
    let digits = text.len() - text.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    let length: usize = text[..digits].parse().ok()?;
    Some((text.get(digits..digits + length)?, &text[digits + length..]))
}

#[cfg(test)]
mod tests {
    use super::{instance_name, source_name};

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

    #[test]
    fn instances_are_spelled_as_in_the_source() {
        for (mangled, name) in [
            ("_Z5tiledILi0EEvPfPKfii", Some("tiled<0>")),
            ("_ZN2ns1fIjLin3EEEvPT_", Some("f<unsigned int, -3>")),
            ("_Z1bILb1ELc97EEvPi", Some("b<true, 97>")),
            ("_Z1sIPKiEvPT_", Some("s<const int *>")),
            ("_Z1sIPPiEvPT_", Some("s<int **>")),
            ("_Z1sI6float4EvPT_", Some("s<float4>")),
            ("_Z2enIL1E1EEvPi", Some("en<1>")),
            ("_Z1sI3BoxIiLi2EEEvPT_", Some("s<Box<int, 2>>")),
            ("_Z1sIN2ns3BoxIfEEEvPT_", Some("s<ns::Box<float>>")),
            ("_Z1sIN2ns3BoxEiEvPT_", Some("s<ns::Box, int>")),
            ("_Z1sI3BoxIS_EEvPT_", None),
            ("_Z1sIN2ns3Box", None),
            ("_Z1sIFvvEEvPT_", None),
            ("_Z5saxpyifPfS_", None),
            ("_Z3sumI", None),
            ("_Z3sumILi", None),
            ("saxpy", None),
        ] {
            assert_eq!(instance_name(mangled).as_deref(), name, "{mangled}");
        }
    }
}
