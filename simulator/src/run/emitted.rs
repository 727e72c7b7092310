//! The words that threads print while a kernel runs; the launching program turns them into text.

use std::collections::BTreeMap;

/// Words that the threads of a launch may print: 16 MiB.
pub const MOST_WORDS: u64 = 4 << 20;

/// The words of each thread in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitted {
    /// By block and by thread in the block.
    pub words: BTreeMap<(u64, u16), Vec<u32>>,
    count: u64,
}

impl Emitted {
    /// Adds a word; false when there is no room.
    pub(crate) fn add(&mut self, block: u64, thread: u16, word: u32) -> bool {
        self.count += 1;
        if self.count > MOST_WORDS {
            // The order of the words depends on the machine: none is shown.
            self.words.clear();
            return false;
        }
        self.words.entry((block, thread)).or_default().push(word);
        true
    }
}
