//! Memory as threads see it.

/// The first generic address of a block's shared memory.
pub const SHARED: u32 = 0x0100_0000;
/// The first generic address of a thread's local memory.
pub const LOCAL: u32 = 0x0200_0000;
/// The first generic address of constant memory.
pub const CONSTANT: u32 = 0x0300_0000;
/// The first generic address of global memory.
pub const GLOBAL: u32 = 0x1000_0000;
/// The end of constant memory.
pub(crate) const CONSTANT_END: u32 = 0x0301_0000;
/// The end of global memory.
pub(crate) const GLOBAL_END: u32 = 0x8000_0000;
/// Bytes of the window of each state space but global memory.
pub const WINDOW: u32 = 0x0100_0000;

/// Global and constant memory, and the output of kernels, which belong to the caller.
pub trait Memory {
    /// Reads global or constant memory.
    ///
    /// # Errors
    /// The fault, in one line: nothing is there, or the address is not aligned.
    fn load(&mut self, address: u32, bytes: &mut [u8]) -> Result<(), String>;

    /// Writes global memory.
    ///
    /// # Errors
    /// As [`Memory::load`]; also if the memory is read-only.
    fn store(&mut self, address: u32, bytes: &[u8]) -> Result<(), String>;

    /// A thread prints. `block` and `thread` are linear indices.
    ///
    /// # Errors
    /// The fault, in one line: too much is printed.
    fn print(&mut self, block: u64, thread: u32, print: Print) -> Result<(), String>;
}

/// A call of `vprintf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The address of the format.
    pub format: u32,
    /// The arguments that the format names.
    pub arguments: Vec<(Argument, u64)>,
}

/// The type of an argument of `vprintf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An integer of 32 bits.
    Int,
    /// An integer of 64 bits, or an address.
    Long,
    /// The bits of a double.
    Double,
}

impl Argument {
    /// Its bytes, and its alignment, in the list.
    pub(crate) fn bytes(self) -> u32 {
        if self == Argument::Int { 4 } else { 8 }
    }
}

/// The state space of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    Shared(u32),
    Local(u32),
    Constant,
    Global,
}

impl Window {
    /// The window of an address, with the offset where the memory is the model's own.
    pub fn of(address: u32) -> Window {
        let within = |base: u32| address.wrapping_sub(base) < WINDOW;
        match address {
            _ if within(SHARED) => Window::Shared(address - SHARED),
            _ if within(LOCAL) => Window::Local(address - LOCAL),
            _ if within(CONSTANT) => Window::Constant,
            _ => Window::Global,
        }
    }
}
