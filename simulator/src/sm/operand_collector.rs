//! The operand collector: instructions between issue and their pipe. Each reads its operands from the register file of its
//! sub-core, and leaves when it has them all and its pipe, or the load/store unit, accepts it.

use super::lsu::MemRequest;
use super::pipes::Pipes;
use super::residency::Candidate;
use crate::block::Threads;
use crate::machine::Machine;
use crate::machine::clock::in_turn;
use crate::mechanisms::build;
use crate::mechanisms::divergence::Capabilities;
use crate::mechanisms::register_file::{
    Destination, Leave, Operands, PathAt, Reader, RegisterCounts, RegisterFile, ResultRegisters,
    Transfer,
};
use crate::memory::NEVER;
use crate::program::decode::Code;

/// Names an instruction that collects operands; free for another one when it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token(pub(crate) u32);

/// An instruction that collects operands.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flight {
    pub(super) candidate: Candidate,
    pub(super) number: u16,
    /// The hardware warp.
    pub(super) warp: u16,
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
    /// True if it receives the values of results; and the lanes of a warp.
    wants_values: bool,
    width: usize,
    /// True if it admits every instruction at any time.
    admits_all: bool,
    /// True if it may keep instructions from issuing.
    throttles: bool,
    /// True if it has levels for the compiler to fill.
    has_levels: bool,
    /// True if it stages the registers of regions.
    stages: bool,
    /// Instructions of a metadata instruction, 0 if there are none; and by candidate, the one that it has read.
    metadata: u32,
    groups: Vec<Option<u32>>,
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
        let slices = (0..machine.sm.sub_cores)
            .map(|_| Ok(Slice::new(build::register_file(machine, scheme.is_serial)?)))
            .collect::<Result<Vec<_>, String>>()?;
        let any = |is: fn(&dyn RegisterFile) -> bool| slices.iter().any(|slice| is(&*slice.file));
        Ok(OperandCollector {
            wants_values: any(|file| file.wants_values()),
            admits_all: slices.iter().all(|slice| slice.file.admits_all()),
            throttles: any(|file| file.throttles()),
            metadata: slices.first().map_or(0, |slice| slice.file.metadata()),
            has_levels: any(|file| file.levels().is_some()),
            stages: any(|file| file.staging().is_some()),
            groups: Vec::new(),
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
    fn place(&self, warp: u16) -> (usize, u16) {
        match self.slices.len() as u16 {
            1 => (0, warp),
            count => match warp.checked_sub(self.warps) {
                None => (usize::from(warp % count), warp / count),
                Some(own) => (0, self.warps.div_ceil(count) + own),
            },
        }
    }

    /// The register file of a hardware warp, and the warp's number there.
    #[inline]
    fn of(&mut self, warp: u16) -> (&mut dyn RegisterFile, u16) {
        let (sub_core, warp) = self.place(warp);
        (&mut *self.slices[sub_core].file, warp)
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
    pub(super) fn admits(&self, warp: u16) -> bool {
        self.admits_all || {
            let (sub_core, warp) = self.place(warp);
            self.slices[sub_core].file.admits(warp)
        }
    }

    /// Returns true if all instructions may at any time as far as that is concerned.
    #[inline]
    pub(super) fn admits_all(&self) -> bool {
        self.admits_all
    }

    /// Returns true if the register file may keep instructions from issuing, and blocks from
    /// starting.
    #[inline]
    pub(super) fn throttles(&self) -> bool {
        self.throttles
    }

    /// Returns true if an instruction of a warp may issue as far as registers for its result are
    /// concerned.
    #[inline]
    pub(super) fn can_write(&mut self, warp: u16, result: Option<&ResultRegisters>) -> bool {
        match result {
            Some(&ResultRegisters { register, words, .. }) if self.throttles => {
                let (sub_core, warp) = self.place(warp);
                self.slices[sub_core].file.can_write(warp, register, words)
            }
            _ => true,
        }
    }

    /// Returns true if there are metadata instructions.
    pub(super) fn has_metadata(&self) -> bool {
        self.metadata != 0
    }

    /// Returns true if a metadata instruction has to be read before the instruction of a candidate
    /// at `pc`: it is now.
    #[inline]
    pub(super) fn reads_metadata(&mut self, number: usize, pc: u32) -> bool {
        let Some(group) = pc.checked_div(self.metadata) else {
            return false;
        };
        if self.groups.len() <= number {
            self.groups.resize(number + 1, None);
        }
        self.groups[number].replace(group) != Some(group)
    }

    /// Another block's path arrives at a candidate; it has read no metadata.
    pub(super) fn forget_metadata(&mut self, number: usize) {
        if let Some(group) = self.groups.get_mut(number) {
            *group = None;
        }
    }

    /// Returns true if registers have become free since the last call.
    #[inline]
    pub(super) fn take_released(&mut self, now: u64) -> bool {
        // Each file is queried.
        let ask = |released, slice: &mut Slice| slice.file.take_released(now) | released;
        self.throttles && self.slices.iter_mut().fold(false, ask)
    }

    /// Returns true if warps leave an active pool at the code's marks, and nowhere else.
    #[inline]
    pub(super) fn keeps_strands(&self, code: &Code) -> bool {
        code.has_levels && self.has_levels
    }

    /// Returns true if it has levels for the compiler to fill.
    pub(super) fn has_levels(&self) -> bool {
        self.has_levels
    }

    /// Returns true if it stages the registers of regions.
    #[inline]
    pub(super) fn stages(&self) -> bool {
        self.stages
    }

    /// The code of the launch whose first block starts.
    pub(super) fn learn(&mut self, code: &Code) {
        let slices = self.slices.iter_mut().filter(|_| self.throttles);
        slices.for_each(|slice| slice.file.tell_lifetimes(code.long_lived));
        if let Some(regions) = code.regions.as_ref().filter(|_| self.stages) {
            self.slices.iter_mut().for_each(|slice| slice.file.learn(regions));
        }
    }

    /// A path has arrived at an instruction, and continues as soon as it may.
    pub(super) fn stands(&mut self, path: PathAt, now: u64) {
        let (file, warp) = self.of(path.warp);
        file.stands(PathAt { warp, ..path }, now);
    }

    /// A path of a slot of a warp waits for others, or is no more.
    pub(super) fn departs(&mut self, warp: u16, slot: u16) {
        let (file, warp) = self.of(warp);
        file.departs(warp, slot);
    }

    /// Returns true if a path's instruction may issue now as far as its region is concerned.
    pub(super) fn may_issue(&mut self, path: PathAt, now: u64) -> bool {
        let (file, warp) = self.of(path.warp);
        file.may_issue(PathAt { warp, ..path }, now)
    }

    /// Returns true if it may in a cycle, as far as is known.
    pub(super) fn is_staged(&self, path: PathAt, now: u64) -> bool {
        let (sub_core, warp) = self.place(path.warp);
        self.slices[sub_core].file.is_staged(PathAt { warp, ..path }, now)
    }

    /// A register of a warp has arrived from the backing store.
    pub(super) fn staged(&mut self, warp: u16, register: u16, ready: u64, now: u64) {
        let (file, warp) = self.of(warp);
        file.staged(warp, register, ready, now);
    }

    /// The next register in transit between the register file and its backing store. Register files
    /// with one belong to whole SMs.
    #[inline]
    pub(super) fn take_transfer(&mut self, now: u64) -> Option<Transfer> {
        if !self.stages {
            return None;
        }
        self.slices.first_mut()?.file.take_transfer(now)
    }

    /// Returns true if a block of `warps` warps with `registers` registers each can start now.
    pub(super) fn fits(&self, warps: u64, registers: u16) -> bool {
        self.slices.iter().all(|slice| slice.file.fits(warps, registers))
    }

    /// The most warp registers that one block can have, if there are fewer than in the machine
    /// file.
    pub(super) fn capacity(&self) -> Option<u64> {
        self.slices.iter().filter_map(|slice| slice.file.capacity()).min()
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

    /// A warp becomes active, or inactive.
    pub(super) fn set_active(&mut self, warp: u16, active: bool, now: u64) {
        let (file, warp) = self.of(warp);
        file.set_active(warp, active, now);
    }

    /// A warp with `registers` registers starts.
    pub(super) fn starts(&mut self, warp: u16, registers: u16, now: u64) {
        let (file, warp) = self.of(warp);
        file.starts(warp, registers, now);
    }

    /// The block of a warp with `registers` registers has ended.
    pub(super) fn leaves(&mut self, warp: u16, registers: u16, now: u64) {
        let (file, warp) = self.of(warp);
        file.leaves(warp, registers, now);
    }

    /// All threads of a warp have ended.
    pub(super) fn ended(&mut self, warp: u16, now: u64) {
        let (file, warp) = self.of(warp);
        file.ended(warp, now);
    }

    /// A result replaces the registers' contents, but another mechanism keeps it.
    pub(super) fn bypassed(&mut self, result: &Destination, now: u64) {
        let (file, warp) = self.of(result.warp);
        file.bypassed(&Destination { warp, ..*result }, now);
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
    pub(super) fn next_event(&self) -> u64 {
        if !self.stages {
            return self.next;
        }
        self.slices.iter().fold(self.next, |next, slice| next.min(slice.file.wakes()))
    }

    /// Lets instructions read operands, and leave for their pipes or for the load/store unit, whose
    /// queue has `room` places. The sub-cores take turns in going first. `eased` is called for
    /// sub-cores that have room again.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        now: u64,
        (pipes, mut room): (&mut Pipes, usize),
        mut eased: impl FnMut(usize),
    ) {
        self.left.clear();
        let count = self.slices.len();
        if count == 1 {
            self.next = self.step_slice(0, now, (pipes, &mut room), &mut eased);
            return;
        }
        self.next = (0..count).fold(NEVER, |next, turn| {
            let sub_core = in_turn(now, turn, count);
            next.min(self.step_slice(sub_core, now, (pipes, &mut room), &mut eased))
        });
    }

    /// The same for a sub-core. Returns the next cycle in which something can happen there.
    #[inline(always)]
    fn step_slice(
        &mut self,
        sub_core: usize,
        now: u64,
        (pipes, room): (&mut Pipes, &mut usize),
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
        (warp, lanes): (u16, u64),
        result: &ResultRegisters,
    ) -> Destination {
        result.of(self.place(warp).1, lanes)
    }

    /// A result of a hardware warp is written in cycle `ready` or as soon after it as possible.
    /// Returns the cycle of its arrival.
    #[inline]
    pub(super) fn write(&mut self, warp: u16, result: &Destination, ready: u64, now: u64) -> u64 {
        let (sub_core, _) = self.place(warp);
        self.slices[sub_core].file.write(result, ready, now)
    }

    /// Returns true if it receives the values of results.
    #[inline]
    pub(super) fn wants_values(&self) -> bool {
        self.wants_values
    }

    /// Passes the values of a result, of a warp of a block, to the register file. They exist since
    /// it issued, and nothing replaces them before it is written.
    pub(super) fn tell_values(
        &mut self,
        warp: u16,
        result: &Destination,
        (threads, of_block): (&Threads, usize),
    ) {
        let (sub_core, _) = self.place(warp);
        let general = &threads.registers.general;
        // The rows of the block's index follow the registers of all warps.
        let words = general.len().saturating_sub(3 * self.width);
        let each = words.checked_div(threads.alive.len()).unwrap_or(0);
        let first = of_block * each + usize::from(result.register) * self.width;
        let values = general.get(first..first + usize::from(result.words) * self.width);
        if let (Some(values), Some(&alive)) = (values, threads.alive.get(of_block)) {
            self.slices[sub_core].file.values(result, values, alive);
        }
    }

    /// The counters until a cycle.
    pub(super) fn counts(&self, cycle: u64) -> RegisterCounts {
        let mut total = RegisterCounts::default();
        self.slices.iter().for_each(|slice| total.add(&slice.file.counts(cycle)));
        total
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
    pub(super) fn replace_register_file(&mut self, register_file: Box<dyn RegisterFile>) {
        self.wants_values = register_file.wants_values();
        self.throttles = register_file.throttles();
        self.metadata = register_file.metadata();
        self.has_levels = register_file.levels().is_some();
        self.admits_all = register_file.admits_all();
        self.stages = register_file.staging().is_some();
        self.slices = vec![Slice::new(register_file)];
    }
}
