//! CUDA arrays, textures and surfaces.
//!
//! An array has its rows one behind the other in memory of the device, and so its slices, layers and faces. A texture or surface
//! object is the address of a descriptor there, which fetches read (`compiler/src/ptx/texture.rs`).

use super::launch::issue;
use super::memory::Extent;
use crate::abi::{Host, In, Out, runtime};
use crate::copy::{Copy, Side};
use crate::device::Device;
use crate::error::{
    INVALID_CHANNEL, INVALID_RESOURCE_HANDLE, INVALID_VALUE, MEMORY_ALLOCATION, NOT_SUPPORTED,
    Outcome,
};
use crate::graph::Operation;
use crate::state;

/// `cudaArrayLayered`, `cudaArraySurfaceLoadStore`, `cudaArrayCubemap`, `cudaArrayTextureGather`.
const LAYERED: u32 = 1;
const FOR_SURFACES: u32 = 2;
const CUBE: u32 = 4;
const GATHER: u32 = 8;
/// The faces of a cube.
const FACES: usize = 6;
/// `cudaChannelFormatKind`: the last of signed, unsigned and floating point.
const FLOAT: i32 = 2;
/// `cudaResourceType`.
const ARRAY: i32 = 0;
const LINEAR: i32 = 2;
const PITCHED: i32 = 3;
/// `cudaReadModeNormalizedFloat`.
const AS_FRACTION: i32 = 1;
/// Bytes of a descriptor.
pub const DESCRIPTOR: usize = 64;
/// `cudaErrorInvalidFilterSetting`: whole numbers are not filtered.
const INVALID_FILTER: i32 = 26;
/// Bytes of a `cudaTextureDesc`, in the form of CUDA 11 and later, and of a `cudaResourceDesc`.
const TEXTURE_DESC: usize = 72;
const RESOURCE_DESC: usize = 64;

/// `cudaChannelFormatDesc`: the bits of each channel, and their kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Format {
    bits: [i32; 4],
    kind: i32,
}

impl Format {
    /// Bytes of an element.
    ///
    /// # Errors
    /// It is not 1, 2 or 4 channels of the same 8, 16 or 32 bits.
    pub fn bytes(self) -> Outcome<usize> {
        let channels = self.bits.iter().take_while(|&&bits| bits != 0).count();
        let is_even = self.bits[..channels].iter().all(|&bits| bits == self.bits[0]);
        let is_known = matches!(self.bits[0], 8 | 16 | 32) && (0..=FLOAT).contains(&self.kind);
        match is_even && is_known && matches!(channels, 1 | 2 | 4) {
            true => Ok(channels * self.bits[0] as usize / 8),
            false => Err(INVALID_CHANNEL),
        }
    }
}

impl Format {
    /// Bits of a channel that is read as a fraction, 0 if it is not.
    ///
    /// # Errors
    /// Numbers of 32 bits are not read so.
    pub fn fraction(self, is_fraction: bool) -> Outcome<i32> {
        match (is_fraction && self.kind != FLOAT, self.bits[0]) {
            (true, 32) => Err(INVALID_VALUE),
            (true, bits) => Ok(bits),
            (false, _) => Ok(0),
        }
    }
}

/// A CUDA array.
#[derive(Clone, Copy, Debug)]
pub struct Array {
    start: u32,
    /// Elements of a row.
    width: usize,
    /// Rows, 0 for an array of one dimension.
    height: usize,
    /// Slices, layers or faces, 0 for an array without any.
    depth: usize,
    format: Format,
    /// Bytes of an element.
    bytes: usize,
    flags: u32,
}

impl Array {
    /// Returns true if its memory starts at an address.
    pub fn starts_at(&self, address: u32) -> bool {
        self.start == address
    }

    /// The format of elements.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The array as the memory of a texture or surface.
    pub fn resource(&self) -> Resource {
        Resource {
            start: self.start as usize,
            width: self.width,
            height: self.rows(),
            pitch: self.row(),
            depth: self.slices(),
            slice: self.slice(),
            format: self.format,
        }
    }

    /// Bytes of a row.
    fn row(&self) -> usize {
        self.width * self.bytes
    }

    fn rows(&self) -> usize {
        self.height.max(1)
    }

