//! The program that a command is about, and its kernels.

use anyhow::{Result, bail};
use clap::Args;
use reconverge::build::{self, Checked};
use reconverge::build_arguments::BuildArguments;
use reconverge::kernel_file::Level;
use reconverge_compiler::check::Needed;
use reconverge_compiler::check::tree::Module;
use reconverge_isa::nearest::hint;
use std::path::PathBuf;

/// The file to compile, and preprocessor options.
#[derive(Args, Debug)]
pub struct SourceArguments {
    /// A `.cu` file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub options: BuildArguments,
}

impl SourceArguments {
    /// The progress line while the file is compiled.
    pub fn compiling(&self) -> String {
        format!("compiling {}", self.file.display())
    }

    /// Preprocesses, parses and checks the file.
    pub fn check(&self, needed: Needed) -> Result<(String, Checked)> {
        let (name, mut text) = Level::read_source(&self.file)?;
        if let Needed::Kernel(kernel) = &needed
            && kernel.contains('<')
        {
            // An instance of a template that no launch of the program names.
            text.push_str(&format!("\ntemplate void {kernel};\n"));
        }
        let checked = build::check_with(
            &name,
            &text,
            &self.options.definitions,
            &mut self.options.loader(),
            self.options.checking(needed)?,
        );
        Ok((name, checked))
    }
}

/// True if a name selects a kernel: its own, or that of its template.
pub fn names_kernel(wanted: &str, kernel: &str) -> bool {
    // Blanks in `sum<float, 4>` are as one likes.
    let tight = |name: &str| name.split_whitespace().collect::<String>();
    tight(kernel) == tight(wanted) || kernel.split('<').next() == Some(wanted)
}

/// Complains if a name selects no kernel of a program.
pub fn require_kernel(wanted: &str, module: &Module) -> Result<()> {
    let kernels = module.functions.iter().filter(|function| function.sides.kernel);
    let known: Vec<&str> = kernels.map(|kernel| &*kernel.name).collect();
    if known.iter().any(|kernel| names_kernel(wanted, kernel)) {
        return Ok(());
    }
    let near = hint(wanted, known.iter().copied());
    match known.is_empty() {
        true => bail!("there is no kernel `{wanted}`: the program has none"),
        false => bail!("there is no kernel `{wanted}`; there are {}{near}", known.join(", ")),
    }
}
