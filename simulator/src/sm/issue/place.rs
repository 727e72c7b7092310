//! Candidates at their schedulers.

/// A candidate at its scheduler.
#[derive(Clone, Copy)]
pub(crate) struct QueuePlace {
    pub(crate) scheduler: usize,
    /// The candidate's index there.
    pub(crate) index: usize,
}
