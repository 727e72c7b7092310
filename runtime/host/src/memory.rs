//! The memory of a whole run: host, device global and constant memory, in one address space.

use super::allocation::{Allocation, CudaCall, HostWrite};
use super::arena::{Arena, GUARD, Near};
use super::denied::NoMemory;
use crate::scalar::Scalar;

use reconverge_compiler::check::strings;
use reconverge_compiler::check::tree::{ExprKind, Global, GlobalSpace, Module, Type};
use reconverge_compiler::diagnostic::{Code, code};
use reconverge_compiler::syntax::Span;
use reconverge_compiler::wording::counted;
use std::collections::BTreeMap;
use std::ops::Range;

/// Addresses below always fault: null and small integers.
pub const NULL_END: u32 = 0x0001_0000;
/// The start of the accessing block's shared memory.
pub const SHARED_BASE: u32 = 0x0100_0000;
/// The start of the accessing thread's local memory.
pub const LOCAL_BASE: u32 = 0x0200_0000;
/// Size of the shared and the local window.
pub const WINDOW: u32 = 0x0100_0000;
/// Start of constant memory.
pub const CONSTANT_BASE: u32 = 0x0300_0000;
/// Size of constant memory.
pub const CONSTANT_SIZE: u32 = 0x1_0000;
/// Start of device global memory.
pub const DEVICE_BASE: u32 = 0x1000_0000;
/// Start of host memory, and end of device memory.
pub const HOST_BASE: u32 = 0x8000_0000;
/// Default bytes of device global memory: a GTX 480 has 1.5 GiB.
pub const DEVICE_CAPACITY: u32 = 0x6000_0000;
/// Default bytes of host memory, stack and globals included: 1 GiB.
pub const HOST_CAPACITY: u32 = 0x4000_0000;
/// The most bytes of host memory: up to the last addresses, which are never mapped.
pub const HOST_MOST: u32 = 0xFFFF_0000 - HOST_BASE;
/// Bytes of the host's stack for objects in memory; it is the first allocation of the host.
pub const HOST_STACK: u32 = 8 << 20;

/// The code that makes an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accessor {
    /// Host code.
    Host,
    /// A kernel.
    Device,
}

/// The fault of an access, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of trap.
    pub code: Code,
    /// One line.
    pub message: String,
    /// The correction.
    pub help: Option<String>,
    /// The call that has made the allocation next to it, and its description.
    pub allocation: Option<(Span, String)>,
}

/// Addresses of the objects that the checker leaves unplaced on the host.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    /// The address of each string literal.
    pub strings: Vec<u32>,
    /// The address of each global, on the device too.
    pub globals: Vec<u32>,
    /// First address after them.
    end: u64,
}

impl Statics {
    /// Places a module's strings and globals: after the host's stack, each with a guard gap.
    pub fn of(module: &Module) -> Self {
        const { assert!(strings::BASE == HOST_BASE + HOST_STACK + GUARD && strings::GAP == GUARD) };
        let (strings, end) = strings::addresses(&module.strings);
        let mut statics = Statics { strings, end, ..Statics::default() };
        for global in &module.globals {
            let at = match global.space {
                GlobalSpace::Host => statics.place(global.ty.size(&module.structs)),
                GlobalSpace::Device => DEVICE_BASE.wrapping_add(global.offset),
                GlobalSpace::Constant => CONSTANT_BASE.wrapping_add(global.offset),
            };
            statics.globals.push(at);
        }
        statics
    }

    fn place(&mut self, size: u64) -> u32 {
        let at = self.end;
        // Too much is found out by `Memory::new`; here the addresses only must not wrap.
        self.end = strings::following(at, size);
        at as u32
    }
}

