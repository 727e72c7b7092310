//! Products of matrices, `mma`, as steps of one thread each: a thread takes the elements that its results need from the
//! lanes that have them, and computes by itself.
//!
//! Sums of products are exact, as fractions of a power of two, and rounded once. Doubles are a chain of `fma`.

use crate::Refusal;
use crate::code::{Operation, Source, Special, Value, WarpKind};
use crate::control::Reader;
use crate::float::{BRAIN, DOUBLE, Format, HALF, Number, Rounding, SINGLE};
use crate::form::{Compute, Words, ty};
use crate::integer::signed;
use crate::matrix::{Hidden, Steps, constant, items};
use crate::resolve::Resolver;
use reconverge_ptx::tree::Instruction;

/// The sizes and types of a product, as its modifiers say.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    rows: u64,
    columns_of_a: u64,
    /// Of the result, `a`, `b` and `c`.
    types: [String; 4],
    by_row: [bool; 2],
    saturates: bool,
    differs: bool,
}

const TYPES: [&str; 13] =
    ["f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8", "u4", "s4", "b1", "e4m3", "e5m2"];

impl Product {
    fn of(instruction: &Instruction) -> Result<Product, String> {
        let words: Vec<&str> = instruction.modifiers.iter().map(|word| &*word.text).collect();
        let has = |wanted: &str| words.contains(&wanted);
        let named: Vec<String> =
            words.iter().filter(|word| TYPES.contains(word)).map(ToString::to_string).collect();
        let layouts: Vec<bool> = words
            .iter()
            .filter_map(|&word| match word {
                "row" => Some(true),
                "col" => Some(false),
                _ => None,
            })
            .collect();
        let shape = words.iter().find_map(|word| word.strip_prefix('m')?.split_once("n8k"));
        let (rows, k) = shape.ok_or("`mma` names no shape")?;
        let number =
            |text: &str| text.parse::<u64>().map_err(|_| "`mma` names no shape".to_owned());
        Ok(Product {
            rows: number(rows)?,
            columns_of_a: number(k)?,
            types: named.try_into().map_err(|_| "`mma` names four types")?,
            by_row: layouts.try_into().map_err(|_| "`mma` names two layouts")?,
            saturates: has("satfinite"),
            differs: has("xor"),
        })
    }

    /// A product by `mma` of a type's layout.
    pub(crate) fn plain(rows: u64, k: u64, types: [String; 4], saturates: bool) -> Product {
        let by_row = [true, false];
        Product { rows, columns_of_a: k, types, by_row, saturates, differs: false }
    }

    fn is_of_quad_pairs(&self) -> bool {
        self.rows == 8 && self.columns_of_a == 4 && self.types[1] == "f16"
    }

    /// Bits of an element of `a` and `b`.
    fn bits(&self) -> u64 {
        match self.types[1].as_str() {
            "f64" => 64,
            "tf32" => 32,
            "f16" | "bf16" => 16,
            "e4m3" | "e5m2" | "u8" | "s8" => 8,
            "u4" | "s4" => 4,
            _ => 1,
        }
    }
}

/// The operations of a product; `None` for other instructions.
pub(crate) fn operations(
    resolver: &mut Resolver,
    instruction: &Instruction,
) -> Result<Option<Vec<Operation>>, Refusal> {
    if &*instruction.mnemonic.text != "mma" {
        return Ok(None);
    }
    let fault = |message| Refusal { span: instruction.span, message };
    let product = Product::of(instruction).map_err(fault)?;
    let mut words = Words::of(instruction);
    words.skip(|word| TYPES.contains(&word) || word.contains("n8k"));
    words.skip(|word| {
        ["sync", "aligned", "row", "col", "satfinite", "xor", "and", "popc"].contains(&word)
    });
    while words.ty().is_ok() {}
    words.finish().map_err(fault)?;
    let mut steps = Steps { resolver, code: Vec::new() };
    steps.multiply(instruction, &product)?;
    Ok(Some(steps.code))
}

