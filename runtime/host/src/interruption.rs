//! How a run is asked from outside to stop: at its next safe point, with what it has measured until then.

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

    /// Whether it has been made.
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