/// The memory of one run of a program.
#[derive(Clone, Debug)]
pub struct Memory {
    host: Arena,
    device: Arena,
    constant: Vec<u8>,
    /// Device memory that the host may touch too, in ascending order.
    managed: Vec<Range<u32>>,
    /// The live device allocations as of the last change.
    ranges: Vec<Range<u32>>,
    ranges_stale: bool,
    /// The calls that have made live allocations, by address.
    calls: BTreeMap<u32, CudaCall>,
    /// The calls of freed allocations whose place has not been given to others, with their sizes.
    freed: BTreeMap<u32, (u32, CudaCall)>,
    /// The host's actions on device memory, if they are recorded.
    host_writes: Option<Vec<HostWrite>>,
    /// The last call that found no memory.
    denied: Option<NoMemory>,
}

/// Help for an access to a vector that is not aligned.
pub fn misaligned_vector(name: &str, bytes: u64) -> String {
    format!("`{name}` is accessed as a whole: its address must be a multiple of {bytes}")
}

impl Memory {
    /// Memory with a module's globals and strings in it, but host globals still zero: their values
    /// are computed by the program. `Err` names the part that does not fit.
    pub fn new(module: &Module, statics: &Statics, device_capacity: u32) -> Result<Self, String> {
        Memory::sized(module, statics, HOST_CAPACITY, device_capacity)
    }

    /// Like [`Memory::new`], with `host_capacity` bytes of host memory.
    pub fn sized(
        module: &Module,
        statics: &Statics,
        host_capacity: u32,
        device_capacity: u32,
    ) -> Result<Self, String> {
        let capacity = device_capacity.min(HOST_BASE - DEVICE_BASE);
        let mut memory = Memory {
            host: Arena::new(HOST_BASE, host_capacity.min(HOST_MOST), 16).with_room(),
            device: Arena::new(DEVICE_BASE, capacity, 256),
            constant: vec![0; CONSTANT_SIZE as usize],
            managed: Vec::new(),
            ranges: Vec::new(),
            ranges_stale: true,
            calls: BTreeMap::new(),
            freed: BTreeMap::new(),
            host_writes: None,
            denied: None,
        };
        let stack = memory.host.claim(HOST_BASE, HOST_STACK);
        stack.ok_or("the host's stack does not fit the machine's memory")?;
        memory.place_strings(module, statics)?;
        memory.place_globals(module, statics)?;
        Ok(memory)
    }

    fn place_strings(&mut self, module: &Module, statics: &Statics) -> Result<(), String> {
        for (text, &at) in module.strings.iter().zip(&statics.strings) {
            let claimed = self.host.claim(at, text.len() as u32 + 1);
            claimed.ok_or("the string literals do not fit host memory")?;
            if let Some(bytes) = self.host.slice(at, text.len() as u32) {
                bytes.copy_from_slice(text);
            }
        }
        Ok(())
    }

    fn place_globals(&mut self, module: &Module, statics: &Statics) -> Result<(), String> {
        for (global, &at) in module.globals.iter().zip(&statics.globals) {
            self.place_global(module, global, at)
                .ok_or_else(|| format!("`{}` does not fit its memory", global.name))?;
        }
        Ok(())
    }

    fn place_global(&mut self, module: &Module, global: &Global, at: u32) -> Option<()> {
        let size = u32::try_from(global.ty.size(&module.structs)).ok()?;
        match global.space {
            GlobalSpace::Host => return self.host.claim(at, size),
            GlobalSpace::Device => {
                self.device.claim(at, size)?;
                if global.managed {
                    self.managed.push(at..at + size);
                }
            }
            GlobalSpace::Constant => {
                let end = global.offset.checked_add(size)?;
                (end <= CONSTANT_SIZE).then_some(())?;
            }
        }
        for (offset, value) in &global.init.stores {
            let bytes = constant_bytes(&value.kind, &value.ty)?;
            let to = self.image(global.space, at.checked_add(u32::try_from(*offset).ok()?)?)?;
            to.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        }
        Some(())
    }

    /// The bytes from an address of device or constant memory on.
    fn image(&mut self, space: GlobalSpace, at: u32) -> Option<&mut [u8]> {
        if space == GlobalSpace::Constant {
            return self.constant.get_mut((at - CONSTANT_BASE) as usize..);
        }
        let at = (at - DEVICE_BASE) as usize;
        self.device.bytes_mut().get_mut(at..)
    }

