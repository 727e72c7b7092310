//! The sources of a machine's values: the tables `[sources]` and `[assumed]` of its file.
//!
//! An entry is a key, or a table whose keys all share it, in quotes: `"l1.size" = "..."`, `"units"
//! = "..."`. In `[sources]` it names a publication; in `[assumed]` it gives the reason for a value
//! that no publication states. The entry with the longest name holds. A file that has one of the
//! tables, or whose base has one, states the source of every value. A file or setting that changes
//! a value of its base without a source makes it assumed, for that reason.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::rules::Rules;

/// The tables: published values, and assumed ones.
const TABLES: [&str; 2] = ["sources", "assumed"];

/// Keys of a file that are no values of a machine.
const NO_VALUES: [&str; 5] = ["name", "description", "base", TABLES[0], TABLES[1]];

/// The most values without an entry that are named.
const MOST_NAMED: usize = 5;

/// The sources of a machine's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Published values with their publications, by key.
    pub published: BTreeMap<String, String>,
    /// Values of which nothing has, by key, with the reasons for them.
    pub assumed: BTreeMap<String, String>,
}

impl Sources {
    /// Values of the machine: names of mechanisms, numbers, and lists of numbers.
    pub fn values(&self) -> usize {
        self.published.len() + self.assumed.len()
    }

    /// A sentence with the numbers of values.
    pub fn summary(&self) -> String {
        format!(
            "{} values, {} with a published source and {} assumed",
            self.values(),
            self.published.len(),
            self.assumed.len()
        )
    }

    /// Takes the two tables out of a machine's complete table, whose other keys are values. Faults
    /// in them are recorded. None if it has neither table.
    pub(super) fn take(
        table: &mut Table,
        rules: &mut Rules,
    ) -> Option<(Sources, [(String, Value); 2])> {
        let taken = TABLES.map(|name| table.remove(name));
        if taken.iter().all(Option::is_none) {
            return None;
        }
        let mut all = [Table::new(), Table::new()];
        for ((name, found), entries) in TABLES.into_iter().zip(taken).zip(&mut all) {
            match found {
                Some(Value::Table(found)) => *entries = flat(&found),
                Some(_) => {
                    rules.fault(name, format!("`{name}` must be a table of texts by key"));
                    return None;
                }
                None => {}
            }
        }
        let mut values = Vec::new();
        leaves(table, "", &mut |key, _| values.push(key.to_owned()));
        let sources = Sources::read(&all, &values, rules);
        let mut tables = TABLES.into_iter().zip(all);
        let mut next = || tables.next().map(|(name, all)| (name.to_owned(), Value::Table(all)));
        Some((sources, [next()?, next()?]))
    }

    fn read(all: &[Table; 2], values: &[String], rules: &mut Rules) -> Sources {
        let mut sources = Sources::default();
        for (name, entries) in TABLES.into_iter().zip(all) {
            for (key, text) in entries {
                let path = format!("{name}.{key}");
                if text.as_str().is_none_or(|text| text.trim().is_empty()) {
                    rules.fault(&path, format!("`{name}` of `{key}` must be a text in quotes"));
                }
                if !values.iter().any(|value| covers(key, value)) {
                    rules.fault(&path, format!("`{name}` of `{key}`: the machine has no such key"));
                }
                if name == TABLES[1] && all[0].contains_key(key) {
                    rules.fault(
                        &path,
                        format!("`{key}` has a source and is assumed: leave out one of the two"),
                    );
                }
            }
        }
        let mut missing = Vec::new();
        for value in values {
            match holding(all, value) {
                Some((0, text)) => _ = sources.published.insert(value.clone(), text.to_owned()),
                Some((_, text)) => _ = sources.assumed.insert(value.clone(), text.to_owned()),
                // No machine has ideal parts but by a setting.
                None if value.starts_with("ideal.") => {}
                None => missing.push(format!("`{value}`")),
            }
        }
        if !missing.is_empty() {
            let more = match missing.len().saturating_sub(MOST_NAMED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            missing.truncate(MOST_NAMED);
            let message = format!(
                "nothing says where {}{more} comes from: name what has been published in `[sources]`, or give the \
                 reason for the value in `[assumed]`",
                missing.join(", ")
            );
            rules.fault(TABLES[0], message);
        }
        sources
    }
}

/// Returns true if an entry of a name is one of a value's: of the value itself, or of a table
/// around it.
fn covers(name: &str, value: &str) -> bool {
    value.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The entry of a value with the longest name, and its text.
fn longest<'a>(entries: &'a Table, value: &str) -> Option<(usize, &'a str)> {
    let ends = value.match_indices('.').map(|(end, _)| end).chain([value.len()]);
    ends.filter_map(|end| Some((end, entries.get(&value[..end])?.as_str()?))).next_back()
}

/// The text that holds for a value, with the number of its table.
fn holding<'a>(all: &'a [Table; 2], value: &str) -> Option<(usize, &'a str)> {
    let found = all.iter().enumerate();
    let found = found.filter_map(|(at, entries)| Some((at, longest(entries, value)?)));
    found.max_by_key(|(_, (length, _))| *length).map(|(at, (_, text))| (at, text))
}

