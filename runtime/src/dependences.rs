//! The control bits of a program's kernels on a machine that checks no dependences.

use reconverge_compiler::machine_code::{control_bits, dependence_check};
use reconverge_isa::{ControlPart, ControlParts, ControlTarget, Kernel};
use reconverge_simulator::{Machine, code_target};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The control bits of the kernels of a run, by name.
///
/// Kernels compiled for the machine have control bits. Assembly, binaries and code for other machines may have none: they
/// receive them at their first launch.
#[derive(Debug, Default)]
pub struct Dependences {
    distrusted: bool,
    known: BTreeMap<String, Known>,
}

/// A kernel on a machine.
#[derive(Debug)]
struct Known {
    /// The kernel with control bits, if it came without.
    stated: Option<Arc<Kernel>>,
    /// True if a run need not keep track of old values: its control bits are proved right for the machine, or unused.
    is_proved: bool,
}

impl Dependences {
    /// Before any launch. If `distrusted`, for tests, no proof counts: every launch keeps track of old values.
    pub fn new(distrusted: bool) -> Dependences {
        Dependences { distrusted, known: BTreeMap::new() }
    }

    /// Returns the kernel with control bits if it needs some and has none, and true if those of the launch are proved.
    pub fn of(&mut self, kernel: &Kernel, machine: &Machine) -> (Option<Arc<Kernel>>, bool) {
        if let Some(known) = self.known.get(&kernel.name) {
            return (known.stated.clone(), known.is_proved);
        }
        let known = self.first(kernel, machine);
        let answer = (known.stated.clone(), known.is_proved);
        self.known.insert(kernel.name.clone(), known);
        answer
    }

    /// A kernel at its first launch.
    fn first(&self, kernel: &Kernel, machine: &Machine) -> Known {
        let Some(control) = code_target(machine).control_bits else {
            return Known { stated: None, is_proved: true };
        };
        let stated = with_control_bits(kernel, &control).map(Arc::new);
        let checked = stated.as_deref().unwrap_or(kernel);
        let is_proved =
            !self.distrusted && dependence_check::check(checked, &control.latencies).is_ok();
        Known { stated, is_proved }
    }
}

/// The kernel with control bits for a machine, if it has none.
fn with_control_bits(kernel: &Kernel, target: &ControlTarget) -> Option<Kernel> {
    if !kernel.record.control_bits.is_empty() {
        return None;
    }
    let mut kernel = kernel.clone();
    let common = vec![false; kernel.main_code().len()];
    // Without waits for limits, no instruction is added: reports name those of the file.
    let without = target.without.and(ControlParts::from_iter([ControlPart::Limits]));
    control_bits::choose(&mut kernel, common, &ControlTarget { without, ..*target });
    Some(kernel)
}
