//! Memory of the device, and memory that the host accesses too.

use crate::abi::{Host, In, Out, runtime};
use crate::error::{INVALID_VALUE, MEMORY_ALLOCATION, NOT_SUPPORTED, Outcome};
use crate::state;

/// Bytes of a pitch are a multiple of this.
const PITCH: usize = 512;
/// The flag of `cudaHostRegister` that maps the memory for kernels.
const MAPPED: u32 = 2;

/// `cudaExtent`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Extent {
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a slice.
    pub height: usize,
    /// Slices.
    pub depth: usize,
}

/// `cudaPitchedPtr`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Pitched {
    /// The first byte.
    pub start: usize,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a slice.
    pub height: usize,
}

/// Allocates memory of the device; nothing is at a null pointer.
pub fn allocate(place: Out<usize>, size: usize) -> Outcome {
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    let found = match size {
        0 => 0,
        _ => state::device(|device| device.allocate(size as u64))? as usize,
    };
    place.put(found)
}

/// Allocates memory that the host accesses too.
pub fn allocate_managed(place: Out<usize>, size: usize, is_pinned: bool) -> Outcome {
    if place.is_null() || size == 0 {
        return Err(INVALID_VALUE);
    }
    let found = state::device(|device| {
        let found = device.allocate_managed(size as u64)?;
        if is_pinned {
            device.pinned.insert(found);
        }
        Ok(found)
    })?;
    place.put(found as usize)
}

/// Allocates rows.
pub fn allocate_pitched(
    place: Out<usize>,
    pitch: Out<usize>,
    width: usize,
    rows: usize,
) -> Outcome {
    if place.is_null() || pitch.is_null() {
        return Err(INVALID_VALUE);
    }
    let each = width.checked_next_multiple_of(PITCH).ok_or(MEMORY_ALLOCATION)?;
    allocate(place, each.checked_mul(rows).ok_or(MEMORY_ALLOCATION)?)?;
    pitch.put(each)
}

/// `cudaPointerAttributes`.
#[derive(Clone, Copy)]
#[repr(C)]
struct PointerAttributes {
    kind: i32,
    device: i32,
    on_device: usize,
    on_host: usize,
}

/// `cudaMemoryType`.
const UNREGISTERED: i32 = 0;
const HOST: i32 = 1;
const DEVICE: i32 = 2;
const MANAGED: i32 = 3;

