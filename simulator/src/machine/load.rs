//! Reading machine files and settings.

use std::collections::BTreeSet;
use std::sync::{OnceLock, PoisonError, RwLock};

use reconverge_isa::CodeTarget;
use reconverge_isa::control_bits::COUNTERS;
use reconverge_isa::names::{NameKind, renamed};
use reconverge_isa::nearest::hint;
use toml::de::DeTable;
use toml::{Table, Value};

use super::fault::{MachineFault, Places};
use super::idealise::write_ideals;
use super::rules::{Rules, size, whole};
use super::shape::{Mistyped, Shape};
use super::sources::{self, Sources};
use super::{EnergyModel, Ideal, Machine, Tables, energy, operations, validate};
use crate::mechanisms::code_target::demands;
use crate::mechanisms::register_file;
use crate::mechanisms::registry::mechanisms;

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
    ("v100", include_str!("../../machines/v100.toml")),
    ("a100", include_str!("../../machines/a100.toml")),
    ("a6000", include_str!("../../machines/a6000.toml")),
    ("h100", include_str!("../../machines/h100.toml")),
    ("h200", include_str!("../../machines/h200.toml")),
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

/// The names and files of machines that extensions have added.
static ADDED: RwLock<Vec<(&str, &str)>> = RwLock::new(Vec::new());

/// Adds a machine of an extension: its name and file.
pub(crate) fn add(name: &'static str, text: &'static str) {
    ADDED.write().unwrap_or_else(PoisonError::into_inner).push((name, text));
}

/// The names and files of all machines: those that are shipped, then those of extensions.
fn known() -> Vec<(&'static str, &'static str)> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    SHIPPED.iter().chain(added.iter()).copied().collect()
}

/// The names of all machines.
pub(crate) fn names() -> Vec<&'static str> {
    known().into_iter().map(|(name, _)| name).collect()
}

/// The keys and tables at the top of the shipped machines' files.
pub(crate) fn keys() -> BTreeSet<String> {
    let tables = SHIPPED.iter().filter_map(|(_, text)| text.parse::<Table>().ok());
    let of_defaults = defaults().map(|(table, ..)| table.to_owned());
    let tables = tables.flat_map(|table| table.into_iter().map(|(key, _)| key));
    tables.chain(of_defaults).chain([IDEAL.to_owned()]).collect()
}

/// The machines by name: those that are shipped, and those of extensions. One whose file does not load is listed too, described by the error.
pub fn machines() -> Vec<MachineInfo> {
    let info = |(name, _): &(&str, &str)| MachineInfo {
        name: name.to_string(),
        description: match load_machine(name, &[]) {
            Ok(machine) => machine.description,
            Err(error) => format!("does not load: {error}"),
        },
    };
    known().iter().map(info).collect()
}

/// A machine that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The machine.
    pub machine: Machine,
    /// The complete file, which [`load_machine`] takes back.
    pub file: String,
    /// Warnings about keys and settings without effect, in the order of lines.
    pub warnings: Vec<MachineFault>,
}

/// Loads a machine: `source` is the name of a shipped one or the text of a machine file, `sets`
/// are changes as (dotted path, value). A file may start from a shipped machine with `base =
/// "name"` and state only the differences.
///
/// The error is a sentence for the user, or several on lines of their own.
pub fn load_machine(source: &str, sets: &[(String, String)]) -> Result<Machine, String> {
    let places = Places::of(if is_text(source) { source } else { "" });
    let read = read_table(source, sets, &places);
    read.map(|(machine, _)| machine).map_err(|faults| lines(&faults))
}

/// The names of the shipped machines for which a test holds.
pub(crate) fn shipped_with(test: impl Fn(&Machine) -> bool) -> Vec<&'static str> {
    let holds = |name: &str| load_machine(name, &[]).is_ok_and(|machine| test(&machine));
    SHIPPED.iter().map(|(name, _)| *name).filter(|name| holds(name)).collect()
}

/// Like [`load_machine`], with the machine as a complete file, which [`load_machine`] takes
/// back.
///
/// The error is a sentence for the user, or several on lines of their own.
pub fn resolve_machine(
    source: &str,
    sets: &[(String, String)],
) -> Result<(Machine, String), String> {
    let loaded = read_machine(source, sets).map_err(|faults| lines(&faults))?;
    Ok((loaded.machine, loaded.file))
}

/// Like [`load_machine`], with all messages.
///
/// # Errors
/// Reports all faults in the order of the file's lines; faults without a line are first.
pub fn read_machine(source: &str, sets: &[(String, String)]) -> Result<Loaded, Vec<MachineFault>> {
    let places = Places::of(if is_text(source) { source } else { "" });
    let (machine, table) = read_table(source, sets, &places)?;
    let warnings = sorted(idle_options(&machine, sets, &places));
    Ok(Loaded { machine, file: table.to_string(), warnings })
}

