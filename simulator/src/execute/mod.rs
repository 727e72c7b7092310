//! Execution of one instruction of a path on registers and memory, shared by both models.

pub(crate) mod access;
pub(crate) mod atomic;
mod collective;
mod copy;
mod gather;
pub(crate) mod lanes;
pub(crate) mod matrix;
mod memory;
pub(crate) mod operands;
mod per_lane;
mod rows;
pub(crate) mod source_rows;
mod warp_access;

use reconverge_isa::{Effect, MAX_LANES, Op, WarpResult, WarpSource, evaluate_warp};

use crate::block::path::Lanes;
use crate::block::threads::{Registers, Threads};
use crate::check::event::CheckEvent;
use crate::execute::access::Access;
use crate::execute::lanes::lanes_of;
use crate::memory::device::GlobalPort;
use crate::observe::tally::Tally;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::TrapKind;
use matrix::check_whole;
use operands::Gathered;
use rows::Span;

/// A lane trapped.
#[derive(Debug)]
pub(crate) struct LaneTrap {
    pub(crate) lane: usize,
    pub(crate) kind: TrapKind,
}

/// An instruction of a path that is to be executed, with its place and time.
#[derive(Clone, Copy)]
pub(crate) struct DynamicInstruction<'a> {
    pub(crate) code: &'a Code,
    pub(crate) instruction: &'a Decoded,
    pub(crate) pc: u32,
    /// The clock's value.
    pub(crate) now: u64,
}

/// The effects of an instruction other than its result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Executed<'a> {
    /// The access, if the instruction accesses memory.
    pub(crate) access: Option<&'a Access>,
    /// True if it has changed a byte of memory, or printed. Stores to global memory that still wait
    /// in the log do not count.
    pub(crate) changed: bool,
}

/// Executes instructions; holds the buffers that this needs, so that nothing is allocated.
pub(crate) struct Executor {
    result: WarpResult,
    /// Source rows of lanes that belong to several warps.
    gathered: Box<[Gathered; 3]>,
    access: Access,
    /// The index of the SM, and the number of SMs.
    sm: [u32; 2],
}

/// Notifies the checker of a wait for copies that has ended.
fn raise_awaited(
    dynamic: DynamicInstruction,
    threads: &Threads,
    lanes: &Lanes,
    mask: u64,
    port: &mut GlobalPort,
) {
    if port.is_checked {
        let pending = dynamic.instruction.barrier.into();
        for (warp, lanes) in lanes.by_warp(mask, dynamic.code.shape.width as usize) {
            let event = CheckEvent::Awaited { warp: warp as u16, lanes, pending };
            port.raise(threads.block, event);
        }
    }
}

impl Executor {
    /// The executor of an SM: its index, and the number of SMs.
    pub(crate) fn new(sm: [u32; 2]) -> Executor {
        Executor {
            sm,
            result: WarpResult::default(),
            gathered: Box::new([Gathered::default(); 3]),
            access: Access {
                addresses: [0; MAX_LANES],
                global: 0,
                shared: 0,
                local: 0,
                constant: 0,
                beyond: 0,
                span: Span::default(),
                consecutive: false,
                warp: None,
                threads: [0; MAX_LANES],
            },
        }
    }

    /// The active lanes in which the instruction's guard holds.
    #[inline(always)]
    pub(crate) fn guard(
        &self,
        code: &Code,
        instruction: &Decoded,
        registers: &Registers,
        lanes: &Lanes,
        active: u64,
    ) -> u64 {
        operands::guarded(instruction, active, |index| {
            operands::predicate(code, registers, lanes, index)
        })
    }

    /// The bits of an instruction's first source, a predicate.
    pub(crate) fn truth(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &Registers,
        lanes: &Lanes,
    ) -> u64 {
        operands::fetch(code, instruction, registers, lanes, &mut self.gathered)[0].predicate
    }

