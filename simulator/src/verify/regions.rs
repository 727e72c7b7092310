//! The registers that regions hold, in a run that checks claims. If an instruction reads one that its region
//! has neither loaded nor written, or whose value was lost, the compiler has a fault.
//!
//! A region loads its preloads, and nothing else is taken to be present. A register that a region
//! writes without having it loses the values of other lanes of the warp; but if paths of a warp do
//! not take turns, an entry records its lanes. The values stay as they are: results do not depend
//! on regions.

use reconverge_isa::RegisterSet;

use crate::block::path::{Path, ThreadIndex};
use crate::execute::lanes::lanes_of;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::program::operands::{Source, Target};
use crate::program::regions::Regions;
use crate::verify::claim::{Claim, Register};

/// The location of a register's value, by lane.
#[derive(Clone, Copy, Debug, Default)]
struct Lanes {
    /// The region that the lane is in has it.
    held: u64,
    /// Its value is nowhere.
    lost: u64,
}

/// The registers of a block's warps.
#[derive(Debug, Default)]
pub(crate) struct RegionRegisters {
    /// By `warp * registers + register`.
    lanes: Vec<Lanes>,
}

impl RegionRegisters {
    /// A block starts.
    pub(crate) fn reset(&mut self, code: &Code) {
        let warps = if code.checks_regions() { code.shape.warps() as usize } else { 0 };
        self.lanes.clear();
        self.lanes.resize(warps * code.registers, Lanes::default());
    }

    fn of(&mut self, code: &Code, warp: usize) -> &mut [Lanes] {
        let first = warp * code.registers;
        self.lanes.get_mut(first..first + code.registers).unwrap_or_default()
    }

    /// The first lane that does not find a register in an instruction about to execute in the lanes
    /// of `mask`. `serial` is true if paths of a warp take turns.
    pub(crate) fn read(
        &mut self,
        code: &Code,
        regions: &Regions,
        instruction: &Decoded,
        path: &Path,
        mask: u64,
        serial: bool,
    ) -> Option<(usize, Claim)> {
        let width = code.shape.width as usize;
        if let Some(region) = regions.begins(path.pc) {
            for (warp, lanes) in path.lanes.by_warp(path.lanes.mask(), width) {
                let gone = if serial { !0 } else { lanes };
                let registers = self.of(code, warp);
                registers.iter_mut().for_each(|register| register.held &= !lanes);
                each(registers, region.preloads, |register| register.held |= lanes);
                each(registers, region.erasures, |register| register.lost |= gone);
            }
        }
        path.lanes.by_warp(mask, width).find_map(|(warp, mask)| {
            let mut sources = instruction.sources.iter();
            let registers = self.of(code, warp);
            let (register, missing) = sources.find_map(|source| {
                let Source::Register { index, words } = *source else { return None };
                (index..index + u16::from(words)).find_map(|register| {
                    let Lanes { held, lost } = *registers.get(usize::from(register))?;
                    let missing = mask & (!held | lost);
                    (missing != 0).then_some((register, missing))
                })
            })?;
            let place = lanes_of(missing).next()?;
            let lane = path.lanes.lane_of(ThreadIndex((warp * width + place) as u16), width);
            Some((lane, Claim::Region { register: Register::General(register) }))
        })
    }

    /// An instruction of a path writes its result in the lanes of `mask`.
    pub(crate) fn write(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        path: &Path,
        mask: u64,
        serial: bool,
    ) {
        let Target::Register { index, words } = instruction.target else {
            return;
        };
        let width = code.shape.width as usize;
        for (warp, lanes) in path.lanes.by_warp(path.lanes.mask(), width) {
            let written = path.lanes.by_warp(mask, width).find(|(other, _)| *other == warp);
            let mask = written.map_or(0, |(_, mask)| mask);
            let set: RegisterSet = (index..index + u16::from(words)).collect();
            each(self.of(code, warp), set, |register| {
                if register.held & lanes == 0 && serial {
                    register.lost = !0;
                }
                register.lost &= !mask;
                register.held |= lanes;
            });
        }
    }
}

/// Changes some registers of a warp.
fn each(registers: &mut [Lanes], set: RegisterSet, mut change: impl FnMut(&mut Lanes)) {
    for register in set.iter() {
        if let Some(register) = registers.get_mut(usize::from(register)) {
            change(register);
        }
    }
}
