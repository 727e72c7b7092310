//! Device memory, as the runtime passes it to a launch, and the port through which code accesses
//! it.

use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, Width};

use crate::check::Checker;
use crate::check::event::{CheckEvent, Seen, Waiting};
use crate::memory::log::{Emission, Log};
use crate::memory::second_level::SecondLevel;
use crate::memory::words::read;
use crate::run::emitted::Emitted;

/// Device memory, passed in for a launch.
#[derive(Debug)]
pub struct DeviceMemory<'a> {
    /// Global memory from [`GLOBAL_BASE`] on; as long as the highest allocation needs.
    pub global: &'a mut [u8],
    /// Live allocations as addresses: sorted, disjoint, not empty.
    pub allocations: &'a [Range<u32>],
    /// Constant memory from its base on, at most 64 KiB.
    pub constant: &'a [u8],
    /// The words that threads print.
    pub emitted: Emitted,
    /// The checker of the run, if there is one.
    pub checker: Option<&'a mut Checker>,
    /// The contents of the L2, if the machine keeps it between launches ([`SecondLevel::of`]).
    /// Without it the launch begins with an empty one.
    pub second_level: Option<&'a mut SecondLevel>,
}

/// The only access path to global memory for an SM's instructions. It checks accesses against the
/// allocations.
pub(crate) struct GlobalPort<'a> {
    allocations: &'a [Range<u32>],
    constant: &'a [u8],
    /// The allocations of the last accesses, the last one first: most accesses stay in these.
    last: [Range<u32>; 2],
    /// True if a checker must be notified of accesses.
    pub(crate) is_checked: bool,
    pub(crate) global: Global<'a>,
}

/// Global memory as an SM sees it in a cycle, to be read.
#[derive(Clone, Copy)]
pub(crate) struct GlobalView<'a> {
    bytes: &'a [u8],
    log: Option<&'a Log>,
}

impl GlobalView<'_> {
    /// The words of an aligned line of 128 bytes at an address; 0 beyond the memory that is backed.
    pub(crate) fn line(self, address: u32) -> [u32; 32] {
        let log = self.log.filter(|log| log.has_stored(std::iter::once(address)));
        std::array::from_fn(|word| {
            let address = address + 4 * word as u32;
            let offset = address.wrapping_sub(GLOBAL_BASE) as usize;
            let old = read(self.bytes, offset, Width::B32);
            log.map_or(old, |log| log.load(address, Width::B32, old)) as u32
        })
    }
}

/// The access to global memory.
pub(crate) enum Global<'a> {
    /// At once.
    Direct { bytes: &'a mut [u8], emitted: &'a mut Emitted, checker: Option<&'a mut Checker> },
    /// Its state at the start of an epoch, with the SM's own stores since then; stores and atomics
    /// take place when the epoch ends.
    Deferred { bytes: &'a [u8], log: &'a mut Log },
}

impl<'a> GlobalPort<'a> {
    /// Access at once.
    pub(crate) fn direct(memory: &'a mut DeviceMemory) -> GlobalPort<'a> {
        GlobalPort {
            allocations: memory.allocations,
            constant: memory.constant,
            last: [0..0, 0..0],
            is_checked: memory.checker.is_some(),
            global: Global::Direct {
                bytes: memory.global,
                emitted: &mut memory.emitted,
                checker: memory.checker.as_deref_mut(),
            },
        }
    }

    /// Access of one SM during an epoch.
    pub(crate) fn deferred(memory: &'a DeviceMemory, log: &'a mut Log) -> GlobalPort<'a> {
        GlobalPort {
            allocations: memory.allocations,
            constant: memory.constant,
            last: [0..0, 0..0],
            is_checked: memory.checker.is_some(),
            global: Global::Deferred { bytes: memory.global, log },
        }
    }

    /// Adds a word to the printed output of a thread at an instruction; false when there is no
    /// room.
    pub(crate) fn emit(&mut self, block: u64, thread: u16, pc: u32, word: u32) -> bool {
        match &mut self.global {
            Global::Direct { emitted, .. } => emitted.add(block, thread, word),
            Global::Deferred { log, .. } => {
                log.emit(Emission { block, thread, pc, word });
                true
            }
        }
    }

