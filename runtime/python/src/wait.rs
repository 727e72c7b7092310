//! Long work without the interpreter lock, which Ctrl-C stops.

use crate::mechanisms::{Launch, within};
use pyo3::prelude::*;
use reconverge::interruption::Interruption;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The longest time for which a Ctrl-C may go unnoticed.
const PAUSE: Duration = Duration::from_millis(50);

/// Asks some work to stop.
#[derive(Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// The request, for the work.
    pub fn interruption(&self) -> Interruption {
        Interruption::by(self.0.clone())
    }

    /// The flag that makes the request.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Asks it.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Does the work on a thread of its own, without the interpreter lock, and checks for signals
    /// meanwhile. If a signal's handler raises, as that of Ctrl-C does, the work is stopped, and
    /// the handler's exception is the error. With mechanisms in Python the work is a launch with
    /// them, and a method of one that is running is interrupted too.
    pub fn without_lock<T: Send>(
        &self,
        py: Python<'_>,
        launch: Option<&Arc<Launch>>,
        work: impl FnOnce() -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            std::thread::scope(|scope| {
                let (done, is_done) = channel::<()>();
                let worker = scope.spawn(move || {
                    // Dropped when the work ends, however it does.
                    let _done = done;
                    within(launch, work)
                });
                let mut raised = Ok(());
                while let Err(RecvTimeoutError::Timeout) = is_done.recv_timeout(PAUSE) {
                    if raised.is_ok() {
                        raised = Python::attach(|py| py.check_signals());
                        self.0.fetch_or(raised.is_err(), Ordering::Relaxed);
                    } else if let Some(launch) = launch {
                        // The handler's exception stays the error.
                        let _ = Python::attach(|py| launch.interrupt(py));
                    }
                }
                match worker.join() {
                    Ok(came) => raised.map(|()| came),
                    // A fault of ours: Python gets it as a `PanicException`.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            })
        })
    }
}
