//! The table `operations` of a machine file: operations that take another time than the rest of their unit, such as a logarithm, which is
//! one instruction here and some twenty of a real machine's.

use super::rules::Rules;
use reconverge_isa::nearest::hint;
use reconverge_isa::table::TABLE;
use reconverge_isa::{Effect, Op, Unit};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The table's name.
const TABLE_NAME: &str = "operations";
/// The most that decoded instructions can name.
const MOST: usize = 200;

/// How fast an operation executes, in the pipe and in as many passes as its unit says.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OperationTiming {
    /// From the start of its last pass until its results are written, 1 to 4096 cycles.
    pub latency: u32,
    /// From the start of a pass until the pipe can start another, 1 to 4096 cycles.
    pub initiation: u32,
}

/// What machine files call an operation: its mnemonic with `-` for each dot.
pub(crate) fn key(op: Op) -> String {
    op.row().mnemonic.replace('.', "-")
}

/// The unit that computes the operation of a key.
pub(super) fn unit(wanted: &str) -> Option<Unit> {
    let computes = |effect| matches!(effect, Effect::Compute | Effect::Divide);
    let row = TABLE.iter().find(|row| computes(row.effect) && key(row.op) == wanted)?;
    Some(row.unit)
}

/// Takes the table out of a machine's.
pub(super) fn take(table: &mut Table, rules: &mut Rules) -> BTreeMap<String, OperationTiming> {
    let mut found = BTreeMap::new();
    match table.remove(TABLE_NAME) {
        None => {}
        Some(Value::Table(operations)) => {
            for (name, value) in operations {
                match value.try_into::<OperationTiming>() {
                    Ok(timing) => _ = found.insert(name, timing),
                    Err(error) => {
                        let place = format!("{TABLE_NAME}.{name}");
                        let help = "`{ latency = CYCLES, initiation = CYCLES }`";
                        let message = format!("`{place}`: {}; write {help}", error.message());
                        rules.fault(&place, message);
                    }
                }
            }
        }
        Some(_) => {
            rules.fault(TABLE_NAME, format!("`{TABLE_NAME}` must be a table of operations"));
        }
    }
    found
}

/// Every operation is one that a unit computes, and takes at most so many cycles.
pub(super) fn validate(
    operations: &BTreeMap<String, OperationTiming>,
    longest: u32,
    rules: &mut Rules,
) {
    rules.range(TABLE_NAME, operations.len() as u32, 0, MOST as u32);
    for (name, timing) in operations {
        let place = format!("{TABLE_NAME}.{name}");
        rules.range(&format!("{place}.latency"), timing.latency, 1, longest);
        rules.range(&format!("{place}.initiation"), timing.initiation, 1, longest);
        if unit(name).is_none() {
            let known: Vec<String> = TABLE.iter().map(|row| key(row.op)).collect();
            let known = known.iter().map(String::as_str).filter(|name| unit(name).is_some());
            let message = format!(
                "`{place}` is no operation that a unit computes: a mnemonic of spec/isa.md with `-` for each dot{}",
                hint(name, known)
            );
            rules.fault(&place, message);
        }
    }
}
