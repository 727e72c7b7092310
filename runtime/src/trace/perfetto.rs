//! The trace event format, as Perfetto and Chrome read it: one object, its events one a line.
//!
//! A cycle of the SMs is a microsecond. Process 0 has the launches, process 1 + n has SM n. Its blocks,
//! its schedulers (why they do not issue) and its hardware warps are threads, and several while slices overlap, since
//! slices of one thread have to nest.

use super::Launch;
use crate::tracks;
use reconverge_simulator::{Machine, Statistics};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// Threads of a process for a scheduler or a warp; those of blocks are first, then those of
/// schedulers.
const TRACKS: usize = 1 << 10;

/// Tracks that overlapping slices share so that those of one track do not overlap.
struct Tracks {
    /// Schedulers of an SM.
    schedulers: usize,
    /// By process and first thread: where the last slice of each track ends.
    ends: BTreeMap<(usize, usize), Vec<u64>>,
}

impl Tracks {
    /// The first thread of the blocks of an SM, or of the launches.
    const BLOCKS: usize = 0;

    /// The first thread of a scheduler.
    fn scheduler(number: u16) -> usize {
        (1 + usize::from(number)) * TRACKS
    }

    /// The first thread of a hardware warp.
    fn warp(&self, number: u16) -> usize {
        (1 + self.schedulers + usize::from(number)) * TRACKS
    }

    /// The thread for a slice of a group of tracks that begins with `first`.
    fn place(&mut self, process: usize, first: usize, from: u64, to: u64) -> usize {
        let ends = self.ends.entry((process, first)).or_default();
        let track = ends.iter().position(|end| *end <= from).unwrap_or(ends.len());
        match ends.get_mut(track) {
            Some(end) => *end = to,
            None => ends.push(to),
        }
        first + track
    }

    /// The names of the processes and threads.
    fn names(&self) -> Vec<Value> {
        let mut events = Vec::new();
        let mut last = None;
        for (&(process, first), ends) in &self.ends {
            if last.replace(process) != Some(process) {
                let sm = process.checked_sub(1).map(|sm| format!("SM {sm}"));
                let sm = sm.unwrap_or("launches".to_owned());
                events.push(named("process_name", process, 0, &sm));
            }
            for track in 0..ends.len() {
                let name = match (process, first / TRACKS) {
                    (0, _) => "kernels".to_owned(),
                    (_, 0) => "blocks".to_owned(),
                    (_, group) => match (group - 1).checked_sub(self.schedulers) {
                        None => format!("stalls of scheduler {}", group - 1),
                        Some(warp) => format!("warp {warp}"),
                    },
                };
                let name = if track == 0 { name } else { format!("{name} +{track}") };
                events.push(named("thread_name", process, first + track, &name));
            }
        }
        events
    }
}

fn named(what: &str, process: usize, thread: usize, name: &str) -> Value {
    json!({"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}})
}

/// A slice; times are cycles.
fn slice(name: &str, process: usize, thread: usize, cycles: Range<u64>, args: Value) -> Value {
    let Range { start, end } = cycles;
    let mut event = json!({
        "ph": "X", "name": name, "pid": process, "tid": thread, "ts": start, "dur": end - start,
    });
    if !args.is_null() {
        event["args"] = args;
    }
    event
}

/// The samples of a launch as values over time: each holds from the sample before on, and all end with the launch.
fn counters(launch: &Launch, events: &mut Vec<Value>) {
    let samples = &launch.record.samples;
    let ends = samples.iter().map(|sample| sample.cycle);
    let starts = std::iter::once(0).chain(ends);
    let none = Statistics::default();
    let last = launch.cycles;
    let values = starts.zip(samples.iter().map(|sample| &sample.change));
    let values = values.chain((!samples.is_empty()).then_some((last, &none)));
    for (cycle, statistics) in values {
        for track in tracks::TRACKS {
            let values = (track.values)(statistics, launch.record.energy.as_ref());
            if values.is_empty() {
                continue;
            }
            let values: serde_json::Map<String, Value> = values
                .into_iter()
                .map(|(name, value)| (name.to_owned(), json!(value.unwrap_or(0.0))))
                .collect();
            events.push(json!({
                "ph": "C", "name": track.name, "pid": 0, "ts": launch.begin + cycle, "args": values,
            }));
        }
    }
}

pub(super) fn write(machine: &Machine, launches: &[Launch]) -> String {
    let schedulers = machine.sm.schedulers as usize;
    let mut tracks = Tracks { schedulers, ends: BTreeMap::new() };
    let mut events = Vec::new();
    for launch in launches {
        let (begin, record) = (launch.begin, launch.record);
        let times = begin..begin + launch.cycles;
        let args = json!({"launch": launch.number, "grid": record.grid, "block": record.block});
        let thread = tracks.place(0, Tracks::BLOCKS, times.start, times.end);
        events.push(slice(&record.name, 0, thread, times, args));
        counters(launch, &mut events);
        for (sm, trace) in &launch.traces {
            let process = 1 + sm;
            let mut blocks: Vec<_> = trace.blocks.iter().collect();
            blocks.sort_by_key(|block| (block.start, block.number));
            for block in blocks {
                let times = begin + block.start..begin + block.end + 1;
                let thread = tracks.place(process, Tracks::BLOCKS, times.start, times.end);
                let (name, args) =
                    (format!("block {}", block.number), json!({"warps": block.warps}));
                events.push(slice(&name, process, thread, times, args));
            }
            for stall in &trace.stalls {
                let times = begin + stall.start..begin + stall.end;
                let first = Tracks::scheduler(stall.scheduler);
                let thread = tracks.place(process, first, times.start, times.end);
                let args = stall.pc.map_or(Value::Null, |pc| {
                    json!({"pc": pc, "instruction": launch.text(pc), "source": launch.source(pc)})
                });
                events.push(slice(stall.reason, process, thread, times, args));
            }
            for one in &trace.instructions {
                let times = begin + one.issue..begin + one.last();
                let first = tracks.warp(one.warp);
                let thread = tracks.place(process, first, times.start, times.end);
                let args = json!({
                    "pc": one.pc,
                    "block": one.block,
                    "path": one.slot,
                    "lanes": Launch::lanes(one),
                    "source": launch.source(one.pc),
                    "fetched": begin + one.fetch,
                });
                events.push(slice(&launch.text(one.pc), process, thread, times, args));
                for (stage, from, to) in one.stages() {
                    if from >= one.issue {
                        let times = begin + from..begin + to;
                        events.push(slice(stage.name(), process, thread, times, Value::Null));
                    }
                }
            }
        }
    }
    let lines: Vec<String> =
        tracks.names().iter().chain(&events).map(|event| event.to_string()).collect();
    let about = json!({
        "time": "1 us is a cycle of the SMs; launches follow each other",
        "machine": machine.name,
    });
    let events = lines.join(",\n");
    format!(
        "{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {about},\n\"traceEvents\": [\n{events}\n]}}\n"
    )
}
