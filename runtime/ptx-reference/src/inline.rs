//! Inline PTX of CUDA: an `asm` statement in one thread of a kernel that another model executes.
//!
//! That model owns memory and performs collectives: [`Running::run`] stops where the text waits for other threads, returns
//! the operation ([`Meeting`]), and continues with its result.

use crate::code::{Operation, Program, Reduction, Wait, WarpKind};
use crate::thread::{Context, State, Step, Thread};
use crate::{Launch, Memory, Refusal};
use reconverge_ptx::barrier::CountedBarriers;
use reconverge_ptx::inline;
use reconverge_ptx::tree::Kind;

/// Instructions of a text after which the thread yields to others.
const TURN: u32 = 1 << 14;

/// The text of an `asm` statement.
#[derive(Debug)]
pub struct Inline {
    program: Program,
    /// The operands that are registers; true for those that the text writes.
    operands: Vec<bool>,
}

/// The thread that executes a text.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads per block along x, y and z.
    pub block: [u32; 3],
    /// The block's index.
    pub block_index: [u32; 3],
    /// The thread's index.
    pub thread_index: [u32; 3],
    /// Threads of a warp.
    pub warp: u32,
    /// Bytes of `.extern .shared` memory.
    pub dynamic_shared: u32,
    /// Bytes of other shared memory.
    pub static_shared: u32,
    /// The kernel's barriers with a count of threads.
    pub counted: CountedBarriers,
    /// `%clock`.
    pub clock: u64,
}

impl Place {
    /// The thread's number in its block: x is counted fastest.
    fn number(&self) -> u32 {
        let ([width, height, _], [x, y, z]) = (self.block, self.thread_index);
        (z * height + y) * width + x
    }
}

/// A text that a thread is executing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Running {
    thread: Thread,
    /// Threads per block.
    threads: u32,
    /// Its arrival at a barrier with a count, for which the lanes of its warp meet first.
    arrival: Option<Counted>,
}

/// An operation of several threads of a warp or block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// A barrier of the block.
    Barrier,
    /// A barrier whose result is the number of threads with a true value.
    BarrierCount(bool),
    /// A barrier whose result is true if all values are true.
    BarrierAnd(bool),
    /// A barrier whose result is true if any value is true.
    BarrierOr(bool),
    /// A barrier of the lanes of a mask.
    Warp(u32),
    /// The active lanes.
    Active,
    /// The lanes with a true value; of the mask, if there is one.
    Ballot(Option<u32>, bool),
    /// True if the values of all lanes are true.
    All(Option<u32>, bool),
    /// True if any lane's value is true.
    Any(Option<u32>, bool),
    /// True if all lanes of the mask have the same value.
    Same(u32, u64),
    /// The lanes of the mask that have the thread's value.
    Matching(u32, u64),
    /// The value of another lane.
    Value {
        /// The mask, if there is one.
        mask: Option<u32>,
        /// The thread's own value.
        value: u64,
        /// The lane.
        from: u32,
    },
    /// The values of the lanes of a mask, joined.
    Joined {
        /// The operation.
        how: Join,
        /// The values are signed.
        signed: bool,
        /// The mask.
        mask: u32,
        /// The thread's own value.
        value: u64,
    },
}

/// An operation that joins the values of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Sum.
    Add,
    /// The smallest.
    Least,
    /// The largest.
    Greatest,
}

/// The reason why a text has stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has ended.
    Done,
    /// The thread has ended.
    Exit,
    /// Other threads may run in between.
    Turn,
    /// It waits for other threads.
    Waits(Meeting),
    /// It is at a barrier with a count of threads.
    Counted(Counted),
}

/// An arrival at a barrier with a count of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The barrier.
    pub number: u32,
    /// Threads that open it: those of whole warps.
    pub count: u32,
    /// The thread's share of the count. Each warp counts as 32 threads: its first lane stands for those that have ended.
    pub share: u32,
    /// The thread's value, if the barrier has a result.
    pub value: bool,
    /// The thread waits for the opening; [`Running::opened`] follows.
    pub waits: bool,
}

impl Inline {
    /// Resolves a text.
    ///
    /// # Errors
    /// The first construct that has no meaning in this model.
    pub fn new(text: &inline::Inline) -> Result<Inline, Refusal> {
        let program = Program::new(&text.module, &|_| None)?;
        let operands = text.registers.iter().flatten().map(|register| register.written).collect();
        Ok(Inline { program, operands })
    }

