//! Reading machine files and settings.

use reconverge_isa::Unit;
use reconverge_isa::names::{NameKind, renamed};
use toml::{Table, Value};

use super::Machine;
use crate::registry::mechanisms;
use reconverge_isa::nearest::hint;

/// The shipped machine files.
const SHIPPED: &[(&str, &str)] = &[
    ("gtx480", include_str!("../../machines/gtx480.toml")),
    ("gtx480-ch3", include_str!("../../machines/gtx480-ch3.toml")),
    ("gtx480-ch5", include_str!("../../machines/gtx480-ch5.toml")),
    ("gtx480-ch6", include_str!("../../machines/gtx480-ch6.toml")),
    ("fermi-1sm", include_str!("../../machines/fermi-1sm.toml")),
    ("fx5800", include_str!("../../machines/fx5800.toml")),
    ("fx5800-early", include_str!("../../machines/fx5800-early.toml")),
    ("fx5800-ch4", include_str!("../../machines/fx5800-ch4.toml")),
    ("ivb", include_str!("../../machines/ivb.toml")),
    ("tiny", include_str!("../../machines/tiny.toml")),
];

/// A line of `list machines`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineInfo {
    /// The name.
    pub name: String,
    /// One sentence.
    pub description: String,
}

/// The shipped machines. One whose file does not load is listed all the same, described by the error.
pub fn machines() -> Vec<MachineInfo> {
    let info = |(name, _): &(&str, &str)| MachineInfo {
        name: name.to_string(),
        description: match Machine::load(name, &[]) {
            Ok(machine) => machine.description,
            Err(error) => format!("does not load: {error}"),
        },
    };
    SHIPPED.iter().map(info).collect()
}

impl Machine {
    /// Loads a machine: `source` is the name of a shipped one or the text of a machine file, `sets`
    /// are changes as (dotted path, value). A file may start from a shipped machine with
    /// `base = "name"` and say only what differs.
    ///
    /// The error is a sentence for the user.
    pub fn load(source: &str, sets: &[(String, String)]) -> Result<Machine, String> {
        from_table(table_with(source, sets)?)
    }

    /// The same, with the machine as a complete file, which [`Machine::load`] takes back.
    ///
    /// The error is a sentence for the user.
    pub fn resolve(source: &str, sets: &[(String, String)]) -> Result<(Machine, String), String> {
        let table = table_with(source, sets)?;
        let text = table.to_string();
        Ok((from_table(table)?, text))
    }
}

/// The complete table of a machine with settings.
fn table_with(source: &str, sets: &[(String, String)]) -> Result<Table, String> {
    let mut table = complete_table(source, SHIPPED)?;
    for (key, value) in sets {
        apply_set(&mut table, key, value)
            .map_err(|error| format!("setting `{key}={value}`: {error}"))?;
    }
    for (slot, short, name) in SHORT_NAMES {
        if table.get(*slot).and_then(Value::as_str) == Some(short) {
            table.insert((*slot).to_owned(), Value::String((*name).to_owned()));
        }
    }
    Ok(table)
}

/// Short names of mechanisms, as the literature has them: slot, short name, name. The complete file has the name.
const SHORT_NAMES: &[(&str, &str, &str)] =
    &[("scheduler", "gto", "greedy-then-oldest"), ("scheduler", "lrr", "loose-round-robin")];

/// The complete table of a machine of some that are shipped or of a file's text.
fn complete_table(source: &str, shipped: &[(&str, &str)]) -> Result<Table, String> {
    if let Some((_, text)) = shipped.iter().find(|(name, _)| *name == source) {
        return with_base(parse(text)?, shipped, &[source]);
    }
    if !source.contains(['=', '\n', '[']) {
        let names: Vec<&str> = shipped.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "unknown machine `{source}`; known: {}{}",
            names.join(", "),
            hint(source, names.iter().copied())
        ));
    }
    with_base(parse(source)?, shipped, &[])
}

