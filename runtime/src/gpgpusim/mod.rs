//! Machine files from configurations of GPGPU-Sim (`gpgpusim.config`), a well-known simulator of GPUs.
//!
//! That simulator's manual defines the options (<http://gpgpu-sim.org/manual>). An option with a
//! counterpart becomes a setting of the machine; every other option is listed with the reason why
//! it is not carried over. All other values are those of the machine that the file starts from.

mod carry;
mod options;

use reconverge_isa::text::TextError;
use std::fmt::Write;

pub use options::{Given, read};

/// The machine that files start from: the simulator's own first example, a GTX 480, is described by it.
pub const BASE: &str = "gtx480";

/// An option, or a part of one, that is not carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The option with its value, as in the configuration.
    pub option: String,
    /// Its line, from 1.
    pub line: u32,
    /// Why, as a part of a sentence.
    pub why: String,
}

/// A setting that was carried over.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    /// The table; empty for the file's top.
    table: String,
    key: String,
    /// As a machine file has it.
    value: String,
    /// The options that it is made from.
    from: String,
}

/// A configuration as a machine file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The machine file.
    pub text: String,
    /// The number of the configuration's options.
    pub options: usize,
    /// The options that are not carried over, in the order of the configuration.
    pub left: Vec<Left>,
}

/// Makes a machine file of a configuration; the machine is called `name`.
///
/// # Errors
/// Options whose values cannot be read, with their places.
pub fn import(name: &str, text: &str) -> Result<Imported, Vec<TextError>> {
    let given = read(text)?;
    let options = given.len();
    let (settings, left) = carry::carry(given)?;
    Ok(Imported { text: file(name, &settings, &left), options, left })
}

/// The text of a machine file.
fn file(name: &str, settings: &[Setting], left: &[Left]) -> String {
    let plain = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
    let quoted = |text: &str| plain(text).replace('\\', "/").replace('"', "'");
    let mut text = format!(
        "# From a configuration of GPGPU-Sim: what it does not say is as in `{BASE}`.\nbase = \"{BASE}\"\nname = \"{name}\"\n\
         description = \"from a configuration of GPGPU-Sim\"\n",
        name = quoted(name)
    );
    let mut tables: Vec<&str> = settings.iter().map(|setting| &*setting.table).collect();
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        if !table.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "\n[{table}]");
        }
        for Setting { key, value, from, .. } in settings.iter().filter(|it| it.table == table) {
            let line = format!("{key} = {value}");
            let _ = writeln!(text, "{line:<34} # {}", plain(from));
        }
    }
    if !left.is_empty() {
        text += "\n# Not carried over:\n";
    }
    for Left { option, why, .. } in left {
        let _ = writeln!(text, "# {}: {}", plain(option), plain(why));
    }
    text
}
