//! The environment of running code: memory, special values, the library.

use super::bytecode::{LaunchSite, LibraryCall};
use super::counted_barrier::{Arrival, Opening};
use crate::arena::Arena;
use crate::memory::Fault;
use crate::report::Failure;
use reconverge_compiler::syntax::Span;
use reconverge_ptx::barrier::CountedBarriers;
use std::ops::Range;

/// A reason to stop from outside the code.
#[derive(Clone, Debug)]
pub enum Interrupt {
    /// The program ends with this status, after its objects of static storage.
    Exit(i32),
    /// The program ends with this status at once.
    Abort(i32),
    /// It cannot continue.
    Failure(Failure),
}

impl Interrupt {
    /// A trap with this report; the caller adds the place.
    pub fn trap(report: crate::report::Report) -> Self {
        Interrupt::Failure(Failure::Trap(report))
    }
}

/// The world of the host program, or of one thread of a kernel.
pub trait Environment {
    /// `N` bytes at an address that must be a multiple of `N`.
    fn load<const N: usize>(&mut self, address: u32) -> Option<[u8; N]>;

    /// Stores `N` bytes at an address that must be a multiple of `N`.
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) -> Option<()>;

    /// The memory in which loops may run many iterations at a time: accesses in it have no effect beside their own.
    fn rows_memory(&mut self) -> Option<&mut Arena> {
        None
    }

    /// Bytes of one object, to read.
    fn read(&mut self, address: u32, length: u32) -> Option<&[u8]>;

    /// Bytes of one object, to be overwritten.
    fn write(&mut self, address: u32, length: u32) -> Option<&mut [u8]>;

    /// An object has been copied.
    fn copied(&mut self, _to: u32, _from: u32, _length: u32) {}

    /// Returns true if an access failed only so that the checker of the run receives its place
    /// first. The access is to be repeated.
    fn noticed(&mut self, _span: Option<Span>) -> bool {
        false
    }

    /// Why an access failed.
    fn explain(&self, address: u32, size: u64, write: bool) -> Fault;

    /// Returns true if atomic operations work on this memory.
    fn allows_atomics(&self, address: u32) -> bool;

    /// Returns true if it is the environment of a kernel's thread.
    fn is_device(&self) -> bool;

    /// Returns true if other threads may run meanwhile.
    fn takes_turns(&self) -> bool;

    /// Replaces the remaining operations beyond those that the interpreter was given now.
    fn set_reserve(&mut self, reserve: i64) -> i64;

    /// The device's clock, with this many operations left of the budget.
    fn time(&mut self, _left: i64) -> u64 {
        0
    }

    /// Bytes of dynamic shared memory of the launch.
    fn dynamic_shared(&self) -> u32 {
        0
    }

    /// Barriers with a count of threads in the kernel's `asm` statements.
    fn counted_barriers(&self) -> CountedBarriers {
        CountedBarriers::default()
    }

    /// Bytes of the kernel's other shared memory.
    fn static_shared(&self) -> u32 {
        0
    }

    /// Counts a thread at a barrier with a count of threads; returns the number of the opening that it belongs to.
    fn arrive(&mut self, _arrival: Arrival) -> u64 {
        0
    }

    /// Reads an opening of such a barrier for a thread that waits for it; `None` before it.
    fn opened(&mut self, _number: u32, _opening: u64) -> Option<Opening> {
        None
    }

    /// Special value number `number`.
    fn special(&self, number: u32) -> u64;

    /// Initial slots of a frame.
    fn template(&self, range: Range<usize>) -> &[u64];

    /// Makes the stack reach to `top`; false if it cannot.
    fn grow_stack(&mut self, top: u64) -> bool;

    /// Calls the library. `left` are the remaining ones of the given operations.
    fn library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
        left: i64,
    ) -> Result<u64, Interrupt>;

    /// Launches a kernel.
    fn launch(&mut self, site: &LaunchSite, operands: &[u64]) -> Result<(), Interrupt>;
}
