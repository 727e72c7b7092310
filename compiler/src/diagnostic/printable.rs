//! Text of a program for a terminal, which would obey some characters instead of showing them.

use std::borrow::Cow;

/// The text with other characters in place of those that a terminal obeys: control characters
/// (except line ends and tabs) and those that turn the direction of writing around. Each
/// replacement has the same number of bytes, so that places stay the same.
pub fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|letter| shown(letter) == letter) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(shown).collect())
}

fn shown(letter: char) -> char {
    match letter {
        '\n' | '\t' | '\r' => letter,
        '\0'..='\x1f' | '\x7f' => '?',
        '\u{80}'..='\u{9f}' => '\u{bf}',
        '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_replaced_in_its_length() {
        let text = "a\x1b[2J\0\u{9b}\u{202e}\tz\r\n";
        let safe = printable(text);
        assert_eq!(safe, "a?[2J?\u{bf}\u{fffd}\tz\r\n");
        assert_eq!(safe.len(), text.len());
        assert!(matches!(printable("plain \u{e4}"), Cow::Borrowed(_)));
    }
}
