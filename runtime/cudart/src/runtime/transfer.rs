//! Copies, fills and symbols.

use super::launch::issue;
use super::memory::{Extent, Pitched};
use super::texture;
use crate::abi::{In, Out, runtime};
use crate::copy::{Copy, DEFAULT, DEVICE_TO_DEVICE, DEVICE_TO_HOST, Fill, HOST_TO_DEVICE, Side};
use crate::error::{INVALID_MEMCPY_DIRECTION, INVALID_VALUE, Outcome};
use crate::graph::Operation;
use crate::state;

/// `cudaMemcpy3DParms`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Copy3D {
    from_array: usize,
    from_position: Extent,
    from: Pitched,
    to_array: usize,
    to_position: Extent,
    to: Pitched,
    extent: Extent,
    kind: i32,
}

impl Copy3D {
    /// The copy. Beside an array, widths are in its elements.
    ///
    /// # Errors
    /// An array does not exist, or does not contain the rectangle.
    pub fn copy(&self) -> Outcome<Copy> {
        let Copy3D { from_position, to_position, extent, kind, .. } = *self;
        let mut width = extent.width;
        let mut side = |array: usize, at: Pitched, position: Extent| -> Outcome<Side> {
            if array != 0 {
                let (side, bytes) = texture::side_of(array, position, extent)?;
                width = extent.width.saturating_mul(bytes);
                return Ok(side);
            }
            let slice = at.pitch.wrapping_mul(at.height);
            let down = position.height.wrapping_mul(at.pitch);
            let offset = position.width.wrapping_add(down);
            let offset = offset.wrapping_add(position.depth.wrapping_mul(slice));
            Ok(Side { start: at.start.wrapping_add(offset), pitch: at.pitch, slice })
        };
        let to = side(self.to_array, self.to, to_position)?;
        let from = side(self.from_array, self.from, from_position)?;
        Ok(Copy { to, from, width, height: extent.height, depth: extent.depth, kind })
    }
}

fn rows(to: Side, from: Side, width: usize, height: usize, kind: i32) -> Copy {
    Copy { to, from, width, height, depth: 1, kind }
}

fn side(start: usize, pitch: usize) -> Side {
    Side { start, pitch, slice: 0 }
}

/// A row is longer than the pitch.
fn checked(copy: Copy) -> Outcome<Operation> {
    match copy.width > copy.to.pitch || copy.width > copy.from.pitch {
        true => Err(crate::error::INVALID_PITCH_VALUE),
        false => Ok(Operation::Copy(copy)),
    }
}

/// The address of a symbol's bytes.
///
/// # Errors
/// There is no such symbol, or it has fewer bytes.
pub fn symbol(stand_in: usize, offset: usize, size: usize) -> Outcome<usize> {
    let (address, length) = state::with(|state| state.variable(stand_in))?;
    let end = offset.checked_add(size).filter(|&end| end <= length as usize);
    end.map(|_| address as usize + offset).ok_or(INVALID_VALUE)
}

/// The copy to a symbol. Without a kind, it is from the host.
pub fn to_symbol(
    stand_in: usize,
    from: usize,
    size: usize,
    offset: usize,
    kind: i32,
) -> Outcome<Operation> {
    let kind = match kind {
        0 | HOST_TO_DEVICE => HOST_TO_DEVICE,
        DEVICE_TO_DEVICE | DEFAULT => kind,
        _ => return Err(INVALID_MEMCPY_DIRECTION),
    };
    Ok(Operation::Copy(Copy::line(symbol(stand_in, offset, size)?, from, size, kind)))
}

/// The copy from a symbol. Without a kind, it is to the host.
pub fn from_symbol(
    to: usize,
    stand_in: usize,
    size: usize,
    offset: usize,
    kind: i32,
) -> Outcome<Operation> {
    let kind = match kind {
        0 | DEVICE_TO_HOST => DEVICE_TO_HOST,
        DEVICE_TO_DEVICE | DEFAULT => kind,
        _ => return Err(INVALID_MEMCPY_DIRECTION),
    };
    Ok(Operation::Copy(Copy::line(to, symbol(stand_in, offset, size)?, size, kind)))
}

fn fill(start: usize, value: i32, width: usize) -> Operation {
    let to = Side::line(start);
    Operation::Fill(Fill { to, value: value as u32, size: 1, width, height: 1, depth: 1 })
}

fn fill_rows(start: usize, pitch: usize, value: i32, width: usize, height: usize) -> Operation {
    let to = side(start, pitch);
    Operation::Fill(Fill { to, value: value as u32, size: 1, width, height, depth: 1 })
}

fn fill_slices(to: Pitched, value: i32, extent: Extent) -> Operation {
    let slice = to.pitch.wrapping_mul(to.height);
    let to = Side { start: to.start, pitch: to.pitch, slice };
    let Extent { width, height, depth } = extent;
    Operation::Fill(Fill { to, value: value as u32, size: 1, width, height, depth })
}

