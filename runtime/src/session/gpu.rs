//! A machine with a program on it: its memory, and launches.

use super::argument::{self, Arg};
use super::buffer::{Buffer, Element, bytes_of, values_of};
use super::error::Error;
use super::{Kernel, Module};
use crate::checks::{CheckSet, Checking, Findings};
use crate::dependences::Dependences;
use crate::execute::ModelName;
use crate::host::denied::Denied;
use crate::host::device::{Device, DeviceLimits, LaunchError, LaunchRequest};
use crate::host::launch::{Asked, Refusal, check_configuration};
use crate::host::memory::{Memory, Statics};
use crate::host::printed::{self, Printed};
use crate::host::report::{Failure, Outcome, Report};
use crate::idealised::WhatIf;
use crate::interpreter::reference::{MAX_OPERATIONS, ReferenceDevice};
use crate::interruption::Interruption;
use crate::kernel_record::KernelRecord;
use crate::ptx_reference::ReferenceKernels;
use crate::simulated::{SamplePeriod, Simulated, Watch, device_limits, second_level};
use crate::trace::Selection;
use reconverge_compiler::check::tree::GlobalSpace;
use reconverge_isa::wording::{counted, verb};
use reconverge_simulator::{Limits, Machine, Model, SecondLevel, load_machine};
use std::marker::PhantomData;
use std::time::Duration;

/// The target that kernels run on.
#[derive(Clone, Debug)]
pub struct Target {
    /// The machine; of it the reference model takes only the warp width and the limits.
    pub machine: Machine,
    /// With time, without, or from the source.
    pub model: ModelName,
    /// A kernel's limit in cycles, instructions or operations, by the model.
    pub max_cycles: Option<u64>,
    /// Threads of the host that the timing model runs on; results are the same with any number.
    pub threads: u32,
    /// Check every claim that the compiler makes on values and branches.
    pub verify_annotations: bool,
    /// The checks of launches on a simulated machine.
    pub checks: CheckSet,
    /// The record for viewers of pipelines, if any.
    pub trace: Option<Selection>,
    /// The sampling of the timing model, if any: records then have samples.
    pub samples: Option<SamplePeriod>,
    /// Count by instruction, on a simulated machine: records have a profile.
    pub profile: bool,
    /// Digest memory after each launch.
    pub digest: bool,
    /// Run each launch again without the causes of its lost time; needs `profile` and the timing model.
    pub what_if: bool,
    /// Asks launches to stop.
    pub interruption: Interruption,
}

impl Target {
    /// A machine by its name or by the text of a machine file, under the timing model.
    ///
    /// # Errors
    /// A machine that does not exist, or the faults of its text.
    pub fn new(machine: &str) -> Result<Target, Error> {
        Target::with(machine, &[])
    }

    /// A machine, by name or as the text of a machine file, with changed settings, as by `--set KEY=VALUE`.
    ///
    /// ```
    /// let target = reconverge::Target::with("gtx480", &[("sm.warp-width", "16")])?;
    /// assert_eq!(target.machine.sm.warp_width, 16);
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    ///
    /// # Errors
    /// The machine is unknown or invalid, or a setting does not exist.
    pub fn with(machine: &str, settings: &[(&str, &str)]) -> Result<Target, Error> {
        let own = |&(key, value): &(&str, &str)| (key.to_owned(), value.to_owned());
        let settings: Vec<_> = settings.iter().map(own).collect();
        let machine = load_machine(machine, &settings).map_err(Error::Input)?;
        Ok(Target {
            machine,
            model: ModelName::Timing,
            max_cycles: None,
            threads: 1,
            verify_annotations: false,
            checks: CheckSet::default(),
            trace: None,
            samples: None,
            profile: false,
            digest: true,
            what_if: false,
            interruption: Interruption::default(),
        })
    }

    /// Selects the model that runs the kernels.
    pub fn model(self, model: ModelName) -> Target {
        Target { model, ..self }
    }
}

