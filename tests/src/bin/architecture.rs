//! Measures the architecture and writes `docs/architecture-numbers.md`.
//!
//! `cargo run -p reconverge-tests --bin architecture [-- --output FILE]`

#![deny(clippy::unwrap_used)]

use anyhow::Result;
use clap::Parser;
use reconverge_tests::architecture::{DOCUMENT, measure, report, root};
use reconverge_tests::document::deliver;
use std::path::PathBuf;

/// Measure functions, files, imports, structures and recipes
#[derive(Parser)]
struct Arguments {
    /// Where the document goes; `-` is standard output
    #[arg(long)]
    output: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let output = arguments.output.unwrap_or_else(|| root().join(DOCUMENT));
    deliver(&report(&measure()?)?, &output, &[])
}
