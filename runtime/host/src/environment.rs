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
use super::unwritten::Unwritten;
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
    /// Addresses returned by `new`, true for arrays.
    pub(super) made_by_new: BTreeMap<u32, bool>,
    /// The formats of `cout` and of `cerr`.
    pub(super) formats: [Format; 2],
    /// The position at which `strtok` continues.
    pub(super) token: u32,
    /// `errno`, and its address once the program has requested it.
    pub(super) errno: i32,
    pub(super) errno_at: u32,
    pub(super) cuda: Cuda,
    /// A checker of the run receives the host's actions.
    pub(super) is_watched: bool,
    /// Host memory with unwritten contents, if the run is checked for that.
    pub(super) unwritten: Unwritten,
    /// Accesses of the host below this address are checked: all while there is such memory.
    pub(super) looked_at: u32,
    /// The current access reads bytes that were copied from this place in device memory, and their
    /// number.
    pub(super) reads_unwritten: Option<(u32, u32)>,
    /// The current library call.
    pub(super) call_at: Option<Span>,
    /// The current access conflicts with pending operations of kernels, and its place is not
    /// reported yet.
    pub(super) conflicts: bool,
    /// Operations given to the program.
    pub(super) operations: i64,
    /// The remaining operations beyond those that the interpreter was given now.
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
        if write && address < self.looked_at {
            self.touches(address, length, true);
        }
        self.copied_bytes(address, size, write)
    }

    /// The same for a copy that the device makes.
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

    /// An access to memory that kernels share. The device is notified if it writes. Returns true if
    /// it conflicts with an operation that the host has not waited for.
    #[cold]
    fn touches(&mut self, address: u32, length: u32, write: bool) -> bool {
        if address >= HOST_BASE {
            return self.touches_unwritten(address..address.saturating_add(length), write);
        }
        let is_managed = (write || self.is_watched) && self.memory.is_managed(address);
        if is_managed && write {
            self.wrote(address, length.into());
        }
        self.conflicts = is_managed
            && self.is_watched
            && self.device.host_touches(address..address.saturating_add(length), write);
        self.conflicts
    }

    /// An access to host memory while there are bytes in it that no one has written; whether it reads such.
    fn touches_unwritten(&mut self, range: Range<u32>, write: bool) -> bool {
        let first = self.unwritten.overlaps(range.clone()).into_iter().next().filter(|_| !write);
        self.reads_unwritten = first.map(|(part, from)| (from, part.end - part.start));
        self.conflicts = self.reads_unwritten.is_some();
        // A reported place is not reported again.
        self.unwritten.remove(range);
        self.look();
        self.conflicts
    }

    /// Decides which accesses of the host are checked.
    pub(super) fn look(&mut self) {
        self.looked_at = if self.unwritten.is_empty() { HOST_BASE } else { u32::MAX };
    }

    /// Bytes are copied between host and device memory, or within one of them, for the program.
    pub(super) fn carry_unwritten(&mut self, to: u32, from: u32, size: u64) {
        let length = u32::try_from(size).unwrap_or(u32::MAX);
        let range = from..from.saturating_add(length);
        match (to >= HOST_BASE, from >= HOST_BASE) {
            (true, false) => {
                for part in self.device.unwritten(range, self.memory) {
                    let start = to + (part.start - from);
                    self.unwritten.add(start..start + (part.end - part.start), part.start);
                }
            }
            (true, true) => self.unwritten.copy(to, range),
            (false, true) => {
                for (part, _) in self.unwritten.overlaps(range) {
                    let start = to + (part.start - from);
                    self.memory.set_written(start, part.end - part.start, false);
                }
            }
            (false, false) => {}
        }
        self.look();
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
        if address < self.looked_at && self.touches(address, N as u32, false) {
            return None;
        }
        self.memory.seen_by_host(address).load(address)
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) -> Option<()> {
        if address < self.looked_at && self.touches(address, N as u32, true) {
            return None;
        }
        *self.memory.seen_by_host(address).place(address)? = bytes;
        Some(())
    }

    fn rows_memory(&mut self) -> Option<&mut Arena> {
        self.unwritten.is_empty().then(|| self.memory.host())
    }

    fn copied(&mut self, to: u32, from: u32, length: u32) {
        if !self.unwritten.is_empty() && to >= HOST_BASE && from >= HOST_BASE {
            self.carry_unwritten(to, from, length.into());
        }
    }

    fn read(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        if address < HOST_BASE && self.touches(address, length, false) {
            return None;
        }
        self.memory.seen_by_host(address).slice(address, length).map(|bytes| &*bytes)
    }

    fn write(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if address < self.looked_at && self.touches(address, length, true) {
            return None;
        }
        self.memory.seen_by_host(address).slice(address, length)
    }

    fn noticed(&mut self, span: Option<Span>) -> bool {
        let conflicts = std::mem::take(&mut self.conflicts);
        let unwritten = self.reads_unwritten.take();
        match (conflicts, span, unwritten) {
            (true, Some(span), Some((from, size))) => {
                self.device.host_read_unwritten(span, from, size, self.memory);
            }
            (true, Some(span), None) => self.device.host_raced(span, self.memory),
            _ => {}
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
        // The initialisation of most programs' data; it cannot fail.
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
