//! Fetches from textures: loads of a texture's descriptor, arithmetic of coordinates, and loads of an element's channels.
//!
//! Source: CUDA C++ Programming Guide, appendix "Texture Fetching"; choices that it leaves open are in `spec/ptx.md`. A filter
//! is a loop over the elements around a coordinate, with exact weights. `syntax/preprocessor/textures.h` has the same
//! descriptors, without filters.

use super::kernel::{Ins, Kernel, Symbol};
use super::operand::{B32, B64};
use super::{Refused, Result};
use crate::ir::{self, Access, Value};
use reconverge_isa::{Op, Space, Width};
use reconverge_ptx::tree::{Kind, Operand, OperandKind};

/// Offsets in a texture's descriptor, which begins as the structures `__texture_reference` and `__texture_object` of
/// `textures.h` do.
pub mod offset {
    pub const NORMALIZED: u32 = 0;
    pub const MODES: [u32; 3] = [4, 8, 12];
    pub const BASE: u32 = 16;
    /// Columns, rows, and slices or layers.
    pub const COUNTS: [u32; 3] = [24, 28, 56];
    pub const PITCH: u32 = 32;
    pub const BYTES: u32 = 36;
    pub const CHANNEL_BITS: u32 = 40;
    pub const CHANNEL_KIND: u32 = 44;
    pub const FRACTION_BITS: u32 = 48;
    pub const FILTER: u32 = 52;
    /// Bytes of a slice or layer.
    pub const SLICE: u32 = 60;
    /// The bytes from one element to the next along each axis.
    pub const STEPS: [u32; 3] = [BYTES, PITCH, SLICE];
}

/// `cudaTextureAddressMode`.
const WRAP: u32 = 0;
const CLAMP: u32 = 1;
const MIRROR: u32 = 2;
const BORDER: u32 = 3;
/// `cudaChannelFormatKindSigned`, `cudaChannelFormatKindFloat`.
const SIGNED: u32 = 0;
const FLOAT: u32 = 2;
/// Weights have 8 bits of fraction.
const WEIGHTS: f32 = 256.0;

/// The widths of a channel, with the access that reads one. A texture that is not bound has none of the first two.
const WIDTHS: [(u32, Width); 3] = [(8, Width::U8), (16, Width::U16), (32, Width::B32)];

/// An element of a texture along an axis.
#[derive(Clone, Copy)]
struct Element {
    /// Its column, row or slice.
    place: Value,
    /// There is none at the coordinate.
    is_missing: Value,
}

/// The two elements along an axis that a filter takes.
struct Span {
    low: Element,
    high: Element,
    /// The weight of the second one, from 0 to 1.
    weight: Value,
}

/// An axis of a texture.
#[derive(Clone, Copy)]
struct Axis {
    count: Value,
    mode: Value,
    /// Coordinates go from 0 to 1.
    is_normalized: Value,
    /// Bytes from one element to the next.
    step: Value,
}

/// The form of elements.
struct Format {
    bytes: Value,
    bits: Value,
    kind: Value,
    fraction: Value,
}

