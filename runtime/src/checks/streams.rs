//! Races between operations of the device in different streams, and between them and the host:
//! their order, and the memory that unordered ones touch.

use crate::host::order::{HostAct, Transfer, Wait};
use reconverge_compiler::syntax::{SourceMap, Span};
use reconverge_simulator::check::{Clash, Footprint};
use std::collections::BTreeMap;
use std::ops::Range;

/// Numbers of the streams that are always there: the default stream, and that of the thread.
const DEFAULT: u32 = 0;
const OF_THREAD: u32 = 1;
/// Bytes of footprints for each byte of device memory that is allocated, and those beside that there are always.
const MOST_BYTES: usize = 3;
const FEW_BYTES: usize = 1 << 20;

/// By stream, how many of its operations are over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Clock(BTreeMap<u32, u32>);

impl Clock {
    fn join(&mut self, other: &Clock) {
        for (&stream, &count) in &other.0 {
            let own = self.0.entry(stream).or_default();
            *own = count.max(*own);
        }
    }

    fn has(&self, operation: &Operation) -> bool {
        self.0.get(&operation.stream).is_some_and(|&count| operation.number < count)
    }
}

/// A stream.
#[derive(Clone, Debug)]
struct Stream {
    /// The operations that are over when all operations of the stream are.
    clock: Clock,
    given: u32,
    /// The default stream and this one wait for each other.
    blocking: bool,
    /// The place where it was made.
    span: Option<Span>,
}

/// The kind of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Kernel(String),
    Copy,
    Fill,
    Host,
}

/// Something that the device does, in a stream.
#[derive(Clone, Debug)]
struct Operation {
    stream: u32,
    /// Among those of its stream.
    number: u32,
    what: What,
    span: Span,
    /// The operations that were over before it.
    before: Clock,
    footprint: Footprint,
    /// It has been found to conflict with the host.
    with_host: bool,
}

/// One of two operations that race.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub what: What,
    pub span: Span,
    /// In which stream it is, in words; nothing of the host.
    pub stream: Option<String>,
    pub writes: bool,
}

/// Two operations that nothing orders, and the first byte at which they conflict.
#[derive(Clone, Debug)]
pub(super) struct Race {
    pub address: u32,
    pub first: Side,
    pub second: Side,
}

/// The order of the device's operations, by the host's calls.
#[derive(Debug)]
pub(super) struct Streams {
    streams: BTreeMap<u32, Stream>,
    /// The program's names for streams.
    numbers: BTreeMap<u32, u32>,
    events: BTreeMap<u32, Clock>,
    host: Clock,
    /// Operations that the host has not waited for, in the order in which they were given.
    operations: Vec<Operation>,
    /// The host's next access, and the operation with which it conflicts.
    touched: Option<(usize, Clash)>,
}

impl Streams {
    pub fn new() -> Streams {
        let fixed = |blocking| Stream { clock: Clock::default(), given: 0, blocking, span: None };
        Streams {
            streams: BTreeMap::from([(DEFAULT, fixed(false)), (OF_THREAD, fixed(true))]),
            // `cudaStreamLegacy` and `cudaStreamPerThread`.
            numbers: BTreeMap::from([(0, DEFAULT), (1, DEFAULT), (2, OF_THREAD)]),
            events: BTreeMap::new(),
            host: Clock::default(),
            operations: Vec::new(),
            touched: None,
        }
    }

    /// The host does something else than to launch a kernel; a race with an earlier operation for each of those.
    pub fn act(&mut self, act: &HostAct, allocated: usize, sources: &SourceMap) -> Vec<Race> {
        match act {
            &HostAct::Created { stream, blocking, span } => {
                let number = self.streams.len() as u32;
                let clock = Clock::default();
                let made = Stream { clock, given: 0, blocking, span: Some(span) };
                self.streams.insert(number, made);
                self.numbers.insert(stream, number);
            }
            &HostAct::Recorded { event, stream } => {
                let clock = self.so_far(self.number(stream));
                self.events.insert(event, clock);
            }
            &HostAct::StreamWaits { stream, event } => {
                let number = self.number(stream);
                let clock = self.events.get(&event).cloned().unwrap_or_default();
                if let Some(stream) = self.streams.get_mut(&number) {
                    stream.clock.join(&clock);
                }
            }
            &HostAct::HostWaits(wait) => self.wait(wait),
            HostAct::Transferred(transfer) => return self.transfer(transfer, allocated, sources),
        }
        Vec::new()
    }

