//! Numbers of Python as those of the language.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt};
use reconverge::session::Scalar;

/// The bits of a number in a type; `what` is its name in messages.
///
/// # Errors
/// It is no number of this kind, or the type cannot hold it.
pub fn bits(value: &Bound<'_, PyAny>, scalar: Scalar, what: &str) -> PyResult<[u8; 8]> {
    let expected = |kind: &str| {
        let found = described(value);
        PyTypeError::new_err(format!("{what}: expected {kind}, found {found}"))
    };
    // An array of one number is a number only if it has no extents, or a mistake would go unseen.
    let extents = value.getattr("ndim").and_then(|extents| extents.extract::<usize>());
    let kind = match scalar {
        Scalar::F32 | Scalar::F64 => "a number",
        Scalar::Bool => "True or False",
        _ => "a whole number",
    };
    if extents.is_ok_and(|extents| extents > 0) {
        return Err(expected(kind));
    }
    if scalar.is_float() {
        let number: f64 = value.extract().map_err(|_| expected(kind))?;
        if scalar == Scalar::F64 {
            return Ok(number.to_le_bytes());
        }
        let rounded = number as f32;
        if rounded.is_infinite() && number.is_finite() {
            return Err(PyValueError::new_err(format!("{what}: {number:e} is no `float`")));
        }
        return Ok(u64::from(rounded.to_bits()).to_le_bytes());
    }
    let number = whole(value, scalar).map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            let value = described(value);
            return PyValueError::new_err(format!("{what}: {value} is no `{}`", scalar.name()));
        }
        expected(kind)
    })?;
    let width = 8 * scalar.bytes() as u32;
    let (least, most) = match scalar {
        Scalar::Bool => (0, 1),
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => {
            (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1)
        }
        _ => (0, (1i128 << width) - 1),
    };
    if !(least..=most).contains(&number) {
        return Err(PyValueError::new_err(format!(
            "{what}: {number} is no `{}`, which is from {least} to {most}",
            scalar.name()
        )));
    }
    Ok((number as u64).to_le_bytes())
}

/// A whole number, or a truth as 0 or 1.
fn whole(value: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<i128> {
    // NumPy's truths are no whole numbers to Python.
    if let Ok(truth) = value.extract::<bool>() {
        return Ok(i128::from(truth));
    }
    match value.extract::<i128>()? {
        number if scalar == Scalar::Bool && !matches!(number, 0 | 1) => {
            Err(PyTypeError::new_err("it is neither 0 nor 1"))
        }
        number => Ok(number),
    }
}

/// A value's description: `a float, 2.5`, `a list`.
pub fn described(value: &Bound<'_, PyAny>) -> String {
    let name =
        value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
    let text = value.repr().map(|text| text.to_string()).unwrap_or_default();
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match text.len() {
        0 | 41.. => format!("{article} `{name}`"),
        _ => format!("{article} `{name}`, {text}"),
    }
}

/// The bytes of a number, or of an object of bytes, for a parameter of a known size and an unknown type; `None` if it is
/// neither. A whole number may be signed or unsigned.
///
/// # Errors
/// The size does not hold it.
pub fn raw(value: &Bound<'_, PyAny>, size: usize, what: &str) -> PyResult<Option<Vec<u8>>> {
    let numpy = value.py().import("numpy")?;
    let sized = |bytes: Vec<u8>| match bytes.len() == size {
        true => Ok(Some(bytes)),
        false => Err(PyValueError::new_err(format!("{what}: {} bytes are given", bytes.len()))),
    };
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return sized(bytes.as_bytes().to_vec());
    }
    if value.is_instance(&numpy.getattr("generic")?)? {
        return sized(value.call_method0("tobytes")?.extract()?);
    }
    if value.is_instance_of::<PyFloat>() {
        let name = match size {
            2 => "float16",
            4 => "float32",
            8 => "float64",
            _ => return Err(PyTypeError::new_err(format!("{what}: no number has this size"))),
        };
        return sized(numpy.call_method1(name, (value,))?.call_method0("tobytes")?.extract()?);
    }
    if !value.is_instance_of::<PyInt>() {
        return Ok(None);
    }
    let range = || PyValueError::new_err(format!("{what}: {} does not fit", described(value)));
    let number: i128 = value.extract().map_err(|_| range())?;
    if !(1..=8).contains(&size) {
        return Err(PyTypeError::new_err(format!("{what}: no number has this size; give `bytes`")));
    }
    let width = 8 * size as u32;
    if !(-(1i128 << (width - 1))..1i128 << width).contains(&number) {
        return Err(range());
    }
    Ok(Some(number.to_le_bytes()[..size].to_vec()))
}
