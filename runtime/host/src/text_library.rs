//! C's functions that split strings, convert them to numbers, or describe errors.

use super::environment::HostEnvironment;
use super::files::errno;
use super::libc::order;
use super::scan;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;

/// The meanings of error numbers, in glibc's words.
const ERRORS: &[(i32, &str)] = &[
    (0, "Success"),
    (1, "Operation not permitted"),
    (2, "No such file or directory"),
    (5, "Input/output error"),
    (9, "Bad file descriptor"),
    (12, "Cannot allocate memory"),
    (13, "Permission denied"),
    (17, "File exists"),
    (20, "Not a directory"),
    (21, "Is a directory"),
    (22, "Invalid argument"),
    (24, "Too many open files"),
    (27, "File too large"),
    (28, "No space left on device"),
    (30, "Read-only file system"),
    (33, "Numerical argument out of domain"),
    (34, "Numerical result out of range"),
    (36, "File name too long"),
];

fn meaning(error: i32) -> &'static str {
    ERRORS.iter().find(|known| known.0 == error).map_or("Unknown error", |known| known.1)
}

impl HostEnvironment<'_> {
    /// Calls a function on strings; `None` for others.
    pub(super) fn text_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<Option<u64>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c) = (get(0), get(1), get(2));
        let (at, from) = (a as u32, b as u32);
        let within = |index: Option<usize>| index.map_or(0, |index| a + index as u64);
        Ok(Some(match builtin {
            Strtok => self.token(at, from)?,
            Strdup => self.duplicate(at)?,
            Strcasecmp => {
                let left = self.string(at)?.to_ascii_lowercase();
                order(left.cmp(&self.string(from)?.to_ascii_lowercase()))
            }
            Strncasecmp => {
                let left = self.string_within(at, c)?.to_ascii_lowercase();
                order(left.cmp(&self.string_within(from, c)?.to_ascii_lowercase()))
            }
            Strspn | Strcspn | Strpbrk => {
                let set = self.string(from)?.to_vec();
                let text = self.string(at)?;
                let inside = builtin != Strspn;
                let stop = text.iter().position(|byte| set.contains(byte) == inside);
                match builtin {
                    Strpbrk => within(stop),
                    _ => stop.unwrap_or(text.len()) as u64,
                }
            }
            Memchr => {
                let wanted = b as u8;
                // Only bytes up to the one that is found need to be there.
                let found = self.memory.seen_by_host(at).rest(at).map(|rest| {
                    let length = rest.len().min(usize::try_from(c).unwrap_or(usize::MAX));
                    let found = rest[..length].iter().position(|&byte| byte == wanted);
                    (found, length as u64)
                });
                match found {
                    Some((Some(index), _)) => within(Some(index)),
                    Some((None, length)) if length == c => 0,
                    _ => {
                        self.bytes(at, c, false)?;
                        0
                    }
                }
            }
            Strtol | Strtoul => {
                let found = scan::whole(self.string(at)?, c as u32, builtin == Strtol);
                self.put_end(from, a, found.length)?;
                if found.too_large {
                    self.set_errno(errno::ERANGE);
                }
                found.bits
            }
            Strtod | Strtof => {
                let text = self.string(at)?;
                let (value, length) = scan::float_prefix(text);
                let bits = match builtin {
                    Strtod => value.to_bits(),
                    _ => scan::float32(text).to_bits().into(),
                };
                let named = self.string(at)?.iter().any(|byte| b"iI".contains(byte));
                if value.is_infinite() && !named {
                    self.set_errno(errno::ERANGE);
                }
                self.put_end(from, a, length)?;
                bits
            }
            ErrnoLocation => self.errno_location(),
            Strerror => self.text(meaning(a as i32)),
            Perror => {
                let mut line = match at {
                    0 => Vec::new(),
                    _ => self.string(at)?.to_vec(),
                };
                if !line.is_empty() {
                    line.extend_from_slice(b": ");
                }
                line.extend_from_slice(meaning(self.errno()).as_bytes());
                line.push(b'\n');
                self.output.print_error(&line);
                0
            }
            _ => return Ok(None),
        }))
    }

    /// Stores the end of a number, if the program passed a place for it.
    fn put_end(&mut self, at: u32, start: u64, length: usize) -> Result<(), Interrupt> {
        if at == 0 {
            return Ok(());
        }
        self.put_pointer(at, (start as u32).wrapping_add(length as u32))
    }

    fn token(&mut self, text: u32, separators: u32) -> Result<u64, Interrupt> {
        let start = if text == 0 { self.token } else { text };
        let separators = self.string(separators)?.to_vec();
        if start == 0 {
            return Ok(0);
        }
        let text = self.string(start)?;
        let is_part = |byte: &u8| !separators.contains(byte);
        let Some(first) = text.iter().position(is_part) else {
            // At the end of the string, so that the next call finds nothing either.
            self.token = start.wrapping_add(text.len() as u32);
            return Ok(0);
        };
        let length = text[first..].iter().take_while(|byte| is_part(byte)).count();
        let is_last = first + length == text.len();
        let begin = start.wrapping_add(first as u32);
        let end = begin.wrapping_add(length as u32);
        if !is_last {
            self.bytes(end, 1, true)?.fill(0);
        }
        self.token = end.wrapping_add(u32::from(!is_last));
        Ok(begin.into())
    }

    fn duplicate(&mut self, text: u32) -> Result<u64, Interrupt> {
        let text = self.string(text)?.to_vec();
        let Some(copy) = self.memory.host().allocate(text.len() as u64 + 1) else {
            return Ok(0);
        };
        self.bytes(copy, text.len() as u64, true)?.copy_from_slice(&text);
        Ok(copy.into())
    }

    /// The address of `errno`, which gets a place at the first request.
    fn errno_location(&mut self) -> u64 {
        if self.errno_at == 0 {
            self.errno_at = self.memory.host().allocate(4).unwrap_or(0);
            let error = self.errno;
            self.set_errno(error);
        }
        self.errno_at.into()
    }

    /// Sets the error number.
    pub(super) fn set_errno(&mut self, error: i32) {
        self.errno = error;
        if let Some(place) = self.memory.host().place(self.errno_at) {
            *place = error.to_le_bytes();
        }
    }

    fn errno(&mut self) -> i32 {
        let stored = self.memory.host().load(self.errno_at);
        stored.map_or(self.errno, i32::from_le_bytes)
    }
}
