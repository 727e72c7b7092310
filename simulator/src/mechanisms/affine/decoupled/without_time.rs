//! The affine warp in the functional model: it runs for one block, and its records are expanded at
//! once.

use reconverge_isa::AffineStream;

use super::warp::{AffineWarp, Event, Executed};
use crate::block::operand_queues::OperandQueues;
use crate::mechanisms::affine::slot::{MechanismWait, SecondStream};
use crate::observe::statistics::Statistics;
use crate::program::code::Code;
use crate::run::fault::Trap;

/// The affine warp of a block, without time.
pub(super) struct WithoutTime(AffineWarp);

impl WithoutTime {
    pub(super) fn new(code: &Code, stream: &AffineStream, block: u64) -> WithoutTime {
        WithoutTime(AffineWarp::new(code, stream, vec![block]))
    }
}

impl SecondStream for WithoutTime {
    fn pc(&self) -> Option<u32> {
        self.0.pc()
    }

    fn step(
        &mut self,
        code: &Code,
        constant: &[u8],
        searching: bool,
        queues: &mut OperandQueues,
        statistics: &mut Statistics,
    ) -> Result<u32, Box<Trap>> {
        let executed = self.0.step(code, constant, searching)?;
        count(statistics, &executed);
        if let Event::Enqueued(enqueued) = &executed.event {
            for warp in enqueued.mask.occupied() {
                let operand = enqueued.record(code, 0, warp);
                queues.warps[warp].of_mut(enqueued.queue).push_back(operand);
            }
        }
        Ok(executed.pc)
    }

    fn fingerprint(&self) -> u64 {
        self.0.fingerprint()
    }

    fn finish(&self, statistics: &mut Statistics) {
        let deepest = self.0.deepest() as u64;
        statistics.max_affine_stack_depth = statistics.max_affine_stack_depth.max(deepest);
    }

    fn waits(&self, code: &Code) -> Option<MechanismWait> {
        let block = code.block_index(self.0.blocks()[0]);
        let recurs = Some(super::waits::recurs(0, block));
        Some(MechanismWait { sm: 0, pc: self.0.pc()?, waits: None, recurs })
    }
}

/// Counts an instruction of the affine warp, for both models.
pub(super) fn count(statistics: &mut Statistics, executed: &Executed) {
    statistics.warp_instructions += 1;
    statistics.affine_instructions += 1;
    statistics.schedulable_paths += 1;
    let [scalar, two, all] = executed.work.classes;
    statistics.predicates_scalar += scalar;
    statistics.predicates_endpoints += two;
    statistics.predicates_per_lane += all;
}
