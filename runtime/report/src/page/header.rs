//! The head of a page: the program, the machine, and the source of the numbers.

use reconverge::study::provenance::{Provenance, pairs};
use reconverge::study::{COMMIT, MACHINES};
use reconverge_simulator::load_machine;
use serde::Serialize;

/// The head of a page.
#[derive(Serialize, Debug)]
pub struct Header {
    /// The heading.
    pub title: String,
    /// The command line, without parts that no number depends on.
    pub command: String,
    /// The machine's name.
    pub machine: String,
    /// Settings that are not those of the machine's file.
    pub settings: Vec<Setting>,
    /// Options of the compiler.
    pub compile: Vec<String>,
    /// This program's version.
    pub version: String,
    /// Names and values.
    pub origin: Vec<(&'static str, String)>,
}

/// A setting that was changed.
#[derive(Serialize, Debug, PartialEq)]
pub struct Setting {
    /// Its key, with dots.
    pub key: String,
    /// Its value.
    pub value: String,
    /// Its value in the machine's file; empty if it has none there.
    pub default: String,
}

impl Header {
    /// The common header of several runs of programs, each with its machine's file.
    pub fn common(
        title: &str,
        command: &str,
        runs: &[(&str, &Provenance, &str)],
    ) -> Option<Header> {
        let (machine, provenance, file) = *runs.first()?;
        let mut header = Header::new(command, machine, provenance, file);
        header.title = title.to_owned();
        for &(machine, provenance, file) in runs {
            let other = Header::new(command, machine, provenance, file);
            header.settings.retain(|setting| other.settings.contains(setting));
            header.compile.retain(|word| other.compile.contains(word));
            header.origin.retain(|line| other.origin.contains(line));
            if header.machine != other.machine {
                header.machine = "several".to_owned();
            }
        }
        Some(header)
    }

    /// The header of a run; `file` is the machine without changed settings, as a complete file.
    pub fn new(command: &str, machine: &str, provenance: &Provenance, file: &str) -> Header {
        let inputs = provenance.inputs.iter().map(|(name, digest)| format!("{name}={digest}"));
        let mut origin = vec![
            ("program", provenance.program.clone()),
            ("its source, SHA-256", provenance.source.clone()),
            ("its arguments", provenance.arguments.join(" ")),
            ("files that it may read, SHA-256", inputs.collect::<Vec<_>>().join(" ")),
            ("commit of Reconverge", COMMIT.to_owned()),
            ("its sources, SHA-256", provenance.tool.clone()),
            ("its machine files, SHA-256", MACHINES.to_owned()),
            ("compiler", provenance.compiler.clone()),
            ("machine", provenance.settings()),
            ("its values", sources_of(&provenance.machine)),
        ];
        origin.retain(|(_, value)| !value.is_empty());
        Header {
            title: provenance.program.clone(),
            command: command.to_owned(),
            machine: machine.to_owned(),
            settings: changed(file, &provenance.machine),
            compile: provenance.compile.clone(),
            version: provenance.version.clone(),
            origin,
        }
    }
}

/// The number of a machine's values with a published source; empty for one without sources.
fn sources_of(file: &str) -> String {
    let machine = load_machine(file, &[]).ok();
    let sources = machine.and_then(|machine| machine.tables.sources);
    sources.map_or(String::new(), |sources| sources.summary())
}

/// The settings of a machine that differ from those of another, both as complete files.
fn changed(file: &str, machine: &str) -> Vec<Setting> {
    let defaults = pairs(file);
    let default_of = |key: &str| {
        let found = defaults.iter().find(|(other, _)| other == key);
        found.map_or(String::new(), |(_, value)| value.clone())
    };
    // A changed value is assumed, so its source need not be shown.
    let is_value = |key: &str| !key.starts_with("sources.") && !key.starts_with("assumed.");
    let all = pairs(machine).into_iter().filter(|(key, _)| is_value(key));
    let all = all.map(|(key, value)| Setting { default: default_of(&key), key, value });
    all.filter(|setting| setting.default != setting.value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_differ() {
        let found = changed("a = 1\n[b]\nc = \"x\"\n", "a = 1\n[b]\nc = \"y\"\nd = 2\n");
        let setting = |key: &str, value: &str, default: &str| Setting {
            key: key.to_owned(),
            value: value.to_owned(),
            default: default.to_owned(),
        };
        assert_eq!(found, [setting("b.c", "y", "x"), setting("b.d", "2", "")]);
    }
}
