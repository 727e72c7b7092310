//! C's functions on files.

use super::environment::HostEnvironment;
use super::files::errno;
use super::input_format::{self, Scanned, Text};
use super::memory::HOST_BASE;
use super::report::Report;
use super::stream::Stream;
use crate::interpreter::bytecode::LibraryCall;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;

/// The values of `stdout`, `stderr` and `stdin`.
pub(super) const STDOUT: u64 = 1;
pub(super) const STDERR: u64 = 2;
pub(super) const STDIN: u64 = 3;
/// Size of the object that a `FILE *` of an opened file points to, in bytes.
const FILE_SIZE: u64 = 16;
/// `EOF` as an `int`.
const EOF: u64 = -1i64 as u64;

impl HostEnvironment<'_> {
    /// Calls a function on files; `None` for others.
    pub(super) fn file_library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
    ) -> Result<Option<u64>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c, d) = (get(0), get(1), get(2), get(3));
        let name = call.builtin.row().names[0];
        Ok(Some(match call.builtin {
            Stdin => STDIN,
            Stdout => STDOUT,
            Stderr => STDERR,
            Fopen => self.open(a as u32, b as u32)?,
            Fclose => self.close(a)?,
            Fflush => self.flush(a)?,
            Fread => self.read_elements(a as u32, b, c, d)?,
            Fwrite => {
                let size = b.saturating_mul(c);
                let bytes = self.bytes(a as u32, size, false)?.to_vec();
                let good = self.put(name, d, &bytes)?;
                if good && size > 0 { c } else { 0 }
            }
            Fputs => {
                let text = self.string(a as u32)?.to_vec();
                if self.put(name, b, &text)? { 1 } else { EOF }
            }
            Fputc => {
                let byte = a as u8;
                if self.put(name, b, &[byte])? { byte.into() } else { EOF }
            }
            Fgets => self.read_line(a as u32, b as i32, c)?,
            Fgetc => self.reading(name, a)?.byte().map_or(EOF, u64::from),
            Getchar => self.reading(name, STDIN)?.byte().map_or(EOF, u64::from),
            Ungetc => {
                let good = a as i32 >= 0 && self.reading(name, b)?.put_back(a as u8);
                if good { a as u8 as u64 } else { EOF }
            }
            Fseek => self.seek(a, b as i64, c as i32)?,
            Rewind => {
                self.seek(a, 0, 0)?;
                self.clear(name, a)?
            }
            Clearerr => self.clear(name, a)?,
            Ftell => self.stream(name, a)?.and_then(|stream| stream.tell()).unwrap_or(EOF),
            Feof => self.stream(name, a)?.is_some_and(|stream| stream.at_end).into(),
            Ferror => self.stream(name, a)?.is_some_and(|stream| stream.failed).into(),
            Fscanf => {
                let format = self.string(b as u32)?.to_vec();
                let scanned = input_format::scan(self.reading(name, a)?, &format);
                self.store_scanned(scanned, arguments.get(2..).unwrap_or(&[]))?
            }
            Scanf => {
                let format = self.string(a as u32)?.to_vec();
                let scanned = input_format::scan(self.reading(name, STDIN)?, &format);
                self.store_scanned(scanned, arguments.get(1..).unwrap_or(&[]))?
            }
            Sscanf => {
                let text = self.string(a as u32)?.to_vec();
                let format = self.string(b as u32)?.to_vec();
                let scanned = input_format::scan(&mut Text(&text), &format);
                self.store_scanned(scanned, arguments.get(2..).unwrap_or(&[]))?
            }
            _ => return Ok(None),
        }))
    }

    /// Closes everything, at the program's end.
    pub(super) fn close_files(&mut self) {
        if !self.files.flush() {
            self.output.print_error(b"note: a file that the program wrote is not complete\n");
        }
    }

    fn open(&mut self, name: u32, mode: u32) -> Result<u64, Interrupt> {
        let (name, mode) = (self.string(name)?.to_vec(), self.string(mode)?.to_vec());
        let stream = match self.files.open(&name, &mode) {
            Ok(stream) => stream,
            Err(refusal) => {
                if let Some(note) = refusal.note {
                    self.output.print_error(note.as_bytes());
                }
                self.set_errno(refusal.errno);
                return Ok(0);
            }
        };
        let Some(file) = self.memory.host().allocate(FILE_SIZE) else {
            return Ok(0);
        };
        self.files.insert(file, stream);
        Ok(file.into())
    }

    fn close(&mut self, file: u64) -> Result<u64, Interrupt> {
        if matches!(file, STDIN | STDOUT | STDERR) {
            return Ok(0);
        }
        match self.files.close(file as u32) {
            Some(good) => {
                self.memory.host().free(file as u32);
                Ok(if good { 0 } else { EOF })
            }
            None => Err(not_open("fclose", file)),
        }
    }

    fn flush(&mut self, file: u64) -> Result<u64, Interrupt> {
        let good = match file {
            STDOUT | STDERR | STDIN => true,
            0 => self.files.flush(),
            _ => match self.files.get(file as u32) {
                Some(stream) => stream.flush(),
                None => return Err(not_open("fflush", file)),
            },
        };
        self.output.flush();
        Ok(if good { 0 } else { EOF })
    }

    /// The stream of a `FILE *`; none for `stdout` and `stderr`.
    fn stream(&mut self, name: &str, file: u64) -> Result<Option<&mut Stream>, Interrupt> {
        match file {
            STDOUT | STDERR => Ok(None),
            STDIN => Ok(Some(self.files.input())),
            _ => match self.files.get(file as u32) {
                Some(stream) => Ok(Some(stream)),
                None => Err(not_open(name, file)),
            },
        }
    }

    /// The stream of a `FILE *` that is read.
    fn reading(&mut self, name: &str, file: u64) -> Result<&mut Stream, Interrupt> {
        if file == STDIN {
            // A question should be seen before its answer is waited for.
            self.output.flush();
        }
        match self.stream(name, file)? {
            Some(stream) => Ok(stream),
            None => Err(Interrupt::trap(Report::new(format!("{name} of an output stream")))),
        }
    }

    /// Writes to a stream; whether that worked.
    pub(super) fn put(&mut self, name: &str, file: u64, bytes: &[u8]) -> Result<bool, Interrupt> {
        match file {
            STDOUT => self.output.print(bytes),
            STDERR => self.output.print_error(bytes),
            _ => {
                return Ok(self.stream(name, file)?.is_some_and(|stream| stream.write(bytes)));
            }
        }
        Ok(true)
    }

    fn read_elements(
        &mut self,
        at: u32,
        size: u64,
        count: u64,
        file: u64,
    ) -> Result<u64, Interrupt> {
        let total = size.saturating_mul(count).min(u32::MAX.into()) as usize;
        let found = self.reading("fread", file)?.read(total);
        self.bytes(at, found.len() as u64, true)?.copy_from_slice(&found);
        Ok((found.len() as u64).checked_div(size).unwrap_or(0))
    }

    fn read_line(&mut self, at: u32, size: i32, file: u64) -> Result<u64, Interrupt> {
        let most = (size as i64 - 1).max(0) as usize;
        let mut found = self.reading("fgets", file)?.line(most);
        if size < 1 || found.is_empty() && most > 0 {
            return Ok(0);
        }
        found.push(0);
        self.bytes(at, found.len() as u64, true)?.copy_from_slice(&found);
        Ok(at.into())
    }

    fn seek(&mut self, file: u64, offset: i64, whence: i32) -> Result<u64, Interrupt> {
        let good = self.stream("fseek", file)?.is_some_and(|stream| stream.seek(offset, whence));
        if !good {
            self.set_errno(errno::EINVAL);
        }
        Ok(if good { 0 } else { EOF })
    }

    fn clear(&mut self, name: &str, file: u64) -> Result<u64, Interrupt> {
        if let Some(stream) = self.stream(name, file)? {
            (stream.at_end, stream.failed) = (false, false);
        }
        Ok(0)
    }

    /// Stores the conversions that were read at the program's addresses.
    fn store_scanned(&mut self, scanned: Scanned, targets: &[u64]) -> Result<u64, Interrupt> {
        for (index, bytes) in scanned.stores.iter().enumerate() {
            let Some(&target) = targets.get(index) else {
                let message = format!(
                    "the format stores value number {}, but the call passes {index}",
                    index + 1
                );
                return Err(Interrupt::trap(Report::new(message)));
            };
            self.bytes(target as u32, bytes.len() as u64, true)?.copy_from_slice(bytes);
        }
        Ok(scanned.result as i64 as u64)
    }
}

fn not_open(name: &str, file: u64) -> Interrupt {
    let (what, help) = match file {
        0 => ("a null pointer", "check that `fopen` did not return NULL"),
        _ if file >= HOST_BASE.into() => {
            ("a stream that is not open", "it was closed, or never opened")
        }
        _ => ("what is no stream", "streams are `stdin`, `stdout`, `stderr` and those of `fopen`"),
    };
    Interrupt::trap(Report::new(format!("{name} of {what}")).with_help(help))
}
