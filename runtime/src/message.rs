//! Diagnostics for programs: JSON, one object a line, and SARIF 2.1.0, one document a call (OASIS,
//! "Static Analysis Results Interchange Format", 2020).

use reconverge_compiler::diagnostic::{Code, Diagnostic, Label, Severity, code};
use reconverge_compiler::syntax::{SourceMap, Span};
use serde::Serialize;
use serde_json::{Value, json};

/// The version of the JSON's shape; raised when a field changes its meaning or goes away.
const SCHEMA: u32 = 1;

/// A finding, without the sources that it is about.
#[derive(Serialize, Debug, Clone)]
pub struct Message {
    schema: u32,
    /// Missing when it is about the call, not about a program.
    code: Option<&'static str>,
    severity: &'static str,
    message: String,
    /// The first one is where it is.
    labels: Vec<Place>,
    notes: Vec<String>,
    helps: Vec<String>,
}

/// A range of a file. Lines and columns count from 1, columns in characters; the end is after the
/// last character. `offset` and `length` are in bytes.
#[derive(Serialize, Debug, Clone)]
struct Place {
    primary: bool,
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    offset: u32,
    length: u32,
    text: String,
}

impl Message {
    /// The message of a diagnostic.
    pub fn new(found: &Diagnostic, sources: &SourceMap) -> Message {
        let place = |label: &Label, primary: bool| {
            let span = label.span;
            let after = Span::new(span.file, span.end, span.end);
            let (start, end) = (sources.position(span), sources.position(after));
            Place {
                primary,
                file: sources.name(span.file).to_owned(),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                offset: span.start,
                length: span.end.saturating_sub(span.start),
                text: label.text.clone(),
            }
        };
        let secondary = found.secondary.iter().map(|label| place(label, false));
        let expansion = sources.expansion(found.primary.span);
        let expansion = expansion.map(|name| format!("expanded from macro `{name}`"));
        Message {
            schema: SCHEMA,
            code: Some(found.code.id()),
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            },
            message: found.message.clone(),
            labels: std::iter::once(place(&found.primary, true)).chain(secondary).collect(),
            notes: expansion.into_iter().chain(found.notes.iter().cloned()).collect(),
            helps: found.help.iter().cloned().collect(),
        }
    }

    /// An error that is not about a place in a source.
    pub fn placeless(code: Option<Code>, message: &str, help: Option<&str>) -> Message {
        Message {
            schema: SCHEMA,
            code: code.map(Code::id),
            severity: "error",
            message: message.to_owned(),
            labels: Vec::new(),
            notes: Vec::new(),
            helps: help.map(str::to_owned).into_iter().collect(),
        }
    }

    /// A note without a place in a source.
    pub fn note(message: &str) -> Message {
        Message { severity: "note", ..Message::placeless(None, message, None) }
    }

    /// A warning without a place in a source.
    pub fn warning(message: &str) -> Message {
        Message { severity: "warning", ..Message::placeless(None, message, None) }
    }

    /// One line of JSON.
    pub fn json(&self) -> String {
        // Strings and numbers can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The text that SARIF has one field for.
    fn text(&self) -> String {
        let notes = self.notes.iter().map(|note| format!("\nnote: {note}"));
        let helps = self.helps.iter().map(|help| format!("\nhelp: {help}"));
        std::iter::once(self.message.clone()).chain(notes).chain(helps).collect()
    }
}

/// SARIF's rule for messages without a code.
const USAGE: &str = "usage";

/// A SARIF document.
pub fn sarif(messages: &[Message]) -> String {
    let mut rules: Vec<&str> =
        messages.iter().map(|message| message.code.unwrap_or(USAGE)).collect();
    rules.sort();
    rules.dedup();
    let result = |message: &Message| {
        let rule = message.code.unwrap_or(USAGE);
        let mut result = json!({
            "ruleId": rule,
            "ruleIndex": rules.binary_search(&rule).unwrap_or(0),
            "level": message.severity,
            "message": { "text": message.text() },
        });
        let mut places = message.labels.iter();
        if let Some(first) = places.next() {
            result["locations"] = json!([location(first)]);
        }
        let related: Vec<Value> = places
            .enumerate()
            .map(|(at, place)| {
                let mut found = location(place);
                found["id"] = json!(at);
                found
            })
            .collect();
        if !related.is_empty() {
            result["relatedLocations"] = Value::Array(related);
        }
        result
    };
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "reconverge",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| described(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": messages.iter().map(result).collect::<Vec<_>>(),
        }],
    });
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn described(rule: &str) -> Value {
    match Code::find(rule).filter(|found| code::ALL.contains(found)) {
        Some(found) => json!({
            "id": rule,
            "shortDescription": { "text": found.title() },
            "fullDescription": { "text": found.explanation() },
        }),
        None => json!({
            "id": rule,
            "shortDescription": { "text": "wrong usage, or a file that cannot be read or written" },
        }),
    }
}

fn location(place: &Place) -> Value {
    let mut found = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
                "byteOffset": place.offset,
                "byteLength": place.length,
            },
        },
    });
    if !place.text.is_empty() {
        found["message"] = json!({ "text": place.text });
    }
    found
}

/// A path as a relative reference (RFC 3986).
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char);
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
