//! The memory of a kernel's thread: global memory and the windows of ARCHITECTURE.md.

use super::bytecode::{LaunchSite, LibraryCall, SPECIALS};
use super::counted_barrier::{Arrival, Barriers, Opening};
use super::environment::{Environment, Interrupt};
use crate::memory::{
    Accessor, CONSTANT_BASE, CONSTANT_SIZE, DEVICE_BASE, Fault, LOCAL_BASE, Memory, SHARED_BASE,
    WINDOW,
};
use crate::printed::{self, Buffer, Printed};
use crate::report::Report;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::diagnostic::code;
use reconverge_compiler::wording::counted;
use reconverge_ptx::barrier::CountedBarriers;
use std::ops::Range;

/// The most local memory of a thread: the limit of CUDA devices.
const LOCAL_SIZE: u32 = 512 << 10;

/// The environment of the running thread.
#[derive(Debug)]
pub struct DeviceEnvironment<'a> {
    /// Global and constant memory.
    pub memory: &'a mut Memory,
    /// The block's shared memory.
    pub shared: Vec<u8>,
    /// The note on dynamic shared memory for accesses beyond it.
    pub dynamic_shared: String,
    /// The thread's local memory, as far as it is in use.
    pub local: Vec<u8>,
    /// See [`SPECIALS`].
    pub specials: [u64; SPECIALS],
    /// Initial slots of frames, with the kernel's addresses of shared variables.
    pub templates: &'a [u64],
    /// True if a store has changed shared or global memory.
    pub changed: bool,
    /// The printed output of threads.
    pub printed: Buffer,
    /// Operations of the launch when the thread's turn began, and those it was given.
    pub turn: (u64, i64),
    /// The number of reads of the clock.
    pub readings: u64,
    /// Bytes of dynamic shared memory of the launch.
    pub dynamic_bytes: u32,
    /// Barriers with a count of threads in the kernel's `asm` statements.
    pub counted: CountedBarriers,
    /// Bytes of the kernel's other shared memory.
    pub static_bytes: u32,
    /// Barriers with a count of threads.
    pub barriers: Barriers,
}

/// A window of the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Window {
    Shared,
    Local,
    Constant,
    None,
}

impl Window {
    fn of(address: u32) -> (Window, u32) {
        if address.wrapping_sub(SHARED_BASE) < WINDOW {
            return (Window::Shared, address - SHARED_BASE);
        }
        if address.wrapping_sub(LOCAL_BASE) < WINDOW {
            return (Window::Local, address - LOCAL_BASE);
        }
        if address.wrapping_sub(CONSTANT_BASE) < CONSTANT_SIZE {
            return (Window::Constant, address - CONSTANT_BASE);
        }
        (Window::None, 0)
    }

    fn name(self) -> &'static str {
        match self {
            Window::Shared => "shared",
            Window::Local => "local",
            Window::Constant => "constant",
            Window::None => "global",
        }
    }
}

impl DeviceEnvironment<'_> {
    fn window(&self, address: u32) -> Option<(&[u8], usize)> {
        let (window, offset) = Window::of(address);
        let bytes = match window {
            Window::Shared => &self.shared,
            Window::Local => &self.local,
            Window::Constant => self.memory.constant(),
            Window::None => return None,
        };
        Some((bytes, offset as usize))
    }
}

/// Overwrites bytes and returns true if that changed them.
#[inline(always)]
fn replace<const N: usize>(place: &mut [u8; N], bytes: [u8; N]) -> bool {
    let changed = *place != bytes;
    *place = bytes;
    changed
}

