//! `wmma`: a warp's loads, products and stores of fragments, of matrices of 16 by 16 or 32 by 8.
//!
//! The PTX ISA leaves the layout of these fragments open. Here they are fragments of `mma`, one after the other, and registers
//! beyond those repeat them. An `m8n32k16` is computed as the transposed product, an `m32n8k16`.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::matrix::items;
use super::memory::Target;
use super::mma::Factors;
use super::operand::{B32, F64, U32};
use crate::ir::{self, Access, Value};
use reconverge_isa::{Op, Space, Width};
use reconverge_ptx::tree::{Operand, Type};

/// The shape of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// 16 rows and columns: two fragments of `b` beside each other.
    Square,
    /// 32 rows and 8 columns: two fragments of `a` below each other.
    Tall,
    /// 8 rows and 32 columns: the transposed of a tall one.
    Wide,
    /// 8 rows and columns of doubles.
    Small,
}

/// A matrix of a product: which one it is, and its elements.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    shape: Shape,
    /// Rows, columns, and the products of a sum.
    extents: [u32; 3],
    /// `a`, `b`, or `c`, which the result is too.
    which: char,
    /// Bits of an element.
    bits: u32,
}

impl Matrix {
    fn of(ins: Ins, which: char, bits: u8) -> Result<Matrix> {
        let words = ins.it.modifiers.iter().map(|word| &*word.text);
        let sizes = |word: &str| {
            let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
            let (n, k) = rest.split_once('k')?;
            Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
        };
        let extents: [u32; 3] =
            words.filter_map(sizes).next().ok_or_else(|| ins.refused("names no shape"))?;
        let shape = match extents {
            [16, ..] => Shape::Square,
            [32, ..] => Shape::Tall,
            [_, 32, _] => Shape::Wide,
            _ => Shape::Small,
        };
        Ok(Matrix { shape, extents, which, bits: bits.into() })
    }

    /// Elements of a register.
    fn each(self) -> u32 {
        (32 / self.bits).max(1)
    }

    /// Registers of a fragment of `a` and of `b` of `mma` with 16 rows.
    fn words(self) -> [usize; 2] {
        [16, 8].map(|rows| (rows * self.extents[2] * self.bits / 1024).max(1) as usize)
    }

    /// The places of a register's elements in a lane, beside those that depend on the lane: along the dimension of the lane's
    /// group, and along the other.
    fn places(self, register: u32) -> Vec<[u32; 2]> {
        let each = self.each();
        let (words, of_left) = (self.words().map(|words| words as u32), self.is_left());
        (0..each)
            .map(|j| match (self.which, self.shape) {
                ('c', Shape::Small) => [0, register],
                ('c', shape) => {
                    let element = each * register + j;
                    let (fragment, i) = (element / 4, element % 4);
                    match shape {
                        Shape::Square => [i / 2 * 8, 8 * fragment + i % 2],
                        _ => [16 * fragment + i / 2 * 8, i % 2],
                    }
                }
                (_, Shape::Small) => [0, 0],
                _ => {
                    let count = words[usize::from(!of_left)];
                    let (word, fragment) = (register % count, register / count % self.fragments());
                    match of_left {
                        true => [16 * fragment + word % 2 * 8, word / 2 * 4 * each + j],
                        false => [8 * fragment, word * 4 * each + j],
                    }
                }
            })
            .collect()
    }

    /// Returns true if it is the left factor of the products that `mma` computes.
    fn is_left(self) -> bool {
        (self.which == 'a') != (self.shape == Shape::Wide)
    }

    /// Fragments of `mma` of a factor.
    fn fragments(self) -> u32 {
        match (self.is_left(), self.shape) {
            (true, Shape::Tall | Shape::Wide) | (false, Shape::Square) => 2,
            _ => 1,
        }
    }

    /// Returns true if places along the dimension of the lane's group are a stride apart, given the layout in memory.
    fn is_strided(self, by_row: bool) -> bool {
        match self.which {
            'a' => by_row,
            'b' => !by_row,
            _ => by_row != (self.shape == Shape::Wide),
        }
    }

    /// The stride of a matrix without gaps.
    fn stride(self, by_row: bool) -> u32 {
        let [m, n, k] = self.extents;
        let (rows, columns) = match self.which {
            'a' => (m, k),
            'b' => (k, n),
            _ => (m, n),
        };
        if by_row { columns } else { rows }
    }
}

/// The addresses of a lane's elements.
struct Addresses {
    base: Value,
    /// Bytes from an element to the next one along the dimension of the lane's group, and along the other.
    steps: [Value; 2],
    space: Space,
}

