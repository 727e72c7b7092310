//! Streams and events by the driver.

use crate::abi::{Out, driver};
use crate::runtime::stream::{create, create_event, elapsed, record, wait};
use crate::state;

driver! {
    /// Makes a stream.
    fn cuStreamCreate(stream: Out<usize>, flags: u32) {
        create(stream, flags, 0)
    }

    /// Makes a stream.
    fn cuStreamCreateWithPriority(stream: Out<usize>, flags: u32, priority: i32) {
        create(stream, flags, priority)
    }

    /// Ends a stream.
    fn cuStreamDestroy(stream: usize) {
        state::device(|device| device.streams.destroy(stream))
    }

    /// Ends a stream.
    fn cuStreamDestroy_v2(stream: usize) {
        state::device(|device| device.streams.destroy(stream))
    }

    /// Waits for a stream.
    fn cuStreamSynchronize(stream: usize) {
        wait(stream)
    }

    /// A stream has nothing to do between calls.
    fn cuStreamQuery(stream: usize) {
        wait(stream)
    }

    /// A stream waits for an event.
    fn cuStreamWaitEvent(stream: usize, event: usize, _flags: u32) {
        state::device(|device| device.streams.join(stream, event))
    }

    /// The flags of a stream.
    fn cuStreamGetFlags(stream: usize, flags: Out<u32>) {
        flags.put(state::device(|device| device.streams.properties(stream))?.0)
    }

    /// The priority of a stream.
    fn cuStreamGetPriority(stream: usize, priority: Out<i32>) {
        priority.put(state::device(|device| device.streams.properties(stream))?.1)
    }

    /// Returns if a stream is captured.
    fn cuStreamIsCapturing(stream: usize, status: Out<i32>) {
        let capture = state::device(|device| {
            device.streams.check(stream)?;
            Ok(device.streams.capture_of(stream))
        })?;
        status.put(i32::from(capture.is_some()))
    }

    /// Makes an event.
    fn cuEventCreate(event: Out<usize>, _flags: u32) {
        create_event(event)
    }

    /// Ends an event.
    fn cuEventDestroy(event: usize) {
        state::device(|device| device.streams.destroy_event(event))
    }

    /// Ends an event.
    fn cuEventDestroy_v2(event: usize) {
        state::device(|device| device.streams.destroy_event(event))
    }

    /// Records an event.
    fn cuEventRecord(event: usize, stream: usize) {
        record(event, stream)
    }

    /// Records an event.
    fn cuEventRecordWithFlags(event: usize, stream: usize, _flags: u32) {
        record(event, stream)
    }

    /// Waits for an event.
    fn cuEventSynchronize(event: usize) {
        state::device(|device| device.streams.check_event(event))
    }

    /// An event has happened when it was recorded.
    fn cuEventQuery(event: usize) {
        state::device(|device| device.streams.check_event(event))
    }

    /// Simulated milliseconds between events.
    fn cuEventElapsedTime(milliseconds: Out<f32>, start: usize, end: usize) {
        elapsed(milliseconds, start, end)
    }

    /// Simulated milliseconds between events.
    fn cuEventElapsedTime_v2(milliseconds: Out<f32>, start: usize, end: usize) {
        elapsed(milliseconds, start, end)
    }
}
