//! One run of a checked program: its host part interpreted, its kernels on the chosen model.

use crate::build::{Checked, Refused};
use crate::checks::{self, Checking};
use crate::dependences::Dependences;
use crate::host::denied::{Denied, DeniedLaunch};
use crate::host::device::{Device, DeviceLimits, Elapsed, LaunchError, LaunchRequest};
use crate::host::memory::Memory;
use crate::host::printed::Printed;
use crate::host::program;
use crate::host::report::Outcome;
use crate::host::sandbox::Sandbox;
use crate::idealised::WhatIf;
use crate::interpreter::reference::{MAX_OPERATIONS, ReferenceDevice};
use crate::interruption::Interruption;
use crate::kernel_file;
use crate::kernel_record::KernelRecord;
pub use crate::model_name::ModelName;
use crate::ptx_reference::{PtxKernels, ReferenceKernels};
use crate::simulated::{SamplePeriod, Simulated, Watch, device_limits, second_level};
use crate::trace::Selection;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::lower::{Lowered, Options};
use reconverge_isa::Program;
use reconverge_simulator::{Limits, Machine, Model, code_target};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// The setup of a run.
pub struct Setup<'a> {
    /// The machine; the reference model takes only its warp width from it.
    pub machine: &'a Machine,
    /// The model that runs kernels.
    pub model: ModelName,
    /// A kernel's limit in cycles, instructions or operations, by the model.
    pub max_cycles: Option<u64>,
    /// Threads of the host that the timing model runs on; results are the same with any number.
    pub threads: u32,
    /// The host program's limit in operations of the interpreter.
    pub max_operations: Option<u64>,
    /// The bytes that the program may print.
    pub max_output: Option<u64>,
    /// The bytes of the host program's memory.
    pub host_memory: Option<u32>,
    /// The options of the kernels' compilation; the machine decides if they have two streams.
    pub options: Options,
    /// Check every claim that the compiler makes on values and branches, on a simulated machine.
    pub verify_annotations: bool,
    /// Registers keep their old values until results can be read, even where control bits are proved right, so that this
    /// changes nothing. For tests.
    pub distrusts_proofs: bool,
    /// The checks for a run on a simulated machine.
    pub checks: checks::CheckSet,
    /// Count by instruction, on a simulated machine.
    pub profile: bool,
    /// `argv`, the program's name first.
    pub arguments: Vec<String>,
    /// The program's standard input, and the files it may use.
    pub sandbox: Sandbox,
    /// True to digest device memory after each launch.
    pub digest: bool,
    /// The record for viewers, if any.
    pub trace: Option<Selection>,
    /// The sampling of the timing model, if any.
    pub samples: Option<SamplePeriod>,
    /// Run each launch again without the causes of its lost time; needs `profile` and the timing model.
    pub what_if: bool,
    /// Asks the program to stop.
    pub interruption: Interruption,
}

impl<'a> Setup<'a> {
    /// A setup with all other defaults: on one thread, with only the fixed limits, compiled as the
    /// command line does. Nothing is checked, counted by instruction, digested or recorded.
    pub fn new(machine: &'a Machine, model: ModelName) -> Setup<'a> {
        Setup {
            machine,
            model,
            max_cycles: None,
            threads: 1,
            max_operations: None,
            max_output: None,
            host_memory: None,
            options: Options::default(),
            verify_annotations: false,
            distrusts_proofs: false,
            checks: checks::CheckSet::default(),
            profile: false,
            arguments: vec!["program".to_string()],
            sandbox: Sandbox::default(),
            digest: false,
            trace: None,
            samples: None,
            what_if: false,
            interruption: Interruption::default(),
        }
    }
}

/// The outcome.
#[derive(Debug)]
pub struct Execution {
    /// The end of the program.
    pub outcome: Outcome,
    /// Every launch that completed; last, the one that stopped the program, if it had started.
    pub records: Vec<KernelRecord>,
    /// Wall time spent in simulated kernels; for benchmarks.
    pub kernel_time: Duration,
    /// The findings of the checks.
    pub findings: checks::Findings,
    /// The last requests of the program that were denied.
    pub denied: Denied,
}

/// Runs a program, its output to `output` and `errors`. Nothing runs when it does not compile.
///
/// # Errors
/// The errors of the program.
pub fn execute<'a>(
    checked: &'a Checked,
    setup: &Setup,
    output: &mut dyn Write,
    errors: &mut dyn Write,
    watch: Watch,
) -> Result<Execution, Refused<'a>> {
    let lowered = lower_once(checked, setup)?;
    execute_lowered(checked, &lowered, setup, output, errors, watch)
}

/// Compiles the kernels as a run needs them; also before a reference run: a program that is refused
/// is refused under every model.
///
/// # Errors
/// The errors of the program.
pub fn lower<'a>(checked: &'a Checked, setup: &Setup) -> Result<Lowered, Refused<'a>> {
    checked.lower(&options_of(setup))
}

/// As [`lower`], once for all runs that need the same: the configurations of a comparison, the points of a study.
///
/// # Errors
/// The errors of the program.
pub fn lower_once<'a>(checked: &'a Checked, setup: &Setup) -> Result<Arc<Lowered>, Refused<'a>> {
    checked.lower_once(&options_of(setup))
}

/// The options for compiling a run's kernels.
fn options_of(setup: &Setup) -> Options {
    options_for(setup, setup.machine)
}

/// The same for another machine.
fn options_for(setup: &Setup, machine: &Machine) -> Options {
    let mut options = setup.options.clone().for_run(code_target(machine));
    if machine.ideal.registers {
        options.max_registers = None;
    }
    let options = setup.checks.instrument(options);
    // Profiles show instructions, so keep the IR.
    Options { keep_ir: options.keep_ir || setup.profile, ..options }
}