/// Reads a machine and its complete table.
fn read_table(
    source: &str,
    sets: &[(String, String)],
    places: &Places,
) -> Result<(Machine, Table), Vec<MachineFault>> {
    let table = table_with(source, sets, places).map_err(sorted)?;
    from_table(table, sets, places).map_err(sorted)
}

/// The options of mechanisms that fill no slot, if the file itself or a setting states them.
fn idle_options(
    machine: &Machine,
    sets: &[(String, String)],
    places: &Places,
) -> Vec<MachineFault> {
    let slots = validate::slots(machine);
    let is_idle = |name: &str| {
        name != register_file::list::SHARED && slots.iter().all(|(_, filled)| *filled != name)
    };
    let message_of = |name: &str| format!("options of `{name}`, which {}", idle(name));
    let mut found = Vec::new();
    for name in machine.tables.options.keys().filter(|name| places.has(name) && is_idle(name)) {
        found.push(places.fault(name, message_of(name)));
    }
    for (key, value) in sets {
        if let Some((name, _)) = key.split_once('.')
            && is_mechanism(name)
            && is_idle(name)
        {
            let message = format!("setting `{key}={value}`: {}", message_of(name));
            found.push(MachineFault::of_setting(message));
        }
    }
    found
}

/// Advice about options that have no effect.
fn idle(name: &str) -> String {
    let slot = mechanisms().iter().find(|info| info.name == name).map_or("", |info| info.slot);
    match slot {
        "replacement" => {
            "replaces lines of no cache: set `l1.replacement` or another cache's".to_owned()
        }
        slot => format!("fills no slot of the machine: set `{slot}={name}`"),
    }
}

/// Returns true if it is the text of a machine file, and no name.
fn is_text(source: &str) -> bool {
    source.contains(['=', '\n', '['])
}

fn lines(faults: &[MachineFault]) -> String {
    faults.iter().map(MachineFault::to_string).collect::<Vec<_>>().join("\n")
}

fn sorted(mut faults: Vec<MachineFault>) -> Vec<MachineFault> {
    faults.sort_by_key(|fault| fault.place.as_ref().map(|place| place.start));
    faults.dedup();
    faults
}

/// The complete table of a machine with settings.
fn table_with(
    source: &str,
    sets: &[(String, String)],
    places: &Places,
) -> Result<Table, Vec<MachineFault>> {
    let mut table = complete_table(source, places)?;
    table.entry("energy").or_insert_with(|| Value::String("none".to_owned()));
    add_defaults(&mut table);
    let mut faults = Vec::new();
    for (key, value) in sets {
        match apply_set(&mut table, key, value) {
            Ok(()) => sources::assume(&mut table, key, "a setting of the command"),
            Err(error) => {
                faults.push(MachineFault::of_setting(format!("setting `{key}={value}`: {error}")));
            }
        }
    }
    for (slot, short, name) in SHORT_NAMES {
        if table.get(*slot).and_then(Value::as_str) == Some(short) {
            table.insert((*slot).to_owned(), Value::String((*name).to_owned()));
        }
    }
    if faults.is_empty() { Ok(table) } else { Err(faults) }
}

