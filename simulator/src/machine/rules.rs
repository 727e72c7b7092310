//! The rules of a machine's values, and which of them a machine breaks.

use std::collections::BTreeMap;

use reconverge_isa::nearest::hint;

use crate::machine::clock::kilohertz;

/// The longest latency and interval that a file may give.
pub(super) const LONGEST: u32 = 4096;
/// The most entries of a queue or table.
pub(super) const LARGEST_TABLE: u32 = 4096;

/// Checks values by the names of their keys, and gathers the faults.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// The key that a fault is about, and a sentence.
    pub faults: Vec<(String, String)>,
    /// The ranges of keys of whole numbers.
    pub ranges: BTreeMap<String, (u32, u32)>,
}

/// The range of a number, in words.
pub(super) fn whole(low: u32, high: u32) -> String {
    format!("a whole number from {low} to {high}")
}

/// `32K`, `2M`, `1G`: a number of 1024, 1024² or 1024³.
pub(super) fn size(text: &str) -> Option<i64> {
    let shift = match text.chars().last()? {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => return None,
    };
    text[..text.len() - 1].parse::<i64>().ok()?.checked_mul(1 << shift)
}

impl Rules {
    /// Notes a fault about a key.
    pub fn fault(&mut self, key: &str, message: impl Into<String>) {
        self.faults.push((key.to_owned(), message.into()));
    }

    /// Records the fault, if there is one. Returns the value if there is none.
    pub fn hold<T>(&mut self, key: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|message| self.fault(key, message)).ok()
    }

    /// Bounds one value; whether it is within.
    pub fn range(&mut self, key: &str, value: u32, low: u32, high: u32) -> bool {
        self.ranges.insert(key.to_owned(), (low, high));
        let within = (low..=high).contains(&value);
        if !within {
            self.fault(key, format!("`{key}` is {value}; it must be {}", whole(low, high)));
        }
        within
    }

    /// The name of a pipe, one of those that are known.
    pub fn pipe(&mut self, key: &str, name: &str, known: &[&str]) {
        if known.contains(&name) {
            return;
        }
        let (all, hint) = (known.join(", "), hint(name, known.iter().copied()));
        self.fault(key, format!("`{key}` is `{name}`; known pipes: {all}{hint}"));
    }

    /// Returns true if a value is a power of two.
    pub fn power_of_two(&mut self, key: &str, value: u32) -> bool {
        if !value.is_power_of_two() {
            self.fault(key, format!("`{key}` is {value}; it must be a power of two"));
        }
        value.is_power_of_two()
    }

    /// A power of two within bounds.
    pub fn power_in(&mut self, key: &str, value: u32, low: u32, high: u32) -> bool {
        self.range(key, value, low, high) && self.power_of_two(key, value)
    }

    /// A frequency in MHz. Whole kilohertz keep the clocks' correspondence exact.
    pub fn frequency(&mut self, key: &str, mhz: f64) -> bool {
        let good = matches!(kilohertz(mhz), Some(1..=1_000_000_000));
        if !good {
            self.fault(
                key,
                format!(
                    "`{key}` is {mhz}; it must be a number from 0.001 to 1000000 with at most three decimals"
                ),
            );
        }
        good
    }
}
