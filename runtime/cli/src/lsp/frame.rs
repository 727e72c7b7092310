//! Messages of the language server protocol: a header with the length, then JSON.

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufRead, Read, Write};

/// The most bytes of a message.
const MOST: u64 = 64 << 20;
/// The most bytes of a line of the header.
const LONGEST_LINE: u64 = 4096;

/// Reads the text of the next message; `None` at the end of the stream.
///
/// # Errors
/// The header has no length, the message is longer than 64 MiB, or the stream ends within it.
pub fn read(input: &mut impl BufRead) -> Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse::<u64>().context("`Content-Length` is no number")?);
        }
    }
    let Some(length) = length else {
        bail!(
            "a message has no `Content-Length`; the editor must speak the language server protocol"
        );
    };
    ensure!(length <= MOST, "a message has more than {} MiB", MOST >> 20);
    let mut text = vec![0; length as usize];
    input.read_exact(&mut text).context("the stream ends within a message")?;
    Ok(Some(text))
}

/// Writes a message.
///
/// # Errors
/// The stream cannot be written.
pub fn write(output: &mut impl Write, message: &Value) -> Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    Ok(output.flush()?)
}
