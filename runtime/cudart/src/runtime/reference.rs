//! Texture references: variables of a program that its functions bind to memory. CUDA 12 has removed them.
//!
//! On the device a reference is a descriptor like that of an object ([`super::texture`]).

use super::texture::{Format, Resource, Sampling, array, number, put};
use crate::abi::{Host, In, Out, Text, runtime};
use crate::device::Device;
use crate::error::{INVALID_VALUE, Outcome};
use crate::state::{self, Registered};

/// `cudaErrorInvalidTexture`, `cudaErrorInvalidTextureBinding`.
const INVALID_TEXTURE: i32 = 18;
const INVALID_BINDING: i32 = 19;
/// The first bytes of a `textureReference`: coordinates, filter, address modes, format, colours.
const HEAD: usize = 44;

/// A texture reference of the program.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Its variable on the device.
    variable: Registered,
    /// Numbers are read as fractions.
    is_fraction: bool,
}

/// Registers a texture reference by the address of its stand-in on the host.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn __cudaRegisterTexture(
    binary: usize,
    stand_in: usize,
    _address: usize,
    symbol: Text,
    _dimensions: i32,
    is_fraction: i32,
    _is_external: i32,
) {
    crate::error::runtime(|| {
        let variable = Registered { binary: binary.wrapping_sub(1), symbol: symbol.get()? };
        let reference = Reference { variable, is_fraction: is_fraction != 0 };
        state::with(|state| state.references.insert(stand_in, reference));
        Ok(())
    });
}

/// The reference of a stand-in, and its descriptor on the device.
fn descriptor_of(stand_in: usize) -> Outcome<(Reference, u32)> {
    state::with(|state| {
        state.device()?;
        let found = state.references.get(&stand_in).cloned().ok_or(INVALID_TEXTURE)?;
        let device = state.device.as_ref().ok_or(INVALID_TEXTURE)?;
        let place = device.variable_of(&found.variable).ok_or(INVALID_TEXTURE)?;
        Ok((found, place.0))
    })
}

/// Binds a reference to memory.
fn bind(stand_in: usize, resource: impl FnOnce(&mut Device) -> Outcome<Resource>) -> Outcome {
    let (reference, place) = descriptor_of(stand_in)?;
    let head = Host(stand_in).read(HEAD)?;
    if number(head, 40) != 0 {
        return super::texture::refuse("textures with colours of sRGB");
    }
    state::device(|device| {
        let found = resource(device)?;
        let sampling = Sampling {
            normalized: number(head, 0),
            modes: [8, 12, 16].map(|at| number(head, at)),
            filter: number(head, 4),
            fraction: found.format.fraction(reference.is_fraction)?,
        };
        put(device, place, &found.descriptor(sampling)?)
    })
}

/// Linear memory of so many bytes, or up to the end of its allocation.
fn linear(device: &mut Device, start: usize, format: Format, size: usize) -> Outcome<Resource> {
    let address = device.device_address(start).ok_or(INVALID_VALUE)?;
    let allocation = device.gpu.memory().allocation_at(address).ok_or(INVALID_VALUE)?;
    let rest = (allocation.range.end as usize).saturating_sub(start);
    let width = size.min(rest) / format.bytes()?;
    Resource { start, width, height: 1, pitch: 0, depth: 1, slice: 0, format }.checked(device)
}

runtime! {
    /// Binds a texture reference to linear memory.
    fn cudaBindTexture(
        offset: Out<usize>, reference: usize, memory: usize, format: In<Format>, size: usize,
    ) {
        let format = format.get()?;
        bind(reference, |device| linear(device, memory, format, size))?;
        offset.offer(0);
        Ok(())
    }

    /// Binds a texture reference to rows.
    fn cudaBindTexture2D(
        offset: Out<usize>, reference: usize, memory: usize, format: In<Format>, width: usize, height: usize,
        pitch: usize,
    ) {
        let format = format.get()?;
        bind(reference, |device| {
            let start = memory;
            Resource { start, width, height, pitch, depth: 1, slice: 0, format }.checked(device)
        })?;
        offset.offer(0);
        Ok(())
    }

    /// Binds a texture reference to an array.
    fn cudaBindTextureToArray(reference: usize, handle: usize, format: In<Format>) {
        let array = array(handle)?;
        if !format.is_null() && format.get()?.bytes()? != array.format().bytes()? {
            return Err(INVALID_VALUE);
        }
        bind(reference, |device| array.resource().checked(device))
    }

    /// Ends a binding: fetches trap.
    fn cudaUnbindTexture(reference: usize) {
        let (_, place) = descriptor_of(reference)?;
        state::device(|device| put(device, place, &[0; super::texture::DESCRIPTOR]))
    }

    /// The texture reference of a symbol, which is its stand-in.
    fn cudaGetTextureReference(reference: Out<usize>, symbol: usize) {
        let is_known = state::with(|state| state.references.contains_key(&symbol));
        if is_known { reference.put(symbol) } else { Err(INVALID_TEXTURE) }
    }

    /// The bytes before the first element of the memory that a reference is bound to: none.
    fn cudaGetTextureAlignmentOffset(offset: Out<usize>, reference: usize) {
        let (_, place) = descriptor_of(reference)?;
        let base = state::device(|device| Ok(number(device.gpu.bytes(place + 16, 4), 0)))?;
        if base == 0 { Err(INVALID_BINDING) } else { offset.put(0) }
    }
}
