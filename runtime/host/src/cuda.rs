//! CUDA's runtime: memory and errors.
//!
//! Functions return CUDA's codes, and every failure becomes the last error. A range that no
//! allocation contains is a trap instead. For host memory a real run has a segmentation fault, and
//! for device memory a program that ignores the code should stop too.

use super::cuda_error as code;
use super::denied::{DeniedLaunch, Limit};
use super::device::DeviceLimits;
use super::environment::HostEnvironment;
use super::memory::{Accessor, CONSTANT_BASE, CONSTANT_SIZE, DEVICE_BASE, HOST_BASE, NULL_END};
use super::order::{HostAct, Mode, Wait};
use crate::allocation::CudaCall;
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::GlobalSpace;
use reconverge_compiler::syntax::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The status of a program that `checkCudaErrors` ends.
const FAILED: i32 = 1;

/// The runtime's state.
#[derive(Clone, Debug)]
pub struct Cuda {
    pub(super) limits: DeviceLimits,
    last_error: i32,
    /// The last launch that was denied.
    denied: Option<DeniedLaunch>,
    /// The current call, with the target type of the pointer whose address it is given.
    pub(super) call: Option<CudaCall>,
    /// Simulated nanoseconds that kernels have taken.
    nanoseconds: u64,
    /// The time at which each event was recorded.
    pub(super) events: BTreeMap<u32, Option<u64>>,
    pub(super) streams: BTreeSet<u32>,
    /// The limits set by `cudaDeviceSetLimit`.
    pub(super) device_limits: BTreeMap<i32, u64>,
    /// The addresses of error texts in host memory.
    texts: BTreeMap<&'static str, u32>,
}

/// `cudaMemcpyKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Host,
    Device,
}

