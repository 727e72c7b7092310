//! Machines by name, file or dictionary, and settings that change them.

use crate::{raise, table};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use reconverge::machine_file;
use reconverge::study::provenance::pairs;
use reconverge_isa::nearest::hint;
use reconverge_simulator::{Machine, declarations, machines as shipped, mechanisms};
use std::path::{Path, PathBuf};

/// The machine where none is named, as on the command line.
pub const DEFAULT: &str = "gtx480";

/// A machine that a caller requested.
pub struct Chosen {
    /// The machine.
    pub machine: Machine,
    /// The machine as a complete file.
    pub text: String,
    /// The machine without settings, as a complete file.
    pub file: String,
    /// The settings.
    pub sets: Vec<(String, String)>,
}

impl Chosen {
    /// A machine, `DEFAULT` if there is none, with settings by their keys and as keywords. A
    /// setting without effect causes a warning.
    ///
    /// # Errors
    /// There is no such machine or setting, or a value does not fit.
    pub fn new(
        py: Python<'_>,
        machine: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Chosen> {
        let source = source(machine)?;
        let resolve = |sets: &[(String, String)]| {
            machine_file::read(&source, Path::new(""), sets).map_err(|error| raise::wrong(&error))
        };
        let (plain, said) = resolve(&[])?;
        let file = plain.file;
        let mut sets = Vec::new();
        for (key, value) in settings.into_iter().flatten() {
            let Ok(key) = key.extract::<String>() else {
                let key = key.repr()?;
                return Err(PyTypeError::new_err(format!(
                    "the key {key} of `settings` is no text"
                )));
            };
            let value = table::setting(&value, &key)?;
            sets.push((key, value));
        }
        for (keyword, value) in keywords.into_iter().flatten() {
            let key = key_of(&keyword.extract::<String>()?, &file)?;
            if sets.iter().any(|(set, _)| *set == key) {
                let message = format!("`{key}` is set twice: in `settings`, and as `{keyword}`");
                return Err(PyTypeError::new_err(message));
            }
            let value = table::setting(&value, &key)?;
            sets.push((key, value));
        }
        let (machine, text, said) = match sets.is_empty() {
            true => (plain.machine, file.clone(), said),
            false => {
                let (changed, said) = resolve(&sets)?;
                (changed.machine, changed.file, said)
            }
        };
        let said = said.to_string();
        if !said.is_empty() {
            raise::warn(py, &said, py.get_type::<PyUserWarning>().as_any())?;
        }
        Ok(Chosen { machine, text, file, sets })
    }

    /// The machine with all its settings.
    pub fn dictionary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = self.text.parse::<toml::Table>();
        table::dictionary(py, &table.map_err(|error| PyValueError::new_err(error.to_string()))?)
    }
}

/// The source of the machine: a name, a file, or the text of one.
///
/// # Errors
/// It is neither.
pub fn source(machine: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let Some(machine) = machine else {
        return Ok(DEFAULT.to_owned());
    };
    if let Ok(dictionary) = machine.cast::<PyDict>() {
        if dictionary.is_empty() {
            return Err(PyValueError::new_err("an empty dictionary is no machine"));
        }
        return Ok(table::table(dictionary, "")?.to_string());
    }
    if machine.is_instance_of::<PyString>() {
        return machine.extract();
    }
    let Ok(path) = machine.extract::<PathBuf>() else {
        let name = machine.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`machine` is a name, a path or a dictionary, not a `{name}`"
        )));
    };
    if !path.is_file() {
        let path = path.display();
        return Err(PyValueError::new_err(format!("there is no machine file `{path}`")));
    }
    Ok(path.to_string_lossy().into_owned())
}

/// The key for a keyword: the one that is equal with `_` for `.` and `-`. `file` is the machine as
/// a complete file.
///
/// # Errors
/// There is none, or there are several.
pub fn key_of(keyword: &str, file: &str) -> PyResult<String> {
    let options = mechanisms().iter().flat_map(|mechanism| {
        mechanism.options.iter().map(move |(option, _)| format!("{}.{option}", mechanism.name))
    });
    let mut keys: Vec<String> =
        pairs(file).into_iter().map(|(key, _)| key).chain(options).collect();
    keys.sort();
    keys.dedup();
    let as_keyword = |key: &String| key.replace(['.', '-'], "_");
    let found: Vec<&String> = keys.iter().filter(|key| as_keyword(key) == keyword).collect();
    match found.as_slice() {
        [key] => Ok((*key).clone()),
        [] => {
            let keywords: Vec<String> = keys.iter().map(as_keyword).collect();
            let own = ["machine", "settings", "shared", "model", "symbols", "check", "max_cycles"];
            let known = keywords.iter().map(String::as_str).chain(own);
            let near = hint(keyword, known);
            Err(PyTypeError::new_err(format!(
                "there is no setting or option `{keyword}`{near}; settings are the keys of `machine()`, with `_` for `.` and `-`"
            )))
        }
        several => {
            let several: Vec<String> = several.iter().map(|key| format!("`{key}`")).collect();
            Err(PyTypeError::new_err(format!(
                "`{keyword}` may be {}: say which as `settings={{\"KEY\": VALUE}}`",
                several.join(" or ")
            )))
        }
    }
}

/// A machine with all its settings as a dictionary, which may be edited and given as `machine=`.
///
/// `name` is a machine included in Reconverge (see `machines()`), a machine file, or a dictionary;
/// `settings` and keywords change it as they do in `launch`.
#[pyfunction]
#[pyo3(signature = (name=None, /, *, settings=None, **keywords))]
pub fn machine<'py>(
    py: Python<'py>,
    name: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyAny>>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    Chosen::new(py, name, table::keyword(settings, "settings")?, keywords)?.dictionary(py)
}

/// The machines included in Reconverge: name and description.
#[pyfunction]
pub fn machines(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for machine in shipped() {
        all.set_item(machine.name, machine.description)?;
    }
    Ok(all)
}

/// Every statistic, those of energy too: name, and (unit, sentence).
#[pyfunction]
pub fn statistics(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for statistic in declarations() {
        all.set_item(statistic.name, (statistic.unit, statistic.sentence))?;
    }
    Ok(all)
}
