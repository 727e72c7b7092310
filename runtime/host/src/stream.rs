//! An open file of the program: its contents in memory, written back when it is flushed.

use super::input_format::Source;
use super::sandbox::WAITS_FOR_INPUT;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::atomic::Ordering;

/// The most bytes of a file.
pub const FILE_LIMIT: usize = 256 << 20;
/// Characters that can be put back one after the other.
const BACK_LIMIT: usize = 64;
/// Bytes of standard input that are read at once, and kept when they have been read.
const CHUNK: usize = 1 << 16;

/// The permitted uses of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Reading works.
    pub read: bool,
    /// Writing works.
    pub write: bool,
    /// It is emptied when it is opened.
    pub truncate: bool,
    /// It is made when it is not there.
    pub create: bool,
    /// Every write goes to the end.
    pub append: bool,
}

impl Mode {
    /// The mode that `fopen` calls so: `r`, `w` or `a`, with `+`, and with `b` or `t` that mean
    /// nothing.
    pub fn of(text: &[u8]) -> Option<Mode> {
        let (first, rest) = text.split_first()?;
        if !rest.iter().all(|byte| b"+bt".contains(byte)) {
            return None;
        }
        let both = rest.contains(&b'+');
        let none = Mode::default();
        Some(match first {
            b'r' => Mode { read: true, write: both, ..none },
            b'w' => Mode { read: both, write: true, truncate: true, create: true, ..none },
            b'a' => Mode { read: both, write: true, create: true, append: true, ..none },
            _ => return None,
        })
    }
}

/// The source and destination of a stream's bytes.
#[derive(Debug)]
enum Backing {
    /// Nothing beyond the contents in memory.
    Memory,
    File(File),
    /// Standard input of this process, read when it is needed.
    SystemInput,
}

/// An open file, or standard input.
#[derive(Debug)]
pub struct Stream {
    backing: Backing,
    mode: Mode,
    content: Vec<u8>,
    /// The position in the contents at which the next byte is read or written.
    position: usize,
    /// Characters put back, the last one first to be read.
    back: Vec<u8>,
    /// The bytes that the file on disk does not have yet.
    unwritten: Range<usize>,
    /// A read has met the end.
    pub at_end: bool,
    /// Something has failed.
    pub failed: bool,
}

impl Stream {
    fn new(backing: Backing, mode: Mode, content: Vec<u8>) -> Stream {
        Stream {
            backing,
            mode,
            content,
            position: 0,
            back: Vec::new(),
            unwritten: 0..0,
            at_end: false,
            failed: false,
        }
    }

    /// Bytes to be read.
    pub fn of_bytes(content: Vec<u8>) -> Stream {
        Stream::new(Backing::Memory, Mode { read: true, ..Mode::default() }, content)
    }

    /// Standard input of this process.
    pub fn of_system_input() -> Stream {
        Stream::new(Backing::SystemInput, Mode { read: true, ..Mode::default() }, Vec::new())
    }

