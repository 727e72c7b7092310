//! The command line with this crate's mechanisms.

use std::process::ExitCode;

fn main() -> ExitCode {
    reconverge_cli::Cli::new().with(lab::extension()).run()
}