/// The lane as a source.
pub(crate) fn lane() -> Source {
    Source { value: Value::Special(Special::Lane), bits: 32, inverted: false }
}

impl Steps<'_, '_> {
    fn multiply(&mut self, instruction: &Instruction, product: &Product) -> Result<(), Refusal> {
        let reader = Reader { resolver: self.resolver, instruction };
        reader.at_most(4)?;
        let operand_type = ty(if product.types[0] == "f64" { "b64" } else { "b32" });
        let items = |at: usize| reader.operand(at).map(items);
        let [d, a, b, c] = [items(0)?, items(1)?, items(2)?, items(3)?];
        let results = d.iter().map(|it| self.resolver.destination(it, operand_type));
        let results = results.collect::<Result<Vec<_>, _>>()?;
        let sources = |items: &[_]| -> Result<Vec<Source>, Refusal> {
            items.iter().map(|it| self.resolver.source(it, operand_type)).collect()
        };
        let [a, b, c] = [sources(&a)?, sources(&b)?, sources(&c)?];
        self.require_whole_warp();
        let mut own = |sources: Vec<Source>| -> Vec<Hidden> {
            sources.into_iter().map(|it| self.compute(it, |value, _| value)).collect()
        };
        let [a, b, c] = [own(a), own(b), own(c)];
        let found = match product.is_of_quad_pairs() {
            true => self.quad_pairs(product, [&a, &b, &c], results.len()),
            false => self.fragments(product, [&a, &b, &c], results.len()),
        };
        self.finish(found, results);
        Ok(())
    }

    /// Traps unless all 32 lanes are there.
    pub(crate) fn require_whole_warp(&mut self) {
        let all = Hidden(self.resolver.hidden());
        self.meet(WarpKind::Ballot, vec![constant(1)], all.destination());
        let is_whole = self.compute(all.source(), |all, _| u64::from(all == u64::from(u32::MAX)));
        let message = "a matrix instruction needs all 32 lanes of a warp";
        self.code.push(Operation::Require(is_whole.source(), message));
    }

    /// A value of other lanes; words of 64 bits in halves.
    fn taken_wide(
        &mut self,
        value: Hidden,
        bits: u64,
        from: impl Fn(u64) -> u64 + Clone + Send + Sync + 'static,
    ) -> Hidden {
        if bits != 64 {
            return self.taken(value, from);
        }
        let low = self.compute(value.source(), |value, _| value & 0xffff_ffff);
        let high = self.compute(value.source(), |value, _| value >> 32);
        let (low, high) = (self.taken(low, from.clone()), self.taken(high, from));
        let joined = Hidden(self.resolver.hidden());
        let compute: Compute = Box::new(|s, _| [s[0] | s[1] << 32, 0]);
        let sources = vec![low.source(), high.source()];
        let results = vec![joined.destination()];
        self.code.push(Operation::Compute { compute, sources, results });
        joined
    }

