//! The command line, the explorer, a local page in the browser, and the server for editors.

#![deny(clippy::unwrap_used)]

pub mod command;
mod lsp;
pub mod serve;

pub use command::Cli;