runtime! {
    /// Copies bytes.
    fn cudaMemcpy(to: usize, from: usize, size: usize, kind: i32) {
        issue(0, Operation::Copy(Copy::line(to, from, size, kind)))
    }

    /// Copies bytes in a stream.
    fn cudaMemcpyAsync(to: usize, from: usize, size: usize, kind: i32, stream: usize) {
        issue(stream, Operation::Copy(Copy::line(to, from, size, kind)))
    }

    /// Copies rows.
    fn cudaMemcpy2D(
        to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: i32,
    ) {
        issue(0, checked(rows(side(to, to_pitch), side(from, from_pitch), width, height, kind))?)
    }

    /// Copies rows in a stream.
    fn cudaMemcpy2DAsync(
        to: usize, to_pitch: usize, from: usize, from_pitch: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        issue(stream, checked(rows(side(to, to_pitch), side(from, from_pitch), width, height, kind))?)
    }

    /// Copies slices of rows.
    fn cudaMemcpy3D(copy: In<Copy3D>) {
        issue(0, Operation::Copy(copy.get()?.copy()?))
    }

    /// Copies slices of rows in a stream.
    fn cudaMemcpy3DAsync(copy: In<Copy3D>, stream: usize) {
        issue(stream, Operation::Copy(copy.get()?.copy()?))
    }

    /// Copies bytes between devices; there is one.
    fn cudaMemcpyPeer(to: usize, to_device: i32, from: usize, from_device: i32, size: usize) {
        super::device::check(to_device)?;
        super::device::check(from_device)?;
        issue(0, Operation::Copy(Copy::line(to, from, size, DEVICE_TO_DEVICE)))
    }

    /// Copies bytes between devices in a stream; there is one device.
    fn cudaMemcpyPeerAsync(
        to: usize, to_device: i32, from: usize, from_device: i32, size: usize, stream: usize,
    ) {
        super::device::check(to_device)?;
        super::device::check(from_device)?;
        issue(stream, Operation::Copy(Copy::line(to, from, size, DEVICE_TO_DEVICE)))
    }

    /// Copies bytes to a symbol.
    fn cudaMemcpyToSymbol(to: usize, from: usize, size: usize, offset: usize, kind: i32) {
        issue(0, to_symbol(to, from, size, offset, kind)?)
    }

    /// Copies bytes to a symbol in a stream.
    fn cudaMemcpyToSymbolAsync(
        to: usize, from: usize, size: usize, offset: usize, kind: i32, stream: usize,
    ) {
        issue(stream, to_symbol(to, from, size, offset, kind)?)
    }

    /// Copies bytes from a symbol.
    fn cudaMemcpyFromSymbol(to: usize, from: usize, size: usize, offset: usize, kind: i32) {
        issue(0, from_symbol(to, from, size, offset, kind)?)
    }

    /// Copies bytes from a symbol in a stream.
    fn cudaMemcpyFromSymbolAsync(
        to: usize, from: usize, size: usize, offset: usize, kind: i32, stream: usize,
    ) {
        issue(stream, from_symbol(to, from, size, offset, kind)?)
    }

    /// The address of a symbol.
    fn cudaGetSymbolAddress(address: Out<usize>, stand_in: usize) {
        address.put(symbol(stand_in, 0, 0)?)
    }

    /// The bytes of a symbol.
    fn cudaGetSymbolSize(size: Out<usize>, stand_in: usize) {
        size.put(state::with(|state| state.variable(stand_in))?.1 as usize)
    }

    /// Fills bytes.
    fn cudaMemset(to: usize, value: i32, size: usize) {
        issue(0, fill(to, value, size))
    }

    /// Fills bytes in a stream.
    fn cudaMemsetAsync(to: usize, value: i32, size: usize, stream: usize) {
        issue(stream, fill(to, value, size))
    }

    /// Fills rows.
    fn cudaMemset2D(to: usize, pitch: usize, value: i32, width: usize, height: usize) {
        issue(0, fill_rows(to, pitch, value, width, height))
    }

    /// Fills rows in a stream.
    fn cudaMemset2DAsync(
        to: usize, pitch: usize, value: i32, width: usize, height: usize, stream: usize,
    ) {
        issue(stream, fill_rows(to, pitch, value, width, height))
    }

    /// Fills slices of rows.
    fn cudaMemset3D(to: Pitched, value: i32, extent: Extent) {
        issue(0, fill_slices(to, value, extent))
    }

    /// Fills slices of rows in a stream.
    fn cudaMemset3DAsync(to: Pitched, value: i32, extent: Extent, stream: usize) {
        issue(stream, fill_slices(to, value, extent))
    }
}