/// Keys that a file may leave out: a table's name, its key, and the default value.
fn defaults() -> [(&'static str, &'static str, Value); 38] {
    let fermi = CodeTarget::default();
    [
        ("barrier", "latency", Value::Integer(0)),
        ("barrier", "interval", Value::Integer(0)),
        ("instruction-cache", "prefetch", Value::Integer(0)),
        ("instruction-cache", "launch-prefetch", Value::Integer(0)),
        ("instruction-cache", "interval", Value::Integer(0)),
        ("constant", "l0-size", Value::Integer(0)),
        ("constant", "l0-line", Value::Integer(64)),
        ("constant", "l0-latency", Value::Integer(79)),
        ("constant", "l1-latency", Value::Integer(70)),
        ("instruction-cache", "l0-size", Value::Integer(0)),
        ("instruction-cache", "l0-ways", Value::Integer(4)),
        ("instruction-cache", "l0-latency", Value::Integer(20)),
        ("instruction-cache", "l0-interval", Value::Integer(1)),
        ("instruction-cache", "stream-buffer", Value::Integer(8)),
        ("fetch", "policy", Value::String("empty".to_owned())),
        ("fetch", "past-branches", Value::Boolean(true)),
        ("sm", "register-warps", Value::Integer(1)),
        ("sm", "pairing", Value::String("nothing".to_owned())),
        ("sm", "predication", Value::Boolean(false)),
        ("sm", "dependences", Value::String("scoreboard".to_owned())),
        ("sm", "operand-delivery", Value::String("collectors".to_owned())),
        ("sm", "dependence-counters", Value::Integer(COUNTERS.into())),
        ("sm", "uniform-registers", Value::Integer(0)),
        ("sm", "read-ports", Value::Integer(1)),
        ("load-store", "pending-requests", Value::Integer(0)),
        // Those of Huerta et al., MICRO 2025, §5.4, Tables 1 and 2.
        ("load-store", "sub-core-queue", Value::Integer(5)),
        ("load-store", "sub-core-interval", Value::Integer(4)),
        ("load-store", "interval", Value::Integer(2)),
        ("load-store", "sub-core-latency", Value::Integer(9)),
        ("load-store", "address-latency", Value::Integer(2)),
        ("load-store", "transfer", Value::Integer(64)),
        ("sm", "register-allocation", Value::String("warp".to_owned())),
        ("sm", "max-registers", Value::Integer(fermi.max_registers.into())),
        ("sm", "target-registers", Value::Integer(fermi.target_registers.into())),
        ("l2", "replies", Value::Integer(32)),
        ("l2", "atomic-latency", Value::Integer(0)),
        ("l2", "rewrite-cycles", Value::Integer(1)),
        ("l2", "between-launches", Value::String("flushed".to_owned())),
    ]
}

fn add_defaults(table: &mut Table) {
    let ideal = table.entry(IDEAL).or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(ideal) = ideal {
        for key in Ideal::KEYS {
            ideal.entry(*key).or_insert(Value::Boolean(false));
        }
    }
    for (name, key, value) in defaults() {
        if let Some(Value::Table(inner)) = table.get_mut(name) {
            inner.entry(key).or_insert(value);
        }
    }
}

/// Short names of mechanisms, as the literature has them: slot, short name, name. The complete file has the name.
const SHORT_NAMES: &[(&str, &str, &str)] =
    &[("scheduler", "gto", "greedy-then-oldest"), ("scheduler", "lrr", "loose-round-robin")];

/// The complete table of a shipped machine or of a file's text. That of a shipped one is made once: studies load it for each point.
fn complete_table(source: &str, places: &Places) -> Result<Table, Vec<MachineFault>> {
    static TABLES: [OnceLock<Result<Table, Vec<MachineFault>>>; SHIPPED.len()] =
        [const { OnceLock::new() }; SHIPPED.len()];
    let make = || complete_table_of(source, &known(), places);
    match SHIPPED.iter().position(|(name, _)| *name == source) {
        Some(at) => TABLES[at].get_or_init(make).clone(),
        None => make(),
    }
}

/// The complete table of a machine of some that are shipped or of a file's text.
fn complete_table_of(
    source: &str,
    shipped: &[(&str, &str)],
    places: &Places,
) -> Result<Table, Vec<MachineFault>> {
    if let Some((_, text)) = shipped.iter().find(|(name, _)| *name == source) {
        return with_base(parse(text)?, shipped, &[source], &Places::default());
    }
    if !is_text(source) {
        let names: Vec<&str> = shipped.iter().map(|(name, _)| *name).collect();
        return Err(vec![MachineFault::new(format!(
            "unknown machine `{source}`; known: {}{}",
            names.join(", "),
            hint(source, names.iter().copied())
        ))]);
    }
    with_base(parse(source)?, shipped, &[], places)
}

/// A table with the values of its base that it lacks. `above` are the shipped machines that it is
/// the base of.
fn with_base(
    mut table: Table,
    shipped: &[(&str, &str)],
    above: &[&str],
    places: &Places,
) -> Result<Table, Vec<MachineFault>> {
    let mut faults = Vec::new();
    find_old_names(&table, "", &mut |key, message| faults.push(places.fault(key, message)));
    if !faults.is_empty() {
        return Err(faults);
    }
    let Some(base) = table.remove("base") else {
        return Ok(table);
    };
    let wrong = |message| Err(vec![places.fault("base", message)]);
    let found = shipped.iter().find(|(name, _)| base.as_str() == Some(name));
    let Some(&(name, text)) = found else {
        return wrong(format!("`base` must name a shipped machine, not {base}"));
    };
    if above.contains(&name) {
        return wrong(format!("`base` of `{name}` leads back to `{name}`"));
    }
    let above = [above, &[name]].concat();
    let mut complete = with_base(parse(text)?, shipped, &above, &Places::default())?;
    replace_costs(&mut complete, &table);
    sources::merge(&mut complete, &mut table, &format!("changed from `{name}`"));
    merge(&mut complete, table);
    Ok(complete)
}

