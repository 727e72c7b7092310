//! Work that may panic, hang or take all memory.

use std::sync::mpsc;
use std::time::Duration;

/// The longest time for work; in practice it is milliseconds.
const MOST_TIME: Duration = Duration::from_secs(20);
/// The most bytes of memory that all work of a process may have taken.
const MOST_MEMORY: u64 = 3 << 30;
/// The stack of the thread that a person's call has.
const STACK: usize = 8 << 20;

/// A problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It panicked, with this message.
    Panic(String),
    /// It took longer than it may.
    Time,
    /// The process has taken more memory than it may.
    Memory,
}

/// Does work in a thread of its own. Work that takes too long is left to itself.
///
/// # Errors
/// Fails with the problem.
pub fn watch(work: impl FnOnce() + Send + std::panic::UnwindSafe + 'static) -> Result<(), Problem> {
    let (tell, told) = mpsc::channel();
    let work = move || {
        let done = std::panic::catch_unwind(work);
        // No one listens any longer when it has taken too long.
        let _ = tell.send(done.map_err(|panic| match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => panic.downcast_ref::<&str>().unwrap_or(&"?").to_string(),
        }));
    };
    if std::thread::Builder::new().stack_size(STACK).spawn(work).is_err() {
        return Err(Problem::Memory);
    }
    match told.recv_timeout(MOST_TIME) {
        Ok(Ok(())) if peak_memory().is_some_and(|peak| peak > MOST_MEMORY) => Err(Problem::Memory),
        Ok(done) => done.map_err(Problem::Panic),
        Err(_) => Err(Problem::Time),
    }
}

/// The most memory that the process has had, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}
