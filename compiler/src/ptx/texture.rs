//! Fetches from textures: loads of a texture's descriptor, arithmetic of coordinates, and loads of an element's channels, as
//! CUDA's fetches in `syntax/preprocessor/textures.h` are.

use super::kernel::{Ins, Kernel, Symbol};
use super::operand::{B32, B64};
use super::{Refused, Result};
use crate::ir::{self, Access, Value};
use reconverge_isa::{Op, Space, Width};
use reconverge_ptx::tree::{Kind, Operand, OperandKind};

/// Offsets in a texture's descriptor, the structures `__texture_reference` and `__texture_object` of `textures.h`.
mod offset {
    pub const NORMALIZED: u32 = 0;
    pub const MODES: [u32; 2] = [4, 8];
    pub const BASE: u32 = 16;
    pub const COUNTS: [u32; 2] = [24, 28];
    pub const PITCH: u32 = 32;
    pub const BYTES: u32 = 36;
    pub const CHANNEL_BITS: u32 = 40;
    pub const CHANNEL_KIND: u32 = 44;
    pub const FRACTION_BITS: u32 = 48;
}

/// `cudaTextureAddressMode`.
const WRAP: u32 = 0;
const MIRROR: u32 = 2;
const BORDER: u32 = 3;
/// `cudaChannelFormatKindSigned`.
const SIGNED: u32 = 0;

/// The widths of a channel, with the access that reads one. A texture that is not bound has none of the first two.
const WIDTHS: [(u32, Width); 3] = [(8, Width::U8), (16, Width::U16), (32, Width::B32)];

/// An element of a texture.
struct Element {
    /// Its column, or row.
    place: Value,
    /// There is none at the coordinate.
    is_missing: Value,
}

impl Kernel<'_, '_> {
    /// `tex`.
    pub fn texture(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let OperandKind::Texture(operands) = &ins.operand(1)?.kind else {
            return Err(ins.refused("has no texture"));
        };
        let (Some(texture), Some(coordinates)) = (operands.first(), operands.get(1)) else {
            return Err(ins.refused("has no coordinates"));
        };
        let descriptor = self.descriptor(texture)?;
        let base = self.field(descriptor, offset::BASE);
        let given = match &coordinates.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let mut elements = Vec::new();
        for (axis, operand) in given.iter().take(offset::COUNTS.len()).enumerate() {
            let at = self.value(operand, B32)?;
            elements.push(match ins.types.second.is_some_and(|ty| ty.kind == Kind::Float) {
                true => self.element_at(descriptor, axis, at),
                false => self.element_of_index(descriptor, base, at),
            });
        }
        let mut from = base;
        let mut is_there = self.builder.constant(ir::Type::Pred, 1);
        for (axis, element) in elements.iter().enumerate() {
            let step = [offset::BYTES, offset::PITCH][axis];
            let step = self.field(descriptor, step);
            from = self.builder.compute(Op::Mad, &[element.place, step, from]);
            let here = self.not(element.is_missing);
            is_there = self.builder.compute(Op::AndPred, &[is_there, here]);
        }
        let mut channels = self.channels(descriptor, from, is_there);
        if ty.kind == Kind::Float {
            channels = self.fractions(descriptor, channels);
        }
        let OperandKind::Vector(items) = &ins.operand(0)?.kind else {
            return Err(ins.refused("has no vector"));
        };
        items.iter().zip(channels).try_for_each(|(item, value)| self.write(item, value, ty))
    }

    /// The address of a texture's descriptor.
    fn descriptor(&mut self, texture: &Operand) -> Result<Value> {
        if let OperandKind::Name(name) = &texture.kind
            && let Some((Symbol::Missing, _)) = self.scopes.find(name)
        {
            let message = format!("no program binds the texture reference `{name}`");
            return Err(Refused::new(texture.span, message).help(
                "run a program that has it, by `reconverge run PROGRAM.cu --kernels FILE.ptx`",
            ));
        }
        let handle = self.value(texture, B64)?;
        Ok(self.builder.compute(Op::Low, &[handle]))
    }