    /// It has a barrier.
    pub fn has_barrier(&self) -> bool {
        let mut code = self.program.functions.iter().flat_map(|function| &function.code);
        code.any(|it| matches!(it.operation, Operation::Wait(Wait::Barrier { .. })))
    }

    /// A thread at the first instruction. `operands` are those in registers, `carry` is `CC.CF`.
    pub fn start(&self, place: &Place, operands: &[u64], carry: bool) -> Running {
        let mut thread = Thread::new(place.thread_index, place.number(), 0, &self.program, &[]);
        thread.warp = place.warp;
        thread.carry = carry;
        for (register, &value) in thread.registers().iter_mut().zip(operands) {
            *register = value;
        }
        Running { thread, threads: place.block.iter().product(), arrival: None }
    }
}

impl Running {
    /// Executes until the text ends or the thread waits.
    ///
    /// # Errors
    /// The fault, in one line without a full stop.
    pub fn run<M: Memory>(
        &mut self,
        text: &Inline,
        place: &Place,
        memory: &mut M,
    ) -> Result<Stop, String> {
        if let Some(arrival) = self.arrival.take() {
            return Ok(Stop::Counted(arrival));
        }
        let launch = Launch {
            kernel: "",
            grid: place.grid,
            block: place.block,
            dynamic_shared: place.dynamic_shared,
            parameters: &[],
            limit: u64::MAX,
            is_interrupted: &|| false,
        };
        let mut context = Context {
            program: &text.program,
            launch: &launch,
            memory,
            shared: Vec::new(),
            block: place.block_index,
            dynamic: place.static_shared.next_multiple_of(16),
            counted: place.counted,
            owns_windows: false,
            executed: place.clock,
        };
        for _ in 0..TURN {
            match self.thread.step(&mut context) {
                Ok(Step::Goes) => {}
                Ok(Step::Stops) => return self.stopped(text),
                Ok(Step::Arrives { number, count }) => {
                    return Ok(self.arrives(number, count.unwrap_or(0), None));
                }
                Err(trap) => return Err(trap.message),
            }
        }
        Ok(Stop::Turn)
    }

    /// The place of the next instruction in the text.
    pub fn place(&self) -> u32 {
        self.thread.place().1 as u32
    }

    /// The operands that the text writes, with their numbers among those that are registers; and `CC.CF`.
    pub fn results(&mut self, text: &Inline) -> (Vec<(usize, u64)>, bool) {
        let written = text.operands.iter().enumerate().filter(|(_, written)| **written);
        let registers = self.thread.registers();
        let values = written.map(|(at, _)| (at, registers.get(at).copied().unwrap_or(0)));
        let values = values.collect();
        (values, self.thread.carry)
    }

    /// An arrival at a barrier with a count; with a value if the thread waits.
    fn arrives(&mut self, number: u32, count: u32, value: Option<bool>) -> Stop {
        let count = count.checked_next_multiple_of(32).unwrap_or(u32::MAX);
        let waits = value.is_some();
        let value = value.unwrap_or(false);
        self.arrival = Some(Counted { number, count, share: 1, value, waits });
        Stop::Waits(Meeting::Ballot(Some(u32::MAX), true))
    }

    /// The thread's share of a barrier's count, with the lanes of its warp that have not ended.
    fn share(&self, here: u64) -> u32 {
        let (lane, warp) = (self.thread.lane(), self.thread.warp);
        let first = self.thread.number - lane;
        let counted = match first + warp >= self.threads {
            true => self.threads.next_multiple_of(32) - first,
            false => warp,
        };
        let is_first = here & ((1 << lane) - 1) == 0;
        1 + if is_first { counted.saturating_sub(here.count_ones()) } else { 0 }
    }

    fn stopped(&mut self, text: &Inline) -> Result<Stop, String> {
        match &self.thread.state {
            State::Running => Ok(Stop::Turn),
            State::Done => {
                let (function, next) = self.thread.place();
                let code = &text.program.functions[function].code;
                let last = code.get(next.saturating_sub(1)).map(|it| &it.operation);
                Ok(if matches!(last, Some(Operation::Exit)) { Stop::Exit } else { Stop::Done })
            }
            &State::Barrier { number, count: Some(count), value, .. } => {
                let value = value.is_some_and(|(_, value)| value);
                Ok(self.arrives(number, count, Some(value)))
            }
            State::Barrier { value, .. } => Ok(Stop::Waits(match *value {
                None => Meeting::Barrier,
                Some((Reduction::Count, value)) => Meeting::BarrierCount(value),
                Some((Reduction::And, value)) => Meeting::BarrierAnd(value),
                Some((_, value)) => Meeting::BarrierOr(value),
            })),
            State::Warp { kind, mask, values, .. } => {
                meeting(*kind, *mask, values, self.thread.lane()).map(Stop::Waits)
            }
        }
    }

