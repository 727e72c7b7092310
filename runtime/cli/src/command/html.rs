//! `--html FILE`: a report as a page.

use super::output;
use anyhow::{Result, ensure};
use clap::Args;
use std::path::PathBuf;

/// Where a page goes.
#[derive(Args, Debug)]
pub struct HtmlArguments {
    /// Write a report as one HTML page that needs nothing else: findings, kernels, source lines, control flow and
    /// occupancy, and what went on over time; `-` is standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl HtmlArguments {
    /// Whether a page is wanted.
    pub fn is_wanted(&self) -> bool {
        self.html.is_some()
    }

    /// Finds out before a long run that there can be no page.
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

    /// Writes the page, if one is wanted.
    pub fn write(&self, text: impl FnOnce() -> Result<String>) -> Result<()> {
        match &self.html {
            Some(file) => output::write(file, text()?.as_bytes()),
            None => Ok(()),
        }
    }
}

/// Options of which no number of a page depends, and which say where it goes.
const LEFT_OUT: [&str; 2] = ["--threads", "--html"];

/// The command line of this process without those, as a shell takes it.
pub fn command_line() -> String {
    shown(std::env::args_os().map(|word| word.to_string_lossy().into_owned()))
}

fn shown(words: impl Iterator<Item = String>) -> String {
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

/// A word as a shell takes it.
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
        let line = shown(words.split(' ').map(str::to_owned));
        assert_eq!(line, "reconverge run a.cu -O1 --set a=b -- --html 3");
        let words = ["x", "run", "it's a.cu", "--", ""].map(str::to_owned);
        assert_eq!(shown(words.into_iter()), "reconverge run 'it'\\''s a.cu' -- ''");
    }
}
