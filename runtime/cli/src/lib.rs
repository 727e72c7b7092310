//! The command line and the explorer, a local page in the browser.

#![deny(clippy::unwrap_used)]

pub mod command;
pub mod serve;