impl Cuda {
    /// The state before the first call.
    pub fn new(limits: DeviceLimits) -> Self {
        Cuda {
            limits,
            last_error: code::SUCCESS,
            denied: None,
            call: None,
            nanoseconds: 0,
            events: BTreeMap::new(),
            streams: BTreeSet::new(),
            device_limits: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }

    /// Simulated nanoseconds of the device.
    pub fn clock(&self) -> u64 {
        self.nanoseconds
    }

    /// Lets simulated time pass.
    pub fn advance(&mut self, nanoseconds: u64) {
        self.nanoseconds = self.nanoseconds.saturating_add(nanoseconds);
    }

    /// Remembers the error of a launch, and the limit that it exceeds.
    pub fn refuse(&mut self, error: i32, span: Span, limit: Option<Limit>) {
        self.note(error);
        let error = code::sentence(error);
        self.denied = Some(DeniedLaunch { span, error, limit, asked: false });
    }

    /// The last launch that was denied.
    pub fn denied(&self) -> Option<&DeniedLaunch> {
        self.denied.as_ref()
    }

    /// The program reads its last error.
    fn asks(&mut self) {
        if let Some(denied) = &mut self.denied {
            denied.asked = true;
        }
    }

    /// Remembers an error; success changes nothing.
    pub fn note(&mut self, error: i32) -> u64 {
        if error != code::SUCCESS {
            self.last_error = error;
        }
        error as u64
    }
}

/// The sides of destination and source for a kind, given their addresses.
fn sides(kind: i32, to: u32, from: u32) -> Option<(Side, Side)> {
    let side = |address: u32| match address >= HOST_BASE || address == 0 {
        true => Side::Host,
        false => Side::Device,
    };
    Some(match kind {
        0 => (Side::Host, Side::Host),
        1 => (Side::Device, Side::Host),
        2 => (Side::Host, Side::Device),
        3 => (Side::Device, Side::Device),
        4 => (side(to), side(from)),
        _ => return None,
    })
}

/// A range in global memory; none elsewhere.
fn on_device(address: u32, size: u64) -> Option<Range<u32>> {
    (DEVICE_BASE..HOST_BASE)
        .contains(&address)
        .then(|| address..address.saturating_add(u32::try_from(size).unwrap_or(u32::MAX)))
}

impl HostEnvironment<'_> {
    /// Calls a function of CUDA's runtime.
    pub(super) fn cuda_library(
        &mut self,
        builtin: Builtin,
        arguments: &[u64],
    ) -> Result<u64, Interrupt> {
        use Builtin::*;
        let get = |index: usize| arguments.get(index).copied().unwrap_or(0);
        let (a, b, c) = (get(0), get(1), get(2));
        let error = match builtin {
            CudaMalloc => self.cuda_malloc(a as u32, b)?,
            CudaFree => self.cuda_free(a as u32),
            CudaMemcpy => self.memcpy(a as u32, b as u32, c, get(3) as i32, Mode::SYNCHRONOUS)?,
            CudaMemcpyAsync => {
                let mode = Mode::in_stream(get(4));
                self.memcpy(a as u32, b as u32, c, get(3) as i32, mode)?
            }
            CudaMemset => self.memset(a as u32, b as u8, c, Mode::in_stream(0))?,
            CudaMemsetAsync => self.memset(a as u32, b as u8, c, Mode::in_stream(get(3)))?,
            CudaMemcpyToSymbol | CudaMemcpyToSymbolAsync => {
                let mode = Mode::of_either(get(5));
                self.copy_to_symbol(a as u32, b as u32, c, get(3), get(4) as i32, mode)?
            }
            CudaMemcpyFromSymbol | CudaMemcpyFromSymbolAsync => {
                let mode = Mode::of_either(get(5));
                self.copy_from_symbol(a as u32, b as u32, c, get(3), get(4) as i32, mode)?
            }
            CudaSetDevice if a as i32 != 0 => code::INVALID_DEVICE,
            CudaGetDeviceCount => self.put_int(a as u32, 1)?,
            CudaGetDevice => self.put_int(a as u32, 0)?,
            CudaGetLastError => {
                self.cuda.asks();
                return Ok(std::mem::replace(&mut self.cuda.last_error, code::SUCCESS) as u64);
            }
            CudaPeekAtLastError => {
                self.cuda.asks();
                return Ok(self.cuda.last_error as u64);
            }
            CudaGetErrorString => return Ok(self.text(code::sentence(a as i32))),
            CudaGetErrorName => return Ok(self.text(code::name(a as i32))),
            CheckCuda => return self.check(a as i32, b as u32, c as u32, get(3) as i32),
            other => {
                let mut found = self.order_library(other, arguments)?;
                if found.is_none() {
                    found = self.memory_library(other, arguments)?;
                }
                if found.is_none() {
                    found = self.device_library(other, arguments)?;
                }
                if found.is_none() {
                    found = self.occupancy_library(other, arguments)?;
                }
                // Kernels are done when their launch returns, so there is nothing to wait for.
                found.unwrap_or(code::SUCCESS)
            }
        };
        Ok(self.cuda.note(error))
    }

    /// Stores a pointer through the pointer that the program gave.
    pub(super) fn put_pointer(&mut self, at: u32, value: u32) -> Result<(), Interrupt> {
        let bytes = (value as u64).to_le_bytes();
        self.bytes(at, 8, true)?.copy_from_slice(&bytes);
        Ok(())
    }

    pub(super) fn put_int(&mut self, at: u32, value: u32) -> Result<i32, Interrupt> {
        self.bytes(at, 4, true)?.copy_from_slice(&value.to_le_bytes());
        Ok(code::SUCCESS)
    }

    pub(super) fn cuda_malloc(&mut self, at: u32, size: u64) -> Result<i32, Interrupt> {
        if at == 0 {
            return Ok(code::INVALID_VALUE);
        }
        if size == 0 {
            self.put_pointer(at, 0)?;
            return Ok(code::SUCCESS);
        }
        let Some(address) = self.memory.device_allocate(size) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.memory.allocated_by(address, self.cuda.call.clone());
        self.put_pointer(at, address)?;
        Ok(code::SUCCESS)
    }

