//! Fetches from textures, and loads and stores of surfaces. Both are descriptors in global memory that the program's host code
//! fills in.
//!
//! A filter takes the elements around a coordinate, as "Texture Fetching" in the CUDA C++ Programming Guide has it; its weights
//! are fractions of 256.

use crate::Refusal;
use crate::code::{Destination, Operation, Source};
use crate::control::Reader;
use crate::float::{HALF, Rounding, SINGLE, convert};
use crate::form::{Words, ty};
use reconverge_ptx::tree::{Kind, OperandKind};

/// The shape of a texture or surface, by its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// The axes that have coordinates.
    axes: usize,
    layered: bool,
    cube: bool,
    /// Elements of the vector of coordinates.
    operands: usize,
}

const SHAPES: [(&str, Shape); 7] = {
    const fn shape(axes: usize, layered: bool, cube: bool, operands: usize) -> Shape {
        Shape { axes, layered, cube, operands }
    }
    [
        ("1d", shape(1, false, false, 1)),
        ("2d", shape(2, false, false, 2)),
        ("3d", shape(3, false, false, 4)),
        ("a1d", shape(1, true, false, 2)),
        ("a2d", shape(2, true, false, 4)),
        ("cube", shape(2, false, true, 4)),
        ("acube", shape(2, true, true, 4)),
    ]
};

/// The operands that every instruction of this file has.
struct Place {
    handle: Source,
    coordinates: Vec<Source>,
    shape: Shape,
}

/// A `tex` or `tld4` instruction.
pub(crate) struct Fetch {
    /// The address of the descriptor.
    pub handle: Source,
    pub coordinates: Vec<Source>,
    pub results: Vec<Option<Destination>>,
    shape: Shape,
    /// The coordinate is an element's number.
    by_index: bool,
    /// The results are floats.
    is_float: bool,
    /// The channel of `tld4`.
    gathered: Option<usize>,
}

/// A `suld` or `sust` instruction.
pub(crate) struct Surface {
    /// The address of the descriptor.
    pub handle: Source,
    pub coordinates: Vec<Source>,
    /// Bytes of an element of the vector.
    pub bytes: u32,
    /// The destinations of a load.
    pub results: Vec<Option<Destination>>,
    /// The values of a store.
    pub sources: Vec<Source>,
    shape: Shape,
    outside: Outside,
}

/// The meaning of an access outside a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outside {
    Trap,
    Clamp,
    Zero,
}

/// `txq` and `suq`: the elements along an axis.
pub(crate) struct Size {
    /// The address of the descriptor.
    pub handle: Source,
    pub result: Option<Destination>,
    axis: usize,
}

/// The meaning of a coordinate outside a texture: `cudaTextureAddressMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Wrap,
    Clamp,
    Mirror,
    Border,
}

/// A descriptor.
struct Descriptor {
    normalized: bool,
    modes: [Mode; 3],
    base: u32,
    counts: [u32; 3],
    /// Bytes from one element to the next along each axis.
    steps: [u32; 3],
    bits: u32,
    kind: u32,
    fraction: u32,
    filtered: bool,
}

/// Reads a value of so many bytes at an address.
type Read<'r> = &'r mut dyn FnMut(u32, u32) -> Result<u64, String>;

fn place(reader: &Reader, words: &mut Words, at: usize) -> Result<Place, Refusal> {
    let shape = SHAPES.iter().find(|(word, _)| words.take(word));
    let Some(&(_, shape)) = shape else {
        return reader.refuse("a shape such as `.2d` is needed");
    };
    let OperandKind::Texture(items) = &reader.operand(at)?.kind else {
        return reader.refuse("the texture is missing");
    };
    let [texture, coordinates] = items.as_slice() else {
        return reader.refuse("the reference model has no samplers");
    };
    let resolver = reader.resolver;
    let given = resolver.elements(coordinates);
    if given.len() != shape.operands {
        return reader.refuse(format!("{} coordinates are needed", shape.operands));
    }
    let sources = given.iter().map(|it| resolver.source(it, ty("b32")));
    Ok(Place {
        handle: resolver.source(texture, ty("u64"))?,
        coordinates: sources.collect::<Result<_, _>>()?,
        shape,
    })
}

impl Size {
    /// Reads the operands of a `txq` or `suq` instruction.
    pub fn operation(reader: &Reader, words: &mut Words) -> Result<Operation, Refusal> {
        let Some(word) = words.one_of(&["width", "height", "depth"]) else {
            return reader.refuse("one of `.width`, `.height` and `.depth` is needed");
        };
        let axis = ["width", "height", "depth"].iter().position(|it| *it == word).unwrap_or(0);
        let of = words.ty().map_err(|message| fault(reader, message))?;
        reader.at_most(2)?;
        let OperandKind::Address(texture) = &reader.operand(1)?.kind else {
            return reader.refuse("the texture is missing");
        };
        let handle = reader.resolver.source(texture, ty("u64"))?;
        let result = reader.resolver.destination(reader.operand(0)?, of)?;
        Ok(Operation::TextureSize(Size { handle, result, axis }))
    }

