//! `build [OPTIONS] FILE… -o PROGRAM`: compiles CUDA programs for `exec` by clang, without a CUDA toolkit.
//!
//! clang compiles the device code to PTX, which is packed as a fat binary, and the host code with the fat binary in it. Headers
//! of ours take the place of CUDA's. The command takes the arguments of a compiler, so that it can be one: those of clang are
//! passed on, and those of nvcc translated.

mod clang;
mod fatbin;
mod headers;
mod toolkit;
mod words;

use super::exec::folder;
use super::style::Style;
use anyhow::{Context, Result, bail, ensure};
use clang::Clang;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use words::{Kind, Words};

/// The words of a compiler.
#[derive(Args, Debug)]
pub struct BuildCommand {
    /// Sources, objects, libraries, and options of clang or nvcc: `-o FILE`, `-c`, `-I DIR`, `-D NAME`, `-O3`, `-std=c++17`,
    /// `-l NAME`; or `--toolkit DIR`, which makes a folder that CMake takes for a CUDA toolkit
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORDS",
        required = true
    )]
    words: Vec<OsString>,
}

/// nvcc accepts what these make clang accept: `register`, which C++17 removed, and variadic functions in device code.
const LANGUAGE: [&str; 4] = [
    "-Wno-register",
    "-Wno-unused-command-line-argument",
    "-Xclang",
    "-fcuda-allow-variadic-functions",
];

/// The options of device code. Products and sums of one expression are rounded once, as the language says.
const DEVICE: [&str; 6] = [
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_75",
    "--cuda-feature=+ptx63",
    "-ffp-contract=on",
    "-gline-tables-only",
    "-fno-exceptions",
];

/// The options of host code.
const HOST: [&str; 2] = ["--cuda-host-only", "-ffp-contract=off"];

/// A build under way.
struct Build {
    clang: Clang,
    words: Words,
    headers: PathBuf,
    /// For files between the steps.
    folder: PathBuf,
}

