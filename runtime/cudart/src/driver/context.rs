//! The device and its context. There is one of each; contexts are names for it.

use crate::abi::{Host, Out, driver};
use crate::error::{INVALID_VALUE, Outcome};
use crate::runtime::device::{check, version};
use crate::runtime::properties;
use crate::state;
use std::cell::RefCell;

/// The handle of every context.
const CONTEXT: usize = 0x6000_0000_0000_0010;

thread_local! {
    /// The contexts of this thread, the current one last.
    static CURRENT: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Makes the device's context current.
fn enter(context: Out<usize>) -> Outcome {
    state::device(|_| Ok(()))?;
    context.put(CONTEXT)?;
    CURRENT.with_borrow_mut(|all| all.push(CONTEXT));
    Ok(())
}

fn check_context(context: usize) -> Outcome {
    // `CUDA_ERROR_INVALID_CONTEXT`.
    if context == CONTEXT { Ok(()) } else { Err(201) }
}

fn leave(context: usize) -> Outcome {
    check_context(context)?;
    CURRENT.with_borrow_mut(|all| all.pop());
    Ok(())
}

fn pop(context: Out<usize>) -> Outcome {
    let found = CURRENT.with_borrow_mut(Vec::pop).ok_or(201)?;
    context.offer(found);
    Ok(())
}

fn push(context: usize) -> Outcome {
    check_context(context)?;
    CURRENT.with_borrow_mut(|all| all.push(context));
    Ok(())
}

fn total(bytes: Out<usize>, device: i32) -> Outcome {
    check(device)?;
    bytes.put(state::device(|device| Ok(device.gpu.limits().global))? as usize)
}

fn uuid(place: Host, device: i32) -> Outcome {
    check(device)?;
    place.write(16)?.copy_from_slice(b"reconverge/GPU-0");
    Ok(())
}

driver! {
    /// Begins the use of the driver.
    fn cuInit(flags: u32) {
        if flags == 0 { Ok(()) } else { Err(INVALID_VALUE) }
    }

    /// The version of the driver.
    fn cuDriverGetVersion(found: Out<i32>) {
        found.put(version())
    }

    /// The device of a number.
    fn cuDeviceGet(device: Out<i32>, number: i32) {
        check(number)?;
        device.put(number)
    }

    /// The number of devices: 1.
    fn cuDeviceGetCount(count: Out<i32>) {
        count.put(1)
    }

    /// The name of the machine.
    fn cuDeviceGetName(text: Host, length: i32, device: i32) {
        check(device)?;
        let name = state::device(|device| Ok(device.gpu.limits().machine.name.clone()))?;
        let length = usize::try_from(length).ok().filter(|&it| it > 0).ok_or(INVALID_VALUE)?;
        let place = text.write(length)?;
        place.fill(0);
        let shown = name.len().min(length - 1);
        place[..shown].copy_from_slice(&name.as_bytes()[..shown]);
        Ok(())
    }

    /// A number for the device.
    fn cuDeviceGetUuid(place: Host, device: i32) {
        uuid(place, device)
    }

    /// A number for the device.
    fn cuDeviceGetUuid_v2(place: Host, device: i32) {
        uuid(place, device)
    }

    /// Bytes of global memory.
    fn cuDeviceTotalMem(bytes: Out<usize>, device: i32) {
        total(bytes, device)
    }

    /// Bytes of global memory.
    fn cuDeviceTotalMem_v2(bytes: Out<usize>, device: i32) {
        total(bytes, device)
    }

    /// An attribute of the device.
    fn cuDeviceGetAttribute(value: Out<i32>, attribute: i32, device: i32) {
        check(device)?;
        let limits = state::device(|device| Ok(device.gpu.limits().clone()))?;
        value.put(properties::attribute(&limits, attribute).ok_or(INVALID_VALUE)?)
    }

    /// The capability of the device.
    fn cuDeviceComputeCapability(major: Out<i32>, minor: Out<i32>, device: i32) {
        check(device)?;
        major.put(7)?;
        minor.put(5)
    }

    /// There is no second device.
    fn cuDeviceCanAccessPeer(can: Out<i32>, device: i32, peer: i32) {
        check(device)?;
        check(peer)?;
        can.put(0)
    }

    /// The context of the device.
    fn cuDevicePrimaryCtxRetain(context: Out<usize>, device: i32) {
        check(device)?;
        state::device(|_| Ok(()))?;
        context.put(CONTEXT)
    }

    /// Ends a use of the device's context.
    fn cuDevicePrimaryCtxRelease(device: i32) {
        check(device)
    }

    /// Ends a use of the device's context.
    fn cuDevicePrimaryCtxRelease_v2(device: i32) {
        check(device)
    }

    /// Ends the device with all memory, streams and events.
    fn cuDevicePrimaryCtxReset(device: i32) {
        check(device)?;
        state::with(|state| state.reset());
        Ok(())
    }

    /// Ends the device with all memory, streams and events.
    fn cuDevicePrimaryCtxReset_v2(device: i32) {
        check(device)?;
        state::with(|state| state.reset());
        Ok(())
    }

    /// The state of the device's context.
    fn cuDevicePrimaryCtxGetState(device: i32, flags: Out<u32>, active: Out<i32>) {
        check(device)?;
        flags.put(0)?;
        active.put(i32::from(state::with(|state| state.device.is_some())))
    }

    /// How the host waits: it never does.
    fn cuDevicePrimaryCtxSetFlags(device: i32, _flags: u32) {
        check(device)
    }

    /// How the host waits: it never does.
    fn cuDevicePrimaryCtxSetFlags_v2(device: i32, _flags: u32) {
        check(device)
    }

    /// Makes a context.
    fn cuCtxCreate(context: Out<usize>, _flags: u32, device: i32) {
        check(device)?;
        enter(context)
    }

    /// Makes a context.
    fn cuCtxCreate_v2(context: Out<usize>, _flags: u32, device: i32) {
        check(device)?;
        enter(context)
    }

    /// Makes a context.
    fn cuCtxCreate_v4(context: Out<usize>, _parameters: usize, _flags: u32, device: i32) {
        check(device)?;
        enter(context)
    }

    /// Ends a context.
    fn cuCtxDestroy(context: usize) {
        leave(context)
    }

    /// Ends a context.
    fn cuCtxDestroy_v2(context: usize) {
        leave(context)
    }

    /// The current context of this thread.
    fn cuCtxGetCurrent(context: Out<usize>) {
        context.put(CURRENT.with_borrow(|all| all.last().copied().unwrap_or(0)))
    }

    /// Sets the current context of this thread.
    fn cuCtxSetCurrent(context: usize) {
        CURRENT.with_borrow_mut(|all| all.pop());
        if context == 0 { Ok(()) } else { push(context) }
    }

    /// Makes a context current.
    fn cuCtxPushCurrent(context: usize) {
        push(context)
    }

    /// Makes a context current.
    fn cuCtxPushCurrent_v2(context: usize) {
        push(context)
    }

    /// Makes the context before the current one current.
    fn cuCtxPopCurrent(context: Out<usize>) {
        pop(context)
    }

    /// Makes the context before the current one current.
    fn cuCtxPopCurrent_v2(context: Out<usize>) {
        pop(context)
    }

    /// The device of the current context.
    fn cuCtxGetDevice(device: Out<i32>) {
        device.put(0)
    }

    /// Waits for the device: operations are complete already.
    fn cuCtxSynchronize() {
        state::device(|_| Ok(()))
    }

    /// The version of a context.
    fn cuCtxGetApiVersion(_context: usize, found: Out<u32>) {
        found.put(version() as u32)
    }

    /// How the host waits.
    fn cuCtxGetFlags(flags: Out<u32>) {
        flags.put(0)
    }

    /// The range of priorities: all are alike.
    fn cuCtxGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) {
        least.offer(0);
        greatest.offer(0);
        Ok(())
    }

    /// A hint: the machine's caches are as its file says.
    fn cuCtxSetCacheConfig(_configuration: i32) {
        Ok(())
    }

    /// The caches are as the machine's file says.
    fn cuCtxGetCacheConfig(configuration: Out<i32>) {
        configuration.put(0)
    }

    /// There is no second device.
    fn cuCtxEnablePeerAccess(_context: usize, _flags: u32) {
        Err(crate::error::PEER_ACCESS_UNSUPPORTED)
    }

    /// Nothing else observes the process.
    fn cuProfilerStart() {
        Ok(())
    }

    /// Nothing else observes the process.
    fn cuProfilerStop() {
        Ok(())
    }
}
