//! Writes `docs/affine.md`: every mechanism of the slots `affine` and `prefetcher` on the examples and the divergent programs,
//! beside what the paper on decoupled affine computation says.
//!
//! `cargo run --release -p reconverge-tests --bin affine [-- --only TEXT] [--output FILE]`
//!
//! Which mechanisms there are comes from the slot's list, so that a new one has its row. A run whose output
//! or memory differ from those without a mechanism is an error.

#![deny(clippy::unwrap_used)]

mod claims;
mod measure;
mod write;

use anyhow::Result;
use clap::Parser;
use reconverge_tests::study::document::deliver;
use std::path::PathBuf;

/// Measure what is made of affine values on every example
#[derive(Parser)]
struct Arguments {
    /// Only programs whose name contains this
    #[arg(long, default_value = "")]
    only: String,
    /// Where to write the document; `-` for standard output
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/affine.md"))]
    output: PathBuf,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let results = measure::measure(&arguments.only)?;
    deliver(&write::document(&results), &arguments.output, &results.complaints())
}
