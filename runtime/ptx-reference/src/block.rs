//! A launch: blocks one after another, their threads in turns.

use crate::code::{Operation, Program, Reduction};
use crate::memory::Memory;
use crate::thread::{Context, State, Step, Thread};
use crate::{Launch, Trap, TrapKind, collective};
use reconverge_ptx::barrier::CountedBarriers;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions that a thread executes before the next one may go on, so that a thread that
/// spins lets the one go on for which it waits.
const TURN: u32 = 1 << 14;
/// Threads that a report of a deadlock names.
const NAMED: usize = 8;

impl Program {
    /// Runs a kernel; gives the number of instructions that all threads have executed.
    ///
    /// # Errors
    /// The first fault, in the order of blocks and turns.
    pub fn launch<M: Memory>(&self, launch: &Launch, memory: &mut M) -> Result<u64, Trap> {
        let Some(kernel) = self.kernel(launch.kernel) else {
            let message = format!("there is no kernel `{}`", launch.kernel);
            let kind = TrapKind::Fault;
            return Err(Trap { kind, span: None, block: [0; 3], thread: None, message });
        };
        let dynamic = self.functions[kernel].shared.next_multiple_of(16);
        let mut context = Context {
            program: self,
            launch,
            memory,
            shared: Vec::new(),
            block: [0; 3],
            dynamic,
            counted: self.counted(kernel),
            owns_windows: true,
            executed: 0,
        };
        for z in 0..launch.grid[2] {
            for y in 0..launch.grid[1] {
                for x in 0..launch.grid[0] {
                    context.block = [x, y, z];
                    context.shared.clear();
                    context.shared.resize(dynamic as usize + launch.dynamic_shared as usize, 0);
                    Block::new(kernel, &context).run(&mut context)?;
                }
            }
        }
        Ok(context.executed)
    }
}

impl Program {
    /// The barriers that a kernel and the functions that it calls use with a count of threads.
    fn counted(&self, kernel: usize) -> CountedBarriers {
        let mut counted = CountedBarriers::default();
        let mut seen = BTreeSet::from([kernel]);
        let mut open = vec![kernel];
        while let Some(function) = open.pop().and_then(|at| self.functions.get(at)) {
            counted = counted.and(function.counted);
            for instruction in &function.code {
                if let Operation::Call { function, .. } = instruction.operation
                    && seen.insert(function)
                {
                    open.push(function);
                }
            }
        }
        counted
    }
}

/// Threads that have arrived at a barrier without waiting there.
#[derive(Clone, Debug, Default)]
struct Arrivals {
    threads: BTreeSet<u32>,
    count: Option<u32>,
}

struct Block {
    threads: Vec<Thread>,
    arrivals: BTreeMap<u32, Arrivals>,
}