    fn transfer(
        &mut self,
        transfer: &Transfer,
        allocated: usize,
        sources: &SourceMap,
    ) -> Vec<Race> {
        let Transfer { stream, from, to, fills, host_waits, span } = transfer;
        let mut footprint = Footprint::default();
        for (range, writes) in [(from, false), (to, true)] {
            if let Some(range) = range {
                footprint.add(range.clone(), writes);
            }
        }
        let what = if *fills { What::Fill } else { What::Copy };
        let races = self.add(*stream, what, *span, footprint, allocated, sources);
        if *host_waits {
            self.wait(Wait::Stream(*stream));
        }
        races
    }

    /// The stream of a handle; of one that is not known, the default stream.
    fn number(&self, stream: u32) -> u32 {
        self.numbers.get(&stream).copied().unwrap_or(DEFAULT)
    }

    /// The operations before one that a stream is given now.
    fn so_far(&self, number: u32) -> Clock {
        let mut clock = self.host.clone();
        let own = self.streams.get(&number);
        for (&other, stream) in &self.streams {
            let waits = match number {
                DEFAULT => stream.blocking,
                _ => other == DEFAULT && own.is_some_and(|own| own.blocking),
            };
            if waits || other == number {
                clock.join(&stream.clock);
            }
        }
        clock
    }

    fn wait(&mut self, wait: Wait) {
        let clock = match wait {
            Wait::Stream(stream) => match self.number(stream) {
                DEFAULT => self.so_far(DEFAULT),
                number => self.streams.get(&number).map(|it| it.clock.clone()).unwrap_or_default(),
            },
            Wait::Event(event) => self.events.get(&event).cloned().unwrap_or_default(),
            Wait::Device => {
                let mut all = Clock::default();
                self.streams.values().for_each(|stream| all.join(&stream.clock));
                all
            }
        };
        self.host.join(&clock);
        // All later operations are ordered after these.
        self.operations.retain(|operation| !self.host.has(operation));
    }

    /// A stream is given an operation, which has touched memory. Returns the races.
    pub fn add(
        &mut self,
        stream: u32,
        what: What,
        span: Span,
        footprint: Footprint,
        allocated: usize,
        sources: &SourceMap,
    ) -> Vec<Race> {
        let number = self.number(stream);
        let before = self.so_far(number);
        let given = self.streams.get(&number).map_or(0, |stream| stream.given);
        let operation = Operation {
            stream: number,
            number: given,
            what,
            span,
            before,
            footprint,
            with_host: false,
        };
        let races = self.races(&operation, sources);
        if let Some(stream) = self.streams.get_mut(&number) {
            stream.given += 1;
            stream.clock.join(&operation.before);
            stream.clock.0.insert(number, stream.given);
        }
        // An operation without accesses races with none.
        if operation.footprint.size() != 0 {
            self.operations.push(operation);
        }
        self.forget(allocated * MOST_BYTES + FEW_BYTES);
        races
    }

    /// Forgets the oldest operations until the footprints of the others take at most `most` bytes.
    fn forget(&mut self, most: usize) {
        let mut size: usize = self.operations.iter().map(|it| it.footprint.size()).sum();
        let oldest = self.operations.iter().take_while(|operation| {
            let is_over = size > most;
            size -= if is_over { operation.footprint.size() } else { 0 };
            is_over
        });
        let count = oldest.count();
        self.operations.drain(..count);
    }

    fn races(&self, later: &Operation, sources: &SourceMap) -> Vec<Race> {
        let unordered = self.operations.iter().filter(|operation| !later.before.has(operation));
        unordered
            .filter_map(|first| {
                let clash = first.footprint.clash(&later.footprint)?;
                Some(Race {
                    address: clash.address,
                    first: self.side(first, clash.first_writes, sources),
                    second: self.side(later, clash.second_writes, sources),
                })
            })
            .collect()
    }

    fn side(&self, operation: &Operation, writes: bool, sources: &SourceMap) -> Side {
        let span = self.streams.get(&operation.stream).and_then(|stream| stream.span);
        let stream = match (operation.stream, span) {
            (DEFAULT, _) => "the default stream".to_owned(),
            (OF_THREAD, _) => "the thread's default stream".to_owned(),
            (number, span) => {
                let line = |at: Span| format!("{}:{}", sources.name(at.file), sources.line(at));
                let made = span.map(|span| format!(" of {}", line(span)));
                format!("stream {}{}", number - OF_THREAD, made.unwrap_or_default())
            }
        };
        let (what, span) = (operation.what.clone(), operation.span);
        Side { what, span, stream: Some(stream), writes }
    }

