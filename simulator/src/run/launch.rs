//! Launching a kernel: the request and the result.

use std::ops::ControlFlow;

use reconverge_isa::convergence::{self, Stripped};
use reconverge_isa::{CONSTANT_SIZE, Kernel};

use crate::check::{Flows, Shape};
use crate::machine::Machine;
use crate::mechanisms::affine::{Streams, check_kernel};
use crate::mechanisms::build;
use crate::mechanisms::divergence;
use crate::mechanisms::divergence::Capabilities;
use crate::memory::device::DeviceMemory;
use crate::observe::profile::Profile;
use crate::observe::samples::{Sample, Sampling};
use crate::observe::statistics::Statistics;
use crate::observe::trace::{Trace, Window};
use crate::program::decode::Code;
use crate::run::emitted::Emitted;
use crate::run::fault::Fault;
use crate::run::functional;
use crate::run::occupancy::{Footprint, carved, shared_bytes};
use crate::run::order::Order;
use crate::run::timing;

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
        }
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
    pub profile: Option<Profile>,
    /// The counters of each stretch of time, if that was requested: their changes add up to the
    /// statistics.
    pub samples: Vec<Sample>,
}

/// The most threads of a block: thread numbers are 16 bits, and so are slots.
const MAX_BLOCK_THREADS: u64 = 32768;