    /// An open file.
    ///
    /// # Errors
    /// It cannot be read, or is larger than [`FILE_LIMIT`].
    pub fn of_file(mut file: File, mode: Mode) -> std::io::Result<Stream> {
        let mut content = Vec::new();
        if !mode.truncate && (mode.read || mode.append) {
            (&mut file).take(FILE_LIMIT as u64 + 1).read_to_end(&mut content)?;
        }
        if content.len() > FILE_LIMIT {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        let mut stream = Stream::new(Backing::File(file), mode, content);
        if mode.append {
            stream.position = stream.content.len();
        }
        Ok(stream)
    }

    /// Returns true if another byte is available after those put back.
    fn fill(&mut self) -> bool {
        if self.position >= self.content.len() && matches!(self.backing, Backing::SystemInput) {
            self.content.resize(CHUNK, 0);
            WAITS_FOR_INPUT.store(true, Ordering::Relaxed);
            let count = std::io::stdin().lock().read(&mut self.content).unwrap_or(0);
            WAITS_FOR_INPUT.store(false, Ordering::Relaxed);
            self.content.truncate(count);
            self.position = 0;
        }
        self.position < self.content.len()
    }

    /// Returns true if it may be read; otherwise records a failure.
    fn may_read(&mut self) -> bool {
        self.failed |= !self.mode.read;
        self.mode.read
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let byte = self.peek();
        if byte.is_some() {
            self.skip();
        }
        byte
    }

    /// At most `count` bytes; fewer at the end.
    pub fn read(&mut self, count: usize) -> Vec<u8> {
        let mut found = Vec::new();
        if !self.may_read() {
            return found;
        }
        while found.len() < count {
            if let Some(byte) = self.back.pop() {
                found.push(byte);
                continue;
            }
            if !self.fill() {
                self.at_end = true;
                break;
            }
            let rest = &self.content[self.position..];
            let part = &rest[..rest.len().min(count - found.len())];
            found.extend_from_slice(part);
            self.position += part.len();
        }
        found
    }

    /// A line with its end, at most `most` bytes of it; empty at the end.
    pub fn line(&mut self, most: usize) -> Vec<u8> {
        let mut found = Vec::new();
        while found.len() < most
            && let Some(byte) = self.byte()
        {
            found.push(byte);
            if byte == b'\n' {
                break;
            }
        }
        found
    }

    /// Puts a character back, if there is room.
    pub fn put_back(&mut self, byte: u8) -> bool {
        if !self.mode.read || self.back.len() >= BACK_LIMIT {
            return false;
        }
        self.back.push(byte);
        self.at_end = false;
        true
    }

    /// Writes bytes; false when they cannot be, or when the file would become too large.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        if self.mode.append {
            self.position = self.content.len();
        }
        self.position = self.position.saturating_sub(std::mem::take(&mut self.back).len());
        let end = self.position.saturating_add(bytes.len());
        if !self.mode.write || end > FILE_LIMIT {
            self.failed = true;
            return false;
        }
        // A gap that `fseek` has left is zeroes.
        let start = self.position.min(self.content.len());
        if end > self.content.len() {
            self.content.resize(end, 0);
        }
        self.content[self.position..end].copy_from_slice(bytes);
        self.position = end;
        self.unwritten = match self.unwritten.is_empty() {
            true => start..end,
            false => self.unwritten.start.min(start)..self.unwritten.end.max(end),
        };
        true
    }

    /// Writes the contents to the disk; false when that fails.
    pub fn flush(&mut self) -> bool {
        let range = std::mem::take(&mut self.unwritten);
        let Backing::File(file) = &mut self.backing else {
            return true;
        };
        if range.is_empty() {
            return true;
        }
        let start = SeekFrom::Start(range.start as u64);
        let bytes = self.content.get(range).unwrap_or(&[]);
        let written = file.seek(start).and_then(|_| file.write_all(bytes));
        self.failed |= written.is_err();
        written.is_ok()
    }

    /// The position at which the next byte is read or written; none for standard input.
    pub fn tell(&self) -> Option<u64> {
        let is_file = matches!(self.backing, Backing::File(_));
        is_file.then(|| self.position.saturating_sub(self.back.len()) as u64)
    }

    /// Moves by `offset` bytes from the start (0), from here (1) or from the end (2); false when
    /// there is no such place.
    pub fn seek(&mut self, offset: i64, whence: i32) -> bool {
        let Some(here) = self.tell() else {
            return false;
        };
        let from = match whence {
            0 => 0,
            1 => here as i64,
            2 => self.content.len() as i64,
            _ => return false,
        };
        let target = from.checked_add(offset).and_then(|at| usize::try_from(at).ok());
        let Some(target) = target.filter(|&at| at <= FILE_LIMIT) else {
            return false;
        };
        self.position = target;
        self.back.clear();
        self.at_end = false;
        true
    }
}

impl Source for Stream {
    fn peek(&mut self) -> Option<u8> {
        if !self.may_read() {
            return None;
        }
        if let Some(&byte) = self.back.last() {
            return Some(byte);
        }
        if !self.fill() {
            self.at_end = true;
            return None;
        }
        self.content.get(self.position).copied()
    }

    fn skip(&mut self) {
        if self.back.pop().is_none() {
            self.position += 1;
        }
    }
}
