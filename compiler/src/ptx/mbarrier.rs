//! Barriers in shared memory: `mbarrier`, and the arrivals of asynchronous copies there.
//!
//! An arrival is an atomic operation, and a test a volatile load. A thread that arrives for its copies waits for them first.

use super::Result;
use super::kernel::{Ins, Kernel};
use super::memory::Target;
use super::operand::{B64, PREDICATE, U32};
use crate::ir::{Access, Type, Value};
use crate::lower::collective::FENCE_BLOCK;
use reconverge_isa::phase::{ARRIVALS, BYTES, HIGHEST};
use reconverge_isa::{Op, Space, Width};

/// The operation of one more arrival that is expected in the current phase.
const ONE_MORE: u64 = HIGHEST | 1;

impl Kernel<'_, '_> {
    /// An instruction of a barrier in memory.
    pub fn barrier_in_memory(&mut self, ins: Ins) -> Result<()> {
        let operations = [
            "init",
            "inval",
            "arrive",
            "arrive_drop",
            "test_wait",
            "try_wait",
            "pending_count",
            "expect_tx",
            "complete_tx",
        ];
        match ins.one_of(&operations) {
            Some("init") => {
                let count = self.wide_count(ins, 1)?;
                let expected = self.moved(count, ARRIVALS);
                let word = self.builder.compute(Op::Or64, &[count, expected]);
                self.set_barrier(ins, word)
            }
            Some("inval") => {
                let none = self.builder.constant(Type::B64, 0);
                self.set_barrier(ins, none)
            }
            Some("test_wait" | "try_wait") => self.test_barrier(ins),
            Some("pending_count") => {
                let state = self.value(ins.operand(1)?, B64)?;
                let (low, mask) = (
                    self.builder.compute(Op::Low, &[state]),
                    self.builder.word((1 << ARRIVALS) - 1),
                );
                let pending = self.builder.compute(Op::And, &[low, mask]);
                self.result(ins, pending, U32)
            }
            Some("expect_tx") if !ins.has("arrive") && !ins.has("arrive_drop") => {
                let bytes = self.wide_count(ins, 1)?;
                let operation = self.moved(bytes, BYTES);
                self.operate(ins, 0, operation).map(|_| ())
            }
            Some("complete_tx") => {
                let (none, bytes) = (self.builder.constant(Type::B64, 0), self.wide_count(ins, 1)?);
                let negative = self.builder.compute(Op::Sub64, &[none, bytes]);
                let operation = self.moved(negative, BYTES);
                // The sign of an operation has a meaning of its own.
                let rest = self.builder.constant(Type::B64, !HIGHEST);
                let operation = self.builder.compute(Op::And64, &[operation, rest]);
                self.operate(ins, 0, operation).map(|_| ())
            }
            _ => self.arrive(ins),
        }
    }

    /// An arrival of the thread.
    fn arrive(&mut self, ins: Ins) -> Result<()> {
        let one = self.builder.constant(Type::B64, 1);
        let (arrivals, bytes) = match (ins.it.operands.get(2), ins.has("expect_tx")) {
            (None, _) => (one, None),
            (Some(_), true) => (one, Some(self.wide_count(ins, 2)?)),
            (Some(_), false) => (self.wide_count(ins, 2)?, None),
        };
        let mut operation = arrivals;
        let mut parts = Vec::new();
        if ins.has("arrive_drop") {
            parts.push(self.moved(arrivals, ARRIVALS));
        }
        if let Some(bytes) = bytes {
            parts.push(self.moved(bytes, BYTES));
        }
        for part in parts {
            operation = self.builder.compute(Op::Or64, &[operation, part]);
        }
        let state = self.operate(ins, 1, operation)?;
        self.result(ins, state, B64)
    }

    /// Arrives at a barrier when the thread's copies have: it waits for them.
    pub fn arrive_with_copies(&mut self, ins: Ins) -> Result<()> {
        if !ins.has("noinc") {
            // The phase cannot end in the meantime.
            let one_more = self.builder.constant(Type::B64, ONE_MORE);
            self.operate(ins, 0, one_more)?;
        }
        self.await_all_copies();
        let one = self.builder.constant(Type::B64, 1);
        self.operate(ins, 0, one).map(|_| ())
    }

    /// Changes the barrier at operand `at`. Gives its word from before, which is what PTX calls its state.
    fn operate(&mut self, ins: Ins, at: usize, operation: Value) -> Result<Value> {
        if !ins.has("relaxed") {
            let block = self.builder.word(FENCE_BLOCK);
            self.builder.collective(Op::Fence, &[block]);
        }
        let address = self.barrier_address(ins, at)?;
        Ok(self.builder.atomic_in(Op::AtomPhase, Space::Shared, &[address, operation]))
    }

    /// The address of a barrier, which is in shared memory.
    fn barrier_address(&mut self, ins: Ins, at: usize) -> Result<Value> {
        match self.accessed(ins, ins.operand(at)?)? {
            Target::Address(address, _) => Ok(address),
            Target::Parameter(..) => Err(ins.refused("needs a barrier in shared memory")),
        }
    }

    fn set_barrier(&mut self, ins: Ins, word: Value) -> Result<()> {
        let address = self.barrier_address(ins, 0)?;
        let access = Access { space: Space::Shared, width: Width::B64, ..Access::default() };
        self.builder.store(access, address, word);
        Ok(())
    }

    /// True if the phase of a state, or of a parity, is over: the barrier has the other parity.
    fn test_barrier(&mut self, ins: Ins) -> Result<()> {
        let address = self.barrier_address(ins, 1)?;
        let (space, width) = (Space::Shared, Width::B64);
        let access = Access { space, width, volatile: true, ..Access::default() };
        let word = self.builder.load(access, address);
        let last = self.builder.word(31);
        let high = self.builder.compute(Op::High, &[word]);
        let parity = self.builder.compute(Op::ShrU32, &[high, last]);
        let own = match ins.has("parity") {
            true => {
                let (own, one) = (self.value(ins.operand(2)?, U32)?, self.builder.word(1));
                self.builder.compute(Op::And, &[own, one])
            }
            false => {
                let state = self.value(ins.operand(2)?, B64)?;
                let high = self.builder.compute(Op::High, &[state]);
                self.builder.compute(Op::ShrU32, &[high, last])
            }
        };
        let is_over = self.builder.compute(Op::SetNotEqualI32, &[parity, own]);
        self.result(ins, is_over, PREDICATE)
    }

    /// A count as a word of 64 bits.
    fn wide_count(&mut self, ins: Ins, at: usize) -> Result<Value> {
        let count = self.value(ins.operand(at)?, U32)?;
        Ok(self.builder.compute(Op::Zext32, &[count]))
    }

    fn moved(&mut self, value: Value, by: u32) -> Value {
        let by = self.builder.word(by);
        self.builder.compute(Op::Shl64, &[value, by])
    }
}
