//! Actions of the host that order operations of the device: streams, events, and waits.

use reconverge_compiler::syntax::Span;
use std::ops::Range;

/// The target of a wait of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// All that has been put into a stream.
    Stream(u32),
    /// An event, if it has been recorded.
    Event(u32),
    /// Everything.
    Device,
}

/// The stream of a copy or a fill, and true if its call returns before it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub stream: u32,
    pub asynchronous: bool,
}

impl Mode {
    /// The mode of calls without a stream.
    pub const SYNCHRONOUS: Mode = Mode { stream: 0, asynchronous: false };

    pub fn in_stream(stream: u64) -> Mode {
        Mode { stream: stream as u32, asynchronous: true }
    }

    /// The mode of calls with an optional stream: without one they are taken to be synchronous.
    pub fn of_either(stream: u64) -> Mode {
        Mode { stream: stream as u32, asynchronous: stream != 0 }
    }
}

/// Bytes of device memory that the library copies or fills for the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The stream in which it takes place.
    pub stream: u32,
    /// The device memory that it reads, if it does.
    pub from: Option<Range<u32>>,
    /// The device memory that it writes, if it does.
    pub to: Option<Range<u32>>,
    /// It fills memory with a value, and copies nothing.
    pub fills: bool,
    /// True if it has ended when the call returns.
    pub host_waits: bool,
    /// The call.
    pub span: Span,
}

/// An event that orders operations of the device. Streams are the program's names for them; 0 is
/// the default stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostAct {
    /// There is a new stream.
    Created {
        /// The stream.
        stream: u32,
        /// True if the default stream waits for it, and it for the default stream.
        blocking: bool,
        /// The place of the call.
        span: Span,
    },
    /// An event marks all operations that a stream has been given so far.
    Recorded {
        /// The event.
        event: u32,
        /// The stream.
        stream: u32,
    },
    /// All later operations of a stream wait for an event.
    StreamWaits {
        /// The stream.
        stream: u32,
        /// The event.
        event: u32,
    },
    /// The host waits.
    HostWaits(Wait),
    /// A copy or a fill.
    Transferred(Transfer),
}
