//! Checks that a machine's table has the keys of machines, with values of their types.

use reconverge_isa::nearest::hint;
use toml::{Table, Value};

use super::rules::size;

/// A key whose value is not of its type, with the value.
pub(super) struct Mistyped {
    pub key: String,
    pub found: Value,
    /// A value of its type.
    pub like: Value,
}

/// The difference between a table and its schema.
#[derive(Default)]
pub(super) struct Shape {
    /// By key, a sentence.
    pub faults: Vec<(String, String)>,
    pub mistyped: Vec<Mistyped>,
    missing: Vec<String>,
}

/// The most missing keys that are named.
const MOST_MISSING: usize = 5;

impl Shape {
    /// Compares a table with that of a complete machine, and completes it: missing or wrong values
    /// are replaced, so that the rest can be checked too. Sizes such as `"32K"` become numbers.
    pub fn mend(table: &mut Table, complete: &Table) -> Shape {
        let mut shape = Shape::default();
        shape.table(table, complete, "");
        let missing = &shape.missing;
        if !missing.is_empty() {
            let named: Vec<String> =
                missing.iter().take(MOST_MISSING).map(|key| format!("`{key}`")).collect();
            let more = match missing.len().saturating_sub(MOST_MISSING) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let message = format!(
                "missing {}{more}; a file that begins with `base = \"gtx480\"` says only what differs",
                named.join(", ")
            );
            shape.faults.push((String::new(), message));
        }
        shape
    }

    fn table(&mut self, table: &mut Table, complete: &Table, path: &str) {
        let inside = |key: &str| match path {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        };
        // A machine may name its pipes.
        let any = (path == "pipes").then(|| complete.values().next().cloned()).flatten();
        let unknown: Vec<String> = table
            .keys()
            .filter(|key| any.is_none() && !complete.contains_key(*key))
            .cloned()
            .collect();
        for key in unknown {
            table.remove(&key);
            let known: Vec<&str> = complete.keys().map(String::as_str).collect();
            let near = hint(&key, known.iter().copied());
            let near = match near.is_empty() {
                true => format!("; known: {}", known.join(", ")),
                false => near,
            };
            let what = if path == "units" { "unit" } else { "key" };
            self.faults.push((inside(&key), format!("unknown {what} `{}`{near}", inside(&key))));
        }
        if any.is_some() {
            let keys: Vec<String> = table.keys().cloned().collect();
            for key in keys {
                self.value(table, &key, any.as_ref(), inside(&key));
            }
            return;
        }
        for (key, like) in complete {
            // Keys that a unit leaves out are 1.
            let is_optional = path.starts_with("units.") && key == "wide";
            match table.contains_key(key) {
                true => self.value(table, key, Some(like), inside(key)),
                false if is_optional => {}
                false => {
                    match path.starts_with("pipes.") {
                        // Keys that only the file has are unknown.
                        true => {
                            self.faults.push((inside(key), format!("missing `{}`", inside(key))))
                        }
                        false => self.missing.push(inside(key)),
                    }
                    table.insert(key.clone(), like.clone());
                }
            }
        }
    }

    fn value(&mut self, table: &mut Table, key: &str, like: Option<&Value>, path: String) {
        let (Some(found), Some(like)) = (table.get_mut(key), like) else {
            return;
        };
        match (&mut *found, like) {
            (Value::Table(inner), Value::Table(like)) => {
                let like = match path.strip_prefix("units.") {
                    // All units have the keys that one may have.
                    Some(_) => &with_wide(like),
                    None => like,
                };
                return self.table(inner, like, &path);
            }
            (Value::Integer(number), Value::Integer(_)) if u32::try_from(*number).is_ok() => return,
            (Value::Integer(number), Value::Float(_)) => {
                *found = Value::Float(*number as f64);
                return;
            }
            (Value::String(text), Value::Integer(_)) => {
                if let Some(bytes) = size(text).filter(|&bytes| u32::try_from(bytes).is_ok()) {
                    *found = Value::Integer(bytes);
                    return;
                }
            }
            (Value::Integer(_), Value::Integer(_)) => {}
            (found, like) if found.same_type(like) => return,
            _ => {}
        }
        let found = std::mem::replace(found, like.clone());
        self.mistyped.push(Mistyped { key: path, found, like: like.clone() });
    }
}

fn with_wide(unit: &Table) -> Table {
    let mut unit = unit.clone();
    unit.entry("wide").or_insert(Value::Integer(1));
    unit
}
