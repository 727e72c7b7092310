//! How a program is compiled, as options of the command line and of studies.

use crate::build;
use crate::load_hints::LoadHints;
use crate::source;
use anyhow::{Result, anyhow, ensure};
use clap::Args;
use reconverge_compiler::check::{self, Needed};
use reconverge_compiler::lower::{self, Spill};
use reconverge_compiler::pass::{Knobs, Level};
use reconverge_compiler::syntax::{self, Toolkit};
use reconverge_isa::REGISTERS;
use std::path::PathBuf;

/// Options of the preprocessor, the checker and the lowering.
#[derive(Args, Debug, Clone)]
pub struct BuildArguments {
    /// Define a macro, as `#define NAME VALUE` would (VALUE is 1 when absent)
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    pub definitions: Vec<(String, String)>,
    /// Look for included files here, after the including file's directory
    #[arg(short = 'I', value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    /// Registers per thread, at most 255; further values are spilled to local memory (default: the machine's
    /// `sm.max-registers`, or 63 without a machine)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=REGISTERS as i64))]
    pub max_registers: Option<u32>,
    /// The values spilled first: `cheapest`, or `affine-first` for uniform and affine values
    #[arg(long, value_name = "WHAT", default_value = "cheapest", value_parser = spill)]
    pub spill: Spill,
    /// Optimisation level: 0 none, 1 without loop and load optimisations, 2 all; `ptx`, for PTX alone, keeps the instructions of
    /// the text
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = level)]
    pub level: Level,
    /// The largest factor by which a loop without `#pragma unroll` is unrolled, within limits on the size of its body; 1 for no
    /// unrolling
    #[arg(long, value_name = "N", default_value_t = Knobs::default().unroll, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub unroll: u32,
    /// Registers per thread that scheduling and code motion may use; larger values keep more loads in flight, and leave
    /// room for fewer warps (default: the machine's `sm.target-registers`, or 20 without a machine)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=REGISTERS as i64))]
    pub target_registers: Option<u32>,
    /// Disable a pass of the optimiser; `list passes` names them
    #[arg(long = "disable-pass", value_name = "PASS", value_parser = pass_name)]
    pub disabled: Vec<String>,
    /// Do not contract `a * b + c` into a fused multiply-add in device code
    #[arg(long)]
    pub no_fma: bool,
    /// Change warnings: `-Wuninitialized` also warns of local variables of kernels that are uninitialised on only some paths to a
    /// read; `-Wno-narrowing` turns the error for a constant in braces that its type cannot hold into a warning
    #[arg(short = 'W', value_name = "WARNING", value_enum)]
    pub warnings: Vec<Warning>,
    /// Add convergence barriers (`bssy` and `bsync`) to the reconvergence points of branches, for schemes that
    /// execute them (`convergence-barrier`)
    #[arg(long)]
    pub convergence_barriers: bool,
    /// Annotate loads with their loop, their address pattern and, from a profile written by `run --profile-json`, their L1 hit rate,
    /// for `allocation=coordinated`. `scheduler=divergence-aware` receives loops in any case
    #[arg(long, value_name = "FILE.json", value_parser = LoadHints::read)]
    pub load_hints: Option<LoadHints>,
    /// The value of `__CUDA_ARCH__` in device code, also reported by `cudaGetDeviceProperties`; 700, the default, is compute
    /// capability 7.0 (750 with `--cuda 13`). The machine does not change
    #[arg(long, value_name = "N")]
    pub arch: Option<u32>,
    /// The release of CUDA's toolkit in `CUDART_VERSION`: 11, 12 (the default) or 13. Names that it has removed are errors, or
    /// warnings without this option
    #[arg(long, value_name = "RELEASE", value_parser = toolkit)]
    pub cuda: Option<Toolkit>,
    /// Report errors in all code of the file, including unused code
    #[arg(long)]
    pub strict: bool,
}

impl BuildArguments {
    /// The options of the checker for CUDA source that is to be compiled.
    ///
    /// # Errors
    /// There is no such target, or the level is that of PTX.
    pub fn checking_source(&self, needed: Needed) -> Result<check::CheckOptions> {
        ensure!(
            self.level != Level::Ptx,
            "`-O ptx` keeps the instructions of PTX, and this is CUDA source\n  choose `-O 0`, `-O 1` or `-O 2`"
        );
        self.checking(needed)
    }

