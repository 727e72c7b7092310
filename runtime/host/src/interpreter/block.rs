//! One block under the reference model: its threads take turns, in the order of their numbers.
//!
//! A thread runs until it returns, waits for others or has used up its turn. Turns exist so that
//! a thread that spins until another one writes something does not keep that one from writing.

use super::bytecode::Code;
use super::collective::{self, Collective, Member};
use super::counted_barrier::Barriers;
use super::deadlock::Watch;
use super::device_memory::DeviceEnvironment;
use super::environment::Interrupt;
use super::reconvergence::Regions;
use super::vm::{self, Registers, Stop, Thread};
use crate::device::LaunchRequest;
use crate::interruption::Interruption;
use crate::memory::LOCAL_BASE;
use crate::report::{Failure, INTERRUPTED, Report, triple};
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::wording::counted;
use std::collections::BTreeMap;

/// Operations of a turn.
const TURN: i64 = 1 << 16;
/// The cost of starting a thread, in operations.
const START_COST: i64 = 16;
/// Places of waiting threads that a report names.
const PLACES: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Running,
    Waiting(Collective),
    /// At the reconvergence point of its innermost region.
    Reconverging,
    Finished,
}

/// Lanes that wait for each other, with their call.
type Group = (Builtin, Vec<Member>);

/// The lanes of groups at several places, by call and mask; those without a mask are left out.
fn groups_by_mask(groups: &BTreeMap<Vec<u32>, Group>) -> Vec<Group> {
    let mut found: BTreeMap<(Builtin, u64), Vec<Member>> = BTreeMap::new();
    for (builtin, members) in groups.values() {
        for member in members.iter().filter(|_| collective::has_mask(*builtin)) {
            found.entry((*builtin, member.arguments[0])).or_default().push(*member);
        }
    }
    found.into_iter().map(|((builtin, _), members)| (builtin, members)).collect()
}

impl State {
    /// The call that it waits in, if that is a barrier or, without `barrier`, a call of the warp.
    fn collective(self, barrier: bool) -> Option<Collective> {
        match self {
            State::Waiting(call) if collective::is_barrier(call.builtin) == barrier => Some(call),
            _ => None,
        }
    }

    fn can_go_on(self) -> bool {
        matches!(self, State::New | State::Running)
    }
}

#[derive(Clone, Debug)]
struct Lane {
    state: State,
    thread: Thread,
    local: Vec<u8>,
}

impl Lane {
    /// Returns true if it waits at the reconvergence point of the innermost of these regions.
    fn waits_for(&self, regions: &Regions) -> bool {
        self.state == State::Reconverging && self.thread.regions().are_directly_inside(regions)
    }

    /// Returns true if this lane does not keep others waiting at the reconvergence point of the
    /// innermost of these regions: it waits there too, has ended, or is outside. One that runs
    /// further outside may still arrive at the branch.
    fn lets_pass(&self, regions: &Regions) -> bool {
        let own = self.thread.regions();
        match self.state {
            State::Finished => true,
            _ if own.are_inside(regions) => self.waits_for(regions),
            state => !state.can_go_on() || !own.may_enter(regions),
        }
    }
}

/// The common properties of all threads of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Kernel<'a> {
    /// The code.
    pub code: &'a Code,
    /// The launch.
    pub request: &'a LaunchRequest,
    /// Initial slots of the parameters.
    pub slots: &'a [u64],
    /// Initial local memory: structures among the parameters.
    pub local: &'a [u8],
    /// Operations that the launch may take.
    pub limit: i64,
    /// Asks it to stop.
    pub interruption: &'a Interruption,
}

/// The threads of a block; reused for one block after the other.
#[derive(Debug)]
pub struct Block<'a> {
    kernel: Kernel<'a>,
    index: [u32; 3],
    lanes: Vec<Lane>,
    registers: Registers,
    watch: Watch,
}

impl<'a> Block<'a> {
    /// Threads for a launch.
    pub fn new(kernel: Kernel<'a>) -> Self {
        let [x, y, z] = kernel.request.block;
        let threads = (x as usize).saturating_mul(y as usize).saturating_mul(z as usize);
        let lane = Lane { state: State::New, thread: Thread::default(), local: Vec::new() };
        Block {
            kernel,
            index: [0; 3],
            lanes: vec![lane; threads],
            registers: Registers::new(1 << 16),
            watch: Watch::default(),
        }
    }

