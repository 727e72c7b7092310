//! Mechanisms written in Python: a class becomes a mechanism of its slot, under a name with a digest of its source.
//!
//! The package has the base classes (`_mechanisms.py`). A setting with a class as its value registers the class
//! ([`name_of`]), and the machine file gets the name. A launch on such a machine runs in a [`Launch`], on one thread, where
//! the builders make an object for each place of the machine.

mod allocation;
mod launch;
mod objects;
mod prefetcher;
mod replacement;
mod scheduler;

pub use launch::{Launch, within};
pub use objects::{IssuedInstruction, LineAccess, LoadOfWarp, NextInstruction, Requester, View};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use reconverge::study::provenance::pairs;
use reconverge_simulator::Mechanism;
use reconverge_simulator::extension::{self, List, add_late};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A registered class.
pub struct Class {
    /// The class, as it was defined last.
    class: Mutex<Py<PyType>>,
    /// Its name in Python.
    pub name: String,
    /// Its source is known, so its name in machine files has a digest of it.
    pub has_source: bool,
}

impl Class {
    fn bind<'py>(&self, py: Python<'py>) -> Bound<'py, PyType> {
        self.class.lock().unwrap_or_else(PoisonError::into_inner).bind(py).clone()
    }
}

/// By name in machine files.
static CLASSES: Mutex<BTreeMap<String, Arc<Class>>> = Mutex::new(BTreeMap::new());

/// The name in machine files of a class that is given for a setting; `None` for another value.
///
/// # Errors
/// A class that does not fit the setting.
pub fn name_of(given: &Bound<'_, PyAny>, key: &str) -> PyResult<Option<String>> {
    let py = given.py();
    let named = py.import("reconverge._mechanisms")?.call_method1("named", (given, key))?;
    let Some((name, slot, has_source)) = named.extract::<Option<(String, String, bool)>>()? else {
        return Ok(None);
    };
    let class = given.cast::<PyType>()?.clone().unbind();
    let mut all = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(&name) {
        *known.class.lock().unwrap_or_else(PoisonError::into_inner) = class;
        return Ok(Some(name));
    }
    let own = given.cast::<PyType>()?.name()?.to_string();
    let class = Arc::new(Class { class: Mutex::new(class), name: own, has_source });
    let added = match slot.as_str() {
        "scheduler" => {
            add(&extension::scheduler::list::MECHANISMS, &name, scheduler::build(class.clone()))
        }
        "replacement" => {
            add(&extension::replacement::list::MECHANISMS, &name, replacement::build(class.clone()))
        }
        "allocation" => {
            add(&extension::allocation::list::MECHANISMS, &name, allocation::build(class.clone()))
        }
        _ => prefetcher::add(&name, class.clone()),
    };
    added.map_err(PyValueError::new_err)?;
    all.insert(name.clone(), class);
    Ok(Some(name))
}

fn add<Build: Send + Sync>(
    list: &'static List<Build>,
    name: &str,
    build: Build,
) -> Result<(), String> {
    add_late(list, mechanism(name, build))
}

/// The record of a class. It lives as long as the process, as those of Rust do.
fn mechanism<Build>(name: &str, build: Build) -> Mechanism<Build> {
    Mechanism {
        name: name.to_owned().leak(),
        sentence: "a class of Python",
        options: &[],
        trials: &[],
        statistics: &[],
        build,
    }
}

/// The classes that a machine uses, given its complete file.
pub fn used(machine: &str) -> Vec<Arc<Class>> {
    let all = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut used: Vec<Arc<Class>> = Vec::new();
    if all.is_empty() {
        return used;
    }
    for (_, value) in pairs(machine) {
        if let Some(class) = all.get(&value)
            && !used.iter().any(|known| Arc::ptr_eq(known, class))
        {
            used.push(class.clone());
        }
    }
    used
}

/// An attribute of a class.
fn attribute<T: for<'a, 'py> FromPyObject<'a, 'py>>(
    class: &Class,
    name: &str,
) -> Result<T, String> {
    Python::attach(|py| {
        let value = class.bind(py).getattr(name).map_err(|error| error.to_string())?;
        value.extract().map_err(|_| {
            let shown = value.repr().map(|text| text.to_string()).unwrap_or_default();
            format!("`{}.{name}` cannot be {shown}", class.name)
        })
    })
}

/// A name of Rust as one of Python: `OperandRead` as `operand-read`.
fn hyphened(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
