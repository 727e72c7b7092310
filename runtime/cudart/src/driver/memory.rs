//! Memory by the driver.

use crate::abi::{In, Out, driver};
use crate::copy::{Copy, DEFAULT, DEVICE_TO_DEVICE, DEVICE_TO_HOST, Fill, HOST_TO_DEVICE, Side};
use crate::error::{INVALID_VALUE, NOT_SUPPORTED, Outcome};
use crate::graph::Operation;
use crate::runtime::launch::issue;
use crate::runtime::memory::{allocate, allocate_managed, allocate_pitched};
use crate::state;

/// `CUDA_MEMCPY2D`: kinds of memory are 1 (host), 2 (device), 3 (array), 4 (unified).
#[derive(Clone, Copy)]
#[repr(C)]
struct Copy2D {
    from: Place,
    to: Place,
    width: usize,
    height: usize,
}

/// A side of a `CUDA_MEMCPY2D`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Place {
    x: usize,
    y: usize,
    kind: i32,
    host: usize,
    device: usize,
    array: usize,
    pitch: usize,
}

const KIND_HOST: i32 = 1;
const KIND_ARRAY: i32 = 3;

impl Copy2D {
    fn copy(&self) -> Outcome<Copy> {
        if self.from.kind == KIND_ARRAY || self.to.kind == KIND_ARRAY {
            return Err(NOT_SUPPORTED);
        }
        let side = |place: &Place| {
            let start = if place.kind == KIND_HOST { place.host } else { place.device };
            let offset = place.y.wrapping_mul(place.pitch).wrapping_add(place.x);
            Side { start: start.wrapping_add(offset), pitch: place.pitch, slice: 0 }
        };
        let (to, from) = (side(&self.to), side(&self.from));
        Ok(Copy { to, from, width: self.width, height: self.height, depth: 1, kind: DEFAULT })
    }
}

fn copy(stream: usize, to: usize, from: usize, size: usize, kind: i32) -> Outcome {
    issue(stream, Operation::Copy(Copy::line(to, from, size, kind)))
}

fn fill(stream: usize, to: usize, value: u32, size: usize, count: usize) -> Outcome {
    let width = count.checked_mul(size).ok_or(INVALID_VALUE)?;
    let to = Side::line(to);
    issue(stream, Operation::Fill(Fill { to, value, size, width, height: 1, depth: 1 }))
}

fn free(address: usize) -> Outcome {
    state::device(|device| device.free(address as u64))
}

fn info(free: Out<usize>, total: Out<usize>) -> Outcome {
    let (unused, all) = state::device(|device| {
        let all = u64::from(device.gpu.limits().global);
        Ok((device.gpu.memory().device().unused().min(all), all))
    })?;
    free.offer(unused as usize);
    total.offer(all as usize);
    Ok(())
}

fn range(start: Out<usize>, size: Out<usize>, address: usize) -> Outcome {
    let found = state::device(|device| {
        let address = u32::try_from(address).map_err(|_| INVALID_VALUE)?;
        device.gpu.memory().device().allocation_at(address).ok_or(crate::error::NOT_FOUND)
    })?;
    start.offer(found.start as usize);
    size.offer(found.len());
    Ok(())
}

fn device_pointer(place: Out<usize>, address: usize) -> Outcome {
    state::device(|device| device.managed.at(address).map(drop).ok_or(INVALID_VALUE))?;
    place.put(address)
}

/// Attributes of pointers: context, kind of memory, address on the device, on the host, is managed, number of the device.
fn attribute(value: Out<u64>, attribute: i32, address: usize) -> Outcome {
    let found = state::device(|device| {
        let managed = device.managed.at(address).is_some();
        let known = managed || device.device_address(address).is_some();
        if !known {
            return Err(INVALID_VALUE);
        }
        Ok(match attribute {
            2 => (2, 4),
            3 | 4 => (address as u64, 8),
            8 => (u64::from(managed), 4),
            9 => (0, 4),
            _ => return Err(NOT_SUPPORTED),
        })
    })?;
    match found {
        (value_of, 4) => value.narrow().put(value_of as u32),
        (value_of, _) => value.put(value_of),
    }
}