impl Kernel<'_, '_> {
    /// `tex`.
    pub fn texture(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let (descriptor, given) = self.texture_operands(ins)?;
        let base = self.field(descriptor, offset::BASE);
        let mut given = given.as_slice();
        let mut from = base;
        let has_layers = ins.one_of(&["a1d", "a2d", "acube"]).is_some();
        let mut layer = None;
        if has_layers {
            layer = given.first().copied();
            given = given.get(1..).unwrap_or_default();
        }
        let is_cube = ins.one_of(&["cube", "acube"]).is_some();
        let face: [Value; 3];
        if is_cube {
            let [x, y, z] = given else {
                return Err(ins.refused("has no three coordinates"));
            };
            face = self.face([*x, *y, *z]);
            from = self.face_base(descriptor, base, layer, face[0]);
            given = &face[1..];
        } else if let Some(layer) = layer {
            let layers = self.field(descriptor, offset::COUNTS[2]);
            from = self.slice(descriptor, base, layer, layers);
        }
        let by_index = ins.types.second.is_none_or(|ty| ty.kind != Kind::Float);
        let values = match by_index {
            true => {
                let element = self.element_of_index(descriptor, base, given[0]);
                let step = self.field(descriptor, offset::BYTES);
                let format = self.format(descriptor);
                let from = self.builder.compute(Op::Mad, &[element.place, step, from]);
                let is_there = self.not(element.is_missing);
                self.texel(&format, ty.kind, from, is_there)
            }
            false => {
                let axes = (0..given.len()).map(|axis| self.axis(descriptor, axis, is_cube));
                let axes: Vec<Axis> = axes.collect();
                self.sample(descriptor, &axes, given, from, ty.kind)
            }
        };
        let OperandKind::Vector(items) = &ins.operand(0)?.kind else {
            return Err(ins.refused("has no vector"));
        };
        items.iter().zip(values).try_for_each(|(item, value)| self.write(item, value, ty))
    }

