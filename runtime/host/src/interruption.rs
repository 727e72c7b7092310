//! A request from outside to stop a run: at its next safe point, with its measurements so far.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request that may be made at any time, or none that ever will.
#[derive(Clone, Debug, Default)]
pub struct Interruption(Option<Arc<AtomicBool>>);

impl Interruption {
    /// A request that is made by setting a flag.
    pub fn by(flag: Arc<AtomicBool>) -> Interruption {
        Interruption(Some(flag))
    }

    /// Returns true if it was made.
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