    pub(super) fn cuda_free(&mut self, address: u32) -> i32 {
        if address != 0 && self.memory.device_free(address).is_none() {
            return code::INVALID_VALUE;
        }
        self.tell(&HostAct::HostWaits(Wait::Device));
        code::SUCCESS
    }

    pub(super) fn memcpy(
        &mut self,
        to: u32,
        from: u32,
        size: u64,
        kind: i32,
        mode: Mode,
    ) -> Result<i32, Interrupt> {
        let Some((to_side, from_side)) = sides(kind, to, from) else {
            return Ok(code::INVALID_MEMCPY_DIRECTION);
        };
        if size == 0 {
            return Ok(code::SUCCESS);
        }
        // The driver recognises a device address in place of a host address, and the reverse.
        if !self.side_fits(to_side, to) || !self.side_fits(from_side, from) {
            return Ok(code::INVALID_VALUE);
        }
        let source = match from_side {
            Side::Host => self.copied_bytes(from, size, false)?,
            Side::Device => self.device_bytes(from, size, false)?,
        };
        let copy = source.to_vec();
        let target = match to_side {
            Side::Host => self.copied_bytes(to, size, true)?,
            Side::Device => self.device_bytes(to, size, true)?,
        };
        target.copy_from_slice(&copy);
        self.wrote(to, size);
        if self.is_watched {
            self.carry_unwritten(to, from, size);
        }
        if (to_side, from_side) == (Side::Device, Side::Device) {
            self.memory.copied(to, from, size as u32);
        }
        self.tell_transfer(mode, on_device(from, size), on_device(to, size), to >= HOST_BASE);
        Ok(code::SUCCESS)
    }

    fn side_fits(&self, side: Side, address: u32) -> bool {
        match side {
            Side::Host => {
                !(NULL_END..HOST_BASE).contains(&address) || self.memory.is_managed(address)
            }
            Side::Device => address < HOST_BASE,
        }
    }

    pub(super) fn memset(
        &mut self,
        address: u32,
        value: u8,
        size: u64,
        mode: Mode,
    ) -> Result<i32, Interrupt> {
        if !self.side_fits(Side::Device, address) {
            return Ok(code::INVALID_VALUE);
        }
        self.device_bytes(address, size, true)?.fill(value);
        self.wrote(address, size);
        let host_waits = self.memory.is_managed(address);
        self.tell_fill(mode, on_device(address, size), host_waits);
        Ok(code::SUCCESS)
    }

    /// Device bytes that the library reads or writes for the program.
    fn device_bytes(
        &mut self,
        address: u32,
        size: u64,
        write: bool,
    ) -> Result<&mut [u8], Interrupt> {
        if self.memory.device_slice(address, size).is_none() {
            return Err(self.fault(Accessor::Device, address, size, write));
        }
        if write {
            self.memory.set_written(address, size as u32, true);
        }
        Ok(self.memory.device_slice(address, size).unwrap_or(&mut []))
    }

    /// Bytes from an address to the end of the variable that it lies in.
    pub(super) fn symbol_size(&self, address: u32) -> Option<u64> {
        let globals = self.module.globals.iter();
        globals.filter(|global| global.space != GlobalSpace::Host).find_map(|global| {
            let start = match global.space {
                GlobalSpace::Constant => CONSTANT_BASE.checked_add(global.offset)?,
                _ => DEVICE_BASE.checked_add(global.offset)?,
            };
            let length = global.ty.size(&self.module.structs);
            let within = address.checked_sub(start)? as u64;
            (within < length.max(1)).then(|| length - within)
        })
    }

    /// The range `offset..offset + size` of the variable that starts at `address`, or the error.
    pub(super) fn symbol(&self, address: u32, offset: u64, size: u64) -> Result<Range<u32>, i32> {
        let length = self.symbol_size(address).ok_or(code::INVALID_SYMBOL)?;
        let end = offset.checked_add(size).filter(|&end| end <= length);
        let end = end.ok_or(code::INVALID_VALUE)?;
        Ok(address + offset as u32..address + end as u32)
    }

