//! `wmma` as steps of one thread each. Fragments are those of `mma`, in the layout that the compiler chose too, because programs
//! may look into them.

use crate::Refusal;
use crate::code::{Address, Operation, Source};
use crate::control::Reader;
use crate::float::{self, HALF, Rounding, SINGLE};
use crate::form::{Words, ty};
use crate::matrix::{Hidden, Steps, constant, items};
use crate::product::{Product, lane};
use crate::resolve::Resolver;
use reconverge_ptx::tree::{Instruction, Operand, Type};

/// The sizes of an instruction, its matrix, and bits of an element of that.
#[derive(Clone, Copy, Debug)]
struct Layout {
    m: u64,
    n: u64,
    k: u64,
    which: char,
    bits: u64,
}

impl Layout {
    /// The row and column of element `j` of a register of a lane.
    fn place(self, register: u64, j: u64, lane: u64) -> (u64, u64) {
        let (group, thread) = (lane / 4, lane % 4);
        if self.bits == 64 {
            return match self.which {
                'a' => (group, thread),
                'b' => (thread, group),
                _ => (group, 2 * thread + register),
            };
        }
        let each = 32 / self.bits;
        if self.which == 'c' {
            // Four elements of each of two fragments.
            let element = register * each + j;
            let (second, down, right) = (element / 4, element / 2 % 2, element % 2);
            return match (self.m, self.n) {
                (16, _) => (group + 8 * down, 8 * second + 2 * thread + right),
                (32, _) => (16 * second + group + 8 * down, 2 * thread + right),
                _ => (2 * thread + right, 16 * second + group + 8 * down),
            };
        }
        // Along `k`, and along the other dimension, which is `lines` long.
        let lines = if self.which == 'a' { self.m } else { self.n };
        let is_left = match self.m {
            8 => self.which == 'b',
            _ => self.which == 'a',
        };
        let steps = self.k / (4 * each);
        let word = register % (lines / 8 * steps);
        let (line, k) = match is_left {
            true => {
                let (block, word) = (word / (2 * steps), word % (2 * steps));
                (16 * block + word % 2 * 8, word / 2)
            }
            false => (8 * (word / steps), word % steps),
        };
        let (line, k) = (line + group, (4 * k + thread) * each + j);
        if self.which == 'a' { (line, k) } else { (k, line) }
    }

    /// Elements from a row or column to the next in memory without gaps.
    fn stride(self, by_row: bool) -> u64 {
        let (rows, columns) = match self.which {
            'a' => (self.m, self.k),
            'b' => (self.k, self.n),
            _ => (self.m, self.n),
        };
        if by_row { columns } else { rows }
    }
}

/// The operations of an instruction; `None` for others.
pub(crate) fn operations(
    resolver: &mut Resolver,
    instruction: &Instruction,
) -> Result<Option<Vec<Operation>>, Refusal> {
    if &*instruction.mnemonic.text != "wmma" {
        return Ok(None);
    }
    let fault = |message| Refusal { span: instruction.span, message };
    let words: Vec<&str> = instruction.modifiers.iter().map(|word| &*word.text).collect();
    let sizes = words.iter().find_map(|word| {
        let (m, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (n, k) = rest.split_once('k')?;
        Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?])
    });
    let [m, n, k] = sizes.ok_or_else(|| fault("`wmma` names no shape".to_owned()))?;
    let layout = Layout { m, n, k, which: 'c', bits: 0 };
    let mut steps = Steps { resolver, code: Vec::new() };
    steps.require_whole_warp();
    match words.first() {
        Some(&"mma") => steps.multiply_fragments(instruction, layout)?,
        Some(&"load") => {
            let which = words.get(1).and_then(|word| word.chars().next()).unwrap_or('c');
            steps.move_fragment(instruction, Layout { which, ..layout }, true)?;
        }
        _ => steps.move_fragment(instruction, layout, false)?,
    }
    Ok(Some(steps.code))
}