    /// The elements.
    pub fn elements(&self, handle: u64, read: Read) -> Result<u64, String> {
        Ok(Descriptor::read(handle, read)?.counts[self.axis].into())
    }
}

fn fault(reader: &Reader, message: String) -> Refusal {
    Refusal { span: reader.instruction.span, message }
}

impl Surface {
    /// Reads the operands of a `suld` or `sust` instruction.
    pub fn operation(reader: &Reader, words: &mut Words, load: bool) -> Result<Operation, Refusal> {
        let Place { handle, coordinates, shape } = place(reader, words, usize::from(load))?;
        let outside = match words.one_of(&["trap", "clamp", "zero"]) {
            Some("trap") => Outside::Trap,
            Some("clamp") => Outside::Clamp,
            Some(_) => Outside::Zero,
            None => return reader.refuse("one of `.trap`, `.clamp` and `.zero` is needed"),
        };
        if !words.take("b") {
            return reader.refuse("the reference model has `.b` accesses of surfaces alone");
        }
        words.skip(|word| matches!(word, "ca" | "cg" | "cs" | "cv" | "wb" | "wt"));
        let count = match words.one_of(&["v2", "v4"]) {
            Some("v2") => 2,
            Some(_) => 4,
            None => 1,
        };
        let of = words.ty().map_err(|message| fault(reader, message))?;
        reader.at_most(2)?;
        let data = reader.resolver.elements(reader.operand(usize::from(!load))?);
        if data.len() != count {
            return reader.refuse(format!("{} operands for {count} elements", data.len()));
        }
        let (mut results, mut sources) = (Vec::new(), Vec::new());
        for item in &data {
            match load {
                true => results.push(reader.resolver.destination(item, of)?),
                false => sources.push(reader.resolver.source(item, of)?),
            }
        }
        let bytes = of.bytes();
        let surface = Surface { handle, coordinates, bytes, results, sources, shape, outside };
        Ok(Operation::Surface(Box::new(surface)))
    }

    /// The address of the first byte; `None` where nothing is accessed.
    pub fn address(
        &self,
        handle: u64,
        coordinates: &[u64],
        read: Read,
    ) -> Result<Option<u32>, String> {
        let found = Descriptor::read(handle, read)?;
        // A layer comes before the other coordinates.
        let order = if self.shape.layered { [2, 0, 1] } else { [0, 1, 2] };
        let count = self.shape.axes + usize::from(self.shape.layered);
        let places = order.into_iter().zip(coordinates).take(count);
        let size = self.bytes * self.results.len().max(self.sources.len()) as u32;
        let mut address = found.base;
        for (axis, &at) in places {
            let (at, count) = (at as u32 as i32, found.counts[axis]);
            let (last, step) = match axis {
                0 => (count.wrapping_mul(found.steps[0]).wrapping_sub(size) as i32, 1),
                _ => (count.wrapping_sub(1) as i32, found.steps[axis]),
            };
            if at < 0 || at > last {
                match self.outside {
                    Outside::Trap => return Err("an access outside a surface".to_owned()),
                    Outside::Zero => return Ok(None),
                    Outside::Clamp => {}
                }
            }
            let at = at.min(last).max(0) as u32;
            address = address.wrapping_add(at.wrapping_mul(step));
        }
        Ok(Some(address))
    }
}

impl Fetch {
    /// Reads the operands of a `tex` or `tld4` instruction.
    pub fn operation(
        reader: &Reader,
        words: &mut Words,
        gathers: bool,
    ) -> Result<Operation, Refusal> {
        let Place { handle, coordinates, shape } = place(reader, words, 1)?;
        let channels = ["r", "g", "b", "a"];
        let gathered = match gathers {
            true => words.one_of(&channels).and_then(|it| channels.iter().position(|c| *c == it)),
            false => None,
        };
        if gathers && gathered.is_none() {
            return reader.refuse("one of `.r`, `.g`, `.b` and `.a` is needed");
        }
        words.skip(|word| word == "v4");
        let of = words.ty().map_err(|message| fault(reader, message))?;
        let by = words.ty().map_err(|message| fault(reader, message))?;
        reader.at_most(2)?;
        let results = reader.resolver.elements(reader.operand(0)?);
        let results = results.iter().map(|it| reader.resolver.destination(it, of));
        Ok(Operation::Texture(Box::new(Fetch {
            handle,
            coordinates,
            results: results.collect::<Result<_, _>>()?,
            shape,
            by_index: by.kind != Kind::Float,
            is_float: of.kind == Kind::Float,
            gathered,
        })))
    }

