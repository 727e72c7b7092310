//! The compilation of a program: the options of the command line, of studies and of Python.

use crate::build;
use crate::kernel_file;
use crate::load_hints::LoadHints;
use crate::named::{Named, named};
use crate::source;
use anyhow::{Result, anyhow, ensure};
use reconverge_compiler::check::{self, Needed};
use reconverge_compiler::lower::{self, Spill};
use reconverge_compiler::pass::Level;
use reconverge_compiler::syntax::{self, Toolkit};
use reconverge_isa::nearest::hint;
use reconverge_isa::{ControlPart, REGISTERS};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// Options of the preprocessor, the checker and the lowering; [`OPTIONS`] describes each.
#[derive(Debug, Clone)]
pub struct BuildArguments {
    /// `-D`: macros with their values.
    pub definitions: Vec<(String, String)>,
    /// `-I`: folders of included files.
    pub directories: Vec<PathBuf>,
    /// `--max-registers`.
    pub max_registers: Option<u32>,
    /// `--spill`.
    pub spill: Spill,
    /// `-O`.
    pub level: Level,
    /// `--unroll`.
    pub unroll: u32,
    /// `--target-registers`.
    pub target_registers: Option<u32>,
    /// `--disable-pass`.
    pub disabled: Vec<String>,
    /// `--no-fma`.
    pub no_fma: bool,
    /// `-W`.
    pub warnings: Vec<Warning>,
    /// `--convergence-barriers`.
    pub convergence_barriers: bool,
    /// `--control-bits-without`.
    pub control_bits_without: Vec<ControlPart>,
    /// `--load-hints`.
    pub load_hints: Option<LoadHints>,
    /// `--arch`.
    pub arch: Option<u32>,
    /// `--cuda`.
    pub cuda: Option<Toolkit>,
    /// `--strict`.
    pub strict: bool,
}

impl Default for BuildArguments {
    fn default() -> BuildArguments {
        let plain = lower::Options::default();
        BuildArguments {
            definitions: Vec::new(),
            directories: Vec::new(),
            max_registers: None,
            spill: plain.spill,
            level: plain.level,
            unroll: plain.unroll,
            target_registers: None,
            disabled: Vec::new(),
            no_fma: false,
            warnings: Vec::new(),
            convergence_barriers: false,
            control_bits_without: Vec::new(),
            load_hints: None,
            arch: None,
            cuda: None,
            strict: false,
        }
    }
}

/// The effect of an option with its value.
pub type Change = Arc<dyn Fn(&mut BuildArguments) + Send + Sync>;

/// An option of the compiler.
pub struct BuildOption {
    /// With its hyphens: `-O` or `--unroll`.
    pub name: &'static str,
    /// The name of its value in help texts; `None` for a flag.
    pub value: Option<&'static str>,
    /// True if every occurrence counts; otherwise the last one does.
    pub repeats: bool,
    /// The values with their lines of help, if there are only a few.
    pub choices: fn() -> Vec<(&'static str, &'static str)>,
    /// The help text.
    pub help: &'static str,
    /// Reads a value (an empty text for a flag); the error states the reason.
    pub read: fn(&str) -> Result<Change, String>,
    /// The values that options hold, as texts that `read` accepts.
    pub given: fn(&BuildArguments) -> Vec<String>,
}

impl BuildOption {
    /// The option as a word of the command line.
    fn word(&self, value: &str) -> String {
        match (self.value, self.name.starts_with("--")) {
            (None, _) => self.name.to_owned(),
            (_, true) => format!("{}={value}", self.name),
            (_, false) => format!("{}{value}", self.name),
        }
    }

    /// The option of a word, with the value that the word has.
    fn of(word: &str) -> Option<(&'static BuildOption, Option<&str>)> {
        if word.starts_with("--") {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (word, None),
            };
            return Some((OPTIONS.iter().find(|option| option.name == name)?, value));
        }
        let (name, value) = word.split_at_checked(2)?;
        let value = value.strip_prefix('=').unwrap_or(value);
        let option = OPTIONS.iter().find(|option| option.name == name)?;
        Some((option, Some(value).filter(|value| !value.is_empty())))
    }
}

fn change(apply: impl Fn(&mut BuildArguments) + Send + Sync + 'static) -> Result<Change, String> {
    Ok(Arc::new(apply))
}

/// A flag's value if it is set.
fn flag(is_set: bool) -> Vec<String> {
    if is_set { vec![String::new()] } else { Vec::new() }
}

/// The values of an option that may be absent.
fn optional(value: Option<impl ToString>) -> Vec<String> {
    value.iter().map(ToString::to_string).collect()
}

/// The range of a number of registers.
const REGISTER_RANGE: RangeInclusive<i64> = 1..=REGISTERS as i64;

