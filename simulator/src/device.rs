//! Device memory, as the runtime lends it to a launch, and the port through which code reaches it.

use std::ops::Range;

use reconverge_isa::{GLOBAL_BASE, Width};

use crate::emitted::Emitted;

/// Device memory, lent for a launch.
#[derive(Debug)]
pub struct DeviceMemory<'a> {
    /// Global memory from [`GLOBAL_BASE`] on; as long as the highest allocation needs.
    pub global: &'a mut [u8],
    /// Live allocations as addresses: sorted, disjoint, not empty.
    pub allocations: &'a [Range<u32>],
    /// Constant memory from its base on, at most 64 KiB.
    pub constant: &'a [u8],
    /// What threads print.
    pub emitted: Emitted,
}

/// The only way from a core to global memory. It checks accesses against the allocations, and
/// notices whether a store changed anything, which is what progress means to a spinning thread.
pub(crate) struct GlobalPort<'a, 'b> {
    memory: &'a mut DeviceMemory<'b>,
    /// The allocation of the last access: most accesses stay in it.
    last: Range<u32>,
    /// Whether a store or atomic has changed a byte since this was cleared.
    pub(crate) changed: bool,
}

impl<'a, 'b> GlobalPort<'a, 'b> {
    pub(crate) fn new(memory: &'a mut DeviceMemory<'b>) -> GlobalPort<'a, 'b> {
        GlobalPort { memory, last: 0..0, changed: false }
    }

    /// Adds a word to what a thread prints; false when there is no room.
    pub(crate) fn emit(&mut self, block: u64, thread: u16, word: u32) -> bool {
        self.memory.emitted.add(block, thread, word)
    }

    /// Whether the bytes from `low` to `high` (exclusive) lie in one allocation.
    #[inline]
    pub(crate) fn check(&mut self, low: u32, high: u64) -> bool {
        if self.last.start <= low && high <= u64::from(self.last.end) {
            return true;
        }
        let after = self.memory.allocations.partition_point(|range| range.start <= low);
        let Some(range) = after.checked_sub(1).map(|i| &self.memory.allocations[i]) else {
            return false;
        };
        let backed = u64::from(GLOBAL_BASE) + self.memory.global.len() as u64;
        if high > u64::from(range.end) || u64::from(range.end) > backed || low < GLOBAL_BASE {
            return false;
        }
        self.last = range.clone();
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
        let near = self.memory.allocations.iter().min_by_key(|r| distance(r))?;
        // Null and other wild addresses are not near anything.
        (distance(near) < 1 << 20).then(|| near.clone())
    }

    /// Global memory as bytes, to be indexed by address minus base; checked addresses only.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.memory.global
    }

    /// Constant memory.
    pub(crate) fn constant(&self) -> &[u8] {
        self.memory.constant
    }
}

/// Reads a value of a width, extended to 64 bits; 0 outside of the bytes.
#[inline(always)]
pub(crate) fn read(bytes: &[u8], offset: usize, width: Width) -> u64 {
    fn take<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
        match bytes.get(offset..offset + N) {
            Some(slice) => slice.try_into().unwrap_or([0; N]),
            None => [0; N],
        }
    }
    match width {
        Width::U8 => u64::from(take::<1>(bytes, offset)[0]),
        Width::S8 => take::<1>(bytes, offset)[0] as i8 as u32 as u64,
        Width::U16 => u64::from(u16::from_le_bytes(take(bytes, offset))),
        Width::S16 => i16::from_le_bytes(take(bytes, offset)) as u32 as u64,
        Width::B32 => u64::from(u32::from_le_bytes(take(bytes, offset))),
        Width::B64 => u64::from_le_bytes(take(bytes, offset)),
    }
}

/// Writes a value; whether that changed the memory.
#[inline(always)]
pub(crate) fn write(bytes: &mut [u8], offset: usize, width: Width, value: u64) -> bool {
    let size = width.bytes() as usize;
    let new = value.to_le_bytes();
    match bytes.get_mut(offset..offset + size) {
        Some(old) if *old != new[..size] => {
            old.copy_from_slice(&new[..size]);
            true
        }
        _ => false,
    }
}
