//! Fetches from textures. A texture is a descriptor in global memory that the program's host code fills in.

use crate::Refusal;
use crate::code::{Destination, Operation, Source};
use crate::control::Reader;
use crate::form::{Words, ty};
use reconverge_ptx::tree::{Kind, OperandKind};

/// A `tex` instruction.
pub(crate) struct Fetch {
    /// The address of the descriptor.
    pub handle: Source,
    pub coordinates: Vec<Source>,
    /// The coordinate is an element's number.
    pub by_index: bool,
    /// The results are floats.
    pub is_float: bool,
    pub results: Vec<Option<Destination>>,
}

/// The meaning of a coordinate outside a texture: `cudaTextureAddressMode`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Wrap,
    Clamp,
    Mirror,
    Border,
}

impl Fetch {
    /// Reads the operands of a `tex` instruction.
    pub fn operation(reader: &Reader, words: &mut Words) -> Result<Operation, Refusal> {
        let dimensions = match words.one_of(&["1d", "2d"]) {
            Some("1d") => 1,
            Some(_) => 2,
            None => return reader.refuse("one of `.1d` and `.2d` is needed"),
        };
        let fault = |message| Refusal { span: reader.instruction.span, message };
        words.skip(|word| word == "v4");
        let (of, by) = (words.ty().map_err(fault)?, words.ty().map_err(fault)?);
        reader.at_most(2)?;
        let OperandKind::Texture(items) = &reader.operand(1)?.kind else {
            return reader.refuse("the texture is missing");
        };
        let [texture, coordinates] = items.as_slice() else {
            return reader.refuse("the reference model has no samplers");
        };
        let resolver = reader.resolver;
        let sources = resolver.elements(coordinates);
        if sources.len() != dimensions {
            return reader.refuse(format!("{dimensions} coordinates are needed"));
        }
        let sources = sources.iter().map(|it| resolver.source(it, by));
        let results = resolver.elements(reader.operand(0)?);
        let results = results.iter().map(|it| resolver.destination(it, of));
        Ok(Operation::Texture(Box::new(Fetch {
            handle: resolver.source(texture, ty("u64"))?,
            coordinates: sources.collect::<Result<_, _>>()?,
            by_index: by.kind != Kind::Float,
            is_float: of.kind == Kind::Float,
            results: results.collect::<Result<_, _>>()?,
        })))
    }

    /// The four channels. `read` gives a value of so many bytes at an address.
    pub fn channels(
        &self,
        handle: u64,
        coordinates: &[u64],
        mut read: impl FnMut(u32, u32) -> Result<u64, String>,
    ) -> Result<[u64; 4], String> {
        let handle = handle as u32;
        let mut word = |offset: u32| read(handle.wrapping_add(offset), 4).map(|it| it as u32);
        let normalized = word(0)? != 0;
        let base = word(16)?;
        let sizes = [word(24)?, word(28)?];
        let (pitch, bytes, bits, kind, fraction) =
            (word(32)?, word(36)?, word(40)?, word(44)?, word(48)?);
        let mut places = [0; 2];
        for (axis, &coordinate) in coordinates.iter().enumerate() {
            let size = sizes[axis];
            let found = if self.by_index {
                let index = coordinate as u32;
                match index < size {
                    true => Some(index),
                    // An unbound texture has base 0: its element 0 is where nothing is mapped.
                    false => (base == 0).then_some(0),
                }
            } else {
                let mode = match word(4 + 4 * axis as u32)? {
                    0 => Mode::Wrap,
                    2 => Mode::Mirror,
                    3 => Mode::Border,
                    _ => Mode::Clamp,
                };
                element(f32::from_bits(coordinate as u32), size as i32, normalized, mode)
            };
            match found {
                Some(place) => places[axis] = place,
                None => return Ok([0; 4]),
            }
        }
        let row = places[1].wrapping_mul(pitch);
        let from = base.wrapping_add(row).wrapping_add(places[0].wrapping_mul(bytes));
        let each = if matches!(bits, 8 | 16) { bits / 8 } else { 4 };
        let mut found = [0; 4];
        for (channel, value) in (0u32..).zip(&mut found) {
            if channel > 0 && channel * each >= bytes {
                break;
            }
            let raw = read(from.wrapping_add(channel * each), each)? as u32;
            let is_signed = kind == 0;
            let extended = match (is_signed, each) {
                (true, 1) => i32::from(raw as i8),
                (true, 2) => i32::from(raw as i16),
                _ => raw as i32,
            };
            *value = u64::from(match self.is_float && fraction != 0 {
                true => as_fraction(extended, fraction, is_signed).to_bits(),
                false => extended as u32,
            });
        }
        Ok(found)
    }
}

/// The element at a coordinate; `None` if there is none.
fn element(at: f32, count: i32, normalized: bool, mode: Mode) -> Option<u32> {
    let at = match (normalized, mode) {
        (false, _) => at,
        (true, Mode::Wrap) => (at - at.floor()) * count as f32,
        (true, Mode::Mirror) => {
            let (whole, rest) = (at.floor(), at - at.floor());
            (if whole as i32 % 2 != 0 { 1.0 - rest } else { rest }) * count as f32
        }
        (true, _) => at * count as f32,
    };
    let place = at.floor() as i32;
    if mode == Mode::Border && count > 0 && !(0..count).contains(&place) {
        return None;
    }
    Some(place.min(count.wrapping_sub(1)).max(0) as u32)
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