/// All options, in the order of help texts.
pub const OPTIONS: &[BuildOption] = &[
    BuildOption {
        name: "-D",
        value: Some("NAME[=VALUE]"),
        repeats: true,
        choices: Vec::new,
        help: "Define a macro, as `#define NAME VALUE` would (VALUE is 1 when absent)",
        read: |text| {
            let definition = definition(text)?;
            change(move |all| all.definitions.push(definition.clone()))
        },
        given: |all| {
            all.definitions.iter().map(|(name, value)| format!("{name}={value}")).collect()
        },
    },
    BuildOption {
        name: "-I",
        value: Some("DIR"),
        repeats: true,
        choices: Vec::new,
        help: "Look for included files here, after the including file's directory",
        read: |text| {
            let folder = PathBuf::from(text);
            change(move |all| all.directories.push(folder.clone()))
        },
        given: |all| all.directories.iter().map(|folder| folder.display().to_string()).collect(),
    },
    BuildOption {
        name: "--max-registers",
        value: Some("N"),
        repeats: false,
        choices: Vec::new,
        help: "Registers per thread, at most 255; further values are spilled to local memory (default: the machine's \
               `sm.max-registers`, or 63 without a machine)",
        read: |text| {
            let registers = number(text, REGISTER_RANGE)?;
            change(move |all| all.max_registers = Some(registers))
        },
        given: |all| optional(all.max_registers),
    },
    BuildOption {
        name: "--spill",
        value: Some("WHAT"),
        repeats: false,
        choices: Vec::new,
        help: "The values spilled first: `cheapest`, or `affine-first` for uniform and affine values",
        read: |text| {
            let spill = spill(text)?;
            change(move |all| all.spill = spill)
        },
        given: |all| optional(name_in(&Spill::ALL, all.spill)),
    },
    BuildOption {
        name: "-O",
        value: Some("LEVEL"),
        repeats: false,
        choices: Vec::new,
        help: "Optimisation level: 0 none, 1 without loop and load optimisations, 2 all; `ptx`, for PTX alone, keeps the \
               instructions of the text",
        read: |text| {
            let level = level(text)?;
            change(move |all| all.level = level)
        },
        given: |all| vec![all.level.name().to_owned()],
    },
    BuildOption {
        name: "--unroll",
        value: Some("N"),
        repeats: false,
        choices: Vec::new,
        help: "The largest factor by which a loop without `#pragma unroll` is unrolled, within limits on the size of its \
               body; 1 for no unrolling",
        read: |text| {
            let factor = number(text, 1..=1024)?;
            change(move |all| all.unroll = factor)
        },
        given: |all| vec![all.unroll.to_string()],
    },
    BuildOption {
        name: "--target-registers",
        value: Some("N"),
        repeats: false,
        choices: Vec::new,
        help: "Registers per thread that scheduling and code motion may use; larger values keep more loads in flight, \
               and leave room for fewer warps (default: the machine's `sm.target-registers`, or 20 without a machine)",
        read: |text| {
            let registers = number(text, REGISTER_RANGE)?;
            change(move |all| all.target_registers = Some(registers))
        },
        given: |all| optional(all.target_registers),
    },
    BuildOption {
        name: "--disable-pass",
        value: Some("PASS"),
        repeats: true,
        choices: Vec::new,
        help: "Disable a pass of the optimiser; `list passes` names them",
        read: |text| {
            build::require_passes([text]).map_err(|why| why.to_string())?;
            let pass = text.to_owned();
            change(move |all| all.disabled.push(pass.clone()))
        },
        given: |all| all.disabled.clone(),
    },
    BuildOption {
        name: "--no-fma",
        value: None,
        repeats: false,
        choices: Vec::new,
        help: "Do not contract `a * b + c` into a fused multiply-add in device code",
        read: |_| change(|all| all.no_fma = true),
        given: |all| flag(all.no_fma),
    },
    BuildOption {
        name: "-W",
        value: Some("WARNING"),
        repeats: true,
        choices: Warning::described,
        help: "Change warnings: `-Wuninitialized` also warns of local variables of kernels that are uninitialised on \
               only some paths to a read; `-Wno-narrowing` turns the error for a constant in braces that its type \
               cannot hold into a warning",
        read: |text| {
            let warning = Warning::read(text)?;
            change(move |all| all.warnings.push(warning))
        },
        given: |all| all.warnings.iter().map(|warning| warning.name().to_owned()).collect(),
    },
    BuildOption {
        name: "--convergence-barriers",
        value: None,
        repeats: false,
        choices: Vec::new,
        help: "Add convergence barriers (`bssy` and `bsync`) to the reconvergence points of branches, for schemes that \
               execute them (`convergence-barrier`)",
        read: |_| change(|all| all.convergence_barriers = true),
        given: |all| flag(all.convergence_barriers),
    },
    BuildOption {
        name: "--control-bits-without",
        value: Some("PART"),
        repeats: true,
        choices: || {
            let parts = ControlPart::ALL.into_iter().map(|(_, name, effect)| (name, effect));
            parts.chain([NO_PART]).collect()
        },
        help: "Leave out a part of the work on control bits, to measure its gain, for machines that check no \
               dependences (`sm.dependences=control-bits`)",
        read: |text| {
            let part = control_part(text)?;
            change(move |all| match part {
                Some(part) => all.control_bits_without.push(part),
                None => all.control_bits_without.clear(),
            })
        },
        given: |all| {
            let named = ControlPart::ALL.into_iter();
            let left_out = named.filter(|(part, ..)| all.control_bits_without.contains(part));
            left_out.map(|(_, name, _)| name.to_owned()).collect()
        },
    },
    BuildOption {
        name: "--load-hints",
        value: Some("FILE.json"),
        repeats: false,
        choices: Vec::new,
        help: "Annotate loads with their loop, their address pattern and, from a profile written by `run \
               --profile-json`, their L1 hit rate, for `allocation=coordinated`. `scheduler=divergence-aware` receives \
               loops in any case",
        read: |text| {
            let hints = LoadHints::read(text)?;
            change(move |all| all.load_hints = Some(hints.clone()))
        },
        given: |all| optional(all.load_hints.as_ref().map(|hints| hints.file.display())),
    },
    BuildOption {
        name: "--arch",
        value: Some("N"),
        repeats: false,
        choices: Vec::new,
        help: "The value of `__CUDA_ARCH__` in device code, also reported by `cudaGetDeviceProperties`; 700, the \
               default, is compute capability 7.0 (750 with `--cuda 13`). The machine does not change",
        read: |text| {
            let arch = number(text, 0..=u32::MAX.into())?;
            change(move |all| all.arch = Some(arch))
        },
        given: |all| {
            let plain = syntax::Target::default().architecture;
            optional(all.arch.filter(|&arch| arch != plain))
        },
    },
    BuildOption {
        name: "--cuda",
        value: Some("RELEASE"),
        repeats: false,
        choices: Vec::new,
        help: "The release of CUDA's toolkit in `CUDART_VERSION`: 11, 12 (the default) or 13. Names that it has removed \
               are errors, or warnings without this option",
        read: |text| {
            let toolkit = toolkit(text)?;
            change(move |all| all.cuda = Some(toolkit))
        },
        given: |all| optional(all.cuda.map(Toolkit::number)),
    },
    BuildOption {
        name: "--strict",
        value: None,
        repeats: false,
        choices: Vec::new,
        help: "Report errors in all code of the file, including unused code",
        read: |_| change(|all| all.strict = true),
        given: |all| flag(all.strict),
    },
];

