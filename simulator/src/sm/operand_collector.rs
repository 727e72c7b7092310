//! From issue to a pipe: instructions collect operands, start in their pipes, and their results come.

use reconverge_planted::Planted;

use super::issue::Ready;
use super::issue::is_memory;
use super::lsu::MemRequest;
use super::pipes::Flight;
use super::{Context, Sm};
use crate::affine::How;
use crate::cycle_compression::Widths;
use crate::decode::{Decoded, Target};
use crate::fault::Trap;
use crate::memory::NEVER;
use crate::path::Lanes;
use crate::register_file::{Leave, Operands};
use crate::trace::End;

impl Sm {
    /// An instruction that was just executed enters the register file. Its path's scoreboard has to
    /// know, or that of the lanes in which it acted.
    pub(super) fn collect(
        &mut self,
        number: usize,
        (scoreboard, acted): (u16, Option<(&Lanes, u64)>),
        (pc, instruction, mask): (u32, &Decoded, u64),
        how: Option<How>,
        context: &mut Context,
    ) -> Result<(), Box<Trap>> {
        let candidate = self.candidates[number];
        let token = self.flights.token();
        let (mut request, mut pending) = (None, Ready::collecting(token));
        if is_memory(instruction.effect) {
            let (mut asked, load) = self.memory_request(candidate, instruction, context)?;
            asked.pc = pc;
            request = Some(asked);
            if let Some(load) = load {
                pending = Ready::pending(load);
                self.places[usize::from(candidate.place)].outstanding += 1;
            }
        }
        let mut passes = self.passes(instruction, mask);
        let mut operands = instruction.operands;
        if let Some(how) = how {
            operands = how.operands;
            // The lanes expand a register as they would compute it.
            let unit = &self.units[usize::from(instruction.unit)];
            passes += u64::from(how.expansions) * unit.passes[0];
        }
        let flight = (token, pending, request);
        let works = (passes, operands, context.now);
        self.enter(number, (scoreboard, acted), instruction, flight, works);
        Ok(())
    }

    /// An instruction enters the register file under a token, with what its result is pending as.
    pub(super) fn enter(
        &mut self,
        number: usize,
        (scoreboard, acted): (u16, Option<(&Lanes, u64)>),
        instruction: &Decoded,
        (token, pending, request): (u32, Ready, Option<Box<MemRequest>>),
        (passes, operands, now): (u64, Operands, u64),
    ) {
        let candidate = self.candidates[number];
        let warp = (number / self.slots_per_warp) as u16;
        // Loads and flights are numbered apart.
        let load = request.as_ref().and_then(|request| request.load);
        let audited = load.unwrap_or(1 << 31 | token);
        let place = &mut self.places[usize::from(candidate.place)];
        place.outstanding += 1;
        if instruction.target != Target::None {
            let (boards, writes) = (&mut place.scoreboards, &instruction.writes);
            match acted {
                None => boards.write(scoreboard, writes, pending),
                Some(acted) => boards.write_lanes(acted, writes, pending, now),
            }
            place.audit.loading(instruction, audited);
            self.front.occupy(number, pending);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.collects(token, load);
        }
        let (result, writes) = (instruction.result(), instruction.writes);
        let unit = instruction.unit;
        let flight = Flight { candidate, warp, result, writes, unit, passes, request, audited };
        self.flights.start(token, flight);
        self.register_file.enter(token, operands.of(warp));
        self.next_read = self.next_read.min(now + 1);
    }

    /// The passes of an instruction in its pipe.
    #[inline]
    pub(super) fn passes(&mut self, instruction: &Decoded, mask: u64) -> u64 {
        let unit = &self.units[usize::from(instruction.unit)];
        let passes = unit.passes[usize::from(instruction.is_wide())];
        if is_memory(instruction.effect) {
            return passes;
        }
        let Some(compression) = &self.compression else {
            self.statistics.execution_cycles += passes * unit.initiation;
            return passes;
        };
        let widths = Widths { warp: self.width, pipe: unit.lanes };
        let saved = compression.saved(mask, widths);
        // A group's pass of wide operands is several.
        let each = passes / u64::from(widths.groups());
        let cycles = |groups: u32| u64::from(groups) * each * unit.initiation;
        let statistics = &mut self.statistics;
        statistics.execution_cycles += cycles(widths.groups() - saved.passes());
        statistics.execution_cycles_saved_half += cycles(saved.half);
        statistics.execution_cycles_saved_groups += cycles(saved.groups);
        statistics.execution_cycles_saved_swizzle += cycles(saved.swizzle);
        passes - u64::from(saved.passes()) * each
    }

    /// Lets instructions read operands and start in their pipes.
    pub(super) fn step_register_file(&mut self, context: &mut Context) {
        let now = context.now;
        let (flights, pipes, units) = (&self.flights, &mut self.pipes, &self.units);
        let mut room = self.load_store.room();
        let left = &mut self.left;
        self.next_read = self.register_file.step(now, &mut |token| {
            let Some(flight) = flights.get(token) else {
                return Leave::Left;
            };
            if flight.request.is_some() && room == 0 {
                return Leave::NotBefore(NEVER);
            }
            let leave = pipes.start(&units[usize::from(flight.unit)], flight.passes, now);
            if leave == Leave::Left {
                room -= usize::from(flight.request.is_some());
                left.push(token);
            }
            leave
        });
        for i in 0..self.left.len() {
            let token = self.left[i];
            if let Some(flight) = self.flights.end(token) {
                self.start_pipe(token, flight, context);
            }
        }
        self.left.clear();
    }

    /// An instruction starts in its pipe.
    pub(super) fn start_pipe(&mut self, token: u32, flight: Flight, context: &mut Context) {
        let now = context.now;
        let unit = self.units[usize::from(flight.unit)];
        let index = usize::from(flight.candidate.place);
        self.places[index].outstanding -= 1;
        if let Some(mut request) = flight.request {
            request.ready = now + unit.latency;
            if let Some(recorder) = &mut self.recorder {
                request.traced = recorder.starts(token, now, End::InMemory(request.ready));
            }
            self.load_store.push(request);
        } else {
            let end = now + unit.latency + (flight.passes - 1) * unit.initiation;
            let written = match flight.result {
                Some((register, pair)) => {
                    self.register_file.write(flight.warp, register, pair, end, now)
                }
                None => end,
            };
            if let Some(recorder) = &mut self.recorder {
                recorder.starts(token, now, End::Known(written));
            }
            let early = u64::from(Planted::ResultEarly.is_on());
            let ready = Ready::computed(written - early);
            self.places[index].audit.loaded(flight.audited, written);
            let pending = Ready::collecting(token);
            self.resolve(context.code, flight.candidate, &flight.writes, (pending, ready), now);
        }
        self.refresh_readers(context.code, flight.candidate, now);
        self.free_if_done(index, context);
    }
}
