//! Reconverge's GPU: runs a kernel of a program image on a machine described by a file, and answers
//! with memory and statistics.
//!
//! Function happens when an instruction issues; time is kept around it. [`launch()`] is the way in.
//! `spec/machine.md` says what is modelled and what is not.

#![deny(clippy::unwrap_used)]

pub mod affine;
pub mod allocation;
mod block;
pub mod block_scheduler;
pub mod check;
mod claim;
mod clock;
pub mod cycle_compression;
mod declarations;
mod decode;
mod device;
pub mod divergence;
pub mod dram_scheduler;
mod emitted;
mod energy;
mod exchange;
mod execute;
mod fault;
mod functional;
pub mod granularity;
pub mod lane_permutation;
mod lanes;
mod launch;
mod levels;
mod livelock;
pub mod local_cache;
mod log;
mod loops;
pub mod machine;
mod mechanism;
mod memory;
pub mod occupancy;
mod operand_queues;
mod order;
mod parts;
pub mod path;
mod placed;
pub mod prefetcher;
mod profile;
mod random;
mod regions;
pub mod register_file;
mod registry;
mod released;
pub mod replacement;
mod samples;
pub mod scheduler;
mod slot_reasons;
mod sm;
mod source;
mod staged;
mod statistic;
pub mod statistics;
pub mod steps;
mod tally;
mod timing;
pub mod trace;
mod verify;
mod votes;

pub use claim::{Claim, Register};
pub use declarations::{ENERGY_DECLARATIONS, declarations, statistics_markdown};
pub use device::DeviceMemory;
pub use emitted::{Emitted, MOST_WORDS};
pub use energy::{ClassEnergy, Component, Energy, EnergyPart, EnergyTable};
pub use fault::{
    Fault, LimitKind, MAX_WAITERS, MechanismWaiter, Trap, TrapKind, WaitReason, Waiter,
};
pub use launch::{Launch, Limits, Model, Progress, Report, Stopped, Watcher, launch};
pub use machine::{Machine, MachineInfo, machines};
pub use mechanism::{Mechanism, Settings};
pub use memory::SecondLevel;
pub use operand_queues::QueueFault;
pub use order::Order;
pub use profile::{PER_LINE, Profile};
pub use registry::{MechanismInfo, mechanisms};
pub use samples::{Sample, Sampling};
pub use statistic::{Declaration, Kind};
pub use statistics::{DECLARATIONS, Statistics};
