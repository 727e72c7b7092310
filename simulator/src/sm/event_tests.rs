//! Tests that stages raise their events: mechanisms record the events and calls that they receive, in an SM that runs
//! one block.

use crate::handles::WarpSlot;
use crate::mechanisms::setup::Setup;
use std::sync::{Arc, Mutex};

use crate::machine::load::load_machine;
use crate::mechanisms::affine;
use crate::mechanisms::allocation::{Allocation, LineAccess};
use crate::mechanisms::block_scheduler::SlotCounts;
use crate::mechanisms::divergence::slot::Capabilities;
use crate::mechanisms::event::{CandidateSet, Effects, Event, EventSet, InstructionHints};
use crate::mechanisms::register_file::{
    self, Destination, Leave, Operands, Reader, RegisterFile, ResultRegisters, Shape,
};
use crate::mechanisms::replacement::Ways;
use crate::mechanisms::scheduler::{self, NextInstruction, Scheduler, View};
use crate::memory::device::DeviceMemory;
use crate::observe::statistics::Statistics;
use crate::program::decode::decode;
use crate::run::emitted::Emitted;
use crate::run::occupancy::Footprint;
use crate::run::request::{Launch, Model};
use crate::sm::context::Epoch;
use crate::sm::runner::SmRunner;

/// The calls that were received.
type Received = Arc<Mutex<Vec<String>>>;

fn note(received: &Received, what: String) {
    received.lock().expect("no test panics").push(what);
}

fn taken(received: &Received) -> Vec<String> {
    std::mem::take(&mut *received.lock().expect("no test panics"))
}

/// Runs a block of `threads` threads to its end in an SM of `tiny`, whose mechanisms `replace` may replace; the SM.
fn run(
    sets: &[(&str, &str)],
    text: &str,
    threads: u32,
    replace: impl Fn(&mut super::Sm),
) -> SmRunner {
    let sets: Vec<_> =
        sets.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    let machine = load_machine("tiny", &sets).expect("it is good");
    let program = reconverge_isa::text::parse(text).expect("it is good");
    let kernel = &program.kernels[0];
    let request = Launch::of_block([threads, 1, 1], Model::Timing);
    let width = machine.sm.warp_width;
    let affine = affine::list::build(&machine).expect("it is good");
    let code = decode(kernel, &request, width, &Capabilities::default(), &*affine);
    let code = code.expect("it is good");
    let footprint = Footprint::new(&machine.sm, u64::from(threads), kernel.registers, 0);
    let mut runner = SmRunner::new(0, &machine, footprint).expect("it is good");
    replace(runner.sm());
    runner.assign(0, 0);
    let memory = DeviceMemory {
        global: &mut [],
        allocations: &[],
        constant: &[],
        emitted: Emitted::default(),
        checker: None,
        second_level: None,
    };
    let epoch = Epoch { from: 0, to: 10_000, all: false, searching: false };
    runner.run(&code, &memory, epoch);
    assert!(runner.outcome.trap.is_none() && runner.is_idle(), "it does not end");
    runner
}

/// A register file that records and otherwise is another one.
struct RecordingFile(Box<dyn RegisterFile>, Received);

impl RegisterFile for RecordingFile {
    fn has_room(&self) -> bool {
        self.0.has_room()
    }

    fn admits(&self, warp: WarpSlot) -> bool {
        self.0.admits(warp)
    }

    fn enter(
        &mut self,
        token: u32,
        registers: &Operands,
        reader: Reader,
        result: Option<&ResultRegisters>,
        now: u64,
    ) -> bool {
        let read = registers.registers().iter().enumerate();
        let read =
            read.map(|(at, it)| format!(" r{it}{}", if registers.is_last(at) { "!" } else { "" }));
        note(&self.1, format!("w{} reads{}", reader.warp, read.collect::<String>()));
        self.0.enter(token, registers, reader, result, now)
    }

    fn step(&mut self, now: u64, leave: &mut dyn FnMut(u32) -> Leave) -> u64 {
        self.0.step(now, leave)
    }

    fn wake(&mut self) {
        self.0.wake();
    }

