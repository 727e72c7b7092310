//! `printf`'s formatting, as C has it and glibc does it.

use super::float_text::{Style, text as float_text};
use super::memory::{Accessor, Memory};
use super::report::Report;
use crate::interpreter::arithmetic::{f32_of, f64_of, host_integer};
use crate::interpreter::bytecode::ArgumentClass;
use crate::interpreter::kind::Kind;

/// The widest field and the highest precision; a larger request is a mistake.
const WIDEST: usize = 1 << 20;

/// The arguments after the format.
#[derive(Clone, Debug)]
pub struct Arguments<'a> {
    classes: &'a [ArgumentClass],
    values: &'a [u64],
    next: usize,
    /// True if a kernel gave them, whose strings may be in device memory.
    of_kernel: bool,
}

impl<'a> Arguments<'a> {
    /// Arguments with their classes.
    pub fn new(classes: &'a [ArgumentClass], values: &'a [u64]) -> Self {
        Arguments { classes, values, next: 0, of_kernel: false }
    }

    /// Arguments that a kernel gave.
    pub fn of_kernel(classes: &'a [ArgumentClass], values: &'a [u64]) -> Self {
        Arguments { of_kernel: true, ..Arguments::new(classes, values) }
    }

    fn next(&mut self) -> Result<(ArgumentClass, u64), Report> {
        let at = self.next;
        self.next += 1;
        match (self.classes.get(at), self.values.get(at)) {
            (Some(&class), Some(&value)) => Ok((class, value)),
            _ => Err(Report::new(format!(
                "the format reads value number {}, but the call passes {at}",
                at + 1
            ))),
        }
    }

    /// An integer's bits. A float in place of an integer, undefined in C, is converted.
    fn integer(&mut self) -> Result<u64, Report> {
        let (class, value) = self.next()?;
        Ok(match class {
            ArgumentClass::Double => host_integer(f64_of(value), Kind::I64),
            ArgumentClass::Float => host_integer(f32_of(value) as f64, Kind::I64),
            _ => value,
        })
    }

    /// A float. An integer in place of a float, undefined in C, is converted.
    fn float(&mut self) -> Result<f64, Report> {
        let (class, value) = self.next()?;
        Ok(match class {
            ArgumentClass::Double => f64_of(value),
            ArgumentClass::Float => f32_of(value) as f64,
            _ => value as i64 as f64,
        })
    }
}

/// One conversion specification.
#[derive(Clone, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of the integer.
    size: u32,
    conversion: u8,
}

/// The formatted text. Errors are calls that read missing arguments.
pub fn format(
    memory: &mut Memory,
    format: &[u8],
    arguments: &mut Arguments<'_>,
) -> Result<Vec<u8>, Report> {
    let mut output = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        output.extend_from_slice(&rest[..at]);
        let (spec, length) = parse(&rest[at + 1..], arguments)?;
        let source = &rest[at..(at + 1 + length).min(rest.len())];
        rest = rest.get(at + 1 + length..).unwrap_or(&[]);
        convert(memory, &spec, source, arguments, &mut output)?;
    }
    output.extend_from_slice(rest);
    Ok(output)
}

