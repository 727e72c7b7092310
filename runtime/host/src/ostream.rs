//! `cout << value`: the text that libstdc++ makes of values.

use super::environment::HostEnvironment;
use super::file_library::STDERR;
use super::printf::{self, Arguments};
use crate::interpreter::bytecode::{ArgumentClass, LibraryCall};
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::library::stream::{Manipulator, Shown};

/// The widest field and the highest precision that are made.
const WIDEST: usize = 1 << 20;

/// The position of the padding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Adjust {
    Left,
    #[default]
    Right,
    /// Between sign or base and digits.
    Internal,
}

/// The notation of floating-point numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Notation {
    #[default]
    Default,
    Fixed,
    Scientific,
    Hexadecimal,
}

/// The settings of a stream by manipulators.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    width: usize,
    precision: usize,
    fill: u8,
    adjust: Adjust,
    notation: Notation,
    base: u32,
    names: bool,
    point: bool,
    plus: bool,
    prefix: bool,
    upper: bool,
    /// Something could not be written, and nothing is any more.
    bad: bool,
}

impl Default for Format {
    fn default() -> Self {
        Format {
            width: 0,
            precision: 6,
            fill: b' ',
            adjust: Adjust::Right,
            notation: Notation::Default,
            base: 10,
            names: false,
            point: false,
            plus: false,
            prefix: false,
            upper: false,
            bad: false,
        }
    }
}

impl Format {
    fn set(&mut self, what: Manipulator, value: i32) {
        use Manipulator::*;
        match what {
            Endl | Flush | Ends => {}
            Setw => self.width = (value.max(0) as usize).min(WIDEST),
            // A negative precision is the usual one.
            Setprecision if value < 0 => self.precision = 6,
            Setprecision => self.precision = (value as usize).min(WIDEST),
            Setfill => self.fill = value as u8,
            Fixed => self.notation = Notation::Fixed,
            Scientific => self.notation = Notation::Scientific,
            Hexfloat => self.notation = Notation::Hexadecimal,
            Defaultfloat => self.notation = Notation::Default,
            Dec => self.base = 10,
            Hex => self.base = 16,
            Oct => self.base = 8,
            Left => self.adjust = Adjust::Left,
            Right => self.adjust = Adjust::Right,
            Internal => self.adjust = Adjust::Internal,
            Boolalpha | Noboolalpha => self.names = what == Boolalpha,
            Showpoint | Noshowpoint => self.point = what == Showpoint,
            Showpos | Noshowpos => self.plus = what == Showpos,
            Showbase | Noshowbase => self.prefix = what == Showbase,
            Uppercase | Nouppercase => self.upper = what == Uppercase,
        }
    }

    /// An integer; `bits` are those that its type has.
    fn integer(&self, value: i128, bits: u32) -> Vec<u8> {
        let unsigned = value & ((1 << bits) - 1);
        let text = match self.base {
            10 if self.plus && value >= 0 => format!("+{value}"),
            10 => value.to_string(),
            16 if self.prefix && unsigned != 0 => format!("0x{unsigned:x}"),
            16 => format!("{unsigned:x}"),
            _ if self.prefix && unsigned != 0 => format!("0{unsigned:o}"),
            _ => format!("{unsigned:o}"),
        };
        match self.upper {
            true => text.to_ascii_uppercase().into_bytes(),
            false => text.into_bytes(),
        }
    }

    /// The format of `printf` that writes a floating-point number like this.
    fn of_float(&self) -> String {
        let plus = if self.plus { "+" } else { "" };
        let point = if self.point { "#" } else { "" };
        let letter = match self.notation {
            Notation::Default => 'g',
            Notation::Fixed => 'f',
            Notation::Scientific => 'e',
            Notation::Hexadecimal => 'a',
        };
        let letter = if self.upper { letter.to_ascii_uppercase() } else { letter };
        match self.notation {
            Notation::Hexadecimal => format!("%{plus}{point}{letter}"),
            _ => format!("%{plus}{point}.{}{letter}", self.precision),
        }
    }

