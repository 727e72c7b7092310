//! Products of matrices of a warp of 32 lanes.
//!
//! The layout of fragments in registers is that of the PTX ISA, section "Matrix Fragments" of each shape. Products are
//! exact, and so is their sum with the accumulator, which is rounded once, to nearest. Doubles are a chain of `fma` in the
//! order of `k`. Every NaN that results is the canonical one.

use crate::exact;
use crate::half::{Direction, Format};
use crate::lane::{BLOCK, ValueKind, Words};
use crate::table::{Op, OperandKind, TABLE};
use std::sync::LazyLock;

/// The words of a source or result: up to four registers of each lane.
pub type Fragment = [Words; 4];

/// A fragment of zeros.
pub const ZERO_FRAGMENT: Fragment = [[0; BLOCK]; 4];

/// The type of the elements of `a` or `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// IEEE binary16.
    F16,
    /// bfloat16.
    Bf16,
    /// A float of which the upper 19 bits count.
    Tf32,
    /// Eight bits with 4 bits of exponent.
    E4m3,
    /// Eight bits with 5 bits of exponent.
    E5m2,
    /// A signed byte.
    S8,
    /// An unsigned byte.
    U8,
    /// Four bits, signed.
    S4,
    /// Four bits, unsigned.
    U4,
    /// A bit.
    B1,
    /// IEEE binary64.
    F64,
}

impl Element {
    /// All of them with their words in mnemonics.
    const ALL: [(&'static str, Element); 11] = [
        ("f16", Element::F16),
        ("bf16", Element::Bf16),
        ("tf32", Element::Tf32),
        ("e4m3", Element::E4m3),
        ("e5m2", Element::E5m2),
        ("s8", Element::S8),
        ("u8", Element::U8),
        ("s4", Element::S4),
        ("u4", Element::U4),
        ("b1", Element::B1),
        ("f64", Element::F64),
    ];

    /// Its size in bits.
    pub fn bits(self) -> u32 {
        match self {
            Element::F64 => 64,
            Element::Tf32 => 32,
            Element::F16 | Element::Bf16 => 16,
            Element::E4m3 | Element::E5m2 | Element::S8 | Element::U8 => 8,
            Element::S4 | Element::U4 => 4,
            Element::B1 => 1,
        }
    }

    /// The exact value of an element, a float of at most 32 bits.
    fn float(self, bits: u32) -> f64 {
        match self {
            Element::F16 => Format::HALF.value(bits),
            Element::Bf16 => Format::BRAIN.value(bits),
            Element::Tf32 => f32::from_bits(bits & !0x1fff).into(),
            Element::E4m3 => crate::eighth::e4m3(bits as u8),
            // The upper half of a binary16.
            _ => Format::HALF.value(bits << 8),
        }
    }

    /// An integer element, or 32 bits, as a word.
    fn word(self, bits: u32) -> u32 {
        match self {
            Element::S8 => bits as i8 as u32,
            Element::S4 => ((bits << 28) as i32 >> 28) as u32,
            _ => bits,
        }
    }
}

/// The type of the elements of `c` and of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accumulator {
    /// IEEE binary16.
    F16,
    /// IEEE binary32.
    F32,
    /// A signed word; sums wrap.
    S32,
    /// IEEE binary64.
    F64,
}

/// The differences between operations of one shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Plain,
    /// The sum is limited to the range of a word.
    Saturated,
    /// The product of bits is 1 where they differ.
    Xor,
    /// The product of bits is 1 where both are.
    And,
    /// Four products of quad pairs: true if `a` and `b` are stored by columns and rows, and the half of the result.
    QuadPairs {
        a_by_column: bool,
        b_by_row: bool,
        half: u32,
    },
}

/// An operation on matrices: `m` × `k` by `k` × 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matrix {
    m: u32,
    k: u32,
    /// The elements of `a`.
    pub a: Element,
    /// The elements of `b`.
    pub b: Element,
    /// The elements of `c` and of the result.
    pub accumulator: Accumulator,
    variant: Variant,
}

/// The matrices of operations, by place in the table.
static MATRICES: LazyLock<Vec<Option<Matrix>>> =
    LazyLock::new(|| TABLE.iter().map(|row| Matrix::read(row.mnemonic)).collect());

