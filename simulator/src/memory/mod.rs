//! The memory system behind the cores: interconnect, slices of the second-level cache, channels of
//! memory. It moves tags and bytes counts, not data: function happens at issue.

pub(crate) mod cache;
pub(crate) mod coalesce;
mod dram;
mod interconnect;
mod partition;
pub(crate) mod pending;

use crate::machine::Machine;
use crate::statistics::Statistics;
use interconnect::Crossbar;
use partition::Partition;

/// A cycle that never comes.
pub(crate) const NEVER: u64 = u64::MAX;

/// Bytes of a sector: the unit of transfer below a line.
pub(crate) const SECTOR: u32 = 32;

/// What a request wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RequestKind {
    Read,
    Write,
    /// Atomic operations, at most `serial` of them on one address, `lanes` in all.
    Atomic {
        serial: u8,
        lanes: u8,
    },
}

/// A request on its way from a core to memory, and its reply on the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packet {
    pub(crate) core: u16,
    pub(crate) kind: RequestKind,
    /// Address of the first-level line.
    pub(crate) line: u64,
    /// Sectors of that line.
    pub(crate) sectors: u8,
    /// The core's own mark, returned with the reply.
    pub(crate) tag: u32,
}

impl Packet {
    /// Bytes of data that a request carries.
    fn request_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => 0,
            RequestKind::Write => SECTOR * self.sectors.count_ones(),
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }

    /// Bytes of data that a reply carries.
    fn reply_data(&self) -> u32 {
        match self.kind {
            RequestKind::Read => SECTOR * self.sectors.count_ones(),
            RequestKind::Write => 0,
            RequestKind::Atomic { lanes, .. } => 8 * u32::from(lanes),
        }
    }
}

/// Everything between the cores' request queues and memory.
pub(crate) struct MemorySystem {
    requests: Crossbar,
    replies: Crossbar,
    partitions: Vec<Partition>,
    interleave: u64,
    header: u32,
    /// The next cycle in which something can happen here.
    pub(crate) wake: u64,
    statistics: Statistics,
}

impl MemorySystem {
    pub(crate) fn new(machine: &Machine) -> Result<MemorySystem, String> {
        let (cores, partitions) = (machine.cores as usize, machine.l2.partitions as usize);
        Ok(MemorySystem {
            requests: Crossbar::new(&machine.interconnect, cores, partitions),
            replies: Crossbar::new(&machine.interconnect, partitions, cores),
            partitions: (0..partitions)
                .map(|_| Partition::new(machine))
                .collect::<Result<_, _>>()?,
            interleave: u64::from(machine.l2.interleave),
            header: machine.interconnect.header,
            wake: NEVER,
            statistics: Statistics::default(),
        })
    }

    /// Whether a core can hand over a packet.
    pub(crate) fn accepts(&self, core: usize) -> bool {
        self.requests.has_room(core)
    }

    /// Takes a packet from a core. Write-backs need not ask for room: there is at most one for each
    /// reply, so that the queue stays bounded, and replies never wait for requests.
    pub(crate) fn send(&mut self, packet: Packet, now: u64) {
        let partition = (packet.line / self.interleave) as usize % self.partitions.len();
        let bytes = self.header + packet.request_data();
        self.statistics.requests += 1;
        self.statistics.request_bytes += u64::from(bytes);
        self.requests.send(usize::from(packet.core), partition, bytes, now, packet);
        self.wake = self.wake.min(now);
    }

    /// A reply that has arrived at a core by now.
    pub(crate) fn receive(&mut self, core: usize, now: u64) -> Option<Packet> {
        self.replies.receive(core, now)
    }

    /// The cycle in which the next reply arrives at a core.
    pub(crate) fn next_reply(&self, core: usize) -> u64 {
        self.replies.next_arrival(core)
    }

    /// Everything that happens in a cycle. `arrivals` hears of each core that will get a reply.
    pub(crate) fn step(&mut self, now: u64, mut arrivals: impl FnMut(usize, u64)) {
        let mut wake = self.requests.step(now, |_, _| {});
        for (index, partition) in self.partitions.iter_mut().enumerate() {
            while self.replies.has_room(index)
                && let Some((packet, ready)) = partition.take_reply(now)
            {
                let bytes = self.header + packet.reply_data();
                self.statistics.replies += 1;
                self.statistics.reply_bytes += u64::from(bytes);
                self.replies.send(index, usize::from(packet.core), bytes, ready, packet);
            }
            wake = wake.min(partition.step(now, &mut self.requests, index));
        }
        wake = wake.min(self.replies.step(now, &mut arrivals));
        self.wake = wake.max(now + 1);
    }

    /// Whether no request is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.requests.is_idle()
            && self.replies.is_idle()
            && self.partitions.iter().all(Partition::is_idle)
    }

    /// What was counted, for a run of so many cycles.
    pub(crate) fn statistics(&self, cycles: u64) -> Statistics {
        let mut total = self.statistics.clone();
        for partition in &self.partitions {
            total.merge(&partition.statistics());
        }
        total.dram_capacity_cycles = cycles * self.partitions.len() as u64;
        total
    }
}