/// Removes the costs from a table if another one, made from it, has its own: costs of one model
/// mean nothing beside those of another.
fn replace_costs(base: &mut Table, own: &Table) {
    let model = own.get("energy-model").and_then(Value::as_table);
    let of_base = base.get_mut("energy-model").and_then(Value::as_table_mut);
    if let (Some(model), Some(of_base)) = (model, of_base) {
        of_base.retain(|key, _| !model.contains_key(key));
    }
}

/// The table of a text, or all that is wrong with its syntax.
fn parse(text: &str) -> Result<Table, Vec<MachineFault>> {
    let wrong = |error: &toml::de::Error| {
        let places = Places::default().in_text(text);
        let mut message = format!("not a machine file: {}", error.message().trim_end());
        let rest = error.span().and_then(|span| text.get(span.start..));
        let word = rest.map(|rest| rest.split(['\n', '#', ' ']).next().unwrap_or_default());
        if let Some(word) = word.filter(|word| size(word).is_some() && !word.starts_with('"')) {
            message += &format!("; a size with a unit stands in quotes: \"{word}\"");
        }
        places.at(error.span(), message)
    };
    match text.parse::<Table>() {
        Ok(table) => Ok(table),
        Err(error) => {
            let (_, errors) = DeTable::parse_recoverable(text);
            Err(match errors.is_empty() {
                true => vec![wrong(&error)],
                false => errors.iter().map(wrong).collect(),
            })
        }
    }
}

/// Reports each key and value under its old name in a table at `path` in its file.
fn find_old_names(table: &Table, path: &str, report: &mut impl FnMut(&str, String)) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        if let Err(message) = refuse_old_name(&path) {
            report(&path, message);
        }
        match value {
            Value::Table(inner) => find_old_names(inner, &path, report),
            Value::String(text) => {
                if let Err(message) = refuse_old_name(&format!("{path}={text}")) {
                    report(&path, message);
                }
            }
            _ => {}
        }
    }
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

/// The table of ideal parts. A mechanism of this name has no options.
const IDEAL: &str = "ideal";

/// Returns true if a top-level table holds options of a mechanism.
fn is_mechanism(name: &str) -> bool {
    name != IDEAL && mechanisms().iter().any(|info| info.name == name)
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
        // Its type is checked with all else.
        (_, value) => Ok(value),
    }
}

/// A machine of a complete table, and the table with sizes as numbers.
fn from_table(
    mut table: Table,
    sets: &[(String, String)],
    places: &Places,
) -> Result<(Machine, Table), Vec<MachineFault>> {
    let mut rules = Rules::default();
    let of_sources = Sources::take(&mut table, &mut rules);
    let names: Vec<String> = table.keys().filter(|key| is_mechanism(key)).cloned().collect();
    let mut options = std::collections::BTreeMap::new();
    for name in names {
        match table.remove(&name) {
            Some(Value::Table(inner)) => _ = options.insert(name, inner),
            _ => rules.fault(&name, format!("`{name}` must be a table of options")),
        }
    }
    let of_operations = table.get("operations").cloned();
    let operations = operations::take(&mut table, &mut rules);
    let of_energy = energy::KEYS.map(|key| (key.to_owned(), table.get(key).cloned()));
    let (energy, event_energies) = EnergyModel::take(&mut table, &mut rules);
    let complete = schema()?;
    let shape = Shape::mend(&mut table, complete);
    let mut whole_table = table.clone();
    for (name, inner) in &options {
        whole_table.insert(name.clone(), Value::Table(inner.clone()));
    }
    whole_table.extend(of_operations.map(|value| ("operations".to_owned(), value)));
    whole_table.extend(of_energy.into_iter().filter_map(|(key, value)| Some((key, value?))));
    let sources = of_sources.map(|(sources, tables)| {
        whole_table.extend(tables);
        sources
    });
    let mut machine = deserialized(table, complete, &mut rules)?;
    machine.tables = Tables { operations, options, energy, event_energies, sources };
    write_ideals(&mut machine);
    validate::validate(&machine, &mut rules);
    let mistyped = shape.mistyped.iter().map(|it| (it.key.clone(), mistyped(it, &rules)));
    let faults = shape.faults.iter().cloned().chain(mistyped).chain(rules.faults.iter().cloned());
    let fault = |(key, message): (String, String)| match sets.iter().find(|set| set.0 == key) {
        Some(_) => MachineFault::of_setting(message),
        None => places.fault(&key, message),
    };
    let faults: Vec<MachineFault> = faults.map(fault).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    machine.demands = demands(&machine);
    Ok((machine, whole_table))
}

