//! Progress on a terminal: one line that names the work in progress. It appears after a moment,
//! moves during any work, as a thread of its own draws it, and is gone before anything else is
//! written.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use reconverge::host::sandbox::WAITS_FOR_INPUT;
use reconverge::numbers::grouped;
use reconverge_simulator::Progress;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work that takes no longer is not shown.
const DELAY: Duration = Duration::from_millis(400);

/// From one drawing to the next.
const TICK: Duration = Duration::from_millis(100);

/// The line; it goes away when this is dropped.
pub struct ProgressLine(Option<(Arc<Shared>, Option<JoinHandle<()>>)>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    has_ended: Condvar,
}

#[derive(Default)]
struct State {
    /// The current task; without one nothing is shown.
    doing: Option<Doing>,
    /// Since when, or since the last output.
    since: Option<Instant>,
    /// The text on the screen.
    shown: Option<ProgressBar>,
    /// The cursor is not at the start of a line, which must not be drawn over.
    is_mid_line: bool,
    ends: bool,
}

#[derive(Clone)]
enum Doing {
    /// Something of unknown length.
    Work(String),
    /// A label, the steps done, and all steps.
    Steps(&'static str, u64, u64),
    /// A kernel, and how far it is.
    Kernel(String, Progress),
}

impl ProgressLine {
    /// A line, if one is wanted; it shows nothing yet.
    pub fn new(is_wanted: bool) -> ProgressLine {
        if !is_wanted {
            return ProgressLine(None);
        }
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().spawn(move || of_thread.draw());
        // Without a thread there is no progress, but all else.
        ProgressLine(thread.ok().map(|thread| (shared, Some(thread))))
    }

    /// Something of unknown length has begun.
    pub fn work(&self, what: String) {
        self.begin(|| Doing::Work(what));
    }

    /// So many of all are done.
    pub fn steps(&self, what: &'static str, done: u64, all: u64) {
        self.begin(|| Doing::Steps(what, done, all));
    }

    /// Shows the progress of a kernel; after one that has ended there is `after` to do.
    pub fn kernel(&self, name: &str, now: &Progress, after: &str) {
        self.begin(|| match now.blocks_done < now.blocks {
            true => Doing::Kernel(name.to_owned(), *now),
            false => Doing::Work(after.to_owned()),
        });
    }

    fn begin(&self, doing: impl FnOnce() -> Doing) {
        if let Some((shared, _)) = &self.0 {
            let mut state = shared.lock();
            state.doing = Some(doing());
            state.since.get_or_insert_with(Instant::now);
        }
    }

    /// Takes the line away, until something begins.
    pub fn pause(&self) {
        if let Some((shared, _)) = &self.0 {
            let mut state = shared.lock();
            state.hide();
            (state.doing, state.since) = (None, None);
        }
    }

    /// A stream whose output takes the line away first, until nothing has been written for a moment.
    pub fn around<W: Write + IsTerminal>(&self, stream: W) -> Around<W> {
        let shared = self.0.as_ref().map(|(shared, _)| Arc::clone(shared));
        Around { shared: shared.filter(|_| stream.is_terminal()), stream }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        let Some((shared, thread)) = &mut self.0 else { return };
        let mut state = shared.lock();
        state.hide();
        state.ends = true;
        drop(state);
        shared.has_ended.notify_all();
        // It has nothing to tell, and a panic in it has been shown.
        let _ = thread.take().map(JoinHandle::join);
    }
}

impl Shared {
    /// A panic while it was held leaves nothing half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self) {
        let mut state = self.lock();
        while !state.ends {
            state.tick();
            let waited = self.has_ended.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn hide(&mut self) {
        if let Some(bar) = self.shown.take() {
            bar.finish_and_clear();
        }
    }

    fn tick(&mut self) {
        let is_due = self.since.is_some_and(|since| since.elapsed() >= DELAY);
        let Some(doing) = self.doing.clone().filter(|_| is_due && !self.is_mid_line) else {
            return;
        };
        // Typed text must stay readable.
        if WAITS_FOR_INPUT.load(Ordering::Relaxed) {
            return self.hide();
        }
        let style = doing.style();
        let (message, done, all) = doing.said();
        let elapsed = self.since.map(|since| since.elapsed()).unwrap_or_default();
        let bar = self.shown.get_or_insert_with(|| {
            // Whole from the first time that it is drawn.
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(all), target).with_style(style.clone());
            bar.with_message(message.clone()).with_position(done).with_elapsed(elapsed)
        });
        bar.set_style(style);
        bar.set_length(all);
        bar.set_position(done);
        bar.set_message(message);
        bar.tick();
    }
}

impl Doing {
    fn style(&self) -> ProgressStyle {
        let template = match self {
            Doing::Work(_) => "{spinner} {msg} {elapsed}",
            Doing::Steps(..) => "{spinner} {wide_bar} {pos} of {len} {msg} {elapsed}",
            Doing::Kernel(..) => "{spinner} {msg} {wide_bar} {pos} of {len} blocks {elapsed}",
        };
        ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
    }

    /// The message, the steps done, and all steps.
    fn said(self) -> (String, u64, u64) {
        match self {
            Doing::Work(what) => (what, 0, 0),
            Doing::Steps(what, done, all) => (what.to_owned(), done, all),
            Doing::Kernel(name, now) => {
                let instructions = format!("{} warp instructions", grouped(now.instructions));
                let message = match now.cycles {
                    0 => format!("{name}: {instructions}"),
                    cycles => format!("{name}: cycle {}, {instructions}", grouped(cycles)),
                };
                (message, now.blocks_done, now.blocks)
            }
        }
    }
}

/// A stream around which the line is taken away.
pub struct Around<W> {
    /// Nothing if the line would not be in the way.
    shared: Option<Arc<Shared>>,
    stream: W,
}

impl<W: Write> Write for Around<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(shared) = &self.shared else {
            return self.stream.write(bytes);
        };
        let mut state = shared.lock();
        state.hide();
        let count = self.stream.write(bytes)?;
        state.since = Some(Instant::now());
        if let Some(last) = bytes[..count].last() {
            state.is_mid_line = *last != b'\n';
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}