    /// Host memory, with its allocations.
    pub fn host(&mut self) -> &mut Arena {
        &mut self.host
    }

    /// Returns true if a host address lies in memory that has been freed.
    pub fn host_is_freed(&self, address: u32) -> bool {
        self.host.near(address) == Near::Freed
    }

    /// Device global memory, to read and write inside its allocations.
    pub fn device(&mut self) -> &mut Arena {
        &mut self.device
    }

    /// Takes note of a call at `span` that has found no memory, if one has since this was called
    /// last.
    pub fn note_denied(&mut self, span: Span) -> Option<&NoMemory> {
        let on_host = self.host.take_denied();
        let bytes = on_host.or_else(|| self.device.take_denied())?;
        let arena = if on_host.is_some() { &self.host } else { &self.device };
        let (free, capacity) = (arena.unused(), arena.capacity());
        let (on_host, most) = match on_host {
            Some(_) => (true, HOST_MOST.into()),
            None => (false, (HOST_BASE - DEVICE_BASE).into()),
        };
        self.denied = Some(NoMemory { span, bytes, on_host, free, capacity, most });
        self.denied.as_ref()
    }

    /// The last call that has found no memory.
    pub fn denied(&self) -> Option<&NoMemory> {
        self.denied.as_ref()
    }

    /// Allocates device memory.
    pub fn device_allocate(&mut self, size: u64) -> Option<u32> {
        self.ranges_stale = true;
        let start = self.device.allocate(size)?;
        self.set_written(start, size as u32, false);
        Some(start)
    }

    /// The call that has made the allocation at an address.
    pub fn allocated_by(&mut self, address: u32, call: Option<CudaCall>) {
        let end = self.device.allocation_at(address).map_or(address, |range| range.end);
        self.freed
            .retain(|&start, (size, _)| start >= end || start.saturating_add(*size) <= address);
        if let Some(call) = call {
            self.calls.insert(address, call);
        }
    }

    /// The live allocations of device memory, in ascending order.
    pub fn allocations(&self) -> impl Iterator<Item = Allocation> {
        let all = self.device.allocations().filter(|range| !range.is_empty());
        all.map(|range| self.allocation(range))
    }

    /// The live allocation of device memory that contains an address.
    pub fn allocation_at(&self, address: u32) -> Option<Allocation> {
        let range = self.device.allocation_at(address)?;
        Some(self.allocation(range))
    }

    fn allocation(&self, range: Range<u32>) -> Allocation {
        let call = self.calls.get(&range.start);
        let element = call.and_then(|call| call.element.clone());
        Allocation { range, span: call.map(|call| call.span), element }
    }

    /// Records the host's actions on device memory from now on. Existing allocations count as
    /// written.
    pub fn watch_host(&mut self) {
        let set = |range| HostWrite::Set { range, written: true };
        self.host_writes = Some(self.device.allocations().map(set).collect());
    }

