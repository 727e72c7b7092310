//! The cache of constant memory, one line of which is fetched at a time.

use crate::machine::Machine;
use crate::memory::bytes::SECTOR;
use crate::memory::cache::Cache;
use crate::memory::mshr::{FetchedSectors, Placement};
use crate::memory::packet::{CONSTANTS, Packet, RequestKind, Waiter};
use crate::sm::lsu::request::LsuPorts;

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lookup {
    /// The word; it is in registers at this cycle.
    Hit(u64),
    /// Its line, or another one, is in flight.
    Waits,
    /// No line is in flight, and there is no room towards memory.
    NoRoom,
}

/// The constant cache of an SM.
pub(super) struct ConstantCache {
    latency: u64,
    /// The lines of the cache in front of it, the one that was used last first; how many it has; and the cycles more of a
    /// miss there. None if there is no such cache.
    first: Option<(Vec<u64>, usize, u64)>,
    /// Bytes of a line.
    line: u64,
    cache: Cache,
    /// The line in flight.
    requested: Option<u64>,
}

impl ConstantCache {
    pub(super) fn new(machine: &Machine) -> Result<ConstantCache, String> {
        let constant = &machine.constant;
        let lines = (constant.size / constant.line) as usize;
        let options = machine.options(&constant.replacement);
        Ok(ConstantCache {
            latency: u64::from(constant.latency),
            first: (constant.l0_size != 0).then(|| {
                let lines = (constant.l0_size / constant.line).max(1) as usize;
                (Vec::new(), lines, u64::from(constant.l1_latency))
            }),
            line: u64::from(constant.line),
            cache: Cache::new(lines, constant.ways as usize, &constant.replacement, options)?,
            requested: None,
        })
    }

    /// Looks up a word, given its address; requests its line if it is not present.
    pub(super) fn lookup(&mut self, word: u32, ports: &mut LsuPorts) -> Lookup {
        let number = (CONSTANTS + u64::from(word)) / self.line;
        let sectors = (0xff >> (8 - self.line / u64::from(SECTOR))) as u8;
        let by = ports.nobody();
        if self.cache.is_absent() || self.cache.lookup(number, sectors, by) != 0 {
            ports.statistics.constant_hits += 1;
            return Lookup::Hit(ports.now + self.latency + self.beyond_first(number));
        }
        if self.requested.is_none() {
            if !ports.memory.accepts() {
                return Lookup::NoRoom;
            }
            self.requested = Some(number);
            ports.statistics.constant_misses += 1;
            let packet = Packet {
                by,
                kind: RequestKind::Read,
                waiter: Waiter::Constant,
                line: number * self.line,
                sectors,
            };
            ports.memory.send(packet, ports.now);
        }
        Lookup::Waits
    }

    /// The cycles more for a line that is not in the cache in front, where it is from now on.
    fn beyond_first(&mut self, number: u64) -> u64 {
        let Some((lines, capacity, more)) = &mut self.first else { return 0 };
        let place = lines.iter().position(|known| *known == number);
        let found = place.map(|place| lines.remove(place));
        lines.insert(0, number);
        lines.truncate(*capacity);
        if found.is_some() { 0 } else { *more }
    }

    /// The requested line has arrived.
    pub(super) fn fill(&mut self, packet: &Packet) {
        self.cache.fill(
            packet.line / self.line,
            FetchedSectors::requested(packet.sectors),
            false,
            Placement::Always,
            packet.by,
        );
        self.requested = None;
    }

    /// Returns true if no line is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.requested.is_none()
    }
}