impl Launch<'_> {
    /// Bytes of shared memory of a block.
    pub(crate) fn shared_bytes(&self, kernel: &Kernel) -> u64 {
        shared_bytes(kernel, self.dynamic_shared)
    }

    /// Blocks of the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Checks that the launch makes sense on any machine.
    fn check(&self, kernel: &Kernel, memory: &DeviceMemory) -> Result<(), Fault> {
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

/// A block's use of an SM; a fault if it fits no SM.
fn footprint(kernel: &Kernel, request: &Launch, machine: &Machine) -> Result<Footprint, Fault> {
    let sm = &machine.sm;
    let threads: u64 = request.block.iter().map(|&n| u64::from(n)).product();
    let shared = request.shared_bytes(kernel);
    let footprint = Footprint::new(sm, threads, kernel.registers, shared);
    let limits = [
        ("threads", threads, u64::from(sm.warps) * u64::from(sm.warp_width)),
        ("registers", footprint.registers, u64::from(sm.registers)),
        ("bytes of shared memory", footprint.shared, u64::from(sm.shared_memory)),
    ];
    for (what, need, have) in limits {
        if need > have {
            return Err(Fault::DoesNotFit { what, need, have });
        }
    }
    let resident = most_blocks(&footprint, machine) * u64::from(machine.sms);
    let local = threads * u64::from(kernel.local_bytes) * resident;
    if local > MAX_LOCAL_BYTES {
        return Err(Fault::DoesNotFit {
            what: "bytes of local memory (with all that are resident)",
            need: local,
            have: MAX_LOCAL_BYTES,
        });
    }
    Ok(footprint)
}

/// The most blocks that can be resident on an SM as far as warps and block slots are concerned.
pub(crate) fn most_blocks(footprint: &Footprint, machine: &Machine) -> u64 {
    let warps = u64::from(machine.sm.warps) / footprint.warps.max(1);
    warps.min(u64::from(machine.sm.blocks))
}

/// Local memory of all resident blocks: an amount that the host can be expected to have.
const MAX_LOCAL_BYTES: u64 = 1 << 30;

/// Runs a kernel on a machine. `progress` is called at its start and regularly; it may stop the
/// run.
///
/// # Errors
/// The reason why it did not complete, with the measurements so far.
pub fn launch(
    kernel: &Kernel,
    request: &Launch,
    memory: &mut DeviceMemory,
    machine: &Machine,
    progress: Watcher,
) -> Result<Report, Stopped> {
    let varied;
    let machine = match request.model {
        // A second stream is compiled for the scheme of its machine.
        Model::Ordered(_) if kernel.affine.is_none() => {
            varied =
                Machine { divergence: divergence::list::INTERLEAVED.to_owned(), ..machine.clone() };
            &varied
        }
        _ => machine,
    };
    let scheme = build::divergence(machine).map_err(Fault::BadLaunch)?;
    let scheme = scheme.capabilities();
    let stripped = match scheme.executes_convergence_barriers {
        true => None,
        false => convergence::strip(kernel),
    };
    match stripped {
        None => {
            let done = run((kernel, &|pc| pc), request, memory, machine, &scheme, progress);
            finish_checks(memory, &done, &|pc| pc);
            done
        }
        // A fault names instructions as the program has them.
        Some(Stripped { kernel, origin }) => {
            let place = |pc: u32| origin.get(pc as usize).copied().unwrap_or(pc);
            let moved = |mut report: Report| {
                for trace in &mut report.traces {
                    let traced = trace.instructions.iter_mut();
                    traced.for_each(|instruction| instruction.pc = place(instruction.pc));
                    trace.states.iter_mut().for_each(|state| state.moved(place));
                }
                report.profile = report.profile.map(|profile| profile.moved(place));
                report
            };
            let done = run((&kernel, &place), request, memory, machine, &scheme, progress);
            finish_checks(memory, &done, &place);
            done.map(moved).map_err(|stopped| {
                let report = stopped.report.map(|report| Box::new(moved(*report)));
                Stopped { fault: stopped.fault.moved(place), report }
            })
        }
    }
}

/// Ends the checks of a launch. `place` returns the number of an instruction in the program.
fn finish_checks(
    memory: &mut DeviceMemory,
    done: &Result<Report, Stopped>,
    place: &dyn Fn(u32) -> u32,
) {
    if let Some(checker) = &mut memory.checker {
        if let Err(Stopped { fault: Fault::Deadlock { .. }, .. }) = done {
            checker.stuck();
        }
        checker.finish(place);
    }
}

/// Runs a kernel; `place` returns the number of its instructions in the program.
fn run(
    (kernel, place): (&Kernel, &dyn Fn(u32) -> u32),
    request: &Launch,
    memory: &mut DeviceMemory,
    machine: &Machine,
    scheme: &Capabilities,
    progress: Watcher,
) -> Result<Report, Stopped> {
    request.check(kernel, memory)?;
    let started = Progress { blocks: request.blocks(), ..Progress::default() };
    if progress(started).is_break() {
        return Err(Fault::Interrupted.into());
    }
    let footprint = footprint(kernel, request, machine)?;
    let carved_machine = carved(machine, &footprint);
    let machine = carved_machine.as_ref().unwrap_or(machine);
    let demands = build::demands(machine);
    check_kernel(kernel, demands.streams != Streams::One).map_err(Fault::BadLaunch)?;
    let affine = build::affine(machine).map_err(Fault::BadLaunch)?;
    let mut code = Code::new(kernel, request, machine.sm.warp_width, scheme, &*affine)?;
    if let Some(levels) = demands.levels {
        code.check_levels(levels)?;
    }
    for instruction in &mut code.instructions {
        instruction.timing = machine.timing(instruction.op).unwrap_or(instruction.timing);
    }
    if let Some(unit) = demands.staging {
        code.stage(kernel, unit.banks, unit.bank_entries)?;
    }
    if let Some(second_level) = &mut memory.second_level {
        if !second_level.fits(machine) {
            let message = "the second level that is lent is another machine's";
            return Err(Fault::BadLaunch(message.to_owned()).into());
        }
        let bytes = machine.instruction_cache.instruction_bytes;
        code.place = second_level.place_code(&kernel.name, code.instructions.len(), bytes);
    }
    if let Some(checker) = memory.checker.as_mut().filter(|checker| checker.follows_marks()) {
        let flows = Flows::new(&code);
        if let Some(flows) = &flows {
            code.mark(flows);
        }
        checker.expect_flows(flows);
    }
    let code = code;
    let mut run = |memory: &mut DeviceMemory| {
        let functional = |order, memory: &mut DeviceMemory, progress: Watcher| {
            functional::run(&code, request, (order, footprint), memory, machine, progress)
        };
        match request.model {
            Model::Functional => functional(None, memory, progress),
            Model::Ordered(order) => functional(Some(order), memory, progress),
            Model::Timing => timing::run(&code, request, footprint, memory, machine, progress),
        }
    };
    let Some(checker) = &mut memory.checker else {
        return run(memory);
    };
    let shape = Shape {
        grid: request.grid,
        block: request.block,
        width: code.shape.width as usize,
        lanes: (0..code.shape.warps()).map(|warp| code.shape.mask(warp)).collect(),
        shared: code.shared_bytes,
        local: code.local_bytes,
        instructions: code.instructions.len(),
        lines: kernel.lines.clone(),
    };
    checker.start(shape.clone(), place);
    if !checker.may_be_refuted() {
        return run(memory);
    }
    if memory.second_level.is_some() {
        // The changes of a run to memory cannot be undone: there is one only.
        checker.start_again(shape);
        return run(memory);
    }
    let mut global = Vec::new();
    if global.try_reserve_exact(memory.global.len()).is_err() {
        checker.start_again(shape);
        return run(memory);
    }
    global.extend_from_slice(memory.global);
    let done = run(memory);
    match &mut memory.checker {
        Some(checker) if checker.was_refuted() => {
            checker.start_again(shape);
            memory.global.copy_from_slice(&global);
            memory.emitted = Emitted::default();
            run(memory)
        }
        _ => done,
    }
}
