//! Copies and fills, on the host, on the device, and between them.

use crate::abi::Host;
use crate::device::Device;
use crate::error::{INVALID_MEMCPY_DIRECTION, INVALID_PITCH_VALUE, INVALID_VALUE, Outcome};
use reconverge_isa::{CONSTANT_BASE, CONSTANT_SIZE, GLOBAL_BASE, GLOBAL_END};

/// `cudaMemcpyKind`.
pub const HOST_TO_HOST: i32 = 0;
pub const HOST_TO_DEVICE: i32 = 1;
pub const DEVICE_TO_HOST: i32 = 2;
pub const DEVICE_TO_DEVICE: i32 = 3;
pub const DEFAULT: i32 = 4;

/// One side of a copy: its first byte, and the distances of rows and of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The address.
    pub start: usize,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Bytes from slice to slice.
    pub slice: usize,
}

impl Side {
    /// Bytes one after the other.
    pub fn line(start: usize) -> Side {
        Side { start, pitch: 0, slice: 0 }
    }

    fn at(self, row: usize, slice: usize) -> usize {
        let down = row.wrapping_mul(self.pitch).wrapping_add(slice.wrapping_mul(self.slice));
        self.start.wrapping_add(down)
    }
}

/// A copy of rows, and slices of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The destination.
    pub to: Side,
    /// The source.
    pub from: Side,
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a slice.
    pub height: usize,
    /// Slices.
    pub depth: usize,
    /// `cudaMemcpyKind`.
    pub kind: i32,
}

impl Copy {
    /// A copy of bytes that follow each other.
    pub fn line(to: usize, from: usize, width: usize, kind: i32) -> Copy {
        Copy { to: Side::line(to), from: Side::line(from), width, height: 1, depth: 1, kind }
    }

    /// Checks that rows are no longer than the pitches.
    ///
    /// # Errors
    /// One is.
    pub fn check(&self) -> Outcome {
        let is_short = |side: &Side| self.height > 1 && side.pitch < self.width;
        match is_short(&self.to) || is_short(&self.from) {
            true => Err(INVALID_PITCH_VALUE),
            false => Ok(()),
        }
    }
}

/// A fill of rows with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The destination.
    pub to: Side,
    /// The value: the low bytes.
    pub value: u32,
    /// Bytes of the value: 1, 2 or 4.
    pub size: usize,
    /// Bytes of a row.
    pub width: usize,
    /// Rows of a slice.
    pub height: usize,
    /// Slices.
    pub depth: usize,
}

/// The memory that an address is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Host(Host),
    Device(u32),
}

impl Device {
    /// Performs a copy.
    ///
    /// # Errors
    /// A side is not where its kind says, or not inside one allocation.
    pub fn copy(&mut self, copy: &Copy) -> Outcome {
        if !(HOST_TO_HOST..=DEFAULT).contains(&copy.kind) {
            return Err(INVALID_MEMCPY_DIRECTION);
        }
        if copy.width == 0 {
            return Ok(());
        }
        let is_dense = copy.height == 1 && copy.depth == 1;
        if is_dense {
            return self.copy_row(copy, copy.to.start, copy.from.start);
        }
        copy.check()?;
        for slice in 0..copy.depth {
            for row in 0..copy.height {
                self.copy_row(copy, copy.to.at(row, slice), copy.from.at(row, slice))?;
            }
        }
        Ok(())
    }

    fn copy_row(&mut self, copy: &Copy, to: usize, from: usize) -> Outcome {
        let Copy { width, kind, .. } = *copy;
        let to = self.place(to, matches!(kind, HOST_TO_DEVICE | DEVICE_TO_DEVICE), kind)?;
        let from = self.place(from, matches!(kind, DEVICE_TO_HOST | DEVICE_TO_DEVICE), kind)?;
        match (to, from) {
            (Place::Host(to), Place::Host(from)) => from.copy_to(to, width),
            (Place::Host(to), Place::Device(from)) => {
                let bytes = self.gpu.memory().device_slice(from, width as u64);
                let bytes = bytes.ok_or(INVALID_VALUE)?;
                to.write(width)?.copy_from_slice(bytes);
                Ok(())
            }
            (Place::Device(to), Place::Host(from)) => {
                let memory = self.gpu.memory();
                let place = memory.device_slice(to, width as u64).ok_or(INVALID_VALUE)?;
                place.copy_from_slice(from.read(width)?);
                memory.set_written(to, width as u32, true);
                self.gpu.wrote(to, width as u64);
                Ok(())
            }
            (Place::Device(to), Place::Device(from)) => self.copy_within(to, from, width),
        }
    }