impl Matrix {
    /// The matrices that an operation multiplies.
    pub fn of(op: Op) -> Option<&'static Matrix> {
        MATRICES.get(op as usize)?.as_ref()
    }

    /// The matrices of a mnemonic.
    fn read(mnemonic: &str) -> Option<Matrix> {
        let mut words = mnemonic.strip_prefix("mma.m")?.split('.');
        let (m, k) = words.next()?.split_once("n8k")?;
        let accumulator = match words.next()? {
            "f16" => Accumulator::F16,
            "f32" => Accumulator::F32,
            "s32" => Accumulator::S32,
            _ => Accumulator::F64,
        };
        let mut element = || {
            let word = words.next()?;
            Element::ALL.iter().find(|(known, _)| *known == word).map(|(_, element)| *element)
        };
        let (a, b) = (element()?, element()?);
        let variant = match words.next() {
            None => Variant::Plain,
            Some("sat") => Variant::Saturated,
            Some("xor") => Variant::Xor,
            Some("and") => Variant::And,
            Some(layout) => Variant::QuadPairs {
                a_by_column: layout == "col",
                b_by_row: words.next() == Some("row"),
                half: u32::from(words.next() == Some("high")),
            },
        };
        Some(Matrix { m: m.parse().ok()?, k: k.parse().ok()?, a, b, accumulator, variant })
    }

    /// The multiplications of an instruction; an addition goes with each.
    pub fn multiply_adds(&self) -> u64 {
        let [products, parts] = match self.variant {
            Variant::QuadPairs { .. } if self.accumulator == Accumulator::F32 => [4, 2],
            Variant::QuadPairs { .. } => [4, 1],
            _ => [1, 1],
        };
        u64::from(products * self.m * 8 * self.k / parts)
    }

    /// Words of a lane of `a`, of `b`, and of `c` and the result.
    pub fn words(&self) -> [u32; 3] {
        let result = match self.accumulator {
            Accumulator::F16 => 16,
            Accumulator::F64 => 64,
            Accumulator::S32 | Accumulator::F32 => 32,
        };
        match self.variant {
            Variant::QuadPairs { .. } => [2, 2, 4],
            _ => [self.m * self.k * self.a.bits(), 8 * self.k * self.b.bits(), self.m * 8 * result]
                .map(|bits| bits / (32 * BLOCK as u32)),
        }
    }

    /// The row and the `k` of an element of `a`: element `j` of a word of a lane. Rows and `k` of the four products of quad
    /// pairs follow each other.
    fn place_of_a(&self, lane: u32, word: u32, j: u32) -> [u32; 2] {
        match self.variant {
            Variant::QuadPairs { a_by_column, .. } => {
                quad_pair_place(lane, 2 * word + j, a_by_column)
            }
            _ => {
                let each = self.each(self.a);
                let k = lane % 4 * each + j + word / (self.m / 8) * 4 * each;
                [lane / 4 + word % (self.m / 8) * 8, k]
            }
        }
    }

    /// The same of an element of `b`: its column, and `k`.
    fn place_of_b(&self, lane: u32, word: u32, j: u32) -> [u32; 2] {
        match self.variant {
            Variant::QuadPairs { b_by_row, .. } => quad_pair_place(lane, 2 * word + j, b_by_row),
            _ => {
                let each = self.each(self.b);
                [lane / 4, lane % 4 * each + j + word * 4 * each]
            }
        }
    }

    /// The row and the column of element `i` of `c` and of the result.
    fn place_of_c(&self, lane: u32, i: u32) -> [u32; 2] {
        let Variant::QuadPairs { half, .. } = self.variant else {
            return [lane / 4 + i / 2 * 8, 2 * (lane % 4) + i % 2];
        };
        let (pair, thread) = quad_pair(lane);
        if self.accumulator == Accumulator::F16 {
            return [8 * pair + thread, i];
        }
        let row = (thread & 1) + (i & 2) + 4 * (thread / 4);
        [8 * pair + row, 4 * half + (thread & 2) + (i & 1)]
    }

    /// Elements of a word. Bits are multiplied by words.
    fn each(&self, element: Element) -> u32 {
        match element {
            Element::B1 => 1,
            _ => (32 / element.bits()).max(1),
        }
    }

    /// Calls `visit` with the bits and the place of each element of at most 32 bits.
    fn elements(
        &self,
        of: Element,
        words: u32,
        fragment: &Fragment,
        place: impl Fn(u32, u32, u32) -> [u32; 2],
        mut visit: impl FnMut([usize; 2], u32),
    ) {
        let each = self.each(of);
        let bits = 32 / each;
        for (word, row) in (0..words).zip(fragment) {
            for (lane, value) in (0..).zip(row) {
                for j in 0..each {
                    let element = value >> (bits * j) & (u32::MAX >> (32 - bits));
                    visit(place(lane, word, j).map(|at| at as usize), element);
                }
            }
        }
    }

    /// `a` times `b` plus `c`.
    pub fn multiply(&self, [a, b, c]: [&Fragment; 3], out: &mut Fragment) {
        match self.accumulator {
            Accumulator::F64 => self.doubles([a, b, c], out),
            Accumulator::S32 => self.integers([a, b, c], out),
            Accumulator::F32 | Accumulator::F16 => self.floats([a, b, c], out),
        }
    }

    fn floats(&self, [a, b, c]: [&Fragment; 3], out: &mut Fragment) {
        let words = self.words();
        let mut left = [[0.0; 32]; 32];
        let mut right = [[0.0; 8]; 32];
        self.elements(
            self.a,
            words[0],
            a,
            |lane, word, j| self.place_of_a(lane, word, j),
            |[row, k], bits| left[row][k] = self.a.float(bits),
        );
        self.elements(
            self.b,
            words[1],
            b,
            |lane, word, j| self.place_of_b(lane, word, j),
            |[column, k], bits| right[k + column / 8 * 4][column % 8] = self.b.float(bits),
        );
        let mut sums = [[0.0; 8]; 32];
        let (each, format) = match self.accumulator {
            Accumulator::F16 => (2, Some(Format::HALF)),
            _ => (1, None),
        };
        for (word, row) in (0..words[2]).zip(c) {
            for (lane, value) in (0..).zip(row) {
                for j in 0..each {
                    let [row, column] = self.place_of_c(lane, each * word + j);
                    sums[row as usize][column as usize] = match format {
                        Some(format) => format.value(value >> (16 * j) & 0xffff),
                        None => f32::from_bits(*value).into(),
                    };
                }
            }
        }
        let (rows, k) = self.extent();
        for (row, sums) in sums.iter_mut().enumerate().take(rows) {
            let first = if rows > 16 { row / 8 * 4 } else { 0 };
            let (left, right) = (left[row].get(..k), right.get(first..first + k));
            exact::add_products(left.unwrap_or(&[]), right.unwrap_or(&[]), sums);
        }
        for (word, row) in (0..words[2]).zip(out) {
            for (lane, value) in (0..).zip(row) {
                *value = 0;
                for j in 0..each {
                    let [row, column] = self.place_of_c(lane, each * word + j);
                    let sum = sums[row as usize][column as usize];
                    *value |= match format {
                        Some(format) => format.narrow(sum, Direction::Nearest) << (16 * j),
                        None if sum.is_nan() => 0x7fff_ffff,
                        None => (sum as f32).to_bits(),
                    };
                }
            }
        }
    }

    /// Rows of all products, and the `k` of each.
    fn extent(&self) -> (usize, usize) {
        match self.variant {
            Variant::QuadPairs { .. } => (32, 4),
            _ => (self.m as usize, self.k as usize),
        }
    }

    fn integers(&self, [a, b, c]: [&Fragment; 3], out: &mut Fragment) {
        let words = self.words();
        let mut left = [[0u32; 64]; 16];
        let mut right = [[0u32; 64]; 8];
        self.elements(
            self.a,
            words[0],
            a,
            |lane, word, j| self.place_of_a(lane, word, j),
            |[row, k], bits| left[row][k] = self.a.word(bits),
        );
        self.elements(
            self.b,
            words[1],
            b,
            |lane, word, j| self.place_of_b(lane, word, j),
            |[column, k], bits| right[column][k] = self.b.word(bits),
        );
        let k = if self.a == Element::B1 { self.k / 32 } else { self.k } as usize;
        let product: fn(u32, u32) -> i64 = match self.variant {
            Variant::Xor => |a, b| (a ^ b).count_ones().into(),
            Variant::And => |a, b| (a & b).count_ones().into(),
            _ => |a, b| i64::from(a as i32) * i64::from(b as i32),
        };
        for (i, (row, addends)) in (0..words[2]).zip(out.iter_mut().zip(c)) {
            for (lane, (value, addend)) in (0..).zip(row.iter_mut().zip(addends)) {
                let [row, column] = self.place_of_c(lane, i).map(|at| at as usize);
                let pairs = left[row].iter().zip(&right[column]).take(k);
                let sum = pairs.map(|(&a, &b)| product(a, b)).sum::<i64>();
                let sum = sum + i64::from(*addend as i32);
                *value = match self.variant {
                    Variant::Saturated => sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
                    _ => sum as u32,
                };
            }
        }
    }

    fn doubles(&self, [a, b, c]: [&Fragment; 3], out: &mut Fragment) {
        let value = |fragment: &Fragment, pair: usize, lane: u32| {
            let [low, high] = [0, 1].map(|at| fragment[2 * pair + at][lane as usize]);
            f64::from_bits(u64::from(low) | u64::from(high) << 32)
        };
        for i in 0..2 {
            for lane in 0..BLOCK as u32 {
                let [row, column] = self.place_of_c(lane, i);
                let chain = (0..self.k).fold(value(c, i as usize, lane), |sum, k| {
                    libm::fma(value(a, 0, 4 * row + k), value(b, 0, 4 * column + k), sum)
                });
                let bits = if chain.is_nan() { u64::MAX >> 1 } else { chain.to_bits() };
                out[2 * i as usize][lane as usize] = bits as u32;
                out[2 * i as usize + 1][lane as usize] = (bits >> 32) as u32;
            }
        }
    }
}

