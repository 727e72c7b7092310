//! Coalescing: the addresses of a warp's lanes become accesses of lines.

use reconverge_isa::planted::Planted;

use super::bytes::{Bytes, SECTOR};
use crate::mechanisms::local_cache::{LANES, Transaction};

/// An access of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineAccess {
    /// Address of the line.
    pub(crate) line: u64,
    /// Its sectors that are touched.
    pub(crate) sectors: u8,
    /// Lanes that touch it.
    pub(crate) lanes: u8,
    pub(crate) kind: LineKind,
}

/// An instruction's access of a line of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LocalLine {
    /// By lane, the word that it loads or stores; none if the access has less than a word for each.
    pub(crate) words: Option<[u32; LANES]>,
    /// The part of it that can be kept.
    pub(crate) transaction: Transaction,
}

impl LocalLine {
    /// An access by some lanes, encoded in parts of `part_lanes` lanes.
    pub(crate) fn new(words: Option<[u32; LANES]>, lanes: u32, part_lanes: u32) -> LocalLine {
        let transaction = Transaction::new(&words.unwrap_or_default(), lanes, part_lanes);
        let transaction = if words.is_some() { transaction } else { transaction.generic() };
        LocalLine { words, transaction }
    }

    /// It continues with some of its lanes, of which more may be affine than of all.
    #[cold]
    pub(crate) fn replay(&mut self, lanes: u32) {
        *self = LocalLine::new(self.words, lanes, self.transaction.part_lanes());
    }
}

/// The lines that an instruction accesses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) accesses: Vec<LineAccess>,
    /// By access: the bytes that a store writes. As long as necessary.
    written: Vec<Bytes>,
    /// By access, from the first of local memory on: the transaction for the slot `local-cache`, if
    /// it has a cache.
    transactions: Vec<LocalLine>,
    first_transaction: usize,
}

impl Lines {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.accesses.clear();
        self.written.clear();
        self.transactions.clear();
    }

    /// From the next access on each is a transaction of local memory.
    pub(crate) fn begin_transactions(&mut self) {
        self.first_transaction = self.accesses.len();
    }

    /// Adds the transaction of the next access that has none.
    pub(crate) fn push_transaction(&mut self, line: LocalLine) {
        self.transactions.push(line);
    }

    /// Returns true if an access does not go to the slot `local-cache`.
    pub(crate) fn is_global(&self, at: usize) -> bool {
        self.transactions.is_empty() || at < self.first_transaction
    }

    /// The transaction of local memory that an access is.
    #[inline]
    pub(crate) fn transaction(&mut self, at: usize) -> Option<&mut LocalLine> {
        self.transactions.get_mut(at.wrapping_sub(self.first_transaction))
    }

    /// An access of the same line touches more.
    #[inline]
    fn join(&mut self, at: usize, more: &LineAccess) {
        if let Some(access) = self.accesses.get_mut(at).filter(|_| more.lanes != 0) {
            access.sectors |= more.sectors;
            access.lanes += more.lanes;
        }
    }

    /// Loses the last of the accesses of an instruction, which begin at `first`, if there are
    /// several and this fault is planted.
    pub(crate) fn lose_last(&mut self, first: usize) {
        if Planted::LineDropped.is_on() && self.accesses.len() > first + 1 {
            self.accesses.pop();
        }
    }

    /// Replaces the accesses from `first` on by the fewest that hold `size` bytes for each of their lanes, in lines of
    /// `line` bytes. `phase` chooses which of the lines remain: over an instruction's executions with consecutive phases
    /// each of its lines remains equally often, so memory transfers each byte once.
    pub(crate) fn coalesce_ideally(&mut self, first: usize, size: u32, line: u32, phase: u64) {
        let Some(touched) = self.accesses.get(first..).filter(|touched| !touched.is_empty()) else {
            return;
        };
        let (lanes, count) =
            (touched.iter().map(|it| u32::from(it.lanes)).sum::<u32>(), touched.len());
        let bytes = lanes * size;
        let needed = (bytes.div_ceil(line) as usize).clamp(1, count);
        let all = |bytes: u32| ((1_u32 << bytes.div_ceil(SECTOR)) - 1) as u8;
        let kept = (0..needed).map(|at| {
            let place = (phase as usize % count * needed + at) % count;
            let of_line = bytes.saturating_sub(at as u32 * line).min(line);
            let share = lanes * of_line / bytes.max(1);
            (of_line, LineAccess { sectors: all(of_line), lanes: share as u8, ..touched[place] })
        });
        let kept: Vec<(u32, LineAccess)> = kept.collect();
        self.accesses.truncate(first);
        self.written.truncate(first);
        for (bytes, access) in kept {
            if access.kind == LineKind::GlobalStore {
                self.write(self.accesses.len(), 0, u64::from(bytes));
            }
            self.accesses.push(access);
        }
    }

    /// The bytes that an access writes.
    pub(crate) fn written(&self, at: usize) -> Bytes {
        self.written.get(at).copied().unwrap_or_default()
    }

    /// Some bytes that an access writes.
    fn write(&mut self, at: usize, from: u64, to: u64) {
        if at >= self.written.len() {
            self.written.resize(at + 1, Bytes::default());
        }
        self.written[at].insert(from, to);
    }
}

