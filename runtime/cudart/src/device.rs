//! The device: a machine with the program's kernels and memory.

use crate::abi;
use crate::error::{
    ASSERT, ILLEGAL_ADDRESS, INITIALIZATION, INVALID_CONFIGURATION, INVALID_DEVICE_FUNCTION,
    INVALID_VALUE, LAUNCH_FAILURE, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT, MEMORY_ALLOCATION,
    MISALIGNED_ADDRESS, Outcome, UNKNOWN,
};
use crate::image::{self, Kernel, Loaded, added, ends};
use crate::link::{self, Renamed};
use crate::managed::Managed;
use crate::runtime::texture::{Array, Object};
use crate::state::{ManagedVariable, State, Unusable};
use crate::stream::Streams;
use reconverge::host::device::{BlockSize, LaunchRequest};
use reconverge::host::launch::Refusal;
use reconverge::host::report::{self, Outcome as Ending};
use reconverge::kernel_record::KernelRecord;
use reconverge::session::{Dim, Error, Gpu, Module, Target};
use reconverge_cli::command::exec::{Ended, HostSession};
use reconverge_compiler::diagnostic::code;
use reconverge_compiler::lower::Options;
use std::collections::{BTreeMap, BTreeSet};

/// A machine with the program's kernels and memory.
pub struct Device {
    /// The options, and the reports.
    pub session: HostSession,
    target: Target,
    pub(crate) options: Options,
    /// The program. It grows while the process runs, and every version of it stays.
    pub(crate) module: &'static Module,
    pub(crate) gpu: Gpu<'static>,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) images: Vec<Loaded>,
    /// By registered binary: its image.
    pub(crate) binaries: Vec<Result<usize, Unusable>>,
    /// By registered binary: the names that its text lost when it was linked with others.
    pub(crate) renamed: BTreeMap<usize, Renamed>,
    /// The kernels whose stand-ins have been looked up.
    pub(crate) by_function: BTreeMap<usize, usize>,
    pub(crate) managed: Managed,
    /// Addresses that the program has registered as pinned, with their bytes.
    pub(crate) registered: BTreeMap<usize, usize>,
    /// Allocations of pinned memory, which are freed by another function.
    pub(crate) pinned: BTreeSet<u32>,
    pub(crate) streams: Streams,
    /// CUDA arrays by handle, and textures and surfaces by the address of their descriptor.
    pub(crate) arrays: BTreeMap<usize, Array>,
    pub(crate) objects: BTreeMap<u32, Object>,
    /// Simulated nanoseconds.
    pub(crate) clock: u64,
    /// The limits that the program has set, by their numbers.
    pub(crate) limits: BTreeMap<i32, u64>,
    outcome: Ending,
}

/// A launch whose kernel is known.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The index of the kernel.
    pub kernel: usize,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub shared: u64,
    /// The parameters.
    pub parameters: Vec<u8>,
}

