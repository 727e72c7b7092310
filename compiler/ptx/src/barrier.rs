//! Barriers with a count of threads, in the text.

use crate::tree::{Block, Instruction, OperandKind, Statement};

/// The barriers that a text uses with a count of threads.
///
/// Other uses of such a barrier wait for as many threads as the block has. All other barriers wait for the threads of the block
/// that have not ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountedBarriers {
    /// A bit for each barrier whose number is in the text.
    pub numbers: u16,
    /// A number is in a register: it may be any.
    pub any: bool,
}

impl CountedBarriers {
    /// The number of barriers that a block has.
    pub fn of(block: &Block) -> CountedBarriers {
        block.statements.iter().fold(CountedBarriers::default(), |all, statement| match statement {
            Statement::Block(block) => all.and(CountedBarriers::of(block)),
            Statement::Instruction(instruction) => {
                all.and(CountedBarriers::of_instruction(instruction))
            }
            _ => all,
        })
    }

    /// The barrier of an instruction, if it has a count.
    pub fn of_instruction(instruction: &Instruction) -> CountedBarriers {
        let reduces = instruction.modifiers.iter().any(|word| &*word.text == "red");
        let number = instruction.operands.get(usize::from(reduces)).map(|it| &it.kind);
        match (has_count(instruction), number) {
            (false, _) => CountedBarriers::default(),
            (true, Some(OperandKind::Constant(number))) => {
                let number = number.integer().and_then(|number| u32::try_from(number).ok());
                let bit = number.and_then(|number| 1u16.checked_shl(number));
                CountedBarriers { numbers: bit.unwrap_or(0), any: false }
            }
            (true, _) => CountedBarriers { numbers: 0, any: true },
        }
    }

    /// These and others.
    #[must_use]
    pub fn and(self, other: CountedBarriers) -> CountedBarriers {
        CountedBarriers { numbers: self.numbers | other.numbers, any: self.any || other.any }
    }

    /// Returns true if there is no such barrier.
    pub fn is_empty(self) -> bool {
        self == CountedBarriers::default()
    }

    /// Returns true if a barrier may be used with a count.
    pub fn has(self, number: u32) -> bool {
        self.any || self.numbers.checked_shr(number).unwrap_or(0) & 1 != 0
    }
}

/// Returns true for a barrier with a count of threads.
pub fn has_count(instruction: &Instruction) -> bool {
    let has = |word: &str| instruction.modifiers.iter().any(|modifier| &*modifier.text == word);
    let plain = if has("red") { 3 } else { 1 };
    matches!(&*instruction.mnemonic.text, "bar" | "barrier")
        && !has("warp")
        && (has("arrive") || instruction.operands.len() > plain)
}
