//! The provenance of results.

use super::{SOURCES, VERSION};
use crate::build::Checked;
use crate::build_arguments::BuildArguments;
use anyhow::{Result, anyhow};
use reconverge_compiler::check::Needed;
use reconverge_compiler::lower::Options;
use reconverge_simulator::extension::installed;
use reconverge_simulator::{Machine, code_target};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The provenance of results: enough to reproduce them.
#[derive(Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Provenance {
    /// This program's version.
    pub version: String,
    /// The digest of this program's sources, and extensions ([`tool`]).
    pub tool: String,
    /// The program.
    pub program: String,
    /// SHA-256 of the program's source with its includes, and of the macros that the command line
    /// defines.
    pub source: String,
    /// Options of the compiler, as they were given.
    pub compile: Vec<String>,
    /// All options of the compiler.
    pub compiler: String,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// SHA-256 of each file that the program may read.
    pub inputs: BTreeMap<String, String>,
    /// The machine with all settings; `--machine` takes it back as a file.
    pub machine: String,
}

/// The origin of results: the digest of this program's sources ([`SOURCES`]), with extensions also their names and
/// versions, and the digest of the executable. So a study runs again when the code of an extension changes.
///
/// # Errors
/// There are extensions, and the executable cannot be read.
pub fn tool() -> Result<&'static str> {
    static TOOL: LazyLock<Result<String, String>> = LazyLock::new(|| {
        let installed = installed();
        if installed.is_empty() {
            return Ok(SOURCES.to_owned());
        }
        let read = std::env::current_exe().and_then(std::fs::read);
        let executable = read.map_err(|error| format!("the executable cannot be read: {error}"))?;
        let named = installed.iter().map(|it| format!(" {} {}", it.name, it.version));
        Ok(format!("{SOURCES}{} {}", named.collect::<String>(), digest(&executable)))
    });
    TOOL.as_deref().map_err(|error| anyhow!("{error}"))
}

/// The titles of CSV columns with the provenance of a line.
pub const PROVENANCE: [&str; 7] =
    ["tool_version", "tool_sources", "source", "compile", "arguments", "inputs", "settings"];

impl Provenance {
    /// The provenance of a checked program as some options compile it for a machine, whose complete
    /// file is `text`. The caller sets its name, arguments and inputs.
    ///
    /// # Errors
    /// The options contradict each other.
    pub fn new(
        checked: &Checked,
        options: &BuildArguments,
        machine: &Machine,
        text: &str,
    ) -> Result<Provenance> {
        let lowering = options.lowering().for_run(code_target(machine));
        // The compiler's checks of itself change no result.
        let lowering = Options { verify: false, ..lowering };
        Ok(Provenance {
            version: VERSION.to_owned(),
            tool: tool()?.to_owned(),
            program: String::new(),
            source: digest_of_source(checked, &options.definitions),
            compile: options.words(),
            compiler: format!("{lowering:?} {:?}", options.checking(Needed::Program)?),
            arguments: Vec::new(),
            inputs: BTreeMap::new(),
            machine: text.to_owned(),
        })
    }

    /// The cells of [`PROVENANCE`].
    pub fn cells(&self) -> [String; 7] {
        let inputs: Vec<String> =
            self.inputs.iter().map(|(file, digest)| format!("{file}={digest}")).collect();
        [
            self.version.clone(),
            self.tool.clone(),
            self.source.clone(),
            self.compile.join(" "),
            self.arguments.join(" "),
            inputs.join(" "),
            self.settings(),
        ]
    }

    /// The machine's settings on one line: `name=tiny sms=1 ...`, tables with dots.
    pub fn settings(&self) -> String {
        let all = pairs(&self.machine).into_iter().map(|(key, value)| format!("{key}={value}"));
        all.collect::<Vec<_>>().join(" ")
    }

    /// The identity of the point: SHA-256 of all but the version's name and the program's.
    pub fn identity(&self) -> String {
        let anonymous = Provenance {
            version: String::new(),
            program: String::new(),
            compile: Vec::new(),
            ..self.clone()
        };
        // Texts and maps of texts can always be written.
        let text = serde_json::to_string(&anonymous).unwrap_or_default();
        digest(text.as_bytes())
    }
}

/// The settings of a machine's complete file, keys of tables with dots.
pub fn pairs(machine: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    flatten("", &machine.parse().unwrap_or_default(), &mut all);
    all
}

fn flatten(path: &str, table: &toml::Table, all: &mut Vec<(String, String)>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&path, inner, all),
            toml::Value::String(text) => all.push((path, text.clone())),
            value => all.push((path, value.to_string())),
        }
    }
}

/// SHA-256, hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    hmac_sha256::Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of a checked program: the texts of all files that were read, and the macros of the command line.
pub fn digest_of_source(checked: &Checked, definitions: &[(String, String)]) -> String {
    let sources = &checked.sources;
    let supplied: Vec<_> = sources.supplied().collect();
    let own = sources.files().filter(|file| !supplied.contains(file));
    // Built-in texts are covered by the digest of this program; theirs are the names in angle brackets.
    let own = own.filter(|&file| !sources.name(file).starts_with('<'));
    let texts: Vec<&str> = own.map(|file| sources.text(file)).collect();
    digest(serde_json::to_string(&(texts, definitions)).unwrap_or_default().as_bytes())
}