impl Device {
    /// The machine of the options with the binaries that the program has registered.
    ///
    /// # Errors
    /// The options in the environment are wrong, or variables do not fit into memory.
    pub fn new(state: &mut State) -> Outcome<Device> {
        let failed = |error: &dyn std::fmt::Display| {
            eprintln!("reconverge: {error:#}");
            INITIALIZATION
        };
        let session = HostSession::from_environment().map_err(|error| failed(&error))?;
        let target = session.target().map_err(|error| failed(&error))?;
        let options = session.lowering(&target);
        let (mut module, mut images) = (Module::empty(), Vec::new());
        let mut binaries: Vec<Result<usize, Unusable>> = Vec::new();
        let mut renamed: BTreeMap<usize, Renamed> = BTreeMap::new();
        let first = state.binaries.iter().map(|it| it.as_ref().ok()?.first().map(String::as_str));
        let first: Vec<&str> = first.map(Option::unwrap_or_default).collect();
        for group in link::groups(&first) {
            let name = match group.first() {
                Some(0) | None => "kernels.ptx".to_owned(),
                Some(number) => format!("kernels{}.ptx", number + 1),
            };
            let starts = ends(&module.lowered().program);
            let add = |module: &Module, name: &str, text: &str| {
                module.with_image(name, text, starts, session.folder(), &options)
            };
            let texts = match group.as_slice() {
                [number] => state.binaries[*number].clone(),
                all => linked(&all.iter().map(|&number| first[number]).collect::<Vec<_>>()).map(
                    |(text, names)| {
                        renamed.extend(all.iter().copied().zip(names));
                        vec![text]
                    },
                ),
            };
            let found = texts.and_then(|texts| added(&module, &name, &texts, add));
            let found = found.map(|(with, image)| {
                module = with;
                images.push(Loaded { image, region: None });
                images.len() - 1
            });
            binaries.resize(binaries.len().max(group.iter().max().map_or(0, |it| it + 1)), Ok(0));
            group.iter().for_each(|&number| binaries[number] = found.clone());
        }
        let module: &'static Module = Box::leak(Box::new(module));
        let gpu = module.load(&target).map_err(|error| failed(&error))?;
        let kernels = image::kernels(&module.lowered().program, 0).collect();
        let mut device = Device {
            session,
            target,
            options,
            module,
            gpu,
            kernels,
            images,
            binaries,
            renamed,
            by_function: BTreeMap::new(),
            managed: Managed::default(),
            registered: BTreeMap::new(),
            pinned: BTreeSet::new(),
            streams: Streams::default(),
            arrays: BTreeMap::new(),
            objects: BTreeMap::new(),
            clock: 0,
            limits: BTreeMap::new(),
            outcome: Ending::Exit(0),
        };
        for ManagedVariable { pointer, size, variable } in &state.managed {
            let address = match device.variable_of(variable) {
                Some((address, size)) => {
                    device.managed.add(address, size, &mut device.gpu)?;
                    address
                }
                // The device code cannot be used, but the host uses the variable.
                None => device.allocate_managed(*size as u64)?,
            };
            pointer.write(8)?.copy_from_slice(&u64::from(address).to_le_bytes());
        }
        Ok(device)
    }

    /// Allocates memory of the device.
    ///
    /// # Errors
    /// There is no room.
    pub fn allocate(&mut self, size: u64) -> Outcome<u32> {
        self.gpu.memory().device_allocate(size).ok_or(MEMORY_ALLOCATION)
    }

    /// Allocates memory that the host accesses too.
    ///
    /// # Errors
    /// There is no room, or the host uses the addresses for something else.
    pub fn allocate_managed(&mut self, size: u64) -> Outcome<u32> {
        let found = self.gpu.memory().managed_allocate(size).ok_or(MEMORY_ALLOCATION)?;
        let mapped = self.managed.add(found, size as u32, &mut self.gpu);
        if mapped.is_err() {
            self.gpu.memory().device_free(found);
        }
        mapped.map(|()| found)
    }

    /// Frees memory; a null pointer is nothing to free.
    ///
    /// # Errors
    /// No allocation starts there.
    pub fn free(&mut self, address: u64) -> Outcome {
        if address == 0 {
            return Ok(());
        }
        let address = u32::try_from(address).map_err(|_| INVALID_VALUE)?;
        let is_kept = self.images.iter().any(|it| it.region == Some(address))
            || self.objects.contains_key(&address)
            || self.arrays.values().any(|it| it.starts_at(address));
        let freed = if is_kept { None } else { self.gpu.memory().device_free(address) };
        freed.ok_or(INVALID_VALUE)?;
        self.managed.remove(address);
        self.pinned.remove(&address);
        Ok(())
    }