impl Block {
    fn new<M>(kernel: usize, context: &Context<M>) -> Block {
        let [width, height, depth] = context.launch.block;
        let mut threads = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    let (program, launch) = (context.program, context.launch);
                    let number = threads.len() as u32;
                    let parameters = launch.parameters;
                    threads.push(Thread::new([x, y, z], number, kernel, program, parameters));
                }
            }
        }
        Block { threads, arrivals: BTreeMap::new() }
    }

    fn run<M: Memory>(&mut self, context: &mut Context<M>) -> Result<(), Trap> {
        loop {
            let mut has_moved = false;
            for at in 0..self.threads.len() {
                has_moved |= self.turn(at, context)?;
            }
            if self.threads.iter().all(Thread::is_done) {
                return Ok(());
            }
            let released = self.release_barriers() | self.release_warps(false);
            // Collectives without a mask gather whoever can be there.
            if !has_moved && !released && !self.release_warps(true) {
                return Err(self.deadlock(context));
            }
        }
    }

    /// Lets a thread go on; false if it could not.
    fn turn<M: Memory>(&mut self, at: usize, context: &mut Context<M>) -> Result<bool, Trap> {
        let thread = &mut self.threads[at];
        if !matches!(thread.state, State::Running) {
            return Ok(false);
        }
        for _ in 0..TURN {
            match thread.step(context)? {
                Step::Goes => {}
                Step::Stops => break,
                Step::Arrives { number, count } => {
                    let arrivals = self.arrivals.entry(number).or_default();
                    arrivals.threads.insert(thread.number);
                    arrivals.count = count;
                }
            }
            if context.executed >= context.launch.limit {
                let limit = context.launch.limit;
                let message = format!("the launch takes more than {limit} instructions");
                return Err(ended(thread, context, TrapKind::Limit, message));
            }
        }
        if (context.launch.is_interrupted)() {
            return Err(ended(thread, context, TrapKind::Interrupted, "interrupted".to_owned()));
        }
        Ok(true)
    }

    /// Opens barriers at which everyone is; false if there is none.
    fn release_barriers(&mut self) -> bool {
        let mut waiting: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for thread in &self.threads {
            if let State::Barrier { number, count, .. } = thread.state {
                waiting.insert(number, count);
            }
        }
        for (&number, arrivals) in &self.arrivals {
            waiting.entry(number).or_insert(arrivals.count);
        }
        let mut opened = false;
        for (number, count) in waiting {
            if self.is_complete(number, count) {
                self.open(number);
                opened = true;
            }
        }
        opened
    }

    /// True if all threads that a barrier waits for are there. A warp counts as 32 threads once
    /// each of its threads that has not ended is there.
    fn is_complete(&self, number: u32, count: Option<u32>) -> bool {
        let arrived = self.arrivals.get(&number);
        let is_here = |thread: &Thread| {
            let waits = matches!(thread.state, State::Barrier { number: at, .. } if at == number);
            waits || arrived.is_some_and(|it| it.threads.contains(&thread.number))
        };
        let mut counted = 0;
        let mut all = true;
        for threads in self.threads.chunks(32) {
            let is_whole = threads.iter().all(|it| it.is_done() || is_here(it));
            all &= is_whole;
            counted += if is_whole && threads.iter().any(is_here) { 32 } else { 0 };
        }
        match count {
            Some(count) => counted >= count,
            None => all,
        }
    }

    fn open(&mut self, number: u32) {
        self.arrivals.remove(&number);
        let here = |thread: &Thread| match &thread.state {
            State::Barrier { number: at, value, .. } if *at == number => Some(*value),
            _ => None,
        };
        let values: Vec<bool> =
            self.threads.iter().filter_map(here).flatten().map(|(_, value)| value).collect();
        let counted = values.iter().filter(|&&value| value).count() as u64;
        for thread in &mut self.threads {
            let State::Barrier { number: at, value, result, .. } = &thread.state else {
                continue;
            };
            if *at != number {
                continue;
            }
            let (result, kind) = (*result, value.map(|(kind, _)| kind));
            let joined = match kind {
                Some(Reduction::Count) => counted,
                Some(Reduction::And) => u64::from(counted == values.len() as u64),
                _ => u64::from(counted > 0),
            };
            thread.write(result, joined);
            thread.state = State::Running;
        }
    }

    /// Lets threads of warps meet that all wait for each other; false if there are none. With
    /// `unmasked` only collectives without a mask, among threads at one place.
    fn release_warps(&mut self, unmasked: bool) -> bool {
        let mut released = false;
        for warp in self.threads.chunks_mut(32) {
            for lane in 0..warp.len() {
                let members = match unmasked {
                    true => unmasked_members(warp, lane),
                    false => members(warp, lane),
                };
                if !members.is_empty() {
                    meet(warp, &members);
                    released = true;
                }
            }
        }
        released
    }

    fn deadlock<M>(&self, context: &Context<M>) -> Trap {
        let waiting: Vec<&Thread> = self.threads.iter().filter(|it| !it.is_done()).collect();
        let named = waiting.iter().take(NAMED).map(|it| {
            let [x, y, z] = it.index;
            let what = match it.state {
                State::Barrier { number, .. } => format!("barrier {number}"),
                _ => "other threads of its warp".to_owned(),
            };
            format!("({x},{y},{z}) for {what}")
        });
        let named: Vec<String> = named.collect();
        let more = if waiting.len() > NAMED { ", …" } else { "" };
        Trap {
            kind: TrapKind::Deadlock,
            span: waiting.first().and_then(|it| it.span(context.program)),
            block: context.block,
            thread: None,
            message: format!(
                "deadlock: {} of {} threads wait: {}{more}",
                waiting.len(),
                self.threads.len(),
                named.join(", ")
            ),
        }
    }
}

/// The end of a launch in a thread that did nothing wrong.
fn ended<M>(thread: &Thread, context: &Context<M>, kind: TrapKind, message: String) -> Trap {
    let (span, block) = (thread.span(context.program), context.block);
    Trap { kind, span, block, thread: Some(thread.index), message }
}

/// The lanes that meet at the collective at which `lane` waits with a mask; none if one is missing.
fn members(warp: &[Thread], lane: usize) -> Vec<usize> {
    let State::Warp { kind, mask: Some(mask), .. } = &warp[lane].state else {
        return Vec::new();
    };
    let living = |&at: &usize| mask >> at & 1 != 0 && !warp[at].is_done();
    let members: Vec<usize> = (0..warp.len()).filter(living).collect();
    let is_here = |&at: &usize| matches!(&warp[at].state, State::Warp { kind: k, mask: Some(m), .. } if k == kind && m == mask);
    if members.iter().all(is_here) { members } else { Vec::new() }
}

/// The lanes that wait without a mask where `lane` does.
fn unmasked_members(warp: &[Thread], lane: usize) -> Vec<usize> {
    let waits = |at: usize| matches!(warp[at].state, State::Warp { mask: None, .. });
    if !waits(lane) {
        return Vec::new();
    }
    let place = warp[lane].place();
    (0..warp.len()).filter(|&at| waits(at) && warp[at].place() == place).collect()
}

fn meet(warp: &mut [Thread], members: &[usize]) {
    let mut kind = None;
    let mut inputs = Vec::new();
    for &at in members {
        if let State::Warp { kind: own, values, .. } = &warp[at].state {
            kind = Some(*own);
            inputs.push((at as u32, values.clone()));
        }
    }
    let Some(kind) = kind else {
        return;
    };
    for (&at, found) in members.iter().zip(collective::results(kind, &inputs)) {
        if let State::Warp { results, .. } = warp[at].state.clone() {
            for (result, value) in results.into_iter().zip(found) {
                warp[at].write(result, value);
            }
        }
        warp[at].state = State::Running;
    }
}
