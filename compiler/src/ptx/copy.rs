//! Asynchronous copies from global to shared memory: `cp.async`.

use super::kernel::{Ins, Kernel, Symbol};
use super::memory::Target;
use super::operand::{PREDICATE, U32};
use super::{Refused, Result};
use crate::ir::Value;
use reconverge_isa::{MAX_PENDING_GROUPS, Op};
use reconverge_ptx::Constant;
use reconverge_ptx::tree::{Kind, Operand, OperandKind};

impl Kernel<'_, '_> {
    /// A copy, the end of a group, or a wait.
    pub fn asynchronous_copy(&mut self, ins: Ins) -> Result<()> {
        match ins.one_of(&["commit_group", "wait_group", "wait_all"]) {
            None => self.start_copy(ins),
            Some("commit_group") => {
                self.builder.collective(Op::CommitCopies, &[]);
                Ok(())
            }
            Some("wait_group") => {
                let pending = constant(ins, ins.operand(0)?)?;
                // A longer wait is one too.
                self.await_copies(pending.min(MAX_PENDING_GROUPS.into()) as u32);
                Ok(())
            }
            Some(_) => {
                self.await_all_copies();
                Ok(())
            }
        }
    }

    /// Waits for all copies, also those that no group has yet.
    pub fn await_all_copies(&mut self) {
        self.builder.collective(Op::CommitCopies, &[]);
        self.await_copies(0);
    }

    fn await_copies(&mut self, pending: u32) {
        let pending = self.builder.word(pending);
        self.builder.collective(Op::AwaitCopies, &[pending]);
    }

    fn start_copy(&mut self, ins: Ins) -> Result<()> {
        let size = constant(ins, ins.operand(2)?)?;
        let op = match (size, ins.has("cg")) {
            (4, false) => Op::CopyAsync4,
            (8, false) => Op::CopyAsync8,
            (16, false) => Op::CopyAsync16,
            (16, true) => Op::CopyAsync16Cg,
            _ => {
                let message = format!("`{}` cannot copy {size} bytes", ins.it.spelled());
                let help = "`cp.async.ca` copies 4, 8 or 16 bytes, `cp.async.cg` 16";
                return Err(Refused::new(ins.operand(2)?.span, message).help(help));
            }
        };
        let policy = usize::from(ins.has("L2::cache_hint"));
        let count = match ins.it.operands.get(3).filter(|_| ins.it.operands.len() > 3 + policy) {
            Some(count) => self.copied(count, size as u32)?,
            None => self.builder.word(size as u32),
        };
        let [to, from] = [0, 1].map(|at| match self.accessed(ins, ins.operand(at)?)? {
            Target::Address(address, _) => Ok(self.builder.word_of(address)),
            Target::Parameter(..) => Err(ins.refused("does not copy the kernel's parameters")),
        });
        self.builder.collective(op, &[from?, to?, count]);
        Ok(())
    }

    /// The bytes that a copy of `size` bytes reads: a number, or none where a predicate holds.
    fn copied(&mut self, count: &Operand, size: u32) -> Result<Value> {
        let is_predicate = match &count.kind {
            OperandKind::Not(_) => true,
            OperandKind::Name(name) => matches!(
                self.scopes.find(name),
                Some((Symbol::Register(_, ty), _)) if ty.kind == Kind::Predicate
            ),
            OperandKind::Constant(constant)
                if constant.integer().is_some_and(|it| it > size.into()) =>
            {
                let message = format!("more than the {size} bytes that are copied cannot be read");
                return Err(
                    Refused::new(count.span, message).help("the source has at most as many bytes")
                );
            }
            _ => false,
        };
        if !is_predicate {
            return self.value(count, U32);
        }
        let ignores = self.value(count, PREDICATE)?;
        let (none, all) = (self.builder.word(0), self.builder.word(size));
        Ok(self.builder.compute(Op::Select, &[ignores, none, all]))
    }
}

/// An operand that is a constant.
fn constant(ins: Ins, operand: &Operand) -> Result<u64> {
    match &operand.kind {
        OperandKind::Constant(Constant::Integer { bits, .. }) => Ok(*bits),
        _ => Err(ins.refused("takes a constant here")),
    }
}
