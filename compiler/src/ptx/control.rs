//! Control flow: branches, returns, traps.

use super::Result;
use super::kernel::{Ins, Kernel, Symbol};
use super::operand::U32;
use crate::ir::Value;
use reconverge_isa::Op;
use reconverge_ptx::tree::OperandKind;

impl Kernel<'_, '_> {
    /// `bra` and `brx.idx`, under a condition.
    pub fn branch(&mut self, ins: Ins, condition: Option<Value>) -> Result<()> {
        if ins.mnemonic() == "brx" {
            return self.branch_by_index(ins, condition);
        }
        let label = match &ins.operand(0)?.kind {
            OperandKind::Name(name) => self.label(name),
            _ => None,
        };
        let label = label.ok_or_else(|| ins.refused("has no label"))?;
        self.keep_loop(label);
        let target = self.target(label);
        match condition {
            None => self.builder.jump(target),
            Some(condition) => {
                let next = self.builder.block();
                self.builder.branch(condition, target, next);
                self.builder.enter_sealed(next);
            }
        }
        self.jumped(label);
        Ok(())
    }

    /// Keeps a loop from being unrolled whose text says so, where its last branch is.
    fn keep_loop(&mut self, label: u32) {
        if self.keeps_loop(label) {
            let location = self.builder.location();
            self.builder.unroll(location, 1);
        }
    }

    /// A comparison and a branch for each label but the last.
    fn branch_by_index(&mut self, ins: Ins, condition: Option<Value>) -> Result<()> {
        let index = self.value(ins.operand(0)?, U32)?;
        let labels = match &ins.operand(1)?.kind {
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some((Symbol::Table(labels), _)) => labels.clone(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        let Some((&last, others)) = labels.split_last() else {
            return Err(ins.refused("has no labels"));
        };
        let after = condition.map(|condition| {
            let (taken, after) = (self.builder.block(), self.builder.block());
            self.builder.branch(condition, taken, after);
            self.builder.enter_sealed(taken);
            after
        });
        for (at, &label) in others.iter().enumerate() {
            let at = self.builder.word(at as u32);
            let is = self.builder.compute(Op::SetEqualI32, &[index, at]);
            let (target, next) = (self.target(label), self.builder.block());
            self.builder.branch(is, target, next);
            self.builder.enter_sealed(next);
        }
        let target = self.target(last);
        self.builder.jump(target);
        if let Some(after) = after {
            self.builder.enter_sealed(after);
        }
        Ok(())
    }

    /// Instructions that end a function, a thread or the run, and those that do nothing.
    pub fn control(&mut self, ins: Ins) -> Result<()> {
        match ins.mnemonic() {
            "ret" => match self.inlined.last().and_then(|function| function.after) {
                Some(after) => self.builder.jump(after),
                None => self.builder.end_thread(),
            },
            "exit" => self.builder.end_thread(),
            "trap" | "brkpt" => {
                let reason = self.builder.word(u32::from(ins.mnemonic() == "brkpt"));
                self.builder.collective(Op::Trap, &[reason]);
            }
            _ => {}
        }
        Ok(())
    }
}
