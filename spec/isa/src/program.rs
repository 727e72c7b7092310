//! The program image: the compiler's output for the machine.

use crate::control_bits::ControlBits;
use crate::instruction::Instruction;
use crate::placement::Placement;
use crate::region::Region;

/// Base of the shared-memory window.
pub const SHARED_BASE: u32 = 0x0100_0000;
/// Base of the local-memory window.
pub const LOCAL_BASE: u32 = 0x0200_0000;
/// Base of constant memory.
pub const CONSTANT_BASE: u32 = 0x0300_0000;
/// Bytes of constant memory.
pub const CONSTANT_SIZE: u32 = 0x1_0000;
/// Bytes that the shared and the local window can hold.
pub const WINDOW_SIZE: u32 = 0x0100_0000;
/// Base of device global memory.
pub const GLOBAL_BASE: u32 = 0x1000_0000;
/// End of device global memory.
pub const GLOBAL_END: u32 = 0x8000_0000;

/// A compiled program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Source files that line tables name.
    pub files: Vec<String>,
    /// `__device__` and `__constant__` variables.
    pub variables: Vec<Variable>,
    /// In source order.
    pub kernels: Vec<Kernel>,
}

impl Program {
    /// Finds a kernel by name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }
}

/// A variable of the device that the host can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Source name.
    pub name: String,
    /// Its address, in global or constant memory.
    pub address: u32,
    /// Size in bytes.
    pub size: u32,
    /// Initial bytes; shorter than `size` means zeroes.
    pub image: Vec<u8>,
}

/// A kernel's parameter, in constant bank 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Source name.
    pub name: String,
    /// Byte offset.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// The source of an instruction; line and column count from 1, 0 when unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// Index in [`Program::files`].
    pub file: u32,
    /// Line.
    pub line: u32,
    /// Column.
    pub column: u32,
}

/// One kernel. Instruction indices (branch targets, program counters) count from its first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Source name.
    pub name: String,
    /// In order.
    pub parameters: Vec<Parameter>,
    /// Bytes of all parameters; the literal pool follows, aligned to 8.
    pub parameter_bytes: u32,
    /// Words of the literal pool.
    pub literals: Vec<u32>,
    /// General registers per thread needs.
    pub registers: u32,
    /// Predicate registers per thread needs.
    pub predicates: u32,
    /// Bytes of static shared memory; dynamic shared memory starts at this rounded up to 16.
    pub shared_bytes: u32,
    /// Bytes of local memory a thread.
    pub local_bytes: u32,
    /// Threads per block of `__launch_bounds__`, 0 for none.
    pub max_threads: u32,
    /// The affine stream, for a kernel that has been decoupled into two.
    pub affine: Option<AffineStream>,
    /// The code; every path ends in `exit`. If there are two streams, the affine one follows the
    /// other, and no branch leads from one into the other.
    pub code: Vec<Instruction>,
    /// One per instruction.
    pub lines: Vec<Location>,
    /// The places of its registers and its dependences, as far as it states them.
    pub record: Record,
}

/// A kernel's record of the places of its registers and of its dependences, for machines that use it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// One per instruction, if the compiler has placed registers at levels of a register file; otherwise none.
    pub placements: Vec<Placement>,
    /// The regions that the code which is not the affine stream's is cut into, if the compiler has done so; otherwise none.
    pub regions: Vec<Region>,
    /// If there are regions, one per instruction: bit `i` is set if the region accesses source `i`
    /// no more, so that it may be evicted, and [`EVICTS_RESULT`](crate::EVICTS_RESULT) likewise for
    /// the result. Otherwise none.
    pub evictions: Vec<u8>,
    /// General registers below this number hold values that live long: renaming them gains nothing. 0 if that is not said.
    pub long_lived: u32,
    /// One per instruction, if the compiler has stated dependences; otherwise none.
    pub control_bits: Vec<ControlBits>,
    /// The number of uniform general registers, the last ones: threads of one path share their values.
    pub uniform: u32,
}

/// The part of a kernel that the affine warp executes, once for the blocks of a batch (Wang and
/// Lin, 2017).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AffineStream {
    /// Its start in the code; it goes to the end.
    pub entry: u32,
    /// Tuple registers that it needs.
    pub registers: u32,
    /// Predicate registers that it needs.
    pub predicates: u32,
}

impl Kernel {
    /// The places of an instruction's registers: in the main register file by default.
    pub fn placement(&self, index: usize) -> Placement {
        self.record.placements.get(index).copied().unwrap_or_default()
    }

    /// The first uniform register: none is below.
    pub fn first_uniform(&self) -> u32 {
        self.registers.saturating_sub(self.record.uniform)
    }

    /// An instruction's control bits: by default it waits for nothing.
    pub fn control_bits(&self, index: usize) -> ControlBits {
        self.record.control_bits.get(index).copied().unwrap_or_default()
    }

    /// The instructions of the stream that is not affine: all where there is only one.
    pub fn main_code(&self) -> &[Instruction] {
        let end = self.affine.map_or(self.code.len(), |affine| affine.entry as usize);
        self.code.get(..end).unwrap_or(&self.code)
    }

    /// The instructions of the affine stream; none where there is only one stream.
    pub fn affine_code(&self) -> &[Instruction] {
        let start = self.affine.map_or(self.code.len(), |affine| affine.entry as usize);
        self.code.get(start..).unwrap_or_default()
    }

    /// Byte offset of the literal pool in constant bank 0.
    pub fn literal_offset(&self) -> u32 {
        self.parameter_bytes.next_multiple_of(8)
    }

    /// Offset of dynamic shared memory in a block's shared memory.
    pub fn dynamic_shared_offset(&self) -> u32 {
        self.shared_bytes.next_multiple_of(16)
    }
}