    fn copy_within(&mut self, to: u32, from: u32, width: usize) -> Outcome {
        let memory = self.gpu.memory();
        let length = width as u64;
        memory.device_slice(from, length).ok_or(INVALID_VALUE)?;
        memory.device_slice(to, length).ok_or(INVALID_VALUE)?;
        if to >= GLOBAL_BASE && from >= GLOBAL_BASE {
            let [to, from] = [to, from].map(|address| (address - GLOBAL_BASE) as usize);
            memory.device().bytes_mut().copy_within(from..from + width, to);
        } else {
            let bytes = memory.device_slice(from, length).map(|it| it.to_vec()).unwrap_or_default();
            memory.device_slice(to, length).ok_or(INVALID_VALUE)?.copy_from_slice(&bytes);
        }
        memory.copied(to, from, width as u32);
        self.gpu.wrote(to, length);
        Ok(())
    }

    /// Performs a fill.
    ///
    /// # Errors
    /// The memory is not the device's, or not inside one allocation.
    pub fn fill(&mut self, fill: &Fill) -> Outcome {
        if fill.width == 0 {
            return Ok(());
        }
        if fill.height > 1 && fill.to.pitch < fill.width {
            return Err(INVALID_PITCH_VALUE);
        }
        for slice in 0..fill.depth {
            for row in 0..fill.height {
                let place = self.place(fill.to.at(row, slice), true, DEFAULT)?;
                let value = &fill.value.to_le_bytes()[..fill.size];
                let spread = |bytes: &mut [u8]| match value {
                    [byte] => bytes.fill(*byte),
                    value => bytes
                        .chunks_mut(value.len())
                        .for_each(|it| it.copy_from_slice(&value[..it.len()])),
                };
                match place {
                    Place::Host(at) if self.managed.at(at.0).is_some() => {
                        spread(at.write(fill.width)?)
                    }
                    Place::Host(_) => return Err(INVALID_VALUE),
                    Place::Device(at) => {
                        let memory = self.gpu.memory();
                        let bytes = memory.device_slice(at, fill.width as u64);
                        spread(bytes.ok_or(INVALID_VALUE)?);
                        memory.set_written(at, fill.width as u32, true);
                        self.gpu.wrote(at, fill.width as u64);
                    }
                }
            }
        }
        Ok(())
    }

    /// Finds the memory of an address. Memory of both sides is the host's between launches.
    fn place(&mut self, address: usize, is_device: bool, kind: i32) -> Outcome<Place> {
        if self.managed.at(address).is_some() {
            return Ok(Place::Host(Host(address)));
        }
        let own = self.device_address(address);
        match (kind, own) {
            (DEFAULT, Some(own)) => Ok(Place::Device(own)),
            (DEFAULT, None) => Ok(Place::Host(Host(address))),
            (_, Some(own)) if is_device => Ok(Place::Device(own)),
            (_, None) if !is_device => Ok(Place::Host(Host(address))),
            // The driver recognises a device address in place of a host address, and the reverse.
            _ => Err(INVALID_VALUE),
        }
    }

    /// The address as one of the device, if it is inside an allocation or in constant memory.
    pub fn device_address(&mut self, address: usize) -> Option<u32> {
        let address = u32::try_from(address).ok()?;
        let is_constant = address.wrapping_sub(CONSTANT_BASE) < CONSTANT_SIZE;
        let is_global = (GLOBAL_BASE..GLOBAL_END).contains(&address)
            && self.gpu.memory().device_slice(address, 1).is_some();
        (is_constant || is_global).then_some(address)
    }
}
