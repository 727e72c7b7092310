//! Matrices of 8 rows of 8 halves that a warp holds: `ldmatrix`, `stmatrix` and `movmatrix`.
//!
//! Lane `l` holds elements `2(l mod 4)` and `2(l mod 4) + 1` of row `l / 4` in a word.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::memory::Target;
use super::operand::B32;
use crate::ir::{Access, Value};
use reconverge_isa::{Op, Width};
use reconverge_ptx::tree::OperandKind;

impl Kernel<'_, '_> {
    /// An instruction of matrices, at which the lanes of a warp are together.
    pub fn matrix(&mut self, ins: Ins) -> Result<()> {
        let all = self.builder.word(u32::MAX);
        self.builder.collective(Op::WarpSync, &[all]);
        match ins.mnemonic() {
            "ldmatrix" => self.load_matrices(ins),
            "stmatrix" => self.store_matrices(ins),
            _ => self.transpose_matrix(ins),
        }
    }

    /// For each matrix a shuffle of row addresses and a load; if it is transposed, two of each.
    fn load_matrices(&mut self, ins: Ins) -> Result<()> {
        let Target::Address(address, space) = self.accessed(ins, ins.operand(1)?)? else {
            return Err(ins.refused("does not read the kernel's parameters"));
        };
        let address = self.builder.word_of(address);
        let own = self.aligned_row(address);
        let (lane, two, three) = (self.lane(), self.builder.word(2), self.builder.word(3));
        let (row, column) = (
            self.builder.compute(Op::ShrU32, &[lane, two]),
            self.builder.compute(Op::And, &[lane, three]),
        );
        let destination = ins.operand(0)?;
        let items = match &destination.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(destination),
        };
        let mut found = Vec::new();
        for matrix in 0..items.len() as u32 {
            if !ins.has("trans") {
                let offset = self.builder.compute(Op::Shl, &[column, two]);
                let at = self.row_of(own, row, 8 * matrix, offset);
                let access = Access { space, width: Width::B32, ..Access::default() };
                found.push(self.builder.load(access, at));
                continue;
            }
            let one = self.builder.word(1);
            let pair = self.builder.compute(Op::Shl, &[column, one]);
            let offset = self.builder.compute(Op::Shl, &[row, one]);
            let halves = [0, 1].map(|half| {
                let at = self.row_of(own, pair, 8 * matrix + half, offset);
                let access = Access { space, width: Width::U16, ..Access::default() };
                self.builder.load(access, at)
            });
            found.push(self.join(&halves, 16, 32));
        }
        for (item, value) in items.iter().zip(found) {
            self.write(item, value, B32)?;
        }
        Ok(())
    }

    /// For each matrix a shuffle of row addresses and a store; if it is transposed, two of each.
    fn store_matrices(&mut self, ins: Ins) -> Result<()> {
        let Target::Address(address, space) = self.accessed(ins, ins.operand(0)?)? else {
            return Err(ins.refused("does not write the kernel's parameters"));
        };
        let source = ins.operand(1)?;
        let items = match &source.kind {
            OperandKind::Vector(items) => items.as_slice(),
            _ => std::slice::from_ref(source),
        };
        let values = items.iter().map(|item| self.value(item, B32));
        let values = values.collect::<Result<Vec<Value>>>()?;
        let address = self.builder.word_of(address);
        let own = self.aligned_row(address);
        let (lane, one, two, three) =
            (self.lane(), self.builder.word(1), self.builder.word(2), self.builder.word(3));
        let (row, column) = (
            self.builder.compute(Op::ShrU32, &[lane, two]),
            self.builder.compute(Op::And, &[lane, three]),
        );
        for (matrix, value) in (0..).zip(values) {
            if !ins.has("trans") {
                let offset = self.builder.compute(Op::Shl, &[column, two]);
                let at = self.row_of(own, row, 8 * matrix, offset);
                let access = Access { space, width: Width::B32, ..Access::default() };
                self.builder.store(access, at, value);
                continue;
            }
            let pair = self.builder.compute(Op::Shl, &[column, one]);
            let offset = self.builder.compute(Op::Shl, &[row, one]);
            for half in [0, 1] {
                let at = self.row_of(own, pair, 8 * matrix + half, offset);
                let access = Access { space, width: Width::U16, ..Access::default() };
                let part = self.part(value, 32, half, 16);
                self.builder.store(access, at, part);
            }
        }
        Ok(())
    }

    /// The address of a row of 16 bytes; an odd number if it is not aligned to them, so that accesses trap.
    fn aligned_row(&mut self, address: Value) -> Value {
        let (fifteen, one) = (self.builder.word(15), self.builder.word(1));
        let low = self.builder.compute(Op::And, &[address, fifteen]);
        let wrong = self.builder.compute(Op::MinU32, &[low, one]);
        self.builder.compute(Op::Or, &[address, wrong])
    }

    /// The address that lane `first + more` has, and bytes after it.
    fn row_of(&mut self, own: Value, first: Value, more: u32, offset: Value) -> Value {
        let (more, width) = (self.builder.word(more), self.builder.word(32));
        let from = self.builder.compute(Op::Add, &[first, more]);
        let row = self.builder.collective(Op::ShuffleIndex, &[own, from, width]);
        self.builder.compute(Op::Add, &[row, offset])
    }

    /// Two shuffles: lane `l` gets element `l / 4` of rows `2(l mod 4)` and `2(l mod 4) + 1`.
    fn transpose_matrix(&mut self, ins: Ins) -> Result<()> {
        let value = self.value(ins.operand(1)?, B32)?;
        let lane = self.lane();
        let [one, two, three, four, width] =
            [1, 2, 3, 4, 32].map(|number| self.builder.word(number));
        let column = self.builder.compute(Op::ShrU32, &[lane, two]);
        let pair = self.builder.compute(Op::ShrU32, &[column, one]);
        let rows = self.builder.compute(Op::And, &[lane, three]);
        let rows = self.builder.compute(Op::Shl, &[rows, three]);
        let first = self.builder.compute(Op::Add, &[rows, pair]);
        let second = self.builder.compute(Op::Add, &[first, four]);
        let odd = self.builder.compute(Op::And, &[column, one]);
        let shift = self.builder.compute(Op::Shl, &[odd, four]);
        let halves = [first, second].map(|from| {
            let word = self.builder.collective(Op::ShuffleIndex, &[value, from, width]);
            let half = self.builder.compute(Op::ShrU32, &[word, shift]);
            self.narrow(half, 16)
        });
        let value = self.join(&halves, 16, 32);
        self.result(ins, value, B32)
    }
}