    /// The host's actions since the last call.
    pub fn take_host_writes(&mut self) -> Vec<HostWrite> {
        self.host_writes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Device memory is written by the host, or is fresh.
    pub fn set_written(&mut self, start: u32, length: u32, written: bool) {
        if let Some(writes) = &mut self.host_writes {
            writes.push(HostWrite::Set { range: start..start.saturating_add(length), written });
        }
    }

    /// The host has copied within device memory.
    pub fn copied(&mut self, to: u32, from: u32, length: u32) {
        if let Some(writes) = &mut self.host_writes {
            writes.push(HostWrite::Copied { to, from, length });
        }
    }

    /// Allocates device memory that the host may touch too.
    pub fn managed_allocate(&mut self, size: u64) -> Option<u32> {
        let start = self.device_allocate(size)?;
        // The host's writes there are not recorded.
        self.set_written(start, size as u32, true);
        let at = self.managed.partition_point(|range| range.start < start);
        self.managed.insert(at, start..start + size as u32);
        Some(start)
    }

    /// Returns true if there is device memory that the host may touch too.
    pub fn has_managed(&self) -> bool {
        !self.managed.is_empty()
    }

    /// Returns true if an address is in device memory that the host may touch too.
    pub fn is_managed(&self, address: u32) -> bool {
        let index = self.managed.partition_point(|range| range.start <= address);
        let range = index.checked_sub(1).and_then(|at| self.managed.get(at));
        range.is_some_and(|range| range.contains(&address))
    }

    /// The memory in which the host finds an address: its own, or managed memory of the device.
    #[inline(always)]
    pub fn seen_by_host(&mut self, address: u32) -> &mut Arena {
        if address >= HOST_BASE || !self.is_managed(address) {
            return &mut self.host;
        }
        &mut self.device
    }

    /// The memory from an address on that remains when a kernel has ended; `None` if nothing does.
    pub fn seen_when_ended(&mut self, address: u32) -> Option<&[u8]> {
        match address {
            HOST_BASE.. => self.host.rest(address),
            DEVICE_BASE.. => self.device.rest(address),
            _ => self.constant.get(address.checked_sub(CONSTANT_BASE)? as usize..),
        }
    }

    /// Frees device memory; `None` when no allocation starts at `address`.
    pub fn device_free(&mut self, address: u32) -> Option<()> {
        self.ranges_stale = true;
        self.managed.retain(|range| range.start != address);
        let size = self.device.allocation_at(address).map_or(0, |range| range.end - address);
        self.device.free(address)?;
        if let Some(call) = self.calls.remove(&address) {
            self.freed.insert(address, (size, call));
        }
        Some(())
    }

    /// Device memory for a simulator: the bytes from `0x1000_0000` on, the live allocations as
    /// ranges of addresses in ascending order, and constant memory. Outside of the allocations
    /// nothing may be touched.
    pub fn device_parts(&mut self) -> (&mut [u8], &[Range<u32>], &[u8]) {
        if self.ranges_stale {
            self.ranges = self.device.allocations().filter(|range| !range.is_empty()).collect();
            self.ranges_stale = false;
        }
        (self.device.bytes_mut(), &self.ranges, &self.constant)
    }

    /// A digest of all live device allocations: their places and contents.
    pub fn digest(&mut self) -> u64 {
        let (bytes, ranges, _) = self.device_parts();
        ranges.iter().fold(0, |digest, range| {
            let place = (range.start as u64) << 32 | range.len() as u64;
            let at = (range.start - DEVICE_BASE) as usize;
            let contents = bytes.get(at..at + range.len()).unwrap_or_default();
            digest_bytes(mix(digest, place), contents)
        })
    }

    /// The 64 KiB of constant memory.
    pub fn constant(&self) -> &[u8] {
        &self.constant
    }

    /// The constant memory, for `cudaMemcpyToSymbol` to write.
    pub fn constant_mut(&mut self) -> &mut [u8] {
        &mut self.constant
    }

    /// Any bytes of host memory inside one allocation.
    pub fn host_slice(&mut self, address: u32, length: u64) -> Option<&mut [u8]> {
        self.seen_by_host(address).slice(address, u32::try_from(length).ok()?)
    }

    /// Any bytes of device or constant memory: inside one allocation, or of the 64 KiB.
    pub fn device_slice(&mut self, address: u32, length: u64) -> Option<&mut [u8]> {
        let length = u32::try_from(length).ok()?;
        if address >= DEVICE_BASE || length == 0 {
            return self.device.slice(address, length);
        }
        let at = address.checked_sub(CONSTANT_BASE)? as usize;
        self.constant.get_mut(at..at.checked_add(length as usize)?)
    }

    /// Says why an access to host, global or constant memory failed.
    pub fn explain(&self, who: Accessor, address: u32, size: u64, write: bool) -> Fault {
        let (verb, done) = if write { ("write", "written") } else { ("read", "read") };
        let bytes = counted(size, "byte");
        let what = format!("{verb} of {bytes} at address {address:#010x}");
        let fault = |message: String, help: &str| Fault {
            code: code::TRAP,
            message,
            help: (!help.is_empty()).then(|| help.to_owned()),
            allocation: None,
        };
        if address < NULL_END {
            let text = format!("{what} through a null pointer");
            return match &self.denied {
                Some(denied) => {
                    let label = (denied.span, format!("found no memory: {}", denied.why()));
                    Fault { allocation: Some(label), ..fault(text, &denied.help()) }
                }
                None => fault(text, "give the pointer an address before it is used"),
            };
        }
        let on_device = (SHARED_BASE..HOST_BASE).contains(&address);
        match who {
            Accessor::Host if on_device => {
                let text = format!("device memory {done} on the host: {what}");
                return fault(
                    text,
                    "copy the data with `cudaMemcpy`; only kernels may dereference device pointers",
                );
            }
            Accessor::Device if address >= HOST_BASE => {
                let text = format!("host memory {done} on the device: {what}");
                return fault(
                    text,
                    "copy the data to memory from `cudaMalloc` and pass that pointer",
                );
            }
            _ => {}
        }
        let (arena, kind) = match address >= HOST_BASE {
            true => (&self.host, "host"),
            false => (&self.device, "device"),
        };
        let allocation = arena.allocation_at(address);
        if allocation
            .is_some_and(|all| u64::from(address).saturating_add(size) <= u64::from(all.end))
        {
            let help = format!("the address must be a multiple of {size}");
            return Fault { code: code::MISALIGNED, ..fault(format!("misaligned {what}"), &help) };
        }
        let whereabouts = whereabouts(arena, kind, address);
        let near = arena.near(address);
        let (code, allocation) = match near {
            Near::Freed => (code::USE_AFTER_FREE, self.freed_at(address)),
            _ => (code::OUT_OF_BOUNDS, self.named(near)),
        };
        Fault { code, allocation, ..fault(format!("out-of-bounds {what}: {whereabouts}"), "") }
    }

    /// The call that has made an allocation of device memory, and its description: "`x`, 7 short".
    fn named(&self, near: Near) -> Option<(Span, String)> {
        let (Near::Before { start, size } | Near::Past { start, size }) = near else {
            return None;
        };
        let call = self.calls.get(&start)?;
        Some((call.span, format!("{}, allocated here", call.described(size))))
    }

    /// The call that had made the allocation at an address of freed device memory, and its
    /// description.
    fn freed_at(&self, address: u32) -> Option<(Span, String)> {
        let (start, (size, call)) = self.freed.range(..=address).next_back()?;
        let is_inside = address - start < *size;
        is_inside.then(|| {
            (call.span, format!("{}, allocated here, and freed since", call.described(*size)))
        })
    }
}

impl CudaCall {
    /// "`x`, 1000 float".
    fn described(&self, size: u32) -> String {
        let scalar = self.element.as_ref().and_then(Scalar::of);
        let whole = scalar.filter(|scalar| (size as usize).is_multiple_of(scalar.bytes()));
        let extent = match whole {
            Some(scalar) => format!("{} {}", size as usize / scalar.bytes(), scalar.name()),
            None => counted(size.into(), "byte"),
        };
        match &self.name {
            Some(name) => format!("`{name}`, {extent}"),
            None => extent,
        }
    }
}

fn whereabouts(arena: &Arena, kind: &str, address: u32) -> String {
    let allocation = |start: u32, size: u32| {
        let bytes = counted(size as u64, "byte");
        format!("the allocation of {bytes} at {start:#010x}")
    };
    match arena.near(address) {
        Near::Nothing => format!("no {kind} memory is allocated"),
        Near::Freed => "this memory has been freed".to_owned(),
        Near::Before { start, size } => {
            let distance = counted((start - address) as u64, "byte");
            format!("{distance} before {}", allocation(start, size))
        }
        Near::Past { start, size } => match address.checked_sub(start.saturating_add(size)) {
            Some(0) => format!("just past the end of {}", allocation(start, size)),
            Some(past) => {
                let distance = counted(past as u64, "byte");
                format!("{distance} past the end of {}", allocation(start, size))
            }
            None => format!("over the end of {}", allocation(start, size)),
        },
    }
}

/// The note for accesses beyond shared memory, in a kernel with the dynamic variable `name` that
/// was launched with `bytes` bytes for it.
pub fn dynamic_shared_note(name: &str, bytes: u32) -> String {
    match bytes {
        0 => format!(
            "; `{name}` is dynamic shared memory, of which the launch gives none (`<<<grid, block, BYTES>>>`)"
        ),
        _ => {
            let given = counted(bytes.into(), "byte");
            format!("; the launch gives {given} of dynamic shared memory for `{name}`")
        }
    }
}

/// The memory image of a constant expression of a scalar type.
fn constant_bytes(kind: &ExprKind, ty: &Type) -> Option<Vec<u8>> {
    let size = match ty {
        Type::Bool => 1,
        Type::Int(kind) => kind.size() as usize,
        Type::Float => return float_bytes(kind).map(|value| (value as f32).to_le_bytes().to_vec()),
        Type::Double => return float_bytes(kind).map(|value| value.to_le_bytes().to_vec()),
        Type::Pointer(_) => 8,
        Type::Void | Type::Array(..) | Type::Struct(_) => return None,
    };
    let ExprKind::Int(value) = kind else {
        return None;
    };
    Some(value.to_le_bytes()[..size].to_vec())
}

fn float_bytes(kind: &ExprKind) -> Option<f64> {
    match kind {
        ExprKind::Float(value) => Some(*value),
        _ => None,
    }
}

/// One step of a digest: a multiplication spreads the bits, a rotation moves them back.
fn mix(digest: u64, word: u64) -> u64 {
    (digest ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// The digest of bytes, eight at a time, the last filled up with zeroes.
pub fn digest_bytes(digest: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let digest = words.iter().fold(digest, |digest, word| mix(digest, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(digest, u64::from_le_bytes(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Memory {
        let module = Module::default();
        Memory::new(&module, &Statics::of(&module), DEVICE_CAPACITY).unwrap()
    }

    #[test]
    fn faults_say_what_is_wrong() {
        let mut memory = memory();
        let a = memory.device_allocate(64).unwrap();
        let text = |who, address, size| memory.explain(who, address, size, false).message;
        assert_eq!(
            text(Accessor::Device, a + 64, 4),
            "out-of-bounds read of 4 bytes at address 0x10000040: just past the end of the \
             allocation of 64 bytes at 0x10000000"
        );
        assert!(text(Accessor::Device, 0, 4).ends_with("through a null pointer"));
        assert!(text(Accessor::Device, HOST_BASE, 4).starts_with("host memory read on the device"));
        assert!(text(Accessor::Host, a, 4).starts_with("device memory read on the host"));
        assert!(text(Accessor::Device, a + 2, 4).starts_with("misaligned"));
    }

    #[test]
    fn simulators_get_sorted_ranges() {
        let mut memory = memory();
        let a = memory.device_allocate(64).unwrap();
        let b = memory.device_allocate(4).unwrap();
        let (bytes, ranges, _) = memory.device_parts();
        assert!(bytes.len() >= (b - DEVICE_BASE + 4) as usize);
        assert_eq!(ranges, [a..a + 64, b..b + 4]);
        memory.device_free(a).unwrap();
        assert_eq!(memory.device_parts().1.first(), Some(&(b..b + 4)));
    }

    #[test]
    fn absurd_sizes_fail() {
        let mut memory = memory();
        assert_eq!(memory.device_allocate(1 << 40), None);
        assert_eq!(memory.host().allocate(u64::MAX - 3), None);
    }
}