/// Compiles and links; the exit status is the compiler's.
pub fn build(arguments: &BuildCommand, style: Style) -> Result<ExitCode> {
    if let [word, place] = arguments.words.as_slice()
        && word == toolkit::WORD
    {
        let library = folder::library()?;
        toolkit::make(Path::new(place), &library, &folder::libraries(&library)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    match program(&arguments.words, &folder::library()?)? {
        true => Ok(ExitCode::SUCCESS),
        false => {
            style.note("the compiler ended with an error");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Does what the words of a compiler's command line say, for programs that load `library`; false if the compiler reports an
/// error.
///
/// # Errors
/// There is no compiler, or a file cannot be read or written.
pub fn program(words: &[OsString], library: &Path) -> Result<bool> {
    let libraries = folder::libraries(library)?;
    let words = Words::read(words)?;
    let clang = Clang::find()?;
    // Threads of one process may build at the same time.
    static BUILDS: AtomicUsize = AtomicUsize::new(0);
    let (process, number) = (std::process::id(), BUILDS.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("reconverge-build-{process}-{number}"));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let build = Build { headers: headers::folder()?, clang, words, folder };
    let done = build.run(&libraries, library);
    // A file that stays in the folder of temporary files does no harm.
    let _ = std::fs::remove_dir_all(&build.folder);
    done
}

impl Build {
    /// Performs the steps; false if one of them reports an error.
    fn run(&self, libraries: &Path, library: &Path) -> Result<bool> {
        let Words { inputs, output, stops, .. } = &self.words;
        if inputs.is_empty() || *stops == Some("-E") {
            // `--version`, `-dumpmachine`, preprocessing, and the like.
            let mut command = self.clang.command();
            command.args(&self.words.compile).args(&self.words.link).args(*stops);
            self.headers(&mut command);
            inputs.iter().for_each(|input| self.input(&mut command, input));
            command.args(output.iter().flat_map(|output| [Path::new("-o"), output]));
            return run(command);
        }
        if self.words.links_device {
            return self.empty(output.as_deref());
        }
        ensure!(
            stops.is_none() || output.is_none() || inputs.len() == 1,
            "`-o` names one file; there are {} sources",
            inputs.len()
        );
        let mut objects = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let object = match (stops, output) {
                (Some(_), Some(output)) => output.clone(),
                (Some(_), None) => {
                    let stem = input.path.file_stem().context("a source has no name")?;
                    let ending = match *stops {
                        Some(words::PTX) => "ptx",
                        Some(words::FAT_BINARY) => "fatbin",
                        _ => "o",
                    };
                    Path::new(stem).with_extension(ending)
                }
                (None, _) => self.folder.join(format!("{number}.o")),
            };
            match input.kind {
                Kind::Object => objects.push(input.path.clone()),
                Kind::Cuda | Kind::C | Kind::Other => {
                    if !self.compile(input, &object, number)? {
                        return Ok(false);
                    }
                    objects.push(object);
                }
            }
        }
        if stops.is_some() {
            return Ok(true);
        }
        let mut command = self.clang.command();
        command.args(&objects).args(self.words.compile_for_link()).args(&self.words.link);
        command.arg(library).arg(format!("-Wl,-rpath,{}", libraries.display()));
        command.args(["-lm", "-lpthread", "-ldl", "-o"]);
        command.arg(output.as_deref().unwrap_or(Path::new("a.out")));
        run(command)
    }

    /// Writes an object with nothing in it: device code is linked when the program starts.
    fn empty(&self, output: Option<&Path>) -> Result<bool> {
        let mut command = self.clang.command();
        command.args(["-x", "c", "-c", "/dev/null", "-o"]);
        command.arg(output.unwrap_or(Path::new("a_dlink.o")));
        run(command)
    }

    /// Compiles a source to an object.
    fn compile(&self, input: &words::Input, object: &Path, number: usize) -> Result<bool> {
        let mut command = self.clang.command();
        if input.kind == Kind::Cuda {
            let (ptx, binary) = (
                self.folder.join(format!("{number}.ptx")),
                self.folder.join(format!("{number}.fatbin")),
            );
            let mut device = self.clang.command();
            // As nvcc, which optimises device code whatever the level for the host.
            device.args(LANGUAGE).args(DEVICE).args(&self.words.compile).args(["-O3", "-S"]);
            self.headers(&mut device);
            self.input(&mut device, input);
            device.arg("-o").arg(&ptx);
            if !run(device)? {
                return Ok(false);
            }
            let text =
                std::fs::read(&ptx).with_context(|| format!("cannot read `{}`", ptx.display()))?;
            let container = fatbin::container(&text);
            let (file, bytes) = match self.words.stops {
                Some(words::PTX) => (object, &text),
                Some(words::FAT_BINARY) => (object, &container),
                _ => (binary.as_path(), &container),
            };
            std::fs::write(file, bytes)
                .with_context(|| format!("cannot write `{}`", file.display()))?;
            if file == object {
                return Ok(true);
            }
            command.args(LANGUAGE).args(HOST).args(&self.words.compile);
            command.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(&binary);
        } else {
            let is_of_language = |word: &&String| {
                input.kind != Kind::C || !word.starts_with("-std=") || !word.contains("++")
            };
            command.args(self.words.compile.iter().filter(is_of_language));
        }
        self.headers(&mut command);
        self.input(&mut command, input);
        command.arg("-c").arg("-o").arg(object);
        run(command)
    }

    fn headers(&self, command: &mut Command) {
        command.arg("-isystem").arg(&self.headers);
    }

    fn input(&self, command: &mut Command, input: &words::Input) {
        if input.kind == Kind::Cuda {
            command.args(["-x", "cuda", "-nocudainc", "-nocudalib", "-include", "cuda_runtime.h"]);
            // Launches and registration are those of CUDA 9.2 and later.
            command.args(["-Xclang", "-target-sdk-version=12.0"]);
        }
        if input.kind == Kind::C {
            command.args(["-x", "c"]);
        }
        command.arg(&input.path);
        if input.kind == Kind::Cuda {
            command.args(["-x", "none"]);
        }
    }
}

/// Runs a step; false if it reports an error.
fn run(mut command: Command) -> Result<bool> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start `{program}`"))?;
    match status.code() {
        Some(code) => Ok(code == 0),
        None => bail!("`{program}` was stopped"),
    }
}
