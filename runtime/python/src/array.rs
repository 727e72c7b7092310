//! NumPy's arrays as targets of pointers.

use numpy::{PyArray1, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use reconverge::session::Scalar;
use reconverge::session::scalar::{Part, parts, spell};
use reconverge_compiler::check::tree::{Module, Type};

/// The required elements of an array.
pub struct Wanted {
    /// Bytes of an element; 0 if any will do.
    stride: usize,
    parts: Vec<Part>,
    /// In C.
    name: String,
    /// Numbers of 16 bits are `__nv_bfloat16`, not `__half`.
    is_brain: bool,
}

/// An array that a kernel gets.
pub struct Array<'py> {
    /// As it was given.
    given: Bound<'py, PyUntypedArray>,
    /// The array in C order: itself, or a copy.
    ordered: Bound<'py, PyAny>,
    /// The bytes of that.
    flat: Bound<'py, PyArray1<u8>>,
    is_copy: bool,
    is_writeable: bool,
    /// Its name in messages.
    pub what: String,
}

/// A number within an element of NumPy's: where, of which kind, of how many bytes.
#[derive(Debug, PartialEq, Eq)]
struct Leaf {
    offset: usize,
    kind: char,
    size: usize,
}

impl Wanted {
    /// Elements of any type.
    pub fn any() -> Wanted {
        Wanted { stride: 0, parts: Vec::new(), name: "void".to_owned(), is_brain: false }
    }

    /// The elements that a pointer to a type leads to.
    ///
    /// # Errors
    /// Arrays cannot hold them; a sentence.
    pub fn of(ty: &Type, module: &Module) -> Result<Wanted, String> {
        let name = spell(ty, module);
        if *ty == Type::Void {
            return Ok(Wanted { name, ..Wanted::any() });
        }
        if matches!(ty, Type::Pointer(_)) {
            return Err(format!("it leads to pointers, `{name}`, which no array holds"));
        }
        let parts = parts(ty, &module.structs);
        let parts = parts.ok_or_else(|| format!("a `{name}` has too many members"))?;
        let is_brain = name.contains("bfloat16");
        Ok(Wanted { stride: ty.size(&module.structs) as usize, parts, name, is_brain })
    }

    /// The type of all parts, if it is one and nothing lies between them.
    fn uniform(&self) -> Option<Scalar> {
        let first = *self.parts.first()?.ty.as_ref().ok()?;
        let same = self.parts.iter().all(|part| part.ty.as_ref() == Ok(&first));
        (same && first.bytes() * self.parts.len() == self.stride).then_some(first)
    }

    /// The dtype of all numbers, if it is one.
    pub fn dtype(&self) -> Option<&'static str> {
        match self.parts.iter().all(is_half) {
            true => Some(if self.is_brain { "bfloat16" } else { "float16" }),
            false => self.uniform().map(dtype_name),
        }
    }

    /// In words, as NumPy calls it.
    fn described(&self) -> String {
        match (self.dtype(), self.parts.as_slice()) {
            (Some(dtype), [_]) => format!("of dtype {dtype}"),
            (Some(dtype), many) => format!("of dtype {dtype} whose last extent is {}", many.len()),
            (None, many) => {
                let member = |part: &Part| {
                    let name = part.ty.as_ref().map_or("uint64", |&scalar| dtype_name(scalar));
                    format!("{} {name} at {}", part.path.trim_start_matches('.'), part.offset)
                };
                let members: Vec<String> = many.iter().take(8).map(member).collect();
                let more = if many.len() > 8 { ", ..." } else { "" };
                format!(
                    "of a structured dtype of {} bytes: {}{more}",
                    self.stride,
                    members.join(", ")
                )
            }
        }
    }

    /// Returns true if elements of a dtype in an array of some extents are as required.
    fn fits(&self, dtype: &Bound<'_, PyAny>, extents: &[usize]) -> PyResult<bool> {
        let mut leaves = Vec::new();
        leaves_of(dtype, 0, &mut leaves)?;
        if self.stride == 0 {
            return Ok(leaves.iter().all(|leaf| "biufcSUVB".contains(leaf.kind)));
        }
        let brain =
            |leaf: &Leaf, part: &Part| is_half(part) && (leaf.kind == BRAIN) != self.is_brain;
        let size: usize = dtype.getattr("itemsize")?.extract()?;
        if leaves.len() == self.parts.len() && size == self.stride {
            return Ok(leaves.iter().zip(&self.parts).all(|(leaf, part)| {
                leaf.offset == part.offset && leaf.fits(part) && !brain(leaf, part)
            }));
        }
        let [leaf] = leaves.as_slice() else { return Ok(false) };
        let mut extent = 1usize;
        let mut ends = extents.iter().rev().map(|&next| {
            extent = extent.saturating_mul(next);
            extent
        });
        let is_whole = ends.any(|elements| elements == self.parts.len());
        let fits = |part: &Part| leaf.fits(part) && !brain(leaf, part);
        Ok(self.uniform().is_some() && is_whole && self.parts.iter().all(fits))
    }
}

