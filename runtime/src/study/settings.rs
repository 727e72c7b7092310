//! Settings as users write them: `KEY=VALUE` of the machine, options of the compiler, `machine=`, `arguments=`, `kernels=` and
//! `load-hints=profile`.

use crate::build_arguments::BuildArguments;
use crate::machine_file;
use anyhow::{Result, anyhow, ensure};
use reconverge_simulator::Machine;
use std::path::{Path, PathBuf};

/// More combinations than that are a mistake.
pub const MOST: usize = 4096;

/// Settings by their subject.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The machine, if one is named.
    pub machine: Option<String>,
    /// Changes of the machine.
    pub sets: Vec<(String, String)>,
    /// Options of the compiler.
    pub compile: Vec<String>,
    /// Arguments of the program in place of others.
    pub arguments: Option<Vec<String>>,
    /// Files of kernels in place of others; none for the program's own.
    pub kernels: Option<Vec<PathBuf>>,
    /// True if loads get their localities from a run of the same program with the caches'
    /// allocation at `all`.
    pub profiled: bool,
}

impl Settings {
    /// Sorts settings by their subject.
    ///
    /// # Errors
    /// One is neither `KEY=VALUE` nor an option of the compiler.
    pub fn read(settings: &[String]) -> Result<Settings> {
        let mut read = Settings::default();
        for setting in settings {
            if setting.starts_with('-') {
                read.compile.push(setting.clone());
                continue;
            }
            let (key, value) = setting.split_once('=').ok_or_else(|| {
                anyhow!("`{setting}` is neither KEY=VALUE nor an option of the compiler")
            })?;
            match key.trim() {
                "machine" => read.machine = Some(value.trim().to_owned()),
                "arguments" => {
                    read.arguments = Some(value.split_whitespace().map(str::to_owned).collect());
                }
                "kernels" if value.trim() == "none" => read.kernels = Some(Vec::new()),
                "kernels" => {
                    read.kernels = Some(value.split_whitespace().map(PathBuf::from).collect());
                }
                "load-hints" => {
                    let value = value.trim();
                    ensure!(
                        value == "profile",
                        "`load-hints={value}`: only `load-hints=profile` is known, which makes the profile first"
                    );
                    read.profiled = true;
                }
                key => read.sets.push((key.to_owned(), value.trim().to_owned())),
            }
        }
        options(&read.compile)?;
        Ok(read)
    }

    /// The machine that they make, also as a complete file. `otherwise` is the machine if they name
    /// none; files are found from `folder`.
    ///
    /// # Errors
    /// There is no such machine or setting.
    pub fn machine(&self, otherwise: &str, folder: &Path) -> Result<(Machine, String)> {
        let name = self.machine.as_deref().unwrap_or(otherwise);
        let (loaded, _) = machine_file::read(name, folder, &self.sets)?;
        Ok((loaded.machine, loaded.file))
    }
}

/// Every combination of varied settings, as (key, value), the last key varying fastest.
///
/// # Errors
/// There are more than [`MOST`].
pub fn combinations(varied: &[(String, Vec<String>)]) -> Result<Vec<Vec<(String, String)>>> {
    let mut all: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (key, values) in varied {
        let longer = |chosen: &Vec<(String, String)>| {
            let with =
                |value: &String| [chosen.as_slice(), &[(key.clone(), value.clone())]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
        ensure!(all.len() <= MOST, "there are more than {MOST} combinations");
    }
    Ok(all)
}

/// A key and a value as one setting.
pub fn word(key: &str, value: &str) -> String {
    match key {
        "-O" => format!("-O{value}"),
        key => format!("{key}={value}"),
    }
}

/// Reads options of the compiler, as words of the command line; a later one takes the place of an earlier one.
///
/// # Errors
/// There is no such option, or its value is wrong.
pub fn options(words: &[String]) -> Result<BuildArguments> {
    let mut options = BuildArguments::read(words)
        .map_err(|why| anyhow!("options of the compiler `{}`: {why}", words.join(" ")))?;
    let all = std::mem::take(&mut options.definitions);
    for (name, value) in all {
        options.definitions.retain(|(known, _)| *known != name);
        options.definitions.push((name, value));
    }
    Ok(options)
}