    /// The bytes of a symbol's range.
    fn symbol_bytes(&mut self, range: Range<u32>) -> &mut [u8] {
        let length = range.end - range.start;
        let is_constant = range.start.wrapping_sub(CONSTANT_BASE) < CONSTANT_SIZE;
        let bytes = match is_constant {
            true => {
                let at = (range.start - CONSTANT_BASE) as usize;
                self.memory.constant_mut().get_mut(at..at + length as usize)
            }
            false => {
                self.memory.set_written(range.start, length, true);
                self.memory.device_slice(range.start, length as u64)
            }
        };
        bytes.unwrap_or(&mut [])
    }

    fn copy_to_symbol(
        &mut self,
        symbol: u32,
        from: u32,
        size: u64,
        offset: u64,
        kind: i32,
        mode: Mode,
    ) -> Result<i32, Interrupt> {
        let from_device = match kind {
            // 0 is the value for an omitted kind.
            0 | 1 => false,
            3 => true,
            4 => from < HOST_BASE,
            _ => return Ok(code::INVALID_MEMCPY_DIRECTION),
        };
        let range = match self.symbol(symbol, offset, size) {
            Ok(range) => range,
            Err(error) => return Ok(error),
        };
        let copy = match from_device {
            false => self.copied_bytes(from, size, false)?.to_vec(),
            true => self.device_bytes(from, size, false)?.to_vec(),
        };
        let (start, place) = (range.start, on_device(range.start, size));
        let target = self.symbol_bytes(range);
        if target.len() != copy.len() {
            return Ok(code::INVALID_VALUE);
        }
        target.copy_from_slice(&copy);
        self.wrote(start, size);
        self.tell_transfer(mode, on_device(from, size), place, false);
        Ok(code::SUCCESS)
    }

    fn copy_from_symbol(
        &mut self,
        to: u32,
        symbol: u32,
        size: u64,
        offset: u64,
        kind: i32,
        mode: Mode,
    ) -> Result<i32, Interrupt> {
        let to_device = match kind {
            0 | 2 => false,
            3 => true,
            4 => to < HOST_BASE,
            _ => return Ok(code::INVALID_MEMCPY_DIRECTION),
        };
        let range = match self.symbol(symbol, offset, size) {
            Ok(range) => range,
            Err(error) => return Ok(error),
        };
        let place = on_device(range.start, size);
        let copy = self.symbol_bytes(range).to_vec();
        let target = match to_device {
            false => self.copied_bytes(to, size, true)?,
            true => self.device_bytes(to, size, true)?,
        };
        if target.len() != copy.len() {
            return Ok(code::INVALID_VALUE);
        }
        target.copy_from_slice(&copy);
        self.wrote(to, size);
        self.tell_transfer(mode, place, on_device(to, size), to >= HOST_BASE);
        Ok(code::SUCCESS)
    }

    /// The address of a text, which is put into host memory the first time. Null without memory.
    pub(super) fn text(&mut self, text: &'static str) -> u64 {
        if let Some(&address) = self.cuda.texts.get(text) {
            return address as u64;
        }
        let Some(address) = self.memory.host().allocate(text.len() as u64 + 1) else {
            return 0;
        };
        if let Some(bytes) = self.memory.host_slice(address, text.len() as u64) {
            bytes.copy_from_slice(text.as_bytes());
        }
        self.cuda.texts.insert(text, address);
        address as u64
    }

    /// `checkCudaErrors` and its kin: an error is printed, and ends the program.
    fn check(&mut self, error: i32, what: u32, file: u32, line: i32) -> Result<u64, Interrupt> {
        if error == code::SUCCESS {
            return Ok(0);
        }
        let what = String::from_utf8_lossy(self.string(what)?).into_owned();
        let file = String::from_utf8_lossy(self.string(file)?).into_owned();
        let (name, sentence) = (code::name(error), code::sentence(error));
        let line = format!("{file}:{line}: {what}: {name} ({error}): {sentence}\n");
        self.output.print_error(line.as_bytes());
        Err(Interrupt::Exit(FAILED))
    }
}
