//! The command line.

#![deny(clippy::unwrap_used)]

use std::process::ExitCode;

fn main() -> ExitCode {
    reconverge_cli::Cli::new().run()
}