    /// The elements of a shape for which lane `4g + t` has rows `g` and `g + 8` of `a`, column `g` of `b`, and columns
    /// `2t` and `2t + 1` of the result.
    pub(crate) fn fragments(
        &mut self,
        product: &Product,
        [a, b, c]: [&[Hidden]; 3],
        results: usize,
    ) -> Vec<Hidden> {
        let (bits, halves) = (product.bits(), product.rows / 8);
        // By half of the rows and by column: the words in the order of `k`.
        let mut rows = vec![Vec::new(); halves as usize];
        let mut columns = vec![Vec::new(); 2];
        for (at, &word) in a.iter().enumerate() {
            for t in 0..4 {
                let taken = self.taken_wide(word, bits, move |lane| lane / 4 * 4 + t);
                rows[at % halves as usize].push(taken);
            }
        }
        for &word in b {
            for t in 0..4 {
                for (odd, column) in (0..).zip(&mut columns) {
                    let from = move |lane| (lane % 4 * 2 + odd) * 4 + t;
                    column.push(self.taken_wide(word, bits, from));
                }
            }
        }
        let each = if product.types[0] == "f16" { 2 } else { 1 };
        let mut found = Vec::new();
        for at in 0..results {
            let row = &rows[at * each / 2];
            let parts: Vec<&Vec<Hidden>> = match each {
                2 => vec![&columns[0], &columns[1]],
                _ => vec![&columns[at % 2]],
            };
            let mut sources: Vec<Source> = row.iter().map(|it| it.source()).collect();
            sources.extend(parts.into_iter().flatten().map(|it| it.source()));
            sources.push(c[at].source());
            let (product, count) = (product.clone(), row.len());
            found.push(self.computed(sources, move |s| {
                let (row, rest) = s.split_at(count);
                let addend = rest[rest.len() - 1];
                match each {
                    2 => {
                        let [low, high] = [0, 1].map(|half| {
                            let column = &rest[half * count..(half + 1) * count];
                            product.sum(row, column, addend >> (16 * half) & 0xffff)
                        });
                        low | high << 16
                    }
                    _ => product.sum(row, &rest[..count], addend),
                }
            }));
        }
        found
    }

    /// Four products, each of eight lanes: of `4i` to `4i + 3`, and of those 16 above.
    fn quad_pairs(
        &mut self,
        product: &Product,
        [a, b, c]: [&[Hidden]; 3],
        results: usize,
    ) -> Vec<Hidden> {
        let mut sources = Vec::new();
        for words in [a, b] {
            for thread in 0..8 {
                for &word in words {
                    let from = move |lane| lane % 16 / 4 * 4 + thread % 4 + thread / 4 * 16;
                    sources.push(self.taken(word, from).source());
                }
            }
        }
        sources.extend(c.iter().map(|it| it.source()));
        sources.push(lane());
        let mut found = Vec::new();
        for at in 0..results {
            let product = product.clone();
            found.push(self.computed(sources.clone(), move |s| {
                let lane = s[s.len() - 1];
                let thread = lane % 4 + lane / 16 * 4;
                let element = |first: usize, line: u64, k: u64, along_k: bool| {
                    let (holder, place) = match along_k {
                        true => (line, k),
                        false => (line / 4 * 4 + k, line % 4),
                    };
                    s[first + 2 * holder as usize + place as usize / 2] >> (place % 2 * 16) & 0xffff
                };
                let one = |element_of_result: u64| {
                    let i = element_of_result;
                    let [row, column] = match product.types[0] == "f16" {
                        true => [thread, i],
                        false => [
                            (thread & 1) + (i & 2) + thread / 4 * 4,
                            (i & 4) + (thread & 2) + (i & 1),
                        ],
                    };
                    let row: Vec<u64> =
                        (0..4).map(|k| element(0, row, k, product.by_row[0])).collect();
                    let column: Vec<u64> =
                        (0..4).map(|k| element(16, column, k, !product.by_row[1])).collect();
                    let addend = match product.types[0] == "f16" {
                        true => s[32 + i as usize / 2] >> (i % 2 * 16) & 0xffff,
                        false => s[32 + i as usize],
                    };
                    let single: Vec<u64> = row.into_iter().chain(column).collect();
                    product.sum_of_halves(&single[..4], &single[4..], addend)
                };
                match product.types[0] == "f16" {
                    true => one(2 * at as u64) | one(2 * at as u64 + 1) << 16,
                    false => one(at as u64),
                }
            }));
        }
        found
    }

    pub(crate) fn computed(
        &mut self,
        sources: Vec<Source>,
        f: impl Fn(&[u64]) -> u64 + Send + Sync + 'static,
    ) -> Hidden {
        let to = Hidden(self.resolver.hidden());
        let compute: Compute = Box::new(move |s, _| [f(s), 0]);
        let results = vec![to.destination()];
        self.code.push(Operation::Compute { compute, sources, results });
        to
    }
}

