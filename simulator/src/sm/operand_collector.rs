//! The operand collector: instructions between issue and their pipe. Each reads its operands from the register file of its
//! sub-core, and leaves when it has them all and its pipe, or the load/store unit, accepts it.

use super::pipes::Pipes;
use super::residency::Candidate;
use crate::block::threads::Threads;
use crate::handles::{CandidateId, Token, WarpSlot};
use crate::machine::Machine;
use crate::machine::clock::{NEVER, in_turn};
use crate::mechanisms::divergence::slot::Capabilities;
use crate::mechanisms::event::{Effects, Event, EventSet};
use crate::mechanisms::register_file;
use crate::mechanisms::register_file::{
    Destination, Leave, Operands, PathAt, Properties, Reader, RegisterFile, RegisterLimits,
    ResultRegisters,
};
use crate::observe::statistics::Statistics;
use crate::sm::lsu::request::MemRequest;

/// An instruction that collects operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    pub(super) candidate: Candidate,
    pub(super) id: CandidateId,
    /// The hardware warp.
    pub(super) warp: WarpSlot,
    pub(super) pc: u32,
    /// Its pipe.
    pub(super) pipe: u16,
    /// It goes to the load/store unit too.
    pub(super) is_memory: bool,
    /// The lanes in which it acts.
    pub(super) lanes: u64,
    /// For how many cycles it takes the pipe.
    pub(super) cycles: u64,
    /// The number of cycles from its start to its result, or to its addresses.
    pub(super) latency: u64,
}

/// The parts that enter the operand collector with an instruction.
pub(super) struct Entering<'a> {
    /// The registers that it reads, and those that it writes.
    pub(super) operands: &'a Operands,
    pub(super) result: Option<&'a ResultRegisters>,
    /// The path's slot among those of the warp.
    pub(super) slot: u16,
    /// Its request to the load/store unit.
    pub(super) request: Option<Box<MemRequest>>,
}

/// A sub-core's slice of the register file, which numbers the sub-core's warps without gaps.
struct Slice {
    file: Box<dyn RegisterFile>,
    /// True if an instruction can enter.
    has_room: bool,
    /// The next cycle in which something can happen.
    next: u64,
}

impl Slice {
    fn new(file: Box<dyn RegisterFile>) -> Slice {
        Slice { has_room: file.has_room(), file, next: NEVER }
    }
}

/// The register files of an SM and the instructions that read from them.
pub(super) struct OperandCollector {
    /// By sub-core.
    slices: Vec<Slice>,
    /// Hardware warps that blocks can take; a mechanism's own warps follow them, and belong to the
    /// first sub-core.
    warps: u16,
    /// Lanes of a warp.
    width: usize,
    /// The properties that all register files share.
    properties: Properties,
    events: EventSet,
    /// The register files can lack registers.
    has_limits: bool,
    /// Effects of events that the SM has not applied yet.
    effects: Effects,
    /// The instructions that it holds, by token; and their requests to the load/store unit.
    flights: Vec<Flight>,
    requests: Vec<Option<Box<MemRequest>>>,
    free: Vec<Token>,
    /// The next cycle in which something can happen in any sub-core.
    next: u64,
    /// Instructions that have left in the last step.
    left: Vec<Token>,
}

impl OperandCollector {
    /// The operand collector of a machine under a divergence scheme.
    pub(super) fn new(
        machine: &Machine,
        scheme: &Capabilities,
    ) -> Result<OperandCollector, String> {
        let mut slices = (0..machine.sm.sub_cores)
            .map(|_| Ok(Slice::new(register_file::list::build(machine, scheme.is_serial)?)))
            .collect::<Result<Vec<_>, String>>()?;
        let first = slices.first_mut();
        Ok(OperandCollector {
            properties: first.as_ref().map(|it| it.file.properties()).unwrap_or_default(),
            events: first.as_ref().map(|it| it.file.events()).unwrap_or_default(),
            has_limits: first.is_some_and(|it| it.file.limits().is_some()),
            effects: Effects::default(),
            width: machine.sm.warp_width as usize,
            slices,
            warps: machine.sm.warps as u16,
            flights: Vec::new(),
            requests: Vec::new(),
            free: Vec::new(),
            next: NEVER,
            left: Vec::new(),
        })
    }

    /// A token for the next instruction.
    #[inline(always)]
    pub(super) fn token(&mut self) -> Token {
        self.free.pop().unwrap_or_else(|| {
            self.flights.push(Flight::default());
            self.requests.push(None);
            Token(self.flights.len() as u32 - 1)
        })
    }

    /// Gives back a token that was not used.
    pub(super) fn give_back(&mut self, token: Token) {
        self.free.push(token);
    }

    /// Sub-cores.
    #[inline]
    pub(super) fn sub_cores(&self) -> usize {
        self.slices.len()
    }

