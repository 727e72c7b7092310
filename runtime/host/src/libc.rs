//! C's library, as far as the language has it.

use super::environment::HostEnvironment;
use super::files::errno;
use super::memory::HOST_BASE;
use super::printf::{self, Arguments, c_string};
use super::report::Report;
use super::scan;
use crate::interpreter::bytecode::LibraryCall;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use std::cmp::Ordering;

/// A shell's status of an aborted program: 128 and the number of the signal.
const ABORTED: i32 = 134;
/// The exit status of a program whose standard output was closed by its reader.
const BROKEN_PIPE: i32 = 141;

impl HostEnvironment<'_> {
    /// Calls a function of C's library; `None` for CUDA's.
    pub(super) fn c_library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
        left: i64,
    ) -> Result<Option<u64>, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c) = (get(0), get(1), get(2));
        let (at, from) = (a as u32, b as u32);
        let value = match call.builtin {
            Printf | Fprintf | Sprintf | Snprintf => self.formatted(call, arguments)?,
            Puts => {
                let mut text = self.string(at)?.to_vec();
                text.push(b'\n');
                self.output.print(&text);
                text.len() as u64
            }
            Putchar => {
                self.output.print(&[a as u8]);
                a as u8 as u64
            }
            Malloc => self.memory.host().allocate(a).unwrap_or(0) as u64,
            Calloc => self.memory.host().allocate(a.saturating_mul(b)).unwrap_or(0) as u64,
            PosixMemalign if !b.is_power_of_two() || b < 8 => errno::EINVAL as u64,
            PosixMemalign => match self.memory.host().allocate_aligned(c, b) {
                Some(address) => {
                    self.put_pointer(at, address)?;
                    0
                }
                None => errno::ENOMEM as u64,
            },
            AlignedAlloc if !a.is_power_of_two() => 0,
            AlignedAlloc => self.memory.host().allocate_aligned(b, a).unwrap_or(0) as u64,
            Realloc => self.realloc(at, b)?,
            Free => self.free(at)?,
            Memcpy | Memmove => {
                let copy = self.bytes(from, c, false)?.to_vec();
                self.bytes(at, c, true)?.copy_from_slice(&copy);
                a
            }
            Memset => {
                self.bytes(at, c, true)?.fill(b as u8);
                a
            }
            Memcmp => {
                let left = self.bytes(at, c, false)?.to_vec();
                order(left.as_slice().cmp(self.bytes(from, c, false)?))
            }
            Strlen => self.string(at)?.len() as u64,
            Strcmp => {
                let left = self.string(at)?.to_vec();
                order(left.as_slice().cmp(self.string(from)?))
            }
            Strncmp => self.strncmp(at, from, c)?,
            Strcpy => {
                let mut text = self.string(from)?.to_vec();
                text.push(0);
                self.bytes(at, text.len() as u64, true)?.copy_from_slice(&text);
                a
            }
            Strncpy | Strcat | Strncat | Strchr | Strrchr | Strstr => {
                self.strings(call.builtin, a, b, c)?
            }
            Isalpha | Isdigit | Isalnum | Isspace | Isupper | Islower | Ispunct | Isxdigit
            | Isprint => u64::from(is_of_class(call.builtin, a as i32)),
            Toupper | Tolower => change_case(call.builtin == Toupper, a as i32) as u64,
            Atoi => scan::integer(self.string(at)?) as i32 as u64,
            Atol => scan::integer(self.string(at)?) as u64,
            Atof => scan::float(self.string(at)?).to_bits(),
            Exit => return Err(Interrupt::Exit(a as i32)),
            AssertFail => {
                let [text, file] = [at, from].map(|at| self.string(at).map(<[u8]>::to_vec));
                let [text, file] =
                    [text?, file?].map(|text| String::from_utf8_lossy(&text).into_owned());
                let line = c as i32;
                let message = format!("{file}:{line}: assertion `{text}' failed.\n");
                self.output.print_error(message.as_bytes());
                return Err(Interrupt::Abort(ABORTED));
            }
            Abort => return Err(Interrupt::Abort(ABORTED)),
            _ => match self.other_library(call, arguments, left)? {
                Some(value) => value,
                None => return Ok(None),
            },
        };
        if self.output.is_closed() {
            return Err(Interrupt::Abort(BROKEN_PIPE));
        }
        self.end_if_full()?;
        Ok(Some(value))
    }

    /// Calls a function of files, streams, allocation by `new`, text or time; `None` for any other.
    fn other_library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
        left: i64,
    ) -> Result<Option<u64>, Interrupt> {
        let mut found = self.file_library(call, arguments)?;
        if found.is_none() {
            found = self.stream_library(call, arguments)?;
        }
        if found.is_none() {
            found = self.new_library(call.builtin, arguments)?;
        }
        if found.is_none() {
            found = self.text_library(call.builtin, arguments)?;
        }
        if found.is_none() {
            found = self.time_library(call.builtin, arguments, left)?;
        }
        Ok(found)
    }

    fn formatted(&mut self, call: &LibraryCall, arguments: &[u64]) -> Result<u64, Interrupt> {
        let fixed = match call.builtin {
            Builtin::Printf => 1,
            Builtin::Snprintf => 3,
            _ => 2,
        };
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let format = self.string(get(fixed - 1) as u32)?.to_vec();
        let classes = call.arguments.get(fixed..).unwrap_or(&[]);
        let values = arguments.get(fixed..).unwrap_or(&[]);
        let mut rest = Arguments::new(classes, values);
        let text = printf::format(self.memory, &format, &mut rest).map_err(Interrupt::trap)?;
        let length = text.len() as u64;
        match call.builtin {
            Builtin::Sprintf => self.put_string(get(0) as u32, text, u64::MAX)?,
            Builtin::Snprintf => self.put_string(get(0) as u32, text, get(1))?,
            Builtin::Fprintf => {
                if !self.put("fprintf", get(0), &text)? {
                    return Ok(-1i64 as u64);
                }
            }
            _ => self.output.print(&text),
        }
        Ok(length)
    }

    /// Stores a string in a buffer of `size` bytes, cut if it must be.
    fn put_string(&mut self, at: u32, mut text: Vec<u8>, size: u64) -> Result<(), Interrupt> {
        if size == 0 {
            return Ok(());
        }
        text.truncate((size - 1).min(u32::MAX as u64) as usize);
        text.push(0);
        self.bytes(at, text.len() as u64, true)?.copy_from_slice(&text);
        Ok(())
    }

    pub(super) fn string(&mut self, address: u32) -> Result<&[u8], Interrupt> {
        c_string(self.memory, address, None).map_err(Interrupt::trap)
    }

    /// The string at an address, or its first `most` bytes.
    pub(super) fn string_within(&mut self, address: u32, most: u64) -> Result<&[u8], Interrupt> {
        let most = Some(most.min(u32::MAX as u64) as usize);
        c_string(self.memory, address, most).map_err(Interrupt::trap)
    }

    fn strncmp(&mut self, left: u32, right: u32, most: u64) -> Result<u64, Interrupt> {
        let first = self.string_within(left, most)?.to_vec();
        Ok(order(first.as_slice().cmp(self.string_within(right, most)?)))
    }

    /// Functions that find or copy parts of strings; `a` is the first argument.
    fn strings(&mut self, what: Builtin, a: u64, b: u64, c: u64) -> Result<u64, Interrupt> {
        let (at, from) = (a as u32, b as u32);
        let place = |found: Option<usize>| found.map_or(0, |index| a + index as u64);
        let most = match what {
            Builtin::Strncpy | Builtin::Strncat => Some(c.min(u32::MAX as u64) as usize),
            _ => None,
        };
        Ok(match what {
            Builtin::Strchr | Builtin::Strrchr => {
                let text = self.string(at)?;
                let wanted = b as u8;
                place(match what {
                    // The end is part of the string.
                    _ if wanted == 0 => Some(text.len()),
                    Builtin::Strchr => text.iter().position(|&byte| byte == wanted),
                    _ => text.iter().rposition(|&byte| byte == wanted),
                })
            }
            Builtin::Strstr => {
                let wanted = self.string(from)?.to_vec();
                let text = self.string(at)?;
                place(match wanted.is_empty() {
                    true => Some(0),
                    false => text.windows(wanted.len()).position(|part| part == wanted),
                })
            }
            _ => {
                let part = c_string(self.memory, from, most).map_err(Interrupt::trap)?;
                let mut part = part.to_vec();
                let start = match what {
                    Builtin::Strncpy => 0,
                    _ => self.string(at)?.len() as u32,
                };
                match what {
                    Builtin::Strncpy => part.resize(most.unwrap_or(0), 0),
                    _ => part.push(0),
                }
                let target = self.bytes(at.wrapping_add(start), part.len() as u64, true)?;
                target.copy_from_slice(&part);
                a
            }
        })
    }

    fn realloc(&mut self, address: u32, size: u64) -> Result<u64, Interrupt> {
        if address == 0 {
            return Ok(self.memory.host().allocate(size).unwrap_or(0) as u64);
        }
        self.require_not_new("realloc", address)?;
        let Some(old) = self.memory.host().allocation_from(address) else {
            return Err(self.not_allocated("realloc", address));
        };
        let kept = (old.end - old.start).min(size.min(u32::MAX as u64) as u32);
        let bytes = self.bytes(address, kept as u64, false)?.to_vec();
        let Some(new) = self.memory.host().allocate(size) else {
            return Ok(0);
        };
        self.bytes(new, kept as u64, true)?.copy_from_slice(&bytes);
        self.free(address)?;
        Ok(new as u64)
    }

    /// `free`; a trap if it is no allocation.
    pub(super) fn free(&mut self, address: u32) -> Result<u64, Interrupt> {
        self.require_not_new("free", address)?;
        if !self.unwritten.is_empty()
            && let Some(range) = self.memory.host().allocation_from(address)
        {
            self.unwritten.remove(range);
            self.look();
        }
        if address != 0 && self.memory.host().free(address).is_none() {
            return Err(self.not_allocated("free", address));
        }
        Ok(0)
    }

    fn not_allocated(&self, what: &str, address: u32) -> Interrupt {
        let message = format!("{what} of {address:#010x}, where no allocation starts");
        let (reason, help) = if address < HOST_BASE {
            (message, "device memory is freed with `cudaFree`")
        } else if self.memory.host_is_freed(address) {
            (format!("{message}: it was freed before"), "free memory once")
        } else {
            (message, "only what `malloc`, `calloc` or `realloc` returned can be freed")
        };
        Interrupt::trap(Report::new(reason).with_help(help))
    }
}

/// `isalpha` and its kin, in the locale "C".
fn is_of_class(class: Builtin, value: i32) -> bool {
    let Ok(byte) = u8::try_from(value) else {
        return false;
    };
    match class {
        Builtin::Isalpha => byte.is_ascii_alphabetic(),
        Builtin::Isdigit => byte.is_ascii_digit(),
        Builtin::Isalnum => byte.is_ascii_alphanumeric(),
        Builtin::Isspace => matches!(byte, b' ' | 9..=13),
        Builtin::Isupper => byte.is_ascii_uppercase(),
        Builtin::Islower => byte.is_ascii_lowercase(),
        Builtin::Ispunct => byte.is_ascii_punctuation(),
        Builtin::Isxdigit => byte.is_ascii_hexdigit(),
        _ => byte == b' ' || byte.is_ascii_graphic(),
    }
}

fn change_case(upper: bool, value: i32) -> i32 {
    match u8::try_from(value) {
        Ok(byte) if upper => byte.to_ascii_uppercase().into(),
        Ok(byte) => byte.to_ascii_lowercase().into(),
        Err(_) => value,
    }
}

/// -1, 0 or 1 as an `int`.
pub(super) fn order(order: Ordering) -> u64 {
    order as i64 as u64
}
