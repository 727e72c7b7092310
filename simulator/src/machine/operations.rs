//! The table `operations` of a machine file: operations that take another time, or another pipe, than the rest of their unit.
//! A logarithm, for example, is one instruction here and some twenty of a real machine's, and a shuffle takes the memory pipe there.

use super::rules::Rules;
use reconverge_isa::nearest::hint;
use reconverge_isa::table::{Row, TABLE};
use reconverge_isa::{Effect, Op};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The table's name.
const TABLE_NAME: &str = "operations";
/// The most that decoded instructions can name, a second pipe counted apart.
const MOST: usize = 200;

/// The speed of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OperationTiming {
    /// From the start of its last pass until its results are written, 1 to 4096 cycles.
    pub latency: u32,
    /// From the start of a pass until the pipe can start another, 1 to 4096 cycles.
    pub initiation: u32,
    /// The pipe that it takes, with as many passes as that has groups of lanes; that of its unit if left out.
    pub pipe: Option<String>,
    /// Another pipe that it may take. Compilers distribute additions over two pipes; here each instruction takes the one
    /// that has less to do between two branches.
    pub or: Option<String>,
}

/// An operation's name in machine files: its mnemonic with `-` for each dot.
fn key(op: Op) -> String {
    op.row().mnemonic.replace('.', "-")
}

/// The operations that units compute, by key.
fn timed() -> BTreeMap<String, Op> {
    let computes =
        |row: &&Row| matches!(row.effect, Effect::Compute | Effect::Divide | Effect::Collective);
    TABLE.iter().filter(computes).map(|row| (key(row.op), row.op)).collect()
}

/// The operations that a key of the table means: one, or with `*` at the end all that begin alike.
fn meant(name: &str, timed: &BTreeMap<String, Op>) -> Vec<Op> {
    match name.strip_suffix('*') {
        Some(beginning) => {
            let all = timed.iter().filter(|(key, _)| key.starts_with(beginning));
            all.map(|(_, &op)| op).collect()
        }
        None => timed.get(name).copied().into_iter().collect(),
    }
}

/// Takes the table out of a machine's.
pub(super) fn take(table: &mut Table, rules: &mut Rules) -> BTreeMap<Op, OperationTiming> {
    let mut found = BTreeMap::new();
    let operations = match table.remove(TABLE_NAME) {
        None => return found,
        Some(Value::Table(operations)) => operations,
        Some(_) => {
            rules.fault(TABLE_NAME, format!("`{TABLE_NAME}` must be a table of operations"));
            return found;
        }
    };
    let timed = timed();
    // The longest of several keys that mean an operation holds.
    let mut operations: Vec<(String, Value)> = operations.into_iter().collect();
    operations.sort_by_key(|(name, _)| (!name.ends_with('*'), name.len()));
    for (name, value) in operations {
        let place = format!("{TABLE_NAME}.{name}");
        let ops = meant(&name, &timed);
        match value.try_into::<OperationTiming>() {
            Ok(timing) if !ops.is_empty() => {
                found.extend(ops.into_iter().map(|op| (op, timing.clone())));
            }
            Err(error) => {
                let help = "`{ latency = CYCLES, initiation = CYCLES }`, if need be with `pipe = \"NAME\"` and `or = \"NAME\"`";
                let message = format!("`{place}`: {}; write {help}", error.message());
                rules.fault(&place, message);
            }
            Ok(_) => {
                let message = format!(
                    "`{place}` is no operation that a unit computes: a mnemonic of spec/isa.md with `-` for each dot, or the \
                     beginning of several and `*`{}",
                    hint(&name, timed.keys().map(String::as_str))
                );
                rules.fault(&place, message);
            }
        }
    }
    found
}

/// Operations take at most `longest` cycles, in pipes that exist.
pub(super) fn validate(
    operations: &BTreeMap<Op, OperationTiming>,
    pipes: &[&str],
    longest: u32,
    rules: &mut Rules,
) {
    let others = operations.values().filter(|timing| timing.or.is_some()).count();
    rules.range(TABLE_NAME, (operations.len() + others) as u32, 0, MOST as u32);
    for (&op, timing) in operations {
        let place = format!("{TABLE_NAME}.{}", key(op));
        rules.range(&format!("{place}.latency"), timing.latency, 1, longest);
        rules.range(&format!("{place}.initiation"), timing.initiation, 1, longest);
        if op.is_product() && timing.pipe.is_none() {
            let message =
                format!("`{place}` must name a `pipe`: matrices have no unit of their own");
            rules.fault(&place, message);
        }
        for (key, pipe) in [("pipe", &timing.pipe), ("or", &timing.or)] {
            if let Some(pipe) = pipe {
                rules.pipe(&format!("{place}.{key}"), pipe, pipes);
            }
        }
    }
}
