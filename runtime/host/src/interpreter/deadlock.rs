//! Certainty that a block will never continue.
//!
//! A thread is deterministic as long as memory does not change. So if a thread returns to an
//! earlier state while nothing changes, it will do so again and again. If all running threads do,
//! nothing will ever change. States to compare with are kept after 1, 2, 4, 8, … rounds, which
//! finds a cycle of any length (Brent's method).

use super::vm::Thread;

/// A thread's complete state: registers, callers, local memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    thread: Thread,
    local: Vec<u8>,
}

/// Watches the threads of a block while nothing changes.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    rounds: u64,
    states: Vec<Option<State>>,
    recurred: Vec<bool>,
}

impl Watch {
    /// Something changed: restart the search.
    pub fn reset(&mut self) {
        self.rounds = 0;
    }

    /// Notes a round without a change. `running` has an entry for every thread of the block, of
    /// those that can run with their state. True when all of these are in a cycle.
    pub fn quiet_round<'a>(
        &mut self,
        running: impl Iterator<Item = Option<(&'a Thread, &'a [u8])>>,
    ) -> bool {
        self.rounds += 1;
        if self.rounds.is_power_of_two() {
            self.states = running
                .map(|state| {
                    state.map(|(thread, local)| State {
                        thread: thread.clone(),
                        local: local.to_vec(),
                    })
                })
                .collect();
            self.recurred = self.states.iter().map(Option::is_none).collect();
            return false;
        }
        for ((state, kept), recurred) in running.zip(&self.states).zip(&mut self.recurred) {
            if let (Some((thread, local)), Some(kept)) = (state, kept) {
                *recurred |= *thread == kept.thread && *local == kept.local[..];
            }
        }
        self.recurred.iter().all(|&recurred| recurred)
    }
}