/// The kind of a leaf of `ml_dtypes.bfloat16`; NumPy's letter for it is that of raw bytes.
const BRAIN: char = 'B';

/// Returns true if a part is the bits of a `__half` or an `__nv_bfloat16`.
fn is_half(part: &Part) -> bool {
    part.ty == Ok(Scalar::U16) && part.path.ends_with("__x")
}

impl Leaf {
    fn fits(&self, part: &Part) -> bool {
        let (kinds, size) = match part.ty.as_ref().map_or(Scalar::U64, |&scalar| scalar) {
            Scalar::Bool => ("b", 1),
            // The signedness of `char` differs among compilers, and texts have either.
            Scalar::I8 | Scalar::U8 => ("iu", 1),
            scalar @ (Scalar::I16 | Scalar::I32 | Scalar::I64) => ("i", scalar.bytes()),
            Scalar::U16 if is_half(part) => ("fB", 2),
            scalar @ (Scalar::U16 | Scalar::U32 | Scalar::U64) => ("u", scalar.bytes()),
            scalar @ (Scalar::F32 | Scalar::F64) => ("f", scalar.bytes()),
        };
        kinds.contains(self.kind) && self.size == size
    }
}

/// The numbers that an element of a dtype is made of.
fn leaves_of(dtype: &Bound<'_, PyAny>, offset: usize, found: &mut Vec<Leaf>) -> PyResult<()> {
    let fields = dtype.getattr("fields")?;
    if !fields.is_none() {
        for name in dtype.getattr("names")?.try_iter()? {
            let field = fields.get_item(name?)?;
            let at: usize = field.get_item(1)?.extract()?;
            leaves_of(&field.get_item(0)?, offset + at, found)?;
        }
        return Ok(());
    }
    let array = dtype.getattr("subdtype")?;
    let size: usize = dtype.getattr("itemsize")?.extract()?;
    if !array.is_none() {
        let base = array.get_item(0)?;
        let each: usize = base.getattr("itemsize")?.extract()?;
        for at in (0..size).step_by(each.max(1)) {
            leaves_of(&base, offset + at, found)?;
        }
        return Ok(());
    }
    match dtype.getattr("kind")?.extract()? {
        // Two numbers, as in `float2`.
        'c' => {
            let size = size / 2;
            found.extend([offset, offset + size].map(|offset| Leaf { offset, kind: 'f', size }));
        }
        'V' if dtype.getattr("name")?.extract::<String>()? == "bfloat16" => {
            found.push(Leaf { offset, kind: BRAIN, size });
        }
        kind => found.push(Leaf { offset, kind, size }),
    }
    Ok(())
}

/// An object with `__dlpack__` or the buffer protocol as NumPy's array of the same memory; others as they are.
fn as_numpy<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    if value.is_instance(&numpy.getattr("ndarray")?)?
        || value.is_instance(&numpy.getattr("generic")?)?
    {
        return Ok(value.clone());
    }
    if value.hasattr("__dlpack__")? {
        return numpy.call_method1("from_dlpack", (value,));
    }
    let memory = py.import("builtins")?.call_method1("memoryview", (value,));
    match memory {
        Ok(memory) => numpy.call_method1("asarray", (memory,)),
        Err(_) => Ok(value.clone()),
    }
}

/// A type as NumPy calls it.
fn dtype_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "int8",
        Scalar::U8 => "uint8",
        Scalar::I16 => "int16",
        Scalar::U16 => "uint16",
        Scalar::I32 => "int32",
        Scalar::U32 => "uint32",
        Scalar::I64 => "int64",
        Scalar::U64 => "uint64",
        Scalar::F32 => "float32",
        Scalar::F64 => "float64",
    }
}

