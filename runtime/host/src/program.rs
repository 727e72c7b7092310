//! A host program from its first instruction to its exit status.

use super::cuda::Cuda;
use super::device::Device;
use super::environment::HostEnvironment;
use super::files::Files;
use super::memory::{HOST_BASE, HOST_CAPACITY, Memory, Statics};
use super::output::Output;
use super::random::{Random, Random48};
use super::report::{Failure, INTERRUPTED, Outcome, Report};
use super::sandbox::Sandbox;
use super::unwritten::Unwritten;
use crate::interpreter::arithmetic::Side;
use crate::interpreter::bytecode::Code;
use crate::interpreter::compile;
use crate::interpreter::environment::Interrupt;
use crate::interpreter::row_loops;
use crate::interpreter::vm::{self, Registers, Stop, Thread};
use crate::interruption::Interruption;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::Module;
use std::collections::BTreeMap;
use std::io::Write;

/// Slots of all frames of the host together; with [`super::memory::HOST_STACK`] the equivalent of a
/// native stack of 8 MiB.
const HOST_SLOTS: usize = 1 << 20;

/// The limits of a host program.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Operations of host code, about one a bytecode instruction.
    pub operations: u64,
    /// Bytes that it prints, to standard output and standard error together.
    pub output: u64,
    /// Bytes of its memory, stack and variables included.
    pub memory: u32,
    /// Asks the program to stop.
    pub interruption: Interruption,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            operations: 200_000_000_000,
            output: u64::MAX,
            memory: HOST_CAPACITY,
            interruption: Interruption::default(),
        }
    }
}

/// Runs a program: its host code here, its kernels on `device`. `arguments` begin with the
/// program's name; `sandbox` holds its files and standard input. Both streams are flushed when it returns.
pub fn run(
    module: &Module,
    device: &mut dyn Device,
    arguments: &[String],
    sandbox: &Sandbox,
    output: &mut dyn Write,
    error: &mut dyn Write,
    limits: Limits,
) -> Outcome {
    match Program::new(module, limits.memory, device.limits().global) {
        Ok(mut program) => program.run(device, arguments, sandbox, output, error, limits),
        Err(report) => Outcome::Trap(report),
    }
}

/// A program with its memory, which outlives the run for inspection.
#[derive(Debug)]
pub struct Program<'m> {
    module: &'m Module,
    code: Code,
    memory: Memory,
}

impl<'m> Program<'m> {
    /// Compiles a module's host code and lays out its memory, with `host_capacity` bytes of host and
    /// `device_capacity` bytes of global memory.
    pub fn new(
        module: &'m Module,
        host_capacity: u32,
        device_capacity: u32,
    ) -> Result<Self, Report> {
        let statics = Statics::of(module);
        let memory = Memory::sized(module, &statics, host_capacity, device_capacity);
        let memory = memory.map_err(Report::new)?;
        let mut code = compile::compile(module, &statics, Side::Host).map_err(Report::from)?;
        row_loops::find(&mut code);
        Ok(Program { module, code, memory })
    }

    /// The memory as the program left it.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Runs the program once; see [`run`].
    pub fn run(
        &mut self,
        device: &mut dyn Device,
        arguments: &[String],
        sandbox: &Sandbox,
        output: &mut dyn Write,
        error: &mut dyn Write,
        limits: Limits,
    ) -> Outcome {
        let Some(main) = self.module.main else {
            let report = Report::new("the program has no function 'main'");
            return Outcome::Trap(report.with_help("define `int main()`"));
        };
        let Some(main_arguments) = place_arguments(&mut self.memory, arguments) else {
            return Outcome::Trap(Report::new("the arguments do not fit host memory"));
        };
        let mut calls = self.code.library.iter();
        let has_streams = calls.any(|call| call.builtin == Builtin::CudaStreamCreate);
        let is_watched = device.watches_host(has_streams);
        if is_watched {
            self.memory.watch_host();
        }
        let operations = limits.operations.min(i64::MAX as u64) as i64;
        let cuda = Cuda::new(device.limits());
        let mut env = HostEnvironment {
            module: self.module,
            code: &self.code,
            memory: &mut self.memory,
            device,
            output: Output::new(output, error, limits.output),
            random: Random::new(1),
            random48: Random48::default(),
            files: Files::new(sandbox),
            made_by_new: BTreeMap::new(),
            formats: Default::default(),
            token: 0,
            errno: 0,
            errno_at: 0,
            cuda,
            is_watched,
            unwritten: Unwritten::default(),
            looked_at: HOST_BASE,
            reads_unwritten: None,
            call_at: None,
            conflicts: false,
            operations,
            reserve: 0,
        };
        let asked = &limits.interruption;
        let end = self.module.end.map(|end| end.0 as usize);
        let outcome = run_functions(&mut env, main.0 as usize, end, &main_arguments, asked);
        if matches!(outcome, Outcome::Exit(_)) {
            env.device.ended(env.memory, env.cuda.denied());
        }
        env.close_files();
        env.output.flush();
        outcome
    }
}