    fn write(&mut self, result: &Destination, ready: u64, now: u64) -> u64 {
        note(&self.1, format!("w{} writes r{}", result.warp, result.register));
        self.0.write(result, ready, now)
    }

    fn events(&self) -> EventSet {
        EventSet::WARP_ARRIVED
            .and(EventSet::THREADS_ENDED)
            .and(EventSet::WARP_RELEASED)
            .and(EventSet::ACTIVE_CHANGED)
    }

    fn on_event(&mut self, event: &Event, effects: &mut Effects) {
        note(
            &self.1,
            match *event {
                Event::WarpArrived { warp, registers, .. } => {
                    format!("w{warp} starts with {registers}")
                }
                Event::ThreadsEnded { warp, .. } => format!("w{warp} ended"),
                Event::WarpReleased { warp, .. } => format!("w{warp} leaves"),
                Event::ActiveChanged { warp, active: true, now } => format!("w{warp} active {now}"),
                Event::ActiveChanged { warp, active: false, now } => {
                    format!("w{warp} inactive {now}")
                }
                other => panic!("{other:?} is of another kind"),
            },
        );
        self.0.on_event(event, effects);
    }

    fn is_reading(&self) -> bool {
        self.0.is_reading()
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn count(&self, statistics: &mut Statistics, cycle: u64) {
        self.0.count(statistics, cycle);
    }
}

const ARITHMETIC: &str = ".kernel k\n.registers 2\n mov.b32 r0, tid.x\n add.i32 r1, r0, 1\n\
    mul.i32 r1, r1, r0 !last 0,1\n exit";

fn received_by_register_file(sets: &[(&str, &str)], text: &str, threads: u32) -> Vec<String> {
    let received = Received::default();
    run(sets, text, threads, |sm| {
        let banked = register_file::list::find("banked").expect("it is there");
        let banked =
            (banked.build)(&Setup::of(&toml::Table::new()), &Shape::default()).expect("it is good");
        sm.collector.replace_register_file(Box::new(RecordingFile(banked, received.clone())));
    });
    taken(&received)
}

#[test]
fn a_register_file_receives_reads_last_reads_writes_and_the_life_of_a_warp() {
    let received = received_by_register_file(&[], ARITHMETIC, 4);
    let [start, first, between @ .., last, end] = &received[..] else { panic!("{received:?}") };
    assert_eq!((&start[..], &first[..]), ("w0 starts with 2", "w0 active 0"));
    assert!(last.starts_with("w0 inactive ") && end == "w0 leaves", "{last} {end}");
    let expected = [
        "w0 reads",
        "w0 writes r0",
        "w0 reads r0",
        "w0 writes r1",
        "w0 reads r1! r0!",
        "w0 ended",
        "w0 writes r1",
    ];
    assert_eq!(between, expected);
}

#[test]
fn under_a_pool_of_one_path_a_register_file_receives_its_changes() {
    // Both warps wait for shared memory, and leave the pool meanwhile.
    let text = ".kernel k\n.registers 2\n.shared 16\n mov.b32 r0, 0x1000000\n ld.shared.b32 r1, [r0]\n\
        add.i32 r1, r1, 1\n exit";
    let sets =
        [("scheduler", "two-level"), ("two-level.variant", "active-pool"), ("two-level.pool", "1")];
    let received = received_by_register_file(&sets, text, 8);
    let active = received.iter().filter(|it| it.contains("active"));
    let active: Vec<&str> = active.map(|it| it.rsplit_once(' ').expect("a cycle").0).collect();
    let expected = [
        "w0 active",
        "w0 inactive",
        "w1 active",
        "w1 inactive",
        "w0 active",
        "w0 inactive",
        "w1 active",
        "w1 inactive",
    ];
    assert_eq!(active, expected);
}

/// A scheduler that records the next instructions of its candidates.
struct RecordingScheduler(Received);

impl Scheduler for RecordingScheduler {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        for candidate in scheduler::members(ready) {
            let next = view.next(candidate).expect("it is ready");
            let NextInstruction { pc, unit, effect, active, .. } = next;
            note(&self.0, format!("{pc} {unit:?} {effect:?} {active:b}"));
        }
        scheduler::oldest(ready, view.ages)
    }
}

