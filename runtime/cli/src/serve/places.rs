//! Places for connections.
//!
//! Any program and any web page can open connections to this computer, and needs no token to do so.
//! A connection is a *stranger* until one of its requests is admitted. A new stranger takes the
//! place of the oldest one when all are taken, so strangers never keep the page out. Admitted
//! connections have places of their own and wait for them.

use std::collections::VecDeque;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::AbortHandle;

/// Strangers at the same time.
const STRANGERS: usize = 64;
/// Admitted connections at the same time.
const ADMITTED: usize = 64;

/// The places of a server.
pub struct Places {
    strangers: Mutex<Strangers>,
    admitted: Arc<Semaphore>,
}

/// The strangers, oldest first.
#[derive(Default)]
struct Strangers {
    next: u64,
    waiting: VecDeque<(u64, AbortHandle)>,
}

/// A connection's place, which is free again when this is dropped.
pub struct Place {
    places: Arc<Places>,
    number: u64,
    admitted: OnceLock<OwnedSemaphorePermit>,
}

impl Places {
    /// Places that are all free.
    pub fn new() -> Arc<Places> {
        let admitted = Arc::new(Semaphore::new(ADMITTED));
        Arc::new(Places { strangers: Mutex::default(), admitted })
    }

    /// Starts a task for a connection, and ends that of the oldest stranger if there are too many.
    pub fn enter<F>(self: &Arc<Places>, connection: impl FnOnce(Place) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let number = {
            let mut strangers = self.strangers();
            strangers.next += 1;
            strangers.next
        };
        let place = Place { places: self.clone(), number, admitted: OnceLock::new() };
        let task = connection(place);
        let oldest = {
            let mut strangers = self.strangers();
            let is_full = strangers.waiting.len() >= STRANGERS;
            let oldest = if is_full { strangers.waiting.pop_front() } else { None };
            // The server has one thread: the task begins after this.
            strangers.waiting.push_back((number, tokio::spawn(task).abort_handle()));
            oldest
        };
        if let Some((_, task)) = oldest {
            task.abort();
        }
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// The connection has shown the token: it gets a place among those that have, when one is free.
    pub async fn admit(&self) {
        if self.admitted.get().is_some() {
            return;
        }
        self.leave();
        // The semaphore is never closed.
        if let Ok(permit) = self.places.admitted.clone().acquire_owned().await {
            let _ = self.admitted.set(permit);
        }
    }

    /// Leaves the strangers.
    fn leave(&self) {
        self.places.strangers().waiting.retain(|(number, _)| *number != self.number);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.leave();
    }
}