impl Product {
    /// The format of a type of the result or of `c`.
    fn format(name: &str) -> Format {
        if name == "f16" { HALF } else { SINGLE }
    }

    /// The bits of an element of the result: of words of a row and a column, and the addend.
    fn sum(&self, row: &[u64], column: &[u64], addend: u64) -> u64 {
        let pairs = row.iter().zip(column);
        match self.types[0].as_str() {
            "f64" => pairs
                .fold(addend, |sum, (&a, &b)| DOUBLE.multiply_add(a, b, sum, Rounding::Nearest)),
            "s32" => {
                let products = pairs.map(|(&a, &b)| self.integers(a, b));
                let sum = products.sum::<i64>() + signed(addend, 32);
                match self.saturates {
                    true => sum.clamp(i32::MIN.into(), i32::MAX.into()) as u32 as u64,
                    false => sum as u32 as u64,
                }
            }
            _ => {
                let mut terms = vec![Product::format(&self.types[3]).number(addend)];
                for (&a, &b) in pairs {
                    for at in 0..32 / self.bits() {
                        let [a, b] =
                            [(a, &self.types[1]), (b, &self.types[2])].map(|(word, of)| {
                                let bits = word >> (at * self.bits()) & ((1 << self.bits()) - 1);
                                number(bits, of)
                            });
                        terms.push(times(a, b));
                    }
                }
                Product::format(&self.types[0]).of(exact_sum(&terms), Rounding::Nearest)
            }
        }
    }

    /// The same of halves, an element each.
    fn sum_of_halves(&self, row: &[u64], column: &[u64], addend: u64) -> u64 {
        let mut terms = vec![Product::format(&self.types[3]).number(addend)];
        let pairs = row.iter().zip(column);
        terms.extend(pairs.map(|(&a, &b)| times(HALF.number(a), HALF.number(b))));
        Product::format(&self.types[0]).of(exact_sum(&terms), Rounding::Nearest)
    }

    /// The sum of the products of the elements of two words of integers or bits.
    fn integers(&self, a: u64, b: u64) -> i64 {
        let bits = self.bits() as u32;
        if bits == 1 {
            let both = if self.differs { a ^ b } else { a & b };
            return (both as u32).count_ones().into();
        }
        let element = |word: u64, at: u32, of: &str| {
            let value = word >> (at * bits) & ((1 << bits) - 1);
            if of.starts_with('s') { signed(value, bits) } else { value as i64 }
        };
        let products = (0..32 / bits)
            .map(|at| element(a, at, &self.types[1]) * element(b, at, &self.types[2]));
        products.sum()
    }
}

/// The value of an element.
fn number(bits: u64, of: &str) -> Number {
    match of {
        "f16" => HALF.number(bits),
        "bf16" => BRAIN.number(bits),
        "tf32" => SINGLE.number(bits >> 13 << 13),
        "e5m2" => HALF.number(bits << 8),
        _ => {
            let (negative, biased, fraction) = (bits >> 7 != 0, bits >> 3 & 15, bits & 7);
            match (biased, fraction) {
                (15, 7) => Number::Nan,
                (0, _) => Number::Finite { negative, significand: fraction.into(), exponent: -9 },
                _ => {
                    let significand = u128::from(fraction | 8);
                    Number::Finite { negative, significand, exponent: biased as i32 - 10 }
                }
            }
        }
    }
}

/// The value of a float of eight bits.
pub(crate) fn eighth(bits: u64, of: &str) -> f64 {
    let sign = |negative| if negative { -1.0 } else { 1.0 };
    match number(bits, of) {
        Number::Nan => f64::NAN,
        Number::Infinite(negative) => sign(negative) * f64::INFINITY,
        Number::Finite { negative, significand, exponent } => {
            sign(negative) * significand as f64 * f64::from(exponent).exp2()
        }
    }
}

