//! Operations that lanes perform one by one, in lane order: reading the clock, printing, trapping, starting copies.

use reconverge_isa::{Op, SHARED_BASE};

use super::copy::{Copied, Copying};
use super::{DynamicInstruction, Executed, Executor, LaneTrap, copy, operands};
use crate::block::copies::{self, CopiedLane};
use crate::block::path::Lanes;
use crate::block::threads::Threads;
use crate::check::event::{CheckEvent, CopyPart, Scope};
use crate::execute::atomic::lane_value;
use crate::execute::lanes::lanes_of;
use crate::memory::device::GlobalPort;
use crate::run::fault::TrapKind;

impl Executor {
    /// Starts the copies of the lanes of `mask`.
    pub(super) fn start_copies(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction, pc, .. } = dynamic;
        let registers = &threads.registers;
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let size = instruction.width.bytes();
        let (width, shared) = (code.shape.width as usize, threads.shared.len());
        let counts = |lane| lane_value(&sources[2], lane) as u32;
        let reading = lanes_of(mask).filter(|&lane| counts(lane) != 0);
        let reading = reading.fold(0, |all, lane| all | 1 << lane);
        let access = &mut self.access;
        access.locate(code, instruction, &sources[0], lanes, reading);
        for lane in lanes_of(mask) {
            let [to, count] = [1, 2].map(|at: usize| lane_value(&sources[at], lane) as u32);
            let from = access.addresses[lane];
            copy::check(Copied { from, to, count, size }, shared, port)
                .map_err(|kind| LaneTrap { lane, kind })?;
        }
        if port.is_checked {
            let part =
                CopyPart { block: threads.block, pc, warp: access.warp, ..CopyPart::default() };
            let part = CopyPart { threads: copy::thread_numbers(lanes, mask, width), ..part };
            copy::raise(
                part,
                Copying { addresses: &access.addresses, sources: &sources, mask, size },
                &threads.shared,
                port,
            );
        }
        let arrives_later = port.log().is_some();
        let mut changed = false;
        for lane in lanes_of(mask) {
            let [to, count] = [1, 2].map(|at: usize| lane_value(&sources[at], lane) as u32);
            let thread = lanes.thread(lane, width).unwrap_or_default().0;
            let bytes = copy::source(port, access.addresses[lane], count);
            let copied = CopiedLane { thread, offset: to.wrapping_sub(SHARED_BASE), bytes };
            match arrives_later {
                true => threads.copies.start(copied, size as usize),
                false => changed |= copies::write(&mut threads.shared, &copied, size as usize),
            }
        }
        Ok(Executed { access: Some(&self.access), changed })
    }

    pub(super) fn per_lane(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        lanes: &Lanes,
        mask: u64,
        port: &mut GlobalPort,
    ) -> Result<Executed<'_>, LaneTrap> {
        let DynamicInstruction { code, instruction, pc, now } = dynamic;
        let width = code.shape.width as usize;
        let registers = &mut threads.registers;
        let sources = operands::fetch(code, instruction, registers, lanes, &mut self.gathered);
        let words = sources[0].low;
        match instruction.op {
            Op::Clock => {
                self.result.low[..width].fill(now as u32);
                self.result.high[..width].fill((now >> 32) as u32);
                operands::write_back(code, instruction, registers, lanes, mask, &self.result);
            }
            Op::SmIndex | Op::SmCount => {
                let [index, count] = self.sm;
                self.result.low[..width].fill(if instruction.op == Op::SmIndex {
                    index
                } else {
                    count
                });
                operands::write_back(code, instruction, registers, lanes, mask, &self.result);
            }
            Op::Fence if port.is_checked => {
                let scope = Scope::of(words.first().copied().unwrap_or(0));
                for (warp, lanes) in lanes.by_warp(mask, width) {
                    port.raise(
                        threads.block,
                        CheckEvent::Fence { warp: warp as u16, lanes, scope },
                    );
                }
            }
            Op::Bounds if port.is_checked => {
                let [address, start, count] = sources.each_ref().map(|source| source.low);
                let word = |row: &[u32], lane: usize| row.get(lane).copied().unwrap_or(0);
                for lane in lanes_of(mask) {
                    let (address, start) = (word(address, lane), word(start, lane));
                    if address.wrapping_sub(start) >= word(count, lane) {
                        let thread = lanes.thread(lane, width).unwrap_or_default().0;
                        let count = word(count, lane);
                        let event = CheckEvent::Outside { pc, thread, address, start, count };
                        port.raise(threads.block, event);
                    }
                }
            }
            Op::CommitCopies => {
                for (warp, lanes) in lanes.by_warp(mask, width) {
                    threads.copies.commit(warp, lanes);
                    if port.is_checked {
                        let event = CheckEvent::Commit { warp: warp as u16, lanes };
                        port.raise(threads.block, event);
                    }
                }
            }
            Op::Fence | Op::Bounds | Op::CacheControl => {}
            Op::Trap => {
                if let Some(lane) = lanes_of(mask).next() {
                    let reason = words.get(lane).copied().unwrap_or(0);
                    return Err(LaneTrap { lane, kind: TrapKind::Program { reason } });
                }
            }
            _ => {
                for lane in lanes_of(mask) {
                    let thread = lanes.thread(lane, width).unwrap_or_default().0;
                    let word = words.get(lane).copied().unwrap_or(0);
                    if !port.emit(threads.block, thread, pc, word) {
                        return Err(LaneTrap { lane, kind: TrapKind::OutputFull });
                    }
                }
                // A loop that prints is no livelock.
                return Ok(Executed { access: None, changed: true });
            }
        }
        Ok(Executed::default())
    }
}
