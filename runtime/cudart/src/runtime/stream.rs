//! Streams and events.

use crate::abi::{Out, runtime};
use crate::error::{INVALID_VALUE, Outcome};
use crate::state;

/// `cudaStreamCaptureStatusActive`.
const ACTIVE: i32 = 1;

/// Makes a stream.
pub fn create(place: Out<usize>, flags: u32, priority: i32) -> Outcome {
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    place.put(state::device(|device| Ok(device.streams.create(flags, priority)))?)
}

/// Makes an event.
pub fn create_event(place: Out<usize>) -> Outcome {
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    place.put(state::device(|device| Ok(device.streams.create_event()))?)
}

/// The host waits for a stream: operations are complete already.
pub fn wait(stream: usize) -> Outcome {
    state::device(|device| device.streams.wait(stream))
}

/// Records an event.
pub fn record(event: usize, stream: usize) -> Outcome {
    state::device(|device| {
        let now = device.clock;
        device.streams.record(event, stream, now)
    })
}

/// Milliseconds between events.
pub fn elapsed(milliseconds: Out<f32>, start: usize, end: usize) -> Outcome {
    let nanoseconds = state::device(|device| device.streams.elapsed(start, end))?;
    milliseconds.put((nanoseconds as f64 / 1e6) as f32)
}

runtime! {
    /// Makes a stream.
    fn cudaStreamCreate(stream: Out<usize>) {
        create(stream, 0, 0)
    }

    /// Makes a stream.
    fn cudaStreamCreateWithFlags(stream: Out<usize>, flags: u32) {
        create(stream, flags, 0)
    }

    /// Makes a stream; operations run in the order of their issue whatever the priority.
    fn cudaStreamCreateWithPriority(stream: Out<usize>, flags: u32, priority: i32) {
        create(stream, flags, priority)
    }

    /// Ends a stream.
    fn cudaStreamDestroy(stream: usize) {
        state::device(|device| device.streams.destroy(stream))
    }

    /// Waits for a stream.
    fn cudaStreamSynchronize(stream: usize) {
        wait(stream)
    }

    /// A stream has nothing to do between calls.
    fn cudaStreamQuery(stream: usize) {
        wait(stream)
    }

    /// A stream waits for an event.
    fn cudaStreamWaitEvent(stream: usize, event: usize, _flags: u32) {
        state::device(|device| device.streams.join(stream, event))
    }

    /// The flags of a stream.
    fn cudaStreamGetFlags(stream: usize, flags: Out<u32>) {
        flags.put(state::device(|device| device.streams.properties(stream))?.0)
    }

    /// The priority of a stream.
    fn cudaStreamGetPriority(stream: usize, priority: Out<i32>) {
        priority.put(state::device(|device| device.streams.properties(stream))?.1)
    }

    /// A number for a stream.
    fn cudaStreamGetId(stream: usize, id: Out<u64>) {
        state::device(|device| device.streams.check(stream))?;
        id.put(stream as u64)
    }

    /// Begins a capture.
    fn cudaStreamBeginCapture(stream: usize, _mode: i32) {
        state::device(|device| device.streams.begin_capture(stream))
    }

    /// Ends a capture.
    fn cudaStreamEndCapture(stream: usize, graph: Out<usize>) {
        graph.put(state::device(|device| device.streams.end_capture(stream))?)
    }

    /// Returns if a stream is captured.
    fn cudaStreamIsCapturing(stream: usize, status: Out<i32>) {
        let capture = state::device(|device| {
            device.streams.check(stream)?;
            Ok(device.streams.capture_of(stream))
        })?;
        status.put(capture.map_or(0, |_| ACTIVE))
    }

    /// The mode of captures: all are alike here.
    fn cudaThreadExchangeStreamCaptureMode(mode: Out<i32>) {
        mode.get().map(drop)
    }

    /// Makes an event.
    fn cudaEventCreate(event: Out<usize>) {
        create_event(event)
    }

    /// Makes an event.
    fn cudaEventCreateWithFlags(event: Out<usize>, _flags: u32) {
        create_event(event)
    }

    /// Ends an event.
    fn cudaEventDestroy(event: usize) {
        state::device(|device| device.streams.destroy_event(event))
    }

    /// Records an event.
    fn cudaEventRecord(event: usize, stream: usize) {
        record(event, stream)
    }

    /// Records an event.
    fn cudaEventRecordWithFlags(event: usize, stream: usize, _flags: u32) {
        record(event, stream)
    }

    /// Waits for an event.
    fn cudaEventSynchronize(event: usize) {
        state::device(|device| device.streams.check_event(event))
    }

    /// An event has happened when it was recorded.
    fn cudaEventQuery(event: usize) {
        state::device(|device| device.streams.check_event(event))
    }

    /// Simulated milliseconds between events.
    fn cudaEventElapsedTime(milliseconds: Out<f32>, start: usize, end: usize) {
        elapsed(milliseconds, start, end)
    }

    /// Simulated milliseconds between events.
    fn cudaEventElapsedTime_v2(milliseconds: Out<f32>, start: usize, end: usize) {
        elapsed(milliseconds, start, end)
    }
}