impl Kernel<'_, '_> {
    /// An instruction of fragments.
    pub fn warp_matrix(&mut self, ins: Ins) -> Result<()> {
        let all = self.builder.word(u32::MAX);
        self.builder.collective(Op::WarpSync, &[all]);
        match () {
            () if ins.has("load") => self.load_fragment(ins),
            () if ins.has("store") => self.store_fragment(ins),
            () => self.multiply_fragments(ins),
        }
    }

    fn load_fragment(&mut self, ins: Ins) -> Result<()> {
        let ty = ins.ty()?;
        let which = match () {
            () if ins.has("a") => 'a',
            () if ins.has("b") => 'b',
            () => 'c',
        };
        let matrix = Matrix::of(ins, which, ty.bits)?;
        let strided = matrix.is_strided(ins.has("row"));
        let addresses = self.addresses(ins, matrix, ins.operand(1)?)?;
        for (register, item) in (0..).zip(items(ins.operand(0)?)) {
            let places = matrix.places(register);
            let whole = matrix.bits >= 32 || strided;
            let value = if whole {
                let width = if matrix.bits == 64 { Width::B64 } else { Width::B32 };
                self.loaded_element(&addresses, places[0], width)
            } else {
                let width = if matrix.bits == 8 { Width::U8 } else { Width::U16 };
                let values =
                    places.into_iter().map(|place| self.loaded_element(&addresses, place, width));
                let values: Vec<Value> = values.collect();
                self.join(&values, matrix.bits as u8, 32)
            };
            self.write(item, value, register_of(matrix))?;
        }
        Ok(())
    }

    fn loaded_element(&mut self, addresses: &Addresses, place: [u32; 2], width: Width) -> Value {
        let at = self.address_of_element(addresses, place);
        let access = Access { space: addresses.space, width, ..Access::default() };
        self.builder.load(access, at)
    }

    fn store_fragment(&mut self, ins: Ins) -> Result<()> {
        let matrix = Matrix::of(ins, 'c', ins.ty()?.bits)?;
        let strided = matrix.is_strided(ins.has("row"));
        let values = items(ins.operand(1)?).iter();
        let values = values.map(|item| self.value(item, register_of(matrix)));
        let values = values.collect::<Result<Vec<Value>>>()?;
        let addresses = self.addresses(ins, matrix, ins.operand(0)?)?;
        let space = addresses.space;
        for (register, value) in (0..).zip(values) {
            let places = matrix.places(register);
            if matrix.bits >= 32 || strided {
                let width = if matrix.bits == 64 { Width::B64 } else { Width::B32 };
                let at = self.address_of_element(&addresses, places[0]);
                self.builder.store(Access { space, width, ..Access::default() }, at, value);
                continue;
            }
            for (at, place) in (0..).zip(places) {
                let half = self.part(value, 32, at, 16);
                let at = self.address_of_element(&addresses, place);
                let access = Access { space, width: Width::U16, ..Access::default() };
                self.builder.store(access, at, half);
            }
        }
        Ok(())
    }

    /// Lane `4g + t` has place `g` along one dimension, and `t` times the elements of a register along the other.
    fn addresses(&mut self, ins: Ins, matrix: Matrix, operand: &Operand) -> Result<Addresses> {
        let Target::Address(address, space) = self.accessed(ins, operand)? else {
            return Err(ins.refused("does not access the kernel's parameters"));
        };
        let by_row = ins.has("row");
        let stride = match ins.it.operands.get(2) {
            Some(operand) => self.value(operand, U32)?,
            None => self.builder.word(matrix.stride(by_row)),
        };
        let is_wide = self.builder.function().ty(address) == ir::Type::B64;
        let [stride, size] = [stride, self.builder.word(matrix.bits / 8)]
            .map(|value| if is_wide { self.builder.compute(Op::Zext32, &[value]) } else { value });
        let step = self.times(stride, size);
        let steps = if matrix.is_strided(by_row) { [step, size] } else { [size, step] };
        let lane = self.lane();
        let (two, three) = (self.builder.word(2), self.builder.word(3));
        let group = self.builder.compute(Op::ShrU32, &[lane, two]);
        let thread = self.builder.compute(Op::And, &[lane, three]);
        let each = if matrix.which == 'c' { 2 } else { matrix.each() };
        let each = self.builder.word(each);
        let thread = self.builder.compute(Op::Mul, &[thread, each]);
        let mut base = address;
        for (place, step) in [group, thread].into_iter().zip(steps) {
            let place = if is_wide { self.builder.compute(Op::Zext32, &[place]) } else { place };
            let bytes = self.times(place, step);
            base = self.plus(base, bytes);
        }
        Ok(Addresses { base, steps, space })
    }

