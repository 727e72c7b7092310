//! The request of a launch, and its result.

use std::ops::ControlFlow;

use reconverge_isa::{CONSTANT_SIZE, Kernel};

use crate::memory::device::DeviceMemory;
use crate::observe::profile::Profile;
use crate::observe::samples::{Sample, Sampling};
use crate::observe::statistics::Statistics;
use crate::observe::trace::{Trace, Window};
use crate::run::fault::Fault;
use crate::run::occupancy::shared_bytes;
use crate::run::order::Order;

/// The most threads of a block: thread numbers are 16 bits, and so are slots.
const MAX_BLOCK_THREADS: u64 = 32768;

/// The request of a launch.
#[derive(Clone, Debug)]
pub struct Launch<'a> {
    /// Blocks along x, y and z, each at least 1.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z, each at least 1.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The parameters' bytes, in the kernel's declared number.
    pub parameters: &'a [u8],
    /// With or without time.
    pub model: Model,
    /// Limits of the run.
    pub limits: Limits,
    /// Check every claim that annotations make on values and branches.
    pub verify_annotations: bool,
    /// Count by instruction: the report has a profile.
    pub profile: bool,
    /// The control bits of the kernel are proved right for the machine. Otherwise an instruction that issues before a
    /// result can be read has the register's old value, as in hardware; to keep track of these takes time.
    pub control_bits_proved: bool,
}

#[cfg(test)]
impl Launch<'_> {
    /// A launch of one block, without parameters.
    pub(crate) fn of_block(block: [u32; 3], model: Model) -> Self {
        Self {
            grid: [1; 3],
            block,
            dynamic_shared: 0,
            parameters: &[],
            model,
            limits: Limits::default(),
            verify_annotations: false,
            profile: false,
            control_bits_proved: false,
        }
    }
}

impl Launch<'_> {
    /// Bytes of shared memory of a block.
    pub(crate) fn shared_bytes(&self, kernel: &Kernel) -> u64 {
        shared_bytes(kernel, self.dynamic_shared)
    }

    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Blocks that the timing model runs.
    pub(crate) fn timed_blocks(&self) -> u64 {
        self.limits.blocks.unwrap_or(self.blocks())
    }

    /// Checks that the launch makes sense on any machine.
    pub(super) fn check(&self, kernel: &Kernel, memory: &DeviceMemory) -> Result<(), Fault> {
        let bad = |problem: String| Err(Fault::BadLaunch(problem));
        let [x, y, z] = self.grid;
        if x == 0 || y == 0 || z == 0 {
            return bad(format!("a grid of {x} × {y} × {z} blocks is empty"));
        }
        let area = u64::from(x) * u64::from(y);
        if x > i32::MAX as u32 || area > u64::from(u32::MAX) || y > 65535 || z > 65535 {
            return bad(format!("a grid of {x} × {y} × {z} blocks is too large"));
        }
        let [x, y, z] = self.block.map(u64::from);
        if x == 0 || y == 0 || z == 0 {
            return bad(format!("a block of {x} × {y} × {z} threads is empty"));
        }
        let threads = x.saturating_mul(y).saturating_mul(z);
        if threads > MAX_BLOCK_THREADS {
            return bad(format!("a block of {x} × {y} × {z} threads is too large"));
        }
        let bound = u64::from(kernel.max_threads);
        if bound != 0 && threads > bound {
            return bad(format!(
                "a block of {threads} threads; the kernel's launch bounds say at most {bound}"
            ));
        }
        if self.parameters.len() != kernel.parameter_bytes as usize {
            return bad(format!(
                "{} bytes of parameters; the kernel has {}",
                self.parameters.len(),
                kernel.parameter_bytes
            ));
        }
        if memory.constant.len() > CONSTANT_SIZE as usize {
            return bad("more than 64 KiB of constant memory".to_string());
        }
        Ok(())
    }
}

/// The model that runs a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Results and instruction counts; blocks run one after another.
    Functional,
    /// The same in another order, which a GPU might choose too.
    Ordered(Order),
    /// Cycle by cycle.
    Timing,
}

/// Limits of a run, and options of the timing model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Cycles, for the timing model. Default 10⁹: some minutes.
    pub cycles: u64,
    /// Warp instructions. Default 10¹⁰: some minutes to an hour.
    pub instructions: u64,
    /// Instructions without any visible progress after which the search for a livelock starts;
    /// at least 1. Default 100 000.
    pub patience: u64,
    /// Jump over cycles in which nothing can happen. Results are the same without, only later;
    /// tests compare. Default true.
    pub skip: bool,
    /// Host threads that the timing model runs on, at least 1, and at most the host's processors by
    /// default. Results are the same with any number. Default 1.
    pub threads: u32,
    /// Use more threads than there are processors too: slow, for tests. Default false.
    pub oversubscribe: bool,
    /// The window that the timing model records for viewers, if any. Default nothing.
    pub trace: Option<Window>,
    /// The sampling of the timing model, if any. Default none.
    pub sampling: Option<Sampling>,
    /// The number of blocks that the timing model runs, the first of the grid again after its last; by default each of
    /// the grid once. With another number memory is not as the kernel leaves it.
    pub blocks: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cycles: 1_000_000_000,
            instructions: 10_000_000_000,
            patience: 100_000,
            skip: true,
            threads: 1,
            oversubscribe: false,
            trace: None,
            sampling: None,
            blocks: None,
        }
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Blocks that have ended.
    pub blocks_done: u64,
    /// Blocks of the grid.
    pub blocks: u64,
    /// Cycles so far; 0 in the functional model.
    pub cycles: u64,
    /// Warp instructions so far.
    pub instructions: u64,
}

/// Called regularly with the progress of a run; decides if it continues.
pub type Watcher<'a> = &'a mut (dyn FnMut(Progress) -> ControlFlow<()> + Send);

/// A launch that did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why.
    pub fault: Fault,
    /// The measurements until then, if it had started. Cycles are counted up to the last one in
    /// which something happened.
    pub report: Option<Box<Report>>,
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped { fault, report: None }
    }
}

/// The report of a launch: of a whole one, or of the part before one [`Stopped`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Cycles; 0 in the functional model.
    pub cycles: u64,
    /// Over the whole machine.
    pub statistics: Statistics,
    /// Per SM: the counters of its own pipeline and L1; empty in the functional model.
    pub sms: Vec<Statistics>,
    /// Per SM, its record; empty if none was requested.
    pub traces: Vec<Trace>,
    /// The cost of each instruction, if that was requested.
    pub profile: Option<Box<Profile>>,
    /// The counters of each stretch of time, if that was requested: their changes add up to the
    /// statistics.
    pub samples: Vec<Sample>,
}
