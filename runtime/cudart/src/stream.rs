//! Streams and events, and the capture of streams.
//!
//! Operations are performed when they are issued. A stream is thus a name that is checked, and an event a point in simulated
//! time. While a stream is captured, its operations become nodes of a graph instead; other streams join by waiting for its events.

use crate::device::{Device, Ran};
use crate::error::{
    ILLEGAL_STATE, INVALID_RESOURCE_HANDLE, NOT_READY, Outcome, STREAM_CAPTURE_UNSUPPORTED,
};
use crate::graph::{Graph, Operation};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The last of the streams that are numbers: 0, `cudaStreamLegacy`, `cudaStreamPerThread`.
const LAST_FIXED: usize = 2;
/// The first handle: an address at which no program has anything.
const FIRST: usize = 0x4000_0000_0000_1000;

/// The streams, events and graphs of a device.
#[derive(Debug, Default)]
pub struct Streams {
    streams: BTreeMap<usize, Stream>,
    events: BTreeMap<usize, Event>,
    /// The operations that have been captured, by the stream where the capture began.
    captures: BTreeMap<usize, Graph>,
    /// Graphs.
    pub graphs: BTreeMap<usize, Graph>,
    /// Graphs that can be launched: their operations in order.
    pub launchable: BTreeMap<usize, Arc<[Operation]>>,
    /// Linkers, with the text that each was given.
    pub links: BTreeMap<usize, Vec<u8>>,
    made: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    flags: u32,
    priority: i32,
    /// The stream where the capture that this one belongs to began.
    capture: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Event {
    /// When it was recorded, in simulated nanoseconds.
    time: Option<u64>,
    capture: Option<usize>,
}

impl Streams {
    /// A handle that was never given before.
    pub fn handle(&mut self) -> usize {
        self.made += 1;
        FIRST + 16 * self.made
    }

    /// Makes a stream.
    pub fn create(&mut self, flags: u32, priority: i32) -> usize {
        let handle = self.handle();
        self.streams.insert(handle, Stream { flags, priority, capture: None });
        handle
    }

    /// Ends a stream.
    ///
    /// # Errors
    /// There is no such stream.
    pub fn destroy(&mut self, stream: usize) -> Outcome {
        self.streams.remove(&stream).map(drop).ok_or(INVALID_RESOURCE_HANDLE)
    }

    /// Checks a handle.
    ///
    /// # Errors
    /// There is no such stream.
    pub fn check(&self, stream: usize) -> Outcome {
        match stream <= LAST_FIXED || self.streams.contains_key(&stream) {
            true => Ok(()),
            false => Err(INVALID_RESOURCE_HANDLE),
        }
    }

    /// Checks that the host may wait for a stream.
    ///
    /// # Errors
    /// There is no such stream, or it is captured.
    pub fn wait(&self, stream: usize) -> Outcome {
        self.check(stream)?;
        match self.capture_of(stream) {
            Some(_) => Err(STREAM_CAPTURE_UNSUPPORTED),
            None => Ok(()),
        }
    }

    /// The flags of a stream, and its priority.
    ///
    /// # Errors
    /// There is no such stream.
    pub fn properties(&self, stream: usize) -> Outcome<(u32, i32)> {
        self.check(stream)?;
        Ok(self.streams.get(&stream).map_or((0, 0), |it| (it.flags, it.priority)))
    }

    /// Makes a linker.
    pub fn create_link(&mut self) -> usize {
        let handle = self.handle();
        self.links.insert(handle, Vec::new());
        handle
    }

    /// Makes an event.
    pub fn create_event(&mut self) -> usize {
        let handle = self.handle();
        self.events.insert(handle, Event::default());
        handle
    }

    /// Ends an event.
    ///
    /// # Errors
    /// There is no such event.
    pub fn destroy_event(&mut self, event: usize) -> Outcome {
        self.events.remove(&event).map(drop).ok_or(INVALID_RESOURCE_HANDLE)
    }

