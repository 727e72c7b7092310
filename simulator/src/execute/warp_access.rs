//! Loads and stores of one warp of 32 lanes in one memory, global, shared or constant: checked at once, and moved as rows. All other
//! accesses go lane by lane ([`super::memory`]), as do those that trap.

use reconverge_isa::table::evaluate_atomic;
use reconverge_isa::{
    BLOCK, CONSTANT_BASE, Effect, GLOBAL_BASE, Op, SHARED_BASE, Space, Vectors, WarpSource, Width,
    Words,
};

use super::gather::{gather, gather_pairs};
use super::memory::load_lanes;
use super::operands::write_words;
use super::source_rows::Tables;
use super::{DynamicInstruction, Executor, rows};
use crate::block::threads::Threads;
use crate::execute::access::Access;
use crate::execute::lanes::lanes_of;
use crate::memory::device::{Global, GlobalPort};
use crate::memory::log::Log;
use crate::memory::words::{store_row, write};
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};

/// The memories that are accessed by rows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RowSpace {
    Global,
    Shared,
    Constant,
}

/// Memory that is loaded from.
struct Memory<'a> {
    bytes: &'a [u8],
    /// The address of its first byte.
    base: u32,
}

/// Memory that changes.
struct MemoryMut<'a> {
    bytes: &'a mut [u8],
    /// The address of its first byte.
    base: u32,
}