/// Reports the values of a table at `path` in its file.
fn leaves<'a>(table: &'a Table, path: &str, visit: &mut impl FnMut(&str, &'a Value)) {
    for (key, value) in table {
        if path.is_empty() && NO_VALUES.contains(&key.as_str()) {
            continue;
        }
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Table(inner) => leaves(inner, &path, visit),
            value => visit(&path, value),
        }
    }
}

/// The entries of a table by their whole names, however they are written.
fn flat(table: &Table) -> Table {
    let mut entries = Table::new();
    leaves(table, "", &mut |key, text| _ = entries.insert(key.to_owned(), text.clone()));
    // These are no values of a machine, but may not go unnoticed here.
    let others = table.iter().filter(|(key, _)| NO_VALUES.contains(&key.as_str()));
    entries.extend(others.map(|(key, text)| (key.clone(), text.clone())));
    entries
}

/// The value of a path.
fn value_of<'a>(table: &'a Table, path: &str) -> Option<&'a Value> {
    let mut keys = path.split('.');
    let first = table.get(keys.next()?)?;
    keys.try_fold(first, |value, key| value.as_table()?.get(key))
}

/// Updates the sources of a complete table for the values that a file, about to be merged into it,
/// changes. The file's own entries hold for them; without one, the value is assumed for a reason.
/// Takes the entries out of the file's table.
pub(super) fn merge(complete: &mut Table, file: &mut Table, reason: &str) {
    let own = TABLES.map(|name| match file.remove(name) {
        Some(Value::Table(entries)) => flat(&entries),
        // A fault in it is reported when the machine is complete.
        Some(other) => {
            complete.insert(name.to_owned(), other);
            Table::new()
        }
        None => Table::new(),
    });
    if own.iter().all(Table::is_empty) && TABLES.iter().all(|name| !complete.contains_key(*name)) {
        return;
    }
    let mut changed = Vec::new();
    leaves(file, "", &mut |key, value| {
        if value_of(complete, key) != Some(value) {
            changed.push(key.to_owned());
        }
    });
    let keys = own.iter().flat_map(|entries| entries.keys().cloned());
    let mut entries: BTreeMap<String, [Option<Value>; 2]> = keys
        .map(|key| {
            let texts = [&own[0], &own[1]].map(|entries| entries.get(&key).cloned());
            (key, texts)
        })
        .collect();
    for key in changed {
        let mut texts = [None, None];
        let (at, text) = holding(&own, &key).unwrap_or((1, reason));
        texts[at] = Some(Value::String(text.to_owned()));
        entries.entry(key).or_insert(texts);
    }
    for (key, texts) in entries {
        note(complete, &key, texts);
    }
}

/// Marks a complete table's value as assumed for a reason, if the table states sources.
pub(super) fn assume(complete: &mut Table, key: &str, reason: &str) {
    if TABLES.iter().any(|name| complete.contains_key(*name)) {
        note(complete, key, [None, Some(Value::String(reason.to_owned()))]);
    }
}

/// Puts an entry of a key into one of the tables, and takes it out of the other.
fn note(complete: &mut Table, key: &str, texts: [Option<Value>; 2]) {
    for (name, text) in TABLES.into_iter().zip(texts) {
        let entries = complete.entry(name).or_insert_with(|| Value::Table(Table::new()));
        let Value::Table(entries) = entries else {
            continue;
        };
        match text {
            Some(text) => _ = entries.insert(key.to_owned(), text),
            None => _ = entries.remove(key),
        }
    }
}
