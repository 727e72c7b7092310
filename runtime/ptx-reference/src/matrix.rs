//! Matrices of 8 rows of 8 halves that a warp holds: `ldmatrix`, `stmatrix` and `movmatrix`, as steps of one thread each.

use crate::Refusal;
use crate::code::{Address, Destination, Operation, Source, Special, Value, Wait, WarpKind};
use crate::control::Reader;
use crate::form::{Compute, Words, ty};
use crate::resolve::Resolver;
use reconverge_ptx::tree::{Instruction, Operand, OperandKind};

/// The place of an element that a lane holds: matrix element `(row, column)` of lane and half.
fn element(lane: u64, half: u64, transposed: bool) -> (u64, u64) {
    let (row, column) = (lane / 4, 2 * (lane % 4) + half);
    if transposed { (column, row) } else { (row, column) }
}

/// The operations of an instruction of matrices; `None` for others.
pub(crate) fn operations(
    resolver: &mut Resolver,
    instruction: &Instruction,
) -> Result<Option<Vec<Operation>>, Refusal> {
    let mnemonic = &*instruction.mnemonic.text;
    if !["ldmatrix", "stmatrix", "movmatrix"].contains(&mnemonic) {
        return Ok(None);
    }
    let mut words = Words::of(instruction);
    words.skip(|word| ["sync", "aligned", "m8n8"].contains(&word));
    let mut steps = Steps { resolver, code: Vec::new() };
    steps.require_whole_warp();
    match mnemonic {
        "ldmatrix" => steps.load(instruction, &mut words)?,
        "stmatrix" => steps.store(instruction, &mut words)?,
        _ => steps.transpose(instruction, &mut words)?,
    }
    let fault = |message| Refusal { span: instruction.span, message };
    words.ty().map_err(fault)?;
    words.finish().map_err(fault)?;
    Ok(Some(steps.code))
}

/// A register that no text names.
#[derive(Clone, Copy)]
pub(crate) struct Hidden(pub(crate) usize);

impl Hidden {
    pub(crate) fn source(self) -> Source {
        Source { value: Value::Register(self.0), bits: 64, inverted: false }
    }

    pub(crate) fn destination(self) -> Option<Destination> {
        Some(Destination { register: self.0, width: 64, bits: 64, signed: false })
    }
}

pub(crate) fn constant(bits: u64) -> Source {
    Source { value: Value::Constant(bits), bits: 64, inverted: false }
}

/// The steps of an instruction of matrices so far.
pub(crate) struct Steps<'a, 'r> {
    pub(crate) resolver: &'a mut Resolver<'r>,
    pub(crate) code: Vec<Operation>,
}

impl Steps<'_, '_> {
    /// Computes from a source and the lane.
    pub(crate) fn compute(
        &mut self,
        source: Source,
        f: impl Fn(u64, u64) -> u64 + Send + Sync + 'static,
    ) -> Hidden {
        let to = Hidden(self.resolver.hidden());
        let compute: Compute = Box::new(move |s, _| [f(s[0], s[1]), 0]);
        let lane = Source { value: Value::Special(Special::Lane), bits: 32, inverted: false };
        let results = vec![to.destination()];
        self.code.push(Operation::Compute { compute, sources: vec![source, lane], results });
        to
    }

    pub(crate) fn meet(
        &mut self,
        kind: WarpKind,
        sources: Vec<Source>,
        result: Option<Destination>,
    ) {
        let mask = Some(constant(u32::MAX.into()));
        self.code.push(Operation::Wait(Wait::Warp {
            kind,
            mask,
            sources,
            results: [result, None],
        }));
    }

    /// The value of another lane.
    pub(crate) fn taken(
        &mut self,
        value: Hidden,
        from: impl Fn(u64) -> u64 + Send + Sync + 'static,
    ) -> Hidden {
        let from = self.compute(constant(0), move |_, lane| from(lane));
        let to = Hidden(self.resolver.hidden());
        let sources = vec![value.source(), from.source(), constant(31)];
        self.meet(WarpKind::ShuffleIndex, sources, to.destination());
        to
    }