    /// The four channels, or the four elements of a gathered one.
    pub fn channels(
        &self,
        handle: u64,
        coordinates: &[u64],
        read: Read,
    ) -> Result<[u64; 4], String> {
        let mut texture = Descriptor::read(handle, read)?;
        if self.by_index {
            let index = coordinates[0] as u32;
            let place = match index < texture.counts[0] {
                true => index,
                // An unbound texture has base 0: its element 0 is where nothing is mapped.
                false if texture.base == 0 => 0,
                false => return Ok([0; 4]),
            };
            let from = texture.base.wrapping_add(place.wrapping_mul(texture.steps[0]));
            return texture.texel(from, self.is_float, read);
        }
        let (layer, given) = match self.shape.layered {
            true => (coordinates[0] as u32, &coordinates[1..]),
            false => (0, coordinates),
        };
        let mut at: Vec<f32> = given.iter().map(|&it| f32::from_bits(it as u32)).collect();
        if self.shape.cube {
            let (face, s, t) = face([at[0], at[1], at[2]]);
            let cubes = (texture.counts[2] / 6).max(1);
            let cube = if self.shape.layered { layer.min(cubes - 1) } else { 0 };
            let slice = cube.wrapping_mul(6).wrapping_add(face);
            texture.base = texture.base.wrapping_add(slice.wrapping_mul(texture.steps[2]));
            texture.normalized = true;
            texture.modes = [Mode::Clamp; 3];
            at = vec![s, t];
        } else if self.shape.layered {
            let slice = layer.min(texture.counts[2].max(1) - 1);
            texture.base = texture.base.wrapping_add(slice.wrapping_mul(texture.steps[2]));
        }
        at.truncate(self.shape.axes);
        match self.gathered {
            Some(channel) => texture.gathered(&at, channel, self.is_float, read),
            None if texture.filtered && self.is_float => texture.weighted(&at, read),
            None => texture.nearest(&at, self.is_float, read),
        }
    }
}

impl Descriptor {
    fn read(handle: u64, read: Read) -> Result<Descriptor, String> {
        let handle = handle as u32;
        let mut word = |offset: u32| read(handle.wrapping_add(offset), 4).map(|it| it as u32);
        let mode = |word: u32| match word {
            0 => Mode::Wrap,
            2 => Mode::Mirror,
            3 => Mode::Border,
            _ => Mode::Clamp,
        };
        Ok(Descriptor {
            normalized: word(0)? != 0,
            modes: [mode(word(4)?), mode(word(8)?), mode(word(12)?)],
            base: word(16)?,
            counts: [word(24)?, word(28)?, word(56)?],
            steps: [word(36)?, word(32)?, word(60)?],
            bits: word(40)?,
            kind: word(44)?,
            fraction: word(48)?,
            filtered: word(52)? != 0,
        })
    }

    /// A coordinate in elements.
    fn in_elements(&self, axis: usize, at: f32) -> f32 {
        let count = self.counts[axis] as i32 as f32;
        match (self.normalized, self.modes[axis]) {
            (false, _) => at,
            (true, Mode::Wrap) => (at - at.floor()) * count,
            (true, Mode::Mirror) => {
                let (whole, rest) = (at.floor(), at - at.floor());
                (if whole as i32 % 2 != 0 { 1.0 - rest } else { rest }) * count
            }
            (true, _) => at * count,
        }
    }

    /// The element of a number; `None` if there is none.
    fn element(&self, axis: usize, number: i32) -> Option<u32> {
        let count = self.counts[axis] as i32;
        if self.modes[axis] == Mode::Border && count > 0 && !(0..count).contains(&number) {
            return None;
        }
        Some(number.min(count.wrapping_sub(1)).max(0) as u32)
    }

    /// The element at coordinates in a texture without a filter.
    fn nearest(&self, at: &[f32], is_float: bool, read: Read) -> Result<[u64; 4], String> {
        let mut from = self.base;
        for (axis, &at) in at.iter().enumerate() {
            let number = self.in_elements(axis, at).floor() as i32;
            match self.element(axis, number) {
                Some(place) => from = from.wrapping_add(place.wrapping_mul(self.steps[axis])),
                None => return Ok([0; 4]),
            }
        }
        self.texel(from, is_float, read)
    }

