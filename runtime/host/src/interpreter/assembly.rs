//! Inline PTX: executes an `asm` statement by the reference model of PTX, in one thread of a kernel.

use super::assembly_text::Site;
use super::collective::MOST_ARGUMENTS;
use super::counted_barrier::Arrival;
use super::environment::Environment;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_ptx_reference::inline::{Counted, Join, Meeting, Place, Running, Stop};
use reconverge_ptx_reference::{Memory, Print};

/// The continuation of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The next statement.
    Done,
    /// None: the thread has ended.
    Exit,
    /// The statement itself, after other threads had their turn.
    Again,
    /// The statement itself, after the built-in's result.
    Waits(Builtin),
}

/// The reason why a statement fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssemblyFault {
    /// An access failed: its address, its size, and whether it writes.
    Access(u32, u64, bool),
    /// Another fault, in one line.
    Other(String),
}

/// The part of a thread's state that belongs to `asm` statements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InStatement {
    /// The statement in progress.
    running: Option<Box<Running>>,
    /// It waits for an answer.
    awaits: bool,
    /// The barrier with a count of threads at which it waits, and the number of the opening.
    opening: Option<(u32, u64)>,
    /// `CC.CF`, which one statement passes to the next.
    carry: bool,
}

impl InStatement {
    /// The next instruction of the statement in progress.
    pub fn place(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.place())
    }

    /// Executes a statement until it ends or waits. `w` are its slots.
    ///
    /// # Errors
    /// The fault.
    pub fn step<E: Environment>(
        &mut self,
        site: &Site,
        w: &mut [u64],
        env: &mut E,
        left: i64,
    ) -> Result<Step, AssemblyFault> {
        if !env.is_device() {
            let message = "`asm` is executed on the host; PTX exists in device code only";
            return Err(AssemblyFault::Other(message.to_owned()));
        }
        let text = site.text.as_ref().map_err(|message| AssemblyFault::Other(message.clone()))?;
        let place = place(env, left);
        let mut running = match self.running.take() {
            Some(mut running) => {
                // A thread that only gave up its turn has no answer.
                if self.awaits {
                    running.answer(w[0]);
                    self.awaits = false;
                }
                if let Some((number, opening)) = self.opening {
                    let Some(opened) = env.opened(number, opening) else {
                        self.running = Some(running);
                        return Ok(Step::Again);
                    };
                    self.opening = None;
                    running.opened(opened.held, opened.threads);
                }
                running
            }
            None => Box::new(text.start(&place, &w[MOST_ARGUMENTS..], self.carry)),
        };
        let mut memory = Accesses { env, failed: None };
        let stop = running.run(text, &place, &mut memory);
        let failed = memory.failed;
        let stop = stop.map_err(|message| match failed {
            Some((address, size, write)) => AssemblyFault::Access(address, size, write),
            None => AssemblyFault::Other(message),
        })?;
        Ok(match stop {
            Stop::Done => {
                let (values, carry) = running.results(text);
                for (operand, value) in values {
                    w[MOST_ARGUMENTS + operand] = value;
                }
                self.carry = carry;
                Step::Done
            }
            Stop::Exit => Step::Exit,
            Stop::Turn => {
                self.running = Some(running);
                Step::Again
            }
            Stop::Counted(Counted { number, count, share, value, waits }) => {
                let opening = env.arrive(Arrival { number, count, share, value, waits });
                self.opening = waits.then_some((number, opening));
                self.running = Some(running);
                Step::Again
            }
            Stop::Waits(meeting) => {
                let (builtin, arguments) = call(meeting);
                w[..MOST_ARGUMENTS].copy_from_slice(&arguments);
                self.running = Some(running);
                self.awaits = true;
                Step::Waits(builtin)
            }
        })
    }
}

/// The thread's place, from the environment.
fn place<E: Environment>(env: &mut E, left: i64) -> Place {
    let three = |env: &E, first: u32| [0, 1, 2].map(|axis| env.special(first + axis) as u32);
    Place {
        thread_index: three(env, 0),
        block_index: three(env, 3),
        block: three(env, 6),
        grid: three(env, 9),
        warp: (env.special(12) as u32).max(1),
        dynamic_shared: env.dynamic_shared(),
        static_shared: env.static_shared(),
        counted: env.counted_barriers(),
        clock: env.time(left),
    }
}

