//! Device code, kernels and variables that a program registers before `main`, as nvcc and clang have it do.

use crate::abi::{Dim3, Host, In, Text};
use crate::error::{INVALID_KERNEL_IMAGE, NO_KERNEL_IMAGE, Outcome};
use crate::fatbin::{self, Fault};
use crate::link;
use crate::state::{self, ManagedVariable, Registered, Unusable};

/// The most bytes of a program's device code.
const MOST: usize = 1 << 31;
/// A name in the part of CUDA's runtime that runs on the device: nvcc links it with every program, and it launches kernels, which
/// are not supported. A kernel that uses it is reported by the function that it lacks.
const DEVICE_RUNTIME: &str = "_cuda_device_runtime_cu_";
/// The most fat binaries that are linked.
const MOST_LINKED: usize = 1 << 16;

/// The texts of a fat binary in memory.
pub fn texts(at: Host) -> Result<Vec<String>, Unusable> {
    let bytes = at.mapped(MOST);
    fatbin::texts(bytes).map(|texts| texts.into_iter().map(|text| text.ptx).collect()).map_err(
        |fault| {
            let code = match fault {
                Fault::Corrupt(_) => INVALID_KERNEL_IMAGE,
                Fault::MachineCode(_) => NO_KERNEL_IMAGE,
            };
            Unusable { code, why: fault.sentence() }
        },
    )
}

/// The texts that a program's note leads to.
fn wrapped(note: Host) -> Result<Vec<String>, Unusable> {
    let corrupt = || Unusable {
        code: INVALID_KERNEL_IMAGE,
        why: Fault::Corrupt("its note is not one of a fat binary").sentence(),
    };
    let bytes = note.mapped(24);
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    match (word(0), word(4), address(bytes, 8), address(bytes, 16)) {
        (Some(fatbin::WRAPPER), Some(fatbin::LINKED), _, Some(objects)) => linked(Host(objects)),
        (Some(fatbin::WRAPPER), _, Some(data), _) => texts(Host(data)),
        _ => Err(corrupt()),
    }
}

fn address(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// The text of a program whose device code nvcc has linked (`-rdc=true`). Its note has machine code, and the addresses of the fat
/// binaries that were linked, 0 behind the last; their texts are joined.
fn linked(objects: Host) -> Result<Vec<String>, Unusable> {
    let mut found = Vec::new();
    for number in 0..MOST_LINKED {
        let place = Host(objects.0.wrapping_add(8 * number));
        let object = place.read(8).ok().and_then(|bytes| address(bytes, 0));
        let Some(object) = object.filter(|&object| object != 0) else {
            break;
        };
        let text = texts(Host(object))?.into_iter().next();
        found.extend(text.filter(|text| !text.contains(DEVICE_RUNTIME)));
    }
    let texts: Vec<&str> = found.iter().map(String::as_str).collect();
    match link::join(&texts) {
        Ok((text, _)) => Ok(vec![text]),
        Err(why) => Err(Unusable::of_link(&why)),
    }
}

/// Registers device code; the result is a handle for the functions below.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaRegisterFatBinary(note: Host) -> usize {
    let found = wrapped(note);
    state::with(|state| {
        if let Err(Unusable { why, .. }) = &found {
            state.say_once(why, why);
        }
        state.binaries.push(found);
        state.binaries.len()
    })
}

/// All of a binary has been registered.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaRegisterFatBinaryEnd(_binary: usize) {}

/// The end of a program that had registered device code. The reports still need it.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaUnregisterFatBinary(_binary: usize) {}

/// Loads the device code, so that managed variables have their places.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaInitModule(_binary: usize) -> i8 {
    i8::from(crate::error::runtime(|| state::device(|_| Ok(()))) == 0)
}

fn registered(binary: usize, symbol: Text) -> Outcome<Registered> {
    Ok(Registered { binary: binary.wrapping_sub(1), symbol: symbol.get()? })
}

/// Registers a kernel by the address of its stand-in on the host.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
#[allow(clippy::too_many_arguments)]
extern "C" fn __cudaRegisterFunction(
    binary: usize,
    stand_in: usize,
    _device_name: Text,
    symbol: Text,
    _threads: i32,
    _thread: In<Dim3>,
    _block: In<Dim3>,
    _block_size: In<Dim3>,
    _grid_size: In<Dim3>,
    _warp_size: In<i32>,
) {
    crate::error::runtime(|| {
        let kernel = registered(binary, symbol)?;
        state::with(|state| state.functions.insert(stand_in, kernel));
        Ok(())
    });
}

/// Registers a variable by the address of its stand-in on the host.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
#[allow(clippy::too_many_arguments)]
extern "C" fn __cudaRegisterVar(
    binary: usize,
    stand_in: usize,
    _device_name: Text,
    symbol: Text,
    _is_external: i32,
    _size: usize,
    _is_constant: i32,
    _is_global: i32,
) {
    crate::error::runtime(|| {
        let variable = registered(binary, symbol)?;
        state::with(|state| state.variables.insert(stand_in, variable));
        Ok(())
    });
}

/// Registers a managed variable by the place of the pointer that the host follows.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
#[allow(clippy::too_many_arguments)]
extern "C" fn __cudaRegisterManagedVar(
    binary: usize,
    pointer: Host,
    _device_name: Text,
    symbol: Text,
    _is_external: i32,
    size: usize,
    _is_constant: i32,
    _is_global: i32,
) {
    crate::error::runtime(|| {
        let variable = registered(binary, symbol)?;
        state::with(|state| {
            state.variables.insert(pointer.0, variable.clone());
            state.managed.push(ManagedVariable { pointer, size, variable });
        });
        Ok(())
    });
}

/// Surface references were removed in CUDA 12.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaRegisterSurface() {
    crate::error::missing("__cudaRegisterSurface");
}