impl Executor {
    /// Executes a memory instruction that [`moves_as_row`](super::moves_as_row), of a warp, in the lanes of `mask`, not empty; whether it
    /// has changed a byte of memory. `None` if it cannot be done by rows after all; then nothing has happened.
    #[inline(never)]
    pub(super) fn access_as_row(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        warp: u16,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Option<bool> {
        let DynamicInstruction { code, instruction, .. } = dynamic;
        if port.is_checked {
            return None;
        }
        let rows = instruction.rows.as_ref()?;
        let first = usize::from(warp) * code.registers;
        let registers = &mut threads.registers;
        let general = registers.general.as_chunks::<BLOCK>().0.get(first..)?;
        let pool = code.pool.as_chunks::<BLOCK>().0;
        let tables = &Tables { general, predicates: &[], pool };
        let bases = match rows.dequeues() {
            true => registers.queued.first_chunk()?,
            false => rows.words(0, false, tables),
        };
        if let Source::Register { words: 2, .. } = instruction.sources[0]
            && !fit_a_word(bases, rows.words(0, true, tables), instruction.offset, mask)
        {
            return None;
        }
        let space = self.access.locate_row(code, instruction, bases, mask, port)?;
        self.access.warp = Some(warp);
        if instruction.effect == Effect::Load {
            let general = registers.general.as_chunks_mut::<BLOCK>().0.get_mut(first..)?;
            let memory = match space {
                RowSpace::Global if self.access.may_load_stored(mask, port) => return None,
                RowSpace::Global => Memory { bytes: port.bytes(), base: GLOBAL_BASE },
                RowSpace::Shared => Memory { bytes: &threads.shared, base: SHARED_BASE },
                RowSpace::Constant => Memory { bytes: port.constant(), base: CONSTANT_BASE },
            };
            match general.get_mut(instruction.target_row as usize) {
                Some(row) if instruction.width == Width::B32 => {
                    self.load_words(code.vectors, row, mask, memory);
                }
                _ => self.load_others(code, instruction, general, mask, memory),
            }
            return Some(false);
        }
        let low = rows.words(1, false, tables);
        let high = if instruction.is_wide { rows.words(1, true, tables) } else { low };
        let stored = [low, high];
        let memory = match (space, &mut port.global) {
            (RowSpace::Constant, _) => return None,
            (RowSpace::Global, Global::Direct { bytes, .. }) => {
                MemoryMut { bytes, base: GLOBAL_BASE }
            }
            (RowSpace::Global, Global::Deferred { log, .. }) => {
                if instruction.effect == Effect::Atomic {
                    return None;
                }
                defer(log, &self.access, instruction.width, mask, stored);
                return Some(false);
            }
            (RowSpace::Shared, _) => MemoryMut { bytes: &mut threads.shared, base: SHARED_BASE },
        };
        if instruction.effect == Effect::Store {
            return Some(store(memory, &self.access, mask, stored, instruction.width));
        }
        let changed =
            self.change_words(instruction.op, memory, mask, [low, rows.words(2, false, tables)]);
        let (before, high) = self.result.block(0)?;
        let general = registers.general.as_chunks_mut::<BLOCK>().0.get_mut(first..)?;
        write_words(code.vectors, general, instruction.target, mask, [before, high]);
        Some(changed)
    }

    /// Loads a word for each of the lanes of `mask`, whose addresses have been checked, into a row of registers.
    #[inline(always)]
    fn load_words(
        &mut self,
        vectors: Vectors,
        row: &mut Words,
        mask: u64,
        Memory { bytes, base }: Memory,
    ) {
        let Some(addresses) = self.access.addresses.first_chunk() else { return };
        let words = bytes.as_chunks().0;
        if mask != u64::from(u32::MAX) {
            let Some((low, _)) = self.result.block(0) else { return };
            gather(vectors, words, base, addresses, mask as u32, low);
            return rows::write(vectors, row, low, mask);
        }
        let first = (addresses[0].wrapping_sub(base) / 4) as usize;
        if self.access.span.consecutive
            && let Some(words) = words.get(first..).and_then(|rest| rest.first_chunk::<BLOCK>())
        {
            *row = words.map(u32::from_le_bytes);
        } else {
            gather(vectors, words, base, addresses, u32::MAX, row);
        }
    }

    /// Loads values of other sizes than a word.
    #[inline(never)]
    fn load_others(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        general: &mut [Words],
        mask: u64,
        Memory { bytes, base }: Memory,
    ) {
        let (width, target) = (instruction.width, instruction.target);
        let Some(addresses) = self.access.addresses.first_chunk() else { return };
        let lanes = mask as u32;
        if let Width::B64 | Width::B128 = width {
            let Some((low, high)) = self.result.block(0) else { return };
            gather_pairs(code.vectors, bytes.as_chunks().0, base, addresses, lanes, [low, high]);
        } else {
            let offset = |lane: usize| addresses[lane].wrapping_sub(base) as usize;
            load_lanes(bytes, mask, width, offset, &mut self.result);
        }
        let Some((low, high)) = self.result.block(0) else { return };
        write_words(code.vectors, general, target, mask, [low, high]);
        if let (Width::B128, Target::Register { index, .. }) = (width, target) {
            let upper = base.wrapping_sub(8);
            gather_pairs(code.vectors, bytes.as_chunks().0, upper, addresses, lanes, [low, high]);
            let upper = Target::Register { index: index + 2, words: 2 };
            write_words(code.vectors, general, upper, mask, [low, high]);
        }
    }

    /// Performs an atomic on the words of the lanes of `mask`, in ascending order, and returns true
    /// if that changed the memory. The result holds the earlier values.
    #[inline(never)]
    fn change_words(
        &mut self,
        op: Op,
        MemoryMut { bytes, base }: MemoryMut,
        mask: u64,
        [a, b]: [&Words; 2],
    ) -> bool {
        let words = bytes.as_chunks_mut::<4>().0;
        let mut differences = 0;
        for lane in lanes_of(mask & u64::from(u32::MAX)) {
            let index = self.access.addresses[lane].wrapping_sub(base) / 4;
            let Some(word) = words.get_mut(index as usize) else { continue };
            let old = u32::from_le_bytes(*word);
            let bits = [old, a[lane], b[lane]].map(u64::from);
            let new = evaluate_atomic(op, bits).map_or(old, |new| new as u32);
            *word = new.to_le_bytes();
            differences |= old ^ new;
            self.result.low[lane] = old;
        }
        differences != 0
    }
}

/// Returns true if the sums of an offset and of pairs of words fit 32 bits in all lanes of `mask`.
#[inline(always)]
fn fit_a_word(low: &Words, high: &Words, offset: u32, mask: u64) -> bool {
    let offset = offset as i32 as u64;
    let upper = lanes_of(mask & u64::from(u32::MAX)).fold(0, |upper, lane| {
        let base = u64::from(low[lane]) | u64::from(high[lane]) << 32;
        upper | base.wrapping_add(offset) >> 32
    });
    upper == 0
}

/// Stores to global memory later.
#[inline(always)]
fn defer(log: &mut Log, access: &Access, width: Width, mask: u64, [low, high]: [&Words; 2]) {
    if access.consecutive {
        return log.store_row(access.addresses[0], low);
    }
    let high = if width == Width::B64 { &high[..] } else { &[] };
    log.store_lanes(width, mask, &access.addresses, &WarpSource { low, high, predicate: 0 });
}

/// Stores the values of the lanes of `mask`, in ascending order; whether that changed the memory.
#[inline(always)]
fn store(
    MemoryMut { bytes, base }: MemoryMut,
    access: &Access,
    mask: u64,
    [low, high]: [&Words; 2],
    width: Width,
) -> bool {
    let offset = |lane: usize| access.addresses[lane].wrapping_sub(base) as usize;
    let mask = mask & u64::from(u32::MAX);
    if width == Width::B64 {
        return lanes_of(mask).fold(false, |changed, lane| {
            let value = u64::from(low[lane]) | u64::from(high[lane]) << 32;
            write(bytes, offset(lane), Width::B64, value) | changed
        });
    }
    if access.span.consecutive && mask == u64::from(u32::MAX) {
        let row = bytes.get_mut(offset(0)..).and_then(|rest| rest.get_mut(..4 * BLOCK));
        return row.is_some_and(|row| store_row(row, low));
    }
    let words = bytes.as_chunks_mut::<4>().0;
    let mut differences = 0;
    for lane in lanes_of(mask) {
        if let Some(word) = words.get_mut(offset(lane) / 4) {
            differences |= u32::from_le_bytes(*word) ^ low[lane];
            *word = low[lane].to_le_bytes();
        }
    }
    differences != 0
}

impl Access {
    /// Records the accesses of a warp in the lanes of `mask`, not empty, given their addresses.
    /// Returns the memory, if all are in one that is accessed by rows, aligned, and inside it.
    #[inline(always)]
    fn locate_row(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        bases: &Words,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Option<RowSpace> {
        let addresses = self.addresses.first_chunk_mut()?;
        let offset = instruction.offset;
        let span = rows::locate(code.vectors, bases, offset, mask as u32, addresses);
        self.span = span;
        let size = instruction.width.bytes();
        let end = u64::from(span.high) + u64::from(size);
        let inside =
            |base: u32, limit: usize| span.low >= base && end <= u64::from(base) + limit as u64;
        let space = match instruction.space {
            Space::Generic => span.space()?,
            space => space,
        };
        self.classify(space, mask);
        let (space, fits) = match space {
            Space::Global => (RowSpace::Global, port.check(span.low, end)),
            Space::Shared => (RowSpace::Shared, inside(SHARED_BASE, code.shared_bytes)),
            Space::Constant => (RowSpace::Constant, inside(CONSTANT_BASE, port.constant().len())),
            Space::Local | Space::Generic => return None,
        };
        self.note_consecutive(instruction, BLOCK);
        (fits && span.bits & (size - 1) == 0).then_some(space)
    }

    /// Returns true if a load of global memory may touch bytes that the SM has stored in this
    /// epoch.
    #[inline(always)]
    fn may_load_stored(&self, mask: u64, port: &GlobalPort) -> bool {
        let log = port.deferred_log();
        log.is_some_and(|log| log.has_stored(lanes_of(mask).map(|lane| self.addresses[lane])))
    }
}