    /// The sub-core of a hardware warp, and its number there.
    #[inline(always)]
    fn place(&self, warp: WarpSlot) -> (usize, WarpSlot) {
        match self.slices.len() as u16 {
            1 => (0, warp),
            count => match warp.0.checked_sub(self.warps) {
                None => (usize::from(warp.0 % count), WarpSlot(warp.0 / count)),
                Some(own) => (0, WarpSlot(self.warps.div_ceil(count) + own)),
            },
        }
    }

    /// The sub-core of a hardware warp.
    pub(super) fn sub_core_of(&self, warp: WarpSlot) -> usize {
        self.place(warp).0
    }

    /// Returns true if an instruction of a sub-core can enter.
    #[inline]
    pub(super) fn has_room(&self, sub_core: usize) -> bool {
        self.slices[sub_core].has_room
    }

    /// Returns true if some instruction of a sub-core has not read all of its operands.
    pub(super) fn is_reading(&self, sub_core: usize) -> bool {
        self.slices[sub_core].file.is_reading()
    }

    /// Returns true if a warp's next instruction may issue as far as the operands of its older ones
    /// are concerned.
    #[inline]
    pub(super) fn admits(&self, warp: WarpSlot) -> bool {
        self.properties.admits_all || {
            let (sub_core, warp) = self.place(warp);
            self.slices[sub_core].file.admits(warp)
        }
    }

    /// The properties of the register files.
    #[inline(always)]
    pub(super) fn properties(&self) -> &Properties {
        &self.properties
    }

    /// The events that the register files receive. A stage tests them before it computes an event.
    #[inline(always)]
    pub(super) fn events(&self) -> EventSet {
        self.events
    }

