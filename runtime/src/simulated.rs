//! The device that runs kernels on a simulated machine.

use crate::causes::Launched;
use crate::checks::{Again, Checking};
use crate::dependences::Dependences;
use crate::emitted;
use crate::host::denied::{Denied, DeniedLaunch};
use crate::host::device::{
    BlockSize, Device, DeviceLimits, Elapsed, LaunchError, LaunchRequest, MachineFacts, Occupancy,
};
use crate::host::memory::{self, Accessor, DEVICE_BASE, Memory, NULL_END, dynamic_shared_note};
use crate::host::order::HostAct;
use crate::host::printed::{self, Printed};
use crate::host::report::{Failure, INTERRUPTED, Report};
use crate::idealised::{Ran, WhatIf};
use crate::interruption::Interruption;
use crate::kernel_record::KernelRecord;
use crate::trace::Selection;
use reconverge_compiler::analysis::legality::span_at;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::check::vectors;
use reconverge_compiler::diagnostic::code;
use reconverge_compiler::lower::dynamic_shared;
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_isa::wording::{counted, verb};
use reconverge_isa::{Kernel, Program, Space};
use reconverge_simulator as simulator;
use reconverge_simulator::machine::{BarrierCounts, SmConfig};
use reconverge_simulator::machines;
use reconverge_simulator::mechanisms::divergence::list::{MECHANISMS, capabilities};
use reconverge_simulator::observe::trace::Window;
use reconverge_simulator::run::occupancy::{Footprint, Room};
use reconverge_simulator::{
    Claim, DeviceMemory, Emitted, Fault, Launch, Limits, Machine, MechanismWaiter, Model, Progress,
    Sampling, SecondLevel, Stopped, TrapKind, WaitReason, Waiter, energy_table, load_machine,
};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `cudaErrorInvalidDeviceFunction`: the image lacks the kernel.
const INVALID_DEVICE_FUNCTION: i32 = 98;

/// The most samples of a run, of which each takes some hundred bytes to a kilobyte; the last one of a launch that has
/// no room for all holds the rest.
pub const MOST_SAMPLES: u64 = 100_000;

/// The number of earlier launches that a launch may share its statistics with: those of a loop of the host.
const SHARING: usize = 16;

/// The sampling of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SamplePeriod {
    /// The number of cycles of each launch between samples, at least 1; a run has at most
    /// [`MOST_SAMPLES`].
    Every(u64),
    /// An overview of the run as a whole, of any length: every [`FINEST_OVERVIEW`] cycles of the
    /// first launch, and half as often whenever that has more than [`OVERVIEW_SAMPLES`]; in later
    /// launches the less often, the more cycles have gone before.
    Overview,
}

/// Cycles of the shortest sample of an overview.
pub const FINEST_OVERVIEW: u64 = 16;

/// The most samples of a launch in an overview; a long one has at least half of them.
pub const OVERVIEW_SAMPLES: u64 = 400;

/// Told the kernel's name and how far it is, now and then, and once with all blocks when it has ended, however it has.
pub type Watch<'a> = &'a mut (dyn FnMut(&str, &Progress) + Send);

/// A simulated machine with the program it runs.
pub struct Simulated<'a, 'm> {
    /// The program.
    pub program: &'a Program,
    /// Its source module, for messages.
    pub module: &'a Module,
    /// Its sources, for messages.
    pub sources: &'a SourceMap,
    /// The machine.
    pub machine: &'a Machine,
    /// With or without time.
    pub model: Model,
    /// The contents of the L2 between launches, if it keeps them.
    pub second_level: Option<SecondLevel>,
    /// The limits of a kernel.
    pub limits: Limits,
    /// Check every claim that the compiler makes on values and branches.
    pub verify_annotations: bool,
    /// Count by instruction.
    pub profile: bool,
    /// True to digest memory after each launch.
    pub digest: bool,
    /// The record for viewers.
    pub trace: Option<&'a Selection>,
    /// The sampling of the timing model, if any.
    pub samples: Option<SamplePeriod>,
    /// The launches so far; only the last may be incomplete.
    pub records: Vec<KernelRecord>,
    /// The printed output of the last launch's threads.
    pub printed: Vec<Printed>,
    /// The last requests of the program that were denied.
    pub denied: Denied,
    /// The checker of the run, if there is one.
    pub checking: Option<Checking<'m>>,
    /// Told how far a launch is.
    pub watch: Watch<'a>,
    /// Asks launches to stop.
    pub interruption: Interruption,
    /// The control bits of kernels.
    pub dependences: Dependences,
    /// Runs launches again without causes of lost time, under the timing model with a profile.
    pub what_if: Option<WhatIf<'a>>,
    /// Wall time spent in kernels; for benchmarks only, it reaches no result.
    pub time: Duration,
}