    /// Checks a handle of an event.
    ///
    /// # Errors
    /// There is no such event.
    pub fn check_event(&self, event: usize) -> Outcome {
        self.events.get(&event).map(drop).ok_or(INVALID_RESOURCE_HANDLE)
    }

    /// Records an event in a stream, or in its capture.
    ///
    /// # Errors
    /// There is no such event or stream.
    pub fn record(&mut self, event: usize, stream: usize, now: u64) -> Outcome {
        self.check(stream)?;
        let capture = self.capture_of(stream);
        let event = self.events.get_mut(&event).ok_or(INVALID_RESOURCE_HANDLE)?;
        match capture {
            Some(_) => event.capture = capture,
            None => *event = Event { time: Some(now), capture: None },
        }
        Ok(())
    }

    /// Records an event at a time.
    pub fn record_at(&mut self, event: usize, now: u64) {
        if let Some(event) = self.events.get_mut(&event) {
            *event = Event { time: Some(now), capture: None };
        }
    }

    /// A stream waits for an event: it joins the capture that the event was recorded in.
    ///
    /// # Errors
    /// There is no such event or stream.
    pub fn join(&mut self, stream: usize, event: usize) -> Outcome {
        self.check(stream)?;
        let event = *self.events.get(&event).ok_or(INVALID_RESOURCE_HANDLE)?;
        if let (Some(stream), Some(_)) = (self.streams.get_mut(&stream), event.capture) {
            stream.capture = event.capture;
        }
        Ok(())
    }

    /// Nanoseconds from one event to another.
    ///
    /// # Errors
    /// There is no such event, or one was never recorded.
    pub fn elapsed(&self, start: usize, end: usize) -> Outcome<i64> {
        let time = |event: usize| {
            let event = self.events.get(&event).ok_or(INVALID_RESOURCE_HANDLE)?;
            match event.capture {
                Some(_) => Err(NOT_READY),
                None => event.time.ok_or(INVALID_RESOURCE_HANDLE),
            }
        };
        Ok(time(end)? as i64 - time(start)? as i64)
    }

    /// The stream where the capture began that a stream belongs to.
    pub fn capture_of(&self, stream: usize) -> Option<usize> {
        self.streams.get(&stream).and_then(|stream| stream.capture)
    }

    /// Begins to capture a stream.
    ///
    /// # Errors
    /// There is no such stream, it is a default stream, or is captured already.
    pub fn begin_capture(&mut self, stream: usize) -> Outcome {
        self.check(stream)?;
        let known = self.streams.get_mut(&stream).ok_or(STREAM_CAPTURE_UNSUPPORTED)?;
        if known.capture.is_some() {
            return Err(ILLEGAL_STATE);
        }
        known.capture = Some(stream);
        self.captures.insert(stream, Graph::default());
        Ok(())
    }

    /// Ends a capture where it began; the result is the graph.
    ///
    /// # Errors
    /// There is no such stream, or no capture has begun there.
    pub fn end_capture(&mut self, stream: usize) -> Outcome<usize> {
        self.check(stream)?;
        let graph = self.captures.remove(&stream).ok_or(ILLEGAL_STATE)?;
        for joined in self.streams.values_mut().filter(|it| it.capture == Some(stream)) {
            joined.capture = None;
        }
        let handle = self.handle();
        self.graphs.insert(handle, graph);
        Ok(handle)
    }

    fn captured(&mut self, stream: usize) -> Option<&mut Graph> {
        let origin = self.capture_of(stream)?;
        self.captures.get_mut(&origin)
    }
}

impl Device {
    /// Performs an operation of a stream, or adds it to the stream's capture.
    ///
    /// # Errors
    /// There is no such stream; those of the operation.
    pub fn issue(&mut self, stream: usize, operation: Operation) -> Outcome<Ran> {
        self.streams.check(stream)?;
        if self.streams.capture_of(stream).is_none() {
            return self.perform(&operation);
        }
        if let Operation::Launch(launch) = &operation {
            self.checked(launch)?;
        }
        if let Some(graph) = self.streams.captured(stream) {
            graph.add(operation);
        }
        Ok(Ran::Ended)
    }
}
