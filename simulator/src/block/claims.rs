//! The compiler's claims about a block's registers, checked as its instructions execute.

use reconverge_isa::{ValueClass, WarpResult};

use super::Block;
use crate::block::path::{Lanes, Path, SlotId, ThreadIndex};
use crate::execute::LaneTrap;
use crate::execute::access::Access;
use crate::execute::operands::write_back;
use crate::memory::log::Owner;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::{Trap, TrapKind};
use crate::verify::annotations;
use crate::verify::claim::Claim;

impl Block {
    /// Checks the claims about an instruction's operands and its target.
    #[cold]
    pub(super) fn verify_before(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        slot: SlotId,
        mask: u64,
    ) -> Result<(), Box<Trap>> {
        if !instruction.accesses_memory() {
            self.verify_hints(code, instruction, slot, mask, None)?;
        }
        let path = self.paths.path(slot);
        let active = path.lanes.mask();
        if let Some((lane, claim)) = self.released.read(code, instruction, &path.lanes, mask) {
            return Err(self.broken(code, slot, lane, claim));
        }
        if instruction.control.common && self.capabilities.reconverges_as_compiled {
            let registers = &self.threads.registers;
            let apart = annotations::apart(code, instruction, registers, &path.lanes, mask);
            if let Some(lane) = apart {
                return Err(self.broken(code, slot, lane, Claim::CommonAddress));
            }
        }
        let uniform = instruction.annotations.uniform && self.capabilities.reconverges_as_compiled;
        if uniform && mask != 0 && mask != active {
            // The threads of a warp agree; those of several need not.
            let width = code.shape.width as usize;
            let taken = path.lanes.by_warp(mask, width);
            let mut parted = taken.filter(|(warp, taken)| {
                path.lanes
                    .by_warp(active, width)
                    .any(|(other, all)| other == *warp && all != *taken)
            });
            if let Some((warp, taken)) = parted.next() {
                let thread = warp * width + taken.trailing_zeros() as usize;
                let lane = path.lanes.lane_of(ThreadIndex(thread as u16), width);
                return Err(self.broken(code, slot, lane, Claim::UniformBranch));
            }
        }
        if code.first_uniform < code.registers && self.capabilities.reconverges_as_compiled {
            let registers = &self.threads.registers;
            let parted = annotations::parted(code, instruction, registers, &path.lanes, mask);
            if let Some(lane) = parted {
                return Err(self.broken(code, slot, lane, Claim::UniformRegister));
            }
        }
        let serial = self.capabilities.is_serial;
        self.released.execute(code, instruction, path, mask, serial);
        if code.checks_levels() {
            if let Some((lane, claim)) = self.placed.read(code, instruction, path, mask, serial) {
                return Err(self.broken(code, slot, lane, claim));
            }
            self.placed.write(code, instruction, path, mask);
        }
        if code.checks_regions()
            && let Some(regions) = &code.regions
        {
            let found = self.regions.read(code, regions, instruction, path, mask, serial);
            if let Some((lane, claim)) = found {
                return Err(self.broken(code, slot, lane, claim));
            }
            self.regions.write(code, instruction, path, mask, serial);
        }
        Ok(())
    }

    /// Calls the checks of hints with an execution.
    #[cold]
    pub(super) fn verify_hints(
        &mut self,
        code: &Code,
        instruction: &Decoded,
        slot: SlotId,
        mask: u64,
        access: Option<&Access>,
    ) -> Result<(), Box<Trap>> {
        let Path { lanes, pc, .. } = self.paths.path(slot);
        let width = code.shape.width as usize;
        match self.hints.execute(instruction, *pc, lanes, width, mask, access) {
            Some((lane, kind)) => Err(Box::new(self.trap(code, slot, LaneTrap { lane, kind }))),
            None => Ok(()),
        }
    }

    /// An atomic that was deferred has taken place: its result goes to the registers.
    pub(crate) fn complete(
        &mut self,
        code: &Code,
        owner: &Owner,
        result: &WarpResult,
    ) -> Result<(), Box<Trap>> {
        let Owner { instruction, lanes, mask, pc, .. } = owner;
        write_back(code, instruction, &mut self.threads.registers, lanes, *mask, result);
        if instruction.verify {
            self.verify_result(code, instruction, lanes, *mask, *pc)?;
        }
        Ok(())
    }

    /// Checks the claim about an instruction's result.
    #[cold]
    pub(super) fn verify_result(
        &self,
        code: &Code,
        instruction: &Decoded,
        lanes: &Lanes,
        mask: u64,
        pc: u32,
    ) -> Result<(), Box<Trap>> {
        if !self.capabilities.reconverges_as_compiled {
            return Ok(());
        }
        let claim = match instruction.annotations.class {
            ValueClass::Affine => Claim::Affine,
            _ => Claim::Uniform,
        };
        match annotations::broken(code, instruction, &self.threads.registers, lanes, mask) {
            None => Ok(()),
            Some(lane) => {
                let kind = TrapKind::BrokenClaim(claim);
                Err(Box::new(self.trap_at(code, lanes, pc, LaneTrap { lane, kind })))
            }
        }
    }

    pub(super) fn broken(&self, code: &Code, slot: SlotId, lane: usize, claim: Claim) -> Box<Trap> {
        let kind = TrapKind::BrokenClaim(claim);
        Box::new(self.trap(code, slot, LaneTrap { lane, kind }))
    }
}