/// A table with all that its base says and it does not. `above` are the shipped machines of which it is the
/// base.
fn with_base(mut table: Table, shipped: &[(&str, &str)], above: &[&str]) -> Result<Table, String> {
    refuse_old_names(&table, "")?;
    let Some(base) = table.remove("base") else {
        return Ok(table);
    };
    let found = shipped.iter().find(|(name, _)| base.as_str() == Some(name));
    let Some(&(name, text)) = found else {
        return Err(format!("`base` must name a shipped machine, not {base}"));
    };
    if above.contains(&name) {
        return Err(format!("`base` of `{name}` leads back to `{name}`"));
    }
    let mut complete = with_base(parse(text)?, shipped, &[above, &[name]].concat())?;
    merge(&mut complete, table);
    Ok(complete)
}

fn parse(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| format!("not a machine file: {error}"))
}

/// An error if the table, which stands at `path` in its file, has a key or a value by its old name.
fn refuse_old_names(table: &Table, path: &str) -> Result<(), String> {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        refuse_old_name(&path)?;
        match value {
            Value::Table(inner) => refuse_old_names(inner, &path)?,
            Value::String(text) => refuse_old_name(&format!("{path}={text}"))?,
            _ => {}
        }
    }
    Ok(())
}

/// An error if `name` is the old name of a key, or, as `key=value`, of a value.
fn refuse_old_name(name: &str) -> Result<(), String> {
    match renamed(NameKind::MachineKey, name) {
        Some(new) => Err(format!("`{name}` is now called `{new}`")),
        None => Ok(()),
    }
}

