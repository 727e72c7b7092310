//! CUDA's runtime: memory, errors, events, streams.
//!
//! Functions return CUDA's codes, and every failure becomes the last error. A range that no
//! allocation contains is a trap instead: for host memory it would be a segmentation fault, and of
//! device memory a program that does not look at the code should hear too.

use super::cuda_error as code;
use super::device::DeviceLimits;
use super::environment::HostEnvironment;
use super::memory::{Accessor, CONSTANT_BASE, CONSTANT_SIZE, DEVICE_BASE, HOST_BASE, NULL_END};
use crate::interpreter::environment::Interrupt;
use reconverge_compiler::check::builtin::Builtin;
use reconverge_compiler::check::tree::{GlobalSpace, Type};
use reconverge_compiler::syntax::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Size of the object that a `cudaEvent_t` points to, in bytes.
const EVENT_SIZE: u64 = 8;

/// Size of the object that a `cudaStream_t` points to, in bytes.
const STREAM_SIZE: u64 = 8;
/// The last of the streams that are numbers: 0, `cudaStreamLegacy`, `cudaStreamPerThread`.
const LAST_FIXED_STREAM: u32 = 2;
/// The status of a program that `checkCudaErrors` ends.
const FAILED: i32 = 1;

/// The runtime's state.
#[derive(Clone, Debug)]
pub struct Cuda {
    pub(super) limits: DeviceLimits,
    last_error: i32,
    /// The launch that it is of, until the program asks for it.
    refused: Option<Span>,
    /// The call at hand, and what the pointer points to that it is given the address of.
    pub(super) call: Option<(Span, Option<Type>)>,
    /// Simulated nanoseconds that kernels have taken.
    nanoseconds: u64,
    /// When each event was recorded.
    events: BTreeMap<u32, Option<u64>>,
    streams: BTreeSet<u32>,
    /// What `cudaDeviceSetLimit` has set.
    pub(super) device_limits: BTreeMap<i32, u64>,
    /// Where the texts of errors are in host memory.
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
            refused: None,
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

    /// Remembers the error of a launch.
    pub fn refuse(&mut self, error: i32, span: Span) {
        self.note(error);
        self.refused = Some(span);
    }

