//! Writes `docs/divergence.md`: every divergence scheme, lane permutation and cycle compression on the
//! examples and the divergent programs, beside what the papers say of them.
//!
//! `cargo run --release -p reconverge-tests --bin divergence [-- --only TEXT] [--output FILE]`
//!
//! Which mechanisms there are comes from the slots' lists, so that a new one has its row. A run that differs
//! from the interpreter's order of things, in output or memory, is an error.

#![deny(clippy::unwrap_used)]

mod claims;
mod measure;
mod write;

use anyhow::Result;
use clap::Parser;
use reconverge_tests::study::document::deliver;
use std::path::PathBuf;

/// Measure every scheme on every example
#[derive(Parser)]
struct Arguments {
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Where to write the document; `-` for standard output
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/divergence.md"))]
    output: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let results = measure::measure(&arguments.only)?;
    deliver(&write::document(&results), &arguments.output, &results.complaints())
}