    /// A word of a descriptor.
    fn field(&mut self, descriptor: Value, offset: u32) -> Value {
        let offset = self.builder.word(offset);
        let at = self.builder.compute(Op::Add, &[descriptor, offset]);
        let access = Access { space: Space::Global, width: Width::B32, ..Access::default() };
        self.builder.load(access, at)
    }

    /// The element of an index. Beyond the end is none; of a texture that is not bound it is the one at 0, which traps.
    fn element_of_index(&mut self, descriptor: Value, base: Value, index: Value) -> Element {
        let zero = self.builder.word(0);
        let count = self.field(descriptor, offset::COUNTS[0]);
        let is_outside = self.builder.compute(Op::SetGreaterEqualU32, &[index, count]);
        let is_bound = self.builder.compute(Op::SetNotEqualI32, &[base, zero]);
        let is_missing = self.builder.compute(Op::AndPred, &[is_outside, is_bound]);
        Element { place: self.select(is_outside, zero, index), is_missing }
    }

    /// The element at a coordinate of an axis.
    fn element_at(&mut self, descriptor: Value, axis: usize, at: Value) -> Element {
        let zero = self.builder.word(0);
        let count = self.field(descriptor, offset::COUNTS[axis]);
        let mode = self.field(descriptor, offset::MODES[axis]);
        let normalized = self.field(descriptor, offset::NORMALIZED);
        let coordinate = self.builder.variable(ir::Type::B32);
        self.builder.write(coordinate, at);
        let (scales, goes_on) = (self.builder.block(), self.builder.block());
        let is_normalized = self.builder.compute(Op::SetNotEqualI32, &[normalized, zero]);
        self.builder.branch(is_normalized, scales, goes_on);
        self.builder.enter_sealed(scales);
        let scaled = self.scaled(at, count, mode);
        self.builder.write(coordinate, scaled);
        self.builder.jump(goes_on);
        self.builder.enter_sealed(goes_on);
        let at = self.builder.read(coordinate);
        let whole = self.builder.compute(Op::FloorF32, &[at]);
        let place = self.builder.compute(Op::CvtS32F32, &[whole]);
        let outside = self.builder.compute(Op::SetGreaterEqualU32, &[place, count]);
        let border = self.is_equal(mode, BORDER);
        let is_bound = self.builder.compute(Op::SetGreaterS32, &[count, zero]);
        let bordered = self.builder.compute(Op::AndPred, &[border, is_bound]);
        let is_missing = self.builder.compute(Op::AndPred, &[outside, bordered]);
        let minus_one = self.builder.word(u32::MAX);
        let last = self.builder.compute(Op::Add, &[count, minus_one]);
        let place = self.builder.compute(Op::MinS32, &[place, last]);
        let place = self.builder.compute(Op::MaxS32, &[place, zero]);
        Element { place, is_missing }
    }

    /// A coordinate from 0 to 1 as one in elements.
    fn scaled(&mut self, at: Value, count: Value, mode: Value) -> Value {
        let whole = self.builder.compute(Op::FloorF32, &[at]);
        let wrapped = self.builder.compute(Op::SubF32, &[at, whole]);
        let unit = self.builder.word(1f32.to_bits());
        let back = self.builder.compute(Op::SubF32, &[unit, wrapped]);
        let (one, zero) = (self.builder.word(1), self.builder.word(0));
        let number = self.builder.compute(Op::CvtS32F32, &[whole]);
        let odd = self.builder.compute(Op::And, &[number, one]);
        let is_odd = self.builder.compute(Op::SetNotEqualI32, &[odd, zero]);
        let mirrored = self.select(is_odd, back, wrapped);
        let (wraps, mirrors) = (self.is_equal(mode, WRAP), self.is_equal(mode, MIRROR));
        let other = self.select(mirrors, mirrored, at);
        let at = self.select(wraps, wrapped, other);
        let count = self.builder.compute(Op::CvtF32S32, &[count]);
        self.builder.compute(Op::MulF32, &[at, count])
    }