    /// Runs the block with this index to its end. `left` are the operations still allowed.
    pub fn run(
        &mut self,
        index: [u32; 3],
        env: &mut DeviceEnvironment<'_>,
        left: &mut i64,
    ) -> Result<(), Failure> {
        self.index = index;
        env.shared.fill(0);
        env.barriers = Barriers::default();
        for (special, value) in env.specials[3..6].iter_mut().zip(index) {
            *special = value as u64;
        }
        for lane in &mut self.lanes {
            lane.state = State::New;
        }
        self.watch.reset();
        while self.round(env, left)? {}
        Ok(())
    }

    /// Gives every thread that can run a turn; false when all have returned.
    fn round(&mut self, env: &mut DeviceEnvironment<'_>, left: &mut i64) -> Result<bool, Failure> {
        env.changed = false;
        let mut progress = false;
        for number in 0..self.lanes.len() {
            if self.lanes[number].state.can_go_on() {
                progress |= self.turn(number, env, left)?;
            }
        }
        if self.lanes.iter().all(|lane| lane.state == State::Finished) {
            return Ok(false);
        }
        let warp = (env.specials[12] as usize).max(1);
        progress |= self.warps_reconverge(warp);
        progress |= self.warps_meet(warp)?;
        progress |= self.block_meets();
        if progress || env.changed {
            self.watch.reset();
            return Ok(true);
        }
        let running = self.lanes.iter().map(|lane| {
            (lane.state == State::Running).then_some((&lane.thread, lane.local.as_slice()))
        });
        if self.watch.quiet_round(running) {
            return Err(Failure::Deadlock(self.deadlock()));
        }
        Ok(true)
    }

    /// Lets threads continue that wait at a reconvergence point at which all that diverged with
    /// them have arrived.
    fn warps_reconverge(&mut self, warp: usize) -> bool {
        let mut progress = false;
        for lanes in self.lanes.chunks_mut(warp) {
            let waits = |lane: &&Lane| lane.state == State::Reconverging;
            let mut regions: Vec<_> =
                lanes.iter().filter(waits).map(|lane| lane.thread.regions().clone()).collect();
            regions.dedup();
            for inside in regions {
                if !lanes.iter().all(|lane| lane.lets_pass(&inside)) {
                    continue;
                }
                let here = lanes.iter_mut().filter(|lane| lane.waits_for(&inside));
                for lane in here {
                    lane.thread.reconverge();
                    lane.state = State::Running;
                    progress = true;
                }
            }
        }
        progress
    }

    /// Lets a group of lanes continue in each warp of which no lane can continue alone.
    fn warps_meet(&mut self, warp: usize) -> Result<bool, Failure> {
        let mut progress = false;
        for first in (0..self.lanes.len()).step_by(warp) {
            let lanes = &self.lanes[first..(first + warp).min(self.lanes.len())];
            if !lanes.iter().any(|lane| lane.state.can_go_on()) {
                progress |= self.warp_meets(first, warp)?;
            }
        }
        Ok(progress)
    }

