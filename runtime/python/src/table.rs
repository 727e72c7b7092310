//! Tables of machine files as dictionaries, and back.

use crate::mechanisms;
use crate::number::described;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use toml::{Table, Value};

/// The depth to which dictionaries may be nested; machine files are four deep. A dictionary may
/// hold itself.
const DEEPEST: usize = 8;

/// A table as a dictionary.
pub fn dictionary<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (key, value) in table {
        all.set_item(key, object(py, value)?)?;
    }
    Ok(all)
}

fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => number.into_pyobject(py)?.into_any(),
        Value::Boolean(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Datetime(time) => time.to_string().into_pyobject(py)?.into_any(),
        Value::Array(values) => {
            let values = values.iter().map(|value| object(py, value));
            PyList::new(py, values.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        Value::Table(table) => dictionary(py, table)?.into_any(),
    })
}

/// A dictionary as a table; `path` is where it is in the whole.
///
/// # Errors
/// A key that is no text, or a value that machine files do not have.
pub fn table(dictionary: &Bound<'_, PyDict>, path: &str) -> PyResult<Table> {
    if path.split('.').count() > DEEPEST {
        return Err(PyValueError::new_err(format!("a machine has no tables as deep as `{path}`")));
    }
    let mut all = Table::new();
    for (key, item) in dictionary {
        let Ok(key) = key.extract::<String>() else {
            let path = if path.is_empty() { "a machine" } else { path };
            return Err(PyTypeError::new_err(format!(
                "{path}: the key {} is no text",
                key.repr()?
            )));
        };
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let value = value(&item, &path)?;
        all.insert(key, value);
    }
    Ok(all)
}

fn value(item: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    if let Ok(dictionary) = item.cast::<PyDict>() {
        return table(dictionary, path).map(Value::Table);
    }
    if let Ok(list) = item.cast::<PyList>() {
        let path = format!("{path}.0");
        if path.split('.').count() > DEEPEST {
            return Err(PyValueError::new_err(format!(
                "a machine has no lists as deep as `{path}`"
            )));
        }
        let values = list.iter().map(|item| value(&item, &path));
        return values.collect::<PyResult<Vec<_>>>().map(Value::Array);
    }
    if let Some(name) = mechanisms::name_of(item, path)? {
        return Ok(Value::String(name));
    }
    let item = plain(item)?;
    Ok(if item.is_instance_of::<PyString>() {
        Value::String(item.extract()?)
    } else if item.is_instance_of::<PyBool>() {
        Value::Boolean(item.extract()?)
    } else if item.is_instance_of::<PyInt>() {
        let wrong = |_| PyValueError::new_err(format!("`{path}`: {item} is no 64-bit number"));
        Value::Integer(item.extract().map_err(wrong)?)
    } else if item.is_instance_of::<PyFloat>() {
        Value::Float(item.extract()?)
    } else {
        let name = item.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "`{path}` of a machine is a text, a number, True, False or a dictionary, not a `{name}`"
        )));
    })
}

/// A number of NumPy as Python's own; anything else as it is.
fn plain<'py>(item: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let generic = item.py().import("numpy")?.getattr("generic")?;
    if item.is_instance(&generic)? { item.call_method0("item") } else { Ok(item.clone()) }
}

/// A keyword's value as a dictionary.
///
/// # Errors
/// It is none.
pub fn keyword<'a, 'py>(
    value: Option<&'a Bound<'py, PyAny>>,
    name: &str,
) -> PyResult<Option<&'a Bound<'py, PyDict>>> {
    let cast = |value: &'a Bound<'py, PyAny>| {
        value.cast::<PyDict>().map_err(|_| {
            let found = described(value);
            PyTypeError::new_err(format!("`{name}` is a dictionary, not {found}"))
        })
    };
    value.map(cast).transpose()
}

/// The value of a setting as text.
///
/// # Errors
/// It is neither text nor number nor truth nor a list of them.
pub fn setting(item: &Bound<'_, PyAny>, key: &str) -> PyResult<String> {
    Ok(match value(item, key)? {
        Value::String(text) => text,
        Value::Table(_) => {
            let name = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "setting `{key}` is a text, a number or a list, such as \"16K\" or 16384, not a `{name}`"
            )));
        }
        other => other.to_string(),
    })
}