/// Blocks of a grid, or threads of a block, along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim(pub [u32; 3]);

impl From<u32> for Dim {
    fn from(x: u32) -> Dim {
        Dim([x, 1, 1])
    }
}

impl From<(u32, u32)> for Dim {
    fn from((x, y): (u32, u32)) -> Dim {
        Dim([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Dim {
    fn from((x, y, z): (u32, u32, u32)) -> Dim {
        Dim([x, y, z])
    }
}

/// A machine with a loaded program; the contents of its memory stay from launch to launch.
pub struct Gpu<'m> {
    module: &'m Module,
    target: Target,
    limits: DeviceLimits,
    memory: Memory,
    statics: Statics,
    /// Under the reference model.
    reference: Option<ReferenceKernels<'m>>,
    checking: Option<Checking<'m>>,
    /// The contents of the L2 between launches, if it keeps them.
    second_level: Option<SecondLevel>,
    /// The printed output of kernels.
    output: Vec<u8>,
    /// The launches that [`Gpu::run`] has recorded.
    records: Vec<KernelRecord>,
    /// The control bits of the kernels that have been launched.
    dependences: Dependences,
}

impl<'m> Gpu<'m> {
    pub(super) fn new(module: &'m Module, target: &Target) -> Result<Gpu<'m>, Error> {
        let statics = Statics::of(module.tree());
        let limits = device_limits(&target.machine, &module.lowered.program);
        let memory = Memory::new(module.tree(), &statics, limits.global);
        let memory = memory.map_err(Error::Usage)?;
        let most = target.max_cycles.unwrap_or(MAX_OPERATIONS);
        let reference = match target.model {
            ModelName::Reference => {
                let device = ReferenceDevice::new(module.tree(), limits.clone(), most);
                let device = device.map_err(|report| stopped(module, Outcome::Trap(report)))?;
                let device = device.with_interruption(target.interruption.clone());
                let ptx = module.ptx_kernels()?;
                Some(ReferenceKernels::new(device, ptx, most, target.interruption.clone()))
            }
            _ => None,
        };
        let mut memory = memory;
        let checked = module.checked();
        let checking = target.checks.any().then(|| {
            memory.watch_host();
            Checking::new(&target.checks, module.tree(), &checked.sources, &module.lowered)
        });
        let second_level = second_level(&target.machine, model_of(target));
        let target = target.clone();
        Ok(Gpu {
            module,
            target,
            limits,
            memory,
            statics,
            reference,
            checking,
            second_level,
            output: Vec::new(),
            records: Vec::new(),
            dependences: Dependences::default(),
        })
    }

    /// Puts numbers into device memory.
    ///
    /// # Errors
    /// Device memory is full.
    pub fn buffer<T: Element>(&mut self, values: &[T]) -> Result<Buffer<T>, Error> {
        let address = self.allocate(&bytes_of(values))?;
        Ok(Buffer { address, length: values.len(), element: PhantomData })
    }

    /// So many zeroes in device memory.
    ///
    /// # Errors
    /// Device memory is full.
    pub fn zeros<T: Element>(&mut self, length: usize) -> Result<Buffer<T>, Error> {
        let bytes = (length as u64).saturating_mul(T::SCALAR.bytes() as u64);
        let address = self.reserve(bytes)?;
        Ok(Buffer { address, length, element: PhantomData })
    }

    fn reserve(&mut self, bytes: u64) -> Result<u32, Error> {
        let found = self.memory.device_allocate(bytes);
        let found = found
            .ok_or_else(|| Error::Usage(format!("device memory has no room for {bytes} bytes")))?;
        // Its zeroes count as written, because the caller requested them.
        self.memory.set_written(found, bytes as u32, true);
        self.wrote(found, bytes);
        Ok(found)
    }

    /// Notifies the L2 of bytes that the host writes.
    pub fn wrote(&mut self, address: u32, bytes: u64) {
        if let Some(second_level) = &mut self.second_level {
            second_level.written(address..address.saturating_add(bytes as u32));
        }
    }

    /// Puts bytes into device memory; the address of their first one.
    ///
    /// # Errors
    /// Device memory is full.
    pub fn allocate(&mut self, bytes: &[u8]) -> Result<u32, Error> {
        let address = self.reserve(bytes.len() as u64)?;
        if let Some(place) = self.memory.device_slice(address, bytes.len() as u64) {
            place.copy_from_slice(bytes);
        }
        Ok(address)
    }

    /// Some bytes of device memory; none when not all are in one allocation.
    pub fn bytes(&mut self, address: u32, length: usize) -> &[u8] {
        self.memory.device_slice(address, length as u64).map_or(&[], |bytes| bytes)
    }

    /// The numbers in a buffer; none when it has been freed.
    pub fn read<T: Element>(&mut self, buffer: &Buffer<T>) -> Vec<T> {
        values_of(self.bytes(buffer.address, buffer.length * T::SCALAR.bytes()))
    }

    /// Replaces the first numbers of a buffer.
    ///
    /// # Errors
    /// There are more than it holds, or it has been freed.
    pub fn write<T: Element>(&mut self, buffer: &Buffer<T>, values: &[T]) -> Result<(), Error> {
        if values.len() > buffer.length {
            let (given, held) = (values.len(), buffer.length);
            let (values, do_not) =
                (counted(given as u64, "value"), verb(given as u64, "does", "do"));
            return Error::usage(format!("{values} {do_not} not fit a buffer of {held}"));
        }
        self.fill(buffer.address, &bytes_of(values), "the buffer")
    }

    /// Replaces bytes of device memory; `what` is the name of the place in messages.
    ///
    /// # Errors
    /// The bytes are not all in one allocation.
    pub fn fill(&mut self, address: u32, bytes: &[u8], what: &str) -> Result<(), Error> {
        match self.memory.device_slice(address, bytes.len() as u64) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.wrote(address, bytes.len() as u64);
                Ok(())
            }
            None => Error::usage(format!("{what} does not hold {} bytes", bytes.len())),
        }
    }

    /// Gives back the memory of a buffer.
    pub fn free<T: Element>(&mut self, buffer: Buffer<T>) {
        self.memory.device_free(buffer.address);
    }

    /// Address and size in bytes of a `__device__` or `__constant__` variable.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn symbol(&self, name: &str) -> Result<(u32, usize), Error> {
        let module = self.module.tree();
        let on_device = |space| matches!(space, GlobalSpace::Device | GlobalSpace::Constant);
        let mut globals = module.globals.iter().zip(&self.statics.globals);
        match globals.find(|(global, _)| global.name == name && on_device(global.space)) {
            Some((global, &at)) => Ok((at, global.ty.size(&module.structs) as usize)),
            None => Error::usage(format!(
                "there is no `__device__` or `__constant__` variable `{name}`"
            )),
        }
    }

    /// Replaces the first numbers of a `__device__` or `__constant__` variable.
    ///
    /// # Errors
    /// A variable that does not exist or is smaller.
    pub fn write_symbol<T: Element>(&mut self, name: &str, values: &[T]) -> Result<(), Error> {
        let (address, size) = self.symbol(name)?;
        let bytes = bytes_of(values);
        if bytes.len() > size {
            let given = bytes.len();
            let (has, is) = (counted(size as u64, "byte"), verb(given as u64, "is", "are"));
            return Error::usage(format!("`{name}` has {has}, {given} {is} given"));
        }
        self.fill(address, &bytes, name)
    }

    /// The numbers in a `__device__` or `__constant__` variable.
    ///
    /// # Errors
    /// A variable that does not exist.
    pub fn read_symbol<T: Element>(&mut self, name: &str) -> Result<Vec<T>, Error> {
        let (address, size) = self.symbol(name)?;
        Ok(values_of(self.bytes(address, size)))
    }

    /// Runs a kernel to its end, with a number of bytes of dynamic shared memory. The report has
    /// statistics unless the model is the reference.
    ///
    /// # Errors
    /// A kernel that does not exist, arguments or a configuration that do not fit it, and an error
    /// that stopped it.
    pub fn launch(
        &mut self,
        kernel: &str,
        grid: impl Into<Dim>,
        block: impl Into<Dim>,
        shared: u32,
        arguments: &[Arg],
    ) -> Result<KernelRecord, Error> {
        self.launch_watched(kernel, grid.into(), block.into(), shared, arguments, &mut |_, _| {})
    }

    /// Launches a kernel and reports progress to a watcher.
    ///
    /// # Errors
    /// The errors of [`Gpu::launch`].
    pub fn launch_watched(
        &mut self,
        kernel: &str,
        grid: Dim,
        block: Dim,
        shared: u32,
        arguments: &[Arg],
        watch: Watch,
    ) -> Result<KernelRecord, Error> {
        let kernel = self.module.kernel(kernel)?;
        let block_of_parameters = argument::block(&kernel, arguments).map_err(Error::Usage)?;
        self.launch_with(kernel, grid, block, shared, block_of_parameters, watch)
    }

    /// Launches a kernel with the bytes of its parameters, each at its offset: the form for kernels whose parameters carry no
    /// types, such as those of [`Module::from_ptx`]. Parameters lie one after the other as in C: numbers at multiples of their
    /// size, pointers have 8 bytes.
    ///
    /// ```
    /// use reconverge::{CompileOptions, Module, Target};
    ///
    /// let source = "__global__ void fill(int *out, int value) { out[threadIdx.x] = value; }";
    /// let module = Module::compile(source, &CompileOptions::default())?;
    /// let mut gpu = module.load(&Target::new("tiny")?)?;
    /// let out = gpu.zeros::<i32>(4)?;
    /// let mut parameters = out.address().to_le_bytes().to_vec();
    /// parameters.extend(7i32.to_le_bytes());
    /// gpu.launch_bytes("fill", 1, 4, 0, &parameters)?;
    /// assert_eq!(gpu.read(&out), [7, 7, 7, 7]);
    /// assert!(gpu.launch_bytes("fill", 1, 4, 0, &parameters[..8]).is_err());
    /// # Ok::<(), reconverge::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Gpu::launch`]; also if the kernel has parameters of another size.
    pub fn launch_bytes(
        &mut self,
        kernel: &str,
        grid: impl Into<Dim>,
        block: impl Into<Dim>,
        shared: u32,
        parameters: &[u8],
    ) -> Result<KernelRecord, Error> {
        let kernel = self.module.kernel(kernel)?;
        let code = self.module.lowered.program.kernel(kernel.name());
        let wanted = code.map_or(0, |code| code.parameter_bytes) as usize;
        // The last parameter may end before a whole word.
        if parameters.len().next_multiple_of(4) != wanted.next_multiple_of(4) {
            let given = parameters.len() as u64;
            return Error::usage(format!(
                "`{}` has {} of parameters, {} {} given",
                kernel.name(),
                counted(wanted as u64, "byte"),
                given,
                verb(given, "is", "are")
            ));
        }
        let mut block_of_parameters = parameters.to_vec();
        block_of_parameters.resize(wanted, 0);
        let (grid, block) = (grid.into(), block.into());
        self.launch_with(kernel, grid, block, shared, block_of_parameters, &mut |_, _| {})
    }

    /// Launches a kernel with the bytes of its parameters, and reports progress to a watcher.
    ///
    /// # Errors
    /// A configuration that does not fit the kernel, and an error that stopped it.
    pub fn launch_with(
        &mut self,
        kernel: Kernel<'_>,
        grid: Dim,
        block: Dim,
        shared: u32,
        parameters: Vec<u8>,
        watch: Watch,
    ) -> Result<KernelRecord, Error> {
        let request = self.request(kernel, grid, block, shared, parameters);
        let request = request.map_err(|refusal| refused(kernel.name(), refusal))?;
        let before = self.records.len();
        let done = self.run(request, watch);
        let record = (self.records.len() > before).then(|| self.records.pop()).flatten();
        match (done, record) {
            (Ok(()), Some(record)) => Ok(record),
            (Ok(()), None) => Error::usage("the launch left no record"),
            (Err(Error::Stopped { outcome, text, .. }), record) => {
                Err(Error::Stopped { outcome, text, record: record.map(Box::new) })
            }
            (Err(error), _) => Err(error),
        }
    }

    /// A launch with the bytes of its parameters, for [`Gpu::run`]. Every launch is made here: those of this crate's callers, of
    /// the Python package with its drivers for Triton and Numba, and of programs that use CUDA's runtime or driver.
    ///
    /// # Errors
    /// The first limit of the machine that the configuration exceeds.
    pub fn request(
        &self,
        kernel: Kernel<'_>,
        grid: Dim,
        block: Dim,
        shared: u32,
        parameters: Vec<u8>,
    ) -> Result<LaunchRequest, Refusal> {
        let request = LaunchRequest {
            kernel: kernel.id,
            name: kernel.name().to_owned(),
            grid: grid.0,
            block: block.0,
            dynamic_shared: shared,
            stream: 0,
            arguments: parameters,
            span: self.module.tree().function(kernel.id).span,
        };
        self.check(&request).map(|()| request)
    }

    /// Runs a launch that [`Gpu::request`] has found valid, and keeps its record ([`Gpu::records`]).
    ///
    /// # Errors
    /// An error that stopped it, without a record; the record is among the others.
    pub fn run(&mut self, request: LaunchRequest, watch: Watch) -> Result<(), Error> {
        let model = model_of(&self.target);
        let Some(reference) = &mut self.reference else {
            let mut device = Simulated {
                program: &self.module.lowered.program,
                module: self.module.tree(),
                sources: &self.module.checked.sources,
                machine: &self.target.machine,
                model,
                second_level: self.second_level.take(),
                limits: limits(&self.target, model),
                verify_annotations: self.target.verify_annotations,
                profile: self.target.profile,
                digest: self.target.digest,
                trace: self.target.trace.as_ref(),
                samples: self.target.samples,
                records: std::mem::take(&mut self.records),
                printed: Vec::new(),
                denied: Denied::default(),
                checking: self.checking.take(),
                watch,
                interruption: self.target.interruption.clone(),
                dependences: std::mem::take(&mut self.dependences),
                what_if: self.target.what_if.then(|| WhatIf::new(&self.module.lowered, None)),
                time: Duration::ZERO,
            };
            let done = device.launch(&request, &mut self.memory);
            self.checking = device.checking.take();
            self.second_level = device.second_level.take();
            let printed = device.take_printed();
            self.records = device.records;
            self.dependences = device.dependences;
            self.print(&printed, &request)?;
            return done.map(drop).map_err(|error| failed(self.module, error));
        };
        let done = reference.launch(&request, &mut self.memory);
        let printed = reference.take_printed();
        self.print(&printed, &request)?;
        done.map_err(|error| failed(self.module, error))?;
        let memory = self.target.digest.then(|| self.memory.digest());
        self.records.push(KernelRecord {
            name: request.name,
            grid: request.grid,
            block: request.block,
            span: request.span,
            complete: true,
            statistics: None,
            profile: None,
            memory,
            traces: Vec::new(),
            samples: Vec::new(),
            energy: None,
            what_if: None,
            allocated: 0,
        });
        Ok(())
    }

    /// The findings of the checks in the launches since the last call.
    pub fn take_findings(&mut self) -> Findings {
        let findings = self.checking.as_mut().map(Checking::findings_mut);
        findings.map(std::mem::take).unwrap_or_default()
    }

    /// The printed output of kernels since the last call; also of those that failed.
    pub fn take_output(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.output)
    }