    fn slices(&self) -> usize {
        self.depth.max(1)
    }

    /// Bytes of a slice.
    fn slice(&self) -> usize {
        self.row() * self.rows()
    }

    /// The place of a byte of a row of the first slice.
    fn side(&self, x: usize, y: usize) -> Side {
        let start = self.start as usize + y * self.row() + x;
        Side { start, pitch: self.row(), slice: self.slice() }
    }

    /// Checks that a rectangle lies inside, its width in bytes.
    fn check(&self, x: usize, y: usize, width: usize, height: usize) -> Outcome {
        let ends = x.checked_add(width).zip(y.checked_add(height));
        match ends.is_some_and(|(x, y)| x <= self.row() && y <= self.rows()) {
            true => Ok(()),
            false => Err(INVALID_VALUE),
        }
    }

    /// Checks that bytes that go on from row to row lie inside.
    fn check_line(&self, x: usize, y: usize, count: usize) -> Outcome {
        let start = y.checked_mul(self.row()).and_then(|it| it.checked_add(x));
        let end = start.and_then(|it| it.checked_add(count));
        let all = self.row() * self.rows();
        let is_inside = x < self.row() && y < self.rows() && end.is_some_and(|it| it <= all);
        if is_inside { Ok(()) } else { Err(INVALID_VALUE) }
    }
}

/// A texture or surface object, with the descriptions that it was made of.
#[derive(Clone, Debug)]
pub struct Object {
    resource: Vec<u8>,
    texture: Option<Vec<u8>>,
}

/// The array of a handle.
///
/// # Errors
/// There is none.
pub fn array(handle: usize) -> Outcome<Array> {
    state::device(|device| device.arrays.get(&handle).copied().ok_or(INVALID_RESOURCE_HANDLE))
}

/// The side of a copy that is an array, from an element on; the width is in elements, and the result's in bytes.
///
/// # Errors
/// There is no such array, or the rectangle is not inside.
pub fn side_of(handle: usize, position: Extent, extent: Extent) -> Outcome<(Side, usize)> {
    let array = array(handle)?;
    let last = position.depth.checked_add(extent.depth);
    if last.is_none_or(|last| last > array.slices()) {
        return Err(INVALID_VALUE);
    }
    let bytes = |elements: usize| elements.checked_mul(array.bytes).ok_or(INVALID_VALUE);
    let (x, width) = (bytes(position.width)?, bytes(extent.width)?);
    array.check(x, position.height, width, extent.height)?;
    let mut side = array.side(x, position.height);
    side.start += position.depth * side.slice;
    Ok((side, array.bytes))
}

/// Reports what is not modelled.
///
/// # Errors
/// Always.
pub fn refuse<T>(what: &str) -> Outcome<T> {
    state::say_once(what, &format!("{what} are not modelled: `cudaErrorNotSupported`"));
    Err(NOT_SUPPORTED)
}

/// Checks that an array of this extent exists.
fn check_extent(extent: Extent, flags: u32) -> Outcome {
    let Extent { width, height, depth } = extent;
    let has = |flag: u32| flags & flag != 0;
    let is_known = match (has(CUBE), has(LAYERED)) {
        (true, false) => width == height && depth == FACES,
        (true, true) => width == height && depth != 0 && depth.is_multiple_of(FACES),
        (false, true) => depth != 0,
        (false, false) => depth == 0 || height != 0,
    };
    let can_gather = height != 0 && (depth == 0 || has(LAYERED | CUBE));
    match width != 0 && is_known && (can_gather || !has(GATHER)) {
        true => Ok(()),
        false => Err(INVALID_VALUE),
    }
}

fn allocate(place: Out<usize>, format: In<Format>, extent: Extent, flags: u32) -> Outcome {
    if flags & !(LAYERED | FOR_SURFACES | CUBE | GATHER) != 0 {
        return refuse("sparse arrays, and arrays for colours or for deferred mapping");
    }
    let (format, Extent { width, height, depth }) = (format.get()?, extent);
    let bytes = format.bytes()?;
    if place.is_null() {
        return Err(INVALID_VALUE);
    }
    check_extent(extent, flags)?;
    let size = [height.max(1), depth.max(1), bytes];
    let size = size.iter().try_fold(width, |size, &count| size.checked_mul(count));
    let size = size.ok_or(MEMORY_ALLOCATION)?;
    let handle = state::device(|device| {
        let start = device.allocate(size as u64)?;
        let handle = device.streams.handle();
        let array = Array { start, width, height, depth, format, bytes, flags };
        device.arrays.insert(handle, array);
        Ok(handle)
    })?;
    place.put(handle)
}