#[test]
fn a_scheduler_sees_the_next_instructions_of_its_candidates() {
    let received = Received::default();
    run(&[], ARITHMETIC, 3, |sm| {
        sm.issue.replace_scheduler(Box::new(RecordingScheduler(received.clone())));
    });
    let expected = [
        "0 Integer Compute 111",
        "1 Integer Compute 111",
        "2 IntegerMultiply Compute 111",
        "3 Control Exit 111",
    ];
    assert_eq!(taken(&received), expected);
}

/// A scheduler that records the issued instructions.
struct RecordingIssues(Received);

impl Scheduler for RecordingIssues {
    fn pick(&mut self, ready: CandidateSet, view: &View) -> Option<usize> {
        scheduler::oldest(ready, view.ages)
    }

    fn events(&self) -> EventSet {
        EventSet::ISSUED
    }

    fn on_event(&mut self, event: &Event) {
        if let Event::Issued { instruction, .. } = *event {
            let InstructionHints { pc, hints } = instruction.get().expect("it is a block's");
            note(&self.0, format!("{pc}{hints}"));
        }
    }
}

#[test]
fn a_scheduler_sees_the_hints_of_issued_instructions() {
    let received = Received::default();
    let text = ".kernel k\n.registers 2\n.shared 128\n.predicates 0\n mov.b32 r0, 0x1000000\n\
        ld.shared.b32 r1, [r0] !hint locality poor\n exit";
    run(&[], text, 3, |sm| {
        sm.issue.replace_scheduler(Box::new(RecordingIssues(received.clone())));
    });
    assert_eq!(taken(&received), ["0", "1 !hint locality poor", "2"]);
}

/// Notes which warps start and end.
struct RecordingAllocation(Received);

impl Allocation for RecordingAllocation {
    fn allocates(&mut self, _: &LineAccess, _: bool) -> bool {
        true
    }

    fn victims(&self, _: &LineAccess, ways: Ways) -> Ways {
        ways
    }

    fn events(&self) -> EventSet {
        EventSet::WARP_ARRIVED.and(EventSet::THREADS_ENDED)
    }

    fn on_event(&mut self, event: &Event) {
        note(
            &self.0,
            match *event {
                Event::ThreadsEnded { warp, .. } => format!("{warp} ends"),
                other => format!("{other:?}"),
            },
        );
    }
}

#[test]
fn an_allocation_receives_the_start_and_the_end_of_each_warp() {
    // The second warp ends first: the first one's threads leave in two parts, the other part computes.
    let text = ".kernel k\n.registers 2\n.predicates 1\n mov.b32 r0, tid.x\n setp.gt.u32 p0, r0, 1\n\
        @p0 exit\n mul.i32 r1, r0, r0\n mul.i32 r1, r1, r0\n exit";
    let received = Received::default();
    run(&[("sm.schedulers", "2")], text, 8, |sm| {
        sm.lsu.replace_allocation(Box::new(RecordingAllocation(received.clone())));
    });
    let start = |warp| Event::WarpArrived {
        warp: WarpSlot(warp),
        scheduler: warp,
        age: 1 << 16 | u64::from(warp),
        registers: 2,
        now: 0,
    };
    let starts = [0, 1].map(|warp| format!("{:?}", start(warp)));
    let expected = [&starts[0], &starts[1], "1 ends", "0 ends"];
    assert_eq!(taken(&received), expected);
}

#[test]
fn the_use_of_issue_slots_is_known_at_any_time() {
    let mut runner = run(&[], ARITHMETIC, 4, |_| {});
    let cycles = runner.last() + 1;
    let room = runner.room(Some(cycles + 100));
    let SlotCounts { all, issued, memory, idle } = room.slots;
    assert_eq!((all, issued, memory), (cycles + 100, 4, 0));
    assert!(idle >= 100);
    assert_eq!(runner.room(Some(cycles + 100)), room);
    assert_eq!(runner.room(None).slots, SlotCounts::default());
    assert_eq!(runner.finish(cycles + 100).slots_idle, idle);
}
