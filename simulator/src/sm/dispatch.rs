//! Dispatch: the resources of an executed instruction after issue.

use reconverge_isa::Effect;

use super::audit::ResultId;
use super::lsu::LoadStoreUnit;
use super::residency::{Candidate, Residency};
use crate::execute::access::Access;
use crate::handles::Token;
use crate::mechanisms::affine::slot::Affine;
use crate::mechanisms::register_file::Operands;
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::program::decoded::Decoded;
use crate::run::fault::Trap;
use crate::sm::issue::scoreboard::Ready;
use crate::sm::lsu::coalescer::{Accessor, Coalescer};
use crate::sm::lsu::request::MemRequest;

/// The ports of the dispatch of a memory instruction.
pub(super) struct DispatchPorts<'a> {
    pub(super) code: &'a Code,
    pub(super) now: u64,
    pub(super) residency: &'a mut Residency,
    pub(super) coalescer: &'a mut Coalescer,
    pub(super) lsu: &'a mut LoadStoreUnit,
    pub(super) affine: Option<&'a mut (dyn Affine + 'static)>,
    /// Counts the held lines of early loads.
    pub(super) statistics: &'a mut Statistics,
}

/// The resources that an instruction takes after issue.
pub(super) struct Work<'a> {
    pub(super) pc: u32,
    /// The registers that it reads.
    pub(super) operands: &'a Operands,
    /// The lanes in which it acts.
    pub(super) lanes: u64,
    /// Passes in its pipe.
    pub(super) passes: u64,
    /// Its request to the load/store unit.
    pub(super) request: Option<Box<MemRequest>>,
}

impl Work<'_> {
    /// Names the result that it will have, when it collects operands under a token.
    pub(super) fn result(&self, token: Token) -> (Ready, ResultId) {
        match self.request.as_ref().and_then(|request| request.load) {
            Some(load) => (Ready::pending(load), ResultId::Load(load)),
            None => (Ready::collecting(token), ResultId::Collecting(token)),
        }
    }
}

impl DispatchPorts<'_> {
    /// The request to the load/store unit of a candidate's instruction that has accessed memory.
    pub(super) fn request(
        self,
        candidate: Candidate,
        instruction: &Decoded,
        pc: u32,
        access: &Access,
    ) -> Result<Box<MemRequest>, Box<Trap>> {
        let scheme = *self.residency.scheme();
        let resident = self.residency.slot_mut(candidate.block);
        let (block, hardware, home) = resident.for_coalescer();
        let mut accessor = Accessor {
            code: self.code,
            candidate,
            scheme,
            pc,
            instruction,
            access,
            block,
            hardware,
            home,
        };
        let request = self.coalescer.request(&mut accessor, self.lsu, self.statistics);
        let (block, _) = resident.audited();
        let mut request =
            request.map_err(|what| block.contradiction(self.code, candidate.slot, what))?;
        if instruction.effect == Effect::Copy
            && let Some(load) = request.load
        {
            block.threads.copies.dispatch(load);
        }
        if instruction.queue.is_some()
            && let (Some(early), Some(affine)) = (block.take_early_load(), self.affine)
        {
            // The lines that were requested early and are held for it.
            request.held = affine.take_held_lines(early, self.now, self.statistics);
        }
        Ok(request)
    }
}