/// Reads a number of a description.
pub fn number(bytes: &[u8], at: usize) -> i32 {
    let bytes = bytes.get(at..at + 4).and_then(|it| it.try_into().ok());
    bytes.map_or(0, i32::from_le_bytes)
}

fn size(bytes: &[u8], at: usize) -> usize {
    let bytes = bytes.get(at..at + 8).and_then(|it| it.try_into().ok());
    bytes.map_or(0, usize::from_le_bytes)
}

fn format(bytes: &[u8], at: usize) -> Format {
    let bits = [0, 4, 8, 12].map(|offset| number(bytes, at + offset));
    Format { bits, kind: number(bytes, at + 16) }
}

/// The memory of a texture or surface.
pub struct Resource {
    /// The address.
    pub start: usize,
    /// Elements of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Bytes from row to row.
    pub pitch: usize,
    /// Slices, layers or faces.
    pub depth: usize,
    /// Bytes of one.
    pub slice: usize,
    /// The format of elements.
    pub format: Format,
}

/// The properties of a texture beside its memory.
#[derive(Clone, Copy, Default)]
pub struct Sampling {
    /// Coordinates go from 0 to 1.
    pub normalized: i32,
    /// `cudaTextureAddressMode` along each axis.
    pub modes: [i32; 3],
    /// Bits of the numbers that are read as fractions, or 0.
    pub fraction: i32,
    /// `cudaTextureFilterMode`.
    pub filter: i32,
}

impl Resource {
    /// Reads a `cudaResourceDesc`.
    fn read(device: &mut Device, bytes: &[u8]) -> Outcome<Resource> {
        let found = match number(bytes, 0) {
            ARRAY => {
                let array = device.arrays.get(&size(bytes, 8)).ok_or(INVALID_RESOURCE_HANDLE)?;
                array.resource()
            }
            LINEAR => {
                let format = format(bytes, 16);
                let width = size(bytes, 40) / format.bytes()?;
                let start = size(bytes, 8);
                Resource { start, width, height: 1, pitch: 0, depth: 1, slice: 0, format }
            }
            PITCHED => Resource {
                start: size(bytes, 8),
                width: size(bytes, 40),
                height: size(bytes, 48),
                pitch: size(bytes, 56),
                depth: 1,
                slice: 0,
                format: format(bytes, 16),
            },
            _ => return Err(INVALID_VALUE),
        };
        found.checked(device)
    }

    /// The memory, if it is the device's, and as large as a descriptor can say.
    ///
    /// # Errors
    /// It is not.
    pub fn checked(self, device: &mut Device) -> Outcome<Resource> {
        let is_ours =
            device.device_address(self.start).is_some() || device.managed.at(self.start).is_some();
        let sizes = [self.width, self.height, self.pitch, self.depth, self.slice];
        let fits = sizes.iter().all(|&it| it < 1 << 32);
        if is_ours && fits { Ok(self) } else { Err(INVALID_VALUE) }
    }

    /// The descriptor.
    ///
    /// # Errors
    /// Whole numbers are to be filtered.
    pub fn descriptor(&self, sampling: Sampling) -> Outcome<Vec<u8>> {
        let [width, height, pitch, depth, slice] =
            [self.width, self.height, self.pitch, self.depth, self.slice]
                .map(|it| it as u32 as i32);
        let Sampling { normalized, modes, fraction, filter } = sampling;
        if filter != 0 && fraction == 0 && self.format.kind != FLOAT {
            return Err(INVALID_FILTER);
        }
        let words = [normalized, modes[0], modes[1], modes[2]];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend((self.start as u64).to_le_bytes());
        let each = self.format.bytes()? as i32;
        let Format { bits, kind } = self.format;
        let words = [width, height, pitch, each, bits[0], kind, fraction, filter, depth, slice];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        Ok(bytes)
    }
}

