//! Places in texts: ours are bytes, those of the protocol are lines and UTF-16 units from 0.

use reconverge_compiler::syntax::{FileId, SourceMap, Span};
use serde_json::{Value, json};
use std::fmt::Write;

/// A range of the source.
pub fn range(sources: &SourceMap, span: Span) -> Value {
    let end = Span::new(span.file, span.end, span.end);
    json!({ "start": position(sources, span), "end": position(sources, end) })
}

fn position(sources: &SourceMap, span: Span) -> Value {
    let line = sources.line(span).saturating_sub(1);
    let start = sources.line_range(span.file, line as usize).map_or(0, |range| range.start);
    let before = sources.text(span.file).get(start..span.start as usize).unwrap_or_default();
    json!({ "line": line, "character": before.encode_utf16().count() })
}

/// The line and column of a position, both from 1, columns in characters; `None` outside the text.
pub fn line_and_column(sources: &SourceMap, file: FileId, position: &Value) -> Option<(u32, u32)> {
    let number = |name: &str| u32::try_from(position[name].as_u64()?).ok();
    let (line, units) = (number("line")?, number("character")? as usize);
    let range = sources.line_range(file, line as usize)?;
    let text = sources.text(file).get(range)?;
    let mut passed = 0;
    let before = text.chars().take_while(|letter| {
        passed += letter.len_utf16();
        passed <= units
    });
    Some((line.checked_add(1)?, before.count() as u32 + 1))
}

/// The path of a `file:` URI; the URI itself if it is another one.
pub fn path_of(uri: &str) -> String {
    let Some(encoded) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The `file:` URI of a path.
pub fn uri_of(path: &str) -> String {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_each_other() {
        let path = "/a b/ü%41.cu";
        assert_eq!(uri_of(path), "file:///a%20b/%C3%BC%2541.cu");
        assert_eq!(path_of(&uri_of(path)), path);
        assert_eq!(path_of("untitled:one"), "untitled:one");
        assert_eq!(path_of("file:///a%zz%4"), "/a%zz%4");
    }

    #[test]
    fn characters_are_counted_in_units_of_utf_16() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.cu", "x\n/* 𝄞 */ y\n");
        let at = |text: &str| sources.text(file).find(text).expect("it is there") as u32;
        let span = Span::new(file, at("y"), at("y") + 1);
        let range = range(&sources, span);
        assert_eq!(range["start"], json!({ "line": 1, "character": 9 }));
        assert_eq!(line_and_column(&sources, file, &range["start"]), Some((2, 9)));
        assert_eq!(line_and_column(&sources, file, &json!({ "line": 9, "character": 0 })), None);
    }
}
