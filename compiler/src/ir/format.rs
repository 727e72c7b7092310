//! The layout of the IR's text, made even: blanks and blank lines, nothing else.

use super::parse::parse;
use super::scan::{Kind, Token, tokens};
use reconverge_isa::text::TextError;

/// The text with the layout of [`print`](super::print::module). Numbers, names and comments stay as
/// they are. Formatted text does not change.
///
/// # Errors
/// The faults of a text that cannot be read.
pub fn format(text: &str) -> Result<String, Vec<TextError>> {
    parse(text)?;
    let mut out = String::new();
    let (mut gap, mut in_kernel) = (false, false);
    for (index, line) in text.lines().enumerate() {
        // It has been read already.
        let (tokens, comment) = tokens(line).map_err(|wrong| vec![wrong.on(index as u32 + 1)])?;
        let comment = comment.trim_end();
        if tokens.is_empty() && comment.is_empty() {
            gap = !out.is_empty();
            continue;
        }
        if std::mem::take(&mut gap) {
            out.push('\n');
        }
        let first = tokens.first().map(|token| &token.kind);
        let closes = first == Some(&Kind::Mark('}'));
        let is_label = tokens.get(1).is_some_and(|token| token.kind == Kind::Mark(':'));
        let is_image = first == Some(&Kind::Word("image"));
        let indented = match tokens.is_empty() {
            true => in_kernel && !line.starts_with(';'),
            false => (in_kernel && !is_label && !closes) || is_image,
        };
        out += if indented { "  " } else { "" };
        out += &joined(&tokens);
        if !tokens.is_empty() && !comment.is_empty() {
            out += "  ";
        }
        out += comment;
        out.push('\n');
        in_kernel = match first {
            Some(Kind::Word("kernel")) if !in_kernel => true,
            _ => in_kernel && !closes,
        };
    }
    Ok(out)
}

/// Tokens with blanks where the layout has them.
fn joined(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut before: Option<&Kind> = None;
    for Token { kind, text: raw, .. } in tokens {
        let tight = before.is_none_or(|it| matches!(it, Kind::Mark('!' | ':')))
            || matches!(kind, Kind::Mark(',' | ':'));
        if !tight {
            text.push(' ');
        }
        text += raw;
        before = Some(kind);
    }
    text
}