impl BuildArguments {
    /// The options of the checker for a program whose kernels are compiled, but for those of some files. The level of
    /// PTX concerns kernels in PTX alone.
    ///
    /// # Errors
    /// There is no such target, or the level is that of PTX and no file is PTX.
    pub fn checking_program(
        &self,
        needed: Needed,
        kernels: &[PathBuf],
    ) -> Result<check::CheckOptions> {
        let is_ptx = |file: &PathBuf| kernel_file::Level::of(file) == kernel_file::Level::Ptx;
        match kernels.iter().any(is_ptx) {
            true => self.checking(needed),
            false => self.checking_source(needed),
        }
    }

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
            control_bits_without: self.control_bits_without.iter().copied().collect(),
            load_hints: self.load_hints.is_some(),
            localities: self.load_hints.iter().flat_map(|it| it.localities.clone()).collect(),
            maybe_unset: self.warnings.contains(&Warning::Uninitialized),
            ..lower::Options::default()
        }
    }

    /// Reads options as words; a later one replaces an earlier one.
    ///
    /// # Errors
    /// The reason: an unknown option, or a wrong value.
    pub fn read(words: &[String]) -> Result<BuildArguments, String> {
        let mut options = BuildArguments::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let (option, value) = BuildOption::of(word).ok_or_else(|| {
                let near = hint(word, OPTIONS.iter().map(|option| option.name));
                format!("`{word}` is no option of the compiler{near}")
            })?;
            let name = option.name;
            let value = match (option.value, value) {
                (None, None) => "",
                (None, Some(value)) => {
                    return Err(format!("`{name}` takes no value; it has `{value}`"));
                }
                (Some(_), Some(value)) => value,
                (Some(value), None) => rest
                    .next()
                    .filter(|next| !next.starts_with('-'))
                    .ok_or_else(|| format!("`{name}` lacks its value {value}"))?,
            };
            let change = (option.read)(value).map_err(|why| format!("`{name}`: {why}"))?;
            change(&mut options);
        }
        Ok(options)
    }

    /// The options as words, without those at their defaults.
    pub fn words(&self) -> Vec<String> {
        let plain = BuildArguments::default();
        let words = |option: &BuildOption| {
            let given = (option.given)(self);
            let differs = given != (option.given)(&plain);
            let given = given.into_iter().filter(|_| differs);
            given.map(|value| option.word(&value)).collect::<Vec<_>>()
        };
        OPTIONS.iter().flat_map(words).collect()
    }

    /// Finds the included files.
    pub fn loader(&self) -> source::DiskLoader<'_> {
        source::DiskLoader { directories: &self.directories }
    }
}