    fn is_equal(&mut self, word: Value, constant: u32) -> Value {
        let constant = self.builder.word(constant);
        self.builder.compute(Op::SetEqualI32, &[word, constant])
    }

    /// The four channels of an element as words: extended, 0 if there is none.
    fn channels(&mut self, descriptor: Value, from: Value, is_there: Value) -> [Value; 4] {
        let [bytes, bits, kind] = [offset::BYTES, offset::CHANNEL_BITS, offset::CHANNEL_KIND]
            .map(|offset| self.field(descriptor, offset));
        let zero = self.builder.word(0);
        let is_signed = self.is_equal(kind, SIGNED);
        let word = self.builder.word(32);
        let unused = self.builder.compute(Op::Sub, &[word, bits]);
        let [byte, short] = [8, 16].map(|width| self.is_equal(bits, width));
        let narrow = self.builder.compute(Op::OrPred, &[byte, short]);
        let wide = self.not(narrow);
        let of_width = [byte, short, wide]
            .map(|is_width| self.builder.compute(Op::AndPred, &[is_there, is_width]));
        [0, 1, 2, 3].map(|channel| {
            let mut value = zero;
            for ((width, access), is_width) in WIDTHS.into_iter().zip(of_width) {
                let offset = self.builder.word(channel * width / 8);
                let holds = match channel {
                    0 => is_width,
                    _ => {
                        let has = self.builder.compute(Op::SetGreaterU32, &[bytes, offset]);
                        self.builder.compute(Op::AndPred, &[is_width, has])
                    }
                };
                let at = self.builder.compute(Op::Add, &[from, offset]);
                let access = Access { space: Space::Global, width: access, ..Access::default() };
                let load = ir::Kind::Load(access, at);
                let part = self.builder.guarded(load, holds, Some(zero));
                value = self.builder.compute(Op::Or, &[value, part]);
            }
            let high = self.builder.compute(Op::Shl, &[value, unused]);
            let extended = self.builder.compute(Op::ShrS32, &[high, unused]);
            self.select(is_signed, extended, value)
        })
    }

    /// Channels as fractions, if the texture is read so.
    fn fractions(&mut self, descriptor: Value, channels: [Value; 4]) -> [Value; 4] {
        let zero = self.builder.word(0);
        let bits = self.field(descriptor, offset::FRACTION_BITS);
        let kind = self.field(descriptor, offset::CHANNEL_KIND);
        let results = channels.map(|channel| {
            let result = self.builder.variable(ir::Type::B32);
            self.builder.write(result, channel);
            result
        });
        let (divides, goes_on) = (self.builder.block(), self.builder.block());
        let is_fraction = self.builder.compute(Op::SetNotEqualI32, &[bits, zero]);
        self.builder.branch(is_fraction, divides, goes_on);
        self.builder.enter_sealed(divides);
        let (is_byte, is_signed) = (self.is_equal(bits, 8), self.is_equal(kind, SIGNED));
        let [byte, short, signed_byte, signed_short, least] =
            [255.0, 65535.0, 127.0, 32767.0, -1.0]
                .map(|number: f32| self.builder.word(number.to_bits()));
        let unsigned = self.select(is_byte, byte, short);
        let signed = self.select(is_byte, signed_byte, signed_short);
        let most = self.select(is_signed, signed, unsigned);
        for (result, channel) in results.into_iter().zip(channels) {
            let number = self.builder.compute(Op::CvtF32S32, &[channel]);
            let fraction = self.builder.compute(Op::DivF32, &[number, most]);
            let fraction = self.builder.compute(Op::MaxF32, &[fraction, least]);
            self.builder.write(result, fraction);
        }
        self.builder.jump(goes_on);
        self.builder.enter_sealed(goes_on);
        results.map(|result| self.builder.read(result))
    }
}
