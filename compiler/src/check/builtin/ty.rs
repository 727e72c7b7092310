//! The types of parameters and results of built-in functions, and the sides that may call them.

/// A parameter or result type of a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// `void`
    V,
    /// `bool`
    B,
    /// `int`; as a parameter, an enumeration of CUDA's too
    I,
    /// as a result: `cudaError_t`
    E,
    /// `unsigned int`
    U,
    /// `long long`
    L,
    /// `unsigned long long`
    UL,
    /// `size_t`
    Z,
    /// `float`
    F,
    /// `double`
    D,
    /// `void*`, any pointer converts to it
    P,
    /// `const void*`, any pointer converts to it
    R,
    /// `const char*`
    S,
    /// `char*`
    C,
    /// `char**`
    PC,
    /// pointer to pointer of any kind (`cudaMalloc(&p, n)`)
    PP,
    /// the address of a `__device__` or `__constant__` variable, given by its name or as a
    /// pointer; the checker passes `AddressOf` its place
    Symbol,
    /// `unsigned short`
    US,
    /// pointer to `unsigned short`
    PUS,
    /// pointer to int
    PI,
    /// pointer to unsigned
    PU,
    /// pointer to long long
    PL,
    /// pointer to unsigned long long
    PUL,
    /// pointer to float
    PF,
    /// pointer to double
    PD,
    /// `cudaEvent_t`, an opaque pointer
    Event,
    /// pointer to `cudaEvent_t`
    PEvent,
    /// what `cout` is
    Ostream,
    /// `FILE*`
    File,
    /// the name of a function of the program that compares: `int (const void*, const void*)`
    Compare,
    /// pointer to `struct timeval`
    Timeval,
    /// pointer to `struct timespec`
    Timespec,
    /// pointer to `cudaDeviceProp`
    DeviceProp,
    /// pointer to `size_t`
    PZ,
    /// `cudaStream_t`, an opaque pointer
    Stream,
    /// pointer to `cudaStream_t`
    PStream,
    /// the name of a kernel
    Kernel,
    /// any number, after integer promotion; as a result: the type of that argument
    Number,
    /// `...`: any number of further arguments after default promotion
    More,
}

/// The sides that may call a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Host code only.
    Host,
    /// Device code only.
    Device,
    /// Both.
    Both,
}
