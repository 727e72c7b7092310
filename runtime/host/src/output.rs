//! Standard output and standard error of the program.

use std::io::{ErrorKind, Write};

/// Bytes that are gathered before they are written.
const BUFFER: usize = 1 << 16;

/// The two streams. Output that cannot be written is lost, as in C when the result is not checked.
///
/// A reader that has gone away is remembered, for a program that prints on and on.
pub struct Output<'a> {
    standard: &'a mut dyn Write,
    error: &'a mut dyn Write,
    buffer: Vec<u8>,
    closed: bool,
    /// Bytes that may still be printed.
    left: u64,
    full: bool,
}

impl<'a> Output<'a> {
    /// Streams that end up here, with room for `most` bytes.
    pub fn new(standard: &'a mut dyn Write, error: &'a mut dyn Write, most: u64) -> Self {
        Output { standard, error, buffer: Vec::new(), closed: false, left: most, full: false }
    }

    /// The part of the output that fits.
    fn fitting<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let room = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len());
        self.full |= room < bytes.len();
        self.left -= room as u64;
        &bytes[..room]
    }

    /// Writes to standard output.
    pub fn print(&mut self, bytes: &[u8]) {
        let bytes = self.fitting(bytes);
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= BUFFER {
            self.write_out();
        }
    }

    /// Writes to standard error, after all that was printed before.
    pub fn print_error(&mut self, bytes: &[u8]) {
        self.flush();
        let bytes = self.fitting(bytes);
        let _ = self.error.write_all(bytes);
        let _ = self.error.flush();
    }

    /// Returns true if the reader of standard output has closed it.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns true if the printed output exceeds its limit.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Writes the output so far.
    pub fn flush(&mut self) {
        self.write_out();
        let _ = self.standard.flush();
    }

    fn write_out(&mut self) {
        let result = self.standard.write_all(&self.buffer);
        self.closed |= result.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        self.buffer.clear();
    }
}