    /// The text in its field; the width counts for one value only.
    fn padded(&mut self, text: Vec<u8>, is_number: bool) -> Vec<u8> {
        let missing = std::mem::take(&mut self.width).saturating_sub(text.len());
        let at = match self.adjust {
            Adjust::Left => text.len(),
            Adjust::Internal if is_number => head(&text),
            _ => 0,
        };
        let mut padded = text[..at].to_vec();
        padded.resize(at + missing, self.fill);
        padded.extend_from_slice(&text[at..]);
        padded
    }
}

/// The length of a number's sign or `0x`.
fn head(text: &[u8]) -> usize {
    match text {
        [b'+' | b'-', ..] => 1,
        [b'0', b'x' | b'X', ..] => 2,
        _ => 0,
    }
}

impl HostEnvironment<'_> {
    /// Calls a function for C++'s streams; `None` for others.
    pub(super) fn stream_library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
    ) -> Result<Option<u64>, Interrupt> {
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (stream, which, value) = (get(0), get(1), get(2));
        match call.builtin {
            Builtin::StreamPut => {
                if let Some(shown) = Shown::from_number(which) {
                    self.stream_put(stream, shown, value)?;
                }
            }
            Builtin::StreamSet => {
                if let Some(what) = Manipulator::from_number(which) {
                    self.stream_set(stream, what, value as i32)?;
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(stream))
    }

    fn stream_format(&mut self, stream: u64) -> &mut Format {
        &mut self.formats[usize::from(stream == STDERR)]
    }

    fn stream_set(&mut self, stream: u64, what: Manipulator, value: i32) -> Result<(), Interrupt> {
        self.stream_format(stream).set(what, value);
        let text: &[u8] = match what {
            Manipulator::Endl => b"\n",
            Manipulator::Ends => b"\0",
            _ => b"",
        };
        if !self.stream_format(stream).bad {
            self.put("cout", stream, text)?;
        }
        if matches!(what, Manipulator::Endl | Manipulator::Flush) {
            self.output.flush();
        }
        Ok(())
    }

    fn stream_put(&mut self, stream: u64, shown: Shown, value: u64) -> Result<(), Interrupt> {
        let format = *self.stream_format(stream);
        if format.bad {
            return Ok(());
        }
        let text = match shown {
            Shown::Char => vec![value as u8],
            Shown::Text if value == 0 => {
                self.stream_format(stream).bad = true;
                return Ok(());
            }
            Shown::Text => self.string(value as u32)?.to_vec(),
            Shown::Bool if format.names => match value {
                0 => b"false".to_vec(),
                _ => b"true".to_vec(),
            },
            Shown::Short => format.integer(value as i16 as i128, 16),
            Shown::Bool | Shown::Int => format.integer(value as i32 as i128, 32),
            Shown::UInt => unsigned(&format).integer(value as u32 as i128, 32),
            Shown::Long => format.integer(value as i64 as i128, 64),
            Shown::ULong => unsigned(&format).integer(value as i128, 64),
            Shown::Pointer => match value {
                0 => b"0".to_vec(),
                _ => format!("{value:#x}").into_bytes(),
            },
            Shown::Float | Shown::Double => {
                let (classes, values) = ([ArgumentClass::Double], [value]);
                let mut argument = Arguments::new(&classes, &values);
                let wanted = format.of_float();
                printf::format(self.memory, wanted.as_bytes(), &mut argument)
                    .map_err(Interrupt::trap)?
            }
        };
        let is_number = !matches!(shown, Shown::Char | Shown::Text);
        let text = self.stream_format(stream).padded(text, is_number);
        self.put("cout", stream, &text)?;
        Ok(())
    }
}

/// A sign is only shown of signed numbers.
fn unsigned(format: &Format) -> Format {
    Format { plus: false, ..*format }
}