    /// The two elements around a coordinate, and the weight of the second in parts of 256.
    fn around(&self, axis: usize, at: f32) -> ([Option<u32>; 2], u32) {
        let middle = self.in_elements(axis, at) - 0.5;
        let first = middle.floor();
        let weight = ((middle - first) * 256.0).round_ties_even() as u32;
        let count = self.counts[axis] as i32;
        let wraps = self.normalized && self.modes[axis] == Mode::Wrap && count > 0;
        let first = first as i32;
        let elements = [first, first.wrapping_add(1)].map(|number| {
            self.element(axis, if wraps { number.rem_euclid(count) } else { number })
        });
        (elements, weight)
    }

    /// The first byte of a corner of the elements around coordinates; bit n of its number is the choice along axis n.
    fn corner(&self, around: &[([Option<u32>; 2], u32)], corner: usize) -> Option<u32> {
        let mut from = self.base;
        for (axis, (elements, _)) in around.iter().enumerate() {
            let place = elements[corner >> axis & 1]?;
            from = from.wrapping_add(place.wrapping_mul(self.steps[axis]));
        }
        Some(from)
    }

    /// The sum of the elements around coordinates by their weights.
    fn weighted(&self, at: &[f32], read: Read) -> Result<[u64; 4], String> {
        let around: Vec<_> =
            at.iter().enumerate().map(|(axis, &at)| self.around(axis, at)).collect();
        let mut sums = [0f32; 4];
        for corner in 0..1 << at.len() {
            // Three factors of 9 bits are exact.
            let mut weight = 1f32;
            for (axis, &(_, second)) in around.iter().enumerate() {
                let parts = if corner >> axis & 1 == 1 { second } else { 256 - second };
                weight *= parts as f32 / 256.0;
            }
            let values = match self.corner(&around, corner) {
                Some(from) if weight != 0.0 => self.texel(from, true, read)?,
                _ => [0; 4],
            };
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = weight.mul_add(f32::from_bits(value as u32), *sum);
            }
        }
        Ok(sums.map(|sum| if sum.is_nan() { SINGLE.nan() } else { sum.to_bits().into() }))
    }

    /// A channel of the four elements around coordinates.
    fn gathered(
        &self,
        at: &[f32],
        channel: usize,
        is_float: bool,
        read: Read,
    ) -> Result<[u64; 4], String> {
        let around: Vec<_> =
            at.iter().enumerate().map(|(axis, &at)| self.around(axis, at)).collect();
        let mut found = [0; 4];
        for (value, corner) in found.iter_mut().zip([2, 3, 1, 0]) {
            if let Some(from) = self.corner(&around, corner) {
                *value = self.texel(from, is_float, read)?[channel];
            }
        }
        Ok(found)
    }

    /// The four channels of the element at an address.
    fn texel(&self, from: u32, is_float: bool, read: Read) -> Result<[u64; 4], String> {
        let each = if matches!(self.bits, 8 | 16) { self.bits / 8 } else { 4 };
        let mut found = [0; 4];
        for (channel, value) in (0u32..).zip(&mut found) {
            if channel > 0 && channel * each >= self.steps[0] {
                break;
            }
            let raw = read(from.wrapping_add(channel * each), each)? as u32;
            *value = self.converted(raw, each, is_float);
        }
        Ok(found)
    }

    /// A channel as a fetch returns it.
    fn converted(&self, raw: u32, each: u32, is_float: bool) -> u64 {
        let is_signed = self.kind == 0;
        let extended = match (is_signed, each) {
            (true, 1) => i32::from(raw as i8),
            (true, 2) => i32::from(raw as i16),
            _ => raw as i32,
        };
        if is_float && self.fraction != 0 {
            return as_fraction(extended, self.fraction, is_signed).to_bits().into();
        }
        match is_float && self.kind == 2 && each == 2 {
            true => convert(raw.into(), HALF, SINGLE, Rounding::Nearest),
            false => u64::from(extended as u32),
        }
    }
}

/// The face of a cube to which a vector points, and the coordinates there, from 0 to 1.
fn face([x, y, z]: [f32; 3]) -> (u32, f32, f32) {
    let (face, size, s, t) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
        match z < 0.0 {
            false => (4, z.abs(), x, -y),
            true => (5, z.abs(), -x, -y),
        }
    } else if y.abs() >= x.abs() {
        match y < 0.0 {
            false => (2, y.abs(), x, z),
            true => (3, y.abs(), x, -z),
        }
    } else {
        match x < 0.0 {
            false => (0, x.abs(), -z, -y),
            true => (1, x.abs(), z, -y),
        }
    };
    (face, (s / size + 1.0) * 0.5, (t / size + 1.0) * 0.5)
}

/// A channel as a number from 0, or -1, to 1.
fn as_fraction(value: i32, bits: u32, is_signed: bool) -> f32 {
    let most = match (bits, is_signed) {
        (8, false) => 255.0,
        (8, true) => 127.0,
        (_, false) => 65535.0,
        (_, true) => 32767.0,
    };
    (value as f32 / most).max(-1.0)
}