    /// Continues after a barrier with a count of threads, to which `threads` threads brought `held` true values.
    pub fn opened(&mut self, held: u32, threads: u32) {
        let joined = match self.thread.state {
            State::Barrier { value: Some((Reduction::Count, _)), .. } => held.into(),
            State::Barrier { value: Some((Reduction::And, _)), .. } => u64::from(held == threads),
            _ => u64::from(held > 0),
        };
        self.answer(joined);
    }

    /// Continues with the result of a collective; before an arrival at a barrier with a count that is the lanes that meet.
    pub fn answer(&mut self, answer: u64) {
        if self.arrival.is_some() {
            let share = self.share(answer);
            self.arrival.iter_mut().for_each(|arrival| arrival.share = share);
            return;
        }
        let lane = self.thread.lane();
        match self.thread.state.clone() {
            State::Barrier { result, .. } => self.thread.write(result, answer),
            State::Warp { kind, mask, values, results } => {
                let found = match kind {
                    WarpKind::MatchAll => {
                        let all = if answer != 0 { u64::from(mask.unwrap_or(0)) } else { 0 };
                        [all, u64::from(answer != 0)]
                    }
                    WarpKind::VoteUniform => [u64::from(answer != 0), 0],
                    kind if is_shuffle(kind) => match source(kind, lane, &values) {
                        (_, true) => [answer, 1],
                        (_, false) => [values[0], 0],
                    },
                    _ => [answer, 0],
                };
                for (result, value) in results.into_iter().zip(found) {
                    self.thread.write(result, value);
                }
            }
            State::Running | State::Done => {}
        }
        self.thread.state = State::Running;
    }
}

fn is_shuffle(kind: WarpKind) -> bool {
    use WarpKind::{ShuffleButterfly, ShuffleDown, ShuffleIndex, ShuffleUp};
    matches!(kind, ShuffleButterfly | ShuffleDown | ShuffleIndex | ShuffleUp)
}

/// The lane that a shuffle reads, and true if it is in range.
fn source(kind: WarpKind, lane: u32, values: &[u64]) -> (u32, bool) {
    let (from, is_in_range) = crate::collective::source(kind, lane, values);
    (u32::try_from(from).unwrap_or(lane), is_in_range)
}

/// The collective of a warp's instruction.
fn meeting(
    kind: WarpKind,
    mask: Option<u32>,
    values: &[u64],
    lane: u32,
) -> Result<Meeting, String> {
    let value = values.first().copied().unwrap_or(0);
    let needed = || {
        mask.ok_or_else(|| {
            "this instruction needs `.sync` in `asm` under the reference model".to_owned()
        })
    };
    Ok(match kind {
        WarpKind::Barrier => Meeting::Warp(needed()?),
        WarpKind::Active => Meeting::Active,
        WarpKind::Elect => {
            return Err("`elect` has no meaning in `asm` under the reference model".to_owned());
        }
        WarpKind::VoteAll => Meeting::All(mask, value != 0),
        WarpKind::VoteAny => Meeting::Any(mask, value != 0),
        WarpKind::VoteUniform => Meeting::Same(needed()?, value),
        WarpKind::Ballot => Meeting::Ballot(mask, value != 0),
        WarpKind::MatchAny => Meeting::Matching(needed()?, value),
        WarpKind::MatchAll => Meeting::Same(needed()?, value),
        WarpKind::Reduce(reduction, of) => Meeting::Joined {
            how: match reduction {
                Reduction::And => Join::And,
                Reduction::Or => Join::Or,
                Reduction::Xor => Join::Xor,
                Reduction::Least => Join::Least,
                Reduction::Greatest => Join::Greatest,
                Reduction::Add | Reduction::Count => Join::Add,
            },
            signed: of.kind == Kind::Signed,
            mask: needed()?,
            value,
        },
        kind => {
            let (from, is_in_range) = source(kind, lane, values);
            Meeting::Value { mask, value, from: if is_in_range { from } else { lane } }
        }
    })
}