    /// The address of an element of a lane.
    fn address_of_element(&mut self, addresses: &Addresses, place: [u32; 2]) -> Value {
        let mut at = addresses.base;
        for (count, step) in place.into_iter().zip(addresses.steps) {
            if count != 0 {
                let ty = self.builder.function().ty(step);
                let count = self.builder.constant(ty, count.into());
                let bytes = self.times(step, count);
                at = self.plus(at, bytes);
            }
        }
        at
    }

    /// The product of two words, or of two of 64 bits.
    fn times(&mut self, one: Value, other: Value) -> Value {
        let is_wide = self.builder.function().ty(one) == ir::Type::B64;
        self.builder.compute(if is_wide { Op::Mul64 } else { Op::Mul }, &[one, other])
    }

    fn plus(&mut self, one: Value, other: Value) -> Value {
        let is_wide = self.builder.function().ty(one) == ir::Type::B64;
        self.builder.compute(if is_wide { Op::Add64 } else { Op::Add }, &[one, other])
    }

    /// Products of `mma`, two of them, or one of doubles. Sums of which one end is of halves are of floats between.
    fn multiply_fragments(&mut self, ins: Ins) -> Result<()> {
        const TYPES: [&str; 8] = ["f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8"];
        let words = ins.it.modifiers.iter().map(|word| &*word.text);
        let named: Vec<&str> = words.filter(|word| TYPES.contains(word)).collect();
        let (d, a, b, c) = match *named.as_slice() {
            [d, c] => (d, "f16", "f16", c),
            [d, a, b, c] => (d, a, b, c),
            _ => return Err(ins.refused("names no types of matrices")),
        };
        let bits = Type::find(a).map_or(16, |ty| ty.bits);
        let matrix = Matrix::of(ins, 'a', bits)?;
        let ty = if d == "f64" { F64 } else { B32 };
        let mut values = |at: usize| {
            let each = items(ins.operand(at)?).iter();
            each.map(|item| self.value(item, ty)).collect::<Result<Vec<Value>>>()
        };
        let (left, right, mut sums) = (values(1)?, values(2)?, values(3)?);
        let sum = if (d, c) == ("f16", "f16") {
            "f16"
        } else if d == "f16" {
            "f32"
        } else {
            d
        };
        if (c, sum) == ("f16", "f32") {
            let halves = Type::find("f16x2").unwrap_or(B32);
            let pairs =
                sums.into_iter().map(|pair| [0, 1].map(|at| self.half_as_single(halves, pair, at)));
            sums = pairs.collect::<Vec<_>>().concat();
        }
        let mut found = match matrix.shape {
            Shape::Small => {
                let factors = Factors { a: left, b: right, c: sums };
                self.matrix_product(ins, "mma.m8n8k4.f64.f64.f64", &factors)?
            }
            shape => {
                let is_wide = shape == Shape::Wide;
                let (left, right) = if is_wide { (right, left) } else { (left, right) };
                let (a, b) = if is_wide { (b, a) } else { (a, b) };
                let limit = if ins.has("satfinite") { ".sat" } else { "" };
                let name = format!("mma.m16n8k{}.{sum}.{a}.{b}{limit}", matrix.extents[2]);
                let [of_left, of_right] = matrix.words();
                let mut found = Vec::new();
                for (at, c) in sums.chunks(sums.len() / 2).enumerate() {
                    let (i, j) = if shape == Shape::Square { (0, at) } else { (at, 0) };
                    let a = left[i * of_left..][..of_left].to_vec();
                    let b = right[j * of_right..][..of_right].to_vec();
                    found.extend(self.matrix_product(
                        ins,
                        &name,
                        &Factors { a, b, c: c.to_vec() },
                    )?);
                }
                found
            }
        };
        if (d, sum) == ("f16", "f32") {
            let pairs = found.chunks(2).map(|pair| {
                let halves = [0, 1].map(|at| self.builder.compute(Op::CvtF16F32, &[pair[at]]));
                self.join(&halves, 16, 32)
            });
            found = pairs.collect();
        }
        for (item, value) in items(ins.operand(0)?).iter().zip(found) {
            self.write(item, value, ty)?;
        }
        Ok(())
    }
}

/// The type of a register of a fragment.
fn register_of(matrix: Matrix) -> Type {
    if matrix.bits == 64 { F64 } else { B32 }
}
