//! The layout of assembly text, made even: blanks and blank lines, nothing else.

use super::error::TextError;
use super::parse::assemble;
use super::scan::{Kind, Line, Token};

/// The text with the layout of [`super::print()`]. Labels, numbers and comments stay as they are; a
/// label gets a line of its own. Formatted text does not change.
///
/// # Errors
/// The faults of a text that cannot be read.
pub fn format(text: &str) -> Result<String, Vec<TextError>> {
    assemble(text)?;
    let mut out = Layout::default();
    for (index, line) in text.split('\n').enumerate() {
        // It has been read already.
        let scanned = Line::scan(index as u32 + 1, line).map_err(|error| vec![error])?;
        out.line(line, scanned.rest());
    }
    Ok(out.text)
}

#[derive(Default)]
struct Layout {
    text: String,
    /// A blank line that is written when something follows it.
    gap: bool,
}

impl Layout {
    fn line(&mut self, line: &str, mut tokens: &[Token]) {
        let chars: Vec<char> = line.chars().collect();
        let end = tokens.last().map_or(0, |token| token.end as usize - 1);
        let comment: String = chars[end..].iter().collect();
        let comment = comment.trim();
        if tokens.is_empty() && comment.is_empty() {
            self.gap = !self.text.is_empty();
            return;
        }
        while let [label, colon, rest @ ..] = tokens
            && colon.kind == Kind::Mark(':')
            && matches!(label.kind, Kind::Word(_))
        {
            let with = if rest.is_empty() { comment } else { "" };
            self.push(&format!("{}:", raw(&chars, label)), with);
            tokens = rest;
            if rest.is_empty() {
                return;
            }
        }
        let Some(first) = tokens.first() else {
            let indent = if line.starts_with("//") { "" } else { "    " };
            return self.push("", &format!("{indent}{comment}"));
        };
        let text = match &first.kind {
            Kind::Word(word) if word.starts_with('.') => {
                let outer = [".version", ".file", ".variable", ".kernel"].contains(&&**word);
                let indent = if outer { "" } else { "    " };
                format!("{indent}{}", joined(&chars, tokens))
            }
            _ => {
                let (guard, body) = tokens.split_at(guard(tokens));
                format!("  {:<5} {}", joined(&chars, guard), joined(&chars, body))
            }
        };
        self.push(&text, comment);
    }

    fn push(&mut self, text: &str, comment: &str) {
        if std::mem::take(&mut self.gap) {
            self.text.push('\n');
        }
        self.text += text;
        if !text.is_empty() && !comment.is_empty() {
            self.text += "  ";
        }
        self.text += comment;
        self.text.push('\n');
    }
}

/// The number of the guard's tokens: `@p0`, `@!p0` or `@deq.pred 2`.
fn guard(tokens: &[Token]) -> usize {
    let is_mark = |at: usize, mark| tokens.get(at).is_some_and(|it| it.kind == Kind::Mark(mark));
    if !is_mark(0, '@') {
        return 0;
    }
    let word = if is_mark(1, '!') { 2 } else { 1 };
    let dequeues = matches!(tokens.get(word).map(|it| &it.kind), Some(Kind::Word(name)) if name.starts_with("deq."));
    (word + if dequeues { 2 } else { 1 }).min(tokens.len())
}

fn raw(chars: &[char], token: &Token) -> String {
    chars[token.column as usize - 1..token.end as usize - 1].iter().collect()
}

/// Annotations that a list follows.
const LISTS: [&str; 8] = ["last", "read", "write", "preload", "erase", "evict", "wait", "reuse"];

/// Tokens with blanks where the layout has them.
fn joined(chars: &[char], tokens: &[Token]) -> String {
    let mut text = String::new();
    // Inside brackets, and in the lists of `!last` and others, nothing is set apart.
    let (mut depth, mut in_list) = (0u32, false);
    let mut before: Option<&Kind> = None;
    for (at, token) in tokens.iter().enumerate() {
        let kind = &token.kind;
        let is_constant = before == Some(&Kind::Word("c".into())) && *kind == Kind::Mark('[');
        let tight = depth > 0
            || is_constant
            || before.is_none_or(|it| matches!(it, Kind::Mark('!' | '@' | ':' | '+' | '-')))
            || matches!(kind, Kind::Mark(',' | ':'))
            || (in_list && before == Some(&Kind::Mark(',')));
        if !tight {
            text.push(' ');
        }
        text += &raw(chars, token);
        match kind {
            Kind::Mark('[') => depth += 1,
            Kind::Mark(']') => depth = depth.saturating_sub(1),
            Kind::Mark('!') => in_list = false,
            Kind::Word(word) if LISTS.contains(&&**word) => {
                in_list = at > 0 && before == Some(&Kind::Mark('!'))
            }
            _ => {}
        }
        before = Some(kind);
    }
    text
}
