//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    reconverge::command::main()
}