impl<'py> Array<'py> {
    /// An array with the required elements; `what` is its name in messages.
    ///
    /// # Errors
    /// It is no array, or its elements are of another type.
    pub fn new(value: &Bound<'py, PyAny>, wanted: &Wanted, what: String) -> PyResult<Array<'py>> {
        let py = value.py();
        let expected = || match wanted.stride {
            0 => "a numpy array".to_owned(),
            _ => format!("a numpy array {}", wanted.described()),
        };
        let value = &as_numpy(value)?;
        let Ok(given) = value.cast::<PyUntypedArray>() else {
            let found = value.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "{what}: expected {}, found a `{found}`",
                expected()
            )));
        };
        let numpy = py.import("numpy")?;
        if value.is_instance(&numpy.getattr("ma")?.getattr("MaskedArray")?)? {
            return Err(PyTypeError::new_err(format!(
                "{what}: a masked array has a mask, which no kernel sees; give its `.data`, or `.filled()`"
            )));
        }
        let dtype = value.getattr("dtype")?;
        let extents = given.shape();
        if !dtype.getattr("isnative")?.extract::<bool>()? {
            return Err(PyTypeError::new_err(format!(
                "{what}: the array's dtype {dtype} has another byte order; give `.astype(a.dtype.newbyteorder(\"=\"))`"
            )));
        }
        if !wanted.fits(&dtype, extents)? {
            let shape = match wanted.parts.len() {
                0 | 1 => String::new(),
                _ => format!(" and shape {}", value.getattr("shape")?),
            };
            return Err(PyTypeError::new_err(format!(
                "{what}: expected {} (elements are `{}`), found dtype {dtype}{shape}",
                expected(),
                wanted.name
            )));
        }
        let is_copy = !given.is_c_contiguous();
        // `asarray` gives the plain array of a subclass, whose `reshape` may be another.
        let order = if is_copy { "ascontiguousarray" } else { "asarray" };
        let ordered = numpy.call_method1(order, (value,))?;
        let flat = ordered.call_method1("reshape", (-1,))?.call_method1("view", ("uint8",))?;
        let is_writeable = value.getattr("flags")?.getattr("writeable")?.extract()?;
        let flat = flat.cast_into::<PyArray1<u8>>()?;
        Ok(Array { given: given.clone(), ordered, flat, is_copy, is_writeable, what })
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.flat.len()
    }

    /// Its description: `float32[3, 4]`.
    pub fn described(&self) -> PyResult<String> {
        let extents: Vec<String> = self.given.shape().iter().map(usize::to_string).collect();
        let dtype = self.given.as_any().getattr("dtype")?.to_string();
        // Structured ones have long names.
        let dtype = if dtype.starts_with(['[', '{']) { "structure".to_owned() } else { dtype };
        Ok(format!("{dtype}[{}]", extents.join(", ")))
    }

    /// Does something with its bytes.
    ///
    /// # Errors
    /// Someone else is changing it.
    pub fn with_bytes<T>(&self, take: impl FnOnce(&[u8]) -> T) -> PyResult<T> {
        let bytes = self.flat.try_readonly().map_err(|error| self.busy(&error.to_string()))?;
        Ok(take(bytes.as_slice()?))
    }

    fn busy(&self, why: &str) -> PyErr {
        PyValueError::new_err(format!("{}: the array is in use: {why}", self.what))
    }

    /// Returns true if both are the same memory with the same layout.
    ///
    /// # Errors
    /// They overlap otherwise, and a kernel may write there.
    pub fn is_same(&self, other: &Array<'py>) -> PyResult<bool> {
        let (one, two) = (self.given.as_any(), other.given.as_any());
        if one.is(two) {
            return Ok(true);
        }
        let numpy = one.py().import("numpy")?;
        let shares = |how: &str| numpy.call_method1(how, (one, two))?.extract::<bool>();
        if !shares("may_share_memory")? || !shares("shares_memory")? {
            return Ok(false);
        }
        let place =
            |array: &Bound<'py, PyAny>| -> PyResult<(usize, Vec<isize>, Vec<usize>, usize)> {
                let data = array.getattr("__array_interface__")?.get_item("data")?.get_item(0)?;
                let array = array.cast::<PyUntypedArray>()?;
                let size = array.as_any().getattr("itemsize")?.extract()?;
                Ok((data.extract()?, array.strides().to_vec(), array.shape().to_vec(), size))
            };
        if place(one)? == place(two)? {
            return Ok(true);
        }
        if !self.is_writeable && !other.is_writeable {
            return Ok(false);
        }
        Err(PyValueError::new_err(format!(
            "{}: the array overlaps that of {}; a kernel gets each in memory of its own: give the whole array once, and offsets",
            other.what, self.what
        )))
    }

    /// Checks that the kernel was allowed to write: it wrote nothing if the array is read-only.
    ///
    /// # Errors
    /// It did.
    pub fn check(&self, bytes: &[u8]) -> PyResult<()> {
        if self.is_writeable || self.with_bytes(|before| before == bytes)? {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "{}: the array is read-only, and the kernel has written to it; no array was changed: give `.copy()`",
            self.what
        )))
    }

    /// Writes the kernel's results into the array.
    ///
    /// # Errors
    /// Someone else is using it.
    pub fn write(&self, bytes: &[u8]) -> PyResult<()> {
        if !self.is_writeable {
            return Ok(());
        }
        let place = self.flat.try_readwrite();
        let mut place = place.map_err(|error| self.busy(&error.to_string()))?;
        place.as_slice_mut()?.copy_from_slice(bytes);
        drop(place);
        if self.is_copy {
            let py = self.given.py();
            py.import("numpy")?.call_method1("copyto", (&self.given, &self.ordered))?;
        }
        Ok(())
    }
}