/// The nearest of the known words in a message.
fn nearest(message: &str) -> String {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.as_slice() {
        [unknown, known @ ..] => hint(unknown, known.iter().copied()),
        [] => String::new(),
    }
}

/// The shipped machine whose keys are those of every machine.
const LIKE: &str = "gtx480";

/// The table of [`LIKE`] without its energies, made once: every machine is compared with it.
fn schema() -> Result<&'static Table, Vec<MachineFault>> {
    static SCHEMA: OnceLock<Result<Table, Vec<MachineFault>>> = OnceLock::new();
    let make = || {
        let mut complete = complete_table(LIKE, &Places::default())?;
        add_defaults(&mut complete);
        complete.retain(|key, _| !energy::KEYS.contains(&key));
        Ok(complete)
    };
    SCHEMA.get_or_init(make).as_ref().map_err(Clone::clone)
}

/// The machine of a table that has the right shape. Words that a key does not know are noted, and replaced by `complete`'s.
fn deserialized(
    mut table: Table,
    complete: &Table,
    rules: &mut Rules,
) -> Result<Machine, Vec<MachineFault>> {
    loop {
        let error = match table.clone().try_into::<Machine>() {
            Ok(machine) => return Ok(machine),
            Err(error) => error,
        };
        // The path is only in the text.
        let text = error.to_string();
        let path = text.lines().find_map(|line| line.strip_prefix("in `")?.strip_suffix('`'));
        let message = error.message().trim_end();
        let replaced = path.and_then(|path| replace(&mut table, complete, path));
        let Some(path) = path.filter(|_| replaced.is_some()) else {
            return Err(vec![MachineFault::new(format!("machine file: {message}"))]);
        };
        rules.fault(path, format!("`{path}`: {message}{}", nearest(message)));
    }
}

/// Puts another table's value of a path in the place of a table's own; none if there is no other.
fn replace(table: &mut Table, other: &Table, path: &str) -> Option<()> {
    let (mut here, mut there) = (table, other);
    let mut keys = path.split('.').peekable();
    while let Some(key) = keys.next() {
        if keys.peek().is_none() {
            let (own, other) = (here.get_mut(key)?, there.get(key)?);
            let differs = own != other;
            *own = other.clone();
            return differs.then_some(());
        }
        here = here.get_mut(key)?.as_table_mut()?;
        there = there.get(key)?.as_table()?;
    }
    None
}

/// The value that the schema expects.
fn mistyped(found: &Mistyped, rules: &Rules) -> String {
    let Mistyped { key, found, like } = found;
    let expected = match (rules.ranges.get(key), like) {
        (Some(&(low, high)), _) => whole(low, high),
        (None, Value::Integer(_)) => "a whole number".to_owned(),
        (None, Value::Float(_)) => "a number".to_owned(),
        (None, Value::String(_)) => "a text in quotes".to_owned(),
        (None, Value::Table(_)) => "a table".to_owned(),
        (None, like) => format!("a value of type {}", like.type_str()),
    };
    match found {
        Value::Table(_) => format!("`{key}` is a table; it must be {expected}"),
        found => format!("`{key}` is {found}; it must be {expected}"),
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
        let complete = |source| complete_table_of(source, SOME, &Places::default());
        let table = complete("third").expect("its bases are there");
        let expected = "name = \"second\"\n[l1]\nsize = 3\nways = 2\nline = 4";
        assert_eq!(table, parse(expected).expect("it is good"));
        assert_eq!(complete("base = \"third\""), Ok(table));
    }

    #[test]
    fn sizes_may_have_units() {
        let sets = |value: &str| vec![("l1.size".to_owned(), value.to_owned())];
        let size = |value: &str| load_machine("tiny", &sets(value)).map(|machine| machine.l1.size);
        assert_eq!(size("4K"), Ok(4096));
        assert_eq!(size("4096"), Ok(4096));
        assert!(size("K").is_err() && size("4k").is_err() && size("9999999999G").is_err());
    }

    #[test]
    fn bases_in_a_circle() {
        let error = |source| {
            let found = complete_table_of(source, SOME, &Places::default());
            found.expect_err("it is its own base")[0].message.clone()
        };
        for name in ["here", "there", "itself"] {
            assert_eq!(error(name), format!("`base` of `{name}` leads back to `{name}`"));
        }
        assert_eq!(error("base = \"here\""), "`base` of `here` leads back to `here`");
    }
}
