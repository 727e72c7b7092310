//! The second-level cache between launches (`l2.between-launches`): which lines its slices hold. There are no data in it, so
//! that it matters for time alone.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use reconverge_isa::{CONSTANT_BASE, CONSTANT_SIZE};

use super::bytes::Bytes;
use super::cache::Cache;
use super::interleaving::Interleaving;
use super::partition::slice;
use crate::machine::{BetweenLaunches, Machine};
use crate::mechanisms::allocation::Requester;
use crate::memory::endpoint::Memory;
use crate::memory::packet::CONSTANTS;

/// The alignment of kernels' code, in bytes: the largest line.
const CODE_ALIGNMENT: u64 = 256;

/// The L2 of a machine that keeps it between launches. The launching runtime has one for each
/// device memory, notifies it of the host's writes, and passes it to launches
/// ([`DeviceMemory`](crate::DeviceMemory)).
pub struct SecondLevel {
    interleaving: Interleaving,
    /// Bytes of a line.
    line: u64,
    /// By partition. Locked only so that threads may share the launch's memory.
    slices: Mutex<Vec<Cache>>,
    /// The start of each kernel's code, by name and number of instructions: bytes from the start of
    /// all code.
    code: BTreeMap<(String, usize), u64>,
    /// The start of the next kernel's code.
    code_end: u64,
}

impl fmt::Debug for SecondLevel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SecondLevel").finish_non_exhaustive()
    }
}

impl SecondLevel {
    /// That of a machine, empty. None if the machine's is flushed between launches.
    pub fn of(machine: &Machine) -> Option<SecondLevel> {
        if machine.l2.between_launches == BetweenLaunches::Flushed {
            return None;
        }
        // A machine that was loaded constructs without an error.
        let slices = (0..machine.l2.partitions).map(|_| slice(machine).ok());
        Some(SecondLevel {
            interleaving: Interleaving::new(
                machine.l2.partitions,
                machine.l2.interleave,
                machine.l2.line,
            ),
            line: u64::from(machine.l2.line),
            slices: Mutex::new(slices.collect::<Option<_>>()?),
            code: BTreeMap::new(),
            code_end: 0,
        })
    }

    /// A copy for a machine that differs from this one's in other parts, or in `ideal.l2`. Lines of a set keep the order
    /// in which the replacement policy would evict them. `None` if the machine's is flushed between launches.
    pub fn copy(&mut self, machine: &Machine) -> Option<SecondLevel> {
        let mut copy = SecondLevel::of(machine)?;
        for (slice, own) in copy.slices().iter_mut().zip(self.slices().iter()) {
            slice.take_lines(own);
        }
        (copy.code, copy.code_end) = (self.code.clone(), self.code_end);
        Some(copy)
    }

    fn slices(&mut self) -> &mut Vec<Cache> {
        self.slices.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The host has written bytes of global or constant memory, given by their addresses. Their
    /// lines are then present as after the store of a kernel. Lines that they evict are written
    /// back between launches.
    pub fn written(&mut self, addresses: Range<u32>) {
        let is_constant = addresses.start.wrapping_sub(CONSTANT_BASE) < CONSTANT_SIZE;
        let base = if is_constant { CONSTANTS } else { 0 };
        let (mut start, end) = (base + u64::from(addresses.start), base + u64::from(addresses.end));
        let (interleaving, size) = (self.interleaving, self.line);
        while start < end {
            let line = start & !(size - 1);
            let mut bytes = Bytes::default();
            bytes.insert(start - line, end.min(line + size) - line);
            let (number, _) = interleaving.place(line);
            let slice = &mut self.slices()[interleaving.partition(line)];
            if !slice.is_absent() {
                slice.write(number, &bytes, Requester::NONE);
            }
            start = line + size;
        }
    }

    /// The start of a kernel's code, of `instructions` instructions with `bytes` bytes each: bytes
    /// from the start of all code. It is 0 for the first kernel.
    pub(crate) fn place_code(&mut self, kernel: &str, instructions: usize, bytes: u32) -> u64 {
        let (code, end) = (&mut self.code, &mut self.code_end);
        *code.entry((kernel.to_owned(), instructions)).or_insert_with(|| {
            let place = *end;
            *end += (instructions as u64 * u64::from(bytes)).next_multiple_of(CODE_ALIGNMENT);
            place
        })
    }

    /// Passes the slices to the partitions of a launch, which begins.
    pub(crate) fn pass_to<'m>(&mut self, memories: impl Iterator<Item = &'m mut Memory>) {
        self.slices().iter_mut().for_each(Cache::begin_launch);
        self.exchange(memories);
    }

    /// Takes the slices back when the launch has ended, also after a fault.
    pub(crate) fn take_back<'m>(&mut self, memories: impl Iterator<Item = &'m mut Memory>) {
        self.exchange(memories);
    }

    fn exchange<'m>(&mut self, memories: impl Iterator<Item = &'m mut Memory>) {
        for (slice, memory) in self.slices().iter_mut().zip(memories) {
            memory.exchange_slice(slice);
        }
    }

    /// Returns true if it belongs to a machine with this number of partitions.
    pub(crate) fn fits(&mut self, machine: &Machine) -> bool {
        self.slices().len() == machine.l2.partitions as usize
    }
}
