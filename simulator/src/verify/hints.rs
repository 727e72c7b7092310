//! Checks of hints as the instructions that have them execute: an extension may give one for each of its hints.

use crate::block::path::Lanes;
use crate::execute::access::Access;
use crate::execute::lanes::lanes_of;
use crate::program::decoded::Decoded;
use crate::run::fault::TrapKind;
use reconverge_isa::{Effect, Hint, Hints, Space};
use std::fmt;
use std::sync::{PoisonError, RwLock};

/// Constructs the check of a hint for one thread block.
pub type BuildCheck = fn() -> Box<dyn CheckHint>;

/// A check of the claim that a hint makes. With `--verify-annotations` each thread block has one, which receives the block's
/// executions in the order in which they happen.
pub trait CheckHint: Send {
    /// Receives an execution of an instruction that has the hint, or that accesses memory.
    ///
    /// # Errors
    /// The claim is false: the run ends with the message and the thread.
    fn executed(&mut self, execution: &Execution) -> Result<(), FalseHint>;
}

/// The execution of an instruction by the threads of a path, at least one.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction.
    pub pc: u32,
    /// Its effect.
    pub effect: Effect,
    /// The window of its addresses, if it accesses memory; `Generic` if each address decides.
    pub space: Space,
    /// Its hints.
    pub hints: Hints,
    /// The threads that it acts in.
    pub threads: &'a [ExecutingThread],
}

/// A thread that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutingThread {
    /// Its number in the block.
    pub thread: u16,
    /// The generic address that it accesses, of an instruction that accesses memory.
    pub address: Option<u32>,
}

/// The claim of a hint that is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalseHint {
    /// The thread, one of [`Execution::threads`].
    pub thread: u16,
    /// A sentence about the fault.
    pub message: String,
}

static CHECKS: RwLock<Vec<(&'static str, BuildCheck)>> = RwLock::new(Vec::new());

/// Adds the check of a declared hint.
pub(crate) fn add(hint: &'static str, build: BuildCheck) {
    CHECKS.write().unwrap_or_else(PoisonError::into_inner).push((hint, build));
}

/// The checks of a block.
#[derive(Default)]
pub(crate) struct HintChecks {
    /// By hint.
    checks: Vec<(&'static str, Box<dyn CheckHint>)>,
    threads: Vec<ExecutingThread>,
}

impl fmt::Debug for HintChecks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_list().entries(self.checks.iter().map(|(hint, _)| hint)).finish()
    }
}

impl HintChecks {
    /// Begins again, for a block that starts.
    pub(crate) fn reset(&mut self, verify: bool) {
        self.checks.clear();
        if verify {
            let known = CHECKS.read().unwrap_or_else(PoisonError::into_inner);
            self.checks.extend(known.iter().map(|(hint, build)| (*hint, build())));
        }
    }

    /// Checks an execution in the lanes of `mask`. Returns the fault of a hint, with its lane.
    pub(crate) fn execute(
        &mut self,
        instruction: &Decoded,
        pc: u32,
        lanes: &Lanes,
        width: usize,
        mask: u64,
        access: Option<&Access>,
    ) -> Option<(usize, TrapKind)> {
        if self.checks.is_empty() || mask == 0 {
            return None;
        }
        let of_lane = |lane| ExecutingThread {
            thread: lanes.thread(lane, width).map_or(0, |thread| thread.0),
            address: access.map(|access| access.addresses[lane]),
        };
        self.threads.clear();
        self.threads.extend(lanes_of(mask).map(of_lane));
        let Decoded { effect, space, hints, .. } = *instruction;
        let execution = Execution { pc, effect, space, hints, threads: &self.threads };
        let has = |hint: &str| hints.iter().any(|(other, _): (&Hint, i32)| other.name == hint);
        for (hint, check) in &mut self.checks {
            if access.is_none() && !has(hint) {
                continue;
            }
            if let Err(FalseHint { thread, message }) = check.executed(&execution) {
                let place = self.threads.iter().position(|it| it.thread == thread);
                let lane = lanes_of(mask).nth(place.unwrap_or(0)).unwrap_or(0);
                return Some((lane, TrapKind::FalseHint { hint, message }));
            }
        }
        None
    }
}
