//! Asynchronous copies. A copy takes place as late as it may: at the end of a wait for its group.

use crate::code::{Copy, Count, Operation, Space};
use crate::control::{Reader, Resolved};
use crate::form::{Words, ty};
use crate::memory::Memory;
use crate::resolve::Binding;
use crate::thread::{Context, Thread};
use reconverge_ptx::Constant;
use reconverge_ptx::tree::OperandKind;

/// The groups of a thread's copies that have not taken place, the oldest first; the last one is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Groups(Vec<Vec<Started>>);

impl Default for Groups {
    fn default() -> Groups {
        Groups(vec![Vec::new()])
    }
}

/// A copy that has started: addresses, and bytes that are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Started {
    to: u32,
    from: u32,
    count: u32,
    bytes: u32,
}

impl Groups {
    /// The last group is complete.
    pub fn commit(&mut self) {
        self.0.push(Vec::new());
    }

    /// Takes the copies that a wait is for.
    fn take(&mut self, pending: usize, all: bool) -> Vec<Started> {
        let whole = self.0.len() - 1;
        let awaited = whole.saturating_sub(pending);
        let mut found: Vec<Started> = self.0.drain(..awaited).flatten().collect();
        if all && let Some(last) = self.0.last_mut() {
            found.append(last);
        }
        found
    }
}

impl Reader<'_, '_> {
    /// `cp.async` and its waits.
    pub fn asynchronous_copy(&self, words: &mut Words) -> Resolved<Operation> {
        words.skip(|word| word == "async");
        if words.take("commit_group") {
            return Ok(Operation::Commit);
        }
        if words.take("wait_all") {
            return Ok(Operation::Await { pending: 0, all: true });
        }
        if words.take("wait_group") {
            let pending = self.constant(0)?;
            return Ok(Operation::Await { pending: pending as usize, all: false });
        }
        let has_policy = self.instruction.modifiers.iter().any(|it| &*it.text == "L2::cache_hint");
        words.skip(|_| true);
        let bytes = self.constant(2)? as u32;
        if !matches!(bytes, 4 | 8 | 16) {
            return self.refuse(format!("no copy has {bytes} bytes"));
        }
        let given = self.instruction.operands.len() - usize::from(has_policy);
        let count = match self.instruction.operands.get(3).filter(|_| given > 3) {
            None => Count::All,
            Some(operand) => {
                let is_predicate = match &operand.kind {
                    OperandKind::Not(_) => true,
                    OperandKind::Name(name) => {
                        matches!(
                            self.resolver.find(name),
                            Some(Binding::Registers { width: 1, .. })
                        )
                    }
                    _ => false,
                };
                match is_predicate {
                    true => Count::Ignored(self.source(3, ty("pred"))?),
                    false => Count::First(self.source(3, ty("u32"))?),
                }
            }
        };
        let (to, from) = (self.address(0, Space::Shared)?, self.address(1, Space::Global)?);
        Ok(Operation::Copy(Box::new(Copy { to, from, bytes, count })))
    }
}

impl Reader<'_, '_> {
    /// An operand that is a constant.
    fn constant(&self, at: usize) -> Resolved<u64> {
        match &self.operand(at)?.kind {
            OperandKind::Constant(Constant::Integer { bits, .. }) => Ok(*bits),
            _ => self.refuse("this is no constant"),
        }
    }
}

impl Thread {
    /// Starts a copy.
    pub fn start_copy<M: Memory>(
        &mut self,
        copy: &Copy,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let bytes = copy.bytes;
        let count = match &copy.count {
            Count::All => bytes,
            Count::First(source) => self.value(*source, context) as u32,
            Count::Ignored(holds) if self.value(*holds, context) != 0 => 0,
            Count::Ignored(_) => bytes,
        };
        if count > bytes {
            return Err(format!("a copy of {count} bytes by an instruction that writes {bytes}"));
        }
        let to = self.address(&copy.to, bytes, context)?;
        // Nothing is read from the address of a copy of zeros.
        let from = if count == 0 { 0 } else { self.address(&copy.from, bytes, context)? };
        let started = Started { to, from, count, bytes };
        // The statements of an `asm` begin with a new thread each.
        if !context.owns_windows {
            return self.perform(started, context);
        }
        self.groups.0.last_mut().into_iter().for_each(|group| group.push(started));
        Ok(())
    }

    fn perform<M: Memory>(
        &mut self,
        Started { to, from, count, bytes }: Started,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        for at in (0..bytes).step_by(4) {
            let mut word = [0; 4];
            let read = count.saturating_sub(at).min(4);
            // A part of a word is read byte by byte.
            let step = if read == 4 { 4 } else { 1 };
            for (place, byte) in word.chunks_mut(step).enumerate().take(read as usize / step) {
                self.read(from + at + (place * step) as u32, byte, context)?;
            }
            self.write_memory(to + at, &word, context)?;
        }
        Ok(())
    }

    /// The copies that a wait is for take place.
    pub fn await_copies<M: Memory>(
        &mut self,
        pending: usize,
        all: bool,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let awaited = self.groups.take(pending, all);
        awaited.into_iter().try_for_each(|copy| self.perform(copy, context))
    }
}
