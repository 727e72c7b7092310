//! The values that cross the C interface, and the declarations of its functions.
//!
//! Every type here is made by a call from C alone. The contract of each function of the interface is that of CUDA's
//! documentation: a pointer is null, or points to memory of the type and extent that the documentation of the function gives,
//! which no other thread changes meanwhile. The `unsafe` blocks of this file rest on that contract, and on nothing else. A
//! program that breaks it has undefined behaviour with CUDA's own library too.

use crate::error::{INVALID_VALUE, Outcome};
use std::ffi::{CStr, CString, c_char, c_int, c_void};

/// Declares functions of CUDA's runtime: the result is an error code, which also becomes the thread's last error.
macro_rules! runtime {
    ($($(#[doc = $doc:literal])+ fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[doc = $doc])+
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        extern "C" fn $name($($argument: $type),*) -> i32 {
            $crate::error::runtime(move || -> $crate::error::Outcome { $body })
        }
    )*};
}

/// Declares functions of CUDA's driver: the result is an error code.
macro_rules! driver {
    ($($(#[doc = $doc:literal])+ fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        $(#[doc = $doc])+
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        extern "C" fn $name($($argument: $type),*) -> i32 {
            $crate::error::driver(move || -> $crate::error::Outcome { $body })
        }
    )*};
}

/// Declares functions that are not implemented. A call says its name once, and returns `cudaErrorNotSupported`. With a
/// constant at the beginning, that has the names.
macro_rules! missing {
    ($names:ident: $($name:ident)*) => {
        /// The names.
        pub const $names: &[&str] = &[$(stringify!($name)),*];

        $crate::abi::missing! { $($name)* }
    };
    ($($name:ident)*) => {$(
        /// Not implemented.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case)]
        extern "C" fn $name() -> i32 {
            $crate::error::missing(stringify!($name))
        }
    )*};
}

pub(crate) use {driver, missing, runtime};

/// A place for a result.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// Returns true if the caller wants no result.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Stores the result.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn put(self, value: T) -> Outcome {
        if self.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller of the C interface gives a place for a `T`; it need not be aligned or initialised.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Stores the result if the caller wants it.
    pub fn offer(self, value: T) {
        if !self.is_null() {
            // SAFETY: as for `put`.
            unsafe { self.0.write_unaligned(value) };
        }
    }

    /// The value that is there.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn get(self) -> Outcome<T>
    where
        T: Copy,
    {
        In(self.0.cast_const()).get()
    }
}

/// A place with an argument.
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> In<T> {
    /// No argument.
    pub fn null() -> In<T> {
        In(std::ptr::null())
    }
}

impl From<Host> for In<usize> {
    fn from(place: Host) -> In<usize> {
        In(place.0 as *const usize)
    }
}

impl Out<u64> {
    /// The same place for a result of 32 bits.
    pub fn narrow(self) -> Out<u32> {
        Out(self.0.cast())
    }
}

impl<T: Copy> In<T> {
    /// Returns true if there is none.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// The argument.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn get(self) -> Outcome<T> {
        self.at(0)
    }

    /// An element of an array.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn at(self, index: usize) -> Outcome<T> {
        if self.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller gives an array of `T`, of the length that the same call states or that ends with an element that
        // the reader stops at; `T` is plain data, for which every pattern of bits is valid.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }
}

/// The address of memory of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Host(pub usize);

impl Host {
    /// The bytes from there on.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn read<'a>(self, length: usize) -> Outcome<&'a [u8]> {
        if length == 0 {
            return Ok(&[]);
        }
        if self.0 == 0 || length > isize::MAX as usize {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller gives `length` readable bytes, which stay as they are during the call.
        Ok(unsafe { std::slice::from_raw_parts(self.0 as *const u8, length) })
    }

    /// The bytes from there on, to be written.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn write<'a>(self, length: usize) -> Outcome<&'a mut [u8]> {
        if length == 0 {
            return Ok(&mut []);
        }
        if self.0 == 0 || length > isize::MAX as usize {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller gives `length` writable bytes that nobody else uses during the call; a program that has not
        // written them yet cannot observe that through bytes.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0 as *mut u8, length) })
    }