/// The lines that some accesses of `size` bytes touch, in the order of the first lane that touches
/// each. Accesses are aligned, and so lie within a sector.
pub(crate) fn coalesce(
    addresses: impl Iterator<Item = u64>,
    size: u32,
    line: u32,
    kind: LineKind,
    out: &mut Lines,
) {
    debug_assert!(size <= SECTOR);
    let first = out.accesses.len();
    let mask = !(u64::from(line) - 1);
    let stores = matches!(kind, LineKind::GlobalStore | LineKind::LocalStore);
    // The low bits of the lines so far identify most lines that are new.
    let (shift, mut seen) = (line.trailing_zeros(), 0u64);
    // The line of the lane before, which is the usual one, and the sectors of it that consecutive
    // lanes touch.
    let (mut at, mut run) = (first, LineAccess { line: u64::MAX, sectors: 0, lanes: 0, kind });
    for address in addresses {
        let base = address & mask;
        if base != run.line {
            out.join(at, &run);
            let bit = 1 << (base >> shift & 63);
            let known = match seen & bit {
                0 => None,
                _ => out.accesses[first..].iter().rposition(|access| access.line == base),
            };
            seen |= bit;
            at = known.map_or(out.accesses.len(), |at| first + at);
            run = LineAccess { line: base, sectors: 0, lanes: 0, kind };
            if known.is_none() {
                out.accesses.push(run);
            }
        }
        run.sectors |= sector(address, line);
        run.lanes += 1;
        if stores {
            out.write(at, address - base, address - base + u64::from(size));
        }
    }
    out.join(at, &run);
    out.lose_last(first);
}

/// The bit of an address's sector among those of its line.
#[inline]
fn sector(address: u64, line: u32) -> u8 {
    1 << ((address as u32 & (line - 1)) / SECTOR)
}

/// The same for consecutive words from an address on.
pub(crate) fn coalesce_row(address: u64, bytes: u32, line: u32, kind: LineKind, out: &mut Lines) {
    let (size, end) = (u64::from(line), address + u64::from(bytes));
    let mut start = address;
    while start < end {
        let base = start & !(size - 1);
        let stop = end.min(base + size);
        let first = (start - base) / u64::from(SECTOR);
        let count = (stop - 1 - base) / u64::from(SECTOR) - first + 1;
        let sectors = ((0xff >> (8 - count)) as u8) << first;
        if matches!(kind, LineKind::GlobalStore | LineKind::LocalStore) {
            out.write(out.accesses.len(), start - base, stop - base);
        }
        let lanes = ((stop - start) / 4) as u8;
        out.accesses.push(LineAccess { line: base, sectors, lanes, kind });
        start = stop;
    }
}

/// The count of the most frequent among some addresses: the length of atomics on them in a row.
pub(crate) fn most_frequent(addresses: &mut [u64]) -> u8 {
    addresses.sort_unstable();
    let runs = addresses.chunk_by(|a, b| a == b).map(<[u64]>::len);
    runs.max().unwrap_or(0).min(255) as u8
}

/// The most banks of shared memory.
const MAX_BANKS: usize = 256;

/// Passes of shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Passes {
    /// All of them.
    pub(crate) all: u32,
    /// The minimum that the accessed words need, independently of their banks: two if a warp
    /// accesses a `double` in each lane, four for a `float4`. The rest are bank conflicts.
    pub(crate) needed: u32,
}

impl Passes {
    /// Without a conflict: one if there is something to access.
    pub(crate) fn one_if(accesses: bool) -> Passes {
        Passes { all: accesses.into(), needed: accesses.into() }
    }
}

impl std::ops::AddAssign for Passes {
    fn add_assign(&mut self, other: Passes) {
        self.all += other.all;
        self.needed += other.needed;
    }
}

/// The layout of shared memory's words.
#[derive(Clone, Copy)]
pub(crate) struct Banks<F> {
    /// The number of banks.
    pub(crate) count: u32,
    /// The bank of a word, less than [`MAX_BANKS`].
    pub(crate) of: F,
}

/// Passes that shared memory takes. In a pass each bank serves one word; all lanes that need it
/// receive it if they are served together.
pub(crate) fn bank_passes(
    offsets: impl Iterator<Item = u32>,
    size: u32,
    banks: Banks<impl Fn(u32) -> u32>,
    together: bool,
    words: &mut Vec<u32>,
) -> Passes {
    words.clear();
    for offset in offsets {
        words.extend((0..size.div_ceil(4)).map(|word| offset / 4 + word));
    }
    passes_of_words(words, banks, together)
}