/// Runs a program that is compiled already.
///
/// # Errors
/// The errors of the program.
pub fn execute_lowered<'a>(
    checked: &'a Checked,
    lowered: &Lowered,
    setup: &Setup,
    output: &mut dyn Write,
    errors: &mut dyn Write,
    watch: Watch,
) -> Result<Execution, Refused<'a>> {
    let module = kernel_file::with_variables(checked.program()?, &lowered.program);
    let module = &*module;
    let model = match setup.model {
        ModelName::Reference => {
            return reference(checked, &lowered.program, setup, output, errors);
        }
        ModelName::Functional => Model::Functional,
        ModelName::Timing => Model::Timing,
    };
    let compile = |machine: &Machine| checked.lower(&options_for(setup, machine)).ok();
    let mut device = Simulated {
        program: &lowered.program,
        module,
        sources: &checked.sources,
        machine: setup.machine,
        model,
        second_level: second_level(setup.machine, model),
        limits: limits(setup),
        verify_annotations: setup.verify_annotations,
        profile: setup.profile,
        digest: setup.digest,
        trace: setup.trace.as_ref(),
        samples: setup.samples,
        records: Vec::new(),
        printed: Vec::new(),
        denied: Denied::default(),
        checking: (setup.checks.any())
            .then(|| Checking::new(&setup.checks, module, &checked.sources, lowered)),
        watch,
        interruption: setup.interruption.clone(),
        dependences: Dependences::new(setup.distrusts_proofs),
        what_if: setup.what_if.then(|| WhatIf::new(lowered, Some(&compile))),
        time: Duration::ZERO,
    };
    let outcome = host(module, &mut device, setup, output, errors);
    let findings = device.checking.map(Checking::into_findings).unwrap_or_default();
    Ok(Execution {
        outcome,
        records: device.records,
        kernel_time: device.time,
        findings,
        denied: device.denied,
    })
}

fn host(
    module: &Module,
    device: &mut dyn Device,
    setup: &Setup,
    output: &mut dyn Write,
    errors: &mut dyn Write,
) -> Outcome {
    let interruption = setup.interruption.clone();
    let mut limits = program::Limits { interruption, ..program::Limits::default() };
    limits.operations = setup.max_operations.unwrap_or(limits.operations);
    limits.output = setup.max_output.unwrap_or(limits.output);
    limits.memory = setup.host_memory.unwrap_or(limits.memory);
    let (arguments, sandbox) = (&setup.arguments, &setup.sandbox);
    program::run(module, device, arguments, sandbox, output, errors, limits)
}

fn limits(setup: &Setup) -> Limits {
    let mut limits = Limits { threads: setup.threads, ..Limits::default() };
    match (setup.max_cycles, setup.model) {
        (Some(most), ModelName::Functional) => limits.instructions = most,
        (Some(most), _) => limits.cycles = most,
        (None, _) => {}
    }
    limits
}

fn reference<'a>(
    checked: &'a Checked,
    program: &Program,
    setup: &Setup,
    output: &mut dyn Write,
    errors: &mut dyn Write,
) -> Result<Execution, Refused<'a>> {
    let module = kernel_file::with_variables(checked.program()?, program);
    let module = &*module;
    let files = checked.kernels().iter();
    let ptx = files.map(|file| file.reference(program, &checked.sources));
    let ptx: Vec<PtxKernels> = ptx.filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let most = setup.max_cycles.unwrap_or(MAX_OPERATIONS);
    let device = match ReferenceDevice::new(module, device_limits(setup.machine, program), most) {
        Ok(device) => device,
        Err(report) => return Ok(Execution::ended(Outcome::Trap(report))),
    };
    let device = device.with_interruption(setup.interruption.clone());
    let device = ReferenceKernels::new(device, ptx, most, setup.interruption.clone());
    let mut device =
        Recorded { device, digest: setup.digest, records: Vec::new(), denied: Denied::default() };
    let outcome = host(module, &mut device, setup, output, errors);
    let (records, denied) = (device.records, device.denied);
    Ok(Execution { records, denied, ..Execution::ended(outcome) })
}

impl Execution {
    /// The exit status of `run`: that of the outcome, unless it is 0 and a check has found a fault.
    pub fn status(&self) -> u8 {
        self.findings.status(&self.outcome)
    }

    fn ended(outcome: Outcome) -> Execution {
        Execution {
            outcome,
            records: Vec::new(),
            kernel_time: Duration::ZERO,
            findings: checks::Findings::default(),
            denied: Denied::default(),
        }
    }
}

/// The reference device with a record of its launches.
struct Recorded<'a> {
    device: ReferenceKernels<'a>,
    digest: bool,
    records: Vec<KernelRecord>,
    denied: Denied,
}

impl Device for Recorded<'_> {
    fn launch(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Result<Elapsed, LaunchError> {
        let elapsed = self.device.launch(request, memory)?;
        self.records.push(KernelRecord {
            name: request.name.clone(),
            grid: request.grid,
            block: request.block,
            span: request.span,
            complete: true,
            statistics: None,
            profile: None,
            memory: self.digest.then(|| memory.digest()),
            traces: Vec::new(),
            samples: Vec::new(),
            energy: None,
            what_if: None,
            allocated: 0,
        });
        Ok(elapsed)
    }

    fn take_printed(&mut self) -> Vec<Printed> {
        self.device.take_printed()
    }

    fn ended(&mut self, memory: &Memory, denied: Option<&DeniedLaunch>) {
        self.denied = Denied { launch: denied.cloned(), memory: memory.denied().cloned() };
    }

    fn limits(&self) -> DeviceLimits {
        self.device.limits()
    }
}
