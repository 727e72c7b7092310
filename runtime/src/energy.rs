//! The energy of runs, for reports. The model is the simulator's.

use crate::kernel_record::KernelRecord;
use reconverge_isa::Kernel;
use reconverge_simulator::{ClassEnergy, Energy, EnergyPart, EnergyTable, Statistics};
use serde::Serialize;
use std::collections::BTreeMap;

/// The costs of events in some launches, all of one machine.
pub fn table_of(records: &[KernelRecord]) -> Option<&EnergyTable> {
    records.iter().find_map(|record| record.energy.as_ref())
}

/// The statistics that energy adds, by name; none without a table.
pub fn figures(statistics: &Statistics, energy: Option<&EnergyTable>) -> Vec<(&'static str, f64)> {
    let energy = energy.and_then(|table| table.energy(statistics));
    energy.map(|energy| energy.figures()).unwrap_or_default()
}

/// A launch's part of `--stats`.
#[derive(Serialize, Debug)]
pub struct EnergyReport {
    /// All of it.
    pub joules: f64,
    /// The mean power.
    pub watts: f64,
    /// Simulated time.
    pub seconds: f64,
    /// Every event and state that the machine file has a value for; they add up to `joules`.
    pub parts: Vec<Part>,
    /// Every class of instructions that there were, by unit.
    pub classes: BTreeMap<&'static str, Class>,
}

/// An event or a state.
#[derive(Serialize, Debug)]
pub struct Part {
    /// Its key in the machine file.
    pub name: String,
    /// The statistic that has the energy of its component.
    pub component: &'static str,
    /// The number of events, or of seconds.
    pub count: f64,
    /// True if it is a state, counted in seconds.
    pub is_state: bool,
    /// Their cost.
    pub joules: f64,
}

/// A class of instructions.
#[derive(Serialize, Debug)]
pub struct Class {
    /// The number of issued ones.
    pub instructions: u64,
    /// The lanes in which they acted.
    pub lanes: u64,
    /// Their part of the energy of front end and execution.
    pub joules: f64,
}

impl EnergyReport {
    /// The energy of some counters; none if no time was counted.
    pub fn new(statistics: &Statistics, table: &EnergyTable) -> Option<EnergyReport> {
        let energy = table.energy(statistics)?;
        let part = |part: &EnergyPart| Part {
            name: part.name.replace('_', "-"),
            component: part.component.statistic(),
            count: part.count,
            is_state: part.is_state,
            joules: part.joules,
        };
        let class = |ClassEnergy { unit, instructions, lanes, joules }| {
            (unit, Class { instructions, lanes, joules })
        };
        Some(EnergyReport {
            joules: energy.joules(),
            watts: energy.watts(),
            seconds: energy.seconds,
            parts: energy.parts.iter().map(part).collect(),
            classes: table.classes(statistics).into_iter().map(class).collect(),
        })
    }
}

/// The energy of a kernel's launches, in joules.
#[derive(Clone, Debug, PartialEq)]
pub struct KernelEnergy {
    /// All of it.
    pub joules: f64,
    /// The energy that belongs to no line: leakage, and other energy that no instruction causes.
    pub nowhere: f64,
    /// By number of the instruction.
    pub instructions: BTreeMap<u32, f64>,
}

/// The source line of an instruction, if it has one.
pub(crate) fn origin(kernel: &Kernel, pc: u32) -> Option<(u32, u32)> {
    let location = kernel.lines.get(pc as usize).filter(|location| location.line != 0)?;
    Some((location.file, location.line))
}

impl KernelEnergy {
    /// The energy of a kernel, and of each of its instructions.
    pub(crate) fn new(
        table: &EnergyTable,
        kernel: &Kernel,
        whole: &Statistics,
        instructions: &BTreeMap<u32, Statistics>,
    ) -> Option<KernelEnergy> {
        let joules = table.energy(whole).as_ref().map(Energy::joules)?;
        let parts: Vec<&Statistics> = instructions.values().collect();
        let shares = table.shares(whole, &parts);
        let instructions: BTreeMap<u32, f64> = instructions.keys().copied().zip(shares).collect();
        let on_lines = instructions.iter().filter(|(pc, _)| origin(kernel, **pc).is_some());
        let nowhere = joules - on_lines.map(|(_, joules)| joules).sum::<f64>();
        Some(KernelEnergy { joules, nowhere, instructions })
    }

    /// The energy of the instructions of a file's line.
    pub(crate) fn of_line(&self, kernel: &Kernel, file: u32, line: u32) -> f64 {
        let own =
            self.instructions.iter().filter(|(pc, _)| origin(kernel, **pc) == Some((file, line)));
        own.map(|(_, joules)| joules).sum()
    }
}

/// The share of a kernel's energy that some joules are.
pub(crate) fn share(joules: Option<f64>, kernel: &Option<KernelEnergy>) -> Option<f64> {
    let all = kernel.as_ref().map(|energy| energy.joules).filter(|all| *all > 0.0)?;
    Some(joules? / all)
}

/// The meaning of the energy column, if there is one.
pub(crate) fn legend(is_there: bool) -> &'static str {
    let legend = "energy: % of the kernel's; what no line causes, as leakage, is none's\n";
    if is_there { legend } else { "" }
}

/// `12.3 µJ`: a number with a unit and its prefix.
pub fn with_unit(value: f64, unit: &str) -> String {
    const PREFIXES: [(f64, &str); 6] =
        [(1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];
    let fits = PREFIXES.iter().find(|(size, _)| value.abs() >= *size);
    let (size, prefix) = fits.copied().unwrap_or((1e-9, "n"));
    format!("{:.1} {prefix}{unit}", value / size)
}

#[cfg(test)]
mod tests {
    use super::with_unit;

    #[test]
    fn numbers_have_a_prefix_that_fits() {
        assert_eq!(with_unit(0.0123, "J"), "12.3 mJ");
        assert_eq!(with_unit(151.26, "W"), "151.3 W");
        assert_eq!(with_unit(4.5e-8, "J"), "45.0 nJ");
        assert_eq!(with_unit(0.0, "J"), "0.0 nJ");
        assert_eq!(with_unit(3.2e6, ""), "3.2 M");
    }
}