    /// Notifies the checker of an access that is about to take place.
    #[cold]
    pub(crate) fn raise_access(&mut self, seen: &Seen) {
        match &mut self.global {
            Global::Direct { bytes, checker: Some(checker), .. } => checker.access(seen, bytes),
            Global::Direct { .. } => {}
            Global::Deferred { log, .. } => log.check(Waiting::Access(seen.keep())),
        }
    }

    /// Notifies the checker of another action of a block's threads.
    #[cold]
    pub(crate) fn raise(&mut self, block: u64, event: CheckEvent) {
        match &mut self.global {
            Global::Direct { checker: Some(checker), .. } => checker.on_event(block, &event),
            Global::Direct { .. } => {}
            Global::Deferred { log, .. } => log.check(Waiting::Other(block, event)),
        }
    }

    /// The log of global accesses to apply when the epoch ends, if they are not applied at once.
    pub(crate) fn log(&mut self) -> Option<&mut Log> {
        match &mut self.global {
            Global::Direct { .. } => None,
            Global::Deferred { log, .. } => Some(log),
        }
    }

    /// The log of global accesses to apply when the epoch ends, to be read.
    pub(crate) fn deferred_log(&self) -> Option<&Log> {
        match &self.global {
            Global::Direct { .. } => None,
            Global::Deferred { log, .. } => Some(log),
        }
    }

    /// Returns true if the bytes from `low` to `high` (exclusive) lie in one allocation.
    #[inline]
    pub(crate) fn check(&mut self, low: u32, high: u64) -> bool {
        let is_inside = |range: &Range<u32>| range.start <= low && high <= u64::from(range.end);
        let [last, before] = &self.last;
        if is_inside(last) {
            return true;
        }
        if is_inside(before) {
            self.last.swap(0, 1);
            return true;
        }
        let after = self.allocations.partition_point(|range| range.start <= low);
        let Some(range) = after.checked_sub(1).map(|i| &self.allocations[i]) else {
            return false;
        };
        let backed = u64::from(GLOBAL_BASE) + self.bytes().len() as u64;
        if high > u64::from(range.end) || u64::from(range.end) > backed || low < GLOBAL_BASE {
            return false;
        }
        self.last.swap(0, 1);
        self.last[0] = range.clone();
        true
    }

    /// The allocation whose edge is nearest to an address.
    pub(crate) fn nearest(&self, address: u32) -> Option<Range<u32>> {
        let distance = |range: &Range<u32>| {
            if address < range.start {
                range.start - address
            } else {
                address.saturating_sub(range.end)
            }
        };
        let near = self.allocations.iter().min_by_key(|r| distance(r))?;
        // Null and other wild addresses are not near anything.
        (distance(near) < 1 << 20).then(|| near.clone())
    }

    /// Global memory as bytes, to be indexed by address minus base; checked addresses only.
    /// Deferred stores are not in it.
    #[inline]
    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.global {
            Global::Direct { bytes, .. } => bytes,
            Global::Deferred { bytes, .. } => bytes,
        }
    }

    /// The SM's view of global memory now.
    pub(crate) fn view(&self) -> GlobalView<'_> {
        GlobalView { bytes: self.bytes(), log: self.deferred_log() }
    }

    /// Constant memory.
    pub(crate) fn constant(&self) -> &[u8] {
        self.constant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_seen_with_what_its_sm_has_stored() {
        let mut global: Vec<u8> = (0..40u32).flat_map(u32::to_le_bytes).collect();
        let memory = DeviceMemory {
            global: &mut global,
            allocations: &[],
            constant: &[],
            emitted: Emitted::default(),
            checker: None,
            second_level: None,
        };
        let mut log = Log::default();
        log.store_row(GLOBAL_BASE + 8, &[70, 80]);
        log.store_row(GLOBAL_BASE + 124, &[90, 100]);
        let port = GlobalPort::deferred(&memory, &mut log);
        let mut first: [u32; 32] = std::array::from_fn(|word| word as u32);
        (first[2], first[3], first[31]) = (70, 80, 90);
        assert_eq!(port.view().line(GLOBAL_BASE), first);
        // Beyond the end there are zeroes.
        let mut second = [0; 32];
        second[..8].copy_from_slice(&[100, 33, 34, 35, 36, 37, 38, 39]);
        assert_eq!(port.view().line(GLOBAL_BASE + 128), second);
    }
}
