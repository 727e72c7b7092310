//! Reconverge's GPU: runs a kernel of a program image on a machine described by a file, and answers
//! with memory and statistics.
//!
//! Function happens when an instruction issues; timing is modelled around it. [`launch()`] is the
//! entry point. `spec/machine.md` states the scope of the model.

#![deny(clippy::unwrap_used)]

mod block;
pub mod check;
mod execute;
pub mod extension;
mod handles;
pub mod machine;
pub mod mechanisms;
mod memory;
pub mod observe;
mod program;
mod random;
pub mod run;
mod sm;
mod verify;

pub use block::operand_queues::QueueFault;
pub use block::path;
pub use machine::Machine;
pub use machine::idealise::idealised;
pub use machine::load::{
    Loaded, MachineInfo, load_machine, machines, read_machine, resolve_machine,
};
pub use mechanisms::code_target::{code_target, control_target, fixed_latencies};
pub use mechanisms::mechanism::{Mechanism, Settings};
pub use mechanisms::registry::{MechanismInfo, declarations, mechanisms};

pub use memory::device::DeviceMemory;
pub use memory::second_level::SecondLevel;
pub use observe::declarations::{ENERGY_DECLARATIONS, statistics_markdown};
pub use observe::energy::{ClassEnergy, Component, Energy, EnergyPart, EnergyTable, energy_table};
pub use observe::mechanism_statistics::MechanismStatistics;
pub use observe::profile::{PER_LINE, Profile};
pub use observe::samples::{Sample, Sampling};
pub use observe::statistic::{Charge, Declaration, Kind};
pub use observe::statistics::Statistics;
pub use run::emitted::{Emitted, MOST_WORDS};
pub use run::fault::{
    Fault, LimitKind, MAX_WAITERS, MechanismWaiter, Trap, TrapKind, WaitReason, Waiter,
};
pub use run::launch::launch;
pub use run::order::Order;
pub use run::request::{Launch, Limits, Model, Progress, Report, Stopped, Watcher};
pub use verify::claim::{Claim, Register};
