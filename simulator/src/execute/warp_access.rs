//! Loads and stores of one warp of 32 lanes in one memory, global or shared: checked at once, and moved as rows. All other
//! accesses go lane by lane ([`super::memory`]), as do those that trap.

use reconverge_isa::{BLOCK, BlockSource, Effect, GLOBAL_BASE, SHARED_BASE, WarpSource, Width};

use super::gather::{gather, gather_pairs};
use super::memory::{load_lanes, load_row};
use super::operands;
use super::rows::{self, Span};
use super::{Access, DynamicInstruction, Executor};
use crate::block::{Registers, Threads};
use crate::decode::{Code, Decoded, Target};
use crate::device::{Global, GlobalPort, write};
use crate::lanes::lanes_of;
use crate::log::store_row;

/// Memory that is loaded from.
struct Memory<'a> {
    bytes: &'a [u8],
    /// The address of its first byte.
    base: u32,
}

impl Executor {
    /// Executes a load or store of a warp in the lanes of `mask`, not empty; whether it has changed a byte of memory. `None`
    /// if it is not of the kind that this can do; then nothing has happened.
    #[inline(never)]
    pub(super) fn access_as_row(
        &mut self,
        dynamic: DynamicInstruction,
        threads: &mut Threads,
        (warp, mask): (u16, u64),
        port: &mut GlobalPort,
    ) -> Option<bool> {
        let DynamicInstruction { code, instruction, .. } = dynamic;
        if port.is_checked || code.shape.width as usize != BLOCK || !moves_as_row(instruction) {
            return None;
        }
        let registers = &threads.registers;
        let [bases, stored, _] = operands::block(code, instruction, registers, usize::from(warp));
        let is_shared = self.access.locate_row(code, instruction, &bases, mask)?;
        let Span { low, high, bits, .. } = self.access.span;
        let size = instruction.width.bytes();
        let end = u64::from(high) + u64::from(size);
        let fits = match is_shared {
            true => low >= SHARED_BASE && end <= u64::from(SHARED_BASE) + code.shared_bytes as u64,
            false => port.check(low, end),
        };
        if !fits || bits & (size - 1) != 0 {
            return None;
        }
        self.access.warp = Some(warp);
        if instruction.effect == Effect::Load {
            if !is_shared && self.access.may_load_stored(mask, port) {
                return None;
            }
            let memory = match is_shared {
                true => Memory { bytes: &threads.shared, base: SHARED_BASE },
                false => Memory { bytes: port.bytes(), base: GLOBAL_BASE },
            };
            self.load(code, instruction, &mut threads.registers, (warp, mask), memory);
            return Some(false);
        }
        let access = &self.access;
        Some(match &mut port.global {
            _ if is_shared => {
                // The registers are not in the way of shared memory.
                store(&mut threads.shared, SHARED_BASE, (access, mask), &stored, instruction.width)
            }
            Global::Direct { bytes, .. } => {
                store(bytes, GLOBAL_BASE, (access, mask), &stored, instruction.width)
            }
            Global::Deferred { log, .. } => {
                if access.consecutive {
                    log.store_row(access.addresses[0], stored.low);
                } else {
                    let (low, high) = (&stored.low[..], &stored.high[..]);
                    let value = match instruction.width {
                        Width::B64 => WarpSource { low, high, predicate: 0 },
                        _ => WarpSource { low, high: &[], predicate: 0 },
                    };
                    log.store_lanes(instruction.width, mask, &access.addresses, &value);
                }
                false
            }
        })
    }

    /// Loads the lanes of `mask`, whose addresses have been checked.
    #[inline(always)]
    fn load(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        registers: &mut Registers,
        (warp, mask): (u16, u64),
        Memory { bytes, base }: Memory,
    ) {
        let place = (usize::from(warp), mask);
        let Some(addresses) = self.access.addresses.first_chunk_mut() else { return };
        let width = instruction.width;
        let Some((low, high)) = self.result.block(0) else { return };
        match width {
            Width::B32 if self.access.span.consecutive && mask == u64::from(u32::MAX) => {
                let first = addresses[0].wrapping_sub(base) as usize;
                load_row(bytes.get(first..).unwrap_or_default(), low);
            }
            Width::B32 => {
                let lanes = (&*addresses, mask as u32);
                gather(code.vectors, bytes.as_chunks().0, base, lanes, low);
            }
            Width::B64 | Width::B128 => {
                let lanes = (&*addresses, mask as u32);
                gather_pairs(code.vectors, bytes.as_chunks().0, base, lanes, [low, high]);
            }
            _ => {
                let offset = |lane: usize| addresses[lane].wrapping_sub(base) as usize;
                load_lanes(bytes, mask, width, offset, &mut self.result);
            }
        }
        operands::write_block(code, instruction.target, registers, place, &self.result);
        if let (Width::B128, Target::Register { index, .. }) = (width, instruction.target) {
            let Some((low, high)) = self.result.block(0) else { return };
            let (upper, lanes) = (base.wrapping_sub(8), (&*addresses, mask as u32));
            gather_pairs(code.vectors, bytes.as_chunks().0, upper, lanes, [low, high]);
            let upper = Target::Register { index: index + 2, words: 2 };
            operands::write_block(code, upper, registers, place, &self.result);
        }
    }
}

/// Whether an instruction is a load, or a store of a width that is stored here.
fn moves_as_row(instruction: &Decoded) -> bool {
    match instruction.effect {
        Effect::Load => true,
        Effect::Store => matches!(instruction.width, Width::B32 | Width::B64),
        _ => false,
    }
}

/// Stores the values of the lanes of `mask`, in ascending order; whether that changed the memory.
#[inline(always)]
fn store(
    bytes: &mut [u8],
    base: u32,
    (access, mask): (&Access, u64),
    values: &BlockSource,
    width: Width,
) -> bool {
    let offset = |lane: usize| access.addresses[lane].wrapping_sub(base) as usize;
    if access.span.consecutive && width == Width::B32 && mask == u64::from(u32::MAX) {
        let row = bytes.get_mut(offset(0)..).and_then(|rest| rest.get_mut(..4 * BLOCK));
        return row.is_some_and(|row| store_row(row, values.low));
    }
    let mut changed = false;
    for lane in lanes_of(mask & u64::from(u32::MAX)) {
        let (low, high) = (u64::from(values.low[lane]), u64::from(values.high[lane]));
        changed |= match width {
            Width::B64 => write(bytes, offset(lane), Width::B64, low | high << 32),
            _ => write(bytes, offset(lane), Width::B32, low),
        };
    }
    changed
}

impl Access {
    /// Notes what a warp accesses in the lanes of `mask`, not empty, if all are in shared or all in global memory; whether
    /// it is shared memory.
    #[inline(always)]
    fn locate_row(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        bases: &BlockSource,
        mask: u64,
    ) -> Option<bool> {
        let addresses = self.addresses.first_chunk_mut()?;
        let offset = instruction.offset;
        self.span = rows::locate(code.vectors, bases.low, offset, mask as u32, addresses);
        self.classify(instruction.space, mask);
        self.note_consecutive(instruction, BLOCK);
        (self.global == mask || self.shared == mask).then_some(self.shared == mask)
    }

    /// Whether a load of global memory may touch what the SM has stored in this epoch.
    #[inline(always)]
    fn may_load_stored(&self, mask: u64, port: &GlobalPort) -> bool {
        let log = port.deferred_log();
        log.is_some_and(|log| log.has_stored(lanes_of(mask).map(|lane| self.addresses[lane])))
    }
}
