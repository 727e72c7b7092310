//! Error codes, the last error of each thread, and the frame around every call.

use crate::abi;
use crate::state;
use reconverge::host::cuda_error;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// A result, or an error code of CUDA's runtime.
pub type Outcome<T = ()> = Result<T, i32>;

pub use cuda_error::{
    INVALID_CONFIGURATION, INVALID_DEVICE, INVALID_MEMCPY_DIRECTION, INVALID_PITCH_VALUE,
    INVALID_RESOURCE_HANDLE, INVALID_SYMBOL, INVALID_VALUE, LAUNCH_OUT_OF_RESOURCES,
    MEMORY_ALLOCATION, NOT_SUPPORTED,
};
pub const INITIALIZATION: i32 = 3;
pub const UNLOADING: i32 = 4;
pub const INVALID_CHANNEL: i32 = 20;
pub const MISSING_CONFIGURATION: i32 = 52;
pub const INVALID_DEVICE_FUNCTION: i32 = 98;
pub const INVALID_KERNEL_IMAGE: i32 = 200;
pub const NO_KERNEL_IMAGE: i32 = 209;
pub const PEER_ACCESS_UNSUPPORTED: i32 = 217;
pub const INVALID_PTX: i32 = 218;
pub const NOT_FOUND: i32 = 500;
pub const NOT_READY: i32 = 600;
pub const ILLEGAL_ADDRESS: i32 = 700;
pub const LAUNCH_TIMEOUT: i32 = 702;
pub const PEER_ACCESS_NOT_ENABLED: i32 = 705;
pub const ASSERT: i32 = 710;
pub const MISALIGNED_ADDRESS: i32 = 716;
pub const LAUNCH_FAILURE: i32 = 719;
pub const STREAM_CAPTURE_UNSUPPORTED: i32 = 900;
pub const ILLEGAL_STATE: i32 = 401;
pub const UNKNOWN: i32 = 999;

thread_local! {
    static LAST: Cell<i32> = const { Cell::new(0) };
}

/// Calls the body of a function of the runtime.
pub fn runtime(body: impl FnOnce() -> Outcome) -> i32 {
    let code = guarded(body);
    if code != 0 && code != NOT_READY {
        LAST.set(code);
    }
    code
}

/// Calls the body of a function of the driver.
pub fn driver(body: impl FnOnce() -> Outcome) -> i32 {
    match guarded(body) {
        INVALID_CONFIGURATION | INVALID_PITCH_VALUE | INVALID_MEMCPY_DIRECTION => INVALID_VALUE,
        INVALID_SYMBOL | INVALID_DEVICE_FUNCTION => NOT_FOUND,
        code => code,
    }
}

/// A fault of ours becomes an error code: the program of the host goes on.
fn guarded(body: impl FnOnce() -> Outcome) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => 0,
        Ok(Err(code)) => code,
        Err(_) => UNKNOWN,
    }
}

/// Reports a function that is not implemented, once.
pub fn missing(name: &'static str) -> i32 {
    runtime(|| {
        state::say_once(
            name,
            &format!("`{name}` is not implemented; it returns `cudaErrorNotSupported`"),
        );
        Err(NOT_SUPPORTED)
    })
}

/// The last error of this thread; it stays.
pub fn last() -> i32 {
    state::fault().unwrap_or_else(|| LAST.get())
}

/// The last error of this thread, which is forgotten.
pub fn take_last() -> i32 {
    let last = LAST.replace(0);
    state::fault().unwrap_or(last)
}

/// Texts that were returned to C, by their contents.
static TEXTS: Mutex<BTreeMap<String, CString>> = Mutex::new(BTreeMap::new());

/// A text of C that stays.
pub fn text(text: &str) -> *const c_char {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || CString::new(text).unwrap_or_default();
    // Moving the entry leaves the bytes where they are, and no entry is ever removed.
    texts.entry(text.to_owned()).or_insert_with(make).as_ptr()
}

/// The name of a code of the driver.
pub fn driver_name(code: i32) -> Option<&'static CStr> {
    Some(match code {
        0 => c"CUDA_SUCCESS",
        1 => c"CUDA_ERROR_INVALID_VALUE",
        2 => c"CUDA_ERROR_OUT_OF_MEMORY",
        3 => c"CUDA_ERROR_NOT_INITIALIZED",
        4 => c"CUDA_ERROR_DEINITIALIZED",
        100 => c"CUDA_ERROR_NO_DEVICE",
        101 => c"CUDA_ERROR_INVALID_DEVICE",
        200 => c"CUDA_ERROR_INVALID_IMAGE",
        201 => c"CUDA_ERROR_INVALID_CONTEXT",
        209 => c"CUDA_ERROR_NO_BINARY_FOR_GPU",
        217 => c"CUDA_ERROR_PEER_ACCESS_UNSUPPORTED",
        218 => c"CUDA_ERROR_INVALID_PTX",
        400 => c"CUDA_ERROR_INVALID_HANDLE",
        401 => c"CUDA_ERROR_ILLEGAL_STATE",
        500 => c"CUDA_ERROR_NOT_FOUND",
        600 => c"CUDA_ERROR_NOT_READY",
        700 => c"CUDA_ERROR_ILLEGAL_ADDRESS",
        701 => c"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
        702 => c"CUDA_ERROR_LAUNCH_TIMEOUT",
        705 => c"CUDA_ERROR_PEER_ACCESS_NOT_ENABLED",
        710 => c"CUDA_ERROR_ASSERT",
        716 => c"CUDA_ERROR_MISALIGNED_ADDRESS",
        719 => c"CUDA_ERROR_LAUNCH_FAILED",
        801 => c"CUDA_ERROR_NOT_SUPPORTED",
        900 => c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        999 => c"CUDA_ERROR_UNKNOWN",
        _ => return None,
    })
}

/// The name of an error, for C.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn cudaGetErrorName(code: i32) -> *const c_char {
    text(cuda_error::name(code))
}

/// The sentence of an error, for C.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn cudaGetErrorString(code: i32) -> *const c_char {
    text(cuda_error::sentence(code))
}

/// The last error, which is forgotten.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn cudaGetLastError() -> i32 {
    take_last()
}

/// The last error.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn cudaPeekAtLastError() -> i32 {
    last()
}

abi::driver! {
    /// The name of an error.
    fn cuGetErrorName(code: i32, name: abi::Out<*const c_char>) {
        match driver_name(code) {
            Some(found) => name.put(abi::constant(found)),
            None => name.put(std::ptr::null()).and(Err(INVALID_VALUE)),
        }
    }

    /// The sentence of an error.
    fn cuGetErrorString(code: i32, sentence: abi::Out<*const c_char>) {
        match driver_name(code) {
            Some(_) => sentence.put(text(cuda_error::sentence(code))),
            None => sentence.put(std::ptr::null()).and(Err(INVALID_VALUE)),
        }
    }
}
