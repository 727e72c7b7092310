//! Dispatch: where an executed instruction goes, and what it takes there.

use super::audit::ResultId;
use super::execute::Executed;
use super::issue::Ready;
use super::lsu::{Accessor, Coalescer, LoadStoreUnit, MemRequest};
use super::operand_collector::Token;
use super::pipes::Pipes;
use super::residency::{Candidate, Residency};
use crate::affine::Affine;
use crate::decode::Code;
use crate::fault::Trap;
use crate::register_file::Operands;
use crate::statistics::Statistics;

/// What dispatch takes.
pub(super) struct DispatchPorts<'a> {
    pub(super) code: &'a Code,
    pub(super) now: u64,
    pub(super) residency: &'a mut Residency,
    pub(super) coalescer: &'a mut Coalescer,
    pub(super) lsu: &'a mut LoadStoreUnit,
    pub(super) pipes: &'a Pipes,
    pub(super) affine: Option<&'a mut (dyn Affine + 'static)>,
    /// It is told of the values that are written.
    pub(super) watches_values: bool,
    /// What early loads have pinned.
    pub(super) statistics: &'a mut Statistics,
}

/// Where an instruction goes that was just executed.
pub(super) enum Dispatched {
    /// To the operand collector.
    Collector(Work),
    /// To a unit of a mechanism's own, which starts it in this cycle.
    OwnUnit(u64),
}

/// What an instruction takes behind issue.
pub(super) struct Work {
    /// The registers that it reads.
    pub(super) operands: Operands,
    /// Passes in its pipe.
    pub(super) passes: u64,
    /// What it asks the load/store unit for.
    pub(super) request: Option<Box<MemRequest>>,
}

impl Work {
    /// Names the result that it will have, when it collects operands under a token.
    pub(super) fn result(&self, token: Token) -> (Ready, ResultId) {
        match self.request.as_ref().and_then(|request| request.load) {
            Some(load) => (Ready::pending(load), ResultId::Load(load)),
            None => (Ready::collecting(token), ResultId::Collecting(token)),
        }
    }
}

impl DispatchPorts<'_> {
    /// Says where an instruction of a candidate goes.
    pub(super) fn dispatch(
        mut self,
        candidate: Candidate,
        executed: &Executed,
    ) -> Result<Dispatched, Box<Trap>> {
        let (instruction, index) = (executed.instruction, usize::from(candidate.block));
        let block = self.residency.slot(index).block();
        let how = match (executed.acted(), &mut self.affine) {
            (Some(lanes), Some(affine)) if self.watches_values => {
                let block = (self.code, index, &block.threads);
                affine.executed(block, instruction, lanes, self.now, self.statistics)
            }
            _ => None,
        };
        if let Some(start) = how.and_then(|how| how.starts) {
            return Ok(Dispatched::OwnUnit(start));
        }
        let acting = match executed.acted().filter(|_| self.pipes.permutes()) {
            Some((lanes, mask)) => lanes.physical(mask, block.paths.lane_map()),
            None => executed.issued.mask,
        };
        let request = self.request(candidate, executed)?;
        let mut passes = self.pipes.passes(instruction, acting, self.statistics);
        let mut operands = instruction.operands;
        if let Some(how) = how {
            operands = how.operands;
            // The lanes expand a register as they would compute it.
            passes += u64::from(how.expansions) * self.pipes.unit(instruction.unit).passes[0];
        }
        Ok(Dispatched::Collector(Work { operands, passes, request }))
    }

    /// What an instruction asks the load/store unit for, if it accesses memory.
    fn request(
        &mut self,
        candidate: Candidate,
        executed: &Executed,
    ) -> Result<Option<Box<MemRequest>>, Box<Trap>> {
        let Some(access) = executed.issued.access else {
            return Ok(None);
        };
        let scheme = *self.residency.scheme();
        let resident = self.residency.slot_mut(usize::from(candidate.block));
        let (block, hardware, home) = resident.for_coalescer();
        let mut accessor = Accessor {
            code: self.code,
            candidate,
            scheme,
            pc: executed.issued.pc,
            instruction: executed.instruction,
            access,
            block,
            hardware,
            home,
        };
        let request = self.coalescer.request(&mut accessor, self.lsu, self.statistics);
        let (block, _) = resident.audited();
        let mut request =
            request.map_err(|what| block.contradiction(self.code, candidate.slot, what))?;
        if executed.instruction.queue.is_some()
            && let (Some(early), Some(affine)) = (block.take_early_load(), &mut self.affine)
        {
            // The lines that were asked for early and are pinned for it.
            request.pinned = affine.take_pinned(early, self.now, self.statistics);
        }
        Ok(Some(request))
    }
}