/// Writes a descriptor to memory of the device.
///
/// # Errors
/// There is no such memory.
pub fn put(device: &mut Device, address: u32, descriptor: &[u8]) -> Outcome {
    let memory = device.gpu.memory();
    let length = descriptor.len();
    let place = memory.device_slice(address, length as u64).ok_or(MEMORY_ALLOCATION)?;
    place.copy_from_slice(descriptor);
    memory.set_written(address, length as u32, true);
    device.gpu.wrote(address, length as u64);
    Ok(())
}

/// Makes an object of a descriptor.
fn make(device: &mut Device, descriptor: &[u8], object: Object) -> Outcome<u64> {
    let address = device.allocate(DESCRIPTOR as u64)?;
    put(device, address, descriptor)?;
    device.objects.insert(address, object);
    Ok(address.into())
}

fn make_texture(resource: &[u8], texture: &[u8]) -> Outcome<u64> {
    let modes = [0, 4, 8].map(|at| number(texture, at));
    let (filter, read, srgb) = (number(texture, 12), number(texture, 16), number(texture, 20));
    let (border, normalized) = (&texture[24..40], number(texture, 40));
    if srgb != 0 {
        return refuse("textures with colours of sRGB");
    }
    if border.chunks(4).any(|colour| number(colour, 0) << 1 != 0) {
        return refuse("textures with borders of another colour than zero");
    }
    if number(texture, 68) != 0 {
        return refuse("cubes without seams");
    }
    state::device(|device| {
        let found = Resource::read(device, resource)?;
        let fraction = found.format.fraction(read == AS_FRACTION)?;
        // An index is never filtered.
        let filter = if number(resource, 0) == LINEAR { 0 } else { filter };
        let descriptor = found.descriptor(Sampling { normalized, modes, fraction, filter })?;
        let object = Object { resource: resource.to_vec(), texture: Some(texture.to_vec()) };
        make(device, &descriptor, object)
    })
}

fn destroy(object: u64, is_texture: bool) -> Outcome {
    state::device(|device| {
        let address = u32::try_from(object).map_err(|_| INVALID_VALUE)?;
        let known = device.objects.get(&address).ok_or(INVALID_VALUE)?;
        if known.texture.is_some() != is_texture {
            return Err(INVALID_VALUE);
        }
        device.objects.remove(&address);
        device.free(object)
    })
}

/// Returns a description that an object was made of.
fn describe(place: Host, object: u64, part: impl Fn(&Object) -> Option<&[u8]>) -> Outcome {
    state::device(|device| {
        let address = u32::try_from(object).map_err(|_| INVALID_VALUE)?;
        let known = device.objects.get(&address).and_then(part).ok_or(INVALID_VALUE)?;
        place.write(known.len())?.copy_from_slice(known);
        Ok(())
    })
}

fn rows(to: Side, from: Side, width: usize, height: usize, kind: i32) -> Operation {
    Operation::Copy(Copy { to, from, width, height, depth: 1, kind })
}

fn linear(start: usize, pitch: usize) -> Side {
    Side { start, pitch, slice: 0 }
}

fn to_array(
    to: usize,
    x: usize,
    y: usize,
    from: usize,
    count: usize,
    kind: i32,
) -> Outcome<Operation> {
    let array = array(to)?;
    array.check_line(x, y, count)?;
    Ok(Operation::Copy(Copy::line(array.side(x, y).start, from, count, kind)))
}

fn from_array(
    to: usize,
    from: usize,
    x: usize,
    y: usize,
    count: usize,
    kind: i32,
) -> Outcome<Operation> {
    let array = array(from)?;
    array.check_line(x, y, count)?;
    Ok(Operation::Copy(Copy::line(to, array.side(x, y).start, count, kind)))
}