    /// Passes an event of a hardware warp to its register file, if that receives its kind, given the warp's index there.
    #[inline]
    pub(super) fn raise<'e>(&mut self, warp: WarpSlot, event: impl FnOnce(WarpSlot) -> Event<'e>) {
        let (sub_core, warp) = self.place(warp);
        let event = event(warp);
        if self.events.has(event.kind()) {
            self.slices[sub_core].file.on_event(&event, &mut self.effects);
        }
    }

    /// Passes an event to every register file, if they receive its kind.
    pub(super) fn raise_all(&mut self, event: &Event) {
        if self.events.has(event.kind()) {
            let effects = &mut self.effects;
            self.slices.iter_mut().for_each(|slice| slice.file.on_event(event, effects));
        }
    }

    /// The effects of events since the last call.
    pub(super) fn take_effects(&mut self) -> Effects {
        std::mem::take(&mut self.effects)
    }

    /// Returns true if the register file can lack registers: it may keep instructions from issuing, and blocks from
    /// starting.
    #[inline(always)]
    pub(super) fn has_limits(&self) -> bool {
        self.has_limits
    }

    /// Returns true if it may keep an instruction from issuing that the scoreboard lets issue.
    pub(super) fn holds_back_instructions(&self) -> bool {
        self.has_limits || !self.properties.admits_all
    }

    /// The decisions of a register file that can lack registers. Such a register file belongs to a whole SM.
    pub(super) fn limits(&mut self) -> Option<&mut dyn RegisterLimits> {
        self.slices.first_mut()?.file.limits()
    }

    /// Returns true if a path that waits for registers cannot issue in a cycle, as far as is known.
    #[cold]
    pub(super) fn holds_back(&mut self, path: PathAt, now: u64) -> bool {
        self.limits().is_some_and(|limits| limits.holds_back(path, now))
    }

    /// An instruction that has issued begins to read its operands. Returns its sub-core if that has
    /// no room for another one any more.
    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        token: Token,
        flight: Flight,
        Entering { operands, result, slot, request }: Entering,
        now: u64,
    ) -> Option<usize> {
        let (sub_core, warp) = self.place(flight.warp);
        let Flight { is_memory, lanes, .. } = flight;
        let at = token.0 as usize;
        self.flights[at] = flight;
        if let Some(request) = request {
            self.requests[at] = Some(request);
        }
        let slice = &mut self.slices[sub_core];
        let reader = Reader { warp, slot, is_memory, lanes };
        slice.has_room = slice.file.enter(token.0, operands, reader, result, now);
        slice.next = slice.next.min(now + 1);
        self.next = self.next.min(now + 1);
        (!slice.has_room).then_some(sub_core)
    }

    /// The load/store unit has room again.
    pub(super) fn wake(&mut self, now: u64) {
        for slice in &mut self.slices {
            slice.file.wake();
            slice.next = slice.next.min(now);
        }
        self.next = self.next.min(now);
    }

    /// The next cycle in which something can happen.
    #[inline]
    pub(super) fn next_event(&mut self) -> u64 {
        let next = self.next;
        if !self.has_limits {
            return next;
        }
        self.limits().map_or(next, |limits| next.min(limits.next_event()))
    }

    /// Lets instructions read operands, and leave for their pipes or for the load/store unit, whose
    /// queue has `room` places. The sub-cores take turns in going first. `eased` is called for
    /// sub-cores that have room again.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        now: u64,
        pipes: &mut Pipes,
        mut room: usize,
        mut eased: impl FnMut(usize),
    ) {
        self.left.clear();
        let count = self.slices.len();
        if count == 1 {
            self.next = self.step_slice(0, now, pipes, &mut room, &mut eased);
            return;
        }
        self.next = (0..count).fold(NEVER, |next, turn| {
            let sub_core = in_turn(now, turn, count);
            next.min(self.step_slice(sub_core, now, pipes, &mut room, &mut eased))
        });
    }

    /// The same for a sub-core. Returns the next cycle in which something can happen there.
    #[inline(always)]
    fn step_slice(
        &mut self,
        sub_core: usize,
        now: u64,
        pipes: &mut Pipes,
        room: &mut usize,
        eased: &mut impl FnMut(usize),
    ) -> u64 {
        let (flights, left) = (&self.flights, &mut self.left);
        let slice = &mut self.slices[sub_core];
        if slice.next > now {
            return slice.next;
        }
        slice.next = slice.file.step(now, &mut |token| {
            let Flight { pipe, cycles, is_memory, .. } = flights[token as usize];
            if is_memory && *room == 0 {
                return Leave::NotBefore(NEVER);
            }
            let leave = pipes.start(sub_core, pipe, cycles, now);
            if leave == Leave::Left {
                *room -= usize::from(is_memory);
                left.push(Token(token));
            }
            leave
        });
        if !slice.has_room && slice.file.has_room() {
            slice.has_room = true;
            eased(sub_core);
        }
        slice.next
    }

    /// The instruction that has left as number `at` in the last step, if there is one; its token is
    /// free.
    #[inline]
    pub(super) fn take_left(&mut self, at: usize) -> Option<(Token, Flight)> {
        let token = *self.left.get(at)?;
        self.free.push(token);
        Some((token, self.flights[token.0 as usize]))
    }

    /// The request to the load/store unit of an instruction that has left.
    #[inline]
    pub(super) fn take_request(
        &mut self,
        token: Token,
        flight: &Flight,
    ) -> Option<Box<MemRequest>> {
        if flight.is_memory { self.requests[token.0 as usize].take() } else { None }
    }

    /// The destination of a hardware warp's result, in the numbering of its sub-core.
    #[inline]
    pub(super) fn destination(
        &self,
        warp: WarpSlot,
        lanes: u64,
        result: &ResultRegisters,
    ) -> Destination {
        result.of(self.place(warp).1, lanes)
    }

    /// A result of a hardware warp is written in cycle `ready` or as soon after it as possible.
    /// Returns the cycle of its arrival.
    #[inline]
    pub(super) fn write(
        &mut self,
        warp: WarpSlot,
        result: &Destination,
        ready: u64,
        now: u64,
    ) -> u64 {
        let (sub_core, _) = self.place(warp);
        self.slices[sub_core].file.write(result, ready, now)
    }

    /// Raises [`Event::Writing`] of a result, of a warp of a block. The values exist since it issued, and nothing replaces
    /// them before it is written.
    pub(super) fn raise_writing(
        &mut self,
        warp: WarpSlot,
        result: &Destination,
        threads: &Threads,
        of_block: usize,
    ) {
        let general = &threads.registers.general;
        // The rows of the block's index follow the registers of all warps.
        let words = general.len().saturating_sub(3 * self.width);
        let each = words.checked_div(threads.alive.len()).unwrap_or(0);
        let first = of_block * each + usize::from(result.register) * self.width;
        let values = general.get(first..first + usize::from(result.words) * self.width);
        if let (Some(values), Some(&alive)) = (values, threads.alive.get(of_block)) {
            self.raise(warp, |_| Event::Writing { result, values, alive });
        }
    }

    /// Adds the counters of the register file until a cycle.
    pub(super) fn count(&self, statistics: &mut Statistics, cycle: u64) {
        self.slices.iter().for_each(|slice| slice.file.count(statistics, cycle));
    }

    /// A sentence about a resource that is not returned at the end of a run.
    pub(super) fn unbalanced(&self) -> Option<&'static str> {
        let is_empty =
            self.free.len() == self.flights.len() && self.requests.iter().all(Option::is_none);
        let faults = [
            (self.slices.iter().any(|slice| !slice.file.is_empty()), "operands to be read"),
            (!is_empty, "instructions that never started in their pipes"),
        ];
        faults.into_iter().find_map(|(is, what)| is.then_some(what))
    }
}

#[cfg(test)]
impl OperandCollector {
    /// Replaces the register file, which must hold no instruction.
    pub(super) fn replace_register_file(&mut self, mut register_file: Box<dyn RegisterFile>) {
        self.properties = register_file.properties();
        self.events = register_file.events();
        self.has_limits = register_file.limits().is_some();
        self.slices = vec![Slice::new(register_file)];
    }
}