    /// Returns true if the host conflicts with an operation that it has not waited for, when it
    /// reads or writes a range.
    pub fn host_touches(&mut self, range: Range<u32>, writes: bool) -> bool {
        let mut footprint = Footprint::default();
        if self.operations.iter().any(|operation| !operation.with_host) {
            footprint.add(range, writes);
        }
        let mut all = self.operations.iter().enumerate().filter(|(_, first)| !first.with_host);
        self.touched =
            all.find_map(|(at, first)| first.footprint.clash(&footprint).map(|clash| (at, clash)));
        if let Some((at, _)) = self.touched
            && let Some(operation) = self.operations.get_mut(at)
        {
            operation.with_host = true;
        }
        self.touched.is_some()
    }

    /// The race that [`Streams::host_touches`] has found, with its place.
    pub fn host_raced(&mut self, span: Span, sources: &SourceMap) -> Option<Race> {
        let (at, clash) = self.touched.take()?;
        let first = self.operations.get(at)?;
        let (what, writes) = (What::Host, clash.second_writes);
        let second = Side { what, span, stream: None, writes };
        let first = self.side(first, clash.first_writes, sources);
        Some(Race { address: clash.address, first, second })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reconverge_compiler::syntax::source::FileId;

    /// The program's names for its streams.
    const ONE: u32 = 0x8000_0100;
    const OTHER: u32 = 0x8000_0200;
    const EVENT: u32 = 0x8000_0300;

    struct Host {
        streams: Streams,
        sources: SourceMap,
        file: FileId,
    }

    impl Host {
        fn new(blocking: bool) -> Host {
            let mut sources = SourceMap::new();
            let file = sources.add("main.cu", "");
            let mut host = Host { streams: Streams::new(), sources, file };
            for stream in [ONE, OTHER] {
                host.does(HostAct::Created { stream, blocking, span: host.span() });
            }
            host
        }

        fn span(&self) -> Span {
            Span::new(self.file, 0, 0)
        }

        fn does(&mut self, act: HostAct) {
            assert!(self.streams.act(&act, 4096, &self.sources).is_empty());
        }

        /// The number of earlier operations that race with one that writes the same place.
        fn writes(&mut self, stream: u32) -> usize {
            let mut footprint = Footprint::default();
            footprint.add(0x1000_0000..0x1000_0004, true);
            let (kernel, span) = (What::Kernel(String::new()), self.span());
            self.streams.add(stream, kernel, span, footprint, 4096, &self.sources).len()
        }
    }

    #[test]
    fn streams_are_ordered_by_events() {
        let mut host = Host::new(false);
        assert_eq!((host.writes(ONE), host.writes(ONE)), (0, 0));
        host.does(HostAct::Recorded { event: EVENT, stream: ONE });
        assert_eq!(host.writes(ONE), 0);
        host.does(HostAct::StreamWaits { stream: OTHER, event: EVENT });
        // The one after the event.
        assert_eq!(host.writes(OTHER), 1);
    }

    #[test]
    fn streams_are_ordered_by_the_host() {
        for wait in [Wait::Stream(ONE), Wait::Event(EVENT), Wait::Device] {
            let mut host = Host::new(false);
            assert_eq!(host.writes(ONE), 0);
            host.does(HostAct::Recorded { event: EVENT, stream: ONE });
            host.does(HostAct::HostWaits(wait));
            assert_eq!(host.writes(OTHER), 0, "{wait:?}");
        }
        let mut host = Host::new(false);
        assert_eq!(host.writes(ONE), 0);
        host.does(HostAct::HostWaits(Wait::Stream(OTHER)));
        assert_eq!(host.writes(OTHER), 1);
    }

    #[test]
    fn the_default_stream_waits_for_those_that_block() {
        let mut host = Host::new(true);
        assert_eq!((host.writes(ONE), host.writes(0), host.writes(OTHER)), (0, 0, 0));
        // And through it one of the thread for the other.
        assert_eq!((host.writes(0), host.writes(2)), (0, 0));
        assert_eq!(host.writes(ONE), 1, "only that of the thread");
        let mut host = Host::new(false);
        assert_eq!((host.writes(ONE), host.writes(0), host.writes(OTHER)), (0, 1, 2));
    }

    #[test]
    fn the_host_conflicts_once_with_each() {
        let mut host = Host::new(true);
        let place = 0x1000_0000..0x1000_0001;
        assert!(!host.streams.host_touches(place.clone(), true));
        assert_eq!(host.writes(ONE), 0);
        assert!(!host.streams.host_touches(0x1000_0004..0x1000_0008, true));
        assert!(host.streams.host_touches(place.clone(), false));
        let (span, sources) = (host.span(), &host.sources);
        assert!(host.streams.host_raced(span, sources).is_some_and(|race| race.first.writes));
        assert!(!host.streams.host_touches(place, true));
    }
}
