//! Slot `prefetcher`: its trait and types (`slot.rs`), the list of its mechanisms (`list.rs`), and a file for each.

mod buffer;
mod buffered;
pub mod list;
mod many_thread;
mod next_line;
mod none;
pub(crate) mod slot;
mod stride;
mod strides;
mod throttle;

pub use buffered::{OPTIONS, STATISTICS, Step, build as by_step};
pub use slot::{Build, LoadOfWarp, Prefetcher};