    /// The error of a launch that the program has not asked for.
    pub fn unchecked(&self) -> Option<(&'static str, Span)> {
        Some((code::sentence(self.last_error), self.refused?))
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
            CudaMemcpy | CudaMemcpyAsync => self.memcpy(a as u32, b as u32, c, get(3) as i32)?,
            CudaMemset | CudaMemsetAsync => self.memset(a as u32, b as u8, c)?,
            CudaMemcpyToSymbol | CudaMemcpyToSymbolAsync => {
                let (offset, kind) = (get(3), get(4) as i32);
                self.copy_to_symbol(a as u32, b as u32, c, offset, kind)?
            }
            CudaMemcpyFromSymbol | CudaMemcpyFromSymbolAsync => {
                let (offset, kind) = (get(3), get(4) as i32);
                self.copy_from_symbol(a as u32, b as u32, c, offset, kind)?
            }
            CudaSetDevice if a as i32 != 0 => code::INVALID_DEVICE,
            CudaGetDeviceCount => self.put_int(a as u32, 1)?,
            CudaGetDevice => self.put_int(a as u32, 0)?,
            CudaGetLastError => {
                self.cuda.refused = None;
                return Ok(std::mem::replace(&mut self.cuda.last_error, code::SUCCESS) as u64);
            }
            CudaPeekAtLastError => {
                self.cuda.refused = None;
                return Ok(self.cuda.last_error as u64);
            }
            CudaGetErrorString => return Ok(self.text(code::sentence(a as i32))),
            CudaGetErrorName => return Ok(self.text(code::name(a as i32))),
            CudaEventCreate => self.event_create(a as u32)?,
            CudaEventRecord => match self.stream_check(b as u32) {
                code::SUCCESS => self.event_record(a as u32),
                error => error,
            },
            CudaEventSynchronize => self.event_check(a as u32),
            CudaEventElapsedTime => self.event_elapsed(a as u32, b as u32, c as u32)?,
            CudaEventDestroy => self.event_destroy(a as u32),
            CudaStreamCreate => self.stream_create(a as u32)?,
            CudaStreamDestroy => self.stream_destroy(a as u32),
            CudaStreamSynchronize => self.stream_check(a as u32),
            CudaStreamWaitEvent => match self.stream_check(a as u32) {
                code::SUCCESS => self.event_check(b as u32),
                error => error,
            },
            CheckCuda => return self.check(a as i32, b as u32, c as u32, get(3) as i32),
            other => {
                let mut found = self.memory_library(other, arguments)?;
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
        if address == 0 || self.memory.device_free(address).is_some() {
            return code::SUCCESS;
        }
        code::INVALID_VALUE
    }

    pub(super) fn memcpy(
        &mut self,
        to: u32,
        from: u32,
        size: u64,
        kind: i32,
    ) -> Result<i32, Interrupt> {
        let Some((to_side, from_side)) = sides(kind, to, from) else {
            return Ok(code::INVALID_MEMCPY_DIRECTION);
        };
        if size == 0 {
            return Ok(code::SUCCESS);
        }
        // A device address where a host address is meant is noticed by the driver, and the other
        // way round.
        if !self.side_fits(to_side, to) || !self.side_fits(from_side, from) {
            return Ok(code::INVALID_VALUE);
        }
        let source = match from_side {
            Side::Host => self.bytes(from, size, false)?,
            Side::Device => self.device_bytes(from, size, false)?,
        };
        let copy = source.to_vec();
        let target = match to_side {
            Side::Host => self.bytes(to, size, true)?,
            Side::Device => self.device_bytes(to, size, true)?,
        };
        target.copy_from_slice(&copy);
        if (to_side, from_side) == (Side::Device, Side::Device) {
            self.memory.copied(to, from, size as u32);
        }
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

    pub(super) fn memset(&mut self, address: u32, value: u8, size: u64) -> Result<i32, Interrupt> {
        if !self.side_fits(Side::Device, address) {
            return Ok(code::INVALID_VALUE);
        }
        self.device_bytes(address, size, true)?.fill(value);
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
    ) -> Result<i32, Interrupt> {
        let from_device = match kind {
            // 0 stands for a kind that was left out.
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
            false => self.bytes(from, size, false)?.to_vec(),
            true => self.device_bytes(from, size, false)?.to_vec(),
        };
        let target = self.symbol_bytes(range);
        if target.len() != copy.len() {
            return Ok(code::INVALID_VALUE);
        }
        target.copy_from_slice(&copy);
        Ok(code::SUCCESS)
    }

    fn copy_from_symbol(
        &mut self,
        to: u32,
        symbol: u32,
        size: u64,
        offset: u64,
        kind: i32,
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
        let copy = self.symbol_bytes(range).to_vec();
        let target = match to_device {
            false => self.bytes(to, size, true)?,
            true => self.device_bytes(to, size, true)?,
        };
        if target.len() != copy.len() {
            return Ok(code::INVALID_VALUE);
        }
        target.copy_from_slice(&copy);
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

    fn event_create(&mut self, at: u32) -> Result<i32, Interrupt> {
        let Some(event) = self.memory.host().allocate(EVENT_SIZE) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.cuda.events.insert(event, None);
        self.put_pointer(at, event)?;
        Ok(code::SUCCESS)
    }

    fn event_record(&mut self, event: u32) -> i32 {
        let now = self.cuda.nanoseconds;
        match self.cuda.events.get_mut(&event) {
            Some(time) => {
                *time = Some(now);
                code::SUCCESS
            }
            None => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn event_check(&self, event: u32) -> i32 {
        match self.cuda.events.contains_key(&event) {
            true => code::SUCCESS,
            false => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn event_elapsed(&mut self, at: u32, start: u32, stop: u32) -> Result<i32, Interrupt> {
        let time = |event| self.cuda.events.get(event).copied().flatten();
        let (Some(start), Some(stop)) = (time(&start), time(&stop)) else {
            return Ok(code::INVALID_RESOURCE_HANDLE);
        };
        let nanoseconds = stop as i64 - start as i64;
        let milliseconds = (nanoseconds as f64 / 1e6) as f32;
        self.put_int(at, milliseconds.to_bits())
    }

    fn event_destroy(&mut self, event: u32) -> i32 {
        if self.cuda.events.remove(&event).is_none() {
            return code::INVALID_RESOURCE_HANDLE;
        }
        // The address was only lent by the host's memory.
        self.memory.host().free(event);
        code::SUCCESS
    }

    fn stream_create(&mut self, at: u32) -> Result<i32, Interrupt> {
        let Some(stream) = self.memory.host().allocate(STREAM_SIZE) else {
            return Ok(code::MEMORY_ALLOCATION);
        };
        self.cuda.streams.insert(stream);
        self.put_pointer(at, stream)?;
        Ok(code::SUCCESS)
    }

    /// Whether this is a stream; the first numbers stand for those that are always there.
    fn stream_check(&self, stream: u32) -> i32 {
        match stream <= LAST_FIXED_STREAM || self.cuda.streams.contains(&stream) {
            true => code::SUCCESS,
            false => code::INVALID_RESOURCE_HANDLE,
        }
    }

    fn stream_destroy(&mut self, stream: u32) -> i32 {
        if !self.cuda.streams.remove(&stream) {
            return code::INVALID_RESOURCE_HANDLE;
        }
        self.memory.host().free(stream);
        code::SUCCESS
    }

    /// What `checkCudaErrors` and its kin do: an error is told, and ends the program.
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
