//! The accesses that are proved free of races, or can be once the launch is known.

use super::flow::Flow;
use super::places::{Launched, Places};
use crate::ir::{Kind, Value};
use reconverge_isa::Space;
use std::collections::BTreeMap;

/// Why an access needs no look for races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// It is a load, and barriers separate it from every write to shared memory.
    Barriers,
    /// Its address is a linear function of the indices: at a launch it is seen whether threads are apart, and from other accesses.
    Place,
}

impl Proof {
    /// `barriers`, `place`.
    pub fn name(self) -> &'static str {
        match self {
            Proof::Barriers => "barriers",
            Proof::Place => "place",
        }
    }

    /// In a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Proof::Barriers => "no race, by barriers",
            Proof::Place => "place known at launch",
        }
    }
}

/// A launch in which no index and no parameter makes a product vanish.
const ANY: Launched<'static> = Launched { grid: [3; 3], block: [3; 3], parameters: &[3; 4096] };

/// The loads and stores of shared and global memory of which something is proved. Atomics and volatile accesses are none of
/// them: they may order others.
pub fn proofs(flow: &Flow) -> BTreeMap<Value, Proof> {
    let function = flow.function;
    let mut places = Places::new(function, ANY);
    let mut found = BTreeMap::new();
    for block in function.existing_blocks() {
        for &value in function.instructions(block) {
            let kind = function.kind(value).unguarded();
            let (Kind::Load(access, _) | Kind::Store(access, ..)) = kind else {
                continue;
            };
            if access.volatile || matches!(access.space, Space::Local | Space::Constant) {
                continue;
            }
            let is_load = matches!(kind, Kind::Load(..));
            if is_load && flow.memory.is_quiet(value) {
                found.insert(value, Proof::Barriers);
            } else if places.address(value).is_some() {
                found.insert(value, Proof::Place);
            }
        }
    }
    found
}
