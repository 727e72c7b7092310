//! Kernels from files in the place of a program's own.

use super::style::Style;
use anyhow::Result;
use clap::Args;
use reconverge::build::Checked;
use reconverge::execute::ModelName;
use reconverge::kernel_file::KernelFile;
use std::path::PathBuf;

/// The files.
#[derive(Args, Debug)]
#[command(next_help_heading = "Compiler")]
pub struct KernelArguments {
    /// A file with kernels that replace the program's kernels of the same names: PTX (`.ptx`), IR (`.ir`), assembly
    /// (`.asm`) or a binary (`.bin`)
    #[arg(long, value_name = "FILE")]
    kernels: Vec<PathBuf>,
}

impl KernelArguments {
    /// The files, in the order of the command line.
    pub fn files(&self) -> &[PathBuf] {
        &self.kernels
    }
}

/// Reads files whose kernels replace a program's own; reports what is wrong with them, and returns whether they can be
/// used.
///
/// # Errors
/// A file cannot be read, or the model cannot run it.
pub fn put(
    checked: &mut Checked,
    files: &[PathBuf],
    model: ModelName,
    style: Style,
) -> Result<bool> {
    let mut read = Vec::new();
    for file in files {
        let file = KernelFile::replacement(file, model, &mut checked.sources)?;
        style.kernel_file(&file, &checked.sources);
        read.push(file);
    }
    let is_usable = !read.iter().any(KernelFile::has_errors);
    checked.set_kernels(read);
    Ok(is_usable)
}
