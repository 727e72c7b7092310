//! Results that have been computed and cannot be read yet: registers keep their old values until then.
//!
//! Source: Huerta, Abaie Shoushtary, Cruz, González, "Dissecting and Modeling the Architecture of
//! Modern GPU Cores", MICRO 2025, §4: nothing checks control bits, so an instruction that issues too
//! early reads the old value. Function happens at issue; here a result is taken back, and written in
//! the cycle from which it can be read. This is for kernels whose control bits are not proved: for the
//! others nothing would be different.
//!
//! Two things differ. Sources are read as of issue, so a store whose source is overwritten too early,
//! because no read counter protects it, still has the old value. The result of an atomic is written
//! when the atomic is performed.

use reconverge_isa::Effect;

use crate::block::threads::Registers;
use crate::machine::clock::NEVER;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::Target;
use crate::sm::audit::ResultId;

/// Words of registers, or bits of a predicate register, with what they had or will have.
#[derive(Clone, Debug, Default)]
struct Values {
    /// The first word of the registers, and the words from there on.
    first: usize,
    words: Vec<u32>,
    /// The words of the registers that are meant.
    is_meant: Vec<bool>,
    /// A predicate register with its bits, and those that are meant.
    predicate: Option<(usize, u64, u64)>,
}

impl Values {
    /// The values that an instruction of a warp is about to overwrite.
    fn before(registers: &Registers, code: &Code, instruction: &Decoded, warp: usize) -> Values {
        let width = code.shape.width as usize;
        match instruction.target {
            Target::None => Values::default(),
            Target::Register { index, words } => {
                let first = (warp * code.registers + usize::from(index)) * width;
                let end = first + usize::from(words) * width;
                let words = registers.general[first..end].to_vec();
                Values { first, words, ..Values::default() }
            }
            Target::Predicate(index) => {
                let at = warp * code.predicates + usize::from(index);
                let predicate = Some((at, registers.predicates[at], !0));
                Values { predicate, ..Values::default() }
            }
        }
    }

    /// Takes back what was written since, in some lanes of `width`: the registers have these values
    /// again. Returns what was written. In other lanes an instruction of several paths has acted if
    /// something is new.
    fn take_back(self, registers: &mut Registers, lanes: u64, width: usize) -> Values {
        let Values { first, words, .. } = self;
        let written = &mut registers.general[first..first + words.len()];
        let new = written.to_vec();
        let acts = |at: usize| lanes >> (at % width) & 1 != 0 || new[at] != words[at];
        let is_meant = (0..words.len()).map(acts).collect();
        written.copy_from_slice(&words);
        let predicate = self.predicate.map(|(at, old, _)| {
            let new = std::mem::replace(&mut registers.predicates[at], old);
            (at, new, new ^ old | lanes)
        });
        Values { first, words: new, is_meant, predicate }
    }

    /// Writes them.
    fn write(&self, registers: &mut Registers) {
        let words = self.words.iter().zip(&self.is_meant).enumerate();
        for (at, (&word, _)) in words.filter(|(_, (_, is_meant))| **is_meant) {
            registers.general[self.first + at] = word;
        }
        if let Some((at, bits, is_meant)) = self.predicate {
            let old = &mut registers.predicates[at];
            *old = *old & !is_meant | bits & is_meant;
        }
    }

    fn is_empty(&self) -> bool {
        !self.is_meant.contains(&true) && self.predicate.is_none_or(|(.., is_meant)| is_meant == 0)
    }
}

/// A result that cannot be read yet.
#[derive(Debug)]
struct Result {
    id: ResultId,
    /// The cycle from which it can be read, if that is known.
    visible: u64,
    /// It is forwarded, but not to instructions of varying latency, which can read it a cycle later.
    is_forwarded: bool,
    values: Values,
}

/// When an instruction reads its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadTime {
    /// It can read what is visible in this cycle.
    pub(super) at: u64,
    /// Results are forwarded to it.
    pub(super) forwards: bool,
}

/// The results of a block that cannot be read yet.
#[derive(Debug, Default)]
pub(super) struct Unwritten {
    /// In the order of issue.
    results: Vec<Result>,
    /// The values that the instruction which is being executed overwrites, and those that the last one has written.
    before: Option<Values>,
    last: Option<Values>,
}

impl Unwritten {
    /// Returns true if all results have been written.
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// An instruction of a warp is about to be executed that reads its operands at a time.
    pub(super) fn before(
        &mut self,
        registers: &mut Registers,
        code: &Code,
        instruction: &Decoded,
        warp: usize,
        time: ReadTime,
    ) {
        let visible = |result: &Result| {
            let delay = u64::from(result.is_forwarded && !time.forwards);
            result.visible.saturating_add(delay)
        };
        let mut due: Vec<Result> =
            self.results.extract_if(.., |result| visible(result) <= time.at).collect();
        due.sort_by_key(|result| result.visible);
        due.iter().for_each(|result| result.values.write(registers));
        let is_late = instruction.collects() && instruction.effect != Effect::Atomic;
        self.before = is_late.then(|| Values::before(registers, code, instruction, warp));
    }

    /// It was executed, in some lanes of its warp.
    pub(super) fn after(&mut self, registers: &mut Registers, lanes: u64, width: usize) {
        let taken = self.before.take().map(|before| before.take_back(registers, lanes, width));
        self.last = taken.filter(|values| !values.is_empty());
    }

    /// The result of the last executed instruction is on its way under a name.
    pub(super) fn loading(&mut self, id: ResultId) {
        if let Some(values) = self.last.take() {
            self.results.push(Result { id, visible: NEVER, is_forwarded: false, values });
        }
    }

    /// A result can be read from a cycle on.
    pub(super) fn loaded(&mut self, id: ResultId, ready: u64) {
        let unknown = |it: &&mut Result| it.id == id && it.visible == NEVER;
        if let Some(result) = self.results.iter_mut().find(unknown) {
            result.visible = ready;
            result.is_forwarded = id == ResultId::AtOnce;
        }
    }
}
