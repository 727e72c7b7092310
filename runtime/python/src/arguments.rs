//! What a kernel is given: arrays become buffers of device memory, and are written back; numbers become what the parameters
//! are.

use crate::array::{Array, Wanted};
use crate::{number, raise};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use reconverge::session::scalar::spell;
use reconverge::session::{Gpu, Kernel, Module, Scalar};
use reconverge::{Arg, Error};
use reconverge_compiler::check::tree::{Local, Type};

/// What a kernel is given, before it is on a machine.
pub struct Arguments<'py> {
    values: Vec<Value>,
    arrays: Vec<Array<'py>>,
    /// Variables of the program: name, and which array.
    symbols: Vec<(String, usize)>,
    /// As a reader would write them.
    pub texts: Vec<String>,
}

enum Value {
    Ready(Arg),
    /// The address of this array.
    Array(usize),
}

/// Where arrays are on a machine: address and size in bytes.
pub struct Placed(Vec<(u32, usize)>);

impl<'py> Arguments<'py> {
    /// Arguments for a kernel's parameters, and arrays for variables of its program.
    ///
    /// # Errors
    /// One that does not fit its parameter: a `TypeError`, or a `ValueError` if it is only out of range.
    pub fn new(
        module: &Module,
        kernel: &Kernel<'_>,
        arguments: &Bound<'py, PyTuple>,
        symbols: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments<'py>> {
        let parameters = kernel.parameters();
        if arguments.len() != parameters.len() {
            let plural = if parameters.len() == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "`{}` takes {} argument{plural}, {} given\n  it is `{}`",
                kernel.name(),
                parameters.len(),
                arguments.len(),
                kernel.signature()
            )));
        }
        let mut all = Arguments {
            values: Vec::new(),
            arrays: Vec::new(),
            symbols: Vec::new(),
            texts: Vec::new(),
        };
        for (index, (value, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let ty = spell(&parameter.ty, module.tree());
            let what = format!("argument {index}, `{}` of type `{ty}`", parameter.name);
            let value = all.value(module, &value, parameter, what)?;
            all.values.push(value);
        }
        for (name, value) in symbols.into_iter().flatten() {
            let name: String = name.extract()?;
            all.symbol(module, name, &value)?;
        }
        Ok(all)
    }

    fn value(
        &mut self,
        module: &Module,
        value: &Bound<'py, PyAny>,
        parameter: &Local,
        what: String,
    ) -> PyResult<Value> {
        if let Some(scalar) = Scalar::of(&parameter.ty) {
            let bits = number::bits(value, scalar, &what)?;
            self.texts.push(scalar.text(&bits[..scalar.bytes()]));
            return Ok(Value::Ready(Arg::number(scalar, bits)));
        }
        let wrong = |why: String| PyTypeError::new_err(format!("{what}: {why}"));
        match &parameter.ty {
            Type::Pointer(_) if value.is_none() => {
                self.texts.push("None".to_owned());
                Ok(Value::Ready(Arg::null()))
            }
            Type::Pointer(to) => {
                let wanted = Wanted::of(to, module.tree()).map_err(wrong)?;
                let array = Array::new(value, &wanted, what)?;
                self.texts.push(array.described()?);
                self.add(array).map(Value::Array)
            }
            ty => {
                let size = ty.size(&module.tree().structs) as usize;
                let wanted = Wanted::of(ty, module.tree()).map_err(wrong)?;
                let bytes = structure(value, size, &wanted, &what)?;
                self.texts.push(format!("structure[{size}]"));
                Ok(Value::Ready(Arg::bytes(bytes)))
            }
        }
    }

    /// The place of an array, which may be there already.
    fn add(&mut self, array: Array<'py>) -> PyResult<usize> {
        for (at, other) in self.arrays.iter().enumerate() {
            if other.is_same(&array)? {
                return Ok(at);
            }
        }
        self.arrays.push(array);
        Ok(self.arrays.len() - 1)
    }

    fn symbol(&mut self, module: &Module, name: String, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let what = format!("variable `{name}`");
        let globals = &module.tree().globals;
        let wanted = match globals.iter().find(|global| global.name == name) {
            Some(global) => {
                let element = match &global.ty {
                    Type::Array(element, _) => element,
                    other => other,
                };
                let wrong = |why: String| PyTypeError::new_err(format!("{what}: {why}"));
                Wanted::of(element, module.tree()).map_err(wrong)?
            }
            // The machine says what is wrong with the name.
            None => Wanted::of(&Type::Void, module.tree()).map_err(PyTypeError::new_err)?,
        };
        let array = Array::new(value, &wanted, what)?;
        let at = self.arrays.len();
        if self.add(array)? != at {
            return Err(PyValueError::new_err(format!(
                "variable `{name}`: the array is an argument too, or another variable's"
            )));
        }
        self.symbols.push((name, at));
        Ok(())
    }

    /// Copies the arrays into a machine's memory; where they are, and what the kernel gets.
    ///
    /// # Errors
    /// There is no room for them, or a variable that is not there, or of another size.
    pub fn place(&self, gpu: &mut Gpu<'_>) -> PyResult<(Placed, Vec<Arg>)> {
        let refused = |error: Error| raise::refused(&error);
        let mut placed = Vec::new();
        for (at, array) in self.arrays.iter().enumerate() {
            let symbol = self.symbols.iter().find(|(_, index)| *index == at);
            let address = match symbol {
                Some((name, _)) => {
                    let (address, size) = gpu.symbol(name).map_err(refused)?;
                    if size != array.size() {
                        let given = array.size();
                        return Err(PyValueError::new_err(format!(
                            "variable `{name}` has {size} bytes, the array {given}"
                        )));
                    }
                    array.with_bytes(|bytes| gpu.fill(address, bytes, name))?.map_err(refused)?;
                    address
                }
                None => array
                    .with_bytes(|bytes| gpu.allocate(bytes))?
                    .map_err(|error| PyValueError::new_err(format!("{}: {error}", array.what)))?,
            };
            placed.push((address, array.size()));
        }
        let argument = |value: &Value| match value {
            Value::Ready(argument) => argument.clone(),
            Value::Array(at) => Arg::address(placed[*at].0),
        };
        let arguments = self.values.iter().map(argument).collect();
        Ok((Placed(placed), arguments))
    }

    /// Puts what is in a machine's memory into the arrays: into all or none.
    ///
    /// # Errors
    /// A read-only array was written to, or someone else uses one.
    pub fn write_back(&self, placed: &Placed, gpu: &mut Gpu<'_>) -> PyResult<()> {
        let all = || self.arrays.iter().zip(&placed.0);
        for (array, &(address, size)) in all() {
            array.check(gpu.bytes(address, size))?;
        }
        for (array, &(address, size)) in all() {
            array.write(gpu.bytes(address, size))?;
        }
        Ok(())
    }
}

/// The bytes of a structure that is given by value: `bytes`, a structured scalar or array of NumPy, or, if all members are of
/// one type, their values.
fn structure(
    value: &Bound<'_, PyAny>,
    size: usize,
    wanted: &Wanted,
    what: &str,
) -> PyResult<Vec<u8>> {
    let py = value.py();
    let bytes = match value.cast::<PyBytes>() {
        Ok(bytes) => bytes.as_bytes().to_vec(),
        Err(_) => {
            let numpy = py.import("numpy")?;
            let is_list = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
            let dtype = wanted.dtype().filter(|_| is_list);
            let array = numpy.call_method1("asarray", (value, dtype))?;
            Array::new(&array, wanted, what.to_owned())?.with_bytes(<[u8]>::to_vec)?
        }
    };
    if bytes.len() != size {
        let given = bytes.len();
        return Err(PyValueError::new_err(format!("{what}: it has {size} bytes, {given} given")));
    }
    Ok(bytes)
}