/// The built-in that a text waits for, and its arguments.
fn call(meeting: Meeting) -> (Builtin, [u64; MOST_ARGUMENTS]) {
    use Builtin as B;
    let of = |builtin, arguments: &[u64]| {
        let mut all = [0; MOST_ARGUMENTS];
        all[..arguments.len()].copy_from_slice(arguments);
        (builtin, all)
    };
    // A mask is the first argument.
    let masked = |mask: Option<u32>, with: Builtin, without: Builtin, value: bool| match mask {
        Some(mask) => of(with, &[mask.into(), value.into()]),
        None => of(without, &[value.into()]),
    };
    match meeting {
        Meeting::Barrier => of(B::SyncThreads, &[]),
        Meeting::BarrierCount(value) => of(B::SyncThreadsCount, &[value.into()]),
        Meeting::BarrierAnd(value) => of(B::SyncThreadsAnd, &[value.into()]),
        Meeting::BarrierOr(value) => of(B::SyncThreadsOr, &[value.into()]),
        Meeting::Warp(mask) => of(B::SyncWarp, &[mask.into()]),
        Meeting::Active => of(B::ActiveMask, &[]),
        Meeting::Ballot(mask, value) => masked(mask, B::BallotSync, B::Ballot, value),
        Meeting::All(mask, value) => masked(mask, B::AllSync, B::All, value),
        Meeting::Any(mask, value) => masked(mask, B::AnySync, B::Any, value),
        Meeting::Same(mask, value) => of(B::MatchAll, &[mask.into(), value]),
        Meeting::Matching(mask, value) => of(B::MatchAny, &[mask.into(), value]),
        Meeting::Value { mask: Some(mask), value, from } => {
            of(B::ShflSync, &[mask.into(), value, from.into(), 0])
        }
        Meeting::Value { mask: None, value, from } => of(B::Shfl, &[value, from.into(), 0]),
        Meeting::Joined { how, signed, mask, value } => {
            let builtin = match (how, signed) {
                (Join::And, _) => B::ReduceAnd,
                (Join::Or, _) => B::ReduceOr,
                (Join::Xor, _) => B::ReduceXor,
                (Join::Add, false) => B::ReduceAddU,
                (Join::Add, true) => B::ReduceAddI,
                (Join::Least, false) => B::ReduceMinU,
                (Join::Least, true) => B::ReduceMinI,
                (Join::Greatest, false) => B::ReduceMaxU,
                (Join::Greatest, true) => B::ReduceMaxI,
            };
            // Signed values are kept sign-extended.
            let value = if signed { value as i32 as u64 } else { value };
            of(builtin, &[mask.into(), value])
        }
    }
}

/// All memory of a thread.
struct Accesses<'a, E> {
    env: &'a mut E,
    failed: Option<(u32, u64, bool)>,
}

impl<E: Environment> Accesses<'_, E> {
    fn fails<T>(&mut self, address: u32, size: usize, write: bool) -> Result<T, String> {
        self.failed = Some((address, size as u64, write));
        Err(String::new())
    }

    fn store_one<const N: usize>(&mut self, address: u32, bytes: &[u8]) -> Result<(), String> {
        let stored = bytes.try_into().ok().and_then(|bytes| self.env.store::<N>(address, bytes));
        match stored {
            Some(()) => Ok(()),
            None => self.fails(address, N, true),
        }
    }

    fn load_one<const N: usize>(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), String> {
        match self.env.load::<N>(address) {
            Some(found) => {
                bytes.copy_from_slice(&found);
                Ok(())
            }
            None => self.fails(address, N, false),
        }
    }
}

impl<E: Environment> Memory for Accesses<'_, E> {
    fn load(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), String> {
        match bytes.len() {
            1 => self.load_one::<1>(address, bytes),
            2 => self.load_one::<2>(address, bytes),
            4 => self.load_one::<4>(address, bytes),
            _ => self.load_one::<8>(address, bytes),
        }
    }

    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), String> {
        let each = bytes.len().min(8);
        for (at, bytes) in (address..).step_by(each.max(1)).zip(bytes.chunks(each.max(1))) {
            match bytes.len() {
                1 => self.store_one::<1>(at, bytes)?,
                2 => self.store_one::<2>(at, bytes)?,
                4 => self.store_one::<4>(at, bytes)?,
                _ => self.store_one::<8>(at, bytes)?,
            }
        }
        Ok(())
    }

    fn print(&mut self, _: u64, _: u32, _: Print) -> Result<(), String> {
        Err("`asm` calls no functions".to_owned())
    }
}