/// The quad pair of a lane, and its number there.
fn quad_pair(lane: u32) -> (u32, u32) {
    (lane % 16 / 4, lane % 4 + lane / 16 * 4)
}

/// The place of element `j` of a lane among the four matrices of quad pairs: in the first dimension, and `k`.
fn quad_pair_place(lane: u32, j: u32, along_first: bool) -> [u32; 2] {
    let (pair, thread) = quad_pair(lane);
    match along_first {
        true => [8 * pair + thread / 4 * 4 + j, thread % 4],
        false => [8 * pair + thread, j],
    }
}

/// Words of an operand of this kind.
fn words_of(kind: OperandKind) -> u32 {
    match kind {
        OperandKind::Value(kind) => kind.registers().into(),
        OperandKind::Width => ValueKind::U32.registers().into(),
    }
}

/// Words of a lane of the sources and the result of an operation on matrices, by its row.
pub fn operand_words(op: Op) -> [u32; 3] {
    let row = op.row();
    let mut words = [0; 3];
    for (place, (_, kind)) in words.iter_mut().zip(row.sources) {
        *place = words_of(*kind);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_words_of_their_matrices() {
        let mut count = 0;
        for row in TABLE {
            let Some(matrix) = Matrix::of(row.op) else {
                assert!(!row.op.is_product(), "{}", row.mnemonic);
                continue;
            };
            count += 1;
            assert!(row.op.is_product(), "{}", row.mnemonic);
            assert_eq!(operand_words(row.op), matrix.words(), "{}", row.mnemonic);
            assert_eq!(row.result.map(words_of), Some(matrix.words()[2]), "{}", row.mnemonic);
        }
        assert_eq!(count, 91);
    }

    /// Every element has a place of its own.
    #[test]
    fn fragments_hold_every_element_once() {
        for matrix in MATRICES.iter().flatten() {
            let words = matrix.words();
            let mut seen = std::collections::BTreeSet::new();
            let mut visit = |which: u32, at: [usize; 2]| assert!(seen.insert((which, at)));
            if matrix.a != Element::F64 {
                matrix.elements(
                    matrix.a,
                    words[0],
                    &ZERO_FRAGMENT,
                    |lane, word, j| matrix.place_of_a(lane, word, j),
                    |at, _| visit(0, at),
                );
                matrix.elements(
                    matrix.b,
                    words[1],
                    &ZERO_FRAGMENT,
                    |lane, word, j| matrix.place_of_b(lane, word, j),
                    |at, _| visit(1, at),
                );
            }
            let elements = match matrix.accumulator {
                Accumulator::F16 => 2 * words[2],
                Accumulator::F64 => 2,
                _ => words[2],
            };
            for lane in 0..32 {
                (0..elements).for_each(|i| {
                    visit(2, matrix.place_of_c(lane, i).map(|at| at as usize));
                });
            }
        }
    }
}