impl Simulated<'_, '_> {
    /// The record of a kernel's launch.
    fn window(&self, kernel: &str) -> Option<Window> {
        self.trace.and_then(|selection| selection.window(kernel, self.machine, &self.records))
    }

    /// The sampling of a launch.
    fn sampling(&self) -> Option<Sampling> {
        Some(match self.samples? {
            SamplePeriod::Every(every) => {
                let taken: usize = self.records.iter().map(|record| record.samples.len()).sum();
                let most = MOST_SAMPLES.saturating_sub(taken as u64).max(1);
                Sampling { every, most, coarsens: false }
            }
            SamplePeriod::Overview => {
                let statistics = self.records.iter().filter_map(|it| it.statistics.as_ref());
                let cycles: u64 = statistics.map(|statistics| statistics.cycles).sum();
                let every = (cycles / OVERVIEW_SAMPLES).max(FINEST_OVERVIEW).next_power_of_two();
                Sampling { every, most: OVERVIEW_SAMPLES, coarsens: true }
            }
        })
    }

    /// The record of a launch, without a digest of memory.
    fn record(
        &self,
        request: &LaunchRequest,
        report: simulator::Report,
        complete: bool,
        allocated: u64,
    ) -> KernelRecord {
        let recent = self.records.iter().rev().take(SHARING);
        let mut recent = recent.filter_map(|record| record.statistics.as_ref());
        let same = recent.find(|known| ***known == report.statistics).cloned();
        KernelRecord {
            name: request.name.clone(),
            grid: request.grid,
            block: request.block,
            span: request.span,
            complete,
            allocated,
            memory: None,
            statistics: Some(same.unwrap_or_else(|| Arc::new(report.statistics))),
            traces: report.traces,
            samples: report.samples,
            profile: report.profile,
            energy: energy_table(self.machine),
            what_if: None,
        }
    }

    /// Tries a launch that has gone well in other orders, and notes in which something is otherwise.
    fn in_other_orders(
        &mut self,
        again: &Again,
        kernel: &Kernel,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) {
        let interruption = self.interruption.clone();
        let mut go_on = || !interruption.is_requested();
        let stopped = self.checking.as_mut().and_then(|checking| {
            checking.in_other_orders(again, self.program, kernel, request, memory, &mut go_on)
        });
        if let Some(fault) = stopped {
            let mut failure = self.failure(kernel, request, Blocks::Together, memory, fault);
            if let Some(checking) = &mut self.checking {
                checking.stops(request, failure.report_mut());
            }
        }
    }

    /// The cycles of a launch without causes of lost time. One that has the statistics of an earlier launch of its kernel has its
    /// measurements too.
    fn without_causes(
        &mut self,
        record: &KernelRecord,
        launch: &Launch,
        before: &[u8],
        second_level: Option<SecondLevel>,
        memory: &mut Memory,
    ) -> Option<Box<Launched>> {
        let is_same = |known: &&KernelRecord| {
            known.name == record.name
                && known.grid == record.grid
                && known.block == record.block
                && known.statistics == record.statistics
        };
        if let Some(known) = self.records.iter().rev().take(SHARING).find(is_same) {
            return known.what_if.clone();
        }
        let (_, allocations, constant) = memory.device_parts();
        let ran = Ran {
            launch,
            kernel: &record.name,
            machine: self.machine,
            global: before,
            allocations,
            constant,
            second_level,
        };
        let interruption = self.interruption.clone();
        self.what_if.as_mut()?.measure(ran, record, &mut || !interruption.is_requested())
    }

