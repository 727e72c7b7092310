//! Launches by the driver.

use crate::abi::{Arguments, Callback, Dim3, Host, In, driver};
use crate::device::Launch;
use crate::error::{INVALID_DEVICE_FUNCTION, INVALID_VALUE, Outcome};
use crate::graph::Operation;
use crate::runtime::kernel::of_handle;
use crate::runtime::launch::{issue, parameters};
use crate::state;

/// `CU_LAUNCH_PARAM_BUFFER_POINTER`, `CU_LAUNCH_PARAM_BUFFER_SIZE`.
const BUFFER: usize = 1;
const SIZE: usize = 2;
/// The most words of a list of parameters in one buffer.
const MOST_WORDS: usize = 16;

/// `CUlaunchConfig`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: u32,
    stream: usize,
    attributes: usize,
    count: u32,
}

/// The parameters in one buffer: a list of its address and size.
fn buffer(extra: In<usize>, bytes: usize) -> Outcome<Vec<u8>> {
    let (mut start, mut size) = (None, None);
    for at in (0..MOST_WORDS).step_by(2) {
        match extra.at(at)? {
            0 => break,
            BUFFER => start = Some(Host(extra.at(at + 1)?)),
            SIZE => size = Some(In::<usize>::get(extra_size(extra.at(at + 1)?))?),
            _ => return Err(INVALID_VALUE),
        }
    }
    let (start, size) = start.zip(size).ok_or(INVALID_VALUE)?;
    // The last parameter may end before a whole word.
    if size.next_multiple_of(4) < bytes.next_multiple_of(4) {
        return Err(INVALID_VALUE);
    }
    let mut block = start.read(size.min(bytes))?.to_vec();
    block.resize(bytes, 0);
    Ok(block)
}

/// The place of a size.
fn extra_size(address: usize) -> In<usize> {
    Host(address).into()
}

#[allow(clippy::too_many_arguments)]
fn launch(
    function: usize,
    grid: Dim3,
    block: Dim3,
    shared: u32,
    stream: usize,
    arguments: Arguments,
    extra: In<usize>,
) -> Outcome {
    let kernel = of_handle(function)?;
    let launch = state::device(|device| {
        let known = device.kernels.get(kernel).ok_or(INVALID_DEVICE_FUNCTION)?;
        let parameters = match extra.is_null() {
            true => parameters(known, arguments)?,
            false => buffer(extra, known.bytes as usize)?,
        };
        let (grid, block) = (grid.extents(), block.extents());
        Ok(Launch { kernel, grid, block, shared: shared.into(), parameters })
    })?;
    issue(stream, Operation::Launch(launch))
}

driver! {
    /// Launches a kernel.
    fn cuLaunchKernel(
        function: usize, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32,
        shared: u32, stream: usize, arguments: Arguments, extra: In<usize>,
    ) {
        let grid = Dim3 { x: grid_x, y: grid_y, z: grid_z };
        let block = Dim3 { x: block_x, y: block_y, z: block_z };
        launch(function, grid, block, shared, stream, arguments, extra)
    }

    /// Launches a kernel with attributes.
    fn cuLaunchKernelEx(
        configuration: In<Configuration>, function: usize, arguments: Arguments, extra: In<usize>,
    ) {
        let Configuration { grid, block, shared, stream, .. } = configuration.get()?;
        launch(function, grid, block, shared, stream, arguments, extra)
    }

    /// Launches a kernel whose blocks wait for each other.
    fn cuLaunchCooperativeKernel(
        function: usize, grid_x: u32, grid_y: u32, grid_z: u32, block_x: u32, block_y: u32, block_z: u32,
        shared: u32, stream: usize, arguments: Arguments,
    ) {
        let grid = Dim3 { x: grid_x, y: grid_y, z: grid_z };
        let block = Dim3 { x: block_x, y: block_y, z: block_z };
        crate::runtime::launch::resident(of_handle(function)?, grid, block, shared as usize)?;
        launch(function, grid, block, shared, stream, arguments, In::null())
    }

    /// Calls a function of the host in a stream.
    fn cuLaunchHostFunc(stream: usize, function: Callback, data: usize) {
        issue(stream, Operation::Host(function, data))
    }
}
