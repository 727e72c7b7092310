//! The input of rules: all launches of a kernel together, measured by instruction, with the
//! compiler's analyses.

use crate::kernel_record::KernelRecord;
use reconverge_compiler::analysis::access::{self, Neighbours};
use reconverge_compiler::analysis::{Answers, Condition, Flow};
use reconverge_compiler::ir::{Kind, Value};
use reconverge_compiler::lower::Lowered;
use reconverge_isa::{Effect, Instruction, Kernel, Location};
use reconverge_simulator::{Machine, Statistics};
use std::collections::BTreeMap;

/// A kernel with the measurements of its launches.
pub struct Evidence<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// The machine that it ran on.
    pub machine: &'a Machine,
    /// Its launches that have a profile, in order.
    pub launches: Vec<&'a KernelRecord>,
    /// The statistics of all of them.
    pub statistics: Statistics,
    /// By number of the instruction, of all of them.
    pub instructions: BTreeMap<u32, Statistics>,
    lowered: &'a Lowered,
    index: usize,
}

/// The name of a load, a store or an atomic.
pub fn access_name(instruction: &Instruction) -> Option<&'static str> {
    match instruction.op.row().effect {
        Effect::Load => Some("load"),
        Effect::Store => Some("store"),
        Effect::Atomic => Some("atomic"),
        _ => None,
    }
}

impl<'a> Evidence<'a> {
    /// The evidence of each kernel that was launched with a profile, in the order of the first
    /// launches.
    pub fn of_kernels(
        records: &'a [KernelRecord],
        lowered: &'a Lowered,
        machine: &'a Machine,
    ) -> Vec<Evidence<'a>> {
        let mut all: Vec<Evidence> = Vec::new();
        for record in records {
            let (Some(profile), Some(statistics)) = (&record.profile, &record.statistics) else {
                continue;
            };
            let at = all.iter().position(|one| one.kernel.name == record.name);
            let at = at.or_else(|| {
                let kernels = &lowered.program.kernels;
                let index = kernels.iter().position(|kernel| kernel.name == record.name)?;
                all.push(Evidence {
                    kernel: &kernels[index],
                    machine,
                    launches: Vec::new(),
                    statistics: Statistics::default(),
                    instructions: BTreeMap::new(),
                    lowered,
                    index,
                });
                Some(all.len() - 1)
            });
            let Some(evidence) = at.and_then(|at| all.get_mut(at)) else {
                continue;
            };
            evidence.launches.push(record);
            evidence.statistics.append(statistics);
            for (&pc, statistics) in &profile.instructions {
                evidence.instructions.entry(pc).or_default().merge(statistics);
            }
        }
        all
    }

    /// The most registers per thread that the kernel was compiled for.
    pub fn register_limit(&self) -> u32 {
        let limit = self.lowered.register_limits.get(self.index);
        limit.copied().unwrap_or(self.kernel.registers)
    }

    /// The instruction at a number.
    pub fn instruction(&self, pc: u32) -> Option<&'a Instruction> {
        self.kernel.code.get(pc as usize)
    }

    /// Its source place, if known.
    pub fn location(&self, pc: u32) -> Option<Location> {
        let location = self.kernel.lines.get(pc as usize).copied();
        location.filter(|location| location.line != 0)
    }

    /// Groups the instructions of which something is to be added up by source line and by a key.
    pub fn by_line<K: Ord>(
        &self,
        key: impl Fn(u32, &Instruction, &Statistics) -> Option<K>,
    ) -> BTreeMap<(u32, u32, K), Vec<u32>> {
        let mut groups: BTreeMap<(u32, u32, K), Vec<u32>> = BTreeMap::new();
        for (&pc, statistics) in &self.instructions {
            let (Some(location), Some(instruction)) = (self.location(pc), self.instruction(pc))
            else {
                continue;
            };
            if let Some(key) = key(pc, instruction, statistics) {
                groups.entry((location.file, location.line, key)).or_default().push(pc);
            }
        }
        groups
    }

    /// The sum of a figure over some instructions.
    pub fn sum(&self, pcs: &[u32], figure: impl Fn(&Statistics) -> u64) -> u64 {
        pcs.iter().filter_map(|pc| self.instructions.get(pc)).map(figure).sum()
    }

    /// The instruction of some that has the most of something; of equals the first.
    pub fn most(&self, pcs: &[u32], figure: impl Fn(&Statistics) -> u64) -> Option<u32> {
        let figure = |pc: &u32| self.instructions.get(pc).map_or(0, &figure);
        pcs.iter().rev().copied().max_by_key(figure)
    }

    /// The instruction of all that has the most of something; of equals the first.
    pub fn hottest(&self, figure: impl Fn(&Statistics) -> u64) -> Option<u32> {
        let figure = |(_, statistics): &(&u32, &Statistics)| figure(statistics);
        self.instructions.iter().rev().max_by_key(figure).map(|(pc, _)| *pc)
    }

    /// Returns true if the instructions' values in the intermediate representation are known.
    pub fn knows_values(&self) -> bool {
        self.lowered.values.get(self.index).is_some_and(|values| !values.is_empty())
    }

    /// The value of an instruction in the intermediate representation, if it is exactly one.
    pub fn value(&self, pc: u32) -> Option<Value> {
        *self.lowered.values.get(self.index)?.get(pc as usize)?
    }

    /// The distance between the addresses of neighbouring threads, by the compiler's affine forms;
    /// `None` if there is no answer, or none for warps of these launches' shape.
    pub fn neighbours(&self, pc: u32) -> Option<Neighbours> {
        let width = self.machine.sm.warp_width;
        let has_rows =
            |record: &&KernelRecord| Condition::Rows.holds(record.grid, record.block, width);
        let value = self.value(pc).filter(|_| self.launches.iter().all(has_rows))?;
        let flow = Flow::new(self.lowered.ir.get(self.index)?);
        access::neighbours(&Answers::new(&flow), value).map(|(neighbours, _)| neighbours)
    }

    /// The load from memory whose value an instruction reads, at once or after it has passed a loop's head or the end of
    /// an `if`; `None` if it reads none.
    pub fn awaited(&self, pc: u32) -> Option<Location> {
        let function = self.lowered.ir.get(self.index)?;
        let loaded = |value: Value| {
            let whole = match *function.kind(value) {
                Kind::Part(whole, _) => whole,
                _ => value,
            };
            let is_load =
                matches!(function.kind(whole).unguarded(), Kind::Load(..) | Kind::Atomic(..));
            is_load.then(|| function.instruction(whole).location)
        };
        let mut found = None;
        function.kind(self.value(pc)?).each_operand(|operand| {
            let at = match function.kind(operand) {
                Kind::Phi(incoming) => incoming.iter().find_map(|&(_, value)| loaded(value)),
                _ => loaded(operand),
            };
            found = found.or(at);
        });
        found
    }
}