    fn failure(
        &self,
        kernel: &Kernel,
        request: &LaunchRequest,
        blocks: Blocks,
        memory: &mut Memory,
        fault: Fault,
    ) -> Failure {
        let (program, sources, machine) = (self.program, self.sources, self.machine);
        let explain = Explain { program, sources, machine, kernel, blocks };
        let span = match &fault {
            Fault::Trap(trap) => explain.span(trap.pc),
            _ => None,
        };
        let vector = span.and_then(|span| vectors::accessed_at(self.module, span));
        let known = known(&fault, memory, vector.map(|it| &*it.name));
        let reason = match &fault {
            Fault::Trap(trap) => match trap.kind {
                TrapKind::Program { reason } => Some(reason),
                _ => None,
            },
            _ => None,
        };
        let is_beyond_shared = matches!(&fault, Fault::Trap(trap)
            if matches!(trap.kind, TrapKind::OutOfBounds { space: Space::Shared, .. }));
        let dynamic =
            is_beyond_shared.then(|| dynamic_shared(self.module, request.kernel)).flatten();
        let mut failure = explain.failure(fault);
        let report = failure.report_mut();
        if let Some(known) = known {
            report.code = Some(known.code);
            report.message = known.message;
            report.help = known.help;
            report.labels.extend(known.allocation);
        }
        if let Some(name) = dynamic {
            report.message += &dynamic_shared_note(name, request.dynamic_shared);
        }
        if let Some(reason @ 3..) = reason {
            report.code = Some(code::ASSERTION);
            report.message = printed::assertion(memory, reason);
        }
        report.kernel.get_or_insert_with(|| request.name.clone());
        report.span.get_or_insert(request.span);
        failure
    }
}

