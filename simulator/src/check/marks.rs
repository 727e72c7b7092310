//! Marks on registers: their bytes that were never written, from a `!raw` load that copies them to
//! a store.
//!
//! Only registers that such values can reach are followed. The result of an operation other than a
//! copy has no mark.

use reconverge_isa::{Effect, Op};

use crate::program::code::{Code, count_computations};
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// The origin of a word's mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Nothing,
    /// Byte by byte.
    Word(u16),
    /// All bytes are marked if any of these is.
    Any(u16),
}

/// The effects of a kernel's instructions on marks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows {
    /// By instruction, for those that do not access memory: the words that it writes.
    moves: Vec<Vec<(u16, From)>>,
    /// By word: true if it can be marked.
    can_be: Vec<bool>,
}

/// The words of a result. Predicates follow the general registers.
fn target(code: &Code, instruction: &Decoded) -> std::ops::Range<u16> {
    match instruction.target {
        Target::None => 0..0,
        Target::Register { index, words } => index..index + u16::from(words),
        Target::Predicate(index) => {
            let word = code.registers as u16 + index;
            word..word + 1
        }
    }
}

fn word(code: &Code, source: Source, at: u16) -> Option<u16> {
    match source {
        Source::Register { index, words } => (at < u16::from(words)).then_some(index + at),
        Source::Predicate { index, .. } => Some(code.registers as u16 + index),
        _ => None,
    }
}

/// The word that a computing instruction copies to a word of its result.
fn origin(code: &Code, instruction: &Decoded, at: u16) -> From {
    let word = |source: usize, at| word(code, instruction.sources[source], at);
    let found = match instruction.op {
        Op::Mov | Op::Mov64 => word(0, at).map(From::Word),
        Op::MovPred => word(0, 0).map(From::Any),
        Op::Low | Op::Zext32 if at == 0 => word(0, 0).map(From::Word),
        Op::High => word(0, 1).map(From::Word),
        Op::Pack => word(usize::from(at), 0).map(From::Word),
        // A `bool` in a predicate, and back.
        Op::SetNotEqualI32 => word(0, 0).map(From::Any),
        Op::Select => word(0, 0).map(From::Any),
        _ => None,
    };
    found.unwrap_or(From::Nothing)
}

impl Flows {
    /// The flows of a kernel; nothing if no value that was never written can reach a register.
    pub(crate) fn new(code: &Code) -> Option<Flows> {
        let mut can_be = vec![false; code.registers + code.predicates];
        let mut flows = Flows::default();
        for instruction in &code.instructions {
            let is_raw = instruction.effect == Effect::Load && instruction.annotations.raw;
            let (words, mut moves) = (target(code, instruction), Vec::new());
            for (at, to) in words.enumerate() {
                if is_raw && let Some(can_be) = can_be.get_mut(usize::from(to)) {
                    *can_be = true;
                }
                moves.push((to, origin(code, instruction, at as u16)));
            }
            flows.moves.push(moves);
        }
        while flows.spread(&mut can_be) {}
        flows.can_be = can_be;
        flows.can_be.contains(&true).then_some(flows)
    }

    /// Spreads marks to the instructions that copy them. Returns true if there are more than
    /// before.
    fn spread(&self, can_be: &mut [bool]) -> bool {
        let mut grows = false;
        for &(to, from) in self.moves.iter().flatten() {
            let (From::Word(from) | From::Any(from)) = from else {
                continue;
            };
            let reaches = can_be.get(usize::from(from)) == Some(&true);
            if let Some(to) = can_be.get_mut(usize::from(to)).filter(|to| reaches && !**to) {
                (*to, grows) = (true, true);
            }
        }
        grows
    }

    /// The words of a thread.
    pub(super) fn words(&self) -> usize {
        self.can_be.len()
    }

    /// Returns true if an instruction may set or clear a mark of a register, other than by a load or an atomic.
    pub(crate) fn is_marked(&self, pc: usize, instruction: &Decoded) -> bool {
        let is_access = matches!(instruction.effect, Effect::Load | Effect::Store | Effect::Atomic)
            && !instruction.op.is_matrix_access();
        let can_be = |&(to, _): &(u16, From)| self.can_be.get(usize::from(to)) == Some(&true);
        !is_access && self.moves.get(pc).is_some_and(|moves| moves.iter().any(can_be))
    }

    /// Marks the instructions whose executions the checker receives, because they may set or clear a mark.
    pub(crate) fn mark(&self, code: &mut Code) {
        for (pc, instruction) in code.instructions.iter_mut().enumerate() {
            instruction.is_marked = self.is_marked(pc, instruction);
            instruction.is_straight &= !instruction.is_marked;
        }
        count_computations(&mut code.instructions);
    }

    /// An instruction executes in a thread that has these marks.
    pub(super) fn execute(&self, pc: u32, marks: &mut [Mark]) {
        let moves = self.moves.get(pc as usize).map_or(&[][..], Vec::as_slice);
        let mark = |from: From| match from {
            From::Nothing => Mark::default(),
            From::Word(word) => marks.get(usize::from(word)).copied().unwrap_or_default(),
            From::Any(word) => {
                marks.get(usize::from(word)).map_or(Mark::default(), |it| it.whole())
            }
        };
        let new: Vec<(u16, Mark)> = moves.iter().map(|&(to, from)| (to, mark(from))).collect();
        for (to, mark) in new {
            if let Some(own) = marks.get_mut(usize::from(to)) {
                *own = mark;
            }
        }
    }
}

/// The bytes of a word that were never written, and the instruction after the one that read them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u32);

impl Mark {
    /// Bytes by bit, as an instruction has read them.
    pub fn new(bytes: u32, pc: u32) -> Mark {
        match bytes & 15 {
            0 => Mark(0),
            bytes => Mark(pc << 4 | bytes),
        }
    }

    /// By bit.
    pub fn bytes(self) -> u32 {
        self.0 & 15
    }

    /// The instruction that has read them.
    pub fn pc(self) -> u32 {
        self.0 >> 4
    }

    fn whole(self) -> Mark {
        if self.bytes() == 0 { self } else { Mark(self.0 | 15) }
    }
}