    /// The sources of an instruction, by lane.
    pub(crate) fn sources<'a>(
        &'a mut self,
        code: &'a Code,
        instruction: &Decoded,
        registers: &'a Registers,
        lanes: &Lanes,
    ) -> [WarpSource<'a>; 3] {
        operands::fetch(code, instruction, registers, lanes, &mut self.gathered)
    }

    /// A digest of an instruction's sources in the first of some lanes: equal values have equal
    /// digests, other values most likely not.
    #[cold]
    pub(crate) fn digest(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &Registers,
        lanes: &Lanes,
    ) -> u64 {
        let lane = lanes.mask().trailing_zeros() as usize;
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let words = sources.iter().flat_map(|source| {
            let word = |words: &[u32]| words.get(lane).copied().map_or(0, u64::from);
            [word(source.low), word(source.high), source.predicate.wrapping_shr(lane as u32) & 1]
        });
        // FNV-1a, a word at a time.
        words.fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x100_0000_01b3))
    }

    /// Executes an instruction that is not control flow in the lanes of `mask`, not empty.
    #[inline(always)]
    pub(crate) fn execute(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction, .. } = dynamic;
        if instruction.effect == Effect::Compute {
            self.compute(code, instruction, &mut threads.registers, lanes, mask);
            return Ok(Executed::default());
        }
        if let (&Lanes::Warp { warp, .. }, true) = (lanes, instruction.moves_as_row)
            && let Some(changed) = self.access_as_row(dynamic, threads, warp, mask, port)
        {
            return Ok(Executed { access: Some(&self.access), changed });
        }
        self.execute_others(dynamic, threads, lanes, mask, port)
    }

    /// Executes an instruction that neither computes nor was done as a row.
    #[inline(never)]
    fn execute_others(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, .. } = dynamic;
        // Arbitration goes by threads, and the lowest one traps, independently of the lanes that
        // hold them.
        let Some((sorted, meant)) = lanes.in_order(mask) else {
            return self.execute_in_order(dynamic, threads, lanes, mask, port);
        };
        let done = self.execute_in_order(dynamic, threads, &sorted, meant, port);
        done.map_err(|trap| {
            let width = code.shape.width as usize;
            let thread = sorted.thread(trap.lane, width).unwrap_or_default();
            LaneTrap { lane: lanes.lane_of(thread, width), kind: trap.kind }
        })
    }

    #[inline]
    fn execute_in_order(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction, .. } = dynamic;
        match instruction.effect {
            Effect::Compute => self.compute(code, instruction, &mut threads.registers, lanes, mask),
            Effect::Divide => {
                self.check_divisor(code, instruction, &threads.registers, lanes, mask)?;
                self.compute(code, instruction, &mut threads.registers, lanes, mask);
            }
            Effect::Depbar => {}
            Effect::Copy => return self.start_copies(dynamic, threads, lanes, mask, port),
            Effect::AwaitCopies => raise_awaited(dynamic, threads, lanes, mask, port),
            Effect::Collective if instruction.op.is_per_lane() => {
                return self.per_lane(dynamic, threads, lanes, mask, port);
            }
            Effect::Collective if instruction.op.is_product() => {
                self.multiply(code, instruction, threads, lanes, mask)?;
            }
            Effect::Collective => {
                if instruction.op == Op::TransposeMatrix {
                    check_whole(code, lanes, mask)?;
                }
                if port.is_checked && instruction.op.is_shuffle() {
                    self.raise_taken(dynamic, threads, lanes, mask, port);
                }
                self.collective(code, instruction, threads, lanes, mask)?;
                if port.is_checked && instruction.op == Op::WarpSync {
                    self.raise_sync(dynamic, threads, lanes, mask, port);
                }
            }
            _ if instruction.op.is_matrix_access() => {
                return self.access_matrices(dynamic, threads, lanes, mask, port);
            }
            _ => return self.access_memory(dynamic, threads, lanes, mask, port),
        }
        Ok(Executed::default())
    }

    /// Executes an instruction that only computes in the lanes of `mask`.
    #[inline(always)]
    pub(crate) fn compute(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &mut Registers,
        lanes: &Lanes,
        mask: u64,
    ) {
        let (&Lanes::Warp { warp, .. }, Some(rows)) = (lanes, &instruction.rows) else {
            return self.compute_any(code, instruction, registers, lanes, mask);
        };
        let warp = usize::from(warp);
        let (own, words) = (registers.of_warp(code, warp), self.result.block(0));
        if let (Some(mut own), Some((low, high))) = (own, words) {
            own.compute(code, instruction, rows, mask, low, high);
        }
    }

    /// Executes instructions that only compute on rows, one after the other, in the lanes of `active` of a warp in which their guards
    /// hold; counts the lanes in which these do not.
    #[inline(always)]
    pub(crate) fn compute_rows(
        &mut self,
        code: &Code,
        instructions: &[Decoded],
        registers: &mut Registers,
        warp: u16,
        active: u64,
        tally: &mut Tally,
    ) {
        let own = registers.of_warp(code, usize::from(warp));
        let (Some(mut own), Some((low, high))) = (own, self.result.block(0)) else { return };
        for instruction in instructions {
            let mask = own.guard(instruction, active);
            if mask != active {
                tally.idle(instruction.unit, active & !mask, mask == 0);
                if mask == 0 {
                    continue;
                }
            }
            if let Some(rows) = &instruction.rows {
                own.compute(code, instruction, rows, mask, low, high);
            }
        }
    }

    /// The same for warps of any width, and lanes of several.
    #[inline(never)]
    fn compute_any(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &mut Registers,
        lanes: &Lanes,
        mask: u64,
    ) {
        let width = code.shape.width as usize;
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        evaluate_warp(code.vectors, instruction.op, width, mask, sources, &mut self.result);
        operands::write_back(code, instruction, registers, lanes, mask, &self.result);
    }

    /// Writes the result of an instruction in the lanes of `mask`.
    pub(crate) fn write(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &mut Registers,
        lanes: &Lanes,
        mask: u64,
        result: &WarpResult,
    ) {
        operands::write_back(code, instruction, registers, lanes, mask, result);
    }

    fn check_divisor(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &Registers,
        lanes: &Lanes,
        mask: u64,
    ) -> Result<(), LaneTrap> {
        let [_, divisor, _] =
            operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let zero = lanes_of(mask).find(|&lane| {
            divisor.low[lane] == 0 && divisor.high.get(lane).is_none_or(|&high| high == 0)
        });
        match zero {
            Some(lane) => Err(LaneTrap { lane, kind: TrapKind::DivisionByZero }),
            None => Ok(()),
        }
    }
}
