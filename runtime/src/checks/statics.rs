//! The compiler's knowledge of a kernel's accesses, for the search for races.

use crate::host::device::LaunchRequest;
use reconverge_compiler::analysis::memory::Memory;
use reconverge_compiler::analysis::places::{Launched, Places, parameter};
use reconverge_compiler::ir::{Function, Kind, Value};
use reconverge_compiler::lower::Lowered;
use reconverge_isa::{Effect, Program, Space};
use reconverge_simulator::check::{Access, Checker};
use std::collections::{BTreeMap, BTreeSet};

/// The number of a kernel's loads, stores and atomics that are proved free of races, in all its
/// launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The proved ones.
    pub proved: u32,
    /// All of them.
    pub all: u32,
}

/// The compiled kernels, and the facts about them.
#[derive(Debug)]
pub(super) struct Statics<'a> {
    lowered: &'a Lowered,
    /// By kernel: its accesses without parts that depend on the launch, each with its value.
    accesses: BTreeMap<String, Vec<(Access, Option<Value>)>>,
    /// Kernels of which a launch was not as it was proved.
    refuted: BTreeSet<String>,
}

impl<'a> Statics<'a> {
    pub fn new(lowered: &'a Lowered) -> Statics<'a> {
        Statics { lowered, accesses: BTreeMap::new(), refuted: BTreeSet::new() }
    }

    /// The compiled kernels.
    pub fn program(&self) -> &'a Program {
        &self.lowered.program
    }

    /// A kernel after the passes.
    pub fn kernel(&self, name: &str) -> Option<&'a Function> {
        let mut kernels = self.lowered.program.kernels.iter();
        self.lowered.ir.get(kernels.position(|it| it.name == name)?)
    }

    /// The known accesses of a launch; none if they would be of no use.
    pub fn accesses(&mut self, request: &LaunchRequest) -> Vec<Access> {
        let lowered = self.lowered;
        let kernel = lowered.program.kernels.iter().position(|it| it.name == request.name);
        let Some(kernel) = kernel.filter(|_| !self.refuted.contains(&request.name)) else {
            return Vec::new();
        };
        let (Some(function), Some(values)) = (lowered.ir.get(kernel), lowered.values.get(kernel))
        else {
            return Vec::new();
        };
        let all = self.accesses.entry(request.name.clone());
        let all =
            all.or_insert_with(|| accesses(&lowered.program.kernels[kernel], function, values));
        let launch =
            Launched { grid: request.grid, block: request.block, parameters: &request.arguments };
        let mut places = Places::new(function, launch);
        let linear = |value: Option<Value>| places.address(value?).map(|it| (it.base, it.steps));
        let mut linear = linear;
        all.iter().map(|&(access, value)| Access { linear: linear(value), ..access }).collect()
    }

    /// A launch has ended.
    pub fn launched(&mut self, kernel: &str, checker: &Checker) -> Proved {
        if checker.was_refuted() {
            self.refuted.insert(kernel.to_owned());
        }
        let all = self.accesses.get(kernel).map_or(0, Vec::len) as u32;
        Proved { proved: checker.proved(), all }
    }
}

/// The accesses to global and shared memory of a kernel.
fn accesses(
    kernel: &reconverge_isa::Kernel,
    function: &Function,
    values: &[Option<Value>],
) -> Vec<(Access, Option<Value>)> {
    if values.len() != kernel.code.len() {
        return Vec::new();
    }
    // The writes of asynchronous copies have no place in the code, so that nothing is proved beside them.
    if kernel.code.iter().any(|instruction| instruction.op.row().effect == Effect::Copy) {
        return Vec::new();
    }
    let memory = Memory::new(function);
    let mut found = Vec::new();
    for (pc, (instruction, &value)) in kernel.code.iter().zip(values).enumerate() {
        let effect = instruction.op.row().effect;
        let accesses = matches!(effect, Effect::Load | Effect::Store | Effect::Atomic);
        if !accesses || matches!(instruction.space, Space::Local | Space::Constant) {
            continue;
        }
        let load = value.filter(|&it| matches!(function.kind(it).unguarded(), Kind::Load(..)));
        let access = Access {
            pc: pc as u32,
            space: instruction.space,
            writes: effect != Effect::Load,
            strong: effect == Effect::Atomic || instruction.annotations.volatile,
            size: instruction.width.bytes(),
            quiet: load.is_some_and(|load| memory.is_quiet(load)),
            linear: None,
            pointer: value.and_then(|value| parameter(function, value)),
        };
        found.push((access, value));
    }
    found
}