    /// The request of a launch, if the machine can take it.
    ///
    /// # Errors
    /// The code of the limit that it exceeds.
    pub fn checked(&mut self, launch: &Launch) -> Outcome<LaunchRequest> {
        let Launch { kernel, grid, block, shared, .. } = *launch;
        let known = self.module.kernel_at(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let shared = u32::try_from(shared).map_err(|_| INVALID_VALUE)?;
        let parameters = launch.parameters.clone();
        match self.gpu.request(known, Dim(grid), Dim(block), shared, parameters) {
            Ok(request) => Ok(request),
            Err(refusal) => {
                let code = match refusal {
                    Refusal::Configuration(_) => INVALID_CONFIGURATION,
                    Refusal::Shared(_) => INVALID_VALUE,
                    Refusal::Resources(_) => LAUNCH_OUT_OF_RESOURCES,
                };
                let limit = refusal.limit();
                let help = limit.help.map_or(String::new(), |help| format!("\n  {help}"));
                let name = known.name();
                eprintln!("reconverge: `{name}` was not launched: {}{help}", limit.sentence);
                Err(code)
            }
        }
    }

    /// Runs a launch to its end.
    ///
    /// # Errors
    /// The code of the limit that it exceeds, or of the fault that stopped it.
    pub fn launch(&mut self, launch: &Launch) -> Outcome<Ran> {
        let request = self.checked(launch)?;
        self.managed.push(&mut self.gpu);
        let done = self.gpu.run(request, &mut |_, _| {});
        self.managed.pull(&mut self.gpu);
        abi::print(&self.gpu.take_output());
        match done {
            Ok(()) => {
                let statistics = self.gpu.records().last().and_then(|it| it.statistics.as_ref());
                let cycles = statistics.map_or(0, |statistics| statistics.cycles);
                let mhz = self.target.machine.clock_mhz;
                self.clock = self.clock.saturating_add((cycles as f64 * 1e3 / mhz) as u64);
                Ok(Ran::Ended)
            }
            Err(Error::Stopped { outcome, text, .. }) => {
                self.session.show(&text);
                let code = code_of(&outcome);
                self.outcome = *outcome;
                Ok(Ran::Stopped(code))
            }
            Err(error) => {
                eprintln!("reconverge: {error}");
                Err(UNKNOWN)
            }
        }
    }

    /// The number of blocks of a kernel that an SM holds.
    pub fn occupancy(&self, kernel: &Kernel, threads: u32, dynamic: u64) -> u64 {
        let limits = self.gpu.limits();
        if threads == 0 || threads > limits.threads {
            return 0;
        }
        let shared = u64::from(kernel.shared).next_multiple_of(16) + dynamic;
        let size = BlockSize { threads, registers: kernel.registers, shared };
        limits.machine.occupancy.as_ref().map_or(0, |occupancy| occupancy.blocks(size))
    }

    /// The launches so far.
    pub fn into_records(self) -> Vec<KernelRecord> {
        self.gpu.records().to_vec()
    }

    /// Shows and writes what the options request.
    pub fn report(&mut self, ended: Vec<KernelRecord>) {
        let findings = self.gpu.take_findings();
        let own = self.gpu.records();
        let has_ended = !ended.is_empty();
        let joined: Vec<KernelRecord>;
        let records = match has_ended {
            true => {
                joined = ended.into_iter().chain(own.iter().cloned()).collect();
                joined.as_slice()
            }
            false => own,
        };
        if records.is_empty() {
            return;
        }
        let ended =
            Ended { target: &self.target, records, outcome: &self.outcome, findings: &findings };
        if let Err(error) = self.session.report(self.module, ended) {
            eprintln!("reconverge: {error:#}");
        }
    }
}

/// The end of a launch that the machine took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ran {
    /// It ended by itself.
    Ended,
    /// It was stopped, with this error code.
    Stopped(i32),
}

/// The text of binaries that use each other's functions.
fn linked(texts: &[&str]) -> Result<(String, Vec<Renamed>), Unusable> {
    link::join(texts).map_err(|why| Unusable::of_link(&why))
}

/// The error code for a kernel that was stopped.
fn code_of(outcome: &Ending) -> i32 {
    let known = |report: &report::Report| match report.code {
        Some(code::ASSERTION) => ASSERT,
        Some(code::MISALIGNED) => MISALIGNED_ADDRESS,
        // The others are about addresses.
        Some(_) => ILLEGAL_ADDRESS,
        None => LAUNCH_FAILURE,
    };
    match outcome {
        Ending::Trap(report) => known(report),
        Ending::Deadlock(_) | Ending::Limit(_) | Ending::Interrupted(_) => LAUNCH_TIMEOUT,
        Ending::Internal(_) | Ending::Exit(_) => UNKNOWN,
    }
}
