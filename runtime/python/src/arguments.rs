//! The arguments of a kernel: arrays become buffers of device memory, and are written back; numbers
//! get the types of the parameters.

use crate::array::{Array, Wanted};
use crate::module::signature;
use crate::{number, raise};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use reconverge::session::scalar::spell;
use reconverge::session::{Gpu, Kernel, Module, Scalar};
use reconverge::{Arg, Error};
use reconverge_compiler::check::tree::{Local, Type};
use reconverge_isa::Parameter;
use reconverge_isa::wording::counted;

/// The arguments of a kernel, before they are on a machine.
pub struct Arguments<'py> {
    values: Vec<Value>,
    arrays: Vec<Array<'py>>,
    /// Variables of the program: name, and which array.
    symbols: Vec<(String, usize)>,
    /// The parameters of a kernel of PTX or IR, whose types are unknown.
    places: Option<Vec<Parameter>>,
    /// As a reader would write them.
    pub texts: Vec<String>,
}

enum Value {
    Ready(Arg),
    /// The bytes of a parameter whose type is unknown.
    Raw(Vec<u8>),
    /// The address of this array.
    Array(usize),
}

/// An argument as a launch passes it to a kernel.
pub enum Passed {
    /// Arguments for parameters with types.
    Typed(Vec<Arg>),
    /// The bytes of all parameters.
    Bytes(Vec<u8>),
}

/// The places of arrays on a machine: address and size in bytes.
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
        let places = module.is_bare().then(|| {
            let code = module.lowered().program.kernel(kernel.name());
            code.map_or(Vec::new(), |code| code.parameters.clone())
        });
        let count = places.as_ref().map_or(parameters.len(), Vec::len);
        if arguments.len() != count {
            let plural = if count == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "`{}` takes {count} argument{plural}, {} given\n  it is `{}`",
                kernel.name(),
                arguments.len(),
                signature(module, kernel)
            )));
        }
        let mut all = Arguments {
            values: Vec::new(),
            arrays: Vec::new(),
            symbols: Vec::new(),
            places: places.clone(),
            texts: Vec::new(),
        };
        for (index, (value, parameter)) in arguments.iter().zip(parameters).enumerate() {
            let ty = spell(&parameter.ty, module.tree());
            let what = format!("argument {index}, `{}` of type `{ty}`", parameter.name);
            let value = all.value(module, &value, parameter, what)?;
            all.values.push(value);
        }
        for (index, (value, place)) in arguments.iter().zip(places.iter().flatten()).enumerate() {
            let size = counted(place.size.into(), "byte");
            let what = format!("argument {index}, `{}` of {size}", place.name);
            let value = all.raw(&value, place.size as usize, what)?;
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

    /// A parameter of `size` bytes: `None`, a number, bytes, or an array for a pointer.
    fn raw(&mut self, value: &Bound<'py, PyAny>, size: usize, what: String) -> PyResult<Value> {
        if value.is_none() {
            self.texts.push("None".to_owned());
            return Ok(Value::Raw(vec![0; size]));
        }
        if let Some(bytes) = number::raw(value, size, &what)? {
            self.texts.push(value.str()?.to_string());
            return Ok(Value::Raw(bytes));
        }
        let array = Array::new(value, &Wanted::any(), what)?;
        if size != 8 {
            return Err(PyTypeError::new_err(format!(
                "{}: an array needs a pointer, which has 8 bytes",
                array.what
            )));
        }
        self.texts.push(array.described()?);
        self.add(array).map(Value::Array)
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
            Some(global) if !module.is_bare() => {
                let element = match &global.ty {
                    Type::Array(element, _) => element,
                    other => other,
                };
                let wrong = |why: String| PyTypeError::new_err(format!("{what}: {why}"));
                Wanted::of(element, module.tree()).map_err(wrong)?
            }
            // The types of PTX and IR are unknown; the machine reports a wrong name.
            _ => Wanted::any(),
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

    /// Copies the arrays into a machine's memory. Returns their places, and the kernel's arguments.
    ///
    /// # Errors
    /// There is no room for them, or a variable that is not there, or of another size.
    pub fn place(&self, gpu: &mut Gpu<'_>) -> PyResult<(Placed, Passed)> {
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
        if let Some(places) = &self.places {
            let end = places.iter().map(|it| it.offset + it.size).max().unwrap_or(0);
            let mut block = vec![0; end as usize];
            for (value, place) in self.values.iter().zip(places) {
                let bytes = match value {
                    Value::Array(at) => u64::from(placed[*at].0).to_le_bytes().to_vec(),
                    Value::Raw(bytes) => bytes.clone(),
                    Value::Ready(_) => Vec::new(),
                };
                block[place.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
            }
            return Ok((Placed(placed), Passed::Bytes(block)));
        }
        let argument = |value: &Value| match value {
            Value::Ready(argument) => argument.clone(),
            Value::Array(at) => Arg::address(placed[*at].0),
            Value::Raw(bytes) => Arg::bytes(bytes.clone()),
        };
        let arguments = self.values.iter().map(argument).collect();
        Ok((Placed(placed), Passed::Typed(arguments)))
    }

    /// Copies a machine's memory back into the arrays: into all or none.
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