named! {
    /// An optional warning.
    pub enum Warning {
        Uninitialized "uninitialized" "Local variables that may be read before they are written",
        NoNarrowing "no-narrowing" "Constants in braces that their types cannot hold are a warning rather than an error, as with this option of C++ compilers",
    }
}

/// The value of `--control-bits-without` that takes back the others, with its effect.
const NO_PART: (&str, &str) = ("nothing", "all of the work is done, as without the option");

/// A part of the work on control bits; `None` for `nothing`.
fn control_part(text: &str) -> Result<Option<ControlPart>, String> {
    if text == NO_PART.0 {
        return Ok(None);
    }
    ControlPart::parse(text).map(Some).ok_or_else(|| {
        let names = ControlPart::ALL.map(|(_, name, _)| format!("`{name}`"));
        format!(
            "`{text}` is no part of the work; there are {} and `{}`",
            names.join(", "),
            NO_PART.0
        )
    })
}

/// The name of a value in a list of names.
fn name_in<T: Copy + PartialEq>(all: &[(T, &'static str)], value: T) -> Option<&'static str> {
    all.iter().find(|(known, _)| *known == value).map(|&(_, name)| name)
}

fn number(text: &str, range: RangeInclusive<i64>) -> Result<u32, String> {
    let number: i64 = text.parse().map_err(|why: std::num::ParseIntError| why.to_string())?;
    let outside = || format!("{number} is not in {}..={}", range.start(), range.end());
    let inside = Some(number).filter(|number| range.contains(number));
    inside.and_then(|number| u32::try_from(number).ok()).ok_or_else(outside)
}

fn level(text: &str) -> Result<Level, String> {
    Level::parse(text).ok_or_else(|| format!("`{text}` is not 0, 1, 2 or ptx"))
}

fn toolkit(text: &str) -> Result<Toolkit, String> {
    Toolkit::parse(text).ok_or_else(|| format!("`{text}` is not 11, 12 or 13"))
}

fn spill(text: &str) -> Result<Spill, String> {
    Spill::parse(text).ok_or_else(|| {
        let known: Vec<_> = Spill::ALL.iter().map(|&(_, name)| name).collect();
        format!("`{text}` is none of {}", known.join(", "))
    })
}

fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    if !name.starts_with(letter) || !name.chars().all(|c| letter(c) || c.is_ascii_digit()) {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name.to_string(), value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<BuildArguments, String> {
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        BuildArguments::read(&words)
    }

    #[test]
    fn options_are_read_as_they_are_written() {
        let text = "-DA=1 -DB=x=y -Ia/b --max-registers=32 --spill=affine-first -O1 --unroll=4 --target-registers=24 \
                    --disable-pass=licm --disable-pass=gvn --no-fma -Wuninitialized --convergence-barriers \
                    --arch=800 --cuda=13 --strict";
        let words = read(text).expect("they are options").words();
        assert_eq!(words.join(" "), text);
        assert_eq!(BuildArguments::default().words(), Vec::<String>::new());
    }

    #[test]
    fn a_value_is_part_of_the_word_or_the_next_word() {
        let options = read("-O 0 -O=1 -D N --unroll 2 --unroll 8").expect("they are options");
        assert_eq!(options.words(), ["-DN=1", "-O1", "--unroll=8"]);
    }

    #[test]
    fn wrong_options_are_named_with_the_reason() {
        let wrong = |text: &str| read(text).expect_err("it is wrong");
        assert!(wrong("--unrol=2").ends_with("did you mean `--unroll`?"), "{}", wrong("--unrol=2"));
        assert_eq!(wrong("--unroll=2000"), "`--unroll`: 2000 is not in 1..=1024");
        assert_eq!(wrong("--unroll"), "`--unroll` lacks its value N");
        assert_eq!(wrong("--unroll -O1"), "`--unroll` lacks its value N");
        assert_eq!(wrong("--strict=1"), "`--strict` takes no value; it has `1`");
        assert_eq!(wrong("-O3"), "`-O`: `3` is not 0, 1, 2 or ptx");
        assert_eq!(wrong("-Wall"), "`-W`: `all` is none of uninitialized, no-narrowing");
        assert!(wrong("x").starts_with("`x` is no option"));
        assert!(wrong("-é").starts_with("`-é` is no option"));
    }
}
