//! The operand collector: instructions between issue and their pipe. Each reads its operands from the register file, and
//! leaves when it has them all and its pipe, or the load/store unit, accepts it.

use super::lsu::MemRequest;
use super::pipes::Pipes;
use super::residency::Candidate;
use crate::decode::Entries;
use crate::divergence::Capabilities;
use crate::machine::Machine;
use crate::memory::NEVER;
use crate::register_file::{
    self, Destination, Leave, Operands, RegisterCounts, RegisterFile, Shape,
};

/// Names an instruction that collects operands; free for another one when it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) u32);

/// An instruction that collects operands.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) candidate: Candidate,
    /// The hardware warp.
    pub(super) warp: u16,
    /// The lanes in which it acts.
    pub(super) lanes: u64,
    /// The first register that it writes, and how many.
    pub(super) result: Option<(u16, u8)>,
    pub(super) writes: Entries,
    /// Index of its unit.
    pub(super) unit: u8,
    /// Passes in the pipe.
    pub(super) passes: u64,
    /// What it asks the load/store unit for.
    pub(super) request: Option<Box<MemRequest>>,
}

/// The register file of an SM and the instructions that read from it.
pub(super) struct OperandCollector {
    register_file: Box<dyn RegisterFile>,
    /// By token.
    flights: Vec<Option<Flight>>,
    free: Vec<Token>,
    /// The next cycle in which something can happen.
    next: u64,
    /// Instructions that have left in the last step.
    left: Vec<Token>,
}

impl OperandCollector {
    /// Of a machine under a divergence scheme.
    pub(super) fn new(
        machine: &Machine,
        scheme: &Capabilities,
    ) -> Result<OperandCollector, String> {
        let file = register_file::find(&machine.register_file)?;
        let shape = Shape {
            banked: machine.options(register_file::SHARED),
            is_serial: scheme.is_serial,
            registers: machine.sm.warp_registers(),
        };
        Ok(OperandCollector {
            register_file: (file.build)(&machine.options(file.name), &shape)?,
            flights: Vec::new(),
            free: Vec::new(),
            next: NEVER,
            left: Vec::new(),
        })
    }

    /// A token for the next instruction.
    pub(super) fn token(&mut self) -> Token {
        self.free.pop().unwrap_or_else(|| {
            self.flights.push(None);
            Token(self.flights.len() as u32 - 1)
        })
    }

    /// Gives back a token that was not used.
    pub(super) fn give_back(&mut self, token: Token) {
        self.free.push(token);
    }

    /// Whether an instruction can enter.
    #[inline]
    pub(super) fn has_room(&self) -> bool {
        self.register_file.has_room()
    }

    /// Whether some instruction has not read all of its operands.
    pub(super) fn is_reading(&self) -> bool {
        self.register_file.is_reading()
    }

    /// Whether a warp's next instruction may issue as far as the operands of its older ones are concerned.
    #[inline]
    pub(super) fn admits(&self, warp: u16) -> bool {
        self.register_file.admits(warp)
    }

    /// An instruction that has issued begins to read its operands.
    pub(super) fn enter(&mut self, token: Token, flight: Flight, operands: Operands, now: u64) {
        self.register_file.enter(token.0, operands.of(flight.warp, flight.lanes));
        self.flights[token.0 as usize] = Some(flight);
        self.next = self.next.min(now + 1);
    }

    /// A warp becomes active, or inactive.
    pub(super) fn set_active(&mut self, warp: u16, active: bool, now: u64) {
        self.register_file.set_active(warp, active, now);
    }

    /// A warp starts, which has so many registers.
    pub(super) fn starts(&mut self, warp: u16, registers: u16, now: u64) {
        self.register_file.starts(warp, registers, now);
    }

    /// The block of a warp is over, which had so many registers.
    pub(super) fn leaves(&mut self, warp: u16, registers: u16, now: u64) {
        self.register_file.leaves(warp, registers, now);
    }

    /// All threads of a warp have ended.
    pub(super) fn ended(&mut self, warp: u16) {
        self.register_file.ended(warp);
    }

    /// A result replaces what registers held, but another mechanism keeps it.
    pub(super) fn bypassed(&mut self, result: &Destination) {
        self.register_file.bypassed(result);
    }

    /// The load/store unit has room again.
    pub(super) fn wake(&mut self, now: u64) {
        self.next = self.next.min(now);
    }

    /// The next cycle in which something can happen.
    #[inline]
    pub(super) fn next_event(&self) -> u64 {
        self.next
    }

    /// Lets instructions read operands, and leave for their pipes or for the load/store unit, whose queue has so much
    /// room.
    pub(super) fn step(&mut self, now: u64, pipes: &mut Pipes, mut room: usize) {
        let (flights, left) = (&self.flights, &mut self.left);
        self.next = self.register_file.step(now, &mut |token| {
            let Some(flight) = flights.get(token as usize).and_then(Option::as_ref) else {
                return Leave::Left;
            };
            if flight.request.is_some() && room == 0 {
                return Leave::NotBefore(NEVER);
            }
            let leave = pipes.start(flight.unit, flight.passes, now);
            if leave == Leave::Left {
                room -= usize::from(flight.request.is_some());
                left.push(Token(token));
            }
            leave
        });
    }

    /// Instructions that have left in the last step, in order; the caller gives back the list.
    pub(super) fn take_left(&mut self) -> Vec<Token> {
        std::mem::take(&mut self.left)
    }

    /// Gives back the list for its allocation.
    pub(super) fn reuse(&mut self, mut left: Vec<Token>) {
        left.clear();
        self.left = left;
    }

    /// An instruction has left; its token is free.
    pub(super) fn end(&mut self, token: Token) -> Option<Flight> {
        self.free.push(token);
        self.flights.get_mut(token.0 as usize)?.take()
    }

    /// A result is written in cycle `ready` or as soon after it as that is possible: the cycle in which it is there.
    #[inline]
    pub(super) fn write(
        &mut self,
        (warp, lanes): (u16, u64),
        result: Option<(u16, u8)>,
        ready: u64,
        now: u64,
    ) -> u64 {
        match result {
            Some((register, words)) => {
                let result = Destination { warp, register, words, lanes };
                self.register_file.write(&result, ready, now)
            }
            None => ready,
        }
    }

    /// What was counted until a cycle.
    pub(super) fn counts(&self, cycle: u64) -> RegisterCounts {
        self.register_file.counts(cycle)
    }

    /// What is not as it has to be when a run is over.
    pub(super) fn unbalanced(&self) -> Option<&'static str> {
        let is_empty =
            self.free.len() == self.flights.len() && self.flights.iter().all(Option::is_none);
        let faults = [
            (!self.register_file.is_empty(), "operands to be read"),
            (!is_empty, "instructions that never started in their pipes"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}

#[cfg(test)]
impl OperandCollector {
    /// Has another register file from now on, given that no instruction is here.
    pub(super) fn replace_register_file(&mut self, register_file: Box<dyn RegisterFile>) {
        self.register_file = register_file;
    }
}