    /// Copies bytes within memory of the host.
    ///
    /// # Errors
    /// A pointer is null.
    pub fn copy_to(self, to: Host, length: usize) -> Outcome {
        if length == 0 {
            return Ok(());
        }
        if self.0 == 0 || to.0 == 0 {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller gives `length` bytes on both sides; they may overlap.
        unsafe { std::ptr::copy(self.0 as *const u8, to.0 as *mut u8, length) };
        Ok(())
    }

    /// The bytes from there to the end of the mapping that has them, at most `most`; none if the address is not mapped.
    pub fn mapped<'a>(self, most: usize) -> &'a [u8] {
        let end = crate::managed::mapping_end(self.0);
        let length = end.saturating_sub(self.0).min(most);
        if length == 0 {
            return &[];
        }
        // SAFETY: the system has these bytes mapped as readable, and device code in a program is constant data.
        unsafe { std::slice::from_raw_parts(self.0 as *const u8, length) }
    }
}

/// A text of C.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Text(*const c_char);

impl Text {
    /// The text.
    ///
    /// # Errors
    /// The pointer is null.
    pub fn get(self) -> Outcome<String> {
        if self.0.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller gives a text that ends with a zero.
        Ok(unsafe { CStr::from_ptr(self.0) }.to_string_lossy().into_owned())
    }
}

/// A text that is returned to C; it stays.
pub fn constant(text: &'static CStr) -> *const c_char {
    text.as_ptr()
}

/// The addresses of a launch's arguments.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Arguments(pub In<usize>);

impl Arguments {
    /// The bytes of an argument.
    ///
    /// # Errors
    /// There are no arguments, or this one has no address.
    pub fn bytes<'a>(self, index: usize, size: usize) -> Outcome<&'a [u8]> {
        Host(self.0.at(index)?).read(size)
    }
}

/// A function of the program that the library calls: `void f(void *)`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Callback(Option<extern "C" fn(*mut c_void)>);

impl Callback {
    /// Calls it.
    ///
    /// # Errors
    /// It is null.
    pub fn call(self, data: usize) -> Outcome {
        let function = self.0.ok_or(INVALID_VALUE)?;
        function(data as *mut c_void);
        Ok(())
    }
}

/// The program's `size_t f(int)`, or null. The library calls it for the dynamic shared memory of a block.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct SharedOfBlock(Option<extern "C" fn(c_int) -> usize>);

impl SharedOfBlock {
    /// Bytes for a block of so many threads; `otherwise` if the function is null.
    pub fn bytes(self, threads: i32, otherwise: usize) -> usize {
        self.0.map_or(otherwise, |function| function(threads))
    }
}

/// A function of the program that the library calls: `void f(cudaStream_t, cudaError_t, void *)`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct StreamCallback(Option<extern "C" fn(usize, c_int, *mut c_void)>);

impl StreamCallback {
    /// Calls it without an error.
    ///
    /// # Errors
    /// It is null.
    pub fn call(self, stream: usize, data: usize) -> Outcome {
        let function = self.0.ok_or(INVALID_VALUE)?;
        function(stream, 0, data as *mut c_void);
        Ok(())
    }
}

/// A grid's blocks or a block's threads by axis, as C passes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Dim3 {
    /// Along x.
    pub x: u32,
    /// Along y.
    pub y: u32,
    /// Along z.
    pub z: u32,
}

impl Dim3 {
    /// The extents in order.
    pub fn extents(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }
}

unsafe extern "C" {
    static stdout: *mut c_void;
    fn fwrite(bytes: *const c_void, size: usize, count: usize, stream: *mut c_void) -> usize;
    fn atexit(function: extern "C" fn()) -> c_int;
    fn dladdr(address: *const c_void, found: *mut Symbol) -> c_int;
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// `Dl_info`.
#[repr(C)]
struct Symbol {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

/// `RTLD_LAZY | RTLD_NOLOAD`.
const LOADED: c_int = 1 | 4;

/// The address of a function of this library.
pub fn symbol(name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    let null: *mut c_void = std::ptr::null_mut();
    let mut own = Symbol { file: null.cast(), base: null, name: null.cast(), address: null };
    let here = at_exit as *const c_void;
    // SAFETY: the address is one of this library, whose file the loader knows; the texts that it gives stay while the library
    // is loaded, which is as long as the process runs.
    let found = unsafe {
        if dladdr(here, &mut own) == 0 {
            return None;
        }
        let library = dlopen(own.file, LOADED);
        if library.is_null() {
            return None;
        }
        dlsym(library, name.as_ptr())
    };
    (!found.is_null()).then_some(found as usize)
}

/// Writes the output of kernels where the program's own output goes, in order with it.
pub fn print(bytes: &[u8]) {
    if !bytes.is_empty() {
        // SAFETY: `stdout` is the stream of the C library, which locks it itself; the bytes are valid during the call.
        unsafe { fwrite(bytes.as_ptr().cast(), 1, bytes.len(), stdout) };
    }
}

/// Has a function called when the process ends by itself.
pub fn at_exit(function: extern "C" fn()) {
    // SAFETY: the function is part of this library, which is never unloaded.
    unsafe { atexit(function) };
}
