//! Writing results. A reader that closes the pipe early is no error.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// Writes an output file, or standard output for `-`.
pub fn write(output: &Path, bytes: &[u8]) -> Result<()> {
    write_parts(output, std::iter::once(bytes))
}

/// Writes text that is made part by part.
pub fn write_parts(output: &Path, parts: impl Iterator<Item = impl AsRef<[u8]>>) -> Result<()> {
    if output != Path::new("-") {
        let wrong = || format!("cannot write `{}`", output.display());
        let file = File::create(output).with_context(wrong)?;
        return all(BufWriter::new(file), parts).with_context(wrong);
    }
    match all(io::stdout().lock(), parts) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(error).context("cannot write output")
        }
        _ => Ok(()),
    }
}

fn all(mut to: impl Write, parts: impl Iterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
    for part in parts {
        to.write_all(part.as_ref())?;
    }
    to.flush()
}

/// Writes a text to standard output.
pub fn show(text: &str) -> Result<()> {
    write(Path::new("-"), text.as_bytes())
}

/// Fails if the file cannot be written; its contents stay.
pub fn check(output: &Path) -> Result<()> {
    if output != Path::new("-") {
        let opened = std::fs::OpenOptions::new().append(true).create(true).open(output);
        opened.with_context(|| format!("cannot write `{}`", output.display()))?;
    }
    Ok(())
}

/// A stream that remembers the first failure.
pub struct Remembered<W> {
    stream: W,
    failure: Option<io::Error>,
}

impl<W: Write> Remembered<W> {
    /// A stream without failures.
    pub fn new(stream: W) -> Self {
        Remembered { stream, failure: None }
    }

    /// The first failure, except that the reader has closed the stream.
    pub fn failure(self) -> Option<io::Error> {
        self.failure.filter(|error| error.kind() != ErrorKind::BrokenPipe)
    }

    fn remember<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.failure.get_or_insert(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for Remembered<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.stream.write(bytes);
        self.remember(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.stream.flush();
        self.remember(result)
    }
}