    /// Lets one group of lanes of a warp continue; `first` is its first thread. The first choice is
    /// the first group at one place whose masks make it complete. The next are lanes at several
    /// places that make the same call with the same mask, which is complete then. The last is the
    /// group at the earliest place without masks.
    fn warp_meets(&mut self, first: usize, warp: usize) -> Result<bool, Failure> {
        let lanes = &self.lanes[first..(first + warp).min(self.lanes.len())];
        let mut groups: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
        for (number, lane) in lanes.iter().enumerate() {
            if let Some(call) = lane.state.collective(false) {
                let group = groups.entry(lane.thread.place());
                let (_, members) = group.or_insert((call.builtin, Vec::new()));
                members.push(Member { lane: number, arguments: lane.thread.arguments(call) });
            }
        }
        let alive = lanes.iter().enumerate().filter(|(_, lane)| lane.state != State::Finished);
        let alive = alive.fold(0, |alive, (number, _)| alive | 1u64 << number.min(63));
        let check = |(builtin, group): &Group| collective::check(*builtin, warp, group, alive);
        let mut by_mask = groups.values().filter(|(builtin, _)| collective::has_mask(*builtin));
        let complete = by_mask.find(|group| check(group).is_ok());
        let elsewhere = if complete.is_none() { groups_by_mask(&groups) } else { Vec::new() };
        let complete = complete.or_else(|| elsewhere.iter().find(|group| check(group).is_ok()));
        let mut others = groups.values().filter(|(builtin, _)| !collective::has_mask(*builtin));
        let Some(group) = complete.or_else(|| others.next()).or(groups.values().next()) else {
            return Ok(false);
        };
        if let Err(apart) = check(group) {
            let number = first + apart.lane;
            let mut report = self.report(apart.message, number);
            report.span = self.kernel.code.span(self.lanes[number].thread.pc().saturating_sub(1));
            report.thread = Some(self.coordinates(number));
            return Err(Failure::Trap(report));
        }
        let results = collective::results(group.0, warp, &group.1);
        for (member, result) in group.1.iter().zip(results) {
            self.go_on(first + member.lane, result);
        }
        Ok(true)
    }

    /// Opens the barrier when all threads that have not returned wait at it, or for one that does: at a
    /// reconvergence point.
    fn block_meets(&mut self) -> bool {
        let calls = self.lanes.iter().map(|lane| lane.state.collective(true));
        let waiting: Vec<(usize, Collective)> =
            calls.enumerate().filter_map(|(number, call)| Some((number, call?))).collect();
        let others = [State::Finished, State::Reconverging];
        let others = self.lanes.iter().filter(|lane| others.contains(&lane.state)).count();
        if waiting.is_empty() || waiting.len() + others < self.lanes.len() {
            return false;
        }
        let votes = waiting.iter().filter(|(_, call)| call.builtin != Builtin::SyncThreads);
        let member = |&(lane, call): &(usize, Collective)| Member {
            lane,
            arguments: self.lanes[lane].thread.arguments(call),
        };
        let votes: Vec<Member> = votes.map(member).collect();
        for (number, call) in waiting {
            let result = match call.builtin {
                Builtin::SyncThreads => 0,
                builtin => collective::vote(builtin, &votes),
            };
            self.go_on(number, result);
        }
        true
    }

    fn go_on(&mut self, number: usize, result: u64) {
        let lane = &mut self.lanes[number];
        if let State::Waiting(call) = lane.state {
            lane.thread.answer(call, result);
            lane.state = State::Running;
        }
    }

    /// Runs one thread; true when it returned or waits for others.
    fn turn(
        &mut self,
        number: usize,
        env: &mut DeviceEnvironment<'_>,
        left: &mut i64,
    ) -> Result<bool, Failure> {
        if self.kernel.interruption.is_requested() {
            return Err(Failure::Interrupted(self.report(INTERRUPTED.to_owned(), number)));
        }
        let coordinates = self.coordinates(number);
        for (special, value) in env.specials.iter_mut().zip(coordinates) {
            *special = value as u64;
        }
        let lane = &mut self.lanes[number];
        std::mem::swap(&mut env.local, &mut lane.local);
        let mut budget = TURN.min(*left);
        let given = budget;
        env.turn = ((self.kernel.limit - *left).max(0) as u64, given);
        if lane.state == State::New {
            budget -= START_COST;
            start(&self.kernel, &mut lane.thread, &mut self.registers, env);
        } else {
            lane.thread.restore(&mut self.registers);
        }
        let code = self.kernel.code;
        let stop = vm::run(code, &mut self.registers, &mut lane.thread, env, &mut budget);
        *left -= given - budget;
        std::mem::swap(&mut env.local, &mut lane.local);
        match stop {
            Stop::Finished(_) => {
                lane.state = State::Finished;
                return Ok(true);
            }
            Stop::Wait(call) => lane.state = State::Waiting(call),
            Stop::Reconverge => lane.state = State::Reconverging,
            Stop::Budget => lane.state = State::Running,
            Stop::Interrupt(interrupt) => return Err(self.interrupted(interrupt, coordinates)),
        }
        lane.thread.save(code, &self.registers);
        if *left <= 0 {
            return Err(Failure::Limit(self.limit(number)));
        }
        Ok(lane.state != State::Running)
    }