/// Initialises the globals, then calls `main`, then the function that ends the program's objects.
fn run_functions(
    env: &mut HostEnvironment<'_>,
    main: usize,
    end: Option<usize>,
    arguments: &[u64; 3],
    interruption: &Interruption,
) -> Outcome {
    let code = env.code;
    let mut registers = Registers::new(HOST_SLOTS);
    let mut left = env.operations;
    let initialise = code.functions.len().saturating_sub(1);
    let parameters = code.functions.get(main).map_or(0, |f| f.parameters as usize);
    let arguments = &arguments[..parameters.min(3)];
    let mut result = None;
    let steps = [(Some(initialise), &[][..]), (Some(main), arguments), (end, &[][..])];
    for (step, (function, arguments)) in steps.into_iter().enumerate() {
        let Some(function) = function else {
            continue;
        };
        let mut thread = Thread::default();
        thread.start(code, function, arguments, HOST_BASE, &mut registers, env);
        match run_thread(&mut registers, &mut thread, env, &mut left, interruption) {
            Stop::Budget if left > 0 => {
                let mut report = Report::new(INTERRUPTED);
                report.span = code.span(thread.pc());
                return Outcome::Interrupted(report);
            }
            Stop::Finished(value) if step == 1 => result = Some(value as i32),
            Stop::Finished(_) => {}
            // `exit` in `main` or in its callees: the program's objects still end.
            Stop::Interrupt(Interrupt::Exit(status)) if step == 1 => result = Some(status),
            Stop::Interrupt(Interrupt::Exit(status) | Interrupt::Abort(status)) => {
                return Outcome::Exit(status);
            }
            Stop::Interrupt(Interrupt::Failure(failure)) => return failure.into(),
            Stop::Budget => return over_limit(code, &thread),
            // Only code of kernels is marked.
            Stop::Reconverge => {
                let report = Report::new("the host waits for a warp; this is our mistake");
                return Outcome::Internal(report);
            }
            Stop::Wait(call) => {
                let name = call.builtin.row().names[0];
                let report = Report::new(format!("{name} on the host"));
                return Outcome::Trap(report);
            }
        }
    }
    Outcome::Exit(result.unwrap_or(0))
}

/// Operations between two checks for a request to stop: a fraction of a second.
const SLICE: i64 = 1 << 24;

/// Runs a thread until it stops, all operations are used up, or a stop is requested: then it stops
/// as if its operations were used up, and some are left.
fn run_thread(
    registers: &mut Registers,
    thread: &mut Thread,
    env: &mut HostEnvironment<'_>,
    left: &mut i64,
    interruption: &Interruption,
) -> Stop {
    let code = env.code;
    loop {
        let given = SLICE.min(*left);
        let mut slice = given;
        env.reserve = *left - given;
        let stop = vm::run(code, registers, thread, env, &mut slice);
        *left -= given - slice;
        if !matches!(stop, Stop::Budget) || *left <= 0 || interruption.is_requested() {
            return stop;
        }
    }
}

fn over_limit(code: &Code, thread: &Thread) -> Outcome {
    let mut report = Report::new("the host program did not end within the limit of operations");
    report.span = code.span(thread.pc());
    report.function = code.function_at(thread.pc()).map(|f| f.name.clone());
    let report = report
        .with_help("look for a loop that does not end, or raise the limit with `--max-operations`");
    Failure::Limit(report).into()
}

/// Puts `argv` and an empty environment into host memory: the values of `argc`, `argv`, `envp`.
fn place_arguments(memory: &mut Memory, arguments: &[String]) -> Option<[u64; 3]> {
    let mut pointers = Vec::new();
    for argument in arguments {
        let length = argument.len() as u64;
        let at = memory.host().allocate(length + 1)?;
        memory.host_slice(at, length)?.copy_from_slice(argument.as_bytes());
        pointers.extend_from_slice(&(at as u64).to_le_bytes());
    }
    let size = pointers.len() as u64;
    let argv = memory.host().allocate(size + 8)?;
    memory.host_slice(argv, size)?.copy_from_slice(&pointers);
    let envp = memory.host().allocate(8)?;
    Some([arguments.len() as u64, argv as u64, envp as u64])
}
