//! Matrices of 8 rows of 8 halves that a warp holds: `ldmatrix`, `stmatrix` and `movmatrix`, an instruction of the machine each.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::memory::Target;
use super::operand::B32;
use crate::ir::{Type, Value};
use reconverge_isa::Op;
use reconverge_ptx::tree::{Operand, OperandKind};

impl Kernel<'_, '_> {
    /// An instruction of matrices, at which the lanes of a warp are together.
    pub fn matrix(&mut self, ins: Ins) -> Result<()> {
        match ins.mnemonic() {
            "ldmatrix" => self.load_matrices(ins),
            "stmatrix" => self.store_matrices(ins),
            _ => {
                let value = self.value(ins.operand(1)?, B32)?;
                let value = self.builder.collective(Op::TransposeMatrix, &[value]);
                self.result(ins, value, B32)
            }
        }
    }

    /// The address of a lane's row.
    fn row(&mut self, ins: Ins, operand: &Operand) -> Result<Value> {
        let Target::Address(address, _) = self.accessed(ins, operand)? else {
            return Err(ins.refused("does not access the kernel's parameters"));
        };
        Ok(self.builder.word_of(address))
    }

    fn load_matrices(&mut self, ins: Ins) -> Result<()> {
        let address = self.row(ins, ins.operand(1)?)?;
        let items = items(ins.operand(0)?);
        let op = operation(ins, "ldmatrix", items.len())?;
        let whole = self.builder.collective(op, &[address]);
        for (at, item) in (0..).zip(items) {
            let word = match items {
                [_] => whole,
                _ => self.builder.part_of(whole, at, Type::B32),
            };
            self.write(item, word, B32)?;
        }
        Ok(())
    }

    fn store_matrices(&mut self, ins: Ins) -> Result<()> {
        let address = self.row(ins, ins.operand(0)?)?;
        let items = items(ins.operand(1)?);
        let op = operation(ins, "stmatrix", items.len())?;
        let values = items.iter().map(|item| self.value(item, B32));
        let values = values.collect::<Result<Vec<Value>>>()?;
        let stored = self.builder.wide(&values);
        self.builder.collective(op, &[address, stored]);
        Ok(())
    }
}

/// The operation that loads or stores so many matrices.
fn operation(ins: Ins, name: &str, count: usize) -> Result<Op> {
    let transposed = if ins.has("trans") { ".trans" } else { "" };
    let op = Op::from_mnemonic(&format!("{name}.x{count}{transposed}"));
    op.ok_or_else(|| ins.refused("names 1, 2 or 4 matrices"))
}

/// The operands in braces, or the one without.
pub(super) fn items(operand: &Operand) -> &[Operand] {
    match &operand.kind {
        OperandKind::Vector(items) => items,
        _ => std::slice::from_ref(operand),
    }
}
