//! Barriers in shared memory, `mbarrier`: a number of arrivals that a phase expects, those and the bytes that are pending, and
//! the parity of the phase, in a word of memory.

use crate::code::{Address, Destination, Operation, Source, Space};
use crate::control::{Reader, Resolved};
use crate::form::{Words, ty};
use crate::memory::Memory;
use crate::thread::{Context, Thread};

/// An instruction of a barrier.
pub(crate) struct Phase {
    act: Act,
    /// Where the barrier is.
    address: Address,
    /// A count, a state or a parity.
    source: Option<Source>,
    result: Option<Destination>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Start,
    Stop,
    /// An arrival; the thread may leave for good, and the source may count bytes.
    Arrive {
        leaves: bool,
        bytes: bool,
    },
    Expect,
    Complete,
    TestState,
    TestParity,
    /// An arrival after the thread's copies; without `alone` it is one that the phase did not expect.
    Copies {
        alone: bool,
    },
}

/// The contents of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Barrier {
    pending: i64,
    expected: i64,
    bytes: i64,
    odd: bool,
}

impl Barrier {
    fn of(word: u64) -> Barrier {
        Barrier {
            pending: (word % (1 << 20)) as i64,
            expected: (word / (1 << 20) % (1 << 20)) as i64,
            // 23 bits with a sign.
            bytes: (word << 1) as i64 >> 41,
            odd: word >= 1 << 63,
        }
    }

    fn word(self) -> u64 {
        let bytes = self.bytes.rem_euclid(1 << 23) as u64;
        self.pending as u64
            + ((self.expected as u64) << 20)
            + (bytes << 40)
            + (u64::from(self.odd) << 63)
    }

    /// The next phase begins if nothing is pending.
    fn settled(self) -> Barrier {
        match self.pending == 0 && self.bytes == 0 {
            true => Barrier { pending: self.expected, odd: !self.odd, ..self },
            false => self,
        }
    }
}

impl Reader<'_, '_> {
    /// `mbarrier`, and `cp.async.mbarrier.arrive`.
    pub fn phase(&self, words: &mut Words) -> Resolved<Operation> {
        let all =
            ["init", "inval", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count"];
        let found = words.one_of(&all);
        let (parity, transaction) =
            (words.take("parity"), words.one_of(&["expect_tx", "complete_tx"]));
        let (of_copies, alone) = (words.take("async"), words.take("noinc"));
        words.skip(|word| !word.starts_with("shared::cluster"));
        self.ty(words)?;
        if found == Some("pending_count") {
            let source = self.source(1, ty("b64"))?;
            let compute = Box::new(|s: &[u64], _: &mut bool| [Barrier::of(s[0]).pending as u64, 0]);
            let results = vec![self.resolver.destination(self.operand(0)?, ty("u32"))?];
            return Ok(Operation::Compute { compute, sources: vec![source], results });
        }
        let act = match (found, transaction) {
            _ if of_copies => Act::Copies { alone },
            (Some("init"), _) => Act::Start,
            (Some("inval"), _) => Act::Stop,
            (Some("test_wait" | "try_wait"), _) if parity => Act::TestParity,
            (Some("test_wait" | "try_wait"), _) => Act::TestState,
            (None, Some("expect_tx")) => Act::Expect,
            (None, _) => Act::Complete,
            (arrives, bytes) => {
                Act::Arrive { leaves: arrives == Some("arrive_drop"), bytes: bytes.is_some() }
            }
        };
        let (result, place) = match act {
            Act::Arrive { .. } => (Some(ty("b64")), 1),
            Act::TestState | Act::TestParity => (Some(ty("pred")), 1),
            _ => (None, 0),
        };
        let result = match result {
            Some(of) => self.resolver.destination(self.operand(0)?, of)?,
            None => None,
        };
        let of = if act == Act::TestState { "b64" } else { "u32" };
        let has_source = self.instruction.operands.len() > place + 1;
        let source = if has_source { Some(self.source(place + 1, ty(of))?) } else { None };
        let address = self.address(place, Space::Shared)?;
        Ok(Operation::Phase(Box::new(Phase { act, address, source, result })))
    }
}

impl Thread {
    /// Executes an instruction of a barrier.
    pub fn act<M: Memory>(
        &mut self,
        phase: &Phase,
        context: &mut Context<M>,
    ) -> Result<(), String> {
        let at = self.address(&phase.address, 8, context)?;
        if matches!(phase.act, Act::Copies { .. }) {
            self.await_copies(0, true, context)?;
        }
        let old = self.read_value(at, 8, context)?;
        let given = phase.source.map(|source| self.value(source, context));
        let count = given.unwrap_or(1) as i64;
        let before = Barrier::of(old);
        let after = match phase.act {
            Act::Start => Barrier { pending: count, expected: count, bytes: 0, odd: false },
            Act::Stop => Barrier::of(0),
            Act::Arrive { leaves, bytes } => {
                let (arrivals, bytes) = if bytes { (1, count) } else { (count, 0) };
                let expected = before.expected - if leaves { arrivals } else { 0 };
                let pending = (before.pending - arrivals).max(0);
                let expected = expected.max(0);
                Barrier { pending, expected, bytes: before.bytes + bytes, ..before }.settled()
            }
            Act::Expect => Barrier { bytes: before.bytes + count, ..before }.settled(),
            Act::Complete => Barrier { bytes: before.bytes - count, ..before }.settled(),
            Act::Copies { alone: true } => {
                Barrier { pending: (before.pending - 1).max(0), ..before }.settled()
            }
            // It adds an arrival and makes it, and no phase ends in between.
            Act::Copies { alone: false } => before,
            Act::TestState | Act::TestParity => {
                let state = given.unwrap_or(0);
                let odd = match phase.act {
                    Act::TestParity => state % 2 == 1,
                    _ => Barrier::of(state).odd,
                };
                self.write(phase.result, u64::from(before.odd != odd));
                return Ok(());
            }
        };
        self.write_memory(at, &after.word().to_le_bytes(), context)?;
        self.write(phase.result, old);
        Ok(())
    }
}
