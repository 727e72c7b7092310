//! Colour, and messages that have no place in a source.

use super::ColorChoice;
use std::io::{IsTerminal, Write};

/// Whether standard error takes colour.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Whether to colour.
    pub color: bool,
    /// Whether standard error is a terminal.
    pub terminal: bool,
}

impl Style {
    /// Decides by the option, NO_COLOR and the terminal, in this order.
    pub fn new(choice: ColorChoice) -> Style {
        let terminal = std::io::stderr().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !no_color,
        };
        Style { color, terminal }
    }

    /// `text` in bold red, if there is colour.
    fn alarm(self, text: &str) -> String {
        if self.color { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Writes diagnostics or a table to standard error.
    pub fn show(self, text: &str) {
        // Standard error may be closed; there is nobody left to tell.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// An error that is not about a place in a source.
    pub fn error(self, message: &str) {
        self.show(&format!("{}: {message}\n", self.alarm("error")));
    }
}