fn merge(into: &mut Table, from: Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

/// Whether a top-level table holds options of a mechanism.
fn is_mechanism(name: &str) -> bool {
    mechanisms().iter().any(|info| info.name == name)
}

/// Puts one setting into the table. A path that the machine does not have is an error here, where
/// the nearest one can be named.
fn apply_set(table: &mut Table, key: &str, value: &str) -> Result<(), String> {
    let ends = key.match_indices('.').map(|(end, _)| end).chain([key.len()]);
    for end in ends {
        refuse_old_name(&key[..end])?;
    }
    refuse_old_name(&format!("{key}={value}"))?;
    let steps: Vec<&str> = key.split('.').collect();
    let [parents @ .., last] = steps.as_slice() else {
        return Err("empty key".to_string());
    };
    if parents.first().is_some_and(|first| is_mechanism(first)) {
        return set_option(table, parents, last, value);
    }
    let mut place = table;
    for parent in parents {
        let known: Vec<String> = place.keys().cloned().collect();
        place = match place.get_mut(*parent) {
            Some(Value::Table(inner)) => inner,
            Some(_) => return Err(format!("`{parent}` is a value, not a table")),
            None => return Err(unknown_key(parent, &known)),
        };
    }
    let known: Vec<String> = place.keys().cloned().collect();
    let Some(old) = place.get_mut(*last) else {
        return Err(unknown_key(last, &known));
    };
    if let Value::Table(inner) = old {
        let keys: Vec<&str> = inner.keys().map(String::as_str).collect();
        return Err(format!("`{key}` is a table; its keys: {}", keys.join(", ")));
    }
    *old = parse_value(value, old)?;
    Ok(())
}

fn set_option(table: &mut Table, parents: &[&str], key: &str, value: &str) -> Result<(), String> {
    let [mechanism] = parents else {
        return Err("an option of a mechanism is `mechanism.option`".to_string());
    };
    let options = table.entry(*mechanism).or_insert_with(|| Value::Table(Table::new()));
    let Value::Table(options) = options else {
        return Err(format!("`{mechanism}` is not a table"));
    };
    let value = value.parse::<Value>().unwrap_or_else(|_| Value::String(value.to_string()));
    options.insert(key.to_string(), value);
    Ok(())
}

fn unknown_key(key: &str, known: &[String]) -> String {
    let near = hint(key, known.iter().map(String::as_str));
    if near.is_empty() {
        format!("unknown key `{key}`; known: {}", known.join(", "))
    } else {
        format!("unknown key `{key}`{near}")
    }
}

/// Reads a value as the type that the key has now.
fn parse_value(text: &str, old: &Value) -> Result<Value, String> {
    if old.is_str() {
        let quoted = text.parse::<Value>().ok().filter(Value::is_str);
        return Ok(quoted.unwrap_or_else(|| Value::String(text.to_string())));
    }
    let value = match size(text) {
        Some(size) => Value::Integer(size),
        None => text.parse::<Value>().map_err(|_| format!("`{text}` is not a number"))?,
    };
    match (old, value) {
        (Value::Float(_), Value::Integer(value)) => Ok(Value::Float(value as f64)),
        (old, value) if old.same_type(&value) => Ok(value),
        (old, value) => {
            Err(format!("expected a value of type {}, found {}", old.type_str(), value.type_str()))
        }
    }
}

/// `32K`, `2M`, `1G`: a number of 1024, 1024² or 1024³.
fn size(text: &str) -> Option<i64> {
    let shift = match text.chars().last()? {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => return None,
    };
    text[..text.len() - 1].parse::<i64>().ok()?.checked_mul(1 << shift)
}

fn from_table(mut table: Table) -> Result<Machine, String> {
    let names: Vec<String> = table.keys().filter(|key| is_mechanism(key)).cloned().collect();
    let mut options = std::collections::BTreeMap::new();
    for name in names {
        match table.remove(&name) {
            Some(Value::Table(inner)) => options.insert(name, inner),
            _ => return Err(format!("`{name}` must be a table of options")),
        };
    }
    for (_, unit) in Unit::ALL {
        let given = table.get("units").and_then(|units| units.get(unit));
        if given.is_none() {
            return Err(format!("missing `units.{unit}`"));
        }
    }
    let mut machine: Machine =
        table.try_into().map_err(|error: toml::de::Error| describe(&error))?;
    machine.options = options;
    machine.validate()?;
    Ok(machine)
}

/// serde's message, with the nearest known field.
fn describe(error: &toml::de::Error) -> String {
    let message = error.message();
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.as_slice() {
        [unknown, known @ ..] if message.starts_with("unknown field") => {
            let near = hint(unknown, known.iter().copied());
            format!("machine file: {message}{near}")
        }
        _ => format!("machine file: {}", error.to_string().trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: &[(&str, &str)] = &[
        ("first", "name = \"first\"\n[l1]\nsize = 1\nways = 2"),
        ("second", "base = \"first\"\nname = \"second\"\n[l1]\nsize = 3"),
        ("third", "base = \"second\"\n[l1]\nline = 4"),
        ("here", "base = \"there\""),
        ("there", "base = \"here\""),
        ("itself", "base = \"itself\""),
    ];

    #[test]
    fn a_shipped_machine_may_start_from_another() {
        let table = complete_table("third", SOME).expect("its bases are there");
        let expected = "name = \"second\"\n[l1]\nsize = 3\nways = 2\nline = 4";
        assert_eq!(table, parse(expected).expect("it is good"));
        assert_eq!(complete_table("base = \"third\"", SOME), Ok(table));
    }

    #[test]
    fn sizes_may_have_units() {
        let sets = |value: &str| vec![("l1.size".to_owned(), value.to_owned())];
        let size = |value: &str| Machine::load("tiny", &sets(value)).map(|machine| machine.l1.size);
        assert_eq!(size("4K"), Ok(4096));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("K").is_err() && size("4k").is_err() && size("9999999999G").is_err());
    }

    #[test]
    fn bases_in_a_circle() {
        for name in ["here", "there", "itself"] {
            let error = complete_table(name, SOME).expect_err("it is its own base");
            assert_eq!(error, format!("`base` of `{name}` leads back to `{name}`"));
        }
        let error = complete_table("base = \"here\"", SOME).expect_err("the base has a base");
        assert_eq!(error, "`base` of `here` leads back to `here`");
    }
}
