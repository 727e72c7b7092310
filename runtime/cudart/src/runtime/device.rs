//! The device: number, properties, limits, synchronisation.

use super::properties::{self, Layout};
use crate::abi::{Host, In, Out, Text, runtime};
use crate::error::{
    INVALID_DEVICE, INVALID_VALUE, Outcome, PEER_ACCESS_NOT_ENABLED, PEER_ACCESS_UNSUPPORTED,
};
use crate::state;
use reconverge_compiler::syntax::Target;

/// Checks the number of a device: there is one.
///
/// # Errors
/// It is not 0.
pub fn check(device: i32) -> Outcome {
    if device == 0 { Ok(()) } else { Err(INVALID_DEVICE) }
}

/// The version of CUDA that programs see, as `CUDART_VERSION` has it.
pub fn version() -> i32 {
    match properties::is_cuda_13() {
        true => 13000,
        false => Target::default().toolkit.version() as i32,
    }
}

fn put_properties(found: Host, device: i32, layout: Layout) -> Outcome {
    check(device)?;
    let limits = state::device(|device| Ok(device.gpu.limits().clone()))?;
    let bytes = properties::image(&limits, layout);
    found.write(bytes.len())?.copy_from_slice(&bytes);
    Ok(())
}

/// A thread's stack, the buffer of `printf` and the heap: the first limits of devices.
const LIMITS: [u64; 3] = [1024, 1 << 20, 8 << 20];

runtime! {
    /// The number of devices: 1.
    fn cudaGetDeviceCount(count: Out<i32>) {
        count.put(1)
    }

    /// The device of this thread.
    fn cudaGetDevice(device: Out<i32>) {
        device.put(0)
    }

    /// Selects a device.
    fn cudaSetDevice(device: i32) {
        check(device)
    }

    /// Makes the device now.
    fn cudaInitDevice(device: i32, _device_flags: u32, _flags: u32) {
        check(device)?;
        state::device(|_| Ok(()))
    }

    /// Selects among devices.
    fn cudaSetValidDevices(devices: In<i32>, count: i32) {
        for index in 0..count.max(0) as usize {
            check(devices.at(index)?)?;
        }
        Ok(())
    }

    /// The device that fits best: the only one.
    fn cudaChooseDevice(device: Out<i32>, _properties: Host) {
        device.put(0)
    }

    /// How the host waits: it never does.
    fn cudaSetDeviceFlags(_flags: u32) {
        Ok(())
    }

    /// How the host waits.
    fn cudaGetDeviceFlags(flags: Out<u32>) {
        flags.put(0)
    }

    /// Properties as CUDA 11 or 13 has them.
    fn cudaGetDeviceProperties(found: Host, device: i32) {
        let layout = if properties::is_cuda_13() { Layout::Cuda13 } else { Layout::Cuda11 };
        put_properties(found, device, layout)
    }

    /// Properties as CUDA 12 has them.
    fn cudaGetDeviceProperties_v2(found: Host, device: i32) {
        put_properties(found, device, Layout::Cuda12)
    }

    /// An attribute of the device.
    fn cudaDeviceGetAttribute(value: Out<i32>, attribute: i32, device: i32) {
        check(device)?;
        let limits = state::device(|device| Ok(device.gpu.limits().clone()))?;
        value.put(properties::attribute(&limits, attribute).ok_or(INVALID_VALUE)?)
    }

    /// The bus address of the device: it has none.
    fn cudaDeviceGetPCIBusId(text: Host, length: i32, device: i32) {
        check(device)?;
        let id = b"0000:00:00.0\0";
        let length = usize::try_from(length).map_err(|_| INVALID_VALUE)?;
        let place = text.write(length)?;
        let fits = place.get_mut(..id.len()).ok_or(INVALID_VALUE)?;
        fits.copy_from_slice(id);
        Ok(())
    }

    /// The device of a bus address.
    fn cudaDeviceGetByPCIBusId(device: Out<i32>, id: Text) {
        id.get()?;
        device.put(0)
    }

    /// A limit of the device.
    fn cudaDeviceGetLimit(value: Out<usize>, limit: i32) {
        let first = usize::try_from(limit).ok().and_then(|at| LIMITS.get(at));
        let first = *first.ok_or(INVALID_VALUE)?;
        let set = state::device(|device| Ok(device.limits.get(&limit).copied()))?;
        value.put(set.unwrap_or(first) as usize)
    }

    /// Sets a limit of the device; memory for local variables and output is there as it is needed.
    fn cudaDeviceSetLimit(limit: i32, value: usize) {
        if usize::try_from(limit).map_or(true, |at| at >= LIMITS.len()) {
            return Err(INVALID_VALUE);
        }
        state::device(|device| {
            device.limits.insert(limit, value as u64);
            Ok(())
        })
    }

    /// A hint: the machine's caches are as its file says.
    fn cudaDeviceSetCacheConfig(_configuration: i32) {
        Ok(())
    }

    /// The caches are as the machine's file says.
    fn cudaDeviceGetCacheConfig(configuration: Out<i32>) {
        configuration.put(0)
    }

    /// A hint: the machine's banks are as its file says.
    fn cudaDeviceSetSharedMemConfig(_configuration: i32) {
        Ok(())
    }

    /// The banks are as the machine's file says.
    fn cudaDeviceGetSharedMemConfig(configuration: Out<i32>) {
        configuration.put(0)
    }

    /// The range of priorities: all are alike.
    fn cudaDeviceGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) {
        least.offer(0);
        greatest.offer(0);
        Ok(())
    }

    /// Waits for the device: operations are complete already.
    fn cudaDeviceSynchronize() {
        state::device(|_| Ok(()))
    }

    /// The old name of `cudaDeviceSynchronize`.
    fn cudaThreadSynchronize() {
        state::device(|_| Ok(()))
    }

    /// Ends the device with all memory, streams and events.
    fn cudaDeviceReset() {
        state::with(|state| state.reset());
        Ok(())
    }

    /// The old name of `cudaDeviceReset`.
    fn cudaThreadExit() {
        state::with(|state| state.reset());
        Ok(())
    }

    /// The version that the driver supports.
    fn cudaDriverGetVersion(found: Out<i32>) {
        found.put(version())
    }

    /// The version of the runtime.
    fn cudaRuntimeGetVersion(found: Out<i32>) {
        found.put(version())
    }

    /// There is no second device.
    fn cudaDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) {
        check(device)?;
        check(peer)?;
        can.put(0)
    }

    /// There is no second device.
    fn cudaDeviceEnablePeerAccess(peer: i32, _flags: u32) {
        check(peer)?;
        Err(PEER_ACCESS_UNSUPPORTED)
    }

    /// There is no second device.
    fn cudaDeviceDisablePeerAccess(peer: i32) {
        check(peer)?;
        Err(PEER_ACCESS_NOT_ENABLED)
    }

    /// There is no second device.
    fn cudaDeviceGetP2PAttribute(value: Out<i32>, _attribute: i32, device: i32, peer: i32) {
        check(device)?;
        check(peer)?;
        value.put(0)
    }

    /// Nothing else observes the process.
    fn cudaProfilerStart() {
        Ok(())
    }

    /// Nothing else observes the process.
    fn cudaProfilerStop() {
        Ok(())
    }
}