/// Reads the specification after a `%`. Returns it with its length.
fn parse(text: &[u8], arguments: &mut Arguments<'_>) -> Result<(Spec, usize), Report> {
    let mut spec = Spec { size: 4, ..Spec::default() };
    let mut at = 0;
    let byte = |at: usize| text.get(at).copied().unwrap_or(0);
    loop {
        match byte(at) {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            // Groups of thousands: the "C" locale has none.
            b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    let (width, length) = number(&text[at.min(text.len())..], arguments)?;
    at += length;
    if let Some(width) = width {
        spec.left |= width < 0;
        spec.width = checked(width.abs())?;
    }
    if byte(at) == b'.' {
        let (precision, length) = number(&text[at + 1..], arguments)?;
        at += 1 + length;
        let precision = precision.unwrap_or(0);
        if precision >= 0 {
            spec.precision = Some(checked(precision)?);
        }
    }
    at += length_modifier(&text[at.min(text.len())..], &mut spec);
    spec.conversion = byte(at);
    Ok((spec, at + 1))
}

fn checked(number: i64) -> Result<usize, Report> {
    let small = usize::try_from(number).ok().filter(|&n| n <= WIDEST);
    small.ok_or_else(|| Report::new(format!("a width or precision of {number} in a format")))
}

/// A number or `*`, if there is one.
fn number(text: &[u8], arguments: &mut Arguments<'_>) -> Result<(Option<i64>, usize), Report> {
    if text.first() == Some(&b'*') {
        return Ok((Some(arguments.integer()? as i32 as i64), 1));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let (mut value, mut length) = (0i64, 0);
    for digit in digits {
        value = value.saturating_mul(10).saturating_add((digit - b'0') as i64);
        length += 1;
    }
    Ok(((length > 0).then_some(value), length))
}

fn length_modifier(text: &[u8], spec: &mut Spec) -> usize {
    let (size, length) = match text {
        [b'h', b'h', ..] => (1, 2),
        [b'h', ..] => (2, 1),
        [b'l', b'l', ..] => (8, 2),
        [b'l' | b'z' | b't' | b'j' | b'q', ..] => (8, 1),
        [b'L', ..] => (8, 1),
        _ => (4, 0),
    };
    spec.size = size;
    length
}

fn convert(
    memory: &mut Memory,
    spec: &Spec,
    source: &[u8],
    arguments: &mut Arguments<'_>,
    output: &mut Vec<u8>,
) -> Result<(), Report> {
    match spec.conversion {
        b'%' => output.push(b'%'),
        b'd' | b'i' => signed(spec, arguments.integer()?, output),
        b'u' | b'o' | b'x' | b'X' => unsigned(spec, arguments.integer()?, output),
        b'c' => {
            let byte = arguments.integer()? as u8;
            pad(spec, "", &[byte], false, output);
        }
        b's' => {
            let address = arguments.integer()? as u32;
            string(memory, spec, address, arguments.of_kernel, output)?;
        }
        b'p' => pointer(spec, arguments.integer()?, output),
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            float(spec, arguments.float()?, output);
        }
        b'n' => {
            let help = "use the value that the function returns";
            return Err(Report::new("the conversion %n is not supported").with_help(help));
        }
        // As glibc does with unknown letters.
        _ => output.extend_from_slice(source),
    }
    Ok(())
}

/// Puts sign or prefix, zeroes or blanks and the body together.
fn pad(spec: &Spec, prefix: &str, body: &[u8], zeroes: bool, output: &mut Vec<u8>) {
    let fill = spec.width.saturating_sub(prefix.len() + body.len());
    let blanks = |count: usize| std::iter::repeat_n(b' ', count);
    if !spec.left && !zeroes {
        output.extend(blanks(fill));
    }
    output.extend_from_slice(prefix.as_bytes());
    if !spec.left && zeroes {
        output.extend(std::iter::repeat_n(b'0', fill));
    }
    output.extend_from_slice(body);
    if spec.left {
        output.extend(blanks(fill));
    }
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn signed(spec: &Spec, bits: u64, output: &mut Vec<u8>) {
    let unused = 64 - 8 * spec.size;
    let value = (bits << unused) as i64 >> unused;
    let digits = with_precision(spec, value.unsigned_abs().to_string(), value == 0);
    let prefix = sign(spec, value < 0);
    pad(spec, prefix, digits.as_bytes(), zero_fill(spec), output);
}

/// A precision switches the flag `0` off.
fn zero_fill(spec: &Spec) -> bool {
    spec.zero && spec.precision.is_none()
}

/// At least `precision` digits; of zero none at precision 0.
fn with_precision(spec: &Spec, digits: String, zero: bool) -> String {
    match spec.precision {
        Some(0) if zero => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        None => digits,
    }
}

fn unsigned(spec: &Spec, bits: u64, output: &mut Vec<u8>) {
    let unused = 64 - 8 * spec.size;
    let value = bits << unused >> unused;
    let digits = match spec.conversion {
        b'o' => format!("{value:o}"),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        _ => value.to_string(),
    };
    let mut digits = with_precision(spec, digits, value == 0);
    let prefix = match spec.conversion {
        b'x' if spec.alternate && value != 0 => "0x",
        b'X' if spec.alternate && value != 0 => "0X",
        _ => "",
    };
    if spec.conversion == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    pad(spec, prefix, digits.as_bytes(), zero_fill(spec), output);
}

fn pointer(spec: &Spec, bits: u64, output: &mut Vec<u8>) {
    if bits == 0 {
        return pad(spec, "", b"(nil)", false, output);
    }
    let digits = with_precision(spec, format!("{bits:x}"), false);
    let prefix = format!("{}0x", sign(spec, false));
    pad(spec, &prefix, digits.as_bytes(), zero_fill(spec), output);
}

fn string(
    memory: &mut Memory,
    spec: &Spec,
    address: u32,
    of_kernel: bool,
    output: &mut Vec<u8>,
) -> Result<(), Report> {
    if address == 0 {
        // glibc prints nothing where the word does not fit.
        let word: &[u8] = match spec.precision {
            Some(precision) if precision < 6 => b"",
            _ => b"(null)",
        };
        pad(spec, "", word, false, output);
        return Ok(());
    }
    let text = match of_kernel {
        true => kernel_string(memory, address, spec.precision)?,
        false => c_string(memory, address, spec.precision)?,
    };
    pad(spec, "", text, false, output);
    Ok(())
}

/// A string that a kernel prints: in its program's text, in global or in constant memory.
pub(super) fn kernel_string(
    memory: &mut Memory,
    address: u32,
    most: Option<usize>,
) -> Result<&[u8], Report> {
    let Some(of) = memory.seen_when_ended(address) else {
        let message =
            format!("the string at {address:#010x} is not there when the kernel has ended");
        let help = "print strings of the program's text, of global or of constant memory";
        return Err(Report::new(message).with_help(help));
    };
    ended(of, address, most)
}

/// The bytes of a string in host memory, up to its closing zero or `most` of them.
pub fn c_string(memory: &mut Memory, address: u32, most: Option<usize>) -> Result<&[u8], Report> {
    if most == Some(0) {
        return Ok(&[]);
    }
    if memory.seen_by_host(address).rest(address).is_none() {
        let fault = memory.explain(Accessor::Host, address, 1, false);
        let mut report = Report::new(fault.message);
        report.help = fault.help;
        return Err(report);
    }
    ended(memory.seen_by_host(address).rest(address).unwrap_or(&[]), address, most)
}

/// The bytes up to the closing zero, or `most` of them.
fn ended(bytes: &[u8], address: u32, most: Option<usize>) -> Result<&[u8], Report> {
    let bytes = &bytes[..bytes.len().min(most.unwrap_or(usize::MAX))];
    match bytes.iter().position(|&byte| byte == 0) {
        Some(end) => Ok(&bytes[..end]),
        None if Some(bytes.len()) == most => Ok(bytes),
        None => Err(Report::new(format!(
            "the string at {address:#010x} has no closing zero within its allocation"
        ))),
    }
}

fn float(spec: &Spec, value: f64, output: &mut Vec<u8>) {
    let style = Style {
        conversion: spec.conversion.to_ascii_lowercase(),
        precision: spec.precision,
        alternate: spec.alternate,
    };
    let mut text = float_text(value, style);
    let mut prefix = sign(spec, value.is_sign_negative()).to_owned();
    if let Some(after) = text.strip_prefix("0x") {
        prefix += "0x";
        text = after.to_owned();
    }
    if spec.conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
        prefix.make_ascii_uppercase();
    }
    let zeroes = spec.zero && value.is_finite();
    pad(spec, &prefix, text.as_bytes(), zeroes, output);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{DEVICE_CAPACITY, Statics};
    use reconverge_compiler::check::tree::Module;
    use std::process::Command;

    fn memory() -> Memory {
        let module = Module::default();
        Memory::new(&module, &Statics::of(&module), DEVICE_CAPACITY).unwrap()
    }

    fn print(text: &str, classes: &[ArgumentClass], values: &[u64]) -> String {
        let mut arguments = Arguments::new(classes, values);
        let bytes = format(&mut memory(), text.as_bytes(), &mut arguments).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn corner_cases() {
        use ArgumentClass::*;
        let one = |text: &str, class, value| print(text, &[class], &[value]);
        assert_eq!(one("%f", Double, 0.5f64.to_bits()), "0.500000");
        assert_eq!(one("%.0f", Double, 2.5f64.to_bits()), "2");
        assert_eq!(one("%5.1f|", Double, (-0.04f64).to_bits()), " -0.0|");
        assert_eq!(one("%g", Double, 1e-5f64.to_bits()), "1e-05");
        assert_eq!(one("%a", Double, 1.0f64.to_bits()), "0x1p+0");
        assert_eq!(one("%.3d", Int, 7), "007");
        assert_eq!(one("%hhd", Int, 255), "-1");
        assert_eq!(one("%p", Pointer, 0), "(nil)");
        assert_eq!(one("%s", Pointer, 0), "(null)");
        assert_eq!(one("%-6u|", Int, 5), "5     |");
        assert_eq!(one("%#x", Int, 255), "0xff");
        assert_eq!(print("%*d%%", &[Int, Int], &[4, 2]), "   2%");
        let mut none = Arguments::new(&[], &[]);
        assert!(format(&mut memory(), b"%d", &mut none).is_err());
        assert!(format(&mut memory(), b"%n", &mut none).is_err());
        for odd in ["%", "%-", "%5", "%.", "%l", "abc%y"] {
            let mut none = Arguments::new(&[], &[]);
            assert!(format(&mut memory(), odd.as_bytes(), &mut none).is_ok());
        }
    }

    /// A small generator, so that the test is the same every time.
    fn next(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    fn random_spec(state: &mut u64, conversions: &[&str]) -> String {
        let mut text = "%".to_owned();
        for flag in ['-', '+', ' ', '#', '0'] {
            if next(state).is_multiple_of(4) {
                text.push(flag);
            }
        }
        if next(state).is_multiple_of(2) {
            text += &(1 + next(state) % 30).to_string();
        }
        if next(state).is_multiple_of(2) {
            text += &format!(".{}", next(state) % 25);
        }
        text + conversions[next(state) as usize % conversions.len()]
    }

    fn random_double(state: &mut u64) -> f64 {
        let bits = next(state);
        match next(state) % 6 {
            0 => f64::from_bits(bits),
            1 => f32::from_bits(bits as u32) as f64,
            2 => (bits % 2000) as f64 / 8.0 - 100.0,
            3 => (bits % 100_000) as f64 * 0.001,
            4 => [0.0, -0.0, f64::INFINITY, 1e15, 123456.5, 5e-324][bits as usize % 6],
            _ => f64::from_bits((bits % (0x7FF << 52)) & !((1 << 30) - 1)),
        }
    }

    /// Thousands of random conversions against the system's C library.
    #[test]
    fn the_same_as_the_system() {
        let directory = std::env::temp_dir().join(format!("printf-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let (mut program, mut ours) = (String::from(HEADER), String::new());
        let mut state = 0x1234_5678_9ABC_DEF1;
        for _ in 0..6000 {
            let (spec, class, bits, cast);
            if next(&mut state).is_multiple_of(4) {
                let kinds = ["d", "u", "x", "X", "o", "hd", "hhu", "ld", "llx", "zu", "i", "c"];
                spec = random_spec(&mut state, &kinds);
                bits = next(&mut state) >> (next(&mut state) % 64);
                let wide = spec.contains(['l', 'z']);
                class = if wide { ArgumentClass::Long } else { ArgumentClass::Int };
                if spec.ends_with('c') && bits as u8 & 0x80 != 0 || bits as u8 == 0 {
                    continue;
                }
                cast = format!("({}){bits}ull", if wide { "long" } else { "int" });
            } else {
                spec = random_spec(&mut state, &["f", "e", "g", "a", "F", "E", "G", "A"]);
                let value = random_double(&mut state);
                (class, bits) = (ArgumentClass::Double, value.to_bits());
                cast = format!("d({bits}ull)");
            }
            program += &format!("printf(\"[{spec}]\\n\", {cast});\n");
            ours += &print(&format!("[{spec}]\n"), &[class], &[bits]);
        }
        program += "return 0; }\n";
        let source = directory.join("p.c");
        let binary = directory.join("p");
        std::fs::write(&source, program).unwrap();
        let compiled = Command::new("cc").arg("-w").arg("-o").arg(&binary).arg(&source).status();
        // Without a C compiler there is nothing to compare with.
        if compiled.is_ok_and(|status| status.success()) {
            let theirs = Command::new(&binary).output().unwrap().stdout;
            let theirs = String::from_utf8(theirs).unwrap();
            for (ours, theirs) in ours.lines().zip(theirs.lines()) {
                assert_eq!(ours, theirs);
            }
            assert_eq!(ours.lines().count(), theirs.lines().count());
        }
        std::fs::remove_dir_all(&directory).unwrap();
    }

    const HEADER: &str = "#include <stdio.h>\n#include <string.h>\n\
        static double d(unsigned long long b) { double v; memcpy(&v, &b, 8); return v; }\n\
        int main(void) {\n";
}