runtime! {
    /// Allocates memory of the device.
    fn cudaMalloc(place: Out<usize>, size: usize) {
        allocate(place, size)
    }

    /// Allocates memory of both sides.
    fn cudaMallocManaged(place: Out<usize>, size: usize, _flags: u32) {
        allocate_managed(place, size, false)
    }

    /// Allocates pinned memory, which kernels reach too.
    fn cudaMallocHost(place: Out<usize>, size: usize) {
        allocate_managed(place, size, true)
    }

    /// Allocates pinned memory, which kernels reach too.
    fn cudaHostAlloc(place: Out<usize>, size: usize, _flags: u32) {
        allocate_managed(place, size, true)
    }

    /// Allocates memory of the device in a stream.
    fn cudaMallocAsync(place: Out<usize>, size: usize, stream: usize) {
        state::device(|device| device.streams.wait(stream))?;
        allocate(place, size)
    }

    /// Allocates memory of the device in a stream, from a pool; there is one.
    fn cudaMallocFromPoolAsync(place: Out<usize>, size: usize, _pool: usize, stream: usize) {
        state::device(|device| device.streams.wait(stream))?;
        allocate(place, size)
    }

    /// Allocates rows.
    fn cudaMallocPitch(place: Out<usize>, pitch: Out<usize>, width: usize, height: usize) {
        allocate_pitched(place, pitch, width, height)
    }

    /// Allocates slices of rows.
    fn cudaMalloc3D(found: Out<Pitched>, extent: Extent) {
        let each = extent.width.checked_next_multiple_of(PITCH).ok_or(MEMORY_ALLOCATION)?;
        let rows = extent.height.checked_mul(extent.depth).ok_or(MEMORY_ALLOCATION)?;
        let size = each.checked_mul(rows).ok_or(MEMORY_ALLOCATION)?;
        if found.is_null() {
            return Err(INVALID_VALUE);
        }
        let start = match size {
            0 => 0,
            _ => state::device(|device| device.allocate(size as u64))? as usize,
        };
        found.put(Pitched { start, pitch: each, width: extent.width, height: extent.height })
    }

    /// Frees memory of the device.
    fn cudaFree(address: usize) {
        state::device(|device| {
            let is_pinned = u32::try_from(address).is_ok_and(|it| device.pinned.contains(&it));
            if is_pinned { Err(INVALID_VALUE) } else { device.free(address as u64) }
        })
    }

    /// Frees memory of the device in a stream.
    fn cudaFreeAsync(address: usize, stream: usize) {
        state::device(|device| {
            device.streams.wait(stream)?;
            device.free(address as u64)
        })
    }

    /// Frees pinned memory.
    fn cudaFreeHost(address: usize) {
        state::device(|device| {
            let is_pinned = u32::try_from(address).is_ok_and(|it| device.pinned.contains(&it));
            if is_pinned || address == 0 { device.free(address as u64) } else { Err(INVALID_VALUE) }
        })
    }

    /// Pins memory of the host; kernels do not reach it.
    fn cudaHostRegister(address: usize, size: usize, flags: u32) {
        if address == 0 || size == 0 {
            return Err(INVALID_VALUE);
        }
        if flags & MAPPED != 0 {
            state::say_once(
                "cudaHostRegister",
                "memory from `malloc` cannot be mapped for kernels; allocate it with `cudaHostAlloc`",
            );
            return Err(NOT_SUPPORTED);
        }
        state::device(|device| match device.registered.insert(address, size) {
            // `cudaErrorHostMemoryAlreadyRegistered`.
            Some(_) => Err(712),
            None => Ok(()),
        })
    }

    /// Ends the pinning of memory of the host.
    fn cudaHostUnregister(address: usize) {
        // `cudaErrorHostMemoryNotRegistered`.
        state::device(|device| device.registered.remove(&address).map(drop).ok_or(713))
    }

    /// The address at which kernels reach pinned memory.
    fn cudaHostGetDevicePointer(place: Out<usize>, address: usize, _flags: u32) {
        state::device(|device| device.managed.at(address).map(drop).ok_or(INVALID_VALUE))?;
        place.put(address)
    }

    /// The flags of pinned memory.
    fn cudaHostGetFlags(flags: Out<u32>, address: usize) {
        state::device(|device| device.managed.at(address).map(drop).ok_or(INVALID_VALUE))?;
        flags.put(MAPPED)
    }

    /// Free and total bytes of the device.
    fn cudaMemGetInfo(free: Out<usize>, total: Out<usize>) {
        let (unused, all) = state::device(|device| {
            let all = u64::from(device.gpu.limits().global);
            Ok((device.gpu.memory().device().unused().min(all), all))
        })?;
        free.offer(unused as usize);
        total.offer(all as usize);
        Ok(())
    }

    /// The kind of an address.
    fn cudaPointerGetAttributes(found: Out<PointerAttributes>, address: usize) {
        let attributes = state::device(|device| {
            let kind = match (device.managed.at(address), device.device_address(address)) {
                (Some((start, _)), _) if device.pinned.contains(&start) => HOST,
                (Some(_), _) => MANAGED,
                (None, Some(_)) => DEVICE,
                (None, None) => UNREGISTERED,
            };
            Ok(PointerAttributes {
                kind,
                device: if kind == UNREGISTERED { -2 } else { 0 },
                on_device: if kind == UNREGISTERED { 0 } else { address },
                on_host: if kind == DEVICE { 0 } else { address },
            })
        })?;
        found.put(attributes)
    }

    /// A hint: managed memory is where it is.
    fn cudaMemAdvise(address: usize, _count: usize, _advice: i32, _location: usize) {
        state::device(|device| device.managed.at(address).map(drop).ok_or(INVALID_VALUE))
    }

    /// A hint: managed memory is where it is.
    fn cudaMemPrefetchAsync(address: usize, _count: usize) {
        state::device(|device| device.managed.at(address).map(drop).ok_or(INVALID_VALUE))
    }

    /// A hint: managed memory belongs to all streams.
    fn cudaStreamAttachMemAsync(stream: usize, address: usize, _length: usize, _flags: u32) {
        state::device(|device| {
            device.streams.check(stream)?;
            device.managed.at(address).map(drop).ok_or(INVALID_VALUE)
        })
    }

    /// The pool of asynchronous allocations; there is one.
    fn cudaDeviceGetDefaultMemPool(pool: Out<usize>, device: i32) {
        super::device::check(device)?;
        pool.put(1)
    }

    /// The pool of asynchronous allocations; there is one.
    fn cudaDeviceGetMemPool(pool: Out<usize>, device: i32) {
        super::device::check(device)?;
        pool.put(1)
    }

    /// The pool of asynchronous allocations; there is one.
    fn cudaDeviceSetMemPool(device: i32, _pool: usize) {
        super::device::check(device)
    }

    /// A pool is a name: all have the memory of the device.
    fn cudaMemPoolCreate(pool: Out<usize>, _properties: Host) {
        pool.put(1)
    }

    /// A pool is a name.
    fn cudaMemPoolDestroy(_pool: usize) {
        Ok(())
    }

    /// Limits of a pool have no effect: memory is free when it is freed.
    fn cudaMemPoolSetAttribute(_pool: usize, _attribute: i32, value: In<u64>) {
        value.get().map(drop)
    }

    /// Attributes of a pool are 0.
    fn cudaMemPoolGetAttribute(_pool: usize, _attribute: i32, value: Out<u64>) {
        value.put(0)
    }

    /// Nothing is kept in a pool.
    fn cudaMemPoolTrimTo(_pool: usize, _kept: usize) {
        Ok(())
    }
}