    /// The options of the checker.
    pub fn checking(&self, needed: Needed) -> Result<check::CheckOptions> {
        let needed = if self.strict { Needed::Everything } else { needed };
        Ok(check::CheckOptions {
            contract: !self.no_fma,
            narrowing_is_error: !self.warnings.contains(&Warning::NoNarrowing),
            needed,
            target: self.target()?,
        })
    }

    /// The target of the program.
    pub fn target(&self) -> Result<syntax::Target> {
        syntax::Target::new(self.cuda, self.arch).map_err(|why| anyhow!("`--arch`: {why}"))
    }

    /// The options of the lowering.
    pub fn lowering(&self) -> lower::Options {
        lower::Options {
            max_registers: self.max_registers,
            spill: self.spill,
            level: self.level,
            unroll: self.unroll,
            target_registers: self.target_registers,
            disabled: self.disabled.iter().cloned().collect(),
            convergence_barriers: self.convergence_barriers,
            load_hints: self.load_hints.is_some(),
            localities: self.load_hints.iter().flat_map(|it| it.localities.clone()).collect(),
            maybe_unset: self.warnings.contains(&Warning::Uninitialized),
            ..lower::Options::default()
        }
    }

    /// The options as words, without those at their defaults.
    pub fn words(&self) -> Vec<String> {
        let (plain, target) = (lower::Options::default(), syntax::Target::default());
        let spill = Spill::ALL.iter().find(|(spill, _)| *spill == self.spill);
        let name = |found: Option<&str>| found.unwrap_or_default().to_owned();
        let mut words: Vec<String> = Vec::new();
        words.extend(self.definitions.iter().map(|(name, value)| format!("-D{name}={value}")));
        words.extend(self.directories.iter().map(|folder| format!("-I{}", folder.display())));
        let mut differs = |differs: bool, word: String| {
            if differs {
                words.push(word);
            }
        };
        if let Some(registers) = self.max_registers {
            differs(true, format!("--max-registers={registers}"));
        }
        differs(self.spill != plain.spill, format!("--spill={}", name(spill.map(|known| known.1))));
        differs(self.level != plain.level, format!("-O{}", self.level.name()));
        differs(self.unroll != plain.unroll, format!("--unroll={}", self.unroll));
        if let Some(registers) = self.target_registers {
            differs(true, format!("--target-registers={registers}"));
        }
        differs(self.no_fma, "--no-fma".to_owned());
        differs(self.convergence_barriers, "--convergence-barriers".to_owned());
        if let Some(hints) = &self.load_hints {
            differs(true, format!("--load-hints={}", hints.file.display()));
        }
        let arch = self.arch.unwrap_or(target.architecture);
        differs(arch != target.architecture, format!("--arch={arch}"));
        let cuda = self.cuda.unwrap_or_default();
        differs(self.cuda.is_some(), format!("--cuda={}", cuda.number()));
        differs(self.strict, "--strict".to_owned());
        words.extend(self.disabled.iter().map(|pass| format!("--disable-pass={pass}")));
        words.extend(self.warnings.iter().map(|warning| match warning {
            Warning::Uninitialized => "-Wuninitialized".to_owned(),
            Warning::NoNarrowing => "-Wno-narrowing".to_owned(),
        }));
        words
    }

    /// Finds the included files.
    pub fn loader(&self) -> source::DiskLoader<'_> {
        source::DiskLoader { directories: &self.directories }
    }
}

/// An optional warning.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warning {
    /// Local variables that may be read before they are written
    Uninitialized,
    /// Constants in braces that their types cannot hold are a warning rather than an error, as with this option of C++ compilers
    NoNarrowing,
}

fn pass_name(text: &str) -> std::result::Result<String, String> {
    build::require_passes([text]).map_err(|why| why.to_string())?;
    Ok(text.to_owned())
}

fn level(text: &str) -> std::result::Result<Level, String> {
    Level::parse(text).ok_or_else(|| format!("`{text}` is not 0, 1, 2 or ptx"))
}

fn toolkit(text: &str) -> std::result::Result<Toolkit, String> {
    Toolkit::parse(text).ok_or_else(|| format!("`{text}` is not 11, 12 or 13"))
}

fn spill(text: &str) -> std::result::Result<Spill, String> {
    Spill::parse(text).ok_or_else(|| {
        let known: Vec<_> = Spill::ALL.iter().map(|&(_, name)| name).collect();
        format!("`{text}` is none of {}", known.join(", "))
    })
}

fn definition(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_ascii_digit()) {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name.to_string(), value.to_string()))
}
