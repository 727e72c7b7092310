//! `--html FILE`: a report as a page.

use super::output;
use anyhow::{Result, ensure};
use clap::Args;
use std::path::PathBuf;

/// The file of a page.
#[derive(Args, Debug)]
#[command(next_help_heading = "Reports")]
pub struct HtmlArguments {
    /// Write the report as one self-contained HTML page: findings, kernels, source lines, statistics over time, control flow
    /// and occupancy; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl HtmlArguments {
    /// True if a page is requested.
    pub fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Reports before a long run that a page is impossible.
    pub fn check(&self, model: &str) -> Result<()> {
        let Some(file) = &self.html else {
            return Ok(());
        };
        ensure!(
            model == "timing",
            "--html needs --model timing: there are no cycles under `{model}`"
        );
        output::check(file)
    }

    /// Writes the page, if one is requested.
    pub fn write(&self, text: impl FnOnce() -> Result<String>) -> Result<()> {
        match &self.html {
            Some(file) => output::write(file, text()?.as_bytes()),
            None => Ok(()),
        }
    }
}

/// Options that name output files, and do not affect a page's numbers.
const LEFT_OUT: [&str; 2] = ["--threads", "--html"];

/// The command line of this process without those options, quoted for a shell.
pub fn command_line() -> String {
    line_of(std::env::args_os().map(|word| word.to_string_lossy().into_owned()))
}

/// The words of a command line of this program without those options, quoted for a shell.
pub fn line_of(words: impl Iterator<Item = String>) -> String {
    let mut kept = vec!["reconverge".to_owned()];
    let (mut is_value, mut is_program) = (false, false);
    for word in words.skip(1) {
        is_program |= word == "--";
        let name = word.split('=').next().unwrap_or_default();
        let is_left_out = !is_program && LEFT_OUT.contains(&name);
        if !is_left_out && !std::mem::take(&mut is_value) {
            kept.push(quoted(&word));
        }
        is_value |= is_left_out && !word.contains('=');
    }
    kept.join(" ")
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=./,:+%@".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_lack_what_makes_no_difference() {
        let words = "/bin/x run a.cu --threads 2 --html=o.html -O1 --html p --set a=b -- --html 3";
        let line = line_of(words.split(' ').map(str::to_owned));
        assert_eq!(line, "reconverge run a.cu -O1 --set a=b -- --html 3");
        let words = ["x", "run", "it's a.cu", "--", ""].map(str::to_owned);
        assert_eq!(line_of(words.into_iter()), "reconverge run 'it'\\''s a.cu' -- ''");
    }
}