/// The same for words, which it reorders.
pub(crate) fn passes_of_words(
    words: &mut Vec<u32>,
    Banks { count, of: bank }: Banks<impl Fn(u32) -> u32>,
    together: bool,
) -> Passes {
    if together && without_conflict(words, &bank) {
        return Passes::one_if(!words.is_empty());
    }
    if together {
        words.sort_unstable();
        words.dedup();
    }
    let mut served = [0u16; MAX_BANKS];
    let mut most = 0;
    for &word in words.iter() {
        if let Some(count) = served.get_mut(bank(word) as usize) {
            *count = count.saturating_add(1);
            most = most.max(*count);
        }
    }
    let all = u32::from(most);
    Passes { all, needed: (words.len() as u32).div_ceil(count).min(all) }
}

/// Returns true if each of the first 64 banks has one word only to serve, and no other has any;
/// which is usual, and found without sorting.
fn without_conflict(words: &[u32], bank: impl Fn(u32) -> u32) -> bool {
    let mut served = [None; 64];
    words.iter().all(|&word| {
        served.get_mut(bank(word) as usize).is_some_and(|it| *it.get_or_insert(word) == word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_coalesce_like_lanes() {
        for start in (0x1000_0000u64..0x1000_0200).step_by(4) {
            for words in [1u64, 4, 7, 32, 64] {
                for line in [32, 64, 128, 256] {
                    for kind in [LineKind::Load, LineKind::GlobalStore] {
                        let (mut lanes, mut row) = (Lines::default(), Lines::default());
                        let addresses = (0..words).map(|word| start + 4 * word);
                        coalesce(addresses, 4, line, kind, &mut lanes);
                        coalesce_row(start, 4 * words as u32, line, kind, &mut row);
                        assert_eq!(lanes, row, "{words} words at {start:#x}, lines of {line}");
                    }
                }
            }
        }
    }

    #[test]
    fn ideally_coalesced_lines() {
        // Thirty-two lanes that are a line apart, word by word.
        let mut touched = std::collections::BTreeSet::new();
        for word in 0..32 {
            let mut lines = Lines::default();
            let addresses = (0..32).map(|lane| 128 * lane + 4 * word);
            coalesce(addresses, 4, 128, LineKind::Load, &mut lines);
            assert_eq!(lines.accesses.len(), 32);
            lines.coalesce_ideally(0, 4, 128, word);
            let [only] = lines.accesses.as_slice() else {
                panic!("one line holds 128 bytes");
            };
            assert_eq!((only.sectors, only.lanes), (0b1111, 32));
            touched.insert(only.line);
        }
        assert_eq!(touched.len(), 32);
        // Doubles fill two lines, and few lanes a sector.
        let mut lines = Lines::default();
        coalesce((0..32).map(|lane| 256 * lane), 8, 128, LineKind::GlobalStore, &mut lines);
        lines.coalesce_ideally(0, 8, 128, 3);
        assert_eq!(lines.accesses.len(), 2);
        assert_eq!(lines.written(1).sectors(), 0b1111);
        let mut lines = Lines::default();
        coalesce((0..3).map(|lane| 128 * lane), 4, 128, LineKind::Load, &mut lines);
        lines.coalesce_ideally(0, 4, 128, 0);
        assert_eq!(lines.accesses.iter().map(|it| it.sectors).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn banks() {
        let mut words = Vec::new();
        let mut passes = |offsets: &[u32], size, together| {
            let banks = Banks { count: 4, of: |word| word % 4 };
            let passes = bank_passes(offsets.iter().copied(), size, banks, together, &mut words);
            (passes.all, passes.needed)
        };
        assert_eq!(passes(&[], 4, true), (0, 0));
        assert_eq!(passes(&[0, 4, 8, 12], 4, true), (1, 1));
        assert_eq!(passes(&[0, 0, 0, 0], 4, true), (1, 1));
        assert_eq!(passes(&[0, 0, 0, 0], 4, false), (4, 1));
        assert_eq!(passes(&[0, 1, 2, 3], 1, true), (1, 1));
        assert_eq!(passes(&[0, 16, 32, 4], 4, true), (3, 1));
        // Wide accesses need more passes, unless lanes access the same words.
        assert_eq!(passes(&[0, 8, 16, 24], 8, true), (2, 2));
        assert_eq!(passes(&[0, 16, 32, 48], 8, true), (4, 2));
        assert_eq!(passes(&[0, 16, 32, 48], 16, true), (4, 4));
        assert_eq!(passes(&[16, 16, 16, 16], 16, true), (1, 1));
        assert_eq!(passes(&[0, 32, 32, 32], 16, true), (2, 2));
    }
}

/// The kind of a line access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Load,
    /// Written through.
    GlobalStore,
    /// Written back.
    LocalStore,
    Atomic {
        serial: u8,
    },
}