    /// The texture of an instruction, and its coordinates without padding.
    fn texture_operands(&mut self, ins: Ins) -> Result<(Value, Vec<Value>)> {
        let OperandKind::Texture(operands) = &ins.operand(1)?.kind else {
            return Err(ins.refused("has no texture"));
        };
        let (Some(texture), Some(coordinates)) = (operands.first(), operands.get(1)) else {
            return Err(ins.refused("has no coordinates"));
        };
        let descriptor = self.descriptor(texture)?;
        let given = match &coordinates.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(coordinates),
        };
        let count = match ins.one_of(&["a2d", "3d", "cube"]) {
            Some(_) => 3,
            None => given.len(),
        };
        let values = given.iter().take(count).map(|operand| self.value(operand, B32));
        Ok((descriptor, values.collect::<Result<_>>()?))
    }

    /// `tld4`: a channel of the four elements that a filter takes.
    pub fn gather(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let (descriptor, given) = self.texture_operands(ins)?;
        let channel = ["r", "g", "b", "a"].iter().position(|word| ins.has(word)).unwrap_or(0);
        let base = self.field(descriptor, offset::BASE);
        let mut spans = Vec::new();
        for (axis, &at) in given.iter().enumerate() {
            let axis = self.axis(descriptor, axis, false);
            spans.push((axis, self.span(axis, at)));
        }
        let format = self.format(descriptor);
        let OperandKind::Vector(items) = &ins.operand(0)?.kind else {
            return Err(ins.refused("has no vector"));
        };
        for (item, corner) in items.iter().zip([0b10u32, 0b11, 0b01, 0b00]) {
            let mut from = base;
            let mut is_there = self.builder.constant(ir::Type::Pred, 1);
            for (at, (axis, span)) in spans.iter().enumerate() {
                let element = if corner >> at & 1 == 1 { span.high } else { span.low };
                from = self.builder.compute(Op::Mad, &[element.place, axis.step, from]);
                let here = self.not(element.is_missing);
                is_there = self.builder.compute(Op::AndPred, &[is_there, here]);
            }
            let values = self.texel(&format, ty.kind, from, is_there);
            self.write(item, values[channel], ty)?;
        }
        Ok(())
    }

    /// `txq` and `suq`: the elements along an axis.
    pub fn texture_size(&mut self, ins: Ins) -> Result<()> {
        let OperandKind::Address(texture) = &ins.operand(1)?.kind else {
            return Err(ins.refused("has no texture"));
        };
        let descriptor = self.descriptor(texture)?;
        let axis = ["width", "height", "depth"].iter().position(|word| ins.has(word)).unwrap_or(0);
        let count = self.field(descriptor, offset::COUNTS[axis]);
        self.result(ins, count, ins.ty()?)
    }

    /// The channels at coordinates: of the element there, or filtered.
    fn sample(
        &mut self,
        descriptor: Value,
        axes: &[Axis],
        given: &[Value],
        from: Value,
        kind: Kind,
    ) -> [Value; 4] {
        let format = self.format(descriptor);
        let mut nearest = from;
        let mut is_there = self.builder.constant(ir::Type::Pred, 1);
        let mut places = Vec::new();
        for (&axis, &at) in axes.iter().zip(given) {
            let at = self.in_elements(axis, at);
            places.push(at);
            let whole = self.builder.compute(Op::FloorF32, &[at]);
            let place = self.builder.compute(Op::CvtS32F32, &[whole]);
            let element = self.element(axis, place);
            nearest = self.builder.compute(Op::Mad, &[element.place, axis.step, nearest]);
            let here = self.not(element.is_missing);
            is_there = self.builder.compute(Op::AndPred, &[is_there, here]);
        }
        if kind != Kind::Float {
            return self.texel(&format, kind, nearest, is_there);
        }
        let results = [(); 4].map(|()| self.builder.variable(ir::Type::B32));
        let filter = self.field(descriptor, offset::FILTER);
        let zero = self.builder.word(0);
        let is_filtered = self.builder.compute(Op::SetNotEqualI32, &[filter, zero]);
        let [filtered, plain, after] = [(); 3].map(|()| self.builder.block());
        self.builder.branch(is_filtered, filtered, plain);
        self.builder.enter_sealed(filtered);
        let spans = axes.iter().zip(&places).map(|(&axis, &at)| self.span_at(axis, at));
        let spans: Vec<Span> = spans.collect();
        let sums = self.filtered(axes, &spans, from, &format);
        results.iter().zip(sums).for_each(|(&result, sum)| self.builder.write(result, sum));
        self.builder.jump(after);
        self.builder.enter_sealed(plain);
        let values = self.texel(&format, kind, nearest, is_there);
        results.iter().zip(values).for_each(|(&result, value)| self.builder.write(result, value));
        self.builder.jump(after);
        self.builder.enter_sealed(after);
        results.map(|result| self.builder.read(result))
    }

    /// The weighted sum of the elements around a place: a loop over them, the columns first. An element without weight is not
    /// read.
    fn filtered(
        &mut self,
        axes: &[Axis],
        spans: &[Span],
        base: Value,
        format: &Format,
    ) -> [Value; 4] {
        let (zero, one) = (self.builder.word(0), self.builder.word(1));
        let unit = self.builder.word(1f32.to_bits());
        let counter = self.builder.variable(ir::Type::B32);
        self.builder.write(counter, zero);
        let sums = [(); 4].map(|()| self.builder.variable(ir::Type::B32));
        sums.iter().for_each(|&sum| self.builder.write(sum, zero));
        let (body, after) = (self.builder.block(), self.builder.block());
        self.builder.jump(body);
        self.builder.enter(body);
        let corner = self.builder.read(counter);
        let (mut from, mut weight) = (base, unit);
        let mut is_there = self.builder.constant(ir::Type::Pred, 1);
        for (at, (axis, span)) in axes.iter().zip(spans).enumerate() {
            let bit = self.builder.word(1 << at);
            let bit = self.builder.compute(Op::And, &[corner, bit]);
            let is_high = self.builder.compute(Op::SetNotEqualI32, &[bit, zero]);
            let place = self.select(is_high, span.high.place, span.low.place);
            from = self.builder.compute(Op::Mad, &[place, axis.step, from]);
            let missing = self.select(is_high, span.high.is_missing, span.low.is_missing);
            let here = self.not(missing);
            is_there = self.builder.compute(Op::AndPred, &[is_there, here]);
            let rest = self.builder.compute(Op::SubF32, &[unit, span.weight]);
            let own = self.select(is_high, span.weight, rest);
            weight = self.builder.compute(Op::MulF32, &[weight, own]);
        }
        let counts = self.builder.compute(Op::SetNotEqualI32, &[weight, zero]);
        is_there = self.builder.compute(Op::AndPred, &[is_there, counts]);
        let values = self.texel(format, Kind::Float, from, is_there);
        for (&sum, value) in sums.iter().zip(values) {
            let before = self.builder.read(sum);
            let next = self.builder.compute(Op::FmaF32, &[weight, value, before]);
            self.builder.write(sum, next);
        }
        let next = self.builder.compute(Op::Add, &[corner, one]);
        self.builder.write(counter, next);
        let count = self.builder.word(1 << axes.len());
        let goes_on = self.builder.compute(Op::SetLessU32, &[next, count]);
        self.builder.branch(goes_on, body, after);
        self.builder.seal(body);
        self.builder.enter_sealed(after);
        sums.map(|sum| self.builder.read(sum))
    }

    /// An axis of a texture. Those of a cube's face go from 0 to 1, and are clamped.
    fn axis(&mut self, descriptor: Value, axis: usize, is_face: bool) -> Axis {
        let zero = self.builder.word(0);
        let (mode, is_normalized) = match is_face {
            true => (self.builder.word(CLAMP), self.builder.constant(ir::Type::Pred, 1)),
            false => {
                let normalized = self.field(descriptor, offset::NORMALIZED);
                let is_normalized = self.builder.compute(Op::SetNotEqualI32, &[normalized, zero]);
                (self.field(descriptor, offset::MODES[axis]), is_normalized)
            }
        };
        let count = self.field(descriptor, offset::COUNTS[axis]);
        let step = self.field(descriptor, offset::STEPS[axis]);
        Axis { count, mode, is_normalized, step }
    }

    /// The elements around a coordinate.
    fn span(&mut self, axis: Axis, at: Value) -> Span {
        let at = self.in_elements(axis, at);
        self.span_at(axis, at)
    }

    /// The elements around a coordinate in elements: their middles are the whole numbers after a shift by a half.
    fn span_at(&mut self, axis: Axis, at: Value) -> Span {
        let half = self.builder.word(0.5f32.to_bits());
        let shifted = self.builder.compute(Op::SubF32, &[at, half]);
        let whole = self.builder.compute(Op::FloorF32, &[shifted]);
        let rest = self.builder.compute(Op::SubF32, &[shifted, whole]);
        let steps = self.builder.word(WEIGHTS.to_bits());
        let scaled = self.builder.compute(Op::MulF32, &[rest, steps]);
        let rounded = self.builder.compute(Op::RintF32, &[scaled]);
        // Without a fraction, as for NaN and infinity, the weight is 0.
        let number = self.builder.compute(Op::CvtS32F32, &[rounded]);
        let number = self.builder.compute(Op::CvtF32S32, &[number]);
        let step = self.builder.word((1.0 / WEIGHTS).to_bits());
        let weight = self.builder.compute(Op::MulF32, &[number, step]);
        let place = self.builder.compute(Op::CvtS32F32, &[whole]);
        let one = self.builder.word(1);
        let next = self.builder.compute(Op::Add, &[place, one]);
        let [low, high] = [place, next].map(|place| {
            let place = self.wrapped(axis, place);
            self.element(axis, place)
        });
        Span { low, high, weight }
    }

    /// A place one before the first or one behind the last element, in a texture that goes on from its beginning.
    fn wrapped(&mut self, axis: Axis, place: Value) -> Value {
        let wraps = self.is_equal(axis.mode, WRAP);
        let wraps = self.builder.compute(Op::AndPred, &[wraps, axis.is_normalized]);
        let zero = self.builder.word(0);
        let is_before = self.builder.compute(Op::SetLessS32, &[place, zero]);
        let is_behind = self.builder.compute(Op::SetGreaterEqualS32, &[place, axis.count]);
        let later = self.builder.compute(Op::Add, &[place, axis.count]);
        let earlier = self.builder.compute(Op::Sub, &[place, axis.count]);
        let other = self.select(is_behind, earlier, place);
        let other = self.select(is_before, later, other);
        self.select(wraps, other, place)
    }

    /// The element of a place: the nearest one, or none outside of a border.
    fn element(&mut self, axis: Axis, place: Value) -> Element {
        let (zero, minus_one) = (self.builder.word(0), self.builder.word(u32::MAX));
        let outside = self.builder.compute(Op::SetGreaterEqualU32, &[place, axis.count]);
        let border = self.is_equal(axis.mode, BORDER);
        let is_bound = self.builder.compute(Op::SetGreaterS32, &[axis.count, zero]);
        let bordered = self.builder.compute(Op::AndPred, &[border, is_bound]);
        let is_missing = self.builder.compute(Op::AndPred, &[outside, bordered]);
        let last = self.builder.compute(Op::Add, &[axis.count, minus_one]);
        let place = self.builder.compute(Op::MinS32, &[place, last]);
        let place = self.builder.compute(Op::MaxS32, &[place, zero]);
        Element { place, is_missing }
    }

    /// The first byte of a layer; beyond the last it is the last.
    fn slice(&mut self, descriptor: Value, base: Value, layer: Value, layers: Value) -> Value {
        let (zero, minus_one) = (self.builder.word(0), self.builder.word(u32::MAX));
        let last = self.builder.compute(Op::Add, &[layers, minus_one]);
        let last = self.builder.compute(Op::MaxS32, &[last, zero]);
        let layer = self.builder.compute(Op::MinU32, &[layer, last]);
        let step = self.field(descriptor, offset::SLICE);
        self.builder.compute(Op::Mad, &[layer, step, base])
    }

    /// The face of a cube to which a vector points, and the coordinates there, from 0 to 1.
    fn face(&mut self, vector: [Value; 3]) -> [Value; 3] {
        let [x, _, z] = vector;
        let sizes = vector.map(|part| self.builder.compute(Op::AbsF32, &[part]));
        let negative = vector.map(|part| self.builder.compute(Op::NegF32, &[part]));
        let zero = self.builder.word(0);
        let is_back = vector.map(|part| self.builder.compute(Op::SetLessF32, &[part, zero]));
        let mut at_least = |a: usize, b: usize| {
            self.builder.compute(Op::SetGreaterEqualF32, &[sizes[a], sizes[b]])
        };
        let (zx, zy, yx) = (at_least(2, 0), at_least(2, 1), at_least(1, 0));
        let along_z = self.builder.compute(Op::AndPred, &[zx, zy]);
        // By axis: the first of its two faces, and both coordinates of each.
        let across = [
            [(negative[2], negative[1]), (z, negative[1])],
            [(x, z), (x, negative[2])],
            [(x, negative[1]), (negative[0], negative[1])],
        ];
        let mut chosen = [[zero; 3]; 3];
        for (axis, [front, back]) in across.into_iter().enumerate() {
            let faces = [2 * axis as u32, 2 * axis as u32 + 1].map(|face| self.builder.word(face));
            let is_back = is_back[axis];
            chosen[axis] = [
                self.select(is_back, faces[1], faces[0]),
                self.select(is_back, back.0, front.0),
                self.select(is_back, back.1, front.1),
            ];
        }
        let mut choose = |parts: [Value; 3]| {
            let other = self.select(yx, parts[1], parts[0]);
            self.select(along_z, parts[2], other)
        };
        let face = choose([chosen[0][0], chosen[1][0], chosen[2][0]]);
        let size = choose(sizes);
        let across = [1, 2].map(|part| choose([chosen[0][part], chosen[1][part], chosen[2][part]]));
        let [unit, half] = [1f32, 0.5].map(|number| self.builder.word(number.to_bits()));
        let [s, t] = across.map(|part| {
            let part = self.builder.compute(Op::DivF32, &[part, size]);
            let part = self.builder.compute(Op::AddF32, &[part, unit]);
            self.builder.compute(Op::MulF32, &[part, half])
        });
        [face, s, t]
    }

    /// The first byte of a face of a cube; beyond the last cube it is the last.
    fn face_base(
        &mut self,
        descriptor: Value,
        base: Value,
        cube: Option<Value>,
        face: Value,
    ) -> Value {
        let step = self.field(descriptor, offset::SLICE);
        let base = self.builder.compute(Op::Mad, &[face, step, base]);
        let Some(cube) = cube else {
            return base;
        };
        let (zero, six) = (self.builder.word(0), self.builder.word(6));
        let layers = self.field(descriptor, offset::COUNTS[2]);
        let last = self.builder.compute(Op::Sub, &[layers, six]);
        let last = self.builder.compute(Op::MaxS32, &[last, zero]);
        let most = self.builder.word(u32::MAX / 6);
        let cube = self.builder.compute(Op::MinU32, &[cube, most]);
        let first = self.builder.compute(Op::Mul, &[cube, six]);
        let first = self.builder.compute(Op::MinU32, &[first, last]);
        self.builder.compute(Op::Mad, &[first, step, base])
    }

    /// The address of a texture's descriptor.
    pub fn descriptor(&mut self, texture: &Operand) -> Result<Value> {
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
    pub fn field(&mut self, descriptor: Value, offset: u32) -> Value {
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

    /// A coordinate in elements.
    fn in_elements(&mut self, axis: Axis, at: Value) -> Value {
        let coordinate = self.builder.variable(ir::Type::B32);
        self.builder.write(coordinate, at);
        let (scales, goes_on) = (self.builder.block(), self.builder.block());
        self.builder.branch(axis.is_normalized, scales, goes_on);
        self.builder.enter_sealed(scales);
        let scaled = self.scaled(at, axis.count, axis.mode);
        self.builder.write(coordinate, scaled);
        self.builder.jump(goes_on);
        self.builder.enter_sealed(goes_on);
        self.builder.read(coordinate)
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

    /// The form of a texture's elements.
    fn format(&mut self, descriptor: Value) -> Format {
        let [bytes, bits, kind, fraction] =
            [offset::BYTES, offset::CHANNEL_BITS, offset::CHANNEL_KIND, offset::FRACTION_BITS]
                .map(|offset| self.field(descriptor, offset));
        Format { bytes, bits, kind, fraction }
    }

    /// The four channels of an element as a fetch of this kind returns them.
    fn texel(&mut self, format: &Format, kind: Kind, from: Value, is_there: Value) -> [Value; 4] {
        let channels = self.channels(format, from, is_there);
        match kind {
            Kind::Float => self.fractions(format, channels),
            _ => channels,
        }
    }

    /// The four channels of an element as words: extended, 0 if there is none.
    fn channels(&mut self, format: &Format, from: Value, is_there: Value) -> [Value; 4] {
        let Format { bytes, bits, kind, .. } = *format;
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

    /// Channels as fractions, if the texture is read so; those of half precision in single precision.
    fn fractions(&mut self, format: &Format, channels: [Value; 4]) -> [Value; 4] {
        let zero = self.builder.word(0);
        let Format { bits, kind, fraction, .. } = *format;
        let is_float = self.is_equal(kind, FLOAT);
        let is_short = self.is_equal(bits, 16);
        let is_half = self.builder.compute(Op::AndPred, &[is_float, is_short]);
        let channels = channels.map(|channel| {
            let single = self.builder.compute(Op::CvtF32F16, &[channel]);
            self.select(is_half, single, channel)
        });
        let results = channels.map(|channel| {
            let result = self.builder.variable(ir::Type::B32);
            self.builder.write(result, channel);
            result
        });
        let (divides, goes_on) = (self.builder.block(), self.builder.block());
        let is_fraction = self.builder.compute(Op::SetNotEqualI32, &[fraction, zero]);
        self.builder.branch(is_fraction, divides, goes_on);
        self.builder.enter_sealed(divides);
        let (is_byte, is_signed) = (self.is_equal(fraction, 8), self.is_equal(kind, SIGNED));
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
