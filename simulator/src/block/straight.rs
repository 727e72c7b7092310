//! Straight runs: consecutive instructions of a path whose threads belong to one warp and stay
//! together. No other path takes part in them, so a model without time may execute a run as a
//! whole.

use reconverge_isa::Effect;

use super::Block;
use crate::block::issued::Issued;
use crate::block::path::{Lanes, SlotId};
use crate::execute::lanes::count_lanes;
use crate::execute::{DynamicInstruction, Executor};
use crate::mechanisms::divergence::slot::Step;
use crate::memory::device::GlobalPort;
use crate::observe::count::{count_effect, count_issued};
use crate::observe::statistics::Statistics;
use crate::observe::tally::Tally;
use crate::program::code::Code;
use crate::run::fault::Trap;
use crate::run::livelock::Watch;

/// The outcome of a straight run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Straight {
    /// Its instructions. None if the path's next one cannot be part of such a run.
    pub(crate) instructions: u32,
    /// It ended with a branch to itself or backwards, which the livelock watch must receive.
    pub(crate) backward: bool,
}

/// The components that a straight run changes beside its block.
pub(crate) struct StraightPorts<'a, 'm> {
    pub(crate) executor: &'a mut Executor,
    pub(crate) port: &'a mut GlobalPort<'m>,
    pub(crate) watch: &'a mut Watch,
    pub(crate) statistics: &'a mut Statistics,
    pub(crate) tally: &'a mut Tally,
}

impl Block {
    /// Executes up to `most` instructions of a slot's path, and counts them. Its scheme must let it run straight ([`Block::runs_straight`]).
    pub(crate) fn run(
        &mut self,
        code: &Code,
        slot: SlotId,
        most: u32,
        ports: StraightPorts,
    ) -> Result<Straight, Box<Trap>> {
        let StraightPorts { executor, port, watch, statistics, tally } = ports;
        let path = self.paths.path(slot);
        let (mut pc, reconvergence_pc) = (path.pc, path.reconvergence_pc);
        let Lanes::Warp { warp, mask: active } = path.lanes else {
            return Ok(Straight::default());
        };
        let lanes = path.lanes.clone();
        let paths = self.schedulable(slot);
        let before = statistics.warp_instructions;
        let active_lanes = u64::from(count_lanes(active));
        tally.begin(most, active_lanes, statistics);
        let (mut instructions, mut first) = (0, pc);
        let (mut backward, mut trapped) = (false, None);
        while instructions < u64::from(most) {
            let instruction = &code.instructions[pc as usize];
            if !instruction.is_straight {
                break;
            }
            let registers = &mut self.threads.registers;
            if instruction.computations != 0 {
                let (count, left) = (instruction.computations, most - instructions as u32);
                let computations = code.computations(pc, count, left, reconvergence_pc);
                executor.compute_rows(code, computations, registers, warp, active, tally);
                instructions += computations.len() as u64;
                pc += computations.len() as u32;
                if pc == reconvergence_pc {
                    break;
                }
                continue;
            }
            let mask = executor.guard(code, instruction, registers, &lanes, active);
            let mut next = pc + 1;
            let mut changed = false;
            match instruction.effect {
                Effect::Branch if mask == 0 => {}
                Effect::Branch if mask == active => {
                    next = instruction.jump;
                    backward = next <= pc;
                }
                Effect::Branch => break,
                Effect::Collective if self.meetings.has(warp.into()) => break,
                _ if mask == 0 => {}
                _ => {
                    let now = before + instructions;
                    let dynamic = DynamicInstruction { code, instruction, pc, now };
                    match executor.execute(dynamic, &mut self.threads, &lanes, mask, port) {
                        Ok(done) => changed = done.changed,
                        Err(trap) => {
                            trapped = Some(trap);
                            break;
                        }
                    }
                }
            }
            instructions += 1;
            count_lanes_of(code, pc, active, paths, mask, statistics, tally);
            if next != pc + 1 {
                tally.add(&code.sums, first..pc + 1);
                first = next;
            }
            pc = next;
            if changed {
                watch.progress(before + instructions);
            }
            backward = backward && watch.is_searching(before + instructions);
            if pc == reconvergence_pc || backward {
                break;
            }
        }
        tally.add(&code.sums, first..pc);
        count_issued(statistics, code, instructions, active_lanes, paths);
        self.paths.step(slot, pc);
        if let Some(trap) = trapped {
            return Err(Box::new(self.trap(code, slot, trap)));
        }
        if instructions != 0 && pc == reconvergence_pc {
            self.advance(slot, Step::Reconverged);
            if self.open_if_held_up(code, slot, port) {
                watch.progress(statistics.warp_instructions);
            }
        }
        Ok(Straight { instructions: instructions as u32, backward })
    }
}

/// Counts the parts of a straight run's instruction that sums over the code cannot give: the lanes
/// of `mask`, and the outcome of a branch.
#[inline(always)]
fn count_lanes_of(
    code: &Code,
    pc: u32,
    active: u64,
    paths: u64,
    mask: u64,
    statistics: &mut Statistics,
    tally: &mut Tally,
) {
    let instruction = &code.instructions[pc as usize];
    if mask != active {
        let is_predicated_off = mask == 0 && instruction.effect != Effect::Branch;
        tally.idle(instruction.unit, active & !mask, is_predicated_off);
    }
    if let Effect::Branch | Effect::Atomic | Effect::Collective = instruction.effect {
        let issued = Issued::new(pc, active, paths, mask);
        let acting = u64::from(count_lanes(mask));
        count_effect(statistics, code, instruction, &issued, acting);
    }
}
