//! Launches of kernels.

use crate::abi::{Arguments, Callback, Dim3, In, Out, StreamCallback, runtime};
use crate::device::{Launch, Ran};
use crate::error::{INVALID_DEVICE_FUNCTION, MISSING_CONFIGURATION, NOT_SUPPORTED, Outcome};
use crate::graph::Operation;
use crate::state;
use std::cell::RefCell;

/// `<<<grid, block, shared, stream>>>`.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
}

thread_local! {
    static CONFIGURATIONS: RefCell<Vec<Configuration>> = const { RefCell::new(Vec::new()) };
}

/// Remembers the configuration of the launch that follows; 0 says that it is to be launched.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaPushCallConfiguration(
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
) -> u32 {
    let configuration = Configuration { grid, block, shared, stream };
    CONFIGURATIONS.with_borrow_mut(|all| all.push(configuration));
    0
}

/// The parameters of a launch, as the addresses of the arguments give them.
///
/// # Errors
/// An argument has no address.
pub fn parameters(kernel: &crate::image::Kernel, arguments: Arguments) -> Outcome<Vec<u8>> {
    let mut block = vec![0; kernel.bytes as usize];
    for (index, &(offset, size)) in kernel.parameters.iter().enumerate() {
        let (at, size) = (offset as usize, size as usize);
        block[at..at + size].copy_from_slice(arguments.bytes(index, size)?);
    }
    Ok(block)
}

/// Performs an operation of a stream; functions of the host are called without the lock.
///
/// # Errors
/// There is no such stream; those of the operation.
pub fn issue(stream: usize, operation: Operation) -> Outcome {
    let captured = state::device(|device| {
        device.streams.check(stream)?;
        Ok(device.streams.capture_of(stream).is_some())
    })?;
    if !captured {
        return performed(&operation);
    }
    state::device(|device| device.issue(stream, operation).map(drop))
}

/// Performs an operation; functions of the host are called without the lock.
///
/// # Errors
/// Those of the operation.
pub fn performed(operation: &Operation) -> Outcome {
    match operation {
        Operation::Host(function, data) => function.call(*data),
        Operation::StreamCallback(function, stream, data) => function.call(*stream, *data),
        _ => state::with(|state| match state.device()?.perform(operation)? {
            Ran::Ended => Ok(()),
            Ran::Stopped(code) => Err(state.stop(code)),
        }),
    }
}

/// Launches a kernel by its index.
///
/// # Errors
/// A configuration that the machine cannot take, or a fault of the kernel.
pub fn start(
    kernel: usize,
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
    arguments: Arguments,
) -> Outcome {
    let launch = state::device(|device| {
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let parameters = parameters(known, arguments)?;
        let (grid, block) = (grid.extents(), block.extents());
        Ok(Launch { kernel, grid, block, shared: shared as u64, parameters })
    })?;
    issue(stream, Operation::Launch(launch))
}

/// The arguments of `cudaLaunchKernelExC` beside the kernel and its parameters.
#[derive(Clone, Copy)]
#[repr(C)]
struct LaunchConfiguration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
    attributes: In<LaunchAttribute>,
    count: u32,
}

/// An attribute of a launch: its number, and a value of 64 bytes.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct LaunchAttribute {
    number: i32,
    padding: i32,
    value: [u64; 8],
}

/// `cudaLaunchAttributeCooperative`, `cudaLaunchAttributeClusterDimension`.
const COOPERATIVE: i32 = 2;
const CLUSTER: i32 = 4;

/// Checks that the machine has what a launch asks for: blocks can be resident together, and clusters do not exist.
fn check_attributes(kernel: usize, configuration: &LaunchConfiguration) -> Outcome {
    for index in 0..configuration.count as usize {
        let attribute = configuration.attributes.at(index)?;
        let first = attribute.value[0] as u32;
        match attribute.number {
            CLUSTER
                if first > 1 || (attribute.value[0] >> 32) > 1 || attribute.value[1] as u32 > 1 =>
            {
                state::say_once("clusters", "the machine has no thread block clusters");
                return Err(NOT_SUPPORTED);
            }
            COOPERATIVE if first != 0 => {
                resident(kernel, configuration.grid, configuration.block, configuration.shared)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that all blocks of a grid fit on the machine at once.
pub fn resident(kernel: usize, grid: Dim3, block: Dim3, shared: usize) -> Outcome {
    state::device(|device| {
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let threads = block.extents().iter().map(|&it| u64::from(it)).product::<u64>();
        let blocks = grid.extents().iter().map(|&it| u64::from(it)).product::<u64>();
        let each = device.occupancy(known, u32::try_from(threads).unwrap_or(0), shared as u64);
        match blocks <= each * u64::from(device.gpu.limits().machine.sms) {
            true => Ok(()),
            // `cudaErrorCooperativeLaunchTooLarge`.
            false => Err(720),
        }
    })
}

runtime! {
    /// The configuration that was remembered last.
    fn __cudaPopCallConfiguration(
        grid: Out<Dim3>,
        block: Out<Dim3>,
        shared: Out<usize>,
        stream: Out<usize>,
    ) {
        let found = CONFIGURATIONS.with_borrow_mut(Vec::pop).ok_or(MISSING_CONFIGURATION)?;
        grid.offer(found.grid);
        block.offer(found.block);
        shared.offer(found.shared);
        stream.offer(found.stream);
        Ok(())
    }

    /// Launches a kernel by its stand-in.
    fn cudaLaunchKernel(
        function: usize,
        grid: Dim3,
        block: Dim3,
        arguments: Arguments,
        shared: usize,
        stream: usize,
    ) {
        let kernel = state::with(|state| state.kernel(function))?;
        start(kernel, grid, block, shared, stream, arguments)
    }

    /// Launches a kernel whose blocks wait for each other.
    fn cudaLaunchCooperativeKernel(
        function: usize,
        grid: Dim3,
        block: Dim3,
        arguments: Arguments,
        shared: usize,
        stream: usize,
    ) {
        let kernel = state::with(|state| state.kernel(function))?;
        resident(kernel, grid, block, shared)?;
        start(kernel, grid, block, shared, stream, arguments)
    }

    /// Launches a kernel with attributes.
    fn cudaLaunchKernelExC(
        configuration: In<LaunchConfiguration>,
        function: usize,
        arguments: Arguments,
    ) {
        let asked = configuration.get()?;
        let kernel = state::with(|state| state.kernel(function))?;
        check_attributes(kernel, &asked)?;
        start(kernel, asked.grid, asked.block, asked.shared, asked.stream, arguments)
    }

    /// Launches a kernel by its handle.
    fn __cudaLaunchKernel(
        kernel: usize,
        grid: Dim3,
        block: Dim3,
        arguments: Arguments,
        shared: usize,
        stream: usize,
    ) {
        let kernel = super::kernel::of_handle(kernel)?;
        start(kernel, grid, block, shared, stream, arguments)
    }

    /// Calls a function of the host in a stream.
    fn cudaLaunchHostFunc(stream: usize, function: Callback, data: usize) {
        issue(stream, Operation::Host(function, data))
    }

    /// Calls a function of the host in a stream.
    fn cudaStreamAddCallback(stream: usize, function: StreamCallback, data: usize, _flags: u32) {
        issue(stream, Operation::StreamCallback(function, stream, data))
    }
}
