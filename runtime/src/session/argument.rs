//! The arguments of a kernel, and the check that they fit its parameters.

use super::Kernel;
use super::buffer::{Buffer, Element};
use super::scalar::{Scalar, spell};
use reconverge_compiler::check::tree::Type;
use reconverge_isa::wording::counted;

/// An argument of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg(pub(super) Value);

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(Scalar, [u8; 8]),
    /// An address, with the type of its target if that is known.
    Pointer(u32, Option<Scalar>),
    Bytes(Vec<u8>),
}

impl Arg {
    /// The null pointer.
    pub fn null() -> Arg {
        Arg(Value::Pointer(0, None))
    }

    /// A structure, by the bytes of its layout.
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Arg {
        Arg(Value::Bytes(bytes.into()))
    }

    /// An address in device memory, mapped or not.
    pub fn address(address: u32) -> Arg {
        Arg(Value::Pointer(address, None))
    }

    /// A number of a type, by its bytes.
    pub fn number(scalar: Scalar, bits: [u8; 8]) -> Arg {
        Arg(Value::Number(scalar, bits))
    }

    fn kind(&self) -> String {
        match &self.0 {
            Value::Number(scalar, _) => format!("a `{}`", scalar.name()),
            Value::Pointer(_, Some(scalar)) => format!("a buffer of `{}`", scalar.name()),
            Value::Pointer(_, None) => "a pointer".to_owned(),
            Value::Bytes(bytes) => {
                format!("a structure of {}", counted(bytes.len() as u64, "byte"))
            }
        }
    }
}

impl<T: Element> From<T> for Arg {
    fn from(value: T) -> Arg {
        Arg(Value::Number(T::SCALAR, value.to_bits()))
    }
}

impl<T: Element> From<Buffer<T>> for Arg {
    fn from(buffer: Buffer<T>) -> Arg {
        Arg(Value::Pointer(buffer.address, Some(T::SCALAR)))
    }
}

impl<T: Element> From<&Buffer<T>> for Arg {
    fn from(buffer: &Buffer<T>) -> Arg {
        Arg::from(Buffer { ..*buffer })
    }
}

/// The parameter block of a launch.
///
/// # Errors
/// A sentence that names the argument that does not fit, and the kernel's signature.
pub(super) fn block(kernel: &Kernel<'_>, arguments: &[Arg]) -> Result<Vec<u8>, String> {
    let parameters = kernel.parameters();
    if arguments.len() != parameters.len() {
        return Err(format!(
            "`{}` takes {}, {} given\n  it is `{}`",
            kernel.name(),
            counted(parameters.len() as u64, "argument"),
            arguments.len(),
            kernel.signature()
        ));
    }
    let (offsets, size) = kernel.layout();
    let structs = &kernel.module().structs;
    let mut block = vec![0; size as usize];
    for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        let size = parameter.ty.size(structs) as usize;
        let bytes = bytes(argument, &parameter.ty, size).ok_or_else(|| {
            format!(
                "argument {index} is {}, but `{}` of `{}` is a `{}`",
                argument.kind(),
                parameter.name,
                kernel.name(),
                spell(&parameter.ty, kernel.module())
            )
        })?;
        let at = offsets[index] as usize;
        block[at..at + size].copy_from_slice(&bytes[..size]);
    }
    Ok(block)
}

/// The bytes of an argument as a parameter's type, if it can be one.
fn bytes(argument: &Arg, ty: &Type, size: usize) -> Option<Vec<u8>> {
    match (&argument.0, ty) {
        (Value::Number(scalar, bits), ty) => {
            Scalar::of(ty).filter(|wanted| wanted.agrees(*scalar)).map(|_| bits.to_vec())
        }
        (Value::Pointer(address, element), Type::Pointer(to)) => {
            // The caller is responsible for the layout of structures.
            let fits = match (element, Scalar::of(to)) {
                (Some(element), Some(wanted)) => wanted.agrees(*element),
                (Some(_), None) => !matches!(**to, Type::Pointer(_)),
                (None, _) => true,
            };
            fits.then(|| u64::from(*address).to_le_bytes().to_vec())
        }
        (Value::Bytes(bytes), Type::Struct(_)) => (bytes.len() == size).then(|| bytes.clone()),
        _ => None,
    }
}
