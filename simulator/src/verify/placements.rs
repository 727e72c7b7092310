//! The registers at each level of a register file that the compiler manages, in a run that checks
//! claims: if an instruction does not find one at its placement, the compiler has a fault.
//!
//! A machine has no tags at these levels, and a warp that leaves the active pool loses their
//! contents: they are empty at a switch point. Each lane has entries of its own. The values
//! stay as they are: results do not depend on placements.

use reconverge_isa::{OPERAND_ENTRIES, RegisterLevel};

use crate::block::path::{Lanes, Path, ThreadIndex};
use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};
use crate::verify::claim::{Claim, Register};

/// Entries of a warp: the last result file, then the operand register file.
const ENTRIES: usize = 1 + OPERAND_ENTRIES as usize;

/// The contents of the levels of a block's warps.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    /// By `warp * ENTRIES + entry`: registers, each with the lanes whose value of it is present.
    held: Vec<Vec<(u16, u64)>>,
    /// By `warp * registers + register`: the lanes whose value is not in the main register file.
    elsewhere: Vec<u64>,
}

/// The entry of a level that has a word of an operand; none for the main register file.
fn entry(level: RegisterLevel, word: usize) -> Option<usize> {
    match level {
        RegisterLevel::Main => None,
        RegisterLevel::LastResult => Some(0),
        RegisterLevel::Operand(first) => Some(1 + usize::from(first) + word),
    }
}

impl Placed {
    /// Nothing is at a level but the main register file, for a block that starts.
    pub(crate) fn reset(&mut self, code: &Code) {
        let warps = if code.checks_levels() { code.shape.warps() as usize } else { 0 };
        self.held.iter_mut().for_each(Vec::clear);
        self.held.resize(warps * ENTRIES, Vec::new());
        self.elsewhere.clear();
        self.elsewhere.resize(warps * code.registers, 0);
    }

    /// The first lane that does not find a register in an instruction about to execute in the lanes
    /// of `mask`. `serial` is true if the warp's other lanes lose the contents of upper levels,
    /// too, at a switch point.
    pub(crate) fn read(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        path: &Path,
        mask: u64,
        serial: bool,
    ) -> Option<(usize, Claim)> {
        if instruction.placement.is_switch_point() {
            self.lose(code, path, serial);
        }
        let width = code.shape.width as usize;
        path.lanes.by_warp(mask, width).find_map(|(warp, mask)| {
            let levels = instruction.placement.sources;
            let mut sources = instruction.sources.iter().zip(levels);
            let (register, level, lanes) = sources.find_map(|(source, level)| {
                let Source::Register { index, words } = *source else { return None };
                let mut registers = (index..index + u16::from(words)).enumerate();
                registers.find_map(|(word, register)| {
                    let missing = mask & !self.lanes_with(code, warp, register, entry(level, word));
                    (missing != 0).then_some((register, level, missing))
                })
            })?;
            let place = lanes_of(lanes).next()?;
            let lane = path.lanes.lane_of(ThreadIndex((warp * width + place) as u16), width);
            let register = Register::General(register);
            Some((lane, Claim::Placement { register, level }))
        })
    }

    /// The lanes of a warp whose value of a register is in an entry, or in the main register file.
    fn lanes_with(&self, code: &Code, warp: usize, register: u16, entry: Option<usize>) -> u64 {
        let Some(entry) = entry else {
            let at = warp * code.registers + usize::from(register);
            return !self.elsewhere.get(at).copied().unwrap_or(0);
        };
        let held = self.held.get(warp * ENTRIES + entry).into_iter().flatten();
        held.filter(|(held, _)| *held == register).fold(0, |all, (_, lanes)| all | lanes)
    }

    /// The path arrives at a switch point: its lanes, or all of its warps, have nothing at upper levels.
    fn lose(&mut self, code: &Code, path: &Path, serial: bool) {
        for (warp, mask) in path.lanes.by_warp(path.lanes.mask(), code.shape.width as usize) {
            let lost = match path.lanes {
                Lanes::Warp { .. } if serial => !0,
                _ => mask,
            };
            let entries = self.held.iter_mut().skip(warp * ENTRIES).take(ENTRIES);
            entries.for_each(|held| remove(held, lost));
        }
    }

    /// An instruction of a path writes its result in the lanes of `mask`.
    pub(crate) fn write(&mut self, code: &Code, instruction: &Decoded, path: &Path, mask: u64) {
        let Target::Register { index, words } = instruction.target else {
            return;
        };
        let (level, and_main) = (instruction.placement.result, instruction.placement.and_main);
        for (warp, mask) in path.lanes.by_warp(mask, code.shape.width as usize) {
            for (word, register) in (index..index + u16::from(words)).enumerate() {
                for held in self.held.iter_mut().skip(warp * ENTRIES).take(ENTRIES) {
                    let old = held.iter_mut().filter(|(held, _)| *held == register);
                    old.for_each(|(_, lanes)| *lanes &= !mask);
                }
                let entry = entry(level, word);
                if let Some(elsewhere) =
                    self.elsewhere.get_mut(warp * code.registers + usize::from(register))
                {
                    match entry {
                        Some(_) if !and_main => *elsewhere |= mask,
                        _ => *elsewhere &= !mask,
                    }
                }
                if let Some(entry) = entry
                    && let Some(held) = self.held.get_mut(warp * ENTRIES + entry)
                {
                    remove(held, mask);
                    held.push((register, mask));
                }
            }
        }
    }
}

/// Some lanes' values leave an entry.
fn remove(held: &mut Vec<(u16, u64)>, lanes: u64) {
    held.iter_mut().for_each(|(_, of)| *of &= !lanes);
    held.retain(|(_, lanes)| *lanes != 0);
}