impl Environment for DeviceEnvironment<'_> {
    #[inline(always)]
    fn load<const N: usize>(&mut self, address: u32) -> Option<[u8; N]> {
        if address >= DEVICE_BASE {
            return self.memory.device().load(address);
        }
        if !(address as usize).is_multiple_of(N) {
            return None;
        }
        let (bytes, at) = self.window(address)?;
        bytes.get(at..at + N)?.try_into().ok()
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, address: u32, bytes: [u8; N]) -> Option<()> {
        if address >= DEVICE_BASE {
            let place = self.memory.device().place(address)?;
            self.changed |= replace(place, bytes);
            return Some(());
        }
        if !(address as usize).is_multiple_of(N) {
            return None;
        }
        let (window, offset) = Window::of(address);
        let range = offset as usize..offset as usize + N;
        match window {
            Window::Shared => {
                let place = self.shared.get_mut(range)?.try_into().ok()?;
                self.changed |= replace(place, bytes);
            }
            Window::Local => self.local.get_mut(range)?.copy_from_slice(&bytes),
            Window::Constant | Window::None => return None,
        }
        Some(())
    }

    fn read(&mut self, address: u32, length: u32) -> Option<&[u8]> {
        if address >= DEVICE_BASE {
            return self.memory.device().slice(address, length).map(|b| &*b);
        }
        let (bytes, at) = self.window(address)?;
        bytes.get(at..at.checked_add(length as usize)?)
    }

    fn write(&mut self, address: u32, length: u32) -> Option<&mut [u8]> {
        if address >= DEVICE_BASE {
            self.changed = true;
            return self.memory.device().slice(address, length);
        }
        let (window, offset) = Window::of(address);
        let range = offset as usize..offset as usize + length as usize;
        match window {
            Window::Shared => {
                self.changed = true;
                self.shared.get_mut(range)
            }
            Window::Local => self.local.get_mut(range),
            Window::Constant | Window::None => None,
        }
    }

    fn explain(&self, address: u32, size: u64, write: bool) -> Fault {
        let (window, offset) = Window::of(address);
        let Some((bytes, _)) = self.window(address) else {
            return self.memory.explain(Accessor::Device, address, size, write);
        };
        let (verb, what) = (if write { "write" } else { "read" }, window.name());
        let access =
            format!("{verb} of {} at offset {offset} of {what} memory", counted(size, "byte"));
        let aligned = !size.is_power_of_two() || (offset as u64).is_multiple_of(size);
        let inside = offset as u64 + size <= bytes.len() as u64;
        let code = match (aligned, inside) {
            (false, _) => code::MISALIGNED,
            (true, false) => code::OUT_OF_BOUNDS,
            (true, true) => code::TRAP,
        };
        let message = match (aligned, inside, window) {
            (false, ..) => format!("misaligned {access}"),
            (_, true, Window::Constant) => format!("{access}: kernels can only read it"),
            (_, true, _) => format!("atomic {access}: atomics need global or shared memory"),
            (_, false, Window::Shared) => {
                let all = counted(bytes.len() as u64, "byte");
                format!("out-of-bounds {access}: the block has {all}{}", self.dynamic_shared)
            }
            (_, false, _) => {
                let all = counted(bytes.len() as u64, "byte");
                format!("out-of-bounds {access}: {all} of it are in use")
            }
        };
        Fault { code, message, help: None, allocation: None }
    }

    fn allows_atomics(&self, address: u32) -> bool {
        address >= DEVICE_BASE || Window::of(address).0 == Window::Shared
    }

    #[inline(always)]
    fn takes_turns(&self) -> bool {
        true
    }

    fn is_device(&self) -> bool {
        true
    }

    fn set_reserve(&mut self, _: i64) -> i64 {
        0
    }

    fn dynamic_shared(&self) -> u32 {
        self.dynamic_bytes
    }

    fn counted_barriers(&self) -> CountedBarriers {
        self.counted
    }

    fn static_shared(&self) -> u32 {
        self.static_bytes
    }

    fn arrive(&mut self, arrival: Arrival) -> u64 {
        self.changed = true;
        self.barriers.arrive(arrival)
    }

    fn opened(&mut self, number: u32, opening: u64) -> Option<Opening> {
        let found = self.barriers.read(number, opening);
        self.changed |= found.is_some();
        found
    }

    fn time(&mut self, left: i64) -> u64 {
        self.clock(left)
    }

    fn special(&self, number: u32) -> u64 {
        self.specials.get(number as usize).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn template(&self, range: Range<usize>) -> &[u64] {
        self.templates.get(range).unwrap_or(&[])
    }

    fn grow_stack(&mut self, top: u64) -> bool {
        let Some(needed) = top.checked_sub(LOCAL_BASE as u64) else {
            return false;
        };
        if needed > LOCAL_SIZE as u64 {
            return false;
        }
        if self.local.len() < needed as usize {
            self.local.resize(needed as usize, 0);
        }
        true
    }

    fn library(
        &mut self,
        call: &LibraryCall,
        arguments: &[u64],
        left: i64,
    ) -> Result<u64, Interrupt> {
        let first = arguments.first().copied().unwrap_or(0) as u32;
        let message = match call.builtin {
            Builtin::Printf => return self.print(call, arguments),
            Builtin::Clock | Builtin::Clock64 => return Ok(self.clock(left)),
            Builtin::Trap => "trap".to_owned(),
            Builtin::Breakpoint => "breakpoint".to_owned(),
            Builtin::AssertFail => {
                let report = Report::new(printed::assertion(self.memory, first));
                return Err(Interrupt::trap(report.with_code(code::ASSERTION)));
            }
            _ => return Err(Self::refused(call)),
        };
        Err(Interrupt::trap(Report::new(message)))
    }

    fn launch(&mut self, _: &LaunchSite, _: &[u64]) -> Result<(), Interrupt> {
        Err(Interrupt::trap(Report::new("kernels cannot launch kernels")))
    }
}

impl DeviceEnvironment<'_> {
    /// Notes a call of `printf`; how many values it has.
    fn print(&mut self, call: &LibraryCall, arguments: &[u64]) -> Result<u64, Interrupt> {
        let (format, values) = arguments.split_first().unwrap_or((&0, &[]));
        let classes = call.arguments.get(1..).unwrap_or(&[]).to_vec();
        let position = |at: usize, extent: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| self.specials[at + axis]);
            let [width, height] = [0, 1].map(|axis| self.specials[extent + axis]);
            (z * height + y) * width + x
        };
        let (thread, block) = (position(0, 6), position(3, 9));
        let printed = Printed { format: *format as u32, classes, values: values.to_vec() };
        self.changed = true;
        match self.printed.add(block, thread as u32, printed) {
            true => Ok(values.len() as u64),
            false => Err(Interrupt::trap(printed::overflow())),
        }
    }

    /// Operations of the launch so far, as far as they are counted, and readings of this clock.
    fn clock(&mut self, left: i64) -> u64 {
        self.readings += 1;
        self.turn.0 + (self.turn.1 - left).max(0) as u64 + self.readings
    }

    fn refused(call: &LibraryCall) -> Interrupt {
        let name = call.builtin.row().names.first().copied().unwrap_or("?");
        Interrupt::trap(Report::new(format!("'{name}' cannot be called in a kernel")))
    }
}