    /// `threadIdx` of a thread.
    fn coordinates(&self, number: usize) -> [u32; 3] {
        let [x, y, _] = self.kernel.request.block.map(|extent| extent.max(1) as usize);
        [number % x, number / x % y, number / x / y].map(|value| value as u32)
    }

    fn interrupted(&self, interrupt: Interrupt, thread: [u32; 3]) -> Failure {
        let mut failure = match interrupt {
            Interrupt::Failure(failure) => failure,
            Interrupt::Exit(_) | Interrupt::Abort(_) => {
                Failure::Trap(Report::new("kernels cannot end the program"))
            }
        };
        let report = failure.report_mut();
        report.kernel = Some(self.kernel.request.name.clone());
        report.block = Some(self.index);
        report.thread = Some(thread);
        failure
    }

    fn report(&self, message: String, number: usize) -> Report {
        let pc = self.lanes[number].thread.pc();
        let mut report = Report::new(message);
        report.span = self.kernel.code.span(pc);
        report.function = self.kernel.code.function_at(pc).map(|f| f.name.clone());
        report.kernel = Some(self.kernel.request.name.clone());
        report.block = Some(self.index);
        report
    }

    fn limit(&self, number: usize) -> Report {
        let limit = self.kernel.limit;
        let message = format!("the kernel did not end within {limit} operations");
        let mut report = self.report(message, number);
        report.thread = Some(self.coordinates(number));
        report.with_help("raise --max-cycles, or look for a loop that does not end")
    }

    /// The report on the waiting threads and their places.
    fn deadlock(&self) -> Report {
        let running = self.lanes.iter().position(|lane| lane.state == State::Running);
        let index = triple(self.index);
        let message = format!("deadlock: no thread of block {index} can make progress");
        let mut report = self.report(message, running.unwrap_or(0));
        for ((call, pc), threads) in self.places().into_iter().take(PLACES) {
            let Some(span) = self.kernel.code.span(pc) else {
                continue;
            };
            let first = triple(self.coordinates(threads[0]));
            let count = counted(threads.len() as u64, "thread");
            let text = match call {
                Some(true) => format!("{count} at this barrier, the first is {first}"),
                Some(false) => format!("{count} waiting for their warp, the first is {first}"),
                None => format!("{count} spinning here, the first is {first}"),
            };
            report.labels.push((span, text));
        }
        let [width, height, depth] = self.kernel.request.grid.map(u64::from);
        let [x, y, z] = self.index.map(u64::from);
        let unstarted = width * height * depth - ((z * height + y) * width + x) - 1;
        if unstarted == 0 {
            return report.with_help("a thread waits for a write that no running thread makes");
        }
        let have = if unstarted == 1 { "has" } else { "have" };
        report.notes.push(format!(
            "{} {have} not started: under `--model reference` blocks run one after another",
            counted(unstarted, "block")
        ));
        report.with_help(
            "if the block waits for a later one, use `--model timing`, which runs blocks side by side",
        )
    }

    /// Threads by their wait and place: true at a barrier, false for their warp, `None` for no
    /// wait.
    fn places(&self) -> BTreeMap<(Option<bool>, u32), Vec<usize>> {
        let mut places: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (number, lane) in self.lanes.iter().enumerate() {
            let pc = lane.thread.pc();
            match lane.state {
                // It continues after the barrier.
                State::Waiting(call) => {
                    let barrier = collective::is_barrier(call.builtin);
                    places.entry((Some(barrier), pc.saturating_sub(1))).or_default()
                }
                State::Running => places.entry((None, pc)).or_default(),
                State::New | State::Finished | State::Reconverging => continue,
            }
            .push(number);
        }
        places
    }
}

fn start(
    kernel: &Kernel<'_>,
    thread: &mut Thread,
    registers: &mut Registers,
    env: &mut DeviceEnvironment<'_>,
) {
    env.local.clear();
    env.local.extend_from_slice(kernel.local);
    let stack = LOCAL_BASE + kernel.local.len() as u32;
    let function = kernel.request.kernel.0 as usize;
    thread.start(kernel.code, function, kernel.slots, stack, registers, env);
}