macro_rules! both {
    ($($(#[doc = $doc:literal])+ $name:ident $second:ident ($($argument:ident: $type:ty),*) $body:block)*) => {
        driver! {$(
            $(#[doc = $doc])+
            fn $name($($argument: $type),*) $body

            $(#[doc = $doc])+
            fn $second($($argument: $type),*) $body
        )*}
    };
}

both! {
    /// Allocates memory.
    cuMemAlloc cuMemAlloc_v2 (place: Out<usize>, size: usize) {
        if size == 0 { Err(INVALID_VALUE) } else { allocate(place, size) }
    }
    /// Allocates rows.
    cuMemAllocPitch cuMemAllocPitch_v2 (
        place: Out<usize>, pitch: Out<usize>, width: usize, height: usize, _element: u32
    ) {
        allocate_pitched(place, pitch, width, height)
    }
    /// Frees memory.
    cuMemFree cuMemFree_v2 (address: usize) { free(address) }
    /// Allocates pinned memory.
    cuMemAllocHost cuMemAllocHost_v2 (place: Out<usize>, size: usize) {
        allocate_managed(place, size, true)
    }
    /// Free and total bytes.
    cuMemGetInfo cuMemGetInfo_v2 (unused: Out<usize>, total: Out<usize>) { info(unused, total) }
    /// The allocation that has an address.
    cuMemGetAddressRange cuMemGetAddressRange_v2 (
        start: Out<usize>, size: Out<usize>, address: usize
    ) {
        range(start, size, address)
    }
    /// The address at which kernels reach pinned memory.
    cuMemHostGetDevicePointer cuMemHostGetDevicePointer_v2 (
        place: Out<usize>, address: usize, _flags: u32
    ) {
        device_pointer(place, address)
    }
    /// Copies to the device.
    cuMemcpyHtoD cuMemcpyHtoD_v2 (to: usize, from: usize, size: usize) {
        copy(0, to, from, size, HOST_TO_DEVICE)
    }
    /// Copies from the device.
    cuMemcpyDtoH cuMemcpyDtoH_v2 (to: usize, from: usize, size: usize) {
        copy(0, to, from, size, DEVICE_TO_HOST)
    }
    /// Copies within the device.
    cuMemcpyDtoD cuMemcpyDtoD_v2 (to: usize, from: usize, size: usize) {
        copy(0, to, from, size, DEVICE_TO_DEVICE)
    }
    /// Copies to the device in a stream.
    cuMemcpyHtoDAsync cuMemcpyHtoDAsync_v2 (to: usize, from: usize, size: usize, stream: usize) {
        copy(stream, to, from, size, HOST_TO_DEVICE)
    }
    /// Copies from the device in a stream.
    cuMemcpyDtoHAsync cuMemcpyDtoHAsync_v2 (to: usize, from: usize, size: usize, stream: usize) {
        copy(stream, to, from, size, DEVICE_TO_HOST)
    }
    /// Copies within the device in a stream.
    cuMemcpyDtoDAsync cuMemcpyDtoDAsync_v2 (to: usize, from: usize, size: usize, stream: usize) {
        copy(stream, to, from, size, DEVICE_TO_DEVICE)
    }
    /// Copies rows.
    cuMemcpy2D cuMemcpy2D_v2 (parameters: In<Copy2D>) {
        issue(0, Operation::Copy(parameters.get()?.copy()?))
    }
    /// Copies rows.
    cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2 (parameters: In<Copy2D>) {
        issue(0, Operation::Copy(parameters.get()?.copy()?))
    }
    /// Copies rows in a stream.
    cuMemcpy2DAsync cuMemcpy2DAsync_v2 (parameters: In<Copy2D>, stream: usize) {
        issue(stream, Operation::Copy(parameters.get()?.copy()?))
    }
    /// Fills bytes.
    cuMemsetD8 cuMemsetD8_v2 (to: usize, value: u8, count: usize) {
        fill(0, to, value.into(), 1, count)
    }
    /// Fills halves of words.
    cuMemsetD16 cuMemsetD16_v2 (to: usize, value: u16, count: usize) {
        fill(0, to, value.into(), 2, count)
    }
    /// Fills words.
    cuMemsetD32 cuMemsetD32_v2 (to: usize, value: u32, count: usize) {
        fill(0, to, value, 4, count)
    }
}

driver! {
    /// Allocates memory of both sides.
    fn cuMemAllocManaged(place: Out<usize>, size: usize, _flags: u32) {
        allocate_managed(place, size, false)
    }

    /// Allocates pinned memory.
    fn cuMemHostAlloc(place: Out<usize>, size: usize, _flags: u32) {
        allocate_managed(place, size, true)
    }

    /// Frees pinned memory.
    fn cuMemFreeHost(address: usize) {
        free(address)
    }

    /// Allocates memory in a stream.
    fn cuMemAllocAsync(place: Out<usize>, size: usize, stream: usize) {
        state::device(|device| device.streams.wait(stream))?;
        if size == 0 { Err(INVALID_VALUE) } else { allocate(place, size) }
    }

    /// Frees memory in a stream.
    fn cuMemFreeAsync(address: usize, stream: usize) {
        state::device(|device| device.streams.wait(stream))?;
        free(address)
    }

    /// Copies bytes of either side.
    fn cuMemcpy(to: usize, from: usize, size: usize) {
        copy(0, to, from, size, DEFAULT)
    }

    /// Copies bytes of either side in a stream.
    fn cuMemcpyAsync(to: usize, from: usize, size: usize, stream: usize) {
        copy(stream, to, from, size, DEFAULT)
    }

    /// Fills bytes in a stream.
    fn cuMemsetD8Async(to: usize, value: u8, count: usize, stream: usize) {
        fill(stream, to, value.into(), 1, count)
    }

    /// Fills halves of words in a stream.
    fn cuMemsetD16Async(to: usize, value: u16, count: usize, stream: usize) {
        fill(stream, to, value.into(), 2, count)
    }

    /// Fills words in a stream.
    fn cuMemsetD32Async(to: usize, value: u32, count: usize, stream: usize) {
        fill(stream, to, value, 4, count)
    }

    /// An attribute of a pointer.
    fn cuPointerGetAttribute(value: Out<u64>, number: i32, address: usize) {
        attribute(value, number, address)
    }
}