    fn print(&mut self, calls: &[Printed], request: &LaunchRequest) -> Result<(), Error> {
        let (text, done) = printed::text(&mut self.memory, calls);
        self.output.extend(text);
        done.map_err(|mut report| {
            report.span.get_or_insert(request.span);
            stopped(self.module, Outcome::Trap(report))
        })
    }

    /// Checks that the machine can take a launch.
    ///
    /// # Errors
    /// The first limit that the configuration exceeds.
    fn check(&self, request: &LaunchRequest) -> Result<(), Refusal> {
        let asked = Asked {
            kernel: &request.name,
            bound: self.module.tree().function(request.kernel).launch_bound,
            grid: request.grid,
            block: request.block,
            shared: request.dynamic_shared.into(),
        };
        check_configuration(&self.limits, asked)
    }

    /// The launches that [`Gpu::run`] has recorded; only the last may be incomplete.
    pub fn records(&self) -> &[KernelRecord] {
        &self.records
    }

    /// The limits of the machine, and its properties.
    pub fn limits(&self) -> &DeviceLimits {
        &self.limits
    }

    /// Device memory, with its allocations.
    pub fn memory(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Goes on with a program that [`Module::with_image`] made of the loaded one. Its further variables lie in memory that the
    /// caller has allocated, and get their first values.
    ///
    /// # Errors
    /// A variable lies in no allocation, or the text has no meaning under the reference model.
    pub fn extend(&mut self, module: &'m Module) -> Result<(), Error> {
        let known = self.module.lowered.program.variables.len();
        self.module = module;
        self.dependences = Dependences::default();
        self.statics = Statics::of(module.tree());
        self.limits = device_limits(&self.target.machine, &module.lowered.program);
        if let Some(checking) = &mut self.checking {
            checking.extend(module.tree(), &module.checked.sources, &module.lowered);
        }
        if let Some(reference) = &mut self.reference {
            reference.extend(module.ptx_kernels()?);
        }
        for variable in module.lowered.program.variables.iter().skip(known) {
            let mut bytes = variable.image.clone();
            bytes.resize(variable.size as usize, 0);
            self.fill(variable.address, &bytes, &variable.name)?;
        }
        Ok(())
    }
}

/// The error of a launch that the machine cannot take.
fn refused(kernel: &str, refusal: Refusal) -> Error {
    let limit = refusal.limit();
    let help = limit.help.map_or(String::new(), |help| format!("\n  {help}"));
    Error::Usage(format!("`{kernel}` cannot be launched: {}{help}", limit.sentence))
}

/// The model that simulates kernels, if they are simulated.
fn model_of(target: &Target) -> Model {
    match target.model {
        ModelName::Functional => Model::Functional,
        _ => Model::Timing,
    }
}

fn limits(target: &Target, model: Model) -> Limits {
    let mut limits = Limits { threads: target.threads, ..Limits::default() };
    match (target.max_cycles, model) {
        (Some(most), Model::Functional) => limits.instructions = most,
        (Some(most), _) => limits.cycles = most,
        (None, _) => {}
    }
    limits
}

fn failed(module: &Module, error: LaunchError) -> Error {
    let failure = match error {
        LaunchError::Failed(failure) => failure,
        LaunchError::Refused(code) => {
            let name = crate::host::cuda_error::sentence(code);
            Failure::Trap(Report::new(format!("the kernel did not start: {name}")))
        }
    };
    stopped(module, failure.into())
}

fn stopped(module: &Module, outcome: Outcome) -> Error {
    let text = outcome.render(&module.checked.sources, false);
    Error::Stopped { outcome: Box::new(outcome), text, record: None }
}