    fn load(&mut self, instruction: &Instruction, words: &mut Words) -> Result<(), Refusal> {
        let reader = Reader { resolver: self.resolver, instruction };
        let space = reader.space(words);
        let address = reader.address(1, space)?;
        reader.at_most(2)?;
        let destination = reader.operand(0)?;
        let items = items(destination);
        let count = match words.one_of(&["x1", "x2", "x4"]) {
            Some("x4") => 4,
            Some("x2") => 2,
            _ => 1,
        };
        if items.len() != count {
            return reader.refuse(format!("{} destinations for {count} matrices", items.len()));
        }
        let results = items.iter().map(|it| self.resolver.destination(it, ty("b32")));
        let results = results.collect::<Result<Vec<_>, _>>()?;
        let transposed = words.take("trans");
        // A row that is not aligned to its 16 bytes gets an odd address, which faults.
        let offset = address.offset as u64;
        let own = self.compute(address.base, move |base, _| {
            let at = base.wrapping_add(offset);
            if at.is_multiple_of(16) { at } else { at | 1 }
        });
        let mut found = Vec::new();
        for matrix in 0..count as u64 {
            let mut word = None;
            for half in [0, 1] {
                let from = move |lane| 8 * matrix + element(lane, half, transposed).0;
                let row = self.taken(own, from);
                let at = self.compute(row.source(), move |row, lane| {
                    row.wrapping_add(2 * element(lane, half, transposed).1)
                });
                let value = Hidden(self.resolver.hidden());
                let address = Address { base: at.source(), offset: 0, space };
                let results = vec![value.destination()];
                self.code.push(Operation::Load { address, bytes: 2, results });
                word = Some(self.with_half(word, value, half));
            }
            found.extend(word);
        }
        // No lane goes on and changes a row before all lanes have read theirs.
        self.meet(WarpKind::Barrier, Vec::new(), None);
        self.finish(found, results);
        Ok(())
    }

    fn store(&mut self, instruction: &Instruction, words: &mut Words) -> Result<(), Refusal> {
        let reader = Reader { resolver: self.resolver, instruction };
        let space = reader.space(words);
        let address = reader.address(0, space)?;
        reader.at_most(2)?;
        let source = reader.operand(1)?;
        let items = items(source);
        let count = match words.one_of(&["x1", "x2", "x4"]) {
            Some("x4") => 4,
            Some("x2") => 2,
            _ => 1,
        };
        if items.len() != count {
            return reader.refuse(format!("{} sources for {count} matrices", items.len()));
        }
        let sources = items.iter().map(|it| self.resolver.source(it, ty("b32")));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        let transposed = words.take("trans");
        let offset = address.offset as u64;
        let own = self.compute(address.base, move |base, _| {
            let at = base.wrapping_add(offset);
            if at.is_multiple_of(16) { at } else { at | 1 }
        });
        for (matrix, source) in (0..).zip(sources) {
            for half in [0, 1] {
                let from = move |lane| 8 * matrix + element(lane, half, transposed).0;
                let row = self.taken(own, from);
                let at = self.compute(row.source(), move |row, lane| {
                    row.wrapping_add(2 * element(lane, half, transposed).1)
                });
                let part = self.compute(source, move |value, _| value >> (16 * half) & 0xffff);
                let address = Address { base: at.source(), offset: 0, space };
                let sources = vec![part.source()];
                self.code.push(Operation::Store { address, bytes: 2, sources });
            }
        }
        Ok(())
    }

    fn transpose(&mut self, instruction: &Instruction, words: &mut Words) -> Result<(), Refusal> {
        words.take("trans");
        let reader = Reader { resolver: self.resolver, instruction };
        let source = self.resolver.source(reader.operand(1)?, ty("b32"))?;
        reader.at_most(2)?;
        let result = self.resolver.destination(reader.operand(0)?, ty("b32"))?;
        let own = self.compute(source, |value, _| value);
        let mut word = None;
        for half in [0, 1] {
            // The lane and half that hold the element.
            let place = move |lane| {
                let (row, column) = element(lane, half, true);
                (4 * row + column / 2, column % 2)
            };
            let value = self.taken(own, move |lane| place(lane).0);
            let value = self
                .compute(value.source(), move |value, lane| value >> (16 * place(lane).1) & 0xffff);
            word = Some(self.with_half(word, value, half));
        }
        self.finish(word.into_iter().collect(), vec![result]);
        Ok(())
    }

    /// A word with another half.
    fn with_half(&mut self, word: Option<Hidden>, value: Hidden, half: u64) -> Hidden {
        let Some(word) = word else {
            return value;
        };
        let joined = Hidden(self.resolver.hidden());
        let compute: Compute = Box::new(move |s, _| [s[0] | s[1] << (16 * half), 0]);
        let sources = vec![word.source(), value.source()];
        let results = vec![joined.destination()];
        self.code.push(Operation::Compute { compute, sources, results });
        joined
    }

    pub(crate) fn finish(&mut self, found: Vec<Hidden>, results: Vec<Option<Destination>>) {
        for (value, result) in found.into_iter().zip(results) {
            let compute: Compute = Box::new(|s, _| [s[0], 0]);
            let sources = vec![value.source()];
            self.code.push(Operation::Compute { compute, sources, results: vec![result] });
        }
    }
}

/// The items of a vector, or an operand by itself.
pub(crate) fn items(operand: &Operand) -> Vec<Operand> {
    match &operand.kind {
        OperandKind::Vector(items) => items.clone(),
        _ => vec![operand.clone()],
    }
}
