//! Colour, and messages that have no place in a source.

use clap::{Args, ValueEnum};
use reconverge::build::Refused;
use reconverge::checks::{Findings, Proved};
use reconverge::host::report::Outcome;
use reconverge::kernel_file::KernelFile;
use reconverge::machine_file::Said;
use reconverge::message::{self, Message};
use reconverge::profile;
use reconverge_compiler::diagnostic::{self, Diagnostic, code};
use reconverge_compiler::syntax::SourceMap;
use reconverge_isa::wording::{counted, verb};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;

/// The form and colour of diagnostics.
#[derive(Args, Debug, Clone, Copy)]
pub struct StyleArguments {
    /// When to colour diagnostics and tables; `auto` looks at the terminal and at NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// The form of diagnostics on standard error: text, JSON with one object per line, or a SARIF
    /// document; the last two show no table
    #[arg(long, global = true, value_enum, default_value_t = MessageFormat::Text)]
    pub message_format: MessageFormat,
}

/// The form of diagnostics.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageFormat {
    Text,
    Json,
    Sarif,
}

/// The condition for colour.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorChoice {
    Auto,
    Always,
    Never,
}

/// The properties of standard error.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// True if it is coloured.
    pub color: bool,
    /// True if standard error is a terminal.
    pub terminal: bool,
    /// The form of diagnostics.
    format: MessageFormat,
}

/// The contents of the SARIF document, which is written at the end.
static MESSAGES: Mutex<Vec<Message>> = Mutex::new(Vec::new());

impl Style {
    /// Decides by the option, NO_COLOR and the terminal, in this order.
    pub fn new(choice: ColorChoice, format: MessageFormat) -> Style {
        let terminal = std::io::stderr().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal && !no_color,
        };
        let is_text = format == MessageFormat::Text;
        Style { color: color && is_text, terminal: terminal && is_text, format }
    }

    /// `text` in bold red, if there is colour.
    fn alarm(self, text: &str) -> String {
        if self.color { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_string() }
    }

    /// Reports the diagnostics of a program.
    pub fn diagnostics(self, found: &[Diagnostic], sources: &SourceMap) {
        match self.format {
            MessageFormat::Text => self.show(&diagnostic::render(found, sources, self.color)),
            _ => found.iter().for_each(|found| self.message(Message::new(found, sources))),
        }
    }

    /// Reports the diagnostics of a file of kernels.
    pub fn kernel_file(self, file: &KernelFile, sources: &SourceMap) {
        self.diagnostics(&file.diagnostics, sources);
        if let Some(why) = &file.undecodable {
            let message = format!("{}: {why}", file.name);
            match self.format {
                MessageFormat::Text => {
                    let code = self.alarm(&format!("error[{}]", code::IMAGE.id()));
                    self.show(&format!("{code}: {message}\n"));
                }
                _ => self.message(Message::placeless(Some(code::IMAGE), &message, None)),
            }
        }
    }

    /// Reports the findings of checks.
    pub fn findings(self, findings: &Findings, sources: &SourceMap) {
        self.diagnostics(&findings.shown, sources);
        for (kernel, Proved { proved, all }) in &findings.proved {
            self.note(&format!(
                "{proved} of the {all} loads, stores and atomics of `{kernel}` are proved free of races by their addresses and \
                 barriers; the others were checked"
            ));
        }
        if findings.more > 0 {
            let more = findings.more;
            let (found, are) = (counted(more, "more finding"), verb(more, "is", "are"));
            self.note(&format!("{found} {are} not shown"));
        }
        if findings.ignored > 0 {
            let (are, count) = (if findings.ignored == 1 { "is" } else { "are" }, findings.ignored);
            let count = counted(count, "finding");
            self.note(&format!("{count} {are} marked as intended and not shown"));
        }
        for unused in &findings.unused {
            self.note(&format!("`--ignore {unused}` fits no finding of this run"));
        }
    }

    /// Reports why a program cannot run.
    pub fn refused(self, refused: &Refused<'_>) {
        self.diagnostics(&refused.diagnostics, refused.sources());
    }

    /// Reports the fault that stopped a program.
    pub fn outcome(self, outcome: &Outcome, sources: &SourceMap) {
        if self.format == MessageFormat::Text {
            self.show(&outcome.render(sources, self.color));
        } else if let Some((code, report)) = outcome.report() {
            self.message(match report.diagnostic(code) {
                Some(found) => Message::new(&found, sources),
                None => Message::placeless(Some(code), &report.headline(), report.help.as_deref()),
            });
        }
    }

    fn message(self, message: Message) {
        match self.format {
            MessageFormat::Sarif => {
                // Nothing panics while it holds the lock.
                if let Ok(mut messages) = MESSAGES.lock() {
                    messages.push(message);
                }
            }
            _ => self.show(&(message.json() + "\n")),
        }
    }

    /// Writes the collected document.
    pub fn finish(self) {
        if self.format == MessageFormat::Sarif
            && let Ok(messages) = MESSAGES.lock()
        {
            self.show(&message::sarif(&messages));
        }
    }

    /// True if tables are shown.
    pub fn shows_tables(self) -> bool {
        self.format == MessageFormat::Text
    }

    /// Columns of the terminal, or the default without one.
    pub fn width(self) -> usize {
        let terminal = terminal_size::terminal_size_of(std::io::stderr());
        terminal.map_or(profile::WIDTH, |(width, _)| usize::from(width.0))
    }

    /// Shows a table.
    pub fn table(self, text: &str) {
        if self.format == MessageFormat::Text {
            self.show(text);
        }
    }

    /// Writes a text to standard error.
    pub fn show(self, text: &str) {
        // Standard error may be closed; then there is no one to report to.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// A note without a place in a source.
    pub fn note(self, message: &str) {
        match self.format {
            MessageFormat::Text => self.show(&format!("note: {message}\n")),
            _ => self.message(Message::note(message)),
        }
    }

    /// Reports the diagnostics of a machine: faults, and settings without effect.
    pub fn of_machine(self, said: &Said, is_fault: bool) {
        for message in &said.others {
            match is_fault {
                true => self.error(message),
                false => self.warning(message),
            }
        }
        self.diagnostics(&said.placed, &said.sources);
    }

    /// A warning without a place in a source.
    pub fn warning(self, message: &str) {
        match self.format {
            MessageFormat::Text => self.show(&format!("warning: {message}\n")),
            _ => self.message(Message::warning(message)),
        }
    }

    /// An error without a place in a source.
    pub fn error(self, message: &str) {
        match self.format {
            MessageFormat::Text => self.show(&format!("{}: {message}\n", self.alarm("error"))),
            _ => self.message(Message::placeless(None, message, None)),
        }
    }
}