impl Steps<'_, '_> {
    fn move_fragment(
        &mut self,
        instruction: &Instruction,
        layout: Layout,
        is_load: bool,
    ) -> Result<(), Refusal> {
        let mut words = Words::of(instruction);
        let reader = Reader { resolver: self.resolver, instruction };
        let space = reader.space(&mut words);
        let element = reader.ty(&mut words)?;
        let layout = Layout { bits: element.bits.into(), ..layout };
        let by_row = words.take("row");
        let address = reader.address(usize::from(is_load), space)?;
        reader.at_most(3)?;
        let stride = match instruction.operands.get(2) {
            Some(_) => reader.source(2, ty("u32"))?,
            None => constant(layout.stride(by_row)),
        };
        let registers = items(reader.operand(usize::from(!is_load))?);
        let of = ty(if element.bits == 64 { "b64" } else { "b32" });
        let (offset, bytes) = (address.offset as u64, layout.bits / 8);
        // Before anything is written: a register may be the address too.
        let base = self.compute(address.base, move |base, _| base.wrapping_add(offset));
        let stride = self.compute(stride, |stride, _| stride);
        let mut found = Vec::new();
        for (register, item) in (0..).zip(&registers) {
            let mut parts = Vec::new();
            for j in 0..(32 / layout.bits).max(1) {
                let sources = vec![base.source(), stride.source(), lane()];
                let at = self.computed(sources, move |s| {
                    let (row, column) = layout.place(register, j, s[2]);
                    let (outer, inner) = if by_row { (row, column) } else { (column, row) };
                    s[0].wrapping_add((outer * s[1] + inner).wrapping_mul(bytes))
                });
                let address = Address { base: at.source(), offset: 0, space };
                if is_load {
                    let value = Hidden(self.resolver.hidden());
                    let results = vec![value.destination()];
                    self.code.push(Operation::Load { address, bytes: bytes as u32, results });
                    parts.push(value);
                } else {
                    let source = self.resolver.source(item, of)?;
                    let part = self.compute(source, move |word, _| match bytes {
                        2 => word >> (16 * j) & 0xffff,
                        _ => word,
                    });
                    let sources = vec![part.source()];
                    self.code.push(Operation::Store { address, bytes: bytes as u32, sources });
                }
            }
            if is_load {
                let sources: Vec<Source> = parts.iter().map(|part| part.source()).collect();
                found.push(self.computed(sources, move |s| {
                    let placed = (0..).zip(s).map(|(at, part)| part << (8 * bytes * at % 64));
                    placed.fold(0, |all, part| all | part)
                }));
            }
        }
        if is_load {
            let results = registers.iter().map(|it| self.resolver.destination(it, of));
            let results = results.collect::<Result<Vec<_>, _>>()?;
            self.finish(found, results);
        }
        Ok(())
    }

    fn multiply_fragments(
        &mut self,
        instruction: &Instruction,
        layout: Layout,
    ) -> Result<(), Refusal> {
        const TYPES: [&str; 8] = ["f16", "f32", "f64", "bf16", "tf32", "s32", "u8", "s8"];
        let words: Vec<&str> = instruction.modifiers.iter().map(|word| &*word.text).collect();
        let named: Vec<String> =
            words.iter().filter(|word| TYPES.contains(word)).map(ToString::to_string).collect();
        let (d, c) = match (named.first(), named.last()) {
            (Some(d), Some(c)) => (d.clone(), c.clone()),
            _ => (String::new(), String::new()),
        };
        let [a, b] = match named.as_slice() {
            [_, a, b, _] => [a.clone(), b.clone()],
            _ => ["f16".to_owned(), "f16".to_owned()],
        };
        let of: Type = ty(if d == "f64" { "b64" } else { "b32" });
        let reader = Reader { resolver: self.resolver, instruction };
        reader.at_most(4)?;
        let [to, left, right, sums] = [0, 1, 2, 3].map(|at| reader.operand(at).map(items));
        let results = to?
            .iter()
            .map(|it| self.resolver.destination(it, of))
            .collect::<Result<Vec<_>, _>>()?;
        let mut own = |items: Vec<Operand>| -> Result<Vec<Hidden>, Refusal> {
            let each = items.iter().map(|it| self.resolver.source(it, of));
            let sources = each.collect::<Result<Vec<Source>, _>>()?;
            Ok(sources.into_iter().map(|it| self.compute(it, |value, _| value)).collect())
        };
        let (left, right, mut sums) = (own(left?)?, own(right?)?, own(sums?)?);
        let sum = if d == "f16" && c == "f32" { "f32" } else { d.as_str() };
        if c == "f16" && sum == "f32" {
            let mut singles = Vec::new();
            for pair in sums {
                for by in [0, 16] {
                    singles.push(self.compute(pair.source(), move |pair, _| {
                        float::convert(pair >> by & 0xffff, HALF, SINGLE, Rounding::Nearest)
                    }));
                }
            }
            sums = singles;
        }
        let is_wide = layout.n == 32;
        let (left, right, a, b) = if is_wide { (right, left, b, a) } else { (left, right, a, b) };
        let bits = ty(&a).bits;
        let rows = if d == "f64" { 8 } else { 16 };
        let saturates = words.contains(&"satfinite");
        let types = [sum.to_owned(), a, b, sum.to_owned()];
        let product = Product::plain(rows, layout.k, types, saturates);
        let mut found = Vec::new();
        if d == "f64" {
            found = self.fragments(&product, [&left, &right, &sums], 2);
        } else {
            let words = |lines: u64| (lines * layout.k * u64::from(bits) / 1024) as usize;
            let (of_left, of_right) = (words(16), words(8));
            for (at, sums) in sums.chunks(sums.len() / 2).enumerate() {
                let (i, j) = if layout.m == 16 { (0, at) } else { (at, 0) };
                let left = &left[i * of_left..(i + 1) * of_left];
                let right = &right[j * of_right..(j + 1) * of_right];
                found.extend(self.fragments(&product, [left, right, sums], sums.len()));
            }
        }
        if d == "f16" && sum == "f32" {
            let mut halves = Vec::new();
            for pair in found.chunks(2) {
                halves.push(self.computed(vec![pair[0].source(), pair[1].source()], |s| {
                    let half = |bits| float::convert(bits, SINGLE, HALF, Rounding::Nearest);
                    half(s[0]) | half(s[1]) << 16
                }));
            }
            found = halves;
        }
        self.finish(found, results);
        Ok(())
    }
}
