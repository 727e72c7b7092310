//! `serve [FILE]`.

use super::options::BuildOptions;
use crate::serve::server::{self, Setup};
use crate::serve::{Header, Limits, Opened, worker};
use anyhow::{Context, Result, ensure};
use clap::Args;
use reconverge::build;
use reconverge::build_arguments::BuildArguments;
use reconverge::kernel_file::{KernelFile, Level};
use reconverge::source;
use reconverge_compiler::check::CheckOptions;
use reconverge_compiler::syntax::{Loader, NotLoaded, SourceMap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The program, the port, and limits.
#[derive(Args, Debug)]
pub struct ServeArguments {
    /// A `.cu` or `.ptx` file that the page starts with, or `-` for standard input; the file is never changed. Default: an example
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Arguments of the program; for PTX a launch: `"saxpy --grid 4 --block 256 --arg ..."`
    #[arg(long, value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    arguments: String,
    /// The port on 127.0.0.1; 0 for any free one
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Print the page's address, but open no browser
    #[arg(long)]
    no_open: bool,
    /// Seconds that a request of the page (a compilation or a run) may take
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().seconds, value_parser = clap::value_parser!(u64).range(1..=3600))]
    max_seconds: u64,
    /// MiB of memory that a request may use, on systems that can limit it
    #[arg(long, value_name = "MIB", default_value_t = Limits::default().memory, value_parser = clap::value_parser!(u64).range(256..=1 << 20))]
    max_memory: u64,
    /// Answer the request on standard input; the server runs this for each one
    #[arg(long, hide = true)]
    answer: bool,
    #[command(flatten)]
    build: BuildOptions,
}

/// Serves until it is stopped.
pub fn serve(arguments: &ServeArguments) -> Result<ExitCode> {
    if arguments.answer {
        worker::work()?;
        return Ok(ExitCode::SUCCESS);
    }
    let (opened, headers) = match &arguments.file {
        Some(file) => open(file, &arguments.build)?,
        None => Default::default(),
    };
    let words = arguments.build.words();
    let options = words.into_iter().filter(|word| !word.starts_with("-I"));
    let options = options.map(quoted).collect::<Vec<_>>().join(" ");
    let opened = Opened { options, arguments: arguments.arguments.clone(), ..opened };
    let limits = Limits {
        seconds: arguments.max_seconds,
        memory: arguments.max_memory,
        ..Limits::default()
    };
    ensure!(
        opened.source.len() < limits.question / 2,
        "`{}` is larger than {} KiB; the page shows no larger files",
        opened.name,
        limits.question >> 11
    );
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let port = arguments.port;
    let setup = Setup { port, opened, headers, limits, program };
    server::serve(setup, |url| {
        let mut stdout = std::io::stdout().lock();
        writeln!(stdout, "{url}").and_then(|()| stdout.flush()).context("cannot write output")?;
        if !arguments.no_open && has_screen() {
            // Without a browser the printed address is opened elsewhere.
            let _ = open::that_detached(url);
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// True if there is a screen; without one, the program that opens addresses may take over the terminal.
fn has_screen() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// A word as the page's options have it.
fn quoted(word: String) -> String {
    match word.contains(|c: char| c.is_whitespace() || c == '\'') {
        true => format!("\"{word}\""),
        false => word,
    }
}

/// A file and its includes, as they are now.
fn open(file: &Path, build: &BuildArguments) -> Result<(Opened, Vec<Header>)> {
    if Level::of(file) == Level::Ptx {
        return open_ptx(file);
    }
    let (name, source) = Level::read_source(file)?;
    let mut loader = Noting { loader: build.loader(), found: Vec::new() };
    let options = CheckOptions { target: build.target()?, ..CheckOptions::default() };
    // The page reports the program's faults.
    build::check_with(&name, &source, &build.definitions, &mut loader, options);
    let name = file.file_name().map_or(name, |name| name.to_string_lossy().into_owned());
    let opened = Opened { name, source, ..Opened::default() };
    Ok((opened, loader.found))
}

/// A text of PTX, with the original sources that its `.file` directives name and that can be read.
fn open_ptx(file: &Path) -> Result<(Opened, Vec<Header>)> {
    let (name, source) = source::read(file)?;
    let mut sources = SourceMap::new();
    let text = KernelFile::of_text(&name, &source, Level::Ptx, &mut sources);
    text.add_originals(file, &mut sources);
    let originals = sources.files().filter(|&file| sources.name(file) != name);
    let header = |file| {
        let (name, text) = (sources.name(file).to_owned(), sources.text(file).to_owned());
        Header { asked: name.clone(), name, text }
    };
    let headers = originals.map(header).collect();
    let name = file.file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned());
    Ok((Opened { name, source, ..Opened::default() }, headers))
}

/// Records included files.
struct Noting<'a> {
    loader: source::DiskLoader<'a>,
    found: Vec<Header>,
}

impl Loader for Noting<'_> {
    fn load(&mut self, including: &str, name: &str) -> Result<(String, String), NotLoaded> {
        let (resolved, text) = self.loader.load(including, name)?;
        if self.found.iter().all(|header| header.asked != name) {
            let (asked, name, text) = (name.to_owned(), resolved.clone(), text.clone());
            self.found.push(Header { asked, name, text });
        }
        Ok((resolved, text))
    }
}