/// A rectangle of an array: its first byte and row, the bytes of a row, and the rows.
#[derive(Clone, Copy)]
struct Rectangle {
    array: usize,
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Rectangle {
    fn side(self) -> Outcome<Side> {
        let array = array(self.array)?;
        array.check(self.x, self.y, self.width, self.height)?;
        Ok(array.side(self.x, self.y))
    }
}

runtime! {
    /// The format of elements.
    fn cudaGetChannelDesc(place: Out<Format>, handle: usize) {
        place.put(array(handle)?.format)
    }

    /// Allocates an array.
    fn cudaMallocArray(place: Out<usize>, format: In<Format>, width: usize, height: usize, flags: u32) {
        allocate(place, format, Extent { width, height, depth: 0 }, flags)
    }

    /// Allocates an array, also of three dimensions, of layers or of the faces of cubes.
    fn cudaMalloc3DArray(place: Out<usize>, format: In<Format>, extent: Extent, flags: u32) {
        allocate(place, format, extent, flags)
    }

    /// Frees an array; a null pointer is nothing to free.
    fn cudaFreeArray(handle: usize) {
        if handle == 0 {
            return Ok(());
        }
        state::device(|device| {
            let array = device.arrays.remove(&handle).ok_or(INVALID_RESOURCE_HANDLE)?;
            device.free(array.start.into())
        })
    }

    /// The format, extent and flags of an array.
    fn cudaArrayGetInfo(format: Out<Format>, extent: Out<Extent>, flags: Out<u32>, handle: usize) {
        let array = array(handle)?;
        format.offer(array.format);
        extent.offer(Extent { width: array.width, height: array.height, depth: array.depth });
        flags.offer(array.flags);
        Ok(())
    }

    /// Copies bytes to an array.
    fn cudaMemcpyToArray(to: usize, x: usize, y: usize, from: usize, count: usize, kind: i32) {
        issue(0, to_array(to, x, y, from, count, kind)?)
    }

    /// Copies bytes to an array in a stream.
    fn cudaMemcpyToArrayAsync(
        to: usize, x: usize, y: usize, from: usize, count: usize, kind: i32, stream: usize,
    ) {
        issue(stream, to_array(to, x, y, from, count, kind)?)
    }

    /// Copies bytes from an array.
    fn cudaMemcpyFromArray(to: usize, from: usize, x: usize, y: usize, count: usize, kind: i32) {
        issue(0, from_array(to, from, x, y, count, kind)?)
    }

    /// Copies bytes from an array in a stream.
    fn cudaMemcpyFromArrayAsync(
        to: usize, from: usize, x: usize, y: usize, count: usize, kind: i32, stream: usize,
    ) {
        issue(stream, from_array(to, from, x, y, count, kind)?)
    }

    /// Copies rows to an array.
    fn cudaMemcpy2DToArray(
        array: usize, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: i32,
    ) {
        let to = Rectangle { array, x, y, width, height }.side()?;
        issue(0, rows(to, linear(from, pitch), width, height, kind))
    }

    /// Copies rows to an array in a stream.
    fn cudaMemcpy2DToArrayAsync(
        array: usize, x: usize, y: usize, from: usize, pitch: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        let to = Rectangle { array, x, y, width, height }.side()?;
        issue(stream, rows(to, linear(from, pitch), width, height, kind))
    }

    /// Copies rows from an array.
    fn cudaMemcpy2DFromArray(
        to: usize, pitch: usize, array: usize, x: usize, y: usize, width: usize, height: usize, kind: i32,
    ) {
        let from = Rectangle { array, x, y, width, height }.side()?;
        issue(0, rows(linear(to, pitch), from, width, height, kind))
    }

    /// Copies rows from an array in a stream.
    fn cudaMemcpy2DFromArrayAsync(
        to: usize, pitch: usize, array: usize, x: usize, y: usize, width: usize, height: usize, kind: i32,
        stream: usize,
    ) {
        let from = Rectangle { array, x, y, width, height }.side()?;
        issue(stream, rows(linear(to, pitch), from, width, height, kind))
    }

    /// Copies rows from an array to another one.
    fn cudaMemcpy2DArrayToArray(
        to: usize, to_x: usize, to_y: usize, from: usize, from_x: usize, from_y: usize, width: usize,
        height: usize, kind: i32,
    ) {
        let to = Rectangle { array: to, x: to_x, y: to_y, width, height }.side()?;
        let from = Rectangle { array: from, x: from_x, y: from_y, width, height }.side()?;
        issue(0, rows(to, from, width, height, kind))
    }

    /// Makes a texture of an array or of linear memory.
    fn cudaCreateTextureObject(place: Out<u64>, resource: Host, texture: Host, view: usize) {
        if view != 0 {
            return refuse("views of resources");
        }
        if place.is_null() {
            return Err(INVALID_VALUE);
        }
        place.put(make_texture(resource.read(RESOURCE_DESC)?, texture.read(TEXTURE_DESC)?)?)
    }

    /// Ends a texture.
    fn cudaDestroyTextureObject(object: u64) {
        destroy(object, true)
    }

    /// The description of a texture's memory.
    fn cudaGetTextureObjectResourceDesc(place: Host, object: u64) {
        describe(place, object, |it| it.texture.as_ref().map(|_| it.resource.as_slice()))
    }

    /// The description of a texture.
    fn cudaGetTextureObjectTextureDesc(place: Host, object: u64) {
        describe(place, object, |it| it.texture.as_deref())
    }

    /// Makes a surface of an array.
    fn cudaCreateSurfaceObject(place: Out<u64>, resource: Host) {
        let resource = resource.read(RESOURCE_DESC)?;
        if place.is_null() || number(resource, 0) != ARRAY {
            return Err(INVALID_VALUE);
        }
        place.put(state::device(|device| {
            let descriptor = Resource::read(device, resource)?.descriptor(Sampling::default())?;
            make(device, &descriptor, Object { resource: resource.to_vec(), texture: None })
        })?)
    }

    /// Ends a surface.
    fn cudaDestroySurfaceObject(object: u64) {
        destroy(object, false)
    }

    /// The description of a surface's memory.
    fn cudaGetSurfaceObjectResourceDesc(place: Host, object: u64) {
        describe(place, object, |it| it.texture.is_none().then_some(it.resource.as_slice()))
    }
}

/// The format of an element; a function that returns a structure, so without an error code.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
extern "C" fn cudaCreateChannelDesc(x: i32, y: i32, z: i32, w: i32, kind: i32) -> Format {
    Format { bits: [x, y, z, w], kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_have_even_channels() {
        let format = |bits, kind| Format { bits, kind };
        assert_eq!(format([8, 8, 8, 8], 1).bytes(), Ok(4));
        assert_eq!(format([32, 32, 0, 0], FLOAT).bytes(), Ok(8));
        for (bits, kind) in [([32; 4], 3), ([8, 8, 8, 0], 1), ([8, 16, 0, 0], 1), ([0; 4], 0)] {
            assert_eq!(format(bits, kind).bytes(), Err(INVALID_CHANNEL), "{bits:?}");
        }
    }

    #[test]
    fn extents_go_with_flags() {
        let check = |width, height, depth, flags| {
            check_extent(Extent { width, height, depth }, flags).is_ok()
        };
        for (width, height, depth, flags) in [
            (8, 0, 0, 0),
            (8, 4, 0, GATHER),
            (8, 4, 3, 0),
            (8, 0, 3, LAYERED),
            (8, 8, 6, CUBE),
            (8, 8, 12, CUBE | LAYERED),
        ] {
            assert!(check(width, height, depth, flags), "{width} {height} {depth} {flags}");
        }
        for (width, height, depth, flags) in [
            (0, 4, 0, 0),
            (8, 0, 3, 0),
            (8, 4, 0, LAYERED),
            (8, 4, 6, CUBE),
            (8, 8, 12, CUBE),
            (8, 8, 7, CUBE | LAYERED),
            (8, 0, 0, GATHER),
        ] {
            assert!(!check(width, height, depth, flags), "{width} {height} {depth} {flags}");
        }
    }

    #[test]
    fn rectangles_lie_inside() {
        let format = Format { bits: [32, 0, 0, 0], kind: FLOAT };
        let array = Array { start: 64, width: 8, height: 4, depth: 0, format, bytes: 4, flags: 0 };
        assert_eq!(array.check(0, 0, 32, 4), Ok(()));
        assert_eq!(array.check(4, 0, 32, 1), Err(INVALID_VALUE));
        assert_eq!(array.check(usize::MAX, 0, 32, 1), Err(INVALID_VALUE));
        assert_eq!(array.check_line(28, 2, 36), Ok(()));
        assert_eq!(array.check_line(28, 2, 37), Err(INVALID_VALUE));
        assert_eq!(array.side(4, 2).start, 64 + 2 * 32 + 4);
    }
}
