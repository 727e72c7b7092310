//! The cache of constant memory, one line of which is fetched at a time.
//!
//! A line may be longer than the second level's: then it takes several requests. On GPUs of today the cache in front has
//! lines of 64 bytes, this one of 256 (MT4G, measured reports of a V100 and an H100: constant L1 and L1.5).

use crate::machine::Machine;
use crate::mechanisms::setup::Setup;
use crate::memory::bytes::{SECTOR, sectors};
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
    /// Bytes of a line of the cache in front.
    first_line: u64,
    /// Bytes of a line.
    line: u64,
    /// The bytes that a request asks for: a line, or less.
    part: u64,
    cache: Cache,
    /// The line in flight.
    requested: Option<Requested>,
}

/// A line that is in flight.
struct Requested {
    number: u64,
    /// Its parts that were requested, and those that have arrived.
    sent: u64,
    arrived: u64,
}

impl ConstantCache {
    pub(super) fn new(machine: &Machine) -> Result<ConstantCache, String> {
        let constant = &machine.constant;
        let lines = (constant.size / constant.line) as usize;
        let setup = Setup::on(machine, &constant.replacement);
        Ok(ConstantCache {
            latency: u64::from(constant.latency),
            first: (constant.l0_size != 0).then(|| {
                let lines = (constant.l0_size / constant.l0_line).max(1) as usize;
                (Vec::new(), lines, u64::from(constant.l1_latency))
            }),
            first_line: u64::from(constant.l0_line),
            line: u64::from(constant.line),
            part: u64::from(constant.line.min(machine.l2.line)),
            cache: Cache::new(lines, constant.ways as usize, &constant.replacement, &setup)?,
            requested: None,
        })
    }

    /// Looks up a word, given its address; requests its line if it is not present.
    pub(super) fn lookup(&mut self, word: u32, ports: &mut LsuPorts) -> Lookup {
        let address = CONSTANTS + u64::from(word);
        let number = address / self.line;
        let by = ports.nobody();
        if self.cache.is_absent() || self.cache.lookup(number, sectors(self.line as u32), by) != 0 {
            ports.statistics.constant_hits += 1;
            let beyond = self.beyond_first(address / self.first_line);
            return Lookup::Hit(ports.now + self.latency + beyond);
        }
        if self.requested.is_none() {
            if !ports.memory.accepts() {
                return Lookup::NoRoom;
            }
            self.requested = Some(Requested { number, sent: 0, arrived: 0 });
            ports.statistics.constant_misses += 1;
        }
        self.request(ports)
    }

    /// Requests the parts of the line in flight that have not been requested, as far as there is room.
    fn request(&mut self, ports: &mut LsuPorts) -> Lookup {
        let Some(requested) = &mut self.requested else { return Lookup::Waits };
        while requested.sent < self.line / self.part {
            if !ports.memory.accepts() {
                return Lookup::NoRoom;
            }
            let packet = Packet {
                by: ports.nobody(),
                kind: RequestKind::Read,
                waiter: Waiter::Constant,
                line: requested.number * self.line + requested.sent * self.part,
                sectors: sectors(self.part as u32),
            };
            ports.memory.send(packet, ports.now);
            requested.sent += 1;
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

    /// A part of the requested line has arrived.
    pub(super) fn fill(&mut self, packet: &Packet) {
        let number = packet.line / self.line;
        let before = packet.line % self.line / u64::from(SECTOR);
        self.cache.fill(
            number,
            FetchedSectors::requested(packet.sectors << before),
            false,
            Placement::Always,
            packet.by,
        );
        self.requested.take_if(|requested| {
            requested.arrived += 1;
            requested.arrived == self.line / self.part
        });
    }

    /// Returns true if no line is in flight.
    pub(super) fn is_idle(&self) -> bool {
        self.requested.is_none()
    }
}