/// The exact product.
fn times(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan, _) | (_, Nan) => Nan,
        (Infinite(one), Infinite(other)) => Infinite(one != other),
        (Infinite(one), Finite { negative, significand, .. })
        | (Finite { negative, significand, .. }, Infinite(one)) => match significand {
            0 => Nan,
            _ => Infinite(one != negative),
        },
        (
            Finite { negative, significand, exponent },
            Finite { negative: other, significand: by, exponent: more },
        ) => Finite {
            negative: negative != other,
            significand: significand * by,
            exponent: exponent + more,
        },
    }
}

/// The exact sum, cut after its upper 96 bits; a bit below them makes the last one odd.
fn exact_sum(terms: &[Number]) -> Number {
    let mut infinite = [false; 2];
    let mut least = i32::MAX;
    for term in terms {
        match *term {
            Number::Nan => return Number::Nan,
            Number::Infinite(negative) => infinite[usize::from(negative)] = true,
            Number::Finite { significand, exponent, .. } if significand != 0 => {
                least = least.min(exponent);
            }
            Number::Finite { .. } => {}
        }
    }
    match infinite {
        [true, true] => return Number::Nan,
        [false, false] => {}
        [_, negative] => return Number::Infinite(negative),
    }
    let mut sums = [Natural::default(), Natural::default()];
    let mut all_negative = true;
    for term in terms {
        if let Number::Finite { negative, significand, exponent } = *term {
            all_negative &= negative;
            if significand != 0 {
                sums[usize::from(negative)].add(significand, (exponent - least) as usize);
            }
        }
    }
    let [positive, negative] = sums;
    let (negative, difference) = match positive.less(&negative) {
        Some(difference) => (false, difference),
        None => (true, negative.less(&positive).unwrap_or_default()),
    };
    let (significand, dropped) = difference.upper();
    match significand {
        0 => Number::Finite { negative: all_negative, significand: 0, exponent: 0 },
        _ => Number::Finite { negative, significand, exponent: least + dropped },
    }
}

/// A natural number: its binary digits, the lowest first.
#[derive(Clone, Debug, Default)]
struct Natural(Vec<bool>);

impl Natural {
    fn digit(&self, at: usize) -> bool {
        self.0.get(at).copied().unwrap_or(false)
    }

    fn add(&mut self, value: u128, shift: usize) {
        let mut carry = false;
        let mut at = 0;
        while at < 128 || carry {
            let digit = at < 128 && value >> at & 1 != 0;
            let place = shift + at;
            if self.0.len() <= place {
                self.0.resize(place + 1, false);
            }
            let sum = u8::from(self.0[place]) + u8::from(digit) + u8::from(carry);
            self.0[place] = sum & 1 != 0;
            carry = sum > 1;
            at += 1;
        }
    }

    /// The difference; `None` if the other one is larger.
    fn less(&self, other: &Natural) -> Option<Natural> {
        let mut borrow = false;
        let digits = (0..self.0.len().max(other.0.len())).map(|at| {
            let digit = i8::from(self.digit(at)) - i8::from(other.digit(at)) - i8::from(borrow);
            borrow = digit < 0;
            digit & 1 != 0
        });
        let digits = digits.collect();
        (!borrow).then_some(Natural(digits))
    }

    /// The upper 96 digits, the last one odd if one below is; and the number of those below.
    fn upper(&self) -> (u128, i32) {
        let Some(top) = self.0.iter().rposition(|&digit| digit) else {
            return (0, 0);
        };
        let dropped = (top + 1).saturating_sub(96);
        let kept = (dropped..=top).rev().fold(0, |all, at| all << 1 | u128::from(self.digit(at)));
        let rest = self.0[..dropped].iter().any(|&digit| digit);
        (kept | u128::from(rest), dropped as i32)
    }
}