impl Device for Simulated<'_, '_> {
    fn launch(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Result<Elapsed, LaunchError> {
        let Some(kernel) = self.program.kernel(&request.name) else {
            return Err(LaunchError::Refused(INVALID_DEVICE_FUNCTION));
        };
        let (stated, control_bits_proved) = self.dependences.of(kernel, self.machine);
        let kernel = stated.as_deref().unwrap_or(kernel);
        let launch = Launch {
            grid: request.grid,
            block: request.block,
            dynamic_shared: request.dynamic_shared,
            parameters: &request.arguments,
            model: self.model,
            limits: Limits {
                trace: self.window(&request.name),
                sampling: self.sampling(),
                ..self.limits
            },
            verify_annotations: self.verify_annotations,
            profile: self.profile,
            control_bits_proved,
        };
        let wants_orders = self.checking.as_ref().is_some_and(|it| it.schedules().count != 0);
        let wants_causes = self.what_if.is_some() && self.model == Model::Timing;
        let before = (wants_orders || wants_causes).then(|| memory.device_parts().0.to_vec());
        let kept = self.second_level.as_mut().filter(|_| wants_causes);
        let second_level = kept.and_then(|kept| kept.copy(self.machine));
        let checker = self.checking.as_mut().and_then(|checking| checking.checker(request, memory));
        let (global, allocations, constant) = memory.device_parts();
        let allocated = allocations.iter().map(|range| u64::from(range.end - range.start)).sum();
        let mut device = DeviceMemory {
            global,
            allocations,
            constant,
            emitted: Emitted::default(),
            checker,
            second_level: self.second_level.as_mut(),
        };
        let (watch, interruption) = (&mut self.watch, &self.interruption);
        let started = Instant::now();
        let result = simulator::launch(kernel, &launch, &mut device, self.machine, &mut |now| {
            watch(&request.name, &now);
            if interruption.is_requested() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        self.time += started.elapsed();
        let blocks = request.grid.iter().map(|&extent| u64::from(extent)).product();
        watch(&request.name, &Progress { blocks_done: blocks, blocks, ..Progress::default() });
        let emitted = std::mem::take(&mut device.emitted);
        if let Some(checking) = &mut self.checking {
            checking.launched(self.program, request, memory);
            if let Some(mut report) = checking.exhausted(kernel, memory) {
                report.kernel = Some(request.name.clone());
                report.span = Some(request.span);
                return Err(LaunchError::Failed(Failure::Limit(report)));
            }
        }
        self.printed = emitted.words.values().flat_map(|words| emitted::calls(words)).collect();
        match result {
            Ok(report) => {
                let cycles = report.cycles;
                let instructions = report.statistics.warp_instructions;
                let mut record = self.record(request, report, true, allocated);
                if let Some(before) = before.as_deref().filter(|_| wants_causes) {
                    record.what_if =
                        self.without_causes(&record, &launch, before, second_level, memory);
                }
                if let Some(before) = before.filter(|_| wants_orders) {
                    let (machine, instructions) = (self.machine, instructions);
                    let again = Again { launch, machine, before, instructions };
                    self.in_other_orders(&again, kernel, request, memory);
                }
                let digest = self.digest.then(|| memory.digest());
                self.records.push(KernelRecord { memory: digest, ..record });
                let nanoseconds = (cycles as f64 * 1e3 / self.machine.clock_mhz) as u64;
                Ok(Elapsed { nanoseconds })
            }
            Err(Stopped { fault, report }) => {
                let report = report.map(|report| self.record(request, *report, false, allocated));
                self.records.extend(report);
                let blocks = match self.model {
                    Model::Functional => Blocks::OneByOne,
                    Model::Ordered(_) | Model::Timing => Blocks::Together,
                };
                Err(LaunchError::Failed(self.failure(kernel, request, blocks, memory, fault)))
            }
        }
    }

    fn take_printed(&mut self) -> Vec<Printed> {
        std::mem::take(&mut self.printed)
    }

    fn watches_host(&mut self, has_streams: bool) -> bool {
        if let Some(checking) = &mut self.checking {
            checking.has_streams = has_streams;
        }
        self.checking.is_some()
    }

    fn host_acts(&mut self, act: &HostAct, memory: &Memory) {
        if let Some(checking) = &mut self.checking {
            checking.host_acts(act, memory);
        }
    }

    fn host_touches(&mut self, range: Range<u32>, write: bool) -> bool {
        self.checking.as_mut().is_some_and(|checking| checking.host_touches(range, write))
    }

    fn host_writes(&mut self, range: Range<u32>) {
        if let Some(second_level) = &mut self.second_level {
            second_level.written(range);
        }
    }

    fn host_raced(&mut self, span: Span, memory: &Memory) {
        if let Some(checking) = &mut self.checking {
            checking.host_raced(span, memory);
        }
    }

    fn host_read_unwritten(&mut self, span: Span, from: u32, size: u32, memory: &Memory) {
        if let Some(checking) = &mut self.checking {
            checking.host_read_unwritten(span, from, size, memory);
        }
    }

    fn unwritten(&mut self, range: Range<u32>, memory: &mut Memory) -> Vec<Range<u32>> {
        self.checking.as_mut().map(|it| it.unwritten(range, memory)).unwrap_or_default()
    }

    fn ended(&mut self, memory: &Memory, denied: Option<&DeniedLaunch>) {
        self.denied = Denied { launch: denied.cloned(), memory: memory.denied().cloned() };
        if let Some(checking) = &mut self.checking {
            checking.ended(memory, denied);
        }
    }

    fn limits(&self) -> DeviceLimits {
        device_limits(self.machine, self.program)
    }
}

/// The contents of the L2 before the first launch, under a model and on a machine that keep it
/// between launches.
pub fn second_level(machine: &Machine, model: Model) -> Option<SecondLevel> {
    (model == Model::Timing).then(|| SecondLevel::of(machine)).flatten()
}

/// The number of blocks of a size that an SM holds.
fn occupancy(sm: &SmConfig) -> Occupancy {
    let sm = sm.clone();
    Occupancy::new(move |BlockSize { threads, registers, shared }| {
        Footprint::new(&sm, threads.into(), registers, shared).blocks(&Room::of(&sm))
    })
}

/// The limits of a launch on a machine; the same under every model.
pub fn device_limits(machine: &Machine, program: &Program) -> DeviceLimits {
    let sm = &machine.sm;
    let bus = machine.dram.chips * machine.dram.width;
    // The clock at both edges of which the bus moves data, as CUDA reports it.
    let memory_khz = (machine.dram.peak() / f64::from(2 * bus) / 1e3).round() as u32;
    let facts = MachineFacts {
        name: machine.name.clone(),
        sms: machine.sms,
        clock_khz: (machine.clock_mhz * 1e3).round() as u32,
        registers: sm.registers,
        warps: sm.warps,
        blocks: sm.blocks,
        occupancy: Some(occupancy(sm)),
        l2: machine.l2.size,
        bus_bits: 8 * bus * machine.l2.partitions,
        memory_khz,
    };
    DeviceLimits {
        shared: sm.shared_memory,
        warp: sm.warp_width,
        barriers_count_warps: machine.barrier.counts == BarrierCounts::Warps,
        registers: program.kernels.iter().map(|k| (k.name.clone(), k.first_uniform())).collect(),
        machine: facts,
        ..DeviceLimits::default()
    }
}

/// The host's explanation of a faulty access, if it is better than the simulator's: the relation of
/// the address to its allocations, and the correction. `vector` is accessed as a whole at the
/// fault.
fn known(fault: &Fault, memory: &Memory, vector: Option<&str>) -> Option<memory::Fault> {
    let Fault::Trap(trap) = fault else {
        return None;
    };
    let explain =
        |address, size: u32, write| memory.explain(Accessor::Device, address, size as u64, write);
    match trap.kind {
        simulator::TrapKind::OutOfBounds { address, size, write, space: Space::Global, .. }
            if !(NULL_END..DEVICE_BASE).contains(&address) =>
        {
            Some(explain(address, size, write))
        }
        simulator::TrapKind::HostPointer { address, write } => {
            let help = explain(address, 1, write).help;
            Some(memory::Fault {
                code: code::TRAP,
                message: trap.kind.to_string(),
                help,
                allocation: None,
            })
        }
        simulator::TrapKind::OutputFull => {
            let report = printed::overflow();
            let (message, help) = (report.message.clone(), report.help.clone());
            Some(memory::Fault { code: code::TRAP, message, help, allocation: None })
        }
        simulator::TrapKind::Misaligned { size, .. } => {
            let help = match vector {
                Some(name) => memory::misaligned_vector(name, size.into()),
                None => format!("the address must be a multiple of {size}"),
            };
            let message = trap.kind.to_string();
            Some(memory::Fault {
                code: code::MISALIGNED,
                message,
                help: Some(help),
                allocation: None,
            })
        }
        _ => None,
    }
}

/// Turns the simulator's faults into reports about the source.
struct Explain<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    machine: &'a Machine,
    kernel: &'a Kernel,
    blocks: Blocks,
}

/// The order in which the blocks of a grid run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocks {
    /// One after another.
    OneByOne,
    /// As many at once as fit on the machine.
    Together,
}

impl Explain<'_> {
    fn failure(&self, fault: Fault) -> Failure {
        match fault {
            Fault::Trap(trap) => {
                let mut report = Report::new(trap.kind.to_string());
                report.span = self.span(trap.pc);
                if report.span.is_none() {
                    report.notes.extend(self.unread_place(trap.pc));
                }
                report.block = Some(trap.block);
                report.thread = Some(trap.thread);
                report.code = match trap.kind {
                    TrapKind::OutOfBounds { .. } => Some(code::OUT_OF_BOUNDS),
                    _ => None,
                };
                match trap.kind {
                    TrapKind::BrokenClaim(claim) => {
                        report.labels.extend(self.cause(claim));
                        Failure::Internal(report)
                    }
                    TrapKind::Contradiction { .. }
                    | TrapKind::FalseHint { .. }
                    | TrapKind::Queue(_)
                    | TrapKind::Mechanism(_) => Failure::Internal(report),
                    _ => Failure::Trap(report),
                }
            }
            Fault::Deadlock { waiters, paths, mechanisms, unstarted } => {
                Failure::Deadlock(self.deadlock(&waiters, paths, &mechanisms, unstarted))
            }
            Fault::Limit { .. } => Failure::Limit(
                Report::new(fault.to_string()).with_help("raise the limit with `--max-cycles`"),
            ),
            Fault::Interrupted => Failure::Interrupted(Report::new(INTERRUPTED)),
            Fault::Unbalanced { .. } => Failure::Internal(Report::new(fault.to_string())),
            other => Failure::Trap(Report::new(other.to_string())),
        }
    }

