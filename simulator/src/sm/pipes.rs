//! Instructions between issue and their pipe: what happens to each when it has its operands.

use super::Candidate;
use super::lsu::MemRequest;
use crate::decode::Entries;
use crate::machine::ResolvedUnit;
use crate::register_file::Leave;

/// An instruction that collects operands.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) candidate: Candidate,
    /// The hardware warp.
    pub(super) warp: u16,
    /// The register that it writes, and whether it is a pair.
    pub(super) result: Option<(u16, bool)>,
    pub(super) writes: Entries,
    /// Index of its unit.
    pub(super) unit: u8,
    /// Passes in the pipe.
    pub(super) passes: u64,
    /// What it asks the load/store unit for.
    pub(super) request: Option<Box<MemRequest>>,
    /// An audit follows its result.
    pub(super) audited: u32,
}

/// The instructions of a core that collect operands, by token.
#[derive(Debug, Default)]
pub(super) struct Flights {
    pub(super) flights: Vec<Option<Flight>>,
    pub(super) free: Vec<u32>,
}

impl Flights {
    /// A token for the next instruction.
    pub(super) fn token(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.flights.push(None);
            self.flights.len() as u32 - 1
        })
    }

    pub(super) fn start(&mut self, token: u32, flight: Flight) {
        self.flights[token as usize] = Some(flight);
    }

    pub(super) fn get(&self, token: u32) -> Option<&Flight> {
        self.flights.get(token as usize)?.as_ref()
    }

    /// Ends a flight; its token is free.
    pub(super) fn end(&mut self, token: u32) -> Option<Flight> {
        self.free.push(token);
        self.flights.get_mut(token as usize)?.take()
    }
}

/// The pipes of a core.
#[derive(Debug)]
pub(super) struct Pipes {
    /// By pipe, by instance: when it accepts an instruction.
    free: Vec<Vec<u64>>,
}

impl Pipes {
    pub(super) fn new(counts: impl Iterator<Item = u32>) -> Pipes {
        Pipes { free: counts.map(|count| vec![0; count as usize]).collect() }
    }

    /// An instruction of so many passes wants to start in a unit's pipe.
    #[inline]
    pub(super) fn start(&mut self, unit: &ResolvedUnit, passes: u64, now: u64) -> Leave {
        match self.free[unit.pipe].iter_mut().min() {
            Some(free) if *free <= now => {
                *free = now + unit.initiation * passes;
                Leave::Left
            }
            Some(free) => Leave::NotBefore(*free),
            None => Leave::NotBefore(u64::MAX),
        }
    }
}
