//! The interface between a host program and the device that runs its kernels.

use super::denied::DeniedLaunch;
use super::memory::{DEVICE_CAPACITY, Memory};
use super::order::HostAct;
use super::printed::Printed;
use super::report::Failure;
use reconverge_compiler::check::tree::{FunctionId, Module, Type};
use reconverge_compiler::syntax::source::Span;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One `kernel<<<grid, block, shared>>>(arguments)`, its configuration already found valid.
#[derive(Clone, Debug)]
pub struct LaunchRequest {
    /// The kernel.
    pub kernel: FunctionId,
    /// Its source name.
    pub name: String,
    /// Blocks along x, y and z; none is zero.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z; none is zero.
    pub block: [u32; 3],
    /// Bytes of `extern __shared__` memory.
    pub dynamic_shared: u32,
    /// The parameters' values at the offsets of [`parameter_offsets`].
    pub arguments: Vec<u8>,
    /// The stream; 0 is the default stream.
    pub stream: u32,
    /// The launch.
    pub span: Span,
}

/// Simulated time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Elapsed {
    /// In nanoseconds.
    pub nanoseconds: u64,
}

/// Why a launch did not complete.
#[derive(Clone, Debug)]
pub enum LaunchError {
    /// The kernel did not start; the program sees this `cudaError_t` as its last error.
    Refused(i32),
    /// The kernel did something wrong, which ends the program: the state of memory after a fault
    /// means nothing, and a message with a source line helps more than a later error code.
    Failed(Failure),
}

/// A block of threads, for the question how many fit on an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockSize {
    /// Threads.
    pub threads: u32,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of shared memory, dynamic ones included.
    pub shared: u64,
}

/// Computes how many blocks of a size an SM holds. Only the machine can answer that.
#[derive(Clone)]
pub struct Occupancy(Arc<dyn Fn(BlockSize) -> u64 + Send + Sync>);

impl Occupancy {
    /// The occupancy that `blocks` computes.
    pub fn new(blocks: impl Fn(BlockSize) -> u64 + Send + Sync + 'static) -> Occupancy {
        Occupancy(Arc::new(blocks))
    }

    /// Blocks of this size that fit on an SM.
    pub fn blocks(&self, block: BlockSize) -> u64 {
        (self.0)(block)
    }
}

impl fmt::Debug for Occupancy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Occupancy")
    }
}

/// The limits of a device.
#[derive(Clone, Debug)]
pub struct DeviceLimits {
    /// Threads of a block.
    pub threads: u32,
    /// Each dimension of a block.
    pub block: [u32; 3],
    /// Each dimension of a grid.
    pub grid: [u32; 3],
    /// Shared memory of a block in bytes.
    pub shared: u32,
    /// Bytes of global memory.
    pub global: u32,
    /// Threads of a warp, `warpSize`.
    pub warp: u32,
    /// True if a barrier counts warps, for the reference model; otherwise it counts threads.
    pub barriers_count_warps: bool,
    /// Registers of a thread, by kernel, as they are compiled.
    pub registers: BTreeMap<String, u32>,
    /// Properties that are only reported.
    pub machine: MachineFacts,
}

/// A machine's properties for `cudaGetDeviceProperties`, beyond the limits of launches.
#[derive(Clone, Debug, Default)]
pub struct MachineFacts {
    /// Its name.
    pub name: String,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// Their clock in kHz.
    pub clock_khz: u32,
    /// Registers of a multiprocessor.
    pub registers: u32,
    /// Warps of a multiprocessor.
    pub warps: u32,
    /// Blocks of a multiprocessor.
    pub blocks: u32,
    /// The number of blocks of a size that a multiprocessor holds.
    pub occupancy: Option<Occupancy>,
    /// Bytes of the second-level cache.
    pub l2: u32,
    /// Bits of the bus to memory: 64 for each channel.
    pub bus_bits: u32,
    /// Memory's clock in kHz, of which both edges carry data.
    pub memory_khz: u32,
}

impl Default for DeviceLimits {
    fn default() -> Self {
        DeviceLimits {
            threads: 1024,
            block: [1024, 1024, 64],
            grid: [0x7FFF_FFFF, 65535, 65535],
            shared: 48 << 10,
            global: DEVICE_CAPACITY,
            warp: 32,
            barriers_count_warps: false,
            registers: BTreeMap::new(),
            machine: MachineFacts::default(),
        }
    }
}

/// Something that runs kernels.
pub trait Device {
    /// Runs one kernel to its end.
    fn launch(
        &mut self,
        request: &LaunchRequest,
        memory: &mut Memory,
    ) -> Result<Elapsed, LaunchError>;

    /// The printed output of the last launch's threads, in order; also of one that failed.
    fn take_printed(&mut self) -> Vec<Printed>;

    /// Returns true if it receives the host's actions on device memory; `has_streams` is true if
    /// the program makes streams.
    fn watches_host(&mut self, _has_streams: bool) -> bool {
        false
    }

    /// An action of the host that orders operations of the device.
    fn host_acts(&mut self, _act: &HostAct, _memory: &Memory) {}

    /// The host is about to read or write memory that it shares with kernels. Returns true if that
    /// conflicts with an operation that it has not waited for; then [`Device::host_raced`] follows
    /// with the place.
    fn host_touches(&mut self, _range: Range<u32>, _write: bool) -> bool {
        false
    }

    /// The host writes device or constant memory, by a copy or a fill, or memory that it shares with kernels.
    fn host_writes(&mut self, _range: Range<u32>) {}

    /// The place of the host's last action passed to [`Device::host_touches`].
    fn host_raced(&mut self, _span: Span, _memory: &Memory) {}

    /// The place at which the host reads bytes that were copied from a place in device memory, with
    /// the number of unwritten ones.
    fn host_read_unwritten(&mut self, _span: Span, _from: u32, _size: u32, _memory: &Memory) {}

    /// The parts of a range of device memory that no one has written, if that is of interest.
    fn unwritten(&mut self, _range: Range<u32>, _memory: &mut Memory) -> Vec<Range<u32>> {
        Vec::new()
    }

    /// The program has ended by itself; `denied` is its last launch that did not start.
    fn ended(&mut self, _memory: &Memory, _denied: Option<&DeniedLaunch>) {}

    /// The limits of a launch. Host programs are refused more.
    fn limits(&self) -> DeviceLimits;
}

/// The offset of every parameter of a kernel in its parameter block, and the block's size in
/// whole words: C's layout, as if the parameters were the fields of a structure.
pub fn parameter_offsets(module: &Module, kernel: FunctionId) -> (Vec<u32>, u32) {
    let function = module.function(kernel);
    let parameters = &function.locals[..function.parameters as usize];
    layout(module, parameters.iter().map(|parameter| &parameter.ty))
}

fn layout<'a>(module: &Module, types: impl Iterator<Item = &'a Type>) -> (Vec<u32>, u32) {
    let mut offsets = Vec::new();
    let mut end = 0u64;
    for ty in types {
        let at = end.next_multiple_of(ty.align(&module.structs).max(1));
        offsets.push(at as u32);
        end = at + ty.size(&module.structs);
    }
    (offsets, end.next_multiple_of(4) as u32)
}