    /// The other place that a broken claim has to do with.
    fn cause(&self, claim: Claim) -> Option<(Span, String)> {
        let Claim::LastRead { register, released } = claim else {
            return None;
        };
        Some((self.span(released)?, format!("`{register}` is released here")))
    }

    fn deadlock(
        &self,
        waiters: &[Waiter],
        paths: usize,
        mechanisms: &[MechanismWaiter],
        unstarted: u64,
    ) -> Report {
        let mut report = Report::new("deadlock: no thread can make progress");
        report.help = match unstarted {
            0 => self.way_out(waiters),
            _ => Some(self.blocks.help().to_owned()),
        };
        let waiters = waiters.iter().take(MAX_SHOWN).map(|it| (it.pc, it.to_string()));
        let others = mechanisms.iter().take(MAX_SHOWN).map(|it| (it.pc, it.to_string()));
        let shown: Vec<_> = waiters.chain(others).collect();
        let rest = paths + mechanisms.len() - shown.len();
        for (pc, text) in shown {
            match self.span(pc) {
                Some(span) if report.span.is_none() => {
                    report.span = Some(span);
                    report.notes.push(text);
                }
                Some(span) => report.labels.push((span, text)),
                None => report.notes.push(text),
            }
        }
        if rest > 0 {
            let waits = verb(rest as u64, "waits", "wait");
            report.notes.push(format!("and {rest} more {waits}"));
        }
        if unstarted > 0 {
            let (blocks, have) = (counted(unstarted, "block"), verb(unstarted, "has", "have"));
            report.notes.push(format!("{blocks} {have} not started: {}", self.blocks.why()));
        }
        report
    }

