//! The limits of a request.

use serde::{Deserialize, Serialize};

/// The limits of one request. Data over a limit are refused or cut, with a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Seconds until the process that answers is ended.
    pub seconds: u64,
    /// MiB of its address space. On a system without such a limit (Windows), only the time limits
    /// it.
    pub memory: u64,
    /// Bytes that a program may print, to standard output and standard error together.
    pub printed: u64,
    /// Bytes of a question.
    pub question: usize,
    /// Bytes of an answer.
    pub answer: usize,
    /// Questions that are answered at the same time; others wait.
    pub at_once: usize,
    /// Questions that wait; beyond them the server answers that it is busy.
    pub waiting: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            seconds: 20,
            memory: 4096,
            printed: 256 << 10,
            question: 1 << 20,
            answer: 32 << 20,
            at_once: 2,
            waiting: 32,
        }
    }
}

/// Shortens a text that is too long to show to whole lines, with a note about it.
pub fn cut(text: &mut String, bytes: usize) {
    if text.len() <= bytes {
        return;
    }
    let all = text.len();
    let mut end = bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    text.truncate(end);
    text.push_str(&format!("… cut here: {} more bytes are not shown\n", all - end));
}

#[cfg(test)]
mod tests {
    #[test]
    fn texts_are_cut_at_lines() {
        let cut = |text: &str, bytes| {
            let mut text = text.to_owned();
            super::cut(&mut text, bytes);
            text
        };
        assert_eq!(cut("ab\ncd\n", 6), "ab\ncd\n");
        assert_eq!(cut("ab\ncd\n", 5), "ab\n… cut here: 3 more bytes are not shown\n");
        assert_eq!(cut("äö", 3), "ä… cut here: 2 more bytes are not shown\n");
    }
}
