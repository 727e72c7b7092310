//! The world of the host program.

use super::allocation::CudaCall;
use super::arena::Arena;
use super::cuda::Cuda;
use super::device::Device;
use super::files::Files;
use super::memory::{Accessor, CONSTANT_BASE, Fault, HOST_BASE, HOST_STACK, Memory};
use super::ostream::Format;
use super::output::Output;
use super::random::{Random, Random48};
use super::report::Report;
use crate::interpreter::bytecode::{Code, LaunchSite, LibraryCall};
use crate::interpreter::environment::{Environment, Interrupt};
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::Module;
use reconverge_compiler::syntax::Span;
use std::collections::BTreeMap;
use std::ops::Range;

/// Memory, streams, device and library state of a running host program.
pub struct HostEnvironment<'a> {
    pub(super) module: &'a Module,
    pub(super) code: &'a Code,
    pub(super) memory: &'a mut Memory,
    pub(super) device: &'a mut dyn Device,
    pub(super) output: Output<'a>,
    pub(super) random: Random,
    pub(super) random48: Random48,
    pub(super) files: Files,
    /// What `new` has made, and whether as an array.
    pub(super) made_by_new: BTreeMap<u32, bool>,
    /// Of `cout`, and of `cerr`.
    pub(super) formats: [Format; 2],
    /// Where `strtok` goes on.
    pub(super) token: u32,
    /// `errno`, and where it is once the program has asked.
    pub(super) errno: i32,
    pub(super) errno_at: u32,
    pub(super) cuda: Cuda,
    /// Someone checks the run, and wants to know what the host does.
    pub(super) is_watched: bool,
    /// The library call at hand.
    pub(super) call_at: Option<Span>,
    /// The access at hand conflicts with what kernels may still be doing, and its place is not told yet.
    pub(super) conflicts: bool,
    /// Operations given to the program.
    pub(super) operations: i64,
    /// Those of them that are left beyond what the interpreter was given now.
    pub(super) reserve: i64,
}

impl HostEnvironment<'_> {
    /// Nanoseconds since the program's start: those of its kernels, and one an operation here.
    pub(super) fn clock(&self, left: i64) -> u64 {
        let left = left.saturating_add(self.reserve);
        let own = self.operations.saturating_sub(left).max(0) as u64;
        self.cuda.clock().saturating_add(own)
    }

    /// The trap of an access that the library made for the program.
    pub(super) fn fault(&self, side: Accessor, address: u32, size: u64, write: bool) -> Interrupt {
        let fault = self.memory.explain(side, address, size, write);
        let mut report = Report::new(fault.message).with_code(fault.code);
        report.help = fault.help;
        report.labels.extend(fault.allocation);
        Interrupt::trap(report)
    }

    /// Host bytes that the library reads or writes for the program.
    pub(super) fn bytes(
        &mut self,
        address: u32,
        size: u64,
        write: bool,
    ) -> Result<&mut [u8], Interrupt> {
        let length = u32::try_from(size).unwrap_or(u32::MAX);
        if address < HOST_BASE && self.touches(address, length, write) {
            self.noticed(self.call_at);
        }
        self.copied_bytes(address, size, write)
    }

    /// The same of a copy that the device makes.
    pub(super) fn copied_bytes(
        &mut self,
        address: u32,
        size: u64,
        write: bool,
    ) -> Result<&mut [u8], Interrupt> {
        if self.memory.host_slice(address, size).is_none() {
            return Err(self.fault(Accessor::Host, address, size, write));
        }
        Ok(self.memory.host_slice(address, size).unwrap_or(&mut []))
    }

    /// An access to memory that kernels share, of which the device hears if it writes; whether it conflicts with one of those that
    /// have not been waited for.
    #[cold]
    fn touches(&mut self, address: u32, length: u32, write: bool) -> bool {
        let is_managed = (write || self.is_watched) && self.memory.is_managed(address);
        if is_managed && write {
            self.wrote(address, length.into());
        }
        self.conflicts = is_managed
            && self.is_watched
            && self.device.host_touches(address..address.saturating_add(length), write);
        self.conflicts
    }

    /// Tells the device of bytes that the host writes, if they are in its memory.
    pub(super) fn wrote(&mut self, address: u32, size: u64) {
        if (CONSTANT_BASE..HOST_BASE).contains(&address) {
            let size = u32::try_from(size).unwrap_or(u32::MAX);
            self.device.host_writes(address..address.saturating_add(size));
        }
    }
}

impl Environment for HostEnvironment<'_> {
    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> Option<[u8; N]> {
        if address < HOST_BASE && self.touches(address, N as u32, false) {
            return None;
        }
        self.memory.seen_by_host(address).load(address)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) -> Option<()> {
        if address < HOST_BASE && self.touches(address, N as u32, true) {
            return None;
        }
        *self.memory.seen_by_host(address).place(address)? = bytes;
        Some(())
    }

    fn rows_memory(&mut self) -> Option<&mut Arena> {
        Some(self.memory.host())
    }

    fn read(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        if address < HOST_BASE && self.touches(address, length, false) {
            return None;
        }
        self.memory.seen_by_host(address).slice(address, length).map(|bytes| &*bytes)
    }

    fn write(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if address < HOST_BASE && self.touches(address, length, true) {
            return None;
        }
        self.memory.seen_by_host(address).slice(address, length)
    }

    fn noticed(&mut self, span: Option<Span>) -> bool {
        let conflicts = std::mem::take(&mut self.conflicts);
        if let (true, Some(span)) = (conflicts, span) {
            self.device.host_raced(span, self.memory);
        }
        conflicts
    }

    fn explain(&self, address: u32, size: u64, write: bool) -> Fault {
        self.memory.explain(Accessor::Host, address, size, write)
    }

    fn allows_atomics(&self, _: u32) -> bool {
        true
    }

    fn takes_turns(&self) -> bool {
        false
    }

    fn special(&self, _: u32) -> u64 {
        0
    }

    fn is_device(&self) -> bool {
        false
    }

    fn set_reserve(&mut self, reserve: i64) -> i64 {
        std::mem::replace(&mut self.reserve, reserve)
    }

    #[inline(always)]
    fn template(&self, range: Range<usize>) -> &[u64] {
        self.code.templates.get(range).unwrap_or(&[])
    }

    fn grow_stack(&mut self, top: u64) -> bool {
        top <= HOST_BASE as u64 + HOST_STACK as u64
    }

    fn library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
        left: i64,
    ) -> Result<u64, Interrupt> {
        // What initialises most programs' data; it cannot fail.
        if call.builtin == Builtin::Rand {
            return Ok(self.random.rand() as u64);
        }
        self.call_at = Some(call.span);
        let result = match self.c_library(call, arguments, left)? {
            Some(value) => value,
            None => {
                let (element, name) = (call.element.clone(), call.pointer.clone());
                self.cuda.call = Some(CudaCall { span: call.span, element, name });
                self.cuda_library(call.builtin, arguments)?
            }
        };
        self.memory.note_denied(call.span);
        Ok(result)
    }

    fn launch(&mut self, site: &LaunchSite, operands: &[u64]) -> Result<(), Interrupt> {
        self.launch_kernel(site, operands)
    }
}