    /// The setting of the machine that would let the threads continue, if there is one.
    fn way_out(&self, waiters: &[Waiter]) -> Option<String> {
        // If all wait at barriers, some threads are held up by others of their warps, or one had
        // opened.
        let at_barrier = |it: &Waiter| matches!(it.reason, WaitReason::Barrier { .. });
        if self.machine.barrier.counts == BarrierCounts::Threads && waiters.iter().all(at_barrier) {
            let help = "on hardware before Volta a path that arrives at a barrier counts for its whole warp: \
                        `--set barrier.counts=warps`";
            return Some(help.to_owned());
        }
        let holds_back =
            |it: &Waiter| matches!(it.reason, WaitReason::Spin { holds_back } if holds_back > 0);
        let is_independent =
            |scheme: &str| capabilities(scheme).is_some_and(|can| can.independent_progress);
        if is_independent(&self.machine.divergence) || !waiters.iter().any(holds_back) {
            return None;
        }
        let names = MECHANISMS
            .all()
            .into_iter()
            .map(|scheme| scheme.name)
            .filter(|name| is_independent(name));
        let schemes = listed(names.map(|name| format!("`{name}`")));
        let machines = machines().into_iter().map(|machine| machine.name);
        let runs = |name: &String| {
            load_machine(name, &[]).is_ok_and(|machine| is_independent(&machine.divergence))
        };
        let machines = listed(machines.filter(runs).map(|name| format!("`{name}`")));
        Some(format!(
            "if a thread that is held back must end the wait, as the holder of a lock does, run it where threads of a \
             warp progress independently: on machine {machines}, or under scheme {schemes} (`--set divergence=NAME`)"
        ))
    }

    /// The source of an instruction.
    fn span(&self, pc: u32) -> Option<Span> {
        let location = self.kernel.lines.get(pc as usize)?;
        span_at(self.sources, &self.program.files, *location)
    }

    /// The place of an instruction in a file whose text is not there, as PTX names it by `.loc`.
    fn unread_place(&self, pc: u32) -> Option<String> {
        let location = self.kernel.lines.get(pc as usize).filter(|it| it.line != 0)?;
        let file = self.program.files.get(location.file as usize)?;
        Some(format!("the original source: {file}:{}:{}", location.line, location.column))
    }
}

impl Blocks {
    /// Why blocks have not started.
    fn why(self) -> &'static str {
        match self {
            Blocks::OneByOne => "under `--model functional` blocks run one after another",
            Blocks::Together => "a block waits until an SM has room for it",
        }
    }

    /// Help for a block that waits for one that has not started.
    fn help(self) -> &'static str {
        match self {
            Blocks::OneByOne => {
                "if the block waits for a later one, use `--model timing`, which runs blocks side by side"
            }
            Blocks::Together => {
                "if a block waits for one that has not started, launch no more blocks than fit at once, which \
                 `reconverge occupancy` shows per SM"
            }
        }
    }
}

/// `a, b or c`.
fn listed(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    match names.as_slice() {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        names => names.concat(),
    }
}

/// The most waiting paths in a report.
const MAX_SHOWN: usize = 8;
