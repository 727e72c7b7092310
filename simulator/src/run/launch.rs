//! Launching a kernel: the request and the result.

use reconverge_isa::convergence::{self, Stripped};
use reconverge_isa::{Kernel, Op};

use crate::check::marks::Flows;
use crate::check::shape::Shape;
use crate::machine::load::shipped_with;
use crate::machine::{Dependences, Machine, OperandDelivery};
use crate::mechanisms::affine::streams::check_kernel;
use crate::mechanisms::code_target::fixed_latencies;
use crate::mechanisms::demands::Streams;
use crate::mechanisms::divergence::slot::Capabilities;
use crate::mechanisms::{affine, divergence};
use crate::memory::device::DeviceMemory;
use crate::program::code::Code;
use crate::program::decode::decode;
use crate::program::distribute::distribute;
use crate::run::emitted::Emitted;
use crate::run::fault::Fault;
use crate::run::occupancy::{Footprint, carved, most_blocks};
use crate::run::request::{Launch, Model, Progress, Report, Stopped, Watcher};
use crate::run::{functional, timing};
use crate::verify::levels::check_levels;

/// A block's use of an SM; a fault if it fits no SM.
fn footprint(kernel: &Kernel, request: &Launch, machine: &Machine) -> Result<Footprint, Fault> {
    let sm = &machine.sm;
    let threads: u64 = request.block.iter().map(|&n| u64::from(n)).product();
    let shared = request.shared_bytes(kernel);
    let footprint = Footprint::new(sm, threads, machine.registers_of(kernel), shared);
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
    let scheme = divergence::list::build(machine).map_err(Fault::BadLaunch)?;
    let scheme = scheme.capabilities();
    let stripped = match scheme.executes_convergence_barriers {
        true => None,
        false => convergence::strip(kernel),
    };
    match stripped {
        None => {
            let done = run(kernel, &|pc| pc, request, memory, machine, &scheme, progress);
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
                report.profile = report.profile.map(|profile| Box::new(profile.moved(place)));
                report
            };
            let done = run(&kernel, &place, request, memory, machine, &scheme, progress);
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
    kernel: &Kernel,
    place: &dyn Fn(u32) -> u32,
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
    // Without time the sizes of shared memory and of the L1 have no effect.
    let carved_machine = match request.model {
        Model::Functional => None,
        _ => carved(machine, &footprint),
    };
    let machine = carved_machine.as_ref().unwrap_or(machine);
    let demands = machine.demands;
    check_kernel(kernel, demands.streams != Streams::One).map_err(Fault::BadLaunch)?;
    let affine = affine::list::build(machine).map_err(Fault::BadLaunch)?;
    let mut code = decode(kernel, request, machine.sm.warp_width, scheme, &*affine)?;
    if let Some(levels) = demands.levels {
        check_levels(&code, levels)?;
    }
    if let Some(capacity) = demands.regions {
        code.fit_regions(kernel, capacity)?;
    }
    if request.model == Model::Timing {
        fit_to_core(&mut code, kernel, request, machine)?;
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
            flows.mark(&mut code);
        }
        checker.expect_flows(flows);
    }
    let code = code;
    let mut run = |memory: &mut DeviceMemory| {
        let functional = |order, memory: &mut DeviceMemory, progress: Watcher| {
            functional::run(&code, request, order, footprint, memory, machine, progress)
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

/// The fault of a machine that does not multiply some matrices, with the machines that do.
fn no_matrices(op: Op, machine: &Machine) -> Fault {
    let with = shipped_with(|machine| machine.timing(op).is_some());
    let others = match with.is_empty() {
        true => "no machine here has that unit".to_owned(),
        false => format!("choose a machine that has: {}", with.join(", ")),
    };
    let name = match machine.name.is_empty() {
        true => "the machine".to_owned(),
        false => format!("`{}`", machine.name),
    };
    Fault::BadLaunch(format!("{name} has no tensor cores for `{}`; {others}", op.row().mnemonic))
}

/// Fits decoded code to the times of a machine: those of its operations, the delivery of operands, and the check of dependences.
fn fit_to_core(
    code: &mut Code,
    kernel: &Kernel,
    request: &Launch,
    machine: &Machine,
) -> Result<(), Fault> {
    for instruction in &mut code.instructions {
        if instruction.op.is_product() && machine.timing(instruction.op).is_none() {
            return Err(no_matrices(instruction.op, machine));
        }
        instruction.timing = machine.timing(instruction.op).unwrap_or(instruction.timing);
    }
    distribute(&mut code.instructions, machine);
    let is_fixed = machine.sm.operand_delivery == OperandDelivery::FixedLatency;
    if is_fixed {
        code.deliver_in_fixed_time(kernel, &fixed_latencies(machine), machine);
    }
    match machine.sm.dependences {
        Dependences::ControlBits => {
            code.writes_late = !request.control_bits_proved;
            code.use_control_bits(kernel, machine)?;
        }
        Dependences::Scoreboard if is_fixed => code.await_reads(),
        Dependences::Scoreboard => {}
    }
    Ok(())
}
